"""Areas that begin as lines: what lies beside them is looked at, too."""

from fractions import Fraction

import numpy as np
import shapely
from posed_movers import FORWARD, SIDEWAYS

from simulator.geometry.footprints import Round
from simulator.pathing.posed import PoseLink, PoseReach, PoseSpace, PoseStart, TableLevel, TurnPrices, even_ground


def through_a_door(budget):
    """A mover that gets through a door five inches ahead, onto another level, and may go a little farther there."""
    ground = even_ground(Fraction(1))
    door = PoseLink("door", 0, 1, Fraction(1, 2), places=((5.0, 0.0), (5.5, 0.0)))
    return PoseSpace(
        Round(0.5),
        (PoseStart((0.0, 0.0), Fraction(0)),),
        budget,
        ground,
        (FORWARD, *SIDEWAYS),
        TurnPrices.flat(4),
        above=(TableLevel(ground),),
        links=(door,),
    )


def test_ahead_and_aside_behind_a_door():
    reach = PoseReach(through_a_door(Fraction(13, 2)))
    area = reach.area(level=1)
    assert area.area > 0.1
    places = np.random.default_rng(1).uniform((5.0, -1.2), (6.8, 1.2), (4000, 2))
    ends = np.isfinite(reach.costs_at(places, 1))
    assert ends.sum() > 50
    assert shapely.distance(area, shapely.points(places[ends])).max() < 0.1
