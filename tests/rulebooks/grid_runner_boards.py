"""Boards and games for the tests of grid_runner: drawn ones, and generated ones with everything that can stand on them.

In a drawing `@` is the mover A, capital letters are its friends, small letters its enemies, `.` and `,` and `#` ground
as in board files.
"""

from fractions import Fraction

import numpy as np

from simulator.engine.game import Game
from simulator.geometry.squares import SquareGrid
from simulator.rulesets import shelf

RULES = shelf()["grid_runner"]


def character(name, side, place, **fields):
    return RULES.make_unit(name, "character", side, place, **fields)


def game(drawing, options=None, fields=None, answers=None, tables=None):
    """Set up a game from a drawing; `fields` are those of single characters by name (A is the mover)."""
    fields = fields or {}
    rows = [line.split() for line in drawing.strip().splitlines()]
    units, ground = [], []
    for row, glyphs in enumerate(rows):
        for column, glyph in enumerate(glyphs):
            if glyph.isalpha() or glyph == "@":
                name = "A" if glyph == "@" else glyph.upper() + ("1" if glyph.islower() else "")
                side = "blue" if glyph.islower() else "red"
                units.append(character(name, side, (column, row), **fields.get(name, {})))
        ground.append(" ".join("." if glyph.isalpha() or glyph == "@" else glyph for glyph in glyphs))
    units.sort(key=lambda unit: (unit.side != "red", unit.id))
    board = SquareGrid.from_text("\n".join(ground))
    return Game.new(RULES, board, units, options=options, answers=answers, tables=tables)


SIZE = 6


def generated(seed, scale, options=None, budget=None, crowd=7):
    """Generate a game: walls, impeded squares, friends, enemies, some prone, immobilised or grappling."""
    dice = np.random.default_rng(seed)
    drawing = dice.choice(list("....,#"), size=(SIZE, SIZE), p=[0.2, 0.2, 0.2, 0.15, 0.1, 0.15])
    east = dice.random((SIZE, SIZE)) < 0.06
    south = dice.random((SIZE, SIZE)) < 0.06
    east[:, -1] = south[-1] = False
    text = "\n".join(" ".join(row) for row in drawing.tolist())
    board = SquareGrid.from_text(text, walls_east=east, walls_south=south)
    free = [(int(c), int(r)) for r, c in np.argwhere(~board.walls)]
    order = dice.permutation(len(free))
    squares = [free[number] for number in order]
    metatypes = ["dwarf", "human", "elf", "ork", "troll"]
    units = []
    for number in range(min(crowd, len(squares) - 2)):
        side = "red" if number == 0 or dice.random() < 0.35 else "blue"
        lies = dice.random()
        state = {"prone": bool(lies < 0.12), "immobilised": bool(0.12 <= lies < 0.2)} if number else {}
        chance = Fraction(int(dice.integers(0, 5)), 4)
        place = squares[number]
        if scale == "m5" and number and dice.random() < 0.4:
            place = units[int(dice.integers(len(units)))].place  # several may share a square
        units.append(
            character(
                f"A{number}" if number else "A",
                side,
                place,
                metatype=metatypes[int(dice.integers(5))],
                passes=int(dice.integers(1, 5)),
                damage_chance=chance,
                agility_gymnastics=int(dice.integers(0, 4)),
                **state,
            )
        )
    if dice.random() < 0.6:  # a pair that grapples, of two sides
        place = squares[-1]
        units += [
            character("G1", "red", place, grappling="G2", holds=True),
            character("G2", "blue", place, grappling="G1"),
        ]
    fields = {"mode": "run" if dice.random() < 0.5 else "walk"}
    if (options or {}).get("diagonal_parity_reset") == "never":
        fields["parity"] = int(dice.integers(2))
    units[0] = units[0].put(fields)
    tables = None
    if budget is not None:
        unit, scale_path = units[0], f"allotment_table.{scale}.{fields['mode']}.{units[0]['metatype']}"
        high = max(one["passes"] for one in units)
        tables = {f"{scale_path}.h{high}": [budget] * high}
        assert unit.id == "A"
    return Game.new(RULES, board, units, options={"scale": scale, **(options or {})}, tables=tables)
