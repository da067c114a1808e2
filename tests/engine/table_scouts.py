"""Scouts on an inch table: a small rulebook of movers that are round and turn for nothing.

TS-1  A scout has 12 inches, forwards or, each inch counting as 2, backwards; it turns for nothing.
TS-2  In woods each inch counts as 2. Walls and other scouts bar the way.
TS-3  Nobody ends on a pond.
"""

# ruff: noqa: RUF012 - a ruleset fills in a form

from fractions import Fraction

from simulator.rulebook import (
    ActionForm,
    Event,
    LedgerLine,
    Mode,
    MoveWords,
    PosedReach,
    PoseSpace,
    PoseStart,
    PricedGround,
    Reads,
    Round,
    Ruleset,
    Tables,
    TurnClock,
    TurnPrices,
    UnitType,
    Vocabulary,
    answered_together,
    change_unit,
    clause,
    judged,
    move_forms,
    moves_of,
    pieces_of_kinds,
    posed_reach_to,
)

BASE = Round(0.5)
CLAUSES = {"": "TS-2", "budget": "TS-1", "mode": "TS-1", "end": "TS-3"}


@clause("TS-1", "TS-2", "TS-3")
def space_of(table, unit):
    """What a scout can do."""
    woods, walls, ponds = (pieces_of_kinds(table.board, [kind]) for kind in ("wood", "wall", "pond"))
    others = [one for one in table.state if one.place and one.id != unit.id]
    return PoseSpace(
        base=BASE,
        starts=(PoseStart(unit.place, Fraction(unit.heading)),),
        budget=Fraction(table.tables["run.inches"]),
        ground=PricedGround([wood.shape for wood in woods], lambda under, _: Fraction(2 if under else 1)),
        modes=(Mode("forward"), Mode("reverse", 180, Fraction(2))),
        turns=TurnPrices.flat(0),
        bars=[*(wall.shape for wall in walls), *(BASE.at(*one.place) for one in others)],
        no_end=[pond.shape for pond in ponds],
        box=(0, 0, table.board.width, table.board.height),
    )


def words_of(table, unit):
    """The names of what stands in a scout's way."""
    others = [one.id for one in table.state if one.place and one.id != unit.id]
    walls, ponds = (pieces_of_kinds(table.board, [kind]) for kind in ("wall", "pond"))
    return MoveWords(CLAUSES, [*(wall.id for wall in walls), *others], [pond.id for pond in ponds])


def verdict_of(table, order):
    """A written run, judged."""
    space = space_of(table, table.unit(order.unit))
    return judged(space, space.starts[0], list(moves_of(order.elements, space)))


@clause("TS-1")
def run(table, order):
    """Run and turn."""
    found = verdict_of(table, order)
    place = tuple(round(number, 9) for number in found.place)
    changes = [change_unit(order.unit, place=place, heading=float(found.heading) % 360)]
    yield Event("run", order.unit, changes, "TS-1", place, [LedgerLine("a run", found.total, 1, "inches", "TS-1")])


class ScoutRuleset(Ruleset):
    """The rulebook as the engine knows it."""

    name, title, boards = "table_scout", "Scouts on a table", ("table",)
    reads = {"table": [Reads("kind", "TS-2", "what stands there", names=("wood", "wall", "pond"))]}
    unit_types = {"scout": UnitType("scout", {}, faces=True)}
    tables = Tables.from_toml("run = {clause = 'TS-1', inches = 12}\n")
    vocabulary = Vocabulary(
        actions=[ActionForm("run", elements=("forward", "reverse", "turn_left", "turn_right"), least=1, goal=True)],
        elements=move_forms(("forward", "reverse"), "TS-1", "TS-1"),
        default="run",
    )
    clock, actions, phrases = TurnClock(), {"run": run}, {"run": "runs to {place}"}
    reaches = {"run": "where a run ends"}
    reach_headings = True

    @clause("TS-1", "TS-2", "TS-3")
    def breaches(self, table, order):
        """Judge a run."""
        yield from words_of(table, table.unit(order.unit)).breaches_of(verdict_of(table, order))

    def reach(self, table, unit, action):
        """Answer where a scout can end."""
        return PosedReach(table, unit, action, space_of(table, unit), words_of(table, unit))

    def reach_many(self, ready, action):
        """Answer where many scouts can end."""
        return answered_together(super().reach_many(ready, action))

    def reach_to(self, table, unit, place, action):
        """Answer from where a scout could get to a place."""
        return posed_reach_to(self, table, unit, place, action)


RULESET = ScoutRuleset()
