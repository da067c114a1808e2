"""The least exposed of the cheapest routes: one on which events that a unit would rather avoid are rarest.

Exposure is a number for each cell and step; it decides only between routes of the same price.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from simulator.pathing.costs import Costs
from simulator.pathing.kernel.prepared import Prepared
from simulator.pathing.move_space import At, MoveSpace, MoveStep, Plane
from simulator.pathing.seeds import Seeds

#: Returns the exposure of a step for each cell, and whether that is the cell it leaves or the one it arrives at.
Exposure = Callable[[MoveStep], tuple[Plane, At] | None]


def least_exposed(space: MoveSpace, seeds: Seeds, budget: int, exposure: Exposure) -> tuple[Costs, int]:
    """Search a space by price, and among equal prices by exposure.

    Return the costs and the weight of a price in them: a state costs its price times the weight, plus its exposure.

    >>> from simulator.pathing.move_space import MoveStep, Start
    >>> steps = [MoveStep("e", 0, 1), MoveStep("n", -1, 0), MoveStep("s", 1, 0)]
    >>> space = MoveSpace((2, 3), steps, starts=[Start(0, 0)])
    >>> seen = np.array([[0, 5, 5], [0, 2, 0]])
    >>> costs, weight = least_exposed(space, Seeds.of(space, space.starts, 4), 4, lambda step: (seen, "arrival"))
    >>> divmod(costs.at(1, 2), weight), [line.step.name for line in costs.trace(costs.cheapest_state(1, 2)).lines]
    ((3, 2), ['s', 'e', 'e'])
    """
    weighed, weight = weighed_by(replace(space, starts=(), budget=None), exposure)
    layer, row, column, price = (axis.tolist() for axis in seeds.arrays)
    scaled = Seeds([layer, row, column, [paid * weight for paid in price]])
    return Prepared(weighed).search_seeds(scaled, budget * weight + weight - 1), weight


def weighed_by(space: MoveSpace, exposure: Exposure, legs: int = 1) -> tuple[MoveSpace, int]:
    """Return a space in which prices come first and exposures second, and the weight of a price in it.

    Starts and budget are in its prices. With several `legs` a route may visit each state once in each of them.
    """
    exposures = {number: found for number, step in enumerate(space.steps) if (found := exposure(step)) is not None}
    most = max((int(plane.max()) for plane, _ in exposures.values()), default=0)
    # No leg of a route visits a state twice, so the total exposure is less than one price.
    weight = 1 + most * space.layers * int(np.prod(space.shape)) * legs
    planes = dict(space.planes)
    steps = [_weighed(step, weight, exposures.get(number), planes) for number, step in enumerate(space.steps)]
    starts = tuple(start._replace(paid=start.paid * weight) for start in space.starts)
    budget = None if space.budget is None else space.budget * weight + weight - 1
    return replace(space, steps=tuple(steps), planes=planes, starts=starts, budget=budget), weight


def _weighed(step: MoveStep, weight: int, exposed: tuple[Plane, At] | None, planes: dict[str, Plane]) -> MoveStep:
    """Return a step with its price times the weight, and its exposure as a surcharge."""
    if step.surcharge is not None:
        raise ValueError(f"{step.name} already has a surcharge")
    step = replace(step, cost=step.cost * weight)
    if exposed is None:
        return step
    plane, at = exposed
    name = next((name for name, known in planes.items() if known is plane), f"exposed {len(planes)}")
    planes[name] = plane
    return replace(step, surcharge=name, surcharge_at=at)
