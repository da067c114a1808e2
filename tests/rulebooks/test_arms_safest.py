"""The safest way under fire in combined_arms: out of sight of enemies, even if it costs more (CA-92, CA-102)."""

import itertools
import math

import pytest
from arms_games import arms_game, piece

from simulator.geometry.pieces import Piece, rectangle
from simulator.pathing.traces import NoRoute
from simulator.rulesets.combined_arms.exposure import exposures
from simulator.rulesets.combined_arms.odds import chance_of

#: The straight way west to east leads past the gap between the walls, which a gun in the north looks through.
WALLS = tuple(
    Piece(f"w{number}", "building", rectangle(middle, size))
    for number, (middle, size) in enumerate((((-7, 5), (10, 1)), ((7, 5), (10, 1)), ((0, -1), (7, 1))))
)
GOAL = (5, 0)


def gun(name="G", at=(0, 20), **fields):
    return piece(name, "tracked", at, "blue", **{"weapon_range": 60, **fields})


def game(*guns, terrain=WALLS, at=(-5, 0), **fields):
    units = (piece("A", "jetpack", at, **fields), *guns)
    return arms_game(
        *units,
        terrain=terrain,
        options={"infantry_turning": "free"},
        data={"initiative": tuple(unit.id for unit in units)},
    )


def chance(table, orders):
    return math.prod(chance_of(table.ready_table("A"), order) for order in orders)


def test_round_the_house_where_nobody_sees_it():
    """The house at 0,-1 hides the ground south of it: the way there and back is longer, and nobody can fire."""
    table = game(gun())
    reach = table.reach("A")
    plain, safe = reach.orders_to(GOAL), reach.orders_to(GOAL, safest=True)
    assert chance(table, plain) < 1
    assert chance(table, safe) == 1
    assert [exposures(table.ready_table("A"), order) for order in safe] == [[]]
    foreseen = table.foresee(safe)
    assert foreseen.state.unit("A").place == pytest.approx(GOAL, abs=1e-4)
    assert foreseen.ledger.total("inches") > reach.cost_at(GOAL)
    # That is the price of the cheapest way out of sight.
    hidden = table.reach("A", unseen=True).cost_at(GOAL)
    assert float(foreseen.ledger.total("inches")) == pytest.approx(float(hidden), abs=1e-3)


@pytest.mark.parametrize("other", [{"has_fired": True}, {"weapon_range": None}, {"weapon_range": 5}])
def test_where_nobody_can_fire_it_is_the_cheapest(other):
    reach = game(gun(**other)).reach("A")
    assert reach.orders_to(GOAL, safest=True) == reach.orders_to(GOAL)


def test_out_of_sight_of_those_that_can_be_kept_out_of():
    """One gun in the open sees it wherever it goes; the other it can pass unseen, which leaves the better chance."""
    table = game(gun(), gun("H", (-9, -20)))
    reach = table.reach("A")
    plain, safe = reach.orders_to(GOAL), reach.orders_to(GOAL, safest=True)
    assert table.reach("A", unseen=True).cost_at(GOAL) is None
    assert chance(table, plain) < chance(table, safe) < 1
    assert {one.who for order in safe for one in exposures(table.ready_table("A"), order)} == {"H"}


@pytest.mark.sampled
@pytest.mark.parametrize("number", range(3))
def test_it_is_never_worse_nor_illegal(number):
    """Whatever the guns, the end is the same, the order legal, and the chance at least that of the cheapest way."""
    places = list(itertools.combinations(((0, 20), (-9, -20), (25, 3)), 2))[number]
    table = game(*(gun(name, at) for name, at in zip("GH", places, strict=True)))
    reach = table.reach("A", chances=True)
    for goal in (GOAL, (3, -3)):
        safe = reach.orders_to(goal, safest=True)
        assert all(list(table.breaches(order)) == [] for order in safe)
        assert chance(table, safe) >= reach.chance_at(goal)
        assert table.foresee(safe).state.unit("A").place == pytest.approx(goal, abs=1e-4)


def test_who_stays_gets_no_order_and_who_cannot_get_there_none_either():
    reach = game(gun()).reach("A")
    assert reach.orders_to((-5, 0), safest=True) == []
    with pytest.raises(NoRoute):
        reach.orders_to((30, 0), safest=True)


def test_who_comes_onto_the_board():
    """CA-148: over a part of the edge that nobody sees, if that leads there."""
    wall = Piece("w", "building", rectangle((-42, 0), (1, 30)))
    fields = {"enters_on": 1, "entry_area": ""}
    table = game(gun(at=(-30, 0), weapon_range=40), terrain=(wall,), at=None, **fields)
    safe = table.reach("A").orders_to((-45, 10), safest=True)
    assert [exposures(table.ready_table("A"), order) for order in safe] == [[]]
