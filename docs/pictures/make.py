"""Redraw every picture of the documentation: `make pictures`."""

from __future__ import annotations

import runpy
from pathlib import Path

from simulator import draw, load_board, plain_space, reach
from simulator.pathing.free import plan, prepare
from simulator.pathing.free.solids import obstacles_on
from simulator.views.reach_picture import draw_reach, draw_way_reach
from simulator.writing import write_whole

HERE = Path(__file__).resolve().parent
BOARDS = HERE.parents[1] / "boards"


def pictures() -> dict[str, str]:
    """Return each picture's file name and text."""
    shown = ("market_square", "office_block", "river_crossing")
    made = {f"{name}.svg": draw(load_board(BOARDS / f"{name}.yaml")) for name in shown}
    square = load_board(BOARDS / "market_square.yaml")
    answer = reach(square, plain_space(square, starts=[(9, 8)], budget=8, terrain_costs={"water": 2}))
    title = "Reach of a walker, 8 steps, diagonals 1-2-1-2"
    made["reach.svg"] = draw_reach(answer, routes=[answer.route_to((11, 14))], title=title)
    quarter = load_board(BOARDS / "ruined_quarter.yaml")
    base = plan(prepare(obstacles_on(quarter), 0.63), (12, 6), 9)
    ways, title = [base.route_to((19, 11))], "Where a base of radius 0.63 can get to, 9 inches"
    made["planner.svg"] = draw_way_reach(quarter, [(12, 6)], 0.63, base.bands(), ways, title=title)
    for script in ("dot_trooper", "foreign_maps", "grid_runner", "house_rule", "reach_questions", "skirmish"):
        made |= runpy.run_path(str(HERE / f"{script}.py"))["pictures"]()
    return made


def searched_pictures() -> dict[str, str]:
    """Return the same for pictures with outlines that a search closes in on: no two machines draw their last digits."""
    found: dict[str, str] = {}
    for script in ("combined_arms", "mecha", "posed"):
        found |= runpy.run_path(str(HERE / f"{script}.py"))["pictures"]()
    return found


if __name__ == "__main__":
    for name, svg in (pictures() | searched_pictures()).items():
        write_whole(HERE / name, svg.encode())
        print(f"docs/pictures/{name}")
