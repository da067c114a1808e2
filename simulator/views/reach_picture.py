"""Pictures of reach: bands of cost or chance over the board, the certain ground, ways and possible interruptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, Literal

from shapely.geometry.base import BaseGeometry

from simulator.engine.area_so_far import AreaSoFar
from simulator.engine.areas import extent, ground_text, seen, with_ground
from simulator.engine.comparison import Comparison
from simulator.engine.foresight import Foreseen, Interruption, otherwise_text
from simulator.engine.plays import Ending
from simulator.engine.reach import ReachAnswer
from simulator.engine.reverse_reach import ReverseReach, ReverseStarts
from simulator.engine.state import State
from simulator.engine.table import Table
from simulator.engine.threats import ThreatMap
from simulator.engine.values import show
from simulator.geometry.board import Board
from simulator.geometry.paths import Path
from simulator.geometry.pieces import XY
from simulator.geometry.poses import Pose
from simulator.geometry.shapes import joined
from simulator.pathing.reach import Reach
from simulator.pathing.route import Route
from simulator.views.board_picture import draw
from simulator.views.overlays import Band, Looks, Outline, Overlays, RouteLine, Spot, UnitMark
from simulator.views.palette import chance_colour
from simulator.views.state_picture import fire_arc_rims, named_marks, ways_gone
from simulator.wording import chance_text, measure

#: The meaning of the bands of a picture.
Shading = Literal["cost", "chance"]

_CERTAIN = "#1d4d3a"
#: The shade of ground that is within reach while its costs are not known.
_KNOWN = 0.5
#: Ground that is gained, lost, dearer, cheaper, and what stays as it was.
_CHANGES = {"gained": "#4f9b5a", "lost": "#c2604f", "dearer": "#d9a441", "cheaper": "#5b8fc9"}
_SAME = "#d8d3c6"
#: The ways after a failed test begin where it was made, not where units stood before the orders.
_NOBODY = State.of(())


def draw_reach(
    reach: Reach, *, routes: Sequence[Route[tuple[int, int]]] = (), headings: bool = False, title: str | None = None
) -> str:
    """Draw where the unit may end, shaded by cost, its start, and the requested ways.

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


def draw_way_reach(
    board: Board[Any],
    starts: Sequence[XY],
    radius: float,
    bands: Sequence[tuple[float, BaseGeometry]],
    ways: Sequence[Path] = (),
    *,
    title: str | None = None,
) -> str:
    """Draw where a round base may end on a table, in bands of length, its starts, and ways."""
    unit = board.scale[1]
    words = length_labels([level for level, _ in bands], unit)
    overlays = Overlays(
        bands=[
            Band(seen(shape), label, number / max(1, len(bands) - 1))
            for number, (label, (_, shape)) in enumerate(zip(words, bands, strict=True))
        ],
        routes=[RouteLine(way.points().tolist(), measure(round(way.length, 2), unit)) for way in ways],
        units=[UnitMark(*start, "", radius=radius) for start in starts],
    )
    return draw(board, overlays, title=title)


def draw_route(route: Route[tuple[int, int]], *, title: str | None = None) -> str:
    """Draw a way over its board."""
    line = RouteLine(route.points, measure(route.cost, route.unit))
    return draw(route.board, Overlays(routes=[line]), title=title)


def draw_answer(
    table: Table[Any],
    answer: ReachAnswer,
    *,
    shade: Shading = "cost",
    certain: bool = True,
    routes: Sequence[RouteLine] = (),
    foreseen: Foreseen | None = None,
    goal: Any = None,
    title: str | None = None,
) -> str:
    """Draw where a unit may end: bands of cost with the rim of what is certain, or bands of chance; units and ways.

    With the orders of a way `foreseen`, the places where they can be interrupted are marked, and those where they end
    if tests fail, each with its chance. Of a pose that is the `goal` the heading is shown.
    """
    overlays = answer_overlays(table, answer, shade, certain, routes, foreseen, goal)
    return draw(table.board, overlays, title=title or f"{answer.mover.id}: {answer.action.replace('_', ' ')}")


def answer_overlays(
    table: Table[Any],
    answer: ReachAnswer,
    shade: Shading = "cost",
    certain: bool = True,
    routes: Sequence[RouteLine] = (),
    foreseen: Foreseen | None = None,
    goal: Any = None,
) -> Overlays:
    """Return what `draw_answer` lays over the board."""
    return Overlays(
        bands=cost_bands(answer) if shade == "cost" else chance_bands(answer),
        outlines=[
            *(certain_outline(table.board, answer) if certain and shade == "cost" else ()),
            *fire_arc_rims(table, against=answer.mover.side),
        ],
        looks=goal_look(table.board, goal),
        looks_label=goal.state_text.strip() if isinstance(goal, Pose) else "",
        routes=[*routes, *failed_ways(foreseen)] if foreseen else routes,
        units=named_marks(table, answer.mover.id),
        spots=foreseen_spots(foreseen) if foreseen else (),
        heading=f"{'least cost' if shade == 'cost' else 'best chance'} to end there",
    )


def draw_so_far(table: Table[Any], so_far: AreaSoFar, *, title: str | None = None) -> str:
    """Draw what is known of where a unit can end, and hatched the ground of which it is not known yet."""
    answer = so_far.answer
    text = title or f"{answer.mover.id}: {answer.action.replace('_', ' ')}"
    return draw(table.board, so_far_overlays(table, so_far), title=text)


def so_far_overlays(table: Table[Any], so_far: AreaSoFar) -> Overlays:
    """Return what `draw_so_far` lays over the board."""
    return Overlays(
        bands=so_far_bands(so_far),
        outlines=fire_arc_rims(table, against=so_far.answer.mover.side),
        units=named_marks(table, so_far.answer.mover.id),
        heading="what is known by now" if not so_far.is_whole else "where it can end",
    )


def draw_foreseen(foreseen: Foreseen, *, routes: Sequence[RouteLine] = (), title: str | None = None) -> str:
    """Draw what orders would do: the ways gone, where they can be interrupted, and where they end if tests fail."""
    table = foreseen.table
    overlays = Overlays(
        routes=[*(routes or ways_of(foreseen)), *failed_ways(foreseen)],
        units=named_marks(table),
        outlines=fire_arc_rims(table, against=table.unit(foreseen.unit).side if foreseen.unit else ""),
        spots=foreseen_spots(foreseen),
    )
    return draw(table.board, overlays, title=title)


def draw_threats(threats: ThreatMap, *, title: str | None = None) -> str:
    """Draw where how many units of a side can end."""
    levels = threats.exactly
    bands = [
        Band(area, measure(count, "unit"), (number + 0.5) / len(levels)) for number, (count, area) in enumerate(levels)
    ]
    units = named_marks(threats.table)
    overlays = Overlays(bands=bands, units=units, heading="units that can end there")
    return draw(threats.board, overlays, title=title or f"Where {threats.side} can end")


def draw_reverse(answer: ReverseReach, *, title: str | None = None) -> str:
    """Draw from where a unit could get to a place, in bands of cost, and the place."""
    goal = Pose.of(answer.goal)
    x, y = answer.board.centre(goal.place)
    overlays = Overlays(
        bands=[] if answer.starts is None else cost_bands(answer.starts),
        units=named_marks(answer.table, answer.mover.id),
        spots=[Spot(x, y, 1, f"to {goal}", answer.mover.side)],
        heading="least cost from there",
    )
    text = f"{answer.mover.id} to {goal}: {answer.action.replace('_', ' ')}"
    return draw(answer.board, overlays, title=title or text)


def draw_comparison(comparison: Comparison, *, title: str | None = None) -> str:
    """Draw what two sets of options change: ground gained and lost, dearer and cheaper, and the rim of both areas."""
    board = comparison.board
    bands = comparison_bands(comparison)
    mover = comparison.after.mover.id
    text = ", ".join(f"{option.name}={option.after}" for option in comparison.changes)
    rims = [Outline(comparison.before.area, "reach before", "#6b655c", "6 4")]
    overlays = Overlays(bands, outlines=rims, units=named_marks(comparison.table, mover), heading="what changes")
    return draw(board, overlays, title=title or f"{mover} with {text or 'the same options'}")


# --- what lies on them ---


def comparison_bands(comparison: Comparison) -> list[Band]:
    """Return the ground of two answers: kept, gained, lost, dearer and cheaper."""
    changed = {word: getattr(comparison, word) for word in _CHANGES}
    return [Band(comparison.kept, "as before", colour=_SAME)] + [
        Band(seen(area), f"{word}: {text}", colour=_CHANGES[word])
        for word, area in changed.items()
        if (text := ground_text(comparison.board, area))
    ]


def cost_bands(answer: ReverseStarts) -> list[Band]:
    """Return the ground by cost, light to dark, each band named by the costs it holds."""
    bands = [(level, seen(region)) for level, region in with_ground(answer.bands())]
    # The costs that occur are known on a lattice; elsewhere whole ones are taken to follow one another.
    costs = [cost for cost, _ in answer.counts()] if isinstance(answer, Reach) else None
    named, below = [], None
    for number, (level, region) in enumerate(bands):
        words = measure(level, answer.unit)
        if costs is not None:
            least = next(cost for cost in costs if below is None or cost > below)
            words = words if least == level else f"{show(least)} to {words}"
        elif below is not None and level - below != 1:
            words = f"over {show(below)} to {words}"
        named.append(Band(region, words, number / max(1, len(bands) - 1)))
        below = level
    return named


def so_far_bands(so_far: AreaSoFar) -> list[Band]:
    """Return the ground that is known to be within reach, and the ground of which it is not known yet."""
    known, unknown = seen(so_far.inner), seen(so_far.unknown)
    found = [] if known.is_empty else [Band(known, "can end there", _KNOWN)]
    return found if unknown.is_empty else [*found, Band(unknown, "not known yet", is_known=False)]


def length_labels(levels: Sequence[float], unit: str) -> list[str]:
    """Name bands of length, each without the one before.

    >>> length_labels([2, 4, 4.5], "inch")
    ['up to 2 inches', 'over 2 to 4 inches', 'over 4 to 4.5 inches']
    """
    labels = [measure(level, unit) for level in levels]
    return [f"up to {words}" for words in labels[:1]] + [
        f"over {below:g} to {words}" for below, words in zip(levels, labels[1:], strict=False)
    ]


def chance_bands(answer: ReachAnswer, levels: Sequence[Fraction] | None = None) -> list[Band]:
    """Return the ground by the best chance of ending there, the surest darkest, each band named by the least it has."""
    return [
        Band(seen(region), chance_text(level, at_least=True), colour=chance_colour(float(level)))
        for level, region in with_ground(answer.chance_bands(levels))
    ]


def certain_outline(board: Board[Any], answer: ReachAnswer) -> list[Outline]:
    """Return the rim of what is certain, where that is less than all and more than nothing."""
    certain = certain_area(answer)
    some, whole = extent(board, certain), extent(board, answer.area)
    return [Outline(seen(certain), "certain", _CERTAIN)] if 0 < some < whole else []


def certain_area(answer: ReachAnswer) -> BaseGeometry:
    """Return the ground that is certain to be reached."""
    return joined(region for _, region in answer.chance_bands([Fraction(1)]))


def interruption_spots(board: Board[Any], interruptions: Iterable[Interruption]) -> list[Spot]:
    """Return a numbered mark for each place and person that can interrupt a way; those at one place side by side.

    Two reactions of one person at one place are one mark.
    """
    spots: dict[tuple[Any, str], Spot] = {}
    beside: dict[Any, int] = {}
    for found in interruptions:
        if found.place is None or (found.place, found.who) in spots:
            continue
        x, y = board.centre(found.place[:2])
        behind = beside.get(found.place, 0)
        beside[found.place] = behind + 1
        label = f"{found.clause} {found.who}: {found.what}".lstrip()
        spots[found.place, found.who] = Spot(x, y, len(spots) + 1, label, found.side, behind)
    return list(spots.values())


def foreseen_spots(foreseen: Foreseen) -> list[Spot]:
    """Return a numbered mark for each point where orders can be interrupted, then for each where they end otherwise.

    They end otherwise than planned if tests fail; the mark names the chance that they end there.
    """
    board = foreseen.setting.board
    spots = interruption_spots(board, foreseen.interruptions)
    own = f"{foreseen.unit}: "
    here: dict[tuple[float, float], list[Ending]] = {}
    for ending, lines in _failed(foreseen):
        here.setdefault(lines[0].points[-1], []).append(ending)
    for (x, y), endings in here.items():
        chance = chance_text(sum((ending.chance for ending in endings), Fraction(0)))
        # It is obvious that the mover is meant.
        failed = [", ".join(otherwise_text(entry).removeprefix(own) for entry in ending.failed) for ending in endings]
        others = f" and {measure(count - 1, 'other way')}" if (count := len(set(failed))) > 1 else ""
        behind = sum((spot.x, spot.y) == (x, y) for spot in spots)
        label = f"{chance} here: {failed[0]}{others}"
        spots.append(Spot(x, y, len(spots) + 1, label, foreseen.table.unit(foreseen.unit).side, behind))
    return spots


def failed_ways(foreseen: Foreseen) -> list[RouteLine]:
    """Return the ways that units go after a test that fails, such as those of skids."""
    return [line for _, lines in _failed(foreseen) for line in lines if len(line.points) > 1]


def _failed(foreseen: Foreseen) -> Iterator[tuple[Ending, list[RouteLine]]]:
    """Yield each ending after failed tests that is not as planned, with the ways from the first of those tests on."""
    setting, drawn = foreseen.setting, {one.unit for one in foreseen.setting.ruleset.draw(foreseen.table)}
    for ending in foreseen.endings:
        if ending.as_planned or not ending.failed:
            continue
        asked = ending.failed[0].question.place
        begin = [] if asked is None or asked[:2] not in setting.board else [setting.board.centre(asked[:2])]
        lines = [
            replace(line, points=[*begin, *line.points], side=foreseen.before.unit(line.unit).side, fails=True)
            for line in ways_gone(setting.board, _NOBODY, ending.events, drawn)
        ]
        if lines or begin:
            yield ending, lines or [RouteLine(begin, fails=True)]


def ways_of(foreseen: Foreseen, label: str = "") -> list[RouteLine]:
    """Return the ways that foreseen orders take; of those who ride, that of what carries them.

    The label stands beside the first of them.
    """
    ruleset, state = foreseen.setting.ruleset, foreseen.before
    drawn = {mark.unit for mark in ruleset.draw(foreseen.table)}
    ways: dict[str, RouteLine] = {}
    for happened in foreseen.happened:
        mover = state.unit(happened.order.unit)
        course = ruleset.course(Table(foreseen.setting, state), happened.order)
        lines = [RouteLine(course, side=mover.side, unit=mover.id)] if course else []
        for line in lines or ways_gone(foreseen.setting.board, state, happened.events, drawn):
            before = ways.get(line.unit)
            points = line.points if before is None else [*before.points, *line.points[1:]]
            ways[line.unit] = replace(line, points=points)
        state = happened.state
    return [replace(line, label="" if number else label) for number, line in enumerate(ways.values())]


def route_line(answer: ReachAnswer, place: Any, label: str = "") -> list[RouteLine]:
    """Return the way of an answer to a place, if it can be drawn as a line; otherwise nothing."""
    route_to = getattr(answer, "route_to", None)
    if route_to is None:
        return []
    points = route_to(place).points
    line = [(float(x), float(y)) for x, y in (points() if callable(points) else points)]
    return [RouteLine(line, label, answer.mover.side)]


def goal_look(board: Board[Any], goal: Any) -> list[Looks]:
    """Return the wedge of the heading that a goal names, if it does: a place alone has none."""
    if not isinstance(goal, Pose) or not isinstance(goal.heading, float | int):
        return []
    return [Looks(*board.centre(goal.place[:2]), [float(goal.heading)])]


def looks(reach: Reach) -> list[Looks]:
    """Compute for every end the headings, in degrees, that the unit may have there."""
    headings: dict[tuple[int, int], set[float]] = {}
    for end in reach.ends:
        if isinstance(end.heading, float | int):
            headings.setdefault(end.place, set()).add(float(end.heading))
    return [Looks(*reach.board.centre(place), sorted(found)) for place, found in headings.items()]
