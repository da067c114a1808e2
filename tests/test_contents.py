"""Keys of values by their contents."""

from dataclasses import dataclass, fields, replace
from fractions import Fraction
from functools import partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pytest
import shapely

from simulator.contents import contents_of
from simulator.geometry.footprints import Oval, Rectangle, Round
from simulator.pathing.posed import Mode, PoseSpace, PoseStart, TurnPrices, even_ground


@dataclass(frozen=True)
class Pair:
    one: Any
    other: Any = None

    def of(self, more):
        return self.one, more


class Row(NamedTuple):
    one: Any
    other: Any = None


class LivesLong:
    known_as_itself: ClassVar[bool] = True


def adding(some, *, most=9):
    return lambda more, least=0: max(least, min(some + more, most))


#: Each made twice: the contents are the same, the objects are not.
MADE = {
    "nothing": lambda: None,
    "truth": lambda: True,
    "number": lambda: 1,
    "real number": lambda: 1.0,
    "fraction": lambda: Fraction(1),
    "numpy number": lambda: np.float64(1.0),
    "text": lambda: "1",
    "bytes": lambda: b"1",
    "pair": lambda: (1, 2),
    "longer": lambda: (1, 2, 3),
    "nested": lambda: ((1, 2), 3),
    "nested elsewhere": lambda: (1, (2, 3)),
    "list": lambda: [1, 2],
    "set": lambda: {"one", "two", "three"},
    "frozen set": lambda: frozenset({"one", "two", "three"}),
    "mapping": lambda: {"one": 1, "two": 2},
    "other mapping": lambda: {"one": 2, "two": 1},
    "numbers": lambda: np.arange(4),
    "numbers in rows": lambda: np.arange(4).reshape(2, 2),
    "real numbers": lambda: np.arange(4.0),
    "objects": lambda: np.array([(1, 2), None], object),
    "dataclass": lambda: Pair(1),
    "dataclass with more": lambda: Pair(1, 2),
    "named tuple": lambda: Row(1),
    "shape": lambda: shapely.Point(1, 2),
    "other shape": lambda: shapely.Point(2, 1),
    "shapes": lambda: [shapely.box(0, 0, 1, 1), shapely.box(0, 0, 1, 2)],
    "function": lambda: adding(1),
    "other function": lambda: adding(2),
    "function with another default": lambda: adding(1, most=8),
    "method": lambda: Pair(1).of,
    "other method": lambda: Pair(2).of,
    "part of a function": lambda: partial(adding, 1),
    "bases": lambda: (Round(1), Oval(2, 1), Rectangle(2, 1)),
}


@pytest.mark.parametrize("name", MADE)
def test_equal_contents_have_equal_keys_and_others_have_not(name):
    key = contents_of(MADE[name]())
    assert contents_of(MADE[name]()) == key
    assert [other for other, made in MADE.items() if contents_of(made()) == key] == [name]
    assert contents_of((MADE[name](), 0)) == contents_of((MADE[name](), 0)) != contents_of((0, MADE[name]()))


def test_other_objects_are_known_as_themselves():
    one, other, long = object(), object(), LivesLong()
    assert contents_of((one, 1)) == contents_of((one, 1)) != contents_of((other, 1))
    assert contents_of((one, other)) != contents_of((other, one))
    assert contents_of([long]) == contents_of([long]) != contents_of([LivesLong()])


def test_a_key_keeps_what_is_known_as_itself():
    kept = {contents_of(LivesLong()) for _ in range(200)}
    assert len(kept) == 200


def test_what_refers_to_itself():
    def ring(length):
        row: list = list(range(length))
        row.append(row)
        return row

    assert contents_of(ring(2)) == contents_of(ring(2)) != contents_of(ring(3))


def test_a_cell_without_contents():
    def waits():
        return later

    key = contents_of(waits)
    later = 1
    assert contents_of(waits) != key
    assert waits() == 1


def test_the_order_of_a_set_does_not_matter():
    names = [f"unit {number}" for number in range(40)]
    other = set[str]()
    other.update(names[::-1])
    assert contents_of(set(names)) == contents_of(other)


def space(**changes):
    start = PoseStart((4, 5), Fraction(90))
    forward, turns = Mode("forward"), TurnPrices.flat(4)
    return replace(PoseSpace(Round(1), (start,), Fraction(9), even_ground(Fraction(1)), (forward,), turns), **changes)


CHANGES = {
    "base": Round(0.75),
    "starts": (PoseStart((4, 5.5), Fraction(90)),),
    "budget": Fraction(10),
    "ground": even_ground(Fraction(2)),
    "modes": (Mode("forward"), Mode("backward", Fraction(180))),
    "turns": TurnPrices.flat(5),
    "bars": [Round(0.5).at(9, 9)],
    "no_end": [Round(0.5).at(9, 9)],
    "box": (0.0, 0.0, 48.0, 30.0),
    "whole_base_on_table": False,
    "most_travelled": Fraction(3),
    "most_inches": Fraction(3),
    "more_than": Fraction(3),
}


def test_a_space_is_known_by_each_of_its_fields():
    assert {one.name for one in fields(PoseSpace)} > set(CHANGES)
    spaces = [space(), *(space(**{name: value}) for name, value in CHANGES.items())]
    assert len({one.contents for one in spaces}) == len(spaces)
    again = [space(), *(space(**{name: value}) for name, value in CHANGES.items())]
    assert [one.contents for one in again] == [one.contents for one in spaces]


def test_what_a_space_has_found_out_is_no_part_of_it():
    one, other = space(bars=[Round(0.5).at(9, 9)]), space(bars=[Round(0.5).at(9, 9)])
    assert one.bars_standing.count == 1
    assert one.window
    assert one.contents == other.contents
