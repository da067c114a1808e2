"""Stages: areas grown from areas, beside one plan of all inches together, and behind links beside closed forms."""

import itertools
import math

import numpy as np
import pytest
import shapely

from simulator.geometry.outline_rows import rows_along
from simulator.geometry.piece_groups import pieces_of_kinds
from simulator.geometry.pieces import LineShape, Piece
from simulator.geometry.table import InchTable
from simulator.pathing.free import Obstacles, plan, prepare
from simulator.pathing.links import Link, LinkCurve, RowCurve, StraightAcross, TracedCurve, link_curves
from simulator.pathing.outline_places import SPACING
from simulator.pathing.stages import TOLERANCE_OF_STAGES, Stage, Stages
from simulator.pathing.surroundings import Surroundings
from simulator.pathing.traces import NoRoute

BOX = (0.0, 0.0, 20.0, 20.0)


def generated(seed):
    """A table with discs and blocks about its middle, and a start that is free."""
    dice = np.random.default_rng(seed)
    discs = [(x, y, r) for x, y, r in dice.uniform((3, 3, 0.3), (17, 17, 1), (4, 3)).tolist()]
    blocks = [shapely.box(x, y, x + w, y + h) for x, y, w, h in dice.uniform((2, 2, 0.5, 0.5), (16, 16, 3, 3), (4, 4))]
    ground = prepare(Obstacles(discs, (), blocks, BOX), 0.5)
    spots = dice.uniform(4, 16, (400, 2))
    start = spots[ground.depths(spots) < -0.1][0]
    return ground, (float(start[0]), float(start[1])), dice


def curve_of(*links):
    return LinkCurve(tuple(links), tuple(np.linspace(0, 1, len(links)).tolist()), TracedCurve(1.0), ("gate",))


@pytest.mark.parametrize("seed", range(8))
def test_where_nothing_forbids_a_stop_two_spends_lead_as_far_as_one(seed):
    ground, start, dice = generated(seed)
    first, second = dice.uniform(1.5, 4, 2).tolist()
    whole = plan(ground, start, first + second)
    grown = Stage.first(ground, start, first).onward(second)
    places = dice.uniform(0, 20, (600, 2))
    places = places[np.hypot(*(places - start).T) < first + second + 1]
    costs, ends = np.asarray(whole.cost_at(places)), grown.ends(places)
    assert not np.any(ends & ~np.isfinite(costs))
    assert np.all(ends[costs <= first + second - TOLERANCE_OF_STAGES])
    # Between two places on the outline a way begins half their distance aside, and no farther.
    paid, least = grown.costs_at(places)[ends], np.maximum(costs[ends] - first, 0)
    assert np.all(paid >= least - 1e-5)
    assert np.all(paid <= np.hypot(least + TOLERANCE_OF_STAGES, SPACING / 2))
    assert grown.area().difference(whole.area(0.001, "outer")).area < 1e-6
    assert whole.area(0.001, "inner").difference(grown.area().buffer(TOLERANCE_OF_STAGES)).area < 1e-6
    assert ends.sum() > 20


@pytest.mark.parametrize("seed", range(4))
def test_each_step_of_three_spends_is_paid_by_its_own_inches_and_stops_on_nobody(seed):
    ground, start, dice = generated(seed)
    friend = (start[0] + 1.6, start[1] + 0.2, 0.5)
    stage = Stage.first(ground, start, 1.5, no_end=[friend])
    for inches in (2.0, 1.0):
        stage = stage.onward(inches)
    places = dice.uniform(0, 20, (500, 2))
    found = places[stage.ends(places)]
    assert len(found) > 5
    for place in map(tuple, found[:12].tolist()):
        ways = stage.steps_to(place)
        assert ways[0].start == start
        assert ways[-1].end == pytest.approx(place)
        assert all(before.end == pytest.approx(way.start) for before, way in itertools.pairwise(ways))
        assert all(way.length <= inches + 1e-6 for way, inches in zip(ways, (1.5, 2.0, 1.0), strict=True))
        assert all(math.dist(way.end, friend[:2]) >= 1.0 - 2e-6 for way in ways)
    past = Stage.first(ground, start, 4.5, no_end=[friend])
    assert np.all(past.ends(found))


@pytest.mark.parametrize("seed", range(4))
def test_over_a_fence_the_price_is_the_least_of_all_places_to_begin_at(seed):
    """Beside a closed form: walk to within an inch of the fence, over it for 2, walk on; all in straight lines."""
    dice = np.random.default_rng(seed)
    board = InchTable("Field", 30, 20, pieces=[Piece("fence", "fence", LineShape([(15, 0), (15, 20)]))])
    around = Surroundings(0.5, board.bounds, pieces_of_kinds(board, ["fence"]), np.zeros((0, 3)))
    x, y = dice.uniform((10, 6), (13, 14)).tolist()
    walked = Stage.first(around.ground, (x, y), 9.0)
    climbs = StraightAcross(around.pieces, around.room, within=1.0, price=2.0)
    behind = walked.across(climbs.curves(walked.ends, walked.area(), 0.05, walked.costs_at))
    places = dice.uniform((15.5, 2), (22, 18), (200, 2))
    ys, off = np.meshgrid(np.linspace(0.5, 19.5, 3801), np.linspace(0.5, 1.5, 11))
    begin = np.hypot(15 - off - x, ys - y).min(axis=0) + 2.0
    wanted = (begin + np.hypot(places[:, :1] - 15.5, places[:, 1:] - ys[0])).min(axis=1)
    costs = behind.costs_at(places)
    inside = wanted < 8.95
    assert inside.sum() > 20
    assert np.all(costs[inside] >= wanted[inside] - 1e-3)
    assert np.all(costs[inside] <= wanted[inside] + 0.025)
    assert not np.isfinite(costs[wanted > 9.01]).any()


class TestAcrossALink:
    """A gate from (3, 0) to (10, 0) for 2 of 8 inches, on an open table."""

    GATE = Link((3.0, 0.0), ("gate",), (3.0, 0.0), (10.0, 0.0), price=2.0)

    def test_what_lies_behind_costs_the_walk_the_link_and_the_walk_on(self):
        walked = Stage.first(prepare(Obstacles(), 0.5), (0, 0), 8.0)
        behind = walked.across([curve_of(self.GATE)])
        places = np.random.default_rng(1).uniform((5, -5), (16, 5), (200, 2))
        wanted = 5.0 + np.hypot(*(places - (10, 0)).T)
        assert behind.costs_at(places)[wanted <= 8] == pytest.approx(wanted[wanted <= 8])
        assert not behind.ends(places[wanted > 8.001]).any()
        both = Stages([walked, behind])
        assert both.costs_at(places) == pytest.approx(
            np.minimum(np.where(wanted <= 8, wanted, np.inf), walked.costs_at(places))
        )
        assert both.area(6.0).area == pytest.approx(math.pi * 37, rel=0.01)
        there, gate, onward = both.steps_to((11.0, 1.0))
        assert (there.end, gate, onward.start) == ((3.0, 0.0), self.GATE, (10.0, 0.0))
        assert [type(step).__name__ for step in both.steps_to((7.0, 0.0))] == ["Path"]
        with pytest.raises(NoRoute, match="no path of at most 8 ends at 19,9"):
            both.steps_to((19, 9))

    def test_one_that_cannot_be_paid_leads_nowhere_and_one_to_the_last_inch_just_to_its_end(self):
        ground = prepare(Obstacles(), 0.5)
        assert Stage.first(ground, (0, 0), 4.99).across([curve_of(self.GATE)]) is None
        assert Stage.first(ground, (0, 0), 8.0).across([]) is None
        last = Stage.first(ground, (0, 0), 5.0).across([curve_of(self.GATE)])
        assert last.ends([(10, 0), (10.01, 0)]).tolist() == [True, False]

    def test_on_another_level_other_things_bar_the_way(self):
        walked = Stage.first(prepare(Obstacles(), 0.5), (0, 0), 8.0)
        roof = prepare(Obstacles(border=(8.0, -2.0, 12.0, 2.0)), 0.5)
        behind = walked.across([curve_of(self.GATE)], ground=roof)
        assert behind.ends([(11.5, 0), (11.6, 0), (10, 1.5)]).tolist() == [True, False, True]

    def test_a_new_spend_goes_on_from_both_sides(self):
        walked = Stage.first(prepare(Obstacles(), 0.5), (0, 0), 5.0)
        ridden = walked.across([curve_of(self.GATE)]).onward(3.0)
        assert ridden.costs_at([(10, 0), (12.5, 0)]).tolist() == pytest.approx([0, 2.5])
        assert [type(step).__name__ for step in ridden.steps_to((12.5, 0.0))] == ["Path", "Link", "Path", "Path"]


class Edges:
    """Up onto a roof and down from it: from touching its edge on one side to touching it on the other, for a price."""

    def __init__(self, roof, price, *, upwards):
        self.edge, self.price, self.inward = roof.exterior, price, upwards

    def from_places(self, places):
        return [[*self._over(place)] for place in places]

    def _over(self, place):
        spot = shapely.Point(place)
        if abs(self.edge.distance(spot) - 0.5) < 1e-6:
            foot = np.array(self.edge.interpolate(self.edge.project(spot)).coords[0])
            there = 2 * foot - place
            if shapely.Polygon(self.edge).contains(shapely.Point(there)) == self.inward:
                yield Link(place, ("roof",), place, tuple(there.tolist()), price=self.price)

    def try_out(self, tries, error):
        return []


def test_up_a_roof_across_it_and_down_again_each_level_has_its_own_ground():
    """From (8, 8): 1.5 inches to the wall, 3 up, 5 over the roof 6 wide, 1 down, and on."""
    roof, box = shapely.box(10, 5, 16, 11), (0.0, 0.0, 30.0, 16.0)
    street, top = prepare(Obstacles((), (), [roof], box), 0.5), prepare(Obstacles(border=roof.bounds), 0.5)
    walked = Stage.first(street, (8.0, 8.0), 12.0)
    outside, within = rows_along(roof, 0.5, 0.5), rows_along(shapely.box(*box).difference(roof), 0.5, 0.5)
    upwards = [RowCurve(row, walked.ends, walked.area(), 0.05) for row in outside]
    climbed = walked.across(link_curves(Edges(roof, 3.0, upwards=True), upwards), ground=top)
    assert climbed.costs_at([(10.5, 8), (15.5, 8)]) == pytest.approx([4.5, 9.5])
    assert not climbed.ends([(9.0, 8.0), (15.6, 8.0)]).any()
    downwards = [RowCurve(row, climbed.ends, climbed.area(), 0.05) for row in within]
    jumped = climbed.across(link_curves(Edges(roof, 1.0, upwards=False), downwards), ground=street)
    assert jumped.costs_at([(16.5, 8), (18, 8)]) == pytest.approx([10.5, 12])
    assert not jumped.ends([(18.01, 8)]).any()
    # Round the roof it is 8 inches to the corner and more: over it is the only way there.
    assert not walked.ends([(18, 8)]).any()
    steps = jumped.steps_to((18.0, 8.0))
    assert [type(step).__name__ for step in steps] == ["Path", "Link", "Path", "Link", "Path"]
    assert [step.price for step in steps[1::2]] == [3.0, 1.0]


@pytest.mark.parametrize("seed", range(4))
def test_stages_of_different_budgets_stand_side_by_side(seed):
    """A walk of 6 inches, and one of 3 over ground that the longer one keeps off: each counts with its own inches."""
    ground, start, dice = generated(seed)
    marsh = shapely.box(start[0] + 1, start[1] - 2, start[0] + 3, start[1] + 2)
    around = ground.obstacles
    dry = prepare(Obstacles(around.discs, around.walls, [*around.polygons, marsh], around.border), 0.5)
    both = Stages([Stage.first(dry, start, 6.0), Stage.first(ground, start, 3.0)])
    spots = dice.uniform(start[0] - 7, start[0] + 7, (500, 2)) - (0, start[0] - start[1])
    for inches in (2.0, 3.0, 4.5, 6.0, 9.0):
        area = both.area(inches)
        near = shapely.buffer(area.boundary, 3 * TOLERANCE_OF_STAGES)
        clear = ~shapely.intersects_xy(near, *spots.T)
        within = shapely.intersects_xy(area, *spots.T)
        assert np.array_equal(within[clear], both.costs_at(spots)[clear] <= inches), inches


@pytest.mark.parametrize("walls", [(), [(4, -9, 4, 9)]])
def test_a_larger_budget_than_its_own_adds_nothing_to_a_stage(walls):
    ridden = Stage.first(prepare(Obstacles(walls=walls), 0.5), (0, 0), 2.0).onward(3.0)
    assert ridden.area(9.0).equals(ridden.area())
    assert ridden.area(1.0).area < ridden.area().area
