"""Counts of distinct end states by spends, split by what is done: the public proof of the rulebook, on small tables.

Movement is continuous, so an alphabet of orders is played: lines in eight directions (or in four, one spend deeper), of
1 inch and of the whole allowance; runs of 5 and 9 inches in the same directions; every traverse in reach; every other
stance. Each roll comes out both ways, and each choice is made both ways. A state is the place, the stance, the AP, the
Threshold, the token.
"""

from exhaustive_skirmish import DIRECTIONS, INCHES, counts_of, rounded
from skirmish_tables import block, rough, wall

from simulator.engine.answers import Script
from simulator.engine.errors import IllegalOrder
from simulator.engine.game import Game
from simulator.engine.orders import Order
from simulator.engine.questions import Roll
from simulator.geometry.table import InchTable
from simulator.rulesets.skirmish import RULESET, make_soldier
from simulator.rulesets.skirmish.traverse.rules import in_reach

HALF = 6.0


def _box(x1, y1, x2, y2):
    return [(x1, y1), (x2, y1), (x2, y2), (x1, y2)]


#: For each table its pieces (kind, name, points, height), friends, enemies, and the soldier's fields.
BOARDS = {
    "open": ([], (), (), {}),
    "wall": ([("wall", "wall", [(2, -6), (2, 6)], 1.5)], (), (), {"threshold_left": 1}),
    "crate": ([("block", "crate", _box(1.5, -1, 3, 1.25), 0.8)], (), (), {"stance": "crouching", "threshold_left": 1}),
    "gate": (
        [("wall", "north", [(1.7, 0.4), (1.7, 6)], 9), ("wall", "south", [(1.7, -6), (1.7, -0.4)], 9)],
        (),
        (),
        {"threshold_left": 0},
    ),
    "mud": ([("rough", "mud", _box(1.25, -6, 4, 6), 0)], (), (), {"threshold_left": 1}),
    "lane": (
        [("wall", "north", [(-6, 0.5), (6, 0.5)], 5), ("wall", "south", [(-6, -0.5), (6, -0.5)], 5)],
        ((2, 0),),
        ((5, 0),),
        {"threshold_left": 0},
    ),
    "crowd": (
        [("rough", "reeds", _box(-4, 0.75, -0.75, 4), 0), ("wall", "fence", [(-3, -1.5), (3, -1.5)], 1)],
        ((1.5, 0), (-1, 1.5)),
        ((0, 2.5), (-2.5, 0)),
        {"threshold_left": 1},
    ),
}

#: How many spends deep each alphabet of directions is played.
ALPHABETS = {"eight directions": (2, DIRECTIONS), "four directions": (3, DIRECTIONS[::2])}


def game_on(name):
    """The table as a game of the engine."""
    pieces, friends, enemies, fields = BOARDS[name]
    made = {
        "rough": lambda key, points, _: rough(*points[0], *points[2], name=key),
        "block": lambda key, points, height: block(*points[0], *points[2], height=height, name=key),
        "wall": lambda key, points, height: wall(*points, height=height, name=key),
    }
    board = InchTable(
        name,
        2 * HALF,
        2 * HALF,
        (-HALF, -HALF),
        pieces=tuple(made[kind](key, points, height) for kind, key, points, height in pieces),
    )
    units = [make_soldier("A1", "red", (0, 0), **fields)]
    units += [make_soldier(f"A{k}", "red", place) for k, place in enumerate(friends, 2)]
    units += [make_soldier(f"B{k}", "blue", place) for k, place in enumerate(enemies, 1)]
    if not enemies:
        units.append(make_soldier("B9", "blue", None))
    return Game.new(RULESET, board, units)


def start_of(name):
    """The state that counting begins with."""
    return state_of(game_on(name).ready_table("A1").unit("A1"))


def state_of(unit):
    return (*unit.place, unit["stance"], unit["ap"], unit["threshold_left"], unit["running"])


def alphabet(game, directions):
    """The orders that are tried, whether or not they are legal."""
    table = game.ready_table("A1")
    unit = table.unit("A1")
    (x, y), stance = unit.place, unit["stance"]
    for action, lengths in (("move", {1, INCHES[stance]}), ("run", {5, 9})):
        for inches in sorted(lengths):
            for u, v in directions:
                yield action, game.read(f"A1 {action}: to {x + inches * u!r},{y + inches * v!r}")
    for way in in_reach(table, unit):
        yield "traverse", Order("A1", "traverse", (), way.args)
    for other in INCHES:
        yield "change_stance", game.read(f"A1 change_stance {other}")


def outcomes(game, order):
    """Every game that an order can lead to: each roll made and failed, each choice made; none where it is refused."""
    waiting = [()]
    while waiting:
        answers = waiting.pop()
        twin = game.branch()
        try:
            twin.do(order, Script(answers, open_ended=True))
        except IllegalOrder:
            return
        if twin.state.pending is None:
            yield twin
            continue
        question = twin.state.pending.question
        if isinstance(question, Roll):
            results = {question.passes(result): result for result in question.chances}
            waiting += [(*answers, result) for result in results.values()]
        else:
            waiting += [(*answers, option) for option in question.samples]


def played(name, depth, directions):
    """For each number of spends the distinct states after them, by the kind of the last, played by the engine."""
    game = game_on(name)
    layer, found = {rounded(start_of(name)): game}, {}
    for spends in range(1, depth + 1):
        ends, found[spends] = {}, {}
        for one in layer.values():
            if spends > 1 and not one.state.unit("A1")["ap"]:
                continue  # its activation is over
            for kind, order in alphabet(one, directions):
                for after in outcomes(one, order):
                    key = rounded(state_of(after.state.unit("A1")))
                    found[spends].setdefault(kind, set()).add(key)
                    ends.setdefault(key, after)
        layer = ends
    return found


def as_text():
    """Write the counts as the file that keeps them."""
    lines = ["# Distinct end states by spends and action. Written by tests/rulebooks/perft_skirmish.py."]
    for name in BOARDS:
        for alphabet_name, (depth, directions) in ALPHABETS.items():
            lines.append(f'"{name}, {alphabet_name}":')
            for spends, kinds in counts_of(played(name, depth, directions)).items():
                lines.append(f"  {spends}: {{{', '.join(f'{kind}: {count}' for kind, count in kinds.items())}}}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(as_text(), end="")
