"""Where a base fits, beside what shapely measures one place at a time."""

import numpy as np
import pytest
import shapely

from simulator.geometry.standing_room import StandingRoom, room_within

BOUNDS = (0.0, 0.0, 20.0, 12.0)


def room_of(seed):
    dice = np.random.default_rng(seed)
    outlines = [shapely.box(x, y, x + w, y + h) for x, y, w, h in dice.uniform((1, 1, 0.5, 0.5), (16, 9, 3, 2), (4, 4))]
    outlines += [shapely.LineString(ends) for ends in dice.uniform((0, 0), (20, 12), (3, 2, 2))]
    outlines = np.array(outlines, object)
    bases = dice.uniform((1, 1, 0.3), (19, 11, 1.2), (5, 3))
    return StandingRoom(float(dice.uniform(0.3, 1)), BOUNDS, outlines, shapely.STRtree(outlines), bases), dice


def fits(room, place):
    base = shapely.Point(place)
    inside = shapely.box(*BOUNDS).exterior.distance(base) >= room.radius and shapely.box(*BOUNDS).contains(base)
    clear = all(outline.distance(base) >= room.radius for outline in room.outlines)
    apart = all(np.hypot(place[0] - x, place[1] - y) >= r + room.radius for x, y, r in room.bases.tolist())
    return inside and clear and apart


@pytest.mark.parametrize("seed", range(6))
def test_where_it_fits_shapely_finds_room_and_where_not_a_reason_is_named(seed):
    room, dice = room_of(seed)
    places = dice.uniform((-1, -1), (21, 13), (400, 2))
    free = room.free(places)
    assert free.tolist() == [fits(room, place) for place in places.tolist()]
    assert [not [*room.shortfalls(tuple(place))] for place in places.tolist()] == free.tolist()
    assert 10 < free.sum() < 390


@pytest.mark.parametrize("seed", range(3))
def test_a_shortfall_measures_what_it_names(seed):
    room, dice = room_of(seed)
    named = set()
    for place in dice.uniform((-0.2, -0.2), (20.2, 12.2), (300, 2)).tolist():
        for one in room.shortfalls(place):
            named.add(one.what)
            if one.what == "outline":
                assert one.available == pytest.approx(room.outlines[one.number].distance(shapely.Point(place)))
            elif one.what == "base":
                assert one.available == pytest.approx(np.hypot(*(room.bases[one.number, :2] - place)))
            else:
                shapes = shapely.box(*room_within(BOUNDS, room.radius))
                assert one.needed <= shapes.distance(shapely.Point(place)) + 1e-9
            assert one.available < one.needed
    assert named == {"edge", "outline", "base"}


def test_contact_is_legal_and_so_is_what_the_grid_may_add():
    shed = np.array([shapely.box(4, 4, 6, 6)], object)
    room = StandingRoom(0.5, BOUNDS, shed, shapely.STRtree(shed), np.zeros((0, 3)))
    assert room.free([(3.5, 5), (3.5 + 9e-7, 5), (3.5 + 2e-6, 5), (0.5 - 9e-7, 5), (0.5 - 2e-6, 5)]).tolist() == [
        *(True, True, False, True, False)
    ]


@pytest.mark.parametrize("seed", range(3))
def test_touched_is_what_is_near_whatever_it_is(seed):
    room, dice = room_of(seed)
    places = dice.uniform((0.3, 0.3), (19.7, 11.7), (400, 2))
    larger = StandingRoom(room.radius + 0.2, BOUNDS, room.outlines, room.tree, room.bases)
    assert (~room.touched(places, 0.2)).tolist() == larger.free(places).tolist()
