"""skirmish: threads that share one answer find what one thread finds, by what the code itself holds together."""

import sys
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import numpy as np
import pytest
from skirmish_tables import game_with, rough, wall

from simulator.rulesets.skirmish.odds.decision_places import Links
from simulator.rulesets.skirmish.odds.plans import BestPlan, Flags

THREADS = 4
PLACES = np.array([(x / 2, y / 2) for x in range(-4, 10) for y in range(-4, 5)])


@pytest.fixture
def _switching_often():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def side_by_side(ask):
    """The answers of several threads that ask at the same moment."""
    ready = Barrier(THREADS)

    def work(_):
        ready.wait()
        return ask()

    with ThreadPoolExecutor(THREADS) as pool:
        return list(pool.map(work, range(THREADS)))


def crouching(*pieces):
    return game_with(*pieces, me={"stance": "crouching", "threshold_left": 0}).reach("A1", ap=2)


@pytest.mark.usefixtures("_switching_often")
def test_a_plan_is_worked_out_by_one_thread_at_a_time():
    """Its values are lower bounds while they are worked out: `after` is asked here with nothing else to wait for."""
    reach = crouching(rough(1, -3, 4, 3))
    links = Links(reach.fronts)
    nodes, flags = links.linked(*links.joined(PLACES)), Flags(token=False, crossed=False, ran=False, stance="crouching")
    alone = BestPlan(links, nodes, PLACES, 0.0).after(2, 0, flags).values
    assert len(np.unique(alone)) > 2
    for _ in range(5):
        shared = BestPlan(links, nodes, PLACES, 0.0)
        for found in side_by_side(lambda shared=shared: shared.after(2, 0, flags)):
            assert np.array_equal(found.values, alone)


@pytest.mark.usefixtures("_switching_often")
def test_places_behind_a_wall_are_found_by_all_threads():
    """SK-23: far sides between known ones are looked for while others look, too."""
    alone = crouching(wall((1.5, -4), (1.5, 2))).costs_at(PLACES).tolist()
    assert set(alone) >= {0, 1, 2}
    assert len({tuple(found) for found in side_by_side(_costs_of_one_answer())} | {tuple(alone)}) == 1


def _costs_of_one_answer():
    reach = crouching(wall((1.5, -4), (1.5, 2)))
    return lambda: reach.costs_at(PLACES).tolist()
