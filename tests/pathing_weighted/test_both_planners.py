"""Both planners of a `PoseSpace` answer the same questions, by the same names and with the same errors."""

from fractions import Fraction

import numpy as np
import pytest
from weighted_tables import dear, mover

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.geometry.table import NoPlace
from simulator.pathing.posed import Mode, PoseReach, PoseSpace, PoseStart, TurnPrices, even_ground, judged
from simulator.pathing.posed.shortfalls import shortfalls
from simulator.pathing.traces import NoRoute
from simulator.pathing.weighted import WeightedReach, directions_are_free, planner_for, why_headings_count

PLANNERS = [PoseReach, WeightedReach]


def space(**more):
    """Mud, a base and a pond on a plain; there is an edge to the left."""
    mud = rectangle((6, 4), (4, 5))
    around = {"bars": [Round(1).at(4, -3)], "no_end": [Round(0.5).at(-3, 2)], "box": (-5, -20, 30, 20)}
    return mover(budget=8, areas=[mud], rate=dear(2), **{**around, **more})


@pytest.mark.parametrize("planner", PLANNERS)
class TestAlike:
    def test_costs(self, planner):
        reach = planner(space())
        places = [(0, 0), (0, 5), (-4.5, 0), (-4.6, 0), (0, -9), (4, -3), (-3, 2)]
        expected = [0, 5, 4.5, np.inf, np.inf, np.inf, np.inf]
        assert reach.costs_at(places).tolist() == pytest.approx(expected)
        assert reach.costs_in(places, 30).tolist() == pytest.approx(expected)
        assert reach.costs_in(places, np.arange(7) * 50.0, 0).tolist() == pytest.approx(expected)
        assert reach.costs_facing((0, 5), [0, 90, 200], level=0).tolist() == pytest.approx([5, 5, 5])
        assert reach.costs_facing((0, -9), [0, 90]).tolist() == [np.inf, np.inf]

    def test_headings(self, planner):
        reach = planner(space())
        (ends,) = reach.headings_at((0, 5), step=0.25, level=0)
        assert (str(ends), ends.cost) == ("any heading", pytest.approx(5))
        assert reach.headings_at((0, -9)) == ()

    def test_ways(self, planner):
        reach = planner(space())
        way = reach.way_to((3, 4), 45, level=0)
        assert way.start == reach.space.starts[0]
        assert way.moves == reach.moves_to((3, 4), heading=45)
        verdict = judged(reach.space, *way)
        assert verdict.is_legal
        assert verdict.total == pytest.approx(5)
        assert verdict.heading % 360 == pytest.approx(45)
        assert reach.moves_to_each([(3, 4), (0, -9)], [45, 0], 0) == [way.moves, None]
        for ask in (reach.way_to, reach.moves_to):
            with pytest.raises(NoRoute, match="no move ends at 0,-9"):
                ask((0, -9))

    @pytest.mark.sampled
    def test_areas(self, planner):
        reach = planner(space())
        area = reach.area(error=0.05, heading=20, level=0)
        assert area.area == pytest.approx(reach.area().area, rel=0.01)
        assert area.area == pytest.approx(WeightedReach(reach.space).area(0.01).area, rel=0.02)

    def test_nothing_is_asked(self, planner):
        reach = planner(space())
        for none in ([], np.zeros((0, 2))):
            assert reach.costs_at(none).shape == (0,)
            assert reach.moves_to_each(none) == []

    @pytest.mark.parametrize("place", [(np.nan, 0), (0, np.inf), (1, 2, 3), (1,)])
    def test_places_that_are_none(self, planner, place):
        reach = planner(space())
        asked = [
            lambda: reach.costs_at([place]),
            lambda: reach.costs_in([place], 0),
            lambda: reach.headings_at(place),
            lambda: reach.costs_facing(place, [0]),
            lambda: reach.way_to(place),
            lambda: reach.moves_to(place),
            lambda: reach.moves_to_each([place]),
        ]
        for ask in asked:
            with pytest.raises(NoPlace, match="rows of two finite numbers"):
                ask()

    def test_headings_that_are_none(self, planner):
        reach = planner(space())
        asked = [
            lambda: reach.costs_in([(0, 0)], np.nan),
            lambda: reach.costs_facing((0, 0), [0, np.inf]),
            lambda: reach.way_to((0, 0), np.nan),
            lambda: reach.moves_to_each([(0, 0)], [np.nan]),
            lambda: reach.area(heading=np.inf),
        ]
        for ask in asked:
            with pytest.raises(ValueError, match="finite numbers of degrees"):
                ask()
        with pytest.raises(ValueError, match="broadcast"):
            reach.costs_in([(0, 0)], [1, 2])

    def test_levels_that_are_none(self, planner):
        reach = planner(space())
        asked = [
            lambda: reach.costs_at([(0, 0)], 1),
            lambda: reach.costs_in([(0, 0)], 0, level=-1),
            lambda: reach.headings_at((0, 0), level=2),
            lambda: reach.costs_facing((0, 0), [0], 1),
            lambda: reach.way_to((0, 0), level=1),
            lambda: reach.moves_to_each([(0, 0)], level=1),
            lambda: reach.area(level=1),
        ]
        for ask in asked:
            with pytest.raises(ValueError, match="levels are numbered from 0 to 0"):
                ask()

    def test_errors_of_areas(self, planner):
        with pytest.raises(ValueError, match="an error above 0"):
            planner(space()).area(error=0)

    def test_what_is_missing(self, planner):
        reach = planner(space())
        (short,), room = shortfalls(reach, (0, -9))
        assert (short.what, short.needed, short.available) == ("budget", pytest.approx(9), 8)
        assert room == ((0.0, 360.0),)
        assert [one.what for one in shortfalls(reach, (4, -3), 10)[0]] == ["bars"]
        assert [one.what for one in shortfalls(reach, (-3, 2))[0]] == ["end"]
        assert [one.what for one in shortfalls(reach, (-5, 0))[0]] == ["edge"]
        assert shortfalls(reach, (0, 5)) == ([], ((0.0, 360.0),))


def test_a_detour_that_spends_more_is_for_the_planner_over_poses():
    one = space(more_than=Fraction(3))
    assert type(planner_for(one)) is PoseReach
    assert [reason.what for reason in shortfalls(WeightedReach(one), (0, 2))[0]] == ["least"]
    assert shortfalls(PoseReach(one), (0, 2))[0] == []


class TestWhichPlanner:
    """`planner_for` is the free one if and only if that plans for the mover."""

    def test_free(self):
        for turns in (
            TurnPrices.flat(0),
            TurnPrices.of([(90, 0), (180, 0)], separation=1, times_rate=True),
            TurnPrices.of([(180, 0)], free=20),
        ):
            one = PoseSpace(
                Round(1), (PoseStart((0, 0), Fraction(0)),), Fraction(5), even_ground(Fraction(1)), (Mode("on"),), turns
            )
            assert directions_are_free(one)
            assert why_headings_count(one) is None
            assert type(planner_for(one)) is WeightedReach
            assert planner_for(one).space is one.near

    def test_not_free(self):
        start, ground, free = PoseStart((0, 0), Fraction(0)), even_ground(Fraction(1)), TurnPrices.flat(0)
        for one in (
            PoseSpace(Round(1), (start,), Fraction(5), ground, (Mode("on"),), TurnPrices.of([(90, 0), (180, 1)])),
            PoseSpace(Rectangle(2, 1), (start,), Fraction(5), ground, (Mode("on"),), free),
            PoseSpace(Round(1), (start,), Fraction(5), ground, (), free),
        ):
            assert not directions_are_free(one)
            assert type(planner_for(one)) is PoseReach
            with pytest.raises(ValueError, match=(why_headings_count(one) or "").split(":")[0]):
                WeightedReach(one)
