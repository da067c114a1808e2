"""The memory of a paused rule, as a key: two plays whose rules have equal memories on equal tables continue alike.

A rule depends on the table, its order, and its own memory: the line it has reached, its local names, and its unfinished
loops. All of that is compared by value. Values that cannot be compared make a key that is equal to no other: then plays
that continue alike are followed separately, which takes longer and does not change the answer.
"""

from __future__ import annotations

import gc
from collections.abc import Generator, Iterable
from fractions import Fraction
from functools import cache
from types import (
    BuiltinFunctionType,
    CellType,
    CodeType,
    FrameType,
    FunctionType,
    GeneratorType,
    MappingProxyType,
    MethodType,
    ModuleType,
)
from typing import Any

from simulator.engine.orders import Element, Order
from simulator.engine.ruleset import Ruleset
from simulator.engine.state import State, Unit
from simulator.engine.table import Setting, Table
from simulator.engine.tables import Tables
from simulator.engine.values import Fields, to_text
from simulator.geometry.board import Board

#: Plain values; keys include their type, as True is not 1.
_PLAIN = frozenset({bool, int, float, str, bytes, type(None), Fraction})
#: Objects made once and shared by every play.
_SHARED = (
    *(Setting, Board, Ruleset, Tables, Order, Element),
    *(type, FunctionType, BuiltinFunctionType, CodeType, ModuleType),
)
_SAMPLES: tuple[Iterable[Any], ...] = (
    *([], (), range(0), range(2**70), {}, {}.items(), {}.values(), set(), ""),
    *(enumerate(()), zip(()), reversed([]), map(str, ()), filter(None, ())),
)
#: Iterators that reveal their position.
_LOOPS = tuple({type(iter(sample)) for sample in _SAMPLES})
#: The most parts of a memory; a larger one counts as incomparable.
_MOST_PARTS = 20_000


class Memory:
    """Makes keys of the memories of rules. Keys of tuples are cached."""

    def __init__(self) -> None:
        # Objects are kept with their keys, so that no other object gets the same id.
        self._known: dict[int, tuple[Any, Any]] = {}
        self._shared: dict[int, Any] = {}
        self._met: dict[int, tuple[Any, int]] = {}

    def of(self, rule: Generator[Any, Any, Any]) -> Any:
        """Return the key of a paused rule's memory."""
        if not _sees_loops():
            return object()
        self._met = {}
        return self._key(rule)

    def _key(self, thing: Any) -> Any:
        kind = type(thing)
        if kind in _PLAIN:
            return kind, thing
        if kind is tuple:
            return self._key_of_tuple(thing)
        if isinstance(thing, _SHARED):
            self._shared[id(thing)] = thing
            return id(thing)
        if isinstance(thing, (Table, State)):
            return (thing.state if isinstance(thing, Table) else thing).position_hash
        if kind is Unit:
            return thing
        if kind is Fields:
            return to_text(thing)
        if id(thing) in self._met:
            return "again", self._met[id(thing)][1]
        self._met[id(thing)] = thing, len(self._met)
        if len(self._met) > _MOST_PARTS:
            return object()
        return kind, self._key_of_parts(thing, kind)

    def _key_of_tuple(self, thing: tuple[Any, ...]) -> Any:
        known = self._known.get(id(thing))
        if known is not None:
            return known[1]
        key = (tuple, *[self._key(part) for part in thing])
        if all(type(part) in _PLAIN or (type(part) is tuple and id(part) in self._known) for part in thing):
            self._known[id(thing)] = thing, key
        return key

    def _key_of_parts(self, thing: Any, kind: type) -> Any:
        """Return the key of an object that may change, or that every play creates for itself."""
        if kind is GeneratorType:
            return self._key_of_rule(thing)
        if kind is list:
            return tuple([self._key(part) for part in thing])
        if kind in (set, frozenset):
            return frozenset([self._key(part) for part in thing])
        if kind in (dict, MappingProxyType):
            return tuple([(self._key(name), self._key(part)) for name, part in thing.items()])
        if kind is MethodType:
            return self._key(thing.__func__), self._key(thing.__self__)
        if kind is CellType:
            return self._key(thing.cell_contents)
        if isinstance(thing, _LOOPS):
            return self._key(thing.__reduce__())
        if (
            getattr(kind, "__hash__", None) is object.__hash__
            and hasattr(thing, "__dict__")
            and not hasattr(kind, "__slots__")
        ):
            return self._key(vars(thing))
        try:
            hash(thing)
        except TypeError:
            return object()
        # Compared by value if its type defines that, else equal only to itself.
        return thing

    def _key_of_rule(self, rule: GeneratorType[Any, Any, Any]) -> Any:
        frame = rule.gi_frame
        if frame is None:
            return "over"
        names = frame.f_locals
        held = [part for part in gc.get_referents(rule) if part is not names and not isinstance(part, FrameType)]
        return frame.f_lasti, tuple(names), tuple([self._key(part) for part in held])


@cache
def _sees_loops() -> bool:
    """Whether this Python reveals the unfinished loops of a paused rule, which have no local names."""

    def rule() -> Generator[None, None, None]:
        for _ in ("same", "same"):
            yield

    first, second = rule(), rule()
    next(first)
    next(second)
    same = Memory()._key(first) == Memory()._key(second)
    next(second)
    return bool(same and Memory()._key(first) != Memory()._key(second))
