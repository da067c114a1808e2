"""Move spaces made up at random, with every feature in play, and the slowest way to search them."""

from dataclasses import replace

import numpy as np

from simulator.pathing.move_space import HIGHEST_COST, UNREACHED, MoveSpace, MoveState, MoveStep, Start
from simulator.pathing.reference import legal_steps


def random_space(rng, *, budget_none=False, zero_costs=True, largest=9, long=False):
    """A small move space in which anything may happen; a long one has rows of several words."""
    shape = (int(rng.integers(1, largest)), int(rng.integers(1, largest + 4)))
    if long:
        shape = (int(rng.integers(1, 4)), int(rng.integers(60, 200)))
    headings = (None, 90, "up")[: rng.integers(1, 4)]
    phases = ("", "b", "c")[: rng.integers(1, 4)]
    least = 0 if zero_costs else 1
    values = rng.choice([-1, least, 1, 2, 3, 5], size=rng.integers(2, 5), replace=True)
    planes = {name: rng.choice(values, size=shape) for name in ("ground", "edge")}
    planes["extra"] = rng.choice([-1, 0, 0, 1, 2], size=shape)
    gates = {"wall": rng.random(shape) < 0.7, "door": rng.random(shape) < 0.5}

    def mask(likely):
        kind = rng.integers(0, 3)
        if kind == 0:
            return None
        states = (len(phases), len(headings), *shape)
        return rng.random(shape if kind == 1 else states) < likely

    unit = int(rng.choice([1, 1, 1, 3, 10]))

    def step(number):
        reach = (70 if long else 9) if rng.random() < 0.05 else 2
        where = ["arrival", "departure"]
        return MoveStep(
            f"step {number}",
            int(rng.integers(-reach, reach + 1)),
            int(rng.integers(-reach, reach + 1)),
            headings[rng.integers(len(headings))],
            headings[rng.integers(len(headings))],
            phases[rng.integers(len(phases))],
            phases[rng.integers(len(phases))],
            cost=int(rng.integers(least, 4)) * unit,
            plane=[None, "ground", "edge"][rng.integers(3)],
            plane_at=where[rng.integers(2)],
            surcharge="extra" if rng.random() < 0.15 else None,
            surcharge_at=where[rng.integers(2)],
            gate=[None, None, "wall", "door"][rng.integers(4)],
            gate_at=where[rng.integers(2)],
        )

    def start():
        return Start(
            int(rng.integers(shape[0])),
            int(rng.integers(shape[1])),
            headings[rng.integers(len(headings))],
            phases[rng.integers(len(phases))],
            paid=int(rng.integers(0, 4)) * (1 if rng.random() < 0.1 else unit) if rng.random() < 0.4 else 0,
        )

    return MoveSpace(
        shape,
        tuple(step(number) for number in range(rng.integers(1, 16))),
        headings,
        phases,
        planes,
        gates,
        enter=mask(0.8),
        pass_=mask(0.7),
        end=mask(0.7),
        leave=mask(0.8),
        starts=tuple(start() for _ in range(rng.integers(1, 4))),
        budget=None if budget_none else int(rng.integers(0, 12)) * unit,
        start_is_end=bool(rng.integers(2)),
    )


#: Prices side by side in one space: none, some without a common divisor, some that no 32 or 53 bits hold.
ODD_PRICES = (
    (0, 0, 1),
    (7, 11, 13),
    (6, 10, 15),
    (0, 1, 10**6),
    (254, 255, 256, 65_535, 65_536),
    (1023, 1024, 1025),
    (2**31 - 1, 2**31, 2**31 + 1),
    (1, 2**32 - 1, 2**32 + 1),
    (2**53 - 1, 2**53, 2**53 + 1),
)


def with_odd_prices(rng, space):
    """The same space with other prices, up to the dearest that it may have, and starts and budgets to match."""
    most = HIGHEST_COST // (space.layers * space.shape[0] * space.shape[1])
    prices = [(most, most - 1, 1), rng.integers(1, 10**9, 40).tolist(), *ODD_PRICES][rng.integers(2 + len(ODD_PRICES))]
    prices = [min(price, most) for price in prices]
    planes = {name: rng.choice(np.array([-1, *prices]), size=space.shape) for name in space.planes}
    highest = {None: 1, **{name: max(int(plane.max()), 0) for name, plane in planes.items()}}
    steps = []
    for step in space.steps:
        extra = 0 if step.surcharge is None else highest[step.surcharge]
        room = (most - extra) // max(highest[step.plane], 1)
        cost = min(int(rng.choice([0, 1, 1, 2, 3, prices[0], prices[-1]])), room)
        steps.append(replace(step, cost=cost))
    unit = int(rng.choice([1, max(prices[0], 1), max(prices)]))
    starts = tuple(start._replace(paid=int(rng.integers(3)) * int(rng.choice([0, 1, unit]))) for start in space.starts)
    budget = (None, 0, int(rng.integers(40)), int(rng.integers(12)) * unit, unit - 1, HIGHEST_COST)[rng.integers(6)]
    return replace(space, planes=planes, steps=tuple(steps), starts=starts, budget=budget)


def played_out(space):
    """Every (state, cost) that some sequence of legal steps arrives at, by breadth-first enumeration."""
    starts = {start.state for start in space.starts if start.paid <= space.budget}
    seen = {(start.state, start.paid) for start in space.starts if start.paid <= space.budget}
    frontier = list(seen)
    while frontier:
        grown = []
        for state, cost in frontier:
            for _, target, price in legal_steps(space, state, state in starts):
                arrived = (target, cost + price)
                if cost + price <= space.budget and arrived not in seen:
                    seen.add(arrived)
                    grown.append(arrived)
        frontier = grown
    return seen


def played_out_costs(space):
    """The least cost of every state by enumeration, as an array (layers, rows, columns)."""
    costs = np.full((space.layers, *space.shape), UNREACHED, np.int64)
    for state, cost in played_out(space):
        place = (space.layer_of(state.heading, state.phase), state.row, state.col)
        costs[place] = min(costs[place], cost)
    return costs


def ends_of(costs):
    """The ends of an answer as states."""
    space = costs.space
    whole = costs.on_board(costs.ends, False)
    return {space.state_at(layer, row, col) for layer, row, col in np.argwhere(whole).tolist()}


def played_out_ends(space):
    """The ends of a space by enumeration."""
    reached = {state for state, _ in played_out(space)}
    starts = {start.state for start in space.starts if start.paid <= space.budget}

    def may_end(state: MoveState) -> bool:
        mask = space.holds("end", space.layer_of(state.heading, state.phase))
        return (state in starts and space.start_is_end) or mask is None or bool(mask[state.row, state.col])

    return {state for state in reached if may_end(state)}
