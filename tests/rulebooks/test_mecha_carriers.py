"""Carriers in mecha: who gets aboard, who gets off how, what that leaves to both, and what it costs."""

import pytest
from mecha_carriers import MIDDLE, behind, carrier, clauses, foot, game, next_movement, unit

from simulator.geometry.pieces import Piece, rectangle

V_IN = "V enter_unit C1: forward 2.5"
#: A vehicle that touches the carrier after 2.5 inches.
NEAR = (20, 24)


def told_of(happened):
    """What happened to units, but for goes that begin and end."""
    return [
        (event.kind, event.unit) for event in happened.events if not event.kind.startswith(("go ", "turn", "phase"))
    ]


def mp_of_steps(happened):
    """What each leg and turn cost."""
    steps = [event for event in happened.events if event.kind in ("moves", "turns")]
    return [sum(line.price for line in event.price if line.currency == "mp") for event in steps]


class TestEntered:
    def test_every_unit_of_the_order_is_judged(self):
        """ME-77, ME-79: one that is not aboard, one that is named twice, and one that is set down too far off."""
        here = game(carrier(), unit("V"), unit("X", (40, 40)))
        told = [f"set_down {name} at {at}" for name, at in (("X", behind(1.5, 40)), ("V", behind(3)), ("V", behind(3)))]
        found = [(one.clause, one.blocker) for one in here.breaches(f"C1 unload: {', '.join(told)}")]
        assert ("ME-77", "X") in found
        assert ("ME-77", "V") in found
        assert ("ME-79", "C1") in found
        last = f"{told[1]}, {told[2]}, {told[0]}"
        assert ("ME-77", "X") in [(one.clause, one.blocker) for one in here.breaches(f"C1 unload: {last}")]

    @pytest.mark.parametrize(
        ("moves", "limit", "when"), [("", 2, "without a move"), ("forward 1, ", 1, "after a move")]
    )
    def test_how_many_are_too_many(self, moves, limit, when):
        """ME-77, ME-78, E24: two vehicles and a stand of infantry."""
        here = game(carrier(), unit("V1"), unit("V2"), foot("I"))
        told = ", ".join(
            f"set_down {name} at {behind(3, aside)}" for name, aside in (("V1", 0), ("V2", 30), ("I", -30))
        )
        (found,) = (one for one in here.breaches(f"C1 unload: {moves}{told}") if one.clause == "ME-78")
        assert (found.needed, found.available) == (2.5, limit)
        assert found.message == f"C1 unloads up to {limit} {when}, not 2.5"

    def test_who_is_set_down_in_the_phase_in_which_it_entered_turns_freely(self):
        """ME-35, ME-76, ME-80: its go is taken up again, and nobody else's is."""
        walker = unit("W", (22.5, 24), "mecha")
        here = game(carrier(), walker, unit("X", (40, 40)), unit("Y", (40, 30)))
        here.do("X standard: forward 1")
        here.do("W enter_unit C1")
        assert set(here.state.clock.done) == {"X", "W"}
        here.do(f"C1 unload: set_down W at {behind(1.5)}")
        assert "X" in here.state.clock.done
        assert "W" not in here.state.clock.done
        assert clauses(here, "W standard: backward 1") == ["ME-2"]
        assert clauses(here, "W free_turn: turn_left 30") == []


class TestEntering:
    def test_a_move_of_half_ends_in_contact_and_then_aboard(self):
        """ME-73, ME-86: for 1 AP; who is aboard has no place."""
        here = game(carrier(), unit("V", NEAR))
        happened = here.do(V_IN)
        inside = here.state.unit("V")
        assert (inside.carrier, inside.place) == ("C1", None)
        assert told_of(happened) == [("declares", "V"), ("moves", "V"), ("enters", "V")]
        assert (inside["ap_spent"], inside["acted_1"]) == (1, "enter_unit")
        assert "V" in here.setting.ruleset.draw(here.table).__next__().tokens[0]

    def test_the_move_may_be_nil(self):
        """ME-73: but it has to touch the carrier in the end."""
        here = game(carrier(), unit("V", (22.5, 24)))
        assert clauses(here, "V enter_unit C1") == []
        assert clauses(game(carrier(), unit("V", (22.48, 24))), "V enter_unit C1") == ["ME-73"]

    def test_no_more_than_half_a_move_is_spent(self):
        here = game(carrier(), unit("V", (19.4, 24)))
        (refused,) = here.breaches("V enter_unit C1: forward 3.1")
        assert (refused.clause, refused.needed, refused.available) == ("ME-10", 3.5, 3)

    @pytest.mark.parametrize(
        ("fields", "told"),
        [
            ({"slots": 0}, "C1 is not a carrier"),
            ({"side": "blue"}, "C1 is an opposing unit"),
            ({"accepts": ("infantry", "mecha")}, "C1 carries infantry, mecha, no vehicle"),
            ({"slots": 0.5}, "V takes 1 slot, C1 has 0.5 slots left"),
            ({"level": "keep"}, "C1 is on another level"),
        ],
    )
    def test_the_carrier_has_to_be_able_to_carry_it(self, fields, told):
        """ME-74: friendly, with room, and one that accepts such units."""
        pieces = [Piece("keep", "building", rectangle((26, 24), (6, 6)), "elevated", height=4)]
        here = game(carrier(at=(26, 24), **fields), unit("V", (22, 24)), pieces=pieces if "level" in fields else ())
        assert told in [breach.message for breach in here.breaches("V enter_unit C1: forward 2.5")]
        assert {breach.blocker for breach in here.breaches("V enter_unit C1") if breach.clause == "ME-74"} <= {"C1"}

    def test_infantry_takes_half_a_slot(self):
        """ME-74: one slot holds two of them, or one other unit."""
        full = game(carrier(slots=1), foot("I1"), foot("I2", (22.5, 24)), unit("V", (24, 22.5)))
        assert clauses(full, "I2 enter_unit C1") == []
        (refused,) = full.breaches("V enter_unit C1")
        assert (refused.clause, refused.needed, float(refused.available)) == ("ME-74", 1, 0.5)

    def test_a_carrier_with_somebody_aboard_is_not_carried(self):
        """ME-74: an empty one is."""
        big = carrier("BIG", at=(20, 24), base=2, size_class=6)
        loaded = game(big, carrier(at=(23, 24)), unit("V"))
        assert [breach.message for breach in loaded.breaches("C1 enter_unit BIG")] == [
            "C1 carries somebody: it cannot itself be carried"
        ]
        assert clauses(game(big, carrier(at=(23, 24))), "C1 enter_unit BIG") == []

    def test_nobody_enters_what_is_not_there(self):
        here = game(carrier(), unit("V"), unit("W", (22.5, 24)))
        assert [breach.message for breach in here.breaches("W enter_unit V")] == [
            "V is not on the table: it cannot be entered"
        ]
        assert [breach.message for breach in here.breaches("W enter_unit W")] == ["W cannot enter itself"]

    def test_who_is_in_contact_with_an_opposing_unit_does_not(self):
        """E26, ME-8."""
        here = game(carrier(), unit("V", (22.5, 24), "mecha"), unit("B", (22.5, 25), side="blue"))
        (refused,) = here.breaches("V enter_unit C1")
        assert (refused.clause, refused.blocker, refused.place) == ("ME-8", "B", (22.5, 25))


class TestLocks:
    def test_nobody_enters_a_carrier_after_its_move_action(self):
        """ME-75: an unloading counts; a free turn does not."""
        here = game(carrier(), unit("V", NEAR), foot("I"))
        here.do(f"C1 unload: set_down I at {behind(1.5, 40)}")
        assert clauses(here, "V enter_unit C1: forward 2.5") == ["ME-75"]
        turned = game(carrier(mobility="walker"), unit("V", NEAR))
        turned.do("C1 free_turn: turn_left 90")
        assert clauses(turned, V_IN) == []

    def test_a_carrier_that_was_entered_only_unloads(self):
        """ME-76."""
        here = game(carrier(), unit("V", NEAR), foot("I"))
        here.do(V_IN)
        assert clauses(here, "C1 standard: forward 1") == ["ME-76"]
        assert clauses(here, f"C1 unload: set_down I at {behind(1.5)}") == []

    def test_nobody_exits_after_a_move_action_of_the_carrier(self):
        """ME-84: an unloading counts."""
        here = game(carrier(), unit("V"), foot("I"))
        assert clauses(here, f"V exit_unit at {behind(1.5)}") == []
        here.do("C1 unload: forward 2")
        (refused,) = here.breaches("V exit_unit at 24.5,24")
        assert (refused.clause, refused.blocker, refused.place) == ("ME-84", "C1", (26, 24))

    def test_a_carrier_that_was_left_only_unloads(self):
        """ME-85."""
        here = game(carrier(), unit("V"), foot("I"))
        here.do(f"V exit_unit at {behind(1.5)} facing 180: forward 3")
        assert clauses(here, "C1 run: forward 9") == ["ME-85"]
        assert clauses(here, "C1 unload: forward 2") == []

    @pytest.mark.parametrize(("scope", "refused"), [("phase", []), ("turn", ["ME-76"])])
    def test_being_entered_locks_for_the_phase_or_by_option_for_the_turn(self, scope, refused):
        """ME-76, carrier_lock_scope."""
        here = game(carrier(), unit("V", NEAR), carrier_lock_scope=scope)
        here.do(V_IN)
        next_movement(here)
        assert clauses(here, "C1 standard: forward 1") == refused
        next_movement(here)
        assert clauses(here, "C1 standard: forward 1") == []

    @pytest.mark.parametrize(("scope", "refused"), [("phase", []), ("turn", ["ME-85"])])
    def test_being_left_does_too(self, scope, refused):
        """ME-85, carrier_lock_scope."""
        here = game(carrier(), unit("V"), carrier_lock_scope=scope)
        here.do(f"V exit_unit at {behind(1.5)}")
        assert clauses(next_movement(here), "C1 standard: forward 1") == refused
        assert clauses(next_movement(here), "C1 standard: forward 1") == []

    @pytest.mark.parametrize(("scope", "enters", "leaves"), [("phase", [], []), ("turn", ["ME-75"], ["ME-84"])])
    def test_and_so_does_its_own_move_action(self, scope, enters, leaves):
        """ME-75, ME-84, carrier_lock_scope."""
        here = game(carrier(), unit("V", NEAR), foot("I"), carrier_lock_scope=scope)
        here.do("C1 standard")
        next_movement(here)
        assert clauses(here, V_IN) == enters
        assert clauses(here, f"I exit_unit at {behind(1.5)}") == leaves


class TestUnloading:
    def test_it_is_paid_by_the_carrier(self):
        """ME-77, ME-80: who is set down pays no AP, and has made a Move Action in this phase."""
        here = game(carrier(), unit("V"))
        happened = here.do(f"C1 unload: forward 4, set_down V at {behind(1.5, of=(28, 24))} facing 90")
        down, there = here.state.unit("V"), here.state.unit("C1")
        assert (down.place, down.heading, down["ap_spent"], down["acted_1"]) == ((26.5, 24), 90, 0, "unloaded")
        assert (there["ap_spent"], there["acted_1"], there.place) == (1, "unload", (28, 24))
        assert told_of(happened) == [("declares", "C1"), ("moves", "C1"), ("is set down", "V")]

    def test_who_was_unloaded_makes_no_move_action_in_the_phase_and_no_run_or_charge_later(self):
        """ME-80."""
        here = game(carrier(), unit("V"), unit("B", (10, 24), side="blue"))
        here.do(f"C1 unload: set_down V at {behind(1.5)} facing 180")
        assert clauses(here, "V standard: forward 1") == ["ME-80"]
        next_movement(here)
        assert clauses(here, "V run: forward 7") == ["ME-80"]
        assert clauses(here, "V charge B: forward 11.5") == ["ME-80"]
        assert clauses(here, "V standard: forward 6") == []

    def test_a_walker_that_was_unloaded_still_has_its_free_turn(self):
        here = game(carrier(), unit("W", kind="mecha"))
        here.do(f"C1 unload: set_down W at {behind(1.5)}")
        assert clauses(here, "W free_turn: turn_left 90") == []

    @pytest.mark.parametrize(
        ("moves", "riders", "refused"),
        [
            ("", "V1 V2", []),
            ("", "V1 I1 I2", []),
            ("", "I1 I2 I3 I4", []),
            ("", "V1 V2 I1", ["ME-78"]),
            ("", "I1 I2 I3 I4 I5", ["ME-78"]),
            ("forward 4, ", "V1", []),
            ("forward 4, ", "I1 I2", []),
            ("forward 4, ", "V1 I1", ["ME-78"]),
            ("forward 4, ", "I1 I2 I3", ["ME-78"]),
            # A turn that is paid for is a move.
            ("turn_left 22.5, turn_right 22.5, ", "V1 V2", []),
            ("forward 0.5, backward 0.5, ", "V1 V2", ["ME-78"]),
        ],
    )
    def test_how_many(self, moves, riders, refused):
        """E24, ME-77, ME-78: two without a move and one after it, and twice as many if they are infantry."""
        here = game(
            carrier(slots=9),
            unit("V1", base=0.3),
            unit("V2", base=0.3),
            *(foot(f"I{number}", base=0.3) for number in range(1, 6)),
        )
        spots = [behind(1.3, aside, (28, 24) if "4" in moves else MIDDLE) for aside in (-44, 0, 44, -22, 22)]
        if len(riders.split()) > 3:
            spots = [behind(1.3, aside) for aside in (-58, -29, 0, 29, 58)]
        told = ", ".join(f"set_down {name} at {at}" for name, at in zip(riders.split(), spots, strict=False))
        wide = game(*here.state, rear_arc_deg=180)
        assert clauses(wide, f"C1 unload: {moves}{told}") == refused

    def test_a_paid_turn_counts_as_a_move_and_a_free_one_does_not(self):
        """ME-78, ME-30, ME-37."""
        told = f"set_down V1 at {behind(1.5, 40, heading=90)}, set_down V2 at {behind(1.5, -40, heading=90)}"
        paid = game(carrier(), unit("V1"), unit("V2"))
        (refused,) = paid.breaches(f"C1 unload: turn_left 90, {told}")
        assert (refused.clause, refused.needed, refused.available) == ("ME-78", 2, 1)
        free = game(carrier(mobility="walker"), unit("V1"), unit("V2"))
        assert clauses(free, f"C1 unload: turn_left 90 free 90, {told}") == []
        free.do(f"C1 unload: turn_left 90 free 90, {told}")
        assert free.state.unit("C1")["free_turned"] == 90

    def test_no_more_than_half_a_move(self):
        here = game(carrier(), unit("V"))
        assert clauses(here, "C1 unload: forward 4.1") == ["ME-10"]

    def test_only_whom_it_carries(self):
        """ME-77."""
        here = game(carrier(), unit("V"), unit("W", (30, 30)), carrier("C2", (40, 40)))
        assert [one.message for one in here.breaches(f"C1 unload: set_down W at {behind(1.5)}")] == [
            "W is not aboard C1"
        ]
        assert [one.message for one in here.breaches("C2 unload: forward 1")] == [
            "C2 carries nobody: there is nothing to unload"
        ]
        twice = f"C1 unload: set_down V at {behind(1.5, 40)}, set_down V at {behind(1.5, -40)}"
        assert "V has been set down already" in [one.message for one in here.breaches(twice)]

    def test_not_in_contact_with_an_opposing_unit(self):
        """ME-86: a carried unit exits all the same, and walks away."""
        here = game(carrier(), unit("V"), unit("B", (25.5, 24), side="blue"))
        (refused,) = here.breaches(f"C1 unload: set_down V at {behind(1.5)}")
        assert (refused.clause, refused.blocker) == ("ME-86", "B")
        beside = game(carrier(), unit("V"), unit("B", (25.5, 24), side="blue"), unit("D", (22.5, 25), side="blue"))
        assert clauses(beside, f"V exit_unit at {behind(1.5)} facing 180: forward 1") == []

    def test_who_has_no_place_stays_aboard(self):
        """ME-79: the carrier may unload nobody after all."""
        here = game(carrier(at=(1, 24)), unit("V"))
        assert here.breaches("C1 unload: set_down V at -0.5,24")
        here.do("C1 unload")
        assert here.state.unit("V").carrier == "C1"
        assert here.state.unit("C1")["acted_1"] == "unload"

    def test_moves_come_first_unless_an_option_allows_any_order(self):
        """ME-78, unload_order."""
        told = f"C1 unload: forward 2, set_down I1 at {behind(1.5, of=(26, 24))}, forward 2"
        whole = f"{told}, set_down I2 at {behind(1.5, of=(28, 24))}"
        assert clauses(game(carrier(), foot("I1"), foot("I2")), whole) == ["ME-78"]
        here = game(carrier(), foot("I1"), foot("I2"), unload_order="any")
        assert clauses(here, whole) == []
        happened = here.do(whole)
        places = {unit.id: unit.place for unit in here.state}
        assert places == {"C1": (28, 24), "I1": (24.5, 24), "I2": (26.5, 24)}
        assert told_of(happened) == [
            ("declares", "C1"),
            ("moves", "C1"),
            ("is set down", "I1"),
            ("moves", "C1"),
            ("is set down", "I2"),
        ]

    def test_who_has_been_set_down_is_in_the_way_then(self):
        """ME-41, unload_order."""
        here = game(carrier(), unit("V"), unload_order="any")
        (refused,) = here.breaches(f"C1 unload: set_down V at {behind(1.5)}, backward 1")
        assert (refused.clause, refused.blocker) == ("ME-41", "V")

    def test_it_unloads_in_passing_over_a_friend_and_does_not_end_there(self):
        """ME-42, ME-43, ME-79, unload_order: only the end of the action may not be on a base."""
        friend = unit("G", (26, 24), "mecha")
        here = game(carrier(), unit("V"), friend, unload_order="any")
        down = f"set_down V at {behind(1.5, of=(26, 24))}"
        assert clauses(here, f"C1 unload: forward 2, {down}, forward 2") == []
        assert clauses(here, f"C1 unload: forward 2, {down}") == ["ME-43"]
        here.do(f"C1 unload: forward 2, {down}, forward 2")
        assert {one.id: one.place for one in here.state} == {"C1": (28, 24), "V": (24.5, 24), "G": (26, 24)}
        first = game(*here.setting.opening([carrier(), unit("V"), friend]).units.values())
        assert clauses(first, f"C1 unload: forward 2, {down}, forward 2") == ["ME-78"]

    def test_nobody_is_set_down_on_a_friend_in_passing(self):
        """ME-79: not even on one that carrier and passenger may pass."""
        here = game(carrier(), unit("V", size_class=9), unit("G", (24.7, 24), "mecha"), unload_order="any")
        order = f"C1 unload: forward 2, set_down V at {behind(1.5, of=(26, 24))}, forward 2"
        (refused,) = here.breaches(order)
        assert (refused.clause, refused.blocker) == ("ME-79", "G")

    def test_who_has_been_set_down_may_be_passed_if_it_is_such_a_friend(self):
        """ME-42, ME-43, unload_order."""
        here = game(carrier(move=12), unit("W", kind="mecha"), unload_order="any")
        down = f"C1 unload: set_down W at {behind(1.5)}"
        assert clauses(here, f"{down}, backward 3") == []
        assert clauses(here, f"{down}, backward 1.5") == ["ME-43"]
        here.do(f"{down}, backward 3")
        assert here.state.unit("C1").place == (21, 24)

    @pytest.mark.parametrize("option", ["after_move", "any"])
    def test_reach_of_those_set_down_is_behind_where_the_carrier_ends(self, option):
        """ME-79, unload_order: all that it tells is legal, in passing there may be more."""
        here = game(carrier(move=6), unit("V"), unit("G", (26, 24), "mecha"), unload_order=option)
        reach = here.reach("V", "unload")
        told = 0
        for x, y in ((22.5, 24), (24.5, 24), (26.5, 25.5), (25.2, 25.4), (24.9, 22.4), (23.3, 22.2), (21.8, 25.1)):
            if reach.cost_at((x, y)) is not None:
                told += 1
                assert here.breaches(reach.orders_to((x, y))[0]) == []
        assert 2 <= told < 7

    def test_a_leg_goes_on_where_somebody_is_set_down(self):
        """ME-17, unload_order: two parts of a leg are rounded together."""
        here = game(carrier(move=5), foot("I"), unload_order="any")
        order = f"C1 unload: forward 1.2, set_down I at {behind(1.5, of=(25.2, 24))}, forward 1.2"
        assert clauses(here, order) == []
        assert mp_of_steps(here.branch().do(order)) == [1.5, 1]

    @pytest.mark.parametrize(
        ("before", "after", "told"),
        [
            ("forward 1", "forward 1", [1, 1]),
            ("forward 0.3", "forward 0.1", [0.5, 0]),  # the half inch that is begun first
            ("backward 0.5", "forward 0.3", [1, 0.5]),
            ("turn_left 20", "turn_left 20", [0.5, 0.5]),
            ("turn_left 60", "turn_right 30", [1, 0]),  # what the second gives back is not asked before
            ("turn_left 22.5", "forward 1.7", [0.5, 2]),
        ],
    )
    def test_each_stretch_shows_its_price(self, before, after, told):
        """ME-17, ME-29, unload_order: those before and after somebody is set down add up to the whole."""
        here = game(carrier(), foot("I", base=0.3), unload_order="any")
        there = here.branch()
        there.do(f"C1 unload: {before}")
        stands = there.state.unit("C1")
        down = f"set_down I at {behind(1.3, of=tuple(map(float, stands.place)), heading=float(stands.heading))}"
        happened = here.branch().do(f"C1 unload: {before}, {down}, {after}")
        assert mp_of_steps(happened) == told
        assert happened.ledger.total("mp") == sum(told)
        whole = game(carrier(), foot("I")).do(f"C1 unload: {before}, {after}")
        assert whole.ledger.total("mp") == sum(told)
        (wide,) = [one for one in happened.events if one.kind == "is set down"]
        assert not wide.price

    def test_a_stretch_pays_for_the_ground_of_its_own_half_inches(self):
        """ME-18."""
        mud = Piece("mud", "difficult", rectangle((28, 24), (4, 4)), "ground")
        here = game(carrier(move=12), foot("I"), pieces=[mud], unload_order="any")
        order = f"C1 unload: forward 1.2, set_down I at {behind(1.5, of=(25.2, 24))}, forward 1.2"
        assert mp_of_steps(here.do(order)) == [2, 2]


class TestPlacing:
    def test_in_base_contact_within_the_arc_behind_the_carrier(self):
        """ME-79."""
        here = game(carrier(), unit("V"))
        for inches, aside, refused in (
            (1.5, 45, []),
            (1.5, -45, []),
            (1.51, 0, []),
            (1.49, 0, []),
            (1.52, 0, ["ME-79"]),
            (1.5, 47, ["ME-79"]),
            (1.5, 180, ["ME-79"]),
        ):
            assert clauses(here, f"C1 unload: set_down V at {behind(inches, aside)}") == refused
            exits = [clause.replace("79", "83") for clause in refused]
            assert clauses(here, f"V exit_unit at {behind(inches, aside)}") == exits

    def test_refusals_have_figures_and_name_the_carrier(self):
        here = game(carrier(), unit("V"))
        (refused,) = here.breaches(f"C1 unload: set_down V at {behind(1.5, 60)}")
        assert (refused.needed, round(refused.available, 6), refused.blocker) == (45, 60, "C1")
        (refused,) = here.breaches(f"C1 unload: set_down V at {behind(2)}")
        assert (refused.needed, refused.available, refused.place) == (0, 0.5, (22, 24))

    @pytest.mark.parametrize(("degrees", "aside", "refused"), [(30, 20, True), (360, 180, False), (90, 20, False)])
    def test_the_arc_is_an_option(self, degrees, aside, refused):
        """ME-79, rear_arc_deg."""
        here = game(carrier(), unit("V"), rear_arc_deg=degrees)
        assert bool(clauses(here, f"C1 unload: set_down V at {behind(1.5, aside)}")) == refused

    @pytest.mark.parametrize(
        ("option", "allowed", "refused"), [("any", "17", None), ("same", "0", "17"), ("away", "180", "0")]
    )
    def test_so_is_the_heading(self, option, allowed, refused):
        """ME-79, placement_heading."""
        here = game(carrier(), unit("V"), placement_heading=option)
        for order in (f"C1 unload: set_down V at {behind(1.5)}", f"V exit_unit at {behind(1.5)}"):
            assert clauses(here, f"{order} facing {allowed}") == []
            assert clauses(here, order) == []
            if refused is not None:
                assert clauses(here, f"{order} facing {refused}") == ["ME-79"]

    def test_a_carrier_may_let_units_out_anywhere(self):
        """ME-83: those who exit by themselves; it unloads at its rear."""
        here = game(carrier(exits_anywhere=True), unit("V"))
        assert clauses(here, f"V exit_unit at {behind(1.5, 180)}: forward 3") == []
        assert clauses(here, f"C1 unload: set_down V at {behind(1.5, 180)}") == ["ME-79"]

    def test_not_on_another_base_not_even_one_that_may_be_passed(self):
        """ME-79, ME-43; touching an opponent is allowed."""
        giant = unit("G", (22.3, 25.2), "mecha", size_class=9)
        here = game(carrier(), unit("V"), giant)
        for order in ("C1 unload: set_down V at", "V exit_unit at"):
            (refused,) = here.breaches(f"{order} {behind(1.5, -20)} facing 180")
            assert (refused.clause, refused.blocker) == ("ME-79", "G")
        enemy = game(carrier(), unit("V"), unit("B", (21.5, 24), side="blue"))
        assert clauses(enemy, f"C1 unload: set_down V at {behind(1.5)}") == []

    def test_two_that_are_set_down_do_not_overlap(self):
        """ME-79."""
        here = game(carrier(), unit("V1"), unit("V2"))
        (refused,) = here.breaches(f"C1 unload: set_down V1 at {behind(1.5, -10)}, set_down V2 at {behind(1.5, 10)}")
        assert (refused.clause, refused.blocker) == ("ME-79", "V1")

    def test_not_on_ground_where_it_may_not_be_nor_off_the_table(self):
        """ME-79, ME-15; deep water is open to walkers."""
        pond = Piece("pond", "deep_water", rectangle((21, 24), (3, 20)), "ground")
        here = game(carrier(), unit("V"), unit("W", kind="mecha"), pieces=[pond])
        (refused,) = here.breaches(f"C1 unload: set_down V at {behind(1.5)}")
        assert (refused.clause, refused.blocker) == ("ME-79", "pond")
        assert clauses(here, f"C1 unload: set_down W at {behind(1.5)}") == []
        assert clauses(game(carrier(at=(1, 24)), unit("V")), "C1 unload: set_down V at -0.5,24") == ["ME-79"]

    def test_on_the_level_of_the_carrier(self):
        """ME-81: a roof that ends behind it leaves no room there; on the ground a wall does."""
        keep = Piece("keep", "building", rectangle((24, 24), (6, 6)), "elevated", height=4)
        here = game(carrier(level="keep"), unit("V"), pieces=[keep])
        assert clauses(here, f"C1 unload: set_down V at {behind(1.5)}") == []
        here.do(f"C1 unload: set_down V at {behind(1.5)}")
        assert here.state.unit("V")["level"] == "keep"
        edge = game(carrier(at=(22, 24), level="keep"), unit("V"), pieces=[keep])
        assert clauses(edge, "C1 unload: set_down V at 20.5,24") == ["ME-106"]
        below = game(carrier(at=(29, 24)), unit("V"), pieces=[keep])
        assert clauses(below, "C1 unload: set_down V at 27.5,24") == []
        assert clauses(below, "C1 unload: backward 0.5, set_down V at 27,24") == ["ME-106"]


class TestExiting:
    def test_it_is_placed_at_the_rear_and_moves_on(self):
        """ME-82, ME-83: up to half a move, for 1 AP of its own."""
        here = game(carrier(), unit("V"))
        happened = here.do(f"V exit_unit at {behind(1.5)} facing 180: forward 3")
        left = here.state.unit("V")
        assert (left.place, left.carrier, left["ap_spent"], left["acted_1"]) == ((19.5, 24), "", 1, "exit_unit")
        assert here.state.unit("C1")["ap_spent"] == 0
        assert told_of(happened) == [("declares", "V"), ("exits", "V"), ("moves", "V")]
        assert clauses(game(carrier(), unit("V")), f"V exit_unit at {behind(1.5)} facing 180: forward 3.1") == ["ME-10"]

    def test_who_is_carried_only_exits(self):
        """ME-86: and makes no free turn (ME-35)."""
        here = game(carrier(), unit("W", kind="mecha"))
        for order in ("standard: forward 1", "run: forward 7", "manoeuvre", "enter_unit C1", "break_away"):
            assert "ME-86" in clauses(here, f"W {order}")
        assert clauses(here, "W free_turn: turn_left 30") == ["ME-35"]

    def test_who_is_aboard_nothing_does_not(self):
        """ME-82."""
        assert clauses(game(carrier(), unit("V", NEAR)), "V exit_unit at 20,24") == ["ME-82"]

    def test_static_units_make_no_move_of_their_own(self):
        """ME-26: they are unloaded."""
        here = game(carrier(), unit("S", kind="emplacement"))
        assert "ME-26" in clauses(here, f"S exit_unit at {behind(1.5)}")
        assert clauses(here, f"C1 unload: set_down S at {behind(1.5)}") == []

    def test_who_is_aboard_rides_along(self):
        """ME-86: and gets off where the carrier is by then."""
        here = game(carrier(), unit("V", NEAR))
        here.do(V_IN)
        next_movement(here).do("C1 standard: forward 8")
        assert here.state.unit("V").place is None
        assert clauses(next_movement(here), "V exit_unit at 30.5,24 facing 180: forward 3") == []

    def test_who_is_aboard_is_in_nobodys_way(self):
        here = game(carrier(), unit("V", NEAR), unit("W", (16, 24)))
        assert clauses(here, "W standard: forward 5") == ["ME-41", "ME-43"][:1]
        here.do(V_IN)
        assert clauses(here, "W standard: forward 5") == []

    def test_a_unit_that_lacks_the_ap_does_not(self):
        """ME-7."""
        assert clauses(game(carrier(), unit("V", ap=0)), f"V exit_unit at {behind(1.5)}") == ["ME-7"]


def test_refused_orders_change_nothing():
    here = game(carrier(), unit("V"), unit("W", NEAR))
    for order in (
        f"C1 unload: forward 4.5, set_down V at {behind(1.5)}",
        f"V exit_unit at {behind(2)}",
        "W enter_unit C1: forward 1",
    ):
        before = here.state
        assert here.breaches(order)
        with pytest.raises(Exception, match="ME-"):
            here.do(order)
        assert here.state == before
