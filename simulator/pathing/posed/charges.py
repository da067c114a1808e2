"""What a judge of written moves finds: lines of what a move costs, and objections to it."""

from __future__ import annotations

from fractions import Fraction
from typing import Literal, NamedTuple, TypeAlias

from simulator.pathing.posed.ground import GroundLine


class Charge(NamedTuple):
    """A line of what a move costs: which of the moves, how many inches, degrees or things of it, at what rate.

    What is run over adds lines for the stretches over it, each with its inches and what they cost besides the leg.
    """

    move: int
    what: Literal["leg", "turn", "link", "toll"]
    amount: Fraction
    rate: Fraction
    price: Fraction
    ground: GroundLine | None = None
    toll: int | None = None  #: the number of the toll


#: What may be wrong: with the way, with what is paid for it, with the end, with the phases.
Wrong: TypeAlias = (
    Literal["bars", "between", "edge", "ground", "mode", "link", "placing", "stops"]
    | Literal["budget", "legs", "inches", "least"]
    | Literal["end", "touch", "near", "only"]
    | Literal["ended", "phase"]
)


class Objection(NamedTuple):
    """What is wrong with a move: which of the moves, what, and the figures or the thing behind it."""

    move: int
    what: Wrong
    inches: float = 0.0  #: of the whole path, where it happens
    #: The number of what bars the way, a link or the end, is not touched or too near; or of a side.
    thing: int | None = None
    needed: Fraction | None = None
    available: Fraction | None = None
    toll: int | None = None  #: the number of a toll that bars the way or the end
    phase: int = 0  #: in which phase, counted from 0
