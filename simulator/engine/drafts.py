"""What the judge has against a draft of an order: as much of it as decides what becomes of the draft.

A sample of the legal orders where they are infinitely many (`order_samples`) draws drafts, and shortens the legs of
those that are illegal. It asks three things: whether the draft is legal; whether other elements may be, since all that
is wrong is somewhere on the way or a matter of figures; and to which share the draft has to be shortened.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from simulator.engine.errors import Breach
from simulator.engine.values import Number


class AgainstDraft(NamedTuple):
    """Reasons against a draft: none only if it is legal. They answer the same questions as all reasons do.

    Of an action with arguments it does not matter whether all of them depend on the way: others are drawn in any case.
    """

    reasons: Sequence[Breach]
    #: Whether some stay however its legs are shortened; then their figures do not matter.
    stays: bool = False

    @property
    def depends_on_the_way(self) -> bool:
        """Whether another way may cure all that is wrong."""
        return all(map(depends_on_the_way, self.reasons))

    @property
    def share(self) -> float | None:
        """The share of the draft that can be spent, the least one by its figures; None without such figures."""
        shares = [
            float(one.available) / float(one.needed)
            for one in self.reasons
            if isinstance(one.needed, Number) and isinstance(one.available, Number) and 0 < one.available < one.needed
        ]
        return min(shares, default=None)


def depends_on_the_way(reason: Breach) -> bool:
    """Whether another way may cure a reason: it names a place on the way, or how much is left to spend."""
    return reason.place is not None or reason.available is not None
