"""Tables for the tests of skirmish: tiny ones, made up on the spot."""

from __future__ import annotations

from typing import Any

from simulator.engine.answers import Script
from simulator.engine.game import Game
from simulator.engine.questions import Choose, React
from simulator.geometry.pieces import LineShape, Piece, PolygonShape
from simulator.geometry.table import InchTable
from simulator.rulesets.skirmish import RULESET, make_soldier


def rough(x1: float, y1: float, x2: float, y2: float, name: str = "rough") -> Piece:
    """A rectangle of rough terrain."""
    return Piece(name, "rough_terrain", PolygonShape([(x1, y1), (x2, y1), (x2, y2), (x1, y2)]))


def block(x1: float, y1: float, x2: float, y2: float, height: float = 1.0, name: str = "block") -> Piece:
    """A rectangular obstacle."""
    return Piece(name, "obstacle", PolygonShape([(x1, y1), (x2, y1), (x2, y2), (x1, y2)]), "obstacle", height)


def wall(*points: tuple[float, float], height: float = 1.5, name: str = "wall") -> Piece:
    """A wall without width."""
    return Piece(name, "obstacle", LineShape(points), "obstacle", height)


def game_with(
    *pieces: Piece,
    me: dict[str, Any] | None = None,
    at: tuple[float, float] = (0, 0),
    others: tuple[tuple[str, str, tuple[float, float]], ...] = (),
    dice: tuple[int, ...] = (),
    options: dict[str, Any] | None = None,
    tables: dict[str, Any] | None = None,
    corner: tuple[float, float] = (-24, -24),
    size: float | tuple[float, float] = 48,
) -> Game[Any]:
    """A table, of 48 inches around the origin unless said, with the soldier A1, and whoever else is said."""
    width, height = size if isinstance(size, tuple) else (size, size)
    board = InchTable("Test", width, height, corner, pieces=pieces)
    units = [make_soldier("A1", "red", at, **(me or {}))]
    units += [make_soldier(name, side, place) for name, side, place in others]
    if not any(side == "blue" for _, side, _ in others):
        units.append(make_soldier("B9", "blue", (corner[0] + width - 1, corner[1] + height - 1)))
    answers = Script.dice(dice, open_ended=True)
    return Game.new(RULESET, board, units, options=options, tables=tables, answers=answers)


def chosen(*answers: Any) -> Script:
    """What the players choose in one order; the dice are not their affair."""
    return Script(answers, (Choose, React), open_ended=True)


def place_of(game: Game[Any], unit: str = "A1") -> tuple[float, float]:
    """Where a soldier stands, without the noise of the last digits."""
    x, y = game.state.unit(unit).place
    return round(x, 6) + 0.0, round(y, 6) + 0.0


def clauses_broken(game: Game[Any], order: str) -> list[str]:
    """The clauses that an order breaks."""
    return [breach.clause for breach in game.breaches(order)]
