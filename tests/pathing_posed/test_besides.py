"""Areas for who has some ground anyhow: they are the rest of the whole area, and nothing is asked about that ground."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from edges_of_roofs import walker
from posed_movers import FORWARD, REVERSE, stepper, vehicle
from posed_tables import START, mover

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import EarlierPhase, PoseReach
from simulator.pathing.posed.phased_reach import reach_of
from simulator.pathing.posed.stopped_reach import StoppedReach
from simulator.pathing.posed.touch import Touch

FOE = Round(0.5).at(8, 0)
TWO_PHASES = (EarlierPhase(Fraction(4)),)


def leaping():
    return PoseReach(walker(5, start=(1, 0.5), free=0))


def long_and_leaping():
    return PoseReach(walker(5, base=Rectangle(2, 1), start=(1, 0.5), free=0))


def charging():
    return PoseReach(stepper(12, more_than=Fraction(6), bars=[FOE], touch=(Touch(FOE),)))


def stopped():
    return StoppedReach(vehicle(10, stops=[Touch(FOE), Touch(Round(0.5).at(6, 4))]))


def in_two_phases():
    return reach_of(vehicle(6, modes=(FORWARD, REVERSE), bars=[rectangle((5, 1), (1, 4))], earlier=TWO_PHASES))


KINDS = [leaping, long_and_leaping, charging, stopped, in_two_phases]


def as_true(rest, whole, known):
    """Whether with what is known no ground of either area is farther off than the tolerance, no line much farther."""
    lots = [(rest, whole), (whole, rest)]
    beyond = [one.difference(known.union(other.buffer(0.01)).buffer(0.1)) for one, other in lots]
    return all(not area.area and area.length < 0.3 for area in beyond)


# Bases that are not round land on lines of their own with each heading, which takes long.
@pytest.mark.sampled("side1-leaping", "side0-charging", "side2-in_two_phases")
@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("side", [(-1, 0), (1, 0), (0, 1)])
def test_what_lies_beyond_some_ground_is_that_of_the_whole(kind, side):
    reach = kind()
    whole = reach.area()
    x, y = (whole.bounds[i] + whole.bounds[i + 2] for i in (0, 1))
    known = shapely.box(x / 2 - 60, y / 2 - 60, x / 2 + 60, y / 2 + 60)
    known = shapely.intersection(known, shapely.transform(known, lambda corners: corners + 60 * np.array(side)))
    assert as_true(kind().area(besides=known), whole, known)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_nothing_is_looked_for_where_all_is_known(kind, monkeypatch):
    reach = kind()
    everything = shapely.box(*reach.space.window).buffer(1.0)
    monkeypatch.setattr(type(reach), "_drawn_on", None)
    assert reach.area(besides=everything).is_empty


@pytest.mark.parametrize("kind", [leaping, long_and_leaping, charging, stopped], ids=lambda kind: kind.__name__)
def test_contact_is_not_asked_about_in_known_ground(kind, monkeypatch):
    known = shapely.box(*kind().area().bounds).buffer(0.2)
    asked = []
    ends, are_ends = PoseReach._ends_by, PoseReach.are_ends

    def noted(places):
        asked.append(places)
        return places

    def ends_by(self, *question):
        found = ends(self, *question)
        return lambda places: found(noted(places))

    monkeypatch.setattr(PoseReach, "_ends_by", ends_by)
    monkeypatch.setattr(PoseReach, "are_ends", lambda self, places, *more: are_ends(self, noted(places), *more))
    kind().area(besides=known)
    inside = known.buffer(-1e-6)
    assert not any(shapely.contains_xy(inside, *places.T).any() for places in asked)


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "seed"), [("disc", 0), ("tank", 1)])
def test_of_generated_movers(name, seed):
    space = replace(mover(name, seed), budget=Fraction(8))
    whole = PoseReach(space).area()
    known = shapely.box(*START, *(np.array(START) + 20))
    assert as_true(PoseReach(space).area(besides=known), whole, known)
