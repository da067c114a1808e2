"""Types of units, and what each has of its own: fields with a default, a clause, and the values that they may have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.constraints import Constraint
from simulator.engine.errors import OptionError
from simulator.engine.options import text_of
from simulator.engine.values import Fields, Value, freeze, is_same, show
from simulator.wording import did_you_mean

#: Stands for "this field has to be given".
REQUIRED = object()


@dataclass(frozen=True, slots=True)
class FieldSpec:
    """A field of a unit type: its default, the clause that speaks of it, and the values it may have.

    They are listed, or where there is no end of them, described by `wants` (see `constraints`).
    """

    default: Any = REQUIRED
    values: tuple[Any, ...] = ()
    clause: str = ""
    about: str = ""
    wants: Constraint | None = None

    def read(self, given: Any) -> Value:
        """Return the value that is meant by a plain value; raises ValueError or TypeError with what would be right."""
        value = freeze(given)
        if self.values:
            for known in self.values:
                if is_same(known, value):
                    return known  # type: ignore[no-any-return]
            raise ValueError(f"no such value; {did_you_mean(text_of(value), map(text_of, self.values))}")
        if self.wants is not None and not self.wants.fits(value):
            clause = f" ({self.clause})" if self.clause else ""
            raise ValueError(f"wants {self.wants.about}, not {show(value)}{clause}")
        return value


@dataclass(frozen=True)
class UnitType:
    """A type of unit and its fields."""

    name: str
    fields: Mapping[str, FieldSpec] = field(default_factory=dict)
    about: str = ""
    #: Whether a unit of this type has a heading wherever it stands.
    faces: bool = False

    def filled(self, given: Mapping[str, Any], path: str = "") -> Fields:
        """Return all fields of a unit of this type; raises OptionError with every fault."""
        values: dict[str, Any] = {}
        faults = [
            f"{name}: no such field of a {self.name}; {did_you_mean(name, self.fields)}"
            for name in given
            if name not in self.fields
        ]
        for name, spec in self.fields.items():
            if name not in given and spec.default is REQUIRED:
                faults.append(f"{name}: has to be given for a {self.name}")
                continue
            try:
                values[name] = spec.read(given[name]) if name in given else freeze(spec.default)
            except (TypeError, ValueError) as error:
                faults.append(f"{name}: {error}")
        if faults:
            raise OptionError("\n".join(faults), path)
        return Fields(values)
