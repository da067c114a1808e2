"""What the ground of a table costs a unit, and where it may not be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import shapely
from shapely.geometry.base import BaseGeometry

from simulator.byte_cache import kept
from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.engine.values import Fields
from simulator.geometry.pieces import PolygonShape, Solid
from simulator.geometry.shapes import less, polygons_of
from simulator.pathing.posed import PricedGround, Under
from simulator.rulesets.mecha.elevated import MechaSetting, Top, inch_table, is_elevated, low_tops, tops_on
from simulator.rulesets.mecha.rates import is_feature, rate_in, terrain_of
from simulator.rulesets.mecha.terrain import ground_of
from simulator.rulesets.mecha.units import base_of, placed

#: About what a piece of terrain takes in a `MechaGround`: its outline, priced and as features.
_BYTES_OF_PIECE = 4_000
#: What the ground of a unit depends on.
_OF_GROUND = ("mobility", "size_class", "base")
#: Ground beyond what a base may get to from a table.
_BEYOND = 100.0


class Obstacle(NamedTuple):
    """What bars a way or an end: a solid, its name and the clause."""

    solid: Solid
    name: str
    clause: str


class RatedArea(NamedTuple):
    """An area of the ground, the piece that it belongs to, and what an inch costs there; None: nobody may be there."""

    shape: Solid
    name: str
    rate: Fraction | None


@dataclass(frozen=True, eq=False)
class MechaGround:
    """The ground of one level for one kind of unit: areas with rates, and that where there are none."""

    setting: MechaSetting
    unit: Unit
    top: Top | None = None  #: on which it is; None: the ground

    @property
    def plain(self) -> str:
        """The movement terrain where no feature lies."""
        return ground_of(inch_table(self.setting).ground) if self.top is None else self.top.terrain

    @cached_property
    def plain_rate(self) -> Fraction | None:
        """What an inch of it costs."""
        return rate_in(self.setting.tables, self.unit, self.plain)

    @cached_property
    def areas(self) -> tuple[RatedArea, ...]:
        """The features, and the elevated terrain that is very difficult ground for the unit."""
        return tuple(self._areas()) if self.top is None else ()

    @clause("ME-13", "ME-103", "ME-105", "ME-108")
    def _areas(self) -> Iterator[RatedArea]:
        tables = self.setting.tables
        for piece in inch_table(self.setting).pieces:
            if not is_elevated(piece) and is_feature(tables, piece.kind):
                terrain = terrain_of(tables, piece.kind, self.unit["size_class"])
                yield RatedArea(piece.shape, piece.id, rate_in(tables, self.unit, terrain))
        for top in low_tops(self.setting, self.unit):
            yield RatedArea(top.outline, top.name, rate_in(tables, self.unit, "very_difficult"))

    @cached_property
    def _outbids_features(self) -> bool:
        """Whether the ground where no feature lies is dearer than some feature, closed, or of 0."""
        plain = self.plain_rate
        return not plain or any(area.rate is not None and area.rate < plain for area in self.areas)

    @cached_property
    def around(self) -> tuple[RatedArea, ...]:
        """The ground where no feature lies as areas, where these are needed."""
        if not self._outbids_features:
            return ()
        box = shapely.box(*inch_table(self.setting).bounds).buffer(_BEYOND, join_style="mitre")
        rest = less(box, shapely.union_all([area.shape.polygon for area in self.areas]))
        return tuple(RatedArea(part, self.plain, self.plain_rate) for part in _solids(rest))

    # --- where it may not be ---

    @clause("ME-15", "ME-19")
    def closed(self) -> list[Obstacle]:
        """Return the ground that no part of the base may be on."""
        return [Obstacle(area.shape, area.name, "ME-19") for area in (*self.areas, *self.around) if area.rate is None]

    @cached_property
    def still(self) -> list[Obstacle]:
        """The ground that a unit may be set up on, where it does not move: onto it, on it, or off it."""
        return [Obstacle(area.shape, area.name, "ME-16") for area in (*self.areas, *self.around) if area.rate == 0]

    @clause("ME-16", "ME-26")
    def holds(self, unit: Unit) -> bool:
        """Whether a unit of the kind stands where it may be set up, and does not move."""
        if not self.still:
            return False
        here = placed(unit).polygon
        return any(shapely.relate_pattern(here, one.solid.polygon, "T********") for one in self.still)

    # --- prices ---

    def priced(self) -> PricedGround:
        """Return the ground as the planner takes it."""
        return self._priced

    @cached_property
    @clause("ME-11", "ME-17", "ME-18", "ME-32")
    def _priced(self) -> PricedGround:
        """The ground as the planner takes it: the dearest under the base counts, or that under its centre."""
        options, tables = self.setting.options, self.setting.tables
        whole = options.terrain_under == "base" or self.top is not None
        known = [area for area in self._priced_areas(whole=whole) if area.rate]
        plain = self.plain_rate or Fraction(1)
        rates = [area.rate or Fraction(1) for area in known]

        def rate_of(under: Under, climbed: Under) -> Fraction | None:
            del climbed
            if under & off:
                return None
            return max((rates[number] for number in under), default=plain)

        shapes: list[Solid] = [area.shape for area in known]
        off = frozenset[int]()
        if self.top is not None:
            shapes += off_the_top(self.unit, self.top)
            off = frozenset(range(len(known), len(shapes)))
        grain = Fraction(tables["piece.inches"]) if options.granularity == "half_inch" else None
        base = base_of(self.unit) if whole else None
        cheap = frozenset(number for number, rate in enumerate(rates) if rate < plain)
        least = min([plain, *rates])
        return PricedGround(shapes, rate_of, base=base, grain=grain, least=least, cheap=cheap, least_off_cheap=plain)

    @clause("ME-103")
    def _priced_areas(self, *, whole: bool) -> Sequence[RatedArea]:
        """The areas that matter: all where some are cheaper than the ground around them, which counts for a base.

        Otherwise those that cost as much as what lies around outbid nothing.
        """
        if self._outbids_features:
            return (*self.areas, *self.around) if whole else self.areas
        return [area for area in self.areas if area.rate != self.plain_rate]


def ground_for(setting: MechaSetting, unit: Unit, top: Top | None) -> MechaGround:
    """Return the ground of a level for a unit: the same for all units of its kind, wherever they are."""
    return _ground(setting, tuple(unit[name] for name in _OF_GROUND), top)


@kept(megabytes=8, weigh=lambda ground: _BYTES_OF_PIECE * (1 + len(inch_table(ground.setting).pieces)))
def _ground(setting: MechaSetting, kind: tuple[Any, ...], top: Top | None) -> MechaGround:
    return MechaGround(setting, Unit("", "", fields=Fields(dict(zip(_OF_GROUND, kind, strict=True)))), top)


@clause("ME-106")
def off_the_top(unit: Unit, top: Top) -> Iterator[Solid]:
    """Yield the areas that the base of a unit may not overlap on a top: all around it, and its holes."""
    x, y, far_x, far_y = top.polygon.bounds
    far = 2 * float(unit["base"]) + _BEYOND
    frame = [(x - far, y - far), (far_x + far, y - far), (far_x + far, far_y + far), (x - far, far_y + far)]
    yield PolygonShape(frame, [top.outline.shell])
    yield from (PolygonShape(hole) for hole in top.outline.holes)


def _solids(area: BaseGeometry) -> Iterator[Solid]:
    """The parts of an area as shapes."""
    for part in shapely.get_parts(polygons_of(area)):
        rings = [list(map(tuple, shapely.get_coordinates(ring).tolist())) for ring in (part.exterior, *part.interiors)]
        yield PolygonShape(rings[0], rings[1:])


@clause("ME-106")
def walls(setting: MechaSetting, unit: Unit, top: Top | None) -> list[Obstacle]:
    """Return the elevated terrain whose outline bars the way of a unit on a level."""
    low = {one.name for one in low_tops(setting, unit)} if top is None else set[str]()
    return [
        Obstacle(one.outline, one.name, "ME-106")
        for one in tops_on(setting)
        if one.name not in low and (top is None or one.height > top.height)
    ]
