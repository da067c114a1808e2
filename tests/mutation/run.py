"""How well the tests watch over prices, legality, reach and explanations, as `make mutants` asks for all of them.

    python tests/mutation/run.py grid_runner
    python tests/mutation/run.py engine --module threats --sample 25 --seed 2 --tests tests/engine/test_threats.py

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
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Part:
    """A folder of the program, the tests that watch over it, and those of its modules that are mutated."""

    folder: str
    tests: tuple[str, ...]
    modules: tuple[str, ...]


#: What the tests of each rulebook are called by.
_CALLED = {"combined_arms": "arms", "dot_trooper": "dot_trooper", "grid_runner": "grid_runner", "skirmish": "skirmish"}


def _rulebook(name: str, *modules: str) -> Part:
    """A rulebook is watched over by its own tests, and by those that take all rulebooks together."""
    others = [called for rulebook, called in _CALLED.items() if rulebook != name]
    found = sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("tests/rulebooks/test_*.py"))
    tests = tuple(file for file in found if not any(f"test_{other}" in file for other in others))
    return Part(f"simulator/rulesets/{name}", tests, modules)


#: The modules that say what an order costs, whether it is legal, what is in reach, and what an explanation claims.
PARTS = {
    "combined_arms": _rulebook(
        "combined_arms",
        "bands",
        "clock",
        "damage",
        "entering",
        "features",
        "fire",
        "getting_off",
        "judge",
        "matrix",
        "movement",
        "nearest_room",
        "overruns",
        "rates",
        "reach",
        "storeys",
        "transport",
        "turning",
        "under_way",
        "units",
        "why",
    ),
    "grid_runner": _rulebook(
        "grid_runner",
        "allotments",
        "charging",
        "clock",
        "interception",
        "judge",
        "movement",
        "odds/tumbling",
        "odds/walking",
        "ranges",
        "reach/answer",
        "reach/chains",
        "reach/charge_lanes",
        "reach/paces",
        "reach/waypoints",
        "tumbling",
        "units",
        "why",
        "without_effect",
    ),
    "dot_trooper": _rulebook(
        "dot_trooper",
        "aiming",
        "checks",
        "clock",
        "drive",
        "drive_states",
        "exposure",
        "flight",
        "foot",
        "surroundings",
        "judge/drive",
        "judge/orders",
        "landings",
        "movement",
        "odds",
        "other_actions",
        "outcomes",
        "poses",
        "reach/answer",
        "reach/drive",
        "reach/foot",
        "reach/questions",
        "riding",
        "skids",
        "standing",
        "why/drive",
        "why/foot",
        "why/remedies",
        "without_effect",
    ),
    "skirmish": _rulebook(
        "skirmish",
        "any_direction/far_sides",
        "dodging",
        "figures",
        "front_point/lengths",
        "front_point/odds",
        "front_point/reach",
        "judge",
        "movement",
        "obstruction",
        "odds/apart",
        "odds/chances",
        "odds/decision_places",
        "odds/plans",
        "planner_tables",
        "reach/answer",
        "reach/answer_cache",
        "reach/cuts",
        "reach/ends",
        "reach/fronts",
        "reach/full_runs",
        "reach/legs",
        "reach/nearby",
        "reach/orders",
        "reach/spends",
        "reach/touches",
        "reach/waypoints",
        "rolls",
        "shortfalls",
        "traverse/ends",
        "traverse/jumps",
        "traverse/rules",
        "units",
        "why/reasons",
        "why/remedies",
    ),
    # The kit for inch tables is watched over by its own tests, and by those of the rulebook that uses it most.
    "kit": Part(
        "simulator",
        tuple(
            sorted(
                file.relative_to(ROOT).as_posix()
                for pattern in ("geometry/test_*", "pathing_free/test_*", "rulebooks/test_skirmish*")
                for file in ROOT.glob(f"tests/{pattern}.py")
            )
        ),
        (
            "engine/line_orders",
            "geometry/outline_rows",
            "geometry/outlines",
            "geometry/piece_groups",
            "geometry/rays",
            "geometry/standing_room",
            "geometry/table_parts",
            "geometry/tight_fits",
            "geometry/touches",
            "pathing/free/exact_lines",
            "pathing/free/grazes",
            "pathing/free/grown",
            "pathing/free/open_ground",
            "pathing/links/curves",
            "pathing/links/follow",
            "pathing/outline_places",
            "pathing/links/straight_across",
            "pathing/stages",
            "pathing/surroundings",
        ),
    ),
    # The engine is watched over by its own tests and by those that take all rulebooks together.
    "engine": Part(
        "simulator/engine",
        tuple(sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("tests/engine/test_*.py")))
        + tuple(f"tests/rulebooks/test_{name}.py" for name in ("foresight_is_play", "board_words")),
        (
            "answers",
            "board_words",
            "comparison",
            "foresight",
            "order_examples",
            "best_case",
            "lattice_reach",
            "legs",
            "log",
            "log_lines",
            "number_ranges",
            "openings",
            "playthrough",
            "plays",
            "questions",
            "ranges",
            "reach",
            "spot_ranges",
            "table_reach",
            "threats",
            "unread",
            "constraints",
        ),
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
_MUTMUT = (sys.executable, "-m", "mutmut")
#: Writes all mutants without running any; mutmut has no command for that.
_WRITE = "from mutmut import __main__ as m; m.copy_src_dir(); m.copy_also_copy_files(); m.create_mutants(2)"


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


def lay_out(name: str, modules: Sequence[str], tests: Sequence[str]) -> Path:
    """Copy the project, take the marks off, and say what is to be mutated."""
    folder = ROOT / "out" / "mutants" / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for copied in ("simulator", "tests", "boards", "scenarios", "docs"):
        shutil.copytree(ROOT / copied, folder / copied, ignore=shutil.ignore_patterns("__pycache__"))
    for copied in ("conftest.py", "README.md"):
        shutil.copy(ROOT / copied, folder / copied)
    files = [f"{PARTS[name].folder}/{module}.py" for module in modules]
    for file in files:
        text = (folder / file).read_text(encoding="utf-8")
        (folder / file).write_text(without_decorators(text), encoding="utf-8")
    config = _CONFIG.format(modules=_listed(files), tests=_listed(tests))
    pyproject = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    (folder / "pyproject.toml").write_text(pyproject + config, encoding="utf-8")
    return folder


def _listed(names: Sequence[str]) -> str:
    return ", ".join(f'"{name}"' for name in names)


def verdicts_in(folder: Path) -> dict[str, str]:
    """Return what became of each mutant, by its name: those that were not run are `not checked`."""
    answer = subprocess.run(
        [*_MUTMUT, "results", "--all", "true"], cwd=folder, check=True, capture_output=True, text=True
    )
    return dict(line.strip().rsplit(": ", 1) for line in answer.stdout.splitlines() if ": " in line)


def drawn(folder: Path, part: Part, modules: Sequence[str], count: int, seed: int) -> list[str]:
    """Write all mutants, and draw so many of each module: the same ones for the same seed and the same program."""
    subprocess.run([sys.executable, "-c", _WRITE], cwd=folder, check=True, stdout=subprocess.DEVNULL)
    names = sorted(verdicts_in(folder))
    chosen: list[str] = []
    for module in modules:
        own = [name for name in names if _is_of(name, part, module)]
        chosen += random.Random(f"{seed} {module}").sample(own, min(count, len(own)))
    return chosen


def _is_of(mutant: str, part: Part, module: str) -> bool:
    return mutant.startswith(f"{part.folder}/{module}.".replace("/", "."))


def score(name: str, verdicts: Sequence[str]) -> str:
    """Describe how many mutants were noticed."""
    noticed = sum(verdict in _NOTICED for verdict in verdicts)
    return f"{name}: {noticed} of {len(verdicts)} mutants noticed, {noticed / max(len(verdicts), 1):.1%}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("part", choices=sorted(PARTS), help="A rulebook, or the engine.")
    parser.add_argument("--module", action="append", help="Only this module; may be said again.")
    parser.add_argument("--tests", action="append", help="Only these tests; usually all that watch over the part.")
    parser.add_argument("--sample", type=int, help="Only so many mutants of each module, drawn by chance.")
    parser.add_argument("--seed", type=int, default=1, help="Another seed draws other mutants.")
    parser.add_argument("--workers", type=int, default=2)
    said = parser.parse_args()
    part = PARTS[said.part]
    modules = said.module or part.modules
    folder = lay_out(said.part, modules, said.tests or part.tests)
    chosen = [] if said.sample is None else drawn(folder, part, modules, said.sample, said.seed)
    subprocess.run([*_MUTMUT, "run", "--max-children", str(said.workers), *chosen], cwd=folder, check=True)
    verdicts = {name: verdict for name, verdict in verdicts_in(folder).items() if not chosen or name in chosen}
    for name, verdict in verdicts.items():
        if verdict not in _NOTICED:
            shown = subprocess.run([*_MUTMUT, "show", name], cwd=folder, check=True, capture_output=True, text=True)
            changed = [line for line in shown.stdout.splitlines() if re.match(r"[+-](?![+-])", line)]
            print(f"{verdict}: {name}", *changed, sep="\n  ")
    for module in modules:
        own = [verdict for name, verdict in verdicts.items() if _is_of(name, part, module)]
        print(score(f"{said.part}.{module}", own))
    print(score(said.part, list(verdicts.values())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
