"""Expectations that can never be met, or always are, are faults of the file, with what would be right."""

import json

import pytest
from nonsense_expectations import SCENES

from simulator.errors import FileError
from simulator.formats.scenarios import parse_scenario

SCENE = SCENES["grid_runner"]


def faults(expected, *turns):
    document = {"format": 1, "ruleset": "grid_runner", "board": SCENE["board"], "units": SCENE["units"]}
    try:
        parse_scenario(json.dumps(document | {"turns": [list(turns)], "expect": expected}))
    except FileError as error:
        return [f"{fault.path}: {fault.message}" for fault in error.faults]
    return []


NO_CLAUSE = "no such clause of grid_runner 'GR-999'; did you mean 'GR-9'?"
OFF = "is not on the board (got '9,9')"
BOUNDS = "expected the least first, 0 or more, and then the most"
WRONG = [
    ({"events": [{"clause": "GR-999"}]}, f"expect.events[0].clause: {NO_CLAUSE}"),
    ({"asked": [{"clause": ["GR-9", "GR-999"]}]}, f"expect.asked[0].clause: {NO_CLAUSE}"),
    ({"refused": [{"order": "a done", "clause": "GR-999"}]}, f"expect.refused[0].clause: {NO_CLAUSE}"),
    ({"clock": {"unit": "c"}}, "expect.clock.unit: no such unit 'c'; known: a, b"),
    ({"clock": {"side": "green"}}, "expect.clock.side: no such side 'green'; known: red, blue"),
    ({"reach": [{"unit": "b", "includes": ["1,1", "9,9"]}]}, f"expect.reach[0].includes[1]: {OFF}"),
    ({"reach": [{"unit": "b", "excludes": [{"at": [9, 9]}]}]}, f"expect.reach[0].excludes[0]: {OFF}"),
    ({"reach": [{"unit": "b", "area": [5, 2]}]}, f"expect.reach[0].area: {BOUNDS} (got [5, 2])"),
    ({"reach": [{"unit": "b", "area": [-5, 2]}]}, f"expect.reach[0].area: {BOUNDS} (got [-5, 2])"),
    (
        {"reach": [{"unit": "b", "includes": [{"at": [1, 1], "cost": -1}]}]},
        "includes[0].cost: expected 0 or more (got -1)",
    ),
]
WRONG_ORDERS = [
    ({"refused": "GR-999"}, f"turns[0][0].refused: {NO_CLAUSE}"),
    ({"cost": -1}, "turns[0][0].cost: expected 0 or more (got -1)"),
    ({"cost": {"squares": -1}}, "turns[0][0].cost: expected 0 or more (got -1)"),
    ({"events": [{"clause": "GR-999"}]}, f"turns[0][0].events[0].clause: {NO_CLAUSE}"),
    ({"asked": [{"clause": "GR-999"}]}, f"turns[0][0].asked[0].clause: {NO_CLAUSE}"),
]


@pytest.mark.parametrize(("expected", "message"), WRONG, ids=[message for _, message in WRONG])
def test_of_the_end(expected, message):
    (fault,) = faults(expected)
    assert message in fault
    (fault,) = faults({}, {"expect": expected})
    assert message.removeprefix("expect.") in fault


@pytest.mark.parametrize(("expected", "message"), WRONG_ORDERS, ids=[message for _, message in WRONG_ORDERS])
def test_of_an_order(expected, message):
    (fault,) = faults({}, {"order": SCENE["order"], **expected})
    assert message in fault


def test_what_may_be_meant_is_no_fault():
    assert not faults({"clock": {"unit": "", "side": ""}, "reach": [{"unit": "b", "area": [3, 3]}]})
    assert not faults({"events": [{"clause": "GR-9"}], "reach": [{"unit": "b", "excludes": ["0,0"]}]})
