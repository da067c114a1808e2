"""Elevated terrain: what has a top and a size class, how high it is, and for whom it is only very difficult ground."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import shapely

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.state import Unit
from simulator.engine.table import Setting
from simulator.engine.tables import Tables
from simulator.geometry.convex import is_curved
from simulator.geometry.pieces import XY, Piece, PolygonShape
from simulator.geometry.table import InchTable
from simulator.rulesets.mecha.options import MechaOptions
from simulator.rulesets.mecha.terrain import TERRAIN_OF, ground_of
from simulator.rulesets.mecha.units import GROUND

MechaSetting = Setting[MechaOptions]
#: Tables whose elevated terrain is kept.
_KEPT = 64
_LAYER = "elevated"


@dataclass(frozen=True, eq=False)
class Top:
    """A piece of elevated terrain: its outline, how high its top is above the table, its size class, and its ground."""

    name: str
    outline: PolygonShape
    height: Fraction
    size_class: int
    terrain: str
    #: Whether the piece is round; its outline then has corners that are none.
    is_round: bool = False

    @property
    def polygon(self) -> shapely.Polygon:
        """Its outline as an area."""
        found = self.outline.polygon
        assert isinstance(found, shapely.Polygon)
        return found


def inch_table(setting: MechaSetting) -> InchTable:
    """Return the table of a setting."""
    assert isinstance(setting.board, InchTable)
    return setting.board


# --- heights and size classes ---


@clause("ME-107", role="figure")
def class_of_height(tables: Tables, height: Fraction) -> int:
    """Return the size class of a height."""
    limits = tables["height_table.up_to"]
    if height <= limits[-1]:
        return len([limit for limit in limits if height > limit])
    return len(limits) - 1 + math.ceil(Fraction(height - limits[-1]) / Fraction(tables["height_table.further"]))


@clause("ME-107", role="figure")
def height_of_class(tables: Tables, size_class: int) -> Fraction:
    """Return the greatest height of a size class."""
    limits = tables["height_table.up_to"]
    beyond = size_class - (len(limits) - 1)
    if beyond <= 0:
        return Fraction(limits[size_class])
    return Fraction(limits[-1]) + beyond * Fraction(tables["height_table.further"])


# --- pieces ---


def is_elevated(piece: Piece) -> bool:
    """Whether a piece is elevated terrain rather than a feature (ME-108)."""
    return piece.layer == _LAYER


def tops_on(setting: MechaSetting) -> Sequence[Top]:
    """Return the elevated terrain of a table."""
    return _tops(inch_table(setting), setting.tables)


@lru_cache(maxsize=_KEPT)
@clause("ME-104", "ME-106", "ME-107", "ME-108")
def _tops(board: InchTable, tables: Tables) -> tuple[Top, ...]:
    return tuple(
        Top(
            piece.id,
            _outline(piece),
            _height(board, tables, piece),
            _class(board, tables, piece),
            ground_of(piece.attributes.get("top", "")),
            is_curved(piece.shape),
        )
        for piece in board.pieces
        if is_elevated(piece)
    )


def _outline(piece: Piece) -> PolygonShape:
    """The outline of a piece, with corners also where it is round."""
    polygon = piece.shape.polygon
    assert isinstance(polygon, shapely.Polygon)
    return PolygonShape(_corners(polygon.exterior), [_corners(ring) for ring in polygon.interiors])


def _corners(ring: shapely.LinearRing) -> list[XY]:
    return [(x, y) for x, y in shapely.get_coordinates(ring).tolist()]


def _height(board: InchTable, tables: Tables, piece: Piece) -> Fraction:
    """How high the top of a piece is above the table; one that states a size class alone is as high as that may be."""
    below = _height(board, tables, board.by_id[piece.on]) if piece.on else Fraction(0)
    own = Fraction(str(piece.height))
    if not own and "size_class" in piece.attributes:
        own = height_of_class(tables, int(piece.attributes["size_class"]))
    return below + own


def _class(board: InchTable, tables: Tables, piece: Piece) -> int:
    stated = piece.attributes.get("size_class")
    return class_of_height(tables, _height(board, tables, piece)) if stated is None else int(stated)


@clause("ME-104", role="judge")
def faults_of_terrain(setting: MechaSetting) -> Iterator[Breach]:
    """Yield what is missing from elevated terrain: a height or a size class; or a word for its top that means one."""
    for piece in inch_table(setting).pieces:
        if not is_elevated(piece):
            continue
        if not piece.height and "size_class" not in piece.attributes:
            yield Breach(
                "ME-104", f"{piece.id} is elevated terrain: it needs a height or a size class", blocker=piece.id
            )
        top = piece.attributes.get("top", "flat_ground")
        if top not in TERRAIN_OF:
            message = f"{piece.id}: {top!r} cannot be the ground of a top; known: {', '.join(TERRAIN_OF)}"
            yield Breach("ME-106", message, blocker=piece.id)


def top_named(setting: MechaSetting, name: str) -> Top | None:
    """Return the elevated terrain with a name; None: there is none."""
    return next((top for top in tops_on(setting) if top.name == name), None)


@clause("ME-92", "ME-107")
def drop_class(setting: MechaSetting, above: Top, below: Top | None) -> int:
    """Return the size class of the way from a top down to a lower one, or to the ground; or of the way up."""
    if below is None:
        return above.size_class
    return class_of_height(setting.tables, above.height - below.height)


# --- who is where ---


def top_of(setting: MechaSetting, unit: Unit) -> Top | None:
    """Return the terrain on whose top a unit stands; None: it is on the ground."""
    return None if unit["level"] == GROUND else top_named(setting, unit["level"])


@clause("ME-105")
def is_low_for(tables: Tables, unit: Unit, top: Top) -> bool:
    """Whether a unit may treat elevated terrain as very difficult ground."""
    return top.size_class < Fraction(tables["low_top.share"]) * int(unit["size_class"])


def low_tops(setting: MechaSetting, unit: Unit) -> Iterator[Top]:
    """Yield the elevated terrain that a unit on the ground may treat as very difficult ground."""
    return (top for top in tops_on(setting) if is_low_for(setting.tables, unit, top))
