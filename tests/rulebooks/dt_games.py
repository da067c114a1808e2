"""Small dot_trooper games and generated maps for the tests."""

import random

from simulator.engine.answers import Script
from simulator.engine.game import Game
from simulator.engine.questions import React, Roll
from simulator.geometry.dots import DotKind, DotMap, Edge
from simulator.geometry.hex_lattice import step
from simulator.rulesets.dot_trooper import RULESET as RULES


def rear(front, heading):
    return step(front, heading // 60 + 3)


def trooper(id="A1", side="red", place=(0, 0), **fields):
    return RULES.make_unit(id, "trooper", side, place, **fields)


def bike(id="bike", side="red", place=(0, 0), heading=0, rider="A1", rider_fields=None, **fields):
    """A vehicle that is on, and its driver."""
    fields = {"on": True, "motion": "moving"} | fields
    vehicle = RULES.make_unit(id, "vehicle", side, place, heading, **fields)
    if rider is None:
        return [vehicle]
    driver = RULES.make_unit(rider, "trooper", side, rear(place, heading), aboard=id, **(rider_fields or {}))
    return [vehicle, driver]


def game(units, board=None, answers=None, options=None, tables=None):
    board = board or DotMap.open(60, 60)
    return Game.new(RULES, board, units, answers=answers, options=options, tables=tables)


def centred(radius=26, legend=None, special=(), edges=()):
    """A map of all dots within a radius of (0, 0), some of them special."""
    import numpy as np

    size = 2 * radius + 1
    r, q = np.mgrid[-radius : radius + 1, -radius : radius + 1]
    present = np.maximum(np.maximum(abs(q), abs(r)), abs(q + r)) <= radius
    arrays = {
        "level": np.zeros((size, size), np.int16),
        "storeys": np.zeros((size, size), np.int16),
        "impassable": np.zeros((size, size), bool),
        "openings": np.zeros((size, size), bool),
    }
    for dot, fields in special:
        for name, value in fields.items():
            arrays[name][dot[1] + radius, dot[0] + radius] = value
    return DotMap(
        first=(-radius, -radius),
        present=present,
        terrain_kinds=("open",),
        terrain=np.zeros((size, size), np.uint8),
        edges=tuple(edges),
        **arrays,
    )


def blocked(*dots):
    return [(dot, {"impassable": True}) for dot in dots]


def random_map(seed, radius=5, share=0.12, levels=False, buildings=False):
    """A small map with obstacles, walls, ramps and perhaps steps in the ground or buildings."""
    dice = random.Random(seed)
    dots = [
        (q, r)
        for r in range(-radius, radius + 1)
        for q in range(-radius, radius + 1)
        if max(abs(q), abs(r), abs(q + r)) <= radius
    ]
    special, edges, seen = [], [], set()
    for dot in dots:
        fields = {}
        if dice.random() < share:
            fields["impassable"] = True
        if levels and dice.random() < 0.2:
            fields["level"] = 1
        if buildings and dice.random() < 0.25:
            fields["storeys"] = dice.choice((1, 2, 3))
            fields["openings"] = dice.random() < 0.2
        special.append((dot, fields))
    for dot in dots:
        for way in range(3):
            other = step(dot, way)
            if other in dots and dice.random() < 0.1 and (dot, other) not in seen:
                seen.add((dot, other))
                kinds = ["wall", "window", "door", "ramp"] + (["stairs", "ladder"] if buildings else [])
                kind = dice.choice(kinds)
                between = None
                if kind in ("stairs", "ladder") and dice.random() < 0.7:
                    between = (0, 1)
                edges.append(Edge(kind, dot, other, between))
    return centred(radius, special=special, edges=edges)


__all__ = ["RULES", "DotKind", "Script", "bike", "blocked", "centred", "game", "random_map", "rear", "trooper"]


def shots_offered(table, shots=(), rolls=12):
    """Play on with one answer to every roll and a target for each shot; give who was offered one, by what, where."""
    offered, left = [], list(shots)
    while table.question is not None:
        if isinstance(table.question, Roll):
            table.answer(rolls)
        else:
            assert isinstance(table.question, React)
            offered.append((table.question.who, table.question.clause, table.question.place))
            table.answer(left.pop(0) if left else None)
    return offered
