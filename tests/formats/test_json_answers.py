"""Every JSON answer is what its model and its published schema say: no field more, none less."""

import json

import pytest
from click.testing import CliRunner
from schema_judge import complaints

from simulator.cli import cli
from simulator.errors import BoardError
from simulator.formats.answers import ANSWERS, answer_model, read_answer
from simulator.formats.schema import ANSWER_FOLDER, FOLDER, KINDS, answer_schema, answer_schema_text, json_schema

MARKET, MILL = "grid_runner/market_chase.yaml", "grid_runner/mill_bridge.yaml"
ALLEY, DEPOT, ARC = (f"dot_trooper/{name}.yaml" for name in ("alley_turn", "battle_at_the_depot", "through_the_arc"))
YARD, WALL = (f"skirmish/{name}.yaml" for name in ("the_yard", "over_the_wall"))
STREET, HALL = "combined_arms/main_street.yaml", "combined_arms/town_hall.yaml"
BANK, COPSE, CROSSING = (f"mecha/{name}.yaml" for name in ("over_the_bank", "edge_of_the_copse", "at_the_crossing"))
BOARDS = ("ruined_quarter", "market_square", "orchard", "supply_depot")
QUARTER, SQUARE, ORCHARD, SUPPLIES = (f"../boards/{name}.yaml" for name in BOARDS)
LISTS = ("orders", "units", "options", "figures", "terrain", "events")
RULEBOOKS = ("combined_arms", "dot_trooper", "grid_runner", "mecha", "skirmish")

CORNER = "../corpus/grid_runner/corner.yaml"

COMMANDS = {
    "perft": [f"perft {CORNER} 1", f"perft {CORNER} 1 --divide"],
    "check": ["check skirmish mecha", "check ../boards", "check ../tests/formats/broken"],
    "run": [
        f"run {MILL} {ALLEY} {WALL} {HALL} {COPSE} --jobs 1",
        f"run {DEPOT}",
        f"run {ARC} ../tests/formats/broken_scenarios/answers_wrong.yaml --jobs 1",
    ],
    "rules": ["rules skirmish", "rules mecha ME-17"],
    "uncovered": ["rules --uncovered", "rules mecha --uncovered"],
    **{name: [f"rules {one} --{name}" for one in RULEBOOKS] for name in LISTS},
    "asked": [f"rules {one} --questions" for one in RULEBOOKS],
    "questions": [f"reach {MARKET} kit --questions", f"reach {CROSSING} lance --questions"],
    "reach_map_size": [f"reach-map {MARKET} kit -o kit.npz --dry-run", f"reach-map {YARD} ash -o a.npz --dry-run"],
    "reach": [
        f"reach {MARKET} kit --to 9,8",
        f"reach {MARKET} kit --to 20,8",
        f"reach {ALLEY} ann --action drive --to 5,4",
        f"reach {ALLEY} bike --action drive --turn 2",
        f"reach {YARD} ash --with ap=1 --to 40,30",
        f"reach {YARD} bay --with ap=1",
        f"reach {BANK} lynx --action jump",
    ],
    "reach_so_far": [f"reach {CROSSING} lance --within 0 --to {place}" for place in ("12,24", "40,40")],
    "reverse": [
        f"reach --reverse {MARKET} kit --to 11,10 --from 9,8",
        f"reach --reverse {MARKET} kit --to 11,10 --from 1,1",
        f"reach --reverse {ALLEY} ann --action drive --to 4,7",
        f"reach --reverse {YARD} ash --to 9,8 --action move --from 6,6",
    ],
    "path": [
        f"path {MARKET} kit 9,8",
        f"path {MARKET} kit 20,8",
        f"path {ALLEY} ann 5,4",
        f"path {YARD} ash 9,9",
        f"path {STREET} alpha 18.5,24",
        f"path {BANK} lynx 15.5,32.5 --action jump",
    ],
    "explain": [
        f"explain {MARKET} kit 20,8 --try-options",
        f"explain {MARKET} kit 9,8",
        f"explain {MARKET} kit move: e 2",
        f"explain {MARKET} kit move: e 30",
        f"explain {YARD} rex move: to 38,8",
        f"explain {WALL} ana 19,19 --action move",
        f"explain {STREET} alpha done",
        f"explain {BANK} lynx climb bank",
    ],
    "exposed": [
        f"exposed {MARKET} kit 9,8",
        f"exposed {MARKET} kit 20,8",
        f"exposed {ARC} ann 10,1",
        f"exposed {YARD} ash run: to 14,5",
        f"exposed {YARD} ash run: to 40,5",
    ],
    "threats": [f"threats {MARKET} hunters", f"threats {WALL} red --action move", f"threats {ALLEY} red"],
    "diff": [
        f"diff {MARKET} kit --option diagonal_corners=free",
        f"diff {ALLEY} ann --option partial_segments=true",
        f"diff {WALL} ana --action move --option traverse_ap=0",
    ],
    "walk": [f"walk {SQUARE} --from 9,8 --budget 3 --to 10,9", f"walk {SUPPLIES} --from 3,3 --budget 2"],
    "walk_table": [
        f"walk {ORCHARD} --from 3,3 --budget 2 --to 4,4",
        f"walk {QUARTER} --from 12,6 --budget 7.5 --radius 0.63 --to 16.5,9",
    ],
}
GEOJSON = [
    f"reach {MARKET} kit",
    f"reach {ALLEY} ann --action drive",
    f"reach {WALL} ana --action move",
    f"reach {CROSSING} lance --within 0 --to 12,24",
    f"threats {MARKET} hunters",
    f"diff {MARKET} kit --option diagonal_corners=free",
    f"walk {SQUARE} --from 9,8 --budget 3",
]
EACH = [(name, command) for name, commands in COMMANDS.items() for command in commands]


def assert_answer(name, text):
    """An answer fits its model, and its schema, which programs use that do not have the model."""
    read_answer(name, text)
    schema = answer_schema(name)
    assert list(complaints(json.loads(text), schema, schema)) == []


@pytest.fixture
def asked(request, monkeypatch):
    monkeypatch.chdir(request.config.rootpath / "scenarios")
    return lambda words: CliRunner().invoke(cli, words)


@pytest.mark.parametrize(("name", "command"), EACH, ids=[command for _, command in EACH])
def test_a_command_answers_as_its_schema_says(asked, name, command):
    found = asked([*command.split(), "--json"])
    assert found.exit_code in (0, 1, 3), found.output
    assert_answer(name, found.stdout)


SAMPLES = "../tests/foreign/samples"


@pytest.mark.parametrize(
    ("name", "command"),
    [
        ("import_map", f"import {SAMPLES}/cellar.dd2vtt"),
        ("import_map", f"import {SAMPLES}/keep.tmx"),
        ("import_map", f"import {SAMPLES}/ridge.board"),
        ("export", f"export {SQUARE} --to tmj"),
        ("export", f"export {ORCHARD} --to geojson"),
        ("reach_map", f"reach-map {MARKET} kit --action move --workers 1"),
        ("reach_map", f"reach-map {ALLEY} ann --action drive --heading 60 --summary --workers 1"),
    ],
)
def test_conversions_answer_as_their_schemas_say(asked, tmp_path, name, command):
    found = asked([*command.split(), "-o", str(tmp_path / "made"), "--json"])
    assert found.exit_code == 0, found.output
    assert_answer(name, found.stdout)


@pytest.mark.parametrize("command", GEOJSON)
def test_geojson_is_as_its_schema_says(asked, tmp_path, command):
    assert asked([*command.split(), "--geojson", str(tmp_path / "areas.json")]).exit_code == 0
    assert_answer("geojson", (tmp_path / "areas.json").read_text())


@pytest.mark.parametrize("name", ANSWERS)
class TestEachAnswer:
    def test_its_schema_ships_as_it_is_made(self, name):
        shipped = (FOLDER / ANSWER_FOLDER / f"{name}.schema.json").read_text(encoding="utf-8")
        assert shipped == answer_schema_text(name), "run `python -m simulator.formats.schema`"

    def test_every_field_is_described(self, name):
        schema = answer_schema(name)
        parts = [part for part in (schema, *schema.get("$defs", {}).values()) if "properties" in part]
        assert parts
        for part in parts:
            assert part["description"]
            assert part["additionalProperties"] is False
            assert all(field.get("description") for field in part["properties"].values()), part


def test_there_is_a_schema_for_each_answer_and_no_other():
    shipped = {file.name.removesuffix(".schema.json") for file in (FOLDER / ANSWER_FOLDER).iterdir()}
    assert shipped == set(ANSWERS)


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(BoardError, match="'reach'"):
        answer_schema("reech")


@pytest.mark.parametrize(
    "document", ['{"format": 1}', '{"format": 2, "files": []}', '{"format": 1, "files": [], "more": 0}', "[]"]
)
def test_another_document_is_refused(document):
    with pytest.raises(ValueError, match="validation error"):
        read_answer("check", document)


def test_a_model_reads_an_answer(asked):
    found = read_answer("reach", asked(["reach", MARKET, "kit", "--json"]).stdout)
    assert found.unit == "kit"
    assert min(end.cost for end in found.ends) == 0
    assert answer_model("reach") is answer_model("reach")


def test_the_command_prints_what_ships(asked):
    listed = asked(["schema"]).stdout
    for name in (*KINDS, *ANSWERS):
        assert f"  {name} " in listed
    assert json.loads(asked(["schema", "reach"]).stdout) == answer_schema("reach")
    assert json.loads(asked(["schema", "scenario"]).stdout) == json_schema("scenario")
    wrong = asked(["schema", "raech"])
    assert (wrong.exit_code, "did you mean 'reach'" in wrong.output) == (2, True)
