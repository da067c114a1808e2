"""skirmish: what is called certain comes true with the worst of dice, beside rough ground and obstacles, too."""

import numpy as np
import pytest
import shapely
from skirmish_tables import game_with, place_of

from simulator.engine.game import Game
from simulator.geometry.pieces import Piece, PolygonShape

#: No roll that a soldier makes succeeds with the one, and each that can with the other.
WORST, BEST = 10, 1


@pytest.mark.parametrize(("x", "is_certain"), [(4.5, True), (4.7, False), (5.0, False), (5.6, False)])
def test_a_patch_that_stands_alone_is_no_open_ground(x, is_certain):
    """SK-12: 2.625 inches to its edge, then 3 - 1 = 2 more; nothing else stands on the table."""
    bog = Piece("bog", "rough_terrain", PolygonShape([(2, -5), (5, -6), (6, 2), (3, 3)]))
    reach = game_with(bog, me={"threshold_left": 0}).reach("A1", ap=2)
    assert reach.certain_area.covers(shapely.Point(x, 0)) is is_certain
    assert (reach.chance_at((x, 0)) == 1) is is_certain


def test_past_the_corner_of_a_patch():
    """SK-12: (9, 10) is 4.2426 inches away, and (11.2, 9.6) 2.236 from there: too far by a way that no roll spoils."""
    patch = Piece("patch", "rough_terrain", PolygonShape([(9, 10), (12, 9), (11, 1), (8, 2)]))
    reach = game_with(patch, at=(6, 7), corner=(0, 0), size=(20, 14)).reach("A1", ap=2)
    assert not reach.certain_area.covers(shapely.Point(11.2, 9.6))
    assert float(reach.chance_at((11.2, 9.6))) == pytest.approx(0.6)
    assert reach.chance_at((10.5, 10.1)) == 1


def _patches(seed):
    """A soldier among patches of rough ground at any angle, and a wall."""
    dice = np.random.default_rng([seed, 3])
    pieces = []
    for number in range(3):
        corners = int(dice.integers(3, 6))
        angles = np.sort(dice.uniform(0, 2 * np.pi, corners) / 3 + 2 * np.pi * np.arange(corners) / corners)
        middle = dice.uniform(2.2, 4.5) * np.array([np.cos(2.1 * number + seed), np.sin(2.1 * number + seed)])
        ring = middle + dice.uniform(0.8, 2.0, corners)[:, None] * np.column_stack([np.cos(angles), np.sin(angles)])
        # Corners of tables lie on whole hundredths, or anywhere.
        shape = shapely.convex_hull(shapely.MultiPoint(np.round(ring, (2, 6)[seed % 2])))
        kind, layer, height = [("rough_terrain", "ground", 0.0), ("obstacle", "obstacle", (1.0, 9.0)[seed // 3 % 2])][
            number == 2
        ]
        pieces.append(Piece(f"patch {number}", kind, PolygonShape(shape.exterior.coords[:-1]), layer, height))
    if seed % 3:
        pieces.pop()
    return pieces, dice


def _led_to(played, orders, roll):
    """Where orders lead if every roll falls alike."""
    twin = Game(played.setting, played.state)
    for order in orders:
        twin.do(order)
        while twin.question is not None:
            twin.answer(roll)
    return place_of(twin)


@pytest.mark.sampled
@pytest.mark.parametrize("path_shape", ["free", "straight_per_ap"])
@pytest.mark.parametrize("seed", range(10))
def test_orders_lead_there_with_the_worst_dice_where_that_is_certain_and_else_with_the_best(seed, path_shape):
    pieces, dice = _patches(seed)
    start = next(
        (x, y)
        for x, y in [(0.0, 0.0), *np.round(dice.uniform(-2, 2, (50, 2)), 2).tolist()]
        if all(piece.shape.polygon.distance(shapely.Point(x, y)) > 0.5 for piece in pieces)
    )
    played = game_with(*pieces, at=start, me={"threshold_left": 0}, options={"path_shape": path_shape})
    reach = played.reach("A1", ap=2)
    for area, most, roll in ((reach.certain_area, 30, WORST), (reach.area, 15, BEST)):
        places = np.round(dice.uniform(area.bounds[:2], area.bounds[2:], (200, 2)), 4)
        # Far ones and such as lie behind something are the ones that may be wrong.
        places = places[shapely.contains_xy(area, *places.T)]
        places = places[np.argsort(-np.hypot(*(places - start).T))][:most]
        assert len(places) >= most / 2
        for place in map(tuple, places.tolist()):
            assert roll == BEST or reach.is_certain(place)
            orders = reach.orders_to(place, safest=roll == WORST)
            assert np.hypot(*np.subtract(_led_to(played, orders, roll), place)) <= 1e-5, place
