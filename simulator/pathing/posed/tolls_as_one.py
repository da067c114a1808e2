"""The tolls of several movers as one: what stands there stands once, and each mover has numbers of its own for it.

So what is gone for a mover is what is gone for it alone. A mover may lack what another one finds, and may pay another
price for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray, Solid
from simulator.geometry.standing import Standing
from simulator.pathing.posed.compared import solid_key, value_key
from simulator.pathing.posed.ground import Under
from simulator.pathing.posed.toll_table import TollTable, circles_around, prices_of_each
from simulator.pathing.posed.tolls import KnockDown

Number = TypeVar("Number", np.float64, np.bool_)


@dataclass(frozen=True, eq=False)
class TollsAsOne(TollTable):
    """The tolls of movers on levels with the same areas, asked with the mover of each row."""

    tables: tuple[TollTable, ...] = ()
    rows: IntArray = field(default_factory=lambda: np.zeros(0, np.intp))  #: the number of the mover of each row

    @classmethod
    def of(cls, tables: Sequence[TollTable]) -> TollsAsOne:
        """Join the tolls of movers."""
        found = cls((), tables[0].ground, tables[0].level, tables=tuple(tables))
        # Computed before there are views, which share it.
        shared = (
            *("standing", "circles", "_numbers", "_bits", "_run_by_mover", "_extra_by_mover", "_least_by_mover"),
            "_stays_by_mover",
            "_bits_staying_by_mover",
            *("with_least", "standing_with_least", "_bits_run_over_by_mover", "_rules", "_areas_of_rules"),
            *("_rule_of", "_dearest_by_mover"),
        )
        vars(found).update({name: getattr(found, name) for name in shared})
        return found

    def by(self, rows: IntArray) -> TollsAsOne:
        """Return the tolls for questions about rows, each by the number of its mover."""
        view = copy(self)
        vars(view)["rows"] = rows
        return view

    def by_rows(self, rows: IntArray) -> TollsAsOne:
        """Return the tolls for questions about some of the rows."""
        return self.by(self.rows[rows])

    # --- what stands there ---

    @property
    def count(self) -> int:
        """How many numbers there are, of the mover that has most."""
        return int(self._rule_of.shape[1])

    @cached_property
    def _things(self) -> dict[object, Solid]:
        """The things, each once."""
        return {solid_key(thing): thing for table in self.tables for thing in _things_of(table)}

    @cached_property
    def standing(self) -> Standing:
        """The things that stand on the level of any mover, as the judge of paths takes them."""
        return Standing.of(self._things.values())

    @cached_property
    def circles(self) -> tuple[FloatArray, FloatArray]:
        """The middles and radii of circles around the things."""
        return circles_around(self._things.values())

    @cached_property
    def _numbers(self) -> IntArray:
        """The numbers of things, an array [mover, thing]; -1: there is none for it."""
        place = {key: at for at, key in enumerate(self._things)}
        found = np.full((len(self.tables), len(place)), -1)
        for row, table in zip(found, self.tables, strict=True):
            row[[place[solid_key(thing)] for thing in _things_of(table)]] = table.here
        return found

    @cached_property
    def _bits(self) -> IntArray:
        return np.where(self._numbers >= 0, np.left_shift(1, np.maximum(self._numbers, 0)), 0)

    def numbers_of(self, row: IntArray, thing: IntArray) -> IntArray:
        """Return the numbers of things among those `standing`, for the movers of rows; -1: there is none for it."""
        return np.asarray(self._numbers[self.rows[row], thing])

    def bits_by_row(self, count: int) -> IntArray:
        """Return the bits of the things `standing` for so many rows, an array [row, thing]; 0: there is none for it."""
        return np.asarray(self._bits[self.rows[:count]])

    # --- what is run over ---

    @cached_property
    def _run_by_mover(self) -> BoolArray:
        return _by_mover(table.is_run_over for table in self.tables)

    @cached_property
    def _extra_by_mover(self) -> FloatArray:
        return _by_mover(table.extra for table in self.tables)

    @cached_property
    def _stays_by_mover(self) -> BoolArray:
        return _by_mover(table.stays for table in self.tables)

    @cached_property
    def _least_by_mover(self) -> FloatArray:
        return _by_mover(table.least for table in self.tables)

    @cached_property
    def with_least(self) -> IntArray:
        """Which of the things `standing` have a least price for any mover."""
        least = np.take_along_axis(self._least_by_mover, np.maximum(self._numbers, 0), axis=1)
        return np.flatnonzero(np.any((self._numbers >= 0) & (least > 0.0), axis=0))

    @cached_property
    def standing_with_least(self) -> Standing:
        """Those with a least price as the judge of paths takes them; `with_least` says which they are."""
        things = list(self._things.values())
        return Standing.of(things[thing] for thing in self.with_least.tolist())

    @cached_property
    def _bits_run_over_by_mover(self) -> IntArray:
        return np.array([table.run_over for table in self.tables], np.intp)

    @property
    def run_over(self) -> int | IntArray:
        """The bits of those that are run over, by row."""
        return np.asarray(self._bits_run_over_by_mover[self.rows])

    def runs_over(self, row: IntArray, toll: IntArray) -> BoolArray:
        """Find which tolls are run over by the movers of rows."""
        return np.asarray(self._run_by_mover[self.rows[row], toll])

    @cached_property
    def _bits_staying_by_mover(self) -> IntArray:
        return np.array([table.staying for table in self.tables], np.intp)

    @property
    def staying(self) -> int | IntArray:
        """The bits of those that are still there then, by row."""
        return np.asarray(self._bits_staying_by_mover[self.rows])

    def stay(self, row: IntArray, toll: IntArray) -> BoolArray:
        """Find which tolls are still there when the movers of rows have crossed them."""
        return np.asarray(self._stays_by_mover[self.rows[row], toll])

    def extra_of(self, row: IntArray, toll: IntArray) -> FloatArray:
        """Return how many times the price of a stretch over tolls is added to it for the movers of rows."""
        return np.asarray(self._extra_by_mover[self.rows[row], toll])

    def least_of(self, row: IntArray, toll: IntArray) -> FloatArray:
        """Return what has to be spent over tolls by the movers of rows."""
        return np.asarray(self._least_by_mover[self.rows[row], toll])

    # --- prices of what is knocked down ---

    @cached_property
    def _rules(self) -> dict[object, tuple[int, int]]:
        """The different prices of things: for each a mover that pays it, and the number of the toll."""
        found: dict[object, tuple[int, int]] = {}
        for mover, table in enumerate(self.tables):
            for number in table.here.tolist():
                found.setdefault(_rule_key(table, number), (mover, number))
        return found

    @cached_property
    def _rule_of(self) -> IntArray:
        """By mover and number of a toll, which of the prices it has."""
        place = {key: at for at, key in enumerate(self._rules)}
        found = np.zeros((len(self.tables), max(table.count for table in self.tables)), np.intp)
        for row, table in zip(found, self.tables, strict=True):
            row[table.here] = [place[_rule_key(table, number)] for number in table.here.tolist()]
        return found

    @cached_property
    def _areas_of_rules(self) -> BoolArray:
        """The areas on which each price depends."""
        found = [self.tables[mover].sides[0][toll] | self.tables[mover].sides[1][toll] for mover, toll in self._payers]
        return np.array(found, np.bool_).reshape(len(found), self.ground.standing.count)

    @property
    def _payers(self) -> list[tuple[int, int]]:
        return list(self._rules.values())

    def prices(self, row: IntArray, toll: IntArray, climbed: BoolArray) -> FloatArray:
        """Compute what tolls cost on legs of rows, by the slopes those lead up; inf where one bars the way."""
        rule, payers = self._rule_of[self.rows[row], toll], self._payers

        def price(number: int, some: Under) -> float:
            mover, of = payers[number]
            return self.tables[mover].price(of, some)

        return prices_of_each(rule, climbed & self._areas_of_rules[rule], len(payers), price)

    # --- what those may cost that are not gone yet ---

    @cached_property
    def _dearest_by_mover(self) -> FloatArray:
        return _by_mover(table.dearest for table in self.tables)

    def most_paid(self, bits: IntArray) -> FloatArray:
        """Compute what passing sets of tolls may cost at most, apart from the ground."""
        found = np.zeros(len(bits))
        for number in range(self._dearest_by_mover.shape[1]):
            found += self._dearest_by_mover[self.rows, number, (bits >> (8 * number)) & 255]
        return found


def _things_of(table: TollTable) -> list[Solid]:
    """The things on the level of a mover, as they stand."""
    return [table.tolls[number].thing for number in table.here.tolist()]


def _rule_key(table: TollTable, number: int) -> object:
    """What the price of a toll is compared by: the thing, and the rule of the level."""
    toll = table.tolls[number]
    rule = toll.prices[table.level] if isinstance(toll, KnockDown) else None
    return solid_key(toll.thing), value_key(rule)


def _by_mover(columns: Iterable[NDArray[Number]]) -> NDArray[Number]:
    """What is known by number, or by byte of bits, of each mover; with nothing beyond the last number of one."""
    known: list[NDArray[Number]] = list(columns)
    found = np.zeros((len(known), max(map(len, known)), *known[0].shape[1:]), known[0].dtype)
    for row, some in zip(found, known, strict=True):
        row[: len(some)] = some
    return found
