"""Figures of refusals in inches, in the one form used by sentences, fields and remedies.

Lengths are written to ten-thousandths: needs are rounded up, what is available is rounded down. So the need is the
larger of the two however little is missing, and the difference as written is enough.
"""

from __future__ import annotations

import math

_DIGITS = 4
_PARTS = 10_000


def needed_inches(length: float) -> float:
    """Return a needed length as it is written.

    >>> needed_inches(3.24901), needed_inches(0.1 + 0.2)
    (3.2491, 0.3)
    """
    return math.ceil(round(length * _PARTS, 2)) / _PARTS


def available_inches(length: float) -> float:
    """Return an available length as it is written.

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
