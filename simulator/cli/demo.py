"""`simulator demo`: the main job end to end, on the boards that come along."""

from __future__ import annotations

from pathlib import Path

import click

_SHOWN = ("market_square.yaml", "breakers_yard.yaml", "river_crossing.yaml")


@click.command("demo")
@click.option("--out", default="out/demo", show_default=True, type=click.Path(path_type=Path), help="Where to write.")
def command(out: Path) -> None:
    """Load one board of each kind, describe it, draw it, and name the pictures written."""
    from simulator.formats.boards import load_board
    from simulator.formats.examples import examples
    from simulator.views.board_picture import draw, ground_of

    out.mkdir(parents=True, exist_ok=True)
    written = []
    for name in _SHOWN:
        board = load_board(examples("boards") / name)
        click.echo(f"{board.name} ({board.kind}): {ground_of(board).size_in_words()}, hash {board.content_hash}")
        picture = out / f"{Path(name).stem}.svg"
        picture.write_text(draw(board), encoding="utf-8")
        written.append(picture)
    click.echo("\nPictures:")
    for picture in written:
        click.echo(f"  {picture}")
