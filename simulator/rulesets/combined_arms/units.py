"""Pieces: infantry, crewed weapons, vehicles and aircraft, made of the data that the register names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, TypeAlias

from simulator.engine.carrying import carried
from simulator.engine.clauses import clause
from simulator.engine.constraints import Constraint, is_number, number_value, or_nothing, whole_value
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.engine.unit_types import FieldSpec, UnitType
from simulator.errors import BoardError
from simulator.geometry.footprints import Base, Placed, PolygonBase, Round
from simulator.rulesets.combined_arms.figures import BANDS, is_multiple_of_six
from simulator.rulesets.combined_arms.options import CombinedArmsOptions

ArmsTable: TypeAlias = Table[CombinedArmsOptions]

INFANTRY = ("on_foot", "powered_armor", "gravpack", "jetpack")
VEHICLES = ("grav", "hover", "thruster", "tracked", "walker", "wheeled")
AIRCRAFT = ("helicopter", "hoverjet", "hoverprop")
WEIGHTS = ("light", "medium", "heavy")

_RATE = Constraint("a multiple of 6 inches above 0, so that its sixths and thirds are whole", is_multiple_of_six)
_COUNT = whole_value(0, 1000)
_NAME = Constraint('a name, or "" for none', lambda value: isinstance(value, str))
_TRUTH = (False, True)
_SIZE = whole_value(0, 99)
#: The largest base: anything beyond is a typing error.
_LARGEST = 100


def _base_of(value: Any) -> Base:
    """The base that a field describes: a radius, or corners around the reference point, facing along +x."""
    if value is None:
        return Round(0.0)
    if is_number(value):
        return Round(float(value))
    return PolygonBase([(float(x), float(y)) for x, y in value])


def _is_base(value: Any) -> bool:
    if is_number(value):
        return 0 < value <= _LARGEST
    try:
        return not isinstance(value, str) and _base_of(value).reach <= _LARGEST
    except (BoardError, TypeError, ValueError):
        return False


_BASE = Constraint("a radius in inches, or a list of corners around its reference point", _is_base)


def _is_place(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) == 2 and all(is_number(one) and -100 <= one <= 100 for one in value)


_PLACES = Constraint(
    "a list of places x, y in inches", lambda value: isinstance(value, tuple) and all(map(_is_place, value))
)


def _truth(clause_id: str, about: str, default: bool = False) -> FieldSpec:
    return FieldSpec(default, _TRUTH, clause_id, about)


#: What every piece has.
_OF_ALL: dict[str, FieldSpec] = {
    "base": FieldSpec(None, clause="CA-48", about="its base; without one it is a point", wants=or_nothing(_BASE)),
    "amphibious": _truth("CA-52", "whether it swims rivers and lakes"),
    "can_hover": FieldSpec(
        None, (None, *_TRUTH), "CA-86", "whether it may end a turn aloft; by default what the option end_aloft says"
    ),
    "altitude": FieldSpec(
        0, clause="CA-84", about="inches above the ground", wants=number_value("a number of inches", least=0, most=1000)
    ),
    "floor": FieldSpec(0, clause="CA-68", about="its floor in the building that it is in", wants=whole_value(0, 1000)),
    "building": FieldSpec(
        "",
        clause="CA-68",
        about="the building that it is in, if it touches a wall from inside; by default it touches it from outside",
        wants=_NAME,
    ),
    "weapon_range": FieldSpec(
        None,
        clause="CA-97",
        about="how far it fires in inches; without one, the effect of its shots is left to the players",
        wants=or_nothing(number_value("a number of inches", above=0, most=1000)),
    ),
    "cover": FieldSpec(0, clause="CA-116", about="by how much cover lowers rolls to hit it", wants=whole_value(0, 99)),
    "enters_on": FieldSpec(
        0,
        clause="CA-148",
        about="the turn on which it enters the board; 0: none",
        wants=whole_value(0, 1000),
    ),
    "entry_area": FieldSpec("", clause="CA-148", about="its entry area; by default any of its side", wants=_NAME),
    "detour": FieldSpec(
        0, clause="CA-140", about="the price of its path off the board to enter elsewhere", wants=number_value(least=0)
    ),
    "left_board": _truth("CA-134", "whether it has left the board, for good"),
    # What it has done this turn: kept by the rules.
    "has_moved": _truth("CA-7", "whether it has made its move this turn"),
    "spent_translation": FieldSpec(
        0,
        clause="CA-100",
        about="inches spent on legs, altitude, trees and overruns this turn",
        wants=number_value(least=0),
    ),
    "spent_rotation": FieldSpec(
        0, clause="CA-98", about="inches spent on rotations this turn", wants=number_value(least=0)
    ),
    "inches_covered": FieldSpec(
        0,
        clause="CA-96",
        about="inches of ground and altitude covered this turn, where bands measure those",
        wants=number_value(least=0),
    ),
    "dearest_rotation": FieldSpec(
        0,
        clause="CA-97",
        about="inches that its dearest rotation this turn cost, where bands measure the distance covered",
        wants=number_value(least=0),
    ),
    "declared_band": FieldSpec("", ("", *BANDS), "CA-98", "the band that it may not exceed this turn, since it fired"),
    "has_fired": _truth("CA-98", "whether it has fired this turn"),
    "busy_until": FieldSpec(
        0, clause="CA-121", about="the thirds of the turn that transfers took", wants=number_value(least=0, most=3)
    ),
}

#: What those have who can be aboard a transport.
_CARRIED: dict[str, FieldSpec] = {
    **carried("CA-118", "the transport that it is aboard"),
    "transferred": FieldSpec(
        "", ("", "loaded", "unloaded"), "CA-129", "whether it has boarded a transport this turn, or got off one"
    ),
}
_DUG_IN: dict[str, FieldSpec] = {
    "in_foxhole": FieldSpec(
        "", clause="CA-108", about="the name of its foxhole; pieces with the same name share one", wants=_NAME
    ),
}
#: What a transport has.
_CARRIES: dict[str, FieldSpec] = {
    "doors": FieldSpec(
        (),
        clause="CA-119",
        about="where its doors are: inches ahead of its reference point, and to the left; without any, all of its hull",
        wants=_PLACES,
    ),
    "capacity": FieldSpec(
        None, clause="CA-118", about="how many pieces it has room for; by default any number", wants=or_nothing(_COUNT)
    ),
    "moved_until": FieldSpec(
        0, clause="CA-121", about="the thirds of the turn gone when its movement ended", wants=number_value(least=0)
    ),
}

_DAMAGED: dict[str, FieldSpec] = {
    "rate_current": FieldSpec(
        None,
        clause="CA-91",
        about="its rate, where a damage system sets it directly",
        wants=or_nothing(number_value("a number of inches", least=0, most=1000)),
    ),
    "damage_level": FieldSpec(
        0, clause="CA-87", about="by how many levels its movement is reduced", wants=whole_value(0, 99)
    ),
    "damage_to_come": FieldSpec(
        0, clause="CA-92", about="the levels of damage that slow it from the next turn on", wants=whole_value(0, 99)
    ),
    "dual_driver": _truth("CA-30", "whether it has driver positions front and rear"),
    "assault_lander": _truth("CA-147", "whether it may enter the board straight down"),
    "armored": _truth("CA-103", "whether it is a crewed armored fighting vehicle"),
    "size_class": FieldSpec(clause="CA-104", wants=_SIZE),
}

_INFANTRY = UnitType(
    "infantry",
    {
        "mobility": FieldSpec("on_foot", INFANTRY, "CA-10", "how it moves"),
        "jointed_sideways": _truth("CA-15", "whether it is an alien jointed to move sideways freely"),
        "size_class": FieldSpec(None, clause="CA-104", about="by default 1", wants=or_nothing(_SIZE)),
        **_CARRIED,
        **_DUG_IN,
        **_OF_ALL,
    },
    "one infantry figure",
    faces=True,
)
_CREW_WEAPON = UnitType(
    "crew_weapon",
    {
        "wheeled_chassis": _truth("CA-16", "whether its crew can push it", default=True),
        "crew_required": FieldSpec(1, clause="CA-18", about="the number of its full crew", wants=whole_value(1, 100)),
        "crew_present": FieldSpec(
            None, clause="CA-18", about="the number of its crew that is there; by default all", wants=or_nothing(_COUNT)
        ),
        "size_class": FieldSpec(None, clause="CA-104", about="by default 1", wants=or_nothing(_SIZE)),
        "widest_rotation": FieldSpec(
            0,
            clause="CA-97",
            about="the degrees of its widest rotation this turn",
            wants=number_value(least=0, most=180),
        ),
        **_CARRIED,
        **_DUG_IN,
        **_OF_ALL,
    },
    "a crew-served weapon without its own motive system",
    faces=True,
)
_VEHICLE = UnitType(
    "vehicle",
    {
        "mobility": FieldSpec(values=VEHICLES, clause="CA-22", about="how it moves"),
        "speed_grade": FieldSpec("fast", ("fast", "average", "slow"), "CA-23", "its column of the Advanced rates"),
        "rate_original": FieldSpec(
            None, clause="CA-25", about="its undamaged rate, if it is not that of the tables", wants=or_nothing(_RATE)
        ),
        "weight_class": FieldSpec(None, (None, *WEIGHTS), "CA-60", "by default that of its size class"),
        "fully_tracked": FieldSpec(
            None, (None, *_TRUTH), "CA-108", "whether it has tracks only, no wheels; by default all tracked ones have"
        ),
        "jointed_sideways": _truth("CA-32", "whether it is a multi-legged walker jointed to move sideways freely"),
        **_DAMAGED,
        **_CARRIES,
        **_OF_ALL,
    },
    "a ground vehicle, or one that floats above the ground",
    faces=True,
)
_AIRCRAFT = UnitType(
    "aircraft",
    {
        "mobility": FieldSpec(values=AIRCRAFT, clause="CA-114", about="how it moves"),
        "rate_original": FieldSpec(clause="CA-26", about="its undamaged rate", wants=_RATE),
        **_DAMAGED,
        **_CARRIES,
        **_OF_ALL,
    },
    "a helicopter, hoverjet or hoverprop",
    faces=True,
)
_DROP_POD = UnitType(
    "drop_pod",
    {
        "rate_original": FieldSpec(clause="CA-154", about="the altitude from which it descends", wants=_RATE),
        **{name: _DAMAGED[name] for name in ("rate_current", "damage_level", "damage_to_come", "size_class")},
        **_CARRIES,
        **_OF_ALL,
    },
    "a drop pod or an automated gun turret: it descends, and does not move afterwards",
    faces=True,
)
UNIT_TYPES = {one.name: one for one in (_INFANTRY, _CREW_WEAPON, _VEHICLE, _AIRCRAFT, _DROP_POD)}


# --- what follows from the data ---


def mobility_of(unit: Unit) -> str:
    """Return the mobility type of a piece."""
    return unit.type if unit.type in ("crew_weapon", "drop_pod") else str(unit["mobility"])


def column_of(unit: Unit) -> str:
    """Return the column of a piece in the tables: its mobility type, or that of all aircraft."""
    return "aircraft" if unit.type in ("aircraft", "drop_pod") else mobility_of(unit)


def is_vehicle(unit: Unit) -> bool:
    """Whether a piece is a machine, rather than infantry or a crewed weapon."""
    return unit.type in ("vehicle", "aircraft", "drop_pod")


def base_of(unit: Unit) -> Base:
    """Return the base of a piece."""
    return _base_of(unit["base"])


def placed(unit: Unit) -> Placed:
    """Return the base of a piece where it stands."""
    x, y = unit.place
    return base_of(unit).at(float(x), float(y), float(unit.heading))


@clause("CA-104", role="figure")
def size_of(table: ArmsTable, unit: Unit) -> int:
    """Return the size class of a piece."""
    own = unit["size_class"]
    return int(table.tables[f"size_class.{unit.type}"] if own is None else own)


@clause("CA-60", role="figure")
def weight_of(table: ArmsTable, unit: Unit) -> str:
    """Return the weight class of a vehicle."""
    if unit["weight_class"] is not None:
        return str(unit["weight_class"])
    size = size_of(table, unit)
    return next((name for name in WEIGHTS[:2] if size <= table.tables[f"weight_class.{name}"]), WEIGHTS[2])


@clause("CA-16", "CA-18")
def crew_of(unit: Unit) -> int:
    """Return how many of the crew of a weapon are there."""
    return int(unit["crew_required"] if unit["crew_present"] is None else unit["crew_present"])


def others(table: ArmsTable, unit: Unit) -> Iterator[Unit]:
    """Yield everybody else who stands on the table."""
    return (other for other in table.state.standing if other.id != unit.id)


def is_enemy(one: Unit, other: Unit) -> bool:
    """Whether two pieces are on different sides."""
    return one.side != other.side
