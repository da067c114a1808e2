"""Climbs in combined_arms that are priced by the length of the way in space (CA-85, option vertical_geometry)."""

from itertools import pairwise

import pytest
from arms_games import arms_game, piece

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
