"""The cards of vehicles and troopers as data, and the figures on them: HP, modes, modifiers, AP."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from simulator.engine.carrying import carried
from simulator.engine.clauses import clause, mark
from simulator.engine.constraints import WORD, WORDS, or_nothing, whole_value
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.engine.unit_types import FieldSpec, UnitType
from simulator.engine.values import Fields
from simulator.rulesets.dot_trooper.options import DotTrooperOptions
from simulator.rulesets.dot_trooper.riding import MODES, Gear
from simulator.rulesets.dot_trooper.unit_fields import ARCS, DOTS, MOUNTS, cells

DTTable = Table[DotTrooperOptions]

#: The highest label of the HP row of each card (DT-32, DT-161).
VEHICLE_TOP, TROOPER_TOP = 12, 10
_COUNT = whole_value(0)

UNIT_TYPES = {
    "trooper": UnitType(
        "trooper",
        {
            "level": FieldSpec(0, clause="DT-164", about="the level it stands on", wants=whole_value()),
            "posture": FieldSpec(
                "standing", ("standing", "prone", "flying", "mounted", "under_vehicle", "dead"), "DT-133"
            ),
            "crossed": FieldSpec(
                (), clause="DT-161", about="the HP cells that are crossed out", wants=cells(1, TROOPER_TOP)
            ),
            "ap_bonus": FieldSpec(0, clause="DT-162", about="AP of a skill", wants=whole_value()),
            "ap_spent": FieldSpec(0, clause="DT-162", wants=_COUNT),
            "movement_spent": FieldSpec(0, clause="DT-64", wants=_COUNT),
            "jet_pack": FieldSpec("none", ("none", "worn", "carried"), "DT-6"),
            "jet_pack_used": FieldSpec(False, (False, True), "DT-10", "whether this pack was activated this turn"),
            "has_flown": FieldSpec(False, (False, True), "DT-10", "whether this trooper flew this turn"),
            "wore_pack": FieldSpec(None, (None, False, True), "DT-6", "whether a pack was worn when the turn began"),
            "weapon": FieldSpec("rifle", clause="DT-173", about="the current active weapon", wants=WORD),
            **carried("DT-55", "the vehicle it rides", "aboard"),
            "seat": FieldSpec("", ("", "driver", "passenger"), "DT-172"),
            "arc": FieldSpec((), clause="DT-169", about="the dots of its firing arc", wants=DOTS),
            "unseen": FieldSpec((), clause="DT-169", about="the dots it has no line of sight to", wants=DOTS),
        },
        "a single trooper",
    ),
    "vehicle": UnitType(
        "vehicle",
        {
            "class": FieldSpec("scout", ("scout", "assault"), "DT-48"),
            "vehicle_type": FieldSpec("motorcycle", ("motorcycle", "hoverbike"), "DT-29"),
            "id_number": FieldSpec("", clause="DT-31"),
            "level": FieldSpec(0, clause="DT-166", wants=whole_value()),
            "crossed": FieldSpec(
                (), clause="DT-32", about="the HP cells that are crossed out", wants=cells(0, VEHICLE_TOP)
            ),
            "armor": FieldSpec(
                None,
                clause="DT-41",
                about="armor cells left; by default as many as the class has",
                wants=or_nothing(_COUNT),
            ),
            "hp_table": FieldSpec(None, clause="DT-40", about="max_mode and modifier by HP, if not the standard ones"),
            "motion": FieldSpec("stopped", ("stopped", "moving"), "DT-66"),
            "posture": FieldSpec("upright", ("upright", "prone", "wrecked"), "DT-125"),
            "on": FieldSpec(False, (False, True), "DT-56", "whether it is switched on"),
            "mode": FieldSpec("", ("", *MODES), "DT-59", "the mode of this turn"),
            "last_mode": FieldSpec("minimum", MODES, "DT-68", "the mode of the turn before"),
            "mode_ap": FieldSpec(0, clause="DT-61", about="AP spent on the mode so far", wants=_COUNT),
            "driving": FieldSpec(False, (False, True), "DT-108", "whether it is in the middle of its movement"),
            "driven": FieldSpec(False, (False, True), "DT-59", "whether it has moved this turn"),
            "rammed": FieldSpec((), clause="DT-138", about="the units it rammed this turn", wants=WORDS),
            "former_riders": FieldSpec(
                (), clause="DT-134", about="who rode it when it went down, or jumped off it", wants=WORDS
            ),
            "ammo": FieldSpec(0, clause="DT-46", wants=whole_value()),
            "weapons": FieldSpec(
                None, clause="DT-47", about="mounted weapons; by default those of the class", wants=MOUNTS
            ),
            "arcs": FieldSpec((), clause="DT-158", wants=ARCS),
        },
        "a motorcycle or hoverbike of two dots",
    ),
}

mark("DT-30", "definition", "the layout of a card is free; the fields of the unit type are the card")


# --- the HP row ---


@clause("DT-32", "DT-34", "DT-161")
def current_hp(crossed: Sequence[int], top: int) -> int:
    """Return the HP that a row of cells shows; -1 if not even cell 0 of a vehicle is left.

    >>> current_hp((9, 8, 7), 12), current_hp((), 12), current_hp((9, 8, 7, 11, 10, 6, 5), 12)
    (6, 12, 4)
    """
    return min(crossed) - 1 if crossed else top


def vehicle_hp(vehicle: Unit) -> int:
    """Return the current HP of a vehicle; -1: wrecked (DT-35)."""
    return current_hp(vehicle["crossed"], VEHICLE_TOP)


def trooper_hp(trooper: Unit) -> int:
    """Return the current HP of a trooper; 0: dead."""
    return current_hp(trooper["crossed"], TROOPER_TOP)


@clause("DT-116")
def crossed_out(crossed: tuple[int, ...], first: int, points: int, lowest: int) -> tuple[int, ...]:
    """Cross out `points` further cells from a label on, to the right; what is beyond the last cell is lost.

    >>> crossed_out((9, 8, 7), 8, 2, 0)
    (9, 8, 7, 6, 5)
    """
    cells = [label for label in range(first, lowest - 1, -1) if label not in crossed]
    return crossed + tuple(cells[:points])


def _by_hp(table: DTTable, vehicle: Unit, row: str) -> Any:
    own = vehicle["hp_table"]
    figures = own[row] if own else table.tables[f"vehicle_hp_table.{row}"]
    return figures[VEHICLE_TOP - max(vehicle_hp(vehicle), 0)]


# --- the vehicle ---


@clause("DT-36", "DT-38", "DT-40")
def max_mode(table: DTTable, vehicle: Unit) -> str:
    """Return the highest mode that a vehicle can use; `none` if it is out of control."""
    return "none" if vehicle_hp(vehicle) < 0 else str(_by_hp(table, vehicle, "max_mode"))


@clause("DT-36")
def supports(table: DTTable, vehicle: Unit, mode: str) -> bool:
    """Whether a vehicle can use a mode: its card shows it or a higher one."""
    highest = max_mode(table, vehicle)
    return highest in MODES and MODES.index(mode) <= MODES.index(highest)


@clause("DT-37")
def vehicle_modifier(table: DTTable, vehicle: Unit) -> int:
    """Return the damage modifier of a vehicle."""
    return int(_by_hp(table, vehicle, "modifier"))


def class_figure(table: DTTable, vehicle: Unit, name: str) -> Any:
    """Return a figure of a vehicle's class (DT-48)."""
    return table.tables[f"class.{vehicle['class']}.{name}"]


@clause("DT-41", "DT-48")
def armor_left(table: DTTable, vehicle: Unit) -> int:
    """Return the armor cells left."""
    return int(class_figure(table, vehicle, "armor") if vehicle["armor"] is None else vehicle["armor"])


@clause("DT-43")
def speed_multiplier(table: DTTable, vehicle: Unit) -> int:
    """Return the dots that a vehicle moves for each AP."""
    return int(class_figure(table, vehicle, "speed_multiplier"))


@clause("DT-47")
def mounted_weapons(table: DTTable, vehicle: Unit) -> tuple[Fields, ...]:
    """Return the mounted weapons, each with its name and its direction as degrees left of the heading."""
    if vehicle["weapons"] is not None:
        return tuple(vehicle["weapons"])
    return tuple(Fields({"weapon": name, "direction": 0}) for name in class_figure(table, vehicle, "mounted"))


@clause("DT-47")
def mounts(table: DTTable, vehicle: Unit, name: str) -> bool:
    """Whether a weapon of a name is mounted on a vehicle."""
    return any(data["weapon"] == name for data in mounted_weapons(table, vehicle))


@clause("DT-35", "DT-36")
def weapons_work(table: DTTable, vehicle: Unit) -> bool:
    """Whether the mounted weapons of a vehicle can fire: it is upright, and its HP still allow a mode."""
    return vehicle["posture"] == "upright" and supports(table, vehicle, "minimum")


@clause("DT-59")
def has_to_move(vehicle: Unit) -> bool:
    """Whether a vehicle is moving and upright and has not moved this turn."""
    return vehicle["motion"] == "moving" and vehicle["posture"] == "upright" and not vehicle["driven"]


def is_usable(vehicle: Unit) -> bool:
    """Whether a vehicle can be driven: upright and on (DT-55)."""
    return vehicle["posture"] == "upright" and bool(vehicle["on"])


def riders(table: DTTable, vehicle: Unit) -> tuple[Unit, ...]:
    """Return the troopers aboard, the driver first (DT-157)."""
    return drivers_first(table.state.riders(vehicle.id))


def drivers_first(troopers: Iterable[Unit]) -> tuple[Unit, ...]:
    """Return troopers in their order, but drivers before passengers (DT-157)."""
    return tuple(sorted(troopers, key=lambda unit: unit["seat"] != "driver"))


def driver_of(table: DTTable, vehicle: Unit) -> Unit | None:
    """Return the driver of a vehicle."""
    return next((unit for unit in riders(table, vehicle) if unit["seat"] == "driver"), None)


# --- the trooper ---


@clause("DT-161", role="figure")
def card_ap(table: DTTable, trooper: Unit) -> int:
    """Return the AP on a trooper's card."""
    return int(table.tables["trooper_hp_table.ap"][TROOPER_TOP - trooper_hp(trooper)])


@clause("DT-161", role="figure")
def trooper_modifier(table: DTTable, trooper: Unit) -> int:
    """Return the damage modifier of a trooper."""
    return int(table.tables["trooper_hp_table.modifier"][TROOPER_TOP - trooper_hp(trooper)])


@clause("DT-6", "DT-162")
def max_ap(table: DTTable, trooper: Unit) -> int:
    """Return the most AP that a trooper has in a turn: the card, a skill, a jet pack."""
    worn = trooper["jet_pack"] == "worn"
    if table.options.jetpack_penalty_timing == "next_turn" and trooper["wore_pack"] is not None:
        worn = trooper["wore_pack"]
    penalty = int(table.tables["flight.ap_penalty"]) if worn else 0
    return int(max(0, card_ap(table, trooper) + trooper["ap_bonus"] - penalty))


@clause("DT-6", "DT-65", "DT-162")
def ap_left(table: DTTable, trooper: Unit) -> int:
    """Return the AP that a trooper has left this turn."""
    return int(max(0, max_ap(table, trooper) - trooper["ap_spent"]))


@clause("DT-64")
def cap_left(table: DTTable, trooper: Unit) -> int:
    """Compute how much movement the cap of the turn still allows."""
    counted = trooper["ap_spent" if table.options.cap_counts == "all_activities" else "movement_spent"]
    return int(max(0, table.tables["movement.cap"] - counted))


def movement_left(table: DTTable, trooper: Unit) -> int:
    """Return the AP that a trooper may still spend on movement: what is left, within the cap."""
    return min(ap_left(table, trooper), cap_left(table, trooper))


# --- modes ---


@clause("DT-62", role="figure")
def mode_range(table: DTTable, mode: str) -> tuple[int, int]:
    """Return the least and the most AP of a mode."""
    return int(table.tables[f"mode.{mode}.least"]), int(table.tables[f"mode.{mode}.most"])


@clause("DT-36", "DT-60")
def modes_within(table: DTTable, vehicle: Unit, left: int) -> tuple[str, ...]:
    """Return the modes that the card supports and whose lower figure is within some AP."""
    return tuple(mode for mode in MODES if supports(table, vehicle, mode) and mode_range(table, mode)[0] <= left)


@clause("DT-66")
def selectable_modes(table: DTTable, vehicle: Unit, driver: Unit) -> tuple[str, ...]:
    """Return the modes that a driver can select now; other turns make no difference."""
    return modes_within(table, vehicle, movement_left(table, driver))


@clause("DT-60", "DT-61", "DT-62", "DT-64")
def gear_for(table: DTTable, vehicle: Unit, modes: Sequence[str], left: int) -> Gear:
    """Return the gear of a vehicle in one of some modes: their ranges, cut off at the AP available."""
    ranges = [(least, min(most, left)) for least, most in (mode_range(table, mode) for mode in modes)]
    minimum = "minimum" in modes and left >= table.tables["drive.stop"]
    return Gear.of(table.options, table.tables, speed_multiplier(table, vehicle), ranges, minimum)


def gear_of(table: DTTable, vehicle: Unit, driver: Unit, mode: str) -> Gear:
    """Return the gear of a vehicle in a mode, with the AP that its driver has."""
    return gear_for(table, vehicle, (mode,), movement_left(table, driver))
