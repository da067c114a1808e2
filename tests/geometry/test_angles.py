"""Headings: one convention, normalised exactly."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.geometry.angles import COMPASS, heading_from_text, heading_of, normalise, turn_between, unit_vector

angles = st.floats(-1e6, 1e6)


@given(angles)
def test_a_heading_lies_in_0_to_360_and_normalising_twice_changes_nothing(angle):
    heading = normalise(angle)
    assert 0.0 <= heading < 360.0
    assert normalise(heading) == heading
    assert math.copysign(1.0, heading) == 1.0


@given(st.integers(-10_000, 10_000), st.integers(0, 359))
def test_whole_turns_vanish_exactly(turns, degrees):
    assert normalise(degrees + 360.0 * turns) == degrees


@given(angles, angles)
def test_the_turn_between_two_headings_leads_from_one_to_the_other(a, b):
    a, b = normalise(a), normalise(b)
    turn = turn_between(a, b)
    assert -180.0 < turn <= 180.0
    assert abs(turn_between(normalise(a + turn), b)) < 1e-9


@given(st.sampled_from([30.0 * i for i in range(12)]))
def test_unit_vectors_of_opposite_headings_cancel_exactly(heading):
    x, y = unit_vector(heading)
    back_x, back_y = unit_vector(heading + 180)
    assert (x + back_x, y + back_y) == (0.0, 0.0)


@given(angles)
def test_a_unit_vector_looks_along_its_heading(angle):
    assert abs(turn_between(heading_of(*unit_vector(angle)), normalise(angle))) < 1e-9


@pytest.mark.parametrize(
    ("word", "degrees"), [("E", 0), ("n", 90), ("WSW", 202.5), ("south-east", 315), ("North West", 135)]
)
def test_compass_words(word, degrees):
    assert heading_from_text(word) == degrees


def test_every_compass_word_reads_as_its_own_heading():
    assert [heading_from_text(word) for word in COMPASS] == [22.5 * i for i in range(16)]


@pytest.mark.parametrize("word", ["", "up", "NEE", "north-up"])
def test_other_words_are_refused_with_the_known_ones(word):
    with pytest.raises(ValueError, match="known: E, ENE"):
        heading_from_text(word)


@pytest.mark.parametrize("angle", [math.nan, math.inf])
def test_a_heading_is_finite(angle):
    with pytest.raises(ValueError, match="finite number of degrees"):
        normalise(angle)


def test_no_step_no_heading():
    with pytest.raises(ValueError, match="has no heading"):
        heading_of(0, 0)
