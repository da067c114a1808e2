"""Lines of movement: their pieces, their allowed lengths, their legal ends, and who may move."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.ledger import LedgerLine
from simulator.engine.line_orders import piece_of
from simulator.engine.orders import Element, Order
from simulator.engine.state import Unit
from simulator.geometry.paths import Bend, Path, Straight
from simulator.geometry.pieces import XY
from simulator.geometry.tolerances import TOLERANCE
from simulator.rulesets.skirmish.front_point.lengths import farthest_within, from_front_to_front
from simulator.rulesets.skirmish.obstruction import all_barred, may_end, standing_breaches
from simulator.rulesets.skirmish.shortfalls import available_inches, inches_text, needed_inches
from simulator.rulesets.skirmish.units import SkirmishTable, radius_of, standing


def line_of(unit: Unit, elements: Sequence[Element]) -> Path:
    """Return the line that the elements of an order describe."""
    here: XY = tuple(unit.place)
    pieces: list[Straight | Bend] = []
    for element in elements:
        if element.name == "facing":
            continue
        pieces.append(piece_of(here, element))
        here = pieces[-1].end
    return Path(tuple(unit.place), tuple(pieces))


def facing_of(elements: Iterable[Element]) -> float | None:
    """Return the facing that an order names for the end of its line, None if it names none."""
    named = [float(element["heading"]) for element in elements if element.name == "facing"]
    return named[-1] if named else None


# --- how long ---


@clause("SK-2", role="figure")
def inches_of(table: SkirmishTable, unit: Unit) -> float:
    """Return the inches of 1 AP in the soldier's stance."""
    return float(table.tables["inches"][unit["stance"]])


@clause("SK-5", role="figure")
def lots_of(table: SkirmishTable, order: Order) -> int:
    """Compute how many AP a move spends: one, or with `pool_ap` as many as the order names."""
    return int(order.get("ap", 1)) * int(table.tables["cost.move"])


@clause("SK-2", "SK-5", "SK-28", "SK-30")
def allowance(table: SkirmishTable, unit: Unit, order: Order) -> float:
    """Compute how long the line of an order may be."""
    if order.action == "run":
        return float(table.tables["run.inches"])
    return inches_of(table, unit) * int(order.get("ap", 1))


@clause("SK-12")
def inches_after_failure(table: SkirmishTable, inches: float) -> float:
    """Compute how long the line of a move may be after a failed Terrain roll; below 0 it cannot begin."""
    return inches - float(table.tables["terrain.lost_inches"])


@clause("SK-12", "SK-35", "SK-36")
def _allowance_after_failure(table: SkirmishTable, unit: Unit, order: Order) -> float:
    """Compute how long the line may be after a failed Terrain roll."""
    if order.action == "run":
        return float(table.tables["run.failed.inches"])
    return inches_after_failure(table, allowance(table, unit, order))


@clause("SK-3", "SK-4")
def measured(table: SkirmishTable, unit: Unit, line: Path, facing: float | None = None) -> float:
    """Return the length that counts: that of the centre's path, or with `front_point` from front to front."""
    if table.options.measure == "translation":
        return line.length
    return from_front_to_front(line, radius_of(unit), float(unit.heading or 0.0), facing)


# --- judging ---


@clause("SK-1", "SK-5", "SK-28", "SK-39", role="judge")
def ap_breaches(unit: Unit, needed: int, clause_id: str, what: str) -> Iterator[Breach]:
    """Judge whether a soldier has the AP for an action."""
    if int(unit["ap"]) < needed:
        message = f"{what} takes {needed} AP, {unit.id} has {unit['ap']}"
        yield Breach(clause_id, message, needed, unit["ap"])


@clause("SK-2", "SK-4", "SK-5", "SK-16", "SK-37", "SK-56", role="judge")
def line_breaches(table: SkirmishTable, unit: Unit, order: Order, line: Path) -> Iterator[Breach]:
    """Judge a line of movement: its shape, its length, what bars it, where it ends."""
    most, length = allowance(table, unit, order), measured(table, unit, line, facing_of(order.elements))
    if length > most + TOLERANCE:
        own = "SK-30" if order.action == "run" else "SK-2"
        needed, available = needed_inches(length), available_inches(most)
        over = inches_text(needed - available)
        message = f"the line is {needed:.10g} inches long, {over} more than the {available:.10g} allowed"
        yield Breach(own, message, needed, available, place=line.end)
    if order.action != "run":
        yield from _bent(table, line)
    for barred in all_barred(table, unit, line.arrays):
        place = line.at(barred.inches)
        free = available_inches(barred.inches)
        message = f"{barred.message}, after {free:.10g} inches at {place[0]:.4g},{place[1]:.4g}"
        yield Breach(barred.clause, message, needed_inches(line.length), free, barred.blocker, place)
    yield from standing_breaches(table, unit, line.end)


@clause("SK-4")
def _bent(table: SkirmishTable, line: Path) -> Iterator[Breach]:
    """Object to a move that is not straight."""
    if table.options.path_shape == "straight_per_ap" and not line.is_straight:
        yield Breach("SK-4", "a move is one straight line")


@clause("SK-1", role="judge")
def before_moving(table: SkirmishTable, unit: Unit) -> Iterator[Breach]:
    """Yield the reasons why a soldier cannot make even a move of one lot now."""
    yield from ap_breaches(unit, int(table.tables["cost.move"]), "SK-1", "the move")


@clause("SK-1", "SK-5", role="judge")
def move_breaches(table: SkirmishTable, unit: Unit, order: Order) -> Iterator[Breach]:
    """Judge a move of 1 AP."""
    yield from _of_lots(table, unit, order)
    yield from line_breaches(table, unit, order, line_of(unit, order.elements))


@clause("SK-1", "SK-5", role="judge")
def _of_lots(table: SkirmishTable, unit: Unit, order: Order) -> Iterator[Breach]:
    """Object to how many AP a move takes."""
    if order.get("ap", 1) != 1 and not table.options.pool_ap:
        yield Breach("SK-5", "each AP is a separate move with its own line", order["ap"], 1)
    yield from ap_breaches(unit, lots_of(table, order), "SK-1", "the move")


def whatever_its_length(table: SkirmishTable, unit: Unit, order: Order) -> Iterator[Breach]:
    """Object to a move or a run as far as it does not matter how long its line is; all else depends on that."""
    line = line_of(unit, order.elements)
    if order.action == "run":
        yield from before_running(table, unit)
        yield from _bent_running(line)
    else:
        yield from _of_lots(table, unit, order)
        yield from _bent(table, line)


@clause("SK-27", "SK-28", "SK-29", "SK-30", "SK-33", role="judge")
def run_breaches(table: SkirmishTable, unit: Unit, order: Order) -> Iterator[Breach]:
    """Judge a run: a Standing soldier, 3 AP, one straight line."""
    yield from before_running(table, unit)
    line = line_of(unit, order.elements)
    yield from _bent_running(line)
    least = int(table.options.run_min_inches)
    if measured(table, unit, line, facing_of(order.elements)) < least - TOLERANCE:
        length = available_inches(measured(table, unit, line, facing_of(order.elements)))
        yield Breach("SK-30", f"a run goes {least} inches, this one {length:.10g}", least, length)
    yield from line_breaches(table, unit, order, line)


@clause("SK-29")
def _bent_running(line: Path) -> Iterator[Breach]:
    if not line.is_straight:
        yield Breach("SK-29", "a run is one straight line")


@clause("SK-33")
def are_exclusive(table: SkirmishTable) -> bool:
    """Whether a run and a traverse exclude each other in one activation."""
    return not table.options.run_and_traverse_same_activation


@clause("SK-27", "SK-28", "SK-33", role="judge")
def before_running(table: SkirmishTable, unit: Unit) -> Iterator[Breach]:
    """Yield the reasons why a soldier cannot run now, wherever to."""
    if unit["stance"] != "standing":
        yield Breach("SK-27", f"{unit.id} is {unit['stance']}: only a Standing soldier may run")
    yield from ap_breaches(unit, int(table.tables["cost.run.ap"]), "SK-28", "a run")
    if unit["has_traversed"] and are_exclusive(table):
        yield Breach("SK-33", f"{unit.id} has traversed in this activation: it cannot run as well")


# --- cut short ---


@clause("SK-13", "SK-14")
def legal_stops(table: SkirmishTable, unit: Unit, stretches: Sequence[tuple[Path, float]]) -> list[float]:
    """Compute how far a soldier gets along lines within a number of inches each: to the last place off all bases.

    The candidates are where a line enters the ground around a base: there the bases touch. A line may also lead over
    enemies, where only the line itself is barred by them.
    """
    circles = [(other.place, radius_of(unit) + radius_of(other)) for other in standing(table, unit)]
    tries: list[list[float]] = []
    known: dict[int, list[float]] = {}  # the same line often comes with different numbers of inches
    for line, inches in stretches:
        if id(line) not in known:
            known[id(line)] = [found for circle in circles for found in lengths_to_circle(line, *circle)]
        most = min(inches, line.length)
        met = [found for found in known[id(line)] if found <= most + TOLERANCE]
        tries.append(sorted((most, *met), reverse=True))
    places = [line.at(length) for (line, _), lengths in zip(stretches, tries, strict=True) for length in lengths]
    legal, firsts = may_end(table, unit, places), np.cumsum([0, *map(len, tries)]).tolist()
    return [
        next((length for number, length in enumerate(lengths, first) if legal[number]), 0.0)
        for lengths, first in zip(tries, firsts, strict=False)
    ]


def legal_stop(table: SkirmishTable, unit: Unit, line: Path, inches: float) -> float:
    """Compute how far along a line a soldier gets within `inches`: to the last place before that, off all bases."""
    return legal_stops(table, unit, [(line, inches)])[0]


@clause("SK-12", "SK-13", "SK-35")
def stop_after_failure(table: SkirmishTable, unit: Unit, order: Order, line: Path) -> float | None:
    """Compute how far along its line a soldier gets after a failed Terrain roll; None if the line is short enough."""
    most, facing = _allowance_after_failure(table, unit, order), facing_of(order.elements)
    if measured(table, unit, line, facing) <= most + TOLERANCE:
        return None
    stop = legal_stop(table, unit, line, within(table, unit, line, facing, most) or 0.0)
    # Before a base the front may be farther than behind it.
    return stop if measured(table, unit, line.part(0.0, stop), facing) <= most + TOLERANCE else 0.0


@clause("SK-3", "SK-12")
def within(table: SkirmishTable, unit: Unit, line: Path, facing: float | None, inches: float) -> float | None:
    """Compute how far along a line so many inches lead as they are measured; None if they do not even allow the turn.

    What is in the way does not matter here.
    """
    if table.options.measure == "translation":
        return min(max(inches, 0.0), line.length)
    return farthest_within(line, radius_of(unit), float(unit.heading or 0.0), facing, inches)


@clause("SK-3", "SK-13")
def facing_after(table: SkirmishTable, unit: Unit, order: Order, line: Path, inches: float) -> float | None:
    """Return the facing that a soldier takes up after so many inches of its line; None if it keeps its own.

    Where moves are measured from front to front, one that fails may be left with too few inches to turn.
    """
    facing = facing_of(order.elements)
    if facing is None or inches >= line.length or table.options.measure == "translation":
        return facing
    most = _allowance_after_failure(table, unit, order)
    return facing if measured(table, unit, line.part(0.0, inches), facing) <= most + TOLERANCE else None


def lengths_to_circle(line: Path, centre: XY, radius: float) -> list[float]:
    """Return after how many inches a line meets a circle."""
    found: list[float] = []
    for number, piece in enumerate(line.pieces):
        before = float(line.arrays.before[number])
        if isinstance(piece, Bend):
            apart = math.dist(piece.centre, centre)
            if not apart:
                continue
            cosine = (piece.radius**2 + apart**2 - radius**2) / (2 * piece.radius * apart)
            if abs(cosine) <= 1.0:
                towards = math.atan2(centre[1] - piece.centre[1], centre[0] - piece.centre[0])
                sign = math.copysign(1.0, piece.sweep)
                turns = [
                    (sign * (towards + side * math.acos(cosine) - piece.begin)) % (2 * math.pi) for side in (1.0, -1.0)
                ]
                found += [before + piece.radius * turn for turn in turns if turn <= abs(piece.sweep)]
        elif piece.length:
            (x1, y1), (x2, y2) = piece.start, piece.end
            ux, uy = (x2 - x1) / piece.length, (y2 - y1) / piece.length
            along, off = ux * (centre[0] - x1) + uy * (centre[1] - y1), ux * (centre[1] - y1) - uy * (centre[0] - x1)
            if abs(off) <= radius:
                half = math.sqrt(radius**2 - off**2)
                found += [before + s for s in (along - half, along + half) if 0.0 <= s <= piece.length]
    return found


def price_of_line(table: SkirmishTable, unit: Unit, order: Order, length: float) -> list[LedgerLine]:
    """Return the price of a line: its AP, and its length in inches."""
    if order.action == "run":
        ap = int(table.tables["cost.run.ap"])
        return [
            LedgerLine("a run, one spend", ap, 1, "AP", "SK-28"),
            LedgerLine("line of movement, running", length, 1, "inches", "SK-30"),
        ]
    ap = lots_of(table, order)
    return [
        LedgerLine("a move", ap, 1, "AP", "SK-1"),
        LedgerLine(f"line of movement, {unit['stance']}", length, 1, "inches", "SK-2"),
    ]
