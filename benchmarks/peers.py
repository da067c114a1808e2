"""Other libraries that can answer a reach query on a lattice, fed with the same move space.

Each peer is prepared with a space and answers queries with the least cost of every cell: a whole board, infinite where
nothing is reached. Its native result (`search`) is timed; `cells` converts that to the board.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.costs import Costs
from simulator.pathing.kernel.batch import Batch
from simulator.pathing.kernel.fast import compiled
from simulator.pathing.kernel.prepared import Prepared, Query
from simulator.pathing.move_space import UNREACHED, MoveSpace, Start, landing
from simulator.pathing.seeds import Seeds


class Peer:
    """One contender. Subclasses name the library they need."""

    name = ""
    needs: tuple[str, ...] = ()

    def __init__(self, space: MoveSpace) -> None:
        self.space = space

    @classmethod
    def missing(cls) -> str | None:
        """Return the name of the library if it is not installed."""
        for module in cls.needs:
            try:
                importlib.import_module(module)
            except ImportError:
                return module
        return None

    def state(self, start: Start) -> int:
        """Return the number of a state: all cells of the first layer, then of the second."""
        rows, cols = self.space.shape
        return (self.space.layer_of(start.heading, start.phase) * rows + start.row) * cols + start.col

    def search(self, query: Query) -> Any:
        """Answer one query."""
        raise NotImplementedError

    def search_many(self, queries: list[Query]) -> Any:
        """Answer many queries, in one call if the library can."""
        return [self.search(query) for query in queries]

    def cells(self, answer: Any) -> NDArray[np.float64]:
        """Convert the answer to one query to the least cost of each cell."""
        states = np.asarray(answer, float).reshape(self.space.layers, *self.space.shape)
        return states.min(axis=0)

    def cells_of_many(self, answer: Any, number: int) -> NDArray[np.float64]:
        """Convert one of many answers to the least cost of each cell."""
        return self.cells(answer[number])


def edges(space: MoveSpace) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return all steps between states as arrays: from, to, price. No step leaves a blocked cell either."""
    number = np.arange(space.shape[0] * space.shape[1]).reshape(space.shape)
    enterable = space.planes["ground"] > 0
    parts = []
    for step in space.steps:
        there, here = (
            landing(space.shape, step.d_row, step.d_col),
            landing(space.shape, -step.d_row, -step.d_col),
        )
        price = space.prices(step)[there].ravel()
        legal = (price >= 0) & enterable[here].ravel()
        first = space.layer_of(step.from_heading, step.from_phase) * number.size
        last = space.layer_of(step.to_heading, step.to_phase) * number.size
        parts.append((number[here].ravel()[legal] + first, number[there].ravel()[legal] + last, price[legal]))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))  # type: ignore[return-value]


class Kernel(Peer):
    """This project, with numpy alone (`bench_kernel` sees to that)."""

    name = "this kernel"

    def __init__(self, space: MoveSpace) -> None:
        super().__init__(space)
        self.prepared = Prepared(space)

    def search(self, query: Query) -> Costs:
        costs = self.prepared.search(query.starts, query.budget)
        costs.array  # noqa: B018 - the answer as an array of costs for every state
        return costs

    def search_many(self, queries: list[Query]) -> Batch:
        return self.prepared.search_many(queries)

    def cells(self, answer: Costs) -> NDArray[np.float64]:
        return _floats(answer.full().min(axis=0))

    def cells_of_many(self, answer: Batch, number: int) -> NDArray[np.float64]:
        window, costs = answer.cells(number)
        whole = Costs(self.space, Seeds.of(self.space, [], 0), window, costs[None], UNREACHED)
        return _floats(whole.on_board(costs, UNREACHED))


class KernelContracted(Kernel):
    """The same on a board that was contracted beforehand, as it would be by itself after some searches."""

    name = "this kernel, contracted"

    def __init__(self, space: MoveSpace) -> None:
        super().__init__(space)
        self.prepared.contract()


class KernelFast(Kernel):
    """The same with the extra `fast`: its executors are chosen where they are quicker."""

    name = "this kernel, compiled"
    needs = ("numba",)

    def search(self, query: Query) -> Costs:
        with using_compiled_code():
            return super().search(query)

    def search_many(self, queries: list[Query]) -> Batch:
        with using_compiled_code():
            return super().search_many(queries)


@contextmanager
def using_compiled_code() -> Iterator[None]:
    """Let the extra `fast` be used meanwhile."""
    compiled.is_used = True
    try:
        yield
    finally:
        compiled.is_used = False


class KernelStates(Kernel):
    """The same, keeping all states of a batch."""

    name = "this kernel, all states"

    def search_many(self, queries: list[Query]) -> Batch:
        return self.prepared.search_many(queries, by_state=True)


def _floats(costs: NDArray[np.int64]) -> NDArray[np.float64]:
    return np.where(costs == UNREACHED, np.inf, costs)


class Scipy(Peer):
    """scipy.sparse.csgraph.dijkstra with `limit`."""

    name = "scipy csgraph"
    needs = ("scipy",)

    def __init__(self, space: MoveSpace) -> None:
        super().__init__(space)
        from scipy.sparse import csr_matrix

        first, last, price = edges(space)
        count = space.layers * space.shape[0] * space.shape[1]
        self.graph = csr_matrix((price.astype(float), (first, last)), shape=(count, count))

    def _run(self, indices: Any, budget: int | None, **options: Any) -> Any:
        from scipy.sparse.csgraph import dijkstra

        return dijkstra(self.graph, indices=indices, limit=np.inf if budget is None else budget, **options)

    def search(self, query: Query) -> Any:
        return self._run(self.state(query.starts[0]), query.budget)

    def search_many(self, queries: list[Query]) -> Any:
        return self._run([self.state(query.starts[0]) for query in queries], queries[0].budget)

    def merged(self, queries: list[Query]) -> Any:
        """Return the least cost from any of the starts."""
        return self._run([self.state(q.starts[0]) for q in queries], queries[0].budget, min_only=True)


class Networkx(Peer):
    """networkx.single_source_dijkstra_path_length with `cutoff`."""

    name = "networkx"
    needs = ("networkx",)

    def __init__(self, space: MoveSpace) -> None:
        super().__init__(space)
        import networkx as nx

        self.graph = nx.DiGraph()
        self.graph.add_nodes_from(range(space.layers * space.shape[0] * space.shape[1]))
        self.graph.add_weighted_edges_from(zip(*(column.tolist() for column in edges(space)), strict=True))

    def search(self, query: Query) -> Any:
        import networkx as nx

        return nx.single_source_dijkstra_path_length(self.graph, self.state(query.starts[0]), cutoff=query.budget)

    def cells(self, answer: Any) -> NDArray[np.float64]:
        states = np.full(self.space.layers * self.space.shape[0] * self.space.shape[1], np.inf)
        states[list(answer)] = list(answer.values())
        return super().cells(states)


class Rustworkx(Networkx):
    """rustworkx.dijkstra_search, stopped by a visitor at the budget."""

    name = "rustworkx"
    needs = ("rustworkx",)

    def __init__(self, space: MoveSpace) -> None:
        Peer.__init__(self, space)
        import rustworkx as rx

        self.graph = rx.PyDiGraph()
        self.graph.add_nodes_from(range(space.layers * space.shape[0] * space.shape[1]))
        self.graph.add_edges_from(list(zip(*(column.tolist() for column in edges(space)), strict=True)))

    def search(self, query: Query) -> Any:
        import rustworkx as rx

        budget = query.budget
        found: dict[int, float] = {}

        class Stop(rx.visit.DijkstraVisitor):  # type: ignore[misc]
            def discover_vertex(self, vertex: int, cost: float) -> None:
                if budget is not None and cost > budget:
                    raise rx.visit.StopSearch
                found[vertex] = cost

        rx.dijkstra_search(self.graph, [self.state(query.starts[0])], float, Stop())
        return found


class Tcod(Peer):
    """tcod.path.Pathfinder on a graph of parity, row and column; it has no budget."""

    name = "tcod"
    needs = ("tcod",)

    def __init__(self, space: MoveSpace) -> None:
        super().__init__(space)
        import tcod.path

        board = np.where(space.planes["ground"] < 0, 0, space.planes["ground"]).astype(np.int32)
        layers = np.ascontiguousarray(np.broadcast_to(board, (space.layers, *board.shape)))
        self.graph = tcod.path.CustomGraph(layers.shape)
        for step in space.steps:
            layer = space.layer_of(step.to_heading, step.to_phase)
            here = space.layer_of(step.from_heading, step.from_phase)
            where = np.zeros_like(layers)
            where[here] = 1
            self.graph.add_edge(
                (layer - here, step.d_row, step.d_col),
                step.cost,
                cost=layers,
                condition=where.astype(np.int8),
            )

    def search(self, query: Query) -> Any:
        import tcod.path

        start = query.starts[0]
        pathfinder = tcod.path.Pathfinder(self.graph)
        pathfinder.add_root((self.space.layer_of(start.heading, start.phase), start.row, start.col))
        pathfinder.resolve()
        return np.where(pathfinder.distance > (query.budget or 2**30), np.inf, pathfinder.distance)


class Numba(Peer):
    """A bucket queue compiled by numba: Dial's algorithm on the lattice itself, without a graph."""

    name = "numba bucket queue"
    needs = ("numba",)

    def __init__(self, space: MoveSpace) -> None:
        super().__init__(space)
        from dial import Dial

        self.dial = Dial(space)

    def search(self, query: Query) -> Any:
        start = query.starts[0]
        return self.dial.search(self.space.layer_of(start.heading, start.phase), start.row, start.col, query.budget)

    def search_many(self, queries: list[Query]) -> Any:
        starts = [(self.space.layer_of(s.heading, s.phase), s.row, s.col) for (s, *_), _ in queries]
        return self.dial.search_many(np.array(starts), queries[0].budget)

    def cells(self, answer: Any) -> NDArray[np.float64]:
        return self.cells_of_many(answer, 0)

    def cells_of_many(self, answer: Any, number: int) -> NDArray[np.float64]:
        windows, corners = answer
        return self.dial.on_board(windows[number], corners[number])
