"""The figures of a page: the position of each unit at each moment, as changes since the moment before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.state import State, Unit
from simulator.engine.table import Depiction, Table
from simulator.engine.values import show
from simulator.geometry.board import Board
from simulator.geometry.poses import place_text
from simulator.views.replay.marks import mark_of
from simulator.views.replay.outlines import FINENESS, Pool, outline
from simulator.views.replay.timeline import Timeline, TimelineMoment
from simulator.views.sharing import WHOLE, BaseShare, part_of_base, parts_of
from simulator.views.state_picture import USUAL_RADIUS, fire_arc_rims
from simulator.views.svg import Sheet
from simulator.wording import visible


@dataclass
class Figures:
    """Units, bases and moments as plain data."""

    timeline: Timeline
    sheet: Sheet
    units: list[Unit]
    sides: tuple[str, ...]
    bases: Pool = field(default_factory=Pool)

    def data(self, only_last: bool = False) -> dict[str, Any]:
        """Return all of it, or of the moments only those since the last order that can be seen began."""
        told: Sequence[TimelineMoment] = self.timeline.moments
        if only_last and len(told) > 1:
            told = [moment for moment in told if moment.chapter >= told[-2].chapter]
        moments = self._moments(told)
        return {"units": [self._unit(unit) for unit in self.units], "moments": moments, "bases": self.bases.texts}

    def _unit(self, unit: Unit) -> dict[str, Any]:
        return {
            "id": visible(unit.id),
            "side": visible(unit.side),
            "type": visible(unit.type.replace("_", " ")),
            "mark": mark_of(unit.side, self.sides),
            "number": self._number_of(unit.side),
        }

    def _moments(self, told: Sequence[TimelineMoment]) -> list[dict[str, Any]]:
        changing = _changing_fields(self.timeline.moments)
        pictured: dict[str, Any] = {}
        drawn_before: dict[str, tuple[Depiction | None, BaseShare]] = {}
        known: dict[str, dict[str, str]] = {}
        arcs_before: list[list[Any]] = []
        found = []
        for moment in told:
            new: dict[str, Any] = {"o": moment.chapter}
            if moment.place is not None and (at := self._spot(moment.place)) is not None:
                new["at"] = at
            if (arcs := self._arcs(moment.state)) != arcs_before:
                new["a"] = arcs_before = arcs
            parts = parts_of(moment.seen.values())
            units: dict[str, Any] = {}
            fields: dict[str, Any] = {}
            for number, unit in enumerate(self.units):
                drawn = moment.seen.get(unit.id)
                # None: it is there, but nothing is drawn of it; 0: it is gone.
                there = None if unit.id in moment.state.units else 0
                part = parts.get(unit.id, WHOLE)
                # Most of those on the table are drawn as they were the moment before.
                if drawn is not None and drawn_before.get(unit.id) == (drawn, part):
                    shown = pictured[unit.id]
                else:
                    shown = there if drawn is None else self._shown(drawn, part)
                drawn_before[unit.id] = drawn, part
                if unit.id not in pictured or pictured[unit.id] != shown:
                    pictured[unit.id] = units[str(number)] = shown
                texts = self._field_texts(moment.state.units.get(unit.id), changing.get(unit.id, ()))
                before = known.get(unit.id, {})
                if changed := {name: value for name, value in texts.items() if before.get(name) != value}:
                    fields[str(number)] = changed
                known[unit.id] = texts
            found.append(new | ({"u": units} if units else {}) | ({"f": fields} if fields else {}))
        return found

    def _arcs(self, state: State) -> list[list[Any]]:
        """Return the arcs of fire: the number of the side, the outline on the sheet, and whose it is."""
        rims = fire_arc_rims(Table(self.timeline.story.setting, state))
        return [
            [self._number_of(rim.side), self.bases.number(outline(rim.region, self.sheet)), visible(rim.label)]
            for rim in rims
        ]

    def _number_of(self, side: str) -> int:
        return self.sides.index(side) if side in self.sides else len(self.sides)

    def _field_texts(self, unit: Unit | None, names: Sequence[str]) -> dict[str, str]:
        """Return fields of a unit in words; what is as it usually is goes without saying."""
        if unit is None:
            return dict.fromkeys(names, "")
        known = self.timeline.story.setting.ruleset.unit_types.get(unit.type)
        usual = {} if known is None else known.fields
        told = {
            name: "" if name in usual and usual[name].default == unit.get(name) else unit.get(name) for name in names
        }
        return {name.replace("_", " "): _worded(value) for name, value in told.items()}

    def _spot(self, place: tuple[Any, ...]) -> list[int] | None:
        board: Board[Any] = self.timeline.story.setting.board
        return self._point(board.centre(place[:2])) if place[:2] in board else None

    def _point(self, point: tuple[float, float]) -> list[int]:
        x, y = self.sheet.at(*point)
        return [round(x * FINENESS), round(y * FINENESS)]

    def _shown(self, drawn: Depiction, part: BaseShare) -> list[Any]:
        """A unit on the board: where, facing which way, on what base, with which tokens, and its place in words."""
        board: Board[Any] = self.timeline.story.setting.board
        centre = board.centre(drawn.place[:2])
        base: int | str
        if part.of > 1:
            shape = part_of_base(board, drawn, USUAL_RADIUS if drawn.radius is None else drawn.radius, part)
            centre = (shape.centroid.x, shape.centroid.y)
            shape = shape.buffer(-1.5 / self.sheet.pixels, join_style="mitre")
            base = self.bases.number(outline(shape, self.sheet, self.sheet.at(*centre)))
        elif drawn.covers:
            x, y = self.sheet.at(*centre)
            # Half a line's width of air, so that neighbours stay apart.
            shape = board.region(drawn.covers).buffer(-1.5 / self.sheet.pixels, join_style="mitre")
            base = self.bases.number(outline(shape, self.sheet, (x, y)))
        elif drawn.base is not None:
            base = self.bases.number(outline(drawn.base.polygon, self.sheet, self.sheet.at(*centre)))
        else:
            radius = USUAL_RADIUS if drawn.radius is None else drawn.radius
            # A round base is given by its radius, and so is no outline: a number below none.
            base = -round(radius * self.sheet.pixels * FINENESS)
        heading = None if drawn.heading is None else round(float(drawn.heading), 1)
        tokens = visible(", ".join(token.replace("_", " ") for token in drawn.tokens))
        return [*self._point(centre), heading, base, tokens, place_text(drawn.place)]


def _changing_fields(moments: Sequence[TimelineMoment]) -> Mapping[str, tuple[str, ...]]:
    """Compute for each unit the names of its fields that are not the same all the time."""
    first: dict[str, Unit] = {}
    found: dict[str, dict[str, None]] = {}
    for moment in moments:
        for unit in moment.state:
            begun = first.setdefault(unit.id, unit)
            if unit.fields is begun.fields:
                continue
            for name, value in unit.fields.items():
                if value != begun.get(name):
                    found.setdefault(unit.id, {})[name] = None
    return {unit: tuple(sorted(names)) for unit, names in found.items()}


def _worded(value: Any) -> str:
    """Return the value of a field as text; false, missing and nested values are left out.

    >>> _worded(False), _worded(0), _worded("under_vehicle"), _worded((10, 9)), _worded(((1, 2), (1, 3)))
    ('', '0', 'under vehicle', '10,9', '')
    """
    nothing = value is None or value is False or value == ()
    listed = isinstance(value, tuple) and any(isinstance(part, tuple | bool | Mapping) for part in value)
    return "" if nothing or listed else visible(show(value).replace("_", " "))


def figures_of(timeline: Timeline, sheet: Sheet) -> Figures:
    """Look up all units that ever stand on the table."""
    units: dict[str, Unit] = {}
    for moment in timeline.moments:
        for unit in moment.state:
            units.setdefault(unit.id, unit)
    everybody = list(units.values())
    sides = tuple(dict.fromkeys(unit.side for unit in everybody if unit.side))
    return Figures(timeline, sheet, everybody, sides)
