"""Reverse reach: from where a unit could get to a dot, on foot, in the air or in the saddle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, NamedTuple, cast

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.errors import TableError, WrongQuestion
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.geometry.poses import Pose
from simulator.pathing.move_space import MoveSpace, MoveState
from simulator.pathing.reverse import StartStates, cheapest_of, facing, reach_to, with_own
from simulator.rulesets.dot_trooper.flight import against_activating
from simulator.rulesets.dot_trooper.foot import against_afoot, changes_of_phase, foot_phase, levels_of_phases
from simulator.rulesets.dot_trooper.judge.drive import against_setting_out, vehicle_of
from simulator.rulesets.dot_trooper.landings import looks_at_whole_flights
from simulator.rulesets.dot_trooper.movement import (
    can_fly,
    cap_by_changes,
    counted_changes,
    foot_budget,
    ride_question,
)
from simulator.rulesets.dot_trooper.reach.departures import foot_from_anywhere, may_set_out
from simulator.rulesets.dot_trooper.reach.questions import reach_of
from simulator.rulesets.dot_trooper.surroundings import map_of, rear_of
from simulator.rulesets.dot_trooper.units import DTTable, driver_of


class Backward(NamedTuple):
    """What moves, and from where it can get to a pose: with the heading that it has, and of a vehicle with any.

    None where it can move from nowhere.
    """

    mover: Unit
    starts: StartStates | None = None
    turned: StartStates | None = None


def starts_to(table: DTTable, unit: Unit, goal: Pose, action: str, **question: Any) -> Backward:
    """Return what moves, and from where it can get to a dot or to a pose there."""
    rider = unit if unit.type == "trooper" else driver_of(table, unit)
    if action == "mount_and_drive":
        raise WrongQuestion("mount_and_drive has two starting places: query foot_move and drive separately")
    if rider is None:
        return Backward(unit)
    question.pop("engine", None)
    vehicle = vehicle_of(table, rider)
    if action == "drive" or (action == "turn" and vehicle is not None):
        return _from_the_saddle(table, rider, vehicle, goal, **question)
    if question:
        raise TableError(f"{rider.id} does not drive anything: it has no mode to choose")
    starts = _on_foot(table, rider, goal, walks=action != "activate_jet_pack", flies=action != "foot_move")
    return Backward(rider, starts)


# --- in the saddle ---


def _from_the_saddle(
    table: DTTable, driver: Unit, vehicle: Unit | None, goal: Pose, mode: str = "", ap: int | None = None
) -> Backward:
    if vehicle is None:
        return Backward(driver)
    if driver["posture"] != "mounted" or any(against_setting_out(vehicle)):
        return Backward(vehicle)
    ride = ride_question(table, vehicle, driver, mode, ap)
    if ride is None:
        return Backward(vehicle)
    there = replace(ride, vehicle=vehicle.put(place=goal.place))
    board, space, ground = there.near.board, there.space(), map_of(table).level.astype(object)[None]
    begins = may_set_out(there.near, space, there.start.phase)
    goals = np.array([goal.heading in (None, heading) for heading, _ in space.layer_labels])
    goals &= goal.level in (None, ground[0][map_of(table).index(goal.place)])
    found = reach_to(
        map_of(table), space, board.index(goal.place), begins, corner=there.corner, goals=goals, levels=ground
    )
    if vehicle.place in board:
        own = there.start.state._replace(row=board.index(vehicle.place)[0], col=board.index(vehicle.place)[1])
        found = with_own(found, begins, own, lambda: _forward(table, driver, goal, "drive", mode=mode, ap=ap))
    return Backward(vehicle, facing(found, vehicle.heading), found)


# --- on foot and in the air ---


@clause("DT-64", "DT-164", "DT-165")
def _on_foot(table: DTTable, trooper: Unit, goal: Pose, walks: bool, flies: bool) -> StartStates | None:
    if any(against_afoot(trooper) if walks else against_activating(table, trooper)):
        return None
    if flies and can_fly(table, trooper) and looks_at_whole_flights(table):
        raise WrongQuestion("there is no reverse reach of whole flights: query foot_move")
    space, begins = foot_from_anywhere(table, trooper, walks=walks, flies=flies)
    cell, levels = map_of(table).index(goal.place), levels_of_phases([phase for _, phase in space.layer_labels])
    goals = np.array([goal.level in (None, level) for level in levels]) & (goal.heading is None)
    spaces = list(_by_changes(table, trooper, space)) if counted_changes(table, trooper) else [space]
    if not spaces:
        return None
    found = cheapest_of(
        [reach_to(map_of(table), one, cell, begins, goals=goals, levels=levels[:, None, None]) for one in spaces]
    )
    own = MoveState(*map_of(table).index(trooper.place), None, foot_phase(trooper["level"], trooper["posture"]))
    action = ("turn" if flies else "foot_move") if walks else "activate_jet_pack"
    return with_own(found, begins, own, lambda: _forward(table, trooper, goal, action))


def _forward(table: DTTable, unit: Unit, goal: Pose, action: str, **question: Any) -> int | None:
    cost = reach_of(table, unit, action, **question).cost_at(goal)
    return None if cost is None else int(cost)


@clause("DT-64")
def _by_changes(table: DTTable, trooper: Unit, space: MoveSpace) -> Iterator[MoveSpace]:
    """Yield the space once for each number of changes of posture that a way ends with: the cap leaves each its AP."""
    done = np.array([changes_of_phase(phase) for phase in space.phases])
    for changes in sorted(set(done.tolist())):
        ends = np.logical_and(np.asarray(space.end), (done == changes)[:, None, None, None])
        budget = min(foot_budget(table, trooper), cap_by_changes(table, trooper, changes))
        if budget >= 0:
            yield replace(space, end=ends, budget=budget, start_is_end=space.start_is_end and not changes)


# --- standing elsewhere ---


@clause("DT-51")
def placements(table: DTTable, unit: Unit, pose: Pose) -> Iterator[DTTable]:
    """Yield the table with a unit on another dot, a trooper on each of its levels, a vehicle with all who ride it.

    A pose that names a level means that one, and one that names a heading turns a vehicle.
    """
    board = map_of(table)
    row, column = board.index(pose.place)
    low, high = int(board.level[row, column]), int(board.top[row, column])
    if unit.type == "trooper":
        for level in range(low, high + 1):
            if pose.level in (None, level):
                yield Table(table.setting, table.state.with_unit(unit.put(place=pose.place, level=level)))
        return
    if pose.level not in (None, low):
        return
    heading = int(cast(float, unit.heading if pose.heading is None else pose.heading))
    state = table.state.with_unit(unit.put(place=pose.place, heading=heading, level=low))
    rear = rear_of(pose.place, heading)
    for rider in table.state.riders(unit.id):
        state = state.with_unit(rider.put(place=rear, level=low))
    yield Table(table.setting, state)
