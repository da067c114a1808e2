"""Pictures: SVG written by hand, PNG made from it. Knows no rules: it is told what to draw.

Read `board_picture.py` first: the frame of every picture; `ground_*.py` draw one kind of board each, `reach_picture.py`
lays reach and routes over them.
"""

from __future__ import annotations

from simulator.geometry.board import Board
from simulator.pathing.reach import Reach
from simulator.pathing.route import Route
from simulator.views.board_picture import draw
from simulator.views.reach_picture import draw_reach, draw_route


def picture(thing: object) -> str:
    """Draw anything that shows itself in a notebook: a board, a reach, a route."""
    if isinstance(thing, Board):
        return draw(thing)
    if isinstance(thing, Reach):
        return draw_reach(thing)
    if isinstance(thing, Route):
        return draw_route(thing)
    raise TypeError(f"no picture of a {type(thing).__name__}")
