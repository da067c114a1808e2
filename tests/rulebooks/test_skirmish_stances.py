"""skirmish: the stance may change on the way where the reach of an activation is asked, or is kept."""

from fractions import Fraction

import pytest
from skirmish_compared import compared, lucky
from skirmish_tables import block, chosen, game_with, rough, wall

from simulator.engine.errors import WrongQuestion
from simulator.engine.orders import Order

LOW, PRONE = {"stance": "crouching"}, {"stance": "prone"}


def words(orders):
    """The orders in short."""
    return [order.get("stance", order.action) for order in orders]


class TestFarthest:
    """SK-2, SK-64: on open ground a change pays where it gains more than it costs."""

    @pytest.mark.parametrize(
        ("me", "ap", "stance", "most"),
        [
            (LOW, 1, "any", 2),
            (LOW, 2, "any", 4),
            (LOW, 3, "any", 6),
            (LOW, 4, "any", 9),
            (PRONE, 1, "any", 1),
            (PRONE, 2, "any", 3),
            (PRONE, 3, "any", 6),
            (PRONE, 4, "any", 9),
            (LOW, 4, "kept", 8),
            (PRONE, 4, "kept", 4),
            ({}, 3, "any", 9),
        ],
    )
    def test_on_open_ground(self, me, ap, stance, most):  # E5 with stance=kept
        reach = game_with(me=me, options={"ap_per_activation": 4}).reach("A1", ap=ap, stance=stance)
        assert reach.cost_at((most, 0)) == ap
        assert (most + 1e-3, 0) not in reach
        assert reach.is_certain((0, most))

    def test_any_is_meant_where_nothing_is_said(self):
        game = game_with(me=PRONE)
        assert game.reach("A1").cost_at((6, 0)) == game.reach("A1", stance="any").cost_at((6, 0)) == 3
        assert (3.1, 0) not in game.reach("A1", stance="kept")

    def test_one_spend_has_no_stance_to_change(self):
        assert (1.1, 0) not in game_with(me=PRONE).reach("A1", "move")
        with pytest.raises(WrongQuestion, match="stance"):
            game_with(me=PRONE).reach("A1", "move", stance="any")
        with pytest.raises(WrongQuestion, match="any"):
            game_with(me=PRONE).reach("A1", stance="upright")

    def test_the_area_grows_with_it(self):
        game = game_with(me=PRONE)
        kept, free = (game.reach("A1", ap=2, stance=stance).area for stance in ("kept", "any"))
        assert free.buffer(1e-3).covers(kept)
        assert (kept.area, free.area) == (pytest.approx(4 * 3.1416, rel=0.01), pytest.approx(9 * 3.1416, rel=0.01))


class TestOrders:
    """SK-64: the orders change the stance just where a spend wants another."""

    @pytest.mark.parametrize(
        ("me", "place", "told"),
        [
            (LOW, (2, 0), ["move"]),
            (LOW, (3.9, 0), ["move", "move"]),
            (PRONE, (3, 0), ["standing", "move"]),
            (PRONE, (5, 0), ["standing", "move", "move"]),
        ],
    )
    def test_they_are_played(self, me, place, told):
        game = game_with(me=me)
        orders = game.reach("A1").orders_to(place)
        assert words(orders) == told
        twin = lucky(game)
        for order in orders:
            twin.do(order, chosen())
        assert twin.state.unit("A1").place == pytest.approx(place)

    def test_who_stands_up_may_run(self):
        """SK-27: a crouching soldier with 4 AP, to where no three moves lead."""
        game = game_with(me=LOW, options={"ap_per_activation": 4})
        reach = game.reach("A1", token=True)
        assert words(reach.orders_to((9, 0))) == ["standing", "run"]
        assert reach.orders_to((9, 0))[0] == Order("A1", "change_stance", args={"stance": "standing"})
        assert (1, 0) not in game.reach("A1", token=True, stance="kept")

    def test_over_a_wall_first(self):
        """SK-25: who begins beside a wall climbs it lying down."""
        game = game_with(wall((1.5, -9), (1.5, 9), height=1.0), me=PRONE, options={"ap_per_activation": 4})
        reach = game.reach("A1")
        assert reach.cost_at((8, 0)) == 4
        assert words(reach.orders_to((8, 0))) == ["traverse", "standing", "move", "move"]
        assert reach.chance_at((8, 0)) == Fraction(4, 5)


class TestDice:
    """SK-12: a change of stance is no roll, and decides how much a failure leaves."""

    def test_certain_through_rough_ground(self):
        """All rough: two moves lying down come to nothing for certain, one standing to 2 inches."""
        game = game_with(rough(-20, -20, 20, 20), me=PRONE | {"threshold_left": 0})
        kept, free = (game.reach("A1", ap=2, stance=stance) for stance in ("kept", "any"))
        assert (kept.is_certain((0.5, 0)), free.is_certain((2, 0))) == (False, True)
        assert free.chance_at((3, 0)) == Fraction(3, 5)
        assert kept.chance_at((1, 0)) == 1 - Fraction(2, 5) ** 2

    def test_crouching_in_a_bog(self):  # E8
        game = game_with(rough(-20, -20, 20, 20), me=LOW | {"threshold_left": 0})
        kept = game.reach("A1", ap=2, stance="kept")
        assert [kept.chance_at((x, 0)) for x in (2, 3, 4)] == [1, Fraction(84, 100), Fraction(36, 100)]
        free = game.reach("A1", ap=2)
        assert [free.chance_at((x, 0)) for x in (2, 3, 4)] == [1, Fraction(84, 100), Fraction(36, 100)]

    def test_the_better_of_two_plans(self):
        """Lying down, 3 AP: standing up leaves two moves of which both may be shortened."""
        game = game_with(rough(-20, -20, 20, 20), me=PRONE | {"threshold_left": 0})
        reach = game.reach("A1")
        assert [reach.chance_at((x, 0)) for x in (4, 5, 6)] == [1, Fraction(84, 100), Fraction(36, 100)]


class TestFigures:
    """What a change costs is a figure."""

    def test_changes_that_cost_nothing(self):
        game = game_with(me=PRONE, tables={"cost.change_stance": 0})
        reach = game.reach("A1")
        assert (reach.cost_at((3, 0)), reach.cost_at((9, 0))) == (1, 3)
        assert words(reach.orders_to((3, 0))) == ["standing", "move"]
        assert game.reach("A1", token=True).cost_at((9, 0)) == 3
        assert reach.chance_at((9, 0)) == 1

    def test_changes_that_cost_more(self):
        game = game_with(me=PRONE, tables={"cost.change_stance": 2})
        assert [game.reach("A1", ap=ap).area.bounds[2] for ap in (1, 2, 3)] == pytest.approx([1, 2, 3], abs=1e-2)

    def test_where_crouching_is_quickest(self):
        """Up from lying to crouching, and not to standing."""
        game = game_with(me=PRONE, tables={"inches.crouching": 4})
        assert words(game.reach("A1", ap=2).orders_to((4, 0))) == ["crouching", "move"]


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("me", [LOW, PRONE], ids=str)
def test_against_play(me, seed):
    """Whatever is played, changes of stance among it, reach has for no more AP; and its own orders are played."""
    pieces = [block(1.5, -2, 2.5, 0.5, 0.8, "low"), rough(-1, 1, 2, 2.5)]
    game = game_with(*pieces, others=(("A2", "red", (-1.1, 0)),), me=me)
    assert compared(game, seed) == []
