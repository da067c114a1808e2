"""Clauses as first-class objects: text, implementations, tests that name them, options and figures.

A rule function is tied to its clauses where it is defined:

    @clause("GR-47", "GR-48", role="rule")
    def triggers(table, step): ...

The purpose of such a function is its role: it judges, searches, plays, computes chances, explains, reads figures; or it
is the rule itself, a condition or price used by several of these. The module usually implies it (`ROLE_OF_MODULE`).

A clause that only defines a word or advises the players is marked, with the reason: `mark("GR-3", "advice", "...")`.
`Coverage` puts a register, the marks, the implementations and the tests side by side.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any, TypeVar

from simulator.engine.errors import TableError
from simulator.engine.options import Option, Options
from simulator.engine.ruleset import register_order
from simulator.engine.tables import Tables
from simulator.errors import Fault, FileError
from simulator.wording import did_you_mean

Rule = TypeVar("Rule", bound=Callable[..., Any])

#: The kinds of clauses without a rule of their own.
MARKS = ("definition", "advice")
#: The purposes of functions, in the order in which they are listed.
ROLES = ("rule", "judge", "search", "play", "odds", "why", "figure")
#: The role of functions in modules and folders of these names, the outermost first; elsewhere it is the rule itself.
ROLE_OF_MODULE: Mapping[str, str] = {
    "judge": "judge",
    **dict.fromkeys(("reach", "planning", "planner_tables", "drive_states", "landings", "exposure"), "search"),
    **dict.fromkeys(("any_direction", "ends", "jumps", "plans"), "search"),
    **dict.fromkeys(
        ("move_reach", "jump_reach", "climb_reach", "carrier_reach", "charges_reach", "unload_reach"), "search"
    ),
    **dict.fromkeys(("declaring", "move_judge", "jump_judge"), "judge"),
    **dict.fromkeys(("actions", "other_actions", "clock", "drive", "flight"), "play"),
    **dict.fromkeys(("fire", "damage", "dodging", "playing"), "play"),
    **dict.fromkeys(("odds", "outcomes"), "odds"),
    "why": "why",
    "figures": "figure",
}
#: The form of a clause id.
CLAUSE_ID = re.compile(r"\b[A-Z]{2,4}-[0-9]+\b")
#: Files with cases, scenarios or records.
_CASE_FILES = (".yaml", ".yml", ".toml", ".json", ".jsonl", ".txt", ".md")


# --- rules and their clauses ---


@dataclass(frozen=True, slots=True)
class Implementation:
    """An implementation of a clause: the function, its file and line."""

    name: str
    module: str
    file: str
    line: int
    role: str = "rule"

    def __str__(self) -> str:
        return f"{self.module}.{self.name} ({Path(self.file).name}:{self.line})"


@dataclass(frozen=True, slots=True)
class Mark:
    """Why a clause needs no rule of its own."""

    kind: str
    reason: str


_implemented: dict[str, dict[tuple[str, str], Implementation]] = {}
_marked: dict[str, Mark] = {}


def role_of(module: str) -> str:
    """Return the role of the functions of a module.

    >>> role_of("simulator.rulesets.dot_trooper.judge.drive"), role_of("my_games.courier.units")
    ('judge', 'rule')
    """
    return next((ROLE_OF_MODULE[part] for part in module.split(".") if part in ROLE_OF_MODULE), "rule")


def clause(*ids: str, role: str = "") -> Callable[[Rule], Rule]:
    """Tie a rule function or class to the clauses that it implements; `role` if its module does not imply it."""
    if role and role not in ROLES:
        raise ValueError(f"{role!r} is not a role; {did_you_mean(role, ROLES)}")
    if not ids:
        raise ValueError("a rule is tied to a clause at least: @clause('GR-26')")
    for id in ids:
        if not CLAUSE_ID.fullmatch(str(id)):  # written without its ids, it is passed the function
            raise ValueError(f"{id!r} is not a clause id: a rule is tied as in @clause('GR-26')")

    def tie(rule: Rule) -> Rule:
        code = getattr(rule, "__code__", None)
        file, line = (code.co_filename, code.co_firstlineno) if code else (rule.__module__, 0)
        found = Implementation(rule.__qualname__, rule.__module__, file, line, role or role_of(rule.__module__ or ""))
        for id in ids:
            _implemented.setdefault(id, {})[found.module, found.name] = found
        return rule

    return tie


def mark(id: str, kind: str, reason: str) -> None:
    """Mark a clause that is only a definition, or advice to the players, with the reason."""
    if kind not in MARKS or not reason.strip():
        raise ValueError(f"a mark is {' or '.join(MARKS)} with a reason, not {kind!r}, {reason!r}")
    if not CLAUSE_ID.fullmatch(id):
        raise ValueError(f"{id!r} is not a clause id, such as GR-3")
    _marked[id] = Mark(kind, reason)


def is_registered(id: str) -> bool:
    """Whether a rule of a loaded ruleset is tied to a clause, or the clause is marked."""
    return id in _implemented or id in _marked


def implementations(id: str) -> tuple[Implementation, ...]:
    """Return the implementations of a clause in all loaded rulesets."""
    return tuple(sorted(_implemented.get(id, {}).values(), key=lambda found: (found.file, found.line)))


def by_role(id: str) -> Mapping[str, tuple[Implementation, ...]]:
    """Return the same by role, in the order of `ROLES`, without empty roles."""
    found = implementations(id)
    several = {role: tuple(one for one in found if one.role == role) for role in ROLES}
    return {role: ones for role, ones in several.items() if ones}


# --- the register ---


@dataclass(frozen=True, slots=True)
class ClausePart:
    """A part of a clause under its own heading: an open question, a choice, an option."""

    kind: str
    text: str


@dataclass(frozen=True)
class Clause:
    """One clause of a register, with its first line in the file."""

    id: str
    section: str
    text: str
    parts: tuple[ClausePart, ...] = ()
    line: int = 0

    @cached_property
    def options(self) -> tuple[str, ...]:
        """The names of the clause's options."""
        names: list[str] = []
        for part in self.parts:
            if part.kind == "Option":
                names += _OPTION_NAME.findall(part.text)
        return tuple(dict.fromkeys(names))

    def __str__(self) -> str:
        parts = [f"  {part.kind}: {part.text}" for part in self.parts]
        title = f"{self.id}  ({self.section})" if self.section else self.id
        return "\n".join([title, self.text, *parts])


_ENTRY = re.compile(r"- \*\*([A-Z]{2,4}-[0-9]+)\*\*\s?(.*)")
_HEADING = re.compile(r"(#{2,6})\s+(.*)")
#: The first name of an option's text, and the names with values further on.
_OPTION_NAME = re.compile(r"(?:(?<=^`)|(?<=[ ;,]`)(?=\w+`\s*[=:]))([a-z]\w*)`")
_LABEL = re.compile(r"\*(Open|Chosen|Option|Note|Reading)\b[^*]*\*:?")


@dataclass(frozen=True)
class Register(Mapping[str, Clause]):
    """The clauses of a rulebook by id, in the order of the page."""

    clauses: tuple[Clause, ...]
    file: str = ""

    @classmethod
    def read(cls, path: str | Path) -> Register:
        """Read the register of a rulebook from its page, such as docs/rules/grid_runner.md."""
        return cls.parse(Path(path).read_text(encoding="utf-8"), str(path))

    @classmethod
    def parse(cls, text: str, file: str = "register") -> Register:
        """Read a register from its text; a duplicate clause is a FileError."""
        found: list[Clause] = []
        faults: list[Fault] = []
        section = ""
        lines = text.splitlines()
        for number, line in enumerate(lines, 1):
            if heading := _HEADING.fullmatch(line):
                section = heading.group(2).strip()
            elif entry := _ENTRY.fullmatch(line):
                if any(entry.group(1) == clause.id for clause in found):
                    faults.append(Fault(file, number, 3, entry.group(1), "appears twice"))
                body = [entry.group(2), *_body(lines[number:])]
                found.append(_clause(entry.group(1), section, body, number))
        if faults:
            raise FileError(faults)
        return cls(tuple(found), file)

    @cached_property
    def _by_id(self) -> Mapping[str, Clause]:
        return {clause.id: clause for clause in self.clauses}

    def __getitem__(self, id: str) -> Clause:
        try:
            return self._by_id[id]
        except KeyError:
            raise NoSuchClause(f"there is no clause {id!r}; {did_you_mean(id, self._by_id)}") from None

    def __contains__(self, id: object) -> bool:
        return id in self._by_id

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_id)

    def __len__(self) -> int:
        return len(self.clauses)


class NoSuchClause(TableError, KeyError):
    """An id that is not in the register."""

    def __str__(self) -> str:
        # KeyError would show the message in quotes.
        return str(self.args[0])


def _body(lines: list[str]) -> list[str]:
    """Return the lines of an entry: all blank or indented lines, up to the next other line."""
    found: list[str] = []
    for line in lines:
        if line.strip() and not line.startswith(("  ", "\t", "|")):
            break
        found.append(line[2:] if line.startswith("  ") else line)
    return found


def _clause(id: str, section: str, body: list[str], line: int) -> Clause:
    own: list[str] = []
    parts: list[ClausePart] = []
    for text in body:
        labels = list(_LABEL.finditer(text))
        if not labels:
            # A table or a further paragraph belongs to the clause itself, even below its parts.
            own.append(text.rstrip())
            continue
        before = text[: labels[0].start()].strip().removeprefix("-").strip()
        if before:
            own.append(before)
        ends = [label.start() for label in labels[1:]] + [len(text)]
        for label, end in zip(labels, ends, strict=True):
            parts.append(ClausePart(label.group(1), text[label.end() : end].strip().removeprefix(":").strip()))
    return Clause(id, section, "\n".join(own).strip(), tuple(parts), line)


# --- tests ---


@dataclass(frozen=True, slots=True)
class Mention:
    """A test or case that names a clause."""

    file: str
    line: int
    name: str = ""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" + (f" {self.name}" if self.name else "")


def mentions(folders: Iterable[str | Path]) -> Mapping[str, tuple[Mention, ...]]:
    """Return the tests that name each clause: test functions and classes, and all lines of files with cases.

    In a Python file an id counts inside a test: in its name line, docstring, decorators or body, or in the
    docstring and decorators of its class. Comments do not count.
    """
    found: dict[str, list[Mention]] = {}
    for folder in folders:
        root = Path(folder)
        for path in sorted(root.rglob("*")) if root.is_dir() else [root]:
            if _may_name(path):
                file = path.stat()
                for id, mention in _named_in(path, file.st_mtime_ns, file.st_size):
                    found.setdefault(id, []).append(mention)
    return {id: tuple(found[id]) for id in sorted(found, key=register_order)}


def _may_name(path: Path) -> bool:
    return path.suffix in _CASE_FILES or (path.suffix == ".py" and path.name.startswith("test_"))


@cache
def _named_in(path: Path, changed: int, size: int) -> tuple[tuple[str, Mention], ...]:  # noqa: ARG001
    """Return what a file names, as it was when it was last changed: each rulebook asks all files."""
    return tuple((_named_in_python if path.suffix == ".py" else _named_in_lines)(path))


def _named_in_lines(path: Path) -> Iterator[tuple[str, Mention]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        for id in dict.fromkeys(CLAUSE_ID.findall(line)):
            yield id, Mention(path.as_posix(), number)


def _named_in_python(path: Path) -> Iterator[tuple[str, Mention]]:
    def visit(body: list[ast.stmt], inside: str) -> Iterator[tuple[str, Mention]]:
        for node in body:
            if isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
                name = f"{inside}{node.name}"
                about: list[ast.AST] = [*node.decorator_list]
                if ast.get_docstring(node) is not None:
                    about.append(node.body[0])
                yield from texts(about, name, node.lineno)
                yield from visit(node.body, f"{name}.")
            elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test"):
                yield from texts([node], f"{inside}{node.name}", node.lineno)

    def texts(nodes: list[ast.AST], name: str, line: int) -> Iterator[tuple[str, Mention]]:
        strings = [
            inner.value
            for node in nodes
            for inner in ast.walk(node)
            if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
        ]
        for id in dict.fromkeys(id for text in strings for id in CLAUSE_ID.findall(text)):
            yield id, Mention(path.as_posix(), line, name)

    yield from visit(ast.parse(path.read_text(encoding="utf-8"), str(path)).body, "")


# --- all of it together ---


@dataclass(frozen=True)
class Coverage:
    """The coverage of every clause of a register: rules, figures, options, tests, marks."""

    register: Register
    options: Mapping[str, Option] = field(default_factory=dict)
    tables: Tables = field(default_factory=Tables)
    #: The tests that name each clause; None if there are no tests to look at.
    tests: Mapping[str, tuple[Mention, ...]] | None = field(default_factory=dict)

    @classmethod
    def of(
        cls,
        register: Register,
        options: type[Options] = Options,
        tables: Tables | None = None,
        tests: Iterable[str | Path] | None = (),
    ) -> Coverage:
        """Look at a ruleset's options and tables and at the tests in some folders, None if there are no tests."""
        return cls(register, options.declared, tables or Tables(), None if tests is None else mentions(tests))

    def marked(self, id: str) -> Mark | None:
        """Return the mark of a clause, if it has one."""
        return _marked.get(id)

    def options_of(self, id: str) -> tuple[str, ...]:
        """Return the names of a clause's options."""
        return tuple(name for name, option in self.options.items() if id in CLAUSE_ID.findall(option.clause))

    def figures_of(self, id: str) -> tuple[str, ...]:
        """Return the tables of figures of a clause."""
        return tuple(path for path, cited in self.tables.clauses.items() if id in CLAUSE_ID.findall(cited))

    def uncovered(self) -> tuple[str, ...]:
        """Return the clauses that no test names and that are not marked; none if there are no tests."""
        if self.tests is None:
            return ()
        return tuple(id for id in self.register if id not in self.tests and id not in _marked)

    def unimplemented(self) -> tuple[str, ...]:
        """Return the clauses that no rule, option or table implements and that are not marked."""
        return tuple(
            id
            for id in self.register
            if not (implementations(id) or self.options_of(id) or self.figures_of(id) or id in _marked)
        )

    def unknown(self) -> tuple[str, ...]:
        """Return the ids cited by rules, marks, options or tables of this rulebook and missing from the register."""
        prefixes = {id.partition("-")[0] for id in self.register}
        texts = [*(option.clause for option in self.options.values()), *self.tables.clauses.values()]
        cited = {*_implemented, *_marked, *(id for text in texts for id in CLAUSE_ID.findall(text))}
        strangers = [id for id in cited if id.partition("-")[0] in prefixes and id not in self.register]
        return tuple(sorted(strangers, key=register_order))

    def to_fields(self, id: str) -> dict[str, Any]:
        """Return everything known of a clause as plain data, its implementations by role."""
        clause, found = self.register[id], self.marked(id)
        return {
            "clause": id,
            "section": clause.section,
            "text": clause.text,
            "parts": [{"kind": part.kind, "text": part.text} for part in clause.parts],
            "line": clause.line,
            "roles": {role: [f"{one.module}.{one.name}" for one in several] for role, several in by_role(id).items()},
            "figures": list(self.figures_of(id)),
            "options": list(self.options_of(id)),
            "mark": None if found is None else {"kind": found.kind, "reason": found.reason},
            "tests": None if self.tests is None else [str(mention) for mention in self.tests.get(id, ())],
        }

    def about(self, id: str) -> str:
        """Return the text of everything known of a clause."""
        clause = self.register[id]
        lines = [str(clause), f"  found in     {self.register.file}:{clause.line}"]
        lines += [f"  {role:<12} {found}" for role, several in by_role(id).items() for found in several]
        lines += [f"  figures      {path}" for path in self.figures_of(id)]
        for name in self.options_of(id):
            option = self.options[name]
            lines.append(f"  option       {name}, default {option.default!r}")
        if found := self.marked(id):
            lines.append(f"  {found.kind}: {found.reason}")
        if self.tests is None:
            return "\n".join(lines)
        lines += [f"  tested by    {mention}" for mention in self.tests.get(id, ())]
        if not self.tests.get(id) and found is None:
            lines.append("  no test names it")
        return "\n".join(lines)
