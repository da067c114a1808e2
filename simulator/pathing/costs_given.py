"""Costs that programs hand in, checked where they come in.

>>> cost_given(-1)
Traceback (most recent call last):
simulator.errors.WrongValue: a cost is a finite number of 0 or more, not -1
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from simulator.errors import WrongValue, listed, shortened

#: What amounts to no limit: larger whole numbers are no floats.
_ENDLESS = 1e300


def cost_given(cost: Any) -> Any:
    """Return a cost; raise WrongValue for anything but a finite number, 0 or more."""
    if not is_between(cost, math.inf):
        raise WrongValue(f"a cost is a finite number of 0 or more, not {shortened(cost)}")
    return _plain(cost)


def costs_given(levels: Any) -> list[Any]:
    """Return the costs at which bands are to end; raise WrongValue for anything but finite numbers, 0 or more."""
    found = listed("the costs at which bands end", levels, "number")
    for level in found:
        if not is_between(level, math.inf):
            raise WrongValue(f"a band ends at a cost, a number of 0 or more, not {shortened(level)}")
    return [_plain(level) for level in found]


def is_between(number: Any, most: float) -> bool:
    """Whether this is a finite number from 0 to another; a yes or no is none."""
    is_number = isinstance(number, int | float | Fraction | np.number) and not isinstance(number, bool)
    return is_number and not isinstance(number, np.complexfloating) and 0 <= number <= most and number < _ENDLESS


def _plain(number: Any) -> Any:
    """Return a number of numpy as one of Python, of which fractions are made."""
    return number.item() if isinstance(number, np.number) else number
