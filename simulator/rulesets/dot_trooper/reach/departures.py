"""Movements from anywhere: where a vehicle or a trooper may set out, and its moves from all dots at once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.hex_lattice import step
from simulator.pathing.departures import Departures
from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.move_space import Mask, MoveSpace
from simulator.rulesets.dot_trooper.drive_states import HEADINGS, prepared_ride
from simulator.rulesets.dot_trooper.flight import against_activating
from simulator.rulesets.dot_trooper.foot import against_afoot, changes_of_phase, foot_phase, levels_of_phases
from simulator.rulesets.dot_trooper.judge.drive import against_setting_out, vehicle_of
from simulator.rulesets.dot_trooper.landings import looks_at_whole_flights
from simulator.rulesets.dot_trooper.movement import (
    can_fly,
    cap_by_changes,
    counted_changes,
    foot_budget,
    foot_space,
    ride_question,
)
from simulator.rulesets.dot_trooper.reach.answer import UNIT
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, arrived, map_of
from simulator.rulesets.dot_trooper.units import DTTable, driver_of

#: On larger maps a drive is searched in the part around the vehicle, from each start by itself.
_MOST_DOTS = 2**16


def departures_of(table: DTTable, unit: Unit, action: str, engine: str = "numpy", **question: Any) -> Departures | None:
    """Return the moves from all dots; None if each start has to be asked by itself, or the unit cannot move so."""
    rider = unit if unit.type == "trooper" else driver_of(table, unit)
    if rider is None or engine != "numpy" or action == "mount_and_drive":
        return None
    vehicle = vehicle_of(table, rider)
    if action == "drive" or (action == "turn" and vehicle is not None):
        return None if vehicle is None else _drives(table, rider, vehicle, **question)
    return None if question else _walks(table, rider, action != "activate_jet_pack", action != "foot_move")


# --- in the saddle ---


@clause("DT-59", "DT-61", "DT-72")
def _drives(table: DTTable, driver: Unit, vehicle: Unit, mode: str = "", ap: int | None = None) -> Departures | None:
    if driver["posture"] != "mounted" or any(against_setting_out(vehicle)):
        return None
    ride = ride_question(table, vehicle, driver, mode, ap)
    rows, columns = map_of(table).shape
    if ride is None or rows * columns > _MOST_DOTS:
        return None
    searcher = prepared_ride(ride.ground, ride.gear, ride.standing, ride.hopeless)
    begins = may_set_out(ride.ground, searcher.space, ride.start.phase)
    return Departures(searcher, begins, levels=map_of(table).level.astype(object)[None], unit=UNIT)


def may_set_out(ground: DotSurroundings, space: MoveSpace, phase: str) -> Mask:
    """Mark the states in which a vehicle may begin: wherever it may stand, with each heading."""
    begins = np.zeros((len(space.phases), len(space.headings), *space.shape), np.bool_)
    for heading in HEADINGS:
        begins[space.phases.index(phase), space.headings.index(heading)] = _may_stand(ground, heading)
    return begins


@clause("DT-5", "DT-54", "DT-165")
def _may_stand(ground: DotSurroundings, heading: int) -> Mask:
    """Mark the front dots on which a vehicle may stand with a heading."""
    board, way = ground.board, heading // 60
    level = board.level.astype(np.int64)
    low, high = (arrived(of_dot.astype(np.int64), way + 3, 10**6) for of_dot in (board.level, board.top))
    standing: Mask = (
        ~ground.solid & arrived(~ground.solid & ground.rolls[way], way + 3) & (low <= level) & (level <= high)
    )
    for dot, on, _, _ in ground.others:
        for front in (dot, step(dot, way)):
            if front in board and board.level[board.index(front)] == on:
                standing[board.index(front)] = False
    return standing


# --- on foot and in the air ---


@clause("DT-8", "DT-28", "DT-64", "DT-164")
def _walks(table: DTTable, trooper: Unit, walks: bool, flies: bool) -> Departures | None:
    if any(against_afoot(trooper) if walks else against_activating(table, trooper)):
        return None
    if flies and can_fly(table, trooper) and looks_at_whole_flights(table):
        return None
    space, begins = foot_from_anywhere(table, trooper, walks=walks, flies=flies)
    phases = [phase for _, phase in space.layer_labels]
    most = None
    if counted_changes(table, trooper):
        most = [cap_by_changes(table, trooper, changes_of_phase(phase)) for phase in phases]
    searcher = Prepared(replace(space, starts=(), budget=None))
    levels = levels_of_phases(phases)[:, None, None]
    return Departures(searcher, begins, foot_budget(table, trooper), most, levels, unit=UNIT)


@clause("DT-164", "DT-165")
def foot_from_anywhere(table: DTTable, trooper: Unit, *, walks: bool, flies: bool) -> tuple[MoveSpace, Mask]:
    """Return the moves of a trooper from anywhere, and the states in which it may set out: nobody else stands there."""
    ground = replace(DotSurroundings.of(table, trooper), own=None)
    space = foot_space(table, trooper, walks=walks, flies=flies, ground=ground, take_off_levels=ground.levels)
    begins = np.zeros((len(space.phases), len(space.headings), *space.shape), np.bool_)
    for level in ground.levels:
        phase = foot_phase(level, trooper["posture"])
        begins[space.phases.index(phase), 0] = ground.walkable(level, passing=False)
    return space, begins
