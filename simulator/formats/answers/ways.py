"""What orders do: their price, rolls, endings and interruptions; whether they are legal."""

from __future__ import annotations

from typing import TypeAlias

from simulator.formats.answers.play import EventModel, PricedLineModel, Range, RangeSpanModel, RollModel
from simulator.formats.answers.reach import ReachableModel
from simulator.formats.answers.values import (
    AtMomentModel,
    Fields,
    Figure,
    Heading,
    Model,
    OptionChangeModel,
    Place,
    ReasonModel,
    Value,
    absent,
)


class StandingModel(Model):
    """Where a unit stands at an end."""

    place: Place | None
    """Its place; null beside the table."""
    heading: Heading | None
    """Its heading."""


class EndingModel(Model):
    """One way in which orders end."""

    chance: Figure
    """Its chance, if nobody interrupts."""
    failed: list[str]
    """The tests that fail in it."""
    as_planned: bool
    """Whether all units end where they do if everything goes well."""
    happens: list[EventModel]
    """What happens from the first failed test on."""
    units: dict[str, StandingModel]
    """Where every unit stands."""
    reasons: list[ReasonModel]
    """Why a further order is no longer legal; empty if all are done."""


class OutcomeModel(Model):
    """How orders end after a reaction within a part of a range."""

    spans: list[RangeSpanModel]
    """The part, of numbers."""
    region: list[Value] = absent()
    """The part, of spots: polygons."""
    sample: Value
    """The answer that was played for the part."""
    endings: list[EndingModel]
    """How it ends."""


class InterruptionModel(Model):
    """A moment at which somebody may react."""

    who: str
    """The unit that may react."""
    side: str
    """Its side."""
    what: str
    """The reaction."""
    options: list[Range | Value]
    """Its options: each a value or a range."""
    clause: str
    """The clause."""
    place: Place | None
    """Where the mover is."""
    spent: dict[str, Figure]
    """What the orders have cost by then, in each currency."""
    detail: Fields
    """What else the reacting player knows."""
    after: list[str]
    """What has to go wrong before; empty if nothing has to."""
    outcomes: list[OutcomeModel]
    """How the orders end for each part of a range; empty if the options are a list."""


class ForeseenRollModel(RollModel):
    """A roll on the way."""

    chance: Figure = absent()
    """The chance of passing; absent if it is not a test."""


class ForeseenChoiceModel(Model):
    """A choice on the way."""

    what: str
    """What is chosen."""
    taken: Value
    """The option that the answer assumes."""


class ForeseenModel(Model):
    """What orders do if all goes well, how else they may end, and who can interrupt them."""

    orders: list[str]
    """The orders; empty if the unit is there already."""
    not_now: list[ReasonModel]
    """Why the first order is not legal at this moment, if it is somebody else's go."""
    price: list[PricedLineModel]
    """The price, line by line; it adds up to the cost."""
    cost: dict[str, Figure]
    """The cost in each currency."""
    rolls: list[ForeseenRollModel]
    """The rolls on the way."""
    chance_of_rolls: Figure
    """The chance of passing all of them."""
    choices: list[ForeseenChoiceModel]
    """The choices on the way."""
    endings: list[EndingModel]
    """Every way in which the orders end if nobody interrupts them."""
    interruptions: list[InterruptionModel]
    """Every moment at which somebody may react, in any play."""
    most_interruptions: int
    """How often one play can be interrupted."""
    all_plays_followed: bool
    """Whether every play was followed."""
    reactions_followed: int | None
    """The largest number of reactions up to which plays were followed; null if all were."""


# --- documents ---


class ReachableChanceModel(ReachableModel):
    """A place that can be reached, with the best chance."""

    chance: Figure
    """The best chance of any path."""


class _About(AtMomentModel):
    unit: str
    """The unit."""
    action: str
    """The action."""


class NoWayModel(_About):
    """No path leads to a place."""

    to: ReachableModel
    """The place, and why not there."""


class OtherWayModel(Model):
    """Another path to the same place."""

    prefer: str
    """The respect in which it is the best: cheapest, safest or surest."""
    cost: dict[str, Figure]
    """Its cost, by currency."""
    chance: Figure
    """The chance of passing its rolls."""
    interruptions: int
    """How often one play of it can be interrupted."""


class ForeseenWayModel(_About, ForeseenModel):
    """The preferred path of a unit to a place."""

    to: ReachableChanceModel
    """The place."""
    other_ways: list[OtherWayModel] = absent()
    """Other paths that are better in some respect, from the command line."""


class ExplainedPlaceModel(_About):
    """Whether a unit can end at a place, and why not."""

    to: ReachableModel
    """The place."""
    options: list[OptionChangeModel] = absent()
    """With --try-options: the options that would open it, each alone."""


class JudgedModel(Model):
    """The judgement of an order."""

    order: str
    """The order."""
    legal: bool
    """Whether the rules allow it now."""
    reasons: list[ReasonModel]
    """Every reason against it."""


class ForbiddenOrderModel(AtMomentModel, JudgedModel):
    """An order that the rules forbid."""


class JudgedOrderModel(ForbiddenOrderModel, ForeseenModel):
    """An order that is legal, at least in the unit's own go, and what it does."""


class ForeseenOrdersModel(AtMomentModel, ForeseenModel):
    """What orders do."""


Path: TypeAlias = ForeseenWayModel | NoWayModel
Explain: TypeAlias = JudgedOrderModel | ForbiddenOrderModel | ExplainedPlaceModel
Exposed: TypeAlias = ForeseenOrdersModel | ForbiddenOrderModel | NoWayModel
