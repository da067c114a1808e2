"""All small tables of one pattern, and what play comes to on them: each half-inch place, for so many AP.

The pattern: a lane of 12 by 3 inches, a standing soldier an inch from its left end, half way across; one wall across it
at each half inch from 1 to 6 inches ahead, from side to side or with room past it on one side; one patch of rough
ground an inch long from side to side, at one of four places or nowhere. Play goes straight from any half-inch place to
any other and over the wall, whatever follows what: all of it, not a sample.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from skirmish_compared import lucky
from skirmish_tables import chosen, game_with, rough, wall

from simulator.engine.errors import IllegalOrder
from simulator.engine.game import Game
from simulator.errors import NoPlace
from simulator.geometry.paths import Paths
from simulator.rulesets.skirmish import RULESET
from simulator.rulesets.skirmish.obstruction import barred_at, may_end
from simulator.rulesets.skirmish.traverse.rules import Climber, from_places

WALLS = [1.0 + step / 2 for step in range(11)]
SPANS = [(-1.5, 1.5), (-1.5, 0.0), (-0.5, 1.5)]
PATCHES = [None, 0.5, 1.5, 3.0, 5.0]
#: Each value of each option that reach depends on, beside all the defaults.
OPTIONS: list[dict[str, Any]] = [
    {},
    *(
        {name: value}
        for name, option in RULESET.options.declared.items()
        for value in option.values
        if value != option.default and not name.startswith("dodge") and name != "running_until"
    ),
]
#: The half-inch places of the lane.
PLACES = np.array([(x / 2, y / 2) for x in range(-1, 21) for y in range(-2, 3)])


class World(NamedTuple):
    """One table of the pattern, under one option."""

    at: float
    span: tuple[float, float]
    patch: float | None
    options: dict[str, Any]

    def game(self) -> Game[Any]:
        """The table with its soldier."""
        pieces = [wall((self.at, self.span[0]), (self.at, self.span[1]))]
        if self.patch is not None:
            pieces.append(rough(self.patch, -1.5, self.patch + 1.0, 1.5))
        others = (("B1", "blue", (12.0, 0.0)),)
        return game_with(*pieces, others=others, options=self.options, corner=(-1.0, -1.5), size=(14.0, 3.0))


def worlds() -> Iterator[World]:
    """All of them."""
    for options, at, span, patch in itertools.product(OPTIONS, WALLS, SPANS, PATCHES):
        yield World(at, span, patch, options)


def played(game: Game[Any]) -> NDArray[np.float64]:
    """For each place the fewest AP with which play ends there: straight from place to place, over the wall, by a run.

    States are a place, the stance (it stays up), and whether it has run or traversed where those exclude each other.
    """
    table = game.ready_table("A1")
    unit, figures, options = table.unit("A1"), table.tables, table.options
    rows = PLACES[may_end(table, unit, PLACES)]
    ap, move, run = int(unit["ap"]), float(figures["inches.standing"]), float(figures["run.inches"])
    climber = Climber(table, unit)
    # Far sides are no half-inch places everywhere: all that are come to are added, until there are no more.
    while True:
        ways = from_places(climber, rows)
        fars = ways.far[np.min(np.hypot(*(ways.far[:, None] - rows).transpose(2, 0, 1)), axis=1) > 1e-7]
        if not len(fars):
            break
        rows = np.concatenate([rows, np.unique(np.round(fars, 9), axis=0)])
    apart = np.hypot(*(rows[:, None] - rows).transpose(2, 0, 1))
    lines = np.stack([np.repeat(rows, len(rows), axis=0), np.tile(rows, (len(rows), 1))], axis=1)
    free = np.isinf(barred_at(table, unit, Paths.of_lines(list(lines)))).reshape(apart.shape)
    far = np.argmin(np.hypot(*(ways.far[:, None] - rows).transpose(2, 0, 1)), axis=1)
    excludes = not options.run_and_traverse_same_activation
    flags = [(False, False), (True, False), (False, True), (True, True)] if excludes else [(False, False)]
    cost = {flag: np.full((ap + 1, len(rows)), False) for flag in flags}
    cost[False, False][0, np.argmin(np.hypot(*rows.T))] = True
    lots = range(1, ap + 1) if options.pool_ap else (1,)
    for spent in range(ap + 1):
        for ran, crossed in flags:
            here = cost[ran, crossed][spent]
            while not int(options.traverse_ap):
                there = here.copy()
                there[far[here[ways.origin]]] = True
                after = cost[ran, excludes][spent]
                if excludes and (ran or np.all(after | ~there)):
                    break
                if not excludes and np.array_equal(there, here):
                    break
                after |= there
            for number in lots:
                if spent + number <= ap:
                    steps = free & (apart <= number * move + 1e-9)
                    cost[ran, crossed][spent + number] |= np.any(steps[here], axis=0)
            if spent + 3 <= ap and not (excludes and crossed):
                steps = free & (apart <= run + 1e-9) & (apart >= int(options.run_min_inches) - 1e-9)
                cost[excludes, crossed][spent + 3] |= np.any(steps[here], axis=0)
            if int(options.traverse_ap) and spent + 1 <= ap and not (excludes and ran):
                cost[ran, excludes][spent + 1, far[here[ways.origin]]] = True
    found = np.any(list(cost.values()), axis=0)
    fewest = np.where(np.any(found, axis=0), np.argmax(found, axis=0), np.inf)
    known = np.argmin(np.hypot(*(PLACES[:, None] - rows).transpose(2, 0, 1)), axis=1)
    legal = np.hypot(*(PLACES - rows[known]).T) < 1e-9
    return np.where(legal, fewest[known], np.inf)


def differences(world: World) -> list[str]:
    """Where reach and play differ: places that play comes to for less, or that reach has and that are not played."""
    game = world.game()
    reach, by_play = game.reach("A1"), played(game)
    costs = reach.costs_at(PLACES)
    whole = int(game.ready_table("A1").unit("A1")["ap"])
    wrong: list[str] = []
    for (x, y), cost, least in zip(PLACES.tolist(), costs.tolist(), by_play.tolist(), strict=True):
        if least < cost:
            wrong.append(f"{world}: {x:g},{y:g} is played for {least:g} AP, reach says {cost:g}")
        if cost < least:
            twin = lucky(game)
            try:
                for order in reach.orders_to((x, y)):
                    twin.do(order, chosen())
            except (IllegalOrder, NoPlace) as refused:
                wrong.append(f"{world}: {x:g},{y:g} costs {cost:g} AP, its orders are refused: {refused}")
                continue
            unit = twin.state.unit("A1")
            spent = whole - int(unit["ap"]) if unit["status"] == "activating" else cost
            if math.dist(unit.place, (x, y)) > 1e-5 or spent != cost:
                wrong.append(f"{world}: {x:g},{y:g} costs {cost:g} AP, its orders end at {unit.place} for {spent:g}")
    return wrong
