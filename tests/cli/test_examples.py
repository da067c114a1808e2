"""`simulator examples`, and examples by name wherever a command takes a file."""

import shutil

import click
import pytest

from simulator.cli import _COMMANDS, cli
from simulator.cli.example_names import FileOrExample
from simulator.formats import examples as examples_module
from simulator.formats.example_list import described_examples
from simulator.formats.examples import all_examples, example_named, examples
from simulator.rulesets import OURS


class TestTheList:
    def test_every_example_has_a_line_under_its_rulebook(self, run):
        lines = run("examples").stdout.splitlines()
        assert {line for line in lines if line in OURS} == set(OURS)
        for one in described_examples():
            assert any(line.split()[:1] == [one.name] and one.line in line for line in lines), one.name

    def test_each_name_listed_leads_to_its_file(self):
        for one in described_examples():
            assert example_named(one.name, "scenario") == one.example.file

    def test_one_rulebook(self, run):
        lines = run("examples", "skirmish").stdout.splitlines()
        assert lines[0] == "skirmish"
        assert any(line.split()[:1] == ["mad_dash"] for line in lines)
        assert any(line.split()[:1] == ["tidal_flat"] for line in lines)
        assert not any("market_chase" in line for line in lines)


class TestCopies:
    def test_all_are_copied_and_can_be_played(self, run, tmp_path):
        assert run("examples", "--copy", "game").returncode == 0
        copied = {path.relative_to(tmp_path / "game") for path in (tmp_path / "game").rglob("*.yaml")}
        assert copied == {one.path for one in all_examples()}
        assert run("run", "game/scenarios/skirmish/mad_dash.yaml").returncode == 0

    def test_nothing_is_replaced_without_force(self, run, tmp_path):
        (tmp_path / "game/boards").mkdir(parents=True)
        mine = tmp_path / "game/boards/orchard.yaml"
        mine.write_text("mine")
        refused = run("examples", "--copy", "game")
        assert refused.returncode == 2
        assert "game/boards/orchard.yaml already exists; --force replaces it" in refused.stderr
        assert list((tmp_path / "game").rglob("*.yaml")) == [mine]
        assert run("examples", "--copy", "game", "--force").returncode == 0
        assert mine.read_bytes() == (examples("boards") / "orchard.yaml").read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ("run", "mad_dash"),
        ("run", "skirmish/mad_dash"),
        ("record", "scenarios/skirmish/mad_dash.yaml"),
        ("check", "mad_dash.yaml", "tidal_flat"),
        ("show", "tidal_flat"),
        ("walk", "market_square", "--from", "0,0", "--budget", "2"),
    ],
)
def test_examples_are_known_by_name(run, words):
    assert run(*words).returncode == 0


def test_every_command_that_takes_a_file_knows_them():
    arguments = {
        (name, one.name): type(one.type)
        for name in _COMMANDS
        for one in cli.get_command(None, name).params
        if isinstance(one, click.Argument) and isinstance(one.type, click.Path)
    }
    # These are written by the command, or are files of other kinds.
    others = {("new-board", "file"), ("replay", "log"), ("import", "file"), ("sweep", "plan"), ("heat-map", "file")}
    assert {which for which, kind in arguments.items() if kind is not FileOrExample} == others
    assert {("reach", "scenario"), ("bench", "board"), ("serve", "scenario"), ("show", "file")} <= set(arguments)


class TestWhichFileIsMeant:
    def test_an_existing_file_wins(self, run, tmp_path):
        shutil.copy(examples("boards") / "orchard.yaml", tmp_path / "tidal_flat")
        assert run("show", "tidal_flat").stdout.startswith("Orchard: ")

    def test_of_two_of_a_name_each_command_takes_its_kind(self, run):
        assert run("check", "river_crossing").stdout.endswith("18 orders)\n")
        assert run("check", "boards/river_crossing").stdout.endswith("(table, 37fda111dcee21e4)\n")
        assert run("bench", "river_crossing", "--help").returncode == 0
        assert example_named("river_crossing", "board") == examples("boards") / "river_crossing.yaml"

    @pytest.mark.parametrize("name", ["mad_dsh", "mad-dash"])
    def test_an_unknown_name_is_corrected(self, run, name):
        answer = run("run", name)
        assert answer.returncode == 3
        assert (
            answer.stderr == f"{name}: there is no such file, and no example of that name; did you mean 'mad_dash'?\n"
        )

    def test_part_of_a_name_is_none(self):
        assert example_named("dash", "scenario") is None
        assert example_named("", "scenario") is None
        assert example_named("mad_dash/", "scenario") is not None


def test_an_installed_package_has_its_examples_inside(monkeypatch, tmp_path, run):
    """As in a wheel: the folders lie in `_examples` of the package, and nothing lies beside it."""
    package = tmp_path / "site" / "simulator"
    for folder in ("boards", "scenarios"):
        shutil.copytree(examples(folder), package / "_examples" / folder)
    monkeypatch.setattr(examples_module, "_PACKAGE", package)
    all_examples.cache_clear()
    try:
        assert example_named("mad_dash", "scenario") == package / "_examples/scenarios/skirmish/mad_dash.yaml"
        assert run("run", "mad_dash").returncode == 0
        assert "mad_dash" in run("examples").stdout
    finally:
        monkeypatch.undo()
        all_examples.cache_clear()
