"""Couriers on an inch table: a small rulebook on `TableReach`, with a wall to climb.

CT-1  A run is a line of up to 9 inches, straight and round, of the base's centre. It may touch things, not enter them.
CT-2  Who touches the face of a thin wall may climb it, once in a run: it comes down straight across, touching the wall.
CT-3  A climb counts as 2 of the inches; the tables may say otherwise.
CT-4  Nobody ends on another's base, and bases are gone round.
"""

# ruff: noqa: RUF012 - a ruleset fills in a form

import math

import numpy as np
import shapely

from simulator.geometry.footprints import Round
from simulator.geometry.path_judge import Standing, first_contacts
from simulator.geometry.paths import Bend, Paths, Straight
from simulator.geometry.pieces import LineShape
from simulator.pathing.free import plan, prepare
from simulator.pathing.free.solids import obstacles_on
from simulator.rulebook import (
    ActionForm,
    Arg,
    Breach,
    Element,
    Event,
    FieldSpec,
    Form,
    LedgerLine,
    NoRoute,
    Order,
    Reads,
    Ruleset,
    TableReach,
    Tables,
    TurnClock,
    UnitType,
    Vocabulary,
    angle,
    change_unit,
    clause,
    number_value,
    place,
    word,
)

#: The judge forgives so much; where walls are climbed from is looked at every so many inches.
FORGIVEN, SPACING = 1e-6, 0.05
AROUND = [Arg("centre", place()), Arg("angle", angle(exact=False))]


def faces(table, unit):
    """Both sides of each thin wall: from where it is climbed, and where that leads; lines of reference points."""
    for piece in table.board.pieces:
        if isinstance(piece.shape, LineShape) and piece.layer == "obstacle":
            wall = shapely.LineString(piece.shape.points[:2])
            one, other = (wall.parallel_offset(unit["radius"], side) for side in ("left", "right"))
            yield piece.id, one, other
            yield piece.id, other, one


def across(table, unit, here, wall):
    """Where a climb leads, None where it can not begin."""
    for name, near, far in faces(table, unit):
        if name == wall and near.distance(shapely.Point(here)) <= FORGIVEN:
            (x, y), *_ = shapely.line_interpolate_point(far, near.project(shapely.Point(here))).coords
            return x, y
    return None


def others(table, unit):
    """The bases of all others on the table."""
    return [Round(other["radius"]).at(*other.place) for other in table.state if other.place and other.id != unit.id]


@clause("CT-1", "CT-2", "CT-4")
def line_of(table, unit, elements):
    """The line that elements spell out, its climbs as None, and what is wrong with it."""
    here, pieces, found = unit.place, [], []
    for element in elements:
        if element.name == "climb":
            there = across(table, unit, here, element["wall"])
            if there is None or None in pieces:
                told = "a run climbs once" if None in pieces else f"{unit.id} does not touch {element['wall']}"
                return pieces, [*found, Breach("CT-2", told, blocker=element["wall"], place=here)]
            pieces.append(None)
            here = there
            continue
        if element.name == "to":
            pieces.append(Straight(here, element["place"]))
        else:
            centre, turn = element["centre"], math.radians(element["angle"])
            begin = math.atan2(here[1] - centre[1], here[0] - centre[0])
            sweep = turn if element.name == "left_around" else -turn
            pieces.append(Bend(centre, math.dist(here, centre), begin, sweep))
        here = pieces[-1].end
    solids = [piece.shape for piece in table.board.pieces if piece.layer == "obstacle"]
    standing = Standing.of([*solids, *others(table, unit)])
    ways = Paths.of_pieces([[one] for one in pieces if one])
    met = first_contacts(ways, Round(unit["radius"]), standing).which
    clauses = ["CT-1" if which < len(solids) else "CT-4" for which in met[met >= 0]]
    return pieces, [Breach(one, f"something bars {unit.id}'s way", place=here) for one in clauses]


def inches_of(table, pieces):
    """What a line counts, its climb with it."""
    length = float(Paths.of_pieces([[one for one in pieces if one]]).lengths[0])
    return length + float(table.tables["run.climb"]) * (None in pieces)


@clause("CT-1", "CT-2")
def run(table, order):
    """Go a line."""
    unit = table.unit(order.unit)
    pieces, _ = line_of(table, unit, order.elements)
    end = unit.place
    for element, piece in zip(order.elements, pieces, strict=True):
        end = across(table, unit, end, element["wall"]) if piece is None else piece.end
    price = LedgerLine("a run", inches_of(table, pieces), 1, "inches", "CT-3")
    yield Event("run", unit.id, [change_unit(unit.id, place=end)], "CT-1", end, [price])


class CourierReach(TableReach):
    """Where a courier can end: by a run without a climb, or with one."""

    unit, tolerance = "inches", 0.02

    def __init__(self, table, unit, action):
        super().__init__(table, unit, action, float(table.tables["run.inches"]))
        ground = prepare(obstacles_on(table.board), unit["radius"]).with_discs(
            [(*other.place, other["radius"]) for other in table.state if other.place and other.id != unit.id]
        )
        self.plain = plan(ground, self.start, self.most)
        self.climbs, begins, ends, price = [], [], [], float(table.tables["run.climb"])
        for name, near, far in faces(table, unit):
            shares = np.linspace(0, 1, max(2, math.ceil(near.length / SPACING) + 1))
            begins.append(shapely.get_coordinates(shapely.line_interpolate_point(near, shares, normalized=True)))
            ends.append(shapely.get_coordinates(shapely.line_interpolate_point(far, shares, normalized=True)))
            self.climbs += [name] * len(shares)
        self.begins, self.ends = np.concatenate([np.zeros((0, 2)), *begins]), np.concatenate([np.zeros((0, 2)), *ends])
        paid = np.asarray(self.plain.cost_at(self.begins)) + price if len(self.begins) else np.zeros(0)
        kept = np.flatnonzero((paid <= self.most) & (ground.depths(self.ends) <= FORGIVEN))
        self.kept = {tuple(self.ends[at].tolist()): at for at in kept.tolist()}
        self.climbed = plan(ground, self.ends[kept], self.most, paid=paid[kept]) if len(kept) else None

    def as_cost(self, cost):
        return round(float(cost), 4)

    def within(self, cost):
        reaches = [reach for reach in (self.plain, self.climbed) if reach is not None]
        return shapely.union_all([reach.area(0.002, "inner", budget=cost) for reach in reaches])

    def costs_of(self, places):
        costs = np.asarray(self.plain.cost_at(places))
        return costs if self.climbed is None else np.minimum(costs, self.climbed.cost_at(places))

    def orders_to(self, place):
        place = self.pose_of(place).place
        if place not in self:
            raise NoRoute(f"{self.mover.id} can not end at {place}")
        if self.cost_at(place) == self.as_cost(self.plain.cost_at(place)):
            return [Order(self.mover.id, "run", elements_of(self.plain.route_to(place)))]
        onward = self.climbed.route_to(place)
        at = self.kept[min(self.kept, key=lambda end: math.dist(end, onward.start))]
        before = self.plain.route_to(tuple(self.begins[at].tolist()))
        climb = Element("climb", {"wall": self.climbs[at]})
        return [Order(self.mover.id, "run", [*elements_of(before), climb, *elements_of(onward)])]

    def against(self, place):
        return [Breach("CT-1", f"no run of {self.most:g} inches ends there", available=self.most, place=place)], ""


def elements_of(way):
    """A planner's way as the elements of an order."""
    for piece in way.pieces:
        if hasattr(piece, "sweep"):
            turn = "left_around" if piece.sweep > 0 else "right_around"
            yield Element(turn, {"centre": piece.centre, "angle": math.degrees(abs(piece.sweep))})
        else:
            yield Element("to", {"place": piece.end})


class CourierRuleset(Ruleset):
    """The rulebook as the engine knows it."""

    name, title, boards = "table_courier", "Couriers on a table", ("table",)
    reads = {"table": [Reads("kind", "CT-1", "what stands in the way")]}
    radius = FieldSpec(0.5, clause="CT-1", wants=number_value(above=0))
    unit_types = {"courier": UnitType("courier", {"radius": radius})}
    tables = Tables.from_toml("[run]\nclause = 'CT-1'\ninches = 9\nclimb = 2\n")
    vocabulary = Vocabulary(
        actions=[ActionForm("run", elements=("to", "left_around", "right_around", "climb"), least=1)],
        elements=[
            Form("to", [Arg("place", place())]),
            Form("left_around", AROUND),
            Form("right_around", AROUND),
            Form("climb", [Arg("wall", word(says="a wall"))]),
        ],
        default="run",
    )
    clock, actions, phrases = TurnClock(), {"run": run}, {"run": "runs to {place}"}
    reaches = {"run": "where a run ends"}

    @clause("CT-1", "CT-3")
    def breaches(self, table, order):
        """Judge a run."""
        pieces, found = line_of(table, table.unit(order.unit), order.elements)
        yield from found
        length, most = inches_of(table, pieces), float(table.tables["run.inches"])
        if length > most + FORGIVEN:
            yield Breach("CT-1", f"a run is {most:g} inches long, this one {length:.4f}", length, most)

    def reach(self, table, unit, action):
        """Answer where a courier can end."""
        return CourierReach(table, unit, action)


RULESET = CourierRuleset()
