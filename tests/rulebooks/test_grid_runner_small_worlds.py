"""A slice of all small worlds (`tests/long/every_grid_runner_world.py` has the rest), and what it rests on."""

import pytest
from exhaustive_grid_runner import NoDamage, played
from grid_runner_small_worlds import (
    ACTIONS,
    CORNERS,
    SCALES,
    SQUARES,
    SYMMETRIES,
    Ground,
    differences,
    grounds,
    one_of_each,
    played_on,
    starts,
)

from simulator.geometry.squares import SquareGrid
from simulator.rulesets.grid_runner.movement import prepared_board

EVERY = {scale: list(grounds(scale)) for scale in SCALES}


class TestSmallWorlds:
    """GR-26, GR-35 to GR-48, GR-54 to GR-58, GR-70: ends, costs and certain squares of each."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("scale", SCALES)
    @pytest.mark.parametrize("corners", CORNERS)
    def test_of_a_slice_reach_is_play(self, scale, corners):
        asked = 0
        for ground in EVERY[scale][7 * CORNERS.index(corners) :: 3331]:
            worlds, found = differences(ground, scale, corners)
            assert found == []
            asked += worlds
        assert asked > 15

    def test_they_are_counted(self):
        """Of each board with k open squares there are 1 + 2 k + 4 k (k - 1) / 2 grounds, at m5 3 k more."""
        for scale in SCALES:
            assert len(EVERY[scale]) == {"m1": 23552, "m2": 23552, "m5": 30464}[scale]
            assert len(set(EVERY[scale])) == len(EVERY[scale])
            assert sum(len(starts(ground, scale)) for ground in EVERY[scale]) == WORLDS[scale]
            asked = list(one_of_each(scale))
            assert sum(len(starts(ground, scale)) for ground in asked) == ASKED[scale]
            assert sum(len(set(ground.turned)) for ground in asked) == len(EVERY[scale])

    @pytest.mark.sampled
    @pytest.mark.parametrize("scale", SCALES)
    def test_turned_and_mirrored_worlds_have_the_same_answers_turned_and_mirrored(self, scale):
        """So what holds on one of the eight holds on the others; a ground of each number of walls is looked at."""
        for ground in EVERY[scale][40::4001]:
            for action, place in [(action, place) for action in ACTIONS for place in starts(ground, scale)[:2]]:
                if action == "one_square_move" and scale == "m5":
                    continue
                answers = set()
                for to, turned in zip(SYMMETRIES, ground.turned, strict=True):
                    reach = played_on(turned, scale, "only_between_two", to[place]).reach("A", action)
                    answers.add(tuple((reach.cost_at(to[one]), bool(reach.certain[to[one][::-1]])) for one in SQUARES))
                assert len(answers) == 1


#: As docs/rules/grid_runner.md says: of all grounds, and of one of each eight.
WORLDS = {"m1": 85_248, "m2": 85_248, "m5": 161_280}
ASKED = {"m1": 11_963, "m2": 11_963, "m5": 22_750}


#: Stands in the place of the impeded squares of every board.
HIDDEN = property(lambda _board: pytest.fail("a movement looked at what is impeded"))


def test_no_movement_looks_at_what_is_impeded(monkeypatch):
    """So a world stands for every choice of its open squares that are impeded; charges look at them (GR-74)."""
    ground = Ground(frozenset({(2, 2)}), (("blue", (1, 0)), ("red", (0, 2))))
    for scale in SCALES:
        game = played_on(ground, scale, "no_cut", (0, 0))
        answers = {action: game.reach("A", action) for action in ACTIONS}
        prepared_board.kept.clear()
        monkeypatch.setattr(SquareGrid, "impeded", HIDDEN, raising=False)
        for action, answer in answers.items():
            again = game.reach("A", action)
            assert (again.array == answer.array).all()
            assert (again.certain == answer.certain).all()
            assert again.known_chances == answer.known_chances
            assert game.breaches("A: s") == game.breaches("A move: s") == []
        monkeypatch.undo()


@pytest.mark.parametrize("scale", SCALES)
def test_whole_paths_are_played_as_their_steps_are_judged(scale):
    """What the small worlds take from single steps is what whole orders give, played to their end."""
    for number in (5003, 9001, 20011):
        ground = EVERY[scale][number]
        place = starts(ground, scale)[0]
        game = played_on(ground, scale, "no_cut", place).branch(NoDamage())
        for action in ACTIONS:
            wanted = played(game, action, 6)
            found = {}
            for end in game.reach("A", action).ends:
                if end.cost <= 6:
                    key = (end.place, int(end.phase.endswith("diagonal costs 2")))
                    found[key] = min(int(end.cost), found.get(key, 6))
            assert found == wanted
