"""A unit and a table compiled into the form of the planner: what a Move Action costs, and what stands in its way.

The judge, the played action and reach are given the same `MechaMoves`. The level on which the unit stands is the first;
a jump adds those on which it may land.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

from simulator.engine.amounts import PLACE_DIGITS, tidy
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.posed_orders import MoveWords
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY
from simulator.geometry.standing import Solids
from simulator.pathing.posed import FarFrom, JudgedMove, Move, Objection, PoseSpace, PoseStart, Touch, judged
from simulator.pathing.posed.shortfalls import PoseShortfall
from simulator.pathing.posed.verdict_memory import VerdictMemory
from simulator.rulesets.mecha.contact import end_touching, in_contact_with, stops_of
from simulator.rulesets.mecha.elevated import top_of
from simulator.rulesets.mecha.features import MechaGround, Obstacle, ground_for, walls
from simulator.rulesets.mecha.passing import bases_in_the_way
from simulator.rulesets.mecha.rates import modes_of
from simulator.rulesets.mecha.turning import free_degrees, turn_prices
from simulator.rulesets.mecha.units import MechaTable, base_of, budget_of, mobility_of

#: The clauses of what is wrong with a move, but for what stands in its way.
_CLAUSES = {
    "": "ME-10",
    "budget": "ME-10",
    "edge": "ME-15",
    "mode": "ME-23",
    "link": "ME-106",
    "ground": "ME-106",
    "least": "ME-50",
    "near": "ME-50",
    "touch": "ME-71",
    "stops": "ME-8",
}
_TEXTS = {
    "ground": "the base has to stay wholly on the top",
    "edge": "the base would leave the table",
}


@dataclass(frozen=True)
class OnLevel:
    """What stands in the way of a unit on one level."""

    name: str
    bars: tuple[Obstacle, ...]
    no_end: tuple[Obstacle, ...]


@dataclass(frozen=True, eq=False)
class MechaMoves:
    """What a unit can do in a Move Action, and the names of what it meets."""

    space: PoseSpace
    levels: tuple[OnLevel, ...]
    touched: tuple[str, ...] = ()  #: whom it has to touch where it ends, in the order of the space
    clauses: tuple[tuple[str, str], ...] = ()  #: those of the action, by what is wrong
    held_by: str = ""  #: the clause by which it never moves where it stands
    stops: tuple[str, ...] = ()  #: whom a move into contact ends at, in the order of the space

    def put(self, **changes: Any) -> MechaMoves:
        """Return the same with some parts of the space replaced."""
        return replace(self, space=replace(self.space, **changes))

    def judged(self, written: Sequence[Move], start: PoseStart | None = None) -> JudgedMove:
        """Return what the judge of the planner finds of moves."""
        return self._memory.judged(written) if start is None else judged(self.space, start, written)

    @cached_property
    def _memory(self) -> VerdictMemory:
        return VerdictMemory(self.space)

    def unit_after(self, unit: Unit, found: JudgedMove) -> Unit:
        """Return a unit where a move has taken it."""
        place = tuple(round(number, PLACE_DIGITS) for number in found.place)
        return unit.put(place=place, heading=tidy(found.heading % 360), level=self.levels[found.level].name)

    def breach(self, one: Objection | PoseShortfall, place: XY, level: int = 0) -> Breach:
        """Return what is wrong as a breach with its clause."""
        if self.held_by and one.what in ("budget", "way"):
            return Breach(self.held_by, "it never moves where it stands", one.needed, 0, place=place)
        there = self.levels[level]
        things = {"bars": there.bars, "end": there.no_end, "way": there.bars}.get(one.what, ())
        names = tuple(thing.name for thing in things)
        clauses = _CLAUSES | dict(self.clauses)
        words = MoveWords(clauses, names, names, touch=self.touched, stops=self.stops, unit="mp", texts=_TEXTS)
        (found,) = words.breaches_at([one], place)
        if things and one.thing is not None and one.what != "way":
            return replace(found, clause=things[one.thing].clause)
        return found


def compiled(table: MechaTable, unit: Unit, action: str, **named: Any) -> MechaMoves:
    """Compile a unit where it is for a Move Action, with whom it names: its `target`, or its `carrier`."""
    return for_action(compiled_for_any(table, unit), table, unit, action, **named)


def compiled_for_any(table: MechaTable, unit: Unit) -> MechaMoves:
    """Compile a unit where it is, as far as that is the same for all Move Actions; it has nothing to spend yet."""
    ground = ground_for(table.setting, unit, top_of(table.setting, unit))
    return _compiled(table, unit, ground, holds=ground.holds(unit))


def compiled_anywhere(table: MechaTable, unit: Unit, action: str) -> MechaMoves:
    """Compile a unit that begins by being placed, on ground on which it moves; where is left open."""
    ground = ground_for(table.setting, unit, top_of(table.setting, unit))
    return for_action(_compiled(table, unit, ground, holds=False), table, unit, action)


@clause("ME-34")
def compiled_turning(table: MechaTable, unit: Unit) -> MechaMoves:
    """Compile a unit where it is that makes no Move Action: it has nothing to spend, and its free turn at most."""
    return compiled(table, unit, "standard").put(budget=Fraction(0))


def compiled_standing(table: MechaTable, unit: Unit) -> MechaMoves:
    """Compile a unit that is set down, and does not move; where is left open."""
    ground = ground_for(table.setting, unit, top_of(table.setting, unit))
    return for_action(_compiled(table, unit, ground, holds=True), table, unit, "standard")


@clause("ME-10")
def for_action(moves: MechaMoves, table: MechaTable, unit: Unit, action: str, **named: Any) -> MechaMoves:
    """Return a compiled unit with what it may spend on a Move Action, and where that has to end."""
    touch, names = _touch(table, unit, action, **named)
    space = replace(
        moves.space,
        budget=Fraction(0) if moves.held_by else budget_of(table, unit, action),
        more_than=_more_than(table, unit, action),
        far_from=_far_from(table, unit, action),
        touch=touch,
    )
    return replace(moves, space=space, touched=names, clauses=_clauses_of(action))


def _compiled(table: MechaTable, unit: Unit, ground: MechaGround, *, holds: bool) -> MechaMoves:
    bars, no_end = bases_in_the_way(table, unit)
    bars += walls(table.setting, unit, ground.top) + ground.closed() + ([] if holds else ground.still)
    stopped_by = stops_of(table, unit)
    start = PoseStart(
        (float(unit.place[0]), float(unit.place[1])), Fraction(unit.heading), free=free_degrees(table, unit)
    )
    space = PoseSpace(
        base=base_of(unit),
        starts=(start,),
        budget=Fraction(0),
        ground=ground.priced(),
        modes=modes_of(table, unit),
        turns=turn_prices(table, unit),
        bars=Solids(one.solid for one in bars),
        no_end=Solids(one.solid for one in no_end),
        box=table.board.bounds,
        stops=[end_touching(table, unit, other) for other in stopped_by],
    )
    level = OnLevel(unit["level"], tuple(bars), tuple(no_end))
    held_by = "" if not holds else "ME-26" if mobility_of(unit) == "static" else "ME-16"
    stops = tuple(other.id for other in stopped_by)
    return MechaMoves(space, (level,), held_by=held_by, stops=stops)


# --- where actions have to end ---


def minimum_of(table: MechaTable, action: str) -> str:
    """Return what a Move Action has to exceed the Move by: `spent`, `displacement` or `none`."""
    if action == "charge" and table.options.charge_minimum == "none":
        return "none"
    return str(table.options.run_minimum) if action in ("run", "charge") else "none"


@clause("ME-50", "ME-88")
def _more_than(table: MechaTable, unit: Unit, action: str) -> Fraction | None:
    """How many movement points have to be exceeded; None: none need be spent."""
    if minimum_of(table, action) != "spent":
        return None
    return Fraction(table.tables["run.more_than_moves"]) * Fraction(unit["move"])


@clause("ME-50", "ME-88")
def _far_from(table: MechaTable, unit: Unit, action: str) -> Sequence[FarFrom]:
    if minimum_of(table, action) != "displacement":
        return ()
    far = Fraction(table.tables["run.more_than_moves"]) * Fraction(unit["move"])
    return [FarFrom((float(unit.place[0]), float(unit.place[1])), far)]


@clause("ME-71", "ME-73", "ME-87")
def _touch(
    table: MechaTable, unit: Unit, action: str, *, target: str = "", carrier: str = ""
) -> tuple[Sequence[Touch], tuple[str, ...]]:
    """Whom a unit has to touch where it ends."""
    if action == "charge":
        names = [target]
    elif action == "enter_unit":
        names = [carrier]
    elif action == "manoeuvre":
        names = [other.id for other in in_contact_with(table, unit)]
    else:
        names = []
    return tuple(end_touching(table, unit, table.unit(name)) for name in names), tuple(names)


def _clauses_of(action: str) -> tuple[tuple[str, str], ...]:
    """The clauses of an action, by what is wrong, where they are not those of every move."""
    if action == "charge":
        return (("touch", "ME-87"), ("least", "ME-88"), ("near", "ME-88"))
    return (("touch", "ME-73"),) if action == "enter_unit" else ()
