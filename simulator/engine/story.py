"""The story of a game: every order with what it did or why it did nothing, as a view or a report tells it.

A scenario's account and a game in progress give the same story, so whoever tells one needs to know neither.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from simulator.engine.actions import Happened
from simulator.engine.clock import Clock
from simulator.engine.errors import Breach
from simulator.engine.game import Game
from simulator.engine.state import State
from simulator.engine.table import Setting


@dataclass(frozen=True, slots=True)
class Remark:
    """Something that was expected, in words, and whether it came so."""

    text: str
    met: bool


@dataclass(frozen=True, slots=True)
class Chapter:
    """One order: when it was given, what it did, or why it did nothing. Without an order, a look at the table."""

    #: The clock when the order was given.
    clock: Clock
    order: str
    happened: Happened | None = None
    #: Why the rules forbid it.
    breaches: tuple[Breach, ...] = ()
    #: What else went wrong with it, line by line.
    problem: str = ""
    remarks: tuple[Remark, ...] = ()
    #: Whether nobody gave it: the beginning, and the end of a turn in which others could still act.
    unsaid: bool = False

    @property
    def done(self) -> bool:
        """Whether nothing stood in the way of it."""
        return self.happened is not None or not self.order


@dataclass(frozen=True)
class Story:
    """A game from its opening to its end."""

    title: str
    setting: Setting[Any]
    opening: State
    chapters: tuple[Chapter, ...] = ()
    description: str = ""
    #: What was expected of the end.
    remarks: tuple[Remark, ...] = ()

    @classmethod
    def of(cls, game: Game[Any], title: str = "", description: str = "") -> Story:
        """Return a game as far as it has come; orders that were refused or taken back left no trace in it."""
        clock, chapters = game.opening.clock, []
        for happened in game.history:
            order = game.write(happened.given or happened.order)
            chapters.append(Chapter(clock, order, happened, unsaid=happened.order.unit == "all"))
            clock = happened.state.clock
        return cls(title or game.board.name, game.setting, game.opening, tuple(chapters), description)

    @property
    def remarked(self) -> tuple[Remark, ...]:
        """Everything that was expected, in the order of the game."""
        return (*(remark for chapter in self.chapters for remark in chapter.remarks), *self.remarks)
