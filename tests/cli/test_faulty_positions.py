"""A position in which units stand as they may not: it is told and drawn, with the fault marked, and never played."""

import json

import pytest

from simulator.formats.scenario import FaultyPosition
from simulator.formats.scenarios import load_scenario
from simulator.views.state_picture import fault_spots

RIDE = """\
format: 1
ruleset: dot_trooper
name: Over the rim
board: {board: dots, legend: {".": {}, "#": {impassable: true}}, rows: ". . . . .\\n . . # . ."}
units:
  bike: {type: vehicle, side: red, at: [0, 0], heading: 0}
  ann: {type: trooper, side: red, aboard: bike}
  cy: {type: trooper, side: blue, at: [2, 1]}
  dan: {type: trooper, side: blue, at: [4, 0], weapon: spoon}
  eve: {type: trooper, side: blue, at: [4, 0]}
turns: [[eve done]]
"""
TOLD = [
    "ride.yaml:6:9: units.bike: bike cannot stand on -1,0: the edge of the map (DT-5)",
    "ride.yaml:8:7: units.cy: cy cannot stand on 2,1: an obstacle (DT-5)",
    "ride.yaml:9:8: units.dan: dan cannot stand on 4,0: eve (DT-165); "
    "dan has a spoon, which is not a weapon here (DT-173)",
    "ride.yaml:10:8: units.eve: eve cannot stand on 4,0: dan (DT-165)",
]


@pytest.fixture
def ride(tmp_path):
    (tmp_path / "ride.yaml").write_text(RIDE)
    return tmp_path / "ride.yaml"


def test_it_is_drawn_with_every_fault_marked_and_told(run, ride, tmp_path):
    answer = run("show", "ride.yaml", "--svg", "ride.svg", "--png", "ride.png")
    assert answer.returncode == 3
    assert answer.stderr.splitlines()[-4:] == TOLD
    drawn = (tmp_path / "ride.svg").read_text()
    for words in ("bike: DT-5", "cy: DT-5", "dan: DT-165, DT-173", "Over the rim"):
        assert f">{words}</text>" in drawn
    assert (tmp_path / "ride.png").read_bytes().startswith(b"\x89PNG")


def test_it_is_described_too(run, ride):
    answer = run("show", "ride.yaml")
    assert (answer.returncode, answer.stderr.splitlines()) == (3, TOLD)
    assert "  eve (blue): trooper at 4,0\n" in answer.stdout


@pytest.mark.parametrize("words", [("check",), ("run",), ("reach", "ride.yaml", "eve"), ("record",)])
def test_nothing_else_takes_it(run, ride, words):
    answer = run(*(words if len(words) > 1 else (*words, "ride.yaml")))
    assert answer.returncode == 3
    assert TOLD[0] in answer.stderr + answer.stdout
    assert run("check", "ride.yaml", "--json").returncode == 3
    assert len(json.loads(run("check", "ride.yaml", "--json").stdout)["files"][0]["faults"]) == 4


def test_with_any_other_fault_there_is_nothing_to_draw(run, ride, tmp_path):
    ride.write_text(RIDE.replace("eve done", "eve foot_mov"))
    answer = run("show", "ride.yaml", "--svg", "ride.svg")
    assert answer.returncode == 3
    assert "foot_mov" in answer.stderr
    assert not (tmp_path / "ride.svg").exists()


def test_the_error_holds_the_scenario_and_the_reasons(ride):
    with pytest.raises(FaultyPosition) as caught:
        load_scenario(ride)
    error = caught.value
    assert [breach.blocker for breach in error.breaches] == ["bike", "cy", "dan", "dan", "eve"]
    spots = fault_spots(error.scenario.set_up().table, error.breaches)
    assert [(spot.number, spot.label, spot.behind) for spot in spots] == [
        (1, "bike: DT-5", 0),
        (2, "cy: DT-5", 0),
        (3, "dan: DT-165, DT-173", 0),
        (4, "eve: DT-165", 1),
    ]
    assert (spots[0].x, spots[0].y) == (0, 0)  # its rear is off the map, so the mark stands on the place of the unit
