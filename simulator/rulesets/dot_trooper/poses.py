"""Where a two-dot vehicle may go: a dot ahead, or a turn about its front with the rear swinging."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.geometry.hex_lattice import Dot, step
from simulator.geometry.poses import place_text
from simulator.rulesets.dot_trooper.surroundings import (
    DotSurroundings,
    Mask,
    arrived,
    direction_to,
    off_the_map,
    rear_of,
)
from simulator.wording import with_article

#: +1 turns left, -1 right.
WAY = {"left": 1, "right": -1}


@clause("DT-82")
def heading_after(heading: int, side: str, angle: int) -> int:
    """Return the heading after a turn."""
    return (heading + WAY[side] * angle) % 360


@clause("DT-83")
def swing(front: Dot, heading: int, side: str, angle: int) -> tuple[Dot, ...]:
    """Return the dots through which the rear swings, the last one its new place.

    >>> swing((0, 0), 0, "left", 180)
    ((-1, 1), (0, 1), (1, 0))
    """
    return tuple(rear_of(front, (heading + WAY[side] * 60 * k) % 360) for k in range(1, angle // 60 + 1))


# --- one pose at a time, for the judge ---


@clause("DT-72", "DT-76", "DT-165", "DT-166", "DT-167", role="judge")
def against_rolling(ground: DotSurroundings, front: Dot, heading: int) -> Iterator[Breach]:
    """Yield what keeps a vehicle from moving a dot straight ahead."""
    ahead = step(front, heading // 60)
    yield from _against_edge(ground, front, ahead)
    yield from _against_dot(ground, ahead)


@clause("DT-54", "DT-76", "DT-83", role="judge")
def against_swinging(ground: DotSurroundings, front: Dot, heading: int, side: str, angle: int) -> Iterator[Breach]:
    """Yield what keeps the rear from swinging to its new place."""
    before = rear_of(front, heading)
    dots = swing(front, heading, side, angle)
    swept = ground.options.swing_check == "swept"
    for number, dot in enumerate(dots, 1):
        if swept:
            yield from _against_edge(ground, before, dot)
        if swept or number == len(dots):
            yield from _against_dot(ground, dot)
            yield from _against_edge(ground, dot, front)
        before = dot


@clause("DT-165", role="judge")
def against_staying(ground: DotSurroundings, front: Dot, heading: int) -> Iterator[Breach]:
    """Yield what keeps a vehicle from ending in a pose that it may pass through: a friend on one of its dots."""
    for dot in (front, rear_of(front, heading)):
        if not ground.at(ground.free, dot):
            yield Breach("DT-165", f"{ground.blocker(dot)} stands there", blocker=ground.blocker(dot), place=dot)


@clause("DT-54", "DT-165", "DT-167", role="judge")
def against_standing(ground: DotSurroundings, front: Dot, heading: int) -> Iterator[Breach]:
    """Yield what keeps a vehicle from being in a pose at all, however it got there."""
    rear = rear_of(front, heading)
    for dot in (front, rear):
        if not ground.at(ground.free, dot):
            yield _in_the_way(ground, dot)
    yield from _against_edge(ground, rear, front)


def _in_the_way(ground: DotSurroundings, dot: Dot) -> Breach:
    if dot not in ground.board:
        return off_the_map(dot)
    blocker = ground.blocker(dot)
    rule = "DT-76" if ground.at(ground.solid, dot) else "DT-165"
    return Breach(rule, f"{blocker} is in the way at {place_text(dot)}", blocker=blocker, place=dot)


def _against_dot(ground: DotSurroundings, dot: Dot) -> Iterator[Breach]:
    if not ground.at(ground.passable, dot):
        yield _in_the_way(ground, dot)


def _against_edge(ground: DotSurroundings, dot: Dot, other: Dot) -> Iterator[Breach]:
    if dot not in ground.board or other not in ground.board or ground.across(ground.rolls, dot, other):
        return
    barrier = ground.barrier_at(dot, other, int(ground.board.level[ground.board.index(dot)]))
    between = f"between {place_text(dot)} and {place_text(other)}"
    if barrier in ("wall", "window"):
        yield Breach("DT-76", f"{with_article(barrier)} is in the way {between}", blocker=barrier, place=other)
    else:
        yield Breach("DT-166", f"a step without a ramp is in the way {between}", blocker="a step", place=other)


# --- all poses at once, for the compiler ---


def roll_gate(ground: DotSurroundings, heading: int) -> Mask:
    """Mark the front dots from which a vehicle may move a dot ahead."""
    way = heading // 60
    return np.asarray(ground.rolls[way] & arrived(ground.passable, way))


def swing_gates(ground: DotSurroundings, angles: Sequence[int]) -> Iterator[tuple[int, str, int, Mask]]:
    """Yield each heading, side and angle with the front dots on which a vehicle may make the turn; angles ascending."""
    rolls, swept = ground.rolls, ground.options.swing_check == "swept"
    lies = [arrived(ground.passable, way) & rolls[way] for way in range(6)]
    for side, turn in WAY.items():
        edges = [direction_to(step((0, 0), way), step((0, 0), way + turn)) for way in range(6)]
        # The rear swings over an edge, and lies on the dot beyond it.
        swings = [arrived(rolls[edge], way) & lies[(way + turn) % 6] for way, edge in enumerate(edges)]
        for first in range(6):
            gate, done = ground.board.present, 0
            for angle in angles:
                for number in range(done, angle // 60) if swept else ():
                    gate = gate & swings[(first + turn * number) % 6]
                done = angle // 60
                whole = gate if swept else gate & lies[(first + turn * done) % 6]
                yield (first + 3) % 6 * 60, side, angle, whole


def stay_mask(ground: DotSurroundings, heading: int) -> Mask:
    """Mark the front dots on which a vehicle may end with a heading."""
    return np.asarray(ground.free & arrived(ground.free, heading // 60 + 3))
