"""Rulebooks clause by clause: the text of each, its options and figures, the functions that implement it, its tests."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from simulator.cli.rule_lists import option_lines
from simulator.engine.clauses import Coverage, Register, by_role, mentions
from simulator.engine.ruleset import import_whole
from simulator.engine.values import show
from simulator.rulesets import OURS, shelf
from simulator.wording import measure

ROOT = Path(__file__).resolve().parents[2]
_TESTS = ("rulebooks", "rulesets", "cases")
_ENTRY = re.compile(r"^- \*\*([A-Z]{2,4}-[0-9]+)\*\*", re.M)
#: Returns the address of a line in a file of the repository, as seen from the page.
Link = Callable[[str, int], str]


def clause_pages(link: Link) -> dict[str, str]:
    """Return the page of each rulebook by name."""
    folders = [folder for name in _TESTS if (folder := ROOT / "tests" / name).exists()]
    tests = mentions(folders)
    return {name: "\n".join(_page(name, tests, link)) for name in OURS}


def with_anchors(text: str, name: str) -> str:
    """Return the page of a rulebook with each clause as an anchor that leads to what is known of it."""
    return _ENTRY.sub(
        lambda found: f'- <a id="{found[1].lower()}"></a>**[{found[1]}](../clauses/{name}.md#{found[1].lower()})**',
        text,
    )


def _page(name: str, tests: Any, link: Link) -> Iterator[str]:
    ruleset = shelf()[name]
    import_whole(ruleset)
    register = Register.read(ROOT / "docs" / "rules" / f"{name}.md")
    coverage = Coverage(register, ruleset.options.declared, ruleset.tables, tests)
    options = {line.split()[0]: line for line in option_lines(ruleset) if line.strip()}
    yield f"# {ruleset.title}, clause by clause\n"
    yield (
        f"{measure(len(register), 'clause')} of [{name}](../rules/{name}.md), each with its options and figures, the "
        "functions that implement it, and the tests that name it. On the command line: "
        f"`simulator rules {name} CLAUSE`.\n"
    )
    section = ""
    for id, clause in register.items():
        if clause.section != section:
            section = clause.section
            yield f"## {section}\n"
        yield f"### {id} {{ #{id.lower()} }}\n"
        yield f"{clause.text}\n"
        for part in clause.parts:
            yield f"*{part.kind}*: {part.text}\n"
        yield f"[In its rulebook](../rules/{name}.md#{id.lower()})\n"
        yield from _settings(ruleset, coverage, id, options)
        yield from _code(coverage, id, link)


def _settings(ruleset: Any, coverage: Coverage, id: str, options: dict[str, str]) -> Iterator[str]:
    rows = [
        ("Option", f"`{' '.join(options[option].split())}`") for option in coverage.options_of(id) if option in options
    ]
    for path in coverage.figures_of(id):
        figures = [one for one in ruleset.tables if one == path or one.startswith(f"{path}.")]
        rows += [("Figure", f"`{one}` = {show(ruleset.tables[one])}") for one in figures]
    if rows:
        yield "| setting | values, or value |\n|---|---|"
        yield from (
            f"| {kind} | {text.replace('|', '&#124;') if kind != 'Option' else _in_a_cell(text)} |"
            for kind, text in rows
        )
        yield ""


def _in_a_cell(text: str) -> str:
    """Return code that a cell of a table can hold: a bar would end the cell."""
    return f"<code>{text.strip('`').replace('&', '&amp;').replace('<', '&lt;').replace('|', '&#124;')}</code>"


def _code(coverage: Coverage, id: str, link: Link) -> Iterator[str]:
    if (mark := coverage.marked(id)) is not None:
        yield f"A clause without a rule of its own ({mark.kind}): {mark.reason}\n"
    roles = by_role(id)
    if roles:
        yield f'??? note "{measure(sum(map(len, roles.values())), "function")}"\n'
        for role, several in roles.items():
            for one in several:
                # Of a class only its module is known.
                file = _in_the_repository(one.file if one.line else f"{one.module.replace('.', '/')}.py")
                yield f"    - {role}: [`{one.module.removeprefix('simulator.')}.{one.name}`]({link(file, one.line)})"
        yield ""
    tests = (coverage.tests or {}).get(id, ())
    if tests:
        yield f'??? note "{measure(len(tests), "test")}"\n'
        for test in tests:
            file = _in_the_repository(test.file)
            yield f"    - [{test.name or 'case'}]({link(file, test.line)}) in {file}"
        yield ""


def _in_the_repository(file: str) -> str:
    path = Path(file)
    return path.resolve().relative_to(ROOT).as_posix() if path.is_absolute() else path.as_posix()
