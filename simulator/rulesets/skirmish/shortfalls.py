"""Figures of refusals in inches, in the one form in which sentences, fields and remedies have them.

Lengths are written to ten-thousandths: what is needed is rounded up, what there is is rounded down. So needed is the
larger of the two however little is missing, and so many inches more, as they are written, are enough.
"""

from __future__ import annotations

import math

_DIGITS = 4
_PARTS = 10_000


def needed_inches(length: float) -> float:
    """Return a length that is needed, as it is written.

    >>> needed_inches(3.24901), needed_inches(0.1 + 0.2)
    (3.2491, 0.3)
    """
    return math.ceil(round(length * _PARTS, 2)) / _PARTS


def available_inches(length: float) -> float:
    """Return a length that there is, as it is written.

    >>> available_inches(3.24909), available_inches(2.9999999999)
    (3.249, 3.0)
    """
    return math.floor(round(length * _PARTS, 2)) / _PARTS


def inches_text(length: float) -> str:
    """Write a length as it is written.

    >>> inches_text(3.249 - 3)
    '0.249'
    """
    return f"{round(length, _DIGITS) + 0.0:.10g}"
