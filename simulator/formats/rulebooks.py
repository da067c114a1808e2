"""The pages of the rulebooks, which hold the text of every clause: in the installed package, or in a checkout."""

from __future__ import annotations

from functools import cache

from simulator.engine.clauses import Register
from simulator.errors import SimulatorError
from simulator.formats.examples import examples


@cache
def register_of(ruleset: str) -> Register | None:
    """Give the register of a ruleset's clauses, or None where its page did not come along.

    >>> register_of("skirmish")["SK-29"].text
    'The move is one straight line, measured once, not three lots of 3 inches.'
    """
    try:
        page = examples("docs/rules") / f"{ruleset}.md"
    except SimulatorError:
        return None
    return Register.read(page) if page.is_file() else None
