"""Searches in sequence: each stage begins at the ends of the one before, with the costs used by then.

Passes of a turn, turns of a game, phases of a movement: a `SearchStage` defines how its searches begin from the ends of
the stage before, and from which of its own ends a later stage began. `followed` runs the stages, `traced` finds the way
back.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, TypeAlias, TypeVar

from simulator.pathing.costs import Costs
from simulator.pathing.move_space import Plane, Start
from simulator.pathing.search import Searcher
from simulator.pathing.seeds import Seeds
from simulator.pathing.traces import Trace

#: The searches of one stage: several if the remainder depends on the costs used.
Searches: TypeAlias = tuple[Costs, ...]
#: The key of a stage's start among the ends of the one before: the state and everything else that it begins with.
StateT = TypeVar("StateT")


class SearchStage(Protocol[StateT]):
    """One stage of a chain of searches."""

    @property
    def searcher(self) -> Searcher:
        """The board as it is in this stage, prepared for searching."""

    def entered(self, used: Plane | None) -> Iterable[tuple[Seeds, int | None]]:
        """Yield the seeds and budgets of this stage, from the costs that the one before left; the first from None."""

    def left(self, searches: Searches) -> Plane:
        """Return the costs used by the ends of this stage, for the next one; `UNREACHED` where it does not end."""

    def began_with(self, start: Start) -> StateT:
        """Return the key of the end of the stage before from which a way of this one starts."""

    def ended(self, searches: Searches, row: int, column: int, goal: StateT | None) -> tuple[Costs, int]:
        """Return the search and the layer that end on a cell at the least cost, with the goal's key if there is one."""


def followed(stages: Sequence[SearchStage[StateT]], first: Searches | None = None) -> Iterator[tuple[Searches, Plane]]:
    """Yield the searches of each stage in turn, and the costs it leaves; `first` replaces those of the first stage."""
    used: Plane | None = None
    for number, stage in enumerate(stages):
        searches = first if first is not None and not number else _searched(stage, used)
        used = stage.left(searches)
        yield searches, used


def _searched(stage: SearchStage[StateT], used: Plane | None) -> Searches:
    return tuple(stage.searcher.search_seeds(*query) for query in stage.entered(used))


def traced(stages: Sequence[SearchStage[StateT]], searches: Sequence[Searches], row: int, column: int) -> list[Trace]:
    """Trace a way to a cell at the end of the last stage; return it stage by stage, the first stage first."""
    found: list[Trace] = []
    goal: StateT | None = None
    for stage, here in reversed(list(zip(stages, searches, strict=False))):
        costs, layer = stage.ended(here, row, column, goal)
        trace = costs.trace(costs.space.state_at(layer, row, column))
        found.append(trace)
        row, column, goal = trace.start.row, trace.start.col, stage.began_with(trace.start)
    return found[::-1]
