"""Tumbling: the enemies along a course, the threshold, and the interceptions after a failed test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.engine.clauses import clause
from simulator.engine.events import Event, change_unit
from simulator.engine.questions import Choose, Roll
from simulator.engine.state import Unit
from simulator.geometry.squares import STEPS, Square
from simulator.rulesets.grid_runner.figures import pool
from simulator.rulesets.grid_runner.interception import (
    Verdict,
    attack,
    in_calling_order,
    may_intercept,
    offered,
    triggered,
)
from simulator.rulesets.grid_runner.ranges import counted_distance
from simulator.rulesets.grid_runner.units import GridTable, grid_of, is_enemy, threatens


@dataclass(frozen=True, slots=True)
class InLine:
    """An enemy on a tumbler's course: its units of the threshold, and its place in line."""

    enemy: str
    units: int
    #: The step that first triggers it; for an enemy that is never triggered the step out of its square, or the end.
    step: int
    passed: bool


@clause("GR-63", "GR-67", "GR-70", "GR-73")
def line_of(table: GridTable, mover: Unit, squares: Sequence[Square]) -> list[InLine]:
    """Return the enemies that a course counts, in the order in which it triggers them.

    Each counts 1; one whose square the course leads through counts 1 more, except at m5, where squares can be passed
    anyway. With `near_any` an enemy counts if it threatens any square of the course, the last included.
    """
    last = len(squares) - 1
    found: list[tuple[tuple[int, int, int, int], InLine]] = []
    calling = {unit.id: place for place, unit in enumerate(in_calling_order(table, table.state))}
    for listed, enemy in enumerate(table.state):
        if not is_enemy(mover, enemy):
            continue
        steps = [number for number in range(last) if threatens(table, enemy, squares[number])]
        near = bool(steps) or (table.options.tumble_counts == "near_any" and threatens(table, enemy, squares[last]))
        through = [number for number in range(1, last) if squares[number] == enemy.place]
        passed = bool(through) and table.options.scale != "m5"
        if near or passed:
            step = steps[0] if steps else through[0] if through else last
            called = calling[enemy.id] if enemy.id in table.options.interception_order else len(calling)
            nearness = counted_distance("diagonal_121", enemy.place, squares[min(step + 1, last)])
            found.append(((step, called, nearness, listed), InLine(enemy.id, near + passed, step, passed)))
    return [entry for _, entry in sorted(found, key=lambda pair: pair[0])]


@clause("GR-64", "GR-70")
def threshold(line: Sequence[InLine]) -> int:
    """Return the hits that a tumble needs: the units of all enemies in line."""
    return sum(entry.units for entry in line)


@clause("GR-67")
def first_in_line(line: Sequence[InLine], hits: int, rule: str = "hits") -> int:
    """Return the place in line of the enemy that intercepts first: the one that holds unit max(1, hits), or hits + 1.

    >>> line = [InLine("A", 2, 0, True), InLine("B", 1, 2, False)]
    >>> [first_in_line(line, hits) for hits in (0, 1, 2)]
    [0, 0, 0]
    >>> [first_in_line(line, hits, "hits_plus_one") for hits in (0, 1, 2)]
    [0, 0, 1]
    """
    unit = hits + 1 if rule == "hits_plus_one" else max(1, hits)
    for place, entry in enumerate(line):
        unit -= entry.units
        if unit <= 0:
            return place
    return len(line) - 1


@clause("GR-62", "GR-64", "GR-65", "GR-67", "GR-69", role="play")
def tested(table: GridTable, name: str, line: Sequence[InLine]) -> Verdict:
    """Roll the Agility + Gymnastics test; return the enemies that may intercept: none if it succeeds."""
    needed = threshold(line)
    if not needed:
        return []
    dice = pool(table.tables, int(table.unit(name)["agility_gymnastics"]))
    roll = Roll("agility and gymnastics", who=name, dice=dice, target=needed, clause="GR-64")
    hits = yield roll
    if roll.passes(hits):
        return []
    yield Event("tumble fails", name, [change_unit(name, full_defense_melee=True)], "GR-69")
    if table.options.tumble_first == "gm":
        enemies = [entry.enemy for entry in line]
        chosen = yield Choose("who intercepts first", who="gm", options=enemies, default=enemies[0], clause="GR-67")
        return line[enemies.index(chosen) :]
    return line[first_in_line(line, hits, table.options.tumble_first) :]


@clause("GR-72", role="search")
def push_squares(table: GridTable, enemy: Unit, mover: Unit) -> list[Square]:
    """Return the squares into which an enemy can push a tumbler: empty ones beside it, the tumbler's own included."""
    board = grid_of(table)
    found = []
    for across, down in STEPS:
        square = (enemy.place[0] + across, enemy.place[1] + down)
        is_open = square in board and not board.walls[board.index(square)]
        if is_open and all(other.id == mover.id for other in table.at(square)):
            found.append(square)
    return found


@clause("GR-67", "GR-68", "GR-72", role="play")
def tumbler_intercepted(table: GridTable, name: str, line: Sequence[InLine], attacked: set[str]) -> Verdict:
    """Offer the next step of a failed tumble to those in line; return where it ends, None if it continues.

    Each enemy attacks once at most. One whose square the course passes through pushes the tumbler where it likes.
    """
    mover = table.unit(name)
    here = {enemy.id for enemy in triggered(table, mover, mover.place)}
    for entry in line:
        enemy = table.unit(entry.enemy)
        if entry.enemy not in here or entry.enemy in attacked or not may_intercept(enemy):
            continue
        weapon = yield from offered(table, enemy, mover)
        if weapon is None:
            continue
        attacked.add(entry.enemy)
        damaged = yield from attack(enemy, mover, weapon)
        pushes = entry.passed and (damaged or table.options.tumble_push == "any_interception")
        if pushes and (squares := push_squares(table, enemy, mover)):
            pushed = yield Choose(f"where {name} is pushed", who=enemy.id, options=squares, clause="GR-72")
            return pushed
        if damaged or pushes:  # with no square to be pushed to it stops where it may
            return ()
    return None
