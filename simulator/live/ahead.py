"""What a page may ask next, worked out while it asks nothing: where the units at the moment on the page can end.

It goes on in small steps: whoever asks something meanwhile waits for one of them at most. Who asks about a unit whose
area is half drawn goes on from there.
"""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator

from simulator.live.questions import Answers, AtMoment


class Ahead:
    """The moment that was asked about last, and what is left to work out about it."""

    def __init__(self, answers: Answers) -> None:
        self._answers = answers
        self._moment: AtMoment | None = None
        self._steps: Iterator[object] = iter(())

    def turn_to(self, ask: AtMoment) -> None:
        """Look ahead from the moment of a question: a new one takes the place of the one before."""
        moment = AtMoment(**{name: getattr(ask, name) for name in AtMoment.model_fields})
        if moment != self._moment:
            self._moment, self._steps = moment, self._answers.ahead(moment)

    def go_on(self) -> bool:
        """Do one more step; return whether there was any."""
        try:
            return next(self._steps, self) is not self
        except Exception:
            # Whoever asks the same is told, too.
            traceback.print_exc(file=sys.stderr)
            self._steps = iter(())
            return False
