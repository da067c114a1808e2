"""What `why_not` names as the cause is one: with it gone the answer is another. On boards of all three kinds."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
from explained import asked_again, closed_places
from one_truth import POSITIONS

from simulator.engine.game import Game
from simulator.errors import SimulatorError


def without(game, reason, mover):
    """The game without what a reason names; None where that cannot be taken away, such as the edge of a board."""
    names = [name for name in re.split(r", ", str(reason.blocker)) if name in game.state.units]
    if names and mover not in names:
        state = game.state
        for name in names:
            state = state.without_unit(name)
        return Game(game.setting, state, game.answers)
    board = {"table": _table_without, "squares": _squares_without, "dots": _dots_without}[game.board.kind](
        game.board, reason
    )
    return None if board is None else Game(replace(game.setting, board=board), game.state, game.answers)


def _table_without(board, reason):
    pieces = [piece for piece in board.pieces if not re.search(rf"\b{re.escape(piece.id)}\b", str(reason.blocker))]
    return None if len(pieces) == len(board.pieces) else replace(board, pieces=tuple(pieces))


def _squares_without(board, reason):
    """One wall, or all of them where all together are named."""
    if reason.blocker != "wall":
        return None
    walls = board.walls.copy()
    walls[... if "every path" in reason.message else board.index(reason.place)] = False
    return replace(board, walls=walls)


def _dots_without(board, reason):
    if reason.blocker == "the edge of the map":
        return None
    row, column = board.index(reason.place)
    if reason.blocker == "an obstacle":
        impassable = board.impassable.copy()
        impassable[row, column] = False
        return replace(board, impassable=impassable)
    if reason.blocker == "a step":
        return replace(board, level=np.zeros_like(board.level))
    edges = tuple(edge for edge in board.edges if edge.kind != reason.blocker or reason.place not in (edge.a, edge.b))
    return None if len(edges) == len(board.edges) else replace(board, edges=edges)


def told(reason):
    """What a reason says, as far as it has to change."""
    return reason.clause, reason.blocker, reason.message, reason.place


def untrue_at(kind, game, answer, place):
    """Name the causes of one closed place that are none, and how many were tried."""
    why, tried, found = answer.why_not(place), 0, []
    for reason in why.reasons:
        fewer = without(game, reason, answer.mover.id) if reason.blocker else None
        again = None if fewer is None else asked_of(kind, fewer, answer)
        if again is None:
            continue
        tried += 1
        after = again.why_not(place)
        gone = {told(one) for one in why.reasons} - {told(one) for one in after.reasons}
        if told(reason) not in gone and place not in again:
            found.append(f"{place}: without {reason.blocker} it is {reason.clause} {reason.message} all the same")
        others = [told(one) for one in why.reasons if told(one) != told(reason)]
        is_alone = all(one[1] == reason.blocker for one in others)
        if is_alone and place not in again and not {told(one) for one in after.reasons} - set(map(told, why.reasons)):
            found.append(f"{place}: without {reason.blocker} nothing else is named: {after.reasons}")
    return found, tried


def asked_of(kind, game, answer):
    """The question of an answer asked in another game; None where it cannot be, as of a charge at nobody."""
    if answer.action != "charge_attack":
        return asked_again(kind, game, answer, answer.mover)
    return charged(game, answer.target.id) if answer.target.id in game.state.units else None


def charged(game, target):
    """The lanes to charge somebody, None where there are none to ask about."""
    try:
        return game.reach("A", "charge_attack", target=target)
    except SimulatorError:
        return None


def untrue(kind, seed, count=4, tried=None):
    """Name the causes of closed places of a generated position that are none."""
    game, answer = POSITIONS[kind](seed)
    if kind == "table":  # what one spend brings about has causes of its own, and is quickly asked
        answer = game.reach("A1", ("run", "traverse", "move", "turn")[seed % 4], **({"ap": 1} if seed % 4 == 3 else {}))
    if kind == "squares" and seed % 4 == 3 and (enemies := game.state.units.keys() - {"A"}):
        answer = charged(game, sorted(enemies)[0]) or answer
    found = []
    if answer.area.is_empty:
        return found
    for place in closed_places(answer, seed, count):
        wrong, number = untrue_at(kind, game, answer, place)
        found += wrong
        if tried is not None:
            tried.append(number)
    return found
