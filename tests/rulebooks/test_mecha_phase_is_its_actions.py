"""Reach over a phase is the union over the actions that the unit may declare there: no more, no less, no dearer."""

import math

import numpy as np
import pytest
from mecha_games import mecha_game, unit
from mecha_heights import block
from mecha_turns import pose_of, spent

from simulator.engine.errors import TableError
from simulator.geometry.poses import Pose
from simulator.rulesets.mecha.declaring import ap_taken

#: The actions that are asked one by one.
ACTIONS = (
    *("standard", "run", "break_away", "manoeuvre", "charge", "enter_unit", "unload", "jump", "climb"),
    "free_turn",
)
KEEP, WALL = block("keep", (6, 0), (5, 5), 4), block("wall", (0, 4.5), (6, 0.5), 20)
FOE, AFAR = unit("E", "track", (-4, -2), "blue"), unit("Z", "track", (20, 20), "blue")
TRUCK = {"kind": "vehicle", "mobility": "track", "slots": 4, "size_class": 4}
#: Positions: the unit that is asked about, and others.
POSITIONS = {
    "free": ({}, [FOE]),
    "in contact": (
        {"skills": ["combat_manoeuvres"]},
        [unit("E", "track", (-1, 0), "blue"), unit("F", "track", (3, -4), "blue")],
    ),
    "at the keep": ({"at": (3, 0)}, [FOE]),
    "on the keep": ({"at": (6, 1), "level": "keep"}, [FOE]),
    "fallen": ({"fallen": True}, [FOE]),
    "beside a carrier": ({"size_class": 1}, [FOE, unit("C", at=(2, -2), **TRUCK)]),
    "entered": ({**TRUCK, "lock": "entered"}, [FOE, unit("R", "infantry", None, size_class=0, carrier="A")]),
    "a carrier": (TRUCK, [FOE, unit("R", "infantry", None, size_class=0, carrier="A")]),
    "behind a wall": ({"at": (0, 3)}, [unit("E", "track", (0, 6), "blue")]),
}
#: Options and figures by which one action leads farther than another.
SETTINGS = [
    {},
    {"options": {"run_minimum": "displacement", "charge_minimum": "none"}},
    {"options": {"charge_minimum": "none"}},
    {"tables": {"action.break_away.ap": 2, "action.standard.ap": 2}},
    {"tables": {"action.charge.ap": 1, "action.manoeuvre.ap": 0, "action.enter_unit.ap": 0}},
    {"tables": {"action.unload.moves": 2, "action.charge.moves": 3, "action.manoeuvre.moves": 2}},
    {"options": {"ap_per_turn": None, "contact_stops_move": True}},
]


def poses_for(dice):
    """Poses about the unit: any way it faces, facing two ways, and on the top."""
    places = dice.uniform((-7, -7), (9, 9), (30, 2)).round(2).tolist()
    # Lines around bases are seldom met by chance.
    turned = np.linspace(0, 2 * np.pi, 8, endpoint=False)
    around = [(x + math.cos(one), y + math.sin(one)) for x, y in ((-4, -2), (2, -2), (0, 6), (-1, 0)) for one in turned]
    for place in [*map(tuple, places), *around, (0.0, 0.0), (4.0, 0.0)]:
        for heading, level in ((None, None), (0.0, None), (195.0, None), (None, "keep")):
            yield Pose(place, heading, level)


@pytest.mark.sampled
@pytest.mark.parametrize("settings", SETTINGS, ids=str)
@pytest.mark.parametrize("position", POSITIONS)
def test_what_an_action_gives_a_phase_gives_and_nothing_else(position, settings):
    fields, others = POSITIONS[position]
    fields = {"mobility": "walker", "at": (0, 0), **fields}
    game = mecha_game(unit("A", **fields), *others, AFAR, terrain=(KEEP, WALL), **settings)
    poses = list(poses_for(np.random.default_rng(len(position))))
    phase, best = game.reach("A", "phase").costs_at(poses), np.full(len(poses), np.inf)
    for action in ACTIONS:
        price = 0 if action == "free_turn" else ap_taken(game.table, action)
        ends = np.isfinite(game.reach("A", action).costs_at(poses))
        best = np.where(ends, np.minimum(best, price), best)
    # Who does nothing stays; who gets up may turn freely then.
    at_once = mecha_game(unit("A", **fields), *others, AFAR, terrain=(KEEP, WALL), **settings)
    here = np.array([pose.place == tuple(map(float, fields["at"])) for pose in poses])
    best = np.where(here & [pose.heading in (None, 0.0) and pose.level != "keep" for pose in poses], 0, best)
    if not at_once.breaches("A straighten_up"):
        price = spent(at_once, "A straighten_up")
        best = np.where(np.isfinite(at_once.reach("A", "free_turn").costs_at(poses)), np.minimum(best, price), best)
    np.testing.assert_array_equal(phase, best)
    assert np.isfinite(phase).sum() > 2


class TestOrders:
    """What a phase says is played, for its action points."""

    def played(self, game, pose):
        reach, play = game.reach("A", "phase"), game.branch()
        cost = reach.cost_at(pose)
        assert sum(spent(play, order) for order in reach.orders_to(pose)) == cost
        assert math.dist(pose_of(play).place, pose.place) < 1e-6
        return cost

    def test_after_it_got_up_it_turns(self):
        """ME-6, ME-95."""
        assert self.played(mecha_game(unit("A", "walker", fallen=True), AFAR), Pose((0, 0), 90)) == 1

    def test_a_charge_that_need_not_lead_far(self):
        """ME-50, ME-88."""
        wall = block("wall", (3, 0), (0.5, 5), 20)
        options = {"run_minimum": "displacement", "charge_minimum": "none"}
        foe = unit("E", "track", (5.5, 0), "blue")
        game = mecha_game(unit("A", "walker"), foe, AFAR, terrain=(wall,), options=options)
        assert self.played(game, Pose((4.5, 0))) == 2

    def test_a_carrier_that_was_entered_unloads(self):
        """ME-76."""
        rider = unit("R", "infantry", None, size_class=0, carrier="A")
        game = mecha_game(unit("A", lock="entered", **TRUCK), rider, AFAR)
        assert self.played(game, Pose((2, 0))) == 1
        assert game.reach("A", "phase").cost_at(Pose((4, 0))) is None

    def test_a_manoeuvre_for_less(self):
        """ME-69."""
        skilled = unit("A", "walker", skills=["combat_manoeuvres"])
        game = mecha_game(
            skilled, unit("E", "track", (1, 0), "blue"), AFAR, tables={"action.break_away": {"ap": 2, "moves": 1}}
        )
        assert self.played(game, Pose((0, 0), 180)) == 1


class TestAboard:
    """ME-82, ME-86: who is aboard a carrier may only exit."""

    def game(self, **fields):
        return mecha_game(unit("C", at=(0, 0), **{**TRUCK, **fields}), unit("A", "infantry", None, carrier="C"), AFAR)

    def test_what_an_exit_gives_a_phase_gives(self):
        game = self.game()
        exits, phase = game.reach("A", "exit_unit"), game.reach("A", "phase")
        places = np.random.default_rng(2).uniform((-6, -6), (6, 6), (200, 2))
        ends = np.isfinite(exits.costs_at(places))
        assert ends.any()
        np.testing.assert_array_equal(phase.costs_at(places), np.where(ends, 1, np.inf))
        assert math.isclose(phase.area.area, exits.area.area)
        there = Pose(tuple(places[ends][0].tolist()))
        play = game.branch()
        for order in phase.orders_to(there):
            play.do(order)
        assert math.dist(pose_of(play).place, there.place) < 1e-6

    def test_who_cannot_leave_is_told_so(self):
        """ME-84."""
        phase = self.game(acted_1="standard").reach("A", "phase")
        assert phase.cost_at((-2, 0)) is None
        assert phase.area.is_empty
        assert [reason.clause for reason in phase.why_not((-2, 0)).reasons] == ["ME-84"]

    def test_over_a_turn_it_is_not_asked(self):
        with pytest.raises(TableError):
            self.game().reach("A", "turn")


class TestWhyNot:
    """The reason why a unit does not get somewhere is that of the action by which it would."""

    @pytest.mark.parametrize(
        ("fields", "clause"),
        [
            ({"acted_1": "run"}, "ME-48"),
            ({"acted_1": "standard", "acted_2": "standard"}, "ME-2"),
            ({"ap": 0}, "ME-7"),
            ({"fallen": True}, "ME-95"),
            ({"fallen": True, "fell_this_turn": True}, "ME-94"),
            ({"slots": 2, "lock": "entered"}, "ME-76"),
        ],
    )
    @pytest.mark.parametrize("question", ["phase", "turn"])
    def test_what_bars_all_moves(self, fields, clause, question):
        game = mecha_game(unit("A", "walker", **fields), AFAR)
        clock = game.table.clock.put({"number": 2})
        play = game.__class__(game.setting, game.state.put(clock=clock))
        assert play.table.clock.phase.name == "movement_2"
        told = [reason.clause for reason in play.reach("A", question).why_not((9, 0)).reasons]
        assert told == [reason.clause for reason in play.reach("A", "standard").why_not((9, 0)).reasons]
        assert told[0] == clause

    @pytest.mark.parametrize(
        ("pose", "clause"),
        [(Pose((4, 0), 180, "keep"), "ME-35"), (Pose((6, 0), 0, "keep"), "ME-56")],
    )
    def test_of_the_plan_that_comes_nearest_on_its_level(self, pose, clause):
        """ME-35, ME-56: a climb leads to the top, and nothing else does."""
        game = mecha_game(unit("A", "walker", (3, 0)), AFAR, terrain=(KEEP,))
        assert [reason.clause for reason in game.reach("A", "phase").why_not(pose).reasons] == [clause]

    @pytest.mark.parametrize(("mobility", "clause"), [("static", "ME-26"), ("track", "ME-16")])
    def test_of_who_never_moves_is_that_of_the_order(self, mobility, clause):
        game = mecha_game(unit("A", mobility), AFAR, tables={"move_table.track.flat_ground": 0})
        assert [reason.clause for reason in game.breaches("A standard: forward 1")] == [clause]
        for question in ("standard", "phase"):
            assert [reason.clause for reason in game.reach("A", question).why_not((1, 0)).reasons] == [clause]
