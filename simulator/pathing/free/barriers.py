"""Straight moves of a centre: which of many are barred, and how far rays get.

The base is shrunk to its centre, and obstacles grow by its radius: bases become larger discs, walls become capsules.
The ends of a capsule are discs, too, so a move between two free places is barred if and only if it cuts a disc or
crosses a wall. A coarse grid lists the discs and walls that a stretch of a move can meet.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from simulator.geometry.tolerances import ON_WALL
from simulator.pathing.columns import sorted_once
from simulator.pathing.free.obstacles import Bools, Floats, Ints

#: Positions are rounded to a millionth: a base that touches a wall may be slightly more than that too near to it.
_HAIR_TOO_NEAR = 4e-6
_MOST_CELLS = 1 << 18
#: The number of segments tested together: columns for more do not fit into a processor's cache.
_AT_ONCE = 1 << 13


class Cast(NamedTuple):
    """The length of each ray, and what stops it: a disc's number, the number of discs plus a wall's, or -1."""

    length: Floats
    stopper: Ints


class _Listing(NamedTuple):
    """Numbers by cell: those of cell k are `items[first[k]:first[k + 1]]`."""

    first: Ints
    items: Ints

    def pairs(self, cells: Ints) -> tuple[Ints, Ints]:
        """Return all pairs of a position in `cells` and an item listed there."""
        begin = self.first[cells]
        count = self.first[cells + 1] - begin
        position = np.repeat(np.arange(len(cells)), count)
        skipped = np.cumsum(count) - count
        return position, self.items[np.arange(len(position)) + np.repeat(begin - skipped, count)]


class Barriers:
    """Discs (rows x, y, radius) and walls (rows x1, y1, x2, y2) that a centre may touch but not cut or cross.

    `room` is the radius by which walls have grown; only rays need it, since the discs at the ends of walls have to be
    among the discs. Everything is smaller by `slack`, so that touching does not count. `on_wall` is the distance within
    which a start or goal lies on a wall and may be on either side of it.
    """

    def __init__(
        self, discs: Floats, walls: Floats, room: float, slack: float, on_wall: Floats | float = ON_WALL
    ) -> None:
        self.x, self.y, self.radius = (np.ascontiguousarray(column) for column in discs.T)
        self.walls = walls
        self.ax, self.ay, self.bx, self.by = (np.ascontiguousarray(column) for column in walls.T)
        self.long = np.hypot(self.bx - self.ax, self.by - self.ay)
        self.room, self.slack = room, slack
        self._on_wall = on_wall * self.long
        self._build_grid()

    def _build_grid(self) -> None:
        boxes = np.concatenate(
            [
                np.stack(
                    [self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius], axis=1
                ),
                np.hstack(
                    [np.minimum(self.walls[:, :2], self.walls[:, 2:]), np.maximum(self.walls[:, :2], self.walls[:, 2:])]
                ),
            ]
        )
        if not len(boxes):
            boxes = np.zeros((1, 4))
        low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
        width, height = np.maximum(high - low, 1e-3)
        cell_count = min(max(len(boxes), 1), _MOST_CELLS)
        # A long thin field would get tiny cells, so they stay above a share of its longer side.
        self.cell = float(max(np.sqrt(width * height / cell_count), max(width, height) / cell_count, 0.25 * self.room))
        self.left, self.low = float(low[0]) - self.cell, float(low[1]) - self.cell
        self.columns = int(width / self.cell) + 3
        self.rows = int(height / self.cell) + 3
        margin = self.cell / 2 + 1e-6
        disc_boxes = boxes[: len(self.x)] + np.array([-margin, -margin, margin, margin])
        self._discs_near = self._listing(disc_boxes, np.arange(len(self.x)))
        self._rims_near = self._discs_near
        self._walls_near = self._listing(*self._stretches(margin))
        self._sides_near = self._listing(*self._side_stretches(margin)) if self.room else self._walls_near

    def _side_stretches(self, margin: float) -> tuple[Floats, Ints]:
        """Return the same for the two sides of each wall, as far out as it has grown: there rays run into it."""
        scale = np.where(self.long > 0.0, self.long, 1.0)[:, None]
        out = self.room * np.column_stack([self.ay - self.by, self.bx - self.ax]) / scale
        parts = [self._stretches(margin, np.hstack([side, side])) for side in (out, -out)]
        boxes, whose = zip(*parts, strict=True)
        return np.concatenate(boxes), np.concatenate(whose)

    def _stretches(self, margin: float, shift: Floats | float = 0.0) -> tuple[Floats, Ints]:
        """Return the boxes around stretches of walls no longer than a cell, perhaps shifted, and whose they are."""
        walls = self.walls + shift
        count = np.ceil(self.long / self.cell).astype(np.intp)
        count = np.maximum(count, 1)
        whose = np.repeat(np.arange(len(self.long)), count)
        nth = np.arange(len(whose)) - np.repeat(np.cumsum(count) - count, count)
        begin, end = (nth / count[whose])[:, None], ((nth + 1) / count[whose])[:, None]
        start, step = walls[whose, :2], walls[whose, 2:] - walls[whose, :2]
        one, other = start + begin * step, start + end * step
        return np.hstack([np.minimum(one, other) - margin, np.maximum(one, other) + margin]), whose

    def _listing(self, boxes: Floats, whose: Ints) -> _Listing:
        cells = self.columns * self.rows
        if not len(boxes):
            return _Listing(np.zeros(cells + 1, np.intp), np.zeros(0, np.intp))
        left = np.clip(((boxes[:, 0] - self.left) / self.cell).astype(np.intp), 0, self.columns - 1)
        right = np.clip(((boxes[:, 2] - self.left) / self.cell).astype(np.intp), 0, self.columns - 1)
        low = np.clip(((boxes[:, 1] - self.low) / self.cell).astype(np.intp), 0, self.rows - 1)
        high = np.clip(((boxes[:, 3] - self.low) / self.cell).astype(np.intp), 0, self.rows - 1)
        wide = right - left + 1
        count = wide * (high - low + 1)
        box = np.repeat(np.arange(len(boxes)), count)
        nth = np.arange(len(box)) - np.repeat(np.cumsum(count) - count, count)
        cell = (low[box] + nth // wide[box]) * self.columns + left[box] + nth % wide[box]
        packed = sorted_once(cell * np.intp(len(self.x) + len(self.long) + 1) + whose[box])
        cell, item = np.divmod(packed, len(self.x) + len(self.long) + 1)
        first = np.searchsorted(cell, np.arange(cells + 1))
        return _Listing(first, item)

    def _cell_of(self, x: Floats, y: Floats) -> Ints:
        column = np.minimum(np.maximum((x - self.left) / self.cell, 0.0), self.columns - 1.0).astype(np.intp)
        row = np.minimum(np.maximum((y - self.low) / self.cell, 0.0), self.rows - 1.0).astype(np.intp)
        return row * self.columns + column

    def _over_grid(self, x: Floats, y: Floats, dx: Floats, dy: Floats) -> tuple[Floats, Floats]:
        """Return from which multiple of a step on to which one lines are over the grid; inf to -inf where never.

        Beyond it there is nothing to meet. The grid of a few posts is small, and its cells are so narrow that a line
        across the table has many thousands.
        """
        begin, end = np.full(len(x), -np.inf), np.full(len(x), np.inf)
        for at, step, low, count in ((x, dx, self.left, self.columns), (y, dy, self.low, self.rows)):
            high = low + count * self.cell
            with np.errstate(invalid="ignore", divide="ignore"):
                one, other = (low - at) / step, (high - at) / step
            inside = np.where((at < low) | (at > high), np.inf, -np.inf)
            begin = np.maximum(begin, np.where(step == 0.0, inside, np.minimum(one, other)))
            end = np.minimum(end, np.where(step == 0.0, -inside, np.maximum(one, other)))
        never = begin > end
        return np.where(never, np.inf, begin), np.where(never, -np.inf, end)

    def barred(self, segments: Floats, *, from_contact: bool = False) -> Bools:
        """Return which segments (rows x1, y1, x2, y2) cut a disc or cross a wall.

        With `from_contact` a disc counts only if both ends are outside it: a base that already stands slightly too
        near may leave, but not come nearer.
        """
        if len(segments) <= _AT_ONCE:
            return self._barred(segments, from_contact)
        parts = np.array_split(segments, len(segments) // _AT_ONCE + 1)
        return np.concatenate([self._barred(part, from_contact) for part in parts])

    def _barred(self, segments: Floats, from_contact: bool) -> Bools:
        ax, ay, bx, by = segments.T
        dx, dy = bx - ax, by - ay
        steps = np.ceil(np.maximum(np.abs(dx), np.abs(dy)) / self.cell)
        steps = np.maximum(steps, 1.0)
        length = np.hypot(dx, dy)
        with np.errstate(invalid="ignore", divide="ignore"):
            ux, uy = dx / length, dy / length
        ux, uy = np.where(length > 0.0, ux, 1.0), np.where(length > 0.0, uy, 0.0)
        barred = np.zeros(len(segments), np.bool_)
        x, y, walk_x, walk_y, alive = ax, ay, dx, dy, np.arange(len(segments))
        far = np.flatnonzero(steps > self.columns + self.rows)
        if len(far):
            begin, end = self._over_grid(ax[far], ay[far], dx[far], dy[far])
            begin, end = np.maximum(begin, 0.0), np.minimum(end, 1.0)
            alive = np.delete(alive, far[begin > end])
            begin, share = np.minimum(begin, 1.0), np.maximum(end - begin, 0.0)
            x, y, walk_x, walk_y = x.copy(), y.copy(), dx.copy(), dy.copy()
            x[far], y[far] = ax[far] + begin * dx[far], ay[far] + begin * dy[far]
            walk_x[far], walk_y[far] = share * dx[far], share * dy[far]
            steps[far] = np.maximum(np.ceil(np.maximum(np.abs(walk_x), np.abs(walk_y))[far] / self.cell), 1.0)
        step = 0
        while len(alive):
            middle = (step + 0.5) / steps[alive]
            cells = self._cell_of(x[alive] + middle * walk_x[alive], y[alive] + middle * walk_y[alive])
            at, disc = self._discs_near.pairs(cells)
            one = alive[at]
            to_x, to_y = self.x[disc] - ax[one], self.y[disc] - ay[one]
            along = to_x * ux[one] + to_y * uy[one]
            outside = along - np.minimum(np.maximum(along, 0.0), length[one])
            square = (to_x * uy[one] - to_y * ux[one]) ** 2 + outside * outside
            reach = np.maximum(self.radius[disc] - self.slack, 0.0)
            met = np.flatnonzero(square < reach * reach)
            if from_contact and len(met):
                # Few are met at all, and only for those the distances of their ends matter.
                one, disc, square = one[met], disc[met], square[met]
                from_end = np.hypot(self.x[disc] - bx[one], self.y[disc] - by[one])
                near = np.minimum(self.radius[disc], np.minimum(np.hypot(to_x[met], to_y[met]), from_end))
                reach = np.maximum(near - self.slack, 0.0)
                met = np.flatnonzero(square < reach * reach)
            barred[one[met]] = True
            if len(self.walls):
                at, wall = self._walls_near.pairs(cells)
                left = ~barred[alive[at]]
                one, wall = alive[at[left]], wall[left]
                barred[one[self._crosses(one, wall, ax, ay, bx, by, from_contact)]] = True
            step += 1
            alive = alive[~barred[alive] & (steps[alive] > step)]
        return barred

    def _crosses(
        self, one: Ints, wall: Ints, ax: Floats, ay: Floats, bx: Floats, by: Floats, from_contact: bool
    ) -> Bools:
        px, py, wx, wy = self.ax[wall], self.ay[wall], self.bx[wall], self.by[wall]
        x, y, dx, dy = ax[one], ay[one], bx[one] - ax[one], by[one] - ay[one]
        side_p = dx * (py - y) - dy * (px - x)
        side_q = dx * (wy - y) - dy * (wx - x)
        crosses: Bools = (side_p < 0.0) != (side_q < 0.0)
        met = np.flatnonzero(crosses)
        # Most walls lie on one side of the line: the rest of the work is for those that do not.
        one, wall = one[met], wall[met]
        px, py, wx, wy, x, y = (column[met] for column in (px, py, wx, wy, x, y))
        vx, vy = wx - px, wy - py
        side_a = vx * (y - py) - vy * (x - px)
        side_b = vx * (by[one] - py) - vy * (bx[one] - px)
        if from_contact:
            near = self._on_wall[wall]
            side_a = np.where(np.abs(side_a) <= near, 0.0, side_a)
            side_b = np.where(np.abs(side_b) <= near, 0.0, side_b)
        crosses[met] = side_a * side_b < 0.0
        return crosses

    def list_rims(self, disc: Ints, begin: Floats, extent: Floats) -> None:
        """Set the free arcs of discs: rays from free ground meet discs nowhere else.

        Hundreds of overlapping discs around a finely drawn outline are then not all listed in every cell.
        """
        radius = self.radius[disc]
        count = np.maximum(np.ceil(extent * radius / self.cell), 1.0).astype(np.intp)
        row = np.repeat(np.arange(len(disc)), count)
        nth = np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        step = extent[row] / count[row]
        angle = begin[row] + nth * step
        whose, radius = disc[row], radius[row]
        ends = [
            np.stack([self.x[whose] + radius * np.cos(at), self.y[whose] + radius * np.sin(at)], axis=1)
            for at in (angle, angle + step)
        ]
        # Between its ends a piece of an arc bulges out by less than an eighth of its angle of its length.
        margin = self.cell / 2 + 1e-6 + (radius * step * np.minimum(step, 8.0) / 8.0)[:, None]
        boxes = np.hstack([np.minimum(*ends) - margin, np.maximum(*ends) + margin])
        self._rims_near = self._listing(boxes, whose)

    def cast(self, x: Floats, y: Floats, ux: Floats, uy: Floats, limit: Floats, from_rim: Bools) -> Cast:
        """Follow rays, each up to its limit, until they would enter a disc or a capsule.

        Rays from a free rim meet discs on free rims only; a start may be slightly inside what it touches.
        """
        stride = self.cell / np.maximum(np.maximum(np.abs(ux), np.abs(uy)), 0.5)
        far = np.flatnonzero(limit > (self.columns + self.rows) * stride)
        if not len(far):
            return self._cast(x, y, ux, uy, limit, from_rim, stride)
        begin, end = self._over_grid(x[far], y[far], ux[far], uy[far])
        off, left = np.zeros(len(x)), limit.copy()
        off[far] = np.clip(begin, 0.0, limit[far])
        left[far] = np.maximum(np.minimum(end, limit[far]) - off[far], 0.0)
        found = self._cast(x + off * ux, y + off * uy, ux, uy, left, from_rim, stride)
        return found._replace(length=np.where(found.stopper < 0, limit, off + found.length))

    def _cast(
        self, x: Floats, y: Floats, ux: Floats, uy: Floats, limit: Floats, from_rim: Bools, stride: Floats
    ) -> Cast:
        length = limit.copy()
        stopper = np.full(len(x), -1, np.intp)
        alive = np.flatnonzero(limit > 0.0)
        step = 0
        while len(alive):
            middle = (step + 0.5) * stride[alive]
            cells = self._cell_of(x[alive] + middle * ux[alive], y[alive] + middle * uy[alive])
            if self._rims_near is self._discs_near:
                self._meet_discs(self._discs_near, alive, cells, x, y, ux, uy, length, stopper)
            else:
                rim = from_rim[alive]
                for some, listing in ((rim, self._rims_near), (~rim, self._discs_near)):
                    self._meet_discs(listing, alive[some], cells[some], x, y, ux, uy, length, stopper)
            if len(self.walls):
                self._meet_sides(alive, cells, x, y, ux, uy, length, stopper)
            step += 1
            alive = alive[length[alive] > step * stride[alive]]
        return Cast(length, stopper)

    def _meet_discs(
        self,
        listing: _Listing,
        rays: Ints,
        cells: Ints,
        x: Floats,
        y: Floats,
        ux: Floats,
        uy: Floats,
        length: Floats,
        stopper: Ints,
    ) -> None:
        at, disc = listing.pairs(cells)
        one = rays[at]
        to_x, to_y = self.x[disc] - x[one], self.y[disc] - y[one]
        along = to_x * ux[one] + to_y * uy[one]
        across = to_x * uy[one] - to_y * ux[one]
        reach = np.maximum(self.radius[disc] - self.slack, 0.0)
        inside = reach * reach - across * across
        met = np.flatnonzero((inside > 0.0) & (along > 0.0))
        _shorten(one[met], disc[met], along[met] - np.sqrt(inside[met]), length, stopper)

    def _meet_sides(
        self, rays: Ints, cells: Ints, x: Floats, y: Floats, ux: Floats, uy: Floats, length: Floats, stopper: Ints
    ) -> None:
        at, wall = self._sides_near.pairs(cells)
        long = self.long[wall]
        at, wall, long = at[long > 0.0], wall[long > 0.0], long[long > 0.0]
        one = rays[at]
        vx, vy = (self.bx[wall] - self.ax[wall]) / long, (self.by[wall] - self.ay[wall]) / long
        from_x, from_y = x[one] - self.ax[wall], y[one] - self.ay[wall]
        side = vx * from_y - vy * from_x
        rate = vx * uy[one] - vy * ux[one]
        room = self.room - self.slack
        towards = -np.sign(side) * rate
        with np.errstate(divide="ignore", invalid="ignore"):
            reached = (np.abs(side) - room) / towards
            along = vx * from_x + vy * from_y + reached * (vx * ux[one] + vy * uy[one])
        # A ray that starts slightly too near is stopped immediately and does not slip through.
        touches = np.abs(side) >= room - min(_HAIR_TOO_NEAR, room / 2)
        met = (towards > 0.0) & touches & (along >= 0.0) & (along <= long)
        met = np.flatnonzero(met)
        _shorten(one[met], wall[met] + len(self.x), reached[met], length, stopper)


def _shorten(ray: Ints, what: Ints, reached: Floats, length: Floats, stopper: Ints) -> None:
    """Cut each ray at the first thing that it meets; of two at the same place, the one with the lower number."""
    nearer = np.flatnonzero(reached < length[ray])
    if not len(nearer):
        return
    order = nearer[np.lexsort((what[nearer], reached[nearer], ray[nearer]))]
    first = order[np.flatnonzero(np.diff(ray[order], prepend=-1))]
    length[ray[first]] = np.maximum(reached[first], 0.0)
    stopper[ray[first]] = what[first]
