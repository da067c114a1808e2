"""Reverse reach: the places from which a unit could get to a place or pose, and the cost from there.

Everything but the place stays as it is: heading, parity, stance, what has been spent, and the places of the others. If
the rules have headings, a start may also be a pose: then the unit starts with that heading. At a place with several
levels it may start on any, unless a pose names one.

A ruleset finds the starts by one backward search. Details of a single start are found by placing the unit there and
computing its reach, so the two cannot contradict each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator import pictures
from simulator.engine import geojson
from simulator.engine.areas import ground_text, with_ground
from simulator.engine.elsewhere import Elsewhere, Relocating
from simulator.engine.errors import Breach
from simulator.engine.given import point_given
from simulator.engine.orders import Order
from simulator.engine.reach import Place, ReachAnswer, reason_fields
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.geometry.board import Board
from simulator.geometry.poses import Heading, Level, Pose
from simulator.later import Later
from simulator.pathing.ends import costs_of_poses
from simulator.pathing.traces import NoRoute

if TYPE_CHECKING:
    import shapely
    from shapely.geometry.base import BaseGeometry
else:
    shapely = Later("shapely")


class ReverseStarts(Protocol):
    """The starts, with the cost from each: a `Reach` that was searched backward, or something like it."""

    @property
    def unit(self) -> str:
        """The unit of the costs."""

    @property
    def area(self) -> BaseGeometry:
        """The area of all starts, in the plane."""

    def bands(self, levels: Sequence[Any] | None = None) -> Sequence[tuple[Any, BaseGeometry]]:
        """The area by cost, disjoint, the cheapest first."""

    def area_of(self, *, heading: Heading = None, level: Level = None) -> BaseGeometry:
        """The area of the starts with a heading or on a level."""

    def cost_at(self, place: Any) -> Any:
        """The least cost from a place or pose; None if it is not a start."""

    def costs_at(self, places: ArrayLike | Sequence[Pose]) -> NDArray[np.float64]:
        """For numpy: return the least costs from many places, an array of pairs, or poses; inf where it cannot."""


@dataclass(frozen=True, slots=True)
class NotFrom:
    """The answer to "why can it not get there from here?": every reason; none if it can.

    >>> far = Breach("GR-26", "5,2 costs 6 squares, 4 are left", needed=6, available=4)
    >>> print(NotFrom((1, 2), (5, 2), (far,)))
    5,2 cannot be reached from 1,2
      GR-26  5,2 costs 6 squares, 4 are left
    """

    place: Place | Pose
    goal: Place | Pose
    reasons: tuple[Breach, ...] = ()
    #: The text of the smallest change that would help; empty if none is known.
    remedy: str = ""

    def __bool__(self) -> bool:
        return bool(self.reasons)

    def __str__(self) -> str:
        goal, start = Pose.of(self.goal), Pose.of(self.place)
        message = f"{goal} {'cannot' if self.reasons else 'can'} be reached from {start}"
        remedy = [f"  it would take: {self.remedy}"] if self.remedy else []
        return "\n".join([message, *(f"  {reason}" for reason in self.reasons), *remedy])

    def to_fields(self) -> dict[str, Any]:
        """Return the answer as plain data."""
        return {
            **Pose.of(self.place).to_fields(),
            "reachable": not self.reasons,
            "reasons": [reason_fields(reason) for reason in self.reasons],
            "remedy": self.remedy,
        }


@dataclass(frozen=True, eq=False)
class ReverseReach:
    """The starts from which a unit could get to a place or pose with an action, and the costs."""

    ruleset: Relocating
    #: The table on which the unit's go has begun.
    table: Table[Any]
    #: The unit of the question, and the unit that moves: for riders their carrier.
    asked: str
    mover: Unit
    goal: Place | Pose
    action: str
    #: The unit of the costs.
    unit: str
    #: The starts with its current heading; None if there are none.
    starts: ReverseStarts | None
    #: The further values of the question.
    question: Mapping[str, Any] = field(default_factory=dict)
    #: The starts with any heading, if they depend on the heading.
    turned: ReverseStarts | None = None

    # --- starts and costs ---

    @property
    def board(self) -> Board[Any]:
        """The board."""
        return self.table.board

    @property
    def area(self) -> BaseGeometry:
        """All starts, in the plane: for a base its centre, on a lattice whole cells."""
        return shapely.Polygon() if self.starts is None else self.starts.area

    def bands(self, levels: Sequence[Any] | None = None) -> list[tuple[Any, BaseGeometry]]:
        """Return the area by cost, disjoint, the cheapest first."""
        return [] if self.starts is None else [*self.starts.bands(levels)]

    def _starts(self, heading: Heading) -> ReverseStarts | None:
        """Return the starts with a heading; None means its current one."""
        return self.starts if heading is None or self.turned is None else self.turned

    def area_of(self, *, heading: Heading = None, level: Level = None) -> BaseGeometry:
        """Return the area of the starts with a heading or on a level; with its current heading it equals `area`."""
        starts = self._starts(heading)
        return shapely.Polygon() if starts is None else starts.area_of(heading=heading, level=level)

    def cost_at(self, place: Any) -> Any:
        """Return the least cost of getting there from a place or pose; None if it cannot.

        From a pose without a heading it starts with its current heading, and from one without a level on any.
        """
        starts = self._starts(Pose.of(place).heading)
        return None if starts is None else starts.cost_at(place)

    def costs_at(self, places: ArrayLike | Sequence[Pose]) -> NDArray[np.float64]:
        """For numpy: return the least costs from many places, an array of pairs, or poses; inf where it cannot."""
        return costs_of_poses(places, Pose.of, self._costs_from)

    def _costs_from(self, places: ArrayLike, heading: Heading, level: Level) -> NDArray[np.float64]:
        starts = self._starts(heading)
        if starts is None:
            return np.full(len(np.asarray(places).reshape(-1, 2)), np.inf)
        if heading is None and level is None:
            return starts.costs_at(places)
        return starts.costs_at([Pose(place, heading, level) for place in np.asarray(places).tolist()])

    def __contains__(self, place: Any) -> bool:
        return self.board.own_place(Pose.of(place).place) in self.board and self.cost_at(place) is not None

    # --- from one place or pose ---

    @cached_property
    def _elsewhere(self) -> Elsewhere:
        return Elsewhere(self.ruleset, self.table, self.mover)

    def answers_from(self, place: Any) -> Iterator[ReachAnswer]:
        """Yield the reach of the unit from a place or pose: an answer for each way in which it can stand there."""
        point_given(place)
        for table in self._elsewhere.tables(place):
            yield self.ruleset.reach(table, table.unit(self.asked), self.action, **self.question)

    def why_not(self, place: Any) -> NotFrom:
        """Explain why the unit cannot get there from a place; without reasons if it can."""
        if place in self:
            return NotFrom(place, self.goal)
        for answer in self.answers_from(place):
            why = answer.why_not(self.goal)
            return NotFrom(place, self.goal, why.reasons, why.remedy)
        return NotFrom(place, self.goal, tuple(self._elsewhere.breaches(place)))

    def orders_from(self, place: Any) -> list[Order]:
        """Return the orders that take the unit there from a place at `cost_at`; raise NoRoute without any."""
        cost = self.cost_at(place)
        for answer in self.answers_from(place):
            if cost is not None and answer.cost_at(self.goal) == cost:
                return answer.orders_to(self.goal)
        raise NoRoute(f"{self.mover.id} cannot get from {Pose.of(place)} to {Pose.of(self.goal)}")

    # --- output ---

    def to_geojson(self) -> dict[str, Any]:
        """Return the area, its bands by cost and the goal as a feature collection in the plane."""
        goal = Pose.of(self.goal)
        features = [
            geojson.feature(self.area, "area", unit=self.unit),
            *(geojson.band(region, level, self.unit) for level, region in with_ground(self.bands())),
            geojson.feature(shapely.Point(*self.board.centre(goal.place)), "goal", **goal.to_fields()),
        ]
        about = {"mover": self.mover.id, "action": self.action, "unit": self.unit, "reverse": True}
        return {"type": "FeatureCollection", "properties": about, "features": features}

    def __repr__(self) -> str:
        ground = ground_text(self.board, self.area) or "nowhere"
        return f"<ReverseReach of {self.mover.id} to {Pose.of(self.goal)} by {self.action}: from {ground}>"

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)
