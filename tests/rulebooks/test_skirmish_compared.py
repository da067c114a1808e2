"""Reach of skirmish beside play: each value of each option and each figure, from many moments of an activation."""

import pytest
from skirmish_compared import compared
from skirmish_tables import block, game_with, rough, wall

from simulator.rulesets.skirmish import RULESET

OPTIONS = [
    {name: value}
    for name, option in RULESET.options.declared.items()
    for value in option.values
    if not name.startswith("dodge") and name != "running_until"
]
#: What is set, and what the soldier is like at that moment.
MOMENTS = {
    "fresh": {},
    "standing, run": {"has_run": True, "running": True, "ap": 1},
    "crouching": {"stance": "crouching"},
    "prone, an AP spent": {"stance": "prone", "ap": 2},
    "under fire": {"incoming_fire": 1, "health": 1},
    "larger": {"radius": 0.75, "threshold_left": 0},
}
#: Each figure that reach depends on, smaller and larger than it is.
FIGURES = {
    "inches.standing": (2, 4.5),
    "inches.crouching": (1, 4),
    "inches.prone": (0, 2.5),
    "cost.move": (2,),
    "cost.change_stance": (0, 2),
    "cost.run.ap": (1, 2),
    "run.inches": (0, 4, 12),
    "run.failed.inches": (0, 9),
    "terrain.lost_inches": (0, 2, 5),
    "terrain.roll.level": ("poor", "excellent"),
    "traverse.within": (0, 0.25, 2.5),
    "traverse_difficulty.gap": ("poor", "impossible"),
    "traverse_difficulty.up_to.poor": (0, 1.5),
    "traverse_difficulty.up_to.excellent": (1, 9),
    "traverse_max_depth.inches": (0.5, 5),
    "rank.normal": (1, 5),
    "target_modifier.r2": (-6, 4),
}


def a_table(options=None, tables=None, **me):
    """A little of everything: a long wall, a low block, rough ground, a gap, a friend, an enemy, the edge near by."""
    pieces = [
        wall((2.5, -4), (2.5, 2), height=1.0, name="long"),
        block(-3.5, 0.5, -2.5, 3, 1.5, "low"),
        rough(-2, -3, 2, -1.5),
        wall((-1, 3.5), (-1, 6), height=9, name="left"),
        wall((-0.2, 3.5), (-0.2, 6), height=9, name="right"),
    ]
    others = (("A2", "red", (1.0, -0.5)), ("B1", "blue", (0.5, 2.0)))
    return game_with(*pieces, others=others, options=options, tables=tables, me=me, corner=(-6, -6), size=12)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_each_value_of_each_option(options):
    seed = OPTIONS.index(options)
    me = list(MOMENTS.values())[seed % len(MOMENTS)]
    assert compared(a_table(options, **{key: value for key, value in me.items() if key != "ap"}), seed) == []


@pytest.mark.parametrize(("figure", "value"), [(name, one) for name in FIGURES for one in FIGURES[name]])
def test_each_figure_smaller_and_larger(figure, value):
    assert compared(a_table(tables={figure: value}), seed=len(figure), plays=4, places=4) == []
