"""The keys of a board file and their types: models of the input, and the source of the JSON Schemas.

A model checks keys, types and ranges only. Whether a place is on the board, or a polygon valid, is checked when the
board is built. Each validator raises one message with the value it got; lines and columns come from the file's tree.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainValidator,
    WithJsonSchema,
    model_validator,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from simulator.formats import limits
from simulator.formats.faults import got
from simulator.formats.limits import Limit
from simulator.geometry.angles import heading_from_text

Cell = tuple[int, int]
Point = tuple[float, float]


# -- kinds of values --------------------------------------------------------------------------------------------------


def wrong(message: str, *, at: int | None = None, limit: bool = False) -> PydanticCustomError:
    """Return the error for a validator to raise: a complete message, and the index of the faulty list item."""
    return PydanticCustomError("limit" if limit else "wrong", "{message}", {"message": message, "at": at})


@dataclass(frozen=True)
class AtMost:
    """Marks a text, a list or a mapping whose length is limited; checked before its content."""

    limit: Limit

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self._check, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        made = handler(schema)
        keyword = {"string": "maxLength", "array": "maxItems", "object": "maxProperties"}[made["type"]]
        return {**made, keyword: self.limit.most}

    def _check(self, value: Any) -> Any:
        if isinstance(value, str | list | dict) and len(value) > self.limit.most:
            raise wrong(self.limit.reached(len(value)), limit=True)
        return value


def _checked_pair(value: Any, kinds: tuple[type, ...], expected: str) -> Any:
    if not (isinstance(value, list) and len(value) == 2 and type(value[0]) in kinds and type(value[1]) in kinds):
        raise wrong(f"wants {expected} {got(value)}")
    for number in value:
        if abs(number) > limits.COORDINATE.most:
            raise wrong(limits.COORDINATE.reached(number), limit=True)
    return tuple(value)


def _cell(value: Any) -> Cell:
    pair: Cell = _checked_pair(value, (int,), "a place: two whole numbers, like [3, 4]")
    return pair


def _point(value: Any) -> Point:
    x, y = _checked_pair(value, (int, float), "a point: two numbers, like [3, 4.5]")
    return float(x), float(y)


def _each(one: Callable[[Any], Any], expected: str) -> Callable[[Any], Any]:
    """Return a validator of a list that reports only its first faulty item, however long the list."""

    def check(value: Any) -> list[Any]:
        if not isinstance(value, list):
            raise wrong(f"wants {expected} {got(value)}")
        checked = []
        for number, item in enumerate(value):
            try:
                checked.append(one(item))
            except PydanticCustomError as error:
                context = error.context or {}
                raise wrong(context["message"], at=number, limit=error.type == "limit") from None
        return checked

    return check


def _two_cells(value: Any) -> tuple[Cell, Cell]:
    if not (isinstance(value, list) and len(value) == 2 and all(isinstance(item, list) for item in value)):
        raise wrong(f"wants two places, like [[3, 2], [4, 2]] {got(value)}")
    return _cell(value[0]), _cell(value[1])


def _glyph(value: str) -> str:
    if len(value) != 1 or value.isspace() or not value.isprintable():
        raise wrong(f"a glyph is one visible character {got(value)}")
    return value


def _heading(value: Any) -> float:
    if isinstance(value, str):
        try:
            return heading_from_text(value)
        except ValueError as error:
            raise wrong(str(error)) from None
    if type(value) not in (int, float):
        raise wrong(f"wants degrees, or a compass word like NE {got(value)}")
    if abs(value) > limits.COORDINATE.most:
        raise wrong(limits.COORDINATE.reached(value), limit=True)
    return float(value)


def _levels(value: Any) -> tuple[int, int]:
    low_high: tuple[int, int] = _checked_pair(value, (int,), "two levels, like [0, 1]")
    return low_high


def _number(value: Any) -> float:
    if abs(value) > limits.COORDINATE.most:
        raise wrong(limits.COORDINATE.reached(value), limit=True)
    return float(value)


_CELL_SCHEMA = {"type": "array", "items": {"type": "integer"}, "minItems": 2, "maxItems": 2}
_POINT_SCHEMA = {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}
_CELLS_SCHEMA = {"type": "array", "items": _CELL_SCHEMA}
_TWO_CELLS_SCHEMA = {**_CELLS_SCHEMA, "minItems": 2, "maxItems": 2}

Text = Annotated[str, AtMost(limits.TEXT)]
Name = Annotated[str, Field(min_length=1), AtMost(limits.TEXT)]
#: A text of rows, drawn glyph by glyph; its size is counted in cells.
Drawing = Annotated[str, Field(min_length=1)]
Glyph = Annotated[str, AfterValidator(_glyph), WithJsonSchema({"type": "string", "pattern": r"^\S$"})]
Glyphs = Annotated[str, Field(min_length=1), AtMost(limits.LEGEND)]
Level = Annotated[int, Field(ge=-32_768, le=32_767)]
Storeys = Annotated[int, Field(ge=0, le=32_767)]
LatticeSize = Annotated[float, Field(gt=0, lt=1e6)]
CellValue = Annotated[Cell, PlainValidator(_cell), WithJsonSchema(_CELL_SCHEMA)]
CellsValue = Annotated[
    list[Cell], PlainValidator(_each(_cell, "a list of places, like [[0, 0], [1, 0]]")), WithJsonSchema(_CELLS_SCHEMA)
]
TwoCells = Annotated[tuple[Cell, Cell], PlainValidator(_two_cells), WithJsonSchema(_TWO_CELLS_SCHEMA)]
Rectangles = Annotated[
    list[tuple[Cell, Cell]],
    PlainValidator(_each(_two_cells, "a list of rectangles, each two corners, like [[[0, 0], [1, 5]]]")),
    WithJsonSchema({"type": "array", "items": _TWO_CELLS_SCHEMA}),
]
PointValue = Annotated[Point, PlainValidator(_point), WithJsonSchema(_POINT_SCHEMA)]
PointsValue = Annotated[
    list[Point],
    PlainValidator(_each(_point, "a list of points, like [[0, 0], [4.5, 2]]")),
    WithJsonSchema({"type": "array", "items": _POINT_SCHEMA}),
]
Ring = Annotated[
    list[Point],
    PlainValidator(_each(_point, "a list of corners, like [[0, 0], [4, 0], [4, 3]]")),
    WithJsonSchema({"type": "array", "items": _POINT_SCHEMA, "minItems": 3}),
]
Heading = Annotated[
    float,
    PlainValidator(_heading),
    WithJsonSchema({"anyOf": [{"type": "number"}, {"type": "string"}]}),
]
Length = Annotated[float, Field(ge=0), AfterValidator(_number)]
PositiveLength = Annotated[float, Field(gt=0), AfterValidator(_number)]
Word = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]*$"), AtMost(limits.TEXT)]
LevelPair = Annotated[tuple[int, int], PlainValidator(_levels), WithJsonSchema(_CELL_SCHEMA)]


class FileModel(BaseModel):
    """A mapping of a file: no unknown keys, no type conversions, no NaN or infinity.

    Its validator is built when the first file with such a mapping is read, which spares the models of other files.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False, defer_build=True)


class OneOf(FileModel):
    """A mapping with exactly one of several keys."""

    one_of: ClassVar[tuple[str, ...]]

    @model_validator(mode="after")
    def _has_one_key(self) -> Self:
        keys = [key for key in self.one_of if key in self.model_fields_set]
        if len(keys) != 1:
            raise wrong(f"wants exactly one of {', '.join(self.one_of)} (got {' and '.join(keys) or 'none'})")
        return self

    @classmethod
    def __get_pydantic_json_schema__(cls, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        made = handler.resolve_ref_schema(handler(schema))
        made["oneOf"] = [{"required": [key]} for key in cls.one_of]
        return made


class Override(FileModel):
    """The place or rectangle of an override; its changes are keys of the legend."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [{"required": ["at"]}, {"required": ["from", "to"]}]})

    at: CellValue | None = Field(default=None, description="One place.")
    from_: CellValue | None = Field(default=None, alias="from", description="A corner of a rectangle of the drawing.")
    to: CellValue | None = Field(default=None, description="Its opposite corner, included.")

    @model_validator(mode="after")
    def _is_somewhere(self) -> Self:
        keys = self.model_fields_set & {"at", "from_", "to"}
        if keys not in ({"at"}, {"from_", "to"}):
            shown = " and ".join(key.rstrip("_") for key in ("at", "from_", "to") if key in keys) or "none"
            raise wrong(f"wants either at, or from and to (got {shown})")
        if self.model_fields_set == keys:
            raise wrong("changes nothing: add at least one key of the legend")
        return self


class LatticeLabel(OneOf):
    """A word written on the picture, ignored by the rules."""

    one_of = ("at", "point")

    at: CellValue | None = Field(default=None, description="The place at whose centre it is written.")
    point: PointValue | None = Field(default=None, description="A point of the plane instead: x right, y up.")
    text: Text


Labels = Annotated[list[LatticeLabel], AtMost(limits.LABELS)]
Scenery = Annotated[list[Name], AtMost(limits.SETTINGS)]


class BoardFile(FileModel):
    """The keys of every board file."""

    format: Literal[1] = Field(description="The version of the format.")
    board: str
    name: Text = Field(default="", description="The name of the board; by default that of the file.")
    description: Text = Field(default="", description="A description of the board.")
    scenery: Scenery = Field(
        default=[], description="Words for the picture only: kinds, terrain, attributes no rulebook reads."
    )


# -- squares ----------------------------------------------------------------------------------------------------------


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
    squares: CellsValue = []
    rectangles: Rectangles = []


class SquaresFile(BoardFile):
    """A grid of squares, each place a [column, row] counted from 0 at the top left."""

    board: Literal["squares"]
    square: SquareScale = SquareScale()
    legend: Annotated[dict[Glyph, SquareLook], AtMost(limits.LEGEND)] = Field(description="What each glyph stands for.")
    rows: Drawing = Field(description="The board, one glyph for each square.")
    levels: Drawing | None = Field(
        default=None, description="A level for each square as rows of numbers, instead of levels in the legend."
    )
    edges: Annotated[list[SquareEdge], AtMost(limits.EDGES)] = []
    overrides: Annotated[list[SquareOverride], AtMost(limits.OVERRIDES)] = []
    areas: Annotated[list[SquareArea], AtMost(limits.AREAS)] = []
    labels: Labels = []


# -- dots -------------------------------------------------------------------------------------------------------------


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
    dots: CellsValue = []
    rectangles: Rectangles = Field(default=[], description="Rectangles of the drawing; holes in it are left out.")


class DotsFile(BoardFile):
    """A hex-dot map, drawn as rows of which every other is shifted by half a dot."""

    board: Literal["dots"]
    dot: DotScale = DotScale()
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
    edges: Annotated[list[DotEdge], AtMost(limits.EDGES)] = []
    overrides: Annotated[list[DotOverride], AtMost(limits.OVERRIDES)] = []
    areas: Annotated[list[DotArea], AtMost(limits.AREAS)] = []
    labels: Labels = []


# -- tables -----------------------------------------------------------------------------------------------------------


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
    pieces: Annotated[list[PieceEntry], AtMost(limits.PIECES)] = []
    entry_areas: Annotated[list[EntryAreaEntry], AtMost(limits.AREAS)] = []
    labels: Annotated[list[TableLabel], AtMost(limits.LABELS)] = []
