"""How exposed each dot and each pose is: in how many arcs a unit there can be fired at.

It breaks ties between ways of the same price. `fire` judges dot by dot, as it is played, whether a unit is fired at;
here the same conditions are applied to the whole map.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from simulator.engine.clauses import clause
from simulator.geometry.arrays import shifted
from simulator.geometry.hex_lattice import DIRECTIONS, distances
from simulator.pathing.move_space import At, Mask, MoveSpace, MoveStep, Plane
from simulator.rulesets.dot_trooper.aiming import sees
from simulator.rulesets.dot_trooper.drive_states import HEADINGS
from simulator.rulesets.dot_trooper.fire import arcs_of
from simulator.rulesets.dot_trooper.surroundings import map_of
from simulator.rulesets.dot_trooper.units import DTTable
from simulator.rulesets.dot_trooper.weapons import farthest_range


@clause("DT-17", "DT-97", "DT-169")
def arcs_against(table: DTTable, side: str) -> list[tuple[Mask, Mask]]:
    """Compute for each arc in which an enemy can fire the dots in it, and the dots that are seen and in range."""
    board = map_of(table)
    rows, columns = np.indices(board.shape)
    q, r = columns + board.first[0], rows + board.first[1]
    found = []
    for enemy in table.units(other_than=side):
        for name, arc, _ in arcs_of(table, enemy):
            inside = np.zeros(board.shape, np.bool_)
            for dot in arc:
                if dot in board:
                    inside[board.index(dot)] = True
            near = np.asarray(distances(q - enemy.place[0], r - enemy.place[1]) <= farthest_range(table, name))
            for dot in enemy["unseen"]:
                if dot in board and not sees(enemy, dot):
                    near[board.index(dot)] = False
            found.append((inside, near))
    return found


def exposed_dots(table: DTTable, side: str) -> Plane:
    """Compute for each dot in how many arcs a trooper there can be fired at, on foot or in the air."""
    found = np.zeros(map_of(table).shape, np.int64)
    for inside, near in arcs_against(table, side):
        found += inside & near
    return found


@clause("DT-17", "DT-97")
def exposure_on_foot(plane: Plane, step: MoveStep) -> tuple[Plane, At] | None:
    """Return what exposes a step of a trooper: the dot it leads to, in the air the dot from which the flight continues.

    Where a flight lands the ordinary rules hold: the landing counts, the dot flown to last does not.
    """
    if step.name != "fly":
        return plane, "arrival"
    return (plane, "departure") if step.from_phase.startswith("flying") else None


def without_exposed(space: MoveSpace, plane: Plane) -> MoveSpace:
    """Return a trooper's steps where none may be exposed: closed gates in place of exposed dots."""
    free, gates, steps = plane == 0, dict(space.gates), []
    for step in space.steps:
        exposed = exposure_on_foot(plane, step)
        if exposed is None:
            steps.append(step)
            continue
        at = exposed[1]
        sign = 1 if at == "arrival" else -1
        open_ = free if at == step.gate_at else shifted(free, sign * step.d_row, sign * step.d_col, False)
        own = gates[step.gate] if step.gate is not None else np.ones_like(free)
        name = f"{step.gate}, unexposed by {step.d_row},{step.d_col} at {at}"
        gates[name] = own & open_
        steps.append(replace(step, gate=name))
    return replace(space, steps=tuple(steps), gates=gates)


@clause("DT-53", "DT-98", "DT-101")
def exposed_poses(table: DTTable, side: str) -> NDArray[np.int64]:
    """Compute for each pose, [heading, row, column] of the front, in how many arcs vehicle or riders are exposed."""
    reference = table.options.arc_reference
    found = np.zeros((len(HEADINGS), *map_of(table).shape), np.int64)
    for inside, near in arcs_against(table, side):
        for number, heading in enumerate(HEADINGS):
            across, down = DIRECTIONS[heading // 60]

            def at_rear(dots: Mask, down: int = down, across: int = across) -> Mask:
                return np.asarray(shifted(dots, -down, -across, False))

            if reference == "targeted_dot":
                hit = inside & near
                open_ = hit | at_rear(hit)
            else:
                open_ = (inside if reference == "front" else at_rear(inside)) & (near | at_rear(near))
            found[number] += open_
    return found
