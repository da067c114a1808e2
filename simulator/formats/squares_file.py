"""Board files of square grids: building the board from a checked document, and writing one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.formats import limits
from simulator.formats.board_models import Cell
from simulator.formats.documents import BoardKind, SourceFile
from simulator.formats.faults import Path
from simulator.formats.lattice_text import area_entry, draw, head, label_entry
from simulator.formats.lattices import LatticeDraft, read_areas, read_labels
from simulator.formats.squares_models import SquareEdge, SquareLook, SquaresFile
from simulator.formats.yaml_text import drawing, entries, flow
from simulator.geometry.squares import Square, SquareGrid

_USUAL: Mapping[str, Any] = {key: field.default for key, field in SquareLook.model_fields.items()}


def build_squares(document: SquaresFile, source: SourceFile, name: str) -> SquareGrid | None:
    """Build the board of a document; None if it is faulty, with the faults added to the source."""
    lattice = LatticeDraft.drawn(source, document)
    if lattice is None:
        return None

    def corner(place: Square, path: Path) -> Cell | None:
        column, row = place
        if 0 <= column < lattice.width and 0 <= row < lattice.height:
            return row, column
        reach = f"columns 0 to {lattice.width - 1}, rows 0 to {lattice.height - 1}"
        source.fault(path, f"{list(place)} is not on the board: {reach}")
        return None

    lattice.override(document.overrides, corner)
    lattice.check_terrains()
    walls = _Walls(lattice, source, corner)
    for number, edge in enumerate(document.edges):
        walls.put(edge, ("edges", number))
    areas = read_areas(source, document.areas, "squares", corner, lambda row, column: (column, row))
    labels = read_labels(document.labels, lambda place: (place[0] + 0.5, lattice.height - place[1] - 0.5))
    if source.faults:
        return None
    return SquareGrid(
        name=name,
        terrain_kinds=tuple(lattice.terrains),
        terrain=lattice.planes["terrain"],
        walls=lattice.planes["wall"],
        walls_east=walls.east,
        walls_south=walls.south,
        impeded=lattice.planes["impeded"],
        level=lattice.planes["level"],
        square_size=document.square.size,
        unit=document.square.unit,
        areas=areas,
        labels=labels,
        description=document.description,
        scenery=tuple(document.scenery),
    )


class _Walls:
    """The walls between squares while the entries under `edges` are applied."""

    def __init__(
        self, lattice: LatticeDraft, source: SourceFile, corner: Callable[[Square, Path], Cell | None]
    ) -> None:
        self.lattice = lattice
        self.corner = corner
        self.source = source
        self.east: NDArray[np.bool_] = np.zeros(lattice.codes.shape, np.bool_)
        self.south: NDArray[np.bool_] = np.zeros(lattice.codes.shape, np.bool_)

    def put(self, edge: SquareEdge, path: Path) -> None:
        """Apply one entry."""
        if edge.wall is not None:
            self._between(*edge.wall, True, (*path, "wall"))
        elif edge.open is not None:
            self._between(*edge.open, False, (*path, "open"))
        elif edge.wall_line is not None:
            self._along(edge.wall_line, (*path, "wall_line"))
        elif edge.wall_around is not None:
            inside = self.lattice.drawn_with(edge.wall_around, (*path, "wall_around"))
            if inside is not None:
                self.east[:, :-1] |= inside[:, :-1] != inside[:, 1:]
                self.south[:-1] |= inside[:-1] != inside[1:]

    def _between(self, one: Square, other: Square, wall: bool, path: Path) -> None:
        cells = [self.corner(place, (*path, number)) for number, place in enumerate((one, other))]
        if cells[0] is None or cells[1] is None:
            return
        (row, column), (to_row, to_column) = sorted((cells[0], cells[1]))
        if (to_row - row, to_column - column) == (0, 1):
            self.east[row, column] = wall
        elif (to_row - row, to_column - column) == (1, 0):
            self.south[row, column] = wall
        else:
            self.source.fault(path, f"the squares {list(one)} and {list(other)} share no edge")

    def _along(self, corners: list[Cell], path: Path) -> None:
        width, height = self.lattice.width, self.lattice.height
        if len(corners) < 2:
            self.source.fault(path, "expected two corner points or more")
        for number, ((column, row), (to_column, to_row)) in enumerate(pairwise(corners)):
            left, right = sorted((column, to_column))
            top, bottom = sorted((row, to_row))
            if left < 0 or right > width or top < 0 or bottom > height:
                reach = f"columns 0 to {width}, rows 0 to {height}"
                self.source.fault((*path, number), f"leads off the board: corner points have {reach}")
            elif (left == right) == (top == bottom):
                self.source.fault((*path, number), "expected a run along one grid line to the next corner point")
            elif (top == bottom and top in (0, height)) or (left == right and left in (0, width)):
                self.source.fault(
                    (*path, number), "runs along the rim of the board, where there is nothing to wall off"
                )
            elif not self.lattice.may_go_over(right - left + bottom - top, path):
                return
            elif top == bottom:
                self.south[top - 1, left:right] = True
            else:
                self.east[top:bottom, left - 1] = True


def squares_text(board: SquareGrid) -> str:
    """Return a board as the text of a file."""
    planes = {"terrain": board.terrain, "wall": board.walls, "impeded": board.impeded, "level": board.level}
    drawn = draw(planes, board.terrain_kinds, _USUAL)
    south = [((column, row + 1), (to_column, row + 1)) for row, column, to_column in _runs(board.walls_south)]
    east = [((column + 1, row), (column + 1, to_row)) for column, row, to_row in _runs(board.walls_east.T)]
    lines = [
        *head(board, "squares"),
        f"square: {flow({'size': board.square_size, 'unit': board.unit})}",
        "legend:",
        *drawn.legend,
        *drawing("rows", drawn.glyph_rows),
        *drawn.numbers,
        *entries("edges", [{"wall_line": line} for line in (*south, *east)]),
        *entries("areas", [area_entry(area, "squares") for area in board.areas]),
        *entries("labels", [label_entry(label, _place_of(label.x, label.y, board)) for label in board.labels]),
    ]
    return "\n".join(lines) + "\n"


def _runs(walls: NDArray[np.bool_]) -> list[tuple[int, int, int]]:
    """Return the runs of True in each row of an array: (row, first, one after the last)."""
    padded = np.pad(walls, ((0, 0), (1, 1))).astype(np.int8)
    steps = np.diff(padded, axis=1)
    begins, ends = np.argwhere(steps == 1).tolist(), np.argwhere(steps == -1).tolist()
    return [(row, first, last) for (row, first), (_, last) in zip(begins, ends, strict=True)]


def _place_of(x: float, y: float, board: SquareGrid) -> Square | None:
    """Return the place whose centre a point is, if reading that place returns exactly this point."""
    column, row = x - 0.5, board.height - y - 0.5
    most = limits.COORDINATE.most
    if not (column.is_integer() and row.is_integer() and abs(column) <= most and abs(row) <= most):
        return None
    exact = (column + 0.5, board.height - row - 0.5) == (x, y)
    return (int(column), int(row)) if exact else None


KIND = BoardKind(SquaresFile, build_squares, squares_text)
