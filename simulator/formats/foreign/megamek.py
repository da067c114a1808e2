"""MegaMek `.board` files become hex-dot maps.

The hexes stand column beside column, every second one half a hex further down. They are counted row by row: the number
that each carries says nothing. A hex has a level and a list of terrains `name:level` or `name:level:exits`; bit 0 of
the exits is north, the others follow clockwise.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from simulator.errors import BoardError, Fault, FileError, LimitReached
from simulator.formats import limits, strict_yaml
from simulator.formats.faults import MOST_SHOWN, Faults, no_such, shorten
from simulator.formats.foreign.conversion import Conversion
from simulator.formats.foreign.mapping import Meaning, Words
from simulator.geometry.dots import DotKind, DotMap, Edge
from simulator.geometry.hex_lattice import Dot, OffsetLayout
from simulator.reading import read_whole

LAYOUT = OffsetLayout.ODD_COLUMNS
#: The neighbours that the bits of exits name, as differences of dots.
SIDES: tuple[Dot, ...] = ((0, -1), (1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0))
#: The terrain that states how many storeys another has.
STOREYS = {"building": "bldg_elev", "fuel_tank": "fuel_tank_elev"}
#: Beginnings of names that describe another terrain of the same hex.
_DETAILS = ("bldg_", "bridge_", "fuel_tank_", "foliage_")
_WORDS = ("size", "option", "hex", "tag", "description", "note", "background", "end")
_HEX = re.compile(r'hex\s+(\d+)\s+([-+]?\d{1,5})\s+"([^"]*)"(?:\s+"([^"]*)")?\s*', re.IGNORECASE)
_SIZE = re.compile(r"size\s+(\d{1,7})\s+(\d{1,7})\s*", re.IGNORECASE)
_TERRAIN = re.compile(r"\s*([A-Za-z_][A-Za-z0-9_]*):([-+]?\d{1,5})(?::(\d{1,3}))?\s*")
_QUOTED = re.compile(r'\w+\s+"([^"]*)"\s*')
_METRES = 30.0


@dataclass(frozen=True, slots=True)
class HexTerrain:
    """One terrain of a hex. `exits` is None where the file has none."""

    name: str
    level: int
    exits: int | None

    def meaning(self, words: Words) -> Meaning:
        """Return what it stands for; a word without a meaning stands for itself."""
        return words.find(*self.spellings) or Meaning(self.name)

    @property
    def spellings(self) -> tuple[str, str]:
        """The words under which a mapping can have it."""
        return f"{self.name}:{self.level}", self.name


@dataclass(frozen=True, slots=True)
class Hex:
    """A hex as the file has it."""

    line: int
    level: int
    terrains: tuple[HexTerrain, ...]

    def joins(self, side: int) -> bool:
        """Return whether its building goes on at a side; one without exits goes on everywhere."""
        return all(one.exits is None or one.exits >> side & 1 for one in self.terrains if one.name in STOREYS)


def read(conversion: Conversion) -> DotMap:
    """Read a `.board` file; raise FileError with the line of every fault."""
    faults = Faults(str(conversion.file))
    text = strict_yaml.decode(read_whole(conversion.file, limits.FILE_BYTES.most), faults)
    faults.raise_if_any()
    return parse_board_text(text or "", conversion)


def parse_board_text(text: str, conversion: Conversion) -> DotMap:
    """Read the text of a `.board` file."""
    board = _Lines(text, conversion)
    return _Dots(board, conversion).map()


class _Lines:
    """The lines of a file, read and checked: the size, the hexes in their order, and the texts."""

    def __init__(self, text: str, conversion: Conversion) -> None:
        self.file = str(conversion.file)
        self.report = conversion.report
        self.size: tuple[int, int] | None = None
        self.size_line = 1
        self.hexes: list[Hex] = []
        self.texts: list[str] = []
        self.faults: list[Fault] = []
        lines = text.splitlines()
        last = len(lines)
        for number, line in enumerate(lines, 1):
            if line.strip().lower() == "end":
                last = number
                break
            if line.strip() and not line.lstrip().startswith("#"):
                self._read(line, number)
        if rest := sum(bool(line.strip()) for line in lines[last:]):
            self.report.lose("line after 'end'", f"line {last + 1}", rest)
        self._check_size(last)
        if self.faults:
            more = len(self.faults) - MOST_SHOWN
            cut = (
                [Fault(self.file, self.faults[MOST_SHOWN].line, 1, "", f"{more} more faults from here on")]
                if more > 0
                else []
            )
            raise FileError([*self.faults[:MOST_SHOWN], *cut])

    def _fault(self, line: int, message: str, column: int = 1) -> None:
        self.faults.append(Fault(self.file, line, column, "", message))

    def _read(self, line: str, number: int) -> None:
        margin = len(line) - len(line.lstrip())
        word = line.split(None, 1)[0].lower()
        bare = line.strip()
        if word == "hex":
            self._read_hex(bare, number, margin)
        elif word == "size":
            self._read_size(bare, number)
        elif word == "option":
            self.report.lose(f"option {' '.join(bare.split()[1:])}".rstrip(), f"line {number}")
        elif word in ("tag", "description", "note", "background"):
            found = _QUOTED.fullmatch(bare)
            if found is None:
                self._fault(number, f'expected a text in double quotes after {word}, like {word} "hills"')
            elif word == "background":
                self.report.lose("background picture", f"line {number}")
            else:
                self.texts.append(found[1])
        else:
            self._fault(number, no_such(word, _WORDS), margin + 1)

    def _read_size(self, bare: str, number: int) -> None:
        found = _SIZE.fullmatch(bare)
        if self.size is not None:
            self._fault(number, f"the size is stated twice, first in line {self.size_line}")
        elif found is None or not (int(found[1]) and int(found[2])):
            self._fault(number, f"expected two whole numbers from 1, like 'size 16 17' (got {shorten(repr(bare))})")
        else:
            self.size, self.size_line = (int(found[1]), int(found[2])), number
            if self.size[0] * self.size[1] > limits.CELLS.most:
                message = limits.CELLS.reached(self.size[0] * self.size[1])
                raise LimitReached([Fault(self.file, number, 1, "", message)])

    def _read_hex(self, bare: str, number: int, margin: int) -> None:
        found = _HEX.fullmatch(bare)
        if found is None:
            self._fault(
                number, 'expected a number, a level, terrains and a theme, like hex 0101 0 "woods:1" ""', margin + 1
            )
            return
        level = int(found[2])
        if abs(level) > 10_000:
            self._fault(number, f"the level has to be from -10000 to 10000 (got {level})", margin + 1)
        terrains = []
        at = found.start(3)
        for part in found[3].split(";"):
            if part.strip():
                read = _TERRAIN.fullmatch(part)
                if read is None:
                    wanted = "expected terrains like 'woods:1', or with exits 'road:1:9', joined by ';'"
                    self._fault(number, f"{wanted} (got {shorten(repr(part))})", margin + at + 1)
                else:
                    exits = None if read[3] is None else int(read[3])
                    terrains.append(HexTerrain(read[1].lower(), int(read[2]), exits))
            at += len(part) + 1
        if found[4]:
            self.report.lose(f"theme {found[4]!r}", f"line {number}")
        self.hexes.append(Hex(number, level, tuple(terrains)))

    def _check_size(self, last: int) -> None:
        if self.size is None:
            if not self.faults:
                self._fault(1, "the line with the size is missing, like 'size 16 17'")
            return
        width, height = self.size
        if len(self.hexes) != width * height and not self.faults:
            wanted = f"{len(self.hexes)} hexes, but a board of size {width} {height} has {width * height}"
            self._fault(last, wanted)


class _Dots:
    """The map of hexes: their looks, and the walls between them."""

    def __init__(self, lines: _Lines, conversion: Conversion) -> None:
        self.lines = lines
        self.conversion = conversion
        self.report = conversion.report
        self.words = conversion.words
        self.width, self.height = lines.size or (0, 0)
        self.by_dot = {LAYOUT.dot(at % self.width, at // self.width): one for at, one in enumerate(lines.hexes)}

    def map(self) -> DotMap:
        kinds: dict[DotKind, int] = {}
        codes = [kinds.setdefault(self._look(one), len(kinds)) for one in self.lines.hexes]
        terrains = {kind.terrain for kind in kinds}
        if len(terrains) > limits.TERRAINS.most:
            raise LimitReached([self._at_size(limits.TERRAINS.reached(len(terrains)))])
        walls = dict.fromkeys(self._walls())
        if len(walls) > limits.EDGES.most:
            raise LimitReached([self._at_size(limits.EDGES.reached(len(walls)))])
        scale = self.conversion.scale or _METRES
        try:
            return DotMap.from_kinds(
                tuple(kinds),
                np.array(codes).reshape(self.height, self.width),
                LAYOUT,
                name=self.conversion.name,
                description="\n".join(self.lines.texts)[: limits.TEXT.most],
                edges=tuple(Edge("wall", a, b) for a, b in walls),
                dot_spacing=scale,
                unit="metre",
            )
        except BoardError as error:
            raise FileError([self._at_size(str(error))]) from None

    def _at_size(self, message: str) -> Fault:
        return Fault(self.lines.file, self.lines.size_line, 1, "", message)

    def _look(self, one: Hex) -> DotKind:
        """Return what the board holds of a hex, and count what it does not."""
        where = f"line {one.line}"
        details = {terrain.name: terrain for terrain in one.terrains if terrain.name.startswith(_DETAILS)}
        meant: list[tuple[int, HexTerrain, Meaning]] = []
        storeys = 0
        used: set[str] = set()
        for terrain in one.terrains:
            if terrain.name in details and terrain.name not in self.words:
                continue
            meaning = terrain.meaning(self.words)
            if meaning.skip:
                self.report.lose(terrain.name, where)
                continue
            if self.words.find(*terrain.spellings) is None:
                self.report.note(f"no meaning is known for {terrain.name!r}: it is its own word")
            meant.append((self.words.rank(*terrain.spellings), terrain, meaning))
            storeys = max(storeys, meaning.storeys)
            if (detail := STOREYS.get(terrain.name)) in details:
                storeys = max(storeys, details[detail].level)
                used.add(detail)
            if terrain.exits and not meaning.walls:
                self.report.lose(f"exits of {terrain.name}", where)
        for name in details:
            if name not in used and name not in self.words:
                self.report.lose(name, where)
        meant.sort(key=lambda each: each[0])
        for _, terrain, meaning in meant[1:]:
            if not (meaning.closed or meaning.walls == "cliff"):
                self.report.lose(f"{terrain.name} under another terrain of its hex", where)
        level = one.level - sum(terrain.level for _, terrain, meaning in meant if meaning.sinks)
        word = meant[0][2].named(meant[0][1].level) if meant else self._clear()
        return DotKind(word, level, storeys, impassable=any(meaning.closed for _, _, meaning in meant))

    def _clear(self) -> str:
        clear = self.words.find("clear")
        return "clear" if clear is None else clear.word

    def _walls(self) -> Iterator[tuple[Dot, Dot]]:
        """Yield the pairs of dots with a wall between them, the smaller first."""
        for dot, one in self.by_dot.items():
            for terrain in one.terrains:
                way = terrain.meaning(self.words).walls
                for side, (across, down) in enumerate(SIDES):
                    other = (dot[0] + across, dot[1] + down)
                    if way and other in self.by_dot and self._is_walled(way, terrain, one, side, self.by_dot[other]):
                        yield min(dot, other), max(dot, other)

    def _is_walled(self, way: str, terrain: HexTerrain, one: Hex, side: int, other: Hex) -> bool:
        if way == "cliff":
            return bool((terrain.exits or 0) >> side & 1)
        if not any(each.name == terrain.name for each in other.terrains):
            return way == "around"
        return not (one.joins(side) and other.joins((side + 3) % 6))
