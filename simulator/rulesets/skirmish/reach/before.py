"""What a spend uses of the front that it begins on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol, TypeVar

from shapely.geometry.base import BaseGeometry

from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import XY, FloatArray
from simulator.pathing.links import Link, LinkCurve
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.least_ap import LeastAp
from simulator.rulesets.skirmish.reach.spends import Spending
from simulator.rulesets.skirmish.reach.waypoints import Stops
from simulator.rulesets.skirmish.traverse.jumps import Jumps


class SpendStage(NamedTuple):
    """How far an activation has come, and by what luck."""

    spent: int  #: AP
    paid: int  #: how much Threshold has undone failures
    is_lucky: bool  #: whether every roll succeeds that can; otherwise every one fails that can
    stance: str
    ran: bool = False
    crossed: bool = False
    lost: bool = False  #: whether the Terrain roll of its last run failed and took the Running token away


class Search(Protocol):
    """The question that all fronts belong to."""

    grounds: Grounds
    spending: Spending
    start: XY
    aim: LeastAp | None

    @property
    def stops(self) -> Stops:
        """The places at which it may best stop."""

    @property
    def jumps(self) -> Jumps:
        """The traverses from single places."""


class Before(Protocol):
    """The ends at one stage, as the next spend begins on them; see `front.Front`."""

    @property
    def fronts(self) -> Search:
        """The question that it belongs to."""

    @property
    def stage(self) -> SpendStage:
        """How far the activation has come."""

    @property
    def area(self) -> BaseGeometry:
        """The ends as polygons."""

    @property
    def lines(self) -> Sequence[BaseGeometry]:
        """The ends that are lines or single places."""

    @property
    def sources(self) -> FloatArray:
        """The places from which the next spend starts: rows x, y."""

    @property
    def outline(self) -> FloatArray:
        """Places all along the outline, lines and single places among them: rows x, y."""

    @property
    def landings(self) -> Sequence[tuple[LinkCurve, Before]]:
        """The far sides at just this stage, and where their traverses begin."""

    @property
    def all_landings(self) -> Sequence[LinkCurve]:
        """The far sides among the ends."""

    def ends(self, places: FloatArray) -> BoolArray:
        """Return at which places a soldier can stand at this stage."""

    def lead_on(self, places: FloatArray) -> BoolArray:
        """Return from which places others may lead on to the one that is asked about; all if none is."""

    def walked(self, places: FloatArray) -> BoolArray:
        """Return at which places a soldier can stand whose last spend was no traverse, or who stays where it stood."""

    def jumps_to(self, places: FloatArray) -> Sequence[tuple[Link, Before] | None]:
        """Compute for each of many places the traverse that comes down there, and the front it begins on."""


#: The kind of front that a lot begins on.
BeforeT = TypeVar("BeforeT", bound=Before)
