"""Movement in tabletop wargames, on inch tables, hex-dot maps and square grids.

The names below are the public face; everything else may be imported from its room:

    geometry/   what space is              formats/   reading and writing files
    pathing/    searches, reach, routes    views/     pictures
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from simulator import pictures
from simulator.errors import BoardError, FileError, LimitReached, NoPlace, SimulatorError
from simulator.version import __version__

if TYPE_CHECKING:
    from simulator.formats.boards import load_board, parse_board, save_board
    from simulator.formats.scenarios import load_scenario, parse_scenario, save_scenario
    from simulator.geometry.dots import DotMap
    from simulator.geometry.squares import SquareGrid
    from simulator.geometry.table import InchTable
    from simulator.pathing.plain import plain_space
    from simulator.pathing.reach import Reach, reach
    from simulator.pathing.route import Route
    from simulator.views.board_picture import draw

# Loaded when first used: `import simulator` and `simulator --help` stay fast.
_HOME_OF = {
    "DotMap": "simulator.geometry.dots",
    "InchTable": "simulator.geometry.table",
    "Reach": "simulator.pathing.reach",
    "Route": "simulator.pathing.route",
    "SquareGrid": "simulator.geometry.squares",
    "draw": "simulator.views.board_picture",
    "load_board": "simulator.formats.boards",
    "load_scenario": "simulator.formats.scenarios",
    "parse_board": "simulator.formats.boards",
    "plain_space": "simulator.pathing.plain",
    "reach": "simulator.pathing.reach",
    "parse_scenario": "simulator.formats.scenarios",
    "save_board": "simulator.formats.boards",
    "save_scenario": "simulator.formats.scenarios",
}

__all__ = [
    "BoardError",
    "DotMap",
    "FileError",
    "InchTable",
    "LimitReached",
    "NoPlace",
    "Reach",
    "Route",
    "SimulatorError",
    "SquareGrid",
    "__version__",
    "draw",
    "load_board",
    "load_scenario",
    "parse_board",
    "parse_scenario",
    "plain_space",
    "reach",
    "save_board",
    "save_scenario",
]


def __getattr__(name: str) -> object:
    if name not in _HOME_OF:
        raise AttributeError(f"module 'simulator' has no attribute {name!r}")
    return getattr(import_module(_HOME_OF[name]), name)


def __dir__() -> list[str]:
    return __all__


def _picture(thing: object) -> str:
    from simulator.views import picture

    return picture(thing)


def _page(thing: object) -> str:
    from simulator.engine.story import Story
    from simulator.formats.rulebooks import register_of
    from simulator.views.replay import replay_frame, replay_page

    if not isinstance(thing, Story):
        raise TypeError(f"no page of a {type(thing).__name__}")
    return replay_frame(replay_page(thing, register=register_of(thing.setting.ruleset.name)))


pictures.plug_in(_picture, _page)
