"""The reach answers of every ruleset, with the same queries on all boards.

A ruleset returns its own kind of `ReachAnswer`. Details of a way, its price and who can interrupt it, are found by
playing the orders of `orders_to`, so an answer cannot differ from the game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.engine.constraints import is_number
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.engine.values import show
from simulator.errors import TooMuchAsked
from simulator.geometry.poses import Heading, Level, Pose, place_text
from simulator.pathing.ends import End, HeadingRange
from simulator.wording import figure, measure

if TYPE_CHECKING:
    from shapely.geometry.base import BaseGeometry

Place = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The answer to "why can it not end there?": every reason, the first one first; none if it can.

    >>> far = Breach("GR-26", "5,2 costs 6 squares, 4 are left", needed=6, available=4)
    >>> print(WhyNot((5, 2), (far,), nearest=(4, 2), nearest_cost=4, unit="square", remedy="2 squares more"))
    5,2 cannot be reached
      GR-26  5,2 costs 6 squares, 4 are left
      it would take: 2 squares more
      nearest legal end: 4,2, for 4 squares
    """

    place: Place
    reasons: tuple[Breach, ...] = ()
    #: The nearest place where it can end, and its cost; None if it cannot end anywhere.
    nearest: Place | None = None
    nearest_cost: Any = None
    #: The unit of the costs.
    unit: str = ""
    #: The text of the smallest change that would make the place reachable; empty if none is known.
    remedy: str = ""
    #: The pose of a question with a heading or a level, and then an end at the nearest place.
    pose: Pose | None = None
    nearest_pose: Pose | None = None
    #: The nearest end with the heading and the level of the question, and its cost; None if there is none.
    nearest_alike: Pose | None = None
    alike_cost: Any = None

    def __bool__(self) -> bool:
        return bool(self.reasons)

    def __str__(self) -> str:
        at = self.pose or place_text(self.place)
        price = self._price(self.nearest_cost)
        if not self.reasons:
            return f"{at} can be reached{price}"
        lines = [f"{at} cannot be reached", *(f"  {reason}" for reason in self.reasons)]
        if self.remedy:
            lines.append(f"  it would take: {self.remedy}")
        if self.nearest is not None:
            lines.append(f"  nearest legal end: {self.nearest_pose or place_text(self.nearest)}{price}")
        if self.nearest_alike not in (None, self.nearest_pose):
            at, state = place_text(self.nearest_alike.place), self.nearest_alike.state_text
            lines.append(f"  nearest legal end{state}: {at}{self._price(self.alike_cost)}")
        return "\n".join(lines)

    def _price(self, cost: Any) -> str:
        return "" if cost is None else f", for {measure(cost, self.unit)}"

    def _repr_markdown_(self) -> str:
        first, *more = str(self).splitlines()
        listed = [f"- **{reason.clause}** {reason.message}" for reason in self.reasons]
        return "\n".join([f"**{first}**", "", *listed, *(f"- {line.strip()}" for line in more[len(self.reasons) :])])

    def to_fields(self) -> dict[str, Any]:
        """Return the answer as plain data, with headings and levels only if the question has them."""
        nearest = {} if self.nearest_pose is None else self.nearest_pose.state_fields()
        return {
            "place": list(self.place),
            **({} if self.pose is None else self.pose.state_fields()),
            "reachable": not self.reasons,
            "reasons": [reason_fields(reason) for reason in self.reasons],
            "nearest": None if self.nearest is None else list(self.nearest),
            **{f"nearest_{name}": value for name, value in nearest.items()},
            "nearest_cost": None if self.nearest_cost is None else figure(self.nearest_cost),
            **self._alike_fields(),
            "remedy": self.remedy,
        }

    def _alike_fields(self) -> dict[str, Any]:
        if self.nearest_alike is None:
            return {}
        return {"nearest_alike": list(self.nearest_alike.place), "alike_cost": figure(self.alike_cost)}


def against_unknown(pose: Pose, headings: Sequence[Any], levels: Sequence[Any]) -> list[Breach]:
    """Report an unknown heading or level of a pose, with the known ones; an empty list allows any."""
    return [
        Breach("", f"there is no {name} {show(value)} here: {', '.join(map(show, known))}")
        for name, value, known in (("heading", pose.heading, headings), ("level", pose.level, levels))
        if value is not None and known and value not in known
    ]


def reason_fields(reason: Breach) -> dict[str, Any]:
    """Return a reason as plain data."""
    return {
        "clause": reason.clause,
        "message": reason.message,
        "needed": _compared(reason.needed),
        "available": _compared(reason.available),
        "blocker": reason.blocker,
        "place": None if reason.place is None else list(reason.place),
    }


def _compared(value: Any) -> int | float | str | None:
    """Return what a reason compares: an amount, or the text of a state."""
    return None if value is None else figure(value) if is_number(value) else show(value)


@runtime_checkable
class ReachAnswer(Protocol):
    """Where a unit can legally end, at what cost, with what chance, by which orders, and why not elsewhere.

    Methods that take a place also take a `Pose`, with its heading and level; they raise NoPose if the rules have none.

    Optional members: `route_to(place)`, whose `points` are drawn as a line in pictures; `counts()`, the number of
    places at each cost, from which comparisons take every cost; `table`, with which notebooks show the answer among the
    units.
    """

    @property
    def mover(self) -> Unit:
        """The unit of the question, as it is when its go has begun."""

    @property
    def action(self) -> str:
        """The action of the question."""

    @property
    def unit(self) -> str:
        """The unit of the costs: "square", "AP"."""

    def __contains__(self, place: Any) -> bool:
        """Whether the unit can end at a place if every roll goes its way and nobody interferes."""

    def cost_at(self, place: Any) -> Any:
        """The least cost of ending at a place; None if it cannot."""

    def costs_at(self, places: ArrayLike | Sequence[Pose]) -> NDArray[np.float64]:
        """For numpy: the least cost of ending at each of many places, an array of pairs; inf where it cannot."""

    def ends_at(self, place: Any) -> Sequence[End]:
        """The ends at a place, the cheapest first: every pose, with its cost; for a range of headings its middle."""

    def headings_at(self, place: Any) -> Sequence[HeadingRange]:
        """The headings in which it can end at a place, as ranges of one cost; the whole circle without headings."""

    def chance_at(self, place: Any) -> Fraction:
        """The best chance of ending at a place; 0 if it cannot, 1 if nothing can interfere."""

    def why_not(self, place: Any) -> WhyNot:
        """Every reason why it cannot end at a place, a remedy, and the nearest legal end."""

    def orders_to(self, place: Any) -> list[Order]:
        """The orders that take it to a place at `cost_at`, if all rolls pass; raises NoRoute without any."""

    @property
    def area(self) -> BaseGeometry:
        """All places of `mover` at an end, in the plane: for a base its centre, on a lattice whole cells."""

    def area_of(self, *, heading: Heading = None, level: Level = None) -> BaseGeometry:
        """The places of the ends with one heading or on one level; without either it equals `area`."""

    def bands(self, levels: Sequence[Any] | None = None) -> list[tuple[Any, BaseGeometry]]:
        """The area by cost, disjoint, the cheapest first."""

    def chance_bands(self, levels: Sequence[Fraction] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """The area by chance, disjoint, the surest first: for each level the area with at least that chance."""

    def to_geojson(self) -> dict[str, Any]:
        """The area, its bands and further features, as a GeoJSON feature collection."""


def searched_chance_bands(answer: ReachAnswer) -> tuple[list[tuple[Fraction, BaseGeometry]], str]:
    """Return the bands of chance; or none, and why they are beyond the limits of the search. Costs are not affected."""
    try:
        return answer.chance_bands(), ""
    except TooMuchAsked as limit:
        return [], str(limit)
