"""Writing YAML that every reader reads alike: texts in quotes where they might mean something else, numbers exact.

>>> text("no"), text("Loading dock"), number(2.0), number(0.1), flow([1, "a: b"])
('"no"', 'Loading dock', '2', '0.1', '[1, "a: b"]')
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from simulator.errors import BoardError

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_]*(?:[ -][A-Za-z0-9_]+)*")
#: Words that some reader of YAML, old or new, takes for something else than a text.
_TAKEN = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
#: What JSON leaves as it is though nobody can see it: controls, odd spaces, marks that turn the direction of writing.
_UNSEEN = re.compile(
    "[\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff0-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e0fff]"
)


def text(value: str) -> str:
    """Write a text on one line, plain where that is safe, else in double quotes."""
    if _PLAIN.fullmatch(value) and value.lower() not in _TAKEN:
        return value
    return quoted(value)


def quoted(value: str) -> str:
    """Write a text in double quotes, all that can not be seen escaped."""
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise BoardError(f"half a character (a lone surrogate) in {value!r}: no file can hold it")
    escaped = json.dumps(value, ensure_ascii=False)
    return _UNSEEN.sub(lambda match: f"\\U{ord(match[0]):08x}", escaped)


def number(value: float) -> str:
    """Write a number so that exactly it is read back, whole numbers without a point."""
    whole = isinstance(value, int) or (value.is_integer() and abs(value) < 1e15 and str(value) != "-0.0")
    return str(int(value)) if whole else repr(float(value))


def flow(value: Any) -> str:
    """Write a value on one line, mappings and lists in brackets."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return text(value)
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{text(key)}: {flow(item)}" for key, item in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(flow(item) for item in value) + "]"
    return number(value)


def entries(key: str, values: list[Any]) -> list[str]:
    """Write a key with a list below it, one line for each entry; nothing where the list is empty."""
    return [f"{key}:", *(f"  - {flow(value)}" for value in values)] if values else []


def drawing(key: str, rows: list[str]) -> list[str]:
    """Write a drawing below its key. A first row that stands further right says how far the others are indented."""
    return [f"{key}: |{'2' if rows[0].startswith(' ') else ''}", *(f"  {row}" for row in rows)]
