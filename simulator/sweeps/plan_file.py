"""Reading the plan of a sweep: of games, with their agents and seeds, or of reach maps."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from simulator.formats import limits, strict_yaml
from simulator.formats.documents import SourceFile
from simulator.formats.faults import Faults, no_such
from simulator.formats.scenarios import Rulesets
from simulator.formats.sweep_models import PLANS, RUNS, SweepFile
from simulator.reading import read_whole
from simulator.sweeps.agents import agent_named
from simulator.sweeps.plan import Casting, PlayLimits, Staging, SweepPlan
from simulator.sweeps.plan_reader import PlanReader
from simulator.sweeps.reach_plan import ReachPlan
from simulator.sweeps.reach_plan_file import ReachPlanReader

_GAMES, _REACH = PLANS


def load_any_plan(path: str | os.PathLike[str], rulesets: Rulesets | None = None) -> SweepPlan | ReachPlan:
    """Read a plan and its scenarios; raise FileError with every fault in them, LimitReached if it is too large."""
    source, kind = _opened(path)
    return _read(source, kind, Path(path), rulesets)


def load_plan(path: str | os.PathLike[str], rulesets: Rulesets | None = None) -> SweepPlan:
    """Read a plan of games in the same way; one of reach maps is refused."""
    source, _ = _opened(path, _GAMES)
    return _GamesReader(source, Path(path).parent, rulesets).read(Path(path).stem)


def load_reach_plan(path: str | os.PathLike[str], rulesets: Rulesets | None = None) -> ReachPlan:
    """Read a plan of reach maps in the same way; one of games is refused."""
    source, _ = _opened(path, _REACH)
    return ReachPlanReader(source, Path(path).parent, rulesets).read(Path(path).stem)


def _read(source: SourceFile, kind: str, file: Path, rulesets: Rulesets | None) -> SweepPlan | ReachPlan:
    reader = ReachPlanReader if kind == _REACH else _GamesReader
    return reader(source, file.parent, rulesets).read(file.stem)


def _opened(path: str | os.PathLike[str], wanted: str = "") -> tuple[SourceFile, str]:
    """Return the tree of a plan and its kind, which must be the one that is wanted, if any is."""
    faults = Faults(str(path))
    text = strict_yaml.decode(read_whole(path, limits.FILE_BYTES.most), faults)
    root = None if text is None else strict_yaml.load(text, faults)
    if root is None:
        faults.raise_if_any()
        raise AssertionError("no plan, and nothing is said to be wrong")
    source = SourceFile(root, faults)
    keys = root.value if isinstance(root.value, dict) else {}
    if "sweep" not in keys and {"ruleset", "board"} & keys.keys():
        known = " or ".join(f"`sweep: {kind}`" for kind in PLANS)
        source.fault((), f"not the plan of a sweep, which begins with {known}, but a scenario or a board")
        faults.raise_if_any()
    kind = keys["sweep"].value if "sweep" in keys else None
    if isinstance(kind, str) and kind not in PLANS:
        source.fault(("sweep",), no_such(kind, list(PLANS)))
        faults.raise_if_any()
    if wanted and kind in PLANS and kind != wanted:
        source.fault(("sweep",), f"a plan of {kind}; expected one of {wanted}")
        faults.raise_if_any()
    return source, kind if isinstance(kind, str) else _GAMES


class _GamesReader(PlanReader):
    def read(self, name: str) -> SweepPlan:
        entry = self.entry(SweepFile)
        stagings = self.stagings(entry.scenarios)
        varied = self.varied(entry, stagings)
        casts = [Casting(agents if isinstance(agents, dict) else {"": agents}) for agents in entry.agents]
        self._check_casts(casts, stagings)
        numbers = entry.seeds if isinstance(entry.seeds, list) else range(1, entry.seeds + 1)
        limits_of_game = PlayLimits(entry.limits.turns, entry.limits.orders, float(entry.limits.seconds))
        self.check_count(entry, RUNS, len(casts), len(numbers))
        self.raise_if_any()
        return SweepPlan(
            entry.name or name,
            tuple(stagings),
            varied,
            entry.description,
            tuple(casts),
            tuple(numbers),
            entry.seed,
            limits_of_game,
        )

    # --- agents ---

    def _check_casts(self, casts: Sequence[Casting], stagings: Iterable[Staging]) -> None:
        labels = [cast.label for cast in casts]
        for index, cast in enumerate(casts):
            if cast.label in labels[:index]:
                self.source.fault(("agents", index), f"lists {cast.label} twice")
            for side, agent in cast.agents.items():
                path: tuple[str | int, ...] = ("agents", index, side) if side else ("agents", index)
                try:
                    agent_named(agent)
                except (ImportError, AttributeError, TypeError) as error:
                    self.source.fault(path, f"cannot be imported: {error}")
            if "" not in cast.agents:
                self._check_sides(cast, index, stagings)

    def _check_sides(self, cast: Casting, index: int, stagings: Iterable[Staging]) -> None:
        for staging in stagings:
            sides = sorted({unit.side for unit in staging.scenario.units})
            for side in cast.agents:
                if side not in sides:
                    message = f"{no_such(side, sides, 'side')} in {staging.label}"
                    self.source.fault(("agents", index, side), message, on_key=True)
            missing = [side for side in sides if side not in cast.agents]
            if missing:
                self.source.fault(("agents", index), f"nobody plays {', '.join(missing)} of {staging.label}")
