"""The plain data of the table, with exactly one text form for each value.

A value is None, a truth value, a whole number, a fraction, a finite float, a text, a tuple of values, or `Fields`: a
read-only mapping from names to values. `freeze` converts other data to that form: lists become tuples, mappings become
Fields, and an exact number that is whole becomes an int, so equal exact numbers are equal values. Therefore rules use
`Fraction(x, 2)` and never `x / 2`, which is a float when x is an int.

The text form is JSON with sorted keys. A fraction is written as "3/2"; a text that looks like a fraction gets a leading
apostrophe, so that both are read back unchanged.
"""

from __future__ import annotations

import hashlib
import json
import math
import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, TypeAlias

from simulator.errors import WrongValue, shortened

Value: TypeAlias = "bool | int | float | str | Fraction | tuple[Value, ...] | Fields | None"
Number: TypeAlias = int | float | Fraction

_FRACTION = re.compile(r"-?[0-9]+/[1-9][0-9]*")
_LIKE_A_FRACTION = re.compile(r"'*-?[0-9]+/[0-9]+")
_PLAIN_TYPES = frozenset({bool, int, str, type(None)})


class Fields(Mapping[str, Any]):
    """A read-only mapping from names to values, in the order of the names.

    >>> fields = Fields({"ap": 3, "at": [1, 2]})
    >>> fields["at"], fields.put(ap=2)
    ((1, 2), Fields(ap=2, at=(1, 2)))
    """

    __slots__ = ("_hash", "_values")
    _values: dict[str, Value]
    _hash: int

    def __init__(self, values: Mapping[str, Any] = {}, /) -> None:
        if type(values) is Fields:  # what is frozen can be shared
            self._values = values._values
            return
        for name in values:
            if not isinstance(name, str):
                raise WrongValue(f"the name of a field is a text, not {name!r}")
        names = sorted(values) if len(values) > 1 else values
        self._values = {name: value if type(value := values[name]) in _PLAIN_TYPES else freeze(value) for name in names}

    def put(self, changes: Mapping[str, Any] = {}, /, **more: Any) -> Fields:
        """Return the same fields with some of them changed."""
        changes = plain_dict(changes)
        changes.update(more)
        if not changes:
            return self
        if not changes.keys() <= self._values.keys():
            return Fields({**self._values, **changes})
        copy = Fields.__new__(Fields)
        copy._values = values = self._values.copy()
        for name, value in changes.items():
            values[name] = value if type(value) in _PLAIN_TYPES else freeze(value)
        return copy

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __contains__(self, name: object) -> bool:
        return name in self._values

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Fields):
            return self._values == other._values
        return isinstance(other, Mapping) and self._values == dict(other)

    def __hash__(self) -> int:
        # Whole tables of figures are parts of keys: what is in them is counted once.
        try:
            return self._hash
        except AttributeError:
            self._hash = hash(tuple(self._values.items()))
            return self._hash

    def __repr__(self) -> str:
        return f"Fields({', '.join(f'{name}={value!r}' for name, value in self._values.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Fields, (self._values,)


#: Empty fields.
NO_FIELDS = Fields()


def plain_dict(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values as a dictionary of their own: of fields, without asking for each by its name.

    >>> plain_dict(Fields({"ap": 2}))
    {'ap': 2}
    """
    return dict(values._values if type(values) is Fields else values)


def freeze(value: Any) -> Value:
    """Convert a value to its plain form, or raise WrongValue.

    >>> freeze([1, Fraction(4, 2), {"b": -0.0}])
    (1, 2, Fields(b=0.0))
    """
    if type(value) in _PLAIN_TYPES:
        return value  # type: ignore[no-any-return]
    if type(value) is tuple:
        return value if _PLAIN_TYPES.issuperset(map(type, value)) else tuple([freeze(part) for part in value])
    if isinstance(value, Fields):
        return value
    if isinstance(value, Fraction):
        return value.numerator if value.denominator == 1 else value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise WrongValue(f"the table holds finite numbers only, not {value}")
        return float(value) + 0.0  # -0.0 becomes 0.0
    if isinstance(value, (tuple, list)):
        return tuple([freeze(part) for part in value])
    if isinstance(value, Mapping):
        return Fields(value)
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    if type(value).__module__ == "numpy" and getattr(value, "ndim", None) == 0:
        return freeze(value.item())
    raise WrongValue(f"the table holds plain data only, not {type(value).__name__}: {shortened(value)}")


def to_plain(value: Value) -> Any:
    """Convert a value to data that Python's json can write."""
    kind = type(value)
    if kind is str:
        text: str = value  # type: ignore[assignment]
        return "'" + text if "/" in text and _LIKE_A_FRACTION.fullmatch(text) else text
    if kind is tuple:
        return [to_plain(part) for part in value]  # type: ignore[union-attr]
    if kind is Fields:
        return {name: to_plain(part) for name, part in value._values.items()}  # type: ignore[union-attr]
    if kind is Fraction:
        return f"{value.numerator}/{value.denominator}"  # type: ignore[union-attr]
    return value


def from_plain(plain: Any) -> Value:
    """Rebuild a value from the data of `to_plain`."""
    if isinstance(plain, str):
        if "/" not in plain:
            return plain
        if _FRACTION.fullmatch(plain):
            return freeze(Fraction(plain))
        return plain[1:] if plain.startswith("'") and _LIKE_A_FRACTION.fullmatch(plain) else plain
    if isinstance(plain, list):
        return tuple([from_plain(part) for part in plain])
    if isinstance(plain, dict):
        return Fields({name: from_plain(part) for name, part in plain.items()})
    return freeze(plain)


_write = json.JSONEncoder(ensure_ascii=True, allow_nan=False, separators=(",", ":"), sort_keys=True).encode


def write_plain(plain: Any) -> str:
    """Return the data of `to_plain` as one line of JSON, always the same."""
    return _write(plain)


def to_text(value: Value) -> str:
    """Return a value as its one line of JSON.

    >>> to_text(Fields({"spent": Fraction(3, 2), "note": "3/2", "at": (1, 2)}))
    '{"at":[1,2],"note":"\\'3/2","spent":"3/2"}'
    """
    return _write(to_plain(value))


def from_text(text: str | bytes) -> Value:
    """Read a value back from its text; raise ValueError if that is not strict JSON."""
    return from_plain(read_plain(text))


def read_plain(text: str | bytes) -> Any:
    """Read strict JSON: no NaN, no Infinity, no duplicate keys."""
    try:
        return json.loads(text, object_pairs_hook=_no_key_twice, parse_constant=_no_constant)
    except RecursionError:
        raise ValueError("nested too deeply") from None


def fingerprint(text: str) -> str:
    """Return the hash of a text: 32 hexadecimal digits, the same on every machine."""
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()


def exact(number: Number | str) -> Fraction:
    """Return a number as a fraction, exactly: a float as the binary number that it stores.

    >>> exact(0.5), exact("1/3")
    (Fraction(1, 2), Fraction(1, 3))
    """
    return Fraction(number)


def plain_number(number: Number) -> Number:
    """Return a number in its plain form: one that is whole as an int.

    >>> plain_number(Fraction(4, 2)), plain_number(Fraction(1, 2))
    (2, Fraction(1, 2))
    """
    return number.numerator if isinstance(number, Fraction) and number.denominator == 1 else number


def is_same(one: Any, other: Any) -> bool:
    """Whether two plain values mean the same: 2.0 is 2, but True is not 1, unlike in Python.

    >>> is_same(2.0, 2), is_same(True, 1)
    (True, False)
    """
    return bool(one == other) and isinstance(one, bool) == isinstance(other, bool)


def show(value: Any) -> str:
    """Return the text of a value for people: fractions as 3/2 or 1.5, places as 3,4, floats without noise.

    >>> show(Fraction(3, 2)), show(Fraction(1, 3)), show((3, 4)), show(6.336524), show(None)
    ('1.5', '1/3', '3,4', '6.3365', 'none')
    >>> show(((6, 1), (7, 1)))
    '6,1 7,1'
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Fraction):
        # The price of a leg of arbitrary length is exact too, but nobody wants to read it.
        if value.denominator > 1000 or 1000 % value.denominator == 0:
            return show(float(value))
        return str(value)
    if isinstance(value, float):
        return f"{round(value, 4) + 0.0:g}" if abs(value) < 1e5 else f"{value:g}"
    if isinstance(value, tuple):
        # A list of places: `3,4 5,6`.
        between = " " if any(isinstance(part, tuple) for part in value) else ","
        return between.join(show(part) for part in value)
    if isinstance(value, Mapping):
        return " ".join(f"{name}={show(part)}" for name, part in value.items())
    return str(value)


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        names = [name for name, _ in pairs]
        raise ValueError(f"the key {next(name for name in names if names.count(name) > 1)!r} appears twice")
    return found


def _no_constant(word: str) -> Any:
    raise ValueError(f"{word} is not a valid number")
