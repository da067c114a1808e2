"""The rows of `maps.parquet`: which map it is, and what its arrays add up to."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.sweeps.columns import Column, varied_columns
from simulator.sweeps.plan import AnyPlan
from simulator.sweeps.reach_map_file import ReachMap
from simulator.sweeps.reach_map_text import ground_of, ground_unit
from simulator.sweeps.reach_plan import MapAt, ReachPlan

#: How a map can end, as in the column `outcome`.
COMPUTED, ERROR = "computed", "error"
#: The longest error that a row holds.
_LONGEST = 500
#: The columns that say which map a row belongs to; after them one column for each option and figure that is varied.
_COORDINATES = (
    Column("map", "int", "the number of the map in the sweep, from 0"),
    Column("scenario", "text", "the scenario"),
    Column("ruleset", "text", "its rulebook"),
    Column("unit", "text", "the unit, as asked about: with its action, values and headings, if the plan names any"),
)
_MEASURES = (
    Column("action", "text", "the action"),
    Column("starts", "int", "the starts: places where it may stand, with each heading and on each level"),
    Column("places", "int", "the different places among them"),
    Column("unanswered", "int", "the starts without an answer"),
    Column("limited", "int", "those of them for which a search has reached its limit"),
    Column("ground_unit", "text", "the unit of what follows: `place`, or `square inch`"),
    Column("ground_mean", "float", "how much ground a start gets to in the mean"),
    Column("ground_least", "float", "the same, of the start that gets to least"),
    Column("ground_median", "float", "the same, of the one in the middle"),
    Column("ground_most", "float", "the same, of the one that gets to most"),
    Column("cost_unit", "text", "the unit of costs"),
    Column("cost_mean", "float", "the cost that covers half of a start's ends, in the mean of all starts"),
    Column("reached_from_mean", "float", "from how many starts a place can be reached in the mean"),
    Column("reached_from_most", "int", "the same, of the place reached from most"),
    Column("never_reached", "int", "the places that cannot be reached from anywhere"),
)
_ENDS = (
    Column("outcome", "text", "`computed` or `error`"),
    Column("error", "text", "what went wrong; empty if nothing did"),
    Column("file", "text", "the file of its arrays"),
    Column("command", "text", "the command that makes it by itself, in the folder of the plan"),
)


def map_columns(plan: AnyPlan) -> tuple[Column, ...]:
    """Return the columns of `maps.parquet`."""
    return (*_COORDINATES, *varied_columns(plan), *_ENDS, *_MEASURES)


def computed_row(plan: ReachPlan, at: MapAt, found: ReachMap, file: str) -> dict[str, Any]:
    """Return the row of a map that was computed."""
    ground, reached = ground_of(found), found.arrays["reached_from"][found.arrays["present"]]
    known = found.arrays["answered"]
    costs = found.arrays["cost_quantiles"][:, 1].astype(np.float64)
    ground, costs = ground[known], costs[np.isfinite(costs)]
    about = found.about
    return {
        **_head(plan, at, COMPUTED, "", file),
        "action": about["action"],
        "starts": len(found),
        "places": len(np.unique(found.arrays["cell"])),
        "unanswered": sum(one["starts"] for one in about["unanswered"]),
        "limited": about["limited"],
        "ground_unit": ground_unit(found),
        "ground_mean": float(ground.mean()) if ground.size else None,
        "ground_least": float(ground.min()) if ground.size else None,
        "ground_median": float(np.median(ground)) if ground.size else None,
        "ground_most": float(ground.max()) if ground.size else None,
        "cost_unit": about["cost_unit"],
        "cost_mean": float(costs.mean()) if costs.size else None,
        "reached_from_mean": float(reached.mean()),
        "reached_from_most": int(reached.max()),
        "never_reached": int(np.count_nonzero(reached == 0)),
    }


def failed_row(plan: ReachPlan, at: MapAt, error: str) -> dict[str, Any]:
    """Return the row of a map that could not be computed."""
    shown = error if len(error) <= _LONGEST else f"{error[: _LONGEST - 1]}…"
    return {**_head(plan, at, ERROR, shown, ""), **{column.name: None for column in _MEASURES}}


def _head(plan: ReachPlan, at: MapAt, outcome: str, error: str, file: str) -> dict[str, Any]:
    return {
        "map": at.number,
        "scenario": at.staging.label,
        "ruleset": at.staging.scenario.setting.ruleset.name,
        "unit": at.asking.label,
        **{f"{one.kind}.{one.name}": one.texts[index] for one, index in zip(plan.varied, at.settings, strict=True)},
        "outcome": outcome,
        "error": error,
        "file": file,
        "command": plan.command(at),
    }
