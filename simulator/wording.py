"""Numbers and their units in words, for messages, ledgers and pictures alike."""

from __future__ import annotations

from fractions import Fraction

_PLURALS = {"inch": "inches", "foot": "feet"}
_REGULAR = frozenset({"dot", "metre", "place", "point", "query", "round", "square", "step", "yard"})


def measure(number: Fraction | float, unit: str) -> str:
    """Write a number of units; fractions plainly where they end after few digits.

    >>> measure(1, "inch"), measure(2.5, "inch"), measure(5, "dot"), measure(3, "AP")
    ('1 inch', '2.5 inches', '5 dots', '3 AP')
    >>> measure(Fraction(7, 2), "step"), measure(Fraction(1, 3), "AP")
    ('3.5 steps', '1/3 AP')
    """
    if isinstance(number, Fraction) and 1000 % number.denominator:
        shown = str(number) if number.denominator < 100 else f"{float(number):.4g}"
    else:
        shown = f"{float(number):.10g}"
    if number == 1:
        return f"{shown} {unit}"
    return f"{shown} {_PLURALS.get(unit, unit + 's' if unit in _REGULAR else unit)}"


def price(number: Fraction | int, currency: str) -> str:
    """Write what was paid in a currency, which is named in the plural where it has one.

    >>> price(2, "squares"), price(1, "squares"), price(Fraction(5, 2), "inches"), price(1, "AP")
    ('2 squares', '1 square', '2.5 inches', '1 AP')
    """
    singular = next((one for one, many in _PLURALS.items() if many == currency), currency.removesuffix("s"))
    return measure(number, singular if singular in {*_PLURALS, *_REGULAR} else currency).rstrip()


def visible(text: str) -> str:
    """Write what a terminal or a page would not show, or act upon, as an escape.

    >>> visible("a\\x1b[31m b")
    'a\\\\x1b[31m b'
    """
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
