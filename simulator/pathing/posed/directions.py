"""Modes by numbers: those with a direction of their own as they come, and one number for each other direction.

Tables of states and legs hold modes as whole numbers. A mode without a direction of its own, for oblique travel, is as
many modes as there are directions: they are numbered in parts of a degree that are as fine as numbers of degrees are.

>>> from fractions import Fraction
>>> forward, oblique = Mode("forward"), Mode("oblique", aside=None, factor=Fraction(2))
>>> both = Directions((forward, oblique))
>>> numbers = both.toward(np.array([0.0, 30.0, -30.0]))
>>> both.asides_of(numbers).tolist(), both.factors_of(numbers).tolist()
([0.0, 30.0, 330.0], [1.0, 2.0, 2.0])
>>> both.numbered(int(numbers[2])) == oblique.toward(-30)
True
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator.geometry.angles import Degrees
from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES
from simulator.pathing.posed.moves import Mode

#: So many numbers there are for each degree: doubles below 512 are whole multiples of such parts.
_PARTS = float(1 << 44)
#: The number of the direction straight ahead; smaller ones are those of modes with a direction of their own.
_FIRST = 1 << 32


class Directions:
    """The directions of some modes."""

    def __init__(self, modes: Sequence[Mode]) -> None:
        """Take modes, of which one at most has no direction of its own."""
        free = [mode for mode in modes if mode.aside is None]
        if len(free) > 1:
            raise ValueError("one mode at most has no direction of its own")
        #: The modes with a direction of their own, and the one for all other directions; None: there is none.
        self.directed = tuple(mode for mode in modes if mode.aside is not None)
        self.oblique = free[0] if free else None
        #: By directed mode: how far left of the heading, and how many times the price of the ground it costs.
        self.asides = np.array([mode.aside for mode in self.directed], np.float64)
        self.factors = np.array([float(mode.factor) for mode in self.directed])
        # The last of these are those of no leg at all.
        self._asides, self._factors = np.append(self.asides, 0.0), np.append(self.factors, 0.0)

    def __contains__(self, mode: Mode) -> bool:
        """Whether a leg may be travelled by a mode: straight ahead, say, an oblique leg is none."""
        if self.oblique is None or mode.aside is None or not mode.bound:
            return mode in self.directed
        return mode == self.in_direction(mode.aside)

    def in_direction(self, aside: Degrees) -> Mode | None:
        """Return the mode in a direction, by how far left of the heading it leads; None: there is no such travel.

        Only what is not one of the modes with a direction of their own is oblique.
        """
        beside = np.abs(_shorter(self.asides - aside)) <= ROUNDING_OF_ANGLES
        if beside.any():
            return self.directed[int(np.argmax(beside))]
        return None if self.oblique is None else self.oblique.toward(aside)

    def numbered(self, number: int) -> Mode:
        """Return a mode by its number."""
        if number < _FIRST:
            return self.directed[number]
        assert self.oblique is not None
        return self.oblique.toward((number - _FIRST) / _PARTS)

    def toward(self, asides: FloatArray) -> IntArray:
        """Return the numbers of the modes in directions; there has to be one for all of them."""
        assert self.oblique is not None
        number = _FIRST + np.rint(np.mod(asides, 360.0) * _PARTS).astype(np.int64)
        for directed, aside in enumerate(self.asides.tolist()):
            number = np.where(np.abs(_shorter(asides - aside)) <= ROUNDING_OF_ANGLES, directed, number)
        return np.asarray(number)

    def asides_of(self, numbers: IntArray) -> FloatArray:
        """Return how far left of the heading modes lead; 0 for -1, no leg at all."""
        if self.oblique is None:
            return np.asarray(self._asides[numbers])
        return np.where(are_oblique(numbers), (numbers - _FIRST) / _PARTS, self._asides[_directed(numbers)])

    def factors_of(self, numbers: IntArray) -> FloatArray:
        """Return how many times the price of the ground modes cost; 0 for -1."""
        if self.oblique is None:
            return np.asarray(self._factors[numbers])
        return np.where(are_oblique(numbers), float(self.oblique.factor), self._factors[_directed(numbers)])


def are_oblique(numbers: IntArray) -> BoolArray:
    """Find the numbers of modes in directions that no mode has for its own."""
    return np.asarray(numbers >= _FIRST)


def _directed(numbers: IntArray) -> IntArray:
    return np.where(are_oblique(numbers), -1, numbers)


def _shorter(degrees: FloatArray) -> FloatArray:
    return np.asarray(180.0 - np.mod(180.0 - degrees, 360.0))
