"""The planner with headings and prices, beside networkx and the judge on the same poses; and how it grows.

    python -m benchmarks.bench_posed [--rounds 3]

The table has pieces, some of which bar the way, the others dear ground, and bases. Every round prepares everything from
scratch. The error is what ends cost more than with a mesh a quarter as wide: of 60 ends the mean, the worst, and how
many only the finer search finds. Before anything is timed the judge has to accept the moves to all ends at their costs,
and poses may cost no less by networkx than a search found. Networkx joins the poses that the search kept, each pair
judged by itself where it might be cheaper; that is timed once, for parts of the budget, too.

Eight movers stand in each other's way. Together they are prepared and searched in one pass; what is found for each has
to be the same to the bit as alone, costs among it. Then one of them moves an inch, and those whom that does not concern
keep what they have.

Peaks are what Python and numpy held more than before while a part of an answer was found once more, again from scratch;
the geometries of shapely are not counted.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np

from benchmarks.crowded import HEIGHT, START, WIDTH, boxes
from benchmarks.peaks import peak_of, peak_text
from simulator.geometry.footprints import Base, Round
from simulator.geometry.pieces import XY, FloatArray, Solid
from simulator.pathing.posed import Mode, PoseReach, PoseSpace, PoseStart, PricedGround, TurnPrices, judged
from simulator.pathing.posed.rays import has_room
from simulator.pathing.posed.reference import reference_prices
from simulator.pathing.posed.together import PoseReaches, reach_many
from simulator.threads import on_one_core

#: Of three pieces one bars the way.
WALLS = 3
#: Places that costs are asked of, and of those as many ends that are compared with a finer search.
PLACES, COMPARED = 600, 60
#: Headings are listed of so many places.
_FEW = 8
#: Networkx has to take so many times as long with the last of these budgets, for which it takes some minutes.
LEAST_GAIN = 50.0
_BESIDE_NETWORKX = (12, 24, 36)
#: Eight movers on one table: what they may spend, and how many times as fast they have to be together.
CROWDS = (
    ("vehicle", (12, 12, 18, 18, 24, 24, 30, 36), 2.0),
    ("vehicle", (12,) * 8, 2.0),
    ("vehicle", (36,) * 8, 1.0),
    ("walker", (6, 6, 8, 8, 10, 10, 12, 12), 1.0),
)
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


def peaks_of_parts(asked: Question) -> list[float]:
    """The most MB that each of these parts holds."""
    reach, (x, y) = PoseReach(afresh(asked.space)), asked.places[0].tolist()
    parts: list[Callable[[], object]] = [
        partial(getattr, reach, "searched"),
        partial(reach.costs_at, asked.places),
        reach.area,
        partial(reach.headings_at, (x, y)),
    ]
    return [peak_of(part) for part in parts]


def bars(rounds: int) -> list[str]:
    lines = [
        "| mover, 60 pieces, 30 bases | states | search, ms | costs of 600 places, ms | area, ms "
        "| headings of a place, ms | peaks, MB: search / costs / area / headings | error: mean | worst "
        "| missing of 60 |",
        "|" + "---|" * 10,
    ]
    for mover in ("vehicle", "walker"):
        asked = question(mover)
        check(asked)
        found, (mean, worst, missing) = timed(asked, rounds), errors(asked, 0)
        states = len(PoseReach(asked.space).searched[0].states.price)
        lines.append(
            f"| {mover} | {states} | {found['search']:.0f} | {found['costs']:.0f} | {found['area']:.0f} "
            f"| {found['headings']:.0f} | {peak_text(*peaks_of_parts(asked))} | {mean:.3f} | {worst:.2f} | {missing} |"
        )
    return lines


def beside_networkx() -> tuple[list[str], bool]:
    """The rows, and whether that of the largest budget keeps the bar: the more states, the longer networkx takes."""
    lines = [
        "| vehicle, budget | states | planner, ms | networkx and the judge, ms | peaks, MB: planner / networkx | ratio "
        "| bar |",
        "|" + "---|" * 7,
    ]
    kept = False
    for budget in _BESIDE_NETWORKX:
        asked = question("vehicle", budget=budget)
        reach = PoseReach(afresh(asked.space))
        ours = milliseconds(partial(getattr, reach, "searched"))
        states = reach.searched[0].states
        joined = partial(reference_prices, asked.space, states)
        begin = time.process_time()
        prices = joined()
        theirs = 1e3 * (time.process_time() - begin)
        if np.any(prices > states.price + 1e-9):
            raise SystemExit("networkx does not find what the search found")
        kept = theirs >= LEAST_GAIN * ours
        bar = f"1/{LEAST_GAIN:.0f}" if budget == _BESIDE_NETWORKX[-1] else ""
        again = PoseReach(afresh(asked.space))
        peaks = peak_text(peak_of(partial(getattr, again, "searched")), peak_of(joined))
        lines.append(
            f"| {budget} | {len(prices)} | {ours:.0f} | {theirs:.0f} | {peaks} | 1/{theirs / ours:.0f} | {bar} |"
        )
    return lines, kept


def growth() -> list[str]:
    lines = [
        "| vehicle | states | search, ms | costs of 600 places, ms | peaks, MB: search / costs | error: mean | worst "
        "| missing of 60 |",
        "|" + "---|" * 8,
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
        again = PoseReach(afresh(asked.space), finer=finer)
        works = partial(getattr, again, "searched"), partial(again.costs_at, asked.places)
        peaks = peak_text(*map(peak_of, works))
        mean, worst, missing = errors(asked, finer)
        states = sum(len(found.states.price) for found in reach.searched)
        lines.append(
            f"| {name} | {states} | {search:.0f} | {costs:.0f} | {peaks} | {mean:.3f} | {worst:.2f} | {missing} |"
        )
    return lines


def crowd(mover: str, budgets: Sequence[int]) -> list[PoseSpace]:
    """Movers with some budgets anywhere on one table, each barred by the bases of the others."""
    space, dice = question(mover).space, np.random.default_rng(1)
    spots: list[XY] = []
    while len(spots) < len(budgets):
        x, y = dice.uniform((3, 3), (WIDTH - 3, HEIGHT - 3)).tolist()
        apart = all(np.hypot(x - other[0], y - other[1]) > 2.0 for other in spots)
        if apart and has_room(space, np.array([(x, y)]), np.zeros(1))[0]:
            spots.append((x, y))
    headings = dice.integers(0, 360, len(spots)).tolist()
    movers = [
        replace(space, budget=Fraction(budget), starts=(PoseStart(spot, Fraction(heading)),))
        for budget, spot, heading in zip(budgets, spots, headings, strict=True)
    ]
    return in_each_others_way(movers, space.bars)


def in_each_others_way(movers: Sequence[PoseSpace], bars: Sequence[Solid]) -> list[PoseSpace]:
    """The movers, each barred by some things and by the bases of the others."""
    bases = [space.base.at(*space.starts[0].place) for space in movers]
    return [
        replace(space, bars=[*bars, *(base for other, base in enumerate(bases) if other != number)])
        for number, space in enumerate(movers)
    ]


def check_together(spaces: Sequence[PoseSpace], places: FloatArray) -> None:
    """Stop unless what is found together is what is found alone."""
    for space, reach in zip(spaces, reach_many(map(afresh, spaces)), strict=True):
        alone = PoseReach(afresh(space))
        here = space.starts[0].place + (places - START)
        if not np.array_equal(reach.costs_at(here), alone.costs_at(here)) or not all(
            np.array_equal(*pair)
            for pair in zip(reach.searched[0].states[:4], alone.searched[0].states[:4], strict=True)
        ):
            raise SystemExit("movers that are searched together find something else than alone")


class Moved(NamedTuple):
    """What it takes when one moves an inch: time and memory, how many are searched anew, and things prepared."""

    ms: float
    peak: float
    searched: int
    prepared_before: int
    prepared_anew: int


def a_move(mover: str, budgets: Sequence[int]) -> Moved:
    """One in the middle moves an inch."""
    spaces = crowd(mover, budgets)
    reaches = PoseReaches(spaces)
    number = int(np.argmin([np.hypot(*np.subtract(space.starts[0].place, START)) for space in spaces]))
    x, y = spaces[number].starts[0].place
    start = replace(spaces[number].starts[0], place=(x + 1.0, y))
    moved = [replace(space, starts=(start,)) if one == number else space for one, space in enumerate(spaces)]
    after = in_each_others_way(moved, question(mover).space.bars)
    before = reaches.shapes_grown
    begin = time.process_time()
    found = reaches.after(after)
    spent = 1e3 * (time.process_time() - begin)
    check_together([after[one] for one in found.searched], question(mover).places[:_FEW])
    more = found.shapes_grown - before
    again = partial(PoseReaches(spaces).after, in_each_others_way(moved, question(mover).space.bars))
    return Moved(spent, peak_of(again), len(found.searched), before, more)


def searched_each(spaces: Sequence[PoseSpace]) -> None:
    """Search movers one by one, and keep all that is found until the last of them."""
    reaches = [PoseReach(space) for space in spaces]
    for reach in reaches:
        reach.searched  # noqa: B018 - it is searched on demand


def together(rounds: int) -> tuple[list[str], bool]:
    """The rows, and whether eight movers together keep the bar."""
    lines = [
        "| eight movers, budgets | one by one, ms | together, ms | ratio | bar "
        "| with costs of 600 places each: one by one | together | one moves an inch, ms "
        "| peaks, MB: one by one / together / one moves | searched anew | things prepared, then anew |",
        "|" + "---|" * 11,
    ]
    kept = True
    for mover, budgets, bar in CROWDS:
        spaces = crowd(mover, budgets)
        places = question(mover).places
        check_together(spaces, places[:COMPARED])
        rows: dict[str, list[float]] = {"alone": [], "together": [], "costs": []}
        for _ in range(rounds):
            reaches = [PoseReach(space) for space in map(afresh, spaces)]
            rows["alone"].append(sum(milliseconds(partial(getattr, reach, "searched")) for reach in reaches))
            fresh = [afresh(space) for space in spaces]
            rows["together"].append(milliseconds(partial(reach_many, fresh)))
            asked = [
                (reach, reach.space.starts[0].place + (places - START) * float(reach.space.budget / max(budgets)))
                for reach in reaches
            ]
            rows["costs"].append(sum(milliseconds(partial(reach.costs_at, here)) for reach, here in asked))
        alone, many, costs = (statistics.median(row) for row in rows.values())
        moved = a_move(mover, budgets)
        works = (partial(work, [afresh(space) for space in spaces]) for work in (searched_each, reach_many))
        peaks = peak_text(*map(peak_of, works), moved.peak)
        kept = kept and alone >= bar * many
        lines.append(
            f"| {mover}: {', '.join(map(str, budgets))} | {alone:.0f} | {many:.0f} | 1/{alone / many:.1f} | 1/{bar:g} "
            f"| {alone + costs:.0f} | {many + costs:.0f} | {moved.ms:.0f} | {peaks} "
            f"| {moved.searched} of {len(spaces)} | {moved.prepared_before}, {moved.prepared_anew} |"
        )
    return lines, kept


@on_one_core()
def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=3)
    rounds = parser.parse_args().rounds
    compared, kept = beside_networkx()
    many, kept_together = together(rounds)
    for part in (bars(rounds), compared, many, growth()):
        print("\n".join(part), end="\n\n", flush=True)
    return 0 if kept and kept_together else 1


if __name__ == "__main__":
    sys.exit(main())
