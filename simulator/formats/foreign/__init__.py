"""Maps of other programs become boards, and boards their maps.

    from simulator.formats.foreign import read_map
    made = read_map("ridge.board")
    made.board, made.text, made.report.lines()

`docs/foreign_maps.md` says what is carried over and what is not; whatever is not is counted in the report.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from simulator.errors import BoardError, Fault, FileError, LimitReached
from simulator.formats.boards import board_text
from simulator.formats.foreign.conversion import Conversion
from simulator.formats.foreign.mapping import load_words
from simulator.formats.foreign.report import Exported, Imported, Report
from simulator.geometry.board import Board
from simulator.wording import did_you_mean

__all__ = ["FORMATS", "WRITTEN", "Exported", "Imported", "MapFormat", "Report", "format_of", "read_map", "write_map"]

#: The name of a file.
Name = str | os.PathLike[str]


class MapFormat(NamedTuple):
    """A format of maps: its name, the module that reads it, and the kinds of boards it can become."""

    name: str
    module: str
    kinds: tuple[str, ...]


_TILED = MapFormat("tiled", "simulator.formats.foreign.tiled", ("squares", "dots", "table"))
_UVTT = MapFormat("uvtt", "simulator.formats.foreign.uvtt", ("table", "squares"))

#: The formats by the ending of a file's name.
FORMATS: dict[str, MapFormat] = {
    ".board": MapFormat("megamek", "simulator.formats.foreign.megamek", ("dots",)),
    ".tmx": _TILED,
    ".tmj": _TILED,
    ".dd2vtt": _UVTT,
    ".uvtt": _UVTT,
    ".df2vtt": _UVTT,
    ".geojson": MapFormat("geojson", "simulator.formats.foreign.geojson", ("table",)),
    ".map": MapFormat("movingai", "simulator.formats.foreign.benchmarks", ("squares",)),
    ".mesh": MapFormat("polyanya", "simulator.formats.foreign.benchmarks", ("table",)),
}

#: The endings of the formats that can be written too, and the kinds of boards that become them.
WRITTEN: dict[str, tuple[str, ...]] = {
    ".geojson": ("table",),
    ".board": ("dots",),
    ".tmj": ("squares", "dots"),
    ".map": ("squares",),
}

_HINTS = {
    ".json": "; name it by what it holds: .tmj, .geojson or .uvtt",
    ".yaml": "; a .yaml file is a board already",
    ".tsx": "; name the map, it finds its tilesets",
    ".tsj": "; name the map, it finds its tilesets",
}


def format_of(path: Name) -> MapFormat:
    """Return the format of a map by the ending of its name; raise FileError for an unknown one."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        hint = _HINTS.get(suffix, "")
        message = f"no map has names that end in {suffix!r}; {did_you_mean(suffix, FORMATS)}{hint}"
        raise FileError([Fault(str(path), 0, 0, "", message)])
    return FORMATS[suffix]


def read_map(
    path: Name,
    kind: str | None = None,
    *,
    mapping: Name | None = None,
    terrain: Mapping[str, str] | None = None,
    scale: float | None = None,
    plane: bool = False,
) -> Imported:
    """Convert a foreign map to a board and report what was not carried over.

    `kind` is squares, dots or table where the format leaves a choice; `mapping` a file of words over those of the
    package, and `terrain` single words over both; `scale` the length of a square, a step or a unit of the map;
    `plane` says that coordinates of GeoJSON are no degrees. Raise FileError with all faults of the map, LimitReached
    beyond a limit, and BoardError for a kind or a scale that cannot be.

    >>> sorted({form.name for form in FORMATS.values()})
    ['geojson', 'megamek', 'movingai', 'polyanya', 'tiled', 'uvtt']
    """
    form = format_of(path)
    if kind is not None and kind not in form.kinds:
        raise BoardError(f"a {Path(path).suffix.lower()} file becomes {' or '.join(form.kinds)}, not {kind}")
    if scale is not None and not 0 < scale < 1e6:
        raise BoardError(f"expected a scale above 0 and below a million, not {scale}")
    words = load_words(form.name, mapping, terrain)
    conversion = Conversion(Path(path), words, kind, scale, plane)
    board = import_module(form.module).read(conversion)
    try:
        text = board_text(board)
    except LimitReached as error:
        at = [Fault(str(path), 0, 0, fault.path, f"as a board: {fault.message}") for fault in error.faults]
        raise LimitReached(at) from None
    except BoardError as error:
        raise FileError([Fault(str(path), 0, 0, "", f"as a board: {error}")]) from None
    return Imported(board, text, conversion.report)


def write_map(
    board: Board[Any],
    suffix: str,
    *,
    mapping: Name | None = None,
    terrain: Mapping[str, str] | None = None,
) -> Exported:
    """Convert a board to the format of maps whose files end in `suffix`, and report what they cannot hold.

    `mapping` and `terrain` replace words as in `read_map`, the word of the map first. Raise BoardError if a board of
    this kind cannot be such a map.

    >>> from simulator import parse_board
    >>> hall = parse_board('{format: 1, board: squares, legend: {".": {}, "#": {wall: true}}, rows: "..#"}')
    >>> write_map(hall, ".map").text
    'type octile\\nheight 1\\nwidth 3\\nmap\\n..@\\n'
    """
    if suffix not in WRITTEN:
        raise BoardError(f"no map can be written whose name ends in {suffix!r}; {did_you_mean(suffix, WRITTEN)}")
    if board.kind not in WRITTEN[suffix]:
        fit = " or ".join(name for name, kinds in WRITTEN.items() if board.kind in kinds)
        what = "a table" if board.kind == "table" else f"a board of {board.kind}"
        raise BoardError(f"{what} becomes {fit}, not {suffix}")
    if suffix != ".board" and (mapping is not None or terrain):
        raise BoardError(f"a {suffix} file has the words of the board: there is nothing to replace")
    report = Report()
    return Exported(_text(board, suffix, mapping, terrain, report), report)


def _text(
    board: Board[Any],
    suffix: str,
    mapping: Name | None,
    terrain: Mapping[str, str] | None,
    report: Report,
) -> str:
    match suffix:
        case ".geojson":
            from simulator.formats.foreign.geojson_text import geojson_text

            return geojson_text(board)
        case ".board":
            from simulator.formats.foreign.megamek_text import board_file_text

            return board_file_text(board, load_words("megamek", mapping, terrain), report)
        case ".tmj":
            from simulator.formats.foreign.tiled_text import tmj_text

            return tmj_text(board, report)
        case _:
            from simulator.formats.foreign.movingai_text import map_file_text

            return map_file_text(board, report)
