"""One interface, two engines: numpy, and networkx as the reference to check it against.

`search(space)` searches a space once; `prepared(space)` prepares it for many searches. Functions built on searches
(`queries`, `reach`) accept either and so run on both engines.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from types import EllipsisType
from typing import Literal, Protocol, TypeAlias, Unpack

from simulator.pathing.costs import Costs
from simulator.pathing.kernel.prepared import Prepared, Query
from simulator.pathing.move_space import Masks, MoveSpace, MoveSpaceError, Start
from simulator.pathing.seeds import Seeds

#: The engine of a search: the vectorised one, or the slow and obvious one.
Engine: TypeAlias = Literal["numpy", "networkx"]


class Searcher(Protocol):
    """A move space prepared for many searches, by either engine."""

    @property
    def space(self) -> MoveSpace:
        """The move space."""

    def search(self, starts: Iterable[Start] | None = None, budget: int | EllipsisType | None = ...) -> Costs:
        """Find the cheapest cost of every state; starts and budget are by default those of the space."""

    def search_seeds(self, seeds: Seeds, budget: int | None) -> Costs:
        """Find the cheapest cost of every state from starts in columns."""

    def search_many(self, queries: Sequence[Query], *, by_state: bool = False) -> Sequence[Costs]:
        """Answer many queries side by side."""

    def with_masks(self, **masks: Unpack[Masks]) -> Searcher:
        """Return the same board and steps with other masks."""


def prepared(space: MoveSpace, engine: Engine = "numpy") -> Searcher:
    """Prepare a space for many searches by one of the engines."""
    if engine == "numpy":
        return Prepared(space)
    if engine == "networkx":
        from simulator.pathing.reference import PreparedGraph

        return PreparedGraph(space)
    raise MoveSpaceError(f"no such engine: {engine!r} (known: 'numpy', 'networkx')", "engine")


def search(space: MoveSpace, engine: Engine = "numpy") -> Costs:
    """Find the cheapest cost of every state that a move space reaches within its budget.

    >>> from simulator.pathing.move_space import MoveStep, Start
    >>> space = MoveSpace((1, 4), [MoveStep("east", 0, 1, cost=2)], starts=[Start(0, 0)], budget=5)
    >>> [search(space, engine).at(0, 2) for engine in ("numpy", "networkx")]
    [4, 4]
    """
    return prepared(space, engine).search()
