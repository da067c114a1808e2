"""The parameters of each method: named, and checked before anything is done."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

#: The longest deadline, and the highest limit of a question, in seconds.
MOST_SECONDS = 600

Short = Annotated[str, Field(max_length=400)]
Order = Annotated[str, Field(max_length=4000)]
FilePath = Annotated[str, Field(min_length=1, max_length=1000)]


class Params(BaseModel):
    """No parameters: unknown names are refused, and types are not converted."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewParams(Params):
    """A scenario to play: the path of its file, or its text with the board in it."""

    scenario: FilePath = ""
    text: str = ""
    seed: Annotated[int, Field(ge=-(2**63), lt=2**63)] | Short | None = None
    options: dict[Short, Any] = Field(default_factory=dict, max_length=200)
    figures: dict[Short, Any] = Field(default_factory=dict, max_length=1000)
    #: Which questions are asked; all others are answered by the scenario, its dice and defaults.
    ask: Literal["all", "choices", "nothing"] = "choices"

    @model_validator(mode="after")
    def _one_of_both(self) -> NewParams:
        if bool(self.scenario) == bool(self.text):
            raise ValueError("either a scenario, the path of a file, or its text")
        return self


class LoadParams(Params):
    """A log to go on with: the path of its file, or its text."""

    log: FilePath = ""
    text: str = ""
    ask: Literal["all", "choices", "nothing"] = "choices"

    @model_validator(mode="after")
    def _one_of_both(self) -> LoadParams:
        if bool(self.log) == bool(self.text):
            raise ValueError("either a log, the path of a file, or its text")
        return self


class GameParams(Params):
    """A game."""

    game: Short


class LimitedParams(GameParams):
    """A question about a game: when so many seconds are over, it is given up."""

    seconds: Annotated[float, Field(gt=0, le=MOST_SECONDS)] | None = None


class LegalParams(LimitedParams):
    """The units whose legal orders are listed; all that may go now if none is named."""

    unit: Short = ""
    most: Annotated[int, Field(ge=1, le=10_000)] = 1000


class QuestionParams(LimitedParams):
    """A question about a unit with an action."""

    unit: Short
    action: Short = ""
    values: dict[Short, Short | int | bool] = Field(default_factory=dict, max_length=20, alias="with")
    to: Short = ""


class ReachParams(QuestionParams):
    """Where a unit can end; with `within` what is known of that after some seconds."""

    within: Annotated[float, Field(ge=0, le=MOST_SECONDS)] | None = None

    @model_validator(mode="after")
    def _one_deadline(self) -> ReachParams:
        if self.within is not None and self.seconds is not None:
            raise ValueError("either within, to get what is known by then, or seconds, to give up")
        return self


class PlaceParams(QuestionParams):
    """The same for one place."""

    to: Annotated[str, Field(min_length=1, max_length=400)]


class DoParams(GameParams):
    """An order, and answers to its questions in turn."""

    order: Order
    answers: list[Any] = Field(default_factory=list, max_length=1000)


class AnswerParams(GameParams):
    """The answer to the open question."""

    answer: Any


class SaveParams(GameParams):
    """A game to keep, as the log of its orders or as a scenario; with a path as a file."""

    form: Literal["log", "scenario"] = Field(default="log", alias="as")
    path: FilePath | None = None
    name: Short = ""


class SchemaParams(Params):
    """The name of a schema; all names without one."""

    name: Short = ""
