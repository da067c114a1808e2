"""The parts of the program that mutants are made of, and the tests that watch over each."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Part:
    """A folder of the program, the tests that watch over it, and those of its modules that are mutated."""

    folder: str
    tests: tuple[str, ...]
    modules: tuple[str, ...]


#: What the tests of each rulebook are called by.
_CALLED = {name: name for name in ("dot_trooper", "grid_runner", "mecha", "skirmish")} | {"combined_arms": "arms"}


def _rulebook(name: str, *modules: str) -> Part:
    """A rulebook is watched over by its own tests, and by those that take all rulebooks together."""
    others = [called for rulebook, called in _CALLED.items() if rulebook != name]
    found = sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("tests/rulebooks/test_*.py"))
    tests = tuple(file for file in found if not any(f"test_{other}" in file for other in others))
    return Part(f"simulator/rulesets/{name}", tests, modules)


#: The modules that say what an order costs, whether it is legal, what is in reach, and what an explanation claims.
PARTS = {
    "combined_arms": _rulebook(
        "combined_arms",
        "bands",
        "boarding",
        "clock",
        "damage",
        "drives",
        "entering",
        "features",
        "fire",
        "getting_off",
        "judge",
        "leaving",
        "matrix",
        "movement",
        "nearest_room",
        "overruns",
        "rates",
        "reach",
        "riding",
        "shortages",
        "storeys",
        "terrain",
        "transport",
        "turning",
        "under_way",
        "units",
        "why",
    ),
    "grid_runner": _rulebook(
        "grid_runner",
        "allotments",
        "charging",
        "clock",
        "interception",
        "judge",
        "movement",
        "odds/tumbling",
        "odds/walking",
        "ranges",
        "reach/answer",
        "reach/chains",
        "reach/charge_lanes",
        "reach/paces",
        "reach/waypoints",
        "tumbling",
        "units",
        "why",
        "without_effect",
    ),
    "dot_trooper": _rulebook(
        "dot_trooper",
        "aiming",
        "checks",
        "clock",
        "drive",
        "drive_states",
        "exposure",
        "flight",
        "foot",
        "surroundings",
        "judge/drive",
        "judge/orders",
        "landings",
        "movement",
        "odds",
        "other_actions",
        "outcomes",
        "poses",
        "reach/answer",
        "reach/drive",
        "reach/foot",
        "reach/questions",
        "riding",
        "skids",
        "standing",
        "why/drive",
        "why/foot",
        "why/remedies",
        "without_effect",
    ),
    "mecha": _rulebook(
        "mecha",
        "breaking_away",
        "capacity",
        "charging",
        "climbing",
        "clock",
        "contact",
        "declaring",
        "elevated",
        "falling",
        "features",
        "judge",
        "jumping",
        "landing",
        "move_judge",
        "movement",
        "passing",
        "plans",
        "rates",
        "setting_down",
        "turning",
        "units",
        "unloading",
    ),
    "skirmish": _rulebook(
        "skirmish",
        "any_direction/far_sides",
        "dodging",
        "figures",
        "front_point/lengths",
        "front_point/odds",
        "front_point/reach",
        "judge",
        "movement",
        "obstruction",
        "odds/apart",
        "odds/bands",
        "odds/chances",
        "odds/decision_places",
        "odds/plans",
        "odds/ranked",
        "planner_tables",
        "reach/answer",
        "reach/answer_cache",
        "reach/cuts",
        "reach/ends",
        "reach/fronts",
        "reach/full_runs",
        "reach/legs",
        "reach/nearby",
        "reach/orders",
        "reach/spends",
        "reach/touches",
        "reach/waypoints",
        "rolls",
        "shortfalls",
        "traverse/ends",
        "traverse/jumps",
        "traverse/rules",
        "units",
        "reach/least_ap",
        "why/reasons",
        "why/remedies",
    ),
    # The kit for inch tables is watched over by its own tests, and by those of the rulebook that uses it most.
    "kit": Part(
        "simulator",
        tuple(
            sorted(
                file.relative_to(ROOT).as_posix()
                for pattern in ("geometry/test_*", "pathing_free/test_*", "rulebooks/test_skirmish*")
                for file in ROOT.glob(f"tests/{pattern}.py")
            )
        ),
        (
            "engine/line_orders",
            "geometry/outline_rows",
            "geometry/outlines",
            "geometry/piece_groups",
            "geometry/rays",
            "geometry/standing_room",
            "geometry/table_parts",
            "geometry/tight_fits",
            "geometry/touches",
            "pathing/free/exact_lines",
            "pathing/free/grazes",
            "pathing/free/grown",
            "pathing/free/open_ground",
            "pathing/links/curves",
            "pathing/links/follow",
            "pathing/outline_places",
            "pathing/links/straight_across",
            "pathing/stages",
            "pathing/surroundings",
        ),
    ),
    # The engine is watched over by its own tests and by those that take all rulebooks together.
    "engine": Part(
        "simulator/engine",
        tuple(sorted(file.relative_to(ROOT).as_posix() for file in ROOT.glob("tests/engine/test_*.py")))
        + tuple(f"tests/rulebooks/test_{name}.py" for name in ("foresight_is_play", "board_words", "bulk_reach")),
        (
            "answers",
            "board_words",
            "bulk_reach",
            "comparison",
            "elsewhere",
            "foresight",
            "order_examples",
            "best_case",
            "lattice_reach",
            "legs",
            "log",
            "log_lines",
            "number_ranges",
            "openings",
            "playthrough",
            "plays",
            "questions",
            "ranges",
            "reach",
            "spot_ranges",
            "table_reach",
            "threats",
            "unread",
            "constraints",
        ),
    ),
}
