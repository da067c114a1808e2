"""Tables mirrored, shifted, turned and relabelled: the same answers.

To rounding they are the same for mirrored and shifted tables, quarter turns and other orders of things, since the grids
of a search are laid about a start, and no second one lies on a border of its cells; and the order of starts changes
nothing at all. Where a table is turned by any other angle, its pieces are rounded to other millionths of an inch, and
its poses fall into other bins: a few costs differ by more, and how much is stated here.
"""

from functools import cache

import numpy as np
import pytest
import shapely
from moved_tables import KINDS, MovedTable
from shapely.affinity import rotate, scale, translate

from simulator.geometry.shapes import polygons_of
from simulator.pathing.posed import PoseReach

EXACT = {
    "mirrored and shifted": {"mirrored": True, "shift": (37.125, -8.3)},
    "turned by 90 and relabelled": {"angle": 90, "order": 5},
    "turned by 180 and mirrored": {"angle": 180, "mirrored": True},
}
COUNT = 20


@cache
def plain(name, seed, bounded=True):
    """A table as it is, and costs of places on it: facing any way, and with headings."""
    table = MovedTable(name, seed)
    places, headings = table.places(COUNT)
    reach = PoseReach(table.space(bounded=bounded, starts=2))
    return reach, reach.costs_at(places), reach.costs_in(places, headings)


def moved(name, seed, bounded=True, order=None, swapped=False, **move):
    """The same of the table when it is moved."""
    table = MovedTable(name, seed).move(**move)
    places, headings = table.places(COUNT)
    there, facing = table.moved_places(places), table.turned_headings(headings)
    reach = PoseReach(table.space(order=order, swapped=swapped, bounded=bounded, starts=2))
    return reach, reach.costs_at(there), reach.costs_in(there, facing)


def off(one, other):
    """By how much costs differ; inf where only one of them is finite."""
    both = np.isfinite(one) & np.isfinite(other)
    apart = np.where(np.isfinite(one) == np.isfinite(other), 0.0, np.inf)
    apart[both] = np.abs(one[both] - other[both])
    return apart


#: What mirrors, shifts, turns and relabels all movers, and what does so in another way some of them.
MOVES = [
    *((name, move) for name in KINDS for move in list(EXACT)[:2]),
    *((name, "turned by 180 and mirrored") for name in ("disc", "tank", "walker")),
]


@pytest.mark.sampled
@pytest.mark.parametrize(("name", "move"), MOVES)
def test_moved_tables_have_the_same_costs(name, move):
    _, *here = plain(name, 0)
    _, *there = moved(name, 0, **EXACT[move])
    assert np.isfinite(here[0]).sum() > 5
    for one, other in zip(here, there, strict=True):
        assert off(one, other).max() < 1e-6


@pytest.mark.sampled
@pytest.mark.parametrize("name", KINDS)
def test_the_order_of_starts_changes_nothing(name):
    _, *here = plain(name, 0)
    _, *there = moved(name, 0, swapped=True)
    for one, other in zip(here, there, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.long
@pytest.mark.parametrize("change", [{"angle": 33, "bounded": False}])
def test_other_bins_change_few_costs(change):
    """The axes that bins lie along are those of the table: at another angle poses fall into other bins."""
    apart = []
    for name in KINDS:
        _, *here = plain(name, 0, change.get("bounded", True))
        _, *there = moved(name, 0, **change)
        apart += [off(one, other) for one, other in zip(here, there, strict=True)]
    every = np.concatenate(apart)
    assert len(every) == 2 * COUNT * len(KINDS)
    # Pieces lie on a grid of a millionth of an inch, so a table that was turned is another one by that much.
    assert np.mean(every > 2e-5) < 0.1
    assert np.isinf(every).sum() <= 1
    assert every[np.isfinite(every)].max() <= 1


@pytest.mark.sampled
@pytest.mark.parametrize("name", ["disc", "tank"])
@pytest.mark.parametrize("move", ["turned by 180 and mirrored", "turned by 90 and relabelled", "shifted"])
def test_headings_are_the_same(name, move):
    way = EXACT.get(move, {"shift": (3.5, 70.0)})
    reach, costs, _ = plain(name, 0)
    table = MovedTable(name, 0).move(**{key: value for key, value in way.items() if key != "order"})
    there, *_ = moved(name, 0, **way)
    places = table.places(COUNT)[0][np.isfinite(costs)][:2]
    for place, goal in zip(places.tolist(), table.moved_places(places).tolist(), strict=True):
        here, also = reach.headings_at(tuple(place)), there.headings_at(tuple(goal))
        if move not in EXACT:
            columns = [[(one.first, one.last, one.cost) for one in ranges] for ranges in (here, also)]
            assert np.array(columns[0]) == pytest.approx(np.array(columns[1]), abs=1e-3)
        # Ranges are cut at 0 degrees, so those of a turned table are cut elsewhere; all together they are the same.
        for heading in np.arange(0.37, 360.0, 2.5).tolist():
            assert any(heading in one for one in here) == any(table.turned(heading) in one for one in also)


# Long: whole areas are compared; costs and headings of the same tables are compared beside it.
@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "move"),
    [
        ("disc", {"angle": 33, "bounded": False}),
        ("disc", {"angle": 90, "order": 5}),
        ("tank", {"angle": 180, "mirrored": True, "shift": (-3.0, 11.5)}),
        ("tank", {"angle": 33, "bounded": False}),
        ("walker", {"angle": 33, "bounded": False}),
    ],
)
def test_areas_are_the_same(name, move):
    """To within a fourth of the error that outlines are drawn to, all along them."""
    here = polygons_of(plain(name, 0, move.get("bounded", True))[0].area(0.05))
    back = polygons_of(moved(name, 0, **move)[0].area(0.05))
    x, y = move.get("shift", (0, 0))
    back = rotate(translate(back, -x, -y), -move["angle"], origin=(0, 0))
    back = scale(back, 1, -1 if move.get("mirrored") else 1, origin=(0, 0))
    assert here.area > 5
    assert shapely.symmetric_difference(here, back).area < 0.05 / 4 * here.length
