"""The judge of ways beside a plain test with shapely: 10,000 ways of three pieces, four kinds of base, 200 things.

    python -m benchmarks.bench_judge [--rounds 3] [--ways 10000]

The plain test draws the area that a base sweeps as a polygon: circles with 64 corners, arcs with 64 steps, the base
placed at each step. Then it computes which things that polygon overlaps: whether, but not where. Both answers are
compared first: only ways that pass something within the error of the drawing may differ. Peaks are what
Python and numpy held more than before while ways were looked at once more; the drawings of shapely are not counted.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial

import numpy as np
import shapely

from benchmarks.peaks import peak_of, peak_text
from simulator.geometry.footprints import Base, Oval, PolygonBase, Rectangle, Round
from simulator.geometry.path_judge import Standing, first_contacts, lengths_over
from simulator.geometry.paths import Bend, Paths, Straight
from simulator.geometry.pieces import PolygonShape, Solid

WIDTH, HEIGHT = 72.0, 48.0
BASES: dict[str, Base] = {
    "round": Round(0.5),
    "oval": Oval(1.6, 0.9),
    "rectangle": Rectangle(1.6, 0.9),
    "polygon, not convex": PolygonBase([(0.8, 0), (-0.6, 0.5), (-0.2, 0), (-0.6, -0.5)]),
}
STEPS = 64
#: The error of drawings, as a share of the distance within which ways may differ.
MAY_DIFFER = 0.01
#: The number of ways for the plain test.
SAMPLED = 300


def crowded_things(count: int, seed: int) -> list[Solid]:
    """Pieces of four to eight corners; one in five is a base."""
    dice = np.random.default_rng(seed)
    things: list[Solid] = []
    while len(things) < count:
        x, y = dice.uniform((0, 0), (WIDTH, HEIGHT)).tolist()
        if len(things) % 5 == 4:
            things.append(Round(0.5).at(x, y))
            continue
        corners = int(dice.integers(4, 9))
        angles = (np.arange(corners) + dice.uniform(0, 0.8, corners)) * 2 * np.pi / corners
        reach = dice.uniform(0.4, 1.4, corners)
        things.append(PolygonShape(np.column_stack([x + reach * np.cos(angles), y + reach * np.sin(angles)]).tolist()))
    return things


def winding_ways(count: int, seed: int) -> list[list[Straight | Bend]]:
    """A straight piece, an arc that continues it, and another straight piece: about nine inches."""
    dice = np.random.default_rng(seed)
    ways: list[list[Straight | Bend]] = []
    for _ in range(count):
        x, y = dice.uniform((0, 0), (WIDTH, HEIGHT)).tolist()
        ahead, heading = float(dice.uniform(0, 2 * np.pi)), float(dice.uniform(0, 360))
        radius, sweep = float(dice.uniform(0.5, 2)), float(dice.uniform(0.3, 2)) * float(dice.choice([-1, 1]))
        side = np.sign(sweep)
        there = x + 3 * np.cos(ahead), y + 3 * np.sin(ahead)
        centre = there[0] - side * radius * np.sin(ahead), there[1] + side * radius * np.cos(ahead)
        bend = Bend(centre, radius, ahead - side * np.pi / 2, sweep, heading)
        end = bend.end[0] + 3 * np.cos(ahead + sweep), bend.end[1] + 3 * np.sin(ahead + sweep)
        ways.append([Straight((x, y), there, heading), bend, Straight(bend.end, end, heading)])
    return ways


def swept(base: Base, way: list[Straight | Bend]) -> shapely.Geometry:
    """A drawing of the area that a base sweeps."""
    placed = base.at(0, 0, way[0].heading)
    line = [way[0].start]
    for piece in way:
        if isinstance(piece, Bend):
            angles = piece.begin + np.linspace(0, piece.sweep, STEPS)
            ring = np.column_stack([np.cos(angles), np.sin(angles)])
            line += [(x, y) for x, y in (np.array(piece.centre) + piece.radius * ring).tolist()]
        line.append(piece.end)
    if isinstance(base, Round):
        return shapely.LineString(line).buffer(base.radius, quad_segs=16)
    places = np.array(line)
    # A drawn oval has 256 corners: every fourth is enough.
    outlines = [shapely.get_coordinates(placed.polygon)[::4]] if placed.spread.any() else list(placed.parts)
    hulls = []
    for outline in outlines:
        both = np.concatenate([outline + places[:-1, None], outline + places[1:, None]], axis=1)
        hulls += shapely.convex_hull(shapely.multipoints(both)).tolist()
    return shapely.union_all(hulls)


def plain_answers(base: Base, ways: list[list[Straight | Bend]], things: list[Solid]) -> np.ndarray:
    """Whether each way overlaps anything."""
    tree = shapely.STRtree([thing.polygon for thing in things])
    drawn = np.array([swept(base, way) for way in ways], object)
    barred = np.zeros(len(ways), bool)
    barred[tree.query(drawn, predicate="intersects")[0]] = True
    return barred


def seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--ways", type=int, default=10_000)
    options = parser.parse_args()
    things, ways = crowded_things(200, seed=1), winding_ways(options.ways, seed=2)
    some = ways[:SAMPLED]
    print(f"{options.ways} ways of 3 pieces among {len(things)} things; the plain test judges {len(some)} of them.\n")
    heads = (
        "judge, s",
        "barred",
        "lengths over things, s",
        "plain, ms a way",
        "judge, ms a way",
        "judge / plain",
        "peaks, MB: judge / lengths / plain",
        "differ",
    )
    print(f"| base | {' | '.join(heads)} |")
    print("|---|---:|---:|---:|---:|---:|---:|---|---:|")
    for name, base in BASES.items():
        found = first_contacts(Paths.of_pieces(some), base, Standing.of(things)).which >= 0
        differ = np.count_nonzero(found != plain_answers(base, some, things))
        if differ > MAY_DIFFER * len(some):
            raise SystemExit(f"{name}: judge and plain test differ on {differ} of {len(some)} ways")
        courses = Paths.of_pieces(ways)

        def judged(courses: Paths = courses, base: Base = base) -> object:
            return first_contacts(courses, base, Standing.of(things))

        def measured(courses: Paths = courses, base: Base = base) -> object:
            return lengths_over(courses, Standing.of(things), base)

        ours, over = (statistics.median(seconds(work) for _ in range(options.rounds)) for work in (judged, measured))
        plainly = partial(plain_answers, base, some, things)
        theirs = seconds(plainly)
        barred = np.mean(first_contacts(courses, base, Standing.of(things)).which >= 0)
        plain, own = 1e3 * theirs / len(some), 1e3 * ours / len(ways)
        row = name, f"{ours:.2f}", f"{barred:.0%}", f"{over:.2f}", f"{plain:.3f}", f"{own:.3f}", f"1/{plain / own:.0f}"
        peaks = peak_text(peak_of(judged), peak_of(measured), peak_of(plainly))
        print(f"| {' | '.join(row)} | {peaks} | {differ} |")


if __name__ == "__main__":
    main()
