"""Areas that are drawn round by round: what lies beside their outlines is looked at, and what is found there added.

Areas of one mover for several budgets are drawn side by side: what lies beside all of them is looked at in one go.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import NamedTuple

import numpy as np
import shapely
from shapely.geometry.base import BaseGeometry

from simulator.cores import Helpers, shares
from simulator.freed_memory import give_back
from simulator.geometry.convex import IntArray
from simulator.geometry.pieces import FloatArray
from simulator.pathing.columns import join, pick
from simulator.pathing.posed.area import DrawnArea
from simulator.pathing.posed.pockets import Pockets
from simulator.pathing.posed.search import FoundOnLevel
from simulator.pathing.posed.ways import LastLinks

#: An area is grown so often at most where ends lie beside its outline, and in its narrow gaps: the first rounds close
#: most of those, and each later one finds but slivers.
_ROUNDS, _ROUNDS_BETWEEN = 8, 4

#: Of fewer places to look at it takes longer to share them out to several processes.
_WORTH_A_PROCESS = 24

#: Finds which of some places can be ended on, for at most so much each; None: none of them.
PocketsAt = Callable[[FloatArray, FloatArray], Pockets | None]


class PaidFor(NamedTuple):
    """What the searches found on the level where moves end, each by itself, as far as a budget pays for it."""

    last: LastLinks  #: with that budget
    found: list[FoundOnLevel]


class Drawing:
    """An area for a budget, and the places to look at next; none are left when it is done.

    What is ended on in the ground `besides` is not looked for. If the area need not hang together, places all around it
    are looked at, too, before it is done.
    """

    def __init__(
        self, area: DrawnArea, budget: float, places: FloatArray, besides: BaseGeometry | None, *, looks_around: bool
    ) -> None:
        self.area, self.budget = area, budget
        self._besides, self._looks_around, self._looks_between = besides, looks_around, False
        self._look_at(places)

    def _look_at(self, places: FloatArray) -> None:
        self.places = outside(places, self._besides)
        if not len(self.places) and self._looks_around:
            self.places, self._looks_around = outside(self.area.around(), self._besides), False

    def add(self, found: Pockets | None) -> FloatArray:
        """Add what was found at the places; return those of them that are missing even so."""
        if found is None:
            return self.places[:0]
        self.area.cover_pockets(found)
        return found.places[self.area.is_missing(found.places)]

    def add_hidden(self, found: Pockets | None) -> None:
        """Add what was found besides."""
        if found is not None:
            self.area.cover_pockets(found, besides=True)

    def go_on(self, found: Pockets | None) -> None:
        """Turn to the places to look at next: those beside what was found, or in what gaps are left."""
        if self._looks_between:
            self.places = self.places[:0] if found is None else outside(self.area.between(), self._besides)
        else:
            self._look_at(self.places[:0] if found is None else self.area.beside())

    def look_between(self) -> None:
        """Turn to the narrow gaps in what was drawn, and to nothing else from now on."""
        self._looks_between = True
        self.places = outside(self.area.between(), self._besides)


def draw(drawings: Sequence[Drawing], pockets: PocketsAt, hidden: PocketsAt | None, at_once: int) -> Iterator[None]:
    """Draw areas until nothing is found beside their outlines, or often enough, and then in their narrow gaps.

    Yield whenever something is done.

    Ways that turn once more at their ends may be found first and hide others, which lead to more ground beside: those
    are looked for by `hidden`. No more than so many places are looked at between; None: any number.
    """

    def look(at: _LookAt) -> Pockets | None:
        return (pockets if hidden is None or not at.hidden else hidden)(at.places, at.most)

    with Helpers(look) as helpers:
        yield from _in_rounds(_ROUNDS, drawings, helpers, hidden is not None, at_once)
        for one in drawings:
            one.look_between()
        yield from _in_rounds(_ROUNDS_BETWEEN, drawings, helpers, hidden is not None, at_once)


def _in_rounds(
    rounds: int, drawings: Sequence[Drawing], helpers: Helpers[_LookAt, Pockets | None], hides: bool, at_once: int
) -> Iterator[None]:
    """Look at the places of drawings, and at those that they turn to then, so often at most."""
    for _ in range(rounds):
        open_ = [one for one in drawings if len(one.places)]
        if not open_:
            return
        found = yield from _asked(open_, [one.places for one in open_], helpers, at_once)
        missing = [one.add(some) for one, some in zip(open_, found, strict=True)]
        if hides:
            besides = yield from _asked(open_, missing, helpers, at_once, hidden=True)
            for one, some in zip(open_, besides, strict=True):
                one.add_hidden(some)
        for one, some in zip(open_, found, strict=True):
            one.go_on(some)
        give_back()
        yield


class _LookAt(NamedTuple):
    """Places to look at, for at most so much each, perhaps for what others hide."""

    places: FloatArray
    most: FloatArray
    hidden: bool


def _asked(
    drawings: Sequence[Drawing],
    places: Sequence[FloatArray],
    helpers: Helpers[_LookAt, Pockets | None],
    at_once: int,
    *,
    hidden: bool = False,
) -> Generator[None, None, list[Pockets | None]]:
    """Find for each of some drawings which of its places can be ended on, all in one go or in several."""
    counts = [len(some) for some in places]
    if not sum(counts):
        return [None] * len(drawings)
    every, most = np.concatenate(places), np.repeat([one.budget for one in drawings], counts)
    lots = list[Pockets]()
    for first in range(0, len(every), at_once):
        rows = np.arange(first, min(first + at_once, len(every)))
        parts = [rows[share] for share in shares(len(rows), _WORTH_A_PROCESS)]
        found = helpers.each([_LookAt(every[part], most[part], hidden) for part in parts])
        lots += [one._replace(row=part[one.row]) for part, one in zip(parts, found, strict=True) if one is not None]
        if first + at_once < len(every):
            give_back()
            yield
    if not lots:
        return [None] * len(drawings)
    joined = join(lots)
    joined = pick(joined, np.argsort(joined.row, kind="stable"))
    whose = np.repeat(np.arange(len(drawings)), counts)[joined.row]
    return [_some(joined, np.flatnonzero(whose == number)) for number in range(len(drawings))]


def _some(found: Pockets, rows: IntArray) -> Pockets | None:
    some: Pockets = pick(found, rows)
    return some if len(rows) else None


def outside(places: FloatArray, ground: BaseGeometry | None) -> FloatArray:
    """Return the places that do not lie in some ground; None is none."""
    if ground is None:
        return places
    shapely.prepare(ground)
    return places[~shapely.contains_xy(ground, places[:, 0], places[:, 1])]
