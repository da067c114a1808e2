"""The JSON Schemas: they ship as they are made, let every sound file pass and know the keys."""

import json
from pathlib import Path

import pytest
import yaml
from scenario_samples import CHECKERS, DUEL, with_lines
from schema_judge import complaints
from told_faults import plain

from simulator.errors import BoardError
from simulator.formats import strict_yaml
from simulator.formats.answers import ANSWERS
from simulator.formats.faults import Faults
from simulator.formats.schema import FOLDER, KINDS, MODELS, SCENARIO, SWEEP, json_schema, schema_text, write_schemas
from simulator.formats.starters import STARTERS
from simulator.formats.table_models import PIECE_ATTRIBUTES
from simulator.geometry.pieces import ATTRIBUTES

ROOT = Path(__file__).parents[2]


def judged(text):
    value = plain(strict_yaml.load(text, Faults("")))
    schema = json_schema(SCENARIO if "ruleset" in value else value["board"])
    return list(complaints(value, schema, schema))


@pytest.mark.parametrize("kind", MODELS)
class TestEachSchema:
    def test_ships_as_it_is_made(self, kind):
        shipped = (FOLDER / f"{kind}.schema.json").read_text(encoding="utf-8")
        assert shipped == schema_text(kind), "run `python -m simulator.formats.schema`"

    def test_lets_the_starter_pass(self, kind):
        assert judged(STARTERS[kind]) == []

    def test_explains_itself(self, kind):
        schema = json_schema(kind)
        assert schema["title"] == f"Board file: {kind}"
        assert all(definition.get("description") for definition in schema["$defs"].values())
        assert "null" not in json.dumps(schema)

    def test_knows_no_other_keys(self, kind):
        assert judged(STARTERS[kind] + "labls: []\n") == ["$.labls is unknown"]
        assert yaml.safe_load(STARTERS[kind])["board"] == kind


@pytest.mark.parametrize("path", sorted((ROOT / "boards").glob("*.yaml")), ids=lambda path: path.stem)
def test_boards_that_come_along_pass(path):
    assert judged(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    ("kind", "sound", "broken", "complaint"),
    [
        ("squares", "wall: true}", "wall: yes}", "is no boolean"),
        ("squares", "level: -1}", "level: 99999}", "is beyond maximum"),
        ("squares", '"#": {', '"##": {', "is unknown"),
        ("squares", "{at: [0, 5], t", "{at: [0, 5], to: [1, 1], t", None),
        ("squares", "{from: [3, 0], to", "{from: [3, 0], t0", "fits 0 of oneOf"),
        ("dots", "kind: door", "kind: portal", "is none of"),
        ("dots", "between: [[4, 1], [5, 1]]", "between: [[4, 1]]", "is beyond minItems"),
        ("table", "radius: 4", "radius: 0", "is beyond exclusiveMinimum"),
        ("table", "circle: {centre", "circl: {centre", "fits 0 of oneOf"),
        ("table", "kind: river", "kind: River", "does not fit"),
    ],
)
def test_what_is_wrong_does_not_pass(kind, sound, broken, complaint):
    assert sound in STARTERS[kind]
    found = judged(STARTERS[kind].replace(sound, broken, 1))
    assert found == [] if complaint is None else any(complaint in one for one in found)


class TestScenarios:
    def test_ships_as_it_is_made(self):
        shipped = (FOLDER / "scenario.schema.json").read_text(encoding="utf-8")
        assert shipped == schema_text(SCENARIO), "run `python -m simulator.formats.schema`"
        assert "null" not in shipped

    @pytest.mark.parametrize("text", [DUEL, CHECKERS], ids=["duel", "checkers"])
    def test_lets_sound_ones_pass(self, text):
        assert judged(text) == []

    @pytest.mark.parametrize(
        ("sound", "broken", "complaint"),
        [
            ("board:\n", "bord:\n", "$.board is missing"),
            ("dice: {seed: 7}", "dice: {sed: 7}", "$.dice.sed is unknown"),
            ("refused: DU-1}", "refused: never}", "fits 0 of anyOf"),
            ("cost: 1", "cost: much", "fits 0 of anyOf"),
            ("turn: 2", "turn: -2", "is beyond minimum"),
            ("over: false", "over: never", "is no boolean"),
        ],
    )
    def test_what_is_wrong_does_not_pass(self, sound, broken, complaint):
        assert any(complaint in one for one in judged(with_lines(DUEL, (sound, broken))))


class TestPlansOfSweeps:
    PLAN = """
format: 1
sweep: games
scenarios: [ford.yaml]
options: {pool_ap: [false, true]}
tables: {inches.standing: [3, 5/2]}
agents: [script, {red: greedy, blue: "my_agents:cautious"}]
seeds: 20
limits: {turns: 3, seconds: 2.5}
"""

    @staticmethod
    def judged(text):
        schema = json_schema(SWEEP)
        return list(complaints(plain(strict_yaml.load(text, Faults(""))), schema, schema))

    def test_ships_as_it_is_made(self):
        shipped = (FOLDER / "sweep.schema.json").read_text(encoding="utf-8")
        assert shipped == schema_text(SWEEP), "run `python -m simulator.formats.schema`"

    def test_lets_a_sound_one_pass(self):
        assert self.judged(self.PLAN) == []

    @pytest.mark.parametrize(
        ("sound", "broken", "complaint"),
        [
            ("scenarios: [ford.yaml]", "scenarios: []", "is beyond minItems"),
            ("seeds: 20", "seed: many", "is no integer"),
            ("seeds: 20", "seeds: 0", "fits 0 of anyOf"),
            ("[script,", "[scripts,", "fits 0 of anyOf"),
            ("turns: 3", "turn: 3", "$.limits.turn is unknown"),
        ],
    )
    def test_what_is_wrong_does_not_pass(self, sound, broken, complaint):
        assert any(complaint in one for one in self.judged(self.PLAN.replace(sound, broken)))


class TestPlansOfReachMapsInEditors:
    PLAN = """
format: 1
sweep: reach
scenarios: [ford.yaml]
units: [ann, {unit: bike, action: drive, with: {ap: 2, mode: max}, headings: [0, 60, north]}]
tables: {inches.standing: [3, 5/2]}
spacing: 0.5
areas: true
costs: false
"""

    def test_lets_a_sound_one_pass(self):
        assert TestPlansOfSweeps.judged(self.PLAN) == []

    @pytest.mark.parametrize(
        ("sound", "broken", "complaint"),
        [
            ("units: [ann,", "unit: [ann,", "$.units is missing"),
            ("units: [ann,", "units: [7,", "$.units[0] fits 0 of anyOf"),
            ("action: drive", "acton: drive", "$.units[1] fits 0 of anyOf"),
            ("spacing: 0.5", "spacing: 0", "$.spacing is beyond minimum"),
            ("costs: false", "agents: [script]", "$.agents is unknown"),
            ("sweep: reach", "sweep: reech", "$.sweep is none of ['games', 'reach']"),
            ("sweep: reach\n", "", "$.sweep is missing"),
        ],
    )
    def test_what_is_wrong_does_not_pass(self, sound, broken, complaint):
        assert sound in self.PLAN
        assert any(complaint in one for one in TestPlansOfSweeps.judged(self.PLAN.replace(sound, broken)))


def test_a_piece_may_say_of_itself_all_that_pieces_know():
    assert sorted(PIECE_ATTRIBUTES) == sorted(ATTRIBUTES)


def test_rewriting_them(tmp_path):
    paths = write_schemas(tmp_path / "new")
    assert [path.name for path in paths] == [f"{name}.schema.json" for name in (*KINDS, *ANSWERS)]
    assert paths[0].read_text() == schema_text("squares")


def test_no_schema_of_an_unknown_kind():
    with pytest.raises(BoardError, match="no such kind of file 'tables'; did you mean 'table'"):
        json_schema("tables")
