"""Orders to many places of skirmish, traced together, are those to each of them alone."""

import numpy as np
import pytest
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
