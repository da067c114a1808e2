"""Chains that any rulebook answers, link by link and by play, against those that a rulebook answers in one search."""

import pytest
from dt_games import bike, centred, trooper
from dt_games import game as dots
from exhaustive_grid_runner import NoDamage
from grid_runner_boards import game as squares
from grid_runner_boards import generated

from simulator.engine.chain import Chain, ask
from simulator.engine.errors import WrongQuestion
from simulator.geometry.poses import Pose
from simulator.rulesets.dot_trooper.surroundings import rear_of

MOUNTED = [ask("foot_move"), "A1 mount bike", "A1 turn_on", ask("drive")]


class TestMountAndDrive:
    """DT-58, DT-60, DT-64: walk, mount, switch on, drive is `mount_and_drive`, end for end."""

    @pytest.mark.parametrize(
        ("place", "fields", "options"),
        [
            ((2, 0), {}, {}),
            ((2, 2), {"ap_bonus": 1}, {}),
            ((1, 1), {"posture": "prone", "ap_bonus": 2}, {}),
            ((2, 0), {"ap_bonus": 2}, {"cap_counts": "all_activities"}),
        ],
    )
    def test_costs_chances_and_orders(self, place, fields, options):
        vehicle = bike(place=(0, 0), rider=None, on=False, motion="stopped")
        played = dots([trooper(place=place, **fields), *vehicle], centred(9), options=options)
        at_once = played.reach("A1", "mount_and_drive")
        near = [rear_of((0, 0), 0), *(step for step in played.board.places() if _next_to(step, rear_of((0, 0), 0)))]
        chain = Chain([ask("foot_move", to=near), *MOUNTED[1:]])
        linked = played.reach("A1", chain)
        assert len(at_once) > 20
        for dot in played.board.places():
            assert linked.cost_at(dot) == at_once.cost_at(dot), dot
            assert linked.chance_at(dot) == at_once.chance_at(dot), dot
        assert linked.area.symmetric_difference(at_once.area).area < 1e-4
        for dot in list(at_once)[::9]:
            seen = played.foresee(linked.orders_to(dot))
            assert seen.state.unit("bike").place == dot
            assert seen.state.unit("A1").carrier == "bike"
            assert seen.ledger.total("AP") == at_once.cost_at(dot)

    def test_what_forbids_a_link_is_told_of_it(self):
        vehicle = bike(place=(0, 0), rider=None, on=True, motion="stopped")
        linked = dots([trooper(place=(1, 0)), *vehicle], centred(9)).reach("A1", Chain(MOUNTED))
        (reason,) = linked.why_not((3, 0)).reasons
        assert (reason.clause, reason.message) == ("DT-58", "link 3 of 4 (A1 turn_on): bike is on already")

    def test_a_drive_can_go_on_on_foot(self):
        """DT-58, DT-93: each pose of a drive is an end of its own, with the chance of its surest plan."""
        units = bike(place=(0, 0), motion="stopped", rider_fields={"ap_bonus": 3})
        played = dots(units, centred(9))
        links = [ask("drive", mode="cruise", to=[(3, 0), (6, 0)]), "A1 dismount 2,1", ask("foot_move")]
        linked, driven = played.reach("A1", Chain(links)), played.reach("A1", "drive", mode="cruise")
        ends = [dot for dot in played.board.places() if dot in linked]
        assert ends
        for dot in ends:
            assert 0 < linked.chance_at(dot) <= max(driven.chance_at(place) for place in ((3, 0), (6, 0)))
            assert played.foresee(linked.orders_to(dot)).state.unit("A1").place == dot


def _next_to(dot, other):
    return max(abs(dot[0] - other[0]), abs(dot[1] - other[1]), abs(sum(dot) - sum(other))) == 1


class TestPasses:
    """GR-13, GR-20, GR-26: movements of consecutive passes, end by end, are what `passes` answers by searches."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("options", [{}, {"diagonal_parity_reset": "never"}, {"carry_over": True}], ids=str)
    @pytest.mark.parametrize("seed", range(3))
    def test_the_second_pass_begins_wherever_the_first_may_end(self, seed, options):
        played = generated(seed, "m1", options, budget=3, crowd=5)
        units = [unit.put(passes=2) for unit in played.opening if unit.id in ("A", "A1")]
        played = type(played).new(played.ruleset, played.board, units, options=options, tables=_slow(played))
        whole = played.reach("A", "move", passes=2)
        linked = played.reach("A", Chain([ask("move"), "all done", ask("move")]))
        for square in played.board.places():
            assert (square in linked) == (square in whole), square
            if square in linked:
                assert linked.chance_at(square) <= whole.chance_at(square)
                assert played.branch(NoDamage()).foresee(linked.orders_to(square)).state.unit("A").place == square

    def test_prices_are_added(self):
        played = squares("@ . . . . . .", {}, {"A": {"passes": 2}}, tables={"allotment_table.m1.walk.human.h2": [2, 3]})
        linked = played.reach("A", Chain([ask("move"), "all done", ask("move")]))
        assert [linked.cost_at((column, 0)) for column in range(7)] == [0, 1, 2, 3, 4, 5, None]
        assert linked.why_not((6, 0)).reasons[0].message.startswith("link 3 of 3 (move): ")

    def test_nothing_goes_on_from_a_sprint_of_unknown_hits(self):
        """GR-33."""
        played = squares("@ . . . . . .", {}, {"A": {"mode": "run"}})
        with pytest.raises(WrongQuestion, match="query with sprint=2"):
            played.reach("A", Chain([ask("move", sprint=True), ask("move")]))


def _slow(played):
    """The tables with few squares in each pass."""
    return {"allotment_table.m1.walk.human.h2": [2, 3]}


class TestPoses:
    """A link may end in a pose; the answer knows the poses of the last link."""

    def game(self):
        units = bike(place=(0, 0), motion="stopped", rider_fields={"ap_bonus": 3})
        return dots(units, centred(9))

    def test_a_link_ends_in_a_pose_and_the_next_begins_there(self):
        played = self.game()
        driven = played.reach("A1", "drive", mode="cruise")
        places = [pose for pose in (Pose((6, 0), 0), Pose((6, 0), 60)) if pose in driven]
        assert places
        for pose in places:
            chain = Chain([ask("drive", mode="cruise", to=[pose]), "all done", "all done", ask("drive")])
            linked = played.reach("A1", chain)
            orders = linked.orders_to(next(dot for dot in played.board.places() if dot in linked))
            after = played.foresee(orders[:1]).state.unit("bike")
            assert (after.place, after.heading) == ((6, 0), pose.heading)

    def test_ends_and_headings_are_those_of_the_last_link_at_the_price_of_all(self):
        played = self.game()
        place = (6, 0)
        one = played.reach("A1", "drive", mode="cruise")
        linked = played.reach("A1", Chain(["A1 turn_off", "A1 turn_on", ask("drive", mode="cruise")]))
        assert {(end.pose, end.cost) for end in linked.ends_at(place)} <= {
            (end.pose, end.cost + 2) for end in one.ends_at(place)
        }
        assert linked.ends_at(place)[0].cost == linked.cost_at(place)
        assert {turned.first for turned in linked.headings_at(place)} == {end.heading for end in linked.ends_at(place)}
        for end in linked.ends_at(place):
            assert linked.cost_at(Pose(place, end.heading)) <= end.cost
            assert Pose(place, end.heading) in linked
        assert 0 < linked.area_of(heading=0).area < linked.area.area
        assert linked.area_of(heading=0).difference(one.area_of(heading=0)).area < 1e-4
        assert linked.why_not(Pose(place, linked.ends_at(place)[0].heading)).reasons == ()
