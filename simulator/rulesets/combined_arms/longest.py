"""The longest part of a leg or a climb that some limit allows: closed in on from both sides.

What is used grows along the way, mostly evenly, with leaps where something is knocked down or run over.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

#: It is known when as little of the whole is left between what is allowed and what is not.
_CLOSE = Fraction(1, 2**50)
#: So often a trial where the limit would be, did what is used grow evenly between, may fall short of halving.
_MISSES = 4


def longest(whole: Fraction, used: Callable[[Fraction], Fraction], most: Fraction) -> Fraction:
    """Return about the greatest length that uses no more than `most`; no more than that is used there, or it is 0.

    All of it uses more.

    >>> lengths = []
    >>> def used(length):
    ...     lengths.append(length)
    ...     return length + (2 if length > 3 else 0)
    >>> round(float(longest(Fraction(9), used, Fraction(8))), 9), len(lengths) < 8
    (6.0, True)
    """
    close = whole * _CLOSE
    low, high = Fraction(0), whole
    below, above = None, used(whole)  # of no length at all nothing is known
    misses, half = 0, whole
    while high - low > close:
        if below is None or misses == _MISSES or high - low > half:
            lengths, half = [(low + high) / 2], high - low
        else:
            guess = low + (high - low) * Fraction(float((most - below) / (above - below)))
            # A hair shorter and a hair longer: between them the limit is, where what is used grows evenly.
            lengths, half = [guess - close / 2, guess + close / 2], (high - low) / 2
        for length in lengths:
            if low < length < high:
                amount = used(length)
                if amount <= most:
                    low, below = length, amount
                else:
                    high, above = length, amount
        misses += high - low > half
    return low
