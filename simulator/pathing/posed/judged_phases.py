"""The judge of moves of several phases: each phase is judged by itself, from where the one before ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
    charges, begins = list[Charge](), list[tuple[int, float]]()
    for number, part in enumerate(parts):
        here = spaces[min(number, len(spaces) - 1)]
        verdict = judge(here, start, part)
        charges += [one._replace(move=first + one.move) for one in verdict.charges]
        begins.append((first, before))
        found.append(verdict)
        first, before = first + len(part) + 1, before + verdict.path.length
        start = _start_after(verdict, refreshes=number >= len(space.earlier) or space.earlier[number].refreshes)
    return replace(
        found[-1],
        path=path,
        charges=tuple(charges),
        wrongs=_WrongsOfPhases(found, begins, len(spaces)),
        record=record_of(moves),
        phases=tuple(found),
    )


class _WrongsOfPhases:
    """Finds what is wrong with moves of several phases: what is wrong with each, and phases that are too many."""

    def __init__(self, phases: Sequence[JudgedMove], begins: Sequence[tuple[int, float]], most: int) -> None:
        """Note the verdicts on phases, the move and the inches with which each begins, and how many are allowed."""
        self._phases, self._begins, self._most = phases, begins, most

    def all_of(self, found: JudgedMove) -> Iterator[Objection]:
        """Yield all that is wrong, phase by phase."""
        del found
        for number, verdict in enumerate(self._phases):
            yield from self._placed(number, verdict.objections)
            yield from self._of_number(number)

    def shortfalls(self, found: JudgedMove) -> Iterator[Objection]:
        """Yield what comes to more or less than it may."""
        del found
        for number, verdict in enumerate(self._phases):
            yield from self._placed(number, verdict.wrongs.shortfalls(verdict))

    def others(self, found: JudgedMove) -> Iterator[Objection]:
        """Yield all else that is wrong."""
        del found
        for number, verdict in enumerate(self._phases):
            yield from self._of_number(number)
            yield from self._placed(number, verdict.wrongs.others(verdict))

    def _of_number(self, number: int) -> Iterator[Objection]:
        if number == self._most:
            first, before = self._begins[number]
            yield Objection(first - 1, "phase", before, phase=number)

    def _placed(self, number: int, objections: Iterable[Objection]) -> Iterator[Objection]:
        """Yield what is wrong with a phase as it is in the whole move."""
        first, before = self._begins[number]
        for one in objections:
            yield one._replace(move=first + one.move, inches=before + one.inches, phase=number)


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
