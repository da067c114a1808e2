"""Every unit of every scenario that comes along can be asked: the way that is told is the way that the game goes."""

from itertools import islice
from pathlib import Path

import numpy as np
import pytest

from simulator import load_scenario
from simulator.engine.errors import TableError
from simulator.engine.reach import ReachAnswer
from simulator.geometry.board import Lattice

SCENARIOS = sorted((Path(__file__).resolve().parents[2] / "scenarios").glob("*/*.yaml"))
#: How many ends of each unit are played; on inch tables, where all plays of one may take seconds, units have one each.
ENDS, ENDS_ON_TABLES = 3, 1


def some_ends(game, answer, random):
    """A few places where a unit can end, drawn with a seed."""
    if isinstance(game.board, Lattice):
        for place in random.permutation(np.array(list(game.board.places()))).tolist():
            if tuple(place) in answer:
                yield tuple(place)
    else:
        left, low, right, high = game.board.bounds if answer.mover.place is None else _around(game, answer)
        # Some at a time: few are wanted.
        for spots in random.uniform((left, low), (right, high), (6, 10, 2)):
            yield from map(tuple, spots[np.isfinite(answer.costs_at(spots))].tolist())


def _around(game, answer):
    """The part of the table that is less than 8 inches from a unit along x and y."""
    (x, y), (left, low, right, high) = answer.mover.place, game.board.bounds
    return max(x - 8, left), max(y - 8, low), min(x + 8, right), min(y + 8, high)


def cost_of(answer, place):
    """What an end costs; `cost_at` rounds what was measured."""
    return float(answer.cost_at(place) if isinstance(answer.table.board, Lattice) else answer.costs_at([place])[0])


@pytest.mark.sampled("grid_runner/market_chase")
@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_orders_to_an_end_lead_there_at_its_cost(path):
    game, random = load_scenario(path).start(), np.random.default_rng(5)
    asked = 0
    for unit in game.state:
        try:
            answer = game.reach(unit.id)
        except TableError:
            continue
        asked += 1
        ends = ENDS if isinstance(game.board, Lattice) else ENDS_ON_TABLES
        for place in islice(some_ends(game, answer, random), ends):
            assert place in answer
            foreseen = game.foresee(answer.orders_to(place))
            end = foreseen.state.unit(answer.mover.id).place
            assert end[:2] == pytest.approx(place[:2], abs=1e-4), (unit.id, place)
            if foreseen.orders:
                paid = [float(total) for total in foreseen.ledger.totals.values()] or [0.0]
                cost = cost_of(answer, place)
                assert any(total == pytest.approx(cost) for total in paid)
            assert 0 <= answer.chance_at(place) <= 1
            assert foreseen.chance <= 1
    assert asked


@pytest.mark.parametrize("name", ["grid_runner/market_chase", "dot_trooper/alley_turn", "skirmish/the_yard"])
def test_answers_on_each_kind_of_board_fulfil_the_contract(name):
    game = load_scenario(next(path for path in SCENARIOS if str(path).endswith(f"{name}.yaml"))).start()
    unit = next(unit for unit in game.state if unit.type != "vehicle")
    answer = game.reach(unit.id)
    assert isinstance(answer, ReachAnswer)
    assert answer.area.area == pytest.approx(sum(area.area for _, area in answer.bands()), rel=1e-6)
    assert answer.area.area == pytest.approx(sum(area.area for _, area in answer.chance_bands()), rel=1e-3)
    assert answer.to_geojson()["type"] == "FeatureCollection"
    off = answer.why_not(answer.mover.place)
    assert not off or off.reasons
