"""A pose: a place, and optionally a heading and a level.

Answers of reach accept a place or a pose, and orders, scenarios and the command line use the same notation.

>>> roof = Pose((12.0, 8.0), 90, "roof")
>>> str(roof), str(Pose((3, 4)))
('12,8 facing 90 level roof', '3,4')
>>> pose_parts("12,8 facing north level roof")
('12,8', 'north', 'roof')
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from simulator.errors import NoPose, shortened
from simulator.geometry.angles import normalise

#: A level by its name or number, as defined by the rulebook or the board.
Level: TypeAlias = str | int | None
#: Degrees from 0 along +x, counter-clockwise; on a lattice also a name.
Heading: TypeAlias = float | str | None

_WORDS = re.compile(r"\s+(facing|level)\s+")


@dataclass(frozen=True, slots=True)
class Pose:
    """A place, a heading and a level.

    In a question None means any heading or any level. In an answer it means that the rules have no headings, and that
    the board determines the level.

    >>> Pose((3, 4), 450) == Pose((3, 4), 90.0)
    True
    """

    place: tuple[Any, ...]
    heading: Heading = None
    level: Level = None

    def __post_init__(self) -> None:
        place: Any = self.place
        if isinstance(place, Iterable) and not isinstance(place, tuple | str):
            object.__setattr__(self, "place", tuple(place))
        if self.heading is not None and not isinstance(self.heading, str):
            object.__setattr__(self, "heading", _heading(self.heading))
        if self.level is not None and not isinstance(self.level, str):
            object.__setattr__(self, "level", _whole(self.level))

    @classmethod
    def of(cls, place: Any) -> Pose:
        """Return a pose unchanged, and a place as a pose without heading and level."""
        return place if isinstance(place, Pose) else cls(place)

    @property
    def is_place(self) -> bool:
        """Whether it has neither heading nor level."""
        return self.heading is None and self.level is None

    @property
    def plain(self) -> Any:
        """The place alone if it has neither heading nor level, otherwise the pose."""
        return self.place if self.is_place else self

    def to_fields(self) -> dict[str, Any]:
        """Return it as plain data, without empty parts."""
        return {"place": list(self.place)} | self.state_fields()

    def state_fields(self) -> dict[str, Any]:
        """Return its heading and level as plain data, without empty parts."""
        named = {"heading": self.heading, "level": self.level}
        return {name: value for name, value in named.items() if value is not None}

    def __str__(self) -> str:
        return place_text(self.place) + self.state_text

    @property
    def state_text(self) -> str:
        """Its heading and level as written after a place: ` facing 90 level roof`."""
        facing = "" if self.heading is None else f" facing {_value_text(self.heading)}"
        return facing + ("" if self.level is None else f" level {self.level}")


def _heading(degrees: Any) -> float:
    try:
        turned = normalise(math.nan if isinstance(degrees, bool) else float(degrees))
    except (TypeError, ValueError, OverflowError):
        raise NoPose(f"a heading is a finite number of degrees, not {shortened(degrees)}") from None
    return int(turned) if isinstance(degrees, int | np.integer) else turned


def _whole(level: Any) -> int:
    if isinstance(level, bool) or not isinstance(level, int | np.integer):
        raise NoPose(f"a level is a name or a whole number, not {level!r}")
    return int(level)


def place_text(place: Any) -> str:
    """Return a place as written in an order: `12,8`, on a table to four decimals."""
    return ",".join(map(_value_text, place)) if isinstance(place, tuple) else shortened(place)


def _value_text(value: Any) -> str:
    return str(value) if isinstance(value, int | str) else f"{round(float(value), 4) + 0.0:.10g}"


def pose_parts(text: str) -> tuple[str, str | None, str | None]:
    """Split the text of a pose into place, heading and level; raise ValueError if a part occurs twice."""
    place, *rest = _WORDS.split(text.strip())
    named = dict(zip(rest[::2], rest[1::2], strict=True))
    if 2 * len(named) < len(rest):
        raise ValueError(f"expected one heading and one level at most, as in 12,8 facing 90 level roof (got {text!r})")
    return place, named.get("facing"), named.get("level")


def place_part(text: str) -> str:
    """Return the place at the beginning of the text of a pose.

    >>> place_part("12,8 facing 90")
    '12,8'
    """
    return _WORDS.split(text.strip())[0]


def known_pose(place: Any, whose: str, *, headings: bool, levels: bool) -> Pose:
    """Return a place or a pose as a pose; raise NoPose if it has a heading or a level but the answer has none.

    >>> known_pose(Pose((3, 4), 90), "a reach of couriers", headings=False, levels=True)
    Traceback (most recent call last):
    simulator.errors.NoPose: a reach of couriers knows no headings: ask about 3,4, not about 3,4 facing 90
    """
    pose = Pose.of(place)
    if unknown := unknown_parts(pose, headings, levels):
        known = Pose(pose.place, pose.heading if headings else None, pose.level if levels else None)
        instead = f"ask about {known}, not about {pose}" if pose.place else "ask about all ends"
        raise NoPose(f"{whose} knows no {unknown}: {instead}")
    return pose


def unknown_parts(pose: Pose, headings: bool, levels: bool) -> str:
    """Return the parts of a pose that an answer does not have: "headings", "levels" or both; empty if none."""
    unknown = [
        name
        for name, said, known in (("headings", pose.heading, headings), ("levels", pose.level, levels))
        if said is not None and not known
    ]
    return " and no ".join(unknown)
