"""The rulebook as the engine uses it."""

# ruff: noqa: ARG002 - methods of the form need not use all their arguments

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from simulator.engine.answer_cache import Holding
from simulator.engine.clauses import mark
from simulator.engine.drafts import AgainstDraft
from simulator.engine.errors import Breach, TableError
from simulator.engine.orders import Order
from simulator.engine.posed_starts import posed_reach_to
from simulator.engine.posed_together import answered_together
from simulator.engine.reverse_reach import ReverseReach
from simulator.engine.ruleset import Ruleset
from simulator.engine.state import Unit
from simulator.engine.table import Depiction
from simulator.engine.unmoved_near import unmoved_near
from simulator.geometry.poses import Pose
from simulator.rulesets.mecha import judge
from simulator.rulesets.mecha.actions import ACTIONS
from simulator.rulesets.mecha.clock import FRESH, PhaseClock
from simulator.rulesets.mecha.elevated import MechaSetting
from simulator.rulesets.mecha.figures import TABLES
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.options import MechaOptions
from simulator.rulesets.mecha.phrases import PHRASES
from simulator.rulesets.mecha.planning import planned
from simulator.rulesets.mecha.questions import QUESTIONS
from simulator.rulesets.mecha.reach import ASKS, REACHES, MechaAnswer, reach_of
from simulator.rulesets.mecha.setting_faults import setting_faults
from simulator.rulesets.mecha.starter_units import STARTER_UNITS
from simulator.rulesets.mecha.terrain import READS, STARTERS
from simulator.rulesets.mecha.units import GROUND, UNIT_TYPES, MechaTable, placed
from simulator.rulesets.mecha.vocabulary import VOCABULARY


class Mecha(Ruleset[MechaOptions, MechaAnswer]):
    """The rulebook as the engine uses it."""

    name = "mecha"
    title = "Mecha"
    boards = ("table",)
    reads = READS
    starters = STARTERS
    starter_units = STARTER_UNITS
    unit_types = UNIT_TYPES
    options = MechaOptions
    tables = TABLES
    vocabulary = VOCABULARY
    clock = PhaseClock()
    actions = ACTIONS
    phrases = PHRASES
    phrases_complete = True
    questions = QUESTIONS
    reaches = REACHES
    on_pages = ("standard",)
    reach_headings = reach_levels = True
    asks = ASKS

    def breaches(self, table: MechaTable, order: Order) -> Iterable[Breach]:
        """Return every reason why an order is forbidden here."""
        return judge.breaches(table, order)

    def against_draft(self, table: MechaTable, order: Order) -> AgainstDraft:
        """Return what matters of that for a draft."""
        return judge.against_draft(table, order)

    def setting_faults(self, setting: MechaSetting, units: Sequence[Unit]) -> Iterable[tuple[tuple[str, ...], str]]:
        """Return what units and options are that the figures do not know."""
        return setting_faults(setting, units)

    def faults(self, table: MechaTable) -> Iterable[Breach]:
        """Return all faults of a position."""
        return judge.faults(table)

    def plan(self, table: MechaTable, order: Order) -> Order:
        """Plan an order with a goal."""
        return planned(table, order)

    def reach(self, table: MechaTable, unit: Unit, action: str, **question: Any) -> MechaAnswer:
        """Compute where a unit can end a Move Action."""
        return reach_of(table, unit, action, **question)

    def reach_many(
        self, ready: Sequence[tuple[MechaTable, Unit]], action: str, **question: Any
    ) -> Iterator[MechaAnswer | TableError]:
        """Compute where many units can end, with one search."""
        return answered_together(super().reach_many(ready, action, **question))

    def reach_to(self, table: MechaTable, unit: Unit, place: Any, action: str, **question: Any) -> ReverseReach:
        """Compute from where a unit could get to a place."""
        if unit.place is None:
            raise TableError(f"{unit.id} is not on the table")
        return posed_reach_to(self, table, unit, place, action, **question)

    def holding(self, table: MechaTable, answer: MechaAnswer) -> Holding:
        """Return on which tables an answer holds: that of a move where all that changed is clear of what it touches."""
        if type(answer) is not MechaReach or answer.args:
            return super().holding(table, answer)
        unit, action = answer.mover.id, answer.action

        def terms_on(there: MechaTable) -> object:
            found = reach_of(there, there.unit(unit), action)
            return found.terms if isinstance(found, MechaReach) else None

        return unmoved_near(answer, FRESH, terms_on) or super().holding(table, answer)

    def pose_of(self, table: MechaTable, unit: Unit) -> Pose | None:
        """Return the place, the heading and the level of a unit."""
        return None if unit.place is None else Pose(unit.place, float(unit.heading), unit["level"])

    def placements(self, table: MechaTable, unit: Unit, place: Any) -> Iterable[MechaTable]:
        """Put a unit at another place: on its level, or on one that is named."""
        pose = Pose.of(place)
        level = unit["level"] if pose.level is None else pose.level
        for there in super().placements(table, unit, replace(pose, level=None)):
            yield type(there)(there.setting, there.state.with_unit(there.unit(unit.id).put(level=level)))

    def draw(self, table: MechaTable) -> Iterable[Depiction]:
        """Describe what to draw: bases and headings, the tops that units stand on, whom they carry."""
        for unit in table.state.standing:
            tokens = [f"on {unit['level']}"] if unit["level"] != GROUND else []
            tokens += [word for word in ("fallen", "pinned") if unit[word]]
            if aboard := ", ".join(rider.id for rider in table.state.riders(unit.id)):
                tokens.append(f"with {aboard}")
            yield Depiction(
                unit.id, unit.side, unit.place, float(unit.heading), tokens=tuple(tokens), base=placed(unit)
            )


mark("ME-5", "definition", "which action is open to whom is said by the clauses of the actions")
mark("ME-72", "definition", "attacks of opportunity come with a Break Away alone (ME-59): nothing offers one here")
mark("ME-100", "advice", "feature tables are overridden in a scenario, before the game; nothing changes them during it")

RULESET = Mecha()
