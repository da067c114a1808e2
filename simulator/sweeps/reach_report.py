"""The report of a sweep of reach maps: how far units get, what each value changes, and heat maps of both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from simulator.sweeps.map_rows import COMPUTED, ERROR
from simulator.sweeps.page import figure_text, page_of, picture_lines, table, text_of
from simulator.sweeps.reach_effects import (
    Extreme,
    ReachEffect,
    Reader,
    changed_places,
    pair_of_references,
    reach_effects,
    value_changes,
)
from simulator.sweeps.reach_map_file import ReachMap
from simulator.sweeps.reach_map_picture import draw_map, draw_places
from simulator.sweeps.reach_map_text import ground_unit
from simulator.sweeps.reach_plan import ReachPlan
from simulator.version import __version__
from simulator.wording import measure

Row = Mapping[str, Any]
#: The most pictures of each kind: maps under the references, and what values change.
_MOST_PICTURES = 12
#: The most maps listed; all are in the Parquet file.
_MOST_LISTED = 200
#: Maps are read again and again, but only a few at a time.
_READ = 8


def reach_report_page(plan: ReachPlan, rows: Sequence[Row], folder: Path) -> str:
    """Return the report as the text of an HTML file; the maps are read from the folder of the sweep."""

    @lru_cache(maxsize=_READ)
    def read(number: int) -> ReachMap | None:
        file = rows[number]["file"]
        return ReachMap.read(folder / file) if file else None

    lines = [*_head(plan, rows), *_summary(plan, rows), *_effects(plan, read)]
    rest = [*_changes(plan, read), *_maps(plan, read), *_failed(rows), *_method()]
    return page_of(plan.name, [*lines, *rest])


def _head(plan: ReachPlan, rows: Sequence[Row]) -> Iterator[str]:
    yield f"<h1>{text_of(plan.name)}</h1>"
    if plan.description:
        yield f"<p>{text_of(plan.description)}</p>"
    parts = [
        measure(len(rows), "map"),
        measure(len(plan.stagings), "scenario"),
        measure(len(plan.askings), "unit"),
        measure(len(plan.settings), "setting"),
        measure(sum(row["starts"] or 0 for row in rows), "start"),
    ]
    yield f'<p class="quiet">{", ".join(parts)}</p>'


def _summary(plan: ReachPlan, rows: Sequence[Row]) -> Iterator[str]:
    own = [row for row in rows if row["outcome"] == COMPUTED]
    if not own:
        return
    yield "<h2>How far units get</h2>"
    yield "<p>The ground that a start gets to: its mean over all starts, its least, its middle and its most.</p>"
    names = [f"{one.kind}.{one.name}" for one in plan.varied]
    heads = ["map", "scenario", "unit", *(one.name for one in plan.varied), "starts", "mean", "least", "median", "most"]
    cells = []
    for row in own[:_MOST_LISTED]:
        settings = [str(row[name]) for name in names]
        ground = [_amount(row[f"ground_{name}"], row["ground_unit"]) for name in ("mean", "least", "median", "most")]
        cells.append([row["file"], row["scenario"], row["unit"], *settings, str(row["starts"]), *ground])
    yield from table([*heads, "half its ends cost"], _with_costs(cells, own), left=3 + len(names))
    if len(own) > _MOST_LISTED:
        yield f'<p class="quiet">{len(own) - _MOST_LISTED} more are in maps.parquet.</p>'
    if limited := sum(row["limited"] for row in own):
        yield f"<p>{measure(limited, 'start')} reached the limit of a search and count as without an answer.</p>"


def _with_costs(cells: Sequence[list[str]], rows: Sequence[Row]) -> Iterator[list[str]]:
    for line, row in zip(cells, rows, strict=False):
        yield [*line, _amount(row["cost_mean"], row["cost_unit"])]


def _amount(value: float | None, unit: str) -> str:
    return "–" if value is None else measure(round(value, 2), unit).replace("-", "−")


def _effects(plan: ReachPlan, read: Reader) -> Iterator[str]:
    if not plan.varied:
        return
    yield "<h2>What each option and figure changes</h2>"
    yield (
        "<p>The mean difference over all starts under a value, compared with the same start under the first value of "
        "the same option or figure, everything else alike: how many get more or less, and the start with the largest "
        "difference each way.</p>"
    )
    by_name: dict[str, list[ReachEffect]] = defaultdict(list)
    for effect in reach_effects(plan, read):
        by_name[effect.name].append(effect)
    for name, own in by_name.items():
        yield f"<h3>{text_of(name)}, compared with {text_of(own[0].reference)}</h3>"
        changed = [effect for effect in own if effect.is_any]
        if not changed:
            yield "<p>No start differs.</p>"
            continue
        heads = ["value", "scenario", "unit", "measure", "mean before", "difference", "", "more", "less", "starts"]
        heads += ["largest rise", "largest fall"]
        rows = [_effect_row(effect) for effect in changed]
        if any(effect.only_before or effect.only_after for effect in changed):
            heads += ["starts only before", "only after"]
            rows = [[*row, str(one.only_before), str(one.only_after)] for row, one in zip(rows, changed, strict=True)]
        yield from table(heads, rows, left=4)
        if same := len(own) - len(changed):
            yield f'<p class="quiet">Of {measure(len(own), "comparison")}, {same} found no difference.</p>'


def _effect_row(effect: ReachEffect) -> list[str]:
    share = f"{effect.difference / effect.mean:+.1%}".replace("-", "−") if effect.mean else "–"
    return [
        *(effect.value, effect.scenario, effect.unit, effect.measure),
        _amount(effect.mean, effect.measured_in),
        figure_text(effect.difference),
        share,
        *map(str, (effect.more, effect.less, effect.starts)),
        *map(_extreme, (effect.most, effect.least)),
    ]


def _extreme(found: Extreme | None) -> str:
    return "–" if found is None else f"{figure_text(found.difference)} at {found.start}"


def _changes(plan: ReachPlan, read: Reader) -> Iterator[str]:
    """Yield pictures of what values change where, all others at their references."""
    drawn = [one for one in _each_change(plan, read) if np.isfinite(one[1]).any()]
    if not drawn:
        return
    yield "<h2>Where it changes how far a unit gets</h2>"
    yield "<p>For each place by how much more ground, or less, a unit gets to that starts there.</p>"
    for title, values, found in drawn[:_MOST_PICTURES]:
        yield picture_lines(draw_places(found, values, title, "gets to so much more", ground_unit(found)))
    if len(drawn) > _MOST_PICTURES:
        yield f'<p class="quiet">{_MOST_PICTURES} of {measure(len(drawn), "comparison")} are drawn.</p>'


def _each_change(plan: ReachPlan, read: Reader) -> Iterator[tuple[str, Any, ReachMap]]:
    for of in value_changes(plan):
        pair = pair_of_references(plan, read, of)
        if pair is not None:
            one, at, asking = plan.varied[of.varied], plan.stagings[of.staging], plan.askings[of.asking]
            title = f"{at.label}, {asking.label}: {one.name} {one.texts[of.value]}, not {one.texts[0]}"
            yield title, changed_places(pair), pair.after


def _maps(plan: ReachPlan, read: Reader) -> Iterator[str]:
    """Yield heat maps of each scenario and unit, all values at their references."""
    numbers = range(0, len(plan), len(plan.settings))
    found = [one for number in numbers[:_MOST_PICTURES] if (one := read(number)) is not None]
    if not found:
        return
    yield "<h2>From how many starts a place is reached</h2>"
    for one in found:
        yield picture_lines(draw_map(one, "reached-from"))
    yield '<p class="quiet">Under the first values. A picture of every map is beside its file in maps/.</p>'


def _failed(rows: Sequence[Row]) -> Iterator[str]:
    own = [row for row in rows if row["outcome"] == ERROR]
    if not own:
        return
    yield "<h2>Maps that failed</h2>"
    yield "<p>The command asks for the map by itself; run it in the folder of the plan.</p>"
    cells = [[str(row["map"]), row["scenario"], row["unit"], row["error"], row["command"]] for row in own]
    yield from table(["map", "scenario", "unit", "error", "command"], cells[:_MOST_LISTED], left=5, long=(3, 4))
    if len(own) > _MOST_LISTED:
        yield f'<p class="quiet">{len(own) - _MOST_LISTED} more are in maps.parquet.</p>'


def _method() -> Iterator[str]:
    yield "<h2>How this was computed</h2>"
    yield (
        "<p>Each start is answered as <code>simulator reach</code> answers for a unit that stands there, everything "
        "else as it is when the scenario begins. All starts are compared, not a sample of them, so differences are "
        "exact and have no intervals. A start is a place with a heading and a level where the unit has them; one that "
        "there is only under one of two values is counted, not compared.</p>"
    )
    yield f'<p class="quiet">simulator {text_of(__version__)}.</p>'
