"""What all answers of reach on dots share."""

# ruff: noqa: ARG002 - an empty answer ignores its arguments

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property, partial
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.engine.errors import Breach
from simulator.engine.lattice_reach import LatticeReach
from simulator.engine.orders import Order
from simulator.engine.reach import WhyNot
from simulator.engine.state import Unit
from simulator.errors import NoPlace
from simulator.geometry.dots import DotMap
from simulator.geometry.hex_lattice import Dot, distances
from simulator.geometry.poses import Pose
from simulator.pathing.costs import Costs
from simulator.pathing.ends import End, HeadingRange
from simulator.pathing.move_space import UNREACHED, Mask, MoveSpace
from simulator.pathing.seeds import Seeds
from simulator.pathing.traces import NoRoute
from simulator.rulesets.dot_trooper.fire import arcs_of
from simulator.rulesets.dot_trooper.surroundings import map_of
from simulator.rulesets.dot_trooper.units import DTTable
from simulator.wording import figure

UNIT = "AP"


class DotReach(LatticeReach):
    """Where a unit can end on the dots. In a drive the vehicle moves: a place is where its front dot ends."""

    board: DotMap

    def __init__(
        self,
        table: DTTable,
        costs: Costs,
        mover: Unit,
        action: str,
        refused: Sequence[Breach] = (),
        corner: tuple[int, int] = (0, 0),
    ) -> None:
        super().__init__(table, costs, mover, action, unit=UNIT, refused=refused, corner=corner)

    # --- places ---

    def pose_of(self, place: Any) -> Pose:
        """Return a dot or a pose on it as a pose; raises NoPlace for anything else."""
        pose = super().pose_of(place)
        dot: Any = pose.place
        if not isinstance(dot, tuple) or [type(part) for part in dot] != [int, int]:
            raise NoPlace(f"a dot is two whole numbers such as (3, 4), not {dot!r}")
        return pose

    def _least(self, pose: Pose, fits: Callable[[Pose], Mask]) -> Fraction | None:
        """Return the least AP of ending in a pose in states that fit; None if there are none, as off the map."""
        if pose.place not in self.board:
            return None
        costs = np.where(fits(pose), self.touched.at(*self.board.index(pose.place)), UNREACHED)
        least = int(costs.min())
        return None if least == UNREACHED else Fraction(least, self.per_unit)

    def cost_at(self, place: Any, phase: str | None = None) -> Fraction | None:
        """Return the least AP of ending on a dot or in a pose there; None if the unit cannot."""
        return self._least(self.pose_of(place), partial(self._layers, phase=phase))

    def ends_at(self, place: Any) -> tuple[End, ...]:
        """Return the ends on a dot or in a pose there, the cheapest first; none off the map."""
        pose = self.pose_of(place)
        return super().ends_at(pose) if pose.place in self.board else ()

    @cached_property
    def chances(self) -> NDArray[Any]:
        """For numpy: the best chance of ending on each dot [row, column], in units of 1 / `whole`."""
        return self.mask.astype(np.int64)

    @property
    def whole(self) -> int:
        """The value of `chances` that stands for certainty."""
        return 1

    @property
    def known_chances(self) -> Sequence[Fraction]:
        """The distinct chances of dots, the least first."""
        return [Fraction(chance, self.whole) for chance in np.unique(self.chances[self.mask]).tolist()]

    def surely(self, chance: Fraction) -> Mask:
        """Return the dots on which the unit can end with at least a chance."""
        return np.asarray(self.chances * chance.denominator >= chance.numerator * self.whole)

    @property
    def chances_leave_out(self) -> str:
        """What the chances leave out: by the register, enemy fire is up to the players (query section, e)."""
        enemies = self.table.units(other_than=self.mover.side)
        return "enemy fire" if any(True for enemy in enemies for _ in arcs_of(self.table, enemy)) else ""

    # --- why not there ---

    def distances_to(self, place: Dot, columns: NDArray[np.int64], rows: NDArray[np.int64]) -> NDArray[Any]:
        """Compute the distances of dots from a dot."""
        return distances(columns + self.board.first[0] - place[0], rows + self.board.first[1] - place[1])

    # --- shown ---

    def end_fields(self) -> list[dict[str, Any]]:
        """Return every end as plain data: where, in which state, for how many AP, with what chance."""
        return [{"place": list(end.place), "heading": end.heading, "cost": figure(end.cost)} for end in self.ends]

    def __repr__(self) -> str:
        return (
            f"<Reach of {self.mover.id} by {self.action}: {len(self)} dots, found by {self.costs.method or 'nobody'}>"
        )


class Nowhere(DotReach):
    """The answer for a unit that cannot make this movement: it supports every query of a drive or a walk."""

    #: No end of any kind, under each of the names that other answers use.
    totals: Mapping[Any, Any] = MappingProxyType({})
    levels: Mapping[Any, Any] = MappingProxyType({})
    poses: frozenset[Any] = frozenset()
    covered: frozenset[Any] = frozenset()
    certain: frozenset[Any] = frozenset()
    possible: frozenset[Any] = frozenset()

    @property
    def knows_headings(self) -> bool:
        """Whatever the question."""
        return True

    @property
    def knows_levels(self) -> bool:
        """Whatever the question."""
        return True

    def cost_at(self, place: Any, phase: str | None = None, **state: Any) -> None:
        """Return None: there is no end."""
        self.pose_of(place)

    def chance_at(self, place: Any, **state: Any) -> Fraction:
        """Return 0: there is no end."""
        self.pose_of(place)
        return Fraction(0)

    def ends_at(self, place: Any) -> tuple[End, ...]:
        """Return no ends."""
        self.pose_of(place)
        return ()

    def headings_at(self, place: Any) -> tuple[HeadingRange, ...]:
        """Return no headings."""
        self.pose_of(place)
        return ()

    def orders_to(self, place: Any, **state: Any) -> list[Order]:
        """Raise NoRoute with the reasons."""
        raise NoRoute("; ".join(breach.message for breach in self.refused))

    def why_not(self, place: Any, **state: Any) -> WhyNot:
        """Return what forbids the movement, the same for every dot."""
        return self.explained(self.pose_of(place), self.refused)


def nowhere(table: DTTable, mover: Unit, action: str, refused: Sequence[Breach]) -> Nowhere:
    """Return the answer for a unit that cannot make this movement."""
    space = MoveSpace(map_of(table).shape, (), start_is_end=False, unit=UNIT)
    return Nowhere(table, Costs.nowhere(space, Seeds.of(space, (), None)), mover, action, refused)
