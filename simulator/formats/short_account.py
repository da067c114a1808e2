"""A short account of what happened, without steps on the way or bookkeeping."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.engine.actions import Answered
from simulator.engine.events import Event
from simulator.engine.ledger import sums_text
from simulator.engine.questions import Roll
from simulator.engine.story import Chapter, Story
from simulator.geometry.poses import place_text
from simulator.wording import visible


def short_account(story: Story) -> str:
    """Return each order with its price, the reasons of a refusal, its questions and its notable events."""
    lines: list[str] = []
    moment = ""
    for chapter in story.chapters:
        if chapter.unsaid or not chapter.order:
            continue
        if _moment(chapter) != moment:
            moment = _moment(chapter)
            lines.append(moment)
        lines += [f"  {_order(chapter)}", *(f"      {line}" for line in _came_of(chapter))]
    return "".join(f"{visible(line).rstrip()}\n" for line in lines)


def _moment(chapter: Chapter) -> str:
    phase = chapter.clock.phase
    return f"Turn {chapter.clock.turn}" + (f", {phase.name.replace('_', ' ')}" if phase else "")


def _order(chapter: Chapter) -> str:
    if chapter.happened is None:
        return f"{chapter.order}   -- {'refused' if chapter.breaches else 'not done'}"
    paid = sums_text(chapter.happened.ledger.totals)
    return chapter.order + (f"   -- {paid}" if paid else "")


def _came_of(chapter: Chapter) -> Iterator[str]:
    yield from map(str, chapter.breaches)
    yield from chapter.problem.splitlines()
    for entry in chapter.happened.record if chapter.happened is not None else ():
        if isinstance(entry, Answered):
            yield _question(entry)
        elif entry.detail:
            yield _event(entry)


def _question(entry: Answered) -> str:
    question, answer = entry.question, _answer(entry)
    chance = ""
    if isinstance(question, Roll) and question.target is not None:
        chance = f" ({float(question.chance):.0%} to pass)"
    return f"? {question}: {answer}{chance}"


def _answer(entry: Answered) -> str:
    question, text = entry.question, entry.question.says(entry.answer.value)
    return f"{question.dice}: {text}" if isinstance(question, Roll) and question.dice else text.replace("_", " ")


def _event(event: Event) -> str:
    clause = f" ({event.clause})" if event.clause else ""
    return event.sentence("" if event.place is None else place_text(event.place)) + clause
