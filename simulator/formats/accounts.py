"""What came of a scenario: each order with what it did or why not, and each expectation, met or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simulator.engine.actions import Happened
from simulator.engine.clock import Clock
from simulator.engine.game import Game
from simulator.errors import SimulatorError

if TYPE_CHECKING:
    from simulator.formats.scenario import Scenario


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was expected, and what was found instead if it was not met. `line` is that of the file."""

    what: str
    expected: str
    got: str
    met: bool
    line: int = 0

    def __str__(self) -> str:
        if self.met:
            return f"{self.what}: {self.expected}"
        return f"{self.what}: expected {self.expected}, got {self.got}"


@dataclass(frozen=True, slots=True)
class Played:
    """One order of a scenario: what it did, or the error why it did nothing, and what was expected of it."""

    #: The clock when the order was given.
    clock: Clock
    order: str
    line: int = 0
    happened: Happened | None = None
    error: SimulatorError | None = None
    checks: tuple[Check, ...] = ()
    #: Whether the scenario did not say it: the beginning, and the end of a turn in which others could still act.
    unsaid: bool = False


@dataclass(frozen=True)
class Account:
    """All that came of a scenario. `game` is the table as it was left."""

    scenario: Scenario
    played: tuple[Played, ...]
    final: tuple[Check, ...]
    game: Game[Any]
    #: What had to be dropped from the end of a log that was resumed.
    dropped: str = ""

    @property
    def checks(self) -> tuple[Check, ...]:
        """Every expectation, in the order of the game."""
        return tuple(self._checks())

    @property
    def failures(self) -> tuple[Check, ...]:
        """The expectations that were not met."""
        return tuple(check for check in self._checks() if not check.met)

    @property
    def ok(self) -> bool:
        """Whether everything came as expected."""
        return not self.failures

    def _checks(self) -> Iterator[Check]:
        for played in self.played:
            yield from played.checks
        yield from self.final

    def __str__(self) -> str:
        from simulator.formats.account_text import account_text

        return account_text(self)
