"""The objective of a scenario file: read, checked, written again."""

from fractions import Fraction

import pytest
from scenario_samples import DUEL, RULESETS

from simulator.engine.objectives import NO_OBJECTIVE, HeldPlace, Objective
from simulator.formats.scenarios import parse_scenario, scenario_text
from simulator.formats.schema import json_schema

OBJECTIVE = """\
objective:
  turns: 4
  last_side: true
  hold:
    gate: {at: [4, 0], within: 1.5, points: 3}
    well: {at: "7,0"}
  units: {fighter: 1/2}
"""


def objective_of(text):
    return parse_scenario(DUEL + text, rulesets=RULESETS).setting.objective


def test_every_key_is_read():
    assert objective_of(OBJECTIVE) == Objective(
        hold=(HeldPlace("gate", (4, 0), Fraction(3, 2), 3), HeldPlace("well", (7, 0), 0, 1)),
        units={"fighter": Fraction(1, 2)},
        turns=4,
        last_side=True,
        sides=("red", "blue"),
    )


def test_one_number_is_for_units_of_every_type():
    assert objective_of("objective: {units: 2}\n").units == {"fighter": 2}


@pytest.mark.parametrize("text", ["", "objective: {}\n"])
def test_without_one_there_are_no_points(text):
    assert objective_of(text) == NO_OBJECTIVE


def test_a_game_is_written_with_its_objective():
    game = parse_scenario(DUEL + OBJECTIVE, rulesets=RULESETS).start()
    again = parse_scenario(scenario_text(game), rulesets=RULESETS)
    assert again.setting.objective == game.setting.objective


def test_the_schema_describes_it():
    found = json_schema("scenario")
    entry = found["$defs"]["ObjectiveEntry"]
    assert set(entry["properties"]) == {"turns", "last_side", "hold", "units"}
    assert found["$defs"]["HoldEntry"]["required"] == ["at"]
