"""`simulator check`: every fault of every file, each with its position."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.example_names import files_argument
from simulator.cli.expanded import expanded
from simulator.cli.rulebook_files import rulebook_option
from simulator.cli.terminal import echo, named

if TYPE_CHECKING:
    from simulator.formats.scenario import Scenario
    from simulator.geometry.board import Board


@click.command("check")
@files_argument
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of lines.")
@rulebook_option
def command(files: tuple[Path, ...], as_json: bool) -> int:
    """Report everything that is wrong with FILES, all faults at once: boards, scenarios, and plans of sweeps.

    A folder stands for all .yaml files in it. Each fault is a line `file:line:column: path: what is wrong`. A note is
    not a fault: it names a word of a scenario's board that has no effect under its rulebook. Of a plan its scenarios
    are checked too, and agents of your own are imported.

    \b
    simulator check boards/
    simulator check hall.yaml --json

    Exit status: 0 all valid, 3 a file is faulty, 4 a file exceeds a limit.
    """
    from simulator.errors import Fault, FileError, LimitReached
    from simulator.formats.board_files import load_any_board
    from simulator.formats.peek import kind_of_file
    from simulator.formats.scenarios import load_scenario

    code = 0
    answers: list[dict[str, Any]] = []
    for path in expanded(files):
        try:
            match kind_of_file(path):
                case "scenario":
                    answer, summary = _sound_scenario(load_scenario(path))
                case "sweep":
                    answer, summary = _sound_sweep(path)
                case _:
                    answer, summary = _sound_board(load_any_board(str(path)))
        except FileError as error:
            code = max(code, 4 if isinstance(error, LimitReached) else 3)
            faults = [fault.to_fields() for fault in error.faults]
            answers.append({"file": str(path), "ok": False, "faults": faults})
            if not as_json:
                echo(str(error))
        else:
            answers.append({"file": str(path), "ok": True, **answer})
            if not as_json:
                echo(f"{named(path)}: ok ({summary})")
                for note in answer.get("notes", ()):
                    echo(f"  note: {Fault(**note)}")
    if as_json:
        echo(json.dumps({"format": 1, "files": answers}, indent=2))
    return code


def _sound_board(board: Board[Any]) -> tuple[dict[str, Any], str]:
    from simulator.formats.query_data import board_data

    return {"board": board_data(board)}, f"{board.kind}, {board.content_hash}"


def _sound_sweep(path: Path) -> tuple[dict[str, Any], str]:
    from simulator.sweeps.plan import SweepPlan
    from simulator.sweeps.plan_file import load_any_plan
    from simulator.wording import measure

    plan = load_any_plan(path)
    if isinstance(plan, SweepPlan):
        return {"sweep": plan.name, "games": len(plan)}, f"a sweep of {measure(len(plan), 'game')}"
    return {"sweep": plan.name, "maps": len(plan)}, f"a sweep of {measure(len(plan), 'reach map')}"


def _sound_scenario(scenario: Scenario) -> tuple[dict[str, Any], str]:
    from simulator.formats.query_data import board_data
    from simulator.wording import measure

    board, ruleset = scenario.setting.board, scenario.setting.ruleset.name
    answer = {
        "scenario": scenario.name,
        "ruleset": ruleset,
        "board": board_data(board),
        "units": len(scenario.units),
        "orders": scenario.orders,
        "notes": [note.to_fields() for note in scenario.notes],
    }
    counts = f"{measure(len(scenario.units), 'unit')}, {measure(scenario.orders, 'order')}"
    return answer, f"a scenario of {ruleset}: {counts}"
