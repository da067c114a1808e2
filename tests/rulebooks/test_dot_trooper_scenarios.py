"""The scenarios of the rulebook come out as they expect, and as they were recorded, and leave nothing of it out."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from simulator.cli import cli
from simulator.errors import FileError
from simulator.formats.boards import load_board
from simulator.formats.scenarios import load_scenario, parse_scenario
from simulator.rulesets.dot_trooper import RULESET

ROOT = Path(__file__).parents[2]
SCENARIOS = sorted((ROOT / "scenarios" / "dot_trooper").glob("*.yaml"))
RECORDS = ROOT / "tests" / "records" / "dot_trooper"


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_scenario_comes_out_as_it_expects_and_as_recorded(path):
    answer = CliRunner().invoke(cli, ["run", str(path)])
    assert answer.exit_code == 0, answer.output
    record = CliRunner().invoke(cli, ["record", str(path)])
    assert record.stdout == (RECORDS / f"{path.stem}.txt").read_text()


def test_every_record_has_its_scenario():
    assert sorted(path.stem for path in RECORDS.iterdir()) == [path.stem for path in SCENARIOS]


@pytest.fixture(scope="module")
def played():
    """Every order of every scenario that was carried out, and every one that was refused."""
    accounts = [load_scenario(path).run() for path in SCENARIOS]
    entries = [entry for account in accounts for entry in account.played]
    done = [entry.happened.order for entry in entries if entry.happened is not None]
    refused = [entry for entry in entries if entry.error is not None]
    return done, refused


def test_together_they_carry_out_every_action_and_element_there_is(played):
    """DT-27, DT-58, DT-137: what is only refused does not count."""
    done, _ = played
    actions = {order.action for order in done}
    elements = {element.name for order in done for element in order.elements}
    assert {form.name for form in RULESET.vocabulary.actions} <= actions
    assert {form.name for form in RULESET.vocabulary.elements} <= elements


def test_together_they_turn_by_every_angle_and_drive_in_every_mode(played):
    """DT-59, DT-82: left and right, by 60, 120 and 180 degrees, in minimum, cruise and max."""
    done, _ = played
    drives = [order for order in done if order.action == "drive"]
    assert {order["mode"] for order in drives} == {"minimum", "cruise", "max"}
    turns = [element for order in drives for element in order.elements if element.name in ("left", "right")]
    assert {element.name for element in turns} == {"left", "right"}
    assert {element["angle"] for element in turns} == {60, 120, 180}


def test_together_they_wipe_out_for_every_cause_there_is():
    """DT-118: a failed check, too few AP, a mode that is gone, a dead driver."""
    told = "\n".join(path.read_text() for path in RECORDS.iterdir())
    for cause in ("failed check", "insufficient ap", "mode invalid", "driver dead"):
        assert f"wipes out ({cause}, mode " in told


def test_most_are_played_on_boards_of_their_own_file():
    boards = {load_scenario(path).setting.board.name for path in SCENARIOS}
    on_file = {load_board(path).name for path in (ROOT / "boards").glob("*.yaml")}
    assert len(boards & on_file) >= 5


def test_dots_are_named_alike_in_files_and_orders():
    """Pictures number columns and rows along their rims; whoever reads a dot off a picture writes column:row."""
    board = "{board: dots, legend: {'.': {}}, rows: \". . . . . .\\n . . . . . .\\n. . . . . .\"}"
    text = f"""
format: 1
ruleset: dot_trooper
board: {board}
units:
  ann: {{type: trooper, side: red, at: 1:2}}
  bob: {{type: trooper, side: blue, at: "5,0"}}
turns:
  - - order: "ann foot_move: step 2:2, step 3:2"
      events: [{{kind: step, unit: ann, at: 3:2}}]
      expect: {{units: {{ann: {{at: 3:2}}}}, reach: [{{unit: ann, action: turn, includes: [3:2], excludes: [5:0]}}]}}
    - "ann foot_move to 4:1"
expect: {{units: {{ann: {{at: "4,1"}}, bob: {{at: 5:0}}}}, refused: [{{order: "ann foot_move to 5:0"}}]}}
"""
    account = parse_scenario(text).run()
    assert account.ok, account
    assert [str(account.game.write(happened.order)) for happened in account.game.history[1:2]] == [
        "ann: step 1,2, step 2,2"
    ]
    with pytest.raises(
        FileError, match=r"bob\.at: expected a dot such as 3,4, or 3:4 for column 3, row 4 \(got '5;0'\)"
    ):
        parse_scenario(text.replace('"5,0"', "5;0"))
    with pytest.raises(FileError, match=r"bob\.at: is not on the board \(got '9:9'\)"):
        parse_scenario(text.replace('"5,0"', "9:9"))
