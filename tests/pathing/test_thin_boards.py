"""Mazes, rooms and caves: the searches made for them find what networkx finds, and are chosen where they pay."""

from dataclasses import replace

import numpy as np
import pytest
from executors import able, each_set
from movers import vehicle, walker
from spaces import ends_of
from thin_boards import KINDS, maze, rooms, root_two, thin_board

from simulator.pathing.kernel import contraction
from simulator.pathing.kernel import prepared as kernel
from simulator.pathing.kernel.prepared import Prepared, Query
from simulator.pathing.move_space import MoveSpaceError, Start
from simulator.pathing.search import search

MOVERS = [walker, root_two]


def somewhere(rng, space, count=1, paid=(0,)):
    """Starts on open ground, in any heading and phase."""
    free = np.argwhere(space.planes["ground"] > 0)
    labels = space.layer_labels
    return tuple(
        Start(*free[rng.integers(len(free))].tolist(), *labels[rng.integers(len(labels))], paid=int(rng.choice(paid)))
        for _ in range(count)
    )


def fitting(mover, methods):
    """Counting in levels of 1/985 of a step would take minutes."""
    return [method for method in methods if mover is walker or method not in ("wide", "words")]


def same_everywhere(space, methods):
    expected = search(space, "networkx")
    prepared, known = Prepared(space), Prepared(space)
    known.contract()
    answers = [prepared.search(method=method) for method in able(prepared, methods)]
    for costs in (*answers, prepared.search(), known.search()):
        assert np.array_equal(costs.full(), expected.full()), costs.method
        assert ends_of(costs) == ends_of(expected)


@pytest.fixture(params=[4, contraction.CORE_STATES], ids=["hardly any core", "the usual core"])
def _core(request, monkeypatch):
    monkeypatch.setattr(contraction, "CORE_STATES", request.param)


@each_set
@pytest.mark.usefixtures("_core")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mover", MOVERS)
@pytest.mark.parametrize("seed", range(3))
def test_every_executor_agrees_with_networkx_on_thin_boards(kind, mover, seed, methods):
    rng = np.random.default_rng([seed, KINDS.index(kind)])
    space = mover(thin_board(rng, kind))
    unit = 1 if mover is walker else 985
    starts = somewhere(rng, space, 1 + seed, (0, 2 * unit, 7 * unit))
    for budget in (None, 30 * unit):
        same_everywhere(replace(space, starts=starts, budget=budget), fitting(mover, methods))


@each_set
@pytest.mark.usefixtures("_core")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mover", MOVERS)
@pytest.mark.parametrize("by_state", [False, True])
def test_masks_on_thin_boards(kind, mover, by_state, methods):
    """Starts that only they may leave, states not to be entered, left or ended in."""
    rng = np.random.default_rng([KINDS.index(kind), by_state])
    space = mover(thin_board(rng, kind, size=18))
    shape = (len(space.phases), len(space.headings), *space.shape) if by_state else space.shape
    masks = {name: rng.random(shape) < 0.93 for name in ("enter", "pass_", "end", "leave")}
    starts = somewhere(rng, space, 3, (0, 5))
    for start in starts:
        masks["pass_"][..., start.row, start.col] = False
        masks["leave"][..., start.row, start.col] = True
    same_everywhere(replace(space, starts=starts, start_is_end=by_state, **masks), fitting(mover, methods))


@each_set
@pytest.mark.usefixtures("_core")
@pytest.mark.parametrize("kind", KINDS)
def test_headings_on_thin_boards(kind, methods):
    rng = np.random.default_rng(KINDS.index(kind))
    space = vehicle(thin_board(rng, kind, size=14))
    same_everywhere(replace(space, starts=somewhere(rng, space, 2)), methods)


@pytest.mark.parametrize("mover", MOVERS)
def test_many_queries_of_a_contracted_board(mover):
    rng = np.random.default_rng(1)
    space = mover(maze(rng, 31))
    prepared = Prepared(space)
    assert prepared.contract()
    queries = [Query(somewhere(rng, space), budget) for budget in (None, 20_000, 985, None)]
    for by_state in (False, True):
        batch = prepared.search_many(queries, by_state=by_state, method="shortcuts")
        for query, costs in zip(queries, batch, strict=True):
            assert np.array_equal(costs.full(), prepared.search(query.starts, query.budget, method="waves").full())


def test_a_maze_is_contracted_after_some_searches_and_answers_stay_the_same():
    rng = np.random.default_rng(2)
    space = root_two(maze(rng, 61))
    starts = [Start(1, 1)]
    expected = Prepared(space).search(starts, None, method="relax").full()
    prepared = Prepared(space)
    methods = []
    for _ in range(12):
        costs = prepared.search(starts, None)
        methods.append(costs.method)
        assert np.array_equal(costs.full(), expected)
    assert methods[0] == "waves"
    assert methods[-1] == "shortcuts"


# Long: the board has to be large for levels to be given up; small ones are tried above.
@pytest.mark.long
def test_a_search_of_levels_that_goes_on_and_on_is_given_up_for_waves():
    """A snake of corridors: many more levels than on an open board, each of them a few squares."""
    board = np.full((301, 301), -1)
    board[1::2, 1:-1] = 1
    board[2:-1:4, -2] = board[4:-1:4, 1] = 1
    space = replace(walker(board), starts=(Start(1, 1, None, "even"),))
    costs = search(space)
    assert costs.method == "waves"
    assert np.array_equal(costs.full(), Prepared(space).search(method="wide").full())


@pytest.mark.parametrize("mover", MOVERS)
def test_an_open_board_is_not_contracted(mover):
    space = mover(np.ones((90, 90), np.int64))
    prepared = Prepared(space)
    start = [Start(1, 1, None, space.phases[0])]
    before = prepared.search(start, None)
    assert not prepared.contract()
    after = prepared.search(start, None)
    assert np.array_equal(after.full(), before.full())
    assert after.method == before.method
    assert np.array_equal(prepared.search(start, None, method="shortcuts").full(), before.full())


def test_starts_paid_in_fractions_of_a_tick_are_left_to_relaxation():
    rng = np.random.default_rng(3)
    space = walker(rooms(rng, 13, 6) * 10)
    starts = [Start(1, 1, None, "even"), Start(2, 8, None, "even", paid=3)]
    prepared = Prepared(space)
    assert prepared.search(starts, None).method == "relax"
    for method in ("waves", "shortcuts"):
        with pytest.raises(MoveSpaceError, match="starts are paid in finer steps than any price; 'relax' can"):
            prepared.search(starts, None, method=method)


def test_states_are_not_searched_one_by_one_where_that_takes_too_much(monkeypatch):
    """A start paid so much that sums could overflow, and a board of too many prices."""
    space = walker(np.ones((6, 6), np.int64))
    prepared = Prepared(space)
    starts = [Start(1, 1, None, "even"), Start(4, 4, None, "even", paid=2**29)]
    expected = search(replace(space, starts=tuple(starts)), "networkx").full()
    assert np.array_equal(prepared.search(starts, None, method="relax").full(), expected)
    with pytest.raises(MoveSpaceError, match="'waves' cannot answer this: a start is paid too much to be counted with"):
        prepared.search(starts, None, method="waves")
    monkeypatch.setattr(kernel, "MOST_PRICES", 100)
    with pytest.raises(MoveSpaceError, match="'waves' cannot answer this: the board is too large"):
        prepared.search(starts[:1], None, method="waves")
    assert prepared.search(starts[:1], 5).method == "wide"
