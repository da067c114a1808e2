"""The most expensive input that each documented limit allows: a file that reaches it, and the commands to run on it.

Files are generated, the same every time. The limits are named in `formats/limits.py`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from simulator.formats import limits
from simulator.writing import write_whole

Maker = Callable[[Path], Path]
#: With this many corners each, the pieces near a soldier have nearly as many as a search allows.
_CORNERS_EACH = 18
#: Among this many low blocks and patches a soldier has nearly as many decision places as a plan may have, and there is
#: an end that no plan reaches for certain.
_BLOCKS, _UNSURE_END = 9, "16.54,11.77"
_CORNERS = (0, 0), (1, 0), (1, 1), (0, 1)


@dataclass(frozen=True)
class LimitCase:
    """One command on a file that reaches one or several limits."""

    #: The names of the limits reached.
    limits: tuple[str, ...]
    what: str
    make: Maker
    #: The command; `FILE` stands for the file.
    command: tuple[str, ...]

    @property
    def name(self) -> str:
        """A short name, to select cases by."""
        return f"{self.command[0]}: {self.what}"


def limit_cases() -> Iterator[LimitCase]:
    """Yield every case."""
    squares = ("cells",), "2,000 x 2,000 squares", squares_board
    dots = ("cells",), "2,000 x 2,000 dots", dots_board
    for board in (squares, dots):
        yield LimitCase(*board, ("check", "FILE"))
        yield LimitCase(*board, ("show", "FILE", "--svg", "out.svg"))
        yield LimitCase(*board, ("walk", "FILE", "--from", "1000,1000", "--budget", "60", "--json"))
        yield LimitCase(*board, ("bench", "FILE"))
    yield LimitCase(("cells",), "2,000 x 2,000 squares, grid_runner", grid_runner_scenario, ("reach", "FILE", "ann"))
    riding = ("cells",), "2,000 x 2,000 dots, dot_trooper", dot_trooper_scenario
    yield LimitCase(*riding, ("reach", "FILE", "ann", "--action", "drive"))
    yield LimitCase(*riding, ("reach", "FILE", "bob", "--action", "foot_move"))
    yield LimitCase(*riding, ("reach", "FILE", "bob", "--action", "activate_jet_pack"))
    table = ("pieces", "vertices"), "a table of all pieces and corners", table_board
    for command in (
        ("check", "FILE"),
        ("show", "FILE", "--svg", "out.svg"),
        ("walk", "FILE", "--from", "303.3,303.3", "--budget", "12"),
        ("bench", "FILE", "--queries", "8"),
    ):
        yield LimitCase(*table, command)
    full = ("pieces", "vertices"), "skirmish on a table of all pieces and corners", skirmish_on_full_table
    yield LimitCase(*full, ("reach", "FILE", "ann"))
    near = ("pieces", "near_corners"), "skirmish among as many corners as are searched", skirmish_among_corners
    yield LimitCase(*near, ("reach", "FILE", "ann"))
    one_end = ("decision_places",), "skirmish, the chance of one end among as many places", skirmish_among_places
    yield LimitCase(*one_end, ("path", "FILE", "ann", _UNSURE_END))
    for name, make in (
        ("grid_runner", many_characters),
        ("dot_trooper", many_bikes),
        ("skirmish", many_soldiers),
    ):
        crowd = ("units",), f"{limits.UNITS.most:,} units of {name}", make
        yield LimitCase(*crowd, ("check", "FILE"))
        yield LimitCase(*crowd, ("run", "FILE", "--html", "out.html"))
        yield LimitCase(*crowd, ("threats", "FILE", "red"))
    for name, make in (("grid_runner", long_walk), ("skirmish", long_march)):
        story = ("orders",), f"{limits.ORDERS.most:,} orders of {name}", make
        yield LimitCase(*story, ("check", "FILE"))
        yield LimitCase(*story, ("run", "FILE", "--html", "out.html"))
    rough = ("units", "pieces"), "40 + 20 soldiers among 60 rough patches", soldiers_in_the_rough
    yield LimitCase(*rough, ("threats", "FILE", "red"))
    yield LimitCase(("edges",), "50,000 walls", many_walls, ("check", "FILE"))
    yield LimitCase(("overrides", "redrawn"), "50,000 overrides of 1,000 cells", many_overrides, ("check", "FILE"))
    yield LimitCase(("areas", "area_places"), "1,000 areas of 1,000 places", many_areas, ("check", "FILE"))
    areas_shown = ("areas", "area_places"), "1,000 areas of 1,000 places", many_areas
    yield LimitCase(*areas_shown, ("show", "FILE", "--svg", "out.svg"))
    yield LimitCase(("labels",), "10,000 labels", many_labels, ("show", "FILE", "--svg", "out.svg"))
    yield LimitCase(("legend", "terrains"), "255 kinds of terrain", many_terrains, ("show", "FILE", "--svg", "out.svg"))
    yield LimitCase(("file_bytes", "nodes", "nesting"), "a file of all values", full_file, ("check", "FILE"))


def chosen_cases(names: Sequence[str]) -> list[LimitCase]:
    """Return the cases whose names or limits contain one of some words; without words, all of them."""
    every = [(case, f"{case.name} {' '.join(case.limits)}") for case in limit_cases()]
    return [case for case, text in every if not names or any(name in text for name in names)]


# --- boards ---


def _glyphs(rows: int, columns: int, seed: int, drawn: str = ".f#") -> list[str]:
    chosen = np.random.default_rng(seed).choice(list(drawn), (rows, columns), p=[0.8, 0.15, 0.05])
    return ["".join(row) for row in chosen]


def _written(folder: Path, name: str, head: str, rows: list[str]) -> Path:
    path = folder / f"{name}.yaml"
    drawn = "".join(f"  {row}\n" for row in rows)
    write_whole(path, f"format: 1\n{head}rows: |\n{drawn}".encode())
    return path


_SQUARES = 'board: squares\nlegend:\n  ".": {}\n  f: {terrain: forest}\n  "#": {wall: true}\n'
_DOTS = 'board: dots\nlegend:\n  ".": {}\n  f: {terrain: forest}\n  "#": {impassable: true}\n'


def squares_board(folder: Path) -> Path:
    """Write a board with the maximum number of squares."""
    side = math.isqrt(limits.CELLS.most)
    return _written(folder, "squares", _SQUARES, _glyphs(side, side, 1))


def dots_board(folder: Path) -> Path:
    """Write a board with the maximum number of dots."""
    side = math.isqrt(limits.CELLS.most)
    return _written(folder, "dots", _DOTS, _glyphs(side, side, 2))


def table_board(folder: Path) -> Path:
    """Write a table with the maximum number of pieces and of corners."""
    return _table_of(folder, limits.VERTICES.most // limits.PIECES.most)


def _table_of(folder: Path, corners: int) -> Path:
    """Write a table with the maximum number of pieces, each with some corners."""
    most = limits.PIECES.most
    dice, side = np.random.default_rng(3), math.isqrt(limits.PIECES.most) + 1
    angles = np.arange(corners) / corners * 2 * np.pi
    lines = ["format: 1", "board: table", "size: [600, 600]", "pieces:"]
    for number in range(most):
        row, column = divmod(number, side)
        reach = dice.uniform(1.0, 2.6, corners)
        x = np.round(4 + 8.2 * column + reach * np.cos(angles), 3)
        y = np.round(4 + 8.2 * row + reach * np.sin(angles), 3)
        ring = ", ".join(f"[{a}, {b}]" for a, b in zip(x.tolist(), y.tolist(), strict=True))
        lines.append(f"  - {{id: p{number}, kind: obstacle, layer: obstacle, polygon: [{ring}]}}")
    path = folder / "table.yaml"
    write_whole(path, ("\n".join(lines) + "\n").encode())
    return path


def many_walls(folder: Path) -> Path:
    """Write a board with the maximum number of edges."""
    rows = ["." * 300] * 300
    walls = "".join(
        f"  - wall: [[{column}, {row}], [{column + 1}, {row}]]\n"
        for row, column in (divmod(number, 290) for number in range(limits.EDGES.most))
    )
    return _written(folder, "walls", f'board: squares\nlegend:\n  ".": {{}}\nedges:\n{walls}', rows)


def many_overrides(folder: Path) -> Path:
    """Write a board with the maximum number of overrides and of overridden cells."""
    rows = ["." * 300] * 300
    wide = limits.REDRAWN.most // limits.OVERRIDES.most // 40
    over = "".join(
        f"  - {{from: [{n % 250}, {n % 240}], to: [{n % 250 + wide - 1}, {n % 240 + 38}], level: {n % 3}}}\n"
        for n in range(limits.OVERRIDES.most)
    )
    return _written(folder, "overrides", f'board: squares\nlegend:\n  ".": {{}}\noverrides:\n{over}', rows)


def many_areas(folder: Path) -> Path:
    """Write a board with the maximum number of areas and of places in them."""
    rows = ["." * 1000] * 1000
    areas = "".join(
        f"  - {{name: a{n}, rectangles: [[[{x}, {y}], [{x + 31}, {y + 30}]]]}}\n"
        for n, x, y in ((n, n % 30 * 30, n // 30 * 28) for n in range(limits.AREAS.most))
    )
    return _written(folder, "areas", f'board: squares\nlegend:\n  ".": {{}}\nareas:\n{areas}', rows)


def many_labels(folder: Path) -> Path:
    """Write a board with the maximum number of labels."""
    labels = "".join(f"  - {{at: [{n % 100}, {n // 100}], text: L{n}}}\n" for n in range(limits.LABELS.most))
    return _written(folder, "labels", f'board: squares\nlegend:\n  ".": {{}}\nlabels:\n{labels}', ["." * 100] * 100)


def many_terrains(folder: Path) -> Path:
    """Write a board with the maximum number of kinds of terrain."""
    glyphs = [chr(0x4E00 + n) for n in range(limits.TERRAINS.most - 1)]
    legend = "".join(f"  {glyph}: {{terrain: kind_{n}}}\n" for n, glyph in enumerate(glyphs))
    chosen = np.random.default_rng(4).choice(glyphs, (400, 400))
    return _written(folder, "terrains", f"board: squares\nlegend:\n{legend}", ["".join(row) for row in chosen])


def full_file(folder: Path) -> Path:
    """Write a file with the maximum number of values, under a key that no board has."""
    path = folder / "values.yaml"
    count = limits.NODES.most // 2 - 10
    write_whole(path, ("format: 1\nboard: squares\nlist: [" + "1, " * count + "1]\n").encode())
    return path


# --- scenarios ---


def _scenario(folder: Path, name: str, head: str, units: list[str], turns: list[str]) -> Path:
    path = folder / f"{name}.yaml"
    lines = ["format: 1", *head.splitlines(), "units:", *(f"  {unit}" for unit in units)]
    lines += ["turns:", *turns] if turns else []
    write_whole(path, ("\n".join(lines) + "\n").encode())
    return path


def grid_runner_scenario(folder: Path) -> Path:
    """Write a scenario: one character in the middle of the largest board of squares."""
    board = squares_board(folder).name
    units = ["ann: {type: character, side: red, at: [1000, 1000], metatype: human}"]
    return _scenario(folder, "one_character", f"ruleset: grid_runner\nboard: {board}", units, [])


def dot_trooper_scenario(folder: Path) -> Path:
    """Write a scenario: a bike and a trooper in the middle of the largest board of dots."""
    side = math.isqrt(limits.CELLS.most)
    rows = ["." * side] * side
    board = _written(folder, "open_dots", _DOTS, rows).name
    units = [
        'bike: {type: vehicle, side: red, at: "1000:1000", heading: 0, "on": true, motion: moving}',
        "ann: {type: trooper, side: red, aboard: bike}",
        'bob: {type: trooper, side: red, at: "1010:1000"}',
    ]
    return _scenario(folder, "one_bike", f"ruleset: dot_trooper\nboard: {board}", units, [])


def skirmish_on_full_table(folder: Path) -> Path:
    """Write a scenario: a soldier on a table with the maximum number of pieces and corners."""
    board = table_board(folder).name
    units = ["ann: {type: soldier, side: red, at: [303.3, 303.3]}"]
    return _scenario(folder, "one_soldier", f"ruleset: skirmish\nboard: {board}", units, [])


def skirmish_among_corners(folder: Path) -> Path:
    """Write a scenario: a soldier among nearly as many corners as a query of skirmish allows."""
    board = _table_of(folder, _CORNERS_EACH).name
    units = ["ann: {type: soldier, side: red, at: [303.3, 303.3]}"]
    return _scenario(folder, "one_soldier", f"ruleset: skirmish\nboard: {board}", units, [])


def skirmish_among_places(folder: Path) -> Path:
    """Write a scenario: a soldier with nearly as many decision places as a plan to one end may have.

    It stands between low blocks, which it can climb; every fourth of them is a patch of rough ground.
    """
    lines = ["format: 1", "board: table", "size: [40, 40]", "pieces:"]
    for number in range(_BLOCKS):
        # Along a spiral, so that each further block is farther away.
        turn, away = 2.4 * number, 2.0 + 1.9 * math.sqrt(number)
        x, y = round(20 + away * math.cos(turn), 2), round(20 + away * math.sin(turn), 2)
        kind = (
            "kind: rough_terrain" if number % 4 == 3 else f"kind: obstacle, layer: obstacle, height: {1 + number % 3}"
        )
        wide, deep = (1.5, 0.5) if number % 2 else (0.5, 1.5)
        ring = ", ".join(f"[{round(x + a * wide, 2)}, {round(y + b * deep, 2)}]" for a, b in _CORNERS)
        lines.append(f"  - {{id: p{number}, {kind}, polygon: [{ring}]}}")
    path = folder / "blocks.yaml"
    write_whole(path, ("\n".join(lines) + "\n").encode())
    units = ["ann: {type: soldier, side: red, at: [20, 20]}"]
    return _scenario(folder, "among_blocks", f"ruleset: skirmish\nboard: {path.name}", units, [])


def _sides(count: int) -> Iterator[tuple[int, str]]:
    yield from ((number, "red" if number % 2 else "blue") for number in range(count))


def many_characters(folder: Path) -> Path:
    """Write a scenario with the maximum number of characters."""
    board = _written(folder, "field", 'board: squares\nlegend:\n  ".": {}\n', ["." * 200] * 200).name
    units = [
        f"u{n}: {{type: character, side: {side}, at: [{2 + n % 64 * 3}, {2 + n // 64 * 6}], metatype: human}}"
        for n, side in _sides(limits.UNITS.most)
    ]
    return _scenario(folder, "characters", f"ruleset: grid_runner\nboard: {board}", units, [])


def many_bikes(folder: Path) -> Path:
    """Write a scenario with the maximum number of bikes and riders."""
    board = _written(folder, "plain", 'board: dots\nlegend:\n  ".": {}\n', ["." * 300] * 300).name
    units = []
    for n, side in _sides(limits.UNITS.most // 2):
        at = f'"{5 + n % 32 * 9}:{5 + n // 32 * 9}"'
        units.append(f'b{n}: {{type: vehicle, side: {side}, at: {at}, heading: 0, "on": true, motion: moving}}')
        units.append(f"r{n}: {{type: trooper, side: {side}, aboard: b{n}}}")
    return _scenario(folder, "bikes", f"ruleset: dot_trooper\nboard: {board}", units, [])


def many_soldiers(folder: Path) -> Path:
    """Write a scenario with the maximum number of soldiers."""
    write_whole(folder / "wide.yaml", b"format: 1\nboard: table\nsize: [200, 200]\n")
    units = [
        f"u{n}: {{type: soldier, side: {side}, at: [{3 + n % 45 * 4.3:.1f}, {3 + n // 45 * 4.3:.1f}]}}"
        for n, side in _sides(limits.UNITS.most)
    ]
    return _scenario(folder, "soldiers", "ruleset: skirmish\nboard: wide.yaml", units, [])


def soldiers_in_the_rough(folder: Path) -> Path:
    """Write a scenario: two sides among patches of rough ground."""
    dice = np.random.default_rng(5)
    pieces = []
    for n in range(60):
        x, y = 6 + n % 10 * 9, 6 + n // 10 * 9
        ring = ", ".join(
            f"[{x + r * math.cos(a):.3f}, {y + r * math.sin(a):.3f}]"
            for a, r in zip(np.arange(7) / 7 * 2 * math.pi, dice.uniform(2, 4, 7), strict=True)
        )
        pieces.append(f"  - {{id: r{n}, kind: rough_terrain, polygon: [{ring}]}}")
    board = ["format: 1", "board: table", "size: [96, 60]", "pieces:", *pieces]
    write_whole(folder / "rough.yaml", ("\n".join(board) + "\n").encode())
    units = [
        f"u{n}: {{type: soldier, side: {'red' if n < 40 else 'blue'}, at: [{4 + n % 12 * 8}, {4 + n // 12 * 11}]}}"
        for n in range(60)
    ]
    return _scenario(folder, "rough_fight", "ruleset: skirmish\nboard: rough.yaml", units, [])


def long_walk(folder: Path) -> Path:
    """Write a scenario with the maximum number of orders, for one character on a small board."""
    board = _written(folder, "small", 'board: squares\nlegend:\n  ".": {}\n', ["." * 20] * 20).name
    units = ["ann: {type: character, side: red, at: [9, 9], metatype: human}"]
    orders = [f'  - - "ann move: {("e", "w")[n % 2]}"' for n in range(limits.ORDERS.most)]
    return _scenario(folder, "long_walk", f"ruleset: grid_runner\nboard: {board}", units, orders)


def long_march(folder: Path) -> Path:
    """Write a scenario with the maximum number of orders, for one soldier on a bare table."""
    write_whole(folder / "bare.yaml", b"format: 1\nboard: table\nsize: [48, 36]\n")
    units = ["ann: {type: soldier, side: red, at: [20, 20]}"]
    orders = [f'  - - "ann: to {(22, 20)[n % 2]},20"' for n in range(limits.ORDERS.most)]
    return _scenario(folder, "long_march", "ruleset: skirmish\nboard: bare.yaml", units, orders)
