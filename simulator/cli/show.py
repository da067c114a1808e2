"""`simulator show`: a board in words, or as a picture."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("show")
@click.argument("board", type=click.Path(path_type=Path))
@click.option("--svg", "svg_file", metavar="FILE", help="Write the picture as SVG; - is standard output.")
@click.option("--png", "png_file", metavar="FILE", help="Write the picture as PNG; - is standard output.")
@click.option("--width", default=1000, show_default=True, type=click.IntRange(200, 8000), help="Width in pixels.")
def command(board: Path, svg_file: str | None, png_file: str | None, width: int) -> None:
    """Describe BOARD in words, or draw it.

    \b
    simulator show boards/market_square.yaml
    simulator show boards/river_crossing.yaml --svg river.svg --png river.png
    """
    from simulator.cli.files import write_file
    from simulator.formats.boards import load_board
    from simulator.views.board_picture import draw, ground_of
    from simulator.views.png import png_bytes

    loaded = load_board(board)
    if not svg_file and not png_file:
        click.echo(f"{loaded.name}: {ground_of(loaded).size_in_words()}")
        if loaded.description:
            click.echo(loaded.description)
        for entry in ground_of(loaded).legend():
            click.echo(f"  {entry.label}")
        for zone in ground_of(loaded).zones():
            click.echo(f"  area {zone.name}" + (f" ({zone.side})" if zone.side else ""))
        click.echo(f"hash {loaded.content_hash}")
        return
    picture = draw(loaded, width_px=width)
    if svg_file:
        write_file(svg_file, picture.encode())
    if png_file:
        write_file(png_file, png_bytes(picture))
