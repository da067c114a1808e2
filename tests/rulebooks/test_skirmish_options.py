"""skirmish: what each value of each option changes, beside what its default gives."""

import pytest
from skirmish_tables import block, chosen, clauses_broken, game_with, place_of, rough, wall

from simulator.rulesets.skirmish import RULESET

LONG = wall((3, -9), (3, 9))
STRIP = rough(2, -9, 3, 9)
SHOT = "B1 attack A1 made normal"
FOE = (("B1", "blue", (0, 0)),)


def judged(order, *pieces, **more):
    """The clauses that an order breaks."""
    return lambda options: clauses_broken(game_with(*pieces, options=options, **more), order)


def ended(order, answers, *pieces, field=None, **more):
    """Where a soldier is after an order, or one of its fields."""

    def play(options):
        game = game_with(*pieces, options=options, **more)
        for each in order if isinstance(order, list) else [order]:
            game.do(each, chosen(*answers))
        return place_of(game) if field is None else game.state.unit("A1")[field]

    return play


def asked(order, answers, *pieces, **more):
    """What is asked in the course of an order, with the target of each roll."""

    def play(options):
        happened = game_with(*pieces, options=options, **more).do(order, chosen(*answers))
        return [(entry.question.what, getattr(entry.question, "needed", None)) for entry in happened.answered]

    return play


def running_after_the_round(options):
    """Whether the token is still there when all have acted."""
    game = game_with(options=options)
    game.do("A1 run: to 9,0")
    game.do("B9 done")
    return game.state.unit("A1")["running"]


def traverse_beside_a_run(options):
    """The clauses against a run after a traverse."""
    game = game_with(wall((1, -5), (1, 5)), me={"ap_per_activation": 4}, dice=(1,), options=options)
    game.do("A1 traverse wall")
    return clauses_broken(game, "A1 run: to 9,0")


def first_question(options):
    """What comes first in an attack that is rolled for."""
    game = game_with(at=(3, 4), others=FOE, dice=(1, 1), options=options)
    answers = ["normal"]
    return game.do("B1 attack A1", chosen(*answers)).answered[0].question.what


#: For each option and value: what is looked at, what the default gives, what the value gives.
DIFFERENCES = {
    ("measure", "front_point"): (judged("A1: to 3,0, facing 0", me={"heading": 180}), [], ["SK-2"]),
    ("path_shape", "straight_per_ap"): (judged("A1: to 1,0, to 1,1"), [], ["SK-4"]),
    ("pool_ap", True): (judged("A1 move ap 2: to 6,0"), ["SK-5"], []),
    ("rough_test", "swept_base"): (
        asked("A1: to 3,0", [], rough(-9, 0.4, 9, 9), dice=(1,)),
        [],
        [("Terrain roll", 6)],
    ),
    ("traverse_ap", 0): (ended("A1 traverse wall", [], LONG, at=(2, 0), dice=(1,), field="ap"), 2, 3),
    ("traverse_direction", "any_direction"): (
        judged("A1 traverse wall towards 3,0.5", LONG, at=(2, 0)),
        ["SK-23"],
        [],
    ),
    ("run_min_inches", 9): (judged("A1 run: to 5,0"), [], ["SK-30"]),
    ("running_until", "round_end"): (running_after_the_round, True, False),
    ("run_and_traverse_same_activation", False): (traverse_beside_a_run, [], ["SK-33"]),
    ("run_threshold", True): (
        lambda options: ended(
            "A1 run: to 9,0", ["suffer_threshold"] if options else [], STRIP, dice=(7,), field="running"
        )(options),
        False,
        True,
    ),
    ("dodge_direction", "any_away"): (
        lambda options: ended(SHOT, ["normal", *([90] if options else [])], at=(3, 4), others=FOE, dice=(1,))(options),
        (3.6, 4.8),
        (3, 5),
    ),
    ("dodge_terrain_roll", True): (
        lambda options: ended(
            SHOT,
            ["normal", *(["lose_inch"] if options else [])],
            rough(2, -3, 9, 3),
            at=(3, 0),
            others=FOE,
            dice=(1, 10),
        )(options),
        (4, 0),
        (3, 0),
    ),
    ("dodge_attribute", "PSQ"): (
        asked(SHOT, ["normal"], at=(3, 4), others=FOE, dice=(9,), me={"psq": 3, "ins": 5}),
        [("dodge", None), ("dodge roll", 5)],
        [("dodge", None), ("dodge roll", 3)],
    ),
    ("dodge_timing", "before_attack_roll"): (first_question, "attack roll", "dodge"),
    ("exact_fit_passes", False): (
        judged("A1: to 4,0", block(2, 0.5, 3, 9, name="north"), block(2, -9, 3, -0.5, name="south"), at=(1.5, 0)),
        [],
        ["SK-49", "SK-49"],
    ),
    ("enemy_block", "line_only"): (judged("A1: to 3,0", others=(("B1", "blue", (1.5, 0.8)),)), ["SK-53"], []),
    ("ap_per_activation", 2): (ended("A1: to 1,0", [], field="ap"), 2, 1),
    ("ap_per_activation", 4): (ended("A1: to 1,0", [], field="ap"), 2, 3),
}


@pytest.mark.parametrize(("name", "value"), DIFFERENCES, ids=str)
def test_the_difference(name, value):
    look, usual, otherwise = DIFFERENCES[name, value]
    assert look(None) == usual
    assert look({name: value}) == otherwise


def test_no_value_is_left_out():
    values = {
        (name, value)
        for name, option in RULESET.options.declared.items()
        for value in option.values
        if value != option.default or isinstance(value, bool) != isinstance(option.default, bool)
    }
    assert values == set(DIFFERENCES)
