"""Movement rates: undamaged, and as lowered by damage or missing crew; what each direction of travel costs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from simulator.engine.clauses import clause
from simulator.engine.orders import Element
from simulator.engine.state import Unit
from simulator.pathing.posed import Mode
from simulator.pathing.posed.directions import Directions
from simulator.rulesets.combined_arms.figures import BANDS, share
from simulator.rulesets.combined_arms.units import ArmsTable, crew_of, is_vehicle, mobility_of

#: The directions of travel: how far left of the heading each leads.
ASIDE = {"forward": 0, "reverse": 180, "sideways_left": 90, "sideways_right": -90}
_SIDEWAYS = ("sideways_left", "sideways_right")
#: Oblique legs name how far aside they lead: to the left, or to the right.
OBLIQUE = {"oblique_left": 1, "oblique_right": -1}
#: All elements that are legs.
LEGS = (*ASIDE, *OBLIQUE)
#: The mode of oblique legs in the planner.
_OBLIQUE = "oblique"


@clause("CA-1", "CA-9", "CA-10", "CA-11", "CA-16", "CA-20", "CA-21", "CA-22", "CA-23", "CA-24", "CA-25", "CA-26")
def original_rate(table: ArmsTable, unit: Unit) -> Fraction:
    """Return R0, the rate of an undamaged piece."""
    if unit.type == "infantry":
        return Fraction(table.tables[f"infantry_rate.{unit['mobility']}"])
    if unit.type == "crew_weapon":
        return Fraction(table.tables["crew_weapon_rate.full_crew"]) if unit["wheeled_chassis"] else Fraction(0)
    if unit["rate_original"] is not None:
        return Fraction(unit["rate_original"])
    grade = unit["speed_grade"] if table.options.vehicle_rate_system == "advanced" else "basic"
    return Fraction(table.tables[f"vehicle_rate.{grade}.{unit['mobility']}"])


@clause("CA-2", "CA-17", "CA-18", "CA-41", "CA-87", "CA-93", "CA-154")
def current_rate(table: ArmsTable, unit: Unit) -> Fraction:
    """Return R: the allowance with which a move begins, and what shares of rotations are taken of."""
    whole = original_rate(table, unit)
    if unit.type == "infantry":
        return whole
    if unit.type == "crew_weapon":
        crew = crew_of(unit)
        if not whole or not crew:
            return Fraction(0)
        return whole if crew >= unit["crew_required"] else Fraction(table.tables["crew_weapon_rate.short_crew"])
    if unit.type == "drop_pod" and unit.place is not None and not unit["altitude"]:
        return Fraction(0)  # CA-154: it has come down, and stays
    if unit["rate_current"] is not None:
        return Fraction(unit["rate_current"])
    rates = table.options.damage_level_rates
    return whole * share(rates[min(int(unit["damage_level"]), len(rates) - 1)])


@clause("CA-87", "CA-91")
def damage_level_of(table: ArmsTable, unit: Unit) -> int:
    """Return by how many levels the movement of a piece is reduced; 3: it is immobile."""
    if not is_vehicle(unit):
        return 0
    if unit["rate_current"] is None:
        return min(int(unit["damage_level"]), len(BANDS) - 1)
    whole, left = original_rate(table, unit), Fraction(unit["rate_current"])
    lower = [whole * share(table.tables[f"speed_band.{band}"]) for band in ("moderate", "slow")]
    return sum(left <= limit for limit in (*lower, Fraction(0)))


@clause("CA-16")
def turns_freely(unit: Unit) -> bool:
    """Whether a piece without allowance may still rotate: a weapon without wheels, with a crew."""
    return unit.type == "crew_weapon" and not unit["wheeled_chassis"] and crew_of(unit) > 0


# --- directions of travel ---


@clause(
    *("CA-13", "CA-14", "CA-15", "CA-19", "CA-27", "CA-28", "CA-29", "CA-30", "CA-31", "CA-32", "CA-33", "CA-34"),
    *("CA-35",),
)
def modes_of(table: ArmsTable, unit: Unit) -> tuple[Mode, ...]:
    """Return the directions in which a piece travels, each with how many times the price of ground it costs."""
    factors = {"forward": Fraction(1)}
    both_ways = bool(unit.get("dual_driver"))
    factors["reverse"] = Fraction(1) if both_ways else Fraction(table.tables["travel.reverse"])
    aside = _sideways(table, unit)
    if aside is not None:
        factors |= dict.fromkeys(_SIDEWAYS, aside)
    straight = (Mode(name, float(ASIDE[name]), factor) for name, factor in factors.items())
    if aside is None or table.options.direction_model != "oblique_half":
        return tuple(straight)
    return *straight, Mode(_OBLIQUE, None, aside)


def mode_of(element: Element, modes: Sequence[Mode]) -> Mode:
    """Return the direction of a leg, of those in which a piece travels; or else one in which it does not."""
    if element.name in ASIDE:
        aside = float(ASIDE[element.name])
        return next((mode for mode in modes if mode.name == element.name), Mode(element.name, aside))
    aside = float(OBLIQUE[element.name] * element["aside"])
    return Directions(modes).in_direction(aside) or Mode(_OBLIQUE).toward(aside)


def _sideways(table: ArmsTable, unit: Unit) -> Fraction | None:
    """What sideways travel costs; None where there is none."""
    mobility, half = mobility_of(unit), Fraction(table.tables["travel.sideways"])
    if mobility in ("tracked", "wheeled"):
        return None
    if mobility == "crew_weapon":
        return half if table.options.crew_weapon_sideways == "half" else None
    if not unit.get("jointed_sideways"):
        return half
    freely = {"on_foot", "walker"}
    if table.options.jointed_infantry_sideways == "all_infantry" and unit.type == "infantry":
        freely.add(mobility)
    return Fraction(1) if mobility in freely else half
