"""Control checks: their target numbers, modifiers and chances."""

from __future__ import annotations

from fractions import Fraction

from simulator.engine.clauses import clause
from simulator.engine.dice import Dice
from simulator.engine.questions import Roll
from simulator.engine.state import Unit
from simulator.rulesets.dot_trooper.units import DTTable, class_figure, trooper_modifier, vehicle_modifier


@clause("DT-86", "DT-91", "DT-93", "DT-94")
def base_tn(table: DTTable, cause: str, angle: int = 0) -> int | None:
    """Return the base TN of a check, None if there is none.

    `cause` is `turn`, `stop`, `ramming` or `melee`; a stop's row replaces that of the turn built into it.
    """
    if cause in ("ramming", "melee"):
        return int(table.tables[f"check.attack.{cause}"])
    return int(table.tables[f"check.{cause}.{angle}"]) or None


@clause("DT-39", "DT-44", "DT-90")
def modifiers(table: DTTable, vehicle: Unit, driver: Unit) -> list[tuple[str, int]]:
    """Return the modifiers of a check: trooper damage, vehicle damage, handling, and no others."""
    return [
        ("trooper damage", trooper_modifier(table, driver)),
        ("vehicle damage", vehicle_modifier(table, vehicle)),
        ("handling", int(class_figure(table, vehicle, "handling"))),
    ]


def check_name(cause: str, angle: int = 0) -> str:
    """Return the name of a check: `stop 180`."""
    return f"{cause} {angle}" if angle else cause


@clause("DT-89", "DT-160")
def control_check(table: DTTable, vehicle: Unit, driver: Unit, cause: str, angle: int = 0) -> Roll | None:
    """Return the roll of a check, None if none is needed."""
    target = base_tn(table, cause, angle)
    if target is None:
        return None
    rule = {"turn": "DT-86", "stop": "DT-93", "ramming": "DT-143", "melee": "DT-147"}[cause]
    return Roll(
        f"control check: {check_name(cause, angle)}",
        who=driver.id,
        dice=str(table.tables["test.dice"]),
        target=target,
        modifiers=modifiers(table, vehicle, driver),
        clause=rule,
        place=vehicle.place,
        detail={"vehicle": vehicle.id},
    )


@clause("DT-89", "DT-160", role="figure")
def test_dice(table: DTTable) -> Dice:
    """Return the dice of control checks and attacks."""
    return Dice.of(str(table.tables["test.dice"]))


@clause("DT-160", role="odds")
def chance(table: DTTable, vehicle: Unit, driver: Unit, cause: str, angle: int = 0) -> Fraction:
    """Return the chance of passing a check, 1 if none is needed."""
    roll = control_check(table, vehicle, driver, cause, angle)
    return Fraction(1) if roll is None else roll.chance
