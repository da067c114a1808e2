"""The judge: every reason why an order is forbidden here. It judges the order as written and searches nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.rulesets.dot_trooper import other_actions
from simulator.rulesets.dot_trooper.clock import FIRE
from simulator.rulesets.dot_trooper.flight import against_flying
from simulator.rulesets.dot_trooper.foot import against_walking
from simulator.rulesets.dot_trooper.judge.drive import against_driving
from simulator.rulesets.dot_trooper.units import DTTable, mounts
from simulator.rulesets.dot_trooper.weapons import known_weapons

#: Elements of orders that use a weapon, in hand or mounted.
WITH_WEAPONS = ("fire", "throw", "strike", "drop")

Judge = Callable[[DTTable, Order], Iterable[Breach]]

JUDGES: Mapping[str, Judge] = {
    "foot_move": against_walking,
    "activate_jet_pack": against_flying,
    "remove_jet_pack": other_actions.against_jet_pack,
    "equip_jet_pack": other_actions.against_jet_pack,
    "exchange_jet_pack": other_actions.against_exchange,
    "mount": other_actions.against_mounting,
    "dismount": other_actions.against_dismounting,
    "turn_on": other_actions.against_switching,
    "turn_off": other_actions.against_switching,
    "drive": against_driving,
    "crawl_out": other_actions.against_crawling,
    "lift_vehicle": other_actions.against_lifting,
    "give_arcs": other_actions.against_arcs,
    "standard_fire": other_actions.against_standard_fire,
}


@clause("DT-137", "DT-159", "DT-168")
def against_phase(table: DTTable, order: Order) -> Iterator[Breach]:
    """Yield why an activity is closed in this phase: standard fire comes after all movement, and nothing else then."""
    phase = table.clock.phase
    if phase is None:
        return
    if (order.action == "standard_fire") != (phase.name == FIRE):
        yield Breach("DT-168", f"{order.action} is not open in {phase.name}", order.action, phase.name)


@clause("DT-82", "DT-84")
def against_angles(order: Order) -> Iterator[Breach]:
    """Yield why turns are illegal: they are made by 60, 120 or 180 degrees."""
    for element in order.elements:
        if element.name in ("left", "right") and element["angle"] not in (60, 120, 180):
            yield Breach("DT-84", f"no turn of {element['angle']} degrees", (60, 120, 180), element["angle"])


@clause("DT-173")
def against_strange_weapons(table: DTTable, order: Order) -> Iterator[Breach]:
    """Yield which weapons of an order, in hand or mounted, are not in the tables."""
    attacks = [(one.get("by", order.unit), one.get("weapon")) for one in order.elements if one.name in WITH_WEAPONS]
    attacks += [(order.unit, order.get("weapon"))] if order.action == "standard_fire" else []
    for name, named in dict.fromkeys(attacks):
        unit = table.unit(name)
        if unit.type != "trooper":
            continue
        vehicle = table.state.carrier_of(unit)
        used = named or unit["weapon"]
        has_it = used == unit["weapon"] or (vehicle is not None and mounts(table, vehicle, used))
        if used not in known_weapons(table) and has_it:
            yield Breach("DT-173", f"there is no weapon {used}", known_weapons(table), used, unit.id)


def breaches(table: DTTable, order: Order) -> Iterator[Breach]:
    """Yield every reason against an order; the dead have clauses of their own, other absent units are reported here."""
    yield from against_phase(table, order)
    absent = [unit for unit in table.absent(order) if unit.get("posture") != "dead"]
    yield from (Breach("DT-1", f"{unit.id} is not on the map", blocker=unit.id) for unit in absent)
    if absent:
        return
    strange = [*against_angles(order), *against_strange_weapons(table, order)]
    yield from strange
    if not strange:
        yield from JUDGES[order.action](table, order)
