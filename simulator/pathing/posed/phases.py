"""Phases of a move: one after the other, each with a budget of its own; what is left at the end of one is lost.

A space describes the last phase; `PoseSpace.earlier` are those before it, the first one first. In a written move
`EndPhase` stands where one ends and the next begins.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from simulator.geometry.pieces import Solid
from simulator.pathing.posed.only_ends import OnlyEnds


@dataclass(frozen=True, slots=True)
class EarlierPhase:
    """A phase before the last one: in it the mover does as in the last, but for what it may spend.

    At its end the mover has to be where it may end, whatever it has to touch, to spend or to be far from in the last.
    """

    budget: Fraction
    #: The most that may be spent on legs; None: as much as on everything.
    most_travelled: Fraction | None = None
    #: The most inches that legs and links may cover; None: as many as can be paid for.
    most_inches: Fraction | None = None
    #: Whether all free degrees are free again when the next phase begins, or only those that are left.
    refreshes: bool = True
    #: The only poses in which it may end; None: it may end anywhere.
    ends: OnlyEnds | None = None
    #: What it may not end on, besides what no phase may.
    no_end: tuple[Solid, ...] = ()

    def __post_init__(self) -> None:
        if self.budget < 0 or (self.most_travelled or 0) < 0:
            raise ValueError(f"what may be spent in a phase is 0 or more, not {self.budget}, {self.most_travelled}")
        if (self.most_inches or 0) < 0:
            raise ValueError(f"what may be covered in a phase are 0 inches or more, not {self.most_inches}")
