"""The rulebook as the engine uses it."""

# ruff: noqa: ARG002 - methods of the form need not use all their arguments

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from simulator.engine.answer_cache import Holding
from simulator.engine.chain import ChainReach
from simulator.engine.clauses import mark
from simulator.engine.drafts import AgainstDraft
from simulator.engine.errors import Breach, TableError
from simulator.engine.orders import Order
from simulator.engine.posed_starts import posed_reach_to
from simulator.engine.posed_together import answered_together
from simulator.engine.reverse_reach import ReverseReach
from simulator.engine.ruleset import Ruleset
from simulator.engine.state import Unit
from simulator.engine.table import Depiction, Setting
from simulator.engine.unmoved_near import unmoved_near
from simulator.geometry.poses import Pose
from simulator.rulesets.combined_arms import judge
from simulator.rulesets.combined_arms.actions import ACTIONS
from simulator.rulesets.combined_arms.clock import MoveClock
from simulator.rulesets.combined_arms.entering import is_waiting
from simulator.rulesets.combined_arms.features import pieces_on
from simulator.rulesets.combined_arms.figures import TABLES
from simulator.rulesets.combined_arms.options import CombinedArmsOptions
from simulator.rulesets.combined_arms.phrases import PHRASES
from simulator.rulesets.combined_arms.planning import planned
from simulator.rulesets.combined_arms.questions import QUESTIONS
from simulator.rulesets.combined_arms.reach import ASKS, REACHES, ArmsReach, MoveReach, reach_of
from simulator.rulesets.combined_arms.riding import ride_reach
from simulator.rulesets.combined_arms.starter_units import STARTER_UNITS
from simulator.rulesets.combined_arms.storeys import storey_of
from simulator.rulesets.combined_arms.terrain import READS, STARTERS
from simulator.rulesets.combined_arms.units import UNIT_TYPES, ArmsTable, placed
from simulator.rulesets.combined_arms.vocabulary import VOCABULARY, altitude_name, at_level


class CombinedArms(Ruleset[CombinedArmsOptions, ArmsReach | ChainReach]):
    """The rulebook as the engine uses it."""

    name = "combined_arms"
    title = "Combined arms"
    boards = ("table",)
    reads = READS
    starters = STARTERS
    starter_units = STARTER_UNITS
    unit_types = UNIT_TYPES
    options = CombinedArmsOptions
    tables = TABLES
    vocabulary = VOCABULARY
    clock = MoveClock()
    actions = ACTIONS
    phrases = PHRASES
    phrases_complete = True
    questions = QUESTIONS
    reaches = REACHES
    reach_headings = reach_levels = True
    asks = ASKS

    def data(self, setting: Setting[CombinedArmsOptions]) -> Mapping[str, Any]:
        """Return what belongs to the table: trees that are gone, and the order of initiative if one was given."""
        return {"felled": (), "initiative": ()}

    def data_faults(self, table: ArmsTable) -> Iterator[str]:
        """Report trees and pieces that are not there."""
        known = {
            "felled": [piece.id for piece in pieces_on(table.setting) if piece.kind == "individual_tree"],
            "initiative": list(table.state.units),
        }
        for key, names in known.items():
            if not isinstance(table.data[key], tuple):
                yield f"{key}: expected a list of names, not {table.data[key]!r}"
                continue
            yield from (f"{key}: there is no {name!r}" for name in table.data[key] if name not in names)

    def breaches(self, table: ArmsTable, order: Order) -> Iterable[Breach]:
        """Return every reason why an order is forbidden here."""
        return judge.breaches(table, order)

    def against_draft(self, table: ArmsTable, order: Order) -> AgainstDraft:
        """Return what matters of that for a draft."""
        return judge.against_draft(table, order)

    def faults(self, table: ArmsTable) -> Iterable[Breach]:
        """Return all faults of a position."""
        return judge.faults(table)

    def plan(self, table: ArmsTable, order: Order) -> Order:
        """Plan an order with a goal."""
        return planned(table, order)

    def reach(self, table: ArmsTable, unit: Unit, action: str, **question: Any) -> ArmsReach | ChainReach:
        """Compute where a piece can end its move; those aboard a transport get off first."""
        if unit.place is None and not unit.carrier and not is_waiting(unit):
            raise TableError(f"{unit.id} is not on the table")
        if action == "ride":
            return ride_reach(table, unit, **question)
        return reach_of(table, unit, action, **question)

    def reach_many(
        self, ready: Sequence[tuple[ArmsTable, Unit]], action: str, **question: Any
    ) -> Iterator[ArmsReach | ChainReach | TableError]:
        """Compute where many pieces can end, with one search."""
        return answered_together(super().reach_many(ready, action, **question))

    def reach_to(self, table: ArmsTable, unit: Unit, place: Any, action: str, **question: Any) -> ReverseReach:
        """Compute from where a piece could get to a place."""
        if unit.place is None:
            raise TableError(f"{unit.id} is not on the table")
        return posed_reach_to(self, table, unit, place, action, **question)

    def holding(self, table: ArmsTable, answer: ArmsReach | ChainReach) -> Holding:
        """Return on which tables an answer holds: that of a move where all that changed is clear of what it touches."""
        near = unmoved_near(answer) if isinstance(answer, MoveReach) and answer.is_by_touch else None
        return near or super().holding(table, answer)

    def pose_of(self, table: ArmsTable, unit: Unit) -> Pose | None:
        """Return the place, the heading and the altitude of a piece."""
        if unit.place is None:
            return None
        storey = storey_of(table.setting, unit)
        level = altitude_name(Fraction(unit["altitude"])) if storey is None else str(storey)
        return Pose(unit.place, float(unit.heading), level)

    def placements(self, table: ArmsTable, unit: Unit, place: Any) -> Iterable[ArmsTable]:
        """Put a piece at another place: at its altitude, or at one that is named, or on a floor."""
        pose = Pose.of(place)
        changes = {} if pose.level is None else at_level(pose.level)
        for there in super().placements(table, unit, replace(pose, level=None)):
            yield type(there)(there.setting, there.state.with_unit(there.unit(unit.id).put(changes)))

    def draw(self, table: ArmsTable) -> Iterable[Depiction]:
        """Describe what to draw: bases and headings, the altitude of those aloft."""
        for unit in table.state.standing:
            base = None if unit["base"] is None else placed(unit)
            tokens = [f"altitude {float(unit['altitude']):g}"] if unit["altitude"] else []
            tokens += [f"floor {unit['floor']}"] if unit["floor"] else []
            if aboard := ", ".join(rider.id for rider in table.state.riders(unit.id)):
                tokens.append(f"with {aboard}")
            yield Depiction(unit.id, unit.side, unit.place, float(unit.heading), tokens=tuple(tokens), base=base)


mark(
    "CA-137",
    "definition",
    "the next battle of a campaign is not part of this one: `left_board` records which pieces may return",
)
mark("CA-145", "advice", "command distances are left to the players: nothing follows from them here")

RULESET = CombinedArms()
