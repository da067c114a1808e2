"""Values of a scenario: exact numbers, and comparison of figures and headings.

>>> exact(0.1), exact("5/2"), exact([1, 2.0])
(Fraction(1, 10), Fraction(5, 2), (1, 2))
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from simulator.engine.questions import LET_PASS, Question, React
from simulator.engine.values import Fields, Value, freeze

#: A fraction as a text, as in ledgers; no longer than in orders.
FRACTION = re.compile(r"-?[0-9]{1,400}/[1-9][0-9]{0,399}")
_WHOLE = re.compile(r"[0-9]{1,18}")
#: The largest difference between a decimal of a scenario and a measured figure: the resolution of boards.
CLOSE = Fraction(1, 1_000_000)
#: The answer that declines a reaction, and the place of a unit that is not on the table.
PASS, OFF_TABLE = "pass", "off"


def exact(plain: Any) -> Value:
    """Return a value of a file as the table holds it: decimals exactly, `5/2` as a fraction."""
    if isinstance(plain, float):
        return freeze(Fraction(str(plain)))
    if isinstance(plain, str) and FRACTION.fullmatch(plain):
        return freeze(Fraction(plain))
    if isinstance(plain, list | tuple):
        return tuple(exact(item) for item in plain)
    if isinstance(plain, Mapping):
        return Fields({str(key): exact(item) for key, item in plain.items()})
    return freeze(plain)


def value_of_text(text: str) -> Value:
    """Return the value that a text means to a rulebook that declares no kinds of values.

    >>> value_of_text("true"), value_of_text("12"), value_of_text("5/2"), value_of_text("max")
    (True, 12, Fraction(5, 2), 'max')
    """
    words = {"true": True, "false": False}
    return words[text] if text in words else int(text) if _WHOLE.fullmatch(text) else exact(text)


def text_of_value(plain: bool | int | float | str) -> str:
    """Return a value of a file as such a text, as it is written at the command line.

    >>> text_of_value(True), text_of_value(2.0), text_of_value(2.5), text_of_value("max")
    ('true', '2', '2.5', 'max')
    """
    if isinstance(plain, bool):
        return "true" if plain else "false"
    return str(int(plain)) if isinstance(plain, float) and plain.is_integer() else str(plain)


def text_of_place(value: Any) -> str:
    """Return a place of a file, `[3, 4]` or a text, as written in orders; raise ValueError if it is neither.

    >>> text_of_place([3, 4]), text_of_place("3:4")
    ('3,4', '3:4')
    """
    if isinstance(value, str) and value:
        return value
    if isinstance(value, list) and len(value) in (2, 3) and all(type(number) in (int, float) for number in value):
        return ",".join(map(str, value))
    raise ValueError(value)


def same(expected: Any, actual: Any) -> bool:
    """Return whether a value is the one expected, figures within a millionth.

    >>> same(Fraction(5, 2), 2.5000000001), same(2, True), same("none", None), same((1, 2), (1.0, 2))
    (True, False, True, True)
    """
    if actual is None or isinstance(actual, bool) or isinstance(expected, bool):
        return (expected is actual) or (actual is None and expected in ("none", None))
    if isinstance(expected, int | float | Fraction) and isinstance(actual, int | float | Fraction):
        return abs(Fraction(expected) - Fraction(actual)) <= CLOSE
    if isinstance(expected, tuple) and isinstance(actual, tuple):
        return len(expected) == len(actual) and all(map(same, expected, actual))
    if isinstance(expected, Mapping) and isinstance(actual, Mapping):
        return set(expected) == set(actual) and all(same(expected[name], actual[name]) for name in expected)
    return bool(expected == actual)


def same_heading(expected: Any, actual: Any) -> bool:
    """Return whether two headings are the same: 0 and 360 are.

    >>> same_heading(0, 360.0), same_heading(90, None)
    (True, False)
    """
    numbers = (int, float, Fraction)
    if not (isinstance(expected, numbers) and isinstance(actual, numbers)):
        return same(expected, actual)
    apart = (Fraction(expected) - Fraction(actual)) % 360
    return min(apart, 360 - apart) <= CLOSE


def understood(question: Question, word: Any) -> Any:
    """Return the answer for a word or a number of a scenario; the question refuses an invalid one.

    >>> from simulator.engine.questions import React
    >>> dodge = React("dodge", who="A1", options=("dodge", "duck"))
    >>> understood(dodge, "Duck"), understood(dodge, "pass")
    ('duck', None)
    """
    found = question.meant(word)
    return LET_PASS if isinstance(question, React) and found == PASS and PASS not in question.options else found
