"""The house itself: import directions, the public face, a fast door."""

import ast
import importlib.util
import shutil
import subprocess
import sys
from collections import Counter
from functools import cache
from pathlib import Path

import networkx as nx
import pytest

import simulator
from simulator.engine.clauses import CLAUSE_ID, Register
from simulator.rulesets import OURS, shelf

ROOT = Path(__file__).resolve().parent.parent
#: The folders of all rulebooks, those among them that are not on the shelf yet.
ROOMS = sorted(path.parent.name for path in (ROOT / "simulator" / "rulesets").glob("*/ruleset.py"))


@cache
def parsed(path):
    """The syntax of a module: several tests look at all of them."""
    return ast.parse(path.read_text(encoding="utf-8"))


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
            ("rulesets/skirmish/rolls.py", "from simulator.rulesets.grid_runner import units"),
        ],
    )
    def test_an_import_that_points_up_or_sideways_is_found(self, copy_of_the_house, module, line):
        with (copy_of_the_house / "simulator" / module).open("a") as file:
            file.write(f"\n{line}\n")
        answer = lint_imports(copy_of_the_house)
        assert answer.returncode == 1
        assert "simulator." + module.removesuffix(".py").replace("/", ".") in answer.stdout


def imports_between(modules):
    """Return the imports between modules, those for types alone among them, but not those of single functions."""
    graph = nx.DiGraph()
    graph.add_nodes_from(modules)
    for name, path in modules.items():
        tree = parsed(path)
        within = {id(node) for one in ast.walk(tree) if isinstance(one, ast.FunctionDef) for node in ast.walk(one)}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and id(node) not in within:
                wanted = [f"{node.module}.{alias.name}" for alias in node.names]
                graph.add_edges_from((name, one if one in modules else node.module) for one in wanted)
    return graph.subgraph(modules)


class TestCircles:
    """No module needs another that needs it, not even for its types."""

    def test_of_the_package_there_are_none(self):
        modules = {
            ".".join(path.relative_to(ROOT).with_suffix("").parts): path
            for path in (ROOT / "simulator").rglob("*.py")
            if path.stem != "__init__"
        }
        found = nx.strongly_connected_components(imports_between(modules))
        assert [sorted(circle) for circle in found if len(circle) > 1] == []

    def test_one_for_types_alone_is_found(self, tmp_path):
        texts = {
            "a": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from b import B\n",
            "b": "from a import A\n",
            "c": "def later():\n    from b import B\n",
        }
        modules = {name: tmp_path / f"{name}.py" for name in texts}
        for name, path in modules.items():
            path.write_text(texts[name])
        circles = list(nx.strongly_connected_components(imports_between(modules)))
        assert sorted(map(sorted, circles)) == [["a", "b"], ["c"]]


class TestRoomsOfRulebooks:
    """The same job, the same file name in every rulebook: who has read one finds everything in another."""

    #: A file of that name, or a folder where one file is too long.
    JOBS = (
        *("actions", "clock", "figures", "judge", "movement", "odds", "options", "phrases", "planning", "questions"),
        *("reach", "ruleset", "terrain", "units", "vocabulary", "why"),
    )

    @pytest.mark.parametrize("name", OURS)
    def test_every_job_has_its_file(self, name):
        rooms = {path.stem for path in (ROOT / "simulator" / "rulesets" / name).iterdir()}
        assert sorted(set(self.JOBS) - rooms) == []
        assert (ROOT / "simulator" / "rulesets" / name / "tables.toml").is_file()

    @pytest.mark.parametrize("name", OURS)
    def test_no_job_has_a_file_and_a_folder(self, name):
        folder = ROOT / "simulator" / "rulesets" / name
        assert [path.name for path in folder.glob("*.py") if (folder / path.stem).is_dir()] == []

    @pytest.mark.parametrize("name", OURS)
    def test_the_ruleset_stands_in_its_file(self, name):
        module = importlib.import_module(f"simulator.rulesets.{name}.ruleset")
        assert module.RULESET is shelf()[name]


def test_a_class_name_means_one_thing():
    names = Counter(
        node.name
        for path in (ROOT / "simulator").rglob("*.py")
        for node in ast.walk(parsed(path))
        if isinstance(node, ast.ClassDef)
    )
    assert [name for name, count in names.items() if count > 1] == []


def test_the_modules_that_mutants_are_made_of_are_there():
    path = ROOT / "tests" / "mutation" / "parts.py"
    spec = importlib.util.spec_from_file_location("mutation_parts", path)
    assert spec is not None
    assert spec.loader is not None
    parts = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = parts  # dataclasses look there
    spec.loader.exec_module(parts)
    named = [ROOT / part.folder / f"{module}.py" for part in parts.PARTS.values() for module in part.modules]
    assert len(named) > 80
    assert [file for file in named if not file.is_file()] == []


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
        for path in sorted((ROOT / "simulator" / "rulesets" / name).rglob("*"))
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


# --- one way to read, to write, to print ---

#: Modules that may do what others leave to them, and why.
_WRITERS = {"writing.py", "interrupts.py"}
_PRINTERS = {"cli/terminal.py", "cli/__init__.py", "interrupts.py", "writing.py"}
#: What comes with the package is read as it lies there: nobody else's file can stand in its place.
_READERS = {
    "reading.py",
    "engine/clauses.py",
    "views/replay/page.py",
    "cli/demo.py",
    *(f"rulesets/{name}/{module}.py" for name in ROOMS for module in ("figures", "ruleset", "terrain")),
}
_CALLS = {
    "write": ({"write_text", "write_bytes", "mkstemp", "NamedTemporaryFile", "mkdir"}, _WRITERS),
    "print": ({"print", "click.echo", "secho", "Console", "Progress", "track"}, _PRINTERS),
    "read": ({"read_text", "read_bytes"}, _READERS),
}


def _called(path):
    """The names of all that a module calls, with `open` of a file among them, and what it calls on sys.stdout."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, ast.ImportFrom) and node.module == "click":
            yield from ((f"click.{name.name}", node.lineno) for name in node.names)
        if isinstance(node, ast.Call):
            called = node.func
            if ast.unparse(called) == "click.echo":
                yield "click.echo", node.lineno
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            yield name, node.lineno
            if name == "open" and _opens_a_file(node):
                yield "write_text", node.lineno
            if isinstance(called, ast.Attribute) and ast.unparse(called.value) in ("sys.stdout", "sys.stderr", "os"):
                yield {"write": "print"}.get(name, name), node.lineno


@cache
def _calls_of(path):
    return tuple(_called(path))


def _opens_a_file(call):
    """Whether it is the function, or the method of a path with a mode; other things can be opened, too."""
    if isinstance(call.func, ast.Name):
        return True
    mode = call.args[0] if call.args else None
    return isinstance(mode, ast.Constant) and str(mode.value).strip("rwabxt+") == ""


@pytest.mark.parametrize("what", _CALLS)
def test_there_is_one_way_to(what):
    names, may = _CALLS[what]
    package = ROOT / "simulator"
    found = [
        f"{file}:{line} {name}"
        for path in sorted(package.rglob("*.py"))
        if (file := str(path.relative_to(package))) not in may
        for name, line in _calls_of(path)
        if name in names
    ]
    assert found == []


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("write", "Path('x').write_text('y')"),
        ("write", "open('x', 'w')"),
        ("write", "Path('x').open('wb')"),
        ("print", "print('x')"),
        ("print", "click.echo('x')"),
        ("print", "from click import echo"),
        ("print", "sys.stdout.write('x')"),
        ("read", "Path('x').read_bytes()"),
    ],
)
def test_another_way_is_found(tmp_path, what, line):
    path = tmp_path / "module.py"
    path.write_text(f"{line}\n")
    assert {name for name, _ in _called(path)} & _CALLS[what][0]
