"""Things that end a move which comes to touch them: the judge, costs, headings, areas, and any table by lot."""

import math
from dataclasses import replace
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import shapely
from judged_ends import require_judged
from posed_movers import FORWARD, REVERSE, vehicle
from stopping_tables import legal_moves, stopping_space

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import PolygonShape, rectangle
from simulator.pathing.posed import (
    EarlierPhase,
    Headings,
    OffTheEdge,
    Placing,
    PoseLink,
    PoseReach,
    PoseStart,
    Rotate,
    TableLevel,
    Touch,
    Travel,
    TurnPrices,
    even_ground,
    judged,
)
from simulator.pathing.posed.shortfalls import shortfalls
from simulator.pathing.posed.stopped_reach import StoppedReach
from simulator.pathing.posed.stops import touched
from simulator.pathing.weighted import WeightedReach, planner_for

FOE = Round(1).at(8, 0)


def stopped(*foes, **more):
    """A round mover at 0,0 that turns for 1 a step of 45 degrees, and is stopped by foes."""
    foes = foes or (FOE,)
    bars = [Round(foe.base.radius - 0.01).at(foe.x, foe.y) for foe in foes]
    turns = TurnPrices.in_steps(45, 1)
    known = {"base": Round(1), "modes": (FORWARD, REVERSE), "turns": turns, "bars": bars, "budget": 14}
    return vehicle(14, stops=[Touch(foe) for foe in foes], **{**known, **more})


def at(space, x, y):
    return replace(space, starts=(replace(space.starts[0], place=(float(x), float(y))),))


def objections(space, *moves):
    return [(one.what, one.move, one.thing, round(one.inches, 3)) for one in _judged(space, moves).objections]


def _judged(space, moves):
    return judged(space, space.starts[0], list(moves))


class TestTheJudge:
    def test_a_move_may_end_where_it_comes_to_touch_something(self):
        assert objections(stopped(), Travel(FORWARD, 6)) == []
        assert objections(stopped(), Travel(FORWARD, 5), Travel(FORWARD, 1)) == []

    def test_it_may_not_go_on(self):
        space = stopped()
        for after in (Travel(REVERSE, 1), Rotate(45)):
            assert objections(space, Travel(FORWARD, 6), after) == [("stops", 0, 0, 5.99)]
        assert objections(space, Travel(FORWARD, 5.995), Rotate(90), Travel(FORWARD, 1))[0][0] == "stops"

    def test_straight_on_in_touch_is_where_it_ends(self):
        # Two legs in one direction are one, whatever turn of no angle lies between.
        space = stopped()
        assert objections(space, Travel(FORWARD, Fraction("5.992")), Travel(FORWARD, Fraction("0.01"))) == []
        assert objections(space, Travel(FORWARD, Fraction("5.992")), Rotate(0), Travel(FORWARD, Fraction("0.01"))) == []

    def test_brushing_past_is_coming_to_touch(self):
        beside = stopped(Round(1).at(5, 2.005))
        assert objections(beside, Travel(FORWARD, 10))[0][:3] == ("stops", 0, 0)
        # 2.02 inches aside is too far to touch.
        assert objections(stopped(Round(1).at(5, 2.02)), Travel(FORWARD, 10)) == []

    def test_only_turns_for_nothing_follow(self):
        space = stopped(turns=TurnPrices.in_steps(45, 1, free=90))
        assert objections(space, Travel(FORWARD, 6), Rotate(90, 90)) == []
        assert objections(space, Travel(FORWARD, 6), Rotate(91, 90)) == [("stops", 0, 0, 5.99)]
        assert objections(space, Rotate(45, 45), Rotate(-45), Travel(FORWARD, 6), Rotate(90, 90)) == []

    def test_what_is_touched_at_the_start_may_be_left_and_does_not_stop(self):
        space = at(stopped(), 6, 0)
        assert objections(space, Rotate(90), Travel(FORWARD, 3), Rotate(90), Travel(FORWARD, 3)) == []
        assert objections(space, Rotate(180), Rotate(45)) == []

    def test_once_left_it_stops_the_mover_like_any_other(self):
        space = at(stopped(), 6, 0)
        assert objections(space, Travel(REVERSE, 1), Travel(FORWARD, 1)) == []
        assert objections(space, Travel(REVERSE, 1), Travel(FORWARD, 1), Rotate(45)) == [("stops", 1, 0, 1.99)]

    def test_two_things_at_once(self):
        one, other = Round(1).at(6, 1.5), Round(1).at(6, -1.5)
        near = 6 - math.sqrt(2**2 - 1.5**2)
        space = stopped(one, other)
        assert objections(space, Travel(FORWARD, Fraction(near))) == []
        assert [one[:3] for one in objections(space, Travel(FORWARD, Fraction(near)), Rotate(90))] == [
            ("stops", 0, 0),
            ("stops", 0, 1),
        ]


class TestCosts:
    def test_the_way_round_keeps_off(self):
        space = stopped()
        free = PoseReach(replace(space, stops=()))
        reach = StoppedReach(space)
        assert reach.costs_at([(6, 0), (4, 0)]).tolist() == pytest.approx([6, 4])
        # Beyond it the way is a little longer: out of touch all the way.
        beyond = [(11.0, 0.0), (10.5, 1.5)]
        assert np.all(reach.costs_at(beyond) >= free.costs_at(beyond) - 1e-9)
        require_judged(space, reach, np.array([*beyond, (6.0, 0.0), (8.0, 2.0)]))

    def test_in_touch_it_turns_no_more(self):
        reach = StoppedReach(stopped())
        assert reach.costs_in([(6, 0), (5.9, 0)], [0, 90]).tolist() == pytest.approx([6, 7.9])
        # It arrives facing left by another way, not by a turn of 2.
        assert reach.costs_in([(6, 0)], [90])[0] > 8.5
        freely = StoppedReach(stopped(turns=TurnPrices.in_steps(45, 1, free=90)))
        assert freely.costs_in([(6, 0)], [90]).tolist() == pytest.approx([6])
        (whole,) = (one for one in freely.headings_at((6, 0)) if one.cost == pytest.approx(6))
        assert (whole.first, whole.last) == pytest.approx((270, 90))
        assert freely.costs_facing((6, 0), [0, 90, -90]).tolist() == pytest.approx([6, 6, 6])

    def test_who_begins_in_touch_may_go_away_and_come_back(self):
        space = at(stopped(), 6, 0)
        reach = StoppedReach(space)
        assert reach.costs_at([(6, 0), (3, 0), (8, 2)])[:2].tolist() == pytest.approx([0, 6])
        assert reach.costs_in([(6, 0)], [90]).tolist() == pytest.approx([2])
        assert require_judged(space, reach, np.array([(6.0, 0.0), (3.0, 0.0), (8.0, 2.0), (10.0, 0.0)])) == 4

    def test_who_has_to_touch_something_else_besides(self):
        other = Round(1).at(8, -2.1)
        space = stopped(FOE, other, touch=[Touch(other)])
        reach = StoppedReach(space)
        assert np.isinf(reach.costs_at([(6, 0), (3, 0)])).all()
        assert np.isfinite(reach.costs_at([(6, -2.1)])).all()

    def test_at_least_so_much_is_spent_out_of_touch(self):
        space = stopped(budget=14, more_than=Fraction(7))
        reach = StoppedReach(space)
        assert reach.costs_at([(6, 0)])[0] > 7
        assert require_judged(space, reach, np.array([(6.0, 0.0), (4.0, 3.0)])) == 2


class TestAreas:
    def test_ground_out_of_touch_and_lines_in_touch(self):
        space = stopped(budget=8)
        area = StoppedReach(space).area()
        lines = shapely.GeometryCollection([part for part in shapely.get_parts(area) if not part.area])
        assert lines.length > 1
        around = shapely.Point(8, 0)
        for x, y in shapely.get_coordinates(shapely.segmentize(lines, 0.1)).tolist():
            assert abs(around.distance(shapely.Point(x, y)) - 2) <= 0.01 + 1e-6
        assert area.distance(shapely.Point(5.9, 0)) == 0
        require_judged(space, StoppedReach(space), shapely.get_coordinates(lines)[::7])

    def test_with_a_heading(self):
        area = StoppedReach(stopped(budget=8)).area(heading=0)
        assert area.distance(shapely.Point(5.995, 0)) < 0.01


class TestWhyNot:
    def test_the_thing_that_stops_it_is_named_with_the_place(self):
        # A gap in which it touches one of the two.
        space = stopped(Round(1).at(4, 2.005), Round(1).at(4, -2.005), budget=9, box=(-2, -3.1, 20, 3.1))
        (found,), _ = shortfalls(planner_for(space), (7, 0))
        assert (found.what, found.at) == ("stops", pytest.approx((3.85, 0), abs=0.2))

    def test_a_turn_in_touch(self):
        (found,), _ = shortfalls(planner_for(stopped(budget=8, modes=(FORWARD,))), (6, 0), heading=180)
        assert found.what == "stops"

    def test_what_costs_too_much_is_told_by_its_price(self):
        (found,), _ = shortfalls(planner_for(stopped(budget=5)), (6, 0))
        assert (found.what, found.needed) == ("budget", pytest.approx(6))


class TestWhoIsPlannedForSo:
    def test_the_planner_of_such_a_space_knows_it(self):
        assert type(planner_for(stopped())) is StoppedReach
        assert type(planner_for(replace(stopped(), stops=()))) is PoseReach

    def test_movers_that_turn_for_nothing(self):
        space = stopped(turns=TurnPrices.flat(0))
        assert type(planner_for(replace(space, stops=()))) is WeightedReach
        reach = planner_for(space)
        assert reach.costs_at([(6, 0)]).tolist() == pytest.approx([6])
        assert require_judged(space, reach, np.array([(6.0, 0.0), (8.0, 2.0), (10.5, 0.0), (3.0, 3.0)])) == 4

    def test_others_refuse(self):
        with pytest.raises(ValueError, match="StoppedReach"):
            PoseReach(stopped())
        with pytest.raises(ValueError, match="round"):
            vehicle(9, stops=[Touch(FOE)], base=Rectangle(2, 1))
        with pytest.raises(ValueError, match="round"):
            vehicle(9, stops=[Touch(rectangle((8, 0), (2, 2)))], base=Round(1))
        with pytest.raises(ValueError, match="levels"):
            vehicle(9, stops=[Touch(FOE, level=1)], base=Round(1))

    def test_where_there_are_links_who_begins_in_touch_stays(self):
        stairs = PoseLink("stairs", 0, 0, Fraction(1), ((2.0, 0.0), (2.0, 5.0)))
        space = replace(at(stopped(), 6, 0), links=(stairs,))
        reach = StoppedReach(space)
        assert reach.costs_at([(6, 0), (3, 0), (2, 5)]).tolist() == [0, math.inf, math.inf]
        # From elsewhere they are followed.
        assert np.isfinite(StoppedReach(replace(stopped(), links=(stairs,))).costs_at([(2, 5), (6, 0)])).all()


class TestOtherBegins:
    def test_several_starts(self):
        space = stopped()
        two = replace(space, starts=(PoseStart((6.0, 0.0), Fraction(90)), *space.starts))
        reach = StoppedReach(two)
        assert reach.costs_in([(6, 0), (6, 3)], [90, 90]).tolist() == pytest.approx([0, 3])

    def test_who_is_placed_in_touch_may_leave(self):
        space = replace(stopped(), starts=(), placings=(Placing.at((6.0, 0.0), Headings(0, 90)),))
        reach = StoppedReach(space)
        assert reach.costs_in([(6, 0), (6, 3)], [90, 90]).tolist() == pytest.approx([0, 3])
        way = reach.way_to((6.0, 3.0), 90)
        assert judged(space, way.start, way.moves).is_legal

    def test_over_a_roof_onto_ground_in_touch(self):
        """Where a leap lands in touch the move has ended anyhow."""
        roof = PolygonShape([(-6, -3), (3, -3), (3, 3), (-6, 3)])
        edge = OffTheEdge("jump", roof, Round(1), 0, 1, ends=True)
        foe = Round(1).at(6, 0)
        ground = even_ground(Fraction(1))
        level = TableLevel(ground, [Round(0.99).at(6, 0)])
        space = replace(stopped(bars=[], budget=6), stops=[Touch(foe, level=1)], above=(level,), links=(edge,))
        reach = StoppedReach(space)
        assert np.isfinite(reach.costs_at([(4, 0), (4, 1)], 1)).all()
        require_judged(space, reach, np.array([(4.0, 0.0), (4.0, 1.0)]), level=1)


class TestPhases:
    """What is touched when a phase begins may be left in it; it stops whoever comes to touch it in the phase."""

    @pytest.mark.sampled
    @pytest.mark.parametrize(("seed", "begun"), [(1, 0), (5, 2)])
    def test_ends_are_sound(self, seed, begun):
        space = stopping_space(seed, begun)
        space = replace(space, budget=Fraction(3), earlier=(EarlierPhase(Fraction(3), refreshes=True),))
        reach, dice = StoppedReach(space), np.random.default_rng(seed)
        around = [(stop.thing, stop.thing.base.radius + space.base.reach + 0.003) for stop in space.stops]
        ring = [
            (thing.x + far * math.cos(angle), thing.y + far * math.sin(angle))
            for thing, far in around
            for angle in dice.uniform(0, 2 * math.pi, 10)
        ]
        places = np.concatenate([dice.uniform(5, 15, (30, 2)), np.array(ring)])
        assert require_judged(space, reach, places) > 4
        require_judged(space, reach, places, headings=dice.uniform(0, 360, len(places)))


@pytest.mark.parametrize(("seed", "begun"), [(1, 0), (2, 0), (3, 1), (4, 1), (5, 2)])
class TestAnyTable:
    """Each end has moves that the judge accepts at its price; no legal move drawn by lot is missed."""

    @pytest.mark.sampled("2-0")
    def test_ends_are_sound(self, seed, begun):
        reach, area, (ends, _) = _asked(seed, begun)
        space, dice = reach.space, np.random.default_rng(seed)
        places = np.concatenate([ends[:30], dice.uniform(4, 16, (30, 2))])
        require_judged(space, reach, places)
        require_judged(space, reach, places, headings=dice.uniform(0, 360, len(places)))
        lines = [part for part in shapely.get_parts(area) if not part.area and part.length > 0.1]
        spots = [line.interpolate(dice.uniform(0, line.length)).coords[0] for line in lines for _ in range(4)]
        assert require_judged(space, reach, np.array(spots).reshape(-1, 2)) == len(spots)

    @pytest.mark.sampled("4-1")
    def test_no_legal_move_is_missed(self, seed, begun):
        reach, area, (places, costs) = _asked(seed, begun)
        assert touched(reach.space.stops, reach.space.base, places).any(axis=1).sum() > 5
        assert np.all(reach.costs_at(places) <= costs + 1e-6)
        missing = ~shapely.covers(area.buffer(0.1), shapely.points(places))
        assert not missing.any(), places[missing]


@cache
def _asked(seed, begun):
    """What is reached on a table, all of it, and the ends of legal moves there with their prices."""
    space = stopping_space(seed, begun)
    reach = StoppedReach(space)
    return reach, reach.area(), _ends(legal_moves(space, seed, 500))


def _ends(verdicts):
    places = np.array([verdict.place for verdict in verdicts]).reshape(-1, 2)
    return places, np.array([float(verdict.total) for verdict in verdicts])
