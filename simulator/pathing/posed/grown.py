"""Things of a table grown by how wide movers are, each once for all movers of one width.

>>> from simulator.geometry.pieces import rectangle
>>> grown = GrownShapes()
>>> wall, tree = rectangle((4, 0), (2, 2)), rectangle((9, 0), (1, 1))
>>> [shape.area for shape in grown.of([wall, tree], np.array([-0.5, -0.25]))], grown.count
([1.0, 0.25], 2)
>>> _ = grown.of([wall], np.array([-0.5]))
>>> grown.count
2
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import shapely
from numpy.typing import NDArray

from simulator.geometry.pieces import FloatArray, Solid
from simulator.pathing.posed.compared import solid_key


class GrownShapes:
    """What has been grown by now; `forget_all_but` keeps it from growing with each move."""

    def __init__(self) -> None:
        self._known: dict[tuple[object, float], Any] = {}
        self._things: dict[object, Solid] = {}  #: keeps those alive that are compared by identity
        self.count = 0  #: how many shapes were grown

    def of(self, things: Sequence[Solid], by: FloatArray) -> NDArray[Any]:
        """Return the ground that things cover, each grown by so much, prepared for tests of many points."""
        keys = list(zip(map(solid_key, things), by.tolist(), strict=True))
        new = {key: row for row, key in enumerate(keys) if key not in self._known}
        if new:
            rows = list(new.values())
            shapes = np.array([things[row].polygon for row in rows], object)
            made = np.asarray(shapely.buffer(shapes, by[rows]), object)
            shapely.prepare(made)
            self._known.update(zip(new, made.tolist(), strict=True))
            self._things.update((key, things[row]) for (key, _), row in new.items())
            self.count += len(new)
        found = np.empty(len(keys), object)
        found[:] = [self._known[key] for key in keys]
        return found

    def forget_all_but(self, things: Iterable[Solid]) -> None:
        """Forget the things that are not among some any more."""
        kept = set(map(solid_key, things))
        self._known = {key: shape for key, shape in self._known.items() if key[0] in kept}
        self._things = {key: thing for key, thing in self._things.items() if key in kept}
