"""Types of units and their fields, each with a default, a clause, and its valid values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.constraints import Constraint
from simulator.engine.errors import OptionError
from simulator.engine.options import text_of
from simulator.engine.values import Fields, Value, freeze, is_same, show
from simulator.wording import did_you_mean, with_article

#: The default of required fields.
REQUIRED = object()


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field of a unit type: its default, its clause, and its valid values.

    The values are listed, or described by `wants` if they cannot be listed (see `constraints`). With both, those listed
    are the usual ones, and the figures of a game may know others.
    """

    default: Any = REQUIRED
    values: tuple[Any, ...] = ()
    clause: str = ""
    about: str = ""
    wants: Constraint | None = None

    def read(self, raw: Any) -> Value:
        """Return the value that a plain value means; raise ValueError or TypeError with the valid values."""
        value = freeze(raw)
        if self.values:
            for known in self.values:
                if is_same(known, value):
                    return known  # type: ignore[no-any-return]
            if self.wants is None:
                raise ValueError(f"no such value; {did_you_mean(text_of(value), map(text_of, self.values))}")
        if self.wants is not None and not self.wants.fits(value):
            clause = f" ({self.clause})" if self.clause else ""
            raise ValueError(f"expected {self.wants.about}, not {show(value)}{clause}")
        return value


@dataclass(frozen=True)
class UnitType:
    """A type of unit and its fields."""

    name: str
    fields: Mapping[str, FieldSpec] = field(default_factory=dict)
    about: str = ""
    #: Whether a unit of this type always has a heading on the board.
    faces: bool = False

    def filled(self, known: Mapping[str, Any], path: str = "") -> Fields:
        """Return all fields of a unit of this type, missing ones by default; raise OptionError with every fault."""
        values: dict[str, Any] = {}
        faults = [
            f"{name}: no such field of {with_article(self.name)}; {did_you_mean(name, self.fields)}"
            for name in known
            if name not in self.fields
        ]
        for name, spec in self.fields.items():
            if name not in known and spec.default is REQUIRED:
                faults.append(f"{name}: is required for {with_article(self.name)}")
                continue
            try:
                values[name] = spec.read(known[name]) if name in known else freeze(spec.default)
            except (TypeError, ValueError) as error:
                faults.append(f"{name}: {error}")
        if faults:
            raise OptionError("\n".join(faults), path)
        return Fields(values)
