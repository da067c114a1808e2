"""The best odds of a ride: for every pose the highest chance to arrive there, all checks on the way passed.

A ride never comes back to what it was before, but for free turns under an option, so one pass over the steps in the
order of the rides is enough. Chances are whole numbers of 36 to the power of the most checks a ride can have: exact.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.engine.clauses import clause
from simulator.geometry.arrays import shifted
from simulator.geometry.hex_lattice import DIRECTIONS
from simulator.pathing.move_space import MoveSpace, Start
from simulator.rulesets.dot_trooper.driving import HEADINGS, gate_name
from simulator.rulesets.dot_trooper.poses import heading_after
from simulator.rulesets.dot_trooper.riding import Leg, Ride, Rides

#: The chance of a check by its cause (`turn`, `stop`) and angle.
Chances = Mapping[tuple[str, int], Fraction]
#: As many powers of 36 as fit in 64 bits.
_MOST_CHECKS = 12


@clause("DT-86", "DT-91", "DT-93", "DT-94", "DT-96")
def cause_of(leg: Leg) -> tuple[str, int] | None:
    """Give the check of a leg, or None where it has none: a turn, in a stop by the stop's row."""
    if not leg.angle:
        return None
    return ("stop" if leg.before.segment == "stop" else "turn"), leg.angle


def is_check_free(ride: Ride, stop_ap: int, minimum_stop: bool) -> bool:
    """Whether a stop is the one in `minimum` that needs no check (DT-78): nothing but it was paid for."""
    return minimum_stop and ride.segment == "stop" and ride.ap == stop_ap


class RideOdds:
    """The best chance of every end of a ride space: `array` in the shape of its states, in units of 1 / `whole`."""

    def __init__(
        self, space: MoveSpace, start: Start, rides: Rides, chances: Chances, stop_ap: int, minimum_stop: bool
    ) -> None:
        self.space, self.start, self.rides = space, start, rides
        checks = _most_checks(rides)
        self.whole = 36**checks
        self._free = minimum_stop
        self._stop_ap = stop_ap
        self.array = self._spread(chances, np.int64 if checks <= _MOST_CHECKS else object)

    def _spread(self, chances: Chances, dtype: Any) -> NDArray[Any]:
        space = self.space
        number = {ride: place for place, ride in enumerate(self.rides.rides)}
        best = np.zeros((len(space.phases), len(HEADINGS), *space.shape), dtype)
        begun = space.phases.index(self.start.phase), space.headings.index(self.start.heading)
        best[(*begun, self.start.row, self.start.col)] = self.whole
        for leg in self.rides.legs:
            ways = self._ways(leg, chances)
            # Under `once_per_move` free turns lead back to the same ride: six of them come round.
            for _ in range(6 if leg.before == leg.after else 1):
                self._lead(best, leg, ways, number[leg.before], number[leg.after])
        for place, ride in enumerate(self.rides.rides):
            checked = ride.segment == "stop" and not ride.stop_turned
            if checked and not is_check_free(ride, self._stop_ap, self._free):
                best[place] = _share(best[place], int(chances["stop", 0] * 36))
        ends = np.zeros_like(best, dtype=np.bool_) if space.end is None else space.end
        return np.where(ends, best, 0)

    def _ways(self, leg: Leg, chances: Chances) -> int:
        cause = cause_of(leg)
        if cause is None or (leg.angle == 60 and is_check_free(leg.before, self._stop_ap, self._free)):
            return 36
        return int(chances[cause] * 36)

    def _lead(self, best: NDArray[Any], leg: Leg, ways: int, before: int, after: int) -> None:
        for place, heading in enumerate(HEADINGS):
            gate = self.space.gates[gate_name(heading, leg.name, leg.angle)]
            here = np.where(gate, best[before, place], 0)
            if leg.angle:
                to = HEADINGS.index(heading_after(heading, leg.name, leg.angle))
                arriving = _share(here, ways)
            else:
                to = place
                across, down = DIRECTIONS[heading // 60]
                arriving = shifted(here, -down, -across, 0)
            np.maximum(best[after, to], arriving, out=best[after, to])

    def at(self, phase: str, heading: int, row: int, column: int) -> Fraction:
        """Give the chance of one end."""
        place = self.space.phases.index(phase), self.space.headings.index(heading), row, column
        return Fraction(int(self.array[place]), self.whole)


def _share(chance: NDArray[Any], ways: int) -> NDArray[Any]:
    return chance if ways == 36 else chance * ways // 36


def _most_checks(rides: Rides) -> int:
    """Give the most checks that one ride can have: each turn of 120 or 180 degrees, each stop."""
    most = dict.fromkeys(rides.rides, 0)
    for leg in rides.legs:
        check = leg.angle > 60 or (leg.angle == 60 and leg.before.segment == "stop")
        if leg.before != leg.after:
            most[leg.after] = max(most[leg.after], most[leg.before] + check)
    return max(most.values(), default=0) + 1
