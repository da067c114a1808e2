"""Whether the form of a ruleset is filled in so that it can be played, before anybody plays it.

What may be added later, such as the judge or the actions, is not missed here: it says so itself when it is needed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from simulator.engine.board_words import Reads
from simulator.engine.declared import form_faults_of_questions
from simulator.engine.options import Options
from simulator.engine.orders import Vocabulary
from simulator.engine.tables import Tables
from simulator.engine.turns import TurnClock
from simulator.engine.unit_types import REQUIRED, FieldSpec, UnitType
from simulator.wording import did_you_mean

#: The kinds of board that there are.
BOARDS = ("squares", "dots", "table")
_BLANK = re.compile(r"\{\w+(?::[\w ]+)?\}")


def form_faults(ruleset: Any) -> Iterator[str]:
    """Yield what is missing from a ruleset or filled in with something else than belongs there, each with its name."""
    if not isinstance(getattr(ruleset, "name", None), str):
        yield "name: is missing: one word, by which scenarios call it"
    if not isinstance(getattr(ruleset, "vocabulary", None), Vocabulary):
        yield "vocabulary: is missing: a Vocabulary of the actions and their elements"
    for name, kind in (("clock", TurnClock), ("tables", Tables)):
        if not isinstance(value := getattr(ruleset, name), kind):
            call = f": write {value.__name__}()" if isinstance(value, type) else ""
            yield f"{name}: expected an instance of {kind.__name__}, not {value!r}{call}"
    yield from _of_boards(ruleset)
    yield from _of_unit_types(ruleset)
    yield from _of_options(ruleset.options)
    for kind, phrase in ruleset.phrases.items():
        if set("{}") & set(_BLANK.sub("", phrase)):
            yield f"phrases[{kind!r}]: a blank reads like {{place}} or {{points:point}}, unlike in {phrase!r}"
    yield from form_faults_of_questions(ruleset.questions, ruleset.tables)
    if not isinstance(ruleset.reaches, Mapping):
        yield f"reaches: expected a mapping of actions to what is answered, not {ruleset.reaches!r}"


def _of_boards(ruleset: Any) -> Iterator[str]:
    if isinstance(ruleset.boards, str):
        yield f"boards: expected a tuple of kinds of board, not {ruleset.boards!r}: write ({ruleset.boards!r},)"
        return
    if not ruleset.boards:
        yield f"boards: is missing: one or several of {', '.join(BOARDS)}"
    for name, kinds in (("boards", ruleset.boards), ("reads", ruleset.reads)):
        for kind in kinds:
            if kind not in BOARDS:
                yield f"{name}: there is no kind of board {kind!r}; {did_you_mean(str(kind), BOARDS)}"
    for kind, words in ruleset.reads.items():
        for word in words:
            if not isinstance(word, Reads):
                yield f"reads[{kind!r}]: expected Reads, such as Reads('impeded', 'CO-2'), not {word!r}"
                continue
            for path in filter(None, (word.figure, word.of)):
                if path not in ruleset.tables:
                    yield f"reads[{kind!r}]: there is no figure {path!r}; {did_you_mean(path, ruleset.tables)}"


def _of_unit_types(ruleset: Any) -> Iterator[str]:
    for name, unit_type in ruleset.unit_types.items():
        path = f"unit_types[{name!r}]"
        if not isinstance(unit_type, UnitType):
            yield f"{path}: expected a UnitType, not {unit_type!r}"
            continue
        fields: Mapping[str, Any] = unit_type.fields
        for field, spec in fields.items():
            if not isinstance(spec, FieldSpec):
                yield f"{path}.{field}: expected a FieldSpec, such as FieldSpec({spec!r}), not {spec!r}"
            elif spec.default is not REQUIRED:
                try:
                    spec.read(spec.default)
                except (TypeError, ValueError) as error:
                    yield f"{path}.{field}: its default does not fit: {error}"


def _of_options(options: Any) -> Iterator[str]:
    if not (isinstance(options, type) and issubclass(options, Options)):
        yield f"options: expected a class derived from Options, not {options!r}"
        return
    for name, declared in options.declared.items():
        try:
            declared.read(declared.default)
        except ValueError as error:
            yield f"options.{name}: its default does not fit: {error}"
