"""Reach of skirmish beside play, both ways, for any table, option, figure and moment.

Random legal orders are played with the luckiest dice; wherever they end, reach has to lead for no more AP. And places
of the area are reached by the orders that reach gives, played in their turn, at just the cost that it tells.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import shapely
from skirmish_tables import chosen

from simulator.engine.answers import Script
from simulator.engine.game import Game
from simulator.engine.state import Unit
from simulator.rulesets.skirmish.soldiers import radius_of

LUCKY = (1,) * 40
_FIGURES = (0.5, 1.0, 1.5, 2.0, 3.0)


def lucky(game: Game[Any]) -> Game[Any]:
    """A branch of a game on which every roll succeeds that can."""
    return game.branch(Script.dice(LUCKY, open_ended=True))


def _orders(game: Game[Any], rng: np.random.Generator, most: float) -> list[str]:
    """Some orders that might be legal for A1, in random order."""
    unit = game.state.unit("A1")
    x, y = unit.place
    told: list[str] = []
    by_front = game.setting.options.measure == "front_point"
    for _ in range(4):
        angle = rng.choice([rng.uniform(0.0, 2.0 * math.pi), rng.integers(8) * math.pi / 4.0])
        ux, uy = round(math.cos(angle), 12), round(math.sin(angle), 12)
        inches = float(rng.choice([most, most, *_FIGURES]))
        turn = int(rng.integers(24)) * 15 if by_front else None
        facing = "" if turn is None else f", facing {turn}"
        told.append(f"A1: to {x + inches * ux!r},{y + inches * uy!r}{facing}")
        if turn is not None:  # it is the front that goes so far
            off_x, off_y = _turned(radius_of(unit), float(unit.heading or 0.0), turn)
            told.append(f"A1: to {x + inches * ux + off_x!r},{y + inches * uy + off_y!r}{facing}")
        if rng.random() < 0.3 and game.setting.options.pool_ap:
            told.append(f"A1 move ap 2: to {x + 2 * inches * ux!r},{y + 2 * inches * uy!r}{facing}")
    run = float(game.setting.tables["run.inches"])
    angle = rng.integers(8) * math.pi / 4.0
    ux, uy = round(math.cos(angle), 12), round(math.sin(angle), 12)
    told += [f"A1 run: to {x + one * ux!r},{y + one * uy!r}" for one in (run, float(rng.choice(_FIGURES)))]
    obstacles = [piece.id for piece in game.board.pieces if piece.kind == "obstacle"]
    told += [f"A1 traverse {name}" for name in obstacles]
    told += [f"A1 traverse {one} and {other}" for one in obstacles for other in obstacles if one < other]
    told += [f"A1 change_stance {stance}" for stance in ("standing", "crouching", "prone")]
    rng.shuffle(told)
    if rng.random() < 0.5:  # who goes near a wall wants to get over it, and on
        told.sort(key=lambda order: "traverse" not in order)
    return told


def _turned(radius: float, before: float, after: float) -> tuple[float, float]:
    """Where the centre comes to if the front stays where it is."""
    one, other = math.radians(before), math.radians(after)
    return radius * (math.cos(one) - math.cos(other)), radius * (math.sin(one) - math.sin(other))


def _cost_about(reach: Any, place: tuple[float, float], off: float) -> float:
    """The least cost of a place and of those so far off it."""
    x, y = place
    angles = [k * math.pi / 8 for k in range(16)] if off else []
    around = [(x + off * math.cos(angle), y + off * math.sin(angle)) for angle in angles]
    return float(reach.costs_at(np.array([place, *around])).min())


def _went_well(order: str, before: Unit, after: Unit) -> bool:
    """Whether an order came to what it was to come to: a roll that never succeeds spoils it."""
    if " to " not in order:
        return "traverse" not in order or after.place != before.place
    x, y = map(float, order.split(" to ")[1].split(", facing")[0].split(","))
    return math.dist((x, y), after.place) < 1e-6


def compared(game: Game[Any], seed: int, *, plays: int = 6, places: int = 6, **question: Any) -> list[str]:
    """Compare a reach of A1 with play: what is wrong."""
    rng = np.random.default_rng(seed)
    reach = game.reach("A1", **question)
    whole = int(game.ready_table("A1").unit("A1")["ap"])
    wrong: list[str] = []
    most = float(game.setting.tables["inches"][game.state.unit("A1")["stance"]])
    for number in range(plays):
        twin, said = lucky(game), list[str]()
        while True:
            order = next((told for told in _orders(twin, rng, most) if not list(twin.breaches(told))), None)
            if order is None or ("stance" in order and question.get("stance") == "kept"):
                break
            before = twin.state.unit("A1")
            twin.do(order, chosen())
            said.append(order)
            unit = twin.state.unit("A1")
            if not _went_well(order, before, unit):
                break
            is_over = unit["status"] != "activating"
            spent = whole if is_over else whole - int(unit["ap"])
            # From front to front areas are drawn from so many fronts, and hold what there is to a hundredth.
            off = 0.01 if game.setting.options.measure == "front_point" else 0.0
            cost = _cost_about(reach, unit.place, off)
            if cost > spent:
                wrong.append(f"{said} is played for {spent} AP, reach says {cost}")
                break
            # Chances take longest: they are asked for along one play.
            if number == 0 and reach.chance_at(unit.place) == 0:
                wrong.append(f"{said} is played for {spent} AP, reach says its chance is 0")
                break
            if is_over:
                break
    return wrong + misplayed(game, reach, rng, places)


def misplayed(game: Game[Any], reach: Any, rng: np.random.Generator, count: int) -> list[str]:
    """Play the orders to random places of a reach: what does not end there at the cost told."""
    corners = shapely.get_coordinates(reach.area)
    low_x, low_y, high_x, high_y = reach.area.bounds
    spread = np.column_stack([rng.uniform(low_x, high_x, count), rng.uniform(low_y, high_y, count)])
    chosen_corners = corners[rng.integers(0, len(corners), count)]
    wrong: list[str] = []
    for x, y in np.concatenate([spread, chosen_corners]).tolist():
        cost = reach.cost_at((x, y))
        if cost is None:
            continue
        twin, before = lucky(game), int(game.ready_table("A1").unit("A1")["ap"])
        orders = reach.orders_to((x, y))
        for order in orders:
            if found := list(twin.breaches(order)):
                wrong.append(f"to {x:g},{y:g}: {order} breaks {found[0].clause} {found[0].message}")
                break
            twin.do(order, chosen())
        else:
            unit = twin.state.unit("A1")
            if math.dist(unit.place, (x, y)) > 1e-5:
                wrong.append(f"to {x:g},{y:g}: {orders} end at {unit.place}")
            if unit["status"] == "activating" and before - int(unit["ap"]) != cost:
                wrong.append(f"to {x:g},{y:g}: {orders} cost {before - int(unit['ap'])} AP, reach says {cost}")
    return wrong
