"""What a vehicle has done in its movement of this turn, and what it may do next: everything but the pose.

A `Ride` holds all that decides legality apart from where the vehicle stands. The judge follows one ride along an order;
the compiler takes every possible ride as a phase of its search. Both use the conditions of this module.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from simulator.byte_cache import kept
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.tables import Tables
from simulator.rulesets.dot_trooper.options import DotTrooperOptions

#: Movement modes by name, in ascending order.
MODES = ("minimum", "cruise", "max")
#: The segments that buy dots.
SEGMENTS = ("start", "move", "stop")
#: The angles of a turn.
ANGLES = (60, 120, 180)
SIDES = ("left", "right")
#: A control check by its cause (`turn`, `stop`) and the angle of the turn, 0 for none.
Check = tuple[str, int]
#: What becomes of the rest of a segment after a turn in it.
GOES_ON, CUT_SHORT = "goes on", "cut short"
#: Stands for an unlimited number of AP.
UNLIMITED = 10**6


@dataclass(frozen=True, slots=True)
class Ride:
    """What decides, apart from the pose, what a vehicle may do next."""

    #: Its motion when the turn began.
    standing: bool
    #: AP spent on the mode so far.
    ap: int = 0
    #: The current or latest segment, "" before the first.
    segment: str = ""
    #: The dots moved in it.
    dots: int = 0
    #: Whether a dot was moved since the movement began and since the last turn (DT-81).
    may_turn: bool = False
    #: Whether a stop has had its one turn (DT-94).
    stop_turned: bool = False
    #: In a search, once a turn was made in a segment with dots left: `goes on`, or `cut short` before that turn, in the
    #: pose in which the enemy could fire at its end (DT-98). Whoever follows a plan looks ahead instead.
    rest: str = ""

    @property
    def motion(self) -> str:
        """Whether a vehicle that ends here is `stopped` or `moving`."""
        return "stopped" if self.segment == "stop" or (self.standing and not self.segment) else "moving"


@dataclass(frozen=True, slots=True)
class Gear:
    """The figures a ride is judged by: dots per AP, the range of AP, and the options."""

    dots_per_ap: int
    #: The fewest and the most AP that may be spent; several modes together are one range.
    least: int
    most: int
    segment_ap: tuple[tuple[str, int], ...]
    turn_ap: tuple[tuple[int, int], ...]
    #: Totals between the fewest and the most that no mode has in its range.
    gaps: frozenset[int] = frozenset()
    #: Whether `minimum` can be selected and allows the stop that costs 2 AP and no check (DT-78).
    minimum_stop: bool = False
    stop_dots: str = "m_total"
    partial_segments: bool = False
    forward_before_turn: str = "each_turn"

    @classmethod
    @clause("DT-61", "DT-62")
    def of(
        cls,
        options: DotTrooperOptions,
        tables: Tables,
        dots_per_ap: int,
        ranges: Sequence[tuple[int, int]],
        minimum: bool = False,
    ) -> Gear:
        """Return the gear of a vehicle with `m` dots per AP, for the ranges of AP of one mode or of several.

        `minimum` means that this mode is among them and that there are AP for its stop.
        """
        least, most = min(low for low, _ in ranges), max(high for _, high in ranges)
        covered = {ap for low, high in ranges for ap in range(low, high + 1)}
        return cls(
            dots_per_ap,
            least,
            most,
            tuple((name, tables[f"drive.{name}"]) for name in SEGMENTS),
            tuple((angle, tables[f"turn.{angle}"]) for angle in ANGLES),
            frozenset(range(least, most + 1)) - covered,
            minimum and options.minimum_stop == "allowed_2ap_no_check",
            options.stop_dots,
            options.partial_segments,
            options.forward_before_turn,
        )

    @clause("DT-43", "DT-71", "DT-72", "DT-73")
    def dots_of(self, segment: str) -> int:
        """Return the dots that a segment has: m; for a stop m, or m for each of its AP."""
        if segment == "stop" and self.stop_dots == "m_per_ap":
            return self.dots_per_ap * self.segment_cost("stop")
        return self.dots_per_ap

    @clause("DT-69", "DT-70", "DT-71")
    def segment_cost(self, segment: str) -> int:
        """Return the AP of a segment."""
        return dict(self.segment_ap)[segment]

    @clause("DT-84")
    def turn_cost(self, angle: int) -> int:
        """Return the AP of a turn."""
        return dict(self.turn_ap)[angle]

    def is_whole(self, ride: Ride) -> bool:
        """Whether the current segment is finished, or may be left as it is."""
        return not ride.segment or ride.dots == self.dots_of(ride.segment) or self.partial_segments

    @property
    def highest(self) -> int:
        """The most AP that a legal ride can take."""
        return max(self.most, self.segment_cost("stop")) if self.minimum_stop else self.most


# --- what forbids a step, each with its clause ---


@clause("DT-72", "DT-77", role="judge")
def segment_is_finished(gear: Gear, ride: Ride) -> Breach | None:
    """Check that a segment has all its dots before the next one begins or the movement ends."""
    if gear.is_whole(ride):
        return None
    due = gear.dots_of(ride.segment)
    return Breach("DT-72", f"a {ride.segment} goes {due} dots", needed=due, available=ride.dots)


@clause("DT-74", "DT-79", role="judge")
def starts_as_it_stands(ride: Ride, segment: str) -> Breach | None:
    """Check that a stopped vehicle begins with `start`, and that a moving one does not."""
    if (segment == "start") == (ride.standing and not ride.segment):
        return None
    if segment == "start":
        return Breach("DT-74", "only a stopped vehicle can start, and only once")
    return Breach("DT-74", "a stopped vehicle has to begin with start")


@clause("DT-75", role="judge")
def nothing_after_a_stop(ride: Ride) -> Breach | None:
    """Check that nothing follows a stop, which ends the movement of the turn."""
    return Breach("DT-75", "a stop ends the movement") if ride.segment == "stop" else None


@clause("DT-61", "DT-63", "DT-68", "DT-78", "DT-85", role="judge")
def ap_are_in_range(gear: Gear, ap: int, minimum_stop: bool, planned: int = 0) -> Breach | None:
    """Check that all AP of a ride together do not exceed the upper figure of the mode, or the AP available.

    `planned` are those of the whole order that this is a part of.
    """
    most = gear.highest if minimum_stop else gear.most
    if ap <= most:
        return None
    ap = max(ap, planned)
    return Breach("DT-68", f"{ap} AP of movement, at most {most} can be spent", needed=ap, available=most)


@clause("DT-80", "DT-81", role="judge")
def a_dot_comes_first(ride: Ride) -> Breach | None:
    """Check that the vehicle has moved at least one dot before a turn."""
    return None if ride.may_turn else Breach("DT-81", "a turn needs a dot moved before it", needed=1, available=0)


@clause("DT-94", "DT-95", role="judge")
def one_turn_in_a_stop(ride: Ride) -> Breach | None:
    """Check that at most one turn is built into a stop."""
    return Breach("DT-94", "a stop has at most one turn") if ride.stop_turned else None


@clause("DT-61", "DT-68", role="judge")
def enough_is_spent(gear: Gear, ride: Ride) -> Breach | None:
    """Check that a ride ends only with the lower figure of its mode spent, and with a total that some mode has."""
    if is_free_stop(gear, ride) or (ride.ap >= gear.least and ride.ap not in gear.gaps):
        return None
    due = next(ap for ap in itertools.count(max(gear.least, ride.ap)) if ap not in gear.gaps)
    return Breach("DT-68", f"{ride.ap} AP spent, the mode requires {due}", needed=due, available=ride.ap)


def is_minimum_stop(gear: Gear, ride: Ride, segment: str) -> bool:
    """Whether a stop is the one that `minimum_stop` allows: the only movement of the turn (DT-78)."""
    return gear.minimum_stop and segment == "stop" and not ride.segment and not ride.standing


@clause("DT-78")
def is_free_stop(gear: Gear, ride: Ride) -> bool:
    """Whether a ride is within the stop that `minimum_stop` allows: nothing else was paid for."""
    return gear.minimum_stop and ride.segment == "stop" and ride.ap == gear.segment_cost("stop")


@clause("DT-86", "DT-91", "DT-93", "DT-94", "DT-96")
def check_of_turn(gear: Gear, ride: Ride, angle: int) -> Check | None:
    """Return the check of a turn made in a ride, in a stop that of the stop's row; None if it needs none."""
    if ride.segment != "stop":
        return "turn", angle
    return None if angle == 60 and is_free_stop(gear, turned(gear, ride, angle)) else ("stop", angle)


@clause("DT-93")
def check_of_end(gear: Gear, ride: Ride) -> Check | None:
    """Return the check that is still due when a ride ends: that of a stop without a turn."""
    due = ride.segment == "stop" and not ride.stop_turned and not is_free_stop(gear, ride)
    return ("stop", 0) if due else None


@clause("DT-93", "DT-94", "DT-96")
def check_of_stop(gear: Gear, ride: Ride, angle: int) -> Check | None:
    """Return the check of a stop that has just begun, with the turn that is planned in it, 0 for none."""
    return check_of_turn(gear, ride, angle) if angle else check_of_end(gear, ride)


def against_opening(gear: Gear, ride: Ride, segment: str, planned: int = 0) -> Iterator[Breach]:
    """Yield every reason why a segment cannot begin here."""
    ap = ride.ap + gear.segment_cost(segment)
    reasons = (
        nothing_after_a_stop(ride),
        segment_is_finished(gear, ride),
        starts_as_it_stands(ride, segment),
        ap_are_in_range(gear, ap, is_minimum_stop(gear, ride, segment), planned),
    )
    yield from (reason for reason in reasons if reason)


@clause("DT-88", role="judge")
def against_turning(gear: Gear, ride: Ride, angle: int, planned: int = 0) -> Iterator[Breach]:
    """Yield every reason, apart from the ground, why a turn cannot be made here."""
    ap = ride.ap + gear.turn_cost(angle)
    in_minimum_stop = gear.minimum_stop and ride.segment == "stop" and gear.turn_cost(angle) == 0
    reasons = (
        a_dot_comes_first(ride),
        one_turn_in_a_stop(ride),
        ap_are_in_range(gear, ap, in_minimum_stop, planned),
    )
    yield from (reason for reason in reasons if reason)


def against_ending(gear: Gear, ride: Ride) -> Iterator[Breach]:
    """Yield every reason, apart from the ground, why the movement cannot end here."""
    reasons = (segment_is_finished(gear, ride), enough_is_spent(gear, ride))
    yield from (reason for reason in reasons if reason)


# --- the effect of a step on a ride ---


def opened(gear: Gear, ride: Ride, segment: str) -> Ride:
    """Begin a segment: its AP are spent, its first dot is still to be moved."""
    return replace(ride, ap=ride.ap + gear.segment_cost(segment), segment=segment, dots=0, rest="")


def one_dot_on(ride: Ride) -> Ride:
    """Move a dot within the segment."""
    return replace(ride, dots=ride.dots + 1, may_turn=True, rest="")


def turned(gear: Gear, ride: Ride, angle: int) -> Ride:
    """Make a turn."""
    return replace(
        ride,
        ap=ride.ap + gear.turn_cost(angle),
        may_turn=gear.forward_before_turn == "once_per_move",
        stop_turned=ride.segment == "stop",
    )


# --- all rides ---


@dataclass(frozen=True, slots=True)
class RideStep:
    """One step between two rides: a dot (angle 0, with the segment it opens), a turn, or the end of a stop."""

    before: Ride
    after: Ride
    name: str
    angle: int = 0
    ap: int = 0
    check: Check | None = None

    @property
    def what(self) -> str:
        """The name of the step: `move`, `left 120`."""
        return f"{self.name} {self.angle}" if self.angle else self.name


@dataclass(frozen=True, eq=False)
class Rides:
    """All rides that can come to a legal end, in an order in which each step leads on, and the steps."""

    rides: tuple[Ride, ...]
    legs: tuple[RideStep, ...]
    ends: frozenset[Ride]


def simplest(ride: Ride) -> Ride:
    """Return the ride that represents all those with the same future.

    Once begun, it does not matter whether a segment was a start or a move, nor in a stop that has had its turn whether
    a dot came after it.
    """
    if not ride.segment:
        return ride
    segment = "move" if ride.segment == "start" else ride.segment
    return replace(ride, segment=segment, may_turn=ride.may_turn and not ride.stop_turned)


@kept(megabytes=64)
def all_rides(gear: Gear, standing: bool, hopeless: frozenset[Check] = frozenset()) -> Rides:
    """Return every ride of a vehicle that stands or moves when its movement begins.

    Rides that take one of the `hopeless` checks, which nobody passes, are left out.
    """
    return _rides(gear, standing, hopeless, lambda ride: ride, _order)


@kept(megabytes=1)
def farthest(gear: Gear, standing: bool) -> int:
    """Return the most dots that any ride covers."""
    rides = all_rides(gear, standing)
    dots = dict.fromkeys(rides.rides, 0)
    number = {ride: place for place, ride in enumerate(rides.rides)}
    for leg in sorted(rides.legs, key=lambda leg: number[leg.before]):
        if leg.before != leg.after:
            dots[leg.after] = max(dots[leg.after], dots[leg.before] + (not leg.angle))
    return max(dots.values(), default=0)


@kept(megabytes=32)
def rides_of_any_length(gear: Gear, standing: bool) -> Rides:
    """Return every ride of a gear without limits, however many AP it takes: AP are not part of such a ride.

    They determine what a place would cost with more AP available, or fewer required.
    """
    boundless = replace(gear, least=0, most=UNLIMITED)
    return _rides(boundless, standing, frozenset(), lambda ride: replace(ride, ap=0), _order_without_ap)


def _rides(
    gear: Gear,
    standing: bool,
    hopeless: frozenset[Check],
    kept: Callable[[Ride], Ride],
    order: Callable[[Ride], tuple[int, ...]],
) -> Rides:
    first = Ride(standing)
    known: dict[Ride, list[RideStep]] = {}
    waiting = [first]
    while waiting:
        ride = waiting.pop()
        if ride in known:
            continue
        legs = [replace(leg, after=kept(leg.after)) for leg in _legs(gear, ride) if leg.check not in hopeless]
        # Free turns that lead back to the same ride (once_per_move) come before what leads on from it.
        known[ride] = sorted(legs, key=_leads_on)
        waiting += [leg.after for leg in legs]
    may_end = (ride for ride in known if ride.segment and ride.rest != GOES_ON)
    ends = {ride for ride in may_end if not any(against_ending(gear, ride))}
    ends = {ride for ride in ends if check_of_end(gear, ride) not in hopeless}
    useful = _leading_to(ends, known) | {first}
    sorted_ = sorted(useful, key=order)
    legs_of_all = tuple(leg for ride in sorted_ for leg in known[ride] if leg.after in useful)
    return Rides(tuple(sorted_), legs_of_all, frozenset(ends))


@clause("DT-72")
def turned_in_search(gear: Gear, ride: Ride, angle: int) -> Iterator[Ride]:
    """Yield the rides after a turn: two if the segment may be cut short, one that goes on and one that has ended."""
    after = turned(gear, ride, angle)
    if not gear.partial_segments or ride.dots == gear.dots_of(ride.segment):
        yield after
        return
    for rest in (GOES_ON, CUT_SHORT):
        if ride.rest in ("", rest):
            yield replace(after, rest=rest)


def _legs(gear: Gear, ride: Ride) -> Iterator[RideStep]:
    for segment in SEGMENTS if ride.rest != GOES_ON else ():
        if not any(against_opening(gear, ride, segment)):
            cost = gear.segment_cost(segment)
            yield RideStep(ride, simplest(one_dot_on(opened(gear, ride, segment))), segment, ap=cost)
    if ride.segment and ride.dots < gear.dots_of(ride.segment) and ride.rest != CUT_SHORT:
        yield RideStep(ride, simplest(one_dot_on(ride)), "on")
    for angle in ANGLES:
        if not any(against_turning(gear, ride, angle)):
            for side in SIDES:
                check = check_of_turn(gear, ride, angle)
                for after in turned_in_search(gear, ride, angle):
                    yield RideStep(ride, simplest(after), side, angle, gear.turn_cost(angle), check)


def _leads_on(leg: RideStep) -> bool:
    return leg.after != leg.before


def _leading_to(ends: set[Ride], known: dict[Ride, list[RideStep]]) -> set[Ride]:
    useful = set(ends)
    while True:
        more = {ride for ride, legs in known.items() if ride not in useful and any(leg.after in useful for leg in legs)}
        if not more:
            return useful
        useful |= more


def _order(ride: Ride) -> tuple[int, ...]:
    """Return the sort key of a ride by which steps lead on: AP, a stop last, then dots, then the turn after them."""
    return (ride.ap, ride.segment == "stop", ride.dots, ride.stop_turned, not ride.may_turn, bool(ride.rest))


def _order_without_ap(ride: Ride) -> tuple[int, ...]:
    return (bool(ride.segment), *_order(ride)[1:])


def phase_name(ride: Ride, gear: Gear) -> str:
    """Write a ride as the name of a phase."""
    if not ride.segment:
        return "standing" if ride.standing else "rolling"
    words = [f"{ride.motion} {ride.ap} AP"]
    if ride.dots < gear.dots_of(ride.segment):
        words.append(f"{ride.dots} of {gear.dots_of(ride.segment)}")
    if not ride.may_turn or ride.stop_turned:
        words.append("turned")
    if ride.rest:
        words.append(ride.rest)
    return ", ".join(words)
