"""Throats: between things, within one, to the table's edge; beside bases that get through or do not."""

import math

import numpy as np
import pytest
import shapely
from measured import gap

from simulator.geometry.footprints import Oval, Round
from simulator.geometry.gaps import EDGE, Throat, narrowest, throats
from simulator.geometry.path_judge import Standing, first_contacts
from simulator.geometry.paths import Paths
from simulator.geometry.pieces import CircleShape, LineShape, PointShape, PolygonShape, rectangle

#: A room 4 x 2 with a door 1 wide in its upper wall, which is 1 thick.
ROOM = PolygonShape([(0, 0), (6, 0), (6, 4), (4, 4), (4, 3), (5, 3), (5, 1), (1, 1), (1, 3), (3, 3), (3, 4), (0, 4)])


def only(found):
    assert len(found) == 1, found
    return found[0]


class TestBetweenTwo:
    def test_walls_that_end_opposite_each_other(self):
        """E16: an opening of 0.8."""
        found = only(throats([LineShape([(3, -9), (3, -0.4)]), LineShape([(3, 0.4), (3, 9)])], 3))
        assert (found.width, found.middle, found.between) == (pytest.approx(0.8), (3, 0), (0, 1))
        assert found.through == (-1, 0)
        assert found.distance((1.7, 0)) == pytest.approx(1.3)

    def test_sides_beside_each_other_have_one_throat_that_slides(self):
        found = only(throats([rectangle((0, 0), (2, 2)), rectangle((3, 0.5), (2, 2))], 3))
        assert found == Throat(1.0, (1.0, -0.5), (2.0, -0.5), (0, 1), (0.0, 1.5))
        assert found.near((1.5, 0.2)).middle == (1.5, pytest.approx(0.2))
        assert found.near((9, 9)).one == (1.0, 1.0)
        assert found.near((9, 9)).slide == (0.0, 0.0)

    @pytest.mark.parametrize("turned", [10, 33, 45, 71.3])
    def test_so_they_have_when_turned_and_put_on_the_grid(self, turned):
        cos, sin = math.cos(math.radians(turned)), math.sin(math.radians(turned))
        found = only(throats([rectangle((0, 0), (2, 2), turned), rectangle((3 * cos, 3 * sin), (2, 1), turned)], 1.5))
        assert found.width == pytest.approx(1, abs=4e-6)
        assert math.hypot(*found.slide) == pytest.approx(1, abs=1e-5)

    def test_discs_posts_and_ovals(self):
        found = throats([CircleShape(0, 0, 1), Round(0.5).at(5, 0), PointShape(0, -4), Oval(2, 1).at(9, 0)], 3.6)
        assert [(one.between, round(one.width, 9)) for one in found] == [((1, 3), 2.5), ((0, 2), 3.0), ((0, 1), 3.5)]
        assert found[2].one == (1, 0)
        assert found[2].other == (4.5, 0)

    def test_a_corner_before_a_side(self):
        found = only(throats([rectangle((0, 0), (2, 2), 45), LineShape([(2, -5), (2, 5)])], 1))
        assert found.width == pytest.approx(2 - math.sqrt(2), abs=1e-6)
        assert found.slide == (0, 0)

    def test_combs_have_several(self):
        upper = PolygonShape([(0, 3), (0, 1), (1, 1), (1, 2), (4, 2), (4, 0.7), (5, 0.7), (5, 3)])
        lower = rectangle((2.5, -0.5), (9, 1))
        assert [one.width for one in throats([upper, lower], 1.5)] == pytest.approx([0.7, 1.0])
        assert narrowest([upper, lower]).width == pytest.approx(0.7)

    def test_what_touches_or_overlaps_has_none(self):
        assert throats([rectangle((0, 0), (2, 2)), rectangle((2, 0.5), (2, 2))], 5) == []
        assert throats([rectangle((0, 0), (2, 2)), rectangle((2, 2), (2, 2))], 5) == []
        assert throats([rectangle((0, 0), (2, 2)), rectangle((0, 0), (1, 1))], 5) == []
        assert throats([], 5) == []
        assert narrowest([]) is None

    def test_what_stands_between_parts_a_throat(self):
        pair = [rectangle((0, 0), (2, 2)), rectangle((6, 0), (2, 2))]
        assert [one.between for one in throats(pair, 9)] == [(0, 1)]
        assert [one.between for one in throats([*pair, LineShape([(3, -9), (3, 9)])], 9)] == [(0, 2), (1, 2)]
        narrow = [one for one in throats([*pair, CircleShape(3, 0, 0.5)], 4) if one.between == (0, 1)]
        assert [one.middle for one in narrow] == [(3, pytest.approx(-1, abs=1e-4)), (3, pytest.approx(1, abs=1e-4))]


class TestWithinOne:
    def test_a_room_has_its_door_and_its_width(self):
        door, *inner = throats([ROOM], 2)
        assert (door.width, door.between, door.slide) == (1, (0, 0), (0, 1))
        assert [one.width for one in inner] == [2, 2]
        assert narrowest([ROOM], near=(3.5, 9)).middle == (3.5, 4)

    def test_a_notch_that_only_narrows_has_none(self):
        assert throats([PolygonShape([(0, 0), (6, 0), (6, 4), (3, 1), (0, 4)])], 9) == []

    def test_a_bay_with_a_narrow_mouth(self):
        angles = np.radians(np.arange(20, 341, 4))
        inner = [(2 * math.cos(a), 2 * math.sin(a)) for a in angles]
        bay = PolygonShape([*inner, *[(1.5 * x, 1.5 * y) for x, y in reversed(inner)]])
        mouth = throats([bay], 1.5)[0]
        assert mouth.width == pytest.approx(4 * math.sin(math.radians(20)), abs=1e-5)
        assert mouth.through == (pytest.approx(1), pytest.approx(0, abs=1e-6)) or mouth.through[0] == pytest.approx(-1)

    def test_a_ring_has_none_but_across_its_hole(self):
        ring = PolygonShape([(0, 0), (6, 0), (6, 6), (0, 6)], [[(1, 1), (5, 1), (5, 4), (1, 4)]])
        assert [one.width for one in throats([ring], 9)] == pytest.approx([3, 4])


class TestEdge:
    def test_between_a_thing_and_the_edge(self):
        found = throats([rectangle((2, 2), (2, 2))], 1.5, box=(0, 0, 20, 20))
        assert [(one.between, one.width) for one in found] == [((0, EDGE), 1.0)] * 2
        assert {one.near((9, 9)).other for one in found} == {(0.0, 3.0), (3.0, 0.0)}

    def test_the_edge_has_none_of_its_own(self):
        assert throats([CircleShape(10, 10, 1)], 3, box=(0, 0, 2, 2)) == []
        assert throats([], 9, box=(0, 0, 2, 2)) == []
        assert narrowest([], box=(0, 0, 2, 2)) is None

    def test_a_disc_before_the_edge(self):
        found = only(throats([CircleShape(3, 10, 1)], 2.5, box=(0, 0, 20, 20)))
        assert (found.one, found.other, found.width) == ((2, 10), (0, 10), 2)


@pytest.mark.parametrize("seed", range(40))
def test_the_narrowest_is_as_wide_as_the_gap(seed):
    dice = np.random.default_rng(seed)
    one = rectangle(tuple(dice.uniform(-3, 0, 2)), tuple(dice.uniform(0.5, 2, 2)), dice.uniform(0, 360))
    two = [
        rectangle(tuple(dice.uniform(1, 4, 2)), tuple(dice.uniform(0.5, 2, 2)), dice.uniform(0, 360)),
        CircleShape(*dice.uniform(1, 4, 2), 0.8),
        LineShape([tuple(dice.uniform(1, 4, 2)), tuple(dice.uniform(1, 4, 2))]),
    ][seed % 3]
    apart = gap(one, two)
    found = narrowest([one, two])
    if apart < 1e-6:
        assert found is None
    else:
        assert found.width == pytest.approx(apart, abs=2e-6)
        assert math.dist(found.one, found.other) == pytest.approx(found.width, abs=1e-6)


@pytest.mark.parametrize("seed", range(20))
def test_a_base_fits_through_where_the_throat_is_wide_enough(seed):
    """Straight through the middle, squarely: what is a hair wider does not fit, what is as wide touches both sides."""
    dice = np.random.default_rng(seed)
    things = [rectangle(tuple(dice.uniform(-6, 6, 2)), (1.5, 1.5), dice.uniform(0, 360)) for _ in range(8)]
    for throat in throats(things, 1.5):
        (x, y), (ux, uy) = throat.near((0, 0)).middle, throat.through
        for width, fits in ((throat.width - 1e-5, True), (throat.width + 1e-4, False)):
            at = Paths.of_lines([[(x - 1e-3 * ux, y - 1e-3 * uy), (x + 1e-3 * ux, y + 1e-3 * uy)]])
            standing = Standing.of([things[k] for k in set(throat.between)])
            assert bool(first_contacts(at, Round(width / 2), standing).which[0] < 0) is fits


def test_throats_of_thousands_of_corners():
    angles = 2 * math.pi * np.arange(2000) / 2000
    ring = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    found = only(throats([PolygonShape(3 * ring), PolygonShape(3 * ring + (7, 0))], 1.01))
    assert found.width == pytest.approx(1)
    assert shapely.Point(found.middle).distance(shapely.Point(3.5, 0)) < 1e-6
