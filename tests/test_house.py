"""The house itself: import directions, the public face, a fast door."""

import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

import simulator
from simulator.engine.clauses import CLAUSE_ID, Register
from simulator.rulesets import OURS

ROOT = Path(__file__).resolve().parent.parent


def lint_imports(folder):
    """Run the import contracts of pyproject.toml on the package in `folder`."""
    code = f"import sys; sys.path.insert(0, {str(folder)!r}); from importlinter.cli import lint_imports_command; "
    code += "lint_imports_command(['--no-cache'])"
    return subprocess.run([sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def copy_of_the_house(tmp_path):
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    shutil.copytree(ROOT / "simulator", tmp_path / "simulator", ignore=shutil.ignore_patterns("__pycache__"))
    return tmp_path


class TestImportDirections:
    def test_imports_point_down_only(self, copy_of_the_house):
        answer = lint_imports(copy_of_the_house)
        assert answer.returncode == 0, answer.stdout + answer.stderr

    @pytest.mark.parametrize(
        ("module", "line"),
        [
            ("geometry/angles.py", "import simulator.views.svg"),
            ("geometry/angles.py", "from simulator.formats import limits"),
            ("views/svg.py", "from simulator.formats import limits"),
            ("errors.py", "from simulator.geometry import angles"),
        ],
    )
    def test_an_import_that_points_up_or_sideways_is_found(self, copy_of_the_house, module, line):
        with (copy_of_the_house / "simulator" / module).open("a") as file:
            file.write(f"\n{line}\n")
        answer = lint_imports(copy_of_the_house)
        assert answer.returncode == 1
        assert "simulator." + module.removesuffix(".py").replace("/", ".") in answer.stdout


class TestPublicFace:
    def test_all_is_sorted_and_every_name_is_there(self):
        assert simulator.__all__ == sorted(simulator.__all__)
        assert all(hasattr(simulator, name) for name in simulator.__all__)
        assert set(simulator._HOME_OF) <= set(simulator.__all__)
        assert dir(simulator) == simulator.__all__

    def test_a_name_that_is_not_there_is_an_attribute_error(self):
        with pytest.raises(AttributeError, match="no attribute 'load_bord'"):
            simulator.load_bord  # noqa: B018

    def test_the_door_loads_nothing_heavy(self):
        """`simulator --help` must not wait for numpy and its friends."""
        code = "import sys; from click.testing import CliRunner; from simulator.cli import cli; "
        code += "assert CliRunner().invoke(cli, ['--help']).exit_code == 0; "
        code += "print(sorted({'numpy', 'shapely', 'networkx', 'pydantic', 'yaml'} & set(sys.modules)))"
        answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
        assert answer.stdout.strip() == "[]"


@pytest.mark.parametrize("name", OURS)
def test_every_clause_that_a_ruleset_cites_stands_in_its_register(name):
    register = Register.read(ROOT / "docs" / "rules" / f"{name}.md")
    cited = [
        (id, f"{path.name}:{number}")
        for path in sorted((ROOT / "simulator" / "rulesets" / name).iterdir())
        if path.suffix in (".py", ".toml")
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        for id in CLAUSE_ID.findall(line)
    ]
    assert len(cited) > 100
    assert [(id, where) for id, where in cited if id not in register] == []


def test_every_module_of_the_tests_has_a_name_of_its_own():
    """Two of one name could not be collected in one run."""
    names = Counter(path.name for path in (ROOT / "tests").rglob("*.py") if path.name != "conftest.py")
    assert [name for name, count in names.items() if count > 1] == []
