"""How well the tests watch over prices and legality: `python tests/mutation/run.py grid_runner`, or `make mutants`.

A mutant is the program with one small change: a `<` for a `<=`, a 2 for a 1. The tests of the rulebook ought to notice.
The modules named below are mutated by mutmut in a copy of the project under out/. There the `@clause` marks, and what
makes properties of functions, stand at the end of a module instead of above its functions, as mutmut leaves functions
with decorators alone. Nothing is kept there from call to call: a mutant would be given what the sound program worked
out before it. What survives is listed by its difference. Messages are left out: their wording is held by the corpora of
faults and mistakes. So are tests with cases from hypothesis, which refuses to run the same test a second time in one
process.
"""

from __future__ import annotations

import argparse
import ast
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
#: The modules that say what an order costs and whether it is legal.
MODULES = {
    "grid_runner": (
        "allotments",
        "characters",
        "charging",
        "interception",
        "judge",
        "movement",
        "ranges",
        "tumbling",
    ),
    "dot_trooper": ("checks", "driving", "flight", "foot", "movement", "poses", "riding", "skids", "turns"),
    "skirmish": (
        "dodging",
        "faces",
        "figures",
        "ground",
        "judge",
        "jumps",
        "landings",
        "movement",
        "rays",
        "rolls",
        "shores",
        "soldiers",
        "spends",
        "traverses",
    ),
}
_CONFIG = """
[tool.mutmut]
source_paths = ["simulator"]
only_mutate = [{modules}]
also_copy = ["boards", "scenarios", "docs", "conftest.py", "README.md"]
pytest_add_cli_args = ["-x", "-q", "-m", "not hypothesis", "-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"]
pytest_add_cli_args_test_selection = [{tests}]
do_not_mutate_patterns = ["Breach\\\\(", "raise ", "told = ", "^ *how = ", "known = did_you_mean"]
timeout_constant = 20.0
track_dependencies = false
"""
#: A mutant that hangs or breaks the interpreter is noticed too.
_NOTICED = ("killed", "timeout", "suspicious", "segfault")


#: What may stand above a function, and what it says at the end of the module instead.
_MARKS = {
    "clause": "{mark}({name})",
    "kept": "",
    "property": "{name} = property({name})",
    "cached_property": "{name} = cached_property({name}); {name}.__set_name__({owner}, {own!r})",
}


def without_decorators(text: str) -> str:
    """Put the marks of a module behind its functions, where they do the same, and take its memories off."""
    lines, marks = text.splitlines(), []
    owners = [("", ast.parse(text).body)]
    for owner, body in owners:
        for node in body:
            if isinstance(node, ast.ClassDef):
                owners.append((f"{owner}.{node.name}".lstrip("."), node.body))
            elif isinstance(node, ast.FunctionDef):
                above = [ast.unparse(mark) for mark in node.decorator_list]
                if not all(mark.partition("(")[0] in _MARKS for mark in above):
                    continue
                name = f"{owner}.{node.name}".lstrip(".")
                for mark, told in zip(reversed(node.decorator_list), reversed(above), strict=True):
                    instead = _MARKS[told.partition("(")[0]]
                    marks.append(instead.format(mark=told, name=name, owner=owner, own=node.name))
                    lines[mark.lineno - 1 : mark.end_lineno] = [""] * (mark.end_lineno - mark.lineno + 1)
    return "\n".join([*lines, "", *marks, ""])


def lay_out(ruleset: str, modules: list[str], tests: list[str]) -> Path:
    """Copy the project, take the marks off, and say what is to be mutated."""
    folder = ROOT / "out" / "mutants" / ruleset
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for name in ("simulator", "tests", "boards", "scenarios", "docs"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("conftest.py", "README.md"):
        shutil.copy(ROOT / name, folder / name)
    for module in modules:
        file = folder / "simulator" / "rulesets" / ruleset / f"{module}.py"
        file.write_text(without_decorators(file.read_text(encoding="utf-8")), encoding="utf-8")
    listed = ", ".join(f'"simulator/rulesets/{ruleset}/{module}.py"' for module in modules)
    config = _CONFIG.format(modules=listed, tests=", ".join(f'"{test}"' for test in tests))
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (folder / "pyproject.toml").write_text(pyproject + config, encoding="utf-8")
    return folder


def score(name: str, verdicts: list[str]) -> str:
    """Say how many mutants were noticed."""
    noticed = sum(verdict in _NOTICED for verdict in verdicts)
    return f"{name}: {noticed} of {len(verdicts)} mutants noticed, {noticed / max(len(verdicts), 1):.1%}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("ruleset", choices=sorted(MODULES))
    parser.add_argument("--module", action="append", help="Only this module; may be said again.")
    parser.add_argument("--tests", action="append", help="Only these tests; usually all of the rulebook.")
    parser.add_argument("--workers", type=int, default=2)
    said = parser.parse_args()
    modules = said.module or list(MODULES[said.ruleset])
    tests = said.tests or [
        str(file.relative_to(ROOT)) for file in ROOT.glob(f"tests/rulebooks/test_{said.ruleset}*.py")
    ]
    folder = lay_out(said.ruleset, modules, sorted(tests))
    mutmut = [sys.executable, "-m", "mutmut"]
    subprocess.run([*mutmut, "run", "--max-children", str(said.workers)], cwd=folder, check=True)
    answer = subprocess.run(
        [*mutmut, "results", "--all", "true"], cwd=folder, check=True, capture_output=True, text=True
    )
    verdicts = dict(line.strip().rsplit(": ", 1) for line in answer.stdout.splitlines() if ": " in line)
    for name, verdict in verdicts.items():
        if verdict not in _NOTICED:
            shown = subprocess.run([*mutmut, "show", name], cwd=folder, check=True, capture_output=True, text=True)
            changed = [line for line in shown.stdout.splitlines() if re.match(r"[+-](?![+-])", line)]
            print(f"{verdict}: {name}", *changed, sep="\n  ")
    for module in modules:
        part = f"{said.ruleset}.{module}"
        print(score(part, [verdict for name, verdict in verdicts.items() if f".{part}." in name]))
    print(score(said.ruleset, list(verdicts.values())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
