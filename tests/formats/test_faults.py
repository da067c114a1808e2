"""Faults of a file: sorted, bounded, each once."""

import pytest

from simulator.errors import FileError, LimitReached
from simulator.formats.faults import Faults, got, no_such, path_text


class TestCollecting:
    def test_they_come_in_the_order_of_the_file(self):
        faults = Faults("x.yaml")
        faults.add(3, 1, ("b",), "late")
        faults.add(2, 9, ("a", 0), "early")
        assert [str(fault) for fault in faults.sorted()] == ["x.yaml:2:9: a[0]: early", "x.yaml:3:1: b: late"]

    def test_of_several_about_one_value_the_first_counts(self):
        faults = Faults("x.yaml")
        faults.add(1, 1, ("a",), "first")
        faults.add(1, 1, ("a",), "second")
        assert [fault.message for fault in faults.sorted()] == ["first"]

    def test_after_a_hundred_it_is_said_how_many_more(self):
        faults = Faults("x.yaml")
        for line in range(1, 251):
            faults.add(line, 1, (), "wrong")
        shown = faults.sorted()
        assert len(shown) == 101
        assert str(shown[-1]) == "x.yaml:101:1: 150 more faults from here on"
        assert sorted(shown) == shown

    def test_a_hundred_are_all_shown(self):
        faults = Faults("x.yaml")
        for line in range(1, 101):
            faults.add(line, 1, (), "wrong")
        assert len(faults.sorted()) == 100

    def test_beyond_ten_thousand_they_are_only_counted(self):
        faults = Faults("x.yaml")
        for line in range(1, 12_001):
            faults.add(line, 1, (), "wrong")
        faults.count_more(5)
        assert faults.sorted()[-1].message == "11905 more faults from here on"

    def test_nothing_wrong_raises_nothing(self):
        faults = Faults("x.yaml")
        faults.raise_if_any()
        assert not faults

    def test_a_limit_among_them_makes_it_a_limit(self):
        faults = Faults("x.yaml")
        faults.add(1, 1, (), "wrong")
        with pytest.raises(FileError) as caught:
            faults.raise_if_any()
        assert (type(caught.value), caught.value.exit_code) == (FileError, 3)
        faults.add(2, 1, (), "too much", limit=True)
        with pytest.raises(LimitReached) as caught:
            faults.raise_if_any()
        assert str(caught.value) == "x.yaml:1:1: wrong\nx.yaml:2:1: too much"
        assert caught.value.exit_code == 4


class TestWords:
    def test_paths(self):
        assert path_text(("legend", "#", "wall")) == "legend['#'].wall"
        assert path_text(()) == ""
        assert path_text((0, "a b")) == "[0]['a b']"

    def test_guesses_only_what_is_near(self):
        assert (
            no_such("lable", ["labels", "rows"], "key")
            == "no such key 'lable'; did you mean 'labels'? (known: labels, rows)"
        )
        assert no_such("xyz", ["labels"]) == "no such word 'xyz'; known: labels"
        assert len(no_such("x" * 10_000, ["labels"])) < 100

    @pytest.mark.parametrize(
        ("value", "shown"),
        [
            (None, "nothing"),
            (False, "false"),
            ("no", "'no'"),
            ("x" * 100, "'" + "x" * 36 + "..."),
            (2.0, "2"),
            (1e300, "1e+300"),
            ([], "[]"),
            (list(range(9)), "a list of 9"),
            (["x" * 30, "y" * 30], "a list of 2"),
            ({}, "{}"),
            ({"a": 1}, "keys and values"),
            ([[[1], True], "a"], "[[[1], true], 'a']"),
        ],
    )
    def test_what_was_got(self, value, shown):
        assert got(value) == f"(got {shown})"
