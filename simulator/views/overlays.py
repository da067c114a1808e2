"""What can be drawn on a board's picture: bands, rims, routes, units, spots. In plane coordinates; no rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from shapely.geometry.base import BaseGeometry


@dataclass(frozen=True, slots=True)
class Band:
    """An area that belongs together, named in the legend: shaded by `share` from 0 (light) to 1 (dark), or coloured."""

    region: BaseGeometry
    label: str
    share: float = 0.0
    colour: str = ""
    #: False for ground of which the answer is not known yet: hatched, in no colour of an answer.
    is_known: bool = True


@dataclass(frozen=True, slots=True)
class Outline:
    """The rim of an area, drawn over the bands and named in the legend."""

    region: BaseGeometry
    label: str
    colour: str = "#2f2c28"
    dashes: str = ""
    #: If it belongs to a side, it has the colour of that side instead.
    side: str = ""


@dataclass(frozen=True, slots=True)
class Spot:
    """A place where something may happen: a numbered mark, named in the legend."""

    x: float
    y: float
    number: int
    label: str
    side: str = ""
    #: How many marks of the same place stand before it.
    behind: int = 0


@dataclass(frozen=True, slots=True)
class RouteLine:
    """A way over the board, drawn as a line with its stops and an arrow head."""

    points: Sequence[tuple[float, float]]
    label: str = ""
    side: str = ""
    unit: str = ""
    #: Whether the unit only goes this way if a test fails: drawn dashed.
    fails: bool = False


@dataclass(frozen=True, slots=True)
class UnitMark:
    """A unit: its base (a shape, or a radius around its place), where it looks, its name and side."""

    x: float
    y: float
    label: str
    side: str = ""
    heading: float | None = None
    radius: float = 0.4
    base: BaseGeometry | None = None
    #: Whether it is the one that the picture is about: drawn with a thick rim.
    chosen: bool = False


@dataclass(frozen=True, slots=True)
class Looks:
    """The possible headings at a place: a wedge for each heading, in degrees."""

    x: float
    y: float
    headings: Sequence[float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Overlays:
    """All that lies on one picture. Bands are drawn first, then rims, ways, units and spots."""

    bands: Sequence[Band] = field(default=(), kw_only=False)
    looks: Sequence[Looks] = field(default=())
    #: The meaning of the wedges of `looks`.
    looks_label: str = "may look there"
    routes: Sequence[RouteLine] = field(default=())
    units: Sequence[UnitMark] = field(default=())
    outlines: Sequence[Outline] = field(default=())
    spots: Sequence[Spot] = field(default=())
    #: The meaning of the bands, above them in the legend.
    heading: str = ""

    @property
    def sides(self) -> tuple[str, ...]:
        """The sides that occur, in the order in which they do."""
        named = [unit.side for unit in self.units] + [route.side for route in self.routes]
        return tuple(dict.fromkeys(side for side in named if side))
