"""Elevated terrain of mecha: heights and size classes, what stands on what, and for whom a top is low."""

from fractions import Fraction

import pytest
from mecha_games import mecha_game, unit

from simulator.engine.table import Setting
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.table import InchTable
from simulator.rulesets.mecha import RULESET
from simulator.rulesets.mecha.elevated import (
    class_of_height,
    drop_class,
    faults_of_terrain,
    height_of_class,
    is_elevated,
    is_low_for,
    low_tops,
    top_named,
    top_of,
    tops_on,
)


def piece(name, height=0.0, x=0.0, on="", kind="building", **attributes):
    """A block of six inches by six."""
    more = {"on": on} if on else {}
    return Piece(name, kind, rectangle((x, 0), (6, 6)), "elevated", height, attributes=attributes, **more)


def setting_of(*pieces):
    """A table of 96 inches with these pieces."""
    board = InchTable("Test", 96, 96, (-48, -48), pieces=pieces, ground="flat_ground")
    return Setting.of(RULESET, board)


@pytest.mark.parametrize(
    ("height", "size_class"),
    [
        *(("0.5", 0), ("1.5", 0), ("1.6", 1), ("2.5", 1), ("2.6", 2), ("4", 2), ("4.1", 3), ("5", 3), ("6.5", 4)),
        *(("6.6", 5), ("8", 5), ("8.1", 6), ("8.5", 6), ("9.5", 6), ("9.6", 7), ("11", 7), ("11.1", 8)),
    ],
)
def test_size_class_by_height(height, size_class):
    """ME-107, E22: the figure is the greatest height of a class, 1.5 inches more for each beyond."""
    assert class_of_height(RULESET.tables, Fraction(height)) == size_class


@pytest.mark.parametrize(
    ("size_class", "height"), list(enumerate(["1.5", "2.5", "4", "5", "6.5", "8", "9.5", "11", "12.5"]))
)
def test_the_greatest_height_of_a_class(size_class, height):
    """ME-107."""
    assert height_of_class(RULESET.tables, size_class) == Fraction(height)


def test_heights_beyond_the_table_by_another_step():
    """ME-107, option height_table: the step counts above the last figure alone."""
    tables = mecha_game(unit("A", "walker"), tables={"height_table.further": Fraction(1, 2)}).setting.tables
    found = [class_of_height(tables, Fraction(height)) for height in ("5", "6.6", "8", "8.1", "8.5", "8.6")]
    assert found == [3, 5, 5, 6, 6, 7]
    assert [height_of_class(tables, size_class) for size_class in (5, 6, 7)] == [8, Fraction("8.5"), 9]


class TestPieces:
    def test_by_its_height(self):
        """ME-104, ME-107, ME-108: a feature is no elevated terrain."""
        wood = Piece("wood", "woodland", rectangle((20, 0), (6, 6)))
        setting = setting_of(piece("keep", 4), wood)
        assert [is_elevated(one) for one in setting.board.pieces] == [True, False]
        (top,) = tops_on(setting)
        assert (top.name, top.height, top.size_class, top.terrain, top.is_round) == ("keep", 4, 2, "flat_ground", False)
        assert top.polygon.bounds == (-3, -3, 3, 3)

    def test_by_its_stated_class(self):
        """ME-104: the stated class counts before that of the height; without a height it is as high as that may be."""
        high, classed = tops_on(setting_of(piece("high", 1, size_class=3), piece("classed", x=20, size_class=6)))
        assert (high.height, high.size_class) == (1, 3)
        assert (classed.height, classed.size_class) == (Fraction("9.5"), 6)

    def test_on_another(self):
        """ME-104, ME-107: its class is that of its height above the table."""
        setting = setting_of(piece("keep", 4), piece("tower", 3, on="keep"), piece("hut", 2, x=20))
        found = {top.name: (top.height, top.size_class) for top in tops_on(setting)}
        assert found == {"keep": (4, 2), "tower": (7, 5), "hut": (2, 1)}

    def test_the_ground_of_its_top(self):
        """ME-106: flat ground unless data say otherwise."""
        found = tops_on(setting_of(piece("a", 4), piece("b", 4, x=20, top="rough"), piece("c", 4, x=40, top="field")))
        assert [top.terrain for top in found] == ["flat_ground", "rough", "flat_ground"]

    def test_what_is_missing(self):
        """ME-104, ME-106: pieces after a faulty one are looked at too, and those that are features are not."""
        pieces = (
            Piece("wood", "woodland", rectangle((-20, 0), (6, 6))),
            piece("slab"),
            piece("classed", x=20, size_class=0),
            piece("odd", 4, x=40, top="lava"),
        )
        found = list(faults_of_terrain(setting_of(*pieces)))
        assert [(one.clause, one.blocker) for one in found] == [("ME-104", "slab"), ("ME-106", "odd")]
        assert found[0].message == "slab is elevated terrain: it needs a height or a size class"
        assert found[1].message.startswith("odd: 'lava' cannot be the ground of a top; known: flat_ground, ")


class TestDrops:
    def test_to_the_ground_and_to_lower_tops(self):
        """ME-92, ME-107, E29: to the ground its own class, or else that of the difference."""
        setting = setting_of(piece("high", 8), piece("low", 4, x=6), piece("stated", 4, x=20, size_class=7))
        high, low, stated = tops_on(setting)
        assert [drop_class(setting, high, below) for below in (None, low)] == [5, 2]
        assert drop_class(setting, low, None) == 2
        assert drop_class(setting, stated, None) == 7


class TestLowTops:
    @pytest.mark.parametrize(
        ("size_class", "low"),
        [(0, set()), (1, {0}), (4, {0}), (5, {0, 1}), (8, {0, 1}), (9, {0, 1, 2}), (12, {0, 1, 2})],
    )
    def test_less_than_a_quarter(self, size_class, low):
        """ME-105, E21: T < U/4, strictly."""
        setting = setting_of(*(piece(f"t{number}", x=8.0 * number - 16, size_class=number) for number in range(5)))
        one = unit("A", "walker", (0, 20), size_class=size_class)
        assert {top.size_class for top in tops_on(setting) if is_low_for(RULESET.tables, one, top)} == low
        assert {top.size_class for top in low_tops(setting, one)} == low

    def test_on_which_a_unit_stands(self):
        """ME-106: the top by the name of its level; none on the ground."""
        table = mecha_game(
            unit("A", "walker", level="keep"), unit("B", "walker", (9, 9)), terrain=(piece("keep", 4),)
        ).table
        found = [top_of(table.setting, table.unit(name)) for name in ("A", "B")]
        assert found == [top_named(table.setting, "keep"), None]
        assert top_named(table.setting, "attic") is None
