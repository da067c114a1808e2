"""One way for figures in every JSON document: exact ones are texts, counted and measured ones are numbers."""

import json
import re
from fractions import Fraction

import pytest
from click.testing import CliRunner

from simulator.cli import cli

MARKET, WALL, ALLEY = "grid_runner/market_chase.yaml", "skirmish/over_the_wall.yaml", "dot_trooper/alley_turn.yaml"
COMMANDS = [
    f"reach {MARKET} kit --to 9,8 --json",
    f"reach {MARKET} kit --geojson OUT",
    f"reach {WALL} ana --action move --to 7,12 --json",
    f"reach {WALL} ana --action move --to 19,19 --json",
    f"reach {WALL} ana --action move --geojson OUT",
    f"reach {ALLEY} ann --action drive --to 5,4 --json",
    f"reach {ALLEY} ann --action drive --geojson OUT",
    f"path {MARKET} kit 9,8 --json",
    f"path {WALL} ana 7,12 --action move --json",
    f"explain {MARKET} kit 20,8 --json",
    f"explain {WALL} ana 19,19 --action move --json",
    f"exposed {MARKET} kit 9,8 --json",
    f"exposed {ALLEY} ann 5,4 --json",
    f"threats {MARKET} hunters --json",
    f"diff {MARKET} kit --option diagonal_corners=free --json",
    f"run {MARKET} --json",
    f"run {WALL} --json",
    "walk ../boards/market_square.yaml --from 9,8 --budget 3 --to 10,9 --json",
    "walk ../boards/market_square.yaml --from 9,8 --budget 3 --geojson OUT",
    "walk ../boards/orchard.yaml --from 3,3 --budget 2 --to 4,4 --radius 0.5 --json",
    "walk ../boards/orchard.yaml --from 3,3 --budget 2 --radius 0.5 --geojson OUT",
]
#: Keys whose values are exact wherever they stand; under some each currency has its own.
EXACT = ("cost", "price", "chance", "chance_of_rolls", "needed", "available", "nearest_cost")
#: What a log says of an event or a question is told as in the log: numbers, and fractions as texts.
AS_IN_A_LOG = ("event", "question", "state", "answer", "detail", "rolls", "options", "tables")
FIGURE = re.compile(r"-?[0-9]+(/[0-9]+|\.[0-9]+)?")


def exact_values(value, key=""):
    """Every value under one of the exact keys; a cost may have one for each currency."""
    if isinstance(value, dict):
        for name, inner in value.items():
            if name not in AS_IN_A_LOG:
                yield from exact_values(inner, "cost" if key == "cost" else name)
    elif isinstance(value, list):
        for inner in value:
            yield from exact_values(inner, "" if isinstance(inner, dict) else key)
    elif key in EXACT and value is not None:
        yield key, value


@pytest.fixture
def document(request, monkeypatch, tmp_path):
    monkeypatch.chdir(request.config.rootpath / "scenarios")
    file = tmp_path / "out.geojson"
    answer = CliRunner().invoke(cli, [word.replace("OUT", str(file)) for word in request.param.split()])
    assert answer.exit_code in (0, 1), answer.output
    return json.loads(file.read_text() if file.exists() else answer.stdout)


@pytest.mark.parametrize("document", COMMANDS, indirect=True, ids=lambda command: command.replace("/", "_"))
def test_costs_prices_and_chances_are_texts_of_exact_figures(document):
    found = list(exact_values(document))
    assert all(isinstance(value, str) for _, value in found), found
    for key, value in found:
        if key not in ("needed", "available"):  # these may also be words: a weapon that is needed
            assert FIGURE.fullmatch(value), (key, value)
            assert Fraction(value).denominator == 1 or not value.endswith("/1")


def test_rules_say_nothing_of_tests_where_none_are_installed(tmp_path):
    told = CliRunner().invoke(cli, ["rules", "--tests", str(tmp_path / "none")])
    assert told.exit_code == 0
    assert "without a test" not in told.output
    told = CliRunner().invoke(cli, ["rules", "skirmish", "SK-8", "--tests", str(tmp_path / "none")])
    assert "no test names it" not in told.output
    told = CliRunner().invoke(cli, ["rules", "--uncovered", "--tests", str(tmp_path / "none")])
    assert (told.exit_code, "in a checkout" in told.output) == (2, True)
