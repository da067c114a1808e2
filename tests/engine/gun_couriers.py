"""A small rulebook with fire in mid-move: couriers on an inch table drive under the guns.

FC-1  A courier drives one straight leg. An inch of firm ground costs 1, of soft ground 2; soft is what lies east of
      `soft.from`. It pays no more than its allowance.
FC-2  While an enemy drives, each gun that is loaded may fire once, anywhere on the leg where the courier is in range.
FC-3  It hits on 5 or more on a D6, at short range on 4 or more.
FC-4  Who is hit is slowed: the allowance falls to two thirds, and what is spent already counts. Who can go no
      farther stops there.
FC-5  A gun turns to any bearing on the forward side: less than 90 degrees to either side of east, or by hand to any
      eighth of a turn.
FC-6  A courier drops its parcel on any spot of the yard.
"""

# ruff: noqa: RUF012 - a ruleset fills in a form

import math
from fractions import Fraction

from simulator.rulebook import (
    ActionForm,
    Along,
    Arg,
    Breach,
    Choose,
    Event,
    FieldSpec,
    LedgerLine,
    Leg,
    React,
    Roll,
    Ruleset,
    SpotIn,
    Tables,
    TurnClock,
    UnitType,
    Vocabulary,
    Within,
    change_unit,
    clause,
    number_value,
    passes,
    place,
    reactions_along,
    whole_value,
)

FORGIVEN = 1e-6


@clause("FC-1")
def leg_of(table, unit, end):
    """The leg to a place, over firm ground and soft."""
    length, border = math.dist(unit.place, end), float(table.tables["soft.from"])
    (x, _), (right, _) = unit.place, end
    east = sorted((x, right))
    soft = 0.0 if right == x else max(0.0, east[1] - max(border, east[0])) / (east[1] - east[0]) * length
    soft = length if right == x and x > border else soft
    firm = Fraction(length) - Fraction(soft)
    lines = [LedgerLine("firm ground", firm, 1, "inches", "FC-1"), LedgerLine("soft ground", soft, 2, "inches", "FC-1")]
    return Leg.straight(unit.place, end, lines if x <= right else lines[::-1])


def chord(leg, centre, radius):
    """From which length of a leg to which a place is near enough, or nothing."""
    (x, y), (right, up), length = leg.start, leg.end, float(leg.length)
    along_x, along_y = (right - x) / length, (up - y) / length
    middle = (centre[0] - x) * along_x + (centre[1] - y) * along_y
    off = (centre[0] - x) * along_y - (centre[1] - y) * along_x
    half = math.sqrt(max(radius**2 - off**2, 0.0))
    low, high = max(0.0, middle - half), min(length, middle + half)
    return (low, high) if radius > abs(off) and low < high else None


@clause("FC-2", "FC-3", "FC-4")
def fires_along(table, gun, unit, leg):
    """Ask a gun where on the leg it fires: marked is where the odds change, and where who is hit stops later on."""
    far, near = (chord(leg, gun.place, float(table.tables[f"range.{how}"])) for how in ("long", "short"))
    slowed = leg.longest(slow(unit) - unit["spent"])
    span = far and Along([far], marks=[*(near or ()), *([slowed] if slowed < leg.length else [])])
    place = far and leg.at(far[0])
    return span and React("fire", who=gun.id, options=[span], clause="FC-2", place=place, detail={"at": unit.id})


def slow(unit):
    """What a hit leaves of the allowance."""
    return Fraction(unit["allowance"]) * Fraction(2, 3)


@clause("FC-1", "FC-2", "FC-4")
def drive(table, order):
    """Drive a leg, under fire part by part."""
    name = order.unit
    leg = leg_of(table, table.unit(name), order["end"])
    guns = [
        unit for unit in table.state if unit.type == "gun" and unit["loaded"] and unit.side != table.unit(name).side
    ]
    asked = [fires_along(table, gun, table.unit(name), leg) for gun in guns]
    gone, end, before = 0, leg.length, table.unit(name)["spent"]
    for at, question in (yield from reactions_along(filter(None, asked))):
        if at > end:
            break
        if at > gone:
            yield moved(table, name, leg, gone, at)
        gone = max(gone, at)
        yield from fire(table, question.who, name)
        end = max(gone, min(end, leg.longest(table.unit(name)["allowance"] - before)))
    if end > gone:
        yield moved(table, name, leg, gone, end)
    if end < leg.length:
        yield Event("stops", name, (), "FC-4", table.unit(name).place)


def moved(table, name, leg, begin, end):
    """Tell a part of a leg."""
    part, there = leg.part(begin, end), leg.at(end)
    spent = table.unit(name)["spent"] + sum(line.price for line in part.price)
    return Event("moves", name, [change_unit(name, place=there, spent=spent)], "FC-1", there, part.price, part.detail)


@clause("FC-2", "FC-3", "FC-4")
def fire(table, gun, name):
    """Fire at somebody who is moving."""
    yield Event("fires", gun, [change_unit(gun, loaded=0)], "FC-2", table.unit(gun).place, detail={"at": name})
    unit, apart = table.unit(name), math.dist(table.unit(gun).place, table.unit(name).place)
    target = 4 if apart <= float(table.tables["range.short"]) + FORGIVEN else 5
    if (yield from passes(Roll("hit", who=gun, dice="D6", target=target, clause="FC-3"))):
        yield Event("is hit", name, [change_unit(name, allowance=slow(unit))], "FC-4", unit.place, detail={"by": gun})


@clause("FC-5")
def turn(table, order):
    """Turn a gun."""
    forward = Within(-90, 90, open_low=True, open_high=True, unit="degrees", wraps=360, near=0)
    by_hand = Within(0, 315, step=45, unit="degrees")
    heading = yield Choose("bearing", who=order.unit, options=["home", forward, by_hand], default="home", clause="FC-5")
    heading = 0 if heading == "home" else heading
    yield Event("turns", order.unit, [change_unit(order.unit, heading=heading)], "FC-5", detail={"to": heading})


@clause("FC-6")
def drop(table, order):
    """Drop the parcel in the yard."""
    yard = SpotIn([[[(0, 0), (8, 0), (8, 4), (0, 4)], [(2, 1), (2, 3), (4, 3), (4, 1)]]])
    spot = yield Choose("where the parcel falls", who=order.unit, options=[yard], clause="FC-6")
    yield Event("drops its parcel", order.unit, [change_unit(order.unit, parcel=spot)], "FC-6", spot)


class GunRuleset(Ruleset):
    """The rulebook as the engine knows it."""

    name, title, boards = "gun_courier", "Couriers under the guns", ("table",)
    unit_types = {
        "courier": UnitType(
            "courier",
            {
                "allowance": FieldSpec(18, clause="FC-1", wants=number_value(least=0)),
                "spent": FieldSpec(0, clause="FC-1", wants=number_value(least=0)),
                "parcel": FieldSpec(None, clause="FC-6"),
            },
        ),
        "gun": UnitType("gun", {"loaded": FieldSpec(1, clause="FC-2", wants=whole_value(0, 1))}),
    }
    tables = Tables.from_toml("[soft]\nclause = 'FC-1'\nfrom = 20\n[range]\nclause = 'FC-3'\nlong = 5\nshort = 3.25\n")
    vocabulary = Vocabulary(
        actions=[ActionForm("drive", [Arg("end", place())]), ActionForm("turn"), ActionForm("drop")]
    )
    clock = TurnClock()
    actions = {"drive": drive, "turn": turn, "drop": drop}
    phrases = {"moves": "goes to {place}", "is hit": "is hit by {by}", "fires": "fires at {at}"}

    @clause("FC-1")
    def breaches(self, table, order):
        """Judge a leg."""
        if order.action != "drive":
            return
        unit = table.unit(order.unit)
        leg = leg_of(table, unit, order["end"])
        price = leg.paid(leg.length).get("inches", 0)
        left = unit["allowance"] - unit["spent"]
        if price > left + FORGIVEN:
            yield Breach("FC-1", f"the leg costs {float(price):.4g}, and {float(left):.4g} are left", price, left)


RULESET = GunRuleset()
