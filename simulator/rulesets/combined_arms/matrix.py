"""The terrain effects matrix: how many times its usual rate a piece moves in one feature, the options in force."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeAlias

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.engine.table import Setting
from simulator.rulesets.combined_arms.figures import IMPASSABLE, NO_LIMIT, share
from simulator.rulesets.combined_arms.options import CombinedArmsOptions
from simulator.rulesets.combined_arms.units import column_of, is_vehicle
from simulator.wording import measure

#: A multiplier; None: impassable.
Multiplier = Fraction | None
_HALF, _WHOLE, _TRIPLE = Fraction(1, 2), Fraction(1), Fraction(3)
#: Those that cross a high wall by the letter of its clause, and at which rate.
_OVER_WALLS: Mapping[str, Fraction] = {
    "thruster": _WHOLE,
    "on_foot": _HALF,
    "powered_armor": _HALF,
    "gravpack": _WHOLE,
}
#: Those that stop at antitank obstacles, whatever these are to others.
_STOPPED = ("tracked", "wheeled", "crew_weapon")
_WALKERS_AND_WHEELS = ("on_foot", "powered_armor", "crew_weapon", "tracked", "walker", "wheeled")


@dataclass(frozen=True, slots=True)
class Mover:
    """What terrain asks of a piece: its column of the matrix, whether it swims, whether it is a vehicle."""

    column: str
    amphibious: bool = False
    is_vehicle: bool = False

    @classmethod
    def of(cls, unit: Unit) -> Mover:
        """Return what terrain asks of a unit."""
        return cls(column_of(unit), bool(unit["amphibious"]), is_vehicle(unit))


_Further = ParamSpec("_Further")
#: The multiplier of a kind of terrain for a mover, by what else is asked about that terrain.
_Rule: TypeAlias = Callable[Concatenate[Setting[CombinedArmsOptions], Mover, _Further], Multiplier]


@clause("CA-82", "CA-83", role="figure")
def altitude_limit(setting: Setting[CombinedArmsOptions], column: str) -> Fraction | None:
    """Return the greatest altitude of a column of the matrix; None without a limit."""
    limit = setting.tables[f"altitude_limit.{column}"]
    return None if limit == NO_LIMIT else Fraction(limit)


def too_high(mobility: str, limit: Fraction) -> str:
    """Say that pieces of a mobility type fly no higher than a limit."""
    return (
        f"{mobility} pieces fly no higher than {measure(limit, 'inch')}" if limit else f"{mobility} pieces do not fly"
    )


@clause("CA-73", "CA-74", "CA-75")
def in_row(setting: Setting[CombinedArmsOptions], mover: Mover, row: str) -> Multiplier:
    """Return the multiplier of a row of the matrix."""
    value = setting.tables[f"terrain.{row}.{mover.column}"]
    return None if value == IMPASSABLE else share(value)


@clause("CA-72")
def _as_armor_does(of: _Rule[_Further]) -> _Rule[_Further]:
    """Add to the rule of a kind of terrain what is chosen for powered armor, whichever other options are in force."""

    @wraps(of)
    def found(
        setting: Setting[CombinedArmsOptions], mover: Mover, /, *args: _Further.args, **kwargs: _Further.kwargs
    ) -> Multiplier:
        chosen = setting.options.powered_armor_terrain
        if mover.column != "powered_armor" or chosen == "as_on_foot":
            return of(setting, mover, *args, **kwargs)
        if chosen == "as_gravpack":
            return of(setting, replace(mover, column="gravpack"), *args, **kwargs)
        rate = of(setting, mover, *args, **kwargs)
        return None if rate is None else max(rate, _WHOLE)

    return found


@clause("CA-49", "CA-50", "CA-52", "CA-53")
@_as_armor_does
def of_ground(setting: Setting[CombinedArmsOptions], mover: Mover, kind: str) -> Multiplier:
    """Return the multiplier of a kind of ground; a piece that floats and swims has the better of the two."""
    if kind not in ("river", "lake"):
        return in_row(setting, mover, kind)
    dry = in_row(setting, mover, "water")
    if not mover.amphibious:
        return dry
    swimming = in_row(setting, mover, "water_amphibious")
    return max((rate for rate in (dry, swimming) if rate is not None), default=None)


@clause("CA-54", "CA-55", "CA-56", "CA-57")
@_as_armor_does
def of_road(
    setting: Setting[CombinedArmsOptions], mover: Mover, kind: str, attributes: Mapping[str, Any]
) -> Multiplier:
    """Return the multiplier of a ford, a road or a bridge; a bridge is paved."""
    wet = attributes.get("wet", setting.tables["weather.wet"])
    if kind == "road" and wet and not attributes.get("paved"):
        return in_row(setting, mover, "road_wet")
    return in_row(setting, mover, kind)


@clause("CA-66", "CA-68", "CA-76")
@_as_armor_does
def of_building(
    setting: Setting[CombinedArmsOptions], mover: Mover, attributes: Mapping[str, Any], floor: int = 0
) -> Multiplier:
    """Return the multiplier of a floor of a building; vehicles have to be able to get in."""
    enters = attributes.get("vehicle_entry") and floor in attributes.get("vehicle_floors", (0,))
    if mover.is_vehicle and not enters:
        return None
    found = in_row(setting, mover, "building_interior")
    slowed = setting.options.building_interior_walkers == "half_rate" and mover.column in _WALKERS_AND_WHEELS
    return _HALF if slowed and found is not None else found


@clause("CA-67")
@_as_armor_does
def of_rubble(setting: Setting[CombinedArmsOptions], mover: Mover) -> Multiplier:
    """Return what rubble multiplies the rates in a building by."""
    del mover  # All are slowed alike.
    return Fraction(setting.options.rubble_factor)


@clause("CA-69", "CA-70", "CA-76")
@_as_armor_does
def of_stairs(setting: Setting[CombinedArmsOptions], mover: Mover, attributes: Mapping[str, Any]) -> Multiplier:
    """Return the multiplier of stairs; vehicles use only those that are wide enough."""
    if mover.is_vehicle and not attributes.get("vehicle_ok"):
        return None
    return in_row(setting, mover, "stairs")


@clause("CA-71")
@_as_armor_does
def of_ladder(setting: Setting[CombinedArmsOptions], mover: Mover) -> Multiplier:
    """Return the multiplier of a ladder, by option how it reads by the letter for those who climb it on foot."""
    found = in_row(setting, mover, "ladder")
    slow = found is not None and found < 1
    return _TRIPLE if slow and setting.options.ladder_on_foot == "triple_rate" else found


@clause("CA-12", "CA-63", "CA-64", "CA-65")
@_as_armor_does
def of_obstacle(setting: Setting[CombinedArmsOptions], mover: Mover, kind: str, height: Fraction) -> Multiplier:
    """Return the multiplier of an obstacle of a height, for a piece below its top."""
    if kind == "high_wall":
        return _of_high_wall(setting, mover, height)
    if kind == "antitank_obstacle" and setting.options.antitank_others == "normal" and mover.column not in _STOPPED:
        return _WHOLE
    return in_row(setting, mover, kind)


def _of_high_wall(setting: Setting[CombinedArmsOptions], mover: Mover, height: Fraction) -> Multiplier:
    chosen = setting.options.high_wall_passers
    if chosen == "literal":
        return _OVER_WALLS.get(mover.column)
    limit = altitude_limit(setting, mover.column)
    if limit is not None and limit < height:
        return None
    return _WHOLE if chosen == "by_altitude" else in_row(setting, mover, "high_wall")


@clause("CA-51")
@_as_armor_does
def of_slope(setting: Setting[CombinedArmsOptions], mover: Mover, *, climbed: bool) -> Multiplier:
    """Return the multiplier of a slope, uphill or not."""
    return in_row(setting, mover, "uphill" if climbed else "across_or_down")


@clause("CA-58", "CA-59")
@_as_armor_does
def of_cover(setting: Setting[CombinedArmsOptions], mover: Mover, kind: str) -> Multiplier:
    """Return the multiplier of vegetation."""
    return in_row(setting, mover, kind)
