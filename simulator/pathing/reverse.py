"""The other way round: from where can a place be reached, and what is still to be paid from there.

The transpose of a move space has every step turned about. What was entered is now left, so `enter` and
`leave` change places, and so do arrival and departure in planes, surcharges and gates. The cost of a state
in the answer is the cost of the cheapest route from that state to a goal.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from simulator.pathing.move_space import At, MoveSpace, MoveState, MoveStep, Start

_OTHER: dict[At, At] = {"arrival": "departure", "departure": "arrival"}


def reversed_space(space: MoveSpace, goals: Iterable[MoveState]) -> MoveSpace:
    """Return the transpose of a space, which sets out from the goals that are ends of it.

    >>> space = MoveSpace((1, 4), [MoveStep("east", 0, 1, cost=2)], budget=5)
    >>> back = reversed_space(space, [MoveState(0, 3)])
    >>> back.steps[0].d_col, back.starts
    (-1, (Start(row=0, col=3, heading=None, phase='', paid=0),))
    """
    ends = []
    for goal in goals:
        mask = space.holds("end", space.layer_of(goal.heading, goal.phase))
        if mask is None or mask[goal.row, goal.col]:
            ends.append(Start(*goal))
    steps = tuple(_turned_about(step) for step in space.steps)
    return replace(
        space,
        steps=steps,
        enter=space.leave,
        leave=space.enter,
        end=None,
        starts=tuple(ends),
        start_is_end=True,
    )


def _turned_about(step: MoveStep) -> MoveStep:
    return replace(
        step,
        d_row=-step.d_row,
        d_col=-step.d_col,
        from_heading=step.to_heading,
        to_heading=step.from_heading,
        from_phase=step.to_phase,
        to_phase=step.from_phase,
        plane_at=_OTHER[step.plane_at],
        surcharge_at=_OTHER[step.surcharge_at],
        gate_at=_OTHER[step.gate_at],
    )
