"""Threat maps: how many units of a side can end at each place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from simulator import pictures
from simulator.engine import geojson
from simulator.engine.areas import cells_around, common, extent, extent_text, ground, without
from simulator.engine.errors import TableError
from simulator.engine.lattice_reach import LatticeReach
from simulator.engine.playthrough import Playthrough
from simulator.engine.reach import Place, ReachAnswer
from simulator.engine.state import require_side
from simulator.engine.table import Table
from simulator.engine.table_reach import know_areas
from simulator.errors import TooMuchAsked
from simulator.geometry.board import Board, Lattice
from simulator.geometry.snapping import union
from simulator.later import Later
from simulator.wording import measure

if TYPE_CHECKING:
    import shapely
    from shapely.geometry.base import BaseGeometry
else:
    shapely = Later("shapely")


@dataclass(frozen=True, eq=False)
class Threat:
    """Where one unit can end, the part of an answer that a map keeps: on a lattice one bit for each cell around it."""

    board: Board[Any]
    action: str
    #: The size of the ground.
    extent: float
    #: The rows and columns of a lattice that contain all of it, and the bits of their cells.
    _window: tuple[slice, slice] | None
    _cells: NDArray[np.uint8] | None
    _answer: ReachAnswer | None

    @classmethod
    def of(cls, board: Board[Any], answer: ReachAnswer) -> Threat:
        """Return the part of an answer needed by a map; on a table that is the answer itself."""
        if not isinstance(board, Lattice):
            return cls(board, answer.action, extent(board, answer.area), None, None, answer)
        if isinstance(answer, LatticeReach):
            window, cells = _marked(answer.mask)
        else:
            window, cells = cells_around(board, answer.area)
        return cls(board, answer.action, float(np.count_nonzero(cells)), window, np.packbits(cells), None)

    @property
    def cells(self) -> NDArray[np.bool_]:
        """For numpy: the cells of a lattice in which it can end, [row, column]."""
        if not isinstance(self.board, Lattice):
            raise TableError(f"a {self.board.kind} has no cells")
        found = np.zeros(self.board.shape, np.bool_)
        window, cells = self._bits()
        found[window] = cells
        return found

    def add_to(self, counts: NDArray[np.int64]) -> None:
        """Add 1 in every cell of a lattice in which it can end."""
        window, cells = self._bits()
        counts[window] += cells

    def _bits(self) -> tuple[tuple[slice, slice], NDArray[np.bool_]]:
        assert self._cells is not None
        assert self._window is not None
        rows, columns = (part.stop - part.start for part in self._window)
        cells = np.unpackbits(self._cells, count=rows * columns).reshape(rows, columns).view(np.bool_)
        return self._window, cells

    @property
    def area(self) -> BaseGeometry:
        """The ground where it can end."""
        if self._answer is not None:
            return self._answer.area
        assert isinstance(self.board, Lattice)
        return self.board.region_of(self.cells)

    def __contains__(self, place: Place) -> bool:
        if self._answer is not None:
            return place in self._answer
        assert isinstance(self.board, Lattice)
        return place in self.board and bool(self.cells[self.board.index(place)])


def _marked(mask: NDArray[np.bool_]) -> tuple[tuple[slice, slice], NDArray[np.bool_]]:
    """Return the rows and columns that contain all of a mask, and that part of it."""
    rows, columns = (np.flatnonzero(mask.any(axis=axis)) for axis in (1, 0))
    if not len(rows):
        return (slice(0, 0), slice(0, 0)), mask[:0, :0]
    window = slice(int(rows[0]), int(rows[-1]) + 1), slice(int(columns[0]), int(columns[-1]) + 1)
    return window, mask[window]


@dataclass(frozen=True, eq=False)
class ThreatMap:
    """Where the units of a side can end, each with one action of its own, on the current table."""

    table: Table[Any]
    side: str
    #: Where each can end, by the unit that moves: for riders, by their carrier.
    threats: Mapping[str, Threat]
    #: The units without an answer, each with the reason.
    silent: Mapping[str, str]

    @property
    def board(self) -> Board[Any]:
        """The board."""
        return self.table.board

    @cached_property
    def counts(self) -> NDArray[np.int64]:
        """For numpy: the number of units that can end in each cell of a lattice, [row, column]."""
        if not isinstance(self.board, Lattice):
            raise TableError(f"a {self.board.kind} has no cells to count in; use at_least")
        counts = np.zeros(self.board.shape, np.int64)
        for one in self.threats.values():
            one.add_to(counts)
        return counts

    @cached_property
    def at_least(self) -> tuple[BaseGeometry, ...]:
        """The ground where 1, 2, 3 ... units or more can end, up to the largest number."""
        if isinstance(self.board, Lattice):
            return tuple(self.board.region_of(self.counts >= count) for count in range(1, int(self.counts.max()) + 1))
        layers: list[BaseGeometry] = []
        for threat in self.threats.values():
            below = ground(threat.area)
            for number, layer in enumerate(layers):
                # Ground of this layer that is reached once more belongs to the next layer, too.
                layers[number], below = union([layer, below]), common(layer, below)
            layers.append(below)
        return tuple(layer for layer in layers if not layer.is_empty)

    @property
    def exactly(self) -> list[tuple[int, BaseGeometry]]:
        """The ground where exactly a number of units can end, 1 first."""
        above = [*self.at_least[1:], shapely.Polygon()]
        pairs = enumerate(zip(self.at_least, above, strict=True), 1)
        return [(count, without(area, more)) for count, (area, more) in pairs]

    def units_at(self, place: Place) -> tuple[str, ...]:
        """Return the units that can end at a place."""
        return tuple(name for name, threat in self.threats.items() if place in threat)

    def __repr__(self) -> str:
        return f"<ThreatMap of {self.side}: {measure(len(self.threats), 'unit')} on {self.board!r}>"

    def __str__(self) -> str:
        lines = [f"{self.side}: {measure(len(self.threats) + len(self.silent), 'unit')}"]
        for name, threat in self.threats.items():
            lines.append(f"  {name}: {extent_text(self.board, threat.extent)} ({threat.action})")
        lines += [f"  {name}: nowhere; {reason}" for name, reason in self.silent.items()]
        if self.at_least:
            lines.append("where several of them can end:")
        lines += [f"  {count:>3} or more: {self._size_text(area)}" for count, area in enumerate(self.at_least, 1)]
        return "\n".join(lines)

    def _size_text(self, area: BaseGeometry) -> str:
        return extent_text(self.board, extent(self.board, area))

    def to_fields(self) -> dict[str, Any]:
        """Return the map as plain data; on a lattice with the count of every cell, row by row."""
        found: dict[str, Any] = {
            "side": self.side,
            "units": {
                name: {"action": threat.action, "extent": threat.extent} for name, threat in self.threats.items()
            },
            "silent": dict(self.silent),
            "at_least": [extent(self.board, area) for area in self.at_least],
        }
        if isinstance(self.board, Lattice):
            found |= {"first": list(self.board.first), "counts": self.counts.tolist()}
        return found

    def to_geojson(self) -> dict[str, Any]:
        """Return the ground by number of units as a GeoJSON feature collection in plane coordinates."""
        features = [geojson.feature(area, "threat", side=self.side, units=count) for count, area in self.exactly]
        return {"type": "FeatureCollection", "features": features}

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)


def threat_map(game: Playthrough[Any], side: str, action: str = "", **question: Any) -> ThreatMap:
    """Compute where every unit of a side can end; without an action, each with its first that has an answer."""
    require_side(side, game.state)
    count, most = sum(unit.side == side for unit in game.state), game.ruleset.most_asked
    if most is not None and count > most:
        message = (
            f"{side} has {measure(count, 'unit')}; {game.ruleset.name} computes the reach of at most {most} at once"
        )
        raise TooMuchAsked(f"{message}: compute them one by one")
    threats: dict[str, Threat] = {}
    silent: dict[str, str] = {}
    # Riders move with their carrier, which counts once, whichever of them has an answer.
    together: dict[str, list[str]] = {}
    for unit in game.state:
        if unit.side == side:
            together.setdefault(game.ruleset.moves_with(game.table, unit).id, []).append(unit.id)
    while together:
        first = {names.pop(0): mover for mover, names in together.items()}
        found = list(game.reach_many(first, action, **question))
        know_areas(answer for _, answer in found if not isinstance(answer, TableError))
        for name, answer in found:
            if isinstance(answer, TableError):
                silent[name] = str(answer)
            else:
                threats.setdefault(answer.mover.id, Threat.of(game.board, answer))
                together.pop(first[name])
        together = {mover: names for mover, names in together.items() if names}
    silent = {unit.id: silent[unit.id] for unit in game.state if unit.id in silent}
    return ThreatMap(game.table, side, threats, silent)
