"""The expectations of a scenario: validated when the file is read, checked in play."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from simulator.engine.actions import Answered
from simulator.engine.chain import ChainReach
from simulator.engine.chain_text import read_chain
from simulator.engine.clauses import CLAUSE_ID, Register
from simulator.engine.errors import Breach, IllegalOrder, WrongQuestion
from simulator.engine.events import Event
from simulator.engine.game import Game
from simulator.engine.ledger import Ledger
from simulator.engine.orders import Vocabulary
from simulator.engine.places import read_heading, read_level, read_place, read_pose
from simulator.engine.ruleset import Ruleset
from simulator.engine.state import CARRIER_WORDS, Unit
from simulator.engine.values import show
from simulator.errors import SimulatorError
from simulator.formats.accounts import Check
from simulator.formats.declared_names import DeclaredNames
from simulator.formats.faults import Path, got, no_such
from simulator.formats.rulebooks import register_of
from simulator.formats.scenario_models import (
    ClockExpected,
    EventSeen,
    Expected,
    PoseExpected,
    QuestionAsked,
    ReachExpected,
    Refused,
    WithinExpected,
)
from simulator.formats.scenario_values import (
    OFF_TABLE,
    exact,
    same,
    same_heading,
    text_of_place,
    understood,
)
from simulator.formats.so_far import SoFar
from simulator.geometry.board import Board
from simulator.geometry.poses import Pose, pose_parts

#: The fields that can be expected of units of every type.
OF_EVERY_UNIT = ("at", "heading", "side", "type", "spent")
#: The expectation of a unit that has left the game.
GONE = "gone"


# --- while the file is read ---


@dataclass(frozen=True)
class Known:
    """The parts of the file read before: units and orders are checked only if these are sound."""

    ruleset: Ruleset[Any, Any]
    #: The board; None if it is faulty.
    board: Board[Any] | None
    vocabulary: Vocabulary
    units: Mapping[str, Unit] | None
    data: Iterable[str]
    #: Adds the faults of the text of an order.
    read_order: Callable[[str, Path], None]

    @cached_property
    def sides(self) -> tuple[str, ...]:
        """The sides of the units."""
        return tuple(dict.fromkeys(unit.side for unit in (self.units or {}).values()))

    @cached_property
    def names(self) -> DeclaredNames:
        """The names of events and questions that the rulebook declares."""
        return DeclaredNames(self.ruleset, self.units, self.sides)

    @cached_property
    def clauses(self) -> Register | None:
        """The clauses of the rulebook; None if its page is not installed."""
        return register_of(self.ruleset)


class Complaint(NamedTuple):
    """An invalid expectation: its path, the message, and whether the key itself is at fault."""

    path: Path
    message: str
    on_key: bool = False


def faults(expected: Expected, under: Path, known: Known) -> Iterator[Complaint]:
    """Yield a complaint for each invalid part, with its path."""
    for name, expectation in expected.units.items():
        yield from _unit_faults(name, expectation, (*under, "units", name), known)
    for name in expected.data:
        if name not in known.data:
            yield Complaint((*under, "data", name), no_such(name, known.data, "entry"), on_key=True)
    yield from _clock_faults(expected.clock, (*under, "clock"), known)
    for number, event in enumerate(expected.events):
        yield from event_faults(event, (*under, "events", number), known)
    for number, question in enumerate(expected.asked):
        yield from question_faults(question, (*under, "asked", number), known)
    for number, order in enumerate(expected.legal):
        known.read_order(order, (*under, "legal", number))
    for number, refused in enumerate(expected.refused):
        known.read_order(refused.order, (*under, "refused", number, "order"))
        yield from clause_faults(refused.clause, (*under, "refused", number, "clause"), known)
    for number, reach in enumerate(expected.reach):
        yield from _reach_faults(reach, (*under, "reach", number), known)


def event_faults(event: EventSeen, under: Path, known: Known) -> Iterator[Complaint]:
    """Yield a complaint for each invalid part of an event."""
    if event.kind is not None and (fault := known.names.event_fault(event.kind)):
        yield Complaint((*under, "kind"), fault)
    # Those of the clock may be about a side or about all.
    if event.unit and known.units is not None and event.unit not in (*known.units, *known.sides, "all"):
        yield Complaint((*under, "unit"), no_such(event.unit, known.units, "unit"))
    if event.at is not None:
        yield from _place_faults(event.at, (*under, "at"), known)
    yield from clause_faults(event.clause, (*under, "clause"), known)


def question_faults(question: QuestionAsked, under: Path, known: Known) -> Iterator[Complaint]:
    """Yield a complaint for each invalid part of a question."""
    if question.what is not None and (fault := known.names.question_fault(question.what)):
        yield Complaint((*under, "what"), fault)
    elif question.who and (fault := known.names.who_fault(question.who, question.what)):
        yield Complaint((*under, "who"), fault)
    yield from clause_faults(question.clause, (*under, "clause"), known)


def clause_faults(clauses: Iterable[str] | None, path: Path, known: Known) -> Iterator[Complaint]:
    """Yield a complaint if the rulebook has no such clause."""
    register = known.clauses
    for id in clauses or ():
        if register is not None and id not in register:
            yield Complaint(path, no_such(id, register, f"clause of {known.ruleset.name}"))
            return


def _clock_faults(clock: ClockExpected, under: Path, known: Known) -> Iterator[Complaint]:
    if known.units is None:
        return
    for key, named, there in (("unit", clock.unit, tuple(known.units)), ("side", clock.side, known.sides)):
        # An empty word expects that it is the go of none.
        if named and named not in there:
            yield Complaint((*under, key), no_such(named, there, key))


def _unit_faults(name: str, expectation: Any, under: Path, known: Known) -> Iterator[Complaint]:
    if known.units is None:
        return
    if name not in known.units:
        yield Complaint(under, no_such(name, known.units, "unit"), on_key=True)
        return
    if not isinstance(expectation, Mapping):
        if expectation != GONE:
            yield Complaint(under, f"expected fields and their values, or {GONE} {got(expectation)}")
        return
    fields = known.ruleset.unit_types[known.units[name].type].fields
    for key, value in expectation.items():
        if key == "at":
            yield from () if value == OFF_TABLE else _place_or_pose_faults(value, (*under, key), known)
        elif key == "heading":
            yield from _heading_faults(str(value), (*under, key), known)
        elif key == "spent":
            yield from _price_faults(value, (*under, key))
        elif key == "carrier" and any(word in fields for word in CARRIER_WORDS):
            yield from () if isinstance(value, str) else (Complaint((*under, key), f"expected a unit {got(value)}"),)
        elif key not in (*OF_EVERY_UNIT, *fields):
            yield Complaint((*under, key), no_such(key, (*OF_EVERY_UNIT, *fields), "field"), on_key=True)


def _reach_faults(reach: ReachExpected, under: Path, known: Known) -> Iterator[Complaint]:
    if known.units is not None and reach.unit not in known.units:
        yield Complaint((*under, "unit"), no_such(reach.unit, known.units, "unit"))
    actions = list(known.ruleset.reaches) or [form.name for form in known.ruleset.vocabulary.actions]
    if reach.then:
        yield from _chain_faults(reach, under, known)
    elif reach.action and reach.action not in actions:
        yield Complaint((*under, "action"), no_such(reach.action, actions, "action"))
    if not reach.action and not (known.ruleset.reaches or known.ruleset.vocabulary.default):
        yield Complaint((*under, "action"), f"is missing: one of {', '.join(actions)}")
    if reach.size is not None and known.board is not None and known.board.kind == "table":
        yield Complaint((*under, "size"), "a table has no places to count: state the least and the most area")
    for number, within in enumerate(reach.includes):
        yield from _pose_faults(within, (*under, "includes", number), known)
    for number, posed in enumerate(reach.excludes):
        yield from _pose_faults(posed, (*under, "excludes", number), known)


def _chain_faults(reach: ReachExpected, under: Path, known: Known) -> Iterator[Complaint]:
    if known.units is None:
        return
    asking = {name: exact(value) for name, value in reach.asking.items()}
    try:
        read_chain(known.ruleset, known.vocabulary, reach.action, reach.then, known.units, asking)
    except WrongQuestion as error:
        yield Complaint((*under, "then"), str(error))


def _pose_faults(posed: PoseExpected, under: Path, known: Known) -> Iterator[Complaint]:
    """Yield a complaint for each part of a pose in a reach that is unreadable, duplicate or unknown to the rules."""
    ruleset, complaints = known.ruleset, list(_place_or_pose_faults(posed.at, under, known))
    if posed.heading is not None and ruleset.reach_headings:
        complaints += _heading_faults(posed.heading, (*under, "heading"), known)
    if posed.level is not None and ruleset.reach_levels:
        complaints += _level_faults(posed.level, (*under, "level"), known)
    yield from complaints
    if complaints:
        return
    in_text = read_pose(known.vocabulary, posed.at)
    if known.board is not None and in_text.place[:2] not in known.board:
        yield Complaint(under, f"is not on the board {got(posed.at)}")
    for name, knows in (("heading", ruleset.reach_headings), ("level", ruleset.reach_levels)):
        as_key, as_text = getattr(posed, name) is not None, getattr(in_text, name) is not None
        path = (*under, name) if as_key else under
        if as_key and as_text:
            yield Complaint(path, f"is already in {posed.at!r}: name the {name} once")
        elif (as_key or as_text) and not knows:
            yield Complaint(path, f"a reach of {ruleset.name} has no {name}s: expect the place alone")


def _price_faults(value: Any, path: Path) -> Iterator[Complaint]:
    for number in value.values() if isinstance(value, Mapping) else (value,):
        if not isinstance(exact(number), int | Fraction) or isinstance(number, bool):
            yield Complaint(path, f"expected a number, like 3, 2.5 or 5/2, or one for each currency {got(value)}")
            return


def _place_faults(value: Any, path: Path, known: Known) -> Iterator[Complaint]:
    try:
        read_place(known.vocabulary, text_of_place(value))
    except ValueError:
        yield Complaint(path, f"expected {known.vocabulary.goal_place.about} {got(value)}")


def _place_or_pose_faults(value: Any, path: Path, known: Known) -> Iterator[Complaint]:
    try:
        text = text_of_place(value)
    except ValueError:
        yield from _place_faults(value, path, known)
        return
    try:
        if pose_parts(text)[1:] != (None, None):
            read_pose(known.vocabulary, text)
        else:
            yield from _place_faults(value, path, known)
    except ValueError as error:
        yield Complaint(path, str(error))


def _level_faults(text: str, path: Path, known: Known) -> Iterator[Complaint]:
    try:
        read_level(known.vocabulary, text)
    except ValueError as error:
        yield Complaint(path, str(error))


def _heading_faults(text: str, path: Path, known: Known) -> Iterator[Complaint]:
    try:
        read_heading(known.vocabulary, text)
    except ValueError as error:
        yield Complaint(path, str(error))


# --- in play ---


@dataclass(frozen=True)
class Look:
    """A look at the table: the game at this moment, and the lines of the expectations in the file."""

    game: Game[Any]
    line_of: Callable[[Path], int]
    #: The effects of all orders played.
    so_far: SoFar
    #: The number of results of the dice script not rolled yet.
    dice_left: int = 0

    @property
    def vocabulary(self) -> Vocabulary:
        """The vocabulary of this table."""
        return self.game.setting.vocabulary

    def check(self, path: Path, what: str, expected: str, got: str, met: bool) -> Check:
        """Return a check of the expectation at a path."""
        return Check(what, expected, got, met, self.line_of(path))


def checks(expected: Expected, under: Path, look: Look) -> Iterator[Check]:
    """Compare the expectations of a moment with the table and with all that has happened so far."""
    for name, expectation in expected.units.items():
        yield from _unit_checks(name, expectation, (*under, "units", name), look)
    clock = look.game.state.clock
    hands = {
        "turn": clock.turn,
        "phase": clock.phase.name if clock.phase else "",
        "side": clock.side,
        "unit": clock.unit,
        "over": clock.over,
    }
    for hand, now in hands.items():
        if hand in expected.clock.model_fields_set:
            yield _compared(look, (*under, "clock", hand), f"clock {hand}", getattr(expected.clock, hand), now)
    for name, value in expected.data.items():
        yield _compared(look, (*under, "data", name), f"data {name}", exact(value), look.game.state.data.get(name))
    for number, event in enumerate(expected.events):
        found = look.so_far.events.count(event.kind, event.unit, _pattern(event), _meets_event(event, look))
        yield _counted(look, (*under, "events", number), _event_text(event), event.count, found)
    for number, question in enumerate(expected.asked):
        found = look.so_far.asked.count(question.what, question.who, _pattern(question), _meets_question(question))
        yield _counted(look, (*under, "asked", number), _question_text(question), question.count, found)
    for number, order in enumerate(expected.legal):
        reasons, verdict = _judged(look.game, order)
        yield look.check((*under, "legal", number), f"'{order}'", "legal", verdict, not reasons and verdict == "legal")
    for number, refused in enumerate(expected.refused):
        yield _refused_check(refused, (*under, "refused", number), look)
    for number, reach in enumerate(expected.reach):
        yield from _reach_checks(reach, (*under, "reach", number), look)
    if expected.dice_left is not None:
        yield _compared(look, (*under, "dice_left"), "dice left over", expected.dice_left, look.dice_left)


def _compared(look: Look, path: Path, what: str, expected: Any, got: Any, equal: Callable[..., bool] = same) -> Check:
    met = equal(expected, got)
    written = _writer(expected, got, met)
    return look.check(path, what, shown(expected, written), shown(got, written), met)


def shown(value: Any, written: Callable[[Any], str] = show) -> str:
    """Return a value as text for an account; an empty text is `nothing`."""
    return "nothing" if value in ("", ()) else written(value)


def _writer(expected: Any, got: Any, met: bool) -> Callable[[Any], str]:
    """Return what writes both values: `show`, or all digits that are compared where `show` hides the difference."""
    return show if met or show(expected) != show(got) else _in_full


def _in_full(value: Any) -> str:
    """Write a value with its numbers to the millionth.

    >>> _in_full((Fraction(569258240, 10**8), 1)), _in_full(2.5), _in_full("off")
    ('5.692582,1', '2.5', 'off')
    """
    if isinstance(value, tuple):
        return ",".join(map(_in_full, value))
    return f"{round(float(value), 6):.15g}" if isinstance(value, (Fraction, float)) else show(value)


def _unit_checks(name: str, expectation: Any, path: Path, look: Look) -> Iterator[Check]:
    unit = look.game.state.units.get(name)
    if not isinstance(expectation, Mapping):
        actual = GONE if unit is None else "still there"
        yield look.check(path, name, GONE, actual, unit is None)
        return
    for key, value in expectation.items():
        here, what = (*path, key), f"{name} {key}"
        if key == "spent":
            yield _price_check(look, here, what, _prices(value), look.so_far.spent(name))
        elif unit is None:
            yield look.check(here, what, shown(exact(value)), f"{name} is gone", False)
        elif key == "at":
            yield _at_check(value, unit, here, what, look)
        elif key == "heading":
            yield _compared(look, here, what, read_heading(look.vocabulary, str(value)), unit.heading, same_heading)
        elif key in ("side", "type", "carrier"):
            yield _compared(look, here, what, value, getattr(unit, key))
        else:
            yield _compared(look, here, what, exact(value), unit.get(key))


def _at_check(value: Any, unit: Unit, path: Path, what: str, look: Look) -> Check:
    """Compare the position of a unit with a place or a pose; parts that the pose leaves open are not compared."""
    expected = None if value == OFF_TABLE else read_pose(look.vocabulary, text_of_place(value))
    if expected is None or expected.is_place or unit.place is None:
        place = None if expected is None else expected.place
        met = same("none" if place is None else place, unit.place)
        written = _writer(place, unit.place, met)
        here, got = (OFF_TABLE if spot is None else written(spot) for spot in (place, unit.place))
        return look.check(path, what, here, got, met)
    stands = look.game.ruleset.pose_of(look.game.table, unit) or Pose(unit.place)
    actual = Pose(
        unit.place,
        None if expected.heading is None else unit.heading,
        None if expected.level is None else stands.level,
    )
    met = (
        same(expected.place, actual.place)
        and (expected.heading is None or same_heading(expected.heading, actual.heading))
        and expected.level == actual.level
    )
    return look.check(path, what, _pose_text(expected), _pose_text(actual), met)


def _prices(value: Any) -> Mapping[str, Fraction] | Fraction:
    found = exact(value)
    if isinstance(found, Mapping):
        return {currency: Fraction(number) for currency, number in found.items()}
    return Fraction(found)  # type: ignore[arg-type]


def price_check(look: Look, path: Path, expected: Mapping[str, Fraction] | Fraction, ledger: Ledger) -> Check:
    """Compare the price of an order with the one expected."""
    return _price_check(look, path, "its cost", expected, ledger.totals)


def _price_check(
    look: Look, path: Path, what: str, expected: Mapping[str, Fraction] | Fraction, totals: Mapping[str, Any]
) -> Check:
    paid = {currency: Fraction(total) for currency, total in totals.items() if total}
    if isinstance(expected, Mapping):
        prices = {currency: number for currency, number in expected.items() if number}
        met = same(prices, paid)
        written = _writer(prices, paid, met)
        return look.check(path, what, _price_text(prices, written), _price_text(paid, written), met)
    # A number alone means the only currency; with several currencies it would be ambiguous.
    total = sum(paid.values(), Fraction(0))
    met = len(paid) <= 1 and same(expected, total)
    written = _writer(expected, total, met or len(paid) > 1)
    return look.check(path, what, written(expected), _price_text(paid, written), met)


def _price_text(prices: Mapping[str, Fraction], written: Callable[[Any], str]) -> str:
    return ", ".join(f"{written(prices[name])} {name}".rstrip() for name in sorted(prices)) or "0"


def event_checks(patterns: Sequence[EventSeen], events: Sequence[Event], under: Path, look: Look) -> Iterator[Check]:
    """Compare the events of an order with those expected."""
    for number, pattern in enumerate(patterns):
        found = sum(map(_meets_event(pattern, look), events))
        yield _counted(look, (*under, number), _event_text(pattern), pattern.count, found)


def _meets_event(pattern: EventSeen, look: Look) -> Callable[[Event], bool]:
    place = None if pattern.at is None else read_place(look.vocabulary, pattern.at)

    def meets(event: Event) -> bool:
        return (
            pattern.kind in (None, event.kind)
            and pattern.unit in (None, event.unit)
            and _cites(pattern.clause, event.clause)
            and (place is None or same(place, event.place))
        )

    return meets


def question_checks(
    patterns: Sequence[QuestionAsked], answered: Sequence[Answered], under: Path, look: Look
) -> Iterator[Check]:
    """Compare the questions of an order with those expected."""
    for number, pattern in enumerate(patterns):
        found = sum(map(_meets_question(pattern), answered))
        yield _counted(look, (*under, number), _question_text(pattern), pattern.count, found)


def _meets_question(pattern: QuestionAsked) -> Callable[[Answered], bool]:
    def meets(entry: Answered) -> bool:
        return (
            pattern.what in (None, entry.question.what)
            and pattern.who in (None, entry.question.who)
            and _cites(pattern.clause, entry.question.clause)
            and (pattern.answer is None or same(understood(entry.question, exact(pattern.answer)), entry.answer.value))
        )

    return meets


def _cites(any_of: Iterable[str] | None, clauses: str) -> bool:
    """Return whether one of some clauses is cited; true if no clause is expected."""
    return any_of is None or bool({*any_of} & {*CLAUSE_ID.findall(clauses)})


def _pattern(pattern: EventSeen | QuestionAsked) -> str:
    """Return the pattern of an event or a question as a key, the same for any expected count."""
    return repr([value for name, value in pattern if name != "count"])


def _counted(look: Look, path: Path, what: str, count: int | None, found: int) -> Check:
    met = found > 0 if count is None else found == count
    return look.check(path, what, "seen" if count is None else _times(count), _times(found), met)


def _times(count: int) -> str:
    return {0: "never", 1: "once"}.get(count, f"{count} times")


def _event_text(pattern: EventSeen) -> str:
    of = None if pattern.unit is None else f"of {pattern.unit}"
    at = None if pattern.at is None else f"at {pattern.at}"
    return _pattern_text("event", pattern.kind, of, at, pattern.clause)


def _question_text(pattern: QuestionAsked) -> str:
    to = None if pattern.who is None else f"to {pattern.who}"
    answered = None if pattern.answer is None else f"answered {show(pattern.answer)}"
    return _pattern_text("question", pattern.what, to, answered, pattern.clause)


def _pattern_text(
    what: str, name: str | None, subject: str | None, more: str | None, clauses: tuple[str, ...] | None
) -> str:
    """Describe a pattern in words: `event 'is hit' of A1 at 3,4 (SK-45)`."""
    named = None if name is None else f"'{name}'"
    cited = None if clauses is None else f"({', '.join(clauses)})"
    return " ".join(part for part in (what, named, subject, more, cited) if part)


def _judged(game: Game[Any], order: str) -> tuple[list[Breach], str]:
    """Return the breaches of an order, and the verdict in words."""
    try:
        reasons = game.breaches(order)
    except IllegalOrder as error:
        reasons = list(error.breaches)
    except SimulatorError as error:
        return [], first_line(error)
    return reasons, reasons_text(reasons) if reasons else "legal"


def reasons_text(reasons: Iterable[Breach]) -> str:
    """Return the breaches of an order on one line."""
    return "refused: " + "; ".join(f"{reason.clause} {reason.message}".strip() for reason in reasons)


def first_line(error: Exception) -> str:
    """Return the message of an error without the drawing below it."""
    return str(error).partition("\n")[0]


def refusal_met(clauses: Iterable[str], reasons: Iterable[Breach]) -> bool:
    """Return whether all of these clauses are among the reasons."""
    cited = {id for reason in reasons for id in CLAUSE_ID.findall(reason.clause)}
    return {*clauses} <= cited


def refusal_text(clauses: Sequence[str]) -> str:
    """Describe the expected refusal of an order."""
    return "refused" + (f" by {' and '.join(clauses)}" if clauses else "")


def _refused_check(refused: Refused, path: Path, look: Look) -> Check:
    reasons, verdict = _judged(look.game, refused.order)
    clauses = refused.clause or ()
    met = bool(reasons) and refusal_met(clauses, reasons)
    return look.check(path, f"'{refused.order}'", refusal_text(clauses), verdict, met)


# --- reach ---


def _reach_checks(expectation: ReachExpected, path: Path, look: Look) -> Iterator[Check]:
    what = f"reach of {expectation.unit}" + (f" {expectation.action}" if expectation.action else "")
    what += "".join(f", then {link}" for link in expectation.then)
    asking = {name: exact(value) for name, value in expectation.asking.items()}
    try:
        reach = _answer(expectation, look, asking)
    except (SimulatorError, TypeError) as error:
        yield look.check(path, what, "an answer", first_line(error), False)
        return
    if expectation.size is not None:
        size = _size(reach)
        if size is None:
            text = "an answer that does not count its places"
            yield look.check((*path, "size"), f"{what}, places", show(expectation.size), text, False)
        else:
            yield _compared(look, (*path, "size"), f"{what}, places", expectation.size, size)
    if expectation.area is not None:
        area = getattr(reach, "area", None)
        measured = getattr(area, "area", area)
        least, most = expectation.area
        message = "no area" if measured is None else show(float(measured))
        met = measured is not None and least <= measured <= most
        yield look.check((*path, "area"), f"{what}, area", f"{show(least)} to {show(most)}", message, met)
    for number, within in enumerate(expectation.includes):
        yield _within_check(within, reach, (*path, "includes", number), what, look)
    for number, posed in enumerate(expectation.excludes):
        pose = _pose(posed, look)
        try:
            inside = pose.plain in reach
            got, met = ("within reach", False) if inside else ("out of reach", True)
        except SimulatorError as error:
            got, met = first_line(error), False
        yield look.check((*path, "excludes", number), f"{what}, {_pose_text(pose)}", "out of reach", got, met)


def _answer(expectation: ReachExpected, look: Look, asking: Mapping[str, Any]) -> Any:
    game = look.game
    if not expectation.then:
        return game.reach(expectation.unit, expectation.action, **asking)
    chain = read_chain(game.ruleset, look.vocabulary, expectation.action, expectation.then, game.state.units, asking)
    return game.reach(expectation.unit, chain)


def _size(reach: Any) -> int | None:
    """Count the places of an answer on a lattice; None where it does not count them."""
    if isinstance(reach, Sized):
        return len(reach)
    if not isinstance(reach, ChainReach):
        return None
    return int(np.isfinite(reach.costs_at(np.array(list(reach.board.places())))).sum())


def _within_check(within: WithinExpected, reach: Any, path: Path, what: str, look: Look) -> Check:
    pose, cost = _pose(within, look), "" if within.cost is None else f" for {show(within.cost)}"
    expected = f"within reach{cost}"
    try:
        expected, got, met = _found(within, reach, pose, expected)
    except SimulatorError as error:
        got, met = first_line(error), False
    return look.check(path, f"{what}, {_pose_text(pose)}", expected, got, met)


def _found(within: WithinExpected, reach: Any, pose: Pose, expected: str) -> tuple[str, str, bool]:
    """Return what is expected of a pose, how a reach answers it, and whether that is the same."""
    if pose.place not in reach:
        return expected, "out of reach", False
    if within.cost is None and pose.is_place:
        return expected, "within reach", True
    found = reach.cost_at(pose.plain)
    if found is None:
        return expected, "out of reach", False
    if within.cost is None:
        return expected, f"within reach for {show(found)}", True
    met = same(within.cost, found)
    written = _writer(within.cost, found, met)
    return f"within reach for {written(within.cost)}", f"within reach for {written(found)}", met


def _pose(posed: PoseExpected, look: Look) -> Pose:
    pose, words = read_pose(look.vocabulary, posed.at), look.vocabulary
    return Pose(
        pose.place,
        pose.heading if posed.heading is None else read_heading(words, posed.heading),
        pose.level if posed.level is None else read_level(words, posed.level),
    )


def _pose_text(pose: Pose) -> str:
    return show(pose.place) + pose.state_text
