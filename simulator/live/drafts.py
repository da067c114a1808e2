"""Scenarios that are being written: their text, changes of it, and what is wrong with it.

A draft is the text of a scenario with its board inside. The page holds it, and sends it with each question; nothing of
it is kept here.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from simulator.engine.unit_types import REQUIRED, FieldSpec, UnitType
from simulator.engine.values import show
from simulator.errors import Fault, FileError, NoPlace
from simulator.formats import limits
from simulator.formats.boards import FORMAT, parse_board
from simulator.formats.editing import plain, with_glyphs, with_part_inside, with_value, without
from simulator.formats.faults import no_such
from simulator.formats.new_scenario import new_scenario_text
from simulator.formats.scenario import FaultyPosition, Scenario
from simulator.formats.scenarios import load_scenario, parse_scenario
from simulator.formats.yaml_text import flow
from simulator.geometry.board import Lattice
from simulator.live.questions import Answers, AtMoment, Draft, Short
from simulator.live.shown import opened, shown
from simulator.reading import read_whole
from simulator.rulesets import shelf

_ROWS = ("board", "rows")
#: The name of its file in messages.
_NAME = "draft"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Nothing(_Strict):
    """A question without fields."""


class AskNew(_Strict):
    """A scenario of a rulebook to begin with."""

    ruleset: Short


class AskCheck(_Strict):
    """What a draft holds, and what is wrong with it."""

    draft: Draft


class Put(_Strict):
    """A value at a path; the value as it is written in a file."""

    do: Literal["put"]
    path: list[Short | int] = Field(min_length=1, max_length=12)
    value: Annotated[str, Field(max_length=10_000)]


class Remove(_Strict):
    """What is at a path goes."""

    do: Literal["remove"]
    path: list[Short | int] = Field(min_length=1, max_length=12)


class Paint(_Strict):
    """Another glyph at some cells of the drawing, each a row and a column."""

    do: Literal["paint"]
    cells: list[tuple[int, int]] = Field(min_length=1, max_length=100_000)
    glyph: Short


class Move(_Strict):
    """A unit elsewhere: at a row and a column, or at a point."""

    do: Literal["move"]
    unit: Short
    cell: tuple[int, int] | None = None
    point: tuple[float, float] | None = None


class AskEdit(AskCheck):
    """Changes of a draft, one after the other."""

    changes: list[Annotated[Put | Remove | Paint | Move, Field(discriminator="do")]] = Field(max_length=1000)


def drafted(answers: Answers, ask: AtMoment) -> dict[str, Any]:
    """Return the text of a scenario as a draft, with the text of its board inside, comments included."""
    if ask.draft:
        return {"draft": ask.draft}
    path = answers.path(ask.scenario)
    # The scenario is read first: that its board lies where a board may is found out there.
    board = _read(lambda: load_scenario(path)).board_path
    text = _text(path)
    return {"draft": with_part_inside(text, "board", _text(path.parent / board), ["format"]) if board else text}


def rulebooks(answers: Answers, ask: Nothing) -> dict[str, Any]:
    """Return the rulebooks that a new scenario can be of."""
    del answers, ask
    return {"rulebooks": [{"name": name, "title": ruleset.title or name} for name, ruleset in shelf().items()]}


def begun(answers: Answers, ask: AskNew) -> dict[str, Any]:
    """Return a scenario to begin with, as a draft."""
    del answers
    if ask.ruleset not in shelf():
        raise NoPlace(no_such(ask.ruleset, shelf(), "rulebook"))
    return {"draft": new_scenario_text(shelf()[ask.ruleset])}


def edited(answers: Answers, ask: AskEdit) -> dict[str, Any]:
    """Return a draft after some changes."""
    del answers
    text = ask.draft
    for change in ask.changes:
        if isinstance(change, Put):
            value = plain(f"value: {change.value}\n").get("value")
            text = with_value(text, tuple(change.path), value)
        elif isinstance(change, Remove):
            text = without(text, tuple(change.path))
        elif isinstance(change, Paint):
            text = with_glyphs(text, _ROWS, change.cells, change.glyph)
        else:
            text = with_value(text, ("units", change.unit, "at"), _place(text, change))
    return {"draft": text}


def checked(answers: Answers, ask: AskCheck) -> dict[str, Any]:
    """Return the faults of a draft, and what it holds if it can be shown."""
    del answers
    faults: Sequence[Fault] = ()
    try:
        scenario = parse_scenario(ask.draft, _NAME)
    except FileError as error:
        faults = error.faults
        if not isinstance(error, FaultyPosition):
            return {"faults": _listed(faults), "notes": [], "shows": None}
        scenario = error.scenario
    game = scenario.set_up()
    shows = {"opened": opened(scenario), "moment": shown(scenario, game), "tools": _tools(scenario, ask.draft)}
    return {"faults": _listed(faults), "notes": _listed(scenario.notes), "shows": shows}


def _listed(faults: Sequence[Fault]) -> list[dict[str, Any]]:
    return [fault.to_fields() for fault in faults]


def _text(path: Path) -> str:
    return read_whole(path, limits.FILE_BYTES.most).decode("utf-8-sig")


def _place(text: str, change: Move) -> list[float]:
    """Return the place of a unit as its board counts places."""
    if change.point is not None:
        return list(change.point)
    # Of the text only the board is read: a unit is moved whatever else is wrong.
    data = plain(text)
    inside = data.get("board") if isinstance(data, dict) else None
    if not isinstance(inside, dict):
        raise NoPlace("the draft holds no board that a unit could be moved on")
    board = parse_board(json.dumps({**inside, "format": FORMAT}), _NAME)
    if change.cell is None or not isinstance(board, Lattice):
        raise NoPlace("a unit is moved to a row and a column of squares or dots, or to a point of a table")
    if not all(0 <= number < size for number, size in zip(change.cell, board.shape, strict=True)):
        raise NoPlace(f"the board has no row {change.cell[0]}, column {change.cell[1]}")
    return list(board.place_at(*change.cell))


def _read(read: Callable[[], Scenario]) -> Scenario:
    """Return a scenario, also if its units stand where they may not."""
    try:
        return read()
    except FaultyPosition as error:
        return error.scenario


def _tools(scenario: Scenario, text: str) -> dict[str, Any]:
    """Return what can be placed: glyphs of the legend, kinds of pieces, types of units."""
    setting = scenario.setting
    board = plain(text)["board"]
    legend = board.get("legend", {}) if isinstance(setting.board, Lattice) else {}
    words = [one for one in setting.ruleset.reads.get(setting.board.kind, ()) if one.key == "kind" and not one.idle]
    return {
        "glyphs": [{"glyph": glyph, "about": flow(look)[1:-1]} for glyph, look in legend.items()],
        "kinds": [{"kind": kind, "about": one.about} for one in words for kind in one.words(setting.tables)],
        "pieces": [{"id": piece.get("id", ""), "kind": piece.get("kind", "")} for piece in board.get("pieces", [])],
        "types": [_type_fields(one) for one in setting.ruleset.unit_types.values()],
        "sides": list(dict.fromkeys(unit.side for unit in scenario.units if unit.side)),
    }


def _type_fields(one: UnitType) -> dict[str, Any]:
    return {
        "name": one.name,
        "about": one.about,
        "faces": one.faces,
        "fields": [_field_fields(name, spec) for name, spec in one.fields.items()],
    }


def _field_fields(name: str, spec: FieldSpec) -> dict[str, Any]:
    return {
        "name": name,
        "about": spec.about,
        "clause": spec.clause,
        "values": [show(value) for value in spec.values],
        "wants": "" if spec.wants is None else spec.wants.about,
        "required": spec.default is REQUIRED,
        "default": "" if spec.default is REQUIRED else show(spec.default),
    }
