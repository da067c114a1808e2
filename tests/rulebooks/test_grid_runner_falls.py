"""Falls and delays in grid_runner: what is lost, what may still be done; reach, reasons and play agree on it."""

import pytest
from grid_runner_boards import RULES, character

from simulator.engine.errors import TableError
from simulator.engine.game import Game
from simulator.geometry.squares import SquareGrid

LANE = SquareGrid.open(40, 2)


def lone_runner(hits=None, board=LANE, **options):
    """A of red, running and alone on a lane but for a far enemy; with hits it has sprinted."""
    units = [character("A", "red", (0, 0), mode="run", passes=3), character("B", "blue", (39, 1))]
    played = Game.new(RULES, board, units, options=options)
    if hits is not None:
        played.do("A sprint", answers=[hits])
    return played


def falls_and_rises(played):
    played.do("A becomes prone")
    played.do("A becomes standing")


class TestSprintsThatEnd:
    """GR-29, GR-34: squares of a sprint are running movement; who falls loses those that it has not used."""

    @pytest.mark.parametrize("hits", [1, 2, 5])
    @pytest.mark.parametrize("scale", ["m1", "m2", "m5"])
    @pytest.mark.parametrize("options", [{}, {"carry_over": True}, {"turn_total_cap": True}])
    def test_a_walker_has_its_figure(self, hits, scale, options):
        played = lone_runner(hits, scale=scale, **options)
        falls_and_rises(played)
        never = Game.new(
            RULES,
            LANE,
            [character("A", "red", (0, 0), passes=3), character("B", "blue", (39, 1))],
            options={"scale": scale, **options},
        )
        for table in (played, never):
            if table.reach("A").budget:
                table.do("A move: e")
            table.do("all done")
        assert played.reach("A").budget == never.reach("A").budget
        for name in ("carried", "spent_before"):
            assert played.state.unit("A")[name] == never.state.unit("A")[name]

    def test_nor_has_it_them_again_as_it_runs_again(self):
        played, other = lone_runner(3), lone_runner()
        for table in (played, other):
            falls_and_rises(table)
        played.do("A start_run")
        other.do("A start_run")
        assert played.reach("A").budget == other.reach("A").budget == 8

    def test_what_was_used_by_then_stays_used(self):
        """GR-20: by split_move the rest of a walking figure is left, not what a sprint once was."""
        played = lone_runner(3, split_move=True, sprint_action="none", carry_over=True)
        played.do("A move: e 5")
        falls_and_rises(played)
        played.do("A act complex")
        assert played.reach("A").budget == 4
        played.do("A move: e 3")
        played.do("all done")
        assert played.state.unit("A")["carried"] == 1


@pytest.mark.parametrize("first", [0, 3, 5, 8])
@pytest.mark.parametrize("options", [{}, {"carry_over": True}, {"turn_total_cap": True}])
def test_reach_over_passes_after_a_fall(first, options):
    """GR-20: who has used more than the figure of its new pace carries nothing over, and owes nothing."""
    played = lone_runner(**options)
    if first:
        played.do(f"A move: e {first}")
    falls_and_rises(played)
    for passes in (2, 3):
        there = max(place[0] for place in played.reach("A", passes=passes))
        on = played.branch()
        for number in range(passes):
            if number:
                on.do("all done")
            if (budget := on.reach("A").budget) and not on.breaches(f"A move: e {budget}"):
                on.do(f"A move: e {budget}")
        assert on.state.unit("A").place[0] == there


class TestOrToRun:
    """GR-28: a free action may be paid with the simple one that the movement or the attack needs."""

    @pytest.mark.parametrize("used", [(), ("free",), ("simple",), ("free", "simple")])
    @pytest.mark.parametrize(
        ("action", "place", "more"),
        [
            ("tumble", (9, 0), {}),
            ("withdrawal", (8, 0), {}),
            ("move", (8, 0), {}),
            ("charge_attack", (8, 0), {"target": "B"}),
        ],
    )
    def test_is_said_only_where_it_helps(self, used, action, place, more):
        units = [character("A", "red", (0, 0), passes=2), character("B", "blue", (9, 0), passes=2)]
        units[1] = units[1] if action == "charge_attack" else character("B", "blue", (19, 0), passes=2)
        played = Game.new(RULES, SquareGrid.open(20, 3), units)
        for kind in used:
            played.do(f"A act {kind}")
        said = "or to run" in str(played.reach("A", action, **more).why_not(place))
        running = played.reach("A", action, mode="run", **more)
        assert said == (not running.refused and place in running)


class TestCharges:
    def test_only_right_after_the_movement(self):
        """GR-75, GR-25: who delays does not come from its movement any more, wherever the target has gone."""
        board = SquareGrid.open(20, 8)
        played = Game.new(RULES, board, [character("A", "red", (0, 5)), character("T", "blue", (2, 2))])
        played.do("A move: e 4")
        played.do("A delay")
        played.do("T move: e 3, s 2")
        (why,) = played.breaches("A charge_attack T")
        assert why.clause == "GR-75"
        assert not played.breaches("A melee_attack T")

    def test_nobody_charges_who_is_not_on_the_board(self):
        """GR-41."""
        absent = RULES.make_unit("T", "character", "blue", None)
        played = Game.new(RULES, SquareGrid.open(8, 3), [character("A", "red", (0, 0)), absent])
        with pytest.raises(TableError, match="T is not on the board"):
            played.reach("A", "charge_attack", target="T")


class TestTumbles:
    @pytest.mark.parametrize("dice", [0, 6, 60, 150])
    @pytest.mark.parametrize("damage", [0, "1/2", 1])
    def test_certain_is_what_has_all_chances(self, dice, damage):
        """GR-64: however many dice are rolled, the test may fail."""
        board = SquareGrid.from_text("# # # # #\n. . . . .\n# # # # #")
        units = [
            character("A", "red", (0, 1), agility_gymnastics=dice),
            character("B", "blue", (2, 1), damage_chance=damage),
        ]
        reach = Game.new(RULES, board, units).reach("A", "tumble")
        assert reach.certain[1, 3] == (reach.chance_at((3, 1)) == 1) == (damage == 0)

    @pytest.mark.parametrize("push", ["damage", "any_interception"])
    def test_with_no_square_to_be_pushed_to_it_stops_where_it_may(self, push):
        """GR-72, GR-51: chances agree."""
        units = [
            character("A", "red", (0, 0), agility_gymnastics=0),
            *(character(f"E{x}", "blue", (x, 0), damage_chance="1/4") for x in (1, 2, 3)),
        ]
        played = Game.new(RULES, SquareGrid.open(6, 1), units, options={"tumble_push": push})
        for name in ("E1", "E3"):
            played.do(f"{name} act free")
        chance = played.reach("A", "tumble").chance_at((4, 0))
        played.do("A tumble: e 4", answers=[0, "unarmed", "no damage"])
        assert played.state.unit("A").place == ((4, 0) if push == "damage" else (0, 0))
        assert (chance > 0) == (push == "damage")


def test_a_weapon_without_any_band_is_out_of_range():
    """GR-89 by option omitted_band."""
    played = Game.new(
        RULES,
        SquareGrid.open(8, 3),
        [character("A", "red", (0, 0), weapon="bow"), character("T", "blue", (5, 0))],
        options={"omitted_band": "out_of_range"},
        tables={"weapon_range.m1.bow": ["-", "-", "-", "-"]},
    )
    (why,) = played.breaches("A ranged_attack T")
    assert (why.clause, why.available) == ("GR-89", 0)
