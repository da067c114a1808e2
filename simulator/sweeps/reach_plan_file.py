"""Reading a plan of reach maps: its units, and what is asked of them, which must fit every scenario."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from simulator.engine.bulk_reach import headings_of
from simulator.engine.errors import WrongQuestion
from simulator.engine.raster import Raster
from simulator.engine.reach_questions import read_question
from simulator.formats.scenario_values import text_of_value
from simulator.formats.sweep_models import MAPS, ReachSweepFile, UnitAsked
from simulator.sweeps.plan import Staging
from simulator.sweeps.plan_reader import PlanReader
from simulator.sweeps.reach_map import MATRIX
from simulator.sweeps.reach_plan import MapAsking, ReachPlan
from simulator.wording import did_you_mean


class ReachPlanReader(PlanReader):
    """A plan of reach maps that is being read."""

    def read(self, name: str) -> ReachPlan:
        """Return the plan; raise FileError with every fault."""
        entry = self.entry(ReachSweepFile)
        stagings = self.stagings(entry.scenarios)
        varied = self.varied(entry, stagings)
        askings = [_asking(one) for one in entry.units]
        self._check_twice(askings)
        spacing, with_costs = float(entry.spacing), entry.costs
        for staging in stagings:
            raster = Raster.of(staging.scenario.setting.board, spacing)
            for index, asking in enumerate(askings):
                self._check_asking(staging, index, asking, raster, with_costs)
        self.check_count(entry, MAPS, len(askings))
        self.raise_if_any()
        return ReachPlan(
            entry.name or name,
            tuple(stagings),
            varied,
            entry.description,
            tuple(askings),
            spacing,
            entry.areas,
            with_costs,
        )

    def _check_twice(self, askings: Sequence[MapAsking]) -> None:
        labels = [asking.label for asking in askings]
        for index, label in enumerate(labels):
            if label in labels[:index]:
                self.source.fault(("units", index), f"lists {label} twice")

    def _check_asking(self, staging: Staging, index: int, asking: MapAsking, raster: Raster, with_costs: bool) -> None:
        scenario, at = staging.scenario, ("units", index)
        known = sorted(unit.id for unit in scenario.units)
        if asking.unit not in known:
            message = f"there is no unit {asking.unit!r} in {staging.label}; {did_you_mean(asking.unit, known)}"
            self.source.fault((*at, "unit"), message)
            return
        game = scenario.set_up()
        ruleset = game.ruleset
        try:
            read_question(ruleset, asking.action, {}, known)
        except WrongQuestion as error:
            self.source.fault((*at, "action"), str(error))
            return
        try:
            read_question(ruleset, asking.action, asking.values, known)
        except WrongQuestion as error:
            named = next((name for name in asking.values if str(error).startswith((f"{name}:", f"{name}="))), None)
            message = str(error).removeprefix(f"{named}: ")
            self.source.fault((*at, "with", *([] if named is None else [named])), message)
        mover = ruleset.moves_with(game.table, game.table.unit(asking.unit))
        try:
            headings = headings_of(ruleset, game.board, mover, asking.headings)
        except WrongQuestion as error:
            self.source.fault((*at, "headings"), f"{error} ({staging.label})")
            return
        size = int(np.count_nonzero(raster.present)) * len(headings) * raster.present.size
        if with_costs and size > MATRIX.most:
            message = f"{MATRIX.reached(size)}; `costs: false` keeps what each start and each place adds up to"
            self.source.fault(at, f"{staging.label}: {message}", limit=True)


def _asking(entry: UnitAsked) -> MapAsking:
    values = {name: text_of_value(value) for name, value in entry.with_.items()}
    return MapAsking(entry.unit, entry.action or "", values, tuple(_headings(entry.headings)))


def _headings(named: Iterable[Any]) -> Iterable[Any]:
    """Yield headings as `--heading` reads them: whole degrees as whole numbers."""
    for one in named:
        yield int(one) if isinstance(one, float) and one.is_integer() else one
