"""Where the allowance runs out in a move: on a leg, at a rotation, at a tree, or over the enemy that it overruns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import groupby
from operator import attrgetter

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed import Charge, JudgedMove, Move, PoseStart, RunOver, Travel, judged
from simulator.rulesets.combined_arms.longest import longest
from simulator.rulesets.combined_arms.movement import ArmsMoves
from simulator.wording import measure

#: The clauses of parts of a move that cannot be paid, and what they are; things in the way have clauses of their own.
_SHORT = {"turn": ("CA-40", "a rotation"), "link": ("CA-3", "the climb"), "leg": ("CA-3", "the leg")}
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
    for number, charges in groupby(verdict.charges, attrgetter("move")):
        of_move = list(charges)
        price = sum((charge.price for charge in of_move), Fraction(0))
        if paid + price > enough:
            # Who pays for nothing in its way does not run short there.
            at_things = any(charge.toll is not None for charge in of_move)
            found = _at_a_thing(moves, start, written[: number + 1], most) if at_things else None
            return found or _on_its_way(of_move, most - paid)
        paid += price
    return None


def _on_its_way(charges: Sequence[Charge], left: Fraction) -> Breach:
    """The first part of an element that cannot be paid; all of a leg that leads over something in its way."""
    cited, what = _SHORT[charges[0].what]
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
