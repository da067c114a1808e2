"""Foresight: what an order would do if all went well, what it would cost, and what could interrupt it.

The orders are played on a branch of the game by the same rules as any other, so the forecast is what the game would do,
and the game itself does not change. First the best case: tests pass, choices take their default, nobody reacts. Then
every other way that dice and reactions allow (see `plays`): who could interrupt the orders where, how often in one
play, and what happens when tests fail. A reaction along a leg has an outcome for each span of it, and a reaction on a
spot of a region for each part of the region.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from math import prod
from typing import TYPE_CHECKING, Any

from simulator import pictures
from simulator.engine.actions import Answered, Happened
from simulator.engine.best_case import Hopeful
from simulator.engine.errors import Breach, IllegalOrder, TableError
from simulator.engine.events import Event
from simulator.engine.ledger import Ledger, sums_text
from simulator.engine.orders import Order
from simulator.engine.plays import Asking, Branch, Ending, Next, Plays, Sequel
from simulator.engine.playthrough import Playthrough
from simulator.engine.questions import Choose, React, Roll
from simulator.engine.ranges import NumberRange, RangePiece, Span, span_text, to_data
from simulator.engine.reach import reason_fields
from simulator.engine.reading import write_order
from simulator.engine.ruleset import ruleset_of
from simulator.engine.spot_ranges import SpotIn, SpotPiece, rings_of
from simulator.engine.state import State
from simulator.engine.table import Setting, Table
from simulator.engine.values import NO_FIELDS, Fields, Value, show, to_plain
from simulator.engine.worst_case import least_chance
from simulator.errors import listed
from simulator.geometry.poses import place_text
from simulator.later import Later
from simulator.pathing.traces import NoRoute
from simulator.wording import figure

if TYPE_CHECKING:
    import shapely
    from shapely.geometry.base import BaseGeometry
else:
    shapely = Later("shapely")

#: Coordinates so near each other are one: ways in several parts add up their rounding.
_SAME_PLACE = 1e-5
#: The most goes of others that may pass between two orders.
_MOST_GOES = 1000


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of the orders if somebody reacts within some part of a range, and nobody does after that.

    For numbers the part is spans: the ends and marks of a range are tried, and the middle between two of them. For
    spots it is an area: one spot represents each piece into which the zones of the rule divide it, see `SpotIn`. If the
    rule names none, each sample represents the spots nearest to it, and the area is only a sketch.
    """

    spans: tuple[Span, ...]
    #: The ways in which it can end, with all events from the reaction on, for a reaction at this sample.
    endings: tuple[Ending, ...]
    sample: Value
    #: The area of spots; None for numbers.
    area: BaseGeometry | None = None

    def __str__(self) -> str:
        if self.area is not None:
            left, bottom, right, top = (f"{round(bound, 2) + 0.0:g}" for bound in self.area.bounds)
            extent = f"{self.area.area:.4g} square inches from {left},{bottom} to {right},{top}"
            return f"on {extent}, such as at {show(self.sample)}"
        spans, sample = " or ".join(map(span_text, self.spans)), f"at {show(self.sample)}"
        return spans if spans == sample else f"{spans}, such as {sample}"

    def to_fields(self) -> dict[str, Any]:
        """Return the data in plain form."""
        region = {} if self.area is None else {"region": to_plain(rings_of(self.area))}
        return {
            "spans": [to_plain(span.to_fields()) for span in self.spans],
            **region,
            "sample": to_plain(self.sample),
            "endings": [ending_fields(ending) for ending in self.endings],
        }


@dataclass(frozen=True, slots=True)
class Interruption:
    """A point of a move at which somebody may react: who, how, by which clause, and where the mover is.

    It occurs in some play of the orders: in the best case, unless `after` lists what has to go differently before it.
    Whether it occurs in other plays depends on what has happened in them.
    """

    who: str
    side: str
    what: str
    options: tuple[Any, ...]
    clause: str
    place: tuple[Any, ...] | None
    #: The cost of the order so far, in each currency.
    spent: Fields = NO_FIELDS
    #: What else the reacting player would know, such as the weapon.
    detail: Fields = NO_FIELDS
    #: What goes differently from the best case before it, first to last, in a play with as few differences as possible.
    after: tuple[Answered, ...] = ()
    #: For a reaction within a range, as along a leg or in a region: the outcome of the orders for each part.
    outcomes: tuple[Outcome, ...] = ()

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans in which one can react, such as of a leg; none if the options are a list."""
        return tuple(span for one in self.options if isinstance(one, NumberRange) for span in one.stretches)

    @property
    def condition(self) -> str:
        """What has to go differently from the best case for it to occur, in words; "" if nothing has to."""
        return ", ".join(otherwise_text(entry) for entry in self.after)

    def __str__(self) -> str:
        where = "" if self.place is None else f" at {place_text(self.place)}"
        ways = " or ".join(show(option) for option in self.options)
        how = ways if ways == self.what else f"{self.what} ({ways})"
        more = "".join(f", {name} {show(value)}" for name, value in self.detail.items())
        clause = f" ({self.clause})" if self.clause else ""
        condition = f", if {self.condition}" if self.after else ""
        return f"{self.who}: {how}{more}{where}{clause}{condition}"

    def to_fields(self) -> dict[str, Any]:
        """Return the data in plain form."""
        return {
            "who": self.who,
            "side": self.side,
            "what": self.what,
            "options": [to_plain(to_data(option)) for option in self.options],
            "clause": self.clause,
            "place": None if self.place is None else list(self.place),
            "spent": {currency: figure(total) for currency, total in self.spent.items()},
            "detail": to_plain(self.detail),
            "after": [otherwise_text(entry) for entry in self.after],
            "outcomes": [outcome.to_fields() for outcome in self.outcomes],
        }


def otherwise_text(entry: Answered) -> str:
    """Describe a difference from the best case: a test that fails, a reaction, a choice.

    >>> from simulator.engine.answers import Answer
    >>> otherwise_text(Answered(Roll("leap", who="A1", dice="D6", target=4, clause="XX-1"), Answer(1)))
    'A1: leap fails (XX-1)'
    """
    question = entry.question
    who = f"{question.who}: " if question.who else ""
    clause = f" ({question.clause})" if question.clause else ""
    if isinstance(question, Roll):
        return f"{who}{question.what} fails{clause}"
    chosen, where = show(entry.answer.value), "" if question.place is None else f" at {place_text(question.place)}"
    what = question.what if chosen == question.what else f"{question.what} ({chosen})"
    return f"{who}{what}{where if isinstance(question, React) else ''}{clause}"


def ending_fields(ending: Ending) -> dict[str, Any]:
    """Return the plain data of one way in which orders end."""
    return {
        "chance": figure(ending.chance),
        "failed": [otherwise_text(entry) for entry in ending.failed],
        "as_planned": ending.as_planned,
        "happens": [to_plain(event.to_fields()) for event in ending.events],
        "units": {unit.id: {"place": to_plain(unit.place), "heading": to_plain(unit.heading)} for unit in ending.state},
        "reasons": [reason_fields(breach) for breach in ending.breaches],
    }


@dataclass(frozen=True)
class Foreseen:
    """What orders would do if all went well, and what could interrupt them: see `foresee`."""

    setting: Setting[Any]
    #: The table before the first order; if it was not its unit's turn, with the unit's go begun.
    before: State
    happened: tuple[Happened, ...]
    #: Why the first order is not possible right now: it is somebody else's go. Empty if it is possible.
    not_now: tuple[Breach, ...] = ()
    #: Returns the next order of a play, from the table and the number of orders done.
    sequel: Sequel | None = field(default=None, compare=False)

    @property
    def table(self) -> Table[Any]:
        """The table before the first order."""
        return Table(self.setting, self.before)

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders, with goals converted to elements."""
        return tuple(happened.order for happened in self.happened)

    @property
    def unit(self) -> str:
        """The unit that acts."""
        return self.happened[0].order.unit if self.happened else ""

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that would happen."""
        return tuple(event for happened in self.happened for event in happened.events)

    @property
    def ledger(self) -> Ledger:
        """The price of everything, line by line."""
        return Ledger(line for happened in self.happened for line in happened.ledger)

    @property
    def state(self) -> State:
        """The table afterwards."""
        return self.happened[-1].state if self.happened else self.before

    @property
    def answered(self) -> tuple[Answered, ...]:
        """Every question on the way, with the assumed answer."""
        return tuple(entry for happened in self.happened for entry in happened.answered)

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The rolls on the way if nobody interrupts."""
        return tuple(entry.question for entry in self.answered if isinstance(entry.question, Roll))

    @property
    def chance(self) -> Fraction:
        """The chance that every test of these rolls is passed."""
        return prod((roll.chance for roll in self._tests()), start=Fraction(1))

    @property
    def choices(self) -> tuple[Answered, ...]:
        """The choices of the mover's player on the way, with the assumed choice."""
        return tuple(entry for entry in self.answered if isinstance(entry.question, Choose))

    def least_chance(self, goal: Callable[[State], bool] | None = None) -> Fraction:
        """Return the chance that the unit ends where it does in the best case, or on a goal, whatever others do.

        Its heading does not count. Raise TooMuchAsked where not all plays were followed.
        """
        return least_chance(self.plays, self._is_as_planned if goal is None else goal)

    def _is_as_planned(self, state: State) -> bool:
        if self.unit not in state.units or self.unit not in self.state.units:
            return (self.unit in state.units) is (self.unit in self.state.units)
        unit, planned = state.unit(self.unit), self.state.unit(self.unit)
        pose_of = ruleset_of(self.setting).pose_of
        here, there = pose_of(Table(self.setting, state), unit), pose_of(Table(self.setting, self.state), planned)
        if here is None or there is None or unit.carrier != planned.carrier:
            return here is there and unit.carrier == planned.carrier
        return here.level == there.level and all(
            abs(one - other) <= _SAME_PLACE for one, other in zip(here.place, there.place, strict=True)
        )

    # --- interruptions ---

    @cached_property
    def plays(self) -> Plays:
        """Every play of the orders, with each result of each roll and each reaction one way and the other."""
        return Plays(self.setting, self.before, self.sequel or (lambda _, done: Next(None, done)))

    @cached_property
    def interruptions(self) -> tuple[Interruption, ...]:
        """Who could interrupt the orders, where and how: every reaction asked for in some play of the orders.

        First those of the best case, in sequence, then those that occur only `after` something else has gone
        differently. A question that one play can ask twice is listed twice. See `most_interruptions` for the number of
        them in one play, and `follows_all_plays`.
        """
        found: dict[Any, list[Asking]] = {}
        for moment in self.plays.interruptions:
            question = moment.question
            key = question.who, question.what, question.clause, moment.place, question.detail
            found.setdefault(key, []).append(moment)
        listed = []
        for moments in found.values():
            options = tuple(dict.fromkeys(option for moment in moments for option in moment.question.options))
            times = 1 if len(moments) == 1 else self.plays.most_of(moment.number for moment in moments)
            listed += [(moment.number, self._interruption(moment, options)) for moment in moments[:times]]
        listed.sort(key=lambda entry: (bool(entry[1].after), entry[0]))
        return tuple(interruption for _, interruption in listed)

    @property
    def most_interruptions(self) -> int:
        """The most interruptions in one play of the orders; a lower bound if not all plays were followed."""
        return self.plays.most_interruptions

    @property
    def follows_all_plays(self) -> bool:
        """Whether every play was followed to its end, see `plays.MOST_ANSWERS`; if not, interruptions may be missing.

        `plays.reactions_followed` is the number of reactions up to which nothing is missing.
        """
        return self.plays.are_whole

    @property
    def endings(self) -> tuple[Ending, ...]:
        """The ways in which it can end if nobody reacts: as planned or after failed tests, each with its chance."""
        return self.plays.endings

    def __repr__(self) -> str:
        written = "; ".join(write_order(order, self.setting.ruleset.vocabulary) for order in self.orders)
        return f"<Foreseen {written or 'nothing'}: {sums_text(self.ledger.totals) or 'no price'}>"

    def __str__(self) -> str:
        lines = [str(self.ledger)]
        lines += [f"rolls {roll}: {roll.dice or 'a roll'}, chance {roll.chance}" for roll in self._tests()]
        lines += [f"may be interrupted by {found}" for found in self.interruptions]
        return "\n".join(lines)

    def _interruption(self, moment: Asking, options: tuple[Any, ...]) -> Interruption:
        question = moment.question
        other = moment.state.units.get(question.who)
        side = "" if other is None else other.side
        # It is obvious that the mover is meant.
        more = Fields({name: value for name, value in question.detail.items() if value != moment.mover})
        known = (
            question.who,
            side,
            question.what,
            options,
            question.clause,
            moment.place,
            moment.spent,
            more,
            moment.path,
        )
        return Interruption(*known, outcomes=tuple(self._outcomes(moment)))

    def _outcomes(self, moment: Asking) -> Iterator[Outcome]:
        """Yield the outcomes of reacting within the ranges of a question, equal outcomes together."""
        spans: dict[Any, list[Span]] = {}
        first: dict[Any, tuple[tuple[Ending, ...], Value]] = {}
        ways = {way.answer: way for way in moment.ways}
        before = None
        for stretch, piece in _pieces(moment.question):
            ends = self.plays.endings_after(ways[piece.sample])
            key = _kinds_of_ends(ends)
            if not ends:
                before = None
                continue
            found = spans.setdefault(key, [])
            first.setdefault(key, (ends, piece.sample))
            if before == (key, stretch):
                found[-1] = found[-1].up_to(piece.span)
            else:
                found.append(piece.span)
            before = key, stretch
        for key, found in spans.items():
            yield Outcome(tuple(found), *first[key])
        yield from self._outcomes_on_areas(moment, ways)

    def _outcomes_on_areas(self, moment: Asking, ways: Mapping[Any, Branch]) -> Iterator[Outcome]:
        """Yield the outcomes for its regions: pieces with equal outcomes as one area."""
        areas: dict[Any, list[SpotPiece]] = {}
        first: dict[Any, tuple[Ending, ...]] = {}
        for option in moment.question.options:
            for piece in option.pieces if isinstance(option, SpotIn) else ():
                if ends := self.plays.endings_after(ways[piece.sample]):
                    key = _kinds_of_ends(ends)
                    areas.setdefault(key, []).append(piece)
                    first.setdefault(key, ends)
        for key, pieces in areas.items():
            yield Outcome((), first[key], pieces[0].sample, shapely.union_all([piece.area for piece in pieces]))

    def _tests(self) -> Iterator[Roll]:
        return (roll for roll in self.rolls if roll.target is not None)

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)


def _pieces(question: React) -> Iterator[tuple[int, RangePiece]]:
    """Yield the pieces of a question's ranges of numbers, each with the number of its stretch."""
    number = 0
    for option in question.options:
        if isinstance(option, NumberRange):
            for stretch in option.cut:
                number += 1
                yield from ((number, piece) for piece in stretch)


def _kinds_of_ends(endings: Iterable[Ending]) -> Any:
    """Return what reactions with equal outcomes have in common: everything but distances and places."""
    return tuple(
        (
            ending.chance,
            tuple((entry.question.who, entry.question.what) for entry in ending.failed),
            tuple((event.kind, event.unit, _words(event.detail)) for event in ending.events),
            ending.as_planned,
            tuple(breach.clause for breach in ending.breaches),
        )
        for ending in endings
    )


def _words(detail: Mapping[str, Any]) -> tuple[Any, ...]:
    return tuple((name, value) for name, value in detail.items() if isinstance(value, str | bool))


def foresee(game: Playthrough[Any], orders: str | Order | Iterable[str | Order]) -> Foreseen:
    """Compute what orders would do from here if all went well, and what could interrupt them; the game does not change.

    If it is not the go of the first order's unit, they are computed as if it were; goes of others between two orders
    are passed over. Raise UnreadableOrder or IllegalOrder as playing them would.
    """
    if game.question is not None:
        raise TableError(f"a question is open: {game.question}")
    twin = game.branch(Hopeful())
    parsed = [
        twin.read(order)
        for order in ([orders] if isinstance(orders, (str, Order)) else listed("orders", orders, "order"))
    ]
    not_now = not_its_go(game, parsed[0]) if parsed else ()
    if not_now:
        goes = [
            at_its_go(game.setting, game.state, parsed[0].unit, phase) for phase in _open_phases(game, parsed[0].unit)
        ]
        twin.state = next((state for state in goes if _is_legal(twin, state, parsed[0])), goes[0])
    before = twin.state
    happened = []
    for number, order in enumerate(parsed):
        if number:
            _wait_for(twin, order)
        happened.append(twin.do(order))

    def sequel(state: State, done: int) -> Next:
        return _next(game, parsed, state, done)

    return Foreseen(game.setting, before, tuple(happened), not_now, sequel)


def _next(game: Playthrough[Any], orders: Sequence[Order], state: State, done: int) -> Next:
    """Return the next order on a table: the next of some orders, or the end of another go that it has to wait for."""
    if done == len(orders):
        return Next(None, done)
    twin = game.branch()
    twin.state = state
    order = orders[done]
    if order.unit not in state.units:
        return Next(None, done, breaches=(Breach("", f"{order.unit} is no longer on the table"),))
    if done and not_its_go(twin, order):
        return Next(Order(game.ruleset.clock.may_go(Table(game.setting, state))[0], "done"), done, is_requested=False)
    try:
        planned = twin.planned(order)
        breaches = tuple(twin.breaches(planned))
    except IllegalOrder as error:
        return Next(None, done, breaches=error.breaches)
    except (NoRoute, TableError) as error:
        return Next(None, done, breaches=(Breach("", str(error)),))
    return Next(None, done, breaches=breaches) if breaches else Next(planned, done + 1)


def not_its_go(game: Playthrough[Any], order: Order) -> tuple[Breach, ...]:
    """Explain why an order is not possible now though its unit could act at another time; else return nothing."""
    if order.action in ("begin", "done") or game.ruleset.vocabulary.action(order.action).aside:
        return ()
    if not _open_phases(game, order.unit):
        return ()
    return tuple(game.ruleset.clock.breaches(Table(game.setting, game.state), order.unit, order.action))


def _open_phases(game: Playthrough[Any], unit: str) -> tuple[int, ...]:
    """Return the phases of this turn in which a unit can act, the current one first, then those that follow."""
    clock, rule = game.state.clock, game.ruleset.clock
    if not clock.turn or clock.over:
        return ()
    here, count = clock.number, len(clock.phases)
    tables = {
        number % count: Table(game.setting, game.state.put(clock=clock.put({"number": number % count})))
        for number in range(here, here + count)
    }
    return tuple(number for number, table in tables.items() if rule.can_act(table, table.unit(unit)))


def _is_legal(game: Playthrough[Any], state: State, order: Order) -> bool:
    game.state = state
    try:
        return not game.breaches(order)
    except IllegalOrder:
        return False


def at_its_go(setting: Setting[Any], state: State, unit: str, phase: int | None = None) -> State:
    """Return the table as if a unit's go had begun, even if the unit has had its go or is far from its turn.

    `phase` is the number of another phase of the turn for that go.
    """
    rule = ruleset_of(setting).clock
    table = Table(setting, state)
    if phase not in (None, state.clock.number):
        table.state = state.put(clock=state.clock.put({"number": phase, "unit": ""}))
        there = table.clock.phase
        assert there is not None  # its number is one of the turn's
        table.state = state.put(
            clock=table.clock.put({"sides": tuple(rule.sides(table, there)), "done": (), "line": ()})
        )
    table.play(rule.ready(table, unit), "when a go begins")
    clock = table.clock
    done = tuple(name for name in clock.done if name != unit)
    listed = clock.phase is not None and clock.phase.order == "listed"
    line = (unit, *(name for name in clock.line if name != unit)) if listed else ()
    return table.state.put(clock=clock.put({"done": done, "line": line}))


def _wait_for(game: Playthrough[Any], order: Order) -> None:
    """Let others pass until an order is possible: other goes may lie between orders of one unit."""
    for _ in range(_MOST_GOES):
        if not not_its_go(game, order):
            return
        table = Table(game.setting, game.state)
        game.do(Order(game.ruleset.clock.may_go(table)[0], "done"))
