"""Square grids as Moving AI `.map` files."""

from __future__ import annotations

from typing import Any

import numpy as np

from simulator.errors import BoardError
from simulator.formats.foreign.report import Report
from simulator.formats.movingai import LETTERS, parse_map
from simulator.geometry.board import Board
from simulator.geometry.squares import SquareGrid


def map_file_text(board: Board[Any], report: Report) -> str:
    """Return a board as the text of a `.map` file; count in the report what it cannot hold."""
    if not isinstance(board, SquareGrid):
        raise BoardError(f"only squares become a .map file, not {board.kind}")
    closed = {kind.terrain: letter for letter, kind in reversed(LETTERS.items()) if kind.wall}
    open_ground = {kind.terrain: letter for letter, kind in reversed(LETTERS.items()) if not kind.wall}
    letters = np.empty((2, len(board.terrain_kinds)), "U1")
    for number, word in enumerate(board.terrain_kinds):
        letters[:, number] = open_ground.get(word, "."), closed.get(word, "@")
    rows = letters[board.walls.astype(np.intp), board.terrain]
    for number, word in enumerate(board.terrain_kinds):
        for is_closed, known, instead in ((False, open_ground, "ground"), (True, closed, "closed ground")):
            count = int(np.count_nonzero((board.terrain == number) & (board.walls == is_closed)))
            if count and word not in known:
                report.lose(f"terrain {word!r}, which becomes {instead}", count=count)
    height, width = rows.shape
    text = "\n".join(["type octile", f"height {height}", f"width {width}", "map", *map("".join, rows.tolist())]) + "\n"
    again = parse_map(text)
    for what, own, other in (
        ("wall on an edge", board.walls_east, again.walls_east),
        ("wall on an edge", board.walls_south, again.walls_south),
        ("impeded square", board.impeded, again.impeded),
        ("level of a square", board.level != 0, again.level != 0),
    ):
        if lost := int(np.count_nonzero(own & ~other)):
            report.lose(what, count=lost)
    for own, other in ((board.walls_east, again.walls_east), (board.walls_south, again.walls_south)):
        if np.any(other & ~own):
            report.note("water of a .map file is closed off from land")
    for what, count in (("area", len(board.areas)), ("label", len(board.labels))):
        if count:
            report.lose(what, count=count)
    return text
