"""The move, played piece by piece: legs, rotations, climbs and shots, each with what it costs."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from simulator.engine.actions import passes
from simulator.engine.amounts import PLACE_DIGITS, plain, tidy
from simulator.engine.clauses import clause
from simulator.engine.events import Change, Event, change_data, change_unit, remove_unit
from simulator.engine.ledger import LedgerLine
from simulator.engine.legs import reactions_along
from simulator.engine.orders import Element, Order
from simulator.engine.questions import Choose, React
from simulator.engine.ruleset import Action, ActionRule
from simulator.engine.state import Unit
from simulator.pathing.posed import Charge, JudgedMove
from simulator.pathing.posed.tolls import middle_of
from simulator.rulesets.combined_arms.bands import (
    Moved,
    by_distance,
    most_of_band,
    own_amount,
    own_band,
    spent_in_all,
    target_amount,
    target_band,
)
from simulator.rulesets.combined_arms.damage import hit, lowered_in_mid_move, place_below
from simulator.rulesets.combined_arms.entering import ENTRIES, delayed, first_turn
from simulator.rulesets.combined_arms.figures import BANDS
from simulator.rulesets.combined_arms.fire import (
    AFTER,
    BEFORE,
    band_of_firer,
    eye_of,
    interceptors,
    roll_to_hit,
    shot_beside,
    shot_on_a_way,
)
from simulator.rulesets.combined_arms.judge import immobile_breaches, moves_for, put_on_board
from simulator.rulesets.combined_arms.leaving import leaving_breaches
from simulator.rulesets.combined_arms.movement import ArmsMoves, AtAltitude, altitude_at_end
from simulator.rulesets.combined_arms.overruns import destroyed_with
from simulator.rulesets.combined_arms.rates import current_rate
from simulator.rulesets.combined_arms.storeys import clause_of_way
from simulator.rulesets.combined_arms.transport import boarding, clock_of, transfer_breaches
from simulator.rulesets.combined_arms.turning import dearest_rotation, widest_rotation
from simulator.rulesets.combined_arms.under_way import AT_ONE_GO, MoveUnderWay
from simulator.rulesets.combined_arms.units import ArmsTable
from simulator.rulesets.combined_arms.vocabulary import CLIMBS, TURNS

#: What elements other than legs and rotations are called, and by which clause.
_KINDS = dict.fromkeys(CLIMBS, ("changes altitude", "CA-85"))
#: A rule within a rule that returns a result.
Verdict = Generator[Any, Any, Any]


@clause("CA-3", "CA-8", "CA-28", "CA-39", "CA-48")
def move(table: ArmsTable, order: Order) -> Action:
    """Make the move of the turn, as far as it is written, and as far as enemies let it."""
    under_way = begun(table, order)
    for element in order.elements:
        if not (yield from made(table, element, under_way)):
            break
    if order.unit in table.state.units:
        yield from ended(table, order.unit)


def begun(table: ArmsTable, order: Order) -> MoveUnderWay:
    """Return a piece at the beginning of an ordered move."""
    there = put_on_board(table, order)
    unit = there.unit(order.unit)
    space, moves = moves_for(there, unit, order)
    found = space.judged(moves)
    plan = Moved.after(unit, found, dearest_rotation(space.space.turns, moves), widest_rotation(moves))
    over = tuple(order.get("over") or ())
    return MoveUnderWay(table, order.unit, over, space, space.space.starts[0], there=unit, plan=plan)


def made(table: ArmsTable, element: Element, under_way: MoveUnderWay) -> Verdict:
    """Do one element of a move; return whether the piece goes on after it."""
    name = under_way.name
    if element.name == "unload":
        yield _gets_off(table, under_way.there)
    elif element.name in ENTRIES:
        yield _comes_on(under_way.there, element)
    elif element.name == "leave_board":
        return (yield from _leaves(table, name))
    elif element.name == "load":
        return (yield from _boards(table, name, element["carrier"]))
    elif element.name == "fire":
        yield from _fires(table, element, under_way)
    else:
        return (yield from _makes(table, element, under_way))
    return True


# --- legs, rotations and climbs ---


@clause("CA-92", "CA-102", "CA-116")
def _makes(table: ArmsTable, element: Element, under_way: MoveUnderWay) -> Verdict:
    """Make a leg, a rotation or a climb, under fire part by part; return whether the piece goes on after it."""
    if element.name in AT_ONE_GO:
        return (yield from _at_one_go(table, element, under_way))
    name, whole = under_way.name, Fraction(element["inches"])
    gone, cited = Fraction(0), "CA-92"
    end = under_way.affordable(element, whole) if under_way.was_hit else whole
    for moment, question in (yield from reactions_along(_shots_along(table, element, under_way))):
        at = min(Fraction(moment), whole)  # which is measured, and written with few digits
        if at > end:
            break
        if at > gone:
            yield from _part(table, element, under_way, gone, at)
        gone = max(gone, at)
        # Who was overrun meanwhile does not fire any more.
        if question.who in table.state.units and not (yield from _intercepts(table, question.who, under_way)):
            return False
        end = gone + under_way.affordable(element, whole - gone)
    if end < whole:
        cited = under_way.stopped_by(element, end - gone)
        end = gone + under_way.resting(element, end - gone)
    if end > gone or not whole:
        yield from _part(table, element, under_way, gone, end)
    if end < whole:
        yield Event("stops", name, (), cited, table.unit(name).place)
    return end == whole


@clause("CA-69", "CA-71", "CA-92", "CA-102")
def _at_one_go(table: ArmsTable, element: Element, under_way: MoveUnderWay) -> Verdict:
    """Rotate, or take stairs, a ladder or a door, under fire before or after it; return whether the piece goes on."""
    whole, shots = under_way.whole(element), {BEFORE: list[str](), AFTER: list[str]()}
    for question in _shots_beside(table, element, under_way):
        if (answer := (yield question)) is not None:
            shots[answer].append(question.who)
    if not (yield from _all_intercept(table, shots[BEFORE], under_way)):
        return False
    if under_way.was_hit and under_way.affordable(element, whole) < whole:
        yield Event("stops", under_way.name, (), "CA-92", table.unit(under_way.name).place)
        return False
    yield from _part(table, element, under_way, Fraction(0), whole)
    return (yield from _all_intercept(table, shots[AFTER], under_way))


def _shots_beside(table: ArmsTable, element: Element, under_way: MoveUnderWay) -> Iterator[React]:
    """The questions to the enemies that see a piece before it does something at one go, or after it."""
    mover = table.unit(under_way.name)
    firers = interceptors(table, mover)
    if not firers:
        return
    after = under_way.space.unit_after(mover, under_way.tried(element, under_way.whole(element)))
    for firer in firers:
        question = shot_beside(table, firer, mover, after)
        if question is not None:
            yield question


def _all_intercept(table: ArmsTable, firers: Iterable[str], under_way: MoveUnderWay) -> Verdict:
    """Let enemies fire at a piece where it is; return whether it is still there."""
    for firer in firers:
        if not (yield from _intercepts(table, firer, under_way)):
            return False
    return True


def _shots_along(table: ArmsTable, element: Element, under_way: MoveUnderWay) -> Iterator[React]:
    """The questions to the enemies that see a piece on a leg or a climb; marked is where the odds change."""
    mover = table.unit(under_way.name)
    firers = interceptors(table, mover)
    if not firers:
        return
    whole = Fraction(element["inches"])
    found = under_way.tried(element, whole)
    up = eye_of(table, mover).altitude[0] - float(mover["altitude"])
    altitudes = (
        float(under_way.level.altitude) + up,
        float(under_way.space.levels[found.level].altitude) + up,
    )
    marks = list(_where_odds_change(table, mover, element, under_way, whole))
    for firer in firers:
        before = under_way.gone_after(element, whole, firer.id)
        question = shot_on_a_way(table, firer, mover, found.path, altitudes, marks, before)
        if question is not None:
            yield question


def _where_odds_change(
    table: ArmsTable, mover: Unit, element: Element, under_way: MoveUnderWay, whole: Fraction
) -> Iterator[Fraction]:
    """The lengths at which a piece gets into another band as a target, or could not go on after a hit."""
    limits, moved = [most_of_band(table, mover, band) for band in BANDS[:-1]], Moved.of(mover)
    spent = target_amount(table, moved)
    if by_distance(table):
        for limit in filter(None, limits):
            yield under_way.inches_covering(element, whole, max(limit - spent, Fraction(0)))
        limits, spent = [], moved.translation
    if (hurt := lowered_in_mid_move(table, mover)) is not None:
        limits.append(current_rate(table, hurt))
    for limit in filter(None, limits):
        yield under_way.inches_for(element, whole, max(limit - spent, Fraction(0)))


def _part(table: ArmsTable, element: Element, under_way: MoveUnderWay, begin: Fraction, end: Fraction) -> Action:
    """Execute a part of an element, knocking down and running over what gives way."""
    level = under_way.level
    found = under_way.go(element, end - begin)
    lines = list(_lines(element, under_way.space, level, found))
    whole = under_way.whole(element)
    part = {} if end - begin == whole else {"from": plain(begin), "to": plain(end), "of": plain(whole)}
    widest = widest_rotation(under_way.rotations)
    yield _moved(table, under_way.name, element, under_way.space, found, lines, part, widest)
    yield from _given_way(table, under_way.name, under_way.space, under_way.given_way)


# --- fire ---


@clause("CA-92", "CA-98", "CA-102")
def _intercepts(table: ArmsTable, firer_name: str, under_way: MoveUnderWay) -> Verdict:
    """Let an enemy fire at a piece on its way; return whether the piece is still there."""
    firer, name = table.unit(firer_name), under_way.name
    band = band_of_firer(table, firer)
    if not band:
        question = "the band that it keeps to"
        band = yield Choose(question, who=firer_name, options=BANDS, default=BANDS[0], clause="CA-98")
    yield _fired(table, firer_name, band, name)
    yield from _shot(table, firer_name, name, band, in_mid_move=True)
    if name not in table.state.units:
        return False
    under_way.was_hit = True
    under_way.renew()
    return True


@clause("CA-8", "CA-98")
def _fires(table: ArmsTable, element: Element, under_way: MoveUnderWay) -> Action:
    """Fire in the middle of a move: the band is that of the whole turn, declared or as the order goes on."""
    name = under_way.name
    unit = table.unit(name)
    if table.options.own_fire_band == "so_far":
        band = own_band(table, unit, Moved.of(unit))
    else:
        band = element.get("band") or own_band(table, unit, under_way.plan)
    target = element.get("target")
    yield _fired(table, name, band, target)
    if target and unit["weapon_range"] is not None:
        yield from _shot(table, name, target, band)
        under_way.renew()


def _fired(table: ArmsTable, name: str, band: str, target: str | None) -> Event:
    """A shot, and the band that it promises to keep to for the rest of the turn."""
    unit, detail = table.unit(name), {"band": band, "factor": table.tables[f"firer_factor.{band}"]}
    if target:
        detail["target"] = target
    changes: dict[str, Any] = {"has_fired": True}
    if table.options.own_fire_band != "so_far" and most_of_band(table, unit, band) is not None:
        changes["declared_band"] = _stricter(unit, band)
    return Event("fires", name, [change_unit(name, **changes)], "CA-98", unit.place, (), detail)


def _shot(table: ArmsTable, name: str, target: str, band: str, *, in_mid_move: bool = False) -> Action:
    """Roll for a hit, and what it does."""
    roll = roll_to_hit(table, table.unit(name), table.unit(target), band)
    if (yield from passes(roll)):
        yield from hit(table, target, name, in_mid_move=in_mid_move)
    else:
        yield Event("is missed", target, (), "CA-97", table.unit(target).place, detail={"by": name})


def _stricter(unit: Unit, band: str) -> str:
    """The lower of a band and that which a piece has declared before."""
    known = [one for one in (unit["declared_band"], band) if one]
    return min(known, key=BANDS.index)


# --- transport, entering and leaving ---


@clause("CA-146", "CA-147", "CA-148", "CA-149", "CA-150")
def _comes_on(there: Unit, element: Element) -> Event:
    """Bring a piece onto the board; `there` is the piece as it is then."""
    changes = {key: there[key] for key in ("altitude", "enters_on", "detour", "spent_translation")}
    if there["inches_covered"]:
        changes["inches_covered"] = there["inches_covered"]
    kind, cited = ("comes down", "CA-149") if element.name == "drop" else ("comes on", "CA-148")
    on = change_unit(there.id, place=there.place, heading=there.heading, **changes)
    detail = {"from": "above", "altitude": there["altitude"]} if element.name == "drop" else {}
    return Event(kind, there.id, [on], cited, there.place, detail=detail)


@clause("CA-139", "CA-141", "CA-144")
def delay_entry(table: ArmsTable, order: Order) -> Action:
    """Send a piece round off the board: the opponent learns that pieces move there, whence, and how soon."""
    after = delayed(table, order)
    changes = change_unit(after.id, detour=after["detour"], enters_on=after["enters_on"])
    detail = {"side": after.side, "toward": order["toward"], "turn": first_turn(table, after)}
    yield Event("goes round", "", [changes], "CA-144", detail=detail)


@clause("CA-117", "CA-119", "CA-121", "CA-130")
def _gets_off(table: ArmsTable, there: Unit) -> Event:
    """Set a passenger down; `there` is the passenger as it is then."""
    name, aboard = there.id, table.unit(there.id)
    carrier = table.unit(aboard.carrier)
    changes = {key: there[key] for key in ("altitude", "transferred", "busy_until")}
    changes |= {key: there[key] for key in ("floor", "building") if there[key] != aboard[key]}
    busy = change_unit(carrier.id, busy_until=max(carrier["busy_until"], there["busy_until"]))
    off = change_unit(name, place=there.place, heading=there.heading, carrier="", **changes)
    return Event("gets off", name, [off, busy], "CA-119", there.place, detail={"carrier": carrier.id})


@clause("CA-117", "CA-118", "CA-121")
def _boards(table: ArmsTable, name: str, transport: str) -> Verdict:
    """Take a piece aboard, unless it has been slowed too much on its way; return whether it is."""
    unit, carrier = table.unit(name), table.unit(transport)
    amiss = [*immobile_breaches(table, unit), *transfer_breaches(table, unit, carrier, spent_in_all(unit), boards=True)]
    if amiss:
        yield Event("stops", name, (), "CA-92", unit.place)
        return False
    aboard, taking = boarding(table, unit, carrier, spent_in_all(unit))
    on, busy = change_unit(name, **aboard), change_unit(transport, **taking)
    yield Event("boards", name, [on, busy], "CA-118", carrier.place, detail={"carrier": transport})
    return True


@clause("CA-134", "CA-135", "CA-136", "CA-138")
def _leaves(table: ArmsTable, name: str) -> Verdict:
    """Take a piece off the board, with all aboard: lost to its side, but not destroyed; return whether it is gone.

    Who was made immobile on its way stays, wherever it came down.
    """
    unit = table.unit(name)
    place = unit.place
    if [*immobile_breaches(table, unit, leaves=True), *leaving_breaches(table, name, place)]:
        yield Event("stops", name, (), "CA-92", place)
        return False
    riders = [unit.id for unit in table.state.everybody_aboard(name)]
    gone = {"place": None, "left_board": True}
    changes = [change_unit(one, carrier="", **gone) for one in riders]
    yield Event("leaves the board", name, [change_unit(name, **gone), *changes], "CA-138", place)
    return True


@clause("CA-7", "CA-92", "CA-101", "CA-102", "CA-121", "CA-153")
def ended(table: ArmsTable, name: str) -> Action:
    """End the move: as a target the piece stands as it is until the turn ends.

    Who may not stay aloft comes down, and a lander that was hit in its descent as far as it may stay up.
    """
    unit = table.unit(name)
    altitude = altitude_at_end(table, unit)
    if inches := Fraction(unit["altitude"]) - altitude:
        place = place_below(table, unit, altitude)
        changes: dict[str, Any] = {"altitude": plain(altitude), "place": place}
        changes["spent_translation"] = plain(Fraction(unit["spent_translation"]) + inches)
        changes |= _covers(table, unit, inches)
        down = change_unit(name, **changes)
        line = LedgerLine("descend", plain(inches), 1, "inches", "CA-85")
        yield Event("changes altitude", name, [down], "CA-92", place, [line])
        unit = table.unit(name)
    band = target_band(table, unit)
    detail = {**_amounts(table, unit), "band": band, "factor": table.tables[f"target_factor.{band}"]}
    changes = {"has_moved": True}
    if "moved_until" in unit.fields and (spent := spent_in_all(unit)):
        changes["moved_until"] = plain(Fraction(unit["busy_until"]) + clock_of(table, unit, spent))
    yield Event("ends its move", name, [change_unit(name, **changes)], "CA-7", unit.place, detail=detail)


# --- what is reported ---


@clause("CA-42", "CA-45", "CA-61", "CA-85", "CA-105")
def _lines(element: Element, space: ArmsMoves, level: AtAltitude, found: JudgedMove) -> Iterator[LedgerLine]:
    """The price of an element, line by line."""
    for charge in found.charges:
        if charge.price:
            what, cited = _told(element, charge, space, level)
            if charge.what == "turn":
                yield LedgerLine(what, 1, tidy(charge.price), "inches", cited)
            else:
                yield LedgerLine(what, tidy(charge.amount), tidy(charge.rate), "inches", cited)


def _told(element: Element, charge: Charge, space: ArmsMoves, level: AtAltitude) -> tuple[str, str]:
    """What a line of the price is for, and by which clause."""
    name = element.name.replace("_", " ") + (f" {float(element['aside']):g}°" if "aside" in element.args else "")
    if charge.what == "turn":
        return f"{name} {float(charge.amount):g}°", "CA-37"
    if charge.toll is not None:
        thing = space.tolls[charge.toll].name
        if space.tolls[charge.toll].clause == "CA-60":
            return f"knocking down {thing}", "CA-60"
        return (f"grinding over {thing}", "CA-108") if charge.ground is None else (f"overrunning {thing}", "CA-105")
    if element.name == "take":
        return f"take {element['way']}", clause_of_way(level.prices.setting, element["way"])
    if charge.ground is None:
        return name, "CA-85"
    kinds = [level.prices.features[number].kind.replace("_", " ") for number in sorted(charge.ground.under)]
    uphill = " uphill" if charge.ground.climbed else ""
    over = f" over {', '.join(dict.fromkeys(kinds))}" if kinds else ""
    return f"{name}{uphill}{over}", "CA-4"


def _moved(
    table: ArmsTable,
    name: str,
    element: Element,
    space: ArmsMoves,
    found: JudgedMove,
    lines: list[LedgerLine],
    part: Mapping[str, Any],
    widest: Fraction,
) -> Event:
    unit = table.unit(name)
    paid = sum((line.price for line in lines), Fraction(0))
    after = space.unit_after(unit, found)
    place = after.place
    changes: dict[str, Any] = {"place": place, "heading": after.heading}
    if unit.get("in_foxhole") and element.name not in TURNS and place != unit.place:
        changes["in_foxhole"] = ""
    if element.name in TURNS:
        changes["spent_rotation"] = plain(Fraction(unit["spent_rotation"]) + paid)
        if by_distance(table):
            changes["dearest_rotation"] = max(unit["dearest_rotation"], tidy(found.group.paid))
        if "widest_rotation" in unit.fields:
            changes["widest_rotation"] = max(unit["widest_rotation"], plain(widest))
        kind, cited = "turns", "CA-39"
    else:
        changes["spent_translation"] = plain(Fraction(unit["spent_translation"]) + paid)
        changes |= _covers(table, unit, found.covered)
        changes |= {name: after[name] for name in ("altitude", "floor")}
        changes |= {"building": after["building"]} if after["building"] != unit["building"] else {}
        kind, cited = _KINDS.get(element.name, ("moves", "CA-27"))
    taken: Mapping[str, Any] = {}
    if element.name == "take":
        kind, cited = "takes", clause_of_way(table.setting, element["way"])
        taken = {"way": element["way"]}
    detail = {**_amounts(table, unit.put(changes)), **part, **taken}
    return Event(kind, name, [change_unit(name, **changes)], cited, place, lines, detail)


@clause("CA-96")
def _covers(table: ArmsTable, unit: Unit, inches: Fraction) -> Mapping[str, Any]:
    """The change of a piece that covers some more inches: nothing where bands do not measure those."""
    return {"inches_covered": tidy(Fraction(unit["inches_covered"]) + inches)} if by_distance(table) else {}


def _amounts(table: ArmsTable, unit: Unit) -> Mapping[str, Any]:
    """The two amounts so far: for its own fire, and for fire at it."""
    moved = Moved.of(unit)
    return {"own": plain(own_amount(table, moved)), "as_target": plain(target_amount(table, moved))}


@clause("CA-60", "CA-108", "CA-109", "CA-110", "CA-111")
def _given_way(table: ArmsTable, name: str, space: ArmsMoves, tolls: Iterable[int]) -> Iterator[Event]:
    """What was knocked down, and who was overrun: gone at once, with all that are aboard or in the same foxhole.

    It happens where they stood.
    """
    mover = table.unit(name)
    for number in tolls:
        thing = space.tolls[number]
        if thing.clause == "CA-60":
            changes: list[Change] = [change_data(felled=(*table.data["felled"], thing.name))]
            x, y = middle_of(thing.solid)
            trunk = round(x, PLACE_DIGITS), round(y, PLACE_DIGITS)
            yield Event("knocks down", name, changes, "CA-60", trunk, detail={"tree": thing.name})
            continue
        target = table.unit(thing.name)
        gone = destroyed_with(table, mover, target)
        if not gone:
            yield Event("passes over", name, [], "CA-109", target.place, detail={"target": target.id})
            continue
        everybody = [one for unit in gone for one in (*table.state.everybody_aboard(unit.id), unit)]
        cited = "CA-108" if target.get("in_foxhole") else "CA-110"
        detail = {"target": ", ".join(unit.id for unit in gone)}
        yield Event("overruns", name, [remove_unit(unit.id) for unit in everybody], cited, target.place, detail=detail)


ACTIONS: Mapping[str, ActionRule] = {"move": move, "delay_entry": delay_entry}
