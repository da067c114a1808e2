"""Leaps off the edge of a roof: closed forms, random leaps by hand, and what the judge says of all that is reported."""

import math
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest
import shapely
from edges_of_roofs import random_leap, top_of, walker
from judged_ends import require_judged
from posed_movers import FORWARD, LEFTWARD, REVERSE

from simulator.engine.posed_orders import move_elements, moves_of
from simulator.geometry.footprints import Oval, Rectangle, Round
from simulator.geometry.pieces import PolygonShape, rectangle
from simulator.pathing.posed import (
    Follow,
    OffTheEdge,
    PoseLink,
    PoseReach,
    PoseStart,
    RecordedReach,
    Rotate,
    Travel,
    Wanted,
    judged,
)
from simulator.pathing.posed.reference import reference_prices
from simulator.pathing.posed.shortfalls import shortfalls
from simulator.pathing.posed.together import reach_many

CORNER = 4 + math.sqrt(0.5)
L_SHAPE = PolygonShape([(-4, -4), (4, -4), (4, 0), (0, 0), (0, 4), (-4, 4)])
COURT = PolygonShape([(-6, -6), (6, -6), (6, 6), (-6, 6)], [[(-2, -2), (2, -2), (2, 2), (-2, 2)]])


def objections(space, *moves):
    """What the judge says of moves from the start."""
    return [(one.move, one.what) for one in judged(space, space.starts[0], moves).objections]


class TestOneRoof:
    PLACES = ((5, 0), (5, 1), (-5, 0), (0, -5), (CORNER, CORNER))

    @pytest.mark.parametrize("grain", [None, Fraction(1, 2)])
    def test_costs(self, grain):
        space = walker(grain=grain)
        reach = PoseReach(space)
        # Three inches to the edge; behind, a turn of 180 degrees of which 90 are free; or backward at twice the price.
        assert reach.costs_at(self.PLACES).round(9).tolist() == [3, 3, 5, 3, 3]
        assert reach.costs_at([(5.001, 0), (4.999, 0), (5, 5), (6, 0)]).tolist() == [math.inf] * 4
        assert require_judged(space, reach, self.PLACES) == 5

    def test_moves(self):
        reach = PoseReach(walker())
        assert [str(move) for move in reach.moves_to((5, 0))] == ["3 inches forward", "jump"]
        assert [str(move) for move in reach.moves_to((5, 0), 90)] == [
            "3 inches forward",
            "jump",
            "90 degrees to the left",
        ]

    def test_a_free_turn_that_is_left_may_follow_and_no_other(self):
        space = walker(12)
        reach = PoseReach(space)
        assert reach.costs_in([(5, 0)] * 3, [0, 90, -90]).round(9).tolist() == [3, 3, 3]
        turned = reach.costs_in([(5, 0)] * 2, [91, 180])
        # It turns on the roof for what the free turn does not do.
        assert np.all(turned > 3)
        assert require_judged(space, reach, [(5, 0)] * 5, headings=np.array([0.0, 90, 91, 135, 180])) == 5
        leap = space.links[0]
        assert objections(space, Travel(FORWARD, 3), Follow(leap), Rotate(90, 90)) == []
        assert objections(space, Travel(FORWARD, 3), Follow(leap), Rotate(91, 90)) == [(2, "ended")]
        assert objections(space, Travel(FORWARD, 3), Follow(leap), Rotate(45)) == [(2, "ended")]

    def test_who_falls_does_not_turn(self):
        space = walker(turn_after=False)
        assert objections(space, Travel(FORWARD, 3), Follow(space.links[0]), Rotate(90, 90)) == [(2, "ended")]
        reach = PoseReach(space)
        # With another heading it lands where it has come along that one.
        assert require_judged(space, reach, [(5, 0)] * 3, headings=np.array([0.0, 45, 135])) == 2
        assert [type(move) for move in reach.moves_to((5, 0), 45)][-1] == Follow

    def test_sideways_and_backward(self):
        space = walker(6, free=0)
        leap, reach = space.links[0], PoseReach(space)
        assert objections(space, Travel(LEFTWARD, 3), Follow(leap)) == []
        assert reach.costs_in([(0, 5), (-5, 0)], [0, 0]).round(9).tolist() == [6, 6]
        assert [str(move) for move in reach.moves_to((-5, 0), 0)] == ["3 inches reverse", "jump"]

    def test_from_a_place_at_the_edge_at_no_price(self):
        space = walker(0, start=(3, 0))
        assert [str(move) for move in PoseReach(space).moves_to((5, 0))] == ["0 inches forward", "jump"]
        assert PoseReach(space).costs_at([(5, 0), (5, 0.5)]).tolist() == [0, 0]

    def test_the_price_of_the_link(self):
        space = walker(price=Fraction(1))
        assert PoseReach(space).costs_at([(5, 0), (-5, 0)]).round(9).tolist() == [4, math.inf]

    def test_turns_lead_a_leap_farther_aside(self):
        # From 3,2 straight over the edge at 45 degrees: it touches at once, and passes 2 inches to either side.
        space = walker(3, start=(3, 2), heading=45, free=0)
        assert PoseReach(space).costs_in([(5, 4)], [45]).tolist() == [0]
        assert judged(space, space.starts[0], [Travel(FORWARD, 0), Follow(space.links[0])]).place == pytest.approx(
            (5, 4)
        )


class TestTheJudge:
    @pytest.mark.parametrize(
        ("moves", "expected"),
        [
            ([Travel(FORWARD, 3)], []),
            ([Travel(FORWARD, Fraction("2.99"))], [(1, "link")]),
            ([Travel(FORWARD, Fraction("3.01"))], [(0, "ground"), (1, "link"), (1, "bars")]),
            ([Travel(FORWARD, 3), Rotate(0)], [(2, "link"), (2, "bars")]),
            ([Travel(FORWARD, 3), Rotate(45), Travel(FORWARD, 0)], []),
            ([Travel(FORWARD, 3), Rotate(90), Travel(FORWARD, 0)], [(3, "link"), (3, "bars")]),
            ([Travel(FORWARD, 3), Rotate(90), Travel(REVERSE, 0)], [(3, "link"), (3, "bars")]),
            ([], [(0, "link"), (0, "bars")]),
        ],
    )
    def test_where_leaps_begin(self, moves, expected):
        space = walker()
        found = objections(space, *moves, Follow(space.links[0]))
        assert [one for one in found if one != (len(moves), "bars") or one in expected] == expected

    def test_what_stands_on_the_way(self):
        # A tower beside the roof, as high as that and higher.
        tower = rectangle((5, 3), (1, 2))
        space = walker(on_top=[tower], bars=[rectangle((5, -3), (1, 2))])
        leap, reach = space.links[0], PoseReach(space)
        assert reach.costs_at([(5, 0), (5, 0.9), (5, 1.1), (5, -0.9), (5, -1.1)]).round(9).tolist() == [
            *(3, 3, math.inf),
            *(3, math.inf),
        ]
        straight = [Rotate(90), Travel(FORWARD, 1.5), Rotate(-90), Travel(FORWARD, 3), Follow(leap)]
        assert objections(space, *straight) == [(3, "bars"), (4, "bars")] or (4, "bars") in objections(space, *straight)
        down = [Rotate(-90), Travel(FORWARD, 1.5), Rotate(90), Travel(FORWARD, 3), Follow(leap)]
        assert (4, "bars") in objections(space, *down)

    def test_the_table_below_ends(self):
        space = walker(box=(-20, -20, 5.5, 20))
        assert objections(space, Travel(FORWARD, 3), Follow(space.links[0])) == [(1, "edge"), (1, "edge")]
        assert PoseReach(space).costs_at([(5, 0), (-5, 0)]).round(9).tolist() == [math.inf, 5]

    def test_no_end_where_it_would_land_on_something(self):
        space = walker(no_end=[Round(0.5).at(6, 0)])
        assert objections(space, Travel(FORWARD, 3), Follow(space.links[0])) == [(1, "end")]
        assert PoseReach(space).costs_at([(5, 0)]).tolist() == [math.inf]

    def test_nothing_may_follow_a_leap_that_ends_the_move(self):
        space = walker()
        leap = space.links[0]
        assert objections(space, Travel(FORWARD, 3), Follow(leap), Travel(FORWARD, 1)) == [(2, "ended")]


class TestOtherOutlines:
    def test_first_clear_place_of_an_outline_with_a_bay(self):
        space = walker(9, roof=L_SHAPE, base=Round(0.5), start=(-2, -2), heading=0)
        reach = PoseReach(space)
        # Into the bay from the south and from the west; and on to nowhere near its far side.
        places = [(2, 0.5), (0.5, 2), (4.5, -2), (-2, 4.5), (0.5, 0.5)]
        assert require_judged(space, reach, places) == 5
        assert reach.costs_at(places[2:4]).round(9).tolist() == [5.5, 5.5]

    def test_a_court_inside(self):
        space = walker(6, roof=COURT, base=Round(0.5), start=(-4, 0))
        reach = PoseReach(space)
        assert reach.costs_at([(-1.5, 0), (-6.5, 0), (1.5, 0)]).round(9).tolist() == [1.5, 1.5 + 1.5, math.inf]
        assert require_judged(space, reach, [(-1.5, 0), (-6.5, 0)]) == 2

    @pytest.mark.parametrize("base", [Rectangle(2, 1), Oval(2, 1)])
    def test_long_bases(self, base):
        space = walker(8, base=base, free=0)
        reach = PoseReach(space)
        ends, headings = [(5, 0), (0, 5), (-5, 0), (0, 4.5)], np.array([0.0, 90, 180, 0])
        # Backward at twice the price, or round first: 180 degrees cost four inches. Sideways it has farther to go.
        assert reach.costs_in(ends, headings).round(9).tolist() == [3, 5, 7, 7]
        assert require_judged(space, reach, ends, headings=headings) == 4
        assert reach.costs_in([(4.5, 0)], [0]).tolist() == [math.inf]

    def test_no_round_outlines_and_no_other_base(self):
        with pytest.raises(ValueError, match="'jump' leads off an area of one piece with straight sides"):
            OffTheEdge("jump", Round(2).at(0, 0), Round(1), 1, 0)
        with pytest.raises(ValueError, match="'jump' is for another base than that of the mover"):
            replace(walker(), base=Round(0.5))


class TestLowerTops:
    """Two roofs side by side, 8 and 4 inches high: level 2 and level 1."""

    HIGH, LOW = rectangle((0, 0), (6, 6)), rectangle((6, 0), (6, 6))

    def space(self, **more):
        base = Round(0.5)
        down = OffTheEdge("jump down", self.HIGH, base, 2, 1, flags=frozenset({"jump"}), ends=True)
        off = OffTheEdge("jump off", self.LOW, base, 1, 0, flags=frozenset({"jump"}), ends=True)
        fall = OffTheEdge("fall", self.HIGH, base, 2, 0, flags=frozenset({"fall"}), ends=True, turn_after=False)
        low = replace(top_of(self.LOW, base), bars=[self.HIGH])
        return walker(
            6,
            base=base,
            roof=self.HIGH,
            bars=[self.LOW],
            above=(low, top_of(self.HIGH, base)),
            links=(down, off, fall),
            **more,
        )

    def test_onto_the_lower_roof_and_not_beyond_it(self):
        space = self.space()
        reach = PoseReach(space)
        assert reach.costs_at([(3.5, 0), (4, 0)], level=1).tolist() == [2.5, math.inf]
        # Where the lower roof is there is no room on the ground; elsewhere it falls.
        assert reach.costs_at([(3.5, 0), (0, 3.5), (9.5, 0)]).tolist() == [math.inf, 2.5, math.inf]
        assert require_judged(space, reach, [(3.5, 0)], level=1) == 1

    def test_the_next_leap_is_another_move(self):
        start = PoseStart((3.5, 0), Fraction(0), level=1)
        space = replace(self.space(), starts=(start,))
        assert PoseReach(space).costs_at([(9.5, 0)]).round(9).tolist() == [5]

    def test_flags_tell_jumps_from_falls(self):
        reach = RecordedReach(self.space())
        assert reach.costs_at([(0, 3.5)], wanted=Wanted(without={"fall"})).tolist() == [math.inf]
        assert reach.costs_at([(0, 3.5)], wanted=Wanted({"fall"})).tolist() == [2.5]
        assert [str(move) for move in reach.moves_to((0, 3.5))][-1] == "fall"
        assert [sorted(end.record.flags) for end in reach.endings_at((3.5, 0), level=1)] == [["jump"]]
        assert reach.area(wanted=Wanted({"jump"})).is_empty
        assert reach.area(wanted=Wanted({"fall"})).length > 9

    def test_no_room_partly_on_the_lower_roof(self):
        space = self.space(start=(0, 2.5))
        reach = PoseReach(space)
        # Half of the base would stand on the lower roof, and half beside it.
        assert reach.costs_at([(3.5, 2.4)], level=1) == pytest.approx(2.5 * math.hypot(1, 0.1 / 3.5))
        assert np.isinf(reach.costs_at([(3.5, 3.2)], level=1)[0])
        assert np.isinf(reach.costs_at([(3.3, 3.3)], level=0)[0])


class TestGoingOn:
    """Leaps after which the move goes on."""

    def test_straight_on_and_after_a_turn(self):
        space = walker(9, ends=False, free=0)
        reach = PoseReach(space)
        assert reach.costs_at([(5, 0), (8, 0), (11, 0), (11.1, 0)]).round(9).tolist() == [3, 6, 9, math.inf]
        places = [(8.0, 0.0), (6.0, 3.0), (0.0, 7.0), (-6.0, 1.0), (7.0, 6.0)]
        assert require_judged(space, reach, places) >= 4
        assert require_judged(space, reach, places, headings=np.array([0.0, 90, 90, 180, 45])) >= 3

    # Long: an area beyond the edge is outlined; single places there are tried beside it.
    @pytest.mark.long
    def test_the_ground_beyond_is_drawn(self):
        space = walker(6, ends=False, free=0)
        reach = PoseReach(space)
        area = reach.area()
        assert area.area > 10
        inside = [
            (x, y) for x in np.arange(-8, 9, 1.0) for y in np.arange(-8, 9, 1.0) if area.contains(shapely.Point(x, y))
        ]
        assert len(inside) > 10
        assert require_judged(space, reach, inside) == len(inside)

    def test_beside_the_judge_and_networkx(self):
        space = walker(4, ends=False, free=0, modes=(FORWARD,))
        states = PoseReach(space).searched[0].states
        assert set(states.level.tolist()) == {0, 1}
        prices = reference_prices(space, states)
        assert np.all(prices <= states.price + 1e-9)

    def test_up_again_by_stairs(self):
        stairs = PoseLink("stairs", 0, 1, Fraction(1), places=((7.0, 0.0), (-3.0, 0.0)))
        space = walker(12, ends=False, free=0, start=(3, 0))
        space = replace(space, links=(*space.links, stairs))
        reach = PoseReach(space)
        # Off the edge at once, two inches to the stairs, and up on the other side.
        assert reach.costs_at([(-3, 0), (-1, 0)], level=1).round(9).tolist() == [3, 5]
        assert require_judged(space, reach, [(-3, 0), (-1, 0), (-1, 1)], level=1) == 3


@pytest.mark.sampled("True-2")
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("ends", [True, False])
def test_random_leaps_are_legal_at_their_price_and_ends_for_no_more(seed, ends):
    dice = np.random.default_rng([seed, 17])
    roof = rectangle((1, 2), tuple(dice.uniform(5, 9, 2).tolist()), float(dice.uniform(0, 90)))
    space = walker(9, roof=roof, base=Round(0.6), start=(1.3, 2.2), heading=int(dice.integers(360)), free=0, ends=ends)
    leaps = [leap for leap in (random_leap(space, dice) for _ in range(40)) if leap.price <= space.budget]
    for leap in leaps:
        verdict = judged(space, space.starts[0], leap.moves)
        assert verdict.is_legal, verdict.objections
        assert float(verdict.total) == pytest.approx(leap.price, abs=1e-6)
        assert verdict.place == pytest.approx(leap.place, abs=1e-6)
    reach, places = PoseReach(space), [leap.place for leap in leaps]
    assert require_judged(space, reach, places) == len(leaps) > 20
    prices = np.array([leap.price for leap in leaps])
    assert np.all(reach.costs_at(places) <= prices + 1e-6)
    headings = np.array([leap.heading for leap in leaps])
    assert require_judged(space, reach, places, headings=headings) >= 0.9 * len(leaps)


@pytest.mark.sampled
@pytest.mark.parametrize("degrees", [90.0, 180.0])
def test_turned_tables(degrees):
    dice = np.random.default_rng(5)
    space = walker(7, base=Round(0.6), roof=rectangle((0, 0), (8, 6)), start=(1, 1), heading=20, free=0)
    turned = walker(
        7,
        base=Round(0.6),
        roof=rectangle((0, 0), (8, 6), degrees),
        start=_turned((1, 1), degrees),
        heading=20 + degrees,
        free=0,
    )
    leaps = [leap for leap in (random_leap(space, dice) for _ in range(12)) if leap.price <= 7]
    places = [leap.place for leap in leaps]
    costs = PoseReach(space).costs_at(places)
    assert np.isfinite(costs).all()
    # A turned outline lies on the grid of coordinates, so places are off by a millionth.
    other = PoseReach(turned)
    for place, cost in zip(places, costs, strict=True):
        near = [
            other.costs_at([_turned(np.multiply(place, 1 + off), degrees)])[0] for off in (0, 2e-7, -2e-7, 4e-7, -4e-7)
        ]
        assert min(near) == pytest.approx(cost, abs=1e-4)


def _turned(place, degrees):
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return float(place[0] * cos - place[1] * sin), float(place[0] * sin + place[1] * cos)


def test_mirrored_tables():
    dice = np.random.default_rng(6)
    roof = PolygonShape([(-4, -3), (4, -3), (3, 3), (-3, 2)])
    mirrored = PolygonShape([(x, -y) for x, y in roof.shell])
    space = walker(7, base=Round(0.6), roof=roof, start=(0.5, 0.25), heading=20, free=0)
    other = walker(7, base=Round(0.6), roof=mirrored, start=(0.5, -0.25), heading=-20, free=0)
    leaps = [leap for leap in (random_leap(space, dice) for _ in range(20)) if leap.price <= 7]
    places = np.array([leap.place for leap in leaps])
    costs = PoseReach(space).costs_at(places)
    assert np.isfinite(costs).all()
    assert PoseReach(other).costs_at(places * (1, -1)) == pytest.approx(costs, abs=1e-6)


@pytest.mark.long
def test_all_that_is_drawn_beside_an_outline_is_an_end():
    for base, heading in ((Round(0.75), None), (Round(0.75), 30.0), (Rectangle(2, 1), 0.0), (Oval(2, 1), 90.0)):
        space = walker(5, base=base, start=(1, 0.5), free=0)
        reach = PoseReach(space)
        area = reach.area(heading=heading)
        corners = np.unique(shapely.get_coordinates(area), axis=0)
        assert area.length > 1
        headings = None if heading is None else np.full(len(corners), heading)
        assert require_judged(space, reach, corners, headings=headings) == len(corners)


# Long: poses are asked one by one; places beyond the edge are tried beside it.
@pytest.mark.long
@pytest.mark.parametrize(
    "more",
    [
        {},
        {"grain": Fraction(1, 2)},
        {"turn_after": False},
        {"ends": False},
        {"free": 0, "heading": 30},
        {"start": (1.5, -2), "on_top": (rectangle((2.5, 0.5), (1, 1)),)},
    ],
)
def test_costs_of_headings_are_those_of_poses(more):
    """What is known of a place with many headings is what is known of each pose, and nothing where no leap lands."""
    reach = PoseReach(walker(6, **more))
    line = shapely.get_coordinates(shapely.segmentize(reach.area(), 1.7))[::5][:4]
    places = np.concatenate([line, [(0.0, 0.0), (20.0, 20.0)]])
    headings, known = np.arange(0.0, 360.0, 20.0), 0
    for place in places.tolist():
        costs = reach.costs_facing(place, headings)
        np.testing.assert_allclose(costs, reach.costs_in([place] * len(headings), headings), atol=1e-6)
        known += int(np.isfinite(costs).sum())
    assert known >= 3


def test_more_budget_loses_nothing():
    places = [(5.0, y) for y in np.linspace(-4, 4, 17)]
    costs = [PoseReach(walker(points, free=0)).costs_at(places) for points in (3, 4, 5, 6)]
    for less, more in pairwise(costs):
        assert np.all(more <= less + 1e-9)


def test_many_movers_together():
    spaces = [walker(5, start=(x, 0), free=0, ends=ends) for x in (-1.0, 0.0, 2.0) for ends in (True, False)]
    places = [(5.0, 0.0), (5.0, 1.0), (0.0, 5.0), (6.0, 0.5)]
    for space, reach in zip(spaces, reach_many(spaces), strict=True):
        assert reach.costs_at(places).tolist() == PoseReach(space).costs_at(places).tolist()


def test_orders_name_the_leap():
    space = walker()
    moves = PoseReach(space).moves_to((5, 1))
    elements = move_elements(moves)
    assert [element.name for element in elements] == ["forward", "turn_left", "forward", "follow"]
    assert dict(elements[-1].args) == {"link": "jump"}
    assert judged(space, space.starts[0], list(moves_of(elements, space))).is_legal


def test_why_not():
    reach = PoseReach(walker())
    assert [short.what for short in shortfalls(reach, (5.5, 0))[0]] == ["way"]
    assert [short.what for short in shortfalls(reach, (4.5, 0))[0]] == ["bars"]
    short = shortfalls(PoseReach(walker(2)), (5, 0))[0][0]
    assert (short.what, round(short.needed, 6), short.available) == ("budget", 3, 2)
    assert shortfalls(reach, (5, 0)) == ([], ((0.0, 360.0),))
