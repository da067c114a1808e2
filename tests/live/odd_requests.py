"""Questions for the live table that nobody meant to ask."""

import json

from simulator.live.catalogue import QUESTIONS

#: A small scenario with its board inside, and changes of it.
DRAFT = """\
format: 1
ruleset: grid_runner
board:
  board: squares
  legend: {".": {}, "#": {wall: true}}
  rows: |
    ...
    .#.
units: {kit: {type: character, side: red, at: [0, 0]}}
"""
_PUTS = [
    {"do": "put", "path": ["units", "kit", "at"], "value": "[1, 0]"},
    {"do": "put", "path": ["units"], "value": "}"},
    {"do": "put", "path": [], "value": "1"},
    {"do": "remove", "path": ["units", "kit"]},
    {"do": "remove", "path": ["board", "rows", 0]},
    {"do": "paint", "cells": [[0, 0], [9, 9]], "glyph": "#"},
    {"do": "paint", "cells": [[0, 0]], "glyph": "x"},
    {"do": "move", "unit": "kit", "cell": [1, 2]},
    {"do": "move", "unit": "kit", "point": [1e300, -1]},
    {"do": "fly"},
]
PARTS = {
    "scenario": ["market_chase", "market_chase", "nowhere", "", None, 7, "../x"],
    "draft": ["", "", DRAFT, DRAFT.replace("kit", "\u00e9"), DRAFT[:80], "board: [", "\x00", None, "a" * 10_000],
    "ruleset": ["skirmish", "chess", "", None],
    "unit": ["kit", "kit", "nobody", "", "\x00", None],
    "action": ["", "move", "fly", "kit", "\U0001f600"],
    "values": [{}, {"mode": "run"}, {"mode": "?"}, {"\n": ""}, [], None],
    "steps": [[], ["kit move: e 1"], ["? 4"], ["all done"], [""], ["kit"], ["x" * 5000], None, [1]],
    "place": ["3,3", "3;3", "1e999,0", "-1,-1", "nan,nan", "", "9" * 300],
    "stood": ["", "", "7,7", "99,99", "0,0 facing 90", "there"],
    "cell": [[0, 0], [-1, -1], [99, 99], [1.5, 2], None],
    "state": ["", "facing 90", "level 1", "facing"],
    "options": [{}, {"no": "such"}, {"scale": "m2"}],
    "tables": [{}, {"no.such": "1"}, {"": ""}, {"rate.walk": "["}],
    "changes": [[], *([one] for one in _PUTS), _PUTS, None],
    "other_options": [{}, {"scale": "m1"}, {"no": "such"}, []],
    "other_tables": [{}, {"no.such": "1"}, {"": "]"}],
    "shade": ["cost", "chance", "smell"],
    "within": [0, 0.1, 10, 1e9, -1, "soon", None],
    "name": ["", "mine", "\u202e"],
}


def odd_requests(chance, count):
    """Yield so many questions, each with the bytes of its fields; most have the fields of the question."""
    for _ in range(count):
        question = chance.choice([*sorted(set(QUESTIONS) - {"picture", "script"}), "nothing"])
        known = list(QUESTIONS[question][0].model_fields) if question in QUESTIONS else list(PARTS)
        names = chance.sample(known, chance.randint(0, len(known))) + chance.sample(list(PARTS), chance.random() < 0.1)
        wanted = {name for name in ("scenario", "unit", "draft") if name in known and chance.random() < 0.95}
        body = {name: chance.choice(PARTS[name]) for name in sorted({*names, *wanted})}
        text = json.dumps(body).encode()
        if chance.random() < 0.1:
            at = chance.randrange(len(text) + 1)
            text = text[:at] + bytes([chance.randrange(256)]) + text[at + 1 :]
        yield question, text
