"""The reference: a move space as a networkx graph, and Dijkstra on it. Slow, obvious, a check on the kernel.

Use it too if you need a graph: for drawing, for centrality, for any algorithm of networkx.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from types import EllipsisType
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from simulator.later import Later
from simulator.pathing.costs import Costs, Window
from simulator.pathing.kernel.prepared import Query
from simulator.pathing.move_space import UNREACHED, Masks, MoveSpace, MoveState, MoveStep, Start, checked_budget
from simulator.pathing.seeds import Seeds
from simulator.pathing.traces import NoRoute, RouteStep, Trace

if TYPE_CHECKING:
    import networkx as nx
else:
    nx = Later("networkx")

#: An artificial node connected to every start, at the cost paid for the start.
SOURCE = "source"


def legal_steps(space: MoveSpace, state: MoveState, is_start: bool) -> Iterator[tuple[MoveStep, MoveState, int]]:
    """Yield each legal step from a state, the state it leads to and its price, in the order of the table."""
    rows, cols = space.shape
    here = (state.row, state.col)
    if not _holds(space, "leave", state) or not (is_start or _holds(space, "pass_", state)):
        return
    for step in space.steps:
        if (step.from_heading, step.from_phase) != (state.heading, state.phase):
            continue
        there = (state.row + step.d_row, state.col + step.d_col)
        target = MoveState(*there, step.to_heading, step.to_phase)
        if not (0 <= there[0] < rows and 0 <= there[1] < cols) or not _holds(space, "enter", target):
            continue
        if step.gate is not None and not space.gates[step.gate][there if step.gate_at == "arrival" else here]:
            continue
        price = step.cost
        if step.plane is not None:
            factor = int(space.planes[step.plane][there if step.plane_at == "arrival" else here])
            if factor < 0:
                continue
            price *= factor
        if step.surcharge is not None:
            extra = int(space.planes[step.surcharge][there if step.surcharge_at == "arrival" else here])
            if extra < 0:
                continue
            price += extra
        yield step, target, price


def _holds(space: MoveSpace, name: str, state: MoveState) -> bool:
    mask = getattr(space, name)
    if mask is None:
        return True
    if mask.ndim == 2:
        return bool(mask[state.row, state.col])
    heading, phase = space.headings.index(state.heading), space.phases.index(state.phase)
    return bool(mask[phase, heading, state.row, state.col])


def to_networkx(space: MoveSpace, window: Window | None = None) -> nx.DiGraph[Any]:
    """Return the graph of all legal steps: nodes are states, edges carry `weight`, `step` and its `name`.

    Of several steps between the same two states the cheapest is kept; of equally cheap ones, the first of
    the table. With a window only states inside it become nodes.
    """
    rows, cols = space.shape
    top, left, height, width = window or Window(0, 0, rows, cols)
    starts = {start.state for start in space.starts}
    graph: nx.DiGraph[Any] = nx.DiGraph()
    graph.add_nodes_from(
        MoveState(row, col, heading, phase)
        for phase in space.phases
        for heading in space.headings
        for row in range(max(top, 0), min(top + height, rows))
        for col in range(max(left, 0), min(left + width, cols))
    )
    for state in list(graph):
        for step, target, price in legal_steps(space, state, state in starts):
            if target not in graph:
                continue
            if not graph.has_edge(state, target) or price < graph.edges[state, target]["weight"]:
                graph.add_edge(state, target, weight=price, step=step, name=step.name)
    return graph


class GraphCosts(Costs):
    """Costs found by networkx, with the same interface as those of the kernel."""

    def __init__(self, space: MoveSpace, graph: nx.DiGraph[Any], starts: Iterable[Start], budget: int | None) -> None:
        starts = space.checked_starts(starts)
        self.graph = graph.copy()
        for start in starts:
            known = self.graph.get_edge_data(SOURCE, start.state, {"weight": start.paid})
            self.graph.add_edge(SOURCE, start.state, weight=min(start.paid, known["weight"]))
        self.graph.add_node(SOURCE)
        found: Any = nx.single_source_dijkstra(self.graph, SOURCE, cutoff=checked_budget(budget))
        self.distances: dict[Any, int] = found[0]
        self.paths: dict[Any, list[Any]] = found[1]
        array = np.full((space.layers, *space.shape), UNREACHED, np.int64)
        for state, cost in self.distances.items():
            if state != SOURCE:
                array[space.layer_of(state.heading, state.phase), state.row, state.col] = cost
        seeds = Seeds.of(space, starts, budget)
        super().__init__(space, seeds, Window(0, 0, *space.shape), array, UNREACHED, method="networkx")

    def trace(self, state: MoveState) -> Trace:
        """Return a cheapest route to a state; among equally cheap ones networkx decides."""
        if state not in self.paths:
            raise NoRoute(f"no route to {tuple(state)} within the budget")
        route: list[MoveState] = self.paths[state][1:]
        lines = []
        for here, there in pairwise(route):
            edge: dict[str, Any] = self.graph.edges[here, there]
            lines.append(RouteStep(edge["step"], there, edge["weight"], self.distances[there]))
        return Trace(Start(*route[0], paid=self.distances[route[0]]), tuple(lines))


def search_graph(space: MoveSpace) -> GraphCosts:
    """Search a move space with networkx: the cheapest cost of every state within the budget."""
    affordable = (start for start in space.starts if space.budget is None or start.paid <= space.budget)
    return GraphCosts(space, to_networkx(replace(space, starts=tuple(affordable))), space.starts, space.budget)


class PreparedGraph:
    """A move space prepared for many searches with networkx: the same interface as `kernel.Prepared`."""

    def __init__(self, space: MoveSpace) -> None:
        self.space = space

    def search(self, starts: Iterable[Start] | None = None, budget: int | EllipsisType | None = ...) -> Costs:
        """Find the cheapest cost of every state; starts and budget are by default those of the space."""
        begun = self.space.starts if starts is None else self.space.checked_starts(starts)
        spent = self.space.budget if budget is ... else checked_budget(budget)
        return search_graph(replace(self.space, starts=begun, budget=spent))

    def search_seeds(self, seeds: Seeds, budget: int | None) -> Costs:
        """Find the cheapest cost of every state from starts in columns."""
        columns = zip(*(axis.tolist() for axis in seeds.arrays), strict=True)
        starts = [Start(*self.space.state_at(layer, row, col), paid) for layer, row, col, paid in columns]
        return self.search(starts, budget)

    def search_many(self, queries: Sequence[Query], *, by_state: bool = False) -> list[Costs]:  # noqa: ARG002
        """Answer many queries, one after the other; every state is kept, whatever `by_state`."""
        return [self.search(query.starts, query.budget) for query in queries]

    def with_masks(self, **masks: Unpack[Masks]) -> PreparedGraph:
        """Return the same board and steps with other masks. Masks not named are kept."""
        return PreparedGraph(self.space.with_masks(**masks))
