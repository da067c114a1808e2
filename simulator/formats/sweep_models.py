"""The keys of the plan of a sweep and their types: models of the input, and the source of its JSON Schema.

There are two kinds of plans, told apart by their key `sweep`: of games, and of reach maps. A model checks keys, types
and ranges. Everything that depends on the scenarios (options, figures, sides, units) is free here and is checked
against each of them afterwards, see `simulator.sweeps.plan_file` and `simulator.sweeps.reach_plan_file`.
"""

from __future__ import annotations

import re
from collections import Counter
from math import isfinite
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, GetCoreSchemaHandler, GetJsonSchemaHandler, PlainValidator, WithJsonSchema
from pydantic.json_schema import JsonSchemaValue
from pydantic_core import CoreSchema, core_schema

from simulator.formats.board_models import AtMost, FileModel, Name, Text, wrong
from simulator.formats.faults import got
from simulator.formats.limits import Limit
from simulator.formats.scenario_models import Scalar, ScalarOrList

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
MAPS = Limit("maps", 10_000, "reach maps of a sweep: scenarios times settings times units")
ASKED = Limit("asked", 1_000, "units of a sweep of reach maps")
HEADINGS = Limit("headings", 360, "headings that a unit of a sweep sets out with")


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


def _heading(value: Any) -> float | str:
    if isinstance(value, str) and value:
        return value
    if type(value) is int or (type(value) is float and isfinite(value)):
        return value
    raise wrong(f"expected a heading: degrees, or a word of the rulebook {got(value)}")


_HEADING = {"anyOf": [{"type": "number"}, {"type": "string", "minLength": 1}]}
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
HeadingAsked = Annotated[Any, PlainValidator(_heading), WithJsonSchema(_HEADING)]
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


class PlanFile(FileModel):
    """What every plan of a sweep says: scenarios, and the values of options and figures that are tried."""

    format: Literal[1] = Field(description="The version of the format.")
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


class SweepFile(PlanFile):
    """Scenarios, options, figures, agents and seeds: every combination of them is one game."""

    model_config = ConfigDict(json_schema_extra={"required": ["format", "sweep", "scenarios"]})

    sweep: Literal["games"] = Field(description="What is swept.")
    agents: Annotated[list[Agent], AtMost(AGENTS), Field(min_length=1)] = Field(
        default=["script"], description="Who plays: an agent for all sides, or one for each side."
    )
    seeds: Seeds = Field(default=1, description="The number of games with each setting, or their numbers.")
    seed: int = Field(default=0, description="The seed of the whole sweep.")
    limits: GameLimits = Field(default_factory=GameLimits)


class _MaybeName:
    """Marks a mapping with `unit` that may be written as its name alone."""

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.no_info_before_validator_function(self._spelt_out, handler(source))

    def __get_pydantic_json_schema__(self, schema: CoreSchema, handler: GetJsonSchemaHandler) -> JsonSchemaValue:
        return {"anyOf": [{"type": "string", "minLength": 1}, handler(schema)]}

    @staticmethod
    def _spelt_out(value: Any) -> Any:
        if isinstance(value, dict):
            return value
        if isinstance(value, str) and value:
            return {"unit": value}
        raise wrong(f"expected the name of a unit, or keys and values like {{unit: ann, action: move}} {got(value)}")


class UnitAsked(FileModel):
    """A unit of a sweep of reach maps, and what is asked of it from everywhere."""

    unit: Name = Field(description="The name of the unit; every scenario of the plan must have it.")
    action: Name | None = Field(default=None, description="The action; by default the first that fits.")
    # A value is read by the rulebook, as after --with.
    with_: Annotated[dict[str, Scalar], AtMost(VARIED)] = Field(
        default={}, alias="with", description="Parameters of the rulebook that refine the question, like {mode: run}."
    )
    headings: Annotated[list[HeadingAsked], AtMost(HEADINGS)] = Field(
        default=[],
        description="The headings to set out with; by default each of a lattice, on a table the unit's own.",
    )


class ReachSweepFile(PlanFile):
    """Scenarios, options, figures and units: every combination of them is one map of where the unit can end."""

    model_config = ConfigDict(json_schema_extra={"required": ["format", "sweep", "scenarios", "units"]})

    sweep: Literal["reach"] = Field(description="What is swept.")
    units: Annotated[list[Annotated[UnitAsked, _MaybeName()]], AtMost(ASKED), Field(min_length=1)] = Field(
        description="The units that are put everywhere, by name or with what is asked of them."
    )
    spacing: Annotated[float, Field(ge=0.01, le=1_000)] = Field(
        default=1.0, description="How far apart the places of a table are, in inches."
    )
    areas: bool = Field(
        default=False, description="On tables: measure the area of the ends from each start; it takes long."
    )
    costs: bool = Field(
        default=True, description="Keep what each place costs from each start, not only what the costs add up to."
    )


#: The model of a plan by its key `sweep`.
PLANS: dict[str, type[PlanFile]] = {"games": SweepFile, "reach": ReachSweepFile}
