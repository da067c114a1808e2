"""The picture of a table: the board, the units with their headings, and their ways."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import replace
from typing import Any

from simulator.engine.errors import Breach
from simulator.engine.events import Event
from simulator.engine.state import State
from simulator.engine.table import Depiction, Table
from simulator.geometry.angles import unit_vector
from simulator.geometry.board import Board
from simulator.views.board_picture import TIP, draw
from simulator.views.overlays import Outline, Overlays, RouteLine, Spot, UnitMark
from simulator.views.sharing import WHOLE, BaseShare, part_of_base, parts_of

#: The drawn size of a unit without a size in the ruleset, in squares, dots or inches.
USUAL_RADIUS = 0.4


def draw_state(
    table: Table[Any],
    *,
    before: State | None = None,
    events: Iterable[Event] = (),
    faults: Iterable[Breach] = (),
    width_px: float = 1000,
    title: str | None = None,
) -> str:
    """Draw a table as the text of an SVG file; with the table `before` and the `events` since, also the ways gone.

    What is wrong with the position is marked where it is wrong; the legend names the clauses.
    """
    board = table.board
    routes = [] if before is None else list(ways_gone(board, before, events))
    spots = fault_spots(table, faults)
    overlays = Overlays(routes=routes, units=unit_marks(table), outlines=fire_arc_rims(table), spots=spots)
    return draw(board, overlays, width_px=width_px, title=title)


def fault_spots(table: Table[Any], faults: Iterable[Breach]) -> list[Spot]:
    """Return a numbered mark for each unit of which something is wrong, with the clauses; none without a place."""
    breaches: dict[str, list[Breach]] = {}
    for fault in faults:
        breaches.setdefault(fault.blocker, []).append(fault)
    spots: list[Spot] = []
    for name, here in breaches.items():
        unit = table.state.units.get(name)
        places = [*(fault.place for fault in here), None if unit is None else unit.place]
        place = next((place for place in places if place is not None and place[:2] in table.board), None)
        if place is not None:
            x, y = table.board.centre(place[:2])
            behind = sum((spot.x, spot.y) == (x, y) for spot in spots)
            clauses = ", ".join(dict.fromkeys(fault.clause for fault in here))
            label = ": ".join(filter(None, [name, clauses]))
            spots.append(Spot(x, y, len(spots) + 1, label, "" if unit is None else unit.side, behind))
    return spots


def fire_arc_rims(table: Table[Any], against: str = "") -> list[Outline]:
    """Return the rims of the arcs in which units fire; with a side `against`, only those of other sides."""
    rims = []
    for arc in table.setting.ruleset.fire_arcs(table):
        places = [place for place in arc.places if place in table.board]
        if places and (not against or arc.side != against):
            label = f"{arc.unit} fires here ({arc.weapon.replace('_', ' ')})"
            rims.append(Outline(table.board.region(places), label, dashes="7 4", side=arc.side))
    return rims


def unit_marks(table: Table[Any]) -> list[UnitMark]:
    """Return the mark of every unit, as described by the ruleset."""
    drawn = list(table.setting.ruleset.draw(table))
    parts = parts_of(drawn)
    return [_mark(table.board, one, parts.get(one.unit, WHOLE)) for one in drawn]


def named_marks(table: Table[Any], chosen: str = "") -> list[UnitMark]:
    """Return the mark of every unit with its name alone; one of them may be what the picture is about."""
    ids = [drawn.unit for drawn in table.setting.ruleset.draw(table)]
    return [replace(mark, label=unit, chosen=unit == chosen) for unit, mark in zip(ids, unit_marks(table), strict=True)]


def _mark(board: Board[Any], drawn: Depiction, part: BaseShare) -> UnitMark:
    x, y = board.centre(drawn.place[:2])
    # In a faulty position something may stick out over the rim of the board.
    covers = [place for place in drawn.covers if place in board]
    base = None if drawn.base is None else drawn.base.polygon
    if part.of > 1:
        base, covers = part_of_base(board, drawn, _radius(drawn), part), []
        x, y = base.centroid.x, base.centroid.y
    return UnitMark(
        x,
        y,
        " ".join([drawn.unit, *drawn.tokens]),
        side=drawn.side,
        heading=drawn.heading,
        radius=_radius(drawn),
        base=board.region(covers) if covers else base,
    )


def _radius(drawn: Depiction) -> float:
    """How large a unit is drawn; of a base that is no disc, so that the arrow head of its heading ends at its front."""
    if drawn.radius is not None:
        return drawn.radius
    if drawn.base is None or drawn.heading is None:
        return USUAL_RADIUS
    ahead = unit_vector(drawn.heading)
    front, middle = drawn.base.support(ahead), drawn.base.centre
    return sum((there - here) * part for there, here, part in zip(front, middle, ahead, strict=True)) / TIP


def ways_gone(
    board: Board[Any], before: State, events: Iterable[Event], of: Container[str] | None = None
) -> Iterable[RouteLine]:
    """Return the way of every unit, or of some, that events have moved, place by place."""
    stops: dict[str, list[tuple[float, float]]] = {}
    for event in events:
        for verb, unit, values in event.changes:
            place = values.get("place")
            if verb != "unit" or place is None or (of is not None and unit not in of):
                continue
            if unit not in stops:
                first = before.units.get(unit)
                stops[unit] = [] if first is None or first.place is None else [board.centre(first.place[:2])]
            stops[unit].append(board.centre(place[:2]))
    sides: Mapping[str, str] = {unit.id: unit.side for unit in before}
    for unit, points in stops.items():
        yield RouteLine(points, side=sides.get(unit, ""), unit=unit)
