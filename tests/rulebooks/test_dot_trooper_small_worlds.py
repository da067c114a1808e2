"""Small worlds in full: a slice of what tests/long/every_dot_trooper_world.py asks on every map of seven dots."""

from collections import Counter
from itertools import islice

import pytest
from dot_trooper_seven_dots import DOTS, KINDS, Players, Question, questions, worlds

#: One of so many questions is asked here; a number that shares no factor with what they are made of.
STEP = 401


def test_every_map_is_there_once():
    """3 kinds of dot on 7 dots; turned and mirrored 92 rings about 3 kinds of middle."""
    assert len(set(worlds(all_of_them=True))) == len(KINDS) ** len(DOTS) == 2187
    assert len(set(worlds())) == 3 * 92


# Long: many maps are played out; the widest is tried beside it.
@pytest.mark.long
def test_reach_equals_play_on_a_slice_of_all_maps():
    """DT-59 to DT-96, DT-164, DT-165, DT-8 to DT-16."""
    players = Players()
    for asked in islice(questions(), 0, None, STEP):
        players.check(asked)
    assert set(players.asked) == {"drive", "walk", "fly"}
    assert players.ends > 100


@pytest.mark.sampled(dear=["networkx"])
@pytest.mark.parametrize("engine", ["numpy", "networkx"])
def test_the_widest_map_by_both_engines(engine):
    """The open one, and the one with its middle a level higher."""
    players = Players()
    for kinds in ((1,) * 7, (2, 1, 1, 1, 1, 1, 1)):
        for asked in (
            Question(kinds, "drive", (0, 1), 0, "moving", "assault"),
            Question(kinds, "walk", (0, 1)),
            Question(kinds, "fly", (0, 1)),
        ):
            if asked.what != "drive" or kinds[0] == 1 or asked.heading in (0, 180):
                players.check(asked, engine)
    assert players.asked == Counter(drive=2, walk=2, fly=2)
