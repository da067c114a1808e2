"""Which of several ways to a place is taken: the cheapest, the safest or the surest, and how they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal

import click

from simulator.cli.ways import foreseen_to

if TYPE_CHECKING:
    from simulator.engine.foresight import Foreseen
    from simulator.engine.game import Game
    from simulator.engine.reach import ReachAnswer

Preference = Literal["cheapest", "safest", "surest"]

prefer_option = click.option(
    "--prefer",
    type=click.Choice(["cheapest", "safest", "surest"]),
    help="Take the path with the lowest price (the default), the fewest interruptions, or the best chance.",
)


@dataclass(frozen=True)
class WaysThere:
    """The ways to a place by what they are best at; where two are the same, so are their orders."""

    chosen: Foreseen
    by_preference: Mapping[Preference, Foreseen]

    def others(self) -> Iterator[tuple[Preference, Foreseen]]:
        """Yield the ways that are better than the chosen one in some respect, each with that respect, once."""
        seen = [self.chosen.orders]
        for preference, way in self.by_preference.items():
            if way.orders not in seen:
                seen.append(way.orders)
                yield preference, way


def ways_to(game: Game[Any], answer: ReachAnswer, place: Any, prefer: Preference) -> WaysThere:
    """Foresee the cheapest way to a place and, if anything could go wrong on it, the safest that the rulebook finds."""
    cheapest = foreseen_to(game, answer, place)
    found = [cheapest]
    is_perfect = not cheapest.interruptions and cheapest.chance == 1
    # Where the rulebook finds no safer ways, wanting one is wrong usage.
    if not is_perfect and (prefer != "cheapest" or "safest" in signature(answer.orders_to).parameters):
        found.append(foreseen_to(game, answer, place, safest=True))
    # The cheapest comes first, so it is taken where the others are no better.
    by_preference: dict[Preference, Foreseen] = {
        "cheapest": cheapest,
        "safest": min(found, key=lambda way: (way.most_interruptions, len(way.interruptions))),
        "surest": max(found, key=lambda way: way.chance),
    }
    return WaysThere(by_preference[prefer], by_preference)


def other_lines(ways: WaysThere) -> Iterator[str]:
    """Yield a line for each way that is better in some respect, with its price, chance and interruptions."""
    others = list(ways.others())
    if others:
        yield "other paths"
    yield from (f"  {preference}: {_in_short(way)} (--prefer {preference})" for preference, way in others)


def other_fields(ways: WaysThere) -> list[dict[str, Any]]:
    """Return those ways as plain data."""
    from simulator.wording import figure

    return [
        {
            "prefer": preference,
            "cost": {unit: figure(total) for unit, total in way.ledger.totals.items()},
            "chance": figure(way.chance),
            "interruptions": way.most_interruptions,
        }
        for preference, way in ways.others()
    ]


def _in_short(way: Foreseen) -> str:
    from simulator.engine.ledger import sums_text
    from simulator.formats.foreseen_text import interrupted
    from simulator.wording import chance_text

    price = sums_text(way.ledger.totals) or "free"
    return f"{price}; {chance_text(way.chance)} to pass its rolls; {interrupted(way).rstrip(':')}"
