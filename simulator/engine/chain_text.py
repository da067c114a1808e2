"""Chains of questions as text: at the command line after `--then`, in scenario files under `then`.

A link is a question or an order. A question begins with an action that has a reach; values may follow, and the places
or poses at which the next link begins. Anything else is an order with its unit.

    foot_move to 4,7 or 5,7
    ann mount bike
    drive mode=max
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from simulator.engine.chain import Chain, ChainLink, ask
from simulator.engine.errors import WrongQuestion
from simulator.engine.orders import Vocabulary
from simulator.engine.places import read_pose
from simulator.engine.reach_questions import Askable
from simulator.engine.state import Unit
from simulator.engine.values import NO_FIELDS
from simulator.wording import did_you_mean

_TO = re.compile(r"(?:^|\s+)to\s+")
_OR = re.compile(r"\s+or\s+")


def read_chain(
    ruleset: Askable,
    vocabulary: Vocabulary,
    first: str,
    then: Iterable[str],
    units: Mapping[str, Unit],
    values: Mapping[str, Any] = NO_FIELDS,
) -> Chain:
    """Read a chain: its first link, with values in addition to those in its text, and the links that follow."""
    who = {*units, *(unit.side for unit in units.values()), "all"}
    texts = (first, *then)
    if not all(text.strip() for text in texts[1:]):
        raise WrongQuestion("a link of a chain is an action or an order, and one of these is empty")
    links = [_read_link(ruleset, vocabulary, text, who) for text in texts]
    begin = links[0]
    if values and begin.order:
        raise WrongQuestion(f"'{first}' is an order, but only questions take values: {', '.join(values)}")
    for name, value in values.items():
        if begin.question.get(name, value) != value:
            raise WrongQuestion(f"{name} is set twice, to {begin.question[name]} in '{first}' and to {value}")
    links[0] = ChainLink(begin.action, begin.order, begin.unit, begin.to, {**begin.question, **values})
    return Chain(links)


def _read_link(ruleset: Askable, vocabulary: Vocabulary, text: str, who: Collection[str]) -> ChainLink:
    known = list(ruleset.reaches) or [form.name for form in vocabulary.actions]
    head, *ends = _TO.split(text.strip(), maxsplit=1)
    action, *values = head.split() or [""]
    if action in who:
        return ChainLink(order=text.strip())
    if action and action not in known:
        raise WrongQuestion(
            f"'{text}' is neither an order, which begins with its unit, nor a question; {did_you_mean(action, known)}"
        )
    question: dict[str, str] = {}
    for one in values:
        name, equals, value = one.partition("=")
        if not (name and equals and value):
            raise WrongQuestion(f"'{text}': values after the action are written as NAME=VALUE, not {one!r}")
        if question.setdefault(name, value) != value:
            raise WrongQuestion(f"'{text}': {name} is set twice, to {question[name]} and to {value}")
    try:
        poses = [read_pose(vocabulary, end).plain for end in _OR.split(ends[0])] if ends else []
    except ValueError as error:
        raise WrongQuestion(f"'{text}': place: {error}") from None
    return ask(action, to=poses, **question)
