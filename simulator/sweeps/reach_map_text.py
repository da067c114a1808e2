"""What a reach map says in a few lines, and as plain data."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from simulator.engine.areas import extent_text
from simulator.geometry.board import Lattice
from simulator.geometry.poses import Pose, place_text
from simulator.sweeps.reach_map_file import ReachMap
from simulator.wording import measure


def map_lines(found: ReachMap) -> Iterator[str]:
    """Yield the lines of a map's summary."""
    about = found.about
    side = f" ({about['side']})" if about["side"] else ""
    yield f"{about['unit']}{side}, {about['action']}; {about['clock']}"
    if not len(found):
        yield "it may stand nowhere"
        return
    places = len(np.unique(found.arrays["cell"]))
    yield f"{measure(len(found), 'start')} at {measure(places, 'place')}"
    ground = ground_of(found)
    least, middle, most = (extent_text(found.board, amount) for amount in _spread(ground))
    fewest, best = (start_text(found, int(number)) for number in (ground.argmin(), ground.argmax()))
    if ground.min() == ground.max():
        yield f"each gets to {most}"
    else:
        yield f"a start gets to {least} ({fewest}) at least, {middle} in the median, {most} ({best}) at most"
    reached = _reached_from(found)
    low, mid, high = (measure(int(count), "start") for count in _spread(reached))
    yield f"a place is reached from {low} at least, {mid} in the median, {high} at most"
    if never := int(np.count_nonzero(reached == 0)):
        yield f"{measure(never, 'place')} cannot be reached from anywhere"
    for one in about["unanswered"]:
        yield f"no answer from {measure(one['starts'], 'start')}: {one['reason']}"


def map_data(found: ReachMap) -> dict[str, Any]:
    """Return a map's summary as plain data."""
    names = ("least", "median", "most")
    spread = {
        "ground": ground_of(found),
        "reached_from": _reached_from(found).astype(np.float64),
    }
    return {
        **found.about,
        "costs": found.has_costs,
        **{
            name: dict(zip(names, _spread(values), strict=True)) if values.size else None
            for name, values in spread.items()
        },
    }


def ground_of(found: ReachMap) -> NDArray[np.float64]:
    """Return how much ground each start gets to: as measured, if it was, else by the places that are ends."""
    area = found.arrays.get("area", found.arrays["ground"])
    return np.where(np.isfinite(area), area, found.arrays["ground"])


def ground_unit(found: ReachMap) -> str:
    """Return the unit of the ground: places of a lattice, or of a table square inches."""
    return "place" if isinstance(found.board, Lattice) else f"square {found.board.scale[1]}"


def start_text(found: ReachMap, number: int) -> str:
    """Return a start as it is written after a place in orders."""
    arrays = found.arrays
    cell = int(arrays["cell"][number])
    place = arrays["x"].flat[cell].item(), arrays["y"].flat[cell].item()
    return str(Pose(place, _label(arrays["heading"][number]), _level(arrays["level"][number])))


def starts_in(found: ReachMap, place: str) -> list[int]:
    """Return the numbers of the starts in a place, as it is written in orders."""
    x, y, cells = found.arrays["x"], found.arrays["y"], found.arrays["cell"]
    at = {place_text((one, other)): cell for cell, (one, other) in enumerate(zip(x.flat, y.flat, strict=True))}
    known = at.get(place.replace(" ", ""))
    return [] if known is None else np.flatnonzero(cells == known).tolist()


def _label(value: Any) -> Any:
    """Return a heading of a start, None where there is none."""
    if isinstance(value, str):
        return value or None
    return None if np.isnan(value) else float(value)


def _level(value: Any) -> Any:
    if isinstance(value, str):
        return value or None
    return None if np.isnan(value) else int(value)


def _reached_from(found: ReachMap) -> NDArray[np.int64]:
    """Return from how many starts each place on the board can be reached."""
    counts: NDArray[np.int64] = found.arrays["reached_from"][found.arrays["present"]]
    return counts


def _spread(values: NDArray[Any]) -> tuple[float, float, float]:
    return float(values.min()), float(np.median(values)), float(values.max())
