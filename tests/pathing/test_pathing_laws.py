"""What must hold whatever the board: more budget loses nothing, a mirror image is a mirror image ..."""

from dataclasses import replace

import numpy as np
import pytest
from movers import HEXES, board, movers, set_out_from, soldier, vehicle, walker
from spaces import ends_of, random_space

from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.move_space import UNREACHED, MoveSpace, MoveState, MoveStep, Start
from simulator.pathing.reference import legal_steps
from simulator.pathing.search import search
from simulator.pathing.traces import NoRoute

SEEDS = range(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_more_budget_loses_no_place_and_makes_none_dearer(seed):
    for space in movers(np.random.default_rng(seed)):
        prepared = Prepared(space)
        before = prepared.search(budget=0).full()
        for budget in range(1, 9):
            after = prepared.search(budget=budget).full()
            assert (after <= before).all()
            assert np.array_equal(after[before < UNREACHED], before[before < UNREACHED])
            before = after


@pytest.mark.parametrize("seed", SEEDS)
def test_a_mirrored_or_turned_board_gives_a_mirrored_or_turned_reach(seed):
    rng = np.random.default_rng(seed)
    ground = board(rng, (10, 10))
    row, col = rng.integers(10, size=2).tolist()
    full = search(walker(ground, starts=[Start(row, col, None, "even")], budget=9)).full()
    mirrored = search(walker(ground[:, ::-1], starts=[Start(row, 9 - col, None, "even")], budget=9)).full()
    turned = search(walker(np.rot90(ground), starts=[Start(9 - col, row, None, "even")], budget=9)).full()
    assert np.array_equal(mirrored, full[:, :, ::-1])
    assert np.array_equal(turned, np.rot90(full, axes=(1, 2)))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_hex_board_turned_by_180_degrees_turns_the_headings_too(seed):
    rng = np.random.default_rng(seed)
    ground = board(rng, (9, 9))
    full = search(vehicle(ground, starts=[Start(4, 3, 60, "turned")], budget=9)).full()
    turned = search(vehicle(ground[::-1, ::-1], starts=[Start(4, 5, 240, "turned")], budget=9)).full()
    by_heading = full.reshape(2, 6, 9, 9)
    assert np.array_equal(turned.reshape(2, 6, 9, 9)[:, [3, 4, 5, 0, 1, 2], ::-1, ::-1], by_heading)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_new_obstacle_adds_no_place_and_makes_none_cheaper(seed):
    rng = np.random.default_rng(seed)
    for space in movers(rng):
        start = space.starts[0]
        before = search(space).full()
        ground = space.planes["ground"].copy()
        ground[rng.random(ground.shape) < 0.1] = -1
        ground[start.row, start.col] = space.planes["ground"][start.row, start.col]
        after = search(replace(space, planes={"ground": ground})).full()
        assert (after >= before).all()


@pytest.mark.parametrize("seed", SEEDS)
def test_twice_the_costs_and_twice_the_budget_change_nothing(seed):
    space = random_space(np.random.default_rng(seed))
    doubled = replace(
        space,
        steps=tuple(replace(step, cost=2 * step.cost) for step in space.steps),
        planes={**space.planes, "extra": np.where(space.planes["extra"] < 0, -1, 2 * space.planes["extra"])},
        starts=tuple(start._replace(paid=2 * start.paid) for start in space.starts),
        budget=2 * space.budget,
    )
    once, twice = search(space), search(doubled)
    assert np.array_equal(np.where(once.full() < UNREACHED, 2 * once.full(), UNREACHED), twice.full())
    assert ends_of(once) == ends_of(twice)


@pytest.mark.parametrize("seed", range(40))
def test_every_route_adds_up_line_by_line_and_each_line_is_a_legal_step(seed):
    space = random_space(np.random.default_rng(seed), budget_none=seed % 4 == 0)
    costs = search(space)
    starts = {start.state for start in space.starts}
    for place in np.argwhere(costs.full() < UNREACHED).tolist():
        state = space.state_at(*place)
        trace = costs.trace(state)
        assert trace.state == state
        assert trace.cost == costs.at(*state)
        assert trace.start.state in starts
        assert trace.start.paid == min(start.paid for start in space.starts if start.state == trace.start.state)
        here, spent = trace.start.state, trace.start.paid
        for line in trace.lines:
            lawful = [(s, target, price) for s, target, price in legal_steps(space, here, here in starts)]
            assert (line.step, line.state, line.price) in lawful
            here, spent = line.state, spent + line.price
            assert line.cost == spent
        assert len(set(trace.states)) == len(trace.states)


def fewest_turns(space, costs, goal):
    """The fewest changes of heading, then steps, of any cheapest route, by enumeration."""
    starts = {start.state: start.paid for start in space.starts}
    best = {state: (0, 0) for state, paid in starts.items() if costs.at(*state) == paid}
    grown = True
    while grown:
        grown = False
        for state, (turns, steps) in list(best.items()):
            for step, target, price in legal_steps(space, state, state in starts):
                if costs.at(*state) + price == costs.at(*target):
                    effort = (turns + step.turns, steps + 1)
                    if effort < best.get(target, (10**9, 0)):
                        best[target] = effort
                        grown = True
    return best[goal]


@pytest.mark.parametrize("seed", range(20))
def test_of_equally_cheap_routes_the_one_with_fewest_turns_and_then_fewest_steps_is_given(seed):
    rng = np.random.default_rng(seed)
    space = random_space(rng, largest=5) if seed % 2 else movers(rng, (5, 6))[1]
    costs = search(space)
    for place in np.argwhere(costs.full() < UNREACHED).tolist()[:25]:
        state = space.state_at(*place)
        trace = costs.trace(state)
        assert (sum(line.step.turns for line in trace.lines), len(trace.lines)) == fewest_turns(space, costs, state)


def test_a_longer_route_without_a_turn_is_preferred_to_a_shorter_one_with_turns():
    steps = [
        MoveStep("walk", 0, 1, from_heading="slow", to_heading="slow"),
        MoveStep("leap", 0, 8, from_heading="fast", to_heading="fast", cost=8),
        MoveStep("speed up", 0, 0, from_heading="slow", to_heading="fast", cost=0),
        MoveStep("slow down", 0, 0, from_heading="fast", to_heading="slow", cost=0),
    ]
    costs = search(MoveSpace((1, 9), steps, ("slow", "fast"), starts=[Start(0, 0, "slow")], budget=8))
    assert [line.step.name for line in costs.trace(MoveState(0, 8, "slow")).lines] == ["walk"] * 8
    assert [line.step.name for line in costs.trace(MoveState(0, 8, "fast")).lines] == ["speed up", "leap"]


def test_of_several_last_steps_the_first_of_the_table_is_taken():
    steps = [
        MoveStep("walk", 0, 1),
        MoveStep("jump", 0, 2, cost=2),
        MoveStep("hop", 0, 1),
        MoveStep("leap", 0, 2, cost=2),
    ]
    trace = search(MoveSpace((1, 5), steps, starts=[Start(0, 0)], budget=9)).trace(MoveState(0, 4))
    assert [line.step.name for line in trace.lines] == ["jump", "jump"]
    assert [line.cost for line in trace.lines] == [2, 4]


def test_no_route_says_so():
    costs = search(MoveSpace((1, 5), [MoveStep("walk", 0, 1)], starts=[Start(0, 0)], budget=2))
    with pytest.raises(NoRoute, match=r"no route to \(0, 3, None, ''\) within the budget"):
        costs.trace(MoveState(0, 3))
    with pytest.raises(NoRoute, match=r"no route to \(0, 4\)"):
        costs.cheapest_state(0, 4)
    assert costs.cheapest_state(0, 2) == MoveState(0, 2)
    with pytest.raises(NoRoute):
        search(MoveSpace((1, 2), [MoveStep("walk", 0, 1)], budget=2)).trace(MoveState(0, 0))


# --- units in odd places ---


def test_a_unit_that_starts_blocked_may_still_walk_off():
    ground = np.ones((5, 5), int)
    ground[2, 2] = -1
    costs = search(walker(ground, starts=[Start(2, 2, None, "even")], budget=2))
    assert costs.at(2, 2) == 0
    assert costs.at(2, 3) == 1
    assert MoveState(2, 2, None, "even") in ends_of(costs)


def test_a_unit_on_forbidden_ground_is_there_but_can_not_turn_on_the_spot_or_come_back():
    ground = np.ones((5, 5), int)
    enter = np.ones((5, 5), bool)
    enter[2, 2] = False
    space = vehicle(ground, enter=enter, starts=[Start(2, 2, 0, "ran")], budget=9)
    costs = search(space)
    assert [costs.at(2, 2, heading, "turned") for heading in HEXES] == [UNREACHED] * 6
    assert costs.at(2, 2, 0, "ran") == 0
    assert costs.at(2, 3, 0, "ran") == 1


def test_a_surrounded_unit_stays_where_it_is():
    ground = np.full((5, 5), -1)
    ground[2, 2] = 1
    for budget in (0, 7, None):
        costs = search(walker(ground, starts=[Start(2, 2, None, "even")], budget=budget))
        assert ends_of(costs) == {MoveState(2, 2, None, "even")}
        assert costs.trace(MoveState(2, 2, None, "even")).lines == ()


def test_units_in_every_corner_and_on_every_edge():
    ground = board(np.random.default_rng(2), (7, 8), values=(1, 2))
    space = walker(ground, starts=[Start(0, 0, None, "even")], budget=5)
    prepared = Prepared(space)
    for row, col in [(0, 0), (0, 7), (6, 0), (6, 7), (0, 3), (6, 3), (3, 0), (3, 7)]:
        here = set_out_from(space, row, col)
        assert np.array_equal(prepared.search(here.starts).full(), search(here, "networkx").full())


def test_a_unit_in_a_zone_of_control_may_leave_it_but_not_walk_through_another():
    ground = np.ones((1, 8), int)
    enemies = np.zeros((1, 8), bool)
    enemies[0, 7] = True
    open_board = soldier(ground, enemies, starts=[Start(0, 6)], budget=9)
    assert search(open_board).at(0, 0) == 6
    enemies[0, 0] = True
    assert search(soldier(ground, enemies, starts=[Start(0, 6)], budget=9)).at(0, 1) == 5
    wall = np.zeros((3, 8), bool)
    wall[0, 3] = wall[2, 3] = True
    costs = search(soldier(np.ones((3, 8), int), wall, starts=[Start(1, 0)], budget=20))
    assert costs.at(1, 3) == 3
    assert costs.at(1, 4) == UNREACHED


def test_whether_a_start_is_an_end_is_for_the_flag_and_the_mask_to_say():
    end = np.zeros((1, 3), bool)
    end[0, 2] = True
    space = MoveSpace((1, 3), [MoveStep("east", 0, 1)], end=end, starts=[Start(0, 0)], budget=2)
    assert ends_of(search(space)) == {MoveState(0, 0), MoveState(0, 2)}
    assert ends_of(search(replace(space, start_is_end=False))) == {MoveState(0, 2)}


def test_nobody_and_a_start_beyond_the_budget_reach_nothing():
    space = MoveSpace((2, 3), [MoveStep("east", 0, 1)], budget=2)
    for starts in ((), (Start(0, 0, paid=3),)):
        for engine in ("numpy", "networkx"):
            costs = search(replace(space, starts=starts), engine)
            assert (costs.full() == UNREACHED).all()
            assert ends_of(costs) == set()


def test_free_turns_in_a_circle_end():
    headings = (0, 90, 180, 270)
    offsets = {0: (0, 1), 90: (-1, 0), 180: (0, -1), 270: (1, 0)}
    steps = [MoveStep("go", *offsets[h], from_heading=h, to_heading=h, plane="ground") for h in headings]
    steps += [MoveStep("turn", 0, 0, from_heading=h, to_heading=(h + 90) % 360, cost=0) for h in headings]
    ground = np.array([[1, 0, 1], [0, -1, 0], [1, 0, 0]])
    space = MoveSpace((3, 3), steps, headings, planes={"ground": ground}, starts=[Start(0, 0, 0)], budget=3)
    for method in ("wide", "words", "relax"):
        costs = Prepared(space).search(method=method)
        assert np.array_equal(costs.full(), search(space, "networkx").full())
    trace = costs.trace(MoveState(2, 2, 0))
    assert trace.cost == 1
    assert sum(line.step.turns for line in trace.lines) <= 4
