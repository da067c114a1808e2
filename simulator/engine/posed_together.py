"""Answers of `PosedReach` for many units at once: searched together, each the one that its unit is given alone.

A rulebook overrides `reach_many` with `answered_together(super().reach_many(...))`. Searches that nobody needs are not
made: of answers that are asked about one place alone, see `costs_to`, only those that might end there are searched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np

from simulator.engine.posed_reach import PosedReach
from simulator.geometry.pieces import FloatArray
from simulator.geometry.poses import Pose
from simulator.pathing.posed.together import reach_many
from simulator.pathing.posed.who_gets_there import may_end
from simulator.pathing.weighted import directions_are_free

Answer = TypeVar("Answer")
#: So many answers are searched together: more take more memory, and hardly less time.
_AT_ONCE = 32


def answered_together(answers: Iterable[Answer]) -> Iterator[Answer]:
    """Yield answers, or errors instead of them, with the searches for all answers made in one pass."""
    found = list(answers)
    search_together([answer for answer in found if isinstance(answer, PosedReach)])
    yield from found


def search_together(answers: Sequence[PosedReach[Any]]) -> None:
    """Search for answers, those that have not been searched for yet, in few passes.

    Where directions are free each has a search of its own, which begins when it is asked.
    """
    new = [answer for answer in answers if not (answer.is_searched or directions_are_free(answer.space))]
    for first in range(0, len(new), _AT_ONCE):
        some = new[first : first + _AT_ONCE]
        for answer, planner in zip(some, reach_many(answer.space for answer in some), strict=True):
            answer.use(planner)


def costs_to(answers: Sequence[PosedReach[Any]], goal: Pose) -> FloatArray:
    """Compute for each answer the least cost of ending in one pose; what is None of it is any. inf: it cannot."""
    near = [number for number, answer in enumerate(answers) if _may_end(answer, goal)]
    search_together([answers[number] for number in near])
    costs = np.full(len(answers), np.inf)
    for number in near:
        costs[number] = answers[number].costs_at([goal])[0]
    return costs


def _may_end(answer: PosedReach[Any], goal: Pose) -> bool:
    pose = answer.pose_of(goal)
    heading = None if pose.heading is None else float(pose.heading)
    return any(may_end(answer.space, pose.place, heading, level) for level in answer.numbers_of(pose.level))
