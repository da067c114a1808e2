"""The judge: every reason why a move is forbidden here. It judges the move as written and searches nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

from simulator.byte_cache import kept
from simulator.engine.clauses import clause
from simulator.engine.drafts import AgainstDraft, depends_on_the_way
from simulator.engine.errors import Breach
from simulator.engine.orders import Element, Order
from simulator.engine.ruleset import register_order
from simulator.engine.state import State, Unit
from simulator.engine.table import Table
from simulator.geometry.paths import Path
from simulator.geometry.pieces import XY
from simulator.geometry.tolerances import TOLERANCE
from simulator.pathing.posed import Follow, Mode, Move, Objection, Travel
from simulator.pathing.posed.directions import Directions
from simulator.pathing.posed.lasting import stays_amiss
from simulator.pathing.posed.moves import aside_text
from simulator.pathing.posed.verdict_memory import VerdictMemory
from simulator.rulesets.combined_arms.bands import Moved, band_of, by_distance, most_of_band, own_amount, own_band
from simulator.rulesets.combined_arms.beside_doors import way_breaches
from simulator.rulesets.combined_arms.entering import (
    ENTRIES,
    delay_breaches,
    descent_breaches,
    entered,
    entry_breaches,
    is_waiting,
)
from simulator.rulesets.combined_arms.features import ArmsSetting, inch_table
from simulator.rulesets.combined_arms.figures import BANDS
from simulator.rulesets.combined_arms.fire import shot_breaches
from simulator.rulesets.combined_arms.heights import ElementMade, HowHigh, walked
from simulator.rulesets.combined_arms.leaving import leaving_breaches
from simulator.rulesets.combined_arms.matrix import Mover, altitude_limit, too_high
from simulator.rulesets.combined_arms.movement import ArmsMoves, compiled, slants, ways_of
from simulator.rulesets.combined_arms.overruns import overrun_breaches, overrun_by
from simulator.rulesets.combined_arms.rates import (
    LEGS,
    current_rate,
    damage_level_of,
    mode_of,
    modes_of,
    original_rate,
    turns_freely,
)
from simulator.rulesets.combined_arms.shortages import shortage
from simulator.rulesets.combined_arms.storeys import (
    GROUND,
    clause_of_way,
    doors_in_no_wall,
    nowhere,
    storey_of,
    why_never_taken,
)
from simulator.rulesets.combined_arms.transport import (
    allowance,
    allowance_clause,
    most_inches,
    set_down,
    transfer_breaches,
)
from simulator.rulesets.combined_arms.turning import dearest_rotation, widest_rotation
from simulator.rulesets.combined_arms.units import ArmsTable, base_of, column_of, crew_of, mobility_of
from simulator.rulesets.combined_arms.vocabulary import CLIMBS, TURNS, moves_of_elements
from simulator.wording import did_you_mean, measure

Breaches = Iterator[Breach]
#: Objects to a move, compiled and written, of a piece that has come onto the board.
OfWay = Callable[[ArmsTable, Unit, Order, ArmsMoves, Sequence[Move]], Breaches]
#: The clauses by which directions of travel are refused.
_NO_SIDEWAYS = {"crew_weapon": "CA-19"}
#: About what a thing in the way takes in a compiled piece: its outline, and as the judge of paths takes it.
_BYTES_OF_BAR = 4_000
#: The elements that make up the way of a piece on the board.
_ON_THE_WAY = (*LEGS, *TURNS, *CLIMBS)
#: A climb that is shorter than those of orders.
_LITTLE = Fraction(1, 10**6)
#: The angle that one rotation sweeps at most.
_HALF_TURN = 180


def is_nowhere(unit: Unit) -> bool:
    """Whether a piece is not on the table, nor on its way there."""
    return unit.place is None and not unit.carrier and not is_waiting(unit)


def moves_for(
    table: ArmsTable, unit: Unit, order: Order, stages: Sequence[ElementMade] | None = None
) -> tuple[ArmsMoves, list[Move]]:
    """Return a piece compiled for an order, at every altitude that it names, and the moves of the order.

    The stages of the order may be known.
    """
    stages = _stages(table, unit, order.elements) if stages is None else stages
    # How often a piece comes to an altitude makes no difference.
    heights = [HowHigh(Fraction(unit["altitude"])), *(stage.after for stage in stages)]
    at = tuple(dict.fromkeys(height.altitude for height in heights if height.storey == GROUND))
    climbs = [stage for stage in stages if stage.element.name in CLIMBS and stage.before.storey == GROUND]
    links = tuple(dict.fromkeys((stage.before.altitude, stage.after.altitude) for stage in climbs))
    space = _compiled(table.setting, table.state, unit, at, links, tuple(order.get("over") or ()))
    return space, list(_moves(table, stages, space))


def _bytes_of(moves: ArmsMoves) -> int:
    return VerdictMemory.byte_count + sum(_BYTES_OF_BAR * (1 + len(level.bars)) for level in moves.levels)


@kept(megabytes=8, weigh=_bytes_of)
def _compiled(
    setting: ArmsSetting,
    state: State,
    unit: Unit,
    altitudes: tuple[Fraction, ...],
    climbs: tuple[tuple[Fraction, Fraction], ...],
    over: tuple[str, ...],
) -> ArmsMoves:
    """Compile a piece at some altitudes: once for all moves that are tried at one moment."""
    return compiled(Table(setting, state), unit, altitudes, climbs, over)


def _moves(table: ArmsTable, stages: Iterable[ElementMade], space: ArmsMoves) -> Iterator[Move]:
    """The moves of the stages of an order, each from where the one before it has led."""
    known, modes, ways = space.altitudes, space.space.modes, space.ways
    slanting = slants(table)
    for element, here, _, _ in stages:
        level = space.level_at(here)
        yield from moves_of_elements([element], here.altitude, known, modes, slanting=slanting, ways=ways, level=level)


def _stages(table: ArmsTable, unit: Unit, elements: Iterable[Element]) -> list[ElementMade]:
    """How high each element of an order begins and ends."""
    start = HowHigh(Fraction(unit["altitude"]), storey_of(table.setting, unit) or GROUND)
    return list(walked(elements, start, ways_of(table.setting, Mover.of(unit), base_of(unit).reach)))


def breaches(table: ArmsTable, order: Order) -> Breaches:
    """Yield every reason why an order is forbidden, in the order of the register."""
    unit = table.unit(order.unit)
    if order.action == "delay_entry":
        yield from delay_breaches(table, unit)
        return
    if is_nowhere(unit):
        yield Breach("CA-138", f"{unit.id} is not on the table", blocker=unit.id)
        return
    # Where a piece may not get off, it may not end its move either.
    once = {(breach.clause, breach.message): breach for breach in _reasons(table, unit, order, _of_way)}
    yield from sorted(once.values(), key=lambda breach: register_order(breach.clause))


def _reasons(table: ArmsTable, unit: Unit, order: Order, way: OfWay) -> Breaches:
    yield from _of_one_move(unit)
    if misplaced := [*_of_transfers(unit, order.elements), *_of_entries(unit, order.elements)]:
        yield from misplaced
        return
    if unit.carrier:
        yield from _of_getting_off(table, order)
    elif is_waiting(unit):
        yield from entry_breaches(table, unit, order.elements[0])
    table = put_on_board(table, order)
    unit = table.unit(order.unit)
    if order.elements[0].name == "drop":
        yield from descent_breaches(table, unit, order.elements)
    if order.elements[0].name == "unload":
        yield from standing_breaches(table, unit)
    elif order.elements[0].name in ENTRIES:
        yield from standing_breaches(table, unit, ends=False)
    yield from _of_rotations(order.elements)
    stages = _stages(table, unit, order.elements)
    yield from _of_altitudes(table, unit, stages)
    yield from _of_shots(table, unit, stages)
    space, moves = moves_for(table, unit, order, stages)
    altitudes = (stage.after.altitude for stage in stages)
    lowest = min((Fraction(unit["altitude"]), *altitudes))
    yield from _of_targets(table, unit, order.get("over") or (), lowest)
    if immobile := list(immobile_breaches(table, unit, moves, leaves=order.elements[-1].name == "leave_board")):
        yield from immobile
        return
    yield from way(table, unit, order, space, moves)


def _of_way(table: ArmsTable, unit: Unit, order: Order, space: ArmsMoves, moves: Sequence[Move]) -> Breaches:
    """Object to where a move goes, and to what it comes to."""
    verdict = space.judged(moves)
    yield from _of_path(unit, space, moves, verdict.path, verdict.objections)
    yield from _beside_the_path(table, unit, order, space, moves)


def _beside_the_path(table: ArmsTable, unit: Unit, order: Order, space: ArmsMoves, moves: Sequence[Move]) -> Breaches:
    """Object to what a move costs, to its shots, and to boarding and leaving at its end."""
    verdict = space.judged(moves)
    yield from _of_allowance(table, unit, space, moves)
    moved = Moved.after(unit, verdict, dearest_rotation(space.space.turns, moves), widest_rotation(moves))
    yield from _of_bands(table, unit, order.elements, moved)
    yield from _of_damage(table, unit, moved.covered)
    yield from _of_fire(table, unit, order.elements, space, moves)
    if order.elements[-1].name == "leave_board":
        yield from leaving_breaches(table, unit.id, verdict.place)
        yield from no_time_breaches(table, unit)
    if order.elements[-1].name == "load":
        carrier = table.unit(order.elements[-1]["carrier"])
        there = space.unit_after(unit, verdict)
        yield from transfer_breaches(table, there, carrier, verdict.total, boards=True)
        yield from way_breaches(table, there, carrier, space.levels[verdict.level])


def against_draft(table: ArmsTable, order: Order) -> AgainstDraft:
    """Return what is wrong with a draft: what it costs comes before where it goes."""
    unit = table.unit(order.unit)
    if order.action == "delay_entry" or is_nowhere(unit):
        return AgainstDraft(list(breaches(table, order)))
    if found := list(_however_short(table, unit, order)):
        return AgainstDraft(found, stays=True)
    stays = False

    def way(table: ArmsTable, unit: Unit, order: Order, space: ArmsMoves, moves: Sequence[Move]) -> Breaches:
        nonlocal stays
        yield from _beside_the_path(table, unit, order, space, moves)
        verdict = space.judged(moves)
        yield from _of_path(unit, space, moves, verdict.path, verdict.wrongs.shortfalls(verdict))
        if not found:
            yield from _of_path(unit, space, moves, verdict.path, verdict.enough_objections)
        stays = stays_amiss(space.space, moves, verdict)

    for reason in _reasons(table, unit, order, way):
        found.append(reason)
        if not depends_on_the_way(reason):
            # Whatever else is wrong, no other way cures this.
            break
    return AgainstDraft(found, stays=stays and bool(found))


def _however_short(table: ArmsTable, unit: Unit, order: Order) -> Breaches:
    """Object to an order of legs, rotations and climbs that stays wrong however short they are.

    Only for a piece that may move, and for an order with nothing else that no other way would cure.
    """
    if order.args or any(element.name not in _ON_THE_WAY for element in order.elements):
        return
    if unit["has_moved"] or unit.carrier or is_waiting(unit) or not current_rate(table, unit):
        return
    modes = modes_of(table, unit)
    directions = Directions(modes)
    for element in order.elements:
        if element.name in LEGS and (mode := mode_of(element, modes)) not in directions:
            yield Breach(*_no_such_travel(unit, directions, mode), place=unit.place)
    climbs = [element for element in order.elements if element.name in CLIMBS and element["inches"]]
    little = _stages(table, unit, [replace(climb, args={"inches": _LITTLE}) for climb in climbs[:1]])
    if little and any(_of_altitudes(table, unit, little)):
        yield from _of_altitudes(table, unit, _stages(table, unit, order.elements))


@clause("CA-7")
def _of_one_move(unit: Unit) -> Breaches:
    if unit["has_moved"]:
        yield Breach("CA-7", f"{unit.id} has made its move this turn")


# --- transport ---


@clause("CA-118", "CA-119", "CA-129")
def _of_transfers(unit: Unit, elements: Sequence[Element]) -> Breaches:
    """Object to boarding before the end of a move, and to getting off after its beginning."""
    names = [element.name for element in elements]
    if unit.carrier and names[0] != "unload":
        yield Breach("CA-119", f"{unit.id} is aboard {unit.carrier}: it has to get off first", blocker=unit.carrier)
    elif "unload" in names[0 if not unit.carrier else 1 :]:
        yield Breach("CA-119", f"{unit.id} is not aboard a transport then")
    if "load" in names and unit.carrier_word == "":
        yield Breach("CA-118", f"{unit.type} pieces cannot board a transport")
    elif "load" in names[:-1]:
        yield Breach("CA-118", f"{unit.id} would be aboard: boarding ends its move")
    if "leave_board" in names[:-1]:
        yield Breach("CA-138", f"{unit.id} would have left the board: that ends its move")


@clause("CA-148")
def _of_entries(unit: Unit, elements: Sequence[Element]) -> Breaches:
    """Object to coming onto the board but at the beginning of a move, or to moving before."""
    names = [element.name for element in elements]
    if is_waiting(unit) and names[0] not in ENTRIES:
        yield Breach("CA-148", f"{unit.id} is not on the board yet: it has to come on first")
    elif any(name in ENTRIES for name in names[is_waiting(unit) :]):
        yield Breach("CA-148", f"{unit.id} is on the board then")


def put_on_board(table: ArmsTable, order: Order) -> ArmsTable:
    """Return the table after the first element of an order, if that brings the piece onto it."""
    unit = table.unit(order.unit)
    if unit.carrier:
        return set_down(table, order)
    return entered(table, order) if is_waiting(unit) else table


@clause("CA-119", "CA-126", "CA-127", "CA-128", "CA-130")
def _of_getting_off(table: ArmsTable, order: Order) -> Breaches:
    """Object to getting off where that is not possible, or not legal to stand."""
    unit = table.unit(order.unit)
    carrier = table.state.carrier_of(unit)
    assert carrier is not None
    after = set_down(table, order)
    there = after.unit(order.unit).put(transferred=unit["transferred"])
    yield from transfer_breaches(table, there.put(busy_until=unit["busy_until"]), carrier, Fraction(0), boards=False)
    yield from way_breaches(after, there, carrier)


@clause("CA-47")
def _of_rotations(elements: Sequence[Element]) -> Breaches:
    for element in elements:
        if element.name in TURNS and element["angle"] > _HALF_TURN:
            yield Breach("CA-47", "one rotation sweeps at most 180 degrees", element["angle"], _HALF_TURN)


@clause("CA-82", "CA-83", "CA-84", "CA-115")
def _of_altitudes(table: ArmsTable, unit: Unit, stages: Sequence[ElementMade]) -> Breaches:
    meant = [Fraction(unit["altitude"]), *(stage.meant for stage in stages)]
    lowest, highest = min(meant), max(meant)
    if lowest < 0:
        yield Breach("CA-84", "it would descend below the ground", lowest, 0)
    limit = altitude_limit(table.setting, column_of(unit))
    if limit is not None and highest > max(limit, unit["altitude"]):
        yield Breach(_limited_by(unit), too_high(mobility_of(unit), limit), highest, limit)


def _limited_by(unit: Unit) -> str:
    """The clause that says how high a piece flies."""
    return "CA-83" if column_of(unit) in ("powered_armor", "crew_weapon") else "CA-82"


@clause("CA-112", "CA-113", "CA-114")
def _of_shots(table: ArmsTable, unit: Unit, stages: Sequence[ElementMade]) -> Breaches:
    if mobility_of(unit) in table.options.popup_types:
        return
    fired = False
    for element, here, _, _ in stages:
        fired = fired or (element.name == "fire" and here.altitude > 0)
        if fired and element.name == "descend" and element["inches"] > 0:
            yield Breach("CA-114", f"{mobility_of(unit)} pieces do not drop back after a shot from above the ground")
            return


@clause("CA-8", "CA-97", "CA-98")
def _of_fire(
    table: ArmsTable, unit: Unit, elements: Sequence[Element], space: ArmsMoves, moves: Sequence[Move]
) -> Breaches:
    """Object to a second shot in a turn, and to targets that are not seen, or too far off, where the piece fires."""
    shots = sum(element.name == "fire" for element in elements)
    if shots > 1 or (shots and unit["has_fired"]):
        yield Breach("CA-98", f"{unit.id} fires once in a turn", shots + bool(unit["has_fired"]), 1)
    done = 0
    for element in elements:
        if element.name == "fire" and element.get("target"):
            so_far, target = space.judged(moves[:done]), table.unit(element["target"])
            crossed = [space.tolls[number] for number in so_far.tolls.gone]
            if target.id in overrun_by(table, unit, [thing.name for thing in crossed if thing.clause == "CA-106"]):
                yield Breach("CA-97", f"{target.id} is overrun by then", blocker=target.id, place=unit.place)
            else:
                yield from shot_breaches(table, space.unit_after(unit, so_far), target)
        done += element.name in (*TURNS, *CLIMBS, *LEGS, "take")


def _of_targets(table: ArmsTable, unit: Unit, over: Iterable[str], lowest: Fraction) -> Breaches:
    """Object to the enemies that it means to overrun; no lower than that does it fly."""
    for name in dict.fromkeys(over):
        target = table.unit(name)
        if target.place is None:
            yield Breach("CA-103", f"{name} is not on the table", blocker=name)
        else:
            yield from overrun_breaches(table, unit, target, lowest)


@clause("CA-16", "CA-87")
def immobile_breaches(table: ArmsTable, unit: Unit, moves: Sequence[Move] = (), *, leaves: bool = False) -> Breaches:
    """Object to all that a piece without allowance orders, but for rotations of a weapon that has a crew.

    It `leaves` the board no more than it moves.
    """
    if current_rate(table, unit):
        return
    if unit.type == "crew_weapon" and not crew_of(unit):
        yield Breach("CA-16", f"{unit.id} has no crew: it neither moves nor rotates", 1, 0)
    elif unit.type == "crew_weapon":
        if any(not isinstance(move, Travel | Follow) for move in moves) and not turns_freely(unit):
            yield Breach("CA-16", f"{unit.id} cannot rotate")
        if leaves or any(isinstance(move, Travel | Follow) for move in moves):
            yield Breach("CA-16", f"{unit.id} has no wheels: its crew can only turn it")
    elif (moves or leaves) and unit.type == "drop_pod":
        yield Breach("CA-154", f"{unit.id} has landed and cannot move", None, 0)
    elif moves or leaves:
        yield Breach("CA-87", f"{unit.id} is immobile: it neither moves, rotates nor changes altitude", None, 0)


@clause("CA-121", "CA-124", "CA-127", "CA-133", "CA-138")
def no_time_breaches(table: ArmsTable, unit: Unit) -> Breaches:
    """Object to leaving the board where transfers have left a piece no allowance: leaving it is moving."""
    if unit["busy_until"] and current_rate(table, unit) and not allowance(table, unit):
        message = f"{unit.id} has no allowance left after boarding: it does not leave the board"
        yield Breach(allowance_clause(table, unit), message, None, 0)


def why_no_move(table: ArmsTable, unit: Unit) -> Breaches:
    """Yield the reasons why a piece does not move at all."""
    yield from _of_one_move(unit)
    if not current_rate(table, unit):
        yield from immobile_breaches(table, unit, [Travel(Mode("forward"), 1)])


@clause("CA-19", "CA-27", "CA-33", "CA-59", "CA-64", "CA-69", "CA-71", "CA-65", "CA-80", "CA-86", "CA-138")
def _of_path(
    unit: Unit, space: ArmsMoves, moves: Sequence[Move], path: Path, objections: Iterable[Objection]
) -> Breaches:
    """Object to where it goes, and where it ends."""
    levels = list(_levels(space, moves))
    for one in objections:
        if one.what in ("budget", "legs", "inches"):
            continue
        place = path.at(one.inches)
        move = moves[one.move] if moves else None
        if one.what == "link" and isinstance(move, Follow) and move.link.name.startswith("take "):
            way = move.link.name.removeprefix("take ")
            prices = space.levels[0].prices
            yield _no_way(unit, prices.setting, prices.mover, way, place)
        elif one.what == "link" and isinstance(move, Follow):
            yield Breach("CA-85", f"{unit.id} cannot {move.link.name} from a floor", place=place)
        elif one.what == "between" and isinstance(move, Follow) and one.thing is not None:
            yield space.in_doors[move.link.name][one.thing].breach(place, ends=False)
        elif one.what == "mode" and isinstance(move, Travel):
            yield Breach(*_no_such_travel(unit, space.space.directions, move.mode), place=place)
        else:
            yield space.breach(one, place, levels[one.move] if moves else space.space.starts[0].level)


def _no_way(unit: Unit, setting: ArmsSetting, mover: Mover, way: str, place: XY) -> Breach:
    """Object to a way between floors that a piece cannot take, from where it is or from anywhere."""
    cited = clause_of_way(setting, way)
    if not cited:
        return Breach("CA-69", f"{unit.id} cannot take {way}: there are no such stairs, ladder or door", place=place)
    cited, why = why_never_taken(setting, mover, way) or (cited, "")
    return Breach(cited, f"{unit.id} cannot take {way}{f': {why}' if why else ' from there'}", blocker=way, place=place)


def _no_such_travel(unit: Unit, directions: Directions, mode: Mode) -> tuple[str, str]:
    """Why a piece does not travel in the direction of a leg, with the clause."""
    if not mode.bound:
        return _NO_SIDEWAYS.get(mobility_of(unit), "CA-33"), f"{mobility_of(unit)} pieces do not move sideways"
    aside = aside_text(mode.aside or 0.0)
    if any(abs(known.aside or 0.0) == 90.0 for known in directions.directed):
        return "CA-27", f"legs go forward, in reverse or sideways, not {aside}: it has to rotate first"
    return "CA-27", f"{mobility_of(unit)} pieces do not move sideways, nor {aside}"


def _levels(space: ArmsMoves, moves: Sequence[Move]) -> Iterator[int]:
    """The level on which each move is made, or to which it leads."""
    level = space.space.starts[0].level
    for move in moves:
        if isinstance(move, Follow):
            level = move.link.target
        yield level


def _of_allowance(table: ArmsTable, unit: Unit, space: ArmsMoves, moves: Sequence[Move]) -> Breaches:
    """Object to the first part of a move that is not affordable; after a transfer, by what that has left."""
    short = shortage(space, space.space.starts[0], moves, allowance(table, unit), space.judged(moves))
    if short is not None:
        yield replace(short, clause=allowance_clause(table, unit)) if unit["busy_until"] else short


@clause("CA-96", "CA-97", "CA-98")
def _of_bands(table: ArmsTable, unit: Unit, elements: Sequence[Element], moved: Moved) -> Breaches:
    """Object to a move that goes beyond a band declared with a shot, in this move or earlier this turn."""
    if table.options.own_fire_band == "so_far":
        return
    bands = [unit["declared_band"], *(element.get("band") for element in elements if element.name == "fire")]
    if not original_rate(table, unit):
        turned = own_band(table, unit, moved)
        for band in dict.fromkeys(filter(None, bands)):
            if BANDS.index(turned) > BANDS.index(band):
                message = f"it declared to be {band} when it fired, and would make a rotation that counts as {turned}"
                yield Breach("CA-98", message)
        return
    amount, does = own_amount(table, moved), "cover" if by_distance(table) else "spend"
    for band in dict.fromkeys(filter(None, bands)):
        most, declared = most_of_band(table, unit, band), f"it declared to be {band} when it fired, and would"
        if most is None:
            continue
        if amount > most + Fraction(TOLERANCE):
            yield Breach("CA-98", f"{declared} {does} {measure(amount, 'inch')}", amount, most)
        if by_distance(table) and moved.dearest > most:
            message = f"{declared} make a rotation that counts as {band_of(table, unit, moved.dearest)}"
            yield Breach("CA-97", message, moved.dearest, most)


@clause("CA-89", "CA-90", "CA-96", "CA-132")
def _of_damage(table: ArmsTable, unit: Unit, covered: Fraction) -> Breaches:
    """Object to a damaged piece that covers more than the band allows which it is left, as it can on a road."""
    most = most_inches(table, unit)
    if most is not None and covered > most + Fraction(TOLERANCE):
        band = band_of(table, unit, most)
        cited = "CA-89" if band == "moderate" else "CA-90" if damage_level_of(table, unit) > 1 else "CA-132"
        message = f"damaged as it is, it moves no faster than {band}"
        yield Breach(cited, f"{message}, and would cover {measure(covered, 'inch')}", covered, most)


# --- positions ---


@clause("CA-68", "CA-69", "CA-80", "CA-82", "CA-83", "CA-86", "CA-134")
def faults(table: ArmsTable) -> Breaches:
    """Yield all faults of a position: pieces where they may not be, or higher than they fly."""
    for unit in table.state:
        if unit["left_board"] and (unit.place is not None or unit.carrier):
            yield Breach("CA-134", f"{unit.id} has left the board and cannot come back", blocker=unit.id)
        yield from _of_data(table, unit)
    for unit in table.state.standing:
        limit = altitude_limit(table.setting, column_of(unit))
        if limit is not None and unit["altitude"] > limit:
            message = f"{unit.id} is above {measure(limit, 'inch')}"
            yield Breach(_limited_by(unit), message, unit["altitude"], limit, unit.id, unit.place)
        for found in standing_breaches(table, unit):
            yield Breach(found.clause, f"{unit.id}: {found.message}", blocker=unit.id, place=unit.place)
    yield from _of_passengers(table)
    for name in nowhere(table.setting):
        yield Breach("CA-69", f"{name} is not in a building, or joins floors that it does not have", blocker=name)
    for name, place in doors_in_no_wall(table.setting):
        yield Breach("CA-68", f"{name} is in no wall of its building", blocker=name, place=place)


@clause("CA-68", "CA-148")
def _of_data(table: ArmsTable, unit: Unit) -> Breaches:
    if unit.place is not None and unit["floor"] and storey_of(table.setting, unit) is None:
        message = f"{unit.id} is not in a building with a floor {unit['floor']}"
        yield Breach("CA-68", message, blocker=unit.id, place=unit.place)
    if unit["floor"] and unit["altitude"]:
        yield Breach("CA-84", f"{unit.id} is on a floor, and above the ground", unit["altitude"], 0, unit.id)
    houses = [piece.id for piece in inch_table(table.setting).pieces if piece.kind == "building"]
    if unit["building"] and unit["building"] not in houses:
        what = did_you_mean(unit["building"], houses) if houses else "the board has none"
        yield Breach("CA-68", f"{unit.id}: there is no building {unit['building']!r}; {what}", blocker=unit.id)
    known = [area.name for area in inch_table(table.setting).entry_areas]
    if unit["entry_area"] and unit["entry_area"] not in known:
        what = did_you_mean(unit["entry_area"], known) if known else "the board has none"
        yield Breach("CA-148", f"{unit.id}: there is no entry area {unit['entry_area']!r}; {what}", blocker=unit.id)


def standing_breaches(table: ArmsTable, unit: Unit, *, ends: bool = True) -> Breaches:
    """Object to a piece where it stands, or where it only passes."""
    space = compiled(table, unit)
    verdict = space.judged([Travel(space.space.modes[0], 0)])
    for one in verdict.objections:
        if one.what in ("bars", "edge") or (ends and one.what == "end"):
            yield space.breach(one, unit.place, space.space.starts[0].level)


@clause("CA-118")
def _of_passengers(table: ArmsTable) -> Breaches:
    """Object to passengers of what is not a transport of theirs, and to more than there is room for."""
    for carrier in table.state:
        riders = table.state.riders(carrier.id)
        if riders and "doors" not in carrier.fields:
            yield Breach(
                "CA-118", f"{riders[0].id} is aboard {carrier.id}, which is not a transport", blocker=riders[0].id
            )
        elif riders and carrier["capacity"] is not None and len(riders) > carrier["capacity"]:
            most = carrier["capacity"]
            yield Breach("CA-118", f"{carrier.id} has no room for {len(riders)}", len(riders), most, carrier.id)
        for rider in riders:
            if rider.side != carrier.side:
                yield Breach("CA-118", f"{rider.id} is aboard {carrier.id}, an enemy", blocker=rider.id)
