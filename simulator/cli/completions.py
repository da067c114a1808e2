"""What a shell can complete: examples, units, actions, options and figures of the scenario on the command line.

A completion never fails: where a file is faulty, hostile or missing, nothing is completed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from simulator.engine.ruleset import Ruleset
    from simulator.formats.scenario import Scenario

Finder = Callable[[click.Context], Iterable[str]]
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def completer(find: Finder) -> Completer:
    """Return a completer of the words that are found."""

    def complete(context: click.Context, _parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        return items(lambda: find(context), incomplete)

    return complete


def items(find: Callable[[], Iterable[str]], incomplete: str) -> list[CompletionItem]:
    """Return the words found that continue what is typed, each once; none if looking for them fails."""
    try:
        found = dict.fromkeys(find())
    except Exception:  # whatever is wrong with a file or a rulebook, the command itself reports it
        return []
    return [CompletionItem(word) for word in found if word.startswith(incomplete) and _is_safe(word)]


def _is_safe(word: str) -> bool:
    """Return whether a shell takes a word as it is: visible, without blanks."""
    return word.isprintable() and not any(character.isspace() or character in "'\"`$\\;&|<>" for character in word)


# --- what there is to complete ---


def _scenario(context: click.Context) -> Scenario:
    from simulator.formats.scenarios import load_scenario

    named = context.params.get("scenario")
    if named is None:
        # Behind an option that waits for its value, click leaves the arguments as they are typed.
        argument = next(one for one in context.command.params if one.name == "scenario" or one.name == "files")
        named = argument.type.convert(context.args[0], argument, context)
    return load_scenario(Path(named))


def _ruleset(context: click.Context) -> Ruleset[Any, Any]:
    from simulator.engine.ruleset import ruleset_of

    return ruleset_of(_scenario(context).setting)


def example_names() -> Iterable[str]:
    """Return the names of the scenarios and boards that come along."""
    from simulator.formats.examples import all_examples

    return [example.name for example in all_examples()]


def unit_names(context: click.Context) -> Iterable[str]:
    """Return the names of the units of the scenario."""
    return [unit.id for unit in _scenario(context).units]


def side_names(context: click.Context) -> Iterable[str]:
    """Return the sides of the scenario."""
    return [unit.side for unit in _scenario(context).units]


def words_of_order(context: click.Context) -> Iterable[str]:
    """Return what may follow in UNIT PLACE or an order: a unit; then actions, and places where units stand."""
    if not context.params.get("words"):
        return unit_names(context)
    actions = [form.name for form in _ruleset(context).vocabulary.actions]
    return [*actions, *place_forms(context)]


def place_forms(context: click.Context) -> Iterable[str]:
    """Return the places of the units, as an example of how places are written."""
    scenario = _scenario(context)
    write = scenario.setting.vocabulary.goal_place.write
    return [write(unit.place) for unit in scenario.units if unit.place is not None]


def action_names(context: click.Context) -> Iterable[str]:
    """Return the actions that can be asked about."""
    return list(_ruleset(context).reaches)


def parameter_names(context: click.Context) -> Iterable[str]:
    """Return the parameters of questions, each up to its value."""
    return [f"{name}=" for name in _ruleset(context).asks]


def option_settings(context: click.Context) -> Iterable[str]:
    """Return every value of every option of the rulebook; of a number its default."""
    from simulator.engine.options import text_of

    declared = _ruleset(context).options.declared
    return [f"{name}={text_of(value)}" for name, one in declared.items() for value in one.values or (one.default,)]


def figure_settings(context: click.Context) -> Iterable[str]:
    """Return every figure of the rulebook with its value in the scenario, to be changed."""
    from simulator.engine.options import text_of

    return [f"{path}={text_of(figure)}" for path, figure in _scenario(context).setting.tables.items()]


def rulebook_names(_context: click.Context) -> Iterable[str]:
    """Return the rulebooks on the shelf."""
    from simulator.rulesets import shelf

    return list(shelf())


def clause_ids(context: click.Context) -> Iterable[str]:
    """Return the clauses of the rulebook named."""
    from simulator.formats.rulebooks import register_of

    return list(register_of(context.params["ruleset"]) or ())
