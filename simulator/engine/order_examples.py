"""Examples of orders that hints name: those that the rules allow where the hint is given, if there are any.

Who began an order and does not know how it goes on is shown one of its kind. Shown is one that could be given: with
things and units that stand on the table, places near the unit, and as few steps as there can be.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from simulator.engine.errors import Breach, UnreadableOrder
from simulator.engine.orders import ActionForm, Arg, Form, Vocabulary
from simulator.engine.playthrough import Playthrough
from simulator.engine.reading import did_you_mean_order, meant_forms, reads_like
from simulator.engine.state import Unit

#: So many orders are passed to the judge at most.
_MOST = 80
#: How far from a unit places are tried: one step, then two.
_STEPS = [(x * far, y * far) for far in (1, 2) for x, y in ((1, 0), (0, 1), (-1, 0), (0, -1), (1, -1), (-1, 1))]


#: Every reason why the rules forbid an order, whether or not it is its unit's turn; None where it cannot be read.
Against = Callable[[str], Sequence[Breach] | None]


def with_legal_advice(game: Playthrough[Any], error: UnreadableOrder, against: Against) -> UnreadableOrder:
    """Return an error that names an order which the rules allow, or says why they forbid the one that it names."""
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
    return error.advised(f"{error.example!r} is the form of one; {why}")


def _meant(error: UnreadableOrder, against: Against) -> UnreadableOrder:
    """Name the first of the orders that may have been meant which is legal, or why the likeliest is not."""
    reasons = {text: against(text) for text in error.meant}
    legal = next((text for text, found in reasons.items() if found == []), None)
    advice = did_you_mean_order(legal or error.meant[0])
    first = reasons[error.meant[0]]
    if legal is None and first:
        advice += f" The rules forbid it here: {first[0].clause} {first[0].message}"
    return error.advised(advice)


def _listed(game: Playthrough[Any], unit: Unit, forms: Sequence[ActionForm]) -> Iterator[str] | None:
    """Return the examples that the ruleset itself lists, None where it lists none of these actions."""
    table = game.ready_table(unit.id)
    found = [game.ruleset.examples(table, table.unit(unit.id), form.name) for form in forms]
    if any(orders is None for orders in found):
        return None
    return (game.write(order) for orders in found for order in orders or ())


def _examples(game: Playthrough[Any], unit: Unit, forms: Sequence[ActionForm], vocabulary: Vocabulary) -> Iterator[str]:
    for form in forms:
        begun = [_joined(said) for said in itertools.product([unit.id], [form.name], *_said(game, unit, form))]
        if not form.elements:
            yield from begun
            continue
        elements = [vocabulary.element(name) for name in form.elements]
        said = [_joined(one) for step in elements for one in itertools.product([step.name], *_said(game, unit, step))]
        for words, element in itertools.product(begun, said):
            yield f"{words}: {', '.join([element] * max(form.least, 1))}"


def _said(game: Playthrough[Any], unit: Unit, form: Form) -> list[list[str]]:
    """What can be said for each argument; one that may be left out is so, or with a word of its own never said."""
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
        yield from (other for other in game.state.units if other != unit.id)
    elif kind.is_place and unit.place is not None:
        for step in _STEPS:
            place = tuple(value + by for value, by in zip(unit.place[:2], step, strict=True))
            yield kind.write(place)
    else:
        yield from kind.words
        yield from (piece.id for piece in getattr(game.board, "pieces", ()))
        yield kind.example
        yield "1"
