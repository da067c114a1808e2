"""Faulty plans: each fault with its file, line and key, and what would be right."""

import pytest
from sweep_plans import TINY, plan_in

from simulator.errors import FileError, LimitReached


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
