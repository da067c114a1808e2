"""The order of goes: one mechanism for every rulebook, configured by data and a few small hooks.

A go is one order or several, until the unit can do nothing more or its player ends it. Alternating activations and
action points per activation are one phase `alternate`; two movement phases are two phases; initiative passes are phases
too, as many as `turn_phases` returns at the start of the turn.

    class Rounds(TurnClock):
        phases = (Phase("round", "alternate", clause="SK-65"),)

        def has_more(self, table, unit):
            return unit["ap"] > 0
"""

# ruff: noqa: ARG002 - hooks to be overridden ignore their arguments

from __future__ import annotations

from collections.abc import Generator, Iterable
from typing import Any, TypeAlias

from simulator.engine.clock import Clock, Phase
from simulator.engine.errors import Breach, FaultyRule, either
from simulator.engine.events import Event, change_clock
from simulator.engine.questions import Question
from simulator.engine.state import Unit
from simulator.engine.table import Table

#: The hooks of a clock: rules like any other, see `actions`.
Hook: TypeAlias = Generator[Event | Question, Any, None]


class TurnClock:
    """The mechanism. A rulebook names its phases and overrides the hooks it needs.

    The hooks are rules: they may yield events, and all but `go_begins` also questions. `clause` is cited if the clock
    refuses an order and the phase has no clause of its own.
    """

    phases: tuple[Phase, ...] = (Phase("turn"),)
    clause: str = ""

    # --- for rulebooks to override ---

    def turn_phases(self, table: Table[Any]) -> tuple[Phase, ...]:
        """Return the phases of the turn that begins now; they are fixed for the whole turn."""
        return self.phases

    def sides(self, table: Table[Any], phase: Phase) -> tuple[str, ...]:
        """Return the sides in their order of movement in the phase that begins now."""
        return tuple(dict.fromkeys(unit.side for unit in table.state))

    def line(self, table: Table[Any], phase: Phase) -> tuple[str, ...]:
        """Return the order of the units in the listed phase that begins now."""
        return tuple(table.state.units)

    def can_act(self, table: Table[Any], unit: Unit) -> bool:
        """Whether a unit has a go in this phase at all: it is on the table, alive, not stunned."""
        return unit.place is not None

    def has_more(self, table: Table[Any], unit: Unit) -> bool:
        """Whether a unit's go continues after an order; if not, it ends automatically."""
        return False

    def turn_begins(self, table: Table[Any]) -> Hook:
        """Play the start of a turn."""
        yield from ()

    def turn_ends(self, table: Table[Any]) -> Hook:
        """Play the end of a turn."""
        yield from ()

    def phase_begins(self, table: Table[Any], phase: Phase) -> Hook:
        """Play the start of a phase."""
        yield from ()

    def phase_ends(self, table: Table[Any], phase: Phase) -> Hook:
        """Play the end of a phase."""
        yield from ()

    def go_begins(self, table: Table[Any], unit: Unit) -> Hook:
        """Play the start of a unit's go. It asks no questions: an order is judged after it."""
        yield from ()

    def go_ends(self, table: Table[Any], unit: Unit) -> Hook:
        """Play the end of a unit's go."""
        yield from ()

    # --- queries ---

    def waiting(self, table: Table[Any]) -> tuple[str, ...]:
        """Return the units whose go in this phase is still to come or has begun."""
        clock = table.clock
        if clock.over or clock.phase is None or clock.phase.order == "nobody":
            return ()
        among = clock.line if clock.phase.order == "listed" else tuple(table.state.units)
        units = table.state.units
        open_ = [name for name in among if name in units and name not in clock.done]
        return tuple(name for name in open_ if self.can_act(table, units[name]))

    def may_go(self, table: Table[Any]) -> tuple[str, ...]:
        """Return the units that can be ordered now."""
        clock, waiting = table.clock, self.waiting(table)
        phase = clock.phase
        if phase is None or phase.order == "any":
            return waiting
        if phase.order == "listed":
            # The unit whose go has begun may continue; an order to the one behind it ends that go.
            return waiting[: 2 if clock.unit in waiting[:1] else 1]
        if clock.unit:
            behind = tuple(name for name in waiting if name != clock.unit)
            after = self._next_side(table, behind)
            own = (clock.unit,) if clock.unit in waiting else ()
            return own + tuple(name for name in behind if table.unit(name).side == after)
        return tuple(name for name in waiting if table.unit(name).side == clock.side)

    def breaches(self, table: Table[Any], who: str, action: str) -> Generator[Breach, None, None]:
        """Yield the reasons why a unit, a side or all cannot be ordered now."""
        clock = table.clock
        clause = (clock.phase.clause if clock.phase else "") or self.clause
        if action == "begin":
            if clock.turn or who != "all":
                yield Breach(clause, "the game has begun" if clock.turn else "the game begins with 'all begin'")
            return
        if not clock.turn:
            yield Breach(clause, "the game has not begun")
        elif clock.over:
            yield Breach(clause, "the game is over: nobody can act")
        elif action == "done" and who not in table.state.units:
            if who not in (*clock.sides, "all"):
                yield Breach(clause, f"{who} is neither a unit nor a side ({', '.join(clock.sides)}, all)")
            elif not any(self._is_of(table, name, who) for name in self.waiting(table)):
                yield Breach(clause, f"{who}: no unit has a go left in {self._phase(clock).name}")
        elif who not in (free := self.may_go(table)):
            yield Breach(clause, self._why_not(table, who, free), needed=free, available=who)

    def _why_not(self, table: Table[Any], who: str, free: tuple[str, ...]) -> str:
        phase = self._phase(table.clock)
        if who in table.clock.done:
            return f"{who} has had its go in {phase.name}"
        if not self.can_act(table, table.unit(who)):
            return f"{who} cannot act in {phase.name}"
        return f"in {phase.name} it is the go of {either(free)}, not of {who}"

    # --- progress ---

    def begin(self, table: Table[Any]) -> Hook:
        """Start the game: the first turn, its first phase."""
        yield from self._settle(table, started=False)

    def ready(self, table: Table[Any], name: str) -> Hook:
        """Begin a unit's go and end the open go of another, which rests instead if any may act."""
        clock = table.clock
        if clock.unit == name:
            return
        if clock.unit and self._phase(clock).order == "any":
            yield self._set(table, "go rests", clock.unit, unit="", resting=(*clock.resting, clock.unit))
        elif clock.unit:
            yield from self._end_go(table)
        side, resting = table.unit(name).side, table.clock.resting
        if name in resting:
            left = tuple(other for other in resting if other != name)
            yield self._set(table, "go on", name, unit=name, side=side, resting=left)
        else:
            yield self._set(table, "go begins", name, unit=name, side=side)
            yield from self.go_begins(table, table.unit(name))

    def after(self, table: Table[Any]) -> Hook:
        """End the go, the phase and the turn if an order has used them up."""
        unit = table.state.units.get(table.clock.unit)
        if table.clock.unit and (unit is None or not self.can_act(table, unit) or not self.has_more(table, unit)):
            yield from self._end_go(table)
        # The order of another unit may have used up a resting go, too.
        units = {name: table.state.units.get(name) for name in table.clock.resting}
        over = [name for name, unit in units.items() if unit is None or not self.has_more(table, unit)]
        yield from self._end_resting(table, over)
        yield from self._settle(table)

    def done(self, table: Table[Any], who: str) -> Hook:
        """End the go of a unit, or skip those of a side or of all."""
        if who in table.state.units:
            yield from self.ready(table, who)
        if table.clock.unit and self._is_of(table, table.clock.unit, who):
            yield from self._end_go(table)
        yield from self._end_resting(table, [name for name in table.clock.resting if self._is_of(table, name, who)])
        skipped = tuple(name for name in self.waiting(table) if self._is_of(table, name, who))
        if skipped and who not in table.state.units:
            side = self._next_side(table, tuple(name for name in self.waiting(table) if name not in skipped))
            yield self._set(table, "done", who, done=table.clock.done + skipped, side=side)
        yield from self._settle(table)

    def _end_resting(self, table: Table[Any], names: Iterable[str]) -> Hook:
        awake = table.clock.unit
        for name in names:
            left = tuple(other for other in table.clock.resting if other != name)
            yield self._set(table, "go on", name, unit=name, resting=left)
            yield from self._end_go(table)
        if table.clock.unit != awake:
            yield self._set(table, "go on", awake, unit=awake)

    def _end_go(self, table: Table[Any]) -> Hook:
        name = table.clock.unit
        if unit := table.state.units.get(name):
            yield from self.go_ends(table, unit)
        left = tuple(other for other in self.waiting(table) if other != name)
        yield self._set(
            table, "go ends", name, unit="", done=(*table.clock.done, name), side=self._next_side(table, left)
        )

    def _settle(self, table: Table[Any], started: bool = True) -> Hook:
        """Advance to the next phase in which a unit can act; a whole turn without one ends the game."""
        idle_turns = 0
        while not table.clock.unit:
            waiting = self.waiting(table) if started else ()
            if waiting:
                side = table.clock.side
                if side and not any(self._is_of(table, name, side) for name in waiting):
                    side = self._next_side(table, waiting)
                if side != table.clock.side:
                    yield self._set(table, "side", "", side=side)
                return
            clock = table.clock
            if started and clock.phase is not None:
                yield from self.phase_ends(table, clock.phase)
            if started and clock.number + 1 < len(clock.phases):
                yield from self._begin_phase(table, clock.number + 1)
                continue
            if started:
                yield from self.turn_ends(table)
            if idle_turns == 1:
                yield self._set(table, "over", "", over=True, side="")
                return
            idle_turns += started
            started = True
            phases = tuple(self.turn_phases(table))
            if not phases:
                raise FaultyRule("a turn has at least one phase")
            turn = {"turn": clock.turn + 1, "phases": tuple(phase.to_value() for phase in phases)}
            yield self._set(table, "turn", "", **turn, number=0, side="", done=(), resting=(), line=())
            yield from self.turn_begins(table)
            yield from self._begin_phase(table, 0)

    def _begin_phase(self, table: Table[Any], number: int) -> Hook:
        phase = table.clock.phases[number]
        sides = self.sides(table, phase)
        by_side = phase.order in ("alternate", "sides") and sides
        line = self.line(table, phase) if phase.order == "listed" else ()
        first = sides[0] if by_side else ""
        yield self._set(table, "phase", "", number=number, sides=sides, side=first, done=(), resting=(), line=line)
        yield from self.phase_begins(table, phase)

    def _next_side(self, table: Table[Any], left: tuple[str, ...]) -> str:
        """Return the side that moves when a go ends, among those that have units left."""
        clock = table.clock
        order = self._phase(clock).order
        if order not in ("alternate", "sides"):
            return ""
        sides, here = clock.sides, clock.sides.index(clock.side) if clock.side in clock.sides else 0
        first = here + 1 if order == "alternate" and clock.unit else here
        for step in range(len(sides)):
            side = sides[(first + step) % len(sides)]
            if any(self._is_of(table, name, side) for name in left):
                return side
        return clock.side

    @staticmethod
    def _is_of(table: Table[Any], name: str, who: str) -> bool:
        return who in ("all", name) or (name in table.state.units and table.unit(name).side == who)

    @staticmethod
    def _phase(clock: Clock) -> Phase:
        return clock.phase or Phase("turn")

    def _set(self, table: Table[Any], kind: str, who: str, **values: Any) -> Event:
        clock = table.clock
        phase = (clock.put(values) if "number" in values or "phases" in values else clock).phase
        clause = (phase.clause if phase else "") or self.clause
        return Event(kind, who, [change_clock(**values)], clause)
