"""mecha: falls (ME-91 to ME-97), pushes and getting up, with the examples E19 and E20."""

import math

import pytest
from mecha_heights import KEEP, block, cited, detail_of, game, told, unit, where

from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.mecha.elevated import top_of
from simulator.rulesets.mecha.falling import FallPlaces, damage_dice, endurance_target
from simulator.rulesets.mecha.landing import Below

OFF = "A1 jump: forward 3.5, jump_off"


def on_keep(place=(24, 24), heading=0, **fields):
    return unit(place, heading, **({"level": "keep"} | fields))


def keep(height):
    return [block("keep", (24, 24), (8, 8), height)]


def falls_of(fallen, pieces):
    """Where a unit on the keep lies that falls."""
    table = game(fallen, pieces=pieces).table
    one = table.unit("A1")
    return FallPlaces(table, Below(table.setting, one, top_of(table.setting, one)))


class TestDice:
    @pytest.mark.parametrize(
        ("fields", "height", "order", "dice", "target"),
        [
            ({"size_class": 2}, 8, OFF, "5D6", 3),
            ({"size_class": 2}, 5, OFF, "3D6", 2),
            ({"size_class": 3, "mobility": "track"}, 4, OFF, "2D6", 1),
            ({"size_class": 4, "mobility": "track"}, 2, "A1 pushed toward 0 by 4", "D6", 0),
        ],
    )
    def test_e19_and_e20(self, fields, height, order, dice, target):
        """E19, E20 (ME-92, ME-93): the dice, without shields, and the target of the test (ME-96)."""
        play = game(on_keep(**fields), pieces=keep(height))
        happened = play.do(order)
        assert (happened.question.dice, happened.question.clause) == (dice, "ME-92")
        happened = play.answer(6)
        assert detail_of(happened, "is hurt") == {"damage": 6, "shields": False}
        if target > 0:
            assert detail_of(happened, "is tested")["target"] == target
        else:
            assert "is tested" not in told(happened)
            assert detail_of(happened, "needs no test")["target"] == target
        assert detail_of(happened, "falls")["from"] == "keep"

    def test_no_dice_for_size_class_0(self):
        play = game(on_keep(mobility="track", size_class=1), pieces=keep(1.5))
        happened = play.do(OFF)
        assert happened.question is None
        assert "is hurt" not in told(happened)

    def test_the_least_target_is_an_option(self):
        play = game(on_keep(mobility="track", size_class=4), pieces=keep(2), endurance_min=1)
        play.do("A1 pushed toward 0 by 4")
        assert detail_of(play.answer(3), "is tested")["target"] == 1

    @pytest.mark.parametrize(
        ("drop", "size_class", "target"), [(5, 2, 3), (3, 2, 2), (2, 3, 1), (1, 4, 0), (0, 3, 0), (4, 4, 1)]
    )
    def test_targets(self, drop, size_class, target):
        play = game(on_keep(size_class=size_class))
        assert endurance_target(play.table, play.table.unit("A1"), drop) == target

    def test_the_dice_are_data(self):
        play = game(on_keep(size_class=1), tables={"fall.dice": "D10"})
        assert play.do(OFF).question.dice == "2D10"

    @pytest.mark.parametrize(("drop", "dice"), [(0, None), (1, "2D6+1"), (3, "6D6+3")])
    def test_the_dice_once_for_each_class(self, drop, dice):
        """ME-92: T times what the table says, summed; none for T 0."""
        table = game(on_keep(), tables={"fall.dice": "2D6+1"}).table
        found = damage_dice(table, drop)
        assert (found and str(found)) == dice


class TestEndurance:
    def test_who_is_asked_and_where(self):
        """ME-92, ME-96: the unit that fell, where it lies."""
        play = game(on_keep(size_class=1), endurance_test="asked")
        damage = play.do(OFF).question
        assert (damage.what, damage.who, damage.place) == ("damage of the fall", "A1", (28.5, 24))
        test = play.answer(7).question
        assert (test.what, test.who, test.place) == ("the Endurance 2 test of its pilot", "A1", (28.5, 24))

    def test_where_it_happens(self):
        """ME-91, ME-92, ME-96, E20: each event names the unit, the place and the clause."""
        for size_class, tested in ((4, "needs no test"), (2, "is tested")):
            play = game(on_keep(size_class=size_class, mobility="track"), pieces=keep(2))
            told_of = [*play.do("A1 pushed toward 0 by 4").events, *play.answer(3).events]
            found = {event.kind: (event.unit, event.clause, event.place) for event in told_of}
            assert found["falls"] == ("A1", "ME-91", (28.5, 24))
            assert found["is hurt"] == ("A1", "ME-92", (28.5, 24))
            assert found[tested] == ("A1", "ME-96", (28.5, 24))

    def test_it_is_recorded(self):
        play = game(on_keep(size_class=1), endurance_fail_effect="destroyed")
        play.do(OFF)
        assert play.answer(7).question is None
        assert "A1" in play.table.state.units

    @pytest.mark.parametrize("outcome", ["passed", "failed"])
    @pytest.mark.parametrize("effect", ["none", "destroyed"])
    def test_or_asked_for(self, outcome, effect):
        play = game(on_keep(size_class=1), endurance_test="asked", endurance_fail_effect=effect)
        play.do(OFF)
        happened = play.answer(7)
        assert (happened.question.clause, happened.question.options) == ("ME-96", ("passed", "failed"))
        happened = play.answer(outcome)
        of_the_fall = [one for one in happened.events if one.kind in ("ends its test", "is destroyed")]
        found = {one.kind: (one.unit, one.clause, one.place, dict(one.detail)) for one in of_the_fall}
        known = {"ends its test": ("A1", "ME-96", (28.5, 24), {"outcome": outcome})}
        if (outcome, effect) == ("failed", "destroyed"):
            known["is destroyed"] = ("A1", "ME-96", (28.5, 24), {"by": "the fall"})
        assert found == known
        assert ("A1" in play.table.state.units) == (outcome == "passed" or effect == "none")


class TestAfterwards:
    def fallen(self, **options):
        play = game(on_keep(size_class=1), unit((40, 40), name="A2"), **options)
        play.do(OFF)
        play.answer(5)
        return play

    def test_nothing_more_this_turn(self):
        play = self.fallen()
        assert play.table.unit("A1")["fallen"]
        for order in (
            "standard: forward 1",
            "straighten_up",
            "free_turn: turn_left 10",
            "climb keep",
            "jump: forward 1, jump_off",
        ):
            assert "ME-94" in cited(play.breaches(f"A1 {order}"))
        assert play.reach("A1").area.is_empty

    def test_no_turn_on_the_ground(self):
        play = game(on_keep(size_class=1))
        assert cited(play.breaches(f"{OFF}, turn_left 30 free 30")) == ["ME-66"]

    def next_turn(self, play):
        while play.table.clock.turn == 1:
            play.do("all done")
        return play

    def test_up_again_in_the_next_turn(self):
        play = self.next_turn(self.fallen())
        assert cited(play.breaches("A1 standard: forward 1")) == ["ME-95"]
        assert cited(play.breaches("A1 free_turn: turn_left 10")) == ["ME-35"]
        assert cited(play.reach("A1").why_not((29, 24)).reasons) == ["ME-95"]
        play.do("A1 straighten_up")
        a = play.table.unit("A1")
        assert (a["fallen"], a["ap_spent"], a["acted_1"]) == (False, 1, "straighten_up")
        # It was the Move Action of the phase; runs are out of the question in the next.
        assert cited(play.breaches("A1 standard: forward 1")) == ["ME-2"]
        while play.table.clock.phase.name != "movement_2":
            play.do("all done")
        assert cited(play.breaches("A1 run: forward 7")) == ["ME-49"]
        assert not play.breaches("A1 standard: forward 1")

    def test_where_it_gets_up(self):
        """ME-95."""
        happened = game(unit((10, 10), fallen=True)).do("A1 straighten_up")
        (found,) = [event for event in happened.events if event.kind == "gets up"]
        assert (found.unit, found.clause, found.place) == ("A1", "ME-95", (10, 10))

    def test_in_contact_too(self):
        play = game(unit((10, 10), fallen=True), unit((11, 10), name="B1", side="blue"))
        play.do("A1 straighten_up")
        assert not play.table.unit("A1")["fallen"]

    def test_without_ap_it_stays_down(self):
        play = game(unit((10, 10), fallen=True, ap=0))
        assert cited(play.breaches("A1 straighten_up")) == ["ME-7"]
        assert "ME-95" in cited(play.breaches("A1 standard"))

    def test_only_who_has_fallen(self):
        assert cited(game(unit((10, 10))).breaches("A1 straighten_up")) == ["ME-95"]


class TestWhere:
    def test_at_the_foot(self):
        play = game(on_keep(size_class=1))
        play.do(OFF)
        play.answer(4)
        assert where(play) == ((28.5, 24), "ground")

    def test_beside_somebody_by_the_owners_choice(self):
        play = game(on_keep(size_class=1), unit((28.5, 24), name="B1", side="blue"))
        happened = play.do(OFF)
        question = happened.question
        assert (question.who, question.clause, question.place) == ("A1", "ME-97", (28.5, 24))
        # The base of B1 keeps its contact clear: two places along the wall, and no nearer one away from it.
        assert happened.question.options == (
            "28.5,23.01 level ground",
            "28.5,24.99 level ground",
            "29.49,24 level ground",
        )
        play.answer("28.5,24.99 level ground")
        play.answer(5)
        assert where(play) == ((28.5, 24.99), "ground")

    def test_a_lower_top_without_room(self):
        ledge = block("ledge", (28.3, 24), (0.6, 20), 2)
        play = game(on_keep(size_class=0), pieces=[*keep(5), ledge])
        happened = play.do(OFF)
        assert happened.question.dice == "3D6"  # down to the ground beyond the ledge
        play.answer(9)
        assert where(play) == ((29.1, 24), "ground")

    def test_nowhere_at_all_it_stays_and_has_fallen(self):
        """ME-92, ME-97: a track may not be in the wood that lies all round; it lies at the edge, no lower."""
        wood = Piece("wood", "woodland", rectangle((24, 24), (48, 48)))
        play = game(on_keep(kind="vehicle", mobility="track"), pieces=[KEEP, wood])
        happened = play.do("A1 pushed toward 0 by 4")
        assert happened.question is None
        assert detail_of(happened, "falls")["drop"] == 0
        assert (where(play), play.table.unit("A1")["fallen"]) == (((27.5, 24), "keep"), True)

    def test_the_dice_go_by_where_it_comes_to_lie(self):
        """ME-92, ME-97: no ground but a roof of 4 inches, below one of 8: the difference is class 2, not 5."""
        wood = Piece("wood", "woodland", rectangle((24, 24), (48, 48)))
        high, low = block("keep", (24, 24), (8, 8), 8), block("low", (24, 32), (8, 8), 4)
        play = game(on_keep((24, 27.5), kind="vehicle", mobility="track"), pieces=[high, low, wood])
        happened = play.do("A1 pushed toward 0 by 4.5")
        assert detail_of(happened, "falls")["drop"] == 2
        assert (happened.question.dice, where(play)[1]) == ("2D6", "low")

    def test_only_the_nearest_place_counts(self):
        """ME-97: the roof of 4 inches begins 0.1 inch off its base, and the ground has no room within 4 inches."""
        low = block("low", (32.6, 27.5), (8, 7), 4)
        play = game(on_keep((24, 27.5), size_class=1), pieces=[*keep(8), low])
        happened = play.do("A1 pushed toward 0 by 4.5")
        assert (happened.question.what, happened.question.dice) == ("damage of the fall", "2D6")
        assert where(play) == ((29.1, 27.5), "low")

    def test_onto_a_lower_top(self):
        low = block("low", (30, 24), (4, 4), 2)
        play = game(on_keep(size_class=0, mobility="track"), pieces=[*keep(8), low])
        happened = play.do(OFF)
        assert happened.question.dice == "4D6"
        play.answer(9)
        assert where(play) == ((28.5, 24), "low")

    def test_who_never_moves_there_may_lie_there(self):
        """ME-16, ME-26, ME-97: a fall is no move, and a static unit may be set up on flat ground."""
        play = game(on_keep((27.5, 24), kind="vehicle", mobility="static"))
        happened = play.do("A1 pushed toward 0 by 1.5")
        assert told(happened) == ["is pushed", "falls"]
        assert detail_of(happened, "falls") == {"from": "keep", "drop": 2, "level": "ground"}
        assert where(play) == ((28.5, 24), "ground")

    @pytest.mark.parametrize(
        ("size_class", "places"), [(2, [(35.5, 24), (40, 19.5), (40, 28.5), (44.5, 24)]), (5, [(40, 24)])]
    )
    def test_no_top_as_high_serves_as_ground(self, size_class, places):
        """ME-97, ME-105, ME-106: it lies round about; or under it, on the ground, if it is low for the unit."""
        twin = block("twin", (40, 24), (8, 8), 2)
        found = falls_of(on_keep(size_class=size_class), [*keep(2), twin]).of((40, 24))
        assert sorted(one.pose.place for one in found) == places
        assert {(one.level, one.drop) for one in found} == {("ground", 1)}

    @pytest.mark.parametrize(("top", "level", "drop"), [("flat_ground", "low", 4), ("deep_water", "ground", 5)])
    def test_the_ground_under_a_low_top_where_that_is_closed(self, top, level, drop):
        """ME-15, ME-92, ME-97, ME-105: four legs of size class 5 lie in it; the dice go by the height to the ground."""
        low = block("low", (40, 24), (8, 8), 2, attributes={"top": top})
        giant = on_keep(size_class=5, mobility="four_legged_walker")
        (fall,) = falls_of(giant, [*keep(8), low]).of((40, 24))
        assert (fall.place, fall.level, fall.drop) == ((40, 24), level, drop)


class TestPushes:
    def test_along_the_ground(self):
        play = game(unit((10, 10)))
        happened = play.do("A1 pushed toward 90 by 3")
        assert told(happened) == ["is pushed"]
        assert where(play) == ((10, 13), "ground")

    def test_to_the_nearest_place_with_room(self):
        play = game(unit((18, 24)))
        play.do("A1 pushed toward 0 by 3")
        assert where(play) == ((19.5, 24), "ground")
        off = game(unit((46, 24)))
        off.do("A1 pushed toward 0 by 3")
        assert where(off) == ((47.5, 24), "ground")

    def test_the_owner_chooses_among_the_nearest(self):
        play = game(unit((10, 10)), unit((13, 10), name="B1", side="blue"))
        happened = play.do("A1 pushed toward 0 by 3")
        assert happened.question.options == ("12.01,10", "13,9.01", "13,10.99", "13.99,10")
        play.answer("13,10.99")
        assert where(play) == ((13, 10.99), "ground")

    def test_on_a_top(self):
        play = game(on_keep())
        play.do("A1 pushed toward 0 by 3.5")
        assert where(play) == ((27.5, 24), "keep")
        assert not play.table.unit("A1")["fallen"]

    def test_off_a_top_is_a_fall_whatever_it_could_jump(self):
        play = game(on_keep(size_class=5))
        happened = play.do("A1 pushed toward 0 by 3.6")
        assert told(happened) == ["is pushed", "falls"]
        assert happened.question.dice == "2D6"
        play.answer(7)
        assert where(play) == ((28.5, 24), "ground")
        assert play.table.unit("A1")["fallen"]

    def test_aslant(self):
        play = game(on_keep((27.5, 24), size_class=5))
        play.do("A1 pushed toward 45 by 1")
        play.answer(7)
        assert where(play) == ((28.5, 25), "ground")

    def test_off_the_table_it_lies_at_the_edge(self):
        tall = [block("keep", (43.5, 24), (8, 8), 4)]
        play = game(on_keep((43.5, 24)), pieces=tall)
        happened = play.do("A1 pushed toward 0 by 4")
        assert happened.question.clause == "ME-97"
        assert len(happened.question.options) == 2
        place = happened.question.options[0].split(" ")[0]
        assert math.isclose(float(place.split(",")[0]), 47.5)

    def test_who_is_not_on_the_table(self):
        play = game(unit(None))
        assert cited(play.breaches("A1 pushed toward 0 by 1")) == ["ME-3"]

    def test_it_is_nobodys_action(self):
        play = game(on_keep(), KEEP and unit((40, 40), name="B1", side="blue"))
        play.do("B1 pushed toward 0 by 1")
        assert (play.table.unit("B1")["acted_1"], play.table.unit("B1")["ap_spent"]) == ("", 0)
