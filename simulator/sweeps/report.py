"""The report of a sweep: one page that needs nothing else, in light and in dark, without scripts."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from simulator.geometry.board import Lattice
from simulator.sweeps.charts import bars, interval_line
from simulator.sweeps.effects import COMPARED, Effect, Interval, effects, mean_interval, wilson
from simulator.sweeps.games import ERROR, FINISHED, ORDER_LIMIT, OVER, TIME_LIMIT
from simulator.sweeps.heat import Cell, counted_cells, heat_map
from simulator.sweeps.page import figure_text, page_of, picture_lines, table, text_of
from simulator.sweeps.plan import Staging, SweepPlan
from simulator.wording import measure

Row = Mapping[str, Any]
#: The most scenarios of which the report draws where units ended.
_MOST_MAPS = 12
#: The most games listed that failed or were stopped; all are in the Parquet file.
_MOST_LISTED = 50
#: The measures shown for every scenario and cast.
_SUMMED_UP = ("orders", "refused", "turns", "rolls", "moved", "nearest", "gone")


def report_page(plan: SweepPlan, games: Sequence[Row], units: Sequence[Row]) -> str:
    """Return the report as the text of an HTML file."""
    lines = [*_head(plan, games), *_summary(games), *_effects(plan, games)]
    rest = [*_spread(games), *_maps(plan, units), *_stopped(games), *_method(plan)]
    return page_of(plan.name, [*lines, *rest])


def _head(plan: SweepPlan, games: Sequence[Row]) -> Iterator[str]:
    yield f"<h1>{text_of(plan.name)}</h1>"
    if plan.description:
        yield f"<p>{text_of(plan.description)}</p>"
    parts = [
        measure(len(games), "game"),
        measure(len(plan.stagings), "scenario"),
        measure(len(plan.settings), "setting"),
        measure(len(plan.casts), "cast"),
        f"{measure(len(plan.numbers), 'seed')} each",
    ]
    yield f'<p class="quiet">{", ".join(parts)}</p>'
    counts = Counter(row["outcome"] for row in games)
    yield "<h2>How the games ended</h2>"
    rows = []
    for outcome in (FINISHED, OVER, ORDER_LIMIT, TIME_LIMIT, ERROR):
        if counts[outcome]:
            share = wilson(counts[outcome], len(games))
            rows.append([outcome, str(counts[outcome]), _percent(share)])
    yield from table(["outcome", "games", "share (95 %)"], rows, left=1)


def _percent(share: Interval) -> str:
    return f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})"


def _estimate(interval: Interval) -> str:
    if interval.low is None or interval.high is None or interval.low == interval.high:
        return figure_text(interval.value)
    return f"{figure_text(interval.value)} ({figure_text(interval.low)} to {figure_text(interval.high)})"


def _summary(games: Sequence[Row]) -> Iterator[str]:
    yield "<h2>What happened</h2>"
    yield "<p>The mean of each measure over all games of a scenario and cast, with its interval of 95 %.</p>"
    rows = []
    for (scenario, agent), own in _by_scenario_and_cast(games).items():
        cells = []
        for name in _SUMMED_UP:
            by_number = _by_number(own, name)
            cells.append(_estimate(mean_interval(by_number)) if by_number else "–")
        rows.append([scenario, agent, str(len(own)), *cells])
    yield from table(["scenario", "agent", "games", *(COMPARED[name] for name in _SUMMED_UP)], rows, left=2)


def _by_scenario_and_cast(games: Iterable[Row]) -> dict[tuple[str, str], list[Row]]:
    found: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in games:
        found[row["scenario"], row["agent"]].append(row)
    return found


def _by_number(games: Iterable[Row], name: str) -> dict[int, list[float]]:
    found: dict[int, list[float]] = defaultdict(list)
    for row in games:
        if row[name] is not None:
            found[row["number"]].append(float(row[name]))
    return found


def _effects(plan: SweepPlan, games: Sequence[Row]) -> Iterator[str]:
    if not plan.varied:
        return
    yield "<h2>What each option and figure changes</h2>"
    yield (
        "<p>The mean difference of a measure under a value, compared with the first value of the same option or "
        "figure, everything else alike. A difference whose interval leaves out 0 stands out.</p>"
    )
    by_name: dict[str, list[Effect]] = defaultdict(list)
    for effect in effects(plan, games):
        by_name[effect.name].append(effect)
    for name, own in by_name.items():
        yield f"<h3>{text_of(name)}, compared with {text_of(own[0].reference)}</h3>"
        changed = [effect for effect in own if effect.difference.is_any]
        if not changed:
            yield "<p>No measure of any game differs.</p>"
            continue
        rows = [_effect_row(effect) for effect in changed]
        heads = ["value", "scenario", "agent", "measure", "difference (95 %)", "", "pairs"]
        yield from table(heads, rows, left=4, raw=(5,), clear=[effect.difference.is_clear for effect in changed])
        same = len(own) - len(changed)
        if same:
            yield f'<p class="quiet">Of {measure(len(own), "comparison")}, {same} found no difference in any game.</p>'


def _effect_row(effect: Effect) -> list[str]:
    found = effect.difference
    names = [effect.value, effect.scenario, effect.agent, COMPARED[effect.measure]]
    return [*names, _estimate(found), interval_line(found), str(found.count)]


def _spread(games: Sequence[Row]) -> Iterator[str]:
    yield '<h2>How games differ</h2>\n<div class="charts">'
    for (scenario, agent), own in _by_scenario_and_cast(games).items():
        for name in ("orders", "moved"):
            values = [float(row[name]) for row in own if row[name] is not None]
            if len(set(values)) > 1:
                caption = f"{text_of(scenario)}, {text_of(agent)}: {COMPARED[name]}"
                yield f"<figure>{bars(values)}<figcaption>{caption}</figcaption></figure>"
    yield "</div>"


def _maps(plan: SweepPlan, units: Sequence[Row]) -> Iterator[str]:
    by_scenario: dict[str, list[Row]] = defaultdict(list)
    for row in units:
        if row["end_x"] is not None:
            by_scenario[row["scenario"]].append(row)
    shown = [staging for staging in plan.stagings if by_scenario[staging.label]][:_MOST_MAPS]
    if not shown:
        return
    yield "<h2>Where units ended</h2>"
    for staging in shown:
        picture = _map_of(staging, by_scenario[staging.label])
        yield picture_lines(picture)
    if len(shown) < len(plan.stagings):
        yield f'<p class="quiet">{len(shown)} of {measure(len(plan.stagings), "scenario")} are drawn.</p>'


def _map_of(staging: Staging, rows: Iterable[Row]) -> str:
    board = staging.scenario.setting.board
    ends = [(row["end_x"], row["end_y"]) for row in rows]
    if isinstance(board, Lattice):
        places = {board.centre(place): place for place in board.places()}
        values: dict[Cell, float] = dict(Counter(places[end] for end in ends))
    else:
        values = counted_cells(ends)
    return heat_map(board, values, title=f"{staging.label}: where units ended", heading="ended here", unit="time")


def _stopped(games: Sequence[Row]) -> Iterator[str]:
    own = [row for row in games if row["outcome"] in (ERROR, ORDER_LIMIT, TIME_LIMIT)]
    if not own:
        return
    yield "<h2>Games that failed or were stopped</h2>"
    yield "<p>Each file is a scenario that replays its game: <code>simulator run FILE</code>.</p>"
    rows = [
        [str(row["run"]), row["scenario"], row["agent"], str(row["seed"]), row["outcome"], row["file"], row["error"]]
        for row in own[:_MOST_LISTED]
    ]
    yield from table(["game", "scenario", "agent", "seed", "outcome", "file", "error"], rows, left=7, long=(6,))
    if len(own) > _MOST_LISTED:
        yield f'<p class="quiet">{len(own) - _MOST_LISTED} more are in games.parquet.</p>'


def _method(plan: SweepPlan) -> Iterator[str]:
    yield "<h2>How this was computed</h2>"
    yield (
        "<p>Games of the same scenario and number have the same seed under all settings and with all agents, so they "
        "are compared in pairs. Intervals of means and of differences are percentile bootstraps of 95 % over the "
        "numbers of the games (2,000 resamples, fixed seed); shares of games have Wilson intervals. They describe "
        "chance within these scenarios, not other scenarios. With many comparisons, about one in twenty stands out by "
        "chance alone.</p>"
    )
    facts = plan.described
    yield f'<p class="quiet">simulator {text_of(facts["program"])}, seed {facts["seed"]}.</p>'
