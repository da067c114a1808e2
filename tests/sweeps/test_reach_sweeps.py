"""A sweep of reach maps from its plan to its files: each map is the one of the command, and none is lost."""

from functools import partial

import numpy as np
import pytest
from map_questions import MAP, YARD, made, mapped, reach_plan_in

from simulator.engine.bulk_reach import BulkReach
from simulator.errors import FileError, TooMuchAsked
from simulator.sweeps import reach_map
from simulator.sweeps.columns import read_parquet
from simulator.sweeps.errors import SweepRefused
from simulator.sweeps.map_rows import map_columns
from simulator.sweeps.parts import played_here
from simulator.sweeps.plan_file import load_any_plan, load_plan, load_reach_plan
from simulator.sweeps.reach_effects import (
    COST,
    GROUND,
    Pair,
    ValueChange,
    changed_places,
    pair_of_references,
    pairs,
    reach_effects,
)
from simulator.sweeps.reach_map_file import ReachMap
from simulator.sweeps.reach_map_text import start_text
from simulator.sweeps.reach_sweep import ReachSweep
from simulator.sweeps.sweep import Sweep
from simulator.workers import as_done

OPTIONS = "options: {diagonal_corners: [no_cut, free], scale: [m2, m1]}\n"
TABLE = """
format: 1
ruleset: skirmish
name: Field
board: {board: table, size: [6, 5]}
units:
  ash: {type: soldier, side: red, at: [1.5, 1.5]}
"""


def contents(folder):
    """All files of a sweep but what is kept to go on with."""
    files = [*(folder / "maps").iterdir(), folder / "maps.parquet", folder / "report.html"]
    return {file.name: file.read_bytes() for file in files}


def reader(folder):
    return lambda number: ReachMap.read(folder / "maps" / f"{number}.npz")


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(reach_map, "_SIDE_BY_SIDE", 3)


class TestReachPlans:
    def test_every_combination_is_one_map_and_the_reference_is_first(self, tmp_path):
        plan = reach_plan_in(tmp_path, OPTIONS)
        assert len(plan) == 1 * 2 * 4
        assert plan.size_text == "8 maps (1 scenario x 2 units x 4 settings)"
        assert [at.number for at in plan] == list(range(8))
        assert [(at.asking.label, at.settings) for at in plan][:5] == [
            *(("ann", (0, 0)), ("ann", (0, 1)), ("ann", (1, 0)), ("ann", (1, 1))),
            ("bob move mode=run", (0, 0)),
        ]
        assert all(plan.number_of(0, at.number // 4, at.settings) == at.number for at in plan)

    def test_a_plan_is_read_as_what_it_is(self, tmp_path):
        plan = reach_plan_in(tmp_path)
        assert load_any_plan(tmp_path / "plan.yaml").described == plan.described
        with pytest.raises(FileError, match="sweep: a plan of reach; expected one of games"):
            load_plan(tmp_path / "plan.yaml")
        (tmp_path / "games.yaml").write_text("format: 1\nsweep: games\nscenarios: [yard.yaml]\n")
        with pytest.raises(FileError, match="sweep: a plan of games; expected one of reach"):
            load_reach_plan(tmp_path / "games.yaml")

    def test_the_question_is_as_it_was_written(self, tmp_path):
        scenario = MAP.replace("name: Dots", "name: Ride").replace("type: trooper,", "type: vehicle, heading: 60,")
        units = "[{unit: ann, action: drive, with: {ap: 2}, headings: [0, 60.0]}]"
        plan = reach_plan_in(tmp_path, "costs: false\n", scenario, units)
        question = plan.question(plan.at(0))
        assert (question.action, question.values, question.headings) == ("drive", {"ap": "2"}, (0, 60))
        assert (question.scenario, question.with_costs, question.measured) == ("Ride", False, False)
        assert plan.command(plan.at(0)) == (
            "simulator reach-map yard.yaml ann --action drive --with ap=2 --heading 0 --heading 60 --summary -o 0.npz"
        )


class TestMapsOfASweep:
    def test_each_file_is_the_one_that_its_question_makes_alone(self, tmp_path, small_parts):
        plan = reach_plan_in(tmp_path, OPTIONS)
        mapped(plan, tmp_path / "out")
        for at in plan:
            alone = made(plan.question(at), tmp_path / f"{at.number}.npz")
            assert (tmp_path / "out" / "maps" / f"{at.number}.npz").read_bytes() == alone

    def test_one_row_a_map_with_what_its_arrays_add_up_to(self, tmp_path):
        plan = reach_plan_in(tmp_path, OPTIONS)
        _, rows = mapped(plan, tmp_path / "out")
        read = read_parquet((tmp_path / "out" / "maps.parquet").read_bytes())
        assert read == rows
        assert list(read[0]) == [column.name for column in map_columns(plan)]
        for row in read:
            found = ReachMap.read(tmp_path / "out" / row["file"])
            ground = found.arrays["ground"]
            assert (row["starts"], row["ground_mean"], row["ground_most"]) == (24, ground.mean(), ground.max())
            assert row["cost_mean"] == found.arrays["cost_quantiles"][:, 1].astype(float).mean()
            assert (row["ground_unit"], row["cost_unit"], row["outcome"]) == ("place", "square", "computed")
        assert [(row["option.scale"], row["action"]) for row in read[:2]] == [("m2", "move"), ("m1", "move")]

    def test_places_of_a_table(self, tmp_path):
        figures = "tables: {inches.standing: [3, 5/2]}\nspacing: 2\nareas: true\n"
        plan = reach_plan_in(tmp_path, figures, TABLE, "[{unit: ash, action: move}]")
        _, rows = mapped(plan, tmp_path / "out")
        assert [row["figure.inches.standing"] for row in rows] == ["3", "2.5"]
        assert [row["ground_unit"] for row in rows] == ["square inch"] * 2
        assert rows[0]["ground_mean"] > rows[1]["ground_mean"] > 0
        assert "--table inches.standing=5/2 --spacing 2 --areas" in rows[1]["command"]

    def test_the_report_holds_all_and_needs_nothing_else(self, tmp_path):
        plan = reach_plan_in(tmp_path, f"{OPTIONS}description: 'Doors <& corners'\n")
        mapped(plan, tmp_path / "out")
        page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
        assert "Doors &lt;&amp; corners" in page
        assert "option.diagonal_corners, compared with no_cut" in page
        assert "ann: move from everywhere" in page
        assert "yard, ann: diagonal_corners free, not no_cut" in page
        assert not {"<script", "src=", "@import"} & set(page.split())
        assert "prefers-color-scheme:dark" in page


class TestWhatValuesChange:
    def test_every_start_is_compared_with_itself(self, tmp_path):
        plan = reach_plan_in(tmp_path, OPTIONS)
        mapped(plan, tmp_path / "out")
        read = reader(tmp_path / "out")
        found = {(one.name, one.unit, one.measure): one for one in reach_effects(plan, read)}
        assert len(found) == 2 * 2 * 2
        effect = found["option.diagonal_corners", "ann", GROUND]
        # Maps 0 and 1 have the reference, 2 and 3 what is compared with it: the scale is m2, then m1.
        before, after = (np.concatenate([read(n).arrays["ground"] for n in some]) for some in ((0, 1), (2, 3)))
        differences = after - before
        assert effect.starts == len(differences) == 48
        assert (effect.mean, effect.difference) == (before.mean(), differences.mean())
        assert (effect.more, effect.less) == ((differences > 0).sum(), 0)
        assert effect.more > 0
        assert effect.most.difference == differences.max()
        assert effect.most.start == start_text(read(2), int(differences.argmax()))
        assert effect.least is None
        assert found["option.diagonal_corners", "ann", COST].less > 0

    def test_where_it_changes(self, tmp_path):
        plan = reach_plan_in(tmp_path, OPTIONS)
        mapped(plan, tmp_path / "out")
        read = reader(tmp_path / "out")
        corners = ValueChange(staging=0, asking=0, varied=0, value=1)
        assert len(list(pairs(plan, read, corners))) == 2
        changed = changed_places(pair_of_references(plan, read, corners))
        ann = {number: read(number) for number in (0, 2)}
        for number, cell in enumerate(ann[0].arrays["cell"].tolist()):
            gained = ann[2].arrays["ground"][number] - ann[0].arrays["ground"][number]
            assert (changed.flat[cell] == gained) if gained else np.isnan(changed.flat[cell])
        assert np.isfinite(changed).any()

    @pytest.mark.parametrize("failed", [0, 2])
    def test_a_picture_shows_its_own_pair_or_none(self, tmp_path, failed):
        plan = reach_plan_in(tmp_path, OPTIONS)
        mapped(plan, tmp_path / "out")
        every = reader(tmp_path / "out")

        def read(number):
            return None if number == failed else every(number)

        # Maps 0 and 2 differ in the corners alone, at the first scale; 1 and 3 do at the second.
        corners = ValueChange(staging=0, asking=0, varied=0, value=1)
        assert pair_of_references(plan, read, corners) is None
        (left,) = pairs(plan, read, corners)
        assert (left.before.about, left.after.about) == (every(1).about, every(3).about)

    def test_headings_and_levels_are_starts_of_their_own(self, tmp_path):
        scenario = MAP.replace("type: trooper,", "type: vehicle, heading: 60,")
        one = reach_plan_in(tmp_path, "", scenario, "[{unit: ann, action: drive, headings: [0, 60]}]")
        mapped(one, tmp_path / "two")
        found = reader(tmp_path / "two")(0)
        assert sorted(set(found.arrays["heading"].tolist())) == [0, 60]
        other = reach_plan_in(tmp_path, "", scenario, "[{unit: ann, action: drive, headings: [60]}]")
        mapped(other, tmp_path / "one")
        half = reader(tmp_path / "one")(0)
        pair = Pair.of(found, half)
        assert pair.only == (len(found) - len(half), 0)
        assert len(pair.differences(GROUND)[0]) == len(half)
        assert not pair.differences(GROUND)[0].any()


class TestWhoMakesMaps:
    def test_the_same_bytes_here_and_in_several_processes(self, tmp_path, small_parts):
        plan = reach_plan_in(tmp_path, OPTIONS, units="[ann]")
        mapped(plan, tmp_path / "one", players=played_here)
        mapped(plan, tmp_path / "two", players=partial(as_done, workers=2))
        assert contents(tmp_path / "one") == contents(tmp_path / "two")

    def test_parts_may_come_in_any_order(self, tmp_path, small_parts):
        def backwards(work, parts):
            yield from reversed(list(enumerate(map(work, parts))))

        plan = reach_plan_in(tmp_path)
        mapped(plan, tmp_path / "one", players=played_here)
        mapped(plan, tmp_path / "two", players=backwards)
        assert contents(tmp_path / "one") == contents(tmp_path / "two")


class TestStoppedSweepsOfMaps:
    def test_it_goes_on_where_it_stopped(self, tmp_path, small_parts):
        plan = reach_plan_in(tmp_path)
        whole, _ = mapped(plan, tmp_path / "whole")
        for stop in (0, 1, 2, 8, 13, 21):
            folder = tmp_path / f"at_{stop}"
            doing = ReachSweep.begun(plan, folder).work()
            told = [done for _, done in zip(range(stop + 1), doing, strict=False)]
            doing.close()
            asked = []

            def players(work, parts, asked=asked):
                asked.extend(parts)
                return played_here(work, parts)

            again = ReachSweep.resumed(plan, folder)
            going_on = list(again.work(players))
            # The beginning of a map is told, too; all that was told before is kept.
            assert going_on[-1] == again.done == len(again) == len(whole)
            assert sum(len(part.cells) for part in asked) == len(whole) - told[-1]
            again.finish()
            assert contents(folder) == contents(tmp_path / "whole")

    def test_a_finished_one_asks_nothing(self, tmp_path):
        plan = reach_plan_in(tmp_path)
        mapped(plan, tmp_path / "out")
        before = contents(tmp_path / "out")
        again = ReachSweep.resumed(plan, tmp_path / "out")
        assert list(again.work(lambda *_: pytest.fail("nothing is missing"))) == [len(again)]
        again.finish()
        assert contents(tmp_path / "out") == before

    def test_a_stop_right_after_a_row_leaves_no_parts(self, tmp_path):
        plan = reach_plan_in(tmp_path)
        mapped(plan, tmp_path / "out")
        (tmp_path / "out" / "maps" / "0.npz.parts").mkdir()
        again = ReachSweep.resumed(plan, tmp_path / "out")
        list(again.work())
        again.finish()
        assert sorted(path.name for path in (tmp_path / "out" / "maps").iterdir()) == [
            *("0.npz", "0.svg", "1.npz", "1.svg"),
        ]

    def test_a_changed_plan_is_refused(self, tmp_path):
        mapped(reach_plan_in(tmp_path), tmp_path / "out")
        changed = reach_plan_in(tmp_path, "costs: false\n", YARD.replace("[5, 3]", "[5, 2]"), "[ann]")
        with pytest.raises(SweepRefused) as refused:
            ReachSweep.resumed(changed, tmp_path / "out")
        assert refused.value.reasons == (
            "costs: true before, false now",
            "scenarios: yard",
            'units: ["ann","bob move mode=run"] before, ["ann"] now',
        )
        with pytest.raises(SweepRefused, match="--resume"):
            ReachSweep.begun(changed, tmp_path / "out")

    def test_games_and_maps_do_not_mix(self, tmp_path):
        plan = reach_plan_in(tmp_path)
        mapped(plan, tmp_path / "out")
        (tmp_path / "games.yaml").write_text("format: 1\nsweep: games\nscenarios: [yard.yaml]\n")
        with pytest.raises(SweepRefused, match="its plan has changed"):
            Sweep.resumed(load_plan(tmp_path / "games.yaml"), tmp_path / "out")


class TestFailedMaps:
    def test_a_question_that_is_refused_is_a_row(self, tmp_path):
        plan = reach_plan_in(tmp_path, OPTIONS, YARD.replace(", at: [5, 3]", ""))
        sweep, rows = mapped(plan, tmp_path / "out")
        assert [row["outcome"] for row in rows] == ["computed"] * 4 + ["error"] * 4
        assert "bob" in rows[4]["error"]
        assert (rows[4]["file"], rows[4]["starts"]) == ("", None)
        assert sweep.done == len(sweep)
        page = (tmp_path / "out" / "report.html").read_text(encoding="utf-8")
        assert "Maps that failed" in page
        assert "simulator reach-map yard.yaml bob --action move --with mode=run" in page
        assert not list((tmp_path / "out" / "maps").glob("*.parts"))

    def test_a_part_that_fails_is_the_row_of_its_map_and_of_no_other(self, tmp_path, small_parts, monkeypatch):
        answers = BulkReach._one_by_one

        def faulty(self, cells):
            if self.asked == "bob":
                raise ZeroDivisionError("no room at all")
            return answers(self, cells)

        monkeypatch.setattr(BulkReach, "_one_by_one", faulty)

        def backwards(work, parts):
            yield from reversed(list(enumerate(map(work, parts))))

        for name, players in {"forwards": played_here, "backwards": backwards}.items():
            _, rows = mapped(reach_plan_in(tmp_path), tmp_path / name, players=players)
            assert [row["outcome"] for row in rows] == ["computed", "error"]
            assert rows[1]["error"] == "ZeroDivisionError: no room at all"
        assert contents(tmp_path / "forwards") == contents(tmp_path / "backwards")
        assert ReachSweep.resumed(reach_plan_in(tmp_path), tmp_path / "forwards").done == 2 * 28

    def test_starts_that_reach_a_limit_are_counted_and_not_compared(self, tmp_path, monkeypatch):
        answers = BulkReach._answers

        def some_refuse(self, ready):
            found = answers(self, ready)
            far = [unit.place[0] > 3 for _, unit in ready]
            return [TooMuchAsked("too far to see") if gone else one for one, gone in zip(found, far, strict=True)]

        monkeypatch.setattr(BulkReach, "_answers", some_refuse)
        more = "tables: {inches.standing: [3, 5/2]}\nspacing: 2\n"
        plan = reach_plan_in(tmp_path, more, TABLE, "[{unit: ash, action: move}]")
        _, rows = mapped(plan, tmp_path / "out")
        assert [(row["starts"], row["unanswered"], row["limited"]) for row in rows] == [(9, 3, 3)] * 2
        assert {one.starts for one in reach_effects(plan, reader(tmp_path / "out"))} == {6}
        assert "6 starts reached the limit of a search" in (tmp_path / "out" / "report.html").read_text()

    def test_a_worker_of_another_version_ends_the_sweep(self, tmp_path):
        sweep = ReachSweep.begun(reach_plan_in(tmp_path), tmp_path / "out")

        def of_another_version(work, parts):
            old = [type(part)(part.question, part.rulebooks, part.cells, "0.0.1") for part in parts]
            return played_here(work, old)

        with pytest.raises(SweepRefused, match=r"this worker has version .*, the reach map 0\.0\.1"):
            list(sweep.work(of_another_version))
