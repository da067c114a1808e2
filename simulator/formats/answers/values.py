"""What all answers are made of: figures, places, the beginning of every document, reasons, faults."""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue

Fraction = Annotated[str, Field(pattern=r"^-?[0-9]+/[1-9][0-9]*$")]
#: A whole number or a measured one is a JSON number, a fraction is a text such as "7/3".
Figure: TypeAlias = int | float | Fraction
#: A value of the table in plain data; its figures are written like all others.
Value: TypeAlias = JsonValue
#: Values by name, which the rulebook defines.
Fields: TypeAlias = dict[str, Value]
#: Column and row, or x and y in inches; a third figure where the rulebook numbers levels.
Place: TypeAlias = list[Figure]
Heading: TypeAlias = int | float | str
Level: TypeAlias = int | float | str


class Model(BaseModel):
    """A part of an answer: unknown keys are refused, and types are not converted."""

    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True)


def absent(alias: str | None = None) -> Any:
    """Return the default of a field that an answer leaves out where it says nothing; `alias` is its key."""
    return Field(default=None, alias=alias)


class DocumentModel(Model):
    """What every document of a command begins with."""

    format: Literal[1]
    """The version of the document."""


class BoardModel(Model):
    """What identifies a board."""

    name: str
    """Its name; may be empty."""
    kind: str
    """squares, dots or table."""
    hash: str
    """The fingerprint of its contents."""


class AtMomentModel(DocumentModel):
    """What every document about a game begins with."""

    scenario: str
    """The name of the scenario."""
    ruleset: str
    """The name of the rulebook."""
    board: BoardModel
    """The board."""
    clock: str
    """The turn, the phase and whose go it is, as text."""


class ReasonModel(Model):
    """A reason against an order or a place."""

    clause: str
    """The clause of the rulebook that forbids it; empty if no clause does, but the table."""
    message: str
    """What is wrong."""
    needed: Figure | str | None
    """The amount or the state that is required; null if nothing is compared."""
    available: Figure | str | None
    """The available amount or state."""
    blocker: str
    """The unit or the piece in the way; empty if there is none."""
    place: Place | None
    """Where it is in the way."""


class FaultModel(Model):
    """Something wrong in a file."""

    file: str
    """The file."""
    line: int
    """The line, from 1; 0 if it is the whole file."""
    column: int
    """The column, from 1; 0 if it is the whole file."""
    path: str
    """The key, such as units.ash.at."""
    message: str
    """What is wrong, and what would be right."""


class OptionChangeModel(Model):
    """An option with another value."""

    name: str
    """Its name."""
    clause: str
    """Its clause."""
    before: str
    """Its value now."""
    after: str
    """Its other value."""
