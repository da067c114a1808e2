"""The planner for a mover: the exact one for free directions where they are free, and the one over poses elsewhere.

>>> from fractions import Fraction
>>> from simulator.geometry.footprints import Round
>>> from simulator.pathing.posed import Mode, PoseStart, TurnPrices, even_ground
>>> def planner(turning):
...     starts, modes = (PoseStart((0, 0), Fraction(0)),), (Mode("forward"),)
...     return planner_for(PoseSpace(Round(1), starts, Fraction(9), even_ground(Fraction(1)), modes, turning))
>>> type(planner(TurnPrices.flat(0))).__name__, type(planner(TurnPrices.flat(1))).__name__
('WeightedReach', 'PoseReach')

Who asks about a space with the same contents once more, finds what was found before:

>>> planner(TurnPrices.flat(1)) is planner(TurnPrices.flat(1))
True
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from simulator.byte_cache import ByteCache
from simulator.pathing.posed.phased_reach import reach_of
from simulator.pathing.posed.planner import PosePlanner
from simulator.pathing.posed.reach import PoseReach
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.stopped_reach import StoppedReach
from simulator.pathing.weighted.movers import directions_are_free
from simulator.pathing.weighted.reach import WeightedReach

#: Planners and what they have found so far, by the contents of their spaces.
KNOWN: ByteCache[PosePlanner] = ByteCache(96 * 2**20, grows=True)


def planner_for(space: PoseSpace) -> PosePlanner:
    """Return the planner of a space, as far as what stands there is near: the known one if there is any."""
    near = space.near
    return KNOWN.get(near.contents, lambda: _new_planner(near))


def planners_for(
    spaces: Sequence[PoseSpace], search: Callable[[Iterable[PoseSpace]], Iterable[PosePlanner]]
) -> list[PosePlanner]:
    """Return the planners of several spaces, where those that are not known are searched together."""
    asked = {space.near.contents: space.near for space in spaces}
    known = {contents: planner for contents in asked if (planner := KNOWN.find(contents)) is not None}
    new = {contents: space for contents, space in asked.items() if contents not in known}
    known.update(zip(new, search(new.values()), strict=True))
    for contents in new:
        KNOWN.give_back(contents, known[contents])
    return [known[space.near.contents] for space in spaces]


def _new_planner(space: PoseSpace) -> PosePlanner:
    if space.stops:
        return StoppedReach(space)
    return WeightedReach(space) if directions_are_free(space) else _sharing(reach_of(space))


def _sharing(reach: PoseReach) -> PoseReach:
    """Have a reach use those that are known of the spaces that it looks at besides its own."""
    reach.share(_known)
    return reach


def _known(reach: PoseReach) -> PoseReach:
    """Return the reach that is known of what is near in a space; if there is none, that one from now on."""
    near = reach.space.near
    if directions_are_free(near):
        return reach
    found = KNOWN.get(near.contents, lambda: _sharing(replace(reach, space=near)))
    return found if isinstance(found, PoseReach) else reach
