"""Any cell of the terrain matrix of combined_arms set to X bars the way, in orders and in reach (CA-75)."""

import random
from itertools import pairwise

import pytest
from arms_games import RULESET, piece

from simulator.engine.game import Game
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose
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


@pytest.mark.parametrize("turned", [0, 30, 45, 90, 143, 180, 270])
def test_the_edge_of_open_ground_is_open(turned):
    """CA-80: touching what is impassable is allowed, wherever the edge is and whichever way it runs."""
    yard = Piece("yard", "road", rectangle((0, 0), (8, 6), turned))
    corners = yard.shape.shell
    middles = [((x + x2) / 2, (y + y2) / 2) for (x, y), (x2, y2) in pairwise(corners)]
    here = game("grav", [yard], {"terrain.firm_ground.grav": "X"})
    reach = here.reach("A")
    for place in (*middles, *corners[:2]):
        assert reach.cost_at(place) is not None
        (order,) = reach.orders_to(place)
        assert not here.breaches(order)
        farther = tuple(1.001 * x for x in place)
        assert reach.cost_at(farther) is None
        assert reach.why_not(farther).reasons[0].clause == "CA-49"


def test_on_the_edge_it_may_turn():
    """CA-48, CA-80."""
    here = game("grav", [Piece("yard", "road", rectangle((0, 0), (8, 6)))], {"terrain.firm_ground.grav": "X"})
    assert cited(here, "A move: forward 4, turn_left 90") == []
    assert here.reach("A").cost_at(Pose((4, 0), 90)) == 8


def test_a_base_keeps_off_bare_ground_that_is_shut():
    """CA-80: it may touch what is impassable, but not overlap it."""
    yard = Piece("yard", "road", rectangle((0, 0), (8, 6)))
    table = InchTable("Test", 96, 96, (-48, -48), pieces=(yard,))
    mover = piece("A", "grav", base=1)
    here = Game.new(RULESET, table, [mover], tables={"terrain.firm_ground.grav": "X"})
    assert cited(here, "A move: forward 3") == []
    assert [(one.clause, one.blocker) for one in here.breaches("A move: forward 3.1")] == [("CA-49", "firm ground")]
    reach = here.reach("A")
    assert reach.cost_at((3, 0)) == 3
    assert reach.cost_at((3.1, 0)) is None
    assert reach.why_not((3.1, 0)).reasons[0].clause == "CA-49"


@pytest.mark.parametrize(
    ("tables", "kind", "clause"),
    [
        ({"terrain.firm_ground.on_foot": "X"}, "", "CA-49"),
        ({"terrain.soft_ground.on_foot": "X"}, "soft_ground", "CA-50"),
        ({"terrain.uphill.on_foot": "X", "terrain.across_or_down.on_foot": "X"}, "slope", "CA-51"),
        ({"terrain.road.on_foot": "X"}, "road", "CA-75"),
    ],
)
def test_nobody_stands_on_ground_that_is_shut(tables, kind, clause):
    """CA-79, CA-119: a position is at fault with a piece there, and nobody is set down there."""
    attributes = {"uphill": 90} if kind == "slope" else {}
    there = [Piece("it", kind, rectangle((0, 0), (96, 96)), attributes=attributes)] if kind else []
    man, aboard = piece("A", "on_foot"), piece("C", "on_foot", at=None, carrier="T")
    transport = piece("T", "grav", (10, 0), base=1)
    here = Game.new(RULESET, InchTable("T", 96, 96, (-48, -48), pieces=there), [man, transport, aboard], tables=tables)
    assert [(one.clause, one.blocker) for one in here.faults] == [(clause, "A")]
    assert clause in [one.clause for one in here.breaches("C move: unload at 12,0")]
    assert not here.reach("C").area.area
    assert not here.reach("C", "ride").area.area


def test_a_slope_that_is_shut_both_ways_bars():
    """CA-51, CA-78, CA-79: on roads, too, but not under a house."""
    hill = Piece("hill", "slope", rectangle((6, 0), (6, 96)), attributes={"uphill": 0})
    street = Piece("street", "road", rectangle((6, 0), (20, 2)))
    hall = Piece("hall", "building", rectangle((6, 20), (12, 4)))
    tables = {"terrain.uphill.on_foot": "X", "terrain.across_or_down.on_foot": "X"}
    for start in ((0, 0), (0, 20)):
        mover = piece("A", "on_foot", start)
        table = InchTable("Test", 96, 96, (-48, -48), pieces=(hill, street, hall))
        here = Game.new(RULESET, table, [mover], tables={**tables, "infantry_rate.on_foot": 12})
        through = start[1] == 20
        assert cited(here, "A move: forward 8") == ([] if through else ["CA-51"])
        assert (here.reach("A").cost_at((8, start[1])) is not None) == through


@pytest.mark.parametrize(("row", "uphill"), [("uphill", 0), ("across_or_down", 180)])
def test_a_slope_is_shut_one_way_only(row, uphill):
    """CA-51: barred up it is open down, and the other way round; above its height it does not matter (CA-81)."""
    slope = Piece("hill", "slope", rectangle((0, 0), (20, 20)), attributes={"uphill": uphill})
    here = game("wheeled", [slope], {f"terrain.{row}.wheeled": "X"})
    assert cited(here, "A move: forward 3") == ["CA-51"]
    assert cited(here, "A move: reverse 3") == []
    assert cited(here, "A move: turn_left 30") == []
    reach = here.reach("A")
    assert reach.cost_at((3, 0)) is None
    # In reverse, at half rate, and up the slope at a quarter of it.
    assert reach.cost_at((-3, 0)) == (6 if row == "uphill" else 12)
    assert cited(here, here.write(reach.orders_to((-3, 0))[0])) == []
    flyer = game("grav", [slope], {f"terrain.{row}.grav": "X"})
    assert cited(flyer, "A move: forward 3") == ["CA-51"]
    assert cited(flyer, "A move: climb 1, forward 3") == []


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(16))
def test_slopes_that_are_shut_one_way_are_alike_to_orders_and_reach(seed):
    """CA-51, CA-79: what random orders lead to is reached for no more, and what is reached can be ordered."""
    dice = random.Random(seed)
    mobility, row = dice.choice(MOVERS[:3]), ("uphill", "across_or_down")[seed % 2]
    slopes = [
        Piece(f"slope {number}", "slope", rectangle(*middle), attributes={"uphill": dice.choice([0, 90, 180, 290])})
        for number in range(dice.randint(1, 3))
        for middle in [((dice.uniform(-6, 6), dice.uniform(-6, 6)), (dice.uniform(2, 9), dice.uniform(2, 9)))]
    ]
    here = game(mobility, slopes, {f"terrain.{row}.{mobility}": "X"})
    reach, ends = here.reach("A"), set()
    for _ in range(40):
        parts = [(dice.choice(["forward", "reverse"]), dice.choice([0.5, 1, 2, 3.3, 5])) for _ in range(2)]
        parts.insert(dice.randint(0, 2), (dice.choice(["turn_left", "turn_right"]), dice.choice([30, 45, 90, 180])))
        order = "A move: " + ", ".join(f"{name} {amount}" for name, amount in parts)
        if not here.breaches(order):
            paid = float(here.do(order).ledger.total("inches"))
            unit = here.state.unit("A")
            here.undo()
            ends.add(unit.place)
            assert reach.cost_at(Pose(unit.place, unit.heading)) <= paid + 1e-3
    for place in ends:
        (order,) = reach.orders_to(place) or [None]
        if order is not None:
            assert not here.breaches(order)
            assert float(here.do(order).ledger.total("inches")) == pytest.approx(reach.cost_at(place), abs=1e-3)
            here.undo()
