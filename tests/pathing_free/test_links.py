"""Curves of links, on links that are known: a wall with gates of several widths, turns and shifts."""

import math

import numpy as np
import pytest
import shapely
from shapely import LineString

from simulator.geometry.outline_rows import rows_along
from simulator.pathing.links import (
    Link,
    LinkCurve,
    OnwardCurve,
    RowCurve,
    TracedCurve,
    Tries,
    first_links,
    follow,
    link_curves,
    links_to,
)

WALL = LineString([(0, 0), (10, 0)])
EVERYWHERE = shapely.box(-20, -20, 20, 20)


class Gates:
    """From just south of the wall through gates: each is open from some x to some other, and leads where it says."""

    def __init__(self, **gates):
        self.gates, self.asked = gates, 0

    def from_places(self, places):
        self.asked += len(places)
        return [[*self._links(place)] for place in places]

    def _links(self, place):
        x, y = place
        for name, (low, high, leads) in self.gates.items():
            if -0.6 <= y < 0 and low <= x <= high:
                yield Link(place, (name,), (x, -0.5), leads(x), price=1.0)

    def try_out(self, tries, error):
        """Straight north, from starts right below."""
        done = set()
        for place, start in zip(tries.place.tolist(), tries.starts.tolist(), strict=True):
            links = [one for one in self._links(tuple(start)) if math.dist(one.far, tries.places[place]) <= error]
            if links and place not in done:
                done.add(place)
                yield place, links[0]


def north(x):
    return x, 0.5


def south_row(stands=lambda rows: np.ones(len(rows), np.bool_)):
    """The row of places beside the wall."""
    (row,) = rows_along(WALL, radius=0.5, within=0.5)
    return RowCurve(row, stands, EVERYWHERE)


class TestFollowing:
    def test_a_curve_begins_and_ends_where_its_gate_does(self):
        finder = Gates(one=(1.2345678, 3.3, north), other=(5.0, 8.7654321, north))
        curves = follow(finder, [south_row()])
        assert [curve.name for curve in curves] == [("one",), ("other",)]
        for curve, (low, high) in zip(curves, [(1.2345678, 3.3), (5.0, 8.7654321)], strict=True):
            assert sorted(curve.fars[[0, -1], 0].tolist()) == pytest.approx([low, high], abs=5e-6)
            assert curve.fars[:, 1].tolist() == [0.5] * len(curve.fars)
        assert finder.asked < 1000

    def test_a_gate_narrower_than_a_step_is_found_only_where_it_is_looked_for(self):
        finder, row = Gates(slit=(4.031, 4.032, north)), south_row()
        assert follow(finder, [row]) == []
        touched = south_row()
        touched.touched += touched.row.shares_before(np.array([[4.0315, -0.5]]))
        (curve,) = follow(finder, [touched])
        assert np.ptp(curve.fars[:, 0]) == pytest.approx(0.001, abs=1e-5)

    def test_a_bent_curve_is_drawn_within_half_a_hundredth(self):
        (curve,) = follow(Gates(bend=(2.0, 6.0, lambda x: (x, 3 * math.sin(x)))), [south_row()])
        xs = np.linspace(2, 6, 2000)
        true = LineString(np.column_stack([xs, 3 * np.sin(xs)]))
        assert shapely.hausdorff_distance(curve.line, true) < 0.006
        assert len(curve.links) < 200

    def test_a_jump_of_far_sides_cuts_the_curve(self):
        curves = follow(Gates(step=(2.0, 6.0, lambda x: (x, 1.0 if x < math.pi else 4.0))), [south_row()])
        ends = sorted(sorted(curve.fars[[0, -1], 0].tolist()) for curve in curves)
        assert len(curves) == 2
        assert ends[0][1] == pytest.approx(math.pi, abs=5e-6)
        assert ends[1][0] == pytest.approx(math.pi, abs=5e-6)

    def test_from_where_nobody_stands_nothing_leads(self):
        (curve,) = follow(Gates(one=(1, 9, north)), [south_row(lambda rows: rows[:, 0] <= 4)])
        assert sorted(curve.fars[[0, -1], 0].tolist()) == pytest.approx([1, 4], abs=5e-6)

    def test_each_begins_at_the_nearest_place_or_at_the_cheapest(self):
        (row,) = rows_along(WALL, radius=0.1, within=0.6)
        finder = Gates(one=(2.0, 8.0, north))

        def costs(places):
            return np.hypot(*(places - (5.0, -9.0)).T)

        def everywhere(places):
            return np.ones(len(places), np.bool_)

        (near,) = follow(finder, [RowCurve(row, everywhere, EVERYWHERE)])
        (cheap,) = follow(finder, [RowCurve(row, everywhere, EVERYWHERE, costs=costs)])
        assert {round(link.start[1], 6) for link in near.links} == {-0.1}
        assert {round(link.start[1], 6) for link in cheap.links} == {-0.6}
        assert cheap.line.equals(near.line)

    def test_a_spot_adds_a_curve_only_where_there_is_none(self):
        finder = Gates(one=(1, 3, north), other=(5, 6, north))
        row = south_row(lambda rows: rows[:, 0] <= 4)
        curves = link_curves(finder, [row], [(2.0, -0.5), (5.5, -0.55)])
        assert [(curve.name, len(curve.links) > 1) for curve in curves] == [(("one",), True), (("other",), False)]
        assert curves[1].fars.tolist() == [[5.5, 0.5]]


class TestOnePlaceOfACurve:
    @pytest.mark.parametrize("leads", [north, lambda x: (x, 3 * math.sin(x)), lambda x: (20 - 2 * x, 1.0)])
    def test_the_link_that_comes_down_there_is_closed_in_on(self, leads):
        finder = Gates(one=(2.0, 6.0, leads))
        (curve,) = follow(finder, [south_row()])
        for x in np.random.default_rng(1).uniform(2, 6, 20).tolist():
            (link,) = links_to(finder, [(curve, leads(x))])
            assert link.far == pytest.approx(leads(x), abs=1e-6)
            assert link.start[0] == pytest.approx(x, abs=2e-6)

    def test_beside_the_curve_nothing_comes_down(self):
        finder = Gates(one=(2.0, 6.0, north))
        (curve,) = follow(finder, [south_row()])
        assert links_to(finder, [(curve, (1.9, 0.5)), (curve, (3.0, 0.6))]) == [None, None]


def test_who_comes_down_may_go_on_at_once():
    finder = Gates(there=(2.0, 6.0, lambda x: (x, -0.3)), onward=(3.0, 9.0, lambda x: (x, 7.0)))
    (first,) = [curve for curve in follow(finder, [south_row()]) if curve.name == ("there",)]
    onward = OnwardCurve(first)
    found = [curve for curve in follow(finder, [onward]) if curve.name == ("onward",)]
    (curve,) = found
    assert sorted(curve.fars[[0, -1], 0].tolist()) == pytest.approx([3, 6], abs=1e-5)
    assert onward.share_at(first.links[0].far) == pytest.approx(0)


class TestTries:
    """Where it is asked what comes down at places, not what leads from them."""

    def tries(self, *places):
        rows = np.array(places, np.float64)
        starts = np.repeat(rows - (0, 1), 4, axis=0) + np.tile([[3, 0], [2, 0], [0, 0], [0, 0]], (len(rows), 1))
        place = np.repeat(np.arange(len(rows)), 4)
        return Tries(rows, place, np.zeros(len(place), np.intp), starts, np.repeat(rows, 4, axis=0))

    def test_the_first_that_comes_down_is_taken(self):
        finder = Gates(one=(2.0, 6.0, north))
        several = [self.tries((3, 0.5), (7, 0.5)), self.tries((5, 0.5))]
        found = first_links(finder, several, 1e-6)
        assert [[link and link.far for link in links] for links in found] == [[(3, 0.5), None], [(5, 0.5)]]
        assert first_links(finder, [], 1e-6) == []

    def test_a_shore_is_followed_backwards(self):
        test = self

        class FarSides(TracedCurve):
            def places_at(self, shares):
                return np.column_stack([10 * np.array(shares), np.full(len(shares), 0.5)])

            def tries_at(self, places):
                return test.tries(*places)

        finder = Gates(one=(2.25, 6.0, north))
        shore = FarSides(10.0)
        (curve,) = follow(finder, [shore])
        assert isinstance(curve, LinkCurve)
        assert sorted(curve.fars[[0, -1], 0].tolist()) == pytest.approx([2.25, 6.0], abs=5e-6)
        (link,) = links_to(finder, [(curve, (2.345, 0.5))])
        assert link.far == (2.345, 0.5)
