"""Chances, as stated by the players: that attacks of opportunity hit, and that an action succeeds."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.orders import Kind, is_name

#: One chance, for all attackers; or that of each, by its name.
Chances = Fraction | Mapping[str, Fraction]

_CHANCE = r"(?:\d{1,9}/\d{1,9}|\d{0,9}\.?\d{1,9})"
_EACH = re.compile(rf"(\w+)=({_CHANCE})")
_ABOUT = "the chance that an attack hits, such as 1/2, or that of each attacker: B1=1/2,B2=0.3"


def _chance(text: str) -> Fraction:
    found = Fraction(text)
    if not 0 <= found <= 1:
        raise ValueError("a chance is a number from 0 to 1")
    return found


def _read(text: str) -> Chances:
    if "=" not in text:
        return _chance(text)
    return {name: _chance(chance) for name, chance in _EACH.findall(text)}


def _write(value: Any) -> str:
    if not isinstance(value, Mapping):
        return str(Fraction(value))
    if not all(is_name(name) for name in value):
        raise ValueError("the chances of attackers stand by their names")
    return ",".join(f"{name}={Fraction(chance)}" for name, chance in value.items())


#: The kind of the value stated about the attacks.
CHANCES_OF_HITS = Kind(_ABOUT, re.compile(rf"{_CHANCE}|\w+={_CHANCE}(?:,\w+={_CHANCE})*"), _read, _write, example="1/2")
#: The kind of the value stated about the action itself.
CHANCE = Kind("a chance from 0 to 1, such as 1/2", re.compile(_CHANCE), _chance, lambda value: str(Fraction(value)))


@clause("ME-61", role="odds")
def chance_unhit(attackers: Iterable[str], hits: Chances) -> Fraction:
    """Return the chance that none of some attackers hits, if all of them attack."""
    chances = [hits.get(name, Fraction(0)) if isinstance(hits, Mapping) else hits for name in attackers]
    return math.prod((1 - chance for chance in chances), start=Fraction(1))
