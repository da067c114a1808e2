"""The actions, each a rule that reads from top to bottom: payments, questions, rolls and effects, in their order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.events import Change, Event, change_unit, remove_unit
from simulator.engine.ledger import LedgerLine
from simulator.engine.orders import Order
from simulator.engine.questions import Choose, Roll
from simulator.engine.ruleset import Action, ActionRule
from simulator.engine.state import Unit
from simulator.geometry.squares import STEPS, Square
from simulator.rulesets.grid_runner.allotments import sprint_squares, stops_running
from simulator.rulesets.grid_runner.blasts import blast_damage, caught_in
from simulator.rulesets.grid_runner.charging import is_clear
from simulator.rulesets.grid_runner.clock import after_paying, kind_of, movement_place
from simulator.rulesets.grid_runner.figures import pool
from simulator.rulesets.grid_runner.interception import intercepted, is_exempt
from simulator.rulesets.grid_runner.movement import (
    DIRECTIONS,
    after_step,
    directions_of,
    is_diagonal,
    squares_of,
    step_price,
)
from simulator.rulesets.grid_runner.ranges import counted_distance, group_of, range_band
from simulator.rulesets.grid_runner.tumbling import line_of, tested, threshold, tumbler_intercepted
from simulator.rulesets.grid_runner.units import (
    GridTable,
    chance_of,
    grid_of,
    may_stop_on,
    melee_partners,
)

_LEAVING_CLAUSE = {"withdrawal": "GR-57", "one_square_move": "GR-54", "tumble": "GR-62"}


def taken(table: GridTable, unit: Unit, kind: str, **changes: Any) -> list[Change]:
    """Return the changes an action of a kind makes: it is paid for, and counts as one of the pass's actions."""
    paid = after_paying(table, unit, kind) or {}
    return [change_unit(unit.id, **paid, **changes, acted_this_pass=True)]


def _price(action: str, kind: str, clause_id: str) -> list[LedgerLine]:
    return [LedgerLine(action.replace("_", " "), 1, 1, f"{kind} action", clause_id)]


# --- movement ---


@clause("GR-26", "GR-48", "GR-50", "GR-51", "GR-54", "GR-57", "GR-58", "GR-62", "GR-65", "GR-69", "GR-72")
def move(table: GridTable, order: Order) -> Action:
    """Move along a path: each step may be intercepted before it is made."""
    name, action = order.unit, order.action
    unit = table.unit(name)
    directions = directions_of(order.elements)
    when = movement_place(unit, action)
    yield from _leaving(table, order, directions)
    line = line_of(table, unit, squares_of(unit.place, directions)) if action == "tumble" else []
    in_line = (yield from tested(table, name, line)) if line else []
    attacked: set[str] = set()
    #: The last square of the path where it might have stopped: an interception leaves it there.
    safe: Square = unit.place
    yield Event("sets out", name, [change_unit(name, path=(unit.place,), path_clear=())], "GR-21", unit.place)
    for number, direction in enumerate(directions):
        ends = None
        if action == "tumble":
            ends = yield from tumbler_intercepted(table, name, in_line, attacked)
        elif not is_exempt(action, number):
            ends = () if (yield from intercepted(table, name)) else None
        if ends is not None:
            kind, clause_id = ("pushed", "GR-72") if ends else ("stopped", "GR-51")
            where = ends or safe
            yield Event(kind, name, [change_unit(name, place=where, stopped=True)], clause_id, where)
            break
        there = yield from _step(table, name, direction)
        if may_stop_on(table, table.unit(name), there):
            safe = there
    done: dict[str, Any] = {"moved_this_pass": when}
    if table.unit(name)["full_defense_melee"] and action == "tumble":
        done["full_defense_melee"] = False
    yield Event("has moved", name, [change_unit(name, **done)], "GR-21", table.unit(name).place)


def _leaving(table: GridTable, order: Order, directions: list[int]) -> Action:
    if order.action in _LEAVING_CLAUSE:
        unit, kind, clause_id = table.unit(order.unit), kind_of(table, order.action), _LEAVING_CLAUSE[order.action]
        price = _price(order.action, kind, clause_id)
        detail: dict[str, Any] = {}
        if order.action == "tumble":
            line = line_of(table, unit, squares_of(unit.place, directions))
            detail = {"line": tuple((entry.enemy, entry.units) for entry in line), "threshold": threshold(line)}
        yield Event(order.action, unit.id, taken(table, unit, kind), clause_id, unit.place, price=price, detail=detail)


@clause("GR-26")
def _step(table: GridTable, name: str, direction: int) -> Any:
    unit = table.unit(name)
    there = after_step(unit.place, direction)
    price, parity = step_price(is_diagonal(direction), int(unit["parity"]))
    what = f"{'diagonal step' if is_diagonal(direction) else 'step'} {DIRECTIONS[direction]} to {there[0]},{there[1]}"
    changes = {
        "place": there,
        "parity": parity,
        "spent": int(unit["spent"]) + price,
        "path": (*unit["path"], there),
        "path_clear": (*unit["path_clear"], bool(is_clear(table, there, unit))),
    }
    yield Event(
        "step", name, [change_unit(name, **changes)], "GR-26", there, [LedgerLine(what, 1, price, "squares", "GR-26")]
    )
    return there


@clause("GR-28", "GR-29")
def start_run(table: GridTable, order: Order) -> Action:
    """Start to run, before this pass's movement; it is not one of the actions that the movement may not interrupt."""
    unit, kind = table.unit(order.unit), kind_of(table, "start_run")
    paid = after_paying(table, unit, kind) or {}
    changes = [change_unit(unit.id, **paid, mode="run", pace_changed="started")]
    yield Event("starts to run", unit.id, changes, "GR-28", unit.place, _price("start_run", kind, "GR-28"))


@clause("GR-30")
def stop_run(table: GridTable, order: Order) -> Action:
    """Stop running at the start of a pass; this takes no action."""
    yield Event(
        "stops running",
        order.unit,
        [change_unit(order.unit, **stops_running(table, table.unit(order.unit)), pace_changed="stopped")],
        "GR-30",
        table.unit(order.unit).place,
    )


@clause("GR-32", "GR-33", "GR-34")
def sprint(table: GridTable, order: Order) -> Action:
    """Roll a Running Test; its hits add squares of running movement to this pass."""
    unit, kind = table.unit(order.unit), table.options.sprint_action
    if kind != "none":
        yield Event("sprints", unit.id, taken(table, unit, kind), "GR-34", unit.place, _price("sprint", kind, "GR-34"))
    dice = pool(table.tables, int(unit["running"]))
    hits = yield Roll("running", who=unit.id, dice=dice, clause="GR-32", place=unit.place)
    detail = {"hits": hits, "squares": sprint_squares(table, hits)}
    yield Event("gains squares", unit.id, [change_unit(unit.id, sprint_hits=hits)], "GR-33", unit.place, detail=detail)


@clause("GR-25")
def delay(table: GridTable, order: Order) -> Action:
    """Let others act first; the character may come back in this pass, but does not come from its movement then."""
    unit = table.unit(order.unit)
    moved: dict[str, Any] = {"path": (), "path_clear": ()} if unit["path"] else {}
    yield Event("delays", unit.id, [change_unit(unit.id, delaying=True, **moved)], "GR-25", unit.place)


# --- other actions ---


@clause("GR-21", "GR-22")
def act(table: GridTable, order: Order) -> Action:
    """Take an action without rules of its own."""
    unit, kind = table.unit(order.unit), order["kind"]
    price = _price(order.get("deed", "acts"), kind, "GR-21")
    detail = {"deed": order["deed"]} if "deed" in order.args else {}
    yield Event("acts", unit.id, taken(table, unit, kind), "GR-21", unit.place, price, detail)


@clause("GR-42")
def melee_attack(table: GridTable, order: Order) -> Action:
    """Attack in melee; resolving the attack is left to the caller."""
    yield from _strike(table, order, "GR-42", 0)


@clause("GR-75")
def charge_attack(table: GridTable, order: Order) -> Action:
    """Attack at the end of a charge, with the bonus dice."""
    yield from _strike(table, order, "GR-75", table.options.charge_bonus_dice)


def _strike(table: GridTable, order: Order, clause_id: str, bonus: Any) -> Action:
    unit, kind = table.unit(order.unit), kind_of(table, order.action)
    detail = {"target": order["target"], "bonus_dice": bonus, "weapon": unit["weapon"]}
    price = _price(order.action, kind, clause_id)
    yield Event("strikes", unit.id, taken(table, unit, kind), clause_id, unit.place, price, detail)


@clause("GR-61", "GR-80", "GR-89", "GR-93")
def ranged_attack(table: GridTable, order: Order) -> Action:
    """Shoot or throw: determine the band, its dice, and the dice that melee costs."""
    unit, target = table.unit(order.unit), table.unit(order["target"])
    kind, weapon = kind_of(table, "ranged_attack"), order.get("weapon", unit["weapon"])
    distance = counted_distance(table.options.range_metric, unit.place, target.place)
    answer = range_band(table, weapon, distance, int(unit["str"]))
    in_melee = int(table.tables["in_melee.dice"]) if melee_partners(table, unit) else 0
    detail = {
        "target": target.id,
        "weapon": weapon,
        "group": group_of(table, weapon),
        "distance": distance,
        "band": answer.band,
        "dice": (answer.modifier or 0) + in_melee,
        "in_melee": in_melee,
    }
    price = _price("ranged_attack", kind, "GR-61")
    yield Event("shoots", unit.id, taken(table, unit, kind), answer.clause, unit.place, price, detail)


# --- grapples ---


@clause("GR-29", "GR-76", "GR-78")
def grapple(table: GridTable, order: Order) -> Action:
    """Try to grapple: a success puts the attacker on the defender's square, and neither runs any more."""
    unit, target = table.unit(order.unit), table.unit(order["target"])
    kind = kind_of(table, "grapple")
    price, detail = _price("grapple", kind, "GR-76"), {"target": target.id}
    yield Event("grapples", unit.id, taken(table, unit, kind), "GR-76", unit.place, price, detail)
    chance = chance_of(unit, "grapple_chance")
    outcomes = tuple((result, share) for result, share in (("holds", chance), ("fails", 1 - chance)) if share)
    result = yield Roll("grapple", who=unit.id, outcomes=outcomes, clause="GR-76", place=unit.place, detail=detail)
    if result == "holds":
        changes = [
            change_unit(unit.id, grappling=target.id, holds=True, place=target.place, **stops_running(table, unit)),
            change_unit(target.id, grappling=unit.id, holds=False, **stops_running(table, target)),
        ]
        yield Event("holds", unit.id, changes, "GR-76", target.place, detail=detail)


@clause("GR-77", "GR-78")
def break_grapple(table: GridTable, order: Order) -> Action:
    """End a grapple: at m1 and m2 the defender goes to an empty square beside it, or to the nearest one there is."""
    unit = table.unit(order.unit)
    partner = table.unit(unit["grappling"])
    defender = partner if unit["holds"] else unit
    free = [change_unit(party.id, grappling="", holds=False) for party in (unit, partner)]
    yield Event("breaks free", defender.id, free, "GR-77", defender.place)
    yield from _goes_aside(table, defender)


@clause("GR-77", "GR-78")
def _goes_aside(table: GridTable, unit: Unit) -> Action:
    """Let a character whose grapple has ended pick an empty square and go there; at m5 it stays."""
    squares = free_squares(table, unit) if table.options.scale != "m5" else []
    if squares:
        question = Choose(
            "where it goes", who=unit.id, options=squares, default=squares[0], clause="GR-77", place=unit.place
        )
        there = yield question
        yield Event("placed", unit.id, [change_unit(unit.id, place=there)], "GR-77", there)


@clause("GR-77", role="search")
def free_squares(table: GridTable, unit: Unit) -> list[Square]:
    """Return the empty squares beside a character, or the nearest empty ones if there are none."""
    beside = [(unit.place[0] + across, unit.place[1] + down) for across, down in STEPS]
    empty = ~grid_of(table).walls
    for other in table.state:
        if other.place is not None:
            empty[grid_of(table).index(other.place)] = False
    open_ = [square for square in beside if square in grid_of(table) and empty[grid_of(table).index(square)]]
    if open_ or not empty.any():
        return open_
    rows, columns = np.nonzero(empty)
    across, down = columns - unit.place[0], rows - unit.place[1]
    away = np.maximum(abs(across), abs(down)) + np.minimum(abs(across), abs(down)) // 2
    nearest = away == away.min()
    return list(zip(columns[nearest].tolist(), rows[nearest].tolist(), strict=True))


# --- declared by the game master ---


@clause("GR-29", "GR-45", "GR-77")
def becomes(table: GridTable, order: Order) -> Action:
    """Change a character's condition; falling or being held ends its running, being out ends a grapple."""
    unit, state = table.unit(order.unit), order["state"]
    befalls: dict[str, dict[str, Any]] = {
        "prone": {"prone": True, **stops_running(table, unit)},
        "standing": {"prone": False},
        "immobilised": {"immobilised": True, **stops_running(table, unit)},
        "mobile": {"immobilised": False},
        "out": {},
    }
    changes = befalls[state]
    change = [remove_unit(unit.id)] if state == "out" else [change_unit(unit.id, **changes)]
    left = unit["grappling"] if state == "out" else ""
    if left:
        change.append(change_unit(left, grappling="", holds=False))
    yield Event(state, unit.id, change, "GR-29" if "mode" in changes else "GR-45", unit.place)
    if left:
        yield from _goes_aside(table, table.unit(left))


@clause("GR-4", "GR-5")
def has_passes(table: GridTable, order: Order) -> Action:
    """Change a character's initiative passes, from the next turn on."""
    unit = table.unit(order.unit)
    yield Event("passes change", unit.id, [change_unit(unit.id, passes=order["passes"])], "GR-5", unit.place)


@clause("GR-94", "GR-95")
def blast(table: GridTable, order: Order) -> Action:
    """Set off a blast and resolve it for everybody near enough."""
    centre, power, loss = order["at"], order["power"], order["loss"]
    for caught in list(caught_in(table, centre, power, loss, order.get("target", ""))):
        die = 0
        place = table.unit(caught.unit).place
        if caught.rolls:
            dice = str(table.tables["blast.dice"])
            die = yield Roll("resists the blast", who=caught.unit, dice=dice, clause="GR-95", place=place)
        damage = blast_damage(table, power, loss, caught.distance, die)
        detail = {"by": order.unit, "distance": caught.distance, "damage": damage}
        yield Event("caught in the blast", caught.unit, (), "GR-95" if die else "GR-94", place, detail=detail)


ACTIONS: Mapping[str, ActionRule] = {
    "move": move,
    "withdrawal": move,
    "one_square_move": move,
    "tumble": move,
    "start_run": start_run,
    "stop_run": stop_run,
    "sprint": sprint,
    "delay": delay,
    "act": act,
    "melee_attack": melee_attack,
    "charge_attack": charge_attack,
    "ranged_attack": ranged_attack,
    "grapple": grapple,
    "break_grapple": break_grapple,
    "becomes": becomes,
    "has_passes": has_passes,
    "blast": blast,
}
