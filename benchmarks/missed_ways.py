"""What the planner in free directions misses: cheapest ways that go on, beyond its areas or for less than it reports.

    python -m benchmarks.missed_ways [--movers scout,point,disc] [--tables 6] [--ways 300] [--seed 0]

Ways to random places are made longer: they go on straight, or turn off by some degrees, for as far as that is free and
paid for, so that most of them end at the limit of the budget. All of them are judged. The table counts the ends that
`costs_at` does not know, and those that are cheaper than it reports; and how far ends lie from the area, drawn to an
error of 0.05 inches. The other way round, places within a tenth of an inch of the outline, on the inside, should be
ends: the last columns count those that `costs_at` does not know, and how far inside they lie.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import shapely

from benchmarks.many_movers import mover
from simulator.geometry.pieces import FloatArray
from simulator.geometry.shapes import polygons_of
from simulator.geometry.tolerances import SLACK
from simulator.pathing.columns import join
from simulator.pathing.posed import JudgedMove, Move, PoseSpace, Rotate, Travel, TurnPrices, judged
from simulator.pathing.posed.rays import Rays
from simulator.pathing.weighted import WeightedReach

#: Movers as they are, but for turns, which cost nothing; the last two of fewer inches.
BUDGETS = {"scout": 10, "point": 12, "disc": 12}
#: An outline is drawn to this error; places are looked at so far inside of it.
AREA_ERROR, INSIDE = 0.05, 0.1
#: Half of the ways turn off before they go on, by so many degrees or so.
_ASIDE = 20.0


class Missed(NamedTuple):
    """What was missed of ways, by way, and of places inside an area, by place."""

    cheaper: FloatArray  #: by how much the way costs less than reported; inf where its end is none
    outside: FloatArray  #: how far its end lies from the area

    def figures(self) -> list[str]:
        """The figures of a row."""
        unknown = np.isinf(self.cheaper)
        known = np.maximum(self.cheaper[~unknown], 0.0)
        aimed, accepted = (np.mean(self.outside > far) for far in (AREA_ERROR, 2 * AREA_ERROR))
        costs = [f"{unknown.mean():.2%}", f"{known.mean():.5f}", f"{known.max():.3f}"]
        return [*costs, f"{aimed:.2%}", f"{accepted:.2%}", f"{self.outside.max():.3f}"]


class Unknown(NamedTuple):
    """Places inside an area: how deep those lie that `costs_at` does not know, by place; 0: it knows it."""

    depth: FloatArray

    def figures(self) -> list[str]:
        """The figures of a row."""
        return [f"{np.mean(self.depth > 0.0):.2%}", f"{self.depth.max():.3f}"]


def free_mover(name: str, seed: int) -> PoseSpace:
    """A mover on the table of a seed, in the first of its modes, that turns for nothing."""
    found = mover(name, seed)
    return replace(found, turns=TurnPrices.flat(0), modes=found.modes[:1], budget=Fraction(BUDGETS[name]))


def longer_ways(reach: WeightedReach, dice: np.random.Generator, count: int) -> Iterator[JudgedMove]:
    """Yield the verdicts on cheapest ways to random places that go on as far as they can; all of them are legal."""
    space = reach.space
    far = float(space.budget) * np.sqrt(dice.uniform(0.0, 1.0, count))
    angle = dice.uniform(0.0, 2.0 * np.pi, count)
    places = np.array(space.starts[0].place) + np.stack([far * np.cos(angle), far * np.sin(angle)], axis=1)
    for moves in reach.moves_to_each(places):
        if moves:
            aside = float(dice.choice([0.0, dice.normal(0.0, _ASIDE)]))
            verdict = judged(space, space.starts[0], _gone_on(space, moves, aside))
            # Where nobody may end a way goes on, but does not stop.
            if {one.what for one in verdict.objections} <= {"end"}:
                if verdict.is_legal:
                    yield verdict
            else:
                raise AssertionError(f"the judge refuses a way that goes on: {verdict.objections}")


def _gone_on(space: PoseSpace, moves: tuple[Move, ...], aside: float) -> list[Move]:
    """The moves and one more leg, as long as it is free and paid for."""
    so_far = judged(space, space.starts[0], moves)
    heading = so_far.heading + Fraction(aside)
    left = np.array([float(space.budget - so_far.total)]) - 2 * SLACK
    longest = np.maximum(left, 0.0) / space.least_rate
    start, mode = np.array([so_far.place]), np.zeros(1, np.intp)
    ray = Rays.cast(space, start, np.array([float(heading)]), mode, longest)
    inches = min(float(ray.lengths_for(np.maximum(left, 0.0))[0]), float(ray.length[0]))
    return [*moves, Rotate(Fraction(aside)), Travel(space.modes[0], Fraction(inches))]


def missed_by(reach: WeightedReach, ends: list[JudgedMove]) -> Missed:
    """Compare ways with what a planner answers."""
    places, prices = np.array([end.place for end in ends]), np.array([float(end.total) for end in ends])
    outside = shapely.distance(reach.area(AREA_ERROR), shapely.points(places))
    return Missed(reach.costs_at(places) - prices, np.asarray(outside))


def unknown_inside(reach: WeightedReach, dice: np.random.Generator, count: int) -> Unknown:
    """Look at places just inside the outline of an area."""
    ground = polygons_of(reach.area(AREA_ERROR))
    outline = shapely.boundary(ground)
    parts = shapely.get_parts(outline)
    lengths = shapely.length(parts)
    part = dice.choice(len(parts), count, p=lengths / lengths.sum())
    places = shapely.get_coordinates(shapely.line_interpolate_point(parts[part], dice.uniform(0.0, lengths[part])))
    places += dice.uniform(-INSIDE, INSIDE, places.shape)
    shapely.prepare(ground)
    places = places[shapely.intersects_xy(ground, *places.T)]
    depth = shapely.distance(outline, shapely.points(places))
    return Unknown(np.where(np.isinf(reach.costs_at(places)), depth, 0.0))


def table_of(names: list[str], tables: int, count: int, seed: int) -> Iterator[str]:
    """Yield the lines of the table."""
    titles = [
        "ends unknown",
        "cheaper: mean",
        "worst",
        f"over {AREA_ERROR:g} from the area",
        f"over {2 * AREA_ERROR:g}",
    ]
    titles += ["farthest", "places inside", "unknown", "deepest"]
    yield "| mover | ways | " + " | ".join(titles) + " |"
    yield "|" + "---|" * (2 + len(titles))
    for name in names:
        ways, insides = list[Missed](), list[Unknown]()
        for number in range(tables):
            reach, dice = WeightedReach(free_mover(name, seed + number)), np.random.default_rng([seed, number])
            ways.append(missed_by(reach, list(longer_ways(reach, dice, count))))
            insides.append(unknown_inside(reach, dice, count))
        way, inside = join(ways), join(insides)
        figures = [*way.figures(), str(len(inside.depth)), *inside.figures()]
        yield f"| {name} | {len(way.outside)} | " + " | ".join(figures) + " |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--movers", default=",".join(BUDGETS), help="names, with commas between")
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--ways", type=int, default=300, help="on each table")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    names = asked.movers.split(",")
    if unknown := sorted(set(names) - set(BUDGETS)):
        parser.error(f"no such mover: {', '.join(unknown)} (known: {', '.join(BUDGETS)})")
    for line in table_of(names, asked.tables, asked.ways, asked.seed):
        print(line, flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
