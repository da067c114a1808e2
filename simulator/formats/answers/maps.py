"""Where a unit can end from everywhere: reach-map and heat-map."""

from __future__ import annotations

from typing import Literal

from simulator.formats.answers.values import AtMomentModel, Fields, Model


class SpreadModel(Model):
    """The least of several numbers, the one in the middle, and the most."""

    least: float
    """The least."""
    median: float
    """The one in the middle."""
    most: float
    """The most."""


class UnansweredModel(Model):
    """Starts from which there is no answer."""

    reason: str
    """Why."""
    starts: int
    """From how many starts."""


class ReachMapSizeModel(AtMomentModel):
    """The size of a question about everywhere."""

    unit: str
    """The unit of the question."""
    action: str
    """The action of the question."""
    columns: int
    """The number of columns of places."""
    rows: int
    """The number of their rows."""
    headings: int
    """The number of headings to set out with; 1 if the unit has none."""


class ReachMapModel(AtMomentModel):
    """Where a unit can end from everywhere: what a file of arrays says about itself, and what its arrays add up to."""

    kind: Literal["reach map"]
    """What the file is."""
    options: Fields
    """The options that are not at their defaults."""
    tables: Fields
    """The figures that were replaced."""
    unit: str
    """The unit of the question."""
    mover: str
    """The unit that is put everywhere: for riders what they ride."""
    side: str
    """Its side; may be empty."""
    action: str
    """The action of the question."""
    question: Fields
    """The further values of the question, as texts."""
    cost_unit: str
    """The unit of the costs."""
    spacing: float | None
    """How far apart the places of a table are, in inches; null on squares and dots."""
    measured: bool
    """Whether the areas of the ends were measured."""
    starts: int
    """The number of the starts."""
    unanswered: list[UnansweredModel]
    """The starts without an answer, by the reason."""
    limited: int
    """Of how many of them the reason is a limit of the search."""
    costs: bool
    """Whether the file holds the costs, not only what they add up to."""
    ground: SpreadModel | None
    """How much ground the starts get to: places, or square inches; null without starts."""
    reached_from: SpreadModel
    """From how many starts the places can be reached."""
