"""The reach of every unit at every order of a story, asked of the ruleset, each different answer kept once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from shapely.geometry.base import BaseGeometry

from simulator.engine.game import Game
from simulator.engine.reach import ReachAnswer
from simulator.engine.ruleset import Setting
from simulator.engine.state import State
from simulator.errors import SimulatorError
from simulator.views.replay.outlines import Cells, Pool, nested, outline
from simulator.views.replay.reel import Reel
from simulator.views.svg import Sheet
from simulator.wording import measure

#: Wraps the work to be done, to show how far it is: called with the states to ask about and their number.
Watch = Callable[[Iterable[State], int], Iterable[State]]
#: More bands than this nobody tells apart.
MOST_BANDS = 8


def unwatched(states: Iterable[State], count: int) -> Iterable[State]:
    """Do the work without showing how far it is."""
    del count
    return states


@dataclass
class Reaches:
    """All answers of a story. `answers` are those that differ; `at` says for each order which unit has which."""

    labels: Pool = field(default_factory=Pool)
    outlines: Pool = field(default_factory=Pool)
    answers: list[dict[str, Any]] = field(default_factory=list)
    at: list[dict[str, list[int]]] = field(default_factory=list)
    _known: dict[str, int] = field(default_factory=dict)

    def add(self, answer: dict[str, Any]) -> int:
        """Give the number of an answer, a new one where it is new."""
        key = repr(answer)
        if key not in self._known:
            self._known[key] = len(self.answers)
            self.answers.append(answer)
        return self._known[key]


def reaches_of(reel: Reel, sheet: Sheet, cells: Cells | None, watch: Watch = unwatched) -> Reaches:
    """Ask about every unit at the beginning of every order, and at the end; equal tables are asked about once."""
    found = Reaches()
    states = [*(scene.before for scene in reel.scenes), reel.last]
    different = {state.position_hash: state for state in states if _can_be_asked(state)}
    answers = {
        state.position_hash: {
            unit: [found.add(answer) for answer in _answers(reel.story.setting, state, unit, sheet, cells, found)]
            for unit in state.units
        }
        for state in watch(different.values(), len(different))
    }
    for state in states:
        here = answers.get(state.position_hash, {})
        found.at.append({unit: numbers for unit, numbers in here.items() if numbers})
    return found


def _can_be_asked(state: State) -> bool:
    return bool(state.clock.turn) and not state.clock.over and state.pending is None


def _answers(
    setting: Setting[Any], state: State, unit: str, sheet: Sheet, cells: Cells | None, found: Reaches
) -> Iterator[dict[str, Any]]:
    game = Game(setting, state)
    for action in setting.ruleset.reaches:
        try:
            answer = game.reach(unit, action)
        except SimulatorError:
            continue  # the ruleset says that this unit can not be asked about this action here
        if isinstance(answer, ReachAnswer) and (bands := _thinned(answer.bands())):
            areas = [area for _, area in bands]
            written = _cells(cells, areas) if cells is not None else _paths(areas, sheet, found.outlines)
            names = [found.labels.number(measure(level, answer.unit)) for level, _ in bands]
            yield {"a": found.labels.number(action.replace("_", " ")), "b": names, **written}


def _thinned(bands: list[tuple[Any, BaseGeometry]]) -> list[tuple[Any, BaseGeometry]]:
    """Leave out empty bands, and put neighbours together until there are few."""
    bands = [(level, area) for level, area in bands if not area.is_empty]
    step = -(-len(bands) // MOST_BANDS)
    if step < 2:
        return bands
    groups = [bands[max(0, end - step) : end] for end in range(len(bands), 0, -step)][::-1]
    return [(group[-1][0], nested([area for _, area in group])[-1]) for group in groups]


def _cells(cells: Cells, areas: list[BaseGeometry]) -> dict[str, Any]:
    return {"c": cells.written(areas)}


def _paths(areas: list[BaseGeometry], sheet: Sheet, outlines: Pool) -> dict[str, Any]:
    return {"d": [outlines.number(outline(area, sheet)) for area in nested(areas)]}
