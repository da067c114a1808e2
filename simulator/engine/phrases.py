"""Events in the words of players: a ruleset has a phrase for each kind of event, filled in from the event's detail.

    "hurt": "is hurt by {by}: {points:point}, HP {hp}"
    "gets over": "gets over {what} to {place}"
    "wipes out": "wipes out[ and slides {dots:dot}]"

`{name}` is replaced by the detail of that name, `{points:point}` by a number of points, `{weapon:words}` by a name of
the tables in plain words, `{line:each}` by a list. Text in brackets is left out if a blank in it is empty or zero. The
unit comes first, unless `{unit}` places it elsewhere; the place comes last, unless `{place}` does.

>>> bow = {"target": "B1", "weapon": "long_bow"}
>>> sentence("shoots at {target} with {weapon:words}[, {dice} dice]", "A1", "3,4", bow)
'A1 shoots at B1 with long bow at 3,4'
>>> sentence("is hurt: {points:point}", "A1", "", {"points": 2}), sentence("{unit}'s go begins", "A1", "", {})
('A1 is hurt: 2 points', "A1's go begins")
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from simulator.engine.values import show
from simulator.wording import measure

_BLANK = re.compile(r"\{(\w+)(?::([\w ]+))?\}")
_PERHAPS = re.compile(r"\[([^\]]*)\]")

#: The phrases of the clock under every ruleset.
CLOCK_PHRASES = {
    "turn": "a new turn",
    "phase": "a new phase",
    "go begins": "{unit}'s go begins",
    "go ends": "{unit}'s go ends",
    "go rests": "{unit}'s go pauses",
    "go on": "{unit}'s go continues",
}
#: All kinds of events of the clock, with their meaning; those without a phrase are told in plain words.
CLOCK_KINDS = {
    **CLOCK_PHRASES,
    "done": "{unit}, a side or all end their goes",
    "side": "another side is to move",
    "over": "no unit can act any more",
}


def sentence(phrase: str, unit: str, place: str, detail: Mapping[str, Any]) -> str:
    """Fill in a phrase; raise KeyError for a name that is missing from the detail."""
    values = {**detail, "unit": unit, "place": place}
    shown = _PERHAPS.sub(lambda found: found[1] if _has_all(values, found[1]) else "", phrase)
    words = _BLANK.sub(lambda found: _shown(values[found[1]], found[2]), shown)
    words = words if "{unit}" in phrase else f"{unit} {words}".lstrip()
    return f"{words} at {place}" if place and "{place}" not in phrase else words


def plain_text(kind: str, unit: str, place: str, detail: Mapping[str, Any]) -> str:
    """Return the text of an event without a phrase: its kind, its place, and all of its detail.

    >>> plain_text("jumps_over", "A1", "3,4", {"wall": 2, "at_risk": True})
    'A1 jumps over at 3,4: wall 2, at risk yes'
    """
    words = f"{unit} {kind.replace('_', ' ')}".strip() + (f" at {place}" if place else "")
    values = ", ".join(f"{name.replace('_', ' ')} {show(value)}" for name, value in detail.items())
    return f"{words}: {values}" if values else words


def _has_all(values: Mapping[str, Any], part: str) -> bool:
    return all(values.get(name) for name, _ in _BLANK.findall(part))


def _shown(value: Any, manner: str | None) -> str:
    if manner is None:
        return show(value)
    if manner == "words":
        return show(value).replace("_", " ")
    if manner == "each":
        return ", ".join(" ".join(map(show, part)) if isinstance(part, tuple) else show(part) for part in value)
    return measure(value, manner)
