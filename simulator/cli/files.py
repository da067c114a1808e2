"""Writing what a command was asked to write."""

from __future__ import annotations

import sys
from pathlib import Path

import click


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
