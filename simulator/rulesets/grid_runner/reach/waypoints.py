"""Ways through some squares in their order: a move space whose phases count how many of them are passed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from simulator.pathing.move_space import Mask, MoveSpace, MoveStep, shifted
from simulator.rulesets.grid_runner.movement import FIRST_STEPS


def by_way_of(space: MoveSpace, via: Sequence[tuple[int, int]], end: tuple[int, int]) -> MoveSpace:
    """Return a space in which a way ends on one cell only, and only after passing the others in their order.

    `end` is a cell on which a way may end. A waypoint is passed, not stopped on. The phases before the first one keep
    their names.
    """
    masks = [_only(space, cell) for cell in via]
    after = passed_after(via)
    gates = dict(space.gates)
    steps: list[MoveStep] = []
    for step in space.steps:
        for passed in range(len(via) + 1):
            if passed and step.from_phase in FIRST_STEPS:
                continue
            own = gates[step.gate] if step.gate is not None else np.ones(space.shape, np.bool_)
            here = _phase(step.from_phase, passed)
            if passed == len(via):
                steps.append(replace(step, from_phase=here, to_phase=_phase(step.to_phase, passed)))
                continue
            onto = shifted(masks[passed], -step.d_row, -step.d_col, False)
            for reached, gate in ((after[passed], own & onto), (passed, own & ~onto)):
                name = f"{step.gate}, {step.name} {'onto' if reached != passed else 'past'} waypoint {passed + 1}"
                gates[name] = gate
                there = _phase(step.to_phase, reached)
                steps.append(replace(step, gate=name, gate_at="departure", from_phase=here, to_phase=there))
    phases = tuple(
        _phase(phase, passed)
        for passed in range(len(via) + 1)
        for phase in space.phases
        if not passed or phase not in FIRST_STEPS
    )
    last, nowhere = _only(space, end), np.zeros(space.shape, np.bool_)
    final = {_phase(phase, len(via)) for phase in space.phases}
    ends = np.stack([last if phase in final else nowhere for phase in phases])[:, None]
    return replace(
        space, steps=tuple(steps), phases=phases, gates=gates, end=ends, starts=(), budget=None, start_is_end=False
    )


def passed_after(via: Sequence[tuple[int, int]]) -> list[int]:
    """Compute how many waypoints are passed once each is reached: one named twice in a row counts twice.

    >>> passed_after([(1, 1), (1, 1), (2, 1)])
    [2, 2, 3]
    """
    return [next(n for n in range(k + 1, len(via) + 1) if n == len(via) or via[n] != via[k]) for k in range(len(via))]


def _phase(phase: str, passed: int) -> str:
    return f"{phase}, {passed} waypoints behind" if passed else phase


def _only(space: MoveSpace, cell: tuple[int, int]) -> Mask:
    mask = np.zeros(space.shape, np.bool_)
    mask[cell] = True
    return mask
