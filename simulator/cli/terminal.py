"""The one module that prints. Names come from files and elsewhere, so nothing in them may act on a terminal.

All text is printed by `echo`, line by line: control characters, direction marks and characters without a width are
escaped. Documents for programs (JSON, pictures) are written by `files`.
"""

from __future__ import annotations

import io
import os
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

import click

from simulator.wording import visible

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")
#: Reports progress: the amount done, and the total if it has changed.
Update = Callable[[int, int | None], None]


def cannot_write(name: object, error: OSError) -> click.ClickException:
    """Return a one-line error: a requested file cannot be written."""
    return click.ClickException(f"cannot write {named(name)}: {error.strerror or error}")


def cleaned(text: str) -> str:
    """Return a text with all invisible characters escaped, except line ends.

    >>> cleaned("a\\x1b]0;b\\x07\\nc")
    'a\\\\x1b]0;b\\\\x07\\nc'
    """
    return "\n".join(visible(line) for line in text.split("\n"))


def named(file: object) -> str:
    """Return the name of a file for use within a line, with line ends escaped too."""
    return visible(str(file))


def echo(text: str = "", *, err: bool = False, nl: bool = True, bold: bool = False) -> None:
    """Print a text on standard output, or on standard error; its line ends are kept."""
    shown = cleaned(text)
    shown = click.style(shown, bold=True) if bold else shown
    if err:
        with suppress(OSError):  # standard error is full or closed: nowhere left to report it
            click.echo(shown, nl=nl, err=True)
        return
    if sys.stdout is None:
        raise cannot_write("standard output", OSError("it is closed"))
    try:
        click.echo(shown, nl=nl)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise cannot_write("standard output", error) from None


def escape_unencodable() -> None:
    """Print characters that the terminal's encoding lacks as escapes instead of failing."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def discard_stdout() -> None:
    """Discard all remaining output: it has no reader, or cannot be written."""
    with suppress(OSError, ValueError, AttributeError):  # it may be closed, or not be a file
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


class CleanStream(io.TextIOBase):
    """Standard error as a stream for parts of lines, such as questions to a person at the table."""

    def write(self, text: str) -> int:
        """Print a text, cleaned."""
        echo(text, err=True, nl=False)
        return len(text)


# --- progress ---


def is_watched() -> bool:
    """Return whether progress is visible: standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def show_line(text: str) -> None:
    """Show a line on standard error, replacing the previous one."""
    with suppress(OSError):
        sys.stderr.write(f"\r{visible(text)}")
        sys.stderr.flush()


def wipe_line() -> None:
    """Erase the line of `show_line`."""
    with suppress(OSError):
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


@contextmanager
def bar(what: str, total: int | None = None) -> Iterator[Update]:
    """Show a progress bar on a terminal, removed at the end."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = _console(err=True)
    columns = (TextColumn(visible(what), markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=total)

        def update(done: int, of: int | None = None) -> None:
            progress.update(task, completed=done, total=of)

        yield update


def tracked(things: Iterable[T], what: str, total: int) -> Iterator[T]:
    """Yield one thing after another, with a progress bar on a terminal."""
    with bar(what, total) as update:
        for number, thing in enumerate(things):
            update(number, None)
            yield thing


def print_table(headings: Sequence[str], rows: Iterable[Sequence[str]], left: int) -> None:
    """Print a table; the first `left` columns are text, the others figures."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for number, heading in enumerate(headings):
        table.add_column(heading, justify="left" if number < left else "right")
    for row in rows:
        table.add_row(*(Text(visible(cell)) for cell in row))
    try:
        _console(err=False).print(table)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise cannot_write("standard output", error) from None


# --- colour ---


def is_on_terminal() -> bool:
    """Return whether standard output is a terminal."""
    return sys.stdout is not None and sys.stdout.isatty()


def is_coloured() -> bool:
    """Return whether standard output shows colour: a terminal, and the user has not turned colour off (NO_COLOR)."""
    return is_on_terminal() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def terminal_width() -> int:
    """Return the columns of the terminal; of a pipe 80, so that the same is printed everywhere."""
    if not is_on_terminal():
        return 80
    return max(20, shutil.get_terminal_size((80, 24)).columns)


def print_spans(spans: Iterable[tuple[str, str, str]]) -> None:
    """Print a line of texts, each with its colour and the colour behind it; "" is that of the terminal."""
    if not is_coloured():
        echo("".join(text for text, _, _ in spans).rstrip())
        return
    from rich.text import Text

    line = Text(no_wrap=True)
    for text, ink, paper in spans:
        line.append(visible(text), style=" ".join(filter(None, [ink, f"on {paper}" if paper else ""])))
    try:
        _console(err=False).print(line, crop=False)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise cannot_write("standard output", error) from None


def _console(err: bool) -> Console:
    from rich.console import Console

    return Console(stderr=err)
