"""What each element of a move pays: legs and turns that several elements make up are priced as one, and shared out.

So it is where a carrier sets somebody down in the middle of a leg, or of a turn: each stretch shows its own price.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import accumulate, groupby, takewhile

from simulator.geometry.tolerances import HAIR
from simulator.pathing.posed import Charge, Move, Rotate, Travel
from simulator.rulesets.mecha.movement import MechaMoves


def charges_of_each(moves: MechaMoves, written: Sequence[Move]) -> list[list[Charge]]:
    """Return what each of some moves pays of the price of all of them."""
    found: list[list[Charge]] = [[] for _ in written]
    for first, charges in groupby(moves.judged(written).charges, key=lambda charge: (charge.move, charge.what)):
        number, what = first
        shared = {"leg": _of_leg, "turn": _of_turns}.get(what)
        for charge in shared(moves, written, number, list(charges)) if shared else charges:
            found[charge.move].append(charge)
    return found


def _of_leg(moves: MechaMoves, written: Sequence[Move], first: int, charges: Sequence[Charge]) -> Iterator[Charge]:
    """Share out the price of a leg: each piece of it is paid for where it is begun."""
    parts = _parts_of_leg(moves, written, first)
    grain = moves.space.ground.grain
    total = sum((charge.amount for charge in charges), Fraction(0))
    paid = Fraction(0)
    lengths = accumulate(Fraction(move.inches) for _, move in parts)
    for (number, _), length in zip(parts, lengths, strict=True):
        begun = length if grain is None else grain * math.ceil((length - Fraction(HAIR)) / grain)
        until = total if number == parts[-1][0] else min(max(begun, paid), total)
        yield from _between(charges, paid, until, number)
        paid = until


def _parts_of_leg(moves: MechaMoves, written: Sequence[Move], first: int) -> list[tuple[int, Travel]]:
    """The moves that go on with a leg: until one in another direction, or a turn that comes to something.

    One of no length is neither.
    """
    found: list[tuple[int, Travel]] = []
    turned, swept = Fraction(0), moves.space.turns.swept
    for number, move in enumerate(written[first:], first):
        if isinstance(move, Rotate):
            turned += Fraction(move.degrees)
        elif _is_nil(move):
            continue
        elif not isinstance(move, Travel) or swept([turned]) or (found and move.mode != found[0][1].mode):
            break
        else:
            found.append((number, move))
    return found


def _is_nil(move: Move) -> bool:
    """Whether a move is a leg of no length."""
    return isinstance(move, Travel) and not move.inches


def _between(charges: Sequence[Charge], begin: Fraction, end: Fraction, number: int) -> Iterator[Charge]:
    """What is paid between two amounts, line by line."""
    before = Fraction(0)
    for charge in charges:
        amount = min(end, before + charge.amount) - max(begin, before)
        if amount > 0:
            yield charge._replace(move=number, amount=amount, price=amount * charge.rate)
        before += charge.amount


def _of_turns(moves: MechaMoves, written: Sequence[Move], first: int, charges: Sequence[Charge]) -> Iterator[Charge]:
    """Share out the price of the turns on one spot: each adds what the net angle is dearer for it in the end."""
    (whole,) = charges
    behind = takewhile(
        lambda number: isinstance(written[number], Rotate) or _is_nil(written[number]), range(first, len(written))
    )
    numbers = [number for number in behind if isinstance(written[number], Rotate)]
    until = [_turned_by(moves, written[: number + 1], whole) for number in numbers[:-1]]
    amounts = _rising([charge.amount for charge in until], whole.amount)
    prices = _rising([charge.price for charge in until], whole.price)
    for number, amount, price in zip(numbers, amounts, prices, strict=True):
        if price:
            yield whole._replace(move=number, amount=amount or whole.amount, price=price)


def _turned_by(moves: MechaMoves, written: Sequence[Move], whole: Charge) -> Charge:
    """The charge of a turn as far as it has been made."""
    known = (one for one in moves.judged(written).charges if (one.move, one.what) == (whole.move, whole.what))
    return next(known, whole._replace(amount=Fraction(0), price=Fraction(0)))


def _rising(so_far: Sequence[Fraction], whole: Fraction) -> list[Fraction]:
    """What is added from one to the next, never less than nothing: what is given back later is not added before."""
    lowest = list(accumulate([whole, *reversed(so_far)], min))[::-1]
    return [after - before for before, after in zip([Fraction(0), *lowest[:-1]], lowest, strict=True)]
