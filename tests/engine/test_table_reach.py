"""`TableReach` on a small rulebook: what is answered can be played at its cost, and what is played is answered."""

import math
from fractions import Fraction

import numpy as np
import pytest
import shapely
import table_couriers

from simulator.engine.game import Game
from simulator.engine.orders import Element, Order
from simulator.engine.reach import ReachAnswer
from simulator.geometry.pieces import LineShape, Piece, rectangle
from simulator.geometry.table import InchTable
from simulator.pathing.traces import NoRoute

WALL = Piece("wall", "wall", LineShape([(14, 2), (14, 18)]), "obstacle")
SHED = Piece("shed", "shed", rectangle((18, 12), (3, 4)), "obstacle")


def yard(*pieces, at=(11, 10), other=(9, 12), **tables):
    """A courier on a yard, and another."""
    board = InchTable("Yard", 30, 20, pieces=pieces)
    units = [table_couriers.RULESET.make_unit("A1", "courier", "red", at)]
    units.append(table_couriers.RULESET.make_unit("B1", "courier", "blue", other, radius=1.0))
    return Game.new(table_couriers.RULESET, board, units, tables=tables)


def generated(seed):
    """A yard with a wall somewhere, the courier within reach of it."""
    dice = np.random.default_rng(seed)
    x, turn = dice.uniform(12, 16), dice.uniform(-0.4, 0.4)
    ends = [(x - 6 * math.sin(turn), 10 - 6 * math.cos(turn)), (x + 6 * math.sin(turn), 10 + 6 * math.cos(turn))]
    wall = Piece("wall", "wall", LineShape(ends), "obstacle")
    at, other = dice.uniform((9, 8), (10.5, 12)), dice.uniform((18, 8), (20, 12))
    return yard(wall, at=tuple(at.tolist()), other=tuple(other.tolist()))


class TestAYardWithAWall:
    """CT-2, CT-3: straight across the wall for 2 inches, or round its end if that is shorter."""

    def test_over_the_wall(self):
        game = yard(WALL)
        answer = game.reach("A1")
        assert isinstance(answer, ReachAnswer)
        assert answer.cost_at((14.5, 10)) == 4.5  # 2.5 to touch it, 2 to climb
        assert answer.cost_at((19, 10)) == 9
        assert (19.01, 10) not in answer
        (order,) = answer.orders_to((19, 10))
        assert [element.name for element in order.elements] == ["to", "climb", "to"]
        assert game.foresee(order).ledger.total("inches") == 9
        assert game.do(order).state.unit("A1").place == (19, 10)

    def test_a_figure_of_the_tables_counts(self):
        assert yard(WALL, **{"run.climb": 7}).reach("A1").cost_at((14.5, 10)) is None

    def test_why_not_names_the_nearest_end_that_can_be_ordered(self):
        answer = yard(WALL, SHED).reach("A1")
        assert not answer.why_not((12, 10)).reasons
        why = answer.why_not((28, 10))
        assert [reason.clause for reason in why.reasons] == ["CT-1"]
        assert answer.cost_at(why.nearest) == why.nearest_cost
        with pytest.raises(NoRoute):
            answer.orders_to((28, 10))

    def test_on_somebody_nobody_ends(self):
        answer = yard(WALL).reach("A1")
        assert (9.4, 11.7) not in answer
        assert not answer.area.contains(shapely.Point(9.4, 11.7))

    def test_what_is_drawn_and_told(self):
        answer = yard(WALL).reach("A1")
        bands = answer.bands()
        assert [cost for cost, _ in bands] == [float(cost) for cost in range(1, 10)]
        assert math.isclose(sum(band.area for _, band in bands), answer.area.area, rel_tol=1e-3)
        assert answer.bands([5])[0][1].area < answer.area.area < answer.outer_area.area
        assert answer.chance_at((14.5, 10)) == 1
        assert answer.chance_at((28, 10)) == 0
        assert [chance for chance, _ in answer.chance_bands()] == [Fraction(1)]
        told = answer.to_geojson()
        assert told["properties"] == {"mover": "A1", "action": "run", "unit": "inches", "tolerance": 0.02}
        assert {feature["properties"]["what"] for feature in told["features"]} >= {"area", "certain", "band"}
        assert repr(answer).startswith("<Reach of A1 with 9 inches (run) on <InchTable 'Yard'")
        assert "<svg" in answer._repr_svg_()

    def test_what_is_no_place_is_in_no_reach(self):
        assert "roof" not in yard(WALL).reach("A1")


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_every_end_has_a_run_that_the_judge_accepts_at_that_cost(seed):
    game = generated(seed)
    answer = game.reach("A1")
    dice = np.random.default_rng([seed, 1])
    places = dice.uniform((2, 2), (24, 18), (60, 2)).tolist()
    places += [(x, y) for _, band in answer.bands() for x, y in shapely.get_coordinates(band)[:4].tolist()]
    found = 0
    for place in places:
        if (cost := answer.cost_at(tuple(place))) is None:
            assert not answer.area.contains(shapely.Point(place))
            continue
        found += 1
        (order,) = answer.orders_to(tuple(place))
        assert not game.breaches(order), (place, order)
        seen = game.foresee(order)
        assert math.dist(seen.state.unit("A1").place, place) < 1e-6
        assert float(seen.ledger.total("inches")) == pytest.approx(cost, abs=2e-4)
    assert found > 20


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(6))
def test_every_run_that_is_played_ends_in_the_area(seed):
    """Random runs over the wall and beside it: legal ones end no farther outside than the tolerance, for no less."""
    game, dice = generated(seed), np.random.default_rng([seed, 2])
    answer, played = game.reach("A1"), 0
    here, wall = shapely.Point(answer.start), game.board.pieces[0].shape.polygon
    sides = [wall.parallel_offset(0.5, side) for side in ("left", "right")]
    near, far = sorted(sides, key=here.distance)
    for _ in range(60):
        (touch,) = near.interpolate(dice.uniform(0.25, 0.75), normalized=True).coords
        (down,) = far.interpolate(far.project(shapely.Point(touch))).coords
        end = tuple((np.array(down) + dice.uniform((0, -2), (3, 2))).tolist())
        steps = [Element("to", {"place": touch}), Element("climb", {"wall": "wall"}), Element("to", {"place": end})]
        order = Order("A1", "run", steps)
        if not game.breaches(order):
            played += 1
            assert answer.outer_area.distance(shapely.Point(end)) <= 1e-6
            cost = answer.cost_at(end)
            assert cost is None or cost <= float(game.foresee(order).ledger.total("inches")) + answer.tolerance
    assert played > 5
