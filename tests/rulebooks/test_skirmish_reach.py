"""Where a soldier of skirmish can end: the worked examples, and every reported end replayed through the judge."""

import json
import math
import re
from fractions import Fraction

import numpy as np
import pytest
import shapely
from skirmish_tables import block, chosen, game_with, place_of, rough, wall

from simulator.engine.answers import Script
from simulator.engine.errors import TableError, WrongQuestion
from simulator.engine.reach import ReachAnswer
from simulator.errors import NoPlace
from simulator.pathing.free import plan
from simulator.pathing.traces import NoRoute
from simulator.rulesets.skirmish.planner_tables import grown, prepared


def reach(game, ap=3, threshold=0):
    return game.reach("A1", ap=ap, threshold=threshold, stance="kept")


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


def test_many_places_cost_what_orders_to_each_take():
    pieces = [block(4, -2, 6, 1, 0.8, "low"), rough(0, 2, 4, 5)]
    found = reach(game_with(*pieces, others=(("A2", "red", (2.2, 0)), ("B1", "blue", (0, -3)))), 2)
    places = np.concatenate([[(0, 0), (2, 0), (20, 0)], np.random.default_rng(4).uniform(-6, 6, (12, 2))])
    costs = found.costs_at(places)
    assert costs[:3].tolist() == [0, math.inf, math.inf]  # where it stands, on a friend, too far
    assert {1, 2} <= set(costs.tolist())
    for place, cost in zip(map(tuple, places.tolist()), costs.tolist(), strict=True):
        assert found.cost_at(place) == (None if math.isinf(cost) else cost)
        if math.isfinite(cost):
            assert sum(int(order.args.get("ap", 1)) for order in found.orders_to(place)) <= cost


@pytest.mark.parametrize("seed", range(2))
def test_every_reported_end_is_played_and_reached(seed):
    rng = np.random.default_rng(seed)
    pieces = [
        block(4, -2, 6, 1, 0.8, "low"),
        wall((-3, -3), (-3, 3), height=5, name="high"),
        rough(0, 2, 4, 5),
    ]
    game = game_with(*pieces, others=(("A2", "red", (2.2, 0)), ("B1", "blue", (0, -3))), me={"threshold_left": 0})
    found = reach(game, 2)
    places = [tuple(place) for place in rng.uniform(-6, 6, (8, 2)).tolist()]
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

    @pytest.mark.sampled
    @pytest.mark.parametrize(
        ("place", "clause"), [((9.5, 0), "SK-2"), ((2, 5), "SK-56"), ((-24, 0), "SK-63"), ((-5, 5), "SK-17")]
    )
    def test_the_clause_in_the_way(self, place, clause):
        game = game_with(block(-6, 4, -4, 6, 9), others=(("A2", "red", (2, 5)),))
        answer = reach(game).why_not(place)
        assert answer
        assert answer.reasons[0].clause == clause
        assert "nearest legal end" in str(answer)

    @pytest.mark.sampled
    @pytest.mark.parametrize("place", [(2, 5), (2.1, 5.3), (3, 0), (9.5, 0.37), (-5, 5), (7.7, -7.7), (-24, 3)])
    def test_the_nearest_end_can_be_ordered_as_it_is_told(self, place):
        """SK-17, SK-53, SK-56: told to a hundredth of an inch, and not by a hair on a base or an obstacle."""
        answer = reach(game_with(block(-6, 4, -4, 6, 9), others=(("A2", "red", (2, 5)), ("B1", "blue", (3, 0)))))
        why = answer.why_not(place)
        told = str(why).partition("nearest legal end: ")[2].partition(", for ")[0]
        said = tuple(map(float, told.split(",")))
        assert said == why.nearest
        assert answer.cost_at(said) == why.nearest_cost
        assert math.dist(said, place) <= answer.area.distance(shapely.Point(place)) + 0.05

    def test_of_several_as_near_it_is_the_cheapest(self):
        """SK-53: round an enemy's base every place of its rim is as near, and this side of it costs 1 AP."""
        why = reach(game_with(others=(("B1", "blue", (3, 0)),))).why_not((3, 0))
        assert why.nearest_cost == 1

    def test_no_reason_where_it_can_end(self):
        assert not reach(game_with()).why_not((3, 3))


class TestOptions:
    """What the open questions change, where it can be worked out by hand."""

    def test_a_straight_lot_does_not_bend_round_a_wall(self):  # SK-4
        post = wall((1, -0.2), (1, 0.2), height=9)
        assert reach(game_with(post)).cost_at((2, 0)) == 1
        straight = reach(game_with(post, options={"path_shape": "straight_per_ap"}))
        assert straight.cost_at((2, 0)) == 2
        assert [len(order.elements) for order in straight.orders_to((2, 0))] == [1, 1]

    def test_a_pooled_line_ends_once(self):  # SK-5
        friend, me = (("A2", "red", (1.5, 0)),), {"stance": "crouching"}
        assert (3.9, 0) not in reach(game_with(me=me, others=friend), 2)
        pooled = reach(game_with(me=me, others=friend, options={"pool_ap": True}), 2)
        assert pooled.cost_at((3.9, 0)) == 2
        assert [order["ap"] for order in pooled.orders_to((3.9, 0))] == [2]

    def test_a_pooled_line_is_rolled_for_once(self):  # SK-5, SK-12
        everywhere, me = rough(-24, -24, 24, 24), {"stance": "crouching", "threshold_left": 0}
        pooled = reach(game_with(everywhere, me=me, options={"pool_ap": True}), 2)
        assert pooled.chance_at((3, 0)) == 1
        assert pooled.chance_at((4, 0)) == Fraction("0.6")

    def test_from_front_to_front(self):  # SK-3
        game = game_with(me={"heading": 180}, options={"measure": "front_point"})
        found = reach(game, 1)
        assert found.cost_at((-4, 0)) == 1  # the front goes 3 inches and then looks back
        assert (-4.01, 0) not in found
        assert found.cost_at((3, 0)) == 1
        assert (3.01, 0) not in found
        assert reach(game, 2).area.area == pytest.approx(math.pi * 6.5**2, rel=0.01)

    def test_only_the_line_keeps_off_a_small_enemy(self):  # SK-53
        # Between two of them there is room for the line, not for the base.
        enemies, me = (("B1", "blue", (3, 1.1)), ("B2", "blue", (3, -1.1))), {"radius": 0.7}
        line_only = reach(game_with(me=me, others=enemies, options={"enemy_block": "line_only"}), 2)
        assert line_only.cost_at((5.5, 0)) == 2  # from 2.52, where it touches both, 3 inches on
        assert (3, 0) not in line_only  # on the bases nobody ends
        assert (5.5, 0) not in reach(game_with(me=me, others=enemies), 2)

    def test_a_free_traverse(self):  # SK-18
        low = wall((1, -24), (1, 24))
        assert reach(game_with(low)).cost_at((4.5, 0)) == 2
        assert reach(game_with(low, options={"traverse_ap": 0})).cost_at((4.5, 0)) == 1

    def test_a_traverse_in_any_direction(self):  # SK-23
        low = wall((1, -24), (1, 24), height=0.8)
        found = game_with(low, options={"traverse_direction": "any_direction"}).reach("A1", "traverse")
        assert found.cost_at((1.5, 0.5)) == 1
        assert [reason.clause for reason in game_with(low).reach("A1", "traverse").why_not((1.5, 0.5)).reasons] == [
            "SK-23"
        ]

    def test_a_run_or_a_traverse(self):  # SK-33
        low, four = wall((1, -24), (1, 24)), {"ap_per_activation": 4}
        assert reach(game_with(low, options=four), 4).cost_at((10.5, 0)) == 4
        either = reach(game_with(low, options={**four, "run_and_traverse_same_activation": False}), 4)
        assert either.cost_at((10.49, 0)) == 4  # three moves
        with_token = game_with(low, options={**four, "run_and_traverse_same_activation": False})
        assert (10.5, 0) not in with_token.reach("A1", ap=4, token=True)


class TestFarSides:
    """SK-23: what lies behind an obstacle is reached as a line, wherever along it one asks."""

    def test_the_whole_line_behind_a_wall(self):
        game = game_with(wall((3, -24), (3, 24), height=0.8))
        found = reach(game, 2)
        lines = [part for part in shapely.get_parts(found.area) if not part.area]
        assert sum(line.length for line in lines) == pytest.approx(2 * math.sqrt(3**2 - 1.5**2), abs=0.05)
        for y in (0.0, 0.1234567, -1.9, 2.59):
            assert found.cost_at((3.5, y)) == 2
            first, second = found.orders_to((3.5, y))
            assert (first.action, second.action) == ("move", "traverse")
        assert (3.5, 2.61) not in found
        assert (3.51, 0) not in found
        assert reach(game, 3).cost_at((6.5, 1.0)) == 3

    def test_round_the_end_of_a_wall(self):
        found = game_with(wall((0.8, 0), (9, 0)), at=(0.4, 0.6)).reach("A1", "traverse")
        assert found.area.geom_type == "Point"  # from one place, one far side
        assert found.cost_at(found.area.coords[0]) == 1


def test_the_contract_of_answers():
    game = game_with(rough(2, -24, 3, 24), others=(("A2", "red", (0, 2)),), me={"threshold_left": 0})
    answer = reach(game, 2)
    assert isinstance(answer, ReachAnswer)
    assert (answer.mover.id, answer.action, answer.unit) == ("A1", "turn", "AP")
    assert list(game.ruleset.reaches) == ["turn", "move", "run", "traverse"]
    assert answer.cost_at((40, 0)) is None
    with pytest.raises(NoRoute, match="A1 cannot end at 40,0 with 2 AP"):
        answer.orders_to((40, 0))
    (one, near), (two, far) = answer.bands()
    assert (one, two) == (1, 2)
    assert near.area + far.area == pytest.approx(answer.area.area, rel=1e-4)
    assert not near.buffer(-0.01).intersects(far.buffer(-0.01))
    told = answer.to_geojson()
    assert [feature["properties"]["what"] for feature in told["features"]][:4] == ["area", "certain", "band", "band"]
    assert json.dumps(told)
    with pytest.raises(TableError, match="turn, move, run, traverse"):
        game.reach("A1", "attack")


def test_what_is_asked_for_unless_more_is_said_is_the_whole_activation():
    """SK-61, SK-27 to SK-30: all AP it has; one move, one run, one traverse are asked for by name."""
    game = game_with(options={"ap_per_activation": 4})
    whole = game.reach("A1")
    assert (whole.action, whole.ap) == ("turn", 4)
    assert [whole.cost_at((x, 0)) for x in (3, 6, 9, 12, 12.1)] == [1, 2, 3, 4, None]
    assert [game.reach("A1", ap=ap).cost_at((6, 0)) for ap in (1, 2, 9)] == [None, 2, 2]
    assert [(9.0, 0.0) in game.reach("A1", action) for action in ("turn", "move", "run", "traverse")] == [
        True,
        False,
        True,
        False,
    ]
    game.do("A1 move: to 3,0")
    assert (game.reach("A1").ap, game.reach("A1").cost_at((12, 0))) == (3, 3)


@pytest.mark.parametrize("action", ["move", "run", "traverse"])
def test_one_spend_costs_what_it_costs(action):
    with pytest.raises(WrongQuestion, match=f"ap=2 goes with turn, not with {action}"):
        game_with().reach("A1", action, ap=2)


def test_what_is_no_place_is_told_and_in_no_reach():
    answer = game_with().reach("A1", "move")
    for place in ("3,0", (1, 2, 3), None, 4, (float("nan"), 0), ("a", "b")):
        assert place not in answer
        with pytest.raises(NoPlace, match=r"not a place on a table|not on any table"):
            answer.cost_at(place)
    assert repr(answer).startswith("<Reach of A1 with 1 AP (move) on <InchTable")


class TestRemedies:
    """What would help is told with the reasons."""

    @pytest.mark.parametrize(("place", "remedy"), [((9.2, 0), "2 AP more"), ((0, 2.5), "without A2"), ((30, 0), "")])
    def test_what_it_would_take(self, place, remedy):
        answer = reach(game_with(others=(("A2", "red", (0, 2)),)), 2).why_not(place)
        assert answer.remedy == remedy
        assert answer.nearest_cost <= 2

    # Long: the search is repeated for more AP; one remedy of each kind is tried beside it.
    @pytest.mark.long
    def test_as_few_more_ap_as_suffice(self):
        """SK-2, SK-18: round a wall on foot, over one, and through rough ground: no AP fewer, and that many do."""
        pieces = (wall((3, -4), (3, 4), height=1), wall((-3, -1), (-3, 1), height=9, name="high"), rough(-2, 2, 2, 3))
        game = game_with(*pieces, me={"ap_per_activation": 6}, size=24, corner=(-12, -12))
        answer, with_more, said = reach(game, 2), reach(game, 4), set()
        for place in ((7.2, 0), (8.9, 1), (-6.5, 0), (0, 7)):
            why = answer.why_not(place)
            more = int(re.fullmatch(r"(\d+) AP more.*", why.remedy)[1])
            said.add(more)
            assert with_more.cost_at(place) == 2 + more
            over = [one for one in why.reasons if one.clause == "SK-18"]
            assert all(one.needed == 2 + more for one in over)
        assert said == {1, 2}

    def test_a_run_that_is_too_long(self):
        assert game_with().reach("A1", "run").why_not((9.5, 0)).remedy == "0.5 inches more"


def test_a_base_as_a_point_among_grown_obstacles_goes_the_same_ways():
    others = (("B1", "blue", (2, -3)),)
    game = game_with(block(3, -1, 5, 2, 9), wall((-2, 2), (2, 3), height=9), others=others)
    table = game.ready_table("A1")
    unit = table.unit("A1")
    places = np.random.default_rng(1).uniform(-9, 9, (400, 2))
    usual = plan(prepared(table, unit), (0, 0), 9).cost_at(places)
    as_points = plan(grown(table, unit), (0, 0), 9).cost_at(places)
    assert as_points == pytest.approx(usual, abs=2e-6)


def test_certain_area_and_chances_say_the_same():
    pieces = (rough(2, -2, 3, 2), rough(-3, 1, 0, 3, "two"), block(0, -4, 2, -2, 9))
    found = reach(game_with(*pieces, me={"threshold_left": 0}), 2)
    inner, outer = found.certain_area.buffer(-0.05), found.certain_area.buffer(0.25)
    for place in np.random.default_rng(1).uniform(-7, 7, (25, 2)).tolist():
        chance = found.chance_at(tuple(place))
        assert chance == 1 or not inner.covers(shapely.Point(place))
        assert chance < 1 or outer.covers(shapely.Point(place))
