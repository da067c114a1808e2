"""Where units can end: reach, from where, compared, of a whole side; and walks without a rulebook."""

from __future__ import annotations

from simulator.formats.answers.values import (
    AtMomentModel,
    BoardModel,
    DocumentModel,
    Figure,
    Heading,
    Level,
    Model,
    OptionChangeModel,
    Place,
    ReasonModel,
    Value,
    absent,
)


class ExtentModel(Model):
    """The size of an area."""

    extent: float
    """How many places, or on a table how many square inches; see `ground`."""
    length: float = absent()
    """The length of its lines, of an area on a table that has no width."""
    points: int = absent()
    """The number of its points, of an area on a table that has no width."""


class CostBandModel(ExtentModel):
    """The ground of a cost: up to this, and above the band before."""

    cost: Figure
    """The cost."""


class ChanceBandModel(ExtentModel):
    """The ground of a chance: at least this, and below the band before."""

    chance: Figure
    """The chance, at best."""


class EndModel(Model):
    """One way to stand after a move, on squares and dots."""

    place: Place
    """The place."""
    heading: Heading | None
    """The heading; null if the rulebook has none."""
    level: Level | None = absent()
    """The level; absent if the rulebook has none."""
    phase: str
    """What else decides what is legal, in words of the rulebook: parity, posture, ..."""
    cost: Figure
    """The least cost."""


class ReachableModel(Model):
    """Whether a unit can end at a place, and if not, why."""

    place: Place
    """The place."""
    heading: Heading = absent()
    """The heading that was asked for."""
    level: Level = absent()
    """The level that was asked for."""
    reachable: bool
    """Whether it can end there."""
    reasons: list[ReasonModel]
    """Every reason against it; empty if it can."""
    nearest: Place | None
    """The nearest place where it can end; null if there is none."""
    nearest_heading: Heading = absent()
    """Its heading there."""
    nearest_level: Level = absent()
    """Its level there."""
    nearest_cost: Figure | None
    """The cost of that."""
    nearest_alike: Place = absent()
    """The nearest end with the heading and the level that were asked for."""
    alike_cost: Figure = absent()
    """The cost of that."""
    remedy: str
    """The smallest change that would help; empty if none is known."""


class ReachablePriceModel(ReachableModel):
    """The same, with what it costs and how sure it is."""

    cost: Figure | None
    """The least cost; null if it cannot end there."""
    chance: Figure
    """The best chance of any path; 0 if it cannot end there."""


class _SubjectModel(AtMomentModel):
    unit: str
    """The unit of the question."""
    mover: str
    """The unit that moves: for a rider its carrier."""
    action: str
    """The action of the question."""
    costs_count: str
    """The unit of the costs: square, AP, inch, ..."""
    ground: str
    """The unit of extents: places, or square inch."""


class _Subject(_SubjectModel):
    extent: float
    """The size of the whole area."""
    length: float = absent()
    """The length of its lines, if it has no width."""
    points: int = absent()
    """The number of its points, if it has no width."""
    bands: list[CostBandModel]
    """The area by least cost, the cheapest first; disjoint."""


class ReachModel(_Subject):
    """Where a unit can end, at what cost, with what chance."""

    chances: list[ChanceBandModel]
    """The area by best chance, the surest first; disjoint."""
    chances_not_searched: str = absent()
    """Why chances were not searched."""
    ends: list[EndModel] = absent()
    """Every end, on squares and dots."""
    to: ReachablePriceModel = absent()
    """Of the place of --to; and of its own place, if the unit can end nowhere."""


class KnownGroundModel(ExtentModel):
    """Ground of which something is known."""

    geometry: dict[str, Value] = absent()
    """Its outline as a geometry of GeoJSON, in the plane of the board; in answers of `simulator engine`."""


class PoseModel(Model):
    """A place, with a heading and a level if they were asked for."""

    place: Place
    """The place."""
    heading: Heading = absent()
    """The heading."""
    level: Level = absent()
    """The level."""


class MaybeReachableModel(PoseModel):
    """Whether a unit can end at a place, as far as it is known."""

    reachable: bool | None
    """Whether it can end there; null if that is not known yet."""


class ReachSoFarModel(_SubjectModel):
    """Where a unit can end, as far as it was known within some seconds."""

    within: float
    """The seconds that were given."""
    is_whole: bool
    """Whether all of the area is known; its costs and chances may still not be."""
    inner: KnownGroundModel
    """Ground that the unit can end on: all of it if `is_whole`, else some of it."""
    outer: KnownGroundModel
    """Ground outside of which the unit cannot end."""
    gap: float
    """The size of the ground between them, of which it is not known, in the units of the plane of the board."""
    to: MaybeReachableModel = absent()
    """Of the place of --to."""


class FromModel(PoseModel):
    """Whether a unit can get to the goal from a place."""

    reachable: bool
    """Whether it can."""
    reasons: list[ReasonModel]
    """Every reason against it."""
    remedy: str
    """The smallest change that would help; empty if none is known."""
    cost: Figure | None
    """The least cost; null if it cannot."""
    orders: list[str]
    """The orders that take it there."""


class ReverseModel(_Subject):
    """From where a unit can get to a goal."""

    goal: PoseModel
    """The goal."""
    starts: list[EndModel] = absent()
    """Every start, on squares and dots, with its cost."""
    from_: FromModel = absent("from")
    """Of the place of --from."""


# --- compared ---


class GroundModel(Model):
    """An area."""

    extent: float
    """How many places, or square inches on a table."""
    places: list[Place] = absent()
    """The places, on squares and dots."""


class ChangedGroundModel(GroundModel):
    """Ground with another figure."""

    before: Figure
    """The figure under the options of the scenario."""
    after: Figure
    """The figure under the changed options."""


class DiffModel(AtMomentModel):
    """How other options and figures change where a unit can end."""

    unit: str
    """The unit."""
    action: str
    """The action."""
    options: list[OptionChangeModel]
    """The options that differ."""
    figures: list[OptionChangeModel]
    """The figures that differ."""
    before: float
    """The extent under the rules of the scenario."""
    after: float
    """The extent under the changed rules."""
    gained: GroundModel
    """The ground that only the second answer has."""
    lost: GroundModel
    """The ground that only the first answer has."""
    prices: list[ChangedGroundModel]
    """The ground with another least cost."""
    odds: list[ChangedGroundModel]
    """The ground with another best chance."""
    odds_not_compared: str = absent()
    """Why chances were not compared."""


class ThreatModel(Model):
    """Where one unit of a side can end."""

    action: str
    """Its action."""
    extent: float
    """How many places, or square inches on a table."""


class ThreatsModel(AtMomentModel):
    """Where the units of a side can end, and how many of them."""

    side: str
    """The side."""
    units: dict[str, ThreatModel]
    """The units that can end somewhere."""
    silent: dict[str, str]
    """The units without an answer, each with the reason."""
    at_least: list[float]
    """The extent where 1, 2, 3, ... units or more can end."""
    first: Place = absent()
    """The place of the first of the counts, on squares and dots."""
    counts: list[list[int]] = absent()
    """How many units can end on each place, row by row, on squares and dots."""


# --- without a rulebook ---


class WalkEndModel(Model):
    """A place that a walker can get to."""

    place: Place
    """The place."""
    heading: Heading | None
    """Always null: a walker has no heading."""
    phase: str
    """The parity of its diagonals."""
    cost: Figure
    """The least cost."""


class LegModel(Model):
    """One step of a route."""

    what: str
    """The step."""
    place: Place
    """Where it ends."""
    heading: Heading | None
    """The heading after it."""
    phase: str
    """The parity after it."""
    price: Figure
    """Its price."""
    total: Figure
    """The cost up to here."""


class RouteModel(Model):
    """A cheapest path."""

    cost: Figure
    """Its cost."""
    legs: list[LegModel]
    """Its steps."""


class WalkModel(DocumentModel):
    """Where a plain walker can get to on squares or dots."""

    board: BoardModel
    """The board."""
    costs_count: str
    """The unit of the costs."""
    engine: str
    """The search that was used."""
    ends: list[WalkEndModel]
    """Every place."""
    routes: list[RouteModel]
    """The path to the place of --to; empty if none was requested, or there is none."""


class AreaBandModel(Model):
    """The ground of a length: up to this, and above the band before."""

    cost: Figure
    """The length."""
    area: float
    """Its size in square inches."""


class ArcModel(Model):
    """A part of a circle round a corner."""

    centre: Place
    """Its centre."""
    radius: float
    """Its radius in inches."""
    sweep: float
    """How far it turns, in degrees; to the left above 0."""


class WayPieceModel(Model):
    """A piece of a path: straight, or an arc."""

    to: Place
    """Where it ends."""
    arc: ArcModel = absent()
    """The arc; absent if it is straight."""


class TableRouteModel(Model):
    """A shortest path on a table."""

    start: Place
    """Where it begins."""
    end: Place
    """Where it ends."""
    cost: Figure
    """Its length."""
    pieces: list[WayPieceModel]
    """Its pieces."""


class TableWalkModel(DocumentModel):
    """Where a round base can get to on an inch table."""

    board: BoardModel
    """The board."""
    costs_count: str
    """The unit of the costs."""
    radius: float
    """The radius of the base."""
    area: float
    """The size of the whole area, in square inches."""
    bands: list[AreaBandModel]
    """The area by length."""
    routes: list[TableRouteModel]
    """The path to the place of --to; empty if none was requested, or there is none."""


# --- GeoJSON ---


class FeatureModel(Model):
    """A feature of GeoJSON; docs/file_formats.md lists the properties."""

    type: str
    """Always Feature."""
    geometry: dict[str, Value]
    """The shape, in the plane of the board."""
    properties: dict[str, Value]
    """What it is."""


class CollectionModel(Model):
    """Areas, ends and ways as GeoJSON."""

    type: str
    """Always FeatureCollection."""
    properties: dict[str, Value] = absent()
    """The subject of the answer."""
    features: list[FeatureModel]
    """The features."""
