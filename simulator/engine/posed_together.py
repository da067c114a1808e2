"""Answers of `PosedReach` for many units at once: searched together, each the one that its unit is given alone.

A rulebook overrides `reach_many` with `answered_together(super().reach_many(...))`. Searches that nobody needs are not
made: of answers that are asked about one place alone, see `costs_to`, only those that might end there are searched.
What many answers are asked about the same places is found together as well, see `costs_at_each`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from simulator.engine.posed_reach import PosedReach
from simulator.engine.reach import ReachAnswer
from simulator.geometry.pieces import FloatArray
from simulator.geometry.poses import Heading, Level, Pose
from simulator.geometry.table import inch_places
from simulator.pathing.posed.asked_together import know_together
from simulator.pathing.posed.planner import KEPT, PosePlanner
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.together import reach_many
from simulator.pathing.posed.who_gets_there import may_end
from simulator.pathing.weighted import directions_are_free, planners_for

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

    Where directions are free, or something stops movers, each has searches of its own, which begin when it is asked.
    """
    new = [answer for answer in answers if not (answer.is_searched or _is_alone(answer.space))]
    for first in range(0, len(new), _AT_ONCE):
        some = new[first : first + _AT_ONCE]
        planners = planners_for([answer.space for answer in some], reach_many)
        for answer, planner in zip(some, planners, strict=True):
            answer.use(planner)


def _is_alone(space: PoseSpace) -> bool:
    """Whether a space is not searched together with others."""
    return bool(space.stops) or directions_are_free(space)


def costs_to(answers: Sequence[PosedReach[Any]], goal: Pose) -> FloatArray:
    """Compute for each answer the least cost of ending in one pose; what is None of it is any. inf: it cannot."""
    near = [number for number, answer in enumerate(answers) if _may_end(answer, goal)]
    if near:
        pose = answers[near[0]].pose_of(goal)
        _find_together([answers[number] for number in near], np.array([pose.place]), pose.heading, pose.level)
    costs = np.full(len(answers), np.inf)
    for number in near:
        costs[number] = answers[number].costs_at([goal])[0]
    return costs


def costs_at_each(answers: Sequence[ReachAnswer], places: ArrayLike) -> FloatArray:
    """Compute what many places (rows x, y) cost at least by each of several answers, an array [answer, place].

    These are the costs that `costs_at` returns for each. Answers that are searched together find them together.
    """
    rows = inch_places(places)
    costs = np.empty((len(answers), len(rows)))
    together = [answer for answer in answers if isinstance(answer, PosedReach)]
    for first in range(0, len(rows), KEPT):
        some = rows[first : first + KEPT]
        _find_together(together, some)
        for row, answer in zip(costs, answers, strict=True):
            row[first : first + KEPT] = answer.costs_at(some)
    return costs


def _find_together(
    answers: Sequence[PosedReach[Any]], places: FloatArray, heading: Heading = None, level: Level = None
) -> None:
    """Let answers find together what each of them is asked about next."""
    search_together(answers)
    facing = None if heading is None else float(heading)
    for first in range(0, len(answers), _AT_ONCE):
        by_level = defaultdict[int, list[PosePlanner]](list)
        for answer in answers[first : first + _AT_ONCE]:
            for number in answer.numbers_of(level):
                by_level[number].append(answer.planner)
        for number, planners in by_level.items():
            know_together(planners, places, facing, number)


def _may_end(answer: PosedReach[Any], goal: Pose) -> bool:
    pose = answer.pose_of(goal)
    heading = None if pose.heading is None else float(pose.heading)
    return any(may_end(answer.space, pose.place, heading, level) for level in answer.numbers_of(pose.level))
