"""Plain data: one form, one text, exact round trips."""

import math
import pickle
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from simulator.engine.values import Fields, exact, fingerprint, freeze, from_text, read_plain, show, to_text

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.fractions()
    | st.text()
    | st.from_regex(r"'{0,2}-?[0-9]{1,3}/[0-9]{1,3}", fullmatch=True)
)
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4), max_leaves=12
)


class TestRoundTrip:
    @settings(deadline=None)
    @given(VALUES)
    def test_every_value_comes_back_as_what_it_was(self, value):
        value = freeze(value)
        back = from_text(to_text(value))
        assert back == value
        assert to_text(back) == to_text(value)
        assert repr(back) == repr(value)

    @settings(deadline=None)
    @given(VALUES)
    def test_freezing_twice_changes_nothing(self, value):
        assert freeze(freeze(value)) == freeze(value)

    @pytest.mark.parametrize("text", ["3/2", "'3/2", "''-3/2", "3/0", "a/b", "/", "'"])
    def test_a_text_that_looks_like_a_fraction_stays_a_text(self, text):
        assert from_text(to_text(text)) == text
        assert to_text(text) != to_text(Fraction(3, 2))

    def test_keys_are_sorted_and_the_text_is_ascii(self):
        assert to_text(freeze({"b": 1, "ä": 2, "a": 3})) == '{"a":3,"b":1,"\\u00e4":2}'


class TestOneForm:
    def test_equal_exact_numbers_look_alike(self):
        assert type(freeze(Fraction(6, 3))) is int
        assert to_text(freeze({"ap": Fraction(6, 3)})) == to_text(freeze({"ap": 2}))

    def test_numbers_of_numpy_are_taken(self):
        assert freeze((np.int64(3), np.float64(0.5), np.bool_(True))) == (3, 0.5, True)
        assert [type(part) for part in freeze((np.int64(3), np.float64(0.5), np.bool_(True)))] == [int, float, bool]

    @pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, np.float64("nan")])
    def test_a_number_that_is_not_finite_is_refused(self, value):
        with pytest.raises(ValueError, match="finite"):
            freeze({"x": value})

    @pytest.mark.parametrize("value", [{1, 2}, object(), b"x", np.zeros(3), {"a": {1}}])
    def test_what_is_no_plain_data_is_refused(self, value):
        with pytest.raises(TypeError, match="plain data only"):
            freeze(value)

    def test_a_field_is_named_by_a_text(self):
        with pytest.raises(TypeError, match="the name of a field is a text"):
            Fields({1: 2})


class TestFields:
    def test_put_gives_new_fields_and_leaves_the_old(self):
        old = Fields({"a": 1, "b": 2})
        assert old.put(a=3, c=[4]) == {"a": 3, "b": 2, "c": (4,)}
        assert old == Fields({"b": 2, "a": 1})
        assert old.put() is old

    def test_they_can_be_hashed_and_pickled(self):
        fields = Fields({"a": (1, Fields({"b": None}))})
        assert pickle.loads(pickle.dumps(fields)) == fields
        assert hash(Fields({"a": 1, "b": 2})) == hash(Fields({"b": 2, "a": 1}))


class TestReading:
    @pytest.mark.parametrize("text", ["NaN", "[Infinity]", '{"a":1,"a":2}', "", "{", "[" * 100_000])
    def test_what_is_no_strict_json_is_refused(self, text):
        with pytest.raises(ValueError):  # noqa: PT011 - the json module words some of these
            read_plain(text)

    def test_a_fingerprint_never_changes(self):
        assert fingerprint("simulator") == "93107ba80b6b15803d8bc6ee057b8d31"


class TestShowing:
    @pytest.mark.parametrize(
        ("value", "text"),
        [
            (Fraction(22, 7), "22/7"),
            (exact(0.1), "0.1"),
            (True, "yes"),
            (2.0, "2"),
            (1e7, "1e+07"),
            (-1e-9, "0"),
            ({"to": (1, 2)}, "to=1,2"),
            ("word", "word"),
        ],
    )
    def test_people_read_it(self, value, text):
        assert show(value) == text
