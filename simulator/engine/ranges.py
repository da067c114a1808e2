"""Ranges of answers: a number between bounds, a spot within a region, a length along a leg.

A range is plain data, one of the `options` of a question, and knows which answers it allows. Its answers cannot be
listed; they are represented by `samples`: the ends, the marks of the rule, and the middle of each piece between them.

>>> heading = Within(-45, 45, unit="degrees", wraps=360)
>>> heading.fits(350), heading.fits(90), heading.plain(-10), str(heading)
(True, False, 350, 'a number of degrees from 315, through 0, to 45')
>>> fire = Along([(2, 5), (7, 8)], marks=[3])
>>> fire.samples, str(fire)
((2, Fraction(5, 2), 3, 4, 5, 7, Fraction(15, 2), 8), 'from 2 to 5 or from 7 to 8 inches along the leg')
>>> SpotIn([[[(0, 0), (4, 0), (4, 2), (0, 2)]]]).samples[:2]
((2.0, 1.0), (0.0, 0.0))
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from simulator.engine.answer_range import AnswerRange
from simulator.engine.number_ranges import Along, NumberRange, RangePiece, Span, Within, span_text
from simulator.engine.spot_ranges import SpotIn
from simulator.engine.values import Value, freeze, is_same, show

__all__ = [
    "Along",
    "AnswerRange",
    "NumberRange",
    "RangePiece",
    "Span",
    "SpotIn",
    "Within",
    "chosen",
    "offered",
    "range_from",
    "samples_of",
    "span_text",
    "to_data",
]

_KINDS: Mapping[str, type[Within] | type[Along] | type[SpotIn]] = {kind.kind: kind for kind in (Within, Along, SpotIn)}


def range_from(fields: Mapping[str, Any]) -> AnswerRange:
    """Rebuild a range from its data."""
    known = dict(fields)
    kind = known.pop("range")
    if kind not in _KINDS:
        raise ValueError(f"there is no range {kind!r}: {', '.join(_KINDS)}")
    return _KINDS[kind].from_fields(known)


def offered(options: Iterable[Any]) -> tuple[Value | AnswerRange, ...]:
    """Return the options of a question in their plain form, with ranges rebuilt from data."""
    return tuple(_offered(option) for option in options)


def _offered(option: Any) -> Value | AnswerRange:
    if isinstance(option, AnswerRange):
        return option
    return range_from(option) if isinstance(option, Mapping) and "range" in option else freeze(option)


def to_data(option: Value | AnswerRange) -> Value:
    """Return an option as plain data."""
    return option.to_fields() if isinstance(option, AnswerRange) else option


def samples_of(options: Iterable[Value | AnswerRange]) -> tuple[Value, ...]:
    """Return answers that represent all those of some options, in their order."""
    return tuple(
        sample for option in options for sample in (option.samples if isinstance(option, AnswerRange) else (option,))
    )


def chosen(options: Iterable[Value | AnswerRange], answer: Any) -> Value:
    """Return an answer as it is recorded, as the option itself if it is one; raise ValueError if none allows it."""
    for option in options:
        if isinstance(option, AnswerRange):
            if option.fits(answer):
                return option.plain(answer)
        elif is_same(option, answer):
            # The recorded answer is always the option itself: 2, and not 2.0.
            return option
    raise ValueError(f"{show(answer)} is none of these")
