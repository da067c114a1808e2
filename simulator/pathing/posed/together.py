"""Many movers on one table: prepared and searched together, and anew only where something has changed.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed import Mode, PoseSpace, PoseStart, TurnPrices, even_ground
>>> even, forward, turns, base = even_ground(Fraction(1)), Mode("forward"), TurnPrices.flat(4), Round(1)
>>> def spaces(*places):
...     for place in places:
...         others = [base.at(*other) for other in places if other != place]
...         yield PoseSpace(base, (PoseStart(place, Fraction(0)),), Fraction(9), even, (forward,), turns, others)
>>> reaches = PoseReaches(spaces((0, 0), (6, 0), (40, 0)))
>>> [reach.costs_at([place])[0].tolist() for reach, place in zip(reaches, [(4, 0), (11, 0), (45, 0)], strict=True)]
[4.0, 5.0, 5.0]
>>> moved = reaches.after(spaces((0, 0), (11, 0), (40, 0)))  # the third one is too far off to notice
>>> moved[0].costs_at([(8, 0)]).tolist(), moved.searched
([8.0], (0, 1))
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from simulator.pathing.posed.alike import alike, alike_on_level, lower_by_level
from simulator.pathing.posed.asked_together import ReachTogether
from simulator.pathing.posed.grown import GrownShapes
from simulator.pathing.posed.phased_reach import reach_of
from simulator.pathing.posed.reach import PoseReach
from simulator.pathing.posed.search import MESH
from simulator.pathing.posed.shared_searches import search_each
from simulator.pathing.posed.space import PoseSpace

#: What bars only ends, or is compared by itself: a search does not depend on it.
_ASIDE = {"no_end", "touch", "far_from", "more_than", "bars", "ground", "above"}


class PoseReaches(Sequence[PoseReach]):
    """The reaches of several movers, in their order; each is the one that the mover has alone."""

    def __init__(self, spaces: Iterable[PoseSpace], finer: int = 0) -> None:
        """Prepare and search for all of them; `finer` as for `PoseReach`."""
        self._finer, self._grown = finer, GrownShapes()
        self._reaches = [reach_of(space, finer) for space in spaces]
        #: The numbers of the movers that were searched for; those of the others were known.
        self.searched: tuple[int, ...] = ()
        self._search(range(len(self._reaches)))

    def after(self, spaces: Iterable[PoseSpace]) -> PoseReaches:
        """Return the reaches of the same movers, in their order, after a change: of one that has moved, for instance.

        A mover is searched for again if it has changed itself, or what bars it has changed where its base could come.
        Prices of ground are the same if areas and rules are: a rule that is made anew each time is another one.
        """
        found = object.__new__(type(self))
        found._finer, found._grown = self._finer, self._grown
        found._reaches = [reach_of(space, self._finer) for space in spaces]
        if len(found) != len(self):
            raise ValueError(f"there were {len(self)} movers, and now there are {len(found)}")
        changed = []
        for number, (before, reach) in enumerate(zip(self, found, strict=True)):
            if not reach.space.earlier and _is_known(before.space, reach.space):
                found._reaches[number] = ReachTogether.known(reach.space, before)
            else:
                changed.append(number)
        found._search(changed)
        spaces = (reach.space.on(level) for reach in found for level in range(reach.space.level_count))
        found._grown.forget_all_but(thing for space in spaces for thing in (*space.bars, *space.ground.areas))
        return found

    def _search(self, numbers: Sequence[int]) -> None:
        """Search for some movers; those that move in several phases have searches of their own."""
        numbers = [number for number in numbers if not self._reaches[number].space.earlier]
        spaces = [self._reaches[number].space for number in numbers]
        lower = [lower_by_level(space, MESH, self._grown) for space in spaces]
        meshes = [MESH / 2**level for level in range(self._finer + 1)]
        movers = list(zip(spaces, lower, strict=True))
        found = search_each(movers, meshes)
        for number, space, prices, searched in zip(numbers, spaces, lower, found, strict=True):
            self._reaches[number] = ReachTogether.found(space, self._finer, prices, searched)
        self.searched = tuple(numbers)

    @property
    def shapes_grown(self) -> int:
        """How many things have been prepared for movers of some width, ever since the first of these reaches."""
        return self._grown.count

    def __len__(self) -> int:
        return len(self._reaches)

    def __getitem__(self, number: Any) -> Any:
        return self._reaches[number]

    def __iter__(self) -> Iterator[PoseReach]:
        return iter(self._reaches)


def reach_many(spaces: Iterable[PoseSpace], finer: int = 0) -> list[PoseReach]:
    """Return the reach of each of several movers, searched together; `finer` as for `PoseReach`."""
    return list(PoseReaches(spaces, finer))


def _is_known(before: PoseSpace, after: PoseSpace) -> bool:
    """Whether a search finds the same for two spaces."""
    if before.level_count != after.level_count or not alike(before, after, _ASIDE):
        return False
    return all(alike_on_level(before.on(level), after.on(level), before, MESH) for level in range(before.level_count))
