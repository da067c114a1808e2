"""What can be said and set under a rulebook, as lines of text: orders, units, options, the figures of its tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from simulator.engine.options import Option
    from simulator.engine.orders import Arg, Form
    from simulator.engine.ruleset import FieldSpec, Ruleset


def option_lines(ruleset: Ruleset[Any]) -> Iterator[str]:
    """Tell each option with its values, the default first, its clause, and what it decides."""
    told = {name: _values(option) for name, option in ruleset.options.declared.items()}
    names, values = (max(map(len, column), default=0) for column in (told, told.values()))
    for name, option in ruleset.options.declared.items():
        yield f"{name:<{names}}  {told[name]:<{values}}  {option.says} ({option.clause})"


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


def unit_lines(ruleset: Ruleset[Any]) -> Iterator[str]:
    """Tell each type of unit with its fields: what they may be, the default first, what they say, and the clause."""
    for kind in ruleset.unit_types.values():
        told = {name: _field_values(spec) for name, spec in kind.fields.items()}
        names, values = (max(map(len, column), default=0) for column in (told, told.values()))
        yield f"{kind.name}  {kind.says}".rstrip()
        for name, spec in kind.fields.items():
            clause = f"({spec.clause})" if spec.clause else ""
            wanted = "" if spec.wants is None else spec.wants.says
            said = " ".join(filter(None, ["; ".join(filter(None, [spec.says, wanted])), clause]))
            yield f"  {name:<{names}}  {told[name]:<{values}}  {said}".rstrip()


def _field_values(spec: FieldSpec) -> str:
    from simulator.engine.ruleset import REQUIRED

    if spec.default is REQUIRED:
        return "|".join(map(_as_said, spec.values)) or "has to be given"
    others = [value for value in spec.values if value != spec.default]
    return "|".join(map(_as_said, [spec.default, *others]))


def _as_said(value: Any) -> str:
    """Write a value as a scenario says it."""
    from simulator.engine.options import text_of

    return '""' if value == "" else "[]" if value == () else text_of(value)


def figure_lines(ruleset: Ruleset[Any]) -> Iterator[str]:
    """Tell each figure of the tables by its path, with its clause."""
    from simulator.engine.values import show

    paths = list(ruleset.tables)
    width = max(map(len, paths), default=0)
    for path in paths:
        yield f"{path:<{width}}  {show(ruleset.tables[path])}  ({ruleset.tables.clause(path)})"


def order_lines(ruleset: Ruleset[Any]) -> Iterator[str]:
    """Tell each action as it is ordered, then the elements that movements are made of."""
    vocabulary = ruleset.vocabulary
    for action in vocabulary.actions:
        parts = [_said(action)]
        if action.elements:
            parts[0] += ": ..."
        if action.goal:
            parts.append(f"{action.name} to PLACE")
        yield _line(" | ".join(parts), action)
    if vocabulary.elements:
        yield ""
        yield "after the colon, one after the other:"
        for element in vocabulary.elements:
            yield _line(_said(element), element)


def _said(form: Form) -> str:
    return " ".join([form.name, *(_argument(arg) for arg in form.args)])


def _argument(arg: Arg) -> str:
    shown = " ".join(filter(None, [arg.word, arg.name.upper() + ("..." if arg.many else "")]))
    return f"[{shown}]" if arg.optional else shown


def _line(said: str, form: Form) -> str:
    says = " ".join(filter(None, [form.says, f"({form.clause})" if form.clause else ""]))
    return f"  {said}\n      {says}".rstrip()
