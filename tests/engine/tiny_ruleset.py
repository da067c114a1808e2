"""A whole rulebook in about eighty lines: men on squares that step forward on the diagonal and jump over enemies.

TC-1  A man steps one square forward on the diagonal, onto a free square.
TC-2  Or it jumps over an enemy on the next square of a diagonal, onto the free square behind; that enemy is taken.
TC-3  After a jump it may jump on.
TC-4  The sides take turns, one man each; a man may act again in the next turn.
"""

# ruff: noqa: RUF012 - a ruleset fills in a form: it need not use all it is given

from simulator.rulebook import (
    ActionForm,
    Arg,
    Breach,
    Element,
    Event,
    Form,
    LedgerLine,
    Options,
    Order,
    Phase,
    Ruleset,
    TurnClock,
    UnitType,
    Vocabulary,
    change_unit,
    clause,
    option,
    place,
    remove_unit,
)

DIAGONALS = ((1, -1), (-1, -1), (-1, 1), (1, 1))


class TinyOptions(Options):
    jump_back: bool = option("TC-2", False, True)


class OneManEach(TurnClock):
    phases = (Phase("moves", "alternate", clause="TC-4"),)

    def has_more(self, table, unit):
        return False


def forward(unit):
    return -1 if unit.side == "white" else 1


def hops(table, unit, square, taken, jumps_only):
    """Every legal hop from a square, with the enemy it takes."""
    standing = {other.place: other for other in table.state if other.id not in (unit.id, *taken)}
    for dx, dy in DIAGONALS:
        near, far = (square[0] + dx, square[1] + dy), (square[0] + 2 * dx, square[1] + 2 * dy)
        ahead = dy == forward(unit)
        if ahead and not jumps_only and near in table.board and near not in standing:
            yield near, None
        enemy = standing.get(near)
        open_jump = far in table.board and far not in standing and (ahead or table.options.jump_back)
        if enemy and enemy.side != unit.side and open_jump:
            yield far, enemy.id


@clause("TC-1", "TC-2", "TC-3")
def move(table, order):
    taken = []
    for hop in order.elements:
        unit = table.unit(order.unit)
        enemy = dict(hops(table, unit, unit.place, taken, bool(taken)))[hop["to"]]
        gone = [remove_unit(enemy)] if enemy else []
        taken += [enemy] if enemy else []
        changes = [change_unit(unit.id, place=hop["to"]), *gone]
        rule = "TC-2" if enemy else "TC-1"
        yield Event(
            "jump" if enemy else "step", unit.id, changes, rule, hop["to"], [LedgerLine("a hop", currency="hops")]
        )


class TinyRuleset(Ruleset):
    name, title, boards = "tiny", "Tiny checkers", ("squares",)
    unit_types = {"man": UnitType("man")}
    options = TinyOptions
    vocabulary = Vocabulary(
        actions=[ActionForm("move", elements=("hop",), least=1, goal=True)],
        elements=[Form("hop", [Arg("to", place("a square", whole=True))])],
        default="move",
        goal_place=place("a square", whole=True),
    )
    clock = OneManEach()
    actions = {"move": move}

    def lines_of(self, table, unit, square, taken=(), elements=()):
        for target, enemy in hops(table, unit, square, taken, bool(taken)):
            line = (*elements, Element("hop", {"to": target}))
            yield Order(unit.id, "move", line)
            if enemy:
                yield from self.lines_of(table, unit, target, (*taken, enemy), line)

    def orders(self, table, unit):
        return self.lines_of(table, unit, unit.place)

    @clause("TC-1", "TC-2", "TC-3")
    def breaches(self, table, order):
        if order not in list(self.orders(table, table.unit(order.unit))):
            yield Breach("TC-1", f"{order.unit} cannot hop there", place=order.elements[0]["to"])

    def plan(self, table, order):
        lines = self.orders(table, table.unit(order.unit))
        found = [line for line in lines if line.elements[-1]["to"] == order.goal.place]
        return found[0] if found else Order(order.unit, "move", [Element("hop", {"to": order.goal.place})])

    def reach(self, table, unit, action, **question):
        return {line.elements[-1]["to"] for line in self.orders(table, unit)}


RULESET = TinyRuleset()
