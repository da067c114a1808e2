"""The kernel against networkx, and both against plain enumeration, with every feature in play."""

import pickle
from dataclasses import replace

import numpy as np
import pytest
from executors import able, each_set
from hypothesis import example, given, settings
from hypothesis import strategies as st
from movers import board, movers, vehicle, walker
from spaces import ends_of, played_out_costs, played_out_ends, random_space, with_odd_prices

from simulator.pathing.kernel import contraction
from simulator.pathing.kernel.compile import MOST_CLASSES, MOST_LEVELS_BACK
from simulator.pathing.kernel.fast import compiled
from simulator.pathing.kernel.prepared import Prepared, Query
from simulator.pathing.move_space import UNREACHED, MoveSpace, MoveSpaceError, MoveStep, Start
from simulator.pathing.search import prepared, search


@pytest.fixture(scope="module", autouse=True)
def contractions_with_hardly_any_core():
    """On boards as small as these nothing but the core would be left."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(contraction, "CORE_STATES", 4)
        yield


@pytest.fixture
def numpy_alone(monkeypatch):
    """Searches are as without numba, whatever earlier ones in this process have taken."""
    monkeypatch.setattr(compiled, "wish", "no")
    monkeypatch.setattr(compiled, "is_used", False)


def every_executor(prepared, methods):
    """The answers of those executors that can give one, and of the one that is chosen."""
    yield prepared.search()
    for method in able(prepared, methods):
        costs = prepared.search(method=method)
        assert costs.method in (method, "")
        yield costs


def same_everywhere(space, methods):
    expected = search(space, "networkx")
    for costs in every_executor(Prepared(space), methods):
        assert np.array_equal(costs.full(), expected.full())
        assert ends_of(costs) == ends_of(expected)
    return expected


@each_set
@pytest.mark.sampled
@pytest.mark.parametrize("block", range(10))
def test_every_executor_agrees_with_networkx(block, methods):
    for seed in range(100 * block, 100 * block + 100):
        rng = np.random.default_rng(seed)
        same_everywhere(random_space(rng, budget_none=seed % 5 == 0), methods)


@pytest.mark.sampled("numba")
@each_set
@settings(deadline=None, max_examples=150)
@example(seed=4872, endless=False, zero_costs=False)  # no step that any ground allows
@given(seed=st.integers(0, 2**32), endless=st.booleans(), zero_costs=st.booleans())
def test_every_executor_agrees_with_networkx_wherever_hypothesis_looks(seed, endless, zero_costs, methods):
    rng = np.random.default_rng(seed)
    same_everywhere(random_space(rng, budget_none=endless, zero_costs=zero_costs, largest=6), methods)


@each_set
@pytest.mark.sampled
@pytest.mark.parametrize("block", range(4))
def test_both_engines_agree_with_playing_out_every_sequence_of_steps(block, methods):
    for seed in range(7000 + 50 * block, 7050 + 50 * block):
        space = random_space(np.random.default_rng(seed), largest=5)
        expected = same_everywhere(space, methods)
        assert np.array_equal(expected.full(), played_out_costs(space))
        assert ends_of(expected) == played_out_ends(space)


@each_set
@pytest.mark.parametrize("seed", range(12))
def test_the_example_movers(seed, methods):
    for space in movers(np.random.default_rng(seed)):
        expected = same_everywhere(space, methods)
        assert np.array_equal(expected.full(), played_out_costs(space))


@each_set
@pytest.mark.parametrize("seed", range(30))
def test_every_executor_agrees_with_networkx_on_long_rows(seed, methods):
    same_everywhere(random_space(np.random.default_rng(seed), budget_none=seed % 5 == 0, long=True), methods)


@each_set
@pytest.mark.sampled
@pytest.mark.parametrize("block", range(6))
def test_every_executor_agrees_with_networkx_on_odd_prices(block, methods):
    """One query and many, whatever the prices: without a common divisor, far apart, hardly in 64 bits."""
    for seed in range(40 * block, 40 * block + 40):
        rng = np.random.default_rng([seed, 3])
        space = with_odd_prices(rng, random_space(rng, largest=7))
        expected = same_everywhere(space, methods).full()
        prepared = Prepared(space)
        for by_state in (False, True):
            (found,) = prepared.search_many([Query(space.starts, space.budget)], by_state=by_state)
            assert np.array_equal(found.full(), expected)


@pytest.mark.parametrize("budget", [0, 3, None])
@pytest.mark.parametrize("price", [MOST_LEVELS_BACK, MOST_LEVELS_BACK + 1, 10**9, 2**53])
def test_a_price_too_high_for_levels_is_counted_without_them(price, budget):
    """As many sets of cells would be kept in memory as the dearest step costs ticks, whatever the budget."""
    ground = np.ones((3, 5), int)
    ground[1, 2] = price
    space = walker(ground, starts=[Start(1, 0, None, "even")], budget=budget)
    prepared = Prepared(space)
    assert max(prepared.plan.memory) <= MOST_LEVELS_BACK
    assert prepared.plan.has_bits == (2 * price <= MOST_LEVELS_BACK)
    assert np.array_equal(prepared.search().full(), search(space, "networkx").full())


@pytest.mark.parametrize("budget", [10**17, None])
@pytest.mark.parametrize("paid", [10**6, 10**9, 10**16])
def test_starts_paid_far_apart_are_not_counted_level_by_level(paid, budget):
    """Nothing is reached for all that lies between what the first start leads to and the second one."""
    ground = np.array([[1, -1, 1], [-1, -1, 1], [1, 1, 1]])
    starts = [Start(0, 0, None, "even"), Start(2, 2, None, "even", paid)]
    prepared = Prepared(walker(ground, starts=starts, budget=budget))
    for costs in (prepared.search(), *prepared.search_many([Query(starts, budget)])):
        assert costs.method in ("waves", "relax", "buckets")
        assert [costs.at(*cell) for cell in ((0, 0), (0, 2), (2, 0))] == [0, paid + 2, paid + 2]


@each_set
def test_a_start_beyond_the_budget_is_none(methods):
    """Reached from another start it is a state like any other: it may be impassable, and no end."""
    space = MoveSpace((1, 4), [MoveStep("east", 0, 1)], starts=[Start(0, 0), Start(0, 1, paid=9)], budget=3)
    impassable = replace(space, pass_=np.array([[True, False, True, True]]))
    no_end = replace(space, end=np.array([[False, False, True, False]]))
    for one in (impassable, no_end):
        expected = same_everywhere(one, methods)
        assert np.array_equal(expected.full(), played_out_costs(one))
        assert ends_of(expected) == played_out_ends(one)
    assert search(impassable).at(0, 2) == UNREACHED
    assert {state.col for state in ends_of(search(no_end))} == {0, 2}


@each_set
def test_a_start_that_nobody_may_pass_has_a_step_beyond_all_that_can_be_paid(methods):
    """Its first steps are made apart; the leap leads out of the part of the board that is searched."""
    steps = [MoveStep("step", 0, 1), MoveStep("leap", 0, 30, cost=50), MoveStep("leap back", 0, -30, cost=50)]
    for column, budget in ((2, 3), (38, 49), (20, None), (5, 50)):
        passable = np.arange(40)[None] != column
        same_everywhere(MoveSpace((1, 40), steps, starts=[Start(0, column)], budget=budget, pass_=passable), methods)


@each_set
@pytest.mark.parametrize("seed", range(6))
def test_windows_of_several_words_carry_from_word_to_word(seed, methods):
    rng = np.random.default_rng(seed)
    ground = board(rng, (4, 150))
    jump = MoveStep("jump", 1, -67, cost=2, from_phase="even", to_phase="odd", plane="ground")
    space = walker(ground, starts=[Start(1, int(rng.integers(150)), None, "even")], budget=[None, 70, 33][seed % 3])
    same_everywhere(replace(space, steps=(*space.steps, jump)), methods)


@each_set
@pytest.mark.parametrize("seed", range(40))
def test_many_queries_are_answered_as_each_alone(seed, methods):
    rng = np.random.default_rng(seed)
    space = random_space(rng, largest=20, budget_none=seed % 6 == 0, long=seed % 2 == 1)
    prepared = Prepared(space)

    def start():
        paid = space.starts[0].paid if rng.random() < 0.3 else 0
        heading, phase = space.layer_labels[rng.integers(space.layers)]
        return Start(int(rng.integers(space.shape[0])), int(rng.integers(space.shape[1])), heading, phase, paid)

    queries = [
        Query([start() for _ in range(rng.integers(0, 3))], space.budget and int(rng.integers(space.budget + 1)))
        for _ in range(rng.integers(1, 7))
    ]
    expected = [
        search(replace(space, starts=tuple(query.starts), budget=query.budget), "networkx").full() for query in queries
    ]
    finer = any((s.paid - t.paid) % prepared.plan.tick for query in queries for s in query.starts for t in query.starts)
    for method in [one for one in methods if one == "relax"] if finer else able(prepared, methods, ()):
        for by_state in (False, True):
            batch = prepared.search_many(queries, by_state=by_state, method=method)
            assert len(batch) == len(queries)
            for number, costs in enumerate(batch):
                assert np.array_equal(costs.full(), expected[number])
                window, cells = batch.cells(number)
                whole = np.full((1, *space.shape), UNREACHED)
                for (row, col), cost in np.ndenumerate(cells):
                    if cost < UNREACHED:
                        whole[0, row + window.row, col + window.col] = cost
                assert np.array_equal(whole[0], expected[number].min(axis=0))


def test_a_batch_larger_than_one_part_and_of_an_odd_size():
    rng = np.random.default_rng(5)
    ground = board(rng, (60, 70))
    prepared = Prepared(walker(ground))
    cells = [(int(rng.integers(60)), int(rng.integers(70))) for _ in range(333)]
    queries = [Query([Start(*cell, None, "even")], 12) for cell in cells]
    batch = prepared.search_many(queries, by_state=True, method="words")
    for query, costs in zip(queries, batch, strict=True):
        assert np.array_equal(costs.full(), prepared.search(query.starts, 12, method="wide").full())
    assert [np.array_equal(costs.full(), batch[i].full()) for i, costs in enumerate(batch[1:3], start=1)] == [
        True,
        True,
    ]


@each_set
@pytest.mark.parametrize("seed", range(30))
def test_other_masks_on_a_prepared_board(seed, methods):
    rng = np.random.default_rng(seed)
    space, other = (random_space(np.random.default_rng(seed)) for _ in range(2))
    shape = (len(space.phases), len(space.headings), *space.shape) if rng.random() < 0.3 else space.shape
    masks = {name: rng.random(shape) < 0.7 for name in ("enter", "pass_", "end", "leave")}
    changed = Prepared(space).with_masks(**masks)
    expected = search(replace(other, **masks), "networkx")
    for costs in every_executor(changed, methods):
        assert np.array_equal(costs.full(), expected.full())
        assert ends_of(costs) == ends_of(expected)


@pytest.mark.parametrize("engine", ["numpy", "networkx"])
def test_no_more_than_masks_can_be_changed(engine):
    ready = prepared(walker(np.ones((2, 2), int), budget=2), engine)
    with pytest.raises(MoveSpaceError, match="steps: no such mask \\(known: enter, pass_, end, leave\\)"):
        ready.with_masks(steps=())


@pytest.mark.usefixtures("numpy_alone")
def test_many_prices_are_searched_without_bits():
    rng = np.random.default_rng(3)
    ground = rng.permutation(np.arange(20 * 20)).reshape(20, 20)
    space = walker(ground, starts=[Start(9, 9, None, "even")], budget=900)
    prepared = Prepared(space)
    assert ground.size > MOST_CLASSES
    assert not prepared.plan.has_bits
    assert prepared.search().method == "waves"
    assert prepared.search_many([Query(space.starts, 900)] * 64).method == "relax"
    assert np.array_equal(prepared.search().full(), search(space, "networkx").full())
    with pytest.raises(MoveSpaceError, match="'wide' cannot answer this: too many prices"):
        prepared.search(method="wide")


@pytest.mark.parametrize("seed", range(10))
def test_costs_far_beyond_32_bits_are_exact(seed):
    rng = np.random.default_rng(seed)
    ground = board(rng, (5, 6)) * 10**13
    ground[ground > 0] += rng.integers(0, 3, ground.shape)[ground > 0]
    space = walker(ground, starts=[Start(2, 2, None, "even", paid=10**14)], budget=2 * 10**14)
    assert np.array_equal(search(space).full(), search(space, "networkx").full())
    assert np.array_equal(
        search(replace(space, budget=None)).full(), search(replace(space, budget=None), "networkx").full()
    )


def test_starts_paid_in_between_two_prices():
    space = walker(np.full((5, 5), 10), budget=40, starts=[Start(0, 0, None, "even"), Start(4, 4, None, "even", 3)])
    prepared = Prepared(space)
    costs = prepared.search()
    assert (costs.method, costs.tick) == ("relax", 1)
    assert np.array_equal(costs.full(), search(space, "networkx").full())
    with pytest.raises(MoveSpaceError, match="starts are paid in finer steps than any price; 'relax' can"):
        prepared.search(method="words")


@pytest.mark.usefixtures("numpy_alone")
def test_the_choice_follows_the_size_of_the_question():
    rng = np.random.default_rng(0)
    prepared = Prepared(walker(rng.choice([-1, 1, 1, 2], size=(300, 300))))
    start = [Start(150, 150, None, "even")]
    assert prepared.search(start, 12).method == "wide"
    assert prepared.search(start, None).method == "words"
    assert prepared.search_many([Query(start, 12)] * 64).method == "words"
    fine = Prepared(walker(rng.choice([-1, 1000, 1001, 1999], size=(60, 60))))
    assert fine.search([Start(30, 30, None, "even")], 24000).method == "waves"
    assert fine.search_many([Query([Start(30, 30, None, "even")], 24000)] * 64).method == "relax"


def test_unknown_executors_and_engines_are_refused():
    space = MoveSpace((2, 2), [MoveStep("e", 0, 1)], starts=[Start(0, 0)], budget=1)
    with pytest.raises(
        MoveSpaceError,
        match=r"no such executor: 'gpu' \(known: wide, words, relax, waves, shortcuts, levels, buckets\)",
    ):
        Prepared(space).search(method="gpu")
    with pytest.raises(MoveSpaceError, match="no such engine"):
        search(space, "igraph")


def test_a_batch_refuses_a_start_off_the_board():
    prepared = Prepared(MoveSpace((2, 2), [MoveStep("e", 0, 1)]))
    with pytest.raises(MoveSpaceError, match=r"\(2, 0\) is not on the board"):
        prepared.search_many([Query([Start(0, 0)], 1), Query([Start(2, 0)], 1)])


def test_a_prepared_space_travels_to_another_process():
    prepared = Prepared(walker(np.ones((4, 4), int), starts=[Start(0, 0, None, "even")], budget=3))
    there = pickle.loads(pickle.dumps(prepared))
    assert np.array_equal(there.search().full(), prepared.search().full())
    assert not there.space.planes["ground"].flags.writeable


def test_the_written_plan_reads_like_the_formulas():
    source = Prepared(vehicle(np.ones((8, 8), int))).source
    assert "def flood(ticks, width, masks, doors, due):" in source
    assert source.count(" & ") >= 12


def test_the_cells_of_an_answer_and_how_to_ask_for_them():
    space = walker(np.ones((3, 4), int), starts=[Start(0, 0, None, "even")], budget=3)
    costs = search(space)
    assert costs.at(1, 1) == 1
    assert costs.at(1, 1, None, "odd") == 1
    assert costs.at(1, 1, None, "even") == 2
    assert costs.at(2, 3) == UNREACHED
    assert costs.at(-1, 0) == costs.at(50, 50) == UNREACHED
    assert costs.cells[costs.window.row * -1 + 1, 1 - costs.window.col] == 1
    assert costs.full().shape == (2, 3, 4)
