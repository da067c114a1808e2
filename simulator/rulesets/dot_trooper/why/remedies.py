"""The smallest change that would get a unit to a place: units gone, more AP. Each is verified before it is named."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations

#: Whether the place is reached with some units gone and a number of AP more.
Helps = Callable[[tuple[str, ...], int], bool]
#: Up to how many units each is tried by itself, and up to how many every pair.
_SINGLY, _IN_PAIRS = 8, 4


def more_ap(ap: int) -> str:
    """Describe how many more AP would help."""
    return f"{ap} AP more"


def gone(names: Sequence[str]) -> str:
    """Name who would have to be gone."""
    return f"with {', '.join(sorted(names))} gone"


def closed_by(names: Sequence[str], remedy: str, at: str) -> tuple[list[str], str]:
    """Return who closes every path to a place, and the sentence that reports it.

    They are those units that the remedy names as gone; all of them if it names none.
    """
    gone = remedy.removeprefix("with ").partition(" gone")[0].split(", ")
    closing = [name for name in names if name in gone] or list(names)
    return closing, f"{', '.join(closing)} {'closes' if len(closing) == 1 else 'close'} every path to {at}"


def smallest_change(names: Sequence[str], ap: Sequence[int], helps: Helps) -> str:
    """Return the smallest change that helps, "" if none does: AP alone, units alone, then both.

    `names` are the units that may be in the way, the likeliest first, `ap` the numbers of further AP available, the
    least first. If a number of AP helps, larger ones do.
    """
    if ap and helps((), ap[-1]):
        return more_ap(next(one for one in ap if helps((), one)))
    if units := _fewest(names, lambda some: helps(some, 0)):
        return gone(units)
    if ap and (units := _fewest(names, lambda some: helps(some, ap[-1]))):
        return f"{gone(units)}, {more_ap(next(one for one in ap if helps(units, one)))}"
    return ""


def _fewest(names: Sequence[str], helps: Callable[[tuple[str, ...]], bool]) -> tuple[str, ...]:
    """Return the fewest units that have to go; for many units a set of which none can be left out."""
    together = tuple(names)
    if not together or not helps(together):
        return ()
    near = together[:_SINGLY]
    for number in (1, 2):
        if number == 1 or len(together) <= _IN_PAIRS:
            for some in combinations(near, number):
                if helps(some):
                    return some
    for name in together:
        without = tuple(other for other in together if other != name)
        if without and helps(without):
            together = without
    return together
