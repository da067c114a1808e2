"""The answers of the live table to its page.

What they have in common with other answers is the same: reasons, prices, questions, orders, endings. `words` hold what
the page shows as text, and the rest is for drawing: points are in 1/`fineness` of a pixel of the picture.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, TypeAlias

from pydantic import Field

from simulator.formats.answers.play import ChooseModel, ReactModel, RollModel
from simulator.formats.answers.reach import PoseModel, ReachableModel
from simulator.formats.answers.values import Figure, Model, OptionChangeModel, ReasonModel, absent
from simulator.formats.answers.ways import ForeseenModel

#: Across and down.
Point: TypeAlias = Annotated[list[int], Field(min_length=2, max_length=2)]


class QuotedReasonModel(ReasonModel):
    """A reason with the text of its clause."""

    text: str
    """The text of the clause; empty if the page of the rulebook is not installed."""


class RefusalModel(Model):
    """Why something was refused."""

    message: str
    """What is wrong."""
    reasons: list[QuotedReasonModel]
    """Every reason of the rules; empty if it is something else."""


class RefusedModel(Model):
    """A question without an answer."""

    refused: RefusalModel
    """Why not."""


# --- the table ---


class AskedModel(Model):
    """A value that refines a question of reach."""

    about: str
    """What it means."""
    words: list[str]
    """The words that it may be; empty if it is something else."""
    unit: bool
    """Whether it is a unit."""
    actions: list[str] = Field(alias="for")
    """The actions that take it."""


class ListedOptionModel(Model):
    """An option of the rulebook."""

    name: str
    """Its name."""
    clause: str
    """Its clause."""
    about: str
    """What it means."""
    values: list[str]
    """Its values; empty if they are not a list."""
    value: str
    """Its value."""


class ListedFigureModel(Model):
    """A figure of the rulebook's tables."""

    path: str
    """Its path."""
    value: str
    """Its value, as it is written in a scenario."""
    clause: str
    """Its clause."""


class PageCellsModel(Model):
    """Where the cells of the board lie on the picture."""

    origin: list[float]
    """The centre of the first cell."""
    along: list[float]
    """The way to the next cell of a row."""
    down: list[float]
    """The way to the next row."""
    cell: str
    """The outline of a cell, as a path of SVG."""


class OpenedModel(Model):
    """A scenario: its board, and what can be asked about it."""

    title: str
    """The name of the scenario."""
    subtitle: str
    """The rulebook, the board, its size."""
    description: str
    """The description of the scenario."""
    board: str
    """The picture of the board."""
    legend: str
    """The legend of the picture."""
    size: list[float]
    """The size of the picture."""
    fineness: int
    """How many units of a point are a pixel."""
    unit: float
    """The pixels of an inch or a step."""
    plane: list[float]
    """Where the plane of the board lies on the picture: left, top, least x, largest y, pixels of a unit."""
    marks: dict[str, str]
    """The marks of sides, each a path of SVG."""
    colours: list[str]
    """The colours of the sides."""
    actions: dict[str, str]
    """The actions that have a reach, each with its meaning."""
    asks: dict[str, AskedModel]
    """The values that refine a question."""
    headings: bool
    """Whether places may name a heading."""
    levels: bool
    """Whether places may name a level."""
    options: list[ListedOptionModel]
    """The options of the rulebook."""
    figures: list[ListedFigureModel]
    """The figures of the rulebook."""
    cells: PageCellsModel = absent()
    """The cells, on squares and dots."""


class StepsModel(Model):
    """The script of a scenario."""

    steps: list[str]
    """Its orders, and its answers after a question mark."""


class ChoiceModel(Model):
    """An answer to choose."""

    text: str
    """What it says."""
    step: str
    """The step for this answer."""


class PageRollModel(RollModel):
    """A roll to make, or to decide."""

    text: str
    """The question."""
    choices: list[ChoiceModel]
    """The results to choose from."""
    rolled: str | None
    """The step of the rolled result."""
    best: str
    """The step of the best result."""
    worst: str
    """The step of the worst result."""


class PageChooseModel(ChooseModel):
    """A choice to make."""

    text: str
    """The question."""
    choices: list[ChoiceModel]
    """The answers to choose from."""
    typed: bool
    """Whether there are others that can be typed."""


class PageReactModel(ReactModel):
    """A reaction to take or to let pass."""

    text: str
    """The question."""
    choices: list[ChoiceModel]
    """The answers to choose from."""
    typed: bool
    """Whether there are others that can be typed."""


class PageUnitModel(Model):
    """A unit of the page."""

    id: str
    """Its name."""
    side: str
    """Its side."""
    type: str
    """Its type, in words."""
    mark: str
    """The mark of its side."""
    number: int
    """The number of its side."""


class SeenModel(Model):
    """What is visible of a moment, as far as it differs from the moment before."""

    chapter: int = Field(alias="o")
    """The number of its order."""
    at: Point = absent()
    """Where it happens."""
    units: dict[str, list[Any] | Literal[0] | None] = absent("u")
    """Units by number: point, heading, base, tokens, place; 0 is gone, null is there and not drawn."""
    fields: dict[str, dict[str, str]] = absent("f")
    """The fields of units by number, in words."""
    arcs: list[tuple[int, int, str]] = absent("a")
    """The arcs of fire: the numbers of the side and of the outline among the bases, and whose it is."""


class ShownModel(Model):
    """What is visible of a game."""

    units: list[PageUnitModel]
    """The units that ever stand on the table."""
    bases: list[str]
    """The outlines of bases, as paths of SVG."""
    moments: list[SeenModel]
    """What is seen at each moment."""
    clock: str
    """The turn, the phase, and whose go it is."""
    over: bool
    """Whether the game is over."""
    account: str
    """What has happened, as HTML."""
    clauses: str
    """The text of the clauses cited, as HTML."""


class MomentModel(ShownModel):
    """The table after some steps."""

    begins: list[int]
    """For every order, how many steps there were before it."""
    may_go: list[str]
    """The units whose go it may be."""
    question: Annotated[PageRollModel | PageChooseModel | PageReactModel, Field(discriminator="ask")] | None
    """The open question; null if there is none."""
    done: int
    """How many steps could be done."""
    error: RefusalModel | None
    """Why the next one could not; null if all could."""


# --- reach ---


class BandModel(Model):
    """A part of an area."""

    label: str
    """What it means."""
    colour: str
    """Its colour."""
    path: str
    """Its outline, as a path of SVG."""
    known: bool
    """False for ground of which the answer is not known yet."""


class ReachBandsModel(Model):
    """Where a unit can end."""

    unit: str
    """The unit that moves."""
    action: str
    """The action."""
    bands: list[BandModel]
    """The area, in bands."""


class KnownBandsModel(ReachBandsModel):
    """Where a unit can end, as far as it is known: that ground, and the ground of which it is not known yet."""

    is_whole: bool
    """Whether the area is known; its bands are asked for with the question reach."""


class ComparedModel(Model):
    """What other options and figures change."""

    bands: list[BandModel]
    """The ground as before, gained, lost, dearer and cheaper."""
    changes: list[OptionChangeModel]
    """The options and figures that differ."""


class PlaceCostModel(Model):
    """Whether a unit can end at a place: the quick part of an answer."""

    place: str
    """The place, in words."""
    reachable: bool
    """Whether it can."""
    cost: str = absent()
    """The least cost, in words."""


class PlaceHeadingsModel(Model):
    """How a unit can face at a place."""

    headings: list[Annotated[list[str], Field(min_length=3, max_length=3)]]
    """The headings there: each the first, the last and the cost, in words."""


class WayWordsModel(Model):
    """A path in words."""

    price: list[str]
    """The price of each line."""
    cost: str
    """The cost."""
    rolls: list[str]
    """The rolls, with their chances."""
    chance_of_rolls: str
    """The chance of passing all; empty if there are none."""
    endings: list[str]
    """The endings in which a test fails."""
    interrupted: str
    """Whether and how often it can be interrupted."""
    interruptions: list[str]
    """By whom."""


class PageSpotModel(Model):
    """A place where somebody can interrupt a path, or where it ends after a failed test."""

    at: Point
    """Where it is drawn."""
    number: int
    """Its number."""
    label: str
    """Who can, or with what chance."""


class PageWayModel(Model):
    """The path of one unit."""

    unit: str
    """The unit."""
    points: list[Point]
    """Its way."""
    fails: bool
    """Whether it only goes this way if a test fails."""


class WayModel(ForeseenModel, PoseModel):
    """How a unit gets to a place."""

    best_chance: Figure
    """The best chance of any path."""
    words: WayWordsModel
    """The same in words."""
    spots: list[PageSpotModel]
    """Where it can be interrupted, and where it ends after failed tests."""
    ways: list[PageWayModel]
    """The paths of all units that move, those after failed tests last."""
    turned: str | None
    """The heading of the unit at the end; null if it has none."""


class PlaceWordsModel(Model):
    """The nearest end in words."""

    nearest: str | None
    """The place; null if there is none."""
    nearest_cost: str | None
    """Its cost."""


class PlaceReasonsModel(ReachableModel):
    """Why a unit cannot end at a place."""

    reasons: list[QuotedReasonModel]  # type: ignore[assignment]  # each with the text of its clause
    """Every reason against it."""
    nearest_at: Point | None
    """Where the nearest end is drawn."""
    words: PlaceWordsModel
    """The same in words."""


# --- files ---


class FileTextModel(Model):
    """A file to keep."""

    text: str
    """Its text."""
