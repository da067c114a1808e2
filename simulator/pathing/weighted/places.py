"""The places that cheapest ways bend at: on borders between prices, on the rims of what stands there, at corners.

Places on borders lie about half an inch apart; where rims and borders meet there is one exactly. A way round a rim
bends at corners of a polygon around it, so that each leg is legal; what that adds is taken away when bends are slid.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import CONTACT, GRID, TOUCH
from simulator.pathing.columns import join, pick
from simulator.pathing.weighted.borders import BorderPieces
from simulator.pathing.weighted.cuts import circle_cuts, circle_meetings
from simulator.pathing.weighted.gauges import TWO_PI
from simulator.pathing.weighted.setting import WeightedSetting

#: Places on borders are no farther apart.
APART = 0.5
#: And so near to their ends, where a way may cross a border or the next.
_NEAR_ENDS = (0.1,)
#: Legs that leave a border at an angle with a smaller sine run along it.
_ALONG = 1e-9
#: The corners around rims are so far apart at most, in radians, and nearer where a rim is wide.
_WIDEST, _BULGE = np.pi / 2, 0.15


class BendPlaces(NamedTuple):
    """Places, and which region a leg from them leads into."""

    place: FloatArray
    left: IntArray  #: the region left of the border; within a region the same as right; -1: not known here
    right: IntArray
    tangent: FloatArray  #: the way that the border leads
    piece: IntArray  #: the number of the border piece; -1: none, or one of its ends
    at: FloatArray  #: after how many inches of it
    rim: IntArray  #: the number of the rim piece that it is a corner round; -1: none

    @classmethod
    def inside(cls, place: FloatArray, region: IntArray, rim: IntArray | None = None) -> BendPlaces:
        """Return places within regions; those of region -1 may lie on a border."""
        none = np.full(len(place), -1)
        nowhere = np.zeros(len(place))
        return cls(place, region, region, np.zeros_like(place), none, nowhere, none if rim is None else rim)


class RimPieces(NamedTuple):
    """Arcs of rims within one region: of what stands there, and of round areas that a way may go round."""

    circle: IntArray  #: its row in the setting's circles
    begin: FloatArray
    extent: FloatArray
    region: IntArray


class Joints(NamedTuple):
    """Where pieces of borders begin, end, or are cut: knots. A row for each piece and way that leads on from a knot."""

    knot: IntArray  #: ascending
    piece: IntArray
    at: FloatArray  #: after how many inches of it the knot lies
    way: FloatArray  #: 1: on along the piece, -1: back
    place: FloatArray  #: by knot, rows x, y
    ends: IntArray  #: by piece, the knots that it begins and ends in


class PlaceMap(NamedTuple):
    """All places to bend at, and the legs along borders between neighbours."""

    places: BendPlaces
    knot: IntArray  #: by place; -1: it is none
    rims: RimPieces
    joints: Joints
    along: IntArray  #: rows of two places
    along_piece: IntArray


def region_of(setting: WeightedSetting, places: FloatArray) -> IntArray:
    """Return the regions that places lie in; -1 on a border, where that depends on where a leg leads."""
    off = 4.0 * CONTACT
    beside = np.array([(0.0, 0.0), (off, off), (-off, off), (-off, -off), (off, -off)])
    around = setting.regions.at((places + beside[:, None]).reshape(-1, 2)).reshape(len(beside), -1)
    return np.where((around == around[0]).all(axis=0), around[0], -1)


def rim_pieces(setting: WeightedSetting) -> RimPieces:
    """Return the free arcs of rims, cut at borders."""
    table, borders = setting.table, setting.borders
    arcs, rows = table.arcs, table.circles.rows
    circle, angle = circle_cuts(rows, borders.segments)
    rounds = np.column_stack([borders.origin, borders.radius])[borders.radius > 0.0]
    other, meeting = circle_meetings(rows, np.unique(rounds, axis=0))
    circle, angle = np.concatenate([circle, other]), np.concatenate([angle, meeting])
    order = np.argsort(circle, kind="stable")
    circle, angle = circle[order], angle[order]
    low, high = np.searchsorted(circle, arcs.circle, "left"), np.searchsorted(circle, arcs.circle, "right")
    arc = np.repeat(np.arange(len(arcs.circle)), high - low)
    cut = np.arange(len(arc)) - np.repeat(np.cumsum(high - low) - (high - low), high - low) + low[arc]
    at = np.mod(angle[cut] - arcs.begin[arc], TWO_PI)
    inner = (at > TOUCH) & (at < arcs.extent[arc] - TOUCH)
    every = np.arange(len(arcs.circle))
    arc, at = np.concatenate([every, arc[inner]]), np.concatenate([np.zeros(len(every)), at[inner]])
    order = np.lexsort((at, arc))
    arc, at = arc[order], at[order]
    last = np.r_[arc[1:] != arc[:-1], np.ones(min(len(arc), 1), np.bool_)]
    extent = np.where(last, arcs.extent[arc], np.r_[at[1:], 0.0][: len(at)]) - at
    begin, which = arcs.begin[arc] + at, arcs.circle[arc]
    kept = np.flatnonzero(extent > TOUCH)
    which, begin, extent = which[kept], begin[kept], extent[kept]
    region = setting.regions.at(_on_rim(rows[which], begin + extent / 2))
    return join([RimPieces(which, begin, extent, region), _round_areas(setting)])


def _round_areas(setting: WeightedSetting) -> RimPieces:
    """The arcs of round areas that have dearer ground inside."""
    borders = setting.borders
    inner, outer = (setting.regions.gauges.rate[side] for side in (borders.left, borders.right))
    arc = np.flatnonzero((borders.radius > 0.0) & (outer < inner))
    extent = borders.length[arc] / np.where(borders.radius[arc] > 0.0, borders.radius[arc], 1.0)
    circle = len(setting.table.circles.x) + setting.round_of_piece[arc]
    return RimPieces(circle, borders.angle[arc], extent, borders.right[arc])


def _on_rim(circles: FloatArray, angle: FloatArray, farther: FloatArray | float = 1.0) -> FloatArray:
    away = np.stack([np.cos(angle), np.sin(angle)], axis=1) * (circles[:, 2] * farther)[:, None]
    return np.asarray(circles[:, :2] + away)


def _around(setting: WeightedSetting, rims: RimPieces) -> tuple[BendPlaces, FloatArray, IntArray]:
    """The corners round rim pieces; and the ends of those, which lie on the rims, with the rim that each is of."""
    circles = setting.circles[rims.circle]
    step = np.minimum(np.sqrt(_BULGE / circles[:, 2]), _WIDEST)
    count = np.ceil(rims.extent / step).astype(np.intp)
    rim = np.repeat(np.arange(len(count)), count)
    number = np.arange(len(rim)) - np.repeat(np.cumsum(count) - count, count)
    half = rims.extent[rim] / count[rim] / 2
    corners = _on_rim(circles[rim], rims.begin[rim] + (2 * number + 1) * half, 1.0 / np.cos(half))
    # A corner may stick out into the region beyond a border: its own leg is looked at there.
    region = np.where(setting.regions.at(corners) == rims.region[rim], rims.region[rim], -1)
    cut = np.flatnonzero(rims.extent <= TWO_PI - TOUCH)
    ends = [_on_rim(circles[cut], (rims.begin + share * rims.extent)[cut]) for share in (0.0, 1.0)]
    return BendPlaces.inside(corners, region, rim), np.concatenate(ends), np.concatenate([cut, cut])


def _fits(setting: WeightedSetting) -> FloatArray:
    """Places on a rim that touches another rim or a wall: a way through there leads just so."""
    rows = setting.table.circles.rows
    x, y = rows[:, 0] - rows[:, :1], rows[:, 1] - rows[:, 1:2]
    apart = np.hypot(x, y)
    one, other = np.nonzero(np.triu(np.abs(apart - rows[:, 2:] - rows[:, 2]) <= 2.0 * CONTACT, 1))
    share = rows[one, 2] / (rows[one, 2] + rows[other, 2])
    found = [rows[one, :2] + share[:, None] * (rows[other, :2] - rows[one, :2])]
    edges, room = setting.obstacles.long_edges, setting.table.terrain.room
    step = edges[:, 2:] - edges[:, :2]
    away = rows[:, None, :2] - edges[:, :2]
    ahead = np.sum(away * step, axis=2) / np.sum(step**2, axis=1)
    off = away - np.clip(ahead, 0.0, 1.0)[..., None] * step
    far = np.hypot(off[..., 0], off[..., 1])
    circle, edge = np.nonzero((np.abs(far - rows[:, 2:] - room) <= 2.0 * CONTACT) & (ahead > 0.0) & (ahead < 1.0))
    share = rows[circle, 2] / far[circle, edge]
    found.append(rows[circle, :2] - share[:, None] * off[circle, edge])
    return np.concatenate(found)


def _between_ends(length: FloatArray) -> tuple[IntArray, FloatArray]:
    """Places on pieces, so far apart at most, and some nearer to their ends."""
    count = np.ceil(length / APART).astype(np.intp)
    piece = np.repeat(np.arange(len(count)), count - 1)
    number = np.arange(len(piece)) - np.repeat(np.cumsum(count - 1) - (count - 1), count - 1) + 1
    pieces, inches = [piece], [number * (length / count)[piece]]
    for near in _NEAR_ENDS:
        some = np.flatnonzero(length > 3.0 * near)
        pieces += [some, some]
        inches += [np.full(len(some), near), length[some] - near]
    return np.concatenate(pieces), np.concatenate(inches)


def on_pieces(borders: BorderPieces, piece: IntArray, inches: FloatArray) -> BendPlaces:
    """Return the places after a number of inches of border pieces."""
    return BendPlaces(
        borders.places(piece, inches),
        borders.left[piece],
        borders.right[piece],
        borders.tangents(piece, inches),
        piece,
        inches,
        np.full(len(piece), -1),
    )


def place_map(setting: WeightedSetting, starts: FloatArray, longest: float, more: BendPlaces) -> PlaceMap:
    """Return the places within a number of inches of any start where a mover may stand, including `more` on borders."""
    borders = setting.borders
    rims = rim_pieces(setting)
    corners, ends, rim_of_end = _around(setting, rims)
    piece = np.repeat(np.arange(len(borders.length)), 2)
    at = np.stack([np.zeros(len(borders.length)), borders.length], axis=1).ravel()
    inner_piece, inner_at = _between_ends(borders.length)
    on_borders = join([on_pieces(borders, inner_piece, inner_at), more])
    # Ends of pieces and of rims, and where they meet, are there once each.
    fits = _fits(setting)
    knots = np.concatenate([borders.places(piece, at), ends, fits])
    rim_of_knot = np.concatenate([np.full(len(piece), -1), rim_of_end, np.full(len(fits), -1)])
    keys = np.round(knots / (4 * GRID))
    _, first, same = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    region = region_of(setting, knots[first])
    knot_places = BendPlaces.inside(knots[first], region, np.where(region >= 0, rim_of_knot[first], -1))
    every = join([knot_places, on_borders, corners])
    near = np.zeros(len(every.place), np.bool_)
    for start in starts:
        near |= np.hypot(*(every.place - start).T) <= longest
    near[near] = setting.fits(every.place[near])
    kept = np.flatnonzero(near)
    number_of = np.full(len(near), -1)
    number_of[kept] = np.arange(len(kept))
    # The places of a piece one after the other.
    all_piece = np.concatenate([piece, on_borders.piece])
    all_at = np.concatenate([at, on_borders.at])
    whose = np.concatenate([same.reshape(-1)[: len(piece)], len(first) + np.arange(len(on_borders.piece))])
    order = np.lexsort((all_at, all_piece))
    all_piece, whose = all_piece[order], number_of[whose[order]]
    pair = (all_piece[1:] == all_piece[:-1]) & (whose[1:] >= 0) & (whose[:-1] >= 0) & (whose[1:] != whose[:-1])
    pair = np.flatnonzero(pair)
    along = np.stack([whose[pair], whose[pair + 1]], axis=1)
    along_piece = all_piece[pair]
    found = pick(every, kept)
    free = ~setting.barred(np.hstack([found.place[along[:, 0]], found.place[along[:, 1]]]))
    knot = np.r_[np.arange(len(first)), np.full(len(every.place) - len(first), -1)][kept]
    joints = _joints(setting, piece, at, same.reshape(-1)[: len(piece)], knots[first])
    return PlaceMap(found, knot, rims, joints, along[free], along_piece[free])


def _joints(setting: WeightedSetting, piece: IntArray, at: FloatArray, knot: IntArray, places: FloatArray) -> Joints:
    """The joints of pieces, which are cut at knots, given in inches, in order."""
    length = setting.borders.length
    ends = np.zeros((len(length), 2), np.intp)
    if len(piece):
        ends[piece[::-1], 0] = knot[::-1]
        ends[piece, 1] = knot
    rows = [np.flatnonzero(at < length[piece] - TOUCH), np.flatnonzero(at > TOUCH)]
    row, way = np.concatenate(rows), np.repeat([1.0, -1.0], [len(some) for some in rows])
    order = np.argsort(knot[row], kind="stable")
    row, way = row[order], way[order]
    return Joints(knot[row], piece[row], at[row], way, places, ends)


def region_towards(places: BendPlaces, which: IntArray, x: FloatArray, y: FloatArray) -> IntArray:
    """Return the regions that ways from some of the places lead into; -1 where it is not known."""
    left, right = places.left[which], places.right[which]
    split = np.flatnonzero(left != right)
    if not len(split):
        return left
    tangent_x, tangent_y = places.tangent[which[split]].T
    x, y = x[split], y[split]
    side = tangent_x * y - tangent_y * x
    slack = _ALONG * np.hypot(x, y)
    found = left.copy()
    found[split] = np.where(side > slack, left[split], np.where(side < -slack, right[split], -1))
    return found
