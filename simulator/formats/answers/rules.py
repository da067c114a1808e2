"""Answers about rulebooks: rules with its lists, and the questions of reach."""

from __future__ import annotations

from simulator.formats.answers.values import DocumentModel, Figure, Model, Value


class PartModel(Model):
    """A further text of a clause, such as an example."""

    kind: str
    """What it is."""
    text: str
    """The text."""


class MarkModel(Model):
    """Why a clause has no rule of its own."""

    kind: str
    """The kind of mark."""
    reason: str
    """The reason."""


class ClauseModel(Model):
    """A clause of a rulebook."""

    clause: str
    """Its id."""
    section: str
    """The section of the page."""
    text: str
    """The text."""
    parts: list[PartModel]
    """Its further texts."""
    line: int
    """Its line on the page."""
    roles: dict[str, list[str]]
    """Where it is implemented: functions by role."""
    figures: list[str]
    """The figures of the tables that cite it."""
    options: list[str]
    """The options that cite it."""
    mark: MarkModel | None
    """Why it has no rule; null if it has one."""
    tests: list[str] | None
    """The tests that name it; null if no tests are installed."""


class RulesModel(DocumentModel):
    """The clauses of a rulebook."""

    ruleset: str
    """The rulebook."""
    clauses: list[ClauseModel]
    """All of them, or the one that was asked for."""


class BoardWordsModel(Model):
    """Words of a board that a rulebook knows."""

    key: str
    """The key of the board file."""
    words: list[str]
    """The possible words."""
    of: list[str]
    """The kinds of pieces that have the key."""
    figure: str
    """The path of the figure that belongs to it; empty if there is none."""
    clause: str
    """Its clause."""
    says: str
    """What it means."""
    reads: bool
    """Whether it has an effect."""


class TerrainModel(DocumentModel):
    """The words of boards that a rulebook knows."""

    ruleset: str
    """The rulebook."""
    boards: dict[str, list[BoardWordsModel]]
    """By the kind of board."""


class UntestedModel(Model):
    """A clause that no test names."""

    clause: str
    """Its id."""
    text: str
    """The text."""


class UncoveredModel(DocumentModel):
    """The clauses that no test names."""

    uncovered: dict[str, list[UntestedModel]]
    """By rulebook; a list is empty if every clause has a test or a mark."""


class _OfRuleset(DocumentModel):
    ruleset: str
    """The rulebook."""


# --- its lists ---


class ArgumentModel(Model):
    """An argument of an order, or of an element."""

    name: str
    """Its name."""
    word: str
    """The word before its value, such as facing; empty if there is none."""
    says: str
    """What it can be."""
    optional: bool
    """Whether it can be left out."""
    many: bool
    """Whether it takes several values."""


class FormModel(Model):
    """How an element of a movement is written."""

    name: str
    """Its name."""
    arguments: list[ArgumentModel]
    """Its arguments: those without a word in this order."""
    clause: str
    """Its clause; empty if it has none."""
    says: str
    """What it means."""


class ActionFormModel(FormModel):
    """How an action is ordered."""

    elements: list[str]
    """The elements that its movement is made of."""
    least: int
    """The least number of elements."""
    goal: bool
    """Whether a place to get to can replace them."""


class OrdersModel(_OfRuleset):
    """The orders of a rulebook."""

    actions: list[ActionFormModel]
    """Every action."""
    elements: list[FormModel]
    """Every element."""


class FieldSpecModel(Model):
    """A field of a type of unit."""

    name: str
    """Its name."""
    required: bool
    """Whether a scenario has to state it."""
    default: Value
    """Its value if nothing is stated; null if it is required."""
    values: list[Value]
    """Its possible values; empty if they cannot be listed."""
    expects: str
    """What its values are, if they cannot be listed."""
    clause: str
    """Its clause; empty if it has none."""
    says: str
    """What it means."""


class UnitSpecModel(Model):
    """A type of unit."""

    name: str
    """Its name."""
    says: str
    """What it is."""
    fields: list[FieldSpecModel]
    """Its fields."""


class UnitsModel(_OfRuleset):
    """The types of units of a rulebook."""

    units: list[UnitSpecModel]
    """Every type."""


class OptionModel(Model):
    """An option of a rulebook."""

    name: str
    """Its name."""
    kind: str
    """choice, of the values; number; or list, of some of the values."""
    default: Value
    """Its value if nothing is stated."""
    values: list[Value]
    """Its values, the default first; of a number those that are allowed besides."""
    least: Figure | None
    """The least number; null if there is no limit."""
    most: Figure | None
    """The greatest number; null if there is no limit."""
    clause: str
    """Its clause."""
    says: str
    """What it decides."""


class OptionsModel(_OfRuleset):
    """The options of a rulebook."""

    options: list[OptionModel]
    """Every option."""


class TableFigureModel(Model):
    """A figure of the tables."""

    path: str
    """Its path, such as inches.standing."""
    value: Value
    """Its value."""
    clause: str
    """Its clause."""


class FiguresModel(_OfRuleset):
    """The figures of a rulebook."""

    figures: list[TableFigureModel]
    """Every figure."""


class EventKindModel(Model):
    """A kind of event."""

    kind: str
    """The word for it, as expectations name it."""
    says: str
    """The phrase that an account fills in for it; empty if it is told in plain words."""


class EventKindsModel(_OfRuleset):
    """The kinds of events that the rules of a rulebook write."""

    complete: bool
    """Whether there are no others."""
    events: list[EventKindModel]
    """Those of the rulebook, then those of the clock."""


class AskedQuestionModel(Model):
    """A question that the rules ask during an order."""

    name: str
    """Its name, as expectations and rules for answers name it; {unit} is a unit, other blanks are listed words."""
    sort: str
    """roll, choice or reaction."""
    who: str
    """Who answers: unit, side, or the name of somebody else."""
    words: dict[str, list[str]]
    """The words that are possible in a blank; any text is in those that are not listed."""
    clause: str
    """Its clause; empty if it has none."""
    says: str
    """What it decides."""


class AskedQuestionsModel(_OfRuleset):
    """The questions that the rules of a rulebook ask during orders."""

    questions: list[AskedQuestionModel]
    """Every question; empty if the rulebook does not declare them."""


class AskableModel(Model):
    """An action that can be asked about."""

    name: str
    """Its name."""
    says: str
    """What the answer is."""


class AskedValueModel(AskableModel):
    """A further value of a question."""

    actions: list[str]
    """The actions that take it; empty for all."""


class QuestionsModel(_OfRuleset):
    """What can be asked about where units can end."""

    actions: list[AskableModel]
    """The actions; empty if the rulebook does not declare them."""
    values: list[AskedValueModel]
    """The further values."""
