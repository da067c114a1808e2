"""The account beside the board, as HTML: orders, events, questions, prices, and the clauses they rest on.

Everything that comes from a file or a rulebook passes through `plain`, so that no name can be more than text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import groupby

from simulator.engine.actions import Answered
from simulator.engine.clauses import CLAUSE_ID, Clause
from simulator.engine.errors import Breach
from simulator.engine.events import Event
from simulator.engine.ledger import Ledger, LedgerLine, sums_text
from simulator.engine.orders import Element
from simulator.engine.questions import Roll
from simulator.engine.story import Chapter, Remark
from simulator.engine.values import show
from simulator.geometry.poses import place_text
from simulator.views.replay.timeline import Scene, Timeline, TimelineEntry
from simulator.wording import measure, visible

#: Stands for a place while the rest of its sentence is written.
_MARK = "\x00"


def plain(text: str) -> str:
    """Write a text so that a browser shows it and nothing else.

    >>> plain("<b>\\u202e&")
    '&lt;b&gt;\\\\u202e&amp;'
    """
    return escape("\n".join(visible(line) for line in text.split("\n")))


def account(timeline: Timeline, *, ended: bool = True) -> str:
    """Return the whole story, and how it ended if it has."""
    parts: list[str] = []
    for moment, scenes in groupby(enumerate(timeline.scenes), key=lambda pair: _moment(pair[1].chapter)):
        parts.append(f"<h2>{plain(moment)}</h2>")
        parts += [_order(number, scene) for number, scene in scenes]
    return "\n".join([*parts, *([_ending(timeline)] if ended else [])])


def _moment(chapter: Chapter) -> str:
    clock = chapter.clock
    if clock.phase is None:
        return "Before the beginning"
    return f"Turn {clock.turn}, {clock.phase.name.replace('_', ' ')}" + (", over" if clock.over else "")


# --- one order ---


def _order(number: int, scene: Scene) -> str:
    chapter = scene.chapter
    lines = list(_lines(scene))
    if chapter.unsaid and chapter.done and not chapter.remarks:
        # No player gave this order, so its effects are collapsed by default.
        text = f'<details class="between"><summary>the clock moves on</summary>{_list(lines)}</details>'
        return f'<section class="order unsaid" data-order="{number}">{text}</section>' if lines else ""
    inside = [
        _head(scene),
        _breaches(chapter.breaches),
        *(f'<p class="problem">{plain(line)}</p>' for line in chapter.problem.splitlines()),
        _list(lines),
        _ledger(scene),
        _remarks(chapter.remarks),
    ]
    state = "" if chapter.done else " refused"
    return f'<section class="order{state}" data-order="{number}">{"".join(inside)}</section>'


def _head(scene: Scene) -> str:
    chapter = scene.chapter
    subject, _, what = chapter.order.partition(" ")
    # People read `activate jet pack`; the order as it is written is a hint away.
    spoken = what.replace("_", " ")
    hint = f' title="{plain(chapter.order)}"' if spoken != what else ""
    text = f'<b>{plain(subject.removesuffix(":"))}</b> <span class="what"{hint}>{plain(spoken)}</span>'
    if not chapter.order:
        text = '<span class="what">a look at the table</span>'
    if not chapter.done:
        text += f' <span class="price">{"refused" if chapter.breaches else "not done"}</span>'
    elif chapter.happened is not None and (paid := prices(chapter.happened.ledger)):
        text += f' <span class="price">{plain(paid)}</span>'
    here = "" if scene.first is None else f' data-m="{scene.first}"'
    return f'<h3><button type="button" class="head"{here}>{text}</button></h3>'


def prices(ledger: Ledger) -> str:
    """Write what was paid in all."""
    return sums_text(ledger.totals)


def _breaches(breaches: Sequence[Breach]) -> str:
    lines = [f"<li>{_cited(breach.clause)} {plain(breach.message)}</li>" for breach in breaches]
    return f'<ul class="breaches">{"".join(lines)}</ul>' if lines else ""


def _remarks(remarks: Sequence[Remark]) -> str:
    lines = [
        f'<li class="{"met" if remark.met else "missed"}"><span class="tick" aria-hidden="true">'
        f'{"✓" if remark.met else "✗"}</span><span class="hidden">{"met: " if remark.met else "not met: "}</span>'
        f"{plain(remark.text)}</li>"
        for remark in remarks
    ]
    return f'<ul class="remarks" aria-label="what was expected">{"".join(lines)}</ul>' if lines else ""


def _list(lines: Sequence[str]) -> str:
    return f'<ol class="lines">{"".join(lines)}</ol>' if lines else ""


def _lines(scene: Scene) -> Iterator[str]:
    happened = scene.chapter.happened
    if happened is not None and happened.given is not None:
        yield f'<li class="planned">planned: {plain(", ".join(map(_element, happened.order.elements)))}</li>'
    for kind, group in groupby(scene.entries, key=_kind_of_line):
        entries = list(group)
        if kind == "quiet":
            text = " · ".join(_quiet(entry.what) for entry in entries if isinstance(entry.what, Event))
            yield f'<li class="quiet">{text}</li>'
        elif kind and len(entries) > 1:
            yield _walk(entries)
        else:
            for entry in entries:
                yield _event(entry.what, entry.moment) if isinstance(entry.what, Event) else _question(entry)


def _element(element: Element) -> str:
    return " ".join([element.name, *(show(value) for value in element.args.values())])


def _kind_of_line(entry: TimelineEntry) -> str:
    """What entries that follow one another have in common if they go on one line: bookkeeping, steps of one way."""
    event = entry.what
    if not isinstance(event, Event):
        return ""
    if entry.moment is None:
        return "quiet"
    alone = event.detail or event.place is None
    return "" if alone else f"{event.unit} {event.kind} {event.clause}"


def _quiet(event: Event) -> str:
    return f"{plain(event.sentence(_where(event)))} {_cited(event.clause)}".rstrip()


def _where(event: Event) -> str:
    return "" if event.place is None else place_text(event.place)


def _sentence(event: Event, places: str) -> str:
    """Return an event, with the name of its unit in bold and its place written as HTML."""
    before, _, after = event.sentence(_MARK if places else "").partition(_MARK)
    subject = event.unit if before.startswith(event.unit) else ""
    bold = f"<b>{plain(subject)}</b>" if subject else ""
    return bold + plain(before.removeprefix(subject)) + places + plain(after)


def _walk(entries: Sequence[TimelineEntry]) -> str:
    """Return steps of the same kind on one line, each of them with its moment."""
    events = [entry.what for entry in entries if isinstance(entry.what, Event)]
    first = events[0]
    places = " → ".join(
        f'<span data-m="{entry.moment}">{plain(place_text(event.place or ()))}</span>'
        for entry, event in zip(entries, events, strict=True)
    )
    text = f"{_sentence(first, places)} {_cited(first.clause)}"
    text += _price(line for event in events for line in event.price)
    return f'<li data-from="{entries[0].moment}">{text}</li>'


def _event(event: Event, moment: int | None) -> str:
    parts = [_sentence(event, plain(_where(event))), _cited(event.clause), _price(event.price)]
    return f'<li data-m="{moment}">{" ".join(filter(None, parts))}</li>'


def _price(lines: Iterable[LedgerLine]) -> str:
    paid = prices(Ledger(lines))
    return f' <span class="price">{plain(paid)}</span>' if paid else ""


def _shown(value: object) -> str:
    return show(value).replace("_", " ")


def _question(entry: TimelineEntry) -> str:
    if not isinstance(entry.what, Answered):
        raise TypeError(f"not a question: {entry.what}")
    question, answer = entry.what.question, entry.what.answer
    where = "" if question.place is None else f" at {plain(place_text(question.place))}"
    subject = f"<b>{plain(question.who)}</b> " if question.who else ""
    parts = [f'<p class="asked">{subject}{plain(question.what)}{where} {_cited(question.clause)}</p>']
    by = f'<span class="by">{plain(answer.by)}</span>'
    if isinstance(question, Roll):
        dice = question.dice or "a roll"
        faces = f" [{' '.join(map(str, answer.faces))}]" if answer.faces else ""
        odds = ""
        if question.target is not None:
            odds = f' <span class="odds">chance {question.chance} ({float(question.chance):.0%})</span>'
        text = plain(question.says(answer.value))
        if question.target is not None:
            passed = question.passes(answer.value)
            head, _, verdict = text.rpartition(" ")
            text = f'{head} <strong class="{"met" if passed else "missed"}">{verdict}</strong>'
        parts.append(f'<p class="answer">{plain(dice + faces)}: {text}{odds} {by}</p>')
    else:
        chosen = question.says(answer.value)
        ways = dict.fromkeys([*(show(option) for option in question.options), chosen])
        shown = " ".join(
            f'<span class="{"chosen" if way == chosen else "option"}">{plain(way.replace("_", " "))}</span>'
            for way in ways
        )
        parts.append(f'<p class="answer">{shown} {by}</p>')
    return f'<li class="question" data-m="{entry.moment}">{"".join(parts)}</li>'


def _ledger(scene: Scene) -> str:
    rows = [
        f'<tr data-m="{entry.moment}"><td>{plain(line.what)}</td><td>{plain(show(line.amount))} × '
        f"{plain(show(line.rate))}</td><td>{plain(measure(line.price, line.currency))}</td>"
        f"<td>{_cited(line.clause)}</td></tr>"
        for entry in scene.entries
        if isinstance(entry.what, Event)
        for line in entry.what.price
    ]
    happened = scene.chapter.happened
    if not rows or happened is None:
        return ""
    return (
        '<details class="ledger"><summary>The price, line by line</summary><table><thead><tr><th scope="col">what</th>'
        '<th scope="col">how much</th><th scope="col">price</th>'
        f'<th scope="col">clause</th></tr></thead><tbody>{"".join(rows)}</tbody><tfoot><tr><th scope="row">'
        f'in all</th><td colspan="3">{plain(prices(happened.ledger))}</td></tr></tfoot>'
        "</table></details>"
    )


def _ending(timeline: Timeline) -> str:
    story, last = timeline.story, len(timeline.moments) - 1
    remarked = story.remarked
    met = sum(remark.met for remark in remarked)
    verdict = f"{met} of {len(remarked)} expectations met" if remarked else "nothing was expected"
    return (
        f'<h2>The end</h2><section class="order" data-order="{len(timeline.scenes)}"><h3><button type="button" '
        f'class="head" data-m="{last}"><span class="what">{plain(str(timeline.last.clock))}</span> '
        f'<span class="price">{verdict}</span></button></h3>{_remarks(story.remarks)}</section>'
    )


# --- clauses ---


def _cited(clauses: str) -> str:
    """Write clause ids as buttons that show their text."""
    parts = re.split(f"({CLAUSE_ID.pattern})", clauses)
    return "".join(
        f'<button class="clause">{part}</button>' if number % 2 else plain(part) for number, part in enumerate(parts)
    )


def cited_in(timeline: Timeline) -> Iterator[str]:
    """Yield every clause that the account cites, the first one first."""
    seen: dict[str, None] = {}
    for scene in timeline.scenes:
        texts = [breach.clause for breach in scene.chapter.breaches]
        for entry in scene.entries:
            if isinstance(entry.what, Event):
                texts += [entry.what.clause, *(line.clause for line in entry.what.price)]
            else:
                texts.append(entry.what.question.clause)
        for text in texts:
            seen |= dict.fromkeys(CLAUSE_ID.findall(text))
    yield from seen


def clause_texts(clauses: Iterable[Clause]) -> str:
    """Return the text of clauses, hidden until one is opened."""
    return "\n".join(_clause(clause) for clause in clauses)


def _clause(clause: Clause) -> str:
    parts = "".join(f"<p><em>{plain(part.kind)}</em> {_worded(part.text)}</p>" for part in clause.parts)
    return (
        f'<div class="text" id="clause-{clause.id}"><p class="source"><b>{clause.id}</b> {plain(clause.section)}</p>'
        f"{_body(clause.text)}{parts}</div>"
    )


def _body(text: str) -> str:
    """Write the paragraphs and tables of a clause."""
    parts = []
    for table, lines in groupby(text.splitlines(), key=lambda line: line.lstrip().startswith("|")):
        if table:
            rows = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines]
            shown = [row for row in rows if any(cell.strip("-: ") for cell in row)]
            cells = ("".join(f"<td>{_worded(cell)}</td>" for cell in row) for row in shown)
            parts.append(f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>")
        else:
            parts += [f"<p>{_worded(line)}</p>" for line in lines if line.strip()]
    return "".join(parts)


def _worded(text: str) -> str:
    """Write a line of Markdown: code, emphasis, the rest as it is."""
    shown = re.sub(r"`([^`]+)`", r"<code>\1</code>", plain(text))
    return re.sub(r"\*\*?([^*]+)\*\*?", r"<em>\1</em>", shown)
