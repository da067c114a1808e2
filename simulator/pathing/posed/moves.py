"""A move as it is written: legs in a direction of travel, turns on the spot, links; and the path that it is.

>>> forward, reverse = Mode("forward"), Mode("reverse", aside=180, factor=Fraction(2))
>>> path = path_of((0, 0), 90, [Travel(forward, 3), Rotate(-90), Travel(reverse, 1)])
>>> path.end, [type(piece).__name__ for piece in path.pieces]
((-1.0, 3.0), ['Straight', 'Turn', 'Straight'])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeAlias

from simulator.geometry.angles import Degrees, normalise, turn_between, unit_vector
from simulator.geometry.paths import Path, PathPiece, Straight, Turn
from simulator.geometry.pieces import XY
from simulator.pathing.posed.edges import Link
from simulator.pathing.posed.turn_prices import Rational


@dataclass(frozen=True, slots=True)
class Mode:
    """A direction of travel: how far left of the heading, and how many times the price of the ground it costs.

    Without a direction of its own it stands for all directions that no other mode of a space has: oblique travel. Its
    legs name theirs:

    >>> print(Travel(Mode("oblique", aside=None, factor=Fraction(2)).toward(30), 5))
    5 inches oblique, 30 degrees to the left
    """

    name: str
    aside: Degrees | None = 0.0
    factor: Fraction = Fraction(1)
    bound: bool = False  #: whether it is one of the directions of a mode without a direction of its own

    def __post_init__(self) -> None:
        if self.factor <= 0:
            raise ValueError(f"the factor of a mode is above 0, that of {self.name!r} is {self.factor}")

    def toward(self, aside: Degrees) -> Mode:
        """Return the mode in one direction, for legs of a mode without a direction of its own."""
        return replace(self, aside=normalise(aside), bound=True)


@dataclass(frozen=True, slots=True)
class Travel:
    """A straight leg, the heading kept."""

    mode: Mode
    inches: Rational

    def __post_init__(self) -> None:
        if self.mode.aside is None:
            raise ValueError(f"a leg by {self.mode.name!r} names its direction, see Mode.toward")

    @property
    def aside(self) -> Degrees:
        """How far left of the heading it leads."""
        assert self.mode.aside is not None
        return self.mode.aside

    def __str__(self) -> str:
        leg = f"{float(self.inches):g} inches {self.mode.name}"
        return f"{leg}, {aside_text(self.aside)}" if self.mode.bound else leg


def aside_text(aside: Degrees) -> str:
    """Return how far aside of the heading a leg leads in words, by the shorter way round.

    >>> aside_text(30), aside_text(270), aside_text(-0.5)
    ('30 degrees to the left', '90 degrees to the right', '0.5 degrees to the right')
    """
    left = turn_between(0.0, aside)
    return f"{abs(left):g} degrees to the {'left' if left > 0 else 'right'}"


@dataclass(frozen=True, slots=True)
class Rotate:
    """A turn on the spot, left positive; `free` is the part of it that is made for nothing."""

    degrees: Rational
    free: Rational = 0

    def __str__(self) -> str:
        return f"{abs(float(self.degrees)):g} degrees to the {'left' if self.degrees > 0 else 'right'}"


@dataclass(frozen=True, slots=True)
class Follow:
    """A link followed from its one end to its other, the heading kept."""

    link: Link

    def __str__(self) -> str:
        return self.link.name


@dataclass(frozen=True, slots=True)
class EndPhase:
    """The end of a phase of several, see `phases`: what is left of its budget is lost."""

    def __str__(self) -> str:
        return "end of the phase"


Move: TypeAlias = Travel | Rotate | Follow | EndPhase


def pieces_of(place: XY, heading: Rational, moves: Iterable[Move]) -> Iterator[PathPiece]:
    """Yield the piece of a path that each move is. Headings are added up exactly, and then rounded once."""
    here, facing = place, Fraction(heading)
    course: Degrees | None = None  # of the leg just before
    for move in moves:
        if isinstance(move, Rotate):
            yield Turn(here, normalise(float(facing)), float(move.degrees))
            facing, course = facing + Fraction(move.degrees), None
        elif isinstance(move, EndPhase):
            yield Straight(here, here, normalise(float(facing)))
            course = None
        elif isinstance(move, Follow):
            there = move.link.end_from(here, normalise(float(facing)), course)
            yield Straight(here, there, normalise(float(facing)))
            here, course = there, None
        else:
            course = normalise(float(facing + Fraction(move.aside)))
            ahead, inches = unit_vector(course), float(move.inches)
            there = here[0] + inches * ahead[0], here[1] + inches * ahead[1]
            yield Straight(here, there, normalise(float(facing)))
            here = there


def path_of(place: XY, heading: Rational, moves: Iterable[Move]) -> Path:
    """Return the path of a base that makes some moves."""
    return Path(place, tuple(pieces_of(place, heading, moves)))
