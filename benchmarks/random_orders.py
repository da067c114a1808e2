"""Random legal moves of combined_arms, made element by element with nothing but the judge to say what is possible.

A leg that the judge objects to is cut where that begins; one that costs too much ends where the last inch is spent.
`many_moves` goes on from such moves by thousands at once, as `random_moves` makes them: those climb nowhere, and keep
off what would give way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np

from benchmarks import random_moves as without_links
from simulator.engine.orders import Element, Order
from simulator.pathing.posed import JudgedMove, Move, PoseSpace, PoseStart, Rotate, Travel, judged
from simulator.pathing.posed.moves import Follow
from simulator.pathing.posed.rays import has_room
from simulator.rulesets.combined_arms.reach import ArmsReach
from simulator.rulesets.combined_arms.vocabulary import climb_of

#: Moves have so many elements at most.
_MOST = 6
#: Shares of elements that are rotations, and climbs where there are any.
_ROTATIONS, _CLIMBS = 0.4, 0.2
#: Rotations by limits of brackets, besides those by any angle.
_LIMITS, _TO_LIMITS = (45, 90, 135, 180), 0.4
#: Legs that are cut stop so far before what bars them, and before the very last of the allowance.
_HAIR = Fraction(1, 10**9)
#: Legs are at least so long, in inches.
_LEAST = Fraction(1, 100)
#: One move of so many is made by the judge alone; they go on from so many of those at most.
_JUDGED, _BEGINS = 100, 16


class RandomMove(NamedTuple):
    """A legal move, and where it ends for how much."""

    moves: tuple[Move, ...]
    end: PoseStart

    def order(self, reach: ArmsReach) -> Order:
        """Return it as an order; it may overrun whom the answer of reach may overrun."""
        elements = [_element(move) for move in self.moves]
        return Order(reach.mover.id, reach.action, elements, {"over": reach.over} if reach.over else {})


#: Makes a legal move; None if a try came to nothing.
Maker = Callable[[PoseSpace, np.random.Generator], RandomMove | None]


def judged_moves(
    space: PoseSpace, dice: np.random.Generator, count: int, made: Maker | None = None
) -> list[RandomMove]:
    """Make so many legal moves by the judge alone; moves of another rulebook are made by a maker of its own."""
    made, found = made or random_move, list[RandomMove]()
    while len(found) < count:
        if (move := made(space, dice)) is not None:
            found.append(move)
    return found


def many_moves(space: PoseSpace, dice: np.random.Generator, count: int) -> list[RandomMove]:
    """Make so many legal moves, most of them from where some judged ones end."""
    found = judged_moves(space, dice, -(-count // _JUDGED))
    begins = [RandomMove((), space.starts[0])]
    begins += [move for move in found if move.end.paid < space.budget / 2 and move.end.tolls == space.starts[0].tolls]
    begins = begins[:_BEGINS]
    for left in range(len(begins), 0, -1):
        begin = begins[left - 1]
        found += tails(space, begin, dice, (count - len(found)) // left)
    return found


def tails(space: PoseSpace, begin: RandomMove, dice: np.random.Generator, count: int) -> list[RandomMove]:
    """Go on from a move by so many others, on the level where it ends."""
    level = begin.end.level
    here = space.on(level)
    start = replace(begin.end, level=0)
    bars = [*here.bars, *(toll.thing for toll in here.tolls)]
    alone = replace(here, starts=(start,), tolls=(), bars=bars)
    if not has_room(alone, np.array([start.place], np.float64), np.array([float(start.heading)]))[0]:
        return []
    made = without_links.random_moves(alone, dice, count)
    ends = zip(made.place.tolist(), made.heading.tolist(), made.price.tolist(), strict=True)
    found = [
        RandomMove(
            (*begin.moves, *made.written(alone, row)),
            replace(begin.end, place=(x, y), heading=Fraction(heading), paid=Fraction(price)),
        )
        for row, ((x, y), heading, price) in enumerate(ends)
    ]
    # Who turns by 0 degrees makes no move.
    return [move for move in found if move.moves]


def _element(move: Move) -> Element:
    """A move as an element, with all its digits."""
    if isinstance(move, Follow):
        return climb_of(move.link.name)
    if isinstance(move, Rotate):
        return Element("turn_left" if move.degrees > 0 else "turn_right", {"angle": abs(Fraction(move.degrees))})
    assert isinstance(move, Travel)  # the rulebook moves in one phase
    return Element(move.mode.name, {"inches": Fraction(move.inches)})


def random_move(space: PoseSpace, dice: np.random.Generator) -> RandomMove | None:
    """Return a legal move from the first start of a space; None if this try came to nothing."""
    here, moves, may_end = space.starts[0], list[Move](), False
    for _ in range(int(dice.integers(1, _MOST + 1))):
        move = _any_move(space, dice, here)
        found = judged(space, here, [move])
        if _goes_wrong(found) and isinstance(move, Travel):
            move = Travel(move.mode, _cut(move, here, found, space.budget))
            found = judged(space, here, [move])
        if not _goes_wrong(found) and not (isinstance(move, Travel) and move.inches < _LEAST):
            here, may_end = _onward(here, found), found.is_legal
            moves.append(move)
    return RandomMove(tuple(moves), here) if may_end else None


def _goes_wrong(found: JudgedMove) -> bool:
    """Whether anything is wrong but that a move may not end there."""
    return any(one.what != "end" for one in found.objections)


def _onward(here: PoseStart, found: JudgedMove) -> PoseStart:
    """Where the next element begins."""
    return replace(
        here,
        place=found.place,
        heading=found.heading,
        paid=found.total,
        travelled=here.travelled + found.travelled,
        group=found.group,
        level=found.level,
        tolls=found.tolls,
        since_link=found.since_link,
    )


def _any_move(space: PoseSpace, dice: np.random.Generator, here: PoseStart) -> Move:
    """A climb, a rotation or a leg, of which some ask for more than can be paid."""
    share = dice.random()
    links = [link for link in space.links if link.origin == here.level and link.name.startswith(("climb", "descend"))]
    if links and share < _CLIMBS:
        return Follow(links[dice.integers(len(links))])
    if share < _CLIMBS + _ROTATIONS:
        angle = int(dice.choice(_LIMITS)) if dice.random() < _TO_LIMITS else Fraction(int(dice.integers(1, 1200)), 10)
        return Rotate(int(dice.choice([-1, 1])) * angle)
    mode = space.modes[0 if dice.random() < 0.5 else dice.integers(len(space.modes))]
    most = max(space.budget - here.paid, Fraction(0)) / mode.factor * int(dice.choice([1, 3, 9])) / 4
    return Travel(mode, most * int(dice.integers(1, 1000)) / 1000)


def _cut(leg: Travel, here: PoseStart, found: JudgedMove, budget: Fraction) -> Fraction:
    """How far a leg gets: up to what bars it, and as far as it can be paid."""
    bars = (Fraction(one.inches) for one in found.objections if one.what in ("bars", "ground", "edge"))
    inches, paid, gone = min([Fraction(leg.inches), *bars]), here.paid, Fraction(0)
    if any(charge.toll is not None for charge in found.charges):
        return inches * Fraction(1, 2)  # what gives way is paid at one place
    for charge in found.charges:
        if paid + charge.price > budget:
            gone += (budget - paid) / charge.rate
            break
        paid, gone = paid + charge.price, gone + charge.amount
    return max(min(inches, gone) - _HAIR, Fraction(0))
