"""The ground within reach, as polygons.

The ground in sight of a start is one fan of rays; the ground behind a rim is the fan of the lines that leave it, each
as long as the budget allows. Rays are cast densely enough for the curve at their ends, along every line that touches
another rim and just beside it, and more densely where neighbours end on different things. The area is the union of all
fans, without the places where the base may not stand.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.pathing.columns import join, pick
from simulator.pathing.free.forbidden import Side
from simulator.pathing.free.obstacles import Bools, Floats, Ints
from simulator.pathing.free.prepared import PreparedTable
from simulator.pathing.free.ranks import beginnings, ranks
from simulator.pathing.free.search import SearchResult, label_costs
from simulator.pathing.free.tangents import TWO_PI

#: The angle between a ray that touches a rim and its neighbour that meets it.
_BESIDE = 1e-7
#: Fans begin too early by this angle, so that they leave no gap to the ground in sight beside them.
_EARLY = 1e-6
#: Places on a rim less than this angle apart are the same.
_ONE_PLACE = 1e-6
#: The distance to which neighbouring rays that end on different things are refined, in inches.
_NEAR = 1e-4
#: The number of parts into which a gap between such rays is cut at a time.
_PARTS = 6
_MOST_STEP = 0.2


class Fans(NamedTuple):
    """Fans of lines that leave a circle followed in one turn, between two places, with the remaining length."""

    question: Ints
    x: Floats
    y: Floats
    radius: Floats
    measured: Floats
    turn: Floats
    #: The angle on the rim at place 0.
    zero: Floats
    begin: Floats
    end: Floats
    left: Floats
    #: The directed arc, or -1 - s for start s.
    arc: Ints
    #: The place of the label: the path along the rim begins there.
    place: Floats


class FanRays(NamedTuple):
    """Rays of fans, by fan and place: their origins, directions and lengths, and what stops them."""

    fan: Ints
    place: Floats
    x: Floats
    y: Floats
    ux: Floats
    uy: Floats
    length: Floats
    stopper: Ints


def fans_of(table: PreparedTable, found: SearchResult, budgets: Floats) -> Fans:
    """Return all fans that a search opens within budgets, one for each question."""
    starts = found.starts
    left = budgets[starts.question] - starts.paid
    zeros = np.zeros(len(starts.x))
    number = np.arange(len(starts.x))
    around = zeros + TWO_PI
    x, y = table.on_border(np.column_stack([starts.x, starts.y])).T
    of_starts = Fans(starts.question, x, y, zeros, zeros, zeros + 1, zeros, zeros, around, left, -1 - number, zeros)
    fans = join([of_starts, _fans_of_labels(table, found, budgets)])
    # Rays end at the border: more length would only make them needlessly dense.
    run = fans.measured * np.maximum(fans.end - fans.place, 0.0)
    fans = fans._replace(left=np.minimum(fans.left, table.longest_line + run))
    return pick(fans, (fans.left > 0.0) & (fans.end > fans.begin))


def _fans_of_labels(table: PreparedTable, found: SearchResult, budgets: Floats) -> Fans:
    labels = found.labels
    directed = 2 * len(table.arcs.circle)
    if not len(labels.key):
        numbers, none = np.zeros(0, np.intp), np.zeros(0)
        return Fans(numbers, none, none, none, none, none, none, none, none, none, numbers, none)
    arc = labels.key % directed
    extent = table.arcs.extent[arc >> 1]
    circle = table.arcs.circle[arc >> 1]
    measured = table.circles.measured[circle]
    whole = extent >= TWO_PI
    opens = np.flatnonzero(np.diff(labels.key, prepend=-1))
    group = np.cumsum(np.diff(labels.key, prepend=labels.key[0]) != 0)
    # On a whole circle the label after the last is the first one with a place of its own, a full turn later.
    first_own = np.full(len(opens), np.inf)
    own = labels.place >= 0.0
    np.minimum.at(first_own, group[own], labels.place[own])
    following = np.append(labels.place[1:], 0.0)
    last = np.append(labels.key[1:] != labels.key[:-1], True)
    end = np.where(last, np.where(whole, first_own[group] + TWO_PI, extent), following)
    # Beyond some point the other way round is cheaper. From a start on the rim both ways begin at one place,
    # and neither limits the other.
    cost, other = label_costs(labels, labels.key ^ 1, extent - labels.place, measured)
    meets = extent - labels.place[other]
    with np.errstate(divide="ignore", invalid="ignore"):
        past = (labels.place + meets + (labels.cost[other] - labels.cost) / measured) / 2
    past = np.where(past < meets - _ONE_PLACE, past, np.inf)
    past = np.where(measured > 0.0, past, np.where(labels.cost[other] < labels.cost - 1e-12, -np.inf, np.inf))
    end = np.where(np.isfinite(cost), np.minimum(end, past), end)
    left = budgets[labels.key // directed] - labels.cost
    with np.errstate(divide="ignore", invalid="ignore"):
        lasts = np.where(measured > 0.0, labels.place + left / measured, np.inf)
    end = np.minimum(end, lasts)
    clockwise = (arc & 1).astype(np.bool_)
    begin_angle = table.arcs.begin[arc >> 1]
    fans = Fans(
        labels.key // directed,
        table.circles.x[circle],
        table.circles.y[circle],
        table.circles.radius[circle],
        measured,
        np.where(clockwise, -1.0, 1.0),
        np.where(clockwise, begin_angle + extent, begin_angle),
        labels.place - _EARLY,
        end,
        left,
        arc,
        labels.place,
    )
    return pick(fans, own & (end > labels.place))


def cast_rays(table: PreparedTable, found: SearchResult, fans: Fans, error: float) -> FanRays:
    """Cast the rays of fans, so densely that straight lines between their ends stay within an error."""
    parts = [_even_places(fans, error), _places_beside_rims(table, found, fans)]
    rays = _cast(table, fans, *(np.concatenate(columns) for columns in zip(*parts, strict=True)))
    rays = _in_order([rays])
    cast = [rays]
    left, right = (pick(rays, ends) for ends in (slice(None, -1), slice(1, None)))
    while True:
        unlike = np.flatnonzero(_end_on_unlike_things(table, fans, left, right))
        if not len(unlike):
            break
        left, right = (pick(ends, unlike) for ends in (left, right))
        step = (right.place - left.place) / _PARTS
        places = left.place + np.arange(1, _PARTS)[:, None] * step
        middle = _cast(table, fans, np.tile(left.fan, _PARTS - 1), places.ravel())
        cast.append(middle)
        left, right = join([left, middle]), join([middle, right])
    return _in_order(cast)


def _in_order(parts: list[FanRays]) -> FanRays:
    rays = join(parts)
    order = np.lexsort((rays.place, rays.fan))
    return pick(rays, order)


def _even_places(fans: Fans, error: float) -> tuple[Ints, Floats]:
    step = np.minimum(np.sqrt(8.0 * 0.8 * error / fans.left), _MOST_STEP)
    count = np.ceil((fans.end - fans.begin) / step).astype(np.intp) + 1
    fan = np.repeat(np.arange(len(count)), count)
    nth = np.arange(len(fan)) - np.repeat(np.cumsum(count) - count, count)
    share = nth / (count[fan] - 1)
    return fan, fans.begin[fan] + share * (fans.end - fans.begin)[fan]


def _places_beside_rims(table: PreparedTable, found: SearchResult, fans: Fans) -> tuple[Ints, Floats]:
    """Return the places of lines that touch another rim, and places just beside them whose lines meet it."""
    graph = found.graph
    rows = np.flatnonzero(fans.arc >= 0)
    whole = table.arcs.extent[fans.arc[rows] >> 1] >= TWO_PI
    rows = np.concatenate([rows, rows[whole]])
    shift = np.concatenate([np.zeros(len(whole)), np.full(np.count_nonzero(whole), TWO_PI)])
    arc = fans.arc[rows]
    low = np.searchsorted(graph.rank, np.maximum(ranks(arc, fans.begin[rows] - shift), beginnings(arc)))
    high = np.searchsorted(graph.rank, np.minimum(ranks(arc, fans.end[rows] - shift), beginnings(arc + 1)))
    count = np.maximum(high - low, 0)
    row = np.repeat(np.arange(len(rows)), count)
    line = np.arange(len(row)) + np.repeat(low - (np.cumsum(count) - count), count)
    fan = rows[row]
    place, target = graph.leaves[line] + shift[row], graph.target[line]
    near = (graph.length[line] <= fans.left[fan]) & ~graph.express[line]
    fan, place, target = fan[near], place[near], target[near]
    # The place on a start is the heading minus a quarter turn. Several fans may begin there, each with its own budget.
    lines = found.start_lines
    of_start = np.flatnonzero(fans.arc < 0)
    by_point = np.argsort(lines.point, kind="stable")
    start, point = -1 - fans.arc[of_start], lines.point[by_point]
    low, high = np.searchsorted(point, start), np.searchsorted(point, start, side="right")
    from_start = np.repeat(of_start, high - low)
    nth = np.arange(len(from_start)) - np.repeat(np.cumsum(high - low) - (high - low), high - low)
    line = by_point[nth + np.repeat(low, high - low)]
    ahead = lines.segment[line, 2:] - lines.segment[line, :2]
    seen = (np.hypot(*ahead.T) > 0.0) & (lines.length[line] <= fans.left[from_start])
    heading = np.arctan2(ahead[seen, 1], ahead[seen, 0])
    fan = np.concatenate([fan, from_start[seen]])
    place = np.concatenate([place, np.mod(heading - np.pi / 2, TWO_PI)])
    target = np.concatenate([target, lines.arc[line[seen]]])
    # Turning left meets the rims to the left of a line.
    towards = np.where(target & 1, -1.0, 1.0) * fans.turn[fan]
    fan, place = np.concatenate([fan, fan]), np.concatenate([place, place + towards * _BESIDE])
    inside = (place > fans.begin[fan]) & (place < fans.end[fan])
    return fan[inside], place[inside]


def _cast(table: PreparedTable, fans: Fans, fan: Ints, place: Floats) -> FanRays:
    turn = fans.turn[fan]
    angle = fans.zero[fan] + turn * place
    cos, sin = np.cos(angle), np.sin(angle)
    x, y = fans.x[fan] + fans.radius[fan] * cos, fans.y[fan] + fans.radius[fan] * sin
    ux, uy = -turn * sin, turn * cos
    limit = fans.left[fan] - fans.measured[fan] * np.maximum(place - fans.place[fan], 0.0)
    length, stopper = table.cast(x, y, ux, uy, np.maximum(limit, 0.0), fans.arc[fan] >= 0)
    return FanRays(fan, place, x, y, ux, uy, length, stopper)


def _end_on_unlike_things(table: PreparedTable, fans: Fans, left: FanRays, right: FanRays) -> Bools:
    """Whether neighbouring rays of one fan end on different things and are too far apart."""
    apart = (right.place - left.place) * fans.left[left.fan] > _NEAR
    unlike = (left.fan == right.fan) & apart & (left.stopper != right.stopper)
    joined = _joins(table, left.stopper, right.stopper) | _joins(table, right.stopper, left.stopper)
    found: Bools = unlike & ~joined
    return found


def _joins(table: PreparedTable, edge: Ints, corner: Ints) -> Bools:
    """Whether the first is an edge and the second one of its two corners: one wall without a gap."""
    circles = len(table.circles.x)
    is_edge = edge >= circles
    ends = np.full((len(edge), 2), -9)
    ends[is_edge] = table.terrain.edge_circles[edge[is_edge] - circles]
    joins: Bools = np.any(ends == corner[:, None], axis=1)
    return joins


#: Straight lines between ray ends stay inside the curve; the ends are pushed out by this share of the gap.
_PUSH: dict[Side, float] = {"inner": 0.0, "nearest": 0.5, "outer": 1.05}


def draw_fans(fans: Fans, rays: FanRays, side: Side) -> NDArray[np.object_]:
    """Draw each fan as a polygon."""
    within = rays.fan[1:] == rays.fan[:-1]
    step = np.where(within, np.diff(rays.place), 0.0)
    widest = np.maximum(np.append(step, 0.0), np.append(0.0, step))
    longest = fans.left[rays.fan]
    push = np.where(rays.stopper < 0, _PUSH[side] * longest * (1.0 / np.cos(widest / 2) - 1.0), 0.0)
    far = np.stack([rays.x + (rays.length + push) * rays.ux, rays.y + (rays.length + push) * rays.uy], axis=1)
    near = np.stack([rays.x, rays.y], axis=1)
    # A ring goes out along the far ends and back along the rim; one sort puts both in order.
    number = np.arange(len(rays.fan))
    fan = np.concatenate([rays.fan, rays.fan])
    rank = np.concatenate([number, 2 * len(number) - number])
    order = np.lexsort((rank, fan))
    # The fan of a start is the whole polygon of the far ends.
    order = order[(order < len(number)) | (fans.arc[fan[order]] >= 0)]
    corners, fan = np.concatenate([far, near])[order], fan[order]
    drawn: NDArray[np.object_] = shapely.polygons(shapely.linearrings(corners, indices=fan))
    return drawn


def middles_of(rays: FanRays) -> Floats:
    """Return a place in the middle of each fan, between the two neighbouring rays with most ground; rows x, y."""
    wide = np.where(rays.fan[1:] == rays.fan[:-1], np.diff(rays.place), 0.0)
    ground = wide * np.minimum(rays.length[1:], rays.length[:-1])
    order = np.lexsort((-ground, rays.fan[:-1]))
    one = order[np.flatnonzero(np.diff(rays.fan[order], prepend=-1))]
    one = one[ground[one] > 1e-3]
    half = (rays.length[one] + rays.length[one + 1]) / 4
    x = (rays.x[one] + rays.x[one + 1] + half * (rays.ux[one] + rays.ux[one + 1])) / 2
    y = (rays.y[one] + rays.y[one + 1] + half * (rays.uy[one] + rays.uy[one + 1])) / 2
    return np.stack([x, y], axis=1)
