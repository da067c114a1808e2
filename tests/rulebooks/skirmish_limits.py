"""Layouts on which something is exactly at a limit, each with the orders that use it to the full.

A chain of spends is laid along one line: moves of whole allowances or of round figures, runs, changes of stance,
obstacles and gaps set up just where the base comes within reach of them, rough ground and bases beside the way. So the
chain is legal, and by how it is made nothing of it may be a hair longer. `checked` plays it and asks reach about each
place on it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import numpy as np
from skirmish_tables import chosen, game_with

from simulator.engine.answers import Script
from simulator.engine.game import Game
from simulator.geometry.pieces import LineShape, Piece, PolygonShape

INCHES = {"standing": 3.0, "crouching": 2.0, "prone": 1.0}
#: Directions in which round figures stay round.
DIRECTIONS = ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.6, 0.8), (-0.8, 0.6), (0.28, -0.96))
#: By height: the level, and the chance with an attribute of 6.
HEIGHTS = {1.0: Fraction(4, 5), 2.0: Fraction(3, 5), 3.0: Fraction(2, 5), 4.0: Fraction(1, 5)}
ROUND = (0.25, 0.5, 1.0, 1.5, 2.0)


@dataclass
class Layout:
    """One layout: what stands on the table, who the soldier is, and the chain of orders."""

    pieces: list[Piece] = field(default_factory=list)
    others: list[tuple[str, str, tuple[float, float]]] = field(default_factory=list)
    me: dict[str, Any] = field(default_factory=dict)
    options: dict[str, Any] = field(default_factory=dict)
    orders: list[str] = field(default_factory=list)
    #: Whether no roll on the chain can spoil it.
    is_certain: bool = True
    chance: Fraction = Fraction(1)

    def game(self) -> Game[Any]:
        """The table with the soldier at its start."""
        game = game_with(
            *self.pieces,
            me=self.me,
            others=tuple(self.others),
            options=self.options,
            corner=(-40, -40),
            size=80,
        )
        return game.branch(Script.dice((1,) * 40, open_ended=True))

    def __str__(self) -> str:
        told = "; ".join(f"{piece.id} {piece.shape!r} {piece.height}" for piece in self.pieces)
        return f"{self.options} {self.me} {self.others} [{told}] {self.orders}"


class _Chain:
    """A chain that grows along a line."""

    def __init__(self, rng: np.random.Generator) -> None:
        self.rng = rng
        self.ux, self.uy = DIRECTIONS[rng.integers(len(DIRECTIONS))]
        self.at = 0.0
        self.layout = Layout()
        self.radius = float(rng.choice([0.5, 0.5, 0.5, 1.0, 0.75]))
        self.stance = str(rng.choice(["standing", "standing", "crouching", "prone"]))
        self.ap = int(rng.choice([3, 3, 4, 2]))
        self.options: dict[str, Any] = {"ap_per_activation": self.ap}
        self.left = self.ap

    def place(self, along: float, across: float = 0.0) -> tuple[float, float]:
        """A place so far along the line and to its left, in figures people would type."""
        x, y = along * self.ux - across * self.uy, along * self.uy + across * self.ux
        return round(x, 9) + 0.0, round(y, 9) + 0.0

    def told(self, along: float) -> str:
        x, y = self.place(along)
        return f"{x!r},{y!r}"

    def bar(self, begin: float, deep: float, half: float, height: float) -> None:
        """An obstacle across the line."""
        name = f"bar{len(self.layout.pieces)}"
        low, high = self.place(begin, -half), self.place(begin, half)
        if deep:
            shape: Any = PolygonShape([low, self.place(begin + deep, -half), self.place(begin + deep, half), high])
        else:
            shape = LineShape((low, high))
        self.layout.pieces.append(Piece(name, "obstacle", shape, "obstacle", height))

    def rough(self, begin: float, end: float) -> None:
        corners = [self.place(begin, -9), self.place(end, -9), self.place(end, 9), self.place(begin, 9)]
        self.layout.pieces.append(Piece(f"rough{len(self.layout.pieces)}", "rough_terrain", PolygonShape(corners)))

    # --- spends ---

    def move(self) -> None:
        most = INCHES[self.stance]
        pick = self.rng.random()
        inches = most if pick < 0.7 else float(self.rng.choice([one for one in ROUND if one <= most]))
        if self.rng.random() < 0.2:
            if self.rng.random() < 0.5 and most > 1:
                inches = most - 1
            else:
                self.layout.chance *= Fraction(3, 5)
                self.layout.is_certain = False
            self.rough(self.at + 0.25 * inches, self.at + 0.5 * inches)
        self.at += inches
        self.layout.orders.append(f"A1: to {self.told(self.at)}")
        self.left -= 1

    def run(self) -> None:
        inches = float(self.rng.choice([9.0, 9.0, 8.0, 4.5]))
        if self.rng.random() < 0.2:
            self.rough(self.at + 1.0, self.at + 2.0)
            if inches > 8:
                self.layout.chance *= Fraction(3, 5)
                self.layout.is_certain = False
        self.at += inches
        self.layout.orders.append(f"A1 run: to {self.told(self.at)}")
        self.left -= 3

    def climb(self) -> None:
        away = float(self.rng.choice([1.0, 1.0, 1.0, 0.5, 0.0]))
        deep = float(self.rng.choice([0.0, 0.0, 0.5, 1.0, 3.0]))
        height = float(self.rng.choice(list(HEIGHTS)))
        half = float(self.rng.choice([12.0, 12.0, self.radius, 2.0]))
        name = f"bar{len(self.layout.pieces)}"
        self.bar(self.at + self.radius + away, deep, half, height)
        self.at += away + deep + 2 * self.radius
        self.layout.orders.append(f"A1 traverse {name}")
        self.layout.chance *= HEIGHTS[height]
        self.layout.is_certain = False
        self.left -= self.options.get("traverse_ap", 1)

    def thread(self) -> None:
        """Through a gap between two thin walls, from within an inch of its throat."""
        wide = float(self.rng.choice([0.6, 0.8])) * 2 * self.radius
        away = float(self.rng.choice([1.0, 1.0, 0.5]))
        begin = self.at + self.radius + away
        names = []
        for side in (-1, 1):
            names.append(f"bar{len(self.layout.pieces)}")
            shape = LineShape((self.place(begin, side * wide / 2), self.place(begin, side * 12.0)))
            self.layout.pieces.append(Piece(names[-1], "obstacle", shape, "obstacle", 9.0))
        # The throat is nearest at its middle only if the line leads through it.
        self.at = begin + math.sqrt(self.radius**2 - wide**2 / 4)
        self.layout.orders.append(f"A1 traverse {names[0]} and {names[1]}")
        self.layout.chance *= Fraction(3, 5)
        self.layout.is_certain = False
        self.left -= self.options.get("traverse_ap", 1)

    def rise(self) -> None:
        other = [stance for stance in INCHES if stance != self.stance]
        self.stance = str(self.rng.choice(other))
        self.layout.orders.append(f"A1 change_stance {self.stance}")
        self.left -= 1

    def beside(self) -> None:
        """Bases that just touch the way, or the end of the chain: enemies on both sides, a friend ahead."""
        if self.rng.random() < 0.3:
            along = round(self.at * float(self.rng.random()), 1)
            for side, name in ((-1, "B1"), (1, "B2")):
                self.layout.others.append((name, "blue", self.place(along, side * (self.radius + 0.5))))
        if self.rng.random() < 0.2:
            self.layout.others.append(("A2", "red", self.place(self.at + self.radius + 0.5)))


def layout_of(seed: int, measure: str = "translation") -> Layout:
    """Make one layout; soldiers keep their facing, so that both measures are the same to its chain."""
    rng = np.random.default_rng(seed)
    chain = _Chain(rng)
    if rng.random() < 0.15:
        chain.options["traverse_ap"] = 0
    if rng.random() < 0.15:
        chain.options["traverse_direction"] = "any_direction"
    if rng.random() < 0.1:
        chain.options["path_shape"] = "straight_per_ap"
    if rng.random() < 0.1:
        chain.options["exact_fit_passes"] = False
    me = {"stance": chain.stance, "radius": chain.radius, "threshold_left": 0}
    free = 0
    while chain.left:
        pick = rng.random()
        if chain.stance == "standing" and chain.left >= 3 and pick < 0.3:
            chain.run()
        elif pick < 0.35 and (chain.options.get("traverse_ap", 1) or free < 2):
            free += 1
            chain.climb()
        elif (
            pick < 0.42
            and chain.options.get("traverse_direction") is None
            and (chain.options.get("traverse_ap", 1) or free < 2)
        ):
            free += 1
            chain.thread()
        elif pick < 0.47:
            chain.rise()
        else:
            chain.move()
    chain.beside()
    layout = chain.layout
    layout.me, layout.options = me, {**chain.options, "measure": measure}
    return layout


def faults_of(layout: Layout) -> list[str]:
    """Play a layout's chain, ask reach about each place on it, play what reach orders: what is wrong; None if illegal.

    A chain that something stands in the way of ends there.
    """
    start = layout.game()
    twin = start.branch(Script.dice((1,) * 40, open_ended=True))
    wrong: list[str] = []
    reach = start.reach("A1")
    done = 0
    whole = start.ready_table("A1").unit("A1")["ap"]
    for number, order in enumerate(layout.orders):
        if list(twin.breaches(order)):
            break
        twin.do(order, chosen())
        done += 1
        unit = twin.state.unit("A1")
        place = (float(unit.place[0]), float(unit.place[1]))
        spent = whole - unit["ap"] if unit["status"] == "activating" else whole
        cost = reach.cost_at(place)
        where = f"after {number + 1} at {place}"
        if cost is None or cost > spent:
            wrong.append(f"{where}: played for {spent} AP, reach says {cost}")
            continue
        chance = reach.chance_at(place)
        if chance < layout.chance or (layout.is_certain and chance < 1):
            wrong.append(f"{where}: chance {chance}, the chain has {layout.chance}")
        low, high = reach.chance_bounds(place)
        if not low <= chance <= high + Fraction(1, 10**6):
            wrong.append(f"{where}: chance {chance} is not between {low} and {high}")
        again = start.branch(Script.dice((1,) * 40, open_ended=True))
        for planned in reach.orders_to(place):
            if found := list(again.breaches(planned)):
                wrong.append(f"{where}: {planned} breaks {found}")
                break
            again.do(planned, chosen())
        else:
            ended = again.state.unit("A1")
            if math.dist(ended.place, place) > 1e-5:
                wrong.append(f"{where}: the orders lead to {ended.place}")
    if not done:
        wrong.append("no order of the chain is legal")
    return wrong
