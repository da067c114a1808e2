"""Movers that are placed: no dearer than from any single start, each of their moves legal by the judge."""

import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import shapely
from placed_tables import PLACINGS, has_room_at, placed, placed_ends, random_start, turned
from posed_movers import FORWARD, REVERSE, vehicle
from posed_tables import MOVERS

from simulator.geometry.footprints import Rectangle, Round
from simulator.geometry.pieces import rectangle
from simulator.pathing.posed import (
    Arc,
    Headings,
    Inside,
    Placing,
    PoseLink,
    PoseReach,
    PoseSpace,
    PoseStart,
    RecordedReach,
    Segment,
    TableLevel,
    Travel,
    TurnPrices,
    even_ground,
    judged,
)
from simulator.pathing.posed.shortfalls import shortfalls
from simulator.pathing.posed.together import reach_many
from simulator.pathing.posed.who_gets_there import costs_of_many, may_end, started_from
from simulator.pathing.traces import NoRoute
from simulator.pathing.weighted import WeightedReach, planner_for

EVEN, TURNS = even_ground(Fraction(1)), TurnPrices.flat(4)
REAR = Arc((0.0, 0.0), 2.0, 135.0, 225.0)


def on_even_ground(placing, budget=6, base=None, **more):
    """A mover on open ground at a placing."""
    modes = more.pop("modes", (FORWARD, REVERSE))
    more.setdefault("turns", TURNS)
    turns = more.pop("turns")
    return PoseSpace(base or Round(0.5), (), Fraction(budget), EVEN, modes, turns, placings=(placing,), **more)


# --- laws ---

#: Two movers at every placing, the others at some of them.
PLACED = [
    *((name, where) for where in PLACINGS for name in ("tank", "walker")),
    *(("disc", "away"), ("disc", "line"), ("oval", "arc"), ("oval", "north")),
    *(("point", "area"), ("point", "edge"), ("track", "edge"), ("track", "point")),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "where"), PLACED)
def test_random_moves_are_no_cheaper(name, where):
    space = placed(name, 1, where)
    dice = np.random.default_rng([3, MOVERS.index(name)])
    ends = placed_ends(space, dice, 25)
    reach = PoseReach(space)
    places = [end.place for end in ends]
    headings = [float(end.heading) for end in ends]
    totals = np.array([float(end.total) for end in ends])
    assert np.all(reach.costs_at(places) <= totals + 1e-6)
    # With a heading that is bound to where it is placed, the place of a turn in between is found on a mesh.
    assert np.all(reach.costs_in(places, headings) <= totals + (0.5 if where == "away" else 1e-6))


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "where"),
    [
        *(("tank", where) for where in ("line", "area", "edge", "away", "north")),
        *(("walker", where) for where in ("arc", "area", "point", "away")),
        *(("disc", where) for where in ("line", "arc", "edge")),
    ],
)
def test_moves_are_legal_at_just_their_cost(name, where):
    space = placed(name, 2, where)
    reach = PoseReach(space)
    dice = np.random.default_rng([5, MOVERS.index(name)])
    places = dice.uniform((8, 4), (40, 32), (40, 2))
    headings = dice.uniform(0, 360, 40)
    for facing in (None, headings):
        costs = reach.costs_at(places) if facing is None else reach.costs_in(places, facing)
        for number in np.flatnonzero(np.isfinite(costs))[:6].tolist():
            heading = None if facing is None else facing[number]
            way = reach.way_to(tuple(places[number]), heading)
            verdict = judged(space, way.start, way.moves)
            assert verdict.is_legal, verdict.objections
            assert way.start.suits(space.placings[0])
            assert float(verdict.total) == pytest.approx(costs[number], abs=1e-7)
            assert verdict.place == pytest.approx(places[number], abs=1e-5)
            if heading is not None:
                assert math.cos(math.radians(float(verdict.heading) - heading)) == pytest.approx(1.0)


@pytest.mark.sampled("edge")
@pytest.mark.parametrize("where", ["line", "arc", "area", "edge", "north"])
def test_the_placing_is_the_best_of_its_starts(where):
    space = placed("tank", 4, where)
    reach = PoseReach(space)
    dice = np.random.default_rng(8)
    places = dice.uniform((14, 6), (34, 30), (60, 2))
    headings = dice.uniform(0, 360, 60)
    starts = [
        start for start in (random_start(space.placings[0], dice) for _ in range(14)) if has_room_at(space, start)
    ]
    assert len(starts) >= 6
    singles = reach_many(replace(space, starts=(start,), placings=()) for start in starts)
    assert np.all(reach.costs_at(places) <= np.min([one.costs_at(places) for one in singles], axis=0) + 0.25)
    assert np.all(
        reach.costs_in(places, headings) <= np.min([one.costs_in(places, headings) for one in singles], 0) + 0.25
    )


def test_who_starts_where_it_is_placed_gets_the_same():
    place, facing = (24.0, 18.0), 70.0
    space = replace(placed("tank", 3, "point"), placings=(Placing.at(place, Headings(facing, facing)),))
    single = replace(space, placings=(), starts=(PoseStart(place, Fraction(facing)),))
    dice = np.random.default_rng(2)
    places, headings = dice.uniform((16, 10), (32, 26), (60, 2)), dice.uniform(0, 360, 60)
    one, other = PoseReach(space), PoseReach(single)
    assert one.costs_at(places) == pytest.approx(other.costs_at(places), abs=0.2)
    assert np.all(one.costs_at(places) <= other.costs_at(places) + 1e-6)
    assert np.all(one.costs_in(places, headings) <= other.costs_in(places, headings) + 1e-6)


@pytest.mark.sampled
@pytest.mark.parametrize("where", ["line", "arc", "edge", "north", "point"])
@pytest.mark.parametrize(("angle", "mirrored"), [(90, False), (0, True), (37, False)])
def test_turned_and_mirrored_placings(where, angle, mirrored):
    wall = Segment((23.0, 24.0), (27.0, 24.0))
    walls = [Placing((wall,)), Placing((Segment((30.0, 16.0), (30.0, 19.0)),))]

    def reach_of(*how):
        bars = []
        for one in walls:
            (line,) = (turned(one, *how) if how else one).pieces
            middle = tuple(np.add(line.begin, line.end) / 2)
            along = math.degrees(math.atan2(*np.subtract(line.end, line.begin)[::-1]))
            bars.append(rectangle(middle, (line.length, 1.0), along))
        placing = turned(PLACINGS[where], *how) if how else PLACINGS[where]
        return PoseReach(on_even_ground(placing, 9, bars=bars))

    dice = np.random.default_rng(4)
    places = dice.uniform((12, 0), (38, 30), (50, 2))
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    moved = places * (1, -1) if mirrored else places
    moved = moved @ np.array([[cos, sin], [-sin, cos]])
    assert reach_of(angle, mirrored).costs_at(moved) == pytest.approx(reach_of().costs_at(places), abs=0.05)


# Long: whole searches are compared; single placings are tried beside it.
@pytest.mark.long
def test_more_budget_loses_nothing():
    space = placed("tank", 5, "line")
    places = np.random.default_rng(6).uniform((14, 6), (34, 30), (80, 2))
    less, more = PoseReach(space), PoseReach(replace(space, budget=space.budget + 2))
    known = np.isfinite(less.costs_at(places))
    assert np.all(more.costs_at(places)[known] <= less.costs_at(places)[known] + 1e-6)


# --- closed forms ---


def test_a_leg_leads_straight_from_the_nearest_place():
    reach = PoseReach(on_even_ground(Placing((Segment((0, 0), (10, 0)),))))
    assert reach.costs_at([(5, 4), (13, 4), (-3, 0), (5, 0), (5, 6.5)]).tolist() == pytest.approx(
        [4, 5, 3, 0, math.inf]
    )


def test_the_heading_at_the_end_decides_where_it_is_placed():
    reach = PoseReach(on_even_ground(Placing((Segment((0, 0), (10, 0)),))))
    # At 30 degrees to the line a leg of 4 inches climbs 2; a turn would cost 4.
    assert reach.costs_in([(8, 2), (8, 2), (0, 2)], [30, 90, 30]).tolist() == pytest.approx([4, 2, 6])
    start, moves = reach.way_to((8, 2), 30)
    assert start.place == pytest.approx((8 - 2 * math.sqrt(3), 0))
    assert len(moves) == 1


def test_what_was_paid_along_a_line_is_weighed_against_the_way():
    # Each inch along the edge costs half an inch: legs lead 30 degrees from its normal.
    edge = Placing((Segment((0, 0), (12, 0), Fraction(0), Fraction(6)),), Headings(-90, 90, from_normal=True))
    reach = PoseReach(on_even_ground(edge, 12))
    at = np.linspace(0, 12, 120001)
    for place in [(6, 3), (11, 1), (2, 8)]:
        best = np.min(at / 2 + np.hypot(place[0] - at, place[1]))
        assert reach.costs_at([place])[0] == pytest.approx(best, abs=1e-6)


def test_a_leg_just_passes_what_stands_there():
    wall = rectangle((5, 3), (8, 2))
    reach = PoseReach(on_even_ground(Placing((Segment((0, 0), (12, 0)),)), 12, bars=[wall], modes=(FORWARD,)))
    start, moves = reach.way_to((8.8, 8))
    assert len(moves) == 1
    leg = shapely.LineString([start.place, (8.8, 8)])
    assert leg.distance(wall.polygon) == pytest.approx(0.5, abs=1e-5)


def test_headings_at_a_placing():
    reach = PoseReach(on_even_ground(Placing.at((0, 0), Headings(-30, 60)), 6))
    ranges = [(one.first, one.last, one.cost) for one in reach.headings_at((0, 0))]
    assert [cost for *_, cost in ranges] == [0, 4]
    assert ranges[0][:2] == pytest.approx((330, 60), abs=1e-3)
    assert reach.costs_facing((0, 0), [0, 60, 61, 180]).tolist() == [0, 0, 4, 4]
    assert reach.costs_facing((0, 0), [10, 100]) == pytest.approx(reach.costs_in([(0, 0)] * 2, [10, 100]))


# --- areas ---


@pytest.mark.parametrize(
    ("placing", "square_inches"),
    [
        (Placing.at((0, 0)), math.pi * 25),
        (Placing((Segment((0, 0), (8, 0)),)), math.pi * 25 + 80),
        (Placing((Inside(rectangle((0, 0), (4, 4))),)), 16 + 80 + math.pi * 25),
        (Placing((Inside(Round(2).at(0, 0)),)), math.pi * 49),
        (Placing((REAR,), Headings(180, 180, from_normal=True)), math.pi / 4 * (49 - 4)),
    ],
)
def test_areas_of_placings(placing, square_inches):
    area = PoseReach(on_even_ground(placing, 5, modes=(FORWARD,), turns=TurnPrices.flat(9))).area()
    assert area.area == pytest.approx(square_inches, rel=5e-3)
    assert area.area <= square_inches + 1e-6


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "where"), [*(("tank", where) for where in PLACINGS), ("disc", "line"), ("disc", "area"), ("disc", "away")]
)
def test_areas_show_the_ends_of_random_moves(name, where):
    space = placed(name, 6, where, "1/3")
    dice = np.random.default_rng(9)
    ends = placed_ends(space, dice, 60)
    assert len(ends) == 60
    reach = PoseReach(space)
    area = reach.area()
    off = shapely.distance(area, shapely.points([end.place for end in ends]))
    assert np.max(off) <= 0.1
    inside = dice.uniform(area.bounds[:2], area.bounds[2:], (300, 2))
    inside = inside[shapely.contains_xy(area, *inside.T)][:100]
    assert len(inside) == 100
    assert np.isfinite(reach.costs_at(inside)).mean() >= (0.95 if where == "away" else 1.0)


def test_the_places_themselves_are_an_area_where_nothing_is_left_to_move():
    carrier = rectangle((0, 0), (2, 2))
    reach = PoseReach(on_even_ground(Placing((REAR,)), 0, modes=(), bars=[carrier, Round(1).at(-2, 1.4)]))
    area = reach.area()
    assert area.geom_type in ("LineString", "MultiLineString")
    assert 0 < area.length < math.radians(90) * 2
    ends = shapely.get_coordinates([part.interpolate(0.3, normalized=True) for part in shapely.get_parts(area)])
    assert np.isfinite(reach.costs_at(ends)).all()


# --- the judge ---


def test_the_judge_checks_where_a_mover_is_placed():
    space = on_even_ground(Placing((REAR,)), box=(-3, -9, 9, 9), bars=[Round(1).at(-2, 1.4)])

    def wrong(place, heading, paid=0):
        verdict = judged(space, PoseStart(place, Fraction(heading), Fraction(paid)), [Travel(FORWARD, 1)])
        return [one.what for one in verdict.objections]

    assert wrong((-2, 0), 270) == ["bars"]
    assert wrong(REAR.place(3.1), 270) == []
    assert wrong((2, 0), 0) == ["placing"]


def test_a_start_that_was_paid_too_little_for_is_not_admitted():
    edge = Placing((Segment((0, 0), (8, 0), Fraction(0), Fraction(4)),))
    assert PoseStart((4, 0), Fraction(10), Fraction(2)).suits(edge)
    assert not PoseStart((4, 0), Fraction(10), Fraction(1)).suits(edge)


# --- other questions ---


# Long: whole searches are compared; single placings are tried beside it.
@pytest.mark.long
def test_movers_that_are_placed_together_with_others():
    spaces = [placed("tank", 7, where) for where in ("line", "arc", "edge")]
    places = np.random.default_rng(7).uniform((14, 4), (34, 28), (40, 2))
    for together, space in zip(reach_many(spaces), spaces, strict=True):
        assert together.costs_at(places) == pytest.approx(PoseReach(space).costs_at(places))


def test_who_gets_there():
    spaces = [on_even_ground(Placing((Segment((x, 0), (x + 4, 0)),))) for x in (0, 9, 30)]
    assert costs_of_many(spaces, (7, 0)).tolist() == [3, 2, math.inf]
    assert may_end(spaces[0], (7, 0))
    assert not may_end(spaces[2], (7, 0))
    with pytest.raises(ValueError, match="no start"):
        next(started_from(spaces[0], [(0, 0)]))


def test_what_is_missing_of_a_move():
    reach = PoseReach(on_even_ground(Placing((Segment((0, 0), (4, 0)),))))
    found, _ = shortfalls(reach, (12, 0))
    assert [(short.what, short.needed, short.available) for short in found] == [("budget", 8, 6)]
    assert shortfalls(reach, (9, 0))[0] == []


def test_links_and_records():
    stairs = PoseLink("stairs", 0, 1, Fraction(1), ((3.0, 2.0), (3.0, 4.0)), flags=frozenset({"stairs"}))
    space = on_even_ground(Placing((Segment((0, 0), (6, 0)),)), 9, above=(TableLevel(EVEN),), links=(stairs,))
    reach = PoseReach(space)
    assert reach.costs_at([(3, 6)], level=1)[0] == pytest.approx(2 + 1 + 2)
    way = reach.way_to((3, 6), level=1)
    assert judged(space, way.start, way.moves).is_legal
    assert RecordedReach(space).costs_at([(3, 6)], level=1)[0] == pytest.approx(5)
    upstairs = on_even_ground(replace(Placing((Segment((0, 0), (6, 0)),)), level=1), 9, above=(TableLevel(EVEN),))
    assert PoseReach(upstairs).costs_at([(3, 2)], level=1)[0] == pytest.approx(2)
    assert np.isinf(PoseReach(upstairs).costs_at([(3, 2)], level=0)[0])


def test_free_directions_are_planned_with_headings():
    space = on_even_ground(Placing.at((0, 0)), turns=TurnPrices.flat(0))
    assert isinstance(planner_for(space), PoseReach)
    with pytest.raises(ValueError, match="placed"):
        WeightedReach(space)
    assert planner_for(space).costs_at([(3, 4)])[0] == pytest.approx(5)


def test_a_long_base_is_placed_as_it_fits():
    # Between two walls an inch and a half apart it stands along them.
    walls = [rectangle((0, 1.25), (20, 1)), rectangle((0, -1.25), (20, 1))]
    space = on_even_ground(Placing((Segment((-2, 0), (2, 0)),)), 4, Rectangle(3, 1), bars=walls)
    reach = PoseReach(space)
    assert reach.costs_at([(5, 0), (1, 0)]).tolist() == pytest.approx([3, 0])
    assert np.isinf(reach.costs_in([(1, 0)], [90])[0])
    assert reach.costs_in([(1, 0)], [180])[0] == 0


# --- refused, and empty ---


def test_a_placing_without_room_has_no_ends():
    space = on_even_ground(Placing((Segment((0, 0), (4, 0)),)), bars=[rectangle((2, 0), (9, 9))])
    reach = PoseReach(space)
    assert reach.area().is_empty
    assert np.isinf(reach.costs_at([(2, 0), (8, 0)])).all()
    with pytest.raises(NoRoute):
        reach.moves_to((8, 0))
    assert reach.headings_at((2, 0)) == ()


@pytest.mark.parametrize(
    ("make", "wrong"),
    [
        (lambda: Placing(()), "at least one"),
        (lambda: Segment((0, math.nan), (1, 0)), "finite"),
        (lambda: Arc((0, 0), 0, 0, 90), "radius"),
        (lambda: Arc((0, 0), 1, 90, 0), "counter-clockwise"),
        (lambda: Headings(90, 0), "counter-clockwise"),
        (lambda: Placing.at((0, 0), Headings(0, 1, from_normal=True)), "normal"),
        (lambda: Placing.at((0, 0), paid=Fraction(-1)), "0 or more"),
        (lambda: on_even_ground(Placing.at((0, 0), level=3)), "levels from 0 to 0"),
        (lambda: replace(on_even_ground(Placing.at((0, 0))), placings=()), "one start, or a placing"),
    ],
)
def test_what_is_wrong_with_a_placing(make, wrong):
    with pytest.raises(ValueError, match=wrong):
        make()


# --- examples of the registers ---


def test_delayed_entry():
    """CA-140, CA-141, E18, E41: a price for each place of the edge, by how far along it is off the board."""
    for off_board, rate, turn, left in ((36, 24, 1, 12), (48, 24, 2, 24), (50, 24, 2, 22)):
        assert off_board // rate == turn
        spent = Fraction(off_board - turn * rate)
        edge = Placing((Segment((0, 0), (0.5, 0), spent, spent + Fraction(1, 2)),), Headings(-90, 90, from_normal=True))
        space = replace(on_even_ground(edge, rate), base=Round(0))
        reach = PoseReach(space)
        assert np.isfinite(reach.costs_at([(0, left - 0.01)])[0])
        assert np.isinf(reach.costs_at([(0, left + 0.01)])[0])


def test_troops_unload_and_move_a_third():
    """CA-119, CA-126, E16: within an inch of a door, any heading, then two inches on foot."""
    door = (0.0, 0.0)
    hull = rectangle((2, 0), (4, 3))
    troops = vehicle(6, base=Round(0), budget=2, bars=[hull])
    space = replace(troops, starts=(), placings=(Placing((Inside(Round(1).at(*door)),)),))
    reach = PoseReach(space)
    assert reach.costs_at([(-1, 0), (-3, 0), (-3.01, 0), (1, 0)]).tolist() == pytest.approx([0, 2, math.inf, math.inf])
    assert reach.costs_in([(-3, 0), (-1, 0)], [180, 77]).tolist() == pytest.approx([2, 0])


def test_leaving_a_carrier():
    """ME-79, ME-83: touching the rear within 45 degrees, any heading, then half the movement."""
    carrier = Round(1.5).at(0, 0)
    for headings, ahead in (
        (Headings(0, 360), 4.0),
        (Headings(180, 180, from_normal=True), 4.0),
        (Headings(0, 0), 0.0),
    ):
        rear = Placing((Arc((0, 0), 2.0, 135, 225),), headings)
        space = on_even_ground(rear, 4, bars=[carrier], modes=(FORWARD,), turns=TurnPrices.flat(9))
        costs = PoseReach(space).costs_at([(-6, 0), (-2, 0)])
        assert costs.tolist() == pytest.approx([ahead or math.inf, 0])
