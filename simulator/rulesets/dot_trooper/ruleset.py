"""The rulebook as the engine uses it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from simulator.engine.board_words import Unread
from simulator.engine.clauses import clause, mark
from simulator.engine.constraints import is_whole
from simulator.engine.errors import Breach, OptionError, TableError
from simulator.engine.orders import Order
from simulator.engine.ruleset import Ruleset
from simulator.engine.state import Unit
from simulator.engine.table import Depiction, FireArc, Setting
from simulator.engine.values import Fields, show
from simulator.geometry.poses import Pose, place_text
from simulator.pathing.move_space import MoveSpace
from simulator.rulesets.dot_trooper.actions import RULES
from simulator.rulesets.dot_trooper.clock import DotTrooperClock
from simulator.rulesets.dot_trooper.drive_states import HEADINGS
from simulator.rulesets.dot_trooper.figures import TABLES, row_faults
from simulator.rulesets.dot_trooper.fire import arcs_of
from simulator.rulesets.dot_trooper.judge import orders as judge
from simulator.rulesets.dot_trooper.judge.drive import against_crashing, vehicle_of
from simulator.rulesets.dot_trooper.movement import foot_space, has_way
from simulator.rulesets.dot_trooper.options import DotTrooperOptions
from simulator.rulesets.dot_trooper.phrases import PHRASES
from simulator.rulesets.dot_trooper.planning import orders_of_trooper, planned
from simulator.rulesets.dot_trooper.questions import QUESTIONS
from simulator.rulesets.dot_trooper.reach.answer import UNIT, DotReach
from simulator.rulesets.dot_trooper.reach.questions import ASKS, REACHES, reach_of, required_ride_question
from simulator.rulesets.dot_trooper.reach.reverse import placements, starts_to
from simulator.rulesets.dot_trooper.standing import Occupancy
from simulator.rulesets.dot_trooper.starter_units import STARTER_UNITS
from simulator.rulesets.dot_trooper.surroundings import dots_of_vehicle, map_of, places_of, rear_of
from simulator.rulesets.dot_trooper.terrain import READS, STARTERS
from simulator.rulesets.dot_trooper.unit_fields import is_dot
from simulator.rulesets.dot_trooper.units import UNIT_TYPES, DTTable, mounted_weapons, riders, vehicle_hp
from simulator.rulesets.dot_trooper.vocabulary import VOCABULARY
from simulator.rulesets.dot_trooper.weapons import known_weapons
from simulator.rulesets.dot_trooper.without_effect import notes_on
from simulator.wording import did_you_mean, with_article

if TYPE_CHECKING:
    from simulator.engine.reverse_reach import ReverseReach
    from simulator.pathing.departures import Departures


class DotTrooper(Ruleset[DotTrooperOptions, DotReach]):
    """Movement of dot_trooper: vehicles with modes, control checks and skids; jet packs; troopers on foot."""

    name = "dot_trooper"
    title = "Dot trooper: advanced mobility"
    boards = ("dots",)
    reads = READS
    starters = STARTERS
    starter_units = STARTER_UNITS
    unit_types = UNIT_TYPES
    options = DotTrooperOptions
    tables = TABLES
    vocabulary = VOCABULARY
    clock = DotTrooperClock()
    actions = RULES
    phrases = PHRASES
    phrases_complete = True
    questions = QUESTIONS
    reaches = REACHES
    reach_headings = reach_levels = True
    asks = ASKS

    # --- setting up ---

    def make_unit(self, id: str, type: str, side: str, place: Any = None, heading: Any = None, **fields: Any) -> Unit:
        """Make a trooper, or a vehicle with the heading of one of the six directions."""
        unit = super().make_unit(id, type, side, place, heading, **fields)
        if faults := list(_card_faults(unit)):
            raise OptionError("\n".join(faults), id)
        if type == "vehicle":
            if heading not in HEADINGS:
                raise OptionError(f"expected a heading of 0, 60, 120, 180, 240 or 300, not {heading}", f"{id}.heading")
            return unit.put(heading=int(heading))
        if unit.carrier:
            seat = unit["seat"] or "driver"
            posture = unit["posture"] if unit["posture"] == "under_vehicle" else "mounted"
            return unit.put(posture=posture, seat=seat)
        return unit

    @clause("DT-51")
    def settled(self, units: Iterable[Unit]) -> Iterable[Unit]:
        """Place riders without a place of their own on the rear dot of what they ride."""
        units = list(units)
        vehicles = {unit.id: unit for unit in units if unit.type == "vehicle" and unit.place is not None}
        for unit in units:
            vehicle = vehicles.get(unit.carrier) if unit.place is None else None
            if vehicle is None:
                yield unit
            else:
                yield unit.put(place=rear_of(vehicle.place, vehicle.heading), level=vehicle["level"])

    def data(self, setting: Setting[DotTrooperOptions]) -> Mapping[str, Any]:  # noqa: ARG002
        """Return the data of a new game: nothing has been thrown yet."""
        return {"explosives": ()}

    @clause("DT-24", role="judge")
    def data_faults(self, table: DTTable) -> Iterable[str]:
        """Report stored explosives without who threw them for which side, where they lie, what they are and the TN."""
        thrown = table.data["explosives"]
        requirement = "explosives: expected a list of by, side, at, weapon and tn"
        if not isinstance(thrown, tuple):
            yield requirement
            return
        for number, charge in enumerate(thrown):
            if not isinstance(charge, Fields) or set(charge) != {"at", "by", "side", "tn", "weapon"}:
                yield f"{requirement} (entry {number})"
            elif not (
                is_dot(charge["at"])
                and charge["at"] in table.board
                and charge["weapon"] in known_weapons(table)
                and is_whole(charge["tn"])
                and isinstance(charge["side"], str)
                and charge["by"] in table.state.units
            ):
                entry = f"a dot of the map, a weapon, a whole number, and a unit of the table (entry {number})"
                yield f"{requirement}: {entry}"

    @clause("DT-5", "DT-49", "DT-54", "DT-165", "DT-172", role="judge")
    def faults(self, table: DTTable) -> Iterable[Breach]:
        """Return all faults of a position; `blocker` names the unit at fault."""
        standing = Occupancy.of(table)
        for unit in table.state:
            for breach in self._faults_of(table, unit, standing):
                yield replace(breach, blocker=unit.id)

    def _faults_of(self, table: DTTable, unit: Unit, standing: Occupancy) -> Iterator[Breach]:
        for dot in places_of(unit):
            if (blocker := standing.blocker(unit, dot)) is not None:
                rule = "DT-5" if blocker in ("an obstacle", "the edge of the map") else "DT-165"
                yield Breach(
                    rule, f"{unit.id} cannot stand on {place_text(dot)}: {blocker}", blocker=blocker, place=dot
                )
        if unit.type == "trooper" and unit["weapon"] not in known_weapons(table):
            message = f"{unit.id} has {with_article(unit['weapon'])}, which is not a weapon here"
            yield Breach("DT-173", message, known_weapons(table), unit["weapon"], unit.id)
        if unit.type == "vehicle":
            yield from self._vehicle_faults(table, unit, standing)
        elif unit.carrier:
            yield from self._rider_faults(table, unit, standing)

    def _vehicle_faults(self, table: DTTable, unit: Unit, standing: Occupancy) -> Iterator[Breach]:
        if unit.place is None:
            yield Breach("DT-49", f"{unit.id} is not on the map: a vehicle takes up two of its dots")
            return
        (front, rear), ground = dots_of_vehicle(unit), standing.ground
        if front in ground.board and rear in ground.board and not ground.across(ground.rolls, rear, front):
            yield Breach("DT-54", f"{unit.id} lies across a closed edge", place=front)
        yield from _mount_faults(table, unit)
        if unit["motion"] == "moving" and not any(one["seat"] == "driver" for one in standing.crew(unit)):
            yield Breach("DT-55", f"{unit.id} moves without a driver", place=front)

    def _rider_faults(self, table: DTTable, unit: Unit, standing: Occupancy) -> Iterator[Breach]:
        vehicle = table.state.carrier_of(unit)
        if vehicle is None or vehicle.type != "vehicle":
            vehicles = [other.id for other in table.state if other.type == "vehicle"]
            message = f"{unit.id} rides {unit.carrier}, which is not a vehicle here"
            yield Breach("DT-55", f"{message}; {did_you_mean(unit.carrier, vehicles)}")
        elif vehicle.place is None:
            return  # reported for the vehicle
        elif unit.place != (rear := rear_of(vehicle.place, vehicle.heading)):
            message = f"{unit.id} rides {vehicle.id} and therefore stands on its rear dot, {place_text(rear)}"
            yield Breach("DT-51", f"{message}, not on {show(unit.place)}", rear, unit.place)
        elif unit["seat"] == "driver" and any(
            other.id != unit.id and other["seat"] == "driver" for other in standing.crew(vehicle)
        ):
            yield Breach("DT-172", f"{vehicle.id} has two drivers", 2, 1)

    def without_effect(self, setting: Setting[DotTrooperOptions]) -> Iterator[Unread]:
        """Report ramps, stairs and openings that lead nowhere, and barriers where nobody can stand."""
        return notes_on(setting)

    # --- orders ---

    def breaches(self, table: DTTable, order: Order) -> Iterable[Breach]:
        """Return every reason why an order is forbidden."""
        if table.unit(order.unit).type != "trooper":
            return [Breach("DT-65", f"{order.unit} is a vehicle: its driver acts", blocker=order.unit)]
        if order.action == "crash":
            return against_crashing(table, order, has_way(table, table.unit(order.unit)))
        return judge.breaches(table, order)

    def plan(self, table: DTTable, order: Order) -> Order:
        """Plan the way to a goal: the cheapest, and of drives the surest of those."""
        return planned(table, order)

    def orders(self, table: DTTable, unit: Unit) -> Iterable[Order]:
        """List the legal orders of a trooper: every other action, and for movements one way to each legal end."""
        return orders_of_trooper(table, unit)

    # --- questions ---

    def move_space(self, table: DTTable, unit: Unit, action: str, **question: Any) -> MoveSpace:
        """Compile a `drive`, a `foot_move`, a flight (`activate_jet_pack`) or all on foot (`turn`)."""
        if action == "drive":
            return required_ride_question(table, unit, **question).space()
        if action not in ("foot_move", "activate_jet_pack", "turn"):
            raise TableError(f"{action} has no move space; {did_you_mean(action, REACHES)}")
        return foot_space(table, unit, walks=action != "activate_jet_pack", flies=action != "foot_move")

    def reach(self, table: DTTable, unit: Unit, action: str, **question: Any) -> DotReach:
        """Compute where a unit can end; `reaches` lists the actions.

        `drive` and `turn` take a `mode`, `mount_and_drive` also a `vehicle`; `engine` selects the search.
        """
        return reach_of(table, unit, action, **question)

    def departures(self, table: DTTable, unit: Unit, action: str, **question: Any) -> Departures | None:
        """Compile a drive, or a movement on foot or in the air, from all dots."""
        from simulator.rulesets.dot_trooper.reach.departures import departures_of

        return departures_of(table, unit, action, **question)

    def reach_to(self, table: DTTable, unit: Unit, place: Any, action: str, **question: Any) -> ReverseReach:
        """Answer from where a unit could get to a dot or pose: `drive`, `foot_move`, `activate_jet_pack` or `turn`."""
        from simulator.engine.reverse_reach import ReverseReach

        mover, starts, turned = starts_to(table, unit, Pose.of(place), action, **question)
        return ReverseReach(self, table, unit.id, mover, place, action, UNIT, starts, question, turned)

    def placements(self, table: DTTable, unit: Unit, place: Any) -> Iterable[DTTable]:
        """Return the table with a unit on another dot or pose, with all who ride it, on each level there is."""
        return placements(table, unit, Pose.of(place))

    @clause("DT-55")
    def moves_with(self, table: DTTable, unit: Unit) -> Unit:
        """Return the vehicle that a driver in the saddle moves with."""
        vehicle = vehicle_of(table, unit) if unit.type == "trooper" and unit["posture"] == "mounted" else None
        return unit if vehicle is None else vehicle

    # --- pictures ---

    def pose_of(self, table: DTTable, unit: Unit) -> Pose | None:
        """Return where a trooper stands and on which level, or where the front of a vehicle is and how it is facing."""
        if unit.place is None:
            return None
        if unit.type == "trooper":
            return Pose(unit.place, level=unit["level"])
        board = map_of(table)
        return Pose(unit.place, unit.heading, int(board.level[board.index(unit.place)]))

    def draw(self, table: DTTable) -> Iterable[Depiction]:
        """Describe what to draw: vehicles with both dots, riders as part of them."""
        for unit in table.state.standing:
            if unit.type == "vehicle":
                hp = vehicle_hp(unit)
                tokens: tuple[str, ...] = (unit["motion"], unit["posture"], f"HP {hp}" if hp >= 0 else "no HP")
                if aboard := riders(table, unit):
                    tokens += (f"with {', '.join(rider.id for rider in aboard)}",)
                yield Depiction(unit.id, unit.side, unit.place, unit.heading, dots_of_vehicle(unit), tokens=tokens)
            else:
                yield Depiction(unit.id, unit.side, unit.place, tokens=(unit["posture"], f"level {unit['level']}"))

    def fire_arcs(self, table: DTTable) -> Iterable[FireArc]:
        """Return the arcs of weapons in hand, and of mounted weapons that a rider serves."""
        for unit in table.state:
            for weapon, dots, _ in arcs_of(table, unit):
                yield FireArc(unit.id, unit.side, weapon, dots)


@clause("DT-47", "DT-158", "DT-173", role="judge")
def _mount_faults(table: DTTable, vehicle: Unit) -> Iterator[Breach]:
    """Report faults of the mounted weapons of a vehicle: unknown weapons, or the wrong number of arcs."""
    mounts = mounted_weapons(table, vehicle)
    for name in dict.fromkeys(str(data["weapon"]) for data in mounts):
        if name not in known_weapons(table):
            message = f"{vehicle.id} mounts {with_article(name)}, which is not a weapon here"
            yield Breach("DT-173", message, known_weapons(table), name)
    if vehicle["arcs"] and len(vehicle["arcs"]) != len(mounts):
        message = f"{vehicle.id} has {len(vehicle['arcs'])} arcs for {len(mounts)} mounted weapons"
        yield Breach("DT-158", message, len(mounts), len(vehicle["arcs"]))


def _card_faults(unit: Unit) -> Iterator[str]:
    """Report faults of a unit beyond its single fields: its place, and the HP row of its card."""
    if unit.place is not None and not is_dot(unit.place):
        yield f"place: expected a dot such as [3, 4], not {show(unit.place)}"
    if unit.get("hp_table") is not None:
        yield from (f"{path}: {message}" for path, message in row_faults("hp_table", unit["hp_table"]))


RULESET = DotTrooper()

_WHY = {
    "DT-3": ("definition", "distance is what the board measures; every rule that counts dots uses it"),
    "DT-14": ("definition", "an example of DT-13"),
    "DT-15": ("definition", "the level of a roof is the board's: an example of DT-13"),
    "DT-29": ("definition", "names the two types of vehicle, which play alike"),
    "DT-31": ("definition", "the fields vehicle_type and id_number; no rule looks at them"),
    "DT-46": ("definition", "the field ammo; its meaning is left to the base game"),
    "DT-99": ("definition", "an example of DT-98"),
    "DT-103": ("definition", "an example of DT-102"),
    "DT-124": ("definition", "an example of DT-120 to DT-123"),
}
for _id, (_kind, _reason) in _WHY.items():
    mark(_id, _kind, _reason)
