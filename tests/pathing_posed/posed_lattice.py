"""All moves on a lattice of turns and legs, each step priced by the judge: what no planner may be dearer than.

A step is a turn by a multiple of an angle, or none, and then a leg of so many inches, the shortest there is; longer
legs are several of them with no turn between. Moves that come to one pose with the same group of turns and the same
free degrees go on alike, so of those only the cheapest is followed.
"""

import heapq
import itertools
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from simulator.pathing.posed import NO_GROUP, PoseStart, Rotate, Travel, TurnGroup, judged

#: Objections that stand against an end, not against going on.
AT_THE_END = {"end", "least"}


class Pose(NamedTuple):
    """Where a move has led, and all that later prices depend on."""

    place: tuple[float, float]  #: rounded: what makes two poses one
    heading: Fraction
    group: TurnGroup
    free: Fraction
    mode: int  #: of the last leg; -1 at the start
    covered: Fraction  #: where inches are limited, since a dearer move may be shorter
    travelled: Fraction  #: where legs are limited, since a dearer move may have turned more and travelled less


class LatticeEnd(NamedTuple):
    """A pose to end in, and the least that a move on the lattice to there costs."""

    pose: PoseStart  #: as a start for what follows

    @property
    def place(self) -> tuple[float, float]:
        """Where it is."""
        return self.pose.place

    @property
    def heading(self) -> float:
        """Which way it faces."""
        return float(self.pose.heading)

    @property
    def cost(self) -> float:
        """What has been paid."""
        return float(self.pose.paid)


def lattice_ends(space, angle, inches) -> list[LatticeEnd]:
    """Ends of all legal moves by turns of multiples of an angle and legs of multiples of some inches."""
    (start,) = space.starts
    turns = [Fraction(angle) * number for number in range(-int(180 / angle) + 1, int(180 / angle) + 1)]
    least = {_pose(space, start, -1): start.paid}
    queue, tie, found, known = [(start.paid, 0, start, -1)], itertools.count(1), [], {}
    while queue:
        paid, _, begins, mode = heapq.heappop(queue)
        pose = _pose(space, begins, mode)
        if paid > least[pose]:
            continue
        if judged(space, begins, []).is_legal:
            found.append(LatticeEnd(begins))
        for after, number in _steps(space, begins, mode, turns, Fraction(inches), known):
            pose = _pose(space, after, number)
            if after.paid < least.get(pose, space.budget + 1):
                least[pose] = after.paid
                heapq.heappush(queue, (after.paid, next(tie), after, number))
    return found


def _pose(space, start, mode) -> Pose:
    place = tuple(round(one, 6) + 0.0 for one in start.place)
    free = space.turns.free if start.free is None else start.free
    covered = Fraction(0) if space.most_inches is None else start.covered
    travelled = Fraction(0) if space.most_travelled is None else start.travelled
    return Pose(place, start.heading % 360, start.group, free, mode, covered, travelled)


def _open(turns, group) -> TurnGroup:
    """A group of turns as far as later turns may be priced with it."""
    apart = turns.separation
    return group if apart is not None and (group.inches < apart or group.inches == 0) else NO_GROUP


def _least(space, swept, inches, number) -> Fraction:
    """What a turn and a leg cost at least, wherever they are: those that cannot be paid are not judged."""
    turn = space.turns.price(swept) * (space.ground.least if space.turns.times_rate else 1)
    return turn + inches * space.ground.least * space.modes[number].factor


def _steps(space, begins, mode, turns, inches, known) -> Iterator:
    """Poses that one turn and one leg lead to, with the mode of the leg."""
    left = space.turns.free if begins.free is None else begins.free
    for angle, number in itertools.product(turns, range(len(space.modes))):
        frees = [Fraction(0)]
        if left and angle:
            frees.append(min(left, abs(angle)) * (1 if angle > 0 else -1))
        for free in frees:
            if begins.paid + _least(space, abs(angle) - abs(free), inches, number) > space.budget:
                continue
            turn = [Rotate(angle, free)] if angle else []
            key = (_pose(space, begins, -1)._replace(covered=Fraction(0), travelled=Fraction(0)), angle, free, number)
            if key not in known:
                alone = replace(begins, paid=Fraction(0), travelled=Fraction(0), covered=Fraction(0))
                known[key] = judged(space, alone, [*turn, Travel(space.modes[number], inches)])
            verdict = known[key]
            price = begins.paid + verdict.total
            spent = begins.travelled + verdict.travelled
            barred = {one.what for one in verdict.objections} - AT_THE_END
            most = space.budget if space.most_travelled is None else space.most_travelled
            covered = begins.covered + verdict.covered
            too_far = space.most_inches is not None and covered > space.most_inches
            if barred or price > space.budget or spent > most or too_far:
                continue
            yield (
                replace(
                    begins,
                    place=verdict.place,
                    heading=verdict.heading % 360,
                    paid=price,
                    travelled=spent,
                    covered=covered,
                    group=_open(space.turns, verdict.group),
                    free=Fraction(0) if free else left,
                ),
                number,
            )
