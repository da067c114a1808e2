"""The actions, each a rule that reads from top to bottom: declarations, rolls, choices, payments and effects."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from typing import Any

from simulator.engine.actions import passes
from simulator.engine.clauses import clause
from simulator.engine.events import Event, change_unit
from simulator.engine.ledger import LedgerLine
from simulator.engine.orders import Order
from simulator.engine.questions import Choose, React
from simulator.engine.ruleset import Action, ActionRule
from simulator.engine.state import Unit
from simulator.geometry.paths import Path, Straight
from simulator.geometry.pieces import XY
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish.dodging import (
    AWAY,
    dodge_directions,
    end_of_dodge,
    is_under,
    level_left,
    levels_off,
    line_of_dodge,
    price_of_dodge,
)
from simulator.rulesets.skirmish.movement import (
    facing_after,
    legal_stop,
    line_of,
    lots_of,
    measured,
    price_of_line,
    stop_after_failure,
)
from simulator.rulesets.skirmish.obstruction import crosses_rough
from simulator.rulesets.skirmish.rolls import attack_roll, dodge_levels, dodge_roll, terrain_roll, traverse_roll
from simulator.rulesets.skirmish.traverse.rules import traverse_of
from simulator.rulesets.skirmish.units import SkirmishTable, can_suffer

#: A rule within a rule that returns a result.
Verdict = Generator[Any, Any, Any]


@clause("SK-12", "SK-22", "SK-62")
def suffered(table: SkirmishTable, name: str, clause_id: str) -> Verdict:
    """Suffer 1 Threshold."""
    unit = table.unit(name)
    left = int(unit["threshold_left"]) - 1
    price = [LedgerLine("suffered to undo a failure", 1, 1, "Threshold", clause_id)]
    yield Event("suffers Threshold", name, [change_unit(name, threshold_left=left)], clause_id, unit.place, price)


@clause("SK-12", "SK-22", "SK-35")
def _chooses_threshold(table: SkirmishTable, name: str, otherwise: str, clause_id: str) -> Verdict:
    """Offer the player of a failed soldier the choice between Threshold and the failure, if there is one."""
    if not can_suffer(table.unit(name)):
        return False
    options = (otherwise, "suffer_threshold")
    answer = yield Choose("after the failure", who=name, options=options, default=otherwise, clause=clause_id)
    if answer == "suffer_threshold":
        yield from suffered(table, name, clause_id)
    return answer == "suffer_threshold"


@clause("SK-8", "SK-11", "SK-12", "SK-13", "SK-14", "SK-15")
def move(table: SkirmishTable, order: Order) -> Action:
    """Move along the declared line; rough terrain on it may cost an inch, or Threshold."""
    name = order.unit
    unit = table.unit(name)
    line = line_of(unit, order.elements)
    inches = line.length
    if crosses_rough(table, unit, line.arrays) and not (yield from passes(terrain_roll(table, unit))):
        stop = stop_after_failure(table, unit, order, line)
        if stop is not None and not (yield from _chooses_threshold(table, name, "lose_inch", "SK-12")):
            inches = stop
    yield _moved(table, order, line, inches, ap=int(unit["ap"]) - lots_of(table, order))


@clause("SK-28", "SK-31", "SK-34", "SK-35", "SK-36")
def run(table: SkirmishTable, order: Order) -> Action:
    """Run: a failed Terrain roll costs the token and everything over 8 inches."""
    name = order.unit
    unit = table.unit(name)
    line = line_of(unit, order.elements)
    inches, running = line.length, True
    if crosses_rough(table, unit, line.arrays) and not (yield from passes(terrain_roll(table, unit))):
        saved = table.options.run_threshold and (yield from _chooses_threshold(table, name, "lose_inch", "SK-35"))
        if not saved:
            running = False
            stop = stop_after_failure(table, unit, order, line)
            inches = line.length if stop is None else stop
    ap = int(unit["ap"]) - int(table.tables["cost.run.ap"])
    yield _moved(table, order, line, inches, ap=ap, running=running, has_run=True)
    if running:
        yield Event("is Running", name, (), "SK-31", table.unit(name).place)


@clause("SK-2", "SK-3", "SK-13")
def _moved(table: SkirmishTable, order: Order, line: Path, inches: float, **fields: Any) -> Event:
    unit = table.unit(order.unit)
    place = line.end if inches >= line.length else line.at(inches)
    changes: dict[str, Any] = {"place": place, **fields}
    facing = facing_after(table, unit, order, line, inches)
    if facing is not None:
        changes["heading"] = facing
    gone = line if inches >= line.length else line.part(0.0, inches)
    price = price_of_line(table, unit, order, measured(table, unit, gone, facing))
    kind, clause_id = ("runs", "SK-29") if order.action == "run" else ("moves", "SK-1")
    return Event(kind, unit.id, [change_unit(unit.id, **changes)], clause_id, place, price)


@clause("SK-18", "SK-19", "SK-21", "SK-22", "SK-25", "SK-26", "SK-50")
def traverse(table: SkirmishTable, order: Order) -> Action:
    """Climb over: on success, or saved by Threshold, the soldier is on the far side; otherwise on the near one."""
    name = order.unit
    unit = table.unit(name)
    way = traverse_of(table, unit, order)
    assert way is not None  # an order that names no obstacle is refused
    passed = yield from passes(traverse_roll(table, unit, way.difficulty))
    saved = False if passed else (yield from _chooses_threshold(table, name, "near_side", "SK-22"))
    place, clause_id = (way.far, "SK-21" if passed else "SK-22") if passed or saved else (way.near, "SK-22")
    cost = int(table.options.traverse_ap)
    changes = {"place": place, "ap": int(table.unit(name)["ap"]) - cost, "has_traversed": True}
    over = way.called
    price = [LedgerLine(f"a traverse of {over}", cost, 1, "AP", "SK-18")]
    kind = "gets over" if place == way.far else "stays before"
    yield Event(kind, name, [change_unit(name, **changes)], clause_id, place, price, {"what": over})


@clause("SK-64")
def change_stance(table: SkirmishTable, order: Order) -> Action:
    """Change the stance, for 1 AP."""
    unit, cost = table.unit(order.unit), int(table.tables["cost.change_stance"])
    changes = [change_unit(unit.id, stance=order["stance"], ap=int(unit["ap"]) - cost)]
    price = [LedgerLine("a change of stance", cost, 1, "AP", "SK-64")]
    yield Event(order["stance"], unit.id, changes, "SK-64", unit.place, price)


# --- attacks and dodges ---


@clause("SK-32", "SK-38", "SK-45", "SK-47", "SK-67")
def attack(table: SkirmishTable, order: Order) -> Action:
    """Attack: the level made is in the order or rolled; the target may dodge once, then the attack hits or misses."""
    attacker, name = table.unit(order.unit), order["target"]
    base = order.get("base", "normal")
    level = order.get("at", base)
    source: XY = tuple(order.get("source") or attacker.place)
    early = table.options.dodge_timing == "before_attack_roll"
    off = (yield from dodged(table, name, source, base, level)) if early else 0
    made = order.get("made", "")
    if not made:
        made = level if (yield from passes(attack_roll(table, attacker, table.unit(name), level))) else ""
    if made and not early:
        off = yield from dodged(table, name, source, base, made)
    left = level_left(table, base, made, off) if made else ""
    place = table.unit(name).place
    if left:
        yield Event("is hit", name, (), "SK-45", place, detail={"by": attacker.id, "level": left})
    else:
        clause_id = "SK-45" if made else "SK-67"
        yield Event("is missed", name, (), clause_id, place, detail={"by": attacker.id})


@clause("SK-38", "SK-39", "SK-40", "SK-42", "SK-43", "SK-44", "SK-46", "SK-47")
def dodged(table: SkirmishTable, name: str, source: XY, base: str, made: str) -> Verdict:
    """Let the target of an attack dodge, and return by how many levels the dodge reduces it."""
    soldier = table.unit(name)
    price = price_of_dodge(table, soldier)
    if not price:
        return 0
    detail = {"base": base, "level": made, "price": price}
    question = React("dodge", who=name, options=dodge_levels(table), clause="SK-38", place=soldier.place, detail=detail)
    level = yield question
    if level is None:
        return 0
    yield _paid_for_dodge(table, soldier, price)
    if not (yield from passes(dodge_roll(table, table.unit(name), level))):
        yield Event("fails to dodge", name, (), "SK-46", soldier.place)
        return 0
    yield from _shifted(table, name, source)
    return levels_off(table, level)


@clause("SK-39", "SK-40", role="rule")
def _paid_for_dodge(table: SkirmishTable, soldier: Unit, price: str) -> Event:
    if price == "AP":
        cost = int(table.tables["cost.dodge"])
        changes, clause_id = {"ap_owed": int(soldier["ap_owed"]) + cost}, "SK-39"
        line = LedgerLine("a dodge, out of the coming activation", cost, 1, "AP", clause_id)
    else:
        changes, clause_id = {"threshold_left": int(soldier["threshold_left"]) - 1}, "SK-40"
        line = LedgerLine("a dodge after the activation", 1, 1, "Threshold", clause_id)
    return Event("dodges", soldier.id, [change_unit(soldier.id, **changes)], clause_id, soldier.place, [line])


@clause("SK-41")
def _shifted(table: SkirmishTable, name: str, source: XY) -> Verdict:
    """Shift a soldier that has dodged; where the rules leave the direction open, its player chooses."""
    soldier = table.unit(name)
    heading: Any = AWAY
    if is_under(soldier, source) or table.options.dodge_direction == "any_away":
        options = dodge_directions(table, soldier, source)
        usual = 0 if is_under(soldier, source) else AWAY
        heading = yield Choose(
            "direction of the dodge", who=name, options=options, default=usual, clause="SK-41", place=soldier.place
        )
    line = line_of_dodge(table, soldier, source, heading)
    inches = end_of_dodge(table, soldier, line)
    way = Path(line.start, (Straight(line.start, line.at(inches)),))
    if table.options.dodge_terrain_roll and inches > TOLERANCE and crosses_rough(table, soldier, way.arrays):
        kept = line.length - float(table.tables["terrain.lost_inches"])
        passed = yield from passes(terrain_roll(table, soldier))
        if not passed and inches > kept + TOLERANCE:
            saved = yield from _chooses_threshold(table, name, "lose_inch", "SK-12")
            inches = inches if saved else legal_stop(table, soldier, line, max(kept, 0.0))
    place = line.at(inches) if inches < line.length else line.end
    detail = {"inches": round(inches, 6)}
    yield Event("shifts", name, [change_unit(name, place=place)], "SK-41", place, detail=detail)


ACTIONS: Mapping[str, ActionRule] = {
    "move": move,
    "run": run,
    "traverse": traverse,
    "change_stance": change_stance,
    "attack": attack,
}
