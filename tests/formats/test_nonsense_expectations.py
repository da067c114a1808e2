"""Checking and running agree on what a scenario expects: what `check` lets pass can be played to the end."""

import json

import pytest
from nonsense_expectations import SCENES, some_cases, verdict

from simulator.errors import FileError
from simulator.formats.scenarios import parse_scenario


@pytest.mark.parametrize("seed", range(4))
def test_whatever_is_expected_the_file_is_faulty_or_plays_to_its_end(seed):
    told = [verdict(document) for *_, document in some_cases(60, seed)]
    assert {"faulty", "not met"} <= set(told) <= {"faulty", "met", "not met"}


@pytest.mark.parametrize(
    ("ruleset", "expected", "message"),
    [
        (
            "skirmish",
            {"reach": [{"unit": "a", "includes": [{"at": [3, 2], "heading": 90}]}]},
            "a reach of skirmish has no headings: expect the place alone",
        ),
        ("skirmish", {"reach": [{"unit": "a", "size": 3}]}, "a table has no places to count"),
        ("dot_trooper", {"units": {"a": {"spent": "much"}}}, r"expected a number, like 3, 2\.5 or 5/2"),
    ],
)
def test_what_can_not_be_meant_is_a_fault_of_the_file(ruleset, expected, message):
    scene = SCENES[ruleset]
    document = {"format": 1, "ruleset": ruleset, "board": scene["board"], "units": scene["units"], "expect": expected}
    with pytest.raises(FileError, match=message):
        parse_scenario(json.dumps(document))


def test_a_heading_can_be_expected_where_ends_have_one():
    scene = SCENES["dot_trooper"]
    rider = {"type": "trooper", "side": "blue", "aboard": "b"}
    bike = scene["units"]["b"] | {"on": True, "motion": "moving"}
    asked = {"unit": "r", "action": "drive", "asking": {"mode": "minimum"}, "includes": [{"at": [6, 0], "heading": 60}]}
    document = {
        "format": 1,
        "ruleset": "dot_trooper",
        "board": scene["board"],
        "units": {"b": bike, "r": rider},
        "expect": {"reach": [asked]},
    }
    assert verdict(document) == "met"
