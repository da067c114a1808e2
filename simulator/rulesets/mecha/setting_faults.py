"""What of units and options no game begins with: words that the move table does not know, and overlaps of no base."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.rulesets.mecha.elevated import MechaSetting, inch_table, is_elevated
from simulator.rulesets.mecha.options import MOBILITIES
from simulator.rulesets.mecha.rates import is_feature, row_of, terrain_of
from simulator.rulesets.mecha.units import mobility_of
from simulator.wording import did_you_mean

_Faults: TypeAlias = Iterator[tuple[tuple[str, ...], str]]


def setting_faults(setting: MechaSetting, units: Sequence[Unit]) -> _Faults:
    """Yield all of them, each with its path in a scenario."""
    yield from _unknown_words(setting, units)
    yield from _too_wide_contact(setting, units)


@clause("ME-12", "ME-22", role="judge")
def _unknown_words(setting: MechaSetting, units: Sequence[Unit]) -> _Faults:
    """Yield the mobility types without a column, and the terrain on the table for which a column has no figure."""
    columns = setting.tables["move_table"]
    known = [*(name for name in MOBILITIES if name in columns), *(name for name in columns if name not in MOBILITIES)]
    for name in setting.options.sideways_types:
        if name not in columns and name not in MOBILITIES:
            yield ("options", "sideways_types"), f"{name!r} is not one of its values; {did_you_mean(name, known)}"
    pieces = inch_table(setting).pieces
    kinds = dict.fromkeys(one.kind for one in pieces if not is_elevated(one) and is_feature(setting.tables, one.kind))
    for unit in units:
        mobility = mobility_of(unit)
        if mobility not in columns:
            yield ("units", unit.id, "mobility"), f"no such value; {did_you_mean(mobility, known)}"
            continue
        for kind in kinds:
            terrain = terrain_of(setting.tables, kind, unit["size_class"])
            row = row_of(setting.tables, mobility, terrain)
            if row not in columns[mobility]:
                path = f"move_table.{mobility}.{row}"
                yield ("units", unit.id), f"there is no figure {path}, the ground that {kind} is for it (ME-12)"


@clause("ME-43", "ME-44", role="judge")
def _too_wide_contact(setting: MechaSetting, units: Sequence[Unit]) -> _Faults:
    """Yield that bases may overlap by more than one of them is wide, and not altogether: of that one nothing is left.

    What stands in the way of a base is another one, less by the overlap that is contact.
    """
    most = Fraction(setting.options.contact_tolerance)
    bases = sorted((Fraction(unit["base"]), unit.id) for unit in units)
    for (least, name), (base, other) in combinations(bases, 2):
        if least >= most:
            return
        if most < least + base:
            message = f"expected at most {float(least):g}, the radius of the base of {name}"
            if least + base <= 1:
                message += f", or at least {float(least + base):g}, those of {name} and {other} together"
            yield ("options", "contact_tolerance"), f"{message}, not {float(most):g} (ME-43)"
            return
