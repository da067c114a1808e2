"""Where units of mecha come down off a top: on the ground, on a lower top, or nowhere, and how deep that is."""

import numpy as np
import pytest
from mecha_games import mecha_game, unit

from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.mecha.elevated import top_named
from simulator.rulesets.mecha.landing import Below, no_room, room_on, standing_on


def block(name, middle, height, size=(6, 6), **more):
    """A block of elevated terrain."""
    return Piece(name, "building", rectangle(middle, size), "elevated", height, **more)


KEEP = block("keep", (0, 0), 8)
LOW = block("low", (6, 0), 4)


def below(*pieces, **fields):
    """What lies below the keep for a unit on it."""
    table = mecha_game(unit("A", "walker", level="keep", **fields), terrain=(KEEP, *pieces)).table
    return Below(table.setting, table.unit("A"), top_named(table.setting, "keep"))


def landing(place, *pieces, **fields):
    """The level on which it comes down, what it is over, whether it fits, and the class of the drop."""
    found = below(*pieces, **fields).landing_at(place)
    assert found.level == ("ground" if found.on is None else found.on.name)
    return found.level, found.over and found.over.name, found.fits, found.drop


class TestLandings:
    def test_on_the_ground(self):
        """ME-67, ME-92: 8 inches are class 5."""
        assert landing((0, 3.5), LOW) == ("ground", None, True, 5)

    def test_on_a_lower_top(self):
        """ME-67, ME-107, E29: 4 inches of difference are class 2."""
        assert landing((3.5, 0), LOW) == ("low", "low", True, 2)

    def test_a_lower_top_without_room(self):
        """ME-67: the base is not wholly on it; the drop is reckoned to it all the same."""
        assert landing((3.5, 2.8), LOW) == ("low", "low", False, 2)

    def test_touching_an_outline_is_not_overlapping(self):
        """ME-18, ME-106: low ends at 3."""
        assert landing((3.5, 3.5), LOW) == ("ground", None, True, 5)
        assert landing((3.5, 2.5), LOW) == ("low", "low", True, 2)

    @pytest.mark.parametrize("turned", [False, True])
    def test_the_highest_lower_top_counts(self, turned):
        """ME-67, ME-107: one of 6 inches and one of 4; 2 inches of difference are class 1, 4 are class 2."""
        high, low = block("high", (6, 3), 6), block("low", (6, -3), 4)
        pieces = (low, high) if turned else (high, low)
        assert [one.name for one in below(*pieces).lower] == ["high", "low"]
        assert landing((3.5, 0), *pieces) == ("high", "high", False, 1)
        assert landing((3.5, 1), *pieces) == ("high", "high", True, 1)
        assert landing((3.5, -1), *pieces) == ("low", "low", True, 2)

    def test_stacked_terrain(self):
        """ME-67, ME-107: a hut of 2 inches on the roof of 4 is 6 inches high, and the highest under the base."""
        hut = block("hut", (6, 0), 2, (4, 4), on="low")
        assert landing((6, 0), LOW, hut) == ("hut", "hut", True, 1)
        assert landing((4.2, 0), LOW, hut) == ("hut", "hut", False, 1)
        assert landing((3.5, 0), LOW, hut) == ("low", "low", True, 2)

    def test_between_two_roofs_of_one_height(self):
        """ME-67, ME-106: it has room wholly on neither."""
        left, right = block("left", (6, 3), 4), block("right", (6, -3), 4)
        place, over, fits, drop = landing((3.5, 0), left, right)
        assert (place, over, fits, drop) == ("left", "left", False, 2)
        assert landing((3.5, -1), left, right) == ("right", "right", True, 2)

    def test_no_top_as_high_as_the_start_serves(self):
        """ME-106: between neighbouring tops of equal height there is no jump."""
        assert landing((3.5, 0), block("twin", (6, 0), 8)) == ("ground", None, False, 5)
        assert landing((0, 3.5), block("twin", (6, 0), 8)) == ("ground", None, True, 5)
        assert [one.name for one in below(block("twin", (6, 0), 8), LOW).lower] == ["low"]

    @pytest.mark.parametrize(("size_class", "found"), [(4, ("low", "low", False, 4)), (5, ("ground", "low", True, 4))])
    def test_a_top_that_is_low_for_it(self, size_class, found):
        """ME-105, E21: T 1 for U 5 is only very difficult ground, where it does not fit wholly; 6 inches down."""
        low = block("low", (6, 0), 2)
        assert landing((3.5, 2.8), low, size_class=size_class) == found
        assert landing((3.5, 0), low, size_class=size_class) == ("low", "low", True, 4)

    def test_many_at_once(self):
        """The same as one by one."""
        places = [(0, 3.5), (3.5, 0), (3.5, 2.8), (6, 0)]
        here = below(LOW)
        assert here.landings([]) == []
        assert here.landings(np.array(places)) == [here.landing_at(place) for place in places]


class TestRoom:
    #: A wood is closed to tracks; rough ground is one on which they never move, by a changed table.
    WOOD = Piece("wood", "woodland", rectangle((20, 0), (4, 4)))
    PAD = Piece("pad", "rough", rectangle((-20, 0), (4, 4)))

    def table(self):
        """A track on the keep, a friend that it may pass, one that it may not, and a foe on the roof."""
        units = (
            unit("A", "track", level="keep", size_class=1),
            unit("P", "walker", (0, 10), size_class=4),
            unit("F", "track", (0, 14)),
            unit("B", "walker", (6, 0), "blue", level="low"),
        )
        pieces = (KEEP, LOW, self.WOOD, self.PAD)
        return mecha_game(*units, terrain=pieces, tables={"move_table.track.rough": 0}).table

    def bars(self, level, **more):
        """What bars A from standing on a level."""
        table = self.table()
        found = standing_on(table, table.unit("A"), top_named(table.setting, level), **more)
        assert found.no_end == ()
        assert found.name == level
        return {(one.name, one.clause) for one in found.bars}

    def test_on_the_ground(self):
        """ME-15, ME-16, ME-19, ME-43, ME-106: also no base that it may pass; who is put there makes no move."""
        always = {("P", "ME-43"), ("F", "ME-43"), ("keep", "ME-106"), ("low", "ME-106"), ("wood", "ME-19")}
        assert self.bars("ground") == always | {("pad", "ME-16")}
        assert self.bars("ground", is_put=True) == always

    def test_on_a_top(self):
        """ME-43, ME-106: units of that level and higher terrain; features lie on the ground."""
        assert self.bars("low") == {("B", "ME-43"), ("keep", "ME-106")}

    @pytest.mark.parametrize(
        ("place", "level", "found"),
        [
            ((0, 6), "ground", []),
            ((0, 10.8), "ground", [("ME-43", "P")]),
            ((0, 11), "ground", []),
            ((17.6, 0), "ground", [("ME-19", "wood")]),
            ((-17.6, 0), "ground", [("ME-16", "pad")]),
            ((0, 47.8), "ground", [("ME-15", "")]),
            ((3.4, 0), "low", [("ME-106", "low"), ("ME-106", "keep")]),
            ((8.6, 0), "low", [("ME-106", "low")]),
            ((6.9, 0), "low", [("ME-43", "B")]),
            ((3.5, 0), "low", []),
        ],
    )
    def test_why_not_there(self, place, level, found):
        """ME-15, ME-16, ME-19, ME-43, ME-106: all reasons, each by its clause or by the one that wants room."""
        table = self.table()
        one, top = table.unit("A"), top_named(table.setting, level)
        told = list(no_room(table, one, top, place))
        assert [(each.clause, each.blocker) for each in told] == found
        assert all(each.place == place for each in told)
        assert [each.clause for each in no_room(table, one, top, place, "ME-56")] == ["ME-56"] * len(found)
        put = [(each.clause, each.blocker) for each in no_room(table, one, top, place, is_put=True)]
        assert put == [each for each in found if each[0] != "ME-16"]

    def test_room(self):
        """The same of many places."""
        table = self.table()
        one, low = table.unit("A"), top_named(table.setting, "low")
        places = np.array([(3.4, 0), (3.5, 0), (6.9, 0), (8.5, 2.5)])
        assert room_on(table, one, low).has(places).tolist() == [False, True, False, True]
        places = np.array([(0, 6), (0, 10.8), (-17.6, 0), (17.6, 0)])
        assert room_on(table, one, None).has(places).tolist() == [True, False, False, False]
        assert room_on(table, one, None, is_put=True).has(places).tolist() == [True, False, True, False]
