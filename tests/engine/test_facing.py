"""Headings of units, and words of poses, that there are not: reported by the engine, whatever the rulebook."""

import pytest
import tiny_ruleset
from roof_couriers import RULESET as ROOFS
from turning_couriers import RULESET as TURNING

from simulator.engine.facing import facing_fault
from simulator.engine.game import Game
from simulator.engine.openings import opening_faults
from simulator.engine.orders import ActionForm, Vocabulary
from simulator.engine.places import on_board, read_place
from simulator.engine.unit_types import UnitType
from simulator.errors import FileError
from simulator.formats.scenarios import check_scenario, parse_scenario
from simulator.geometry.dots import DotMap
from simulator.geometry.poses import Pose
from simulator.geometry.squares import SquareGrid
from simulator.geometry.table import InchTable

BOARDS = {"squares": SquareGrid.open(9, 9), "dots": DotMap.open(9, 9), "table": InchTable("Yard", 12, 12)}


class Facing(tiny_ruleset.TinyRuleset):
    """Men that may face any way, and carts that face somewhere."""

    boards = ("squares", "dots", "table")
    unit_types = tiny_ruleset.RULESET.unit_types | {"cart": UnitType("cart", faces=True)}


class TwelveWays(Facing):
    headings = tuple(range(0, 360, 30))


def fault(kind, heading, ruleset=None, type="man", place=(2, 2)):
    ruleset = ruleset or Facing()
    unit = ruleset.make_unit("A1", type, "red", place, heading)
    return facing_fault(ruleset, on_board(ruleset.vocabulary, BOARDS[kind]), BOARDS[kind], unit)


class TestFacing:
    @pytest.mark.parametrize(
        ("kind", "good", "odd"),
        [
            ("squares", (None, 0, 45, 315.0), (30, 60, 22.5)),
            ("dots", (None, 0, 60.0, 300), (45, 90, 1)),
            ("table", (None, 1.5), ()),
        ],
    )
    def test_headings_are_those_of_the_board(self, kind, good, odd):
        assert [fault(kind, heading) for heading in good] == [""] * len(good)
        for heading in odd:
            assert fault(kind, heading).startswith(f"{heading} is not a heading on {kind}: expected 0, ")

    def test_a_rulebook_may_have_its_own(self):
        assert fault("squares", 30, TwelveWays()) == ""
        assert fault("table", 45, TwelveWays()).startswith("45 is not a heading: expected 0, 30, 60")

    def test_who_faces_somewhere_says_where(self):
        assert fault("dots", None, type="cart").startswith("is missing: expected a heading")
        assert fault("table", None, TwelveWays(), type="cart") == (
            "is missing: expected a heading: 0, 30, 60, 90, 120, 150, 180, 210, 240, 270, …"
        )
        assert fault("dots", None, type="cart", place=None) == ""
        assert fault("dots", 60, type="cart") == ""

    def test_a_game_and_a_log_report_it(self):
        ruleset = Facing()
        game = Game.new(ruleset, BOARDS["squares"], [ruleset.make_unit("A1", "man", "red", (1, 1), 30)])
        assert [str(one.message) for one in game.faults] == [
            "A1: heading 30 is not a heading on squares: expected 0, 45, 90, 135, 180, 225, 270 or 315"
        ]
        assert [where for where, _ in opening_faults(game.setting, game.opening)] == ["units[0].heading"]


SCENARIO = """format: 1
ruleset: facing
board: {board: squares, legend: {".": {}}, rows: ". . .\\n. . .\\n. . ."}
units:
  A1: {type: man, side: red, %s}
"""


def unit_of(entry, ruleset=None):
    return parse_scenario(SCENARIO % entry, rulesets={"facing": ruleset or Facing()}).units[0]


def faults_of(entry, ruleset=None):
    with pytest.raises(FileError) as caught:
        unit_of(entry, ruleset)
    return [(one.line, one.path, one.message) for one in caught.value.faults]


class TestWhereUnitsBegin:
    """`at` takes a pose, in the words of goals and expectations."""

    @pytest.mark.parametrize(
        "entry",
        ['at: "1,2 facing 90"', 'at: "1,2 facing north"', "at: [1, 2], heading: 90", 'at: "1,2", heading: north'],
    )
    def test_a_heading_may_stand_in_the_text(self, entry):
        unit = unit_of(entry)
        assert (unit.place, unit.heading) == ((1, 2), 90)

    def test_a_level_is_the_field_of_that_name(self):
        unit = unit_of('at: "1,2 facing 90 level roof"', Levels())
        assert (unit.place, unit.heading, unit["level"]) == ((1, 2), 90, "roof")

    @pytest.mark.parametrize(
        ("entry", "path", "message"),
        [
            ('at: "1,2 facing 90", heading: 90', "units.A1.heading", "stands in '1,2 facing 90' already"),
            ('at: "1,2 facing 30"', "units.A1.at", "30 is not a heading on squares: expected 0, 45"),
            ("at: [1, 2], heading: 30", "units.A1.heading", "30 is not a heading on squares: expected 0, 45"),
            ('at: "1,2 facing"', "units.A1.at", "expected a square (got '1,2 facing')"),
            ('at: "1,2 facing up"', "units.A1.at", "expected a heading"),
            ('at: "1,2 facing 0 facing 90"', "units.A1.at", "expected one heading and one level at most"),
            ('at: "1,2 level roof"', "units.A1.at", "a man has no level"),
            ('at: "9,9 facing 90"', "units.A1.at", "is not on the board"),
        ],
    )
    def test_what_is_wrong_is_reported_by_line_and_key(self, entry, path, message):
        ((line, where, said),) = faults_of(entry)
        assert (line, where) == (5, path)
        assert message in said

    def test_check_reports_a_missing_heading(self, tmp_path):
        text = SCENARIO.replace("type: man", "type: cart") % "at: [1, 2]"
        (tmp_path / "one.yaml").write_text(text)
        (fault,) = check_scenario(tmp_path / "one.yaml", rulesets={"facing": Facing()})
        assert (fault.line, fault.path) == (5, "units.A1.heading")
        assert fault.message.startswith("is missing: expected a heading")


class Levels(Facing):
    unit_types = Facing.unit_types | {"man": TURNING.unit_types["courier"]}


class TestPlacesThatAreNotDeclared:
    @pytest.mark.parametrize("kind", BOARDS)
    def test_they_are_those_of_the_board(self, kind):
        words = on_board(Vocabulary([ActionForm("walk")]), BOARDS[kind])
        place = read_place(words, "3,4")
        assert place == (3, 4)
        assert {type(part) for part in place} == ({float} if kind == "table" else {int})
        if kind == "table":
            assert read_place(words, "3.5,4") == (3.5, 4)
        else:
            with pytest.raises(ValueError, match="expected a place of two whole numbers such as 3,4"):
                read_place(words, "3.5,4")
        assert (place in BOARDS[kind]) is True


class TestWordsOfPoses:
    """A heading or level that there is none of is reported with those that there are, before the rulebook is asked."""

    def test_on_a_lattice(self):
        board = SquareGrid.open(5, 5)
        unit = TURNING.make_unit("A1", "courier", "red", (2, 2), 0)
        answer = Game.new(TURNING, board, [unit]).reach("A1")
        for pose, message in (
            (Pose((2, 2), 45), "there is no heading 45 here: 0, 90, 180, 270"),
            (Pose((2, 2), level="attic"), "there is no level attic here: ground, roof"),
        ):
            assert pose not in answer
            assert [reason.message for reason in answer.why_not(pose).reasons] == [message]
            assert answer.why_not(pose).nearest == (2, 2)
        assert answer.why_not(Pose((4, 4), 180)).reasons[0].clause

    def test_on_a_table(self):
        unit = ROOFS.make_unit("A1", next(iter(ROOFS.unit_types)), "red", (3.0, 3.0), 0)
        answer = Game.new(ROOFS, InchTable("Yard", 12, 12), [unit]).reach("A1")
        (reason,) = answer.why_not(Pose((3.0, 3.0), level="attic")).reasons
        assert reason.message == f"there is no level attic here: {', '.join(map(str, answer.known_levels))}"
