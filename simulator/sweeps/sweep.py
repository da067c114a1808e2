"""A sweep in a folder: chunks of games that are played and kept, until the results are written.

    out/sweep.json         what the results follow from; a sweep is resumed only with the same plan
    out/chunks/000042.json the rows of 42's games: each chunk is written when it is done
    out/stopped/RUN.yaml   a scenario that replays a game that failed or was stopped
    out/games.parquet, out/units.parquet, out/report.html

A chunk holds a fixed range of games, whoever plays it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.errors import Fault, FileError
from simulator.reading import read_whole
from simulator.sweeps.columns import GAMES, UNITS, columns_of, parquet
from simulator.sweeps.errors import SweepRefused
from simulator.sweeps.games import play_game
from simulator.sweeps.plan import SweepPlan
from simulator.sweeps.report import report_page
from simulator.version import __version__
from simulator.writing import make_folder, write_whole

#: The games of a sweep are cut into about this many chunks, so that a stop loses little and sending costs little.
_CHUNKS = 200
#: But no chunk has more games than this.
_MOST_GAMES = 64
_MANIFEST = "sweep.json"
#: The most bytes of a chunk: only a damaged file is larger.
_MOST_BYTES = 2**30


@dataclass(frozen=True)
class Chunk:
    """A range of games of a plan, to be played anywhere."""

    plan: SweepPlan
    number: int
    runs: range
    #: The version of the program that sends it: another one could play other games.
    program: str = __version__


#: Plays chunks somewhere, and yields the index and the rows of each as it is done.
Players = Callable[[Callable[[Chunk], Any], Sequence[Chunk]], Iterator[tuple[int, Any]]]


def play_chunk(chunk: Chunk) -> list[dict[str, Any]]:
    """Play the games of a chunk and return their rows."""
    if chunk.program != __version__:
        raise SweepRefused(f"this worker has version {__version__} of the package, the sweep {chunk.program}")
    return [play_game(chunk.plan, chunk.plan.at(run)) for run in chunk.runs]


def played_here(work: Callable[[Chunk], Any], chunks: Sequence[Chunk]) -> Iterator[tuple[int, Any]]:
    """Play chunks in this process, one after the other."""
    yield from enumerate(map(work, chunks))


class Sweep:
    """A sweep in its folder; `begun` or `resumed` make one."""

    def __init__(self, plan: SweepPlan, folder: Path) -> None:
        self.plan, self.folder = plan, folder
        size = max(1, min(_MOST_GAMES, -(-len(plan) // _CHUNKS)))
        self._ranges = [range(first, min(first + size, len(plan))) for first in range(0, len(plan), size)]

    @classmethod
    def begun(cls, plan: SweepPlan, folder: Path) -> Sweep:
        """Begin a sweep in a folder of its own."""
        if (folder / _MANIFEST).exists():
            raise SweepRefused(f"{folder} holds a sweep: continue it with --resume, or name another folder")
        sweep = cls(plan, folder)
        make_folder(folder / "chunks")
        write_whole(folder / _MANIFEST, _text(plan.described).encode())
        return sweep

    @classmethod
    def resumed(cls, plan: SweepPlan, folder: Path) -> Sweep:
        """Continue the sweep in a folder; raise SweepRefused if there is none, or one of another plan."""
        path = folder / _MANIFEST
        if not path.exists():
            raise SweepRefused(f"{folder} holds no sweep to resume")
        before = _read(path)
        now = json.loads(_text(plan.described))
        if before != now:
            raise SweepRefused(f"the sweep in {folder} cannot be resumed: its plan has changed", _changes(before, now))
        make_folder(folder / "chunks")
        return cls(plan, folder)

    @property
    def done(self) -> int:
        """The number of games whose rows are kept."""
        return sum(len(runs) for number, runs in enumerate(self._ranges) if self._path(number).exists())

    def work(self, players: Players = played_here) -> Iterator[int]:
        """Play every game that has not been played, and yield how many are done, beginning with those kept."""
        done = self.done
        yield done
        missing = [
            Chunk(self.plan, number, runs)
            for number, runs in enumerate(self._ranges)
            if not self._path(number).exists()
        ]
        for index, rows in players(play_chunk, missing) if missing else ():
            chunk = missing[index]
            write_whole(self._path(chunk.number), _text(rows).encode())
            done += len(chunk.runs)
            yield done

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of each game, in the order of the plan."""
        for number in range(len(self._ranges)):
            yield from _read(self._path(number))

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
        about = {"sweep": self.plan.name, "plan": _text(self.plan.described)}
        for name, columns, found in (("games", GAMES, games), ("units", UNITS, units)):
            data = parquet(columns_of(self.plan, columns), found, about)
            write_whole(self.folder / f"{name}.parquet", data)
        write_whole(self.folder / "report.html", report_page(self.plan, games, units).encode())
        return games

    def _path(self, number: int) -> Path:
        return self.folder / "chunks" / f"{number:06}.json"


def _text(plain: Any) -> str:
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def _read(path: Path) -> Any:
    try:
        return json.loads(read_whole(path, _MOST_BYTES))
    except ValueError:
        raise FileError(
            [Fault(str(path), 0, 0, "", "is damaged: delete it, and --resume plays its games again")]
        ) from None


def _changes(before: Any, now: Any) -> list[str]:
    """List what differs between two plans, one line for each key."""
    found = []
    for key in sorted({*before, *now}):
        old, new = before.get(key), now.get(key)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            names = sorted(name for name in {*old, *new} if old.get(name) != new.get(name))
            found.append(f"{key}: {', '.join(names)}")
        else:
            found.append(f"{key}: {_short(old)} before, {_short(new)} now")
    return found


def _short(value: Any) -> str:
    text = "nothing" if value is None else _text(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
