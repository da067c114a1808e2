"""The planner for free turns on ground with prices, beside Dijkstra of scipy on a lattice with 32 neighbours.

    python -m benchmarks.bench_weighted [--rounds 5]

The table has pieces, some of which bar the way, the others dear ground and a road, and bases. Every round prepares
everything from scratch: the planner computes the costs of 600 places, the lattice its raster, its steps and the costs
of all its cells. A step costs its length times the mean price of its two cells, so it may jump a thin strip, and be too
cheap where it crosses a border. Peaks are what Python and numpy held more than before while either did it once more,
without the geometries of shapely and the queue of scipy. Before anything is timed the judge has to accept the planner's
moves at their costs, and both have to agree but for that. In the tests the steps of lattices are priced exactly, and
are never cheaper.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import NamedTuple

import numpy as np
import shapely

from benchmarks.crowded import HEIGHT, START, WIDTH, boxes
from benchmarks.peaks import peak_of, peak_text
from simulator.geometry.footprints import Round
from simulator.geometry.pieces import FloatArray, rectangle
from simulator.pathing.free.prepared import forget
from simulator.pathing.posed import Mode, PoseSpace, PoseStart, PricedGround, TurnPrices, judged
from simulator.pathing.weighted import WeightedReach

RADIUS, BUDGET = 0.63, 12
PIECES, BASES, PLACES = 60, 30, 600
#: Of 60 pieces so many bar the way.
WALLS = 18
MESH = 1 / 16
#: The lattice has to take so many times as long; the aim for the planner in milliseconds.
LEAST_GAIN, AIM = 8.0, 100.0
STEPS = [(x, y) for x in range(-3, 4) for y in range(-3, 4) if np.gcd(x, y) == 1]
PRICES = (Fraction(2), Fraction(3, 2), Fraction(3))


class Case(NamedTuple):
    space: PoseSpace
    places: FloatArray


def case_of(seed: int) -> Case:
    """A table, and cells of the lattice within the budget as the crow flies."""
    dice = np.random.default_rng(seed)
    walls = boxes(dice, WALLS, (1, 5), 4.5)
    middles = dice.uniform((2, 2), (WIDTH - 2, HEIGHT - 2), (2 * BASES, 2)).tolist()
    far = [place for place in middles if np.hypot(*(np.array(place) - START)) > 1.5]
    bases = [Round(RADIUS).at(x, y) for x, y in far[:BASES]]
    areas = [*boxes(dice, PIECES - WALLS - 1, (2, 7), 0.0), rectangle((36, 25), (60, 1), 8.0)]
    kinds = [PRICES[kind] for kind in dice.integers(0, 3, len(areas)).tolist()]

    def rate(under: frozenset[int], _: frozenset[int]) -> Fraction:
        if len(areas) - 1 in under:
            return Fraction(1, 2)
        return max([Fraction(1), *(kinds[area] for area in under)])

    space = PoseSpace(
        base=Round(RADIUS),
        starts=(PoseStart(START, Fraction(0)),),
        budget=Fraction(BUDGET),
        ground=PricedGround(areas, rate, least=Fraction(1, 2)),
        modes=(Mode("forward"),),
        turns=TurnPrices.flat(0),
        bars=[*walls, *bases],
        box=(0, 0, WIDTH, HEIGHT),
    )
    angle, share = dice.uniform(0, 2 * np.pi, PLACES), np.sqrt(dice.uniform(0, 1, PLACES))
    places = BUDGET * (share * np.stack([np.cos(angle), np.sin(angle)])).T
    return Case(space, START + MESH * np.rint(places / MESH))


def planner_costs(case: Case) -> FloatArray:
    """The costs of the places, from scratch."""
    forget()
    fresh = PricedGround(case.space.ground.areas, case.space.ground.rate, least=case.space.ground.least)
    return WeightedReach(replace(case.space, ground=fresh)).costs_at(case.places)


def lattice_costs(case: Case) -> FloatArray:
    """The costs of the cells that the places are, from scratch."""
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import dijkstra

    space, ground = case.space, case.space.ground
    # All of the table that the budget could lead to on the cheapest ground.
    far = np.minimum(BUDGET / float(ground.least), START)
    half_x, half_y = (far / MESH).astype(np.intp).tolist()
    axes = [START[k] + np.arange(-half, half + 1) * MESH for k, half in enumerate((half_x, half_y))]
    x, y = np.meshgrid(*axes, indexing="ij")
    size = x.shape
    under = np.zeros((len(ground.areas), x.size), np.bool_)
    for number, area in enumerate(ground.areas):
        shapely.prepare(area.polygon)
        under[number] = shapely.intersects_xy(area.polygon, x.ravel(), y.ravel())
    rows, which = np.unique(np.packbits(under, axis=0), axis=1, return_inverse=True)
    bits = np.unpackbits(rows, axis=0, count=len(ground.areas)).astype(np.bool_)
    prices = [float(ground.rate(frozenset(np.flatnonzero(one).tolist()), frozenset()) or 0) for one in bits.T]
    rates = np.array(prices)[which.reshape(-1)]
    barred = shapely.union_all([shapely.buffer(bar.polygon, RADIUS, quad_segs=16) for bar in space.bars])
    shapely.prepare(barred)
    free = ~shapely.contains_xy(barred, x.ravel(), y.ravel())
    free &= (x.ravel() >= RADIUS) & (x.ravel() <= WIDTH - RADIUS)
    free &= (y.ravel() >= RADIUS) & (y.ravel() <= HEIGHT - RADIUS)
    cells = np.arange(x.size).reshape(size)
    sources, targets, costs = [], [], []
    for dx, dy in STEPS:
        here = cells[max(-dx, 0) : size[0] - max(dx, 0), max(-dy, 0) : size[1] - max(dy, 0)].ravel()
        there = here + dx * size[1] + dy
        open_ = free[here] & free[there]
        here, there = here[open_], there[open_]
        sources.append(here)
        targets.append(there)
        costs.append(np.hypot(dx, dy) * MESH * (rates[here] + rates[there]) / 2)
    ends = np.concatenate(sources), np.concatenate(targets)
    graph = csr_array((np.concatenate(costs), ends), shape=(x.size, x.size))
    found = dijkstra(graph, indices=int(cells[half_x, half_y]), limit=float(BUDGET))
    cell = np.rint((case.places - START) / MESH).astype(np.intp) + np.array([half_x, half_y])
    return np.asarray(found[cells[cell[:, 0], cell[:, 1]]])


def check_answers(case: Case) -> str:
    """Compare both contenders, and the planner with the judge; return what they differ by."""
    reach = WeightedReach(case.space)
    ours, theirs = reach.costs_at(case.places), lattice_costs(case)
    ends = np.flatnonzero(np.isfinite(ours))
    for end, moves in zip(ends[:40], reach.moves_to_each(case.places[ends[:40]]), strict=True):
        verdict = judged(case.space, case.space.starts[0], moves or ())
        if not verdict.is_legal or abs(float(verdict.total) - ours[end]) > 1e-6:
            raise AssertionError(f"the judge disagrees about {case.places[end]}")
    both = np.isfinite(ours) & np.isfinite(theirs)
    off = theirs[both] - ours[both]
    low, middle, high = np.quantile(off, [0.05, 0.5, 0.95])
    if not (both.sum() > 0.9 * len(ends) and low > -0.3 and abs(middle) < 0.1 and high < 0.3):
        raise AssertionError(f"lattice and planner differ by {low:.3f} to {high:.3f}")
    return f"{middle:.3f} (5 %: {low:.3f}, 95 %: {high:.3f})"


def milliseconds(work: Callable[[], object]) -> float:
    begin = time.process_time()
    work()
    return 1e3 * (time.process_time() - begin)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    print(f"{PIECES} pieces, {BASES} bases, budget {BUDGET}, {PLACES} places; processor time, medians\n")
    heads = ["table", "planner, ms", "lattice at 1/16 inch, ms", "peaks, MB: planner / lattice", "times as long"]
    print(f"| {' | '.join([*heads, 'lattice less planner, inches'])} |\n|---:|---:|---:|---|---:|---:|")
    gains = []
    for seed in range(1, 4):
        case = case_of(seed)
        off = check_answers(case)
        works = partial(planner_costs, case), partial(lattice_costs, case)
        ours, theirs = (statistics.median(milliseconds(work) for _ in range(rounds)) for work in works)
        gains.append(theirs / ours)
        print(f"| {seed} | {ours:.0f} | {theirs:.0f} | {peak_text(*map(peak_of, works))} | {gains[-1]:.1f} | {off} |")
    gain = statistics.median(gains)
    print(f"\nBar: the lattice takes at least {LEAST_GAIN:g} times as long: {gain:.1f}. Aim: {AIM:g} ms.")
    return 0 if gain >= LEAST_GAIN else 1


if __name__ == "__main__":
    sys.exit(main())
