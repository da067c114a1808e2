"""The pages of the rulebooks, with the text of every clause: in the installed package, or in a checkout."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from simulator.engine.clauses import Register
from simulator.engine.table import Rules
from simulator.errors import SimulatorError
from simulator.formats.examples import examples


def page_of(ruleset: str | Rules[Any]) -> Path | None:
    """Return the page of a ruleset: its own, or ours of that name; None if there is no such file."""
    if not isinstance(ruleset, str) and ruleset.page:
        page = Path(ruleset.page)
    else:
        try:
            page = examples("docs/rules") / f"{ruleset if isinstance(ruleset, str) else ruleset.name}.md"
        except SimulatorError:
            return None
    return page if page.is_file() else None


def register_of(ruleset: str | Rules[Any]) -> Register | None:
    """Return the register of a ruleset's clauses, or None if its page is not installed.

    >>> register_of("skirmish")["SK-29"].text
    'The move is one straight line, measured once, not three lots of 3 inches.'
    """
    page = page_of(ruleset)
    return None if page is None else _read(page)


@cache
def _read(page: Path) -> Register:
    return Register.read(page)
