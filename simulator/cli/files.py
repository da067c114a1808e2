"""Writing what a command was asked to write."""

from __future__ import annotations

import sys
from pathlib import Path

import click


def want_one_on_stdout(as_json: bool, *names: object) -> None:
    """Refuse two answers on standard output: whoever reads it could not tell them apart."""
    if as_json + [str(name) for name in names].count("-") > 1:
        raise click.UsageError("only one answer fits on standard output: give the others the names of files")


def write_file(name: str, content: bytes) -> None:
    """Write a file and say so on standard error; `-` is standard output."""
    if name == "-":
        sys.stdout.buffer.write(content)
        return
    try:
        Path(name).write_bytes(content)
    except OSError as error:
        raise click.ClickException(f"cannot write {name}: {error.strerror}") from None
    click.echo(f"wrote {name}", err=True)
