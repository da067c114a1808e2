"""`simulator reach --within`: where a unit can end, as far as it is known after some seconds.

If all was known in time, costs and chances included, the answer is that of `reach`. Otherwise it is the ground that the
unit can end on and the ground of which it is not known yet.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from simulator.cli.answer_forms import AnswerForms
from simulator.cli.reach_question import Asked
from simulator.cli.waiting import waiting

if TYPE_CHECKING:
    from simulator.engine.area_so_far import AreaSoFar
    from simulator.views.overlays import Overlays

#: The exit status of an answer that was not whole in time, as of any limit that is reached.
NOT_WHOLE = 4


@dataclass(frozen=True)
class Deadline:
    """Some seconds, and the moment of the monotonic clock when they are over."""

    seconds: float
    until: float

    @classmethod
    def from_now(cls, seconds: float) -> Deadline:
        """Return the deadline that is so many seconds away."""
        return cls(seconds, time.monotonic() + seconds)


def report_within(
    deadline: Deadline, asked: Asked, whole: Callable[[], tuple[AnswerForms, int]]
) -> tuple[AnswerForms, int]:
    """Return what is known by a deadline, and the exit status; `whole` computes both for all of it."""
    with waiting(f"computing where {asked.unit} can end") as note:
        so_far = asked.area_by(deadline.until, note)
        found = _in_time(deadline.until - time.monotonic(), whole) if so_far.is_whole else None
    return found or (_report(asked, so_far, deadline.seconds), _code(asked, so_far))


def _in_time(seconds: float, whole: Callable[[], tuple[AnswerForms, int]]) -> tuple[AnswerForms, int] | None:
    """Return the whole answer if it takes no more than some seconds; otherwise it is stopped."""
    from simulator.sweeps.time_limit import TimeIsUp, within

    if seconds <= 0.0:
        return None
    try:
        return within(seconds, whole)
    except TimeIsUp:
        return None


def _code(asked: Asked, so_far: AreaSoFar) -> int:
    """Return the exit status: whether it can end at a place may be known before all is."""
    can: bool | None = None
    if asked.pose is not None:
        can = so_far.has(asked.pose)
    elif so_far.is_whole and so_far.inner.is_empty:
        can = False
    return NOT_WHOLE if can is None else 0 if can else 1


def _report(asked: Asked, so_far: AreaSoFar, seconds: float) -> AnswerForms:
    from simulator.formats.query_data import so_far_data, so_far_geojson

    def drawn() -> str:
        from simulator.views.reach_picture import draw_so_far

        return draw_so_far(asked.table, so_far, title=asked.title)

    def overlays() -> Overlays:
        from simulator.views.reach_picture import so_far_overlays

        return so_far_overlays(asked.table, so_far)

    position = asked.position
    return AnswerForms(
        asked.table.board,
        drawn,
        lambda: so_far_geojson(so_far, seconds),
        lambda: _lines(asked, so_far, seconds),
        lambda: position.about | so_far_data(position.game, asked.unit, so_far, seconds, asked.pose),
        overlays,
    )


def _lines(asked: Asked, so_far: AreaSoFar, seconds: float) -> Iterator[str]:
    from simulator.engine.areas import ground_text
    from simulator.geometry.poses import Pose

    board = asked.table.board
    yield asked.headline
    known, missing = ground_text(board, so_far.inner), "costs and chances"
    if so_far.is_whole:
        yield f"can end on {known}, and nowhere else" if known else "it can end nowhere but where it is"
    else:
        yield f"can end on {known} at least" if known else "no ground is known yet that it can end on"
        yield f"cannot end outside of {ground_text(board, so_far.outer)}"
        unknown = ground_text(board, so_far.unknown)
        missing = f"{unknown} between them, costs and chances" if unknown else missing
    yield f"not known within {seconds:g} s: {missing}"
    if asked.pose is not None:
        place, can = Pose.of(asked.pose), so_far.has(asked.pose)
        yield (
            f"not known yet whether {place} can be reached"
            if can is None
            else (f"{place} can be reached" if can else f"{place} cannot be reached")
        )
