"""Mutants of every kind of file: what is sound is damaged, and then it is read as anybody's file would be.

    python tests/long/mutants.py --count 2000000 --seed 1
    python tests/long/mutants.py --seconds 600 --kind log

Each mutant is known by its kind, the seed and its number, and the same three give the same mutant again. It may be read
and played, or be refused with a documented error that says where and what; anything else is a fault, which is shown.
"""

from __future__ import annotations

import argparse
import copy
import json
import random
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from simulator.engine.log import Log, parse_log, replay
from simulator.engine.log_lines import written_line
from simulator.engine.values import read_plain
from simulator.errors import FileError, SimulatorError
from simulator.formats import strict_yaml
from simulator.formats.boards import board_text, parse_board
from simulator.formats.faults import Faults
from simulator.formats.movingai import parse_map
from simulator.formats.movingai import parse_queries as parse_map_queries
from simulator.formats.polyanya import parse_queries as parse_mesh_queries
from simulator.formats.polyanya import parse_table
from simulator.formats.scenarios import parse_scenario
from simulator.formats.starters import STARTERS
from simulator.rulesets import shelf

ROOT = Path(__file__).resolve().parents[2]
#: What is damaged: all boards and scenarios that come along, but for those that take long to read or to play.
_LONGEST = 3_000

ODD_TEXTS = (
    *("", " ", "~", "&a", "*a", "!!x", "<<", "---", "\t", "|", "|2", "{", "}", "[", "]", "#", ":", ",", '"', "'", "\\"),
    *(".nan", "1e999", "1e-999", "-1", "0", "0x1F", "9" * 30, "9" * 5000, "1/0", "1/3", f"1/{'9' * 5000}", "٣", "²"),
    *(
        "é",
        "\0",
        "\x1b]0;x\x07",
        "\u202e",
        "\u200b",
        "\ufeff",
        "\ud800",
        "\r",
        "\n",
        "null",
        "true",
        "None",
        "../",
        "/",
    ),
)
ODD_VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 1.5, -0.0, 2**31, 2**62, -(2**62), 2**64, 10**400, 1e300, 1e-300, "", "x", "N", "."),
    *(
        "all",
        "red",
        "done",
        "1/2",
        "1/0",
        "'1/2",
        f"1/{'9' * 5000}",
        "9" * 5000,
        "\x1b[2J",
        "\u202e",
        "\ud800",
        "x" * 20_000,
    ),
    *([], {}, [[]], [0, 0], [-1, 99], [1, 2, 3], [2.5, 2.5], [True, False], ["a", None], {"x": 1}, {"": ""}, [{}]),
    *([[0, 0], [1, 0]], [[0, 0], [4, 0], [4, 3]], [[[0, 0], [1, 1]]], "....\n.##.", {"at": [0, 0]}, {"kind": "wall"}),
)


# --- how something is damaged ---


def _damaged_text(text: str, dice: random.Random) -> str:
    for _ in range(dice.randrange(1, 4)):
        start = dice.randrange(len(text) + 1)
        match dice.randrange(6):
            case 0:
                text = text[:start] + dice.choice(ODD_TEXTS) + text[start + dice.choice((0, 0, 1, 5)) :]
            case 1:
                text = text[:start] + text[start + dice.randrange(1, 30) :]
            case 2:
                text = text[:start] + text[max(0, start - dice.randrange(1, 40)) :]
            case 3:
                text = text[:start]
            case 4:
                lines = text.split("\n")
                line = lines.pop(dice.randrange(len(lines)))
                lines.insert(dice.randrange(len(lines) + 1), " " * dice.randrange(3) + line)
                text = "\n".join(lines)
            case _:
                text = (
                    text[:start]
                    + chr(dice.choice((dice.randrange(32, 127), dice.randrange(1 << 16))))
                    + text[start + 1 :]
                )
    return text


def _damaged_tree(value: Any, dice: random.Random, depth: int = 0) -> Any:
    """Change a tree somewhere: swap a value for an odd one, drop it, say it twice, rename it, or go deeper."""
    if isinstance(value, dict) and value and (depth == 0 or dice.random() < 0.8):
        key = dice.choice(sorted(value))
        change = dice.random()
        if change < 0.1:
            del value[key]
        elif change < 0.2:
            value[key + dice.choice(("s", "x", "_", "\x1b"))] = value.pop(key)
        elif change < 0.25:
            value[dice.choice(("self", "id", "kind", "unit", "fields", "", "a.b"))] = dice.choice(ODD_VALUES)
        else:
            value[key] = _damaged_tree(value[key], dice, depth + 1)
        return value
    if isinstance(value, list) and value and dice.random() < 0.85:
        number = dice.randrange(len(value))
        change = dice.random()
        if change < 0.1:
            del value[number]
        elif change < 0.2:
            value.insert(dice.randrange(len(value) + 1), copy.deepcopy(value[number]))
        else:
            value[number] = _damaged_tree(value[number], dice, depth + 1)
        return value
    if isinstance(value, int) and not isinstance(value, bool) and dice.random() < 0.4:
        return value + dice.choice((-1, 1, 2, -3, 10))
    if isinstance(value, str) and value and dice.random() < 0.3:
        return _damaged_text(value, dice)
    odd = copy.deepcopy(dice.choice(ODD_VALUES))
    if dice.random() < 0.02:
        for _ in range(dice.choice((5, 33, 200))):
            odd = [odd]
    return odd


# --- what there is to be damaged ---


def _plain(node: strict_yaml.Node) -> Any:
    if isinstance(node.value, list):
        return [_plain(item) for item in node.value]
    if isinstance(node.value, dict):
        return {key: _plain(item) for key, item in node.value.items()}
    return node.value


def _tree_of(text: str) -> Any:
    node = strict_yaml.load(text, Faults("sound"))
    assert node is not None
    return _plain(node)


def _json(tree: Any, dice: random.Random) -> str:
    """Write a tree as JSON, which is YAML too; what nests too deep for that is written as brackets."""
    try:
        return json.dumps(tree, ensure_ascii=dice.random() < 0.5)
    except RecursionError:
        return '{"format": 1, "board": ' + "[" * 3_000 + "]" * 3_000 + "}"


@dataclass(frozen=True)
class Sound:
    """A sound file: its text, its tree, and the folder from which it names others."""

    text: str
    tree: Any
    folder: Path


def _sound(folder: str) -> tuple[Sound, ...]:
    files = sorted((ROOT / folder).rglob("*.yaml"))
    texts = [(file, file.read_text(encoding="utf-8")) for file in files if file.stat().st_size < _LONGEST]
    return tuple(Sound(text, _tree_of(text), file.parent) for file, text in texts)


@cache
def _boards() -> tuple[Sound, ...]:
    starters = (Sound(text, _tree_of(text), ROOT) for text in STARTERS.values())
    return (*starters, *_sound("boards"))


@cache
def scenarios() -> tuple[Sound, ...]:
    """Return the scenarios, in their trees the board in the place of its path."""
    found = _sound("scenarios")
    for sound in found:
        if isinstance(sound.tree["board"], str):
            board = _tree_of((sound.folder / sound.tree["board"]).read_text(encoding="utf-8"))
            del board["format"]
            sound.tree["board"] = board
        if sound.tree["ruleset"] == "dot_trooper":
            unit = next(iter(sound.tree["units"]))
            charge = {"by": unit, "side": "red", "at": [1, 1], "weapon": "grenade", "tn": 7}
            sound.tree["data"] = {"explosives": [charge]}
    return found


@cache
def _logs() -> tuple[tuple[dict[str, Any], ...], ...]:
    """Return the log of each scenario as its entries, without numbers and checksums."""
    logs = []
    with TemporaryDirectory() as folder:
        for sound in scenarios():
            file = Path(folder) / "log"
            parse_scenario(sound.text, folder=sound.folder).run(log=file)
            entries = [read_plain(line) for line in file.read_bytes().splitlines()]
            for entry in entries:
                del entry["n"], entry["crc"]
            logs.append(tuple(entries))
    return tuple(logs)


@cache
def _tables() -> tuple[Any, ...]:
    """Return each scenario with every option and every figure of its rulebook said in it."""
    found = []
    for sound in scenarios():
        ruleset = shelf()[sound.tree["ruleset"]]
        whole = copy.deepcopy(sound.tree)
        whole["options"] = {name: _said(option.default) for name, option in ruleset.options.declared.items()}
        whole["tables"] = {path: _said(ruleset.tables[path]) for path in list(ruleset.tables)}
        found.append(whole)
    return tuple(found)


def _said(value: Any) -> Any:
    if isinstance(value, Fraction):
        return f"{value.numerator}/{value.denominator}"
    if isinstance(value, tuple):
        return [_said(part) for part in value]
    return value


# --- the kinds ---


def _read_board(dice: random.Random) -> None:
    sound = dice.choice(_boards())
    if dice.random() < 0.5:
        text = _damaged_text(sound.text, dice)
    else:
        tree = copy.deepcopy(sound.tree)
        for _ in range(dice.randrange(1, 5)):
            tree = _damaged_tree(tree, dice)
        text = _json(tree, dice)
    board = parse_board(text)
    if dice.random() < 0.1:
        board_text(board)


def _read_scenario(dice: random.Random) -> None:
    sound = dice.choice(scenarios())
    if dice.random() < 0.4:
        text = _damaged_text(sound.text, dice)
    else:
        tree = copy.deepcopy(sound.tree)
        for _ in range(dice.randrange(1, 4)):
            tree = _damaged_tree(tree, dice)
        text = _json(tree, dice)
    scenario = parse_scenario(text, folder=sound.folder)
    # Every turn that is named is played, to the last: one of a million would be, too.
    if scenario.turns and len(scenario.turns) < 20:
        scenario.run()


def _read_tables(dice: random.Random) -> None:
    tree = copy.deepcopy(dice.choice(_tables()))
    keys = {part: list(tree[part]) for part in ("options", "tables")}
    for _ in range(dice.randrange(1, 4)):
        part = dice.choice(("options", "tables"))
        name = dice.choice(keys[part])
        tree[part][name] = _damaged_tree(tree[part].get(name), dice, 1)
    # Only some of them are said, as in most files.
    for part in ("options", "tables"):
        if dice.random() < 0.5:
            tree[part] = {name: tree[part][name] for name in dice.sample(sorted(tree[part]), min(8, len(tree[part])))}
    scenario = parse_scenario(_json(tree, dice))
    if scenario.turns and len(scenario.turns) < 20:
        scenario.run()


def _read_log(dice: random.Random) -> None:
    entries = [copy.deepcopy(entry) for entry in dice.choice(_logs())]
    for _ in range(dice.randrange(1, 4)):
        number = 0 if dice.random() < 0.4 else dice.randrange(len(entries))
        match dice.randrange(8):
            case 0 if len(entries) > 1:
                entries.pop(number)
            case 1:
                entries.insert(dice.randrange(len(entries) + 1), copy.deepcopy(entries[number]))
            case 2:
                other = dice.randrange(len(entries))
                entries[number], entries[other] = entries[other], entries[number]
            case 3:
                entries.insert(number + 1, {dice.choice(("undo", "order", "done", "event", "question", "x")): "x"})
            case _:
                damaged = _damaged_tree(entries[number], dice)
                entries[number] = damaged if isinstance(damaged, dict) else {"order": damaged}
    try:
        data = b"".join(written_line(number, entry) for number, entry in enumerate(entries, 1))
    except (RecursionError, ValueError):
        # This program cannot even write it: numbers too long, lists too deep.
        data = written_line(1, {"log": 1})[:-1] + b"[" * 100_000
    if dice.random() < 0.1:
        data = data[: dice.randrange(len(data))]
    log = parse_log(data)
    play_log(log, verify=dice.random() < 0.5)


def play_log(log: Log, verify: bool) -> None:
    """Play a log as `simulator replay` does."""
    ruleset = shelf()[log.header.ruleset]
    setting = log.setting(ruleset, parse_board(log.header.board_file, "log, board_file"))
    replay(log, setting, verify)


_MAP = "type octile\nheight 4\nwidth 5\nmap\n..@..\n.TTG.\nSWW..\n.....\n"
_MAP_QUERIES = "version 1\n0\tcellar.map\t5\t4\t0\t0\t4\t3\t5.24264069\n1\tcellar.map\t5\t4\t1\t1\t2\t2\t1.41421356\n"
_CORNERS = "0 0 1 0\n2 0 2 0 1\n2 2 2 0 1\n0 2 1 0\n4 0 1 1\n4 2 1 1\n"
_MESH = f"mesh\n2\n6 2\n{_CORNERS}4 0 1 2 3 -1 -1 1 -1\n4 1 4 5 2 0 -1 -1 -1\n"
_MESH_QUERIES = "version 1\n0 a.mesh 1 1 0.5 0.5 3.5 1.5 3.1622776\n1 a.mesh 1 1 0 0 9 9 -1\n"


def _read_map(dice: random.Random) -> None:
    text, parse = dice.choice(((_MAP, parse_map), (_MAP_QUERIES, parse_map_queries)))
    parse(_ascii(_damaged_text(text, dice)))


def _read_mesh(dice: random.Random) -> None:
    text, parse = dice.choice(((_MESH, parse_table), (_MESH, parse_table), (_MESH_QUERIES, parse_mesh_queries)))
    parse(_ascii(_damaged_text(text, dice)))


def _ascii(text: str) -> str:
    return text.encode("ascii", "replace").decode()


@cache
def _games() -> tuple[tuple[Any, tuple[str, ...]], ...]:
    games = []
    for sound in scenarios():
        scenario = parse_scenario(sound.text, folder=sound.folder)
        orders = tuple(step.order for turn in scenario.turns for step in turn if step.order)
        games.append((scenario, orders))
    return tuple(games)


def _read_order(dice: random.Random) -> None:
    scenario, orders = dice.choice(_games())
    game = scenario.start()
    order = dice.choice(orders)
    if dice.random() < 0.9:
        order = _damaged_text(order, dice)
    game.breaches(order)
    before = game.state
    try:
        game.do(order)
    except SimulatorError:
        assert game.state == before, "a refused order has changed the table"
        raise


KINDS: dict[str, Callable[[random.Random], None]] = {
    "board": _read_board,
    "scenario": _read_scenario,
    "tables": _read_tables,
    "log": _read_log,
    "map": _read_map,
    "mesh": _read_mesh,
    "order": _read_order,
}
#: Of so many mutants as these together, each kind has so many: what is read most is damaged most.
SHARES = {"board": 6, "scenario": 2, "tables": 1, "log": 3, "map": 4, "mesh": 4, "order": 4}


@dataclass(frozen=True)
class Mutant:
    """One mutant by its name: it can be made again from that."""

    kind: str
    seed: int
    number: int

    def __str__(self) -> str:
        return f"--kind {self.kind} --seed {self.seed} --only {self.number}"

    def outcome(self) -> str:
        """Read it; gives what came of it, and raises whatever is no documented answer."""
        dice = random.Random(f"{self.kind} {self.seed} {self.number}")
        try:
            KINDS[self.kind](dice)
        except FileError as error:
            assert error.exit_code in (3, 4)
            assert error.faults, "a file is refused, and nothing is said to be wrong"
            for fault in error.faults:
                assert fault.message, "a fault says nothing"
                assert fault.line >= 0
                assert fault.column >= (fault.line > 0)
            return "refused"
        except SimulatorError as error:
            # 70 is our own fault, and a rule's; never that of a file.
            assert error.exit_code in (1, 2, 3), f"{type(error).__name__} (exit {error.exit_code}): {error}"
            assert str(error)
            return type(error).__name__
        return "read"


def mutants(seed: int, kinds: tuple[str, ...] = tuple(KINDS), start: int = 0) -> Iterator[Mutant]:
    """Yield mutants without end, each kind by its share."""
    turns = [kind for kind in kinds for _ in range(SHARES[kind])]
    number = start
    while True:
        yield Mutant(turns[number % len(turns)], seed, number)
        number += 1


def main() -> int:
    """Read mutants until there are enough; gives 1 where one was not answered as it should be."""
    from rich.console import Console
    from rich.progress import Progress

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=10**9, help="so many mutants at most")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="so long at most")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--kind", choices=KINDS, action="append")
    parser.add_argument("--only", type=int, help="the mutant of this number alone, with what it raises")
    parser.add_argument("--slow", type=float, default=5.0, help="a mutant that takes so many seconds is a fault")
    said = parser.parse_args()
    if said.only is not None:
        print(Mutant(said.kind[0], said.seed, said.only).outcome())
        return 0
    if said.count == 10**9 and said.seconds == float("inf"):
        said.count = 20_000
    outcomes: Counter[tuple[str, str]] = Counter()
    faults: Counter[str] = Counter()
    begun = time.monotonic()
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("mutants", total=said.count if said.count < 10**9 else None)
        for done, mutant in enumerate(mutants(said.seed, tuple(said.kind or KINDS))):
            if done >= said.count or time.monotonic() - begun > said.seconds:
                break
            before = time.process_time()
            try:
                outcomes[mutant.kind, mutant.outcome()] += 1
            except Exception as error:
                where = traceback.extract_tb(error.__traceback__)[-1]
                what = f"{mutant.kind}: {type(error).__name__} in {where.filename.rpartition('/')[2]}:{where.lineno}"
                faults[what] += 1
                if faults[what] == 1:
                    progress.console.print(f"{what}: {str(error)[:200]}\n  {mutant}", markup=False)
            if (taken := time.process_time() - before) > said.slow:
                faults[f"{mutant.kind}: slow"] += 1
                progress.console.print(f"{taken:.1f} s\n  {mutant}", markup=False)
            progress.update(task, completed=done)
    for (kind, outcome), count in sorted(outcomes.items()):
        print(f"{kind:10}{outcome:20}{count:10}")
    for what, count in faults.most_common():
        print(f"FAULT {count:6}  {what}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
