"""The extra `fast`: when compiled code is loaded and used, what is said where it cannot be, and its limits."""

import importlib.util
import sys
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from executors import needs_numba
from movers import board, walker

from simulator.pathing.kernel import dispatch, fast_levels
from simulator.pathing.kernel import prepared as kernel
from simulator.pathing.kernel.fast import Compiled, compiled
from simulator.pathing.kernel.fast_levels import laid_out
from simulator.pathing.kernel.prepared import Prepared, Query
from simulator.pathing.move_space import UNREACHED, MoveSpace, MoveSpaceError, MoveStep, Start
from simulator.pathing.search import search
from simulator.threads import side_by_side

#: Microseconds.
_LITTLE, _MUCH, _VERY_MUCH = 1e5, 2e6, 1e8


def loaded(kept, tmp_path):
    """Compiled code that was loaded, and compiled before or not."""
    if kept:
        (tmp_path / "fast_code.levels-166.py311.nbi").touch()
    code = SimpleNamespace(not_kept="", levels=SimpleNamespace(stats=SimpleNamespace(cache_path=str(tmp_path))))
    known = Compiled()
    vars(known).update(is_installed=True, code=code)
    return known


@pytest.fixture
def in_use(monkeypatch):
    """Compiled code is used wherever it is quicker."""
    monkeypatch.setattr(compiled, "wish", "yes")
    monkeypatch.setattr(compiled, "is_used", True)


class TestWhenItIsLoaded:
    def test_short_searches_do_not_wait_for_it(self, tmp_path):
        known = loaded(True, tmp_path)
        for _ in range(10):
            assert known.may_pay()
            known.would_have_saved(_LITTLE)
        assert not known.is_used
        known.would_have_saved(_MUCH)
        assert known.is_used
        assert not known.may_pay()

    def test_what_was_never_compiled_waits_longer(self, tmp_path):
        known = loaded(False, tmp_path)
        known.would_have_saved(_MUCH)
        assert not known.is_used
        known.would_have_saved(_VERY_MUCH)
        assert known.is_used

    def test_what_cannot_be_kept_is_not_compiled_every_time(self, tmp_path):
        known = loaded(False, tmp_path)
        known.code.not_kept = "no folder can be written to"
        known.would_have_saved(_VERY_MUCH)
        assert not known.is_used
        assert not known.may_pay()
        assert "cannot be kept for the next time: no folder can be written to" in known.why_not
        assert "NUMBA_CACHE_DIR" in known.why_not

    def test_who_wants_it_has_it_at_once_and_who_does_not_never(self, tmp_path):
        wanted, unwanted = loaded(False, tmp_path), loaded(True, tmp_path)
        wanted.wish, unwanted.wish = "yes", "no"
        assert not wanted.may_pay()
        assert wanted.is_used
        assert not unwanted.may_pay()
        assert not unwanted.is_used


class TestWithoutNumba:
    def test_nothing_is_missing(self, monkeypatch):
        without = Compiled()
        without.is_installed = False
        monkeypatch.setattr(kernel, "compiled", without)
        prepared = Prepared(walker(np.ones((9, 9), int), starts=[Start(0, 0, None, "even")], budget=3))
        assert prepared.search().method == "wide"
        with pytest.raises(
            MoveSpaceError, match=r"'levels' cannot answer this: numba is not installed \(pip .*\); 'relax' can"
        ):
            prepared.search(method="levels")

    def test_who_wants_it_is_told_once(self):
        without = Compiled("yes")
        without.is_installed = False
        with pytest.warns(RuntimeWarning, match="SIMULATOR_FAST=yes has no effect: numba is not installed"):
            assert not without.may_pay()
        assert not without.may_pay()

    def test_a_numba_that_cannot_be_loaded_is_none(self, monkeypatch):
        monkeypatch.setitem(sys.modules, "simulator.pathing.kernel.fast_code", None)
        broken = Compiled()
        broken.is_installed = True
        broken.would_have_saved(_VERY_MUCH)
        assert not broken.is_used
        assert not broken.may_pay()
        assert broken.why_not.startswith("numba cannot be loaded: ")


@needs_numba
def test_where_no_folder_can_be_written_to_code_is_compiled_without_being_kept(monkeypatch):
    import numba

    def njit(cache=False, **options):
        if cache:
            raise RuntimeError("cannot cache function: no locator available")
        return lambda function: function

    monkeypatch.setattr(numba, "njit", njit)
    spec = importlib.util.find_spec("simulator.pathing.kernel.fast_code")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    assert module.not_kept == "cannot cache function: no locator available"
    assert callable(module.levels)


@needs_numba
@pytest.mark.usefixtures("in_use")
class TestWhatIsChosen:
    # Long: kernels are compiled for large boards; that each gives the same is tried on small ones.
    @pytest.mark.long
    def test_levels_for_few_prices_and_buckets_for_fine_ones(self):
        rng = np.random.default_rng(0)
        prepared = Prepared(walker(rng.choice([-1, 1, 1, 2], size=(200, 200))))
        start = [Start(99, 99, None, "even")]
        assert prepared.search(start, 12).method == "levels"
        assert prepared.search_many([Query(start, 12)] * 8).method == "levels"
        assert prepared.search(start, None).method == "levels"
        fine = Prepared(walker(rng.choice([-1, 1000, 1001, 1999], size=(60, 60))))
        assert fine.search([Start(30, 30, None, "even")], 24_000).method == "buckets"

    def test_prices_too_large_for_either_are_left_to_numpy(self):
        ground = board(np.random.default_rng(1), (5, 6)) * 10**13
        ground[0, 0] += 1
        space = walker(ground, starts=[Start(2, 2, None, "even")], budget=2 * 10**14)
        costs = search(space)
        assert costs.method in ("waves", "relax")
        assert np.array_equal(costs.full(), search(space, "networkx").full())
        with pytest.raises(MoveSpaceError, match="'buckets' cannot answer this: prices are too high; 'relax' can"):
            Prepared(space).search(method="buckets")

    def test_it_can_be_overruled(self):
        prepared = Prepared(walker(np.ones((9, 9), int)))
        assert prepared.search([Start(0, 0, None, "even")], 4, method="wide").method == "wide"


@needs_numba
class TestTheLimitsOfCompiledCode:
    @pytest.mark.parametrize("last", [254, 255, 1022, 1023, 1024, None])
    def test_levels_are_counted_in_as_many_bytes_as_it_takes(self, last):
        prepared = Prepared(walker(np.ones((2, 1300), int)))
        start = [Start(0, 0, None, "even")]
        costs = prepared.search(start, last, method="levels")
        assert np.array_equal(costs.full(), prepared.search(start, last, method="wide").full())
        assert costs.ticks.max() == costs.unreached_tick

    def test_a_start_that_is_paid_more_than_two_bytes_can_count(self):
        prepared = Prepared(walker(np.ones((1, 40), int)))
        starts = [Start(0, 0, None, "even"), Start(0, 30, None, "even", 70_000)]
        wall = prepared.with_masks(enter=np.arange(40)[None] != 15)
        costs = wall.search(starts, 70_004, method="levels")
        assert np.array_equal(costs.full(), wall.search(starts, 70_004, method="relax").full())
        assert costs.at(0, 34) == 70_004

    def test_the_memory_of_a_plan_is_that_of_all_its_tables(self):
        layout = laid_out(Prepared(walker(np.ones((2, 2), int))).plan, (None, None), 1)
        tables = [layout.pieces, layout.spreads, *layout.arrivals]
        assert all(table.nbytes for table in tables)
        assert layout.byte_count == sum(table.nbytes for table in tables)

    @pytest.mark.parametrize("threads", [1, 2, 5])
    @pytest.mark.parametrize("budget", [7, 40, 300, None])
    def test_queries_side_by_side_are_answered_as_each_alone(self, budget, threads, monkeypatch):
        """More queries than are answered together, whose windows lie over each edge, and some that begin later.

        Some of them begin where nobody may pass, so that the doors of each query differ.
        """
        shared = []
        monkeypatch.setattr(fast_levels, "at_once", lambda: threads)
        monkeypatch.setattr(dispatch, "_THREAD", 1e-9)
        monkeypatch.setattr(
            fast_levels, "side_by_side", lambda work, parts: (shared.append(len(parts)), side_by_side(work, parts))[1]
        )
        rng = np.random.default_rng(4)
        prepared = Prepared(walker(board(rng, (30, 90)), pass_=rng.random((30, 90)) < 0.6))
        starts = [
            [
                Start(int(rng.integers(30)), int(rng.integers(90)), None, "even", int(rng.integers(9)))
                for _ in range(rng.integers(1, 4))
            ]
            for _ in range(27)
        ]
        found = prepared.search_many([Query(some, budget) for some in starts], by_state=True, method="levels")
        for some, costs in zip(starts, found, strict=True):
            assert np.array_equal(costs.full(), prepared.search(some, budget, method="levels").full())
            assert np.array_equal(costs.full(), prepared.search(some, budget, method="wide").full())
        assert shared[0] == min(threads, 4)

    def test_a_bucket_holds_as_many_states_as_there_are(self):
        space = walker(board(np.random.default_rng(2), (70, 70)))
        starts = [Start(row, col, None, "even") for row in range(70) for col in range(0, 70, 2)]
        prepared = Prepared(space)
        for budget in (0, 3, None):
            found, expected = (prepared.search(starts, budget, method=one) for one in ("buckets", "waves"))
            assert np.array_equal(found.full(), expected.full())

    @pytest.mark.parametrize("seed", range(12))
    def test_buckets_search_the_part_of_the_board_that_can_be_touched(self, seed):
        """Wherever it lies, and where starts are not passable, so that their first steps are made apart."""
        rng = np.random.default_rng(seed)
        space = replace(walker(board(rng, (40, 60)) * 7), pass_=rng.random((40, 60)) < 0.8)
        row, col = rng.integers(40), rng.integers(60)
        starts = [
            Start(int(min(row + rng.integers(4), 39)), int(max(col - rng.integers(4), 0)), None, phase, paid)
            for phase, paid in (("even", 0), ("odd", 14))
        ]
        for budget in (7, 35, 70):
            found, expected = (Prepared(space).search(starts, budget, method=one) for one in ("buckets", "waves"))
            assert np.array_equal(found.full(), expected.full())
            assert found.window.height < 40

    @pytest.mark.parametrize("seed", range(8))
    def test_prices_of_which_one_is_many_thousand_times_another(self, seed):
        """A bucket then holds more costs than the cheapest step, and states in it are looked at again."""
        rng = np.random.default_rng(seed)
        space = walker(rng.choice([-1, 1, 1, 2, 977, 10**5], size=(12, 12)))
        space = replace(space, starts=(Start(6, 6, None, "even"), Start(1, 1, None, "even", 5000)))
        found = Prepared(space).search(budget=None, method="buckets")
        assert np.array_equal(found.full(), search(space, "networkx").full())

    def test_starts_paid_further_apart_than_any_step(self):
        ground = np.ones((3, 40), int)
        ground[:, 20] = -1
        starts = [Start(1, 1, None, "even"), Start(1, 30, None, "odd", 500), Start(1, 4, None, "even", 500)]
        space = replace(walker(ground), starts=tuple(starts))
        found = Prepared(space).search(budget=None, method="buckets")
        assert np.array_equal(found.full(), search(space, "networkx").full())

    def test_routes_are_those_of_numpy(self):
        space = walker(board(np.random.default_rng(3), (9, 9)), starts=[Start(4, 4, None, "even")], budget=9)
        expected = Prepared(space).search(method="wide")
        reached = [space.state_at(*place) for place in np.argwhere(expected.full() < UNREACHED).tolist()]
        assert len(reached) > 100
        for method in ("levels", "buckets"):
            costs = Prepared(space).search(method=method)
            assert [costs.trace(state) for state in reached] == [expected.trace(state) for state in reached]

    def test_steps_without_cost_go_round_and_round_once(self):
        steps = [MoveStep(name, 0, way, cost=0) for name, way in (("east", 1), ("west", -1))]
        space = MoveSpace((1, 200), (*steps, MoveStep("jump", 0, 70)), starts=[Start(0, 7)], budget=2)
        for method in ("levels", "buckets"):
            assert Prepared(space).search(method=method).full().max() == 0
