"""The pictures of the rulebook combined_arms: bands of speed, a move with its prices, altitudes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import shapely

from simulator import load_board
from simulator.engine.game import Game
from simulator.geometry.shapes import less
from simulator.rulesets.combined_arms import RULESET
from simulator.rulesets.combined_arms.figures import BANDS
from simulator.views.board_picture import draw
from simulator.views.overlays import Band, Overlays, RouteLine, Spot, UnitMark
from simulator.wording import measure

BOARDS = Path(__file__).resolve().parents[2] / "boards"
#: A valley with a highway, trees, a bank, a ridge, dragon teeth.
VALLEY = load_board(BOARDS / "alder_valley.yaml")


def mark(game: Game[Any], name: str) -> UnitMark:
    """A piece where it stands."""
    unit = game.state.unit(name)
    return UnitMark(*unit.place, name, unit.side, heading=float(unit.heading), radius=float(unit["base"]))


def within_each_other(areas: Sequence[tuple[str, shapely.Geometry]]) -> list[Band]:
    """Areas that hold each other, the smallest first, as bands."""
    found, taken = [], shapely.Polygon()
    for number, (label, area) in enumerate(areas):
        found.append(Band(less(area, taken), label, number / max(len(areas) - 1, 1)))
        taken = area
    return found


def by_band() -> str:
    """Where a tracked vehicle can be, and how fast it is then as a target."""
    tank = RULESET.make_unit("tank", "vehicle", "red", (46, 22), 0, mobility="tracked", size_class=5, base=1)
    game = Game.new(RULESET, VALLEY, [tank])
    areas = [(f"{band} as a target", game.reach("tank", target=band).area) for band in BANDS[1:]]
    overlays = Overlays(within_each_other(areas), units=[mark(game, "tank")])
    return draw(VALLEY, overlays, title="A tank of 30 inches on a highway: rotations count for it, not as a target")


def a_move() -> str:
    """A move with the price of each leg, and the rotations between them."""
    car = RULESET.make_unit("car", "vehicle", "red", (44, 22), 0, mobility="wheeled", size_class=4, base=0.75)
    game = Game.new(RULESET, VALLEY, [car])
    here, begun = mark(game, "car"), (44.0, 22.0)
    legs, turns = [], []
    for event in game.do("car move: forward 8, turn_left 45, forward 6, turn_right 90, forward 5").events:
        if event.kind not in ("moves", "turns"):
            continue
        paid = measure(sum(line.price for line in event.price), "inch")
        if event.kind == "moves":
            legs.append(RouteLine([begun, event.place], paid, "red"))
            begun = event.place
        else:
            number = len(turns) + 1
            turns.append(Spot(*begun, number, f"{event.price[0].what}: {paid}", "red"))
    overlays = Overlays(routes=legs, spots=turns, units=[here, replace(mark(game, "car"), label="")])
    return draw(VALLEY, overlays, title="A wheeled car of 36 inches: two inches of highway cost one")


def by_altitude() -> str:
    """Where a grav vehicle can end on the ground, and where up in the air."""
    grav = RULESET.make_unit(
        "grav", "vehicle", "red", (12, 31), 0, mobility="grav", speed_grade="slow", size_class=4, base=0.75
    )
    game = Game.new(RULESET, VALLEY, [grav])
    reach = game.reach("grav", climbing=True)
    aloft, ground = reach.area_of(level=3), reach.area_of(level=0)
    bands = [Band(aloft, "ends 3 inches up, above the wood", 0.0), Band(ground, "ends on the ground", 1.0)]
    overlays = Overlays(bands, units=[mark(game, "grav")])
    return draw(VALLEY, overlays, title="A grav vehicle of 24 inches, on the ground and above a wood")


#: The pictures by their files.
FILES = {
    "combined_arms_bands.svg": by_band,
    "combined_arms_move.svg": a_move,
    "combined_arms_altitude.svg": by_altitude,
}


def pictures() -> dict[str, str]:
    """Return each picture's file name and text."""
    return {name: made() for name, made in FILES.items()}
