"""The games by their ids, each with what was taken back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from simulator.engine.actions import Happened
from simulator.engine.errors import TableError
from simulator.engine.game import Game
from simulator.protocol.messages import RpcError
from simulator.protocol.refusals import LIMIT, NO_SUCH_GAME

#: So many games are open at a time.
MOST_GAMES = 64
#: The most orders and answers of a game.
MOST_STEPS = 10_000


@dataclass
class Session:
    """A game, its name, the seed of its dice, and the games that redo what was taken back, the next one last."""

    name: str
    game: Game[Any]
    seed: int | str | None = None
    redone: list[Game[Any]] = field(default_factory=list)
    steps: int = 0

    def step(self) -> None:
        """Count an order or an answer that is about to be given; raise RpcError beyond the limit."""
        if self.steps >= MOST_STEPS:
            raise RpcError(LIMIT, f"a game has at most {MOST_STEPS} orders and answers")

    def done(self) -> None:
        """Note that an order or an answer was given: what was taken back before is gone."""
        self.steps += 1
        self.redone.clear()

    def undo(self) -> Happened:
        """Take back the last order or answer; the beginning stays."""
        if len(self.game.history) < 2:
            raise TableError("there is nothing to take back")
        before = self.game.branch()
        happened = self.game.undo()
        self.redone.append(before)
        self.steps -= 1
        return happened

    def redo(self) -> Happened:
        """Do again what was taken back last."""
        if not self.redone:
            raise TableError("there is nothing to do again")
        self.game = self.redone.pop()
        self.steps += 1
        happened = self.game.happened
        assert happened is not None  # something was taken back
        return happened


@dataclass
class Sessions:
    """All games."""

    _games: dict[str, Session] = field(default_factory=dict)
    _count: int = 0

    def add(self, session: Session) -> str:
        """Add a game and return its id."""
        self.require_room()
        self._count += 1
        name = f"g{self._count}"
        self._games[name] = session
        return name

    def require_room(self) -> None:
        """Raise RpcError if no further game can be opened."""
        if len(self._games) >= MOST_GAMES:
            raise RpcError(LIMIT, f"at most {MOST_GAMES} games are open at a time: close one")

    def __getitem__(self, name: str) -> Session:
        if name not in self._games:
            raise RpcError(NO_SUCH_GAME, f"there is no game {name!r}", {"games": list(self._games)})
        return self._games[name]

    def close(self, name: str) -> None:
        """Forget a game."""
        del self[name]

    def __delitem__(self, name: str) -> None:
        self[name]
        del self._games[name]
