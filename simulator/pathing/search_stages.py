"""Searches one after the other: what one stage ends with is where the next begins, with what was used by then.

Passes of a turn, turns of a game, phases of a movement: a `SearchStage` says how its searches are entered from what the
stage before has left, and with which of its own ends a later stage began. `followed` goes through the stages, `traced`
finds the way back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeAlias, TypeVar

from simulator.pathing.costs import Costs
from simulator.pathing.move_space import Plane, Start
from simulator.pathing.search import Searcher
from simulator.pathing.seeds import Seeds
from simulator.pathing.traces import Trace

#: The searches of one stage: several where what is left depends on what was used.
Searches: TypeAlias = tuple[Costs, ...]
#: What a stage looks for among the ends of the one before it: the state and all else that it begins with.
StateT = TypeVar("StateT")


class SearchStage(Protocol[StateT]):
    """One stage of a chain of searches."""

    @property
    def searcher(self) -> Searcher:
        """The board as it is in this stage, made ready for searching."""

    def entered(self, used: Plane | None) -> Iterable[tuple[Seeds, int | None]]:
        """Yield what this stage searches, seeds and budgets, from what the one before left; the first from None."""

    def left(self, searches: Searches) -> Plane:
        """Return what was used by the ends of this stage, `UNREACHED` where it does not end, as the next one begins."""

    def began_with(self, start: Start) -> StateT:
        """Return what the stage before has to have ended with, where a way of this one sets out from a start."""

    def ended(self, searches: Searches, row: int, column: int, goal: StateT | None) -> tuple[Costs, int]:
        """Return the search and the layer that end on a cell for least, with what is wanted, or with anything."""


def followed(stages: Sequence[SearchStage[StateT]], first: Searches | None = None) -> Iterator[tuple[Searches, Plane]]:
    """Yield the searches of one stage after the other, and what each leaves; `first` is what the first one searched."""
    used: Plane | None = None
    for number, stage in enumerate(stages):
        searches = first if first is not None and not number else _searched(stage, used)
        used = stage.left(searches)
        yield searches, used


def _searched(stage: SearchStage[StateT], used: Plane | None) -> Searches:
    return tuple(stage.searcher.search_seeds(*asked) for asked in stage.entered(used))


def traced(stages: Sequence[SearchStage[StateT]], searches: Sequence[Searches], row: int, column: int) -> list[Trace]:
    """Trace a way to a cell at the end of the last of some searches, stage by stage, the first stage first."""
    found: list[Trace] = []
    goal: StateT | None = None
    for stage, here in reversed(list(zip(stages, searches, strict=False))):
        costs, layer = stage.ended(here, row, column, goal)
        trace = costs.trace(costs.space.state_at(layer, row, column))
        found.append(trace)
        row, column, goal = trace.start.row, trace.start.col, stage.began_with(trace.start)
    return found[::-1]
