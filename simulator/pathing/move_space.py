"""The possible moves of a unit, as a lattice of states and a short table of steps: `MoveSpace`.

A state is a cell, a heading and a phase. Cells are (row, column) of an array; headings and phases are
labels with a meaning for the ruleset only. A phase is anything else that affects legality: the
parity of diagonals, "has gone far enough to turn", a stance. All states of one heading and one phase form a
*layer*.

The rules of moving, the same for every engine:

* A step goes from a state with its `from_heading` and `from_phase` to the state `d_row`, `d_col` away with
  its `to_heading` and `to_phase`. It is legal if all of these are true:
  the cell it arrives at is on the board;
  `enter` is true for the state it arrives at;
  `leave` is true for the state it leaves, and that state is a start or `pass_` is true for it;
  its gate, if it has one, is open;
  neither its plane nor its surcharge is blocked (negative).
* Its price is `cost * plane + surcharge`, 0 included. Without a plane it is `cost + surcharge`.
* A start is reached at its `paid` cost, whatever the masks; if that exceeds the budget it is no start of the search.
  Any other state is reached at the least sum of prices of legal steps from a start, if the budget covers it.
* An end is a reached state for which `end` is true. With `start_is_end` every reached start is an end, too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias, TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from simulator.errors import SimulatorError
from simulator.geometry.poses import Heading

At: TypeAlias = Literal["arrival", "departure"]
Mask: TypeAlias = NDArray[np.bool_]


class Masks(TypedDict, total=False):
    """The masks of a space, by name: where a state may be entered, passed, ended in and left."""

    enter: Mask | None
    pass_: Mask | None
    end: Mask | None
    leave: Mask | None


Plane: TypeAlias = NDArray[np.int64]

#: The cost of a state that is not reached: more than any budget.
UNREACHED = int(np.iinfo(np.int64).max)
#: The most that budgets, paid costs and a route through every state may be, so that sums fit in 64 bits.
HIGHEST_COST = 2**61
#: Any negative number in a plane marks a blocked step; this is the one we write.
BLOCKED = -1


class MoveSpaceError(SimulatorError, ValueError):
    """Invalid data for a move space. `path` names the part: `steps[3].plane`."""

    exit_code = 3

    def __init__(self, message: str, path: str = "") -> None:
        super().__init__(f"{path}: {message}" if path else message)
        self.message = message
        self.path = path


class MoveState(NamedTuple):
    """The cell of a unit, its heading, and anything else that decides its next moves."""

    row: int
    col: int
    heading: Heading = None
    phase: str = ""


class Start(NamedTuple):
    """A state to start from, and the cost already paid."""

    row: int
    col: int
    heading: Heading = None
    phase: str = ""
    paid: int = 0

    @property
    def state(self) -> MoveState:
        """The state without the price."""
        return MoveState(self.row, self.col, self.heading, self.phase)


@dataclass(frozen=True, slots=True)
class MoveStep:
    """One line of the table of steps: from layer to layer, by an offset, at a price.

    A plane is a number for each cell, read at the cell the step arrives at or at the one it leaves. A price
    that depends on the edge (a stream, a climb) is a plane of its own for each direction, read at
    departure.
    """

    name: str
    d_row: int
    d_col: int
    from_heading: Heading = None
    to_heading: Heading = None
    from_phase: str = ""
    to_phase: str = ""
    cost: int = 1
    plane: str | None = None
    plane_at: At = "arrival"
    surcharge: str | None = None
    surcharge_at: At = "arrival"
    gate: str | None = None
    gate_at: At = "departure"

    @property
    def turns(self) -> bool:
        """Whether the step changes the heading."""
        return self.from_heading != self.to_heading


@dataclass(frozen=True, eq=False)
class MoveSpace:
    """All possible moves of a unit on a board: cells, headings, phases, steps and masks, starts and budget.

    Masks are None (true everywhere), one truth value for each cell, or one for each state in the shape
    (phases, headings, rows, columns). A budget of None is no limit.

    >>> ground = np.array([[1, 1, 1], [1, -1, 1], [1, 1, 3]])
    >>> steps = [MoveStep("south", 1, 0, plane="ground"), MoveStep("east", 0, 1, plane="ground")]
    >>> space = MoveSpace((3, 3), steps, planes={"ground": ground}, starts=[Start(0, 0)], budget=5)
    >>> space.prices(steps[0])
    array([[-1, -1, -1],
           [ 1, -1,  1],
           [ 1,  1,  3]])
    """

    shape: tuple[int, int]
    steps: tuple[MoveStep, ...]
    headings: tuple[Heading, ...] = (None,)
    phases: tuple[str, ...] = ("",)
    planes: Mapping[str, Plane] = field(default_factory=dict)
    gates: Mapping[str, Mask] = field(default_factory=dict)
    enter: Mask | None = None
    pass_: Mask | None = None
    end: Mask | None = None
    leave: Mask | None = None
    starts: tuple[Start, ...] = ()
    budget: int | None = None
    #: The unit of the integers: "half mp", "dots".
    unit: str = "step"
    start_is_end: bool = True
    #: What others have derived from steps, labels, planes and gates: spaces that differ in masks and starts share it.
    shared: dict[str, Any] = field(init=False, repr=False, default_factory=dict)
    #: What they have derived from steps and labels alone.
    of_steps: dict[str, Any] = field(init=False, repr=False, default_factory=dict)

    def __post_init__(self) -> None:
        def keep(name: str, value: object) -> None:
            object.__setattr__(self, name, value)

        rows, cols = self.shape
        if rows < 1 or cols < 1:
            raise MoveSpaceError(f"expected at least one row and one column, not {self.shape}", "shape")
        keep("shape", (int(rows), int(cols)))
        for name in ("headings", "phases"):
            labels = tuple(getattr(self, name))
            if not labels or len(set(labels)) != len(labels):
                raise MoveSpaceError(f"expected at least one label and no label twice, not {labels}", name)
            keep(name, labels)
        keep("planes", MappingProxyType({k: self._plane(k, v) for k, v in self.planes.items()}))
        keep(
            "gates",
            MappingProxyType({k: self._mask(v, f"gates[{k!r}]", False) for k, v in self.gates.items()}),
        )
        for name in ("enter", "pass_", "end", "leave"):
            if getattr(self, name) is not None:
                keep(name, self._mask(getattr(self, name), name, True))
        keep("steps", tuple(self.steps))
        most = {name: int(plane.max()) for name, plane in self.planes.items()}
        for name, highest in most.items():
            if highest > HIGHEST_COST:
                raise MoveSpaceError(f"holds {highest}, more than the highest cost {HIGHEST_COST}", f"planes[{name!r}]")
        self._check_steps(most)
        keep("starts", self.checked_starts(self.starts))
        keep("budget", checked_budget(self.budget))

    def __reduce__(self) -> tuple[type[MoveSpace], tuple[Any, ...]]:
        """Copy and pickle as its constructor arguments."""
        values = (getattr(self, part.name) for part in fields(self) if part.init)
        return MoveSpace, tuple(dict(v) if isinstance(v, MappingProxyType) else v for v in values)

    # --- layers ---

    @property
    def layers(self) -> int:
        """The number of layers: one for each phase and heading."""
        return len(self.phases) * len(self.headings)

    @cached_property
    def _layer_of(self) -> Mapping[tuple[Heading, str], int]:
        return {(heading, phase): number for number, (heading, phase) in enumerate(self.layer_labels)}

    @cached_property
    def layer_labels(self) -> tuple[tuple[Heading, str], ...]:
        """Heading and phase of each layer: all headings of the first phase, then of the second, and so on."""
        return tuple((heading, phase) for phase in self.phases for heading in self.headings)

    def layer_of(self, heading: Heading, phase: str) -> int:
        """Return the number of the layer of a heading and a phase."""
        try:
            return self._layer_of[heading, phase]
        except KeyError:
            known = f"headings {list(self.headings)}, phases {list(self.phases)}"
            raise MoveSpaceError(f"no such heading and phase: {heading!r}, {phase!r} (known: {known})") from None

    def state_at(self, layer: int, row: int, col: int) -> MoveState:
        """Return the state of a cell in a layer."""
        return MoveState(row, col, *self.layer_labels[layer])

    # --- conditions and prices, as the engines read them ---

    def with_masks(self, **masks: Unpack[Masks]) -> MoveSpace:
        """Return the same board and steps with other masks. Masks not named are kept.

        Only the masks are checked: the rest was, and checking it again takes longer than a search of a few streets.
        """
        if unknown := masks.keys() - Masks.__annotations__.keys():
            raise MoveSpaceError(f"no such mask (known: {', '.join(Masks.__annotations__)})", min(unknown))
        checked = {name: None if mask is None else self._mask(mask, name, True) for name, mask in masks.items()}
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, **checked)
        return other

    def on_ground(self, shape: tuple[int, int], gates: Mapping[str, Mask], **masks: Unpack[Masks]) -> MoveSpace:
        """Return the same table of steps, all without planes, on another ground; only what is new is checked.

        What has been derived from steps and labels stays known, under `of_steps`.
        """
        if self.planes:
            raise MoveSpaceError("steps that planes price are checked on each ground", "planes")
        if missing := self.gates.keys() - gates.keys():
            raise MoveSpaceError("no such gate", f"gates[{min(missing)!r}]")
        highest = HIGHEST_COST // (self.layers * shape[0] * shape[1])
        if self.dearest > highest:
            raise MoveSpaceError(f"can cost {self.dearest}; on this board a step costs at most {highest}", "steps")
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, shape=shape, shared={})
        checked = {name: other._mask(mask, f"gates[{name!r}]", False) for name, mask in gates.items()}
        other.__dict__.update(gates=MappingProxyType(checked))
        return other.with_masks(**masks)

    def begun(self, starts: Iterable[Start], budget: int | None) -> MoveSpace:
        """Return the same board, steps and masks with other starts and another budget; only the starts are checked."""
        other = object.__new__(type(self))
        other.__dict__.update(self.__dict__, starts=self.checked_starts(starts), budget=budget)
        return other

    def holds(self, name: Literal["enter", "pass_", "end", "leave"], layer: int) -> Mask | None:
        """Return one mask for the cells of one layer, or None if it is true everywhere."""
        mask: Mask | None = getattr(self, name)
        if mask is not None and mask.ndim == 4:
            of_layer: Mask = mask.reshape(self.layers, *self.shape)[layer]
            return of_layer
        return mask

    def prices(self, step: MoveStep) -> Plane:
        """Return the price of arriving at each cell by a step; BLOCKED where it cannot arrive.

        Planes, gate and the edge of the board are considered, the masks are not.
        """
        price = self.price_plane(step)
        if step.gate is not None:
            gate = self.gates[step.gate]
            gate_open = gate if step.gate_at == "arrival" else shifted(gate, step.d_row, step.d_col, False)
            price = np.where(gate_open, price, BLOCKED)
        on_board = np.zeros(self.shape, bool)
        on_board[landing(self.shape, step.d_row, step.d_col)] = True
        return np.where(on_board, price, BLOCKED)

    def price_plane(self, step: MoveStep) -> Plane:
        """Return the price of arriving at each cell by a step, ignoring gate and edge of the board."""

        def read(name: str | None, where: At) -> Plane | None:
            if name is None:
                return None
            plane = self.planes[name]
            return plane if where == "arrival" else shifted(plane, step.d_row, step.d_col, BLOCKED)

        plane = read(step.plane, step.plane_at)
        surcharge = read(step.surcharge, step.surcharge_at)
        price = np.full(self.shape, step.cost, np.int64)
        if plane is not None:
            price = np.where(plane < 0, BLOCKED, price * plane)
        if surcharge is not None:
            price = np.where((price < 0) | (surcharge < 0), BLOCKED, price + surcharge)
        return price

    @cached_property
    def dearest(self) -> int:
        """A price that no step exceeds."""
        most = {name: max(int(plane.max()), 0) for name, plane in self.planes.items()}
        factors = [1 if step.plane is None else most[step.plane] for step in self.steps]
        extras = [0 if step.surcharge is None else most[step.surcharge] for step in self.steps]
        prices = (step.cost * factor + more for step, factor, more in zip(self.steps, factors, extras, strict=True))
        return max(prices, default=0)

    def part(self, rows: slice, cols: slice) -> MoveSpace:
        """Return a part of the board as a space of its own, without starts; the rest is off the board."""

        def cut(values: Any) -> Any:
            return None if values is None else values[..., rows, cols]

        return replace(
            self,
            shape=(rows.stop - rows.start, cols.stop - cols.start),
            planes={name: cut(plane) for name, plane in self.planes.items()},
            gates={name: cut(gate) for name, gate in self.gates.items()},
            enter=cut(self.enter),
            pass_=cut(self.pass_),
            end=cut(self.end),
            leave=cut(self.leave),
            starts=(),
        )

    # --- faults ---

    def checked_starts(self, starts: Iterable[Start]) -> tuple[Start, ...]:
        """Return the starts as a tuple; raise MoveSpaceError if one is invalid."""
        rows, cols = self.shape
        checked = tuple(Start(*start) for start in starts)
        for number, start in enumerate(checked):
            if not (0 <= start.row < rows and 0 <= start.col < cols):
                raise MoveSpaceError(
                    f"({start.row}, {start.col}) is not on the board of {rows} rows and {cols} columns",
                    f"starts[{number}]",
                )
            self.layer_of(start.heading, start.phase)
            if not 0 <= start.paid <= HIGHEST_COST:
                raise MoveSpaceError(f"paid is 0 or more, not {start.paid}", f"starts[{number}]")
        return checked

    def _plane(self, name: str, values: Any) -> Plane:
        plane = np.asarray(values)
        path = f"planes[{name!r}]"
        if plane.shape != self.shape:
            raise MoveSpaceError(f"expected one number for each cell, shape {self.shape}, not {plane.shape}", path)
        if plane.dtype.kind not in "iub":
            raise MoveSpaceError(f"expected integers, not {plane.dtype}; choose a smaller unit", path)
        return frozen(plane, np.int64)

    def _mask(self, values: Any, path: str, by_state: bool) -> Mask:
        mask = np.asarray(values)
        states = (len(self.phases), len(self.headings), *self.shape)
        if mask.shape != self.shape and not (by_state and mask.shape == states):
            shapes = f"{self.shape} or {states}" if by_state else f"{self.shape}"
            raise MoveSpaceError(f"expected shape {shapes}, not {mask.shape}", path)
        if mask.dtype != np.bool_:
            raise MoveSpaceError(f"expected truth values, not {mask.dtype}", path)
        return frozen(mask, np.bool_)

    def _check_steps(self, most: Mapping[str, int]) -> None:
        """Check every step; in a long table, each heading, phase and kind of price only once."""
        firsts: dict[Any, int] = {}
        for number, step in enumerate(self.steps):
            firsts.setdefault((0, step.from_heading, step.to_heading), number)
            firsts.setdefault((1, step.from_phase), number)
            firsts.setdefault((1, step.to_phase), number)
            price = (step.plane, step.plane_at, step.surcharge, step.surcharge_at, step.gate, step.gate_at)
            firsts.setdefault((2, step.cost, price), number)
        for number in sorted(set(firsts.values())):
            self._check_step(self.steps[number], f"steps[{number}]", most)

    def _check_step(self, step: MoveStep, path: str, most: Mapping[str, int]) -> None:
        for end, heading, phase in (
            ("from", step.from_heading, step.from_phase),
            ("to", step.to_heading, step.to_phase),
        ):
            if heading not in self.headings:
                raise MoveSpaceError(f"no heading {heading!r} (known: {list(self.headings)})", f"{path}.{end}_heading")
            if phase not in self.phases:
                raise MoveSpaceError(f"no phase {phase!r} (known: {list(self.phases)})", f"{path}.{end}_phase")
        if not 0 <= step.cost <= HIGHEST_COST:
            raise MoveSpaceError(f"a cost is 0 or more, not {step.cost}", f"{path}.cost")
        for name, at, known in (
            ("plane", "plane_at", self.planes),
            ("surcharge", "surcharge_at", self.planes),
            ("gate", "gate_at", self.gates),
        ):
            value = getattr(step, name)
            if value is not None and value not in known:
                raise MoveSpaceError(f"no such {name}: {value!r} (known: {list(known)})", f"{path}.{name}")
            if getattr(step, at) not in ("arrival", "departure"):
                raise MoveSpaceError(f"is arrival or departure, not {getattr(step, at)!r}", f"{path}.{at}")
        dearest = step.cost * (most[step.plane] if step.plane is not None else 1)
        dearest += most[step.surcharge] if step.surcharge is not None else 0
        highest = HIGHEST_COST // (self.layers * self.shape[0] * self.shape[1])
        if dearest > highest:
            raise MoveSpaceError(f"can cost {dearest}; on this board a step costs at most {highest}", path)


def checked_budget(budget: int | None) -> int | None:
    """Return the budget; raise MoveSpaceError if it is invalid."""
    if budget is not None and not 0 <= budget <= HIGHEST_COST:
        raise MoveSpaceError(f"is 0 or more and at most {HIGHEST_COST}, or None for no limit, not {budget}", "budget")
    if budget is not None and int(budget) != budget:
        raise MoveSpaceError(f"is counted in whole numbers, not {budget}", "budget")
    return None if budget is None else int(budget)


def frozen(values: NDArray[Any], dtype: Any) -> NDArray[Any]:
    """Return a read-only array, copied unless it already is one."""
    if values.dtype == dtype and not values.flags.writeable and values.flags.owndata:
        return values
    array = np.array(values, dtype=dtype)
    array.setflags(write=False)
    return array


def landing(shape: tuple[int, int], d_row: int, d_col: int) -> tuple[slice, slice]:
    """Return the cells of a board on which a step by this offset can land."""
    (rows, cols) = shape
    return (
        slice(min(max(d_row, 0), rows), max(rows + min(d_row, 0), 0)),
        slice(min(max(d_col, 0), cols), max(cols + min(d_col, 0), 0)),
    )


def shifted(plane: NDArray[Any], d_row: int, d_col: int, beyond: int | bool) -> NDArray[Any]:
    """Shift the values of a plane by an offset: the cell arrived at gets the value of the cell left.

    >>> shifted(np.array([[1, 2], [3, 4]]), 0, 1, -1)
    array([[-1,  1],
           [-1,  3]])
    """
    moved = np.full_like(plane, beyond)
    moved[landing(plane.shape, d_row, d_col)] = plane[landing(plane.shape, -d_row, -d_col)]
    return moved
