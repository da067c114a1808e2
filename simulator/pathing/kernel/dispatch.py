"""Which executor to take: a rough estimate of the work of each, in microseconds.

The constants were measured on one machine; only their ratios matter, and where the estimates are close either
executor will do. The answer never depends on the choice.
"""

from __future__ import annotations

from simulator.pathing.kernel.compile import LevelProgram

#: Microseconds of one operation on wide integers, and of each bit in it.
_WIDE = (0.035, 8e-6)
#: Microseconds of one numpy call on words, and of each bit in it.
_WORDS = (0.45, 1.5e-6)
#: Microseconds of one numpy call on costs, and of each cell in it.
_RELAX = (0.6, 6e-5)
#: Microseconds until relaxation has its prices laid out; the others have theirs prepared.
_RELAX_SETUP = 300.0


def operations(plan: LevelProgram) -> int:
    """Count the set operations of one level."""
    moves = sum(2 * len(shifts) for shifts in (*plan.combined, *plan.spreads))
    meets = sum(1 + len(term.spreads) for layer in (*plan.arrivals, *plan.free) for term in layer)
    return len(plan.exits) + moves + meets


def estimates(
    plan: LevelProgram, shape: tuple[int, int], spans: tuple[int, int], ticks: int | None, queries: int
) -> dict[str, float]:
    """Estimate each executor on a board of that shape; `spans` is how far the starts of a query lie apart."""
    far = plan.reach(ticks, shape)
    rows, cols = (min(span + 2 * reach + 1, size) for span, reach, size in zip(spans, far, shape, strict=True))
    dearest = max((n for layer in plan.arrivals for term in layer for _, n in term.spreads), default=1)
    across = max(shape)
    levels = across * max(dearest // 4, 1) if ticks is None else ticks + 1
    calls = sum(2 + len(shifts) for shifts in plan.spreads) + len(plan.exits) + 2 * plan.layers
    quickest = min((pace.ticks for pace in plan.paces if pace.ticks and (pace.d_row or pace.d_col)), default=1)
    rounds = min(levels // quickest + 4, across * 2)
    found = {"relax": _RELAX_SETUP + rounds * calls * (_RELAX[0] + _RELAX[1] * rows * cols * queries)}
    if plan.has_bits:
        work = levels * operations(plan)
        found["wide"] = queries * work * (_WIDE[0] + _WIDE[1] * rows * cols)
        found["words"] = work * (_WORDS[0] + _WORDS[1] * rows * (cols + 32) * queries)
    return found
