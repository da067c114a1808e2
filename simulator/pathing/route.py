"""A way over a board, priced line by line."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Generic

from simulator import pictures
from simulator.geometry.board import Board, Lattice, Place
from simulator.geometry.poses import Heading
from simulator.pathing.traces import Trace
from simulator.wording import figure, measure


@dataclass(frozen=True, slots=True)
class RouteLeg(Generic[Place]):
    """One line of a route: the step, its destination, its price, and the total so far."""

    what: str
    place: Place
    heading: Heading
    phase: str
    price: Fraction
    total: Fraction


@dataclass(frozen=True)
class Route(Generic[Place]):
    """A legal way of least cost. The prices of its legs add up to its cost exactly."""

    board: Board[Place]
    start: Place
    start_heading: Heading
    start_phase: str
    paid: Fraction  #: the cost paid before the first leg
    legs: tuple[RouteLeg[Place], ...]
    unit: str  #: the unit of the prices: "squares", "AP", "inches"

    @property
    def cost(self) -> Fraction:
        """The cost of the whole way."""
        return self.legs[-1].total if self.legs else self.paid

    @property
    def end(self) -> Place:
        """The place at its end."""
        return self.legs[-1].place if self.legs else self.start

    @property
    def heading(self) -> Heading:
        """The heading of the unit at its end."""
        return self.legs[-1].heading if self.legs else self.start_heading

    @property
    def phase(self) -> str:
        """The phase at its end."""
        return self.legs[-1].phase if self.legs else self.start_phase

    @property
    def places(self) -> tuple[Place, ...]:
        """All places in turn, the start first; a turn on the spot repeats its place."""
        return (self.start, *(leg.place for leg in self.legs))

    @property
    def points(self) -> list[tuple[float, float]]:
        """The way in the plane, as a polyline without repeats."""
        points = [self.board.centre(place) for place in self.places]
        return [point for at, point in enumerate(points) if at == 0 or point != points[at - 1]]

    def then(self, onward: Route[Place]) -> Route[Place]:
        """Return this route followed by one that starts where it ends, with the same state and cost."""
        here = (self.end, self.heading, self.phase, self.cost)
        there = (onward.start, onward.start_heading, onward.start_phase, onward.paid)
        if here != there:
            raise ValueError(f"the second route starts from {there}, but the first ends in {here}")
        return Route(
            self.board,
            self.start,
            self.start_heading,
            self.start_phase,
            self.paid,
            self.legs + onward.legs,
            self.unit,
        )

    def to_geojson(self) -> dict[str, Any]:
        """Return the way as a GeoJSON feature in plane coordinates."""
        points = self.points
        line = {"type": "LineString", "coordinates": [list(point) for point in points]}
        spot = {"type": "Point", "coordinates": list(points[0])}
        geometry = line if len(points) > 1 else spot
        return {"type": "Feature", "geometry": geometry, "properties": {"unit": self.unit, **self.to_fields()}}

    def to_fields(self) -> dict[str, Any]:
        """Return its price, leg by leg, as plain data."""
        return {
            "cost": figure(self.cost),
            "legs": [
                {
                    "what": leg.what,
                    "place": list(leg.place),
                    "heading": leg.heading,
                    "phase": leg.phase,
                    "price": figure(leg.price),
                    "total": figure(leg.total),
                }
                for leg in self.legs
            ],
        }

    def __str__(self) -> str:
        lines = [f"from {_placed(self.start, self.start_heading)}" + (f", {self.paid} paid" if self.paid else "")]
        lines += [
            f"  {leg.what:<16} to {_placed(leg.place, leg.heading):<20} {leg.price!s:>6} {leg.total!s:>8}"
            for leg in self.legs
        ]
        return "\n".join([*lines, f"  {measure(self.cost, self.unit)}"])

    def __repr__(self) -> str:
        places = " ".join(",".join(map(str, place)) for place in self.places)
        return f"<Route {places}: {measure(self.cost, self.unit)}>"

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)


def route_of(board: Lattice, trace: Trace, unit: str, per_unit: int = 1) -> Route[tuple[int, int]]:
    """Return a traced route in the places of a board and in its unit of cost."""
    legs = tuple(
        RouteLeg(
            line.step.name,
            board.place_at(line.state.row, line.state.col),
            line.state.heading,
            line.state.phase,
            Fraction(line.price, per_unit),
            Fraction(line.cost, per_unit),
        )
        for line in trace.lines
    )
    start = trace.start
    place = board.place_at(start.row, start.col)
    return Route(board, place, start.heading, start.phase, Fraction(start.paid, per_unit), legs, unit)


def _placed(place: tuple[Any, ...], heading: Heading) -> str:
    spot = ",".join(f"{value:g}" for value in place)
    return spot if heading is None else f"{spot} facing {heading}"
