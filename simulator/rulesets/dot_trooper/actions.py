"""All a player can say, and which rule plays and which judges it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from simulator.engine.clauses import clause, mark
from simulator.engine.errors import Breach
from simulator.engine.orders import (
    ActionForm,
    Arg,
    Form,
    Order,
    Vocabulary,
    heading,
    place,
    unit_id,
    whole_number,
    word,
)
from simulator.engine.ruleset import ActionRule
from simulator.rulesets.dot_trooper import errands
from simulator.rulesets.dot_trooper.cards import DTTable
from simulator.rulesets.dot_trooper.drive import crash_boxed_in, drive
from simulator.rulesets.dot_trooper.flight import against_flying, fly
from simulator.rulesets.dot_trooper.foot import against_walking, walk
from simulator.rulesets.dot_trooper.plan import against_driving
from simulator.rulesets.dot_trooper.riding import MODES
from simulator.rulesets.dot_trooper.turns import FIRE

Judge = Callable[[DTTable, Order], Iterable[Breach]]

_DOTS = Arg("dots", whole_number("a number of dots", 1, 99), optional=True)
_ANGLE = Arg("angle", whole_number("60, 120 or 180", 60, 180))
_DOT = place("a dot such as 3,4", whole=True)
_MODE = word(*MODES)
_WEAPON = Arg("weapon", word(says="a weapon"), "with", optional=True)
_BY = Arg("by", unit_id("a rider"), "by", optional=True)
_ENEMY = Arg("target", unit_id("an enemy"))

ELEMENTS = (
    Form("start", [_DOTS], "DT-69", "1 AP: begins the movement of a stopped vehicle, m dots"),
    Form("move", [_DOTS], "DT-71", "1 AP: m dots ahead"),
    Form("stop", [_DOTS], "DT-70", "2 AP: m dots ahead to a full stop"),
    Form("on", [_DOTS], "DT-72", "the further dots of the segment, after a turn inside it"),
    Form("left", [_ANGLE], "DT-82", "a turn to the left"),
    Form("right", [_ANGLE], "DT-82", "a turn to the right"),
    Form("ram", [_ENEMY], "DT-138", "rams an enemy next to the front"),
    Form("strike", [_ENEMY], "DT-144", "strikes at an enemy next to the rear"),
    Form("fire", [_ENEMY, _WEAPON, _BY], "DT-148", "fires on the move"),
    Form("throw", [Arg("at", _DOT), _WEAPON, _BY], "DT-153", "throws an explosive"),
    Form("step", [Arg("to", _DOT), Arg("level", whole_number("a level"), "level", True)], "DT-164", "a dot on foot"),
    Form("lie_down", (), "DT-164", "goes prone"),
    Form("stand_up", (), "DT-164", "stands up"),
    Form("fly", [Arg("dots", _DOT, many=True)], "DT-8", "flies dot by dot"),
    Form("drop", (), "DT-21", "drops a grenade on the dot below"),
)

ACTIONS = (
    ActionForm(
        "foot_move",
        [Arg("level", whole_number("a level"), "level", optional=True)],
        "DT-164",
        "moves on foot, to a goal also up to a level of it",
        ("step", "lie_down", "stand_up"),
        1,
        goal=True,
    ),
    ActionForm("activate_jet_pack", (), "DT-7", "flies 6 to 16 dots", ("fly", "drop"), 1, goal=True),
    ActionForm("remove_jet_pack", (), "DT-25", "takes the jet pack off"),
    ActionForm("equip_jet_pack", (), "DT-25", "puts the jet pack on"),
    ActionForm(
        "exchange_jet_pack",
        [Arg("partner", unit_id("a friend")), Arg("payer", unit_id("who pays"), "paid", True)],
        "DT-26",
        "passes a jet pack on or takes it over",
    ),
    ActionForm("mount", [Arg("vehicle", unit_id("a vehicle"))], "DT-58", "gets on a vehicle"),
    ActionForm("dismount", [Arg("to", _DOT)], "DT-58", "gets off to a dot next to the rear"),
    ActionForm("turn_on", (), "DT-58", "switches the vehicle on"),
    ActionForm("turn_off", (), "DT-58", "switches the vehicle off"),
    ActionForm(
        "drive",
        [Arg("mode", _MODE, optional=True), Arg("motion", word("moving", "stopped"), "ending", optional=True)],
        "DT-59",
        "drives in a mode; to a goal, without one, in the cheapest",
        ("start", "move", "stop", "on", "left", "right", "ram", "strike", "fire", "throw"),
        1,
        goal=True,
    ),
    ActionForm("crash", [Arg("mode", _MODE)], "DT-68", "crashes with a vehicle that is boxed in"),
    ActionForm(
        "crawl_out", [Arg("posture", word("standing", "prone"), optional=True)], "DT-131", "crawls from under a vehicle"
    ),
    ActionForm("lift_vehicle", [Arg("vehicle", unit_id("a vehicle"))], "DT-132", "lifts a vehicle upright"),
    ActionForm("give_arcs", (), "DT-158", "gives each mounted weapon its arc"),
    ActionForm("standard_fire", [_ENEMY, _WEAPON], "DT-159", "fires in the fire phase"),
)

VOCABULARY = Vocabulary(
    actions=ACTIONS,
    elements=ELEMENTS,
    default="foot_move",
    goal_place=_DOT,
    goal_heading=heading("a heading: 0, 60, 120, 180, 240 or 300"),
)

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


def judged(table: DTTable, order: Order) -> Iterator[Breach]:
    """Give every reason against an order."""
    yield from against_phase(table, order)
    angles: list[Any] = list(against_angles(order))
    yield from angles
    if not angles:
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
