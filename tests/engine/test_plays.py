"""Every play of an order: foresight follows each question once and finds what all plays come to, one by one."""

import duel_ruleset
import numpy as np
import pytest
from duel_ruleset import fighter
from every_play import assert_foreseen_is_played

from simulator.engine.errors import IllegalOrder
from simulator.engine.game import Game
from simulator.engine.memory import Memory
from simulator.engine.plays import Plays
from simulator.geometry.squares import SquareGrid


def random_row(seed, nerve=1):
    """Four fighters on a row of twelve squares."""
    random = np.random.default_rng(seed)
    columns = (random.permutation(8)[:4] + 1).tolist()
    names = [("A1", "red"), ("B1", "blue"), ("A2", "red"), ("B2", "blue")]
    units = [
        fighter(name, side, column, nerve=int(random.integers(0, nerve + 1)), shield=int(random.integers(0, 2)))
        for (name, side), column in zip(names, columns, strict=True)
    ]
    return Game.new(duel_ruleset.RULESET, SquareGrid.from_text(" ".join(random.choice([".", ","], 10))), units)


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(4))
def test_what_is_listed_is_what_some_play_comes_to(seed):
    """Blows, dodges, lunges after dodges, wounds: whatever A1 can be ordered, each play by itself."""
    game, plays = random_row(seed), 0
    for order in ("walk: left 1", "walk: right 2", "strike B1", "pray"):
        try:
            game.foresee(f"A1 {order}")
        except IllegalOrder:
            continue
        plays += assert_foreseen_is_played(game, [f"A1 {order}"], most=100_000)
    assert plays


class TestTheLimit:
    """What cannot be followed to its end is never passed over in silence."""

    @pytest.fixture
    def walk(self):
        fighters = [fighter("A1", "red", 2, nerve=2), fighter("B1", "blue", 3), fighter("B2", "blue", 1)]
        game = Game.new(duel_ruleset.RULESET, SquareGrid.from_text(". . . . . ."), fighters)
        return game.foresee("A1 strike B1")

    def test_plays_say_up_to_how_many_reactions_they_are_whole(self, walk):
        whole = Plays(walk.setting, walk.before, walk.sequel)
        assert (whole.are_whole, whole.reactions_followed) == (True, None)
        few = Plays(walk.setting, walk.before, walk.sequel, most=20)
        assert not few.are_whole
        assert few.reactions_followed in (-1, 0, 1)
        assert few.most_interruptions <= whole.most_interruptions
        assert {moment.question for moment in few.interruptions} <= {moment.question for moment in whole.interruptions}


class TestMemory:
    @pytest.mark.parametrize("loop", [iter, enumerate, zip, lambda things: filter(None, things)])
    def test_loops_that_have_come_to_different_places_are_told_apart(self, loop):
        def rule(things):
            for _ in loop(things):
                yield

        first, second = rule(("same", "same")), rule(("same", "same"))
        next(first)
        next(second)
        memory = Memory()
        assert memory.of(first) == memory.of(second)
        next(second)
        assert memory.of(first) != memory.of(second)

    def test_lists_are_compared_by_what_they_hold(self):
        def rule():
            held = []
            while True:
                held.append((yield))

        rules = [rule() for _ in range(2)]
        for one in rules:
            next(one)
            one.send("a")
        memory = Memory()
        assert memory.of(rules[0]) == memory.of(rules[1])
        rules[1].send("a")
        assert memory.of(rules[0]) != memory.of(rules[1])

    def test_what_can_not_be_compared_is_like_nothing_else(self):
        class Odd:
            __slots__ = ("value",)
            __hash__ = None

        def rule(odd):
            yield odd

        one = rule(Odd())
        next(one)
        memory = Memory()
        assert memory.of(one) != memory.of(one)
