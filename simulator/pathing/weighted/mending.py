"""What ways that were drawn taut may need: other bends than those that they were found with.

One that cuts a rim is wrapped round it, and one that cuts the corner of a border bends there. One that would slide on
beyond the end of a border goes on along the next. Wraps that turn back and corners that are not needed are left out.
"""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import TOUCH
from simulator.pathing.columns import join, pick
from simulator.pathing.weighted.places import Joints
from simulator.pathing.weighted.setting import WeightedSetting
from simulator.pathing.weighted.ways import Bends, deepest, is_none, legs_of, middles, tangents, turns_at

#: A way slides on along the next border if each inch of that makes it so much cheaper.
_CHEAPER = 1e-7


def mended(setting: WeightedSetting, joints: Joints, bends: Bends) -> Bends:
    """Return ways with other bends where they need them."""
    bends = _without_loose(setting, bends)
    bends = _without_needless(setting, bends)
    bends = _handed_on(setting, joints, bends)
    bends = _round_rims(setting, bends)
    return _round_corners(setting, joints, bends)


def _aheads(setting: WeightedSetting, bends: Bends) -> FloatArray:
    """The directions of the legs after bends, rows of length 1; of the last bends none."""
    centre, radius = middles(setting, bends)
    step, rise = np.zeros_like(centre), np.zeros_like(radius)
    step[:-1], rise[:-1] = np.diff(centre, axis=0), np.diff(radius)
    ahead = tangents(step, rise)[1]
    ahead[bends.is_last] = 0.0
    return ahead


def _without_loose(setting: WeightedSetting, bends: Bends) -> Bends:
    """Leave out the wraps that turn back."""
    wraps = np.flatnonzero(bends.sense != 0.0)
    if not len(wraps):
        return bends
    ahead = _aheads(setting, bends)
    loose = np.zeros(len(bends.way), np.bool_)
    loose[wraps] = is_none(turns_at(bends.sense[wraps], ahead[wraps - 1], ahead[wraps]))
    return pick(bends, ~loose)


def _without_needless(setting: WeightedSetting, bends: Bends) -> Bends:
    """Leave out fixed corners within a region that a way may pass straight, one of each way at a time."""
    inner = np.r_[False, ~bends.is_last[:-1] & ~bends.is_last[1:]] if len(bends.way) > 1 else bends.is_last
    inner[:-1] &= ~bends.is_last[:-1]
    inner &= np.r_[True, bends.way[1:] == bends.way[:-1]]
    fixed = inner & (bends.sense == 0.0) & (bends.piece < 0)
    fixed &= (np.r_[-1, bends.region[:-1]] == bends.region) & (bends.region >= 0)
    rows = np.flatnonzero(fixed)
    rows = rows[np.unique(bends.way[rows], return_index=True)[1]]
    if not len(rows):
        return bends
    kept = np.ones(len(bends.way), np.bool_)
    kept[rows] = False
    legs = legs_of(setting, pick(bends, kept))
    leg = rows - 1 - np.arange(len(rows)) - bends.way[rows]  # the leg from the bend before, where one is left out
    kept[rows] = setting.shut(legs.segment[leg])
    return pick(bends, kept)


def _handed_on(setting: WeightedSetting, joints: Joints, bends: Bends) -> Bends:
    """Move bends in knots onto the border piece along which their ways get cheaper, if there is one."""
    borders = setting.borders
    before = np.r_[-1, bends.region[:-1]]
    slid = bends.piece >= 0
    knot = bends.knot.copy()
    for end, at in ((0, 0.0), (1, borders.length[bends.piece] if len(borders.length) else np.zeros(len(slid)))):
        there = slid & (np.abs(bends.at - at) <= TOUCH)
        knot[there] = joints.ends[bends.piece[there], end]
    rows = np.flatnonzero((knot >= 0) & (bends.sense == 0.0) & (before >= 0) & (bends.region >= 0))
    rows = rows[before[rows] != bends.region[rows]]
    low, high = np.searchsorted(joints.knot, knot[rows], "left"), np.searchsorted(joints.knot, knot[rows], "right")
    pair = np.repeat(np.arange(len(rows)), high - low)
    joint = np.arange(len(pair)) - np.repeat(np.cumsum(high - low) - (high - low), high - low) + low[pair]
    row, piece = rows[pair], joints.piece[joint]
    left, right = borders.left[piece], borders.right[piece]
    kept = (left == before[row]) & (right == bends.region[row])
    kept |= (right == before[row]) & (left == bends.region[row])
    row, joint, piece = row[kept], joint[kept], piece[kept]
    if not len(row):
        return bends
    ahead = _aheads(setting, bends)
    along = joints.way[joint, None] * borders.tangents(piece, joints.at[joint])
    rise = _pull(setting, before[row], ahead[row - 1]) - _pull(setting, bends.region[row], ahead[row])
    slope = np.sum(along * rise, axis=1)
    order = np.lexsort((slope, row))
    first = order[np.unique(row[order], return_index=True)[1]]
    first = first[slope[first] < -_CHEAPER]
    row, joint = row[first], joint[first]
    place = bends.place.copy()
    place[row] = joints.place[joints.knot[joint]]
    columns = bends.piece.copy(), bends.at.copy(), bends.knot.copy()
    columns[0][row], columns[1][row], columns[2][row] = joints.piece[joint], joints.at[joint], -1
    return bends._replace(place=place, piece=columns[0], at=columns[1], knot=columns[2])


def _pull(setting: WeightedSetting, region: IntArray, ahead: FloatArray) -> FloatArray:
    """By how much a leg gets dearer as its end is moved, rows x, y."""
    gauges = setting.regions.gauges
    pull = gauges.rate[region, None] * ahead
    sloped = np.flatnonzero(~gauges.is_plain[region])
    if len(sloped):
        pull[sloped] = gauges.slopes_of(region[sloped], *ahead[sloped].T)[0]
    return np.asarray(pull)


def _round_rims(setting: WeightedSetting, bends: Bends) -> Bends:
    """Wrap ways round the rims that they cut."""
    here = np.flatnonzero(~bends.is_last)
    legs = legs_of(setting, bends)
    plain = np.r_[setting.regions.gauges.is_plain, False, False][legs.region]
    cut = np.flatnonzero(setting.barred(legs.segment) & plain)
    if not len(cut):
        return bends
    circle, side = deepest(setting, legs.segment[cut])
    # A rim that the leg begins or ends on is wrapped there already.
    ends = [np.where(bends.sense[at] != 0.0, bends.circle[at], -1) for at in (here[cut], here[cut] + 1)]
    kept = (circle >= 0) & (circle != ends[0]) & (circle != ends[1])
    cut, circle, side = cut[kept], circle[kept], side[kept]
    none = np.full(len(cut), -1)
    fresh = pick(bends, here[cut])._replace(
        place=setting.circles[circle, :2], piece=none, at=np.zeros(len(cut)), circle=circle, sense=side, knot=none
    )
    return _inserted(bends, here[cut], fresh)


def _round_corners(setting: WeightedSetting, joints: Joints, bends: Bends) -> Bends:
    """Bend ways at the corners of borders that they cut, and where they cross over into another region."""
    borders = setting.borders
    here = np.flatnonzero(~bends.is_last)
    legs = legs_of(setting, bends)
    cut = np.flatnonzero(setting.crossing(legs.segment) & (legs.region >= 0))
    straight = np.flatnonzero(borders.radius == 0.0)
    if not len(cut) or not len(straight):
        return bends
    start, step = legs.segment[cut, :2], legs.segment[cut, 2:] - legs.segment[cut, :2]
    off, share = _crossings(start, step, borders.segments)
    crossed = np.isfinite(off)
    which = np.argmin(off, axis=1)
    row, piece = here[cut], straight[which]
    at = share[np.arange(len(cut)), which] * borders.length[piece]
    ends = joints.ends[piece]
    knot = np.where(at > borders.length[piece] / 2, ends[:, 1], ends[:, 0])
    # A leg that comes from the next border, or leads there, cuts the corner between the two.
    shared = [_shares(joints, bends, row, ends[:, k]) | _shares(joints, bends, row + 1, ends[:, k]) for k in (0, 1)]
    knot = np.where(shared[0] & ~shared[1], ends[:, 0], np.where(shared[1] & ~shared[0], ends[:, 1], knot))
    region = bends.region[row]
    beyond = np.where(borders.left[piece] == region, borders.right[piece], borders.left[piece])
    # Over one border alone a way leads into the region there; over more it cuts a corner.
    over = (crossed.sum(axis=1) == 1) & ~shared[0] & ~shared[1]
    fresh = pick(bends, row)._replace(
        place=np.where(over[:, None], borders.places(piece, at), joints.place[knot]),
        piece=np.where(over, piece, -1),
        at=np.where(over, at, 0.0),
        knot=np.where(over, -1, knot),
        circle=np.full(len(row), -1),
        sense=np.zeros(len(row)),
        region=np.where(over, beyond, region),
        how=np.zeros(len(row), np.intp),
    )
    # A corner that the leg begins or ends in is no help.
    near = [np.hypot(*(bends.place[one] - fresh.place).T) <= TOUCH for one in (row, row + 1)]
    kept = crossed.any(axis=1) & ~(near[0] | near[1])
    return _inserted(bends, row[kept], pick(fresh, kept))


def _shares(joints: Joints, bends: Bends, row: IntArray, knot: IntArray) -> BoolArray:
    """Find which bends lie on a border piece that begins or ends in a knot."""
    piece = bends.piece[row]
    return np.asarray((piece >= 0) & (joints.ends[piece] == knot[:, None]).any(axis=1))


def _crossings(start: FloatArray, step: FloatArray, segments: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Find which legs cross which lines, arrays [leg, line].

    The first answer is how far off the leg the nearer end of the line is, inf where it is not crossed; the second after
    what share of the line it is.
    """
    ends = segments.reshape(-1, 2, 2)
    off = [step[:, :1] * (ends[:, k, 1] - start[:, 1:]) - step[:, 1:] * (ends[:, k, 0] - start[:, :1]) for k in (0, 1)]
    way = ends[:, 1] - ends[:, 0]
    both = (start, start + step)
    sides = [way[:, 0] * (at[:, 1:] - ends[:, 0, 1]) - way[:, 1] * (at[:, :1] - ends[:, 0, 0]) for at in both]
    slack = TOUCH * np.hypot(*way.T)
    apart = (np.minimum(*sides) < -slack) & (np.maximum(*sides) > slack)
    crossed = apart & (off[0] * off[1] < 0.0)
    far = np.where(crossed, np.minimum(np.abs(off[0]), np.abs(off[1])), np.inf)
    return far, np.where(crossed, off[0] / np.where(crossed, off[0] - off[1], 1.0), 0.0)


def _inserted(bends: Bends, after: IntArray, fresh: Bends) -> Bends:
    """Put bends behind others."""
    if not len(after):
        return bends
    both = join([bends, fresh])
    return pick(both, np.argsort(np.r_[np.arange(len(bends.way)), after + 0.5], kind="stable"))
