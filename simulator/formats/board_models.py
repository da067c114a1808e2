"""The keys of a board file and their types: models of the input, and the source of the JSON Schemas.

A model checks keys, types and ranges only. Whether a place is on the board, or a polygon valid, is checked when the
board is built. Each validator raises one message with the value it got; lines and columns come from the file's tree.

Here is what all boards have; `squares_models`, `dots_models` and `table_models` have the keys of each kind.
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
        raise wrong(f"expected {expected} {got(value)}")
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
            raise wrong(f"expected {expected} {got(value)}")
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
        raise wrong(f"expected two places, like [[3, 2], [4, 2]] {got(value)}")
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
        raise wrong(f"expected degrees, or a compass word like NE {got(value)}")
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
            raise wrong(f"expected exactly one of {', '.join(self.one_of)} (got {' and '.join(keys) or 'none'})")
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
            raise wrong(f"expected either at, or from and to (got {shown})")
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
