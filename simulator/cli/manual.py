"""The manual of the command line, made from what each command says of itself: `make cli-docs`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from simulator.cli import cli
from simulator.cli.files import write_file

PAGE = Path(__file__).resolve().parents[2] / "docs" / "command_line.md"

_HEAD = """\
# The command line

What `simulator COMMAND --help` says, command by command. This page is made from it by `make cli-docs`.

The answer is on standard output, progress and errors on standard error. With `--json` the answer is one document that
says `"format": 1`. `-` as the name of a file to write means standard output, and nothing else is printed there then.

A file is written as a whole or, where the disk is full, stays as it was; a device or a pipe is written to. Only regular
files are read. Names that hold control characters or marks of direction are shown as escapes; JSON holds them exactly.

| exit status | means |
|---|---|
| 0 | yes: answered, legal, in reach, as expected |
| 1 | the rules say no, or something did not come as expected |
| 2 | wrong usage, reported with what would be right; or an output cannot be written |
| 3 | a faulty file: every fault with its line |
| 4 | a stated limit is reached |
| 70 | our bug |
| 130 | interrupted by Ctrl-C |

Where the reader of standard output has left (`simulator rules | head`), the program ends quietly with 0.
"""


def manual() -> str:
    """Write the page."""
    return "\n".join([_HEAD, *_sections()])


def commands() -> Iterator[tuple[str, click.Context]]:
    """Yield every command by name, with a context that fixes the width of its help."""
    outer = click.Context(cli, info_name="simulator", terminal_width=100, max_content_width=100)
    yield "", outer
    for name in cli.list_commands(outer):
        command = cli.get_command(outer, name)
        assert command is not None  # it is in the list
        yield name, click.Context(command, outer, name, terminal_width=100, max_content_width=100)


def examples(help_text: str) -> Iterator[str]:
    """Yield the command lines that a help shows as examples, what is explained behind them left out."""
    for line in help_text.splitlines():
        if line.strip().startswith("simulator "):
            yield line.strip().partition("   ")[0].strip()


def _sections() -> Iterator[str]:
    for name, context in commands():
        title = f"## simulator {name}" if name else "## simulator"
        lines = [line.rstrip() for line in context.get_help().splitlines()]
        yield "\n".join([title, "", "```text", *lines, "```", ""])


if __name__ == "__main__":
    write_file(PAGE, manual().encode())
