"""Where a vehicle may end its movement: which pose, moving or stopped, with which AP, at what odds, by which orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from simulator.engine.chain import WayOn
from simulator.engine.clauses import clause
from simulator.engine.orders import Element, Order
from simulator.engine.reach import WhyNot
from simulator.errors import listed, text_given
from simulator.geometry.hex_lattice import Dot
from simulator.geometry.poses import Pose, place_text
from simulator.pathing.costs import Costs
from simulator.pathing.move_space import UNREACHED, Mask
from simulator.pathing.reach import Touched
from simulator.pathing.search import Engine
from simulator.pathing.traces import NoRoute
from simulator.rulesets.dot_trooper.checks import test_dice
from simulator.rulesets.dot_trooper.drive_states import HEADINGS
from simulator.rulesets.dot_trooper.exposure import exposed_poses
from simulator.rulesets.dot_trooper.movement import RideQuestion, mode_of
from simulator.rulesets.dot_trooper.odds import RideOdds, RideState
from simulator.rulesets.dot_trooper.outcomes import Exit, exits
from simulator.rulesets.dot_trooper.reach.answer import DotReach
from simulator.rulesets.dot_trooper.riding import SEGMENTS, RideStep
from simulator.rulesets.dot_trooper.surroundings import rear_of
from simulator.rulesets.dot_trooper.why.drive import why_not_there
from simulator.wording import figure


@dataclass(frozen=True, slots=True)
class DriveEnd(Pose):
    """An end of a drive: the pose of a vehicle, whose place is its front dot, moving or stopped."""

    motion: str = ""

    def __str__(self) -> str:
        return f"{place_text(self.place)}{self.state_text} {self.motion}"

    @property
    def front(self) -> Dot:
        """The front dot."""
        return self.place[0], self.place[1]

    @property
    def rear(self) -> Dot:
        """The rear dot."""
        return rear_of(self.front, int(cast(float, self.heading)))


@dataclass(frozen=True, slots=True)
class Approach:
    """A way into the saddle: the orders, the AP they take, and the AP of movement that they leave for the drive."""

    orders: tuple[Order, ...]
    paid: int
    left: int


class DriveReach(DotReach):
    """Where a vehicle may end its movement. Places are front dots, phases name AP and whether it stands or moves.

    Only plans that can succeed count: a check that no roll passes leads nowhere (DT-160). Orders that come before the
    drive, on the way to the saddle, are included in costs and orders: of several approaches, of which the dearer ones
    leave more AP for movement, a drive uses the cheapest that leaves enough.
    """

    def __init__(
        self, question: RideQuestion, costs: Costs, action: str = "drive", approaches: Sequence[Approach] = ()
    ) -> None:
        super().__init__(question.table, costs, question.vehicle, action, corner=question.corner)
        self.question, self.approaches = question, tuple(approaches)

    @clause("DT-64")
    def _before(self, ap: int) -> Approach:
        """Return the approach to a drive with `ap` AP."""
        return next((one for one in self.approaches if one.left >= ap), Approach((), self.question.paid, ap))

    def _total(self, ap: int) -> int:
        """Return the AP of a drive with `ap` AP, including those before it."""
        return self._before(ap).paid + ap

    @cached_property
    def touched(self) -> Touched:
        """The least AP of ending in each state that the search could touch, by the cheapest approach to each."""
        found = super().touched
        if len(self.approaches) < 2:
            return found
        rides = self.question.rides.rides
        saved = [self.question.paid - self._before(ride.ap).paid for ride in rides for _ in HEADINGS]
        less = np.array(saved)[:, None, None]
        return found._replace(ends=np.where(found.ends < UNREACHED, found.ends - less, UNREACHED))

    def _cheapest_ends(self) -> NDArray[np.int64]:
        return np.asarray(self.touched.ends.min(axis=0))

    def _near(self, place: Dot) -> tuple[int, int] | None:
        """Return row and column of a dot in the searched part, None beyond it."""
        board = self.question.near.board
        return board.index(place) if place in board else None

    # --- poses ---

    @cached_property
    def end_levels(self) -> NDArray[Any]:
        """For numpy: a vehicle stands on the ground, [1, row, column]."""
        return self.board.level[None].astype(object)

    @cached_property
    def _layers_of_motion(self) -> Mapping[str, Mask]:
        motions = np.repeat([ride.motion for ride in self.question.rides.rides], len(HEADINGS))
        return {motion: motions == motion for motion in ("moving", "stopped")}

    def _fitting_layers(self, pose: Pose, motion: str, phase: str | None = None) -> Mask:
        """Return which layers belong to a pose, a motion and a phase; "" is any motion."""
        if text_given("the motion", motion) and motion not in self._layers_of_motion:
            raise NoRoute(f"a vehicle ends moving or stopped, not {motion!r}")
        fits = self._layers(pose, phase)
        return fits & self._layers_of_motion[motion] if motion else fits

    @cached_property
    def totals(self) -> Mapping[DriveEnd, tuple[int, ...]]:
        """Every end pose, with the totals of AP that lead to it."""
        return {pose: tuple(sorted(by_ap)) for pose, by_ap in self._chances_by_pose.items()}

    @cached_property
    def poses(self) -> frozenset[DriveEnd]:
        """Every end pose."""
        return frozenset(self._chances_by_pose)

    @cached_property
    def covered(self) -> frozenset[Dot]:
        """Every dot that the vehicle may cover at the end, front or rear."""
        return frozenset(dot for pose in self.poses for dot in (pose.front, pose.rear))

    def cost_at(self, place: Any, phase: str | None = None, *, motion: str = "") -> Fraction | None:
        """Return the least AP of ending with the front at a dot, in any pose or one; None if it cannot."""
        return self._least(self.pose_of(place), lambda pose: self._fitting_layers(pose, motion, phase))

    # --- odds ---

    @cached_property
    @clause("DT-86", "DT-93", "DT-160")
    def odds(self) -> RideOdds:
        """The best chance of each end, exactly."""
        return self._odds()

    def _odds(self, via: Sequence[tuple[int, int]] = ()) -> RideOdds:
        ride, (row, column), (rows, columns) = self.question, self.corner, self.costs.space.shape
        # Odds are computed on the part of the map that was searched.
        exposed = exposed_poses(ride.table, ride.driver.side)[:, row : row + rows, column : column + columns]
        return RideOdds(
            *(self.costs, ride.start, ride.rides, ride.gear, ride.chances, test_dice(ride.table).falls, via),
            exposed=exposed if exposed.any() else None,
        )

    @cached_property
    def chances(self) -> NDArray[Any]:
        """For numpy: the best chance of ending on each dot, whatever the pose."""
        found = np.zeros(self.board.shape, self.odds.array.dtype)
        row, column = self.corner
        rows, columns = self.costs.space.shape
        found[row : row + rows, column : column + columns] = self.odds.array.max(axis=(0, 1))
        return found

    @property
    def whole(self) -> int:
        """The value of `chances` that stands for certainty."""
        return int(self.odds.whole)

    @cached_property
    def _chances_by_pose(self) -> Mapping[DriveEnd, Mapping[int, Fraction]]:
        array = self.odds.array
        found: dict[DriveEnd, dict[int, Fraction]] = {}
        reached = (self.costs.end_costs() < UNREACHED).reshape(array.shape)
        for phase, heading, row, column in np.argwhere(reached).tolist():
            ride = self.question.rides.rides[phase]
            pose = DriveEnd(self.question.near.board.place_at(row, column), HEADINGS[heading], motion=ride.motion)
            share = Fraction(int(array[phase, heading, row, column]), self.odds.whole)
            by_ap = found.setdefault(pose, {})
            total = self._total(ride.ap)
            by_ap[total] = max(by_ap.get(total, Fraction(0)), share)
        return found

    def chance_at(self, place: Any, *, motion: str = "") -> Fraction:
        """Return the best chance of ending with the front at a dot, in any pose or one; 0 out of reach."""
        pose = self.pose_of(place)
        cell = self._near(pose.place)
        if cell is None:
            return Fraction(0)
        layers = self.odds.array.reshape(-1, *self.costs.space.shape)[:, cell[0], cell[1]]
        return Fraction(int(layers[self._fitting_layers(pose, motion)].max(initial=0)), self.odds.whole)

    def probability(self, place: Any, motion: str = "") -> Fraction:
        """Return the same as `chance_at`, by the register's name."""
        return self.chance_at(place, motion=motion)

    def front(self, place: Any, motion: str = "") -> list[tuple[int, Fraction]]:
        """Return the price of better odds: pairs of AP and chance, each dearer and better than the one before."""
        best: dict[int, Fraction] = {}
        for end, cost, odds in self._states_at(self.pose_of(place), motion):
            del end
            best[cost] = max(best.get(cost, Fraction(0)), Fraction(odds, self.odds.whole))
        steps: list[tuple[int, Fraction]] = []
        for ap in sorted(best):
            if not steps or best[ap] > steps[-1][1]:
                steps.append((ap, best[ap]))
        return steps

    def _states_at(self, pose: Pose, motion: str, odds: RideOdds | None = None) -> list[tuple[RideState, int, int]]:
        """Return every state in which the vehicle can end in a pose, its AP, and its chance in units of 1 / whole."""
        cell, found = self._near(pose.place), self.odds if odds is None else odds
        if cell is None:
            return []
        chances = found.array.reshape(-1, *self.costs.space.shape)[:, cell[0], cell[1]]
        rides = self.question.rides.rides
        return [
            (
                RideState(*divmod(layer, len(HEADINGS)), *cell),
                self._total(rides[layer // len(HEADINGS)].ap),
                chances[layer],
            )
            for layer in np.flatnonzero(self._fitting_layers(pose, motion) & (chances > 0)).tolist()
        ]

    @cached_property
    def certain(self) -> frozenset[DriveEnd]:
        """The poses in which a plan without any risk ends."""
        return frozenset(pose for pose, by_ap in self._chances_by_pose.items() if max(by_ap.values()) == 1)

    @property
    def possible(self) -> frozenset[DriveEnd]:
        """The poses in which some plan with a chance ends."""
        return self.poses

    # --- orders ---

    def orders_to(
        self,
        place: Any,
        *,
        motion: str = "",
        via: Sequence[Dot] = (),
        surest: bool = False,
        safest: bool = False,
    ) -> list[Order]:
        """Return the orders that end with the front at a dot, in any pose or one; raises NoRoute if there are none.

        The plan takes the least AP and is the surest of those; with `surest` (or `safest`, as in other answers) it has
        the best chance of all and takes the least AP for it. Of plans that are equal in both it has the fewest moments
        at which the enemy can fire. With `via` the front passes these dots in their order.
        """
        pose = self.pose_of(place)
        via = listed("via", via, "dot")
        cells = [cell for cell in map(self._near, via) if cell is not None]
        odds = self._odds(cells) if via else self.odds
        states = self._states_at(pose, motion, odds) if len(cells) == len(via) else []
        if not states:
            raise NoRoute(f"{self.mover.id} cannot end at {_end_text(pose, motion, via)}")

        def preferred(state: tuple[RideState, int, int]) -> tuple[Any, ...]:
            end, ap, chance = state
            return (*((-chance, ap) if surest or safest else (ap, -chance)), odds.exposure(end), end)

        end = min(states, key=preferred)[0]
        before = self._before(self.question.rides.rides[end.ride].ap)
        return [*before.orders, self.order_of(odds.ways_to(end), end)]

    def safest_orders_to(self, place: Any, *, motion: str = "") -> list[Order]:
        """Return the orders with the best chance of ending at a dot, the cheapest of those."""
        return self.orders_to(place, motion=motion, surest=True)

    def exits_to(self, place: Any, *, motion: str = "", surest: bool = True) -> list[Exit]:
        """Return every way in which the drive to a dot can end: as planned, or in the skid of each check that may fail.

        It is the drive with the best chance, or without `surest` the cheapest.
        """
        order = self.orders_to(place, motion=motion, surest=surest)[-1]
        return exits(self.question.table, order)

    def order_of(self, legs: Iterable[RideStep], end: RideState) -> Order:
        """Return the order of a drive that goes by some steps and ends in a state."""
        mode = mode_of(self.question, self.question.rides.rides[end.ride])
        return Order(self.question.driver.id, "drive", drive_elements(leg.what for leg in legs), {"mode": mode})

    def order_for(self, end: RideState) -> Order:
        """Return the surest drive that ends in a state."""
        return self.order_of(self.odds.ways_to(end), end)

    @cached_property
    def end_states(self) -> NDArray[np.intp]:
        """Every end, a pose with a total of AP, in rows as `RideState`: of those that differ only inside the surest."""
        odds, rides = self.odds, self.question.rides.rides
        possible = odds.chance > 0
        ride, pose, chance = odds.ride[possible], odds.pose[possible], odds.chance[possible]
        if not len(ride):
            return np.empty((0, len(RideState._fields)), np.intp)
        kinds = dict[tuple[int, str], int]()
        kind_of = np.array([kinds.setdefault((one.ap, one.motion), len(kinds)) for one in rides])
        end = kind_of[ride] * odds.poses + pose
        order = np.argsort(end, kind="stable")
        end, ride, pose, chance = (column[order] for column in (end, ride, pose, chance))
        first = np.flatnonzero(np.diff(end, prepend=-1))
        best = np.repeat(np.maximum.reduceat(chance, first), np.diff(first, append=len(end)))
        of_best = np.flatnonzero(chance == best)
        surest = of_best[np.flatnonzero(np.diff(end[of_best], prepend=-1))]
        # In the order in which the rides lead there, whichever of those that are alike is the surest.
        surest = surest[np.lexsort([pose[first], ride[first]])]
        return odds.states(ride[surest], pose[surest])

    def ways_on(self) -> Iterator[WayOn]:
        """Yield the surest drive to every end, a pose with a total of AP."""
        for end in map(RideState._make, self.end_states.tolist()):
            ap, front = self.question.rides.rides[end.ride].ap, self.question.near.board.place_at(end.row, end.column)
            pose = Pose(front, HEADINGS[end.heading], int(self.board.level[self.board.index(front)]))
            chance = Fraction(int(self.odds.array[end]), self.odds.whole)
            yield WayOn(pose, Fraction(self._total(ap)), chance, [*self._before(ap).orders, self.order_for(end)])

    # --- why not there ---

    def why_not(self, place: Any, *, motion: str = "") -> WhyNot:
        """Explain why the vehicle cannot end with its front at a dot, in any pose or one."""
        pose = self.pose_of(place)
        if (cost := self.cost_at(pose, motion=motion)) is not None:
            return self.reached(pose, cost)
        return self.explained(pose, *why_not_there(self.question, pose, motion))

    def end_fields(self) -> list[dict[str, Any]]:
        """Return every end as plain data: the pose, whether it moves on, the AP, the best chance with these AP."""
        level = self.board.level
        return [
            {
                "place": list(pose.front),
                "heading": pose.heading,
                "motion": pose.motion,
                "level": int(level[self.board.index(pose.front)]),
                "cost": figure(ap),
                "chance": figure(chance),
            }
            for pose, by_ap in self._chances_by_pose.items()
            for ap, chance in sorted(by_ap.items())
        ]


def _end_text(pose: Pose, motion: str, via: Sequence[Dot]) -> str:
    words = [str(pose), *([motion] if motion else [])]
    return " ".join([*words, *([f"through {', '.join(map(place_text, via))}"] if via else [])])


def drive_elements(steps: Iterable[str]) -> tuple[Element, ...]:
    """Return the elements of a drive from its single steps: consecutive dots become one element.

    >>> [(element.name, dict(element.args)) for element in drive_elements(["move", "on", "left 60", "on"])]
    [('move', {'dots': 2}), ('left', {'angle': 60}), ('on', {'dots': 1})]
    """
    found: list[tuple[str, dict[str, int]]] = []
    for step in steps:
        name, _, angle = step.partition(" ")
        if angle:
            found.append((name, {"angle": int(angle)}))
        elif name == "on" and found[-1][0] in (*SEGMENTS, "on"):
            found[-1][1]["dots"] += 1
        else:
            found.append((name, {"dots": 1}))
    return tuple(Element(name, args) for name, args in found)


@clause("DT-59", "DT-61", "DT-72", "DT-83")
def drive_reach(
    question: RideQuestion, engine: Engine = "numpy", action: str = "drive", approaches: Sequence[Approach] = ()
) -> DriveReach:
    """Compute where a vehicle may end."""
    return DriveReach(question, question.costs(engine), action, approaches)
