"""Reach queries on squares and dots, compared with scipy and networkx on the same graph of states."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from simulator.cli.contenders import Contender, ratio_lines, timed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from simulator.geometry.board import Lattice
    from simulator.pathing.move_space import MoveSpace, Start

#: The share of the queries that networkx answers; its time is scaled up.
_SLOW_SHARE = 4
#: No graph of more steps than this is built for the others: it would take gigabytes.
MOST_STEPS = 8_000_000


class _Compared(NamedTuple):
    """A contender by name; `few` computes the costs of the first queries, for comparison."""

    name: str
    run: Callable[[], Any]
    few: Callable[[], NDArray[np.int64]]
    scale: float


def on_lattice(lattice: Lattice, queries: int, budget: int, terrain: tuple[str, ...], seed: int) -> Iterator[str]:
    """Compare, measure and report queries for the least cost of every cell from random starts."""
    import numpy as np

    from simulator.cli.places import read_terrain_costs
    from simulator.pathing.move_space import Start
    from simulator.pathing.plain import plain_space
    from simulator.wording import measure

    space = plain_space(lattice, budget=budget, terrain_costs=read_terrain_costs(lattice, terrain))
    open_cells = np.argwhere((space.planes["ground"] >= 0) & np.any(list(space.gates.values()), axis=0))
    if not len(open_cells):
        raise click.UsageError(f"{lattice.name} has no place that can be left")
    chosen = open_cells[np.random.default_rng(seed).integers(0, len(open_cells), queries)]
    starts = [Start(row, column, phase=space.phases[0]) for row, column in chosen.tolist()]
    contenders = _contenders(space, starts)
    expected = contenders[0].few()
    for one in contenders[1:]:
        if not np.array_equal(one.few(), expected):
            raise AssertionError(f"{one.name} and {contenders[0].name} return different answers")
    taken = timed([Contender(one.name, one.run, one.scale) for one in contenders])
    title = f"{measure(queries, 'query')} of {measure(budget, 'step')}"
    yield f"{lattice.name}: {title} on {lattice.shape[0]} x {lattice.shape[1]} cells"
    yield from ratio_lines(taken, queries)
    if queries > _SLOW_SHARE and len(contenders) > 2:
        yield f"networkx answered {_SLOW_SHARE} of the queries, scaled up."
    if len(contenders) == 2:
        count = len(space.steps) * lattice.shape[0] * lattice.shape[1]
        yield (
            f"scipy and networkx are left out: they need the whole board as a graph, up to {count:,} steps here, and "
            f"more than {MOST_STEPS:,} would take gigabytes. Use a smaller board to compare."
        )
    elif not any(one.name.startswith("scipy") for one in contenders):
        yield "scipy is not installed: pip install scipy adds it to the table."


def _contenders(space: MoveSpace, starts: list[Start]) -> list[_Compared]:
    import networkx as nx
    import numpy as np

    from simulator.pathing.kernel.prepared import Prepared, Query
    from simulator.pathing.move_space import UNREACHED
    from simulator.pathing.seeds import Seeds
    from simulator.pathing.traces import edges

    prepared = Prepared(space)
    limit = space.budget
    share = min(_SLOW_SHARE, len(starts))
    batch = [Query([start], limit) for start in starts]

    def one_by_one() -> list[Any]:
        return [prepared.search([start], limit).cells for start in starts]

    def together() -> Any:
        return prepared.search_many(batch)

    def few_of_ours() -> NDArray[np.int64]:
        return np.stack([prepared.search([start], limit).full().min(axis=0) for start in starts[:share]])

    found = [
        _Compared("simulator, all together", together, few_of_ours, 1.0),
        _Compared("simulator, one by one", one_by_one, few_of_ours, 1.0),
    ]
    if len(space.steps) * space.shape[0] * space.shape[1] > MOST_STEPS:
        return found
    every = edges(space, Seeds.of(space, [], None))
    states = space.layers * space.shape[0] * space.shape[1]
    numbers = [
        (space.layer_of(start.heading, start.phase) * space.shape[0] + start.row) * space.shape[1] + start.col
        for start in starts
    ]

    def as_cells(costs: NDArray[Any]) -> NDArray[np.int64]:
        """Convert costs of states, infinite where not reached, to costs of cells."""
        cells = costs.reshape(len(costs), space.layers, *space.shape).min(axis=1)
        whole = np.full(cells.shape, UNREACHED, np.int64)
        whole[np.isfinite(cells)] = cells[np.isfinite(cells)]
        return whole

    if find_spec("scipy") is not None:
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import dijkstra

        matrix = csr_matrix((every.price.astype(float), (every.source, every.target)), shape=(states, states))
        reach_limit = np.inf if limit is None else limit
        found.append(
            _Compared(
                "scipy csgraph, one call",
                lambda: dijkstra(matrix, indices=numbers, limit=reach_limit),
                lambda: as_cells(dijkstra(matrix, indices=numbers[:share], limit=reach_limit)),
                1.0,
            )
        )
    graph: nx.DiGraph[int] = nx.DiGraph()
    graph.add_nodes_from(numbers)
    graph.add_weighted_edges_from(zip(every.source.tolist(), every.target.tolist(), every.price.tolist(), strict=True))

    def searched() -> list[dict[int, float]]:
        return [nx.single_source_dijkstra_path_length(graph, number, cutoff=limit) for number in numbers[:share]]

    def few_of_networkx() -> NDArray[np.int64]:
        costs = np.full((share, states), np.inf)
        for row, lengths in zip(costs, searched(), strict=True):
            row[list(lengths)] = list(lengths.values())
        return as_cells(costs)

    found.append(_Compared("networkx, one by one", searched, few_of_networkx, len(starts) / share))
    return found
