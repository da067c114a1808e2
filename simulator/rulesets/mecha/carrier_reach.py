"""Where units end that enter a carrier or leave one: the poses in which they board, and all that an exit leads to."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any

from shapely.geometry.base import BaseGeometry

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, TableError
from simulator.engine.orders import Order
from simulator.engine.posed_orders import move_elements
from simulator.engine.state import Unit
from simulator.geometry.poses import Pose
from simulator.pathing.posed import Arc, Placing
from simulator.pathing.traces import NoRoute
from simulator.rulesets.mecha.any_of_reach import AnyOfReach
from simulator.rulesets.mecha.capacity import cannot_enter, cannot_leave
from simulator.rulesets.mecha.declaring import undeclarable
from simulator.rulesets.mecha.elevated import top_of
from simulator.rulesets.mecha.features import MechaGround
from simulator.rulesets.mecha.move_reach import MechaReach
from simulator.rulesets.mecha.movement import MechaMoves, compiled, compiled_anywhere, compiled_standing
from simulator.rulesets.mecha.setting_down import beside, free_arcs, headings_of, rear_of, with_unit
from simulator.rulesets.mecha.turning import free_degrees
from simulator.rulesets.mecha.units import MechaTable, others


class EnterReach(MechaReach):
    """The poses in which a unit can be when it enters a carrier; afterwards it is aboard."""

    def orders_to(self, place: Any) -> list[Order]:
        """Return the order to enter, which is needed without a move as well."""
        if self.cost_at(place) is None:
            raise NoRoute(f"{self.mover.id} cannot end at {self.pose_of(place)}")
        return super().orders_to(place) or [Order(self.mover.id, self.action, [], self.args)]


class ExitReach(MechaReach):
    """Where a unit can end that leaves its carrier: placed anywhere on its rear, and on from there."""

    def orders_to(self, place: Any) -> list[Order]:
        """Return the order with where it is placed, and its way from there."""
        way = self.way_to(place)
        placed = {"at": way.start.place, "heading": float(way.start.heading)}
        return [Order(self.mover.id, self.action, move_elements(way.moves), placed)]


class ExitsReach(AnyOfReach):
    """Where a unit can end that leaves its carrier where some ground keeps it from moving on (ME-16)."""

    def __init__(self, table: MechaTable, mover: Unit, moving: ExitReach, held: ExitReach) -> None:
        """Store where it ends that is set down on ground on which it moves, and where it ends that is just set down."""
        nobody = Breach("ME-79", f"there is no room for {mover.id} behind its carrier")
        super().__init__(table, mover, "exit_unit", moving.barred, {"moves": moving, "stays": held}, nobody)
        self.moving, self.held = moving, held

    @clause("ME-16", "ME-79")
    def against_pose(self, pose: Pose) -> tuple[Sequence[Breach], str]:
        """Return the reasons why it does not end in a pose: those against who moves on, but where it is set down."""
        is_set_down = self.held.cost_at(replace(pose, heading=None)) is not None
        return (self.held if is_set_down else self.moving).against_pose(pose)


class EntersReach(AnyOfReach):
    """The poses in which a unit can be when it enters a carrier, whichever that is."""

    @property
    @clause("ME-74", role="search")
    def carriers(self) -> dict[str, BaseGeometry]:
        """The carriers that it can enter from here, each with the places at which it boards."""
        return self.areas


@clause("ME-73", role="search")
def enter_reach(table: MechaTable, unit: Unit, carrier: str | None = None) -> EnterReach | EntersReach:
    """Compute from where a unit can enter a carrier, which it moves up to, or any."""
    if unit.place is None:
        raise TableError(f"{unit.id} is not on the table")
    barred = list(undeclarable(table, unit, "enter_unit"))

    def into(name: str) -> EnterReach:
        is_there = table.unit(name).place is not None and name != unit.id
        moves = compiled(table, unit, "enter_unit", carrier=name) if is_there else compiled(table, unit, "standard")
        against = [*barred, *cannot_enter(table, unit, name)]
        return EnterReach(table, unit, "enter_unit", moves, against, {"carrier": name})

    if carrier is not None:
        return into(carrier)
    nobody = Breach("ME-74", f"there is no carrier that {unit.id} could enter")
    known = {other.id: into(other.id) for other in others(table, unit) if not any(cannot_enter(table, unit, other.id))}
    return EntersReach(table, unit, "enter_unit", barred, known, nobody)


@clause("ME-82", "ME-83", role="search")
def exit_reach(table: MechaTable, unit: Unit) -> ExitReach | ExitsReach:
    """Compute where a unit can end that leaves its carrier: set down, and moved on where it does move."""
    carrier = table.state.carrier_of(unit)
    if carrier is None or carrier.place is None:
        raise TableError(f"{unit.id} is not aboard a carrier on the table: it has nothing to exit")
    barred = [*undeclarable(table, unit, "exit_unit"), *cannot_leave(table, unit)]
    there = beside(table, unit, carrier, carrier.place, carrier.heading)
    after = with_unit(table, there)
    moves = compiled_anywhere(after, there, "exit_unit")
    moving = ExitReach(after, there, "exit_unit", placed_behind(after, there, carrier, moves), barred)
    if not MechaGround(after.setting, there, top_of(after.setting, there)).still:
        return moving
    held = placed_behind(after, there, carrier, compiled_standing(after, there))
    return ExitsReach(after, there, moving, ExitReach(after, there, "exit_unit", held, barred))


@clause("ME-79", "ME-83", role="search")
def placed_behind(
    table: MechaTable, there: Unit, carrier: Unit, moves: MechaMoves, *, exits: bool = True
) -> MechaMoves:
    """Return what a unit can do from wherever it is set down, and facing whichever way."""
    rear = rear_of(table, there, carrier, exits=exits)
    arcs = list(_arcs(table, there, rear, moves))
    turns = replace(moves.space.turns, free=free_degrees(table, there))
    if turns.free_in_portions and not turns.free:
        turns = replace(turns, free_in_portions=False)
    if not arcs:
        return moves.put(budget=Fraction(-1), turns=turns)
    return moves.put(starts=(), placings=(Placing(tuple(arcs), headings_of(table, carrier)),), turns=turns)


def _arcs(table: MechaTable, there: Unit, rear: Arc, moves: MechaMoves) -> Iterator[Arc]:
    """The parts of the rear that are not taken by somebody whom it may pass, at each distance that is contact."""
    tolerance = float(table.options.contact_tolerance)
    for off in (0.0, tolerance, -tolerance):
        if rear.radius + off > 0.0:
            whole = replace(rear, radius=rear.radius + off)
            yield from free_arcs(whole, moves.space.no_end, float(there["base"]))
