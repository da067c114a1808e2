"""What the benches of rulebooks over poses have in common: their rows beside networkx and shapely, clock and memory."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import fields, replace
from functools import partial
from typing import Any

import numpy as np
import shapely

from benchmarks.peaks import peak_of, peak_text
from simulator.engine.game import Game
from simulator.engine.orders import Element, Order
from simulator.engine.posed_reach import PosedReach
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed import PoseReach, PoseSpace, PricedGround
from simulator.pathing.posed.planner import PosePlanner
from simulator.pathing.posed.reference import reference_prices
from simulator.pathing.weighted.planners import KNOWN
from simulator.threads import on_one_core

#: The least depth of an overlap, or width of a gap, at which shapely leads to the same verdict.
CLEAR = 1e-3
#: The courses of legs by the names of their elements, in degrees from the heading.
Asides = Mapping[str, float]


def places_around(start: tuple[float, float], inches: float, count: int) -> FloatArray:
    """Places that are so far off at most."""
    dice = np.random.default_rng(7)
    angle, share = dice.uniform(0, 2 * np.pi, count), np.sqrt(dice.uniform(0, 1, count))
    return np.asarray(start + inches * share[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))


def afresh(space: PoseSpace) -> PoseSpace:
    """The same space without what it has found out."""
    ground = PricedGround(**{one.name: getattr(space.ground, one.name) for one in fields(PricedGround)})
    return replace(space, ground=ground)


def whole_answer(planner: PosePlanner, places: FloatArray) -> None:
    """The area, and the headings at some places."""
    planner.area()
    planner.headings_at_each(places)


# --- beside networkx ---


def price_row(
    table: str, size: tuple[int, int], reach: PosedReach[Any], costs: Callable[[], FloatArray], rounds: int
) -> str:
    """Compare what places cost with the prices of networkx; `size` is that of the table in pieces and bases."""
    assert isinstance(reach.planner, PoseReach)
    states = reach.planner.searched[0].states
    joined = partial(reference_prices, reach.space, states)
    begin = time.process_time()
    prices = joined()
    theirs = 1e3 * (time.process_time() - begin)
    if np.any(prices > states.price + 1e-9):
        raise SystemExit("networkx does not find what the search found")
    (ours,) = medians([costs], rounds)
    cells = [f"{ours:.0f}", f"{len(prices)}", f"{theirs:.0f}", peak_text(*peaks_of([costs, joined]))]
    return f"| {table} | {size[0]}, {size[1]} | {' | '.join(cells)} | 1/{theirs / ours:.0f} |"


# --- beside shapely ---


def orders_made(made: Callable[[np.random.Generator], Order | None], count: int, asides: Asides) -> list[Order]:
    """Legal orders, every second one with longer legs; `made` makes one, or none."""
    dice, found = np.random.default_rng(3), list[Order]()
    while len(found) < count:
        if (order := made(dice)) is not None:
            longer = [_longer(element, asides) for element in order.elements]
            found.append(order if len(found) % 2 else replace(order, elements=longer))
    return found


def _longer(element: Element, asides: Asides) -> Element:
    return Element(element.name, {"inches": 2 * element["inches"]}) if element.name in asides else element


def our_verdicts(game: Game[Any], orders: Sequence[Order]) -> list[int]:
    """How many reasons there are against each order."""
    return [len(game.breaches(order)) for order in orders]


def shapely_clearances(game: Game[Any], reach: PosedReach[Any], orders: Sequence[Order], asides: Asides) -> FloatArray:
    """How much room the legs of each order leave the base, negative where something bars them."""
    tree = shapely.STRtree([bar.polygon for bar in reach.space.bars])
    solid = shapely.union_all(tree.geometries)
    lines = [shapely.LineString(_drawn(game, order, asides)) for order in orders]
    return np.asarray(shapely.distance(solid, np.array(lines, object))) - reach.space.base.reach


def _drawn(game: Game[Any], order: Order, asides: Asides) -> list[tuple[float, float]]:
    (x, y), heading = game.state.unit("A").place, float(game.state.unit("A").heading)
    corners = [(x, y), (x, y)]
    for element in order.elements:
        if element.name in asides:
            course, inches = np.radians(heading + asides[element.name]), float(element["inches"])
            x, y = x + inches * np.cos(course), y + inches * np.sin(course)
            corners.append((x, y))
        else:
            heading += float(element["angle"]) * (1 if element.name == "turn_left" else -1)
    return corners


def verdict_row(
    table: str,
    game: Game[Any],
    reach: PosedReach[Any],
    orders: Sequence[Order],
    is_barred: Callable[[Game[Any], Order], bool],
    asides: Asides,
    rounds: int,
) -> str:
    """Compare the verdicts of the judge with what shapely finds in the way."""
    barred = np.array([is_barred(game, order) for order in orders])
    room = shapely_clearances(game, reach, orders, asides)
    plain = np.abs(room) > CLEAR
    if np.any(barred[plain] != (room[plain] < 0)):
        raise SystemExit("the judge and shapely disagree")
    works = [partial(our_verdicts, game, orders), partial(shapely_clearances, game, reach, orders, asides)]
    ours, theirs = medians(works, rounds)
    refused = np.mean([count > 0 for count in our_verdicts(game, orders)])
    count = len(orders)
    cells = [f"{refused:.0%}", f"{barred.mean():.0%}", f"{ours / count:.1f}", f"{theirs / count:.2f}"]
    return f"| {table} | {' | '.join([*cells, peak_text(*peaks_of(works))])} |"


# --- the clock, memory, and tables ---


@on_one_core()
def medians(works: Sequence[Callable[[], object]], rounds: int) -> list[float]:
    """The median processor time of each piece of work, in milliseconds; each round runs all of them in turn.

    Nothing is known of what was asked before. Copies of the process are not counted: there are none.
    """
    taken: list[list[float]] = [[] for _ in works]
    for _ in range(rounds):
        for work, times in zip(works, taken, strict=True):
            KNOWN.clear()
            begin = time.process_time()
            work()
            times.append(1e3 * (time.process_time() - begin))
    return [statistics.median(times) for times in taken]


@on_one_core()
def peaks_of(works: Sequence[Callable[[], object]]) -> list[float]:
    """The most MB that each piece of work holds when it is done once more; nothing is known of what was asked."""
    peaks = []
    for work in works:
        KNOWN.clear()
        peaks.append(peak_of(work))
    return peaks


def show(heads: Sequence[str], rows: Iterable[str]) -> None:
    """Print a table, each row as soon as it is known."""
    print(f"| {' | '.join(heads)} |", "|" + "---|" * len(heads), sep="\n", flush=True)
    for row in rows:
        print(row, flush=True)
    print(flush=True)
