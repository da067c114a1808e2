"""The reach of every unit at every order of a story, computed by the ruleset, each distinct answer kept once."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from shapely.geometry.base import BaseGeometry

from simulator.engine.answer_cache import AnswerCache
from simulator.engine.areas import with_ground
from simulator.engine.game import Game
from simulator.engine.reach import ReachAnswer, searched_chance_bands
from simulator.engine.state import State
from simulator.engine.table import Setting
from simulator.engine.table_reach import TableReach
from simulator.errors import SimulatorError, TooMuchAsked
from simulator.views.replay.outlines import Cells, Pool, nested, packed
from simulator.views.replay.timeline import Scene, Timeline
from simulator.views.svg import Sheet
from simulator.wording import chance_text, measure

#: Wraps the work to show its progress: called with the states to query and their number.
Watch = Callable[[Iterable[State], int], Iterable[State]]
#: How a page shows reach: not at all, by cost, or also by chance.
Shown = Literal["nothing", "cost", "chance"]
#: The numbers of what was written down of one answer.
Written = tuple[int, ...]
#: More bands than this cannot be distinguished.
MOST_BANDS = 8
#: So many questions a page asks at most; answers that still hold are not asked for again. Each takes some thousandths
#: of a second on a lattice, and more on a table, and there may be thousands of units and of orders.
MOST_ASKED = 2_000


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
    #: The number of orders, including the end, at which the reach of some unit is missing.
    left_out: int = 0
    #: The limit that a question about a unit was beyond, for each unit of which that was so.
    beyond: dict[str, str] = field(default_factory=dict)
    _known: dict[str, int] = field(default_factory=dict)

    @property
    def note(self) -> str:
        """A note on the reach that the page does not show; empty if it shows all."""
        notes = []
        if self.left_out:
            notes.append(
                f"The reach of some or all units is left out at {measure(self.left_out, 'order')} of {len(self.at)}: "
                f"a page asks {MOST_ASKED:,} questions at most, first about the units whose orders they are."
            )
        for limit in dict.fromkeys(self.beyond.values()):
            units = ", ".join(unit for unit, one in self.beyond.items() if one == limit)
            notes.append(f"The reach of {units} is not shown in full: {limit}.")
        return " ".join(notes)

    def add(self, answer: dict[str, Any]) -> int:
        """Return the number of an answer, a new one where it is new."""
        key = repr(answer)
        if key not in self._known:
            self._known[key] = len(self.answers)
            self.answers.append(answer)
        return self._known[key]


def reaches_of(
    timeline: Timeline, shown: Shown, sheet: Sheet, cells: Cells | None, watch: Watch = unwatched
) -> Reaches:
    """Compute the reach of every unit at the beginning of every order, and at the end, once for equal tables.

    How likely it is to get somewhere takes much longer to find out than what it costs, and is asked only about the unit
    whose order it is. Where it would take more than `MOST_ASKED` questions, those about the units whose orders they are
    come first, and of the other tables as many as may be asked about whole.
    """
    found = Reaches()
    states = [*(scene.before for scene in timeline.scenes), timeline.last] if shown != "nothing" else []
    movers: dict[str, dict[str, None]] = {}
    for scene in timeline.scenes:
        movers.setdefault(scene.before.position_hash, {})[_mover(scene)] = None
    different = {state.position_hash: state for state in states if _allows_queries(state)}
    answers: dict[str, dict[str, Written]] = {}
    kept: AnswerCache[Written] = AnswerCache()
    asker = _Asker(timeline.story.setting, sheet, cells, found, kept, MOST_ASKED)
    # If the limit is sure to suffice for all units, the queries run in the order of the story.
    everybody = sum(len(state.units) for state in different.values()) * asker.actions <= MOST_ASKED
    chances = movers if shown == "chance" else {}
    if not everybody:
        for key, state in different.items():
            some = [unit for unit in movers.get(key, ()) if unit in state.units]
            answers[key] = asker.about(state, some, chances.get(key, ()), {})
    for state in watch(different.values(), len(different)):
        key = state.position_hash
        answers[key] = asker.about(state, list(state.units), chances.get(key, ()), answers.get(key, {}))
    for state in states:
        numbers = answers.get(state.position_hash, {})
        found.at.append({unit: list(known) for unit, known in numbers.items() if known})
        found.left_out += _allows_queries(state) and len(numbers) < len(state.units)
    return found


def _mover(scene: Scene) -> str:
    return scene.chapter.order.partition(" ")[0].removesuffix(":")


def _allows_queries(state: State) -> bool:
    return bool(state.clock.turn) and not state.clock.over and state.pending is None


@dataclass
class _Asker:
    """Computes the reach of units until the limit of queries."""

    setting: Setting[Any]
    sheet: Sheet
    cells: Cells | None
    found: Reaches
    kept: AnswerCache[Written]
    left: int

    @property
    def actions(self) -> int:
        """The number of queries for one unit."""
        return len(self._asked)

    @property
    def _asked(self) -> Sequence[str]:
        """The actions that units are asked about."""
        return self.setting.ruleset.on_pages or list(self.setting.ruleset.reaches)

    def about(
        self, state: State, units: Sequence[str], chances: Collection[str], known: Mapping[str, Written]
    ) -> dict[str, Written]:
        """Return what was written down about some units on a table, all of them or those that are known already."""
        fresh = [unit for unit in units if unit not in known]
        if len(fresh) * self.actions > self.left:
            return dict(known)
        game = Game(self.setting, state)
        new = {unit: tuple(self._about(game, unit, unit in chances)) for unit in fresh}
        return {unit: known[unit] if unit in known else new[unit] for unit in units}

    def _about(self, game: Game[Any], unit: str, chance: bool) -> Iterator[int]:
        """Compute the reach by each action, and the chances if required; return the numbers of the answers."""
        for action in self._asked:
            table = game.ready_table(unit)
            costs = self.kept.find(table, unit, action)
            if costs is not None and not (costs and chance):
                yield from costs
                continue
            self.left -= 1
            try:
                answer = game.reach(unit, action)
                if costs is None:
                    costs = self._costs(answer, action)
                    self.kept.keep(unit, action, game.ruleset.holding(table, answer), costs)
                yield from costs
                if costs and chance:
                    yield from self._chances(answer, action)
            except TooMuchAsked as limit:
                self.found.beyond.setdefault(unit, str(limit))
            except SimulatorError:
                continue  # the ruleset says that this unit cannot be asked about this action here

    def _costs(self, answer: Any, action: str) -> Written:
        """Write down the costs of an answer, if there is any ground."""
        costs = _thinned(with_ground(answer.bands())) if isinstance(answer, ReachAnswer) else []
        if not costs:
            return ()
        named = [(measure(level, answer.unit), area) for level, area in costs]
        return (self.found.add(self._written(_named(action), named)),)

    def _chances(self, answer: Any, action: str) -> Written:
        """Write down the chances of an answer, if there is any to lose."""
        if isinstance(answer, TableReach) and not answer.has_chances:
            return ()
        searched, limit = searched_chance_bands(answer)
        if limit:
            self.found.beyond.setdefault(answer.mover.id, limit)
        chances = _thinned(with_ground(searched))
        if not any(level < 1 for level, _ in chances):
            return ()
        levels = [(chance_text(level), area) for level, area in chances]
        return (self.found.add({**self._written(f"{_named(action)}: chance", levels), "p": 1}),)

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


def _named(action: str) -> str:
    return action.replace("_", " ")


def _thinned(bands: list[tuple[Any, BaseGeometry]]) -> list[tuple[Any, BaseGeometry]]:
    """Leave out empty bands, and put neighbours together until there are few."""
    bands = [(level, area) for level, area in bands if not area.is_empty]
    step = -(-len(bands) // MOST_BANDS)
    if step < 2:
        return bands
    groups = [bands[max(0, end - step) : end] for end in range(len(bands), 0, -step)][::-1]
    return [(group[-1][0], nested([area for _, area in group])[-1]) for group in groups]
