"""Tanks on an inch table: a small rulebook made with the kit for headings, prices and levels.

TT-1  A tank has 24 inches for its drive, and faces where it drives; backwards each inch counts as 2.
TT-2  In woods each inch counts as 2. Walls and other tanks bar the way.
TT-3  A turn costs 4 inches up to 45 degrees, 8 up to 90, 16 up to 135, and 20 beyond.
TT-4  A hover tank may rise over everything for 4 inches, and sink for as many.
TT-5  Nobody ends on a pond.
TT-6  A sapling is knocked down for an inch, for 2 in woods. A fence may be run over at 3 times the price.
"""

# ruff: noqa: RUF012 - a ruleset fills in a form

from dataclasses import replace
from fractions import Fraction

from simulator.rulebook import (
    ActionForm,
    Breach,
    Event,
    FieldSpec,
    KnockDown,
    LedgerLine,
    Mode,
    MoveWords,
    Pose,
    PosedReach,
    PoseLink,
    PoseSpace,
    PoseStart,
    PricedGround,
    Reads,
    Rectangle,
    Ruleset,
    RunOver,
    TableLevel,
    Tables,
    TurnClock,
    TurnPrices,
    UnitType,
    Vocabulary,
    answered_together,
    change_unit,
    clause,
    judged,
    level,
    move_forms,
    moves_of,
    pieces_of_kinds,
    posed_reach_to,
)

BASE = Rectangle(3, 2)
LEVELS = ("ground", "air")
CLAUSES = {"": "TT-2", "budget": "TT-3", "mode": "TT-1", "link": "TT-4", "end": "TT-5"}
TOLLS = ("sapling", "fence")


def toll_of(piece):
    """What it takes to pass a piece."""
    if piece.kind == "fence":
        return RunOver(piece.shape, Fraction(3))
    return KnockDown(piece.shape, lambda under, _: Fraction(2 if under else 1))


@clause("TT-1", "TT-2", "TT-3", "TT-4", "TT-5", "TT-6")
def space_of(table, unit):
    """What a tank can do on its drive."""
    woods, walls, ponds = (pieces_of_kinds(table.board, [kind]) for kind in ("wood", "wall", "pond"))
    others = [one for one in table.state if one.place and one.id != unit.id]
    bars = [*(wall.shape for wall in walls), *(BASE.at(*one.place, one.heading) for one in others)]
    ground = PricedGround([wood.shape for wood in woods], lambda under, _: Fraction(2 if under else 1))
    hovers = unit.type == "hover"
    climb = Fraction(table.tables["drive.climb"])
    return PoseSpace(
        base=BASE,
        starts=(PoseStart(unit.place, Fraction(unit.heading), level=LEVELS.index(unit["level"])),),
        budget=Fraction(table.tables["drive.inches"]),
        ground=ground,
        modes=(Mode("forward"), Mode("reverse", 180, Fraction(2))),
        turns=TurnPrices.of([(45, 4), (90, 8), (135, 16), (180, 20)], separation=1),
        bars=bars,
        no_end=[pond.shape for pond in ponds],
        box=(0, 0, table.board.width, table.board.height),
        above=(
            TableLevel(PricedGround((), lambda *_: Fraction(1)), box=(0, 0, table.board.width, table.board.height)),
        ),
        links=(PoseLink("rise", 0, 1, climb), PoseLink("sink", 1, 0, climb)) if hovers else (),
        tolls=[toll_of(piece) for piece in pieces_of_kinds(table.board, TOLLS)],
    )


def words_of(table, unit):
    """The names of what stands in a tank's way."""
    others = [one.id for one in table.state if one.place and one.id != unit.id]
    walls, ponds = (pieces_of_kinds(table.board, [kind]) for kind in ("wall", "pond"))
    tolls = [piece.id for piece in pieces_of_kinds(table.board, TOLLS)]
    return MoveWords(CLAUSES, [*(wall.id for wall in walls), *others], [pond.id for pond in ponds], tolls)


def verdict_of(table, order):
    """A written drive, judged."""
    space = space_of(table, table.unit(order.unit))
    return judged(space, space.starts[0], list(moves_of(order.elements, space)))


@clause("TT-1", "TT-3")
def drive(table, order):
    """Drive and turn."""
    found = verdict_of(table, order)
    place = tuple(round(number, 9) for number in found.place)
    changes = [change_unit(order.unit, place=place, heading=float(found.heading) % 360, level=LEVELS[found.level])]
    yield Event("drive", order.unit, changes, "TT-1", place, [LedgerLine("a drive", found.total, 1, "inches", "TT-3")])


class TankReach(PosedReach):
    """Where a tank can end."""

    level_names = LEVELS


class TankRuleset(Ruleset):
    """The rulebook as the engine knows it."""

    name, title, boards = "table_tank", "Tanks on a table", ("table",)
    reads = {"table": [Reads("kind", "TT-2", "what stands there", names=("wood", "wall", "pond", *TOLLS))]}
    unit_types = {
        kind: UnitType(kind, {"level": FieldSpec("ground", values=LEVELS, clause="TT-4")}, faces=True)
        for kind in ("tank", "hover")
    }
    tables = Tables.from_toml("drive = {clause = 'TT-1', inches = 24, climb = 4}\n")
    vocabulary = Vocabulary(
        actions=[
            ActionForm(
                "drive", elements=("forward", "reverse", "turn_left", "turn_right", "follow"), least=1, goal=True
            )
        ],
        elements=move_forms(("forward", "reverse"), "TT-1", "TT-3", "TT-4"),
        default="drive",
        goal_level=level("ground or air"),
    )
    clock, actions, phrases = TurnClock(), {"drive": drive}, {"drive": "drives to {place}"}
    reaches = {"drive": "where a drive ends"}
    reach_headings = reach_levels = True

    def pose_of(self, table, unit):
        """Where a tank is, which way it faces, on which level."""
        return Pose(unit.place, unit.heading, unit["level"])

    @clause("TT-1", "TT-2", "TT-3", "TT-4", "TT-5", "TT-6")
    def breaches(self, table, order):
        """Judge a drive."""
        yield from words_of(table, table.unit(order.unit)).breaches_of(verdict_of(table, order))

    @clause("TT-2")
    def faults(self, table):
        """Nobody is put into a wall."""
        walls = pieces_of_kinds(table.board, ["wall"])
        for unit in table.state:
            base = None if unit.place is None else BASE.at(*unit.place, unit.heading).polygon
            for wall in walls if base is not None and unit["level"] == "ground" else ():
                if base.intersection(wall.shape.polygon).area > 1e-6:
                    yield Breach("TT-2", f"{unit.id} stands in {wall.id}", place=unit.place, blocker=unit.id)

    def reach(self, table, unit, action):
        """Answer where a tank can end."""
        return TankReach(table, unit, action, space_of(table, unit), words_of(table, unit))

    def reach_many(self, ready, action):
        """Answer where many tanks can end, with one search."""
        return answered_together(super().reach_many(ready, action))

    def reach_to(self, table, unit, place, action):
        """Answer from where a tank could get to a place."""
        return posed_reach_to(self, table, unit, place, action)

    def placements(self, table, unit, place):
        """Put a tank at another place: a hover tank on the level that it is on, or on one that is named."""
        pose = Pose.of(place)
        for there in super().placements(table, unit, replace(pose, level=None)):
            tank = there.unit(unit.id)
            yield type(there)(there.setting, there.state.with_unit(tank.put(level=pose.level or unit["level"])))


RULESET = TankRuleset()
