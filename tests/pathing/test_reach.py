"""Reach and routes as answers: on both kinds of lattice, found by both engines."""

import json
import math
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from movers import for_each_heading, turns

from simulator.errors import NoPlace
from simulator.formats.movingai import load_map, load_queries
from simulator.geometry.diagonals import DiagonalCount, distance
from simulator.geometry.dots import DotKind, DotMap
from simulator.geometry.poses import Pose
from simulator.geometry.squares import Corners, SquareGrid, SquareKind
from simulator.pathing.kernel.prepared import Query
from simulator.pathing.move_space import UNREACHED, MoveSpace, MoveSpaceError, MoveStep, Start
from simulator.pathing.plain import plain_space, units_per_step
from simulator.pathing.reach import Reach, reach, reach_many, route
from simulator.pathing.traces import NoRoute

SAMPLE = Path(__file__).parents[1] / "formats" / "movingai"
REAL = Path(__file__).resolve().parents[2].parent / "shared" / "data" / "movingai"
GROUND = {".": SquareKind(), "#": SquareKind(wall=True), "~": SquareKind("mud")}


@pytest.fixture(params=["numpy", "networkx"])
def engine(request):
    """Each test runs on the vectorised search and on the reference."""
    return request.param


def walk(board, start, budget, engine="numpy", **how):
    count = how.get("diagonals", DiagonalCount.ONE_TWO)
    space = plain_space(board, starts=[start], budget=budget, **how)
    return reach(board, space, engine=engine, per_unit=units_per_step(board, count))


class TestOnSquares:
    def test_places_costs_and_the_way_there(self, engine):
        board = SquareGrid.from_text(". ~ .\n. # .\n. . .", GROUND)
        answer = walk(board, (0, 0), 4, engine, terrain_costs={"mud": 3})
        assert (2, 0) in answer
        assert (1, 1) not in answer  # a wall
        assert (7, 7) not in answer  # off the board
        assert answer.cost_at((2, 0)) == 4
        assert answer.cost_at((1, 1)) is None
        assert len(answer) == len(list(answer)) == len(answer.places) == 7
        route = answer.route_to((2, 2))
        assert [leg.what for leg in route.legs] == ["S", "S", "E", "E"]
        assert route.cost == sum(leg.price for leg in route.legs) == 4
        assert (route.start, route.end, route.places[1]) == ((0, 0), (2, 2), (0, 1))

    def test_gr_26_e10_and_e11_the_walker_of_1_2_1_2(self, engine):
        board = SquareGrid.open(19, 19)
        answer = walk(board, (9, 9), 8, engine)
        offsets = {(3, 3): 4, (4, 1): 4, (2, 2): 3, (5, 3): 6}
        assert {offset: answer.cost_at((9 + offset[0], 9 + offset[1])) for offset in offsets} == offsets
        sizes = [1, 9, 21, 37, 61, 89, 121, 161, 205]
        assert np.cumsum([count for _, count in answer.counts()]).tolist() == sizes

    def test_states_that_share_a_square_are_told_apart(self, engine):
        answer = walk(SquareGrid.open(5, 5), (2, 2), 3, engine)
        ends = answer.ends_at((3, 3))
        assert [(end.phase, end.cost) for end in ends] == [("dear diagonal next", 1), ("cheap diagonal next", 2)]
        assert answer.cost_at((3, 3)) == 1
        assert answer.cost_at((3, 3), phase="cheap diagonal next") == 2
        assert answer.route_to((3, 3), phase="cheap diagonal next").phase == "cheap diagonal next"
        assert sum(len(answer.ends_at(place)) for place in answer) == len(answer.ends)

    def test_what_can_not_be_reached_has_no_route(self, engine):
        answer = walk(SquareGrid.open(9, 1), (0, 0), 3, engine)
        with pytest.raises(NoRoute, match=r"5,0 cannot be reached within the budget"):
            answer.route_to((5, 0))
        with pytest.raises(NoRoute, match="in the phase"):
            answer.route_to((1, 0), phase="dear diagonal next")
        with pytest.raises(NoPlace):
            answer.cost_at((99, 0))

    @pytest.mark.parametrize("count", DiagonalCount)
    @pytest.mark.parametrize("engine_name", ["numpy", "networkx"])
    def test_on_an_open_board_the_cost_is_the_distance(self, count, engine_name):
        board = SquareGrid.open(11, 9)
        answer = walk(board, (5, 4), 7, engine_name, diagonals=count)
        for place in board.places():
            far = distance((5, 4), place, count)
            if far <= 7 - 1e-5:
                assert float(answer.cost_at(place)) == pytest.approx(float(far), rel=3e-7)
            elif far > 7 + 1e-5:
                assert place not in answer

    @given(st.integers(0, 2**32), st.sampled_from(DiagonalCount), st.sampled_from(Corners), st.integers(0, 6))
    @settings(max_examples=30, deadline=None)
    def test_both_engines_give_the_same_ends_and_routes_that_hold(self, seed, count, corners, budget):
        rng = np.random.default_rng(seed)
        kinds = (SquareKind(), SquareKind("mud"), SquareKind(wall=True))
        board = SquareGrid.from_kinds(kinds, rng.choice(3, (6, 7), p=[0.6, 0.2, 0.2]))
        start = (int(rng.integers(7)), int(rng.integers(6)))
        how = {"terrain_costs": {"mud": 2} if "mud" in board.terrain_kinds else {}, "diagonals": count}
        answer = walk(board, start, budget, "numpy", corners=corners, **how)
        assert answer.ends == walk(board, start, budget, "networkx", corners=corners, **how).ends
        for end in answer.ends:
            route = answer.route_to(end.pose, end.phase)
            assert (route.end, route.phase, route.cost) == (end.place, end.phase, end.cost)
            assert sum((leg.price for leg in route.legs), Fraction(0)) == end.cost
            for here, there in zip(route.places, route.places[1:], strict=False):
                assert there in board.neighbours(here, corners=corners)


class TestOnDots:
    def test_steps_cost_one_and_barriers_bar(self, engine):
        kinds = {".": DotKind(), "#": DotKind(impassable=True)}
        board = DotMap.from_text(". . .\n . # .\n. . .", kinds)
        answer = walk(board, (0, 0), 2, engine)
        assert answer.cost_at((2, 0)) == 2
        assert (1, 1) not in answer
        assert answer.unit == "step"

    def test_headings_are_part_of_the_answer(self, engine):
        board = DotMap.open(7, 7)
        hexes = {0: (0, 1), 60: (-1, 1), 120: (-1, 0), 180: (0, -1), 240: (1, -1), 300: (1, 0)}
        steps = (*for_each_heading("forward", hexes), *turns(tuple(hexes), cost=1))
        row, column = board.index((2, 3))
        space = MoveSpace(
            board.shape, steps, headings=tuple(hexes), starts=[Start(row, column, 0)], budget=3, unit="AP"
        )
        answer = reach(board, space, engine=engine)
        assert answer.cost_at(Pose((3, 3), 0)) == 1
        assert answer.cost_at(Pose((3, 3), 60)) == 2
        assert answer.cost_at(Pose((3, 3), 180)) is None
        turned = answer.route_to((3, 2))
        assert [leg.what for leg in turned.legs] == ["turn left", "forward"]
        assert turned.heading == 60
        assert len(turned.points) == 2  # a turn on the spot is no new point


class TestAreas:
    def test_areas_bands_and_contours_are_of_the_ends(self):
        board = SquareGrid.from_text(". . . .\n. # . .\n. . . .", GROUND)
        answer = walk(board, (0, 0), 3)
        assert answer.area.equals(board.region(answer.places))
        bands, contours = answer.bands(), answer.contours()
        assert [level for level, _ in bands] == [level for level, _ in contours] == [0, 1, 2, 3]
        assert sum(region.area for _, region in bands) == answer.area.area == len(answer)
        assert contours[-1][1].equals(answer.area)
        assert [region.area for _, region in answer.contours([1, Fraction(5, 2)])] == [3, 5]

    def test_an_answer_without_ends_has_an_empty_area(self):
        space = MoveSpace(
            (2, 2),
            (MoveStep("E", 0, 1),),
            end=np.zeros((2, 2), bool),
            starts=[Start(0, 0)],
            budget=3,
            start_is_end=False,
        )
        answer = reach(SquareGrid.open(2, 2), space)
        assert len(answer) == 0
        assert answer.area.is_empty
        assert answer.even_levels() == []
        assert answer._repr_svg_().startswith("<svg")

    def test_arrays_for_numpy_can_not_be_written_to(self):
        answer = walk(SquareGrid.open(4, 3), (0, 0), 2)
        assert answer.array.shape == (2, 3, 4)
        assert answer.cheapest[0].tolist() == [0, 1, 2, UNREACHED]
        assert np.array_equal(answer.mask, answer.cheapest < UNREACHED)
        with pytest.raises(ValueError, match="read-only"):
            answer.array[0, 0, 0] = 7

    def test_geojson_holds_the_area_and_every_end(self):
        answer = walk(SquareGrid.open(4, 3), (0, 0), 2)
        document = json.loads(json.dumps(answer.to_geojson()))
        area, *ends = document["features"]
        assert area["properties"] == {"what": "area", "places": len(answer), "unit": "step"}
        assert len(ends) == len(answer.ends)
        assert ends[0]["geometry"] == {"type": "Point", "coordinates": [0.5, 2.5]}
        route = answer.route_to((1, 1)).to_geojson()
        assert route["geometry"]["coordinates"] == [[0.5, 2.5], [1.5, 1.5]]
        assert answer.route_to((0, 0)).to_geojson()["geometry"]["type"] == "Point"

    def test_answers_show_themselves(self):
        answer = walk(SquareGrid.open(4, 3, name="Hall"), (0, 0), 2)
        assert repr(answer) == f"<Reach of 8 places on {answer.board!r}, found by wide>"
        for thing in (answer, answer.route_to((1, 1))):
            assert thing._repr_svg_().startswith("<svg")
        assert str(answer.route_to((1, 1))).splitlines()[0] == "from 0,0"


class TestRoutes:
    def test_a_route_goes_on_where_another_ends_with_all_its_state(self):
        board = SquareGrid.open(9, 9)
        first = walk(board, (0, 0), 6).route_to((1, 1))
        row, column = board.index((1, 1))
        space = plain_space(board, starts=[(1, 1)], budget=9)
        carried = [Start(row, column, None, first.phase, int(first.cost))]
        onward = Reach(board, _searched(space, carried)).route_to((2, 2))
        whole = first.then(onward)
        assert whole.cost == 3  # 1, then the dear diagonal: parity is not lost at the joint
        assert (whole.start, whole.end, len(whole.legs)) == ((0, 0), (2, 2), 2)
        with pytest.raises(ValueError, match="the second route starts from"):
            first.then(walk(board, (1, 1), 3).route_to((2, 2)))


class TestManyAndWaypoints:
    def test_many_at_once_are_answered_as_one_by_one(self, make):
        board = SquareGrid.from_text(". . . #\n. # . .\n. . . .", GROUND)
        space = plain_space(board, budget=4)
        starts = [(0, 0), (2, 2), (3, 1)]
        asked = [Query([Start(*board.index(place), phase=space.phases[0])], 3) for place in starts]
        together = reach_many(board, make(space), asked)
        assert [answer.ends for answer in together] == [walk(board, start, 3).ends for start in starts]

    def test_waypoints_never_lose_parity(self, make):
        board = SquareGrid.open(6, 6)
        walker = make(plain_space(board, starts=[(0, 0)], budget=9))
        straight = route(board, walker, [(4, 4)])
        assert straight.cost == 6
        assert route(board, walker, [(4, 4)], via=[(1, 1), (2, 2), (3, 3)]).cost == 6
        assert route(board, walker, [(5, 5), (0, 2)]).end == (0, 2)
        with pytest.raises(NoRoute, match="no route to 5,5 within the budget"):
            route(board, walker, [(5, 5)], via=[(5, 0)])

    def test_what_is_out_of_reach_is_named_by_its_place(self, make):
        """Not by its row and column."""
        board = SquareGrid.from_text(". . # .\n. . # .", GROUND)
        walker = make(plain_space(board, starts=[(0, 0)], budget=9))
        with pytest.raises(NoRoute, match="no route by way of waypoint 2, 3,1, within the budget") as error:
            route(board, walker, [(1, 1)], via=[(1, 0), (3, 1)])
        assert error.value.waypoint == 1
        with pytest.raises(NoRoute, match="no route to any of 3,0 or 3,1 within the budget") as error:
            route(board, walker, [(3, 0), (3, 1)])
        assert error.value.waypoint is None


def _searched(space, starts):
    from dataclasses import replace

    from simulator.pathing.search import search

    return search(replace(space, starts=tuple(starts)))


class TestPlainMover:
    def test_unknown_terrain_is_named(self):
        with pytest.raises(MoveSpaceError, match=r"no terrain 'lava' on this board \(it has: open\)"):
            plain_space(SquareGrid.open(2, 2), terrain_costs={"lava": 3})

    def test_several_starts_in_one_question(self, engine):
        board = SquareGrid.open(9, 1)
        answer = reach(board, plain_space(board, starts=[(0, 0), (8, 0)], budget=2), engine=engine)
        assert answer.places == ((0, 0), (1, 0), (2, 0), (6, 0), (7, 0), (8, 0))


def octile(route):
    """The true length of a route of octile moves."""
    return sum(math.sqrt(2) if len(leg.what) == 2 else 1.0 for leg in route.legs)


def lengths_agree(name, folder, queries, engine):
    board = load_map(folder / f"{name}.map")
    for query in queries:
        space = plain_space(board, starts=[query.start], diagonals=DiagonalCount.ROOT_TWO)
        route = reach(board, space, engine=engine).route_to(query.goal)
        assert octile(route) == pytest.approx(query.length, rel=1e-4), query


class TestPublishedLengths:
    def test_own_sample(self, engine):
        lengths_agree("cellar", SAMPLE, load_queries(SAMPLE / "cellar.map.scen"), engine)

    @pytest.mark.sampled
    @pytest.mark.skipif(not REAL.is_dir(), reason="the published maps are not part of the project")
    @pytest.mark.parametrize("name", ["empty-8-8", "random-32-32-20"])
    def test_all_published_queries(self, name):
        lengths_agree(name, REAL, load_queries(REAL / f"{name}-random-1.scen"), "numpy")

    @pytest.mark.skipif(not REAL.is_dir(), reason="the published maps are not part of the project")
    def test_some_published_queries_on_the_reference(self):
        queries = load_queries(REAL / "random-32-32-20-random-1.scen")[:12]
        lengths_agree("random-32-32-20", REAL, queries, "networkx")


def test_one_place_for_a_list_of_places_is_told():
    with pytest.raises(MoveSpaceError, match=r"starts: expected places, such as \[\(3, 4\)\], not \(0, 0\)"):
        plain_space(SquareGrid.open(3, 3), starts=(0, 0), budget=3)


def test_half_a_step_is_no_budget_but_half_of_two_may_be():
    board = SquareGrid.open(3, 3)
    with pytest.raises(MoveSpaceError, match=r"budget: is counted in whole numbers, not 1\.5"):
        plain_space(board, starts=[(0, 0)], budget=1.5)
    halves = plain_space(board, starts=[(0, 0)], budget=1.5, diagonals=DiagonalCount.THREE_HALVES)
    assert (1, 1) in reach(board, halves, per_unit=2)
