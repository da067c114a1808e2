"""`simulator new-scenario`: what it writes is checked and played by the other commands."""

import pytest

from simulator.formats.examples import examples
from simulator.rulesets import OURS


@pytest.mark.parametrize("rulebook", OURS)
def test_what_it_writes_passes_check_and_run(run, rulebook):
    written = run("new-scenario", rulebook, "-o", "first.yaml")
    assert written.returncode == 0
    assert written.stderr == "wrote first.yaml; next: simulator run first.yaml\n"
    assert run("check", "first.yaml").stdout.startswith(f"first.yaml: ok (a scenario of {rulebook}: ")
    played = run("run", "first.yaml")
    assert played.returncode == 0
    assert "refused" not in played.stdout


def test_it_prints_the_same_text_without_a_file(run, tmp_path):
    run("new-scenario", "skirmish", "-o", "first.yaml")
    assert run("new-scenario", "skirmish").stdout == (tmp_path / "first.yaml").read_text()
    assert run("new-scenario", "skirmish", "-o", "-").stdout == (tmp_path / "first.yaml").read_text()


def test_a_board_beside_it_is_named_and_any_other_contained(run, tmp_path):
    (tmp_path / "orchard.yaml").write_bytes((examples("boards") / "orchard.yaml").read_bytes())
    run("new-scenario", "skirmish", "orchard.yaml", "-o", "near.yaml")
    run("new-scenario", "skirmish", examples("boards") / "orchard.yaml", "-o", "far.yaml")
    assert '\nboard: "orchard.yaml"\n' in (tmp_path / "near.yaml").read_text()
    assert "\n  board: table\n" in (tmp_path / "far.yaml").read_text()
    assert run("run", "near.yaml", "far.yaml").returncode == 0


def test_it_replaces_a_file_only_by_force(run):
    run("new-scenario", "skirmish", "-o", "first.yaml")
    again = run("new-scenario", "skirmish", "-o", "first.yaml")
    assert (again.returncode, again.stderr.splitlines()[0]) == (
        2,
        "simulator new-scenario: first.yaml already exists; --force replaces it",
    )
    assert run("new-scenario", "skirmish", "-o", "first.yaml", "--force").returncode == 0
