"""Passengers of combined_arms are set down where they fit exactly (CA-119): at a door, and in lanes of their width."""

import numpy as np
import pytest
from arms_games import arms_game, piece

from simulator.geometry.pieces import Piece, rectangle

HULL = ((2, 1), (2, -1), (-2, -1), (-2, 1))
LONG = ((0.5, 0.25), (0.5, -0.25), (-0.5, -0.25), (-0.5, 0.25))


def apc(**fields):
    return piece("apc", "tracked", fields.pop("at", (0, 0)), **{"base": HULL, "doors": ((-2, 0),), **fields})


def bob(base=None):
    return piece("bob", "on_foot", None, carrier="apc", base=base)


def lane(width, begin=-6):
    """Walls on both sides of a lane behind the transport."""
    middle = (begin - 2.05) / 2
    sizes = (-2.05 - begin, 1)
    return [
        Piece(name, "high_wall", rectangle((middle, sign * (width / 2 + 0.5)), sizes))
        for name, sign in (("left", 1), ("right", -1))
    ]


@pytest.mark.parametrize(
    ("carrier", "base", "radius", "at", "end"),
    [
        (apc(), None, 0, (-2, 0), (-5, 0)),
        (apc(), 0.5, 0, (-2.5, 0), (-5.5, 0)),
        (apc(), LONG, 0, (-2.5, 0), (-5.5, 0)),
        (apc(), None, 0.005, (-2.005, 0), (-5.005, 0)),
        (apc(doors=((-1, 0),)), None, 1, (-2, 0), (-5, 0)),
        (apc(doors=()), None, 0, (1.5, 1), (1.5, 4)),
        (apc(doors=()), 0.5, 0, (2.3, -1.4), (2.3, -4.4)),
        (apc(doors=(), base=1), None, 0, (0.6, 0.8), (0.6, 3.8)),
        (apc(doors=(), base=None), None, 0, (0, 0), (3, 0)),
        (apc(heading=30), 0.5, 0, None, None),
    ],
)
def test_at_the_door_itself(carrier, base, radius, at, end):
    """CA-119: it is set down on one line, or in one place, and walks on from there."""
    game = arms_game(carrier, bob(base), options={"door_radius": radius})
    if at is None:
        turned = np.radians(30.0)
        ahead = np.array([np.cos(turned), np.sin(turned)])
        at, end = tuple((-2.5 * ahead).tolist()), tuple((-5.5 * ahead).tolist())
    away = float(np.degrees(np.arctan2(end[1] - at[1], end[0] - at[0])))
    assert not game.breaches(f"bob move: unload at {at[0]},{at[1]} facing {away}, forward 3")
    answer = game.reach("bob")
    assert answer.cost_at(at) <= radius % 1
    assert answer.cost_at(end) <= 3 + radius % 1 + 1e-6
    for order in answer.orders_to(end):
        assert not game.breaches(order)


@pytest.mark.parametrize("base", [0.5, LONG])
def test_in_a_lane_of_its_width(base):
    width = 1.0 if base == 0.5 else 0.5
    game = arms_game(apc(), bob(base), terrain=tuple(lane(width)))
    assert not game.breaches("bob move: unload at -2.8,0 facing 180, forward 3")
    answer = game.reach("bob")
    assert answer.cost_at((-5.8, 0)) <= 3
    assert answer.cost_at((-3.1, 0)) == pytest.approx(0, abs=1e-6)
    assert answer.cost_at((-3.1, 0.01)) is None
    assert not game.breaches(answer.orders_to((-5.8, 0))[0])


def generated(rng):
    """A transport, its passenger, and things beside them, all on a grid of a quarter of an inch."""
    long, wide = float(rng.choice([1, 1.5, 2])), float(rng.choice([0.5, 1]))
    box = ((long, wide), (long, -wide), (-long, -wide), (-long, wide))
    hull = [box, box, None, 1.0][rng.integers(4)]
    doors = [[], [(-long, 0.0)], [(0.0, wide)], [(long, wide), (-long, 0.0)]][rng.integers(4)]
    carrier = apc(base=hull, doors=tuple(doors), heading=int(rng.choice([0, 90, 180])))
    things = []
    for number in range(rng.integers(0, 4)):
        size, middle = rng.choice([0.5, 1, 2], 2), rng.integers(-12, 13, 2) / 4
        kind = ("high_wall", "lake", "rubble")[rng.integers(3)]
        things.append(Piece(f"thing {number}", kind, rectangle(tuple(middle.tolist()), tuple(size.tolist()))))
    others = []
    if rng.random() < 0.5:
        x, y = (rng.integers(-12, 13, 2) / 4).tolist()
        others.append(piece("other", "on_foot", (x, y), ("red", "blue")[rng.integers(2)], base=0.5))
    settings = {"terrain": tuple(things), "options": {"door_radius": float(rng.choice([0, 0, 0.25, 0.5, 1]))}}
    return arms_game(carrier, bob([None, 0.5, 0.25][rng.integers(3)]), *others, **settings)


def a_position(seed):
    """A generated position in which nobody stands where it may not."""
    for again in range(100):
        try:
            return generated(np.random.default_rng((seed, again)))
        except ValueError:
            continue
    raise AssertionError


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(24))
def test_orders_and_reach_agree(seed):
    """CA-119: where an order sets it down, reach knows it for nothing, and what reach tells is played."""
    game, rng = a_position(seed), np.random.default_rng(seed)
    answer = game.reach("bob")
    x, y = np.meshgrid(*[np.arange(-3.5, 3.51, 0.25)] * 2)
    places = np.column_stack([x.ravel(), y.ravel()])
    places = places[rng.choice(len(places), 150, replace=False)]
    legal = [not game.breaches(f"bob move: unload at {x},{y}") for x, y in places.tolist()]
    # Areas are drawn a little inside of what they are.
    near = answer.costs_at(places) <= 0.06
    assert places[legal & ~near].tolist() == []
    at_once = answer.costs_at(places) == 0
    assert places[at_once & ~np.array(legal)].tolist() == []
    ends = rng.uniform(-7, 7, (60, 2)).round(2)
    for end in ends[np.isfinite(answer.costs_at(ends))][:3].tolist():
        assert not game.breaches(answer.orders_to(tuple(end))[0])
