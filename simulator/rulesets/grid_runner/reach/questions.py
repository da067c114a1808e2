"""Questions of reach: one character with one action, with or without a sprint, over several passes, or many at once."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, get_args

from simulator.engine.clauses import clause
from simulator.engine.errors import Breach, TableError, WrongQuestion
from simulator.engine.orders import Kind, Order, unit_id, whole_number, word
from simulator.engine.reach_questions import Ask
from simulator.engine.state import Unit
from simulator.engine.values import to_text
from simulator.pathing.move_space import MoveSpace, Plane
from simulator.pathing.search import Engine, Searcher, prepared
from simulator.rulesets.grid_runner.clock import (
    after_paying,
    sprint_breaches,
)
from simulator.rulesets.grid_runner.judge import before_moving
from simulator.rulesets.grid_runner.movement import budget_of, prepared_for
from simulator.rulesets.grid_runner.odds.walking import hit_chances
from simulator.rulesets.grid_runner.reach.answer import GridReach, SprintReach
from simulator.rulesets.grid_runner.reach.chains import PassesReach, over_passes
from simulator.rulesets.grid_runner.reach.charge_lanes import lanes_to
from simulator.rulesets.grid_runner.reach.paces import at_pace
from simulator.rulesets.grid_runner.reach.together import AboutToMove, SharedSearch
from simulator.rulesets.grid_runner.units import MODES, GridTable, as_chance
from simulator.wording import did_you_mean

#: The actions with an answer of reach, each with what it describes.
REACHES = {
    "move": "where a character can end its movement of this pass",
    "withdrawal": "the same squares by a Withdrawal: nobody intercepts the first step",
    "one_square_move": "where a One-Square-Move leads",
    "tumble": "where a tumble leads, at m1 and m2 also through enemies, and with what chance",
    "charge_attack": "from where the attack on a target is a charge",
}
#: Those that one search can answer for many characters.
TOGETHER = ("move", "withdrawal", "one_square_move", "tumble")
_HITS = whole_number("a number of hits", 0, 99)
_SHARE = r"[^\W\d][\w-]*\s+[^\s,]+"


def _read_chances(text: str) -> dict[str, str]:
    return dict(part.split() for part in text.split(","))


#: The keywords of a question.
ASKS = {
    "mode": Ask(word(*MODES)),
    "engine": Ask(word(*get_args(Engine))),
    "sprint": Ask(
        Kind(
            "true, or a number of hits",
            re.compile(r"true|false|\d{1,2}(?![\w./])", re.IGNORECASE),
            lambda text: text.casefold() == "true" if text.isalpha() else _HITS.read(text),
            lambda hits: to_text(hits) if isinstance(hits, bool) else _HITS.write(hits),
            words=("true", "false"),
        )
    ),
    "passes": Ask(
        whole_number("a number of passes of this turn, 1 or more", 1, 99), ("move", "withdrawal", "one_square_move")
    ),
    "target": Ask(unit_id("the enemy to be charged"), ("charge_attack",)),
    "chances": Ask(
        Kind(
            "the chance of damage of enemies' attacks, such as guard 1/2, hound 0.3",
            re.compile(rf"{_SHARE}(?:\s*,\s*{_SHARE})*"),
            _read_chances,
            lambda chances: ", ".join(f"{name} {chance}" for name, chance in chances.items()),
        )
    ),
    "pool": Ask(whole_number("a number of dice, 0 or more", 0, 999)),
}


def reach_of(
    table: GridTable,
    unit: Unit,
    action: str,
    *,
    mode: str = "",
    sprint: bool | int = False,
    passes: int = 1,
    target: str = "",
    chances: Mapping[str, Any] | None = None,
    pool: int | None = None,
    engine: Engine = "numpy",
) -> GridReach | PassesReach:
    """Answer where a character can end with a movement, or with `charge_attack` from where it can charge a target.

    `mode` assumes that it first starts or stops running. `sprint` assumes that it sprints: True for the roll, or a
    number of hits. `passes` is a number of passes of this turn. `chances` of damage of enemies' attacks and the `pool`
    of the test override those of the characters.
    """
    sprints = sprint is not False
    if passes != 1 and sprints:
        raise WrongQuestion("passes and a sprint cannot be combined")
    if action == "charge_attack" and not target:
        enemies = " or ".join(other.id for other in table.state if other.side != unit.side)
        raise WrongQuestion(f"target: a charge needs one: {enemies or 'there is no enemy'}")
    movement = _MovementQuestion(action, target, checked_chances(table, chances or {}), pool, engine)
    begun = at_pace(table, unit, mode)
    table, refused, before = begun.table, begun.refused, begun.orders
    unit = table.unit(unit.id) if before else unit
    if sprints:
        return _sprint_reach(table, unit, movement, None if sprint is True else sprint, refused, before)
    found = movement.reach(table, unit, refused, before)
    if passes == 1:
        return found
    most = len(table.clock.phases) - table.clock.number
    if passes > most:
        raise TableError(f"{most} passes are left in this turn, not {passes}")
    return over_passes(found, passes, mode or unit["mode"])


def reach_of_movement(table: GridTable, unit: Unit, action: str) -> GridReach:
    """Compute where a character can end with a movement as it stands: without a sprint, in one pass."""
    return _MovementQuestion(action, "", {}, None, "numpy").reach(table, unit, (), ())


def checked_chances(table: GridTable, chances: Mapping[str, Any]) -> dict[str, Fraction]:
    """Return the chances of a question as fractions; raises WrongQuestion for names that are not on the table."""
    for name in chances:
        if name not in table.state.units:
            raise WrongQuestion(f"chances: there is no {name!r}; {did_you_mean(name, table.state.units)}")
    return {name: as_chance(chance, f"chances.{name}") for name, chance in chances.items()}


@dataclass(frozen=True)
class _MovementQuestion:
    """A question about one movement, whatever the character's pace and its sprint."""

    action: str
    target: str
    chances: Mapping[str, Fraction]
    pool: int | None
    engine: Engine

    def reach(self, table: GridTable, unit: Unit, refused: Sequence[Breach], before: Sequence[Order]) -> GridReach:
        """Compute the answer for a character as it stands, after these orders."""
        if self.action == "charge_attack":
            return lanes_to(table, unit, table.unit(self.target), refused, self.chances, self.engine, before)
        searcher: Searcher = prepared_for(table, unit, self.action)
        if self.engine != "numpy":
            searcher = prepared(searcher.space, self.engine)
        return GridReach(table, unit, self.action, searcher, **self.arguments(table, unit, refused, before))

    def arguments(
        self, table: GridTable, unit: Unit, refused: Sequence[Breach], before: Sequence[Order]
    ) -> dict[str, Any]:
        """Return the arguments of an answer besides the search."""
        refused = [*refused, *before_moving(table, unit, self.action)]
        return {"refused": refused, "chances": self.chances, "pool": self.pool, "before": before}


def space_of(table: GridTable, unit: Unit, action: str, **question: Any) -> MoveSpace:
    """Return the move space of a movement, with its start and its budget: the graph of everything the rules allow."""
    found = reach_of(table, unit, action, **question)
    if not isinstance(found, GridReach):
        raise TableError("a move space covers a single pass")
    return replace(found.searcher.space, starts=(found.start,), budget=found.budget)


@clause("GR-32", "GR-33", "GR-34")
def _sprint_reach(
    table: GridTable,
    unit: Unit,
    movement: _MovementQuestion,
    hits: int | None,
    refused: Sequence[Breach],
    before: Sequence[Order],
) -> GridReach:
    """Compute the reach for a number of hits of the Running Test, or for the roll (None) with the question's pool."""
    refused = [*refused, *sprint_breaches(table, unit)]
    before = [*before, *([] if refused else [Order(unit.id, "sprint")])]
    paid = after_paying(table, unit, table.options.sprint_action) or {}

    def with_hits(hits: int) -> GridReach:
        runner = unit.put(**paid, sprint_hits=hits, acted_this_pass=table.options.sprint_action != "none")
        after = type(table)(table.setting, table.state.with_unit(runner))
        return replace(movement, pool=None).reach(after, runner, refused, before)

    if hits is not None:
        return with_hits(hits)
    shares = hit_chances(table, int(unit["running"]) if movement.pool is None else movement.pool)
    return SprintReach({number: with_hits(number) for number in shares}, shares)


# --- many at once ---


def reach_of_many(
    ready: Sequence[tuple[GridTable, Unit]],
    action: str,
    *,
    mode: str = "",
    chances: Mapping[str, Any] | None = None,
    pool: int | None = None,
) -> Iterator[GridReach | TableError]:
    """Compute where many characters can end with one movement each, with the costs of one search for all of them.

    Each answer equals that of `reach_of`.
    """
    movers: list[_OneOfMany | TableError] = []
    for table, unit in ready:
        try:
            question = _MovementQuestion(action, "", checked_chances(table, chances or {}), pool, "numpy")
            movers.append(_OneOfMany.of(question, table, unit, mode))
        except WrongQuestion:
            raise
        except TableError as error:
            movers.append(error)
    able = [mover for mover in movers if isinstance(mover, _OneOfMany)]
    found = SharedSearch([mover.begun for mover in able], action)
    numbers = iter(range(len(able)))
    for mover in movers:
        yield mover.answer(found.costs_of(next(numbers))) if isinstance(mover, _OneOfMany) else mover


@dataclass(frozen=True)
class _OneOfMany:
    """One of many movers in a question: the movement, and the other arguments of its answer."""

    begun: AboutToMove
    action: str
    arguments: Mapping[str, Any]

    @classmethod
    def of(cls, question: _MovementQuestion, table: GridTable, unit: Unit, mode: str) -> _OneOfMany:
        """Prepare a character that begins at a pace."""
        at = at_pace(table, unit, mode)
        unit = at.table.unit(unit.id) if at.orders else unit
        more = question.arguments(at.table, unit, at.refused, at.orders)
        budget = 0 if more["refused"] else budget_of(at.table, unit, question.action)
        return cls(AboutToMove(at.table, unit, budget), question.action, more)

    def answer(self, known: Callable[[], Plane]) -> GridReach:
        """Return the answer, with the costs of the shared search."""
        return GridReach(self.begun.table, self.begun.unit, self.action, **self.arguments, known=known)
