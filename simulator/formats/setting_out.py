"""Setting out units on any board: legal places near the middle, a first order for each that the rules accept."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from simulator.engine.errors import IllegalOrder, TableError, UnreadableOrder
from simulator.engine.game import Game
from simulator.engine.ruleset import Ruleset, ruleset_of
from simulator.engine.starter_units import StarterUnit
from simulator.engine.state import CARRIER_WORDS, Unit
from simulator.engine.table import Setting, Table
from simulator.engine.unit_types import REQUIRED
from simulator.errors import BoardError, SimulatorError, TooMuchAsked
from simulator.geometry.board import Board, Lattice

Place = tuple[Any, ...]

#: The largest distance of a side from the middle of the board, in steps of a lattice or inches.
_FROM_MIDDLE = 8
#: The distance that units of one side, and a unit and its enemies, keep where there is room.
_FROM_FRIENDS, _FROM_ENEMIES = 2, 4
#: The most places that are tried for a unit, and the most goals for its first order.
_MOST_PLACES, _MOST_GOALS = 4000, 12


class NoRoom(BoardError):
    """A board without enough legal places for the units, or on which one of them cannot move."""


# --- units and places ---


def starters_of(ruleset: Ruleset[Any, Any]) -> tuple[StarterUnit, ...]:
    """Return the units that a rulebook lists for a new scenario, or two of its simplest type if it lists none."""
    return tuple(ruleset.starter_units) or tuple(_two_alike(ruleset))


def _two_alike(ruleset: Ruleset[Any, Any]) -> Iterator[StarterUnit]:
    for name, unit_type in ruleset.unit_types.items():
        if all(spec.default is not REQUIRED for spec in unit_type.fields.values()):
            faces = (0, 180) if unit_type.faces else (None, None)
            yield StarterUnit("one", name, "red", heading=faces[0])
            yield StarterUnit("two", name, "blue", heading=faces[1])
            return


def set_out(setting: Setting[Any], starters: Sequence[StarterUnit]) -> list[Unit]:
    """Return the units at legal places: each side at its own end of the middle of the board, in a fixed order."""
    ruleset, units = ruleset_of(setting), list[Unit]()
    anchors = _anchors(setting.board, list(dict.fromkeys(starter.side for starter in starters)))
    for starter in starters:
        if is_carried(starter):
            units.append(_unit(ruleset, starter, None))
            continue
        around = islice(_nearest_first(setting.board, anchors[starter.side], units), _MOST_PLACES)
        found = next(
            (unit for place in around if _is_legal(setting, units, unit := _unit(ruleset, starter, place))), None
        )
        if found is None:
            raise NoRoom(f"there is no legal place for {starter.name} ({starter.type}) on this board")
        units.append(found)
    return units


def is_carried(starter: StarterUnit) -> bool:
    """Return whether a unit begins aboard another."""
    return any(word in starter.fields for word in CARRIER_WORDS)


def _unit(ruleset: Ruleset[Any, Any], starter: StarterUnit, place: Place | None) -> Unit:
    return ruleset.make_unit(starter.name, starter.type, starter.side, place, starter.heading, **starter.fields)


def _is_legal(setting: Setting[Any], units: Sequence[Unit], unit: Unit) -> bool:
    table = Table(setting, setting.opening([*units, unit]))
    return not any(ruleset_of(setting).faults(table))


def _anchors(board: Board[Any], sides: Sequence[str]) -> dict[str, tuple[float, float]]:
    """Return the point around which each side stands, from left to right through the middle of the board."""
    bounds = board.bounds
    x, y = bounds.min_x + bounds.width / 2, bounds.min_y + bounds.height / 2
    aside = min(bounds.width / 4, _FROM_MIDDLE)
    steps = max(len(sides) - 1, 1)
    return {side: (x - aside + 2 * aside * number / steps, y) for number, side in enumerate(sides)}


def _nearest_first(board: Board[Any], anchor: tuple[float, float], units: Iterable[Unit]) -> Iterator[Place]:
    """Yield the places of the board from an anchor outward; those too close to a unit come last."""
    taken = [board.centre(unit.place) for unit in units if unit.place is not None]
    places, centres = places_of(board)
    crowded = np.zeros(len(centres), dtype=bool)
    for point in taken:
        crowded |= np.hypot(*(centres - point).T) < _FROM_FRIENDS
    # Units of one side stand one above the other, so that none is in the way of the one behind it.
    far = np.hypot(*((centres - anchor) * (2, 1)).T).round(6)
    order = np.lexsort((centres[:, 1], centres[:, 0], far, crowded))
    return (places[number] for number in order.tolist())


def places_of(board: Board[Any]) -> tuple[list[Place], Any]:
    """Return the cells of a lattice, or the whole inches of a table, and their centres."""
    if isinstance(board, Lattice):
        places: list[Place] = list(board.places())
        return places, np.array([board.centre(place) for place in places], dtype=float)
    bounds = board.bounds
    columns = range(math.floor(bounds.min_x) + 1, math.ceil(bounds.max_x))
    rows = range(math.floor(bounds.min_y) + 1, math.ceil(bounds.max_y))
    places = [(x, y) for y in rows for x in columns]
    return places, np.array(places, dtype=float).reshape(-1, 2)


# --- first orders ---


def first_orders(game: Game[Any], starters: Sequence[StarterUnit]) -> list[str]:
    """Play one legal order of each unit that has orders of its own, in the order of the clock, and return the orders.

    Between them stand the orders that end goes, where the clock needs them. Raise NoRoom if a unit has no legal order.
    """
    left = {starter.name: starter for starter in starters if starter.action is not None}
    written: list[str] = []
    turn = game.state.clock.turn
    while left:
        ready = game.ruleset.clock.may_go(game.table)
        who = next((name for name in ready if name in left), None)
        if who is None:
            if not ready or game.state.clock.turn != turn:
                raise NoRoom(f"{', '.join(left)}: no go in the first turn")
            written.append(f"{ready[0]} done")
            game.do(written[-1])
            continue
        order = _first_order(game, left.pop(who))
        game.do(order)
        written.append(order)
    return written


def _first_order(game: Game[Any], starter: StarterUnit) -> str:
    name = starter.name
    for order in _orders(game, starter):
        if _is_playable(game, order):
            return order
    raise NoRoom(f"{name} ({starter.type}) finds no legal order on this board")


def _orders(game: Game[Any], starter: StarterUnit) -> Iterator[str]:
    """Yield orders to try: those of the unit, goals towards the enemy, then what the rulebook itself lists."""
    yield from (f"{starter.name} {order}" for order in starter.orders)
    ruleset, name, write = game.ruleset, starter.name, game.setting.vocabulary.goal_place.write
    with_goals = [form.name for form in ruleset.vocabulary.actions if form.goal and form.name in ruleset.reaches]
    for action in [starter.action] if starter.action else with_goals:
        try:
            goals = list(islice(_goals(game, starter, game.reach(name, action)), _MOST_GOALS))
        except (TableError, TooMuchAsked):
            continue
        yield from (f"{name} {action} to {write(goal)}" for goal in goals)
    table = game.ready_table(name)
    unit = table.unit(name)
    for form in ruleset.vocabulary.actions:
        listed = ruleset.examples(table, unit, form.name)
        yield from (game.write(order) for order in islice(listed or (), _MOST_GOALS))
    try:
        yield from (game.write(order) for order in islice(ruleset.orders(table, unit), _MOST_GOALS))
    except TableError:
        return


def _goals(game: Game[Any], starter: StarterUnit, answer: Any) -> Iterator[Place]:
    """Yield ends of a unit, the nearest to the enemy first; those in somebody's way come last."""
    board, state = game.board, game.state
    here = game.ready_table(starter.name).unit(answer.mover.id).place
    places, centres = places_of(board)
    ends = np.flatnonzero(np.isfinite(answer.costs_at(np.array(places))))
    others = [unit for unit in state if unit.place is not None and unit.id not in (starter.name, answer.mover.id)]
    crowded, nearest = np.zeros(len(ends), dtype=bool), np.full(len(ends), np.inf)
    for unit in others:
        far = np.hypot(*(centres[ends] - board.centre(unit.place)).T)
        foe = unit.side != starter.side
        crowded |= far < (_FROM_ENEMIES if foe else _FROM_FRIENDS)
        nearest = np.minimum(nearest, far) if foe else nearest
    order = np.lexsort((centres[ends, 1], centres[ends, 0], nearest.round(6), crowded))
    return (places[number] for number in ends[order].tolist() if places[number] != here)


def _is_playable(game: Game[Any], order: str) -> bool:
    try:
        if game.breaches(order):
            return False
        return game.branch().do(order).question is None
    except (IllegalOrder, UnreadableOrder, TableError, SimulatorError):
        return False
