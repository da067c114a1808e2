"""How much `simulator run` prints, and what a question without its unit is answered with."""

import pytest

from simulator.formats.account_text import account_text
from simulator.formats.examples import examples
from simulator.formats.scenarios import load_scenario

DASH = examples("scenarios") / "skirmish" / "mad_dash.yaml"


class TestWhatARunPrints:
    def test_it_begins_with_the_first_turn(self, run):
        lines = run("run", "mad_dash").stdout.splitlines()
        assert lines[:4] == ["Mad dash", "Skirmish on Tidal flat", "", "turn 1, round"]
        assert lines[-2:] == ["8 of 8 expectations met", "the game ends: turn 2, round, red to move"]

    def test_verbose_is_what_is_recorded(self, run):
        verbose = run("run", "mad_dash", "--verbose").stdout
        assert verbose == account_text(load_scenario(DASH).run())
        assert run("record", "mad_dash").stdout == f"# simulator record mad_dash.yaml\n{verbose}"
        assert verbose.splitlines()[3:5] == ["before the beginning", "  all begin"]

    def test_quiet_is_the_count_alone_if_all_is_well(self, run):
        assert run("run", "mad_dash", "--quiet").stdout == "8 of 8 expectations met\n"

    def test_quiet_shows_what_is_not_as_expected(self, run):
        answer = run("run", "mad_dash", "-q", "--table", "run.failed.inches=7", "--option", "ap_per_activation=2")
        assert answer.returncode == 1
        lines = answer.stdout.splitlines()
        assert "dex run: to 12,6  -- refused" in lines
        assert all("FAIL" in line for line in lines if line.startswith(" "))
        assert lines[-1].endswith(" not")

    def test_several_quietly(self, run):
        answer = run("run", "mad_dash", "tight_squeeze", "-q", "--jobs", "1")
        assert answer.stdout == "2 of 2 scenarios met all expectations\n"

    def test_both_exclude_each_other(self, run):
        assert run("run", "mad_dash", "-q", "-v").returncode == 2


class TestAQuestionWithoutItsUnit:
    @pytest.mark.parametrize("command", ["reach", "path", "diff"])
    def test_the_units_are_listed(self, run, command):
        answer = run(command, "mad_dash")
        assert (answer.returncode, answer.stdout) == (2, "")
        assert answer.stderr.splitlines() == [
            f"simulator {command}: which UNIT?",
            "  dex  soldier (red) at 3,6",
            "  pip  soldier (red) at 3,9",
            "  owl  soldier (blue) at 25,6",
            "  --action: turn, move, run, traverse",
            f"see simulator {command} --help",
        ]

    @pytest.mark.parametrize("command", ["explain", "exposed"])
    def test_riders_are_shown_aboard(self, run, command):
        answer = run(command, "alley_turn")
        assert answer.returncode == 2
        assert "which ORDER, or which UNIT PLACE?" in answer.stderr
        assert "  ann   trooper (red) aboard bike" in answer.stderr.splitlines()

    def test_of_threats_the_sides(self, run):
        assert "  red: dex, pip\n  blue: owl\n" in run("threats", "mad_dash").stderr

    def test_of_a_file_that_is_no_scenario_nothing_can_be_listed(self, run):
        answer = run("reach", "tidal_flat")
        assert (answer.returncode, answer.stderr.splitlines()[0]) == (2, "simulator reach: Missing argument 'UNIT'.")
