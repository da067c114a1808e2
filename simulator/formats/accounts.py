"""The outcome of a scenario: each order with its effect or its error, and each expectation, met or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from simulator import pictures
from simulator.engine.actions import Happened
from simulator.engine.clock import Clock
from simulator.engine.errors import IllegalOrder
from simulator.engine.game import Game
from simulator.engine.state import State
from simulator.engine.table import Setting
from simulator.errors import SimulatorError
from simulator.formats.scenario_answers import DiceSource

if TYPE_CHECKING:
    from simulator.engine.story import Chapter, Remark, Story


@dataclass(frozen=True, slots=True)
class Check:
    """One expectation, and the actual value if it was not met. `line` is its line in the file."""

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
    """One order of a scenario: its effect, or the error that prevented it, and its expectations."""

    #: The clock before the order.
    clock: Clock
    order: str
    line: int = 0
    happened: Happened | None = None
    error: SimulatorError | None = None
    checks: tuple[Check, ...] = ()
    #: Whether the order is not in the scenario: the beginning, or the end of a turn in which others could still act.
    unsaid: bool = False


class Staged(Protocol):
    """The parts of a scenario that its account repeats."""

    @property
    def name(self) -> str:
        """The name of the scenario."""

    @property
    def description(self) -> str:
        """Its description."""

    @property
    def setting(self) -> Setting[Any]:
        """The ruleset, the board, the options, the tables."""

    @property
    def dice(self) -> DiceSource:
        """The source of the results of rolls."""

    def opening(self) -> State:
        """Return the table before the game begins."""


@dataclass(frozen=True)
class Account:
    """The full outcome of a scenario. `game` is the table at its end."""

    scenario: Staged
    played: tuple[Played, ...]
    final: tuple[Check, ...]
    game: Game[Any]
    #: The part dropped from the end of a resumed log.
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
        """Whether all expectations were met."""
        return not self.failures

    @property
    def story(self) -> Story:
        """The account for views: a replay page, a summary."""
        from simulator.engine.story import Story

        scenario = self.scenario
        return Story(
            scenario.name,
            scenario.setting,
            scenario.opening(),
            tuple(_chapter(played) for played in self.played),
            scenario.description,
            tuple(_remark(check) for check in self.final),
        )

    def __repr__(self) -> str:
        met = f"{len(self.checks) - len(self.failures)} of {len(self.checks)} as expected"
        return f"<Account of {self.scenario.name!r}: {met}; {self.game.state.clock}>"

    def _repr_html_(self) -> str | None:
        return pictures.page_of(self.story)

    def _checks(self) -> Iterator[Check]:
        for played in self.played:
            yield from played.checks
        yield from self.final

    def __str__(self) -> str:
        from simulator.formats.account_text import account_text

        return account_text(self)


def _chapter(played: Played) -> Chapter:
    from simulator.engine.story import Chapter

    error = played.error
    breaches = tuple(error.breaches) if isinstance(error, IllegalOrder) else ()
    problem = "" if error is None or breaches else str(error)
    remarks = tuple(_remark(check) for check in played.checks)
    return Chapter(played.clock, played.order, played.happened, breaches, problem, remarks, played.unsaid)


def _remark(check: Check) -> Remark:
    from simulator.engine.story import Remark

    return Remark(str(check), check.met)
