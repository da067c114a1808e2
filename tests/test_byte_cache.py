"""What values weigh in caches that are limited in bytes."""

import numpy as np
import shapely

from simulator.byte_cache import bytes_of


def test_arrays_weigh_more_than_their_numbers():
    assert 8000 < bytes_of(np.zeros(1000)) < 8200
    many = [np.zeros(1) for _ in range(100)]
    assert bytes_of(many) > 100 * 100


def test_geometries_weigh_as_much_as_their_coordinates():
    short, long = (shapely.LineString(np.random.default_rng(0).random((count, 2))) for count in (10, 10_000))
    assert bytes_of(long) - bytes_of(short) == 16 * 9_990
    assert bytes_of({"area": (long, long)}) < 2 * bytes_of(long)
