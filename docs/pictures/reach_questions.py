"""The pictures of docs/reach.md: reach on all three kinds of board, ways, threats, what an option changes."""

from __future__ import annotations

from pathlib import Path

from simulator import load_scenario
from simulator.views.reach_picture import draw_answer, draw_comparison, draw_threats, route_line
from simulator.wording import measure

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"


def pictures() -> dict[str, str]:
    """Give each picture's file name and text."""
    chase = load_scenario(SCENARIOS / "grid_runner/market_chase.yaml").start()
    kit = chase.reach("kit")
    past = (1, 7)
    way = route_line(kit, past, measure(kit.cost_at(past), kit.unit))
    return {
        "reach_squares.svg": draw_answer(chase.table, kit, title="Where kit can end, running"),
        "reach_interrupted.svg": draw_answer(
            chase.table,
            kit,
            shade="chance",
            routes=way,
            foreseen=chase.foresee(kit.orders_to(past)),
            title="How surely kit gets there, and who can interrupt a way",
        ),
        "reach_compared.svg": draw_comparison(chase.compare("kit", {"scale": "m1"}), title="kit at one metre a square"),
    }


if __name__ == "__main__":
    from simulator.views.png import png_bytes

    for name, svg in pictures().items():
        Path("/tmp/face", name).with_suffix(".png").write_bytes(png_bytes(svg, 1))
