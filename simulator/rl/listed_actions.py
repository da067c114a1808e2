"""Actions as numbers: an action is the place of an order in the list of a side's legal orders.

The list is that of `game.legal()`, without the units of other sides: unit after unit, as in `game.to_move()`, for each
the orders as its rulebook lists them, then its `done`. A list that is longer than the space of actions is thinned out
evenly; `info["left_out"]` is the number of orders that cannot be chosen.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from simulator.engine.game import Game
from simulator.engine.orders import Order

Mask = NDArray[np.int8]


class ListedActions:
    """The actions of games whose orders are listed."""

    def __init__(self, most: int) -> None:
        self.most = most

    def space(self) -> spaces.Space[Any]:
        """Return a space of actions, for one agent."""
        return spaces.Discrete(self.most)

    def mask_space(self) -> spaces.Space[Any] | None:
        """Return the space of masks."""
        return spaces.Box(0, 1, (self.most,), np.int8)

    def mask(self, game: Game[Any], side: str) -> Mask:
        """Return 1 for each action that a side can choose now, 0 for the rest; none if it is not the side to move."""
        found: Mask = np.zeros(self.most, np.int8)
        if side == game.side_to_move:
            found[: min(self.most, len(game.legal_of_side(side)))] = 1
        return found

    def left_out(self, game: Game[Any], side: str) -> int:
        """Return the number of legal orders that no action stands for."""
        return max(0, len(game.legal_of_side(side)) - self.most)

    def order(self, game: Game[Any], side: str, action: Any) -> Order | None:
        """Return the order of an action; None if it stands for none now."""
        orders, number = game.legal_of_side(side), int(action)
        if not 0 <= number < min(self.most, len(orders)):
            return None
        return orders[number if len(orders) <= self.most else number * len(orders) // self.most]
