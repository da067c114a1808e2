"""Dice: expressions with the exact chances of their results, and the seeded dice themselves.

The seeded dice are a hash of (seed, number of the roll, number of the die). So looking ahead uses up no dice, a branch
rolls what its trunk would have rolled, and no library version changes the results.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from types import MappingProxyType

from simulator.byte_cache import kept

#: Dice times sides; enough for any table, and small enough for the exact chances.
MOST_FACES = 2000
_EXPRESSION = re.compile(r"(\d{0,4})[dD](\d{1,4})(?:>=(\d{1,4})|([+-]\d{1,4}))?")


@dataclass(frozen=True, slots=True)
class Dice:
    """Dice of one kind. The result is their sum plus a constant, or the number of hits if `hits_on` is set.

    >>> Dice.of("2D6").chances[7]
    Fraction(1, 6)
    >>> Dice.of("3D6>=5").chances
    mappingproxy({0: Fraction(8, 27), 1: Fraction(4, 9), 2: Fraction(2, 9), 3: Fraction(1, 27)})
    """

    count: int
    sides: int
    plus: int = 0
    hits_on: int | None = None

    def __post_init__(self) -> None:
        if self.count < 0 or self.sides < 1 or self.count * self.sides > MOST_FACES:
            raise ValueError(f"expected 0 or more dice of 1 or more sides, at most {MOST_FACES} faces in total: {self}")
        if self.hits_on is not None and self.plus:
            raise ValueError(f"a pool counts hits and adds nothing: {self}")

    @classmethod
    def of(cls, text: str) -> Dice:
        """Read `D10`, `2D6`, `3D6+2` or, for a pool that counts hits, `6D6>=5`."""
        found = _EXPRESSION.fullmatch(text.replace(" ", ""))
        if not found:
            raise ValueError(f"not dice: {text!r} (such as D10, 2D6, 3D6+2, or 6D6>=5 for a pool that counts hits)")
        count, sides, hits_on, plus = found.groups()
        return cls(int(count or 1), int(sides), int(plus or 0), None if hits_on is None else int(hits_on))

    def __str__(self) -> str:
        tail = f"{self.plus:+d}" if self.plus else "" if self.hits_on is None else f">={self.hits_on}"
        return f"{'' if self.count == 1 else self.count}D{self.sides}{tail}"

    @property
    def falls(self) -> int:
        """The number of equally likely ways in which they can fall.

        >>> Dice.of("2D6").falls
        36
        """
        return int(self.sides**self.count)

    @property
    def chances(self) -> Mapping[int, Fraction]:
        """Every possible result, lowest first, with its chance."""
        return _chances(self)

    def result(self, faces: tuple[int, ...]) -> int:
        """Return the result of these faces."""
        if self.hits_on is not None:
            return sum(face >= self.hits_on for face in faces)
        return sum(faces) + self.plus


def plain_dice(value: object) -> str:
    """Describe the expected value if a value is not dice with a sum; "" if it is.

    >>> plain_dice("2D8"), plain_dice("D20+1"), plain_dice("3D6>=5")
    ('', '', 'dice such as D10, 2D6 or 3D6+2')
    """
    try:
        sound = isinstance(value, str) and Dice.of(value).hits_on is None and Dice.of(value).count > 0
    except ValueError:
        sound = False
    return "" if sound else "dice such as D10, 2D6 or 3D6+2"


def one_die(value: object) -> str:
    """Describe the expected value if a value is not a single die; "" if it is.

    >>> one_die("D8"), one_die("2D8")
    ('', 'one die such as D6')
    """
    sound = not plain_dice(value) and str(value).startswith(("D", "d")) and not Dice.of(str(value)).plus
    return "" if sound else "one die such as D6"


@kept(megabytes=8)
def _chances(dice: Dice) -> Mapping[int, Fraction]:
    if dice.hits_on is None:
        one = [0] + [1] * dice.sides
    else:
        misses = min(max(dice.hits_on - 1, 0), dice.sides)
        one = [misses, dice.sides - misses]
    ways = [1]
    for _ in range(dice.count):
        grown = [0] * (len(ways) + len(one) - 1)
        for total, many in enumerate(ways):
            for more, faces in enumerate(one):
                grown[total + more] += many * faces
        ways = grown
    every = dice.sides**dice.count
    return MappingProxyType({total + dice.plus: Fraction(many, every) for total, many in enumerate(ways) if many})


@dataclass(frozen=True, slots=True)
class SeededDice:
    """A bag of dice determined by one number. Roll 3 of a game is the same whenever and wherever it is rolled.

    >>> dice = SeededDice(7)
    >>> dice.faces(0, Dice.of("5D6")), dice.faces(1, Dice.of("5D6")), dice.faces(0, Dice.of("2D6"))
    ((1, 2, 6, 6, 5), (5, 1, 5, 3, 6), (1, 2))
    """

    seed: int | str

    def below(self, limit: int, roll: int, die: int = 0) -> int:
        """Return a number from 0 to limit - 1, all equally likely."""
        size = max(8, (limit.bit_length() + 7) // 8 + 1)
        room = 1 << (8 * size)
        fair = room - room % limit
        attempt = 0
        while True:
            text = f"{type(self.seed).__name__}:{self.seed}:{roll}:{die}:{attempt}"
            number = int.from_bytes(hashlib.blake2b(text.encode(), digest_size=size).digest(), "big")
            # Numbers above the last whole multiple of the limit would favour the low results.
            if number < fair:
                return number % limit
            attempt += 1

    def faces(self, roll: int, dice: Dice) -> tuple[int, ...]:
        """Return the face of each die in one roll."""
        return tuple(self.below(dice.sides, roll, die) + 1 for die in range(dice.count))
