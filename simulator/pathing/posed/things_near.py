"""Things that a mover may come near to: what stands farther off has no part in any of its moves.

>>> from simulator.geometry.footprints import Round
>>> post, oak = Round(1).at(7, 0), Round(1).at(30, 0)
>>> things_near((post, oak), np.array([(0.0, 0.0, 0.0, 0.0)]), far=6.0) == (post,)
True
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from simulator.geometry.convex import BoolArray
from simulator.geometry.pieces import FloatArray, Solid
from simulator.geometry.standing import Solids


def things_near(things: Sequence[Solid], boxes: FloatArray, far: float) -> Solids:
    """Return the things that may be no farther than so much from some boxes."""
    near = are_near(things, boxes, far)
    if isinstance(things, Solids) and near.all():
        return things  # with what is known of them
    return Solids(thing for thing, is_near in zip(things, near, strict=True) if is_near)


def are_near(things: Sequence[Solid], boxes: FloatArray, far: float) -> BoolArray:
    """Find the things that may be no farther than so much from some boxes, rows min x, min y, max x, max y."""
    found = np.zeros(len(things), np.bool_)
    if len(things):
        bounds = np.concatenate([thing.part_bounds for thing in things])
        whose = np.repeat(np.arange(len(things)), [len(thing.part_bounds) for thing in things])
        # The box of a curved part is that of its centre.
        wide = np.hypot(*np.moveaxis(np.array([thing.spread for thing in things]), 2, 0))[whose]
        low, high = (bounds[:, :2] - wide)[:, None], (bounds[:, 2:] + wide)[:, None]
        apart = np.maximum(np.maximum(low - boxes[:, 2:], boxes[:, :2] - high), 0.0)
        found[whose[(np.hypot(apart[..., 0], apart[..., 1]) <= far).any(axis=1)]] = True
    return found
