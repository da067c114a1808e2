"""Chances of skirmish between two bounds that are worked out slowly and plainly: see `plans_over_a_lattice`."""

from fractions import Fraction

import numpy as np
import pytest
import shapely
from plans_over_a_lattice import INCHES, Layout, Plans
from skirmish_tables import block, game_with, rough, wall

from simulator.rulesets.skirmish.reach.fronts import TOLERANCE_OF_AREAS

HEIGHTS = {0.8: 0.8, 0.6: 1.5, 0.4: 2.5}
#: Each with its AP, its Threshold, and how many of 24 places both bounds agree on at least.
LAYOUTS = {
    "two patches": (Layout(rough=((1, -1, 2, 3), (-2, -3, 0, -1))), 3, 0, 12),
    "two patches, Threshold": (Layout(rough=((1, -1, 2, 3), (-2, -3, 0, -1))), 2, 1, 16),
    "three patches and a friend": (
        Layout(rough=((0.5, 0.5, 3, 1.5), (-3, -2, -0.5, 2), (1, -3, 1.5, 0)), friends=((1, -0.5),)),
        2,
        0,
        12,
    ),
    "a friend beyond a strip": (Layout(rough=((-4, 1, 4, 1.5),), friends=((0, 1.2),)), 2, 1, 16),
    "blocks": (Layout(rough=((1, -1, 2, 3), (-3, -2, -1, 2)), blocks=((0, 1, 1, 2), (2.5, -2, 3, 0.5))), 2, 0, 10),
    "a wall": (Layout(rough=((-3, -1, 3, 0.5),), walls=((1.5, 2, 0.6),)), 2, 0, 8),
    "a wall and a friend": (Layout(rough=((-1, 2.5, 3, 4),), walls=((1.5, 2, 0.8),), friends=((1, 3),)), 2, 1, 12),
    "strips crossed by a hair": (Layout(rough=((-6, 1, 6, 2), (-6, -3, 6, -2.5), (2, -6, 2.5, 6))), 3, 0, 8),
    "straight lines": (Layout(rough=((1, -1, 2, 3), (-2, -3, 0, -1)), straight=True), 3, 0, 8),
    "straight lines, a cross": (
        Layout(rough=((-6, 2.25, 6, 2.5), (-6, 4.25, 6, 4.5), (2, -6, 2.25, 6), (-6, -3, 6, -2.5)), straight=True),
        3,
        0,
        4,
    ),
    "straight lines, cut short on the second": (
        Layout(
            rough=((0.5, 2, 2.75, 4.75), (-2.75, 2.5, -2.5, 4.25)),
            blocks=((2.25, -2.25, 2.5, -1.5), (-1, 2, 0, 2.25)),
            straight=True,
        ),
        3,
        0,
        8,
    ),
    "straight lines, blocks": (
        Layout(rough=((0.5, 0.5, 3, 1.5), (-3, -2, -0.5, 2)), blocks=((1, -2, 2, 0),), straight=True),
        3,
        1,
        8,
    ),
    "two walls": (Layout(walls=((1, 1.5, 0.4), (-2, -1.75, 0.8)), friends=((-1.25, 0), (0, 2))), 3, 1, 10),
}


def game_of(layout, threshold):
    pieces = [rough(*box, name=f"patch {number}") for number, box in enumerate(layout.rough)]
    pieces += [block(*box, height=5, name=f"block {number}") for number, box in enumerate(layout.blocks)]
    for number, (low, high, chance) in enumerate(layout.walls):
        pieces.append(block(-20, low, 20, high, height=HEIGHTS[chance], name=f"wall {number}"))
    options = {"path_shape": "straight_per_ap"} if layout.straight else {}
    others = tuple((f"A{number}", "red", place) for number, place in enumerate(layout.friends, 2))
    return game_with(*pieces, others=others, me={"stance": "crouching", "threshold_left": threshold}, options=options)


@pytest.mark.sampled("a wall and a friend")
@pytest.mark.parametrize("name", LAYOUTS)
def test_no_plan_is_better_and_none_on_the_lattice_is_missed(name):
    layout, ap, threshold, agreed = LAYOUTS[name]
    below, above = Plans(layout, ap, generous=False), Plans(layout, ap, generous=True)
    reach = game_of(layout, threshold).reach("A1", "turn", ap=ap, threshold=threshold)
    inside = below.places[np.hypot(*below.places.T) <= ap * INCHES]
    goals = inside[np.random.default_rng(5).choice(len(inside), 24, replace=False)]
    if name == "straight lines, cut short on the second":
        goals[0] = 2, 3.75  # by one gamble after another
    least, most = below.chances(goals, ap, threshold), above.chances(goals, ap, threshold)
    for goal, low, high in zip(goals.tolist(), least.tolist(), most.tolist(), strict=True):
        found, bound = reach.chance_bounds(tuple(goal))
        assert low - 1e-9 <= found <= min(high, bound) + 1e-9, goal
        assert reach.is_certain(goal) == (found == 1)
        spot = shapely.Point(goal)
        assert low < 1 or reach.certain_area.distance(spot) <= TOLERANCE_OF_AREAS, goal
        assert low <= 0 or reach.area.distance(spot) <= TOLERANCE_OF_AREAS, goal
    # The bounds are worth something: on most places they agree.
    assert int(np.sum(np.abs(least - most) < 1e-9)) >= agreed


def test_through_a_strip_by_the_nearest_edge_exactly():  # SK-12: two inches to come to it, one through, two beyond
    layout = LAYOUTS["a friend beyond a strip"][0]
    assert game_of(layout, 0).reach("A1", "turn", ap=3).chance_at((1.5, 4.0)) == 1


@pytest.mark.parametrize("path_shape", ["free", "straight_per_ap"])
def test_what_is_crossed_by_a_hair_opens_all_that_lies_beyond(path_shape):  # SK-12
    # Two inches to come to it, with the one inch that is sure just out of it at one place alone; two from there.
    game = game_with(rough(-6, -3, 6, -2.5), me={"stance": "crouching"}, options={"path_shape": path_shape})
    reach = game.reach("A1", "turn", ap=3, token=False)
    half_disc = shapely.Point(0, -3).buffer(1.98).intersection(shapely.box(-6, -6, 6, -3))
    assert reach.certain_area.covers(half_disc)
    assert reach.chance_at((1.5, -4.3)) == 1


def test_a_line_over_a_friend_that_is_cut_short_stops_before_it():  # SK-14
    # In a lane one wide. Three inches over the friend succeed with 0.6; cut to two they would end on it: it stops at
    # 0.5,0, and may try the second strip from there, 0.6 again.
    lane = [wall((-2, y), (9, y), height=5, name=f"wall {y}") for y in (-0.6, 0.6)]
    strips = [rough(0.1, -3, 0.3, 3, name="near"), rough(5.4, -3, 5.6, 3, name="far")]
    game = game_with(*lane, *strips, others=(("A2", "red", (1.5, 0)),), me={"threshold_left": 0})
    reach = game.reach("A1", "turn", ap=3, token=False)  # and so not by running
    assert reach.chance_at((6.2, 0)) == Fraction(84, 100)
    assert reach.chance_at((6.7, 0)) == Fraction(6, 10)  # too far from 0.5,0


# Long: plans for each way to fail are compared; sure ones are tried beside it.
@pytest.mark.long
def test_after_a_run_that_is_cut_short_one_goes_on():  # SK-35
    # One roll for the three strips of the run: made, it ends beyond the last strip, and the rest is plain. Cut to eight
    # inches it ends before that strip, and 2.9 inches through it are rolled for, 0.6 again.
    lane = [wall((-2, y), (12, y), height=5, name=f"wall {y}") for y in (-0.6, 0.6)]
    strips = [rough(x, -3, x + 0.2, 3, name=f"strip {x}") for x in (2, 4, 6.2, 8.5)]
    game = game_with(*lane, *strips, me={"threshold_left": 0}, options={"ap_per_activation": 4})
    assert game.reach("A1", "turn", ap=4).chance_at((10.9, 0)) == Fraction(84, 100)


@pytest.mark.sampled
@pytest.mark.parametrize(("least", "chance"), [(0, Fraction(6, 10)), (9, Fraction(6, 10) ** 3)])
def test_a_run_that_must_go_nine_inches_is_never_one_of_less(least, chance):  # SK-30, SK-35
    # A lane that turns north after 8.75 inches. One roll for a run to the bend; where it has to go all nine inches
    # nobody can run here, and each move through a strip takes a roll of its own.
    lane = [
        wall((-2, -0.6), (9.3, -0.6), (9.3, 6), height=5, name="outer"),
        wall((-2, 0.6), (8.2, 0.6), (8.2, 6), height=5, name="inner"),
    ]
    strips = [rough(x, -3, x + 0.2, 3, name=f"strip {x}") for x in (2, 4, 6.2)]
    options = {"ap_per_activation": 4, "run_min_inches": least}
    game = game_with(*lane, *strips, me={"threshold_left": 0}, options=options)
    assert game.reach("A1", "turn", ap=4).chance_at((8.75, 2.9)) == chance


@pytest.mark.sampled
@pytest.mark.parametrize(("x", "chance"), [(3.5, Fraction(84, 100)), (6.5, Fraction(6, 10))])
def test_from_front_to_front_a_failure_is_replanned(x, chance):  # SK-3, SK-26, E13
    # The wall of E13: who fails may try again.
    me = {"heading": 180, "threshold_left": 0}
    game = game_with(wall((3, -20), (3, 20)), me=me, options={"measure": "front_point"})
    assert game.reach("A1", "turn", ap=3).chance_at((x, 0)) == chance


def test_from_front_to_front_turning_is_worth_an_inch():  # SK-3, SK-12
    # Two inches to the strip of E7, turned to face on for a third; two through it, turned back for one more.
    me = {"heading": 180, "threshold_left": 0}
    game = game_with(rough(2, -20, 3, 20), me=me, options={"measure": "front_point"})
    reach = game.reach("A1", "turn", ap=2)
    assert reach.chance_at((4.9, 0)) == 1
    assert reach.chance_at((5.9, 0)) == Fraction(6, 10)
    bands = dict(reach.chance_bands())
    assert set(bands) == {Fraction(1), Fraction(6, 10)}
    assert bands[Fraction(1)].covers(shapely.Point(4.9, 0))
    assert bands[Fraction(6, 10)].covers(shapely.Point(5.9, 0))
