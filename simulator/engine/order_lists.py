"""Lists of orders that are made only when they are looked at.

How many orders a unit has is often known long before each of them is spelt out: a search finds every end at once, and
the way to one of them takes as long again. A rulebook lists its orders in parts, each with its number of orders and a
function that makes one of them.

>>> orders = OrderList([OrderPart(3, lambda number: Order("A1", f"step{number}")), OrderPart.of([Order("A1", "wait")])])
>>> len(orders), orders[1].action, orders[-1].action, [order.action for order in orders[2:]]
(4, 'step1', 'wait', ['step2', 'wait'])
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import overload

from simulator.engine.orders import Order


@dataclass(frozen=True, slots=True)
class OrderPart:
    """A part of a list: the number of its orders, and what makes one of them from its number in the part."""

    count: int
    make: Callable[[int], Order]

    @classmethod
    def of(cls, orders: Iterable[Order]) -> OrderPart:
        """Return a part of orders that are known already."""
        known = tuple(orders)
        return cls(len(known), known.__getitem__)


class OrderList(Sequence[Order]):
    """Orders in parts; each is made when it is first looked at, and kept."""

    def __init__(self, parts: Iterable[OrderPart] = ()) -> None:
        self._parts = tuple(part for part in parts if part.count)
        #: The number of orders up to the end of each part.
        self._ends = tuple(accumulate(part.count for part in self._parts))
        self._made: dict[int, Order] = {}
        self._known: dict[int, Order] = {}

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, index: int) -> Order: ...

    @overload
    def __getitem__(self, index: slice) -> list[Order]: ...

    def __getitem__(self, index: int | slice) -> Order | list[Order]:
        if isinstance(index, slice):
            return [self[number] for number in range(*index.indices(len(self)))]
        number = range(len(self))[index]
        if number not in self._made:
            where = bisect_right(self._ends, number)
            made = self._parts[where].make(number - (self._ends[where - 1] if where else 0))
            self._made[number] = self._known[id(made)] = made
        return self._made[number]

    def has_made(self, order: Order) -> bool:
        """Whether this very order, not only one like it, comes from here."""
        return self._known.get(id(order)) is order
