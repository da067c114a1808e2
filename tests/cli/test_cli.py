"""The command line as a user meets it: answers, messages, exit codes."""

import json
import subprocess
import sys
from pathlib import Path

import click
import pytest
import shapely

from simulator.cli import cli
from simulator.version import __version__

ROOT = Path(__file__).resolve().parents[2]
HALL = """\
format: 1
board: squares
name: Hall
legend:
  ".": {terrain: floor}
rows: |
  ...
  ...
"""


class TestDoor:
    def test_help_names_every_command_and_the_exit_codes(self, run):
        answer = run("--help")
        assert answer.returncode == 0
        for word in ("bench", "check", "demo", "new-board", "reach", "show", "walk", "Exit status"):
            assert word in answer.stdout

    def test_version(self, run):
        assert run("--version").stdout.strip().endswith(__version__)

    @pytest.mark.parametrize(
        "words", [("chek",), ("show",), ("check",), ("show", "x", "--svgg", "y"), ("new-board", "hex")]
    )
    def test_wrong_usage_is_2_and_told_on_stderr(self, run, words):
        answer = run(*words)
        assert answer.returncode == 2
        assert answer.stdout == ""
        assert "simulator" in answer.stderr

    def test_a_mistyped_command_is_guessed_at(self, run):
        assert "no such command 'chek'; did you mean 'check'?" in run("chek").stderr
        assert "the commands are bench, check, completion, demo" in run("xyzzy").stderr

    def test_a_bug_is_70_and_says_so(self, run):
        code = "import simulator.formats.boards as b, sys; from simulator.__main__ import main\n"
        code += "def broken(path): raise RuntimeError('boom')\n"
        code += "b.load_board = broken; sys.argv = ['simulator', 'show', 'x']; main()"
        answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
        assert answer.returncode == 70
        assert "a bug in the simulator" in answer.stderr
        assert "RuntimeError: boom" in answer.stderr

    def test_a_reader_that_leaves_early_is_no_error(self, run):
        command = f"{sys.executable} -m simulator new-board table | head -n 1"
        answer = subprocess.run(
            command, shell=True, capture_output=True, text=True, check=False, cwd=ROOT, executable="/bin/sh"
        )
        assert answer.returncode == 0
        assert answer.stderr == ""


class TestCheck:
    def test_a_sound_file(self, run, tmp_path):
        (tmp_path / "hall.yaml").write_text(HALL)
        answer = run("check", "hall.yaml")
        assert answer.returncode == 0
        assert answer.stdout.startswith("hall.yaml: ok (squares, ")

    def test_a_faulty_file_is_3_with_every_fault_in_its_place(self, run, tmp_path):
        (tmp_path / "hall.yaml").write_text(HALL.replace("name:", "nmae:").replace("floor}", "floor, wal: true}"))
        answer = run("check", "hall.yaml")
        assert answer.returncode == 3
        lines = answer.stdout.splitlines()
        assert len(lines) == 2
        assert lines[0].startswith("hall.yaml:3:1: ")
        assert "did you mean 'name'" in lines[0]
        assert lines[1].startswith("hall.yaml:5:")
        assert "did you mean 'wall'" in lines[1]

    def test_json_is_one_document(self, run, tmp_path):
        (tmp_path / "good.yaml").write_text(HALL)
        (tmp_path / "bad.yaml").write_text(HALL.replace("format: 1", "format: 2"))
        answer = run("check", "good.yaml", "bad.yaml", "--json")
        document = json.loads(answer.stdout)
        assert answer.returncode == 3
        assert document["format"] == 1
        assert [entry["ok"] for entry in document["files"]] == [True, False]
        assert document["files"][1]["faults"][0]["line"] == 1

    def test_a_folder_stands_for_its_files_and_an_empty_one_is_wrong_usage(self, run, tmp_path):
        (tmp_path / "boards").mkdir()
        assert run("check", "boards").returncode == 2
        (tmp_path / "boards" / "hall.yaml").write_text(HALL)
        assert "boards/hall.yaml: ok" in run("check", "boards").stdout

    def test_hidden_folders_are_left_alone(self, run, tmp_path):
        (tmp_path / "boards" / ".venv").mkdir(parents=True)
        for place in ("boards/hall.yaml", "boards/.venv/faulty.yaml", "boards/.faulty.yaml"):
            (tmp_path / place).write_text(HALL if "hall" in place else "[]")
        answer = run("check", "boards")
        assert (answer.returncode, answer.stdout.count("\n")) == (0, 1)

    def test_a_file_that_is_not_there_is_3(self, run):
        answer = run("check", "nowhere.yaml")
        assert answer.returncode == 3
        assert "nowhere.yaml: cannot be read: No such file or directory" in answer.stdout


class TestShow:
    def test_in_words(self, run, tmp_path):
        (tmp_path / "hall.yaml").write_text(HALL)
        answer = run("show", "hall.yaml")
        assert answer.stdout.splitlines()[:2] == ["Hall: 3 × 2 squares of 1 metre", "  floor"]

    def test_as_a_picture(self, run, tmp_path):
        (tmp_path / "hall.yaml").write_text(HALL)
        answer = run("show", "hall.yaml", "--svg", "hall.svg", "--png", "hall.png")
        assert answer.returncode == 0, answer.stderr
        assert (tmp_path / "hall.svg").read_text().startswith("<svg ")
        assert (tmp_path / "hall.png").read_bytes().startswith(b"\x89PNG")
        assert run("show", "hall.yaml", "--svg", "-", apart=True).stdout == (tmp_path / "hall.svg").read_text()

    def test_a_picture_that_can_not_be_written_is_told(self, run, tmp_path):
        (tmp_path / "hall.yaml").write_text(HALL)
        answer = run("show", "hall.yaml", "--svg", "hall.yaml/hall.svg")
        assert answer.returncode == 2
        assert "cannot write hall.yaml/hall.svg: Not a directory" in answer.stderr

    def test_a_faulty_board_is_3_and_told_on_stderr(self, run, tmp_path):
        (tmp_path / "hall.yaml").write_text("format: 1\n")
        answer = run("show", "hall.yaml")
        assert answer.returncode == 3
        assert answer.stdout == ""
        assert answer.stderr.startswith("hall.yaml:")


class TestWalk:
    @pytest.fixture
    def hall(self, tmp_path):
        (tmp_path / "hall.yaml").write_text(HALL)
        return "hall.yaml"

    @pytest.mark.parametrize("engine", ["numpy", "networkx"])
    def test_in_words_with_the_way(self, run, hall, engine):
        answer = run("walk", hall, "--from", "0,0", "--budget", "2", "--to", "2,1", "--engine", engine)
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout.splitlines() == [
            "6 places within 2 steps",
            "     0 steps: 1",
            "      1 step: 3",
            "     2 steps: 2",
            *answer.stdout.splitlines()[4:],
        ]
        assert answer.stdout.splitlines()[-1].strip() == "2 steps"

    def test_as_json_geojson_and_pictures(self, run, hall, tmp_path):
        answer = run("walk", hall, "--from", "0,0", "--budget", "1", "--json", "--geojson", "a.json", "--svg", "a.svg")
        document = json.loads(answer.stdout)
        assert (document["format"], len(document["ends"]), document["ends"][0]["cost"]) == (1, 4, 0)
        assert len(json.loads((tmp_path / "a.json").read_text())["features"]) == 5
        assert (tmp_path / "a.svg").read_text().startswith("<svg ")

    def test_a_place_out_of_reach_is_1(self, run, hall):
        answer = run("walk", hall, "--from", "0,0", "--budget", "1", "--to", "2,1")
        assert answer.returncode == 1
        assert "2,1 cannot be reached within 1 step" in answer.stderr

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("--from", "9,9", "--budget", "1"), "columns 0..2, rows 0..1"),
            (("--from", "here", "--budget", "1"), "a place is two whole numbers like 3,4 (got 'here')"),
            (("--from", "0,0", "--budget", "-1"), "-1"),
            (("--from", "0,0", "--budget", "1", "--terrain", "mud"), "a terrain cost looks like mud=2"),
            (("--from", "0,0", "--budget", "1", "--terrain", "mud=2"), "no terrain 'mud' on this board"),
            (("--budget", "1"), "--from"),
        ],
    )
    def test_wrong_questions(self, run, hall, words, message):
        answer = run("walk", hall, *words)
        assert answer.returncode in (2, 3)
        assert message in answer.stderr
        assert answer.stdout == ""

    def test_dots_are_named_as_in_pictures_or_axial(self, run, tmp_path):
        run("new-board", "dots", "yard.yaml")
        by_column = run("walk", "yard.yaml", "--from", "0,2", "--budget", "1", "--json")
        by_axis = run("walk", "yard.yaml", "--from=-1,2", "--axial", "--budget", "1", "--json")
        assert by_column.stdout == by_axis.stdout
        assert by_column.returncode == 0

    @pytest.mark.parametrize("kind", ["squares", "dots", "table"])
    @pytest.mark.parametrize(
        ("option", "kinds"),
        [
            (("--terrain", "mud=2"), ("squares", "dots")),
            (("--diagonals", "2"), ("squares",)),
            (("--corners", "free"), ("squares",)),
            (("--axial",), ("dots",)),
            (("--engine", "numpy"), ("squares", "dots")),
            (("--radius", "1"), ("table",)),
        ],
    )
    def test_what_has_no_effect_on_a_board_is_refused(self, run, kind, option, kinds):
        run("new-board", kind, "board.yaml")
        answer = run("walk", "board.yaml", "--from", "2,2", "--budget", "1", *option)
        refused = f"{option[0]} is for {' and '.join(kinds).replace('table', 'tables')}\n"
        assert (refused in answer.stderr) is (kind not in kinds)
        assert answer.returncode == 2 or kind in kinds


@pytest.fixture
def quarter():
    return str(Path(__file__).parents[2] / "boards" / "ruined_quarter.yaml")


class TestWalkOnATable:
    WORDS = ("--from", "12,6", "--radius", "0.63", "--to", "19,11")

    def test_tells_the_ground_and_the_way(self, run, quarter):
        answer = run("walk", quarter, "--budget", "9", *self.WORDS)
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout.splitlines() == [
            "175.3 square inches within 9 inches",
            "      up to 2 inches: 12.56 square inches",
            "  over 2 to 4 inches: 35.86 square inches",
            "  over 4 to 6 inches: 46.86 square inches",
            "  over 6 to 8 inches: 50.29 square inches",
            "  over 8 to 9 inches: 29.78 square inches",
            "12,6 to 19,11: 8.6266 inches",
            "  straight to 17.3432,9.4717",
            "  round 17,10 to the left, at 0.63 inches, to 17.4291,9.5387",
            "  straight to 19,11",
        ]

    def test_a_budget_far_beyond_the_table_takes_no_longer_than_one_across_it(self, run, quarter):
        answer = run("walk", quarter, "--budget", "1000000", "--from", "12,6", "--to", "19,11")
        assert answer.returncode == 0, answer.stderr
        lines = answer.stdout.splitlines()
        assert lines[0].endswith("square inches within 1000000 inches")
        assert len([line for line in lines if " to " in line and "square" in line]) > 3
        assert "nothing more" not in answer.stdout

    def test_writes_documents_and_pictures(self, run, quarter, tmp_path):
        files = ("--geojson", "a.json", "--svg", "a.svg", "--png", "a.png")
        answer = run("walk", quarter, "--budget", "9", *self.WORDS, "--json", *files)
        found = json.loads(answer.stdout)
        bands = sum(band["area"] for band in found["bands"])
        assert bands == pytest.approx(found["area"], abs=1e-3)
        (route,) = found["routes"]
        assert route["cost"] == pytest.approx(8.6266, abs=1e-4)
        assert [("arc" in piece) for piece in route["pieces"]] == [False, True, False]
        features = json.loads((tmp_path / "a.json").read_text())["features"]
        assert [one["properties"]["what"] for one in features] == ["area", *["band"] * 5, "route"]
        assert shapely.geometry.shape(features[0]["geometry"]).area == pytest.approx(found["area"])
        assert (tmp_path / "a.svg").read_text().startswith("<svg")
        assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")

    def test_a_place_out_of_reach_exits_1(self, run, quarter):
        answer = run("walk", quarter, "--budget", "8.5", *self.WORDS)
        assert answer.returncode == 1
        assert answer.stderr == "19,11 cannot be reached within 8.5 inches\n"

    @pytest.mark.parametrize(
        ("words", "message"),
        [
            (("--from", "0,0"), "a base of radius 0.5 cannot stand at 0,0 on Ruined quarter"),
            (("--from", "1,x"), "a place on a table is two numbers like 3,4.5 (got '1,x')"),
            (("--from", "1,nan"), "1,nan is not on any table"),
            (("--from", "12,6", "--engine", "networkx"), "--engine is for squares and dots"),
        ],
    )
    def test_wrong_words_are_answered(self, run, quarter, words, message):
        answer = run("walk", quarter, "--budget", "3", *words)
        assert answer.returncode == 2
        assert message in answer.stderr

    def test_nan_is_no_amount(self, run, quarter):
        for words in (("--budget", "nan"), ("--budget", "3", "--radius", "nan")):
            answer = run("walk", quarter, "--from", "12,6", *words)
            assert answer.returncode == 2
            assert "nan is not a number" in answer.stderr

    def test_squares_know_no_radius_and_no_half_steps(self, run, tmp_path):
        (tmp_path / "hall.yaml").write_text(HALL)
        words = ("walk", "hall.yaml", "--from", "0,0", "--budget")
        assert "--radius is for tables" in run(*words, "1", "--radius", "1").stderr
        assert "--budget counts whole steps" in run(*words, "1.5").stderr


def test_bench_compares_answers_and_prints_ratios(run, tmp_path):
    (tmp_path / "hall.yaml").write_text(HALL)
    answer = run("bench", "hall.yaml", "--queries", "6", "--budget", "3")
    assert answer.returncode == 0, answer.stderr
    assert "Hall: 6 queries of 3 steps on 2 x 3 cells" in answer.stdout
    for name in ("simulator, all together", "simulator, one by one", "scipy csgraph", "networkx", "compare ratios"):
        assert name in answer.stdout


class TestNewBoard:
    @pytest.mark.parametrize("kind", ["squares", "dots", "table"])
    def test_a_starter_is_sound_and_can_be_drawn(self, run, kind):
        assert run("new-board", kind, "mine.yaml").returncode == 0
        assert run("check", "mine.yaml").returncode == 0
        assert run("show", "mine.yaml", "--svg", "mine.svg").returncode == 0

    def test_a_file_that_is_there_is_not_replaced_unasked(self, run, tmp_path):
        (tmp_path / "mine.yaml").write_text("precious")
        answer = run("new-board", "dots", "mine.yaml")
        assert answer.returncode == 2
        assert "--force replaces it" in answer.stderr
        assert (tmp_path / "mine.yaml").read_text() == "precious"
        assert run("new-board", "dots", "mine.yaml", "--force").returncode == 0

    def test_the_file_may_be_named_as_for_other_commands(self, run, tmp_path):
        assert run("new-board", "dots", "-o", "mine.yaml").returncode == 0
        assert (tmp_path / "mine.yaml").read_text() == run("new-board", "dots").stdout
        answer = run("new-board", "dots", "one.yaml", "-o", "two.yaml")
        assert answer.returncode == 2
        assert "name the file once: one.yaml, or --out two.yaml" in answer.stderr


def test_every_command_that_names_what_it_writes_does_so_by_o_or_out():
    with click.Context(cli) as context:
        commands = [cli.get_command(context, name) for name in cli.list_commands(context)]
    options = [option for command in commands for option in command.params if {"-o", "--out"} & set(option.opts)]
    assert len(options) > 5
    assert all({"-o", "--out"} <= set(option.opts) for option in options)


def test_the_demo_shows_every_rulebook_and_ends_by_naming_files_that_are_there(run, tmp_path):
    answer = run("demo", "--no-reach")
    assert answer.returncode == 0, answer.stderr
    assert "2D6: 7, needs 8 or more: failed (42% to pass)" in answer.stdout
    listed = answer.stdout.split("browser:\n")[1].split()
    begins = {".svg": "<svg ", ".html": "<!doctype html>"}
    assert all((tmp_path / name).read_text().startswith(begins[Path(name).suffix]) for name in listed)
    shown = {path.parent.name for path in (ROOT / "scenarios").glob("*/*.yaml")}
    assert {Path(name).stem for name in listed} == shown
