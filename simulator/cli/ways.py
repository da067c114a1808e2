"""Shared by the commands that look ahead: parsing an order or a place, and describing the effect of orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.asking import is_place, is_pose, pose_named, unit_named
from simulator.cli.terminal import echo
from simulator.wording import measure

if TYPE_CHECKING:
    from simulator.engine.errors import Breach, IllegalOrder
    from simulator.engine.foresight import Foreseen
    from simulator.engine.game import Game
    from simulator.engine.orders import Order
    from simulator.engine.plays import Ending
    from simulator.engine.reach import ReachAnswer, WhyNot


def goal_in(game: Game[Any], words: Sequence[str]) -> tuple[str, Any] | None:
    """Return the unit and the place or pose of UNIT PLACE, quoted or not; None for an order."""
    typed = " ".join(words).split()
    first, rest = typed[:1], " ".join(typed[1:])
    if is_pose(game, " ".join(typed)):
        place = " ".join(typed)
        raise click.UsageError(f"which unit to {place}? name it first, as in {next(iter(game.state.units))} {place}")
    if len(typed) == 1 and typed[0] in game.state.units:
        raise click.UsageError(f"{typed[0]} needs an order or a place after it")
    if not first or not is_pose(game, rest) or (len(typed) > 2 and not is_place(game, typed[1])):
        return None
    return unit_named(game, first[0]), pose_named(game, rest)


def order_in(game: Game[Any], words: Sequence[str]) -> Order:
    """Parse an order, typed with or without quotes; an unreadable one is wrong usage."""
    from simulator.engine.errors import UnreadableOrder

    first, *rest = words = [word.strip() for word in words if word.strip()] or [""]
    if rest and rest[0].split(maxsplit=1)[0].rstrip(":") == first:
        words = rest  # `kit "kit move: e 2"` names the unit twice
    try:
        return game.read(" ".join(words))
    except UnreadableOrder as error:
        raise click.ClickException(str(error)) from None


def clause_lines(game: Game[Any], ids: Iterable[str]) -> Iterator[str]:
    """Quote each clause named, once, from the rulebook's page; yield nothing if there is no page."""
    from simulator.engine.clauses import CLAUSE_ID
    from simulator.formats.rulebooks import register_of

    register = register_of(game.ruleset)
    if register is None:
        return
    named = dict.fromkeys(id for text in ids for id in CLAUSE_ID.findall(text))
    for id in named:
        if id in register:
            yield f"  {id}: {' '.join(register[id].text.split())}"


# --- the effect of orders ---


def price_lines(foreseen: Foreseen) -> Iterator[str]:
    """Yield the price, line by line."""
    yield from (f"  {line}" for line in str(foreseen.ledger).splitlines())


def roll_lines(foreseen: Foreseen) -> Iterator[str]:
    """Yield the rolls and choices on the way, if nobody interrupts."""
    from simulator.engine.questions import Choose
    from simulator.engine.values import show
    from simulator.wording import chance_text

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
    from simulator.engine.ledger import sums_text
    from simulator.wording import chance_text

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
    from simulator.wording import chance_text

    if len(foreseen.endings) < 2 and not any(ending.failed for ending in foreseen.endings):
        return
    for ending in foreseen.endings:
        yield f"  {chance_text(ending.chance):>6}  {ending_text(ending)}"


def ending_text(ending: Ending) -> str:
    """Describe one ending of orders: the tests that fail, and what happens from the first of them on."""
    from simulator.engine.foresight import otherwise_text
    from simulator.engine.phrases import CLOCK_PHRASES
    from simulator.geometry.poses import place_text

    failed = [", ".join(otherwise_text(entry) for entry in ending.failed)] if ending.failed else []
    if ending.as_planned and (failed or not ending.events):
        return f"{failed[0]}; ends as planned all the same" if failed else "as planned"
    happens = [
        event.sentence("" if event.place is None else place_text(event.place))
        for event in ending.events
        if event.kind not in CLOCK_PHRASES
    ]
    broken = [f"no further order: {ending.breaches[0].message}"] if ending.breaches else []
    planned = ["ends as planned all the same"] if ending.as_planned else []
    return "; ".join([*failed, *dict.fromkeys(happens), *broken, *planned])


def foreseen_lines(foreseen: Foreseen) -> Iterator[str]:
    """Yield the full description: price, rolls, endings where they fail, interruptions."""
    from simulator.wording import chance_text

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
    from simulator.engine.foresight import ending_fields
    from simulator.engine.values import figure, to_plain

    return {
        "orders": [game.write(order) for order in foreseen.orders],
        "not_now": [breach.message for breach in foreseen.not_now],
        "price": [to_plain(line.to_fields()) | {"price": figure(line.price)} for line in foreseen.ledger],
        "cost": {currency: figure(total) for currency, total in foreseen.ledger.totals.items()},
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


def all_breaches(game: Game[Any], order: Order, error: IllegalOrder) -> tuple[Breach, ...]:
    """Return every reason against an order, beginning with those that apply only before its go has come."""
    return (*(breach for breach in game.breaches(order) if breach not in error.breaches), *error.breaches)


def judged_data(game: Game[Any], order: Order, breaches: Sequence[Breach]) -> dict[str, Any]:
    """Return the judgement of an order as plain data."""
    from simulator.engine.reach import reason_fields

    return {
        "order": game.write(order),
        "legal": not breaches,
        "breaches": [reason_fields(breach) for breach in breaches],
    }


def note_its_go(foreseen: Foreseen) -> None:
    """Note on stderr if the answer assumes that it is a unit's go, and it is not."""
    for breach in foreseen.not_now:
        echo(f"computed as if it were the go of {foreseen.unit}: {breach.message} ({breach.clause})", err=True)


def why_lines(game: Game[Any], why: WhyNot) -> Iterator[str]:
    """Yield why a place is closed, and quote the clauses."""
    yield from str(why).splitlines()
    yield from clause_lines(game, (reason.clause for reason in why.reasons))


def but_for(answer: ReachAnswer) -> str:
    """Describe what the chances of an answer leave out; return "" if nothing is left out."""
    left_out = getattr(answer, "chances_leave_out", "")
    return f", {left_out} left out" if left_out else ""


#: `--safest`, for the commands that find a way.
safest_option = click.option(
    "--safest", is_flag=True, help="Take the safest way even if it costs more, not the safest of the cheapest."
)


def foreseen_to(game: Game[Any], answer: ReachAnswer, place: Any, safest: bool = False) -> Foreseen:
    """Foresee the orders that take a unit to a place: the safest of the cheapest ways, or of all with `safest`."""
    if not safest:
        return game.foresee(answer.orders_to(place))
    if "safest" not in signature(answer.orders_to).parameters:
        raise click.UsageError(f"{game.ruleset.name} finds no safer ways than the cheapest for {answer.action} here")
    return game.foresee(answer.orders_to(place, safest=True))  # type: ignore[call-arg]  # checked above
