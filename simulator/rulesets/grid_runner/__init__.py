"""grid_runner: characters on squares of 1, 2 or 5 metres, initiative passes, interception.

Read `characters` (who closes, threatens, holds whom), `passes` (what may follow what), `movement` (steps, the judge
of a path, the move space), `interception` and `tumbling`; then `actions`, which put them together. `judge` says why an
order is forbidden, `reach` where a character can go, `ranges` how far a weapon carries.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib import resources

from simulator.engine.clauses import mark
from simulator.engine.errors import Breach
from simulator.engine.orders import Order
from simulator.engine.ruleset import Ruleset
from simulator.engine.tables import Tables
from simulator.rulesets.grid_runner import judge
from simulator.rulesets.grid_runner.actions import ACTIONS
from simulator.rulesets.grid_runner.characters import CHARACTER, GridTable
from simulator.rulesets.grid_runner.options import GridOptions
from simulator.rulesets.grid_runner.passes import PassClock
from simulator.rulesets.grid_runner.vocabulary import VOCABULARY


class GridRunner(Ruleset[GridOptions]):
    """The rulebook as the engine knows it."""

    name = "grid_runner"
    title = "Grid runner"
    boards = ("squares",)
    unit_types = {"character": CHARACTER}  # noqa: RUF012 - nobody changes it
    options = GridOptions
    tables = Tables.from_toml(resources.files(__package__).joinpath("tables.toml").read_text(encoding="utf-8"))
    vocabulary = VOCABULARY
    clock = PassClock()
    actions = ACTIONS

    def breaches(self, table: GridTable, order: Order) -> Iterable[Breach]:
        """Give every reason why an order is forbidden here."""
        return judge.breaches(table, order)


mark("GR-3", "advice", "recommends a coarser scale for greater distances; no rule follows from it")
mark("GR-60", "advice", "an example of what GR-59 forbids and allows")
mark("GR-88", "advice", "an observation on the printed figures, which stand as they are")

RULESET = GridRunner()
