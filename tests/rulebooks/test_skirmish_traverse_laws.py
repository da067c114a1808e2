"""skirmish: traverses and gaps on generated tables, beside the slow and obvious ones, mirrored and turned."""

import math
import random

import pytest
from exhaustive_skirmish import World, rounded
from skirmish_tables import block, game_with, wall

from simulator.rulesets.skirmish.traverse.rules import in_reach

START = ("standing", 3, 0, False)


def random_pieces(seed):
    """Walls and blocks close to each other, none through another: many gaps, no ties."""
    dice, pieces = random.Random(seed), []
    for k in range(8):
        x, y = round(dice.uniform(-5, 4), 3), round(dice.uniform(-5, 4), 3)
        height = dice.choice([0.7, 1.5, 2.5, 3.5, 6])
        if dice.random() < 0.5:
            width, depth = round(dice.uniform(0.3, 3.4), 3), round(dice.uniform(0.3, 2), 3)
            points = [(x, y), (x + width, y), (x + width, y + depth), (x, y + depth)]
            points = [(min(u, 6.0), min(v, 6.0)) for u, v in points]
            pieces.append(("block", f"p{k}", points, height))
        else:
            turn, length = dice.uniform(0, 2 * math.pi), dice.uniform(0.5, 3)
            other = round(x + length * math.cos(turn), 3), round(y + length * math.sin(turn), 3)
            pieces.append(("wall", f"p{k}", [(x, y), tuple(min(max(v, -6.0), 6.0) for v in other)], height))
    return pieces


def built(pieces, image=lambda point: point):
    """The pieces of a generated table, perhaps moved."""
    made = []
    for kind, name, points, height in pieces:
        moved = [image(point) for point in points]
        if kind == "wall":
            made.append(wall(*moved, height=height, name=name))
        else:
            (x1, y1), (x2, y2) = (map(f, zip(*moved, strict=True)) for f in (min, max))
            made.append(block(x1, y1, x2, y2, height=height, name=name))
    return made


def traverses(pieces, place, radius, **more):
    """What is found at a place: what is traversed, and both sides."""
    game = game_with(*pieces, at=place, me={"radius": radius}, **more)
    table = game.ready_table("A1")
    return {
        (tuple(sorted(way.over)), *(round(value, 3) + 0.0 for value in (*way.near, *way.far)))
        for way in in_reach(table, table.unit("A1"))
    }


def places_of(seed, world):
    """Places near obstacles where a soldier may stand."""
    dice, found = random.Random(seed), []
    while len(found) < 10:
        place = round(dice.uniform(-5, 5), 3), round(dice.uniform(-5, 5), 3)
        if world.is_legal(place):
            found.append(place)
    return found


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(16))
def test_as_by_the_slow_and_obvious_way(seed):
    """SK-18 to SK-24, SK-48 to SK-50: over each obstacle, and through the throat of each two."""
    pieces, radius = random_pieces(seed), random.Random(seed).choice([0.4, 0.5, 0.8])
    world = World(pieces, enemies=((5.0, 5.0),), radius=radius)
    for place in places_of(seed, world):
        state = (*place, *START)
        over, through = set(), set()
        names = list(world.obstacles)
        for name in names:
            ends = [rounded(end)[:2] for end in world.over(place, name, state)]
            over |= {((name,), *ends[1], *ends[0])} if ends else set()
        for one in names:
            for other in names[names.index(one) + 1 :]:
                ends = [rounded(end)[:2] for end in world.through(place, one, other, state)]
                through |= {((one, other), *ends[1], *ends[0])} if ends else set()
        found = traverses(built(pieces), place, radius, corner=(-6, -6), size=12)
        assert {way for way in found if len(way[0]) == 1} == over
        assert through <= found


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize(
    "image",
    [lambda p: (-p[0], p[1]), lambda p: (p[1], p[0]), lambda p: (-p[1], p[0]), lambda p: (p[0] + 3.0, p[1] - 2.0)],
    ids=["mirrored", "swapped", "turned", "shifted"],
)
def test_moved_tables_have_moved_traverses(seed, image):
    pieces = random_pieces(seed)
    for place in places_of(seed, World(pieces))[:4]:
        plain = traverses(built(pieces), place, 0.5)
        moved = traverses(built(pieces, image), image(place), 0.5)
        expected = {
            (over, *(round(v, 3) + 0.0 for v in (*image((near_x, near_y)), *image((far_x, far_y)))))
            for over, near_x, near_y, far_x, far_y in plain
        }
        assert len(moved) == len(expected)
        for way, other in zip(sorted(moved), sorted(expected), strict=True):
            assert way[0] == other[0]
            assert way[1:] == pytest.approx(other[1:], abs=2e-3)
