"""Orders of players, as objects and as text that reads like the rulebook.

    A2 run: forward 4, left 45, forward 3
    A2 charge B1: forward 6
    A2 move to 12,8 facing 90 via 3,4
    A2 done

An order names the unit that acts, the action with its arguments, and then either its elements one by one or a goal,
which the ruleset's planner converts to elements. A ruleset declares its actions and elements, with their arguments, as
a `Vocabulary`; `reading` does the rest.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property
from typing import Any, Literal

from simulator.engine.errors import either
from simulator.engine.values import NO_FIELDS, Fields, freeze, to_text
from simulator.geometry.angles import COMPASS, heading_from_text, normalise
from simulator.geometry.poses import Pose
from simulator.wording import did_you_mean

#: The form of names of units, sides, actions and elements.
NAME = re.compile(r"[^\W\d]\w*(?:-\w+)*")


def is_name(text: str) -> bool:
    """Whether a text can name a unit, an action or an element: letters, digits, _ and -, a letter first."""
    return NAME.fullmatch(text) is not None


# --- orders as objects ---


@dataclass(frozen=True, slots=True)
class Element:
    """One elementary move of an order: `forward 4`.

    >>> Element("forward", {"length": 4})["length"]
    4
    """

    name: str
    args: Mapping[str, Any] = NO_FIELDS

    def __post_init__(self) -> None:
        object.__setattr__(self, "args", Fields(self.args))

    def __getitem__(self, name: str) -> Any:
        return self.args[name]

    def get(self, name: str, otherwise: Any = None) -> Any:
        """Return an argument, or a substitute if it is missing."""
        return self.args.get(name, otherwise)


@dataclass(frozen=True, slots=True)
class Goal:
    """The goal of an order, to which the planner finds the way: a place, a heading, a level, waypoints."""

    place: tuple[Any, ...]
    heading: Any = None
    via: tuple[tuple[Any, ...], ...] = ()
    level: Any = None

    def __post_init__(self) -> None:
        for name in ("place", "heading", "via"):
            object.__setattr__(self, name, freeze(getattr(self, name)))

    @property
    def pose(self) -> Pose:
        """The goal as a pose."""
        return Pose(self.place, self.heading, self.level)

    def to_fields(self) -> dict[str, Any]:
        """Return the goal as plain data, with a level only if it names one."""
        level = {} if self.level is None else {"level": self.level}
        return {"place": self.place, "heading": self.heading, "via": self.via} | level


@dataclass(frozen=True, slots=True)
class Order:
    """An order of a player. `unit` acts; for `done` it may also be a side or `all`."""

    unit: str
    action: str
    elements: Sequence[Element] = ()
    args: Mapping[str, Any] = NO_FIELDS
    goal: Goal | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "elements", tuple(self.elements))
        object.__setattr__(self, "args", Fields(self.args))

    def __getitem__(self, name: str) -> Any:
        return self.args[name]

    def get(self, name: str, otherwise: Any = None) -> Any:
        """Return an argument of the action, or a substitute if it is missing."""
        return self.args.get(name, otherwise)

    @property
    def words(self) -> tuple[str, ...]:
        """The unit that acts and every text in the order; they include all units that it names."""
        if not self.args and not self.elements:
            return (self.unit,)
        arguments = [self.args, *(element.args for element in self.elements)]
        values = [value for args in arguments for value in args.values()]
        parts = [part for value in values for part in (value if isinstance(value, tuple) else (value,))]
        return (self.unit, *(part for part in parts if isinstance(part, str)))

    def to_fields(self) -> Fields:
        """Return the order as plain data."""
        goal = self.goal and self.goal.to_fields()
        return Fields(
            {
                "unit": self.unit,
                "action": self.action,
                "args": self.args,
                "elements": tuple((element.name, element.args) for element in self.elements),
                "goal": goal,
            }
        )

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> Order:
        """Rebuild the order from its data."""
        goal = fields["goal"]
        return cls(
            fields["unit"],
            fields["action"],
            tuple(Element(name, args) for name, args in fields["elements"]),
            fields["args"],
            None if goal is None else Goal(**goal),
        )


# --- declarations of rulesets ---


@dataclass(frozen=True)
class Kind:
    """A kind of argument: its pattern, how it is read and written, and its description."""

    about: str
    pattern: re.Pattern[str]
    read: Callable[[str], Any]
    write: Callable[[Any], str]
    #: Valid words, for "did you mean".
    words: tuple[str, ...] = ()
    #: Whether the word has to be a unit on the table.
    is_unit: bool = False
    #: Whose unit that has to be, as seen from the unit of the order; "": anybody's.
    whose: Literal["", "enemy", "friend"] = ""
    #: Whether it names a place; `places` adds other ways to name one.
    is_place: bool = False
    #: A valid text, for examples of orders; kinds of units are filled in from the table.
    example: str = ""


_NUMBER = r"[+-]?(?:\d{1,400}/\d{1,400}|(?:\d{1,30}(?:\.\d{0,30})?|\.\d{1,30})(?:[eE][+-]?\d{1,3})?)"
_INCHES = ('"', "inches", "inch", "in")
_DEGREES = ("°", "degrees", "degree", "deg")


def _between(value: Any, least: Any, most: Any) -> Any:
    if least is not None and value < least:
        raise ValueError(f"{least} or more")
    if most is not None and value > most:
        raise ValueError(f"{most} or less")
    return value


def _read_exact(text: str) -> Fraction | int:
    mantissa, _, exponent = text.lower().partition("e")
    # An exact 1e999 would have a thousand digits.
    if exponent and abs(int(exponent)) > 40:
        raise ValueError("a number with an exponent from -40 to 40")
    number = Fraction(mantissa) * Fraction(10) ** int(exponent or 0)
    return number.numerator if number.denominator == 1 else number


def _write_exact(value: Any) -> str:
    number = Fraction(value)
    millionths = number * 10**6
    if number.denominator > 1 and millionths.denominator == 1:
        sign, digits = "-" if number < 0 else "", f"{abs(millionths.numerator):07d}"
        return f"{sign}{digits[:-6]}.{digits[-6:].rstrip('0')}"
    return str(number)


def _write_whole(value: Any) -> str:
    if not math.isfinite(value) or value != int(value):
        raise ValueError(f"{value} is not a whole number")
    return str(int(value))


def _write_float(value: Any) -> str:
    text = repr(float(value) + 0.0)
    return text.removesuffix(".0")


def _example(usual: int, least: Any, most: Any) -> str:
    """Return a number within limits as an example: the usual one, or the limit that it exceeds."""
    low = usual if least is None else max(usual, math.ceil(least))
    return str(low if most is None else min(low, math.floor(most)))


def _sized(
    about: str, suffixes: tuple[str, ...], read: Callable[[str], Any], write: Callable[[Any], str], example: str
) -> Kind:
    endings = "|".join(re.escape(suffix) for suffix in suffixes)
    tail = rf"(?:\s?(?:{endings})(?!\w))?" if suffixes else ""
    pattern = re.compile(rf"({_NUMBER}){tail}(?![\w.])")

    def read_number(text: str) -> Any:
        found = pattern.fullmatch(text)
        if found is None:
            raise ValueError(about)
        return read(found.group(1))

    return Kind(about, pattern, read_number, write, example=example)


def exact_number(about: str = "a number", least: Any = None, most: Any = None, suffixes: Iterable[str] = ()) -> Kind:
    """Declare an exact number: `4`, `4.5` and `1/3` are read exactly."""
    example = _example(2, least, most)
    return _sized(about, tuple(suffixes), lambda text: _between(_read_exact(text), least, most), _write_exact, example)


def measured_number(about: str = "a number", least: Any = None, most: Any = None, suffixes: Iterable[str] = ()) -> Kind:
    """Declare a measured number: a float, written so that it is read back bit for bit."""

    def read(text: str) -> float:
        value = float(Fraction(text)) if "/" in text else float(text)
        if value in (float("inf"), float("-inf")):
            raise ValueError("a finite number")
        return float(_between(value, least, most)) + 0.0

    return _sized(about, tuple(suffixes), read, _write_float, _example(2, least, most))


def length(about: str = "a length in inches", least: Any = 0, most: Any = None, exact: bool = True) -> Kind:
    """Declare a length: `4`, `4.5`, `4 in`, `4"`."""
    kind = (exact_number if exact else measured_number)(about, least, most, _INCHES)
    return replace(kind, example=_example(4, least, most))


def angle(about: str = "an angle in degrees", least: Any = 0, most: Any = 360, exact: bool = True) -> Kind:
    """Declare an angle: `45`, `22.5°`, `45 degrees`."""
    kind = (exact_number if exact else measured_number)(about, least, most, _DEGREES)
    return replace(kind, example=_example(45, least, most))


def whole_number(about: str = "a whole number", least: int | None = None, most: int | None = None) -> Kind:
    """Declare a whole number."""
    pattern = re.compile(r"[+-]?\d{1,18}(?![\w./])")
    return Kind(
        about, pattern, lambda text: _between(int(text), least, most), _write_whole, example=_example(2, least, most)
    )


def word(*choices: str, about: str = "") -> Kind:
    """Declare a word from a list; without a list, any word."""
    listed = {choice.casefold(): choice for choice in choices}

    def read(text: str) -> str:
        if not choices:
            return text
        if text.casefold() not in listed:
            raise ValueError(about or either(choices))
        return listed[text.casefold()]

    example = choices[0] if choices else "word"
    return Kind(about or (either(choices) if choices else "a word"), NAME, read, str, words=choices, example=example)


def truth(about: str = "true or false") -> Kind:
    """Declare a truth value."""
    choice = word("true", "false", about=about)
    return replace(choice, read=lambda text: choice.read(text) == "true", write=to_text)


def unit_id(about: str = "a unit", whose: Literal["", "enemy", "friend"] = "") -> Kind:
    """Declare a unit on the table; `whose` it has to be is for the judge to say, and for examples to keep to."""
    return Kind(about, NAME, str, str, is_unit=True, whose=whose)


def place(about: str = "a place such as 12,8", whole: bool = False) -> Kind:
    """Declare a place: two numbers and a comma, whole ones for squares and dots, floats for tables."""
    number = whole_number() if whole else measured_number()
    digits = r"[+-]?\d{1,18}" if whole else _NUMBER
    pattern = re.compile(rf"({digits})\s*,\s*({digits})(?![\w./])")

    def read(text: str) -> tuple[Any, ...]:
        found = pattern.fullmatch(text)
        if found is None:
            raise ValueError(about)
        return tuple(number.read(part) for part in found.groups())

    def write(value: Any) -> str:
        return ",".join(number.write(part) for part in value)

    return Kind(about, pattern, read, write, is_place=True, example="12,8")


def piece_id(about: str) -> Kind:
    """Declare a piece of terrain: its id, in quotation marks if that is more than a word."""
    return Kind(
        about,
        re.compile(rf"""\"[^"]{{1,200}}\"|'[^']{{1,200}}'|{NAME.pattern}"""),
        lambda text: text[1:-1] if text[0] in "\"'" else text,
        lambda name: name if is_name(name) else f"'{name}'" if '"' in name else f'"{name}"',
        example="wall",
    )


def heading(about: str = "a heading: degrees, or a compass word such as north-east") -> Kind:
    """Declare a heading: degrees from 0 along +x, counter-clockwise, or a compass word."""
    degrees = measured_number(suffixes=_DEGREES)
    pattern = re.compile(rf"{degrees.pattern.pattern}|{NAME.pattern}")

    def read(text: str) -> float:
        return normalise(degrees.read(text)) if degrees.pattern.fullmatch(text) else heading_from_text(text)

    return Kind(about, pattern, read, _write_float, words=("north", "east", "south", "west", *COMPASS), example="90")


def level(about: str = "a level: its name or a whole number") -> Kind:
    """Declare a level: a name such as roof, or a whole number."""
    number = whole_number()
    pattern = re.compile(rf"{number.pattern.pattern}|{NAME.pattern}")

    def read(text: str) -> str | int:
        return int(text) if number.pattern.fullmatch(text) else text

    return Kind(about, pattern, read, str, example="1")


@dataclass(frozen=True, slots=True)
class Arg:
    """An argument of an action or element. A `word` precedes its value: `facing 90`.

    Arguments without a word come first, in sequence; those with a word may come in any order. `many` takes one or more
    values and returns a tuple.
    """

    name: str
    kind: Kind
    word: str = ""
    optional: bool = False
    many: bool = False


@dataclass(frozen=True)
class Form:
    """An element as the ruleset declares it: its name, its arguments, and its clause."""

    name: str
    args: Sequence[Arg] = ()
    clause: str = ""
    about: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "args", tuple(self.args))
        if not is_name(self.name):
            raise ValueError(f"{self.name!r} is not a name for an action or element")
        bare = [arg for arg in self.args if not arg.word]
        if any(arg.optional or arg.many for arg in bare[:-1]):
            raise ValueError(f"{self.name}: only the last argument without a word can be optional or many")


@dataclass(frozen=True)
class ActionForm(Form):
    """An action as the ruleset declares it: a form with its elements, and whether a goal can replace them."""

    elements: Sequence[str] = ()
    #: The least number of elements.
    least: int = 0
    goal: bool = False
    #: Ordered out of turn by the game master: it neither begins nor ends a go.
    aside: bool = False


#: The actions of the clock under every ruleset: `all begin`, `A2 done`, `red done`.
CLOCK_ACTIONS = (
    ActionForm("begin", about="starts the game; ordered for all"),
    ActionForm("done", about="ends the go of a unit, of a side, or of all"),
)


#: The kind of places for vocabularies that do not declare one.
ANY_PLACE = place()


@dataclass(frozen=True, eq=False)
class Vocabulary:
    """Everything that can be ordered under a ruleset. `default` is the action of an order that names none."""

    actions: Sequence[ActionForm]
    elements: Sequence[Form] = ()
    default: str = ""
    #: The kind of places; if not declared, that of the kind of board: whole numbers on squares and dots.
    goal_place: Kind = ANY_PLACE
    goal_heading: Kind = field(default_factory=heading)
    #: The kind of levels, if the rules have levels.
    goal_level: Kind | None = None
    #: Whether an order with a goal may name the heading there.
    goal_faces: bool = True

    def __post_init__(self) -> None:
        for name in ("actions", "elements"):
            forms = tuple(getattr(self, name))
            object.__setattr__(self, name, forms)
            names = [form.name for form in forms]
            if name == "actions":
                names += [form.name for form in CLOCK_ACTIONS]
            if len(set(names)) != len(names):
                raise ValueError(f"{name}: a name appears twice: {names}")
        for action in self.actions:
            for element in action.elements:
                if element not in self._elements:
                    hint = did_you_mean(element, self._elements)
                    raise KeyError(f"{action.name}: no element is declared as {element!r}; {hint}")
        if self.default and self.default not in self._actions:
            hint = did_you_mean(self.default, self._actions)
            raise KeyError(f"default: no action is declared as {self.default!r}; {hint}")

    @cached_property
    def _actions(self) -> Mapping[str, ActionForm]:
        return {form.name: form for form in (*self.actions, *CLOCK_ACTIONS)}

    @cached_property
    def _elements(self) -> Mapping[str, Form]:
        return {form.name: form for form in self.elements}

    def action(self, name: str) -> ActionForm:
        """Return an action by its name, those of the clock included; raise KeyError."""
        return self._actions[name]

    def element(self, name: str) -> Form:
        """Return an element by its name; raise KeyError."""
        return self._elements[name]
