"""Options: choices that a rulebook leaves open, each declared once with its clause, values and default.

>>> class HouseRules(Options):
...     diagonal_parity_reset: str = option("GR-26", "pass", "turn", "never")
...     carry_over: bool = option("GR-20", False, True)
...     tree_cost: Number = number_option("CA-62", 1, least=0)
>>> rules = HouseRules(carry_over="true", tree_cost="0.5")
>>> rules.carry_over, rules.tree_cost, rules.diagonal_parity_reset
(True, Fraction(1, 2), 'pass')
>>> HouseRules(cary_over="true")
Traceback (most recent call last):
simulator.engine.errors.OptionError: cary_over: no such option; did you mean 'carry_over'? (known: carry_over, \
diagonal_parity_reset, tree_cost)
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, TypeVar, cast

from simulator.engine.constraints import is_number
from simulator.engine.errors import OptionError
from simulator.engine.orders import exact_number
from simulator.engine.values import Fields, Number, Value, freeze, is_same, to_text
from simulator.wording import did_you_mean

OptionsT = TypeVar("OptionsT", bound="Options")
T = TypeVar("T")
_ANY_NUMBER = exact_number()


@dataclass(frozen=True)
class Option:
    """One option: its clause or clauses, and its values, the default first."""

    clause: str
    default: Any
    values: tuple[Any, ...] = ()
    #: A "choice" from `values`, a "number", or a "list" of some of the `values`.
    kind: str = "choice"
    least: Any = None
    most: Any = None
    about: str = ""

    def read(self, raw: Any) -> Value:
        """Return the value meant by a text or a plain value; raise ValueError with the valid values."""
        if self.kind == "list":
            return self._several(raw)
        for value in self.values:
            if is_same(raw, value):
                return value  # type: ignore[no-any-return]
            if isinstance(raw, str) and raw.strip().casefold() == text_of(value).casefold():
                return value  # type: ignore[no-any-return]
        if self.kind == "number":
            return self._number(raw)
        raise ValueError(self._unknown(raw))

    def _number(self, raw: Any) -> Value:
        try:
            # A text is read like a number in an order: an exact 1e999999999 would fill the memory with its digits.
            number = _ANY_NUMBER.read(raw.strip()) if isinstance(raw, str) else freeze(raw)
        except (ValueError, TypeError, ZeroDivisionError):
            number = None
        if not is_number(number):
            raise ValueError(f"expected a number, not {raw!r}")
        if (self.least is not None and number < self.least) or (self.most is not None and number > self.most):
            bounds = [f"at least {self.least}"] * (self.least is not None) + [f"at most {self.most}"] * (
                self.most is not None
            )
            raise ValueError(f"expected {' and '.join(bounds)}, not {raw}")
        return number

    def _several(self, raw: Any) -> Value:
        parts = [part.strip() for part in raw.split(",") if part.strip()] if isinstance(raw, str) else raw
        if not isinstance(parts, (list, tuple)):
            raise ValueError(f"expected a list, not {raw!r}")
        for part in parts:
            if not isinstance(part, str):
                raise ValueError(f"expected a list of words, not {text_of(part)}")
            if self.values and part not in self.values:
                raise ValueError(self._unknown(part))
        return freeze(tuple(parts))

    def _unknown(self, raw: Any) -> str:
        texts = [text_of(value) for value in self.values]
        return f"{text_of(raw)!r} is not one of its values; {did_you_mean(text_of(raw), texts)}"


def text_of(value: Any) -> str:
    """Return the text of an option's value as written in a scenario: `true`, `null`, `2/3`, `printed`."""
    return value if isinstance(value, str) else to_text(freeze(value)).strip('"')


def option(clause: str, default: T, *others: T, about: str = "") -> T:
    """Declare a choice from a few values, the default first."""
    return cast(T, Option(clause, freeze(default), tuple(freeze(value) for value in (default, *others)), about=about))


def number_option(clause: str, default: Any, *others: Any, least: Any = None, most: Any = None, about: str = "") -> Any:
    """Declare a number, perhaps with some other values that are also allowed."""
    values = tuple(freeze(value) for value in (default, *others))
    return Option(clause, values[0], values, "number", least, most, about)


def list_option(clause: str, default: Iterable[str], known: Iterable[str] = (), about: str = "") -> Any:
    """Declare a list of names; with `known`, only of these."""
    return Option(clause, freeze(tuple(default)), tuple(known), "list", about=about)


class Options:
    """The options of a ruleset: derive, and declare each as a class attribute. Instances are immutable.

    They are read from values or from texts, as in a scenario or on the command line; all faults are reported together.
    """

    declared: ClassVar[Mapping[str, Option]] = {}
    _values: Fields

    def __init_subclass__(cls) -> None:
        own = {name: value for name, value in vars(cls).items() if isinstance(value, Option)}
        cls.declared = dict(sorted({**cls.declared, **own}.items()))

    def __init__(self, /, **settings: Any) -> None:
        # `self` is positional only, so that an option called `self` is refused like any other unknown one.
        faults = []
        values = {name: option.default for name, option in self.declared.items()}
        for name, value in settings.items():
            try:
                if name not in self.declared:
                    raise ValueError(f"no such option; {did_you_mean(name, self.declared)}")
                values[name] = self.declared[name].read(value)
            except ValueError as error:
                faults.append(f"{name}: {error}")
        if faults:
            raise OptionError("\n".join(faults), "")
        object.__setattr__(self, "_values", Fields(values))
        for name, value in self._values.items():
            object.__setattr__(self, name, value)

    @property
    def fields(self) -> Fields:
        """All options as plain data."""
        return self._values

    @property
    def changed(self) -> Fields:
        """The options that differ from their defaults."""
        return Fields({name: value for name, value in self._values.items() if value != self.declared[name].default})

    def put(self: OptionsT, **changes: Any) -> OptionsT:
        """Return the same options with some of them changed."""
        return type(self)(**{**self._values, **changes})

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"options cannot be changed; use put({name}=…)")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Options) and type(other) is type(self) and self._values == other._values

    def __hash__(self) -> int:
        return hash(self._values)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{name}={value!r}' for name, value in self.changed.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), dict(self.changed))


def _rebuild(kind: type[Options], changed: dict[str, Any]) -> Options:
    return kind(**changed)


__all__ = ["Number", "Option", "Options", "OptionsT", "list_option", "number_option", "option", "text_of"]
