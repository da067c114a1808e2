"""The features of a table as one mover at one altitude finds them: what an inch costs, and what bars the way.

Layers combine in one rule, `TerrainPrices.price`, which search, judge, ledger and trees share. What is impassable
becomes bars, with what replaces it cut out, and touching pieces joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import shapely
from shapely.geometry.base import BaseGeometry

from simulator.byte_cache import kept
from simulator.engine.clauses import clause
from simulator.engine.table import Setting
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import XY, CircleShape, LineShape, Piece, PointShape, PolygonShape, Solid
from simulator.geometry.snapping import difference, union
from simulator.geometry.table import InchTable
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed import PricedGround
from simulator.pathing.posed.ground import ANY_GAIN, Under, Uphill
from simulator.rulesets.combined_arms import matrix
from simulator.rulesets.combined_arms.matrix import Mover, Multiplier
from simulator.rulesets.combined_arms.options import CombinedArmsOptions
from simulator.rulesets.combined_arms.storeys import (
    Storey,
    flies_indoors,
    floors_of,
    hall_of,
    has_doors,
    lies_on_floors,
)
from simulator.rulesets.combined_arms.terrain import LAYER_OF, LINEAR

ArmsSetting = Setting[CombinedArmsOptions]

#: The features on which a slope still counts.
_SLOPED = ("ford", "road", "bridge")
#: So far beyond the table nothing is.
_AROUND = 20.0
#: How near its point a piece without a base has to come to run through a tree.
_TRUNK = 1e-3


@dataclass(frozen=True, eq=False)
class TerrainFeature:
    """A piece of terrain with its height and its multiplier; None: impassable."""

    piece: Piece
    shape: Solid
    height: Fraction
    multiplier: Multiplier

    @property
    def kind(self) -> str:
        """Its kind."""
        return self.piece.kind

    @property
    def layer(self) -> str:
        """Its layer."""
        return LAYER_OF[self.kind]


@dataclass(frozen=True, eq=False)
class Barrier:
    """What bars the way: a solid, and the pieces that it is made of, each with the ground on which it bars."""

    solid: Solid
    parts: tuple[Barring, ...]

    @property
    def pieces(self) -> list[Piece]:
        """The pieces that it is made of."""
        return [one.piece for one in self.parts]

    def part(self, solid: Solid) -> Barrier:
        """Return a part of it, of the pieces that are there."""
        there = tuple(one for one in self.parts if one.ground.intersects(solid.polygon))
        return Barrier(solid, there or self.parts)

    def at(self, place: XY) -> Piece:
        """Return the piece of it that bars nearest to a place."""
        point = shapely.Point(place)
        return min(self.parts, key=lambda one: float(one.ground.distance(point))).piece


class Barring(NamedTuple):
    """A piece that bars the way, and the ground on which it does: what replaces it there is cut out."""

    ground: BaseGeometry
    piece: Piece


def inch_table(setting: ArmsSetting) -> InchTable:
    """Return the board, which is an inch table."""
    board = setting.board
    assert isinstance(board, InchTable)  # the only kind that the rulebook is played on
    return board


def pieces_on(setting: ArmsSetting) -> tuple[Piece, ...]:
    """Return the pieces of terrain on the table."""
    return tuple(inch_table(setting).pieces)


@clause("CA-63")
def shape_of(setting: ArmsSetting, piece: Piece) -> PolygonShape | LineShape | PointShape | CircleShape:
    """Return the ground that a piece covers: an obstacle drawn as a line without a width has that of the rules."""
    shape = piece.shape
    if isinstance(shape, LineShape) and not shape.width and piece.kind in LINEAR:
        return LineShape(shape.points, float(setting.options.linear_obstacle_width))
    return shape


@clause("CA-81", role="figure")
def height_of(setting: ArmsSetting, piece: Piece) -> Fraction:
    """Return the height of a piece of terrain, by default that of its kind."""
    known = setting.tables["height"]
    return Fraction(piece.height) if piece.height else Fraction(known.get(piece.kind, 0))


@clause("CA-74", "CA-81")
def ignores(mover: Mover, altitude: Fraction, height: Fraction) -> bool:
    """Whether a piece at an altitude ignores a feature of a height: on the ground it does not, nor does a hover one."""
    return altitude > 0 and altitude >= height and mover.column != "hover"


def _multiplier(setting: ArmsSetting, mover: Mover, piece: Piece, height: Fraction) -> Multiplier:
    kind = piece.kind
    match LAYER_OF[kind]:
        case "ground":
            return matrix.of_ground(setting, mover, kind)
        case "replacing" if kind == "building":
            # Who gets in by doors alone finds what is behind them on a storey of its own.
            return None if has_doors(piece, mover) else matrix.of_building(setting, mover, piece.attributes)
        case "replacing" if kind == "stairs":
            return matrix.of_stairs(setting, mover, piece.attributes)
        case "replacing":
            return matrix.of_road(setting, mover, kind, piece.attributes)
        case "cover":
            return matrix.of_cover(setting, mover, kind)
        case "obstacle":
            return matrix.of_obstacle(setting, mover, kind, height)
        case _ if kind == "slope":
            ways = [matrix.of_slope(setting, mover, climbed=climbed) for climbed in (False, True)]
            return None if ways == [None, None] else Fraction(1)  # they are asked about where they count
        case _:
            return Fraction(1)  # rubble is asked about where it counts


@dataclass(frozen=True, eq=False)
class TerrainPrices:
    """What ground costs a mover at an altitude, and what bars its way."""

    setting: ArmsSetting
    mover: Mover
    altitude: Fraction
    #: The floor of a building that it is on; None: the ground, or the air above it.
    storey: Storey | None = None

    @cached_property
    def features(self) -> tuple[TerrainFeature, ...]:
        """The features with an area, in the order of the table."""
        if self.storey is not None:
            return tuple(self._indoors(self.storey))
        found = []
        for piece in pieces_on(self.setting):
            if LAYER_OF.get(piece.kind, "tree") == "tree" or not _is_on_floor(piece, 0):
                continue
            shape = shape_of(self.setting, piece)
            if shape.polygon.area:
                height = height_of(self.setting, piece)
                over = ignores(self.mover, self.altitude, height)
                rate = Fraction(1) if over else self._multiplier(piece, height)
                found.append(TerrainFeature(piece, shape, height, rate))
        return tuple(found)

    @clause("CA-71", "CA-84")
    def _multiplier(self, piece: Piece, height: Fraction) -> Multiplier:
        """The multiplier of a feature that it does not ignore; above the floor of a house only jetpacks fly."""
        if piece.kind == "building" and self.altitude and not flies_indoors(self.mover):
            return None
        return _multiplier(self.setting, self.mover, piece, height)

    @property
    @clause("CA-84")
    def indoors(self) -> tuple[TerrainFeature, ...]:
        """The houses in which it flies: there a piece ends on a floor, or on the ground."""
        if not self.altitude:
            return ()
        known = (one for one in self.features if one.kind == "building" and one.multiplier is not None)
        return tuple(one for one in known if not self._ignored(one))

    @clause("CA-66", "CA-67", "CA-78")
    def _indoors(self, storey: Storey) -> Iterator[TerrainFeature]:
        """The floor of a building: its interior, rubble, the stairs that lead on, and obstacles on the ground floor."""
        for piece in pieces_on(self.setting):
            height, rate = height_of(self.setting, piece), None
            if piece.id == storey.building:
                rate = matrix.of_building(self.setting, self.mover, piece.attributes, storey.floor)
                yield from (TerrainFeature(piece, shape, height, rate) for shape in self._floor_of(piece, storey))
            elif piece.kind == "rubble":
                yield TerrainFeature(piece, piece.shape, height, Fraction(1))
            elif LAYER_OF.get(piece.kind) == "obstacle" and not storey.floor:
                rate = matrix.of_obstacle(self.setting, self.mover, piece.kind, height)
                yield TerrainFeature(piece, shape_of(self.setting, piece), height, rate)
            elif piece.kind == "stairs" and piece.shape.polygon.area and _is_on_floor(piece, storey.floor):
                rate = matrix.of_stairs(self.setting, self.mover, piece.attributes)
                yield TerrainFeature(piece, piece.shape, height, rate)

    def _floor_of(self, building: Piece, storey: Storey) -> Iterator[Solid]:
        """The parts of a floor of a building, which is whole where nothing lies on top of it."""
        hall = hall_of(self.setting, storey)
        yield from [building.shape] if shapely.equals_exact(hall, building.shape.polygon) else _shapes(hall)

    @cached_property
    @clause("CA-77", "CA-81")
    def effects(self) -> tuple[object, ...]:
        """What an altitude changes: of two that are equal in that the prices and the barriers are the same."""
        rubble = any(one.kind == "rubble" for one in self.features)
        slopes = [
            None if one.kind != "slope" else tuple(self._slope_or_bar(one, climbed) for climbed in (False, True))
            for one in self.features
        ]
        under_debris = [rubble and one.kind == "building" and not self._ignored(one) for one in self.features]
        multipliers = tuple(one.multiplier for one in self.features)
        return self._on_bare_ground, multipliers, tuple(slopes), tuple(under_debris)

    @property
    def _on_bare_ground(self) -> Multiplier:
        return Fraction(1) if self._flies else matrix.of_ground(self.setting, self.mover, self._bare)

    def _ignored(self, feature: TerrainFeature) -> bool:
        return ignores(self.mover, self.altitude, feature.height)

    # --- prices ---

    @cached_property
    def ground(self) -> PricedGround:
        """The ground as judge and planner take it."""
        slopes = {
            number: float(one.piece.attributes["uphill"])
            for number, one in enumerate(self.features)
            if one.kind == "slope" and "uphill" in one.piece.attributes and not self._ignored(one)
        }
        return PricedGround(
            [one.shape for one in self.features],
            self.price,
            slopes,
            ANY_GAIN if self.setting.options.uphill_test == "any_gain" else Uphill(45.0, inclusive=True),
            least=self._least_over(self.features),
            cheap=frozenset(number for number, one in enumerate(self.features) if _quickens(one)),
            least_off_cheap=self._least_over([one for one in self.features if not _quickens(one)]),
            barred=self.bars,
        )

    def _least_over(self, features: Sequence[TerrainFeature]) -> Fraction:
        """Return what no inch costs less than, whichever of some features lie there."""
        most: dict[str, Fraction] = {}
        bare = [matrix.of_ground(self.setting, self.mover, self._bare)]
        slopes = [matrix.of_slope(self.setting, self.mover, climbed=climbed) for climbed in (False, True)]
        known = [
            *(("ground", rate) for rate in bare),
            *(("slope", rate) for rate in slopes),
            *((one.layer, one.multiplier) for one in features),
        ]
        for layer, rate in known:
            layer = "ground" if layer == "replacing" else layer
            if rate is not None:
                most[layer] = max(most.get(layer, Fraction(1)), rate)
        product = Fraction(1)
        for rate in most.values():
            product *= rate
        return 1 / product

    @property
    def _bare(self) -> str:
        """The ground where nothing else lies."""
        known = inch_table(self.setting).ground
        return known if known in LAYER_OF else "firm_ground"

    def price(self, under: Under, climbed: Under) -> Fraction | None:
        """Return what an inch costs over some features, of which some are climbed; what is impassable is a bar.

        None: the slope that way is closed.
        """
        if self._is_shut_that_way(under, climbed):
            return None
        return 1 / self._combined(self._effects(under, climbed, cover=True))

    @clause("CA-51", "CA-75", "CA-78", "CA-79")
    def _is_shut_that_way(self, under: Under, climbed: Under) -> bool:
        """Whether the matrix shuts a slope there in that direction alone; one that it shuts in both is a bar."""
        there = [self.features[number] for number in sorted(under)]
        on_top = next((one for one in reversed(there) if one.layer == "replacing"), None)
        sloped = sorted(under) if on_top is None or on_top.kind in _SLOPED else ()
        return any(not self._slope_or_bar(self.features[number], number in climbed) for number in sloped)

    def _is_bare_and_shut(self, under: Under) -> bool:
        """Whether bare ground lies there, and the matrix shuts that."""
        if self._on_bare_ground is not None:
            return False
        return not any(self.features[number].layer in ("ground", "replacing") for number in under)

    @clause("CA-51", "CA-75")
    def shut_slope_at(self, place: XY) -> Piece | None:
        """Return the slope at a place, or beside it, that the matrix shuts in one direction."""
        point = shapely.Point(place)
        there = (one for one in self.features if shapely.dwithin(one.shape.polygon, point, TOLERANCE))
        ways = (False, True)
        return next((one.piece for one in there if not all(self._slope_or_bar(one, way) for way in ways)), None)

    @clause("CA-61")
    def tree_rate(self, under: Under, climbed: Under) -> Fraction | None:
        """Return how many times its own price a tree costs: by all terrain there, vegetation excepted."""
        if self._is_bare_and_shut(under) or self._is_shut_that_way(under, climbed):
            return None
        return 1 / self._combined(self._effects(under, climbed, cover=False))

    @clause("CA-77")
    def _combined(self, effects: Sequence[Fraction]) -> Fraction:
        if self.setting.options.terrain_combination == "worst_only":
            return min((rate for rate in effects if rate != 1), default=Fraction(1))
        product = Fraction(1)
        for rate in effects:
            product *= rate
        return product

    @clause("CA-77", "CA-78", "CA-79", "CA-67")
    def _effects(self, under: Under, climbed: Under, *, cover: bool) -> list[Fraction]:
        """The multipliers of the layers at a place; of several features of one layer the lowest counts."""
        there = [self.features[number] for number in sorted(under)]
        on_top = next((one for one in reversed(there) if one.layer == "replacing"), None)
        found: list[Fraction | None] = []
        if on_top is None:
            ground = [one.multiplier for one in there if one.layer == "ground"]
            found += [_lowest(ground) if ground else self._on_bare_ground]
            found += [_lowest(one.multiplier for one in there if one.layer == "cover")] if cover else []
        elif on_top.multiplier is not None:
            rubble = (
                any(one.kind == "rubble" for one in there) and on_top.kind == "building" and not self._ignored(on_top)
            )
            debris = matrix.of_rubble(self.setting, self.mover) if rubble else None
            found += [on_top.multiplier * (1 if debris is None else debris)]
        if on_top is None or on_top.kind in _SLOPED:
            found += [_lowest(self._slope(self.features[number], number in climbed) for number in sorted(under))]
        found += [_lowest(one.multiplier for one in there if one.layer == "obstacle")]
        return [rate for rate in found if rate is not None]

    @property
    def _flies(self) -> bool:
        return ignores(self.mover, self.altitude, Fraction(0))

    def _slope(self, feature: TerrainFeature, climbed: bool) -> Multiplier:
        if feature.kind != "slope" or self._ignored(feature):
            return None
        return matrix.of_slope(self.setting, self.mover, climbed=climbed)

    def _slope_or_bar(self, feature: TerrainFeature, climbed: bool) -> Fraction:
        """The multiplier of a slope; 1 for all else, and 0 where that direction alone is impassable."""
        if feature.kind != "slope" or feature.multiplier is None or self._ignored(feature):
            return Fraction(1)
        return self._slope(feature, climbed) or Fraction(0)

    # --- bars ---

    @cached_property
    @clause("CA-79", "CA-80")
    def barriers(self) -> tuple[Barrier, ...]:
        """What bars the way, areas that touch joined into one."""
        shut = [one for one in self.features if one.multiplier is None]
        whole: list[Barrier] = []
        cut = list(self._shut_bare_ground())
        for one in shut:
            replaced = [other.shape.polygon for other in self._replacing(one)]
            if isinstance(one.shape, CircleShape) and not any(
                one.shape.polygon.intersects(other) for other in replaced
            ):
                whole.append(Barrier(one.shape, (Barring(one.shape.polygon, one.piece),)))
            else:
                rest = difference(one.shape.polygon, union(replaced)) if replaced else one.shape.polygon
                cut.append(Barring(rest, one.piece))
        return (*whole, *_joined(cut), *self._walls)

    @clause("CA-49", "CA-50", "CA-75", "CA-79")
    def _shut_bare_ground(self) -> Iterator[Barring]:
        """The ground of the board where the matrix shuts that: all of it but for what takes its place."""
        if self.storey is None and self._on_bare_ground is None:
            lies = [one.shape.polygon for one in self.features if one.layer in ("ground", "replacing")]
            for part in _shapes(difference(_around(self.setting), union(lies))):
                yield Barring(part.polygon, Piece(self._bare.replace("_", " "), self._bare, part))

    @clause("CA-79", "CA-80")
    def bars(self, under: Under) -> bool:
        """Whether a place with some features under it is impassable: on its border the price is that of the other side.

        All that is not in the building is so to those on a storey.
        """
        if self.storey is not None and not any(
            self.features[number].piece.id == self.storey.building for number in under
        ):
            return True
        if self._is_bare_and_shut(under):
            return True
        there = [self.features[number] for number in under]
        return any(
            one.multiplier is None and not any(other in there for other in self._replacing(one)) for one in there
        )

    @property
    def _walls(self) -> Iterator[Barrier]:
        """All around a storey."""
        if self.storey is None:
            return
        piece = next(piece for piece in pieces_on(self.setting) if piece.id == self.storey.building)
        for part in _shapes(difference(_around(self.setting), hall_of(self.setting, self.storey))):
            yield Barrier(part, (Barring(part.polygon, piece),))

    @clause("CA-78")
    def _replacing(self, feature: TerrainFeature) -> Iterator[TerrainFeature]:
        """Yield what takes the place of a feature: over ground and vegetation all, over another the later ones.

        Of a slope only stairs and buildings do.
        """
        if feature.layer == "obstacle":
            return
        first = self.features.index(feature) + 1 if feature.layer == "replacing" else 0
        later = (one for one in self.features[first:] if one.layer == "replacing" and one is not feature)
        later = (one for one in later if feature.kind != "slope" or one.kind not in _SLOPED)
        yield from (one for one in later if feature.kind != "building" or lies_on_floors(one.piece))


def _around(setting: ArmsSetting) -> shapely.Polygon:
    """All of the table, and some ground around it."""
    left, bottom, right, top = inch_table(setting).bounds
    return shapely.box(left - _AROUND, bottom - _AROUND, right + _AROUND, top + _AROUND)


@clause("CA-69")
def _is_on_floor(piece: Piece, floor: int) -> bool:
    """Whether a feature is on a floor: stairs are on the two that they join."""
    return piece.kind != "stairs" or floor in floors_of(piece)


def _quickens(feature: TerrainFeature) -> bool:
    """Whether a mover gets farther over a feature than over firm ground."""
    return feature.multiplier is not None and feature.multiplier > 1


def _shapes(area: BaseGeometry) -> Iterator[PolygonShape]:
    """The parts of an area."""
    for part in shapely.get_parts(area):
        if part.area:
            yield PolygonShape(list(part.exterior.coords), [list(ring.coords) for ring in part.interiors])


def _lowest(rates: Iterable[Multiplier]) -> Multiplier:
    return min((rate for rate in rates if rate is not None), default=None)


def _joined(areas: Sequence[Barring]) -> Iterator[Barrier]:
    """Areas as barriers, those that touch along a line as one."""
    if not areas:
        return
    for polygon in shapely.get_parts(union([one.ground for one in areas])):
        if polygon.area:
            parts = tuple(one for one in areas if one.ground.intersects(polygon))
            holes = [list(ring.coords) for ring in polygon.interiors]
            yield Barrier(PolygonShape(list(polygon.exterior.coords), holes), parts)


@kept(16, lambda prices: 2_000 + 2_000 * len(pieces_on(prices.setting)))
def prices_for(setting: ArmsSetting, mover: Mover, altitude: Fraction, storey: Storey | None = None) -> TerrainPrices:
    """Return what a table is to a mover at an altitude, or on a floor of a building.

    Where that is the same as farther down, it is that which is returned.
    """
    found = TerrainPrices(setting, mover, altitude, storey)
    if storey is None and altitude > 0:
        heights = {Fraction(0), *(one.height for one in found.features)}
        below = prices_for(setting, mover, max(height for height in heights if height < altitude))
        if below.effects == found.effects and _houses(below) == _houses(found):
            return below
    return found


def _houses(prices: TerrainPrices) -> list[str]:
    """The houses in which a mover flies."""
    return [one.piece.id for one in prices.indoors]


# --- trees ---


@clause("CA-60", "CA-62")
def trees_of(
    setting: ArmsSetting, mover: Mover, altitude: Fraction, *, has_base: bool
) -> Iterator[tuple[Piece, Solid]]:
    """Yield the trees that a piece meets at an altitude, each with the point at which it is met."""
    for piece in pieces_on(setting):
        if piece.kind == "individual_tree" and not ignores(mover, altitude, height_of(setting, piece)):
            shape = piece.shape
            if isinstance(shape, PointShape) and not has_base:
                yield piece, Round(_TRUNK).at(shape.x, shape.y)
            else:
                yield piece, shape


def tree_price(setting: ArmsSetting, piece: Piece) -> Fraction:
    """Return what it costs to knock down a tree on firm ground (CA-60, CA-62)."""
    return Fraction(piece.attributes.get("tree_cost", setting.options.tree_cost))
