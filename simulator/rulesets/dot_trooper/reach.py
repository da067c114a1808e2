"""Reach as an answer of this rulebook: where, facing which way, moving or stopped, with which AP, at what odds."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Element, Order
from simulator.engine.state import Unit
from simulator.geometry.hex_lattice import Dot, distance
from simulator.pathing.costs import Costs
from simulator.pathing.move_space import UNREACHED, MoveSpace, Start
from simulator.pathing.reach import Place, Reach
from simulator.pathing.route import Route
from simulator.pathing.search import Engine, search
from simulator.rulesets.dot_trooper.cards import DTTable
from simulator.rulesets.dot_trooper.checks import chance
from simulator.rulesets.dot_trooper.driving import HEADINGS
from simulator.rulesets.dot_trooper.flight import against_activating
from simulator.rulesets.dot_trooper.foot import foot_phase
from simulator.rulesets.dot_trooper.ground import Ground, map_of, rear_of
from simulator.rulesets.dot_trooper.landings import landings, looks_at_whole_flights
from simulator.rulesets.dot_trooper.movement import RideQuestion, foot_space, mode_of_ap
from simulator.rulesets.dot_trooper.odds import RideOdds
from simulator.rulesets.dot_trooper.poses import against_staying
from simulator.rulesets.dot_trooper.riding import ANGLES, SEGMENTS, Gear


@dataclass(frozen=True, slots=True)
class Pose:
    """An end of a drive: where, facing which way, moving or stopped."""

    front: Dot
    heading: int
    motion: str

    @property
    def rear(self) -> Dot:
        """The rear dot."""
        return rear_of(self.front, self.heading)


@dataclass(frozen=True, slots=True)
class WhyNot:
    """Why a place is not reached: the first clause in the way, how much is missing, and what would be nearest."""

    breach: Breach
    short: int | None
    nearest: Place | None

    def __str__(self) -> str:
        words = [str(self.breach)]
        if self.short:
            words.append(f"{self.short} AP short")
        if self.nearest is not None:
            words.append(f"nearest legal end {self.nearest[0]},{self.nearest[1]}")
        return "; ".join(words)


class DriveReach(Reach):
    """Where a vehicle may end its movement. Places are front dots, phases tell AP and whether it stands or moves."""

    def __init__(self, question: RideQuestion, costs: Costs) -> None:
        super().__init__(question.ground.board, costs, unit="AP")
        self.question = question

    @cached_property
    def totals(self) -> Mapping[Pose, tuple[int, ...]]:
        """Every end pose, with the totals of AP that achieve it."""
        found: dict[Pose, set[int]] = {}
        motion = {phase: phase.split(" ")[0] for phase in self.costs.space.phases}
        for end in self.ends:
            heading: Any = end.heading
            found.setdefault(Pose(end.place, heading, motion[end.phase]), set()).add(int(end.cost))
        return {pose: tuple(sorted(totals)) for pose, totals in found.items()}

    @cached_property
    def poses(self) -> frozenset[Pose]:
        """Every end pose."""
        return frozenset(self.totals)

    @cached_property
    def covered(self) -> frozenset[Dot]:
        """Every dot that the vehicle may cover at the end, front or rear."""
        return frozenset(dot for pose in self.totals for dot in (pose.front, pose.rear))

    @cached_property
    @clause("DT-86", "DT-93", "DT-160")
    def odds(self) -> RideOdds:
        """The best chance of each end, exactly."""
        asked = self.question
        chances = {
            (cause, angle): chance(asked.table, asked.vehicle, asked.driver, cause, angle)
            for cause, angles in (("turn", ANGLES), ("stop", (0, *ANGLES)))
            for angle in angles
        }
        stop = asked.gear.segment_cost("stop")
        free = asked.table.options.minimum_stop == "allowed_2ap_no_check" and "minimum" in asked.modes
        free = free and not asked.standing
        return RideOdds(self.costs.space, asked.start, asked.rides, chances, stop, free)

    @cached_property
    def _chances(self) -> Mapping[Pose, Mapping[int, Fraction]]:
        array = self.odds.array
        found: dict[Pose, dict[int, Fraction]] = {}
        for phase, heading, row, column in np.argwhere(self._ends_by_state).tolist():
            ride = self.question.rides.rides[phase]
            pose = Pose(self.board.place_at(row, column), HEADINGS[heading], ride.motion)
            share = Fraction(int(array[phase, heading, row, column]), self.odds.whole)
            by_ap = found.setdefault(pose, {})
            by_ap[ride.ap] = max(by_ap.get(ride.ap, Fraction(0)), share)
        return found

    @cached_property
    def _ends_by_state(self) -> Any:
        space = self.costs.space
        return (self.array < UNREACHED).reshape(len(space.phases), len(space.headings), *space.shape)

    def probability(self, place: Dot, heading: int | None = None, motion: str = "") -> Fraction:
        """Give the best chance to end at a place, in any pose or one, over all plans; 0 out of reach."""
        return max((odds for _, odds in self.front(place, heading, motion)), default=Fraction(0))

    def front(self, place: Dot, heading: int | None = None, motion: str = "") -> list[tuple[int, Fraction]]:
        """Give what better odds cost: pairs of AP and chance, each dearer and better than the one before."""
        best: dict[int, Fraction] = {}
        for pose, by_ap in self._chances.items():
            fits = pose.front == place and heading in (None, pose.heading) and motion in ("", pose.motion)
            for ap, odds in by_ap.items() if fits else ():
                best[ap] = max(best.get(ap, Fraction(0)), odds)
        steps: list[tuple[int, Fraction]] = []
        for ap in sorted(best):
            if best[ap] > 0 and (not steps or best[ap] > steps[-1][1]):
                steps.append((ap, best[ap]))
        return steps

    @cached_property
    def certain(self) -> frozenset[Pose]:
        """The poses that a plan without any risk ends in."""
        return frozenset(pose for pose, by_ap in self._chances.items() if max(by_ap.values()) == 1)

    @cached_property
    def possible(self) -> frozenset[Pose]:
        """The poses that some plan with a chance at all ends in."""
        return frozenset(pose for pose, by_ap in self._chances.items() if max(by_ap.values()) > 0)

    def order_to(self, place: Dot, heading: int | None = None, motion: str = "") -> Order:
        """Give an order that drives there at the least AP; raises NoRoute where there is none."""
        ends = [end for end in self.ends_at(place) if heading in (None, end.heading) and end.phase.startswith(motion)]
        if ends:
            route = self.route_to(place, ends[0].heading, ends[0].phase)
        else:
            route = self.route_to(place, heading if heading is not None else "none", motion or "none")
        mode = mode_of_ap(self.question.table, self.question.modes, int(route.cost))
        return Order(self.question.driver.id, "drive", drive_elements(route), {"mode": mode})

    def why_not(self, place: Dot) -> WhyNot | None:
        """Say why the vehicle can not end with its front at a place, or None where it can."""
        if place in self:
            return None
        asked = self.question
        ground = asked.ground
        nearest = _nearest(self.places, place)
        if not ground.at(ground.free, place):
            rule = "DT-167" if place not in ground.board else "DT-5" if ground.at(ground.solid, place) else "DT-165"
            blocker = ground.blocker(place)
            return WhyNot(Breach(rule, f"{blocker} is there", blocker=blocker, place=place), None, nearest)
        poses = [list(against_staying(ground, place, heading)) for heading in HEADINGS]
        if all(poses):
            return WhyNot(poses[0][0], None, nearest)
        far = self._far
        ap = far.cost_at(place) if place in far else None
        if ap is not None and ap > asked.gear.most:
            short = int(ap) - asked.gear.most
            breach = Breach(
                "DT-61", f"{ap} AP of movement, {asked.gear.most} at most", ap, asked.gear.most, place=place
            )
            return WhyNot(breach, short, nearest)
        if place in self._hasty:
            breach = Breach("DT-68", f"it is reached with fewer than {asked.gear.least} AP only", asked.gear.least)
            return WhyNot(breach, None, nearest)
        if place in self._alone:
            blocker = self._unit_in_the_way(place)
            return WhyNot(Breach("DT-165", f"{blocker} is in the way", blocker=blocker, place=place), None, nearest)
        return WhyNot(Breach("DT-76", "what stands on the map leaves no way", place=place), None, nearest)

    @cached_property
    def _far(self) -> Reach:
        """With more AP than there are."""
        return self._with(self.question.ground, self.question.gear.least, _FAR)

    @cached_property
    def _hasty(self) -> Reach:
        """With fewer AP than the mode wants."""
        return self._with(self.question.ground, 1, self.question.gear.most)

    @cached_property
    def _alone(self) -> Reach:
        """With nobody else on the map."""
        return self._with(self.question.ground.without_units(), self.question.gear.least, self.question.gear.most)

    def _with(self, ground: Ground, least: int, most: int) -> Reach:
        asked = self.question
        gear = Gear.of(asked.table.options, asked.table.tables, asked.gear.dots_per_ap, least, most)
        other = RideQuestion(asked.table, asked.vehicle, asked.driver, asked.modes, gear, ground)
        return Reach(self.board, other.costs(), unit="AP")

    def _unit_in_the_way(self, place: Dot) -> str:
        """Name a unit without which the place would be reached, or the first on the map."""
        ground = self.question.ground
        names = tuple(dict.fromkeys(id for _, _, id, _ in ground.others))
        for name in names:
            others = tuple(other for other in ground.others if other[2] != name)
            without = Ground(ground.board, ground.options, others)
            if place in self._with(without, self.question.gear.least, self.question.gear.most):
                return name
        return ", ".join(names)


#: The AP up to which `why_not` looks for a way.
_FAR = 16


def drive_elements(route: Route[Any]) -> tuple[Element, ...]:
    """Give the elements of a drive that a route consists of."""
    found: list[tuple[str, dict[str, int]]] = []
    for leg in route.legs:
        if leg.what in SEGMENTS:
            found.append((leg.what, {"dots": 1}))
        elif leg.what == "on":
            if found[-1][0] in (*SEGMENTS, "on"):
                found[-1][1]["dots"] += 1
            else:
                found.append(("on", {"dots": 1}))
        else:
            side, _, angle = leg.what.partition(" ")
            found.append((side, {"angle": int(angle)}))
    return tuple(Element(name, args) for name, args in found)


@clause("DT-59", "DT-61", "DT-72", "DT-83")
def drive_reach(question: RideQuestion, engine: Engine = "numpy") -> DriveReach:
    """Answer where a vehicle may end."""
    return DriveReach(question, question.costs(engine))


# --- on foot and in the air ---


class FootReach(Reach):
    """Where a trooper may end on foot or after a flight. Phases tell the level, so a roof is an end of its own."""

    def __init__(self, table: DTTable, trooper: Unit, costs: Costs, flies: bool) -> None:
        super().__init__(map_of(table), costs, unit="AP")
        self.table, self.trooper, self.flies = table, trooper, flies

    @cached_property
    def levels(self) -> Mapping[tuple[Dot, int], int]:
        """Every dot and level that can be reached, with the least AP."""
        found: dict[tuple[Dot, int], int] = {}
        for end in self.ends:
            key = (end.place, level_of_phase(end.phase))
            found[key] = min(found.get(key, int(end.cost)), int(end.cost))
        return found

    def why_not(self, place: Dot, level: int | None = None) -> WhyNot | None:
        """Say why the trooper can not end at a place (on a level), or None where they can."""
        if any(place == dot and level in (None, on) for dot, on in self.levels):
            return None
        ground = Ground.of(self.table, self.trooper)
        nearest = _nearest(self.places, place)
        if place not in ground.board or ground.at(ground.solid, place):
            rule = "DT-5" if place in ground.board else "DT-167"
            return WhyNot(Breach(rule, f"{ground.blocker(place)} is there", place=place), None, nearest)
        surfaces = ground.board.surfaces_at(place)
        if level is not None and level not in surfaces:
            return WhyNot(Breach("DT-164", f"nothing to stand on at level {level}", level, surfaces), None, nearest)
        wanted = surfaces if level is None else (level,)
        if not any(ground.at(ground.walkable(on, passing=False), place) for on in wanted):
            blocker = ground.blocker(place, wanted[0])
            return WhyNot(Breach("DT-165", f"{blocker} stands there", blocker=blocker, place=place), None, nearest)
        rich = self.trooper.put(ap_bonus=self.trooper["ap_bonus"] + 60, movement_spent=-60)
        far = foot_reach(self.table, rich, flies=self.flies)
        prices = [ap for (dot, on), ap in far.levels.items() if dot == place and on in wanted]
        budget = self.costs.space.budget or 0
        if prices:
            breach = Breach("DT-162", f"{min(prices)} AP, {budget} left", min(prices), budget, place=place)
            return WhyNot(breach, min(prices) - budget, nearest)
        return WhyNot(Breach("DT-164", "no way on foot or in the air leads there", place=place), None, nearest)


def level_of_phase(phase: str) -> int:
    """Give the level that a phase on foot stands on.

    >>> level_of_phase("level 2, prone, flown")
    2
    """
    return int(phase.split(",")[0].removeprefix("level "))


@clause("DT-8", "DT-28", "DT-164")
def foot_reach(
    table: DTTable, trooper: Unit, *, walks: bool = True, flies: bool = True, engine: Engine = "numpy"
) -> FootReach:
    """Answer where a trooper may end with foot dots and one flight."""
    if flies and looks_at_whole_flights(table) and not any(against_activating(table, trooper)):
        space = _landed_space(table, trooper, walks, engine)
    else:
        space = foot_space(table, trooper, walks=walks, flies=flies)
    return FootReach(table, trooper, search(space, engine), flies)


def _landed_space(table: DTTable, trooper: Unit, walks: bool, engine: Engine) -> MoveSpace:
    """Compile what is left after every flight there is from every dot that can be walked to.

    Routes of it begin where a flight has landed.
    """
    ground = Ground.of(table, trooper)
    before = search(foot_space(table, trooper, walks=walks, flies=False), engine)
    ap = int(table.tables["activity.activate_jet_pack"])
    landed: dict[tuple[Dot, int], int] = {}
    for layer, (_, phase) in enumerate(before.space.layer_labels):
        if "prone" in phase:
            continue
        reached = before.full()[layer]
        for row, column in np.argwhere(reached < UNREACHED).tolist():
            level = level_of_phase(phase)
            for dot in landings(table, ground, ground.board.place_at(row, column), level):
                top = int(ground.board.top[ground.board.index(dot)])
                paid = int(reached[row, column]) + ap
                landed[dot, top] = min(paid, landed.get((dot, top), paid))
    begun = [Start(*ground.board.index(dot), None, foot_phase(level), paid) for (dot, level), paid in landed.items()]
    space = foot_space(table, trooper, walks=walks, flies=False)
    starts = (*(space.starts if walks else ()), *begun)
    return replace(space, starts=starts, start_is_end=True)


def orders_of(route: Route[Any], unit: str) -> list[Order]:
    """Give the orders that a route on foot and in the air consists of: walk, fly, walk."""
    orders: list[Order] = []
    part: deque[Element] = deque()
    flight: list[Dot] = []

    def close() -> None:
        if part:
            orders.append(Order(unit, "foot_move", tuple(part)))
            part.clear()

    level = level_of_phase(route.start_phase)
    for leg in route.legs:
        if leg.what == "fly":
            close()
            flight.append(leg.place)
        elif leg.what == "land":
            orders.append(Order(unit, "activate_jet_pack", [Element("fly", {"dots": tuple(flight)})]))
            flight.clear()
            level = level_of_phase(leg.phase)
        elif leg.what == "step":
            to = level_of_phase(leg.phase)
            part.append(Element("step", {"to": leg.place} | ({"level": to} if to != level else {})))
            level = to
        else:
            part.append(Element(leg.what))
    close()
    return orders


def _nearest(places: Iterable[Place], place: Place) -> Place | None:
    return min(places, key=lambda other: (distance(place, other), other), default=None)
