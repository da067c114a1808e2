"""The turn: who may act when, what comes back, and what comes of vehicles that nobody drove."""

import pytest
from dt_games import bike, blocked, centred, game, rear, trooper

from simulator.engine.questions import React
from simulator.geometry.hex_lattice import step

TIRED = {"ap_bonus": -8}
MOVES = ("movement of red", "movement of blue")


def kinds(happened, *wanted):
    return [(event.kind, event.unit, event.clause) for event in happened.events if event.kind in wanted]


def go_round(table):
    """End the phases of the turn until a new one begins; give all that happened."""
    turn, events = table.table.clock.turn, []
    while table.table.clock.turn == turn:
        events += table.do("all done").events
    return events


def refused(table, order):
    return [(breach.clause, breach.needed) for breach in table.breaches(order)]


class TestPhases:
    """DT-168: side by side through movement and explosives, then standard fire for all."""

    def two_sides(self):
        units = [trooper("A1"), trooper("B1", "blue", (5, 0)), trooper("A2", "red", (0, 5))]
        return game([*units, *bike("bike", "red", (0, -4), rider=None, motion="stopped")], centred(8))

    def test_each_side_moves_and_its_explosives_go_off_before_the_other_moves(self):
        clock = self.two_sides().table.clock
        assert [(phase.name, phase.order, phase.clause) for phase in clock.phases] == [
            ("movement of red", "sides", "DT-168"),
            ("explosives of red", "nobody", "DT-168"),
            ("movement of blue", "sides", "DT-168"),
            ("explosives of blue", "nobody", "DT-168"),
            ("standard_fire", "sides", "DT-159"),
        ]

    def test_only_troopers_of_the_side_whose_phase_it_is_act(self):
        table = self.two_sides()
        for name, sides, free in (
            ("movement of red", ("red",), ("A1", "A2")),
            ("movement of blue", ("blue",), ("B1",)),
            ("standard_fire", ("red", "blue"), ("A1", "A2")),
        ):
            clock = table.table.clock
            assert (clock.phase.name, clock.sides) == (name, sides)
            assert table.ruleset.clock.may_go(table.table) == free
            table.do(f"{sides[0]} done")
        assert table.ruleset.clock.waiting(table.table) == ("B1",)

    def test_in_any_order_and_until_the_ap_are_spent(self):
        """DT-162: a go goes on while AP are left, and ends by itself with the last of them."""
        table = self.two_sides()
        table.do("A2 foot_move: step 1,5")
        table.do("A2 foot_move: " + ", ".join(["lie_down, stand_up"] * 3))
        assert table.table.clock.unit == "A2"
        table.do("A2 foot_move: step 1,4")
        assert (table.table.clock.unit, table.table.clock.done) == ("", ("A2",))
        table.do("A1 foot_move: step 1,0")
        assert [one[0] for one in refused(table, "A2 done")] == ["DT-168"]

    def test_a_side_may_be_called_anything(self):
        """DT-168: its phases are its own whatever words are in its name."""
        side = "wheels of fire"
        flyer = trooper("A2", side, (0, 5), jet_pack="worn", weapon="grenade")
        units = [*bike("bike", side, (0, 0), last_mode="cruise", rider_fields=TIRED), flyer]
        table = game([*units, trooper("B1", "end of movement of days", (0, -5))], centred(9))
        table.do("A2 activate_jet_pack: fly 1,5 2,5 3,5, drop, fly 4,5 4,4 4,3")
        table.do("A2 done")
        happened = table.do("A1 done", [2])
        assert kinds(happened, "wipes out", "dud") == [("wipes out", "bike", "DT-118"), ("dud", "A2", "DT-24")]
        assert (table.table.clock.side, table.breaches("B1 foot_move: step 1,-5")) == ("end of movement of days", [])

    def test_the_dead_have_no_go(self):
        """DT-168: whoever is off the map neither moves nor fires; a side of theirs alone is passed over."""
        fallen = trooper("B1", "blue", None, posture="dead", crossed=tuple(range(10, 0, -1)))
        table = game([trooper("A1"), fallen], centred(4))
        table.do("A1 done")
        assert table.table.clock.phase.name == "standard_fire"
        table.do("A1 done")
        assert (table.table.clock.turn, table.table.clock.phase.name) == (2, "movement of red")

    def test_a_grenade_goes_off_when_the_side_of_its_thrower_has_moved(self):
        """DT-24, DT-153: not before, not with those of the other side, and before the other side moves."""
        flyer = {"jet_pack": "worn", "weapon": "grenade"}
        units = [trooper("A1", **flyer), trooper("A2", "red", (0, 5)), trooper("B1", "blue", (6, -5), **flyer)]
        table = game([*units, trooper("B2", "blue", (-6, 6))], centred(9))
        table.do("A1 activate_jet_pack: fly 1,0 2,0 3,0, drop, fly 4,0 5,0 6,0")
        assert [charge["side"] for charge in table.state.data["explosives"]] == ["red"]
        happened = table.do("A2 done", [12])
        assert kinds(happened, "explosion", "dud") == [("explosion", "A1", "DT-24")]
        assert (table.table.clock.phase.name, table.state.data["explosives"]) == ("movement of blue", ())
        table.do("B1 activate_jet_pack: fly 5,-5 4,-5 3,-5, drop, fly 2,-5 1,-5 0,-5")
        happened = table.do("blue done", [2])
        assert kinds(happened, "explosion", "dud") == [("dud", "B1", "DT-24")]
        assert table.state.data["explosives"] == ()


class TestNewTurn:
    """DT-66, DT-162: what is fresh in a new turn, and what is carried over."""

    def test_troopers_have_their_ap_and_jet_packs_again(self):
        """DT-10."""
        table = game([trooper("A1", jet_pack="worn"), trooper("B1", "blue", (5, 5))], centred(9))
        order = "A1 activate_jet_pack: fly 1,0 2,0 3,0 3,-1 2,-1 1,-1"
        table.do(order)
        spent = table.state.unit("A1")
        assert (spent["ap_spent"], spent["movement_spent"], spent["jet_pack_used"], spent["has_flown"]) == (
            *(3, 3),
            *(True, True),
        )
        events = go_round(table)
        fresh = [event for event in events if event.kind == "fresh AP"]
        assert [(event.unit, event.clause) for event in fresh] == [("A1", "DT-162"), ("B1", "DT-162")]
        rested = table.state.unit("A1")
        assert (rested["ap_spent"], rested["movement_spent"], rested["jet_pack_used"], rested["has_flown"]) == (
            *(0, 0),
            *(False, False),
        )
        assert table.breaches("A1 activate_jet_pack: fly 1,0 2,0 3,0 3,1 2,1 1,1") == []

    @pytest.mark.parametrize(("pack", "wore"), [("worn", True), ("carried", False), ("none", False)])
    def test_by_option_a_pack_weighs_from_the_next_turn_on(self, pack, wore):
        """DT-6: what is worn when a turn begins counts for all of it."""
        timing = {"jetpack_penalty_timing": "next_turn"}
        table = game([trooper("A1", jet_pack=pack), trooper("B1", "blue", (3, 0))], centred(4), options=timing)
        go_round(table)
        assert table.state.unit("A1")["wore_pack"] is wore

    def test_of_a_vehicle_only_the_motion_is_carried_over(self):
        """DT-66: no mode, nothing paid on one, nobody rammed; the mode of the last turn is known for DT-68."""
        foe = bike("foe", "blue", (7, 1), rider="B1", motion="stopped")
        table = game([*bike(place=(0, 0)), *foe], centred(9))
        table.do("A1 drive cruise: move, move, ram foe", [12])
        driven = table.state.unit("bike")
        assert (driven["mode"], driven["mode_ap"], driven["driven"], driven["rammed"]) == ("cruise", 2, True, ("foe",))
        events = go_round(table)
        new = [(event.unit, event.clause) for event in events if event.kind == "new turn"]
        assert new == [("bike", "DT-66"), ("foe", "DT-66")]
        fresh = table.state.unit("bike")
        assert (fresh["mode"], fresh["mode_ap"], fresh["driven"], fresh["rammed"]) == ("", 0, False, ())
        assert (fresh["motion"], fresh["last_mode"]) == ("moving", "cruise")
        assert table.state.unit("foe")["motion"] == "stopped"
        assert refused(table, "A1 done")[0][0] == "DT-59"

    def test_a_turn_at_rest_leaves_the_last_mode_as_it_was(self):
        """DT-68: the mode of its previous turn is that of the last turn in which it had one."""
        table = game([*bike(motion="stopped", last_mode="cruise"), trooper("B1", "blue", (5, 5))], centred(9))
        go_round(table)
        assert table.state.unit("bike")["last_mode"] == "cruise"


class TestNobodyDrove:
    """DT-59, DT-68, DT-105: when a side has moved."""

    def ended(self, units, order="red done", **rules):
        """End the movement of red, every roll made, nobody firing."""
        table = game([*units, trooper("A9", "red", (-5, 8)), trooper("B9", "blue", (5, -8))], centred(12), **rules)
        happened = table.do(order, answers=None)
        events = list(happened.events)
        while table.question is not None:
            happened = table.answer(None if isinstance(table.question, React) else 12)
            events += happened.events
        return table, [(event.kind, event.unit) for event in events]

    @pytest.mark.parametrize(
        ("why", "fields", "rider"),
        [
            ("no AP for any mode", {}, TIRED),
            ("it is off", {"on": False}, {}),
            ("the card has no mode left", {"crossed": (1,)}, {}),
        ],
    )
    def test_what_nobody_can_drive_slides_by_its_last_mode(self, why, fields, rider):
        """DT-68, DT-123: three dots in cruise; the driver is under it."""
        units = bike(place=(0, 0), last_mode="cruise", rider_fields=rider, **fields)
        table, told = self.ended(units)
        unit = table.state.unit("bike")
        assert (unit.place, unit["posture"], unit["motion"]) == ((3, 0), "prone", "stopped"), why
        assert ("wipes out", "bike") in told
        assert table.table.clock.phase.name == "movement of blue"

    @pytest.mark.parametrize(
        ("why", "fields"),
        [("at rest", {"motion": "stopped"}), ("lies already", {"posture": "prone", "motion": "stopped"})],
    )
    def test_what_does_not_move_stays(self, why, fields):
        table, told = self.ended(bike(place=(0, 0), last_mode="cruise", on=False, **fields))
        assert table.state.unit("bike").place == (0, 0), why
        assert ("wipes out", "bike") not in told

    def test_only_vehicles_of_the_side_that_has_moved_are_out_of_control(self):
        """Blue's slides when blue has moved, red's was driven, and in standard fire nothing more happens."""
        foes = bike("foe", "blue", (0, 4), rider="B1", last_mode="cruise", rider_fields=TIRED)
        table = game([*bike(place=(0, 0)), *foes], centred(12))
        table.do("A1 drive minimum: move")
        table.do("A1 done")
        assert (table.table.clock.phase.name, table.state.unit("foe").place) == (MOVES[1], (0, 4))
        table.do("blue done", answers=None)
        while table.question is not None:
            table.answer(12)
        assert table.state.unit("foe").place == (3, 4)
        assert (table.state.unit("bike").place, table.state.unit("bike")["posture"]) == ((3, 0), "upright")

    def shots(self, units, orders, foe=None, options=None):
        """The shots that are offered when red has moved."""
        watched = foe or trooper("B1", "blue", (0, 3), arc=((0, 0), (-1, 0)))
        table = game([*units, trooper("A9", "red", (-5, 8)), watched], centred(12), options=options)
        for order in orders:
            table.do(order, answers=None)
            while table.question is not None:
                table.answer(12 if not isinstance(table.question, React) else None)
        asked = []
        table.do("red done", answers=None)
        while table.question is not None:
            asked.append((table.question.what, table.question.who, table.question.clause))
            table.answer(12 if not isinstance(table.question, React) else None)
        return asked

    def test_who_acts_on_a_vehicle_at_rest_is_shot_at(self):
        """DT-105."""
        at_rest = bike(place=(0, 0), motion="stopped", on=False)
        assert self.shots(at_rest, ["A1 turn_on"]) == [("fire", "B1", "DT-105")]
        assert self.shots(at_rest, []) == []
        assert self.shots(bike(place=(0, 0), motion="stopped"), ["A1 drive minimum: start 3"]) == []

    def test_once_and_no_more(self):
        """DT-105: one attack in all, whoever of the enemy makes it."""
        units = [*bike(place=(0, 0), motion="stopped", on=False)]
        units += [trooper(name, "blue", (0, 3 + n), arc=((0, 0),)) for n, name in enumerate(("B1", "B2"))]
        table = game(units, centred(9))
        table.do("A1 turn_on")
        table.do("A1 done", answers=["bike", 2])
        assert (table.question, table.table.clock.phase.name) == (None, MOVES[1])

    def test_who_lies_under_it_or_walked_away_is_not(self):
        """DT-105: a vehicle that lies, or that nobody rides any more, is not activated."""
        lying = bike(place=(0, 0), motion="stopped", posture="prone", rider_fields={"posture": "under_vehicle"})
        assert self.shots(lying, ["A1 crawl_out prone"]) == []
        off = bike(place=(0, 0), motion="stopped")
        assert self.shots(off, ["A1 dismount -2,0"]) == []


class TestHasToBeDriven:
    """DT-59, DT-61, DT-68: nobody's go ends before a moving vehicle that can be driven has been."""

    def crowd(self, **fields):
        units = [*bike(place=(0, 0), **fields), trooper("A2", "red", (0, 6)), trooper("B1", "blue", (5, -8))]
        return game(units, centred(12))

    def test_by_whatever_words_the_go_would_end(self):
        table = self.crowd()
        wanted = [("DT-59", ("minimum", "cruise", "max"))]
        for order in ("A1 done", "red done", "all done"):
            assert refused(table, order) == wanted
        walkers_first = game([trooper("A0", place=(0, 7)), *bike(place=(0, 0))], centred(12))
        assert refused(walkers_first, "red done") == wanted
        assert refused(table, "A2 done") == []
        assert refused(table, "A2 foot_move: step 1,6") == []

    def test_once_it_has_been_driven_all_may_end(self):
        table = self.crowd()
        table.do("A2 foot_move: step 1,6")
        assert refused(table, "A1 drive minimum: move") == []
        table.do("A1 drive minimum: move")
        for order in ("A1 done", "red done", "all done"):
            assert refused(table, order) == []

    def test_the_other_side_need_not_drive_yet(self):
        foes = bike("foe", "blue", (0, 4), rider="B1")
        table = game([trooper("A1"), *foes], centred(12))
        assert refused(table, "red done") == []
        assert refused(table, "all done") == []
        table.do("red done")
        assert [one[0] for one in refused(table, "all done")] == ["DT-59"]
        assert refused(table, "red done") != [("DT-59", ("minimum", "cruise", "max"))]

    @pytest.mark.parametrize(
        "fields",
        [{"motion": "stopped"}, {"on": False}, {"crossed": (1,)}, {"rider_fields": TIRED}],
        ids=str,
    )
    def test_not_at_rest_nor_what_nobody_can_drive(self, fields):
        assert refused(self.crowd(**fields), "A1 done") == []

    def test_modes_that_are_named_are_those_that_can_be_selected(self):
        """DT-60."""
        assert refused(self.crowd(rider_fields={"ap_bonus": -5}), "A1 done") == [("DT-59", ("minimum", "cruise"))]

    def test_passengers_and_troopers_on_foot_may_end_theirs(self):
        units = bike(place=(0, 0), **{"class": "assault"})
        guest = trooper("A2", "red", rear((0, 0), 0), aboard="bike", seat="passenger")
        table = game([*units, guest], centred(9))
        assert [one[0] for one in refused(table, "A1 done")] == ["DT-59"]

    def test_not_in_standard_fire(self):
        """DT-59: it is the movement that needs a mode."""
        table = self.crowd()
        table.do("A1 drive minimum: move")
        for who in ("red", "blue"):
            table.do(f"{who} done")
        assert table.table.clock.phase.name == "standard_fire"
        assert refused(table, "A1 done") == []

    def test_by_option_a_mode_is_selected_at_rest_too(self):
        """DT-59: but only by who can, and once."""
        options = {"mode_required": "always"}
        for fields, wanted in (
            ({}, [("DT-59", ("minimum", "cruise", "max"))]),
            ({"on": False}, []),
            ({"posture": "prone"}, []),
            ({"rider_fields": TIRED}, []),
        ):
            table = game(
                [*bike(motion="stopped", **fields), trooper("A2", "red", (0, 6))], centred(12), options=options
            )
            assert refused(table, "A1 done") == wanted
        table = game([*bike(motion="stopped"), trooper("A2", "red", (0, 6))], centred(12), options=options)
        table.do("A1 drive minimum: start")
        assert refused(table, "A1 done") == []

    def test_by_option_a_go_that_has_begun_is_not_left_either(self):
        """DT-59: an order of another would end it; nothing else does."""
        units = [*bike(motion="stopped", on=False), trooper("A2", "red", (0, 6)), trooper("B1", "blue", (5, -8))]
        table = game(units, centred(12), options={"mode_required": "always"})
        table.do("A1 turn_on")
        wanted = [("DT-59", ("minimum", "cruise", "max"))]
        for order in ("A2 foot_move: step 1,6", "A2 done", "A1 done", "red done"):
            assert refused(table, order) == wanted
        assert refused(table, "A1 drive minimum: start") == []
        assert [one[0] for one in refused(table, "all begin")] == ["DT-168"]

    def test_by_option_one_that_is_boxed_in_stays(self):
        """DT-68: it is not driven, nor does it crash; whoever has a way still takes it."""
        walls = blocked(*((2, 0), (1, -1), (1, 1), (0, 1), (0, -1), (1, -2), (2, -1), (2, -2)))
        for special, options, wanted in (
            (walls, {}, ["DT-59"]),
            (walls, {"boxed_in": "stay"}, []),
            ((), {"boxed_in": "stay"}, ["DT-59"]),
        ):
            table = game(bike(place=(0, 0)), centred(6, special=special), options=options)
            assert [one[0] for one in refused(table, "A1 done")] == wanted

    @pytest.mark.parametrize("boxed_in", ["crash", "stay"])
    @pytest.mark.parametrize("heading", range(0, 360, 60))
    @pytest.mark.parametrize("room", range(5))
    def test_one_at_rest_that_is_boxed_in_stays_whatever_the_options(self, room, heading, boxed_in):
        """DT-59, DT-68: it is due to drive if it can, and no vehicle at rest crashes."""
        ahead = [step((0, 0), heading // 60)]
        for _ in range(4):
            ahead.append(step(ahead[-1], heading // 60))
        way = {(0, 0), rear((0, 0), heading), *ahead[:room]}
        lane = centred(6, special=blocked(*(dot for dot in centred(6).places() if dot not in way)))
        options = {"boxed_in": boxed_in, "mode_required": "always"}
        table = game(bike(heading=heading, motion="stopped"), lane, options=options)
        can = len(table.reach("A1", "drive")) > 0
        assert can == (room >= 3)
        assert [one[0] for one in refused(table, "A1 done")] == (["DT-59"] if can else [])
        assert "DT-68" in [one[0] for one in refused(table, "A1 crash minimum")]
