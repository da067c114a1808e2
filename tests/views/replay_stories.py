"""Stories for the replay page: the duel of the engine's tests with a simple reach, and one of hostile names."""

import sys
from fractions import Fraction
from pathlib import Path

import shapely

ROOT = Path(__file__).resolve().parents[2]
for folder in ("engine", "formats"):
    sys.path.insert(0, str(ROOT / "tests" / folder))

import duel_ruleset  # noqa: E402
from scenario_samples import DUEL  # noqa: E402

from simulator.engine.clauses import Register  # noqa: E402
from simulator.engine.clock import Clock, Phase  # noqa: E402
from simulator.engine.errors import Breach, TableError  # noqa: E402
from simulator.engine.game import Game  # noqa: E402
from simulator.engine.ruleset import Ruleset  # noqa: E402
from simulator.engine.state import State, Unit  # noqa: E402
from simulator.engine.story import Chapter, Remark, Story  # noqa: E402
from simulator.engine.table import Depiction, Setting  # noqa: E402
from simulator.formats.scenarios import parse_scenario  # noqa: E402
from simulator.geometry.board import Label  # noqa: E402
from simulator.geometry.squares import SquareGrid  # noqa: E402
from simulator.geometry.table import InchTable  # noqa: E402

NASTY = '</script></svg></title><img src=x onerror="window.hacked=1">\'&\u202e\x1b[31m'

REGISTER = Register.parse(
    "## Fighting\n\n- **DU-2** A step costs `1` AP, *more* on <b>impeded</b> ground.\n"
    "  - *Open:* how much? *Chosen:* 3/2.\n"
    "- **DU-3** Whoever leaves may be struck at.\n\n  | where | price |\n  |---|---|\n  | open | 1 |\n"
)


class Rings:
    """A reach that is not one: rings of squares around where the unit stands, for as many AP as it has."""

    unit = "AP"
    mover = None

    def __init__(self, table, unit, action):
        self.table, self.here, self.action = table, unit, action

    def bands(self, levels=None):
        board, x = self.table.board, self.here.place[0]
        rings = [[(x + side * far, 0) for side in (-1, 1)] for far in range(int(self.here["ap"]) + 1)]
        return [(far, board.region([place for place in ring if place in board])) for far, ring in enumerate(rings)]

    @property
    def area(self):
        return shapely.union_all([area for _, area in self.bands()])

    def __contains__(self, place):
        return False

    def _nothing(self, *given):
        raise NotImplementedError

    def chance_bands(self, levels=None):
        """Two squares away nothing is certain."""
        areas = [area for _, area in self.bands()]
        return [(Fraction(1), shapely.union_all(areas[:2])), (Fraction(1, 3), shapely.union_all(areas[2:]))]

    cost_at = costs_at = chance_at = ends_at = headings_at = area_of = _nothing
    why_not = orders_to = to_geojson = _nothing


class Duel(duel_ruleset.DuelRuleset):
    """The duel, with a reach, with facing and with bases that cover squares."""

    reaches = {"walk": "steps to the left or right", "pray": "nowhere"}  # noqa: RUF012

    def reach(self, table, unit, action, **question):
        if action == "pray":
            raise TableError("who prays stays where it is")
        return Rings(table, unit, action)

    def draw(self, table):
        for unit in table.state:
            covers = (unit.place,) if unit.side == "blue" else ()
            yield Depiction(
                unit.id, unit.side, unit.place, 0.0 if unit.side == "red" else None, covers, tokens=("ready",)
            )


RULESET = Duel()


class Discs(Rings):
    """A reach on a table: discs of three and six inches around the unit."""

    def bands(self, levels=None):
        near, far = (shapely.Point(self.here.place).buffer(radius) for radius in (3, 6))
        return [(1, near), (2, far.difference(near))]


class OnATable(Duel):
    """The duel where nobody moves, on a table, on round bases."""

    boards = ("table",)
    reaches = {"walk": "anywhere"}  # noqa: RUF012

    def reach(self, table, unit, action, **question):
        return Discs(table, unit, action)

    def draw(self, table):
        return (Depiction(unit.id, unit.side, unit.place, 90.0, radius=1.5) for unit in table.state)


def table_story():
    """Two units on an inch table, and an order that is refused."""
    board = InchTable(width=40, height=30, name="A table")
    units = [Unit("A1", "fighter", "red", (10.0, 15.0), 90.0, {"ap": 2}), Unit("B1", "fighter", "blue", (30.0, 15.0))]
    clock = Clock(turn=1, phases=(Phase("round"),), sides=("red", "blue"))
    chapter = Chapter(clock, "A1 walk: up", breaches=(Breach("DU-2", "there is no up"),))
    return Story("On a table", Setting.of(OnATable(), board), State.of(units, clock=clock), (chapter,))


def duel():
    """The account of the duel: steps, blows, a refusal, a look at the table."""
    return parse_scenario(DUEL, rulesets={"duel": RULESET}).run()


def long_duel(turns):
    """A game of many orders."""
    board = SquareGrid.open(30, 1, name="A long row")
    units = [
        RULESET.make_unit(f"{side}{n}", "fighter", side, (10 * at + 3 * n, 0))
        for at, side in enumerate(("red", "blue"))
        for n in range(3)
    ]
    game = Game.new(RULESET, board, units)
    for turn in range(turns):
        for n in range(3):
            for side in ("red", "blue"):
                unit = f"{side}{n}"
                game.do(f"{unit} walk: {'right' if turn % 2 == 0 else 'left'} 1")
                game.do(f"{unit} done")
    return game


def hostile():
    """A story in which all that can be named is named to do harm."""
    board = SquareGrid.open(4, 1, name=NASTY, labels=(Label(1, 0.5, NASTY),))
    state = State.of([Unit("A1", NASTY, NASTY, (0, 0), None, {"note": NASTY, "ap": 2})])

    class Hostile(Ruleset):
        name, title = "hostile", NASTY
        options = duel_ruleset.DuelOptions
        vocabulary = duel_ruleset.RULESET.vocabulary

        def draw(self, table):
            for unit in table.state:
                yield Depiction(unit.id, unit.side, unit.place, 90.0, tokens=(NASTY,))

    return board, state, Hostile()


def hostile_story():
    """The story of it, with an order, an event and a remark of that kind."""
    from simulator.engine.actions import Answered, Happened
    from simulator.engine.answers import Answer
    from simulator.engine.events import Event, applied, change_unit
    from simulator.engine.ledger import LedgerLine
    from simulator.engine.orders import Order
    from simulator.engine.questions import Choose

    board, state, ruleset = hostile()
    event = Event(
        NASTY,
        "A1",
        [change_unit("A1", place=(1, 0), note=NASTY + "!")],
        f"DU-2 {NASTY}",
        (1, 0),
        [LedgerLine(NASTY, 1, 1, NASTY, "DU-2")],
        {"why": NASTY},
    )
    after = applied(state, event)
    asked = Answered(Choose(NASTY, who="A1", options=(NASTY, "b"), clause=NASTY), Answer(NASTY, NASTY))
    done = Happened(Order("A1", "walk"), (event, asked), after)
    chapters = (
        Chapter(Clock(), f"A1 {NASTY}", done, remarks=(Remark(NASTY, True), Remark(NASTY, False))),
        Chapter(Clock(), "A1 again", breaches=(Breach(NASTY, NASTY),)),
        Chapter(Clock(), "A1 odd", problem=NASTY),
    )
    return Story(NASTY, Setting.of(ruleset, board), state, chapters, NASTY, (Remark(NASTY, True),))
