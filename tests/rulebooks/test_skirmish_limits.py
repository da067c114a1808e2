"""skirmish: what is exactly at a limit is in: worked examples, generated chains of orders, small worlds in full."""

import math
from fractions import Fraction

import numpy as np
import pytest
from skirmish_compared import lucky
from skirmish_limits import faults_of, layout_of
from skirmish_small_worlds import OPTIONS, PATCHES, SPANS, WALLS, World, differences, worlds
from skirmish_tables import block, chosen, game_with, rough, wall

from simulator.engine.orders import Element, Order
from simulator.rulesets.skirmish.reach.orders import PlannedOrder, as_landed
from simulator.rulesets.skirmish.traverse.jumps import traverse_order

ACROSS = 12


def upright(x, height=1.5, name="wall"):
    """A long wall across the way."""
    return wall((x, -ACROSS), (x, ACROSS), height=height, name=name)


def to(place):
    """The element of an order that leads straight to a place."""
    return Element("to", {"place": place})


def played(game, reach, place):
    """Play the orders to a place with lucky dice: where they end, and for how many AP; moments of the way are legal."""
    twin = lucky(game)
    before = game.ready_table("A1").unit("A1")["ap"]
    for order in reach.orders_to(place):
        assert not list(twin.breaches(order))
        twin.do(order, chosen())
    unit = twin.state.unit("A1")
    assert unit.place == pytest.approx(place, abs=1e-6)
    return before - unit["ap"] if unit["status"] == "activating" else before


class TestJustWithinReach:
    """SK-18: a move that only just comes within an inch of an obstacle."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("x", [4.3, 4.49, 4.4997, 4.4999, 4.5])
    def test_a_whole_move_away(self, x):
        game = game_with(upright(x))
        reach = game.reach("A1")
        far = x + 0.5 + 3.0
        assert reach.cost_at((far, 0)) == played(game, reach, (far, 0)) == 3
        assert reach.chance_at((far, 0)) == Fraction(3, 5)
        assert (far + 1e-4, 0) not in reach
        assert reach.cost_at((7.75, 0)) == 3
        assert reach.area.area > 210

    def test_a_hair_farther_is_out(self):
        reach = game_with(upright(4.5001)).reach("A1")
        assert (5.0001, 0) not in game_with(upright(4.5001)).reach("A1", ap=2)
        assert reach.cost_at((5.0001, 0)) == 3  # nearer with the second move

    @pytest.mark.parametrize(
        ("me", "x", "question"),
        [
            ({"stance": "crouching"}, 3.5, {"stance": "kept"}),
            ({"stance": "prone"}, 2.5, {"stance": "kept"}),
            ({"radius": 1.0}, 5.0, {}),
            ({"radius": 1.5}, 5.5, {}),
        ],
    )
    def test_in_other_stances_and_with_larger_bases(self, me, x, question):
        game = game_with(upright(x), me=me)
        reach = game.reach("A1", **question)
        inches = {"crouching": 2, "prone": 1}.get(me.get("stance"), 3)
        far = x + me.get("radius", 0.5) + inches
        assert reach.cost_at((far, 0)) == played(game, reach, (far, 0)) == 3

    @pytest.mark.sampled
    @pytest.mark.parametrize(
        "options", [{"traverse_ap": 0}, {"traverse_direction": "any_direction"}, {"path_shape": "straight_per_ap"}]
    )
    def test_under_other_options(self, options):
        game = game_with(upright(4.5), options=options)
        reach = game.reach("A1")
        whole = 2 if "traverse_ap" in options else 3
        assert reach.cost_at((8, 0)) == played(game, reach, (8, 0)) == whole

    def test_with_the_second_and_the_third_spend(self):
        game = game_with(upright(7.5), options={"ap_per_activation": 4})
        assert game.reach("A1").cost_at((8, 0)) == 3
        assert game.reach("A1").cost_at((11, 0)) == played(game, game.reach("A1"), (11, 0)) == 4
        far = game_with(upright(10.5), options={"ap_per_activation": 4})
        assert far.reach("A1").cost_at((11, 0)) == 4

    def test_of_a_gap(self):
        """SK-50: from an inch before the throat of two walls 0.8 apart."""
        one, other = ((4.5, 0.4), (4.5, 9)), ((4.5, -9), (4.5, -0.4))
        game = game_with(wall(*one, height=9, name="one"), wall(*other, height=9, name="other"))
        reach = game.reach("A1")
        assert reach.cost_at((4.8, 0)) == 2
        assert reach.cost_at((7.8, 0)) == played(game, reach, (7.8, 0)) == 3

    def test_round_a_corner(self):
        """Past a high block in a bent line: its length is just three inches, and the wall an inch on."""
        way = math.sqrt(2 * 2 - 0.25) + 0.5 * (math.pi / 2 - math.acos(0.25) - 0.0)
        assert way < 3.0
        block_ = block(2, -4, 2.2, 0, 9, "high")
        game = game_with(block_, wall((-9, 2.5), (9, 2.5), height=1.0, name="low"), at=(1, -1))
        assert game.reach("A1").cost_at((2, 3)) == played(game, game.reach("A1"), (2, 3))

    def test_from_a_line_of_far_sides_to_the_next_wall(self):
        """Behind the first wall all places are as near to the second: it is just within reach from each of them."""
        game = game_with(upright(2.0, name="first"), upright(7.0, name="second"), options={"ap_per_activation": 4})
        reach = game.reach("A1")
        for y in (0.0, 0.111, -1.37):
            assert reach.cost_at((7.5, y)) == played(game, reach, (7.5, y))


class TestLuckAndThreshold:
    """SK-12, SK-22, SK-62: rolls that succeed, and failures that Threshold undoes, in one plan."""

    def test_a_lucky_roll_and_one_that_never_succeeds(self):
        """Over 1 inch of mud with the first move, and over a wall that takes T = 0: paid for."""
        game = game_with(rough(0.5, -ACROSS, 1.5, ACROSS), upright(4.4, height=4.0), me={"ins": 4})
        assert (4.9, 0) not in game.reach("A1", ap=2)
        reach = game.reach("A1", ap=2, threshold=1)
        assert reach.cost_at((4.9, 0)) == 2
        assert reach.chance_at((4.9, 0)) == Fraction(3, 5)
        assert not reach.is_certain((4.9, 0))

    def test_free_traverses_that_never_succeed_are_paid_for(self):
        game = game_with(upright(1.5, height=4.0), me={"ins": 4}, options={"traverse_ap": 0})
        assert (2, 0) not in game.reach("A1", ap=1)
        reach = game.reach("A1", ap=1, threshold=1)
        assert (reach.cost_at((2, 0)), reach.cost_at((5, 0))) == (0, 1)
        assert reach.chance_at((5, 0)) == 1

    @pytest.mark.parametrize("threshold", [5, 98, 99, 100, 999])
    def test_much_threshold_is_still_a_number(self, threshold):
        """SK-35: no Threshold saves a run, however much there is."""
        game = game_with(rough(2, -ACROSS, 3, ACROSS), me={"threshold_left": 999})
        reach = game.reach("A1", threshold=threshold, token=True)
        assert reach.chance_at((9, 0)) == Fraction(3, 5)
        assert not reach.is_certain((9, 0))


class TestNoInches:
    """SK-30: a run of no inches ends where it began, with the token."""

    def test_orders_to_its_own_place_with_the_token(self):
        game = game_with()
        reach = game.reach("A1", token=True)
        assert reach.cost_at((0, 0)) == played(game, reach, (0, 0)) == 3
        twin = lucky(game)
        twin.do(reach.orders_to((0, 0))[0], chosen())
        assert twin.state.unit("A1")["running"]

    def test_a_run_of_no_inches_by_its_table(self):
        game = game_with(tables={"run.inches": 0})
        assert game.reach("A1", token=True).cost_at((0, 0)) == 3
        assert (0.5, 0) not in game.reach("A1", token=True)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", [0, 5, 16, 990103, 995010, 996034])
def test_chains_that_use_each_limit_to_the_full(seed):
    """The long script goes on from here: `python -m tests.long.skirmish_chains`."""
    assert faults_of(layout_of(seed)) == []


@pytest.mark.long
@pytest.mark.parametrize("seed", [5030, 5054, 5019])
def test_chains_measured_from_front_to_front(seed):
    """Through gaps between bases that the soldier's own just fits, and past rough ground by what is certain."""
    assert faults_of(layout_of(seed, "front_point")) == []


class TestPlansThatTraverse:
    """SK-2: a traverse may come down a hair from where it was planned to; the next line is kept to its inches."""

    @pytest.mark.parametrize("measure", ["translation", "front_point"])
    @pytest.mark.parametrize("beyond", [-1.9e-6, 0.0, 0.9e-6, 1.9e-6])
    def test_a_move_of_all_inches_after_one(self, measure, beyond):
        game = game_with(upright(1.5), options={"measure": measure})
        fronts = game.reach("A1").fronts
        (jump,) = fronts.jumps.from_place((0.0, 0.0))
        goal = (jump.far[0] + 3.0 + beyond, 0.0)
        steps = [
            PlannedOrder(traverse_order(jump, "A1")),
            PlannedOrder(Order("A1", "move", [to(goal)]), "standing", 0.0, 3.0),
        ]
        over, move = (step.order for step in as_landed(fronts, steps))
        lucky(game).do(over, chosen())
        assert over == steps[0].order
        assert (move == steps[1].order) is (beyond <= 1e-6)
        assert move.elements[0]["place"][0] == pytest.approx(jump.far[0] + 3.0 + (beyond <= 1e-6) * beyond, abs=1e-9)
        twin = lucky(game)
        for order in (over, move):
            assert not list(twin.breaches(order))
            twin.do(order, chosen())

    def test_a_run_that_may_not_be_shorter(self):
        game = game_with(upright(1.5), options={"run_min_inches": 9, "ap_per_activation": 4})
        fronts = game.reach("A1").fronts
        (jump,) = fronts.jumps.from_place((0.0, 0.0))
        run = Order("A1", "run", [to((jump.far[0] + 9.0 - 1.9e-6, 0.0))])
        _, longer = as_landed(
            fronts, [PlannedOrder(traverse_order(jump, "A1")), PlannedOrder(run, "standing", 9.0, 9.0)]
        )
        assert longer.order.elements[0]["place"] == pytest.approx((jump.far[0] + 9.0, 0.0), abs=1e-9)

    def test_plans_without_one_stay_as_they_are(self):
        fronts = game_with().reach("A1").fronts
        steps = [PlannedOrder(Order("A1", "move", [to((3.5, 0.0))]), "standing", 0.0, 3.0)]
        assert as_landed(fronts, steps) == steps


@pytest.mark.long
@pytest.mark.parametrize("measure", ["translation", "front_point"])
def test_a_free_traverse_before_a_roll_is_tried_until_it_succeeds(measure):
    """SK-22: with `traverse_ap` 0 the chance is that of the roll alone."""
    patch = rough(-9.0, 3.0, 9.0, 3.2)
    bar = wall((-5.0, 1.5), (5.0, 1.5), height=2.0, name="bar")
    game = game_with(bar, patch, options={"ap_per_activation": 2, "traverse_ap": 0, "measure": measure})
    reach = game.reach("A1", stance="kept")
    assert reach.cost_at((0.0, 8.0)) == 2
    assert reach.chance_at((0.0, 8.0)) == Fraction(3, 5)


#: Walls that end where a soldier may come to stand just within reach.
FROM_THE_END = [(4.5, (-1.5, 0.0), None), (4.0, (-1.5, 0.0), 0.5), (4.0, (-0.5, 1.5), 1.5), (3.5, (-0.5, 1.5), 3.0)]


def test_how_many_small_worlds_there_are():
    assert sum(1 for _ in worlds()) == len(OPTIONS) * len(WALLS) * len(SPANS) * len(PATCHES) == 2310


@pytest.mark.sampled
@pytest.mark.parametrize(
    "world",
    [
        World(4.5, (-1.5, 1.5), None, {}),
        World(3.0, (-0.5, 1.5), 1.5, {}),
        World(4.5, (-1.5, 1.5), 1.5, {"traverse_ap": 0}),
        World(4.5, (-0.5, 1.5), None, {"exact_fit_passes": False}),
        World(2.5, (-1.5, 0.0), 5.0, {"path_shape": "straight_per_ap"}),
        World(1.5, (-1.5, 1.5), 3.0, {"run_and_traverse_same_activation": False}),
        World(1.0, (-0.5, 1.5), 5.0, {"measure": "front_point"}),  # a bend a millionth too deep in the wall
        World(2.5, (-0.5, 1.5), 5.0, {"path_shape": "straight_per_ap"}),  # between the wall and the edge it just fits
        World(2.0, (-1.5, 1.5), 0.5, {"measure": "front_point"}),  # on from a traverse that is walked to
        # Just within an inch of the end of the wall, and over it and back: a line of far sides that turns back.
        *(World(at, span, patch, {"traverse_ap": 0}) for at, span, patch in FROM_THE_END),
    ],
    ids=str,
)
def test_small_worlds(world):
    """All of them: `python -m tests.long.every_skirmish_world`."""
    assert differences(world) == []


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("options", [{}, {"path_shape": "straight_per_ap"}, {"measure": "front_point"}], ids=str)
def test_through_a_gap_that_the_base_just_fits(options, seed):  # SK-4, SK-49
    """Some way before it, straight through, and on from beyond: each place is played, so each has a cost."""
    rng = np.random.default_rng(seed)
    toward, turn = rng.uniform(0.0, 2.0 * math.pi, 2)
    middle = rng.uniform(1.5, 3.0) * np.array([math.cos(toward), math.sin(toward)])
    through = np.array([math.cos(toward + turn / 6.0), math.sin(toward + turn / 6.0)])
    across = np.array([-through[1], through[0]])
    ends = [(middle + side * part * across).round(12).tolist() for side in (-1, 1) for part in (0.5, 3.0)]
    friend = (("A2", "red", tuple((middle + 2.0 * across - through).tolist())),) if seed % 2 else ()
    game = game_with(
        wall(ends[0], ends[1], name="one"), wall(ends[2], ends[3], name="other"), options=options, others=friend
    )
    reach = game.reach("A1")
    before, beyond = rng.uniform(0.2, 1.4, 2)
    on = middle + beyond * through + rng.uniform(0.6, 1.4) * np.array([math.cos(turn), math.sin(turn)])
    twin, spent = lucky(game), 0
    for place in (middle - before * through, middle + beyond * through, on):
        order = "A1: to {!r},{!r}".format(*place.tolist())
        if any(twin.breaches(order)):
            break
        twin.do(order, chosen())
        spent += 1
        cost = reach.cost_at(tuple(place.tolist()))
        assert cost is not None
        assert cost <= spent
    assert spent
