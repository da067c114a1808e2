"""What a unit can do in the rest of a turn, whatever state it is in: reach over a turn is what can be played."""

import math

import pytest
from mecha_games import mecha_game, unit
from mecha_heights import KEEP, block
from mecha_heights import unit as climber
from mecha_turns import STATES, pose_of, spent, turns_played

from simulator.geometry.poses import Pose
from simulator.rulesets.mecha.phase_ends import second_phase

OPTIONS = [{}, {"free_turn_per": "turn"}, {"free_turn_split": True}, {"carrier_lock_scope": "turn"}]


def is_near(pose, other):
    """Whether two poses are one."""
    aside = (pose.heading - other.heading + 180) % 360 - 180
    return math.dist(pose.place, other.place) < 1e-5 and abs(aside) < 1e-5 and pose.level == other.level


@pytest.mark.sampled
@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("mobility", ["walker", "four_legged_walker", "track"])
@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("alone", [False, True])
def test_what_is_played_is_reach_and_reach_is_played(mobility, state, options, alone):
    """ME-2, ME-34, ME-35, ME-49, ME-76, ME-94, ME-95: neither more nor less, and no dearer."""
    others = [] if alone else [unit("B", "track", (20, 20), "blue")]
    game = mecha_game(unit("A", mobility, **STATES[state]), *others, options=options)
    reach = game.reach("A", "turn")
    ends = {}
    for pose, ap in turns_played(game):
        ends[pose] = min(ap, ends.get(pose, ap))
    assert ends
    for pose, ap in ends.items():
        cost = reach.cost_at(pose)
        assert cost is not None, pose
        assert cost <= ap, pose
        play, orders = game.branch(), reach.orders_to(pose)
        assert sum(spent(play, order) for order in orders) == cost, orders
        assert is_near(pose_of(play), pose), orders


@pytest.mark.parametrize("fields", [STATES["fallen"], STATES["fell this turn"]])
@pytest.mark.parametrize("heading", [90, 180, 270])
def test_who_lies_there_does_not_turn_for_nothing(fields, heading):
    """ME-35, ME-94, ME-95: it has to get up first, for 1 AP, and not in the turn in which it fell."""
    pose = Pose((0, 0), heading)
    for options in OPTIONS:
        game = mecha_game(unit("A", "walker", **fields), unit("B", "track", (20, 20), "blue"), options=options)
        got_up = None if fields is STATES["fell this turn"] else 1
        # To turn about takes two free turns, or one and a move that pays for the rest.
        about = heading == 180 and options.get("free_turn_per") == "turn"
        assert game.reach("A", "turn").cost_at(pose) == (got_up and got_up + about)


def test_who_was_pushed_off_does_not_turn():
    """ME-94: after a real fall, in the turn of it."""
    tower = block("tower", (24, 24), (8, 8), 8)
    game = mecha_game(
        climber((27.5, 24), name="A", level="tower"), unit("B", "track", (0, 0), "blue"), terrain=(tower,)
    )
    happened = game.do("A pushed toward 0 by 1")
    while happened.question is not None:
        happened = game.answer(20)
    fallen = game.state.unit("A")
    assert fallen["fell_this_turn"]
    reach = game.reach("A", "turn")
    assert (reach.cost_at(Pose(fallen.place, 0)), reach.cost_at(Pose(fallen.place, 90))) == (0, None)


class TestCarriers:
    """ME-76: what is locked in one phase acts in the next."""

    def entered(self, **options):
        game = mecha_game(
            unit("A", "track", slots=2, size_class=4),
            unit("V", "infantry", (0, 1), size_class=0),
            unit("B", "track", (20, 20), "blue"),
            options=options,
        )
        game.do("V enter_unit A")
        return game

    @pytest.mark.parametrize(("scope", "prices"), [("phase", [1, 2]), ("turn", [None, None])])
    def test_in_the_second_phase_it_goes_where_it_likes(self, scope, prices):
        game = self.entered(carrier_lock_scope=scope)
        reach = game.reach("A", "turn")
        assert [reach.cost_at(place) for place in ((6, 0), (8, 0))] == prices
        for place in ((6, 0), (8, 0)) if scope == "phase" else ():
            play = game.branch()
            for order in reach.orders_to(place):
                play.do(order)
            assert math.dist(play.state.unit("A").place, place) < 1e-6

    @pytest.mark.parametrize("scope", ["phase", "turn"])
    @pytest.mark.parametrize("per", ["phase", "turn"])
    def test_the_second_phase_begins_as_that_of_the_clock(self, scope, per):
        """ME-34, ME-76: whoever is told what the end of a phase does is told by the clock."""
        game = self.entered(carrier_lock_scope=scope, free_turn_per=per)
        then, there = second_phase(game.table, game.table.unit("A").put(free_turned=30), "")
        game.do("all done")
        assert then.clock.phase == game.table.clock.phase
        assert there["lock"] == game.state.unit("A")["lock"]
        assert there["free_turned"] == (0 if per == "phase" else 30)

    @pytest.mark.parametrize("scope", ["phase", "turn"])
    def test_it_climbs_and_jumps_then(self, scope):
        """ME-51, ME-64, ME-76."""
        others = (unit("B", "track", (0, 0), "blue"),)
        waits = {"slots": 2, "lock": "entered", "name": "A"}
        settings = {"terrain": (KEEP,), "options": {"carrier_lock_scope": scope}}
        below = mecha_game(climber((19.5, 24), **waits), *others, **settings)
        above = mecha_game(climber((27.5, 24), level="keep", **waits), *others, **settings)
        up, down = Pose((20.5, 24), 0, "keep"), Pose((28.5, 24), 0, "ground")
        prices = (2, 1) if scope == "phase" else (None, None)
        assert (below.reach("A", "turn").cost_at(up), above.reach("A", "turn").cost_at(down)) == prices


def test_who_has_got_up_climbs_and_jumps():
    """ME-95: in the second phase, as after any other Move Action."""
    others = (unit("B", "track", (0, 0), "blue"),)
    below = mecha_game(climber((19.5, 24), 90, name="A", fallen=True), *others, terrain=(KEEP,))
    above = mecha_game(climber((27.5, 24), name="A", level="keep", fallen=True), *others, terrain=(KEEP,))
    for game, pose, price in [
        (below, Pose((20.5, 24), 0, "keep"), 3),
        (above, Pose((28.5, 24), 0, "ground"), 2),
    ]:
        reach, play = game.reach("A", "turn"), game.branch()
        assert reach.cost_at(pose) == price
        assert sum(spent(play, order) for order in reach.orders_to(pose)) == price
        assert is_near(pose_of(play), pose)
