"""A pass: what may follow what in it, what actions cost, and the clock that counts the passes of a turn.

In each pass a character moves once, before its actions or after them. `moved_this_pass` records which: "first" leaves
room for actions, "last" for nothing more.
"""

# ruff: noqa: ARG002 - the hooks of a clock need not use all their arguments

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.clock import Phase
from simulator.engine.errors import Breach, OptionError
from simulator.engine.events import Change, Event, change_unit
from simulator.engine.state import Unit
from simulator.engine.turns import Hook, TurnClock
from simulator.rulesets.grid_runner.allotments import carried_on, high_ip
from simulator.rulesets.grid_runner.figures import table_faults
from simulator.rulesets.grid_runner.units import GridTable, held_fast

#: Actions after which the movement follows at once, and nothing after it.
LEAVING = ("withdrawal", "one_square_move", "tumble")


# --- what an action costs ---


def kind_of(table: GridTable, action: str) -> str:
    """Return the kind of an action that has rules here: free, simple or complex."""
    return str(table.tables[f"action_kind.{action}.kind"])


@clause("GR-24", role="rule")
def has_own_pass(table: GridTable, unit: Unit) -> bool:
    """Whether a character has an action in this pass; without one it can still move."""
    return table.clock.number < int(unit["turn_passes"])


@clause("GR-49", "GR-24", role="rule")
def after_paying(table: GridTable, unit: Unit, kind: str) -> dict[str, int] | None:
    """Return what a character has left after an action of a kind, None if it cannot pay for it.

    A simple action may be spent as a free one.
    """
    free, simple = int(unit["free_left"]), int(unit["simple_left"])
    whole = int(table.tables["simple_actions.for_a_complex_one"])
    if kind == "none":
        return {}
    if kind == "free" and free > 0:
        return {"free_left": free - 1}
    price = whole if kind == "complex" else 1
    return {"simple_left": simple - price} if simple >= price else None


# --- what may follow what ---


@clause("GR-45", "GR-79", role="judge")
def held_breaches(unit: Unit) -> Iterator[Breach]:
    """Yield the reason why a character cannot move at all: a grapple, or one of the conditions of GR-45."""
    if why := held_fast(unit):
        yield Breach("GR-79" if unit["grappling"] else "GR-45", why, blocker=unit["grappling"])


@clause("GR-21", "GR-22", "GR-51", "GR-59", role="judge")
def movement_breaches(table: GridTable, unit: Unit) -> Iterator[Breach]:
    """Yield the reasons why a character cannot begin to move now."""
    yield from held_breaches(unit)
    if unit["stopped"]:
        yield Breach("GR-51", f"{unit.id} was stopped: the rest of its movement in this pass is lost")
    elif unit["moved_this_pass"] == "last":
        yield Breach("GR-21", f"{unit.id} has made its movement of this pass")
    elif unit["moved_this_pass"] == "first" and not (table.options.split_move and unit["acted_this_pass"]):
        yield Breach("GR-21", f"{unit.id} has moved in this pass: it moves once, without a break")


@clause("GR-21", "GR-22", "GR-24", "GR-59", "GR-60", role="judge")
def action_breaches(table: GridTable, unit: Unit, kind: str, own_pass_clause: str = "GR-24") -> Iterator[Breach]:
    """Yield the reasons why a character cannot take an action of a kind now."""
    if unit["moved_this_pass"] == "last":
        yield Breach("GR-21", f"{unit.id} moved after its actions: no action may follow in this pass")
    if kind == "none":
        return
    if not has_own_pass(table, unit):
        had = int(unit["turn_passes"])
        message = f"{unit.id} has no action in pass {table.clock.number + 1}: its passes in this turn are {had}"
        yield Breach(own_pass_clause, message, table.clock.number + 1, had)
    else:
        yield from _price_breaches(table, unit, kind, "GR-24")


@clause("GR-24", role="judge")
def _price_breaches(table: GridTable, unit: Unit, kind: str, clause_id: str) -> Iterator[Breach]:
    """Yield the reason why a character cannot pay for an action of a kind with what is left in the pass."""
    if after_paying(table, unit, kind) is None:
        left = f"{unit['free_left']} free and {unit['simple_left']} simple left"
        yield Breach(clause_id, f"{unit.id} has no {kind} action left in this pass ({left})", kind, left)


@clause("GR-28", "GR-29", "GR-30", role="judge")
def start_run_breaches(table: GridTable, unit: Unit) -> Iterator[Breach]:
    """Yield the reasons why a character cannot start to run now: a free action before this pass's movement."""
    if unit["mode"] == "run":
        yield Breach("GR-29", f"{unit.id} is running already")
    if unit["pace_changed"] == "stopped":
        yield Breach("GR-30", f"{unit.id} stopped running at the start of this pass, and walks in it")
    if why := held_fast(unit):
        yield Breach("GR-29", why)
    if unit["moved_this_pass"]:
        yield Breach("GR-28", f"{unit.id} has begun its movement of this pass")
    kind = kind_of(table, "start_run")
    if has_own_pass(table, unit) or not table.options.run_start_without_pass:
        yield from action_breaches(table, unit, kind, "GR-28")
    else:
        yield from _price_breaches(table, unit, kind, "GR-28")


@clause("GR-30", role="judge")
def stop_run_breaches(unit: Unit) -> Iterator[Breach]:
    """Yield the reasons why a character cannot stop running: only at the start of its pass; this takes no action."""
    if unit["mode"] != "run":
        yield Breach("GR-30", f"{unit.id} is not running")
    if unit["moved_this_pass"] or unit["acted_this_pass"] or unit["pace_changed"]:
        yield Breach("GR-30", f"{unit.id} has acted or moved in this pass: running is stopped at its start only")


@clause("GR-32", "GR-34", "GR-23", role="judge")
def sprint_breaches(table: GridTable, unit: Unit) -> Iterator[Breach]:
    """Yield the reasons why a character cannot sprint: it runs, has not moved yet, and does so once in a pass."""
    if unit["mode"] != "run":
        yield Breach("GR-34", f"{unit.id} walks: the squares of a sprint are running movement")
    if unit["sprint_hits"] is not None:
        yield Breach("GR-32", f"{unit.id} has sprinted in this pass")
    if unit["moved_this_pass"]:
        yield Breach("GR-34", f"{unit.id} has begun its movement of this pass")
    yield from action_breaches(table, unit, table.options.sprint_action, "GR-34")


@clause("GR-21", "GR-23", role="rule")
def movement_place(unit: Unit, action: str) -> str:
    """Return the place in the pass of a movement made now: "last" if an action came before it or belongs to it."""
    return "last" if unit["acted_this_pass"] or action in LEAVING or unit["moved_this_pass"] else "first"


def may_still_move(table: GridTable, unit: Unit) -> bool:
    """Whether a character can still move in this pass, now or after further actions."""
    if unit["stopped"] or held_fast(unit):
        return False
    return not unit["moved_this_pass"] or (table.options.split_move and unit["moved_this_pass"] == "first")


def may_still_act(table: GridTable, unit: Unit) -> bool:
    """Whether a character can still act in this pass."""
    any_left = int(unit["free_left"]) > 0 or int(unit["simple_left"]) > 0
    return unit["moved_this_pass"] != "last" and has_own_pass(table, unit) and any_left


# --- the clock ---


class PassClock(TurnClock):
    """A turn of H passes. The players pick which character acts next; a character that delays may come back."""

    @clause("GR-4", "GR-5", "GR-7", role="search")
    def turn_phases(self, table: GridTable) -> tuple[Phase, ...]:
        """Return the passes of the turn: H of them, fixed until the next turn."""
        if faults := table_faults(table.tables):
            raise OptionError("\n".join(f"{fault.message} ({fault.clause})" for fault in faults), "tables")
        passes = high_ip(table, table.state)
        return tuple(Phase(f"pass {number + 1} of {passes}", "any", "GR-4") for number in range(passes))

    @clause("GR-24", "GR-25", role="rule")
    def has_more(self, table: GridTable, unit: Unit) -> bool:
        """Whether a character has anything left to do in this pass."""
        return unit["delaying"] or may_still_move(table, unit) or may_still_act(table, unit)

    @clause("GR-5", "GR-26")
    def turn_begins(self, table: GridTable) -> Hook:
        """Set everybody's passes for the turn."""
        changes: list[Change] = []
        for unit in table.state:
            new: dict[str, Any] = {"turn_passes": int(unit["passes"]), "carried": 0, "spent_before": 0, "spent": 0}
            new |= {"sprint_hits": None, "sprint_lost": 0}
            if table.options.diagonal_parity_reset == "turn":
                new["parity"] = 0
            changes += _changed(unit, new)
        yield Event("turn begins", changes=changes, clause="GR-5")

    @clause("GR-20", "GR-24", "GR-26", "GR-32", "GR-49")
    def phase_begins(self, table: GridTable, phase: Phase) -> Hook:
        """Grant everybody the actions of the pass and clear the values of the one before."""
        changes: list[Change] = []
        for unit in table.state:
            later = carried_on(_at_the_end(table), unit) if table.clock.number else {}
            new: dict[str, Any] = {
                **later,
                "free_left": int(table.options.free_actions_per_pass),
                "simple_left": int(table.tables["simple_actions.in_a_pass"]) if has_own_pass(table, unit) else 0,
                "delaying": False,
                "moved_this_pass": "",
                "acted_this_pass": False,
                "stopped": False,
                "pace_changed": "",
                "sprint_hits": None,
                "sprint_lost": 0,
                "spent": 0,
                "path": (),
                "path_clear": (),
            }
            if table.options.diagonal_parity_reset == "pass":
                new["parity"] = 0
            changes += _changed(unit, new)
        yield Event("pass begins", changes=changes, clause="GR-24")

    @clause("GR-25")
    def ready(self, table: GridTable, name: str) -> Hook:
        """Begin or resume a character's go. One that does not delay has ended its own when another's begins."""
        before = table.clock.unit
        if before and before != name and not table.unit(before)["delaying"]:
            yield from self._end_go(table)
        yield from super().ready(table, name)
        if table.unit(name)["delaying"]:
            yield Event("comes back", name, [change_unit(name, delaying=False)], "GR-25")


def _at_the_end(table: GridTable) -> GridTable:
    """Return the table as it was in the pass before."""
    before = table.state.put(clock=table.clock.put({"number": table.clock.number - 1}))
    return type(table)(table.setting, before)


def _changed(unit: Unit, values: dict[str, Any]) -> list[Change]:
    new = {name: value for name, value in values.items() if unit[name] != value}
    return [change_unit(unit.id, **new)] if new else []
