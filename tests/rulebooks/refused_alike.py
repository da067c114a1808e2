"""Why a unit cannot do something at all: what reach says of it beside what the judge says of every such order.

An action that is refused whatever the order is refused by the clauses that all its orders break. Reach names just
those, and never one that only some orders break.
"""

from __future__ import annotations

import itertools
import math
from contextlib import suppress

import numpy as np
import recounts_dot_trooper
import recounts_skirmish
from exhaustive_grid_runner import DIRECTIONS, order_of
from grid_runner_positions import asked_at

from simulator.engine.answers import Policy
from simulator.engine.errors import IllegalOrder, TableError, UnreadableOrder
from simulator.engine.orders import Order
from simulator.geometry import hex_lattice


def broken_by_all(game, name, orders):
    """The clauses that every one of some orders breaks, apart from whose turn it is; None where there are no orders."""
    found, table = None, game.ready_table(name)
    for text in orders:
        try:
            clauses = {breach.clause for breach in game.ruleset.breaches(table, game.planned(game.read(text)))}
        except UnreadableOrder:
            continue
        except IllegalOrder as error:
            clauses = {breach.clause for breach in error.breaches}
        found = clauses if found is None else found & clauses
    return found


def compared(game, name, action, orders, **question):
    """Name where a reach and the judge differ about an action of a unit."""
    common = broken_by_all(game, name, orders)
    if common is None:
        return []
    try:
        answer = game.reach(name, action, **question)
    except TableError as error:
        return [] if common else [f"{name} {action}: {error}"]
    told = {breach.clause for breach in getattr(answer, "refused", ())}
    reasons = answer.why_not(_somewhere(game)).reasons
    # Who is boxed in could drive: what closes the way to a place is a matter of the place.
    if not told and common and answer.area.is_empty and action != "drive":
        told = {reasons[0].clause}
    if not told <= common:
        return [f"{name} {action} {question}: reach says {sorted(told)}, all orders break {sorted(common)}"]
    if getattr(answer, "refused", ()) and not {one.clause for one in reasons} <= common:
        return [f"{name} {action} {question}: refused by {sorted(told)}, and a place by {reasons[0].clause}"]
    return []


def _somewhere(game):
    if hasattr(game.board, "places"):
        taken = [unit.place for unit in game.state]
        return next(place for place in game.board.places() if place not in taken)
    return game.board.bounds[:2]


# --- rulebooks ---


def of_squares(seed):
    """A character at some moment, with every movement there is; for charges at everybody."""
    if (position := asked_at(seed, several=False)) is None:
        return []
    game, dice, found = position[0], np.random.default_rng(seed), []
    for name in game.state.units:
        paths = [[way] for way in DIRECTIONS] + [
            list(two) for two in itertools.product(DIRECTIONS[:3], DIRECTIONS[2:5])
        ]
        for action in ("move", "withdrawal", "one_square_move", "tumble"):
            found += compared(game, name, action, [order_of(action, path, name) for path in paths])
        if dice.random() < 0.4:
            found += _charges(game, name)
    return found


def _charges(game, name):
    """A charge is refused by a clause that is true: without it, or never, would there be one."""
    found = []
    for other in (one for one in game.state.units if one != name):
        answer = game.reach(name, "charge_attack", target=other)
        if len(answer) or not answer.refused:
            continue
        said = {breach.clause for breach in answer.refused}
        between = recounts_gap(game, name, other)
        if "GR-74" in said and game.setting.options.charge_path == "direct":
            needed = game.setting.tables[f"charge_distance.{game.setting.options.scale}"]
            if between >= needed:
                found.append(f"{name} charge_attack {other}: GR-74 with {between} squares between")
        if "GR-75" in said and not game.ready_table(name).unit(name)["acted_this_pass"]:
            runs = game.setting.options.charge_requires_running
            if not (runs and game.state.unit(name)["mode"] != "run"):
                found.append(f"{name} charge_attack {other}: GR-75 of one who has not acted")
    return found


def recounts_gap(game, name, other):
    (x, y), (u, v) = game.state.unit(name).place, game.state.unit(other).place
    return max(abs(x - u), abs(y - v)) - 1


def of_dots(seed):
    """A trooper on foot, in the saddle, under a vehicle or in the fire phase, with every movement there is."""
    table, _, _ = recounts_dot_trooper.position(seed)
    found = []
    for name in [unit.id for unit in table.state if unit.type == "trooper"]:
        unit = table.state.unit(name)
        x, y = unit.place
        steps = [(x + a, y + b) for a, b in hex_lattice.DIRECTIONS]
        walks = [f"{name} foot_move: step {q},{r}" for q, r in steps] + [f"{name} foot_move: lie_down"]
        flights = [
            f"{name} activate_jet_pack: fly {recounts_dot_trooper.line(unit.place, way, n)}"
            for way in range(6)
            for n in (4, 7)
        ]
        drives = [
            f"{name} drive {mode}: {said}"
            for mode in recounts_dot_trooper.MODES
            for said in (
                "start",
                "move",
                "move, move",
                "move 1, left 60, on",
                "move, left 120, move",
                "start, move, stop",
            )
        ]
        found += compared(table, name, "foot_move", walks)
        found += compared(table, name, "activate_jet_pack", flights)
        found += compared(table, name, "drive", drives)
        for number, mode in enumerate(recounts_dot_trooper.MODES):
            found += compared(table, name, "drive", drives[6 * number : 6 * number + 6], mode=mode)
    return found


def of_table(seed):
    """A soldier at some moment of its activation, with every spend there is."""
    game, _ = recounts_skirmish.position(seed)
    x, y = game.state.unit("A1").place
    if not game.breaches(stay := f"A1: to {x!r},{y!r}"):  # so the activation has begun, and AP can be set
        game.do(stay, answers=Policy("never", "first"))
        if game.question is not None:
            return []
    found = []
    for stance, ap, done in itertools.product(
        ("standing", "prone"), (0, 1, 3), ({}, {"has_run": True}, {"has_traversed": True})
    ):
        unit = game.state.unit("A1").put(stance=stance, ap=ap, **done)
        there = type(game)(game.setting, game.state.with_unit(unit), game.answers)
        x, y = unit.place
        spots = [(x + far * math.cos(a), y + far * math.sin(a)) for far in (0.3, 1.0) for a in range(6)]
        spots = [f"{u:.3f},{v:.3f}" for u, v in spots]
        pieces = [piece.id for piece in game.board.pieces if piece.kind == "obstacle"]
        with suppress(KeyError):
            found += compared(there, "A1", "move", [f"A1: to {spot}" for spot in spots])
            found += compared(there, "A1", "run", [f"A1 run: to {spot}" for spot in spots])
            found += compared(there, "A1", "traverse", [f"A1 traverse '{name}'" for name in pieces])
    return found


OF_KIND = {"squares": of_squares, "dots": of_dots, "table": of_table}


def untrue(kind, seed):
    """Name where reach and the judge refuse by other clauses, in a generated position."""
    return OF_KIND[kind](seed)


__all__ = ["Order", "untrue"]
