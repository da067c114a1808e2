"""What a unit can do, compiled to a MoveSpace: a drive in one mode or all, on foot, in the air, a whole turn."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.geometry.dots import DotMap
from simulator.pathing.costs import Costs
from simulator.pathing.move_space import Mask, MoveSpace, Start, Step
from simulator.pathing.search import Engine, search
from simulator.rulesets.dot_trooper.cards import (
    DTTable,
    ap_left,
    cap_left,
    gear_of,
    mode_range,
    movement_left,
    riders,
    selectable_modes,
    speed_multiplier,
)
from simulator.rulesets.dot_trooper.driving import prepared_ride, ride_space, ride_start
from simulator.rulesets.dot_trooper.flight import (
    against_activating,
    flight_headings,
    flight_phases,
    flight_steps,
)
from simulator.rulesets.dot_trooper.foot import POSTURES, foot_masks, foot_phase, foot_phases, foot_steps
from simulator.rulesets.dot_trooper.ground import Ground
from simulator.rulesets.dot_trooper.riding import Gear, Rides, all_rides, modes_of


@dataclass(frozen=True)
class RideQuestion:
    """A drive that is asked about: the vehicle, the trooper, the modes, the gear and the ground."""

    table: DTTable
    vehicle: Unit
    driver: Unit
    modes: tuple[str, ...]
    gear: Gear
    ground: Ground

    @property
    def standing(self) -> bool:
        """Whether the vehicle begins from a full stop."""
        return bool(self.vehicle["motion"] == "stopped")

    @property
    def rides(self) -> Rides:
        """Every ride there is."""
        return all_rides(self.gear, self.standing)

    def space(self) -> MoveSpace:
        """Compile it."""
        return ride_space(self.ground, self.gear, (self.start,), self.standing)

    @property
    def start(self) -> Start:
        """The state in which the movement begins."""
        return ride_start(self.ground, self.gear, self.vehicle.place, self.vehicle.heading, self.standing)

    def costs(self, engine: Engine = "numpy") -> Costs:
        """Search it."""
        if engine == "numpy":
            return prepared_ride(self.ground, self.gear, self.standing).search((self.start,))
        return search(self.space(), engine)


@clause("DT-60", "DT-61", "DT-62", "DT-64")
def ride_question(
    table: DTTable, vehicle: Unit, driver: Unit, mode: str = "", ap: int | None = None
) -> RideQuestion | None:
    """Ask about a drive in a mode, or in all that can be selected; None where there is none.

    All modes together are one range of AP, and the AP of an end tell which of them it takes. `ap` is what the driver
    will have, if that is not what they have now.
    """
    if ap is None:
        open_ = selectable_modes(table, vehicle, driver)
        left = movement_left(table, driver)
    else:
        rested = driver.put(ap_spent=0, movement_spent=0, ap_bonus=100)
        left = ap
        open_ = tuple(one for one in selectable_modes(table, vehicle, rested) if mode_range(table, one)[0] <= left)
    modes = modes_of([one for one in open_ if mode in ("", one)])
    if not modes:
        return None
    ground = Ground.of(table, vehicle, driver.id, *(rider.id for rider in riders(table, vehicle)))
    if len(modes) == 1:
        gear = gear_of(table, vehicle, driver, modes[0], left)
    else:
        least, most = mode_range(table, modes[0])[0], mode_range(table, modes[-1])[1]
        m = speed_multiplier(table, vehicle)
        gear = Gear.of(table.options, table.tables, m, least, min(most, left))
    return RideQuestion(table, vehicle, driver, modes, gear, ground)


def mode_of_ap(table: DTTable, modes: tuple[str, ...], ap: int) -> str:
    """Give the mode in whose range a number of AP lies."""
    return next((mode for mode in modes if mode_range(table, mode)[0] <= ap <= mode_range(table, mode)[1]), modes[0])


# --- on foot and in the air ---


@clause("DT-28", "DT-64", "DT-164")
def foot_space(
    table: DTTable, trooper: Unit, *, walks: bool = True, flies: bool = True, ground: Ground | None = None
) -> MoveSpace:
    """Compile what a trooper can do with foot dots and, wearing a pack, one flight among them.

    `walks` and `flies` leave either out: a flight alone is what one activation gives.
    """
    ground = Ground.of(table, trooper) if ground is None else ground
    board = ground.board
    assert isinstance(board, DotMap)
    flies = flies and not any(against_activating(table, trooper))
    steps: list[Step] = []
    gates: dict[str, Mask] = {}
    phases = [*foot_phases(ground, False), *(foot_phases(ground, True) if flies else ())]
    through, stay = foot_masks(ground, False)
    for flown in (False, True) if flies else (False,):
        if walks:
            more, more_gates = foot_steps(table, ground, flown)
            steps += more
            gates |= more_gates
        masks = foot_masks(ground, flown)
        through, stay = through | masks[0], stay | masks[1]
    headings = flight_headings(table) if flies else (None,)
    if flies:
        levels = ground.levels if walks else (trooper["level"],)
        phases += flight_phases(table, levels)
        more, more_gates = flight_steps(table, ground, levels)
        steps += more
        gates |= more_gates
    everywhere, nowhere = board.present, np.zeros(board.shape, np.bool_)
    enter = np.stack([through.get(phase, everywhere) for phase in phases])
    end = np.stack([stay.get(phase, nowhere) for phase in phases])
    if not walks:
        end &= np.array(["flown" in phase.split(", ") for phase in phases])[:, None, None]
    start = Start(*board.index(trooper.place), None, foot_phase(trooper["level"], trooper["posture"]))
    return MoveSpace(
        shape=board.shape,
        steps=tuple(steps),
        headings=headings,
        phases=tuple(phases),
        gates=gates,
        enter=_by_state(enter, len(headings)),
        end=_by_state(end, len(headings)),
        starts=(start,) if trooper["posture"] in POSTURES else (),
        budget=min(ap_left(table, trooper), cap_left(table, trooper)),
        unit="AP",
        start_is_end=walks,
    )


def _by_state(mask: Mask, headings: int) -> Mask:
    return np.ascontiguousarray(np.broadcast_to(mask[:, None], (len(mask), headings, *mask.shape[1:])))


def without_posture(space: MoveSpace) -> MoveSpace:
    """Give the same space in which nobody changes posture: a smaller question where only places matter."""
    return replace(space, steps=tuple(step for step in space.steps if step.name not in ("lie_down", "stand_up")))
