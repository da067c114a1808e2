"""Rules as generators, and the run of an order.

An action is a generator that yields events and questions. An event is applied immediately and sent back to the rule
with the running price; a question pauses the rule until its answer is sent. So a rule reads top to bottom like the
rulebook, `yield from` composes, and a reaction to a reaction is one more generator:

    def step(table, order):
        for enemy in threatening(table, order):
            if (yield React("intercept", who=enemy.id, options=("attack",), clause="GR-48")) == "attack":
                yield from attack(table, enemy, order.unit)
        yield Event("step", order.unit, [change_unit(order.unit, place=there)], "GR-26", there, [Line("a step")])

A rule reads `table`, which changes as its events are applied. With the same answers it must do the same again, so it
reads nothing else: no dice, no clock, no order of a set.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass, replace
from typing import Any

from simulator.engine.answers import Answer, Occasion
from simulator.engine.clauses import is_registered
from simulator.engine.declared import check_declared, undeclared_event
from simulator.engine.errors import FaultyRule
from simulator.engine.events import Event, applied
from simulator.engine.ledger import Ledger, added, sums_text
from simulator.engine.orders import Order
from simulator.engine.phrases import CLOCK_PHRASES
from simulator.engine.questions import Choose, Question, React, Roll
from simulator.engine.ruleset import Action, ruleset_of
from simulator.engine.state import CARRIER_WORDS, OF_EVERY_UNIT, Pending, State
from simulator.engine.table import Setting, Table
from simulator.engine.values import NO_FIELDS, Fields, Value
from simulator.wording import did_you_mean, measure, with_article

#: An order with more events than this is stuck in a loop.
MOST_EVENTS = 100_000
#: What an event can change of a unit besides the fields of its type.
_OF_ANY_UNIT = (*OF_EVERY_UNIT, *CARRIER_WORDS)


@dataclass(frozen=True, slots=True)
class Answered:
    """A question of an order, and its answer."""

    question: Question
    answer: Answer

    def __str__(self) -> str:
        return f"{self.question}: {self.question.says(self.answer.value)}"


@dataclass(frozen=True, slots=True)
class Happened:
    """The result of an order: its events and answers in sequence, and the table afterwards."""

    order: Order
    record: tuple[Event | Answered, ...]
    state: State
    #: The order as the player wrote it, if the planner completed it.
    given: Order | None = None

    @property
    def question(self) -> Question | None:
        """The open question, or None if the order is done."""
        return self.state.pending.question if self.state.pending else None

    @property
    def events(self) -> tuple[Event, ...]:
        """The events alone."""
        return tuple(entry for entry in self.record if isinstance(entry, Event))

    @property
    def answered(self) -> tuple[Answered, ...]:
        """The questions and answers alone."""
        return tuple(entry for entry in self.record if isinstance(entry, Answered))

    @property
    def ledger(self) -> Ledger:
        """Its price, line by line."""
        return Ledger(line for event in self.events for line in event.price)

    def __repr__(self) -> str:
        counts = [measure(len(self.events), "event"), measure(len(self.answered), "answer")]
        summary = ", ".join(filter(None, [*counts, sums_text(self.ledger.totals)]))
        return f"<Happened {self.order.unit} {self.order.action}: {summary}>"


def passes(roll: Roll) -> Generator[Question, Any, bool]:
    """Ask for a roll and return whether it passes: `if (yield from passes(Roll(...)))`."""
    return roll.passes((yield roll))


def whole_order(table: Table[Any], order: Order) -> Action:
    """Play an order in full: begin the go, perform the action, advance the clock."""
    ruleset = ruleset_of(table.setting)
    clock = ruleset.clock
    if order.action == "begin":
        yield from clock.begin(table)
    elif order.action == "done":
        yield from clock.done(table, order.unit)
    else:
        if not ruleset.vocabulary.action(order.action).aside:
            yield from clock.ready(table, order.unit)
        action: Any = ruleset.action_rules[order.action](table, order)
        if not isinstance(action, Generator):
            message = f"the action {order.action} is not a generator: it yields events and questions, and returned"
            raise FaultyRule(f"{ruleset.name}: {message} {action!r}")
        yield from action
        yield from clock.after(table)


def _of_the_clock(event: Event) -> bool:
    """Whether an event sets the clock: it cites the clause of a phase, which needs no rule."""
    return any(change.verb == "clock" for change in event.changes)


def _unknown_field(table: Table[Any], event: Event) -> str:
    """Report a field that an event sets on a unit and that its type does not declare; "" if there is none."""
    for verb, name, values in event.changes:
        if verb != "unit" or name not in table.state.units:
            continue
        kind = table.setting.ruleset.unit_types.get(values.get("type", table.unit(name).type))
        if kind is None:
            continue
        for field in values:
            if field not in kind.fields and field not in _OF_ANY_UNIT:
                return f"{with_article(kind.name)} has no field {field!r}; {did_you_mean(field, kind.fields)}"
    return ""


class Run:
    """One order being played, on a copy of the table; the state it started from does not change."""

    def __init__(self, setting: Setting[Any], state: State, order: Order, given: Order | None = None) -> None:
        self.order, self.given = order, given
        self.start = state.put(pending=None) if state.pending else state
        self.table = Table(setting, self.start)
        self.record: list[Event | Answered] = []
        self.question: Question | None = None
        self.finished = False
        self._questions: tuple[Question, ...] = ()
        self._answers: tuple[Value, ...] = ()
        self._spent: Fields = NO_FIELDS
        self._rule = whole_order(self.table, order)
        self._go_on(None)

    @classmethod
    def resumed(
        cls,
        setting: Setting[Any],
        state: State,
        pending: Pending,
        answers: Iterable[Answer],
        given: Order | None = None,
    ) -> Run:
        """Play an order again up to its open question."""
        run = cls(setting, state, pending.order, given)
        for number, answer in enumerate(answers):
            if run.question is None:
                raise FaultyRule(f"the order asks no question {number + 1} when it is played again")
            run.send(answer)
        if run.question != pending.question:
            raise FaultyRule(f"played again, the order asks '{run.question}' in place of '{pending.question}'")
        return run

    @property
    def moment(self) -> Occasion:
        """The moment of the open question, or of the end of the order."""
        return Occasion(self.table, self._questions)

    @property
    def rule(self) -> Action:
        """The current rule, paused at the open question."""
        return self._rule

    @property
    def spent(self) -> Fields:
        """The cost of the order so far, in each currency."""
        return self._spent

    @property
    def only_passing_matters(self) -> bool:
        """Whether the open question is a roll made by `passes`: its result is used for nothing else."""
        innermost: Any = self._rule
        while getattr(innermost, "gi_yieldfrom", None) is not None:
            innermost = innermost.gi_yieldfrom
        return getattr(innermost, "gi_code", None) is passes.__code__

    def send(self, answer: Answer) -> None:
        """Answer the open question; a wrong answer raises WrongAnswer and the question stays open."""
        question = self.question
        if question is None:
            raise FaultyRule("no question is open")
        value = question.check(answer.value)
        self.record.append(Answered(question, replace(answer, value=value)))
        self._questions += (question,)
        self._answers += (value,)
        self._go_on(value)

    def happened(self) -> Happened:
        """Return the result so far. Until the order is done, the state is the old one with the open question."""
        if self.question is not None:
            state = self.start.put(pending=Pending(self.order, self.question, self._answers))
        else:
            moment = self.moment
            state = self.table.state.put(rolls=moment.rolls, choices=moment.choices)
        return Happened(self.order, tuple(self.record), state, self.given)

    def _go_on(self, sent: Any) -> None:
        self.question = None
        try:
            while True:
                yielded = self._rule.send(sent)
                if isinstance(yielded, Event):
                    sent = self._applied(yielded)
                elif isinstance(yielded, (Roll, Choose, React)):
                    self.question = self._asked(yielded)
                    return
                else:
                    raise FaultyRule(f"a rule yields events and questions, not {yielded!r}")
        except StopIteration:
            self.finished = True

    def _asked(self, question: Question) -> Question:
        """Return a question that the rulebook declares; any other is a fault, raised where the rule asks it."""
        try:
            check_declared(self.table.setting.ruleset, question)
        except FaultyRule as fault:
            self._rule.throw(fault)
            raise  # the rule caught its own fault
        return question

    def _applied(self, event: Event) -> Event:
        """Apply an event and return it; a fault of the rule is raised where the rule yields the event."""
        try:
            return self._apply(event)
        except FaultyRule as fault:
            self._rule.throw(fault)
            raise  # the rule caught its own fault

    def _apply(self, event: Event) -> Event:
        if event.clause and not is_registered(event.clause) and not _of_the_clock(event):
            message = f"no rule is tied to {event.clause} by @clause, and it is not marked"
            raise FaultyRule(f"{self.table.setting.ruleset.name}: the event '{event}' cites no clause of it: {message}")
        if unknown := _unknown_field(self.table, event):
            raise FaultyRule(f"the event '{event}' cannot be applied: {unknown}")
        if unknown := undeclared_event(self.table.setting.ruleset, event.kind):
            raise FaultyRule(f"the event '{event}': {unknown}")
        self._spent = added(self._spent, event.price)
        phrase = self.table.setting.ruleset.phrases.get(event.kind) or CLOCK_PHRASES.get(event.kind, "")
        event = event.counted(self._spent, phrase)
        self.table.state = applied(self.table.state, event)
        self.record.append(event)
        if len(self.record) > MOST_EVENTS:
            raise FaultyRule(f"more than {MOST_EVENTS} events in one order: {self.order.unit} {self.order.action}")
        return event
