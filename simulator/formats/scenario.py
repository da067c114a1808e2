"""A scenario: everything that a game is set up with, what is played in it, and what is expected to come of it.

Read `play` for how it is played, `expectations` for how what comes of it is judged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

from simulator import pictures
from simulator.engine.answers import Answerer, InTurn, Policy
from simulator.engine.errors import Breach
from simulator.engine.game import Game
from simulator.engine.playthrough import BEGIN
from simulator.engine.state import State, Unit
from simulator.engine.table import Setting
from simulator.engine.values import NO_FIELDS, Fields, Value
from simulator.errors import Fault, FileError
from simulator.formats.accounts import Account, Played
from simulator.formats.faults import Path as FilePath
from simulator.formats.scenario_answers import ByKind, DiceSource
from simulator.formats.scenario_models import EventSeen, Expected, QuestionAsked
from simulator.wording import measure
from simulator.writing import Target


def _nowhere(path: FilePath) -> int:
    """Return no line for any path: the scenario was not read from a file."""
    del path
    return 0


@dataclass(frozen=True, slots=True)
class ScenarioStep:
    """An order of a scenario, or with no order a look at the table, and where in the file it stands."""

    path: FilePath
    order: str = ""
    answers: tuple[Value, ...] = ()
    #: The clauses that forbid the order, where it is expected to be refused; None where it is expected to be legal.
    refused: tuple[str, ...] | None = None
    cost: Mapping[str, Fraction] | Fraction | None = None
    events: tuple[EventSeen, ...] = ()
    asked: tuple[QuestionAsked, ...] = ()
    expect: Expected = field(default_factory=Expected)


class FaultyPosition(FileError):
    """A scenario in which nothing is wrong but where its units stand: it can not be played, but it can be drawn."""

    def __init__(self, faults: Sequence[Fault], scenario: Scenario, breaches: Sequence[Breach]) -> None:
        super().__init__(faults)
        self.scenario, self.breaches = scenario, tuple(breaches)


@dataclass(frozen=True)
class Scenario:
    """A scenario that was read and found sound."""

    name: str
    setting: Setting[Any]
    units: tuple[Unit, ...] = ()
    data: Fields = NO_FIELDS
    dice: DiceSource = field(default_factory=DiceSource)
    answers: Fields = NO_FIELDS
    turns: tuple[tuple[ScenarioStep, ...], ...] = ()
    expect: Expected = field(default_factory=Expected)
    description: str = ""
    #: What the file is called in messages, and the line of a path in it.
    file: str = field(default="<text>", compare=False)
    line_of: Callable[[FilePath], int] = field(default=_nowhere, compare=False, repr=False)
    #: The path of the board as the file says it; empty where the board stands in the file itself.
    board_path: str = ""
    #: Words of the board that the rulebook knows and from which nothing follows, each with its place.
    notes: tuple[Fault, ...] = field(default=(), compare=False, repr=False)

    @property
    def orders(self) -> int:
        """How many orders it holds."""
        return sum(bool(step.order) for turn in self.turns for step in turn)

    def opening(self) -> State:
        """Return the table before the game begins."""
        return self.setting.opening(self.units, self.data)

    def __repr__(self) -> str:
        held = f"{measure(len(self.units), 'unit')}, {measure(self.orders, 'order')}"
        return f"<Scenario {self.name!r} of {self.setting.ruleset.name}: {held}>"

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self.set_up())

    def answerer(self) -> InTurn:
        """Return who answers what orders leave open: the rules of the file, the dice, and the usual answers last."""
        return InTurn([ByKind(self.answers), *self.dice.answerers(), Policy()])

    def with_options(self, changes: Mapping[str, Any]) -> Scenario:
        """Return the same scenario with some options other than in the file; raises OptionError."""
        given = {**self.setting.options.fields, **changes}
        return replace(self, setting=replace(self.setting, options=type(self.setting.options)(**given)))

    def with_seed(self, seed: int | str | None) -> Scenario:
        """Return the same scenario with the dice of a seed in place of its own; None leaves it as it is."""
        return self if seed is None else replace(self, dice=DiceSource(seed=seed))

    def set_up(self, seed: int | str | None = None) -> Game[Any]:
        """Set up the game without beginning it."""
        seeded = self.with_seed(seed)
        return Game(seeded.setting, seeded.opening(), seeded.answerer())

    def start(self, seed: int | str | None = None) -> Game[Any]:
        """Set up the game and begin it: none of the orders is played yet."""
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
        """Play all orders and check all that is expected; what went wrong stands in the account.

        With `log` the game is written down there; with `resume` too, it goes on with the log of a run that was cut off.
        A `person` is asked what the file leaves open, before the dice and the usual answers. `watch` is shown each
        order that was played, and one that waits for the person also as far as it has come.
        """
        from simulator.formats.play import Play

        return Play(self.with_seed(seed), log, resume, person, watch).account()
