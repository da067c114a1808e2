"""The answers of the live table about drafts: scenarios being written, and what can be placed on their boards."""

from __future__ import annotations

from simulator.formats.answers.page import OpenedModel, ShownModel
from simulator.formats.answers.values import FaultModel, Model


class RulebookModel(Model):
    """A rulebook for which a new scenario can be written."""

    name: str
    """Its name in files."""
    title: str
    """Its name for people."""


class RulebooksModel(Model):
    """The rulebooks for which a new scenario can be written."""

    rulebooks: list[RulebookModel]
    """Each rulebook."""


class DraftModel(Model):
    """A scenario that is being written."""

    draft: str
    """Its text, with the board inside."""


class GlyphModel(Model):
    """A glyph that squares or dots can be painted with."""

    glyph: str
    """The glyph."""
    about: str
    """Its description in the legend."""


class KindModel(Model):
    """A kind of piece that can be drawn."""

    kind: str
    """The word."""
    about: str
    """What it means to the rulebook."""


class PieceThereModel(Model):
    """A piece of the board."""

    id: str
    """Its name."""
    kind: str
    """Its kind."""


class UnitFieldModel(Model):
    """A field of a type of unit."""

    name: str
    """Its name."""
    about: str
    """What it means."""
    clause: str
    """Its clause."""
    values: list[str]
    """Its values; empty if they are not a list."""
    wants: str
    """What its value has to be, if they are not."""
    required: bool
    """Whether a unit has to have it."""
    default: str
    """Its default value."""


class UnitTypeModel(Model):
    """A type of unit that can be placed."""

    name: str
    """Its name."""
    about: str
    """What it is."""
    faces: bool
    """Whether its units always have a heading."""
    fields: list[UnitFieldModel]
    """Its fields."""


class ToolsModel(Model):
    """What can be placed on the board of a draft."""

    glyphs: list[GlyphModel]
    """The glyphs of the legend, on squares and dots."""
    kinds: list[KindModel]
    """The kinds of pieces, on tables."""
    pieces: list[PieceThereModel]
    """The pieces that lie there, on tables."""
    types: list[UnitTypeModel]
    """The types of units."""
    sides: list[str]
    """The sides that have units."""


class DraftShownModel(Model):
    """A draft as it is drawn."""

    opened: OpenedModel
    """The scenario."""
    moment: ShownModel
    """The table before the game begins."""
    tools: ToolsModel
    """What can be placed."""


class CheckedModel(Model):
    """What a draft holds, and what is wrong with it."""

    faults: list[FaultModel]
    """Every fault."""
    notes: list[FaultModel]
    """Words that have no effect."""
    shows: DraftShownModel | None
    """The draft; null if its faults leave nothing to draw."""
