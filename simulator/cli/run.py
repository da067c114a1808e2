"""`simulator run`: play scenarios and report whether their expectations are met."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.asking import option_option, table_option
from simulator.cli.example_names import files_argument
from simulator.cli.expanded import expanded, refuse_twins
from simulator.cli.files import is_stdout, make_folder_of, require_one_on_stdout
from simulator.cli.outputs import OutputFile, files_of_command
from simulator.cli.rulebook_files import is_on_shelf, put_on_shelf, rulebook_files, rulebook_option
from simulator.cli.runs import (
    RunOutcome,
    RunSettings,
    draw_account,
    failed_outcome,
    loaded,
    outcome_of,
    reach_shown,
    run_one,
    write_page,
)
from simulator.cli.terminal import CleanStream, bar, cannot_write, echo, is_watched, named
from simulator.reading import watched

if TYPE_CHECKING:
    from simulator.engine.orders import Vocabulary
    from simulator.formats.accounts import Account, Played
    from simulator.formats.run_text import Detail

#: Fewer scenarios than this are played faster than workers start.
_WORTH_WORKERS = 4


@click.command("run")
@files_argument
@click.option("--json", "as_json", is_flag=True, help="Print one JSON document instead of text.")
@click.option("--svg", "pictures", metavar="DIR", default="", help="Draw the table after each order into DIR.")
@click.option("--html", "page", metavar="FILE", default="", help="Write a replay page for a browser.")
@click.option("--no-reach", "no_reach", is_flag=True, help="Leave the units' reach out of the replay page.")
@click.option("--chance", is_flag=True, help="Show the chance of getting there on the page; may take long.")
@click.option("--junit", metavar="FILE", type=OutputFile(Path), help="Write a JUnit report of the run.")
@click.option("--log", "log", metavar="FILE", type=OutputFile(Path), help="Write the game to a log.")
@click.option("--resume", is_flag=True, help="Continue the log of an interrupted run.")
@click.option("--step", is_flag=True, help="Show event by event, and ask you for answers the file lacks.")
@click.option("--seed", type=int, metavar="N", help="Roll the dice with this seed instead of the file's.")
@option_option
@table_option
@click.option("-q", "--quiet", is_flag=True, help="Print only what is not as expected, and the count.")
@click.option("-v", "--verbose", is_flag=True, help="Print all that is recorded, with fingerprints and the beginning.")
@click.option("--jobs", type=click.IntRange(1), metavar="N", help="Workers for several files; by default one per core.")
@rulebook_option
def command(
    files: tuple[Path, ...],
    as_json: bool,
    pictures: str,
    page: str,
    no_reach: bool,
    chance: bool,
    junit: Path | None,
    log: Path | None,
    resume: bool,
    step: bool,
    seed: int | None,
    options: tuple[tuple[str, str], ...],
    figures: tuple[tuple[str, Any], ...],
    quiet: bool,
    verbose: bool,
    jobs: int | None,
) -> int:
    """Play scenario FILES and report what happened; a folder stands for all scenarios in it.

    One file is reported in full: orders, events with their clauses, prices, questions with odds and answers,
    refusals with all reasons. Several are summarised in a table, followed by the failures; --svg and --html then name
    folders. --quiet prints only what is not as expected; --verbose adds the beginning of the game and the fingerprints
    of the board and of the final table, as `record` does.

    \b
    simulator run ford.yaml
    simulator run ford.yaml --seed 7 --log ford.jsonl --svg out/ford
    simulator run ford.yaml --log ford.jsonl --resume
    simulator run ford.yaml --html ford.html
    simulator run scenarios/ --junit report.xml

    Exit status: 0 all expectations met, 1 one was not, 2 wrong usage, 3 a faulty file, 4 a limit reached.
    """
    from simulator.cli.junit import write_junit
    from simulator.errors import SimulatorError
    from simulator.formats.peek import kind_of_file

    paths = expanded(files, lambda path: kind_of_file(path) == "scenario", "scenario")
    if resume and log is None:
        raise click.UsageError("--resume continues a log: name it with --log")
    if len(paths) > 1 and (log is not None or step):
        raise click.UsageError(f"--log and --step take one scenario, not {len(paths)}")
    require_one_on_stdout(as_json, junit, log, page)
    if resume and is_stdout(log):
        raise click.UsageError("--resume continues a log file, not standard output: name it with --log")
    if len(paths) > 1 and page.endswith((".html", ".htm")):
        raise click.UsageError(f"--html: the pages of {len(paths)} scenarios go into a folder, and {page} is not one")
    if page and len(paths) == 1:
        files_of_command().replace(page, f"--html {page}")
    if quiet and verbose:
        raise click.UsageError("--quiet and --verbose exclude each other")
    if step and (quiet or verbose):
        raise click.UsageError(f"--step shows every event: it does not go with --{'quiet' if quiet else 'verbose'}")
    is_taken = as_json or any(map(is_stdout, (junit, log, page)))
    if step and is_taken:
        other = "leave out --json" if as_json else "name a file for the other"
        raise click.UsageError(f"--step shows events on standard output, which takes only one answer: {other}")
    detail: Detail = "quiet" if quiet else "verbose" if verbose else "usual"
    settings = RunSettings(seed, options, figures, pictures, page, reach_shown(no_reach, chance, page), as_json, detail)
    settings = replace(settings, rulebooks=rulebook_files())
    if len(paths) > 1:
        outcomes = _run_files(paths, settings, jobs)
    else:
        try:
            outcomes = [_single(paths[0], settings, log, resume, step)]
        except SimulatorError as error:
            if junit is not None:
                write_junit(junit, [failed_outcome(paths[0], error)])
            raise
    if as_json:
        _print_json(outcomes)
    elif not is_taken:
        echo(_table(outcomes, quiet) if len(paths) > 1 else outcomes[0].text, nl=False)
    if junit is not None:
        write_junit(junit, outcomes)
    return max(outcome.code for outcome in outcomes)


# --- one ---


def _single(path: Path, settings: RunSettings, log: Path | None, resume: bool, step: bool) -> RunOutcome:
    """Play one scenario; if it was shown step by step, only its end remains to be printed."""
    from simulator.engine.answers import Person
    from simulator.wording import measure
    from simulator.writing import STANDARD_OUTPUT

    scenario = loaded(path, settings)
    if resume and log is not None:
        files_of_command().keep(log)  # it is read, and what is missing is appended
    person = Person(sys.stdin, CleanStream()) if step else None
    stepper = _Stepper(scenario.setting.ruleset.vocabulary) if step else None
    try:
        if log is not None and not resume:
            make_folder_of(log)
        to = STANDARD_OUTPUT if is_stdout(log) else log
        account = scenario.run(log=to, resume=resume, person=person, watch=stepper)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise cannot_write("the log on standard output" if is_stdout(log) else f"the log {log}", error) from None
    if account.dropped:
        echo(f"{named(log)}: {account.dropped}; the run continued from there", err=True)
    if log is not None and not is_stdout(log):
        echo(f"wrote {named(log)}", err=True)
    if settings.pictures:
        count = draw_account(account, Path(settings.pictures))
        echo(f"wrote {measure(count, 'picture')} to {named(settings.pictures)}", err=True)
    if settings.page:
        write_page(account.story, Path(settings.page), settings.reach, progress=True)
    outcome = outcome_of(path, account, settings.as_json, settings.detail)
    return replace(outcome, text=_end_of(account)) if step else outcome


def _end_of(account: Account) -> str:
    from simulator.formats.run_text import end_lines

    return "".join(f"{line}\n" for line in end_lines(account))


class _Stepper:
    """Shows an order line by line and waits for the enter key after each, until standard input ends."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.shown = 0
        self.waits = True
        echo("Press Enter for the next line.", err=True)

    def __call__(self, played: Played) -> None:
        """Show the new part of an order."""
        from simulator.formats.account_text import check_line, order_line, played_lines, record_lines

        happened = played.happened
        is_question = happened is not None and happened.question is not None
        if happened is None:
            lines = list(played_lines(played, self.vocabulary))
        else:
            lines = [] if self.shown else [order_line(played)]
            lines += [f"    {line}" for line in record_lines(happened, self.vocabulary, self.shown)]
            lines += [f"    {check_line(check)}" for check in played.checks]
        # If the order waits for an answer, its next part begins where this one ends.
        self.shown = len(happened.record) if happened is not None and is_question else 0
        for line in lines:
            echo(line)
            if self.waits and not is_question:
                self.waits = bool(sys.stdin.readline())


# --- several ---


def _run_files(paths: list[Path], settings: RunSettings, jobs: int | None) -> list[RunOutcome]:
    drawn = {"--svg": settings.pictures, "--html": settings.page}
    for flag, folder in drawn.items():
        if folder:
            refuse_twins(paths, flag, "draw them one by one")
    each = [
        replace(
            settings,
            pictures=settings.pictures and str(Path(settings.pictures) / path.stem),
            page=settings.page and str(Path(settings.page) / f"{path.stem}.html"),
        )
        for path in paths
    ]
    files = files_of_command()
    for path, own in zip(paths, each, strict=True):
        files.read(path)
        if own.page:
            files.replace(own.page, own.page)
    outcomes = list(_with_progress(_outcomes(paths, each, jobs), len(paths)))
    for file in dict.fromkeys(file for outcome in outcomes for file in outcome.read):
        files.read(file)
    for folder in filter(None, drawn.values()):
        echo(f"wrote to {named(folder)}", err=True)
    return outcomes


def _outcomes(paths: list[Path], settings: list[RunSettings], jobs: int | None) -> Iterator[RunOutcome]:
    if jobs == 1 or (jobs is None and len(paths) < _WORTH_WORKERS):
        yield from map(run_one, paths, settings)
        return
    from simulator.threads import cores
    from simulator.workers import shared_out

    yield from shared_out(_run_pair, list(zip(paths, settings, strict=True)), jobs or cores())


def _run_pair(pair: tuple[Path, RunSettings]) -> RunOutcome:
    put_on_shelf(file for file in pair[1].rulebooks if not is_on_shelf(file))
    read: list[str] = []
    with watched(lambda name: read.append(str(name))):
        outcome = run_one(*pair)
    return replace(outcome, read=tuple(read))


def _with_progress(outcomes: Iterator[RunOutcome], count: int) -> Iterator[RunOutcome]:
    """Show progress on stderr: a bar on a terminal, otherwise a line for each scenario."""
    if not is_watched():
        for number, outcome in enumerate(outcomes, 1):
            echo(f"{number}/{count} {named(outcome.file)}: {_verdict(outcome)}", err=True)
            yield outcome
        return
    with bar("scenarios", count) as update:
        for number, outcome in enumerate(outcomes, 1):
            update(number, None)
            yield outcome


def _verdict(outcome: RunOutcome) -> str:
    return {0: "ok", 1: "FAILED", 3: "FAULTY", 4: "TOO LARGE"}.get(outcome.code, "BUG")


def _table(outcomes: list[RunOutcome], quiet: bool) -> str:
    """Return a line for each scenario, unless `quiet`, then how many met all expectations, and the failures."""
    from simulator.wording import measure

    rows = [
        (_verdict(one), measure(one.orders, "order"), f"{one.met} of {one.count} met", named(one.file))
        for one in outcomes
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(3)]
    lines = (
        []
        if quiet
        else [
            "  ".join([*(cell.ljust(width) for cell, width in zip(row, widths, strict=False)), row[3]]) for row in rows
        ]
    )
    good = sum(outcome.code == 0 for outcome in outcomes)
    lines.append(f"{good} of {len(outcomes)} scenarios met all expectations")
    for outcome in outcomes:
        if outcome.code:
            failed = [line.strip() for line in outcome.text.splitlines() if outcome.code != 1 or "FAIL  " in line]
            lines += ["", named(outcome.file), *(f"  {line}" for line in failed)]
    return "\n".join(lines) + "\n"


def _print_json(outcomes: list[RunOutcome]) -> None:
    document = {"format": 1, "ok": not any(o.code for o in outcomes), "scenarios": [o.data for o in outcomes]}
    echo(json.dumps(document, indent=2, allow_nan=False))
