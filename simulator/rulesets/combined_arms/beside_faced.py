"""Where a passenger whose base is not round is set down after a drive: that depends on which way it faces (CA-119).

It is known for some headings of the passenger, whichever way its transport faces, and where it may face any way.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import shapely

from simulator.engine.state import Unit
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed.beside_ends import PartsFacing
from simulator.rulesets.combined_arms.beside_hull import ground_beside, without_slivers
from simulator.rulesets.combined_arms.units import ArmsTable, base_of

#: Headings of the passenger lie so many degrees apart.
_APART = 30.0
#: The digits of a heading in which it is known again.
_DIGITS = 6


@dataclass(frozen=True, eq=False)
class BesideFaced:
    """The ground beside a transport for each way that its passenger faces."""

    table: ArmsTable
    unit: Unit
    carrier: Unit

    @property
    def headings(self) -> list[float]:
        """The headings of the passenger for which it is known."""
        return [float(heading) for heading in np.arange(0.0, self._turned_round, _APART)]

    @property
    def _turned_round(self) -> float:
        """By how many degrees its base is turned to cover the same again."""
        outline = base_of(self.unit).at(0.0, 0.0, 0.0).polygon
        mirrored = shapely.transform(outline, lambda places: -places)
        return 180.0 if shapely.equals(outline, mirrored) else 360.0

    @cached_property
    def every(self) -> list[FloatArray]:
        """The ground beside the transport, whichever way both face."""
        ways: list[float | None] = [None, *self.headings]
        return list(without_slivers([shapely.Polygon(part) for way in ways for part in self._parts(way)]))

    def turned(self, heading: float | None) -> PartsFacing:
        """Return the ground beside the transport by its heading, for one of the passenger; None: that faces any way."""

        def parts(facing: float) -> Sequence[FloatArray]:
            return self._parts(None if heading is None else round((heading - facing) % self._turned_round, _DIGITS))

        return parts

    @cached_property
    def _known(self) -> dict[float | None, list[FloatArray]]:
        return {}

    def _parts(self, facing: float | None) -> list[FloatArray]:
        if facing not in self._known:
            self._known[facing] = ground_beside(self.table, self.unit, self.carrier, facing)
        return self._known[facing]
