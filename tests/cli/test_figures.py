"""`--table PATH=VALUE`: another figure of the rulebook, in every question and in comparisons."""

import json
import shutil

import pytest

from simulator.formats.examples import examples
from simulator.formats.figure_text import figure_of_text
from simulator.formats.scenarios import load_scenario

DASH = examples("scenarios") / "skirmish" / "mad_dash.yaml"


@pytest.mark.parametrize(
    "words",
    [
        ("reach", "mad_dash", "dex", "--with", "ap=1", "--to", "7,6"),
        ("explain", "mad_dash", "dex", "7,6", "--with", "ap=1"),
        ("path", "mad_dash", "dex", "7,6", "--with", "ap=1"),
    ],
)
def test_a_question_under_another_figure(run, words):
    assert run(*words).returncode == 1
    assert run(*words, "--table", "inches.standing=4").returncode == 0


def test_an_order_under_another_figure(run):
    order = ("dex move: to 7,6",)
    assert "SK-2" in run("explain", "mad_dash", *order).stdout
    assert run("explain", "mad_dash", *order, "--table", "inches.standing=4").returncode == 0
    assert run("exposed", "mad_dash", *order, "--table", "inches.standing=4").returncode == 0


def test_a_run_under_another_figure_names_it(run, tmp_path):
    played = run("run", "mad_dash", "--table", "run.failed.inches=7")
    assert played.returncode == 1
    assert "run.failed.inches=7" in played.stdout
    recorded = run("record", "mad_dash", "--table", "run.failed.inches=15/2").stdout
    assert recorded.splitlines()[0] == "# simulator record mad_dash.yaml --table run.failed.inches=7.5"


def test_the_command_line_goes_before_the_file():
    scenario = load_scenario(DASH).with_figures({"inches.standing": 4}).with_figures({"inches.prone": 2})
    assert scenario.setting.tables["inches.standing"] == 4
    assert scenario.setting.tables["inches.prone"] == 2
    assert scenario.with_figures({"inches.standing": 5}).setting.tables["inches.standing"] == 5


class TestWhatIsWrong:
    @pytest.mark.parametrize(
        ("figure", "answer"),
        [
            ("inches.standng=4", "inches.standng: no such figure; did you mean 'inches.standing'? (skirmish)"),
            ("inches.standing=-1", "expected a number of inches from 0 to 100, not -1 (SK-2)"),
            ("inches.standing=[3]", "inches.standing: expected a number as in 3, not 3 (SK-2)"),
            ("inches.standing=true", "expected a number as in 3, not "),
            ("inches.standing", "must be NAME=VALUE, not 'inches.standing'"),
            ("inches.standing=", "'' is not a figure: a number, a word, true or false, or a list such as [1, 2]"),
            ("inches.standing={", "'{' is not a figure"),
        ],
    )
    @pytest.mark.parametrize("command", ["reach", "diff"])
    def test_it_is_named_with_its_clause(self, run, command, figure, answer):
        refused = run(command, "mad_dash", "dex", "--table", figure)
        assert refused.returncode == 2
        assert answer in refused.stderr
        assert "--table" in refused.stderr

    @pytest.mark.parametrize("text", ["", " ", "{", "a: b", "3\nx: 4", "*a", "&a 3", "null", "~"])
    def test_what_is_no_figure(self, text):
        with pytest.raises(ValueError, match="is not a figure"):
            figure_of_text(text)


class TestComparisons:
    def test_figures_and_options_are_listed_by_clause(self, run):
        words = ("diff", "mad_dash", "dex", "--table", "inches.standing=4", "--option", "ap_per_activation=2")
        lines = run(*words).stdout.splitlines()
        assert lines[1:3] == ["SK-2  inches.standing: 3 -> 4", "SK-61  ap_per_activation: 3 -> 2"]
        document = json.loads(run(*words, "--json").stdout)
        figure = {"name": "inches.standing", "clause": "SK-2", "before": "3", "after": "4"}
        assert document["figures"] == [figure]
        assert [option["name"] for option in document["options"]] == ["ap_per_activation"]

    def test_a_figure_in_both_answers(self, run):
        words = ("diff", "mad_dash", "dex", "--base-table", "inches.standing=2", "--table", "inches.standing=2.5")
        assert "SK-2  inches.standing: 2 -> 5/2" in run(*words).stdout

    def test_from_python(self):
        game = load_scenario(DASH).start()
        found = game.compare("dex", action="move", figures={"inches.standing": 4})
        assert [str(change) for change in found.changes] == ["SK-2  inches.standing: 3 -> 4"]
        assert found.gained.area > 0
        assert found.lost.is_empty

    def test_nothing_to_compare_with(self, run):
        assert "name it by --option, --table or --against" in run("diff", "mad_dash", "dex").stderr


class TestTwoScenarios:
    def test_what_differs_between_their_rules_is_listed(self, run, tmp_path):
        text = DASH.read_text().replace("../../boards", "../boards")
        shutil.copytree(examples("boards"), tmp_path / "boards")
        (tmp_path / "scenarios").mkdir()
        (tmp_path / "scenarios/mine.yaml").write_text(f"{text}tables: {{inches.standing: 4}}\n")
        answer = run("diff", "mad_dash", "dex", "--against", "scenarios/mine.yaml", "--action", "move")
        assert "SK-2  inches.standing: 3 -> 4" in answer.stdout
        assert "gained" in answer.stdout

    def test_a_unit_of_one_only(self, run):
        answer = run("diff", "mad_dash", "dex", "--against", "the_yard")
        assert answer.returncode == 2
        assert "there is no unit 'dex' in " in answer.stderr
        assert "did you mean 'rex'?" in answer.stderr

    def test_boards_of_two_sizes(self, run, tmp_path):
        board = "{board: table, size: [9, 9]}"
        unit = "units: {dex: {type: soldier, side: red, at: [4, 4]}}"
        (tmp_path / "small.yaml").write_text(f"format: 1\nruleset: skirmish\nboard: {board}\n{unit}\n")
        answer = run("diff", "mad_dash", "dex", "--against", "small.yaml")
        assert answer.returncode != 0
        assert "Tidal flat (table, 30 × 12) and a board (table, 9 × 9) are not of one size" in answer.stderr

    def test_two_rulebooks(self, run, tmp_path):
        board = "{board: squares, rows: '...', legend: {.: {}}}"
        unit = "units: {dex: {type: character, side: red, at: [0, 0]}}"
        (tmp_path / "grid.yaml").write_text(f"format: 1\nruleset: grid_runner\nboard: {board}\n{unit}\n")
        answer = run("diff", "mad_dash", "dex", "--against", "grid.yaml")
        assert "skirmish and grid_runner are two rulebooks" in answer.stderr
