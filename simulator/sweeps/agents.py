"""Agents: who gives the orders in a game of a sweep.

An agent is any function of the game, the units of its side that can be ordered now, and its own generator of random
numbers. It returns an order, as text or as `Order`; None ends the go of the first of the units that may end it. What it
returns must follow from its arguments alone, or a sweep cannot be repeated. `module:name` names one in a plan.

`random` draws an action first and then what it leads to, so that a unit with a hundred ends does not move a hundred
times as often as it shoots, and it is quick, since it lists nothing. `game.legal().sample(rng)`, with which bots and
the environments for learning play at random, draws from all legal orders alike.

    def cautious(game, units, rng):
        return f"{units[0]} done"
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib import import_module
from math import dist
from random import Random
from typing import Any, Protocol

from simulator.engine.errors import TableError
from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.engine.reach import ReachAnswer
from simulator.engine.state import Unit
from simulator.errors import SimulatorError, TooMuchAsked
from simulator.sweeps.ends import ends_near, random_end


class Agent(Protocol):
    """Who gives the orders of a side, or of all sides."""

    def __call__(self, game: Game[Any], units: Sequence[str], rng: Random) -> str | Order | None:
        """Return the next order for one of these units, which can all be ordered now; None ends the first one's go."""


#: The agent that plays the orders of the scenario; it is no function, since it does not choose.
SCRIPT = "script"
#: How often the random agent ends the go of a unit instead of ordering it.
_ENDS_GO = 1 / 6
#: The greedy agent stays where it is unless it comes nearer by this much.
_NEARER = 0.25


def random_agent(game: Game[Any], units: Sequence[str], rng: Random) -> str | Order | None:
    """Order any unit: an action drawn from all that are legal, and for a movement an end drawn from its reach."""
    shuffled = rng.sample(list(units), len(units))
    for name in shuffled:
        if rng.random() < _ENDS_GO and not game.breaches(f"{name} done"):
            return f"{name} done"
        order = _random_order(game, name, rng)
        if order is not None:
            return order
    return None


def greedy_agent(game: Game[Any], units: Sequence[str], rng: Random) -> str | Order | None:
    """Move the first unit as near as it can get to the nearest opponent; end its go if it gets no nearer."""
    del rng
    name = units[0]
    unit = game.state.unit(name)
    goal = _nearest_opponent(game, unit)
    if goal is None:
        return None
    answer = _reach(game, name, "")
    if answer is None:
        return None
    here = None if unit.place is None else dist(game.board.centre(unit.place), goal)
    for place in ends_near(answer, game.board, goal):
        if here is not None and dist(game.board.centre(place), goal) > here - _NEARER:
            return None
        order = _first_order(game, answer, place)
        if order is not None:
            return order
    return None


_OWN: dict[str, Agent] = {"random": random_agent, "greedy": greedy_agent}


def agent_named(name: str) -> Agent | None:
    """Return an agent of this package, or the function `module:name`; None for the script."""
    if name == SCRIPT:
        return None
    if name in _OWN:
        return _OWN[name]
    module, _, attribute = name.partition(":")
    found: Agent = getattr(import_module(module), attribute)
    if not callable(found):
        raise TypeError(f"{name} is not a function of a game, its units and a generator of random numbers")
    return found


def end_of_go(game: Game[Any], units: Sequence[str], rng: Random) -> str | Order:
    """Return the order that ends the go of the first unit that may end it; if all must act, an order of one."""
    done = [f"{name} done" for name in units]
    if free := [order for order in done if not game.breaches(order)]:
        return free[0]
    return next(_orders_of_those_who_must(game, units, rng), done[0])


# --- random ---


def _random_order(game: Game[Any], name: str, rng: Random) -> Order | None:
    for action in rng.sample(_actions(game), len(_actions(game))):
        order = _drawn(game, name, action, rng)
        if order is not None and not game.breaches(order):
            return order
    return None


def _orders_of_those_who_must(game: Game[Any], units: Sequence[str], rng: Random) -> Iterator[Order]:
    """Yield random orders; where none is met, one of all that are legal."""
    for name in units:
        order = _random_order(game, name, rng)
        if order is not None:
            yield order
    for name in units:
        with suppress(TableError):
            yield game.legal(name).sample(rng)


def _actions(game: Game[Any]) -> list[str]:
    spoken = [form.name for form in game.setting.vocabulary.actions if not form.aside]
    return list(dict.fromkeys([*spoken, *game.ruleset.reaches]))


def _drawn(game: Game[Any], name: str, action: str, rng: Random) -> Order | None:
    """Draw an order with an action: an end of its reach, or one of the orders that the ruleset lists."""
    if action not in game.ruleset.reaches:
        table = game.ready_table(name)
        listed = list(game.ruleset.examples(table, table.unit(name), action) or ())
        return rng.choice(listed) if listed else None
    answer = _reach(game, name, action)
    place = None if answer is None else random_end(answer, game.board, rng)
    return None if answer is None or place is None else _first_order(game, answer, place)


# --- reach ---


def _reach(game: Game[Any], name: str, action: str) -> ReachAnswer | None:
    try:
        return game.reach(name, action)
    except (TableError, TooMuchAsked):
        return None


def _first_order(game: Game[Any], answer: ReachAnswer, place: Any) -> Order | None:
    """Return the first legal order on the way to an end; None if the way needs something that cannot be ordered now."""
    try:
        orders = answer.orders_to(place)
        return orders[0] if orders and not game.breaches(orders[0]) else None
    except SimulatorError:
        return None


def _nearest_opponent(game: Game[Any], unit: Unit) -> tuple[float, float] | None:
    """Return where the nearest unit of another side stands; of a unit beside the table, where any does."""
    others = [other for other in game.state.standing if other.side != unit.side]
    centres = [game.board.centre(other.place) for other in others]
    if not centres:
        return None
    if unit.place is None:
        return centres[0]
    here = game.board.centre(unit.place)
    return min(centres, key=lambda centre: dist(centre, here))
