"""What programs hand to the engine, checked where it comes in: anything else is refused in words, not by what it lacks.

>>> units_given(["A1"])
Traceback (most recent call last):
simulator.errors.WrongValue: units[0] is not a Unit but 'A1': ruleset.make_unit('A1', ...) makes one
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from simulator.engine.orders import Order, is_name
from simulator.engine.state import Unit
from simulator.errors import NoPlace, WrongValue, listed, shortened, text_given
from simulator.geometry.poses import Pose
from simulator.pathing.costs_given import is_between


def units_given(units: Any) -> list[Unit]:
    """Return the units of a list; raise WrongValue for anything that is none."""
    found = listed("units", units, "Unit", Unit)
    for number, unit in enumerate(found):
        if not isinstance(unit, Unit):
            example = unit if isinstance(unit, str) and is_name(unit) else "A1"
            makes = f"ruleset.make_unit({example!r}, ...) makes one"
            raise WrongValue(f"units[{number}] is not a Unit but {shortened(unit)}: {makes}")
        text_given(f"the id of units[{number}]", unit.id)
        text_given(f"the side of {unit.id}", unit.side)
        if unit.place is not None and not isinstance(unit.place, tuple):
            raise WrongValue(
                f"the place of {unit.id} is a tuple of numbers, such as (3, 4), not {shortened(unit.place)}"
            )
    return found


def named_values(what: str, values: Any, example: str) -> Mapping[str, Any]:
    """Return a mapping of names to values; None is an empty one."""
    if values is None:
        return {}
    if not isinstance(values, Mapping):
        raise WrongValue(f"{what} are a mapping, such as {example}, not {shortened(values)}")
    for name in values:
        text_given(f"the name of one of the {what}", name)
    return values


def point_given(place: Any) -> Any:
    """Return the place of a place or pose; raise NoPlace if it is not two finite numbers."""
    point: Any = Pose.of(place).place
    if not isinstance(point, tuple) or len(point) != 2 or not all(map(_is_finite, point)):
        raise NoPlace(f"a place is two finite numbers, such as (3, 4), not {shortened(place)}")
    return point


def chances_given(levels: Any) -> list[Any]:
    """Return the chances down to which bands are to reach; raise WrongValue for anything but numbers from 0 to 1."""
    found = listed("the chances of bands", levels, "number")
    for level in found:
        if not is_between(level, 1.0):
            raise WrongValue(f"a band reaches down to a chance, a number from 0 to 1, not {shortened(level)}")
    return found


def order_given(order: Any) -> Order:
    """Return an order that was read; raise WrongValue for a text or anything else."""
    if not isinstance(order, Order):
        raise WrongValue(f"expected an Order, not {shortened(order)}: `read` makes one of a text")
    return order


def _is_finite(number: Any) -> bool:
    return isinstance(number, int | float | np.number) and is_between(abs(number), math.inf)
