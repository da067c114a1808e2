"""Several movers of one kind as one: their spaces, ground, raster and bins, asked row by row.

A search works on arrays of states and legs. What it needs of a space is the same for each of them, or a number of the
mover: what it may spend, which of all the bars bar its way, what an inch costs it. So a search for many movers is that
for one, asked with the mover of each row. What a row is answered does not depend on the rows beside.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import ClassVar, TypeVar

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray, Solid
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import pick
from simulator.pathing.posed.bins import PoseBins
from simulator.pathing.posed.compared import solid_key, value_key
from simulator.pathing.posed.ground import PricedGround, as_sets
from simulator.pathing.posed.lower_prices import Grids, LowerPrices
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.states import PoseStates
from simulator.pathing.posed.toll_table import TollTable
from simulator.pathing.posed.tolls_as_one import TollsAsOne

#: In these the spaces of one kind may differ. Any other field of `PoseSpace` has to be the same.
_OWN = {
    *("starts", "budget", "ground", "bars", "no_end", "more_than", "most_travelled"),
    *("above", "links", "touch", "placings", "far_from", "tolls"),
}
#: The same of `PricedGround`.
_OWN_OF_GROUND = {"rate", "cheap", "least_off_cheap", "barred"}

_Asked = TypeVar("_Asked", bound="SpacesAsOne | GroundsAsOne | LowerPricesAsOne")


def kind_of(space: PoseSpace, lower: LowerPrices) -> tuple[object, ...]:
    """Return what two spaces on one level have to have in common in order to be searched as one."""
    ground = space.ground
    own = [getattr(space, one.name) for one in fields(PoseSpace) if one.name not in _OWN]
    price = [getattr(ground, one.name) for one in fields(PricedGround) if one.name not in _OWN_OF_GROUND]
    known = (type(space), type(ground), space.binding, bool(space.tolls), lower.cell)
    return *known, *map(value_key, own), *map(value_key, price)


def _asked(whole: _Asked, rows: IntArray) -> _Asked:
    """The same with one of several for each row that will be asked about."""
    view = copy(whole)
    vars(view)["rows"] = rows
    return view


@dataclass(frozen=True, eq=False)
class GroundsAsOne(PricedGround):
    """The same areas with a rule for each mover; movers may share one."""

    grounds: tuple[PricedGround, ...] = ()  #: by rule
    rule: IntArray = field(default_factory=lambda: np.zeros(0, np.intp))  #: the number of the rule of each mover
    rows: IntArray = field(default_factory=lambda: np.zeros(0, np.intp))  #: the number of the mover of each leg

    @classmethod
    def of(cls, grounds: Sequence[PricedGround]) -> GroundsAsOne:
        """Join grounds that differ by their rules alone."""
        first = {one.name: getattr(grounds[0], one.name) for one in fields(PricedGround)}
        keys = [value_key((ground.rate, ground.barred)) for ground in grounds]
        rules = list(dict.fromkeys(keys))
        by_rule = tuple(grounds[keys.index(rule)] for rule in rules)
        found = cls(**first, grounds=by_rule, rule=np.array([rules.index(key) for key in keys], np.intp))
        # What is known of one view is known of all.
        shared = ("_known_rows", "_combinations", "_rates_in_order", "_barred_in_order")
        vars(found).update(
            standing=grounds[0].standing,
            crossings=grounds[0].crossings,
            **{name: getattr(found, name) for name in shared},
        )
        return found

    def _numbers(self, under: BoolArray, climbed: BoolArray, leg: IntArray) -> IntArray:
        whose = np.eye(len(self.grounds), dtype=np.bool_)[self.rule[self.rows[leg]]]
        return self._numbers_of_rows(np.hstack([under, climbed, whose]))

    def _new_number(self, row: BoolArray) -> int:
        rules = len(self.grounds)
        own = self.grounds[int(row[-rules:].argmax())]
        self._combinations.append(own.combination(own.number(*as_sets(row[:-rules]))))
        return len(self._combinations) - 1


@dataclass(frozen=True, eq=False)
class SpacesAsOne(PoseSpace):
    """Spaces of one kind on one level each: all that bars one of them, or its ends alone, stands once."""

    spaces: tuple[PoseSpace, ...] = ()
    rows: IntArray = field(default_factory=lambda: np.zeros(0, np.intp))  #: the number of the space of each row

    _starts_somewhere: ClassVar[bool] = False

    @classmethod
    def of(cls, spaces: Sequence[PoseSpace]) -> SpacesAsOne:
        """Join spaces of one kind, see `kind_of`."""
        first = {one.name: getattr(spaces[0], one.name) for one in fields(PoseSpace)}
        bars, barred = _each_once([space.bars for space in spaces])
        no_end, not_ended_on = _each_once([space.no_end for space in spaces])
        first.update(bars=bars, no_end=no_end, ground=GroundsAsOne.of([space.ground for space in spaces]))
        found = cls(**first, spaces=tuple(spaces))
        vars(found).update(binding=spaces[0].binding, _barred=barred, _not_ended_on=not_ended_on)
        # Computed before there are views, which share it.
        shared = [
            "directions",
            "least_factor",
            "bars_standing",
            "no_end_standing",
            "least_rate",
            "_limits",
            "_tolls_as_one",
        ]
        vars(found).update({name: getattr(found, name) for name in shared})
        return found

    @cached_property
    def _barred(self) -> BoolArray | None:
        """Which bars each space has, an array [space, bar]; None: each has all."""
        return None

    @cached_property
    def _not_ended_on(self) -> BoolArray | None:
        """The same of what bars ends alone."""
        return None

    @cached_property
    def _limits(self) -> FloatArray:
        """By space: the budget, the most that legs may cost, and how long a leg may be; rows."""
        most = [np.inf if space.most_travelled is None else float(space.most_travelled) for space in self.spaces]
        across = [space.across for space in self.spaces]
        return np.array([[float(space.budget) for space in self.spaces], most, across])

    def by(self, rows: IntArray) -> SpacesAsOne:
        """Return the space for questions about rows, each by the number of its space."""
        view = _asked(self, rows)
        vars(view)["ground"] = _asked(self.ground, rows)  # type: ignore[type-var]
        if self.tolls:
            vars(view)["toll_table"] = self._tolls_as_one.by(rows)
        return view

    @cached_property
    def _tolls_as_one(self) -> TollsAsOne:
        return TollsAsOne.of([space.toll_table for space in self.spaces])

    @cached_property
    def toll_table(self) -> TollTable:
        """The tolls on the level as a search takes them."""
        return self._tolls_as_one

    # --- by row ---

    def by_rows(self, rows: IntArray) -> SpacesAsOne:
        """Return the space for questions about some of the rows."""
        return self.by(self.rows[rows])

    def kind_of_rows(self, count: int) -> IntArray:
        """Return the numbers of the spaces of rows."""
        return self.rows[:count]

    @property
    def meets(self) -> BoolArray | None:
        """Which of the bars bar the legs that are asked about, an array [leg, bar]."""
        return None if self._barred is None else self._barred[self.rows]

    @property
    def meets_at_ends(self) -> BoolArray | None:
        """Which of what bars ends alone bars those that are asked about, an array [end, thing]."""
        return None if self._not_ended_on is None else self._not_ended_on[self.rows]

    def can_pay(self, prices: FloatArray) -> BoolArray:
        """Find which prices of whole moves the budgets pay for."""
        return np.asarray(prices <= self._limits[0, self.rows] + SLACK)

    def may_travel(self, travelled: FloatArray) -> BoolArray:
        """Find what may be spent on the legs of whole moves."""
        return np.asarray(travelled <= self._limits[1, self.rows] + SLACK)

    def left_for_legs(self, paid: FloatArray, travelled: FloatArray) -> FloatArray:
        """Compute what may still be spent on a leg."""
        budget, most, _ = self._limits[:, self.rows]
        return np.asarray(np.maximum(np.minimum(budget - paid, most - travelled), 0.0))

    def longest_legs(self, left: FloatArray, mode: IntArray, covered: FloatArray) -> FloatArray:
        """Compute how long legs may be at most for what is left, on the cheapest ground."""
        longest = np.minimum(self.inches_on_cheapest(left, mode), self._limits[2, self.rows])
        return np.asarray(np.minimum(longest, self.inches_left(covered)))


@dataclass(frozen=True, eq=False)
class LowerPricesAsOne(LowerPrices):
    """Rasters of several movers with cells of one width."""

    rasters: tuple[LowerPrices, ...] = ()
    rows: IntArray = field(default_factory=lambda: np.zeros(0, np.intp))  #: the number of the raster of each leg

    @classmethod
    def of_several(cls, rasters: Sequence[LowerPrices]) -> LowerPricesAsOne:
        """Join rasters."""
        first = rasters[0]
        found = cls(first.space, first.corner, first.cell, first.rates, first.shut, first.known, rasters=tuple(rasters))
        vars(found)["_by_raster"] = found._by_raster
        return found

    @cached_property
    def _by_raster(self) -> Grids:
        shapes = np.array([one.rates.shape for one in self.rasters])
        sizes = shapes.prod(axis=1)
        rates = np.concatenate([one.rates.ravel() for one in self.rasters])
        return Grids(np.array([one.corner for one in self.rasters]), shapes - 1, np.cumsum(sizes) - sizes, rates)

    def by(self, rows: IntArray) -> LowerPricesAsOne:
        """Return the raster for questions about legs, each by the number of its raster."""
        return _asked(self, rows)

    def by_rows(self, rows: IntArray) -> LowerPricesAsOne:
        """Return the raster for questions about some of the rows."""
        return self.by(self.rows[rows])

    def rates_of(self, space: PoseSpace, states: PoseStates) -> FloatArray:
        """Compute what turns are multiplied by at states on this ground, see `states.rates_of`."""
        if not space.turns.times_rate:
            return np.ones(len(states.price))
        found = np.empty(len(states.price))
        for number in np.unique(self.rows).tolist():
            row = np.flatnonzero(self.rows == number)
            found[row] = self.rasters[number].rates_of(space.by_rows(row), pick(states, row))
        return found

    def rates_at(self, places: FloatArray) -> FloatArray:
        """Return the rates of the cells that places lie in."""
        found = np.empty(len(places))
        for number in np.unique(self.rows).tolist():
            row = np.flatnonzero(self.rows == number)
            found[row] = self.rasters[number].rates_at(places[row])
        return found

    def _grids(self, legs: int) -> Grids:
        corner, most, first, rates = self._by_raster
        rows = self.rows[:legs]
        return Grids(corner[rows], most[rows], first[rows], rates)


def _each_once(things: Sequence[Sequence[Solid]]) -> tuple[tuple[Solid, ...], BoolArray | None]:
    """Return the things of several spaces, each once, and which each space has, an array [space, thing]; None: all."""
    every: dict[object, Solid] = {}
    for some in things:
        for thing in some:
            every.setdefault(solid_key(thing), thing)
    number = {key: at for at, key in enumerate(every)}
    found = np.zeros((len(things), len(every)), np.bool_)
    for row, some in zip(found, things, strict=True):
        row[[number[solid_key(thing)] for thing in some]] = True
    return tuple(every.values()), None if found.all() else found


class BinsAsOne(PoseBins):
    """Bins of several movers, each with cells of its own."""

    def __init__(self, mesh: float, spaces: Sequence[PoseSpace]) -> None:
        super().__init__(mesh, spaces[0], spaces[0].window, spaces[0].middle)
        alone = [PoseBins.grid(mesh, space.window, space.middle) for space in spaces]
        self._meshes = np.array([one for one, _, _ in alone])
        self._corners = np.array([corner for _, corner, _ in alone])
        self._shapes = np.array([shape for _, _, shape in alone])
        #: By axis the corner, the last cell, and how many cells lie between one and the next.
        self._axes = [
            (self._corners[:, 0].copy(), self._shapes[:, 0] - 1, self._shapes[:, 1].copy()),
            (self._corners[:, 1].copy(), self._shapes[:, 1] - 1, None),
        ]
        sizes = self._shapes.prod(axis=1)
        self._first = np.cumsum(sizes) - sizes
        self._row = np.zeros(int(sizes.sum()), np.int32)

    def off_middle(self, place: FloatArray, mover: IntArray) -> FloatArray:
        """Compute how far places are from the middles of their cells, in widths of a cell."""
        share = np.mod((place - self._corners[mover]) / self._meshes[mover, None], 1.0) - 0.5
        return np.asarray(np.hypot(share[:, 0], share[:, 1]))

    def movers_of(self, cells: IntArray) -> IntArray:
        """Return the numbers of the movers that cells belong to."""
        return np.asarray(np.searchsorted(self._first, cells, side="right") - 1)

    def cells(self, place: FloatArray, mover: IntArray) -> IntArray:
        """Return the cells that places lie in, each of a mover by its number."""
        found: IntArray = self._first.take(mover)
        mesh = self._meshes[0] if np.all(self._meshes == self._meshes[0]) else self._meshes.take(mover)
        for axis, (corner, last, apart) in enumerate(self._axes):
            off = place[:, axis] - corner.take(mover)
            off /= mesh
            cell = np.maximum(off, 0.0, out=off).astype(np.intp)
            np.minimum(cell, last.take(mover), out=cell)
            if apart is not None:
                cell *= apart.take(mover)
            found += cell
        return found
