"""The chance that orders come to something, whatever others do: the worst case of all their plays.

Where others react or choose, they take what is worst; where the mover's side chooses, it takes what is best; rolls come
as they come. It is exact for plays that were followed to their ends, see `plays.Plays.are_whole`.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from simulator.engine.plays import PlayNode, Plays
from simulator.engine.questions import Choose, React, Roll
from simulator.engine.state import State
from simulator.errors import TooMuchAsked


def least_chance(plays: Plays, goal: Callable[[State], bool]) -> Fraction:
    """Return the chance that orders end on a table that is a goal, others doing their worst.

    Raise TooMuchAsked where not all plays were followed.
    """
    if not plays.are_whole:
        raise TooMuchAsked(f"not all plays were followed: {plays.reactions_followed} reactions at most")
    chances = [Fraction(0)] * len(plays.moments)
    for number in plays.backwards:
        chances[number] = _chance_of(plays.moments[number], chances, goal)
    return chances[0]


def _chance_of(moment: PlayNode, chances: list[Fraction], goal: Callable[[State], bool]) -> Fraction:
    if moment.is_end:
        return Fraction(int(not moment.breaches and goal(moment.state)))
    after = [(way.share, chances[way.to]) for way in moment.ways if way.to is not None]
    question = moment.question
    if isinstance(question, React | Choose):
        other = moment.state.units.get(question.who)
        mover = moment.state.units.get(moment.mover)
        is_foe = other is not None and mover is not None and other.side != mover.side
        found = [chance for _, chance in after]
        return min(found) if is_foe else max(found)
    if isinstance(question, Roll):
        return sum((share * chance for share, chance in after), Fraction(0))
    return after[0][1]
