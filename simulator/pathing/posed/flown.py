"""Ways that end by links straight up or down: what leads to where those begin is the same, whichever of them follow.

Who flies at an altitude may go on from there to any other one when it arrives. Of nine altitudes that makes 81 ways to
end at a place, and nine flights.
"""

from __future__ import annotations

import numpy as np

from simulator.geometry.convex import BoolArray
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.turn_tolls import under_bases
from simulator.pathing.posed.ways import LastLinks


def on_the_way(last: LastLinks, space: PoseSpace) -> LastLinks:
    """Return what the ways of a whole space have in common that end on a level, or go on from there by links."""
    return LastLinks(last.level, (), space.on(last.level).on_the_way())


def may_go_on(last: LastLinks) -> bool:
    """Whether ways are those to where their last links begin, as far as the budget pays for both.

    What else matters at the end follows from the place alone.
    """
    space = last.space
    limits = space.more_than, space.most_travelled, space.most_inches
    alone = isinstance(space.base, Round) and all(limit is None for limit in limits)
    contents = space.touch or space.met or space.placings or space.earlier
    ends = space.ends, space.leap, space.slant
    return alone and not contents and ends == (None, None, None)


def meet_nothing(last: LastLinks, places: FloatArray) -> BoolArray:
    """Find the places at which nothing that is to be paid for stands where the last links lead."""
    found = np.ones(len(places), np.bool_)
    for level in last.space.passes:
        found &= under_bases(level, places, np.zeros(len(places))) == 0
    return found
