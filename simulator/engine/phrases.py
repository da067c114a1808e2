"""What happened, as players say it: a ruleset has a phrase for each kind of event, filled in from the event's detail.

    "hurt": "is hurt by {by}: {points:point}, HP {hp}"
    "gets over": "gets over {what} to {place}"
    "wipes out": "wipes out[ and slides {dots:dot}]"

`{name}` stands for what the detail says under that name, `{points:point}` for so many points, `{weapon:words}` for a
name of the tables in plain words, `{line:each}` for several. What stands in brackets is left out where a blank in it
stays empty, or naught. Who it happens to comes first, unless `{unit}` says otherwise; where it happens comes last,
unless `{place}` does.

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

#: What the clock tells under every ruleset.
CLOCK_PHRASES = {
    "turn": "a new turn",
    "phase": "a new phase",
    "go begins": "{unit}'s go begins",
    "go ends": "{unit}'s go ends",
    "go rests": "{unit}'s go rests",
    "go on": "{unit}'s go goes on",
}


def sentence(phrase: str, unit: str, place: str, detail: Mapping[str, Any]) -> str:
    """Fill in a phrase; raises KeyError where it names what the detail does not."""
    said = {**detail, "unit": unit, "place": place}
    shown = _PERHAPS.sub(lambda found: found[1] if _says_all(found[1], said) else "", phrase)
    words = _BLANK.sub(lambda found: _shown(said[found[1]], found[2]), shown)
    words = words if "{unit}" in phrase else f"{unit} {words}".lstrip()
    return f"{words} at {place}" if place and "{place}" not in phrase else words


def plain_text(kind: str, unit: str, place: str, detail: Mapping[str, Any]) -> str:
    """Return a kind of event that has no phrase: its name, where it happens, and all that the detail says.

    >>> plain_text("jumps_over", "A1", "3,4", {"wall": 2, "at_risk": True})
    'A1 jumps over at 3,4: wall 2, at risk yes'
    """
    words = f"{unit} {kind.replace('_', ' ')}".strip() + (f" at {place}" if place else "")
    said = ", ".join(f"{name.replace('_', ' ')} {show(value)}" for name, value in detail.items())
    return f"{words}: {said}" if said else words


def _says_all(part: str, said: Mapping[str, Any]) -> bool:
    return all(said.get(name) for name, _ in _BLANK.findall(part))


def _shown(value: Any, manner: str | None) -> str:
    if manner is None:
        return show(value)
    if manner == "words":
        return show(value).replace("_", " ")
    if manner == "each":
        return ", ".join(" ".join(map(show, part)) if isinstance(part, tuple) else show(part) for part in value)
    return measure(value, manner)
