"""Reach of skirmish beside play: each value of each option and each figure, from many moments of an activation."""

import pytest
from skirmish_compared import compared, lucky
from skirmish_tables import chosen, game_with, rough, wall

from simulator.rulesets.skirmish import RULESET
from simulator.rulesets.skirmish.figures import TABLES

OPTIONS = [
    {name: value}
    for name, option in RULESET.options.declared.items()
    for value in option.values
    if not name.startswith("dodge") and name != "running_until"
]
#: What the soldier is like, where it stands, and what it has done in this activation.
MOMENTS = {
    "fresh": ({}, (0, 0), []),
    "an AP spent": ({}, (0, 0), ["A1: to 1,1"]),
    "crouching in rough ground": ({"stance": "crouching"}, (0, -2), []),
    "prone beside a wall": ({"stance": "prone"}, (2, 0.5), []),
    "in contact with a friend": ({"threshold_left": 0}, (0, -0.5), []),
    "a larger base on the edge": ({"radius": 0.75}, (-3.25, 0), []),
    "has run": ({"ap_per_activation": 5}, (-3, 0), ["A1 run: to -3,1.5"]),
    "has traversed": ({"ap_per_activation": 4}, (2, 0), ["A1 traverse long"]),
    "under fire and hurt": ({"incoming_fire": 1, "health": 1, "running": True}, (0, 0), []),
}
#: Each figure that reach depends on, smaller and larger than it is.
FIGURES = {
    "inches.standing": (2, 4.5),
    "inches.crouching": (1, 4),
    "inches.prone": (0, 2.5),
    "cost.move": (2,),
    "cost.change_stance": (0, 2),
    "cost.run.ap": (1, 2, 4),
    "run.inches": (0, 4, 12),
    "run.failed.inches": (0, 9),
    "terrain.lost_inches": (0, 2, 5),
    "terrain.roll.level": ("poor", "excellent"),
    "traverse.within": (0, 0.25, 2.5),
    "traverse_difficulty.gap": ("poor", "impossible"),
    "traverse_difficulty.up_to.poor": (0, 1.5),
    "traverse_difficulty.up_to.normal": (0.5, 5),
    "traverse_difficulty.up_to.good": (0.5, 5),
    "traverse_difficulty.up_to.excellent": (0.5, 9),
    "traverse_max_depth.inches": (0, 5),
    "rank.poor": (-3, 9),
    "rank.normal": (1, 9),
    "rank.good": (1, 9),
    "rank.excellent": (1, 9),
    **{f"target_modifier.r{rank}": (-7, 5) for rank in range(1, 10)},
}
#: What no reach depends on.
OTHERS = {"cost.dodge", "dodge.inches", "dodge.roll.level", "penalty.target_running"}
#: Other dice are played in `test_dice_of_the_tables.py`.
DICE = {"roll.dice"}
#: Those that are compared here; the long script compares the rest.
HERE = [
    ("cost.change_stance", 0),
    ("run.inches", 0),
    ("terrain.lost_inches", 5),
    ("traverse.within", 0),
    ("traverse.within", 2.5),
    ("target_modifier.r1", -7),
]


def a_table(moment, options=None, tables=None):
    """A little of everything: a wall, rough ground, two walls with a gap between them, a friend; the edge is near."""
    pieces = [
        wall((2.5, -4), (2.5, 1.5), height=1.0, name="long"),
        rough(-2, -3, 2, -1.5),
        wall((-1, 2.5), (-1, 5), height=9, name="left"),
        wall((-0.2, 2.5), (-0.2, 5), height=9, name="right"),
    ]
    me, at, before = MOMENTS[moment]
    others, edge = (("A2", "red", (1.0, -0.5)),), {"corner": (-4, -5), "size": 10}
    game = lucky(game_with(*pieces, others=others, options=options, tables=tables, me=me, at=at, **edge))
    for order in before:
        if not list(game.breaches(order)):
            game.do(order, chosen())
    return game


def everything():
    """Each moment with the defaults, each value of each option and each figure, from one moment or another."""
    moments = list(MOMENTS)
    for number, moment in enumerate(moments):
        yield number, moment, None, None
    for number, options in enumerate(OPTIONS):
        yield number, moments[number % len(moments)], options, None
    for number, (figure, value) in enumerate((name, value) for name in FIGURES for value in FIGURES[name]):
        yield number, moments[(5 * number) % len(moments)], None, {figure: value}


@pytest.mark.sampled
@pytest.mark.parametrize("moment", MOMENTS)
def test_each_moment(moment):
    """The long script takes other figures and options at each: `python -m tests.long.skirmish_beside_play`."""
    assert compared(a_table(moment), seed=1, plays=3, places=2) == []


@pytest.mark.sampled("{'ap_per_activation': 2}")
@pytest.mark.parametrize("options", OPTIONS[1::3], ids=str)
def test_some_values_of_options(options):
    assert compared(a_table("fresh", options), seed=2, plays=2, places=2) == []


@pytest.mark.sampled
@pytest.mark.parametrize(("figure", "value"), HERE)
def test_some_figures_smaller_and_larger(figure, value):
    assert compared(a_table("fresh", tables={figure: value}), seed=3, plays=2, places=2) == []


def test_no_figure_is_left_out():
    """Each number and each level of tables.toml is set smaller or larger by the long script, or is none of reach."""
    paths = {path for path in TABLES if not path.endswith((".clause", ".kinds"))}
    assert paths == set(FIGURES) | OTHERS | DICE
