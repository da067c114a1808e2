"""Places to end at, with or without a heading, and which of them the mover has room at."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from simulator.geometry.convex import BoolArray, IntArray
from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import first_lengths
from simulator.geometry.pieces import FloatArray
from simulator.geometry.tolerances import ROUNDING_OF_ANGLES, TOUCH
from simulator.pathing.posed.far_from import far_enough
from simulator.pathing.posed.ground import even_ground
from simulator.pathing.posed.rays import has_room, legs_between, shorter
from simulator.pathing.posed.space import PoseSpace
from simulator.pathing.posed.touch import in_touch

#: Ways to a goal are priced by the ground there over their last inches, so many; shorter ones need not be.
WITHIN = 1e-4


@dataclass(frozen=True, eq=False)
class Goals:
    """Places to end at, and the headings in degrees to end with; None: any.

    Whoever does not ask what ends cost, but whether they are any, is content with `any_way` to each.
    """

    places: FloatArray
    facing: FloatArray | None
    any_way: bool = False
    #: By how much the last pieces of legs to them cost more than on the cheapest ground; None: that is not known.
    dearer: FloatArray | None = None

    def some(self, rows: BoolArray | IntArray) -> Goals:
        """Return some of the goals."""
        facing, dearer = (None if column is None else column[rows] for column in (self.facing, self.dearer))
        return Goals(self.places[rows], facing, self.any_way, dearer)

    @property
    def key(self) -> tuple[bytes, bytes | None]:
        """What they are known by: others with the same key are the same places and headings."""
        return self.places.tobytes(), None if self.facing is None else self.facing.tobytes()

    def have_room(self, space: PoseSpace) -> BoolArray:
        """Find the goals that the mover has room to end at, as far as that can be said without the way it faces.

        Where it starts it may stay, whatever stands there.
        """
        if space.leap is not None:
            found = space.leap.may_land(self.places)
            found[found] = self.some(found).have_room(space.at_the_end)
            return found
        passes, stays = space.passes, self.are_starts(space)
        facing = np.zeros(len(self.places)) if self.facing is None else self.facing
        if self.facing is None:
            space, passes = facing_any_way(space), tuple(map(facing_any_way, passes))
        found = np.ones(len(self.places), np.bool_)
        for level in passes:
            found[found] = has_room(level, self.places[found], facing[found])
        if space.ends is not None:
            found &= space.ends.near(self.places) if self.facing is None else space.ends.has(self.places, self.facing)
        return np.asarray(found & self.may_stop(space) & (stays | has_room(space, self.places, facing)))

    def may_stop(self, space: PoseSpace) -> BoolArray:
        """Find the goals at which a mover may end, if it has room: not on others, nor too near to them."""
        facing = np.zeros(len(self.places)) if self.facing is None else np.mod(self.facing, 360.0)
        stands = legs_between(self.places, self.places, facing)
        over_nothing = np.isinf(first_lengths(stands, space.base, space.no_end_standing))
        near = in_touch(space.touch, space.base, self.places) & far_enough(space.far_from, self.places)
        return np.asarray(over_nothing & near)

    def are_starts(self, space: PoseSpace) -> BoolArray:
        """Find the goals that are starts: a mover may stay there, whatever stands there."""
        starts = np.array([(*start.place, float(start.heading)) for start in space.starts]).reshape(-1, 3)
        here = np.all(np.abs(self.places[:, None] - starts[:, :2]) <= TOUCH, axis=2)
        if self.facing is not None:
            here &= np.abs(shorter(self.facing[:, None] - starts[:, 2])) <= ROUNDING_OF_ANGLES
        return np.asarray(here.any(axis=1))


def facing_any_way(space: PoseSpace) -> PoseSpace:
    """Return a space in which the mover is as large as it is at least, whichever way it faces."""
    if isinstance(space.base, Round):
        return space
    # Which ground is closed under a base may depend on all that it overlaps.
    ground = space.ground if space.ground.base is None else even_ground(space.ground.least)
    return replace(space, base=Round(space.base.inner_radius), ground=ground)
