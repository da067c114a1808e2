"""Where the elements of a move lead up and down: each begins on a storey, or at an altitude, and ends on one.

One walk over the elements tells which altitudes a move comes to, and which moves it is made of there. What is refused
leaves a piece where it is: a way that it cannot take (CA-69, CA-71), a climb on a floor. Who would descend below the
ground is on it (CA-84).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from simulator.engine.orders import Element
from simulator.rulesets.combined_arms.storeys import GROUND, Stairway, Storey
from simulator.rulesets.combined_arms.vocabulary import CLIMBS


class HowHigh(NamedTuple):
    """How high a piece is: on a storey, or at an altitude above the ground."""

    altitude: Fraction
    storey: Storey = GROUND


class ElementMade(NamedTuple):
    """An element as it is made, and how high it begins and ends."""

    element: Element
    before: HowHigh
    after: HowHigh
    meant: Fraction  #: the altitude that it is ordered to end at, perhaps one below the ground


def walked(elements: Iterable[Element], start: HowHigh, ways: Sequence[Stairway]) -> Iterator[ElementMade]:
    """Yield the stages of a move, where a piece has some stairs, ladders, doors and flights."""
    here = start
    for element in elements:
        stage = ElementMade(element, here, here, here.altitude)
        if element.name == "take":
            after = next((_end_of(way) for way in ways if _leads_on(way, element["way"], here)), here)
            stage = stage._replace(after=after, meant=after.altitude)
        elif element.name in CLIMBS and here.storey == GROUND:
            meant = here.altitude + CLIMBS[element.name] * Fraction(element["inches"])
            after = HowHigh(max(meant, Fraction(0)))
            made = element if after.altitude == meant else Element("descend", {"inches": here.altitude})
            stage = ElementMade(made, here, after, meant)
        yield stage
        here = stage.after


def _leads_on(way: Stairway, name: str, here: HowHigh) -> bool:
    """Whether a way has a name, and begins as high as a piece is."""
    begins = HowHigh(way.altitude if way.origin == GROUND else Fraction(0), way.origin)
    return way.name == name and begins == here


def _end_of(way: Stairway) -> HowHigh:
    """How high a way ends."""
    return HowHigh(way.altitude if way.target == GROUND else Fraction(0), way.target)
