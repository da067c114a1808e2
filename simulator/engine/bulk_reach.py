"""Reach in bulk: where a unit can end from every place where it may stand, everything else as it is now.

    every = game.bulk_reach("ann", "move")
    for found in every.from_cells(0, len(every)):
        found.costs[3]                          # what each place costs from the fourth of these starts

Each start is answered as `Game.reach` answers for a unit that stands there. If the rulebook has compiled its moves for
all starts at once (`Ruleset.departures`), they are searched side by side; else they are asked one by one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from math import inf, nan
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from simulator.cores import on_every_core, processes_at_once
from simulator.engine.elsewhere import Elsewhere
from simulator.engine.errors import TableError, WrongQuestion
from simulator.engine.posed_together import costs_at_each
from simulator.engine.raster import Raster
from simulator.engine.reach import ReachAnswer
from simulator.engine.ruleset import Ruleset
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.engine.values import show
from simulator.errors import NoPose, TooMuchAsked, listed
from simulator.geometry.board import Lattice
from simulator.geometry.poses import Heading, Pose
from simulator.pathing.departures import Departures, Label
from simulator.pathing.move_space import UNREACHED

#: So many starts are asked together where each has an answer of its own.
_AT_ONCE = 32


class FromStarts(NamedTuple):
    """The answers for some starts, in their order.

    Costs are compact: numbers of `prices`, which ascend; the last is inf, where the unit cannot end. On a lattice they
    are those of a window of the raster around the start, which may extend beyond it; nothing outside is reached.
    """

    #: Where the starts are: cells of the raster, counted row by row.
    cells: NDArray[np.int64]
    #: The heading and the level of each, as numbers of `labels`.
    states: NDArray[np.int64]
    labels: Sequence[Label]
    #: The first row and column of each window.
    tops: NDArray[np.int64]
    lefts: NDArray[np.int64]
    #: The number of the least cost of ending in each place: [start, row, column].
    ranks: NDArray[Any]
    prices: NDArray[np.float32]
    #: The measured area of the ends, if it was asked for; else nan.
    areas: NDArray[np.float64]
    #: The starts without an answer, by their numbers: why, and whether that is a limit of the search, not of the rules.
    unanswered: Mapping[int, tuple[str, bool]]

    @property
    def reached(self) -> NDArray[np.bool_]:
        """Whether each place of the windows can be reached."""
        return np.asarray(self.ranks < len(self.prices) - 1)

    @property
    def costs(self) -> NDArray[np.float32]:
        """The costs themselves."""
        return self.prices.take(self.ranks)

    def everywhere(self, shape: tuple[int, int]) -> NDArray[Any]:
        """Return the numbers of the prices of all places of a raster of a shape: [start, row, column]."""
        if self.ranks.shape[1:] == shape and not (self.tops.any() or self.lefts.any()):
            return self.ranks
        whole = np.full((len(self.cells), *shape), len(self.prices) - 1, self.ranks.dtype)
        start, row, column = np.nonzero(self.reached)
        whole[start, row + self.tops[start], column + self.lefts[start]] = self.ranks[start, row, column]
        return whole


@dataclass(frozen=True, eq=False)
class BulkReach:
    """One question of reach, asked from everywhere."""

    ruleset: Ruleset[Any, Any]
    #: The table on which the unit's go has begun.
    table: Table[Any]
    #: The unit of the question, and the one that is put elsewhere: for riders what they ride.
    asked: str
    mover: Unit
    action: str
    question: Mapping[str, Any]
    #: The unit of the costs.
    unit: str
    raster: Raster
    #: The headings in which it sets out; None is the one that it has.
    headings: tuple[Heading, ...]
    #: Whether the areas of the ends are measured.
    measured: bool = False

    def __len__(self) -> int:
        return self.raster.present.size

    @property
    def is_on_lattice(self) -> bool:
        """Whether its places are the cells of a lattice."""
        return isinstance(self.table.board, Lattice)

    @cached_property
    def departures(self) -> Departures | None:
        """The moves for all starts at once; None if each start is asked by itself."""
        if not isinstance(self.table.board, Lattice):
            return None
        return self.ruleset.departures(self.table, self.table.unit(self.asked), self.action, **self.question)

    def from_cells(self, first: int, last: int) -> Iterator[FromStarts]:
        """Yield the answers for all starts in a range of cells, some at a time."""
        every, board = self.departures, self.table.board
        if every is None or not isinstance(board, Lattice):
            yield from self._one_by_one(self.raster.cells(first, last))
            return
        # Where the unit stands now the rules may have put it, though it could not go there: it is asked about that.
        row, column = board.index(self.mover.place)
        own = row * board.shape[1] + column
        yield from self._together(every, first, min(own, last))
        if first <= own < last:
            yield from self._one_by_one([own])
        yield from self._together(every, max(own + 1, first), last)

    # --- side by side ---

    def _together(self, every: Departures, first: int, last: int) -> Iterator[FromStarts]:
        if first >= last:
            return
        starts = every.from_cells(first, last)
        if self.headings != (None,):
            chosen = np.array([heading in self.headings for heading, _ in every.space.layer_labels])
            starts = starts.those(chosen[starts.layer])
        begun, columns = 0, self.raster.shape[1]
        for landed in every.landings(starts):
            count = len(landed.ranks)
            some = starts.part(begun, begun + count)
            begun += count
            prices = np.where(landed.prices < UNREACHED, landed.prices / every.per_unit, inf).astype(np.float32)
            yield FromStarts(
                some.row * columns + some.col,
                *every.labels_of(some),
                landed.tops,
                landed.lefts,
                landed.ranks,
                prices,
                np.full(count, nan),
                {},
            )

    # --- one by one ---

    def _one_by_one(self, cells: Iterable[int]) -> Iterator[FromStarts]:
        standing = self._standing(cells)
        while some := list(islice(standing, _AT_ONCE * processes_at_once())):
            lots = [some[first : first + _AT_ONCE] for first in range(0, len(some), _AT_ONCE)]
            yield from on_every_core(self._answered, lots)

    def _standing(self, cells: Iterable[int]) -> Iterator[tuple[int, Table[Any]]]:
        """Yield the tables on which the unit stands elsewhere, with the cell."""
        elsewhere = Elsewhere(self.ruleset, self.table, self.mover)
        for cell in cells:
            for heading in self.headings:
                for table in elsewhere.tables(Pose(self.raster.place(cell), heading)):
                    yield cell, table

    def _answered(self, standing: Sequence[tuple[int, Table[Any]]]) -> FromStarts:
        cells, tables = [cell for cell, _ in standing], [table for _, table in standing]
        answers = self._answers([(table, table.unit(self.asked)) for table in tables])
        count, (rows, columns) = len(cells), self.raster.shape
        costs = np.full((count, rows, columns), inf, np.float32)
        areas = np.full(count, nan)
        for number, found in self._costs([one for one in enumerate(answers) if not isinstance(one[1], Exception)]):
            if isinstance(found, TooMuchAsked):
                answers[number] = found
            else:
                costs[number][self.raster.present], areas[number] = found
        prices, ranks = np.unique(np.append(costs, np.float32(inf)), return_inverse=True)
        known: dict[Label, int] = {}
        poses = [self.ruleset.pose_of(table, table.unit(self.mover.id)) or Pose(()) for table in tables]
        return FromStarts(
            np.array(cells, np.int64),
            np.array([known.setdefault((pose.heading, pose.level), len(known)) for pose in poses], np.int64),
            list(known),
            np.zeros(count, np.int64),
            np.zeros(count, np.int64),
            ranks[:-1].reshape(costs.shape).astype(np.min_scalar_type(len(prices))),
            prices,
            areas,
            {
                number: (str(one), isinstance(one, TooMuchAsked))
                for number, one in enumerate(answers)
                if isinstance(one, Exception)
            },
        )

    def _answers(self, ready: Sequence[tuple[Table[Any], Unit]]) -> list[ReachAnswer | Exception]:
        try:
            return list(self.ruleset.reach_many(ready, self.action, **self.question))
        except TooMuchAsked as limit:
            # Of one of them too much was asked: each by itself.
            return [limit] if len(ready) == 1 else [self._answers([one])[0] for one in ready]

    def _costs(
        self, answers: Sequence[tuple[int, Any]]
    ) -> Iterator[tuple[int, tuple[NDArray[np.float64], float] | TooMuchAsked]]:
        """Yield what each place costs by each answer, and the area of its ends; or the limit that was exceeded."""
        try:
            places = self.raster.places
            if isinstance(self.table.board, Lattice):
                costs = [answer.costs_at(places) for _, answer in answers]
            else:
                costs = [*costs_at_each([answer for _, answer in answers], places)] if answers else []
            areas = [float(answer.area.area) if self.measured else nan for _, answer in answers]
            found = list(zip(costs, areas, strict=True))
        except TooMuchAsked as limit:
            for one in answers:
                yield from [(one[0], limit)] if len(answers) == 1 else self._costs([one])
            return
        yield from ((number, one) for (number, _), one in zip(answers, found, strict=True))


def headings_of(ruleset: Ruleset[Any, Any], board: Any, mover: Unit, named: Sequence[Any]) -> tuple[Heading, ...]:
    """Return the headings in which a unit sets out: those that are named, or all of a lattice; None is its own."""
    turns = ruleset.reach_headings and mover.heading is not None
    known = (ruleset.headings or board.headings) if turns else ()
    named = listed("headings", named, "heading")
    if not named:
        return tuple(known) or (None,)
    if not turns:
        raise WrongQuestion(f"{mover.id} has no heading: leave it out")
    found: list[Heading] = []
    for one in named:
        try:
            heading = Pose((), one).heading
        except NoPose as error:
            raise WrongQuestion(str(error)) from None
        if known and heading not in known:
            raise WrongQuestion(f"there is no heading {show(one)} here: {', '.join(map(show, known))}")
        if not known and isinstance(heading, str):
            raise WrongQuestion(f"a heading is a number of degrees here, not {show(one)}")
        if heading not in found:
            found.append(heading)
    return tuple(found)


def bulk_reach(
    ruleset: Ruleset[Any, Any],
    table: Table[Any],
    here: ReachAnswer,
    asked: str,
    question: Mapping[str, Any],
    *,
    spacing: float = 1.0,
    headings: Sequence[Any] = (),
    measured: bool = False,
) -> BulkReach:
    """Return a question from everywhere; `here` is its answer where the unit stands now."""
    mover = ruleset.moves_with(table, table.unit(asked))
    if mover.place is None:
        raise TableError(f"{mover.id} is not on the table: put it anywhere first")
    every = headings_of(ruleset, table.board, mover, headings)
    raster = Raster.of(table.board, spacing)
    return BulkReach(ruleset, table, asked, mover, here.action, question, here.unit, raster, every, measured)
