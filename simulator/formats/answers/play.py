"""The parts of a game in answers: orders, questions, events, prices, and the whole table."""

from __future__ import annotations

from typing import Annotated, Literal, TypeAlias

from pydantic import Field

from simulator.formats.answers.values import Fields, Figure, Heading, Model, Place, Value, absent


class LedgerLineModel(Model):
    """One line of a price: an amount of something at a rate."""

    what: str
    """What is paid for."""
    amount: Figure
    """How much of it."""
    rate: Figure
    """The price of one."""
    currency: str
    """What it is paid in."""
    clause: str
    """The clause of the price."""


class PricedLineModel(LedgerLineModel):
    """A line of a price with its sum."""

    price: Figure
    """Amount times rate."""


class EventModel(Model):
    """Something that happened. What is empty is left out."""

    kind: str
    """What happened, in a word of the rulebook."""
    unit: str = absent()
    """The unit that it happened to."""
    clause: str = absent()
    """The clause."""
    detail: Fields = absent()
    """The details."""
    spent: dict[str, Figure] = absent()
    """What the order has cost up to here, in each currency."""
    place: Place = absent()
    """Where it happened."""
    changes: list[Annotated[list[Value], Field(min_length=3, max_length=3)]] = absent()
    """What it changed on the table: each a verb, its subject, and the new values."""
    price: list[LedgerLineModel] = absent()
    """What it cost."""


# --- questions ---


class RangeSpanModel(Model):
    """The numbers between two ends."""

    from_: Figure = Field(alias="from")
    """The low end."""
    to: Figure
    """The high end."""
    open: list[Literal["low", "high"]] = absent()
    """The ends that do not belong to it."""


class NumberWithinModel(RangeSpanModel):
    """Any number between two ends, as an option of a question."""

    range: Literal["within"]
    """The kind of range."""
    step: Figure = absent()
    """The answers are whole steps from the low end."""
    wraps: Figure = absent()
    """The full turn after which numbers repeat, such as 360."""
    every: Figure = absent()
    """The distance of samples."""
    near: Figure = absent()
    """The number near which samples come first."""
    unit: str = absent()
    """The unit of the number."""
    marks: list[Figure] = absent()
    """Numbers that matter to the rule."""


class NumberAlongModel(Model):
    """Any length along a leg, as an option of a question."""

    range: Literal["along"]
    """The kind of range."""
    spans: list[RangeSpanModel]
    """The parts of the leg."""
    unit: str
    """The unit of the length."""
    marks: list[Figure] = absent()
    """Lengths that matter to the rule."""
    path: Fields = absent()
    """The leg: its start and its pieces."""


class SpotWithinModel(Model):
    """Any spot of a region, as an option of a question."""

    range: Literal["spot"]
    """The kind of range."""
    region: list[Value]
    """Polygons, each an outline and its holes, each a list of points."""
    marks: list[Value] = absent()
    """Spots that matter to the rule."""
    zones: list[Value] = absent()
    """Parts of the region that the rule distinguishes."""
    every: Figure = absent()
    """The distance of samples."""


Range: TypeAlias = Annotated[NumberWithinModel | NumberAlongModel | SpotWithinModel, Field(discriminator="range")]


class _Question(Model):
    what: str
    """What is asked."""
    who: str
    """The unit or the side that answers; empty for the game itself."""
    clause: str
    """The clause."""
    place: Place = absent()
    """Where it is asked."""
    detail: Fields = absent()
    """Whatever else helps to decide."""


class RollModel(_Question):
    """A question to the dice."""

    ask: Literal["roll"]
    """The kind of question."""
    dice: str = absent()
    """The dice, such as 2D6; absent if outcomes are listed."""
    outcomes: list[Annotated[list[Value], Field(min_length=2, max_length=2)]] = absent()
    """Every result with its chance, if there are no dice."""
    target: Figure = absent()
    """What a test has to reach; absent if it is not a test."""
    at_most: bool = absent()
    """Whether the test passes with the target or less, instead of more."""
    modifiers: list[Annotated[list[Value], Field(min_length=2, max_length=2)]] = absent()
    """Changes of the target, each with its name."""


class _DecisionModel(_Question):
    options: list[Range | Value]
    """The answers: each a value or a range."""
    default: Value = absent()
    """The default answer."""


class ChooseModel(_DecisionModel):
    """A choice of one option."""

    ask: Literal["choose"]
    """The kind of question."""


class ReactModel(_DecisionModel):
    """A chance to interrupt a move; null lets it pass."""

    ask: Literal["react"]
    """The kind of question."""


Question: TypeAlias = Annotated[RollModel | ChooseModel | ReactModel, Field(discriminator="ask")]


class EventEntryModel(Model):
    """An event, as an entry of what happened."""

    event: EventModel
    """The event."""


class AnsweredEntryModel(Model):
    """A question with its answer, as an entry of what happened."""

    question: Question
    """The question."""
    chance: Figure = absent()
    """The chance of passing the test, of a roll with a target."""
    answer: Value
    """The answer."""
    by: str
    """Who answered: dice, script, policy, person, ..."""
    faces: list[int]
    """What the dice showed."""


Entry: TypeAlias = EventEntryModel | AnsweredEntryModel


# --- the table ---


class GoalModel(Model):
    """The place that an order goes to, instead of elements."""

    place: Place
    """The place."""
    heading: Heading | None
    """The heading there; null for any."""
    via: list[Place]
    """Places on the way."""
    level: Value = absent()
    """The level there."""


class OrderModel(Model):
    """An order in its parts."""

    unit: str
    """The unit that acts."""
    action: str
    """What it does."""
    args: Fields
    """The arguments of the action."""
    elements: list[Annotated[list[Value], Field(min_length=2, max_length=2)]]
    """The elements of a movement, each a name and its arguments."""
    goal: GoalModel | None
    """The place to go to; null if the order has elements."""


class UnitModel(Model):
    """A unit on the table."""

    id: str
    """Its name."""
    type: str
    """Its type."""
    side: str
    """Its side."""
    place: Place | None
    """Where it stands; null beside the table and aboard."""
    heading: Heading | None
    """Where it faces; null if the rulebook has no headings."""
    fields: Fields
    """Its fields, which its type declares."""


class ClockModel(Model):
    """The position of the game in its turn."""

    turn: int
    """The turn, from 1; 0 before the beginning."""
    number: int
    """The number of the phase in its turn, from 0."""
    phases: list[Annotated[list[str], Field(min_length=3, max_length=3)]]
    """The phases of the turn: each a name, the order of its goes, a clause."""
    sides: list[str]
    """The sides, in the order of their goes."""
    side: str
    """The side to move; empty if any may, or none."""
    unit: str
    """The unit in the middle of its go; empty if there is none."""
    done: list[str]
    """The units that have acted."""
    resting: list[str]
    """The units that cannot act in this phase."""
    line: list[str]
    """The units that act next, if the order of goes is fixed."""
    over: bool
    """Whether the game is over."""


class PendingModel(Model):
    """An order that waits for an answer."""

    order: OrderModel
    """The order."""
    question: Question
    """The open question."""
    answers: list[Value]
    """The answers so far."""


class StateModel(Model):
    """The whole table."""

    units: list[UnitModel]
    """The units, in their fixed order."""
    clock: ClockModel
    """The clock."""
    data: Fields
    """What the rulebook keeps of the game."""
    rolls: int
    """How many rolls there were."""
    choices: int
    """How many choices and reactions there were."""
    pending: PendingModel | None
    """The order that waits for an answer; null if none does."""
