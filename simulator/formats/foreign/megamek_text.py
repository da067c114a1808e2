"""Hex-dot maps as MegaMek `.board` files."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.errors import BoardError
from simulator.formats.foreign.mapping import Words
from simulator.formats.foreign.megamek import LAYOUT, SIDES
from simulator.formats.foreign.report import Report
from simulator.geometry.board import Board
from simulator.geometry.dots import DotMap
from simulator.geometry.hex_lattice import Dot

#: The construction factor of a building by its type, light to hardened, without which MegaMek has none.
_STRENGTH = {1: 15, 2: 40, 3: 90, 4: 150}


def board_file_text(board: Board[Any], words: Words, report: Report) -> str:
    """Return a map as the text of a `.board` file; count in the report what it cannot hold."""
    if not isinstance(board, DotMap):
        raise BoardError(f"only dots become a .board file, not {board.kind}")
    if board.layout is not LAYOUT:
        raise BoardError(f"a .board file has the layout {LAYOUT.value}, not {board.layout.value}")
    return "\n".join(_Hexes(board, words, report).lines()) + "\n"


class _Hexes:
    """A map while it is written: the rectangle around its dots, and the edges of each."""

    def __init__(self, board: DotMap, words: Words, report: Report) -> None:
        self.board = board
        self.report = report
        places = [LAYOUT.offset(dot) for dot in board.places()]
        columns, rows = zip(*places, strict=True)
        # A first column that is shifted would be the first of the file, which is not.
        self.left, self.top = min(columns) - min(columns) % 2, min(rows)
        self.width, self.height = max(columns) - self.left + 1, max(rows) - self.top + 1
        self.terrains = _terrains_by_word(words)
        self.walls = self._walls()
        for what, count in (("area", len(board.areas)), ("label", len(board.labels))):
            if count:
                report.lose(what, count=count)
        if self.left or self.top:
            report.note(f"column {self.left}, row {self.top} of the map is the first hex")

    def _walls(self) -> dict[Dot, set[int]]:
        """Return the sides with walls of each dot, as bits of exits number them."""
        walls: dict[Dot, set[int]] = {}
        for edge in self.board.edges:
            if edge.kind != "wall":
                self.report.lose(f"{edge.kind} on an edge")
                continue
            if edge.levels is not None:
                self.report.lose("storeys of a wall")
            side = SIDES.index((edge.b[0] - edge.a[0], edge.b[1] - edge.a[1]))
            walls.setdefault(edge.a, set()).add(side)
            walls.setdefault(edge.b, set()).add((side + 3) % 6)
        return walls

    def lines(self) -> Iterator[str]:
        yield f"size {self.width} {self.height}"
        for line in filter(None, self.board.description.split("\n")):
            yield 'tag "' + line.replace('"', "'") + '"'
        for row in range(self.height):
            for column in range(self.width):
                yield self._hex(column, row)
        yield "end"

    def _hex(self, column: int, row: int) -> str:
        dot = LAYOUT.dot(column + self.left, row + self.top)
        head = f"hex {column + 1:02}{row + 1:02}"
        if dot not in self.board:
            self.report.lose("hole: MegaMek has a hex there, an impassable one")
            return f'{head} 0 "impassable:1" ""'
        at = self.board.index(dot)
        terrains = list(self._of_word(self.board.terrain_at(dot)))
        storeys = int(self.board.storeys[at])
        exits = ""
        if storeys:
            if not any(name == "building" for name, _ in terrains):
                terrains.append(("building", 1))
            exits = f":{self._joined(dot)}"
            kind = next(level for name, level in terrains if name == "building")
            terrains += [("bldg_elev", storeys), ("bldg_cf", _STRENGTH.get(kind, _STRENGTH[1]))]
        if self.board.impassable[at] and ("impassable", 1) not in terrains:
            terrains.append(("impassable", 1))
        if self.board.openings[at]:
            self.report.lose("opening")
        parts = [f"{name}:{level}{exits if name == 'building' else ''}" for name, level in terrains]
        if cliffs := self._cliffs(dot):
            parts.append(f"cliff_top:1:{cliffs}")
        return f'{head} {int(self.board.level[at])} "{";".join(parts)}" ""'

    def _of_word(self, word: str) -> Iterator[tuple[str, int]]:
        """Yield the terrain that a word of the board stands for; one that MegaMek does not have is lost."""
        found = self.terrains.get(word)
        if found is None:
            stem, _, number = word.rpartition("_")
            name = self.terrains.get(f"{stem}_{{level}}")
            if name is not None and number.isdigit():
                yield name[0], int(number)
            else:
                self.report.lose(f"terrain {word!r}: MegaMek has no such word (--terrain names one)")
        elif found[0]:
            yield found

    def _is_building(self, dot: Dot) -> bool:
        return dot in self.board and bool(self.board.storeys[self.board.index(dot)])

    def _joined(self, dot: Dot) -> int:
        """Return the exits of a building: all neighbouring buildings that no wall separates from it."""
        walls = self.walls.get(dot, set())
        beside = ((side, (dot[0] + across, dot[1] + down)) for side, (across, down) in enumerate(SIDES))
        return sum(1 << side for side, other in beside if self._is_building(other) and side not in walls)

    def _cliffs(self, dot: Dot) -> int:
        """Return the walls of a dot that are not between buildings; each stands on the first of its two dots."""
        sides = 0
        for side in self.walls.get(dot, ()):
            other = (dot[0] + SIDES[side][0], dot[1] + SIDES[side][1])
            if dot < other and not (self._is_building(dot) and self._is_building(other)):
                sides |= 1 << side
        return sides


def _terrains_by_word(words: Words) -> dict[str, tuple[str, int]]:
    """Return the terrain of MegaMek for each word of a board, the most important first; `clear` is none."""
    found: dict[str, tuple[str, int]] = {}
    for spelled in words:
        meaning = words.meanings[spelled]
        name, _, level = spelled.partition(":")
        if meaning.walls == "cliff" or meaning.skip:
            continue
        if name in ("clear", "none"):
            name = ""
        found.setdefault(meaning.word, (name, int(level) if level.isdigit() else 1))
    return found
