"""Why a trooper cannot end there: each reason with its figures, at the very limit too, and who is in the way."""

import pytest
from dt_games import blocked, centred, game, trooper

from simulator.engine.game import Game
from simulator.geometry.poses import Pose

AROUND = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))


def why(place, *, units=(), special=(), action="activate_jet_pack", fields=(), question=(), **more):
    """The reasons against a place, each with its figures and its blocker, and the remedy."""
    table = game([trooper("A1", jet_pack="worn"), *units], centred(20, special=special), **more)
    now = Game(table.setting, table.state.put_unit("A1", dict(fields)))
    told = now.reach("A1", action).why_not(Pose(place, **dict(question)))
    assert all(breach.place == place for breach in told.reasons)
    reasons = [(one.clause, one.message, one.needed, one.available, one.blocker) for one in told.reasons]
    return reasons, told.remedy


def enemies(*dots, **fields):
    return [trooper(f"B{number}", "blue", dot, **fields) for number, dot in enumerate(dots)]


class TestFlights:
    def test_how_far(self):
        """DT-8, DT-9: what is needed, what there is, and the first place that is near enough."""
        assert why((16, 0)) == ([], "")
        assert why((17, 0))[0] == [("DT-8", "17,0 is 17 dots away, a flight has at most 16", 17, 16, "")]
        for options in ({"flight_length": "displacement"}, {"flight_path": "straight"}):
            assert why((6, 0), options=options) == ([], "")
            told = "5,0 is 5 dots away, a flight covers at least 6"
            assert why((5, 0), options=options)[0] == [("DT-9", told, 6, 5, "")]
        # A flight that may turn comes down nearby all the same.
        assert why((5, 0)) == ([], "")
        assert why((2, 0), options={"flight_path": "no_revisit"}) == ([], "")
        told = "a flight may not visit a dot twice"
        assert why((0, 0), options={"flight_path": "no_revisit"})[0] == [("DT-8", told, None, None, "")]

    def test_how_high(self):
        """DT-13: three dots take it up or down one level."""
        for storeys, place in ((4, (8, 0)), (5, (8, 0))):
            assert why(place, special=[(place, {"storeys": storeys})]) == ([], "")
        told = "6 levels up or down take 18 dots, a flight has at most 16"
        assert why((8, 0), special=[((8, 0), {"storeys": 6})])[0] == [("DT-13", told, 18, 16, "")]
        assert why((8, 0), special=[((0, 0), {"level": 6})], fields={"level": 6})[0] == [("DT-13", told, 18, 16, "")]

    def test_where_it_comes_down(self):
        """DT-11, DT-16."""
        house = [((8, 0), {"storeys": 2})]
        told = "a flight lands on top of 8,0, on level 2"
        assert why((8, 0), special=house, question={"level": 1})[0] == [("DT-11", told, (1,), 2, "")]
        on_top = enemies((8, 0), level=2)
        assert why((8, 0), special=house, units=on_top) == (
            [("DT-16", "B0 is on top of 8,0", None, None, "B0")],
            "with B0 gone",
        )
        assert why((8, 0), special=house, units=enemies((8, 0), level=1)) == ([], "")

    def test_what_stands_in_between(self):
        """DT-12, DT-13."""
        told = "A1 is indoors, and no flight through a window or door leads to 8,0"
        assert why((8, 0), special=[((0, 0), {"storeys": 1})])[0] == [("DT-12", told, None, None, "")]
        told = "no flight of 6 to 16 dots clears what stands between A1 and 8,0"
        walls = [(dot, {"storeys": 9}) for dot in AROUND]
        assert why((8, 0), special=walls)[0] == [("DT-13", told, None, None, "")]
        # At the very limits it is neither too far nor too near nor too high.
        told = told.removesuffix("8,0")
        assert why((16, 0), special=walls)[0] == [("DT-13", f"{told}16,0", None, None, "")]
        near = why((6, 0), special=walls, options={"flight_length": "displacement"})[0]
        assert near == [("DT-13", f"{told}6,0", None, None, "")]
        high = why((8, 0), special=[*walls, ((8, 0), {"storeys": 5})])[0]
        assert high == [("DT-13", f"{told}8,0", None, None, "")]


class TestPlaces:
    @pytest.mark.parametrize("action", ["activate_jet_pack", "foot_move"])
    def test_what_is_no_place_to_stand(self, action):
        """DT-5, DT-164, DT-167."""
        told = "30,0 is off the map"
        assert why((30, 0), action=action) == ([("DT-167", told, None, None, "the edge of the map")], "")
        reasons = [("DT-5", "3,0 is impassable", None, None, "an obstacle")]
        assert why((3, 0), action=action, special=blocked((3, 0))) == (reasons, "")
        house = [((3, 0), {"storeys": 2})]
        reasons = [("DT-164", "there is nothing to stand on at level 3 of 3,0", 3, (0, 1, 2), "")]
        assert why((3, 0), action=action, special=house, question={"level": 3}) == (reasons, "")

    def test_a_dot_that_is_taken(self):
        """DT-165: by one on each level that was asked about."""
        units = enemies((8, 0))
        reasons = [("DT-165", "8,0 is taken by B0", None, None, "B0")]
        assert why((8, 0), units=units) == (reasons, "with B0 gone")


class TestWalks:
    @pytest.mark.parametrize(("spent", "cap"), [(0, 8), (0, 3), (2, 5), (0, 6)])
    def test_how_far(self, spent, cap):
        """DT-64, DT-162: whatever allows less than the way takes is named, at the very limit nothing."""
        fields = {"ap_spent": spent, "movement_spent": spent}
        left, left_of_cap = 6 - spent, cap - spent
        for far in range(1, 9):
            reasons, _ = why((far, 0), action="foot_move", fields=fields, tables={"movement.cap": cap})
            wanted = [("DT-162", f"{far},0 takes {far} AP, A1 has {left} left", far, left, "")] * (far > left)
            told = f"{far},0 takes {far} AP, the cap of the turn leaves {left_of_cap}"
            wanted += [("DT-64", told, far, left_of_cap, "")] * (far > left_of_cap)
            assert reasons == wanted

    def test_who_closes_every_way(self):
        """DT-165: those without whom there is one; who stands elsewhere is not named."""
        ring, far = enemies(*AROUND), trooper("C", "blue", (9, 0))
        reasons, remedy = why((3, 0), units=[*ring, far], action="foot_move")
        assert (reasons, remedy) == ([("DT-165", "B0 closes every path to 3,0", None, None, "B0")], "with B0 gone")
        # Two rings: one of each has to go.
        second = [trooper(f"D{n}", "blue", (2 * q, 2 * r)) for n, (q, r) in enumerate(AROUND)]
        corners = zip(AROUND, AROUND[1:] + AROUND[:1], strict=True)
        second += [trooper(f"E{n}", "blue", (a[0] + b[0], a[1] + b[1])) for n, (a, b) in enumerate(corners)]
        reasons, remedy = why((4, 0), units=[*ring, *second], action="foot_move")
        ((clause, told, _, _, blocker),) = reasons
        names = remedy.removeprefix("with ").removesuffix(" gone").split(", ")
        assert (clause, len(names)) == ("DT-165", 2)
        assert set(blocker.split(", ")) == set(names)
        assert told == f"{blocker} close every path to 4,0"

    def test_where_the_map_closes_every_way(self):
        """DT-164: on foot, and in the air too where a flight was asked about."""
        reasons = [("DT-164", "no path on foot leads to 3,0", None, None, "")]
        assert why((3, 0), special=blocked(*AROUND), action="foot_move") == (reasons, "")
        others = enemies((3, 3), (5, 0))
        assert why((3, 0), special=blocked(*AROUND), action="foot_move", units=others) == (reasons, "")
