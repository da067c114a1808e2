"""Nonsense: whatever is said, typed or replaced, grid_runner answers with a reason, and nothing has changed."""

import random

import pytest
from grid_runner_boards import RULES, character, game, generated
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine.answers import Answer
from simulator.engine.errors import IllegalOrder, OptionError, TableError, UnreadableOrder
from simulator.engine.game import Game
from simulator.engine.orders import Element, Order
from simulator.errors import SimulatorError
from simulator.geometry.squares import SquareGrid
from simulator.rulesets.grid_runner.figures import TABLES
from simulator.rulesets.grid_runner.movement import DIRECTIONS
from simulator.rulesets.grid_runner.reach.questions import REACHES

SCALES = ("m1", "m2", "m5")
ACTIONS = [form.name for form in RULES.vocabulary.actions]
WORDS = [
    *ACTIONS, *DIRECTIONS, "A", "A1", "A2", "A9", "all", "done", "to", "via", "with", "as", "power", "loss", "target",
    "3,3", "0,0", "99,99", "-1,2", "3", "0", "-4", "1/2", "1e9", "simple", "free", "prone", "out", "bow",
    ":", ",", "e 3", "",
]  # fmt: skip


class AnyAnswer:
    """Answers whatever is asked with anything that the question allows."""

    def __init__(self, seed):
        self.dice = random.Random(seed)

    def answer(self, question, moment):
        chances = getattr(question, "chances", None)
        options = list(chances) if chances is not None else list(question.options)
        return Answer(self.dice.choice(options))


class TestTyped:
    """Orders made of the words of the rulebook in any order."""

    @settings(max_examples=250, deadline=None)
    @given(st.lists(st.sampled_from(WORDS), max_size=8), st.sampled_from(SCALES))
    def test_is_played_or_refused_and_then_nothing_has_changed(self, words, scale):
        played = generated(3, scale, crowd=5)
        before = played.state
        try:
            played.do(" ".join(words))
        except SimulatorError as error:
            assert str(error)
            assert played.state == before

    @settings(max_examples=120, deadline=None)
    @given(st.text(max_size=30))
    def test_any_text_at_all(self, text):
        played = game("@ b .")
        before = played.state
        try:
            played.do(text)
        except SimulatorError:
            assert played.state == before

    @pytest.mark.parametrize(
        ("order", "told"),
        [
            ("A move to 9,9", "no square (9, 9) on this board: columns 0..3, rows 0..0"),
            ("A move: e 0", "a number of squares from 1 to 99"),
            ("A move: e 100", "a number of squares from 1 to 99"),
            ("A move: east", "expected e, ne, n, nw, w, sw, s or se, found 'east'"),
            ("A mvoe: e", "did you mean 'move'"),
            ("Z move: e", "known: A, B1"),
            ("A melee_attack A", "A is not an enemy of A"),
            ("A grapple A", "A is not an enemy of A"),
            ("A charge_attack B7", "B1"),
            ("A ranged_attack B1 with bwo", "did you mean 'bow'"),
            ("A ranged_attack B1", "A has readied nothing"),
            ("A blast 9,9 power 3 loss 1", "9,9"),
            ("A has_passes 0", "a number of passes from 1 to 99"),
            ("A has_passes 7", "the tables end at 4 passes"),
            ("A break_grapple", "A is not in a grapple"),
        ],
    )
    def test_messages_help(self, order, told):
        with pytest.raises(SimulatorError) as error:
            game("@ b . .").do(order)
        assert told in str(error.value)


class TestRandomGames:
    """Orders at random, legal or not, answers at random: no crash, no half-done order, no position that cannot be."""

    @pytest.mark.parametrize("scale", SCALES)
    @pytest.mark.parametrize("seed", range(8))
    def test_of_sixty_orders(self, scale, seed):
        options = {"split_move": seed % 2 == 1, "carry_over": seed % 3 == 1, "charge_path": ("direct", "any")[seed % 2]}
        played = generated(seed, scale, options, crowd=6)
        assert list(RULES.faults(played.table)) == []
        played.answers = AnyAnswer(seed)
        dice, done = random.Random(seed), 0
        for _ in range(60):
            order = random_order(dice, list(played.state.units))
            before = played.state
            try:
                broken = played.breaches(order)
                played.do(order)
                done += 1
                assert broken == []
            except IllegalOrder as error:
                assert [str(breach) for breach in error.breaches] == [str(breach) for breach in broken]
                assert played.state == before
            except (UnreadableOrder, TableError, OptionError):
                assert played.state == before
            assert played.question is None
            assert list(RULES.faults(played.table)) == [], order
        assert done > 8

    @pytest.mark.sampled
    @pytest.mark.parametrize("scale", SCALES)
    def test_reach_answers_in_every_position_on_the_way(self, scale):
        played = generated(5, scale, crowd=6)
        played.answers = AnyAnswer(5)
        dice = random.Random(5)
        for _ in range(25):
            try:
                played.do(random_order(dice, list(played.state.units)))
            except SimulatorError:
                continue
            for unit in list(played.state):
                for action in REACHES:
                    target = {"target": dice.choice(list(played.state.units))} if action == "charge_attack" else {}
                    reach = played.reach(unit.id, action, **target)
                    assert all(0 <= reach.chance_at(place) <= 1 for place in reach)


def random_order(dice, names):
    """One order, of any kind, that the vocabulary can say; most are against some rule."""
    name, other = dice.choice(names), dice.choice(names)
    action = dice.choice(ACTIONS)
    form = RULES.vocabulary.action(action)
    if form.elements:
        steps = [
            Element(dice.choice(DIRECTIONS), {"squares": dice.choice((1, 1, 2, 3))}) for _ in range(dice.randint(1, 3))
        ]
        return Order(name, action, steps)
    said = {
        "act": f"act {dice.choice(('free', 'simple', 'complex'))}",
        "ranged_attack": f"ranged_attack {other} with {dice.choice(('bow', 'taser', 'lmg'))}",
        "becomes": f"becomes {dice.choice(('prone', 'standing', 'immobilised', 'mobile'))}",
        "has_passes": f"has_passes {dice.randint(1, 6)}",
        "blast": f"blast {dice.randint(0, 7)},{dice.randint(0, 7)} power {dice.randint(0, 9)} loss 1 target {other}",
    }
    if action in ("melee_attack", "charge_attack", "grapple"):
        return f"{name} {action} {other}"
    if dice.random() < 0.1:
        return "all done"
    return f"{name} {said.get(action, action)}"


class TestFiguresAndFields:
    """What a scenario replaces has to make sense, and what does not is told with its clause or its field."""

    @pytest.mark.parametrize(
        ("path", "figure", "told"),
        [
            ("allotment_table.m1.walk.human.h2", [5], "2 whole numbers, one for each pass, are required, not 5 (GR-8)"),
            ("allotment_table.m1.walk.human.h1", [-1], "1 whole numbers, one for each pass, are required"),
            ("allotment_table.m1.walk.human.h1", [1.5], "1 whole numbers, one for each pass, are required"),
            ("allotment_table.m1.walk.human", {"h1": [5]}, "h2 is also required"),
            (
                "weapon_range.m1.taser",
                ["0-5", "near", "-", "-"],
                "four bands (such as 0-5, to 10S, 7, or - for one left out) are required",
            ),
            (
                "weapon_range.m1.taser",
                ["0-5"],
                "four bands (such as 0-5, to 10S, 7, or - for one left out) are required",
            ),
            ("action_kind.tumble.kind", "quick", "one of none, free, simple, complex is required, not quick (GR-62)"),
            ("test.hit_on", 9, "a number on a D6 from 2 on is required"),
            ("charge_distance.m1", 2.5, "a whole number from 0 on is required"),
            ("sprint.per_hit.m1", "many", "a number from 0 on is required"),
            ("simple_actions.in_a_pass", -1, "a whole number from 0 on is required"),
        ],
    )
    def test_figures(self, path, figure, told):
        with pytest.raises(OptionError) as error:
            game("@ .", tables={path: figure})
        assert told in str(error.value)
        assert path in str(error.value)

    def test_what_is_printed_will_do(self):
        """GR-10: every figure can be replaced by itself."""
        game("@ .", tables={path: TABLES[path] for path in TABLES})

    @pytest.mark.parametrize(
        ("field", "value", "told"),
        [
            ("passes", 0, "passes: expected a whole number of 1 or more, not 0"),
            ("passes", "two", "passes: expected a whole number of 1 or more, not two"),
            ("passes", True, "passes: expected a whole number of 1 or more"),
            ("str", -1, "str: expected a whole number of 0 or more, not -1"),
            ("running", 2.5, "running: expected a whole number of 0 or more, not 2.5"),
            ("agility_gymnastics", None, "agility_gymnastics: expected a whole number"),
            ("damage_chance", 3, "damage_chance: expected a chance from 0 to 1"),
            ("grapple_chance", "often", "grapple_chance: expected a chance from 0 to 1"),
            ("weapon", 7, "weapon: expected a word, not 7"),
            ("metatype", "gnome", "metatype: no such value"),
            ("colour", "red", "colour: no such field of a character"),
        ],
    )
    def test_fields(self, field, value, told):
        with pytest.raises(OptionError) as error:
            character("A", "red", (0, 0), **{field: value})
        assert told in str(error.value)

    def test_a_setting_is_checked_before_it_is_played(self):
        """GR-19, GR-49, GR-50."""
        units = [character("A", "red", (0, 0), passes=5)]
        options = {"interception_order": ["B"], "free_actions_per_pass": "3/2"}
        played = Game.new(RULES, SquareGrid.open(2, 1), units, options=options, begin=False)
        assert [str(fault) for fault in RULES.faults(played.table)] == [
            "GR-19  A: the tables end at 4 passes, and this is 5",
            "GR-49  free_actions_per_pass: a whole number is required, not 1.5",
            "GR-50  interception_order: there is no 'B'; known: A",
        ]
