"""The lists of a rulebook as plain data: orders, units, options, figures and so on, and its untested clauses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from simulator.wording import figure

if TYPE_CHECKING:
    from simulator.engine.clauses import Coverage
    from simulator.engine.options import Option
    from simulator.engine.orders import ActionForm, Arg, Form
    from simulator.engine.ruleset import Ruleset
    from simulator.engine.unit_types import FieldSpec


def _document(ruleset: Ruleset[Any, Any], **fields: Any) -> dict[str, Any]:
    return {"format": 1, "ruleset": ruleset.name, **fields}


def orders_data(ruleset: Ruleset[Any, Any]) -> dict[str, Any]:
    """Return the forms of orders, and the elements that movements are made of."""
    words = ruleset.vocabulary
    return _document(
        ruleset, actions=[_action(one) for one in words.actions], elements=[_form(one) for one in words.elements]
    )


def _action(action: ActionForm) -> dict[str, Any]:
    return {**_form(action), "elements": list(action.elements), "least": action.least, "goal": action.goal}


def _form(form: Form) -> dict[str, Any]:
    arguments = [_argument(arg) for arg in form.args]
    return {"name": form.name, "arguments": arguments, "clause": form.clause, "says": form.about}


def _argument(arg: Arg) -> dict[str, Any]:
    kind = {"name": arg.name, "word": arg.word, "says": arg.kind.about}
    return {**kind, "optional": arg.optional, "many": arg.many}


def units_data(ruleset: Ruleset[Any, Any]) -> dict[str, Any]:
    """Return the types of units with their fields."""
    types = [
        {"name": kind.name, "says": kind.about, "fields": [_field(*one) for one in kind.fields.items()]}
        for kind in ruleset.unit_types.values()
    ]
    return _document(ruleset, units=types)


def _field(name: str, spec: FieldSpec) -> dict[str, Any]:
    from simulator.engine.unit_types import REQUIRED
    from simulator.engine.values import freeze, to_plain

    is_required = spec.default is REQUIRED
    return {
        "name": name,
        "required": is_required,
        "default": None if is_required else to_plain(freeze(spec.default)),
        "values": [to_plain(freeze(value)) for value in spec.values],
        "expects": "" if spec.wants is None else spec.wants.about,
        "clause": spec.clause,
        "says": spec.about,
    }


def options_data(ruleset: Ruleset[Any, Any]) -> dict[str, Any]:
    """Return the options with their values."""
    return _document(ruleset, options=[_option(*one) for one in ruleset.options.declared.items()])


def _option(name: str, option: Option) -> dict[str, Any]:
    from simulator.engine.values import to_plain

    return {
        "name": name,
        "kind": option.kind,
        "default": to_plain(option.default),
        "values": [to_plain(value) for value in option.values],
        "least": None if option.least is None else figure(option.least),
        "most": None if option.most is None else figure(option.most),
        "clause": option.clause,
        "says": option.about,
    }


def figures_data(ruleset: Ruleset[Any, Any]) -> dict[str, Any]:
    """Return the figures of the tables by their paths."""
    from simulator.engine.values import to_plain

    tables = ruleset.tables
    figures = [{"path": path, "value": to_plain(tables[path]), "clause": tables.clause(path)} for path in tables]
    return _document(ruleset, figures=figures)


def terrain_data(ruleset: Ruleset[Any, Any]) -> dict[str, Any]:
    """Return the words of boards that the rulebook knows, by the kind of board."""
    tables = ruleset.tables
    boards = {
        kind: [
            {
                "key": one.key,
                "words": list(one.words(tables)),
                "of": list(tables[one.of]) if one.of else [],
                "figure": one.figure,
                "clause": one.clause,
                "says": one.about,
                "reads": not one.idle,
            }
            for one in ruleset.reads.get(kind, ())
        ]
        for kind in ruleset.boards
    }
    return _document(ruleset, boards=boards)


def events_data(ruleset: Ruleset[Any, Any]) -> dict[str, Any]:
    """Return the kinds of events with their phrases; "complete" is whether there are no others."""
    from simulator.engine.declared import event_kinds
    from simulator.engine.phrases import CLOCK_KINDS

    phrases = {**CLOCK_KINDS, **ruleset.phrases}
    kinds = event_kinds(ruleset) or tuple(ruleset.phrases)
    events = [{"kind": kind, "says": phrases.get(kind, "")} for kind in kinds]
    return _document(ruleset, complete=ruleset.phrases_complete, events=events)


def asked_data(ruleset: Ruleset[Any, Any]) -> dict[str, Any]:
    """Return the questions that the rules ask, with the words in the blanks of their names."""
    questions = [
        {
            "name": name,
            "sort": form.sort_name,
            "who": form.who,
            "words": {blank: list(form.words_of(blank, ruleset.tables) or ()) for blank in form.words},
            "clause": form.clause,
            "says": form.about,
        }
        for name, form in ruleset.questions.items()
    ]
    return _document(ruleset, questions=questions)


def questions_data(ruleset: Ruleset[Any, Any]) -> dict[str, Any]:
    """Return the actions that can be asked about, and the further values of questions."""
    actions = [{"name": name, "says": says} for name, says in ruleset.reaches.items()]
    values = [
        {"name": name, "says": ask.kind.about, "actions": list(ask.actions)} for name, ask in ruleset.asks.items()
    ]
    return _document(ruleset, actions=actions, values=values)


def uncovered_data(coverages: Mapping[str, Coverage]) -> dict[str, Any]:
    """Return the clauses that no test names, by rulebook."""
    clauses = {
        name: [{"clause": id, "text": coverage.register[id].text} for id in coverage.uncovered()]
        for name, coverage in coverages.items()
    }
    return {"format": 1, "uncovered": clauses}
