"""A rulebook for the tests that needs all the engine has: fighters on a row of squares with prices and dice.

DU-1  A fighter has 3 AP in its activation; the sides alternate.
DU-2  `walk`: a step to the next square costs 1 AP, 3/2 AP on impeded ground.
DU-3  A step out of a square beside an enemy may be struck at by that enemy, before it is made.
DU-4  A blow hits on 7 or more with 2D6, +1 for each AP the striker has spent on it.
DU-5  Whoever is hit may dodge for 1 nerve: D10, 6 or less; a good dodge avoids the blow.
DU-6  Whoever is dodged may lunge after it: another blow at -2, which may be dodged again.
DU-7  A wound is D3 points; its owner chooses whether health or shield is lost. At no health the fighter is gone.
DU-8  A wounded walker stops.
DU-9  `pray`: a relic glows with the chance 1/3 and gives 1 nerve.
DU-10 At the end of each turn everybody's AP come back.
"""

# ruff: noqa: RUF012 - a ruleset fills in a form: it need not use all it is given

from fractions import Fraction

import numpy as np

from simulator.rulebook import (
    BLOCKED,
    ActionForm,
    Arg,
    Ask,
    Breach,
    Choose,
    Element,
    Event,
    FieldSpec,
    Form,
    LedgerLine,
    MoveSpace,
    MoveStep,
    Options,
    Order,
    Phase,
    Reach,
    React,
    Reads,
    Roll,
    Ruleset,
    Start,
    Tables,
    TurnClock,
    UnitType,
    Vocabulary,
    WhyNot,
    change_data,
    change_unit,
    clause,
    exact_number,
    number_option,
    option,
    passes,
    place,
    remove_unit,
    search,
    show,
    unit_id,
    whole_number,
    word,
)


class DuelOptions(Options):
    lunges: bool = option("DU-6", True, False)
    nerve_of_dodge: object = number_option("DU-5", 1, least=0)
    impeded_cost: object = number_option("DU-2", Fraction(3, 2), least=1)


class Rounds(TurnClock):
    phases = (Phase("round", "alternate", clause="DU-1"),)

    def has_more(self, table, unit):
        return unit["ap"] > 0

    @clause("DU-10")
    def turn_begins(self, table):
        for unit in table.state:
            yield Event("rests", unit.id, [change_unit(unit.id, ap=table.tables["ap.each_turn"])], "DU-10")


def price_of(table, square):
    return table.options.impeded_cost if table.board.impeded[square[1], square[0]] else 1


def target_square(unit, element):
    return unit.place[0] + (1 if element.name == "right" else -1), unit.place[1]


@clause("DU-2", "DU-3", "DU-8")
def walk(table, order):
    for element in order.elements:
        for _ in range(int(element.get("squares", 1))):
            unit = table.unit(order.unit)
            there = target_square(unit, element)
            for enemy in table.units(other_than=unit.side):
                if abs(enemy.place[0] - unit.place[0]) == 1:
                    way = yield React(
                        "strike", who=enemy.id, options=("strike", "feint"), clause="DU-3", place=unit.place
                    )
                    if way == "strike" and (yield from blow(table, enemy.id, unit.id, 0)):
                        return
            price = price_of(table, there)
            changes = [change_unit(unit.id, place=there, ap=unit["ap"] - price)]
            yield Event("step", unit.id, changes, "DU-2", there, [LedgerLine("a step", 1, price, "AP", "DU-2")])


@clause("DU-4", "DU-5", "DU-6")
def blow(table, striker, victim, modifier):
    """Return whether the victim was wounded."""
    bonus = [("lunge", modifier)] if modifier else []
    roll = Roll("blow", who=striker, dice="2D6", target=7, modifiers=bonus, clause="DU-4")
    if not (yield from passes(roll)):
        yield Event("misses", striker, clause="DU-4")
        return False
    cost = table.options.nerve_of_dodge
    if table.unit(victim)["nerve"] >= cost and (
        yield React("dodge", who=victim, options=("dodge",), clause="DU-5", detail={"from": striker})
    ):
        nerve = table.unit(victim)["nerve"] - cost
        yield Event(
            "nerve", victim, [change_unit(victim, nerve=nerve)], "DU-5", price=[LedgerLine("dodge", cost, 1, "nerve")]
        )
        if (yield from passes(Roll("dodge", who=victim, dice="D10", target=6, at_most=True, clause="DU-5"))):
            yield Event("dodges", victim, clause="DU-5")
            if table.options.lunges and (yield React("lunge", who=striker, options=("lunge",), clause="DU-6")):
                return (yield from blow(table, striker, victim, modifier + 2))
            return False
    return (yield from wound(table, victim))


@clause("DU-7")
def wound(table, victim):
    points = yield Roll("wound", who=victim, dice="D3", clause="DU-7")
    unit = table.unit(victim)
    options = ["health"] + (["shield"] if unit["shield"] else [])
    lost = yield Choose("what is lost", who=victim, options=options, clause="DU-7", default="health")
    left = max(0, unit[lost] - points)
    yield Event("wound", victim, [change_unit(victim, **{lost: left})], "DU-7", unit.place, detail={"lost": lost})
    if not table.unit(victim)["health"]:
        dead = table.data["dead"]
        yield Event("dies", victim, [remove_unit(victim), change_data(dead=(*dead, victim))], "DU-7", unit.place)
    return True


@clause("DU-4")
def strike(table, order):
    unit, spent = table.unit(order.unit), order.get("ap", 1)
    price = [LedgerLine("strike", spent, 1, "AP", "DU-4")]
    yield Event("strikes", unit.id, [change_unit(unit.id, ap=unit["ap"] - spent)], "DU-4", unit.place, price)
    yield from blow(table, order.unit, order["target"], int(1 - spent))


@clause("DU-9")
def pray(table, order):
    unit = table.unit(order.unit)
    glows = yield Roll(
        "relic", who=unit.id, outcomes=[("glows", Fraction(1, 3)), ("is dark", Fraction(2, 3))], clause="DU-9"
    )
    changes = [change_unit(unit.id, ap=0, nerve=unit["nerve"] + (glows == "glows"))]
    yield Event("prays", unit.id, changes, "DU-9", detail={"relic": glows, "to": order.get("saint", "nobody")})


STEPS = exact_number("a number of squares", 1, 9)


# --- reach ---

#: The search counts twelfths of an AP.
TWELFTHS = 12


class DuelReach(Reach):
    """Where a fighter can walk to, with so many AP; chances as if nobody dodged."""

    def __init__(self, table, unit, ap):
        self.table, self.mover, self.action, self.ap = table, unit, "walk", ap
        impeded = np.asarray(table.board.impeded, np.int64)
        dear = int(Fraction(table.options.impeded_cost) * TWELFTHS)
        ground = np.where(impeded, dear, TWELFTHS)
        self.standing = {other.place: other.id for other in table.state if other.id != unit.id and other.place}
        for column, row in self.standing:
            ground[row, column] = BLOCKED
        steps = (MoveStep("right", 0, 1, plane="ground"), MoveStep("left", 0, -1, plane="ground"))
        starts = [Start(unit.place[1], unit.place[0])]
        space = MoveSpace(ground.shape, steps, planes={"ground": ground}, starts=starts, budget=int(ap * TWELFTHS))
        super().__init__(table.board, search(space), unit="AP", per_unit=TWELFTHS)

    def orders_to(self, place):
        legs = self.route_to(place).legs
        return [Order(self.mover.id, "walk", [Element(legs[0].what, {"squares": len(legs)})])] if legs else []

    def chance_at(self, place):
        place = self.pose_of(place).place
        if place not in self:
            return Fraction(0)
        enemies = [other.place[0] for other in self.table.units(other_than=self.mover.side) if other.place]
        left = [square[0] for square in self.route_to(place).places[:-1]]
        threats = sum(abs(column - enemy) == 1 for column in left for enemy in enemies)
        return Fraction(15, 36) ** threats

    def chance_bands(self, levels=None):
        chances = {place: self.chance_at(place) for place in self.places}
        levels = sorted(set(chances.values()), reverse=True) if levels is None else levels
        shown, before = [], set()
        for level in levels:
            within = {place for place, chance in chances.items() if chance >= level}
            shown.append((level, self.board.region(within - before)))
            before |= within
        return shown

    def why_not(self, place):
        place = self.pose_of(place).place
        self.board.index(place)
        if place in self:
            return WhyNot(place, (), place, self.cost_at(place), "AP")
        near = min(self.places, key=lambda end: (abs(end[0] - place[0]), end))
        known = {"nearest": near, "nearest_cost": self.cost_at(near), "unit": "AP"}
        if place in self.standing:
            taken = Breach("DU-2", f"{self.standing[place]} stands there", blocker=self.standing[place], place=place)
            return WhyNot(place, (taken,), **known)
        rich = DuelReach(self.table, self.mover, 99)
        if place not in rich:
            return WhyNot(place, (Breach("DU-2", "the way is closed", blocker="a fighter", place=place),), **known)
        needed = rich.cost_at(place)
        far = Breach("DU-1", f"{show(place)} costs {show(needed)} AP, there are {show(self.ap)}", needed, self.ap)
        return WhyNot(place, (far,), remedy=f"{show(needed - self.ap)} AP more", **known)


class DuelRuleset(Ruleset):
    name, title, boards = "duel", "Duel", ("squares",)
    reads = {"squares": [Reads("impeded", "DU-2", "ground that costs more to enter")]}
    unit_types = {
        "fighter": UnitType(
            "fighter",
            {
                "ap": FieldSpec(0),
                "health": FieldSpec(3, clause="DU-7"),
                "shield": FieldSpec(0, values=(0, 1, 2)),
                "nerve": FieldSpec(1),
            },
        )
    }
    options = DuelOptions
    tables = Tables.from_toml("[ap]\nclause = 'DU-1'\neach_turn = 3\n[names]\nopen = true\nknight = 'Sir'\n")
    vocabulary = Vocabulary(
        actions=[
            ActionForm("walk", elements=("left", "right"), least=1, goal=True),
            ActionForm(
                "strike", [Arg("target", unit_id("an enemy")), Arg("ap", exact_number("AP", 0, 9), "with", True)]
            ),
            ActionForm("pray", [Arg("saint", word("george", "joan"), "to", True)]),
        ],
        elements=[Form(name, [Arg("squares", STEPS, optional=True)]) for name in ("left", "right")],
        goal_place=place("a square", whole=True),
    )
    clock = Rounds()
    actions = {"walk": walk, "strike": strike, "pray": pray}
    reaches = {"walk": "where it can walk to with its AP"}
    asks = {"ap": Ask(whole_number("a number of AP from 0 to 9", 0, 9))}

    def data(self, setting):
        return {"dead": ()}

    @clause("DU-1", "DU-2")
    def breaches(self, table, order):
        unit = table.unit(order.unit)
        if order.action == "walk":
            yield from self.walk_breaches(table, unit, order)
        if order.action == "strike":
            enemy = table.unit(order["target"])
            if enemy.side == unit.side:
                yield Breach("DU-4", f"{enemy.id} is not an enemy", blocker=enemy.id)
            if abs(enemy.place[0] - unit.place[0]) != 1:
                yield Breach("DU-3", f"{enemy.id} is not beside {unit.id}", place=enemy.place)
            if order.get("ap", 1) > unit["ap"]:
                yield Breach("DU-1", "not enough AP", order.get("ap", 1), unit["ap"])

    def walk_breaches(self, table, unit, order):
        standing = {other.place: other.id for other in table.state if other.id != unit.id}
        spent = 0
        for element in order.elements:
            if element.get("squares", 1) != int(element.get("squares", 1)):
                yield Breach("DU-2", "whole squares only")
                return
            for _ in range(int(element.get("squares", 1))):
                there = target_square(unit, element)
                if there not in table.board or there in standing:
                    yield Breach("DU-2", "no room", blocker=standing.get(there, "the edge"), place=there)
                    return
                spent += price_of(table, there)
                unit = unit.put(place=there)
        if spent > table.unit(unit.id)["ap"]:
            yield Breach("DU-1", f"the walk costs {spent} AP", spent, table.unit(unit.id)["ap"])

    def reach(self, table, unit, action, ap=None):
        return DuelReach(table, unit, unit["ap"] if ap is None else ap)

    def plan(self, table, order):
        way = order.goal.place[0] - table.unit(order.unit).place[0]
        return Order(order.unit, "walk", [Element("right" if way > 0 else "left", {"squares": max(abs(way), 1)})])


RULESET = DuelRuleset()


def fighter(id, side, column, **fields):
    return RULESET.make_unit(id, "fighter", side, (column, 0), **fields)
