"""The reach of every unit at every order of a story, asked of the ruleset, each different answer kept once."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

from shapely.geometry.base import BaseGeometry

from simulator.engine.extents import with_ground
from simulator.engine.game import Game
from simulator.engine.holding import Kept
from simulator.engine.reach import ReachAnswer
from simulator.engine.state import State
from simulator.errors import SimulatorError
from simulator.views.replay.outlines import Cells, Pool, nested, packed
from simulator.views.replay.reel import Reel, Scene
from simulator.views.svg import Sheet
from simulator.wording import measure, told_chance

#: Wraps the work to be done, to show how far it is: called with the states to ask about and their number.
Watch = Callable[[Iterable[State], int], Iterable[State]]
#: What a page shows of reach: nothing, what it costs to get somewhere, or besides how likely it is to get there.
Shown = Literal["nothing", "cost", "chance"]
#: The numbers of what was written down of one answer.
Written = tuple[int, ...]
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
    rings: Pool = field(default_factory=Pool)
    #: Each the numbers of its rings.
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


def reaches_of(reel: Reel, shown: Shown, sheet: Sheet, cells: Cells | None, watch: Watch = unwatched) -> Reaches:
    """Ask about every unit at the beginning of every order, and at the end; equal tables are asked about once.

    How likely it is to get somewhere takes much longer to find out than what it costs, and is asked only about the unit
    whose order it is.
    """
    found = Reaches()
    states = [*(scene.before for scene in reel.scenes), reel.last] if shown != "nothing" else []
    movers = {(scene.before.position_hash, _mover(scene)) for scene in reel.scenes if shown == "chance"}
    different = {state.position_hash: state for state in states if _can_be_asked(state)}
    answers: dict[str, dict[str, list[int]]] = {}
    kept: Kept[Written] = Kept()
    for state in watch(different.values(), len(different)):
        asked = _Asked(Game(reel.story.setting, state), sheet, cells, found, kept)
        here = answers[state.position_hash] = {}
        for unit in state.units:
            here[unit] = list(asked.about(unit, (state.position_hash, unit) in movers))
    for state in states:
        numbers = answers.get(state.position_hash, {})
        found.at.append({unit: known for unit, known in numbers.items() if known})
    return found


def _mover(scene: Scene) -> str:
    return scene.chapter.order.partition(" ")[0].removesuffix(":")


def _can_be_asked(state: State) -> bool:
    return bool(state.clock.turn) and not state.clock.over and state.pending is None


@dataclass(frozen=True)
class _Asked:
    """The questions about one table."""

    game: Game[Any]
    sheet: Sheet
    cells: Cells | None
    found: Reaches
    kept: Kept[Written]

    def about(self, unit: str, chance: bool) -> Iterator[int]:
        """Ask about each action, and where it is wanted about the chance; give the numbers of the answers."""
        for action in self.game.ruleset.reaches:
            written = None if chance else self.kept.find(self.game, unit, action)
            if written is None:
                try:
                    answer = self.game.reach(unit, action)
                except SimulatorError:
                    continue  # the ruleset says that this unit can not be asked about this action here
                written = self._answered(answer, action, chance)
                if not chance:
                    self.kept.keep(self.game, unit, action, answer, written)
            yield from written

    def _answered(self, answer: Any, action: str, chance: bool) -> Written:
        """Write down an answer, if there is any ground, and where it is wanted the chance, if there is any to lose."""
        costs = _thinned(with_ground(answer.bands())) if isinstance(answer, ReachAnswer) else []
        if not costs:
            return ()
        name = action.replace("_", " ")
        written = [self._written(name, [(measure(level, answer.unit), area) for level, area in costs])]
        chances = _thinned(with_ground(answer.chance_bands())) if chance else []
        if any(level < 1 for level, _ in chances):
            told = [(told_chance(level), area) for level, area in chances]
            written.append({**self._written(f"{name}: chance", told), "p": 1})
        return tuple(map(self.found.add, written))

    def _written(self, name: str, bands: list[tuple[str, BaseGeometry]]) -> dict[str, Any]:
        """Write bands, the first of them the nearest or the surest, with what each is called."""
        words, areas = self.found.labels, [area for _, area in bands]
        written: dict[str, Any] = {"a": words.number(name), "b": [words.number(label) for label, _ in bands]}
        if self.cells is not None:
            return {**written, "c": self.cells.written(areas)}
        return {**written, "d": [self._outline(area) for area in nested(areas)]}

    def _outline(self, area: BaseGeometry) -> int:
        rings = map(self.found.rings.number, packed(area, self.sheet))
        return self.found.outlines.number(" ".join(map(str, rings)))


def _thinned(bands: list[tuple[Any, BaseGeometry]]) -> list[tuple[Any, BaseGeometry]]:
    """Leave out empty bands, and put neighbours together until there are few."""
    bands = [(level, area) for level, area in bands if not area.is_empty]
    step = -(-len(bands) // MOST_BANDS)
    if step < 2:
        return bands
    groups = [bands[max(0, end - step) : end] for end in range(len(bands), 0, -step)][::-1]
    return [(group[-1][0], nested([area for _, area in group])[-1]) for group in groups]
