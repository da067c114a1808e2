"""The lines between circles grow with what is asked: only pairs that are new are looked at, and none is missed."""

import numpy as np
import pytest
from sample_tables import legal_place, random_table

from simulator.pathing.free import bitangents, prepare
from simulator.pathing.free.bitangents import Bitangents
from simulator.pathing.free.reference import VisibilityGraph


def grown(seed, steps, size=24.0):
    """The lines of a table, asked for in several steps, around other places each time: of its ground, and its own."""
    obstacles = random_table(seed, discs=4, walls=6, polygons=9, size=size)
    table = prepare(obstacles, (0.5, 0.3, 0.0)[seed % 3])
    dice = np.random.default_rng(seed)
    x, y, _, _ = table.circles
    for _ in range(steps):
        here, budget = dice.uniform(0, size, 2), dice.uniform(2, 14)
        left = budget - np.hypot(x - here[0], y - here[1])
        table.graph_for(np.where(left >= 0, left, -np.inf))
    return table


def lines_of(table):
    return [np.column_stack(list(found.lines)) for found in (table.terrain.bitangents, table._own)]


@pytest.mark.parametrize("many_narrow", [256, 0])
@pytest.mark.parametrize("seed", range(12))
def test_lines_are_those_of_a_search_through_all_pairs_in_the_same_order(seed, many_narrow, monkeypatch):
    monkeypatch.setattr(bitangents, "_MANY_NARROW", many_narrow)
    found = lines_of(grown(seed, steps=4))
    monkeypatch.setattr(Bitangents, "_blocks", lambda _self, rows, others, _changed: [(rows, others)])
    whole = lines_of(grown(seed, steps=4))
    assert len(found[0])
    assert len(found[1])
    for one, other in zip(found, whole, strict=True):
        assert np.array_equal(one, other)


@pytest.mark.parametrize("seed", range(6))
def test_a_graph_of_pairs_within_the_budget_finds_the_lengths_of_one_of_all_pairs(seed):
    obstacles = random_table(seed, size=20.0)
    table = prepare(obstacles, 0.5)
    start = legal_place(table, seed, size=20.0)
    goals = np.round(np.random.default_rng(seed).uniform(0.5, 19.5, (20, 2)), 6)
    near = VisibilityGraph(obstacles, 0.5, start, goals, budget=7.0)
    whole = VisibilityGraph(obstacles, 0.5, start, goals)
    lengths = whole.lengths()
    assert near.graph.number_of_edges() < whole.graph.number_of_edges()
    assert near.lengths() == pytest.approx(np.where(lengths <= 7.0, lengths, np.inf), rel=1e-9)
