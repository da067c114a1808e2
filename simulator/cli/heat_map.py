"""`simulator heat-map`: a file of `simulator reach-map` as a picture and in a few lines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from simulator.cli.asking import Output, WithPlaces, picture_output

if TYPE_CHECKING:
    from simulator.sweeps.reach_map_file import ReachMap


@click.command("heat-map", cls=WithPlaces)
@click.argument("file", type=click.Path(path_type=Path), metavar="FILE.npz")
@click.option(
    "--show",
    type=click.Choice(["reached-from", "ground", "median"]),
    default="reached-from",
    show_default=True,
    help="What the picture shows for each place.",
)
@click.option("--from", "start", metavar="PLACE", help="Show instead what each place costs from this start.")
@picture_output
def command(file: Path, show: str, start: str | None, output: Output) -> int:
    """Sum up and draw a file of `simulator reach-map`.

    The picture shows for each place from how many starts it can be reached, how much ground a unit gets to that starts
    there, or what half of its ends cost at most. If it may start in a place with several headings or on several levels,
    the one that gets farthest counts. With --from it shows what each place costs from one start: "3,4", or if there are
    several "3,4 facing 60 level 1".

    \b
    simulator heat-map kit.npz
    simulator heat-map kit.npz --svg reached.svg
    simulator heat-map kit.npz --show ground --svg ground.svg --dark
    simulator heat-map kit.npz --from 9,8 --svg costs.svg

    Exit status: 0 answered, 2 wrong usage, 3 the file is no reach map.
    """
    from simulator.sweeps.reach_map_file import ReachMap
    from simulator.sweeps.reach_map_picture import draw_costs, draw_map
    from simulator.sweeps.reach_map_text import map_data, map_lines

    is_chosen = click.get_current_context().get_parameter_source("show") is not ParameterSource.DEFAULT
    if start is not None and is_chosen:
        raise click.UsageError(f"--from shows what each place costs from there: it does not go with --show {show}")
    found = ReachMap.read(file)
    if start is None:
        output.draw(lambda: draw_map(found, show))
    else:
        starts = _starts(found, start.strip())
        output.draw(lambda: draw_costs(found, starts, start.strip()))
    output.report(lambda: map_lines(found), lambda: map_data(found))
    return 0


def _starts(found: ReachMap, text: str) -> list[int]:
    """Return the numbers of the starts that are written so: of a place alone, all there."""
    from simulator.geometry.poses import place_part
    from simulator.sweeps.reach_map_text import start_text, starts_in
    from simulator.wording import did_you_mean

    if not found.has_costs:
        raise click.UsageError("--from needs the costs: the map was made with --summary")
    there = starts_in(found, place_part(text))
    if text == place_part(text):
        chosen = there
    else:
        chosen = [number for number in there if start_text(found, number) == text]
    if not chosen:
        known = [start_text(found, number) for number in there]
        hint = f"; {did_you_mean(text, known)}" if known else ": it may not stand there"
        raise click.UsageError(f"there is no start {text}{hint}")
    return chosen
