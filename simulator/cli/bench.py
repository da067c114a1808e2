"""`simulator bench`: how fast reach queries are answered on one's own board, beside other searches."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib.util import find_spec
from statistics import median
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from simulator.pathing.move_space import MoveSpace, Start

_ROUNDS = 7
#: networkx answers so few of the queries; its time is scaled up.
_SLOW_SHARE = 4


@click.command("bench")
@click.argument("board", type=click.Path())
@click.option("--queries", default=64, show_default=True, type=click.IntRange(1, 10_000), help="How many starts.")
@click.option("--budget", default=12, show_default=True, type=click.IntRange(1, 10_000), help="Steps of each query.")
@click.option("--terrain", "terrain", multiple=True, metavar="WORD=N", help="Cost of entering a terrain, or =closed.")
@click.option("--seed", default=1, show_default=True, help="Which starts are drawn.")
def command(board: str, queries: int, budget: int, terrain: tuple[str, ...], seed: int) -> int:
    """Measure reach queries of a plain walker on BOARD against networkx and, if installed, scipy.

    The answers are compared before anything is timed. Times are medians; ratios are what can be compared.

    \b
    simulator bench boards/market_square.yaml
    simulator bench big.map --queries 256 --budget 24
    """
    import numpy as np
    from rich.console import Console
    from rich.progress import track

    from simulator.cli.places import load_lattice, read_terrain_costs
    from simulator.pathing.move_space import Start
    from simulator.pathing.plain import plain_space

    lattice = load_lattice(board)
    space = plain_space(lattice, budget=budget, terrain_costs=read_terrain_costs(terrain))
    open_cells = np.argwhere((space.planes["ground"] >= 0) & np.any(list(space.gates.values()), axis=0))
    if not len(open_cells):
        raise click.UsageError(f"{board} has no place that can be left")
    chosen = open_cells[np.random.default_rng(seed).integers(0, len(open_cells), queries)]
    starts = [Start(row, column, phase=space.phases[0]) for row, column in chosen.tolist()]
    contenders = _contenders(space, starts)
    expected = contenders[0].few()
    for one in contenders[1:]:
        if not np.array_equal(one.few(), expected):
            raise AssertionError(f"{one.name} and {contenders[0].name} give different answers")
    taken: dict[str, list[float]] = {one.name: [] for one in contenders}
    progress = track(range(_ROUNDS), "measuring", console=Console(stderr=True), transient=True)
    for _ in progress:
        for one in contenders:
            begun = time.perf_counter()
            one.run()
            taken[one.name].append((time.perf_counter() - begun) * one.scale)
    ours = taken[contenders[0].name]
    click.echo(f"{lattice.name}: {queries} queries of {budget} steps on {lattice.shape[0]} x {lattice.shape[1]} cells")
    click.echo(f"{'':30}{'ms in all':>12}{'us a query':>12}{'times ours':>12}")
    for one in contenders:
        times = taken[one.name]
        ratio = median(theirs / mine for theirs, mine in zip(times, ours, strict=True))
        click.echo(f"{one.name:30}{median(times) * 1e3:12.2f}{median(times) / queries * 1e6:12.1f}{ratio:12.2f}")
    spread = (max(ours) - min(ours)) / median(ours)
    click.echo(
        f"Median of {_ROUNDS} rounds, answers equal. Ours varied by {spread:.0%} from the quickest round to the "
        f"slowest: compare ratios, not times. networkx answered {min(_SLOW_SHARE, queries)} queries, scaled up."
    )
    if not any(one.name.startswith("scipy") for one in contenders):
        click.echo("scipy is not installed: pip install scipy adds it to the table.")
    return 0


class _Contender:
    """One way to answer all queries; `few` gives the costs of the first queries, for comparison."""

    def __init__(self, name: str, run: Callable[[], Any], few: Callable[[], NDArray[np.int64]], scale: float) -> None:
        self.name, self.run, self.few, self.scale = name, run, few, scale


def _contenders(space: MoveSpace, starts: list[Start]) -> list[_Contender]:
    import networkx as nx
    import numpy as np

    from simulator.pathing.kernel import Prepared, Query
    from simulator.pathing.move_space import UNREACHED
    from simulator.pathing.routes import edges
    from simulator.pathing.seeds import Seeds

    prepared = Prepared(space)
    limit = space.budget
    share = min(_SLOW_SHARE, len(starts))
    asked = [Query([start], limit) for start in starts]

    def one_by_one() -> list[Any]:
        return [prepared.search([start], limit).cells for start in starts]

    def together() -> Any:
        return prepared.search_many(asked)

    def few_of_ours() -> NDArray[np.int64]:
        return np.stack([prepared.search([start], limit).full().min(axis=0) for start in starts[:share]])

    found = [
        _Contender("simulator, all together", together, few_of_ours, 1.0),
        _Contender("simulator, one by one", one_by_one, few_of_ours, 1.0),
    ]
    every = edges(space, Seeds.of(space, [], None))
    states = space.layers * space.shape[0] * space.shape[1]
    numbers = [
        (space.layer_of(start.heading, start.phase) * space.shape[0] + start.row) * space.shape[1] + start.col
        for start in starts
    ]

    def as_cells(costs: NDArray[Any]) -> NDArray[np.int64]:
        """Turn costs of states, infinite where not reached, into those of cells."""
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
            _Contender(
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

    found.append(_Contender("networkx, one by one", searched, few_of_networkx, len(starts) / share))
    return found
