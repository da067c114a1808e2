"""The one place that prints. Names come from files and from elsewhere: nothing in them reaches a terminal as a command.

Whatever is printed goes through `say`, line by line: control characters, marks of direction and characters without a
width are written as escapes. Documents for programs (JSON, pictures) are written by `files`.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, TypeVar

import click

from simulator.wording import visible

if TYPE_CHECKING:
    from rich.console import Console

T = TypeVar("T")
#: How far something is: how much is done, and of how much where that has changed.
Update = Callable[[int, int | None], None]


def cannot_write(name: object, error: OSError) -> click.ClickException:
    """Report in one line that a requested file cannot be written."""
    return click.ClickException(f"cannot write {named(name)}: {error.strerror or error}")


def cleaned(text: str) -> str:
    """Return a text as it can be shown: what is no visible character is escaped, line ends stay.

    >>> cleaned("a\\x1b]0;b\\x07\\nc")
    'a\\\\x1b]0;b\\\\x07\\nc'
    """
    return "\n".join(visible(line) for line in text.split("\n"))


def named(file: object) -> str:
    """Return the name of a file as a part of a line: a line end in it is escaped as well."""
    return visible(str(file))


def say(text: str = "", *, err: bool = False, nl: bool = True, bold: bool = False) -> None:
    """Print a text on standard output, or on standard error; the lines of it stay lines."""
    shown = cleaned(text)
    shown = click.style(shown, bold=True) if bold else shown
    if err:
        with suppress(OSError):  # a standard error that is full or closed: there is nowhere left to tell it
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


def let_odd_characters_through() -> None:
    """Have characters that the terminal's encoding lacks printed as escapes; they are no reason to fail."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")


def give_up_stdout() -> None:
    """Let whatever is still to be printed go nowhere: nobody reads it, or it can not be taken."""
    with suppress(OSError, ValueError, AttributeError):  # it may be closed, or be no file at all
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stdout.fileno())
        os.close(nowhere)


class CleanStream(io.TextIOBase):
    """Standard error as a stream for those who write parts of lines: a person who is asked at the table."""

    def write(self, text: str) -> int:
        """Print it cleaned."""
        say(text, err=True, nl=False)
        return len(text)


# --- how far it is ---


def is_watched() -> bool:
    """Whether somebody sees how far it is: standard error is a terminal."""
    return sys.stderr is not None and sys.stderr.isatty()


def show_line(text: str) -> None:
    """Show a line on standard error in the place of the one before."""
    with suppress(OSError):
        sys.stderr.write(f"\r{visible(text)}")
        sys.stderr.flush()


def wipe_line() -> None:
    """Take away what `show_line` showed."""
    with suppress(OSError):
        sys.stderr.write("\r\x1b[K")
        sys.stderr.flush()


@contextmanager
def bar(what: str, total: int | None = None) -> Iterator[Update]:
    """Show on a terminal how far something is; nothing of it stays."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = _console(err=True)
    columns = (TextColumn(visible(what), markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=total)

        def update(done: int, of: int | None = None) -> None:
            progress.update(task, completed=done, total=of)

        yield update


def tracked(things: Iterable[T], what: str, total: int) -> Iterator[T]:
    """Yield one thing after the other and show on a terminal how far it is."""
    with bar(what, total) as update:
        for number, thing in enumerate(things):
            update(number, None)
            yield thing


def say_table(headings: Sequence[str], rows: Iterable[Sequence[str]], left: int) -> None:
    """Print a table; the first `left` columns are texts, the others figures."""
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


def _console(err: bool) -> Console:
    from rich.console import Console

    return Console(stderr=err)
