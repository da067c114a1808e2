"""Rates of mecha: the movement terrain of features, what an inch of it costs, and the directions of travel."""

import pytest
from mecha_games import mecha_game, unit

from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.mecha import RULESET
from simulator.rulesets.mecha.rates import is_feature, modes_of, rate_in, terrain_of

POND = Piece("pond", "pond", rectangle((0, 0), (12, 12)))


def tables_of(**changes):
    """The tables of a game with some figures replaced."""
    return mecha_game(unit("A", "walker"), tables=changes).setting.tables


@pytest.mark.parametrize(
    ("size_class", "woodland", "river", "pond"),
    [
        (0, "difficult", "deep_water", "very_difficult"),
        (1, "very_difficult", "very_difficult", "flat_ground"),
        (3, "very_difficult", "very_difficult", "flat_ground"),
        (4, "very_difficult", "difficult", "flat_ground"),
        (9, "very_difficult", "difficult", "flat_ground"),
    ],
)
def test_features_by_size_class(size_class, woodland, river, pond):
    """ME-98, ME-99, ME-101, E1: for 0, for 1 to 3, and for 4 or more."""
    tables = tables_of()
    found = [terrain_of(tables, kind, size_class) for kind in ("woodland", "river_lake", "pond")]
    assert found == [woodland, river, pond]


@pytest.mark.parametrize("size_class", [0, 2, 4])
def test_the_table_may_say_standard_ground(size_class):
    """ME-13: it is flat ground in a cell too, as on the page (ME-101)."""
    tables = tables_of(**{"feature_table.pond": ["standard_ground"] * 3})
    assert terrain_of(tables, "pond", size_class) == "flat_ground"
    assert terrain_of(tables, "standard_ground", size_class) == "flat_ground"


@pytest.mark.parametrize("row", ["on_shallow_water", "on_deep_water", "in_deep_water"])
def test_the_table_may_say_a_row_of_the_prices(row):
    """ME-11, ME-101: a cell that is no kind of feature is the row itself, whatever the mobility type."""
    tables = tables_of(**{"feature_table.pond": ["difficult", row, row]})
    assert [terrain_of(tables, "pond", size_class) for size_class in (0, 1, 4)] == ["difficult", row, row]
    walkers = mecha_game(unit("A", "walker"), tables={"feature_table.pond": [row] * 3}, terrain=(POND,))
    assert walkers.do("A standard: forward 1").ledger.total("mp") == tables[f"move_table.walker.{row}"]


@pytest.mark.parametrize("size_class", [0, 2, 4])
def test_ground_that_is_named(size_class):
    """ME-102: size does not matter."""
    kinds = {"rough": "rough", "shallow_water": "on_shallow_water", "deep_water": "deep_water"}
    assert {kind: terrain_of(RULESET.tables, kind, size_class) for kind in kinds} == kinds


def test_what_is_a_feature():
    """ME-101, ME-102: rows of the table, and movement terrain; all else is scenery."""
    assert [is_feature(RULESET.tables, kind) for kind in ("rubble", "rough", "statue")] == [True, True, False]


@pytest.mark.parametrize(
    ("mobility", "rate"),
    [("walker", 4), ("four_legged_walker", None), ("track", None), ("infantry", None), ("hover", 1), ("static", 0)],
)
def test_deep_water(mobility, rate):
    """ME-11, ME-12, ME-14, ME-15, ME-16."""
    assert rate_in(RULESET.tables, unit("A", mobility), "deep_water") == rate


def test_hover_is_on_the_water():
    """ME-14: every other type is in it; the rows may differ by option."""
    tables = tables_of(**{"move_table.hover.in_deep_water": 3, "move_table.walker.on_deep_water": 3})
    assert [rate_in(tables, unit("A", one), "deep_water") for one in ("hover", "walker")] == [1, 4]


@pytest.mark.parametrize("mobility", ["walker", "four_legged_walker", "track", "wheel", "hover", "infantry"])
def test_directions_of_travel(mobility):
    """ME-20, ME-21, ME-22: twice the price for all but forward, sideways on legs alone."""
    table = mecha_game(unit("A", mobility)).table
    found = {mode.name: (mode.aside, mode.factor) for mode in modes_of(table, table.unit("A"))}
    known = {"forward": (0, 1), "backward": (180, 2)}
    if "walker" in mobility:
        known |= {"sideways_left": (90, 2), "sideways_right": (-90, 2)}
    assert found == known


@pytest.mark.parametrize(("side", "bars"), [("left", True), ("right", False)])
def test_a_leg_that_it_does_not_make_is_judged_where_it_would_lead(side, bars):
    """ME-23, ME-41: all reasons are named, those of the way as well."""
    game = mecha_game(unit("A", "track"), unit("B", "track", (0, 3), "blue"))
    found = [one.clause for one in game.breaches(f"A standard: sideways_{side} 2.5")]
    assert found == ["ME-23", *(["ME-41"] if bars else [])]
    (told,) = (one.message for one in game.breaches(f"A standard: sideways_{side} 0.5"))
    assert told == f"track units do not move sideways to the {side}: it has to turn first"


@pytest.mark.parametrize(
    ("mobility", "kind", "order", "price"),
    [
        ("track", "flat_ground", "forward 2.2", 2.5),
        ("track", "flat_ground", "backward 0.5", 1),
        ("wheel", "difficult", "forward 1.5", 6),
        ("walker", "very_difficult", "forward 1", 4),
        ("walker", "rough", "sideways_left 2", 4),
    ],
)
def test_prices_of_legs(mobility, kind, order, price):
    """ME-17, ME-20, ME-21, ME-24, E4, E5, E6, E7, E12."""
    ground = Piece("ground", kind, rectangle((0, 0), (12, 12)))
    game = mecha_game(unit("A", mobility), terrain=(ground,))
    assert game.do(f"A standard: {order}").ledger.total("mp") == price
