"""Writing YAML that all readers agree on: ambiguous texts in quotes, numbers exact.

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
#: Words that some YAML reader, old or new, does not read as text.
_TAKEN = frozenset(("true", "false", "null", "yes", "no", "on", "off", "y", "n"))
#: Invisible characters that JSON does not escape: controls, odd spaces, direction marks.
_UNSEEN = re.compile(
    "[\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff\ufff0-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e0fff]"
)


def text(value: str) -> str:
    """Return a text on one line, plain if that is safe, otherwise in double quotes."""
    if _PLAIN.fullmatch(value) and value.lower() not in _TAKEN:
        return value
    return quoted(value)


def quoted(value: str) -> str:
    """Return a text in double quotes, with invisible characters escaped."""
    if any("\ud800" <= character <= "\udfff" for character in value):
        raise BoardError(f"a lone surrogate (half a character) in {value!r} cannot be written to a file")
    escaped = json.dumps(value, ensure_ascii=False)
    return _UNSEEN.sub(lambda match: f"\\U{ord(match[0]):08x}", escaped)


def number(value: float) -> str:
    """Return a number so that it is read back exactly, whole numbers without a point."""
    whole = isinstance(value, int) or (value.is_integer() and abs(value) < 1e15 and str(value) != "-0.0")
    return str(int(value)) if whole else repr(float(value))


def flow(value: Any) -> str:
    """Return a value on one line, mappings and lists in brackets."""
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
    """Return a key with a list below it, one line for each entry; nothing if the list is empty."""
    return [f"{key}:", *(f"  - {flow(value)}" for value in values)] if values else []


def drawing(key: str, rows: list[str]) -> list[str]:
    """Return a drawing below its key; the indentation is stated if the first row begins with a blank."""
    return [f"{key}: |{'2' if rows[0].startswith(' ') else ''}", *(f"  {row}" for row in rows)]
