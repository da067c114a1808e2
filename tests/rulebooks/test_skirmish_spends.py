"""skirmish: what there is to spend AP on in a question of reach, by stance, options and figures."""

from fractions import Fraction

import pytest
from skirmish_tables import game_with

from simulator.rulesets.skirmish.reach.spends import Lot, Spending


def spending(ap=3, me=None, options=None, tables=None, **said):
    """The spends of A1."""
    table = game_with(me=me, options=options, tables=tables).ready_table("A1")
    return Spending(table, table.unit("A1"), ap, **said)


class TestMoves:
    """SK-2, SK-5, SK-12: a lot for 1 AP, an inch off after a failed roll."""

    @pytest.mark.parametrize(("stance", "inches"), [("standing", 3), ("crouching", 2), ("prone", 1)])
    def test_one_lot_by_stance(self, stance, inches):
        assert spending(me={"stance": stance}).moves == (Lot("move", 1, inches, inches - 1, 0, stance),)

    def test_pooled_there_is_one_for_each_number_of_ap(self):
        """Option pool_ap: one inch off the whole line."""
        lots = Lot("move", 1, 3, 2, 0), Lot("move", 2, 6, 5, 0), Lot("move", 3, 9, 8, 0)
        for ap in (1, 2, 3):
            assert spending(ap, options={"pool_ap": True}).moves == lots[:ap]

    def test_by_the_price_of_the_table(self):
        lots = Lot("move", 2, 3, 2, 0), Lot("move", 4, 6, 5, 0)
        options = {"pool_ap": True}
        assert spending(5, options=options, tables={"cost.move": 2}).moves == lots
        assert spending(4, options=options, tables={"cost.move": 2}).moves == lots
        assert spending(3, options=options, tables={"cost.move": 2}).moves == lots[:1]
        assert all(isinstance(lot.ap, int) for lot in lots)

    def test_an_inch_off_is_never_less_than_nothing(self):
        lost = {"terrain.lost_inches": 2}
        assert spending(me={"stance": "prone"}, tables=lost).moves == (Lot("move", 1, 1, 0, 0, "prone"),)
        assert spending(me={"stance": "crouching"}, tables={"terrain.lost_inches": 1.5}).moves[0].failed == 0.5

    def test_not_asked_about(self):
        assert spending(moving=False).moves == ()


class TestRun:
    """SK-27, SK-28, SK-30, SK-35."""

    def test_three_ap_nine_inches_eight_after_a_failure(self):
        assert spending().run == Lot("run", 3, 9, 8, 0)

    def test_all_nine_by_option(self):
        """Option run_min_inches."""
        assert spending(options={"run_min_inches": 9}).run == Lot("run", 3, 9, 8, 9)

    def test_who_may_not(self):
        assert spending(me={"stance": "crouching"}).run is None
        assert spending(running=False).run is None


class TestLines:
    """SK-3, SK-4, SK-10: how lines are drawn and measured, and with what chance they cross rough ground."""

    def test_options(self):
        assert (spending().is_straight, spending().is_by_front) == (False, False)
        assert spending(options={"path_shape": "straight_per_ap"}).is_straight
        assert spending(options={"measure": "front_point"}).is_by_front

    def test_the_chance_of_a_terrain_roll(self):
        """By the soldier's PSQ."""
        assert spending(me={"psq": 7, "ins": 2}).terrain_chance == Fraction(7, 10)


class TestTraverses:
    """SK-18, SK-33."""

    @pytest.mark.parametrize(
        ("together", "has_run", "asked", "may"),
        [(True, True, True, True), (True, True, False, False), (False, False, True, True), (False, True, True, False),
         (False, False, False, False), (True, False, True, True)],
    )  # fmt: skip
    def test_not_in_an_activation_with_a_run_by_option(self, together, has_run, asked, may):
        """Option run_and_traverse_same_activation."""
        options = {"run_and_traverse_same_activation": together}
        table = game_with(options=options).ready_table("A1")
        found = Spending(table, table.unit("A1").put(has_run=has_run), 3, traversing=asked)
        assert (found.is_exclusive, found.may_traverse) == (not together, may)

    @pytest.mark.parametrize("price", [0, 1])
    def test_its_price(self, price):
        assert spending(options={"traverse_ap": price}).traverse_ap == price


class TestStances:
    """SK-2, SK-27, SK-64: a stance is taken up on the way where it leads farther, or may run and has the AP for it."""

    @pytest.mark.parametrize(
        ("ap", "said", "stances"),
        [
            (4, {"moving": False}, ("crouching", "standing")),  # 1 AP to stand up, 3 to run
            (3, {"moving": False}, ("crouching",)),
            (4, {"moving": False, "running": False}, ("crouching",)),
            (2, {}, ("crouching", "standing")),
            (1, {}, ("crouching",)),
        ],
    )
    def test_which_may_be_worth_it(self, ap, said, stances):
        assert spending(ap, me={"stance": "crouching"}, changing=True, **said).stances == stances

    def test_kept_there_is_no_other(self):
        assert spending(4, me={"stance": "prone"}).stances == ("prone",)
