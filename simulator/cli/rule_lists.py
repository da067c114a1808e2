"""The orders, units, options, figures, terrain, events and questions of a rulebook, as lines of text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulator.engine.board_words import Reads
    from simulator.engine.declared import QuestionForm
    from simulator.engine.options import Option
    from simulator.engine.orders import Arg, Form
    from simulator.engine.ruleset import Ruleset
    from simulator.engine.unit_types import FieldSpec


def option_lines(ruleset: Ruleset[Any, Any]) -> Iterator[str]:
    """Yield each option with its values, the default first, its meaning and its clause."""
    value_words = {name: _values(option) for name, option in ruleset.options.declared.items()}
    names, values = (max(map(len, column), default=0) for column in (value_words, value_words.values()))
    for name, option in ruleset.options.declared.items():
        yield f"{name:<{names}}  {value_words[name]:<{values}}  {option.about} ({option.clause})"


def _values(option: Option) -> str:
    from simulator.engine.options import text_of

    if option.kind == "list":
        return f"list of {'|'.join(option.values) or 'names'}"
    known = "|".join(text_of(value) for value in option.values)
    if option.kind != "number":
        return known
    if option.least is not None and option.most is not None:
        return f"{known}, {option.least} to {option.most}"
    if option.least is not None:
        return f"{known}, {option.least} or more"
    return f"{known}, any number" if option.most is None else f"{known}, {option.most} or less"


def unit_lines(ruleset: Ruleset[Any, Any]) -> Iterator[str]:
    """Yield each type of unit with its fields: their values, the default first, their meaning and the clause."""
    for kind in ruleset.unit_types.values():
        value_words = {name: _field_values(spec) for name, spec in kind.fields.items()}
        names, values = (max(map(len, column), default=0) for column in (value_words, value_words.values()))
        yield f"{kind.name}  {kind.about}".rstrip()
        for name, spec in kind.fields.items():
            clause = f"({spec.clause})" if spec.clause else ""
            constraint = "" if spec.wants is None else spec.wants.about
            text = " ".join(filter(None, ["; ".join(filter(None, [spec.about, constraint])), clause]))
            yield f"  {name:<{names}}  {value_words[name]:<{values}}  {text}".rstrip()


def _field_values(spec: FieldSpec) -> str:
    from simulator.engine.unit_types import REQUIRED

    if spec.default is REQUIRED:
        return "required: " + "|".join(map(_as_written, spec.values)) if spec.values else "required"
    others = [value for value in spec.values if value != spec.default]
    return "|".join(map(_as_written, [spec.default, *others]))


def _as_written(value: Any) -> str:
    """Return a value as written in a scenario."""
    from simulator.engine.options import text_of

    return '""' if value == "" else "[]" if value == () else text_of(value)


def figure_lines(ruleset: Ruleset[Any, Any]) -> Iterator[str]:
    """Yield each figure of the tables by its path, with its clause."""
    from simulator.engine.values import show

    paths = list(ruleset.tables)
    width = max(map(len, paths), default=0)
    for path in paths:
        yield f"{path:<{width}}  {show(ruleset.tables[path])}  ({ruleset.tables.clause(path)})"


def terrain_lines(ruleset: Ruleset[Any, Any]) -> Iterator[str]:
    """Yield the words that the rulebook reads on each kind of board, then those it knows but that have no effect."""
    for kind in ruleset.boards:
        declared = ruleset.reads.get(kind)
        if declared is None:
            yield f"{kind}: {ruleset.name} does not declare what it reads"
            continue
        yield f"{kind}: words read"
        words = {one: _words_of(ruleset, one) for one in declared}
        width = max(map(len, words.values()), default=0)
        for idle in (False, True):
            if idle and any(one.idle for one in declared):
                yield f"{kind}: words without effect"
            for one in declared:
                if one.idle is idle:
                    figure = f"figure {one.figure}" if one.figure else ""
                    cited = ", ".join(filter(None, [one.clause, figure]))
                    yield f"  {words[one]:<{width}}  {one.about}" + (f" ({cited})" if cited else "")
        yield "any other word of a board is a fault, unless the board or the scenario lists it under scenery"


def _words_of(ruleset: Ruleset[Any, Any], one: Reads) -> str:
    """Return a key with its words, or with the kinds of pieces that have it."""
    of = f" of {', '.join(ruleset.tables[one.of])}" if one.of else ""
    return f"{one.key} {', '.join(one.words(ruleset.tables))}".rstrip() + of


def event_lines(ruleset: Ruleset[Any, Any]) -> Iterator[str]:
    """Yield each kind of event, as expectations name it, with its phrase; those of the clock last."""
    from simulator.engine.declared import event_kinds
    from simulator.engine.phrases import CLOCK_KINDS

    phrases = {**CLOCK_KINDS, **ruleset.phrases}
    kinds = event_kinds(ruleset) or tuple(ruleset.phrases)
    width = max(map(len, kinds), default=0)
    for kind in kinds:
        yield f"{kind:<{width}}  {phrases.get(kind, '')}".rstrip()
    if not ruleset.phrases_complete:
        yield f"{ruleset.name} does not declare all kinds of its events"


def question_lines(ruleset: Ruleset[Any, Any]) -> Iterator[str]:
    """Yield each question, as expectations and rules for answers name it, with its sort, its meaning and its clause."""
    width = max(map(len, ruleset.questions), default=0)
    for name, form in ruleset.questions.items():
        asked = "" if form.who == "unit" else f", asked of {'a side' if form.who == 'side' else form.who}"
        clause = f" ({form.clause})" if form.clause else ""
        yield f"{name:<{width}}  {form.sort_name:<8}  {form.about}{asked}{clause}"
        for blank, words in _listed_words(ruleset, form):
            yield f"{'':<{width}}  {'':<8}  {blank}: {', '.join(words)}"
    if not ruleset.questions:
        yield f"{ruleset.name} does not declare its questions"


def _listed_words(ruleset: Ruleset[Any, Any], form: QuestionForm) -> Iterator[tuple[str, tuple[str, ...]]]:
    for blank in form.words:
        yield blank, form.words_of(blank, ruleset.tables) or ()


def order_lines(ruleset: Ruleset[Any, Any]) -> Iterator[str]:
    """Yield the form of each order, then the elements that movements are made of."""
    vocabulary = ruleset.vocabulary
    for action in vocabulary.actions:
        parts = [_form_text(action)]
        if action.elements:
            parts[0] += ": ..."
        if action.goal:
            parts.append(f"{_form_text(action)} to PLACE")
        yield _line(" | ".join(parts), action)
    if vocabulary.elements:
        yield ""
        yield "after the colon, one after the other:"
        for element in vocabulary.elements:
            yield _line(_form_text(element), element)


def _form_text(form: Form) -> str:
    return " ".join([form.name, *(_argument(arg) for arg in form.args)])


def _argument(arg: Arg) -> str:
    shown = " ".join(filter(None, [arg.word, arg.name.upper() + ("..." if arg.many else "")]))
    return f"[{shown}]" if arg.optional else shown


def _line(text: str, form: Form) -> str:
    meaning = " ".join(filter(None, [form.about, f"({form.clause})" if form.clause else ""]))
    return f"  {text}\n      {meaning}".rstrip()
