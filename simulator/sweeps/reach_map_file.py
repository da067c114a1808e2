"""The file of a reach map: arrays of numpy in an `.npz` file, described in docs/sweeps.md.

The costs are in blocks of starts, `costs/000000` and on, so that neither writing nor reading needs all of them at once,
and as numbers of `prices`: a cost takes a byte where there are no more than 256 different ones.
"""

from __future__ import annotations

import io
import json
import os
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from simulator.engine.bulk_reach import BulkReach
from simulator.engine.raster import Raster
from simulator.errors import Fault, FileError
from simulator.formats.boards import board_text, parse_board
from simulator.geometry.board import Board
from simulator.reading import opened
from simulator.writing import write_pieces

Arrays: TypeAlias = Mapping[str, NDArray[Any]]
#: The prefix of the names of the blocks of costs.
_BLOCK = "costs/"
#: The most bytes of a block, unless a single place needs more.
BLOCK_BYTES = 2**26
#: What parts hold of each start as numbers.
_NUMBERS = ("cell", "ends", "ground", "area", "cost_quantiles")
#: What there is of each start, and of each place.
OF_STARTS = ("cell", "heading", "level", "ends", "ground", "cost_quantiles", "answered")
#: Only if areas were measured.
_AREA = "area"
OF_PLACES = ("x", "y", "present", "size", "reached_from")
#: What reading a file of arrays raises, if it is none or damaged.
UNREADABLE = (KeyError, IndexError, ValueError, OSError, EOFError, zipfile.BadZipFile, zlib.error)
#: Costs are mostly runs of one number: more effort hardly makes the file smaller.
_EFFORT = 1


# --- writing ---


class Part(Protocol):
    """Reads parts of a map by their numbers: all arrays, or those that are named."""

    def __call__(self, number: int, *names: str) -> Arrays:
        """Read a part."""


def write_map(
    file: Path, about: Mapping[str, Any], every: BulkReach, part: Part, parts: int, with_costs: bool
) -> dict[str, Any]:
    """Write a map from its parts, which are read one by one, and return what the file says about itself."""
    none = [np.array([np.inf], np.float32)]
    every_price = (part(number, "prices")["prices"] for number in range(parts if with_costs else 0))
    prices = np.unique(np.concatenate([*none, *every_price]))
    kind = np.min_scalar_type(len(prices) - 1)
    summary = _Joined(every.raster)
    written: dict[str, Any] = {}
    firsts = [0]

    def costs() -> Iterator[NDArray[Any]]:
        for number in range(parts):
            arrays = part(number)
            summary.add(arrays)
            if with_costs:
                yield np.searchsorted(prices, arrays["prices"]).astype(kind).take(arrays["ranks"])

    def members() -> Iterator[tuple[str, NDArray[Any]]]:
        for number, block in enumerate(_in_blocks(costs())):
            yield f"{_BLOCK}{number:06}", block
            firsts.append(firsts[-1] + len(block))
        yield from summary.arrays()
        written.update(about, **summary.told())
        yield "blocks", np.array(firsts, np.int64)
        yield "prices", prices
        yield "about", np.array(json.dumps(written, sort_keys=True))
        yield "board", np.array(board_text(every.table.board))

    write_pieces(file, zipped(members()))
    return written


def _in_blocks(costs: Iterator[NDArray[Any]]) -> Iterator[NDArray[Any]]:
    """Join costs of several parts to blocks of about `BLOCK_BYTES`."""
    held: list[NDArray[Any]] = []
    for some in costs:
        if held and sum(part.nbytes for part in held) + some.nbytes > BLOCK_BYTES:
            yield np.concatenate(held)
            held = []
        held.append(some)
    if held:
        yield np.concatenate(held)


class _Joined:
    """The summaries of parts, put together in their order."""

    def __init__(self, raster: Raster) -> None:
        self.raster = raster
        self._parts: list[dict[str, NDArray[Any]]] = []
        self._labels: dict[tuple[Any, Any], int] = {}
        self._states: list[NDArray[np.int64]] = []
        self._answered: list[NDArray[np.bool_]] = []
        #: From how many starts there is no answer, by the reason.
        self._unanswered: Counter[str] = Counter()
        self._limited = 0
        self._reached_from = np.zeros(raster.shape, np.int64)

    def add(self, arrays: Arrays) -> None:
        """Add the summary of a part."""
        told = json.loads(str(arrays["told"]))
        self._parts.append({name: arrays[name] for name in _NUMBERS if name in arrays})
        known = [self._labels.setdefault((heading, level), len(self._labels)) for heading, level in told["labels"]]
        self._states.append(np.array([*known, 0], np.int64)[arrays["state"]])
        answered = np.ones(len(arrays["cell"]), np.bool_)
        for number, reason, is_limit in told["unanswered"]:
            answered[number] = False
            self._unanswered[reason] += 1
            self._limited += is_limit
        self._answered.append(answered)
        first, last = arrays["reached_rows"].tolist()
        self._reached_from[first:last] += arrays["reached_from"]

    def arrays(self) -> Iterator[tuple[str, NDArray[Any]]]:
        """Yield the arrays of starts and of places."""
        for name in self._parts[0]:
            yield name, np.concatenate([part[name] for part in self._parts])
        states = np.concatenate(self._states)
        for name, labels in (("heading", 0), ("level", 1)):
            yield name, _column([label[labels] for label in self._labels])[states]
        yield "answered", np.concatenate(self._answered)
        raster = self.raster
        yield from (("x", raster.x), ("y", raster.y), ("present", raster.present), ("size", raster.sizes))
        yield "reached_from", self._reached_from

    def told(self) -> dict[str, Any]:
        """Return what is said about the starts."""
        reasons = [{"reason": reason, "starts": count} for reason, count in sorted(self._unanswered.items())]
        starts = sum(len(part["cell"]) for part in self._parts)
        return {"starts": starts, "unanswered": reasons, "limited": self._limited}


def _column(values: list[Any]) -> NDArray[Any]:
    """Return headings or levels as numbers, nan where there are none; with names among them as texts.

    >>> _column([60, None]).tolist(), _column(["roof", 1, None]).tolist()
    ([60.0, nan], ['roof', '1', ''])
    """
    if any(isinstance(value, str) for value in values):
        return np.array(["" if value is None else str(value) for value in values])
    return np.array([np.nan if value is None else value for value in values], np.float64)


def zipped(members: Iterable[tuple[str, NDArray[Any]]]) -> Iterator[bytes]:
    """Yield the pieces of an `.npz` file: the same members, the same bytes."""
    pieces = _Pieces()
    with zipfile.ZipFile(pieces, "w", zipfile.ZIP_DEFLATED, compresslevel=_EFFORT) as archive:
        for name, array in members:
            # A fixed date: by default it would be that of today.
            info = zipfile.ZipInfo(f"{name}.npy", (1980, 1, 1, 0, 0, 0))
            info.compress_type = zipfile.ZIP_DEFLATED
            with archive.open(info, "w", force_zip64=True) as member:
                np.lib.format.write_array(member, np.asarray(array, order="C"), allow_pickle=False)
            yield pieces.taken()
    yield pieces.taken()


class _Pieces(io.RawIOBase):
    """A stream whose content is taken piece by piece."""

    def __init__(self) -> None:
        self._written: list[bytes] = []

    def writable(self) -> bool:
        """Return whether it can be written to, which is all it can."""
        return True

    def write(self, data: Any) -> int:
        """Write a piece."""
        self._written.append(bytes(data))
        return len(data)

    def taken(self) -> bytes:
        """Return what has been written since the last time."""
        found, self._written = b"".join(self._written), []
        return found


# --- reading ---


@dataclass(frozen=True, eq=False)
class ReachMap:
    """A reach map that has been read; costs are read when they are asked for."""

    path: Path
    about: Mapping[str, Any]
    arrays: Arrays

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> ReachMap:
        """Read a map; raise FileError if the file is none."""
        with opened(path) as stream:
            if not zipfile.is_zipfile(stream):
                raise _no_map(path, "it is no .npz file")
        names = ("about", "board", "blocks", "prices", *OF_STARTS, *OF_PLACES)
        try:
            with opened(path) as stream, np.load(stream, allow_pickle=False) as found:
                arrays = {name: found[name] for name in (*names, *(name for name in [_AREA] if name in found.files))}
            about = json.loads(str(arrays.pop("about")))
            if not isinstance(about, dict) or about.get("kind") != "reach map" or about.get("format") != 1:
                raise ValueError("it does not say that it is one of format 1")
            _check(arrays)
        except KeyError as error:
            raise _no_map(path, f"it has no array {error.args[0].split()[0]}") from None
        except UNREADABLE as error:
            raise _no_map(path, str(error).partition("\n")[0]) from None
        return cls(Path(path), about, arrays)

    def __len__(self) -> int:
        return len(self.arrays["cell"])

    @cached_property
    def board(self) -> Board[Any]:
        """The board."""
        return parse_board(str(self.arrays["board"]), f"{self.path}: the board")

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the places."""
        rows, columns = self.arrays["present"].shape
        return rows, columns

    def starts_at(self, cells: Any) -> NDArray[np.int64]:
        """Return the numbers of the starts in some cells, counted row by row."""
        return np.flatnonzero(np.isin(self.arrays["cell"], cells))

    @property
    def has_costs(self) -> bool:
        """Whether it holds the costs, not only what each start and each place adds up to."""
        return len(self.arrays["blocks"]) > 1

    def blocks(self) -> Iterator[tuple[int, NDArray[np.float32]]]:
        """Yield the costs block by block: the number of its first start, and an array [start, row, column]."""
        for number, first in enumerate(self.arrays["blocks"][:-1].tolist()):
            yield first, self._block(number)

    def costs_from(self, start: int) -> NDArray[np.float32]:
        """Return what each place costs from a start, by its number: [row, column]."""
        if not 0 <= start < len(self):
            raise IndexError(f"there are {len(self)} starts, counted from 0: none is {start}")
        if not self.has_costs:
            raise FileError([Fault(str(self.path), 0, 0, "", "holds no costs: it was made with --summary")])
        firsts = self.arrays["blocks"]
        number = int(np.searchsorted(firsts, start, "right")) - 1
        costs: NDArray[np.float32] = self._block(number)[start - int(firsts[number])]
        return costs

    def _block(self, number: int) -> NDArray[np.float32]:
        try:
            with opened(self.path) as stream, np.load(stream, allow_pickle=False) as found:
                block: NDArray[np.float32] = self.arrays["prices"].take(found[f"{_BLOCK}{number:06}"])
                return block
        except UNREADABLE as error:
            raise _no_map(self.path, f"its block {number} of costs cannot be read: {error}") from None


def _check(arrays: Arrays) -> None:
    """Raise ValueError if arrays do not fit each other."""
    places, starts = arrays["present"].shape, len(arrays["cell"])
    if len(places) != 2:
        raise ValueError("its places are no rows and columns")
    for name in OF_PLACES:
        if arrays[name].shape != places:
            raise ValueError(f"{name} has the shape {arrays[name].shape}, not {places}")
    for name in OF_STARTS:
        if len(arrays[name]) != starts:
            raise ValueError(f"{name} has {len(arrays[name])} entries for {starts} starts")
    cells = arrays["cell"]
    if cells.dtype.kind != "i" or (starts and not 0 <= cells.min() <= cells.max() < places[0] * places[1]):
        raise ValueError("its starts are no places of its own")
    blocks = arrays["blocks"]
    firsts = blocks.tolist()
    if blocks.ndim != 1 or firsts[:1] != [0] or sorted(firsts) != firsts or firsts[-1] not in (0, starts):
        raise ValueError("its blocks of costs are not those of its starts")


def _no_map(path: str | os.PathLike[str], reason: str) -> FileError:
    message = f"is no reach map as `simulator reach-map` writes it: {reason}"
    return FileError([Fault(str(path), 0, 0, "", message)])
