"""Tables for the tests of carriers in mecha: a carrier in the middle, units aboard and around it."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from simulator.engine.game import Game
from simulator.geometry.pieces import Piece
from simulator.geometry.table import InchTable
from simulator.rulesets.mecha import RULESET

#: Where the carrier stands, facing 0.
MIDDLE = (24, 24)
_MOBILITY = {"vehicle": "track", "mecha": "walker", "infantry": "infantry", "emplacement": "static"}


def carrier(name: str = "C1", at: Any = MIDDLE, side: str = "red", **fields: Any) -> Any:
    """A tracked carrier with four slots, a Move of 8 and a base of 1 inch."""
    known = {"mobility": "track", "size_class": 4, "move": 8, "slots": 4, "base": 1, **fields}
    return RULESET.make_unit(name, "vehicle", side, at, known.pop("heading", 0), **known)


def unit(name: str, at: Any = None, kind: str = "vehicle", side: str = "red", **fields: Any) -> Any:
    """A unit of size class 1 with a Move of 6, aboard C1 unless it has a place."""
    known = {"mobility": _MOBILITY[kind], "size_class": 1, "move": 6, **fields}
    if at is None:
        known = {"carrier": "C1", **known}
    return RULESET.make_unit(name, kind, side, at, known.pop("heading", 0), **known)


def foot(name: str, at: Any = None, **fields: Any) -> Any:
    """A stand of infantry of size class 0."""
    return unit(name, at, "infantry", **{"size_class": 0, "move": 4, **fields})


def game(
    *units: Any, pieces: Iterable[Piece] = (), ground: str = "flat_ground", tables: Any = None, **options: Any
) -> Any:
    """A game on a table of 48 inches."""
    table = InchTable("Test", 48, 48, pieces=list(pieces), ground=ground)
    return Game.new(RULESET, table, list(units), options=options, tables=tables or {})


def next_movement(here: Any) -> Any:
    """Let everybody else pass until the next movement phase."""
    begun = here.table.clock.phase.name
    while here.table.clock.phase.name == begun or not here.table.clock.phase.name.startswith("movement"):
        here.do("all done")
    return here


def clauses(here: Any, order: str) -> list[str]:
    """The clauses by which an order is refused."""
    return [breach.clause for breach in here.breaches(order)]


def behind(inches: float, aside: float = 0.0, of: Any = MIDDLE, heading: float = 0.0) -> str:
    """A place so many inches from the carrier, so many degrees aside of straight behind it, as an order names it."""
    turned = math.radians(heading + 180.0 + aside)
    return f"{of[0] + inches * math.cos(turned):.12g},{of[1] + inches * math.sin(turned):.12g}"


def price(happened: Any, currency: str = "mp") -> float:
    """What an order cost in a currency."""
    lines = [line for event in happened.events for line in event.price if line.currency == currency]
    return float(sum(line.price for line in lines))
