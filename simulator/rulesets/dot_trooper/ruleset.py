"""The rulebook as the engine knows it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib.resources import files
from typing import Any

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, IllegalOrder, OptionError, TableError
from simulator.engine.orders import Order
from simulator.engine.ruleset import Drawn, Ruleset, Setting
from simulator.engine.state import Unit
from simulator.engine.tables import Tables
from simulator.pathing.move_space import MoveSpace
from simulator.pathing.routes import NoRoute
from simulator.rulesets.dot_trooper.actions import RULES, VOCABULARY, judged
from simulator.rulesets.dot_trooper.cards import (
    UNIT_TYPES,
    DTTable,
    cap_left,
    driver_of,
    max_ap,
    riders,
    vehicle_hp,
)
from simulator.rulesets.dot_trooper.driving import HEADINGS
from simulator.rulesets.dot_trooper.errands import ap_of, can_mount_from
from simulator.rulesets.dot_trooper.ground import Ground, dots_of_vehicle, places_of, rear_of
from simulator.rulesets.dot_trooper.movement import RideQuestion, foot_space, ride_question
from simulator.rulesets.dot_trooper.options import DotTrooperOptions
from simulator.rulesets.dot_trooper.plan import against_crashing, vehicle_of
from simulator.rulesets.dot_trooper.reach import (
    DriveReach,
    FootReach,
    drive_reach,
    foot_reach,
    orders_of,
)
from simulator.rulesets.dot_trooper.riding import MODES
from simulator.rulesets.dot_trooper.turns import DotTrooperClock


class DotTrooper(Ruleset[DotTrooperOptions]):
    """Movement of dot_trooper: vehicles with modes, control checks and skids; jet packs; troopers on foot."""

    name = "dot_trooper"
    title = "Dot trooper: advanced mobility"
    boards = ("dots",)
    unit_types = UNIT_TYPES
    options = DotTrooperOptions
    tables = Tables.from_toml(files(__package__).joinpath("tables.toml").read_text(encoding="utf-8"))
    vocabulary = VOCABULARY
    clock = DotTrooperClock()
    actions = RULES

    # --- setting up ---

    def make_unit(self, id: str, type: str, side: str, place: Any, heading: Any = None, **given: Any) -> Unit:
        """Make a trooper, or a vehicle with the heading of one of the six directions."""
        unit = super().make_unit(id, type, side, place, heading, **given)
        if type == "vehicle":
            if heading not in HEADINGS:
                raise OptionError(f"wants a heading of 0, 60, 120, 180, 240 or 300, not {heading}", f"{id}.heading")
            return unit.put(heading=int(heading))
        if unit["aboard"]:
            seat = unit["seat"] or "driver"
            posture = unit["posture"] if unit["posture"] == "under_vehicle" else "mounted"
            return unit.put(posture=posture, seat=seat)
        return unit

    def data(self, setting: Setting[DotTrooperOptions]) -> Mapping[str, Any]:  # noqa: ARG002
        """Nothing has been thrown yet."""
        return {"explosives": ()}

    @clause("DT-5", "DT-49", "DT-54", "DT-165", "DT-172")
    def faults(self, table: DTTable) -> Iterable[Breach]:
        """Give all that is wrong with a position."""
        for unit in table.state:
            ground = Ground.of(table, unit, *(rider.id for rider in riders(table, unit)))
            for dot in places_of(unit):
                level = unit["level"]
                if not ground.at(ground.walkable(level, passing=False), dot):
                    blocker = ground.blocker(dot, level)
                    rule = "DT-5" if blocker in ("an obstacle", "the edge of the map") else "DT-165"
                    yield Breach(rule, f"{unit.id} can not stand on {dot}: {blocker}", blocker=blocker, place=dot)
            if unit.type == "vehicle":
                yield from self._vehicle_faults(table, ground, unit)
            elif unit["aboard"]:
                yield from self._rider_faults(table, unit)

    def _vehicle_faults(self, table: DTTable, ground: Ground, unit: Unit) -> Iterator[Breach]:
        front, rear = dots_of_vehicle(unit)
        if front in ground.board and rear in ground.board and not ground.across(ground.rolls, rear, front):
            yield Breach("DT-54", f"{unit.id} lies across a closed edge", place=front)
        if unit["motion"] == "moving" and driver_of(table, unit) is None:
            yield Breach("DT-55", f"{unit.id} moves and nobody drives it", place=front)

    def _rider_faults(self, table: DTTable, unit: Unit) -> Iterator[Breach]:
        vehicle = table.state.units.get(unit["aboard"])
        if vehicle is None or vehicle.type != "vehicle":
            yield Breach("DT-55", f"{unit.id} rides {unit['aboard']}, which is not there")
        elif unit.place != rear_of(vehicle.place, vehicle.heading):
            rear = rear_of(vehicle.place, vehicle.heading)
            yield Breach("DT-51", f"{unit.id} rides {vehicle.id} and so stands on {rear}", rear, unit.place)
        elif unit["seat"] == "driver" and any(
            other.id != unit.id and other["seat"] == "driver" for other in riders(table, vehicle)
        ):
            yield Breach("DT-172", f"{vehicle.id} has two drivers", 1, 2)

    # --- orders ---

    def breaches(self, table: DTTable, order: Order) -> Iterable[Breach]:
        """Give every reason why an order is forbidden."""
        if order.action == "crash":
            return list(against_crashing(table, order, self.has_way(table, table.unit(order.unit))))
        return list(judged(table, order))

    def has_way(self, table: DTTable, driver: Unit) -> bool:
        """Whether a driver has any legal plan, in any mode they can select (DT-68)."""
        vehicle = vehicle_of(table, driver)
        question = ride_question(table, vehicle, driver) if vehicle is not None else None
        return question is not None and len(drive_reach(question)) > 0

    def plan(self, table: DTTable, order: Order) -> Order:
        """Find the way to a goal: of a drive, of a walk, of a flight."""
        goal = order.goal
        assert goal is not None
        unit = table.unit(order.unit)
        try:
            if order.action == "drive":
                ride = drive_reach(self._ride(table, unit, order["mode"]))
                planned = ride.order_to(goal.place, None if goal.heading is None else int(goal.heading))
                return Order(order.unit, "drive", planned.elements, order.args)
            found = self.reach(table, unit, order.action)
            return orders_of(found.route_to(goal.place), unit.id)[0]
        except (NoRoute, IndexError):
            raise IllegalOrder(f"{order.unit} {order.action}", [Breach("DT-68", f"no way to {goal.place}")]) from None

    # --- questions ---

    def move_space(self, table: DTTable, unit: Unit, action: str, **question: Any) -> MoveSpace:
        """Compile a `drive`, a `foot_move`, a flight (`activate_jet_pack`) or all on foot (`turn`)."""
        if action == "drive":
            asked = self._ride(table, unit, **question)
            return asked.space()
        return foot_space(
            table, unit, walks=action != "activate_jet_pack", flies=action in ("activate_jet_pack", "turn")
        )

    def _ride(self, table: DTTable, unit: Unit, mode: str = "", ap: int | None = None) -> RideQuestion:
        vehicle = vehicle_of(table, unit)
        if vehicle is None:
            raise TableError(f"{unit.id} drives nothing")
        if mode not in ("", *MODES):
            raise TableError(f"there is no mode {mode!r} (known: {', '.join(MODES)})")
        asked = ride_question(table, vehicle, unit, mode, ap)
        if asked is None:
            raise TableError(f"{unit.id} can select {mode or 'no mode'} on {vehicle.id}: neither AP nor card allow it")
        return asked

    @clause("DT-28", "DT-59", "DT-64")
    def reach(self, table: DTTable, unit: Unit, action: str, **question: Any) -> DriveReach | FootReach:
        """Answer where a unit can end.

        `drive` (with `mode`, or all that can be selected), `foot_move`, `activate_jet_pack` (the flight alone),
        `turn` (on foot with one flight), `mount_and_drive` (with `vehicle`: walk, mount, switch on, drive).
        """
        engine = question.pop("engine", "numpy")
        if action == "drive":
            return drive_reach(self._ride(table, unit, **question), engine)
        if action == "mount_and_drive":
            return self._mount_and_drive(table, unit, engine, **question)
        if action not in ("foot_move", "activate_jet_pack", "turn"):
            raise TableError(
                f"{action} moves nobody: ask for drive, foot_move, activate_jet_pack, turn, mount_and_drive"
            )
        walks, flies = action != "activate_jet_pack", action != "foot_move"
        return foot_reach(table, unit, walks=walks, flies=flies, engine=engine)

    @clause("DT-58", "DT-60", "DT-64")
    def _mount_and_drive(self, table: DTTable, unit: Unit, engine: Any, vehicle: str, mode: str = "") -> DriveReach:
        bike = table.unit(vehicle)
        on_foot = foot_reach(table, unit, flies=False)
        walks = [ap for (dot, level), ap in on_foot.levels.items() if can_mount_from(table, bike, dot, level)]
        if not walks:
            raise TableError(f"{unit.id} does not get to {vehicle} this turn")
        walked = min(walks)
        errands = ap_of(table, "mount") + (0 if bike["on"] else ap_of(table, "turn_on"))
        left = max_ap(table, unit) - unit["ap_spent"] - walked - errands
        counted = walked + (errands if table.options.cap_counts == "all_activities" else 0)
        asked = ride_question(table, bike, unit, mode, min(left, cap_left(table, unit) - counted))
        if asked is None:
            raise TableError(f"{unit.id} has {max(left, 0)} AP left in the saddle: no mode can be selected")
        return drive_reach(asked, engine)

    # --- pictures ---

    def draw(self, table: DTTable) -> Iterable[Drawn]:
        """Say what is to be drawn: vehicles by both dots, riders not apart from them."""
        for unit in table.state:
            if unit.type == "vehicle" and unit.place is not None:
                tokens = (unit["motion"], unit["posture"], f"HP {max(0, vehicle_hp(unit))}")
                yield Drawn(unit.id, unit.side, unit.place, unit.heading, dots_of_vehicle(unit), tokens=tokens)
            elif unit.place is not None and not unit["aboard"]:
                yield Drawn(unit.id, unit.side, unit.place, tokens=(unit["posture"], f"level {unit['level']}"))


RULESET = DotTrooper()
