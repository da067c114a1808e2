"""What every ruleset answers when asked where a unit can end: the same questions, whatever the board.

A ruleset gives a `ReachAnswer` of its own make. What is said about a way, its price and who can interrupt it, is found
by playing the orders of `orders_to`, so that an answer cannot say one thing and the game do another.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Protocol, runtime_checkable

import numpy as np
from numpy.typing import ArrayLike, NDArray
from shapely.geometry.base import BaseGeometry

from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.engine.values import figure, show
from simulator.errors import TooMuchAsked
from simulator.geometry.poses import Heading, Level, Pose, place_text
from simulator.pathing.ends import End, HeadingRange
from simulator.wording import measure

Place = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class WhyNot:
    """The answer to "why can it not end there?": every reason, the first one first; none means that it can.

    >>> far = Breach("GR-26", "5,2 costs 6 squares, 4 are left", needed=6, available=4)
    >>> print(WhyNot((5, 2), (far,), nearest=(4, 2), nearest_cost=4, unit="square", remedy="2 squares more"))
    5,2 cannot be reached
      GR-26  5,2 costs 6 squares, 4 are left
      it would take: 2 squares more
      nearest legal end: 4,2, for 4 squares
    """

    place: Place
    reasons: tuple[Breach, ...] = ()
    #: The nearest place where it can end, and what that costs; None where it cannot end anywhere.
    nearest: Place | None = None
    nearest_cost: Any = None
    #: What the costs count.
    unit: str = ""
    #: The smallest change that would make the place reachable, as people say it; empty where none is known.
    remedy: str = ""
    #: What was asked about where it names a heading or a level, and then an end at the nearest place.
    pose: Pose | None = None
    nearest_pose: Pose | None = None

    def __bool__(self) -> bool:
        return bool(self.reasons)

    def __str__(self) -> str:
        at = self.pose or place_text(self.place)
        price = "" if self.nearest_cost is None else f", for {measure(self.nearest_cost, self.unit)}"
        if not self.reasons:
            return f"{at} can be reached{price}"
        lines = [f"{at} cannot be reached", *(f"  {reason}" for reason in self.reasons)]
        if self.remedy:
            lines.append(f"  it would take: {self.remedy}")
        if self.nearest is not None:
            lines.append(f"  nearest legal end: {self.nearest_pose or place_text(self.nearest)}{price}")
        return "\n".join(lines)

    def _repr_markdown_(self) -> str:
        first, *more = str(self).splitlines()
        listed = [f"- **{reason.clause}** {reason.message}" for reason in self.reasons]
        return "\n".join([f"**{first}**", "", *listed, *(f"- {line.strip()}" for line in more[len(self.reasons) :])])

    def to_fields(self) -> dict[str, Any]:
        """Return the answer as plain data; headings and levels only where they were asked about."""
        nearest = {} if self.nearest_pose is None else self.nearest_pose.state_fields()
        return {
            "place": list(self.place),
            **({} if self.pose is None else self.pose.state_fields()),
            "reachable": not self.reasons,
            "reasons": [reason_fields(reason) for reason in self.reasons],
            "nearest": None if self.nearest is None else list(self.nearest),
            **{f"nearest_{name}": value for name, value in nearest.items()},
            "nearest_cost": None if self.nearest_cost is None else figure(self.nearest_cost),
            "remedy": self.remedy,
        }


def against_unknown(pose: Pose, headings: Sequence[Any], levels: Sequence[Any]) -> list[Breach]:
    """Report the heading or level of a pose that there is none of, with those that there are; empty is any."""
    return [
        Breach("", f"there is no {name} {show(said)} here: {', '.join(map(show, known))}")
        for name, said, known in (("heading", pose.heading, headings), ("level", pose.level, levels))
        if said is not None and known and said not in known
    ]


def reason_fields(reason: Breach) -> dict[str, Any]:
    """Return a reason as plain data."""
    return {
        "clause": reason.clause,
        "message": reason.message,
        "needed": None if reason.needed is None else figure(reason.needed),
        "available": None if reason.available is None else figure(reason.available),
        "blocker": reason.blocker,
        "place": None if reason.place is None else list(reason.place),
    }


@runtime_checkable
class ReachAnswer(Protocol):
    """Where a unit can legally end, at what cost, with what chance, by which orders, and why not elsewhere.

    What takes a place takes a `Pose`, too, and then means its heading and its level; NoPose is raised where the rules
    know none.

    What an answer may have besides, where it can tell it: `route_to(place)`, whose `points` pictures draw as a line;
    `counts()`, how many places cost how much, by which comparisons find every cost; `table`, with which it shows itself
    in notebooks among the units.
    """

    @property
    def mover(self) -> Unit:
        """The unit that was asked about, as it stands when its go has begun."""

    @property
    def action(self) -> str:
        """The action that was asked about."""

    @property
    def unit(self) -> str:
        """What the costs count: "square", "AP"."""

    def __contains__(self, place: Any) -> bool:
        """Whether the unit can possibly end at a place, if every roll goes its way and nobody hinders it."""

    def cost_at(self, place: Any) -> Any:
        """The least cost of ending at a place; None where it cannot."""

    def costs_at(self, places: ArrayLike | Sequence[Pose]) -> NDArray[np.float64]:
        """For numpy: the least cost of ending at each of many places, an array of pairs; inf where it cannot."""

    def ends_at(self, place: Any) -> Sequence[End]:
        """The ends at a place, the cheapest first: every pose, of a range of headings the middle, with its cost."""

    def headings_at(self, place: Any) -> Sequence[HeadingRange]:
        """The headings in which it can end at a place, in ranges of one cost; the whole circle where none are known."""

    def chance_at(self, place: Any) -> Fraction:
        """The best chance of ending at a place; 0 where it cannot, 1 where nothing can come between."""

    def why_not(self, place: Any) -> WhyNot:
        """Every reason why it cannot end at a place, what would help, and the nearest legal end."""

    def orders_to(self, place: Any) -> list[Order]:
        """The orders that take it to a place at `cost_at`, all rolls made; raises NoRoute where there are none."""

    @property
    def area(self) -> BaseGeometry:
        """All places of `mover` at an end, in the plane: of a base its centre, on a lattice the whole cells."""

    def area_of(self, *, heading: Heading = None, level: Level = None) -> BaseGeometry:
        """The places of the ends with one heading, or on one level; of all of them it is `area`."""

    def bands(self, levels: Sequence[Any] | None = None) -> list[tuple[Any, BaseGeometry]]:
        """The area by cost, disjoint, the cheapest first."""

    def chance_bands(self, levels: Sequence[Fraction] | None = None) -> list[tuple[Fraction, BaseGeometry]]:
        """The area by chance, disjoint, the surest first: for each level what has at least that chance."""

    def to_geojson(self) -> dict[str, Any]:
        """The area, its bands and what else there is to tell, as a GeoJSON feature collection."""


def searched_chance_bands(answer: ReachAnswer) -> tuple[list[tuple[Fraction, BaseGeometry]], str]:
    """Return the bands of chance; or none, and why they are beyond what is searched. Costs are known all the same."""
    try:
        return answer.chance_bands(), ""
    except TooMuchAsked as limit:
        return [], str(limit)
