"""Headings and turns: degrees, 0 along +x, counter-clockwise, always in [0, 360).

>>> normalise(-90)
270.0
>>> turn_between(350, 10)
20.0
>>> heading_from_text("north-east")
45.0
"""

from __future__ import annotations

import math

Degrees = float

_COMPASS = (
    "E",
    "ENE",
    "NE",
    "NNE",
    "N",
    "NNW",
    "NW",
    "WNW",
    "W",
    "WSW",
    "SW",
    "SSW",
    "S",
    "SSE",
    "SE",
    "ESE",
)
_LETTER_OF = {"north": "N", "south": "S", "east": "E", "west": "W"}
#: The sixteen compass words and their headings: east is 0, north (up the page) is 90.
COMPASS: dict[str, Degrees] = {word: 22.5 * sixteenth for sixteenth, word in enumerate(_COMPASS)}

# Sines of the multiples of 30 degrees, exact where a float can be: sin(pi) is not 0 in floating point.
_HALF_ROOT_3 = math.sqrt(3) / 2
_SINES = (0.0, 0.5, _HALF_ROOT_3, 1.0, _HALF_ROOT_3, 0.5, 0.0, -0.5, -_HALF_ROOT_3, -1.0, -_HALF_ROOT_3, -0.5)


def normalise(angle: float) -> Degrees:
    """Return an angle in [0, 360), exactly: no multiple of 360 becomes 360 or -0.0.

    >>> normalise(720), normalise(-1e-20), normalise(-45)
    (0.0, 0.0, 315.0)
    """
    if not math.isfinite(angle):
        raise ValueError(f"a heading is a finite number of degrees, not {angle}")
    turned = math.fmod(angle, 360.0)  # exact, unlike angle - 360 * n
    if turned < 0.0:
        turned += 360.0
    return turned if 0.0 < turned < 360.0 else 0.0


def turn_between(before: Degrees, after: Degrees) -> Degrees:
    """Return the shorter turn from one heading to another, left positive, in (-180, 180].

    >>> turn_between(10, 350), turn_between(0, 180)
    (-20.0, 180.0)
    """
    turn = normalise(after - before)
    return turn - 360.0 if turn > 180.0 else turn


def unit_vector(heading: Degrees) -> tuple[float, float]:
    """Return the step of length 1 along a heading, exact on the axes.

    >>> unit_vector(90), unit_vector(180)
    ((0.0, 1.0), (-1.0, 0.0))
    """
    heading = normalise(heading)
    twelfth, rest = divmod(heading, 30.0)
    if rest == 0.0:
        return _SINES[(int(twelfth) + 3) % 12], _SINES[int(twelfth)]
    return math.cos(math.radians(heading)), math.sin(math.radians(heading))


def heading_of(dx: float, dy: float) -> Degrees:
    """Return the heading that looks along (dx, dy), exact on the axes and diagonals.

    >>> heading_of(0, -2), heading_of(-1, 1)
    (270.0, 135.0)
    """
    if dx == 0.0 and dy == 0.0:
        raise ValueError("the step (0, 0) has no heading")
    return normalise(math.degrees(math.atan2(dy, dx)))


def heading_from_text(text: str) -> Degrees:
    """Parse a compass word in letters ('NNE') or spelt out ('north-east'); raise ValueError otherwise."""
    words = text.strip().lower().replace("-", " ").split()
    letters = "".join(_LETTER_OF.get(word, word) for word in words).upper()
    if letters not in COMPASS:
        raise ValueError(f"no such compass word: {text!r} (known: {', '.join(_COMPASS)}, or spelt out)")
    return COMPASS[letters]
