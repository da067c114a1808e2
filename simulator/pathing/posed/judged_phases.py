"""The judge of moves of several phases: each phase is judged by itself, from where the one before ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from simulator.pathing.posed.charges import Charge, Objection
from simulator.pathing.posed.moves import EndPhase, Move, path_of
from simulator.pathing.posed.records import record_of
from simulator.pathing.posed.space import PoseSpace, PoseStart
from simulator.pathing.posed.turn_prices import NO_GROUP
from simulator.pathing.posed.verdicts import JudgedMove

#: The judge of a phase by itself.
Judge: TypeAlias = Callable[[PoseSpace, PoseStart, Sequence[Move]], JudgedMove]


def phases_of(moves: Sequence[Move]) -> list[list[Move]]:
    """Return the moves of each phase, without those that end one.

    >>> [len(phase) for phase in phases_of([EndPhase(), EndPhase()])]
    [0, 0, 0]
    """
    found: list[list[Move]] = [[]]
    for move in moves:
        if isinstance(move, EndPhase):
            found.append([])
        else:
            found[-1].append(move)
    return found


def judged_by_phase(space: PoseSpace, start: PoseStart, moves: Sequence[Move], judge: Judge) -> JudgedMove:
    """Judge a written move phase by phase. Phases that it has no moves for any more are spent where it stands."""
    spaces = _spaces(space)
    parts = phases_of(moves)
    parts += [[] for _ in spaces[len(parts) :]]
    path = path_of(start.place, start.heading, moves)
    found: list[JudgedMove] = []
    first, before = 0, 0.0
    charges, objections = list[Charge](), list[Objection]()
    for number, part in enumerate(parts):
        here = spaces[min(number, len(spaces) - 1)]
        verdict = judge(here, start, part)
        charges += [one._replace(move=first + one.move) for one in verdict.charges]
        objections += [
            one._replace(move=first + one.move, inches=before + one.inches, phase=number) for one in verdict.objections
        ]
        if number == len(spaces):
            objections.append(Objection(first - 1, "phase", before, phase=number))
        found.append(verdict)
        first, before = first + len(part) + 1, before + verdict.path.length
        start = _start_after(verdict, refreshes=number >= len(space.earlier) or space.earlier[number].refreshes)
    return replace(
        found[-1],
        path=path,
        charges=tuple(charges),
        objections=tuple(objections),
        record=record_of(moves),
        phases=tuple(found),
    )


def _spaces(space: PoseSpace) -> list[PoseSpace]:
    """The space in each phase, the first one first."""
    found = [space]
    while found[-1].earlier:
        found.append(found[-1].before_last)
    return found[::-1]


def _start_after(verdict: JudgedMove, *, refreshes: bool) -> PoseStart:
    """The start of the phase after one that is judged. Turns are not priced together with those of another phase."""
    return PoseStart(
        verdict.place,
        verdict.heading,
        group=NO_GROUP,
        free=None if refreshes else verdict.free,
        level=verdict.level,
        tolls=verdict.tolls,
    )
