"""Any cell of the terrain matrix of combined_arms set to X bars the way, in orders and in reach (CA-75)."""

import pytest
from arms_games import RULESET, piece

from simulator.engine.game import Game
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.table import InchTable

#: How a row of the matrix is laid across the way, between x of 3 and 9: the kind of terrain, its data, what swims.
ROWS = {
    "soft_ground": ("soft_ground", {}, False),
    "firm_ground": ("firm_ground", {}, False),
    "uphill": ("slope", {"uphill": 0}, False),
    "across_or_down": ("slope", {"uphill": 180}, False),
    "water": ("river", {}, False),
    "water_amphibious": ("lake", {}, True),
    "ford": ("ford", {}, False),
    "road": ("road", {}, False),
    "road_wet": ("road", {"wet": True}, False),
    "bridge": ("bridge", {}, False),
    "vegetation": ("vegetation", {}, False),
    "dense_vegetation": ("dense_vegetation", {}, False),
    "low_obstacle": ("low_obstacle", {}, False),
    "high_wall": ("high_wall", {}, False),
    "antitank_obstacle": ("antitank_obstacle", {}, False),
    "building_interior": ("building", {"vehicle_entry": True}, False),
    "stairs": ("stairs", {"vehicle_ok": True}, False),
}
MOVERS = ("wheeled", "on_foot", "grav", "crew_weapon", "helicopter")
#: What a cell is called for a mover.
_COLUMNS = {"helicopter": "aircraft"}


def game(mobility, terrain=(), tables=None, swims=False, ground="firm_ground"):
    quick = {"infantry_rate.on_foot": 12, "crew_weapon_rate.full_crew": 12}
    fields = {"amphibious": True} if swims else {}
    if mobility in ("wheeled", "grav", "helicopter"):
        fields["rate_original"] = 12
    mover = piece("A", mobility, **fields)
    table = InchTable("Test", 96, 96, (-48, -48), pieces=tuple(terrain), ground=ground)
    return Game.new(RULESET, table, [mover], tables={**quick, **(tables or {})})


def cited(here, order):
    return [breach.clause for breach in here.breaches(order)]


@pytest.mark.sampled
@pytest.mark.parametrize("mobility", MOVERS)
@pytest.mark.parametrize("row", ROWS)
def test_every_cell_bars(row, mobility):
    """CA-75, CA-79: nobody gets in, and orders and reach agree."""
    kind, data, swims = ROWS[row]
    cell = f"terrain.{row}.{_COLUMNS.get(mobility, mobility)}"
    across = Piece("it", kind, rectangle((6, 0), (6, 96)), attributes=data)
    tables = {cell: "X", **({f"terrain.water.{_COLUMNS.get(mobility, mobility)}": "X"} if swims else {})}
    here = game(mobility, [across], tables, swims=swims)
    if row == "firm_ground":
        assert "CA-49" in cited(here, "A move: forward 1")
        return
    reach = here.reach("A")
    assert cited(here, "A move: forward 2.9") == []
    assert cited(here, "A move: forward 4") != []
    assert (reach.cost_at((2.9, 0)), reach.cost_at((4, 0)), reach.cost_at((12, 0))) == (pytest.approx(2.9), None, None)
    assert reach.why_not((4, 0)) is not None


def test_bare_ground_that_is_shut():
    """CA-49, CA-50, CA-79: the ground of the board; what takes its place is open."""
    for ground, clause in (("soft_ground", "CA-50"), ("firm_ground", "CA-49")):
        road = Piece("street", "road", rectangle((0, 0), (20, 2)))
        here = game("wheeled", [road], {f"terrain.{ground}.wheeled": "X"}, ground=ground)
        assert cited(here, "A move: forward 5") == []
        assert cited(here, "A move: forward 11") == [clause]
        reach = here.reach("A")
        assert (reach.cost_at((9, 0)), reach.cost_at((11, 0)), reach.cost_at((5, 2))) == (4.5, None, None)


@pytest.mark.parametrize(("row", "uphill"), [("uphill", 0), ("across_or_down", 180)])
def test_a_slope_is_shut_one_way_only(row, uphill):
    """CA-51: barred up it is open down, and the other way round; above its height it does not matter (CA-81)."""
    slope = Piece("hill", "slope", rectangle((0, 0), (20, 20)), attributes={"uphill": uphill})
    here = game("wheeled", [slope], {f"terrain.{row}.wheeled": "X"})
    assert cited(here, "A move: forward 3") == ["CA-51"]
    assert cited(here, "A move: reverse 3") == []
    reach = here.reach("A")
    assert reach.cost_at((3, 0)) is None
    assert row != "uphill" or reach.cost_at((-3, 0)) == 6
    flyer = game("grav", [slope], {f"terrain.{row}.grav": "X"})
    assert cited(flyer, "A move: forward 3") == ["CA-51"]
    assert cited(flyer, "A move: climb 1, forward 3") == []
