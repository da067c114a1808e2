"""What a rulebook declares of a board is what its rules read: no word more, no word less; all else is reported."""

import json
import re
from pathlib import Path

import pytest
from board_words import PIECE_SAYS, declared, reads, units_of, words

from simulator.engine.board_words import Unread
from simulator.engine.game import Game
from simulator.engine.table import Setting
from simulator.engine.unread import unread_words
from simulator.errors import FileError
from simulator.formats.boards import parse_board
from simulator.formats.dots_models import DotEdge, DotLook
from simulator.formats.scenarios import load_scenario, parse_scenario
from simulator.formats.squares_models import SquareLook
from simulator.formats.starters import STARTERS, starter_for
from simulator.formats.table_models import PIECE_ATTRIBUTES
from simulator.geometry.ground_words import Word
from simulator.rulesets import OURS, shelf

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"


@pytest.mark.sampled
@pytest.mark.parametrize(("ruleset", "key", "name"), words())
def test_a_word_is_declared_just_where_it_makes_a_difference(ruleset, key, name):
    assert reads(ruleset, key, name, tries=4) == declared(ruleset, key, name)


def test_no_word_that_a_board_can_say_is_left_out():
    """Who adds a key to the format has to say here who reads it."""
    asked = {ruleset: {key for one, key, _ in words() if one == ruleset} for ruleset in OURS}
    assert {*SquareLook.model_fields, "edges", "areas"} == asked["grid_runner"]
    assert {*DotLook.model_fields, "kind", "areas"} - {"absent"} == asked["dot_trooper"]
    assert set(PIECE_ATTRIBUTES) == set(PIECE_SAYS)
    assert asked["skirmish"] == {*PIECE_SAYS, "kind", "ground", "unit", "height", "layer", "on", "entry_areas"}
    kinds = {name for ruleset, key, name in words() if (ruleset, key) == ("dot_trooper", "kind")}
    assert kinds == set(DotEdge.model_fields["kind"].annotation.__args__) - {"open"}


def scenario_on(ruleset, board, **says):
    units = {"a": {"type": "soldier", "side": "red", "at": [3, 4]}} if ruleset == "skirmish" else {}
    return parse_scenario(json.dumps({"format": 1, "ruleset": ruleset, "board": board, "units": units} | says))


class TestOnATable:
    def board(self, *pieces, **says):
        shape = {"rectangle": {"centre": [6, 4], "size": [1, 1]}}
        entries = [{"id": f"p{number}", **shape, **piece} for number, piece in enumerate(pieces)]
        return {"board": "table", "size": [12, 8], "pieces": entries, **says}

    @pytest.mark.parametrize(
        ("piece", "message"),
        [
            (
                {"kind": "rough"},
                r"pieces\[0\]\.kind: .* reads kind 'rough'; did you mean 'rough_terrain'",
            ),
            (
                {"kind": "obstacel"},
                r"kind 'obstacel'; did you mean 'obstacle'\? \(known: obstacle, rough_terrain\)",
            ),
            ({"kind": "river"}, r"reads kind 'river'; known: obstacle, rough_terrain; words that are only drawn"),
            (
                {"kind": "obstacle", "doors": [[6, 4]]},
                r"pieces\[0\]\.doors: .* reads 'doors' of obstacle 'p0'; known: height",
            ),
            ({"kind": "rough_terrain", "wet": False}, r"pieces\[0\]\.wet: no rule of skirmish reads 'wet' of rough"),
        ],
    )
    def test_what_no_rule_reads_is_a_fault_where_it_stands(self, piece, message):
        with pytest.raises(FileError, match=message) as caught:
            scenario_on("skirmish", self.board(piece))
        assert re.match(r"<text>:1:\d+: board\.pieces", str(caught.value))

    def test_the_ground_and_the_unit_too(self):
        for says, message in (
            ({"ground": "rough_terrain"}, "reads ground 'rough_terrain'; known: open"),
            ({"unit": "cm"}, "reads unit 'cm'"),
        ):
            with pytest.raises(FileError, match=message):
                scenario_on("skirmish", self.board(**says))

    def test_what_is_listed_as_scenery_is_only_drawn(self):
        river = self.board({"kind": "river", "paved": True})
        assert scenario_on("skirmish", river, scenery=["river"]).notes == ()
        assert scenario_on("skirmish", {**river, "scenery": ["river"]}).notes == ()

    @pytest.mark.parametrize(
        ("scenery", "message"),
        [
            (["obstacle"], "scenery.*'obstacle' is not scenery: skirmish reads it as an obstacle"),
            (["rivr"], "scenery.*nothing on this board is called 'rivr'"),
        ],
    )
    def test_scenery_that_is_none(self, scenery, message):
        with pytest.raises(FileError, match=message):
            scenario_on("skirmish", self.board({"kind": "obstacle"}), scenery=scenery)

    def test_scenery_of_a_board_that_is_none(self):
        with pytest.raises(FileError, match=r"scenery.*nothing on this board is called 'rivr'"):
            scenario_on("skirmish", self.board({"kind": "obstacle"}, scenery=["rivr"]))

    def test_one_board_for_several_rulebooks(self):
        """What it lists as scenery is drawn only where the rulebook does not read it."""
        board = self.board(
            {"kind": "obstacle", "rectangle": {"centre": [6, 2], "size": [1, 4]}},
            {"kind": "river", "rectangle": {"centre": [6, 6], "size": [1, 4]}},
            scenery=["obstacle", "river"],
        )
        soldier = {"type": "soldier", "side": "red"}
        walker = {"type": "infantry", "side": "red", "heading": 0}
        for ruleset, unit, barred in (("skirmish", soldier, 2), ("combined_arms", walker, 6)):
            units = {f"at{y}": {**unit, "at": [4.4, y]} for y in (2, 6)}
            game = scenario_on(ruleset, board, units=units).start()
            assert {y for y in (2, 6) if (7.2, y) not in game.reach(f"at{y}", "move")} == {barred}

    def test_figures_choose_the_kinds(self):
        marsh = self.board({"kind": "marsh"})
        tables = {"rough_ground.kinds": ["rough_terrain", "marsh"]}
        assert scenario_on("skirmish", marsh, tables=tables).notes == ()

    def test_a_height_from_which_nothing_follows_is_noted(self):
        (note,) = scenario_on("skirmish", self.board({"kind": "rough_terrain", "height": 1})).notes
        assert note.message == "nothing follows from height of p0 in skirmish: the table is flat (SK-66)"

    def test_a_game_set_up_in_python_reports_it_too(self):
        board = parse_board(json.dumps({"format": 1, **self.board({"kind": "rough"})}))
        rules = shelf()["skirmish"]
        game = Game.new(rules, board, units_of("skirmish"))
        assert [fault.blocker for fault in game.faults] == ["p0"]
        assert "did you mean 'rough_terrain'?" in game.faults[0].message
        assert Game.new(rules, board, units_of("skirmish"), scenery=["rough"]).faults == ()


def test_the_faults_of_a_board_in_a_file_of_its_own_stand_there(tmp_path):
    board = tmp_path / "ford.yaml"
    board.write_text(
        "format: 1\nboard: table\nsize: [12, 8]\npieces:\n"
        "  - {id: r, kind: rough, circle: {centre: [6, 4], radius: 1}}\n"
    )
    scenario = tmp_path / "game.yaml"
    scenario.write_text("format: 1\nruleset: skirmish\nboard: ford.yaml\n")
    with pytest.raises(FileError) as caught:
        load_scenario(scenario)
    whole, single = sorted(caught.value.faults, key=lambda fault: fault.file != str(scenario))
    assert (whole.line, whole.message) == (3, "skirmish does not read all of this board (1 fault in ford.yaml)")
    assert (single.file, single.line, single.column, single.path) == (str(board), 5, 19, "pieces[0].kind")


@pytest.mark.parametrize("ruleset", ["grid_runner", "dot_trooper"])
def test_terrain_is_noted_once_at_its_first_place(ruleset):
    kind = shelf()[ruleset].boards[0]
    board = {"board": kind, "legend": {".": {}, "w": {"terrain": "water"}, "m": {"terrain": "mud"}}, "rows": ". w m"}
    (note,) = scenario_on(ruleset, board).notes
    assert note.path == "board.legend.m.terrain"
    assert note.message.startswith(f"nothing follows from terrain mud, water in {ruleset}: ")
    assert scenario_on(ruleset, board, scenery=["terrain"]).notes == ()
    (note,) = scenario_on(ruleset, board, scenery=["mud"]).notes
    assert note.message.startswith(f"nothing follows from terrain water in {ruleset}: ")


@pytest.mark.parametrize("path", sorted(SCENARIOS.glob("*/*.yaml")), ids=lambda path: path.stem)
def test_the_scenarios_that_come_with_the_program_leave_nothing_open(path):
    assert load_scenario(path).notes == ()


#: A unit of each rulebook, and where it stands on the starters.
FIRST_UNITS = {
    "grid_runner": ("character", (0, 0)),
    "dot_trooper": ("trooper", (1, 0)),
    "skirmish": ("soldier", (2, 14)),
    "combined_arms": ("infantry", (2, 14)),
    "mecha": ("mecha, size_class: 2, move: 6", (2, 14)),
}


def starters():
    for name in OURS:
        for kind in shelf()[name].boards:
            yield pytest.param(name, starter_for(shelf()[name], kind), True, id=f"{name}-own")
            yield pytest.param(name, STARTERS[kind], False, id=f"{name}-{kind}")


@pytest.mark.parametrize(("name", "text", "is_own"), list(starters()))
def test_every_starter_plays(name, text, is_own):
    """Check, run and reach: every unit type anywhere on the board, asked about every action."""
    rules = shelf()[name]
    board = parse_board(text)
    if is_own:
        assert (board.scenery, rules.boards[0]) == ((), board.kind)
    unit, at = FIRST_UNITS[name]
    inner = "\n".join(f"  {line}".rstrip() for line in text.splitlines())
    who = f"{{type: {unit}, side: red, at: {list(at)}, heading: 0}}"
    said = f"format: 1\nruleset: {name}\nboard:\n{inner}\nunits:\n  a: {who}\n"
    scenario = parse_scenario(said.replace("\n  format: 1 ", "\n  # "))
    assert scenario.notes == ()
    assert scenario.run().ok
    game = scenario.start()
    assert not game.faults
    assert not game.reach("a").area.is_empty


def test_a_board_for_a_rulebook_says_every_word_that_it_reads():
    for name in OURS:
        rules = shelf()[name]
        kind = rules.boards[0]
        board = parse_board(starter_for(rules))
        said = board.words()
        for one in rules.reads[kind]:
            if not one.idle:
                words = one.words(rules.tables) or [one.key]
                under = {name for found in said if found.key == one.key for name in (found.name, found.key)}
                told = [word in under for word in words]
                # A table lies on one kind of ground.
                assert any(told) if one.key == "ground" else all(told), (name, one.key)


class TestWithoutEffect:
    """What is read and still changes nothing as it stands is noted, too."""

    def dots(self, edges=(), **says):
        legend = {".": {}, "^": {"level": 1}, "B": {"storeys": 2}, "o": {"opening": True}}
        board = {"board": "dots", "legend": legend, "rows": ". . ^ ^\n B . . .", "edges": list(edges), **says}
        return [note.message for note in scenario_on("dot_trooper", board).notes]

    def test_the_size_of_squares_is_that_of_the_scale(self):
        def noted(scale, **square):
            board = {"board": "squares", "legend": {".": {}}, "rows": "...", **({"square": square} if square else {})}
            return [str(note) for note in scenario_on("grid_runner", board, options={"scale": scale}).notes]

        for scale, size in (("m1", 1), ("m2", 2), ("m5", 5)):
            assert noted(scale) == []
            assert noted(scale, size=size, unit="metre") == []
            for other in {1, 2, 5} - {size}:
                (note,) = noted(scale, size=other, unit="metre")
                assert f"squares of {other} metre" in note
                assert f"at scale {scale} a square is {size} metre" in note
                assert f"options: {{scale: m{other}}} would fit" in note
        (note,) = noted("m1", size=3, unit="metre")
        assert "would fit" not in note
        (note,) = noted("m1", size=1, unit="inch")
        assert "squares of 1 inch" in note

    @pytest.mark.parametrize(
        ("scale", "size", "unit", "rest"),
        [
            ("m1", 2, "metre", "at scale m1 a square is 1 metre wide (GR-1); options: {scale: m2} would fit"),
            ("m2", 5, "metres", "at scale m2 a square is 2 metres wide (GR-1); options: {scale: m5} would fit"),
            ("m5", 1, "m", "at scale m5 a square is 5 metres wide (GR-1); options: {scale: m1} would fit"),
            ("m5", 3, "metre", "at scale m5 a square is 5 metres wide (GR-1)"),
            ("m2", 2, "inch", "at scale m2 a square is 2 metres wide (GR-1)"),
        ],
    )
    def test_all_that_is_said_of_the_size_of_squares(self, scale, size, unit, rest):
        text = (
            f"format: 1\nboard: squares\nsquare: {{size: {size}, unit: {unit}}}\nlegend: {{'.': {{}}}}\nrows: '...'\n"
        )
        setting = Setting.of(shelf()["grid_runner"], parse_board(text), {"scale": scale})
        told = f"nothing follows from squares of {size} {unit} in grid_runner: {rest}"
        assert tuple(unread_words(setting)) == (
            Unread(Word("square", "size", ("square", "size")), told, "GR-1", is_fault=False),
        )

    @pytest.mark.parametrize(
        ("edge", "message"),
        [
            ({"kind": "ramp", "between": [[0, 0], [1, 0]]}, r"the ramp between 0,0 and 1,0 .* \(DT-166\)"),
            ({"kind": "ramp", "between": [[1, 0], [2, 0]]}, ""),
            ({"kind": "ramp", "between": [[1, 0], [2, 0]], "levels": [0, 2]}, r"the ramp between .* \(DT-166\)"),
            ({"kind": "ramp", "between": [[2, 0], [1, 0]], "levels": [1, 0]}, ""),
            ({"kind": "stairs", "between": [[0, 0], [1, 0]], "levels": [0, 1]}, r"the stairs between .* \(DT-164\)"),
            ({"kind": "stairs", "between": [[0, 0], [0, 1]], "levels": [0, 1]}, ""),
            ({"kind": "ladder", "between": [[0, 0], [0, 1]], "levels": [0, 3]}, r"the ladder between .* \(DT-164\)"),
            ({"kind": "ladder", "between": [[0, 0], [1, 0]]}, r"the ladder between 0,0 and 1,0 .* \(DT-164\)"),
            ({"kind": "ladder", "between": [[1, 0], [2, 0]]}, ""),
            ({"kind": "wall", "between": [[0, 0], [1, 0]], "levels": [1, 2]}, r"the wall between .* \(DT-5\)"),
            ({"kind": "wall", "between": [[0, 0], [0, 1]], "levels": [1, 1]}, ""),
            ({"kind": "wall", "between": [[0, 0], [0, 1]], "levels": [2, 2]}, ""),
            ({"kind": "wall", "between": [[0, 0], [0, 1]], "levels": [3, 4]}, r"the wall between .* \(DT-5\)"),
            ({"kind": "wall", "between": [[2, 0], [3, 0]], "levels": [0, 0]}, r"the wall between .* \(DT-5\)"),
            ({"kind": "window", "between": [[0, 0], [1, 0]], "levels": [4, 4]}, r"the window between .* \(DT-5\)"),
        ],
    )
    def test_edges_that_lead_nowhere(self, edge, message):
        notes = self.dots([edge])
        assert len(notes) == bool(message)
        for note in notes:
            assert re.search("nothing follows from " + message, note)

    @pytest.mark.parametrize("number", [1, 2, 6, 7, 12])
    def test_six_places_are_listed_at_most(self, number):
        ramps = [{"kind": "ramp", "between": [[at, 0], [at + 1, 0]]} for at in range(number)]
        legend = {".": {}, "o": {"opening": True}}
        openings = ". " * (20 - number) + "o " * number
        board = {"board": "dots", "legend": legend, "rows": f"{'. ' * 20}\n {openings}", "edges": ramps}
        more = "; …" * (number > 6)
        second, first = scenario_on("dot_trooper", board).notes
        listed = "; ".join(f"{at},0 and {at + 1},0" for at in range(number)[:6])
        assert first.message.startswith(f"nothing follows from the ramp between {listed}{more} in dot_trooper: a ramp ")
        assert first.message.endswith(" (DT-166)")
        assert (first.path, second.path) == ("board.edges[0].kind", "board.legend.o.opening")
        listed = "; ".join(f"{at},1" for at in range(20 - number, 20)[:6])
        assert second.message.startswith(f"nothing follows from the opening at {listed}{more} in dot_trooper: an open")
        assert second.message.endswith(" (DT-12)")

    def test_an_opening_beside_a_building_leads_out_of_it(self):
        assert self.dots(rows=". . ^ ^\n B o . .") == []
        (note,) = self.dots(rows=". . ^ ^\n B . o .")
        assert "an opening lies in a building or beside one (DT-12)" in note
