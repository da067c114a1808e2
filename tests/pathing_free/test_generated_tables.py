"""The planner against a plain visibility graph, an exact check of ways, and laws, on generated tables."""

import math

import numpy as np
import pytest
import shapely
from exact_check import overlaps
from sample_tables import legal_place, random_table

from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import Standing, first_contacts, first_off
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import LineShape, PolygonShape
from simulator.pathing.free import Obstacles, TravelQuery, areas_of, plan, plan_many, prepare, straight_reach
from simulator.pathing.free.reference import VisibilityGraph

SIZE = 14.0
BUDGET = 12.0
RADII = (0.5, 0.5, 0.3, 1.0)


def asked(seed, *, radius=None, goals=10):
    """A table, an answer on it, and legal goals."""
    radius = RADII[seed % 4] if radius is None else radius
    obstacles = random_table(seed, walls=2 if radius else 0)
    table = prepare(obstacles, radius)
    start = legal_place(table, seed)
    places = np.round(np.random.default_rng(seed + 1).uniform(0.5, SIZE - 0.5, (goals, 2)), 6)
    return obstacles, table, start, places[table.legal(places)]


@pytest.mark.sampled
@pytest.mark.parametrize("first", range(0, 100, 10))
def test_lengths_lie_between_those_with_rounds_drawn_too_small_and_too_large(first):
    """100 tables: 64 corners on each circle give ways a hair too short, 64 sides around it a hair too long."""
    for seed in range(first, first + 10):
        obstacles, table, start, goals = asked(seed)
        costs = plan(table, start, BUDGET).cost_at(goals)
        short, long = (
            VisibilityGraph(obstacles, table.radius, start, goals, around=around, budget=BUDGET).lengths()
            for around in (False, True)
        )
        assert np.all(costs >= short - 1e-6), seed
        assert np.all((costs <= long + 1e-6) | np.isinf(long)), seed


@pytest.mark.parametrize("seed", range(20))
def test_lengths_of_a_mover_without_size_are_those_of_the_visibility_graph(seed):
    """Among polygons and no bases the graph is exact, too."""
    obstacles = random_table(seed, discs=0, walls=0, polygons=6)
    table = prepare(obstacles, 0.0)
    start = legal_place(table, seed)
    goals = np.random.default_rng(seed).uniform(0, SIZE, (12, 2))
    goals = goals[table.legal(goals)]
    lengths = VisibilityGraph(obstacles, 0.0, start, goals, budget=BUDGET).lengths()
    costs = plan(table, start, BUDGET).cost_at(goals)
    both = np.isfinite(lengths) & (lengths < BUDGET - 1e-6)
    assert np.allclose(costs[both], lengths[both], rtol=1e-9, atol=1e-9)
    assert np.all(np.isinf(costs[np.isinf(lengths)]))


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(30))
def test_a_place_on_a_border_rounded_to_a_millionth_lies_on_it(seed):
    """Without size, and with: as start and as goal, for lengths and for areas, whoever else starts."""
    radius = (0.0, 0.5)[seed % 2]
    others = {"discs": 3, "walls": 2, "polygons": 3} if radius else {"discs": 0, "walls": 0, "polygons": 6}
    obstacles = random_table(seed, **others)
    table, dice = prepare(obstacles, radius), np.random.default_rng(seed)
    there = legal_place(table, seed)
    bases = [shapely.Point(x, y).buffer(base + radius, quad_segs=4000) for x, y, base in obstacles.disc_rows.tolist()]
    lines = shapely.linestrings(obstacles.wall_rows.reshape(-1, 2, 2)).tolist()
    grown = [shape.buffer(radius, quad_segs=4000) if radius else shape for shape in [*obstacles.polygons, *lines]]
    grown += bases
    spots = [
        polygon.exterior.interpolate(share, normalized=True) for polygon in grown for share in dice.uniform(size=9)
    ]
    borders = np.round([(spot.x, spot.y) for spot in spots], 6)
    depths = table.depths(borders)
    borders = borders[(depths > 1e-9) & (depths <= 1.2e-6)] if not radius else borders[table.legal(borders)]
    assert len(borders) >= 3
    goals = np.round(dice.uniform(0.5, SIZE - 0.5, (12, 2)), 6)
    goals = goals[table.legal(goals)]
    for border in dice.permutation(borders)[:6]:
        beside = border + 1e-4 * _outwards(grown, border)
        if not table.legal(beside)[0]:
            continue  # in a corner between two of them
        one, near = plan(table, [border, there], BUDGET), plan(table, [beside, there], BUDGET)
        assert np.allclose(one.cost_at(goals), near.cost_at(goals), atol=3e-3)
        assert one.table is table
        assert one.area(0.02).symmetric_difference(near.area(0.02)).area < 0.25
        assert table.depths(shapely.get_coordinates(one.area(0.01, "inner"))).max() <= 1e-5
        alone = plan(table, there, BUDGET)
        assert alone.cost_at(border) == pytest.approx(alone.cost_at(beside), abs=3e-3)


def _outwards(grown, place):
    """The direction away from the nearest outline."""
    nearest = min(grown, key=lambda polygon: polygon.exterior.distance(shapely.Point(place)))
    at = nearest.exterior.project(shapely.Point(place))
    (x, y), (to_x, to_y) = (nearest.exterior.interpolate(at + step).coords[0] for step in (-1e-5, 1e-5))
    across = np.array([to_y - y, x - to_x]) / math.hypot(to_x - x, to_y - y)
    return across if not nearest.contains(shapely.Point(place + 1e-3 * across)) else -across


@pytest.mark.sampled
@pytest.mark.parametrize(("error", "tables"), [(0.05, 40), (0.01, 16), (0.002, 16)])
def test_an_inner_area_holds_no_place_that_is_barred(error, tables):
    """However coarsely it is drawn, round corners that a quarter of a circle does not fit, too."""
    for seed in range(tables):
        _, table, start, _ = asked(seed)
        outline = shapely.segmentize(plan(table, start, BUDGET).area(error, "inner"), 0.01)
        assert table.depths(shapely.get_coordinates(outline)).max() <= 1e-5, seed


@pytest.mark.parametrize("seed", range(24))
def test_every_place_has_a_way_that_the_exact_check_accepts_at_that_length(seed):
    obstacles, table, start, goals = asked(seed, goals=25)
    answer = plan(table, start, BUDGET)
    costs = answer.cost_at(goals)
    for goal, cost in zip(goals[np.isfinite(costs)].tolist(), costs[np.isfinite(costs)], strict=True):
        way = answer.route_to(tuple(goal))
        assert overlaps(way, obstacles, table.radius, contact=1.5e-6) == []
        assert way.length == pytest.approx(cost, rel=1e-9, abs=1e-9)
        assert (way.start, way.end) == (tuple(start), tuple(goal))


def turned(obstacles, transform):
    """The same table seen otherwise; without a border, which has to lie along the axes."""

    def move(points):
        return transform(np.asarray(points, float).reshape(-1, 2))

    discs = np.asarray(obstacles.discs)
    walls = np.asarray(obstacles.walls)
    return Obstacles(
        np.column_stack([move(discs[:, :2]), discs[:, 2]]),
        np.hstack([move(walls[:, :2]), move(walls[:, 2:])]),
        [shapely.transform(polygon, move) for polygon in obstacles.polygons],
    )


ANGLE = 0.7
VIEWS = {
    "mirrored": lambda xy: xy * (-1, 1),
    "turned": lambda xy: xy @ np.array([[math.cos(ANGLE), math.sin(ANGLE)], [-math.sin(ANGLE), math.cos(ANGLE)]]),
    "shifted": lambda xy: xy + np.array([17.25, -40.5]),
    "on its diagonal": lambda xy: xy[:, ::-1],
}


class TestLaws:
    @pytest.mark.parametrize("view", VIEWS)
    @pytest.mark.parametrize("seed", range(4))
    def test_the_same_table_seen_otherwise_gives_the_same_answers(self, seed, view):
        transform = VIEWS[view]
        obstacles, _, start, goals = asked(seed)
        obstacles = Obstacles(obstacles.discs, obstacles.walls, obstacles.polygons)
        table, other = prepare(obstacles, 0.5), prepare(turned(obstacles, transform), 0.5)
        answer = plan(table, start, BUDGET)
        seen = plan(other, transform(start[None])[0], BUDGET)
        # Places on a limit may fall on either side of it.
        clear = np.abs(table.depths(goals)) > 1e-5
        assert np.allclose(seen.cost_at(transform(goals))[clear], answer.cost_at(goals)[clear], rtol=1e-9, atol=1e-9)
        assert seen.area().area == pytest.approx(answer.area().area, abs=0.05)

    @pytest.mark.parametrize("seed", range(12))
    def test_there_and_back_are_as_long(self, seed):
        _, table, start, goals = asked(seed)
        there = plan(table, start, BUDGET).cost_at(goals)
        back = [answer.cost_at(start) for answer in plan_many(table, [TravelQuery(goal, BUDGET) for goal in goals])]
        assert np.allclose(there, back, rtol=1e-9, atol=1e-9)

    @pytest.mark.parametrize("seed", range(12))
    def test_no_way_is_shorter_than_two(self, seed):
        """The triangle rule: over a place in between it is never shorter."""
        _, table, start, goals = asked(seed)
        direct = plan(table, start, 2 * BUDGET).cost_at(goals)
        for goal, cost in zip(goals, direct, strict=True):
            onwards = plan(table, goal, 2 * BUDGET).cost_at(goals)
            assert np.all(direct <= cost + onwards + 1e-9)

    @pytest.mark.parametrize("seed", range(12))
    def test_a_new_obstacle_adds_no_place_and_no_budget_loses_one(self, seed):
        obstacles, table, start, goals = asked(seed, goals=40)
        costs = plan(table, start, BUDGET).cost_at(goals)
        base = legal_place(table, seed + 500)
        if math.dist(base, start) > 1 + table.radius:
            more = table.with_discs(np.concatenate([np.asarray(obstacles.discs), [[*base, 0.5]]]))
            assert np.all(plan(more, start, BUDGET).cost_at(goals) >= costs - 1e-9)
        assert np.all(plan(table, start, BUDGET + 1).cost_at(goals) <= costs + 1e-9)
        wider = prepare(obstacles, table.radius + 0.1)
        if wider.legal([start])[0]:
            assert np.all(plan(wider, start, BUDGET).cost_at(goals) >= costs - 1e-9)


class TestAreas:
    ERROR = 0.01

    @pytest.mark.parametrize("seed", range(14))
    def test_places_inside_are_in_reach_and_places_outside_are_not(self, seed):
        _, table, start, _ = asked(seed)
        answer = plan(table, start, 6.0)
        places = start + np.random.default_rng(seed).uniform(-6.5, 6.5, (300, 2))
        reached = answer.ends(places)
        inner, nearest, outer = (answer.area(self.ERROR, side) for side in ("inner", "nearest", "outer"))
        spots = shapely.points(places)
        assert np.all(reached[self.deep_in(inner, spots, 1e-4)])
        assert np.all(self.deep_in(outer.buffer(1e-4), spots, 0)[reached])
        clear = shapely.distance(nearest.boundary, spots) > self.ERROR
        assert np.array_equal(shapely.contains(nearest, spots)[clear], reached[clear])

    @staticmethod
    def deep_in(area, spots, depth):
        return shapely.contains(area, spots) & (shapely.distance(area.boundary, spots) >= depth)

    @pytest.mark.parametrize("seed", range(16))
    def test_the_outline_lies_at_the_budget_or_on_something(self, seed):
        _, table, start, _ = asked(seed)
        answer = plan(table, start, 8.0)
        area = answer.area(self.ERROR, budget=6.0)
        outline = shapely.get_coordinates(area.segmentize(0.3).boundary)
        costs = answer.cost_at(outline)
        at_budget = np.abs(costs - 6.0) <= self.ERROR + 1e-4
        on_something = table.depths(outline) >= -self.ERROR - 1e-4
        odd = ~(at_budget | on_something)
        assert not np.any(odd), outline[odd]

    @pytest.mark.parametrize("seed", range(8))
    def test_bands_grow_and_are_what_each_budget_gives_alone(self, seed):
        _, table, start, _ = asked(seed)
        answer = plan(table, start, BUDGET)
        bands = answer.contours([3.0, 6.0, 12.0])
        for band, budget in zip(bands, (3.0, 6.0, 12.0), strict=True):
            alone = plan(table, start, budget).area()
            assert band.symmetric_difference(alone).area < 1e-3 * max(alone.area, 1)
        assert bands[1].buffer(self.ERROR).contains(bands[0])
        assert bands[2].buffer(self.ERROR).contains(bands[1])

    @pytest.mark.parametrize("seed", range(8))
    def test_areas_asked_for_together_are_those_asked_for_alone(self, seed):
        _, table, start, goals = asked(seed)
        questions = [TravelQuery(place, 5.0) for place in (start, *goals[:3])]
        together = areas_of(plan_many(table, questions))
        for question, area in zip(questions, together, strict=True):
            alone = plan(table, question.starts, 5.0).area()
            assert area.symmetric_difference(alone).area < 1e-6

    @pytest.mark.parametrize("seed", range(12))
    def test_straight_moves_are_what_is_seen(self, seed):
        obstacles, table, start, _ = asked(seed)
        run = straight_reach(table, start, 9.0)
        places = start + np.random.default_rng(seed).uniform(-9, 9, (150, 2))
        reached = run.ends(places)
        area = run.area(self.ERROR)
        clear = shapely.distance(area.boundary, shapely.points(places)) > self.ERROR
        assert np.array_equal(shapely.contains_xy(area, *places.T)[clear], reached[clear])
        for place in places[reached][:10].tolist():
            way = run.route_to(tuple(place))
            assert len(way.pieces) == 1
            assert overlaps(way, obstacles, table.radius, contact=1.5e-6) == []

    @pytest.mark.parametrize("seed", range(6))
    def test_ends_on_friends_are_taken_out_and_their_rims_kept(self, seed):
        _, table, start, goals = asked(seed)
        friend = np.array([*goals[0], 0.5])
        free, kept_off = plan(table, start, BUDGET), plan(table, start, BUDGET, no_end=[friend])
        angles = np.linspace(0, 2 * math.pi, 40)
        ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
        rim = friend[:2] + (0.5 + table.radius) * ring
        assert np.allclose(kept_off.cost_at(rim), free.cost_at(rim))
        assert np.all(np.isinf(kept_off.cost_at(friend[:2] + (0.49 + table.radius) * ring)))
        assert kept_off.area().intersection(shapely.Point(friend[:2]).buffer(0.48 + table.radius)).is_empty

    def test_the_error_has_limits(self):
        _, table, start, _ = asked(0)
        with pytest.raises(ValueError, match=r"from 0\.0001 to 1 inch"):
            plan(table, start, 3.0).area(error=1e-9)
        with pytest.raises(ValueError, match="budgets up to 3"):
            plan(table, start, 3.0).area(budget=4.0)

    def test_geojson(self):
        _, table, start, _ = asked(0)
        feature = plan(table, start, 3.0).to_geojson()
        assert feature["type"] == "Feature"
        assert shapely.geometry.shape(feature["geometry"]).area == pytest.approx(plan(table, start, 3.0).area().area)
        assert feature["properties"] == {"budget": 3.0, "radius": 0.5, "error": 0.01, "side": "nearest"}

    def test_covered_ground_is_the_area_grown_by_the_base(self):
        table = prepare(Obstacles(), 0.5)
        assert plan(table, (0, 0), 3.0).covered().area == pytest.approx(math.pi * 3.5**2, abs=0.1)


@pytest.mark.parametrize("seed", range(10))
def test_contact_is_found_where_a_search_of_the_whole_rim_finds_it(seed):
    obstacles, table, start, _ = asked(seed)
    answer = plan(table, start, 20.0)
    for x, y, base in np.asarray(obstacles.discs).tolist():
        angles = np.linspace(0, 2 * math.pi, 721)
        reach = base + table.radius
        rim = np.stack([x + reach * np.cos(angles), y + reach * np.sin(angles)], axis=1)
        costs = answer.cost_at(rim)
        if np.isfinite(costs).any():
            way = answer.touching((x, y, base))
            assert way.length <= costs.min() + 1e-6
            assert way.length >= costs.min() - reach * math.pi / 360
            assert overlaps(way, obstacles, table.radius, contact=1.5e-6) == []
    for polygon in obstacles.polygons:
        rim = shapely.get_coordinates(polygon.buffer(table.radius + 1e-6, quad_segs=64).segmentize(0.02).boundary)
        costs = answer.cost_at(rim)
        if np.isfinite(costs).any():
            way = answer.touching(polygon)
            assert shapely.Point(way.end).distance(polygon) == pytest.approx(table.radius, abs=2e-6)
            assert way.length <= costs.min() + 1e-3
            assert way.length >= costs.min() - 0.03


@pytest.mark.parametrize("seed", range(10))
def test_several_starts_are_the_best_of_each(seed):
    _, table, start, goals = asked(seed)
    other = goals[0]
    both = plan(table, [start, other], 8.0, paid=[0.0, 1.5]).cost_at(goals)
    one, two = plan(table, start, 8.0).cost_at(goals), 1.5 + plan(table, other, 6.5).cost_at(goals)
    assert np.allclose(both, np.minimum(one, two), rtol=1e-9, atol=1e-9)


@pytest.mark.parametrize("seed", range(12))
def test_contours_are_the_areas_that_single_budgets_give(seed):
    """Also along the shadows of things: a crack there once stayed open in all contours but the last."""
    _, table, start, _ = asked(seed)
    answer = plan(table, start, 8.0)
    budgets = [2.0, 4.0, 6.0, 8.0]
    for budget, contour in zip(budgets, answer.contours(budgets), strict=True):
        alone = answer.area(budget=budget)
        assert shapely.symmetric_difference(contour, alone, grid_size=1e-7).area <= 1e-5
        assert contour.length == pytest.approx(alone.length, abs=1e-3)


@pytest.mark.parametrize("seed", range(24))
def test_every_way_is_accepted_by_the_judge_of_ways(seed):
    """Which shares no code with the planner: what a base sweeps on the way meets nothing, and stays on the table."""
    obstacles, table, start, goals = asked(seed, goals=40)
    answer = plan(table, start, BUDGET)
    ways = [answer.route_to(tuple(goal)) for goal in goals.tolist() if tuple(goal) in answer]
    paths = Paths.of_pieces([way.pieces for way in ways])
    assert np.allclose(paths.lengths, [way.length for way in ways], rtol=1e-12)
    shapes = [Round(radius).at(x, y) for x, y, radius in np.asarray(obstacles.discs).tolist()]
    shapes += [LineShape([wall[:2], wall[2:]]) for wall in np.asarray(obstacles.walls).tolist()]
    shapes += [PolygonShape(polygon.exterior.coords[:-1]) for polygon in obstacles.polygons]
    assert not np.isfinite(first_contacts(paths, Round(table.radius), Standing.of(shapes)).inches).any()
    assert not np.isfinite(first_off(paths, Round(table.radius), box=obstacles.border).inches).any()


@pytest.mark.parametrize("seed", range(12))
def test_what_is_not_near_changes_no_answer(seed):
    """Ways and areas are the same on what comes near as on the whole table: `Obstacles.near` loses nothing of them."""
    dice = np.random.default_rng(9000 + seed)
    radius = RADII[seed % 4]
    obstacles = random_table(seed, discs=6, walls=4 if radius else 0, polygons=6, size=24.0)
    start = legal_place(prepare(obstacles, radius), seed, 24.0)
    budget = float(np.round(dice.uniform(1.0, 8.0), 2))
    near = obstacles.near([start], budget + radius + 0.01)
    whole, part = plan(prepare(obstacles, radius), start, budget), plan(prepare(near, radius), start, budget)
    goals = np.round(np.asarray(start) + dice.uniform(-budget, budget, (60, 2)), 3)
    assert near.things <= obstacles.things
    np.testing.assert_allclose(part.ends(goals), whole.ends(goals), rtol=0.0, atol=1e-9)
    assert part.area().symmetric_difference(whole.area()).area < 1e-6
