"""What an agent sees, as numpy arrays of float32.

`board` has the shape (5, rows, columns); on inch tables a cell is a square inch. Its planes:

0. terrain: the number of its kind among those of the board, from 1, divided by how many there are; 0 off the board
1. height of the ground, divided by the greatest on the board
2. how many own units there are, as n / (1 + n)
3. how many other units there are, likewise
4. 1 at the places of the objective

`units` has a row for each unit of the opening, in the order of the scenario, and these columns: whether it is the
agent's own (1) or not (-1); whether it is on the board; its x and y as shares of the board; cosine and sine of its
heading, 0 and 0 without one; whether it may be ordered now; whether it has had its go. Then follow all fields with
numbers that a type of unit has, by name, as value / (10 + |value|), and fields that are true or false as 1 or 0. A unit
that is gone is a row of zeros. Units that join the game later are on the planes, but have no row.

`clock` has three numbers: turn / (10 + turn), whether it is the agent's go, and its lead in points, as
lead / (10 + |lead|).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from simulator.engine.game import Game
from simulator.engine.objectives import left_on
from simulator.engine.state import Unit
from simulator.engine.values import Number
from simulator.formats.scenario import Scenario
from simulator.geometry.board import Lattice

Array = NDArray[np.float32]
Seen = dict[str, Array]

#: The columns of every unit, before its fields.
_COLUMNS = 8
_PLANES = 5


class Observer:
    """Turns moments of the games of one scenario into arrays."""

    def __init__(self, scenario: Scenario) -> None:
        setting = scenario.setting
        self._board, self._objective = setting.board, setting.objective
        self._names = tuple(unit.id for unit in scenario.units)
        kinds = {unit.type for unit in scenario.units}
        fields = {name for kind in kinds for name in setting.ruleset.unit_types[kind].fields}
        usual = {name: unit.get(name) for name in fields for unit in scenario.opening() if name in unit.fields}
        self.fields = tuple(sorted(name for name, value in usual.items() if isinstance(value, (bool, Number))))
        self._ground = self._ground_planes()
        self.space = spaces.Dict(
            {
                "board": spaces.Box(0.0, 1.0, self._ground.shape, np.float32),
                "clock": spaces.Box(-1.0, 1.0, (3,), np.float32),
                "units": spaces.Box(-1.0, 1.0, (len(self._names), _COLUMNS + len(self.fields)), np.float32),
            }
        )

    def _ground_planes(self) -> Array:
        found = self._board.terrain_array
        planes: Array = np.zeros((_PLANES, *found.codes.shape), np.float32)
        planes[0] = (found.codes + 1) / len(found.kinds)
        heights = {self._cell(place): float(self._board.height_at(place)) for place in self._board.places()}
        highest = max(map(abs, heights.values()), default=0.0)
        for cell, height in heights.items():
            planes[1][cell] = max(height, 0.0) / highest if highest else 0.0
        for held in self._objective.hold:
            planes[4][self._cell(held.place)] = 1.0
        return planes

    def _cell(self, place: Any) -> tuple[int, int]:
        """Return row and column of a place; a place beyond the edge is in the nearest cell."""
        if isinstance(self._board, Lattice):
            return self._board.index(place[:2])
        x0, _, _, y1 = self._board.bounds
        rows, columns = self._board.terrain_array.codes.shape
        row, column = math.floor(y1 - float(place[1])), math.floor(float(place[0]) - x0)
        return min(max(row, 0), rows - 1), min(max(column, 0), columns - 1)

    def seen(self, game: Game[Any], side: str) -> Seen:
        """Return what a side sees."""
        planes = self._ground.copy()
        for unit in left_on(game.state):
            if unit.place is not None:
                plane = planes[2 if unit.side == side else 3]
                count = plane[self._cell(unit.place)]
                # n / (1 + n), for one unit more.
                plane[self._cell(unit.place)] = 1 / (2 - count)
        state = game.state
        free, rows = set(game.to_move()), np.zeros((len(self._names), _COLUMNS + len(self.fields)), np.float32)
        for row, name in zip(rows, self._names, strict=True):
            if name in state.units:
                row[:] = self._row(state.units[name], side, name in free, name in state.clock.done)
        is_mine = any(state.units[name].side == side for name in free)
        clock = [squashed(state.clock.turn), float(is_mine), squashed(game.score.lead_of(side))]
        return {"board": planes, "clock": np.array(clock, np.float32), "units": rows}

    def _row(self, unit: Unit, side: str, is_free: bool, has_gone: bool) -> list[float]:
        x = y = 0.0
        if unit.place is not None:
            x0, y0, x1, y1 = self._board.bounds
            across, up = (
                self._board.centre(unit.place[:2]) if isinstance(self._board, Lattice) else map(float, unit.place[:2])
            )
            x, y = min(max((across - x0) / (x1 - x0), 0.0), 1.0), min(max((up - y0) / (y1 - y0), 0.0), 1.0)
        turned = math.radians(float(unit.heading)) if isinstance(unit.heading, Number) else None
        ahead = (0.0, 0.0) if turned is None else (math.cos(turned), math.sin(turned))
        own = 1.0 if unit.side == side else -1.0
        common = [own, float(unit.place is not None), x, y, *ahead, float(is_free), float(has_gone)]
        return common + [_figure(unit.get(name)) for name in self.fields]


def squashed(number: Number) -> float:
    """Return a number between -1 and 1 that grows with it.

    >>> squashed(0), squashed(10), squashed(-30)
    (0.0, 0.5, -0.75)
    """
    value = float(number)
    return value / (10 + abs(value))


def _figure(value: Any) -> float:
    if isinstance(value, bool):
        return float(value)
    return squashed(value) if isinstance(value, Number) else 0.0
