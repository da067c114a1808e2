"""The judge: every reason why an order is forbidden here. It judges the order as written and searches nothing."""

# ruff: noqa: ARG001 - all judges share one signature and need not use all of it

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.state import Unit
from simulator.engine.values import show
from simulator.geometry.squares import SquareGrid
from simulator.rulesets.grid_runner.allotments import MOST_PRINTED, squares_left
from simulator.rulesets.grid_runner.charging import charge_breaches
from simulator.rulesets.grid_runner.clock import (
    LEAVING,
    action_breaches,
    kind_of,
    may_still_act,
    may_still_move,
    movement_breaches,
    sprint_breaches,
    start_run_breaches,
    stop_run_breaches,
)
from simulator.rulesets.grid_runner.figures import table_faults
from simulator.rulesets.grid_runner.movement import at, directions_of, is_diagonal, path_breaches, step_price
from simulator.rulesets.grid_runner.ranges import (
    OUT_OF_RANGE,
    TOO_CLOSE,
    bands_of,
    counted_distance,
    is_ranged,
    range_band,
)
from simulator.rulesets.grid_runner.units import (
    GridTable,
    bars_stopping,
    can_strike,
    grid_of,
    held_fast,
    is_enemy,
    threatens_at_all,
)
from simulator.wording import did_you_mean

Breaches = Iterator[Breach]

#: The clause by which an action belongs to the pass.
_OWN_CLAUSE = {"withdrawal": "GR-57", "one_square_move": "GR-54", "tumble": "GR-62"}


def breaches(table: GridTable, order: Order) -> Breaches:
    """Return every reason why an order is forbidden; units that are not on the board neither act nor are acted upon."""
    absent = [] if table.setting.vocabulary.action(order.action).aside else list(table.absent(order))
    yield from (Breach("GR-41", f"{unit.id} is not on the board", blocker=unit.id) for unit in absent)
    if not absent:
        yield from _JUDGES[order.action](table, table.unit(order.unit), order)


# --- movement ---


def before_moving(table: GridTable, unit: Unit, action: str) -> Breaches:
    """Return the reasons why a character cannot begin to move with this action now, whatever the way."""
    yield from movement_breaches(table, unit)
    if action in LEAVING:
        yield from leaving_breaches(table, unit, action)


@clause("GR-54", "GR-56", "GR-57", "GR-59", "GR-62", "GR-66")
def leaving_breaches(table: GridTable, unit: Unit, action: str) -> Breaches:
    """Return the reasons why a One-Square-Move, Withdrawal or Tumble cannot be made now."""
    if unit["moved_this_pass"]:
        yield Breach("GR-59", f"{unit.id} has begun its movement: {action} comes before it")
    if action == "one_square_move" and table.options.scale == "m5":
        yield Breach("GR-56", "there is no One-Square-Move at m5; Withdrawal is the way there")
    if action == "tumble" and unit["sprint_hits"] is not None:
        yield Breach("GR-66", f"{unit.id} has sprinted in this pass: a tumble is made without")
    yield from action_breaches(table, unit, kind_of(table, action), _OWN_CLAUSE[action])


def movement(table: GridTable, unit: Unit, order: Order) -> Breaches:
    """Judge a movement: whether it may be made now, and its path step by step."""
    directions = directions_of(order.elements)
    yield from before_moving(table, unit, order.action)
    left = squares_left(table, unit)
    if order.action == "one_square_move":
        yield from single_step_breaches(unit, directions)
    yield from path_breaches(table, unit, directions, left, order.action == "tumble")


@clause("GR-55")
def single_step_breaches(unit: Unit, directions: list[int]) -> Breaches:
    """Judge the path of a One-Square-Move: one step that costs one square."""
    if len(directions) != 1:
        yield Breach("GR-55", f"a One-Square-Move is one step, not {len(directions)}", len(directions), 1)
    price = step_price(is_diagonal(directions[0]), int(unit["parity"]))[0]
    if price > 1:
        yield Breach("GR-55", f"the step costs {price} squares, a One-Square-Move has 1", price, 1)


def _start_run(table: GridTable, unit: Unit, order: Order) -> Breaches:
    return start_run_breaches(table, unit)


def _stop_run(table: GridTable, unit: Unit, order: Order) -> Breaches:
    return stop_run_breaches(unit)


def _sprint(table: GridTable, unit: Unit, order: Order) -> Breaches:
    return sprint_breaches(table, unit)


@clause("GR-25")
def delay(table: GridTable, unit: Unit, order: Order) -> Breaches:
    """Judge a delay: the character needs something left to delay."""
    if not (may_still_move(table, unit) or may_still_act(table, unit)):
        yield Breach("GR-25", f"{unit.id} has no action left in this pass to delay")


# --- attacks ---


def _act(table: GridTable, unit: Unit, order: Order) -> Breaches:
    return action_breaches(table, unit, order["kind"])


@clause("GR-42")
def enemy_breaches(unit: Unit, target: Unit) -> Breaches:
    """Yield why a character is no target of a melee attack: it is not an enemy."""
    if not is_enemy(unit, target):
        yield Breach("GR-42", f"{target.id} is not an enemy of {unit.id}", blocker=target.id)


@clause("GR-43", "GR-44", "GR-45")
def melee(table: GridTable, unit: Unit, order: Order) -> Breaches:
    """Judge a melee attack: the target stands in the attacker's threatened area."""
    target = table.unit(order["target"])
    yield from action_breaches(table, unit, kind_of(table, order.action))
    yield from enemy_breaches(unit, target)
    if can_strike(table, unit, target):
        return
    if not threatens_at_all(table, unit):
        how = "prone" if unit["prone"] else "immobilised" if unit["immobilised"] else "grappling"
        yield Breach("GR-45", f"{unit.id} is {how}: it threatens nobody")
        return
    needed, how = ("GR-44", "in one square") if table.options.scale == "m5" else ("GR-43", "side by side")
    message = (
        f"{unit.id} on {at(unit.place)} does not threaten {target.id} on {at(target.place)}: in melee they stand {how}"
    )
    yield Breach(needed, message, blocker=target.id, place=target.place)


@clause("GR-74", "GR-75")
def charge(table: GridTable, unit: Unit, order: Order) -> Breaches:
    """Judge a charging attack: a melee attack at the end of a movement that was a charge."""
    yield from melee(table, unit, order)
    if unit["acted_this_pass"]:
        yield Breach("GR-75", f"{unit.id} has acted since: a charging attack is made at the end of the movement")
    yield from charge_breaches(table, unit, table.unit(order["target"]))


@clause("GR-76", "GR-79")
def grapple(table: GridTable, unit: Unit, order: Order) -> Breaches:
    """Judge a grapple: a melee attack on somebody, neither of the two being in a grapple already."""
    yield from melee(table, unit, order)
    for party in (unit, table.unit(order["target"])):
        if party["grappling"]:
            yield Breach("GR-79", f"{party.id} is grappling with {party['grappling']}", blocker=party["grappling"])


@clause("GR-80", "GR-90", "GR-91")
def ranged(table: GridTable, unit: Unit, order: Order) -> Breaches:
    """Judge a shot: a weapon of the tables, and a target neither too close nor out of range."""
    yield from action_breaches(table, unit, kind_of(table, order.action))
    target, weapon = table.unit(order["target"]), order.get("weapon", unit["weapon"])
    if not is_ranged(table, weapon):
        if weapon:
            known = did_you_mean(weapon, table.tables[f"weapon_range.{table.options.scale}"])
            yield Breach("GR-82", f"{weapon!r} is not in the range tables; {known}")
        else:
            yield Breach("GR-82", f"{unit.id} has readied nothing: name what it shoots or throws, as in: with bow")
        return
    distance = counted_distance(table.options.range_metric, unit.place, target.place)
    answer = range_band(table, weapon, distance, int(unit["str"]))
    if answer.band in (TOO_CLOSE, OUT_OF_RANGE):
        message = f"{target.id} is {distance} squares away, for {weapon} {answer.band.replace('_', ' ')}"
        bands = [band for band in bands_of(table, weapon, int(unit["str"])) if band is not None]
        most = max((band.most for band in bands), default=0)
        needed, available = (bands[0].least, distance) if answer.band == TOO_CLOSE else (distance, most)
        yield Breach(answer.clause, message, needed, available, target.id, target.place)


# --- declared by the game master ---


@clause("GR-77")
def break_grapple(table: GridTable, unit: Unit, order: Order) -> Breaches:
    """Judge the end of a grapple: there has to be one."""
    if not unit["grappling"]:
        yield Breach("GR-77", f"{unit.id} is not in a grapple")


@clause("GR-45")
def becomes(table: GridTable, unit: Unit, order: Order) -> Breaches:
    """Judge a change of condition: the condition has to change."""
    state = order["state"]
    now = {
        "prone": unit["prone"],
        "standing": not unit["prone"],
        "immobilised": unit["immobilised"],
        "mobile": not unit["immobilised"],
    }
    if now.get(state, False):
        yield Breach("GR-45", f"{unit.id} is {state} already")


@clause("GR-4", "GR-19")
def has_passes(table: GridTable, unit: Unit, order: Order) -> Breaches:
    """Judge a change of a character's initiative passes: the tables have to cover a turn of that many."""
    if order["passes"] > MOST_PRINTED and table.options.h_above_4 == "error":
        yield Breach("GR-19", _beyond_the_tables(order["passes"]), order["passes"], MOST_PRINTED)


def _beyond_the_tables(passes: int) -> str:
    return f"the tables end at {MOST_PRINTED} passes, and this is {passes}"


@clause("GR-94")
def blast(table: GridTable, unit: Unit, order: Order) -> Breaches:
    """Judge a blast: its centre lies on the board."""
    if order["at"] not in grid_of(table):
        yield Breach("GR-94", grid_of(table).no_such_place(order["at"]), place=order["at"])


# --- positions ---


@clause("GR-19", "GR-49", "GR-50")
def setting_faults(table: GridTable) -> Breaches:
    """Return all faults of figures, passes and names, before anybody is placed."""
    yield from table_faults(table.tables)
    fastest = max(table.state, key=lambda unit: int(unit["passes"]), default=None)
    if fastest is not None and fastest["passes"] > MOST_PRINTED and table.options.h_above_4 == "error":
        message = _beyond_the_tables(fastest["passes"])
        yield Breach("GR-19", f"{fastest.id}: {message}", fastest["passes"], MOST_PRINTED, fastest.id)
    free = table.options.free_actions_per_pass
    if free != int(free):
        yield Breach("GR-49", f"free_actions_per_pass: a whole number is required, not {show(free)}")
    for name in table.options.interception_order:
        if name not in table.state.units:
            message = f"interception_order: there is no {name!r}; {did_you_mean(name, table.state.units)}"
            yield Breach("GR-50", message)


@clause("GR-29", "GR-37", "GR-39", "GR-41", "GR-76", "GR-79")
def position_faults(table: GridTable) -> Breaches:
    """Return all faults of a position: who stands on a wall, off the board, or on another's square, or runs held fast.

    `blocker` names the character at fault.
    """
    board = grid_of(table)
    seen: list[Unit] = []
    for unit in table.state:
        if unit.place is None:
            continue
        for clause_id, message in _out_of_place(table, board, unit, seen):
            yield Breach(clause_id, message, blocker=unit.id, place=unit.place)
        seen.append(unit)


def _out_of_place(table: GridTable, board: SquareGrid, unit: Unit, seen: Sequence[Unit]) -> Iterator[tuple[str, str]]:
    if unit.place not in board:
        yield "GR-41", f"{unit.id}: {board.no_such_place(unit.place)}"
    elif board.walls[board.index(unit.place)]:
        yield "GR-41", f"{unit.id} stands in a wall"
    for other in seen:
        barred = bars_stopping(table, unit, other)
        if other.place == unit.place and barred and unit["grappling"] != other.id:
            yield barred, f"{unit.id} stands on the square of {other.id} without grappling"
    if unit["mode"] == "run" and (why := held_fast(unit)):
        yield "GR-29", f"{why}: it cannot be running"
    if not unit["grappling"]:
        return
    partner = table.state.units.get(unit["grappling"])
    if partner is None or partner["grappling"] != unit.id:
        yield "GR-79", f"{unit.id} grapples with {unit['grappling']}, who does not grapple with it"
    elif partner.place != unit.place or partner["holds"] == unit["holds"]:
        yield "GR-76", f"{unit.id} and {partner.id}: one holds, the other is held, both on one square"


_JUDGES: Mapping[str, Callable[[GridTable, Unit, Order], Breaches]] = {
    "move": movement,
    "withdrawal": movement,
    "one_square_move": movement,
    "tumble": movement,
    "start_run": _start_run,
    "stop_run": _stop_run,
    "sprint": _sprint,
    "delay": delay,
    "act": _act,
    "melee_attack": melee,
    "charge_attack": charge,
    "ranged_attack": ranged,
    "grapple": grapple,
    "break_grapple": break_grapple,
    "becomes": becomes,
    "has_passes": has_passes,
    "blast": blast,
}
