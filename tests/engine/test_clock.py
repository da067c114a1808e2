"""Turn clocks: alternating goes, side by side, two phases, action points, initiative passes."""

# ruff: noqa: RUF012 - a ruleset fills in a form: it need not use all it is given

import pytest

from simulator.engine.clock import Clock, Phase
from simulator.engine.errors import FaultyRule, IllegalOrder
from simulator.engine.events import Event, change_data, change_unit
from simulator.engine.game import Game
from simulator.engine.ledger import LedgerLine
from simulator.engine.options import Options
from simulator.engine.orders import ActionForm, Vocabulary
from simulator.engine.questions import Roll
from simulator.engine.ruleset import Ruleset
from simulator.engine.turns import TurnClock
from simulator.engine.unit_types import FieldSpec, UnitType
from simulator.geometry.squares import SquareGrid


def act(table, order):
    unit = table.unit(order.unit)
    yield Event(
        "acts", unit.id, [change_unit(unit.id, ap=unit["ap"] - 1)], price=[LedgerLine("an action", currency="AP")]
    )


def fall(table, order):
    yield Event("falls", order.unit, [change_unit(order.unit, place=None)])


def game_with(clock, **ap):
    """A game of five pieces in which everything is legal but what the clock forbids."""

    class Clockwork(Ruleset):
        name = "clockwork"
        unit_types = {"piece": UnitType("piece", {"ap": FieldSpec(1), "passes": FieldSpec(1)})}
        options = Options
        vocabulary = Vocabulary(actions=[ActionForm("act"), ActionForm("fall")])
        actions = {"act": act, "fall": fall}

        def breaches(self, table, order):
            return ()

    ruleset = Clockwork()
    ruleset.clock = clock
    sides = {"a1": "red", "a2": "red", "a3": "red", "b1": "blue", "b2": "blue"}
    units = [
        ruleset.make_unit(name, "piece", side, (number, 0), ap=ap.get(name, 1), passes=ap.get(name, 1))
        for number, (name, side) in enumerate(sides.items())
    ]
    return Game.new(ruleset, SquareGrid.open(9, 9), units)


def order_of_goes(game, choose=min, goes=12):
    """Play a game by always giving the order to the unit that `choose` takes out of those that may go."""
    seen = []
    for _ in range(goes):
        free = game.ruleset.clock.may_go(game.table)
        for name in game.state.units:
            assert (not game.breaches(f"{name} act")) == (name in free)
        who = choose(free)
        turn, phase = game.state.clock.turn, game.state.clock.phase.name
        game.do(f"{who} act")
        seen.append(f"{turn} {phase} {who}")
    return seen


class AllOfThem(TurnClock):
    """Everything that the hooks can tell, in the table's data."""

    def note(self, table, what):
        yield Event("note", changes=[change_data(notes=(*table.data.get("notes", ()), what))])

    def turn_begins(self, table):
        yield from self.note(table, f"turn {table.clock.turn}")

    def turn_ends(self, table):
        yield from self.note(table, f"end of turn {table.clock.turn}")

    def phase_begins(self, table, phase):
        yield from self.note(table, phase.name)

    def phase_ends(self, table, phase):
        yield from self.note(table, f"end of {phase.name}")

    def go_begins(self, table, unit):
        yield from self.note(table, unit.id)

    def go_ends(self, table, unit):
        yield from self.note(table, f"end of {unit.id}")


class TestAlternatingGoes:
    def test_sides_take_turns_until_one_has_none_left(self):
        assert order_of_goes(game_with(TurnClock()), goes=6) == [
            "1 turn a1",
            "1 turn b1",
            "1 turn a2",
            "1 turn b2",
            "1 turn a3",
            "2 turn a1",
        ]

    def test_a_refusal_says_whose_go_it_is(self):
        game = game_with(TurnClock())
        assert [breach.message for breach in game.breaches("b1 act")] == [
            "in turn it is the go of a1, a2 or a3, not of b1"
        ]
        game.do("a1 act")
        assert [breach.message for breach in game.breaches("a1 act")] == ["a1 has had its go in turn"]

    def test_the_fallen_are_passed_over(self):
        game = game_with(TurnClock())
        game.do("a2 fall")
        assert [breach.message for breach in game.breaches("a2 act")] == ["a2 has had its go in turn"]
        assert order_of_goes(game, goes=5)[:4] == ["1 turn b1", "1 turn a1", "1 turn b2", "1 turn a3"]
        assert [breach.message for breach in game.breaches("a2 act")] == ["a2 cannot act in turn"]

    def test_a_side_can_pass_all_its_goes(self):
        game = game_with(TurnClock())
        game.do("red done")
        assert order_of_goes(game, goes=3) == ["1 turn b1", "1 turn b2", "2 turn a1"]
        game.do("all done")
        assert game.state.clock.turn == 3
        assert game.breaches("green done")[0].message == "green is neither a unit nor a side (red, blue, all)"

    def test_a_side_that_is_through_has_nothing_to_pass(self):
        game = game_with(TurnClock())
        game.do("red done")
        assert game.breaches("red done")[0].message == "red: no unit has a go left in turn"


class TestActionPoints:
    class Points(TurnClock):
        phases = (Phase("round", "alternate", "SK-65"),)

        def has_more(self, table, unit):
            return unit["ap"] > 0

    def test_a_go_lasts_while_there_are_points(self):
        game = game_with(self.Points(), a1=2, b1=3)
        assert order_of_goes(game, goes=4, choose=lambda free: free[0]) == [
            "1 round a1",
            "1 round a1",
            "1 round b1",
            "1 round b1",
        ]
        assert game.state.clock.unit == "b1"

    def test_naming_the_next_unit_ends_a_go(self):
        game = game_with(self.Points(), a1=3)
        game.do("a1 act")
        assert [breach.message for breach in game.breaches("a2 act")] == [
            "in round it is the go of a1, b1 or b2, not of a2"
        ]
        game.do("b1 act")
        assert game.state.clock.done == ("a1", "b1")

    def test_a_go_can_be_ended(self):
        game = game_with(self.Points(), a1=3)
        game.do("a1 act")
        game.do("a1 done")
        assert (game.state.clock.side, game.state.clock.done) == ("blue", ("a1",))

    def test_the_clause_of_the_phase_is_cited(self):
        assert {breach.clause for breach in game_with(self.Points()).breaches("b1 act")} == {"SK-65"}


class TestSideBySide:
    def test_one_side_makes_all_its_goes_then_the_next(self):
        class Sides(AllOfThem):
            phases = (Phase("moves", "sides"), Phase("blasts", "nobody"), Phase("fire", "any"))

        game = game_with(Sides())
        seen = order_of_goes(game, goes=7)
        assert seen == [*(f"1 moves {name}" for name in ("a1", "a2", "a3", "b1", "b2")), "1 fire a1", "1 fire a2"]
        notes = game.state.data["notes"]
        assert notes[:4] == ("turn 1", "moves", "a1", "end of a1")
        assert notes[11:15] == ("end of b2", "end of moves", "blasts", "end of blasts")
        assert game.breaches("a1 act")[0].message == "a1 has had its go in fire"


class TestTwoMovementPhases:
    def test_every_unit_acts_once_in_each(self):
        class Two(TurnClock):
            phases = tuple(Phase(name, "any", "ME-1") for name in ("movement_1", "attack_1", "movement_2", "attack_2"))

        seen = order_of_goes(game_with(Two()), goes=22, choose=max)
        assert seen[:5] == [f"1 movement_1 {name}" for name in ("b2", "b1", "a3", "a2", "a1")]
        assert [line.split()[1] for line in seen[::5]] == [
            "movement_1",
            "attack_1",
            "movement_2",
            "attack_2",
            "movement_1",
        ]
        assert seen[20].startswith("2 ")


class TestAnyOrder:
    class Free(AllOfThem):
        phases = (Phase("movement_1", "any"), Phase("attack_1", "any"))

        def has_more(self, table, unit):
            return unit["ap"] > 0

    def test_a_go_rests_while_another_acts_and_begins_once(self):
        game = game_with(self.Free(), a1=3, b1=2)
        for order in ("a1 act", "b1 act", "a1 act", "b1 act"):
            game.do(order)
        assert game.state.data["notes"] == ("turn 1", "movement_1", "a1", "b1", "end of b1")
        assert (game.state.clock.resting, game.state.clock.done) == (("a1",), ("b1",))
        game.do("a1 act")
        assert game.state.clock.done == ("b1", "a1")

    def test_a_go_that_rests_ends_when_nothing_is_left_of_it(self):
        game = game_with(self.Free(), a1=3, b1=3)
        game.do("a1 act")
        game.do("b1 act")
        game.state = game.state.put_unit("a1", ap=0)
        game.do("b1 act")
        assert (game.state.clock.unit, game.state.clock.done, game.state.clock.resting) == ("b1", ("a1",), ())

    def test_a_phase_can_be_ended_with_goes_that_rest(self):
        game = game_with(self.Free(), a1=3, b1=3)
        game.do("a1 act")
        game.do("b1 act")
        game.do("all done")
        assert game.state.clock.phase.name == "attack_1"
        assert (game.state.clock.resting, game.state.clock.done) == ((), ())
        assert game.state.data["notes"][-4:] == ("end of b1", "end of a1", "end of movement_1", "attack_1")


class TestInitiativePasses:
    class Passes(TurnClock):
        """As many passes as the most that any unit has, fixed for the turn; in each the quick go first."""

        def turn_phases(self, table):
            return tuple(
                Phase(f"pass {n}", "listed", "GR-4") for n in range(1, max(u["passes"] for u in table.state) + 1)
            )

        def line(self, table, phase):
            return tuple(unit.id for unit in sorted(table.state, key=lambda unit: -unit["passes"]))

    def test_units_go_in_their_order_in_every_pass(self):
        seen = order_of_goes(game_with(self.Passes(), b1=2), goes=11)
        assert seen[:5] == ["1 pass 1 b1", "1 pass 1 a1", "1 pass 1 a2", "1 pass 1 a3", "1 pass 1 b2"]
        assert [seen[5], seen[10]] == ["1 pass 2 b1", "2 pass 1 b1"]

    def test_the_number_of_passes_is_fixed_when_the_turn_begins(self):
        game = game_with(self.Passes(), b1=2)
        game.state = game.state.put_unit("a1", passes=3)
        order_of_goes(game, goes=10)
        assert game.state.clock.turn == 2
        assert len(game.state.clock.phases) == 3

    def test_a_unit_out_of_its_order_is_refused(self):
        game = game_with(self.Passes(), b1=2)
        assert game.breaches("a1 act")[0].message == "in pass 1 it is the go of b1, not of a1"


class TestBeginningAndEnd:
    def test_before_the_beginning_nothing_can_be_done(self):
        game = game_with(TurnClock())
        game.undo()
        assert str(game.state.clock) == "before the beginning"
        assert [breach.message for breach in game.breaches("a1 act")] == ["the game has not begun"]
        assert [breach.message for breach in game.breaches("red begin")] == ["the game begins with 'all begin'"]
        game.do("all begin")
        assert str(game.state.clock) == "turn 1, turn, red to move"
        with pytest.raises(IllegalOrder, match="the game has begun"):
            game.do("all begin")

    def test_when_nobody_can_act_for_a_turn_the_game_is_over(self):
        game = game_with(AllOfThem())
        for name in ("a1", "b1", "a2", "b2", "a3"):
            game.do(f"{name} fall")
        assert game.state.clock.over
        assert str(game.state.clock) == "turn 2, over"
        assert game.state.data["notes"][-2:] == ("end of turn", "end of turn 2")
        assert [breach.message for breach in game.breaches("a1 act")] == ["the game is over: nobody can act"]

    def test_a_turn_has_a_phase(self):
        class Empty(TurnClock):
            phases = ()

        with pytest.raises(FaultyRule, match="at least one phase"):
            game_with(Empty())

    def test_a_hook_may_ask(self):
        class Initiative(TurnClock):
            def turn_begins(self, table):
                first = yield Roll("initiative", dice="D2")
                yield Event("initiative", changes=[change_data(first=first)])

            def sides(self, table, phase):
                return ("red", "blue") if table.data["first"] == 1 else ("blue", "red")

        game = game_with(Initiative())
        assert str(game.question) == "initiative"
        game.answer(2)
        assert game.ruleset.clock.may_go(game.table) == ("b1", "b2")

    def test_an_unknown_order_of_goes_is_refused(self):
        with pytest.raises(ValueError, match="alternate, sides, listed, any or nobody, not 'random'"):
            Phase("turn", "random")

    def test_the_clock_comes_back_from_plain_data(self):
        game = game_with(TestInitiativePasses.Passes(), b1=2)
        assert Clock.from_fields(game.state.clock.to_fields()) == game.state.clock
