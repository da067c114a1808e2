"""The results of `simulator engine`, beside those that it shares with the commands: reach, path, explain."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias

from pydantic import Field

from simulator.formats.answers.play import Entry, PricedLineModel, Question, StateModel
from simulator.formats.answers.values import AtMomentModel, FaultModel, Figure, Model, ReasonModel, absent


class _Standing(Model):
    clock: str
    """The turn, the phase and whose go it is, as text."""
    over: bool
    """Whether the game is over."""
    question: Question | None
    """The open question; null if there is none."""
    hash: str
    """The fingerprint of the whole table."""


class EngineGame(AtMomentModel, _Standing):
    """A game that was begun or loaded."""

    game: str
    """Its id."""
    seed: int | str | None
    """The seed of its dice; null without one."""


class EngineState(_Standing):
    """The whole table."""

    state: StateModel
    """The table."""


class EngineToMove(_Standing):
    """Whose go it is."""

    side: str
    """The side to move; empty if any may, or none."""
    unit: str
    """The unit in the middle of its go; empty if there is none."""
    may_go: list[str]
    """The units that can be ordered now; none while a question is open."""


class EngineOrders(Model):
    """Orders of a unit that are legal now."""

    orders: list[str]
    """The orders."""
    listed: bool
    """Whether the rulebook lists its orders; if not, there is one order of each action that has one."""
    more: bool
    """Whether there are others."""


class EngineLegal(_Standing):
    """Legal orders."""

    units: dict[str, EngineOrders]
    """By unit."""


class EngineHappened(_Standing):
    """What an order did, or has done up to its open question."""

    order: str
    """The order."""
    played: str
    """The order as it is played, with its way if it named only a place."""
    done: bool
    """Whether it is done; if not, its question is open."""
    record: list[Entry]
    """What happened: events, and questions with their answers."""
    price: list[PricedLineModel]
    """The price, line by line; it adds up to the cost."""
    cost: dict[str, Figure]
    """The cost in each currency."""


class EngineUndone(_Standing):
    """What was taken back."""

    undone: str
    """The order of which all answers, or the last one, were taken back."""


class EngineText(Model):
    """A game as a text."""

    form: Literal["log", "scenario"] = Field(alias="as")
    """What it is."""
    text: str
    """The text."""


class EngineFile(Model):
    """A game that was written to a file."""

    form: Literal["log", "scenario"] = Field(alias="as")
    """What it is."""
    path: str
    """The path of the file."""
    bytes: int
    """Its length."""


class EngineClosed(Model):
    """A game that was closed."""

    closed: str
    """Its id."""


class EngineVersion(Model):
    """The versions of the engine."""

    version: str
    """The version of the program."""
    protocol: int
    """The version of the protocol."""
    format: int
    """The version of the answers."""
    rulesets: list[str]
    """The rulebooks."""
    methods: list[str]
    """The methods."""


class EngineSchemaNames(Model):
    """The names of all schemas."""

    names: list[str]
    """The names."""


class EngineSchema(Model):
    """A JSON Schema."""

    name: str
    """Its name."""
    schema_: dict[str, Any] = Field(alias="schema")
    """The schema."""


# --- errors ---


class ParamFault(Model):
    """A parameter of another form."""

    path: str
    """The parameter."""
    message: str
    """What is wrong."""


class EngineErrorData(Model):
    """The details of an error; which of them are present depends on its code."""

    order: str = absent()
    """The order that the rules forbid."""
    reasons: list[ReasonModel] = absent()
    """Every reason against it."""
    legal: str | None = absent()
    """A legal order of the same kind; null if none is found among a few."""
    at: int = absent()
    """Where an order cannot be read: the character, from 0."""
    length: int = absent()
    """How many characters cannot be read."""
    expected: str = absent()
    """What would be possible there."""
    hint: str = absent()
    """What may be meant; may be empty."""
    advice: str = absent()
    """A legal order of the kind; may be empty."""
    meant: list[str] = absent()
    """The orders that may have been meant."""
    question: Question = absent()
    """The open question."""
    faults: list[FaultModel] | list[ParamFault] = absent()
    """The faults of a file, or of the parameters."""
    games: list[str] = absent()
    """The ids of the existing games."""
    seconds: float = absent()
    """The seconds that the question had."""


class EngineError(Model):
    """The error of an answer."""

    code: int
    """The code; see docs/engine_protocol.md."""
    message: str
    """What is wrong."""
    data: EngineErrorData = absent()
    """The details."""


EngineSaved: TypeAlias = EngineText | EngineFile
EngineSchemas: TypeAlias = EngineSchema | EngineSchemaNames
