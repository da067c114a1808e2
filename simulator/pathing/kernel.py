"""The numpy kernel: prepare a board once, then ask as often as you like.

    prepared = Prepared(space)                    # board contents become bits
    costs = prepared.search(starts, budget)       # one query
    many = prepared.search_many(queries)          # many, side by side
    later = prepared.with_masks(enter=free)       # the same board, other units in the way

Three executors give the same integers. `wide` runs the plan on wide integers, for one query; `words` on machine words,
for many queries or a whole board; `relax` needs no levels and serves prices too fine or too many for bits. Which one
is taken is estimated from the size of the question; the answer says which (`Costs.method`), and tests force each.
"""

from __future__ import annotations

import math
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cached_property
from types import EllipsisType
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np
from numpy.typing import NDArray

from simulator.pathing.choice import estimates
from simulator.pathing.costs import Costs, Seeds, Window
from simulator.pathing.ground import Ground
from simulator.pathing.move_space import Mask, MoveSpace, MoveSpaceError, Start, checked_budget
from simulator.pathing.plan import Plan, compile_plan
from simulator.pathing.relax import Relief, search_relax
from simulator.pathing.wide import search_wide
from simulator.pathing.wide_code import Flood, written
from simulator.pathing.words import Frame, Tape

Method: TypeAlias = Literal["wide", "words", "relax"]

#: So many tapes are kept for each prepared board; the one not used for longest is dropped first.
TAPES_KEPT = 4
#: A batch is cut into parts whose sets of cells take about so many bytes each: all of a level fits the cache then.
SET_BYTES = 128 * 1024
#: Batches are filled up to a multiple of this, so that batches of similar size share a tape.
SIDE_BY_SIDE = 32


class Query(NamedTuple):
    """Where to set out from, and with how much (None: no limit)."""

    starts: Sequence[Start]
    budget: int | None


class Prepared:
    """A move space made ready for many searches. It never changes, and may be shared.

    >>> from simulator.pathing.move_space import UNREACHED, Step
    >>> steps = [Step("south", 1, 0), Step("east", 0, 1)]
    >>> prepared = Prepared(MoveSpace((2, 3), steps, starts=[Start(0, 0)], budget=2))
    >>> costs = prepared.search()
    >>> costs.at(1, 1), costs.at(1, 2) == UNREACHED, costs.method
    (2, True, 'wide')
    """

    def __init__(self, space: MoveSpace) -> None:
        self.space = space
        self.plan = compile_plan(space)
        self._sources: dict[tuple[bool, ...], tuple[str, Flood]] = {}
        self._tapes: OrderedDict[Any, Tape] = OrderedDict()
        if self.plan.has_bits:
            self.ground = Ground(space, self.plan)

    def with_masks(
        self,
        *,
        enter: Mask | None | EllipsisType = ...,
        pass_: Mask | None | EllipsisType = ...,
        end: Mask | None | EllipsisType = ...,
        leave: Mask | None | EllipsisType = ...,
    ) -> Prepared:
        """Give the same board and steps with other masks, as when units have moved. Masks not named stay."""
        named = {"enter": enter, "pass_": pass_, "end": end, "leave": leave}
        space = replace(self.space, **{name: mask for name, mask in named.items() if mask is not ...})  # type: ignore[arg-type]
        if any(_by_state(getattr(space, name)) != _by_state(getattr(self.space, name)) for name in named):
            return Prepared(space)
        other = object.__new__(Prepared)
        other.__dict__.update(space=space, plan=self.plan, _sources=self._sources, _tapes=self._tapes)
        if self.plan.has_bits:
            other.ground = self.ground.with_masks(space)
        return other

    # --- what is prepared, and when ---

    @property
    def source(self) -> str:
        """The plan written down as Python, as the executor for wide integers runs it. Made to be read."""
        return self._written[0]

    @property
    def _written(self) -> tuple[str, Flood]:
        has_door = tuple(door is not None for door in self.ground.door_masks)
        if has_door not in self._sources:
            self._sources[has_door] = written(self.plan, has_door)
        return self._sources[has_door]

    @cached_property
    def _flood(self) -> Flood:
        return self._written[1]

    @cached_property
    def _relief(self) -> Relief:
        return Relief(self.space, self.plan)

    def _tape(self, frame: Frame, by_state: bool) -> Tape:
        key = (frame.shape, frame.word_bits, frame.start_rows, by_state, tuple(self.ground.door_masks))
        if key not in self._tapes:
            self._tapes[key] = Tape(self.ground, frame, by_state)
            if len(self._tapes) > TAPES_KEPT:
                self._tapes.popitem(last=False)
        self._tapes.move_to_end(key)
        return self._tapes[key]

    # --- one query ---

    def search(
        self,
        starts: Iterable[Start] | None = None,
        budget: int | None | EllipsisType = ...,
        method: Method | None = None,
    ) -> Costs:
        """Find the cheapest cost of every state; starts and budget are those of the space unless given."""
        space = self.space
        starts = space.starts if starts is None else space.checked_starts(starts)
        budget = space.budget if budget is ... else checked_budget(budget)
        return self.search_seeds(Seeds.of(space, starts, budget), budget, method)

    def search_seeds(self, seeds: Seeds, budget: int | None, method: Method | None = None) -> Costs:
        """Find the cheapest cost of every state from starts that are columns already."""
        if not len(seeds):
            return Costs.nowhere(self.space, seeds)
        question = _Question(self.plan, [seeds], [budget])
        chosen = self._chosen(question, method)
        if chosen == "wide":
            cut, ticks, unreached = search_wide(self.ground, self._flood, question.counted[0], question.ticks)
            window = self.ground.window(cut)
        else:
            windows, many, unreached = self._together(question, chosen, by_state=True)
            window, ticks = windows[0], many[0]
        return Costs(self.space, seeds, window, ticks, unreached, question.tick, question.least[0], chosen)

    # --- many queries ---

    def search_many(
        self, queries: Sequence[Query], *, by_state: bool = False, method: Method | None = None
    ) -> Batch:
        """Answer many queries side by side. Without `by_state` only the least cost of each cell is kept."""
        space = self.space
        budgets = [checked_budget(query.budget) for query in queries]
        seeds = [
            Seeds.of(space, space.checked_starts(query.starts), budget)
            for query, budget in zip(queries, budgets, strict=True)
        ]
        asked = [number for number, some in enumerate(seeds) if len(some)]
        question = _Question(self.plan, [seeds[i] for i in asked], [budgets[i] for i in asked])
        if not asked:
            return Batch(self, seeds, budgets, {}, [], np.zeros((0, 1, 1, 1), np.uint8), 1, question)
        chosen = self._chosen(question, method)
        if chosen == "wide":
            windows, ticks, unreached = self._one_by_one(question, by_state)
        else:
            windows, ticks, unreached = self._together(question, chosen, by_state)
        place = {number: i for i, number in enumerate(asked)}
        return Batch(self, seeds, budgets, place, windows, ticks, unreached, question, chosen)

    def _together(self, question: _Question, method: Method, by_state: bool) -> tuple[list[Window], NDArray[Any], int]:
        """Answer with words or relaxation: windows, and ticks in the shape (queries, layers or 1, height, width)."""
        if method == "relax":
            windows, costs, unreached = search_relax(self._relief, question.counted, question.ticks, question.finer)
            ticks = np.moveaxis(costs, -1, 0)
            ticks = ticks if by_state else ticks.min(axis=1, keepdims=True)
        else:
            windows, ticks, unreached = self._on_words(question, by_state)
        return windows, question.within_budgets(ticks, unreached), unreached

    def _on_words(self, question: _Question, by_state: bool) -> tuple[list[Window], NDArray[Any], int]:
        count = len(question.counted)
        whole = Frame.around(self.ground, question.counted, question.ticks)
        set_bytes = whole.height * whole.words * whole.word_bits // 8
        part = max(SIDE_BY_SIDE, SET_BYTES // set_bytes // SIDE_BY_SIDE * SIDE_BY_SIDE)
        part = min(part, -(-count // SIDE_BY_SIDE) * SIDE_BY_SIDE) if count > 1 else 1
        ticks: NDArray[Any] | None = None
        levels = 0
        for first in range(0, count, part):
            chosen = np.minimum(np.arange(first, first + part), count - 1)  # the last query fills up the last part
            frame = whole.part(chosen)
            queries = [question.counted[i] for i in chosen.tolist()]
            tape = self._tape(frame, by_state)
            levels = tape.play(frame.masks(self.ground, queries), frame.due(queries), question.ticks)
            counts = tape.counts(levels)  # layer, row, word, query, bit
            if ticks is None:
                shape = (count, len(counts), whole.height, whole.words, whole.word_bits)
                ticks = np.empty(shape, counts.dtype)
            taken = min(part, count - first)
            ticks[first : first + taken] = np.moveaxis(counts, 3, 0)[:taken]
        assert ticks is not None
        windows = [whole.window(query) for query in range(count)]
        return windows, ticks.reshape(*ticks.shape[:3], -1), levels

    def _one_by_one(self, question: _Question, by_state: bool) -> tuple[list[Window], NDArray[Any], int]:
        answers = []
        for seeds, ticks in zip(question.counted, question.ticks_of, strict=True):
            cut, costs, unreached = search_wide(self.ground, self._flood, seeds, ticks)
            answers.append((self.ground.window(cut), costs if by_state else costs.min(axis=0, keepdims=True), unreached))
        height, width = (max(window[axis] for window, _, _ in answers) for axis in (2, 3))
        most = max(unreached for _, _, unreached in answers)
        shape = (len(answers), len(answers[0][1]), height, width)
        together = np.full(shape, most, np.min_scalar_type(most))
        for number, (window, costs, unreached) in enumerate(answers):
            part = together[number, :, : window.height, : window.width]
            np.copyto(part, costs, where=costs < unreached, casting="unsafe")
        return [window._replace(height=height, width=width) for window, _, _ in answers], together, most

    # --- the choice ---

    def _chosen(self, question: _Question, method: Method | None) -> Method:
        """Choose an executor, or refuse the one asked for where it can not answer."""
        if method is not None and method not in get_args(Method):
            raise MoveSpaceError(f"no such executor: {method!r} (known: {', '.join(get_args(Method))})", "method")
        if not self.plan.has_bits or question.finer > 1:
            if method not in (None, "relax"):
                why = "starts are paid in finer steps than any price" if self.plan.has_bits else "too many prices"
                raise MoveSpaceError(f"{method!r} can not answer this: {why}; 'relax' can", "method")
            return "relax"
        if method is not None:
            return method
        window = question.window(self.space.shape)
        found = estimates(self.plan, self.space.shape, window, question.ticks, len(question.counted))
        return min(get_args(Method), key=found.__getitem__)


class _Question:
    """Starts and budgets counted in ticks, each query from the least that is paid for one of its starts."""

    def __init__(self, plan: Plan, seeds: Sequence[Seeds], budgets: Sequence[int | None]) -> None:
        self.plan = plan
        self.least = [min(some.price) for some in seeds]
        above = (paid - least for some, least in zip(seeds, self.least, strict=True) for paid in some.price)
        self.tick = math.gcd(plan.tick, *above)
        #: How many ticks of the question one tick of the plan is: more than 1 where starts are paid in between.
        self.finer = plan.tick // self.tick
        self.counted = [some.counted_in(self.tick, least) for some, least in zip(seeds, self.least, strict=True)]
        self.ticks_of = [
            None if budget is None else (budget - least) // self.tick
            for budget, least in zip(budgets, self.least, strict=True)
        ]
        limits = [ticks for ticks in self.ticks_of if ticks is not None]
        self.ticks = max(limits, default=0) if len(limits) == len(self.ticks_of) else None

    def window(self, shape: tuple[int, int]) -> tuple[int, int]:
        """Give about how many rows and columns a query can touch."""
        far = self.plan.reach(None if self.ticks is None else self.ticks // self.finer, shape)
        spans = [[last - first for first, last in seeds.box] for seeds in self.counted]
        return tuple(min(max(span[i] for span in spans) + 2 * far[i] + 1, shape[i]) for i in (0, 1))  # type: ignore[return-value]

    def within_budgets(self, ticks: NDArray[Any], unreached: int) -> NDArray[Any]:
        """Take out what lies beyond the budget of its query."""
        if any(limit != self.ticks for limit in self.ticks_of):
            for number, limit in enumerate(self.ticks_of):
                if limit is not None:
                    ticks[number][ticks[number] > limit] = unreached
        return ticks


class Batch(Sequence[Costs]):
    """The answers to many queries. `batch[3]` is the answer to the fourth one, `batch.cells(3)` its costs by cell."""

    def __init__(
        self,
        prepared: Prepared,
        seeds: list[Seeds],
        budgets: list[int | None],
        place: dict[int, int],
        windows: list[Window],
        ticks: NDArray[Any],
        unreached: int,
        question: _Question,
        method: str = "",
    ) -> None:
        self.prepared = prepared
        self.seeds, self.budgets = seeds, budgets
        self._place, self._windows, self._question = place, windows, question
        #: Costs in ticks, in the shape (queries, layers or 1, height, width), for the queries that have a start.
        self.ticks = ticks
        self.unreached_tick = unreached
        self.method = method

    def __len__(self) -> int:
        return len(self.seeds)

    def cells(self, query: int) -> Costs:
        """Give the answer to one query by cell: costs of one layer, the least over headings and phases."""
        return self._costs(query, self.ticks[self._place[query]].min(axis=0, keepdims=True))

    def __getitem__(self, query: Any) -> Any:
        """Give the answer to one query. Where only cells were kept, its states are searched once more."""
        if isinstance(query, slice):
            return [self[number] for number in range(*query.indices(len(self)))]
        query = range(len(self))[query]
        if query not in self._place or self.ticks.shape[1] != self.prepared.space.layers:
            return self.prepared.search_seeds(self.seeds[query], self.budgets[query])
        return self._costs(query, self.ticks[self._place[query]])

    def _costs(self, query: int, ticks: NDArray[Any]) -> Costs:
        number = self._place[query]
        return Costs(
            self.prepared.space,
            self.seeds[query],
            self._windows[number],
            ticks,
            self.unreached_tick,
            self._question.tick,
            self._question.least[number],
            self.method,
        )


def _by_state(mask: Mask | None) -> bool:
    return mask is not None and mask.ndim == 4
