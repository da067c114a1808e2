"""Keys of values by their contents: equal contents have equal keys, whichever objects they are made of.

Dataclasses are known by their fields, arrays and shapes by their bytes, functions by their code and what they refer to.
Any other object is known as itself, and so are those of classes with `known_as_itself`: large ones that live long. Keys
keep them alive, so that no later one is mistaken for one of them.

>>> contents_of((1, [2.0, "three"])) == contents_of((1, [2.0, "three"]))
True
>>> contents_of((1, 2)) == contents_of((1, 3)), contents_of(1) == contents_of(1.0), contents_of("12") == contents_of(12)
(False, False, False)
>>> def adding(some):
...     return lambda more: some + more
>>> contents_of(adding(1)) == contents_of(adding(1)), contents_of(adding(1)) == contents_of(adding(2))
(True, False)
>>> contents_of(object()) == contents_of(object())
False
"""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterator, Mapping, Set
from dataclasses import fields, is_dataclass
from fractions import Fraction
from functools import partial
from hashlib import blake2b
from types import CellType, CodeType, FunctionType, MethodType
from typing import Any

import numpy as np

#: The types of values that are known by how they are written.
_WRITTEN = frozenset((int, float, bool, str, bytes, type(None), Fraction))
_BYTES = 16


class _Same:
    """An object known as itself."""

    __slots__ = ("what",)

    def __init__(self, what: object) -> None:
        self.what = what

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Same) and self.what is other.what

    def __hash__(self) -> int:
        return id(self.what)


def contents_of(value: Any) -> Hashable:
    """Return a key of a value, for dictionaries; the value and all that it contains must not change."""
    walk = _Walk()
    digest = walk.digest(value)
    return digest, tuple(map(_Same, walk.known_as_themselves))


class _Walk:
    """A walk through a value; what is met again is not walked through again."""

    def __init__(self) -> None:
        self.known_as_themselves: list[object] = []
        self._digests: dict[int, bytes] = {}
        #: What was met: as long as it lives, its number is no other's.
        self._met: list[object] = []

    def digest(self, value: Any) -> bytes:
        """Return the digest of a value."""
        if type(value) in _WRITTEN:
            return _digest(type(value).__name__, repr(value).encode())
        known = self._digests.get(id(value))
        if known is None:
            self._met.append(value)
            # What refers to itself is told from what else refers to it by where in the walk it was met.
            self._digests[id(value)] = _digest("met", str(len(self._met)).encode())
            known = self._digests[id(value)] = _digest(_type_of(value), *self._parts(value))
        return known

    def _parts(self, value: Any) -> Iterator[bytes]:
        """The bytes that a value is known by, beside its type."""
        if getattr(value, "known_as_itself", False):
            yield self._itself(value)
        elif isinstance(value, np.ndarray) and value.dtype != object:
            yield str((value.dtype.str, value.shape)).encode()
            yield value.tobytes()
        elif isinstance(value, np.generic):
            yield value.dtype.str.encode()
            yield value.tobytes()
        elif is_dataclass(value) and not isinstance(value, type):
            yield from (self.digest(getattr(value, one.name)) for one in fields(value))
        elif isinstance(value, (tuple, list, np.ndarray)):
            yield from self._parts_of_row(value)
        elif isinstance(value, Set):
            yield from sorted(map(self.digest, value))
        elif isinstance(value, Mapping):
            for key, one in value.items():
                yield self.digest(key)
                yield self.digest(one)
        elif isinstance(value, partial):
            yield self.digest((value.func, value.args, value.keywords))
        elif isinstance(value, MethodType):
            yield self.digest((value.__func__, value.__self__))
        elif isinstance(value, FunctionType):
            yield self.digest((value.__code__, value.__defaults__, value.__kwdefaults__))
            yield from map(self._cell, value.__closure__ or ())
        elif _is_shape(value):
            yield value.wkb
        else:
            yield self._itself(value)

    def _parts_of_row(self, row: Any) -> Iterator[bytes]:
        if all(type(one) in _WRITTEN for one in row):
            yield repr(list(row)).encode()
        else:
            yield from map(self.digest, row)

    def _cell(self, cell: CellType) -> bytes:
        """What a function refers to, if that is known yet."""
        try:
            contents = cell.cell_contents
        except ValueError:
            return self._itself(cell)
        return self.digest(contents)

    def _itself(self, value: object) -> bytes:
        self.known_as_themselves.append(value)
        return b"%d" % len(self.known_as_themselves)


def _digest(kind: str, *parts: bytes) -> bytes:
    found = blake2b(kind.encode(), digest_size=_BYTES)
    for part in parts:
        found.update(b"%d:" % len(part))
        found.update(part)
    return found.digest()


def _type_of(value: object) -> str:
    kind = type(value)
    return f"{kind.__module__}.{kind.__qualname__}" if kind is not CodeType else "code"


def _is_shape(value: object) -> bool:
    """Whether a value is a shape of shapely, which is loaded if there is any."""
    shapely = sys.modules.get("shapely")
    return shapely is not None and isinstance(value, shapely.Geometry)
