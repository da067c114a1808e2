"""Where moves end: a pose and its cost; ranges of headings that cost the same; costs of many poses at once.

>>> turned = HeadingRange(330, 30, 2)
>>> 0 in turned, 330 in turned, 31 in turned, str(turned)
(True, True, False, '330 to 30')
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from simulator.geometry.angles import normalise
from simulator.geometry.poses import Heading, Level, Pose

FloatArray: TypeAlias = NDArray[np.float64]
#: Computes costs of places, all of them with one heading and level; None is any.
CostsOf: TypeAlias = Callable[[ArrayLike, Heading, Level], FloatArray]


@dataclass(frozen=True, slots=True)
class End:
    """One legal end of a move: the pose, its least cost, and on a lattice the phase of the search."""

    pose: Pose
    cost: Any
    phase: str = ""

    @property
    def place(self) -> Any:
        """Where it is."""
        return self.pose.place

    @property
    def heading(self) -> Any:
        """Which way it faces; None where the rules know no headings."""
        return self.pose.heading

    @property
    def level(self) -> Level:
        """On which level it is; None where that is what the board says."""
        return self.pose.level


@dataclass(frozen=True, slots=True)
class HeadingRange:
    """Headings that can be ended in at one cost: counter-clockwise from the first to the last, both of them included.

    From 0 to 360 it is the whole circle; where the headings of a lattice have names, the first and the last are one.
    """

    first: Any
    last: Any
    cost: Any

    @classmethod
    def whole(cls, cost: Any) -> HeadingRange:
        """Return all headings at one cost."""
        return cls(0, 360, cost)

    @property
    def is_whole(self) -> bool:
        """Whether it is the whole circle."""
        return not isinstance(self.first, str) and bool(self.last - self.first >= 360)

    @property
    def one(self) -> Heading:
        """A heading that stands for all of them: the first; None of the whole circle."""
        return None if self.is_whole else self.first

    def __contains__(self, heading: Any) -> bool:
        if isinstance(self.first, str) or isinstance(heading, str):
            return bool(heading == self.first)
        return self.is_whole or normalise(heading - self.first) <= normalise(self.last - self.first)

    def __str__(self) -> str:
        if self.is_whole:
            return "any heading"
        first, last = (Pose((), end).told_state.removeprefix(" facing ") for end in (self.first, self.last))
        return first if first == last else f"{first} to {last}"


def costs_of_poses(places: ArrayLike | Sequence[Pose], pose_of: Callable[[Any], Pose], costs: CostsOf) -> FloatArray:
    """Compute costs of many places, or of poses: those alike in heading and level at once.

    `pose_of` reads what is a place or a pose.
    """
    if not isinstance(places, Sequence) or not any(isinstance(one, Pose) for one in places):
        return costs(cast(ArrayLike, places), None, None)
    poses = [pose_of(one) for one in places]
    alike: dict[tuple[Heading, Level], list[int]] = {}
    for number, pose in enumerate(poses):
        alike.setdefault((pose.heading, pose.level), []).append(number)
    found = np.empty(len(poses))
    for state, numbers in alike.items():
        found[numbers] = costs([poses[number].place for number in numbers], *state)
    return found
