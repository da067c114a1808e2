"""What parts of spaces are compared by: their values, or where they have none, themselves.

>>> value_key([1, {"a": [2]}]) == value_key((1, {"a": (2,)}))
True
>>> value_key(lambda: 0) == value_key(lambda: 0)
False
"""

from __future__ import annotations

from typing import Any


def solid_key(thing: Any) -> object:
    """Return what a thing is compared by: its value, or where it has none, itself."""
    try:
        hash(thing)
    except TypeError:
        return id(thing)
    return thing


def value_key(value: Any) -> object:
    """Return what anything is compared by: sequences and mappings by what is in them, and the rest as things."""
    if isinstance(value, (list, tuple)):
        return tuple(map(value_key, value))
    if isinstance(value, dict):
        return tuple(sorted((str(name), value_key(one)) for name, one in value.items()))
    return solid_key(value)


def same_value(one: Any, other: Any) -> bool:
    """Whether two fields of spaces hold the same."""
    return one is other or value_key(one) == value_key(other)
