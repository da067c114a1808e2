"""Compile the movement of a vehicle, all poses times all rides, into a MoveSpace."""

from __future__ import annotations

import numpy as np

from simulator.byte_cache import kept
from simulator.geometry.dots import DotMap
from simulator.geometry.hex_lattice import DIRECTIONS, Dot
from simulator.pathing.kernel.ordered import Ordered, phase_costs
from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.move_space import MoveSpace, MoveStep, Start
from simulator.rulesets.dot_trooper.options import DotTrooperOptions
from simulator.rulesets.dot_trooper.poses import heading_after, roll_gate, stay_mask, swing_gates
from simulator.rulesets.dot_trooper.riding import (
    ANGLES,
    SIDES,
    Check,
    Gear,
    Ride,
    Rides,
    all_rides,
    phase_name,
    rides_of_any_length,
)
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, Mask, Other

HEADINGS = (0, 60, 120, 180, 240, 300)
#: What a step takes, its numbers included; weighing the thousands of a table one by one takes as long as making them.
_BYTES_OF_STEP = 250


@kept(megabytes=16)
def phases_of(gear: Gear, rides: Rides) -> tuple[str, ...]:
    """Return the names of all rides."""
    return tuple(phase_name(ride, gear) for ride in rides.rides)


@kept(megabytes=64, weigh=lambda steps: len(steps) * _BYTES_OF_STEP)
def steps_of(gear: Gear, rides: Rides) -> tuple[MoveStep, ...]:
    """Return the table of steps; it does not depend on the map."""
    name = dict(zip(rides.rides, phases_of(gear, rides), strict=True))
    steps = []
    for leg in rides.legs:
        for heading in HEADINGS:
            across, down = (0, 0) if leg.angle else DIRECTIONS[heading // 60]
            to = heading_after(heading, leg.name, leg.angle) if leg.angle else heading
            steps.append(
                MoveStep(
                    leg.what,
                    down,
                    across,
                    heading,
                    to,
                    name[leg.before],
                    name[leg.after],
                    cost=leg.ap,
                    gate=gate_name(heading, leg.name, leg.angle),
                )
            )
    return tuple(steps)


def gate_name(heading: int, side: str = "", angle: int = 0) -> str:
    """Name the gate of a turn or of a dot ahead."""
    return f"{side} {angle} at {heading}" if angle else f"ahead at {heading}"


def gates_of(ground: DotSurroundings) -> dict[str, Mask]:
    """Return every gate of a map: where a vehicle may roll ahead, and where its rear may swing."""
    gates = {gate_name(heading): roll_gate(ground, heading) for heading in HEADINGS}
    for heading, side, angle, gate in swing_gates(ground, ANGLES):
        gates[gate_name(heading, side, angle)] = gate
    return gates


def end_mask(ground: DotSurroundings, rides: Rides) -> Mask:
    """Mark the states in which a ride may end: [phase, heading, row, column]."""
    stays = np.stack([stay_mask(ground, heading) for heading in HEADINGS])
    ends = np.array([ride in rides.ends for ride in rides.rides])
    return np.asarray(ends[:, None, None, None] & stays)


def ride_start(ground: DotSurroundings, gear: Gear, front: Dot, heading: int, standing: bool, paid: int = 0) -> Start:
    """Return the state in which a vehicle begins its movement, and what was paid before."""
    return Start(*ground.board.index(front), heading, phase_name(Ride(standing), gear), paid)


def ride_space(
    ground: DotSurroundings, gear: Gear, rides: Rides, starts: tuple[Start, ...], budget: int | None
) -> MoveSpace:
    """Compile what a vehicle can do from some starts with some rides."""
    on_it = steps_anywhere(gear, rides).on_ground(ground.board.shape, gates_of(ground), end=end_mask(ground, rides))
    return on_it.begun(starts, budget)


@kept(megabytes=64, weigh=lambda space: 2 * len(space.steps) * _BYTES_OF_STEP)
def steps_anywhere(gear: Gear, rides: Rides) -> MoveSpace:
    """Return the table of steps by itself, on a map of one dot: checked and laid out once for all maps."""
    shut = np.zeros((1, 1), np.bool_)
    names = [gate_name(heading) for heading in HEADINGS]
    names += [gate_name(heading, side, angle) for heading in HEADINGS for side in SIDES for angle in ANGLES]
    return MoveSpace(
        shape=(1, 1),
        steps=steps_of(gear, rides),
        headings=HEADINGS,
        phases=phases_of(gear, rides),
        gates=dict.fromkeys(names, shut),
        unit="AP",
        start_is_end=False,
    )


def boundless_space(ground: DotSurroundings, gear: Gear, front: Dot, heading: int, standing: bool) -> MoveSpace:
    """Compile what a vehicle could do with unlimited AP, and no minimum to spend."""
    rides = rides_of_any_length(gear, standing)
    start = ride_start(ground, gear, front, heading, standing)
    return ride_space(ground, gear, rides, (start,), None)


@kept(megabytes=128)
def _prepared(
    board: DotMap,
    options: DotTrooperOptions,
    others: tuple[Other, ...],
    gear: Gear,
    standing: bool,
    hopeless: frozenset[Check],
) -> Ordered | Prepared:
    ground = DotSurroundings(board, options, others)
    space = ride_space(ground, gear, all_rides(gear, standing, hopeless), (), None)
    costs = phase_costs(space)
    # Under `once_per_move` free turns form cycles, which only the general search can handle.
    return Prepared(space) if costs is None else Ordered(space, costs)


def prepared_ride(
    ground: DotSurroundings, gear: Gear, standing: bool, hopeless: frozenset[Check] = frozenset()
) -> Ordered | Prepared:
    """Return a map prepared for many drives with a gear; the last few are cached."""
    return _prepared(ground.board, ground.options, ground.others, gear, standing, hopeless)
