"""Pictures of reach and routes: bands of cost over the board, the ways on top."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from simulator.engine.reach import ReachAnswer
from simulator.pathing.reach import Reach
from simulator.pathing.route import Route
from simulator.views.board_picture import draw
from simulator.views.overlays import Band, Looks, Overlays, RouteLine, UnitMark
from simulator.wording import measure


def draw_reach(
    reach: Reach, *, routes: Sequence[Route[tuple[int, int]]] = (), headings: bool = False, title: str | None = None
) -> str:
    """Draw where the unit may end, shaded by cost, its start, and the ways asked for.

    `headings` marks at every end how the unit may look there; they have to be degrees.
    """
    _, rows, columns, _ = (axis.tolist() for axis in reach.costs.seeds.arrays)
    starts = [reach.board.place_at(row, column) for row, column in zip(rows, columns, strict=True)]
    overlays = Overlays(
        bands=cost_bands(reach),
        looks=looks(reach) if headings else (),
        routes=[RouteLine(route.points, measure(route.cost, route.unit)) for route in routes],
        units=[UnitMark(*reach.board.centre(place), "", radius=0.3) for place in dict.fromkeys(starts)],
    )
    return draw(reach.board, overlays, title=title)


def draw_route(route: Route[tuple[int, int]], *, title: str | None = None) -> str:
    """Draw a way over its board."""
    line = RouteLine(route.points, measure(route.cost, route.unit))
    return draw(route.board, Overlays(routes=[line]), title=title)


def cost_bands(reach: Reach) -> list[Band]:
    """Give the ground by cost, light to dark, each band named by the costs it holds."""
    bands = reach.bands()
    named = []
    for number, (level, region) in enumerate(bands):
        words = measure(level, reach.unit)
        if number:
            words = f"over {bands[number - 1][0]} to {words}"
        named.append(Band(region, words, number / max(1, len(bands) - 1)))
    return named


def chance_bands(answer: ReachAnswer, levels: Sequence[Fraction] | None = None) -> list[Band]:
    """Give the ground by the best chance of ending there, the surest darkest, each band named by the least it has."""
    bands = answer.chance_bands(levels)
    return [
        Band(region, "certain" if level == 1 else f"{level} ({float(level):.0%}) or more", 1 - number / len(bands))
        for number, (level, region) in enumerate(bands)
    ]


def looks(reach: Reach) -> list[Looks]:
    """Give for every end the headings, in degrees, that the unit may have there."""
    headings: dict[tuple[int, int], set[float]] = {}
    for end in reach.ends:
        if isinstance(end.heading, float | int):
            headings.setdefault(end.place, set()).add(float(end.heading))
    return [Looks(*reach.board.centre(place), sorted(found)) for place, found in headings.items()]
