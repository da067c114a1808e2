"""What stands around a mover, and links straight across it: judge, planner and finder beside each other and shapely."""

import math

import numpy as np
import pytest
import shapely

from simulator.geometry.paths import Straight
from simulator.geometry.piece_groups import pieces_of_kinds
from simulator.geometry.pieces import LineShape, Piece, rectangle
from simulator.geometry.table import InchTable
from simulator.pathing.free import plan
from simulator.pathing.links import StraightAcross, Tries
from simulator.pathing.surroundings import Surroundings


def generated(seed):
    """A courtyard of fences and sheds with some people about, for a mover of some size."""
    dice = np.random.default_rng(seed)
    pieces = [
        Piece(f"fence{at}", "fence", LineShape([tuple(end) for end in ends]))
        for at, ends in enumerate(dice.uniform((1, 1), (19, 11), (2, 2, 2)).round(3).tolist())
    ]
    pieces += [
        Piece(f"shed{at}", "shed", rectangle((x, y), (w, h), turn))
        for at, (x, y, w, h, turn) in enumerate(
            dice.uniform((3, 3, 1, 0.5, 0), (17, 9, 3, 1, 180), (3, 5)).round(3).tolist()
        )
    ]
    board = InchTable("Yard", 20, 12, pieces=pieces)
    bases = dice.uniform((1, 1, 0.3), (19, 11, 1), (3, 3))
    around = Surroundings(float(dice.uniform(0.3, 0.8)), board.bounds, pieces_of_kinds(board, ["fence", "shed"]), bases)
    return around, dice


@pytest.mark.parametrize("seed", range(6))
def test_a_way_is_barred_where_the_base_it_sweeps_covers_something(seed):
    around, dice = generated(seed)
    starts = dice.uniform((0.9, 0.9), (19.1, 11.1), (400, 2))
    starts = starts[around.room.free(starts)][:60]
    ends = starts + dice.uniform(-5, 5, starts.shape)
    found = list(
        around.met([[Straight(one, other)] for one, other in zip(starts.tolist(), ends.tolist(), strict=True)])
    )
    assert [one.path for one in found] == sorted(one.path for one in found)
    told = {(one.path, one.what) for one in found}
    solids = [piece.shape.polygon for piece in around.pieces]
    rims = [shapely.Point(x, y).buffer(r, quad_segs=64) for x, y, r in around.bases.tolist()]
    for way, line in enumerate(shapely.linestrings(np.stack([starts, ends], axis=1))):
        hit = any(shapely.distance(line, one) < around.radius - 1e-3 for one in [*solids, *rims])
        clear = all(shapely.distance(line, one) > around.radius + 1e-3 for one in [*solids, *rims])
        barred = bool({(way, "piece"), (way, "base")} & told)
        assert not (hit and not barred)
        assert not (clear and barred)
        inside = shapely.box(*around.room.box).contains(line)
        assert ((way, "edge") in told) == (not inside)
    for one in found:
        line = shapely.LineString([starts[one.path], ends[one.path]])
        spot = line.interpolate(one.inches)
        if one.what == "piece":
            assert solids[one.number].distance(spot) == pytest.approx(around.radius, abs=1e-5)
        elif one.what == "base":
            x, y, radius = around.bases[one.number].tolist()
            assert math.dist((spot.x, spot.y), (x, y)) == pytest.approx(radius + around.radius, abs=1e-5)
    assert {one.what for one in found} == {"piece", "base", "edge"}


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_the_planner_goes_no_way_that_the_judge_bars(seed):
    around, dice = generated(seed)
    places = dice.uniform((0.9, 0.9), (19.1, 11.1), (300, 2))
    start, *goals = places[around.room.free(places)].tolist()
    reach = plan(around.ground, start, 9.0)
    ways = [reach.route_to(tuple(goal)).pieces for goal in goals if np.isfinite(reach.cost_at(goal))][:40]
    assert len(ways) > 5
    assert [one for one in around.met([way for way in ways if way]) if one.inches < np.inf] == []


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(8))
def test_a_climb_leads_from_one_parallel_of_a_fence_to_the_other(seed):
    dice = np.random.default_rng(seed)
    one, other = dice.uniform((3, 3), (17, 9), (2, 2)).round(6)
    fence = shapely.LineString([one, other])
    board = InchTable("Yard", 20, 12, pieces=[Piece("fence", "fence", LineShape([tuple(one), tuple(other)]))])
    here = Surroundings(0.5, board.bounds, pieces_of_kinds(board, ["fence"]), np.zeros((0, 3)))
    climbs = StraightAcross(here.pieces, here.room, price=2.0, deepest=0.5)
    near, far = fence.parallel_offset(0.5, "left"), fence.parallel_offset(0.5, "right")
    for share in dice.uniform(0.02, 0.98, 20).tolist():
        (begin,), (end,) = (
            near.interpolate(share, normalized=True).coords,
            far.interpolate(share, normalized=True).coords,
        )
        ((link,),) = climbs.from_places([begin])
        assert (link.start, link.over, link.price, link.chance) == (begin, ("fence",), 2.0, 1)
        assert link.far == pytest.approx(end, abs=2e-6)
    (x, y), *_ = near.coords
    step = (np.array([x, y]) - fence.interpolate(0).coords[0]) * 1.02
    assert climbs.from_places([tuple((np.array(fence.coords[0]) + step).tolist())]) == [[]]  # a hundredth too far off
    curves = climbs.curves(lambda rows: np.ones(len(rows), np.bool_), shapely.box(0, 0, 20, 12))
    drawn = shapely.union_all([curve.line for curve in curves])
    assert shapely.distance(drawn, near.buffer(1e-9)) < 1e-6
    assert shapely.difference(near, drawn.buffer(0.01)).length < 0.02


class TestStraightAcross:
    """A hedge 1 inch thick and a thin fence beside each other; the mover's base has an inch across."""

    BOARD = InchTable(
        "Garden",
        20,
        12,
        pieces=[
            Piece("hedge", "hedge", rectangle((6, 6), (1, 8))),
            Piece("fence", "fence", LineShape([(9, 2), (9, 10)])),
        ],
    )

    def climbs(self, *bases, **figures):
        pieces = pieces_of_kinds(self.BOARD, ["hedge", "fence"])
        return StraightAcross(
            pieces, Surroundings(0.5, self.BOARD.bounds, pieces, np.array(bases).reshape(-1, 3)).room, **figures
        )

    def test_no_farther_than_it_may_be_and_no_deeper(self):
        for within, deepest, over in [(1.0, 1.0, ["hedge"]), (0.99, 1.0, []), (1.0, 0.99, []), (2.0, 0.0, [])]:
            (links,) = self.climbs(within=within, deepest=deepest).from_places([(4.0, 6.0)])
            assert [link.over[0] for link in links] == over
        (links,) = self.climbs(within=1.0).from_places([(7.5, 6.0)])
        assert sorted((link.over[0], link.near, link.far) for link in links) == [
            ("fence", (8.5, 6.0), (9.5, 6.0)),
            ("hedge", (7.0, 6.0), (5.0, 6.0)),
        ]

    def test_not_to_where_somebody_stands(self):
        assert self.climbs((10.0, 6.0, 0.5), within=1.0).from_places([(8.5, 7.0)])[0]
        assert not self.climbs((10.0, 6.0, 0.5), within=1.0).from_places([(8.5, 6.2)])[0]

    def test_not_from_between_two_points_as_near(self):
        corner = InchTable("Corner", 20, 12, pieces=[Piece("bent", "fence", LineShape([(5, 9), (5, 3), (11, 3)]))])
        pieces = pieces_of_kinds(corner, ["fence"])
        climbs = StraightAcross(pieces, Surroundings(0.5, corner.bounds, pieces, np.zeros((0, 3))).room, within=1.0)
        assert [len(links) for links in climbs.from_places([(6, 4), (6, 4.1), (6.1, 4)])] == [0, 1, 1]

    def test_what_is_tried_out_comes_down_where_it_is_to(self):
        climbs = self.climbs(within=1.0, deepest=1.0)
        starts = np.array([[4.0, 6.0], [4.5, 5.0], [4.5, 6.0], [2.0, 6.0]])
        aims = np.column_stack([np.full(4, 5.5), starts[:, 1]])
        tries = Tries(np.array([[7.0, 6.0], [7.0, 5.0]]), np.array([0, 1, 1, 1]), np.zeros(4, np.intp), starts, aims)
        assert [(place, link.start, link.far) for place, link in climbs.try_out(tries, 1e-6)] == [
            (0, (4.0, 6.0), (7.0, 6.0)),
            (1, (4.5, 5.0), (7.0, 5.0)),
        ]
