"""Couriers on huts: a small rulebook on an inch table whose ends have ranges of headings, and levels.

RO-1  A courier runs straight, up to 6 inches, and then faces where it ran; who stays faces as before.
RO-2  At the end it turns by up to 45 degrees for nothing, and farther for an inch of its run.
RO-3  Who ends at a hut may climb its roof for 2 inches of its run.
"""

# ruff: noqa: RUF012 - a ruleset fills in a form

import math

import numpy as np
import shapely

from simulator.geometry.angles import turn_between
from simulator.rulebook import (
    ActionForm,
    Arg,
    Breach,
    Element,
    Event,
    FieldSpec,
    Form,
    HeadingRange,
    LedgerLine,
    NoRoute,
    Order,
    Pose,
    Reads,
    Ruleset,
    TableReach,
    TurnClock,
    UnitType,
    Vocabulary,
    change_unit,
    clause,
    heading,
    level,
    place,
)

INCHES, FREE_TURN, TURN, CLIMB = 6.0, 45.0, 1.0, 2.0
LEVELS = ("ground", "roof")


def huts(table):
    """The ground of all huts."""
    return shapely.union_all([piece.shape.polygon for piece in table.board.pieces if piece.kind == "hut"])


def way_of(unit, there):
    """How far a place is, and which way a courier faces that has run there."""
    across, up = there[0] - unit.place[0], there[1] - unit.place[1]
    return math.hypot(across, up), math.degrees(math.atan2(up, across)) if across or up else unit.heading


@clause("RO-1", "RO-2", "RO-3")
def ended(table, order):
    """The pose in which a run ends, and its length."""
    unit, storey = table.unit(order.unit), "ground"
    there, (length, faces) = unit.place, (0.0, unit.heading)
    for element in order.elements:
        if element.name == "to":
            there, (length, faces) = element["place"], way_of(unit, element["place"])
        elif element.name == "face":
            length += TURN * (abs(turn_between(faces, element["heading"])) > FREE_TURN + 1e-9)
            faces = element["heading"]
        else:
            length, storey = length + CLIMB, "roof"
    return Pose(there, faces, storey), length


@clause("RO-1", "RO-2", "RO-3")
def run(table, order):
    pose, length = ended(table, order)
    changes = [change_unit(order.unit, place=pose.place, heading=pose.heading, level=pose.level)]
    yield Event("run", order.unit, changes, "RO-1", pose.place, [LedgerLine("a run", length, 1, "inches", "RO-1")])


class RoofReach(TableReach):
    unit = "inches"

    def __init__(self, table, unit, action):
        super().__init__(table, unit, action, INCHES)
        self.huts, self.whole = huts(table), shapely.box(0, 0, table.board.width, table.board.height)

    known_levels = LEVELS

    def as_cost(self, cost):
        return round(float(cost), 4)

    def costs_of(self, places):
        return self.costs_in(places, None, None)

    def costs_in(self, places, heading, level):
        across, up = (places - self.start).T
        costs = np.hypot(across, up)
        if heading is not None:
            faces = np.where(costs > 0, np.degrees(np.arctan2(up, across)), self.mover.heading)
            turned = np.abs((heading - faces + 180) % 360 - 180)
            costs = costs + TURN * (turned > FREE_TURN + 1e-9)
        if level == "roof":
            on_it = shapely.covers(self.huts, shapely.points(places))
            costs = np.where(on_it, costs + CLIMB, np.inf)
        if level not in (None, *LEVELS):
            return np.full(len(places), np.inf)
        on_table = shapely.covers(self.whole, shapely.points(places))
        return np.where(on_table & (costs <= self.most), costs, np.inf)

    def ground_within(self, cost):
        return self.within_in(cost, None, None)

    def within_in(self, cost, heading, level):
        if level not in (None, *LEVELS):
            return shapely.Polygon()
        ground = self.huts if level == "roof" else self.whole
        left = cost - CLIMB * (level == "roof")
        found = self.sector(left) if heading is None else self.sector(left, heading).union(self.sector(left - TURN))
        return found.intersection(ground)

    def sector(self, inches, heading=None):
        """What lies so near, or lies there in a direction of 45 degrees to either side of a heading."""
        if inches <= 0:
            return shapely.Polygon()
        begin, end = (0, 360) if heading is None else (heading - FREE_TURN, heading + FREE_TURN)
        turns = np.radians(np.linspace(begin, end, 721))
        rim = self.start + inches * np.column_stack([np.cos(turns), np.sin(turns)])
        return shapely.Polygon(rim if heading is None else [self.start, *rim.tolist()])

    def headings_in(self, place, level):
        least = float(self._costs([place], None, level)[0])
        if np.isinf(least):
            return ()
        _, faces = way_of(self.mover, place)
        first, last = faces - FREE_TURN, faces + FREE_TURN
        found = [HeadingRange(first % 360, last % 360, self.as_cost(least))]
        if least + TURN <= self.most:
            found.append(HeadingRange(last % 360, first % 360, self.as_cost(least + TURN)))
        return tuple(found)

    def orders_to(self, place):
        pose = self.pose_of(place)
        if (cost := self.cost_at(pose)) is None:
            raise NoRoute(f"{self.mover.id} cannot end at {pose}")
        storey = pose.level or next(one for one in LEVELS if self.cost_at(Pose(pose.place, pose.heading, one)) == cost)
        elements = [Element("to", {"place": pose.place})] if pose.place != self.start else []
        elements += [Element("face", {"heading": pose.heading})] if pose.heading is not None else []
        elements += [Element("climb")] if storey == "roof" else []
        return [Order(self.mover.id, "run", elements)] if elements else []

    def against(self, place):
        return [Breach("RO-1", f"a run is {INCHES:g} inches long", available=INCHES, place=place)], ""

    def against_pose(self, pose):
        if pose.level == "roof" and Pose(pose.place, level="roof") not in self:
            return [Breach("RO-3", "it cannot climb a roof there", place=pose.place)], ""
        return [Breach("RO-2", f"no inch is left to end{pose.state_text}", place=pose.place)], ""


class RoofRuleset(Ruleset):
    name, title, boards = "roof_courier", "Couriers on roofs", ("table",)
    reads = {"table": [Reads("kind", "RO-3", "a hut", names=("hut",))]}
    unit_types = {"courier": UnitType("courier", {"level": FieldSpec("ground")})}
    vocabulary = Vocabulary(
        actions=[ActionForm("run", elements=("to", "face", "climb"), least=1, goal=True)],
        elements=[Form("to", [Arg("place", place())]), Form("face", [Arg("heading", heading())]), Form("climb")],
        default="run",
        goal_level=level("ground or roof"),
    )
    clock, actions, phrases = TurnClock(), {"run": run}, {"run": "runs to {place}"}
    reaches = {"run": "where a run ends"}
    reach_headings = reach_levels = True

    def pose_of(self, table, unit):
        return Pose(unit.place, unit.heading, unit["level"])

    @clause("RO-1", "RO-3")
    def breaches(self, table, order):
        pose, length = ended(table, order)
        if length > INCHES + 1e-9:
            yield Breach("RO-1", f"a run is {INCHES:g} inches long, this one {length:.4f}", length, INCHES)
        if pose.level == "roof" and not huts(table).covers(shapely.Point(pose.place)):
            yield Breach("RO-3", "there is no hut to climb", place=pose.place)

    def reach(self, table, unit, action):
        return RoofReach(table, unit, action)


RULESET = RoofRuleset()
