"""What stays wrong with a written move however its legs and links are shortened, as long as none is left out.

Who looks for a legal move by shortening the legs of another one need not go on then.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed.moves import Move, Rotate, Travel
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.verdicts import JudgedMove


def untravelled(space: PoseSpace, moves: Sequence[Move]) -> int | None:
    """Return the number of the first leg in a direction in which the mover does not travel; None: there is none."""
    for number, move in enumerate(moves):
        if isinstance(move, Travel) and move.mode not in space.directions:
            return number
    return None


def stays_amiss(space: PoseSpace, moves: Sequence[Move], found: JudgedMove) -> bool:
    """Whether what a move in one phase comes to stays too much or too little, by the verdict on it."""
    legs = [number for number, move in enumerate(moves) if not isinstance(move, Rotate)]
    if not legs:
        return True
    # What is turned before the first leg costs the same, wherever that leads.
    before = sum((charge.price for charge in found.charges if charge.move < legs[0]), found.paid)
    if before + _least_price(space, moves[legs[0]]) > space.budget + Fraction(TOLERANCE):
        return True
    if space.more_than is None or found.total > space.more_than:
        return False
    # A shorter leg never costs more by itself; but what follows one may be done on dearer ground then.
    last = moves[-1]
    return legs == [len(moves) - 1] and isinstance(last, Travel) and bool(last.inches)


def _least_price(space: PoseSpace, leg: Move) -> Fraction:
    """What a leg costs at least, however short it is: a piece that is begun is paid whole."""
    if not isinstance(leg, Travel):
        return Fraction(0)
    grounds = [space.ground, *(level.ground for level in space.above)]
    return min(ground.least * (ground.grain or 0) for ground in grounds) * leg.mode.factor
