"""What is asked about: a setup, and the orders and answers given since its beginning.

An answer is written behind a question mark, `? 4` or `? pass`; everything else is an order. The same steps always lead
to the same table for every client, so a game that is known is only a shortcut.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simulator.engine.errors import TableError
from simulator.engine.game import Game
from simulator.engine.playthrough import BEGIN
from simulator.engine.values import Value
from simulator.errors import SimulatorError
from simulator.formats.editing import plain
from simulator.formats.scenario import Scenario
from simulator.formats.scenario_values import exact
from simulator.formats.scenarios import load_scenario, parse_scenario
from simulator.formats.typed_answers import answer_text, read_typed

#: How an answer begins.
ANSWER = "? "
#: How many games are kept, and how many scenarios.
_MOST_GAMES, _MOST_SCENARIOS = 200, 20

Words = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Setup:
    """A scenario as it is played: from its file or from the text of a draft, with options and figures changed."""

    path: Path
    options: Words = ()
    tables: Words = ()
    #: The text that is played instead of the file's.
    draft: str = ""

    def key(self) -> tuple[Any, ...]:
        """Return what it depends on: also when the file was changed last."""
        return (self, None if self.draft else self.path.stat().st_mtime_ns)

    def read(self) -> Scenario:
        """Read the scenario."""
        # A draft holds its board itself, so it leads to no other file.
        found = parse_scenario(self.draft, "the draft") if self.draft else load_scenario(self.path)
        if self.options:
            found = found.with_options(dict(self.options))
        return found.with_figures({path: read_figure(text) for path, text in self.tables}) if self.tables else found


@dataclass(frozen=True, slots=True)
class Reached:
    """The game after the steps that could be done, how many these are, and why the next one could not."""

    game: Game[Any]
    done: int
    error: SimulatorError | None = None


@dataclass
class Moments:
    """Games at the moments that were asked about last, and the scenarios they belong to."""

    _games: OrderedDict[tuple[Any, ...], Game[Any]] = field(default_factory=OrderedDict)
    _scenarios: OrderedDict[tuple[Any, ...], Scenario] = field(default_factory=OrderedDict)

    def scenario(self, setup: Setup) -> Scenario:
        """Return the scenario of a setup, read again if its file has changed."""
        key = setup.key()
        if key not in self._scenarios:
            self._scenarios[key] = setup.read()
        found: Scenario = recent(self._scenarios, key, _MOST_SCENARIOS)
        return found

    def reached(self, setup: Setup, steps: Sequence[str]) -> Reached:
        """Return the game after some steps; a step that cannot be done is the last one that is looked at."""
        scenario, known = self.scenario(setup), setup.key()
        done = next((n for n in range(len(steps), 0, -1) if (known, *steps[:n]) in self._games), 0)
        if done:
            game = recent(self._games, (known, *steps[:done]), _MOST_GAMES)
        else:
            game = scenario.start()
            # The user of the page answers, or lets the page roll.
            game.answers = None
        for number in range(done, len(steps)):
            # Each moment is a game of its own, so that later ones can begin at it.
            game = game.branch()
            try:
                take(game, steps[number])
            except SimulatorError as error:
                return Reached(self._before(known, scenario, steps[:number]), number, error)
            self._games[known, *steps[: number + 1]] = game
            recent(self._games, (known, *steps[: number + 1]), _MOST_GAMES)
        return Reached(game, len(steps))

    def _before(self, known: Any, scenario: Scenario, steps: Sequence[str]) -> Game[Any]:
        """Return the game after steps that have just been done."""
        game = self._games.get((known, *steps))
        if game is None:
            game = scenario.start()
            game.answers = None
        return game


def recent(kept: OrderedDict[Any, Any], key: Any, most: int) -> Any:
    """Return a value that is kept, as the one used last; those not used for longest make room."""
    kept.move_to_end(key)
    while len(kept) > most:
        kept.popitem(last=False)
    return kept[key]


def take(game: Game[Any], step: str) -> None:
    """Carry out one step: an order, or an answer to the open question."""
    if not step.startswith(ANSWER):
        game.do(step)
        return
    question = game.question
    if question is None:
        raise TableError(f"no question is open that {step.removeprefix(ANSWER)!r} could answer")
    game.answer(read_typed(question, step.removeprefix(ANSWER)))


def read_figure(text: str) -> Value:
    """Return the figure that a text means, written as in a scenario: `3`, `5/2`, `[a, b]`."""
    return exact(plain(f"figure: {text}\n")["figure"])


def written_answer(value: Value) -> str:
    """Return the step for an answer."""
    return ANSWER + answer_text(value)


def script_of(scenario: Scenario) -> list[str]:
    """Play a scenario by its own dice and answers, and return its orders and answers as steps."""
    game = scenario.run().game
    steps = []
    for happened in game.history:
        if happened.order != BEGIN:
            steps.append(game.write(happened.given or happened.order))
            steps += [written_answer(entry.answer.value) for entry in happened.answered]
    return steps
