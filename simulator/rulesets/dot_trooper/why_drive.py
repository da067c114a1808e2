"""Why a vehicle can not end there: every clause in the way of a pose, and the smallest change that would help."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.reach import told_place
from simulator.geometry.hex_lattice import Dot
from simulator.pathing.costs import Costs
from simulator.pathing.move_space import UNREACHED, Mask, MoveSpace
from simulator.pathing.search import search
from simulator.rulesets.dot_trooper.cards import ap_left, cap_left, mode_range, supports
from simulator.rulesets.dot_trooper.driving import HEADINGS, boundless_space
from simulator.rulesets.dot_trooper.ground import rear_of
from simulator.rulesets.dot_trooper.movement import RideQuestion, ride_question
from simulator.rulesets.dot_trooper.poses import against_standing
from simulator.rulesets.dot_trooper.riding import MODES

#: The reasons, and what would help.
Why = tuple[list[Breach], str]


def why_not_there(asked: RideQuestion, place: Dot, heading: int | None, motion: str) -> Why:
    """Give every reason why a vehicle can not end so, the first one first, and the smallest change that would help."""
    reasons, remedy = _in_the_pose(asked, place, heading)
    if reasons:
        return reasons, remedy
    return _Inquiry(asked, place, heading, motion).why()


@clause("DT-49", "DT-54", "DT-165", "DT-167")
def _in_the_pose(asked: RideQuestion, place: Dot, heading: int | None) -> Why:
    """What stands where the vehicle would stand, in every pose that is open to it."""
    if place not in asked.ground.board:
        return [Breach("DT-167", f"{told_place(place)} is off the map", blocker="the edge of the map", place=place)], ""
    headings = HEADINGS if heading is None else (heading,)
    faults = {one: list(against_standing(asked.ground, place, one)) for one in headings if one in HEADINGS}
    if not faults:
        return [
            Breach("DT-49", f"a vehicle looks along 0, 60, 120, 180, 240 or 300, not {heading}", HEADINGS, heading)
        ], ""
    if not all(faults.values()):
        return [], ""
    reasons = list(dict.fromkeys(breach for breaches in faults.values() for breach in breaches))
    of_front = [breach for breach in reasons if breach.place == place]
    reasons = of_front or reasons
    units = [breach.blocker for breach in reasons if breach.blocker in asked.table.state.units]
    alone = asked.without(units)
    helps = units and any(not list(against_standing(alone.ground, place, one)) for one in faults)
    return reasons, f"with {', '.join(dict.fromkeys(units))} gone" if helps else ""


class _Inquiry:
    """Looks for what keeps a vehicle from a pose in which it could stand."""

    def __init__(self, asked: RideQuestion, place: Dot, heading: int | None, motion: str) -> None:
        self.asked, self.place, self.heading, self.motion = asked, place, heading, motion
        self.at, self.cell = told_place(place), asked.ground.board.index(place)

    def why(self) -> Why:
        """Give the reasons and the remedy."""
        if reason := self._hopeless():
            return reason
        if reason := self._other_mode():
            return reason
        ap = self._boundless(self.asked)
        if ap is not None:
            return self._not_with_these_ap(ap)
        return self._closed()

    # --- what the dice, the mode and the AP say ---

    @clause("DT-160")
    def _hopeless(self) -> Why | None:
        """It would be reached, but for a check that no roll passes."""
        asked = self.asked
        needed = {check: asked.needed(check) for check in sorted(asked.hopeless)}
        for tn in sorted(set(needed.values())):
            granted = frozenset(check for check in needed if needed[check] <= tn)
            if self._reached(replace(asked, granted=granted)):
                told = f"{self.at} takes a control check against {tn}, 2D6 give 12 at most"
                return [Breach("DT-160", told, tn, 12, place=self.place)], f"a target number lower by {tn - 12}"
        return None

    @clause("DT-59", "DT-61")
    def _other_mode(self) -> Why | None:
        """It is not reached in this mode, but in another one that can be selected."""
        asked = self.asked
        if not asked.named:
            return None
        every = ride_question(asked.table, asked.vehicle, asked.driver, paid=asked.paid)
        for mode in every.modes if every is not None else ():
            other = ride_question(asked.table, asked.vehicle, asked.driver, mode, paid=asked.paid)
            if other is not None and self._reached(other):
                least, most = mode_range(asked.table, asked.named)
                ap = f"{least} AP" if least == most else f"{least} to {most} AP"
                told = f"{self.at} is not reached in {asked.named}, with {ap} of movement"
                return [Breach("DT-61", told, mode, asked.named, place=self.place)], f"in {mode}"
        return None

    @clause("DT-61", "DT-64", "DT-68", "DT-162")
    def _not_with_these_ap(self, ap: int) -> Why:
        """There is a way, and it takes too many AP or too few."""
        asked = self.asked
        most = asked.gear.most
        if ap <= most:
            told = f"{self.at} is reached with {ap} AP, and no plan there spends what a mode wants"
            least = asked.gear.least
            if ap < least:
                told = f"{self.at} is reached with fewer AP than the {least} that {asked.modes[0]} wants"
            return [Breach("DT-68", told, least, ap, place=self.place)], ""
        return [Breach(*self._limit(most), ap, most, place=self.place)], f"{ap - most} AP more"

    def _limit(self, most: int) -> tuple[str, str]:
        """Name what limits the AP, and say so: the mode, the card, the cap, or the AP of the trooper."""
        asked = self.asked
        table, driver = asked.table, asked.driver
        open_ = [asked.named] if asked.named else [mode for mode in MODES if supports(table, asked.vehicle, mode)]
        by_mode = max(mode_range(table, mode)[1] for mode in open_)
        if most >= by_mode:
            highest = open_[-1]
            if not asked.named and highest != MODES[-1]:
                return "DT-36", f"{self.at} is too far: {asked.vehicle.id} can use {highest} at most, {by_mode} AP"
            return "DT-61", f"{self.at} is too far: {highest} has {by_mode} AP of movement at most"
        if cap_left(table, driver) < ap_left(table, driver):
            return "DT-64", f"{self.at} is too far: the cap of the turn leaves {most} AP of movement"
        return "DT-162", f"{self.at} is too far: {driver.id} has {most} AP left for it"

    # --- what stands in the way ---

    @clause("DT-76", "DT-165")
    def _closed(self) -> Why:
        """There is no way however many AP there are: others close it, or the map."""
        asked = self.asked
        alone = asked.without(asked.table.state.units)
        ap = self._boundless(alone)
        if ap is None:
            return [Breach("DT-76", f"what stands on the map leaves no way to {self.at}", place=self.place)], ""
        names = self._in_the_way(alone)
        told = ", ".join(names)
        verb = "closes" if len(names) == 1 else "close"
        reasons = [Breach("DT-165", f"{told} {verb} every way to {self.at}", blocker=told, place=self.place)]
        most = asked.gear.most
        if ap > most:
            reasons.append(Breach(*self._limit(most), ap, most, place=self.place))
            return reasons, f"with {told} gone, {ap - most} AP more"
        return reasons, f"with {told} gone"

    def _in_the_way(self, alone: RideQuestion) -> list[str]:
        """Name one unit without which there is a way, or all on the way there would be without them."""
        costs = search(_boundless_space(alone))
        layer = int(np.where(self._wanted(costs.space), costs.end_costs()[:, *self.cell], UNREACHED).argmin())
        route = costs.trace(costs.space.state_at(layer, *self.cell))
        board = alone.ground.board
        poses = [(board.place_at(state.row, state.col), int(state.heading or 0)) for state in route.states]
        covered = {dot for front, heading in poses for dot in (front, rear_of(front, heading))}
        others = self.asked.ground.others
        on_the_way = tuple(dict.fromkeys(name for dot, _, name, _ in others if dot in covered))
        for name in on_the_way:
            if self._boundless(self.asked.without((name,))) is not None:
                return [name]
        if self._boundless(self.asked.without(on_the_way)) is not None:
            return list(on_the_way)
        return list(dict.fromkeys(name for _, _, name, _ in others))

    # --- questions asked otherwise ---

    def _wanted(self, space: MoveSpace) -> Mask:
        labels = space.layer_labels
        return np.array([self.heading in (None, head) and phase.startswith(self.motion) for head, phase in labels])

    def _least(self, costs: Costs) -> int | None:
        return self._least_at(costs, self.cell)

    def _least_at(self, costs: Costs, cell: tuple[int, int]) -> int | None:
        least = int(np.where(self._wanted(costs.space), costs.end_costs()[:, *cell], UNREACHED).min())
        return None if least == UNREACHED else least

    def _reached(self, asked: RideQuestion) -> bool:
        """Whether another question has this pose among its ends."""
        board = asked.near.board
        return self.place in board and self._least_at(asked.costs(), board.index(self.place)) is not None

    def _boundless(self, asked: RideQuestion) -> int | None:
        """Give the least AP of a way, whatever the mode wants and however many AP there are; None where no way is."""
        return self._least(search(_boundless_space(asked)))


def _boundless_space(asked: RideQuestion) -> MoveSpace:
    vehicle = asked.vehicle
    return boundless_space(asked.ground, asked.gear, vehicle.place, vehicle.heading, asked.standing)
