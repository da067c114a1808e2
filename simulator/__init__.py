"""Movement in tabletop wargames, on inch tables, hex-dot maps and square grids.

    game = load_scenario("ford.yaml").start()     a table to play at and to query
    game.reach("A2", "run")                       where a unit can end, at what cost, with what chance
    game.foresee("A2 run to 12,8")                price, rolls, and who could interrupt it where
    game.do("A2 run to 12,8")                     play it

    reach(board, plain_space(board, ...))         the same without a rulebook

Boards, tables, answers and ways are displayed in a notebook; `picture` returns the SVG of any of them. The names below
are the public interface; everything else may be imported from its package:

    geometry/   what space is              rulesets/  the rulebooks
    pathing/    searches, reach, routes    formats/   reading and writing files
    engine/     the referee's table        views/     pictures
"""

from __future__ import annotations

from simulator.interrupts import end_at_interrupt, is_the_program

if is_the_program():
    # First of all: the imports below take time, and Ctrl-C should work meanwhile.
    end_at_interrupt()

from importlib import import_module
from typing import TYPE_CHECKING

from simulator import pictures
from simulator.errors import BoardError, FileError, LimitReached, NoPlace, NoPose, SimulatorError
from simulator.version import __version__

if TYPE_CHECKING:
    from simulator.engine.errors import IllegalOrder
    from simulator.engine.game import Game
    from simulator.engine.orders import Order
    from simulator.engine.reach import WhyNot
    from simulator.formats.boards import load_board, parse_board, save_board
    from simulator.formats.scenario import Scenario
    from simulator.formats.scenarios import load_scenario, parse_scenario, save_scenario
    from simulator.geometry.dots import DotMap
    from simulator.geometry.masks import mask_of, zone
    from simulator.geometry.poses import Pose
    from simulator.geometry.squares import SquareGrid
    from simulator.geometry.table import InchTable
    from simulator.pathing.plain import plain_space
    from simulator.pathing.reach import Reach, reach
    from simulator.pathing.route import Route
    from simulator.pathing.traces import NoRoute
    from simulator.rulesets import shelf
    from simulator.views import picture
    from simulator.views.board_picture import draw

# Loaded when first used: `import simulator` and `simulator --help` stay fast.
_HOME_OF = {
    "DotMap": "simulator.geometry.dots",
    "Game": "simulator.engine.game",
    "IllegalOrder": "simulator.engine.errors",
    "InchTable": "simulator.geometry.table",
    "NoRoute": "simulator.pathing.traces",
    "Order": "simulator.engine.orders",
    "Pose": "simulator.geometry.poses",
    "Reach": "simulator.pathing.reach",
    "Route": "simulator.pathing.route",
    "Scenario": "simulator.formats.scenario",
    "SquareGrid": "simulator.geometry.squares",
    "WhyNot": "simulator.engine.reach",
    "draw": "simulator.views.board_picture",
    "load_board": "simulator.formats.boards",
    "load_scenario": "simulator.formats.scenarios",
    "mask_of": "simulator.geometry.masks",
    "parse_board": "simulator.formats.boards",
    "parse_scenario": "simulator.formats.scenarios",
    "picture": "simulator.views",
    "plain_space": "simulator.pathing.plain",
    "reach": "simulator.pathing.reach",
    "save_board": "simulator.formats.boards",
    "save_scenario": "simulator.formats.scenarios",
    "shelf": "simulator.rulesets",
    "zone": "simulator.geometry.masks",
}

__all__ = [
    "BoardError",
    "DotMap",
    "FileError",
    "Game",
    "IllegalOrder",
    "InchTable",
    "LimitReached",
    "NoPlace",
    "NoPose",
    "NoRoute",
    "Order",
    "Pose",
    "Reach",
    "Route",
    "Scenario",
    "SimulatorError",
    "SquareGrid",
    "WhyNot",
    "__version__",
    "draw",
    "load_board",
    "load_scenario",
    "mask_of",
    "parse_board",
    "parse_scenario",
    "picture",
    "plain_space",
    "reach",
    "save_board",
    "save_scenario",
    "shelf",
    "zone",
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
    return replay_frame(replay_page(thing, register=register_of(thing.setting.ruleset)))


pictures.plug_in(_picture, _page)
