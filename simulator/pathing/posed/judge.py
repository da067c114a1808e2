"""The judge of written moves in a `PoseSpace`: what each leg and turn costs, and what is wrong with it.

It knows nothing of the planner: paths are tried in closed form by `geometry.path_judge`, ground and turns are priced
by the rulebook's own rules. Costs are exact fractions.

    verdict = judged(space, space.starts[0], [Travel(forward, 5), Rotate(45), Travel(forward, 9)])
    verdict.is_legal, verdict.total, [objection.what for objection in verdict.objections]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from operator import itemgetter
from typing import NamedTuple

import numpy as np

from simulator.geometry.angles import normalise
from simulator.geometry.path_judge import first_pieces, first_pieces_off
from simulator.geometry.paths import Path, Paths, Straight, Turn
from simulator.geometry.standing import Standing
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed.charges import Charge, Objection
from simulator.pathing.posed.edges import Link, OffTheEdge
from simulator.pathing.posed.far_from import too_near
from simulator.pathing.posed.ground import PricedGround
from simulator.pathing.posed.judged_phases import judged_by_phase
from simulator.pathing.posed.judged_tolls import judged_tolls
from simulator.pathing.posed.links import PoseLink
from simulator.pathing.posed.moves import EndPhase, Follow, Mode, Move, Rotate, Travel, path_of
from simulator.pathing.posed.records import record_of
from simulator.pathing.posed.space import PoseSpace, PoseStart
from simulator.pathing.posed.stops import not_stopped
from simulator.pathing.posed.touch import out_of_touch
from simulator.pathing.posed.verdicts import JudgedMove

#: By how much what is spent may be off.
_ROOM = Fraction(TOLERANCE)


def judged(space: PoseSpace, start: PoseStart, moves: Sequence[Move]) -> JudgedMove:
    """Judge a written move from a start: one of the space, or one that a placing of it admits."""
    if space.earlier or any(isinstance(move, EndPhase) for move in moves):
        return judged_by_phase(space, start, moves, _judged)
    return _judged(space, start, moves)


def _judged(space: PoseSpace, start: PoseStart, moves: Sequence[Move]) -> JudgedMove:
    """Judge the moves of one phase."""
    path = path_of(start.place, start.heading, moves)
    account = _Account(space, start, path)
    account.add(moves)
    turned = sum((Fraction(move.degrees) for move in moves if isinstance(move, Rotate)), Fraction(0))
    tolls = judged_tolls(space, start, moves, path, account.charges)
    charges = tuple(sorted([*account.charges, *tolls.charges], key=itemgetter(0)))
    return JudgedMove(
        path,
        start.heading + turned,
        charges,
        _Wrongs(space, start, moves, path, charges, account, tolls.objections),
        start.paid,
        account.group,
        account.level,
        tolls.so_far,
        account.since_link,
        record_of(moves),
        account.free,
        account.covered,
    )


class _Wrongs:
    """Finds what is wrong with the moves of one phase."""

    def __init__(
        self,
        space: PoseSpace,
        start: PoseStart,
        moves: Sequence[Move],
        path: Path,
        charges: Sequence[Charge],
        account: _Account,
        tolls: Sequence[Objection],
    ) -> None:
        self._space, self._start, self._moves, self._path, self._charges = space, start, tuple(moves), path, charges
        self._account, self._tolls, self._stays = account, tolls, account.stays

    def all_of(self, found: JudgedMove) -> Iterable[Objection]:
        """Return all that is wrong, in the order of the moves."""
        return sorted(self._all_of(found), key=itemgetter(0, 2))

    def _all_of(self, found: JudgedMove) -> Iterator[Objection]:
        space, path = self._space, self._path
        yield from _placed(space, self._start, self._moves)
        yield from self._account.objections
        yield from self._tolls
        yield from _met(space, self._stays, path)
        yield from _ends_on(space, self._stays, path, found.heading)
        yield from _untouched(space, self._stays, path)
        yield from _ends_near(space, path)
        yield from _not_among_ends(space, path, found.heading)
        yield from _met_over_edges(space, self._moves, path)
        yield from _met_between(space, self._moves, path)
        yield from _past_the_end(self._moves, found)
        yield from self._limits(found)
        yield from self._not_stopped()

    def shortfalls(self, found: JudgedMove) -> Iterator[Objection]:
        """Yield what comes to more or less than it may."""
        yield from self._limits(found)
        yield from _ends_near(self._space, self._path)

    def others(self, found: JudgedMove) -> Iterator[Objection]:
        """Yield all else that is wrong: what the account says, then the end, and then the way."""
        space, path = self._space, self._path
        yield from self._account.objections
        yield from self._tolls
        yield from _past_the_end(self._moves, found)
        yield from _untouched(space, self._stays, path)
        yield from _placed(space, self._start, self._moves)
        yield from _met(space, self._stays, path)
        yield from _ends_on(space, self._stays, path, found.heading)
        yield from _not_among_ends(space, path, found.heading)
        yield from _met_over_edges(space, self._moves, path)
        yield from _met_between(space, self._moves, path)
        yield from self._not_stopped()

    def _limits(self, found: JudgedMove) -> Iterator[Objection]:
        return _limits(self._space, self._start, found, len(self._moves) - 1)

    def _not_stopped(self) -> Iterator[Objection]:
        if self._space.stops:
            yield from not_stopped(self._space, self._stays, self._path, self._moves, self._charges)


def _placed(space: PoseSpace, start: PoseStart, moves: Sequence[Move]) -> Iterator[Objection]:
    """Yield why a mover may not be placed at a start, where the space has placings: it has to have room there."""
    if not space.placings or start in space.starts:
        return
    if not any(start.suits(placing) for placing in space.placings):
        yield Objection(0, "placing")
        return
    here, heading = space.on(start.level), normalise(float(start.heading))
    if not moves or isinstance(moves[0], Follow):
        # Turns and legs are barred by what stands where they begin.
        for _, objection in _met_on(here, Path(start.place, (Straight(start.place, start.place, heading),))):
            yield objection
    if here.ground.rate_at(*start.place, heading) is None:
        yield Objection(0, "ground")


class _Leg(NamedTuple):
    """Travel without a turn or a change of direction between: the unit in which prices are rounded."""

    move: int
    mode: Mode
    inches: Fraction
    piece: Straight


class _Stay(NamedTuple):
    """The moves that are made on one level between two links."""

    level: int
    moves: range


class _Account:
    """Prices moves one after the other."""

    def __init__(self, space: PoseSpace, start: PoseStart, path: Path) -> None:
        self.space, self.path = space, path
        self.group, self.level, self.since_link = start.group, start.level, start.since_link
        self.free = space.turns.free if start.free is None else start.free
        self.covered = Fraction(0)
        self.charges: list[Charge] = []
        self.objections: list[Objection] = []
        self.stays: list[_Stay] = []

    def add(self, moves: Sequence[Move]) -> None:
        """Price all moves. Where turns on one spot count as one, one of no angle in all ends no leg.

        Travel of no length is no movement: it parts neither turns on one spot nor a leg.
        """
        leg: _Leg | None = None
        spot: list[tuple[int, Rotate]] = []
        first = 0
        for number, move in enumerate(moves):
            assert not isinstance(move, EndPhase)
            if isinstance(move, Rotate):
                spot.append((number, move))
                continue
            if isinstance(move, Travel) and not move.inches:
                self._object_to_no_travel(number, move)
                continue
            goes_on = isinstance(move, Travel) and not self._is_turn(spot) and leg is not None and leg.mode == move.mode
            if not goes_on:
                self._add_leg(leg)
            self._add_turns(spot)
            spot = []
            piece = self.path.pieces[number]
            assert isinstance(piece, Straight)
            if isinstance(move, Follow):
                self.stays.append(_Stay(self.level, range(first, number)))
                self._add_link(number, move.link, self._course_before(moves, number))
                leg, first = None, number + 1
            elif goes_on and leg is not None:
                whole = Straight(leg.piece.start, piece.end, piece.heading)
                leg = leg._replace(inches=leg.inches + Fraction(move.inches), piece=whole)
            else:
                leg = _Leg(number, move.mode, Fraction(move.inches), piece)
        self._add_leg(leg)
        self._add_turns(spot, at_end=self.space.turns.free_at_end)
        self.stays.append(_Stay(self.level, range(first, len(moves))))

    @property
    def _ground(self) -> PricedGround:
        return self.space.ground_on(self.level)

    def _course_before(self, moves: Sequence[Move], number: int) -> float | None:
        """The direction of the leg just before a move; None if it is no leg."""
        before = moves[number - 1] if number else None
        if not isinstance(before, Travel):
            return None
        return normalise(self.path.pieces[number - 1].heading + before.aside)

    def _add_link(self, number: int, link: Link, course: float | None) -> None:
        """Pay for a link."""
        piece = self.path.pieces[number]
        begins = link.begins_at(piece.start, piece.heading, course)
        if link not in self.space.links or link.origin != self.level or not begins:
            self.objections.append(Objection(number, "link", float(self.path.arrays.before[number])))
        self.covered += link.length_after(self.since_link)
        price, self.since_link = link.price_after(self.since_link), Fraction(0)
        self.group = self.group.after(link.walked)
        self.charges.append(Charge(number, "link", Fraction(1), price, price))
        if link in self.space.links:
            self.level = link.target
            if self._ground.rate_at(*piece.end, piece.heading) is None:
                self.objections.append(Objection(number, "ground", float(self.path.arrays.before[number])))

    def _is_turn(self, spot: list[tuple[int, Rotate]]) -> bool:
        if not spot:
            return False
        if self.space.turns.separation is not None:
            return any(move.degrees for _, move in spot)
        return bool(self.space.turns.swept([move.degrees for _, move in spot]))

    def _object_to_no_travel(self, number: int, move: Travel) -> None:
        """Object to travel of no length in a direction in which the mover does not travel, or on closed ground."""
        piece = self.path.pieces[number]
        assert isinstance(piece, Straight)
        if move.mode not in self.space.directions:
            self.objections.append(Objection(number, "mode"))
        if self._ground.price(piece, Fraction(0)).barred is not None:
            self.objections.append(Objection(number, "ground", float(self.path.arrays.before[number])))

    def _add_leg(self, leg: _Leg | None) -> None:
        if leg is None:
            return
        if leg.mode not in self.space.directions:
            self.objections.append(Objection(leg.move, "mode"))
        price = self._ground.price(leg.piece, leg.inches)
        for line in price.lines:
            rate = line.rate * leg.mode.factor
            self.charges.append(Charge(leg.move, "leg", line.inches, rate, line.inches * rate, line))
        if price.barred is not None:
            before = float(self.path.arrays.before[leg.move])
            self.objections.append(Objection(leg.move, "ground", before + price.barred))
        self.group = self.group.after(leg.inches)
        self.since_link += leg.inches
        self.covered += leg.inches

    def _add_turns(self, spot: list[tuple[int, Rotate]], at_end: Fraction = Fraction(0)) -> None:
        if not spot:
            return
        rate = self._rate_at(spot[0][0])
        self._object_to_closed_ground([number for number, move in spot if move.degrees])
        if self.space.turns.separation is None:
            self._add_net(spot, rate, at_end)
            return
        for number, move in spot:
            price, self.group = self.space.turns.turn(self.group, move.degrees)
            if move.degrees:
                self.charges.append(Charge(number, "turn", abs(Fraction(move.degrees)), rate, price * rate))

    def _object_to_closed_ground(self, turns: Sequence[int]) -> None:
        """A turn may not end on ground that is closed to the mover."""
        for number in turns:
            turn = self.path.pieces[number]
            assert isinstance(turn, Turn)
            if self._ground.rate_at(*turn.place, turn.heading + turn.turn) is None:
                self.objections.append(Objection(number, "ground", float(self.path.arrays.before[number])))

    def _add_net(self, spot: list[tuple[int, Rotate]], rate: Fraction, at_end: Fraction) -> None:
        """Price turns on one spot as one. Free degrees are used up by it, and those left over are lost."""
        angles = [Fraction(move.degrees) for _, move in spot]
        freely = min(abs(sum((Fraction(move.free) for _, move in spot), Fraction(0))), self.free)
        price = self.space.turns.net(angles, freely, at_end) * rate
        net = self.space.turns.swept(angles)
        if net:
            self.charges.append(Charge(spot[0][0], "turn", net, rate, price))
            self.free = self.space.turns.left(self.free, min(freely, net))

    def _rate_at(self, move: int) -> Fraction:
        if not self.space.turns.times_rate:
            return Fraction(1)
        piece = self.path.pieces[move]
        ground = self._ground.rate_at(*piece.start, piece.heading)
        return Fraction(0) if ground is None else ground.rate


def _met(space: PoseSpace, stays: Sequence[_Stay], path: Path) -> Iterator[Objection]:
    """Yield what bars the way, and where it leaves the table, level by level."""
    for stay in stays:
        here, arrives = space.on(stay.level), stay.moves.start > 0
        pieces = [path.pieces[number] for number in stay.moves]
        if arrives:
            # Where a link ends there has to be room even if nothing follows.
            link = path.pieces[stay.moves.start - 1]
            pieces.insert(0, Straight(link.end, link.end, link.heading))
        part = Path(pieces[0].start if pieces else path.start, tuple(pieces))
        first = stay.moves.start - int(arrives)
        before = float(path.arrays.before[first]) + (path.pieces[first].length if arrives else 0.0) if pieces else 0.0
        for number, objection in _met_on(here, part):
            yield objection._replace(move=first + number, inches=before + objection.inches)


def _ends_on(space: PoseSpace, stays: Sequence[_Stay], path: Path, heading: Fraction) -> Iterator[Objection]:
    """Yield what bars the end."""
    here = space.on(stays[-1].level)
    if not len(here.no_end):
        return
    stands = Paths.of_pieces([[Straight(path.end, path.end, normalise(float(heading)))]])
    under = first_pieces(stands, space.base, here.no_end_standing)
    if under.which[0] >= 0:
        yield Objection(len(path.pieces) - 1, "end", path.length, int(under.which[0]))


def _untouched(space: PoseSpace, stays: Sequence[_Stay], path: Path) -> Iterator[Objection]:
    """Yield what has to be touched at the end, and is not."""
    for number in out_of_touch(space.touch, space.base, path.end, stays[-1].level):
        yield Objection(len(path.pieces) - 1, "touch", path.length, number)


def _ends_near(space: PoseSpace, path: Path) -> Iterator[Objection]:
    """Yield what the end is too near to."""
    for number, away in too_near(space.far_from, path.end):
        needed = Fraction(space.far_from[number].inches)
        yield Objection(len(path.pieces) - 1, "near", path.length, number, needed, Fraction(away))


def _not_among_ends(space: PoseSpace, path: Path, heading: Fraction) -> Iterator[Objection]:
    """Yield that a move ends elsewhere than it may, or with another heading."""
    facing = normalise(float(heading))
    if space.ends is not None and not space.ends.has(np.array([path.end], np.float64), np.array([facing]))[0]:
        yield Objection(len(path.pieces) - 1, "only", path.length)


def _met_on(space: PoseSpace, path: Path) -> Iterator[tuple[int, Objection]]:
    """Yield what bars a path on one level, and where it leaves the table; each with the number of the piece."""
    met = first_pieces(path.arrays, space.base, space.bars_standing)
    if met.which[0] >= 0:
        yield int(met.piece[0]), Objection(0, "bars", float(met.inches[0]), int(met.which[0]))
    if space.box is not None:
        off = first_pieces_off(path.arrays, space.base_on_table, space.box)
        if off.which[0] >= 0:
            yield int(off.piece[0]), Objection(0, "edge", float(off.inches[0]), int(off.which[0]))


def _met_over_edges(space: PoseSpace, moves: Sequence[Move], path: Path) -> Iterator[Objection]:
    """Yield what bars the way over edges, on the levels that are left, and where those ways leave the tables below."""
    for number, move in enumerate(moves):
        if isinstance(move, Follow) and isinstance(move.link, OffTheEdge) and move.link in space.links:
            piece = path.pieces[number]
            passage = replace(space.on(move.link.origin), box=space.on(move.link.target).box)
            for _, objection in _met_on(passage, Path(piece.start, (piece,))):
                yield objection._replace(move=number, inches=float(path.arrays.before[number]) + objection.inches)


def _met_between(space: PoseSpace, moves: Sequence[Move], path: Path) -> Iterator[Objection]:
    """Yield what bars the way of links from one place to another."""
    for number, move in enumerate(moves):
        link, piece = move.link if isinstance(move, Follow) else None, path.pieces[number]
        if isinstance(link, PoseLink) and link.bars and link.begins_at(piece.start):
            met = first_pieces(Path(piece.start, (piece,)).arrays, space.base, Standing.of(link.bars))
            if met.which[0] >= 0:
                inches = float(path.arrays.before[number]) + float(met.inches[0])
                yield Objection(number, "between", inches, int(met.which[0]))


def _past_the_end(moves: Sequence[Move], found: JudgedMove) -> Iterator[Objection]:
    """Yield the moves that may not follow a link which ends the move: all but turns that cost nothing."""
    last = next((at for at, move in enumerate(moves) if isinstance(move, Follow) and move.link.ends), len(moves))
    paid = {charge.move for charge in found.charges if charge.price}
    for number in range(last + 1, len(moves)):
        link, before = moves[last], float(found.path.arrays.before[number])
        assert isinstance(link, Follow)
        if number in paid or not (isinstance(moves[number], Rotate) and link.link.turn_after):
            yield Objection(number, "ended", before)


def _limits(space: PoseSpace, start: PoseStart, found: JudgedMove, last: int) -> Iterator[Objection]:
    """Yield the limits that are passed, those of the whole move at its last part."""
    if found.total > space.budget + _ROOM:
        yield Objection(last, "budget", found.path.length, None, found.total, space.budget)
    if space.most_travelled is not None:
        travelled = start.travelled + found.travelled
        if travelled > space.most_travelled + _ROOM:
            yield Objection(last, "legs", found.path.length, None, travelled, space.most_travelled)
    if space.most_inches is not None:
        covered = start.covered + found.covered
        if covered > space.most_inches + _ROOM:
            yield Objection(last, "inches", found.path.length, None, covered, space.most_inches)
    if space.more_than is not None and found.total <= space.more_than:
        yield Objection(last, "least", found.path.length, None, space.more_than, found.total)
