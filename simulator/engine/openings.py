"""Validation of tables from logs: whether they can be the opening of a game.

Rules rely on the guarantees of a game's setup: units of known types with valid fields, on the board, and a clock within
a turn. A table that was read has to be checked for all of that again.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.engine.clock import Clock
from simulator.engine.constraints import is_number
from simulator.engine.errors import OptionError
from simulator.engine.facing import facing_fault
from simulator.engine.orders import Kind
from simulator.engine.places import read_as
from simulator.engine.ruleset import ruleset_of
from simulator.engine.state import State, Unit
from simulator.engine.table import Setting, Table
from simulator.engine.values import show
from simulator.wording import did_you_mean, measure


def opening_faults(setting: Setting[Any], state: State) -> Iterator[tuple[str, str]]:
    """Yield the faults of a table as an opening, each with its path."""
    for number, unit in enumerate(state):
        for where, what in _unit_faults(setting, unit):
            yield f"units[{number}]{where}", f"{unit.id}: {what}"
    for path, what in setting.ruleset.setting_faults(setting, list(state)):
        yield ".".join(path), what
    yield from _data_faults(setting, state)
    yield from _clock_faults(state)


def _unit_faults(setting: Setting[Any], unit: Unit) -> Iterator[tuple[str, str]]:
    faults = [*_faults_of_fields(setting, unit), *_faults_of_pose(setting, unit)]
    yield from faults or list(_faults_of_making(setting, unit)) or _faults_of_facing(setting, unit)


def _faults_of_fields(setting: Setting[Any], unit: Unit) -> Iterator[tuple[str, str]]:
    kinds = setting.ruleset.unit_types
    if kinds and unit.type not in kinds:
        yield ".type", f"no such type of unit {unit.type!r}; {did_you_mean(unit.type, kinds)}"
    elif kinds:
        try:
            filled = kinds[unit.type].filled(unit.fields)
        except OptionError as error:
            yield ".fields", _in_one_line(error)
        else:
            if missing := [name for name in filled if name not in unit.fields]:
                yield ".fields", f"has no {', '.join(missing)}"


def _faults_of_pose(setting: Setting[Any], unit: Unit) -> Iterator[tuple[str, str]]:
    if unit.place is not None and not _is_place(setting, unit.place):
        yield ".place", f"{show(unit.place)} is not a place on the board"
    if unit.heading is not None and not _is_heading(setting, unit.heading):
        yield ".heading", f"{show(unit.heading)} is not a heading: expected {setting.vocabulary.goal_heading.about}"


def _faults_of_making(setting: Setting[Any], unit: Unit) -> Iterator[tuple[str, str]]:
    """Yield what a ruleset checks when it makes a unit, beyond single fields: a possible heading, a complete card.

    Rules look headings up, so 60.0 is not accepted for 60.
    """
    if not setting.ruleset.unit_types:
        return
    try:
        made = setting.ruleset.make_unit(unit.id, unit.type, unit.side, unit.place, unit.heading, **unit.fields)
    except OptionError as error:
        yield error.path.removeprefix(unit.id) or ".fields", _in_one_line(error)
    else:
        if type(made.heading) is not type(unit.heading):
            yield ".heading", f"expected {made.heading!r}, not {unit.heading!r}"


def _faults_of_facing(setting: Setting[Any], unit: Unit) -> Iterator[tuple[str, str]]:
    if fault := facing_fault(ruleset_of(setting), setting.vocabulary, setting.board, unit):
        yield ".heading", fault


def _in_one_line(error: OptionError) -> str:
    return error.message.replace("\n", "; ")


def _is_place(setting: Setting[Any], place: Any) -> bool:
    kind = setting.vocabulary.goal_place
    return _is_written(kind, place) and place[:2] in setting.board


def _is_heading(setting: Setting[Any], heading: Any) -> bool:
    return _is_written(setting.vocabulary.goal_heading, heading)


def _is_written(kind: Kind, value: Any) -> bool:
    """Whether a value can be written: as text and read again it is the same."""
    parts = value if isinstance(value, tuple) else (value,)
    if not all(is_number(part) for part in parts):
        return False
    try:
        return bool(read_as(kind, kind.write(value)) == value)
    except (TypeError, ValueError, OverflowError):
        return False


def _data_faults(setting: Setting[Any], state: State) -> Iterator[tuple[str, str]]:
    known = setting.ruleset.data(setting)
    for name in state.data:
        if name not in known:
            yield f"data.{name}", f"no such entry; {did_you_mean(name, known)}"
    for name in known:
        if name not in state.data:
            yield f"data.{name}", "is missing"
    if all(name in state.data for name in known):
        for fault in setting.ruleset.data_faults(Table(setting, state)):
            yield "data", fault


def _clock_faults(state: State) -> Iterator[tuple[str, str]]:
    """Yield the faults of a clock: before the beginning it is empty; in a turn it names a phase and known units."""

    clock = state.clock
    if not clock.turn:
        if clock != Clock() or state.rolls or state.choices:
            yield "clock", "shows turn 0, before the beginning, but something has happened"
        return
    if clock.number >= len(clock.phases):
        yield "clock.number", f"shows phase {clock.number}, but the turn has {measure(len(clock.phases), 'phase')}"
    for name in ("unit", "resting", "line"):
        shown = getattr(clock, name)
        for unit in (shown,) if isinstance(shown, str) else shown:
            if unit and unit not in state.units:
                yield f"clock.{name}", f"there is no unit {unit!r}; {did_you_mean(unit, state.units)}"
