"""Orders that are named in answers to what is no order: each is legal, or the answer says why it is not."""

from __future__ import annotations

import re

import recounts_dot_trooper
import recounts_skirmish
from grid_runner_positions import asked_at
from mecha_games import generated

from simulator.engine.errors import UnreadableOrder

#: What an answer says of an order that it names and that is not legal.
REASONS = ("shows the form", "The rules forbid it here")

MOBILITIES = ("walker", "track", "hover", "infantry", "static")


def _squares(seed):
    return (asked_at(seed, several=False) or [None])[0]


POSITIONS = {
    "squares": _squares,
    "dots": lambda seed: recounts_dot_trooper.position(seed)[0],
    "table": lambda seed: recounts_skirmish.position(seed)[0],
    "inches": lambda seed: generated(seed, MOBILITIES[seed % len(MOBILITIES)]),
}


def nonsense(game, unit):
    """Orders of every kind that were left incomplete or misspelled."""
    for form in game.setting.vocabulary.actions:
        name = form.name
        yield from (f"{unit} {name}{rest}" for rest in ("", " ?", ":", ": ?", " to", " to ?"))
        yield from (f"{unit} {name[:-1]}", f"{unit} {name[1:]}")
    yield from (f"{unit}{rest}" for rest in ("", ":", " ?", " to", " done."))
    for element in game.setting.vocabulary.elements:
        yield from (f"{unit}: {element.name} ?", f"{unit}: {element.name[:-1]}", f"{unit} {element.name}")


def untrue_in(game, texts):
    """Name the orders that answers to some texts recommend, and the rules forbid without a word of that."""
    found = []
    for text in texts:
        try:
            game.read(text)
        except UnreadableOrder as error:
            said = str(error)
            if any(reason in said for reason in REASONS):
                continue
            for order in re.findall(rf"'((?:{'|'.join(game.state.units)})\b[^'\n]*)'", said):
                meant = game.read(order)
                clauses = [breach.clause for breach in game._against(order) or ()]
                found += [f"{text}: {order} breaks {clauses}"] * bool(clauses)
                assert meant.unit in game.state.units
    return found


def untrue(kind, seed, share=1):
    """Name what is wrong with the hints in a generated position; of all texts one in so many is tried."""
    game = POSITIONS[kind](seed)
    if game is None:
        return []
    texts = [text for unit in game.state.units for text in nonsense(game, unit)]
    return untrue_in(game, texts[seed % share :: share])
