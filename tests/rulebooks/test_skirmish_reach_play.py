"""Reach of skirmish against play: whatever it reports is played at that cost, whatever play reaches lies inside."""

import re

import networkx
import numpy as np
import pytest
import shapely
from skirmish_tables import block, chosen, game_with, rough, wall

from simulator.engine.answers import Script
from simulator.geometry.paths import Paths
from simulator.rulesets.skirmish.obstruction import barred_at, may_end
from simulator.rulesets.skirmish.reach.fronts import TOLERANCE_OF_AREAS

OPTIONS = [
    {},
    {"path_shape": "straight_per_ap"},
    {"pool_ap": True},
    {"traverse_ap": 0},
    {"measure": "front_point"},
    {"measure": "front_point", "path_shape": "straight_per_ap"},
    {"enemy_block": "line_only"},
    {"rough_test": "swept_base"},
    {"exact_fit_passes": False},
    {"traverse_direction": "any_direction"},
    {"traverse_direction": "any_direction", "traverse_ap": 0},
    {"run_and_traverse_same_activation": False},
]
#: Places around those tables, in different directions.
BEHIND = [(3.3, -0.4), (0.4, 3.4), (-3.2, 0.3), (0.9, -4.6)]


def a_table(seed, options=None, *, small_enemy=False, **me):
    """A small table with everything on it: rough ground, a low block, a high wall, a friend, an enemy."""
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(-0.4, 0.4, 2).round(3)
    pieces = [
        block(1.5 + x, -2, 2.5 + x, 0.5 + y, 0.8, "low"),
        wall((-2, -2 + y), (-2, 1.5), height=5, name="high"),
        rough(-1 + x, 1, 2, 2.5 + y),
    ]
    others = (("A2", "red", (x - 1.1, y)), ("B1", "blue", (0.2, -1.9 + y)))
    mine = {"threshold_left": 0, "stance": "crouching", **me}
    if small_enemy:
        mine["radius"] = 0.7
    return game_with(*pieces, others=others, me=mine, options=options)


def played(game, reach, place):
    """Play the orders to a place, all rolls made: where it ends and what it has left."""
    twin = game.branch(Script.dice((1,) * 20, open_ended=True))
    for order in reach.orders_to(place):
        twin.do(order, chosen())
    return twin.state.unit("A1")


def polygons_of(area):
    """The area without lines: those are drawn straight between places of curves."""
    parts = shapely.get_parts(shapely.get_parts(area))
    return shapely.union_all([part for part in parts if part.area])


def check_every_end_is_played(game, reach, seed, count=14):
    """Places of the area, corners of it among them: each is reached by orders that are legal, for the AP told."""
    area = polygons_of(reach.area)
    rng = np.random.default_rng(seed)
    low_x, low_y, high_x, high_y = area.bounds
    corners = shapely.get_coordinates(area)
    spread = np.column_stack([rng.uniform(low_x, high_x, count), rng.uniform(low_y, high_y, count)])
    found = 0
    for place in [*spread.tolist(), *corners[rng.integers(0, len(corners), count)].tolist()]:
        inside = shapely.distance(area, shapely.Point(place)) <= 1e-6
        cost = reach.cost_at(place)
        assert cost is not None or not inside, place
        if cost is None:
            assert reach.chance_at(place) == 0
            continue
        unit = played(game, reach, place)
        assert unit.place == pytest.approx(tuple(place), abs=1e-5)
        if unit["status"] == "activating":
            assert reach.mover["ap"] - unit["ap"] == cost
        found += 1
    assert found > count / 2


@pytest.mark.sampled
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_every_reported_end_is_played_at_its_cost(options):
    game = a_table(1, options, stance="prone" if "traverse_direction" in options else "crouching")
    for stance in ("kept", "any"):
        check_every_end_is_played(game, game.reach("A1", ap=2, stance=stance), seed=1, count=8)


@pytest.mark.sampled
@pytest.mark.parametrize("options", [{}, OPTIONS[1], OPTIONS[4], OPTIONS[6]], ids=str)
def test_all_corners_of_an_area_are_ends(options):
    """What is drawn as reached is reached: an area never lies beyond its ends, not even by the grid."""
    game = a_table(2, options, small_enemy="enemy_block" in options)
    reach = game.reach("A1", ap=2, stance="kept")
    corners = shapely.get_coordinates(polygons_of(reach.area))
    assert len(corners) > 200
    assert np.isfinite(reach.costs_at(corners)).all()


@pytest.mark.sampled
@pytest.mark.parametrize("options", [{}, {"run_min_inches": 9}, {"run_and_traverse_same_activation": False}], ids=str)
def test_runs_too(options):
    game = a_table(2, options, stance="standing")
    check_every_end_is_played(game, game.reach("A1", ap=3), seed=2, count=4)


def test_four_ap_hold_a_run_and_a_move():
    game = game_with(wall((4, -9), (4, -1), height=5), options={"ap_per_activation": 4})
    reach = game.reach("A1", ap=4)
    assert reach.cost_at((0, 12)) == 4
    assert (0, 12.01) not in reach
    check_every_end_is_played(game, reach, seed=3, count=5)
    with_token = game.reach("A1", ap=4, token=True)
    assert with_token.cost_at((9, 3)) == 4  # no straight way: a step aside first
    assert played(game, with_token, (9, 3))["running"]


@pytest.mark.sampled
@pytest.mark.parametrize("options", OPTIONS[:4], ids=str)
def test_as_many_more_ap_as_are_said_suffice_and_no_fewer(options):
    """What would help is a claim: places two and three spends away, behind the block, the wall and the rough ground."""
    game = a_table(3, options)
    answer, with_all = game.reach("A1", ap=1, stance="kept"), game.reach("A1", ap=3, stance="kept")
    said = [re.match(r"(\d+) AP more", answer.why_not(place).remedy) for place in BEHIND]
    costs = [with_all.cost_at(place) for place in BEHIND]
    assert [1 + int(more[1]) if more else 1 for more in said] == costs
    assert {2, 3} <= set(costs)


# --- nothing is left out ---


def ends_of_random_play(reach, seed, count=3000):
    """Ends of lots in random directions, with and without a bend, each as far as it may go: (lot, places)."""
    rng = np.random.default_rng(seed)
    table, unit, inches = reach.table, reach.mover, reach.spending.moves[0].inches
    known = np.array([reach.start])
    for lot in range(1, reach.ap + 1):
        start = known[rng.integers(0, len(known), count)]
        away = start - np.array(reach.start)
        angle = np.arctan2(away[:, 1], away[:, 0]) + rng.normal(0, 1.0 if lot > 1 else 9.0, count)
        first = np.where(rng.random(count) < 0.5, rng.uniform(0, inches, count), inches)
        first = np.full(count, inches) if reach.spending.is_straight else first
        onward = angle + rng.normal(0, 0.7, count)
        middle = start + first[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        end = middle + (inches - first)[:, None] * np.stack([np.cos(onward), np.sin(onward)], axis=1)
        barred = barred_at(table, unit, Paths.of_lines(list(np.stack([start, middle, end], axis=1))))
        stop = start + np.minimum(barred, first)[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        end = np.where(np.isfinite(barred)[:, None], stop, end)[barred > 1e-6]
        known = end[may_end(table, unit, end) & np.all(np.isfinite(end), axis=1)]
        yield lot, known


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [1, 4])
@pytest.mark.parametrize("options", [{}, {"path_shape": "straight_per_ap"}, {"enemy_block": "line_only"}], ids=str)
def test_random_play_stays_inside(options, seed):
    reach = a_table(seed, options, small_enemy="enemy_block" in options).reach("A1", ap=3, stance="kept")
    for lot, places in ends_of_random_play(reach, seed):
        area = shapely.union_all([front.area for front in reach.fronts.possible(lot)])
        off = shapely.distance(area, shapely.points(places))
        assert len(places) > 500
        assert off.max() <= TOLERANCE_OF_AREAS
    assert reach.outer_area.covers(shapely.MultiPoint(places))


def test_random_certain_play_stays_inside_what_is_certain():
    reach = a_table(3, {}).reach("A1", ap=2, stance="kept")
    inches = reach.spending.moves[0].inches
    rng = np.random.default_rng(3)
    known = np.array([reach.start])
    for lot in (1, 2):
        start = known[rng.integers(0, len(known), 2000)]
        angle = rng.uniform(0, 7, 2000)
        length = np.where(rng.random(2000) < 0.5, inches, reach.spending.moves[0].failed)
        end = start + length[:, None] * np.stack([np.cos(angle), np.sin(angle)], axis=1)
        paths = Paths.of_lines(list(np.stack([start, end], axis=1)))
        kept = np.isinf(barred_at(reach.table, reach.mover, paths)) & may_end(reach.table, reach.mover, end)
        clean = ~reach.grounds.clean.barred(np.hstack([start, end]), from_contact=True)
        clean &= reach.grounds.off_rough(start) & reach.grounds.off_rough(end)
        known = end[kept & (clean | (length < inches))]
        area = shapely.union_all([front.area for front in reach.fronts.certain(lot)])
        assert shapely.distance(area, shapely.points(known)).max() <= TOLERANCE_OF_AREAS


def test_a_graph_of_places_finds_nothing_cheaper_and_little_less():
    """Places a quarter inch apart as a graph: lots along its edges are reached for no more AP; and what is reached is
    no longer a way in the graph, but for what bending at its places costs."""
    pieces = [block(1.5, -2, 2.5, 0.5, 9), wall((-2, -2), (-2, 1.5), height=5)]
    others = (("A2", "red", (-1.1, 0.3)), ("B1", "blue", (-0.3, -3.2)))
    reach = game_with(*pieces, others=others, me={"stance": "crouching"}).reach("A1", ap=2, stance="kept")
    inches, step = reach.spending.moves[0].inches, 0.25
    axis = np.arange(-18, 19) * step
    places = np.stack(np.meshgrid(axis, axis), axis=-1).reshape(-1, 2)
    places = places[reach.grounds.open.legal(places)]
    ends = may_end(reach.table, reach.mover, places)
    apart = np.hypot(*(places[:, None] - places[None]).transpose(2, 0, 1))
    start = int(np.argmin(np.hypot(*places.T)))

    def graph_of(longest, used):
        one, other = np.nonzero(np.triu((apart <= longest + 1e-9) & used[:, None] & used, 1))
        free = ~reach.grounds.open.barred(np.hstack([places[one], places[other]]))
        graph = networkx.Graph()
        graph.add_weighted_edges_from(
            zip(one[free].tolist(), other[free].tolist(), apart[one[free], other[free]].tolist(), strict=True)
        )
        return graph

    lots = networkx.single_source_shortest_path_length(graph_of(inches, ends), start, cutoff=2)
    for number in sorted(lots)[::9]:
        assert reach.cost_at(places[number]) <= lots[number]
    lengths = networkx.single_source_dijkstra_path_length(graph_of(3.2 * step, np.ones_like(ends)), start)
    reached = np.flatnonzero(reach.fronts.front(reach.fronts.stage(2, is_lucky=True)).ends(places)).tolist()
    assert len(reached) > 300
    assert all(lengths[number] <= 1.03 * 2 * inches + 2 * step for number in reached)
