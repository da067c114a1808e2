"""Why a vehicle cannot end there: every clause in the way of a pose, and the smallest change that would help."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.geometry.hex_lattice import Dot, distance
from simulator.geometry.poses import Heading, Level, Pose, place_text
from simulator.pathing.costs import Costs
from simulator.pathing.move_space import UNREACHED, Mask, MoveSpace
from simulator.pathing.search import search
from simulator.rulesets.dot_trooper.checks import test_dice
from simulator.rulesets.dot_trooper.drive_states import HEADINGS, boundless_space
from simulator.rulesets.dot_trooper.movement import RideQuestion, ride_question
from simulator.rulesets.dot_trooper.poses import against_standing
from simulator.rulesets.dot_trooper.riding import MODES
from simulator.rulesets.dot_trooper.surroundings import off_the_map
from simulator.rulesets.dot_trooper.units import ap_left, cap_left, mode_range, supports
from simulator.rulesets.dot_trooper.why.remedies import closed_by, smallest_change

#: The reasons, and what would help.
Why = tuple[list[Breach], str]


def why_not_there(ride: RideQuestion, pose: Pose, motion: str) -> Why:
    """Return every reason why a vehicle cannot end there, the main one first, and the smallest change that helps."""
    place: Dot = pose.place[0], pose.place[1]
    reasons = _off_the_ground(ride, place, pose.level) or _in_the_pose(ride, place, pose.heading)
    if reasons and (place not in ride.ground.board or reasons[0].clause in ("DT-49", "DT-166")):
        return reasons, ""
    inquiry = _Inquiry(ride, place, None if pose.heading is None else int(pose.heading), motion)
    return (reasons, inquiry.remedy()) if reasons else inquiry.why()


@clause("DT-166")
def _off_the_ground(ride: RideQuestion, place: Dot, level: Level) -> list[Breach]:
    """Report a level other than the ground, to which a vehicle keeps."""
    board = ride.ground.board
    if level is None or place not in board or (ground := int(board.level[board.index(place)])) == level:
        return []
    message = f"a vehicle keeps to the ground, and that of {place_text(place)} is on level {ground}"
    return [Breach("DT-166", message, level, ground, place=place)]


@clause("DT-49", "DT-54", "DT-165", "DT-167")
def _in_the_pose(ride: RideQuestion, place: Dot, heading: Heading) -> list[Breach]:
    """Report what stands where the vehicle would stand, in every pose open to it."""
    if place not in ride.ground.board:
        return [off_the_map(place)]
    headings = HEADINGS if heading is None else (heading,)
    faults = {one: list(against_standing(ride.ground, place, one)) for one in HEADINGS if one in headings}
    if not faults:
        message = f"a vehicle faces 0, 60, 120, 180, 240 or 300, not {heading}"
        return [Breach("DT-49", message, HEADINGS, heading)]
    if not all(faults.values()):
        return []
    reasons = list(dict.fromkeys(breach for breaches in faults.values() for breach in breaches))
    of_front = [breach for breach in reasons if breach.place == place]
    return of_front or reasons


class _Inquiry:
    """Determines what keeps a vehicle from a pose in which it could stand."""

    def __init__(self, ride: RideQuestion, place: Dot, heading: int | None, motion: str) -> None:
        self.ride, self.place, self.heading, self.motion = ride, place, heading, motion
        self.at, self.cell = place_text(place), ride.ground.board.index(place)

    def why(self) -> Why:
        """Return the reasons and the remedy."""
        if reason := self._hopeless():
            return reason
        if reason := self._other_mode():
            return reason
        ap = self._boundless(self.ride)
        if ap is not None:
            return self._not_with_these_ap(ap)
        return self._closed()

    # --- dice, modes and AP ---

    @clause("DT-160")
    def _hopeless(self) -> Why | None:
        """Report a check that no roll passes, if it is all that prevents the pose."""
        ride = self.ride
        needed = {check: ride.needed(check) for check in sorted(ride.hopeless)}
        dice = test_dice(ride.table)
        most = max(dice.chances)
        for tn in sorted(set(needed.values())):
            granted = frozenset(check for check in needed if needed[check] <= tn)
            if self._reached(replace(ride, granted=granted)):
                message = f"{self.at} takes a control check against {tn}, {dice} yield at most {most}"
                return [Breach("DT-160", message, tn, most, place=self.place)], f"a target number lower by {tn - most}"
        return None

    @clause("DT-59", "DT-61")
    def _other_mode(self) -> Why | None:
        """Report a pose that is not reached in this mode, but in another one that can be selected."""
        ride = self.ride
        if not ride.named:
            return None
        every = ride_question(ride.table, ride.vehicle, ride.driver, paid=ride.paid)
        for mode in every.modes if every is not None else ():
            other = ride_question(ride.table, ride.vehicle, ride.driver, mode, paid=ride.paid)
            if other is not None and self._reached(other):
                least, most = mode_range(ride.table, ride.named)
                ap = f"{least} AP" if least == most else f"{least} to {most} AP"
                message = f"{self.at} is not reached in {ride.named}, with {ap} of movement"
                return [Breach("DT-61", message, mode, ride.named, place=self.place)], f"in {mode}"
        return None

    @clause("DT-61", "DT-64", "DT-68", "DT-162")
    def _not_with_these_ap(self, ap: int) -> Why:
        """Report a way that takes too many AP or too few."""
        ride = self.ride
        if ap <= ride.gear.most:
            return [self._too_few(ap)], self.remedy()
        return self._limits(self._least_budget() or ap), self.remedy()

    @clause("DT-61", "DT-68")
    def _too_few(self, ap: int) -> Breach:
        """Report that the AP of the way lie below the range of every mode, or between two of them."""
        ride = self.ride
        ranges = [mode_range(ride.table, mode) for mode in ride.modes]
        needed = min((least for least, _ in ranges if least > ap), default=ride.gear.least)
        message = f"{self.at} is reached with {ap} AP, and no plan there spends the AP of any mode"
        if ap < ride.gear.least:
            message = f"{self.at} is reached with fewer AP than the {needed} that {ride.modes[0]} requires"
        return Breach("DT-68", message, needed, ap, place=self.place)

    @clause("DT-36", "DT-61", "DT-64", "DT-162")
    def _limits(self, ap: int) -> list[Breach]:
        """Report what allows fewer AP than the way takes: mode or card, otherwise the AP available and the cap."""
        ride = self.ride
        table, driver = ride.table, ride.driver
        open_ = [ride.named] if ride.named else [mode for mode in MODES if supports(table, ride.vehicle, mode)]
        by_mode = max(mode_range(table, mode)[1] for mode in open_)
        far = f"{self.at} is too far"
        if ap > by_mode:
            highest, rule = open_[-1], "DT-61"
            message = f"{far}: {highest} has {by_mode} AP of movement at most"
            if not ride.named and highest != MODES[-1]:
                rule, message = "DT-36", f"{far}: {ride.vehicle.id} can use {highest} at most, {by_mode} AP"
            return [Breach(rule, message, ap, by_mode, place=self.place)]
        found = []
        if ap > (left := self._ap_left()):
            found.append(Breach("DT-162", f"{far}: {driver.id} has {left} AP left for it", ap, left, place=self.place))
        if ap > (cap := cap_left(table, driver)):
            message = f"{far}: the cap of the turn leaves {cap} AP of movement"
            found.append(Breach("DT-64", message, ap, cap, place=self.place))
        return found

    def _ap_left(self) -> int:
        """Return the AP available for the drive: those of the question, or those the driver has."""
        return ap_left(self.ride.table, self.ride.driver) if self.ride.ap is None else self.ride.ap

    # --- what stands in the way ---

    @clause("DT-76", "DT-165")
    def _closed(self) -> Why:
        """Report that there is no way whatever the AP: others close it, or the map."""
        names = self._others()
        alone = self.ride.without(names)
        ap = self._boundless(alone)
        if ap is None:
            return [Breach("DT-76", f"obstacles on the map leave no path to {self.at}", place=self.place)], ""
        remedy = self.remedy()
        closing, message = closed_by(names, remedy, self.at)
        reasons = [Breach("DT-165", message, blocker=", ".join(closing), place=self.place)]
        if not self._helps(tuple(closing), 0):
            reasons += self._limits(self._least_budget(tuple(closing)) or ap)
        return reasons, remedy

    def _others(self) -> tuple[str, ...]:
        """Return the units on the map, those nearest to the place first."""
        others = self.ride.ground.others
        near = sorted(others, key=lambda other: (distance(other[0], self.place), other[2]))
        return tuple(dict.fromkeys(name for _, _, name, _ in near))

    # --- what would help ---

    @clause("DT-162", "DT-165")
    def remedy(self) -> str:
        """Return the smallest change with which the pose is reached; each is verified."""
        left, cap = self._ap_left(), cap_left(self.ride.table, self.ride.driver)
        return smallest_change(self._others(), range(1, cap - left + 1), self._helps)

    def _helps(self, names: tuple[str, ...], more: int) -> bool:
        return self._reached_with(names, self._budget() + more) if more else self._reached(self.ride.without(names))

    def _budget(self) -> int:
        """Return the AP of movement there are."""
        return min(self._ap_left(), cap_left(self.ride.table, self.ride.driver))

    def _least_budget(self, names: tuple[str, ...] = ()) -> int | None:
        """Return the fewest AP of movement with which it is reached without some units; None if no number suffices."""
        modes = [self.ride.named] if self.ride.named else MODES
        most = max(mode_range(self.ride.table, mode)[1] for mode in modes)
        return next((ap for ap in range(self._budget() + 1, most + 1) if self._reached_with(names, ap)), None)

    def _reached_with(self, names: tuple[str, ...], ap: int) -> bool:
        """Whether it is reached with another number of AP of movement, some units gone."""
        old = self.ride
        ride = ride_question(old.table, old.vehicle, old.driver, old.named, ap, old.paid)
        return ride is not None and self._reached(ride.without(names))

    # --- variants of the question ---

    def _goal_layers(self, space: MoveSpace) -> Mask:
        labels = space.layer_labels
        return np.array([self.heading in (None, head) and phase.startswith(self.motion) for head, phase in labels])

    def _least(self, costs: Costs) -> int | None:
        return self._least_at(costs, self.cell)

    def _least_at(self, costs: Costs, cell: tuple[int, int]) -> int | None:
        least = int(np.where(self._goal_layers(costs.space), costs.end_costs()[:, *cell], UNREACHED).min())
        return None if least == UNREACHED else least

    def _reached(self, ride: RideQuestion) -> bool:
        """Whether another question has this pose among its ends."""
        board = ride.near.board
        return self.place in board and self._least_at(ride.costs(), board.index(self.place)) is not None

    def _boundless(self, ride: RideQuestion) -> int | None:
        """Return the least AP of a way with unlimited AP, whatever the mode requires; None if there is no way."""
        return self._least(search(_boundless_space(ride)))


def _boundless_space(ride: RideQuestion) -> MoveSpace:
    vehicle = ride.vehicle
    return boundless_space(ride.ground, ride.gear, vehicle.place, vehicle.heading, ride.standing)
