"""What orders would do, in words and as plain data: price, rolls, endings, who can interrupt them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.engine.foresight import Foreseen, ending_fields, otherwise_text
from simulator.engine.game import Game
from simulator.engine.ledger import sums_text
from simulator.engine.phrases import CLOCK_PHRASES
from simulator.engine.plays import Ending
from simulator.engine.questions import Choose
from simulator.engine.reach import reason_fields
from simulator.engine.values import show, to_plain
from simulator.formats.game_data import cost_data, price_data
from simulator.geometry.poses import place_text
from simulator.wording import chance_text, figure, measure


def price_lines(foreseen: Foreseen) -> Iterator[str]:
    """Yield the price, line by line."""
    yield from (f"  {line}" for line in str(foreseen.ledger).splitlines())


def roll_lines(foreseen: Foreseen) -> Iterator[str]:
    """Yield the rolls and choices on the way, if nobody interrupts."""
    for roll in foreseen.rolls:
        dice = roll.dice or "a roll"
        if roll.target is None:
            yield f"  {roll}: {dice}"
        else:
            needs = f"{show(roll.needed)} or {'less' if roll.at_most else 'more'}"
            yield f"  {roll}: {dice}, needs {needs}, chance {chance_text(roll.chance)}"
    for question, answer in ((entry.question, entry.answer.value) for entry in foreseen.choices):
        if isinstance(question, Choose):
            options = " or ".join(show(option) for option in question.options)
            yield f"  {question}: {options}? taken to be {show(answer)}"


def interrupted(foreseen: Foreseen) -> str:
    """Summarise in one line whether and how often a move can be interrupted."""
    count, most = len(foreseen.interruptions), foreseen.most_interruptions
    if not foreseen.follows_all_plays:
        return f"can be interrupted {_times(most)} or more{_unfollowed(foreseen)}:"
    if not count:
        return "nobody can interrupt it"
    return f"can be interrupted {_times(most)}" + (":" if most == count else f" at most, at {count} moments:")


def _times(count: int) -> str:
    return {1: "once", 2: "twice"}.get(count, f"{count} times")


def _unfollowed(foreseen: Foreseen) -> str:
    reactions = foreseen.plays.reactions_followed
    if reactions is None or reactions < 0:
        return ", too many plays to follow each of them"
    return f", too many plays to follow those with more than {measure(reactions, 'reaction')}"


def interruption_lines(foreseen: Foreseen) -> Iterator[str]:
    """Yield who can interrupt a move, where, under which clause, what is spent by then, and what must fail first."""
    # Numbered as in pictures: two reactions of one unit at one place are one mark.
    numbers: dict[Any, int] = {}
    for found in foreseen.interruptions:
        number = numbers.setdefault((found.place, found.who), len(numbers) + 1)
        spent = sums_text({currency: paid for currency, paid in found.spent.items() if paid})
        yield f"  {number}  {found}, " + (f"after {spent}" if spent else "at the start")
        for outcome in found.outcomes:
            yield f"       {outcome}:"
            yield from (f"       {chance_text(end.chance):>8}  {ending_text(end)}" for end in outcome.endings)


def ending_lines(foreseen: Foreseen) -> Iterator[str]:
    """Yield each ending where tests fail and nobody reacts, with its chance; nothing if no test can fail."""
    if len(foreseen.endings) < 2 and not any(ending.failed for ending in foreseen.endings):
        return
    for ending in foreseen.endings:
        yield f"  {chance_text(ending.chance):>6}  {ending_text(ending)}"


def ending_text(ending: Ending) -> str:
    """Describe one ending of orders: the tests that fail, and what happens from the first of them on."""
    failed = [", ".join(otherwise_text(entry) for entry in ending.failed)] if ending.failed else []
    if ending.as_planned and (failed or not ending.events):
        return f"{failed[0]}; still ends as planned" if failed else "as planned"
    happens = [
        event.sentence("" if event.place is None else place_text(event.place))
        for event in ending.events
        if event.kind not in CLOCK_PHRASES
    ]
    broken = [f"no further order: {ending.breaches[0].message}"] if ending.breaches else []
    planned = ["still ends as planned"] if ending.as_planned else []
    return "; ".join([*failed, *dict.fromkeys(happens), *broken, *planned])


def foreseen_lines(foreseen: Foreseen) -> Iterator[str]:
    """Yield the full description: price, rolls, endings where they fail, interruptions."""
    yield "price"
    yield from price_lines(foreseen)
    if lines := list(roll_lines(foreseen)):
        yield "rolls and choices on the way"
        yield from lines
        if any(roll.target is not None for roll in foreseen.rolls):
            yield f"  all of them pass with a chance of {chance_text(foreseen.chance)}"
    if lines := list(ending_lines(foreseen)):
        yield "ends, if nobody interrupts it"
        yield from lines
    yield interrupted(foreseen)
    yield from interruption_lines(foreseen)


def foreseen_data(game: Game[Any], foreseen: Foreseen) -> dict[str, Any]:
    """Return the full description as plain data."""
    return {
        "orders": [game.write(order) for order in foreseen.orders],
        "not_now": [reason_fields(breach) for breach in foreseen.not_now],
        "price": price_data(foreseen.ledger),
        "cost": cost_data(foreseen.ledger),
        "rolls": [
            to_plain(roll.to_fields()) | ({} if roll.target is None else {"chance": figure(roll.chance)})
            for roll in foreseen.rolls
        ],
        "chance_of_rolls": figure(foreseen.chance),
        "choices": [{"what": str(entry.question), "taken": to_plain(entry.answer.value)} for entry in foreseen.choices],
        "endings": [ending_fields(ending) for ending in foreseen.endings],
        "interruptions": [found.to_fields() for found in foreseen.interruptions],
        "most_interruptions": foreseen.most_interruptions,
        "all_plays_followed": foreseen.follows_all_plays,
        "reactions_followed": foreseen.plays.reactions_followed,
    }
