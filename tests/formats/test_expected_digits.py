"""Expected figures are compared within a millionth; where fewer digits look alike, an account writes all of them."""

import re

import scenario_samples  # makes the small rulebooks importable
import table_couriers

from simulator import parse_scenario

RULESETS = {**scenario_samples.RULESETS, "table_courier": table_couriers.RULESET}
YARD = """
format: 1
ruleset: table_courier
board: {board: table, size: [24, 18]}
units:
  A1: {type: courier, side: red, at: [7, 9]}
turns:
  - - {order: "A1: to 10,10, to 11,9.00001", cost: COST}
expect: {units: {A1: {at: [11, AT], spent: {inches: COST}}}}
"""


def failures(cost, at):
    text = YARD.replace("COST", cost).replace("AT", at)
    account = parse_scenario(text, rulesets=RULESETS).run()
    assert account.ok == ("FAIL" not in str(account))
    return [re.sub(r" \(line \d+\)", "", line.strip()) for line in str(account).splitlines() if "FAIL" in line]


def test_figures_that_look_alike_are_written_in_full():
    assert failures("4.5765", "9") == [
        "FAIL  its cost: expected 4.5765, got 4.576484 inches",
        "FAIL  A1 at: expected 11,9, got 11,9.00001",
        "FAIL  A1 spent: expected 4.5765 inches, got 4.576484 inches",
    ]


def test_what_is_written_is_what_can_be_expected():
    assert failures("4.576484", "9.00001") == []


def test_figures_that_differ_visibly_are_written_as_ever():
    assert failures("4.6", "9.5")[:2] == [
        "FAIL  its cost: expected 4.6, got 4.5765 inches",
        "FAIL  A1 at: expected 11,9.5, got 11,9",
    ]
