"""Orders by goal, and the list of a character's orders."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulator.engine.errors import IllegalOrder
from simulator.engine.order_lists import OrderList, OrderPart
from simulator.engine.orders import Goal, Order
from simulator.engine.reading import write_order
from simulator.engine.state import Unit
from simulator.geometry.squares import Square
from simulator.pathing.ends import End
from simulator.pathing.route import Route
from simulator.pathing.traces import NoRoute
from simulator.rulesets.grid_runner.clock import LEAVING
from simulator.rulesets.grid_runner.judge import before_moving, breaches
from simulator.rulesets.grid_runner.movement import DIRECTIONS, PARITIES, at, elements_of
from simulator.rulesets.grid_runner.ranges import is_ranged
from simulator.rulesets.grid_runner.reach.answer import GridReach
from simulator.rulesets.grid_runner.reach.questions import reach_of_movement
from simulator.rulesets.grid_runner.units import GridTable, can_strike, grid_of, is_enemy
from simulator.rulesets.grid_runner.why import against_way

MOVEMENTS = ("move", *LEAVING)
MELEE = ("melee_attack", "charge_attack", "grapple")


def planned(table: GridTable, order: Order) -> Order:
    """Turn an order with a goal into one with steps; raises IllegalOrder, which reports what is in the way.

    The way has the best chance of getting there and is the cheapest such way; through other squares it is the
    cheapest, and of the cheapest the one with the best chance.
    """
    goal = order.goal
    if goal is None:
        return order
    reach = reach_of_movement(table, table.unit(order.unit), order.action)
    for square in (goal.place, *goal.via):
        grid_of(table).index(square)
    text = write_order(order, table.setting.vocabulary)
    if {goal.place, *goal.via} == {reach.mover.place}:
        raise NoRoute(f"{order.unit} already stands on {at(goal.place)}")
    if reach.refused:
        raise IllegalOrder(text, reach.refused)
    if why := reach.why_not(goal.place):
        raise IllegalOrder(text, why.reasons)
    route: Route[Square] = reach.safest_route_to(goal.place) if not goal.via else _by_way_of(reach, goal, text)
    directions = [DIRECTIONS.index(leg.what) for leg in route.legs]
    return Order(order.unit, order.action, elements_of(directions), order.args)


def _by_way_of(reach: GridReach, goal: Goal, text: str) -> Route[Square]:
    """Return the way through other squares; raises IllegalOrder with what closes one of them, or the squares needed."""
    try:
        return reach.safest_by_way_of(goal.place, goal.via)
    except NoRoute:
        raise IllegalOrder(text, against_way(reach, goal.place, goal.via)) from None


def orders_of(table: GridTable, unit: Unit) -> OrderList:
    """List the legal orders of a character: for movements one way to each distinct end, otherwise every order.

    Where the parity of diagonals outlasts the movement, it distinguishes ends too.
    """
    movements = [_movements(table, unit, action) for action in MOVEMENTS if not any(before_moving(table, unit, action))]
    return OrderList(
        [*movements, OrderPart.of(order for order in _others(table, unit) if not any(breaches(table, order)))]
    )


def _movements(table: GridTable, unit: Unit, action: str) -> OrderPart:
    reach = reach_of_movement(table, unit, action)
    if table.options.diagonal_parity_reset == "pass" and not table.options.split_move:
        cells = np.flatnonzero(reach.mask)
        row, column = reach.board.index(unit.place)
        others = cells[cells != row * reach.board.shape[1] + column]

        def order_to_cell(number: int) -> Order:
            cell = divmod(int(others[number]), reach.board.shape[1])
            return reach.order_of(reach.route_to(reach.board.place_at(*cell)))

        return OrderPart(len(others), order_to_cell)
    # The parity outlasts the movement.
    ends: dict[tuple[Square, str], End] = {}
    for end in reach.ends:
        ends.setdefault((end.place, PARITIES[_parity(end.phase)]), end)
    found = [end for end in ends.values() if end.cost or end.place != unit.place]
    return OrderPart(
        len(found), lambda number: reach.order_of(reach.route_to(found[number].place, phase=found[number].phase))
    )


def examples_of(table: GridTable, unit: Unit, action: str) -> Iterator[Order]:
    """Yield legal orders of a character with one action: for a movement the cheapest one to each end."""
    if action in MOVEMENTS:
        reach = reach_of_movement(table, unit, action)
        for place in reach:
            route = reach.route_to(place)
            if route.legs:
                yield reach.order_of(route)
        return
    for order in (*_others(table, unit), *_declared_orders(table, unit)):
        if order.action == action and not any(breaches(table, order)):
            yield order


def _declared_orders(table: GridTable, unit: Unit) -> Iterator[Order]:
    """Yield what the game master might declare for a character, legal or not, and shots with any weapon."""
    for enemy in table.state:
        if is_enemy(unit, enemy) and enemy.place is not None:
            for weapon in table.tables[f"weapon_range.{table.options.scale}"]:
                yield Order(unit.id, "ranged_attack", args={"target": enemy.id, "weapon": weapon})
    for state in ("prone", "standing", "immobilised", "mobile", "out"):
        yield Order(unit.id, "becomes", args={"state": state})
    yield Order(unit.id, "break_grapple")
    yield Order(unit.id, "has_passes", args={"passes": 2})
    yield Order(unit.id, "blast", args={"at": unit.place, "power": 2, "loss": 1})


def _parity(phase: str) -> int:
    return int(phase.endswith(PARITIES[1]))


def _others(table: GridTable, unit: Unit) -> Iterator[Order]:
    """Yield the orders without steps, legal or not; melee only with those who can be struck (GR-43, GR-44)."""
    for action in ("start_run", "stop_run", "sprint", "delay"):
        yield Order(unit.id, action)
    for kind in ("free", "simple", "complex"):
        yield Order(unit.id, "act", args={"kind": kind})
    for enemy in table.state:
        if is_enemy(unit, enemy) and enemy.place is not None:
            for action in MELEE if can_strike(table, unit, enemy) else ():
                yield Order(unit.id, action, args={"target": enemy.id})
            if is_ranged(table, unit["weapon"]):
                yield Order(unit.id, "ranged_attack", args={"target": enemy.id})
