"""A story as a timeline of moments: one for each thing that can be seen or has to be paid, in the order of the game.

What a moment shows comes from the ruleset's own `draw`; the state in the middle of an order is had by applying its
events one by one, as the game itself did.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.actions import Answered
from simulator.engine.events import Event, applied
from simulator.engine.state import State
from simulator.engine.story import Chapter, Story
from simulator.engine.table import Depiction, Setting, Table

Seen = Mapping[str, Depiction]


@dataclass(frozen=True, slots=True)
class TimelineMoment:
    """The table at one moment of the game."""

    #: The number of the order it belongs to; that of the last one plus one at the end.
    chapter: int
    state: State
    seen: Seen
    #: Where something happens, if it does at one place.
    place: tuple[Any, ...] | None = None


@dataclass(frozen=True, slots=True)
class TimelineEntry:
    """An event or an answered question of an order; `moment` is None for bookkeeping that nobody needs to watch."""

    what: Event | Answered
    moment: int | None


@dataclass(frozen=True, slots=True)
class Scene:
    """An order on the timeline: the moment at which it is given, and its entries."""

    chapter: Chapter
    #: The table before the order.
    before: State
    first: int | None
    entries: tuple[TimelineEntry, ...] = ()


@dataclass(frozen=True)
class Timeline:
    """All moments and scenes of a story."""

    story: Story
    moments: tuple[TimelineMoment, ...]
    scenes: tuple[Scene, ...]

    @property
    def last(self) -> State:
        """The table at the end."""
        return self.moments[-1].state


def timeline_of(story: Story) -> Timeline:
    """Cut a story into moments."""
    cutter = _Cutter(story.setting, story.opening)
    scenes = tuple(cutter.scene(number, chapter) for number, chapter in enumerate(story.chapters))
    cutter.take(len(scenes), None)
    return Timeline(story, tuple(cutter.moments), scenes)


@dataclass
class _Cutter:
    setting: Setting[Any]
    state: State
    moments: list[TimelineMoment] = field(default_factory=list)
    seen: Seen = field(init=False)

    def __post_init__(self) -> None:
        self.seen = seen_in(self.setting, self.state)

    def take(self, chapter: int, place: tuple[Any, ...] | None) -> int:
        """Add the present table to the timeline, and return the number of the moment."""
        self.moments.append(TimelineMoment(chapter, self.state, self.seen, place))
        return len(self.moments) - 1

    def scene(self, number: int, chapter: Chapter) -> Scene:
        """Cut one order."""
        before = self.state
        first = None if chapter.unsaid and chapter.done else self.take(number, None)
        happened = chapter.happened
        if happened is None:
            return Scene(chapter, before, first)
        entries = tuple(self._entry(number, entry) for entry in happened.record)
        if happened.question is None:
            # The counts of rolls and choices are kept by the game, not by events.
            self.state = happened.state
            self.seen = seen_in(self.setting, self.state)
        return Scene(chapter, before, first, entries)

    def _entry(self, number: int, what: Event | Answered) -> TimelineEntry:
        if isinstance(what, Answered):
            return TimelineEntry(what, self.take(number, what.question.place_of(what.answer.value)))
        before = self.seen
        if what.changes:
            self.state = applied(self.state, what)
            self.seen = seen_in(self.setting, self.state)
        telling = what.price or what.detail or self.seen != before
        return TimelineEntry(what, self.take(number, what.place) if telling else None)


def seen_in(setting: Setting[Any], state: State) -> Seen:
    """Return the depiction of each unit on a table."""
    return {drawn.unit: drawn for drawn in setting.ruleset.draw(Table(setting, state))}
