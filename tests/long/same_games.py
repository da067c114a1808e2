"""Random games, each played under several hash seeds: their logs are equal to the byte.

    python tests/long/same_games.py                     a thousand games of each rulebook
    python tests/long/same_games.py --games 20 --seed 3

In a game orders are made up, answered by seeded dice and by a player who chooses at random, taken back (in the middle
of a question, too), branched, and its log is cut somewhere and the game resumed from it. Whatever depends on the order
of a set or of a dict of texts, on an address in memory or on a clock makes two logs differ.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import random
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import mutants

from simulator.engine.answers import Answer, DiceBag, InTurn, Occasion
from simulator.engine.game import Game
from simulator.engine.log import Header, LogWriter, read_log, replay, resume
from simulator.engine.playthrough import BEGIN
from simulator.engine.questions import Question, React, Roll
from simulator.errors import SimulatorError
from simulator.formats.scenarios import parse_scenario
from simulator.rulesets import OURS

HASH_SEEDS = ("0", "1", "2")
#: So many things are done in a game.
_DEEDS = 14


class Player:
    """Chooses at random, but the same every time: by how often anybody was asked before."""

    def __init__(self, seed: str) -> None:
        self.seed = seed

    def answer(self, question: Question, moment: Occasion) -> Answer | None:
        """Choose one of the options, or let it pass."""
        if isinstance(question, Roll):
            return None
        options = [*question.samples, *([None] if isinstance(question, React) else [])]
        chosen = random.Random(f"{self.seed} {moment.choices}").choice(options)
        return Answer(chosen, "player")


class RandomGame:
    """One game, known by its rulebook, a seed and its number."""

    def __init__(self, rulebook: str, seed: int, number: int, folder: Path) -> None:
        self.name = f"{rulebook} {seed} {number}"
        self.dice = random.Random(self.name)
        sounds = [sound for sound in mutants.scenarios() if sound.tree["ruleset"] == rulebook]
        sound = self.dice.choice(sounds)
        self.scenario = parse_scenario(sound.text, folder=sound.folder)
        self.script = [step.order for turn in self.scenario.turns for step in turn if step.order]
        self.answers = InTurn([Player(self.name), DiceBag.of(self.name)])
        self.path = folder / "log"

    def digest(self) -> str:
        """Play it, and give a hash of its log and of all that was answered on the way."""
        told = hashlib.sha256()
        setting = self.scenario.setting
        game: Game[Any] = Game(setting, self.scenario.opening(), self.answers)
        game.log = LogWriter.create(self.path, Header.of(setting, game.state, self.name))
        game.do(BEGIN)
        for _ in range(_DEEDS):
            game, said = self._deed(game)
            told.update(f"{said}\n{game.state.hash}\n".encode())
        assert isinstance(game.log, LogWriter)
        game.log.close()
        again = replay(read_log(self.path), setting, verify=True)
        if game.question is None:
            assert again.state == game.state, self.name
        told.update(self.path.read_bytes())
        return told.hexdigest()[:32]

    def _deed(self, game: Game[Any]) -> tuple[Game[Any], str]:
        match self.dice.randrange(12):
            case 0 if game.happened is not None and len(game.history) > 1:
                return game, f"undo {game.undo().order}"
            case 1:
                twin = game.branch(self.answers)
                return game, f"branch {self._ordered(twin)} {twin.state.hash}"
            case 2:
                return self._resumed(game)
            case 3:
                return game, self._stopped(game)
            case _:
                return game, self._ordered(game)

    def _ordered(self, game: Game[Any]) -> str:
        """Return an order, one of the script or made up, and tell what came of it."""
        if game.question is not None:
            game.undo()
        order = self._order(game)
        try:
            return str(game.do(order).record)
        except SimulatorError as error:
            assert error.exit_code != 70, f"{self.name}: {order}: {error}"
            return str(error)

    def _stopped(self, game: Game[Any]) -> str:
        """Return an order that nobody answers; then answer some of what it asks, or take it back."""
        if game.question is not None:
            game.undo()
        game.answers = None
        try:
            game.do(self._order(game))
            while game.question is not None and self.dice.random() < 0.6:
                question = game.question
                options = list(question.chances) if isinstance(question, Roll) else list(question.samples)
                game.answer(self.dice.choice(options))
            asked = str(game.question)
            while game.question is not None:
                game.undo()
            return asked
        except SimulatorError as error:
            assert error.exit_code != 70, f"{self.name}: {error}"
            while game.question is not None:
                game.undo()
            return str(error)
        finally:
            game.answers = self.answers

    def _resumed(self, game: Game[Any]) -> tuple[Game[Any], str]:
        """Cut the log somewhere behind its first order and go on from what is left."""
        if game.question is not None:
            game.undo()
        assert isinstance(game.log, LogWriter)
        game.log.close()
        data = self.path.read_bytes()
        header = data.index(b"\n") + 1
        self.path.write_bytes(data[: self.dice.randrange(max(header, len(data) - 2_000), len(data) + 1)])
        again, log = resume(self.path, game.setting, self.answers)
        if not again.history:
            again.do(BEGIN)
        return again, f"resume {log.dropped}"

    def _order(self, game: Game[Any]) -> str:
        units = [unit.id for unit in game.state]
        if self.dice.random() < 0.4:
            return self.dice.choice(self.script)
        unit = self.dice.choice(units)
        if self.dice.random() < 0.2:
            return f"{self.dice.choice((unit, 'all'))} done"
        place = self.dice.choice([other.place for other in game.state if other.place is not None])
        near = ",".join(str(part + self.dice.randrange(-3, 4)) for part in place[:2])
        goals = [action.name for action in game.setting.vocabulary.actions if action.goal]
        actions = goals if goals and self.dice.random() < 0.8 else [a.name for a in game.setting.vocabulary.actions]
        action = self.dice.choice(actions)
        return f"{unit} {action} to {near}" if action in goals else f"{unit} {action}"


def digests(rulebooks: list[str], games: int, seed: int) -> Iterator[str]:
    """Yield a line for each game."""
    with TemporaryDirectory() as folder:
        for rulebook in rulebooks:
            for number in range(games):
                yield f"{rulebook} {number} {RandomGame(rulebook, seed, number, Path(folder)).digest()}"


def compare(rulebooks: list[str], games: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Yield for each game its lines under every hash seed, as they come."""
    words = [sys.executable, str(Path(__file__).resolve()), "--digests", "--games", str(games), "--seed", str(seed)]
    words += [word for rulebook in rulebooks for word in ("--rulebook", rulebook)]
    players = [
        subprocess.Popen(words, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONHASHSEED": hash_seed})
        for hash_seed in HASH_SEEDS
    ]
    try:
        yield from zip(*(player.stdout or () for player in players), strict=True)
    finally:
        for player in players:
            assert player.stdout is not None
            player.stdout.close()
            player.wait()
    assert [player.returncode for player in players] == [0] * len(players)


def main() -> int:
    """Play the games and tell which differ."""
    from rich.console import Console
    from rich.progress import Progress

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=1_000, help="so many of each rulebook")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rulebook", choices=OURS, action="append")
    parser.add_argument("--digests", action="store_true", help="print a line for each game, under one hash seed")
    said = parser.parse_args()
    rulebooks = said.rulebook or list(OURS)
    if said.digests:
        for line in digests(rulebooks, said.games, said.seed):
            print(line, flush=True)
        return 0
    odd = count = 0
    with Progress(console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("games", total=said.games * len(rulebooks))
        for lines in compare(rulebooks, said.games, said.seed):
            count += 1
            progress.update(task, completed=count)
            if len(set(lines)) > 1:
                odd += 1
                progress.console.print("differs:", *lines)
    print(f"{count} games under {len(HASH_SEEDS)} hash seeds: {odd} differ")
    return 1 if odd or count != said.games * len(rulebooks) else 0


if __name__ == "__main__":
    sys.exit(main())
