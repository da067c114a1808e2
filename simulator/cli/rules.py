"""`simulator rules`: the text of a clause, where it is implemented, and the tests that name it."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

from simulator.cli.completions import clause_ids, completer, rulebook_names
from simulator.cli.rulebook_files import rulebook_option
from simulator.cli.terminal import echo

if TYPE_CHECKING:
    from simulator.engine.clauses import Coverage
    from simulator.engine.ruleset import Ruleset

Command = TypeVar("Command", bound=Callable[..., Any])

_CHECKOUT = Path(__file__).resolve().parents[2]
#: The folder of tests in a checkout.
_TESTS = ("rulebooks", "rulesets", "cases")


#: What can be listed of a rulebook: the flag, and its help.
_LISTS = {
    "orders": "List the orders of RULESET.",
    "units": "List its types of units with their fields.",
    "options": "List its options: values, default first, and clause.",
    "figures": "List the figures of its tables by path.",
    "terrain": "List the words of a board that it reads, and those it does not.",
    "events": "List the kinds of events that its rules write.",
    "questions": "List the questions that its rules ask, by name.",
}


def _listing(command: Command) -> Command:
    """Add the flags of the lists, and pass the one that is set as `lists`; two exclude each other."""

    @wraps(command)
    def called(**arguments: Any) -> Any:
        wanted = [name for name in _LISTS if arguments.pop(f"lists_{name}")]
        if len(wanted) > 1:
            raise click.UsageError(f"--{wanted[0]} and --{wanted[1]} are two lists: use one of them")
        return command(lists=wanted[0] if wanted else None, **arguments)

    listed: Any = called
    for name, meaning in reversed(_LISTS.items()):
        listed = click.option(f"--{name}", f"lists_{name}", is_flag=True, help=meaning)(listed)
    return cast(Command, listed)


@click.command("rules")
@click.argument("ruleset", required=False, shell_complete=completer(rulebook_names))
@click.argument("clause", required=False, shell_complete=completer(clause_ids))
@click.option("--uncovered", is_flag=True, help="List the clauses that no test names; exit with 1 if there are any.")
@_listing
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document: of RULESET, or with --uncovered.")
@click.option(
    "--docs",
    metavar="DIR",
    type=click.Path(path_type=Path),
    help="Folder of the rulebooks' pages, NAME.md each, instead of the installed ones.",
)
@click.option(
    "--tests", multiple=True, metavar="DIR", type=click.Path(path_type=Path), help="Folder of tests; may be repeated."
)
@rulebook_option
def command(
    ruleset: str | None,
    clause: str | None,
    uncovered: bool,
    lists: str | None,
    as_json: bool,
    docs: Path | None,
    tests: tuple[Path, ...],
) -> int:
    """List the rulesets; the clauses, orders, units, options and more of a RULESET; or everything about a CLAUSE.

    The implementation of a clause is listed by role: the rule itself, judge, search, play, odds, why, figure.
    Clauses come from the rulebook's page, tests from the tests/ of a checkout: an installed package has no tests.

    \b
    simulator rules
    simulator rules grid_runner
    simulator rules grid_runner GR-26
    simulator rules grid_runner GR-26 --json
    simulator rules grid_runner --options --json
    simulator rules grid_runner --terrain
    simulator rules grid_runner --questions
    simulator rules --uncovered

    Exit status: 0 answered, 1 there are uncovered clauses, or no such clause; 2 no such ruleset.
    """
    from simulator.engine.ruleset import BrokenRuleset
    from simulator.formats.rulebooks import page_of
    from simulator.rulesets import shelf

    if as_json and ruleset is None and not (uncovered or lists):
        raise click.UsageError("--json requires a ruleset or --uncovered: simulator rules NAME --json")
    if clause is not None and (lists or uncovered):
        raise click.UsageError(f"--{lists or 'uncovered'} lists those of all clauses: leave out {clause}")
    if lists:
        if ruleset is None:
            raise click.UsageError(f"--{lists} requires a ruleset: simulator rules NAME --{lists}")
        if uncovered or docs is not None or tests:
            other = "uncovered" if uncovered else "tests" if docs is None else "docs"
            raise click.UsageError(f"--{other} is about clauses: it does not go with --{lists}")
        return _print_list(lists, shelf()[ruleset], as_json)
    names = [ruleset] if ruleset else sorted(shelf())
    if not names:
        echo("no ruleset is installed", err=True)
        return 0
    coverages = {}
    for name in names:
        try:
            taken = shelf()[name]
        except BrokenRuleset as error:
            if ruleset is not None:
                raise
            echo(str(error), err=True)
            continue
        page = page_of(taken) if docs is None else docs / f"{name}.md"
        if page is not None and page.is_file():
            coverages[name] = _coverage(name, page, tests)
            continue
        missing = f"page {page or taken.page or f'{name}.md'} does not exist"
        if ruleset is not None:
            raise click.ClickException(f"the {missing}: name its folder with --docs")
        # A rulebook of another package without a page does not stop the list of the others.
        echo(f"{name}  {taken.title}: its {missing}", err=True)
    if uncovered:
        if any(coverage.tests is None for coverage in coverages.values()):
            raise click.UsageError("tests are found in a checkout only; name their folder with --tests")
        return _uncovered(coverages, as_json)
    if ruleset is None:
        for name, coverage in coverages.items():
            echo(f"{name}  {shelf()[name].title}: {_sum_of(coverage)}")
        return 0
    coverage = coverages[ruleset]
    if as_json:
        ids = list(coverage.register) if clause is None else [_as_written(clause, coverage)]
        echo(json.dumps({"format": 1, "ruleset": ruleset, "clauses": [coverage.to_fields(id) for id in ids]}, indent=2))
        return 0
    if clause is None:
        echo(_list_of(coverage))
    else:
        echo(coverage.about(_as_written(clause, coverage)))
    return 0


def _as_written(clause: str, coverage: Coverage) -> str:
    """Return the id of a clause as the rulebook writes it, for `gr-26` or `26`; any other text unchanged."""
    ids = {id.casefold(): id for id in coverage.register}
    numbers = {id.partition("-")[2].casefold(): id for id in coverage.register}
    return ids.get(clause.casefold()) or numbers.get(clause.casefold()) or clause


def _print_list(what: str, ruleset: Ruleset[Any, Any], as_json: bool) -> int:
    from simulator.cli import rule_data, rule_lists

    if as_json:
        documents = {
            "orders": rule_data.orders_data,
            "units": rule_data.units_data,
            "options": rule_data.options_data,
            "figures": rule_data.figures_data,
            "terrain": rule_data.terrain_data,
            "events": rule_data.events_data,
            "questions": rule_data.asked_data,
        }
        echo(json.dumps(documents[what](ruleset), indent=2))
        return 0
    lists = {
        "orders": rule_lists.order_lines,
        "units": rule_lists.unit_lines,
        "options": rule_lists.option_lines,
        "figures": rule_lists.figure_lines,
        "terrain": rule_lists.terrain_lines,
        "events": rule_lists.event_lines,
        "questions": rule_lists.question_lines,
    }
    for line in lists[what](ruleset):
        echo(line)
    return 0


def _coverage(name: str, page: Path, tests: tuple[Path, ...]) -> Coverage:
    from simulator.engine.clauses import Coverage, Register
    from simulator.engine.ruleset import import_whole
    from simulator.rulesets import shelf

    taken = shelf()[name]
    import_whole(taken)
    folders = list(tests) or [_CHECKOUT / "tests" / folder for folder in _TESTS]
    there = [folder for folder in folders if folder.exists()]
    if tests and not there:
        echo(f"no tests found ({', '.join(map(str, tests))})", err=True)
    return Coverage.of(Register.read(page), taken.options, taken.tables, there or None)


def _uncovered(coverages: dict[str, Coverage], as_json: bool) -> int:
    found = [(name, id) for name, coverage in coverages.items() for id in coverage.uncovered()]
    if as_json:
        from simulator.cli.rule_data import uncovered_data

        echo(json.dumps(uncovered_data(coverages), indent=2))
        return int(bool(found))
    for name, id in found:
        echo(f"{name} {id}  {_beginning(coverages[name].register[id].text)}")
    if coverages and not found:
        echo(f"every clause of {', '.join(coverages)} has a test or a mark", err=True)
    return int(bool(found))


def _sum_of(coverage: Coverage) -> str:
    from simulator.wording import measure

    summary = f"{measure(len(coverage.register), 'clause')}, {measure(len(coverage.options), 'option')}"
    if coverage.tests is None:
        return summary
    without = len(coverage.uncovered())
    return summary + (f", {measure(without, 'clause')} without a test" if without else "")


def _list_of(coverage: Coverage) -> str:
    from simulator.wording import measure

    lines: list[str] = []
    section = ""
    for id in coverage.register:
        clause = coverage.register[id]
        if clause.section != section:
            section = clause.section
            lines += ["", section] if lines else [section]
        mark = coverage.marked(id)
        tests = None if coverage.tests is None else measure(len(coverage.tests.get(id, ())), "test")
        note = mark.kind if mark else tests
        lines.append(f"  {id:<7} {_beginning(clause.text)}" + (f"  [{note}]" if note else ""))
    return "\n".join([*lines, "", *_roles_of(coverage), _sum_of(coverage)])


def _roles_of(coverage: Coverage) -> list[str]:
    from simulator.engine.clauses import ROLES, by_role

    found = {role: {one for id in coverage.register for one in by_role(id).get(role, ())} for role in ROLES}
    counts = [f"{role} {len(ones)}" for role, ones in found.items() if ones]
    return [f"{sum(map(len, found.values()))} functions by role: {', '.join(counts)}"] if counts else []


def _beginning(text: str) -> str:
    line = text.partition("\n")[0]
    return line if len(line) <= 90 else f"{line[:87]}..."
