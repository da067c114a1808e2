"""`simulator demo`: the main job end to end, on the boards that come along."""

from __future__ import annotations

from pathlib import Path

import click

_SHOWN = ("market_square.yaml", "breakers_yard.yaml", "river_crossing.yaml")


@click.command("demo")
@click.option("--out", default="out/demo", show_default=True, type=click.Path(path_type=Path), help="Where to write.")
def command(out: Path) -> None:
    """Load and draw one board of each kind, find where a walker can get to, and name the pictures written."""
    from simulator.cli.places import load_lattice
    from simulator.formats.boards import load_board
    from simulator.formats.examples import examples
    from simulator.pathing.plain import plain_space
    from simulator.pathing.reach import reach
    from simulator.views.board_picture import draw, ground_of
    from simulator.views.reach_picture import draw_reach
    from simulator.wording import measure

    out.mkdir(parents=True, exist_ok=True)
    written = []
    for name in _SHOWN:
        board = load_board(examples("boards") / name)
        click.echo(f"{board.name} ({board.kind}): {ground_of(board).size_in_words()}, hash {board.content_hash}")
        picture = out / f"{Path(name).stem}.svg"
        picture.write_text(draw(board), encoding="utf-8")
        written.append(picture)
    square = load_lattice(str(examples("boards") / "market_square.yaml"))
    answer = reach(square, plain_space(square, starts=[(9, 8)], budget=8))
    way = answer.route_to((11, 14))
    click.echo(f"\nA walker at 9,8 with 8 steps gets to {measure(len(answer), 'place')}. To the workshop:\n{way}")
    picture = out / "reach.svg"
    picture.write_text(draw_reach(answer, routes=[way], title="Reach of a walker, 8 steps"), encoding="utf-8")
    written.append(picture)
    click.echo("\nPictures:")
    for picture in written:
        click.echo(f"  {picture}")
