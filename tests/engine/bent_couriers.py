"""A small rulebook of legs that bend: couriers with headings go round corners and bends under the guns.

BC-1  A courier goes forward, to the left and right round bends, its heading kept, and turns on the spot. An inch
      costs 1.
BC-2  A turn costs a sixth of its rate for every 45 degrees begun. A turn that it cannot pay it may not begin.
BC-3  While an enemy goes, each gun may fire once, anywhere on the way; on a turn at the end of it, also in mid-turn.
BC-4  It hits on 4 or more on a D6. Who is hit has a rate of two thirds; what is spent already counts.
"""

# ruff: noqa: RUF012 - a ruleset fills in a form

import math
from fractions import Fraction

from simulator.rulebook import (
    ActionForm,
    Along,
    Arg,
    Bend,
    Breach,
    Event,
    FieldSpec,
    Form,
    LedgerLine,
    Leg,
    Path,
    React,
    Roll,
    Ruleset,
    Straight,
    Turn,
    TurnClock,
    UnitType,
    Vocabulary,
    angle,
    change_unit,
    clause,
    length,
    number_value,
    passes,
    reactions_along,
)

SIDES = {"left": 1, "right": -1, "bend_left": 1, "bend_right": -1}


def pieces_of(unit, elements):
    """The pieces of the path that an order spells out."""
    here, heading = unit.place, unit.heading
    for element in elements:
        side, facing = SIDES.get(element.name, 0), math.radians(heading)
        if element.name == "forward":
            inches = float(element["inches"])
            there = (here[0] + inches * math.cos(facing), here[1] + inches * math.sin(facing))
            yield Straight(here, there, heading)
        elif element.name.startswith("bend"):
            radius, begin = float(element["radius"]), facing - side * math.pi / 2
            centre = (here[0] - radius * math.cos(begin), here[1] - radius * math.sin(begin))
            bend = Bend(centre, radius, begin, side * math.radians(float(element["by"])), heading)
            yield bend
            there = bend.end
        else:
            yield Turn(here, heading, side * float(element["by"]))
            heading, there = heading + side * float(element["by"]), here
        here = there


@clause("BC-1", "BC-2")
def legs_of(unit, elements):
    """The legs of an order: one up to where it turns for the last time, and that turn by itself."""
    pieces = tuple(pieces_of(unit, elements))
    moving = [number for number, piece in enumerate(pieces, 1) if piece.length]
    last = max(moving, default=0)
    if last:
        gone = Path(unit.place, pieces[:last])
        inches = sum(Fraction(piece.length) for piece in gone.pieces)
        prices = [[turn_line(unit, piece)] for piece in gone.pieces if isinstance(piece, Turn)]
        yield Leg(gone, [LedgerLine("forward", inches, 1, "inches", "BC-1")], turns=prices)
    for turn in pieces[last:]:
        degrees = math.ceil(abs(turn.turn) / 45) * 45
        line = LedgerLine("turn at the end", degrees, Fraction(unit["rate"]) / 6 / 45, "inches", "BC-2")
        yield Leg(Path(turn.place, (turn,)), [line], grain=45)


def turn_line(unit, turn):
    """The price of a turn on the way."""
    sixths = math.ceil(abs(turn.turn) / 45)
    return LedgerLine(f"turn by {abs(turn.turn):g}", sixths, Fraction(unit["rate"]) / 6, "inches", "BC-2")


@clause("BC-1", "BC-2", "BC-3", "BC-4")
def go(table, order):
    """Go leg after leg, under fire part by part."""
    name = order.unit
    for leg in list(legs_of(table.unit(name), order.elements)):
        in_degrees = all(isinstance(piece, Turn) for piece in leg.path.pieces)
        span = Along([(0, leg.length)], "degrees" if in_degrees else "inches", leg.turning_lengths, leg.path)
        guns = [unit for unit in table.state if unit.type == "gun"]
        gone, end, before = 0, leg.length, table.unit(name)["spent"]
        asked = [React("fire", who=gun.id, options=[span], clause="BC-3") for gun in guns]
        for at, question in (yield from reactions_along(asked)):
            if min(at, leg.length) > end:
                break
            if at > gone:
                yield moved(table, name, leg, gone, at)
                gone = at
            if (yield from passes(Roll("hit", who=question.who, dice="D6", target=4, clause="BC-4"))):
                rate = Fraction(table.unit(name)["rate"]) * Fraction(2, 3)
                yield Event("is hit", name, [change_unit(name, rate=rate)], "BC-4", leg.at(at))
                end = max(gone, leg.longest(rate - before))
        if end > gone:
            yield moved(table, name, leg, gone, end)
        if end < leg.length:
            return


def moved(table, name, leg, begin, end):
    """Tell a part of a leg."""
    part, there = leg.part(begin, end), leg.pose_at(end)
    spent = table.unit(name)["spent"] + sum(line.price for line in part.price)
    change = change_unit(name, place=there.place, heading=there.heading, spent=spent)
    return Event("goes", name, [change], "BC-1", there.place, part.price, part.detail)


class BentRuleset(Ruleset):
    """The rulebook as the engine knows it."""

    name, title, boards = "bent_courier", "Couriers round corners", ("table",)
    unit_types = {
        "courier": UnitType("courier", {name: FieldSpec(number, clause="BC-1", wants=number_value(least=0))
                                        for name, number in (("rate", 36), ("spent", 0))}),
        "gun": UnitType("gun"),
    }  # fmt: skip
    vocabulary = Vocabulary(
        actions=[ActionForm("go", elements=("forward", "left", "right", "bend_left", "bend_right"), least=1)],
        elements=[
            Form("forward", [Arg("inches", length())]),
            *(Form(side, [Arg("by", angle())]) for side in ("left", "right")),
            *(
                Form(f"bend_{side}", [Arg("by", angle()), Arg("radius", length(), "radius")])
                for side in ("left", "right")
            ),
        ],
        default="go",
    )
    clock = TurnClock()
    actions = {"go": go}
    phrases = {"goes": "goes to {place}", "is hit": "is hit"}

    @clause("BC-1", "BC-2")
    def breaches(self, table, order):
        """Judge an order."""
        unit = table.unit(order.unit)
        price = sum(leg.paid(leg.length).get("inches", 0) for leg in legs_of(unit, order.elements))
        if price > unit["rate"] - unit["spent"]:
            yield Breach("BC-1", f"it costs {float(price):g}", price, unit["rate"] - unit["spent"])

    def course(self, table, order):
        """The way as pictures draw it, round its bends."""
        return [tuple(row) for row in Path(table.unit(order.unit).place, tuple(
            pieces_of(table.unit(order.unit), order.elements))).points()]  # fmt: skip


RULESET = BentRuleset()
