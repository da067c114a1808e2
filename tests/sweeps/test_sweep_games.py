"""A sweep from its plan to its files: every game follows from the plan, whoever plays it, and none is lost."""

import json
from functools import partial

import pytest
from sweep_plans import ROOT, TINY, plan_in, swept

from simulator import load_scenario
from simulator.sweeps.columns import GAMES, UNITS, columns_of, read_parquet
from simulator.sweeps.errors import SweepRefused
from simulator.sweeps.games import play_game
from simulator.sweeps.page import page_of, table
from simulator.sweeps.parts import played_here
from simulator.sweeps.plan_file import load_plan
from simulator.sweeps.sweep import Sweep
from simulator.workers import as_done

FILES = ("games.parquet", "units.parquet", "report.html")


def contents(folder):
    return {name: (folder / name).read_bytes() for name in FILES}


class TestPlans:
    def test_every_combination_is_one_game(self, tmp_path):
        plan = plan_in(tmp_path, "options: {scale: [m2, m1], diagonal_corners: [no_cut, free, only_between_two]}\n")
        assert len(plan) == 1 * 6 * 3 * 3
        seen = {(at.staging.label, at.settings, at.cast.label, at.number) for at in plan}
        assert len(seen) == len(plan)
        assert [at.run for at in plan] == list(range(len(plan)))
        assert plan.settings[0] == (0, 0)

    def test_seeds_are_shared_by_settings_and_agents_but_not_by_numbers_or_plans(self, tmp_path):
        plan = plan_in(tmp_path, "options: {scale: [m2, m1]}\n")
        seeds = {at.number: {other.seed for other in plan if other.number == at.number} for at in plan}
        assert all(len(found) == 1 for found in seeds.values())
        assert len(set.union(*seeds.values())) == 3
        other = plan_in(tmp_path, "options: {scale: [m2, m1]}\nseed: 1\n")
        assert {at.seed for at in plan}.isdisjoint(at.seed for at in other)

    def test_a_seed_replays_the_script_from_the_command_line(self, tmp_path):
        plan = plan_in(tmp_path, agents="[script]")
        at = plan.at(1)
        account = load_scenario(tmp_path / "tiny.yaml").run(seed=at.seed)
        assert play_game(plan, at)["game"]["state"] == account.game.state.hash


class TestRows:
    def test_one_row_a_game_and_one_row_a_unit(self, tmp_path):
        plan = plan_in(tmp_path, "options: {scale: [m2, m1]}\n")
        _, games = swept(plan, tmp_path / "out")
        read = read_parquet((tmp_path / "out" / "games.parquet").read_bytes())
        assert read == [{**row, "spent": row["spent"]} for row in games]
        assert [row["run"] for row in read] == list(range(len(plan)))
        assert list(read[0]) == [column.name for column in columns_of(plan, GAMES)]
        units = read_parquet((tmp_path / "out" / "units.parquet").read_bytes())
        assert list(units[0]) == [column.name for column in columns_of(plan, UNITS)]
        assert [(row["run"], row["unit"]) for row in units] == [
            (run, name) for run in range(len(plan)) for name in ("ann", "bob")
        ]

    def test_what_the_script_did(self, tmp_path):
        plan = plan_in(tmp_path, agents="[script]", seeds=1)
        found = play_game(plan, plan.at(0))
        game, (ann, bob) = found["game"], found["units"]
        assert (game["outcome"], game["orders"], game["refused"], game["turns"]) == ("finished", 2, 1, 1)
        assert (game["expected"], game["met"]) == (2, 1)  # the refused order was expected to be legal
        assert game["moved"] == 3.0
        assert game["nearest"] == 1.0
        assert (ann["start_x"], ann["end_x"], ann["moved"], ann["orders"]) == (0.5, 2.5, 2.0, 1)
        assert ann["spent"]["squares"] == 2.0
        assert bob["side"] == "blue"
        assert json.loads(ann["fields"])["mode"] == "walk"

    def test_greedy_meets_its_opponent(self, tmp_path):
        plan = plan_in(tmp_path, agents="[greedy]", seeds=1)
        assert play_game(plan, plan.at(0))["game"]["nearest"] <= 1.0

    def test_random_games_differ_by_seed_and_are_repeated_by_it(self, tmp_path):
        plan = plan_in(tmp_path, agents="[random]", seeds=4)
        states = [play_game(plan, at)["game"]["state"] for at in plan]
        assert len(set(states)) > 1
        assert states == [play_game(plan, at)["game"]["state"] for at in reversed(list(plan))][::-1]

    def test_an_agent_for_each_side(self, tmp_path):
        plan = plan_in(tmp_path, agents="[{red: greedy, blue: 'sweep_plans:first_is_done'}]", seeds=1)
        found = play_game(plan, plan.at(0))
        assert found["game"]["agent"] == "blue=sweep_plans:first_is_done red=greedy"
        assert [unit["moved"] > 0 for unit in found["units"]] == [True, False]

    @pytest.mark.sampled(dear=["random-mecha/two_guards"])
    @pytest.mark.parametrize(
        "scenario", ["skirmish/mad_dash", "dot_trooper/dead_end", "mecha/two_guards", "combined_arms/up_to_the_bank"]
    )
    @pytest.mark.parametrize("agent", ["random", "greedy"])
    def test_agents_give_legal_orders_under_every_rulebook(self, tmp_path, scenario, agent):
        path = ROOT / "scenarios" / f"{scenario}.yaml"
        (tmp_path / "plan.yaml").write_text(
            f"format: 1\nsweep: games\nscenarios: ['{path}']\nagents: [{agent}]\nlimits: {{turns: 1, orders: 4}}\n"
        )
        plan = load_plan(tmp_path / "plan.yaml")
        game = play_game(plan, plan.at(0))["game"]
        assert game["outcome"] in ("finished", "order limit"), game["error"]
        assert game["events"] > 0


class TestFailures:
    @pytest.mark.parametrize(
        ("agent", "error"),
        [("cheat", "IllegalOrder: the rules forbid: ann: e 40"), ("faulty", "ZeroDivisionError: no plan at all")],
    )
    def test_a_failed_game_is_a_row_and_a_file_that_replays_it(self, tmp_path, agent, error):
        plan = plan_in(tmp_path, agents=f"['sweep_plans:{agent}', script]", seeds=2)
        _, games = swept(plan, tmp_path / "out")
        assert [row["outcome"] for row in games] == ["error", "error", "finished", "finished"]
        assert games[0]["error"].startswith(error)
        scenario = load_scenario(tmp_path / "out" / games[0]["file"])
        account = scenario.run()
        assert "error" in scenario.name
        if agent == "cheat":
            assert account.played[-1].order == "ann move: e 40"
            assert account.played[-1].error is not None

    def test_a_game_without_end_reaches_its_limit_of_orders(self, tmp_path):
        plan = plan_in(tmp_path, "limits: {orders: 7}\n", agents="['sweep_plans:steps_east']", seeds=1)
        _, (game,) = swept(plan, tmp_path / "out")
        assert game["outcome"] in ("order limit", "error")

    def test_a_game_that_takes_too_long_has_no_measures(self, tmp_path):
        plan = plan_in(tmp_path, "limits: {seconds: 0.01, turns: 50}\n", agents="['sweep_plans:idle']", seeds=1)
        found = play_game(plan, plan.at(0))
        assert found["game"]["outcome"] == "time limit"
        assert found["game"]["orders"] is None
        assert found["units"] == []


class TestSweeps:
    def test_the_same_bytes_from_one_core_and_from_several(self, tmp_path):
        plan = plan_in(tmp_path, "options: {scale: [m2, m1]}\n")
        swept(plan, tmp_path / "one", players=played_here)
        swept(plan, tmp_path / "two", players=partial(as_done, workers=2))
        assert contents(tmp_path / "one") == contents(tmp_path / "two")

    def test_a_stopped_sweep_goes_on_where_it_stopped(self, tmp_path):
        plan = plan_in(tmp_path)
        swept(plan, tmp_path / "whole")
        sweep = Sweep.begun(plan, tmp_path / "out")
        for done in sweep.work():
            if done == 4:
                break
        asked = []

        def players(work, chunks):
            asked.extend(chunks)
            return played_here(work, chunks)

        again = Sweep.resumed(plan, tmp_path / "out")
        assert again.done == 4
        assert list(again.work(players)) == list(range(4, len(plan) + 1))
        assert len(asked) == len(plan) - 4
        again.finish()
        assert contents(tmp_path / "out") == contents(tmp_path / "whole")

    def test_a_changed_plan_is_refused(self, tmp_path):
        swept(plan_in(tmp_path, seeds=1), tmp_path / "out")
        changed = plan_in(tmp_path, "limits: {orders: 9}\n", seeds=2, scenario=TINY.replace("e 2", "e 1"))
        with pytest.raises(SweepRefused) as refused:
            Sweep.resumed(changed, tmp_path / "out")
        assert refused.value.reasons == ("limits: orders", "scenarios: tiny", "seeds: [1] before, [1,2] now")

    def test_a_folder_with_a_sweep_is_not_overwritten(self, tmp_path):
        plan = plan_in(tmp_path, seeds=1)
        swept(plan, tmp_path / "out")
        with pytest.raises(SweepRefused, match="--resume"):
            Sweep.begun(plan, tmp_path / "out")
        with pytest.raises(SweepRefused, match="no sweep to resume"):
            Sweep.resumed(plan, tmp_path / "elsewhere")

    def test_a_lost_worker_of_the_pool_is_reported_and_nothing_done_is_lost(self, tmp_path):
        plan = plan_in(tmp_path, agents="[script, 'sweep_plans:fatal']", seeds=2)
        sweep = Sweep.begun(plan, tmp_path / "out")
        with pytest.raises(ChildProcessError, match="a worker process ended unexpectedly"):
            list(sweep.work(partial(as_done, workers=1)))
        assert Sweep.resumed(plan, tmp_path / "out").done == 2


def test_rows_that_stand_out_do_so_in_the_style_of_the_page():
    rows = "".join(table(["difference"], [["1"], ["2"]], left=0, clear=[True, False]))
    assert "<tr class=clear><td>1</td></tr><tr><td>2</td></tr>" in rows
    # A rule for cells of that class would match none: the class is the row's.
    assert "tr.clear td{" in page_of("", [rows])
