"""The table for a soldier: what bars its way, what is rough, where it may end. This is the judge of single ways.

One way or ten thousand are judged in one call, in closed form. Search, orders, explanations and the ledger all use the
same functions.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import ArrayLike

from simulator.byte_cache import kept
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.geometry.convex import BoolArray
from simulator.geometry.gaps import Throat, throats
from simulator.geometry.path_judge import every_met, first_beyond, first_overlaps, stretches_over
from simulator.geometry.paths import Paths
from simulator.geometry.piece_groups import PieceGroup, pieces_of_kinds
from simulator.geometry.pieces import XY, FloatArray, LineShape, PointShape, PolygonShape
from simulator.geometry.standing import Standing
from simulator.geometry.standing_room import Box, StandingRoom, room_within
from simulator.geometry.table import InchTable
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish.shortfalls import available_inches, needed_inches
from simulator.rulesets.skirmish.terrain import OBSTACLES, ROUGH
from simulator.rulesets.skirmish.units import SkirmishTable, bases_of, enemies, friends, radius_of


class Features(NamedTuple):
    """The pieces of a table that skirmish uses."""

    obstacles: PieceGroup
    rough: PieceGroup


@clause("SK-6", "SK-66")
def features_of(table: SkirmishTable) -> Features:
    """Return the obstacles and the rough terrain of the table; everything else is open ground."""
    board = cast(InchTable, table.board)
    return Features(pieces_of_kinds(board, table.tables[OBSTACLES]), pieces_of_kinds(board, table.tables[ROUGH]))


@clause("SK-8")
def rough_areas(table: SkirmishTable) -> list[PolygonShape]:
    """Return the areas of rough terrain. Pieces that touch along a line are one: a way between them is inside."""
    return features_of(table).rough.joined


@clause("SK-66", role="judge")
def faulty_pieces(table: SkirmishTable) -> Iterator[Breach]:
    """Report the pieces that skirmish cannot use: obstacles are polygons or polylines, rough terrain is areas."""
    rough = table.tables[ROUGH]
    for piece in cast(InchTable, table.board).pieces:
        is_rough = piece.kind in rough
        if isinstance(piece.shape, PointShape) and (is_rough or piece.kind in table.tables[OBSTACLES]):
            yield Breach("SK-66", f"{piece.id} is a point: obstacles are polygons or lines, rough terrain is areas")
        if is_rough and isinstance(piece.shape, LineShape) and not piece.shape.width:
            yield Breach("SK-8", f"{piece.id} is a line without width: rough terrain is an area")


@clause("SK-17", "SK-56", "SK-63")
def standing_room(table: SkirmishTable, unit: Unit) -> StandingRoom:
    """Return where a soldier may end: wholly on the table, off obstacles, on no other base."""
    found, bases = features_of(table).obstacles, bases_of(others(table, unit))
    return StandingRoom(radius_of(unit), table.board.bounds, found.polygons, found.tree, bases)


def others(table: SkirmishTable, unit: Unit) -> list[Unit]:
    """Return everybody else on the table, friends first."""
    return [*friends(table, unit), *enemies(table, unit)]


@clause("SK-63")
def room_of(table: SkirmishTable, unit: Unit) -> Box:
    """Return the box in which the centre of a base keeps the base wholly on the table."""
    return room_within(table.board.bounds, radius_of(unit))


class Barred(NamedTuple):
    """Something that bars a way: after how many inches, by which clause, who or what."""

    inches: float
    clause: str
    blocker: str
    message: str


# --- places ---


@clause("SK-17", "SK-56", "SK-63", role="judge")
def standing_breaches(table: SkirmishTable, unit: Unit, place: XY, verb: str = "ends") -> Iterator[Breach]:
    """Yield every reason why a soldier cannot stand at a place."""
    at, obstacles = f"{place[0]:g},{place[1]:g}", features_of(table).obstacles
    for what, number, needed, gap in standing_room(table, unit).shortfalls(place):
        needed, gap = needed_inches(needed), available_inches(gap)
        if what == "edge":
            message = f"{unit.id} {verb} at {at}, {needed:.10g} over the table's edge"
            yield Breach("SK-63", message, needed, 0, place=place)
        elif what == "outline":
            piece = obstacles[number]
            message = f"{unit.id} {verb} at {at}, on {piece.id}: {gap:.10g} away, but its base needs {needed:.10g}"
            yield Breach("SK-17", message, needed, gap, piece.id, place)
        else:
            other = others(table, unit)[number]
            apart = f"{gap:.10g} apart, less than the required {needed:.10g}"
            message = f"{unit.id} {verb} at {at}, on the base of {other.id}: {apart}"
            yield Breach("SK-56", message, needed, gap, other.id, place)


@clause("SK-17", "SK-56", "SK-63")
def may_end(table: SkirmishTable, unit: Unit, places: ArrayLike) -> BoolArray:
    """Compute for many places at once where a soldier may end."""
    return standing_room(table, unit).free(places)


# --- ways ---


@clause("SK-53")
def enemies_bar_bases(table: SkirmishTable) -> bool:
    """Whether enemies bar the whole base of a mover; otherwise only the line of its centre."""
    return bool(table.options.enemy_block == "swept_base")


@clause("SK-53")
def width_to_enemies(table: SkirmishTable, unit: Unit) -> float:
    """Return the radius around a line of movement that has to keep clear of enemies."""
    return radius_of(unit) if enemies_bar_bases(table) else 0.0


@clause("SK-16", "SK-17", "SK-37", "SK-48", "SK-49", "SK-53", "SK-54", "SK-55")
def barred_at(table: SkirmishTable, unit: Unit, paths: Paths) -> FloatArray:
    """Return after how many inches each of many ways is barred; inf if nothing bars it. Friends bar no way."""
    radius = radius_of(unit)
    found, foes = features_of(table), bases_of(enemies(table, unit))
    by_line = not enemies_bar_bases(table)
    at = first_overlaps(paths, radius, found.obstacles.edges, foes[:0] if by_line else foes, TOLERANCE).inches
    if by_line:
        at = np.minimum(at, first_overlaps(paths, 0.0, (), foes, TOLERANCE).inches)
    if len(fits := exact_fits(table, unit)):
        at = np.minimum(at, first_overlaps(paths, 0.0, fits, (), TOLERANCE).inches)
    return np.minimum(at, first_beyond(paths, room_of(table, unit), TOLERANCE))


@clause("SK-16", "SK-17", "SK-37", "SK-48", "SK-53", "SK-63")
def all_barred(table: SkirmishTable, unit: Unit, course: Paths) -> list[Barred]:
    """Return everything that bars one way, in order along it."""
    radius, found, obstacles = radius_of(unit), [], features_of(table).obstacles
    gaps, foes = narrow_gaps(table, unit), enemies(table, unit)
    # One look at all of them tells which few are met at all.
    met = every_met(course, radius, obstacles.standing, TOLERANCE)[1]
    for piece in (obstacles[number] for number in np.unique(obstacles.standing.owners[met]).tolist()):
        at = float(first_overlaps(course, radius, np.asarray(piece.shape.edges), (), TOLERANCE).inches[0])
        if math.isfinite(at):
            found.append(Barred(at, "SK-17", piece.id, f"the base does not get past {piece.id}"))
    ends_met = _met(course, radius, [(*end, 0.0) for gap in gaps for end in gap.ends])
    for number, gap in enumerate(gaps):
        if {2 * number, 2 * number + 1} <= ends_met and not is_exact_fit(unit, gap):
            starts = [first_overlaps(course, radius, (), [(*end, 0.0)], TOLERANCE).inches[0] for end in gap.ends]
            message = f"{gap.called} is too narrow for a base {2 * radius:g} wide"
            found.append(Barred(float(min(starts)), "SK-48", " and ".join(gap.over), message))
    width = width_to_enemies(table, unit)
    for foe in (foes[number] for number in sorted(_met(course, width, bases_of(foes)))):
        at = float(first_overlaps(course, width, (), bases_of([foe]), TOLERANCE).inches[0])
        if math.isfinite(at):
            found.append(Barred(at, "SK-53", foe.id, f"the line of movement passes through the base of {foe.id}"))
    for fit in exact_fits(table, unit):
        at = float(first_overlaps(course, 0.0, fit[None, :], (), TOLERANCE).inches[0])
        if math.isfinite(at):
            found.append(Barred(at, "SK-49", "gap", "a gap of just the width of the base is taken as too narrow"))
    at = float(first_beyond(course, room_of(table, unit), TOLERANCE)[0])
    if math.isfinite(at):
        found.append(Barred(at, "SK-63", "edge", "the base leaves the table"))
    return sorted(found, key=lambda one: one.inches)


def _met(course: Paths, radius: float, discs: FloatArray | list[tuple[float, float, float]]) -> set[int]:
    """Return which discs a round base overlaps somewhere on its way, by their numbers."""
    return set(every_met(course, radius, Standing.of_rows(discs=discs), TOLERANCE)[1].tolist()) if len(discs) else set()


# --- gaps ---


class Gap(NamedTuple):
    """A gap: the two obstacles (or twice the same, if a bent one has an opening), and its throat."""

    over: tuple[str, str]
    throat: Throat

    @property
    def called(self) -> str:
        """The name of the gap in messages."""
        one, other = self.over
        return f"the gap in {one}" if one == other else f"the gap between {one} and {other}"

    @property
    def ends(self) -> tuple[XY, XY]:
        """The ends of the throat."""
        return self.throat.one, self.throat.other


@kept(megabytes=32)
def _gaps_up_to(obstacles: PieceGroup, widest: float) -> tuple[Gap, ...]:
    names = [piece.id for piece in obstacles]
    found_throats = throats([piece.shape for piece in obstacles], widest)
    return tuple(
        Gap((names[one.between[0]], names[one.between[1]]), one) for one in found_throats if one.width <= widest
    )


@clause("SK-48", "SK-49", "SK-50", "SK-51")
def gaps_of(table: SkirmishTable, unit: Unit) -> tuple[Gap, ...]:
    """Return the gaps that a base does not fit through, wherever it stands.

    They depend only on the base. A base that fits exactly passes, unless an option forbids it. The table's edge is no
    side of a gap: no base could come down beside it and be wholly on the table.
    """
    width = 2.0 * radius_of(unit)
    widest = width - TOLERANCE if table.options.exact_fit_passes else width + TOLERANCE
    return _gaps_up_to(features_of(table).obstacles, widest)


def narrow_gaps(table: SkirmishTable, unit: Unit) -> list[Gap]:
    """Return the gaps that a base does not fit through; between parallel faces, the throat nearest to it."""
    place: XY = (unit.place[0], unit.place[1])
    return [Gap(gap.over, gap.throat.near(place)) for gap in gaps_of(table, unit)]


@clause("SK-49")
def is_exact_fit(unit: Unit, gap: Gap) -> bool:
    """Whether a gap is just as wide as a base."""
    return abs(gap.throat.width - 2.0 * radius_of(unit)) <= TOLERANCE


@clause("SK-49")
def exact_gaps(table: SkirmishTable, unit: Unit) -> list[Gap]:
    """Return the gaps that are just as wide as a base, whether or not they let it pass."""
    width = 2.0 * radius_of(unit)
    return [gap for gap in _gaps_up_to(features_of(table).obstacles, width + TOLERANCE) if is_exact_fit(unit, gap)]


@clause("SK-49")
def exact_mouths(table: SkirmishTable, unit: Unit) -> list[Gap]:
    """Return the gaps that the base fits exactly, if such count as too narrow; of a channel both mouths."""
    if table.options.exact_fit_passes:
        return []
    found = []
    for gap in gaps_of(table, unit):
        if is_exact_fit(unit, gap):
            far = gap.throat.middle[0] + gap.throat.slide[0], gap.throat.middle[1] + gap.throat.slide[1]
            mouths = (gap.throat, gap.throat.near(far)) if any(gap.throat.slide) else (gap.throat,)
            found += [Gap(gap.over, mouth) for mouth in mouths]
    return found


def exact_fits(table: SkirmishTable, unit: Unit) -> FloatArray:
    """Return the throats of exact fits as rows x1, y1, x2, y2."""
    return np.array([(*gap.throat.one, *gap.throat.other) for gap in exact_mouths(table, unit)]).reshape(-1, 4)


# --- rough terrain ---


@clause("SK-8", "SK-9", "SK-15", "SK-34")
def crosses_rough(table: SkirmishTable, unit: Unit, course: Paths) -> bool:
    """Whether one way requires a Terrain roll, wherever it ends; however many areas it crosses, it is one roll."""
    return bool(cross_rough(table, unit, course)[0])


@clause("SK-8", "SK-9")
def cross_rough(table: SkirmishTable, unit: Unit, paths: Paths) -> BoolArray:
    """Compute which of many ways require a Terrain roll."""
    found = np.array([bool(stretches) for stretches in rough_stretches(table, paths)], np.bool_)
    return found | _sweep_rough(table, unit, paths) if table.options.rough_test == "swept_base" else found


@clause("SK-8")
def rough_stretches(table: SkirmishTable, paths: Paths) -> list[list[tuple[float, float]]]:
    """Compute the stretches of each way, in inches, on which the centre of the base is inside rough terrain."""
    found: list[list[tuple[float, float]]] = [[] for _ in range(paths.count)]
    if not rough_areas(table):
        return found
    spans = stretches_over(paths, features_of(table).rough.ground, tolerance=TOLERANCE)
    for way, begin, end in zip(spans.path.tolist(), spans.begin.tolist(), spans.end.tolist(), strict=True):
        found[way].append((begin, end))
    return [sorted(stretches) for stretches in found]


@clause("SK-8")
def _sweep_rough(table: SkirmishTable, unit: Unit, paths: Paths) -> BoolArray:
    edges = [np.zeros((0, 4)), *[area.edges for area in rough_areas(table)]]
    return np.isfinite(first_overlaps(paths, radius_of(unit), np.concatenate(edges)).inches)
