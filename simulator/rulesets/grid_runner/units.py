"""Characters on squares: who is whose enemy, who threatens what, whose square may be moved through or stopped on.

Search, judge, interceptions and explanations share these conditions.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, TypeAlias, cast

from simulator.engine.clauses import clause
from simulator.engine.constraints import WORD, Constraint, whole_value
from simulator.engine.errors import OptionError
from simulator.engine.state import Unit
from simulator.engine.table import Table
from simulator.engine.unit_types import FieldSpec, UnitType
from simulator.engine.values import show
from simulator.geometry.squares import STEPS, Square, SquareGrid
from simulator.rulesets.grid_runner.options import GridOptions

GridTable: TypeAlias = Table[GridOptions]

METATYPES = ("dwarf", "human", "elf", "ork", "troll")
MODES = ("walk", "run")


def as_chance(value: Any, path: str) -> Fraction:
    """Read a chance: a fraction, a decimal or a text such as 1/3; raises OptionError for anything else.

    >>> as_chance(0.3, "chance"), as_chance("1/3", "chance")
    (Fraction(3, 10), Fraction(1, 3))
    """
    try:
        chance = Fraction(str(value))
    except (ValueError, ZeroDivisionError):
        chance = Fraction(-1)
    if isinstance(value, bool) or not 0 <= chance <= 1:
        raise OptionError(f"{show(value)} is not a chance: a number from 0 to 1 is required, such as 0.3 or 1/3", path)
    return chance


def _is_chance(value: Any) -> bool:
    try:
        as_chance(value, "")
    except OptionError:
        return False
    return True


_CHANCE = Constraint("a chance from 0 to 1, such as 0.3 or 1/3", _is_chance)

CHARACTER = UnitType(
    "character",
    {
        # What it is.
        "metatype": FieldSpec("human", METATYPES, "GR-6"),
        "passes": FieldSpec(
            1, clause="GR-4", about="its own initiative passes, from the next turn on", wants=whole_value(1)
        ),
        "str": FieldSpec(3, clause="GR-92", wants=whole_value(0)),
        "agility_gymnastics": FieldSpec(6, clause="GR-64", about="dice of a tumble", wants=whole_value(0)),
        "running": FieldSpec(6, clause="GR-32", about="dice of a sprint", wants=whole_value(0)),
        "weapon": FieldSpec("", clause="GR-52", about="the weapon it has readied", wants=WORD),
        "damage_chance": FieldSpec(
            Fraction(1, 2), clause="GR-51", about="the chance that its interception does damage", wants=_CHANCE
        ),
        "grapple_chance": FieldSpec(
            Fraction(1, 2), clause="GR-76", about="the chance that its grapple succeeds", wants=_CHANCE
        ),
        # How it is.
        "mode": FieldSpec("walk", MODES, "GR-29"),
        "prone": FieldSpec(False, (False, True), "GR-45"),
        "immobilised": FieldSpec(False, (False, True), "GR-45"),
        "grappling": FieldSpec("", clause="GR-79", about="the other party of its grapple"),
        "holds": FieldSpec(False, (False, True), "GR-76", about="whether it is the holder in its grapple"),
        "full_defense_melee": FieldSpec(False, (False, True), "GR-69"),
        "parity": FieldSpec(0, (0, 1), "GR-26", about="1 if the next diagonal costs 2"),
        # What it has left, and what it has done: kept by the rules.
        "turn_passes": FieldSpec(0, clause="GR-5", about="its passes in this turn"),
        "free_left": FieldSpec(0, clause="GR-49"),
        "simple_left": FieldSpec(0, clause="GR-24"),
        "delaying": FieldSpec(False, (False, True), "GR-25"),
        "moved_this_pass": FieldSpec("", ("", "first", "last"), "GR-21", about="before its actions or after them"),
        "acted_this_pass": FieldSpec(False, (False, True), "GR-21"),
        "stopped": FieldSpec(False, (False, True), "GR-51"),
        "pace_changed": FieldSpec("", ("", "started", "stopped"), "GR-30"),
        "sprint_hits": FieldSpec(None, clause="GR-32"),
        "sprint_lost": FieldSpec(0, clause="GR-34", about="squares of its sprint that it lost when its running ended"),
        "spent": FieldSpec(0, clause="GR-26", about="squares used in this pass"),
        "spent_before": FieldSpec(0, clause="GR-13", about="squares used in the turn's earlier passes"),
        "carried": FieldSpec(0, clause="GR-20", about="squares carried over from earlier passes"),
        "path": FieldSpec((), clause="GR-74", about="the squares of this pass's movement, the first included"),
        "path_clear": FieldSpec((), clause="GR-74", about="whether each square entered was empty and unimpeded"),
    },
    about="One character in one square.",
)


def grid_of(table: GridTable) -> SquareGrid:
    """Return the board, a grid of squares."""
    return cast(SquareGrid, table.board)


def chance_of(unit: Unit, name: str) -> Fraction:
    """Return a chance stored in a field of a character."""
    return as_chance(unit[name], f"{unit.id}.{name}")


def is_enemy(one: Unit, other: Unit) -> bool:
    """Whether two characters stand on different sides."""
    return one.side != other.side


def others_at(table: GridTable, square: Square, unit: Unit) -> Iterator[Unit]:
    """Yield the characters on a square other than this one."""
    return (other for other in table.at(square) if other.id != unit.id)


# --- passing and stopping ---


@clause("GR-35", "GR-36", "GR-38", "GR-40", "GR-41", "GR-70")
def closed_by(table: GridTable, mover: Unit, other: Unit, tumbling: bool = False) -> str:
    """Return the clause by which a character closes its square to a mover, "" if it does not.

    The other's posture makes no difference: prone, immobilised and grappling characters occupy their
    squares too.
    """
    scale = table.options.scale
    if scale == "m5":
        return ""
    if is_enemy(mover, other):
        if tumbling:
            return ""
        return "GR-36" if scale == "m1" else "GR-38"
    return "GR-35" if scale == "m1" else ""


@clause("GR-37", "GR-39", "GR-40", "GR-71")
def bars_stopping(table: GridTable, mover: Unit, other: Unit, tumbling: bool = False) -> str:
    """Return the clause that forbids stopping on another character's square, "" if there is none."""
    if table.options.scale == "m5":
        return ""
    if tumbling and is_enemy(mover, other):
        return "GR-71"
    return "GR-37" if table.options.scale == "m1" else "GR-39"


def may_stop_on(table: GridTable, mover: Unit, square: Square) -> bool:
    """Whether the characters on a square leave room to stop there."""
    return not any(bars_stopping(table, mover, other) for other in others_at(table, square, mover))


@clause("GR-29", "GR-45", "GR-79")
def held_fast(unit: Unit) -> str:
    """Explain why a character cannot move at all, "" if it can."""
    if unit["grappling"]:
        return f"{unit.id} is grappling with {unit['grappling']} and cannot move until that breaks"
    if unit["immobilised"]:
        return f"{unit.id} is immobilised"
    if unit["prone"]:
        return f"{unit.id} is prone and has to get up first"
    return ""


# --- threat ---


@clause("GR-45")
def threatens_at_all(table: GridTable, unit: Unit) -> bool:
    """Whether a character has a threatened area: not if prone, immobilised, grappling or not on the board."""
    if unit["prone"] or unit["immobilised"] or unit.place is None:
        return False
    held = bool(unit["grappling"]) and not unit["holds"]
    return not unit["grappling"] or (held and table.options.held_threatens)


@clause("GR-43", "GR-44")
def threat_offsets(scale: str) -> tuple[Square, ...]:
    """Return the squares that a character threatens as offsets: at m5 its own, else the eight around it."""
    return ((0, 0),) if scale == "m5" else STEPS


def threatens(table: GridTable, unit: Unit, square: Square | None) -> bool:
    """Whether a square lies in the threatened area of a character; walls make no difference.

    A character that is not on the board stands on no square.
    """
    if square is None or not threatens_at_all(table, unit):
        return False
    return (square[0] - unit.place[0], square[1] - unit.place[1]) in threat_offsets(table.options.scale)


@clause("GR-42", "GR-44", "GR-61")
def melee_partners(table: GridTable, unit: Unit) -> list[Unit]:
    """Return the enemies in whose threatened areas a character stands, that is with which it is in melee."""
    return [other for other in table.state if is_enemy(unit, other) and threatens(table, other, unit.place)]


@clause("GR-42", "GR-43", "GR-44", "GR-45")
def can_strike(table: GridTable, attacker: Unit, target: Unit) -> bool:
    """Whether one character can make a melee attack on another: it threatens its square, or they grapple."""
    return attacker["grappling"] == target.id or threatens(table, attacker, target.place)
