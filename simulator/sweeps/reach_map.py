"""A reach map: where a unit can end from everywhere, computed in parts by one process, by several, or on a cluster.

    question = MapQuestion("Yard", game.setting, game.state, "ann", "move")
    work = MapWork.begun(question, Path("yard.npz"))        # or MapWork.resumed
    for done in work.work(): ...
    work.finish()                                           # yard.npz, see `reach_map_file`

A part is a range of places; its answers follow from the question alone, so the file is the same whoever computes it.
"""

from __future__ import annotations

import io
import json
import pickle
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.engine.bulk_reach import BulkReach, FromStarts
from simulator.engine.game import Game
from simulator.engine.state import State
from simulator.engine.table import Setting
from simulator.engine.values import to_plain
from simulator.errors import TooMuchAsked
from simulator.formats.limits import Limit
from simulator.sweeps.parts import KeptParts, Players, begin, check_program, in_ranges, played_here, resume
from simulator.sweeps.reach_map_file import BLOCK_BYTES, UNREADABLE, write_map, zipped
from simulator.sweeps.reach_summary import Summary
from simulator.version import __version__

MATRIX = Limit("matrix", 2**30, "costs of a reach map: starts times places")
_COST_BYTES = 4
#: A part has no fewer places than this if they are searched side by side.
_SIDE_BY_SIDE = 1024
_MANIFEST = "reach_map.json"
#: Instead of its arrays a part of a sweep that has failed holds why.
FAILED = "failed"
_ENDING = "npz"


@dataclass(frozen=True)
class MapQuestion:
    """The question of a map: the position, the unit, and what is asked of it from everywhere."""

    #: The name of the scenario.
    scenario: str
    setting: Setting[Any]
    state: State
    unit: str
    action: str = ""
    values: Mapping[str, Any] = field(default_factory=dict)
    #: How far apart the places of a table are, in inches.
    spacing: float = 1.0
    #: The headings in which it sets out; by default each of a lattice, on a table the one that it has.
    headings: Sequence[Any] = ()
    #: Whether the areas of the ends are measured as polygons.
    measured: bool = False
    #: Whether the costs themselves are kept, not only their summary.
    with_costs: bool = True
    #: The files of rulebooks that are no packages.
    rulebooks: tuple[str, ...] = ()

    def asked(self) -> BulkReach:
        """Ask: return what answers from each place."""
        game = Game(self.setting, self.state)
        return game.bulk_reach(
            self.unit,
            self.action,
            spacing=self.spacing,
            headings=self.headings,
            measured=self.measured,
            **self.values,
        )

    @cached_property
    def described(self) -> dict[str, Any]:
        """Everything that the map follows from, as plain data: a map is resumed only if none of it differs."""
        setting = self.setting
        return {
            "program": __version__,
            "scenario": self.scenario,
            "ruleset": setting.ruleset.name,
            "board": setting.board.content_hash,
            "position": self.state.position_hash,
            "options": to_plain(setting.options.changed),
            "tables": to_plain(setting.tables.overrides),
            "unit": self.unit,
            "action": self.action,
            "question": {name: str(value) for name, value in sorted(self.values.items())},
            "spacing": self.spacing,
            "headings": [str(one) for one in self.headings],
            "measured": self.measured,
            "with_costs": self.with_costs,
        }


@dataclass(frozen=True)
class MapPart:
    """A range of the places of a question, to be answered anywhere."""

    question: bytes
    rulebooks: tuple[str, ...]
    cells: range
    #: The version of the program that sends it.
    program: str = __version__


def answer_part(part: MapPart) -> dict[str, NDArray[Any]]:
    """Answer for all starts in a range of places, and return the arrays of that part."""
    check_program(part.program, "reach map")
    question, every = _asked(part.question, part.rulebooks)
    summary, costs = Summary(every.raster), list[FromStarts]()
    for found in every.from_cells(part.cells.start, part.cells.stop):
        summary.add(found)
        if question.with_costs:
            costs.append(found)
    told = {"labels": list(summary.labels), "unanswered": summary.unanswered}
    # Of a large board a part reaches a few rows only.
    rows = np.flatnonzero(summary.reached_from.any(axis=1))
    first, last = (int(rows[0]), int(rows[-1]) + 1) if len(rows) else (0, 0)
    arrays = summary.arrays(question.measured)
    arrays |= {
        "reached_rows": np.array([first, last]),
        "reached_from": summary.reached_from[first:last],
        "told": np.array(json.dumps(told)),
    }
    if question.with_costs:
        arrays |= _compact(costs, every.raster.shape)
    return arrays


def _compact(found: Sequence[FromStarts], shape: tuple[int, int]) -> dict[str, NDArray[Any]]:
    """Return the costs of all places as numbers of prices, and the prices: far less to send and to keep than costs."""
    prices = np.unique(np.concatenate([np.array([np.inf], np.float32), *(some.prices for some in found)]))
    kind = np.min_scalar_type(len(prices))
    ranks = [np.searchsorted(prices, some.prices).astype(kind).take(some.everywhere(shape)) for some in found]
    return {"ranks": np.concatenate([np.zeros((0, *shape), kind), *ranks]), "prices": prices}


@lru_cache(maxsize=1)
def _asked(question: bytes, rulebooks: tuple[str, ...]) -> tuple[MapQuestion, BulkReach]:
    """Ask the question once in each process; its parts share what is prepared for it."""
    if rulebooks:
        from simulator.rulesets import shelf

        for file in rulebooks:
            shelf().add(file)
    loaded: MapQuestion = pickle.loads(question)
    return loaded, loaded.asked()


class MapWork:
    """A reach map that is being computed; `begun` or `resumed` make one.

    Until it is finished, its parts are kept in a folder beside the file, with `.parts` after its name.
    """

    def __init__(self, question: MapQuestion, file: Path) -> None:
        self.question, self.file = question, file
        self._folder = folder_of(file)
        self.every = question.asked()
        #: Its parts in their folder.
        self.kept = KeptParts(self._folder, in_ranges(len(self.every), self._most_cells, self._least_cells), _ENDING)

    @classmethod
    def begun(cls, question: MapQuestion, file: Path) -> MapWork:
        """Begin a map; raise SweepRefused if one has been begun there, TooMuchAsked if it would be too large."""
        work = cls(question, file)
        work.check_size()
        begin(folder_of(file) / _MANIFEST, question.described, "reach map")
        return work

    @classmethod
    def resumed(cls, question: MapQuestion, file: Path) -> MapWork:
        """Continue a map; raise SweepRefused if there is none, or one of another question."""
        resume(folder_of(file) / _MANIFEST, question.described, "reach map")
        return cls(question, file)

    def begin_or_resume(self) -> None:
        """Begin it, or continue it if it has been begun."""
        manifest = self._folder / _MANIFEST
        (resume if manifest.exists() else begin)(manifest, self.question.described, "reach map")

    # --- its size ---

    @property
    def most_starts(self) -> int:
        """No more starts than this are expected: each place in each heading."""
        return int(np.count_nonzero(self.every.raster.present)) * len(self.every.headings)

    @property
    def _most_cells(self) -> int:
        """The places of one part."""
        if not self.question.with_costs:
            return len(self.every)
        from_each = len(self.every) * len(self.every.headings) * _COST_BYTES
        return max(1, BLOCK_BYTES // from_each)

    @property
    def _least_cells(self) -> int:
        """Where all are searched side by side, less would hardly be worth sending."""
        return 1 if self.every.departures is None else _SIDE_BY_SIDE

    def check_size(self) -> None:
        """Raise TooMuchAsked if the costs of all starts would be too many to keep."""
        size = self.most_starts * len(self.every)
        if self.question.with_costs and size > MATRIX.most:
            raise TooMuchAsked(f"{MATRIX.reached(size)}; --summary keeps what each start and each place adds up to")

    def __len__(self) -> int:
        return len(self.every)

    # --- work ---

    @property
    def done(self) -> int:
        """The number of places whose answers are kept."""
        return self.kept.done

    @property
    def parts(self) -> int:
        """The number of parts: more processes would have nothing to do."""
        return len(self.kept.ranges)

    def work(self, players: Players = played_here) -> Iterator[int]:
        """Answer for every place that is missing, and yield how many are done, beginning with those kept."""
        yield from self.kept.work(answer_part, lambda number, _: self.part(number), packed, players)

    def part(self, number: int) -> MapPart:
        """Return a part by its number, to be answered anywhere."""
        return MapPart(self._pickled, self.question.rulebooks, self.kept.ranges[number])

    @cached_property
    def _pickled(self) -> bytes:
        return pickle.dumps(self.question)

    def failure(self) -> str:
        """Return why a part has failed, of several the first; empty if none has. Only a sweep keeps such parts."""
        for number in range(self.parts):
            told = self._read(number, FAILED, optional=True)
            if FAILED in told:
                return str(told[FAILED])
        return ""

    def drop(self) -> None:
        """Remove the parts."""
        shutil.rmtree(self._folder)

    def write(self) -> dict[str, Any]:
        """Write the file from its parts, and return what it says about itself."""
        return write_map(self.file, self._about(), self.every, self._read, self.parts, self.question.with_costs)

    def finish(self) -> dict[str, Any]:
        """Write the file, remove the parts, and return what the file says about itself."""
        about = self.write()
        self.drop()
        return about

    def _about(self) -> dict[str, Any]:
        every, described = self.every, self.question.described
        board = self.question.setting.board
        return {
            "format": 1,
            "kind": "reach map",
            "scenario": described["scenario"],
            "ruleset": described["ruleset"],
            "board": {"name": board.name, "kind": board.kind, "hash": board.content_hash},
            "clock": str(self.question.state.clock),
            "options": described["options"],
            "tables": described["tables"],
            "unit": self.question.unit,
            "mover": every.mover.id,
            "side": every.mover.side,
            "action": every.action,
            "question": described["question"],
            "cost_unit": every.unit,
            "spacing": None if every.is_on_lattice else self.question.spacing,
            "measured": self.question.measured,
        }

    def _read(self, number: int, *names: str, optional: bool = False) -> dict[str, NDArray[Any]]:
        try:
            with np.load(io.BytesIO(self.kept.read(number)), allow_pickle=False) as found:
                return {name: found[name] for name in names or found.files if not optional or name in found.files}
        except UNREADABLE as error:
            raise self.kept.damaged(number) from error


def folder_of(file: Path) -> Path:
    """Return the folder of the parts of a file."""
    return file.with_name(f"{file.name}.parts")


def packed(arrays: Mapping[str, NDArray[Any]]) -> bytes:
    """Return the arrays of a part as its file."""
    return b"".join(zipped(arrays.items()))
