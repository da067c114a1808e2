"""Couriers who turn and climb: a small rulebook on squares whose ends have headings and levels.

TU-1  A courier takes a step ahead for 1 AP: on the ground anywhere, on a roof onto the next roof.
TU-2  It turns by 90 degrees for 1 AP.
TU-3  An impeded square is a building: for 2 AP a courier climbs from the ground beside its wall onto its roof, or down.
"""

# ruff: noqa: RUF012 - a ruleset fills in a form

import numpy as np

from simulator.rulebook import (
    ActionForm,
    Breach,
    Element,
    Event,
    FieldSpec,
    Form,
    LatticeReach,
    LedgerLine,
    MoveSpace,
    MoveStep,
    Order,
    Pose,
    Reads,
    Ruleset,
    Start,
    TurnClock,
    UnitType,
    Vocabulary,
    change_unit,
    clause,
    level,
    place,
    search,
    whole_value,
)

AHEAD = {0: (1, 0), 90: (0, -1), 180: (-1, 0), 270: (0, 1)}
LEVELS = ("ground", "roof")
PRICES = {"ahead": 1, "left": 1, "right": 1, "climb": 2}


@clause("TU-1", "TU-2", "TU-3")
def after(board, pose, what):
    """The pose after an element, None where there is no such step."""
    if what in ("left", "right"):
        return Pose(pose.place, pose.heading + (90 if what == "left" else -90), pose.level)
    there = pose.place
    if what == "ahead":
        there = tuple(one + more for one, more in zip(pose.place, AHEAD[pose.heading], strict=True))
    if there not in board:
        return None
    built = bool(board.impeded[board.index(there)])
    if what == "ahead":
        return Pose(there, pose.heading, pose.level) if built or pose.level == "ground" else None
    other = "roof" if pose.level == "ground" else "ground"
    return Pose(there, pose.heading, other) if built else None


@clause("TU-1", "TU-2", "TU-3")
def run(table, order):
    for element in order.elements:
        pose = after(table.board, table.setting.ruleset.pose_of(table, table.unit(order.unit)), element.name)
        changes = [change_unit(order.unit, place=pose.place, heading=pose.heading, level=pose.level)]
        price = [LedgerLine(element.name, 1, PRICES[element.name], "AP", "TU-1")]
        yield Event(element.name, order.unit, changes, "TU-1", pose.place, price)


class TurningReach(LatticeReach):
    @property
    def end_levels(self):
        return np.array([phase for _, phase in self.costs.space.layer_labels], object)[:, None, None]

    def orders_to(self, place):
        elements = [Element(leg.what) for leg in self.route_to(place).legs]
        return [Order(self.mover.id, "run", elements)] if elements else []

    def against(self, place):
        return [Breach("TU-1", "it is too far", available=self.mover["ap"], place=place)], ""

    def against_pose(self, pose):
        if pose.place not in self:
            return self.against(pose.place)
        told = f"it can end at {pose.place[0]},{pose.place[1]}, but not{pose.state_text}"
        return [Breach("TU-2", told, available=self.mover["ap"], place=pose.place)], ""


class TurningRuleset(Ruleset):
    name, title, boards = "turning_courier", "Couriers who turn", ("squares",)
    reads = {"squares": [Reads("impeded", "TU-3", "a building")]}
    unit_types = {
        "courier": UnitType(
            "courier", {"ap": FieldSpec(4, clause="TU-1", wants=whole_value(0, 99)), "level": FieldSpec("ground")}
        )
    }
    vocabulary = Vocabulary(
        actions=[ActionForm("run", elements=tuple(PRICES), least=1, goal=True)],
        elements=[Form(name) for name in PRICES],
        default="run",
        goal_place=place("a square", whole=True),
        goal_level=level(),
    )
    clock, actions = TurnClock(), {"run": run}
    phrases = {"ahead": "goes to {place}", "left": "turns left", "right": "turns right", "climb": "climbs"}
    reaches = {"run": "where a run ends"}
    reach_headings = reach_levels = True

    def pose_of(self, table, unit):
        return Pose(unit.place, unit.heading, unit["level"])

    @clause("TU-1", "TU-2", "TU-3")
    def breaches(self, table, order):
        unit = table.unit(order.unit)
        pose, spent = self.pose_of(table, unit), 0
        for element in order.elements:
            pose = after(table.board, pose, element.name)
            spent += PRICES[element.name]
            if pose is None:
                yield Breach("TU-1", f"{element.name} leads nowhere", place=unit.place)
                return
        if spent > unit["ap"]:
            yield Breach("TU-1", f"costs {spent} AP", spent, unit["ap"])

    def move_space(self, table, unit, action):
        built = np.asarray(table.board.impeded, bool)
        steps = [
            MoveStep("climb", 0, 0, h, h, *way, cost=2, gate="built") for h in AHEAD for way in (LEVELS, LEVELS[::-1])
        ]
        for heading, (across, down) in AHEAD.items():
            for storey in LEVELS:
                gate = "built" if storey == "roof" else None
                both = {"from_phase": storey, "to_phase": storey}
                steps.append(MoveStep("ahead", down, across, heading, heading, **both, gate=gate, gate_at="arrival"))
                steps.append(MoveStep("left", 0, 0, heading, (heading + 90) % 360, **both))
                steps.append(MoveStep("right", 0, 0, heading, (heading - 90) % 360, **both))
        start = Start(*table.board.index(unit.place), unit.heading, unit["level"])
        space = {"headings": tuple(AHEAD), "phases": LEVELS, "gates": {"built": built}}
        return MoveSpace(table.board.shape, tuple(steps), **space, starts=(start,), budget=unit["ap"], unit="AP")

    def reach(self, table, unit, action):
        return TurningReach(table, search(self.move_space(table, unit, action)), unit, action)


RULESET = TurningRuleset()
