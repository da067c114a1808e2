"""What is made once and kept: safe to share between threads, and never more than a limit in bytes.

Two rules make it safe. What is kept is never changed by those who read it: it is made whole, then handed out. And
what has to be worked on, such as the arrays of a search, is lent: whoever takes it has it alone until it comes back.

>>> squares = ByteCache(most_bytes=1000)
>>> squares.get(12, lambda: 144), squares.get(12, lambda: 0)
(144, 144)
"""

from __future__ import annotations

import sys
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Mapping
from functools import wraps
from typing import Any, Generic, ParamSpec, TypeVar

import numpy as np

Made = TypeVar("Made")
Given = ParamSpec("Given")

_MB = 2**20
#: What a kept thing takes besides its own bytes: its place in the table, and its key.
_ENTRY_BYTES = 200


def bytes_of(value: Any) -> int:
    """Count the bytes of a value and of all that it holds; what says its own `byte_count` is believed.

    >>> bytes_of(np.zeros(1000)) >= 8000, bytes_of([np.zeros(10), np.zeros(20)]) >= 240
    (True, True)
    """
    seen: set[int] = set()
    waiting, total = [value], 0
    while waiting:
        one = waiting.pop()
        if id(one) in seen or isinstance(one, type) or callable(one):
            continue
        seen.add(id(one))
        known = getattr(one, "byte_count", None)
        if isinstance(known, int):
            total += known
            continue
        total += one.nbytes if isinstance(one, np.ndarray) else sys.getsizeof(one)
        if isinstance(one, Mapping):
            waiting += [*one.keys(), *one.values()]
        elif isinstance(one, (tuple, list, set, frozenset)):
            waiting += one
        else:
            waiting += vars(one).values() if hasattr(one, "__dict__") else ()
            slots = getattr(type(one), "__slots__", ())
            waiting += [getattr(one, name) for name in slots if isinstance(slots, tuple) and hasattr(one, name)]
    return total


class ByteCache(Generic[Made]):
    """The things made last, by key, as many as fit into so many bytes; the one not used for longest goes first.

    Nothing is made under the lock: two threads that want the same new thing at once both make it, and both get the one
    that was there first. What does not fit at all is handed out and not kept.
    """

    def __init__(self, most_bytes: int, weigh: Callable[[Made], int] = bytes_of, *, grows: bool = False) -> None:
        """Set the limit; `grows` says that things get heavier while they are kept, and are weighed whenever used."""
        self.most_bytes = most_bytes
        self._weigh, self._grows = weigh, grows
        self._made: OrderedDict[Hashable, tuple[Made, int]] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()

    @property
    def byte_count(self) -> int:
        """How many bytes are kept now."""
        return self._bytes

    def __len__(self) -> int:
        return len(self._made)

    def get(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made for the key before, or make it now."""
        with self._lock:
            found = self._made.get(key)
            if found is not None:
                self._made.move_to_end(key)
        if found is not None and not self._grows:
            return found[0]
        made = make() if found is None else found[0]
        size = self._weigh(made) + _ENTRY_BYTES
        with self._lock:
            if found is None and key in self._made:
                made, _ = self._made[key]
            self._put(key, made, size)
        return made

    def take(self, key: Hashable) -> Made | None:
        """Lend what is kept for the key, to be worked on alone; None where nothing is there."""
        with self._lock:
            found = self._made.pop(key, None)
            self._bytes -= found[1] if found else 0
        return found[0] if found else None

    def give_back(self, key: Hashable, made: Made) -> None:
        """Keep what was lent, or was made because nothing was there to be lent."""
        size = self._weigh(made) + _ENTRY_BYTES
        with self._lock:
            self._put(key, made, size)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._made.clear()
            self._bytes = 0

    def _put(self, key: Hashable, made: Made, size: int) -> None:
        before = self._made.pop(key, None)
        self._bytes -= before[1] if before else 0
        if size > self.most_bytes:
            return
        self._made[key] = (made, size)
        self._bytes += size
        while self._bytes > self.most_bytes:
            _, (_, dropped) = self._made.popitem(last=False)
            self._bytes -= dropped


def kept(
    megabytes: float, weigh: Callable[[Any], int] = bytes_of
) -> Callable[[Callable[Given, Made]], Callable[Given, Made]]:
    """Keep what a function of hashable arguments returns, up to so many megabytes; nobody may change it afterwards."""

    def keep(function: Callable[Given, Made]) -> Callable[Given, Made]:
        store: ByteCache[Made] = ByteCache(int(megabytes * _MB), weigh)

        @wraps(function)
        def found(*args: Given.args, **named: Given.kwargs) -> Made:
            key = (args, *sorted(named.items())) if named else args
            return store.get(key, lambda: function(*args, **named))

        found.kept = store  # type: ignore[attr-defined]
        return found

    return keep
