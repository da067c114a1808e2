"""The pictures of the rulebook mecha: a turn by plans, ends in contact, jumps and falls, free turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import shapely

from simulator import load_board, load_scenario
from simulator.engine.game import Game
from simulator.geometry.angles import unit_vector
from simulator.geometry.pieces import XY, PolygonShape
from simulator.geometry.shapes import less, polygons_of
from simulator.geometry.table import InchTable
from simulator.pathing.ends import HeadingRange
from simulator.rulesets.mecha import RULESET
from simulator.views.board_picture import draw
from simulator.views.overlays import Band, Outline, Overlays, RouteLine, UnitMark
from simulator.wording import chance_text

ROOT = Path(__file__).resolve().parents[2]
#: Four blocks with roofs in steps, and their streets.
CITY = load_board(ROOT / "boards/city_blocks.yaml")
#: How far the sector of headings is drawn, in inches, and how wide that of a single one, in degrees.
SECTOR, NARROWEST = 0.8, 5.0


def part_of(board: InchTable, low: XY, high: XY) -> InchTable:
    """A part of a table, for a picture of it alone."""
    frame = shapely.box(*low, *high)
    pieces = []
    for piece in board.pieces:
        seen = shapely.intersection(piece.shape.polygon, frame)
        parts = [part for part in shapely.get_parts(seen) if part.area > 0]
        if len(parts) == 1:
            shape = PolygonShape(parts[0].exterior.coords, [hole.coords for hole in parts[0].interiors])
            pieces.append(replace(piece, shape=shape))
    labels = [label for label in board.labels if frame.covers(shapely.Point(label.x, label.y))]
    width, height = high[0] - low[0], high[1] - low[1]
    return replace(
        board, width=width, height=height, origin=low, pieces=tuple(pieces), labels=tuple(labels), entry_areas=()
    )


def mark(game: Game[Any], name: str) -> UnitMark:
    """A unit where it stands."""
    unit = game.state.unit(name)
    return UnitMark(*unit.place, name, unit.side, heading=float(unit.heading), radius=float(unit["base"]))


def one_after_another(areas: Sequence[tuple[str, str, shapely.Geometry]]) -> list[Band]:
    """Areas as bands by label and colour, each without those before it, to a hundredth of an inch."""
    found, taken = [], shapely.Polygon()
    for label, colour, area in areas:
        ground = polygons_of(area)
        found.append(Band(polygons_of(less(ground, taken)).simplify(0.01), label, colour=colour))
        taken = shapely.union(taken, ground)
    return found


def circle(place: XY, radius: float = 0.5) -> shapely.Polygon:
    """A base where it would stand."""
    return shapely.Point(place).buffer(radius)


def a_turn() -> str:
    """What the plans of a turn lead to, and what one phase alone does."""
    game = load_scenario(ROOT / "scenarios/mecha/over_the_bank.yaml").start()
    plans = {plan.name: plan.answer for plan in game.reach("lynx", "turn").plans}
    shown = [
        ("standard, then free_turn", "1 AP: standard", "#f4dd8c"),
        ("free_turn, then standard", "1 AP: a free turn, then standard", "#e2a94b"),
        ("run, then free_turn", "2 AP: run", "#8fc49a"),
        ("standard, then standard", "2 AP: standard, then standard", "#2f8f83"),
        ("free_turn, then run", "2 AP: a free turn, then run", "#3f6fb0"),
        ("climb, then standard", "3 AP: climb, then standard", "#9a4f9a"),
    ]
    bands = one_after_another([(label, colour, plans[name].area) for name, label, colour in shown])
    alone = polygons_of(shapely.union(*(plans[name].area for name in (shown[0][0], shown[2][0]))))
    rim = Outline(alone.simplify(0.01), "one phase alone", dashes="5 3")
    units = [mark(game, "lynx"), mark(game, "lens")]
    overlays = Overlays(bands, outlines=[rim], units=units, heading="by the cheapest plan")
    return draw(part_of(CITY, (0, 17), (32, 46)), overlays, title="A turn of lynx, a walker of Move 6, by plans")


def way_to(game: Game[Any], name: str, action: str, place: XY) -> RouteLine:
    """The way that reach gives to a place."""
    played = game.branch()
    unit = played.state.unit(name)
    points, side = [unit.place], unit.side
    for order in played.reach(name, action).orders_to(place):
        points += [event.place for event in played.do(order).events if event.kind == "moves"]
    return RouteLine(points, "", side)


def in_contact() -> str:
    """Where a charge ends, and a manoeuvre: in contact with somebody."""
    units = [
        RULESET.make_unit("lance", "mecha", "red", (12, 23.5), 0, size_class=2, move=6),
        RULESET.make_unit("pony", "vehicle", "red", (20.2, 21.7), 0, mobility="wheel", size_class=2, move=8),
        RULESET.make_unit("brute", "mecha", "blue", (21, 24), 180, size_class=4, move=5, base=1),
        RULESET.make_unit("fox", "mecha", "red", (14.75, 19), 0, size_class=2, move=6, skills=["combat_manoeuvres"]),
        RULESET.make_unit("guard", "mecha", "blue", (16, 19), 180, size_class=3, move=5, base=0.75),
    ]
    game = Game.new(RULESET, CITY, units)
    charge, manoeuvre = game.reach("lance", "charge", target="brute"), game.reach("fox", "manoeuvre")
    bands = [Band(charge.area, "lance after a charge on brute, up to 12 mp", colour="#e07a3a")]
    bands.append(Band(manoeuvre.area, "fox after a manoeuvre, up to 3 mp", colour="#3f8f5f"))
    end = (22.299038, 24.75)  # 30 degrees round brute
    overlays = Overlays(
        bands,
        outlines=[Outline(circle(end), "a base in contact, and its way", dashes="4 3")],
        routes=[way_to(game, "lance", "charge", end)],
        units=[mark(game, unit.id) for unit in units],
        heading="where the centre can end",
    )
    return draw(part_of(CITY, (9, 16), (27, 31)), overlays, title="Ends in contact lie on lines round what is touched")


def told(falls: Any, level: str) -> str:
    """What a fall to a level does, in words."""
    spot = shapely.point_on_surface(falls.area_of(level=level))
    dice, endurance = falls.dice_at((spot.x, spot.y)), falls.endurance_at((spot.x, spot.y))
    usual = -(-dice.count * (dice.sides + 1) // 2)
    chance = sum(share for total, share in dice.chances.items() if total >= usual)
    return f"falls: {dice} damage ({usual} or more: {chance_text(chance)}), Endurance {endurance}"


def jumps() -> str:
    """Where a jump lands, and where it is a fall, with what that does."""
    unit = RULESET.make_unit("owl", "mecha", "blue", (35.5, 43.8), 180, size_class=2, move=6, level="cinema")
    game = Game.new(RULESET, CITY, [unit])
    stands, falls = game.reach("owl", "jump"), game.reach("owl", "jump", falls=True)
    bands = [
        Band(stands.area, "lands on the store, and stands", colour="#3f8f5f"),
        Band(falls.area_of(level="ground"), told(falls, "ground"), colour="#c2403a"),
    ]
    overlays = Overlays(bands, units=[mark(game, "owl")], heading="jumps off the cinema")
    return draw(
        part_of(CITY, (27, 30), (47, 48)),
        overlays,
        title="Jumps of owl, a walker of size class 2, from 6.5 inches",
    )


def sector(place: XY, headings: HeadingRange) -> shapely.Polygon:
    """A range of headings as a sector around a place; a single one as a narrow one."""
    width = max(headings.width, NARROWEST)
    first = float(headings.first) - (width - headings.width) / 2
    directions = [unit_vector(first + width * number / 24) for number in range(25)]
    return shapely.Polygon([place, *((place[0] + SECTOR * x, place[1] + SECTOR * y) for x, y in directions)])


def free_turns() -> str:
    """Which way a walker can face where it ends: at the lowest price of the place, and for more."""
    game = load_scenario(ROOT / "scenarios/mecha/edge_of_the_copse.yaml").start()
    reach = game.reach("heron", "standard")
    heights = load_board(ROOT / "boards/foundry_heights.yaml")
    things = shapely.union_all([piece.shape.polygon for piece in heights.pieces])
    area, (x, y) = reach.area, game.state.unit("heron").place
    lattice = [(x + 2 * right, y + 2 * up) for right in range(-3, 4) for up in range(-3, 4)]
    sectors: list[list[shapely.Geometry]] = [[], [], []]
    for place in lattice:
        is_end, is_clear = area.intersects(circle(place, 1e-6)), not things.intersects(circle(place, SECTOR))
        if place == (x, y) or not is_end or not is_clear:
            continue
        ranges, taken = reach.headings_at(place), shapely.Polygon()
        least = min(one.cost for one in ranges)
        for one in sorted(ranges, key=lambda one: float(one.cost)):
            kind = 0 if one.cost == least else 1 if one.cost <= least + 1 else 2
            sectors[kind].append(shapely.difference(sector(place, one), taken))
            taken = shapely.union(taken, sector(place, one))
    labels = ["for the mp of getting there", "for 0.5 or 1 mp more", "for more than that, up to 6 in all"]
    colours = ["#1f6f5f", "#e9b94a", "#c97a4a"]
    bands = [
        Band(shapely.union_all(some), label, colour=colour)
        for some, label, colour in zip(sectors, labels, colours, strict=True)
    ]
    overlays = Overlays(
        bands,
        outlines=[Outline(area, "can end within")],
        units=[mark(game, "heron")],
        heading="headings at some places",
    )
    return draw(part_of(heights, (-14, -4), (0, 12)), overlays, title="Which way heron can face after a standard move")


#: The pictures by their files.
FILES = {
    "mecha_turn.svg": a_turn,
    "mecha_contact.svg": in_contact,
    "mecha_jumps.svg": jumps,
    "mecha_headings.svg": free_turns,
}


def pictures() -> dict[str, str]:
    """Return each picture's file name and text."""
    return {name: made() for name, made in FILES.items()}
