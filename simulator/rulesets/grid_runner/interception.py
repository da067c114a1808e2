"""Interception: which steps trigger which enemies, who can respond, with what, and what an attack does to the mover."""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from simulator.engine.clauses import clause
from simulator.engine.events import Event, change_unit
from simulator.engine.questions import Question, React, Roll
from simulator.engine.state import Unit
from simulator.geometry.squares import Square
from simulator.rulesets.grid_runner.ranges import is_ranged
from simulator.rulesets.grid_runner.units import GridTable, chance_of, is_enemy, threatens

DAMAGE, NO_DAMAGE = "damage", "no damage"
UNARMED, IMPROVISED = "unarmed", "improvised"

#: A rule that yields events and questions and returns a verdict.
Verdict: TypeAlias = "Generator[Event | Question, Any, Any]"


@clause("GR-50")
def in_calling_order(table: GridTable, enemies: Iterable[Unit]) -> list[Unit]:
    """Sort enemies in the order of attack set for the table; those not named keep the order of the list."""
    named = table.options.interception_order
    return sorted(enemies, key=lambda enemy: named.index(enemy.id) if enemy.id in named else len(named))


@clause("GR-46", "GR-47", "GR-48")
def triggered(table: GridTable, mover: Unit, origin: Square) -> list[Unit]:
    """Return the enemies that a step out of a square triggers, wherever it leads: those that threaten the square.

    Stepping into a threatened area triggers nobody.
    """
    every = (other for other in table.state if is_enemy(mover, other) and threatens(table, other, origin))
    return in_calling_order(table, every)


@clause("GR-49")
def may_intercept(enemy: Unit) -> bool:
    """Whether an enemy has a free action left to intercept with."""
    return int(enemy["free_left"]) > 0


@clause("GR-52", "GR-53")
def weapons_of(table: GridTable, enemy: Unit) -> tuple[str, ...]:
    """Return what an enemy can intercept with: the weapon it has readied, and always an Unarmed Attack.

    A firearm is not shot; it can be used as an improvised weapon.
    """
    weapon = str(enemy["weapon"])
    if not weapon or weapon == UNARMED:
        return (UNARMED,)
    return (IMPROVISED if is_ranged(table, weapon) else weapon, UNARMED)


@dataclass(frozen=True, slots=True)
class Trigger:
    """A step of a path that an enemy may intercept: which step, out of which square, and by whom."""

    step: int
    origin: Square
    enemy: str
    #: Whether the enemy can: it has a free action left.
    able: bool
    weapons: tuple[str, ...]
    clause: str = "GR-48"

    def __str__(self) -> str:
        how = " or ".join(self.weapons) if self.able else "no free action left"
        return f"step {self.step + 1}, out of {self.origin[0]},{self.origin[1]}: {self.enemy}, {how} ({self.clause})"


@clause("GR-48", "GR-54", "GR-58")
def triggers_on(table: GridTable, mover: Unit, action: str, squares: list[Square]) -> list[Trigger]:
    """Return every interception that a path allows, step by step."""
    found = []
    for step, origin in enumerate(squares[:-1]):
        if not is_exempt(action, step):
            found += [
                Trigger(step, origin, enemy.id, may_intercept(enemy), weapons_of(table, enemy))
                for enemy in triggered(table, mover, origin)
            ]
    return found


@clause("GR-54")
def is_always_exempt(action: str) -> bool:
    """Whether nobody can intercept any step of a movement."""
    return action == "one_square_move"


@clause("GR-57", "GR-58")
def is_exempt(action: str, step: int) -> bool:
    """Whether nobody can intercept a step: that of a One-Square-Move, and the first one of a Withdrawal.

    The start square of a Withdrawal counts as not threatened for that step only, even if it is entered again.
    """
    return is_always_exempt(action) or (action == "withdrawal" and step == 0)


@clause("GR-48", "GR-49", "GR-50", "GR-52", role="play")
def offered(table: GridTable, enemy: Unit, mover: Unit) -> Verdict:
    """Offer an enemy the interception; return the weapon it uses, or None."""
    weapons = weapons_of(table, enemy)
    return (
        yield React(
            f"intercept {mover.id}",
            who=enemy.id,
            options=weapons,
            clause="GR-49",
            place=mover.place,
            detail={"mover": mover.id},
        )
    )


@clause("GR-49", "GR-51", "GR-52", role="play")
def attack(enemy: Unit, mover: Unit, weapon: str) -> Verdict:
    """Let an enemy attack the mover for a free action; return whether the attack does damage."""
    paid = change_unit(enemy.id, free_left=int(enemy["free_left"]) - 1)
    detail = {"mover": mover.id, "weapon": weapon}
    yield Event("intercepts", enemy.id, [paid], "GR-49", mover.place, detail=detail)
    chance = chance_of(enemy, "damage_chance")
    chances = {DAMAGE: chance, NO_DAMAGE: 1 - chance}
    outcomes = tuple((result, share) for result, share in chances.items() if share)
    result = yield Roll(
        f"attack on {mover.id}", who=enemy.id, outcomes=outcomes, clause="GR-51", place=mover.place, detail=detail
    )
    return result == DAMAGE


@clause("GR-49", "GR-50", "GR-51", role="play")
def intercepted(table: GridTable, name: str) -> Verdict:
    """Offer the next step of a mover to every enemy that it triggers; return whether one of them did damage.

    The mover still stands in the square it is about to leave. Once it is stopped the others keep their free action.
    """
    mover = table.unit(name)
    for enemy in triggered(table, mover, mover.place):
        if not may_intercept(table.unit(enemy.id)):
            continue
        weapon = yield from offered(table, enemy, mover)
        if weapon is not None and (yield from attack(table.unit(enemy.id), mover, weapon)):
            return True
    return False
