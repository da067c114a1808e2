"""Counts of distinct end states of Move Actions of mecha, by their elements: the public proof, on small tables.

Movement is continuous, so an alphabet of elements is played on each table: all moves of so many of them, those that
are refused included. A state is the place, the heading and what was spent; it is counted by the kind of the last
element of its move. Run as a script, it writes the file that keeps the counts.
"""

from typing import NamedTuple

from exhaustive_mecha import World
from exhaustive_skirmish import counts_of
from mecha_carriers import price

from simulator.engine.errors import IllegalOrder
from simulator.engine.game import Game
from simulator.geometry.pieces import Piece, PolygonShape
from simulator.geometry.table import InchTable
from simulator.rulesets.mecha import RULESET

#: Moves have so many elements.
DEPTH = 3
_TYPES = {"walker": "mecha", "four_legged_walker": "mecha", "infantry": "infantry"}
#: The clauses of what forbids to end somewhere, or with so little spent, and not to go on from there.
_OF_ENDS = ("ME-43", "ME-50", "ME-71", "ME-87", "ME-88")


class Small(NamedTuple):
    """A table with its mover, and the elements that are tried: a name, an amount, and what of it is free."""

    world: World
    alphabet: tuple


def _box(x1, y1, x2, y2):
    return ((x1, y1), (x2, y1), (x2, y2), (x1, y2))


MUD = ("difficult", "mud", _box(1.2, -3, 3.3, 3))
POOL = ("shallow_water", "pool", _box(-4, -1.1, -1.3, 5))
BOARDS = {
    "walker": Small(
        World("walker", "standard", 5, pieces=(MUD, POOL)),
        (
            ("forward", 1.2, 0),
            ("backward", 0.5, 0),
            ("sideways_left", 0.7, 0),
            ("turn_left", 90, 90),
            ("turn_left", 30, 0),
            ("turn_right", 60, 30),
        ),
    ),
    "four legs": Small(
        World(
            "four_legged_walker",
            "standard",
            6,
            size=5,
            pieces=(("very_difficult", "bog", _box(0.8, -2, 2.4, 1)), ("building", "shed", _box(-3, 1.3, 3, 3))),
            others=(("F", "red", (2.6, 0), 0.5, 1, "walker"), ("G", "red", (-1.7, 0), 0.5, 4, "walker")),
        ),
        (
            ("forward", 1.5, 0),
            ("forward", 0.6, 0),
            ("backward", 1.1, 0),
            ("sideways_right", 0.8, 0),
            ("turn_left", 45, 45),
            ("turn_right", 100, 0),
        ),
    ),
    "track": Small(
        World(
            "track",
            "standard",
            6,
            base=0.75,
            pieces=(("very_difficult", "wood", _box(2.5, -2, 5, 2)), MUD, ("rough", "scree", _box(-4, -4, -1, 4))),
            others=(("X", "blue", (0, 2), 0.5, 2, "walker"),),
        ),
        (
            ("forward", 1.7, 0),
            ("forward", 0.5, 0),
            ("backward", 1.2, 0),
            ("turn_left", 22.5, 0),
            ("turn_left", 90, 0),
            ("turn_right", 23, 0),
        ),
    ),
    "a run on wheels": Small(
        World("wheel", "run", 4, size=1, pieces=(("rough", "scree", _box(0.9, -6, 3, 6)), MUD)),
        (
            ("forward", 3.2, 0),
            ("forward", 1, 0),
            ("backward", 1.5, 0),
            ("turn_left", 45, 0),
            ("turn_right", 90, 0),
        ),
    ),
    "on foot": Small(
        World("infantry", "standard", 4, base=0.3, size=0, foot=True, pieces=(MUD, POOL)),
        (
            ("forward", 1.1, 0),
            ("forward", 0.4, 0),
            ("backward", 0.5, 0),
            ("turn_left", 45, 0),
            ("turn_left", 100, 0),
            ("turn_right", 46, 0),
        ),
    ),
    "hover in a narrow place": Small(
        World(
            "hover",
            "standard",
            8,
            half=5,
            size=4,
            pieces=(POOL, ("building", "block", _box(1.2, 1.2, 3, 3))),
            others=(("F", "red", (0, -2), 0.5, 1, "hover"), ("X", "blue", (-2.5, 0), 0.5, 1, "hover")),
        ),
        (
            ("forward", 2, 0),
            ("forward", 3.6, 0),
            ("backward", 1.5, 0),
            ("turn_left", 45, 0),
            ("turn_right", 90, 0),
            ("turn_left", 90, 0),
        ),
    ),
    "a charge": Small(
        World("walker", "charge", 3, pieces=(MUD,), others=(("X", "blue", (3.5, 0), 0.5, 2, "track"),), target="X"),
        (
            ("forward", 2.5, 0),
            ("forward", 1.5, 0),
            ("forward", 1, 0),
            ("backward", 0.5, 0),
            ("turn_left", 90, 90),
            ("turn_right", 45, 0),
        ),
    ),
    "a manoeuvre": Small(
        World(
            "walker",
            "manoeuvre",
            8,
            others=(("X", "blue", (1, 0), 0.5, 2, "track"), ("Y", "blue", (-3, 0), 0.5, 2, "track")),
        ),
        (
            ("forward", 0.5, 0),
            ("backward", 0.5, 0),
            ("sideways_left", 1, 0),
            ("sideways_right", 1, 0),
            ("turn_left", 90, 90),
            ("turn_right", 90, 0),
            ("forward", 1, 0),
        ),
    ),
}


def game_on(name):
    """The table as a game of the engine."""
    world = BOARDS[name].world
    pieces = [
        Piece(called, kind, PolygonShape(corners), "elevated", height=4)
        if kind == "building"
        else Piece(called, kind, PolygonShape(corners))
        for kind, called, corners in world.pieces
    ]
    side = 2 * world.half
    board = InchTable(name, side, side, (-world.half, -world.half), pieces=pieces, ground="flat_ground")
    mover = _unit("A", world.mobility, "red", (0, 0), world.base, world.size, move=world.move)
    others = [_unit(*_reordered(other)) for other in world.others]
    return Game.new(RULESET, board, [mover, *others])


def _reordered(other):
    name, side, place, radius, size, mobility = other
    return name, mobility, side, place, radius, size


def _unit(name, mobility, side, place, radius, size, move=6):
    fields = {"mobility": mobility, "size_class": size, "move": move, "base": radius, "skills": ["combat_manoeuvres"]}
    return RULESET.make_unit(name, _TYPES.get(mobility, "vehicle"), side, place, 0, **fields)


def written(element):
    """An element as an order says it."""
    name, amount, free = element
    return f"{name} {amount}" + (f" free {free}" if free else "")


def played(name):
    """For each number of elements the distinct states in which moves of so many end, played by the engine."""
    small, game = BOARDS[name], game_on(name)
    target = f" {small.world.target}" if small.world.target else ""
    layer, found = [()], {}
    for number in range(1, DEPTH + 1):
        longer, found[number] = [], {}
        for elements in layer:
            for element in small.alphabet:
                order = f"A {small.world.action}{target}: {', '.join(map(written, (*elements, element)))}"
                end, goes_on = after(game, order)
                if goes_on:
                    longer.append((*elements, element))
                if end is not None:
                    found[number].setdefault(element[0], set()).add(end)
        layer = longer
    return found


def after(game, order):
    """The state after an order, and whether longer moves may begin like it."""
    twin = game.branch()
    try:
        happened = twin.do(order)
    except IllegalOrder as refused:
        return None, all(breach.clause in _OF_ENDS for breach in refused.breaches)
    unit = twin.state.unit("A")
    place = tuple(round(float(number), 3) + 0.0 for number in unit.place)
    return (place, round(float(unit.heading), 3) % 360, round(price(happened), 6)), True


def as_text():
    """Write the counts as the file that keeps them."""
    lines = ["# Distinct end states by elements and kind. Written by tests/rulebooks/perft_mecha.py."]
    for name in BOARDS:
        lines.append(f"{name}:")
        for elements, kinds in counts_of(played(name)).items():
            lines.append(f"  {elements}: {{{', '.join(f'{kind}: {count}' for kind, count in kinds.items())}}}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(as_text(), end="")
