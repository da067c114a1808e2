"""Pictures of a reach map: a number for each place, in shades."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from shapely.geometry.base import BaseGeometry

from simulator.geometry.board import Lattice
from simulator.geometry.table import InchTable
from simulator.sweeps.heat import shaded
from simulator.sweeps.reach_map_file import ReachMap
from simulator.sweeps.reach_map_text import ground_of, ground_unit

#: What a picture can show of each place, and how its legend says it.
SHOWN = {"reached-from": "reached from", "ground": "gets from there to", "median": "median cost of its ends"}


def draw_map(found: ReachMap, show: str) -> str:
    """Draw one of `SHOWN` as the text of an SVG file; of several starts in a place the one with most counts."""
    if show == "reached-from":
        counts = found.arrays["reached_from"].astype(np.float64)
        values, unit = np.where(counts > 0, counts, np.nan), "start"
    elif show == "ground":
        values = _most(found, ground_of(found))
        unit = ground_unit(found)
    else:
        values = _most(found, found.arrays["cost_quantiles"][:, 1].astype(np.float64))
        unit = found.about["cost_unit"]
    return draw_places(found, values, f"{_subject(found)} from everywhere", SHOWN[show], unit)


def draw_costs(found: ReachMap, starts: Sequence[int], where: str) -> str:
    """Draw what each place costs at least from some starts."""
    costs = np.min([found.costs_from(start) for start in starts], axis=0).astype(np.float64)
    costs[~np.isfinite(costs)] = np.nan
    return draw_places(found, costs, f"{_subject(found)} from {where}", "by least cost", found.about["cost_unit"])


def _subject(found: ReachMap) -> str:
    return f"{found.about['unit']}: {found.about['action'].replace('_', ' ')}"


def _most(found: ReachMap, values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return for each place the most of its starts; nan without any."""
    most = np.full(found.arrays["present"].size, -np.inf)
    known = np.isfinite(values)
    np.maximum.at(most, found.arrays["cell"][known], values[known])
    most[np.isinf(most)] = np.nan
    return most.reshape(found.shape)


def draw_places(found: ReachMap, values: NDArray[np.float64], title: str, heading: str, unit: str) -> str:
    """Draw a number for each place, [row, column], nan for none."""
    about, board = found.about, found.board
    at = np.argwhere(np.isfinite(values) & found.arrays["present"])

    def region(numbers: list[int]) -> BaseGeometry:
        chosen = at[numbers]
        if isinstance(board, Lattice):
            mask = np.zeros(board.shape, np.bool_)
            mask[chosen[:, 0], chosen[:, 1]] = True
            return board.region_of(mask)
        assert isinstance(board, InchTable), "a board is a lattice or a table"
        return board.region(_places(found, chosen), about["spacing"])

    amounts = values[at[:, 0], at[:, 1]].tolist()
    return shaded(board, amounts, region, title=title, heading=heading, unit=unit)


def _places(found: ReachMap, cells: NDArray[np.intp]) -> list[Any]:
    rows, columns = cells.T
    x, y = found.arrays["x"][rows, columns], found.arrays["y"][rows, columns]
    return list(zip(x.tolist(), y.tolist(), strict=True))
