"""Places just outside of areas at which moves of two legs end all the same.

    python -m benchmarks.missed_beside [--stories bridge_at_alder,two_guards] [--outside 0.12]

Of every unit with a heading that stands on the ground when one of the stories of combined_arms and mecha begins, the
area is drawn, and places are taken so many inches outside of its outline, 0.75 inches apart. First legs lead from the
unit's start in headings half a degree apart, in every mode; every half inch of them a last turn and leg to each place
is tried, with prices, obstacles and limits as the planner computes them. The table counts the places that any of these
moves ends at: random moves hardly ever find the one angle that matters. Asked for everything, it takes half an hour.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from benchmarks.posed_rows import show
from simulator.formats.scenarios import load_scenario
from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import SLACK, TOUCH
from simulator.pathing.columns import join, pick
from simulator.pathing.posed import PoseSpace
from simulator.pathing.posed.goals import Goals
from simulator.pathing.posed.last_legs import LastTurns, tried
from simulator.pathing.posed.legs import CastLegs
from simulator.pathing.posed.rays import Rays, may_turn, shorter
from simulator.pathing.posed.states import PoseStates, rates_of, starting, turned
from simulator.pathing.posed.turns_aside import least_turns

#: First legs leave so many degrees apart, last turns are made so many inches apart, and places lie so far apart.
DEGREES, INCHES, APART = 0.5, 0.5, 0.75
OUTSIDE = 0.12
#: So many last legs are tried at once.
_AT_ONCE = 20_000
_STORIES = Path(__file__).resolve().parents[1] / "scenarios"
RULEBOOKS = ("combined_arms", "mecha")


class Beside(NamedTuple):
    """Places outside of an area, and what the cheapest of the moves that were tried costs to each; inf: none leads."""

    places: FloatArray
    cost: FloatArray

    @property
    def ended_at(self) -> IntArray:
        """The rows of the places at which a move ends."""
        return np.flatnonzero(np.isfinite(self.cost))


def beside(space: PoseSpace, area: BaseGeometry, outside: float = OUTSIDE) -> Beside:
    """Try moves of two legs to places so many inches outside of an area."""
    outline = shapely.buffer(area, outside, quad_segs=4).boundary
    places = shapely.get_coordinates(shapely.segmentize(outline, APART))
    left, bottom, right, top = space.window
    places = places[(places >= (left, bottom)).all(axis=1) & (places <= (right, top)).all(axis=1)]
    goals = Goals(places, None)
    states = on_first_legs(space)
    rates, cost = rates_of(space, states), np.full(len(places), np.inf)
    for goal in np.flatnonzero(goals.have_room(space)).tolist():
        some = _last_turns(space, states, goal, places[goal])
        for first in range(0, len(some.goal), _AT_ONCE):
            now = pick(some, slice(first, first + _AT_ONCE))
            source = now.source
            now = now._replace(source=np.arange(len(source)))
            legs = tried(space.by_rows(now.goal), pick(states, source), rates[source], now, goals)
            cost[goal] = min(cost[goal], float(np.min(legs.cost, initial=np.inf)))
    return Beside(places, np.where(cost <= float(space.budget) + SLACK, cost, np.inf))


def on_first_legs(space: PoseSpace) -> PoseStates:
    """Return the starts of a space on the ground, and states on legs in all headings from there."""
    every = starting(space)
    starts = pick(every, np.flatnonzero(every.level == 0))
    angles = np.arange(DEGREES - 180.0, 180.0 + DEGREES / 2, DEGREES)
    state, angle = np.repeat(np.arange(len(starts.price)), len(angles)), np.tile(angles, len(starts.price))
    turns = turned(space, starts, rates_of(space, starts), state, angle)
    turns = pick(turns, np.flatnonzero(space.can_pay(turns.price)))
    row, mode = (axis.ravel() for axis in np.indices((len(turns.state), len(space.asides))))
    turns = pick(turns, row)
    places, headings = starts.place[turns.state], starts.heading[turns.state]
    free = np.flatnonzero(may_turn(space, places, headings, turns.heading - headings))
    turns, mode, places = pick((turns, mode, places), free)
    travelled = starts.travelled[turns.state] + turns.toll
    left = space.left_for_legs(turns.price, travelled)
    rays = Rays.cast(space, places, turns.heading, mode, space.longest_legs(left, mode, turns.covered), turns.tolls)
    legs = CastLegs(turns, mode, np.asarray(travelled), rays, rays.lengths_for(left))
    count = np.floor(np.maximum(legs.inches, 0.0) / INCHES).astype(np.intp)
    leg = np.repeat(np.arange(len(count)), count)
    number = np.arange(len(leg)) - np.repeat(np.cumsum(count) - count, count)
    return join([starts, legs.states(leg, (number + 1) * INCHES)])


def _last_turns(space: PoseSpace, states: PoseStates, goal: int, place: FloatArray) -> LastTurns:
    """The last turns and legs from states to a place that could be paid, were the ground as cheap as any."""
    away = place - states.place
    inches, bearing = np.hypot(away[:, 0], away[:, 1]), np.degrees(np.arctan2(away[:, 1], away[:, 0]))
    found = []
    for mode, aside in enumerate(space.asides.tolist()):
        angle = shorter(bearing - aside - states.heading)
        modes = np.full(len(angle), mode)
        far = space.ground.least_prices(inches) * space.factors_of(modes)
        least = states.price + least_turns(space, states.free, angle) + far
        row = np.flatnonzero(space.can_pay(least) & (inches > TOUCH))
        none = np.zeros(len(row))
        found.append(LastTurns(np.full(len(row), goal), row, none, angle[row], modes[row], inches[row], none, none))
    return join(found)


def units_of_stories(stories: frozenset[str]) -> Iterator[tuple[str, Any]]:
    """Yield the units of stories, by `rulebook/story/unit`, each with its reach; all stories if none is named."""
    for rulebook in RULEBOOKS:
        for path in sorted((_STORIES / rulebook).glob("*.yaml")):
            if stories and path.stem not in stories:
                continue
            game: Any = load_scenario(path).start()
            for unit in game.state:
                if unit.place is not None:
                    reach: Any = game.reach(unit.id)
                    if isinstance(getattr(reach, "space", None), PoseSpace) and not reach.space.earlier:
                        yield f"{rulebook}/{path.stem}/{unit.id}", reach


def row_of(name: str, reach: Any, outside: float) -> str:
    """Return a row of the table."""
    area = reach.planner.area()
    found = beside(reach.space.on(0), area, outside)
    return f"| {name} | {area.area:.1f} | {len(found.places)} | {len(found.ended_at)} |"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stories", default="")
    parser.add_argument("--outside", type=float, default=OUTSIDE)
    given = parser.parse_args()
    stories = frozenset(filter(None, given.stories.split(",")))
    print(f"Places {given.outside} inches outside of areas, and those of them that a move of two legs ends at.\n")
    rows = (row_of(name, reach, given.outside) for name, reach in units_of_stories(stories))
    show(["unit", "area, square inches", "places", "ended at"], rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
