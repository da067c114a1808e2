"""Examples of orders in hints: legal ones on the current table, if there are any.

A player who begins an order and does not know how it continues is shown one of its kind. The example is a possible
order: with pieces and units on the table, places near the unit, and as few steps as possible.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from simulator.engine.errors import Breach, UnreadableOrder
from simulator.engine.orders import ActionForm, Arg, Form, Vocabulary
from simulator.engine.playthrough import Playthrough
from simulator.engine.reading import did_you_mean_order, meant_forms, named_by, reads_like
from simulator.engine.state import Unit

#: The most orders that are passed to the judge.
_MOST = 80
#: The steps from a unit to the places that are tried: one step, then two.
_STEPS = [(x * far, y * far) for far in (1, 2) for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, -1), (-1, 1))]


#: Returns every reason why the rules forbid an order, even if it is not its unit's turn; None if it cannot be read.
Against = Callable[[str], Sequence[Breach] | None]


def with_legal_advice(game: Playthrough[Any], error: UnreadableOrder, against: Against) -> UnreadableOrder:
    """Return an error that names a legal order, or explains why the rules forbid the one that it names."""
    if error.meant:
        return _meant(error, against)
    if not error.example:
        return error
    vocabulary = game.setting.vocabulary
    name, forms = meant_forms(error.text, vocabulary)
    unit = game.state.unit(name)
    listed = _listed(game, unit, forms)
    tried = _examples(game, unit, forms, vocabulary) if listed is None else listed
    legal = next((text for text in itertools.islice(tried, _MOST) if against(text) == []), None)
    if legal is not None:
        return error.advised(reads_like(legal))
    why = "the rules forbid it here" if listed is None else "none of this kind is legal now"
    return error.advised(f"{error.example!r} shows the form; {why}")


def legal_example(game: Playthrough[Any], unit: Unit, form: ActionForm, against: Against) -> str | None:
    """Return a legal order with one action, None if none is found."""
    listed = _listed(game, unit, [form])
    tried = _examples(game, unit, [form], game.setting.vocabulary) if listed is None else listed
    return next((text for text in itertools.islice(tried, _MOST) if against(text) == []), None)


def _meant(error: UnreadableOrder, against: Against) -> UnreadableOrder:
    """Name the first legal one of the orders that may have been meant, or why the likeliest is not legal."""
    reasons = {text: against(text) for text in error.meant}
    legal = next((text for text, found in reasons.items() if found == []), None)
    advice = did_you_mean_order(legal or error.meant[0])
    first = reasons[error.meant[0]]
    if legal is None and first:
        advice += f" The rules forbid it here: {first[0].clause} {first[0].message}"
    return error.advised(advice)


def _listed(game: Playthrough[Any], unit: Unit, forms: Sequence[ActionForm]) -> Iterator[str] | None:
    """Return the examples that the ruleset itself lists, None if it lists none of these actions."""
    table = game.ready_table(unit.id)
    found = [game.ruleset.examples(table, table.unit(unit.id), form.name) for form in forms]
    if any(orders is None for orders in found):
        return None
    return (game.write(order) for orders in found for order in orders or ())


def _examples(game: Playthrough[Any], unit: Unit, forms: Sequence[ActionForm], vocabulary: Vocabulary) -> Iterator[str]:
    for form in forms:
        heads = [_joined(words) for words in itertools.product([unit.id], [form.name], *_arguments(game, unit, form))]
        if not form.elements:
            yield from heads
            continue
        steps = [vocabulary.element(name) for name in form.elements]
        elements = [
            _joined(words) for step in steps for words in itertools.product([step.name], *_arguments(game, unit, step))
        ]
        for head, element in itertools.product(heads, elements):
            yield f"{head}: {', '.join([element] * max(form.least, 1))}"


def _arguments(game: Playthrough[Any], unit: Unit, form: Form) -> list[list[str]]:
    """Return the texts to try for each argument; an optional one may be empty, and is left out if it needs a word."""
    found: list[list[str]] = []
    for arg in form.args:
        if not (arg.word and arg.optional):
            found += [[arg.word]] if arg.word else []
            found.append([*([""] if arg.optional else []), *dict.fromkeys(_values(game, unit, arg))])
    return found


def _joined(words: Iterable[str]) -> str:
    return " ".join(filter(None, words))


def _values(game: Playthrough[Any], unit: Unit, arg: Arg) -> Iterator[str]:
    kind = arg.kind
    if kind.is_unit:
        yield from named_by(kind, unit.id, game.state.units)
    elif kind.is_place and unit.place is not None:
        for step in _STEPS:
            place = tuple(value + by for value, by in zip(unit.place[:2], step, strict=True))
            yield kind.write(place)
    else:
        yield from kind.words
        yield from (piece.id for piece in getattr(game.board, "pieces", ()))
        yield kind.example
        yield "1"
