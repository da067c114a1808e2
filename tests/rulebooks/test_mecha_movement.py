"""Units of mecha compiled for a Move Action: what it may spend, what it has to spend, and whom it has to touch."""

from fractions import Fraction

import pytest
from mecha_games import mecha_game, unit

from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.mecha.jumping import JumpMoves, jump_moves
from simulator.rulesets.mecha.move_judge import moves_for
from simulator.rulesets.mecha.movement import (
    compiled,
    compiled_anywhere,
    compiled_standing,
    compiled_turning,
    minimum_of,
)

FOE = unit("B", "walker", (20, 0), "blue")
KEEP = Piece("keep", "building", rectangle((0, 0), (6, 6)), "elevated", 4)
PAD = Piece("pad", "rough", rectangle((0, 0), (4, 4)))
STILL = {"move_table.walker.rough": 0}


def moves(action, *others, one=None, terrain=(), tables=None, named=None, **options):
    """A walker compiled for an action."""
    table = mecha_game(
        one or unit("A", "walker", move=5), FOE, *others, terrain=terrain, tables=tables, options=options
    ).table
    return compiled(table, table.unit("A"), action, **(named or {}))


class TestBudgets:
    @pytest.mark.parametrize(
        ("action", "named", "budget"),
        [
            *(("standard", {}, 5), ("break_away", {}, 5), ("run", {}, 10), ("charge", {"target": "B"}, 10)),
            *(("manoeuvre", {}, Fraction(5, 2)), ("unload", {}, Fraction(5, 2)), ("exit_unit", {}, Fraction(5, 2))),
            ("enter_unit", {"carrier": "C"}, Fraction(5, 2)),
        ],
    )
    def test_of_each_action(self, action, named, budget):
        """ME-6, ME-9, ME-10."""
        found = moves(action, unit("C", "track", (0, 6), slots=2), named=named)
        assert (found.space.budget, found.held_by) == (budget, "")
        held = moves(action, unit("C", "track", (0, 6), slots=2), terrain=(PAD,), tables=STILL, named=named)
        assert (held.space.budget, held.held_by) == (0, "ME-16")

    def test_static_units(self):
        """ME-26."""
        found = moves("standard", one=unit("A", "static"))
        assert (found.space.budget, found.held_by) == (0, "ME-26")

    def test_who_is_placed_first_is_held_by_no_ground(self):
        """ME-16, ME-83: it may move on where that lets it; on a roof it stays wholly on that."""
        one = unit("A", "walker", move=5, level="keep")
        table = mecha_game(one, FOE, terrain=(KEEP, PAD), tables=STILL).table
        found = compiled_anywhere(table, one, "exit_unit")
        assert (found.space.budget, found.held_by, found.levels[0].name) == (Fraction(5, 2), "", "keep")
        assert [found.space.ground.rate_at(x, 0) is None for x in (2.4, 2.6, 30)] == [False, True, True]
        below = compiled_anywhere(table, unit("A", "walker", (1, 1), move=5), "exit_unit")
        assert (below.space.budget, below.held_by) == (Fraction(5, 2), "")
        assert "ME-16" in [bar.clause for bar in below.levels[0].bars]

    def test_who_is_set_down_stays(self):
        """ME-79, ME-81: it has nothing to spend, and lies wholly on the roof."""
        one = unit("A", "walker", move=5, level="keep")
        table = mecha_game(one, FOE, terrain=(KEEP, PAD), tables=STILL).table
        found = compiled_standing(table, one)
        assert found.space.budget == 0
        assert [found.space.ground.rate_at(x, 0) is None for x in (2.4, 2.6)] == [False, True]
        below = compiled_standing(table, unit("A", "walker", (1, 1), move=5))
        assert "ME-16" not in [bar.clause for bar in below.levels[0].bars]

    def test_who_makes_no_move_action(self):
        """ME-34, ME-35: nothing to spend, and its free turn."""
        table = mecha_game(unit("A", "walker", free_turned=0), FOE).table
        found = compiled_turning(table, table.unit("A"))
        assert (found.space.budget, found.space.starts[0].free) == (0, 90)
        used = mecha_game(unit("A", "walker", free_turned=10), FOE).table
        assert compiled_turning(used, used.unit("A")).space.starts[0].free == 0


class TestMinimum:
    @pytest.mark.parametrize("run", ["spent", "displacement", "none"])
    @pytest.mark.parametrize("charge", ["as_run", "none"])
    def test_of_runs_and_charges(self, run, charge):
        """ME-50, ME-88: more than M is spent, or lies between start and end, or neither."""
        for action in ("run", "charge", "standard", "break_away"):
            named = {"target": "B"} if action == "charge" else {}
            found = moves(action, named=named, run_minimum=run, charge_minimum=charge).space
            wants = "none" if action not in ("run", "charge") or (action == "charge" and charge == "none") else run
            assert found.more_than == (5 if wants == "spent" else None)
            assert [(one.place, one.inches) for one in found.far_from] == (
                [((0, 0), 5)] if wants == "displacement" else []
            )
            table = mecha_game(unit("A", "walker"), options={"run_minimum": run, "charge_minimum": charge}).table
            assert minimum_of(table, action) == wants


class TestTouching:
    def test_whom(self):
        """ME-71, ME-73, ME-87: all earlier contacts, the carrier, the target, and nobody."""
        near, beside = unit("D", "walker", (0, 1), "blue"), unit("F", "walker", (0, -1))
        truck = unit("C", "track", (0, 6), slots=2, size_class=4)
        for action, named, touched in (
            ("manoeuvre", {}, ("D",)),
            ("enter_unit", {"carrier": "C"}, ("C",)),
            ("charge", {"target": "B"}, ("B",)),
            ("standard", {}, ()),
            ("break_away", {}, ()),
            ("run", {}, ()),
        ):
            found = moves(action, near, beside, truck, named=named)
            assert found.touched == touched
            assert len(found.space.touch) == len(touched)

    @pytest.mark.parametrize(
        ("order", "found"),
        [
            ("A charge B: forward 8", ["ME-87"]),
            ("A charge B: forward 2", ["ME-87", "ME-88"]),
            ("A enter_unit C: forward 1", ["ME-73"]),
            ("A run: forward 2", ["ME-50"]),
            ("A manoeuvre: backward 1", ["ME-71"]),
            ("A standard: forward 7", ["ME-10"]),
        ],
    )
    def test_by_which_clause(self, order, found):
        """ME-10, ME-50, ME-71, ME-73, ME-87, ME-88."""
        touching = [unit("D", "walker", (0, 1), "blue")] if "manoeuvre" in order else []
        skilled = unit("A", "walker", skills=["combat_manoeuvres"])
        truck = unit("C", "track", (0, 6), slots=2, size_class=4)
        game = mecha_game(skilled, FOE, truck, *touching)
        assert [one.clause for one in game.breaches(order)] == found

    @pytest.mark.parametrize("action", ["run", "charge B"])
    def test_by_which_clause_it_does_not_get_far_enough(self, action):
        """ME-50, ME-88, option run_minimum: 3 inches from where it began, and a Move of 6."""
        near = unit("B", "walker", (4, 0), "blue")
        game = mecha_game(unit("A", "walker"), near, options={"run_minimum": "displacement"})
        (found,) = game.breaches(f"A {action}: forward 3")
        assert (found.clause, found.needed, found.available) == ("ME-50" if action == "run" else "ME-88", 6, 3)

    @pytest.mark.parametrize("stops", [False, True])
    def test_who_stops_it(self, stops):
        """ME-8, option contact_stops_move."""
        found = moves("standard", contact_stops_move=stops)
        assert (found.stops, len(found.space.stops)) == (("B",) * stops, int(stops))


@pytest.mark.parametrize(("option", "budget"), [("up_to_move", 6), ("edge_only", 0)])
def test_what_a_jump_may_spend(option, budget):
    """ME-67, option jump_move."""
    one = unit("A", "walker", level="keep")
    table = mecha_game(one, FOE, terrain=(KEEP,), options={"jump_move": option}).table
    assert jump_moves(table, one).space.budget == budget


def test_a_jump_has_moves_of_its_own():
    """ME-64, ME-67: it leads over the edge, which no other Move Action does (ME-106)."""
    game = mecha_game(unit("A", "walker", level="keep"), FOE, terrain=(KEEP,))
    for order, jumps in (("A jump: forward 2.5, jump_off", True), ("A standard: forward 2.5", False)):
        found, written = moves_for(game.table, game.table.unit("A"), game.read(order))
        assert isinstance(found, JumpMoves) == jumps
        assert [type(move).__name__ for move in written] == ["Travel", *(["Follow"] if jumps else [])]


class TestReasons:
    """ME-10, ME-16, ME-26, ME-41: why places are out of reach, and orders illegal."""

    #: Walls all round, half an inch from the base.
    WALLS = tuple(
        Piece(f"wall{number}", "building", rectangle(middle, size), "elevated", 6)
        for number, (middle, size) in enumerate(
            [((2, 0), (2, 6)), ((-2, 0), (2, 6)), ((0, 2), (2, 2)), ((0, -2), (2, 2))]
        )
    )

    @pytest.mark.parametrize(
        ("one", "terrain", "tables", "found"),
        [
            (unit("A", "static"), (), None, ("ME-26", "it never moves where it stands", "")),
            (unit("A", "static"), WALLS, None, ("ME-26", "it never moves where it stands", "")),
            (unit("A", "walker"), (PAD,), STILL, ("ME-16", "it never moves where it stands", "")),
            (unit("A", "walker"), WALLS, None, ("ME-10", "no move leads there: wall0 is in the way", "wall0")),
        ],
    )
    def test_where_no_move_leads(self, one, terrain, tables, found):
        game = mecha_game(one, FOE, terrain=terrain, tables=tables)
        reasons = game.reach("A", "standard").why_not((5, 0)).reasons
        assert [(reason.clause, reason.message, reason.blocker) for reason in reasons] == [found]

    def test_in_movement_points(self):
        (found,) = mecha_game(unit("A", "walker", move=5), FOE).breaches("A standard: forward 6")
        assert (found.clause, found.needed, found.available) == ("ME-10", 6, 5)
        assert " mp" in found.message

    @pytest.mark.parametrize(("order", "found"), [("forward 5", [("ME-43", "P")]), ("forward 12", [("ME-41", "B")])])
    def test_whose_base_is_in_the_way(self, order, found):
        """ME-41, ME-42, ME-43: it may move through P, and end beyond it; through B it may not move."""
        small, large = unit("A", "walker", size_class=1, move=12), unit("P", "walker", (5, 0), size_class=4)
        game = mecha_game(small, large, unit("B", "walker", (11, 0), "blue"))
        assert [(one.clause, one.blocker) for one in game.breaches(f"A standard: {order}")] == found
