"""The keys of board files of inch tables."""

from __future__ import annotations

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from simulator.formats import limits
from simulator.formats.board_models import (
    AtMost,
    BoardFile,
    FileModel,
    Heading,
    Length,
    LevelPair,
    Name,
    OneOf,
    PointsValue,
    PointValue,
    PositiveLength,
    Ring,
    Text,
    Word,
    wrong,
)


class CircleEntry(FileModel):
    """A disc."""

    centre: PointValue
    radius: PositiveLength


class RectangleEntry(FileModel):
    """A rectangle around its centre."""

    centre: PointValue
    size: PointValue = Field(description="Its sides along x and y, before turning.")
    turned: Heading = Field(default=0.0, description="Degrees to the left.")


class PieceEntry(OneOf):
    """One piece of terrain: its shape, kind and attributes."""

    one_of = ("polygon", "line", "point", "circle", "rectangle")

    id: Name = Field(description="Its name, used once.")
    kind: Word = Field(description="Its kind: a word that the rulebook knows.")
    layer: Literal["ground", "replacing", "modifier", "cover", "obstacle", "elevated"] = "ground"
    polygon: Ring | None = Field(default=None, description="Its corners in order, either way round.")
    holes: list[Ring] = Field(default=[], description="Rings cut out of the polygon.")
    line: PointsValue | None = Field(default=None, description="A line with bends.")
    width: Length = Field(default=0.0, description="The width of the line.")
    point: PointValue | None = Field(default=None, description="A single point.")
    circle: CircleEntry | None = None
    rectangle: RectangleEntry | None = None
    height: Length = Field(default=0.0, description="Its own height.")
    on: Text = Field(default="", description="The id of the elevated piece it stands on.")
    uphill: Heading = Field(
        default=0.0, description="The direction in which a slope rises: degrees, or a compass word."
    )
    paved: bool = Field(default=False, description="A road that stays firm.")
    wet: bool = Field(default=False, description="A road that is wet.")
    floors: int = Field(default=1, ge=1, description="Floors of a building.")
    floor_height: PositiveLength = Field(default=1.0, description="From floor to floor.")
    doors: PointsValue = Field(default=[], description="The points of its doors.")
    tree_cost: Length = Field(default=0.0, description="The cost of passing a single tree.")
    vehicle_entry: bool = Field(default=False, description="Vehicles may enter the building.")
    vehicle_floors: list[int] = Field(default=[], description="The floors that vehicles may use.")
    vehicle_ok: bool = Field(default=False, description="Vehicles may use these stairs.")
    joins: LevelPair = Field(default=(0, 1), description="The two floors that stairs or a ladder join.")
    run: PositiveLength = Field(default=1.0, description="The distance walked on the stairs.")
    size_class: int = Field(default=0, ge=0, description="The size class of elevated terrain.")
    top: Word = Field(default="open", description="The kind of ground on top.")
    cover: Word = Field(default="none", description="The kind of cover it provides.")

    @model_validator(mode="after")
    def _fits_its_shape(self) -> Self:
        if "holes" in self.model_fields_set and self.polygon is None:
            raise wrong("only a polygon has holes")
        if "width" in self.model_fields_set and self.line is None:
            raise wrong("only a line has a width")
        return self


#: The keys of a piece other than its identity, layer and shape.
PIECE_ATTRIBUTES = tuple(PieceEntry.model_fields)[tuple(PieceEntry.model_fields).index("uphill") :]


class EntryAreaEntry(FileModel):
    """Ground under one name: where a side enters, deploys, or what it fights for."""

    name: Name
    side: Text = Field(default="", description="Whose it is, if anybody's.")
    polygon: Ring


class TableLabel(FileModel):
    """A word written on the picture, ignored by the rules."""

    at: PointValue
    text: Text


class TableFile(BoardFile):
    """An inch table: pieces of terrain in a plane with x to the right and y up."""

    board: Literal["table"]
    size: PointValue = Field(description="The size of the table along x and y.")
    origin: PointValue = Field(default=(0.0, 0.0), description="Its lower left corner.")
    unit: Text = "inch"
    ground: Name = Field(default="open", description="The kind of ground where no piece lies.")
    pieces: Annotated[list[PieceEntry], AtMost(limits.PIECES)] = Field(default=[])
    entry_areas: Annotated[list[EntryAreaEntry], AtMost(limits.AREAS)] = Field(default=[])
    labels: Annotated[list[TableLabel], AtMost(limits.LABELS)] = Field(default=[])
