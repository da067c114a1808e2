"""Perft: how many different positions there are after so many orders, by the kind of the last one.

The characters give one order each in turn and are done. Nobody intercepts, tests and attacks succeed. A movement
back to where it began is not counted. Two positions are different if somebody stands elsewhere, runs or walks, grapples
with somebody else, or has another parity that lasts.

    python tests/rulebooks/perft_grid_runner.py        rewrites tests/cases/grid_runner/perft.json
"""

import json
import sys
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

import exhaustive_grid_runner as slow
from grid_runner_boards import game

from simulator.engine.answers import Answer
from simulator.engine.orders import Order
from simulator.engine.questions import React, Roll

DATA = Path(__file__).resolve().parents[1] / "cases/grid_runner/perft.json"
MOVEMENTS = ("move", "withdrawal", "one_square_move", "tumble")
BOARDS = {
    "corner": {"board": "@ . .\n. # .\n. . b", "scale": "m1", "walk": 3, "depth": 3},
    "friend in the door": {"board": "@ . # .\n# F . .\n# # # b", "scale": "m2", "walk": 3, "depth": 3},
    "shared square": {"board": "@ b .\n. . c", "scale": "m5", "walk": 2, "depth": 3},
    "past two": {"board": ". b . .\n@ . c .\n. . . .", "scale": "m1", "walk": 3, "depth": 2},
    "impeded": {"board": "@ , . . b .\n. . , . . .", "scale": "m2", "walk": 3, "depth": 2},
    "odd corners": {
        "board": "@ # .\n# . .\n. . b",
        "scale": "m1",
        "walk": 2,
        "depth": 3,
        "options": {"diagonal_corners": "free"},
    },
    "long diagonal": {
        "board": ". . .\n. . .\n@ . b",
        "scale": "m1",
        "walk": 4,
        "depth": 2,
        "options": {"diagonal_parity_reset": "never"},
    },
    "wide open": {
        "board": ". . . . . . .\n. . . . . . .\n. . . @ . . b\n. . . . . . .",
        "scale": "m1",
        "walk": 5,
        "depth": 1,
    },
}


class _Smoothly:
    """Nobody reacts, rolls succeed, choices are the first."""

    def answer(self, question, moment):
        if isinstance(question, React):
            return Answer(None)
        if isinstance(question, Roll):
            best = "holds" if "holds" in question.chances else max(question.chances, key=str)
            return Answer(max(question.chances) if question.dice else best)
        return Answer(question.options[0])


def opened(board):
    scale, walk = board["scale"], board["walk"]
    tables = {f"allotment_table.{scale}.{mode}.human.h1": [walk + more] for mode, more in (("walk", 0), ("run", 1))}
    return game(board["board"], {"scale": scale, **board.get("options", {})}, tables=tables, answers=_Smoothly())


def listed(played, name):
    """The legal orders of a character as the ruleset lists them."""
    return list(played.legal(name))


def enumerated(played, name):
    """The same, found by trying: every path, and every other order that can be said."""
    unit = played.ready_table(name).unit(name)
    for action in MOVEMENTS:
        for path in slow.paths(played, action, name):
            same_parity = not lasts(played) or slow.squares_paid(path, unit["parity"])[1] == unit["parity"]
            if slow.after(unit.place, path) != unit.place or not same_parity:
                yield slow.order_of(action, path, name)
    others = [unit.id for unit in played.table.units(other_than=played.table.unit(name).side)]
    orders = [Order(name, action) for action in ("start_run", "stop_run", "sprint", "delay")]
    orders += [Order(name, "act", args={"kind": kind}) for kind in ("free", "simple", "complex")]
    orders += [
        Order(name, action, args={"target": target})
        for target in others
        for action in ("melee_attack", "charge_attack", "grapple", "ranged_attack")
    ]
    yield from (order for order in orders if not played.breaches(order))


def lasts(played):
    """Whether the parity of diagonals outlasts a pass."""
    return played.setting.options.diagonal_parity_reset != "pass"


def signature(played):
    kept = lasts(played)
    units = [(unit.id, unit.place, unit["mode"], unit["grappling"], unit["parity"] * kept) for unit in played.state]
    return tuple(units), played.state.clock.number


def perft(board, depth, orders=listed):
    """Count positions for each depth and kind of the last order."""
    positions = {None: opened(board)}
    names = list(positions[None].state.units)
    found = {}
    for ply in range(depth):
        name = names[ply % len(names)]
        after, kinds = {}, defaultdict(set)
        for played in positions.values():
            for order in orders(played, name):
                twin = played.branch()
                twin.do(order)
                if twin.state.clock.turn == played.state.clock.turn and twin.state.clock.unit == name:
                    twin.do(f"{name} done")
                key = signature(twin)
                kinds[order.action].add(key)
                after.setdefault(key, twin)
        positions = after
        found[str(ply + 1)] = {kind: len(keys) for kind, keys in sorted(kinds.items())} | {"all": len(after)}
    return found


if __name__ == "__main__":
    counts = {name: {**board, "counts": perft(board, board["depth"])} for name, board in BOARDS.items()}
    DATA.write_text(json.dumps(counts, indent=1) + "\n", encoding="utf-8")
