"""Playing a scenario: order by order, turn by turn, with its log and an observer."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from simulator.engine.actions import Happened
from simulator.engine.answers import Answerer, InTurn, Occasion
from simulator.engine.errors import Diverged, IllegalOrder, LogRefused, MissingAnswer
from simulator.engine.log import Header, Log, LogWriter, entries, read_log
from simulator.engine.orders import Order
from simulator.engine.playthrough import BEGIN
from simulator.engine.questions import Roll
from simulator.engine.values import write_plain
from simulator.errors import SimulatorError
from simulator.formats.accounts import Account, Check, Played
from simulator.formats.boards import board_text
from simulator.formats.expectations import (
    Look,
    checks,
    event_checks,
    first_line,
    price_check,
    question_checks,
    reasons_text,
    refusal_met,
    refusal_text,
)
from simulator.formats.scenario_answers import GivenAnswers, LoggedAnswers, OnlyAnswer
from simulator.formats.so_far import SoFar
from simulator.writing import Target

if TYPE_CHECKING:
    from simulator.formats.scenario import Scenario, ScenarioStep

#: The order that ends a turn in which others could still act.
ALL_DONE = "all done"


class Play:
    """One run of a scenario."""

    def __init__(
        self,
        scenario: Scenario,
        log: Target | None = None,
        resume: bool = False,
        person: Answerer | None = None,
        watch: Callable[[Played], None] | None = None,
    ) -> None:
        self.scenario = scenario
        self.person = person
        self.watch = watch
        self.game = scenario.set_up()
        self.dropped = ""
        self._so_far = SoFar()
        self._log = log
        self._resume = resume and log is not None
        # Answers of a log or of the file itself come before those of a person; the dice and the defaults come last.
        self._written = InTurn([scenario.rules()])
        self._usual = scenario.answerer()

    def account(self) -> Account:
        """Play the scenario and return its account."""
        if self._log is None:
            return self._account()
        with self._writer(self._log) as writer:
            self.game.log = writer
            account = self._account()
            if isinstance(writer, _Resuming) and writer.left:
                raise LogRefused([f"it continues with '{writer.left[0].given}', but the scenario does not"])
            return account

    def _account(self) -> Account:
        played = tuple(self._played())
        final = tuple(self._final_checks())
        return Account(self.scenario, played, final, self.game, self.dropped)

    # --- the log ---

    def _writer(self, path: Target) -> LogWriter | _Resuming:
        board = board_text(self.scenario.setting.board)
        header = Header.of(self.scenario.setting, self.game.state, self.scenario.dice.seed, board)
        if not self._resume:
            return LogWriter.create(path, header)
        if isinstance(path, int):
            raise LogRefused(["it is standard output, which cannot be read back"])
        log = read_log(os.fspath(path))
        reasons = log.header.refusals(self.scenario.setting)
        if log.header.start != header.start:
            reasons.append("its opening position differs")
        if log.header.seed != header.seed:
            reasons.append(f"its seed is {log.header.seed}, not {header.seed}")
        if reasons:
            raise LogRefused(reasons)
        self.dropped = log.dropped
        answered = [
            (entry["question"]["ask"], answer)
            for order in log.orders
            for entry, answer in zip((line for line in order.entries if "question" in line), order.answers, strict=True)
        ]
        rolls = tuple(answer for kind, answer in answered if kind == Roll.kind)
        choices = tuple(answer for kind, answer in answered if kind != Roll.kind)
        logged = LoggedAnswers(rolls, choices)
        self._written, self._usual = InTurn([logged, self._written]), InTurn([logged, self._usual])
        return _Resuming(log)

    def _show(self, played: Played) -> None:
        if self.watch is not None:
            self.watch(played)

    # --- orders ---

    def _played(self) -> Iterator[Played]:
        begun = self._unsaid(BEGIN, self.game.write(BEGIN))
        yield begun
        if begun.error is not None:
            return
        for number, steps in enumerate(self.scenario.turns, 1):
            for unsaid in self._turn_up_to(number):
                yield unsaid
                if unsaid.error is not None:
                    return
            for step in steps:
                yield self._step(step, number)

    def _turn_up_to(self, number: int) -> Iterator[Played]:
        """End the goes of all units that have not acted, up to the next turn of the scenario."""
        while self.game.state.clock.turn < number and not self.game.state.clock.over:
            yield self._unsaid(ALL_DONE, ALL_DONE)

    def _do(self, order: str | Order, text: str, step: ScenarioStep | None = None) -> Played:
        """Play an order; after an error the table is unchanged."""
        line = 0 if step is None else self.scenario.line_of(step.path)
        played = Played(self.game.state.clock, text, line, unsaid=step is None)
        answers = None if step is None else GivenAnswers.of(step.answers)
        try:
            happened = self._with_person(order, answers, played)
            self._so_far.add(happened)
            return replace(played, happened=happened)
        except (LogRefused, Diverged):
            raise
        except SimulatorError as error:
            if error.exit_code != 1:
                raise
            if self.game.question is not None:
                self.game.undo()
            return replace(played, error=error)

    def _unsaid(self, order: str | Order, text: str) -> Played:
        """Play an order that the scenario leaves out but that must come before the next one."""
        played = self._do(order, text)
        if played.error is not None:
            played = replace(played, checks=(Check(f"'{text}'", "done", first_line(played.error), False),))
        self._show(played)
        return played

    def _with_person(self, order: str | Order, answers: GivenAnswers | None, played: Played) -> Happened:
        """Play an order to its end. A person is asked each question after the events that led to it are shown."""
        self.game.answers = self._usual if self.person is None else None
        happened = self.game.do(order, answers)
        while happened.question is not None:
            question, number = happened.question, len(happened.answered)
            moment = Occasion(self.game.table, tuple(entry.question for entry in happened.answered))
            answer = self._written.answer(question, moment)
            if answer is None and self.person is not None:
                self._show(replace(played, happened=happened))
                answer = self.person.answer(question, moment)
            answer = answer or self._usual.answer(question, moment)
            if answer is None:
                raise MissingAnswer(f"nobody answers: {question}; add answers to the order, or dice to the scenario")
            self.game.answers = OnlyAnswer(number, answer)
            happened = self.game.go_on()
        return happened

    def _step(self, step: ScenarioStep, turn: int) -> Played:
        if not step.order:
            found = tuple(checks(step.expect, (*step.path, "expect"), self._look()))
            played = Played(self.game.state.clock, "", self.scenario.line_of(step.path), checks=found)
        else:
            late = tuple(self._late(step, turn))
            played = self._do(step.order, step.order, step)
            played = replace(played, checks=(*late, *self._order_checks(step, played)))
        self._show(played)
        return played

    def _late(self, step: ScenarioStep, turn: int) -> Iterator[Check]:
        """Yield a failed check if an order is played in a later turn than the one it is listed under."""
        clock = self.game.state.clock
        if clock.turn != turn and not clock.over:
            message = f"turn {clock.turn}: the orders before it have used up turn {turn}"
            yield self._look().check(step.path, f"'{step.order}'", f"played in turn {turn}", message, False)

    # --- checks ---

    def _look(self) -> Look:
        left = max(0, len(self.scenario.dice.results) - self.game.state.rolls)
        return Look(self.game, self.scenario.line_of, self._so_far, left)

    def _order_checks(self, step: ScenarioStep, played: Played) -> Iterator[Check]:
        look = self._look()
        yield from self._verdict(step, played, look)
        if played.happened is not None:
            if step.cost is not None:
                yield price_check(look, (*step.path, "cost"), step.cost, played.happened.ledger)
            yield from event_checks(step.events, played.happened.events, (*step.path, "events"), look)
            yield from question_checks(step.asked, played.happened.answered, (*step.path, "asked"), look)
        yield from checks(step.expect, (*step.path, "expect"), look)

    @staticmethod
    def _verdict(step: ScenarioStep, played: Played, look: Look) -> Iterator[Check]:
        """Yield checks of whether the order was carried out; an order without such an expectation yields none."""
        what = f"'{step.order}'"
        error = played.error
        reasons = error.breaches if isinstance(error, IllegalOrder) else ()
        verdict = "done" if error is None else reasons_text(reasons) if reasons else first_line(error)
        if step.refused is not None:
            met = bool(reasons) and refusal_met(step.refused, reasons)
            yield look.check((*step.path, "refused"), what, refusal_text(step.refused), verdict, met)
        elif error is not None:
            yield look.check(step.path, what, "done", verdict, False)

    def _final_checks(self) -> Iterator[Check]:
        look, expected = self._look(), self.scenario.expect
        yield from checks(expected, ("expect",), look)
        # Results that nobody rolled are a mistake in the scenario, unless it states how many are left.
        if look.dice_left and expected.dice_left is None:
            yield look.check(("dice", "results"), "dice left over", "0", str(look.dice_left), False)


class _Resuming:
    """Compares orders with those already in a log, and appends the later ones."""

    def __init__(self, log: Log) -> None:
        self.left = list(log.orders)
        self._writer = LogWriter.resume(log)

    def order(self, happened: Happened, text: str, written: str) -> None:
        """Compare an order with the next one in the log, or append it at the end of the log."""
        if not self.left:
            self._writer.order(happened, text, written)
            return
        logged = self.left.pop(0)
        new = list(entries(happened, text, written))
        old = [{"order": logged.text, **({} if logged.given == logged.text else {"given": logged.given})}]
        old += [*logged.entries, {"done": logged.hash}]
        for number, (one, other) in enumerate(zip(old, new, strict=False)):
            if one != other:
                raise Diverged(logged.line + number, write_plain(one), write_plain(other), "of the run to resume")

    def undone(self, text: str) -> None:
        """Record that the last order was undone."""
        self._writer.undone(text)

    def close(self) -> None:
        """Close the file."""
        self._writer.close()

    def __enter__(self) -> _Resuming:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()
