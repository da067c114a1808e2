"""The table that rules look at: what stays the same in the course of a game, and the state at one moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol

from simulator import pictures
from simulator.engine.board_words import Reads, Unread
from simulator.engine.clock import Clock
from simulator.engine.errors import Breach, FaultyRule
from simulator.engine.events import Event, applied
from simulator.engine.options import Options, OptionsT
from simulator.engine.orders import Order, Vocabulary
from simulator.engine.places import on_board
from simulator.engine.questions import Question
from simulator.engine.state import State, Unit
from simulator.engine.tables import Tables
from simulator.engine.unit_types import UnitType
from simulator.engine.values import NO_FIELDS, Fields
from simulator.geometry.board import Board
from simulator.geometry.footprints import Placed


@dataclass(frozen=True, slots=True)
class Depiction:
    """What a view needs of one unit: where it stands, how big it is, what is written beside it."""

    unit: str
    side: str
    place: tuple[Any, ...]
    heading: float | None = None
    #: The places it covers on a lattice; on a table empty, and the radius of the base counts.
    covers: tuple[tuple[Any, ...], ...] = ()
    radius: float | None = None
    tokens: tuple[str, ...] = ()
    #: A base on a table that is no disc, as it stands there.
    base: Placed | None = None


class Rules(Protocol[OptionsT]):
    """What a rulebook says of a table, whoever plays on it: a `Ruleset`, which says more."""

    name: str
    title: str
    page: str | Path
    reads: Mapping[str, Sequence[Reads]]
    unit_types: Mapping[str, UnitType]
    options: type[OptionsT]
    tables: Tables
    vocabulary: Vocabulary
    phrases: Mapping[str, str]
    reaches: Mapping[str, str]
    reach_headings: bool
    reach_levels: bool

    def breaches(self, table: Table[OptionsT], order: Order) -> Iterable[Breach]:
        """Return every reason why the rules forbid an order here."""

    def without_effect(self, setting: Setting[OptionsT]) -> Iterable[Unread]:
        """Return notes on what a board says and from which nothing follows as it stands there."""

    def make_unit(self, id: str, type: str, side: str, place: Any = None, heading: Any = None, **given: Any) -> Unit:
        """Make a unit with all its fields."""

    def settled(self, units: Iterable[Unit]) -> Iterable[Unit]:
        """Return the units as they stand when a game begins."""

    def data(self, setting: Setting[OptionsT]) -> Mapping[str, Any]:
        """Return what the ruleset remembers about the table when a game begins."""

    def data_faults(self, table: Table[OptionsT]) -> Iterable[str]:
        """Return all that is wrong with what the ruleset remembers of a table."""

    def faults(self, table: Table[OptionsT]) -> Iterable[Breach]:
        """Return all that is wrong with a position."""

    def course(self, table: Table[OptionsT], order: Order) -> Sequence[tuple[float, float]]:
        """Return the line in the plane along which an order leads, for pictures."""

    def draw(self, table: Table[OptionsT]) -> Iterable[Depiction]:
        """Describe what is to be drawn of the units."""


@dataclass(frozen=True)
class Setting(Generic[OptionsT]):
    """What does not change in the course of a game: the ruleset, the board, the options, the tables."""

    ruleset: Rules[OptionsT]
    board: Board[Any]
    options: OptionsT
    tables: Tables
    #: Words of the board that the rulebook need not read: they are there for the picture.
    scenery: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        ruleset: Rules[OptionsT],
        board: Board[Any],
        options: Mapping[str, Any] | OptionsT | None = None,
        tables: Mapping[str, Any] | None = None,
        scenery: Iterable[str] = (),
    ) -> Setting[OptionsT]:
        """Set up a ruleset on a board, with some options and figures of its tables other than usual."""
        chosen = options if isinstance(options, Options) else ruleset.options(**(options or {}))
        return cls(ruleset, board, chosen, ruleset.tables.override(tables or {}), tuple(scenery))

    def opening(self, units: Iterable[Unit], data: Mapping[str, Any] = NO_FIELDS) -> State:
        """Return the table before a game begins; `data` says what the ruleset remembers other than usual."""
        return State.of(self.ruleset.settled(units), {**self.ruleset.data(self), **data})

    @property
    def vocabulary(self) -> Vocabulary:
        """All a player can say here: the words of the ruleset, with the ways in which this board names places."""
        return on_board(self.ruleset.vocabulary, self.board)


class Table(Generic[OptionsT]):
    """The table as a rule sees it: the setting, and the state as it is at this moment of the action."""

    __slots__ = ("setting", "state")

    def __init__(self, setting: Setting[OptionsT], state: State) -> None:
        self.setting = setting
        self.state = state

    @property
    def board(self) -> Board[Any]:
        """The board."""
        return self.setting.board

    @property
    def options(self) -> OptionsT:
        """The options in force."""
        return self.setting.options

    @property
    def tables(self) -> Tables:
        """The figures in force."""
        return self.setting.tables

    @property
    def clock(self) -> Clock:
        """The clock."""
        return self.state.clock

    @property
    def data(self) -> Fields:
        """What the ruleset remembers about the table as a whole."""
        return self.state.data

    def absent(self, order: Order) -> Iterator[Unit]:
        """Yield the units of an order that are nowhere: not on the table yet, or no more, and carried by nobody."""
        units = self.state.units
        found = (units[name] for name in dict.fromkeys(order.words) if name in units)
        return (unit for unit in found if unit.place is None and not unit.carrier)

    def unit(self, name: str) -> Unit:
        """Return a unit by its id."""
        return self.state.unit(name)

    def units(self, side: str | None = None, other_than: str | None = None) -> Iterator[Unit]:
        """Yield the units of a side, or of every side but one, in their fixed order."""
        return (unit for unit in self.state if side in (None, unit.side) and unit.side != other_than)

    def __repr__(self) -> str:
        return f"<Table of {self.setting.ruleset.name} on {self.board!r}: {self.clock}>"

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)

    def play(self, rule: Iterable[Event | Question], when: str = "here") -> None:
        """Let everything happen that a rule tells; it is one that asks nothing, or FaultyRule is raised."""
        for yielded in rule:
            if not isinstance(yielded, Event):
                raise FaultyRule(f"{when} nothing can be asked: {yielded}")
            self.state = applied(self.state, yielded)

    def at(self, place: tuple[Any, ...]) -> Iterator[Unit]:
        """Yield the units whose place this is."""
        return (unit for unit in self.state if unit.place == place)
