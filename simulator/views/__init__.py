"""Pictures: SVG written by hand, PNG made from it. Knows no rules: rulebooks describe what to draw.

Read `board_picture.py` first: the frame of every picture; `ground_*.py` draw one kind of board each, `reach_picture.py`
lays reach and routes over them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from simulator.engine.comparison import Comparison
from simulator.engine.foresight import Foreseen
from simulator.engine.game import Game
from simulator.engine.reach import ReachAnswer
from simulator.engine.reverse_reach import ReverseReach
from simulator.engine.table import Table
from simulator.engine.threats import ThreatMap
from simulator.geometry.board import Board
from simulator.pathing.reach import Reach
from simulator.pathing.route import Route
from simulator.views.board_picture import draw
from simulator.views.dark import in_the_dark
from simulator.views.reach_picture import (
    draw_answer,
    draw_comparison,
    draw_foreseen,
    draw_reach,
    draw_reverse,
    draw_route,
    draw_threats,
)
from simulator.views.state_picture import draw_state

__all__ = ["in_the_dark", "picture"]

_DRAWN: dict[type, Callable[[Any], str]] = {
    Reach: draw_reach,
    Route: draw_route,
    Foreseen: draw_foreseen,
    ThreatMap: draw_threats,
    Comparison: draw_comparison,
    ReverseReach: draw_reverse,
}


def picture(thing: object) -> str:
    """Draw anything that shows itself in a notebook: a board, a table, an answer of reach, a route, foresight."""
    if isinstance(thing, Board):
        return draw(thing)
    if isinstance(thing, (Game, Table)):
        return draw_state(thing if isinstance(thing, Table) else thing.table)
    table = getattr(thing, "table", None)
    if isinstance(table, Table) and hasattr(type(thing), "chance_bands"):
        return draw_answer(table, cast(ReachAnswer, thing))
    for kind, drawn in _DRAWN.items():
        if isinstance(thing, kind):
            return drawn(thing)
    raise TypeError(f"no picture of a {type(thing).__name__}")
