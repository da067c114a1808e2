"""How well the tests watch over prices, legality, reach and explanations, as `make mutants` asks for all of them.

    python tests/mutation/run.py grid_runner
    python tests/mutation/run.py combined_arms --module rates --tests tests/rulebooks/test_arms_turning.py
    python tests/mutation/run.py engine --module threats --sample 25 --seed 2
    python tests/mutation/run.py engine --module threats --again

A mutant is the program with one small change: a `<` for a `<=`, a 2 for a 1. The tests of the part ought to notice.
mutmut says which changes there are; changes.py puts them into the running program, watching.py chooses the tests. What
survives is listed by its difference. Messages are left out (`do_not_mutate_patterns` in pyproject.toml): the corpora of
faults and mistakes hold their wording. So are tests with cases from hypothesis, which differ from run to run.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from changes import Mutant, module_of, mutants_of
from parts import PARTS, ROOT, Part
from watching import Verdict, Watch

OUT = ROOT / "out" / "mutants"


def chosen(part: Part, modules: Sequence[str], count: int | None, seed: int) -> list[Mutant]:
    """Return the mutants of modules, or so many of each: the same ones for the same seed and the same program."""
    found: list[Mutant] = []
    for module in modules:
        own = mutants_of(file_of(part, module), module)
        if count is not None:
            drawn = random.Random(f"{seed} {module}").sample(range(len(own)), min(count, len(own)))
            own = [own[at] for at in sorted(drawn)]
        found += own
    return found


def file_of(part: Part, module: str) -> Path:
    """Return the file of a module of a part."""
    return ROOT / part.folder / f"{module}.py"


def show(mutant: Mutant, verdict: Verdict) -> None:
    """Print a mutant that nobody noticed."""
    if not verdict.noticed:
        print(f"{verdict.word}: {mutant.name} ({verdict.by})", *mutant.changed, sep="\n  ", flush=True)


def score(name: str, verdicts: Sequence[Verdict]) -> str:
    """Describe how many mutants were noticed."""
    noticed = sum(verdict.noticed for verdict in verdicts)
    late = sum(verdict.word == "timeout" for verdict in verdicts)
    told = f"{name}: {noticed} of {len(verdicts)} mutants noticed, {noticed / max(len(verdicts), 1):.1%}"
    return f"{told} ({late} by their time)" if late else told


def survivors(name: str) -> set[str]:
    """Return the mutants that nobody noticed when they were last run."""
    file = OUT / f"{name}.json"
    kept: dict[str, bool] = json.loads(file.read_text()) if file.exists() else {}
    return {mutant for mutant, noticed in kept.items() if not noticed}


def remember(name: str, verdicts: Mapping[str, Verdict]) -> None:
    """Keep who was noticed, for the next run."""
    file = OUT / f"{name}.json"
    kept: dict[str, bool] = json.loads(file.read_text()) if file.exists() else {}
    kept |= {mutant: verdict.noticed for mutant, verdict in verdicts.items()}
    OUT.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(kept, indent=1))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("part", choices=sorted(PARTS), help="A rulebook, or the engine.")
    parser.add_argument("--module", action="append", help="Only this module; may be said again.")
    parser.add_argument("--tests", action="append", help="Only these tests; usually all that watch over the part.")
    parser.add_argument("--sample", type=int, help="Only so many mutants of each module, drawn by chance.")
    parser.add_argument("--seed", type=int, default=1, help="Another seed draws other mutants.")
    parser.add_argument("--again", action="store_true", help="Only those that nobody noticed last time.")
    parser.add_argument("--seconds", type=float, default=20.0, help="CPU time for the tests of one mutant.")
    parser.add_argument("--workers", type=int, default=2)
    said = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    part = PARTS[said.part]
    modules = said.module or part.modules
    mutants = chosen(part, modules, said.sample, said.seed)
    if said.again:
        left = survivors(said.part)
        mutants = [mutant for mutant in mutants if mutant.name in left]
    for module in modules:
        module_of(file_of(part, module), ROOT)
    measured = [str(file_of(part, module)) for module in part.modules]
    watch = Watch(mutants, measured, said.seconds, said.workers, OUT / "known", show)
    watch.run(said.tests or part.tests)
    remember(said.part, watch.verdicts)
    for module in modules:
        print(score(f"{said.part}.{module}", [watch.verdicts[one.name] for one in mutants if one.module == module]))
    print(score(said.part, list(watch.verdicts.values())))
    return 0


if __name__ == "__main__":
    sys.exit(main())
