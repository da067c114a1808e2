"""Counts of diagonals: hand-made figures, breadth-first search, and the laws that hold for each."""

import heapq
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.geometry.diagonals import DiagonalCount, distance, distances
from simulator.geometry.squares import STEPS

squares = st.tuples(st.integers(-12, 12), st.integers(-12, 12))
counts = st.sampled_from(DiagonalCount)
METRICS = [count for count in DiagonalCount if not count.alternates]


def searched(count, parity, radius):
    """Cheapest prices from (0, 0) by Dijkstra over (square, parity), one step at a time."""
    best, queue, prices = {}, [(0, 0, 0, parity)], {}
    while queue:
        price, x, y, odd = heapq.heappop(queue)
        if (x, y, odd) in best or max(abs(x), abs(y)) > radius:
            continue
        best[x, y, odd] = price
        prices.setdefault((x, y), price)
        for dx, dy in STEPS:
            straight, diagonal = (0, 1) if dx and dy else (1, 0)
            step = count.price(straight, diagonal, odd)
            heapq.heappush(queue, (price + step, x + dx, y + dy, (odd + diagonal) % 2))
    return prices


@pytest.mark.parametrize("count", DiagonalCount)
@pytest.mark.parametrize("parity", [0, 1])
def test_distance_is_what_a_search_step_by_step_finds(count, parity):
    for place, price in searched(count, parity, 7).items():
        assert distance((0, 0), place, count, parity) == pytest.approx(price, abs=1e-9)


@given(squares, squares, counts, st.integers(0, 1))
def test_arrays_and_single_places_agree(a, b, count, parity):
    one = distance(a, b, count, parity)
    many = distances(np.array([b[0] - a[0]]), np.array([b[1] - a[1]]), count, parity)
    assert many[0] == one


@given(squares, squares, squares, st.sampled_from(METRICS))
def test_counts_that_do_not_alternate_are_metrics(a, b, c, count):
    assert (distance(a, b, count) == 0) == (a == b)
    assert distance(a, b, count) == distance(b, a, count)
    assert distance(a, c, count) <= distance(a, b, count) + distance(b, c, count) + 1e-9


@given(squares, squares, squares, st.sampled_from([DiagonalCount.ONE_TWO, DiagonalCount.TWO_ONE]), st.integers(0, 1))
def test_alternating_counts_obey_the_triangle_with_the_parity_carried_on(a, b, c, count, parity):
    diagonals = min(abs(b[0] - a[0]), abs(b[1] - a[1]))
    carried = (parity + diagonals) % 2
    assert distance(a, c, count, parity) <= distance(a, b, count, parity) + distance(b, c, count, carried)
    assert distance(a, b, count, parity) == distance(b, a, count, parity)


def test_gr_26_e1_four_diagonals_cost_6_five_7_six_9():
    assert [DiagonalCount.ONE_TWO.price(0, n) for n in (4, 5, 6)] == [6, 7, 9]


def test_gr_26_e10_offsets():
    cost = [distance((0, 0), place, DiagonalCount.ONE_TWO) for place in ((3, 3), (4, 1), (2, 2), (5, 3))]
    assert cost == [4, 4, 3, 6]
    assert [distance((0, 0), place, DiagonalCount.ONE_TWO, parity=1) for place in ((1, 1), (3, 3))] == [2, 5]


def test_halves_are_exact():
    assert DiagonalCount.THREE_HALVES.price(0, 3) == Fraction(9, 2)
