"""A game in progress: orders and answers in, events and prices out, with undo and branches.

A question that nobody answers leaves the game in the middle of an order: its state is the old one plus the answers so
far and the open question. Such a state can be saved, branched and taken back like any other.

`game` adds further queries.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Protocol, Self

from simulator.engine.actions import Happened, Run
from simulator.engine.answers import Answer, Answerer, InTurn, Occasion, Script, answerer_given
from simulator.engine.board_words import Unread
from simulator.engine.carrying import carrier_faults
from simulator.engine.errors import Breach, FaultyRule, IllegalOrder, TableError
from simulator.engine.events import Event
from simulator.engine.facing import facing_fault
from simulator.engine.given import order_given
from simulator.engine.ledger import Ledger
from simulator.engine.options import OptionsT
from simulator.engine.orders import Order
from simulator.engine.questions import Question
from simulator.engine.reach import ReachAnswer
from simulator.engine.reach_questions import read_question
from simulator.engine.reading import checked, read_order, write_order
from simulator.engine.ruleset import Ruleset, reasons_against, register_order, ruleset_given, ruleset_of
from simulator.engine.state import State, Unit
from simulator.engine.table import Setting, Table
from simulator.engine.unread import unread_words
from simulator.errors import WrongValue, listed
from simulator.geometry.board import Board

#: The first order of every game.
BEGIN = Order("all", "begin")


class Recorder(Protocol):
    """A recorder of what happens, such as `log.LogWriter`."""

    def order(self, happened: Happened, text: str, given: str) -> None:
        """Record a completed order."""

    def undone(self, text: str) -> None:
        """Record that the last order was taken back."""


@dataclass(frozen=True, slots=True)
class _Past:
    """One entry of the history: the state before, what happened, and the entry before it."""

    before: State
    happened: Happened
    earlier: _Past | None


class Playthrough(Generic[OptionsT]):
    """A game in progress. `state` determines it completely; everything else follows from it."""

    def __init__(
        self,
        setting: Setting[OptionsT],
        state: State,
        answers: Answerer | None = None,
        log: Recorder | None = None,
    ) -> None:
        self.setting = setting
        self.state = state
        self.answers = answers
        self.log = log
        self._past: _Past | None = None
        # The current order as a live generator: only a shortcut, since the state can restore it.
        self._run: Run | None = None

    @classmethod
    def new(
        cls,
        ruleset: Ruleset[OptionsT, Any],
        board: Board[Any],
        units: Iterable[Unit] = (),
        *,
        options: Mapping[str, Any] | OptionsT | None = None,
        tables: Mapping[str, Any] | None = None,
        data: Mapping[str, Any] | None = None,
        scenery: Iterable[str] = (),
        answers: Answerer | None = None,
        begin: bool = True,
    ) -> Self:
        """Set up a table and begin: the clock advances to its first turn. `faults` lists the table's faults."""
        setting = Setting.of(ruleset_given(ruleset), board, options, tables, scenery)
        opening = setting.opening(units, {} if data is None else data)
        for fault in setting.ruleset.data_faults(Table(setting, opening)):
            raise WrongValue(f"data: {fault}")
        game = cls(setting, opening, answerer_given(answers))
        if begin:
            game.do(BEGIN)
        return game

    # --- inspection ---

    @property
    def ruleset(self) -> Ruleset[OptionsT, Any]:
        """The ruleset."""
        return ruleset_of(self.setting)

    @property
    def board(self) -> Board[Any]:
        """The board."""
        return self.setting.board

    @property
    def faults(self) -> tuple[Breach, ...]:
        """The faults of the table: words of the board that no rule reads, units in forbidden positions."""
        unread = (one for one in self.unread if one.is_fault)
        notes = (Breach(one.clause, one.message, blocker=one.word.piece) for one in unread)
        table = self.table
        position = tuple(self.ruleset.faults(table))
        return (*notes, *position, *carrier_faults(table.state, position), *self._facing_faults())

    def _facing_faults(self) -> Iterator[Breach]:
        for unit in self.table.state:
            if fault := facing_fault(self.ruleset, self.setting.vocabulary, self.board, unit):
                yield Breach("", f"{unit.id}: heading {fault}", blocker=unit.id)

    @cached_property
    def unread(self) -> tuple[Unread, ...]:
        """The words of the board that the rulebook does not read, scenery left out."""
        return tuple(unread_words(self.setting))

    @property
    def question(self) -> Question | None:
        """The open question, if an order is paused."""
        return self.state.pending.question if self.state.pending else None

    @property
    def table(self) -> Table[OptionsT]:
        """The current table: in the middle of an order, with everything that has happened in it so far."""
        run = self._live() if self.state.pending else None
        return Table(self.setting, run.table.state if run else self.state)

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.ruleset.name} on {self.board!r}: {self.state.clock}>"

    @property
    def happened(self) -> Happened | None:
        """The result of the last order, or of the current one so far."""
        return self._past.happened if self._past else None

    @property
    def history(self) -> tuple[Happened, ...]:
        """The result of every order, first to last; of a paused order, the result so far."""
        found: list[Happened] = []
        past = self._past
        while past is not None:
            # An order that was answered in steps is listed once, with its latest step.
            if not found or past.happened.question is None:
                found.append(past.happened)
            past = past.earlier
        return tuple(reversed(found))

    @property
    def opening(self) -> State:
        """The table before the first order that can be taken back."""
        found, past = self.state, self._past
        while past is not None:
            found, past = past.before, past.earlier
        return found

    @property
    def events(self) -> tuple[Event, ...]:
        """All events so far."""
        return tuple(event for happened in self.history for event in happened.events)

    @property
    def ledger(self) -> Ledger:
        """The price of the last order."""
        return self._past.happened.ledger if self._past else Ledger()

    def read(self, order: str | Order) -> Order:
        """Read an order, or check one that was built by hand; raise UnreadableOrder."""
        vocabulary, units = self.setting.vocabulary, self.state.units
        return checked(order, vocabulary, units) if isinstance(order, Order) else read_order(order, vocabulary, units)

    def write(self, order: Order) -> str:
        """Return an order as text."""
        return write_order(order_given(order), self.setting.vocabulary)

    def breaches(self, order: str | Order) -> list[Breach]:
        """Return every reason why an order is forbidden now, in the order of the register; none if it is legal."""
        return self._breaches(self.planned(self.read(order)))

    def ready_table(self, unit: str) -> Table[OptionsT]:
        """Return the table as if a unit's go had begun, even if it is not its turn."""
        table = Table(self.setting, self.state)
        table.play(self.ruleset.clock.ready(table, self.state.unit(unit).id), "when a go begins")
        return table

    def reach(self, unit: str, action: str = "", **question: Any) -> ReachAnswer:
        """Compute where a unit can legally end with an action; `ruleset.asks` lists further arguments.

        Without an action it is the first of `ruleset.reaches` that has an answer for this unit; with further arguments,
        the first that takes them. Raise WrongQuestion for an unknown action or argument, and the error of the ruleset
        if it has no answer.
        """
        refused = self._no_reach(self.state.unit(unit))
        if refused is not None:
            raise refused
        actions, values = read_question(self.ruleset, action, question, self.state.units)
        answer = self._first_answer(self.ready_table(unit), unit, actions, values)
        if isinstance(answer, TableError):
            raise answer
        return answer

    def _first_answer(
        self, table: Table[OptionsT], unit: str, actions: Iterable[str], question: Mapping[str, Any]
    ) -> ReachAnswer | TableError:
        """Return the answer for the first action that has one; else the error for the first action."""
        refused: list[TableError] = []
        for action in actions:
            try:
                answer: ReachAnswer = self.ruleset.reach(table, table.unit(unit), action, **question)
            except TableError as error:
                refused.append(error)
            else:
                return answer
        return refused[0]

    def reach_many(
        self, units: Iterable[str] | None = None, action: str = "", **question: Any
    ) -> Iterator[tuple[str, ReachAnswer | TableError]]:
        """Compute where many units can end, one after the other: `dict(game.reach_many())` has an answer for each.

        Without `units` these are all units on the table. A unit without an answer has the error in its place. Arguments
        are those of `reach`; wrong ones raise the same errors immediately.
        """
        if units is None:
            units = [unit.id for unit in self.state if unit.place is not None]
        names = {name: self.state.unit(name) for name in listed("units", units, "id")}
        refused = {name: error for name, unit in names.items() if (error := self._no_reach(unit)) is not None}
        if len(refused) == len(names):
            return iter(refused.items())
        actions, values = read_question(self.ruleset, action, question, self.state.units)
        return self._answers_of_many(list(names), refused, actions, values)

    def _answers_of_many(
        self,
        names: Sequence[str],
        refused: Mapping[str, TableError],
        actions: Sequence[str],
        values: Mapping[str, Any],
    ) -> Iterator[tuple[str, ReachAnswer | TableError]]:
        tables = {name: self.ready_table(name) for name in names if name not in refused}
        ready = [(table, table.unit(name)) for name, table in tables.items()]
        answers = iter(self.ruleset.reach_many(ready, actions[0], **values))
        for name in names:
            answer = refused[name] if name in refused else next(answers)
            if isinstance(answer, TableError) and name not in refused and actions[1:]:
                found = self._first_answer(tables[name], name, actions[1:], values)
                answer = answer if isinstance(found, TableError) else found
            yield name, answer

    def _no_reach(self, unit: Unit) -> TableError | None:
        """Return why a unit cannot go anywhere with any action; None if it can."""
        if not self.state.clock.turn:
            return TableError("the game has not begun, so no unit can go anywhere: order 'all begin' first")
        # A unit that is carried or waits beside the table may still be able to go somewhere, if the clock lets it act.
        if unit.place is None and not self.ruleset.clock.can_act(Table(self.setting, self.state), unit):
            return TableError(f"{unit.id} is not on the table")
        return None

    # --- orders and answers ---

    def do(self, order: str | Order, answers: Iterable[Any] | Answerer | None = None) -> Happened:
        """Play an order. These answers come first, in turn; a list of them has to be used up.

        Raise UnreadableOrder or IllegalOrder, and then nothing has changed. If nobody answers a question, the game
        stops in the middle of the order with the question open.
        """
        if self.state.pending is not None:
            raise TableError(f"a question is open: {self.state.pending.question}")
        read = self.read(order)
        order = self.planned(read)
        if breaches := self._breaches(order):
            raise IllegalOrder(self.write(read), breaches)
        return self._played(order, answers, read if read != order else None)

    def _played(
        self, order: Order, answers: Iterable[Any] | Answerer | None = None, given: Order | None = None
    ) -> Happened:
        """Play an order that is known to be legal."""
        run = Run(self.setting, self.state, order, given)
        if answers is None or isinstance(answers, Answerer):
            return self._carry_on(run, answers)
        script = tuple(listed("answers", answers, "answer"))
        return self._carry_on(run, Script(script, open_ended=True, name="list of answers"))

    def answer(self, *answers: Any) -> Happened:
        """Answer the open question and, with further answers, the questions that follow."""
        run = self._live()
        if not answers:
            raise TableError(f"an answer is required: {self.question}")
        skip = len(run.moment.asked)
        return self._carry_on(run, Script(answers, skip=skip, open_ended=True, name="list of answers"))

    def go_on(self) -> Happened:
        """Let the answerers of the game, after a change of them, answer the open question."""
        return self._carry_on(self._live(), None)

    def check_leftover(self) -> None:
        """Raise LeftoverAnswers if a script for the whole game has unused answers."""
        answerers = self.answers.answerers if isinstance(self.answers, InTurn) else (self.answers,)
        for answerer in answerers:
            if isinstance(answerer, Script) and answerer.for_game:
                answerer.check_leftover(Occasion(Table(self.setting, self.state)))

    def undo(self) -> Happened:
        """Take back the last answer or the last order, and return what was taken back."""
        past = self._past
        if past is None:
            raise TableError("there is nothing to take back")
        if self.log is not None and past.happened.question is None:
            self.log.undone(self.write(past.happened.order))
        self.state, self._past, self._run = past.before, past.earlier, None
        return past.happened

    def branch(self, answers: Answerer | None = None) -> Self:
        """Return a second game that continues independently from here. It is not written to the log."""
        twin = type(self)(self.setting, self.state, answerer_given(answers) or self.answers)
        twin._past = self._past
        return twin

    # --- execution ---

    def planned(self, order: Order) -> Order:
        """Return an order with its goal converted to elements, as it would be played now; raise IllegalOrder."""
        if order_given(order).goal is None:
            return order
        planned = self.ruleset.plan(self.ready_table(order.unit), order)
        if planned.goal is not None:
            raise FaultyRule(f"{self.ruleset.name}: the planner leaves the goal of an order unchanged")
        return checked(planned, self.setting.vocabulary, self.state.units)

    def _breaches(self, order: Order) -> list[Breach]:
        table = Table(self.setting, self.state)
        if self.ruleset.vocabulary.action(order.action).aside:
            found = reasons_against(self.ruleset, table, order)
            return sorted(found, key=lambda breach: register_order(breach.clause))
        found = list(self.ruleset.clock.breaches(table, order.unit, order.action))
        if order.action not in ("begin", "done") and self.state.clock.turn:
            found += reasons_against(self.ruleset, self.ready_table(order.unit), order)
        return sorted(found, key=lambda breach: register_order(breach.clause))

    def _live(self) -> Run:
        pending = self.state.pending
        if pending is None:
            raise TableError("no question is open")
        if self._run is None:
            past = self._past.happened if self._past else None
            if past is not None:
                answers = [entry.answer for entry in past.answered]
            else:
                # A table that was loaded in the middle of an order has the answers, but not who gave them.
                answers = [Answer(value) for value in pending.answers]
            self._run = Run.resumed(self.setting, self.state, pending, answers, past.given if past else None)
        return self._run

    def _carry_on(self, run: Run, first: Answerer | None) -> Happened:
        # The run is kept only once the order is done or stops at a question: an error must not leave the game
        # with a run that is ahead of its state.
        self._run = None
        who = InTurn([first, self.answers])
        while run.question is not None:
            answer = who.answer(run.question, run.moment)
            if answer is None:
                break
            run.send(answer)
        if isinstance(first, Script):
            first.check_leftover(run.moment)
        happened = run.happened()
        if run.question is not None:
            self._run = run
        elif self.log is not None:
            self.log.order(happened, self.write(happened.order), self.write(happened.given or happened.order))
        self._past = _Past(self.state, happened, self._past)
        self.state = happened.state
        return happened
