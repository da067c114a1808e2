"""What a game is played for: points for places held and for units left, and when it ends.

The objective is the scenario's, not the rulebook's: `scored` evaluates it on any table, from places of units alone.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any

from simulator.engine.state import State, Unit
from simulator.engine.values import NO_FIELDS, Fields, Number, show
from simulator.geometry.board import Board


@dataclass(frozen=True, slots=True)
class HeldPlace:
    """A place to hold: the side with the most units within a distance of it holds it."""

    name: str
    place: tuple[Any, ...]
    #: From centre to centre in a straight line, in steps of the board: squares, dots or inches.
    within: Number = 0
    points: Number = 1

    def is_near(self, board: Board[Any], unit: Unit) -> bool:
        """Whether a unit counts here."""
        if unit.place[:2] not in board:
            return False
        return math.dist(board.centre(self.place), board.centre(unit.place[:2])) <= float(self.within) + 1e-9

    def holder(self, board: Board[Any], state: State) -> str:
        """Return the side that holds the place; "" if none does, or several have as many units there."""
        near: dict[str, int] = {}
        for unit in left_on(state):
            if unit.place is not None and self.is_near(board, unit):
                near[unit.side] = near.get(unit.side, 0) + 1
        most = [side for side, count in near.items() if count == max(near.values())]
        return most[0] if len(most) == 1 else ""


@dataclass(frozen=True, slots=True)
class Objective:
    """What a game is played for. Without anything it is played until its clock is over, for nothing."""

    hold: tuple[HeldPlace, ...] = ()
    #: For each type of unit the points for one that is left.
    units: Fields = NO_FIELDS
    #: The last turn; None for no limit.
    turns: int | None = None
    #: Whether the game ends, and is won, when only one side has units left.
    last_side: bool = False
    #: All sides, those among them that may lose every unit.
    sides: tuple[str, ...] = ()

    def points(self, board: Board[Any], state: State) -> dict[str, Number]:
        """Return the points of each side now."""
        found: dict[str, Number] = dict.fromkeys(self.sides or _sides(state), 0)
        for unit in left_on(state):
            found[unit.side] = found.get(unit.side, 0) + self.units.get(unit.type, 0)
        for place in self.hold:
            if holder := place.holder(board, state):
                found[holder] += place.points
        return found


#: The objective of a scenario that has none.
NO_OBJECTIVE = Objective()


@dataclass(frozen=True, slots=True)
class Score:
    """How a game stands: the points of each side, whether it is over and why, and who has won it."""

    points: Mapping[str, Number] = field(default_factory=lambda: MappingProxyType({}))
    is_over: bool = False
    why: str = ""
    #: The side that has won; "" as long as the game goes on, and if nobody has.
    winner: str = ""

    def result_of(self, side: str) -> int:
        """Return 1 for the side that has won, -1 for the others, and 0 without a winner."""
        return 0 if not self.winner else 1 if side == self.winner else -1

    def lead_of(self, side: str) -> Number:
        """Return by how many points a side is ahead of the best other one."""
        others = [points for other, points in self.points.items() if other != side]
        return self.points.get(side, 0) - max(others, default=0)

    def __str__(self) -> str:
        points = ", ".join(f"{side} {show(number)}" for side, number in self.points.items())
        if not self.is_over:
            return points or "in progress"
        return f"{self.why}: {f'{self.winner} wins' if self.winner else 'a draw'}" + (f" ({points})" if points else "")


def scored(objective: Objective, board: Board[Any], state: State) -> Score:
    """Evaluate an objective on a table: the points of each side, and whether the game is over.

    When it is over, the side with the most points has won; nobody has if several share them.
    """
    points = objective.points(board, state)
    left = {unit.side for unit in left_on(state)}
    clock = state.clock
    if objective.last_side and clock.turn and len(points) > 1 and len(left) <= 1:
        return Score(points, True, f"only {next(iter(left))} is left" if left else "nobody is left", "".join(left))
    if objective.turns is not None and clock.turn > objective.turns:
        return Score(points, True, f"turn {objective.turns} is over", _best(points))
    if clock.over:
        return Score(points, True, "nobody can act any more", _best(points))
    return Score(points)


def left_on(state: State) -> Iterable[Unit]:
    """Return the units that are left: on the board, or carried by one."""
    return (unit for unit in state if unit.place is not None or unit.carrier)


def _sides(state: State) -> Iterable[str]:
    return (unit.side for unit in state)


def _best(points: Mapping[str, Number]) -> str:
    best = [side for side, number in points.items() if number == max(points.values())]
    return best[0] if len(best) == 1 else ""
