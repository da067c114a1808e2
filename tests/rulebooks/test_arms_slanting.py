"""Climbs in combined_arms that are priced by the length of the way in space (CA-85, option vertical_geometry)."""

from itertools import pairwise

import pytest
from arms_games import arms_game, piece

from simulator.engine.errors import TableError
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose

EUCLID = {"vertical_geometry": "euclid"}


def total(order, terrain=(), answers=None, others=(), **options):
    game = arms_game(
        piece("A", "grav"),
        *others,
        terrain=terrain,
        options=options,
        data={"initiative": ("A", *(u.id for u in others))},
    )
    return float(game.do(f"A move: {order}", answers).ledger.total("inches"))


def test_three_along_and_four_up():
    assert total("forward 3, climb 4") == 7
    assert total("forward 3, climb 4", **EUCLID) == pytest.approx(5)
    assert total("climb 4, forward 3", **EUCLID) == 7  # what follows a climb belongs to the next one
    assert total("forward 2, turn_left 90, forward 1, climb 4, forward 3, descend 4", **EUCLID) == pytest.approx(
        12 + 5 + 5
    )


def test_a_shot_in_the_middle_changes_no_price():
    gun = piece("G", "helicopter", (0, 20), "blue", weapon_range=60, altitude=3)
    other = piece("H", "helicopter", (0, -20), "blue", weapon_range=60, altitude=3)
    order = "forward 3, climb 4"
    answers = [None, None, 1, 2.5, "stationary", 2, "stationary", 2]
    assert total(order, answers=answers, others=(gun, other), **EUCLID) == pytest.approx(5)


def test_reach_climbs_in_one_go():
    """Over a wall of 2 and up to 4: not from altitude to altitude."""
    walls = (
        Piece("low", "high_wall", rectangle((0, 10), (9, 1)), height=2),
        Piece("w", "vegetation", rectangle((20, 0), (2, 2)), height=4),
    )
    for options, cost in (({}, 7), (EUCLID, 5)):
        reach = arms_game(piece("A", "grav"), terrain=walls, options=options).reach("A", climbing=True)
        assert reach.cost_at(Pose((3, 0), None, 4)) == pytest.approx(cost)
        (order,) = reach.orders_to(Pose((3, 0), None, 4))
        names = [element.name for element in order.elements]
        assert not any(one == other == "climb" for one, other in pairwise(names)) or not options


@pytest.mark.parametrize("mobility", ["on_foot", "tracked", "grav"])
def test_who_climbs_nothing_pays_as_ever(mobility):
    """Also where roads and interiors are cheaper than an inch for an inch."""
    road = Piece("road", "road", rectangle((30, 0), (8, 8)))
    game = arms_game(piece("A", mobility), terrain=(road,), options=EUCLID)
    assert game.reach("A", climbing=True).cost_at((4, 0)) == 4
    assert game.do("A move: forward 4").ledger.total("inches") == 4


class TestCheapGround:
    """CA-55, CA-66: roads and floors on which walkers and wheels cover an inch for half of one."""

    ROAD = (
        Piece("road", "road", rectangle((4, 0), (4, 4))),
        Piece("hut", "building", rectangle((12, 0), (4, 4)), "elevated", height=6),
    )
    MOBILITIES = (
        *("on_foot", "powered_armor", "gravpack", "jetpack", "crew_weapon"),
        *("grav", "hover", "thruster", "tracked", "walker", "wheeled", "helicopter"),
    )

    @pytest.mark.parametrize("mobility", MOBILITIES)
    @pytest.mark.parametrize("order", ["climb 2", "forward 3, climb 1", "climb 1, descend 2", "forward 4", "descend 1"])
    def test_all_are_answered_as_with_sums(self, mobility, order):
        """CA-82, CA-83: those that do not fly are told so."""
        games = [arms_game(piece("A", mobility), terrain=self.ROAD, options=options) for options in ({}, EUCLID)]
        found = [[one.clause for one in game.breaches(f"A move: {order}")] for game in games]
        assert found[0] == found[1]

    @pytest.mark.sampled
    @pytest.mark.parametrize("mobility", MOBILITIES)
    def test_reach_knows_the_road(self, mobility):
        costs = [
            arms_game(piece("A", mobility), terrain=self.ROAD, options=options)
            .reach("A", climbing=True)
            .cost_at(Pose((5, 0), 0, 0))
            for options in ({}, EUCLID)
        ]
        assert costs[0] == costs[1] is not None

    def test_a_lander_on_wheels_comes_straight_down(self):
        """CA-149."""
        waiting = piece("A", "wheeled", None, assault_lander=True, enters_on=1, heading=0)
        game = arms_game(waiting, terrain=self.ROAD, options=EUCLID)
        assert game.do("A move: drop at 4,0 facing 0, descend 36").ledger.total("inches") == 36

    @pytest.mark.parametrize(
        ("mobility", "tables", "figure"),
        [
            ("grav", {"terrain.road.grav": 2}, "terrain.road.grav"),
            ("jetpack", {"terrain.building_interior.jetpack": "3/2"}, "terrain.building_interior.jetpack"),
            ("on_foot", {"altitude_limit.on_foot": 2}, "terrain.road.on_foot"),
            ("thruster", {"travel.sideways": 0.5}, "travel.sideways"),
        ],
    )
    def test_tables_by_which_flyers_cover_an_inch_for_less_are_refused_by_name(self, mobility, tables, figure):
        over = (*self.ROAD, Piece("bank", "low_obstacle", rectangle((20, 0), (1, 4)), height=1))
        game = arms_game(piece("A", mobility), terrain=over, options=EUCLID, tables=tables)
        for ask in (lambda: game.breaches("A move: climb 1"), lambda: game.reach("A", climbing=True)):
            with pytest.raises(TableError, match=f"^vertical_geometry: euclid plans no climbs .*{figure}"):
                ask()
        plain = arms_game(piece("A", mobility), terrain=self.ROAD, tables=tables)
        assert not plain.breaches("A move: climb 1, descend 1")
