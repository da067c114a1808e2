"""A movement square by square: its steps and their prices, the judge of a given path, and the move space of a search.

`path_breaches` walks a given path step by step. `prepared_for` turns the same conditions into arrays. Neither calls the
other; the conditions and figures that both use stand in `units`, `allotments` and `step_price`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from simulator.byte_cache import kept
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.ledger import LedgerLine
from simulator.engine.orders import Element
from simulator.engine.state import Unit
from simulator.geometry.squares import STEP_NAMES, STEPS, Corners, Square, SquareGrid
from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.move_space import BLOCKED, Mask, MoveSpace, MoveStep, Plane, Start, shifted
from simulator.rulesets.grid_runner.allotments import allotment_now, squares_left
from simulator.rulesets.grid_runner.units import (
    GridTable,
    bars_stopping,
    closed_by,
    grid_of,
    held_fast,
    is_enemy,
    others_at,
    threat_offsets,
    threatens_at_all,
)

#: The names of steps in orders: e, ne, n, nw, w, sw, s, se.
DIRECTIONS = tuple(name.lower() for name in STEP_NAMES)
#: The phases of a move space: what the next diagonal costs, and that at the first step of a withdrawal.
PARITIES = ("diagonal costs 1", "diagonal costs 2")
FIRST_STEP = "first step"
FIRST_STEPS = tuple(f"{FIRST_STEP}, {phase}" for phase in PARITIES)
#: Straight steps stand first, so that routes prefer them.
_ORDER = sorted(range(8), key=lambda number: number % 2)
_CORNERS: Mapping[str, Corners] = {corners.value: corners for corners in Corners}
#: What a square takes of a board prepared for a position: its masks, also packed in bits.
_BYTES_OF_CELL = 16


# --- one step ---


@clause("GR-26")
def step_price(diagonal: bool, parity: int) -> tuple[int, int]:
    """Return the price of a step and the parity after it: diagonals cost 1, 2, 1, 2 ..., straight steps 1.

    >>> step_price(True, 0), step_price(True, 1), step_price(False, 1)
    ((1, 1), (2, 0), (1, 1))
    """
    return (1 + parity, 1 - parity) if diagonal else (1, parity)


def is_diagonal(direction: int) -> bool:
    """Whether a step in a direction (a number as in `STEPS`) is a diagonal one."""
    return direction % 2 == 1


def after_step(square: Square, direction: int) -> Square:
    """Return the square that a step leads to."""
    across, down = STEPS[direction]
    return square[0] + across, square[1] + down


def directions_of(elements: Iterable[Element]) -> list[int]:
    """Return the single steps of an order: `e 3, se` is four of them."""
    return [DIRECTIONS.index(element.name) for element in elements for _ in range(element.get("squares", 1))]


def elements_of(directions: Sequence[int]) -> list[Element]:
    """Return the elements of an order for single steps, with repeated steps combined."""
    elements: list[Element] = []
    for direction in directions:
        name = DIRECTIONS[direction]
        if elements and elements[-1].name == name:
            elements[-1] = Element(name, {"squares": elements[-1].get("squares", 1) + 1})
        else:
            elements.append(Element(name))
    return elements


def squares_of(start: Square, directions: Iterable[int]) -> list[Square]:
    """Return the squares of a path, the start first."""
    squares = [start]
    for direction in directions:
        squares.append(after_step(squares[-1], direction))
    return squares


@clause("GR-26")
def ledger_of(directions: Sequence[int], squares: Sequence[Square], parity: int) -> list[LedgerLine]:
    """Return the price of a path, one line for each step."""
    lines = []
    for direction, square in zip(directions, squares[1:], strict=True):
        price, parity = step_price(is_diagonal(direction), parity)
        kind = "diagonal step" if is_diagonal(direction) else "step"
        lines.append(
            LedgerLine(f"{kind} {DIRECTIONS[direction]} to {square[0]},{square[1]}", 1, price, "squares", "GR-26")
        )
    return lines


# --- the judge of a path ---


def corners_of(table: GridTable) -> Corners:
    """Return the option for diagonal steps past walls in the board's terms."""
    return _CORNERS[table.options.diagonal_corners]


@clause("GR-26", role="judge")
def step_breach(table: GridTable, square: Square, direction: int) -> Breach | None:
    """Return the breach if the board blocks a step, None if it does not."""
    board = grid_of(table)
    there = after_step(square, direction)
    if there not in board:
        return Breach("GR-26", f"the board ends {DIRECTIONS[direction]} of {at(square)}", place=square)
    row, column = board.index(square)
    if board.step_gates(corners_of(table))[direction, row, column]:
        return None
    if board.walls[board.index(there)]:
        return is_wall(there)
    way = f"the step {DIRECTIONS[direction]} from {at(square)}"
    if is_diagonal(direction):
        return Breach("GR-26", f"{way} cuts the corner of a wall", blocker="wall", place=square)
    return Breach("GR-26", f"{way} runs into a wall", blocker="wall", place=square)


@clause("GR-27", "GR-35", "GR-36", "GR-37", "GR-38", "GR-39", "GR-66", "GR-71", "GR-79", role="judge")
def path_breaches(
    table: GridTable, unit: Unit, directions: Sequence[int], left: int, tumbling: bool
) -> Iterator[Breach]:
    """Yield every reason why a character cannot take a path with `left` squares left."""
    square: Square = unit.place
    parity, spent = int(unit["parity"]), 0
    for direction in directions:
        if found := step_breach(table, square, direction):
            yield found
            if after_step(square, direction) not in grid_of(table):
                return
        square = after_step(square, direction)
        price, parity = step_price(is_diagonal(direction), parity)
        spent += price
        for other in others_at(table, square, unit):
            if closed := closed_by(table, unit, other, tumbling):
                yield not_through(unit, other, closed)
    if spent > left:
        yield too_far(table, unit, spent, left, square)
    yield from stopping_breaches(table, unit, square, tumbling)


@clause("GR-37", "GR-39", "GR-71", role="judge")
def stopping_breaches(table: GridTable, unit: Unit, square: Square, tumbling: bool) -> Iterator[Breach]:
    """Yield why a character cannot stop on a square: who stands there."""
    for other in others_at(table, square, unit):
        if barred := bars_stopping(table, unit, other, tumbling):
            message = f"{other.id} stands on {at(square)}: nobody can stop there"
            yield Breach(barred, message, blocker=other.id, place=square)


@clause("GR-26", role="judge")
def is_wall(square: Square) -> Breach:
    """Report that a square is a wall."""
    return Breach("GR-26", f"{at(square)} is a wall", blocker="wall", place=square)


@clause("GR-18", "GR-27", role="judge")
def too_far(table: GridTable, unit: Unit, needed: int, left: int, place: Square) -> Breach:
    """Describe by how many squares a movement falls short."""
    if allotment_now(table, unit) == 0 and left == 0:
        return Breach("GR-18", f"{unit.id} does not move in this pass: its figure is 0", needed, 0, place=place)
    short = needed - left
    return Breach(
        "GR-27",
        f"the movement costs {needed} squares, {unit.id} has {left} left: {short} short",
        needed,
        left,
        place=place,
    )


def not_through(unit: Unit, other: Unit, clause_id: str) -> Breach:
    """Report that a character closes its square to another."""
    message = f"{other.id} stands on {at(other.place)}: {_whose(unit, other)} square cannot be moved through"
    return Breach(clause_id, message, blocker=other.id, place=other.place)


def at(square: Square) -> str:
    """Write a square as in an order.

    >>> at((12, 8))
    '12,8'
    """
    return f"{square[0]},{square[1]}"


def _whose(unit: Unit, other: Unit) -> str:
    return "an enemy's" if is_enemy(unit, other) else "a friend's"


# --- the move space ---


@kept(megabytes=512)
def prepared_board(board: SquareGrid, corners: Corners, first_steps: bool = False) -> Prepared:
    """Return the steps on a board, prepared for searching; with `first_steps` those of a withdrawal.

    Where one may enter and end is left to masks, as it depends on who stands where.
    """
    ways = _ways(board, corners)
    begun = (PARITIES, FIRST_STEPS) if first_steps else (PARITIES,)
    steps = [
        _step(direction, parity, phases[parity], ways) for phases in begun for direction in _ORDER for parity in (0, 1)
    ]
    phases = tuple(phase for names in begun for phase in names)
    return Prepared(MoveSpace(board.shape, tuple(steps), phases=phases, planes=ways, unit="square"))


def _ways(board: SquareGrid, corners: Corners) -> dict[str, Plane]:
    """Compute where steps arrive that walls leave open, for the directions that depend on more than the two squares.

    They are planes, not gates: reading at the square of arrival costs a search next to nothing.
    """
    ways = {}
    for direction, open_ in enumerate(board.step_gates(corners)):
        across, down = STEPS[direction]
        free = ~board.walls & ~shifted(board.walls, -down, -across, True)
        if (free & ~open_).any():
            ways[DIRECTIONS[direction]] = np.where(shifted(open_, down, across, False), 1, BLOCKED)
    return ways


def _step(direction: int, parity: int, phase: str, ways: Mapping[str, Plane]) -> MoveStep:
    across, down = STEPS[direction]
    price, after = step_price(is_diagonal(direction), parity)
    name = DIRECTIONS[direction]
    way = name if name in ways else None
    return MoveStep(name, down, across, from_phase=phase, to_phase=PARITIES[after], cost=price, plane=way)


@clause("GR-35", "GR-36", "GR-37", "GR-38", "GR-39", "GR-40", "GR-70", "GR-71", role="search")
def standing_masks(table: GridTable, unit: Unit, tumbling: bool = False) -> tuple[Mask, Mask]:
    """Return the squares that a character may enter, and those on which others leave it room to stop."""
    board = grid_of(table)
    return _all_but(board, *_taken(table, unit, tumbling))


def _taken(table: GridTable, unit: Unit, tumbling: bool) -> tuple[tuple[Square, ...], tuple[Square, ...]]:
    """Return the squares that others close to a character, and those on which they leave it no room to stop."""
    closed: list[Square] = []
    no_room: list[Square] = []
    of_side: dict[str, list[list[Square]]] = {}
    for other in table.state:
        if other.id == unit.id or other.place is None:
            continue
        lists = of_side.get(other.side)
        if lists is None:  # all of a side stand alike: their posture makes no difference
            closes, bars = closed_by(table, unit, other, tumbling), bars_stopping(table, unit, other)
            lists = of_side[other.side] = [*([closed] if closes else []), *([no_room] if bars else [])]
        for squares in lists:
            squares.append(other.place)
    return tuple(closed), tuple(no_room)


def _all_but(board: SquareGrid, *taken: tuple[Square, ...]) -> tuple[Mask, Mask]:
    """Return the squares without walls, once for each list of squares: without those."""
    enter, end = ~board.walls, ~board.walls
    for mask, squares in zip((enter, end), taken, strict=True):
        for column, row in squares:
            mask[row, column] = False
    return enter, end


@clause("GR-43", "GR-44", "GR-45", "GR-47", "GR-48", role="search")
def threatened_squares(table: GridTable, enemies: Iterable[Unit]) -> Mask:
    """Return the squares in the threatened area of at least one of these: leaving them triggers it."""
    rows, columns = grid_of(table).shape
    found = np.zeros((rows, columns), np.bool_)
    for enemy in enemies:
        if threatens_at_all(table, enemy):
            for across, down in threat_offsets(table.options.scale):
                column, row = enemy.place[0] + across, enemy.place[1] + down
                if 0 <= row < rows and 0 <= column < columns:
                    found[row, column] = True
    return found


def start_of(table: GridTable, unit: Unit, first_step: bool = False) -> Start:
    """Return the state in which a character sets out."""
    row, column = grid_of(table).index(unit.place)
    return Start(row, column, None, (FIRST_STEPS if first_step else PARITIES)[unit["parity"]])


@clause("GR-55", "GR-56", "GR-79")
def budget_of(table: GridTable, unit: Unit, action: str, mode: str = "", extra: int = 0) -> int:
    """Return the squares that a movement may use: those left, for a One-Square-Move at most one."""
    left = 0 if held_fast(unit) else squares_left(table, unit, mode) + extra
    return min(left, 1) if action == "one_square_move" else left


def prepared_for(table: GridTable, unit: Unit, action: str) -> Prepared:
    """Return the board as it is for a character, prepared for searching."""
    taken = _taken(table, unit, action == "tumble")
    return _prepared_among(grid_of(table), corners_of(table), action == "withdrawal", *taken)


@kept(megabytes=64, weigh=lambda prepared: prepared.space.shape[0] * prepared.space.shape[1] * _BYTES_OF_CELL)
def _prepared_among(
    board: SquareGrid,
    corners: Corners,
    first_steps: bool,
    closed: tuple[Square, ...],
    no_room: tuple[Square, ...],
) -> Prepared:
    """Return the steps on a board on which others stand; all who find the same squares closed share it."""
    enter, end = _all_but(board, closed, no_room)
    return prepared_board(board, corners, first_steps).with_masks(enter=enter, end=end)
