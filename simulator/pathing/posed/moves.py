"""A move as it is written: legs in a direction of travel, turns on the spot, links; and the path that it is.

>>> forward, reverse = Mode("forward"), Mode("reverse", aside=180, factor=Fraction(2))
>>> path = path_of((0, 0), 90, [Travel(forward, 3), Rotate(-90), Travel(reverse, 1)])
>>> path.end, [type(piece).__name__ for piece in path.pieces]
((-1.0, 3.0), ['Straight', 'Turn', 'Straight'])
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from simulator.geometry.angles import Degrees, normalise, unit_vector
from simulator.geometry.paths import Path, PathPiece, Straight, Turn
from simulator.geometry.pieces import XY
from simulator.pathing.posed.edges import Link
from simulator.pathing.posed.turn_prices import Rational


@dataclass(frozen=True, slots=True)
class Mode:
    """A direction of travel: how far left of the heading, and how many times the price of the ground it costs."""

    name: str
    aside: Degrees = 0.0
    factor: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        if self.factor <= 0:
            raise ValueError(f"the factor of a mode is above 0, that of {self.name!r} is {self.factor}")


@dataclass(frozen=True, slots=True)
class Travel:
    """A straight leg, the heading kept."""

    mode: Mode
    inches: Rational

    def __str__(self) -> str:
        return f"{float(self.inches):g} inches {self.mode.name}"


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
            course = normalise(float(facing + Fraction(move.mode.aside)))
            ahead, inches = unit_vector(course), float(move.inches)
            there = here[0] + inches * ahead[0], here[1] + inches * ahead[1]
            yield Straight(here, there, normalise(float(facing)))
            here = there


def path_of(place: XY, heading: Rational, moves: Iterable[Move]) -> Path:
    """Return the path of a base that makes some moves."""
    return Path(place, tuple(pieces_of(place, heading, moves)))
