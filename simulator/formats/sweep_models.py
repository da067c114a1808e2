"""The keys of the plan of a sweep and their types: models of the input, and the source of its JSON Schema.

A model checks keys, types and ranges. Everything that depends on the scenarios (options, figures, sides) is free here
and is checked against each of them afterwards, see `simulator.sweeps.plan_file`.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, PlainValidator, WithJsonSchema

from simulator.formats.board_models import AtMost, FileModel, Name, Text, wrong
from simulator.formats.faults import got
from simulator.formats.limits import Limit
from simulator.formats.scenario_models import ScalarOrList

#: The agents that come with the package.
OWN_AGENTS = ("script", "random", "greedy")
#: An agent of somebody else's: `package.module:name`.
IMPORTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*:[A-Za-z_]\w*")

RUNS = Limit("runs", 1_000_000, "games of a sweep: scenarios times settings times agents times seeds")
VALUES = Limit("values", 100, "values of one option or figure")
VARIED = Limit("varied", 20, "options, or figures, that a sweep varies")
SCENARIOS = Limit("scenarios", 1_000, "scenarios of a sweep")
AGENTS = Limit("agents", 100, "agents of a sweep")
SEEDS = Limit("seeds", 100_000, "seeds listed in a sweep")


def _agent(value: Any) -> str | dict[str, str]:
    if isinstance(value, dict):
        if not value:
            raise wrong("expected an agent for each side, like {red: greedy, blue: random}")
        if "script" in value.values():
            raise wrong("the script plays all sides: write `script` by itself")
        return {side: _agent_name(agent) for side, agent in value.items()}
    return _agent_name(value)


def _agent_name(value: Any) -> str:
    if isinstance(value, str) and (value in OWN_AGENTS or IMPORTED.fullmatch(value)):
        return value
    known = ", ".join(OWN_AGENTS)
    raise wrong(f"expected an agent: {known}, or one of your own as package.module:name {got(value)}")


def _seeds(value: Any) -> int | list[int]:
    if type(value) is int and value >= 1:
        if value > RUNS.most:
            raise wrong(RUNS.reached(value), limit=True)
        return value
    if isinstance(value, list) and value and all(type(number) is int for number in value):
        if len(value) > SEEDS.most:
            raise wrong(SEEDS.reached(len(value)), limit=True)
        _refuse_twice(value)
        return value
    raise wrong(f"expected the number of games with each setting, or a list of whole numbers {got(value)}")


def _different(value: Any) -> Any:
    """Refuse an empty list, and a value that is listed twice."""
    if not isinstance(value, list):
        raise wrong(f"expected a list of the values to try {got(value)}")
    if not value:
        raise wrong("lists nothing to try")
    if len(value) > VALUES.most:
        raise wrong(VALUES.reached(len(value)), limit=True)
    _refuse_twice(value)
    return value


def _refuse_twice(values: list[Any]) -> None:
    twice = [text for text, count in Counter(map(repr, values)).items() if count > 1]
    if twice:
        raise wrong(f"lists {twice[0]} twice")


_AGENT_NAME = {"type": "string", "pattern": f"^({'|'.join(OWN_AGENTS)}|{IMPORTED.pattern})$"}
_VALUE = {"anyOf": [{"type": "string"}, {"type": "number"}, {"type": "boolean"}]}
_LISTED = {"anyOf": [*_VALUE["anyOf"], {"type": "array", "items": _VALUE}]}
Values = Annotated[
    list[ScalarOrList],
    PlainValidator(_different),
    WithJsonSchema({"type": "array", "items": _LISTED, "minItems": 1, "maxItems": VALUES.most}),
]
Agent = Annotated[
    Any,
    PlainValidator(_agent),
    WithJsonSchema({"anyOf": [_AGENT_NAME, {"type": "object", "additionalProperties": _AGENT_NAME}]}),
]
Seeds = Annotated[
    Any,
    PlainValidator(_seeds),
    WithJsonSchema(
        {"anyOf": [{"type": "integer", "minimum": 1}, {"type": "array", "items": {"type": "integer"}, "minItems": 1}]}
    ),
]


class GameLimits(FileModel):
    """Where a game of a sweep is stopped; a game that is stopped is a row of the results, too."""

    turns: Annotated[int, Field(ge=1, le=10_000)] | None = Field(
        default=None, description="The turns that agents play; by default as many as the scenario has."
    )
    orders: Annotated[int, Field(ge=1, le=1_000_000)] = Field(
        default=1_000, description="The most orders of a game, `done` included."
    )
    seconds: Annotated[float, Field(gt=0, le=86_400)] = Field(
        default=60.0, description="The most seconds of a game; it is stopped within an order, too."
    )


class SweepFile(FileModel):
    """Scenarios, options, figures, agents and seeds: every combination of them is one game."""

    model_config = ConfigDict(json_schema_extra={"required": ["format", "sweep", "scenarios"]})

    format: Literal[1] = Field(description="The version of the format.")
    sweep: Literal["games"] = Field(description="What is swept.")
    name: Text = Field(default="", description="The name of the sweep; by default that of the file.")
    description: Text = Field(default="", description="A description of the sweep, shown in the report.")
    scenarios: Annotated[list[Name], AtMost(SCENARIOS), Field(min_length=1)] = Field(
        description="The scenario files, relative to the plan."
    )
    options: Annotated[dict[str, Values], AtMost(VARIED)] = Field(
        default={}, description="For each option of the rulebook the values to try; the first one is the reference."
    )
    tables: Annotated[dict[str, Values], AtMost(VARIED)] = Field(
        default={}, description="For each figure of the rulebook the values to try; the first one is the reference."
    )
    agents: Annotated[list[Agent], AtMost(AGENTS), Field(min_length=1)] = Field(
        default=["script"], description="Who plays: an agent for all sides, or one for each side."
    )
    seeds: Seeds = Field(default=1, description="The number of games with each setting, or their numbers.")
    seed: int = Field(default=0, description="The seed of the whole sweep.")
    limits: GameLimits = Field(default_factory=GameLimits)
