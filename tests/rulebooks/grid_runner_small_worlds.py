"""Every board of 3 x 3 squares with walls and up to two others, and for each of them reach against the judge.

A *ground* is where the walls are and where up to two others of either side stand; a *world* is a ground with the mover
on a square where it may stand. For a ground the judge is asked about every single step from every square; from its
verdicts all paths follow, for every square the mover may set out from, because it judges a path step by step (the
suite plays whole paths as well). Impeded squares are not told apart here: no movement looks at them, which a
test shows, so a world stands for all its 2 to the power of its open squares.

A ground can be turned and mirrored into up to eight. The long script asks about one of them, with every square the
mover may set out from; the slice of the suite is taken out of all, and a test compares the answers on the eight.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import combinations, combinations_with_replacement, product
from typing import Any

import numpy as np
from grid_runner_boards import RULES, character

from simulator.engine.game import Game
from simulator.geometry.squares import SquareGrid
from simulator.pathing.move_space import UNREACHED
from simulator.rulesets.grid_runner.interception import triggered
from simulator.rulesets.grid_runner.movement import PARITIES, is_diagonal, path_breaches
from simulator.rulesets.grid_runner.units import may_stop_on

SQUARES = [(column, row) for row in range(3) for column in range(3)]
SCALES = ("m1", "m2", "m5")
CORNERS = ("no_cut", "only_between_two", "free")
_PARTS = (lambda c, _: c, lambda _, r: r, lambda c, _: 2 - c, lambda _, r: 2 - r)
#: The eight ways to lay the board upon itself: where each square comes to lie.
SYMMETRIES = [
    {square: (_PARTS[x](*square), _PARTS[y](*square)) for square in SQUARES}
    for x, y in product(range(4), repeat=2)
    if x % 2 != y % 2  # one of the two comes of the column, the other of the row
]
_TURNS = [[SQUARES.index(to[square]) for square in SQUARES] for to in SYMMETRIES]
ACTIONS = ("move", "withdrawal", "one_square_move", "tumble")
#: Clauses that forbid only to stop on a square.
STOPPING = {"GR-37", "GR-39", "GR-71"}
#: More squares than any way on such a board costs.
ENOUGH = 40


@dataclass(frozen=True)
class Ground:
    """Where the walls are, and who stands where: pairs of a side and a square."""

    walls: frozenset[tuple[int, int]]
    others: tuple[tuple[str, tuple[int, int]], ...]

    @property
    def stands_for(self) -> int:
        """How many boards it is when each open square may be impeded or not."""
        return int(2 ** (9 - len(self.walls)))

    @property
    def turned(self) -> list[Ground]:
        """What it is turned and mirrored into, itself included: eight, some of them alike."""
        return [
            Ground(
                frozenset(to[square] for square in self.walls),
                tuple(sorted(((side, to[square]) for side, square in self.others), key=lambda one: (one[1], one[0]))),
            )
            for to in SYMMETRIES
        ]


def one_of_each(scale: str) -> Iterator[Ground]:
    """One ground of each eight that are turned and mirrored into each other: the one whose numbers are the least."""
    for ground in grounds(scale):
        walls, standing = _wall_numbers(ground.walls), [(SQUARES.index(square), side) for side, square in ground.others]
        if walls[0] == min(walls):
            alike = [_TURNS[number] for number, other in enumerate(walls) if other == walls[0]]
            if sorted(standing) == min(sorted((to[square], side) for square, side in standing) for to in alike):
                yield ground


@lru_cache(maxsize=8)
def _wall_numbers(walls: frozenset[tuple[int, int]]) -> list[int]:
    """The walls as a number, as they are and turned and mirrored in each way."""
    return [sum(1 << to[SQUARES.index(square)] for square in walls) for to in _TURNS]


def grounds(scale: str) -> Iterator[Ground]:
    """All of them; at m5 others may share a square."""
    sides = ("red", "blue")
    for number in range(2**9):
        walls = frozenset(square for bit, square in enumerate(SQUARES) if number >> bit & 1)
        free = [square for square in SQUARES if square not in walls]
        yield Ground(walls, ())
        for square, side in product(free, sides):
            yield Ground(walls, ((side, square),))
        for (one, two), pair in product(combinations(free, 2), product(sides, repeat=2)):
            yield Ground(walls, tuple(zip(pair, (one, two), strict=True)))
        if scale == "m5":
            for square, both in product(free, combinations_with_replacement(sides, 2)):
                yield Ground(walls, tuple((side, square) for side in both))


def starts(ground: Ground, scale: str) -> list[tuple[int, int]]:
    """The squares on which the mover may stand: at m5 others' too."""
    taken = set() if scale == "m5" else {square for _, square in ground.others}
    return [square for square in SQUARES if square not in ground.walls and square not in taken]


@lru_cache(maxsize=8)
def board_of(walls: frozenset[tuple[int, int]]) -> SquareGrid:
    """The board with these walls; grounds that have it in common follow one another, so its steps are compiled once."""
    rows = (" ".join("#" if (column, row) in walls else "." for column in range(3)) for row in range(3))
    return SquareGrid.from_text("\n".join(rows))


def played_on(ground: Ground, scale: str, corners: str, start: tuple[int, int]) -> Game[Any]:
    """A game on a ground, the mover A with more squares than it needs."""
    board = board_of(ground.walls)
    units = [character("A", "red", start)]
    units += [character(f"U{number}", side, square) for number, (side, square) in enumerate(ground.others, 1)]
    options = {"scale": scale, "diagonal_corners": corners}
    return Game.new(RULES, board, units, options=options, tables={f"allotment_table.{scale}.walk.human.h1": [ENOUGH]})


@dataclass
class Verdicts:
    """What the judge says of a ground: steps [square, direction], ends and threatened squares [square]."""

    step: np.ndarray
    end: np.ndarray
    threatened: np.ndarray


def judged(game: Game[Any], tumbling: bool) -> Verdicts:
    """Ask the judge about every step from every open square, and play about who is triggered there."""
    table = game.table
    verdicts = Verdicts(np.zeros((9, 8), bool), np.zeros(9, bool), np.zeros(9, bool))
    for number, square in enumerate(SQUARES):
        if game.board.walls[game.board.index(square)]:
            continue
        mover = replace(table.unit("A"), place=square)
        moved = type(table)(table.setting, table.state.with_unit(mover))
        verdicts.end[number] = may_stop_on(moved, mover, square)
        verdicts.threatened[number] = bool(triggered(moved, mover, square))
        for direction in range(8):
            broken = {one.clause for one in path_breaches(moved, mover, [direction], ENOUGH, tumbling)}
            verdicts.step[number, direction] = not broken - STOPPING
    return verdicts


_TO = {
    (number, direction): SQUARES.index((column + across, row + down))
    for number, (column, row) in enumerate(SQUARES)
    for direction, (across, down) in enumerate(((1, 0), (1, -1), (0, -1), (-1, -1), (-1, 0), (-1, 1), (0, 1), (1, 1)))
    if 0 <= column + across < 3 and 0 <= row + down < 3
}


def followed(verdicts: Verdicts, start: int, parity: int, most: int, safely: bool, exempt: bool) -> dict[Any, int]:
    """Follow every path of legal steps: the least cost of each square and parity where it may end.

    `safely` goes by steps that trigger nobody; with `exempt` the first one is free of that.
    """
    known = {(start, parity, True): 0}
    frontier = [(start, parity, True)]
    while frontier:
        state = frontier.pop()
        square, before, first = state
        if safely and verdicts.threatened[square] and not (first and exempt):
            continue
        for direction in np.flatnonzero(verdicts.step[square]).tolist():
            diagonal = is_diagonal(direction)
            cost = known[state] + (1 + before if diagonal else 1)
            after = (_TO[square, direction], 1 - before if diagonal else before, False)
            if cost <= most and cost < known.get(after, UNREACHED):
                known[after] = cost
                frontier.append(after)
    ends: dict[Any, int] = {}
    for (square, after, first), cost in known.items():
        if first or verdicts.end[square]:
            ends[square, after] = min(cost, ends.get((square, after), cost))
    return ends


def differences(ground: Ground, scale: str, corners: str) -> tuple[int, list[str]]:
    """Ask all questions about all worlds of a ground: how many worlds they are, and what differs."""
    places, found = starts(ground, scale), []
    if not places:
        return 0, []
    first = played_on(ground, scale, corners, places[0])
    by_judge = {tumbling: judged(first, tumbling) for tumbling in (False, True)}
    for place in places:
        for action, parity in product(ACTIONS, (0, 1)):
            if action == "one_square_move" and scale == "m5":
                continue
            mover = replace(first.state.unit("A").put(parity=parity), place=place)
            table = type(first.table)(first.setting, first.state.with_unit(mover))
            reach = RULES.reach(table, mover, action)
            verdicts, most = by_judge[action == "tumble"], 1 if action == "one_square_move" else ENOUGH
            start = SQUARES.index(place)
            wanted = followed(verdicts, start, parity, most, safely=False, exempt=False)
            asked = f"{scale} {corners} {sorted(ground.walls)} {ground.others} from {place}: {action}, parity {parity}"
            got: dict[Any, int] = {}
            for end in reach.ends:
                key = (SQUARES.index(end.place), int(end.phase.endswith(PARITIES[1])))
                got[key] = min(int(end.cost), got.get(key, UNREACHED))
            if got != wanted:
                found.append(f"{asked}: reach {got}, play {wanted}")
            if action != "tumble":
                safely = action != "one_square_move"
                sure = followed(verdicts, start, parity, most, safely, exempt=action == "withdrawal")
                certain = {column + 3 * row for row, column in np.argwhere(reach.certain).tolist()}
                if certain != {square for square, _ in sure}:
                    found.append(f"{asked}: certain {sorted(certain)}, in play {sorted({one for one, _ in sure})}")
    return len(places), found
