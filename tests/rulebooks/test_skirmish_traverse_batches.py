"""skirmish: many traverses judged at once are judged like one, and reach holds all of them."""

import random

import numpy as np
import pytest
import shapely
from skirmish_tables import block, chosen, game_with, wall
from test_skirmish_traverse_laws import built, random_pieces

from simulator.engine.answers import Script
from simulator.engine.orders import Order
from simulator.formats.examples import examples
from simulator.formats.scenarios import load_scenario
from simulator.geometry.pieces import CircleShape, Piece
from simulator.rulesets.skirmish.obstruction import exact_fits, features_of, may_end
from simulator.rulesets.skirmish.planner_tables import Grounds
from simulator.rulesets.skirmish.reach.fronts import TOLERANCE_OF_AREAS
from simulator.rulesets.skirmish.traverse.rules import (
    Climber,
    are_legal,
    from_places,
    in_reach,
    order_breaches,
    over_obstacles,
    traverse_of,
)

OPTIONS = [{}, {"exact_fit_passes": False}, {"enemy_block": "line_only"}, {"traverse_direction": "any_direction"}]
ANY_DIRECTION = {"traverse_direction": "any_direction"}


def a_table(seed, options=None, **me):
    """Walls and blocks close to each other, gaps of just the base's width among them, a friend and an enemy."""
    corridor = [block(-1.5, 2, 1, 2.4, name="south"), block(-1.5, 3.4, 1, 3.8, name="north")]
    pieces = [*built(random_pieces(seed)), *corridor]
    others = (("A2", "red", (1.5, 0.5)), ("B1", "blue", (-2, 1)))
    return game_with(*pieces, others=others, me=me, options=options, corner=(-6, -6), size=12)


def some_places(table, unit, seed, count):
    """Places where a soldier may stand, half of them in round figures, so that there are ties and touches."""
    places = np.random.default_rng(seed).uniform(-6, 6, (count, 2))
    places[::2] = np.round(places[::2] * 2) / 2
    return places[may_end(table, unit, places)]


def random_traverses(table, unit, starts, seed, count):
    """Traverses from some of the starts, each aimed at some point of some obstacle, legal or not."""
    rng, climber, things = np.random.default_rng(seed), Climber(table, unit), features_of(table).obstacles.standing
    edge = rng.integers(0, len(things.segments), count)
    begin, end = things.segments[edge, :2], things.segments[edge, 2:]
    aims = begin + rng.random(count)[:, None] * (end - begin)
    chosen = starts[rng.integers(0, len(starts), count)]
    near = np.hypot(*(aims - chosen).T) <= 3
    what, chosen, aims = things.segment_owner[edge[near]], chosen[near], aims[near]
    return over_obstacles(climber, np.arange(len(what)), what, chosen, aims, aims)


@pytest.mark.sampled
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_many_places_find_what_each_finds_alone(seed, options):
    table = a_table(seed, options).ready_table("A1")
    unit = table.unit("A1")
    places = some_places(table, unit, seed, 60)
    ways = from_places(Climber(table, unit), places)
    assert len(ways.what) > 4
    for number, place in enumerate(places.tolist()):
        there = unit.put(place=tuple(place))
        together = [ways.one(row) for row in np.flatnonzero(ways.origin == number).tolist()]
        assert together == in_reach(table, there)
        for way in together:
            order = Order("A1", "traverse", (), way.args)
            assert not list(order_breaches(table, there, order))
            meant = traverse_of(table, there, order)
            assert (meant.over, meant.near, meant.far) == (way.over, pytest.approx(way.near), pytest.approx(way.far))


@pytest.mark.sampled("1-{'enemy_block': 'line_only'}")
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("seed", range(2))
def test_many_are_judged_like_one(seed, options):
    """SK-16 to SK-24: legal together is legal alone, refused together is refused alone, for a reason."""
    table = a_table(seed, options).ready_table("A1")
    unit = table.unit("A1")
    ways = random_traverses(table, unit, some_places(table, unit, seed, 300), seed, 1200)
    legal = are_legal(ways)
    some = [*np.flatnonzero(legal).tolist()[:40], *np.flatnonzero(~legal).tolist()[:80]]
    assert legal.any() or options != ANY_DIRECTION
    assert len(some) > 60
    for row in some:
        there = unit.put(place=tuple(ways.start[row].tolist()))
        order = Order("A1", "traverse", (), ways.one(row).args)
        assert any(order_breaches(table, there, order)) == (not legal[row])


def fars_of_random_play(table, unit, front, seed, *, slanted):
    """Far sides of traverses that begin on a front, on its outline among others."""
    rng, area = np.random.default_rng(seed), front.area
    low, high = np.array(area.bounds).reshape(2, 2)
    places = rng.uniform(low, high, (4000, 2))
    places = places[shapely.contains_xy(area, *places.T) & may_end(table, unit, places)]
    starts = np.concatenate([places, np.repeat(front.outline, 4, axis=0)])
    if not slanted:
        return from_places(Climber(table, unit), starts).far
    ways = random_traverses(table, unit, starts, seed, 30000)
    return ways.far[are_legal(ways)]


@pytest.mark.sampled
@pytest.mark.parametrize("slanted", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_random_traverses_stay_inside(seed, slanted):
    """SK-23: wherever on the first front a traverse begins, it comes down in the area."""
    game = a_table(seed, ANY_DIRECTION if slanted else {}, stance="crouching")
    reach = game.reach("A1", ap=2)
    front = reach.fronts.front(reach.fronts.stage(1, is_lucky=True))
    fars = fars_of_random_play(reach.table, reach.mover, front, seed, slanted=slanted)
    assert len(fars) > 20
    assert shapely.distance(reach.area, shapely.points(fars)).max() <= TOLERANCE_OF_AREAS


@pytest.mark.long
@pytest.mark.parametrize(("seed", "slanted"), [(0, False), (1, True)])
def test_random_free_traverses_stay_inside(seed, slanted):
    """SK-18, SK-23, option traverse_ap: where they cost nothing, a front holds its own far sides, and theirs."""
    game = a_table(seed, (ANY_DIRECTION if slanted else {}) | {"traverse_ap": 0}, stance="crouching")
    reach = game.reach("A1", ap=1)
    front = reach.fronts.front(reach.fronts.stage(1, is_lucky=True))
    fars = fars_of_random_play(reach.table, reach.mover, front, seed, slanted=slanted)
    assert len(fars) > 20
    assert shapely.distance(reach.area, shapely.points(fars)).max() <= TOLERANCE_OF_AREAS


@pytest.mark.sampled
@pytest.mark.parametrize("stance", ["prone", "standing"])
def test_who_comes_down_anywhere_on_a_shore_goes_on_from_there(stance):
    """SK-2, SK-23: of a face in one piece no stretch is left out because the line bends farther on."""
    options = ANY_DIRECTION | {"traverse_ap": 0}
    game = game_with(block(1.5, -2, 2.5, 0.5, 0.8), me={"stance": stance, "threshold_left": 0}, options=options)
    reach = game.reach("A1", ap=2)
    stage = reach.fronts.front(reach.fronts.stage(1, is_lucky=True))
    ((landing, _),) = [one for one in stage.landings if one[0].line.distance(shapely.Point(2, -2.5)) < 1e-6]
    along = shapely.intersection(landing.line, shapely.LineString([(1.5, -2.5), (2.5, -2.5)]))
    inches = reach.spending.moves[0].inches
    for share in np.linspace(0, 1, 9):
        x, y = along.interpolate(share, normalized=True).coords[0]
        assert shapely.distance(reach.area, shapely.Point(x, y - inches)) <= TOLERANCE_OF_AREAS


@pytest.mark.parametrize("slanted", [False, True])
def test_a_large_base_past_the_end_of_a_wall(slanted):
    """SK-23: far sides run away along a wall quicker than the places they begin at, and none is left out."""
    pieces = [wall((4, -6), (4, 0), height=2.5, name="one"), wall((4, 4), (4, 10), height=2.5, name="other")]
    options = ANY_DIRECTION if slanted else {}
    reach = game_with(*pieces, at=(0, 2), me={"radius": 1.5}, options=options).reach("A1", ap=2)
    front = reach.fronts.front(reach.fronts.stage(1, is_lucky=True))
    fars = fars_of_random_play(reach.table, reach.mover, front, 1, slanted=slanted)
    assert len(fars) > 20
    assert shapely.distance(reach.area, shapely.points(fars)).max() <= TOLERANCE_OF_AREAS


def test_places_on_a_shore_are_played():
    """SK-23: what is reported to be reached aslant is reached by an order that says where it is aimed."""
    game = game_with(wall((1, -24), (1, 1), height=0.8), options=ANY_DIRECTION)
    reach = game.reach("A1", ap=2)
    line = reach.fronts.front(reach.fronts.stage(1, is_lucky=True)).landings[-1][0].line
    for share in (0.1, 0.37, 0.5, 0.83):
        x, y = line.interpolate(share, normalized=True).coords[0]
        if abs(x - 1.5) < 1e-9:
            orders = reach.orders_to((x, y))
            twin = game.branch()
            assert not twin.breaches(orders[0])
            assert traverse_of(reach.table, reach.mover, orders[-1]).far == pytest.approx((x, y), abs=1e-5)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("options", [{}, {"path_shape": "straight_per_ap"}, {"enemy_block": "line_only"}], ids=str)
def test_nobody_leaves_an_area_where_something_bars_it(monkeypatch, seed, options):
    """The next spend need not start from where the outline only follows walls, bases and the table's edge."""
    me = {"stance": "crouching", "radius": 0.55}
    quick = a_table(seed, options, **me).reach("A1", ap=2)
    few, area = len(quick.fronts.front(quick.fronts.stage(1, is_lucky=True)).sources), quick.area
    monkeypatch.setattr(Grounds, "are_free", lambda _, ring: np.ones(len(ring), np.bool_))
    slow = a_table(seed, options, **me).reach("A1", ap=2)
    assert few < len(slow.fronts.front(slow.fronts.stage(1, is_lucky=True)).sources)
    for one, other in ((area, slow.area), (slow.area, area)):
        spots = shapely.points(shapely.get_coordinates(shapely.segmentize(one, 0.05)))
        assert shapely.distance(other, spots).max() <= TOLERANCE_OF_AREAS


def test_a_corridor_of_just_the_base_s_width_is_gone_through():
    """SK-49: there the outline of a front follows walls on both sides, but for its end."""
    long = [block(1, -3, 9, -0.5, height=9, name="south"), block(1, 0.5, 9, 3, height=9, name="north")]
    assert game_with(*long).reach("A1", ap=3).cost_at((8.9, 0)) == 3
    assert not len(exact_fits(*_table_and_unit(game_with(*long))))


def _table_and_unit(game):
    table = game.ready_table("A1")
    return table, table.unit("A1")


def test_beside_a_round_obstacle_all_is_legal():
    """SK-17, SK-66: the planner's true circle and the judge's polygon differ by less than areas are told to."""
    post = Piece("statue", "obstacle", CircleShape(2.5, 0.2, 0.9), "obstacle", 5.0)
    reach = game_with(post).reach("A1", ap=2)
    corners = shapely.get_coordinates(reach.area)
    assert may_end(reach.table, reach.mover, corners).all()
    around = [(2.5 + 1.4001 * np.cos(a), 0.2 + 1.4001 * np.sin(a)) for a in np.linspace(0, 6.2, 60)]
    assert shapely.distance(reach.area, shapely.points(around)).max() <= 0.003


def test_certain_reach_out_of_rubble():
    """Fans of ways that end on the straight side of rough ground leave no corners there but true ones."""
    reach = load_scenario(examples("scenarios") / "skirmish" / "four_gaps.yaml").start().reach("scout", ap=2)
    certain = reach.certain_area
    assert certain.is_valid
    assert shapely.get_num_coordinates(certain) < 2000
    dice = random.Random(4)
    for _ in range(4):
        x, y = dice.choice(shapely.get_coordinates(certain).tolist())
        assert reach.chance_at((x, y)) == 1


@pytest.mark.long
def test_free_traverses_to_and_fro_are_followed_a_hundred_times():  # SK-18, SK-26
    """Between walls that are not quite parallel each one lands a little farther on: it never came to an end once."""
    game = a_table(1, {"traverse_ap": 0}, stance="crouching")
    reach = game.reach("A1", "turn", ap=1)
    (front,) = reach.fronts.possible(1)
    assert len(front.outline) > 500
    for landing in front.all_landings[-1:0:-60]:
        place, twin = landing.links[0].far, game.branch(Script.dice((1,) * 200, open_ended=True))
        orders = reach.orders_to(place)
        assert sum(order.action != "traverse" for order in orders) <= 1
        for order in orders:
            twin.do(order, chosen())
        assert np.allclose(twin.state.unit("A1").place, place, atol=1e-6)
