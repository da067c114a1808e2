"""Reading what every plan has: its scenarios, and the values of options and figures, which must fit all of them."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn, TypeVar

from simulator.engine.errors import OptionError
from simulator.errors import Fault, FileError, LimitReached
from simulator.formats import limits
from simulator.formats.documents import SourceFile, validate
from simulator.formats.faults import no_such
from simulator.formats.limits import Limit
from simulator.formats.scenario import Scenario, _nowhere
from simulator.formats.scenario_models import independent
from simulator.formats.scenario_values import exact
from simulator.formats.scenarios import Rulesets, load_scenario
from simulator.formats.sweep_models import PlanFile
from simulator.reading import read_whole
from simulator.sweeps.plan import Staging, Varied

Model = TypeVar("Model", bound=PlanFile)


class PlanReader:
    """A plan that is being read; its faults, and those of its scenarios, are raised together at the end."""

    def __init__(self, source: SourceFile, folder: Path, rulesets: Rulesets | None) -> None:
        self.source, self.folder, self.rulesets = source, folder, rulesets
        #: The faults of the scenarios themselves.
        self.others: list[Fault] = []

    def entry(self, model: type[Model]) -> Model:
        """Return the plan as a document; raise its faults if nothing of it can be used."""
        entry = validate(self.source, model, independent(model))
        if entry is None:
            self._raise()
        return entry

    def _raise(self) -> NoReturn:
        self.source.faults.raise_if_any()
        raise AssertionError("no plan, and nothing is said to be wrong")

    def check_count(self, entry: PlanFile, limit: Limit, *others: int) -> None:
        """Add a fault if scenarios, settings and other things together are more than a limit."""
        count = len(entry.scenarios)
        for number in (*map(len, entry.options.values()), *map(len, entry.tables.values()), *others):
            count *= number
        if count > limit.most:
            self.source.fault(("sweep",), limit.reached(count), limit=True)

    def raise_if_any(self) -> None:
        """Raise all faults, if there are any."""
        faults = self.source.faults
        if self.others:
            raise (LimitReached if faults.beyond_limit else FileError)([*faults.sorted(), *self.others])
        faults.raise_if_any()

    # --- scenarios ---

    def stagings(self, names: Sequence[str]) -> list[Staging]:
        """Return the scenarios that can be played."""
        stems = Counter(Path(name).stem for name in names)
        found = []
        for index, name in enumerate(names):
            if name in names[:index]:
                self.source.fault(("scenarios", index), f"lists {name!r} twice")
                continue
            scenario = self._scenario(name, index)
            if scenario is not None:
                label = Path(name).stem if stems[Path(name).stem] == 1 else name
                digest = _digest(self.folder / name, scenario)
                found.append(Staging(label, replace(scenario, line_of=_nowhere), digest, name))
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

    def varied(self, entry: PlanFile, stagings: Iterable[Staging]) -> tuple[Varied, ...]:
        """Return everything that is varied, after checking it against each scenario."""
        varied = (*self._varied("option", entry.options), *self._varied("figure", entry.tables))
        for staging in stagings:
            self._check_settings(staging, varied)
        return varied

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


def _digest(path: Path, scenario: Scenario) -> str:
    """Return a hash of a scenario's file and of its board."""
    text = read_whole(path, limits.FILE_BYTES.most)
    return hashlib.sha256(text + scenario.setting.board.content_hash.encode()).hexdigest()[:16]
