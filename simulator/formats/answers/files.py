"""Answers about files: check, import, export, run, perft."""

from __future__ import annotations

from typing import TypeAlias

from simulator.formats.answers.play import Entry, StateModel
from simulator.formats.answers.values import (
    BoardModel,
    DocumentModel,
    FaultModel,
    Fields,
    Figure,
    Model,
    ReasonModel,
    absent,
)

# --- check ---


class _File(Model):
    file: str
    """The file."""
    ok: bool
    """Whether it is free of faults."""


class SoundBoardModel(_File):
    """A board without faults."""

    board: BoardModel
    """The board."""


class SoundScenarioModel(_File):
    """A scenario without faults."""

    scenario: str
    """Its name."""
    ruleset: str
    """Its rulebook."""
    board: BoardModel
    """Its board."""
    units: int
    """The number of its units."""
    orders: int
    """The number of its orders."""
    notes: list[FaultModel]
    """Words of its board that have no effect under its rulebook."""


class SoundSweepModel(_File):
    """A plan of a sweep without faults."""

    sweep: str
    """Its name."""
    games: int
    """The number of its games."""


class SoundReachSweepModel(_File):
    """A plan of reach maps without faults."""

    sweep: str
    """Its name."""
    maps: int
    """The number of its maps."""


class FaultyFileModel(_File):
    """A file with faults."""

    faults: list[FaultModel]
    """Every fault, in the order of the file."""


class CheckModel(DocumentModel):
    """What is wrong with files."""

    files: list[SoundScenarioModel | SoundBoardModel | SoundSweepModel | SoundReachSweepModel | FaultyFileModel]
    """Each file."""


# --- perft ---


class DepthModel(Model):
    """What is counted at one depth."""

    depth: int
    """The depth in orders."""
    lines: int
    """The lines of play."""
    positions: int
    """The different positions at their ends."""
    placings: int
    """The different places of all units at their ends."""


class PerftModel(DocumentModel):
    """The lines of play from an opening."""

    depths: list[DepthModel]
    """Each depth."""


class FirstOrderModel(Model):
    """A first order."""

    order: str
    """The order."""
    lines: int
    """The lines that begin with it."""


class DividedModel(DocumentModel):
    """With --divide: the lines of play by their first order."""

    depth: int
    """The depth in orders."""
    orders: list[FirstOrderModel]
    """Each first order."""


Perft: TypeAlias = PerftModel | DividedModel


# --- import and export ---


class LossModel(Model):
    """Something of a map that could not be carried over."""

    what: str
    """What it is."""
    count: int
    """How often it occurs."""
    where: list[str]
    """The first places."""


class ConvertedModel(DocumentModel):
    """What became of a map."""

    file: str
    """The map."""
    written: str | None
    """The file that was written."""
    not_carried_over: list[LossModel]
    """What could not be carried over."""
    notes: list[str]
    """What to know about the rest."""


class ImportModel(ConvertedModel):
    """A map of another program as a board."""

    board: BoardModel
    """The board."""


class ExportModel(ConvertedModel):
    """A board as a map of another program."""


# --- run ---


class ExpectationModel(Model):
    """One expectation of a scenario."""

    what: str
    """What it is about."""
    expected: str
    """What was expected."""
    got: str
    """What was found."""
    met: bool
    """Whether they agree."""
    line: int
    """Its line in the file; 0 if it is not in the file."""


class RunOrderModel(Model):
    """One order of a scenario, or a look at the table."""

    turn: int
    """The turn."""
    order: str
    """The order; empty for a look at the table."""
    line: int
    """Its line in the file; 0 if it is not in the file."""
    unsaid: bool
    """Whether it is not in the file: the beginning, or the end of a turn in which others could still act."""
    done: bool
    """Whether it was carried out."""
    error: str = absent()
    """Why it was not."""
    reasons: list[ReasonModel] = absent()
    """Every reason of the rules against it; empty if the error is another one."""
    cost: dict[str, Figure] = absent()
    """What it cost, in each currency."""
    record: list[Entry] = absent()
    """What happened: events, and questions with their answers."""
    expected: list[ExpectationModel]
    """What was expected of it."""


class AccountModel(_File):
    """A scenario that was played."""

    scenario: str
    """Its name."""
    ruleset: str
    """Its rulebook."""
    board: BoardModel
    """Its board."""
    options: Fields
    """All options."""
    tables: Fields
    """The figures of the rulebook that it changes."""
    seed: int | str | None
    """The seed of the dice; null without one."""
    orders: list[RunOrderModel]
    """Its orders."""
    expected: list[ExpectationModel]
    """What was expected at its end."""
    state: StateModel
    """The table at its end."""
    hash: str
    """The fingerprint of that table."""


class NotPlayedModel(_File):
    """A scenario that could not be played."""

    error: str
    """Why."""


class RunModel(DocumentModel):
    """What happened in scenarios."""

    ok: bool
    """Whether all expectations of all of them were met."""
    scenarios: list[AccountModel | FaultyFileModel | NotPlayedModel]
    """Each scenario."""
