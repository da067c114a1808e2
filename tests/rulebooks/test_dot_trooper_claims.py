"""Refusals and explanations are claims: each figure is computed again, each remedy tried, and anything smaller too."""

import random
import re
from itertools import combinations

import pytest
from dot_trooper_positions import Position, at_the_moment
from dt_games import bike, blocked, centred, game, trooper

from simulator.engine.game import Game


def figures(table, order, *clauses):
    return [(one.clause, one.needed, one.available) for one in table.breaches(order) if one.clause in clauses]


def flight(length, start=(0, 0)):
    """An order to fly so many dots to and fro."""
    dots = [(start[0] + 1 - number % 2, start[1]) for number in range(length)]
    return "A1 activate_jet_pack: fly " + " ".join(f"{q},{r}" for q, r in dots)


class TestFigures:
    """What is needed and what there is, for whatever is short or too much."""

    @pytest.mark.parametrize("length", [1, 5, 17, 23])
    def test_of_flights_too_short_and_too_long(self, length):
        """DT-8, DT-9."""
        table = game([trooper("A1", jet_pack="worn")], centred(20))
        wanted = ("DT-9", 6, length) if length < 6 else ("DT-8", length, 16)
        assert figures(table, flight(length), "DT-8", "DT-9") == [wanted]
        other = game([trooper("A1", jet_pack="worn")], centred(20), tables={"flight.least": 18, "flight.most": 20})
        assert figures(other, flight(17), "DT-8", "DT-9") == [("DT-9", 18, 17)]
        assert figures(other, flight(21), "DT-8", "DT-9") == [("DT-8", 21, 20)]

    @pytest.mark.parametrize("seed", range(8))
    def test_of_walks_and_flights_beyond_the_ap_and_the_cap(self, seed):
        """DT-64, DT-162: at any moment of a turn, under any cap."""
        dice = random.Random(seed)
        options = {"cap_counts": dice.choice(("movement_only", "all_activities"))}
        there = Position(seed, options, {"movement.cap": dice.choice((3, 8, 10))})
        fields = there.trooper_fields() | {"jet_pack": "worn"}
        table = at_the_moment(game([trooper("A1", **fields)], centred(20), None, options, there.figures), fields)
        left, cap = there.ap_left(fields), there.cap_left(fields)
        for steps, changes in ((1, 0), (4, 1), (9, 0), (12, 2)):
            order = "A1 foot_move: " + ", ".join(
                [*(f"step {number + 1},0" for number in range(steps)), *["lie_down", "stand_up"][:changes]]
            )
            spent, moved = steps + changes, steps
            counted = spent if options["cap_counts"] == "all_activities" else moved
            wanted = [("DT-64", counted, cap)] if counted > cap else []
            wanted += [("DT-162", spent, left)] if spent > left else []
            assert figures(table, order, "DT-64", "DT-162") == wanted
        wanted = [("DT-64", 3, cap)] if cap < 3 else []
        wanted += [("DT-162", 3, left)] if left < 3 else []
        assert figures(table, flight(6), "DT-64", "DT-162") == wanted

    def test_of_what_is_done_once(self):
        """DT-10, DT-21, DT-152, DT-172."""
        table = game([trooper("A1", jet_pack="worn", weapon="grenade"), trooper("B1", "blue", (5, 5))], centred(20))
        many = "A1 activate_jet_pack: fly 1,0 2,0, drop, fly 3,0, drop, fly 4,0, drop, fly 5,0 6,0"
        assert figures(table, many, "DT-21") == [("DT-21", 3, 1)]
        table.do(flight(6))
        assert figures(table, flight(6), "DT-10") == [("DT-10", 1, 0)]
        units = [*bike(place=(0, 0), rider_fields={"weapon": "pistol"}), trooper("B1", "blue", (3, 2))]
        order = "A1 drive cruise: move, fire B1, fire B1, fire B1, move"
        found = figures(game(units, centred(20)), order, "DT-152", "DT-154")
        assert found == [("DT-152", 2, 1)]
        seats = game([*bike(place=(0, 0), motion="stopped"), trooper("A2", place=(-2, 0))], centred(9))
        assert figures(seats, "A2 mount bike", "DT-172") == [("DT-172", 1, 0)]

    def test_of_attacks_that_cost_more_than_there_is(self):
        """DT-64, DT-162, DT-171."""
        table = game([trooper("A1", ap_bonus=-7), trooper("B1", "blue", (3, 0))], centred(9))
        for who in ("A1", "B1"):
            table.do(f"{who} done")
        assert figures(table, "A1 standard_fire B1", "DT-162") == [("DT-162", 2, 1)]
        options = {"cap_counts": "all_activities"}
        table = game([trooper("A1", ap_bonus=4), trooper("B1", "blue", (9, 0))], centred(20), options=options)
        table.do("A1 foot_move: step 1,0, step 2,0, step 3,0, step 4,0, step 5,0, step 6,0, step 7,0")
        for who in ("A1", "B1"):
            table.do(f"{who} done")
        assert figures(table, "A1 standard_fire B1", "DT-64") == [("DT-64", 2, 1)]

    @pytest.mark.parametrize("seed", range(6))
    def test_of_drives_beyond_their_mode(self, seed):
        """DT-60, DT-68, DT-72."""
        there = Position(seed)
        fields = there.trooper_fields()
        table = at_the_moment(game(bike(place=(-15, 0), rider_fields=fields), centred(30)), fields)
        left = min(there.ap_left(fields), there.cap_left(fields))
        for mode, (least, most) in {"minimum": (1, 1), "cruise": (2, 4), "max": (5, 8)}.items():
            short = [("DT-60", least, left)] if left < least else []
            assert figures(table, f"A1 drive {mode}: move", "DT-60") == short
            if left < least:
                continue
            high = min(most, left)
            for count in range(1, 11):
                order = f"A1 drive {mode}: " + ", ".join(["move"] * count)
                wanted = [("DT-68", least, count)] if count < least else []
                wanted = [("DT-68", count, high)] if count > high else wanted
                assert figures(table, order, "DT-68") == wanted
            assert figures(table, f"A1 drive {mode}: move 5", "DT-72") == [("DT-72", 5, 3)]
            assert ("DT-72", 3, 2) in figures(table, f"A1 drive {mode}: move 2", "DT-72")


def with_change(table, unit, remedy, mode=""):
    """The game after a change that a remedy names."""
    state = table.state
    if " gone" in remedy:
        for name in remedy.removeprefix("with ").partition(" gone")[0].split(", "):
            state = state.without_unit(name)
    if found := re.search(r"(\d+) AP more", remedy):
        rider = state.unit(unit)
        state = state.with_unit(rider.put(ap_bonus=rider["ap_bonus"] + int(found[1])))
    if remedy.startswith("in "):
        mode = remedy.removeprefix("in ")
    return Game(table.setting, state), mode


def smaller(remedy):
    """Every smaller change of the same kind: fewer units gone, fewer AP more."""
    names = remedy.removeprefix("with ").partition(" gone")[0].split(", ") if " gone" in remedy else []
    found = re.search(r"(\d+) AP more", remedy)
    ap = int(found[1]) if found else 0
    for number in range(len(names) + 1):
        for some in combinations(names, number):
            for less in {0, ap - 1} if number == len(names) else {ap}:
                if less >= 0 and (some, less) != (tuple(names), ap):
                    parts = [f"with {', '.join(some)} gone"] if some else []
                    yield ", ".join(parts + ([f"{less} AP more"] if less else []))


class TestRemedies:
    """What would help does, and anything smaller does not."""

    def tried(self, table, unit, ask, place, reach, **question):
        why = reach.why_not(place, **question)
        if not why.remedy or why.remedy.startswith("a target number"):
            return 0
        there, mode = with_change(table, unit, why.remedy)
        assert ask(there, mode).why_not(place, **question).reasons == (), (place, why.remedy)
        for change in smaller(why.remedy):
            there, mode = with_change(table, unit, change)
            assert ask(there, mode).why_not(place, **question).reasons, (place, why.remedy, change)
        return 1

    @pytest.mark.parametrize("seed", range(3))
    def test_of_drives(self, seed):
        """DT-59, DT-162, DT-165: everywhere on small crowded maps, at any moment."""
        there = Position(seed)
        table, _ = there.drive(2)
        mode = there.dice.choice(("", "", "minimum", "cruise"))

        def ask(game, other):
            chosen = other or mode
            return game.reach("A1", "drive", **({"mode": chosen} if chosen else {}))

        reach = ask(table, "")
        if not hasattr(reach, "question"):
            return
        outside = [dot for dot in table.board.places() if dot not in reach]
        tried = sum(self.tried(table, "A1", ask, dot, reach) for dot in outside)
        assert tried <= len(outside)

    @pytest.mark.sampled
    @pytest.mark.parametrize("action", ["foot_move", "activate_jet_pack", "turn"])
    @pytest.mark.parametrize("seed", range(2))
    def test_on_foot_and_in_the_air(self, seed, action):
        """DT-64, DT-162, DT-165."""
        there = Position(seed)
        table, _, _ = there.foot(2)
        reach = table.reach("A1", action)
        outside = [dot for dot in table.board.places() if dot not in reach]
        tried = sum(self.tried(table, "A1", lambda game, _: game.reach("A1", action), dot, reach) for dot in outside)
        assert tried <= len(outside)

    def test_what_no_ap_bring_about_is_not_promised(self):
        """DT-61, DT-64: a mode ends at 8 AP, and so does the cap; who has 6 gets no farther than with 8."""
        table = game(bike(place=(-20, 0), rider_fields={"ap_bonus": -2}), centred(30))
        reach = table.reach("A1", "drive")
        assert reach.why_not((2, 0)).remedy == "2 AP more"
        why = reach.why_not((8, 0))
        assert next((one.clause, one.needed, one.available) for one in why.reasons) == ("DT-61", 10, 8)
        assert why.remedy == ""
        walker = game([trooper("A1", ap_bonus=4)], centred(12)).reach("A1", "foot_move").why_not((9, 0))
        assert [(one.clause, one.needed, one.available) for one in walker.reasons] == [("DT-64", 9, 8)]
        assert walker.remedy == ""

    def test_only_those_who_really_close_the_way_are_named(self):
        """DT-165: of three units two are in the way of nobody."""
        lane = blocked(*(dot for dot in centred(4).places() if dot[1] != 0))
        others = [trooper("B1", "blue", (2, 0)), trooper("B2", "blue", (-4, 0)), trooper("B3", "blue", (4, 0))]
        table = game([trooper("A1", place=(0, 0)), *others], centred(4, special=lane))
        assert table.reach("A1", "foot_move").why_not((3, 0)).remedy == "with B1 gone"
        assert table.reach("A1", "foot_move").why_not((2, 0)).remedy == "with B1 gone"
        assert table.reach("A1", "foot_move").why_not((4, 0)).remedy == "with B1, B3 gone"
