"""Tables for the tests of mecha on contact: units made up on the spot, games, answers."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from simulator.engine.errors import Breach
from simulator.engine.game import Game
from simulator.geometry.pieces import Piece
from simulator.geometry.table import InchTable
from simulator.rulesets.mecha import RULESET

#: The kinds of units by mobility type.
KINDS = {
    **dict.fromkeys(("walker", "four_legged_walker"), "mecha"),
    **dict.fromkeys(("track", "wheel", "hover"), "vehicle"),
    "infantry": "infantry",
    "static": "emplacement",
}


def unit(name: str, mobility: str = "walker", at: Any = (24, 24), side: str = "red", **fields: Any) -> Any:
    """A unit of size class 2 with a Move of 6, facing 0, unless said."""
    known = {"size_class": 2, "move": 0 if mobility == "static" else 6, **fields}
    kind = known.pop("kind", KINDS[mobility])
    return RULESET.make_unit(name, kind, side, at, known.pop("heading", 0), mobility=mobility, **known)


def enemy(name: str = "B1", mobility: str = "walker", at: Any = (25, 24), **fields: Any) -> Any:
    """The same on the other side."""
    return unit(name, mobility, at, fields.pop("side", "blue"), **fields)


def game(
    *units: Any, pieces: Iterable[Piece] = (), size: float = 48, ground: str = "flat_ground", **options: Any
) -> Any:
    """A game on a table of flat ground, of these options."""
    table = InchTable("Test", size, size, pieces=list(pieces), ground=ground)
    return Game.new(RULESET, table, list(units), options=options)


def clauses(breaches: Iterable[Breach]) -> list[str]:
    """The clauses of breaches."""
    return [one.clause for one in breaches]


def played(here: Any, order: str, *answers: Any) -> Any:
    """Play an order with these answers, all of which are asked for."""
    happened = here.do(order)
    for answer in answers:
        assert happened.question is not None, f"nobody is asked, {answer!r} is left"
        happened = here.answer(answer)
    assert happened.question is None, happened.question
    return happened


def gap(here: Any, one: str, other: str) -> float:
    """How far the bases of two units are apart."""
    first, second = here.state.unit(one), here.state.unit(other)
    return math.dist(first.place, second.place) - float(first["base"]) - float(second["base"])
