"""Terrain in combined_arms: the matrix cell by cell, every pair of layers that can meet, and each option about it."""

import math
from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.geometry.pieces import CircleShape, LineShape, Piece, PointShape, PolygonShape, rectangle
from simulator.geometry.poses import Pose

COLUMNS = (
    *("on_foot", "powered_armor", "gravpack", "jetpack", "crew_weapon", "grav"),
    *("hover", "thruster", "tracked", "walker", "wheeled", "helicopter"),
)
#: CA-75 as printed, h for a half and X for impassable; aircraft are the last column.
MATRIX = {
    "firm_ground": "1 1 1 1 1 1 1 1 1 1 1 1",  # CA-49
    "soft_ground": "h h 1 1 h 1 1 1 h h h 1",  # CA-50
    "uphill": "h h 1 1 h 1 h 1 h h h 1",  # CA-51
    "across": "1 1 1 1 1 1 1 1 1 1 1 1",
    "downhill": "1 1 1 1 1 1 1 1 1 1 1 1",
    "river": "X X 1 1 X 1 1 1 X X X 1",  # CA-52
    "lake": "X X 1 1 X 1 1 1 X X X 1",  # CA-53
    "river, amphibious": "h h 1 1 h 1 1 1 h h h 1",
    "lake, amphibious": "h h 1 1 h 1 1 1 h h h 1",
    "ford": "h h 1 1 h 1 1 1 h h h 1",  # CA-54
    "road": "2 2 1 1 2 1 1 1 2 2 2 1",  # CA-55
    "road, paved and wet": "2 2 1 1 2 1 1 1 2 2 2 1",
    "road, wet": "h h 1 1 h 1 1 1 h h h 1",  # CA-56
    "bridge": "2 2 1 1 2 1 1 1 2 2 2 1",  # CA-57
    "bridge, wet": "2 2 1 1 2 1 1 1 2 2 2 1",
    "vegetation": "h h h h h h h h h h h h",  # CA-58
    "dense_vegetation": "X X X X X X X X X X X X",  # CA-59
    "low_obstacle": "h h 1 1 h 1 h 1 h h h 1",  # CA-63
    "high_wall": "X X X 1 X X X 1 X X X 1",  # CA-64
    "antitank_obstacle": "h h 1 1 X 1 h 1 X h X 1",  # CA-65
    "building": "2 2 1 1 2 1 1 1 2 2 2 X",  # CA-66, CA-76
    "building, no entry": "2 2 1 1 2 X X X X X X X",  # CA-68
    "rubble": "1 1 h h 1 h h h 1 1 1 X",  # CA-67: half of the row above
    "rubble, no entry": "1 1 h h 1 X X X X X X X",
}
RATES = {"X": None, "1": Fraction(1), "2": Fraction(2), "h": Fraction(1, 2)}
CELLS = [
    (row, column, RATES[cell])
    for row, cells in MATRIX.items()
    for column, cell in zip(COLUMNS, cells.split(), strict=True)
]
AREA = rectangle((11, 0), (20, 30))
#: Those whose reach is asked for, besides their orders.
SEARCHED = ("on_foot", "grav", "walker")


def area(name, kind, shape=AREA, height=0.0, **attributes):
    return Piece(name, kind, shape, height=height, attributes=attributes)


def terrain_of(row):
    """The ground of a row, from x = 1 on."""
    kind, _, how = row.partition(", ")
    if kind in ("uphill", "across", "downhill"):
        return (area("hill", "slope", uphill={"uphill": 0, "across": 90, "downhill": 180}[kind]),)
    wet = {"wet": True, "paved": "paved" in how} if "wet" in how else {}
    if kind in ("building", "rubble"):
        house = area("house", "building", **({} if how else {"vehicle_entry": True}))
        return (house, area("debris", "rubble")) if kind == "rubble" else (house,)
    if kind == "firm_ground":
        return (area("bog", "soft_ground", rectangle((-20, 0), (20, 30))),)
    return (area("there", kind, **wet),)


def rate_of(terrain, mobility, **settings):
    """How many inches of the terrain beyond x = 1 an inch of allowance covers; None where the way is barred."""
    fields = settings.pop("fields", {})
    game = arms_game(piece("A", mobility, **fields), terrain=terrain, **settings)
    if game.breaches("A move: forward 2"):
        reason = game.breaches("A move: forward 2")[0]
        assert reason.blocker in {one.id for one in terrain}
        assert game.breaches("A move: forward 1") == []
        if mobility in SEARCHED:
            assert game.reach("A").cost_at((2, 0)) is None
        return None
    paid = game.do("A move: forward 2").ledger.total("inches")
    if mobility in SEARCHED:
        assert arms_game(piece("A", mobility, **fields), terrain=terrain, **settings).reach("A").cost_at((2, 0)) == paid
    return 1 / (paid - 1)


@pytest.mark.parametrize(("row", "mobility", "rate"), CELLS)
def test_the_matrix(row, mobility, rate):
    """CA-75 and the clauses of its rows, such as CA-49, CA-54, CA-57, CA-59 and CA-65.

    With CA-72, CA-73 and CA-74 for those whom no terrain line names, and CA-12 for jetpacks.
    """
    fields = {"amphibious": True} if "amphibious" in row else {}
    assert rate_of(terrain_of(row), mobility, fields=fields) == rate


@pytest.mark.parametrize("mobility", ["grav", "hover", "gravpack"])
def test_a_floater_that_swims_has_the_better_of_the_two(mobility):
    """CA-52."""
    assert rate_of((area("river", "river"),), mobility, fields={"amphibious": True}) == 1


ROAD = area("road", "road", rectangle((10, 0), (40, 4)))
HILL = area("hill", "slope", uphill=0)


@pytest.mark.parametrize(
    ("terrain", "mobility", "rate"),
    [
        ((area("bog", "soft_ground"), HILL), "tracked", Fraction(1, 4)),  # CA-77
        ((area("bog", "soft_ground"), area("wood", "vegetation")), "walker", Fraction(1, 4)),
        ((area("wood", "vegetation"), HILL, area("bog", "soft_ground")), "walker", Fraction(1, 8)),
        ((area("hill", "slope", uphill=0), area("knoll", "slope", uphill=10)), "walker", Fraction(1, 2)),  # one layer
        ((area("bog", "soft_ground"), area("road", "road", AREA)), "wheeled", 2),  # CA-78: it replaces ground
        ((area("wood", "vegetation"), area("road", "road", AREA)), "wheeled", 2),
        ((area("thicket", "dense_vegetation"), area("road", "road", AREA)), "wheeled", 2),  # CA-79
        ((area("river", "river"), area("bridge", "bridge", AREA)), "on_foot", 2),
        ((area("river", "river"), area("bridge", "bridge", AREA)), "grav", 1),
        ((area("river", "river"), area("ford", "ford", AREA), area("wood", "vegetation")), "tracked", Fraction(1, 2)),
        ((area("ford", "ford"), HILL), "tracked", Fraction(1, 4)),
        ((area("road", "road", AREA), area("wall", "low_obstacle")), "tracked", 1),  # obstacles still count
        ((area("road", "road", AREA), area("wall", "low_obstacle"), HILL), "tracked", Fraction(1, 2)),
        ((area("road", "road", AREA), area("wall", "high_wall")), "tracked", None),
        (
            (area("road", "road", AREA), area("ford", "ford", AREA)),
            "tracked",
            Fraction(1, 2),
        ),  # the last one lies on top
        ((area("ford", "ford", AREA), area("road", "road", AREA)), "tracked", 2),
        ((area("house", "building", AREA), area("road", "road", AREA)), "tracked", 2),
        ((area("road", "road", AREA), area("house", "building", AREA)), "tracked", None),
        ((area("house", "building"), HILL), "on_foot", 2),  # a slope does not count in a house
        ((area("house", "building"), area("wall", "low_obstacle")), "on_foot", 1),
        ((area("debris", "rubble"),), "on_foot", 1),  # rubble counts in buildings alone
        ((area("river", "river"), area("bog", "soft_ground")), "tracked", None),  # impassable first
    ],
)
def test_layers_that_meet(terrain, mobility, rate):
    """CA-77, CA-78, CA-79."""
    assert rate_of(terrain, mobility) == rate


def test_swimming_under_a_bridge_is_driving_over_it():
    """CA-78: the river under a bridge is not there for one who swims, either."""
    terrain = (area("river", "river"), area("bridge", "bridge", AREA))
    assert rate_of(terrain, "wheeled", fields={"amphibious": True}) == 2


class TestOptions:
    """Each default, and what the other choice changes."""

    @pytest.mark.parametrize(
        ("option", "value", "terrain", "mobility", "rates"),
        [
            ("terrain_combination", "worst_only", (area("bog", "soft_ground"), HILL), "tracked", ("1/4", "1/2")),
            ("terrain_combination", "worst_only", (area("road", "road", AREA), HILL), "tracked", (1, "1/2")),
            ("high_wall_passers", "literal", (area("wall", "high_wall"),), "on_foot", (None, "1/2")),
            ("high_wall_passers", "literal", (area("wall", "high_wall"),), "powered_armor", (None, "1/2")),
            ("high_wall_passers", "literal", (area("wall", "high_wall"),), "gravpack", (None, 1)),
            ("high_wall_passers", "literal", (area("wall", "high_wall"),), "jetpack", (1, None)),
            ("high_wall_passers", "literal", (area("wall", "high_wall"),), "thruster", (1, 1)),
            ("high_wall_passers", "by_altitude", (area("wall", "high_wall", height=3),), "grav", (None, 1)),
            ("high_wall_passers", "by_altitude", (area("wall", "high_wall", height=5),), "grav", (None, None)),
            ("antitank_others", "normal", (area("teeth", "antitank_obstacle"),), "walker", ("1/2", 1)),
            ("antitank_others", "normal", (area("teeth", "antitank_obstacle"),), "tracked", (None, None)),
            ("building_interior_walkers", "half_rate", (area("house", "building"),), "on_foot", (2, "1/2")),
            ("building_interior_walkers", "half_rate", (area("house", "building"),), "crew_weapon", (2, "1/2")),
            ("building_interior_walkers", "half_rate", (area("house", "building"),), "gravpack", (1, 1)),
            ("rubble_factor", "1/4", terrain_of("rubble"), "on_foot", (1, "1/2")),
            ("powered_armor_terrain", "as_gravpack", (area("road", "road", AREA),), "powered_armor", (2, 1)),
            ("powered_armor_terrain", "as_gravpack", (area("river", "river"),), "powered_armor", (None, 1)),
            ("powered_armor_terrain", "unaffected", (area("bog", "soft_ground"),), "powered_armor", ("1/2", 1)),
            ("powered_armor_terrain", "unaffected", (area("road", "road", AREA),), "powered_armor", (2, 2)),
            ("powered_armor_terrain", "unaffected", (area("river", "river"),), "powered_armor", (None, None)),
            ("powered_armor_terrain", "unaffected", terrain_of("rubble"), "powered_armor", (1, 2)),
            ("powered_armor_terrain", "as_gravpack", terrain_of("rubble"), "powered_armor", (1, "1/2")),
            ("uphill_test", "within_45", (area("hill", "slope", uphill=45),), "walker", ("1/2", "1/2")),
            ("uphill_test", "within_45", (area("hill", "slope", uphill=46),), "walker", ("1/2", 1)),
        ],
    )
    def test_a_choice(self, option, value, terrain, mobility, rates):
        usual, other = (None if rate is None else Fraction(rate) for rate in rates)
        assert rate_of(terrain, mobility) == usual
        assert rate_of(terrain, mobility, options={option: value}) == other

    def test_how_wide_a_line_is(self):
        """CA-63: linear_obstacle_width; a width of its own holds."""
        wall = (Piece("wall", "low_obstacle", LineShape([(5, -9), (5, 9)])),)
        assert paid(wall, "tracked", "forward 10") == 11
        assert paid(wall, "tracked", "forward 10", options={"linear_obstacle_width": 2}) == 12
        assert paid((Piece("wall", "low_obstacle", LineShape([(5, -9), (5, 9)], 3.0)),), "tracked", "forward 10") == 13

    def test_weather(self):
        """CA-56: the caller may set it wet."""
        road = (area("road", "road", AREA),)
        assert rate_of(road, "wheeled", tables={"weather.wet": True}) == Fraction(1, 2)
        assert rate_of((area("road", "road", AREA, wet=False),), "wheeled", tables={"weather.wet": True}) == 2

    def test_a_cell_of_the_matrix_can_be_replaced(self):
        assert rate_of(
            (area("bog", "soft_ground"),), "walker", tables={"terrain.soft_ground.walker": "1/3"}
        ) == Fraction(1, 3)
        assert rate_of((area("bog", "soft_ground"),), "walker", tables={"terrain.soft_ground.walker": "X"}) is None


def paid(terrain, mobility, elements, **settings):
    fields = settings.pop("fields", {})
    return (
        arms_game(piece("A", mobility, **fields), terrain=terrain, **settings)
        .do(f"A move: {elements}")
        .ledger.total("inches")
    )


#: Whom something stops.
STOPS = {
    "river": ("tracked", "walker", "on_foot", "crew_weapon"),
    "building": ("tracked", "hover", "grav"),
    "building, doors": ("on_foot", "gravpack", "crew_weapon"),
    "dense_vegetation": ("wheeled", "hover", "gravpack"),
    "high_wall": ("walker", "grav", "powered_armor"),
}
#: What lies beside it, or around.
BESIDE = {
    "soft": ("soft_ground", (6, -5), (30, 10), {}),
    "wood": ("vegetation", (6, 0), (30, 20), {}),
    "wood on this side": ("vegetation", (6, -5), (30, 10), {}),
    "hill": ("slope", (6, 0), (30, 20), {}),
    "ford": ("ford", (6, -5), (30, 10), {}),
    "hut": ("building", (6, -5), (30, 10), {"vehicle_entry": True}),
    "debris": ("low_obstacle", (6, -5), (30, 10), {}),
}


def turned_place(angle, place):
    """A place turned about 0,0."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return place[0] * cos - place[1] * sin, place[0] * sin + place[1] * cos


def turned_box(angle, middle, size):
    """A rectangle turned about 0,0."""
    return rectangle(turned_place(angle, middle), size, angle)


class TestBorders:
    """CA-80."""

    def test_the_better_side_of_a_border_counts(self):
        bog = (area("bog", "soft_ground", rectangle((10, 5), (60, 10))),)
        assert paid(bog, "tracked", "forward 10") == 10

    def test_the_edge_of_what_is_impassable_may_be_touched(self):
        assert paid((area("river", "river", rectangle((10, 5), (60, 10))),), "tracked", "forward 10") == 10

    @pytest.mark.sampled
    @pytest.mark.parametrize(("shut", "mobility"), [(kind, one) for kind, stopped in STOPS.items() for one in stopped])
    @pytest.mark.parametrize("beside", sorted(BESIDE))
    @pytest.mark.parametrize("angle", [33])
    @pytest.mark.parametrize(
        "options", [{}, {"terrain_combination": "worst_only"}, {"infantry_turning": "free"}], ids=str
    )
    def test_along_what_is_impassable_it_costs_what_it_costs_beside_it(self, shut, mobility, beside, angle, options):
        """CA-79: its inside is no side to travel on, for the judge and for reach."""
        wall = area("shut", shut.partition(", ")[0], turned_box(angle, (6, 3), (12, 6)))
        if "doors" in shut:
            wall = area("shut", "building", wall.shape, doors=[turned_place(angle, (6, 6))])
        kind, middle, size, attributes = BESIDE[beside]
        if kind == "slope":
            attributes = {"uphill": angle}
        other = area("other", kind, turned_box(angle, middle, size), **attributes)
        paid = []
        for y in (0, -0.001):
            start, end = turned_place(angle, (1, y)), turned_place(angle, (2.25, y))
            unit = piece("A", mobility, start, heading=angle)
            game = arms_game(unit, terrain=(wall, other), options=options)
            assert game.breaches("A move: turn_left 90, forward 0.1")[-1].blocker == "shut"
            reached = game.reach("A").cost_at(end)
            paid.append(float(game.do("A move: forward 1.25").ledger.total("inches")))
            assert float(reached) == pytest.approx(paid[-1], abs=1e-6)
        assert paid[0] == pytest.approx(paid[1], abs=1e-6)

    def test_along_the_walls_of_a_floor(self):
        """CA-67: in a house full of rubble, and in one without by the slow option; outside is no side to be on."""
        debris = area("debris", "rubble", rectangle((0, 0), (12, 10)))
        for doors, floor in (({"doors": [(0, 5)]}, 0), ({}, 1)):
            house = area("house", "building", rectangle((0, 0), (12, 10)), floors=2, **doors)
            fields = {"fields": {"at": (0, -5), "floor": floor, "building": "house"}}
            for terrain, mobility, options, price in (
                ((house, debris), "gravpack", {}, 4),
                ((house,), "on_foot", {"building_interior_walkers": "half_rate"}, 4),
                ((house,), "on_foot", {}, 1),
            ):
                assert paid(terrain, mobility, "forward 2", options=options, **fields) == price
                unit = piece("A", mobility, **fields["fields"])
                reach = arms_game(unit, terrain=terrain, options=options).reach("A")
                assert reach.cost_at(Pose((2, -5), 0, f"house/{floor}")) == price

    # Long: reasons are searched for all round; single borders are tried beside it.
    @pytest.mark.long
    def test_pieces_that_touch_along_a_line_are_one(self):
        two = (
            area("river", "river", rectangle((10, 5), (12, 10))),
            area("lake", "lake", rectangle((10, -5), (12, 10))),
        )
        game = arms_game(piece("A", "tracked"), terrain=two)
        assert [one.clause for one in game.breaches("A move: forward 10")] in (["CA-52"], ["CA-53"])
        assert game.reach("A").why_not((10, 0)).reasons

    # Long: reasons are searched for all round; single borders are tried beside it.
    @pytest.mark.long
    def test_what_lies_across_every_way_is_named(self):
        """On an island between rivers and a lake, which is narrower."""
        sides = {"north": ((20, 12), (28, 8)), "south": ((20, -12), (28, 8)), "east": ((30, 0), (8, 16))}
        waters = [area(name, "river", rectangle(*side)) for name, side in sides.items()]
        game = arms_game(piece("A", "wheeled"), terrain=(*waters, area("pond", "lake", rectangle((8, 0), (4, 16)))))
        (reason,) = game.reach("A").why_not((18, 0)).reasons
        assert (reason.clause, reason.blocker) == ("CA-53", "pond")
        assert reason.message == "no move leads there: pond is in the way"

    def test_a_base_has_to_fit_on_a_bridge(self):
        terrain = (area("river", "river"), area("bridge", "bridge", rectangle((11, 0), (22, 3))))
        assert paid(terrain, "tracked", "forward 3", fields={"base": 1.5}) == 1.5  # the bridge begins at 0
        assert (
            arms_game(piece("A", "tracked", base=1.6), terrain=terrain).breaches("A move: forward 3")[0].blocker
            == "river"
        )

    def test_a_round_lake_is_round(self):
        lake = (area("lake", "lake", CircleShape(10, 0, 3)),)
        game = arms_game(piece("A", "tracked", base=1), terrain=lake)
        assert game.breaches("A move: forward 6") == []
        assert game.breaches("A move: forward 6.01")[0].clause == "CA-53"

    def test_a_curved_hill_is_several_slopes(self):
        """CA-51."""
        hill = (
            area("west", "slope", rectangle((5, 0), (4, 20)), uphill=0),
            area("east", "slope", rectangle((9, 0), (4, 20)), uphill=180),
        )
        assert paid(hill, "walker", "forward 12") == 3 + 8 + 4 + 1
        assert paid(hill, "walker", "turn_left 180, reverse 2") == 20 + 4


class TestTrees:
    """CA-60, CA-61, CA-62."""

    OAK = Piece("oak", "individual_tree", PointShape(5, 0))

    @pytest.mark.parametrize(("size", "weight"), [(3, "light"), (4, "medium"), (5, "medium"), (6, "heavy")])
    def test_only_medium_and_heavy_vehicles_knock_trees_down(self, size, weight):
        game = arms_game(piece("A", "grav", size_class=size, base=1), terrain=(self.OAK,))
        assert [one.clause for one in game.breaches("A move: forward 10")] == (["CA-60"] if weight == "light" else [])

    def test_a_weight_of_its_own_holds(self):
        assert (
            paid((self.OAK,), "grav", "forward 10", fields={"size_class": 2, "weight_class": "medium", "base": 1}) == 11
        )

    @pytest.mark.parametrize("mobility", ["on_foot", "crew_weapon", "jetpack", "helicopter"])
    def test_others_go_round_the_trunk(self, mobility):
        game = arms_game(piece("A", mobility, base=0.5), terrain=(self.OAK,))
        assert game.breaches("A move: forward 5")[0].clause == "CA-60"

    @pytest.mark.parametrize(
        ("ground", "mobility", "price"),
        [
            ((area("bog", "soft_ground"),), "tracked", 2),
            ((area("bog", "soft_ground"), HILL), "tracked", 4),
            ((area("road", "road", AREA),), "tracked", Fraction(1, 2)),
            ((area("road", "road", AREA, wet=True),), "tracked", 2),
            ((area("bog", "soft_ground"),), "grav", 1),
            ((area("wood", "vegetation"),), "tracked", 1),
        ],
    )
    def test_a_tree_costs_by_the_other_terrain_there(self, ground, mobility, price):
        fields = {"base": 0.5}
        with_tree = paid((*ground, self.OAK), mobility, "forward 7", fields=fields)
        assert with_tree - paid(ground, mobility, "forward 7", fields=fields) == price

    def test_at_the_bank_of_a_river_it_costs_by_the_ground_on_this_side(self):
        bog, river = rectangle((5, -5), (60, 10)), rectangle((5, 5), (6, 10))
        bank = (area("bog", "soft_ground", bog), area("river", "river", river))
        without = paid(bank, "tracked", "forward 7")
        assert paid((*bank, self.OAK), "tracked", "forward 7") == without + 2
        game = arms_game(piece("A", "tracked"), terrain=(*bank, self.OAK))
        assert game.reach("A").cost_at(Pose((7, 0), 0)) == without + 2

    def test_travel_mode_does_not_matter(self):
        tree = Piece("oak", "individual_tree", PointShape(-5, 0))
        assert paid((tree,), "tracked", "reverse 6", fields={"base": 0.5}) == 13

    def test_the_price_of_a_tree(self):
        dear = Piece("oak", "individual_tree", PointShape(5, 0), attributes={"tree_cost": 3})
        assert paid((dear,), "grav", "forward 10", fields={"base": 1}) == 13
        assert paid((self.OAK,), "grav", "forward 10", fields={"base": 1}, options={"tree_cost": 2}) == 12

    def test_it_is_paid_once_and_gone(self):
        game = arms_game(piece("A", "grav", base=1), piece("B", "grav", (0, 10), base=1), terrain=(self.OAK,))
        assert game.do("A move: forward 8, reverse 8").ledger.total("inches") == 8 + 1 + 16
        assert game.state.data["felled"] == ("oak",)
        game.do("B move: turn_right 45")
        assert game.do("A move: forward 8").ledger.total("inches") == 8

    def test_reach_goes_through_them(self):
        game = arms_game(piece("A", "tracked", base=1), terrain=(self.OAK,))
        assert game.reach("A").cost_at((10, 0)) == 11


def test_polygons_may_have_holes():
    """CA-80."""
    ring = Piece(
        "moat", "river", PolygonShape([(-9, -9), (9, -9), (9, 9), (-9, 9)], [[(-5, -5), (5, -5), (5, 5), (-5, 5)]])
    )
    reach = arms_game(piece("A", "tracked"), terrain=(ring,)).reach("A")
    assert reach.cost_at((4.9, 0)) == 4.9
    assert reach.cost_at((12, 0)) is None


def test_no_tree_is_passed_for_nothing_in_the_air():
    """CA-60, CA-81: below its top it is in the way of those who do not fell it; over it, it is not."""
    tree = Piece("oak", "individual_tree", PointShape(5, 0))
    game = arms_game(piece("A", "grav", size_class=2), terrain=(tree,))
    assert [one.clause for one in game.breaches("A move: climb 2, forward 10, descend 2")] == ["CA-60"]
    assert list(game.breaches("A move: climb 3, forward 10, descend 3")) == []
    assert paid((tree,), "grav", "climb 2, forward 10, descend 2") == 15
    assert paid((tree,), "grav", "climb 3, forward 10, descend 3") == 16
