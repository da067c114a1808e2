"""Questions built from searches, each against networkx or plain enumeration."""

from dataclasses import replace

import networkx as nx
import numpy as np
import pytest
from movers import movers, soldier, walker
from spaces import random_space
from thin_boards import KINDS, root_two, thin_board

from simulator.pathing.costs import Window
from simulator.pathing.kernel.prepared import Prepared, Query
from simulator.pathing.move_space import UNREACHED, MoveSpace, MoveSpaceError, MoveState, MoveStep, Start
from simulator.pathing.queries import route
from simulator.pathing.reference import legal_steps, search_graph, to_networkx
from simulator.pathing.reverse import reversed_space
from simulator.pathing.search import search
from simulator.pathing.traces import NoRoute


def states(space):
    return [
        MoveState(row, col, heading, phase)
        for heading, phase in space.layer_labels
        for row in range(space.shape[0])
        for col in range(space.shape[1])
    ]


# --- merged, whole board, reverse ---


@pytest.mark.parametrize("seed", range(15))
def test_several_starts_give_the_least_cost_from_any(seed):
    space = random_space(np.random.default_rng(seed))
    if space.pass_ is not None:
        space = replace(space, pass_=None)  # a start may be left though not passable, which would tell them apart
    merged = search(space).full()
    alone = [search_graph(replace(space, starts=(start,))).full() for start in space.starts]
    assert np.array_equal(merged, np.min(alone, axis=0))


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(15))
def test_the_transpose_gives_what_is_still_to_be_paid(seed):
    rng = np.random.default_rng(seed)
    space = random_space(rng, largest=6)
    goals = [space.state_at(int(rng.integers(space.layers)), *rng.integers(space.shape).tolist()) for _ in range(2)]
    back = search(reversed_space(space, goals)).full()
    for engine in ("numpy", "networkx"):
        assert np.array_equal(back, search(reversed_space(space, goals), engine).full())
    ends = [
        goal
        for goal in goals
        if (mask := space.holds("end", space.layer_of(goal.heading, goal.phase))) is None or mask[goal.row, goal.col]
    ]
    for state in states(space):
        onward = search_graph(replace(space, starts=(Start(*state),)))
        expected = min((onward.at(*goal) for goal in ends), default=UNREACHED)
        assert back[space.layer_of(state.heading, state.phase), state.row, state.col] == expected


def test_the_transpose_of_the_transpose_is_the_space():
    space = movers(np.random.default_rng(1))[1]
    twice = reversed_space(reversed_space(space, []), [])
    assert twice.steps == space.steps


# --- the graph ---


def test_the_graph_carries_price_step_and_name_and_may_be_cut_to_a_window():
    steps = [MoveStep("walk", 0, 1, cost=2), MoveStep("run", 0, 1), MoveStep("dash", 0, 1)]
    space = MoveSpace((1, 4), steps, starts=[Start(0, 0)], budget=9)
    graph = to_networkx(space)
    assert graph.edges[MoveState(0, 0), MoveState(0, 1)] == {"weight": 1, "step": steps[1], "name": "run"}
    assert sorted(to_networkx(space, Window(0, 1, 1, 2))) == [MoveState(0, 1), MoveState(0, 2)]
    assert nx.shortest_path_length(graph, MoveState(0, 0), MoveState(0, 3), weight="weight") == 3


@pytest.mark.parametrize("seed", range(10))
def test_networkx_gives_routes_too(seed):
    space = movers(np.random.default_rng(seed))[1]
    reference, kernel = search_graph(space), search(space)
    for layer, row, col in np.argwhere(reference.full() < UNREACHED).tolist():
        state = space.state_at(layer, row, col)
        assert reference.trace(state).cost == kernel.trace(state).cost
    with pytest.raises(NoRoute):
        reference.trace(MoveState(-1, 0, 0, "ran"))


# --- routes by way of waypoints ---


def layered_route_cost(space, goals, via):
    """Dijkstra on states with the number of waypoints passed: the obvious way, with networkx."""
    starts = {start.state for start in space.starts}
    graph = nx.DiGraph()

    def on(state, place):
        return state == place if isinstance(place, MoveState) else state[:2] == place

    for state in states(space):
        passable = space.holds("pass_", space.layer_of(state.heading, state.phase))
        open_here = state in starts or passable is None or passable[state.row, state.col]
        for passed in range(len(via) + 1):
            for _, target, price in legal_steps(space, state, state in starts):
                graph.add_edge((state, passed), (target, passed), weight=price)
            if passed < len(via) and on(state, via[passed]) and open_here:
                graph.add_edge((state, passed), (state, passed + 1), weight=0)
    for start in space.starts:
        known = graph.get_edge_data("source", (start.state, 0), {"weight": start.paid})
        graph.add_edge("source", (start.state, 0), weight=min(start.paid, known["weight"]))
    lengths = nx.single_source_dijkstra_path_length(graph, "source", cutoff=space.budget)
    costs = []
    for state in states(space):
        may_end = space.holds("end", space.layer_of(state.heading, state.phase))
        allowed = (state in starts and space.start_is_end) or may_end is None or may_end[state.row, state.col]
        if allowed and any(on(state, goal) for goal in goals) and (state, len(via)) in lengths:
            costs.append(lengths[state, len(via)])
    return min(costs, default=None)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mover", [walker, root_two])
def test_the_route_to_one_place_is_that_of_a_search_of_everything(kind, mover):
    rng = np.random.default_rng(KINDS.index(kind))
    space = mover(thin_board(rng, kind, size=30))
    prepared = Prepared(space)
    free = np.argwhere(space.planes["ground"] > 0)
    starts = [Start(*free[rng.integers(len(free))].tolist(), None, space.phases[0]) for _ in range(2)]
    whole = prepared.search(starts, None)
    for row, col in free[rng.integers(len(free), size=12)].tolist():
        cost = whole.at(row, col)
        if cost == UNREACHED:
            with pytest.raises(NoRoute):
                route(prepared, [(row, col)], starts=starts, budget=None)
            continue
        expected = whole.trace(whole.cheapest_state(row, col))
        for budget in (None, cost):
            assert route(prepared, [(row, col)], starts=starts, budget=budget) == expected
        if cost:
            with pytest.raises(NoRoute):
                route(prepared, [(row, col)], starts=starts, budget=cost - 1)


def test_without_starts_there_is_no_route(make):
    with pytest.raises(NoRoute):
        route(make(walker(np.ones((3, 3), int))), [(1, 1)])


@pytest.mark.parametrize("seed", range(120))
def test_routes_to_any_of_several_places_by_way_of_waypoints(seed, make):
    rng = np.random.default_rng(seed)
    space = random_space(rng, largest=5) if seed % 3 else movers(rng, (5, 6), 14)[seed % 2]
    space = replace(space, budget=2 * space.budget)

    def place():
        cell = tuple(rng.integers(space.shape).tolist())
        return space.state_at(int(rng.integers(space.layers)), *cell) if rng.random() < 0.3 else cell

    goals = [place() for _ in range(rng.integers(1, 4))]
    via = [place() for _ in range(rng.integers(0, 3))]
    expected = layered_route_cost(space, goals, via)
    if expected is None:
        with pytest.raises(NoRoute):
            route(make(space), goals, via=via)
        return
    found = route(make(space), goals, via=via)
    assert found.cost == expected
    starts = {start.state for start in space.starts}
    here, spent = found.start.state, found.start.paid
    for line in found.lines:
        assert (line.step, line.state, line.price) in list(legal_steps(space, here, here in starts))
        here, spent = line.state, spent + line.price
        assert line.cost == spent
    visited = list(found.states)
    for waypoint in via:
        while not (visited[0] == waypoint if isinstance(waypoint, MoveState) else visited[0][:2] == waypoint):
            visited.pop(0)


def test_a_waypoint_keeps_the_parity_of_diagonals(make):
    space = walker(np.ones((6, 6), int), starts=[Start(0, 0, None, "even")], budget=20)
    prepared = make(space)
    straight, with_stop = route(prepared, [(4, 4)]), route(prepared, [(4, 4)], via=[(1, 1), (3, 3)])
    assert straight.cost == with_stop.cost == 6
    assert [line.price for line in with_stop.lines] == [1, 2, 1, 2]


def test_a_waypoint_that_may_not_be_passed_is_not_gone_through(make):
    enemies = np.zeros((2, 6), bool)
    enemies[1, 3] = True
    prepared = make(soldier(np.ones((2, 6), int), enemies, starts=[Start(0, 0)], budget=20))
    assert route(prepared, [(0, 3)]).cost == 3
    with pytest.raises(NoRoute, match="by way of waypoint 1"):
        route(prepared, [(0, 0)], via=[(0, 3)])


def test_a_route_says_which_waypoint_or_goal_is_out_of_reach(make):
    prepared = make(walker(np.ones((6, 6), int), starts=[Start(0, 0, None, "even")], budget=3))
    with pytest.raises(NoRoute, match=r"by way of waypoint 2, \(5, 5\)"):
        route(prepared, [(0, 0)], via=[(1, 1), (5, 5)])
    with pytest.raises(NoRoute, match=r"to any of \(5, 5\) or \(4, 4\) within the budget"):
        route(prepared, [(5, 5), (4, 4)])
    with pytest.raises(MoveSpaceError, match=r"\(9, 0\) is not on the board"):
        route(prepared, [(9, 0)])
    assert route(prepared, [(5, 5)], budget=None).cost == 7


def test_queries_may_have_no_start_at_all(make):
    space = walker(np.ones((3, 3), int))
    assert (make(space).search_many([Query([], 3)])[0].full() == UNREACHED).all()
    assert Prepared(space).search_many([Query([], 3)]).cells(0)[1].tolist() == [[UNREACHED]]
