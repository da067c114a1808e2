"""Levels and links: altitudes to rise to, stairs to take; closed forms, and moves that the judge accepts."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from posed_movers import FORWARD, REVERSE, flat_ground, vehicle
from posed_tables import BOX, START, mover, things

from simulator.geometry.footprints import PolygonBase, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    Follow,
    PoseLink,
    PoseReach,
    PoseStart,
    PricedGround,
    Rotate,
    TableLevel,
    Travel,
    TurnPrices,
    judged,
)

OPEN = PricedGround((), flat_ground)
UP, DOWN = PoseLink("rise 4 inches", 0, 1, Fraction(4)), PoseLink("sink 4 inches", 1, 0, Fraction(4))


def flyer(rate=24, above=None, **more):
    """A mover that may fly 4 inches up, over whatever stands on the table."""
    more.setdefault("modes", (FORWARD, REVERSE))
    return vehicle(rate, base=Round(0.5), above=(above or TableLevel(OPEN),), links=(UP, DOWN), **more)


def written(space, reach, place, level=0, heading=None):
    """The verdict on the moves to a place."""
    return judged(space, space.starts[0], reach.moves_to(place, heading, level))


class TestAltitudes:
    WALL = rectangle((5, 0), (1, 60))

    def test_over_a_wall(self):
        space = flyer(bars=[self.WALL])
        reach = PoseReach(space)
        assert reach.costs_at([(3, 0), (10, 0)], level=0).tolist() == [3, 18]
        assert reach.costs_at([(0, 0), (10, 0)], level=1).tolist() == [4, 14]
        assert {"rise 4 inches", "sink 4 inches"} <= {str(move) for move in reach.moves_to((10, 0))}
        verdict = written(space, reach, (10, 0), level=1)
        assert (verdict.is_legal, verdict.total, verdict.level) == (True, 14, 1)

    def test_no_end_where_it_would_sink_onto_something(self):
        reach = PoseReach(flyer(bars=[self.WALL]))
        assert reach.costs_at([(5, 0), (5.9, 0), (6.1, 0)]).tolist() == [math.inf, math.inf, 14.1]

    def test_no_rise_under_a_roof(self):
        space = flyer(bars=[self.WALL], above=TableLevel(OPEN, bars=[rectangle((0, 0), (6, 6))]))
        reach = PoseReach(space)
        # It has to come out from under the roof, to 3.5 at least, to rise there.
        assert reach.costs_at([(10, 0)]).tolist() == [18]
        assert written(space, reach, (10, 0)).is_legal
        assert reach.costs_at([(2, 0)], level=1).tolist() == [math.inf]

    def test_ground_counts_on_its_own_level(self):
        wood = PricedGround([rectangle((10, 0), (10, 40))], lambda under, _: Fraction(2 if under else 1))
        reach = PoseReach(flyer(30, ground=wood))
        assert reach.costs_at([(14, 0), (20, 0)]).tolist() == [14 + 8, 20 + 8]

    def test_turns_go_on_being_priced_together(self):
        # Two turns of 45 degrees with a rise between are one of 90.
        space = flyer()
        moves = [Rotate(45), Follow(UP), Rotate(45)]
        assert judged(space, space.starts[0], moves).total == 4 + 8

    def test_what_is_spent_on_links_counts_as_travelled(self):
        space = replace(flyer(), most_travelled=Fraction(10))
        costs = PoseReach(space).costs_at([(6, 0), (6.1, 0)], level=1)
        assert costs.tolist() == [10, math.inf]

    def test_a_lower_limit_holds_with_the_links(self):
        space = replace(flyer(), more_than=Fraction(10))
        assert PoseReach(space).costs_at([(6.5, 0)], level=1).tolist() == [10.5]

    def test_from_a_start_aloft(self):
        start = replace(flyer().starts[0], level=1)
        reach = PoseReach(replace(flyer(bars=[self.WALL]), starts=(start,)))
        assert reach.costs_at([(10, 0)], level=1).tolist() == [10]
        assert reach.costs_at([(10, 0)], level=0).tolist() == [14]


class TestStairs:
    def house(self, **more):
        """Stairs at 10,0 that lead to 14,0 on the floor above."""
        stairs = PoseLink("take the stairs", 0, 1, Fraction(8), places=((10.0, 0.0), (14.0, 0.0)))
        floor = TableLevel(OPEN, box=(8, -6, 30, 6))
        return vehicle(36, base=Round(0.5), modes=(FORWARD,), above=(floor,), links=(stairs,), **more)

    def test_costs(self):
        space = self.house()
        reach = PoseReach(space)
        assert reach.costs_at([(14, 0), (20, 0)], level=1).tolist() == [18, 24]
        assert reach.costs_in([(14, 0)], [45], level=1).tolist() == [24]
        assert written(space, reach, (20, 0), level=1).total == 24

    def test_with_turns_on_the_way(self):
        space = self.house()
        turned = replace(space, starts=(replace(space.starts[0], place=(0.0, -3.0)),))
        reach = PoseReach(turned)
        # A turn of up to 45 degrees to the stairs costs 6, and another one after them.
        assert reach.costs_at([(14, 0)], level=1)[0] == pytest.approx(math.hypot(10, 3) + 6 + 8)
        verdict = written(turned, reach, (17, 1), level=1)
        assert verdict.is_legal
        assert float(verdict.total) == pytest.approx(reach.costs_at([(17, 1)], level=1)[0])

    def test_the_floor_ends_at_its_box(self):
        reach = PoseReach(self.house())
        assert reach.costs_at([(29.5, 0), (29.6, 0)], level=1).tolist() == [33.5, math.inf]


class TestTheJudge:
    @pytest.mark.parametrize(
        ("moves", "objections"),
        [
            ([Follow(UP)], []),
            ([Follow(DOWN)], [(0, "link")]),
            ([Follow(UP), Follow(UP)], [(1, "link")]),
            ([Follow(PoseLink("jump", 0, 1, Fraction(0)))], [(0, "link")]),
            ([Travel(FORWARD, 5), Follow(UP)], [(0, "bars")]),
            ([Follow(UP), Travel(FORWARD, 5), Follow(DOWN)], [(2, "bars")]),
            ([Follow(UP), Travel(FORWARD, 17)], []),
            ([Follow(UP), Travel(FORWARD, 21)], [(1, "budget")]),
        ],
    )
    def test_objections(self, moves, objections):
        space = flyer(bars=[rectangle((5, 0), (1, 60))])
        found = judged(space, space.starts[0], moves)
        assert [(one.move, one.what) for one in found.objections] == objections

    def test_stairs_begin_at_one_place(self):
        space = TestStairs().house()
        (stairs,) = space.links
        found = judged(space, space.starts[0], [Travel(FORWARD, 9), Follow(stairs)])
        assert [(one.move, one.what, one.inches) for one in found.objections] == [(1, "link", 9)]

    def test_closed_ground_above(self):
        closed = PricedGround([rectangle((0, 0), (4, 4))], lambda under, _: None if under else Fraction(1))
        space = flyer(above=TableLevel(closed))
        assert [one.what for one in judged(space, space.starts[0], [Follow(UP)]).objections] == ["ground"]


def test_links_between_levels_that_are_none_are_refused():
    with pytest.raises(ValueError, match="'rise 4 inches' leads between levels from 0 to 0"):
        vehicle(6, links=(UP,))
    with pytest.raises(ValueError, match="starts are on levels from 0 to 0"):
        replace(vehicle(6), starts=(replace(vehicle(6).starts[0], level=1),))


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("name", ["disc", "tank", "walker"])
def test_each_end_on_a_level_has_a_move_that_the_judge_accepts_at_that_cost(name, seed):
    space, dice = mover(name, seed), np.random.default_rng([seed, 3])
    upper = TableLevel(space.ground, bars=things(dice, 5, (1, 4), 8), box=BOX)
    heading = math.radians(float(space.starts[0].heading))
    stairs = [(START[0] + far * math.cos(heading), START[1] + far * math.sin(heading)) for far in (2.2, 5.3)]
    links = (
        PoseLink("up", 0, 1, Fraction(2)),
        PoseLink("down", 1, 0, Fraction(2)),
        PoseLink("stairs", 0, 1, Fraction(1, 2), places=(stairs[0], stairs[1])),
    )
    space = replace(space, above=(upper,), links=links)
    reach, seen = PoseReach(space), set()
    places = dice.uniform(-1, 1, (16, 2)) * float(space.budget) * 0.7 + START
    headings = dice.uniform(0, 360, len(places))
    for level in (0, 1):
        for facing in (None, headings):
            costs = reach.costs_at(places, level) if facing is None else reach.costs_in(places, facing, level)
            for row, moves in enumerate(reach.moves_to_each(places, facing, level)):
                assert (moves is None) == math.isinf(costs[row])
                if moves is None:
                    continue
                verdict = judged(space, space.starts[0], moves)
                assert verdict.is_legal, verdict.objections
                assert verdict.level == level
                assert float(verdict.total) == pytest.approx(float(costs[row]), abs=1e-6)
                assert verdict.place == pytest.approx(tuple(places[row].tolist()), abs=1e-6)
                seen |= {str(move) for move in moves if isinstance(move, Follow)}
    assert ({"up", "stairs"} if name == "disc" else {"up"}) <= seen


@pytest.mark.sampled
@pytest.mark.parametrize("begins_there", [True, False])
@pytest.mark.parametrize("separation", [0, Fraction(1, 2), 1, None])
@pytest.mark.parametrize("walked", [0, Fraction(2, 5), 1, 2])
def test_what_is_walked_on_a_link_parts_turns(walked, separation, begins_there):
    """Turns before and after it are priced apart; no way of two turns about it is cheaper than reach knows."""
    stairs = PoseLink("stairs", 0, 1, Fraction(1, 2), ((4.0, 0.0), (6.0, 0.0)), walked=Fraction(walked))
    turns = TurnPrices.of([(45, 1), (90, 2), (135, 4), (180, 5)], separation=separation)
    space = replace(vehicle(16, above=(TableLevel(OPEN),), links=(stairs,)), turns=turns)
    start = PoseStart((4.0, 0.0) if begins_there else (0.0, 0.0), Fraction(0))
    space = replace(space, starts=(start,))
    reach, ahead = PoseReach(space), [] if begins_there else [Travel(FORWARD, 4)]
    cheaper = 0
    for whole in range(-180, 181, 15):
        known = float(reach.costs_in(np.array([[6.0, 0.0]]), np.array([float(whole)]), 1)[0])
        for first in range(-180, 181, 45):
            rest = (whole - first + 180) % 360 - 180
            moves = [*ahead, Rotate(Fraction(first)), Follow(stairs), Rotate(Fraction(rest))]
            verdict = judged(space, start, [move for move in moves if not isinstance(move, Rotate) or move.degrees])
            assert verdict.total >= known - 1e-9 or not verdict.is_legal
            cheaper += verdict.is_legal and abs(float(verdict.total) - known) < 1e-9 and bool(first) and bool(rest)
    assert cheaper


class TestWhatStandsBetween:
    """What bars the way of a link from one place to another is met with some headings, and not with others."""

    BASE = PolygonBase([(-2, -0.5), (2, -0.5), (2, 0.5), (-2, 0.5)])
    POST = Round(0.25).at(4, 1.0)

    def space(self, heading, *bars):
        door = PoseLink("door", 0, 1, Fraction(3), ((2.0, 0.0), (6.0, 0.0)), bars=bars)
        space = vehicle(36, base=self.BASE, above=(TableLevel(OPEN),), links=(door,))
        return replace(space, starts=(PoseStart((2.0, 0.0), Fraction(heading)),))

    @pytest.mark.parametrize(("heading", "barred"), [(0, False), (5, False), (45, True), (90, True), (180, False)])
    def test_judge_and_search(self, heading, barred):
        space = self.space(heading, self.POST)
        found = judged(space, space.starts[0], [Follow(space.links[0])]).objections
        assert [(one.what, one.thing) for one in found] == ([("between", 0)] if barred else [])
        assert (PoseReach(space).costs_in([(6, 0)], [heading], level=1)[0] == 3) is not barred

    def test_turned_before_it_gets_through(self):
        space = self.space(90, self.POST)
        reach = PoseReach(space)
        cost = reach.costs_at([(6, 0)], level=1)[0]
        assert 3 < cost < math.inf
        verdict = judged(space, space.starts[0], reach.moves_to((6, 0), None, 1))
        assert (verdict.is_legal, float(verdict.total)) == (True, pytest.approx(cost))

    def test_straight_up_there_is_no_between(self):
        with pytest.raises(ValueError, match="leads straight up or down"):
            PoseLink("lift", 0, 1, Fraction(1), bars=(self.POST,))
