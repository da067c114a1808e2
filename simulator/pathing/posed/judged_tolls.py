"""The judge of tolls: what a written move knocks down and runs over, what that costs, and what is wrong with it.

It goes through the moves one by one and shares no tables with the planner; overlaps come in closed form from
`geometry.path_judge`, prices from the rulebook's own rules.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import cached_property
from typing import NamedTuple

import numpy as np

from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import Standing, overlaps_along, stretches_over
from simulator.geometry.paths import Path, Paths, Straight, Turn
from simulator.geometry.pieces import XY
from simulator.geometry.tolerances import TOLERANCE, TOUCH
from simulator.pathing.posed.charges import Charge, Objection
from simulator.pathing.posed.edges import Link
from simulator.pathing.posed.ground import PricedGround
from simulator.pathing.posed.links import PoseLink
from simulator.pathing.posed.moves import Follow, Mode, Move, Travel
from simulator.pathing.posed.space import PoseSpace, PoseStart
from simulator.pathing.posed.tolls import KnockDown, RunOver, TollsSoFar, leads_back, middle_of, stays_when_crossed

#: A line is followed so far beyond the end of its leg, to find whether it leaves a thing just there.
_BEYOND = 1.0


class JudgedTolls(NamedTuple):
    """What a move pays for tolls, what is wrong with how it passes them, and what it has made of them at its end."""

    charges: tuple[Charge, ...]
    objections: tuple[Objection, ...]
    so_far: TollsSoFar


def judged_tolls(
    space: PoseSpace, start: PoseStart, moves: Sequence[Move], path: Path, charges: Sequence[Charge]
) -> JudgedTolls:
    """Judge how a written move, which is a path, passes the tolls of a space, by what else it is charged for."""
    if not space.tolls:
        return JudgedTolls((), (), start.tolls)
    meter = _TollMeter(space, start)
    turns = defaultdict[int, Fraction](Fraction)
    for charge in charges:
        turns[charge.move] += charge.price if charge.what == "turn" else 0
    for number, (move, piece) in enumerate(zip(moves, path.pieces, strict=True)):
        before = float(path.arrays.before[number])
        if isinstance(move, Follow):
            meter.follow(number, move.link, Straight(piece.end, piece.end, piece.heading), before + piece.length)
        elif isinstance(piece, Turn):
            meter.turn(number, piece, before, turns[number])
        elif isinstance(move, Travel) and isinstance(piece, Straight):
            meter.leg(number, piece, before, move.mode)
    return meter.end(len(moves) - 1, path.length)


class _Touch(NamedTuple):
    """Where a thing is touched first: in which move, after how many inches of the path."""

    move: int
    inches: float


class _TollMeter:
    """Follows a move from level to level, piece by piece."""

    def __init__(self, space: PoseSpace, start: PoseStart) -> None:
        self.space, self.level, self.ahead = space, start.level, start.tolls.ahead
        self.gone, self.lost = set(start.tolls.gone), set[int]()
        self.touched = {number: _Touch(0, 0.0) for number in start.tolls.touched}
        self.charges: list[Charge] = []
        self.objections: list[Objection] = []
        #: What has been spent over things with a least price.
        self.spent_over = defaultdict[int, Fraction](Fraction)
        stands = Straight(start.place, start.place, float(start.heading) % 360.0)
        over = self._spans(stands)
        self.touched |= {number: _Touch(0, 0.0) for number in self._left if number in over}
        for number in self._inside(start.place):
            self.spent_over[number] = start.tolls.spent_over

    @property
    def _left(self) -> list[int]:
        """The numbers of the tolls that still stand on the level."""
        passed = self.gone | self.lost
        return [number for number in self._on(self.level) if number not in passed]

    def _on(self, level: int) -> list[int]:
        """The numbers of the tolls that stand on a level, whether they are gone or not."""
        floor = self.space.floor_of(level)
        return [number for number, toll in enumerate(self.space.tolls) if floor in toll.levels]

    @property
    def _ground(self) -> PricedGround:
        return self.space.ground_on(self.level)

    @cached_property
    def _even_grounds(self) -> list[PricedGround]:
        """The ground by inches, whatever its grain, of each level."""
        return [replace(self.space.ground_on(level), grain=None) for level in range(self.space.level_count)]

    def _inside(self, place: XY) -> list[int]:
        """The numbers of the things with a least price that the reference point is strictly inside."""
        with_least = [number for number in self._left if self._least(number)]
        if not with_least:
            return []
        stands = Paths.of_pieces([[Straight(place, place, 0.0)]])
        over = set(overlaps_along(stands, self.space.tolls_standing, Round(0.0)).which.tolist())
        return [number for number in with_least if number in over]

    def _least(self, number: int) -> Fraction:
        """What has to be spent over a thing."""
        toll = self.space.tolls[number]
        return toll.least if isinstance(toll, RunOver) else Fraction(0)

    def _spans(self, piece: Straight | Turn) -> Mapping[int, list[tuple[float, float]]]:
        """The shares of a piece on which the base overlaps things, by the numbers of their tolls."""
        found = overlaps_along(Paths.of_pieces([[piece]]), self.space.tolls_standing, self.space.base)
        spans = dict[int, list[tuple[float, float]]]()
        for number, begin, end in zip(found.which.tolist(), found.begin.tolist(), found.end.tolist(), strict=True):
            spans.setdefault(number, []).append((begin, end))
        return spans

    # --- legs ---

    def leg(self, move: int, piece: Straight, before: float, mode: Mode) -> None:
        """Travel in a mode, after so many inches."""
        if piece.length <= TOUCH:
            return
        over = self._spans(piece)
        self._leave_behind(piece, over)
        for number in self._left:
            spans = [(begin * piece.length, end * piece.length) for begin, end in over.get(number, ())]
            if not spans and number not in self.touched:
                continue
            if isinstance(self.space.tolls[number], KnockDown):
                at = 0.0 if number in self.touched else spans[0][0]
                self._knock_down(move, number, before + at, piece)
            else:
                self._run_over(move, number, before, piece, mode, spans)
        self.ahead = _direction(piece)

    def _leave_behind(self, piece: Straight, over: Mapping[int, list[tuple[float, float]]]) -> None:
        """Meet anew what stays when it has been crossed, once the base is off it or a leg leads back over it."""
        for number in sorted(self.gone):
            if stays_when_crossed(self.space.tolls[number]):
                spans = over.get(number, [])
                leaves = not spans or spans[0][0] * piece.length > TOUCH or not self._is_on(spans[0][1])
                back = any(near < piece.length and far > TOUCH for near, far in self._line_over(number, piece))
                if leaves or back:
                    self.gone.discard(number)
                if leaves and not back and spans and spans[0][0] * piece.length <= TOUCH:
                    del spans[0]

    @staticmethod
    def _is_on(end: float) -> bool:
        """Whether a stretch that ends at a share of a piece lasts to the end of that."""
        return end >= 1.0 - TOUCH

    def _knock_down(self, move: int, number: int, inches: float, piece: Straight | None) -> None:
        """Pay for a thing once; a turn is no piece of a way up."""
        price = self._price(number, piece)
        self.touched.pop(number, None)
        if price is None:
            self._bars(number, _Touch(move, inches))
            return
        self.gone.add(number)
        self.charges.append(Charge(move, "toll", Fraction(1), price, price, toll=number))

    def _price(self, number: int, piece: Straight | None) -> Fraction | None:
        """What a thing costs on a leg; on a border the better side counts."""
        toll, ground = self.space.tolls[number], self._ground
        assert isinstance(toll, KnockDown)
        climbed = set[int]()
        if piece is not None:
            climbed = {area for area in ground.slopes if ground.climbed(Paths.of_pieces([[piece]]))[0, area]}
        sides = ground.sides_at(np.array([middle_of(toll.thing)]))
        under = ground.open_sides(frozenset(side[0].nonzero()[0].tolist()) for side in sides)
        price = toll.prices[self.space.floor_of(self.level)]
        found = [price(areas, areas & climbed) for areas in under]
        return min((price for price in found if price is not None), default=None)

    def _run_over(
        self, move: int, number: int, before: float, piece: Straight, mode: Mode, spans: list[tuple[float, float]]
    ) -> None:
        """Cross a thing, or get on the way to it."""
        toll, known = self.space.tolls[number], number in self.touched
        assert isinstance(toll, RunOver)
        begin, end = spans[0] if spans else (0.0, 0.0)
        if known and begin > TOUCH:
            end = 0.0
        touch = self.touched.setdefault(number, _Touch(move, before + begin))
        crossed: float | None = None
        for near, far in self._line_over(number, piece):
            if near > end + TOLERANCE or near >= piece.length:
                break
            self._pay_for(move, number, toll, piece, mode, (near, min(far, piece.length)))
            starts_there = known and near <= TOUCH
            if not (starts_there and leads_back(_direction(piece), self.ahead)):
                crossed = far
                break
        if crossed is None:
            if end < piece.length - TOUCH:
                self._bars(number, touch)
        elif crossed <= piece.length + TOUCH:
            self._pay_the_rest(move, number)
            del self.touched[number]
            if not stays_when_crossed(self.space.tolls[number]) or (spans and self._is_on(spans[0][1] / piece.length)):
                self.gone.add(number)

    def _pay_the_rest(self, move: int, number: int) -> None:
        """Pay what is left of a least price where the reference point leaves the thing."""
        left = self._least(number) - self.spent_over.pop(number, Fraction(0))
        if left > 0:
            self.charges.append(Charge(move, "toll", Fraction(1), left, left, toll=number))

    def _line_over(self, number: int, piece: Straight) -> list[tuple[float, float]]:
        """The stretches of the line of a leg over a thing, in inches."""
        x, y = _direction(piece)
        beyond = replace(piece, end=(piece.end[0] + _BEYOND * x, piece.end[1] + _BEYOND * y))
        thing = Standing.of([self.space.tolls[number].thing])
        found = stretches_over(Paths.of_pieces([[beyond]]), thing, tolerance=TOUCH)
        return list(zip(found.begin.tolist(), found.end.tolist(), strict=True))

    def _pay_for(
        self, move: int, number: int, toll: RunOver, piece: Straight, mode: Mode, stretch: tuple[float, float]
    ) -> None:
        """Pay for a stretch of a leg over a thing, besides what the leg costs."""
        near, far = (share / piece.length for share in stretch)
        inches = Fraction(stretch[1]) - Fraction(stretch[0])
        for line in self._even_grounds[self.level].price(piece.part(near, far), inches).lines:
            rate = line.rate * mode.factor * (toll.factor - 1)
            self.charges.append(Charge(move, "toll", line.inches, rate, line.inches * rate, line, number))
            if toll.least:
                self.spent_over[number] += line.inches * line.rate * mode.factor * toll.factor

    # --- turns, links and the end ---

    def turn(self, move: int, piece: Turn, before: float, price: Fraction) -> None:
        """Turn on the spot after so many inches, for a price."""
        self._meet_turning(move, piece, before)
        for number in self._inside(piece.place) if price else ():
            self.spent_over[number] += price

    def _meet_turning(self, move: int, piece: Turn, before: float) -> None:
        if isinstance(self.space.base, Round) or not piece.turn:
            return
        over = self._spans(piece)
        for number in self._left:
            spans, known = over.get(number, []), number in self.touched
            if isinstance(self.space.tolls[number], KnockDown):
                if spans and not known:
                    self._knock_down(move, number, before, None)
                continue
            kept = len(spans) == 1 and spans[0][1] >= 1.0 - TOUCH and (not known or spans[0][0] <= TOUCH)
            touch = self.touched.get(number, _Touch(move, before))
            if kept:
                self.touched[number] = touch
            elif spans or known:
                self._bars(number, touch)
        for number in sorted(self.gone):
            spans = over.get(number, [])
            if stays_when_crossed(self.space.tolls[number]) and not (spans and self._is_on(spans[-1][1])):
                self.gone.discard(number)

    def follow(self, move: int, link: Link, stands: Straight, inches: float) -> None:
        """Leave the level by a link, and meet what stands where it ends."""
        level = link.target if link in self.space.links else self.level
        straight = isinstance(link, PoseLink) and link.places is None
        for number, touch in tuple(self.touched.items()):
            if isinstance(self.space.tolls[number], RunOver):
                self._bars(number, touch)
            elif not straight or number not in self._on(level):
                del self.touched[number]
        self.level, self.ahead = level, (0.0, 0.0)
        self.gone = {number for number in self.gone if not stays_when_crossed(self.space.tolls[number])}
        over = self._spans(stands)
        for number in self._left:
            if number not in self.touched and number in over:
                self._land_on(move, number, inches)

    def _land_on(self, move: int, number: int, inches: float) -> None:
        """Come to stand on a thing by a link."""
        toll = self.space.tolls[number]
        if isinstance(toll, KnockDown) and toll.by_links:
            self._knock_down(move, number, inches, None)
        else:
            self._bars(number, _Touch(move, inches))

    def _bars(self, number: int, touch: _Touch) -> None:
        """Object to something once."""
        self.touched.pop(number, None)
        self.lost.add(number)
        self.objections.append(Objection(touch.move, "bars", touch.inches, toll=number))

    def end(self, move: int, inches: float) -> JudgedTolls:
        """Return the findings."""
        bound = [number for number in self.touched if isinstance(self.space.tolls[number], RunOver)]
        ends = [Objection(move, "end", inches, toll=number) for number in sorted(bound)]
        spent = sum((spent for number, spent in self.spent_over.items() if number not in self.lost), Fraction(0))
        so_far = TollsSoFar(frozenset(self.gone), frozenset(self.touched), self.ahead, spent)
        return JudgedTolls(tuple(self.charges), (*self.objections, *ends), so_far)


def _direction(piece: Straight) -> XY:
    """The direction of a leg as a step of length 1."""
    (x, y), (there_x, there_y) = piece.start, piece.end
    far = math.hypot(there_x - x, there_y - y)
    return (there_x - x) / far, (there_y - y) / far
