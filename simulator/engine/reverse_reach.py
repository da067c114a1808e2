"""The other way round: from where a unit could get to a place, and what it would cost from there.

Everything but the place stays as it is: heading, parity, stance, what has been spent, and where the others stand. A
ruleset finds the ground to set out from by one search backward. Whatever is asked about a single start is found by
standing the unit there and asking forward, so that the two can not say different things.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

import numpy as np
import shapely
from numpy.typing import ArrayLike, NDArray
from shapely.geometry import Point
from shapely.geometry.base import BaseGeometry

from simulator import pictures
from simulator.engine import geojson
from simulator.engine.areas import ground_text, with_ground
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.reach import Place, ReachAnswer, reason_fields
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.geometry.board import Board
from simulator.geometry.poses import place_text
from simulator.pathing.traces import NoRoute


class ReverseStarts(Protocol):
    """The places to set out from, with what it costs from there: a `Reach` that was searched backward, or alike."""

    @property
    def unit(self) -> str:
        """What the costs count."""

    @property
    def area(self) -> BaseGeometry:
        """All of them, in the plane."""

    def bands(self, levels: Sequence[Any] | None = None) -> Sequence[tuple[Any, BaseGeometry]]:
        """The area by cost, disjoint, the cheapest first."""

    def cost_at(self, place: Any) -> Any:
        """The least cost from a place; None where it can not set out from there."""

    def costs_at(self, places: ArrayLike) -> NDArray[np.float64]:
        """For numpy: the least cost from each of many places, an array of pairs; inf where it can not."""


class Placing(Protocol):
    """What a `Ruleset` says of places that a unit does not stand on."""

    def placements(self, table: Table[Any], unit: Unit, place: Any) -> Iterable[Table[Any]]:
        """Return the table with a unit at another place, once for each way in which it can be there."""

    def faults(self, table: Table[Any]) -> Iterable[Breach]:
        """Return all that is wrong with a position."""

    def reach(self, table: Table[Any], unit: Unit, action: str, **question: Any) -> Any:
        """Answer where a unit can legally end with an action."""


@dataclass(frozen=True, slots=True)
class NotFrom:
    """The answer to "why can it not get there from here?": every reason; none means that it can.

    >>> far = Breach("GR-26", "5,2 costs 6 squares, 4 are left", needed=6, available=4)
    >>> print(NotFrom((1, 2), (5, 2), (far,)))
    5,2 can not be reached from 1,2
      GR-26  5,2 costs 6 squares, 4 are left
    """

    place: Place
    goal: Place
    reasons: tuple[Breach, ...] = ()
    #: The smallest change that would help, as people say it; empty where none is known.
    remedy: str = ""

    def __bool__(self) -> bool:
        return bool(self.reasons)

    def __str__(self) -> str:
        message = (
            f"{place_text(self.goal)} can {'not ' if self.reasons else ''}be reached from {place_text(self.place)}"
        )
        remedy = [f"  it would take: {self.remedy}"] if self.remedy else []
        return "\n".join([message, *(f"  {reason}" for reason in self.reasons), *remedy])

    def to_fields(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        return {
            "place": list(self.place),
            "reachable": not self.reasons,
            "reasons": [reason_fields(reason) for reason in self.reasons],
            "remedy": self.remedy,
        }


@dataclass(frozen=True, eq=False)
class ReverseReach:
    """From where a unit could get to a place with an action, and at what cost."""

    ruleset: Placing
    #: The table on which the unit's go has begun.
    table: Table[Any]
    #: Who is asked about, and what moves then: of those who ride, what carries them.
    asked: str
    mover: Unit
    goal: Place
    action: str
    #: What the costs count.
    unit: str
    #: None where it can not get there from anywhere.
    starts: ReverseStarts | None
    #: What else the question said.
    question: Mapping[str, Any] = field(default_factory=dict)

    # --- from where, for how much ---

    @property
    def board(self) -> Board[Any]:
        """The board."""
        return self.table.board

    @property
    def area(self) -> BaseGeometry:
        """All places to set out from, in the plane: of a base its centre, on a lattice the whole cells."""
        return shapely.Polygon() if self.starts is None else self.starts.area

    def bands(self, levels: Sequence[Any] | None = None) -> list[tuple[Any, BaseGeometry]]:
        """Return the area by cost, disjoint, the cheapest first."""
        return [] if self.starts is None else [*self.starts.bands(levels)]

    def cost_at(self, place: Any) -> Any:
        """Return the least cost of getting there from a place; None where it can not."""
        return None if self.starts is None else self.starts.cost_at(place)

    def costs_at(self, places: ArrayLike) -> NDArray[np.float64]:
        """For numpy: the least cost from each of many places, an array of pairs; inf where it can not."""
        if self.starts is None:
            return np.full(len(np.asarray(places).reshape(-1, 2)), np.inf)
        return self.starts.costs_at(places)

    def __contains__(self, place: Any) -> bool:
        return place in self.board and self.cost_at(place) is not None

    # --- from one place ---

    @cached_property
    def _known_faults(self) -> list[Breach]:
        return list(self.ruleset.faults(self.table))

    def _against_standing(self, table: Table[Any]) -> list[Breach]:
        """Return what is wrong with a position that is not wrong with the one that is asked about."""
        return [fault for fault in self.ruleset.faults(table) if fault not in self._known_faults]

    def answers_from(self, place: Any) -> Iterator[ReachAnswer]:
        """Yield where the unit can end if it stands at a place: an answer for each way in which it can stand there."""
        for table in self.ruleset.placements(self.table, self.mover, place):
            if not self._against_standing(table):
                yield self.ruleset.reach(table, table.unit(self.asked), self.action, **self.question)

    def why_not(self, place: Any) -> NotFrom:
        """Explain why the unit can not get there from a place; the answer holds no reason where it can."""
        if place in self:
            return NotFrom(place, self.goal)
        for answer in self.answers_from(place):
            why = answer.why_not(self.goal)
            return NotFrom(place, self.goal, why.reasons, why.remedy)
        tables = self.ruleset.placements(self.table, self.mover, place)
        return NotFrom(place, self.goal, tuple(fault for table in tables for fault in self._against_standing(table)))

    def orders_from(self, place: Any) -> list[Order]:
        """Return the orders that take the unit there from a place at `cost_at`; raises NoRoute where there are none."""
        cost = self.cost_at(place)
        for answer in self.answers_from(place):
            if cost is not None and answer.cost_at(self.goal) == cost:
                return answer.orders_to(self.goal)
        raise NoRoute(f"{self.mover.id} can not get from {place_text(place)} to {place_text(self.goal)}")

    # --- shown ---

    def to_geojson(self) -> dict[str, Any]:
        """Return the area, its bands by cost and the goal as a feature collection in the plane."""
        features = [
            geojson.feature(self.area, "area", unit=self.unit),
            *(geojson.band(region, level, self.unit) for level, region in with_ground(self.bands())),
            geojson.feature(Point(*self.board.centre(self.goal)), "goal", place=list(self.goal)),
        ]
        about = {"mover": self.mover.id, "action": self.action, "unit": self.unit, "reverse": True}
        return {"type": "FeatureCollection", "properties": about, "features": features}

    def __repr__(self) -> str:
        ground = ground_text(self.board, self.area) or "nowhere"
        return f"<ReverseReach of {self.mover.id} to {place_text(self.goal)} by {self.action}: from {ground}>"

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)
