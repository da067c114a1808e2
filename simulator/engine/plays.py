"""Every play of some orders: each roll with each of its results, each choice and each reaction one way and the other.

Of what can be answered out of a range (see `ranges`), its samples are played.

Plays are followed from the fewest reactions up, each question once for all plays that come to it alike: with the same
table, the same price paid, and rules that remember the same (see `memory`). What comes of it is a graph of `PlayNode`s.
Of a roll asked for by `actions.passes` only matters whether it passes. So much work is done at most, see
`MOST_ANSWERS`; where that is not enough the plays say up to how many reactions they are whole.
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

#: So many answers are given at most to follow the plays of some orders, those given again to come back to a question
#: included.
MOST_ANSWERS = 10_000


@dataclass(frozen=True, slots=True)
class Next:
    """What comes after an order: the next one, whether it is one of those asked about, and how many of them are done.

    Without an order the play is over; `breaches` say why where it is broken off.
    """

    order: Order | None
    done: int
    asked_about: bool = True
    breaches: tuple[Breach, ...] = ()


#: What goes otherwise than hoped in a play, first to last.
_Path = tuple[Answered, ...]
#: Says what comes next, from the table and how many of the orders are done.
Sequel = Callable[[State, int], Next]


@dataclass(slots=True)
class Branch:
    """One answer to a question, its chance where it is a roll, what happens then, and the moment that it leads to."""

    answer: Any
    share: Fraction
    events: tuple[Event, ...] = ()
    #: Its number; None where it was not followed.
    to: int | None = None


@dataclass(slots=True)
class PlayNode:
    """A question that plays come to, or where they end: then there is no question."""

    number: int
    #: The table, without what the clock of questions says.
    state: State
    question: Question | None = None
    #: The unit whose order is in hand.
    mover: str = ""
    #: What the order in hand has cost so far.
    spent: Fields = NO_FIELDS
    ways: list[Branch] = field(default_factory=list)
    #: Why the next order cannot be given, where the play ends because of that.
    breaches: tuple[Breach, ...] = ()
    #: What went otherwise than hoped before, first to last, in a play with the fewest reactions that comes here.
    path: _Path = ()

    @property
    def is_end(self) -> bool:
        """Whether plays end here."""
        return self.question is None and not self.ways

    @property
    def place(self) -> tuple[Any, ...] | None:
        """The place that is asked about: what the question says, or where the mover is."""
        mover = self.state.units.get(self.mover)
        stated = None if self.question is None else self.question.place
        return stated if stated is not None or mover is None else mover.place


@dataclass(slots=True)
class Asking(PlayNode):
    """A moment at which somebody else than the mover may interrupt an order that was asked about."""

    question: React = field(kw_only=True)


@dataclass(frozen=True, slots=True)
class Ending:
    """How plays in which nobody reacts can end, with the same tests failed and the same kinds of things happening."""

    chance: Fraction
    #: The tests that failed, first to last; none where all went well.
    failed: tuple[Answered, ...]
    #: What happens from the first failed test on, in the likeliest of these plays.
    events: tuple[Event, ...]
    state: State
    #: Whether everything stands where it does when all goes well.
    as_planned: bool
    #: Why an order could not be given any more.
    breaches: tuple[Breach, ...] = ()


@dataclass(order=True, slots=True)
class _Branch:
    """Where a play goes another way: it is played again up to there."""

    reactions: int
    otherwise: int
    number: int
    start: _Start = field(compare=False)
    answers: tuple[Any, ...] = field(compare=False)
    path: _Path = field(compare=False)
    way: Branch = field(compare=False)


@dataclass(frozen=True, slots=True)
class _Start:
    """Where an order begins."""

    state: State
    order: Order
    done: int
    asked_about: bool


class Plays:
    """Every play of some orders: see above. `moments` begin with that of the play in which all goes well."""

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
        """Up to how many reactions every play was followed; None for any number, -1 where not even without one."""
        return min(branch.reactions for branch in self._open) - 1 if self._open else None

    @property
    def interruptions(self) -> Iterator[Asking]:
        """Every moment at which somebody may interrupt, those of the play in which all goes well first."""
        return (moment for moment in self.moments if isinstance(moment, Asking))

    @cached_property
    def most_interruptions(self) -> int:
        """How many interruptions one play can have at most; where not all was followed, how many one has at least."""
        return self._most(lambda moment, way: isinstance(moment, Asking) and way.answer is not LET_PASS)

    def most_of(self, numbers: Iterable[int]) -> int:
        """Return through how many of some moments one play can come at most."""
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
        """The moments by number, each after all that it leads to; what leads back to itself is gone round once."""
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
        """How the orders can end if nobody reacts and choices take their default; the chances add up to 1.

        What all goes well for comes first. Where not even these plays were followed to their ends, 1 is not reached.
        """
        return tuple(_endings(self, 0, _Strand(Fraction(1))))

    def endings_after(self, way: Branch) -> tuple[Ending, ...]:
        """Return how the orders can end after an answer if nobody reacts from then on, with all that happens then.

        There are none where what comes after the answer was not followed.
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
        """Go on to the next order, as hoped, until a play ends or comes to where another one has been."""
        while True:
            then = self._sequel(state, done)
            if self._is_known((state.position_hash, then.done, then.order, then.asked_about), way):
                return
            moment = self._new(PlayNode(len(self.moments), state, breaches=then.breaches, path=path))
            if then.order is None:
                return
            moment.ways = [Branch(None, Fraction(1))]
            start = _Start(state, then.order, then.done, then.asked_about)
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
        """Answer the open question and return what happens then."""
        self._left -= 1
        before = len(run.record)
        run.send(Answer(answer))
        return _events_from(run, before)

    def _follow(self, branch: _Branch) -> None:
        """Play again up to where a branch leaves, and go on from there."""
        start = branch.start
        run = self._begun(start)
        for answer in branch.answers:
            branch.way.events = self._send(run, answer)
        way = self._play(run, start, branch.path, branch.way, branch.answers)
        if way is not None:
            self._continue(run.happened().state, start.done, branch.path, way)

    def _play(self, run: Run, start: _Start, path: _Path, way: Branch, answers: tuple[Any, ...]) -> Branch | None:
        """Go on with an order as hoped, and note the branches.

        Returns the last answer where the order comes to its end, and None where another play has been there before.
        """
        while (question := run.question) is not None:
            table = run.table.state
            key = question, run.spent, table.position_hash, start.done, self._memory.of(run.rule)
            if self._is_known(key, way):
                return None
            moment = self._new(_asked(question, start, len(self.moments), table, run.spent, path))
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
        """Whether another play has come to the same moment before; if not, the next new one is that moment."""
        number = self._known.setdefault(key, len(self.moments))
        if way is not None:
            way.to = number
        return number < len(self.moments)

    def _new(self, moment: PlayNode) -> PlayNode:
        self.moments.append(moment)
        return moment


def _asked(question: Question, start: _Start, number: int, table: State, spent: Fields, path: _Path) -> PlayNode:
    mover = start.order.unit
    if isinstance(question, React) and start.asked_about and question.who != mover:
        return Asking(number, table, mover=mover, spent=spent, path=path, question=question)
    return PlayNode(number, table, question, mover, spent, path=path)


def _counted(path: _Path) -> tuple[int, int]:
    """Count the reactions of a play, and all that goes otherwise than hoped in it."""
    return sum(isinstance(entry.question, React) for entry in path), len(path)


def _fails(question: Question | None, answer: Any) -> bool:
    """Whether an answer is a failed test."""
    return isinstance(question, Roll) and question.target is not None and not question.passes(answer)


def _events_from(run: Run, first: int) -> tuple[Event, ...]:
    return tuple(entry for entry in run.record[first:] if isinstance(entry, Event))


def _ways(question: Question, only_passing_matters: bool) -> Sequence[Branch]:
    """Return the answers that are to be followed, the hoped one first."""
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


# --- how it ends where nobody reacts ---


@dataclass(slots=True)
class _Strand:
    """Plays that have come to a moment with the same tests failed and the same kinds of things happening since."""

    chance: Fraction
    likeliest: Fraction = Fraction(1)
    events: tuple[Event, ...] = ()
    failed: tuple[Answered, ...] = ()
    #: Whether what happens before a test fails is listed, too.
    keeps: bool = False

    @property
    def name(self) -> Any:
        """What these plays have in common."""
        return tuple(one.question for one in self.failed), tuple((event.kind, event.unit) for event in self.events)

    def onward(self, moment: PlayNode, way: Branch) -> _Strand:
        """Return these plays after an answer."""
        failed = self.failed
        if _fails(moment.question, way.answer):
            failed = (*failed, Answered(moment.question, Answer(way.answer)))  # type: ignore[arg-type]  # it is a roll
        events = (*self.events, *way.events) if failed or self.keeps else ()
        return _Strand(self.chance * way.share, self.likeliest * way.share, events, failed, self.keeps)

    def together(self, other: _Strand | None) -> _Strand:
        """Return these plays and others, described by the likeliest of them."""
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
    """Whether plays end as the one in which all goes well; how well a roll went that is no test does not matter."""
    if planned is None or moment.breaches:
        return False
    same = moment.state.position_hash == planned.state.position_hash
    return same or (not strand.failed and _places(moment) == _places(planned))


def _undisturbed(moment: PlayNode) -> Sequence[Branch]:
    """Return what can come where nobody reacts, and choices take their default."""
    return moment.ways if isinstance(moment.question, Roll) else moment.ways[:1]


def _planned(plays: Plays) -> PlayNode | None:
    """Find where the play ends in which all goes well."""
    moment: PlayNode | None = plays.moments[0]
    while moment is not None and moment.ways:
        to = moment.ways[0].to
        moment = None if to is None else plays.moments[to]
    return moment
