"""A long computation in parts that are kept in a folder as they are done, so that it can be stopped and continued.

    DIR/<manifest>          what the results follow from: it is continued only if that has not changed
    DIR/000042.<ending>     the result of the part with that number

Parts are fixed ranges of the work, whoever does them, where and when.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, TypeVar

from simulator.errors import Fault, FileError
from simulator.reading import read_whole
from simulator.sweeps.errors import SweepRefused
from simulator.version import __version__
from simulator.writing import make_folder, write_whole

Part = TypeVar("Part")
#: Does parts of a work somewhere, and yields the index and the result of each as it is done.
Players: TypeAlias = Callable[[Callable[[Any], Any], Sequence[Any]], Iterator[tuple[int, Any]]]

#: Work is cut into about this many parts, so that a stop loses little and sending costs little.
MOST_PARTS = 200
#: The most bytes of a part: only a damaged file is larger.
_MOST_BYTES = 2**31


def played_here(work: Callable[[Part], Any], parts: Sequence[Part]) -> Iterator[tuple[int, Any]]:
    """Do parts in this process, one after the other."""
    yield from enumerate(map(work, parts))


def in_ranges(count: int, most: int, least: int = 1) -> list[range]:
    """Cut work into ranges of at least `least` things each, and at most `most`.

    >>> in_ranges(5, 2, 2), len(in_ranges(1000, 64))
    ([range(0, 2), range(2, 4), range(4, 5)], 200)
    """
    size = max(1, min(most, max(least, -(-count // MOST_PARTS))))
    return [range(first, min(first + size, count)) for first in range(0, count, size)]


def check_program(program: str, what: str) -> None:
    """Refuse to work for another version of the program, which could find something else."""
    if program != __version__:
        raise SweepRefused(f"this worker has version {__version__} of the package, the {what} {program}")


@dataclass(frozen=True)
class KeptParts:
    """The parts of a work in their folder."""

    folder: Path
    ranges: Sequence[range]
    #: The ending of their files, without the dot.
    ending: str

    def path(self, number: int) -> Path:
        """Return the file of a part."""
        return self.folder / f"{number:06}.{self.ending}"

    @property
    def missing(self) -> list[int]:
        """The numbers of the parts that have not been done."""
        return [number for number in range(len(self.ranges)) if not self.path(number).exists()]

    @property
    def done(self) -> int:
        """How much of the work has been done."""
        missing = set(self.missing)
        return sum(len(some) for number, some in enumerate(self.ranges) if number not in missing)

    def work(
        self,
        work: Callable[[Part], Any],
        part: Callable[[int, range], Part],
        written: Callable[[Any], bytes],
        players: Players,
    ) -> Iterator[int]:
        """Do every part that is missing, and yield how much is done, beginning with what is kept."""
        done, missing = self.done, self.missing
        yield done
        parts = [part(number, self.ranges[number]) for number in missing]
        for index, found in players(work, parts) if parts else ():
            self.keep(missing[index], written(found))
            done += len(self.ranges[missing[index]])
            yield done

    def keep(self, number: int, data: bytes) -> None:
        """Write the file of a part."""
        write_whole(self.path(number), data)

    def read(self, number: int) -> bytes:
        """Return the file of a part."""
        return read_whole(self.path(number), _MOST_BYTES)

    def damaged(self, number: int) -> FileError:
        """Return the error for a part that cannot be read."""
        return _damaged(self.path(number))


def begin(manifest: Path, described: Mapping[str, Any], what: str) -> None:
    """Begin a work in the folder of its manifest; raise SweepRefused if there is one."""
    if manifest.exists():
        raise SweepRefused(f"{manifest.parent} holds a {what}: continue it with --resume, or name another --out")
    make_folder(manifest.parent)
    write_whole(manifest, json_text(described).encode())


def resume(manifest: Path, described: Mapping[str, Any], what: str) -> None:
    """Continue the work of a manifest; raise SweepRefused if there is none, or one that follows from something else."""
    if not manifest.exists():
        raise SweepRefused(f"{manifest.parent} holds no {what} to resume")
    before = read_json(read_whole(manifest, _MOST_BYTES), manifest)
    now = json.loads(json_text(described))
    if before != now:
        message = f"the {what} in {manifest.parent} cannot be resumed: its plan has changed"
        raise SweepRefused(message, _changes(before, now))


def json_text(plain: Any) -> str:
    """Return plain data as text, the same for the same data."""
    return json.dumps(plain, ensure_ascii=False, allow_nan=False, sort_keys=True, separators=(",", ":"))


def read_json(data: bytes, path: Path) -> Any:
    """Read plain data from a file that this program has written."""
    try:
        return json.loads(data)
    except ValueError:
        raise _damaged(path) from None


def _damaged(path: Path) -> FileError:
    return FileError([Fault(str(path), 0, 0, "", "is damaged: delete it, and --resume does its part again")])


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
    text = "nothing" if value is None else json_text(value)
    return text if len(text) <= 60 else f"{text[:59]}…"
