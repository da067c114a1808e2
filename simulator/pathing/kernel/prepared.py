"""The numpy kernel: prepare a board once, then search as often as you like.

    prepared = Prepared(space)                    # board contents become bits
    costs = prepared.search(starts, budget)       # one query
    many = prepared.search_many(queries)          # many, side by side
    later = prepared.with_masks(enter=free)       # the same board, other units in the way

Five executors return the same integers. `single_bigint` runs the plan on wide integers, for one query; `batch_words`
on machine words, for many queries or a whole board; `relaxation` needs no levels and serves many queries with prices
too fine or too many for bits. Two look at single states (`sparse`): `waves`, for what is long and thin or has such
prices, and `shortcuts`, for boards contracted beforehand. With numba there are two more of compiled code (`fast`):
`fast_levels` where prices are few, `fast_buckets` for all else. The choice is estimated from the size of the query
and from what earlier searches of the board took; the answer names it (`Costs.method`), and tests force each.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property
from types import EllipsisType
from typing import Any, Literal, NamedTuple, TypeAlias, Unpack, get_args

import numpy as np
from numpy.typing import NDArray

from simulator.byte_cache import ByteCache
from simulator.pathing.costs import Costs, Window
from simulator.pathing.kernel.batch import Batch, KernelAnswer
from simulator.pathing.kernel.batch_words import Frame, Tape
from simulator.pathing.kernel.bigint_code import Flood, written
from simulator.pathing.kernel.board_bits import BoardBits
from simulator.pathing.kernel.compile import compile_plan
from simulator.pathing.kernel.dispatch import Experience, estimates, patience
from simulator.pathing.kernel.fast import compiled
from simulator.pathing.kernel.fast_buckets import DEAREST
from simulator.pathing.kernel.fast_levels import FastLevels, Layout, laid_out
from simulator.pathing.kernel.legal import most_paid, never_reached
from simulator.pathing.kernel.relaxation import Relief, search_relax
from simulator.pathing.kernel.single_bigint import search_wide
from simulator.pathing.kernel.sparse import Sparse
from simulator.pathing.move_space import (
    Mask,
    Masks,
    MoveSpace,
    MoveSpaceError,
    Start,
    checked_budget,
)
from simulator.pathing.seeds import Seeds, SeedTable

Method: TypeAlias = Literal["wide", "words", "relax", "waves", "shortcuts", "levels", "buckets"]

METHODS: tuple[Method, ...] = get_args(Method)
#: The executors that take one query at a time.
ALONE = ("wide", "waves", "shortcuts", "buckets")
#: The executors that need numba.
COMPILED: tuple[Method, ...] = ("levels", "buckets")
#: The most bytes of the tapes cached for each prepared board.
TAPE_BYTES = 64 * 1024 * 1024
#: The most bytes of what is cached for queries of one size, and of the plan compiled to code.
_NOTES_BYTES = 4 * 1024 * 1024
#: The most prices kept for searches of single states, four bytes each, one for each step of each cell.
MOST_PRICES = 2**26
#: A board of fewer states is not contracted where compiled code searches it.
FEW_STATES = 4096
#: A batch is cut into parts whose sets of cells take about this many bytes each, to stay in the cache.
SET_BYTES = 128 * 1024
#: Batches are filled up to a multiple of this, so that batches of similar size share a tape.
SIDE_BY_SIDE = 32


class Query(NamedTuple):
    """The starts and the budget (None: no limit) of a search."""

    starts: Sequence[Start]
    budget: int | None


class Prepared:
    """A move space made ready for many searches.

    Threads may share it. What is prepared is never changed by a search; the arrays that a batch works on are lent to
    one search at a time, and another that runs meanwhile gets arrays of its own.

    >>> from simulator.pathing.move_space import UNREACHED, MoveStep
    >>> steps = [MoveStep("south", 1, 0), MoveStep("east", 0, 1)]
    >>> prepared = Prepared(MoveSpace((2, 3), steps, starts=[Start(0, 0)], budget=2))
    >>> costs = prepared.search()
    >>> costs.at(1, 1), costs.at(1, 2) == UNREACHED, costs.method
    (2, True, 'wide')
    """

    #: What was asked about last when nothing was left to be counted, and the executor chosen for it.
    _last_choice: tuple[tuple[Any, ...], Method] = ((), "relax")

    def __init__(self, space: MoveSpace) -> None:
        self.space = space
        self.plan = compile_plan(space)
        self._sources: ByteCache[tuple[str, Flood]] = ByteCache(_NOTES_BYTES, lambda found: len(found[0]) * 4)
        self._tapes: ByteCache[Tape] = ByteCache(TAPE_BYTES)
        self._layouts: ByteCache[Layout] = ByteCache(_NOTES_BYTES, lambda found: found.byte_count)
        self._choices: ByteCache[tuple[Method, float]] = ByteCache(_NOTES_BYTES)
        self._known = Experience()
        #: How many levels make a search long, and a cost in ticks that none has.
        self._long, self._never = patience(self.plan, space.shape), never_reached(space, self.plan.tick)
        if self.plan.has_bits:
            self.ground = BoardBits(space, self.plan)

    def __reduce__(self) -> tuple[type[Prepared], tuple[MoveSpace]]:
        """Travel to another process as the space alone, and be prepared there again."""
        return Prepared, (self.space,)

    def with_masks(self, **masks: Unpack[Masks]) -> Prepared:
        """Return the same board and steps with other masks, as when units have moved. Masks not named stay."""
        space = self.space.with_masks(**masks)
        if any(_by_state(getattr(space, name)) != _by_state(getattr(self.space, name)) for name in masks):
            return Prepared(space)
        other = object.__new__(Prepared)
        other.__dict__.update(space=space, plan=self.plan, _sources=self._sources, _tapes=self._tapes)
        other.__dict__.update(_layouts=self._layouts)
        other.__dict__.update(_choices=self._choices, _known=Experience(), _long=self._long, _never=self._never)
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
        return self._sources.get(has_door, lambda: written(self.plan, has_door))

    @cached_property
    def _flood(self) -> Flood:
        return self._written[1]

    @cached_property
    def _levels(self) -> FastLevels:
        ground = self.ground
        has_door = tuple(door is not None for door in ground.door_masks)
        made = self._layouts.get(has_door, lambda: laid_out(self.plan, ground.door_masks, len(ground.masks)))
        return FastLevels(ground, made)

    @cached_property
    def _relief(self) -> Relief:
        return Relief(self.space, self.plan)

    @cached_property
    def _sparse(self) -> Sparse:
        return Sparse(self.space, self.plan.tick, self._never)

    @contextmanager
    def _tape(self, frame: Frame, by_state: bool) -> Iterator[Tape]:
        """Lend a tape for windows of a size: nobody else works on its arrays until its answer has been read."""
        key = (frame.shape, frame.word_bits, frame.start_rows, by_state, tuple(self.ground.door_masks))
        tape = self._tapes.take(key) or Tape(self.ground, frame, by_state)
        yield tape
        self._tapes.give_back(key, tape)

    # --- one query ---

    def search(
        self,
        starts: Iterable[Start] | None = None,
        budget: int | EllipsisType | None = ...,
        method: Method | None = None,
    ) -> Costs:
        """Find the cheapest cost of every state; starts and budget are by default those of the space."""
        space = self.space
        starts = space.starts if starts is None else space.checked_starts(starts)
        budget = space.budget if budget is ... else checked_budget(budget)
        return self.search_seeds(Seeds.of(space, starts, budget), budget, method)

    def search_seeds(self, seeds: Seeds, budget: int | None, method: Method | None = None) -> Costs:
        """Find the cheapest cost of every state from starts in columns."""
        if not len(seeds):
            return Costs.nowhere(self.space, seeds)
        least = min(seeds.price)
        tick = math.gcd(self.plan.tick, *(paid - least for paid in seeds.price))
        limit = None if budget is None else (budget - least) // tick
        counted = seeds.counted_in(tick, least)
        (top, bottom), (left, right) = seeds.box
        spans = bottom - top, right - left
        long = self._long
        is_long = method is None and (limit is None or limit > long)
        if is_long and self._known.contracting_pays(self.plan):
            self.contract()
        size = tick, max(counted.price), spans, limit, 1
        chosen = self._chosen(*size, method)
        found = None
        if is_long and chosen in ("wide", "words", "levels") and self._known.longest <= long:
            endless = self._known._replace(longest=2 * long)
            if self._chosen(*size, None, endless) != chosen:
                found = self._one(counted, long, tick, chosen)
                if found[2] > long:  # still not at its end
                    self._known, found = endless, None
                    chosen = self._chosen(*size, None)
        window, ticks, unreached = found or self._one(counted, limit, tick, chosen)
        if is_long and chosen != "shortcuts" and not self._known.tried and not (chosen == "buckets" and self._is_small):
            self._learn(spans, chosen, ticks, unreached)
        return Costs(self.space, seeds, window, ticks, unreached, tick, least, chosen)

    def contract(self) -> bool:
        """Contract the board now, not after many searches; return False if it is not thin, and stays as it is."""
        board = self._sparse.contraction
        self._known = self._known.with_contraction(board)
        return board is not None

    def _learn(self, spans: tuple[int, int], method: Method, ticks: NDArray[Any], unreached: int) -> None:
        """Remember how far a search went, and what it took."""
        reached = ticks < unreached
        longest, states = int(ticks.max(initial=0, where=reached)), int(np.count_nonzero(reached))
        taken = estimates(self.plan, self.space.shape, spans, longest, 1, self._known)[method]
        self._known = self._known.with_search(self.plan, longest, states, taken)

    def _one(self, seeds: Seeds, limit: int | None, tick: int, method: Method) -> tuple[Window, NDArray[Any], int]:
        """Answer one query: its window, costs by state, and the number for "not reached"."""
        if method in ALONE or method == "levels":
            return self._alone(seeds, limit, method)
        found = self._together(SeedTable.of([seeds]), limit, tick, method, by_state=True)
        return found.window(0), found.ticks[0], found.unreached

    # --- many queries ---

    def search_many(self, queries: Sequence[Query], *, by_state: bool = False, method: Method | None = None) -> Batch:
        """Answer many queries side by side. Without `by_state` only the least cost of each cell is kept."""
        checked = {budget: checked_budget(budget) for budget in {query.budget for query in queries}}
        budgets = [checked[query.budget] for query in queries]
        every = SeedTable.of_starts(self.space, [query.starts for query in queries], budgets)
        return self._batch(every, budgets, by_state, method)

    def search_each(
        self, seeds: SeedTable, budget: int | None, *, by_state: bool = False, method: Method | None = None
    ) -> Batch:
        """Answer many queries whose starts are columns already, all with one budget that covers the starts."""
        return self._batch(seeds, [checked_budget(budget)] * len(seeds), by_state, method)

    def _batch(self, every: SeedTable, budgets: Sequence[int | None], by_state: bool, method: Method | None) -> Batch:
        if not len(every):
            none = np.zeros(0, np.int64)
            return Batch(self, budgets, every, [], KernelAnswer(none, none, np.zeros((0, 1, 1, 1), np.uint8), 0))
        numbers, query = np.unique(every.query, return_inverse=True)
        table = replace(every, query=query)  # without the queries that have no start
        above = table.price - table.least[query]
        tick = math.gcd(self.plan.tick, *np.unique(above).tolist())
        endless = np.array([budgets[number] is None for number in numbers])
        limits = (np.array([budgets[number] or 0 for number in numbers]) - table.least) // tick
        limit = None if endless.any() else int(limits.max())
        counted = table.priced(above // tick)
        chosen = self._chosen(tick, int(counted.price.max()), table.spans, limit, len(numbers), method)
        if chosen in ALONE:
            each = [None if free else int(one) for free, one in zip(endless, limits, strict=True)]
            found = self._one_by_one(counted, each, by_state, chosen)
        else:
            found = self._together(counted, limit, tick, chosen, by_state)
            if limit is None or (limits < limit).any():
                beyond = (found.ticks > limits[:, None, None, None]) & ~endless[:, None, None, None]
                found.ticks[beyond] = found.unreached
        return Batch(self, budgets, every, numbers.tolist(), found, tick, table.least, chosen)

    def _together(self, seeds: SeedTable, limit: int | None, tick: int, method: Method, by_state: bool) -> KernelAnswer:
        """Answer with words or by relaxation."""
        if method == "words":
            return self._on_words(seeds, limit, by_state)
        if method == "levels":
            return self._levels.search_many(seeds, limit, by_state)
        tops, lefts, ticks, unreached = search_relax(self._relief, seeds, limit, self.plan.tick // tick)
        return KernelAnswer(tops, lefts, ticks if by_state else ticks.min(axis=1, keepdims=True), unreached)

    def _on_words(self, seeds: SeedTable, limit: int | None, by_state: bool) -> KernelAnswer:
        count = len(seeds)
        whole = Frame.around(self.ground, seeds, limit)
        parts = -(-count * whole.height * whole.words * whole.word_bits // (8 * SET_BYTES))
        part = -(-count // (parts * SIDE_BY_SIDE)) * SIDE_BY_SIDE if count > 1 else 1
        layers = self.space.layers if by_state else 1
        ticks: NDArray[Any] | None = None
        levels = 0
        for first in range(0, count, part):
            frame, chosen = whole.part(first, part), seeds.part(first, part)
            with self._tape(frame, by_state) as tape:
                levels = tape.play(frame.masks(self.ground, chosen), frame.due(chosen), limit)
                if ticks is None:
                    dtype = np.min_scalar_type(levels)
                    ticks = np.empty((count, layers, whole.height, whole.words, whole.word_bits), dtype)
                tape.counts(levels, ticks[first : first + part])
        assert ticks is not None
        return KernelAnswer(whole.tops, whole.lefts, ticks.reshape(count, layers, whole.height, -1), levels)

    def _alone(self, seeds: Seeds, limit: int | None, method: Method) -> tuple[Window, NDArray[Any], int]:
        """Answer one query by itself."""
        if method == "wide":
            cut, ticks, unreached = search_wide(self.ground, self._flood, seeds, limit)
            return self.ground.window(cut), ticks, unreached
        if method == "levels":
            return self._levels.search(seeds, limit)
        if method == "buckets":
            window = self._touched(seeds, limit)
            return window, *self._sparse.in_buckets(seeds, limit, window)
        search = self._sparse.in_waves if method == "waves" else self._sparse.by_shortcuts
        return Window(0, 0, *self.space.shape), *search(seeds, limit)

    def _touched(self, seeds: Seeds, limit: int | None) -> Window:
        """Return the part of the board that a search can touch."""
        rows, cols = self.space.shape
        far_rows, far_cols = self.plan.reach(limit, self.space.shape)
        (first_row, last_row), (first_col, last_col) = seeds.box
        top, left = max(first_row - far_rows, 0), max(first_col - far_cols, 0)
        return Window(top, left, min(last_row + far_rows + 1, rows) - top, min(last_col + far_cols + 1, cols) - left)

    def _one_by_one(self, seeds: SeedTable, limits: list[int | None], by_state: bool, method: Method) -> KernelAnswer:
        answers = []
        for number, limit in enumerate(limits):
            window, ticks, unreached = self._alone(seeds.of_query(number), limit, method)
            kept = ticks if by_state else ticks.min(axis=0, keepdims=True)
            answers.append((window, kept, unreached))
        height, width = (max(window[axis] for window, _, _ in answers) for axis in (2, 3))
        most = max(unreached for _, _, unreached in answers)
        together = np.full((len(answers), len(answers[0][1]), height, width), most, np.min_scalar_type(most))
        for number, (window, ticks, unreached) in enumerate(answers):
            part = together[number, :, : window.height, : window.width]
            np.copyto(part, ticks, where=ticks < unreached, casting="unsafe")
        corners = np.array([window[:2] for window, _, _ in answers], np.int64)
        return KernelAnswer(corners[:, 0], corners[:, 1], together, most)

    # --- the choice ---

    def _chosen(
        self,
        tick: int,
        paid: int,
        spans: tuple[int, int],
        limit: int | None,
        queries: int,
        method: Method | None,
        known: Experience | None = None,
    ) -> Method:
        """Choose an executor, or refuse the requested one if it cannot answer."""
        asked = (tick, paid, spans, limit, queries, method, known or self._known, compiled.is_used, compiled.wish)
        if self._last_choice[0] == asked:
            return self._last_choice[1]
        if method is not None and method not in METHODS:
            raise MoveSpaceError(f"no such executor: {method!r} (known: {', '.join(METHODS)})", "method")
        may_pay = compiled.may_pay()
        able = self._able(tick, paid, queries, compiled.is_used or method in COMPILED)
        if method in COMPILED and compiled.code is None:
            raise MoveSpaceError(f"{method!r} cannot answer this: {compiled.why_not}; 'relax' can", "method")
        if method in able or (method == "relax" and queries == 1):
            return method
        if method is not None:
            raise MoveSpaceError(
                f"{method!r} cannot answer this: {self._unable(tick, paid, method)}; 'relax' can", "method"
            )
        if len(able) == 1:
            return able[0]
        known = known or self._known
        apart = paid if limit is None else 0
        size = (spans, limit, queries, able, may_pay, known.seen, apart)

        def quickest() -> tuple[Method, float]:
            found = estimates(self.plan, self.space.shape, spans, limit, queries, known, apart)
            best = min((one for one in able if one in found), key=found.__getitem__)
            if not may_pay:
                return best, 0.0
            with_numba = self._able(tick, paid, queries, with_compiled=True)
            return best, found[best] - min(found[one] for one in with_numba if one in found)

        best, saved = self._choices.get(size, quickest)
        if may_pay:
            compiled.would_have_saved(saved)
        else:
            self._last_choice = asked, best
        return best

    def _able(self, tick: int, paid: int, queries: int, with_compiled: bool) -> tuple[Method, ...]:
        """Name the executors that can answer queries with starts paid like that, and are ever the quickest."""
        if tick != self.plan.tick:
            return ("relax",)
        able: tuple[Method, ...] = ("wide", "words") if self.plan.has_bits else ()
        if with_compiled and self.plan.has_bits:
            able += ("levels",)
        if paid > most_paid(self._never) or self._is_large:
            return (*able, "relax")
        able += ("waves", "shortcuts")
        if with_compiled and not self._is_dear:
            able += ("buckets",)
        return able if queries == 1 else (*able, "relax")

    @property
    def _is_large(self) -> bool:
        """Whether the prices of all steps of all cells take too much memory."""
        return self.plan.steps * self.space.shape[0] * self.space.shape[1] > MOST_PRICES

    @cached_property
    def _is_small(self) -> bool:
        """Whether compiled code searches the board so quickly that contracting it is not worth a thought."""
        return self.space.layers * self.space.shape[0] * self.space.shape[1] < FEW_STATES

    @cached_property
    def _is_dear(self) -> bool:
        """Whether a step may cost too much for a queue of buckets."""
        return self.space.dearest // self.plan.tick > DEAREST

    def _unable(self, tick: int, paid: int, method: Method) -> str:
        """Say why not every executor can answer a query."""
        if tick != self.plan.tick:
            return "starts are paid in finer steps than any price"
        if paid > most_paid(self._never):
            return "a start is paid too much to be counted with"
        if self._is_large:
            return "the board is too large"
        return "prices are too high" if method == "buckets" else "too many prices, or too high ones"


def _by_state(mask: Mask | None) -> bool:
    return mask is not None and mask.ndim == 4
