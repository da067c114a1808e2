"""The form that a rulebook fills in.

A recipe for a new ruleset:

1. Declare the unit types with their fields, the options, the tables (a TOML file with clause ids).
2. Declare what the rules read of a board (`reads`), and the vocabulary: which actions there are, which elements they
   are made of, what stands behind their names.
3. Write each action as a generator (see `actions`) and tie it to its clauses with `clause`.
4. Write `breaches`: every reason why an order is forbidden, each with its clause. This is the judge.
5. Choose the clock: phases and the few hooks that it needs.
6. Compile to a move space and answer `reach` (on squares and dots see `lattice_reach`); write `plan` if orders may name
   a goal; list `orders` if there is a finite number of them; say what to `draw`.
7. Put the ruleset on a `Shelf` under its name.

`docs/adding_a_ruleset.md` does it step by step, `tests/engine/tiny_ruleset.py` in about eighty lines of code.
"""

# ruff: noqa: ARG002 - what is here to be overridden ignores what it is given

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from importlib.metadata import entry_points
from pathlib import Path
from traceback import walk_tb
from typing import Any, Generic, TypeAlias, TypeVar

from simulator.engine.answer_cache import Holding, SamePosition
from simulator.engine.board_words import Reads, Unread
from simulator.engine.errors import Breach, FaultyRule, IllegalOrder, OptionError, TableError, WrongQuestion
from simulator.engine.events import Event
from simulator.engine.options import Options, OptionsT
from simulator.engine.orders import Order, Vocabulary
from simulator.engine.questions import Question
from simulator.engine.reach import ReachAnswer
from simulator.engine.reach_questions import Ask
from simulator.engine.reverse_reach import ReverseReach
from simulator.engine.ruleset_form import form_faults
from simulator.engine.state import Unit
from simulator.engine.table import Depiction, Setting, Table
from simulator.engine.tables import Tables
from simulator.engine.turns import TurnClock
from simulator.engine.unit_types import UnitType
from simulator.geometry.poses import Pose
from simulator.pathing.move_space import MoveSpace
from simulator.pathing.traces import NoRoute
from simulator.wording import did_you_mean

#: A rule in action: it tells events, asks questions and is sent the answers.
Action: TypeAlias = Generator[Event | Question, Any, None]
ActionRule: TypeAlias = Callable[[Table[Any], Order], Action]


#: What a ruleset answers questions of reach with.
AnswerT = TypeVar("AnswerT", bound=ReachAnswer)


class Ruleset(Generic[OptionsT, AnswerT]):
    """A rulebook as the engine knows it, by its options and what it answers questions of reach with.

    Derive and fill in; all but what raises has a sensible default.
    """

    name: str
    title: str = ""
    #: The file with its clauses, where that is not `docs/rules/NAME.md` of this package.
    page: str | Path = ""
    #: The kinds of board it is played on: "squares", "dots", "table".
    boards: tuple[str, ...] = ()
    #: What its rules look at on each of these kinds of board; every other word is a fault, see `board_words`.
    reads: Mapping[str, Sequence[Reads]] = {}
    #: For each of these kinds of board the text of a commented board file to begin with, all of which the rules read.
    starters: Mapping[str, str] = {}
    unit_types: Mapping[str, UnitType] = {}
    #: The headings that units can have, where those are not the ones of the kind of board (`Board.headings`).
    headings: Sequence[Any] = ()
    options: type[OptionsT] = Options  # type: ignore[assignment]  # who declares none has none
    tables: Tables = Tables()
    vocabulary: Vocabulary
    clock: TurnClock = TurnClock()
    actions: Mapping[str, ActionRule] = {}
    #: How each kind of event is said, see `phrases`.
    phrases: Mapping[str, str] = {}
    #: The actions that reach can be asked about, each with what is answered; the first where none is named. Pages to
    #: replay show the reach of each; without any they show none.
    reaches: Mapping[str, str] = {}
    #: Whether it can be asked with which heading, and on which level, a unit ends somewhere.
    reach_headings: bool = False
    reach_levels: bool = False
    #: What a question of reach can say beside the action, each with its kind of value and the actions it goes with.
    asks: Mapping[str, Ask] = {}

    def without_effect(self, setting: Setting[OptionsT]) -> Iterable[Unread]:
        """Return notes on what a board says in words that are read and from which nothing follows as they stand there.

        A ramp between dots of one level, say, or a size of squares that is not the one of the chosen scale.
        """
        return ()

    def breaches(self, table: Table[OptionsT], order: Order) -> Iterable[Breach]:
        """Return every reason why the rules forbid an order here; none means that it is legal."""
        raise NotImplementedError(
            f"{self.name} has no judge: define `breaches`, which returns the reasons against an order"
        )

    def make_unit(self, id: str, type: str, side: str, place: Any = None, heading: Any = None, **given: Any) -> Unit:
        """Make a unit with all its fields; raises OptionError where the type or a field is not right."""
        if type not in self.unit_types:
            raise OptionError(f"no such type of unit; {did_you_mean(type, self.unit_types)}", f"{id}.type")
        return Unit(id, type, side, place, heading, self.unit_types[type].filled(given, id))

    def settled(self, units: Iterable[Unit]) -> Iterable[Unit]:
        """Return the units as they stand when a game begins: what one has from another and did not say is filled in."""
        return units

    def data(self, setting: Setting[OptionsT]) -> Mapping[str, Any]:
        """Return what the ruleset remembers about the table when a game begins."""
        return {}

    def data_faults(self, table: Table[OptionsT]) -> Iterable[str]:
        """Return all that is wrong with what the ruleset remembers of a table, where that comes from a file."""
        return ()

    def faults(self, table: Table[OptionsT]) -> Iterable[Breach]:
        """Return all that is wrong with a position: units on forbidden ground or on each other."""
        return ()

    def plan(self, table: Table[OptionsT], order: Order) -> Order:
        """Turn an order with a goal into one with elements; raises IllegalOrder where there is no way.

        Unless a ruleset plans by itself, the way is that of `reach`, where one order leads there, and what is in the
        way is what `why_not` says.
        """
        goal = order.goal
        if goal is None:
            return order
        if order.action not in self.reaches:
            raise TableError(f"{self.name} has no planner: say the elements of {order.action} one by one")
        if goal.via:
            raise TableError(f"{self.name} plans no way by way of other places: say the elements one by one")
        pose, unit = goal.pose.plain, table.unit(order.unit)
        answer = self.reach(table, unit, order.action)
        if why := answer.why_not(pose):
            raise IllegalOrder(f"{order.unit} {order.action} to {goal.pose}", why.reasons)
        orders = answer.orders_to(pose)
        if not orders:
            raise NoRoute(f"{order.unit} is at {goal.pose} already")
        if len(orders) > 1:
            raise TableError(f"{goal.pose} takes {len(orders)} orders: ask for them by `simulator path`")
        return replace(order, elements=orders[0].elements, goal=None)

    def orders(self, table: Table[OptionsT], unit: Unit) -> Iterable[Order]:
        """List all legal orders of a unit, where their number is finite."""
        raise TableError(f"{self.name} does not list its orders: there is no end of them; ask for the breaches of one")

    def examples(self, table: Table[OptionsT], unit: Unit, action: str) -> Iterable[Order] | None:
        """Return legal orders with one action, if there are any, for advice on one that was left incomplete.

        None where the ruleset does not say; then advice shows the form of an order alone.
        """
        return None

    def move_space(self, table: Table[OptionsT], unit: Unit, action: str, **question: Any) -> MoveSpace:
        """Compile what a unit can do with an action into a MoveSpace."""
        raise TableError(f"{self.name} does not compile {action} into a move space")

    def reach(self, table: Table[OptionsT], unit: Unit, action: str, **question: Any) -> AnswerT:
        """Answer where a unit can legally end with an action."""
        raise WrongQuestion(f"{self.name} does not answer questions of reach")

    def reach_many(
        self, ready: Sequence[tuple[Table[OptionsT], Unit]], action: str, **question: Any
    ) -> Iterator[AnswerT | TableError]:
        """Answer the same question for many units in turn, or with the reason where one cannot be asked it.

        Each comes with the table on which its go has begun. Where one search answers for many, override this.
        """
        for table, unit in ready:
            try:
                yield self.reach(table, unit, action, **question)
            except WrongQuestion:
                raise
            except TableError as error:
                yield error

    def reach_to(self, table: Table[OptionsT], unit: Unit, place: Any, action: str, **question: Any) -> ReverseReach:
        """Answer from where a unit could get to a place with an action, everything but its own place as it is.

        Where the rules know headings or levels the place may be a pose.
        """
        raise WrongQuestion(f"{self.name} does not answer from where a place can be reached with {action}")

    def placements(self, table: Table[OptionsT], unit: Unit, place: Any) -> Iterable[Table[OptionsT]]:
        """Return the table with a unit at another place, once for each way in which it can be there.

        Whether it may stand there `faults` say. Where a place has several levels, each is a way. A pose says which
        heading or level the unit has there; rules that know levels say themselves where a unit keeps its own.
        """
        pose = Pose.of(place)
        if pose.level is not None:
            raise FaultyRule(f"{self.name} knows levels, and does not say how a unit is put on one: see `placements`")
        there = unit.put(place=pose.place, heading=unit.heading if pose.heading is None else pose.heading)
        return [Table(table.setting, table.state.with_unit(there))]

    #: Of so many units at most the reach is asked in one question, as of all of a side; None where any number may be.
    most_asked: int | None = None

    def moves_with(self, table: Table[OptionsT], unit: Unit) -> Unit:
        """Return the unit that moves when this one does, about which `reach` answers for both: most move by themselves.

        What moves several is asked about once where a whole side is asked about.
        """
        return unit

    def holding(self, table: Table[OptionsT], answer: AnswerT) -> Holding:
        """Return on which tables an answer of `reach` holds besides the one it was computed on.

        Where a ruleset is not certain, an answer holds for its own position only.
        """
        return SamePosition(table.state.position_hash)

    def pose_of(self, table: Table[OptionsT], unit: Unit) -> Pose | None:
        """Return where a unit stands, how it faces and on which level, in the terms of `reach`; None off the board."""
        if unit.place is None:
            return None
        return Pose(unit.place, unit.heading if self.reach_headings else None)

    def course(self, table: Table[OptionsT], order: Order) -> Sequence[tuple[float, float]]:
        """Return the line in the plane along which an order leads, for pictures; none where its events tell it all."""
        return ()

    def draw(self, table: Table[OptionsT]) -> Iterable[Depiction]:
        """Describe what is to be drawn of the units: those that stand on the table, and whom they carry."""
        for unit in table.state.standing:
            heading = unit.heading if isinstance(unit.heading, (int, float)) else None
            aboard = ", ".join(rider.id for rider in table.state.everybody_aboard(unit.id))
            yield Depiction(unit.id, unit.side, unit.place, heading, tokens=(f"with {aboard}",) if aboard else ())

    @cached_property
    def action_rules(self) -> Mapping[str, ActionRule]:
        """The actions by name, checked to be those of the vocabulary."""
        named = {form.name for form in self.vocabulary.actions}
        if named != set(self.actions):
            odd = sorted(named ^ set(self.actions))
            raise FaultyRule(f"{self.name}: the vocabulary and the actions differ in {', '.join(odd)}")
        return self.actions


def ruleset_of(setting: Setting[OptionsT]) -> Ruleset[OptionsT, Any]:
    """Return the ruleset of a setting that is played: one that can judge and compute, and not only name things."""
    if not isinstance(setting.ruleset, Ruleset):
        raise FaultyRule(f"{setting.ruleset.name} is no Ruleset: it can be looked at, not played")
    return setting.ruleset


_CLAUSE_PARTS = re.compile(r"(\D*)(\d*)(.*)", re.DOTALL)


def register_order(clause: str) -> tuple[str, int, str]:
    """Return the sort key of a clause id: GR-9 comes before GR-10.

    >>> sorted(["GR-10", "GR-9", "GR-58"], key=register_order)
    ['GR-9', 'GR-10', 'GR-58']
    """
    found = _CLAUSE_PARTS.match(clause)
    prefix, number, rest = found.groups() if found else (clause, "", "")
    return prefix, int(number or 0), rest


def reasons_against(ruleset: Ruleset[OptionsT, Any], table: Table[OptionsT], order: Order) -> list[Breach]:
    """Return what the judge of a ruleset has against an order; raises FaultyRule where it returns anything else."""
    found: Any = ruleset.breaches(table, order)
    if not isinstance(found, Iterable):
        raise FaultyRule(
            f"{ruleset.name}: `breaches` yields or lists each Breach, none for a legal order, not {found!r}"
        )
    reasons = list(found)
    for reason in reasons:
        if not isinstance(reason, Breach):
            raise FaultyRule(f"{ruleset.name}: `breaches` yields or lists each Breach, not {reason!r}")
    return reasons


def filled_in(ruleset: Ruleset[Any, Any]) -> Ruleset[Any, Any]:
    """Return a ruleset whose form is filled in; raises BrokenRuleset with all that is missing or does not belong."""
    if isinstance(ruleset, type):
        raise BrokenRuleset(f"{ruleset.__name__} is a class: make a ruleset of it, {ruleset.__name__}()")
    if not isinstance(ruleset, Ruleset):
        raise BrokenRuleset(f"{ruleset!r} is no Ruleset")
    if faults := list(form_faults(ruleset)):
        kind = type(ruleset)
        raise BrokenRuleset("\n  ".join([f"{kind.__name__} of {kind.__module__} is not filled in correctly", *faults]))
    return ruleset


def _cause_of(error: Exception, module: str) -> str:
    """Return what an error says, its kind where the message alone does not tell it, and the line that caused it."""
    if isinstance(error, ImportError):
        return str(error)
    package = module.partition(".")[0]
    frames = walk_tb(error.__traceback__)
    lines = [
        f"{Path(frame.f_code.co_filename).name}:{line}: "
        for frame, line in frames
        if str(frame.f_globals.get("__name__")).partition(".")[0] == package
    ]
    return "".join(lines[-1:]) + f"{type(error).__name__}: {error}"


class Shelf(Mapping[str, Ruleset[Any, Any]]):
    """Rulesets by name, each loaded when it is first taken down: `Shelf({"chess": "my_games.chess:RULESET"})`."""

    def __init__(self, where: Mapping[str, str], group: str | None = None) -> None:
        """Fill the shelf; with a `group`, installed packages may add to it by entry points."""
        self._where = dict(where)
        if group is not None:
            for point in sorted(entry_points(group=group), key=lambda point: point.name):
                self._where.setdefault(point.name, point.value)
        self._loaded: dict[str, Ruleset[Any, Any]] = {}

    def __getitem__(self, name: str) -> Ruleset[Any, Any]:
        if name not in self._where:
            raise UnknownRuleset(f"there is no ruleset {name!r}; {did_you_mean(name, self._where)}")
        if name not in self._loaded:
            self._loaded[name] = self._load(name, self._where[name])
        return self._loaded[name]

    @staticmethod
    def _load(name: str, where: str) -> Ruleset[Any, Any]:
        module, _, attribute = where.partition(":")
        broken = f"the ruleset {name!r} cannot be loaded from {where}"
        try:
            ruleset = filled_in(getattr(import_module(module), attribute or "RULESET"))
        except BrokenRuleset as error:
            raise BrokenRuleset(f"{broken}: {error}") from error
        except Exception as error:  # whatever a module of another package does when it is imported
            raise BrokenRuleset(f"{broken}: {_cause_of(error, module)}") from error
        if ruleset.name != name:
            raise BrokenRuleset(f"{broken}: its name is {ruleset.name!r}, and its entry point needs the same one")
        return ruleset

    @property
    def loaded(self) -> Mapping[str, Ruleset[Any, Any]]:
        """Those that have been taken down."""
        return dict(self._loaded)

    def __iter__(self) -> Iterator[str]:
        return iter(self._where)

    def __len__(self) -> int:
        return len(self._where)


class BrokenRuleset(TableError):
    """A ruleset that cannot be loaded, or cannot be played because its form is not filled in rightly."""

    exit_code = 3


class UnknownRuleset(TableError, KeyError):
    """A name that is on no shelf."""

    exit_code = 2

    def __str__(self) -> str:
        # KeyError would show the message in quotes.
        return str(self.args[0])
