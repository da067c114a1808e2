"""Ways out of sight in combined_arms: where nobody who may fire at a piece ever can (CA-102)."""

import random

import numpy as np
import pytest
from arms_games import arms_game, piece

from simulator.engine.errors import TableError
from simulator.geometry.pieces import Piece, PointShape, rectangle
from simulator.rulesets.combined_arms.exposure import exposures

WALL = Piece("w", "building", rectangle((0, 5), (20, 1)))


def gun(name="G", at=(0, 20), **fields):
    return piece(name, "tracked", at, "blue", **{"weapon_range": 60, **fields})


def game(*units, terrain=()):
    return arms_game(*units, terrain=terrain, data={"initiative": tuple(unit.id for unit in units)})


def test_behind_a_wall():
    """Its shadow ends 10 inches to each side at the wall, and runs out by the lines past its corners."""
    table = game(piece("A", "grav"), gun(), terrain=(WALL,))
    reach = table.reach("A", unseen=True)
    # Past the corners at 10,5.5 the line of sight falls an inch and a half for each inch across.
    border = 10 + 5.5 * 10 / 14.5
    assert reach.cost_at((border - 0.01, 0)) == pytest.approx(border - 0.01, abs=1e-4)
    assert reach.cost_at((border + 0.01, 0)) is None
    why = reach.why_not((border + 1, 0))
    assert [(reason.clause, reason.message) for reason in why.reasons] == [
        ("CA-102", "an enemy that may fire sees it there")
    ]
    assert table.reach("A").cost_at((border + 1, 0)) is not None


@pytest.mark.parametrize("ground", [(), ("soft_ground",)])
def test_trees_in_sight_and_out_of_it(ground):
    """CA-61: what a tree costs goes by the ground it stands on, whether or not an enemy sees it there."""
    mire = tuple(Piece(kind, kind, rectangle((0, 0), (60, 8))) for kind in ground)
    trees = tuple(Piece(f"t{x}", "individual_tree", PointShape(x, 0)) for x in (5, 14.1))
    table = game(piece("A", "tracked", base=0.5), gun(), terrain=(WALL, *mire, *trees))
    reach, whole = table.reach("A", unseen=True), table.reach("A")
    # The second tree stands in sight: who meets it from where it is not seen itself pays for it as ever.
    for place in ((8, 0), (9, 3), (13.5, 0), (13.7, 0)):
        assert reach.cost_at(place) == pytest.approx(whole.cost_at(place)), place


def test_who_is_seen_stays_where_it_is():
    reach = game(piece("A", "grav"), gun()).reach("A", unseen=True)
    assert (reach.cost_at((0, 0)), reach.cost_at((1, 0))) == (0, None)


@pytest.mark.parametrize("other", [{"has_fired": True}, {"weapon_range": None}, {"weapon_range": 5}])
def test_who_cannot_fire_does_not_count(other):
    assert game(piece("A", "on_foot"), gun(**other)).reach("A", unseen=True).cost_at((5, 0)) == 5


def test_who_comes_onto_the_board():
    """CA-148: over a part of the edge that nobody sees."""
    wall = Piece("w", "building", rectangle((-42, 0), (1, 30)))
    enemy = gun(at=(-30, 0), weapon_range=40)
    table = game(piece("A", "on_foot", None, enters_on=1, entry_area=""), enemy, terrain=(wall,))
    reach = table.reach("A", unseen=True)
    assert reach.cost_at((-45, 0)) == 3
    assert reach.cost_at((-45, 30)) is None
    assert table.reach("A").cost_at((-45, 30)) == 3
    (order,) = reach.orders_to((-45, 0))
    assert exposures(table.ready_table("A"), order) == []


def test_at_one_altitude():
    table = game(piece("A", "grav"), gun())
    with pytest.raises(TableError, match="altitude"):
        table.reach("A", unseen=True, climbing=True)
    low = Piece("w", "building", rectangle((0, 5), (40, 1)), height=2)
    for altitude, hidden in ((1, True), (4, False)):
        over = game(piece("A", "grav", altitude=altitude), gun(), terrain=(low,))
        assert (over.reach("A", unseen=True).cost_at((3, 0)) is not None) is hidden


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(8))
def test_nobody_can_fire_on_the_way_and_no_such_way_is_missed(seed):
    """Orders to ends that are reported have no exposure, and ways without any are found at their price."""
    rng = random.Random(seed)
    mobility, altitude = rng.choice([("grav", 0), ("grav", 3), ("tracked", 0), ("jetpack", 2), ("on_foot", 0)])
    guns = [
        gun(name, (rng.uniform(-20, 20), rng.uniform(14, 24)), weapon_range=rng.choice([16, 22, 60]))
        for name in ("G", "H")[: rng.choice([1, 2])]
    ]
    terrain = tuple(
        Piece(
            f"w{number}",
            rng.choice(["building", "high_wall"]),
            rectangle((rng.uniform(-10, 10), rng.uniform(4, 8)), (rng.uniform(6, 14), 1), rng.uniform(-40, 40)),
            height=rng.choice([2, 5, 9]),
        )
        for number in range(3)
    )
    growth = tuple(
        Piece(f"t{number}", "individual_tree", PointShape(rng.uniform(-9, 9), rng.uniform(-9, 3)))
        for number in range(6)
    )
    mire = Piece("mire", "soft_ground", rectangle((rng.uniform(-6, 6), -4), (5, 8)))
    mover = piece("A", mobility, (0, -4), altitude=altitude, **{"base": 0.5} if mobility == "tracked" else {})
    table = game(mover, *guns, terrain=(*terrain, *growth, mire))
    ready, reach, whole = table.ready_table("A"), table.reach("A", unseen=True), table.reach("A")
    far = float(whole.most)
    places = np.array([(rng.uniform(-far, far), rng.uniform(-far, far) * 0.6) for _ in range(60)])
    hidden, open_ = reach.costs_at(places), whole.costs_at(places)
    assert np.all(hidden >= open_ - 1e-6)
    for number in np.flatnonzero(np.isfinite(hidden))[:8].tolist():
        for order in reach.orders_to(tuple(places[number].tolist())):
            assert list(table.breaches(order)) == []
            assert exposures(ready, order) == []
    for number in np.flatnonzero(np.isfinite(open_))[:8].tolist():
        orders = whole.orders_to(tuple(places[number].tolist()))
        if orders and not any(exposures(ready, order) for order in orders):
            assert hidden[number] == pytest.approx(open_[number], abs=0.05)


def test_an_entrant_does_not_come_on_where_it_is_seen():
    """CA-102, CA-148: edges in sight are no ends; behind a wall the piece comes on as usual."""
    wall = Piece("wall", "high_wall", rectangle((40, 0), (2, 20)))
    gun = piece("G", "tracked", (30, 0), "blue", weapon_range=30)
    entrant = piece("A", "grav", None, rate_original=6, enters_on=1)
    here = arms_game(entrant, gun, terrain=(wall,), data={"initiative": ("A", "G")})
    usual, unseen = here.reach("A"), here.reach("A", unseen=True)
    for place, hidden in (((48, 0), True), ((48, 22), False), ((48, -22), False), ((-48, 0), True), ((0, 48), True)):
        assert usual.cost_at(place) == 0
        assert (unseen.cost_at(place) == 0) == hidden, place
