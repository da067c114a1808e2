"""Scenarios that expect what makes no sense: every field of an expectation, every rulebook, values of every kind."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

from simulator.errors import FileError
from simulator.formats.scenarios import parse_scenario

#: A small scenario of each rulebook: a unit called a, a second called b, and an order that a can be given.
SCENES: dict[str, dict[str, Any]] = {
    "grid_runner": {
        "board": {"board": "squares", "legend": {".": {}}, "rows": "......\n......\n......\n"},
        "units": {
            "a": {"type": "character", "side": "red", "at": [0, 0]},
            "b": {"type": "character", "side": "blue", "at": [5, 2]},
        },
        "order": "a move: e 1",
        "ends": [1, 0],
    },
    "dot_trooper": {
        "board": {"board": "dots", "legend": {".": {}}, "rows": (". " * 12 + "\n " + ". " * 12 + "\n") * 2},
        "units": {
            "a": {"type": "trooper", "side": "red", "at": [0, 0]},
            "b": {"type": "vehicle", "side": "blue", "at": [3, 2], "heading": 0},
        },
        "order": "a foot_move: step 1,0",
        "ends": [1, 0],
    },
    "skirmish": {
        "board": {"board": "table", "size": [12, 8]},
        "units": {
            "a": {"type": "soldier", "side": "red", "at": [2, 2]},
            "b": {"type": "soldier", "side": "blue", "at": [9, 6]},
        },
        "order": "a: to 4,2",
        "ends": [3, 2],
    },
}
#: What is put in the place of every field: sound for some of them, nonsense for most.
VALUES: tuple[Any, ...] = (
    *(0, 1, 3, -1, 45, 60, 90, 10**9, 0.5, 1.5, 1e300, True, False, "", "a", "b", "x", "off", "gone", "none", "5/2"),
    *("1/0", "north", "NE", "3,4", "1:1", "[", "always", [], [0, 0], [1, 0], [4, 2], [99, 99], [1.5, 2], [1, 2, 3]),
    *([True, 1], ["a", "b"], [[0, 0], [1, 1]], {}, {"AP": 1}, {"AP": "x"}, {"at": [1, 0]}, {"mode": "run"}, {"ap": 2}),
    *({"ap": "x"}, {"unit": "b"}, {"action": "move"}, {"x": 1}, {"ap": [1]}, {"at": [4, 2], "heading": 0}),
    *(
        {"at": [1, 0], "heading": 90},
        {"at": [1, 0], "cost": 1},
        {"at": [1, 0], "heading": "x"},
        "GR-26",
        "DT-5",
        "SK-4",
    ),
)
_EVENT = ("kind", "unit", "clause", "at", "count")
_ASKED = ("what", "who", "clause", "answer", "count")
_REACH = ("action", "asking", "size", "area", "includes", "excludes")


def expectations(value: Any, end: list[int]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield each field of an expectation, by its path, with this value in its place."""
    for key in ("at", "heading", "side", "type", "spent", "health", "level", "stance", "x"):
        yield f"units.a.{key}", {"units": {"a": {key: value}}}
    yield "units.a", {"units": {"a": value}}
    yield "units.b.heading", {"units": {"b": {"heading": value}}}
    for key in ("turn", "phase", "side", "unit", "over"):
        yield f"clock.{key}", {"clock": {key: value}}
    yield "data.x", {"data": {"x": value}}
    yield "data.explosives", {"data": {"explosives": value}}
    for key in _EVENT:
        yield f"events.{key}", {"events": [{key: value}]}
    for key in _ASKED:
        yield f"asked.{key}", {"asked": [{key: value}]}
    yield "legal", {"legal": [value]}
    yield "refused.order", {"refused": [{"order": value}]}
    yield "refused.clause", {"refused": [{"order": "a done", "clause": value}]}
    yield "dice_left", {"dice_left": value}
    yield "reach.unit", {"reach": [{"unit": value}]}
    for key in _REACH:
        listed = [value] if key in ("includes", "excludes") else value
        yield f"reach.{key}", {"reach": [{"unit": "a", key: listed}]}
    for key in ("at", "cost", "heading"):
        yield f"reach.includes.{key}", {"reach": [{"unit": "a", "includes": [{"at": end, key: value}]}]}
        yield f"reach.b.includes.{key}", {"reach": [{"unit": "b", "includes": [{"at": [4, 2], key: value}]}]}


def all_cases() -> list[tuple[str, str, str, dict[str, Any]]]:
    """Return every case: rulebook, field, value as text, and the scenario as plain data."""
    found = []
    for ruleset, scene in SCENES.items():
        for value in VALUES:
            for field, expected in expectations(value, scene["ends"]):
                head = {"format": 1, "ruleset": ruleset, "board": scene["board"], "units": scene["units"]}
                found.append((ruleset, field, json.dumps(value), {**head, "turns": [[]], "expect": expected}))
            for field in ("cost", "refused", "answers"):
                order = {"order": scene["order"], field: value}
                head = {"format": 1, "ruleset": ruleset, "board": scene["board"], "units": scene["units"]}
                found.append((ruleset, f"order.{field}", json.dumps(value), {**head, "turns": [[order]]}))
    return found


def some_cases(count: int, seed: int) -> list[tuple[str, str, str, dict[str, Any]]]:
    """Return a seeded choice of the cases."""
    return random.Random(seed).sample(all_cases(), count)


def verdict(document: dict[str, Any]) -> str:
    """Read a scenario and play it: `faulty`, `met` or `not met`; whatever else is raised is a bug."""
    try:
        scenario = parse_scenario(json.dumps(document, indent=1))
    except FileError:
        return "faulty"
    return "met" if scenario.run().ok else "not met"
