"""What is wrong with a position of many units: the same as unit beside unit, in one pass over all of them."""

import random

import pytest
from dt_games import bike, centred, game, trooper

from simulator.byte_cache import bytes_of
from simulator.engine.state import State, Unit
from simulator.engine.table import Table
from simulator.pathing.kernel.ordered import Ordered
from simulator.rulesets.dot_trooper import RULESET as RULES
from simulator.rulesets.dot_trooper import drive_states, movement
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, places_of

HILL = [((1, 0), {"level": 1}), ((2, 0), {"level": 1}), ((0, 2), {"storeys": 2}), ((-2, 1), {"impassable": True})]


def position(units):
    return Table(game([], centred(3, special=HILL)).setting, State.of(units))


def one_beside_another(table):
    """Who cannot stand where, and what is in the way, as the ground of each unit on its own has it."""
    for unit in table.state:
        ground = DotSurroundings.of(table, unit)
        for dot in places_of(unit):
            if not ground.at(ground.walkable(unit["level"], passing=False), dot):
                yield unit.id, dot, ground.blocker(dot, unit["level"])


@pytest.mark.parametrize("seed", range(60))
def test_units_in_the_way_are_those_that_the_ground_of_each_unit_shows(seed):
    dice = random.Random(seed)
    units = []
    for number in range(8):
        place, level = (dice.randint(-3, 3), dice.randint(-3, 3)), dice.choice([0, 0, 0, 1, 2])
        if dice.random() < 0.5:
            heading = dice.choice([0, 60, 120, 180, 240, 300])
            units.append(bike(f"b{number}", place=place, heading=heading, rider=None, level=level)[0])
        else:
            units.append(trooper(f"t{number}", place=place, level=level))
    table = position(units)
    found = [
        (breach.blocker, breach.place, breach.message.rpartition(": ")[2])
        for breach in RULES.faults(table)
        if "cannot stand" in breach.message
    ]
    assert found == list(one_beside_another(table))


def test_two_drivers_and_none_are_reported_of_the_vehicles_they_concern():
    two = [*bike("b1", rider="d1"), trooper("d2", place=(-1, 0), aboard="b1"), *bike("b2", place=(2, -2), rider=None)]
    found = {(breach.clause, breach.blocker) for breach in RULES.faults(position(two))}
    assert found == {("DT-172", "d1"), ("DT-172", "d2"), ("DT-55", "b2")}


def test_twice_the_units_take_twice_the_work(monkeypatch):
    read = []
    field = Unit.__getitem__
    monkeypatch.setattr(Unit, "__getitem__", lambda unit, name: read.append(name) or field(unit, name))
    counts = []
    for many in (20, 40):
        units = [
            unit for n in range(many) for unit in bike(f"b{n}", place=(1 + 3 * (n % 8), 2 * (n // 8)), rider=f"r{n}")
        ]
        table = Table(game([]).setting, State.of(units))
        read.clear()
        assert list(RULES.faults(table)) == []
        counts.append(len(read))
    assert counts[1] <= 2 * counts[0]


def test_a_search_reads_the_map_only_for_the_units_near_it(monkeypatch):
    """Those in the part of the map that a drive can touch are the same, whoever stands far away."""
    units = [unit for n in range(60) for unit in bike(f"b{n}", place=(1 + 3 * (n % 15), 5 * (n // 15)), rider=f"r{n}")]
    table = game(units).table
    whole = DotSurroundings.of(table, table.unit("b0"))
    looked = []
    holds = type(whole.board).__contains__
    monkeypatch.setattr(type(whole.board), "__contains__", lambda board, dot: looked.append(dot) or holds(board, dot))
    near = whole.around((1, 0), 6)
    assert len(looked) < len(whole.others) / 4
    assert near.others == tuple(other for other in whole.others if other[0] in near.board)


def test_a_kept_drive_is_weighed_by_its_masks_alone():
    table = game(bike(place=(20, 20))).table
    ground = DotSurroundings.of(table, table.unit("bike")).around((20, 20), 12)
    ride = movement.ride_question(table, table.unit("bike"), table.unit("A1"))
    ready = drive_states.prepared_ride(ground, ride.gear, standing=False)
    assert isinstance(ready, Ordered)
    masks = sum(gate.nbytes for gate in ready.space.gates.values()) + ready.space.end.nbytes
    assert masks < ready.byte_count <= bytes_of(dict(vars(ready)))
    assert bytes_of(ready) == ready.byte_count
