"""What a command imports: only what it uses, as importing takes most of the time of a small query."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parents[2]
#: Prints the names of all modules after a command, behind its answer.
WATCHED = """
import sys
from simulator.__main__ import main
try:
    main()
except SystemExit as end:
    print(end.code, *sys.modules, sep="\\n", file=sys.stderr)
"""
PACKAGES = {"contourpy", "matplotlib", "networkx", "numpy", "pydantic", "rich", "scipy", "shapely", "yaml"}
RULEBOOKS = {"combined_arms", "dot_trooper", "grid_runner", "mecha", "skirmish"}
#: What only inch tables need, and what only some queries do.
TABLES = {"simulator.geometry.table", "simulator.geometry.pieces", "simulator.geometry.paths", "simulator.pathing.free"}
OTHER_QUERIES = {"simulator.engine.comparison", "simulator.engine.threats", "simulator.engine.reverse_reach"}


def imported(*words):
    """Run a command in a process of its own and return the names of the modules that it imported."""
    run = subprocess.run(
        [sys.executable, "-c", WATCHED, *words], cwd=HERE, env=os.environ, capture_output=True, text=True, check=True
    )
    code, *modules = run.stderr.splitlines()
    assert code in ("0", "1"), run.stderr
    assert run.stdout
    return set(modules)


def rulebooks_among(modules):
    return {name.split(".")[2] for name in modules if name.startswith("simulator.rulesets.")}


def test_help_loads_no_package_but_click():
    modules = imported("--help")
    assert not modules & PACKAGES
    assert not {name for name in modules if name.startswith(("simulator.engine", "simulator.formats"))}


@pytest.mark.parametrize(
    ("rulebook", "words"),
    [
        ("grid_runner", ("scenarios/grid_runner/vault_corridor.yaml", "vix", "2,1")),
        ("dot_trooper", ("scenarios/dot_trooper/alley_turn.yaml", "ann", "5,2 facing 180")),
    ],
)
def test_squares_and_dots_need_nothing_of_tables(rulebook, words):
    modules = imported("explain", *words)
    assert modules & PACKAGES == {"numpy", "pydantic", "yaml"}
    assert rulebooks_among(modules) == {rulebook}
    assert not modules & (TABLES | OTHER_QUERIES)


def test_a_table_needs_no_graph_and_no_other_rulebook():
    modules = imported("explain", "scenarios/skirmish/the_yard.yaml", "ash run: to 14,5")
    assert modules & PACKAGES == {"numpy", "pydantic", "shapely", "yaml"}
    assert rulebooks_among(modules) == {"skirmish"}
    assert not modules & OTHER_QUERIES


@pytest.mark.parametrize(
    ("board", "kind"),
    [("grid_runner/vault_corridor", "squares"), ("dot_trooper/alley_turn", "dots"), ("skirmish/the_yard", "table")],
)
def test_only_the_kind_of_the_board_is_loaded(board, kind):
    modules = imported("show", f"scenarios/{board}.yaml")
    kinds = {name for name in ("squares", "dots", "table") if f"simulator.formats.{name}_models" in modules}
    assert kinds == {kind}


@pytest.mark.parametrize(
    ("name", "text", "reader"),
    [
        ("pass.board", 'size 1 1\nhex 0101 0 "woods:1" ""\nend\n', "megamek"),
        ("pass.map", "type octile\nheight 1\nwidth 1\nmap\n.\n", "benchmarks"),
    ],
)
def test_a_converted_map_loads_only_its_reader(tmp_path, name, text, reader):
    (tmp_path / name).write_text(text)
    modules = imported("import", str(tmp_path / name))
    assert modules & PACKAGES == {"numpy", "pydantic", "yaml"}
    assert not modules & TABLES
    readers = {"benchmarks", "geojson", "megamek", "tiled", "uvtt"}
    assert {each for each in readers if f"simulator.formats.foreign.{each}" in modules} == {reader}


def test_the_reference_search_loads_networkx_when_it_runs():
    search = """
import sys
from simulator.pathing.move_space import MoveSpace, MoveStep, Start
from simulator.pathing.search import search
space = MoveSpace((1, 4), [MoveStep("east", 0, 1, cost=2)], starts=[Start(0, 0)], budget=5)
search(space)
print("networkx" in sys.modules)
search(space, "networkx")
print("networkx" in sys.modules)
"""
    run = subprocess.run([sys.executable, "-c", search], cwd=HERE, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["False", "True"]
