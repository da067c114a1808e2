"""What a drive may be made of, whatever the map: segments, turns, AP of the mode, and the checks that are due."""

from fractions import Fraction

import pytest
from dt_games import RULES, bike, blocked, centred, game, trooper

from simulator.engine.questions import Roll
from simulator.geometry.dots import Edge
from simulator.geometry.hex_lattice import DIRECTIONS
from simulator.geometry.poses import Pose

BOARD = centred(26)
#: One row of dots, so that there is no way but ahead.
LANE = centred(26, special=blocked(*(dot for dot in BOARD.places() if dot[1] != 0)))
#: Where a scout comes to down the lane, and for how many AP, in any mode.
FAR = {
    "moving": {3 * ap: ap for ap in range(1, 9)},
    "stopped": {3 * ap: ap + 1 for ap in range(1, 8)},
}
#: 1 AP is left, and 2.
ONE, TWO = {"ap_bonus": -7}, {"ap_bonus": -6}


def on_the_road(options=None, tables=None, **fields):
    return game(bike(place=(0, 0), **fields), BOARD, options=options, tables=tables)


def refused(table, plan):
    return [(breach.clause, breach.needed, breach.available) for breach in table.breaches(f"A1 drive {plan}")]


def rolled(table, plan):
    """Drive, all checks passed; give what was rolled for, and the vehicle after it."""
    twin, asked = table.branch(), []
    twin.do(f"A1 drive {plan}", answers=None)
    while isinstance(twin.question, Roll):
        asked.append((twin.question.what.removeprefix("control check: "), twin.question.needed))
        twin.answer(12)
    assert twin.question is None
    return asked, twin.state.unit("bike")


def down_the_lane(options=None, tables=None, **fields):
    return game(bike(place=(0, 0), **fields), LANE, options=options, tables=tables)


def ahead(table, **asked):
    """The dots down the lane in which a drive can end, by motion, with the cheapest AP."""
    reach, found = table.reach("A1", "drive", **asked), {"moving": {}, "stopped": {}}
    for pose in sorted(reach.poses, key=lambda one: one.front):
        found[pose.motion][pose.front[0]] = reach.cost_at(pose, motion=pose.motion)
    return found


def check(table, plan, wanted):
    assert refused(table, plan) == wanted


class TestSegments:
    """DT-69 to DT-79: what follows on what, and how far it goes."""

    @pytest.mark.parametrize(
        ("plan", "wanted"),
        [
            ("minimum: move", []),
            ("cruise: move, move", []),
            ("cruise: move, move, move, move", []),
            ("cruise: move, stop", []),
            ("cruise: stop", []),
            ("max: move, move, move, stop", []),
            ("cruise: move", [("DT-68", 2, 1)]),
            ("max: move, move, stop", [("DT-68", 5, 4)]),
            ("minimum: move, move", [("DT-68", 2, 1)]),
            ("cruise: move, move, move, move, move", [("DT-68", 5, 4)]),
            ("cruise: move, move, move, stop", [("DT-68", 5, 4)]),
            ("minimum: stop", [("DT-68", 2, 1)]),
            ("cruise: start, move", [("DT-74", None, None)]),
            ("cruise: move, start", [("DT-74", None, None)]),
            ("cruise: move 2, move", [("DT-72", 3, 2)]),
            ("cruise: move, move 1", [("DT-72", 3, 1)]),
            ("cruise: stop 1", [("DT-72", 3, 1)]),
        ],
    )
    def test_of_a_moving_vehicle(self, plan, wanted):
        check(on_the_road(), plan, wanted)

    @pytest.mark.parametrize(
        ("plan", "wanted"),
        [
            ("minimum: start", []),
            ("cruise: start, move", []),
            ("cruise: start, stop", []),
            ("cruise: start, start", [("DT-74", None, None)]),
            ("cruise: move, move", [("DT-74", None, None)]),
            ("cruise: stop", [("DT-74", None, None)]),
            ("minimum: start 2", [("DT-72", 3, 2)]),
        ],
    )
    def test_of_a_stopped_vehicle(self, plan, wanted):
        check(on_the_road(motion="stopped"), plan, wanted)

    def test_nothing_follows_a_stop(self):
        """DT-75: neither a move nor a second stop."""
        for plan in ("cruise: stop, move", "cruise: stop, stop", "max: move, stop, move, move"):
            assert refused(on_the_road(), plan)[0] == ("DT-75", None, None)

    def test_the_motion_it_ends_in(self):
        """DT-75: stopped by a stop, else moving, wherever it began."""
        for fields, plan, motion in (
            ({}, "minimum: move", "moving"),
            ({"motion": "stopped"}, "minimum: start", "moving"),
            ({}, "cruise: stop", "stopped"),
            ({"motion": "stopped"}, "cruise: start, stop", "stopped"),
        ):
            assert rolled(on_the_road(**fields), plan)[1]["motion"] == motion

    def test_ap_that_are_not_there_lower_what_can_be_spent(self):
        """DT-60, DT-65: the upper figure is that of the mode, or the AP left."""
        check(on_the_road(rider_fields={"ap_bonus": -5}), "cruise: move, move, move", [])
        check(on_the_road(rider_fields={"ap_bonus": -5}), "cruise: move, move, move, move", [("DT-68", 4, 3)])
        many = on_the_road(rider_fields={"ap_bonus": 5}, **{"class": "assault"})
        check(many, "max: " + ", ".join(["move"] * 8), [])
        check(many, "max: " + ", ".join(["move"] * 9), [("DT-68", 9, 8)])

    def test_by_option_segments_may_be_cut_short(self):
        """DT-72: at the end, before the next one, and before a turn."""
        table = on_the_road({"partial_segments": True})
        for plan in ("minimum: move 1", "cruise: move 1, move 2", "minimum: move 2, left 60", "cruise: stop 1"):
            check(table, plan, [])
        check(table, "cruise: move 1", [("DT-68", 2, 1)])

    def test_by_option_a_stop_has_dots_for_each_ap(self):
        """DT-73: then six of a scout's and four of an assault vehicle's; a move keeps its own."""
        for name, move, stop in (("scout", 3, 6), ("assault", 2, 4)):
            table = on_the_road({"stop_dots": "m_per_ap"}, **{"class": name})
            assert rolled(table, "cruise: move, stop")[1].place == (move + stop, 0)
            check(table, f"cruise: stop {move}", [("DT-72", stop, move)])

    def test_figures_are_those_of_the_table(self):
        """DT-62, DT-69, DT-70, DT-71: another price of a segment is another total."""
        dear = on_the_road(tables={"drive.move": 2})
        check(dear, "cruise: move, move", [])
        check(dear, "cruise: move, move, move", [("DT-68", 6, 4)])
        dear = on_the_road(tables={"drive.start": 3}, motion="stopped")
        check(dear, "cruise: start, move", [])
        check(dear, "minimum: start", [("DT-68", 3, 1)])
        check(dear, "cruise: start, stop", [("DT-68", 5, 4)])

    def test_a_total_that_no_mode_has_is_no_end(self):
        """DT-61: it is the mode named whose figures count."""
        table = on_the_road(tables={"mode.cruise.least": 3})
        check(table, "cruise: move, move", [("DT-68", 3, 2)])
        lane = down_the_lane(tables={"mode.cruise.least": 3})
        without_two = {motion: {dot: ap for dot, ap in ends.items() if ap != 2} for motion, ends in FAR.items()}
        assert ahead(lane) == without_two


class TestTurns:
    """DT-80 to DT-88: at any point after a dot, for the AP there are."""

    @pytest.mark.parametrize(
        ("plan", "wanted"),
        [
            ("minimum: move 1, left 60, on 1, left 60, on 1, left 60", []),
            ("minimum: left 60, move", [("DT-81", 1, 0)]),
            ("minimum: move 1, left 60, left 60, on 2", [("DT-81", 1, 0)]),
            ("minimum: move, left 60, right 60", [("DT-81", 1, 0)]),
            ("cruise: move, left 60, move, left 60", []),
            ("minimum: move, left 120", [("DT-68", 2, 1)]),
            ("minimum: move, left 180", [("DT-68", 3, 1)]),
            ("cruise: move, left 120", []),
            ("cruise: move, left 180", []),
            ("cruise: move, move, left 180", []),
            ("cruise: move, move, move, left 180", [("DT-68", 5, 4)]),
            ("cruise: move, right 180, move, right 120", [("DT-68", 5, 4)]),
            ("cruise: left 60, move, move", [("DT-81", 1, 0)]),
        ],
    )
    def test_of_a_moving_vehicle(self, plan, wanted):
        check(on_the_road(), plan, wanted)

    def test_a_stopped_vehicle_has_to_start_first(self):
        table = on_the_road(motion="stopped")
        check(table, "minimum: left 60, start", [("DT-81", 1, 0)])
        check(table, "minimum: start 1, left 60, on 2", [])

    def test_a_stop_has_one_turn(self):
        """DT-94, DT-95: after any of its dots; one before its first dot is an ordinary turn."""
        table = on_the_road()
        for plan in ("cruise: stop 1, left 60, on 2", "cruise: stop 2, right 120, on 1", "cruise: stop, left 180"):
            check(table, plan, [])
        check(table, "cruise: stop 1, left 60, on 1, left 60, on 1", [("DT-94", None, None)])
        check(table, "max: move, move, left 60, stop 1, left 60, on 2", [("DT-68", 5, 4)])
        check(table, "cruise: move, left 60, stop 1, left 60, on 2", [])
        check(table, "cruise: move, stop, left 180", [("DT-68", 5, 4)])

    def test_by_option_one_dot_is_enough_for_all(self):
        """DT-81: but it has to be moved in this turn."""
        table = on_the_road({"forward_before_turn": "once_per_move"})
        check(table, "minimum: move 1, left 60, left 60, on 2", [])
        check(table, "minimum: left 60, move", [("DT-81", 1, 0)])
        check(table, "cruise: stop 1, left 60, left 60, on 2", [("DT-94", None, None)])

    def test_prices_are_those_of_the_table(self):
        """DT-84."""
        dear = on_the_road(tables={"turn.60": 1, "turn.120": 3})
        check(dear, "minimum: move, left 60", [("DT-68", 2, 1)])
        check(dear, "cruise: move, left 120", [])
        check(dear, "cruise: move, move, left 120", [("DT-68", 5, 4)])


class TestChecks:
    """DT-86, DT-91, DT-93, DT-94, DT-96: which checks a plan has, and when."""

    @pytest.mark.parametrize(
        ("plan", "wanted"),
        [
            ("minimum: move 1, left 60, on 1, right 60, on 1", []),
            ("cruise: move, left 120, move", [("turn 120", 6)]),
            ("cruise: move, left 180, move", [("turn 180", 9)]),
            ("cruise: stop", [("stop", 4)]),
            ("cruise: stop 1, left 60, on 2", [("stop 60", 4)]),
            ("cruise: stop 1, left 120, on 2", [("stop 120", 6)]),
            ("cruise: stop, left 180", [("stop 180", 8)]),
            ("cruise: move, left 60, stop", [("stop", 4)]),
            ("max: move, left 120, stop 1, right 120, on 2", [("turn 120", 6), ("stop 120", 6)]),
        ],
    )
    def test_each_has_its_row(self, plan, wanted):
        assert rolled(on_the_road(), plan)[0] == wanted

    def test_the_odds_are_those_of_all_checks_together(self):
        reach = on_the_road().reach("A1", "drive", mode="cruise")
        assert reach.probability(Pose((6, 0), 0), "moving") == 1
        assert reach.probability(Pose((3, 0), 0), "stopped") == Fraction(33, 36)
        assert reach.probability(Pose((3, 0), 180), "stopped") == Fraction(15, 36)

    def test_what_nobody_can_roll_leads_nowhere(self):
        """DT-90, DT-160: at +6 a turn of 180 in a stop takes 14. It may be tried, and is no way to get anywhere."""
        whole = on_the_road(**{"class": "assault"})
        hurt = on_the_road(crossed=(6,), rider_fields={"crossed": (3,)}, **{"class": "assault"})
        for table, chance, needed in ((whole, Fraction(10, 36), 9), (hurt, 0, 14)):
            check(table, "cruise: stop, left 180", [])
            assert rolled(table, "cruise: stop, left 180")[0] == [("stop 180", needed)]
            assert table.reach("A1", "drive", mode="cruise").probability(Pose((2, 0), 180), "stopped") == chance

    def test_a_plan_that_nobody_can_roll_is_a_plan(self):
        """DT-68: where a hopeless turn is the only way on, it has to be tried; there is no crash instead."""
        way = ((-1, 0), (0, 0), (1, 0), (0, 1), (1, 1), (1, -1))
        walls = blocked(*(dot for dot in centred(4).places() if dot not in way))
        board = centred(4, special=walls, edges=[Edge("wall", (0, 0), (1, -1))])
        hopeless = {"check.turn.120": 13, "check.stop.120": 13}
        table = game(bike(place=(0, 0), **{"class": "assault"}), board, tables=hopeless)
        check(table, "cruise: move 1, left 120, on 1", [])
        assert [breach.clause for breach in table.breaches("A1 crash cruise")] == ["DT-68"]
        assert [breach.clause for breach in table.breaches("A1 done")] == ["DT-59"]
        assert len(table.reach("A1", "drive")) == 0


class TestTheStopOfMinimum:
    """DT-78: by option a stop of 2 AP and no check, as the only movement of the turn."""

    OPTION = {"minimum_stop": "allowed_2ap_no_check"}  # noqa: RUF012

    @pytest.mark.parametrize(
        ("plan", "wanted"),
        [
            ("minimum: stop", []),
            ("minimum: stop 1, left 60, on 2", []),
            ("minimum: move", []),
            ("minimum: stop 1, left 120, on 2", [("DT-68", 3, 1)]),
            ("minimum: move, stop", [("DT-68", 3, 1)]),
            ("minimum: move, left 120", [("DT-68", 2, 1)]),
            ("minimum: move, move", [("DT-68", 2, 1)]),
            ("minimum: stop 2", [("DT-72", 3, 2)]),
            ("cruise: stop", []),
        ],
    )
    def test_of_a_moving_vehicle(self, plan, wanted):
        check(on_the_road(self.OPTION), plan, wanted)

    def test_not_from_a_full_stop(self):
        """DT-74, DT-79."""
        table = on_the_road(self.OPTION, motion="stopped")
        check(table, "minimum: start", [])
        check(table, "minimum: start, stop", [("DT-68", 3, 1)])
        assert {one[0] for one in refused(table, "minimum: stop")} == {"DT-68", "DT-74"}

    def test_not_without_the_ap(self):
        """DT-60."""
        check(on_the_road(self.OPTION, rider_fields=ONE), "minimum: stop", [("DT-68", 2, 1)])
        check(on_the_road(self.OPTION, rider_fields=TWO), "minimum: stop", [])
        check(on_the_road(rider_fields=TWO), "minimum: stop", [("DT-68", 2, 1)])

    def test_it_takes_no_check_and_other_stops_do(self):
        table = on_the_road(self.OPTION)
        assert rolled(table, "minimum: stop")[0] == []
        assert rolled(table, "minimum: stop 1, left 60, on 2")[0] == []
        assert rolled(table, "cruise: stop")[0] == [("stop", 4)]
        assert rolled(table, "cruise: move, stop")[0] == [("stop", 4)]
        assert rolled(table, "cruise: stop 1, left 60, on 2")[0] == [("stop 60", 4)]

    def test_reach_and_goals_know_it(self):
        """The sure stop is in the odds, costs 2 AP and is ordered in minimum."""
        table = on_the_road(self.OPTION)
        for reach in (table.reach("A1", "drive", mode="minimum"), table.reach("A1", "drive")):
            assert reach.cost_at(Pose((3, 0), 0), motion="stopped") == 2
            assert reach.probability(Pose((3, 0), 0), "stopped") == 1
            (order,) = reach.orders_to(Pose((3, 0), 0), motion="stopped")
            assert (order["mode"], table.breaches(order)) == ("minimum", [])
        assert table.reach("A1", "drive", mode="cruise").probability(Pose((3, 0), 0), "stopped") == Fraction(33, 36)
        for mode, sure in (("minimum", 1), ("cruise", Fraction(33, 36))):
            turned = table.reach("A1", "drive", mode=mode).probability(Pose((3, -2), 60), "stopped")
            assert turned == sure
        short = on_the_road(self.OPTION, rider_fields=ONE).reach("A1", "drive")
        assert {pose.motion for pose in short.poses} == {"moving"}


class TestReachOfEachMode:
    """DT-59, DT-60, DT-62, DT-64: which modes there are, and how far each leads."""

    def test_straight_ahead(self):
        """DT-70, DT-71, DT-73: worked out by hand, three dots to the AP and to the stop."""
        table = down_the_lane()
        assert ahead(table, mode="minimum") == {"moving": {3: 1}, "stopped": {}}
        assert ahead(table, mode="cruise") == {"moving": {6: 2, 9: 3, 12: 4}, "stopped": {3: 2, 6: 3, 9: 4}}
        fast = {"moving": {15: 5, 18: 6, 21: 7, 24: 8}, "stopped": {12: 5, 15: 6, 18: 7, 21: 8}}
        assert ahead(table, mode="max") == fast
        assert ahead(table) == FAR

    def test_from_a_full_stop(self):
        """DT-69, DT-74: a start is a move that only a stopped vehicle makes."""
        table = down_the_lane(motion="stopped")
        assert ahead(table, mode="minimum") == {"moving": {3: 1}, "stopped": {}}
        assert ahead(table, mode="cruise") == {"moving": {6: 2, 9: 3, 12: 4}, "stopped": {6: 3, 9: 4}}

    def test_by_option_in_shorter_or_longer_segments(self):
        """DT-72, DT-73: segments of one to three dots, or a stop of three for each of its two AP."""
        short = down_the_lane({"partial_segments": True})
        assert ahead(short, mode="minimum") == {"moving": {1: 1, 2: 1, 3: 1}, "stopped": {}}
        cruise = ahead(short, mode="cruise")
        assert cruise["moving"] == {**dict.fromkeys(range(2, 7), 2), 7: 3, 8: 3, 9: 3, 10: 4, 11: 4, 12: 4}
        assert cruise["stopped"] == {1: 2, 2: 2, 3: 2, 4: 3, 5: 3, 6: 3, 7: 4, 8: 4, 9: 4}
        long = down_the_lane({"stop_dots": "m_per_ap"})
        assert ahead(long, mode="cruise") == {"moving": {6: 2, 9: 3, 12: 4}, "stopped": {6: 2, 9: 3, 12: 4}}

    def test_with_fewer_ap(self):
        """DT-60: 4 AP make no max, 1 AP minimum alone."""
        four = down_the_lane(rider_fields={"ap_bonus": -4})
        assert ahead(four)["moving"] == {3: 1, 6: 2, 9: 3, 12: 4}
        assert ahead(down_the_lane(rider_fields=ONE)) == {"moving": {3: 1}, "stopped": {}}
        assert ahead(down_the_lane(rider_fields={"ap_bonus": -2}), mode="max")["moving"] == {15: 5, 18: 6}

    def test_with_fewer_modes_on_the_card(self):
        """DT-36, DT-38."""
        assert ahead(down_the_lane(crossed=(6,)))["moving"] == {3: 1, 6: 2, 9: 3, 12: 4}
        assert ahead(down_the_lane(crossed=(3,))) == {"moving": {3: 1}, "stopped": {}}

    def test_the_cap_holds_whatever_ap_there_are(self):
        """DT-64."""
        many = down_the_lane(rider_fields={"ap_bonus": 6}, tables={"movement.cap": 6})
        assert max(ahead(many)["moving"].values()) == 6

    def test_passengers_ride_along(self):
        """DT-157: neither is in the other's way, nor in that of the vehicle."""
        units = [*bike(place=(0, 0), **{"class": "assault"}), trooper("A2", aboard="bike", seat="passenger")]
        units[-1] = units[-1].put(place=(-1, 0))
        table = game(units, LANE)
        assert ahead(table, mode="minimum") == {"moving": {2: 1}, "stopped": {}}
        table.do("A1 drive minimum: move")
        assert {table.state.unit(name).place for name in ("A1", "A2")} == {(1, 0)}

    def test_with_so_many_ap_as_are_asked_about(self):
        """DT-60: whatever the driver has now."""
        assert ahead(down_the_lane(), ap=2) == {"moving": {3: 1, 6: 2}, "stopped": {3: 2}}
        assert ahead(down_the_lane(rider_fields=ONE), ap=2) == {"moving": {3: 1, 6: 2}, "stopped": {3: 2}}

    def test_with_gentle_turns(self):
        """DT-81, DT-82, DT-85: two dots with a turn of 60 or none after each; each end has orders that lead there."""
        table = game(bike(place=(0, 0), **{"class": "assault"}), centred(4))
        reach, found = table.reach("A1", "drive", mode="minimum"), {}
        for pose in reach.poses:
            found.setdefault(pose.front, set()).add(pose.heading)
            (order,) = reach.orders_to(pose)
            assert rolled(table, table.write(order).removeprefix("A1 drive "))[1].heading == pose.heading
        assert found == {(2, 0): {300, 0, 60}, (2, -1): {0, 60, 120}, (1, 1): {240, 300, 0}}

    def test_by_option_with_any_number_of_turns(self):
        """DT-81: one dot is enough for all; then any heading can be taken on after it."""
        options = {"forward_before_turn": "once_per_move"}
        table = game(bike(place=(0, 0), **{"class": "assault"}), centred(4), options=options)
        reach = table.reach("A1", "drive", mode="minimum")
        assert {pose.front for pose in reach.poses} == {(1 + q, r) for q, r in DIRECTIONS}
        assert {pose.heading for pose in reach.poses if pose.front == (2, 0)} == set(range(0, 360, 60))

    def test_whichever_search_answers(self):
        """DT-61: the map of moves that is given to other tools says the same, and no more AP than there are."""
        for fields in ({}, {"motion": "stopped"}):
            table = game(bike(place=(0, 0), **fields), centred(3))
            reach, other = (table.reach("A1", "drive", mode="minimum", engine=name) for name in ("numpy", "networkx"))
            assert list(other.poses) == list(reach.poses) != []
            assert all(other.cost_at(pose) == 1 for pose in other.poses)
            ready = table.ready_table("A1")
            space = RULES.move_space(ready, ready.unit("A1"), "drive", mode="minimum")
            assert (space.budget, space.unit, space.start_is_end) == (1, "AP", False)

    def test_plans_are_in_the_lowest_mode_that_has_their_ap(self):
        """DT-59, DT-62: and cost what was said."""
        table = down_the_lane()
        reach = table.reach("A1", "drive")
        for motion, ends in FAR.items():
            for place, ap in ends.items():
                (order,) = reach.orders_to(Pose((place, 0), 0), motion=motion)
                assert order["mode"] == ("minimum" if ap == 1 else "cruise" if ap <= 4 else "max")
                assert table.breaches(order) == []
                assert rolled(table, table.write(order).removeprefix("A1 drive "))[1]["mode_ap"] == ap

    def test_from_beside_it(self):
        """DT-58, DT-64: two dots on foot, two AP to mount and one to switch on leave three of eight."""
        units = [*bike(place=(0, 0), rider=None, motion="stopped", on=False), trooper("A1", place=(-4, 0))]
        reach = game(units, LANE).reach("A1", "mount_and_drive")
        found = {
            (end.front[0], end.motion): reach.cost_at(Pose(end.front, 0), motion=end.motion) for end in reach.poses
        }
        assert found == {(3, "moving"): 6, (6, "moving"): 7, (9, "moving"): 8, (6, "stopped"): 8}
        units[-1] = trooper("A1", place=(-4, 0), ap_bonus=9)
        for cap, far in ((8, 6), (5, 3)):
            able = game(units, LANE, tables={"movement.cap": cap}).reach("A1", "mount_and_drive")
            assert max(place[0] for place in able.places) == 3 * far


class TestWhyNot:
    """DT-59, DT-61, DT-68, DT-160, DT-162, DT-165: what keeps a drive from a dot down the lane, and what would help."""

    def why(self, table, place, heading=0, motion="", **asked):
        reach = table.reach("A1", "drive", **asked)
        told = reach.why_not(Pose(place, heading), **({"motion": motion} if motion else {}))
        return [(one.clause, one.needed, one.available) for one in told.reasons], told.remedy

    def test_too_few_ap(self):
        """DT-61: nine segments take 9 AP and eight go at most, so no AP help; a stop takes one more than it has."""
        table = game(bike(place=(-20, 0)), LANE)
        assert self.why(table, (7, 0), motion="moving") == ([("DT-61", 9, 8)], "")
        assert self.why(table, (7, 0), motion="stopped") == ([("DT-61", 10, 8)], "")
        assert self.why(table, (4, 0), motion="stopped") == ([("DT-61", 9, 8)], "")
        tired = down_the_lane(rider_fields={"ap_bonus": -5})
        assert self.why(tired, (12, 0)) == ([("DT-162", 4, 3)], "1 AP more")
        last = down_the_lane(rider_fields=ONE)
        assert self.why(last, (3, 0), motion="stopped") == ([("DT-162", 2, 1)], "1 AP more")
        standing = game(bike(place=(-20, 0), motion="stopped"), LANE)
        assert self.why(standing, (7, 0)) == ([("DT-61", 9, 8)], "")
        assert self.why(standing, (-17, 0), motion="stopped")[0] == [("DT-76", None, None)]

    def test_another_mode(self):
        """DT-61: the lowest that leads there."""
        table = down_the_lane()
        assert self.why(table, (15, 0), mode="cruise") == ([("DT-61", "max", "cruise")], "in max")
        assert self.why(table, (3, 0), mode="max", motion="moving") == ([("DT-61", "minimum", "max")], "in minimum")
        assert self.why(table, (3, 0), mode="minimum", motion="stopped") == (
            [("DT-61", "cruise", "minimum")],
            "in cruise",
        )

    def test_a_total_that_no_mode_has(self):
        """DT-68."""
        table = down_the_lane(tables={"mode.cruise.least": 3})
        assert self.why(table, (6, 0), motion="moving") == ([("DT-68", 3, 2)], "")
        fast = down_the_lane(tables={"mode.minimum.least": 2, "mode.minimum.most": 2, "mode.cruise.least": 3})
        assert self.why(fast, (3, 0), motion="moving") == ([("DT-68", 2, 1)], "")

    def test_no_roll(self):
        """DT-160: a stop against 13 leads nowhere; how much lower it would have to be is said."""
        table = down_the_lane(tables={"check.stop.0": 13})
        assert self.why(table, (3, 0), motion="stopped") == ([("DT-160", 13, 12)], "a target number lower by 1")

    def test_somebody_in_the_way(self):
        """DT-165: whoever closes the lane is named, and the AP that it would take besides."""
        foes = [trooper("B1", "blue", (10, 0)), trooper("B2", "blue", (22, 0))]
        table = game([*bike(place=(0, 0)), *foes], LANE)
        assert self.why(table, (12, 0)) == ([("DT-165", None, None)], "with B1 gone")
        assert self.why(table, (21, 0)) == ([("DT-165", None, None)], "with B1 gone")
        both = self.why(table, (24, 0))
        assert both == ([("DT-165", None, None)], "with B1, B2 gone")
        tired = game([*bike(place=(0, 0), rider_fields=ONE), *foes], LANE)
        assert self.why(tired, (12, 0)) == ([("DT-165", None, None), ("DT-162", 4, 1)], "with B1 gone, 3 AP more")

    def test_nothing_helps_against_the_map(self):
        """DT-72, DT-76: the lane leads to every third dot, and only ahead."""
        assert self.why(down_the_lane(), (4, 0)) == ([("DT-76", None, None)], "")
        assert self.why(down_the_lane(), (3, 0), 180) == ([("DT-76", None, None)], "")
        assert self.why(down_the_lane(), (-3, 0)) == ([("DT-76", None, None)], "")
