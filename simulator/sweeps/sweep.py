"""A sweep in a folder: chunks of games that are played and kept, until the results are written.

    out/sweep.json         what the results follow from; a sweep is resumed only with the same plan
    out/chunks/000042.json the rows of 42's games: each chunk is written when it is done
    out/stopped/RUN.yaml   a scenario that replays a game that failed or was stopped
    out/games.parquet, out/units.parquet, out/report.html

A chunk holds a fixed range of games, whoever plays it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.sweeps.columns import GAMES, UNITS, columns_of, parquet
from simulator.sweeps.games import play_game
from simulator.sweeps.parts import (
    KeptParts,
    Players,
    begin,
    check_program,
    in_ranges,
    json_text,
    played_here,
    read_json,
    resume,
)
from simulator.sweeps.plan import SweepPlan
from simulator.sweeps.report import report_page
from simulator.version import __version__
from simulator.writing import make_folder, write_whole

#: No chunk has more games than this.
_MOST_GAMES = 64
_MANIFEST = "sweep.json"


@dataclass(frozen=True)
class Chunk:
    """A range of games of a plan, to be played anywhere."""

    plan: SweepPlan
    number: int
    runs: range
    #: The version of the program that sends it: another one could play other games.
    program: str = __version__


def play_chunk(chunk: Chunk) -> list[dict[str, Any]]:
    """Play the games of a chunk and return their rows."""
    check_program(chunk.program, "sweep")
    return [play_game(chunk.plan, chunk.plan.at(run)) for run in chunk.runs]


class Sweep:
    """A sweep in its folder; `begun` or `resumed` make one."""

    def __init__(self, plan: SweepPlan, folder: Path) -> None:
        self.plan, self.folder = plan, folder
        self._parts = KeptParts(folder / "chunks", in_ranges(len(plan), _MOST_GAMES), "json")

    @classmethod
    def begun(cls, plan: SweepPlan, folder: Path) -> Sweep:
        """Begin a sweep in a folder of its own."""
        begin(folder / _MANIFEST, plan.described, "sweep")
        make_folder(folder / "chunks")
        return cls(plan, folder)

    @classmethod
    def resumed(cls, plan: SweepPlan, folder: Path) -> Sweep:
        """Continue the sweep in a folder; raise SweepRefused if there is none, or one of another plan."""
        resume(folder / _MANIFEST, plan.described, "sweep")
        make_folder(folder / "chunks")
        return cls(plan, folder)

    @property
    def done(self) -> int:
        """The number of games whose rows are kept."""
        return self._parts.done

    def work(self, players: Players = played_here) -> Iterator[int]:
        """Play every game that has not been played, and yield how many are done, beginning with those kept."""
        yield from self._parts.work(
            play_chunk,
            lambda number, runs: Chunk(self.plan, number, runs),
            lambda rows: json_text(rows).encode(),
            players,
        )

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of each game, in the order of the plan."""
        for number in range(len(self._parts.ranges)):
            yield from read_json(self._parts.read(number), self._parts.path(number))

    def finish(self) -> list[dict[str, Any]]:
        """Write the Parquet files, the report and the stopped games, and return the rows of `games.parquet`."""
        games: list[dict[str, Any]] = []
        units: list[dict[str, Any]] = []
        for rows in self.rows():
            games.append(rows["game"])
            units += rows["units"]
            if rows["file"]:
                make_folder(self.folder / "stopped")
                write_whole(self.folder / rows["game"]["file"], rows["file"].encode())
        about = {"sweep": self.plan.name, "plan": json_text(self.plan.described)}
        for name, columns, found in (("games", GAMES, games), ("units", UNITS, units)):
            data = parquet(columns_of(self.plan, columns), found, about)
            write_whole(self.folder / f"{name}.parquet", data)
        write_whole(self.folder / "report.html", report_page(self.plan, games, units).encode())
        return games
