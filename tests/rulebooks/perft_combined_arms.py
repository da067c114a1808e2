"""Counts of distinct end states of moves, by their elements: the public proof of the rulebook, on small tables.

Movement is continuous, so an alphabet of elements is played on each table: all moves of so many of them, those that
are refused included. A state is the place, the heading, the altitude and the floor, what was spent, who and what is
gone, and what a shot or a transport leaves of the turn; it is counted by the kind of the last element of its move.
"""

from typing import NamedTuple

from exhaustive_combined_arms import State, World
from exhaustive_skirmish import counts_of

from simulator.engine.answers import Script
from simulator.engine.errors import IllegalOrder
from simulator.engine.game import Game
from simulator.geometry.pieces import LineShape, Piece, PointShape, PolygonShape
from simulator.geometry.table import EntryArea, InchTable
from simulator.rulesets.combined_arms import RULESET

HALF = 8
#: Moves have so many elements.
DEPTH = 3
#: Still to move, so that the turn goes on.
_LAST = ("Z", "red", (7.75, -7.75), 0.1, 0, {})


def _box(x1, y1, x2, y2):
    return ((x1, y1), (x2, y1), (x2, y2), (x1, y2))


class Small(NamedTuple):
    """A table with its mover, who are around it, and the elements that are tried."""

    kind: str  # the type of its unit
    fields: dict
    start: dict
    alphabet: tuple
    pieces: tuple = ()
    others: tuple = ()
    over: tuple = ()
    doors: tuple = ()
    stairs: tuple = ()
    edge: tuple = ()

    @property
    def world(self):
        """The same for the second enumeration."""
        base = self.fields.get("base", 0)
        return World(
            self.fields["mobility"],
            HALF,
            self.pieces,
            (*self.others, _LAST),
            self.over,
            base=base if isinstance(base, tuple) else float(base),
            rate=self.fields.get("rate_original", 0),
            damage=self.fields.get("damage_level", 0),
            size=self.fields.get("size_class", 1),
            doors=self.doors,
            stairs=self.stairs,
            edge=self.edge,
            lander=self.fields.get("assault_lander", False),
        )

    @property
    def state(self):
        """Where the second enumeration begins."""
        x, y = self.start.get("at", (0, 0))
        return State(
            x, y, self.start.get("heading", 0), on_table="at" in self.start, aboard=self.start.get("aboard", "")
        )


def _vehicle(mobility, **fields):
    return {"mobility": mobility, "size_class": 2, **fields}


_KEEP = ("building", "keep", _box(-5, -4, 5, 4), {"floors": 2, "floor_height": 3, "height": 6})
_CARRIER = ("C", "red", (2.5, 0), 1, 0, {"doors": ((-1, 0),)})
BOARDS = {
    "open": Small(
        "vehicle",
        _vehicle("grav", rate_original=24, damage_level=1, base=0.5),
        {"at": (0, 0)},
        ("forward 0.5", "forward 1", "turn_left 45", "turn_left 90", "turn_right 100", "climb 1"),
    ),
    "road and hill": Small(
        "vehicle",
        _vehicle("tracked", rate_original=18),
        {"at": (-3, 0)},
        ("forward 2", "forward 3.5", "reverse 1", "turn_left 90", "turn_right 45", "turn_left 30"),
        (
            ("soft_ground", "mud", _box(-1, -6, 4, 6), {}),
            ("slope", "hill", _box(-6, 0, 1, 5), {"uphill": 90}),
            ("road", "road", _box(-7, -1, 7, 1), {}),
            ("low_obstacle", "bank", _box(0.5, -5, 1.5, -2), {}),
        ),
    ),
    "orchard": Small(
        "vehicle",
        _vehicle("tracked", rate_original=18, size_class=6, armored=True, base=0.75),
        {"at": (-4, 0)},
        ("forward 1", "forward 2", "reverse 1", "turn_left 90", "turn_right 90"),
        (
            ("soft_ground", "mud", _box(-2, -6, 0, 6), {}),
            ("tree", "oak", (), {"at": (-2.4, 0.3)}),
            ("tree", "elm", (), {"at": (-4.2, 2.1), "cost": 2}),
        ),
        (
            ("X", "blue", (-1.5, 0.25), 0.5, 0, {}),
            ("Y", "blue", (-6, -2), 0.5, 0, {}),
            ("F", "red", (-4, -2), 0.5, 0, {}),
        ),
        over=("X",),
    ),
    "wood": Small(
        "vehicle",
        _vehicle("thruster", rate_original=18, base=0.5),
        {"at": (0, 0)},
        ("forward 2", "sideways_right 1.5", "climb 2", "descend 2", "turn_left 90", "fire"),
        (
            ("vegetation", "copse", _box(1, -3, 3, 3), {"height": 2}),
            ("dense_vegetation", "thicket", _box(3, -3, 5, 3), {"height": 4}),
            ("low_obstacle", "bank", _box(-2, -1, 1, -0.5), {}),
            ("high_wall", "wall", _box(-2, 1, 1, 1.5), {}),
        ),
        (("G", "blue", (-0.25, -2), 0.5, 2, {}),),
    ),
    "garden": Small(
        "infantry",
        {"mobility": "gravpack", "base": 0.5},
        {"at": (-4, 0), "heading": 0},
        ("forward 3", "forward 1", "sideways_left 1", "climb 1", "descend 1", "turn_right 90", "fire"),
        (
            ("high_wall", "low wall", _box(-2, -3, -1, 3), {"height": 1}),
            ("high_wall", "high wall", _box(2, -3, 3, 3), {}),
            ("vegetation", "hedge", _box(-6, 1, 0, 2), {"height": 2}),
        ),
        (("F", "red", (0, 0), 0.5, 0, {}), ("G", "blue", (-4, -2.5), 0.5, 1, {})),
    ),
    "ford": Small(
        "vehicle",
        _vehicle("wheeled", rate_original=24, base=((-1, -0.5), (1, -0.5), (1, 0.5), (-1, 0.5))),
        {"at": (-4, 0)},
        ("forward 2", "forward 4", "reverse 1", "turn_left 45", "turn_right 90"),
        (
            ("river", "river", _box(-1, -8, 2, 8), {}),
            ("bridge", "bridge", _box(-1.5, -1, 2.5, 1), {}),
            ("ford", "ford", _box(-1, 2, 2, 5), {}),
            ("tree", "ash", (), {"at": (-3, -2)}),
        ),
    ),
    "halt": Small(
        "infantry",
        {"mobility": "on_foot", "base": 0.25},
        {"at": (-1.5, 0)},
        ("forward 1", "forward 2", "sideways_left 0.5", "turn_left 90", "turn_right 30", "load C"),
        (("road", "road", _box(-8, -0.5, 8, 0.5), {}),),
        (_CARRIER,),
        doors=((1.5, 0),),
    ),
    "getting off": Small(
        "infantry",
        {"mobility": "on_foot", "base": 0.25},
        {"aboard": "C"},
        (
            "unload at 0.5,0 facing 180",
            "unload at 1.25,0.5 facing 90",
            "unload at 1.75,0 facing 0",
            "unload at 4.5,0 facing 0",
            "forward 1",
            "forward 3",
            "turn_left 45",
        ),
        (("soft_ground", "mud", _box(-3, -3, 0, 3), {}),),
        (_CARRIER, ("X", "blue", (1.25, 2), 0.25, 0, {})),
        doors=((1.5, 0),),
    ),
    "coming on": Small(
        "vehicle",
        _vehicle("grav", rate_original=12, base=0.5),
        {},
        (
            "enter at -8,0 facing 0",
            "enter at -8,0 facing 135",
            "enter at -8,5 facing 0",
            "enter at -8,-2 facing 90 altitude 2",
            "forward 2",
            "reverse 2",
            "turn_right 90",
            "leave_board",
        ),
        others=(("X", "blue", (-7.5, 2.75), 0.5, 0, {}),),
        edge=((-8, -3), (-8, 3)),
    ),
    "landing": Small(
        "vehicle",
        _vehicle("thruster", rate_original=12, base=0.5, assault_lander=True),
        {},
        (
            "drop at 0,0 facing 0",
            "drop at 2,1 facing 90",
            "descend 12",
            "descend 6",
            "turn_left 45",
            "forward 2",
            "fire",
        ),
        (("dense_vegetation", "thicket", _box(1, 0, 3, 2), {}),),
    ),
    "keep": Small(
        "infantry",
        {"mobility": "on_foot", "base": 0.25},
        {"at": (0, 2)},
        ("take stairs", "forward 1", "forward 4", "reverse 0.5", "turn_left 90", "turn_right 180"),
        (_KEEP, ("stairs", "stairs", (), {"from": (0, 2), "to": (2, 2), "run": 1})),
        stairs=(("stairs", (0, 2), (2, 2), 0, 1, 2), ("stairs", (2, 2), (0, 2), 1, 0, 2)),
    ),
}


# --- the same tables as games ---


def game_on(name):
    """The table as a game of the engine."""
    small = BOARDS[name]
    areas = [EntryArea("west", "red", _box(-8, -3, -7, 3))] if small.edge else []
    board = InchTable(
        name,
        2 * HALF,
        2 * HALF,
        (-HALF, -HALF),
        pieces=tuple(_piece(*piece) for piece in small.pieces),
        entry_areas=tuple(areas),
    )
    waits = {} if small.start else {"enters_on": 1}
    mover = RULESET.make_unit(
        "A",
        small.kind,
        "red",
        small.start.get("at"),
        small.start.get("heading", 0),
        **{**small.fields, **waits, **({"carrier": small.start["aboard"]} if "aboard" in small.start else {})},
    )
    others = [_other(*other) for other in (*small.others, _LAST)]
    return Game.new(RULESET, board, [mover, *others])


def _piece(kind, name, corners, known):
    known = dict(known)
    if kind == "tree":
        return Piece(name, "individual_tree", PointShape(*known["at"]), attributes={"tree_cost": known.get("cost", 1)})
    if kind == "stairs":
        return Piece(
            name,
            kind,
            LineShape([known["from"], known["to"]]),
            on="keep",
            attributes={"joins": (0, 1), "run": known["run"]},
        )
    height = {"height": known.pop("height")} if "height" in known else {}
    layer = "elevated" if kind == "building" else "ground"
    return Piece(name, kind, PolygonShape(corners), layer, attributes=known, **height)


def _other(name, side, place, radius, altitude, known):
    if "doors" in known:
        return RULESET.make_unit(
            name, "vehicle", side, place, 0, mobility="wheeled", size_class=4, base=radius, **known
        )
    mobility = "gravpack" if altitude else "on_foot"
    return RULESET.make_unit(name, "infantry", side, place, 0, mobility=mobility, base=radius, altitude=altitude)


def told(state, unit, start):
    """What is compared of a state."""
    on_table = unit.place is not None
    felled_and_gone = {*state.data["felled"]} | {name for name in start if name not in state.units}
    return (
        (round(unit.place[0], 3) + 0.0, round(unit.place[1], 3) + 0.0) if on_table else None,
        round(float(unit.heading), 3) % 360 if on_table else None,
        unit["altitude"],
        unit["floor"],
        round(float(unit["spent_translation"]), 3),
        round(float(unit["spent_rotation"]), 3),
        frozenset(felled_and_gone),
        unit.carrier,
        unit["left_board"],
        unit["has_fired"],
        unit["declared_band"],
        unit["busy_until"],
    )


def after(game, order):
    """The game after an order to which nobody reacts, and whether longer moves may begin like it."""
    twin = game.branch()
    try:
        twin.do(order, Script((), open_ended=True))
    except IllegalOrder as refused:
        # Where it may not end, or not end so high, it may go on.
        return None, all("cannot end" in reason.message or reason.clause in _OF_ENDS for reason in refused.breaches)
    return twin, True


#: Descents, crossings and getting off that a longer move may complete.
_OF_ENDS = ("CA-106", "CA-153")


def played(name):
    """For each number of elements the distinct states in which moves of so many end, played by the engine."""
    small, game = BOARDS[name], game_on(name)
    over = f" over {', '.join(small.over)}" if small.over else ""
    names, layer, found = tuple(game.state.units), [()], {}
    for number in range(1, DEPTH + 1):
        longer, found[number] = [], {}
        for elements in layer:
            for element in small.alphabet:
                order = f"A move{over}: {', '.join((*elements, element))}"
                twin, goes_on = after(game, order)
                if goes_on:
                    longer.append((*elements, element))
                if twin is not None:
                    end = told(twin.state, twin.state.unit("A"), names)
                    found[number].setdefault(element.split()[0], set()).add(end)
        layer = longer
    return found


def as_text():
    """Write the counts as the file that keeps them."""
    lines = ["# Distinct end states by elements and kind. Written by tests/rulebooks/perft_combined_arms.py."]
    for name in BOARDS:
        lines.append(f"{name}:")
        for elements, kinds in counts_of(played(name)).items():
            lines.append(f"  {elements}: {{{', '.join(f'{kind}: {count}' for kind, count in kinds.items())}}}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(as_text(), end="")
