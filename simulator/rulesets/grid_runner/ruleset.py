"""The rulebook as the engine uses it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from simulator.engine.board_words import Unread
from simulator.engine.clauses import mark
from simulator.engine.errors import Breach, TableError
from simulator.engine.orders import Order
from simulator.engine.reach import ReachAnswer
from simulator.engine.ruleset import Ruleset
from simulator.engine.state import Unit
from simulator.engine.table import Depiction, Setting
from simulator.pathing.move_space import MoveSpace
from simulator.rulesets.grid_runner import judge
from simulator.rulesets.grid_runner.actions import ACTIONS
from simulator.rulesets.grid_runner.clock import PassClock
from simulator.rulesets.grid_runner.figures import TABLES
from simulator.rulesets.grid_runner.options import GridOptions
from simulator.rulesets.grid_runner.phrases import PHRASES
from simulator.rulesets.grid_runner.planning import examples_of, orders_of, planned
from simulator.rulesets.grid_runner.questions import QUESTIONS
from simulator.rulesets.grid_runner.reach.questions import ASKS, REACHES, TOGETHER, reach_of, reach_of_many, space_of
from simulator.rulesets.grid_runner.reach.reverse import starts_to
from simulator.rulesets.grid_runner.starter_units import STARTER_UNITS
from simulator.rulesets.grid_runner.terrain import READS, STARTERS
from simulator.rulesets.grid_runner.units import CHARACTER, GridTable
from simulator.rulesets.grid_runner.vocabulary import VOCABULARY
from simulator.rulesets.grid_runner.without_effect import notes_on

if TYPE_CHECKING:
    from simulator.engine.reverse_reach import ReverseReach
    from simulator.pathing.departures import Departures


class GridRunner(Ruleset[GridOptions, ReachAnswer]):
    """The rulebook as the engine uses it."""

    name = "grid_runner"
    title = "Grid runner"
    boards = ("squares",)
    reads = READS
    starters = STARTERS
    starter_units = STARTER_UNITS
    unit_types = {"character": CHARACTER}  # noqa: RUF012 - never changed
    options = GridOptions
    tables = TABLES
    vocabulary = VOCABULARY
    clock = PassClock()
    actions = ACTIONS
    phrases = PHRASES
    phrases_complete = True
    questions = QUESTIONS
    reaches = REACHES
    asks = ASKS

    def without_effect(self, setting: Setting[GridOptions]) -> Iterator[Unread]:
        """Report squares whose size differs from that of the scale."""
        return notes_on(setting)

    def breaches(self, table: GridTable, order: Order) -> Iterable[Breach]:
        """Return every reason why an order is forbidden here."""
        return judge.breaches(table, order)

    def faults(self, table: GridTable) -> Iterable[Breach]:
        """Return all faults: invalid figures, characters on walls or on squares they cannot share."""
        yield from judge.setting_faults(table)
        yield from judge.position_faults(table)

    def plan(self, table: GridTable, order: Order) -> Order:
        """Plan the way to the goal of an order: the one with the best chance of getting there, then the cheapest."""
        return planned(table, order)

    def orders(self, table: GridTable, unit: Unit) -> Iterable[Order]:
        """List the legal orders of a character: every action, and for movements one way to each legal end."""
        return orders_of(table, unit)

    def examples(self, table: GridTable, unit: Unit, action: str) -> Iterable[Order]:
        """Return legal orders of a character with one action."""
        return examples_of(table, unit, action)

    def move_space(self, table: GridTable, unit: Unit, action: str, **question: Any) -> MoveSpace:
        """Compile a movement of a character into a move space; `mode` and `sprint` as for `reach`."""
        return space_of(table, unit, action, **question)

    def reach(self, table: GridTable, unit: Unit, action: str, **question: Any) -> ReachAnswer:
        """Compute where a character can end with an action; see `reach.questions` for the other arguments."""
        return reach_of(table, unit, action, **question)

    def reach_many(
        self, ready: Sequence[tuple[GridTable, Unit]], action: str, **question: Any
    ) -> Iterator[ReachAnswer | TableError]:
        """Answer one question for many characters: movements of one pass with the costs of one search."""
        if action in TOGETHER and question.keys() <= {"mode", "chances", "pool"}:
            return reach_of_many(ready, action, **question)
        return super().reach_many(ready, action, **question)

    def departures(self, table: GridTable, unit: Unit, action: str, **question: Any) -> Departures | None:
        """Compile a movement of one pass from all squares."""
        from simulator.rulesets.grid_runner.reach.departures import departures_of

        return departures_of(table, unit, action, **question)

    def reach_to(self, table: GridTable, unit: Unit, place: Any, action: str, **question: Any) -> ReverseReach:
        """Compute from where a character could get to a square with a movement of one pass."""
        from simulator.engine.reverse_reach import ReverseReach

        starts = starts_to(table, unit, place, action, **question)
        return ReverseReach(self, table, unit.id, unit, place, action, "square", starts, question)

    def draw(self, table: GridTable) -> Iterable[Depiction]:
        """Describe how to draw the characters: their squares and their conditions."""
        for unit in table.state:
            if unit.place is not None:
                tokens = [name for name in ("prone", "immobilised") if unit[name]]
                tokens += ["running"] * (unit["mode"] == "run") + ["grappling"] * bool(unit["grappling"])
                yield Depiction(unit.id, unit.side, unit.place, covers=(unit.place,), tokens=tuple(tokens))


mark("GR-3", "advice", "recommends a coarser scale for greater distances; no rule follows from it")
mark("GR-60", "advice", "an example of what GR-59 forbids and allows")
mark("GR-88", "advice", "an observation on the printed figures, which stand as they are")

RULESET = GridRunner()
