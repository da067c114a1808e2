"""Random legal moves of mecha, made element by element with nothing but the judge to say what is possible.

Every move is judged as a whole, as its legs are rounded and its turns on one spot summed up over several elements
(ME-17, ME-29). `many_moves` goes on from such moves by thousands at once, as `random_moves` makes them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from benchmarks import random_orders
from benchmarks.random_orders import RandomMove, tails
from simulator.pathing.posed import JudgedMove, Move, PoseSpace, PoseStart, Rotate, Travel, judged

#: Moves have so many elements at most.
_MOST = 6
#: The share of turns among elements, of those by limits of brackets, and of those that use what is free.
_TURNS, _TO_LIMITS, _FREE = 0.45, 0.5, 0.6
_LIMITS = (Fraction(45, 2), 45, 90, 135, 180)
#: Legs that are cut stop so far before what bars them.
_HAIR = Fraction(1, 10**9)
#: Legs are at least so long, in inches.
_LEAST = Fraction(1, 100)
#: A leg that is too dear is made shorter so many times.
_CUTS = 4
#: One move of so many is made by the judge alone; they go on from so many of those at most.
_JUDGED, _BEGINS = 250, 16


def judged_moves(space: PoseSpace, dice: np.random.Generator, count: int) -> list[RandomMove]:
    """Make so many legal moves by the judge alone."""
    return random_orders.judged_moves(space, dice, count, random_move)


def many_moves(space: PoseSpace, dice: np.random.Generator, count: int) -> list[RandomMove]:
    """Make so many legal moves, most of them from where some judged ones end."""
    found = judged_moves(space, dice, -(-count // _JUDGED))
    begins = [RandomMove((), space.starts[0])]
    begins += [move for move in found if move.end.paid < space.budget / 2 and isinstance(move.moves[-1], Travel)]
    begins = begins[:_BEGINS]
    for left in range(len(begins), 0, -1):
        begin = begins[left - 1]
        made = tails(space, begin, dice, (count - len(found)) // left)
        found += [move for move in made if _goes_on(begin, move)]
    return found


def _goes_on(begin: RandomMove, move: RandomMove) -> bool:
    """Whether a move goes on otherwise than by the leg with which its beginning ends: the two are rounded as one."""
    if not begin.moves or len(move.moves) == len(begin.moves):
        return not begin.moves
    last, following = begin.moves[-1], move.moves[len(begin.moves)]
    return not (isinstance(last, Travel) and isinstance(following, Travel) and last.mode == following.mode)


def random_move(space: PoseSpace, dice: np.random.Generator) -> RandomMove | None:
    """Return a legal move from the first start of a space; None if this try came to nothing."""
    start, moves = space.starts[0], list[Move]()
    found = judged(space, start, moves)
    for _ in range(int(dice.integers(1, _MOST + 1))):
        move: Move | None = _any_move(space, dice, found)
        for _ in range(_CUTS):
            tried = judged(space, start, [*moves, move] if move else moves)
            if not _goes_wrong(tried):
                break
            move = _cut(move, moves, tried, dice) if isinstance(move, Travel) else None
        if move is not None and not _goes_wrong(tried):
            moves.append(move)
            found = tried
    return RandomMove(tuple(moves), _end_of(start, found)) if moves and found.is_legal else None


def _goes_wrong(found: JudgedMove) -> bool:
    """Whether anything is wrong but that a move may not end there, or has not spent what it has to."""
    return any(one.what not in ("end", "least") for one in found.objections)


def _end_of(start: PoseStart, found: JudgedMove) -> PoseStart:
    return replace(
        start,
        place=found.place,
        heading=found.heading,
        paid=found.total,
        travelled=found.travelled,
        group=found.group,
        free=found.free,
        covered=found.covered,
    )


def _any_move(space: PoseSpace, dice: np.random.Generator, found: JudgedMove) -> Move:
    """A turn or a leg, of which some ask for more than can be paid."""
    if dice.random() < _TURNS:
        to_limit = dice.random() < _TO_LIMITS
        angle = Fraction(dice.choice(_LIMITS)) if to_limit else Fraction(int(dice.integers(1, 1200)), 10)
        sense = int(dice.choice([-1, 1]))
        free = min(angle, Fraction(found.free)) if dice.random() < _FREE else Fraction(0)
        return Rotate(sense * angle, sense * free)
    mode = space.modes[0 if dice.random() < 0.5 else dice.integers(len(space.modes))]
    most = max(space.budget - found.total, Fraction(0)) / mode.factor * int(dice.choice([1, 2, 4])) / 3
    return Travel(mode, most * int(dice.integers(1, 1000)) / 1000)


def _cut(leg: Travel, before: Sequence[Move], tried: JudgedMove, dice: np.random.Generator) -> Travel | None:
    """A leg up to what bars it; where it is too dear, any shorter one; none where little is left of it."""
    gone = sum((Fraction(move.inches) for move in before if isinstance(move, Travel)), Fraction(0))
    bars = [Fraction(one.inches) - gone - _HAIR for one in tried.objections if one.what in ("bars", "ground", "edge")]
    inches = min([Fraction(leg.inches), *bars])
    if not bars:
        inches *= Fraction(int(dice.integers(200, 1000)), 1000)
    return Travel(leg.mode, inches) if inches >= _LEAST else None
