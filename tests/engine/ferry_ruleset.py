"""A rulebook for the tests in which units carry units: lorries take folk and bicycles aboard, ferries take lorries.

FE-1  `go`: any number of steps to the next square; whatever a unit carries goes along.
FE-2  `board`: a unit on the carrier's square gets aboard of it, and stands nowhere while it is there.
FE-3  `leave`: it gets off onto its carrier's square.
FE-4  `sink`: a carrier is lost; whoever it carried swims where it was.
"""

# ruff: noqa: RUF012 - a ruleset fills in a form: it need not use all it is given

from simulator.rulebook import (
    ActionForm,
    Arg,
    Breach,
    Event,
    FieldSpec,
    Form,
    Phase,
    Ruleset,
    TurnClock,
    UnitType,
    Vocabulary,
    carried,
    change_unit,
    change_with_riders,
    clause,
    place,
    remove_unit,
    unit_id,
    whole_value,
)

SQUARE = place("a square", whole=True)


class AnyOrder(TurnClock):
    phases = (Phase("day", "any", clause="FE-1"),)

    def has_more(self, table, unit):
        return True

    def can_act(self, table, unit):
        return unit.place is not None or bool(unit.carrier)


@clause("FE-1")
def go(table, order):
    for element in order.elements:
        changes = change_with_riders(table.state, order.unit, place=element["to"])
        yield Event("step", order.unit, changes, "FE-1", element["to"])


@clause("FE-2")
def board(table, order):
    yield Event("boards", order.unit, [change_unit(order.unit, carrier=order["carrier"], place=None)], "FE-2")


@clause("FE-3")
def leave(table, order):
    outermost = table.state.carriers_of(order.unit)[-1]
    left = change_with_riders(table.state, order.unit, carrier="", place=outermost.place, aboard={})
    yield Event("leaves", order.unit, left, "FE-3", outermost.place)


@clause("FE-4")
def sink(table, order):
    unit = table.unit(order.unit)
    swimming = [change_unit(rider.id, carrier="", place=unit.place) for rider in table.state.riders(unit.id)]
    yield Event("sinks", unit.id, [*swimming, remove_unit(unit.id)], "FE-4", unit.place)


@clause("FE-4")
def vanish(table, order):
    """A rule with a fault: it forgets those aboard."""
    yield Event("vanishes", order.unit, [remove_unit(order.unit)], "FE-4")


class FerryRuleset(Ruleset):
    name, title, boards = "ferry", "Ferries", ("squares",)
    unit_types = {
        "folk": UnitType("folk", {**carried("FE-2"), "hats": FieldSpec(0, wants=whole_value(0))}),
        "lorry": UnitType("lorry", carried("FE-2")),
        "ferry": UnitType("ferry"),
    }
    vocabulary = Vocabulary(
        actions=[
            ActionForm("go", elements=("to",), least=1),
            ActionForm("board", args=[Arg("carrier", unit_id("a carrier"))]),
            *(ActionForm(name) for name in ("leave", "sink", "vanish")),
        ],
        elements=[Form("to", [Arg("to", SQUARE)])],
        default="go",
        goal_place=SQUARE,
    )
    clock = AnyOrder()
    actions = {"go": go, "board": board, "leave": leave, "sink": sink, "vanish": vanish}

    def breaches(self, table, order):
        unit = table.unit(order.unit)
        if order.action == "go" and unit.carrier:
            yield Breach("FE-1", f"{unit.id} is carried by {unit.carrier}", blocker=unit.carrier)
        if order.action == "board" and table.unit(order["carrier"]).place != unit.place:
            yield Breach("FE-2", f"{order['carrier']} is not here", blocker=order["carrier"])


RULESET = FerryRuleset()
