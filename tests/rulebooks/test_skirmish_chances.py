"""Chances of skirmish: what bands say, and plans whose worth can be worked out by hand."""

from fractions import Fraction

import numpy as np
import pytest
import shapely
from skirmish_tables import block, chosen, game_with, rough, wall

from simulator.engine.answers import Script
from simulator.rulesets.skirmish.odds import bands as chance_bands


def two_patches():
    """A crouching soldier between two patches of rough ground."""
    pieces = [rough(1, -1, 2, 3, name="patch 0"), rough(-2, -3, 0, -1, name="patch 1")]
    return game_with(*pieces, me={"stance": "crouching", "threshold_left": 0})


def test_bands_say_what_places_say():
    reach = two_patches().reach("A1", ap=2)
    bands = reach.chance_bands()
    assert [chance for chance, _ in bands] == sorted({chance for chance, _ in bands}, reverse=True)
    assert bands[0][0] == 1
    whole = shapely.union_all([band for _, band in bands])
    assert whole.area == pytest.approx(reach.area.area, rel=1e-3)
    assert sum(band.area for _, band in bands) == pytest.approx(whole.area, rel=1e-3)
    right = asked = 0
    for chance, band in bands:
        for part in shapely.get_parts(band.buffer(-0.15)):
            if part.area > 0.1:
                asked += 1
                low, high = reach.chance_bounds(part.representative_point().coords[0])
                right += low <= chance <= high
    assert asked > 3
    assert right == asked


def test_bands_can_be_asked_for_by_level():
    reach = two_patches().reach("A1", ap=2)
    (sure, certain), (half, likely) = reach.chance_bands([Fraction(1, 2), Fraction(1)])
    assert (sure, half) == (1, Fraction(1, 2))
    assert certain.area == pytest.approx(reach.certain_area.area, rel=0.01)
    assert likely.area > 0
    assert reach.chance_at(likely.representative_point().coords[0]) >= half


@pytest.mark.parametrize("few", [1, 7])
def test_how_many_goals_are_looked_at_together_makes_no_difference(few, monkeypatch):
    def bands(at_once):
        monkeypatch.setattr(chance_bands, "_GOALS_AT_ONCE", at_once)
        return two_patches().reach("A1", ap=2).chance_bands()

    together, apart = bands(10**9), bands(few)
    assert [chance for chance, _ in together] == [chance for chance, _ in apart]
    assert len(together) > 1
    assert all(one.equals(other) for (_, one), (_, other) in zip(together, apart, strict=True))


def test_bands_asked_for_again_are_the_same():
    levels = [Fraction(1), Fraction(1, 2)]
    known = two_patches().reach("A1", ap=2)
    first = known.chance_bands(levels)
    known.chance_bands()
    for again in (known.chance_bands(levels), two_patches().reach("A1", ap=2).chance_bands(levels)):
        assert [chance for chance, _ in again] == [chance for chance, _ in first]
        assert all(one.equals(other) for (_, one), (_, other) in zip(first, again, strict=True))


class TestPlans:
    """What the best plan is worth where it can be worked out by hand."""

    def test_a_roll_may_be_avoided_on_one_side_and_dared_on_the_other(self):
        # Two strips: the near one is short enough to go round, the far one is not.
        pieces = [rough(1, -0.5, 1.5, 24), rough(4, -24, 4.6, 24, "far")]
        reach = game_with(*pieces, me={"threshold_left": 0}).reach("A1", ap=2)
        # Round the near strip it is 1.118 + 0.5 + 2.534 to the far one: there with the first inch of the second lot.
        assert reach.chance_at((4.7, 0)) == 1
        # 5 is one inch of rough too far for that; straight on, a success leaves 2 inches, a failure 3.
        assert reach.chance_at((5, 0)) == Fraction("0.84")
        # Round the near strip and through the far one is 5.95 inches: one roll. A little farther, and it takes two.
        assert reach.chance_at((5.8, 0)) == Fraction("0.6")
        assert reach.chance_at((5.9, 0)) == Fraction("0.36")

    def test_a_wall_off_the_straight_way(self):
        # Too high straight on; two inches to the side a low part leads over.
        pieces = [wall((3, -24), (3, 1), height=9, name="high"), wall((3, 1), (3, 24), height=1.0, name="low")]
        reach = game_with(*pieces, me={"threshold_left": 0}).reach("A1", ap=3)
        far = (3.5, 2.0)
        assert reach.cost_at(far) == 2
        assert reach.chance_at(far) == 1 - Fraction(1, 5) ** 2  # poor: 0.8, and a second try

    def test_rolls_that_never_succeed_take_threshold(self):
        pieces = [rough(1, -24, 9, 24)]
        game = game_with(*pieces, me={"health": 9})
        assert (2.5, 0) not in game.reach("A1", ap=1)
        assert game.reach("A1", ap=1).chance_at((2, 0)) == 1
        assert game.reach("A1", ap=1, threshold=1).chance_at((2.5, 0)) == 1

    def test_free_traverses_are_tried_until_they_succeed(self):
        game = game_with(wall((1, -24), (1, 24)), options={"traverse_ap": 0}, me={"threshold_left": 0})
        reach = game.reach("A1", ap=1)
        assert reach.cost_at((1.5, 0)) == 0
        assert reach.cost_at((4.5, 0)) == 1
        assert reach.chance_at((4.5, 0)) == 1


class TestToken:
    """SK-31, SK-35: ends with the Running token, and without."""

    STRIP = rough(2, -24, 3, 24)

    def test_only_a_run_gives_it(self):
        reach = game_with(self.STRIP, me={"threshold_left": 0}).reach("A1", ap=3, token=True)
        assert reach.chance_at((9, 0)) == Fraction("0.6")
        assert reach.chance_at((8, 0)) == Fraction("0.6")  # there for certain, with the token only if the roll is made
        assert reach.chance_at((-9, 0)) == 1
        assert reach.orders_to((-9, 0))[0].action == "run"

    def test_without_it_nobody_runs(self):
        reach = game_with(self.STRIP, me={"threshold_left": 0}).reach("A1", ap=3, token=False)
        assert reach.chance_at((7, 0)) == 1
        assert {order.action for order in reach.orders_to((-9, 0))} == {"move"}

    def test_threshold_saves_a_run_only_by_option(self):
        plain = game_with(self.STRIP).reach("A1", ap=3, threshold=1, token=True)
        saved = game_with(self.STRIP, options={"run_threshold": True}).reach("A1", ap=3, threshold=1, token=True)
        assert plain.chance_at((9, 0)) == Fraction("0.6")
        assert saved.chance_at((9, 0)) == 1


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("until", ["next_activation", "round_end"])
def test_who_is_running_already_keeps_the_token(seed, until):  # SK-31
    dice = np.random.default_rng([31, seed])
    x, y = dice.uniform(3.0, 9.0), dice.uniform(-2.0, 2.0)
    pieces = [rough(x + 0.6, y - 3, x + 1.6, y + 3), wall((x - 2, y - 1), (x + 2, y - 1.4), height=0.8)]
    me = {"ap_per_activation": int(dice.integers(4, 6)), "ins": int(dice.integers(3, 11))}
    game = game_with(*pieces, me=me, options={"running_until": until})
    game.do(f"A1 run: to {x},{y}")
    for action in ("turn", "move", "traverse"):
        any_end, with_token, without = (game.reach("A1", action, token=token) for token in (None, True, False))
        assert without.area.is_empty
        for place in [(x, y), *((x + a, y + b) for a, b in dice.uniform(-3.0, 3.0, (4, 2)))]:
            assert with_token.cost_at(place) == any_end.cost_at(place)
            assert with_token.chance_at(place) == any_end.chance_at(place)
            assert without.cost_at(place) is None
            assert without.chance_at(place) == 0
            if place in any_end:
                assert [reason.clause for reason in without.why_not(place).reasons] == ["SK-31"]
    game.do("A1 done")
    if until == "next_activation":
        game.do("B9 done")
    assert bool(game.reach("A1", token=False).area.area) == (until == "next_activation")


def test_only_a_second_run_that_fails_takes_the_token_away():  # SK-31, SK-35
    game = game_with(rough(10, -20, 11, 20), me={"ap_per_activation": 7, "threshold_left": 0}, dice=(10,))
    game.do("A1 run: to 9,0")
    reach = game.reach("A1", token=False)
    assert reach.cost_at((17, 0)) is None
    assert reach.chance_at((17, 0)) == Fraction("0.4")
    game.do("A1 run: to 17,0")
    assert not game.state.unit("A1")["running"]


def played(game, reach, place):
    """The soldier after the orders that reach gives for a place, on a branch of the game."""
    twin = game.branch(Script.dice((10,) * 20, open_ended=True))
    for order in reach.orders_to(place):
        twin.do(order, chosen())
    return twin.state.unit("A1")


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("options", [{}, {"rough_test": "swept_base"}, {"measure": "front_point"}])
def test_a_roll_that_never_succeeds_surely_takes_the_token(seed, options):  # SK-35, SK-36
    dice = np.random.default_rng([35, seed])
    corners = dice.uniform((-5.0, -5.0), (3.0, 3.0), (3, 2)).round(2)
    patches = [rough(x, y, x + 2, y + 2, name=f"patch {n}") for n, (x, y) in enumerate(corners.tolist())]
    me = {"psq": 0, "threshold_left": 0, "heading": 90.0}
    game = game_with(*patches, me=me, others=(("A2", "red", (4, 4)), ("B1", "blue", (-3, 4))), options=options)
    turn, (with_token, without) = (
        game.reach("A1", token=False),
        (game.reach("A1", "run", token=one) for one in (True, False)),
    )
    found = set()
    for inches, angle in zip(dice.uniform(1.0, 8.9, 12), dice.uniform(0.0, 2.0 * np.pi, 12), strict=True):
        order = f"A1 run: to {inches * np.cos(angle)},{inches * np.sin(angle)}, facing 90"
        if game.breaches(order):
            continue
        twin = game.branch(Script.dice((10,), open_ended=True))
        twin.do(order, chosen())
        unit = twin.state.unit("A1")
        found.add(unit["running"])
        assert (with_token if unit["running"] else without).cost_at(unit.place) == 3
        if not unit["running"]:
            assert turn.cost_at(unit.place) <= 3
            assert turn.chance_at(unit.place) == 1
        assert ((unit.place in with_token) and (unit.place in without)) <= bool(options)
    assert False in found
    for reach in (without, turn):
        for place in dice.uniform(-9.0, 9.0, (6, 2)).tolist():
            if tuple(place) in reach:
                unit = played(game, reach, tuple(place))
                assert unit.place == pytest.approx(place, abs=1e-5)
                assert not unit["running"]


def test_the_area_of_such_runs_is_behind_the_rough_ground():  # SK-35
    reach = game_with(rough(2, -20, 3, 20), me={"psq": 0}).reach("A1", "run", token=False)
    eight = shapely.Point(0, 0).buffer(8, quad_segs=256).intersection(shapely.box(2, -8, 8, 8))
    assert reach.area.symmetric_difference(eight).area < 0.2
    assert (7, 0) in reach
    assert (1.9, 0) not in reach
    assert [one.clause for one in reach.why_not((1.9, 0)).reasons] == ["SK-31"]


@pytest.mark.parametrize(("x", "chance"), [(6, "0.4"), (8, "0.4"), (8.5, "0"), (-6, "0")])
def test_a_run_that_fails_ends_without_the_token(x, chance):  # SK-35, SK-36
    game = game_with(rough(2, -20, 3, 20), me={"threshold_left": 0}, dice=(10,))
    reach = game.reach("A1", "run", token=False)
    assert reach.cost_at((x, 0)) is None  # nothing ends so if every roll succeeds
    assert reach.chance_at((x, 0)) == Fraction(chance)
    (reason,) = reach.why_not((x, 0)).reasons
    assert reason.clause == "SK-31"
    assert ("only if the Terrain roll of a run fails" in reason.message) == (reach.chance_at((x, 0)) > 0)
    game.do(f"A1 run: to {x},0")
    unit = game.state.unit("A1")
    assert (unit.place == pytest.approx((x, 0)) and not unit["running"]) == (reach.chance_at((x, 0)) > 0)


@pytest.mark.parametrize("measure", ["translation", "front_point"])
def test_wherever_a_run_fails_it_may_end_without_the_token(measure):  # SK-3, SK-35, SK-36
    game = game_with(rough(2, -6, 3, 6), me={"threshold_left": 0, "heading": 0.0}, options={"measure": measure})
    run, turn, kept = game.reach("A1", "run", token=False), game.reach("A1", token=False), game.reach("A1", token=True)
    dice = np.random.default_rng(36)
    found = set()
    for inches, angle in zip(dice.uniform(3.0, 10.0, 60), dice.uniform(-1.0, 1.0, 60), strict=True):
        facing = int(dice.integers(24)) * 15
        order = f"A1 run: to {inches * np.cos(angle)},{inches * np.sin(angle)}, facing {facing}"
        twin = game.branch(Script.dice((10,), open_ended=True))
        if game.breaches(order) or len(found) == 8:
            continue
        twin.do(order, chosen())
        unit = twin.state.unit("A1")
        if not unit["running"] and np.hypot(*unit.place) == pytest.approx(inches):
            found.add(unit.place)
            assert run.chance_at(unit.place) == Fraction("0.4")
            assert turn.chance_at(unit.place) >= Fraction("0.4")
            assert kept.chance_at(unit.place) == Fraction("0.6")
    assert len(found) == 8
    assert [run.chance_at(place) for place in ((-5.0, 0.0), (0.0, 5.0), (9.2, 0.0))] == [0, 0, 0]


def test_a_run_of_just_nine_inches_ends_on_a_circle():
    game = game_with(block(3, -1, 4, 1, 9), options={"run_min_inches": 9})
    reach = game.reach("A1", "run")
    assert reach.area.length > 40
    assert reach.area.area == 0
    assert reach.cost_at((0, 9)) == 3
    assert (0, 8) not in reach
    assert (9, 0) not in reach
    assert [reason.clause for reason in reach.why_not((0, 8)).reasons] == ["SK-30"]


class TestTraversesInAnyDirection:
    """Across a wall one inch high, for the one AP that it costs, aimed anywhere (SK-23)."""

    WALL = wall((-1, -6), (-1, 6), height=1)

    def asked(self, action, **options):
        return game_with(self.WALL, options={"traverse_direction": "any_direction", **options}).reach("A1", action)

    @pytest.mark.parametrize("y", [0, 0.7, 1, -1])
    def test_aslant_is_as_hard_as_straight_across(self, y):
        reach = self.asked("traverse")
        assert reach.chance_at((-1.5, y)) == Fraction(8, 10)

    def test_bands_are_of_the_same_chance_all_along(self):
        reach = self.asked("traverse")
        ((chance, line),) = reach.chance_bands()
        assert chance == Fraction(8, 10)
        assert line.length == pytest.approx(reach.area.length, abs=0.01)

    # Long: each failure leads to a search of its own; who fails once is tried beside it.
    @pytest.mark.long
    def test_who_fails_tries_again(self):
        reach = self.asked("turn")
        assert reach.chance_at((-1.5, 1)) == 1 - Fraction(2, 10) ** 3
        assert reach.chance_at((-2.5, 1)) == 1 - Fraction(2, 10) ** 2  # and one AP for the rest

    def test_measured_from_front_to_front_too(self):
        reach = self.asked("traverse", measure="front_point")
        assert reach.chance_at((-1.5, 1)) == Fraction(8, 10)
