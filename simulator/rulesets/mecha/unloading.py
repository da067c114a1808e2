"""Unloading: a carrier moves up to half its Move and sets a unit down at its rear, or stands and sets down more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from simulator.engine.amounts import plain
from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.events import Event, change_clock, change_unit
from simulator.engine.orders import Element, Order
from simulator.engine.ruleset import Action
from simulator.engine.state import Unit
from simulator.pathing.posed import Move
from simulator.rulesets.mecha.capacity import room_taken_by
from simulator.rulesets.mecha.declaring import ACTED, movement_phase, undeclarable
from simulator.rulesets.mecha.move_judge import compiled_now, of_path
from simulator.rulesets.mecha.movement import MechaMoves, compiled
from simulator.rulesets.mecha.playing import declared, steps
from simulator.rulesets.mecha.setting_down import beside, placed_breaches, with_unit
from simulator.rulesets.mecha.turning import free_degrees
from simulator.rulesets.mecha.units import MechaTable
from simulator.rulesets.mecha.vocabulary import SET_DOWN, moves_in

Breaches = Iterator[Breach]


@dataclass(frozen=True)
class Unloading:
    """An order to unload, read: the moves of the carrier, and whom it sets down after how many of them."""

    table: MechaTable
    carrier: Unit
    moves: MechaMoves
    elements: tuple[Element, ...]  #: those that move it
    written: tuple[Move, ...]
    set_down: tuple[tuple[int, Element], ...]

    @classmethod
    def of(cls, table: MechaTable, carrier: Unit, order: Order) -> Unloading:
        """Read an order."""
        moves = compiled_now(table, carrier, "unload")
        elements, set_down = list[Element](), list[tuple[int, Element]]()
        for element in order.elements:
            if element.name == SET_DOWN:
                set_down.append((len(elements), element))
            else:
                elements.append(element)
        written = tuple(moves_in(elements, moves))
        return cls(table, carrier, moves, tuple(elements), written, tuple(set_down))

    @property
    @clause("ME-30", "ME-37", "ME-78")
    def has_moved(self) -> bool:
        """Whether the carrier moves: a turn that is paid for is a move, a free one is none."""
        return self.moves.judged(self.written).total > 0

    def carrier_after(self, number: int) -> Unit:
        """Return the carrier after a number of its moves."""
        return self.moves.unit_after(self.carrier, self.moves.judged(self.written[:number]))

    # --- why not ---

    def breaches(self) -> Breaches:
        """Object to where the carrier goes, and to whom it sets down how."""
        yield from of_path(self.table, self.carrier, self.moves, self.written)
        yield from self._of_order()
        yield from self._of_number()
        table, known = self.table, dict[str, Unit]()
        for number, element in self.set_down:
            name = element["unit"]
            rider = self.table.state.units[name]
            if rider.carrier != self.carrier.id:
                yield Breach("ME-77", f"{name} is not aboard {self.carrier.id}", blocker=name)
                continue
            if name in known:
                yield Breach("ME-77", f"{name} has been set down already", blocker=name)
                continue
            carrier = self.carrier_after(number)
            there = known[name] = beside(table, rider, carrier, element["at"], element.get("heading"))
            yield from placed_breaches(with_unit(table, carrier), there, carrier, exits=False)
            table = with_unit(table, there)
            yield from self._in_the_way(with_unit(table, carrier), carrier, there, self.written[number:])

    @clause("ME-78")
    def _of_order(self) -> Breaches:
        if self.table.options.unload_order == "any":
            return
        if any(number < len(self.written) for number, _ in self.set_down):
            yield Breach("ME-78", f"{self.carrier.id} moves first, and unloads then")

    def _of_number(self) -> Breaches:
        riders = [self.table.state.units[element["unit"]] for _, element in self.set_down]
        yield from too_many(self.table, self.carrier, riders, moved=self.has_moved)

    @staticmethod
    @clause("ME-41", "ME-43")
    def _in_the_way(table: MechaTable, carrier: Unit, there: Unit, left: tuple[Move, ...]) -> Breaches:
        """Object to the rest of the moves where the unit that has just been set down is in their way."""
        if not left:
            return
        moves = compiled(table, carrier, "unload")
        verdict = moves.judged(left)
        for one in verdict.objections:
            if one.what in ("bars", "end"):
                found = moves.breach(one, verdict.path.at(one.inches))
                if found.blocker == there.id:
                    yield found


@clause("ME-77", "ME-78")
def too_many(table: MechaTable, carrier: Unit, riders: Iterable[Unit], *, moved: bool) -> Breaches:
    """Yield why a carrier cannot unload some units in one action; infantry counts one half each."""
    most = Fraction(table.tables["carrier.unloads_moved" if moved else "carrier.unloads_still"])
    count = sum((room_taken_by(table.tables, rider) for rider in riders), Fraction(0))
    if count > most:
        when = "after a move" if moved else "without a move"
        message = f"{carrier.id} unloads up to {float(most):g} {when}, not {float(count):g}"
        yield Breach("ME-78", message, plain(count), plain(most), carrier.id)


@clause("ME-77", role="judge")
def of_unloading(table: MechaTable, unit: Unit, order: Order) -> Breaches:
    """Object to an order to unload."""
    yield from undeclarable(table, unit, "unload")
    yield from nobody_aboard(table, unit)
    if unit.place is not None:
        yield from Unloading.of(table, unit, order).breaches()


@clause("ME-77")
def nobody_aboard(table: MechaTable, unit: Unit) -> Breaches:
    """Yield why a unit has nobody to unload."""
    if not table.state.riders(unit.id):
        yield Breach("ME-77", f"{unit.id} carries nobody: there is nothing to unload")


@clause("ME-77", "ME-79", "ME-80", "ME-81", role="play")
def unload(table: MechaTable, order: Order) -> Action:
    """Move, and set units down."""
    found = Unloading.of(table, table.unit(order.unit), order)
    yield declared(table, order.unit, "unload")
    made = steps(table, order.unit, found.elements, found.moves, found.written)
    for element in order.elements:
        if element.name == SET_DOWN:
            yield _set_down(table, table.unit(order.unit), element)
        else:
            yield next(made)


@clause("ME-35", "ME-80")
def _set_down(table: MechaTable, carrier: Unit, element: Element) -> Event:
    """Set a unit down: that counts as its Move Action in the phase, and costs it no action points."""
    there = beside(table, table.unit(element["unit"]), carrier, element["at"], element.get("heading"))
    acted = ACTED[movement_phase(table)]
    changes = {"place": there.place, "heading": there.heading, "level": there["level"], "carrier": ""}
    off = [change_unit(there.id, **changes, **{acted: there[acted] or "unloaded"})]
    if there.id in table.clock.done and free_degrees(table, there):
        # Its free turn is still to come (ME-35), though its go ended when it went aboard.
        off.append(change_clock(done=tuple(name for name in table.clock.done if name != there.id)))
    return Event("is set down", there.id, off, "ME-79", there.place, (), {"carrier": carrier.id})
