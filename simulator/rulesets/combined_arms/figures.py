"""The figures of the tables, and the constraints on their replacements."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from importlib import resources
from typing import Any, ClassVar, Self

from simulator.engine.constraints import DICE, Constraint, is_number, number_value, whole_value
from simulator.engine.errors import OptionError
from simulator.engine.tables import Tables

#: The word for no way in the terrain matrix, and that for no limit.
IMPASSABLE, NO_LIMIT = "X", "none"
#: The columns of the terrain matrix; prices of rotations have a row for each.
COLUMNS = (
    *("on_foot", "powered_armor", "gravpack", "jetpack", "crew_weapon"),
    *("grav", "hover", "thruster", "tracked", "walker", "wheeled", "aircraft"),
)
BANDS = ("stationary", "slow", "moderate", "fast")

_LIMITS = Constraint(
    "a list of ascending degrees above 0, the last one 180",
    lambda value: (
        isinstance(value, tuple)
        and all(is_number(limit) and limit > 0 for limit in value)
        and value[-1:] == (180,)
        and list(value) == sorted(set(value))
    ),
)


def share(value: Any) -> Fraction:
    """Return a share or rate of the tables: a number, or the text of a fraction.

    >>> share("1/6"), share(2)
    (Fraction(1, 6), Fraction(2, 1))
    """
    return Fraction(value)


def _is_share(value: Any) -> bool:
    try:
        return not isinstance(value, bool) and share(value) >= 0
    except (TypeError, ValueError, ZeroDivisionError):
        return False


_SHARE = Constraint("a share such as 1/6, 0 or more", _is_share)
_SHARES = Constraint(
    "a list of shares such as 1/6", lambda value: isinstance(value, tuple) and all(map(_is_share, value))
)
_TERRAIN = Constraint(
    f"a multiplier above 0, such as 1/2, or {IMPASSABLE}",
    lambda value: value == IMPASSABLE or (_is_share(value) and share(value) > 0),
)
_LIMIT = Constraint(
    f"a number of inches, 0 or more, or {NO_LIMIT}", lambda value: value == NO_LIMIT or _is_inches(value)
)
_BANDS = Constraint("a list of speed bands", lambda value: isinstance(value, tuple) and set(value) <= set(BANDS))
_RATE = whole_value(1, 1000)
_TRUTH = Constraint("true or false", lambda value: isinstance(value, bool))


def _is_inches(value: Any) -> bool:
    return is_number(value) and value >= 0


class CombinedArmsTables(Tables):
    """The tables of combined_arms: figures that make no sense are rejected where a scenario sets them."""

    wants: ClassVar[Mapping[str, Constraint]] = {
        "infantry_rate": _RATE,
        "crew_weapon_rate": _RATE,
        "vehicle_rate": Constraint("a multiple of 6 inches above 0", lambda value: is_multiple_of_six(value)),
        "travel": number_value("a factor", above=0, most=100),
        **{f"turn.{preset}.{who}.up_to": _LIMITS for preset in ("default", "linear") for who in COLUMNS},
        "turn": _SHARES,
        "terrain": _TERRAIN,
        "weather": _TRUTH,
        "height": number_value("a number of inches", least=0, most=1000),
        "altitude_limit": _LIMIT,
        "clearance": number_value("a number of inches", above=0, most=1000),
        "speed_band": _SHARE,
        "rotation_band.up_to": _LIMITS,
        "rotation_band.band": _BANDS,
        "firer_factor": whole_value(-99, 99),
        "target_factor": whole_value(-99, 99),
        "overrun.size_classes": whole_value(0, 99),
        "overrun.factor": number_value("a factor", least=1, most=100),
        "foxhole": _SHARE,
        "size_class": whole_value(0, 99),
        "weight_class": whole_value(0, 99),
        "transport": whole_value(0, 3),
        "hit.dice": DICE,
        "hit.needed": whole_value(-99, 99),
        "sight": number_value("a number of inches", least=0, most=1000),
    }

    def override(self, changes: Mapping[str, Any]) -> Self:
        """Return the tables with some figures replaced; raise OptionError where lists side by side differ in length."""
        tables = super().override(changes)
        if faults := list(_uneven(tables)):
            raise OptionError("\n".join(faults))
        return tables


def is_multiple_of_six(value: Any) -> bool:
    """Whether a value is an undamaged rate of a vehicle, of which sixths and thirds are whole (CA-25)."""
    return is_number(value) and value > 0 and Fraction(value) % 6 == 0


def _uneven(tables: Tables) -> Iterator[str]:
    """Yield the brackets with more limits than entries, or fewer, and prices of turns that fall."""
    rows = [(f"turn.{preset}.{who}", "share") for preset in tables["turn"] for who in tables[f"turn.{preset}"]]
    for path, what in (*rows, ("rotation_band", "band")):
        limits, entries = tables[f"{path}.up_to"], tables[f"{path}.{what}"]
        if len(limits) != len(entries):
            yield f"{path}.{what}: expected an entry for each of {len(limits)} limits, not {len(entries)}"
        elif what == "share" and list(map(share, entries)) != sorted(map(share, entries)):
            yield f"{path}.{what}: expected shares that do not fall"


TABLES = CombinedArmsTables.from_toml(resources.files(__package__).joinpath("tables.toml").read_text(encoding="utf-8"))
