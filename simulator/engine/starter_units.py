"""The units with which a rulebook lets a new scenario begin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simulator.engine.unit_types import REQUIRED
from simulator.engine.values import NO_FIELDS

if TYPE_CHECKING:
    from simulator.engine.ruleset import Ruleset


@dataclass(frozen=True)
class StarterUnit:
    """A unit of a new scenario, without a place: that depends on the board."""

    name: str
    type: str
    side: str
    #: The fields that differ from those of its type; one that names a carrier keeps the unit off the board.
    fields: Mapping[str, Any] = NO_FIELDS
    heading: int | None = None
    #: What the unit shows, as a comment beside it.
    about: str = ""
    #: The action of its first order; by default the first that has a reach. None for a unit without orders of its own.
    action: str | None = ""
    #: Orders without the name of the unit, to be tried before any goal of that action: the first legal one is taken.
    orders: tuple[str, ...] = ()


def starter_units(ruleset: Ruleset[Any, Any]) -> tuple[StarterUnit, ...]:
    """Return the units that a rulebook lists for a new scenario, or two of its simplest type if it lists none."""
    return tuple(ruleset.starter_units) or tuple(_two_alike(ruleset))


def _two_alike(ruleset: Ruleset[Any, Any]) -> Iterator[StarterUnit]:
    for name, unit_type in ruleset.unit_types.items():
        if all(spec.default is not REQUIRED for spec in unit_type.fields.values()):
            faces = (0, 180) if unit_type.faces else (None, None)
            yield StarterUnit("one", name, "red", heading=faces[0])
            yield StarterUnit("two", name, "blue", heading=faces[1])
            return
