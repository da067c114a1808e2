"""The table that rules read: its constant part in the course of a game, and the state at one moment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Protocol

from simulator import pictures
from simulator.engine.board_words import Reads, Unread
from simulator.engine.clock import Clock
from simulator.engine.declared import QuestionForm
from simulator.engine.errors import Breach, FaultyRule, OptionError, TableError, either
from simulator.engine.events import Event, applied
from simulator.engine.given import named_values, units_given
from simulator.engine.objectives import NO_OBJECTIVE, Objective
from simulator.engine.options import Options, OptionsT
from simulator.engine.orders import Order, Vocabulary
from simulator.engine.places import on_board
from simulator.engine.questions import Question
from simulator.engine.state import State, Unit
from simulator.engine.tables import Tables
from simulator.engine.unit_types import UnitType
from simulator.engine.values import NO_FIELDS, Fields
from simulator.errors import WrongValue, listed
from simulator.geometry.board import Board
from simulator.wording import did_you_mean, with_article

if TYPE_CHECKING:
    from simulator.geometry.footprints import Placed


@dataclass(frozen=True, slots=True)
class FireArc:
    """The places into which a unit fires when somebody moves there, for views."""

    unit: str
    side: str
    weapon: str
    places: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True, slots=True)
class Depiction:
    """The data of one unit for views: its place, its size, and the text beside it."""

    unit: str
    side: str
    place: tuple[Any, ...]
    heading: float | None = None
    #: The places that it covers on a lattice; empty on a table, where the radius of the base counts.
    covers: tuple[tuple[Any, ...], ...] = ()
    radius: float | None = None
    tokens: tuple[str, ...] = ()
    #: A base on a table that is not a disc, as placed there.
    base: Placed | None = None


class Rules(Protocol[OptionsT]):
    """The part of a rulebook that a table needs; a `Ruleset` has more."""

    name: str
    title: str
    page: str | Path
    boards: tuple[str, ...]
    reads: Mapping[str, Sequence[Reads]]
    unit_types: Mapping[str, UnitType]
    options: type[OptionsT]
    tables: Tables
    vocabulary: Vocabulary
    phrases: Mapping[str, str]
    phrases_complete: bool
    questions: Mapping[str, QuestionForm]
    reaches: Mapping[str, str]
    on_pages: Sequence[str]
    reach_headings: bool
    reach_levels: bool

    def breaches(self, table: Table[OptionsT], order: Order) -> Iterable[Breach]:
        """Return every reason why the rules forbid an order here."""

    def without_effect(self, setting: Setting[OptionsT]) -> Iterable[Unread]:
        """Return notes on words of a board that have no effect where they are."""

    def make_unit(self, id: str, type: str, side: str, place: Any = None, heading: Any = None, **fields: Any) -> Unit:
        """Make a unit with all its fields."""

    def settled(self, units: Iterable[Unit]) -> Iterable[Unit]:
        """Return the units as they are when a game begins."""

    def setting_faults(
        self, setting: Setting[OptionsT], units: Sequence[Unit]
    ) -> Iterable[tuple[tuple[str, ...], str]]:
        """Return what units and options are that the figures do not know, each with its path in a scenario."""

    def data(self, setting: Setting[OptionsT]) -> Mapping[str, Any]:
        """Return the ruleset's data about the table when a game begins."""

    def data_faults(self, table: Table[OptionsT]) -> Iterable[str]:
        """Return all faults of the ruleset's data about a table."""

    def faults(self, table: Table[OptionsT]) -> Iterable[Breach]:
        """Return all faults of a position."""

    def course(self, table: Table[OptionsT], order: Order) -> Sequence[tuple[float, float]]:
        """Return the line in the plane along which an order leads, for pictures."""

    def draw(self, table: Table[OptionsT]) -> Iterable[Depiction]:
        """Describe how to draw the units."""

    def fire_arcs(self, table: Table[OptionsT]) -> Iterable[FireArc]:
        """Return the arcs in which units fire at others that move."""


def not_played_on(ruleset: Rules[Any], board: Any) -> str:
    """Return why a ruleset is not played on a board: it is of another kind, or none at all; "" if it is."""
    if isinstance(board, Board) and (not ruleset.boards or board.kind in ruleset.boards):
        return ""
    found = board.kind if isinstance(board, Board) else board
    return f"{ruleset.name} is played on {either(ruleset.boards) or 'boards'} (got {found!r})"


@dataclass(frozen=True)
class Setting(Generic[OptionsT]):
    """The constant part of a game: the ruleset, the board, the options, the tables."""

    known_as_itself: ClassVar[bool] = True  #: see `simulator.contents`
    ruleset: Rules[OptionsT]
    board: Board[Any]
    options: OptionsT
    tables: Tables
    #: Words of the board that the rulebook need not read, since they are only for the picture.
    scenery: tuple[str, ...] = ()
    #: What the game is played for; no rule reads it.
    objective: Objective = NO_OBJECTIVE

    @classmethod
    def of(
        cls,
        ruleset: Rules[OptionsT],
        board: Board[Any],
        options: Mapping[str, Any] | OptionsT | None = None,
        tables: Mapping[str, Any] | None = None,
        scenery: Iterable[str] = (),
    ) -> Setting[OptionsT]:
        """Set up a ruleset on a board, with some options and figures of its tables changed.

        Raise TableError for a board of a kind that the ruleset is not played on.
        """
        if refused := not_played_on(ruleset, board):
            raise TableError(refused)
        if isinstance(options, Options):
            chosen: OptionsT = options
        else:
            chosen = ruleset.options(**named_values("options", options, "{'lunges': True}"))
        figures = ruleset.tables.override({} if tables is None else tables)
        return cls(ruleset, board, chosen, figures, tuple(listed("the words of scenery", scenery, "word")))

    def opening(self, units: Iterable[Unit], data: Mapping[str, Any] = NO_FIELDS) -> State:
        """Return the table before a game begins; `data` overrides the ruleset's data.

        Raise OptionError with all that the figures of the setting do not allow.
        """
        found = units_given(units)
        for unit in found:
            if fault := self._unfit(unit):
                raise WrongValue(fault)
        changed, known = named_values("data", data, "{'wind': 2}"), self.ruleset.data(self)
        for name in changed:
            if name not in known:
                raise WrongValue(f"data: {self.ruleset.name} keeps no {name!r}; {did_you_mean(name, sorted(known))}")
        settled = list(self.ruleset.settled(found))
        faults = [f"{'.'.join(path)}: {message}" for path, message in self.ruleset.setting_faults(self, settled)]
        if faults:
            raise OptionError("\n".join(faults))
        return State.of(settled, {**known, **changed})

    def _unfit(self, unit: Unit) -> str:
        """Report a unit of a type of another rulebook, or one without all fields of its type; "" for any other."""
        kinds = self.ruleset.unit_types
        if not kinds:
            return ""
        if unit.type not in kinds:
            return f"{unit.id}: no such type of unit of {self.ruleset.name}; {did_you_mean(unit.type, kinds)}"
        missing = [name for name in kinds[unit.type].fields if name not in unit.fields]
        makes = f"{self.ruleset.name}.make_unit fills them in"
        return f"{unit.id} lacks fields of {with_article(unit.type)}, {either(missing)}: {makes}" if missing else ""

    @cached_property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of the ruleset, with this board's ways to name places."""
        return on_board(self.ruleset.vocabulary, self.board)

    def __getstate__(self) -> dict[str, Any]:
        """Travel to another process without the vocabulary: how it reads and writes is made of functions."""
        return {name: value for name, value in vars(self).items() if name != "vocabulary"}


class Table(Generic[OptionsT]):
    """The table as a rule sees it: the setting, and the state at this moment of the action."""

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
        """The ruleset's data about the table as a whole."""
        return self.state.data

    def absent(self, order: Order) -> Iterator[Unit]:
        """Yield the units of an order that are nowhere: not yet or no longer on the table, and without a carrier."""
        units = self.state.units
        for name in dict.fromkeys(order.words):
            unit = units.get(name)
            if unit is not None and unit.place is None and not unit.carrier:
                yield unit

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
        """Apply every event of a rule without questions; raise FaultyRule if it asks one."""
        for yielded in rule:
            if not isinstance(yielded, Event):
                raise FaultyRule(f"{when} no question is allowed: {yielded}")
            self.state = applied(self.state, yielded)

    def at(self, place: tuple[Any, ...]) -> Iterator[Unit]:
        """Yield the units at a place."""
        return (unit for unit in self.state if unit.place == place)
