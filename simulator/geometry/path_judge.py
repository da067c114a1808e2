"""The judge of paths on the inch table: many paths together, exact, and for every kind of base.

A path is judged as it is: lines and arcs along which a base keeps its heading, and turns on the spot. Nothing is
searched and nothing is sampled: the first overlap is computed piece by piece, for all pieces and all things together;
see `overlaps`.

>>> paths = Paths.of_lines([[(0, 0), (9, 0)], [(0, 3), (9, 3)]])
>>> paths.lengths
array([9., 9.])
>>> first_overlaps(paths, 0.5, edges=[(2, -1, 2, 1)]).inches
array([1.5, inf])

Bases of other shapes, and things as they stand:

>>> from simulator.geometry.footprints import Rectangle, Round
>>> from simulator.geometry.pieces import rectangle
>>> things = Standing.of([rectangle((6, 0), (2, 2)), Round(0.5).at(6, 4)])
>>> found = first_contacts(Paths.of_lines([[(0, 0), (9, 0)], [(0, 3), (9, 3)]]), Rectangle(2, 1), things)
>>> found.inches, found.which
(array([ 4., inf]), array([ 0, -1]))
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from simulator.geometry.contact_places import contact_places, foremost
from simulator.geometry.convex import BoolArray, IntArray, require_radius
from simulator.geometry.edges_of_table import over_sides
from simulator.geometry.footprints import Base
from simulator.geometry.insides import lines_inside, points_inside, rings_inside
from simulator.geometry.movers import MovingBase, mover_of
from simulator.geometry.overlaps import Pairs, near_pairs, overlap_spans
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import FloatArray, PolygonShape
from simulator.geometry.spans import NO_SPANS, Spans, joined, merged
from simulator.geometry.standing import Standing
from simulator.geometry.sweeps import around_pivot
from simulator.geometry.tolerances import CONTACT, TOLERANCE

__all__ = [
    "Contacts",
    "Overlaps",
    "Standing",
    "Stretches",
    "every_met",
    "every_overlap",
    "first_beyond",
    "first_contacts",
    "first_lengths",
    "first_met",
    "first_off",
    "first_overlaps",
    "first_pieces",
    "first_pieces_off",
    "is_clear",
    "lengths_over",
    "overlaps_along",
    "stretches_in",
    "stretches_over",
    "things_over",
]

_POINT = MovingBase.round(0.0)
_NONE = np.empty(0, np.intp)
_NO_INCHES = np.empty(0)


class Overlaps(NamedTuple):
    """The first overlap of each path: after how many inches (inf: nowhere), and with which thing (-1: none)."""

    inches: FloatArray
    which: IntArray


class Contacts(NamedTuple):
    """The first contact of each path that leads to an overlap.

    A turn has no inches: `piece` and `share` are the part of it completed. `place` is the point of contact.
    """

    inches: FloatArray  #: after how many; inf: nowhere
    which: IntArray  #: the number of the thing; -1: nothing
    piece: IntArray  #: the row of the piece of the path; -1: none
    share: FloatArray  #: after which share of that piece; nan: none
    place: FloatArray  #: where, rows x, y; nan: nowhere


class Stretches(NamedTuple):
    """Stretches of paths: which path, over which thing, from how many inches to how many."""

    path: IntArray
    which: IntArray
    begin: FloatArray
    end: FloatArray


# -- obstacles on a path ---------------------------------------------------------------------------------------


def first_contacts(
    paths: Paths, base: Base, standing: Standing, tolerance: float = TOLERANCE, meets: BoolArray | None = None
) -> Contacts:
    """Find where a base first comes to overlap obstacles, deeper than a tolerance, on each of many paths.

    The place is where the two touch before they overlap. A thing with an area is closed: a base wholly inside it when a
    path begins overlaps it. A point overlaps an area or a disc when inside, and a bare line when it has crossed it.

    >>> from simulator.geometry.footprints import Rectangle
    >>> from simulator.geometry.paths import Straight, Turn
    >>> path = Paths.of_pieces([[Straight((0, 0), (3, 0)), Turn((3, 0), 0, 90)]])
    >>> from simulator.geometry.pieces import LineShape
    >>> found = first_contacts(path, Rectangle(4, 1), Standing.of([LineShape([(0, 1.5), (9, 1.5)])]))
    >>> found.inches, found.piece, found.place.round(3).tolist()
    (array([3.]), array([1]), [[4.414, 1.5]])
    """
    mover = mover_of(base)
    first, feature = _first(paths, mover, standing, tolerance, meets)
    place = np.full((paths.count, 2), np.nan)
    met = np.flatnonzero(first.which >= 0)
    place[met] = contact_places(paths, mover, standing, first.piece[met], first.share[met], feature[met])
    return first._replace(place=place)


def first_pieces(paths: Paths, base: Base, standing: Standing, tolerance: float = TOLERANCE) -> Contacts:
    """Find the first contacts of `first_contacts` without their places.

    >>> from simulator.geometry.footprints import Round
    >>> found = first_pieces(Paths.of_lines([[(0, 0), (9, 0)]]), Round(1), Standing.of([Round(1).at(4, 0)]))
    >>> found.inches, found.which, found.place
    (array([2.]), array([0]), array([[nan, nan]]))
    """
    return _first(paths, mover_of(base), standing, tolerance)[0]


def first_pieces_off(paths: Paths, base: Base, box: ArrayLike, tolerance: float = TOLERANCE) -> Contacts:
    """Find where a base first extends beyond a box, as `first_off` does, without the places of contact."""
    return _first_off(paths, mover_of(base), box, tolerance)


def first_lengths(
    paths: Paths, base: Base, standing: Standing, tolerance: float = TOLERANCE, meets: BoolArray | None = None
) -> FloatArray:
    """Compute after how many inches each path first leads to an overlap, inf if none does; see `first_contacts`.

    A path that only turns on the spot has no inches: 0 if its turn sweeps something. `meets` is an array [path, thing],
    where each path passes through some of the things; without it all bar all paths.

    >>> from simulator.geometry.footprints import Round
    >>> path, things = Paths.of_lines([[(0, 0), (4, 0)]]), Standing.of([Round(0.5).at(2, 0), Round(0.5).at(3, 0)])
    >>> first_lengths(path, Round(0.5), things).tolist()
    [1.0]
    >>> first_lengths(path, Round(0.5), things, meets=np.array([[False, True]])).tolist()
    [2.0]
    """
    return _first(paths, mover_of(base), standing, tolerance, meets)[0].inches


def first_met(
    paths: Paths, base: Base, standing: Standing, tolerance: float = TOLERANCE, meets: BoolArray | None = None
) -> Overlaps:
    """Find after how many inches each path first leads to an overlap, and with which thing; see `first_lengths`.

    >>> from simulator.geometry.footprints import Round
    >>> path, things = Paths.of_lines([[(0, 0), (4, 0)]]), Standing.of([Round(0.5).at(3, 0), Round(0.5).at(2, 0)])
    >>> first_met(path, Round(0.5), things)
    Overlaps(inches=array([1.]), which=array([1]))
    """
    first, _ = _first(paths, mover_of(base), standing, tolerance, meets)
    return Overlaps(first.inches, first.which)


def first_overlaps(
    paths: Paths, radius: float, edges: ArrayLike = (), discs: ArrayLike = (), tolerance: float = TOLERANCE
) -> Overlaps:
    """Find where a round base first overlaps a segment or disc deeper than a tolerance, on each of many paths.

    `edges` has rows x1, y1, x2, y2, `discs` rows x, y, radius. Obstacles are numbered edges first, then discs.

    >>> path = Paths.of_lines([[(0, 0), (4, 0)]])
    >>> first_overlaps(path, 0.5, discs=[(3, 0, 0.5)])
    Overlaps(inches=array([2.]), which=array([0]))
    >>> first_overlaps(path, 0.5, discs=[(3, 1, 0.5)])
    Overlaps(inches=array([inf]), which=array([-1]))
    """
    require_radius(radius)
    first, _ = _first(paths, MovingBase.round(radius), Standing.of_rows(edges, discs), tolerance)
    return Overlaps(first.inches, first.which)


def every_overlap(
    paths: Paths, radius: float, edges: ArrayLike = (), discs: ArrayLike = (), tolerance: float = TOLERANCE
) -> tuple[IntArray, IntArray]:
    """Find all segments and discs that a round base overlaps deeper than a tolerance: pairs of a path and an obstacle.

    Obstacles are numbered as for `first_overlaps`. Pairs are in order, each once.

    >>> path = Paths.of_lines([[(0, 0), (9, 0)]])
    >>> every_overlap(path, 0.5, edges=[(2, -1, 2, 1), (5, 1, 5, 2)], discs=[(7, 0, 0.5)])
    (array([0, 0]), array([0, 2]))
    """
    require_radius(radius)
    return every_met(paths, radius, Standing.of_rows(edges, discs), tolerance)


def every_met(
    paths: Paths, radius: float, standing: Standing, tolerance: float = TOLERANCE
) -> tuple[IntArray, IntArray]:
    """Find all features that a round base overlaps deeper than a tolerance: pairs of a path and a feature, in order.

    >>> from simulator.geometry.pieces import rectangle
    >>> every_met(Paths.of_lines([[(0, 0), (9, 0)]]), 0.5, Standing.of([rectangle((4, 2), (2, 4))]))
    (array([0, 0, 0]), array([0, 1, 3]))
    """
    if _is_clear(paths, radius, standing):
        return _NONE, _NONE
    mover = MovingBase.round(radius)
    pairs = near_pairs(paths, mover, standing)
    met = np.unique(overlap_spans(paths, mover, standing, pairs, tolerance).row)
    found = np.unique(np.column_stack([paths.path[pairs.piece[met]], pairs.feature[met]]), axis=0)
    return found[:, 0], found[:, 1]


def first_off(paths: Paths, base: Base, box: ArrayLike, tolerance: float = TOLERANCE) -> Contacts:
    """Find where a base first extends beyond a box (min x, min y, max x, max y), the table, on each of many paths.

    `which` is the side: 0 the least x, 1 the least y, 2 the greatest x, 3 the greatest y.

    >>> from simulator.geometry.footprints import Rectangle
    >>> first_off(Paths.of_lines([[(3, 5), (0, 5)]]), Rectangle(4, 1), (0, 0, 9, 9)).inches
    array([1.])
    """
    mover = mover_of(base)
    first = _first_off(paths, mover, box, tolerance)
    place = np.full((paths.count, 2), np.nan)
    met = np.flatnonzero(first.which >= 0)
    place[met] = foremost(paths, mover, first.piece[met], first.share[met], first.which[met])
    return first._replace(place=place)


def first_beyond(paths: Paths, box: ArrayLike, tolerance: float = TOLERANCE, base: Base | None = None) -> FloatArray:
    """Find after how many inches each path first leaves a box (min x, min y, max x, max y); inf if it does not.

    Without a base that is the line itself. A path that only turns on the spot has no inches; see `first_lengths`.

    >>> from simulator.geometry.footprints import Round
    >>> line, box = Paths.of_lines([[(2, 5), (-1, 5)]]), (0.5, 0.5, 9.5, 9.5)
    >>> first_beyond(line, box).tolist(), first_beyond(line, box, base=Round(1)).tolist()
    ([1.5], [0.5])
    """
    return _first_off(paths, _POINT if base is None else mover_of(base), box, tolerance).inches


def _first_off(paths: Paths, mover: MovingBase, box: ArrayLike, tolerance: float) -> Contacts:
    sides = np.asarray(box, np.float64)
    deep = over_sides(paths, mover, sides, tolerance)
    if not len(deep.row):
        return _contacts(paths, _NONE, np.empty(0), _NONE)
    row = _foremost(paths, deep.row // 4, deep.row % 4, deep.begin)
    chosen = deep.of(row)
    touching = over_sides(paths, mover, sides, 0.0)
    share = _touched(chosen, merged(touching, slack=1e-10))
    return _contacts(paths, chosen.row // 4, share, chosen.row % 4)


def _first(
    paths: Paths, mover: MovingBase, standing: Standing, tolerance: float, meets: BoolArray | None = None
) -> tuple[Contacts, IntArray]:
    """Return the first overlaps without their places, and the features met, -1 for the inside of an area."""
    features = np.full(paths.count, -1, np.intp)
    if not standing.count or _is_clear(paths, mover.reach, standing):
        return _contacts(paths, _NONE, np.empty(0), _NONE), features
    within = _inside_spans(paths, mover, standing, tolerance, begins_only=not mover.is_point)
    areas = max(len(standing.areas), 1)
    if meets is not None and len(within.row):
        within = within.of(meets[paths.path[within.row // areas], standing.area_owner[within.row % areas]])
    hits = [
        _Hits(within.row // areas, np.full(len(within.row), -1), standing.area_owner[within.row % areas], within.begin)
    ]
    # Pieces behind the first overlap do not matter: first all first pieces, then the next two of paths still free.
    nth = paths.ordinal
    free = np.ones(paths.count, np.bool_)
    done, ahead = 0, 1
    while np.any(rows := (nth >= done) & (nth < done + ahead) & free[paths.path]):
        found = _hits(paths, mover, standing, tolerance, np.flatnonzero(rows), meets)
        hits.append(found)
        free[paths.path[found.piece]] = False
        done, ahead = done + ahead, 2 * ahead
    met = _Hits(*(np.concatenate(columns) for columns in zip(*hits, strict=True)))
    if not len(met.piece):
        return _contacts(paths, _NONE, np.empty(0), _NONE), features
    row = _foremost(paths, met.piece, met.owner, met.begin)
    piece, feature, owner, share = met.piece[row], met.feature[row], met.owner[row], met.begin[row]
    # A thing met at its border is touched before: that is the place.
    border = np.flatnonzero(feature >= 0)
    touching = overlap_spans(paths, mover, standing, Pairs(piece[border], feature[border]), 0.0)
    share[border] = _touched(Spans(np.arange(len(border)), share[border], share[border]), touching)
    features[paths.path[piece]] = feature
    return _contacts(paths, piece, share, owner), features


class _Hits(NamedTuple):
    """Overlaps: the piece, the feature (-1: the inside of an area), the thing, and the share at which each begins."""

    piece: IntArray
    feature: IntArray
    owner: IntArray
    begin: FloatArray


def _hits(
    paths: Paths,
    mover: MovingBase,
    standing: Standing,
    tolerance: float,
    pieces: IntArray,
    meets: BoolArray | None,
) -> _Hits:
    """Return the overlaps on some of the pieces."""
    pairs = near_pairs(paths, mover, standing, pieces)
    if meets is not None:
        pairs = pairs.of(np.flatnonzero(meets[paths.path[pairs.piece], standing.owners[pairs.feature]]))
    if mover.is_point:
        # A point enters an area; the lines of its border are not crossed.
        bare = np.concatenate([standing.segment_area < 0, np.ones(len(standing.discs) + len(standing.ovals), np.bool_)])
        pairs = pairs.of(np.flatnonzero(bare[pairs.feature]))
    deep = overlap_spans(paths, mover, standing, pairs, tolerance)
    feature = pairs.feature[deep.row]
    return _Hits(pairs.piece[deep.row], feature, standing.owners[feature], deep.begin)


def _foremost(paths: Paths, piece: IntArray, which: IntArray, begin: FloatArray) -> IntArray:
    """Return the numbers of the rows that come first on each path; of several at one place, the least number."""
    order = np.lexsort((which, begin, piece))
    return order[np.unique(paths.path[piece[order]], return_index=True)[1]]


def _touched(deep: Spans, touching: Spans) -> FloatArray:
    """Return the beginning of the touch that leads into each overlap, or of the overlap itself if there is none."""
    order = np.argsort(deep.row, kind="stable")
    at = np.searchsorted(deep.row[order], touching.row)
    known = at < len(order)
    known[known] &= deep.row[order[at[known]]] == touching.row[known]
    whose = order[at[known]]
    begin, end = touching.begin[known], touching.end[known]
    leads = (begin <= deep.begin[whose]) & (end >= deep.begin[whose])
    found = deep.begin.copy()
    np.minimum.at(found, whose[leads], begin[leads])
    return found


def _contacts(paths: Paths, piece: IntArray, share: FloatArray, which: IntArray) -> Contacts:
    which_path = paths.path[piece]
    none = np.full(paths.count, -1, np.intp)
    nowhere = np.full((paths.count, 2), np.nan)
    found = Contacts(np.full(paths.count, np.inf), none, none.copy(), nowhere[:, 0].copy(), nowhere)
    found.inches[which_path] = paths.before[piece] + share * paths.piece_lengths[piece]
    found.which[which_path], found.piece[which_path], found.share[which_path] = which, piece, share
    return found


def is_clear(paths: Paths, base: Base, standing: Standing) -> bool:
    """Whether no thing is anywhere near paths, by boxes: then nothing bars them, and nothing lies under the base.

    >>> from simulator.geometry.footprints import Round
    >>> line, post = Paths.of_lines([[(0, 0), (4, 0)]]), Standing.of([Round(1).at(0, 3)])
    >>> is_clear(line, Round(0.5), post), is_clear(line, Round(2), post)
    (True, False)
    """
    return _is_clear(paths, base.reach, standing)


def _is_clear(paths: Paths, reach: float, standing: Standing) -> bool:
    if not len(paths.path):
        return True
    (x0, y0), (x1, y1) = paths.boxes[:, :2].min(axis=0).tolist(), paths.boxes[:, 2:].max(axis=0).tolist()
    reach += 2 * CONTACT
    return standing.is_clear_of((x0 - reach, y0 - reach, x1 + reach, y1 + reach))


# -- things under a path ---------------------------------------------------------------------------------------


def stretches_over(
    paths: Paths, standing: Standing, base: Base | None = None, tolerance: float = TOLERANCE
) -> Stretches:
    """Return the stretches of many paths over things: of the line itself, or of the ground that a base sweeps.

    Touching does not count. No part of a line is over a bare line, but a base that sweeps across one is over it.
    Sorted by path, thing and inches; stretches no longer than the tolerance are left out.

    >>> from simulator.geometry.footprints import Round
    >>> from simulator.geometry.pieces import rectangle
    >>> paths, strip = Paths.of_lines([[(0, 0), (5, 0)]]), Standing.of([rectangle((2.5, 0), (1, 18))])
    >>> [column.tolist() for column in stretches_over(paths, strip)]
    [[0], [0], [2.0], [3.0]]
    >>> [column.tolist() for column in stretches_over(paths, strip, Round(0.5))]
    [[0], [0], [1.5], [3.5]]
    """
    mover = _POINT if base is None else mover_of(base)
    pairs = near_pairs(paths, mover, standing)
    # Paths of one piece that come near no border stay inside of areas, or outside, all the way.
    begins_only = not len(pairs.piece) and len(paths.path) == paths.count
    if mover.is_point:
        pairs = pairs.of(np.flatnonzero(pairs.feature >= len(standing.segments)))
    deep = overlap_spans(paths, mover, standing, pairs, tolerance)
    # They are sorted: those of each pair follow each other.
    is_first = np.diff(deep.row, prepend=-1) > 0
    pairs = pairs.of(deep.row[is_first])
    deep = deep._replace(row=np.cumsum(is_first) - 1)
    touching = overlap_spans(paths, mover, standing, pairs, 0.0)
    touching = touching.of(_leading_into_overlap(touching, deep))
    within = _inside_spans(paths, mover, standing, tolerance, begins_only=begins_only)
    areas, things = max(len(standing.areas), 1), max(standing.count, 1)
    key = pairs.piece[touching.row] * things + standing.owners[pairs.feature[touching.row]]
    inside = within.row // areas * things + standing.area_owner[within.row % areas]
    spans = merged(joined([touching._replace(row=key), within._replace(row=inside)]), slack=1e-10)
    piece, thing = spans.row // things, spans.row % things
    long, before = paths.piece_lengths[piece], paths.before[piece]
    inches = Spans(paths.path[piece] * things + thing, before + long * spans.begin, before + long * spans.end)
    found = merged(inches, slack=tolerance)
    found = found.of(found.end - found.begin > tolerance)
    return Stretches(found.row // things, found.row % things, found.begin, found.end)


def overlaps_along(paths: Paths, standing: Standing, base: Base, tolerance: float = TOLERANCE) -> Stretches:
    """Return where a base overlaps things deeper than a tolerance on paths of one piece each, in shares of the piece.

    Turns on the spot have no inches, so shares are what legs and turns have in common. What touches does not count.

    >>> from simulator.geometry.footprints import Rectangle, Round
    >>> from simulator.geometry.paths import Straight, Turn
    >>> paths = Paths.of_pieces([[Straight((0, 0), (10, 0))], [Turn((3, 0), 0, 180)]])
    >>> found = overlaps_along(paths, Standing.of([Round(0.5).at(3, 1.5)]), Rectangle(4, 1))
    >>> found.path.tolist(), found.begin.round(3).tolist(), found.end.round(3).tolist()
    ([1], [0.268], [0.732])
    """
    if is_clear(paths, base, standing):
        return Stretches(_NONE, _NONE, _NO_INCHES, _NO_INCHES)
    mover = mover_of(base)
    pairs = near_pairs(paths, mover, standing)
    if mover.is_point:
        pairs = pairs.of(np.flatnonzero(pairs.feature >= len(standing.segments)))
    deep = overlap_spans(paths, mover, standing, pairs, tolerance)
    within = _inside_spans(paths, mover, standing, tolerance, begins_only=False)
    areas, things = max(len(standing.areas), 1), max(standing.count, 1)
    key = pairs.piece[deep.row] * things + standing.owners[pairs.feature[deep.row]]
    inside = within.row // areas * things + standing.area_owner[within.row % areas]
    found = merged(joined([deep._replace(row=key), within._replace(row=inside)]), slack=1e-10)
    return Stretches(paths.path[found.row // things], found.row % things, found.begin, found.end)


def lengths_over(
    paths: Paths, standing: Standing, base: Base | None = None, tolerance: float = TOLERANCE
) -> FloatArray:
    """Measure how much of each path lies over each thing, an array [path, thing] of inches; see `stretches_over`.

    >>> from simulator.geometry.pieces import rectangle
    >>> paths = Paths.of_lines([[(0, 0), (5, 0)], [(0, 0), (2, 0), (2, 5)]])
    >>> lengths_over(paths, Standing.of([rectangle((2.5, 0), (2, 18)), rectangle((2, 4), (9, 1))]))
    array([[2. , 0. ],
           [5.5, 1. ]])
    """
    found = stretches_over(paths, standing, base, tolerance)
    things = max(standing.count, 1)
    total = np.bincount(found.path * things + found.which, found.end - found.begin, minlength=paths.count * things)
    return np.asarray(total.reshape(paths.count, things)[:, : standing.count])


def things_over(
    paths: Paths, standing: Standing, base: Base, tolerance: float = TOLERANCE
) -> tuple[IntArray, IntArray]:
    """Find all things that a base overlaps on its path, also where it only stands: pairs of a path and a thing.

    >>> from simulator.geometry.footprints import Round
    >>> from simulator.geometry.pieces import rectangle
    >>> strips = Standing.of([rectangle((1, 0), (1, 9)), rectangle((3, 0), (1, 9))])
    >>> paths = Paths.of_lines([[(1, 0), (1, 0)], [(1, 0), (4, 0)]])
    >>> [column.tolist() for column in things_over(paths, strips, Round(1))]
    [[0, 1, 1], [0, 0, 1]]
    """
    if is_clear(paths, base, standing):
        return _NONE, _NONE
    mover = mover_of(base)
    pairs = near_pairs(paths, mover, standing)
    deep = overlap_spans(paths, mover, standing, pairs, tolerance)
    within = _inside_spans(paths, mover, standing, tolerance, begins_only=False)
    areas = max(len(standing.areas), 1)
    piece = np.concatenate([pairs.piece[deep.row], within.row // areas])
    thing = np.concatenate([standing.owners[pairs.feature[deep.row]], standing.area_owner[within.row % areas]])
    path, which = np.divmod(np.unique(paths.path[piece] * standing.count + thing), max(standing.count, 1))
    return path, which


def stretches_in(
    paths: Paths, path: int, shape: PolygonShape, tolerance: float = TOLERANCE
) -> list[tuple[float, float]]:
    """Return the stretches of one path, in inches, that are inside an area; its border does not count.

    >>> strip = PolygonShape([(2, -9), (3, -9), (3, 9), (2, 9)])
    >>> stretches_in(Paths.of_lines([[(0, 0), (5, 0)]]), 0, strip)
    [(2.0, 3.0)]
    """
    found = stretches_over(paths.some([path]), Standing.of([shape]), tolerance=tolerance)
    return list(zip(found.begin.tolist(), found.end.tolist(), strict=True))


def _leading_into_overlap(touching: Spans, deep: Spans) -> IntArray:
    """Return the numbers of the touches that lead into an overlap somewhere; both are merged."""
    row, begin = deep.row, deep.begin
    # The first overlap of its row that begins with the touch or after, found by one key.
    at = np.searchsorted(row * 2.0 + begin, touching.row * 2.0 + touching.begin - 1e-12)
    known = at < len(row)
    known[known] &= (row[at[known]] == touching.row[known]) & (begin[at[known]] <= touching.end[known])
    return np.flatnonzero(known)


def _inside_spans(paths: Paths, mover: MovingBase, standing: Standing, tolerance: float, *, begins_only: bool) -> Spans:
    """Find where a place well inside the base is inside areas; rows are `piece * areas + area`.

    A base that overlaps no border is wholly inside or wholly outside, and so is that place. The beginnings of paths are
    enough to find a first overlap, since a base can only enter over the border.
    """
    areas = len(standing.areas)
    if not areas or not len(paths.path):
        return NO_SPANS
    x, y = mover.anchor
    angle = np.radians(paths.heading) if not mover.is_round else np.zeros(len(paths.path))
    shift = np.column_stack([x * np.cos(angle) - y * np.sin(angle), x * np.sin(angle) + y * np.cos(angle)])
    rows = np.arange(len(paths.path))
    if begins_only:
        rows = np.unique(paths.path, return_index=True)[1]
        row, area = points_inside(paths.start[rows] + shift[rows], standing, tolerance)
        return Spans(rows[row] * areas + area, np.zeros(len(row)), np.ones(len(row)))
    turns = paths.is_turn & ~paths.is_arc & (x != 0.0 or y != 0.0)
    straight, arcs = rows[~paths.is_arc & ~turns], rows[paths.is_arc]
    line = paths.lines(straight)
    found = [
        _by_piece(lines_inside(line._replace(start=line.start + shift[straight]), standing, tolerance), straight, areas)
    ]
    if len(arcs):
        rings = paths.rings(arcs).beside(shift[arcs])
        found.append(_by_piece(rings_inside(rings, standing, tolerance), arcs, areas))
    if turns.any():
        around = np.flatnonzero(turns)
        circling = around_pivot(np.broadcast_to([x, y], (len(around), 2)), paths.turnings(around)).beside(
            paths.start[around]
        )
        found.append(_by_piece(rings_inside(circling, standing, tolerance), around, areas))
    return joined(found)


def _by_piece(spans: Spans, pieces: IntArray, areas: int) -> Spans:
    return spans._replace(row=pieces[spans.row // areas] * areas + spans.row % areas)
