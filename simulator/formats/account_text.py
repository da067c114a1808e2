"""An account as text for people and as one JSON document. Both are the same on every machine: no paths, no times."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.engine.actions import Answered, Happened
from simulator.engine.answers import Answer
from simulator.engine.errors import IllegalOrder
from simulator.engine.events import Event
from simulator.engine.ledger import sums_text
from simulator.engine.orders import Vocabulary
from simulator.engine.questions import Roll
from simulator.engine.reach import reason_fields
from simulator.engine.reading import write_element
from simulator.engine.values import read_plain, show, to_plain
from simulator.formats.accounts import Account, Check, Played
from simulator.formats.expectations import first_line
from simulator.formats.game_data import cost_data, entry_data
from simulator.formats.query_data import board_data
from simulator.wording import visible as visible

#: The most options printed with a question; a direction may have hundreds.
_OPTIONS_TOLD = 8


def account_text(account: Account) -> str:
    """Return each order with its events, questions and answers, then the expectations of the end."""
    lines = [*heading_lines(account), ""]
    moment = ""
    for played in account.played:
        if moment_line(played) != moment:
            moment = moment_line(played)
            lines.append(moment)
        lines += played_lines(played, account.scenario.setting.ruleset.vocabulary)
    lines += ["", *summary_lines(account)]
    return "\n".join(visible(line).rstrip() for line in lines) + "\n"


def heading_lines(account: Account, *, fingerprints: bool = True) -> list[str]:
    """Describe the game: its rules, its board with or without its fingerprint, and the options and figures changed."""
    scenario, setting = account.scenario, account.scenario.setting
    title = scenario.name or "A scenario"
    board = setting.board.name or "a board"
    mark = f" ({setting.board.content_hash})" if fingerprints else ""
    lines = [title, f"{setting.ruleset.title or setting.ruleset.name} on {board}{mark}"]
    if setting.options.changed:
        lines.append(f"options {show(setting.options.changed)}")
    if setting.tables.overrides:
        lines.append(f"figures {show(setting.tables.overrides)}")
    if scenario.dice.seed is not None:
        lines.append(f"dice of seed {scenario.dice.seed}")
    return lines


def moment_line(played: Played) -> str:
    """Return the turn and phase of an order."""
    clock = played.clock
    if clock.phase is None:
        return "before the beginning"
    return f"turn {clock.turn}, {clock.phase.name.replace('_', ' ')}" + (", over" if clock.over else "")


def played_lines(played: Played, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield one order, or one look at the table."""
    if played.order:
        yield order_line(played)
    if played.error is not None:
        reasons = played.error.breaches if isinstance(played.error, IllegalOrder) else ()
        yield from (f"    {reason}" for reason in reasons)
        if not reasons:
            yield from (f"    {line}" for line in str(played.error).splitlines())
    if played.happened is not None:
        yield from (f"    {line}" for line in record_lines(played.happened, vocabulary))
    yield from (f"    {check_line(check)}" for check in played.checks)


def order_line(played: Played) -> str:
    """Return an order with its price, or the note that it was not carried out."""
    if played.error is not None:
        refused = isinstance(played.error, IllegalOrder)
        return f"  {played.order}  -- {'refused' if refused else 'not done'}"
    totals = played.happened.ledger.totals if played.happened is not None else {}
    price = sums_text(totals)
    return f"  {played.order}" + (f"  -- {price}" if price else "")


def record_lines(happened: Happened, vocabulary: Vocabulary, after: int = 0) -> Iterator[str]:
    """Yield the events of an order, and its questions with odds and answers, from an index on."""
    if happened.given is not None and not after:
        yield "planned: " + ", ".join(write_element(element, vocabulary) for element in happened.order.elements)
    for entry in happened.record[after:]:
        yield _event_line(entry) if isinstance(entry, Event) else _answer_line(entry)


def _event_line(event: Event) -> str:
    return f"{event}" + (f"  -- {sums_text(event.spent)} so far" if event.price else "")


def _answer_line(entry: Answered) -> str:
    question, answer = entry.question, entry.answer
    odds = ""
    if isinstance(question, Roll):
        odds = f" {_odds_line(question, answer)}:"
        return f"? {question}:{odds} {question.says(answer.value)}  -- {answer.by}"
    shown = [show(option) for option in question.options[:_OPTIONS_TOLD]]
    left = len(question.options) - len(shown)
    options = " or ".join(shown) + (f" or one of {left} more" if left else "")
    return f"? {question}: {options}? {question.says(answer.value)}  -- {answer.by}"


def _odds_line(roll: Roll, answer: Answer) -> str:
    """Return the result of a roll and its chance; for a roll without dice or target, all possible results."""
    dice = roll.dice
    if not dice:
        dice = " or ".join(f"{show(result)} {chance}" for result, chance in roll.chances.items())
    faces = f" [{' '.join(map(str, answer.faces))}]" if answer.faces else ""
    chance = "" if roll.target is None else f", chance {roll.chance} ({float(roll.chance):.1%})"
    return f"{dice}{faces}{chance}"


def check_line(check: Check) -> str:
    """Return an expectation, met or not."""
    return f"ok    {check}" if check.met else f"FAIL  {check}" + (f" (line {check.line})" if check.line else "")


def summary_lines(account: Account) -> Iterator[str]:
    """Yield the expectations of the end, and the summary."""
    if account.final:
        yield "expected at the end"
        yield from (f"  {check_line(check)}" for check in account.final)
    met, count = len(account.checks) - len(account.failures), len(account.checks)
    yield verdict(met, count)
    yield f"the table at the end: {account.game.state.clock}, {account.game.state.hash}"


def verdict(met: int, count: int) -> str:
    """Describe how many expectations were met.

    >>> verdict(2, 3), verdict(0, 0)
    ('2 of 3 expectations met, 1 not', 'nothing was expected')
    """
    if not count:
        return "nothing was expected"
    return f"{met} of {count} expectations met" + (f", {count - met} not" if met < count else "")


# --- as data ---


def account_data(account: Account) -> dict[str, Any]:
    """Return an account as plain data for JSON."""
    scenario, setting = account.scenario, account.scenario.setting
    state = account.game.state
    return {
        "scenario": scenario.name,
        "ruleset": setting.ruleset.name,
        "board": board_data(setting.board),
        "options": to_plain(setting.options.fields),
        "tables": to_plain(setting.tables.overrides),
        "seed": scenario.dice.seed,
        "ok": account.ok,
        "orders": [_played_data(played) for played in account.played],
        "expected": [_check_data(check) for check in account.final],
        "state": read_plain(state.text),
        "hash": state.hash,
    }


def _played_data(played: Played) -> dict[str, Any]:
    data: dict[str, Any] = {
        "turn": played.clock.turn,
        "order": played.order,
        "line": played.line,
        "unsaid": played.unsaid,
        "done": played.happened is not None,
    }
    if played.error is not None:
        breaches = played.error.breaches if isinstance(played.error, IllegalOrder) else ()
        data["error"] = first_line(played.error)
        data["reasons"] = [reason_fields(breach) for breach in breaches]
    if played.happened is not None:
        data["cost"] = cost_data(played.happened.ledger)
        data["record"] = [entry_data(entry) for entry in played.happened.record]
    return {**data, "expected": [_check_data(check) for check in played.checks]}


def _check_data(check: Check) -> dict[str, Any]:
    return {
        "what": check.what,
        "expected": check.expected,
        "got": check.got,
        "met": check.met,
        "line": check.line,
    }
