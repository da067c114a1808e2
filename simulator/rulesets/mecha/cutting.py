"""Moves cut short: as much of what was ordered as some movement points pay for, to where the unit may end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from fractions import Fraction

from simulator.engine.orders import Element
from simulator.pathing.posed import judged
from simulator.rulesets.mecha.movement import MechaMoves
from simulator.rulesets.mecha.vocabulary import TURNS, moves_in

#: Legs are cut to whole hundredths of an inch.
_STEPS = 100
#: By how many of them a leg that cannot end is cut shorter, before it is lengthened again as far as possible.
_BACK = 10


def cut_to(moves: MechaMoves, elements: Sequence[Element], budget: Fraction) -> tuple[Element, ...]:
    """Return as much of a move as a budget pays for, ending where that is legal; the whole of it if it can be paid.

    A leg is cut to hundredths of an inch; of a turn that is too dear only the free part is made.
    """
    cut = _Cut(replace(moves, space=replace(moves.space, budget=budget)), tuple(elements))
    if cut.is_legal(cut.elements):
        return cut.elements
    for count in range(len(elements) - 1, -1, -1):
        found = cut.ending_in(count)
        if found is not None:
            return found
    return ()


class _Cut:
    """A move of some elements that is to cost no more than the budget of the space."""

    def __init__(self, moves: MechaMoves, elements: tuple[Element, ...]) -> None:
        self.moves, self.elements = moves, elements

    def is_legal(self, elements: Sequence[Element]) -> bool:
        """Whether elements are a legal move by themselves."""
        return not self._wrong(elements)

    def _wrong(self, elements: Sequence[Element]) -> set[str]:
        space = self.moves.space
        found = judged(space, space.starts[0], list(moves_in(elements, self.moves)))
        return {one.what for one in found.objections}

    def ending_in(self, number: int) -> tuple[Element, ...] | None:
        """Return the longest legal move that ends in an element, or just before it; None: there is none."""
        before, last = self.elements[:number], self.elements[number]
        if last.name in TURNS:
            free = Fraction(last.get("free") or 0)
            some = (*before, Element(last.name, {"angle": free, "free": free})) if free else before
            return next((one for one in (some, before) if self.is_legal(one)), None)

        def leg(steps: int) -> tuple[Element, ...]:
            return (*before, Element(last.name, {"inches": Fraction(steps, _STEPS)})) if steps else before

        paid, dear = 0, int(Fraction(last["inches"]) * _STEPS) + 1
        while dear - paid > 1:
            middle = (paid + dear) // 2
            paid, dear = (paid, middle) if "budget" in self._wrong(leg(middle)) else (middle, dear)
        for steps in range(paid, -1, -_BACK):
            if self.is_legal(leg(steps)):
                longer = range(min(steps + _BACK - 1, paid), steps, -1)
                return next((leg(more) for more in longer if self.is_legal(leg(more))), leg(steps))
        return before if self.is_legal(before) else None
