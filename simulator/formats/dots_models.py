"""The keys of board files of dots."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from simulator.formats import limits
from simulator.formats.board_models import (
    AtMost,
    BoardFile,
    CellsValue,
    CellValue,
    Drawing,
    FileModel,
    Glyph,
    Glyphs,
    Labels,
    LatticeSize,
    Level,
    LevelPair,
    Name,
    OneOf,
    Override,
    Rectangles,
    Storeys,
    Text,
    TwoCells,
)


class DotScale(FileModel):
    """The length of one step from dot to dot."""

    spacing: LatticeSize = 1.0
    unit: Text = "dot"


class DotLook(FileModel):
    """The properties of a glyph, or the changes of an override."""

    terrain: Text = Field(default="open", description="The kind of terrain: any word the rulebook knows.")
    level: Level = Field(default=0, description="The height of the ground, in levels.")
    storeys: Storeys = Field(default=0, description="Storeys of the building on it; 0 is open sky.")
    impassable: bool = Field(default=False, description="Nobody can enter the dot.")
    opening: bool = Field(default=False, description="The dot is itself a door or a window.")
    absent: bool = Field(default=False, description="There is no dot: a hole in the map.")


class DotEdge(OneOf):
    """Something between two adjacent dots. Entries are applied in order.

    A barrier (wall, window, door) replaces those before it on the same storeys of the same edge; `open` removes them.
    Ramps, stairs and ladders lead from level to level.
    """

    one_of = ("between", "around")

    kind: Literal["wall", "window", "door", "ramp", "stairs", "ladder", "open"]
    between: TwoCells | None = Field(default=None, description="The two dots.")
    around: Glyphs | None = Field(
        default=None, description="Every edge from the dots drawn with these glyphs to all others."
    )
    levels: LevelPair | None = Field(
        default=None,
        description="Barriers: the first and the last storey. Ways up: the level at the first dot (around: at "
        "the drawn dot) and at the second. Without it: all storeys, or the ground of both.",
    )


class DotOverride(DotLook, Override):
    """Changes one dot or a rectangle of the drawing."""


class DotArea(FileModel):
    """Dots under one name: a deployment zone, an entry edge, an objective."""

    name: Name
    side: Text = Field(default="", description="Whose it is, if anybody's.")
    dots: CellsValue = Field(default=[])
    rectangles: Rectangles = Field(default=[], description="Rectangles of the drawing; holes in it are left out.")


class DotsFile(BoardFile):
    """A hex-dot map, drawn as rows of which every other is shifted by half a dot."""

    board: Literal["dots"]
    dot: DotScale = DotScale.model_construct()
    layout: Literal["odd_rows", "even_rows", "odd_columns", "even_columns"] = Field(
        default="odd_rows", description="Which rows stand half a dot further right, or which columns further down."
    )
    coordinates: Literal["offset", "axial"] = Field(
        default="offset", description="The coordinates of all places of this file: [column, row], or [q, r]."
    )
    first: CellValue = Field(default=(0, 0), description="The place of the drawing's top left glyph.")
    legend: Annotated[dict[Glyph, DotLook], AtMost(limits.LEGEND)] = Field(description="What each glyph stands for.")
    rows: Drawing = Field(description="The map, one glyph for each dot; white space is free.")
    levels: Drawing | None = Field(
        default=None, description="A level for each glyph as rows of numbers, instead of levels in the legend."
    )
    storeys: Drawing | None = Field(
        default=None, description="Storeys for each glyph as rows of numbers, instead of storeys in the legend."
    )
    edges: Annotated[list[DotEdge], AtMost(limits.EDGES)] = Field(default=[])
    overrides: Annotated[list[DotOverride], AtMost(limits.OVERRIDES)] = Field(default=[])
    areas: Annotated[list[DotArea], AtMost(limits.AREAS)] = Field(default=[])
    labels: Labels = Field(default=[])
