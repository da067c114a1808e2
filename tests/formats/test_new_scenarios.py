"""New scenarios: of every rulebook, on every board that fits, valid and playable as they are handed out."""

import re
from types import MappingProxyType

import pytest

from simulator.engine.orders import ActionForm, Order, Vocabulary
from simulator.engine.ruleset import Ruleset
from simulator.engine.unit_types import FieldSpec, UnitType
from simulator.errors import BoardError, FileError
from simulator.formats.boards import load_board
from simulator.formats.examples import examples
from simulator.formats.new_scenario import new_scenario_text
from simulator.formats.scenarios import load_scenario, parse_scenario
from simulator.rulesets import OURS, shelf


def fitting():
    """Every rulebook with every board that scenarios of it are played on."""
    pairs = set()
    for path in examples("scenarios").rglob("*.yaml"):
        named = re.search(r"^board: .*/(\w+\.yaml)", path.read_text(), re.MULTILINE)
        pairs |= {(path.parent.name, named[1])} if named else set()
    return sorted(pairs)


@pytest.mark.parametrize(("name", "board"), fitting())
def test_a_scenario_on_a_board_that_comes_along_is_valid_and_plays(tmp_path, name, board):
    folder = tmp_path / "scenarios"
    (tmp_path / "boards").mkdir()
    folder.mkdir()
    file = tmp_path / "boards" / board
    file.write_bytes((examples("boards") / board).read_bytes())
    text = new_scenario_text(shelf()[name], file, folder)
    assert f"\nboard: ../boards/{board}\n" in text.replace('"', "")
    (folder / "new.yaml").write_text(text)
    scenario = load_scenario(folder / "new.yaml")
    account = scenario.run()
    assert account.ok
    assert all(played.error is None for played in account.played)
    assert 2 <= len(scenario.units) <= 5
    assert len({unit.side for unit in scenario.units}) == 2
    ordered = {played.order.split()[0] for played in account.played if played.order}
    assert {unit.id for unit in scenario.units if unit.type != "vehicle" or name != "dot_trooper"} <= ordered


@pytest.mark.parametrize("name", OURS)
class TestWithoutABoard:
    @pytest.mark.sampled(dear=["mecha"])
    def test_it_contains_the_starter_board_and_plays(self, name):
        text = new_scenario_text(shelf()[name])
        scenario = parse_scenario(text)
        assert scenario.run().ok
        assert scenario.board_path == ""
        assert text == new_scenario_text(shelf()[name])

    def test_every_part_is_explained(self, name):
        lines = new_scenario_text(shelf()[name]).splitlines()
        for key in ("board:", "dice:", "units:", "turns:", "expect:"):
            number = next(number for number, line in enumerate(lines) if line.startswith(key))
            assert lines[number - 1].startswith("#")
        assert any(line.startswith("# options: ") for line in lines)
        assert any(line.startswith("# tables: ") for line in lines)

    def test_the_house_rules_shown_as_comments_are_valid(self, name):
        shown = new_scenario_text(shelf()[name]).replace("# options: ", "options: ").replace("# tables: ", "tables: ")
        assert parse_scenario(shown).run().ok


def test_a_board_of_another_rulebook_is_played_on_as_scenery():
    text = new_scenario_text(shelf()["mecha"], examples("boards") / "tidal_flat.yaml")
    assert "\nscenery: [" in text
    assert parse_scenario(text).run().ok


def test_a_board_out_of_reach_becomes_part_of_the_scenario(tmp_path):
    text = new_scenario_text(shelf()["skirmish"], examples("boards") / "orchard.yaml", tmp_path)
    assert parse_scenario(text).setting.board == load_board(examples("boards") / "orchard.yaml")


def test_a_board_of_another_kind_is_refused():
    with pytest.raises(
        BoardError, match=r"skirmish is not played on dots, the kind of back_alleys\.yaml; known: table"
    ):
        new_scenario_text(shelf()["skirmish"], examples("boards") / "back_alleys.yaml")


def test_a_faulty_board_is_reported_as_such(tmp_path):
    (tmp_path / "bad.yaml").write_text("format: 1\nboard: table\nsize: [0, 5]\n")
    with pytest.raises(FileError, match=r"bad\.yaml:3"):
        new_scenario_text(shelf()["skirmish"], tmp_path / "bad.yaml")


def test_a_board_without_room_is_refused(tmp_path):
    (tmp_path / "full.yaml").write_text('format: 1\nboard: squares\nlegend: {"#": {wall: true}}\nrows: |\n  ##\n')
    with pytest.raises(BoardError, match="there is no legal place for kit"):
        new_scenario_text(shelf()["grid_runner"], tmp_path / "full.yaml")


def nod(table, order):
    yield from ()


class Bare(Ruleset):
    """A rulebook that names no units to begin with."""

    name = "bare"
    boards = ("squares",)
    unit_types = MappingProxyType({"piece": UnitType("piece")})
    vocabulary = Vocabulary([ActionForm("nod", ())])

    actions = MappingProxyType({"nod": nod})

    def breaches(self, table, order):
        return ()

    def orders(self, table, unit):
        return [Order(unit.id, "nod")]


class Demanding(Bare):
    """A rulebook whose only type has a required field."""

    unit_types = MappingProxyType({"piece": UnitType("piece", {"rank": FieldSpec()})})


def test_a_rulebook_without_units_to_begin_with_gets_one_of_its_simplest_type_on_each_side(tmp_path):
    (tmp_path / "hall.yaml").write_text('format: 1\nboard: squares\nlegend: {".": {}}\nrows: |\n  ......\n  ......\n')
    text = new_scenario_text(Bare(), tmp_path / "hall.yaml")
    scenario = parse_scenario(text, rulesets={"bare": Bare()})
    assert [unit.side for unit in scenario.units] == ["red", "blue"]
    assert [order.strip("- ") for order in text.splitlines() if order.startswith("    - ")] == ["one nod", "two nod"]
    with pytest.raises(BoardError, match="names no units to begin with"):
        new_scenario_text(Demanding(), tmp_path / "hall.yaml")


def test_a_rulebook_without_a_starter_board_needs_one(tmp_path):
    with pytest.raises(BoardError, match="bare has no starter board"):
        new_scenario_text(Bare())


def test_the_folder_of_the_scenario_decides_how_the_board_is_named(tmp_path):
    board = tmp_path / "here.yaml"
    board.write_bytes((examples("boards") / "orchard.yaml").read_bytes())
    assert "\nboard: here.yaml" in new_scenario_text(shelf()["skirmish"], board, tmp_path).replace('"', "")
