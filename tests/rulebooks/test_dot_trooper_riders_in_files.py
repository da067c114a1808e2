"""DT-51, DT-55: who rides stands on the rear dot; a file need not say it, and may not say otherwise."""

import pytest

from simulator.engine.game import Game
from simulator.errors import FileError
from simulator.formats.scenarios import parse_scenario, save_scenario
from simulator.geometry.dots import DotMap
from simulator.rulesets.dot_trooper import RULESET

TEXT = """
format: 1
ruleset: dot_trooper
board:
  board: dots
  legend: {{".": {{}}, "+": {{level: 1}}}}
  rows: |
    . . . . . . . .
     . . + + + . . .
units:
  bike: {{type: vehicle, side: red, heading: 180, level: {level}, "on": true, {bike}}}
  ann: {{type: trooper, side: red, aboard: bike{ann}}}
"""


def scenario(ann="", bike="at: [2, 1]", level=1):
    return parse_scenario(TEXT.format(ann=ann, bike=bike, level=level))


def told(**given):
    with pytest.raises(FileError) as caught:
        scenario(**given)
    return [f"{fault.path}: {fault.message}" for fault in caught.value.faults]


def test_a_rider_stands_on_the_rear_dot_at_the_level_of_what_it_rides():
    ann = scenario().start().state.unit("ann")
    assert (ann.place, ann["level"], ann["posture"], ann["seat"]) == ((3, 1), 1, "mounted", "driver")


def test_who_says_where_says_the_same():
    assert scenario(", at: [3, 1], level: 1").opening() == scenario().opening()


def test_another_place_is_told_with_the_right_one():
    assert told(ann=", at: [2, 1], level: 1") == [
        "units.ann: ann rides bike and therefore stands on its rear dot, 3,1, not on 2,1 (DT-51)"
    ]


def test_a_vehicle_nobody_knows_is_told_with_those_there_are():
    text = TEXT.format(ann="", bike="at: [2, 1]", level=1).replace("aboard: bike", "aboard: bkie")
    with pytest.raises(
        FileError, match=r"ann rides bkie, which is not a vehicle here; did you mean 'bike'\?.*\(DT-55\)"
    ):
        parse_scenario(text)


@pytest.mark.parametrize("ann", ["", ", at: [5, 0]"])
def test_a_vehicle_lies_somewhere(ann):
    assert told(bike="class: scout", ann=ann) == [
        "units.bike: bike is not on the map: a vehicle takes up two of its dots (DT-49)"
    ]


def test_games_set_up_in_python_and_written_down_agree(tmp_path):
    bike = RULESET.make_unit("bike", "vehicle", "red", (4, 2), 60)
    ann = RULESET.make_unit("ann", "trooper", "red", aboard="bike")
    game = Game.new(RULESET, DotMap.open(9, 5), [bike, ann])
    assert game.state.unit("ann").place == (3, 3)
    save_scenario(game, tmp_path / "ride.yaml")
    assert "ann: {type: trooper" in (tmp_path / "ride.yaml").read_text()
