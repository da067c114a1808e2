"""Writing a game as the text of a scenario: the opening, every order with its answers, the final table."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from simulator.engine.actions import Happened
from simulator.engine.errors import TableError
from simulator.engine.game import Game
from simulator.engine.objectives import NO_OBJECTIVE
from simulator.engine.orders import place
from simulator.engine.playthrough import BEGIN, Playthrough
from simulator.engine.questions import LET_PASS, Question
from simulator.engine.state import Unit
from simulator.engine.values import show
from simulator.errors import WrongValue, shortened
from simulator.formats.boards import FORMAT, board_text
from simulator.formats.objective_file import written_objective
from simulator.formats.scenario_values import OFF_TABLE, PASS
from simulator.formats.yaml_text import flow


def written_scenario(game: Game[Any], name: str, description: str, then: str = "") -> str:
    """Return the text of a game, without checking that it plays the same game.

    `then` is an order that has not been played: it comes last, and nothing is expected of the table after it.
    """
    if not isinstance(game, Playthrough):
        raise WrongValue(f"what is saved as a scenario is a Game, not {shortened(game)}")
    setting, opening = game.setting, game.opening
    if game.question is not None:
        raise TableError(f"a question is open, but a scenario holds complete orders: {game.question}")
    remembered = setting.ruleset.data(setting)
    data = {key: value for key, value in opening.data.items() if key not in remembered or remembered[key] != value}
    head = {"ruleset": setting.ruleset.name, "name": name, "description": description}
    lines = [f"format: {FORMAT}", *(f"{key}: {flow(value)}" for key, value in head.items() if value)]
    lines += ["board:", *(f"  {line}".rstrip() for line in board_text(setting.board).splitlines()[1:])]
    lines += [f"scenery: {flow(list(setting.scenery))}"] if setting.scenery else []
    for key, values in (("options", setting.options.changed), ("tables", setting.tables.overrides), ("data", data)):
        if values:
            lines.append(f"{key}: {flow(_plain(values))}")
    if setting.objective != NO_OBJECTIVE and (wanted := written_objective(setting)):
        lines.append(f"objective: {flow(_plain(wanted))}")
    lines += ["units:", *(f"  {unit.id}: {flow(_unit(game, unit))}" for unit in opening)]
    lines += _turns(game, then)
    if then:
        return "\n".join(lines) + "\n"
    clock = {"turn": game.state.clock.turn, "over": game.state.clock.over}
    lines += ["expect:", f"  clock: {flow(clock)}", "  units:"]
    lines += [f"    {unit.id}: {flow(_end(game, unit.id))}" for unit in opening]
    return "\n".join(lines) + "\n"


def written_value(value: Any) -> str:
    """Return a value as written in a file."""
    return flow(_plain(value))


def _plain(value: Any) -> Any:
    """Return a value as written in a file: fractions as texts."""
    if isinstance(value, Fraction):
        return str(value)
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    if isinstance(value, Mapping):
        return {name: _plain(part) for name, part in value.items()}
    if value is None:
        raise TableError("a scenario cannot express an empty value")
    return value


def _unit(game: Game[Any], unit: Unit) -> dict[str, Any]:
    usual = game.ruleset.unit_types[unit.type].fields
    fields = {name: value for name, value in unit.fields.items() if usual[name].default != value}
    entry = {"type": unit.type, "side": unit.side, **_stands(game, unit)}
    return {**{key: value for key, value in entry.items() if value != ""}, **_plain(fields)}


def _stands(game: Game[Any], unit: Unit) -> dict[str, str]:
    vocabulary = game.setting.vocabulary
    place = {} if unit.place is None else {"at": vocabulary.goal_place.write(unit.place)}
    return place if unit.heading is None else {**place, "heading": vocabulary.goal_heading.write(unit.heading)}


def _end(game: Game[Any], id: str) -> Any:
    unit = game.state.units.get(id)
    return "gone" if unit is None else {"at": OFF_TABLE, **_stands(game, unit)}


def _turns(game: Game[Any], then: str) -> list[str]:
    """Return every order under its turn, and one that was not played."""
    turn = 0
    by_turn: list[list[str]] = []
    for happened in game.history:
        if happened.order != BEGIN:
            while len(by_turn) < turn:
                by_turn.append([])
            by_turn[turn - 1].append(_order(game, happened))
        turn = happened.state.clock.turn
    if then:
        by_turn += [[] for _ in range(len(by_turn), max(turn, 1))]
        by_turn[-1].append(flow(then))
    if not by_turn:
        return []
    lines = ["turns:"]
    for orders in by_turn:
        lines += ["  -", *(f"    - {order}" for order in orders)] if orders else ["  - []"]
    return lines


def _order(game: Game[Any], happened: Happened) -> str:
    text = game.write(happened.given or happened.order)
    answers = [_answer(entry.question, entry.answer.value) for entry in happened.answered]
    return flow({"order": text, "answers": answers}) if answers else flow(text)


def _answer(question: Question, value: Any) -> Any:
    if value is LET_PASS:
        return PASS
    if not isinstance(value, tuple | Mapping):
        return _plain(value)
    message = show(value)
    # A spot is written to the last digit, a listed option as it is shown to people.
    return message if isinstance(value, Mapping) or question.meant(message) == value else place().write(value)
