"""Wording shared by messages, ledgers and pictures: numbers with their units, and hints for unknown words."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from difflib import get_close_matches
from fractions import Fraction

#: The most words listed in a hint.
_LISTED = 14
_PLURALS = {
    "inch": "inches",
    "foot": "feet",
    "pass": "passes",
    "query": "queries",
    "square inch": "square inches",
    "square foot": "square feet",
}
_MEASURES = ("dot", "metre", "place", "point", "square", "step", "third", "yard")
_RECORDED = ("answer", "event", "fault", "hit", "order", "round", "turn")
_SWEPT = ("cast", "comparison", "game", "heading", "map", "reach map", "scenario", "seed", "setting", "start", "time")
_THINGS = (*_RECORDED, *_SWEPT, "clause", "option", "phase", "picture", "piece", "reaction", "test", "unit")
_REGULAR = frozenset(_MEASURES + _THINGS)
_SINGULARS = {many: one for one, many in (*_PLURALS.items(), *((one, one + "s") for one in sorted(_REGULAR)))}

#: How words begin that "an" stands before, as far as spelling shows how they sound.
_VOWEL = re.compile(r"(?!uni|use|eu|one)[aeiou]", re.IGNORECASE)


def measure(number: Fraction | float, unit: str) -> str:
    """Return a number with its unit in the singular or plural; short fractions as decimals.

    >>> measure(1, "inch"), measure(2.5, "inch"), measure(5, "dot"), measure(3, "AP")
    ('1 inch', '2.5 inches', '5 dots', '3 AP')
    >>> measure(5**0.5, "inch")
    '2.2361 inches'
    >>> measure(Fraction(7, 2), "step"), measure(Fraction(1, 3), "AP"), measure(1, "squares"), measure(1, "inches")
    ('3.5 steps', '1/3 AP', '1 square', '1 inch')
    """
    unit = _SINGULARS.get(unit, unit)
    if isinstance(number, Fraction) and 1000 % number.denominator:
        shown = str(number) if number.denominator < 100 else f"{float(number):.4g}"
    else:
        # Measured lengths have more digits than are useful.
        shown = f"{round(float(number), 4) + 0.0:.10g}"
    named = unit if number == 1 else _PLURALS.get(unit, unit + "s" if unit in _REGULAR else unit)
    return f"{shown} {named}".rstrip()


def chance_text(chance: Fraction, at_least: bool = False) -> str:
    """Return a chance as text; nothing that can fail is shown as 100%, and nothing that can succeed as 0%.

    >>> chance_text(Fraction(5, 6)), chance_text(Fraction(1), at_least=True), chance_text(Fraction(1, 4), at_least=True)
    ('83.3%', 'certain', '25% or more')
    >>> chance_text(Fraction(1, 7776)), chance_text(Fraction(0)), chance_text(Fraction(7775, 7776))
    ('0.01%', '0%', '99.99%')
    """
    if chance == 1:
        return "certain"
    # A chance less than half a per cent away from either is rounded to its first significant digit.
    rest = 100 * float(min(chance, 1 - chance))
    digits = 1 if rest == 0.0 or rest >= 0.5 else -math.floor(math.log10(rest))
    text = f"{100 * float(chance):.{digits}f}".removesuffix(".0") + "%"
    return f"{text} or more" if at_least else text


#: A fraction with a larger denominator was measured.
_EXACT_UP_TO = 1_000_000


def figure(number: Fraction | float | int) -> int | float | str:
    """Return a number for a JSON document: see docs/json.md.

    Whole numbers and measured ones are JSON numbers, a fraction is a text.

    >>> figure(3), figure(Fraction(5, 2)), figure(Fraction(4, 2)), figure(2.5), figure(Fraction(0.1))
    (3, '5/2', 2, 2.5, 0.1)
    """
    if isinstance(number, Fraction):
        if number.denominator == 1:
            return number.numerator
        return str(number) if number.denominator <= _EXACT_UP_TO else float(number)
    return float(number) + 0.0 if isinstance(number, float) else int(number)


def with_article(noun: str) -> str:
    """Return a noun after "a" or "an".

    >>> with_article("tank"), with_article("aircraft"), with_article("unit")
    ('a tank', 'an aircraft', 'a unit')
    """
    return f"{'an' if _VOWEL.match(noun) else 'a'} {noun}"


def did_you_mean(word: str, known: Iterable[str], listed: bool = True) -> str:
    """Return a hint for an unknown word: the nearest known one, and with `listed` the others if they are few.

    >>> did_you_mean("wak", ["walk", "run"]), did_you_mean("swim", ["walk", "run"])
    ("did you mean 'walk'? (known: walk, run)", 'known: walk, run')
    """
    names = list(known)
    near = nearest(word, names)
    shown = ", ".join(names[:_LISTED]) + (", …" if len(names) > _LISTED else "")
    if near is not None:
        meant = f"did you mean {near!r}?"
        return f"{meant} (known: {shown})" if listed and len(names) <= _LISTED else meant
    return (f"known: {shown}" if names else "none is known") if listed else ""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that was probably meant, if one is near enough; case is ignored.

    A single known word with it as a part is near, too.

    >>> nearest("Wak", ["walk", "run"]), nearest("swim", ["walk", "run"])
    ('walk', None)
    >>> nearest("rough", ["obstacle", "rough_terrain"])
    'rough_terrain'
    """
    folded = {name.casefold(): name for name in known}
    typed = str(word)[:80].casefold()
    near = get_close_matches(typed, folded, n=1, cutoff=0.6)
    near = near or [name for name in folded if typed in name.split("_")]
    return folded[near[0]] if len(near) == 1 else None


def visible(text: str) -> str:
    """Escape the characters that a terminal or a page would not show, or would act upon.

    >>> visible("a\\x1b[31m b")
    'a\\\\x1b[31m b'
    """
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
