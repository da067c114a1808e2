"""What somebody meets who has never seen the program: one of everything, nothing at all, and numbers that are none."""

import json

import pytest

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
    assert "only one answer fits on standard output" in answer.stderr


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("hall.yaml", "--budget", "nan"), "Invalid value for '--budget': nan is no number"),
        (("hall.yaml", "--radius", "nan"), "Invalid value for '--radius': nan is no number"),
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
    assert [(file["ok"], file["board"]) for file in checked["files"]] == [(True, "squares")]
    assert run("show", "cave.map").stdout.startswith("cave: 3 × 2 squares")
