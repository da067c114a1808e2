"""The verdict on a written move: what a judge finds of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from itertools import islice
from typing import Protocol

from simulator.geometry.paths import Path
from simulator.geometry.pieces import XY
from simulator.pathing.posed.charges import Charge, Objection
from simulator.pathing.posed.records import Record
from simulator.pathing.posed.tolls import NO_TOLLS_SO_FAR, TollsSoFar
from simulator.pathing.posed.turn_prices import TurnGroup


class Wrongs(Protocol):
    """Finds what is wrong with a move, as far as that is asked: played moves, for one, are known to be legal."""

    def all_of(self, found: JudgedMove) -> Iterable[Objection]:
        """Return all that is wrong, in the order of the moves."""

    def shortfalls(self, found: JudgedMove) -> Iterator[Objection]:
        """Yield what comes to more or less than it may, with its figures."""

    def others(self, found: JudgedMove) -> Iterator[Objection]:
        """Yield all else that is wrong, what is found soonest first."""


@dataclass(frozen=True)
class JudgedMove:
    """What a move costs, line by line, where it ends, and all that is wrong with it."""

    path: Path
    heading: Fraction
    charges: tuple[Charge, ...]
    wrongs: Wrongs = field(compare=False, repr=False)
    paid: Fraction = Fraction(0)  #: before the move
    group: TurnGroup = field(default_factory=TurnGroup)
    level: int = 0
    tolls: TollsSoFar = NO_TOLLS_SO_FAR
    since_link: Fraction = Fraction(0)  #: inches of legs since the last link, or since the move began
    record: Record = field(default_factory=Record)  #: the flags and the chance of the links that it follows
    free: Fraction = Fraction(0)  #: the degrees that are still free
    covered: Fraction = Fraction(0)  #: the inches that its legs and links cover, of several phases in the last one
    #: The verdict on each phase of a move of several: what is paid, spent and left when it ends is that of the last.
    phases: tuple[JudgedMove, ...] = ()

    @cached_property
    def objections(self) -> tuple[Objection, ...]:
        """All that is wrong, in the order of the moves."""
        return tuple(self.wrongs.all_of(self))

    @cached_property
    def enough_objections(self) -> tuple[Objection, ...]:
        """What is wrong as far as it states figures, or else something that is wrong; none if it is legal."""
        return tuple(self.wrongs.shortfalls(self)) or tuple(islice(self.wrongs.others(self), 1))

    @property
    def is_legal(self) -> bool:
        """Whether nothing is wrong."""
        return not self.enough_objections

    @property
    def place(self) -> XY:
        """Where it ends."""
        return self.path.end

    @cached_property
    def total(self) -> Fraction:
        """What has been paid in all when it ends, of several phases in the last one."""
        if self.phases:
            return self.phases[-1].total
        return self.paid + sum((charge.price for charge in self.charges), Fraction(0))

    @property
    def travelled(self) -> Fraction:
        """What the legs, links and tolls of this move cost, of several phases in the last one."""
        if self.phases:
            return self.phases[-1].travelled
        return sum((charge.price for charge in self.charges if charge.what != "turn"), Fraction(0))
