"""A figure of a rulebook's tables as a text, written as under `tables` of a scenario."""

from __future__ import annotations

from typing import Any

from simulator.engine.values import Value
from simulator.formats import strict_yaml
from simulator.formats.faults import Faults
from simulator.formats.scenario_values import exact
from simulator.formats.strict_yaml import Node


def figure_of_text(text: str) -> Value:
    """Return the figure that a text means; raise ValueError if it means none.

    >>> figure_of_text("2.5"), figure_of_text("5/2"), figure_of_text("cant"), figure_of_text("[1, 2]")
    (Fraction(5, 2), Fraction(5, 2), 'cant', (1, 2))
    """
    faults = Faults("")
    root = strict_yaml.load(f"figure: {text}\n", faults) if text.strip() and text.isprintable() else None
    keys = root.value if root is not None and not faults else {}
    if set(keys) != {"figure"} or keys["figure"].value is None:
        raise ValueError(f"{text!r} is not a figure: a number, a word, true or false, or a list such as [1, 2]")
    return exact(_plain(keys["figure"]))


def _plain(node: Node) -> Any:
    if isinstance(node.value, list):
        return [_plain(item) for item in node.value]
    if isinstance(node.value, dict):
        return {key: _plain(item) for key, item in node.value.items()}
    return node.value
