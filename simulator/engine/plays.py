"""All plays of some orders: every result of every roll, every choice, every reaction and none.

Answers from a range (see `ranges`) are played for its samples.

Plays are followed in ascending number of reactions, each question once for all plays that reach it alike: with the same
table, the same price paid, and rules with the same memory (see `memory`). The result is a graph of `PlayNode`s. A roll
made by `actions.passes` has two results, pass or fail. The work is limited by `MOST_ANSWERS`; if that is not enough,
`Plays.reactions_followed` is the number of reactions up to which the plays are complete.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import Any

from simulator.engine.actions import Answered, Run
from simulator.engine.answers import Answer
from simulator.engine.best_case import hoped
from simulator.engine.errors import Breach
from simulator.engine.events import Event
from simulator.engine.memory import Memory
from simulator.engine.orders import Order
from simulator.engine.questions import LET_PASS, Choose, Question, React, Roll
from simulator.engine.state import State
from simulator.engine.table import Setting
from simulator.engine.values import NO_FIELDS, Fields

#: The most answers sent to follow the plays of some orders, including those sent again to return to a question.
MOST_ANSWERS = 10_000


@dataclass(frozen=True, slots=True)
class Next:
    """The next order of a play, whether it is one of the requested orders, and how many of those are done.

    Without an order the play is over; `breaches` are the reasons if it is broken off.
    """

    order: Order | None
    done: int
    is_requested: bool = True
    breaches: tuple[Breach, ...] = ()


#: What goes differently from the best case in a play, first to last.
_Path = tuple[Answered, ...]
#: Returns the next order, from the table and the number of orders done.
Sequel = Callable[[State, int], Next]


@dataclass(slots=True)
class Branch:
    """One answer to a question, its chance if it is a roll, the events that follow, and the moment that it leads to."""

    answer: Any
    share: Fraction
    events: tuple[Event, ...] = ()
    #: The number of the moment; None if it was not followed.
    to: int | None = None


@dataclass(slots=True)
class PlayNode:
    """A moment of plays: a question, or an end without a question."""

    number: int
    #: The table, without the open question.
    state: State
    question: Question | None = None
    #: The unit of the current order.
    mover: str = ""
    #: The cost of the current order so far.
    spent: Fields = NO_FIELDS
    ways: list[Branch] = field(default_factory=list)
    #: Why the next order is not possible, if that ends the play.
    breaches: tuple[Breach, ...] = ()
    #: The earlier differences from the best case, first to last, in a play with the fewest reactions that leads here.
    path: _Path = ()

    @property
    def is_end(self) -> bool:
        """Whether plays end here."""
        return self.question is None and not self.ways

    @property
    def place(self) -> tuple[Any, ...] | None:
        """The place of the question, or of the mover if the question has none."""
        mover = self.state.units.get(self.mover)
        stated = None if self.question is None else self.question.place
        return stated if stated is not None or mover is None else mover.place


@dataclass(slots=True)
class Asking(PlayNode):
    """A moment at which somebody other than the mover may interrupt a requested order."""

    question: React = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Ending:
    """An end of plays in which nobody reacts, all with the same failed tests and the same kinds of events."""

    chance: Fraction
    #: The tests that failed, first to last; none if all went well.
    failed: tuple[Answered, ...]
    #: The events from the first failed test on, in the likeliest of these plays.
    events: tuple[Event, ...]
    state: State
    #: Whether all units end where they do in the best case.
    as_planned: bool
    #: Why an order was no longer possible.
    breaches: tuple[Breach, ...] = ()


@dataclass(order=True, slots=True)
class _Branch:
    """A point where a play takes another way; the order is played again up to that point."""

    reactions: int
    otherwise: int
    number: int
    start: _Start = field(compare=False)
    answers: tuple[Any, ...] = field(compare=False)
    path: _Path = field(compare=False)
    way: Branch = field(compare=False)


@dataclass(frozen=True, slots=True)
class _Start:
    """The start of an order."""

    state: State
    order: Order
    done: int
    is_requested: bool


class Plays:
    """All plays of some orders: see above. `moments` begin with the first of the best case."""

    def __init__(self, setting: Setting[Any], before: State, sequel: Sequel, most: int = MOST_ANSWERS) -> None:
        self.setting, self.before = setting, before
        self.moments: list[PlayNode] = []
        self._sequel, self._left = sequel, most
        self._memory = Memory()
        self._known: dict[Any, int] = {}
        self._branches = 0
        #: The branches that are not followed yet, those after the fewest reactions first.
        self._open: list[_Branch] = []
        self._follow_all()

    # --- what was found ---

    @property
    def are_whole(self) -> bool:
        """Whether every play was followed to its end."""
        return not self._open

    @property
    def reactions_followed(self) -> int | None:
        """Every play was followed up to this number of reactions; None for any number, -1 if not even without one."""
        return min(branch.reactions for branch in self._open) - 1 if self._open else None

    @property
    def interruptions(self) -> Iterator[Asking]:
        """Every moment at which somebody may interrupt, those of the best case first."""
        return (moment for moment in self.moments if isinstance(moment, Asking))

    @cached_property
    def most_interruptions(self) -> int:
        """The most interruptions in one play; a lower bound if not all plays were followed."""
        return self._most(lambda moment, way: isinstance(moment, Asking) and way.answer is not LET_PASS)

    def most_of(self, numbers: Iterable[int]) -> int:
        """Return the largest number of some moments through which one play can pass."""
        chosen = frozenset(numbers)
        return self._most(lambda moment, _: moment.number in chosen)

    def _most(self, counts: Callable[[PlayNode, Branch], bool]) -> int:
        most = [0] * len(self.moments)
        for number in self.backwards:
            moment = self.moments[number]
            most[number] = max(
                (most[way.to] + counts(moment, way) for way in moment.ways if way.to is not None), default=0
            )
        return most[0]

    @cached_property
    def backwards(self) -> list[int]:
        """The moments by number, each after all that it leads to; cycles are followed once."""
        found: list[int] = []
        seen = {0}
        waiting = [(0, iter(self.moments[0].ways))]
        while waiting:
            number, ways = waiting[-1]
            to = next((way.to for way in ways if way.to is not None and way.to not in seen), None)
            if to is None:
                waiting.pop()
                found.append(number)
            else:
                seen.add(to)
                waiting.append((to, iter(self.moments[to].ways)))
        return found

    @cached_property
    def endings(self) -> tuple[Ending, ...]:
        """The ways in which the orders can end if nobody reacts and choices take their default.

        The best case comes first. The chances add up to 1, unless these plays were not all followed to their ends.
        """
        return tuple(_endings(self, 0, _Strand(Fraction(1))))

    def endings_after(self, way: Branch) -> tuple[Ending, ...]:
        """Return the ways in which the orders can end after an answer if nobody reacts later, with all later events.

        There are none if the plays after the answer were not followed.
        """
        if way.to is None:
            return ()
        return tuple(_endings(self, way.to, _Strand(Fraction(1), events=way.events, keeps=True)))

    # --- following ---

    def _follow_all(self) -> None:
        self._continue(self.before, 0, (), None)
        while self._open and self._left > 0:
            self._follow(heapq.heappop(self._open))

    def _continue(self, state: State, done: int, path: _Path, way: Branch | None) -> None:
        """Play the next orders by the best case until a play ends or reaches a moment of another play."""
        while True:
            then = self._sequel(state, done)
            if self._is_known((state.position_hash, then.done, then.order, then.is_requested), way):
                return
            moment = self._new(PlayNode(len(self.moments), state, breaches=then.breaches, path=path))
            if then.order is None:
                return
            moment.ways = [Branch(None, Fraction(1))]
            start = _Start(state, then.order, then.done, then.is_requested)
            run = self._begun(start)
            moment.ways[0].events = _events_from(run, 0)
            way = self._play(run, start, path, moment.ways[0], ())
            if way is None:
                return
            state, done = run.happened().state, then.done

    def _begun(self, start: _Start) -> Run:
        self._left -= 1
        return Run(self.setting, start.state, start.order)

    def _send(self, run: Run, answer: Any) -> tuple[Event, ...]:
        """Answer the open question and return the events that follow."""
        self._left -= 1
        before = len(run.record)
        run.send(Answer(answer))
        return _events_from(run, before)

    def _follow(self, branch: _Branch) -> None:
        """Play again up to the point of a branch, and continue from there."""
        start = branch.start
        run = self._begun(start)
        for answer in branch.answers:
            branch.way.events = self._send(run, answer)
        way = self._play(run, start, branch.path, branch.way, branch.answers)
        if way is not None:
            self._continue(run.happened().state, start.done, branch.path, way)

    def _play(self, run: Run, start: _Start, path: _Path, way: Branch, answers: tuple[Any, ...]) -> Branch | None:
        """Play an order by the best case and record its branches.

        Return the last answer if the order is completed, and None if it reaches a moment of another play.
        """
        while (question := run.question) is not None:
            table = run.table.state
            key = question, run.spent, table.position_hash, start.done, self._memory.of(run.rule)
            if self._is_known(key, way):
                return None
            moment = self._new(_moment_of(question, start, len(self.moments), table, run.spent, path))
            moment.ways = list(_ways(question, run.only_passing_matters))
            for other in moment.ways[1:]:
                self._branch_off(question, other, start, path, (*answers, other.answer))
            way = moment.ways[0]
            answers = (*answers, way.answer)
            way.events = self._send(run, way.answer)
        return way

    def _branch_off(
        self, question: Question, way: Branch, start: _Start, path: _Path, answers: tuple[Any, ...]
    ) -> None:
        reactions, otherwise = _counted(path)
        more = path
        if not isinstance(question, Roll) or _fails(question, way.answer):
            more = (*path, Answered(question, Answer(way.answer)))
            reactions, otherwise = _counted(more)
        self._branches += 1
        heapq.heappush(self._open, _Branch(reactions, otherwise, self._branches, start, answers, more, way))

    def _is_known(self, key: Any, way: Branch | None) -> bool:
        """Whether another play has reached the same moment before; if not, the next new moment gets this key."""
        number = self._known.setdefault(key, len(self.moments))
        if way is not None:
            way.to = number
        return number < len(self.moments)

    def _new(self, moment: PlayNode) -> PlayNode:
        self.moments.append(moment)
        return moment


def _moment_of(question: Question, start: _Start, number: int, table: State, spent: Fields, path: _Path) -> PlayNode:
    mover = start.order.unit
    if isinstance(question, React) and start.is_requested and question.who != mover:
        return Asking(number, table, mover=mover, spent=spent, path=path, question=question)
    return PlayNode(number, table, question, mover, spent, path=path)


def _counted(path: _Path) -> tuple[int, int]:
    """Count the reactions of a play, and all of its differences from the best case."""
    return sum(isinstance(entry.question, React) for entry in path), len(path)


def _fails(question: Question | None, answer: Any) -> bool:
    """Whether an answer is a failed test."""
    return isinstance(question, Roll) and question.target is not None and not question.passes(answer)


def _events_from(run: Run, first: int) -> tuple[Event, ...]:
    return tuple(entry for entry in run.record[first:] if isinstance(entry, Event))


def _ways(question: Question, only_passing_matters: bool) -> Sequence[Branch]:
    """Return the answers to follow, that of the best case first."""
    hope = hoped(question)
    if isinstance(question, React):
        return [Branch(answer, Fraction(1)) for answer in (LET_PASS, *question.samples)]
    if isinstance(question, Choose):
        return [Branch(hope, Fraction(1)), *(Branch(one, Fraction(1)) for one in question.samples if one != hope)]
    chances = {result: chance for result, chance in question.chances.items() if chance}
    if not only_passing_matters:
        return [Branch(hope, chances[hope]), *(Branch(one, share) for one, share in chances.items() if one != hope)]
    failed = [result for result in chances if not question.passes(result)]
    passes = question.chance
    if not failed or not passes:
        return [Branch(hope, Fraction(1))]
    worst = max(failed) if question.at_most else min(failed)
    return [Branch(hope, passes), Branch(worst, 1 - passes)]


# --- ends without reactions ---


@dataclass(slots=True)
class _Strand:
    """Plays that have reached a moment with the same failed tests and the same kinds of events since."""

    chance: Fraction
    likeliest: Fraction = Fraction(1)
    events: tuple[Event, ...] = ()
    failed: tuple[Answered, ...] = ()
    #: Whether events before a failed test are listed, too.
    keeps: bool = False

    @property
    def name(self) -> Any:
        """The key that these plays have in common."""
        return tuple(one.question for one in self.failed), tuple((event.kind, event.unit) for event in self.events)

    def onward(self, moment: PlayNode, way: Branch) -> _Strand:
        """Return these plays, continued by an answer."""
        failed = self.failed
        if _fails(moment.question, way.answer):
            failed = (*failed, Answered(moment.question, Answer(way.answer)))  # type: ignore[arg-type]  # it is a roll
        events = (*self.events, *way.events) if failed or self.keeps else ()
        return _Strand(self.chance * way.share, self.likeliest * way.share, events, failed, self.keeps)

    def together(self, other: _Strand | None) -> _Strand:
        """Return these plays merged with others, described by the likeliest of them."""
        if other is None:
            return self
        likelier = self if self.likeliest > other.likeliest else other
        return _Strand(self.chance + other.chance, likelier.likeliest, likelier.events, likelier.failed, likelier.keeps)


def _endings(plays: Plays, first: int, before: _Strand) -> Iterator[Ending]:
    planned = _planned(plays)
    strands: dict[int, dict[Any, _Strand]] = {first: {(): before}}
    ended: dict[Any, tuple[_Strand, PlayNode]] = {}
    for number in reversed(plays.backwards):
        moment = plays.moments[number]
        for strand in strands.pop(number, {}).values():
            if moment.is_end:
                key = strand.name, _places(moment), moment.breaches, _is_planned(strand, moment, planned)
                ended[key] = strand.together(ended[key][0] if key in ended else None), moment
            for way in _undisturbed(moment):
                onward = strand.onward(moment, way)
                there = strands.setdefault(-1 if way.to is None else way.to, {})
                there[onward.name] = onward.together(there.get(onward.name))
    found = [
        Ending(strand.chance, strand.failed, strand.events, moment.state, key[-1], moment.breaches)
        for key, (strand, moment) in ended.items()
    ]
    yield from sorted(found, key=lambda ending: (bool(ending.failed), not ending.as_planned, -ending.chance))


def _places(moment: PlayNode) -> tuple[Any, ...]:
    return tuple((unit.id, unit.place, unit.heading) for unit in moment.state)


def _is_planned(strand: _Strand, moment: PlayNode, planned: PlayNode | None) -> bool:
    """Whether plays end like the best case; the results of rolls that are not tests do not matter."""
    if planned is None or moment.breaches:
        return False
    same = moment.state.position_hash == planned.state.position_hash
    return same or (not strand.failed and _places(moment) == _places(planned))


def _undisturbed(moment: PlayNode) -> Sequence[Branch]:
    """Return the branches if nobody reacts and choices take their default."""
    return moment.ways if isinstance(moment.question, Roll) else moment.ways[:1]


def _planned(plays: Plays) -> PlayNode | None:
    """Find the end of the best case."""
    moment: PlayNode | None = plays.moments[0]
    while moment is not None and moment.ways:
        to = moment.ways[0].to
        moment = None if to is None else plays.moments[to]
    return moment
