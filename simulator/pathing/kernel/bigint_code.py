"""Write a plan down as a Python function of straight lines: the two formulas for its layers and classes.

A loop that interprets the plan takes about twice as long, since a set of cells is so quickly combined that
the loop around it is most of the work. The function is written once for a plan, not for each board or
budget. It is made of numbers alone: no label of a ruleset gets into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from simulator.pathing.kernel.compile import Arrival, LevelProgram, Shift

#: flood(ticks, width, masks, doors, due) returns for each layer what is reached for 0, 1, 2, ... ticks.
Flood = Callable[[int | None, int, list[int], list[int], dict[int, list[tuple[int, int]]]], list[list[int]]]


def written(plan: LevelProgram, has_door: tuple[bool, ...]) -> tuple[str, Flood]:
    """Return the source of the function for a plan, and the function; `has_door` says which exits have one."""
    source = "\n".join(_lines(plan, has_door)) + "\n"
    namespace: dict[str, Any] = {}
    exec(compile(source, "<plan on wide integers>", "exec"), namespace)
    return source, namespace["flood"]


def _lines(plan: LevelProgram, has_door: tuple[bool, ...]) -> Iterator[str]:
    """Yield the lines of the function.

    Names: m a mask of ground, d a door, s the starts, r what is reached, p a piece, w the bits of an offset,
    e a spread now, g[-n] a spread n levels ago, h the history of a layer.
    """
    layers = range(plan.layers)
    offsets = sorted({(s.d_row, s.d_col) for shifts in (*plan.smears, *plan.spreads) for s in shifts})
    offsets = [offset for offset in offsets if offset > (0, 0) or (-offset[0], -offset[1]) not in offsets]
    bits = {offset: number for number, offset in enumerate(offsets)}
    reached = ", ".join(f"r{i}" for i in layers)
    yield "def flood(ticks, width, masks, doors, due):"
    if plan.classes:
        yield f"    {''.join(f'm{i}, ' for i in range(len(plan.classes)))}= masks[:{len(plan.classes)}]"
    if plan.exits:
        yield f"    {''.join(f'd{i}, ' for i in range(len(plan.exits)))}= doors[:{len(plan.exits)}]"
    for (d_row, d_col), number in bits.items():
        yield f"    w{number} = abs({d_row} * width + {d_col})"
    for i, memory in enumerate(plan.memory):
        yield f"    g{i} = [0] * {memory}"
    yield f"    starts = [0] * {plan.layers}"
    yield f"    {''.join(f's{i}, ' for i in layers)}= starts"
    yield f"    history = {''.join(f'h{i}, ' for i in layers)}= {', '.join('[]' for _ in layers)},"
    yield "    last = None"
    yield "    level = unchanged = 0"
    yield "    while ticks is None or level <= ticks:"
    yield "        if level in due:"
    yield "            for layer, cells in due.pop(level):"
    yield "                starts[layer] |= cells"
    yield f"            {''.join(f's{i}, ' for i in layers)}= starts"
    for i, layer in enumerate(plan.arrivals):
        yield f"        r{i} = {' | '.join([f's{i}', *map(_arrival, layer)])}"
    if not any(plan.free):
        yield from _expansion(plan, has_door, bits, "        ")
    else:
        yield "        while True:"
        yield from _expansion(plan, has_door, bits, "            ")
        for i, layer in enumerate(plan.free):
            yield f"            t{i} = {' | '.join([f'r{i}', *map(_free_arrival, layer)])}"
        more = ", ".join(f"t{i}" for i in layers)
        yield f"            if ({more},) == ({reached},):"
        yield "                break"
        yield f"            {reached} = {more}"
    for i in range(len(plan.spreads)):
        yield f"        g{i}.append(e{i})"
    for i in layers:
        yield f"        h{i}.append(r{i})"
    yield f"        now = {reached},"
    yield "        unchanged = unchanged + 1 if now == last else 0"
    yield f"        if unchanged >= {max(plan.memory, default=0)} and not due:"
    yield "            break"
    yield "        last = now"
    yield "        level += 1"
    yield "    return history"


def _expansion(
    plan: LevelProgram, has_door: tuple[bool, ...], bits: dict[tuple[int, int], int], indent: str
) -> Iterator[str]:
    """Yield the lines that make pieces and spreads of what is reached."""
    for piece, (layer, _) in enumerate(plan.exits):
        yield f"{indent}p{piece} = r{layer} & d{piece}" if has_door[piece] else f"{indent}p{piece} = r{layer}"
    for piece, shifts in enumerate(plan.combined, start=len(plan.exits)):
        yield f"{indent}p{piece} = {' | '.join(_moved(shift, bits) for shift in shifts)}"
    for number, spread in enumerate(plan.spreads):
        yield f"{indent}e{number} = {' | '.join(_moved(shift, bits) for shift in spread)}"


def _moved(shift: Shift, bits: dict[tuple[int, int], int]) -> str:
    offset = (shift.d_row, shift.d_col)
    if offset == (0, 0):
        return f"p{shift.piece}"
    if offset == (0, 1):
        return f"p{shift.piece} + p{shift.piece}"  # a shift by one bit, but faster
    opposite = (-shift.d_row, -shift.d_col)
    number = bits[offset] if offset in bits else bits[opposite]
    return f"p{shift.piece} {'<<' if offset > (0, 0) else '>>'} w{number}"


def _arrival(term: Arrival) -> str:
    ago = [f"g{g}[-{n}]" for g, n in term.spreads]
    return f"m{term.ground} & {ago[0]}" if len(ago) == 1 else f"m{term.ground} & ({' | '.join(ago)})"


def _free_arrival(term: Arrival) -> str:
    return f"m{term.ground} & ({' | '.join(f'e{g}' for g, _ in term.spreads)})"
