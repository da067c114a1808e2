"""The planner for a mover: the exact one for free directions where they are free, and the one over poses elsewhere.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed import Mode, PoseStart, TurnPrices, even_ground
>>> def planner(turning):
...     starts, modes = (PoseStart((0, 0), Fraction(0)),), (Mode("forward"),)
...     return planner_for(PoseSpace(Round(1), starts, Fraction(9), even_ground(Fraction(1)), modes, turning))
>>> type(planner(TurnPrices.flat(0))).__name__, type(planner(TurnPrices.flat(1))).__name__
('WeightedReach', 'PoseReach')
"""

from __future__ import annotations

from simulator.pathing.posed.phased_reach import reach_of
from simulator.pathing.posed.planner import PosePlanner
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.stopped_reach import StoppedReach
from simulator.pathing.weighted.movers import directions_are_free
from simulator.pathing.weighted.reach import WeightedReach


def planner_for(space: PoseSpace) -> PosePlanner:
    """Return the planner of a space."""
    if space.stops:
        return StoppedReach(space)
    return WeightedReach(space) if directions_are_free(space) else reach_of(space)
