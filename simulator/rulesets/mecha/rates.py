"""What an inch costs whom: by mobility type and movement terrain, and by the direction of travel."""

from __future__ import annotations

from fractions import Fraction

from simulator.engine.clauses import clause
from simulator.engine.orders import Element
from simulator.engine.state import Unit
from simulator.engine.tables import Tables
from simulator.pathing.posed import Mode
from simulator.rulesets.mecha.figures import CANT
from simulator.rulesets.mecha.terrain import DEEP_WATER, TERRAIN_OF
from simulator.rulesets.mecha.units import MechaTable, mobility_of

#: The directions of travel: how far left of the heading each leads.
ASIDE = {"forward": 0.0, "backward": 180.0, "sideways_left": 90.0, "sideways_right": -90.0}
LEGS = tuple(ASIDE)
_SIDEWAYS = ("sideways_left", "sideways_right")


@clause("ME-13", "ME-98", "ME-99", "ME-101", "ME-102", "ME-108")
def terrain_of(tables: Tables, kind: str, size_class: int) -> str:
    """Return the movement terrain of a kind of feature for units of a size class."""
    if kind in TERRAIN_OF:
        return TERRAIN_OF[kind]
    band = sum(size_class > limit for limit in tables["feature_bands.up_to"])
    named = str(tables[f"feature_table.{kind}"][band])
    return TERRAIN_OF.get(named, named)


def is_feature(tables: Tables, kind: str) -> bool:
    """Whether the rules know a kind of feature; others are scenery, where a board says so."""
    return kind in TERRAIN_OF or kind in tables["feature_table"]


@clause("ME-11", "ME-12", "ME-15", "ME-16", "ME-26")
def rate_in(tables: Tables, unit: Unit, terrain: str) -> Fraction | None:
    """Return what an inch of a movement terrain costs a unit: 0 where it never moves, None where it may not be."""
    mobility = mobility_of(unit)
    rate = tables[f"move_table.{mobility}.{row_of(tables, mobility, terrain)}"]
    return None if rate == CANT else Fraction(rate)


@clause("ME-14")
def row_of(tables: Tables, mobility: str, terrain: str) -> str:
    """Return the row of a movement terrain for a mobility type: deep water has two."""
    if terrain != DEEP_WATER:
        return terrain
    rows = tables["deep_water"]
    return str(rows.get(mobility, rows["others"]))


# --- directions of travel ---


@clause("ME-20", "ME-21", "ME-22", "ME-23", "ME-24", "ME-27")
def modes_of(table: MechaTable, unit: Unit) -> tuple[Mode, ...]:
    """Return the directions in which a unit travels, each with how many times the price of ground it costs."""
    factors = {"forward": Fraction(1), "backward": Fraction(table.tables["travel.backward"])}
    if mobility_of(unit) in table.options.sideways_types:
        factors |= dict.fromkeys(_SIDEWAYS, Fraction(table.tables["travel.sideways"]))
    return tuple(Mode(name, ASIDE[name], factor) for name, factor in factors.items())


def mode_of(element: Element, modes: tuple[Mode, ...]) -> Mode:
    """Return the direction of a leg, of those in which a unit travels; or else one in which it does not."""
    return next((mode for mode in modes if mode.name == element.name), Mode(element.name, ASIDE[element.name]))
