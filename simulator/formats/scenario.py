"""A scenario: the setup of a game, its orders, and the expected outcome.

See `play` for how it is played, `expectations` for how the outcome is checked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from simulator import pictures
from simulator.engine.answers import Answerer, InTurn, Policy
from simulator.engine.errors import Breach
from simulator.engine.game import Game
from simulator.engine.playthrough import BEGIN
from simulator.engine.state import State, Unit
from simulator.engine.table import Setting
from simulator.engine.values import NO_FIELDS, Fields, Value
from simulator.errors import Fault, FileError
from simulator.formats.faults import Path as FilePath
from simulator.formats.scenario_answers import ByKind, DiceSource
from simulator.formats.scenario_models import EventSeen, Expected, QuestionAsked
from simulator.wording import measure
from simulator.writing import Target

if TYPE_CHECKING:
    from simulator.formats.accounts import Account, Played


def _nowhere(path: FilePath) -> int:
    """Return no line for any path: the scenario was not read from a file."""
    del path
    return 0


@dataclass(frozen=True, slots=True)
class ScenarioStep:
    """An order of a scenario, or without an order a look at the table, and its path in the file."""

    path: FilePath
    order: str = ""
    answers: tuple[Value, ...] = ()
    #: The clauses expected to forbid the order; None if it is expected to be legal.
    refused: tuple[str, ...] | None = None
    cost: Mapping[str, Fraction] | Fraction | None = None
    events: tuple[EventSeen, ...] = ()
    asked: tuple[QuestionAsked, ...] = ()
    expect: Expected = field(default_factory=Expected)


class FaultyPosition(FileError):
    """A scenario whose only faults are the positions of its units: it cannot be played, but it can be drawn."""

    def __init__(self, faults: Sequence[Fault], scenario: Scenario, breaches: Sequence[Breach]) -> None:
        super().__init__(faults)
        self.scenario, self.breaches = scenario, tuple(breaches)


@dataclass(frozen=True)
class Scenario:
    """A scenario that was read without faults."""

    name: str
    setting: Setting[Any]
    units: tuple[Unit, ...] = ()
    data: Fields = NO_FIELDS
    dice: DiceSource = field(default_factory=DiceSource)
    answers: Fields = NO_FIELDS
    turns: tuple[tuple[ScenarioStep, ...], ...] = ()
    expect: Expected = field(default_factory=Expected)
    description: str = ""
    #: The name of the file in messages, and the line of a path in it.
    file: str = field(default="<text>", compare=False)
    line_of: Callable[[FilePath], int] = field(default=_nowhere, compare=False, repr=False)
    #: The path of the board as written in the file; empty if the board is in the file itself.
    board_path: str = ""
    #: Words of the board that the rulebook knows but that have no effect, each with its position.
    notes: tuple[Fault, ...] = field(default=(), compare=False, repr=False)

    @property
    def orders(self) -> int:
        """The number of its orders."""
        return sum(bool(step.order) for turn in self.turns for step in turn)

    def opening(self) -> State:
        """Return the table before the game begins."""
        return self.setting.opening(self.units, self.data)

    def __repr__(self) -> str:
        counts = f"{measure(len(self.units), 'unit')}, {measure(self.orders, 'order')}"
        return f"<Scenario {self.name!r} of {self.setting.ruleset.name}: {counts}>"

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self.set_up())

    def answerer(self) -> InTurn:
        """Return the answerers of questions: the rules of the file, the dice, and the default answers last."""
        return InTurn([self.rules(), *self.dice.answerers(), Policy()])

    def rules(self) -> ByKind:
        """Return the answers by the rules of the file."""
        return ByKind(self.answers, frozenset(unit.id for unit in self.units))

    def with_options(self, changes: Mapping[str, Any]) -> Scenario:
        """Return the same scenario with some options changed; raise OptionError if one is invalid."""
        fields = {**self.setting.options.fields, **changes}
        return replace(self, setting=replace(self.setting, options=type(self.setting.options)(**fields)))

    def with_figures(self, changes: Mapping[str, Any]) -> Scenario:
        """Return the same scenario with some figures of its tables replaced; raise OptionError if one is invalid."""
        return replace(self, setting=replace(self.setting, tables=self.setting.tables.override(changes)))

    def with_seed(self, seed: int | str | None) -> Scenario:
        """Return the same scenario with the dice of a seed instead of its own; None changes nothing."""
        return self if seed is None else replace(self, dice=DiceSource(seed=seed))

    def set_up(self, seed: int | str | None = None) -> Game[Any]:
        """Set up the game without beginning it."""
        seeded = self.with_seed(seed)
        return Game(seeded.setting, seeded.opening(), seeded.answerer())

    def start(self, seed: int | str | None = None) -> Game[Any]:
        """Set up the game and begin it, without playing any order."""
        game = self.set_up(seed)
        game.do(BEGIN)
        return game

    def run(
        self,
        seed: int | str | None = None,
        *,
        log: Target | None = None,
        resume: bool = False,
        person: Answerer | None = None,
        watch: Callable[[Played], None] | None = None,
    ) -> Account:
        """Play all orders and check all expectations; errors are recorded in the account.

        With `log` the game is written to that file; with `resume`, the log of an interrupted run is continued. A
        `person` answers questions that the file leaves open, before the dice and the default answers. `watch` is
        called with each order played, and with an order that waits for the person.
        """
        from simulator.formats.play import Play

        return Play(self.with_seed(seed), log, resume, person, watch).account()
