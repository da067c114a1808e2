"""Places on the command line."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import click
from click.core import ParameterSource

from simulator.engine.orders import place as place_kind
from simulator.engine.places import numbered, read_as
from simulator.geometry.board import Lattice
from simulator.geometry.dots import DotMap
from simulator.wording import did_you_mean

#: Kinds of boards as they are called in messages.
_PLURAL = {"table": "tables"}


def read_place(board: Lattice, text: str, *, axial: bool = False) -> tuple[int, int]:
    """Parse `column,row` as numbered in pictures; with `axial`, a dot's `q,r`. A place off the board is wrong usage.

    On dots `column:row` is accepted in either case, as in orders.
    """
    kind, compact = place_kind("a place: two whole numbers like 3,4", whole=True), "".join(text.split())
    if isinstance(board, DotMap):
        kind = numbered(kind, board.layout)
        compact = compact if axial else compact.replace(",", ":")
    try:
        place: tuple[int, int] = read_as(kind, compact)
    except ValueError:
        raise click.UsageError(f"a place is two whole numbers like 3,4 (got {text!r})") from None
    if place not in board:
        raise click.UsageError(f"{text} is not on the board: {board.no_such_place(place)}")
    return place


def read_terrain_costs(board: Lattice, texts: tuple[str, ...]) -> dict[str, int]:
    """Parse `mud=2` or `river=closed`: a terrain of the board and the cost of entering it."""
    costs: dict[str, int] = {}
    for text in texts:
        word, equals, figure = text.partition("=")
        if not equals or not (figure == "closed" or re.fullmatch(r"[0-9]{1,9}", figure)):
            raise click.UsageError(f"a terrain cost looks like mud=2 or river=closed (got {text!r})")
        if word not in board.terrain_array.kinds:
            hint = did_you_mean(word, board.terrain_array.kinds)
            raise click.UsageError(f"no terrain {word!r} on this board; {hint}")
        cost = -1 if figure == "closed" else int(figure)
        if costs.setdefault(word, cost) != cost:
            raise click.UsageError(f"the cost of {word} is set twice")
    return costs


def only_for(ctx: click.Context, kind: str, options: Mapping[str, Sequence[str]]) -> None:
    """Refuse options that do not apply to this kind of board; `options` has the kinds to which each applies."""
    for name, kinds in options.items():
        if kind not in kinds and ctx.get_parameter_source(name) is not ParameterSource.DEFAULT:
            raise click.UsageError(f"--{name} is for {' and '.join(_PLURAL.get(one, one) for one in kinds)}")
