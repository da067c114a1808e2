"""The planner with headings and prices, beside networkx and the judge on the same poses; and how it grows.

    python -m benchmarks.bench_posed [--rounds 3]

The table has pieces, some of which bar the way, the others dear ground, and bases. Every round prepares everything from
scratch. The error is what ends cost more than with a mesh a quarter as wide: of 60 ends the mean, the worst, and how
many only the finer search finds. Before anything is timed the judge has to accept the moves to all ends at their costs,
and poses may cost no less by networkx than a search found. Networkx joins the poses that the search kept, each pair
judged by itself; that is timed once, for a part of the budget.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import fields, replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
from crowded import HEIGHT, START, WIDTH, boxes

from simulator.geometry.footprints import Base, Round
from simulator.geometry.pieces import FloatArray
from simulator.pathing.posed import Mode, PoseReach, PoseSpace, PoseStart, PricedGround, TurnPrices, judged
from simulator.pathing.posed.reference import reference_prices

#: Of three pieces one bars the way.
WALLS = 3
#: Places that costs are asked of, and of those as many ends that are compared with a finer search.
PLACES, COMPARED = 600, 60
#: Headings are listed of so many places.
_FEW = 8
#: Networkx has to take so many times as long.
LEAST_GAIN = 50.0
FORWARD, REVERSE = Mode("forward"), Mode("reverse", 180, Fraction(2))
LEFTWARD, RIGHTWARD = Mode("left", 90, Fraction(2)), Mode("right", 270, Fraction(2))


class Question(NamedTuple):
    """A mover on a table, and places to end at."""

    space: PoseSpace
    places: FloatArray


def question(mover: str, pieces: int = 60, bases: int = 30, budget: int | None = None) -> Question:
    """A mover by name: a vehicle of 36 inches that pays for turns by brackets, or a walker of 12 by half inches."""
    dice = np.random.default_rng(5)
    base: Base = Round(0.63)
    walls = boxes(dice, pieces // WALLS, (1, 5), 4.5)
    spots = dice.uniform((2, 2), (WIDTH - 2, HEIGHT - 2), (4 * bases, 2)).tolist()
    spots = [spot for spot in spots if np.hypot(spot[0] - START[0], spot[1] - START[1]) > 2.5][:bases]
    areas = boxes(dice, pieces - len(walls), (2, 7), 0.0)

    def rate(under: frozenset[int], climbed: frozenset[int]) -> Fraction:
        del climbed
        return Fraction(2 if under else 1)

    if mover == "vehicle":
        most = 36
        ground = PricedGround(areas, rate)
        turns = TurnPrices.of([(45, 6), (90, 12), (135, 24), (180, 30)], separation=1)
        modes: tuple[Mode, ...] = (FORWARD, REVERSE)
    else:
        most = 12
        ground = PricedGround(areas, rate, base=base, grain=Fraction(1, 2))
        turns = TurnPrices.in_steps(22.5, 0.5, times_rate=True, free=90)
        modes = (FORWARD, REVERSE, LEFTWARD, RIGHTWARD)
    limit = most if budget is None else budget
    bars = [*walls, *(Round(0.5).at(*spot) for spot in spots)]
    starts = (PoseStart(START, Fraction(30)),)
    space = PoseSpace(base, starts, Fraction(limit), ground, modes, turns, bars, box=(0, 0, WIDTH, HEIGHT))
    angle, share = dice.uniform(0, 2 * np.pi, PLACES), np.sqrt(dice.uniform(0, 1, PLACES))
    return Question(space, START + limit * 0.8 * (share * np.stack([np.cos(angle), np.sin(angle)])).T)


def afresh(space: PoseSpace) -> PoseSpace:
    """The same space without what it has found out."""
    ground = PricedGround(**{one.name: getattr(space.ground, one.name) for one in fields(PricedGround)})
    return replace(space, ground=ground)


def milliseconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return 1e3 * (time.process_time() - begin)


def check(asked: Question) -> None:
    """Stop unless the judge accepts the moves to the ends at their costs."""
    reach = PoseReach(asked.space)
    costs = reach.costs_at(asked.places[:COMPARED])
    for cost, moves in zip(costs.tolist(), reach.moves_to_each(asked.places[:COMPARED]), strict=True):
        if moves is not None:
            verdict = judged(asked.space, asked.space.starts[0], moves)
            if not verdict.is_legal or abs(float(verdict.total) - cost) > 1e-6:
                raise SystemExit("the judge does not accept what the planner found")


def errors(asked: Question, finer: int) -> tuple[float, float, int]:
    """What ends cost more than with a mesh a quarter as wide: mean, worst, and how many are missing."""
    places = asked.places[:COMPARED]
    costs = PoseReach(asked.space, finer=finer).costs_at(places)
    best = PoseReach(asked.space, finer=2).costs_at(places)
    both = np.isfinite(costs)
    more = costs[both] - best[both]
    return float(more.mean()), float(more.max()), int(np.sum(np.isfinite(best) & ~both))


def timed(asked: Question, rounds: int, finer: int = 0) -> dict[str, float]:
    """Medians in milliseconds of the parts of an answer."""
    rows: dict[str, list[float]] = {"search": [], "costs": [], "area": [], "headings": []}
    for _ in range(rounds):
        reach = PoseReach(afresh(asked.space), finer=finer)
        rows["search"].append(milliseconds(partial(getattr, reach, "searched")))
        rows["costs"].append(milliseconds(partial(reach.costs_at, asked.places)))
        rows["area"].append(milliseconds(reach.area))
        ends = asked.places[:_FEW].tolist()
        rows["headings"].append(sum(milliseconds(partial(reach.headings_at, (x, y))) for x, y in ends) / len(ends))
    return {name: statistics.median(row) for name, row in rows.items()}


def bars(rounds: int) -> list[str]:
    lines = [
        "| mover, 60 pieces, 30 bases | states | search, ms | costs of 600 places, ms | area, ms "
        "| headings of a place, ms | error: mean | worst | missing of 60 |",
        "|" + "---|" * 9,
    ]
    for mover in ("vehicle", "walker"):
        asked = question(mover)
        check(asked)
        found, (mean, worst, missing) = timed(asked, rounds), errors(asked, 0)
        states = len(PoseReach(asked.space).searched[0].states.price)
        lines.append(
            f"| {mover} | {states} | {found['search']:.0f} | {found['costs']:.0f} | {found['area']:.0f} "
            f"| {found['headings']:.0f} | {mean:.3f} | {worst:.2f} | {missing} |"
        )
    return lines


def beside_networkx() -> tuple[list[str], bool]:
    """The rows, and whether all of them keep the bar."""
    lines = ["| vehicle, budget | states | planner, ms | networkx and the judge, ms | ratio | bar |", "|" + "---|" * 6]
    kept = True
    for budget in (12, 18):
        asked = question("vehicle", budget=budget)
        reach = PoseReach(afresh(asked.space))
        ours = milliseconds(partial(getattr, reach, "searched"))
        states = reach.searched[0].states
        begin = time.process_time()
        prices = reference_prices(asked.space, states)
        theirs = 1e3 * (time.process_time() - begin)
        if np.any(prices > states.price + 1e-9):
            raise SystemExit("networkx does not find what the search found")
        kept = kept and theirs >= LEAST_GAIN * ours
        lines.append(
            f"| {budget} | {len(prices)} | {ours:.0f} | {theirs:.0f} | 1/{theirs / ours:.0f} | 1/{LEAST_GAIN:.0f} |"
        )
    return lines, kept


def growth() -> list[str]:
    lines = [
        "| vehicle | states | search, ms | costs of 600 places, ms | error: mean | worst | missing of 60 |",
        "|" + "---|" * 7,
    ]
    cases = [
        (f"{count} pieces, budget 24", question("vehicle", count, count // 2, 24), 0) for count in (15, 30, 60, 120)
    ]
    cases += [(f"60 pieces, budget {budget}", question("vehicle", budget=budget), 0) for budget in (12, 24, 36)]
    cases += [(f"60 pieces, budget 24, mesh 1/{2**finer}", question("vehicle", budget=24), finer) for finer in (1, 2)]
    for name, asked, finer in cases:
        reach = PoseReach(afresh(asked.space), finer=finer)
        search = milliseconds(partial(getattr, reach, "searched"))
        costs = milliseconds(partial(reach.costs_at, asked.places))
        mean, worst, missing = errors(asked, finer)
        states = sum(len(found.states.price) for found in reach.searched)
        lines.append(f"| {name} | {states} | {search:.0f} | {costs:.0f} | {mean:.3f} | {worst:.2f} | {missing} |")
    return lines


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    compared, kept = beside_networkx()
    for part in (bars(rounds), compared, growth()):
        print("\n".join(part), end="\n\n", flush=True)
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
