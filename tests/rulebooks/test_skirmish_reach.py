"""Where a soldier of skirmish can end: the worked examples, and every reported end replayed through the judge."""

import math
from fractions import Fraction

import numpy as np
import pytest
import shapely
from skirmish_tables import block, chosen, game_with, place_of, rough, wall

from simulator.engine.answers import Script
from simulator.engine.errors import TableError
from simulator.pathing.continuous import plan
from simulator.rulesets.skirmish.grounds import grown, prepared


def reach(game, ap=3, threshold=0):
    return game.reach("A1", ap=ap, threshold=threshold)


class TestOpenTable:
    """SK-2, SK-5: a disc of so many lots."""

    @pytest.mark.parametrize(("stance", "inches"), [("standing", 3), ("crouching", 2), ("prone", 1)])
    @pytest.mark.parametrize("ap", [1, 2, 3])
    def test_discs(self, stance, inches, ap):  # E5
        found = reach(game_with(me={"stance": stance}), ap)
        assert found.area.area == pytest.approx(math.pi * (ap * inches) ** 2, rel=0.01)
        assert (ap * inches, 0) in found
        assert (ap * inches + 0.01, 0) not in found
        assert found.chance_at((0, ap * inches)) == 1

    def test_round_an_enemy(self):  # E11
        game = game_with(others=(("B1", "blue", (3, 0)),))
        assert reach(game).cost_at((2, 0)) == 1
        assert reach(game).cost_at((5, 0)) == 2
        assert reach(game).cost_at((6, 0)) == 3

    def test_round_a_wall(self):  # E12
        found = reach(game_with(wall((2, -1), (2, 1), height=9)))
        assert found.cost_at((4, 0)) == 2
        assert found.chance_at((4, 0)) == 1


class TestFriends:
    """SK-55, SK-56, SK-5: each lot ends off all friends."""

    def test_to_the_exact_touch(self):  # E17
        game = game_with(me={"stance": "crouching"}, others=(("A2", "red", (1.5, 0)),))
        found = reach(game, 2)
        assert (0.5, 0) in found
        assert (1.0, 0) not in found
        assert (2.5, 0) in found


class TestRoughGround:
    """SK-12: certain, possible, and the best chance with a plan for each failure."""

    STRIP = rough(2, -24, 3, 24)

    @pytest.mark.parametrize(("x", "chance"), [(4, 1), (4.5, "0.84"), (5, "0.84"), (5.5, "0.6"), (6, "0.6"), (6.1, 0)])
    def test_a_strip(self, x, chance):  # E7
        assert reach(game_with(self.STRIP), 2).chance_at((x, 0)) == Fraction(chance)

    def test_threshold_makes_it_certain(self):
        assert reach(game_with(self.STRIP), 2, threshold=1).chance_at((6, 0)) == 1

    @pytest.mark.parametrize(("x", "chance"), [(2, 1), (2.5, "0.84"), (3, "0.84"), (3.5, "0.36"), (4, "0.36")])
    def test_everything_rough(self, x, chance):  # E8
        game = game_with(rough(-24, -24, 24, 24), me={"stance": "crouching"})
        assert reach(game, 2).chance_at((x, 0)) == Fraction(chance)

    def test_certain_area_of_a_strip(self):
        found = reach(game_with(self.STRIP), 2)
        east = max(x for x, _ in found.certain_area.convex_hull.exterior.coords)
        assert east == pytest.approx(4, abs=0.05)
        assert max(x for x, _ in found.area.convex_hull.exterior.coords) == pytest.approx(6, abs=0.05)

    def test_running_through(self):  # E19
        found = reach(game_with(self.STRIP), 3)
        assert found.chance_at((9, 0)) == Fraction("0.6")
        assert found.chance_at((8, 0)) == 1


class TestTraverses:
    """SK-18 to SK-26: over a wall, with a second try."""

    def test_a_long_wall(self):  # E13
        game = game_with(wall((3, -24), (3, 24)))
        found = reach(game)
        assert found.chance_at((3.5, 0)) == Fraction("0.84")
        assert found.chance_at((6.5, 0)) == Fraction("0.6")
        assert reach(game, threshold=1).chance_at((3.5, 0)) == 1
        assert reach(game, threshold=1).chance_at((6.5, 0)) == 1


@pytest.mark.parametrize("seed", range(6))
def test_every_reported_end_is_played_and_reached(seed):
    rng = np.random.default_rng(seed)
    pieces = [
        block(4, -2, 6, 1, 0.8, "low"),
        wall((-3, -3), (-3, 3), height=5, name="high"),
        rough(0, 2, 4, 5),
    ]
    game = game_with(*pieces, others=(("A2", "red", (2.2, 0)), ("B1", "blue", (0, -3))), me={"threshold_left": 0})
    found = reach(game)
    places = [tuple(place) for place in rng.uniform(-9, 9, (12, 2)).tolist()]
    for place in places:
        if place not in found:
            continue
        twin = game.branch(Script.dice((1,) * 9, open_ended=True))
        for order in found.orders_to(place):
            twin.do(order, chosen())
        assert place_of(twin) == pytest.approx(place, abs=1e-5)
        assert found.chance_at(place) > 0


class TestWhyNot:
    """Every place has an answer: on somebody, too far, or no way."""

    @pytest.mark.parametrize(
        ("place", "clause"), [((9.5, 0), "SK-2"), ((2, 5), "SK-56"), ((-24, 0), "SK-63"), ((-5, 5), "SK-17")]
    )
    def test_the_clause_in_the_way(self, place, clause):
        game = game_with(block(-6, 4, -4, 6, 9), others=(("A2", "red", (2, 5)),))
        answer = reach(game).why_not(place)
        assert answer
        assert answer.reasons[0].clause == clause
        assert "nearest legal end" in str(answer)

    def test_no_reason_where_it_can_end(self):
        assert not reach(game_with()).why_not((3, 3))


def test_random_legal_play_stays_inside_the_area():
    rng = np.random.default_rng(7)
    pieces = [block(3, -1, 5, 2, 9), wall((-2, 2), (2, 3), height=9)]
    others = (("A2", "red", (0, -2)), ("B1", "blue", (2, -3)))
    area = reach(game_with(*pieces, others=others)).area.buffer(0.2)
    base = game_with(*pieces, others=others)
    for _ in range(40):
        game = base.branch()
        for _ in range(3):
            x, y = game.state.unit("A1").place
            angle, length = rng.uniform(0, 7), rng.choice([1.0, 2.0, 3.0])
            order = f"A1: to {x + length * math.cos(angle):.9f},{y + length * math.sin(angle):.9f}"
            if not game.breaches(order):
                game.do(order)
                assert area.covers(shapely.Point(game.state.unit("A1").place))


@pytest.mark.parametrize(
    "option",
    [{"measure": "front_point"}, {"path_shape": "straight_per_ap"}, {"pool_ap": True}, {"run_min_inches": 9}],
    ids=str,
)
def test_rather_no_answer_than_a_wrong_one(option):
    with pytest.raises(TableError, match=next(iter(option))):
        reach(game_with(options=option))


def test_a_base_as_a_point_among_grown_obstacles_goes_the_same_ways():
    others = (("B1", "blue", (2, -3)),)
    game = game_with(block(3, -1, 5, 2, 9), wall((-2, 2), (2, 3), height=9), others=others)
    table = game.ready_table("A1")
    unit = table.unit("A1")
    places = np.random.default_rng(1).uniform(-9, 9, (400, 2))
    usual = plan(prepared(table, unit), (0, 0), 9).cost_at(places)
    grown = plan(grown(table, unit), (0, 0), 9).cost_at(places)
    assert grown == pytest.approx(usual, abs=2e-6)


def test_certain_area_and_chances_say_the_same():
    pieces = (rough(2, -2, 3, 2), rough(-3, 1, 0, 3, "two"), block(0, -4, 2, -2, 9))
    found = reach(game_with(*pieces, me={"threshold_left": 0}), 2)
    inner, outer = found.certain_area.buffer(-0.05), found.certain_area.buffer(0.25)
    for place in np.random.default_rng(1).uniform(-7, 7, (60, 2)).tolist():
        chance = found.chance_at(tuple(place))
        assert chance == 1 or not inner.covers(shapely.Point(place))
        assert chance < 1 or outer.covers(shapely.Point(place))
