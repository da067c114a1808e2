"""The figures of the tables and their valid values: a scenario can replace each, and invalid values are reported."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib import resources
from typing import Any

from simulator.byte_cache import kept
from simulator.engine.clauses import clause
from simulator.engine.dice import Dice, one_die, plain_dice
from simulator.engine.errors import Breach
from simulator.engine.tables import Tables
from simulator.engine.values import show

TABLES = Tables.from_toml(resources.files(__package__).joinpath("tables.toml").read_text(encoding="utf-8"))

ACTION_KINDS = ("none", "free", "simple", "complex")
#: A distance in squares, or a multiple of Str.
_LIMIT = r"(?:\d+|(?:\d+(?:\.\d+)?)?S)"
_CELL = re.compile(rf"-|(?:to |{_LIMIT}-)?{_LIMIT}")
#: For each table of single figures their least value, and whether halves are allowed.
_LEAST = {
    "m1_labels": (0, False),
    "sprint.per_hit": (0, True),
    "charge_distance": (0, False),
    "simple_actions": (0, False),
    "metres": (0, True),
    "in_melee": (-99, False),
    "band_modifier": (-99, False),
}


@clause("GR-32", "GR-64")
def pool(tables: Tables, dice: int) -> str:
    """Return the dice of a test with a pool of `dice`, which counts its hits."""
    return f"{dice}{tables['test.die']}>={tables['test.hit_on']}"


@kept(megabytes=4)
def table_faults(tables: Tables) -> tuple[Breach, ...]:
    """Return all faults of the figures that were replaced."""
    return tuple(
        Breach(tables.clause(path), f"{path}: {requirement} required, not {show(tables[path])}")
        for path in tables.overrides
        for requirement in _unmet(tables, path)
    )


def _unmet(tables: Tables, path: str) -> Iterator[str]:
    """Yield the unmet requirements of a figure, nothing if it is valid. A whole table is checked line by line."""
    figure = tables[path]
    if isinstance(figure, Mapping):
        yield from (f"{name} is also" for name in TABLES[path] if name not in figure)
        inner = [(f"{path}.{name}", name) for name in figure]
        yield from (f"{name}: {requirement}" for deeper, name in inner for requirement in _unmet(tables, deeper))
        return
    if path.startswith("allotment_table."):
        passes = int(path[-1])
        if not (len(figure) == passes and all(_is_number(one, 0) for one in figure)):
            yield f"{passes} whole numbers, one for each pass, are"
    elif path.startswith(("weapon_range.", "rescaled_range.")):
        if not (len(figure) == 4 and all(isinstance(cell, str) and _CELL.fullmatch(cell) for cell in figure)):
            yield "four bands (such as 0-5, to 10S, 7, or - for one left out) are"
    elif path.startswith("action_kind."):
        if figure not in ACTION_KINDS:
            yield f"one of {', '.join(ACTION_KINDS)} is"
    elif path == "test.hit_on":
        die = tables["test.die"]
        if not (_is_number(figure, 2) and (one_die(die) or figure <= Dice.of(die).sides)):
            yield f"a number on a {die} from 2 on is"
    elif path == "test.die":
        if requirement := one_die(figure):
            yield f"{requirement} is"
        elif _is_number(tables["test.hit_on"], 2) and tables["test.hit_on"] > Dice.of(figure).sides:
            yield f"a die that shows test.hit_on, {show(tables['test.hit_on'])}, is"
    elif path == "blast.dice":
        if requirement := plain_dice(figure):
            yield f"{requirement} are"
    else:
        for table, (least, halves) in _LEAST.items():
            if path.startswith(f"{table}.") and not _is_number(figure, least, halves):
                yield f"a {'' if halves else 'whole '}number from {least} on is"


def _is_number(value: Any, least: int, halves: bool = False) -> bool:
    """Whether a figure is a number from `least` on, whole unless halves are allowed."""
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction)):
        return False
    return bool(value >= least and (halves or value == int(value)))
