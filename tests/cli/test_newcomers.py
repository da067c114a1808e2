"""What somebody meets who has never seen the program: one of everything, nothing at all, and numbers that are none."""

import io
import json
import sys
import time

import pytest

from simulator.cli import waiting as waiting_module

WALL = """\
format: 1
ruleset: skirmish
name: A wall
board:
  board: table
  size: [20, 12]
  pieces: [{id: wall, kind: obstacle, layer: obstacle, line: [[10, 0], [10, 12]], height: 1}]
units:
  near: {type: soldier, side: red, at: [11, 6]}
  far: {type: soldier, side: red, at: [16, 6]}
turns:
  - near done
"""

FOG = """\
format: 1
ruleset: dot_trooper
name: Fog
board: {board: dots, legend: {".": {}}, rows: ". . . . . . . . . ."}
units:
  fay: {type: trooper, side: red, at: [0, 0], jet_pack: worn}
turns:
  - "fay activate_jet_pack to 7,0"
"""

HALL = 'format: 1\nboard: squares\nname: Hall\nlegend: {".": {terrain: planks}}\nrows: |\n  ..\n'


@pytest.fixture
def folder(tmp_path):
    for name, text in {"wall.yaml": WALL, "fog.yaml": FOG, "hall.yaml": HALL}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "cave.map").write_text("type octile\nheight 2\nwidth 3\nmap\n..@\n...\n")
    return tmp_path


class TestReachWithoutWidth:
    """SK-23: who climbs straight over a wall comes down in one place, and that is no ground of so many inches."""

    def test_a_single_place_is_told_as_a_point(self, run, folder):
        answer = run("reach", "wall.yaml", "near", "--action", "traverse", "--svg", "wall.svg")
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout.splitlines()[1:] == [
            "can end on 1 point, by least cost:",
            "            1 AP: 1 point",
            "by best chance:",
            "     80% or more: 1 point",
        ]
        assert "h0" in (folder / "wall.svg").read_text()

    def test_several_are_told_as_lines(self, run, folder):
        answer = run(
            "reach", "wall.yaml", "near", "--action", "traverse", "--option", "traverse_direction=any_direction"
        )
        assert answer.stdout.splitlines()[1].startswith("can end on lines of 3.")

    def test_none_is_told_and_is_1(self, run, folder):
        answer = run("reach", "wall.yaml", "far", "--action", "traverse")
        assert answer.returncode == 1
        assert answer.stdout.splitlines()[1:] == ["it can end nowhere but where it is"]


class TestOneOfEverything:
    def test_one_place_one_order_one_turn_one_piece(self, run, folder):
        assert run("walk", "hall.yaml", "--from", "0,0", "--budget", "0").stdout.startswith("1 place within 0 steps\n")
        assert "\n1 order in 1 turn\n" in run("show", "wall.yaml").stdout
        assert run("check", "fog.yaml").stdout == "fog.yaml: ok (a scenario of dot_trooper: 1 unit, 1 order)\n"
        assert "20 × 12 inches, 1 piece" in run("show", "wall.yaml").stdout
        assert run("bench", "hall.yaml", "--queries", "1", "--budget", "1").stdout.startswith(
            "Hall: 1 query of 1 step "
        )
        assert run("run", "fog.yaml", "--svg", "fog").stderr == "wrote 2 pictures to fog\n"


def test_the_program_alone_tells_what_it_can_do(run):
    answer = run()
    assert (answer.returncode, answer.stderr) == (0, "")
    assert answer.stdout == run("--help").stdout


def test_what_was_planned_is_told_as_an_order_that_can_be_said(run, folder):
    told = run("run", "fog.yaml").stdout.splitlines()
    (planned,) = (line.partition("planned: ")[2] for line in told if "planned: " in line)
    assert planned == "fly 1,0 2,0 3,0 4,0 5,0 6,0 7,0"
    assert run("explain", "fog.yaml", f"fay activate_jet_pack: {planned}").returncode == 0


@pytest.mark.parametrize(
    "words",
    [
        ("reach", "wall.yaml", "near", "--json", "--svg", "-"),
        ("reach", "wall.yaml", "near", "--svg", "-", "--geojson", "-"),
        ("walk", "hall.yaml", "--from", "0,0", "--budget", "1", "--json", "--geojson", "-"),
        ("show", "hall.yaml", "--svg", "-", "--png", "-"),
        ("run", "wall.yaml", "--json", "--junit", "-"),
    ],
)
def test_two_answers_do_not_go_to_one_place(run, folder, words):
    answer = run(*words)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert "standard output takes only one answer" in answer.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("hall.yaml", "--budget", "nan"), "Invalid value for '--budget': nan is not a number"),
        (("hall.yaml", "--radius", "nan"), "Invalid value for '--radius': nan is not a number"),
        (("hall.yaml", "--budget", "inf"), "Invalid value for '--budget'"),
        (("hall.yaml", "--terrain", "plnks=2"), "no terrain 'plnks' on this board; did you mean 'planks'?"),
    ],
)
def test_bench_with_what_is_no_number_and_no_terrain(run, folder, words, message):
    answer = run("bench", *words)
    assert (answer.returncode, answer.stdout) == (2, "")
    assert message in answer.stderr


def test_an_order_to_nobody_is_told_beside_a_unit_that_stands_nowhere(run, folder):
    (folder / "wall.yaml").write_text(WALL.replace("[16, 6]", "[99, 6]").replace("- near done", "- fra move to 3,3"))
    answer = run("check", "wall.yaml")
    assert answer.returncode == 3
    assert answer.stdout.splitlines() == [
        "wall.yaml:10:39: units.far.at: is not on the board (got [99, 6])",
        "wall.yaml:12:5: turns[0]: expected a unit on the table, found 'fra'; did you mean 'far'? (known: near, far)",
    ]


def test_maps_of_others_can_be_checked_and_shown(run, folder):
    checked = json.loads(run("check", "cave.map", "--json").stdout)
    assert [(file["ok"], file["board"]["kind"]) for file in checked["files"]] == [(True, "squares")]
    assert run("show", "cave.map").stdout.startswith("cave: 3 × 2 squares")


class TestFilesByTheirNames:
    def test_what_was_probably_meant_can_be_typed_as_it_is_told(self, run, folder):
        (folder / "maps").mkdir()
        (folder / "maps" / "yard.yaml").write_text(HALL)
        for said, meant in {"hal.yaml": "hall.yaml", "hall": "hall.yaml", "maps/yrd.yaml": "maps/yard.yaml"}.items():
            answer = run("show", said)
            assert answer.returncode == 3
            assert answer.stderr.rstrip().endswith(f"did you mean '{meant}'?")

    def test_a_folder_is_not_meant(self, run, folder):
        (folder / "halt.yaml").mkdir()
        (folder / "hall.yaml").unlink()
        assert "did you mean" not in run("show", "hald.yaml").stderr


class TestSaidTwice:
    @pytest.mark.parametrize("flag", ["--option", "--with"])
    def test_one_name_with_two_values_is_wrong_usage(self, run, folder, flag):
        answer = run("reach", "fog.yaml", "fay", flag, "ap=1", flag, "ap=2")
        assert answer.returncode == 2
        assert "ap is set twice, to 1 and to 2" in answer.stderr

    def test_the_cost_of_a_terrain_too(self, run, folder):
        costs = ("--terrain", "planks=2", "--terrain", "planks=closed")
        answer = run("walk", "hall.yaml", "--from", "0,0", "--budget", "1", *costs)
        assert answer.returncode == 2
        assert "the cost of planks is set twice" in answer.stderr

    def test_the_same_again_does_no_harm(self, run, folder):
        costs = ("--terrain", "planks=2", "--terrain", "planks=2")
        assert run("walk", "hall.yaml", "--from", "0,0", "--budget", "2", *costs).returncode == 0


class TestWhoMayNotMove:
    CHASE = """\
format: 1
ruleset: grid_runner
board: hall.yaml
units:
  kit: {type: character, side: red, at: [0, 0], metatype: human}
  guard: {type: character, side: blue, at: [1, 0], metatype: human}
turns: [[kit done]]
"""

    def test_is_told_why(self, run, folder):
        (folder / "chase.yaml").write_text(self.CHASE)
        answer = run("reach", "chase.yaml", "kit", "--with", "sprint=3")
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout.splitlines()[1:] == [
            "it can end nowhere but where it is",
            "  GR-34  kit walks: the squares of a sprint are running movement",
        ]

    def test_a_charge_without_a_target_names_the_enemies(self, run, folder):
        (folder / "chase.yaml").write_text(self.CHASE)
        answer = run("reach", "chase.yaml", "kit", "--action", "charge_attack")
        assert answer.returncode == 2
        assert answer.stderr == "target: a charge needs one: guard\n"


class TestWaiting:
    """Who waits for an answer sees that it is worked on; what is kept of it shows nothing of that."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    def test_a_terminal_is_told_for_how_long_and_wiped(self, monkeypatch):
        terminal = self.Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        monkeypatch.setattr(waiting_module, "_BEAT", 0.01)
        with waiting_module.waiting("asking"):
            while "asking: 2 s" not in terminal.getvalue():
                time.sleep(0.005)
        assert terminal.getvalue().startswith("\rasking: 1 s\rasking: 2 s")
        assert terminal.getvalue().endswith("\r\x1b[K")

    def test_how_far_it_has_got_stands_beside_the_seconds(self, monkeypatch):
        terminal = self.Terminal()
        monkeypatch.setattr(sys, "stderr", terminal)
        monkeypatch.setattr(waiting_module, "_BEAT", 0.01)
        with waiting_module.waiting("asking") as note:
            note("7 square inches so far")
            while "asking: 2 s" not in terminal.getvalue():
                time.sleep(0.005)
        assert "asking: 2 s; 7 square inches so far" in terminal.getvalue()

    def test_what_is_over_soon_leaves_no_trace(self, monkeypatch):
        monkeypatch.setattr(sys, "stderr", self.Terminal())
        with waiting_module.waiting("asking"):
            pass
        assert sys.stderr.getvalue() == ""

    def test_a_file_is_told_nothing(self, monkeypatch):
        monkeypatch.setattr(sys, "stderr", io.StringIO())
        monkeypatch.setattr(waiting_module, "_BEAT", 0.0)
        with waiting_module.waiting("asking"):
            pass
        assert sys.stderr.getvalue() == ""


class TestMeasuring:
    def test_what_another_kind_of_board_knows_is_refused(self, run, folder):
        (folder / "field.yaml").write_text("format: 1\nboard: table\nsize: [9, 9]\n")
        for board, option, kinds in (
            ("hall.yaml", ("--radius", "1"), "tables"),
            ("field.yaml", ("--terrain", "mud=2"), "squares and dots"),
        ):
            answer = run("bench", board, *option)
            assert answer.returncode == 2
            assert f"{option[0]} is for {kinds}" in answer.stderr

    def test_scaled_up_is_only_who_did_not_answer_all(self, run, folder):
        assert "scaled up" not in run("bench", "hall.yaml", "--queries", "2", "--budget", "1").stdout
        assert "scaled up" in run("bench", "hall.yaml", "--queries", "5", "--budget", "1").stdout


def test_the_picture_of_a_rider_is_titled_as_the_answer_is(run, folder):
    units = "bike: {type: vehicle, side: red, at: [3, 0], heading: 0}, ann: {type: trooper, side: red, aboard: bike}"
    board = '{board: dots, legend: {".": {}}, rows: ". . . . . . . . . ."}'
    text = f"format: 1\nruleset: dot_trooper\nboard: {board}\nunits: {{{units}}}\nturns: [[ann done]]\n"
    (folder / "ride.yaml").write_text(text)
    assert run("reach", "ride.yaml", "ann").stdout.startswith("ann on bike (red), turn; ")
    assert ">ann on bike: turn</text>" in run("reach", "ride.yaml", "ann", "--svg", "-", apart=True).stdout
