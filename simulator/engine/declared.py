"""What a rulebook declares that its rules write and ask: the kinds of its events, and the names of its questions.

Both are names that a scenario repeats, in its expectations and in its rules for answers. A rule that writes or asks
anything else is at fault, so what is declared is also all that there is, and a misspelt name can be reported.

Names of questions may have blanks: `{unit}` is a unit, any other is one of the words declared for it, or any text.

>>> shot = QuestionForm(Roll, "the shot of a unit", words={"weapon": ("rifle", "pistol")})
>>> forms = {"attack with {weapon}": shot, "intercept {unit}": QuestionForm(React, "stops a unit")}
>>> form_named("attack with rifle", forms), form_named("attack", forms)
('attack with {weapon}', None)
>>> names_of(forms, Tables(), ["A1", "B1"])
['attack with rifle', 'attack with pistol', 'intercept A1', 'intercept B1']
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product
from typing import Protocol

from simulator.engine.errors import FaultyRule
from simulator.engine.phrases import CLOCK_KINDS
from simulator.engine.questions import Choose, Question, React, Roll
from simulator.engine.tables import Tables
from simulator.wording import did_you_mean

#: The sorts of questions, by the word for one of them.
SORTS: Mapping[str, type[Roll] | type[Choose] | type[React]] = {"roll": Roll, "choice": Choose, "reaction": React}
#: The blank of a name that is always a unit.
UNIT = "unit"
_BLANK = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class QuestionForm:
    """A question that the rules ask: its sort, its meaning, its clause, and the words in the blanks of its name."""

    sort: type[Roll] | type[Choose] | type[React]
    about: str
    clause: str = ""
    #: The words of a blank: listed, or the path of the table whose names they are.
    words: Mapping[str, Sequence[str] | str] = field(default_factory=dict)
    #: Who answers: "unit", "side", or the name of somebody else.
    who: str = UNIT

    @property
    def sort_name(self) -> str:
        """The word for its sort: roll, choice or reaction."""
        return next(name for name, sort in SORTS.items() if sort is self.sort)

    def words_of(self, blank: str, tables: Tables) -> tuple[str, ...] | None:
        """Return the words that are possible in a blank; None if any text is."""
        known = self.words.get(blank)
        return tuple(tables[known] if isinstance(known, str) else known) if known else None


class Declaring(Protocol):
    """The part of a `Ruleset` with what its rules write and ask."""

    name: str
    phrases: Mapping[str, str]
    phrases_complete: bool
    questions: Mapping[str, QuestionForm]


def event_kinds(ruleset: Declaring) -> tuple[str, ...]:
    """Return all kinds of events, those of the clock last; none if the rulebook does not declare them all."""
    return (*ruleset.phrases, *CLOCK_KINDS) if ruleset.phrases_complete else ()


def form_named(name: str, forms: Mapping[str, QuestionForm]) -> str | None:
    """Return the declared name, with its blanks, that a question goes by; None if there is none."""
    if name in forms:
        return name
    return next((one for one in forms if "{" in one and _pattern(one).fullmatch(name)), None)


def blanks_of(declared: str, name: str) -> dict[str, str]:
    """Return what fills the blanks of a declared name in the name of a question.

    >>> blanks_of("attack with {weapon}", "attack with smg")
    {'weapon': 'smg'}
    """
    found = _pattern(declared).fullmatch(name)
    return found.groupdict() if found else {}


def names_of(forms: Mapping[str, QuestionForm], tables: Tables, units: Collection[str]) -> list[str]:
    """Return the names of questions with their blanks filled in; blanks for any text are left as they are."""
    return [name for declared, form in forms.items() for name in _filled(declared, form, tables, units)]


def undeclared_event(ruleset: Declaring, kind: str) -> str:
    """Report a kind of event that the rulebook does not declare; "" if it does, or declares none."""
    if not ruleset.phrases_complete or kind in ruleset.phrases or kind in CLOCK_KINDS:
        return ""
    return f"{ruleset.name} declares no event {kind!r} in its phrases; {did_you_mean(kind, event_kinds(ruleset))}"


def check_declared(ruleset: Declaring, question: Question) -> None:
    """Raise FaultyRule for a question that the rulebook does not declare, or declares to be of another sort."""
    forms = ruleset.questions
    if not forms:
        return
    declared = form_named(question.what, forms)
    if declared is None:
        raise FaultyRule(f"{ruleset.name} declares no question {question.what!r}; {did_you_mean(question.what, forms)}")
    form = forms[declared]
    if not isinstance(question, form.sort):
        raise FaultyRule(f"{ruleset.name} declares the question {question.what!r} as a {form.sort_name}: it is none")


def form_faults_of_questions(forms: Mapping[str, object], tables: Tables) -> Iterator[str]:
    """Yield what is filled in wrongly in the declaration of questions."""
    for name, form in forms.items():
        if not isinstance(form, QuestionForm):
            yield f"questions[{name!r}]: expected a QuestionForm, such as QuestionForm(Roll, 'to hit'), not {form!r}"
            continue
        if form.sort not in SORTS.values():
            yield f"questions[{name!r}]: its sort is Roll, Choose or React, not {form.sort!r}"
        for blank, words in form.words.items():
            if blank not in _BLANK.findall(name):
                yield f"questions[{name!r}]: its name has no blank {{{blank}}}"
            elif isinstance(words, str) and words not in tables:
                yield f"questions[{name!r}]: there is no figure {words!r}; {did_you_mean(words, tables)}"


def _filled(declared: str, form: QuestionForm, tables: Tables, units: Iterable[str]) -> Iterator[str]:
    blanks = _BLANK.findall(declared)
    words = [units if one == UNIT else form.words_of(one, tables) or (f"{{{one}}}",) for one in blanks]
    for chosen in product(*words):
        yield declared.format(**dict(zip(blanks, chosen, strict=True)))


@lru_cache(maxsize=1024)
def _pattern(declared: str) -> re.Pattern[str]:
    """Return the pattern of a declared name: each blank stands for at least one character."""
    parts = _BLANK.split(declared)
    return re.compile("".join(f"(?P<{part}>.+)" if n % 2 else re.escape(part) for n, part in enumerate(parts)))
