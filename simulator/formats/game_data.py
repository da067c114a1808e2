"""A game as plain data: what an order did, the table, whose go it is, which orders are legal."""

from __future__ import annotations

from itertools import islice
from typing import Any

from simulator.engine.actions import Answered, Happened
from simulator.engine.errors import TableError
from simulator.engine.events import Event
from simulator.engine.game import Game
from simulator.engine.ledger import Ledger
from simulator.engine.questions import Question, Roll
from simulator.engine.values import read_plain, to_plain
from simulator.wording import figure


def entry_data(entry: Event | Answered) -> dict[str, Any]:
    """Return an event, or a question with its answer."""
    if isinstance(entry, Event):
        return {"event": to_plain(entry.to_fields())}
    question = entry.question
    odds = {"chance": figure(question.chance)} if isinstance(question, Roll) and question.target is not None else {}
    answer = {"answer": to_plain(entry.answer.value), "by": entry.answer.by, "faces": list(entry.answer.faces)}
    return {"question": to_plain(question.to_fields()), **odds, **answer}


def price_data(ledger: Ledger) -> list[dict[str, Any]]:
    """Return a price line by line, each with its sum."""
    return [to_plain(line.to_fields()) | {"price": figure(line.price)} for line in ledger]


def cost_data(ledger: Ledger) -> dict[str, int | float | str]:
    """Return the sum of a price in each currency."""
    return {currency: figure(total) for currency, total in ledger.totals.items()}


def question_data(question: Question | None) -> dict[str, Any] | None:
    """Return a question; None if there is none."""
    return None if question is None else to_plain(question.to_fields())


def moment_of_game(game: Game[Any]) -> dict[str, Any]:
    """Return where a game stands: the clock, the open question, the fingerprint of the table."""
    return {
        "clock": str(game.state.clock),
        "over": game.state.clock.over,
        "question": question_data(game.question),
        "hash": game.state.hash,
    }


def happened_data(game: Game[Any], happened: Happened) -> dict[str, Any]:
    """Return what an order did, or has done up to its open question."""
    return {
        "order": game.write(happened.given or happened.order),
        "played": game.write(happened.order),
        "done": happened.question is None,
        "record": [entry_data(entry) for entry in happened.record],
        "price": price_data(happened.ledger),
        "cost": cost_data(happened.ledger),
        **moment_of_game(game),
    }


def state_data(game: Game[Any]) -> dict[str, Any]:
    """Return the whole table."""
    return {"state": read_plain(game.state.text), **moment_of_game(game)}


def to_move_data(game: Game[Any]) -> dict[str, Any]:
    """Return whose go it is."""
    clock = game.state.clock
    return {"side": clock.side, "unit": clock.unit, "may_go": list(game.to_move()), **moment_of_game(game)}


def legal_data(game: Game[Any], unit: str, most: int) -> dict[str, Any]:
    """Return the legal orders of a unit: all, if the rulebook lists them, or else one of each action that has one."""
    if game.question is not None or unit not in game.to_move():
        return {"orders": [], "listed": True, "more": False}
    try:
        found = [game.write(order) for order in islice(game.legal(unit), most + 1)]
    except TableError:
        forms = game.setting.vocabulary.actions
        examples = (game.legal_example(unit, form.name) for form in forms)
        return {"orders": [text for text in examples if text is not None][:most], "listed": False, "more": True}
    return {"orders": found[:most], "listed": True, "more": len(found) > most}
