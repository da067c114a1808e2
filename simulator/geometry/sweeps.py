"""Spans in which one moving thing overlaps one standing thing, for many pairs: closed forms, pair by pair.

Everything is expressed for a moving point, since a thing that moves past another is a point that moves past their sum.
Points move on lines (`MovingPoints`), run round circles (`Rings`), or stay while things fixed to a pivot turn (a ring
around the pivot). The point is tested against a disc-ended strip around a segment (`in_strip`), a convex polygon
(`in_convex`), or an ellipse swept along a segment (`in_swept_oval`).

On a line each of these has one stretch, between the crossings of its borders. On a ring a straight side is crossed
where a cosine has a certain value, a round end likewise, and an ellipse where a quartic in exp(i angle) is 0; all four
roots are used as cuts.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.convex import IntArray, Interval, band, both, disc_interval
from simulator.geometry.pieces import FloatArray
from simulator.geometry.spans import Spans, Turning, between_cuts, middles, turned_at, turned_to, within_bounds
from simulator.geometry.tolerances import ROUNDING


class MovingPoints(NamedTuple):
    """Points that move straight: their starts, rows x, y, and their shifts."""

    start: FloatArray
    step: FloatArray

    def of(self, rows: IntArray) -> MovingPoints:
        """Return some of the rows."""
        return MovingPoints(self.start[rows], self.step[rows])

    def seen(self, origin: FloatArray, angle: FloatArray) -> MovingPoints:
        """Return the same points in frames at places turned by angles, in radians."""
        return MovingPoints(turned_back(self.start - origin, angle), turned_back(self.step, angle))

    def opposite(self) -> MovingPoints:
        """Return the points seen from the other side: what stood still moves, what moved stands still."""
        return MovingPoints(-self.start, -self.step)


class Rings(NamedTuple):
    """Points that run round circles: centres, rows x, y, radii, and the angles that they run through."""

    centre: FloatArray
    radius: FloatArray
    turning: Turning

    def of(self, rows: IntArray) -> Rings:
        """Return some of the rows."""
        return Rings(self.centre[rows], self.radius[rows], self.turning.of(rows))

    def seen(self, origin: FloatArray, angle: FloatArray) -> Rings:
        """Return the same points in frames at places turned by angles, in radians."""
        return Rings(turned_back(self.centre - origin, angle), self.radius, self.turning.ahead(-angle))

    def opposite(self) -> Rings:
        """Return the points seen from the other side: what stood still moves, what moved stands still."""
        return Rings(-self.centre, self.radius, self.turning.ahead(np.pi))

    def beside(self, shift: FloatArray) -> Rings:
        """Return the points that keep a distance from these, shifted without turning."""
        return self._replace(centre=self.centre + shift)

    def places(self, angles: FloatArray) -> FloatArray:
        """Return places at angles [row, number], as [row, number, xy]."""
        ahead = np.stack([np.cos(angles), np.sin(angles)], axis=-1)
        return np.asarray(self.centre[:, None] + self.radius[:, None, None] * ahead)


def turned_back(points: FloatArray, angle: FloatArray) -> FloatArray:
    """Return points, rows x, y, in frames turned by angles; rows of several points may have one angle each."""
    cos, sin = np.cos(angle), np.sin(angle)
    x, y = points[..., 0], points[..., 1]
    return np.stack([cos * x + sin * y, cos * y - sin * x], axis=-1)


def around_pivot(points: FloatArray, turning: Turning) -> Rings:
    """Return points that turn about (0, 0)."""
    bearing = np.arctan2(points[:, 1], points[:, 0])
    return Rings(np.zeros_like(points), np.hypot(*points.T), turning.ahead(bearing))


def strip_interval(lines: MovingPoints, rho: FloatArray, segments: FloatArray, slack: float = 0.0) -> Interval:
    """Return the interval of each line, in shares, that is nearer to a segment than `rho`; (inf, -inf) if empty."""
    (px, py), (x1, y1, x2, y2) = lines.start.T, segments.T
    far = np.hypot(*lines.step.T)
    still = far <= ROUNDING
    scale = np.where(still, 1.0, far)
    ux, uy = np.where(still, 1.0, lines.step[:, 0] / scale), np.where(still, 0.0, lines.step[:, 1] / scale)
    long = np.hypot(x2 - x1, y2 - y1)
    is_spot = long == 0.0
    measure = np.where(is_spot, 1.0, long)
    ex, ey = np.where(is_spot, 1.0, (x2 - x1) / measure), (y2 - y1) / measure
    off, off_rate = ex * (py - y1) - ey * (px - x1), ex * uy - ey * ux
    along, along_rate = ex * (px - x1) + ey * (py - y1), ex * ux + ey * uy
    first, last = both(band(off, off_rate, -rho, rho), band(along, along_rate, 0.0, long))
    for x, y in ((x1, y1), (x2, y2)):
        begin, end = disc_interval(px - x, py - y, ux, uy, rho, slack)
        first, last = np.minimum(first, begin), np.maximum(last, end)
    # A point at rest is either in the strip all the time or never.
    inside = (first < 0.0) & (last > 0.0)
    first = np.where(still, np.where(inside, -np.inf, np.inf), first / scale)
    last = np.where(still, np.where(inside, np.inf, -np.inf), last / scale)
    none = rho <= 0.0
    return np.where(none, np.inf, first), np.where(none, -np.inf, last)


def line_in_strip(lines: MovingPoints, rho: FloatArray, segments: FloatArray) -> Spans:
    """Find where points on lines are nearer to segments than `rho`."""
    return within_bounds(*strip_interval(lines, rho, segments))


def ring_in_strip(rings: Rings, rho: FloatArray, segments: FloatArray) -> Spans:
    """Find where points on rings are nearer to segments than `rho`.

    The distance passes `rho` only where the ring crosses the circle around an end or a line beside the segment.
    """
    half = (segments[:, 2:] - segments[:, :2]) / 2
    room = rho + np.hypot(*half.T)
    away = np.abs(np.hypot(*(segments[:, :2] + half - rings.centre).T) - rings.radius)
    near = np.flatnonzero((away < room) & (rho > 0.0))
    (centre, radius, turning), rho, segments = rings.of(near), rho[near], segments[near]
    start = segments[:, :2]
    along, long = _directions(segments)
    across = np.column_stack([-along[:, 1], along[:, 0]])
    scale = np.where(radius > 0.0, radius, 1.0)
    cuts = []
    for corner in (start, segments[:, 2:]):
        gap = corner - centre
        apart = np.hypot(*gap.T)
        twice = 2.0 * scale * apart
        cosine = (radius**2 + apart**2 - rho**2) / np.where(twice > 0.0, twice, 1.0)
        cuts.append((np.arctan2(gap[:, 1], gap[:, 0]), np.where(twice > 0.0, cosine, 2.0)))
    offset = np.sum(across * (centre - start), axis=1)
    heading = np.arctan2(across[:, 1], across[:, 0])
    cuts += [(heading, (level - offset) / scale) for level in (-rho, rho)]
    turned = turned_at(turning, cuts)
    point = rings.of(near).places(middles(turning, turned))
    lead = np.clip(np.sum((point - start[:, None]) * along[:, None], axis=2), 0.0, long[:, None])
    off = point - start[:, None] - lead[:, :, None] * along[:, None]
    return between_cuts(turned, np.hypot(off[..., 0], off[..., 1]) < rho[:, None]).renumbered(near)


class HalfPlanes(NamedTuple):
    """Convex polygons as half-planes, one polygon a row: outward normals [row, side, xy] and levels [row, side]."""

    normals: FloatArray
    levels: FloatArray


def line_in_convex(lines: MovingPoints, planes: HalfPlanes, margin: FloatArray | float) -> Spans:
    """Find where points on lines lie deeper in convex polygons than a margin."""
    room = planes.levels - np.einsum("rsk,rk->rs", planes.normals, lines.start) - np.reshape(margin, (-1, 1))
    rates = np.einsum("rsk,rk->rs", planes.normals, lines.step)
    # A side at constant distance, up to rounding, is not crossed.
    level = np.abs(rates) <= ROUNDING
    share = room / np.where(level, 1.0, rates)
    shut = np.any(level & (room <= 0.0), axis=1)
    first = np.max(np.where(~level & (rates < 0.0), share, -np.inf), axis=1)
    last = np.min(np.where(~level & (rates > 0.0), share, np.inf), axis=1)
    return within_bounds(np.where(shut, np.inf, first), np.where(shut, -np.inf, last))


def ring_in_convex(rings: Rings, planes: HalfPlanes, margin: FloatArray | float) -> Spans:
    """Find where points on rings lie deeper in convex polygons than a margin."""
    turning, radius = rings.turning, np.where(rings.radius > 0.0, rings.radius, 1.0)
    room = planes.levels - np.einsum("rsk,rk->rs", planes.normals, rings.centre) - np.reshape(margin, (-1, 1))
    heading = np.arctan2(planes.normals[..., 1], planes.normals[..., 0])
    # The deepest point of each ring relative to each side: opposite to its normal, or at an end.
    begin, sweep = turning.begin[:, None], turning.sweep[:, None]
    opposite = np.mod(np.sign(sweep) * (heading + np.pi - begin), 2.0 * np.pi) <= np.abs(sweep)
    ends = np.minimum(np.cos(begin - heading), np.cos(begin + sweep - heading))
    least = rings.radius[:, None] * np.where(opposite, -1.0, ends)
    near = np.flatnonzero(np.all(least < room, axis=1))
    turning, room, radius, heading = turning.of(near), room[near], radius[near], heading[near]
    sides = range(planes.levels.shape[1])
    turned = turned_at(turning, [(heading[:, k], room[:, k] / radius) for k in sides])
    angles = middles(turning, turned)
    inside = np.ones(angles.shape, np.bool_)
    for k in sides:
        inside &= rings.radius[near, None] * np.cos(angles - heading[:, k, None]) < room[:, k, None]
    return between_cuts(turned, inside).renumbered(near)


def sum_with_segments(corners: FloatArray, segments: FloatArray) -> HalfPlanes:
    """Return the places of the reference point of a convex polygon at which it overlaps segments."""
    normals, levels = _sides(corners)
    ends = segments.reshape(-1, 2, 2)
    own = levels - np.min(np.einsum("sk,rjk->rsj", normals, ends), axis=2)
    along, long = _directions(segments)
    across = np.column_stack([-along[:, 1], along[:, 0]])
    line = np.sum(across * segments[:, :2], axis=1)
    # Not a product of matrices, which rounds by what else is in them.
    beside = across[:, :1] * corners[:, 0] + across[:, 1:] * corners[:, 1]
    both_sides = np.stack([line - beside.min(axis=1), beside.max(axis=1) - line], axis=1)
    # A single point has no sides of its own.
    both_sides[long == 0.0] = np.inf
    facing = np.stack([across, -across], axis=1)
    planes = np.broadcast_to(-normals, (len(segments), *normals.shape))
    return HalfPlanes(np.concatenate([planes, facing], axis=1), np.concatenate([own, both_sides], axis=1))


def planes_of(corners: FloatArray, count: int) -> HalfPlanes:
    """Return one convex polygon as half-planes, for `count` rows."""
    normals, levels = _sides(corners)
    return HalfPlanes(np.broadcast_to(normals, (count, *normals.shape)), np.broadcast_to(levels, (count, len(levels))))


def turn_of_convex(corners: FloatArray, turning: Turning, segments: FloatArray, margin: float) -> Spans:
    """Find where convex polygons that turn about (0, 0) overlap segments deeper than a margin.

    `turning` begins at the headings. Two convex things overlap if they do along each normal of a side. Along each such
    normal the overlap is the largest of two or more sines of the angle turned, so it passes the margin at known angles.
    """
    normals, levels = _sides(corners)
    ends = segments.reshape(-1, 2, 2)
    far, bearing = np.hypot(ends[..., 0], ends[..., 1]), np.arctan2(ends[..., 1], ends[..., 0])
    facing = np.arctan2(normals[:, 1], normals[:, 0])
    along, long = _directions(segments)
    across = np.column_stack([-along[:, 1], along[:, 0]])
    line, square = np.sum(across * segments[:, :2], axis=1), np.arctan2(across[:, 1], across[:, 0])
    reach, azimuth = np.hypot(*corners.T), np.arctan2(corners[:, 1], corners[:, 0])
    is_line = long > 0.0
    cuts = []
    for side, level in zip(facing.tolist(), levels.tolist(), strict=True):
        for end in (0, 1):
            cosine = np.where(far[:, end] > 0.0, (level - margin) / np.where(far[:, end] > 0.0, far[:, end], 1.0), 2.0)
            cuts.append((bearing[:, end] - side, cosine))
    for length, angle in zip(reach.tolist(), azimuth.tolist(), strict=True):
        for shift in (margin, -margin):
            cosine = (line + shift) / length if length else np.full(len(line), 2.0)
            cuts.append((square - angle, np.where(is_line, cosine, 2.0)))
    turned = turned_at(turning, cuts)
    headings = middles(turning, turned)
    inside = np.ones(headings.shape, np.bool_)
    for side, level in zip(facing.tolist(), levels.tolist(), strict=True):
        lead = far[:, None] * np.cos(bearing[:, None] - side - headings[..., None])
        inside &= level - lead.min(axis=2) > margin
    beyond = [length * np.cos(headings + angle - square[:, None]) for length, angle in zip(reach, azimuth, strict=True)]
    highest, lowest = np.max(beyond, axis=0), np.min(beyond, axis=0)
    inside &= ((highest - line[:, None] > margin) & (line[:, None] - lowest > margin)) | ~is_line[:, None]
    return between_cuts(turned, inside)


def segments_in_oval(first: Rings, second: Rings, axes: tuple[FloatArray, FloatArray]) -> Spans:
    """Find where segments whose two ends run round rings overlap an ellipse around (0, 0) with its axes along x and y.

    Both ends of a segment turn by the same angles. In the plane where the ellipse is the unit disc, the segment comes
    within 1 of the centre only where an end crosses the circle or the line through both touches it. Each condition is
    a sum of cosines and sines of the angle and its double.
    """
    a, b = axes
    turning = first.turning
    lead = second.turning.begin - turning.begin
    one, other = _harmonics(first, np.zeros(len(lead)), axes), _harmonics(second, lead, axes)
    cuts = [*_zeros(_add_number(_square_sum(one), -1.0)), *_zeros(_add_number(_square_sum(other), -1.0))]
    # The line through both ends is as far from the centre as their cross product over their distance.
    gap = one[0] - other[0], one[1] - other[1]
    cross = _product(one[0], other[1]) - _product(one[1], other[0])
    # The second harmonics of the cross product cancel: one ring is the other, shifted and turned.
    square = _product(cross[:, 1:4], cross[:, 1:4]) - _square_sum(gap)
    cuts += _zeros(square)
    turned = turned_to(turning, cuts)
    angles = middles(turning, turned)
    scale = np.stack([a, b], axis=1)[:, None]
    ends = first.places(angles) / scale, second.places(angles + lead[:, None]) / scale
    return between_cuts(turned, far_from_origin(*ends) < 1.0)


def turn_of_oval(axes: tuple[FloatArray, FloatArray], turning: Turning, segments: FloatArray) -> Spans:
    """Find where ellipses that turn about their middles at (0, 0) overlap segments. `turning` begins at the headings.

    An end at a distance d is in the ellipse where d**2 ((cos / a)**2 + (sin / b)**2) < 1, a line at that distance
    touches it where (a cos)**2 + (b sin)**2 = d**2: both determine the square of a cosine.
    """
    along, across = axes
    unit, _ = _directions(segments)
    square = np.column_stack([-unit[:, 1], unit[:, 0]])
    ends = segments.reshape(-1, 2, 2)
    squares = [(np.sum(square * ends[:, 0], axis=1) ** 2 - across**2, along**2 - across**2, square)]
    for point in (ends[:, 0], ends[:, 1]):
        far = np.sum(point**2, axis=1)
        squares.append((along**2 * (far - across**2), far * (along**2 - across**2), point))
    angles = []
    for over, under, direction in squares:
        cosine = over / np.where(under != 0.0, under, 1.0)
        there = (cosine >= 0.0) & (cosine <= 1.0) & (under != 0.0)
        apart = np.where(there, np.arccos(np.sqrt(np.clip(cosine, 0.0, 1.0))), np.nan)
        bearing = np.arctan2(direction[:, 1], direction[:, 0])
        angles += [bearing + half + side * apart for half in (0.0, np.pi) for side in (-1.0, 1.0)]
    turned = turned_to(turning, angles)
    facing = middles(turning, turned)
    seen = turned_back(ends[:, None], facing[:, :, None]) / np.stack(axes, axis=1)[:, None, None]
    return between_cuts(turned, far_from_origin(seen[:, :, 0], seen[:, :, 1]) < 1.0)


def line_in_swept_oval(lines: MovingPoints, segments: FloatArray, axes: tuple[FloatArray, FloatArray]) -> Spans:
    """Find where shifted ellipses, their axes along x and y, overlap segments: discs and strips when stretched."""
    scale = np.stack(axes, axis=1)
    seen = MovingPoints(lines.start / scale, lines.step / scale)
    return line_in_strip(seen, np.ones(len(segments)), segments / np.tile(scale, 2))


def line_across(lines: MovingPoints, segments: FloatArray, tolerance: float) -> Spans:
    """Find where points on lines get from one side of segments to the other; stretches of no length.

    The ends of a segment belong to it. A point within the tolerance of the other side has not crossed.
    """
    along, long = _directions(segments)
    from_start = lines.start - segments[:, :2]
    off = along[:, 0] * from_start[:, 1] - along[:, 1] * from_start[:, 0]
    rate = along[:, 0] * lines.step[:, 1] - along[:, 1] * lines.step[:, 0]
    across = (np.minimum(off, off + rate) < -tolerance) & (np.maximum(off, off + rate) > tolerance) & (long > 0.0)
    share = np.where(across, -off / np.where(across, rate, 1.0), 0.0)
    foot = np.sum((from_start + share[:, None] * lines.step) * along, axis=1)
    row = np.flatnonzero(across & (foot >= -tolerance) & (foot <= long + tolerance))
    return Spans(row, share[row], share[row])


def ring_across(rings: Rings, segments: FloatArray, tolerance: float) -> Spans:
    """Find where points on rings get from one side of segments to the other, as on lines."""
    along, long = _directions(segments)
    across = np.column_stack([-along[:, 1], along[:, 0]])
    offset = np.sum(across * (rings.centre - segments[:, :2]), axis=1)
    radius = np.where(rings.radius > 0.0, rings.radius, 1.0)
    heading = np.arctan2(across[:, 1], across[:, 0])
    turned = turned_at(rings.turning, [(heading, (level - offset) / radius) for level in (-tolerance, 0.0, tolerance)])
    off = offset[:, None] + rings.radius[:, None] * np.cos(middles(rings.turning, turned) - heading[:, None])
    side = np.where(turned[:, 1:] - turned[:, :-1] > 0.0, (off > tolerance).astype(np.intp) - (off < -tolerance), 0)
    # The side that was last clear of the line, at each part; a crossing is a part clear on the other side.
    parts = np.arange(side.shape[1])
    last = np.maximum.accumulate(np.where(side != 0, parts, -1), axis=1)
    before = np.concatenate([np.full((len(side), 1), -1), last[:, :-1]], axis=1)
    was = np.where(before >= 0, np.take_along_axis(side, np.maximum(before, 0), axis=1), 0)
    row, part = np.nonzero((side * was < 0) & (long > 0.0)[:, None])
    # Between both clear parts the line itself is the cut in the middle.
    near = turned[row, before[row, part] + 1]
    turn = (near + turned[row, part]) / 2
    angle = rings.turning.begin[row] + np.sign(rings.turning.sweep[row]) * turn
    place = rings.centre[row] + rings.radius[row, None] * np.column_stack([np.cos(angle), np.sin(angle)])
    foot = np.sum((place - segments[row, :2]) * along[row], axis=1)
    kept = (foot >= -tolerance) & (foot <= long[row] + tolerance)
    share = turn[kept] / np.abs(rings.turning.sweep[row[kept]])
    return Spans(row[kept], share, share)


# -- small parts --------------------------------------------------------------------------------------------


def _directions(segments: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return unit directions of segments, and their lengths; for a single point, the direction of x."""
    step = segments[:, 2:] - segments[:, :2]
    long = np.hypot(*step.T)
    scale = np.where(long > 0.0, long, 1.0)[:, None]
    return np.where(long[:, None] > 0.0, step / scale, [1.0, 0.0]), long


def _sides(corners: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return the outward normals of a convex polygon's sides, and their distances."""
    step = np.roll(corners, -1, axis=0) - corners
    normals = np.column_stack([step[:, 1], -step[:, 0]]) / np.hypot(*step.T)[:, None]
    return normals, np.sum(normals * corners, axis=1)


def far_from_origin(one: FloatArray, other: FloatArray) -> FloatArray:
    """Return the distances of segments between two points each from (0, 0)."""
    step = other - one
    square = np.sum(step * step, axis=-1)
    lead = np.clip(-np.sum(one * step, axis=-1) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    nearest = one + lead[..., None] * step
    return np.asarray(np.hypot(nearest[..., 0], nearest[..., 1]))


# Sums of harmonics in z = exp(i angle) are rows of complex factors: of z**-1, 1, z, or of z**-2 to z**2.
Harmonics = NDArray[np.complex128]


def _harmonics(rings: Rings, lead: FloatArray, axes: tuple[FloatArray, FloatArray]) -> tuple[Harmonics, Harmonics]:
    """Return both coordinates on a ring by the angle of the first ring, scaled so that the ellipse is the unit disc."""
    ahead: NDArray[np.complex128] = rings.radius * np.exp(1j * lead) / 2.0
    (cx, cy), (a, b) = rings.centre.T, axes
    x: Harmonics = np.stack([ahead.conj(), cx.astype(np.complex128), ahead], axis=1)
    y: Harmonics = np.stack([1j * ahead.conj(), cy.astype(np.complex128), -1j * ahead], axis=1)
    return np.asarray(x / a[:, None]), np.asarray(y / b[:, None])


def _product(one: Harmonics, other: Harmonics) -> Harmonics:
    found = np.zeros((len(one), 5), np.complex128)
    for k in range(3):
        found[:, k : k + 3] += one[:, k, None] * other
    return found


def _square_sum(pair: tuple[Harmonics, Harmonics]) -> Harmonics:
    return _product(pair[0], pair[0]) + _product(pair[1], pair[1])


def _add_number(harmonics: Harmonics, number: float) -> Harmonics:
    return np.asarray(harmonics + np.array([0.0, 0.0, number, 0.0, 0.0]))


def _zeros(harmonics: Harmonics) -> list[FloatArray]:
    """Return four angles for each row, including all zeros of a real sum of harmonics up to the second.

    The zeros are the roots of a quartic on the unit circle. A double root may be computed slightly off it, so the
    angles of all roots are returned. The quartic is self-reciprocal (1 / z for z leaves it unchanged), so if the second
    harmonic is negligible, its tiny leading factor only moves two roots far out and close to 0, and the others count.
    """
    size = np.abs(harmonics).max(axis=1, keepdims=True)
    factors = harmonics / np.where(size > 0.0, size, 1.0)
    leading = factors[:, 4].copy()
    small = np.abs(leading) < 1e-13
    leading[small] = 1e-13
    companion = np.zeros((len(factors), 4, 4), np.complex128)
    companion[:, [1, 2, 3], [0, 1, 2]] = 1.0
    companion[:, :, 3] = -factors[:, :4] / leading[:, None]
    roots = np.linalg.eigvals(companion)
    angles = np.angle(roots)
    return [_polished(factors, angles[:, k]) for k in range(4)]


def _polished(factors: Harmonics, angles: FloatArray) -> FloatArray:
    """Return angles refined towards the nearest zeros by three Newton steps of limited size."""
    orders = np.arange(-2, 3)
    for _ in range(3):
        waves = factors * np.exp(1j * angles[:, None] * orders)
        value, slope = waves.sum(axis=1).real, (1j * orders * waves).sum(axis=1).real
        steep = np.abs(slope) > 1e-9
        step = np.where(steep, -value / np.where(steep, slope, 1.0), 0.0)
        angles = angles + np.where(np.abs(step) < 1e-4, step, 0.0)
    return angles


# -- any motion ---------------------------------------------------------------------------------------------

Sweep = MovingPoints | Rings


def box_of_sweep(path: Sweep) -> FloatArray:
    """Return the box around the way of each point, rows min x, min y, max x, max y."""
    if isinstance(path, MovingPoints):
        end = path.start + path.step
        return np.hstack([np.minimum(path.start, end), np.maximum(path.start, end)])
    # The extremes of a ring are at one of its ends, or along an axis if it passes there.
    ahead, sweep = path.turning, np.abs(path.turning.sweep)
    ends = path.places(np.stack([ahead.begin, ahead.begin + ahead.sweep], axis=1))
    low, high = ends.min(axis=1), ends.max(axis=1)
    for quarter, (axis, far) in enumerate(((0, high), (1, high), (0, low), (1, low))):
        comes_by = np.mod(np.sign(ahead.sweep) * (quarter * np.pi / 2 - ahead.begin), 2.0 * np.pi) <= sweep
        sign = 1.0 if quarter < 2 else -1.0
        far[:, axis] = np.where(comes_by, path.centre[:, axis] + sign * path.radius, far[:, axis])
    return np.hstack([low, high])


def in_strip(path: Sweep, rho: FloatArray, segments: FloatArray) -> Spans:
    """Find where points are nearer to segments than `rho`."""
    return line_in_strip(path, rho, segments) if isinstance(path, MovingPoints) else ring_in_strip(path, rho, segments)


def in_convex(path: Sweep, planes: HalfPlanes, margin: FloatArray | float) -> Spans:
    """Find where points lie deeper in convex polygons than a margin."""
    return (
        line_in_convex(path, planes, margin) if isinstance(path, MovingPoints) else ring_in_convex(path, planes, margin)
    )


def across(path: Sweep, segments: FloatArray, tolerance: float) -> Spans:
    """Find where points get from one side of segments to the other."""
    if isinstance(path, MovingPoints):
        return line_across(path, segments, tolerance)
    return ring_across(path, segments, tolerance)
