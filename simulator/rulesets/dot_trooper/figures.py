"""The figures of the rulebook, checked as a whole when some are overridden.

The engine already checks an override figure by figure: a number for a number, a list for a list. This module checks
them together: every range has a lower end that is not above the upper one, every table has all its figures.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from importlib import resources
from typing import Any, Self

from simulator.engine.clauses import clause
from simulator.engine.dice import Dice, plain_dice
from simulator.engine.errors import OptionError
from simulator.engine.tables import Tables
from simulator.engine.values import Fields, show
from simulator.rulesets.dot_trooper.riding import MODES
from simulator.rulesets.dot_trooper.weapons import THROWN

#: Damage kinds of the rulebook.
KINDS = ("lethal", "bludgeoning", "explosive", "incendiary")
#: Cells of the HP row of a vehicle and of a trooper, the last one included.
VEHICLE_CELLS, TROOPER_CELLS = 13, 11
#: The fields of a weapon.
_WEAPON = ("class", "fire_ap", "damage", "kind", "range", "tn", "burst")
#: Figures that may be below 0: they are added to target numbers.
_SIGNED = ("handling", "signature", "modifier", "attack")
#: Figures that are at least 1: with less a movement would have no end, or no beginning.
_POSITIVE = ("least", "speed_multiplier", "drive", "dots_per_level", "standing", "prone")

Fault = tuple[str, str]


class DotTrooperTables(Tables):
    """The tables of dot_trooper: an invalid override is an OptionError that reports what would be valid."""

    def override(self, changes: Mapping[str, Any]) -> Self:
        """Return the tables with some figures replaced; raises OptionError with all faults at once."""
        tables = super().override(changes)
        faults = [f"{_overridden(path, changes)}: {message}" for path, message in _faults(self, tables)]
        if faults:
            raise OptionError("\n".join(dict.fromkeys(faults)))
        return tables


def _overridden(path: str, changes: Mapping[str, Any]) -> str:
    """Return the override that a fault comes from: the figure itself, or the table that contains it."""
    near = (key for key in changes if path == key or path.startswith(f"{key}.") or key.startswith(f"{path}."))
    return next(near, path)


def _faults(usual: Tables, tables: Tables) -> Iterator[Fault]:
    known = set(tables)
    missing = [path for path in usual if not path.startswith("weapon.") and path not in known]
    yield from ((path, f"is required, as in {show(usual[path])}") for path in missing)
    if missing:
        return
    for path in tables:
        if not path.startswith("weapon."):
            yield from _of_one(path, tables[path], usual.get(path))
    yield from _of_dice(tables)
    yield from _of_modes(tables)
    yield from _of_flights(tables)
    yield from _of_rows(tables)
    for name in tables["weapon"]:
        yield from _of_weapon(f"weapon.{name}", tables[f"weapon.{name}"])
    yield from _of_mounts(tables)


def _of_one(path: str, value: Any, usual: Any) -> Iterator[Fault]:
    """Check a single figure: a whole number of the right size, where the usual one is a number."""
    if usual is None:
        yield path, "no such figure"
    elif isinstance(usual, int) and not isinstance(usual, bool):
        parts = path.split(".")
        least = 1 if any(part in _POSITIVE for part in parts) else None if set(parts) & set(_SIGNED) else 0
        if path.startswith("check.attack."):
            least = 0
        yield from _whole(path, value, least)


def _whole(path: str, value: Any, least: int | None = 0) -> Iterator[Fault]:
    requirement = "a whole number" + ("" if least is None else f" of {least} or more")
    if not isinstance(value, int) or isinstance(value, bool) or (least is not None and value < least):
        yield path, f"expected {requirement}, not {show(value)}"


def _is_whole(*values: Any) -> bool:
    return all(isinstance(value, int) and not isinstance(value, bool) for value in values)


def _of_modes(tables: Tables) -> Iterator[Fault]:
    """Check the modes: each has a range of AP; ranges of different modes may leave gaps or overlap."""
    for mode in MODES:
        least, most = tables[f"mode.{mode}.least"], tables[f"mode.{mode}.most"]
        if _is_whole(least, most) and least > most:
            yield f"mode.{mode}.least", f"the range of {mode} begins at {least} AP and ends at {most}: no total fits"


def _of_dice(tables: Tables) -> Iterator[Fault]:
    """Check the dice: tests roll dice that add up; those that place damage show a cell of a vehicle."""
    for path in ("test.dice", "damage_cell.dice"):
        if requirement := plain_dice(tables[path]):
            yield path, f"expected {requirement}, not {show(tables[path])}"
    cells = tables["damage_cell.dice"]
    if not plain_dice(cells) and not 0 <= min(Dice.of(cells).chances) <= max(Dice.of(cells).chances) < VEHICLE_CELLS:
        yield "damage_cell.dice", f"expected dice that show a cell of a vehicle, 0 to {VEHICLE_CELLS - 1}, not {cells}"


def _of_flights(tables: Tables) -> Iterator[Fault]:
    least, most = tables["flight.least"], tables["flight.most"]
    if _is_whole(least, most) and least > most:
        yield "flight.least", f"no flight has at least {least} and at most {most} dots"


def _of_rows(tables: Tables) -> Iterator[Fault]:
    yield from row_faults("vehicle_hp_table", tables["vehicle_hp_table"])
    for row in ("ap", "modifier"):
        path, cells = f"trooper_hp_table.{row}", tables[f"trooper_hp_table.{row}"]
        yield from _of_cells(path, cells, TROOPER_CELLS, lambda cell: _is_whole(cell), "a whole number")


@clause("DT-40")
def row_faults(path: str, rows: Any) -> Iterator[Fault]:
    """Yield the faults of a vehicle's HP row (DT-40): 13 modes and 13 modifiers."""
    if not isinstance(rows, Fields) or set(rows) != {"max_mode", "modifier"}:
        yield path, "expected max_mode and modifier, each with 13 entries from HP 12 down to 0"
        return
    modes = ("none", *MODES)
    yield from _of_cells(
        f"{path}.max_mode", rows["max_mode"], VEHICLE_CELLS, lambda cell: cell in modes, f"one of {', '.join(modes)}"
    )
    yield from _of_cells(
        f"{path}.modifier", rows["modifier"], VEHICLE_CELLS, lambda cell: _is_whole(cell), "a whole number"
    )


def _of_cells(path: str, cells: Any, count: int, fits: Callable[[Any], bool], requirement: str) -> Iterator[Fault]:
    if not isinstance(cells, tuple) or len(cells) != count:
        yield path, f"expected {count} entries, one for each HP, not {show(cells)}"
    elif odd := [cell for cell in cells if not fits(cell)]:
        yield path, f"each entry has to be {requirement}, not {show(odd[0])}"


def _of_weapon(path: str, data: Any) -> Iterator[Fault]:
    missing = [name for name in _WEAPON if not isinstance(data, Fields) or name not in data]
    if missing:
        yield path, f"a weapon also has {', '.join(missing)}"
        return
    for name in ("fire_ap", "damage"):
        yield from _whole(f"{path}.{name}", data[name])
    if data["kind"] not in KINDS:
        yield f"{path}.kind", f"expected {', '.join(KINDS)}, not {show(data['kind'])}"
    ranges, tns = data["range"], data["tn"]
    lists = isinstance(ranges, tuple) and isinstance(tns, tuple) and _is_whole(*ranges, *tns)
    if not lists or not ranges or len(ranges) != len(tns) or list(ranges) != sorted(set(ranges)):
        yield f"{path}.range", "range and tn are lists of one length, the ranges ascending"
    blast = data.get("blast", ())
    if not isinstance(blast, tuple) or not _is_whole(*blast) or (data["class"] in THROWN and not blast):
        yield f"{path}.blast", "expected the damage at each distance from the centre: a list of whole numbers"
    if not isinstance(data["burst"], bool):
        yield f"{path}.burst", f"expected true or false, not {show(data['burst'])}"


def _of_mounts(tables: Tables) -> Iterator[Fault]:
    for name in tables["class"]:
        for weapon in tables[f"class.{name}.mounted"]:
            if weapon not in tables["weapon"]:
                yield f"class.{name}.mounted", f"there is no weapon {show(weapon)}"


TABLES = DotTrooperTables.from_toml(resources.files(__package__).joinpath("tables.toml").read_text(encoding="utf-8"))
