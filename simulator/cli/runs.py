"""One run of a scenario file by a command or a worker: its output, its data and its exit code."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from simulator.cli.files import write_file, write_in_folder

if TYPE_CHECKING:
    from simulator.engine.state import State
    from simulator.engine.story import Story
    from simulator.errors import SimulatorError
    from simulator.formats.accounts import Account, Check
    from simulator.formats.run_text import Detail
    from simulator.formats.scenario import Scenario
    from simulator.views.replay import Shown


@dataclass(frozen=True)
class RunSettings:
    """The settings of the command line for every scenario it runs."""

    seed: int | None = None
    options: tuple[tuple[str, str], ...] = ()
    #: Figures of the tables by path.
    figures: tuple[tuple[str, Any], ...] = ()
    #: The folder for pictures; empty for none.
    pictures: str = ""
    #: The file for the replay page; empty for none.
    page: str = ""
    #: How the page shows the units' reach.
    reach: Shown = "cost"
    #: Whether the outcome is printed as JSON.
    as_json: bool = False
    #: How much is printed about one scenario.
    detail: Detail = "usual"
    #: The files of rulebooks that are no packages: a worker puts them on its own shelf.
    rulebooks: tuple[str, ...] = ()


@dataclass(frozen=True)
class RunOutcome:
    """The outcome of one file."""

    file: str
    code: int
    text: str
    data: dict[str, Any] = field(default_factory=dict)
    orders: int = 0
    met: int = 0
    count: int = 0
    #: The names of the scenario and of its rulebook.
    name: str = ""
    ruleset: str = ""
    #: The expectations not met, one line each.
    failures: tuple[str, ...] = ()
    #: The files that were read, if a worker read them.
    read: tuple[str, ...] = ()


def reach_shown(no_reach: bool, chance: bool, page: object) -> Shown:
    """Return how a page shows reach; wrong usage is asking for none and for chances together, and either of no page."""
    if no_reach and chance:
        raise click.UsageError("--no-reach and --chance exclude each other")
    if (no_reach or chance) and not page:
        raise click.UsageError(f"--{'chance' if chance else 'no-reach'} is about the page: name it with --html")
    return "nothing" if no_reach else "chance" if chance else "cost"


def figure_pairs(context: click.Context, parameter: click.Parameter, texts: tuple[str, ...]) -> Any:
    """Parse `--table PATH=VALUE`: a number, a word, or a list such as `[1, 2]`, written as in a scenario."""
    from simulator.formats.figure_text import figure_of_text

    pairs = option_pairs(context, parameter, texts)
    try:
        return tuple((path, figure_of_text(text)) for path, text in pairs)
    except ValueError as error:
        raise click.BadParameter(str(error)) from None


def option_pairs(_context: click.Context, _parameter: click.Parameter, texts: tuple[str, ...]) -> Any:
    """Parse `--option NAME=VALUE`, repeated any number of times, each name with one value."""
    pairs: dict[str, str] = {}
    for text in texts:
        name, sign, value = text.partition("=")
        if not (name and sign):
            raise click.BadParameter(f"must be NAME=VALUE, not {text!r}")
        if pairs.setdefault(name, value) != value:
            raise click.BadParameter(f"{name} is set twice, to {pairs[name]} and to {value}")
    return tuple(pairs.items())


def loaded(path: Path, settings: RunSettings) -> Scenario:
    """Load a scenario with the options, the figures and the seed of the command line."""
    from simulator.engine.errors import OptionError
    from simulator.formats.scenarios import load_scenario

    scenario = load_scenario(path).with_seed(settings.seed)
    hint = "--option"
    try:
        scenario = scenario.with_options(dict(settings.options)) if settings.options else scenario
        hint = "--table"
        return scenario.with_figures(dict(settings.figures)) if settings.figures else scenario
    except OptionError as error:
        raise click.BadParameter(f"{error} ({scenario.setting.ruleset.name})", param_hint=hint) from None


def outcome_of(path: Path, account: Account, as_json: bool = True, detail: Detail = "usual") -> RunOutcome:
    """Summarise an account."""
    from simulator.formats.account_text import account_data
    from simulator.formats.run_text import run_text

    count = len(account.checks)
    return RunOutcome(
        str(path),
        0 if account.ok else 1,
        run_text(account, detail),
        {"file": str(path), **account_data(account)} if as_json else {},
        sum(bool(played.order) for played in account.played),
        count - len(account.failures),
        count,
        account.scenario.name,
        account.scenario.setting.ruleset.name,
        tuple(_failure_line(check) for check in account.failures),
    )


def _failure_line(check: Check) -> str:
    from simulator.wording import visible

    return visible(f"{check}" + (f" (line {check.line})" if check.line else ""))


def run_one(path: Path, settings: RunSettings) -> RunOutcome:
    """Run one file of many: an error in it becomes its outcome, so that the others continue."""
    from simulator.errors import SimulatorError

    try:
        account = loaded(path, settings).run()
        if settings.pictures:
            draw_account(account, Path(settings.pictures))
        if settings.page:
            write_page(account.story, Path(settings.page), settings.reach, quiet=True)
        return outcome_of(path, account, settings.as_json)
    except click.ClickException:
        raise
    except SimulatorError as error:
        return failed_outcome(path, error)


def failed_outcome(path: Path, error: SimulatorError) -> RunOutcome:
    """Summarise a file that could not be played."""
    from simulator.errors import FileError

    data: dict[str, Any] = {"error": str(error)}
    if isinstance(error, FileError):
        names = ("file", "line", "column", "path", "message")
        data = {"faults": [{name: getattr(fault, name) for name in names} for fault in error.faults]}
    return RunOutcome(str(path), error.exit_code, str(error), {"file": str(path), "ok": False, **data})


def write_page(story: Story, file: Path, reach: Shown = "cost", *, progress: bool = False, quiet: bool = False) -> None:
    """Write the replay page of a story; with `progress`, show the progress of the units' reach on a terminal."""
    from simulator.formats.rulebooks import register_of
    from simulator.views.replay import replay_page

    register = register_of(story.setting.ruleset)
    watch = {"watch": _watched} if progress else {}
    page = replay_page(story, register=register, reach=reach, tell=None if quiet else _echo_note, **watch)
    write_file(file, page.encode(), quiet=quiet)


def _echo_note(note: str) -> None:
    from simulator.cli.terminal import echo

    echo(note, err=True)


def _watched(states: Iterable[State], count: int) -> Iterable[State]:
    from simulator.cli.terminal import tracked

    return tracked(states, "reach", count)


def draw_account(account: Account, folder: Path) -> int:
    """Draw the opening and the table after every order carried out; return the number of pictures."""
    return write_in_folder(folder, _pictures(account), quiet=True)


def _pictures(account: Account) -> Iterator[tuple[str, bytes]]:
    from simulator.engine.table import Table
    from simulator.formats.account_text import visible
    from simulator.views.state_picture import draw_state

    setting = account.scenario.setting
    before = account.scenario.opening()
    for number, played in enumerate(played for played in account.played if played.happened is not None):
        happened = played.happened
        assert happened is not None
        title = f"{account.scenario.name}: {played.order}".removeprefix(": ")
        table = Table(setting, happened.state)
        picture = draw_state(table, before=before, events=happened.events, title=visible(title))
        yield f"{number:03d}.svg", picture.encode()
        before = happened.state
