"""The objective of a scenario, from its entry in a file and back to one."""

from __future__ import annotations

from typing import Any

from simulator.engine.objectives import HeldPlace, Objective
from simulator.engine.places import read_pose
from simulator.engine.table import Setting
from simulator.engine.values import Fields, plain_number
from simulator.formats.documents import SourceFile
from simulator.formats.faults import Path, got, no_such
from simulator.formats.scenario_models import HoldEntry, ObjectiveEntry

_UNDER: Path = ("objective",)


def read_objective(
    source: SourceFile, entry: ObjectiveEntry, setting: Setting[Any], sides: tuple[str, ...]
) -> Objective:
    """Check an entry against the board and the ruleset and return the objective; faults are added to the source."""
    places = [_held(source, name, held, setting) for name, held in entry.hold.items()]
    known = setting.ruleset.unit_types
    points = entry.units
    if isinstance(points, dict):
        for kind in points:
            if kind not in known:
                source.fault((*_UNDER, "units", kind), no_such(kind, known, "type of unit"), on_key=True)
    elif points is not None:
        points = dict.fromkeys(known, points)
    if entry.last_side and len(sides) < 2:
        source.fault((*_UNDER, "last_side"), "expected units of two sides or more: with one, the game is over at once")
    return Objective(
        hold=tuple(place for place in places if place is not None),
        units=Fields(points or {}),
        turns=entry.turns,
        last_side=entry.last_side,
        sides=sides if entry.model_fields_set else (),
    )


def _held(source: SourceFile, name: str, entry: HoldEntry, setting: Setting[Any]) -> HeldPlace | None:
    path: Path = (*_UNDER, "hold", name, "at")
    try:
        pose = read_pose(setting.vocabulary, entry.at)
    except ValueError:
        source.fault(path, f"expected {setting.vocabulary.goal_place.about} {got(entry.at)}")
        return None
    if pose.heading is not None or pose.level is not None:
        source.fault(path, f"expected a place alone: it is held on every level, whatever the heading {got(entry.at)}")
        return None
    if pose.place not in setting.board:
        source.fault(path, f"is not on the board {got(entry.at)}")
        return None
    return HeldPlace(name, pose.place, plain_number(entry.within), plain_number(entry.points))


def written_objective(setting: Setting[Any]) -> dict[str, Any]:
    """Return the entry of an objective, without what it leaves at its default."""
    objective, write = setting.objective, setting.vocabulary.goal_place.write
    found: dict[str, Any] = {} if objective.turns is None else {"turns": objective.turns}
    if objective.last_side:
        found["last_side"] = True
    places = {
        held.name: {"at": write(held.place), "within": held.within, "points": held.points} for held in objective.hold
    }
    if places:
        found["hold"] = places
    if objective.units:
        found["units"] = dict(objective.units)
    return found
