"""The legal orders at one moment: listed, counted, indexed and sampled.

    legal = game.legal()                       # of all units that may be ordered now, each with its `done`
    len(legal), legal[0], list(legal)          # where their number is finite
    "A1 walk: right" in legal                  # everywhere
    order = legal.sample(random.Random(7))     # everywhere

Where a rulebook lists its orders, a sample is a unit, each equally likely, and one of its orders, each equally likely.
Where orders are infinitely many, it comes from `order_samples`. A unit of which nothing can be ordered is left out.

The orders belong to the moment at which they were asked for, also after the game has gone on.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from random import Random
from typing import TYPE_CHECKING, Any, overload

from simulator.engine.errors import TableError, UnreadableOrder
from simulator.engine.order_lists import OrderList, OrderPart
from simulator.engine.orders import Order
from simulator.engine.playthrough import Playthrough
from simulator.engine.state import State
from simulator.engine.table import Table
from simulator.errors import WrongValue, shortened

if TYPE_CHECKING:
    from simulator.engine.order_samples import OrderSampler


class LegalOrders(Sequence[Order]):
    """The legal orders of a unit, or of all units that may be ordered."""

    def __init__(self, parts: Sequence[OrdersOfUnit], game: Playthrough[Any]) -> None:
        self._parts, self._game = parts, game

    @property
    def units(self) -> tuple[str, ...]:
        """The units whose orders these are."""
        return tuple(part.unit for part in self._parts)

    @property
    def are_listed(self) -> bool:
        """Whether the rulebook lists them, so that they can be counted and looped over."""
        return all(part.is_listed for part in self._parts)

    @cached_property
    def _orders(self) -> OrderList:
        return OrderList(OrderPart(len(part.orders), part.orders.__getitem__) for part in self._parts)

    def __len__(self) -> int:
        return len(self._orders)

    def __bool__(self) -> bool:
        return bool(len(self)) if self.are_listed else bool(self._parts)

    @overload
    def __getitem__(self, index: int) -> Order: ...

    @overload
    def __getitem__(self, index: slice) -> list[Order]: ...

    def __getitem__(self, index: int | slice) -> Order | list[Order]:
        return self._orders[index]

    def __iter__(self) -> Iterator[Order]:
        for part in self._parts:
            yield from part.orders

    def __contains__(self, order: object) -> bool:
        if not isinstance(order, (str, Order)):
            return False
        try:
            found = self._game.read(order)
            return found.unit in self.units and not self._game.breaches(found)
        except UnreadableOrder:
            return False

    def __repr__(self) -> str:
        count = str(len(self)) if self.are_listed else "any number"
        return f"<LegalOrders of {', '.join(self.units) or 'nobody'}: {count}>"

    def sample(self, rng: Random) -> Order:
        """Return a legal order at random; raise TableError if there is none."""
        if not isinstance(rng, Random):
            raise WrongValue(f"orders are drawn with a random.Random, such as Random(7), not {shortened(rng)}")
        left = list(self._parts)
        while left:
            part = left.pop(rng.randrange(len(left)))
            if (order := part.sample(rng)) is not None:
                return order
        raise TableError(f"nothing can be ordered now: {self._game.state.clock}")


class OrdersOfUnit:
    """The legal orders of one unit at one moment, with its `done` if that is wanted and legal."""

    def __init__(self, game: Playthrough[Any], unit: str, with_done: bool) -> None:
        self._game, self.unit, self._with_done = game, unit, with_done
        self._sampled: dict[int, Order] = {}

    @cached_property
    def _table(self) -> Table[Any]:
        return Table(self._game.setting, self._game.state)

    @cached_property
    def _is_due(self) -> bool:
        """Whether the clock lets the unit be ordered."""
        return self._game.state.pending is None and not any(self._clock_against(""))

    def _clock_against(self, action: str) -> Iterator[Any]:
        return self._game.ruleset.clock.breaches(self._table, self.unit, action)

    @cached_property
    def done(self) -> Order | None:
        """The order that ends its go, if it is wanted and legal."""
        is_legal = self._with_done and self._game.state.pending is None and not any(self._clock_against("done"))
        return Order(self.unit, "done") if is_legal else None

    @cached_property
    def is_listed(self) -> bool:
        """Whether the rulebook lists the orders of this unit."""
        return not self._is_due or self._game.ruleset.lists_orders

    @cached_property
    def orders(self) -> OrderList:
        """The orders as a list; raises TableError where they are infinitely many."""
        parts = [OrderPart.of([self.done])] if self.done is not None else []
        if not self._is_due:
            return OrderList(parts)
        ready = self._game.ready_table(self.unit)
        listed = self._game.ruleset.orders(ready, ready.unit(self.unit))
        if isinstance(listed, OrderList):
            return OrderList([OrderPart(len(listed), listed.__getitem__), *parts])
        return OrderList([OrderPart.of(listed), *parts])

    @cached_property
    def _sampler(self) -> OrderSampler:
        from simulator.engine.order_samples import OrderSampler

        return OrderSampler(self._game, self.unit, self.done)

    def sample(self, rng: Random) -> Order | None:
        """Return one of the orders at random; None if there is none, or none was found."""
        if self.is_listed:
            return self.orders[rng.randrange(len(self.orders))] if len(self.orders) else None
        order = self._sampler.sample(rng)
        if order is not None:
            self._sampled[id(order)] = order
        return order

    def has_returned(self, order: Order) -> bool:
        """Whether this very order is one that was returned from here, and is therefore legal."""
        if self._sampled.get(id(order)) is order:
            return True
        return "orders" in vars(self) and self.orders.has_made(order)


class LegalNow:
    """All legal orders at one moment, as far as they were asked for."""

    def __init__(self, game: Playthrough[Any]) -> None:
        self._game, self.state = game, game.state
        self._parts: dict[tuple[str, bool], OrdersOfUnit] = {}
        self._of: dict[str | None, LegalOrders] = {}
        self._of_side: dict[str, LegalOrders] = {}

    @cached_property
    def to_move(self) -> tuple[str, ...]:
        """The units that may be ordered: the one whose go has begun first, the others in the order of the clock."""
        if self.state.pending is not None or not self.state.clock.turn:
            return ()
        table, clock = Table(self._game.setting, self.state), self._game.ruleset.clock
        free = sorted(clock.may_go(table), key=lambda name: name != table.clock.unit)
        return tuple(
            name for name in free if not all(any(clock.breaches(table, name, action)) for action in ("", "done"))
        )

    def of(self, unit: str | None) -> LegalOrders:
        """Return the orders of a unit, or of all."""
        if unit is not None:
            self.state.unit(unit)
        if unit not in self._of:
            names = self.to_move if unit is None else (unit,)
            self._of[unit] = LegalOrders([self._part(name, unit is None) for name in names], self._game)
        return self._of[unit]

    def of_side(self, side: str) -> LegalOrders:
        """Return the orders of all units of a side."""
        if side not in self._of_side:
            names = [name for name in self.to_move if self.state.units[name].side == side]
            self._of_side[side] = LegalOrders([self._part(name, True) for name in names], self._game)
        return self._of_side[side]

    def _part(self, unit: str, with_done: bool) -> OrdersOfUnit:
        return self._parts.setdefault((unit, with_done), OrdersOfUnit(self._game, unit, with_done))

    def proved(self, order: Order, state: State) -> bool:
        """Whether an order was returned as legal at this moment."""
        return state is self.state and any(part.has_returned(order) for part in self._parts.values())
