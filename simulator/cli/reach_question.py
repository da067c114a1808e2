"""What `simulator reach` was asked: a unit and its answer at a moment, and the place of --to."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simulator.cli.asking import Position

if TYPE_CHECKING:
    from simulator.engine.area_so_far import AreaSoFar
    from simulator.engine.reach import ReachAnswer
    from simulator.engine.table import Table

#: The seconds between two notes of how much is known.
_BETWEEN = 1.0


@dataclass(frozen=True)
class Asked:
    """A question about a unit with its answer; `pose` is the place or pose of --to, None without."""

    position: Position
    unit: str
    answer: ReachAnswer
    pose: Any = None

    @property
    def table(self) -> Table[Any]:
        """The table at the moment of the question."""
        return self.position.game.table

    @property
    def title(self) -> str:
        """The title of pictures."""
        return f"{self._subject}: {self.answer.action.replace('_', ' ')}"

    @property
    def headline(self) -> str:
        """The first line of the answer: who is asked about, the action and the moment."""
        side = f" ({self.answer.mover.side})" if self.answer.mover.side else ""
        return f"{self._subject}{side}, {self.answer.action}; {self.position.game.state.clock}"

    @property
    def _subject(self) -> str:
        return self.unit if self.answer.mover.id == self.unit else f"{self.unit} on {self.answer.mover.id}"

    @property
    def spot(self) -> Any:
        """The place of which it is reported why not: that of --to, else its own if it can end nowhere; None without."""
        return self.pose if self.pose is not None else self.answer.mover.place if self.answer.area.is_empty else None

    def area_by(self, until: float, note: Callable[[str], None]) -> AreaSoFar:
        """Compute the area up to a moment of the monotonic clock, noting every second how much of it is known."""
        from simulator.engine.area_so_far import AreaSoFar
        from simulator.engine.areas import ground_text

        so_far = AreaSoFar(self.answer)
        while not so_far.refine(min(_BETWEEN, max(0.0, until - time.monotonic()))).is_whole:
            if time.monotonic() >= until:
                break
            note(f"{ground_text(self.table.board, so_far.inner)} so far")
        return so_far
