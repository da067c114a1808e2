"""Places on arcs in one ascending row of floats, arc by arc, where one bisection finds many of them at once.

A number, of an arc or a circle, and a place on it in radians make one float, their rank. Places run from a turn before
the beginning of an arc (a whole circle counts its lines a turn earlier, too) to two turns after it, from -6.3 to 12.6:
each number has a stretch of 32 for them, in which they keep clear of those of its neighbours. A rank has the 53 bits
of a float: among 100,000 arcs it holds a place to 5e-10 radians, which is what the searches take as one place.
"""

from __future__ import annotations

import numpy as np

from simulator.pathing.free.obstacles import Floats, Ints

#: How long the stretch of a number is, and where on it place 0 lies.
_STRETCH, _ZERO = 32.0, 8.0


def ranks(number: Ints, place: Floats) -> Floats:
    """Return the ranks of places.

    >>> row = ranks(np.array([0, 0, 1]), np.array([0.5, 6.0, -6.0]))
    >>> bool(np.all(np.diff(row) > 0)), np.searchsorted(row, beginnings(np.array([0, 1, 2]))).tolist()
    (True, [0, 2, 3])
    """
    return np.asarray(number * _STRETCH + _ZERO + place)


def beginnings(number: Ints) -> Floats:
    """Return what is no greater than the rank of any place of a number, and greater than those of the one before."""
    return np.asarray(number * _STRETCH)
