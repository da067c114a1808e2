"""The terrain matrix of combined_arms asked for directly: its cells, and what each option makes of them."""

from fractions import Fraction
from itertools import product

import pytest
from arms_games import arms_game, piece
from test_arms_terrain import COLUMNS, MATRIX, RATES

from simulator.rulesets.combined_arms import RULESET
from simulator.rulesets.combined_arms.matrix import (
    Mover,
    altitude_limit,
    of_building,
    of_cover,
    of_ground,
    of_ladder,
    of_obstacle,
    of_road,
    of_rubble,
    of_slope,
    of_stairs,
    too_high,
)

HALF, THIRD = Fraction(1, 2), Fraction(1, 3)
#: The type of each column, as a mover; helicopters stand in the column of aircraft.
VEHICLES = ("grav", "hover", "thruster", "tracked", "walker", "wheeled", "helicopter")


def setting(**options):
    return arms_game(piece("A", "on_foot"), options=options).table.setting


def with_tables(**tables):
    return arms_game(piece("A", "on_foot"), tables=tables).table.setting


def mover(mobility, **fields):
    return Mover.of(piece("A", mobility, **fields))


def every(row):
    """A row as printed: how many times its rate each type moves there."""
    return {mobility: RATES[cell] for mobility, cell in zip(COLUMNS, MATRIX[row].split(), strict=True)}


def test_what_terrain_asks_of_a_piece():
    """CA-52, CA-68, CA-74."""
    assert mover("helicopter") == Mover("aircraft", False, True)
    assert mover("on_foot", amphibious=True) == Mover("on_foot", True, False)
    assert mover("crew_weapon") == Mover("crew_weapon", False, False)
    pod = RULESET.make_unit("P", "drop_pod", "red", (0, 0), 0, rate_original=36, size_class=4)
    assert Mover.of(pod) == Mover("aircraft", False, True)


@pytest.mark.parametrize("kind", ["firm_ground", "soft_ground", "river", "lake"])
def test_ground(kind):
    """CA-49, CA-50, CA-52, CA-53."""
    known = setting()
    assert {one: of_ground(known, mover(one), kind) for one in COLUMNS} == every(kind)


@pytest.mark.parametrize("kind", ["river", "lake"])
def test_who_swims(kind):
    """CA-52, CA-53; on dry ground it makes no difference."""
    known = setting()
    swimmers = {one: of_ground(known, mover(one, amphibious=True), kind) for one in COLUMNS}
    assert swimmers == every(f"{kind}, amphibious")
    assert of_ground(known, mover("tracked", amphibious=True), "soft_ground") == HALF


def test_who_neither_floats_nor_swims_where_a_scenario_says_so():
    """CA-52: impassable both ways stays impassable."""
    known = with_tables(**{"terrain.water_amphibious.tracked": "X"})
    assert of_ground(known, mover("tracked", amphibious=True), "river") is None


@pytest.mark.parametrize(
    ("weather", "attributes", "row"),
    [
        (False, {}, "road"),
        (False, {"wet": True}, "road, wet"),
        (False, {"wet": True, "paved": False}, "road, wet"),
        (False, {"wet": True, "paved": True}, "road, paved and wet"),
        (True, {}, "road, wet"),
        (True, {"wet": False}, "road"),
        (True, {"paved": True}, "road"),
    ],
)
def test_roads(weather, attributes, row):
    """CA-55, CA-56: what a piece says goes before the weather."""
    known = with_tables(**{"weather.wet": weather})
    assert {one: of_road(known, mover(one), "road", attributes) for one in COLUMNS} == every(row)


@pytest.mark.parametrize(("kind", "row"), [("ford", "ford"), ("bridge", "bridge, wet")])
def test_fords_and_bridges_in_any_weather(kind, row):
    """CA-54, CA-57."""
    known = setting()
    assert {one: of_road(known, mover(one), kind, {"wet": True}) for one in COLUMNS} == every(row)


@pytest.mark.parametrize("kind", ["vegetation", "dense_vegetation"])
def test_vegetation(kind):
    """CA-58, CA-59."""
    known = setting()
    assert {one: of_cover(known, mover(one), kind) for one in COLUMNS} == every(kind)


@pytest.mark.parametrize(("climbed", "row"), [(True, "uphill"), (False, "across")])
def test_slopes(climbed, row):
    """CA-51."""
    known = setting()
    assert {one: of_slope(known, mover(one), climbed=climbed) for one in COLUMNS} == every(row)


class TestHouses:
    """CA-66, CA-68, CA-69, CA-70, CA-71, CA-76."""

    def test_interiors(self):
        known = setting()
        let_in = {one: of_building(known, mover(one), {"vehicle_entry": True}) for one in COLUMNS}
        assert let_in == every("building")
        assert {one: of_building(known, mover(one), {}) for one in COLUMNS} == every("building, no entry")

    @pytest.mark.parametrize(
        ("attributes", "floor", "rate"),
        [
            ({}, 0, None),
            ({"vehicle_entry": True}, 0, 2),
            ({"vehicle_entry": True}, 1, None),
            ({"vehicle_entry": True, "vehicle_floors": (0, 1)}, 1, 2),
            ({"vehicle_entry": True, "vehicle_floors": (1,)}, 0, None),
            ({"vehicle_entry": False, "vehicle_floors": (0, 1)}, 0, None),
            ({"vehicle_floors": (0, 1)}, 1, None),
        ],
    )
    def test_floors_that_carry_vehicles(self, attributes, floor, rate):
        assert of_building(setting(), mover("wheeled"), attributes, floor) == rate
        assert of_building(setting(), mover("on_foot"), attributes, floor) == 2

    def test_interiors_at_half_rate_are_an_option(self):
        """CA-66: building_interior_walkers; nobody else is slower, and aircraft stay outside."""
        known = setting(building_interior_walkers="half_rate")
        found = {one: of_building(known, mover(one), {"vehicle_entry": True}) for one in COLUMNS}
        assert found == {one: HALF if rate == 2 else rate for one, rate in every("building").items()}
        shut = arms_game(
            piece("A", "on_foot"),
            options={"building_interior_walkers": "half_rate"},
            tables={"terrain.building_interior.on_foot": "X"},
        )
        assert of_building(shut.table.setting, mover("on_foot"), {}) is None

    def test_stairs(self):
        known = setting()
        wide = {one: of_stairs(known, mover(one), {"vehicle_ok": True}) for one in COLUMNS}
        assert wide == {
            **dict.fromkeys(("on_foot", "powered_armor", "crew_weapon", "tracked", "walker", "wheeled"), HALF),
            **dict.fromkeys(("gravpack", "jetpack", "grav", "hover", "thruster"), 1),
            "helicopter": None,
        }
        for attributes in ({}, {"vehicle_ok": False}):
            narrow = {one: of_stairs(known, mover(one), attributes) for one in COLUMNS}
            assert narrow == {one: None if one in VEHICLES else rate for one, rate in wide.items()}

    @pytest.mark.parametrize(("choice", "on_foot"), [("third_rate", THIRD), ("triple_rate", 3)])
    def test_ladders(self, choice, on_foot):
        """CA-71: ladder_on_foot; others keep their rates."""
        known = setting(ladder_on_foot=choice)
        found = {one: of_ladder(known, mover(one)) for one in COLUMNS}
        wanted = {"on_foot": on_foot, "powered_armor": on_foot, "gravpack": 1, "jetpack": 1}
        assert found == {one: wanted.get(one) for one in COLUMNS}


class TestObstacles:
    """CA-12, CA-63, CA-64, CA-65."""

    @pytest.mark.parametrize("kind", ["low_obstacle", "high_wall", "antitank_obstacle"])
    def test_as_printed(self, kind):
        known = setting()
        assert {one: of_obstacle(known, mover(one), kind, Fraction(6)) for one in COLUMNS} == every(kind)

    def test_antitank_obstacles_may_slow_only_those_they_stop(self):
        """CA-65: antitank_others; other obstacles keep their rates."""
        known = setting(antitank_others="normal")
        found = {one: of_obstacle(known, mover(one), "antitank_obstacle", Fraction(1)) for one in COLUMNS}
        assert found == {one: None if one in ("tracked", "wheeled", "crew_weapon") else 1 for one in COLUMNS}
        low = {one: of_obstacle(known, mover(one), "low_obstacle", Fraction(1)) for one in COLUMNS}
        assert low == every("low_obstacle")

    @pytest.mark.parametrize(("height", "jetpack"), [(Fraction(1), 1), (Fraction(12), 1), (Fraction(25, 2), None)])
    def test_a_wall_that_jetpacks_do_not_clear(self, height, jetpack):
        """CA-64, CA-82: their limit is 12 inches; a thruster vehicle has none."""
        known = setting()
        assert of_obstacle(known, mover("jetpack"), "high_wall", height) == jetpack
        assert of_obstacle(known, mover("thruster"), "high_wall", height) == 1
        assert of_obstacle(known, mover("grav"), "high_wall", height) is None

    def test_walls_by_the_letter(self):
        """CA-64: high_wall_passers."""
        known = setting(high_wall_passers="literal")
        found = {one: of_obstacle(known, mover(one), "high_wall", Fraction(6)) for one in COLUMNS}
        wanted = {"thruster": 1, "on_foot": HALF, "powered_armor": HALF, "gravpack": 1}
        assert found == {one: wanted.get(one) for one in COLUMNS}
        as_gravpack = setting(high_wall_passers="literal", powered_armor_terrain="as_gravpack")
        assert of_obstacle(as_gravpack, mover("powered_armor"), "high_wall", Fraction(6)) == 1
        assert of_obstacle(as_gravpack, mover("on_foot"), "high_wall", Fraction(6)) == HALF
        assert of_obstacle(as_gravpack, mover("grav"), "high_wall", Fraction(6)) is None

    @pytest.mark.parametrize(
        ("height", "passers"),
        [
            (Fraction(1), {"gravpack", "jetpack", "grav", "hover", "thruster", "helicopter"}),
            (Fraction(2), {"gravpack", "jetpack", "grav", "thruster", "helicopter"}),
            (Fraction(4), {"jetpack", "grav", "thruster", "helicopter"}),
            (Fraction(12), {"jetpack", "thruster", "helicopter"}),
            (Fraction(13), {"thruster", "helicopter"}),
        ],
    )
    def test_walls_by_altitude(self, height, passers):
        """CA-64: high_wall_passers."""
        known = setting(high_wall_passers="by_altitude")
        found = {one: of_obstacle(known, mover(one), "high_wall", height) for one in COLUMNS}
        assert found == {one: 1 if one in passers else None for one in COLUMNS}


#: All other options about terrain, each way.
OTHERS = {
    "high_wall_passers": ("thruster_and_jetpack", "literal", "by_altitude"),
    "antitank_others": ("as_low_obstacle", "normal"),
    "building_interior_walkers": ("double_rate", "half_rate"),
    "rubble_factor": (HALF, Fraction(1, 4), 1),
    "ladder_on_foot": ("third_rate", "triple_rate"),
}
EVERY_WAY = [dict(zip(OTHERS, chosen, strict=True)) for chosen in product(*OTHERS.values())]


class TestPoweredArmor:
    """CA-72: powered_armor_terrain."""

    def rates(self, mobility, **options):
        """The multipliers of all rows."""
        known, who = setting(**options), [mover(mobility), mover(mobility, amphibious=True)]
        obstacles = [("low_obstacle", Fraction(2)), ("antitank_obstacle", Fraction(2))]
        obstacles += [("high_wall", Fraction(height)) for height in (1, 2, 6, 13)]
        return [
            *(of_ground(known, one, kind) for one in who for kind in ("firm_ground", "soft_ground", "river", "lake")),
            *(of_road(known, who[0], kind, {"wet": wet}) for kind in ("ford", "road", "bridge") for wet in (0, 1)),
            *(of_cover(known, who[0], kind) for kind in ("vegetation", "dense_vegetation")),
            *(of_obstacle(known, who[0], kind, height) for kind, height in obstacles),
            *(of_slope(known, who[0], climbed=climbed) for climbed in (False, True)),
            *(of_building(known, who[0], {}), of_rubble(known, who[0]), of_stairs(known, who[0], {})),
            of_ladder(known, who[0]),
        ]

    @pytest.mark.parametrize("options", EVERY_WAY, ids=str)
    @pytest.mark.parametrize(("choice", "other"), [("as_on_foot", "on_foot"), ("as_gravpack", "gravpack")])
    def test_as_others(self, choice, other, options):
        found = self.rates("powered_armor", powered_armor_terrain=choice, **options)
        assert found == self.rates(other, **options)

    @pytest.mark.parametrize("options", EVERY_WAY, ids=str)
    def test_unaffected_is_no_slower_anywhere_and_no_less_barred(self, options):
        found = self.rates("powered_armor", powered_armor_terrain="unaffected", **options)
        assert found == [None if rate is None else max(rate, 1) for rate in self.rates("on_foot", **options)]

    @pytest.mark.parametrize("choice", ["as_on_foot", "as_gravpack", "unaffected"])
    def test_nobody_else_is_meant(self, choice):
        for other in ("on_foot", "gravpack", "jetpack"):
            assert self.rates(other, powered_armor_terrain=choice) == self.rates(other)


def test_altitude_limits():
    """CA-82, CA-83."""
    known = setting()
    limits = {one: altitude_limit(known, mover(one).column) for one in COLUMNS}
    assert limits == {
        **dict.fromkeys(("on_foot", "powered_armor", "crew_weapon", "tracked", "walker", "wheeled"), 0),
        "gravpack": 2,
        "jetpack": 12,
        "grav": 4,
        "hover": 1,
        "thruster": None,
        "helicopter": None,
    }


def test_they_are_told():
    """CA-82."""
    assert too_high("grav", Fraction(4)) == "grav pieces fly no higher than 4 inches"
    assert too_high("tracked", Fraction(0)) == "tracked pieces do not fly"
