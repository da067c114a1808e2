"""Perft: how many ways the units can move from a position, so many orders deep: the public proof of a rulebook.

An order is `done`, or a movement to an end of a reach; `docs/perft.md` defines it for all boards. Whoever counts the
same numbers, with a program of their own, agrees about who may move when, how and where to.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from math import cos, radians, sin
from typing import Any

from simulator.engine.answers import InTurn, Policy
from simulator.engine.errors import TableError
from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.engine.reach import ReachAnswer
from simulator.errors import SimulatorError, TooMuchAsked
from simulator.formats.scenario import Scenario
from simulator.formats.scenario_answers import DiceSource
from simulator.geometry.board import Lattice
from simulator.geometry.poses import Pose

#: The candidate ends on tables: so far from the unit, in inches, in so many directions, the first along +x.
DISTANCES = (1, 2, 4)
DIRECTIONS = 8
#: Places on tables are compared with so many decimals, costs with so many.
_DECIMALS, _COST_DECIMALS = 3, 2
#: The most positions that are kept of one depth.
MOST_POSITIONS = 200_000


@dataclass(frozen=True)
class Depth:
    """The counts of one depth."""

    depth: int
    #: Sequences of so many orders.
    lines: int
    #: Different tables after them: units with all their fields, clock and data.
    positions: int
    #: Different places, headings and sides to move after them: what can be compared with least agreement.
    placings: int


def opened(scenario: Scenario) -> Game[Any]:
    """Begin a scenario as perft plays it: rolls come out likeliest, nobody reacts, the first choice is taken."""
    scripted = InTurn([*DiceSource(policy="likeliest").answerers(), Policy(reactions="never", choices="first")])
    game = scenario.set_up()
    game.answers = scripted
    game.do("all begin")
    return game


def perft(game: Game[Any], depth: int) -> Iterator[Depth]:
    """Count the lines of play up to a depth; raise TooMuchAsked if there are too many positions to keep."""
    layer: dict[str, tuple[Game[Any], int]] = {game.state.position_hash: (game, 1)}
    for number in range(1, depth + 1):
        below: dict[str, tuple[Game[Any], int]] = {}
        for one, lines in layer.values():
            for _, after in moves(one):
                key = after.state.position_hash
                below[key] = after, lines + (below[key][1] if key in below else 0)
                if len(below) > MOST_POSITIONS:
                    raise TooMuchAsked(f"depth {number} has more than {MOST_POSITIONS} positions; count less deep")
        layer = below
        placings = {_placing(one) for one, _ in layer.values()}
        yield Depth(number, sum(lines for _, lines in layer.values()), len(layer), len(placings))


def divide(game: Game[Any], depth: int) -> Iterator[tuple[str, int]]:
    """Yield each first order, and the lines of play that begin with it."""
    for order, after in moves(game):
        if depth == 1:
            yield order, 1
        else:
            *_, last = perft(after, depth - 1)
            yield order, last.lines


def moves(game: Game[Any]) -> Iterator[tuple[str, Game[Any]]]:
    """Yield each order that perft counts, as text, and the game after it, unit by unit and action by action."""
    for name in game.ruleset.clock.may_go(game.table):
        for action in counted_actions(game):
            answer = reach_of(game, name, action)
            for pose in () if answer is None else ends(game, answer):
                order = _order_to(answer, pose)
                after = None if order is None else _after(game, order)
                if after is not None:
                    yield f"{name} {action} to {pose}", after
        after = _after(game, f"{name} done")
        if after is not None:
            yield f"{name} done", after


def counted_actions(game: Game[Any]) -> list[str]:
    """Return the actions that have a reach and can be ordered."""
    spoken = {form.name for form in game.setting.vocabulary.actions}
    return [action for action in game.ruleset.reaches if action in spoken]


def reach_of(game: Game[Any], name: str, action: str) -> ReachAnswer | None:
    """Return the reach of a unit with an action; None if it has none."""
    try:
        return game.reach(name, action)
    except (TableError, TooMuchAsked):
        return None


def ends(game: Game[Any], answer: ReachAnswer) -> list[Pose]:
    """Return the ends that are counted: of a lattice every pose, of a table those of the candidates in reach."""
    board = game.board
    if isinstance(board, Lattice):
        poses = (end.pose for place in board.places() for end in answer.ends_at(place))
        return list(dict.fromkeys(poses))
    if answer.mover.place is None:
        return []
    x, y = board.centre(answer.mover.place)
    found = []
    for distance in DISTANCES:
        for number in range(DIRECTIONS):
            angle = radians(360 * number / DIRECTIONS)
            place = round(x + distance * cos(angle), _DECIMALS) + 0.0, round(y + distance * sin(angle), _DECIMALS) + 0.0
            if place in board and place in answer:
                found.append(Pose(place))
    return found


def reach_hash(game: Game[Any], answer: ReachAnswer) -> tuple[int, str]:
    """Return the number of ends that are counted, and a hash of them with their costs."""
    lines = []
    for pose in ends(game, answer):
        cost = float(answer.cost_at(pose))
        lines.append(f"{pose} {cost:.{_COST_DECIMALS}f}\n")
    return len(lines), hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()[:16]


def _order_to(answer: ReachAnswer | None, pose: Pose) -> Order | None:
    """Return the order to an end, if it is a single one."""
    try:
        orders = [] if answer is None else answer.orders_to(pose)
    except SimulatorError:
        return None
    return orders[0] if len(orders) == 1 else None


def _after(game: Game[Any], order: str | Order) -> Game[Any] | None:
    twin = game.branch()
    try:
        happened = twin.do(order)
    except TableError:
        return None
    return twin if happened.question is None else None


def _placing(game: Game[Any]) -> tuple[Any, ...]:
    clock = game.state.clock
    placed = tuple((unit.id, _rounded(unit.place), _rounded(unit.heading)) for unit in game.state)
    return placed, clock.turn, clock.number, clock.side, clock.unit, clock.done


def _rounded(value: Any) -> Any:
    if isinstance(value, tuple):
        return tuple(_rounded(part) for part in value)
    return value if value is None or isinstance(value, str) else round(float(value), _DECIMALS) + 0.0
