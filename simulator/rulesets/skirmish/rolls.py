"""Rolls: success levels, target numbers, penalties."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, TableError
from simulator.engine.questions import Roll
from simulator.engine.state import Unit
from simulator.rulesets.skirmish.units import SkirmishTable
from simulator.wording import did_you_mean

LEVELS = ("poor", "normal", "good", "excellent")


@clause("SK-57")
def rank_of(table: SkirmishTable, level: str) -> int:
    """Return the rank of a success level: poor 1, normal 2, good 3, excellent 4."""
    known = table.tables["rank"]
    if level not in known:
        raise TableError(f"no such success level; {did_you_mean(str(level), LEVELS)}")
    return int(known[level])


@clause("SK-10", "SK-20", "SK-42", "SK-57", role="judge")
def faulty_levels(table: SkirmishTable) -> Iterator[Breach]:
    """Report unknown levels that a scenario puts into the tables; a gap may be "impossible" too."""
    for path, clause_id, more in (
        ("terrain.roll.level", "SK-10", ()),
        ("traverse_difficulty.gap", "SK-20", ("impossible",)),
        ("dodge.roll.level", "SK-42", ()),
    ):
        known, level = (*LEVELS, *more), table.tables[path]
        if level not in known:
            yield Breach(clause_id, f"{path}: no such success level; {did_you_mean(str(level), known)}")


@clause("SK-7", "SK-59")
def penalties_of(unit: Unit) -> list[tuple[str, int]]:
    """Return the penalties on a soldier's movement rolls, in levels; they add up and only raise the difficulty."""
    return [(name, int(unit[name])) for name in ("incoming_fire", "health") if unit[name]]


@clause("SK-58")
def target_modifier(table: SkirmishTable, rank: int) -> int:
    """Return the modifier of a rank, penalties included, to the attribute; beyond the table its last step repeats."""
    known = table.tables["target_modifier"]
    last = len(known)
    beyond = max(rank - last, 0) * (int(known[f"r{last}"]) - int(known[f"r{last - 1}"]))
    return int(known[f"r{min(max(rank, 1), last)}"]) + beyond


@clause("SK-58", "SK-59")
def roll_at(
    table: SkirmishTable,
    what: str,
    unit: Unit,
    attribute: int,
    level: str,
    penalties: Sequence[tuple[str, int]],
    clause_id: str,
) -> Roll:
    """Return the roll of a soldier at a declared level: a result of no more than the target succeeds."""
    rank = rank_of(table, level)
    modifiers, reached = [], rank
    for name, levels in penalties:
        change = target_modifier(table, reached + levels) - target_modifier(table, reached)
        modifiers.append((name, change))
        reached += levels
    target = attribute + target_modifier(table, rank)
    detail, dice = {"level": level}, str(table.tables["roll.dice"])
    return Roll(
        what, who=unit.id, dice=dice, target=target, modifiers=modifiers, at_most=True, clause=clause_id, detail=detail
    )


@clause("SK-8", "SK-10")
def terrain_roll(table: SkirmishTable, unit: Unit) -> Roll:
    """Return a soldier's Terrain roll: PSQ at Normal."""
    level = table.tables["terrain.roll.level"]
    return roll_at(table, "Terrain roll", unit, int(unit["psq"]), level, penalties_of(unit), "SK-10")


@clause("SK-19")
def traverse_roll(table: SkirmishTable, unit: Unit, level: str) -> Roll:
    """Return a soldier's Traverse roll: INS at the level of the obstacle."""
    return roll_at(table, "Traverse roll", unit, int(unit["ins"]), level, penalties_of(unit), "SK-19")


@clause("SK-42", "SK-43", "SK-60")
def dodge_roll(table: SkirmishTable, unit: Unit, level: str) -> Roll:
    """Return a soldier's dodge roll at the level it declares."""
    attribute = int(unit[str(table.options.dodge_attribute).lower()])
    return roll_at(table, "dodge roll", unit, attribute, level, penalties_of(unit), "SK-42")


@clause("SK-42", "SK-43", "SK-60")
def dodge_levels(table: SkirmishTable) -> tuple[str, ...]:
    """Return the levels at which a dodge may be declared: Normal, or higher if the soldier opts up."""
    base = rank_of(table, table.tables["dodge.roll.level"])
    return tuple(level for level in LEVELS if rank_of(table, level) >= base)


@clause("SK-32", "SK-59", "SK-67")
def attack_roll(table: SkirmishTable, attacker: Unit, target: Unit, level: str) -> Roll:
    """Return the roll of a LOS action: one level harder against a Running target."""
    penalty = int(table.tables["penalty.target_running"])
    penalties = [("target_running", penalty)] if target["running"] else []
    return roll_at(table, "attack roll", attacker, int(attacker["attack"]), level, penalties, "SK-32")


def chance_of(roll: Roll) -> Fraction:
    """Return the chance that a roll succeeds."""
    return roll.chance
