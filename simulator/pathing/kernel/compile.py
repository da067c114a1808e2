"""Compile a table of steps to the few bit operations of a level of the search.

The kernel keeps one set of cells for each layer and each cost: R[layer](c) contains the cells that can be reached for
at most c. Steps that lead into the same layer at the same base price are one *spread*, and two formulas define the
search:

    G[g](c)  = OR over the steps of g:  R[from](c) & may leave, shifted by the offset
    R[to](c) = starts | OR over classes k of ground:  M[k] & OR over spreads g:  G[g](c - price of k by g)

M[k] are the cells of one price class that may be entered. Sets only grow with c, so no state has to be removed, and a
level only needs data of the last few levels. Prices of 0 make the second formula refer to its own level: it is then
repeated until nothing is added.

Everything is bits: M by class, R by layer, offsets as shifts. `single_bigint` and `batch_words` run these programs.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeAlias, TypeVar

import numpy as np

from simulator.byte_cache import ByteCache
from simulator.pathing.move_space import Mask, MoveSpace, MoveStep, Plane, shifted

_Item = TypeVar("_Item", bound=Hashable)
#: A layer, and the number of the gate through which it may be left (None: no gate).
_Exit: TypeAlias = tuple[int, int | None]
#: The sources of a spread: exits and the offsets that they share.
_Term: TypeAlias = list[tuple[tuple[_Exit, ...], tuple[tuple[int, int], ...]]]

#: The most bytes of cached results about budgets.
_NOTES_BYTES = 2**20
#: With more classes of ground than this a board is searched without bits, since each class costs work at each level.
MOST_CLASSES = 256
#: With a step that costs more ticks than this it is searched without bits, too: levels so far back are kept in memory.
MOST_LEVELS_BACK = 1024


@dataclass(frozen=True)
class Shift:
    """A set of cells shifted by one offset."""

    piece: int
    d_row: int
    d_col: int


@dataclass(frozen=True)
class Arrival:
    """The arrivals at cells of one class: M[ground] & OR of the spreads, each a number of ticks ago."""

    ground: int
    spreads: tuple[tuple[int, int], ...]


@dataclass(frozen=True, eq=False)
class Price:
    """The cost of a spread: `base` times the plane, in the frame of arrival (None: 1 everywhere)."""

    to_layer: int
    base: int
    plane: Plane | None


@dataclass(frozen=True, eq=False)
class Class:
    """Cells of one price, in the frame of arrival; `enter` numbers the mask of those that may be entered."""

    cells: Mask
    enter: int


@dataclass(frozen=True, eq=False)
class LevelProgram:
    """The operations of a level, in order. Sets are numbered as *pieces* in the order of their computation.

    Pieces are first the `exits` (the part of a layer that may be left through a gate), then the `unions` of exits that
    share their offsets, then the `smears` (shifted to several columns), then the `joins` of pieces that one spread
    shifts by the same offset. `spreads` are made of pieces.
    """

    layers: int
    #: The length of the table of steps.
    steps: int
    exits: tuple[tuple[int, int | None], ...]
    unions: tuple[tuple[int, ...], ...]
    smears: tuple[tuple[Shift, ...], ...]
    joins: tuple[tuple[int, ...], ...]
    spreads: tuple[tuple[Shift, ...], ...]
    #: The destination and cost of each spread.
    prices: tuple[Price, ...]
    #: False if there are too many prices for bits to pay off, or too high ones: then there are no classes and no
    #: arrivals.
    has_bits: bool
    arrivals: tuple[tuple[Arrival, ...], ...]
    free: tuple[tuple[Arrival, ...], ...]
    classes: tuple[Class, ...]
    gates: tuple[Mask, ...]
    #: The greatest unit that divides every price; delays are counted in it.
    tick: int
    #: The most levels back at which each spread is read.
    memory: tuple[int, ...]
    paces: tuple[Pace, ...]
    _reaches: ByteCache[tuple[int, int]] = field(default_factory=lambda: ByteCache(_NOTES_BYTES), repr=False)

    @cached_property
    def widest(self) -> int:
        """The most columns that one step crosses."""
        return max((pace.d_col for pace in self.paces), default=0)

    @cached_property
    def longest(self) -> int:
        """The most rows that one step crosses."""
        return max((pace.d_row for pace in self.paces), default=0)

    @cached_property
    def combined(self) -> tuple[tuple[Shift, ...], ...]:
        """The pieces made of other pieces, in order: unions, smears and joins."""
        unions, joins = ([tuple(Shift(piece, 0, 0) for piece in g) for g in sets] for sets in (self.unions, self.joins))
        return (*unions, *self.smears, *joins)

    def reach(self, ticks: int | None, shape: tuple[int, int]) -> tuple[int, int]:
        """Bound the rows and columns that anything can cross within a number of ticks on a board of a shape."""

        def farthest() -> tuple[int, int]:
            beyond = shape[0] + self.longest, shape[1] + self.widest
            far = [pace.reach(ticks, beyond) for pace in self.paces]
            return max((r for r, _ in far), default=0), max((c for _, c in far), default=0)

        return self._reaches.get((ticks, shape), farthest)


@dataclass(frozen=True)
class Pace:
    """The length of one step, and its least cost anywhere on the board."""

    d_row: int
    d_col: int
    ticks: int

    def reach(self, ticks: int | None, beyond: tuple[int, int]) -> tuple[int, int]:
        """Bound the rows and columns that this step alone can cross; `beyond` exceeds the size of the board."""
        if ticks is None or self.ticks == 0:
            return (beyond[0] if self.d_row else 0), (beyond[1] if self.d_col else 0)
        return min(self.d_row * ticks // self.ticks, beyond[0]), min(self.d_col * ticks // self.ticks, beyond[1])


@dataclass
class _Spread:
    """Steps that lead into one layer at one base price."""

    to_layer: int
    base: int
    ground: Hashable
    sources: list[tuple[_Exit, int, int]] = field(default_factory=list)
    steps: list[MoveStep] = field(default_factory=list)


def compile_plan(space: MoveSpace) -> LevelProgram:
    """Compile the steps and the ground of a move space."""
    gates, gate_of = _gates(space)
    spreads: dict[Hashable, _Spread] = {}
    grounds: dict[Hashable, Plane | None] = {}
    for step in space.steps:
        ground, base, plane = _ground(space, step)
        grounds.setdefault(ground, plane)
        to_layer = space.layer_of(step.to_heading, step.to_phase)
        spread = spreads.setdefault((to_layer, base, ground), _Spread(to_layer, base, ground))
        from_layer = space.layer_of(step.from_heading, step.from_phase)
        source = ((from_layer, gate_of.get(_gate_key(step))), step.d_row, step.d_col)
        if source not in spread.sources:
            spread.sources.append(source)
        spread.steps.append(step)
    factors = {key: _factors(plane) for key, plane in grounds.items()}
    tick = math.gcd(*(spread.base * factor for spread in spreads.values() for factor in factors[spread.ground]))
    return _Assembly(space, tick or 1, gates, factors, grounds).plan(list(spreads.values()))


def _ground(space: MoveSpace, step: MoveStep) -> tuple[Hashable, int, Plane | None]:
    """Return a key for the price of a step, its base, and the plane that scales it (None: 1)."""
    offset = (step.d_row, step.d_col)
    if step.surcharge is not None:
        at_departure = "departure" in (step.plane_at if step.plane else "", step.surcharge_at)
        key = (
            step.cost,
            step.plane,
            step.plane_at,
            step.surcharge,
            step.surcharge_at,
            at_departure and offset,
        )
        return key, 1, space.price_plane(step)
    if step.plane is None:
        return None, step.cost, None
    if step.plane_at == "arrival":
        return step.plane, step.cost, space.planes[step.plane]
    return (step.plane, offset), step.cost, shifted(space.planes[step.plane], *offset, -1)


def _memory(arrivals: Sequence[Sequence[Arrival]], spreads: int) -> tuple[int, ...]:
    """Return the most levels back at which each spread is read; 0 if it never is."""
    longest = [0] * spreads
    for layer in arrivals:
        for term in layer:
            for number, levels in term.spreads:
                longest[number] = max(longest[number], levels)
    return tuple(longest)


def _factors(plane: Plane | None) -> tuple[int, ...]:
    if plane is None:
        return (1,)
    return tuple(int(value) for value in np.unique(plane) if value >= 0)


def _gate_key(step: MoveStep) -> Hashable:
    return step.gate and (step.gate, step.gate_at == "arrival" and (step.d_row, step.d_col))


def _gates(space: MoveSpace) -> tuple[tuple[Mask, ...], dict[Hashable, int]]:
    """Return the gates in the frame of departure, and the number of each."""
    masks: list[Mask] = []
    number: dict[Hashable, int] = {}
    for step in space.steps:
        key = _gate_key(step)
        if step.gate is None or key in number:
            continue
        number[key] = len(masks)
        gate = space.gates[step.gate]
        masks.append(gate if step.gate_at == "departure" else shifted(gate, -step.d_row, -step.d_col, False))
    return tuple(masks), number


class _Assembly:
    """Numbers the pieces of a program, so that pieces shared by several spreads are computed once."""

    def __init__(
        self,
        space: MoveSpace,
        tick: int,
        gates: tuple[Mask, ...],
        factors: dict[Hashable, tuple[int, ...]],
        grounds: dict[Hashable, Plane | None],
    ) -> None:
        self.space, self.tick, self.gates = space, tick, gates
        self.factors, self.grounds = factors, grounds
        self.classes: dict[tuple[Hashable, int, int], int] = {}

    def plan(self, spreads: list[_Spread]) -> LevelProgram:
        """Assemble the program."""
        terms = [self._terms(spread) for spread in spreads]
        exits = sorted({exit_ for term in terms for sources, _ in term for exit_ in sources}, key=_exit_order)
        shared = _once(sources for term in terms for sources, _ in term if len(sources) > 1)
        rows_of: dict[tuple[tuple[_Exit, ...], tuple[int, ...]], set[int]] = {}
        for term in terms:
            for sources, offsets in term:
                for cols, rows in _by_columns(offsets):
                    if len(cols) > 1:
                        rows_of.setdefault((sources, cols), set()).update(rows)
        smeared = [key for key, rows in rows_of.items() if len(rows) > 1]
        keys: list[Hashable] = [*((exit_,) for exit_ in exits), *shared, *smeared]
        pieces = {key: number for number, key in enumerate(keys)}

        def moves(term: _Term) -> Iterator[tuple[tuple[int, int], int]]:
            """Yield the offsets of a spread, each with the piece that it shifts."""
            for sources, offsets in term:
                for cols, rows in _by_columns(offsets):
                    smear = pieces.get((sources, cols))
                    for row in rows:
                        if smear is None:
                            yield from (((row, col), pieces[sources]) for col in cols)
                        else:
                            yield (row, 0), smear

        moved: list[dict[tuple[int, int], list[int]]] = [{} for _ in terms]
        for number, term in enumerate(terms):
            for offset, piece in moves(term):
                moved[number].setdefault(offset, []).append(piece)
        joins = _once(tuple(group) for by in moved for offset, group in by.items() if len(group) > 1 and any(offset))
        joined = {join: len(pieces) + number for number, join in enumerate(joins)}

        def shifts(by_offset: dict[tuple[int, int], list[int]]) -> Iterator[Shift]:
            for offset, group in by_offset.items():
                if tuple(group) in joined and any(offset):
                    group = [joined[tuple(group)]]
                yield from (Shift(piece, *offset) for piece in group)

        has_bits = self._suits_bits(spreads)
        arrivals = self._arrivals(spreads) if has_bits else []
        return LevelProgram(
            layers=self.space.layers,
            steps=len(self.space.steps),
            exits=tuple(exits),
            unions=tuple(tuple(pieces[(exit_,)] for exit_ in sources) for sources in shared),
            smears=tuple(tuple(Shift(pieces[sources], 0, col) for col in cols) for sources, cols in smeared),
            joins=tuple(joins),
            spreads=tuple(tuple(shifts(by_offset)) for by_offset in moved),
            prices=tuple(Price(s.to_layer, s.base, self.grounds[s.ground]) for s in spreads),
            has_bits=has_bits,
            arrivals=tuple(_priced(layer) for layer in arrivals),
            free=tuple(_unpriced(layer) for layer in arrivals),
            classes=tuple(self._class(*key) for key in self.classes),
            gates=self.gates,
            tick=self.tick,
            memory=_memory(arrivals, len(spreads)),
            paces=tuple(_once(self._pace(spread, step) for spread in spreads for step in spread.steps)),
        )

    def _suits_bits(self, spreads: list[_Spread]) -> bool:
        """Whether the prices are few enough to be classes of ground, and low enough to be counted in levels."""
        dearest = max((spread.base * max(self.factors[spread.ground], default=0) for spread in spreads), default=0)
        few = sum(len(values) for values in self.factors.values()) <= MOST_CLASSES
        return few and dearest // self.tick <= MOST_LEVELS_BACK

    @staticmethod
    def _terms(spread: _Spread) -> _Term:
        """Group the sources of a spread into exits that share offsets."""
        exits_by_offset: dict[tuple[int, int], list[_Exit]] = {}
        for exit_, d_row, d_col in spread.sources:
            exits_by_offset.setdefault((d_row, d_col), []).append(exit_)
        offsets: dict[tuple[_Exit, ...], list[tuple[int, int]]] = {}
        for offset, exits in sorted(exits_by_offset.items()):
            offsets.setdefault(tuple(sorted(exits, key=_exit_order)), []).append(offset)
        return [(exits, tuple(shared)) for exits, shared in offsets.items()]

    def _arrivals(self, spreads: list[_Spread]) -> list[list[Arrival]]:
        """Return the arrivals at each class of ground, for each layer."""
        terms: list[dict[int, list[tuple[int, int]]]] = [{} for _ in range(self.space.layers)]
        for number, spread in enumerate(spreads):
            enter = enter_number(self.space, spread.to_layer)
            for factor in self.factors[spread.ground]:
                ground = self.classes.setdefault((spread.ground, factor, enter), len(self.classes))
                ticks = spread.base * factor // self.tick
                terms[spread.to_layer].setdefault(ground, []).append((number, ticks))
        return [[Arrival(ground, tuple(g)) for ground, g in layer.items()] for layer in terms]

    def _class(self, ground: Hashable, factor: int, enter: int) -> Class:
        plane = self.grounds[ground]
        cells = np.ones(self.space.shape, bool) if plane is None else plane == factor
        return Class(cells, enter)

    def _pace(self, spread: _Spread, step: MoveStep) -> Pace:
        least = min(self.factors[spread.ground], default=1) * spread.base // self.tick
        return Pace(abs(step.d_row), abs(step.d_col), least)


def enter_number(space: MoveSpace, layer: int) -> int:
    """Return the number of the `enter` mask of a layer: 0 for all layers unless the mask distinguishes states."""
    return layer if space.enter is not None and space.enter.ndim == 4 else 0


def _exit_order(exit_: _Exit) -> tuple[int, int]:
    layer, gate = exit_
    return layer, -1 if gate is None else gate


def _by_columns(offsets: tuple[tuple[int, int], ...]) -> list[tuple[tuple[int, ...], tuple[int, ...]]]:
    """Group offsets by columns that rows share: a smear along the columns is computed once for all of them."""
    columns: dict[int, list[int]] = {}
    for d_row, d_col in offsets:
        columns.setdefault(d_row, []).append(d_col)
    rows: dict[tuple[int, ...], list[int]] = {}
    for d_row, d_cols in columns.items():
        rows.setdefault(tuple(d_cols), []).append(d_row)
    return [(cols, tuple(shared)) for cols, shared in rows.items()]


def _priced(layer: list[Arrival]) -> tuple[Arrival, ...]:
    kept = [Arrival(term.ground, tuple((g, ticks) for g, ticks in term.spreads if ticks)) for term in layer]
    return tuple(term for term in kept if term.spreads)


def _unpriced(layer: list[Arrival]) -> tuple[Arrival, ...]:
    kept = [Arrival(term.ground, tuple((g, 0) for g, ticks in term.spreads if not ticks)) for term in layer]
    return tuple(term for term in kept if term.spreads)


def _once(items: Iterable[_Item]) -> list[_Item]:
    """Return items without duplicates, in order."""
    return list(dict.fromkeys(items))
