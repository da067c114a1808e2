"""Explanations are claims: generated questions why not, and which claims of the answer do not come true when tried."""

from __future__ import annotations

import itertools
import math
import re

import numpy as np
import shapely
from one_truth import POSITIONS

from simulator.engine.errors import UnreadableOrder
from simulator.engine.game import Game
from simulator.engine.table import Table
from simulator.errors import SimulatorError
from simulator.geometry.board import Lattice
from simulator.rulesets.skirmish.reach.answer import reach_of

#: The nearest end is told in hundredths, one of several as near.
NEAR = 0.03


def closed_places(answer, seed, count):
    """Places on the board where a unit cannot end."""
    dice, board = np.random.default_rng(seed), answer.board
    if isinstance(board, Lattice):
        every = [place for place in board.places() if place not in answer]
        return [every[at] for at in dice.permutation(len(every))[:count]]
    low_x, low_y, high_x, high_y = answer.area.buffer(3.0).bounds
    every = dice.uniform((low_x, low_y), (high_x, high_y), (30 * count, 2)).round(2)
    return [tuple(place) for place in every.tolist() if tuple(place) not in answer][:count]


def untrue(kind, seed, count=3):
    """Name the claims about some closed places of a generated position that do not hold."""
    game, answer = POSITIONS[kind](seed)
    if answer.area.is_empty:
        return []
    found = []
    for place in closed_places(answer, seed, count):
        why = answer.why_not(place)
        found += [f"{place}: {one}" for one in (*nearest_untrue(answer, why), *figures_untrue(why))]
        found += [f"{place}: {one}" for one in remedies_untrue(kind, game, answer, why)]
    return found


def nearest_untrue(answer, why):
    """The nearest legal end is an end, at that cost, and none is nearer."""
    if not why.reasons:
        return ["no reason at all"]
    if why.nearest is None:
        return []
    place = why.nearest
    if answer.cost_at(place) != why.nearest_cost:
        return [f"nearest {place} for {why.nearest_cost}, which costs {answer.cost_at(place)}"]
    if isinstance(answer.board, Lattice):
        rows, columns = np.nonzero(answer.mask)
        least = answer.distances_to(why.place, columns, rows).min()
        row, column = answer.board.index(place)
        away = answer.distances_to(why.place, np.array([column]), np.array([row]))[0]
    else:
        least, away = answer.area.distance(shapely.Point(why.place)) + NEAR, math.dist(place, why.place)
    return [] if away <= least + 1e-9 else [f"nearest {place} is {away} away, another {least}"]


def figures_untrue(why):
    """A figure needed is more than the one available, and what a message says is missing is the difference."""
    found = []
    for reason in why.reasons:
        short = re.search(r"([\d.]+)(?: AP)? more\b", reason.message)
        if short is None or not isinstance(reason.needed, int | float) or not isinstance(reason.available, int | float):
            continue
        if abs(reason.needed - reason.available - float(short[1])) > 1e-6:
            found.append(f"{reason.message!r}: needed {reason.needed}, available {reason.available}")
    return found


def remedies_untrue(kind, game, answer, why):
    """What would help helps, and where it is so much of something, a little less does not."""
    found = []
    for part in why.remedy.split(", or "):
        for remedy, helps in claims_of(part):
            changed = applied(kind, game, answer, remedy)
            if changed is not None and (why.place in changed) != helps:
                found.append(f"{remedy!r} {'does not help' if helps else 'would do, too'} ({why.remedy})")
    return found


def claims_of(remedy):
    """A remedy, and one that is smaller, each with whether it helps; nothing where it is none that can be tried."""
    if more := re.fullmatch(r"(at most )?(\d+) (AP|squares?) more", remedy):
        number, what = int(more[2]), more[3]
        yield f"{number} {what} more", True
        if number > 1 and not more[1]:
            yield f"{number - 1} {what} more", False
    elif more := re.fullmatch(r"([\d.]+) inches more", remedy):
        yield remedy, True
        if float(more[1]) > 0.01:
            yield f"{float(more[1]) - 0.01:g} inches more", False
    elif re.fullmatch(r"without [\w, ]+|with [\w, ]+ gone", remedy) and ", and" not in remedy:
        yield remedy, True


def applied(kind, game, answer, remedy):
    """The same question with a remedy applied; None where it is none that can be."""
    number, _, what = remedy.partition(" ")
    names = [name for name in game.state.units if re.search(rf"\b{re.escape(name)}\b", remedy)]
    if remedy.startswith("without ") or remedy.endswith(" gone"):
        state = game.state
        for name in names:
            state = state.without_unit(name)
        return asked_again(kind, Game(game.setting, state), answer, answer.mover)
    if kind == "table" and what == "AP more":
        return asked_again(kind, game, answer, answer.mover, int(number))
    return None


def asked_again(kind, game, answer, mover, more=0):
    """Ask the question of an answer at another table, or with more AP."""
    if kind == "table":
        table = Table(game.setting, game.state)
        able = mover.put(ap=int(mover["ap"]) + more)
        return reach_of(table, able, answer.action, answer.ap + more, answer.threshold, stance="kept")
    try:
        return game.reach(mover.id, answer.action, **({"mode": "cruise"} if answer.action == "drive" else {}))
    except SimulatorError:
        return None


# --- hints ---


def hints_untrue(game):
    """Of each action begun and left, the order that is named as an example: those that the rules forbid after all."""
    found = []
    for unit, form in itertools.product(game.state.units, game.setting.vocabulary.actions):
        try:
            game.read(f"{unit} {form.name} ?")
        except UnreadableOrder as error:
            example = re.fullmatch(r"an order reads like '(.*)'", error.advice)
            if example is None:
                continue
            order = game.read(example[1])
            if any(game.ruleset.breaches(game.ready_table(unit), order)):
                found.append(f"{unit} {form.name}: {example[1]}")
    return found
