"""Shared by the commands that look ahead: parsing an order or a place, and describing the effect of orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from inspect import signature
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.asking import is_place, is_pose, pose_named, unit_named
from simulator.cli.terminal import echo

if TYPE_CHECKING:
    from simulator.engine.errors import Breach, IllegalOrder
    from simulator.engine.foresight import Foreseen
    from simulator.engine.game import Game
    from simulator.engine.orders import Order
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
    if len(typed) == 2 and typed[0] in game.state.units and not _may_be_action(game, typed[1]):
        return typed[0], pose_named(game, rest)
    if not first or not is_pose(game, rest) or (len(typed) > 2 and not is_place(game, typed[1])):
        return None
    return unit_named(game, first[0]), pose_named(game, rest)


def _may_be_action(game: Game[Any], word: str) -> bool:
    """Whether a word after a unit is an action, or nearly one: any other can only be meant as a place."""
    from simulator.wording import nearest

    actions = ["begin", "done", *(form.name for form in game.setting.vocabulary.actions)]
    return word.endswith(":") or nearest(word, actions) is not None


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


# --- judging orders ---


def all_breaches(game: Game[Any], order: Order, error: IllegalOrder) -> tuple[Breach, ...]:
    """Return every reason against an order, beginning with those that apply only before its go has come."""
    return (*(breach for breach in game.breaches(order) if breach not in error.breaches), *error.breaches)


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
    "--safest", is_flag=True, help="Take the safest path even if it costs more, instead of the safest of the cheapest."
)


def foreseen_to(game: Game[Any], answer: ReachAnswer, place: Any, safest: bool = False) -> Foreseen:
    """Foresee the orders that take a unit to a place: the safest of the cheapest ways, or of all with `safest`."""
    if not safest:
        return game.foresee(answer.orders_to(place))
    if "safest" not in signature(answer.orders_to).parameters:
        raise click.UsageError(
            f"{game.ruleset.name} cannot find a safer path than the cheapest for {answer.action} here"
        )
    return game.foresee(answer.orders_to(place, safest=True))  # type: ignore[call-arg]  # checked above
