"""Caches that threads can share, limited in bytes.

Two rules make sharing safe. Cached values are never modified by their readers: each is complete before it is returned.
Working memory, such as the arrays of a search, is lent: one borrower has it exclusively until it is given back.

>>> squares = ByteCache(most_bytes=1000)
>>> squares.get(12, lambda: 144), squares.get(12, lambda: 0)
(144, 144)
"""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping
from functools import wraps
from typing import Any, Generic, NamedTuple, ParamSpec, TypeVar

import numpy as np

Made = TypeVar("Made")
Arguments = ParamSpec("Arguments")

_MB = 2**20
#: The bytes of an entry beside its value: its slot in the table, and its key.
_ENTRY_BYTES = 200
#: The bytes of an array beside its numbers, and of a geometry beside its coordinates.
_ARRAY_BYTES, _GEOMETRY_BYTES = 112, 300


class _Kind(NamedTuple):
    """How the values of a type are weighed."""

    weigh: Callable[[Any], int]
    #: What else is weighed with one; None: nothing.
    parts: Callable[[Any], Iterable[Any]] | None = None


def bytes_of(value: Any) -> int:
    """Return the bytes of a value and its contents; a `byte_count` of its own is trusted.

    What is known as itself (see `contents`) is not counted: it lives anyway.

    >>> bytes_of(np.zeros(1000)) >= 8000, bytes_of([np.zeros(10), np.zeros(20)]) >= 240
    (True, True)
    """
    seen: set[int] = set()
    waiting, total, kinds = [value], 0, _KINDS
    while waiting:
        one = waiting.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        kind = kinds.get(type(one)) or _kind_of(type(one))
        total += kind.weigh(one)
        if kind.parts is not None:
            waiting += kind.parts(one)
    return total


def _kind_of(type_: type) -> _Kind:
    """Return how values of a type are weighed: that takes longer to find out than to weigh one, so it is kept."""
    _KINDS[type_] = found = _new_kind(type_)
    return found


def _new_kind(type_: type) -> _Kind:
    is_called = any("__call__" in vars(base) for base in type_.__mro__)
    if is_called or getattr(type_, "known_as_itself", False):
        return _Kind(lambda _: 0)
    if hasattr(type_, "byte_count"):
        return _Kind(lambda one: one.byte_count)
    if issubclass(type_, np.ndarray):
        return _Kind(lambda one: one.nbytes + _ARRAY_BYTES)
    if type_.__module__.startswith("shapely."):
        return _kind_of_shapely(type_)
    if issubclass(type_, Mapping):
        return _Kind(sys.getsizeof, lambda one: [*one.keys(), *one.values()])
    if issubclass(type_, (tuple, list, set, frozenset)):
        return _Kind(sys.getsizeof, iter)
    slots = getattr(type_, "__slots__", ())
    names = slots if isinstance(slots, tuple) else ()

    def parts(one: Any) -> list[Any]:
        values = [getattr(one, name) for name in names if hasattr(one, name)]
        return [*values, *vars(one).values()] if hasattr(one, "__dict__") else values

    return _Kind(sys.getsizeof, parts)


def _kind_of_shapely(type_: type) -> _Kind:
    """Of a geometry, Python sees but the handle, and of anything else less."""
    import shapely

    if not issubclass(type_, shapely.Geometry):
        return _Kind(lambda _: 0)
    corners: Callable[[Any], Any] = shapely.get_num_coordinates
    return _Kind(lambda one: _GEOMETRY_BYTES + 16 * int(corners(one)))


#: By type; those of most values in small objects hold nothing else.
_KINDS: dict[type, _Kind] = {kind: _Kind(sys.getsizeof) for kind in (int, float, bool, str, bytes, type(None))}


class ByteCache(Generic[Made]):
    """An LRU cache by key, limited in bytes.

    Nothing is computed under the lock: two threads that need the same new value both compute it, and both get the first
    one stored. A value larger than the limit is returned but not kept.
    """

    def __init__(self, most_bytes: int, weigh: Callable[[Made], int] = bytes_of, *, grows: bool = False) -> None:
        """Set the limit; with `grows`, values may get larger while cached.

        They are weighed again when another one is asked for after them.
        """
        self.most_bytes = most_bytes
        self._weigh, self._grows = weigh, grows
        self._made: OrderedDict[Hashable, tuple[Made, int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    @property
    def byte_count(self) -> int:
        """The number of bytes cached now."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._made)

    def get(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return the cached value of the key, or compute and cache it."""
        if self._grows:
            self._weigh_latest(key)
        with self._lock:
            found = self._made.get(key)
            if found is not None:
                self._made.move_to_end(key)
                return found[0]
        made = make()
        size = self._weigh(made) + _ENTRY_BYTES
        with self._lock:
            if key in self._made:
                made, _ = self._made[key]
            self._put(key, made, size)
        return made

    def _weigh_latest(self, asked: Hashable) -> None:
        """Weigh again what was stored or used last, before another one is asked for: it may have grown since then."""
        with self._lock:
            latest = next(reversed(self._made), asked)
            made = self._made[latest][0] if latest != asked else None
            if asked in self._made:
                self._made.move_to_end(asked)
        if made is None:
            return
        size = self._weigh(made) + _ENTRY_BYTES
        with self._lock:
            known = self._made.get(latest)
            if known is not None and known[0] is made:
                self._made[latest] = made, size
                self._bytes += size - known[1]
                self._fit(latest)

    def find(self, key: Hashable) -> Made | None:
        """Return the cached value of the key; None if there is none."""
        with self._lock:
            found = self._made.get(key)
        return None if found is None else self.get(key, lambda: found[0])

    def take(self, key: Hashable) -> Made | None:
        """Remove and return the value of the key for exclusive use; None if there is none."""
        with self._lock:
            found = self._made.pop(key, None)
            self._bytes -= found[1] if found else 0
        return found[0] if found else None

    def give_back(self, key: Hashable, made: Made) -> None:
        """Store a value that was taken, or computed because there was none to take."""
        if self._grows:
            self._weigh_latest(key)
        size = self._weigh(made) + _ENTRY_BYTES
        with self._lock:
            self._put(key, made, size)

    def clear(self) -> None:
        """Remove all entries."""
        with self._lock:
            self._made.clear()
            self._bytes = 0

    def _put(self, key: Hashable, made: Made, size: int) -> None:
        before = self._made.pop(key, None)
        self._bytes += size - (before[1] if before else 0)
        self._made[key] = made, size
        self._fit(key)

    def _fit(self, weighed: Hashable) -> None:
        """Keep to the limit: without what was weighed if that alone exceeds it, else without what was used first."""
        if self._made[weighed][1] > self.most_bytes:
            self._bytes -= self._made.pop(weighed)[1]
        while self._bytes > self.most_bytes:
            _, (_, dropped) = self._made.popitem(last=False)
            self._bytes -= dropped


def kept(
    megabytes: float, weigh: Callable[[Any], int] = bytes_of
) -> Callable[[Callable[Arguments, Made]], Callable[Arguments, Made]]:
    """Cache the results of a function of hashable arguments, limited in megabytes; they must not be modified."""

    def keep(function: Callable[Arguments, Made]) -> Callable[Arguments, Made]:
        store: ByteCache[Made] = ByteCache(int(megabytes * _MB), weigh)

        @wraps(function)
        def found(*args: Arguments.args, **named: Arguments.kwargs) -> Made:
            key = (args, *sorted(named.items())) if named else args
            return store.get(key, lambda: function(*args, **named))

        found.kept = store  # type: ignore[attr-defined]
        return found

    return keep
