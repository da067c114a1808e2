"""The form of a rulebook.

A recipe for a new ruleset:

1. Declare the unit types with their fields, the options, the tables (a TOML file with clause ids).
2. Declare the words of a board that the rules read (`reads`), and the vocabulary: the actions, their elements, and
   their arguments.
3. Write each action as a generator (see `actions`) and tie it to its clauses with `clause`.
4. Write `breaches`: every reason why an order is forbidden, each with its clause. This is the judge.
5. Choose the clock: phases and the few hooks that it needs.
6. Compile to a move space and implement `reach` (on squares and dots see `lattice_reach`); write `plan` if orders may
   name a goal; list `orders` if their number is finite; describe what to `draw`.
7. Put the ruleset on a `Shelf` under its name.

`docs/adding_a_ruleset.md` does it step by step, `tests/engine/tiny_ruleset.py` in about eighty lines of code.
"""

# ruff: noqa: ARG002 - methods to be overridden ignore their arguments

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from importlib import import_module
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from pkgutil import walk_packages
from traceback import walk_tb
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

from simulator.engine.answer_cache import Holding, SamePosition
from simulator.engine.board_words import Reads, Unread
from simulator.engine.declared import QuestionForm
from simulator.engine.drafts import AgainstDraft
from simulator.engine.errors import Breach, FaultyRule, IllegalOrder, OptionError, TableError, WrongQuestion
from simulator.engine.events import Event
from simulator.engine.options import Options, OptionsT
from simulator.engine.orders import Order, Vocabulary
from simulator.engine.questions import Question
from simulator.engine.reach import ReachAnswer
from simulator.engine.reach_questions import Ask
from simulator.engine.ruleset_form import form_faults
from simulator.engine.starter_units import StarterUnit
from simulator.engine.state import Unit
from simulator.engine.table import Depiction, FireArc, Setting, Table
from simulator.engine.tables import Tables
from simulator.engine.turns import TurnClock
from simulator.engine.unit_types import UnitType
from simulator.errors import shortened
from simulator.geometry.poses import Pose
from simulator.pathing.move_space import MoveSpace
from simulator.pathing.traces import NoRoute
from simulator.wording import did_you_mean

if TYPE_CHECKING:
    from simulator.engine.reverse_reach import ReverseReach
    from simulator.pathing.departures import Departures

#: A rule in action: it yields events and questions and is sent the answers.
Action: TypeAlias = Generator[Event | Question, Any, None]
ActionRule: TypeAlias = Callable[[Table[Any], Order], Action]


#: The type of a ruleset's reach answers.
AnswerT = TypeVar("AnswerT", bound=ReachAnswer)


class Ruleset(Generic[OptionsT, AnswerT]):
    """A rulebook as the engine knows it, generic in its options and its reach answers.

    Derive and override; methods have sensible defaults, except those that raise.
    """

    name: str
    title: str = ""
    #: The file with its clauses, if that is not `docs/rules/NAME.md` of this package.
    page: str | Path = ""
    #: The kinds of board it is played on: "squares", "dots", "table".
    boards: tuple[str, ...] = ()
    #: The words that its rules read on each of these kinds of board; every other word is a fault, see `board_words`.
    reads: Mapping[str, Sequence[Reads]] = {}
    #: For each of these kinds of board the text of a commented board file to begin with; the rules read all of it.
    starters: Mapping[str, str] = {}
    #: The units of a new scenario; without any it begins with two of the simplest type.
    starter_units: Sequence[StarterUnit] = ()
    unit_types: Mapping[str, UnitType] = {}
    #: The headings that units can have, if they differ from those of the kind of board (`Board.headings`).
    headings: Sequence[Any] = ()
    options: type[OptionsT] = Options  # type: ignore[assignment]  # by default there are none
    tables: Tables = Tables()
    vocabulary: Vocabulary
    clock: TurnClock = TurnClock()
    actions: Mapping[str, ActionRule] = {}
    #: The phrase for each kind of event, see `phrases`.
    phrases: Mapping[str, str] = {}
    #: Whether `phrases` has every kind of event that the rules write: any other is then a fault, see `declared`.
    phrases_complete: bool = False
    #: Every question that the rules ask, by its name; without any they are not declared, see `declared`.
    questions: Mapping[str, QuestionForm] = {}
    #: The actions that have a reach, each with a description of the answer; the first is the default. Pages to replay
    #: show the reach of each of them, unless `on_pages` names a few.
    reaches: Mapping[str, str] = {}
    #: The actions whose reach such pages show; all that have one if none is named. Answers that take seconds stay out.
    on_pages: Sequence[str] = ()
    #: Whether ends of reach answers have headings, and whether they have levels.
    reach_headings: bool = False
    reach_levels: bool = False
    #: The values of a question of reach beside the action, each with its kind and the actions that take it.
    asks: Mapping[str, Ask] = {}

    def without_effect(self, setting: Setting[OptionsT]) -> Iterable[Unread]:
        """Return notes on words of a board that the rules read but that have no effect where they are.

        A ramp between dots of one level, for example, or a size of squares other than that of the chosen scale.
        """
        return ()

    def breaches(self, table: Table[OptionsT], order: Order) -> Iterable[Breach]:
        """Return every reason why the rules forbid an order here; none if it is legal."""
        raise NotImplementedError(
            f"{self.name} has no judge: define `breaches`, which returns the reasons against an order"
        )

    def make_unit(self, id: str, type: str, side: str, place: Any = None, heading: Any = None, **fields: Any) -> Unit:
        """Make a unit with all its fields; raise OptionError if the type or a field is wrong."""
        given: Any = type
        if not isinstance(given, str) or given not in self.unit_types:
            raise OptionError(f"no such type of unit; {did_you_mean(type, self.unit_types)}", f"{id}.type")
        return Unit(id, type, side, place, heading, self.unit_types[type].filled(fields, id))

    def settled(self, units: Iterable[Unit]) -> Iterable[Unit]:
        """Return the units as they are when a game begins, with values that depend on other units filled in."""
        return units

    def setting_faults(
        self, setting: Setting[OptionsT], units: Sequence[Unit]
    ) -> Iterable[tuple[tuple[str, ...], str]]:
        """Return what units and options are that the figures do not know, each with its path in a scenario.

        Unlike faults of a position, these leave rules without what they need: no game begins with them.
        """
        return ()

    def data(self, setting: Setting[OptionsT]) -> Mapping[str, Any]:
        """Return the ruleset's data about the table when a game begins."""
        return {}

    def data_faults(self, table: Table[OptionsT]) -> Iterable[str]:
        """Return all faults of the ruleset's data about a table that comes from a file."""
        return ()

    def faults(self, table: Table[OptionsT]) -> Iterable[Breach]:
        """Return all faults of a position: units on forbidden ground or on each other."""
        return ()

    def plan(self, table: Table[OptionsT], order: Order) -> Order:
        """Convert an order with a goal to one with elements; raise IllegalOrder if there is no way.

        By default the way is that of `reach`, if a single order leads there, and the reasons against it are those of
        `why_not`.
        """
        goal = order.goal
        if goal is None:
            return order
        if order.action not in self.reaches:
            raise TableError(f"{self.name} has no planner: list the elements of {order.action} one by one")
        if goal.via:
            raise TableError(f"{self.name} does not plan paths through waypoints: list the elements one by one")
        pose, unit = goal.pose.plain, table.unit(order.unit)
        answer = self.reach(table, unit, order.action)
        if why := answer.why_not(pose):
            raise IllegalOrder(f"{order.unit} {order.action} to {goal.pose}", why.reasons)
        orders = answer.orders_to(pose)
        if not orders:
            raise NoRoute(f"{order.unit} is at {goal.pose} already")
        if len(orders) > 1:
            raise TableError(f"{goal.pose} takes {len(orders)} orders: `simulator path` lists them")
        return replace(order, elements=orders[0].elements, goal=None)

    @property
    def lists_orders(self) -> bool:
        """Whether it lists the orders of a unit: whether `orders` is overridden."""
        return type(self).orders is not Ruleset.orders

    def orders(self, table: Table[OptionsT], unit: Unit) -> Iterable[Order]:
        """List all legal orders of a unit, if their number is finite; an `OrderList` makes each only when it is used.

        Whatever it lists is played without being judged again.
        """
        raise TableError(f"{self.name} does not list its orders, which are infinitely many; check the breaches of one")

    def against_draft(self, table: Table[OptionsT], order: Order) -> AgainstDraft:
        """Return reasons against a draft of an order at random, where orders are not listed.

        By default they are all `breaches`. Override this where fewer of them, found sooner, answer what is asked.
        """
        return AgainstDraft(reasons_against(self, table, order))

    def examples(self, table: Table[OptionsT], unit: Unit, action: str) -> Iterable[Order] | None:
        """Return legal orders with one action, if there are any, for advice on one that was left incomplete.

        None if the ruleset lists none; then advice only shows the form of an order.
        """
        return None

    def move_space(self, table: Table[OptionsT], unit: Unit, action: str, **question: Any) -> MoveSpace:
        """Compile the moves of a unit with an action to a MoveSpace."""
        raise TableError(f"{self.name} does not compile {action} into a move space")

    def reach(self, table: Table[OptionsT], unit: Unit, action: str, **question: Any) -> AnswerT:
        """Compute where a unit can legally end with an action."""
        raise WrongQuestion(f"{self.name} computes no reach")

    def reach_many(
        self, ready: Sequence[tuple[Table[OptionsT], Unit]], action: str, **question: Any
    ) -> Iterator[AnswerT | TableError]:
        """Answer the same question for many units in turn, with the error for a unit that has no answer.

        Each unit comes with the table on which its go has begun. Override this if one search can answer for many.
        """
        for table, unit in ready:
            try:
                yield self.reach(table, unit, action, **question)
            except WrongQuestion:
                raise
            except TableError as error:
                yield error

    def departures(self, table: Table[OptionsT], unit: Unit, action: str, **question: Any) -> Departures | None:
        """Compile the moves of a unit with an action for all places of a lattice at once, and where it may set out.

        The answer from each start has to be that of `reach` for the unit there, everything else as it is. None if moves
        depend on more than where they begin; then each start is asked by itself, which takes longer.
        """
        return None

    def reach_to(self, table: Table[OptionsT], unit: Unit, place: Any, action: str, **question: Any) -> ReverseReach:
        """Compute from where a unit could get to a place with an action; everything but its own place stays as it is.

        If the rules have headings or levels, the place may be a pose.
        """
        raise WrongQuestion(f"{self.name} does not compute from where a place can be reached with {action}")

    def placements(self, table: Table[OptionsT], unit: Unit, place: Any) -> Iterable[Table[OptionsT]]:
        """Return tables with a unit at another place, one for each way in which it can be there.

        `faults` reports whether it may stand there. Each level of a place is a way. A pose sets the heading or level of
        the unit there; rules with levels override this, since they define where a unit keeps its level.
        """
        pose = Pose.of(place)
        if pose.level is not None:
            raise FaultyRule(f"{self.name} has levels, but does not define how a unit is put on one: see `placements`")
        there = unit.put(place=pose.place, heading=unit.heading if pose.heading is None else pose.heading)
        return [Table(table.setting, table.state.with_unit(there))]

    #: The most units whose reach is computed in one question, as for a whole side; None for any number.
    most_asked: int | None = None

    def moves_with(self, table: Table[OptionsT], unit: Unit) -> Unit:
        """Return the unit that moves when this one does, with one `reach` for both: most units move by themselves.

        A unit that moves several others is computed once for a whole side.
        """
        return unit

    def holding(self, table: Table[OptionsT], answer: AnswerT) -> Holding:
        """Return the tables on which an answer of `reach` holds besides the one on which it was computed.

        By default an answer holds only for its own position.
        """
        return SamePosition(table.state.position_hash)

    def pose_of(self, table: Table[OptionsT], unit: Unit) -> Pose | None:
        """Return the place, heading and level of a unit as `reach` uses them; None off the board."""
        if unit.place is None:
            return None
        return Pose(unit.place, unit.heading if self.reach_headings else None)

    def course(self, table: Table[OptionsT], order: Order) -> Sequence[tuple[float, float]]:
        """Return the line in the plane along which an order leads, for pictures; none if its events show it."""
        return ()

    def draw(self, table: Table[OptionsT]) -> Iterable[Depiction]:
        """Describe how to draw the units that stand on the table, with those they carry."""
        for unit in table.state.standing:
            heading = unit.heading if isinstance(unit.heading, (int, float)) else None
            aboard = ", ".join(rider.id for rider in table.state.everybody_aboard(unit.id))
            yield Depiction(unit.id, unit.side, unit.place, heading, tokens=(f"with {aboard}",) if aboard else ())

    def fire_arcs(self, table: Table[OptionsT]) -> Iterable[FireArc]:
        """Return the arcs in which units fire at others that move, for pictures; by default the rules have none."""
        return ()

    @cached_property
    def action_rules(self) -> Mapping[str, ActionRule]:
        """The actions by name, checked to be those of the vocabulary."""
        named = {form.name for form in self.vocabulary.actions}
        if named != set(self.actions):
            odd = sorted(named ^ set(self.actions))
            raise FaultyRule(f"{self.name}: the vocabulary and the actions differ in {', '.join(odd)}")
        return self.actions


def ruleset_of(setting: Setting[OptionsT]) -> Ruleset[OptionsT, Any]:
    """Return the ruleset of a setting for play: one that can judge and compute, not only declare its vocabulary."""
    if not isinstance(setting.ruleset, Ruleset):
        raise FaultyRule(f"{setting.ruleset.name} is not a Ruleset: it can be inspected, but not played")
    return setting.ruleset


def ruleset_given(ruleset: Ruleset[OptionsT, Any]) -> Ruleset[OptionsT, Any]:
    """Return a ruleset that a program hands in; raise BrokenRuleset for its name, its class or anything else."""
    given: Any = ruleset
    if isinstance(given, type) and issubclass(given, Ruleset):
        raise BrokenRuleset(f"{given.__name__} is a class: make a ruleset of it, {given.__name__}()")
    if not isinstance(given, Ruleset):
        hint = f": shelf()[{given!r}] is one by its name" if isinstance(given, str) else ""
        raise BrokenRuleset(f"{shortened(given)} is not a Ruleset{hint}")
    return ruleset


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
    if faults := list(form_faults(ruleset_given(ruleset))):
        kind = type(ruleset)
        raise BrokenRuleset("\n  ".join([f"{kind.__name__} of {kind.__module__} is not filled in correctly", *faults]))
    return ruleset


def import_whole(ruleset: Ruleset[Any, Any]) -> None:
    """Import every module of a rulebook that is a package of its own: all its functions then are known by clause.

    Most modules come with the rulebook, others are imported only when a question needs them.
    """
    package = sys.modules.get(sys.modules[type(ruleset).__module__].__package__ or "")
    if getattr(package, "RULESET", None) is ruleset:
        assert package is not None
        for module in walk_packages(package.__path__, f"{package.__name__}."):
            import_module(module.name)


def _cause_of(error: Exception, module: str) -> str:
    """Return what an error says, its kind if the message alone does not show it, and the line that caused it."""
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
    """Rulesets by name, each loaded at its first use: `Shelf({"chess": "my_games.chess:RULESET"})`."""

    def __init__(self, where: Mapping[str, str], group: str | None = None) -> None:
        """Fill the shelf; with a `group`, installed packages may add to it by entry points."""
        self._own, self._group = dict(where), group
        self._loaded: dict[str, Ruleset[Any, Any]] = {}
        self._added: set[str] = set()

    @cached_property
    def _where(self) -> Mapping[str, str]:
        """All rulesets. Those of other packages are looked for when they are needed: that takes longer than a query."""
        from importlib.metadata import entry_points

        where = dict(self._own)
        points = () if self._group is None else entry_points(group=self._group)
        for point in sorted(points, key=lambda point: point.name):
            where.setdefault(point.name, point.value)
        return where

    def __getitem__(self, name: str) -> Ruleset[Any, Any]:
        if name not in self._own and name not in self._where:
            raise UnknownRuleset(f"there is no ruleset {name!r}; {did_you_mean(name, self._where)}")
        if name not in self._loaded:
            self._loaded[name] = self._load(name, self._own.get(name) or self._where[name])
        return self._loaded[name]

    def add(self, file: str | Path) -> Ruleset[Any, Any]:
        """Put the `RULESET` of a Python file on the shelf; that file can import those beside it.

        The name of a rulebook that comes along cannot be taken; of two files with one name, the later one counts.
        """
        path = Path(file).resolve()
        broken = f"the rulebook {file} cannot be loaded"
        if not path.is_file():
            raise BrokenRuleset(f"{broken}: there is no such file")
        module = f"_rulebook_of_{re.sub(r'[^A-Za-z0-9_]', '_', path.stem)}"
        spec = spec_from_file_location(module, path, loader=SourceFileLoader(module, str(path)))
        if spec is None or spec.loader is None:
            raise BrokenRuleset(f"{broken}: it is not a Python file")
        if str(path.parent) not in sys.path:
            sys.path.append(str(path.parent))
        loaded = module_from_spec(spec)
        sys.modules[module] = loaded
        try:
            spec.loader.exec_module(loaded)
            if not hasattr(loaded, "RULESET"):
                raise BrokenRuleset("it defines no RULESET")
            ruleset = filled_in(loaded.RULESET)
        except BrokenRuleset as error:
            raise BrokenRuleset(f"{broken}: {error}") from error
        except Exception as error:  # whatever the file does when it is imported
            raise BrokenRuleset(f"{broken}: {_cause_of(error, module)}") from error
        if ruleset.name in self._own and ruleset.name not in self._added:
            raise BrokenRuleset(f"{broken}: {ruleset.name!r} is the name of a rulebook that comes along")
        self._added.add(ruleset.name)
        self._own[ruleset.name] = f"{module}:RULESET"
        self._loaded[ruleset.name] = ruleset
        self.__dict__.pop("_where", None)
        return ruleset

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
        """The rulesets that have been loaded."""
        return dict(self._loaded)

    def __iter__(self) -> Iterator[str]:
        return iter(self._where)

    def __len__(self) -> int:
        return len(self._where)


class BrokenRuleset(TableError):
    """A ruleset that cannot be loaded, or cannot be played because its form is not filled in correctly."""

    exit_code = 3


class UnknownRuleset(TableError, KeyError):
    """A name that is on no shelf."""

    exit_code = 2

    def __str__(self) -> str:
        # KeyError would show the message in quotes.
        return str(self.args[0])
