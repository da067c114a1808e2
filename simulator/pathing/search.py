"""One question, two engines: `search(space)` with numpy, `search(space, "networkx")` with the reference."""

from __future__ import annotations

from typing import Literal, TypeAlias

from simulator.pathing.costs import Costs
from simulator.pathing.kernel import Prepared
from simulator.pathing.move_space import MoveSpace, MoveSpaceError

#: Which search answers: the vectorised one, or the slow and obvious one that it is checked against.
Engine: TypeAlias = Literal["numpy", "networkx"]


def search(space: MoveSpace, engine: Engine = "numpy") -> Costs:
    """Find the cheapest cost of every state that a move space reaches within its budget.

    >>> from simulator.pathing.move_space import Start, Step
    >>> space = MoveSpace((1, 4), [Step("east", 0, 1, cost=2)], starts=[Start(0, 0)], budget=5)
    >>> [search(space, engine).at(0, 2) for engine in ("numpy", "networkx")]
    [4, 4]
    """
    if engine == "numpy":
        return Prepared(space).search()
    if engine == "networkx":
        from simulator.pathing.reference import search_graph

        return search_graph(space)
    raise MoveSpaceError(f"no such engine: {engine!r} (known: 'numpy', 'networkx')", "engine")
