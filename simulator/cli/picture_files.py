"""Pictures as files: the options that request them, for a light or a dark page, and how they are written."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from simulator.cli.files import write_file
from simulator.cli.outputs import OutputFile

Command = TypeVar("Command", bound=Callable[..., Any])

PICTURES = (
    click.option(
        "--svg", "svg_file", type=OutputFile(), metavar="FILE", help="Write the picture as SVG; - is standard output."
    ),
    click.option(
        "--png", "png_file", type=OutputFile(), metavar="FILE", help="Write the picture as PNG; - is standard output."
    ),
    click.option("--dark", is_flag=True, help="Draw the picture for a dark page."),
)


def picture_options(command: Command) -> Command:
    """Add the options that request pictures."""
    for option in reversed(PICTURES):
        command = option(command)
    return command


def write_pictures(picture: str, svg_file: str | None, png_file: str | None, dark: bool) -> None:
    """Write a picture, the text of an SVG file, in the requested forms."""
    if dark:
        from simulator.views.dark import in_the_dark

        picture = in_the_dark(picture)
    pixels = b""
    if png_file:
        from simulator.views.png import png_bytes

        pixels = png_bytes(picture)  # first, so that nothing is written if it cannot be made
    if svg_file:
        write_file(svg_file, picture.encode())
    if png_file:
        write_file(png_file, pixels)
