"""The pictures of docs/reach.md: reach on all three kinds of board, ways, threats, what an option changes."""

from __future__ import annotations

from pathlib import Path

from simulator import load_scenario
from simulator.views.reach_picture import draw_answer, draw_comparison, draw_threats, route_line, ways_of

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"


def pictures() -> dict[str, str]:
    """Return each picture's file name and text."""
    chase = load_scenario(SCENARIOS / "grid_runner/market_chase.yaml").start()
    kit = chase.reach("kit")
    past = (1, 7)
    way = route_line(kit, past)
    alley = load_scenario(SCENARIOS / "dot_trooper/alley_turn.yaml").start()
    yard = load_scenario(SCENARIOS / "skirmish/the_yard.yaml").start()
    bay, behind = yard.reach("bay"), (15.0, 18.5)
    through = ways_of(yard.foresee(bay.orders_to(behind)))
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
        "reach_dots.svg": draw_answer(
            alley.table,
            alley.reach("ann", "drive"),
            shade="chance",
            title="How surely the bike ends where in the alley",
        ),
        "reach_table.svg": draw_answer(yard.table, bay, routes=through, title="Where bay can end with 3 AP"),
        "reach_threats.svg": draw_threats(yard.threats("red"), title="How many of red can end where, with 3 AP"),
    }
