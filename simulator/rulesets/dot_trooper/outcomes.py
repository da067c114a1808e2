"""All outcomes of one plan: as planned, or a skid after each check that may fail, with what it hits and breaks.

`exits` computes them beforehand; `rest_distribution` plays the order with all results of the dice, so it also covers
rams, strikes and whatever else an order contains.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.dice import Dice
from simulator.engine.errors import TableError
from simulator.engine.game import Game
from simulator.engine.orders import Element, Order
from simulator.engine.questions import Roll
from simulator.engine.state import Unit
from simulator.geometry.hex_lattice import Dot, step
from simulator.rulesets.dot_trooper.checks import control_check
from simulator.rulesets.dot_trooper.judge.drive import ATTACKS, vehicle_of
from simulator.rulesets.dot_trooper.options import DotTrooperOptions
from simulator.rulesets.dot_trooper.poses import heading_after
from simulator.rulesets.dot_trooper.riding import (
    SEGMENTS,
    Check,
    Ride,
    check_of_end,
    check_of_stop,
    check_of_turn,
    one_dot_on,
    opened,
    turned,
)
from simulator.rulesets.dot_trooper.skids import last_free_pose, skid_ground, skid_length, slide
from simulator.rulesets.dot_trooper.units import (
    VEHICLE_TOP,
    DTTable,
    armor_left,
    crossed_out,
    current_hp,
    gear_of,
    speed_multiplier,
)

#: Front dot, heading, posture and motion.
Rest = tuple[Dot, int, str, str]


@dataclass(frozen=True, slots=True)
class Exit:
    """One way in which a drive ends: as planned, or with a failed check and its skid."""

    chance: Fraction
    front: Dot
    heading: int
    #: `upright`, or `prone` after a wipe-out.
    posture: str
    motion: str
    #: The check that failed, "" if all were passed: `turn 120`, `stop`.
    failed: str = ""
    #: Where it was made, and by which clause.
    at: Dot | None = None
    clause: str = ""
    #: How far it slid, and what ended the slide: a unit, an obstacle, "" for nothing.
    dots: int = 0
    hit: str = ""
    #: The damage that the vehicle and everybody aboard take, and its kind for those aboard.
    damage: int = 0
    rider_kind: str = ""
    #: The vehicle afterwards: armor, and the chance of each possible HP; -1 is a wreck.
    armor: int = 0
    hp: tuple[tuple[int, Fraction], ...] = ()

    def __str__(self) -> str:
        where = f"{self.front[0]},{self.front[1]} facing {self.heading}, {self.posture}, {self.motion}"
        if not self.failed:
            return f"{self.chance}: {where}"
        met = f", stopped by {self.hit}" if self.hit else ""
        return f"{self.chance}: {self.failed} fails ({self.clause}), slides {self.dots}{met} to {where}, {self.damage}X"


@clause("DT-87", "DT-92", "DT-120", "DT-123", "DT-126", "DT-128")
def exits(table: DTTable, order: Order) -> list[Exit]:
    """Return every way in which a legal drive can end, in the order of its checks, the planned end last.

    The chances add up to 1. Enemy fire is left out; attacks on the way, which have many more outcomes, are refused:
    play them with `rest_distribution`.
    """
    if order.action != "drive" or any(element.name in ATTACKS for element in order.elements):
        raise TableError(f"the exits of {order.action} have to be played out: see rest_distribution")
    return list(_Foresight(table, order).exits())


class _Foresight:
    """Follows a drive without playing it, check by check."""

    def __init__(self, table: DTTable, order: Order) -> None:
        driver = table.unit(order.unit)
        vehicle = vehicle_of(table, driver)
        if vehicle is None:
            raise TableError(f"{driver.id} does not drive anything")
        self.table, self.order, self.driver, self.vehicle = table, order, driver, vehicle
        self.mode = order["mode"]
        self.gear = gear_of(table, vehicle, driver, self.mode)
        self.front, self.heading = vehicle.place, int(vehicle.heading)
        #: Every pose so far.
        self.poses = [(self.front, self.heading)]
        self.ride = Ride(vehicle["motion"] == "stopped")
        self.left = Fraction(1)
        self.early = table.options.stop_check_at == "start_of_stop"

    def exits(self) -> Iterator[Exit]:
        """Yield the ways it ends."""
        for number, element in enumerate(self.order.elements):
            if element.name in SEGMENTS:
                self.ride = opened(self.gear, self.ride, element.name)
                if self.early and element.name == "stop":
                    planned = _turn_in(self.order.elements[number + 1 :])
                    yield from self._checked(check_of_stop(self.gear, self.ride, planned), "")
            if element.name in (*SEGMENTS, "on"):
                dots = element.get("dots", self.gear.dots_of(self.ride.segment) - self.ride.dots)
                for _ in range(dots):
                    self.front, self.ride = step(self.front, self.heading // 60), one_dot_on(self.ride)
                    self.poses.append((self.front, self.heading))
            else:
                side, angle = element.name, int(element["angle"])
                check = check_of_turn(self.gear, self.ride, angle)
                if not (self.early and self.ride.segment == "stop"):
                    yield from self._checked(check, side)
                self.heading = heading_after(self.heading, side, angle)
                self.poses.append((self.front, self.heading))
                self.ride = turned(self.gear, self.ride, angle)
        if not self.early:
            yield from self._checked(check_of_end(self.gear, self.ride), "")
        armor, crossed = armor_left(self.table, self.vehicle), self.vehicle["crossed"]
        hp = ((current_hp(crossed, VEHICLE_TOP), Fraction(1)),)
        yield Exit(self.left, self.front, self.heading, "upright", self.ride.motion, armor=armor, hp=hp)

    def _checked(self, check: Check | None, side: str) -> Iterator[Exit]:
        """Yield the exit of a failed check, and continue with the chance that it is passed."""
        roll = None if check is None else control_check(self.table, self.vehicle, self.driver, *check)
        if check is None or roll is None:
            return
        if roll.chance < 1:
            yield self._wiped_out(check, side, roll.clause, self.left * (1 - roll.chance))
        self.left *= roll.chance

    def _wiped_out(self, check: Check, side: str, rule: str, chance: Fraction) -> Exit:
        cause, angle = check
        table, vehicle = self.table, self.vehicle
        length = skid_length(table, self.mode, speed_multiplier(table, vehicle))
        ground = skid_ground(table, vehicle)
        skid = slide(ground, self.front, self.heading, length, side, angle if side else 0)
        front, heading = last_free_pose(ground, (skid.front, skid.heading), self.poses)
        points = int(table.tables[f"mode.{self.mode}.{'ramming' if skid.hit else 'wipe_out'}_damage"])
        soft = not skid.hit and table.options.wipeout_damage_kind == "bludgeoning_to_trooper"
        return Exit(
            chance,
            front,
            heading,
            "prone",
            "stopped",
            f"{cause} {angle}" if angle else cause,
            self.front,
            rule,
            skid.dots,
            skid.hit,
            points,
            "bludgeoning" if soft else "lethal",
            *_broken(table, vehicle, points),
        )


def _turn_in(elements: Sequence[Element]) -> int:
    """Return the angle of the turn that is built into a stop, 0 if there is none."""
    return next((int(element["angle"]) for element in elements if element.name in ("left", "right")), 0)


@clause("DT-114", "DT-115", "DT-116")
def _broken(table: DTTable, vehicle: Unit, points: int) -> tuple[int, tuple[tuple[int, Fraction], ...]]:
    """Return armor and HP of a vehicle after some damage: what armor does not absorb begins at some cell."""
    armor, crossed = armor_left(table, vehicle), vehicle["crossed"]
    if points <= armor:
        return armor - points, ((current_hp(crossed, VEHICLE_TOP), Fraction(1)),)
    found: dict[int, Fraction] = {}
    for cell, chance in Dice.of(str(table.tables["damage_cell.dice"])).chances.items():
        hp = current_hp(crossed_out(crossed, cell, points - armor, 0), VEHICLE_TOP)
        found[hp] = found.get(hp, Fraction(0)) + chance
    return 0, tuple(sorted(found.items()))


@clause("DT-87", "DT-92", "DT-120", "DT-160")
def rest_distribution(game: Game[DotTrooperOptions], order: str | Order, vehicle: str = "") -> dict[Rest, Fraction]:
    """Return the chance of each final pose of a drive, played out, with no enemy fire.

    `vehicle` defaults to the one that is driven. A wreck that is taken off the map has no final pose.
    """
    name = vehicle or game.table.unit(game.read(order).unit).carrier
    found: dict[Rest, Fraction] = {}
    for end, chance in played_out(game, order):
        if name in end.state.units:
            unit = end.state.unit(name)
            rest = unit.place, int(unit.heading), str(unit["posture"]), str(unit["motion"])
            found[rest] = found.get(rest, Fraction(0)) + chance
    return found


def played_out(game: Game[DotTrooperOptions], order: str | Order) -> Iterator[tuple[Game[Any], Fraction]]:
    """Play an order with every result of the dice, one game for each, with its chance.

    Of a test only pass or fail matters, so each has at most two results. Nobody interrupts.
    """
    first = game.branch()
    first.answers = None
    first.do(order)
    waiting: list[tuple[Game[Any], Fraction]] = [(first, Fraction(1))]
    while waiting:
        now, chance = waiting.pop()
        question = now.question
        if question is None:
            yield now, chance
            continue
        answers = _results(question) if isinstance(question, Roll) else {None: Fraction(1)}
        for answer, share in answers.items():
            then = now.branch()
            then.answers = None
            then.answer(answer)
            waiting.append((then, chance * share))


def _results(roll: Roll) -> Mapping[Any, Fraction]:
    """Return the results of a roll with different consequences, each with its chance."""
    if roll.target is None:
        return roll.chances
    passed = [result for result in roll.chances if roll.passes(result)]
    failed = [result for result in roll.chances if not roll.passes(result)]
    shares = ((passed, roll.chance), (failed, 1 - roll.chance))
    return {results[0]: share for results, share in shares if results}
