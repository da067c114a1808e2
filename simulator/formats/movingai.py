"""The Moving AI benchmark format: `.map` files become square grids, `.scen` files lists of queries.

Moves are octile and corners are not cut. Of the letters, `.` and `G` are ground, `S` is swamp (open), `@`, `O` and
`T` are closed; water `W` is open to movers already in it: between water and land stands a wall on every edge.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from simulator.errors import Fault, FileError, LimitReached
from simulator.geometry.arrays import shifted
from simulator.geometry.board import MAX_CELLS
from simulator.geometry.squares import Square, SquareGrid, SquareKind
from simulator.reading import read_ascii

LETTERS = {
    ".": SquareKind("ground"),
    "G": SquareKind("ground"),
    "S": SquareKind("swamp"),
    "W": SquareKind("water"),
    "T": SquareKind("trees", wall=True),
    "@": SquareKind("outside", wall=True),
    "O": SquareKind("outside", wall=True),
}
MOST_BYTES = 64 * 2**20


@dataclass(frozen=True, slots=True)
class PublishedQuery:
    """One line of a scenario file: start, goal, and the published length of the shortest way."""

    bucket: int
    map_name: str
    width: int
    height: int
    start: Square
    goal: Square
    length: float


def load_map(path: Path) -> SquareGrid:
    """Read a `.map` file; raise FileError with line and column of a fault."""
    return parse_map(read_ascii(path, MOST_BYTES), str(path), path.stem)


def parse_map(
    text: str, file: str = "<text>", name: str = "", letters: Mapping[str, SquareKind] = LETTERS
) -> SquareGrid:
    """Read the text of a map; `letters` say what each stands for.

    >>> board = parse_map("type octile\\nheight 2\\nwidth 3\\nmap\\n..@\\n...\\n")
    >>> board.neighbours((1, 0))
    [(0, 0), (0, 1), (1, 1)]
    """
    lines = text.splitlines()
    head: dict[str, str] = {}
    for number, line in enumerate(lines[:4], 1):
        word, _, value = line.strip().partition(" ")
        if word == "map":
            break
        if word not in ("type", "height", "width"):
            raise _fault(file, number, 1, f"expected 'type', 'height', 'width' or 'map', not {line.strip()[:40]!r}")
        head[word] = value.strip()
    start = len(head) + 1
    if len(lines) < start or lines[start - 1].strip() != "map":
        raise _fault(file, start, 1, "the line 'map' is missing before the drawing")
    if head.get("type", "octile") != "octile":
        raise _fault(file, 1, 1, f"only maps of type octile can be read (got {head['type']!r})")
    width, height = (_whole(file, start, head.get(key, ""), key) for key in ("width", "height"))
    if width * height > MAX_CELLS:
        raise LimitReached([Fault(file, 1, 1, "", f"{width * height} squares, at most {MAX_CELLS} are allowed")])
    rows = lines[start:]
    while rows and not rows[-1].strip():
        rows.pop()
    if len(rows) != height:
        raise _fault(file, start + len(rows), 1, f"{len(rows)} rows, but the header has height {height}")
    for number, row in enumerate(rows, start + 1):
        if len(row) != width:
            raise _fault(
                file, number, min(len(row), width) + 1, f"{len(row)} letters, but the header has width {width}"
            )
        wrong = next((letter for letter in row if letter not in LETTERS), None)
        if wrong is not None:
            known = " ".join(LETTERS)
            raise _fault(file, number, row.index(wrong) + 1, f"no such letter {wrong!r} (known: {known})")
    kinds = tuple(letters.values())
    slots = np.zeros(128, np.intp)
    slots[[ord(letter) for letter in letters]] = range(len(kinds))
    codes = slots[np.frombuffer("".join(rows).encode("ascii"), np.uint8).reshape(height, width)]
    water = codes == list(letters).index("W")
    return SquareGrid.from_kinds(
        kinds,
        codes,
        name=name,
        walls_east=_shore(water, 0, 1),
        walls_south=_shore(water, 1, 0),
    )


def _shore(
    water: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], down: int, across: int
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Return the edges between water and land towards one side."""
    inside = shifted(np.ones_like(water), down, across)
    return np.asarray(inside & (water != shifted(water, down, across)))


def load_queries(path: Path) -> list[PublishedQuery]:
    """Read a `.scen` file; raise FileError with the line of a fault."""
    return parse_queries(read_ascii(path, MOST_BYTES), str(path))


def parse_queries(text: str, file: str = "<text>") -> list[PublishedQuery]:
    """Read the text of a scenario file."""
    lines = text.splitlines()
    if not lines or lines[0].split() not in (["version", "1"], ["version", "1.0"]):
        raise _fault(file, 1, 1, "the first line has to be 'version 1'")
    queries = []
    for number, line in enumerate(lines[1:], 2):
        if not line.strip():
            continue
        fields = line.split("\t") if "\t" in line else line.split()
        if len(fields) != 9:
            raise _fault(
                file, number, 1, f"{len(fields)} fields, a query has 9: bucket, map, width, height, start, goal, length"
            )
        bucket, width, height, *places = (_whole(file, number, fields[at], "a number") for at in (0, 2, 3, 4, 5, 6, 7))
        for at, (value, most) in enumerate(zip(places, (width, height, width, height), strict=True), 4):
            if value >= most:
                raise _fault(file, number, 1, f"field {at + 1} is {value}, the map ends at {most - 1}")
        try:
            length = float(fields[8])
        except ValueError:
            length = math.nan
        if not 0 <= length < math.inf:
            raise _fault(file, number, 1, f"the length has to be a number from 0 (got {fields[8][:40]!r})")
        start, goal = (places[0], places[1]), (places[2], places[3])
        queries.append(PublishedQuery(bucket, fields[1], width, height, start, goal, length))
    return queries


def _whole(file: str, line: int, text: str, what: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 9):
        raise _fault(file, line, 1, f"{what} has to be a whole number from 0 (got {text[:40]!r})")
    return int(text)


def _fault(file: str, line: int, column: int, message: str) -> FileError:
    return FileError([Fault(file, line, column, "", message)])
