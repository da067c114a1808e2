"""The figures of the tables, and the constraints on their replacements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib import resources
from typing import Any, ClassVar, Self

from simulator.engine.constraints import DICE, WORD, WORDS, Constraint, is_number, number_value, whole_value
from simulator.engine.errors import OptionError
from simulator.engine.tables import Tables
from simulator.rulesets.mecha.options import MOBILITIES
from simulator.rulesets.mecha.terrain import TERRAIN_OF
from simulator.wording import did_you_mean

#: The word of a rate for ground that a unit may not be in, and that of a limit for no jump at all.
CANT, NEVER = "cant", "never"

_RATE = Constraint(
    f"movement points for an inch, 0 or more, or {CANT}",
    lambda value: value == CANT or (is_number(value) and 0 <= value <= 1000),
)
_TERRAINS = Constraint(
    "a list of movement terrains", lambda value: isinstance(value, tuple) and all(isinstance(one, str) for one in value)
)
_ASCENDING = Constraint(
    "a list of ascending numbers, 0 or more",
    lambda value: (
        isinstance(value, tuple)
        and bool(value)
        and all(is_number(one) and one >= 0 for one in value)
        and list(value) == sorted(set(value))
    ),
)
_JUMP = Constraint(
    f"a whole number of size classes, or {NEVER}",
    lambda value: value == NEVER or (is_number(value) and value == int(value)),
)
#: The Move Actions of the table: each has a price in AP, which are whole.
_ACTIONS = (
    *("standard", "run", "climb", "break_away", "jump", "manoeuvre", "enter_unit", "unload", "exit_unit", "charge"),
    "straighten_up",
)
_AP = whole_value(0, 100)
_FACTOR = number_value("a factor", above=0, most=100)
_MODIFIER = whole_value(-99, 99)


class MechaTables(Tables):
    """The tables of mecha: figures that make no sense are rejected where a scenario sets them."""

    wants: ClassVar[Mapping[str, Constraint]] = {
        "action": number_value("a number", least=0, most=100),
        **{f"action.{action}.ap": _AP for action in _ACTIONS},
        "move_table": _RATE,
        "deep_water": WORD,
        "feature_bands": _ASCENDING,
        "feature_table": _TERRAINS,
        "travel": _FACTOR,
        "piece": number_value("a number of inches", above=0, most=10),
        "turn": number_value("a number", above=0, most=180),
        "free_turn": number_value("a number of degrees", least=0, most=180),
        "pass.size_classes": whole_value(0, 99),
        "pass.types": WORDS,
        "run": number_value("a number of Moves", least=0, most=2),
        "climb": whole_value(0, 99),
        "jump": _JUMP,
        "attack_of_opportunity": whole_value(0, 99),
        "pinned": number_value("a share of the Move", least=0, most=1),
        "carrier": number_value("a number", above=0, most=99),
        "charge": _MODIFIER,
        "fall": DICE,
        "height_table.up_to": _ASCENDING,
        "height_table.further": number_value("a number of inches", above=0, most=100),
        "low_top": number_value("a share", least=0, most=1),
    }

    def override(self, changes: Mapping[str, Any]) -> Self:
        """Return the tables with some figures replaced; raise OptionError where they do not fit each other."""
        tables = super().override(changes)
        if faults := [*_uneven(tables), *_columns(tables), *_mobility_types(tables), *_terrains(tables)]:
            raise OptionError("\n".join(faults))
        return tables


def _uneven(tables: Tables) -> Iterator[str]:
    """Yield the features that do not have a terrain for each band of size classes."""
    bands = len(tables["feature_bands.up_to"]) + 1
    for feature, terrains in tables["feature_table"].items():
        if len(terrains) != bands:
            yield f"feature_table.{feature}: expected a terrain for each of {bands} bands of size classes"


def _columns(tables: Tables) -> Iterator[str]:
    """Yield the columns of the move table that lack one of the printed rows (ME-12)."""
    for mobility, column in tables["move_table"].items():
        lacking = [row for row in TABLES["move_table.walker"] if row not in column]
        if lacking:
            other = "" if mobility in MOBILITIES else f"; {did_you_mean(mobility, MOBILITIES)}"
            message = f"move_table.{mobility}: a column has figures for all movement terrains"
            yield f"{message}, also for {', '.join(lacking)} (ME-12){other}"


def _mobility_types(tables: Tables) -> Iterator[str]:
    """Yield the figures of mobility types that have no column in the move table (ME-12)."""
    known = dict.fromkeys([*MOBILITIES, *tables["move_table"]])
    for table in ("deep_water", "free_turn", "jump"):
        for name in tables[table]:
            if name not in known and (table, name) != ("deep_water", "others"):
                yield f"{table}.{name}: no such mobility type in move_table (ME-12); {did_you_mean(name, known)}"


def _terrains(tables: Tables) -> Iterator[str]:
    """Yield the movement terrains of features and of deep water that have no row in the move table (ME-12)."""
    rows = dict.fromkeys(row for column in tables["move_table"].values() for row in column)
    named = [(f"feature_table.{name}", word) for name, words in tables["feature_table"].items() for word in words]
    named = [one for one in named if one[1] not in TERRAIN_OF]
    for path, word in [*named, *((f"deep_water.{name}", word) for name, word in tables["deep_water"].items())]:
        if word not in rows:
            yield f"{path}: no movement terrain {word!r} in move_table (ME-12); {did_you_mean(word, rows)}"


TABLES = MechaTables.from_toml(resources.files(__package__).joinpath("tables.toml").read_text(encoding="utf-8"))
