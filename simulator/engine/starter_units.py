"""The units with which a rulebook lets a new scenario begin."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.engine.values import NO_FIELDS


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
