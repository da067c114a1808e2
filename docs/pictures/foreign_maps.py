"""Pictures of docs/foreign_maps.md: the maps on that page as boards, some with what is in reach."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path
from typing import Any

from simulator import draw, plain_space, reach
from simulator.formats.foreign import read_map
from simulator.geometry.board import Board
from simulator.pathing.free import plan, prepare
from simulator.pathing.free.solids import obstacles_on
from simulator.views.reach_picture import draw_reach, draw_way_reach

PAGE = Path(__file__).resolve().parents[1] / "foreign_maps.md"
_MAP = re.compile(r"^```\w+ (\w+\.(?:board|tmx|dd2vtt|geojson|map|mesh))\n(.*?)^```$", re.M | re.S)


def maps() -> dict[str, Board[Any]]:
    """Return the boards of all maps on the page, by the names of their files."""
    found: dict[str, Board[Any]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in _MAP.findall(PAGE.read_text(encoding="utf-8")):
            path = Path(folder) / name
            path.write_text(text, encoding="utf-8")
            found[name] = read_map(path, scale=6.0 if name.endswith(".mesh") else None).board
    return found


def on_squares(board: Any, start: tuple[int, int], budget: int, title: str) -> str:
    """Draw where a plain walker gets to on squares."""
    return draw_reach(reach(board, plain_space(board, starts=[start], budget=budget)), title=title)


def on_table(table: Any, start: tuple[float, float], radius: float, budget: float, title: str) -> str:
    """Draw where a base gets to on a table."""
    found = plan(prepare(obstacles_on(table), radius), start, budget)
    return draw_way_reach(table, [start], radius, found.bands(), [], title=title)


def pictures() -> dict[str, str]:
    """Return each picture's file name and text."""
    boards = maps()
    return {
        "foreign_megamek.svg": draw(
            boards["ridge.board"], title="ridge.board: a cliff, and two buildings side by side"
        ),
        "foreign_tiled.svg": on_squares(boards["keep.tmx"], (3, 2), 6, "keep.tmx: six steps from inside the keep"),
        "foreign_uvtt.svg": on_table(boards["cellar.dd2vtt"], (4.0, 3.5), 0.2, 6, "cellar.dd2vtt: the door is closed"),
        "foreign_geojson.svg": on_table(boards["hamlet.geojson"], (8, 15), 0.5, 18, "hamlet.geojson: round the mill"),
        "foreign_movingai.svg": draw(boards["pond.map"], title="pond.map"),
        "foreign_polyanya.svg": on_table(boards["court.mesh"], (2, 9), 0.5, 14, "court.mesh: round the closed polygon"),
    }
