"""The rulebook as the engine uses it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from simulator.engine.answer_cache import Holding
from simulator.engine.clauses import mark
from simulator.engine.drafts import AgainstDraft
from simulator.engine.errors import Breach, TableError
from simulator.engine.orders import Element, Order
from simulator.engine.ruleset import Ruleset
from simulator.engine.state import Unit
from simulator.engine.table import Depiction
from simulator.geometry.table import inch_place
from simulator.rulesets.skirmish import judge
from simulator.rulesets.skirmish.actions import ACTIONS
from simulator.rulesets.skirmish.clock import RoundClock
from simulator.rulesets.skirmish.figures import TABLES
from simulator.rulesets.skirmish.movement import line_of
from simulator.rulesets.skirmish.obstruction import faulty_pieces, standing_breaches
from simulator.rulesets.skirmish.options import SkirmishOptions
from simulator.rulesets.skirmish.phrases import PHRASES
from simulator.rulesets.skirmish.planning import planned
from simulator.rulesets.skirmish.questions import QUESTIONS
from simulator.rulesets.skirmish.reach.questions import ASKS, REACHES
from simulator.rulesets.skirmish.rolls import faulty_levels
from simulator.rulesets.skirmish.starter_units import STARTER_UNITS
from simulator.rulesets.skirmish.terrain import READS, STARTERS
from simulator.rulesets.skirmish.units import SOLDIER, SkirmishTable, radius_of
from simulator.rulesets.skirmish.vocabulary import VOCABULARY

if TYPE_CHECKING:
    from simulator.engine.reverse_reach import ReverseReach
    from simulator.rulesets.skirmish.reach.answer import SkirmishReach

#: How far from the true line of a move its picture may run, in inches.
_DRAWN = 0.02


class Skirmish(Ruleset[SkirmishOptions, "SkirmishReach"]):
    """The rulebook as the engine uses it. What answers questions of reach is loaded with the first of them."""

    name = "skirmish"
    title = "Skirmish"
    boards = ("table",)
    reads = READS
    starters = STARTERS
    starter_units = STARTER_UNITS
    unit_types = {"soldier": SOLDIER}  # noqa: RUF012 - never changed
    options = SkirmishOptions
    tables = TABLES
    vocabulary = VOCABULARY
    clock = RoundClock()
    actions = ACTIONS
    phrases = PHRASES
    phrases_complete = True
    questions = QUESTIONS
    reaches = REACHES
    asks = ASKS
    most_asked = 40  # each takes up to half a second among many others

    def breaches(self, table: SkirmishTable, order: Order) -> Iterable[Breach]:
        """Return every reason why an order is forbidden here."""
        return judge.breaches(table, order)

    def against_draft(self, table: SkirmishTable, order: Order) -> AgainstDraft:
        """Return what matters of that for a draft."""
        return judge.against_draft(table, order)

    def plan(self, table: SkirmishTable, order: Order) -> Order:
        """Plan an order with a goal: the shortest way of one spend."""
        unit = table.unit(order.unit)
        if unit.place is None and order.goal is not None:  # the judge reports it
            return Order(unit.id, order.action, [Element("to", {"place": order.goal.place})], order.args)
        return planned(table, unit, order)

    def reach(self, table: SkirmishTable, unit: Unit, action: str, **question: Any) -> SkirmishReach:
        """Compute where a soldier can legally end: in its whole activation, or with one move, run or traverse."""
        from simulator.rulesets.skirmish.reach.answer import reach_of

        if unit.place is None:
            raise TableError(f"{unit.id} is not on the table")
        return reach_of(table, unit, action, **question)

    def reach_to(self, table: SkirmishTable, unit: Unit, place: Any, action: str, **question: Any) -> ReverseReach:
        """Compute from where a soldier could get to a place with one move or run."""
        from simulator.engine.reverse_reach import ReverseReach
        from simulator.rulesets.skirmish.reach.answer import SkirmishReach
        from simulator.rulesets.skirmish.reach.reverse import starts_to

        if unit.place is None:
            raise TableError(f"{unit.id} is not on the table")
        spot = inch_place(place)
        starts = starts_to(table, unit, spot, action, **question)
        return ReverseReach(self, table, unit.id, unit, spot, action, SkirmishReach.unit, starts, question)

    def holding(self, table: SkirmishTable, answer: SkirmishReach) -> Holding:
        """Return on which tables an answer holds: where all who moved stood and stand clear of all it can touch."""
        from simulator.rulesets.skirmish.reach.answer_cache import touched

        return touched(answer) or super().holding(table, answer)

    def course(self, table: SkirmishTable, order: Order) -> Sequence[tuple[float, float]]:
        """Return the line of a move or a run, its arcs as short straight lines."""
        unit = table.unit(order.unit)
        if order.action not in ("move", "run") or unit.place is None:
            return ()
        drawn = line_of(unit, order.elements).points(_DRAWN)
        return [(float(x), float(y)) for x, y in drawn]

    def faults(self, table: SkirmishTable) -> Iterable[Breach]:
        """Return all faults of a position: pieces that are no terrain here, bases where they may not be."""
        yield from faulty_levels(table)
        yield from faulty_pieces(table)
        for unit in table.state:
            if unit.place is not None:
                for breach in standing_breaches(table, unit, unit.place, "stands"):
                    # Reported for the unit that has to be moved, whatever it stands on.
                    yield replace(breach, blocker=unit.id)

    def draw(self, table: SkirmishTable) -> Iterable[Depiction]:
        """Describe what to draw: the bases, with stance and token."""
        for unit in table.state:
            if unit.place is not None:
                tokens = tuple(word for word, shown in (("running", unit["running"]),) if shown)
                if unit["stance"] != "standing":
                    tokens += (unit["stance"],)
                heading: Any = unit.heading if isinstance(unit.heading, (int, float)) else None
                yield Depiction(unit.id, unit.side, unit.place, heading, radius=radius_of(unit), tokens=tokens)


def make_soldier(id: str, side: str, place: tuple[float, float], **fields: Any) -> Unit:
    """Make a soldier: a short form for the most common kind of unit."""
    heading = fields.pop("heading", None)
    return RULESET.make_unit(id, "soldier", side, place, heading, **fields)


mark("SK-52", "advice", "describes a picture; which gaps are open to which base follows from SK-48 to SK-51")

RULESET = Skirmish()
