"""Make every picture of the documentation anew: `make pictures`."""

from __future__ import annotations

import runpy
from pathlib import Path

from simulator import draw, load_board, plain_space, reach
from simulator.views.reach_picture import draw_reach

HERE = Path(__file__).resolve().parent
BOARDS = HERE.parents[1] / "boards"


def pictures() -> dict[str, str]:
    """Give each picture's file name and text."""
    shown = ("market_square", "office_block", "river_crossing")
    made = {f"{name}.svg": draw(load_board(BOARDS / f"{name}.yaml")) for name in shown}
    square = load_board(BOARDS / "market_square.yaml")
    answer = reach(square, plain_space(square, starts=[(9, 8)], budget=8, terrain_costs={"water": 2}))
    title = "Reach of a walker, 8 steps, diagonals 1-2-1-2"
    made["reach.svg"] = draw_reach(answer, routes=[answer.route_to((11, 14))], title=title)
    for script in ("dot_trooper", "grid_runner", "reach_questions", "skirmish"):
        made |= runpy.run_path(str(HERE / f"{script}.py"))["pictures"]()
    return made


if __name__ == "__main__":
    for name, svg in pictures().items():
        (HERE / name).write_text(svg, encoding="utf-8")
        print(f"docs/pictures/{name}")
