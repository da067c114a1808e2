"""Reading the plan of a sweep: its keys, its scenarios, and everything in it that must fit all of them."""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from simulator.engine.errors import OptionError
from simulator.errors import Fault, FileError, LimitReached
from simulator.formats import limits, strict_yaml
from simulator.formats.documents import SourceFile, validate
from simulator.formats.faults import Faults, no_such
from simulator.formats.scenario import Scenario, _nowhere
from simulator.formats.scenario_models import independent
from simulator.formats.scenario_values import exact
from simulator.formats.scenarios import Rulesets, load_scenario
from simulator.formats.sweep_models import RUNS, SweepFile
from simulator.reading import read_whole
from simulator.sweeps.agents import agent_named
from simulator.sweeps.plan import Casting, PlayLimits, Staging, SweepPlan, Varied


def load_plan(path: str | os.PathLike[str], rulesets: Rulesets | None = None) -> SweepPlan:
    """Read a plan and its scenarios; raise FileError with every fault in them, LimitReached if it is too large."""
    file = Path(path)
    faults = Faults(str(path))
    text = strict_yaml.decode(read_whole(path, limits.FILE_BYTES.most), faults)
    root = None if text is None else strict_yaml.load(text, faults)
    if root is None:
        faults.raise_if_any()
        raise AssertionError("no plan, and nothing is said to be wrong")
    if isinstance(root.value, dict) and "sweep" not in root.value and {"ruleset", "board"} & root.value.keys():
        faults.add(1, 1, (), "not the plan of a sweep, which begins with `sweep: games`, but a scenario or a board")
        faults.raise_if_any()
    return _PlanReader(SourceFile(root, faults), file.parent, rulesets).read(file.stem)


class _PlanReader:
    def __init__(self, source: SourceFile, folder: Path, rulesets: Rulesets | None) -> None:
        self.source, self.folder, self.rulesets = source, folder, rulesets
        #: The faults of the scenarios themselves.
        self.others: list[Fault] = []

    def read(self, name: str) -> SweepPlan:
        faults = self.source.faults
        entry = validate(self.source, SweepFile, independent(SweepFile))
        if entry is None:
            faults.raise_if_any()
            raise AssertionError("no plan, and nothing is said to be wrong")
        stagings = self._stagings(entry.scenarios)
        varied = [*self._varied("option", entry.options), *self._varied("figure", entry.tables)]
        for staging in stagings:
            self._check_settings(staging, varied)
        casts = [Casting(agents if isinstance(agents, dict) else {"": agents}) for agents in entry.agents]
        self._check_casts(casts, stagings)
        numbers = entry.seeds if isinstance(entry.seeds, list) else range(1, entry.seeds + 1)
        limits_of_game = PlayLimits(entry.limits.turns, entry.limits.orders, float(entry.limits.seconds))
        plan = SweepPlan(
            entry.name or name,
            tuple(stagings),
            tuple(varied),
            tuple(casts),
            tuple(numbers),
            entry.seed,
            limits_of_game,
            entry.description,
        )
        count = len(entry.scenarios) * len(casts) * len(plan.numbers)
        for one in varied:
            count *= len(one.values)
        if count > RUNS.most:
            self.source.fault(("sweep",), RUNS.reached(count), limit=True)
        if self.others:
            raise (LimitReached if faults.beyond_limit else FileError)([*faults.sorted(), *self.others])
        faults.raise_if_any()
        return plan

    # --- scenarios ---

    def _stagings(self, names: Sequence[str]) -> list[Staging]:
        stems = Counter(Path(name).stem for name in names)
        found = []
        for index, name in enumerate(names):
            if name in names[:index]:
                self.source.fault(("scenarios", index), f"lists {name!r} twice")
                continue
            scenario = self._scenario(name, index)
            if scenario is not None:
                label = Path(name).stem if stems[Path(name).stem] == 1 else name
                found.append(Staging(label, replace(scenario, line_of=_nowhere), _digest(self.folder / name, scenario)))
        return found

    def _scenario(self, name: str, index: int) -> Scenario | None:
        try:
            return load_scenario(self.folder / name, self.rulesets)
        except FileError as error:
            self.others += [fault for fault in error.faults if fault not in self.others]
            message = "cannot be played: its faults are listed too"
            self.source.fault(("scenarios", index), message, limit=isinstance(error, LimitReached))
            return None

    # --- options and figures ---

    @staticmethod
    def _varied(kind: str, entries: Mapping[str, Sequence[Any]]) -> Iterable[Varied]:
        return [Varied(kind, name, tuple(exact(value) for value in values)) for name, values in entries.items()]

    def _check_settings(self, staging: Staging, varied: Iterable[Varied]) -> None:
        scenario = staging.scenario
        setting = scenario.setting
        for one in varied:
            key = "options" if one.kind == "option" else "tables"
            declared = setting.ruleset.options.declared
            if one.kind == "option" and one.name not in declared:
                message = f"{no_such(one.name, sorted(declared), 'option')} ({setting.ruleset.name})"
                self.source.fault((key, one.name), message, on_key=True)
                continue
            for index, value in enumerate(one.values):
                changed = scenario.with_options if one.kind == "option" else scenario.with_figures
                try:
                    changed({one.name: value})
                except OptionError as error:
                    message = error.message.splitlines()[0].removeprefix(f"{one.name}: ")
                    is_key = message.startswith("no such")
                    path = (key, one.name) if is_key else (key, one.name, index)
                    self.source.fault(path, f"{message} ({setting.ruleset.name})", on_key=is_key)

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


def _digest(path: Path, scenario: Scenario) -> str:
    """Return a hash of a scenario's file and of its board."""
    text = read_whole(path, limits.FILE_BYTES.most)
    return hashlib.sha256(text + scenario.setting.board.content_hash.encode()).hexdigest()[:16]
