"""The story of a game for views and reports: every order with its result, or why it had none.

A scenario's account and a game in progress make the same kind of story, so views and reports depend on neither.
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
    """An expectation in words, and whether it was met."""

    text: str
    met: bool


@dataclass(frozen=True, slots=True)
class Chapter:
    """One order: the clock before it, its result, or why it had none. Without an order, a look at the table."""

    #: The clock before the order.
    clock: Clock
    order: str
    happened: Happened | None = None
    #: Why the rules forbid it.
    breaches: tuple[Breach, ...] = ()
    #: Other errors, line by line.
    problem: str = ""
    remarks: tuple[Remark, ...] = ()
    #: Whether it is not a player's order: the beginning, and the end of a turn in which others could still act.
    unsaid: bool = False

    @property
    def done(self) -> bool:
        """Whether it was carried out."""
        return self.happened is not None or not self.order


@dataclass(frozen=True)
class Story:
    """A game from its opening to its end."""

    title: str
    setting: Setting[Any]
    opening: State
    chapters: tuple[Chapter, ...] = ()
    description: str = ""
    #: The expectations of the end.
    remarks: tuple[Remark, ...] = ()

    @classmethod
    def of(cls, game: Game[Any], title: str = "", description: str = "") -> Story:
        """Return the story of a game so far; orders that were refused or taken back are not part of it."""
        clock, chapters = game.opening.clock, []
        for happened in game.history:
            order = game.write(happened.given or happened.order)
            chapters.append(Chapter(clock, order, happened, unsaid=happened.order.unit == "all"))
            clock = happened.state.clock
        return cls(title or game.board.name, game.setting, game.opening, tuple(chapters), description)

    @property
    def remarked(self) -> tuple[Remark, ...]:
        """All expectations, in the order of the game."""
        return (*(remark for chapter in self.chapters for remark in chapter.remarks), *self.remarks)
