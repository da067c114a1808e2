"""Ranges of numbers: between bounds, or along a leg.

Ends may be open, numbers may come in steps, and degrees wrap. All is exact, unless an end or a mark was measured.
"""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from simulator.engine.answer_range import AnswerRange
from simulator.engine.constraints import is_number
from simulator.engine.orders import exact_number
from simulator.engine.values import Fields, Number, Value, freeze, show
from simulator.geometry.poses import place_text
from simulator.geometry.tolerances import TOLERANCE

if TYPE_CHECKING:
    from simulator.geometry.paths import Path

#: The most samples of a range: foresight plays each of them.
MOST_SAMPLES = 10_000
#: Numbers are written with six decimals at most.
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Span:
    """The numbers from a low end to a high one; an open end is excluded.

    >>> str(Span(2, Fraction(5, 2))), str(Span(0, 9, open_low=True)), str(Span(0, 9, open_high=True)), str(Span(3, 3))
    ('from 2 to 2.5', 'above 0 up to 9', 'from 0 to below 9', '3')
    """

    low: Number
    high: Number
    open_low: bool = False
    open_high: bool = False

    def __post_init__(self) -> None:
        low, high = _number(self.low), _number(self.high)
        _put(self, low=low, high=high)
        if low > high or (low == high and (self.open_low or self.open_high)):
            raise ValueError(f"there are no numbers {self}")

    @classmethod
    def of(cls, span: Span | Sequence[Any] | Mapping[str, Any]) -> Span:
        """Return a span from a span, from its two ends, or from plain data."""
        if isinstance(span, Span):
            return span
        if isinstance(span, Mapping):
            return cls(span["from"], span["to"], *("low" in span.get("open", ()), "high" in span.get("open", ())))
        low, high = span
        return cls(low, high)

    @property
    def width(self) -> Fraction:
        """The distance between the ends."""
        return Fraction(self.high) - Fraction(self.low)

    def holds(self, number: Number) -> bool:
        """Whether a number is in the span."""
        above = self.low < number or (self.low == number and not self.open_low)
        return above and (number < self.high or (number == self.high and not self.open_high))

    def up_to(self, other: Span) -> Span:
        """Return the span from this low end to the high end of another span."""
        return Span(self.low, other.high, self.open_low, other.open_high)

    def to_fields(self) -> Fields:
        """Return the span as plain data."""
        open_ends = tuple(name for name, is_open in (("low", self.open_low), ("high", self.open_high)) if is_open)
        return Fields({"from": self.low, "to": self.high, **({"open": open_ends} if open_ends else {})})

    def __str__(self) -> str:
        return _between(_end_text(self.low), _end_text(self.high), self.open_low, self.open_high)


class RangePiece(NamedTuple):
    """A piece of a range, and the sample that represents it: an end, a mark, or the numbers between two of them."""

    span: Span
    sample: Value


class NumberRange(AnswerRange):
    """Numbers within one or several spans."""

    unit: str
    #: The numbers at which something changes, such as the odds at a distance.
    marks: Sequence[Number]

    @property
    @abstractmethod
    def stretches(self) -> tuple[Span, ...]:
        """The spans, lowest first."""

    @property
    @abstractmethod
    def cut(self) -> tuple[tuple[RangePiece, ...], ...]:
        """Each of the spans cut at its ends and marks, lowest first."""

    @property
    def pieces(self) -> tuple[RangePiece, ...]:
        """The pieces of all spans, lowest first."""
        return tuple(piece for stretch in self.cut for piece in stretch)

    @cached_property
    def samples(self) -> tuple[Value, ...]:
        """One number of each piece, lowest first."""
        return tuple(piece.sample for piece in self.pieces)

    def read(self, text: str) -> Value:
        """Return the number that a text means: `2.5`, `5/2`, `2.5 inches`."""
        return freeze(exact_number(suffixes=_suffixes(self.unit)).read(text.strip()))


@dataclass(frozen=True)
class Within(NumberRange):
    """A number between bounds.

    With a `step` the answers are the low end and the numbers at whole steps from it. With `wraps` numbers repeat after
    that full turn: in degrees 350 is -10. Then the high end may lie beyond the turn, or the low one below 0.

    An end or a mark that is a float was measured: then answers are recorded as floats, and one within the tolerance of
    an end is at the end. Else all is exact, and a float is the decimal as which it is written.

    >>> Within(1, 6, step=1).samples, str(Within(1, 6, step=1))
    ((1, 3, 6), 'a whole number from 1 to 6')
    >>> str(Within(0, 360, unit="degrees", wraps=360, open_high=True))
    'a number of degrees from 0 to below 360'
    >>> Within(0, 3, open_low=True, marks=[1], near=2).samples
    (2, 1, 3, Fraction(1, 2))
    """

    kind: ClassVar[str] = "within"
    low: Number
    high: Number
    open_low: bool = False
    open_high: bool = False
    step: Number | None = None
    unit: str = ""
    wraps: Number | None = None
    marks: Sequence[Number] = ()
    #: Samples are taken at whole multiples of this instead of the middles of pieces.
    every: Number | None = None
    #: The samples nearest to this number come first; without it the lowest do.
    near: Number | None = None
    #: Whether answers are recorded as floats, since an end or a mark is one.
    is_measured: bool = field(default=False, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        span = Span(self.low, self.high, self.open_low, self.open_high)
        for name in ("step", "wraps", "every"):
            number = getattr(self, name)
            if number is not None and _number(number) <= 0:
                raise ValueError(f"{name}: a number above 0, not {show(number)}")
        numbers = [_number(number) for number in (self.low, self.high, *self.marks)]
        is_measured = self.step is None and any(isinstance(number, float) for number in numbers)
        form = _measured if is_measured else _decimal
        _put(self, is_measured=is_measured)
        step, wraps, every = (_or_none(number, _decimal) for number in (self.step, self.wraps, self.every))
        _put(self, low=form(span.low), high=form(span.high), step=step, near=_or_none(self.near, _number))
        _put(self, wraps=wraps, every=every, marks=tuple(form(mark) for mark in self.marks))
        if wraps is not None and span.width > wraps:
            raise ValueError(f"{span} is more than a whole turn of {show(wraps)}")
        if every is not None and span.width / Fraction(every) > MOST_SAMPLES:
            raise ValueError(f"{span} at every {show(every)} has more than {MOST_SAMPLES} samples")
        if step is not None and not self.pieces:
            raise ValueError(f"there are no numbers {span} in steps of {show(step)}")

    @cached_property
    def span(self) -> Span:
        """The numbers as a span; if they wrap, with the ends as they were written."""
        return Span(self.low, self.high, self.open_low, self.open_high)

    @property
    def stretches(self) -> tuple[Span, ...]:
        """The one span."""
        return (self.span,)

    def plain(self, answer: Any) -> Value:
        """Return an answer as it is recorded: a whole number as such, and in its first turn if it wraps."""
        number = _number(answer)
        exact = Fraction(_measured(number) if self.is_measured else _decimal(number))
        if not self._holds(exact):
            exact = next(self._ends_at(exact), exact)
            if not self._holds(exact):
                raise ValueError(f"{show(number)} is not {self}")
        turned = self._first_turn(exact)
        form = self._form(turned)
        # Rounding may move it beyond an end, or to a full turn.
        return form if form != self.wraps and self._holds(Fraction(form)) else _number(turned)

    @cached_property
    def cut(self) -> tuple[tuple[RangePiece, ...], ...]:
        """The one span, cut at its ends, its marks and the multiples of `every`."""
        return (tuple(self._cut()),)

    @cached_property
    def samples(self) -> tuple[Value, ...]:
        """One number of each piece, those nearest to `near` first, or the lowest."""
        found = [piece.sample for piece in self.pieces]
        if self.near is not None:
            near = self.near
            found.sort(key=lambda number: (self._apart(number, near), number))
        return tuple(found)

    def to_fields(self) -> Fields:
        """Return the range as plain data, without unset fields."""
        known: dict[str, Any] = {"range": self.kind, **self.span.to_fields()}
        more = {name: getattr(self, name) for name in ("step", "wraps", "every", "near")}
        known |= {name: number for name, number in more.items() if number is not None}
        known |= {name: value for name, value in (("unit", self.unit), ("marks", self.marks)) if value}
        return Fields(known)

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Within:
        """Rebuild the range from its data."""
        known = dict(fields)
        span = Span.of({name: known.pop(name) for name in ("from", "to", "open") if name in known})
        return cls(span.low, span.high, span.open_low, span.open_high, **known)

    def __str__(self) -> str:
        whole = self.step == 1 and Fraction(self.low).denominator == 1
        what = f"a{' whole' if whole else ''} number" + (f" of {self.unit}" if self.unit else "")
        steps = "" if self.step is None or whole else f" in steps of {show(self.step)}"
        return f"{what} {self._span_text()}{steps}"

    def _span_text(self) -> str:
        """Return the text of the ends; if they wrap, both in the first turn."""
        if self.wraps is None or self.span.width == self.wraps:
            return str(self.span)
        low, high = (self._form(self._first_turn(Fraction(end))) for end in (self.low, self.high))
        through = ", through 0," if low > high > 0 else ""
        return _between(_end_text(low), _end_text(high or self.wraps), self.open_low, self.open_high, through)

    def _first_turn(self, number: Fraction) -> Fraction:
        return number if self.wraps is None else number % Fraction(self.wraps)

    def _offset(self, number: Number) -> Fraction:
        """Return the distance of a number above the low end."""
        return self._first_turn(Fraction(number) - Fraction(self.low))

    def _holds(self, number: Fraction) -> bool:
        offset, width = self._offset(number), self.span.width
        if self.step is not None and offset % Fraction(self.step):
            return False
        if offset == 0:
            # The ends of a whole turn are the same number.
            return not self.open_low or (width == self.wraps and not self.open_high)
        return 0 < offset < width or (offset == width and not self.open_high)

    def _ends_at(self, number: Fraction) -> Iterator[Fraction]:
        """Yield the measured ends that a number exceeds by no more than the tolerance."""
        for end in (self.low, self.high):
            if self.is_measured and self._apart(number, end) <= TOLERANCE:
                yield Fraction(end)

    def _cut(self) -> Iterator[RangePiece]:
        width, low = self.span.width, Fraction(self.low)
        cuts = {Fraction(0), width, *(offset for mark in self.marks if 0 < (offset := self._offset(mark)) < width)}
        if self.every is not None:
            every = Fraction(self.every)
            first, last = math.ceil(low / every), math.floor(Fraction(self.high) / every)
            cuts |= {number * every - low for number in range(first, last + 1)}
        before: Fraction | None = None
        for cut in sorted(cuts):
            at = self._form(low + cut)
            if before is not None and self.every is None:
                middle, begin = self._middle(before, cut), self._form(low + before)
                # Wrapped floats may have become equal.
                if middle is not None and begin < at:
                    yield RangePiece(Span(begin, at, True, True), middle)
            if self._holds(Fraction(at)) and not (cut and cut == self.wraps):
                yield RangePiece(Span(at, at), self.plain(at))
            before = cut

    def _middle(self, before: Fraction, after: Fraction) -> Value | None:
        """Return the number in the middle between two cuts, with a step the nearest one below, if any."""
        middle = (before + after) / 2
        if self.step is not None:
            middle -= middle % Fraction(self.step)
        return self.plain(_number(Fraction(self.low) + middle)) if before < middle < after else None

    def _form(self, number: Fraction) -> Number:
        """Return a number in the form of the answers."""
        return _measured(number) if self.is_measured else _number(number)

    def _apart(self, number: Any, other: Number) -> Fraction:
        apart = abs(Fraction(number) - Fraction(other))
        return apart if self.wraps is None else min(apart % Fraction(self.wraps), -apart % Fraction(self.wraps))


@dataclass(frozen=True)
class Along(NumberRange):
    """A place on a leg, as its distance from the start of the leg, within one or several spans.

    With the `path` of the leg it knows the places, round bends and corners.

    >>> Along([(0, 3)]).fits(Fraction(5, 2)), Along([(0, 3)]).fits(4)
    (True, False)
    >>> from simulator.geometry.paths import Path, Straight
    >>> corner = Path((0, 0), (Straight((0, 0), (2, 0)), Straight((2, 0), (2, 9))))
    >>> fire = Along([(1, 5)], path=corner)
    >>> str(fire), fire.place_of(4)
    ('from 1 to 5 inches along the leg, 1,0 to 2,3', (2.0, 2.0))
    """

    kind: ClassVar[str] = "along"
    spans: Sequence[Any]
    unit: str = "inches"
    marks: Sequence[Number] = ()
    path: Path | None = None

    def __post_init__(self) -> None:
        spans, marks = [Span.of(span) for span in self.spans], [_number(mark) for mark in self.marks]
        if not spans:
            raise ValueError("a reaction along a leg needs at least one span of it")
        numbers = [*marks, *(end for span in spans for end in (span.low, span.high))]
        form = _measured if any(isinstance(number, float) for number in numbers) else _number
        measured = [replace(span, low=form(span.low), high=form(span.high)) for span in spans]
        _put(self, spans=_joined(measured), marks=tuple(map(form, marks)))

    @property
    def stretches(self) -> tuple[Span, ...]:
        """The spans, nearest to the start of the leg first."""
        return tuple(self.spans)

    @cached_property
    def cut(self) -> tuple[tuple[RangePiece, ...], ...]:
        """Each of the spans cut at its ends and marks."""
        return tuple(one.pieces for one in self._each)

    def plain(self, answer: Any) -> Value:
        """Return an answer as it is recorded: a whole number as such."""
        for one in self._each:
            if one.fits(answer):
                return one.plain(answer)
        raise ValueError(f"{show(answer)} is not {self}")

    def to_fields(self) -> Fields:
        """Return the range as plain data."""
        known = {"range": self.kind, "spans": tuple(span.to_fields() for span in self.stretches), "unit": self.unit}
        path = {} if self.path is None else {"path": self.path.to_fields()}
        return Fields({**known, **({"marks": self.marks} if self.marks else {}), **path})

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Along:
        """Rebuild the range from its data."""
        path = fields.get("path")
        if path is not None:
            # Paths of moves on inch tables; nothing else needs them here.
            from simulator.geometry.paths import Path

            path = Path.from_fields(path)
        return cls(**{**fields, "path": path})

    def place_of(self, answer: Any) -> tuple[Any, ...] | None:
        """Return the place of a reaction on the path; None if the range does not know the path."""
        return None if self.path is None else self.path.at(float(answer))

    @property
    def first_place(self) -> tuple[Any, ...] | None:
        """The place of the earliest possible reaction on the leg."""
        return self.place_of(self.stretches[0].low)

    def __str__(self) -> str:
        where = "" if self.path is None else f", {' or '.join(map(self._places_text, self.stretches))}"
        return f"{' or '.join(map(span_text, self.stretches))} {self.unit} along the leg{where}"

    def _places_text(self, span: Span) -> str:
        ends = dict.fromkeys(place_text(self.place_of(end) or ()) for end in (span.low, span.high))
        return " to ".join(ends)

    @cached_property
    def _each(self) -> tuple[Within, ...]:
        return tuple(
            Within(span.low, span.high, span.open_low, span.open_high, marks=[m for m in self.marks if span.holds(m)])
            for span in self.stretches
        )


def _joined(spans: Iterable[Span]) -> tuple[Span, ...]:
    """Return spans in the order of the leg, with overlapping ones merged."""
    found: list[Span] = []
    for span in sorted(spans, key=lambda span: (span.low, span.open_low)):
        last = found[-1] if found else None
        if last is None or span.low > last.high or (span.low == last.high and (last.open_high or span.open_low)):
            found.append(span)
        elif (span.high, not span.open_high) > (last.high, not last.open_high):
            found[-1] = Span(last.low, span.high, last.open_low, span.open_high)
    return tuple(found)


def span_text(span: Span) -> str:
    """Describe a span of a leg; one without a length is `at` its place."""
    return f"at {span}" if span.low == span.high else str(span)


def _put(thing: object, **values: object) -> None:
    for name, value in values.items():
        object.__setattr__(thing, name, value)


def _number(number: Any) -> Number:
    """Return a number in its plain form: whole floats as whole numbers."""
    found = freeze(number)
    if not is_number(found):
        raise TypeError(f"expected a number, not {show(found)}")
    return int(found) if found == int(found) else found


def _measured(number: Any) -> Number:
    """Return a number as a float, a whole one as such."""
    return _number(float(_number(number)))


def _decimal(number: Any) -> Number:
    """Return a number exactly, a float as the decimal as which it is written."""
    found = _number(number)
    return _number(Fraction(repr(found))) if isinstance(found, float) else found


def _between(low: str, high: str, open_low: bool, open_high: bool, through: str = "") -> str:
    """Return the text of the numbers between two ends, `through` something between them."""
    if low == high:
        return low
    if open_low:
        return f"above {low}{through} {'and below' if open_high else 'up to'} {high}"
    return f"from {low}{through} to {'below ' if open_high else ''}{high}"


def _end_text(number: Number) -> str:
    """Return the text of an end so that it can be typed as an answer: exact, or to a millionth if it was measured."""
    exact = Fraction(number)
    if isinstance(number, float) or exact.denominator > _MILLION:
        return f"{round(float(number), 6) + 0.0:.12g}"
    return str(exact) if (exact * _MILLION).denominator > 1 else f"{float(exact):.12g}"


def _or_none(number: Any, form: Any) -> Any:
    return None if number is None else form(number)


def _suffixes(unit: str) -> tuple[str, ...]:
    if unit == "degrees":
        return ("°", "degrees", "degree", "deg")
    return ('"', "inches", "inch", "in") if unit == "inches" else (unit,) if unit else ()
