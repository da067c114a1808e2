"""Faulty plans: each fault with its file, line and key, and what would be right."""

import pytest
from map_questions import YARD, reach_plan_in
from sweep_plans import TINY, plan_in

from simulator.errors import FileError, LimitReached
from simulator.formats.limits import Limit
from simulator.sweeps.plan_file import load_any_plan


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("option: {scale: [m1]}", "option: no such key 'option'; did you mean 'options'?"),
        ("options: {scal: [m1]}", "options.scal: no such option 'scal'; did you mean 'scale'?"),
        ("options: {scale: [m1, m7]}", "options.scale[1]: 'm7' is not one of its values"),
        ("options: {scale: m1}", "options.scale: expected a list of the values to try (got 'm1')"),
        ("options: {scale: []}", "options.scale: lists nothing to try"),
        ("options: {scale: [m1, m1]}", "options.scale: lists 'm1' twice"),
        ("tables: {no.such.figure: [1]}", "no such figure"),
        ("limits: {order: 3}", "limits.order: no such key 'order'; did you mean 'orders'?"),
        ("limits: {orders: 0}", "limits.orders: expected a number of at least 1 (got 0)"),
        ("limits: {seconds: 0}", "limits.seconds: expected a number above 0"),
        ("seed: x", "seed: expected a whole number (got 'x')"),
    ],
)
def test_a_faulty_key_is_reported_with_its_line(tmp_path, line, message):
    with pytest.raises(FileError) as found:
        plan_in(tmp_path, f"{line}\n")
    assert message in str(found.value)
    assert found.value.faults[0].file.endswith("plan.yaml")
    assert found.value.faults[0].line == 6
    assert found.value.exit_code == 3


@pytest.mark.parametrize(
    ("agents", "message"),
    [
        ("[greedi]", "agents[0]: expected an agent: script, random, greedy, or one of your own as package.module:name"),
        ("[greedy, greedy]", "agents[1]: lists greedy twice"),
        ("[{red: greedy}]", "agents[0]: nobody plays blue of tiny"),
        ("[{red: greedy, blu: random}]", "agents[0].blu: no such side 'blu'; did you mean 'blue'?"),
        ("[{red: script, blue: random}]", "agents[0]: the script plays all sides"),
        ("['no_such_module:agent']", "agents[0]: cannot be imported: No module named 'no_such_module'"),
        ("['sweep_plans:nobody']", "agents[0]: cannot be imported: module 'sweep_plans' has no attribute 'nobody'"),
        ("['sweep_plans:not_callable']", "is not a function of a game"),
    ],
)
def test_faulty_agents(tmp_path, agents, message):
    with pytest.raises(FileError) as found:
        plan_in(tmp_path, agents=agents)
    assert message in str(found.value)


def test_the_faults_of_a_scenario_are_listed_too(tmp_path):
    with pytest.raises(FileError) as found:
        plan_in(tmp_path, scenario=TINY.replace("side: red", "sid: red"))
    (plan, *scenario) = found.value.faults
    assert plan.path == "scenarios[0]"
    assert scenario
    assert all(fault.file.endswith("tiny.yaml") and fault.line for fault in scenario)


@pytest.mark.parametrize("seeds", ["2000000", "400000"])
def test_too_many_games_are_a_limit(tmp_path, seeds):
    with pytest.raises(LimitReached, match="beyond the limit: at most 1000000"):
        plan_in(tmp_path, seeds=seeds)


@pytest.mark.parametrize(
    ("seeds", "message"),
    [("0", "expected the number of games"), ("[1, 1]", "lists 1 twice"), ("[]", "a list of whole numbers")],
)
def test_faulty_seeds(tmp_path, seeds, message):
    with pytest.raises(FileError, match=message.replace("[", r"\[")):
        plan_in(tmp_path, seeds=seeds)


class TestPlansOfReachMaps:
    @pytest.mark.parametrize(
        ("line", "message"),
        [
            ("unit: [ann]", "unit: no such key 'unit'; did you mean 'units'?"),
            ("agents: [greedy]", "agents: no such key 'agents'; known: "),
            (
                "options: {diagonal_corner: [free]}",
                "no such option 'diagonal_corner'; did you mean 'diagonal_corners'?",
            ),
            ("options: {scale: [m2, m7]}", "options.scale[1]: 'm7' is not one of its values"),
            ("spacing: 0", "spacing: expected a number of at least 0.01 (got 0)"),
            ("spacing: wide", "spacing: expected a number (got 'wide')"),
            ("areas: 1", "areas: expected true or false (got 1)"),
            ("costs: maybe", "costs: expected true or false (got 'maybe')"),
        ],
    )
    def test_a_faulty_key(self, tmp_path, line, message):
        with pytest.raises(FileError) as found:
            reach_plan_in(tmp_path, f"{line}\n")
        assert message in str(found.value)
        assert found.value.faults[0].file.endswith("plan.yaml")
        assert found.value.faults[0].line == 5

    @pytest.mark.parametrize(
        ("units", "path", "message"),
        [
            ("[an]", "units[0].unit", "there is no unit 'an' in yard; did you mean 'ann'?"),
            ("[ann, ann]", "units[1]", "lists ann twice"),
            ("[7]", "units[0]", "expected the name of a unit, or keys and values like {unit: ann, action: move}"),
            ("[]", "units", "expected at least one entry (got [])"),
            ("[{unit: ann, action: fly}]", "units[0].action", "grid_runner has no reach for 'fly'"),
            ("[{unit: ann, acton: move}]", "units[0].acton", "no such key 'acton'; did you mean 'action'?"),
            ("[{unit: ann, with: {mode: hop}}]", "units[0].with.mode", "expected walk or run, not 'hop'"),
            ("[{unit: ann, with: {mood: run}}]", "units[0].with.mood", "takes no such value; did you mean 'mode'?"),
            ("[ann, {unit: bob, headings: [90]}]", "units[1].headings", "bob has no heading: leave it out (yard)"),
            ("[{unit: ann, headings: [[1]]}]", "units[0].headings[0]", "expected a heading"),
        ],
    )
    def test_faulty_units(self, tmp_path, units, path, message):
        with pytest.raises(FileError) as found:
            reach_plan_in(tmp_path, units=units)
        (fault,) = found.value.faults
        assert (fault.path, fault.line) == (path, 4)
        assert message in fault.message

    def test_what_is_wrong_in_several_scenarios_is_said_once(self, tmp_path):
        (tmp_path / "other.yaml").write_text(YARD)
        (tmp_path / "plan.yaml").write_text(
            "format: 1\nsweep: reach\nscenarios: [yard.yaml, other.yaml]\nunits: [{unit: ann, action: fly}, cid]\n"
        )
        (tmp_path / "yard.yaml").write_text(YARD)
        with pytest.raises(FileError) as found:
            load_any_plan(tmp_path / "plan.yaml")
        assert [fault.path for fault in found.value.faults] == ["units[0].action", "units[1].unit"]

    def test_no_such_kind_of_plan(self, tmp_path):
        (tmp_path / "plan.yaml").write_text("format: 1\nsweep: reech\nscenarios: [yard.yaml]\n")
        with pytest.raises(FileError, match=r"plan\.yaml:2:8: sweep: no such word 'reech'; did you mean 'reach'"):
            load_any_plan(tmp_path / "plan.yaml")
        (tmp_path / "plan.yaml").write_text("format: 1\nsweep: [reach]\nscenarios: [yard.yaml]\n")
        with pytest.raises(FileError, match=r"plan\.yaml:2:8: sweep: expected"):
            load_any_plan(tmp_path / "plan.yaml")

    def test_maps_that_would_be_too_large_are_a_limit(self, tmp_path, monkeypatch):
        monkeypatch.setattr("simulator.sweeps.reach_plan_file.MATRIX", Limit("matrix", 9, "costs"))
        with pytest.raises(LimitReached, match=r"units\[0\]: yard: 784 is beyond the limit.*`costs: false` keeps"):
            reach_plan_in(tmp_path, units="[ann]")
        assert len(reach_plan_in(tmp_path, "costs: false\n", units="[ann]")) == 1

    def test_too_many_maps_are_a_limit(self, tmp_path, monkeypatch):
        monkeypatch.setattr("simulator.sweeps.reach_plan_file.MAPS", Limit("maps", 3, "maps"))
        with pytest.raises(LimitReached, match="sweep: 4 is beyond the limit: at most 3"):
            reach_plan_in(tmp_path, "options: {scale: [m2, m1]}\n")
