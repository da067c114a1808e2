"""What units and options are that the move table of a game does not know: no game begins with them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from simulator.engine.clauses import clause
from simulator.engine.state import Unit
from simulator.rulesets.mecha.elevated import MechaSetting, inch_table, is_elevated
from simulator.rulesets.mecha.options import MOBILITIES
from simulator.rulesets.mecha.rates import is_feature, row_of, terrain_of
from simulator.rulesets.mecha.units import mobility_of
from simulator.wording import did_you_mean


@clause("ME-12", "ME-22")
def setting_faults(setting: MechaSetting, units: Sequence[Unit]) -> Iterator[tuple[tuple[str, ...], str]]:
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
