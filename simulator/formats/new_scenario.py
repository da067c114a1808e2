"""A new scenario of any rulebook: complete, commented, and played once before it is handed out.

>>> from simulator.rulesets import shelf
>>> print(new_scenario_text(shelf()["skirmish"]).partition(" Play")[0])
# A scenario of skirmish.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from simulator.engine.game import Game
from simulator.engine.ruleset import Ruleset
from simulator.engine.starter_units import StarterUnit
from simulator.engine.state import Unit
from simulator.engine.table import Setting
from simulator.engine.unread import unread_words
from simulator.engine.values import show
from simulator.errors import BoardError
from simulator.formats.board_files import load_any_board
from simulator.formats.boards import FORMAT, board_text, parse_board
from simulator.formats.scenario_file import collection
from simulator.formats.scenario_values import OFF_TABLE
from simulator.formats.scenarios import parse_scenario
from simulator.formats.setting_out import first_orders, is_carried, set_out, starters_of
from simulator.formats.starters import starter_for
from simulator.formats.yaml_text import flow, text
from simulator.geometry.board import Board
from simulator.wording import did_you_mean

#: The seed of the dice; any will do.
_SEED = 1


def new_scenario_text(
    ruleset: Ruleset[Any, Any],
    board_path: str | os.PathLike[str] | None = None,
    folder: str | os.PathLike[str] | None = None,
) -> str:
    """Return the text of a new scenario: a board, two sides, an order for each unit, the outcome as expectation.

    Without a `board_path` the board is the starter board of the rulebook. A scenario that is to stand in `folder`
    names the file of its board if it may read it from there; otherwise the board becomes part of the scenario.
    Raise FileError for a faulty board, BoardError for one on which the rulebook is not played.
    """
    board, written = _board(ruleset, board_path, folder)
    scenery = _scenery(ruleset, board)
    setting = Setting.of(ruleset, board, scenery=scenery)
    starters = starters_of(ruleset)
    if not starters:
        raise BoardError(f"{ruleset.name} names no units to begin with, and each of its types has required fields")
    units = set_out(setting, starters)
    head = [*_head(setting), *written, *_settings(setting, scenery), *_units(setting, starters, units)]
    where = None if folder is None else Path(folder)
    unplayed = parse_scenario("\n".join(head), "the new scenario", {ruleset.name: ruleset}, where)
    game = unplayed.start()
    orders = first_orders(game, starters)
    whole = "\n".join([*head, *_turns(orders), *_outcome(game)]) + "\n"
    account = parse_scenario(whole, "the new scenario", {ruleset.name: ruleset}, where).run()
    if not account.ok:
        raise BoardError(f"a new scenario of {ruleset.name} does not play as it was set up: {account.failures[0]}")
    return whole


# --- the board ---


def _board(
    ruleset: Ruleset[Any, Any], path: str | os.PathLike[str] | None, folder: str | os.PathLike[str] | None
) -> tuple[Board[Any], list[str]]:
    """Return the board and how the scenario names or contains it."""
    if path is None:
        starter = starter_for(ruleset)
        return parse_board(starter), _inside(starter)
    board, file = load_any_board(path), Path(path)
    if ruleset.boards and board.kind not in ruleset.boards:
        kinds = did_you_mean(board.kind, ruleset.boards)
        raise BoardError(f"{ruleset.name} is not played on {board.kind}, the kind of {file.name}; {kinds}")
    if folder is not None and file.suffix in (".yaml", ".yml") and (name := _named_from(Path(folder), file)):
        about = "# The board is a separate file, named relative to the folder of this file."
        return board, [about, f"board: {text(name)}", ""]
    return board, _inside(board_text(board))


def _named_from(folder: Path, file: Path) -> str:
    """Return the path of a board as a scenario in a folder names it; empty if it may not read it."""
    if not file.resolve().is_relative_to(collection(folder)):
        return ""
    name = Path(os.path.relpath(file.resolve(), folder.resolve())).as_posix()
    return name if name.isprintable() else ""


def _inside(board: str) -> list[str]:
    """Return the lines of a board's file as a part of a scenario."""
    lines = [line for line in board.splitlines() if not re.match(r"format:", line)]
    about = "# The board. It may also be in a separate file: `board: ../boards/yard.yaml`."
    return [about, "board:", *(f"  {line}".rstrip() for line in lines), ""]


def _scenery(ruleset: Ruleset[Any, Any], board: Board[Any]) -> list[str]:
    """Return the words of a board that the rulebook does not read: they are drawn, and mean nothing."""
    found: list[str] = []
    while True:
        unread = unread_words(Setting.of(ruleset, board, scenery=found))
        names = [one.word.name or one.word.key for one in unread if one.is_fault]
        more = sorted(set(names) - set(found))
        if not more:
            return sorted(found)
        found += more


# --- the parts of the text ---


def _head(setting: Setting[Any]) -> list[str]:
    name = setting.ruleset.name
    return [
        f"# A scenario of {name}. Play it with `simulator run FILE`; `simulator check FILE` lists every fault in it.",
        f"format: {FORMAT}",
        f"ruleset: {name}",
        "name: A first scenario",
        f"description: Two sides meet{f' at {_bare(setting.board.name)}' if setting.board.name else ''}.",
        "",
    ]


def _bare(name: str) -> str:
    return re.sub(r"[^\w' -]", "", name)


def _settings(setting: Setting[Any], scenery: Sequence[str]) -> Iterator[str]:
    """Yield the options and figures of the rulebook, one of each as an example, and the dice."""
    ruleset = setting.ruleset
    if scenery:
        yield f"# Words of the board that {ruleset.name} does not read: they are only drawn."
        yield f"scenery: {flow(list(scenery))}"
        yield ""
    if options := ruleset.options.declared:
        name, option = next(iter(options.items()))
        yield f"# House rules. `simulator rules {ruleset.name} --options` and `--figures` list what can be changed:"
        yield f"# options: {flow({name: _plain(option.default)})}    # {option.clause}"
    if figure := next((path for path in ruleset.tables if not isinstance(ruleset.tables[path], tuple)), ""):
        clause = ruleset.tables.clause(figure)
        yield f"# tables: {flow({figure: _plain(ruleset.tables[figure])})}" + (f"    # {clause}" if clause else "")
    yield ""
    yield "# Dice are rolled from a seed, always alike; `results: [3, 5]` would list them one by one."
    yield f"dice: {{seed: {_SEED}}}"
    yield ""


def _plain(value: Any) -> Any:
    return value if isinstance(value, bool | int | str) else show(value)


def _units(setting: Setting[Any], starters: Sequence[StarterUnit], units: Sequence[Unit]) -> Iterator[str]:
    name = setting.ruleset.name
    yield "# The units by name: a type, a side, where they stand, and what else differs from their type"
    yield f"# (`simulator rules {name} --units` lists all fields). Names are letters, digits, _ and -."
    yield "units:"
    lines = [
        (f"  {unit.id}: {flow(_entry(starter, unit))}", starter.about)
        for starter, unit in zip(starters, units, strict=True)
    ]
    width = max(len(line) for line, _ in lines)
    yield from (f"{line:<{width}}  # {about}" if about else line for line, about in lines)
    yield ""


def _entry(starter: StarterUnit, unit: Unit) -> Mapping[str, Any]:
    stands = {} if is_carried(starter) else {"at": list(unit.place)}
    heading = {} if starter.heading is None else {"heading": starter.heading}
    return {"type": unit.type, "side": unit.side, **stands, **heading, **starter.fields}


def _turns(orders: Sequence[str]) -> Iterator[str]:
    yield "# The orders: a list of turns, each a list of orders. A unit's go may also end with `NAME done`, and all"
    yield "# goes of a turn with `all done`. An order that is to be forbidden is written {order: ..., refused: CLAUSE}."
    yield "turns:"
    yield "  -"
    yield from (f"    - {flow(order)}" for order in orders)
    yield ""


def _outcome(game: Game[Any]) -> Iterator[str]:
    yield "# What is expected at the end; a run that ends otherwise fails. Change an order, and see."
    yield "expect:"
    yield "  units:"
    write = game.setting.vocabulary.goal_place.write
    for unit in game.state:
        yield f"    {unit.id}: {flow({'at': OFF_TABLE if unit.place is None else write(unit.place)})}"
