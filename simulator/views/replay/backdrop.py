"""The constant parts of a replay: the board, the legend, the buttons of the units, the ruler of the timeline."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from html import escape
from typing import Any

from simulator.geometry.board import Board
from simulator.views.board_picture import ground_style_of
from simulator.views.ground import GroundStyle, Tick, Zone
from simulator.views.legend import LegendEntry
from simulator.views.replay.captions import plain
from simulator.views.replay.figures import Figures
from simulator.views.replay.marks import mark_of, mark_picture
from simulator.views.replay.timeline import Timeline
from simulator.views.svg import FONT, Sheet, Svg, number

_WIDEST, _TALLEST = 1000.0, 800.0
_RIM = 26.0


@dataclass(frozen=True)
class Backdrop:
    """A board and how it lies on the page."""

    board: Board[Any]
    ground: GroundStyle
    sheet: Sheet

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the picture, the rim with the numbers included."""
        bounds, pixels = self.board.bounds, self.sheet.pixels
        return round(bounds.width * pixels + 2 * _RIM, 2), round(bounds.height * pixels + 2 * _RIM, 2)

    @property
    def size_in_words(self) -> str:
        """How large the board is."""
        return self.ground.size_in_words()


def stage_of(board: Board[Any]) -> Backdrop:
    """Lay a board on the page as large as there is room."""
    ground, bounds = ground_style_of(board), board.bounds
    pixels = min(_WIDEST / bounds.width, _TALLEST / bounds.height, 2 * ground.most_pixels)
    return Backdrop(board, ground, Sheet(_RIM, _RIM, bounds.min_x, bounds.max_y, pixels))


def board_picture(stage: Backdrop, sides: tuple[str, ...]) -> str:
    """Draw the board, with empty layers for what moves on it."""
    svg, sheet = Svg(*stage.size), stage.sheet
    svg.open("g", id="world")
    svg.open("g", class_="ground")
    stage.ground.draw(svg, sheet)
    svg.close("g")
    svg.open("g", class_="zones")
    for zone in stage.ground.zones():
        svg.add("path", d=sheet.path(zone.region), class_=f"zone side-{_number(zone.side, sides)}")
    svg.close("g")
    _layer(svg, "bands")
    svg.open("g", class_="ground")
    stage.ground.draw_walls(svg, sheet)
    svg.close("g")
    svg.open("g", class_="rim")
    _draw_ticks(svg, sheet, stage.ground.ticks(sheet.pixels))
    svg.close("g")
    svg.open("g", class_="names")
    for label in stage.board.labels:
        x, y = sheet.at(label.x, label.y)
        svg.text(x, y + 4, label.text, 13, text_anchor="middle")
    svg.close("g")
    for id in ("trails", "spot", "units", "labels"):
        _layer(svg, id)
    svg.close("g")
    view = f"0 0 {number(svg.width)} {number(svg.height)}"
    head = f'<svg id="board" viewBox="{view}" role="group" aria-label="The board" font-family="{escape(FONT)}">'
    return f"{head}{svg.fragment()}</svg>"


def _layer(svg: Svg, id: str) -> None:
    svg.open("g", id=id)
    svg.close("g")


def _draw_ticks(svg: Svg, sheet: Sheet, ticks: Iterable[Tick]) -> None:
    for tick in ticks:
        x, y = sheet.at(tick.at, tick.at)
        if tick.axis == "x":
            svg.text(x, sheet.top - 7, tick.text, 10, text_anchor="middle")
        else:
            svg.text(sheet.left - 7, y + 3.5, tick.text, 10, text_anchor="end")


def chips(figures: Figures) -> str:
    """Return a button for every unit that shows its reach, also for users without a mouse."""
    return "".join(
        f'<button type="button" class="chip" data-unit="{at}" aria-pressed="false">'
        f"{_mark(unit.side, figures.sides)}{plain(unit.id)}</button>"
        for at, unit in enumerate(figures.units)
    )


def legend(stage: Backdrop, sides: tuple[str, ...]) -> str:
    """Name the sides by their marks, then all that occurs on the board."""
    lines = [f"<li>{_mark(side, sides)}{plain(side)}</li>" for side in sides]
    lines += [_legend_line(entry) for entry in stage.ground.legend()]
    lines += [
        f'<li><span class="swatch area side-{_number(zone.side, sides)}"></span>{plain(_zone_name(zone))}</li>'
        for zone in stage.ground.zones()
    ]
    return "".join(lines)


def _legend_line(entry: LegendEntry) -> str:
    if entry.swatch is None:
        return f'<li class="heading">{plain(entry.label)}</li>'
    svg = Svg(16, 16)
    entry.swatch(svg, 0, 0)
    picture = f'<svg class="swatch ground" viewBox="0 0 16 16" aria-hidden="true">{svg.fragment()}</svg>'
    return f"<li>{picture}{plain(entry.label)}</li>"


def _zone_name(zone: Zone) -> str:
    return f"{zone.name} ({zone.side})" if zone.side else zone.name


def _number(side: str, sides: tuple[str, ...]) -> int:
    return sides.index(side) if side in sides else len(sides)


def _mark(side: str, sides: tuple[str, ...]) -> str:
    return mark_picture(mark_of(side, sides), _number(side, sides))


def ruler(timeline: Timeline) -> str:
    """Draw what lies below the slider: a short tick where an order begins, a long one where a turn does."""
    last = max(1, len(timeline.moments) - 1)
    orders, turns = [], []
    turn = chapter = -1
    for at, moment in enumerate(timeline.moments):
        x = number(1000 * at / last)
        if moment.state.clock.turn > turn:
            turns.append(f"M{x} 0v8")
        elif moment.chapter > chapter:
            orders.append(f"M{x} 0v4")
        turn, chapter = moment.state.clock.turn, moment.chapter
    svg = Svg(1000, 8)
    svg.add("path", d="".join(orders), class_="orders")
    svg.add("path", d="".join(turns), class_="turns")
    return (
        f'<svg class="ruler" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true">{svg.fragment()}</svg>'
    )
