"""The keys of board files of squares."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from simulator.formats import limits
from simulator.formats.board_models import (
    AtMost,
    BoardFile,
    CellsValue,
    Drawing,
    FileModel,
    Glyph,
    Glyphs,
    Labels,
    LatticeSize,
    Level,
    Name,
    OneOf,
    Override,
    Rectangles,
    Text,
    TwoCells,
)


class SquareScale(FileModel):
    """The length of the side of a square."""

    size: LatticeSize = 1.0
    unit: Text = "metre"


class SquareLook(FileModel):
    """The properties of a glyph, or the changes of an override."""

    terrain: Text = Field(default="open", description="The kind of terrain: any word the rulebook knows.")
    wall: bool = Field(default=False, description="Nobody can enter the square.")
    impeded: bool = Field(default=False, description="The square spoils a charge.")
    level: Level = Field(default=0, description="Its height, in levels.")


class SquareEdge(OneOf):
    """Walls between squares. Entries are applied in order; `open` removes the walls so far."""

    one_of = ("wall", "wall_line", "wall_around", "open")

    wall: TwoCells | None = Field(default=None, description="A wall on the edge between two squares.")
    wall_line: CellsValue | None = Field(
        default=None, description="Walls along grid lines, corner point to corner point; [0, 0] is the top left corner."
    )
    wall_around: Glyphs | None = Field(
        default=None, description="Walls between the squares drawn with these glyphs and all others."
    )
    open: TwoCells | None = Field(default=None, description="No wall on the edge between two squares: a doorway.")


class SquareOverride(SquareLook, Override):
    """Changes one square or a rectangle of them."""


class SquareArea(FileModel):
    """Squares under one name: a deployment zone, an entry edge, an objective."""

    name: Name
    side: Text = Field(default="", description="Whose it is, if anybody's.")
    squares: CellsValue = Field(default=[])
    rectangles: Rectangles = Field(default=[])


class SquaresFile(BoardFile):
    """A grid of squares, each place a [column, row] counted from 0 at the top left."""

    board: Literal["squares"]
    square: SquareScale = SquareScale.model_construct()
    legend: Annotated[dict[Glyph, SquareLook], AtMost(limits.LEGEND)] = Field(description="What each glyph stands for.")
    rows: Drawing = Field(description="The board, one glyph for each square.")
    levels: Drawing | None = Field(
        default=None, description="A level for each square as rows of numbers, instead of levels in the legend."
    )
    edges: Annotated[list[SquareEdge], AtMost(limits.EDGES)] = Field(default=[])
    overrides: Annotated[list[SquareOverride], AtMost(limits.OVERRIDES)] = Field(default=[])
    areas: Annotated[list[SquareArea], AtMost(limits.AREAS)] = Field(default=[])
    labels: Labels = Field(default=[])
