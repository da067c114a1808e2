"""Reading and writing orders in the words of a vocabulary. Unreadable text is marked, with the expected text.

>>> from simulator.engine.orders import ActionForm, Arg, Form, Vocabulary, angle, length
>>> words = Vocabulary(
...     actions=[ActionForm("run", elements=("forward", "left"), goal=True)],
...     elements=[Form("forward", [Arg("length", length())]), Form("left", [Arg("angle", angle())])],
... )
>>> order = read_order("A1 run: forward 4.5, left 45°", words)
>>> order.elements[0]["length"], write_order(order, words)
(Fraction(9, 2), 'A1 run: forward 4.5, left 45')
>>> read_order("A1 run: forward north", words)
Traceback (most recent call last):
simulator.engine.errors.UnreadableOrder: expected a length in inches, found 'north'
  A1 run: forward north
                  ^~~~~
  an order reads like 'A1 run: forward 4'
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, NoReturn

from simulator.engine.errors import UnreadableOrder, either
from simulator.engine.orders import CLOCK_ACTIONS, NAME, ActionForm, Arg, Element, Form, Goal, Kind, Order, Vocabulary
from simulator.engine.values import Fields, Value
from simulator.errors import WrongValue, shortened
from simulator.wording import did_you_mean

#: Longer texts are refused as orders.
MOST_CHARACTERS = 20_000
#: Only this many characters of a text are used for guessing what was meant.
_LONGEST_ADVICE = 500
_SPACE = re.compile(r"\s*")
_SPOT = re.compile(r"[^\s,:]+|.")


def read_order(text: str, vocabulary: Vocabulary, units: Collection[str] | None = None) -> Order:
    """Read an order; raise UnreadableOrder. With `units`, only these can be named.

    From a mapping of names to units, an example in advice takes one of the side that its order wants.
    """
    return _Reader(text, vocabulary, units).order()


def write_order(order: Order, vocabulary: Vocabulary) -> str:
    """Return an order as text that `read_order` reads back; raise UnreadableOrder if it does not fit the vocabulary."""
    understood = order.action == vocabulary.default and order.elements and not order.args
    parts = [order.unit] if understood else [order.unit, order.action]
    try:
        action = vocabulary.action(order.action)
    except KeyError:
        raise UnreadableOrder(" ".join(parts), len(order.unit) + 1, len(order.action), "an action") from None
    parts += _written_args(action, order.args)
    if order.goal:
        parts += ["to", vocabulary.goal_place.write(order.goal.place)]
        if order.goal.heading is not None:
            parts += ["facing", vocabulary.goal_heading.write(order.goal.heading)]
        if order.goal.level is not None:
            parts += ["level", str(order.goal.level)]
        if order.goal.via:
            parts += ["via", *(vocabulary.goal_place.write(place) for place in order.goal.via)]
    text = " ".join(parts)
    if order.elements:
        text += ": " + ", ".join(write_element(element, vocabulary) for element in order.elements)
    return text


def write_element(element: Element, vocabulary: Vocabulary) -> str:
    """Return one element as text: `left 45`."""
    try:
        form = vocabulary.element(element.name)
    except KeyError:
        known = did_you_mean(element.name, [form.name for form in vocabulary.elements])
        raise UnreadableOrder(element.name, 0, len(element.name), "an element", known) from None
    return " ".join([element.name, *_written_args(form, element.args)])


def checked(order: Order, vocabulary: Vocabulary, units: Collection[str] | None = None) -> Order:
    """Return an order that was built by hand as if it had been read, with the numbers in their proper form."""
    return read_order(write_order(order, vocabulary), vocabulary, units)


def _written_args(form: Form, args: Mapping[str, Any]) -> list[str]:
    parts: list[str] = []
    for name in args:
        if not any(name == arg.name for arg in form.args):
            known = did_you_mean(name, [arg.name for arg in form.args])
            raise UnreadableOrder(form.name, 0, len(form.name), f"no argument {name!r}", known)
    for arg in sorted(form.args, key=lambda arg: bool(arg.word)):
        if arg.name not in args:
            if not arg.optional:
                raise UnreadableOrder(form.name, len(form.name), 1, arg.kind.about)
            continue
        if arg.word:
            parts.append(arg.word)
        values = args[arg.name] if arg.many else (args[arg.name],)
        for value in values:
            try:
                parts.append(arg.kind.write(value))
            except (TypeError, ValueError):
                written = str(value)
                raise UnreadableOrder(
                    f"{form.name} {written}", len(form.name) + 1, len(written), arg.kind.about
                ) from None
    return parts


class _Reader:
    """Reads one order from left to right; `at` is the current position."""

    def __init__(self, text: str, vocabulary: Vocabulary, units: Collection[str] | None, advises: bool = True) -> None:
        if not isinstance(text, str):
            raise WrongValue(f"an order is a text or an Order, not {shortened(text)}")
        if len(text) > MOST_CHARACTERS:
            raise UnreadableOrder(text[:60], 0, 60, f"an order of at most {MOST_CHARACTERS} characters")
        self.text, self.vocabulary, self.units, self.advises = text, vocabulary, units, advises
        self.at = 0
        self._skip_space()

    # --- the order ---

    def order(self) -> Order:
        unit_at = self.at
        unit = self._word("a unit")
        default = self.vocabulary.default
        if default and self._next_is(":"):
            name = default
        else:
            known = [form.name for form in (*self.vocabulary.actions, *CLOCK_ACTIONS)]
            expected = "an action" + (" or a colon" if default else "")
            name = self._listed_word(expected, known, listed=True)
        action = self.vocabulary.action(name)
        if self.units is not None and unit not in self.units and action not in CLOCK_ACTIONS:
            self._fail("a unit on the table", did_you_mean(unit, self.units), at=unit_at, length=len(unit))
        args = self._args(action, also=("to",) if action.goal else ())
        goal = self._goal() if action.goal and self._take_word("to") else None
        elements: list[Element] = []
        if goal is None and action.elements and self._take(":"):
            elements = self.elements(action)
        elif not goal and action.least:
            choice = "a colon and then " + either(action.elements)
            self._fail(choice + (", or 'to' and a place" if action.goal else ""))
        self._end(action, goal)
        return Order(unit, action.name, tuple(elements), Fields(args), goal)

    def elements(self, action: ActionForm) -> list[Element]:
        if not action.elements:
            self._fail(f"nothing: {action.name} has no elements")
        found = [self._element(action)]
        while self._take(","):
            found.append(self._element(action))
        if self.at < len(self.text):
            self._fail("a comma or the end of the order")
        if len(found) < action.least:
            self._fail(f"at least {action.least} elements for {action.name}")
        return found

    def _element(self, action: ActionForm) -> Element:
        name = self._listed_word(either(action.elements), action.elements, listed=False)
        form = self.vocabulary.element(name)
        return Element(name, Fields(self._args(form)))

    def _goal(self) -> Goal:
        words = self.vocabulary
        place = words.goal_place
        found: dict[str, Any] = {"place": self._value(place)}
        while True:
            if words.goal_faces and "heading" not in found and self._take_word("facing"):
                found["heading"] = self._value(words.goal_heading)
            elif words.goal_level and "level" not in found and self._take_word("level"):
                found["level"] = self._value(words.goal_level)
            elif "via" not in found and self._take_word("via"):
                found["via"] = (self._value(place),)
                while self._looks_like(place):
                    found["via"] += (self._value(place),)
            else:
                return Goal(**found)

    def _end(self, action: ActionForm, goal: Goal | None) -> None:
        if self.at < len(self.text):
            if goal is not None:
                named = ["'facing'"] * self.vocabulary.goal_faces + ["'level'"] * bool(self.vocabulary.goal_level)
                self._fail(either([*named, "'via'", "the end of the order"]))
            words = [f"'{arg.word}'" for arg in action.args if arg.word] + (["'to'"] if action.goal else [])
            colon = ["a colon"] if action.elements else []
            self._fail(either([*colon, *words, "the end of the order"]))

    # --- arguments ---

    def _args(self, form: Form, also: tuple[str, ...] = ()) -> dict[str, Value]:
        announced = {arg.word: arg for arg in form.args if arg.word}
        found: dict[str, Value] = {}
        for arg in form.args:
            if not arg.word:
                self._bare_arg(arg, found, stop=(*announced, *also))
        while name := next((name for name in announced if self._take_word(name)), ""):
            arg = announced.pop(name)
            found[arg.name] = self._values(arg, (*announced, *also))
        for name, arg in announced.items():
            if not arg.optional:
                self._fail(f"{name!r} and then {arg.kind.about}")
        return found

    def _bare_arg(self, arg: Arg, found: dict[str, Value], stop: tuple[str, ...]) -> None:
        if arg.optional and (self._at_stop(stop) or not self._looks_like(arg.kind)):
            return
        found[arg.name] = self._values(arg, stop)

    def _values(self, arg: Arg, stop: tuple[str, ...]) -> Value:
        values = [self._value(arg.kind)]
        while arg.many and not self._at_stop(stop) and self._looks_like(arg.kind):
            values.append(self._value(arg.kind))
        return tuple(values) if arg.many else values[0]

    def _value(self, kind: Kind) -> Any:
        found = kind.pattern.match(self.text, self.at)
        if not found:
            self._fail(kind.about, _hint(self._spot(), kind))
        text = found.group()
        if kind.is_unit and self.units is not None and text not in self.units:
            self._fail(kind.about, did_you_mean(text, self.units), length=len(text))
        try:
            value = kind.read(text)
        except (ValueError, OverflowError, ZeroDivisionError) as error:
            hint = _hint(text, kind) if kind.words else str(error) if str(error) != kind.about else ""
            self._fail(kind.about, hint, length=len(text))
        self.at = found.end()
        self._skip_space()
        return value

    # --- words and signs ---

    def _word(self, expected: str) -> str:
        found = NAME.match(self.text, self.at)
        if not found:
            self._fail(expected)
        self.at = found.end()
        self._skip_space()
        return found.group()

    def _listed_word(self, expected: str, known: Collection[str], listed: bool) -> str:
        at = self.at
        name = self._word(expected)
        if name not in known:
            self._fail(expected, did_you_mean(name, known, listed), at=at, length=len(name))
        return name

    def _looks_like(self, kind: Kind) -> bool:
        return kind.pattern.match(self.text, self.at) is not None

    def _at_stop(self, stop: tuple[str, ...]) -> bool:
        found = NAME.match(self.text, self.at)
        return found is not None and found.group() in stop

    def _take_word(self, name: str) -> bool:
        found = NAME.match(self.text, self.at)
        if not found or found.group() != name:
            return False
        self.at = found.end()
        self._skip_space()
        return True

    def _next_is(self, sign: str) -> bool:
        return self.text.startswith(sign, self.at)

    def _take(self, sign: str) -> bool:
        if not self._next_is(sign):
            return False
        self.at += len(sign)
        self._skip_space()
        return True

    def _skip_space(self) -> None:
        found = _SPACE.match(self.text, self.at)
        self.at = found.end() if found else self.at

    def _spot(self) -> str:
        found = _SPOT.match(self.text, self.at)
        return found.group() if found else ""

    def _fail(self, expected: str, hint: str = "", at: int | None = None, length: int | None = None) -> NoReturn:
        spot = self.at if at is None else at
        advised = _advice(self.text, self.vocabulary, self.units) if self.advises else ("", "", ())
        marked = len(self._spot()) if length is None else length
        raise UnreadableOrder(self.text, spot, marked, expected, hint, *advised)


def _hint(text: str, kind: Kind) -> str:
    if not kind.words:
        return ""
    return did_you_mean(text, kind.words, listed=not all(name in kind.about for name in kind.words))


# --- advice ---


def _advice(text: str, vocabulary: Vocabulary, units: Collection[str] | None) -> tuple[str, str, tuple[str, ...]]:
    """Return advice on an unreadable order, an example, and the orders that may be meant.

    The advice names the order that was probably meant; without one it names the example of an order of this kind.
    """
    unit, _, rest = text[:_LONGEST_ADVICE].strip().partition(" ")
    unit = unit.rstrip(":")
    if not NAME.fullmatch(unit) or (units is not None and unit not in units):
        return "", "", ()
    meant = [order for order in _repairs(unit, rest.strip(), vocabulary) if _can_be_read(order, vocabulary, units)]
    if meant:
        return did_you_mean_order(meant[0]), "", tuple(meant)
    _, forms = meant_forms(text, vocabulary)
    examples = (example_order(form, unit, lambda kind: _other(kind, unit, units), vocabulary) for form in forms)
    right = next((order for order in examples if _can_be_read(order, vocabulary, units)), "")
    return (reads_like(right), right, ()) if right else ("", "", ())


def named_by(kind: Kind, unit: str, units: Collection[str]) -> list[str]:
    """Return the units that an order of a unit may name: where their sides are known, those on the side wanted."""
    others = [name for name in units if name != unit]
    if not kind.whose or not isinstance(units, Mapping):
        return others
    side = units[unit].side
    return [name for name in others if (units[name].side == side) == (kind.whose == "friend")]


def _other(kind: Kind, unit: str, units: Collection[str] | None) -> str:
    """Return the unit that an example names; "" where none on the table would do."""
    return "B1" if units is None else next(iter(named_by(kind, unit, units)), "")


def reads_like(example: str) -> str:
    """Return advice with an example."""
    return f"an order reads like {example!r}"


def did_you_mean_order(meant: str) -> str:
    """Return advice with an order that was probably meant."""
    return f"did you mean {meant!r}?"


def meant_forms(text: str, vocabulary: Vocabulary) -> tuple[str, list[ActionForm]]:
    """Return the unit with which a text begins, and the action that it names, or else the usual one."""
    unit, _, rest = text[:_LONGEST_ADVICE].strip().partition(" ")
    first = NAME.match(rest.strip())
    named = [form for form in vocabulary.actions if first and form.name == first.group()]
    usual = [form for form in vocabulary.actions if form.name == vocabulary.default] or list(vocabulary.actions[:1])
    return unit.rstrip(":"), named or usual


def _repairs(unit: str, rest: str, vocabulary: Vocabulary) -> Iterator[str]:
    """Yield orders that may be meant by a text without the colon or the action, or with a sign at the end."""
    first, _, more = rest.partition(" ")
    names = [form.name for form in vocabulary.actions]
    yield f"{unit} {rest.rstrip(' ,:;.')}"
    if first in names:
        yield f"{unit} {first}: {more}"
        return
    for name in sorted(names, key=lambda name: name != vocabulary.default):
        yield f"{unit} {name}: {rest}"


def _can_be_read(text: str, vocabulary: Vocabulary, units: Collection[str] | None) -> bool:
    try:
        _Reader(text, vocabulary, units, advises=False).order()
    except UnreadableOrder:
        return False
    return True


def example_order(action: ActionForm, unit: str, other: Callable[[Kind], str], vocabulary: Vocabulary) -> str:
    """Return an example of an order for a unit; `other` names another unit for what is wanted.

    >>> from simulator.engine.orders import length
    >>> steps = [Form("forward", [Arg("length", length())])]
    >>> charge = ActionForm("charge", [Arg("length", length("the run-up"))], elements=["forward"])
    >>> example_order(charge, "A1", lambda kind: "B1", Vocabulary([charge], steps))
    'A1 charge 4: forward 4'
    """
    text = " ".join([unit, action.name, *_examples_of(action, other)])
    if not action.elements:
        return text
    form = vocabulary.element(action.elements[0])
    element = " ".join([form.name, *_examples_of(form, other)])
    return f"{text}: {', '.join([element] * max(action.least, 1))}"


def _examples_of(form: Form, other: Callable[[Kind], str]) -> Iterator[str]:
    for arg in form.args:
        if not (arg.word and arg.optional):
            yield from (arg.word,) if arg.word else ()
            yield other(arg.kind) if arg.kind.is_unit else arg.kind.example
