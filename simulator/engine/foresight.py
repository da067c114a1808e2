"""Foresight: what an order would do if all went well, what it would cost, and who could interrupt it where.

The orders are played on a branch of the game, by the same rules as any other: tests pass, choices take their default,
and every reaction is let pass, but written down. So what is foretold is what the game would do, and the game itself
is not touched.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Any

from simulator import pictures
from simulator.engine.actions import Answered, Happened
from simulator.engine.answers import Answer, Moment
from simulator.engine.errors import Breach, IllegalOrder, TableError
from simulator.engine.events import Event, applied
from simulator.engine.ledger import Ledger, told_sums
from simulator.engine.orders import Order
from simulator.engine.questions import LET_PASS, Choose, Question, React, Roll
from simulator.engine.reach import told_place
from simulator.engine.reading import write_order
from simulator.engine.ruleset import Setting, Table
from simulator.engine.state import State
from simulator.engine.values import NO_FIELDS, Fields, figure, show, to_plain

if TYPE_CHECKING:
    from simulator.engine.game import Game

#: Orders that need more goes of others than this between them are not waited for.
_MOST_GOES = 1000


@dataclass(frozen=True, slots=True)
class Hopeful:
    """Answers so that an order comes to its end: tests pass, choices take their default, nobody reacts.

    A roll that is no test shows its highest result, or where its results are words the likeliest.
    """

    def answer(self, question: Question, moment: Moment) -> Answer | None:
        """Give the answer that lets the order go on."""
        del moment  # hope is the same at all times
        if isinstance(question, React):
            return Answer(LET_PASS, "hope")
        if isinstance(question, Choose):
            return Answer(question.options[0] if question.default is None else question.default, "hope")
        return Answer(best_result(question), "hope")


def best_result(roll: Roll) -> Any:
    """Give the result of a roll that serves best: far within the test, the highest, or the likeliest word.

    >>> best_result(Roll("dodge", dice="D10", target=6, at_most=True)), best_result(Roll("hits", dice="2D6"))
    (1, 12)
    """
    results = [result for result, chance in roll.chances.items() if chance]
    if all(isinstance(result, (int, float, Fraction)) for result in results):
        return min(results) if roll.at_most else max(results)
    return max(results, key=roll.chances.__getitem__)


@dataclass(frozen=True, slots=True)
class Interruption:
    """A point of a move at which somebody may react: who, how, by which clause, and where the mover then is."""

    who: str
    side: str
    what: str
    options: tuple[Any, ...]
    clause: str
    place: tuple[Any, ...] | None
    #: What the order had cost by then, in each currency.
    spent: Fields = NO_FIELDS
    #: What else the one who is asked would be told, such as the weapon.
    detail: Fields = NO_FIELDS

    def __str__(self) -> str:
        where = "" if self.place is None else f" at {told_place(self.place)}"
        ways = " or ".join(show(option) for option in self.options)
        how = ways if ways == self.what else f"{self.what} ({ways})"
        more = "".join(f", {name} {show(value)}" for name, value in self.detail.items())
        clause = f" ({self.clause})" if self.clause else ""
        return f"{self.who}: {how}{more}{where}{clause}"

    def to_fields(self) -> dict[str, Any]:
        """Give it as plain data."""
        return {
            "who": self.who,
            "side": self.side,
            "what": self.what,
            "options": [to_plain(option) for option in self.options],
            "clause": self.clause,
            "place": None if self.place is None else list(self.place),
            "spent": {currency: figure(total) for currency, total in self.spent.items()},
            "detail": to_plain(self.detail),
        }


@dataclass(frozen=True)
class Foreseen:
    """What orders would do if all went well: see `foresee`."""

    setting: Setting[Any]
    #: The table before the first order; the go of its unit has begun there if it was not its turn.
    before: State
    happened: tuple[Happened, ...]
    #: Why the first order could not be given right now: it is somebody else's go. Empty where it could.
    not_now: tuple[Breach, ...] = ()

    @property
    def table(self) -> Table[Any]:
        """The table before the first order."""
        return Table(self.setting, self.before)

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders, goals turned into elements."""
        return tuple(happened.order for happened in self.happened)

    @property
    def unit(self) -> str:
        """Who acts."""
        return self.happened[0].order.unit if self.happened else ""

    @property
    def events(self) -> tuple[Event, ...]:
        """Everything that would happen."""
        return tuple(event for happened in self.happened for event in happened.events)

    @property
    def ledger(self) -> Ledger:
        """The price of it all, line by line."""
        return Ledger(line for happened in self.happened for line in happened.ledger)

    @property
    def state(self) -> State:
        """The table afterwards."""
        return self.happened[-1].state if self.happened else self.before

    @property
    def answered(self) -> tuple[Answered, ...]:
        """Every question on the way, with the answer that was assumed."""
        return tuple(entry for happened in self.happened for entry in happened.answered)

    @property
    def rolls(self) -> tuple[Roll, ...]:
        """The rolls on the way, where nobody interrupts."""
        return tuple(entry.question for entry in self.answered if isinstance(entry.question, Roll))

    @property
    def chance(self) -> Fraction:
        """The chance that every test of these rolls is passed."""
        return prod((roll.chance for roll in self._tests()), start=Fraction(1))

    @property
    def choices(self) -> tuple[Answered, ...]:
        """What the mover's player has to choose on the way, with the choice that was assumed."""
        return tuple(entry for entry in self.answered if isinstance(entry.question, Choose))

    @property
    def interruptions(self) -> tuple[Interruption, ...]:
        """Who could interrupt it, where and how, in the order in which they would be asked."""
        return tuple(found for happened in self.happened for found in self._interruptions(happened))

    def __repr__(self) -> str:
        written = "; ".join(write_order(order, self.setting.ruleset.vocabulary) for order in self.orders)
        return f"<Foreseen {written or 'nothing'}: {told_sums(self.ledger.totals) or 'no price'}>"

    def __str__(self) -> str:
        lines = [str(self.ledger)]
        lines += [f"rolls {roll}: {roll.dice or 'a roll'}, chance {roll.chance}" for roll in self._tests()]
        lines += [f"may be interrupted by {found}" for found in self.interruptions]
        return "\n".join(lines)

    def _tests(self) -> Iterator[Roll]:
        return (roll for roll in self.rolls if roll.target is not None)

    def _repr_svg_(self) -> str | None:
        return pictures.picture_of(self)

    def _interruptions(self, happened: Happened) -> Iterator[Interruption]:
        state = self.before
        spent = NO_FIELDS
        for entry in happened.record:
            if isinstance(entry, Event):
                spent = entry.spent
                state = applied(state, entry) if entry.changes else state
                continue
            asked = entry.question
            if isinstance(asked, React) and asked.who != happened.order.unit:
                other, mover = state.units.get(asked.who), state.units.get(happened.order.unit)
                place = asked.place if asked.place is not None or mover is None else mover.place
                side = "" if other is None else other.side
                # That it is the mover who is meant goes without saying.
                more = {name: value for name, value in asked.detail.items() if value != happened.order.unit}
                ways = tuple(asked.options)
                yield Interruption(asked.who, side, asked.what, ways, asked.clause, place, spent, Fields(more))


def foresee(game: Game[Any], orders: str | Order | Iterable[str | Order]) -> Foreseen:
    """Tell what orders would do from here if all went well; the game stays as it is.

    Where it is not the go of the first order's unit, they are told as if it were; goes of others that lie between two
    orders are passed over. Raises UnreadableOrder or IllegalOrder as playing them would.
    """
    if game.question is not None:
        raise TableError(f"a question is open: {game.question}")
    twin = game.branch(Hopeful())
    given = [twin.read(order) for order in ([orders] if isinstance(orders, (str, Order)) else orders)]
    not_now = not_its_go(game, given[0]) if given else ()
    if not_now:
        goes = [
            at_its_go(game.setting, game.state, given[0].unit, phase) for phase in _open_phases(game, given[0].unit)
        ]
        twin.state = next((state for state in goes if _is_legal(twin, state, given[0])), goes[0])
    before = twin.state
    happened = []
    for number, order in enumerate(given):
        if number:
            _wait_for(twin, order)
        happened.append(twin.do(order))
    return Foreseen(game.setting, before, tuple(happened), not_now)


def not_its_go(game: Game[Any], order: Order) -> tuple[Breach, ...]:
    """Say why an order can not be given right now though its unit could act at another time; else nothing."""
    if order.action in ("begin", "done") or game.ruleset.vocabulary.action(order.action).aside:
        return ()
    if not _open_phases(game, order.unit):
        return ()
    return tuple(game.ruleset.clock.breaches(Table(game.setting, game.state), order.unit, order.action))


def _open_phases(game: Game[Any], unit: str) -> tuple[int, ...]:
    """Give the phases of this turn in which a unit can act at all, the present one first, then those that follow."""
    clock, rule = game.state.clock, game.ruleset.clock
    if not clock.turn or clock.over:
        return ()
    here, count = clock.number, len(clock.phases)
    tables = {
        number % count: Table(game.setting, game.state.put(clock=clock.put({"number": number % count})))
        for number in range(here, here + count)
    }
    return tuple(number for number, table in tables.items() if rule.can_act(table, table.unit(unit)))


def _is_legal(game: Game[Any], state: State, order: Order) -> bool:
    game.state = state
    try:
        return not game.breaches(order)
    except IllegalOrder:
        return False


def at_its_go(setting: Setting[Any], state: State, unit: str, phase: int | None = None) -> State:
    """Give the table as if it were a unit's go: it has begun, even if the unit has had one or is far from its turn.

    `phase` is the number of another phase of the turn in which that go is.
    """
    rule = setting.ruleset.clock
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


def _wait_for(game: Game[Any], order: Order) -> None:
    """Let the others pass until an order can be given: orders of one unit may lie goes apart."""
    for _ in range(_MOST_GOES):
        if not not_its_go(game, order):
            return
        table = Table(game.setting, game.state)
        game.do(Order(game.ruleset.clock.may_go(table)[0], "done"))
