"""A unit's options compiled to a MoveSpace: a drive in one mode or all, on foot, in the air, a whole turn."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from simulator.byte_cache import ByteCache
from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.pathing.costs import Costs
from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.move_space import UNREACHED, Mask, MoveSpace, MoveStep, Start
from simulator.pathing.search import Engine, search
from simulator.rulesets.dot_trooper.checks import chance, control_check
from simulator.rulesets.dot_trooper.drive_states import prepared_ride, ride_space, ride_start
from simulator.rulesets.dot_trooper.flight import against_activating, flight_headings, flight_phases, flight_steps
from simulator.rulesets.dot_trooper.foot import (
    POSTURES,
    changes_of_phase,
    foot_masks,
    foot_phase,
    foot_phases,
    foot_steps,
    most_changes,
)
from simulator.rulesets.dot_trooper.judge.drive import vehicle_of
from simulator.rulesets.dot_trooper.riding import (
    ANGLES,
    Check,
    Gear,
    Ride,
    Rides,
    all_rides,
    farthest,
    is_free_stop,
)
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings
from simulator.rulesets.dot_trooper.units import (
    DTTable,
    ap_left,
    cap_left,
    gear_for,
    mode_range,
    modes_within,
    movement_left,
)

#: What a step takes in a prepared board, what is compiled for it included.
_BYTES_OF_STEP = 2000
#: How many dots beyond the farthest one are needed: the rear of a vehicle, and where it swings.
_MARGIN = 3


@dataclass(frozen=True)
class RideQuestion:
    """A question about a drive: the vehicle, the trooper, the modes, the gear and the ground."""

    table: DTTable
    vehicle: Unit
    driver: Unit
    modes: tuple[str, ...]
    gear: Gear
    ground: DotSurroundings
    #: AP that the trooper has spent before, on the way to the saddle.
    paid: int = 0
    #: The mode of the question, "" for any.
    named: str = ""
    #: The AP of movement of the question, None for those that the trooper has.
    ap: int | None = None
    #: Hopeless checks assumed to be passed, to determine what they prevent.
    granted: frozenset[Check] = frozenset()

    @property
    def standing(self) -> bool:
        """Whether the vehicle begins from a full stop."""
        return bool(self.vehicle["motion"] == "stopped")

    @cached_property
    @clause("DT-90", "DT-91", "DT-160", role="odds")
    def chances(self) -> Mapping[Check, Fraction]:
        """The chance of each control check that a plan can have."""
        causes = (("turn", ANGLES), ("stop", (0, *ANGLES)))
        return {
            (cause, angle): chance(self.table, self.vehicle, self.driver, cause, angle)
            for cause, angles in causes
            for angle in angles
        }

    @cached_property
    @clause("DT-160")
    def hopeless(self) -> frozenset[Check]:
        """The checks that no roll passes: a plan with one of them leads nowhere."""
        return frozenset(check for check, share in self.chances.items() if share == 0) - self.granted

    def needed(self, check: Check) -> int:
        """Return the roll that a check needs, with all modifiers; 0 if none is needed."""
        roll = control_check(self.table, self.vehicle, self.driver, *check)
        return 0 if roll is None else int(roll.needed)

    @cached_property
    def rides(self) -> Rides:
        """Every ride that can succeed."""
        return all_rides(self.gear, self.standing, self.hopeless)

    @cached_property
    def near(self) -> DotSurroundings:
        """The part of the ground that the vehicle can touch; a drive is searched only there."""
        return self.ground.around(self.vehicle.place, farthest(self.gear, self.standing) + _MARGIN)

    @property
    def corner(self) -> tuple[int, int]:
        """The row and column of the map at which that part begins."""
        (q, r), (first_q, first_r) = self.near.board.first, self.ground.board.first
        return r - first_r, q - first_q

    def space(self) -> MoveSpace:
        """Compile the question into a move space."""
        return ride_space(self.near, self.gear, self.rides, (self.start,), self.paid + self.gear.highest)

    @property
    def start(self) -> Start:
        """The state in which the movement begins."""
        front, heading = self.vehicle.place, self.vehicle.heading
        return ride_start(self.near, self.gear, front, heading, self.standing, self.paid)

    def costs(self, engine: Engine = "numpy") -> Costs:
        """Search the move space."""
        if engine == "numpy":
            return prepared_ride(self.near, self.gear, self.standing, self.hopeless).search((self.start,))
        return search(self.space(), engine)

    def has_plan(self) -> bool:
        """Whether there is any legal plan at all, including those that cannot succeed."""
        start = ride_start(self.near, self.gear, self.vehicle.place, self.vehicle.heading, self.standing)
        return bool(prepared_ride(self.near, self.gear, self.standing).search((start,)).ends.any())

    def without(self, names: Collection[str]) -> RideQuestion:
        """Return the same question with some other units gone."""
        others = tuple(other for other in self.ground.others if other[2] not in names)
        return replace(self, ground=DotSurroundings(self.ground.board, self.ground.options, others))


@clause("DT-60", "DT-61", "DT-62", "DT-64")
def ride_question(
    table: DTTable, vehicle: Unit, driver: Unit, mode: str = "", ap: int | None = None, paid: int = 0
) -> RideQuestion | None:
    """Return the question of a drive in a mode, or in all that can be selected; None if there is none.

    All modes together are one question; the AP of an end determine which of them it uses. `ap` is what the driver will
    have, if not what they have now; `paid` is what they will have spent before.
    """
    left = movement_left(table, driver) if ap is None else ap
    modes = tuple(one for one in modes_within(table, vehicle, left) if mode in ("", one))
    if not modes:
        return None
    ground = DotSurroundings.of(table, vehicle)
    return RideQuestion(table, vehicle, driver, modes, gear_for(table, vehicle, modes, left), ground, paid, mode, ap)


@clause("DT-68")
def has_way(table: DTTable, driver: Unit) -> bool:
    """Whether a driver has any legal plan, in any selectable mode."""
    vehicle = vehicle_of(table, driver)
    question = ride_question(table, vehicle, driver) if vehicle is not None else None
    return question is not None and question.has_plan()


def mode_of(question: RideQuestion, ride: Ride) -> str:
    """Return the mode of a ride: the lowest in whose range its AP lie."""
    if is_free_stop(question.gear, ride):
        return "minimum"
    ranges = ((mode, *mode_range(question.table, mode)) for mode in question.modes)
    return next(mode for mode, least, most in ranges if least <= ride.ap <= most)


# --- on foot and in the air ---


@clause("DT-64")
def counted_changes(table: DTTable, trooper: Unit) -> int:
    """Compute how many changes of posture have to be distinguished: none, unless the cap is below the AP available.

    A change costs AP and is no movement, so a trooper with more AP than the cap allows for movement can afford some.
    """
    separate = table.options.cap_counts == "movement_only" and table.tables["foot.posture"] > 0
    return most_changes(table) if separate and cap_left(table, trooper) < ap_left(table, trooper) else 0


@clause("DT-64", "DT-162")
def foot_budget(table: DTTable, trooper: Unit) -> int:
    """Return the AP that a trooper can spend on foot and in the air, changes of posture included."""
    return ap_left(table, trooper) if counted_changes(table, trooper) else movement_left(table, trooper)


@clause("DT-64")
def within_cap(table: DTTable, trooper: Unit, space: MoveSpace, costs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the costs of a search on foot, without those that take more movement than the cap leaves."""
    if not counted_changes(table, trooper):
        return costs
    limits = np.array([cap_by_changes(table, trooper, changes_of_phase(phase)) for _, phase in space.layer_labels])
    return np.where(costs <= limits[:, None, None], costs, UNREACHED)


@clause("DT-64", "DT-164")
def movement_ap(table: DTTable, ap: int, changes: int) -> int:
    """Return the AP of movement of a way on foot that takes `ap` AP: changes of posture are no movement."""
    return ap - int(table.tables["foot.posture"]) * changes


@clause("DT-64", "DT-164")
def cap_by_changes(table: DTTable, trooper: Unit, changes: int) -> int:
    """Return the AP that a way on foot may take with `changes` changes of posture, which are no movement."""
    return cap_left(table, trooper) + int(table.tables["foot.posture"]) * changes


def can_fly(table: DTTable, trooper: Unit) -> bool:
    """Whether a trooper can activate a jet pack, if need be after getting up."""
    return not any(against_activating(table, trooper.put(posture="standing")))


@clause("DT-28", "DT-64", "DT-164", role="search")
def foot_space(
    table: DTTable,
    trooper: Unit,
    *,
    walks: bool,
    flies: bool,
    landed: Sequence[Start] | None = None,
    ground: DotSurroundings | None = None,
    take_off_levels: Sequence[int] | None = None,
) -> MoveSpace:
    """Compile what a trooper can do on foot and, wearing a pack, with one flight.

    `walks` and `flies` switch off either: a flight alone is what one activation allows. With `landed` flights are not
    compiled: these are the states in which they have landed. `take_off_levels` are those on which a flight may begin,
    if not only its own.
    """
    ground = DotSurroundings.of(table, trooper) if ground is None else ground
    flies = flies and can_fly(table, trooper)
    compiled = flies and landed is None
    most = counted_changes(table, trooper)
    steps: list[MoveStep] = []
    gates: dict[str, Mask] = {}
    phases: list[str] = []
    for flown in (False, True) if flies else (False,):
        phases += foot_phases(ground, flown, most)
        if walks:
            more, more_gates = foot_steps(table, ground, flown, most)
            steps += more
            gates |= more_gates
    if compiled:
        own = ground.levels if walks else (trooper["level"],)
        levels, changes = own if take_off_levels is None else tuple(take_off_levels), tuple(range(most // 2 + 1))
        phases += flight_phases(table, ground, levels, changes)
        more, more_gates = flight_steps(table, ground, levels, changes)
        steps += more
        gates |= more_gates
    headings = flight_headings(table) if compiled else (None,)
    enter, end = _foot_masks(ground, phases, most, walks=walks, flies=flies)
    return MoveSpace(
        shape=ground.board.shape,
        steps=tuple(steps),
        headings=headings,
        phases=tuple(phases),
        gates=gates,
        enter=_by_state(enter, len(headings)),
        end=_by_state(end, len(headings)),
        starts=_foot_starts(ground, trooper, walks, landed),
        budget=foot_budget(table, trooper),
        unit="AP",
        start_is_end=walks,
    )


def _foot_masks(
    ground: DotSurroundings, phases: Sequence[str], most_changes: int, *, walks: bool, flies: bool
) -> tuple[Mask, Mask]:
    """Return where a trooper may enter and where it may end in each phase: all that depends on the other units."""
    through: dict[str, Mask] = {}
    stay: dict[str, Mask] = {}
    for flown in (False, True) if flies else (False,):
        masks = foot_masks(ground, flown, most_changes)
        through, stay = through | masks[0], stay | masks[1]
    everywhere, nowhere = ground.board.present, np.zeros(ground.board.shape, np.bool_)
    enter = np.stack([through.get(phase, everywhere) for phase in phases])
    end = np.stack([stay.get(phase, nowhere) for phase in phases])
    if not walks:
        end &= np.array(["flown" in phase.split(", ") for phase in phases])[:, None, None]
    return enter, end


def _foot_starts(
    ground: DotSurroundings, trooper: Unit, walks: bool, landed: Sequence[Start] | None
) -> tuple[Start, ...]:
    """Return the states in which flights have landed, and the one in which a trooper stands."""
    starts = tuple(landed or ())
    if trooper["posture"] not in POSTURES or not (walks or landed is None):
        return starts
    place = ground.board.index(trooper.place)
    return (*starts, Start(*place, None, foot_phase(trooper["level"], trooper["posture"])))


#: Boards prepared for troopers, by all that their moves depend on except where they set out and their AP.
_prepared_on_foot: ByteCache[Prepared] = ByteCache(
    128 * 2**20,
    lambda it: len(it.space.steps) * _BYTES_OF_STEP + it.space.layers * it.space.shape[0] * it.space.shape[1] * 4,
)


def foot_costs(
    table: DTTable,
    trooper: Unit,
    *,
    walks: bool,
    flies: bool,
    landed: Sequence[Start] | None = None,
    ground: DotSurroundings | None = None,
    engine: Engine = "numpy",
    with_all_ap: bool = False,
) -> Costs:
    """Search `foot_space`, on a board that is prepared once for a position; `with_all_ap`, however many AP it takes."""

    def space() -> MoveSpace:
        return foot_space(table, trooper, walks=walks, flies=flies, landed=landed, ground=ground)

    def anew() -> Prepared:
        return Prepared(replace(space(), starts=(), budget=None))

    budget = None if with_all_ap else foot_budget(table, trooper)
    if engine != "numpy":
        return search(replace(space(), budget=budget), engine)
    ground = DotSurroundings.of(table, trooper) if ground is None else ground
    how = (walks, flies and can_fly(table, trooper), landed is None, counted_changes(table, trooper))
    where = (ground.board, ground.options, ground.others, ground.own, trooper["level"])
    searcher = _prepared_on_foot.get(
        (table.tables.figures, where, how), lambda: _among_others(table, ground, how, anew)
    )
    starts = _foot_starts(ground, trooper, walks, landed)
    found = searcher.search(starts, budget)
    # Ways by other dots and safer ways are searched on this space again: it has to know where they set out.
    found.space = found.space.begun(starts, budget)
    return found


def _among_others(
    table: DTTable, ground: DotSurroundings, how: tuple[bool, bool, bool, int], anew: Callable[[], Prepared]
) -> Prepared:
    """Return a board prepared for a trooper; without compiled flights, units in the way only change its masks.

    A flight takes off where nobody else stands: its steps depend on the others, too.
    """
    walks, flies, in_flight, most = how
    if flies and in_flight:
        return anew()
    where = (ground.board, ground.options)
    empty = _prepared_on_foot.get((table.tables.figures, where, how), anew)
    enter, end = _foot_masks(ground, empty.space.phases, most, walks=walks, flies=flies)
    return empty.with_masks(enter=_by_state(enter, 1), end=_by_state(end, 1))


def _by_state(mask: Mask, headings: int) -> Mask:
    return np.ascontiguousarray(np.broadcast_to(mask[:, None], (len(mask), headings, *mask.shape[1:])))
