"""The public face: which names there are is decided in one place, and each is shown in docs/python.md."""

import ast
import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

import simulator
from simulator import rulebook

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs/python.md").read_text(encoding="utf-8")


def test_a_name_comes_or_goes_only_on_purpose():
    assert simulator.__all__ == [
        "BoardError",
        "DotMap",
        "FileError",
        "Game",
        "IllegalOrder",
        "InchTable",
        "LimitReached",
        "NoPlace",
        "NoPose",
        "NoRoute",
        "Order",
        "Pose",
        "Reach",
        "Route",
        "Scenario",
        "SimulatorError",
        "SquareGrid",
        "WhyNot",
        "__version__",
        "draw",
        "load_board",
        "load_scenario",
        "mask_of",
        "parse_board",
        "parse_scenario",
        "picture",
        "plain_space",
        "reach",
        "save_board",
        "save_scenario",
        "shelf",
        "zone",
    ]


@pytest.mark.parametrize("name", simulator.__all__)
def test_every_name_is_imported_and_used_in_an_example(name):
    imports = re.findall(r"^from simulator import (.*)$", PAGE, re.M)
    assert any(name in line.split(", ") for line in imports)
    assert len(re.findall(rf"\b{name}\b", PAGE)) >= 2


@pytest.mark.parametrize("name", [name for name in simulator.__all__ if name != "__version__"])
def test_every_name_says_what_it_is(name):
    assert getattr(simulator, name).__doc__


def test_importing_it_loads_no_room():
    code = "import sys, simulator; print(sorted(name for name in sys.modules if name.startswith('simulator.')))"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    light = [f"simulator.{name}" for name in ("errors", "interrupts", "pictures", "version")]
    assert answer.stdout.strip() == str(light)


class TestTheFaceForRulebooks:
    """`simulator.rulebook`: all that the guide and the small rulebooks of the tests need, and each name once."""

    def test_every_name_is_one_of_its_own_imports(self):
        assert sorted(rulebook.__all__) == sorted(name for name in vars(rulebook) if not name.startswith("__"))

    @pytest.mark.parametrize("name", rulebook.__all__)
    def test_no_name_means_something_else_where_it_comes_from(self, name):
        homes = {
            node.module
            for node in ast.walk(ast.parse(Path(rulebook.__file__).read_text(encoding="utf-8")))
            if isinstance(node, ast.ImportFrom) and name in {alias.name for alias in node.names}
        }
        (home,) = homes
        assert getattr(importlib.import_module(home), name) is getattr(rulebook, name)

    @pytest.mark.parametrize(
        "path",
        [
            "docs/adding_a_ruleset.md",
            "tests/engine/tiny_ruleset.py",
            "tests/engine/duel_ruleset.py",
            "tests/engine/table_couriers.py",
            "tests/engine/table_tanks.py",
        ],
    )
    def test_who_writes_one_needs_nothing_else(self, path):
        text = (ROOT / path).read_text(encoding="utf-8")
        assert set(re.findall(r"^(?:from|import) (simulator\.\S*)", text, re.M)) == {"simulator.rulebook"}
        assert "from simulator.rulebook import" in text
