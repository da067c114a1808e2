"""Reverse reach: from where a unit could get to a dot, on foot, in the air or in the saddle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.errors import TableError, WrongQuestion
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.geometry.hex_lattice import Dot, step
from simulator.pathing.move_space import Mask, MoveSpace, MoveState
from simulator.pathing.reach import Reach
from simulator.pathing.reverse import cheapest_of, reach_to, with_own
from simulator.rulesets.dot_trooper.flight import against_activating
from simulator.rulesets.dot_trooper.foot import against_afoot, changes_of_phase, foot_phase
from simulator.rulesets.dot_trooper.judge.drive import against_setting_out, vehicle_of
from simulator.rulesets.dot_trooper.landings import looks_at_whole_flights
from simulator.rulesets.dot_trooper.movement import (
    RideQuestion,
    can_fly,
    cap_by_changes,
    counted_changes,
    foot_budget,
    foot_space,
    ride_question,
)
from simulator.rulesets.dot_trooper.reach.questions import reach_of
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, arrived, map_of, rear_of
from simulator.rulesets.dot_trooper.units import DTTable, driver_of


def starts_to(table: DTTable, unit: Unit, place: Dot, action: str, **question: Any) -> tuple[Unit, Reach | None]:
    """Return what moves, and from where it can get to a dot; None if it can move from nowhere."""
    rider = unit if unit.type == "trooper" else driver_of(table, unit)
    if action == "mount_and_drive":
        raise WrongQuestion("mount_and_drive has two starting places: query foot_move and drive separately")
    if rider is None:
        return unit, None
    question.pop("engine", None)
    vehicle = vehicle_of(table, rider)
    if action == "drive" or (action == "turn" and vehicle is not None):
        return (vehicle or rider), _from_the_saddle(table, rider, vehicle, place, **question)
    if question:
        raise TableError(f"{rider.id} drives nothing: it has no mode to choose")
    return rider, _on_foot(table, rider, place, walks=action != "activate_jet_pack", flies=action != "foot_move")


# --- in the saddle ---


def _from_the_saddle(
    table: DTTable, driver: Unit, vehicle: Unit | None, place: Dot, mode: str = "", ap: int | None = None
) -> Reach | None:
    if vehicle is None or driver["posture"] != "mounted" or any(against_setting_out(vehicle)):
        return None
    ride = ride_question(table, vehicle, driver, mode, ap)
    if ride is None:
        return None
    there = replace(ride, vehicle=vehicle.put(place=place))
    board, space = there.near.board, there.space()
    begins = _may_set_out(there, space)
    found = reach_to(map_of(table), space, board.index(place), begins, corner=there.corner)
    if vehicle.place not in board:
        return found
    own = there.start.state._replace(row=board.index(vehicle.place)[0], col=board.index(vehicle.place)[1])
    return with_own(found, begins, own, lambda: _forward(table, driver, place, "drive", mode=mode, ap=ap))


@clause("DT-5", "DT-54", "DT-165")
def _may_set_out(ride: RideQuestion, space: MoveSpace) -> Mask:
    """Mark the states in which a vehicle may begin: wherever it may stand with its heading."""
    ground, heading = ride.near, ride.vehicle.heading
    board, way = ground.board, heading // 60
    level = board.level.astype(np.int64)
    low, high = (arrived(of_dot.astype(np.int64), way + 3, 10**6) for of_dot in (board.level, board.top))
    standing = ~ground.solid & arrived(~ground.solid & ground.rolls[way], way + 3) & (low <= level) & (level <= high)
    for dot, on, _, _ in ground.others:
        for front in (dot, step(dot, way)):
            if front in board and board.level[board.index(front)] == on:
                standing[board.index(front)] = False
    begins = np.zeros((len(space.phases), len(space.headings), *space.shape), np.bool_)
    begins[space.phases.index(ride.start.phase), space.headings.index(heading)] = standing
    return begins


# --- on foot and in the air ---


@clause("DT-64", "DT-164", "DT-165")
def _on_foot(table: DTTable, trooper: Unit, place: Dot, walks: bool, flies: bool) -> Reach | None:
    if any(against_afoot(trooper) if walks else against_activating(table, trooper)):
        return None
    if flies and can_fly(table, trooper) and looks_at_whole_flights(table):
        raise WrongQuestion("there is no reverse reach of whole flights: query foot_move")
    # Wherever it sets out, nobody else stands there.
    ground = replace(DotSurroundings.of(table, trooper), own=None)
    space = foot_space(table, trooper, walks=walks, flies=flies, ground=ground, take_off_levels=ground.levels)
    begins = np.zeros((len(space.phases), len(space.headings), *space.shape), np.bool_)
    for level in ground.levels:
        phase = foot_phase(level, trooper["posture"])
        begins[space.phases.index(phase), 0] = ground.walkable(level, passing=False)
    cell = map_of(table).index(place)
    spaces = list(_by_changes(table, trooper, space)) if counted_changes(table, trooper) else [space]
    if not spaces:
        return None
    found = cheapest_of([reach_to(map_of(table), one, cell, begins) for one in spaces])
    own = MoveState(*map_of(table).index(trooper.place), None, foot_phase(trooper["level"], trooper["posture"]))
    action = ("turn" if flies else "foot_move") if walks else "activate_jet_pack"
    return with_own(found, begins, own, lambda: _forward(table, trooper, place, action))


def _forward(table: DTTable, unit: Unit, place: Dot, action: str, **question: Any) -> int | None:
    cost = reach_of(table, unit, action, **question).cost_at(place)
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
def placements(table: DTTable, unit: Unit, place: Dot) -> Iterator[DTTable]:
    """Yield the table with a unit on another dot: a trooper on each of its levels, a vehicle with all who ride it."""
    board = map_of(table)
    row, column = board.index(place)
    low, high = int(board.level[row, column]), int(board.top[row, column])
    if unit.type == "trooper":
        for level in range(low, high + 1):
            yield Table(table.setting, table.state.with_unit(unit.put(place=place, level=level)))
        return
    state = table.state.with_unit(unit.put(place=place, level=low))
    rear = rear_of(place, unit.heading)
    for rider in table.state.riders(unit.id):
        state = state.with_unit(rider.put(place=rear, level=low))
    yield Table(table.setting, state)
