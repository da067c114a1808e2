"""Boards that differ in one word, and what a rulebook answers on them: which words does it really read?"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from typing import Any

from simulator.engine.game import Game
from simulator.engine.posed_reach import PosedReach
from simulator.errors import SimulatorError
from simulator.formats.boards import parse_board
from simulator.geometry.board import Board
from simulator.geometry.poses import Pose
from simulator.rulesets import shelf
from simulator.rulesets.combined_arms.terrain import LAYER_OF

#: A value for every attribute of a piece, other than the usual one.
PIECE_SAYS: dict[str, Any] = {
    "cover": "light",
    "doors": [[6, 4]],
    "floor_height": 2,
    "floors": 3,
    "joins": [0, 2],
    "paved": True,
    "run": 2,
    "size_class": 2,
    "top": "rough_terrain",
    "tree_cost": 1,
    "uphill": 90,
    "vehicle_entry": True,
    "vehicle_floors": [0, 1],
    "vehicle_ok": True,
    "wet": True,
}
EDGES = ("wall", "window", "door", "ramp", "stairs", "ladder")
#: The neighbours (column, row) of a dot in an even row of a map whose odd rows are shoved.
_AROUND = ((1, 0), (-1, 0), (0, 1), (-1, 1), (0, -1), (-1, -1))

Boards = tuple[dict[str, Any], dict[str, Any]]


def words() -> list[tuple[str, str, str]]:
    """List every word that a board can say: rulebook, key, and the word under it."""
    squares = [("terrain", "water"), ("wall", "wall"), ("impeded", "impeded"), ("level", "level"), ("edges", "edges")]
    dots = [("terrain", "water"), ("level", "level"), ("storeys", "storeys"), ("impassable", "impassable")]
    dots += [("opening", "opening"), *(("kind", kind) for kind in EDGES)]
    table = [("kind", "obstacle"), ("kind", "rough_terrain"), ("kind", "river"), ("ground", "rough_terrain")]
    table += [("height", "obstacle"), ("height", "rough_terrain"), ("layer", "elevated"), ("unit", "cm")]
    table += [("on", "on"), ("entry_areas", "entry_areas"), *((key, key) for key in PIECE_SAYS)]
    arms = [("kind", kind) for kind in (*LAYER_OF, "ladder", "obstacle", "rough_terrain")]
    # Firm ground is what a table has anyway, and a building has to be elevated for stairs to be on it.
    arms += [("ground", "soft_ground"), ("ground", "rough_terrain"), ("unit", "cm")]
    arms += [(key, key) for key in ("height", "on", "entry_areas", *PIECE_SAYS)]
    return [
        *(("grid_runner", *word) for word in [*squares, ("areas", "areas")]),
        *(("dot_trooper", *word) for word in [*dots, ("areas", "areas")]),
        *(("skirmish", *word) for word in table),
        *(("combined_arms", *word) for word in arms),
    ]


def pairs(ruleset: str, key: str, name: str, seed: int) -> Iterator[Boards]:
    """Yield boards without and with a word, at places where it may matter."""
    rng = random.Random(f"{ruleset} {key} {name} {seed}")
    while True:
        yield _PAIRS[ruleset](rng, key, name)


def _squares(rng: random.Random, key: str, name: str) -> Boards:
    at = [rng.randint(2, 4), rng.randint(0, 2)]
    plain: dict[str, Any] = {"format": 1, "board": "squares", "legend": {".": {}}, "rows": "........\n" * 3}
    if key == "edges":
        return plain, plain | {"edges": [{"wall": [at, [at[0] + 1, at[1]]]}]}
    if key == "areas":
        return plain, plain | {"areas": [{"name": "zone", "side": "red", "squares": [at]}]}
    says: Any = {"terrain": name, "level": 3}.get(key, True)
    # A whole column: there is no way round it.
    return plain, plain | {"overrides": [{"from": [at[0], 0], "to": [at[0], 2], key: says}]}


def _dots(rng: random.Random, key: str, name: str) -> Boards:
    """A map with a house of two storeys, in which the trooper stands, and a terrace one level up."""
    rows = ". . . . . . . . . .\n . B B . . . + + + .\n. . B B . . . + + .\n . B B . . . . . . .\n. . . . . . . . . .\n"
    legend = {".": {}, "B": {"storeys": 2}, "+": {"level": 1}}
    plain: dict[str, Any] = {"format": 1, "board": "dots", "legend": legend, "rows": rows, "edges": []}
    if key == "kind" and name in ("window", "door"):
        # In place of the wall around the house: a way out for who flies.
        plain["edges"] = [{"kind": "wall", "around": "B"}]
        near = [[[2, 2], [1, 2]], [[3, 2], [4, 2]], [[2, 1], [3, 1]], [[2, 2], [1, 1]]]
    elif name == "ramp":
        near = [[[5, 1], [6, 1]], [[6, 2], [7, 2]]]
    elif name in ("stairs", "ladder"):
        near = [[[2, 2], [3, 2]], [[2, 2], [2, 1]], [[5, 1], [6, 1]]]
    else:
        near = [[[2, 2], [3, 2]], [[2, 2], [1, 2]], [[5, 2], [6, 2]], [[2, 2], [2, 1]]]
    if key == "kind":
        levels = {} if name not in ("stairs", "ladder") else {"levels": [0, 1]}
        said = {"kind": name, "between": rng.choice(near), **levels}
        return plain, plain | {"edges": [*plain["edges"], said]}
    if key == "areas":
        return plain, plain | {"areas": [{"name": "zone", "side": "red", "dots": [[4, 2]]}]}
    at = rng.choice([[1, 2], [4, 2], [5, 2], [4, 3], [3, 3]])
    if key == "opening":
        plain["edges"] = [{"kind": "wall", "around": "B"}]
        at = rng.choice([[3, 2], [2, 1], [1, 1], [2, 3], [1, 3]])
    says: Any = {"terrain": name, "level": 2, "storeys": 1}.get(key, True)
    return plain, plain | {"overrides": [{"at": at, key: says}]}


def _table(rng: random.Random, key: str, name: str) -> Boards:
    x = round(rng.uniform(4.4, 4.9), 2)

    def piece(kind: str, **says: Any) -> dict[str, Any]:
        return {"id": "one", "kind": kind, "rectangle": {"centre": [x, 4], "size": [1, 5]}, **says}

    def table(*pieces: dict[str, Any], **says: Any) -> dict[str, Any]:
        return {"format": 1, "board": "table", "size": [12, 8], "pieces": list(pieces), **says}

    if key == "kind":
        return table(), table(piece(name))
    if key in ("ground", "unit"):
        return table(), table(**{key: name})
    if key == "entry_areas":
        area = {"name": "zone", "side": "red", "polygon": [[4, 0], [8, 0], [8, 8], [4, 8]]}
        return table(), table(entry_areas=[area])
    kind = name if key == "height" else rng.choice(("obstacle", "rough_terrain"))
    if key == "on":
        below = {"id": "hill", "kind": "rough_terrain", "layer": "elevated", "height": 2}
        below["rectangle"] = {"centre": [x, 4], "size": [1, 5]}
        return table(below, piece(kind)), table(below, piece(kind, on="hill"))
    says = {"height": 3, "layer": "elevated", **PIECE_SAYS}[key]
    return table(piece(kind)), table(piece(kind, **{key: says}))


def _arms_table(rng: random.Random, key: str, name: str) -> Boards:
    """A table with one piece across the way, or with a house of two floors."""
    x = round(rng.uniform(4.4, 4.9), 2)

    def piece(kind: str, **says: Any) -> dict[str, Any]:
        shape = {"point": [x, 6]} if kind == "individual_tree" else {"rectangle": {"centre": [x, 4], "size": [1, 7]}}
        return {"id": "one", "kind": kind, **shape, **({"uphill": 0} if kind == "slope" else {}), **says}

    def table(*pieces: dict[str, Any], **says: Any) -> dict[str, Any]:
        return {"format": 1, "board": "table", "size": [12, 8], "pieces": list(pieces), **says}

    def house(*inside: dict[str, Any], **says: Any) -> dict[str, Any]:
        walls = {"id": "house", "kind": "building", "rectangle": {"centre": [6, 4], "size": [7, 8]}, "floors": 2}
        there = ({"id": "one", "on": "house", **within} for within in inside)
        return table({**walls, "layer": "elevated", **says}, *there)

    def stairs(**says: Any) -> dict[str, Any]:
        return {"kind": "stairs", "line": [[4, 6], [5, 6]], "joins": [0, 1], "run": 1, **says}

    ladder = {"kind": "ladder", "point": [4, 6], "joins": [0, 1]}
    wide_stairs = stairs(vehicle_ok=True)
    open_house = {"vehicle_entry": True, "vehicle_floors": [0]}
    open_upstairs = {"vehicle_entry": True, "vehicle_floors": [0, 1]}
    indoors = {
        "rubble": {"kind": "rubble", "rectangle": {"centre": [5, 4], "size": [2, 6]}},
        "stairs": stairs(),
        "ladder": ladder,
    }
    if key == "kind" and name in indoors:
        return house(**open_house), house(indoors[name], **open_house)
    if key == "kind":
        below = {"ground": "soft_ground"} if name == "firm_ground" else {}
        return table(**below), table(piece(name), **below)
    if key in ("ground", "unit"):
        return table(), table(**{key: name})
    if key == "entry_areas":
        area = {"name": "zone", "side": "red", "polygon": [[0, 0], [1, 0], [1, 2], [0, 2]]}
        return table(), table(entry_areas=[area])
    if key == "on":
        annexe = {
            "id": "annexe",
            "kind": "building",
            "layer": "elevated",
            "rectangle": {"centre": [6, 4], "size": [9, 8]},
        }
        both = [*house()["pieces"], {**annexe, "floors": 2}]
        return table(*both, {"id": "one", **stairs()}), table(*both, {"id": "one", "on": "annexe", **stairs()})
    pairs: dict[str, Boards] = {
        "doors": (house(), house(doors=[[2.5, 4]])),
        "floor_height": (house(ladder), house(ladder, floor_height=2)),
        "floors": (house(stairs()), house(stairs(), floors=1)),
        "height": (table(piece("vegetation")), table(piece("vegetation", height=1))),
        "joins": (house(stairs()), house(stairs(joins=[0, 2]), floors=3)),
        "paved": (table(piece("road", wet=True)), table(piece("road", wet=True, paved=True))),
        "run": (house(stairs()), house(stairs(run=2))),
        "tree_cost": (table(piece("individual_tree")), table(piece("individual_tree", tree_cost=3))),
        "uphill": (table(piece("slope")), table(piece("slope", uphill=180))),
        "vehicle_entry": (house(), house(vehicle_entry=True)),
        "vehicle_floors": (house(wide_stairs, **open_house), house(wide_stairs, **open_upstairs)),
        "vehicle_ok": (house(stairs(), **open_upstairs), house(wide_stairs, **open_upstairs)),
        "wet": (table(piece("road")), table(piece("road", wet=True))),
    }
    if key in pairs:
        return pairs[key]
    kind = rng.choice(("vegetation", "road", "high_wall"))
    return table(piece(kind)), table(piece(kind, **{key: PIECE_SAYS[key]}))


_PAIRS: dict[str, Callable[[random.Random, str, str], Boards]] = {
    "grid_runner": _squares,
    "dot_trooper": _dots,
    "skirmish": _table,
    "combined_arms": _arms_table,
}


#: Who is asked about a word of combined_arms, besides the infantry before the piece.
_ASKED = {
    **dict.fromkeys(("floor_height", "floors", "joins", "on", "run", "kind"), ("c",)),
    **dict.fromkeys(("tree_cost", "vehicle_entry", "vehicle_floors", "vehicle_ok"), ("car",)),
    "height": ("b",),
    "entry_areas": ("late",),
}


def answers(ruleset: str, board: Board[Any], key: str) -> dict[str, Any]:
    """Return what the rulebook answers about a word: where who can end, at what cost and chance, or why not."""
    game = Game.new(shelf()[ruleset], board, units_of(ruleset))
    found: dict[str, Any] = {"faults": [fault.message for fault in game.ruleset.faults(game.table)]}
    if ruleset == "grid_runner":
        try:
            charging = game.branch()
            charging.do("a move: e 4")
            found["charge"] = [str(breach) for breach in charging.breaches("a charge_attack b")]
        except SimulatorError as error:
            found["charge"] = str(error)
    asked = ("a", *_ASKED.get(key, ())) if ruleset == "combined_arms" else tuple(game.state.units)
    for unit in map(game.state.unit, asked):
        for action in game.ruleset.reaches:
            if (ruleset, action) == ("skirmish", "turn"):
                continue  # a chain of the others, and long to be worked out
            try:
                reach = game.reach(unit.id, action)
                found[f"{unit.id} {action}"] = _ends(reach) if ruleset != "combined_arms" else _costs(reach)
            except SimulatorError as error:
                found[f"{unit.id} {action}"] = str(error)
    return found


def _ends(reach: PosedReach[Any]) -> list[tuple[str, float, float]]:
    bands = (*reach.bands(), *reach.chance_bands())
    return [(str(level), round(area.area, 6), round(area.length, 6)) for level, area in bands]


def _costs(reach: PosedReach[Any]) -> dict[str, list[float]]:
    """What some places cost by level: the areas of those who pay for rotations take seconds."""
    spots = [(x, y) for x in (3.0, 4.5, 6.0, 8.0, 11.0) for y in (1.0, 4.0, 6.0)]
    return {
        str(level): reach.costs_at([Pose(spot, None, level) for spot in spots]).round(6).tolist()
        for level in reach.level_names
    }


def units_of(ruleset: str) -> list[Any]:
    """Units of a rulebook that can do what its rules of ground are about: charge, fly, drive, climb."""
    make = shelf()[ruleset].make_unit
    if ruleset == "grid_runner":
        return [make("a", "character", "red", (1, 1), weapon="sword"), make("b", "character", "blue", (6, 1))]
    if ruleset == "dot_trooper":
        bike = make("bike", "vehicle", "red", (4, 2), 0, on=True, motion="moving")
        rider = make("r", "trooper", "red", aboard="bike")
        # Column 2 of row 2, in the house.
        return [make("a", "trooper", "red", (1, 2), jet_pack="worn"), bike, rider]
    if ruleset == "combined_arms":
        car = make("car", "vehicle", "red", (4, 6), 0, mobility="wheeled", size_class=4)
        return [
            make("a", "infantry", "red", (2, 4), 0),
            make("b", "infantry", "red", (4, 5), 0, mobility="gravpack", altitude=2),
            make("c", "infantry", "red", (3.9, 6), 0),
            car,
            make("late", "infantry", "red", None, 0, enters_on=1),
        ]
    return [make("a", "soldier", "red", (3, 4))]


def reads(ruleset: str, key: str, name: str, tries: int, seed: int = 0) -> bool:
    """Whether the word makes a difference to any answer, on so many boards."""
    made = pairs(ruleset, key, name, seed)
    for _ in range(tries):
        without, said = (parse_board(json.dumps(document)) for document in next(made))
        if answers(ruleset, without, key) != answers(ruleset, said, key):
            return True
    return False


def declared(ruleset: str, key: str, name: str) -> bool:
    """Whether the rulebook declares that it reads the word."""
    rules = shelf()[ruleset]
    for one in rules.reads[rules.boards[0]]:
        words = one.words(rules.tables)
        of = rules.tables[one.of] if one.of else None
        if one.key == key and not one.idle and (name in of if of else not words or name in words):
            return True
    return False
