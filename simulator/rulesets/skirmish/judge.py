"""The judge: every reason why an order is forbidden here. It judges the order as written and searches nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import islice

from simulator.engine.clauses import clause
from simulator.engine.drafts import AgainstDraft
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.geometry.pieces import XY
from simulator.rulesets.skirmish.movement import ap_breaches, move_breaches, run_breaches, whatever_its_length
from simulator.rulesets.skirmish.rolls import rank_of
from simulator.rulesets.skirmish.traverse.rules import order_breaches
from simulator.rulesets.skirmish.units import SkirmishTable, is_enemy

Breaches = Iterator[Breach]
#: In inches. Beyond it figures are meaningless on any table.
_FARTHEST = 1e6


def breaches(table: SkirmishTable, order: Order) -> Breaches:
    """Return every reason why an order is forbidden."""
    unit = table.unit(order.unit)
    if unit.place is None and order.action != "attack":
        yield off_the_table(unit)
    elif places := _far_off(order):
        x, y = places[0]
        yield Breach("SK-63", f"{x:g},{y:g} is far off any table", max(abs(x), abs(y)), _FARTHEST)
    else:
        yield from _JUDGES[order.action](table, unit, order)


def against_draft(table: SkirmishTable, order: Order) -> AgainstDraft:
    """Return what is wrong with a draft: what holds for lines of all lengths comes first."""
    unit = table.unit(order.unit)
    if order.action in ("move", "run") and unit.place is not None and not _far_off(order):
        if at_once := list(whatever_its_length(table, unit, order)):
            return AgainstDraft(at_once, stays=True)
    elif order.action == "traverse":
        # It has no line that could be shorter, and names an obstacle: any reason decides.
        return AgainstDraft(list(islice(breaches(table, order), 1)), stays=True)
    return AgainstDraft(list(breaches(table, order)))


def _far_off(order: Order) -> list[XY]:
    """Return the places of an order that are off any table."""
    return [place for place in _places(order) if max(abs(place[0]), abs(place[1])) > _FARTHEST]


def _places(order: Order) -> Iterator[XY]:
    """Yield all places that an order names."""
    named = [element.get(name) for element in order.elements for name in ("place", "centre")]
    yield from (place for place in (*named, order.get("towards"), order.get("source")) if place is not None)


@clause("SK-63")
def off_the_table(unit: Unit) -> Breach:
    """Report that a soldier is not on the table: it cannot act or be acted upon."""
    return Breach("SK-63", f"{unit.id} is not on the table", blocker=unit.id)


@clause("SK-64")
def change_stance(table: SkirmishTable, unit: Unit, order: Order) -> Breaches:
    """Judge a change of stance."""
    yield from ap_breaches(unit, int(table.tables["cost.change_stance"]), "SK-64", "a change of stance")
    if unit["stance"] == order["stance"]:
        yield Breach("SK-64", f"{unit.id} is {unit['stance']} already")


@clause("SK-45", "SK-60", "SK-67")
def attack(table: SkirmishTable, unit: Unit, order: Order) -> Breaches:
    """Judge an attack that names its target: at an enemy, and at no level below its base."""
    target = table.unit(order["target"])
    missing = [one for one in (unit, target) if one.place is None and (one is target or not order.get("source"))]
    yield from (off_the_table(one) for one in missing)
    if not is_enemy(unit, target):
        yield Breach("SK-67", f"{target.id} is not an enemy of {unit.id}", blocker=target.id)
    base = order.get("base", "normal")
    for name in ("at", "made"):
        level = order.get(name, base)
        if rank_of(table, level) < rank_of(table, base):
            yield Breach("SK-60", f"an attack is made at its base level {base} or higher, not at {level}", base, level)


_JUDGES: Mapping[str, Callable[[SkirmishTable, Unit, Order], Breaches]] = {
    "move": move_breaches,
    "run": run_breaches,
    "traverse": order_breaches,
    "change_stance": change_stance,
    "attack": attack,
}
