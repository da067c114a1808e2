"""The keys of a scenario file and their types: models of the input, and the source of its JSON Schema.

A model checks keys, types and ranges. Keys that depend on the ruleset (types of unit, fields, options, figures, orders)
are free here and are checked against the ruleset afterwards, see `scenarios`.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Annotated, Any, Literal

from pydantic import (
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    GetJsonSchemaHandler,
    PlainValidator,
    SkipValidation,
    WithJsonSchema,
)
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from simulator.engine.clauses import CLAUSE_ID
from simulator.formats import limits
from simulator.formats.board_models import AtMost, FileModel, Name, Scenery, Text, wrong
from simulator.formats.faults import got
from simulator.formats.scenario_values import FRACTION, text_of_place

# -- kinds of values --------------------------------------------------------------------------------------------------


def _figure(value: Any) -> Fraction:
    if type(value) in (int, float):
        return Fraction(str(value))
    if isinstance(value, str) and FRACTION.fullmatch(value):
        return Fraction(value)
    raise wrong(f"expected a number, like 3, 2.5 or 5/2 {got(value)}")


def _distance(value: Any) -> Fraction:
    found = _figure(value)
    if found < 0:
        raise wrong(f"expected 0 or more {got(value)}")
    return found


def _cost(value: Any) -> dict[str, Fraction] | Fraction:
    if not isinstance(value, dict):
        return _distance(value)
    return {currency: _distance(number) for currency, number in value.items()}


def _price(value: Any) -> dict[str, Fraction] | Fraction:
    if not isinstance(value, dict):
        return _figure(value)
    return {currency: _figure(number) for currency, number in value.items()}


def _place(value: Any) -> str:
    """Return a place as the text that the ruleset reads: `3,4`."""
    try:
        return text_of_place(value)
    except ValueError:
        raise wrong(f"expected a place: two numbers like [3, 4], or a text like '3,4' {got(value)}") from None


def _heading(value: Any) -> str:
    if (isinstance(value, str) and value) or type(value) in (int, float):
        return str(value)
    raise wrong(f"expected degrees, or a compass word like north-east {got(value)}")


def _level(value: Any) -> str:
    if (isinstance(value, str) and value) or type(value) is int:
        return str(value)
    raise wrong(f"expected the name or the number of a level {got(value)}")


def _seed(value: Any) -> int | str:
    if (isinstance(value, str) and value) or type(value) is int:
        return value
    raise wrong(f"expected a whole number or a word {got(value)}")


def _clauses(value: Any) -> tuple[str, ...]:
    listed = value if isinstance(value, list) else [value]
    for clause in listed:
        if not (isinstance(clause, str) and CLAUSE_ID.fullmatch(clause)):
            raise wrong(f"expected the id of a clause, like GR-26, or a list of them {got(value)}")
    return tuple(listed)


def _scalar(value: Any) -> Any:
    if isinstance(value, bool | int | float | str):
        return value
    raise wrong(f"expected a word, a number, true or false {got(value)}")


def _answer(value: Any) -> Any:
    """Return an answer: a place among the options or within a region may be written as one, `[6.5, 3]`."""
    try:
        return text_of_place(value) if isinstance(value, list) else _scalar(value)
    except ValueError:
        return _scalar(value)


def _scalar_or_list(value: Any) -> Any:
    return [_scalar(item) for item in value] if isinstance(value, list) else _scalar(value)


def _board(value: Any) -> Any:
    if isinstance(value, dict) or (isinstance(value, str) and value):
        return value
    raise wrong(f"expected the path of a board file, or a board {got(value)}")


def _bounds(value: Any) -> tuple[float, float]:
    if isinstance(value, list) and len(value) == 2 and all(type(number) in (int, float) for number in value):
        if not 0 <= value[0] <= value[1]:
            raise wrong(f"expected the least first, 0 or more, and then the most {got(value)}")
        return float(value[0]), float(value[1])
    raise wrong(f"expected the least and the most, like [120, 130] {got(value)}")


_NUMBER = {"anyOf": [{"type": "number"}, {"type": "string", "pattern": f"^{FRACTION.pattern}$"}]}
_PRICE = {"anyOf": [*_NUMBER["anyOf"], {"type": "object", "additionalProperties": _NUMBER}]}
_PLACE = {
    "anyOf": [
        {"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 3},
        {"type": "string"},
    ]
}
_CLAUSE = {"type": "string", "pattern": f"^{CLAUSE_ID.pattern.strip(chr(92) + 'b')}$"}
_SCALAR = {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}]}
_WORD_OR_NUMBER = {"anyOf": [{"type": "number"}, {"type": "string"}]}
_OBJECT = {"type": "object"}

Figure = Annotated[Fraction, PlainValidator(_figure), WithJsonSchema(_NUMBER)]
Distance = Annotated[Fraction, PlainValidator(_distance), WithJsonSchema(_NUMBER)]
Price = Annotated[Any, PlainValidator(_price), WithJsonSchema(_PRICE)]
Cost = Annotated[Any, PlainValidator(_cost), WithJsonSchema(_PRICE)]
PlaceText = Annotated[str, PlainValidator(_place), WithJsonSchema(_PLACE)]
HeadingText = Annotated[str, PlainValidator(_heading), WithJsonSchema(_WORD_OR_NUMBER)]
LevelText = Annotated[str, PlainValidator(_level), WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "string"}]})]
Seed = Annotated[int | str, PlainValidator(_seed), WithJsonSchema({"anyOf": [{"type": "integer"}, {"type": "string"}]})]
Clauses = Annotated[
    tuple[str, ...],
    PlainValidator(_clauses),
    WithJsonSchema({"anyOf": [_CLAUSE, {"type": "array", "items": _CLAUSE}]}),
]
Scalar = Annotated[Any, PlainValidator(_scalar), WithJsonSchema(_SCALAR)]
Reply = Annotated[Any, PlainValidator(_answer), WithJsonSchema({"anyOf": [*_SCALAR["anyOf"], _PLACE["anyOf"][0]]})]
ScalarOrList = Annotated[
    Any,
    PlainValidator(_scalar_or_list),
    WithJsonSchema({"anyOf": [_SCALAR, {"type": "array", "items": _SCALAR}]}),
]
Bounds = Annotated[
    tuple[float, float],
    PlainValidator(_bounds),
    WithJsonSchema({"type": "array", "items": {"type": "number"}, "minItems": 2, "maxItems": 2}),
]
Count = Annotated[int, Field(ge=0)]
OrderText = Annotated[str, Field(min_length=1), AtMost(limits.TEXT)]
AnyFields = Annotated[dict[str, Any], WithJsonSchema(_OBJECT)]


# -- expectations -----------------------------------------------------------------------------------------------------


class EventSeen(FileModel):
    """An expected event, matched by the keys present: exactly `count` times, by default at least once."""

    kind: Text | None = None
    unit: Text | None = None
    clause: Clauses | None = None
    at: PlaceText | None = None
    count: Count | None = None


class QuestionAsked(FileModel):
    """An expected question, matched by the keys present."""

    what: Text | None = None
    who: Text | None = None
    clause: Clauses | None = None
    answer: Reply | None = None
    count: Count | None = None


class Refused(FileModel):
    """An order expected to be forbidden at this moment."""

    order: OrderText
    clause: Clauses | None = Field(default=None, description="Clauses that are among the reasons.")


class _ShortForm:
    """Marks a mapping with `at` that may be written as a place alone."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self._spelt_out, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [*_PLACE["anyOf"], handler(schema)]}

    @staticmethod
    def _spelt_out(value: Any) -> Any:
        return value if isinstance(value, dict) else {"at": _place(value)}


class PoseExpected(FileModel):
    """A place with an expectation, and optionally a heading and a level.

    The text of `at` may include them: `12,8 facing 90 level roof`.
    """

    at: PlaceText
    heading: HeadingText | None = None
    level: LevelText | None = None


class WithinExpected(PoseExpected):
    """A place or a pose expected in a reach, and its cost."""

    cost: Distance | None = None


class ReachExpected(FileModel):
    """The expected reach of a unit."""

    unit: Text
    action: Text = Field(default="", description="Without it, the usual action of the ruleset.")
    asking: AnyFields = Field(default={}, description="Further parameters of the ruleset's question.")
    then: list[Text] = Field(
        default=[], description="Further links of a chain: `drive mode=max`, `move to 3,4 or 5,4`, or orders."
    )
    size: Count | None = Field(default=None, description="The number of places.")
    area: Bounds | None = Field(default=None, description="The least and the most area.")
    includes: list[Annotated[WithinExpected, _ShortForm()]] = Field(
        default=[], description="Places, or places with a heading, a level and a cost."
    )
    excludes: list[Annotated[PoseExpected, _ShortForm()]] = Field(
        default=[], description="Places, or places with a heading and a level."
    )


class ClockExpected(FileModel):
    """The expected clock of the game."""

    turn: Count | None = None
    phase: Text | None = None
    side: Text | None = Field(default=None, description="The side to move.")
    unit: Text | None = Field(default=None, description="The unit whose go has begun.")
    over: bool | None = None


#: Fields and their values, or the word `gone`; the ruleset determines the fields.
UnitExpected = Annotated[Any, WithJsonSchema({"anyOf": [_OBJECT, {"enum": ["gone"]}]})]


class Expected(FileModel):
    """The expectations of the table at a moment, and of everything before it."""

    units: dict[str, UnitExpected] = Field(
        default={},
        description="For each unit: at, heading, side, type, carrier, spent (in the whole game), and its fields.",
    )
    clock: ClockExpected = Field(default_factory=ClockExpected)
    data: AnyFields = Field(default={}, description="The ruleset's data of the table.")
    events: list[EventSeen] = Field(default=[])
    asked: list[QuestionAsked] = Field(default=[])
    legal: list[OrderText] = Field(default=[], description="Orders that are legal now.")
    refused: list[Refused] = Field(default=[], description="Orders that are forbidden now.")
    reach: list[ReachExpected] = Field(default=[])
    dice_left: Count | None = Field(default=None, description="The number of dice results that nobody rolled.")


# -- play -------------------------------------------------------------------------------------------------------------


class DiceEntry(FileModel):
    """The source of the results of rolls: first `results`, then the seed, then the policy."""

    results: list[Scalar] = Field(default=[], description="The results of the game's rolls, in turn.")
    seed: Seed | None = None
    policy: Literal["lowest", "highest", "likeliest"] | None = None


class OrderEntry(FileModel):
    """An order with answers or expectations."""

    order: OrderText
    answers: list[Reply] = Field(
        default=[], description="Answers to the order's questions, in turn; pass declines a reaction."
    )
    refused: Clauses | None = Field(default=None, description="The order is forbidden, among others by these clauses.")
    cost: Cost | None = Field(default=None, description="The price of the order: a number, or one for each currency.")
    events: list[EventSeen] = Field(default=[])
    asked: list[QuestionAsked] = Field(default=[])
    expect: Expected = Field(default_factory=Expected, description="Expectations right after the order.")


class CheckEntry(FileModel):
    """A look at the table between two orders."""

    expect: Expected


#: An order with a colon: to YAML it is a key and a value.
Pair = Annotated[
    dict[str, str | list[str]],
    WithJsonSchema(
        {
            "type": "object",
            "minProperties": 1,
            "additionalProperties": {
                "anyOf": [{"type": "string"}, {"type": "array", "items": {"type": "string"}}],
            },
            "not": {"anyOf": [{"required": ["order"]}, {"required": ["expect"]}]},
        }
    ),
]


class HoldEntry(FileModel):
    """A place to hold: by the side with the most units there."""

    at: PlaceText
    within: Distance = Field(
        default=Fraction(0), description="How far units may be from it, in squares, dots or inches."
    )
    points: Figure = Field(default=Fraction(1), description="The points for holding it when the game is over.")


class ObjectiveEntry(FileModel):
    """What the game is played for, and when it ends."""

    turns: Annotated[int, Field(ge=1)] | None = Field(default=None, description="The last turn of the game.")
    last_side: bool = Field(default=False, description="Whether a side wins when no other has units left.")
    hold: dict[str, HoldEntry] = Field(default={}, description="Places to hold, by name.")
    units: Price | None = Field(
        default=None, description="The points for a surviving unit: a number, or one for each type of unit."
    )


class ScenarioFile(FileModel):
    """A board, units, orders, dice, and the expected outcome."""

    model_config = ConfigDict(json_schema_extra={"required": ["format", "ruleset", "board"]})

    format: Literal[1] = Field(description="The version of the format.")
    ruleset: Name = Field(description="The name of the rulebook.")
    name: Text = Field(default="", description="The name of the scenario; by default that of the file.")
    description: Text = Field(default="", description="A description of the scenario.")
    # It is required; but without it the rest can still be checked.
    board: Annotated[Any, PlainValidator(_board), WithJsonSchema({"anyOf": [{"type": "string"}, _OBJECT]})] = Field(
        default=None, description="The path of a board file, relative to this file, or an inline board."
    )
    options: Annotated[dict[str, ScalarOrList], AtMost(limits.SETTINGS)] = Field(
        default={}, description="Options of the ruleset."
    )
    tables: Annotated[dict[str, ScalarOrList], AtMost(limits.SETTINGS)] = Field(
        default={}, description="Figures of the ruleset, by path."
    )
    units: Annotated[dict[str, AnyFields], AtMost(limits.UNITS)] = Field(
        default={},
        description="For each unit: type, side, at (place or pose), heading, carrier, and its fields.",
    )
    data: AnyFields = Field(default={}, description="The ruleset's data of the table when the game begins.")
    dice: DiceEntry = Field(default_factory=DiceEntry)
    answers: Annotated[dict[str, Reply], AtMost(limits.SETTINGS)] = Field(
        default={},
        description="The answer to each kind of question: always, never, first, default or the answer itself.",
    )
    turns: list[SkipValidation[str | Pair | OrderEntry | CheckEntry | list[str | OrderEntry | CheckEntry | Pair]]] = (
        Field(default=[], description="The orders of each turn.")
    )
    expect: Expected = Field(default_factory=Expected, description="Expectations of the end.")
    objective: ObjectiveEntry = Field(default_factory=ObjectiveEntry, description="What the game is played for.")
    scenery: Scenery = Field(
        default=[], description="Words of the board for the picture only, which the ruleset need not read."
    )


def independent(model: type[FileModel]) -> tuple[str, ...]:
    """Return the optional keys of a mapping: a fault in one does not stop the others from being checked."""
    return tuple(name for name, field in model.model_fields.items() if not field.is_required())
