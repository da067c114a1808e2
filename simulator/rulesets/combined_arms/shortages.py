"""Where the allowance runs out in a move: on a leg, at a rotation, at a tree, or over the enemy that it overruns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed import Charge, JudgedMove, Move, PoseStart, Rotate, RunOver, Travel, judged
from simulator.rulesets.combined_arms.longest import longest
from simulator.rulesets.combined_arms.movement import ArmsMoves
from simulator.wording import measure

#: The clauses of parts of a move that cannot be paid, and what they are; things in the way have clauses of their own.
_TURN, _LEG, _LINK = ("CA-40", "a rotation"), ("CA-3", "the leg"), ("CA-3", "the climb")
#: What is done to things in the way, by their clauses.
_DONE_TO = {"CA-60": "knocking down", "CA-106": "overrunning"}
#: How much farther than can be paid it is looked at what comes next.
_FARTHER = Fraction(1, 10**6)


@clause("CA-3", "CA-40", "CA-60", "CA-106", role="judge")
def shortage(
    moves: ArmsMoves, start: PoseStart, written: Sequence[Move], most: Fraction, verdict: JudgedMove | None = None
) -> Breach | None:
    """Return what is wrong with the first part of a move that cannot be paid with so much in all; None: nothing.

    The verdict on the move may be known.
    """
    verdict = judged(moves.space, start, written) if verdict is None else verdict
    paid, enough = verdict.paid, most + Fraction(TOLERANCE)
    for charges in _parts(verdict.charges, written):
        price = sum((charge.price for charge in charges), Fraction(0))
        if paid + price > enough:
            return _at_things(moves, start, written, charges, most) or _on_its_way(written, charges, most - paid)
        paid += price
    return None


def _parts(charges: Sequence[Charge], written: Sequence[Move]) -> Iterator[list[Charge]]:
    """The charges of each part of a move: of a rotation, of a climb, of a leg.

    Legs one after the other in one direction are one leg, and what they lead over belongs to that.
    """
    part: list[Charge] = []
    for charge in charges:
        goes_on = part and charge.toll is not None and isinstance(written[charge.move], Travel)
        if part and charge.move != part[0].move and not (goes_on and isinstance(written[part[0].move], Travel)):
            yield part
            part = []
        part.append(charge)
    if part:
        yield part


def _on_its_way(written: Sequence[Move], charges: Sequence[Charge], left: Fraction) -> Breach:
    """The first stretch of a part that cannot be paid; all of a leg that leads over something in its way."""
    move = written[charges[0].move]
    cited, what = _LEG if isinstance(move, Travel) else _TURN if isinstance(move, Rotate) else _LINK
    parts = [charge.price for charge in charges]
    if any(charge.toll is not None for charge in charges):
        parts = [sum(parts, Fraction(0))]
    for price in parts:
        if price > left + Fraction(TOLERANCE):
            break
        left -= price
    left = max(left, Fraction(0))
    return Breach(cited, f"{what} costs {measure(price, 'inch')}, with {measure(left, 'inch')} left", price, left)


# --- things in the way ---


def _at_things(
    moves: ArmsMoves, start: PoseStart, written: Sequence[Move], charges: Sequence[Charge], most: Fraction
) -> Breach | None:
    """What runs out at a thing in the way of a part of a move; None: it runs out beside them."""
    for number in dict.fromkeys(charge.move for charge in charges if charge.toll is not None):
        some = written[: number + 1]
        if judged(moves.space, start, some).total > most + Fraction(TOLERANCE):
            return _at_a_thing(moves, start, some, most)
    return None


def _at_a_thing(moves: ArmsMoves, start: PoseStart, written: Sequence[Move], most: Fraction) -> Breach | None:
    """What runs out at a tree, or over an enemy, on the last leg of a move; None: it runs out beside them."""
    leg = written[-1]
    if not isinstance(leg, Travel):
        return None

    def so_far(inches: Fraction) -> JudgedMove:
        return judged(moves.space, start, [*written[:-1], replace(leg, inches=inches)])

    low = longest(Fraction(leg.inches), lambda inches: so_far(inches).total, most)
    here, farther, whole = so_far(low), so_far(min(low + _FARTHER, Fraction(leg.inches))), so_far(Fraction(leg.inches))
    before, after = (_paid_for_things(moves, one, written) for one in (here, farther))
    for number in after:
        needed = _paid_for_things(moves, whole, written)[number]
        left = max(most - here.total, Fraction(0)) + before[number]
        if after[number] > before[number] and needed > left + Fraction(TOLERANCE):
            thing = moves.tolls[number]
            what = f"{_DONE_TO[thing.clause]} {thing.name}"
            figures = f"costs {measure(needed, 'inch')}, with {measure(left, 'inch')} left"
            return Breach(thing.clause, f"{what} {figures}", needed, left, thing.name)
    return None


def _paid_for_things(moves: ArmsMoves, verdict: JudgedMove, written: Sequence[Move]) -> Mapping[int, Fraction]:
    """What is paid for each thing in the way: for whom it overruns, the legs over them included."""
    found = defaultdict[int, Fraction](Fraction)
    for charge in verdict.charges:
        if charge.toll is None:
            continue
        toll, leg = moves.space.tolls[charge.toll], written[charge.move]
        if charge.ground is not None and isinstance(toll, RunOver) and isinstance(leg, Travel):
            found[charge.toll] += charge.amount * charge.ground.rate * leg.mode.factor * toll.factor
        else:
            found[charge.toll] += charge.price
    return found
