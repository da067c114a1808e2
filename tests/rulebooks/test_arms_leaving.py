"""Leaving the board in combined_arms: over its edge, at the end of a move, for good."""

import random

import numpy as np
import pytest
import shapely
from arms_games import arms_game, piece

from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose
from simulator.pathing.traces import NoRoute


def game(*units, **settings):
    everybody = (piece("A", "grav", (40, 0)), *units)
    return arms_game(*everybody, data={"initiative": tuple(unit.id for unit in everybody)}, **settings)


def clauses(table, order):
    return [breach.clause for breach in table.breaches(order)]


def test_a_move_ends_at_the_edge():
    """CA-138: the reference point has to get there."""
    table = game(piece("B", "on_foot"))
    happened = table.do("A move: forward 8, leave_board")
    assert happened.ledger.total("inches") == 8
    gone = table.state.unit("A")
    assert (gone.place, gone["left_board"]) == (None, True)


def test_only_from_the_edge_and_last_of_all():
    """CA-138."""
    table = game()
    (short,) = table.breaches("A move: forward 7, leave_board")
    assert (short.clause, short.needed) == ("CA-138", 1)
    assert clauses(table, "A move: forward 8, leave_board, turn_left 45") == ["CA-138"]
    assert clauses(table, "A move: forward 9") == ["CA-138"]
    assert clauses(table, "A move: turn_left 90, forward 25, leave_board") == ["CA-3", "CA-138"]


def test_who_has_left_stays_away():
    """CA-134, CA-135, CA-136: lost, not destroyed, and never back."""
    table = game(piece("B", "on_foot"))
    table.do("A move: forward 8, fire, leave_board")
    assert "A" in table.state.units
    table.do("B move: forward 1")
    assert table.state.clock.turn == 2
    assert "CA-7" in clauses(table, "A move: forward 1")
    table.do("B move: forward 1")
    assert table.state.clock.turn == 3
    back = game(piece("B", "on_foot", left_board=True))
    assert [breach.clause for breach in back.faults] == ["CA-134"]


def test_those_aboard_leave_with_it():
    """CA-134."""
    table = game(piece("B", "on_foot", None, carrier="A"))
    table.do("A move: forward 8, leave_board")
    rider = table.state.unit("B")
    assert (rider.place, rider.carrier, rider["left_board"]) == (None, "", True)


def test_from_where_it_stands():
    assert clauses(arms_game(piece("A", "grav", (48, 3))), "A move: leave_board") == []


class TestReach:
    """CA-138: from where on the edge, at which price, facing which way."""

    def test_the_edge_alone(self):
        reach = game().reach("A", leaving=True)
        assert reach.cost_at((48, 0)) == 8
        assert reach.cost_at((47, 0)) is None
        assert reach.area.area == 0
        assert reach.area.length == pytest.approx(sum(band.length for _, band in reach.bands()), abs=1e-3)
        (order,) = reach.orders_to((48, 0))
        assert [element.name for element in order.elements] == ["forward", "leave_board"]
        with pytest.raises(NoRoute):
            reach.orders_to((47, 0))

    def test_facing_counts(self):
        """CA-37: it leaves in reverse at twice the price, or turned."""
        table = game()
        reach = table.reach("A", leaving=True)
        assert reach.cost_at(Pose((48, 0), 0)) == 8
        assert reach.cost_at(Pose((48, 0), 90)) == 20
        (order,) = reach.orders_to(Pose((48, 0), 90))
        assert table.do(order).ledger.total("inches") == 20
        assert table.state.unit("A")["left_board"]

    def test_why_not(self):
        reach = game().reach("A", leaving=True)
        inside, far = reach.why_not((40, 5)), reach.why_not((48, 44))
        assert [(reason.clause, reason.needed) for reason in inside.reasons] == [("CA-138", 8)]
        assert inside.nearest == (48, 5)
        assert [reason.clause for reason in far.reasons] == ["CA-3"]

    def test_from_where_it_stands(self):
        (order,) = arms_game(piece("A", "grav", (48, 3))).reach("A", leaving=True).orders_to((48, 3))
        assert [element.name for element in order.elements] == ["leave_board"]

    @pytest.mark.sampled("0")
    @pytest.mark.parametrize("seed", range(4))
    def test_each_end_is_played_at_its_cost_and_none_is_missed(self, seed):
        """The judge accepts what is reported along the edge, and no end lies outside of the outer outline."""
        rng = random.Random(seed)
        mobility = rng.choice(["grav", "tracked", "hover", "jetpack"])
        base = rng.choice([{}, {"base": 1}, {"base": ((2, 1), (-2, 1), (-2, -1), (2, -1))}])
        mover = piece("A", mobility, (rng.uniform(34, 38), rng.uniform(-40, 40)), heading=rng.uniform(0, 360), **base)
        y = mover.place[1] * 0.8
        woods = tuple(
            Piece(f"w{number}", kind, rectangle((rng.uniform(42, 46), y + rng.uniform(-8, 8)), (3, 2)))
            for number, kind in enumerate(["vegetation", "dense_vegetation"])
        )
        friend = piece("F", "tracked", (46.5, y + 12), base=1)
        table = arms_game(mover, friend, terrain=woods)
        reach = table.reach("A", leaving=True)
        ring = shapely.box(*reach.table.board.bounds).exterior
        places = shapely.get_coordinates(shapely.line_interpolate_point(ring, np.arange(0, ring.length, 0.7)))
        costs, spots = reach.costs_at(places), shapely.points(places)
        ends = np.flatnonzero(np.isfinite(costs))
        assert len(ends) > 3
        assert shapely.distance(reach.outer_area, spots[ends]).max() < 0.1
        assert shapely.distance(reach.area, spots[np.isinf(costs)]).min() > 0
        for number in ends[:: max(len(ends) // 8, 1)].tolist():
            (order,) = reach.orders_to(tuple(places[number].tolist()))
            assert list(table.breaches(order)) == []
            assert float(table.foresee(order).ledger.total("inches")) == pytest.approx(costs[number], abs=1e-6)


@pytest.mark.parametrize(
    ("busy", "level", "cited"),
    [(1, 0, None), (2, 0, None), (3, 0, "CA-121"), (1, 1, None), (1, 2, "CA-133"), (3, 1, "CA-121")],
)
def test_who_has_nothing_left_after_boarding_does_not_leave(busy, level, cited):
    """CA-121, CA-124, CA-133, CA-138: leaving is moving, in orders and in reach."""
    transport = piece("T", "tracked", (48, 0), rate_original=24, doors=((-2, 0),), busy_until=busy, damage_level=level)
    here = arms_game(transport)
    refused = [breach.clause for breach in here.breaches("T move: leave_board")]
    assert refused == ([] if cited is None else [cited])
    reach = here.reach("T", leaving=True)
    assert (reach.cost_at((48, 0)) is None) == (cited is not None)
    if cited is not None:
        assert cited in [reason.clause for reason in reach.why_not((48, 0)).reasons]


def test_a_passenger_set_down_after_two_thirds_does_not_leave():
    """CA-127: it may get off and no more."""
    transport = piece(
        "T",
        "tracked",
        (48, 0),
        rate_original=24,
        doors=((-0.5, 0),),
        spent_translation=16,
        moved_until=2,
        has_moved=True,
    )
    here = arms_game(piece("P", "on_foot", None, carrier="T"), transport, data={"initiative": ("P", "T")})
    assert here.breaches("P move: unload at 47,0") == here.breaches("P move: unload at 48,0")
    assert [breach.clause for breach in here.breaches("P move: unload at 48,0, leave_board")] == ["CA-121"]
    assert here.reach("P", leaving=True).cost_at((48, 0)) is None
