"""Orders to many places of skirmish, traced together, are those to each of them alone."""

import numpy as np
import pytest
from skirmish_compared import lucky
from skirmish_tables import chosen, game_with, rough, wall
from test_skirmish_reach_play import BEHIND, OPTIONS, a_table

from simulator.rulesets.skirmish.reach.orders import Places

#: A table, and how many of its places are asked about.
SEED, COUNT = 0, 10


def orders_written(found):
    """Orders with their AP, comparable."""
    return found if found is None else (found[0], [str(order) for order in found[1]])


@pytest.mark.sampled("options0", "options2")
@pytest.mark.parametrize("options", OPTIONS)
def test_orders_to_many_places_are_those_to_each_alone(options):
    fronts = a_table(SEED, options).reach("A1").fronts
    dice = np.random.default_rng(SEED)
    spots = [*map(tuple, dice.uniform(-6, 6, (COUNT, 2)).round(3).tolist()), *BEHIND, (0.0, 0.0)]
    spots.append(spots[0])  # asked twice
    together = Places(fronts).orders_to_each(spots)
    alone = [Places(fronts).orders(spot) for spot in spots]
    assert list(map(orders_written, together)) == list(map(orders_written, alone))
    assert sum(found is not None for found in together) > 3
    assert None in together
    assert Places(fronts).orders_to_each([]) == []


@pytest.mark.parametrize("seed", range(10))
def test_orders_that_stop_along_a_wall_are_legal(seed):  # SK-5, SK-17
    """The stops lie on an outline, whose corners are rounded; the lines to them and on have to keep off the wall."""
    dice = np.random.default_rng([38, seed])

    def quarters(low, high):
        return round(float(dice.uniform(low, high)) * 4) / 4

    pieces = [wall((quarters(-1.5, -0.5), 0.25), (1, 0.25), height=9), rough(0.75, 0.25, 3, 0.25 + quarters(0.5, 1.5))]
    others = ("A4", "red", (quarters(2.25, 2.5), -0.25)), ("B9", "blue", (4.5, 4.5))
    game = game_with(
        *pieces,
        at=(quarters(3.5, 4), 0.25 + quarters(-0.25, 0.25)),
        me={"stance": "crouching"},
        others=others,
        options={"pool_ap": True},
        corner=(-5, -5),
        size=10,
    )
    reach = game.reach("A1", stance="kept")
    for place in dice.uniform((-3.0, -1.0), (-0.5, 1.5), (8, 2)).tolist():
        if tuple(place) in reach:
            twin = lucky(game)
            for order in reach.orders_to(tuple(place)):
                assert list(twin.breaches(order)) == []
                twin.do(order, chosen())
            assert twin.state.unit("A1").place == pytest.approx(place, abs=1e-5)
