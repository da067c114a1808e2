"""Couriers on an inch table: a small rulebook made with the kit for inch tables, with walls to climb.

CT-1  A run is a line of up to 9 inches, straight and round, of the base's centre. It may touch things, not enter them.
CT-2  Who touches a wall may climb it, once in a run: straight across the point it touches, over an inch of it at most,
      to where the base touches the other side.
CT-3  A climb counts as 2 of the inches; the tables may say otherwise.
CT-4  Nobody ends on another's base, and bases are gone round.
"""

# ruff: noqa: RUF012 - a ruleset fills in a form

import math

import numpy as np

from simulator.rulebook import (
    LINE_ELEMENTS,
    ActionForm,
    Arg,
    Breach,
    Element,
    Event,
    FieldSpec,
    Form,
    LedgerLine,
    Link,
    Reads,
    Ruleset,
    Stage,
    Stages,
    StagesReach,
    StraightAcross,
    Surroundings,
    Tables,
    TurnClock,
    UnitType,
    Vocabulary,
    change_unit,
    clause,
    line_forms,
    number_value,
    piece_of,
    pieces_of_kinds,
    word,
)

FORGIVEN = 1e-6  # inches, by the judge
SPACING = 0.04  # inches between the places that a wall is climbed from


@clause("CT-1", "CT-4")
def around(table, unit):
    """What bars a courier's way: walls, sheds, and everybody else."""
    others = [(*one.place, one["radius"]) for one in table.state if one.place and one.id != unit.id]
    pieces = pieces_of_kinds(table.board, table.tables["obstacles.kinds"])
    return Surroundings(unit["radius"], table.board.bounds, pieces, np.array(others).reshape(-1, 3))


@clause("CT-2", "CT-3")
def climbs(table, unit):
    """The climbs of a courier."""
    here = around(table, unit)
    return StraightAcross(here.pieces, here.room, deepest=1, price=float(table.tables["run.climb"]))


@clause("CT-1", "CT-2", "CT-4")
def line_of(table, unit, elements):
    """The line that elements spell out, its climb as a link, and what is wrong with it."""
    here, steps = unit.place, []
    for element in elements:
        if element.name == "climb":
            links = [link for link in climbs(table, unit).from_places([here])[0] if link.over == (element["wall"],)]
            if not links or any(isinstance(step, Link) for step in steps):
                told = "a run climbs once" if links else f"{unit.id} cannot climb {element['wall']} from here"
                return steps, [Breach("CT-2", told, blocker=element["wall"], place=here)]
            steps, here = [*steps, *links], links[0].far
        else:
            steps.append(piece_of(here, element))
            here = steps[-1].end
    met = around(table, unit).met([one] for one in steps if not isinstance(one, Link))
    told = f"something bars {unit.id}'s way"
    return steps, [Breach("CT-4" if one.what == "base" else "CT-1", told, place=here) for one in met]


def inches_of(steps):
    """What a line counts, its climb with it."""
    return math.fsum(step.price if isinstance(step, Link) else step.length for step in steps)


@clause("CT-1", "CT-2")
def run(table, order):
    """Go a line."""
    steps, _ = line_of(table, table.unit(order.unit), order.elements)
    end = steps[-1].far if isinstance(steps[-1], Link) else steps[-1].end
    price = LedgerLine("a run", inches_of(steps), 1, "inches", "CT-3")
    yield Event("run", order.unit, [change_unit(order.unit, place=end)], "CT-1", end, [price])


class CourierReach(StagesReach):
    """Where a courier can end: by a run without a climb, or with one."""

    def __init__(self, table, unit, action):
        super().__init__(table, unit, action, float(table.tables["run.inches"]))
        walked = Stage.first(around(table, unit).ground, self.start, self.most)
        curves = climbs(table, unit).curves(walked.ends, walked.area(), SPACING)
        self.stages = Stages([walked, walked.across(curves)])

    def element_of(self, link):
        return Element("climb", {"wall": link.over[0]})

    def against(self, place):
        return [Breach("CT-1", f"no run of {self.most:g} inches ends there", available=self.most, place=place)], ""


class CourierRuleset(Ruleset):
    """The rulebook as the engine knows it."""

    name, title, boards = "table_courier", "Couriers on a table", ("table",)
    reads = {"table": [Reads("kind", "CT-1", "what stands in the way", figure="obstacles.kinds")]}
    radius = FieldSpec(0.5, clause="CT-1", wants=number_value(above=0))
    unit_types = {"courier": UnitType("courier", {"radius": radius})}
    tables = Tables.from_toml(
        "obstacles = {clause = 'CT-1', kinds = ['wall', 'shed']}\nrun = {clause = 'CT-1', inches = 9, climb = 2}\n"
    )
    vocabulary = Vocabulary(
        actions=[ActionForm("run", elements=(*LINE_ELEMENTS, "climb"), least=1)],
        elements=[*line_forms("CT-1"), Form("climb", [Arg("wall", word(about="a wall"))], "CT-2")],
        default="run",
    )
    clock, actions, phrases = TurnClock(), {"run": run}, {"run": "runs to {place}"}
    reaches = {"run": "where a run ends"}

    @clause("CT-1", "CT-3")
    def breaches(self, table, order):
        """Judge a run."""
        steps, found = line_of(table, table.unit(order.unit), order.elements)
        yield from found
        length, most = inches_of(steps), float(table.tables["run.inches"])
        if length > most + FORGIVEN:
            yield Breach("CT-1", f"a run is {most:g} inches long, this one {length:.4f}", length, most)

    def reach(self, table, unit, action):
        """Answer where a courier can end."""
        return CourierReach(table, unit, action)


RULESET = CourierRuleset()
