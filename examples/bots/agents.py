"""Three agents: one that plays at random, a greedy one, and a small Monte Carlo tree search.

An agent is a function of a game and a source of chance that returns a legal order of the side to move. None of them
knows a rulebook: they play whatever lists its orders, and the first one on inch tables too.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import pairwise
from random import Random
from typing import Any

from simulator import Game, Order
from simulator.engine.answers import DiceBag, InTurn, Policy
from simulator.engine.objectives import Score

Agent = Callable[[Game[Any], Random], Order]


def value_for(side: str, score: Score) -> float:
    """Return what a score is worth to a side, from -1 to 1: the result, or less than that for a lead."""
    if score.is_over:
        return float(score.result_of(side))
    return 0.9 * math.tanh(float(score.lead_of(side)) / 4)


def imagined(game: Game[Any], rng: Random) -> Game[Any]:
    """Return a copy of a game with dice of its own: nobody knows what the real ones will show."""
    return game.branch(InTurn([DiceBag.of(rng.getrandbits(32)), Policy(choices="first")]))


def random_agent(game: Game[Any], rng: Random) -> Order:
    """Choose any legal order."""
    return game.legal().sample(rng)


def greedy_agent(game: Game[Any], rng: Random) -> Order:
    """Choose the order after which the score is best; of several one at random."""
    side, best, found = game.side_to_move, -math.inf, []
    for order in game.legal_of_side(side):
        twin = imagined(game, rng)
        value = value_for(side, twin.step(order).result)
        if value > best:
            best, found = value, []
        if value == best:
            found.append(order)
    return rng.choice(found)


class TreeAgent:
    """Searches a tree of orders: each simulation adds a moment, plays on at random for a while, and looks at the score.

    `depth` is the number of random orders, `curiosity` how much it prefers orders that it has hardly tried.
    """

    def __init__(self, simulations: int = 40, depth: int = 6, curiosity: float = 0.7) -> None:
        self.simulations, self.depth, self.curiosity = simulations, depth, curiosity

    def __call__(self, game: Game[Any], rng: Random) -> Order:
        """Choose the order that was tried most often."""
        root = _Moment(imagined(game, rng), rng)
        if len(root.untried) == 1:
            return root.untried[0]
        for _ in range(self.simulations):
            self._simulate(root, rng)
        return max(root.after, key=lambda order: root.after[order].visits)

    def _simulate(self, root: _Moment, rng: Random) -> None:
        path = [root]
        while not path[-1].untried and path[-1].after:
            path.append(path[-1].likeliest(self.curiosity))
        if path[-1].untried:
            path.append(path[-1].tried(rng))
        score = self._played_on(path[-1].game, rng)
        for before, moment in pairwise(path):
            moment.visits += 1
            # What a moment is worth is seen by the side that chose to go there.
            moment.total += value_for(before.side, score)
        root.visits += 1

    def _played_on(self, game: Game[Any], rng: Random) -> Score:
        twin = game.branch()
        for _ in range(self.depth):
            if twin.is_over:
                break
            twin.step(twin.legal().sample(rng))
        return twin.score


class _Moment:
    """A moment of the tree: the game there, the orders not tried yet, and the moments after the others."""

    def __init__(self, game: Game[Any], rng: Random) -> None:
        self.game, self.visits, self.total = game, 0, 0.0
        self.side = "" if game.is_over else game.side_to_move
        self.untried = list(game.legal_of_side(self.side)) if self.side else []
        rng.shuffle(self.untried)
        self.after: dict[Order, _Moment] = {}

    def tried(self, rng: Random) -> _Moment:
        """Try another order."""
        order = self.untried.pop()
        game = self.game.branch()
        game.step(order)
        self.after[order] = _Moment(game, rng)
        return self.after[order]

    def likeliest(self, curiosity: float) -> _Moment:
        """Return the moment that promises most, or has hardly been looked at."""
        every = math.log(self.visits or 1)
        return max(
            self.after.values(), key=lambda one: one.total / one.visits + curiosity * math.sqrt(every / one.visits)
        )
