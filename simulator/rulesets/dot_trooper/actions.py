"""The actions by name: which rule plays each, and which judges it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from simulator.engine.clauses import clause, mark
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.ruleset import ActionRule
from simulator.rulesets.dot_trooper import errands
from simulator.rulesets.dot_trooper.cards import DTTable, mounted_weapons
from simulator.rulesets.dot_trooper.drive import crash_boxed_in, drive
from simulator.rulesets.dot_trooper.flight import against_flying, fly
from simulator.rulesets.dot_trooper.foot import against_walking, walk
from simulator.rulesets.dot_trooper.plan import against_driving
from simulator.rulesets.dot_trooper.turns import FIRE
from simulator.rulesets.dot_trooper.weapons import known_weapons

#: Elements of orders that use a weapon, in hand or mounted.
WITH_WEAPONS = ("fire", "throw", "strike", "drop")

Judge = Callable[[DTTable, Order], Iterable[Breach]]

RULES: Mapping[str, ActionRule] = {
    "foot_move": walk,
    "activate_jet_pack": fly,
    "remove_jet_pack": errands.change_jet_pack,
    "equip_jet_pack": errands.change_jet_pack,
    "exchange_jet_pack": errands.exchange,
    "mount": errands.mount,
    "dismount": errands.dismount,
    "turn_on": errands.switch,
    "turn_off": errands.switch,
    "drive": drive,
    "crash": crash_boxed_in,
    "crawl_out": errands.crawl_out,
    "lift_vehicle": errands.lift,
    "give_arcs": errands.give_arcs,
    "standard_fire": errands.standard_fire,
}

JUDGES: Mapping[str, Judge] = {
    "foot_move": against_walking,
    "activate_jet_pack": against_flying,
    "remove_jet_pack": errands.against_jet_pack,
    "equip_jet_pack": errands.against_jet_pack,
    "exchange_jet_pack": errands.against_exchange,
    "mount": errands.against_mounting,
    "dismount": errands.against_dismounting,
    "turn_on": errands.against_switching,
    "turn_off": errands.against_switching,
    "drive": against_driving,
    "crawl_out": errands.against_crawling,
    "lift_vehicle": errands.against_lifting,
    "give_arcs": errands.against_arcs,
    "standard_fire": errands.against_standard_fire,
}


@clause("DT-137", "DT-159", "DT-168")
def against_phase(table: DTTable, order: Order) -> Iterator[Breach]:
    """Each activity has its phase: standard fire comes after all movement, and nothing else then."""
    phase = table.clock.phase
    if phase is None:
        return
    if (order.action == "standard_fire") != (phase.name == FIRE):
        yield Breach("DT-168", f"{order.action} is not open in {phase.name}", order.action, phase.name)


@clause("DT-82", "DT-84")
def against_angles(order: Order) -> Iterator[Breach]:
    """Turns are made by 60, 120 or 180 degrees."""
    for element in order.elements:
        if element.name in ("left", "right") and element["angle"] not in (60, 120, 180):
            yield Breach("DT-84", f"no turn of {element['angle']} degrees", (60, 120, 180), element["angle"])


@clause("DT-173")
def against_strange_weapons(table: DTTable, order: Order) -> Iterator[Breach]:
    """Nobody attacks with what is no weapon of the tables, be it in hand or mounted."""
    attacks = [(one.get("by", order.unit), one.get("weapon")) for one in order.elements if one.name in WITH_WEAPONS]
    attacks += [(order.unit, order.get("weapon"))] if order.action == "standard_fire" else []
    for name, said in dict.fromkeys(attacks):
        unit = table.unit(name)
        if unit.type != "trooper":
            continue
        vehicle = table.state.units.get(unit["aboard"])
        mounted = [data["weapon"] for data in mounted_weapons(table, vehicle)] if vehicle is not None else []
        used = said or unit["weapon"]
        if used not in known_weapons(table) and used in (unit["weapon"], *mounted):
            yield Breach("DT-173", f"there is no weapon {used}", known_weapons(table), used, unit.id)


def judged(table: DTTable, order: Order) -> Iterator[Breach]:
    """Give every reason against an order; of the dead the clauses about them speak, of others who are nowhere this."""
    yield from against_phase(table, order)
    absent = [unit for unit in table.absent(order) if unit.get("posture") != "dead"]
    yield from (Breach("DT-1", f"{unit.id} is not on the map", blocker=unit.id) for unit in absent)
    if absent:
        return
    strange = [*against_angles(order), *against_strange_weapons(table, order)]
    yield from strange
    if not strange:
        yield from JUDGES[order.action](table, order)


_WHY = {
    "DT-3": ("definition", "distance is what the board measures; every rule that counts dots uses it"),
    "DT-14": ("definition", "an example of DT-13"),
    "DT-15": ("definition", "the level of a roof is the board's: an example of DT-13"),
    "DT-29": ("definition", "names the two types of vehicle, which play alike"),
    "DT-31": ("definition", "the fields vehicle_type and id_number; no rule looks at them"),
    "DT-46": ("definition", "the field ammo; what it means is left to the base game"),
    "DT-99": ("definition", "an example of DT-98"),
    "DT-103": ("definition", "an example of DT-102"),
    "DT-124": ("definition", "an example of DT-120 to DT-123"),
}
for _id, (_kind, _reason) in _WHY.items():
    mark(_id, _kind, _reason)
