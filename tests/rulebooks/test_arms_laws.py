"""Laws of combined_arms on made-up tables: what reach says can be played at its price; what is legal, reach knows."""

from fractions import Fraction
from functools import cache

import numpy as np
import pytest
from arms_games import arms_game, piece

from simulator.engine.orders import Element, Order
from simulator.geometry.pieces import LineShape, Piece, PointShape, rectangle
from simulator.geometry.poses import Pose
from simulator.pathing.posed import judged
from simulator.rulesets.combined_arms.judge import moves_for
from simulator.rulesets.combined_arms.vocabulary import altitude_name

#: Six movers: infantry that walks and flies, a crewed weapon, tracks, a walker with a long base, and a grav tank.
MOVERS = {
    "on_foot": {},
    "jetpack": {"base": 0.5},
    "crew_weapon": {"base": 0.5},
    "tracked": {"base": 1, "armored": True, "size_class": 6},
    "walker": {"base": [[-1.5, -1], [1.5, -1], [1.5, 1], [-1.5, 1]]},
    "grav": {"speed_grade": "slow"},
}
_AREAS = ("soft_ground", "river", "lake", "vegetation", "dense_vegetation", "building", "rubble")
_LINES = ("low_obstacle", "high_wall", "antitank_obstacle")


def made_up(seed, mobility):
    """A mover in the middle of a table with all sorts of terrain, trees, a friend and enemies."""
    dice = np.random.default_rng(seed)
    terrain = [Piece("hill", "slope", rectangle((4, 3), (16, 12)), attributes={"uphill": float(dice.integers(0, 360))})]
    for number in range(7):
        kind = str(dice.choice(_AREAS))
        centre, size = dice.uniform(-16, 16, 2).round(2), dice.uniform(2, 8, 2).round(2)
        terrain.append(Piece(f"area{number}", kind, rectangle(tuple(centre), tuple(size), float(dice.integers(0, 90)))))
    for number in range(3):
        start, end = (tuple(place) for place in dice.uniform(-14, 14, (2, 2)).round(2).tolist())
        terrain.append(Piece(f"line{number}", str(dice.choice(_LINES)), LineShape([start, end])))
    road = LineShape([(-40, float(dice.integers(-6, 6))), (0, 2), (40, float(dice.integers(-6, 6)))], 2.0)
    terrain.append(Piece("road", "road", road, attributes={"wet": bool(dice.integers(0, 2))}))
    terrain += [
        Piece(f"tree{number}", "individual_tree", PointShape(*place))
        for number, place in enumerate(dice.uniform(-12, 12, (5, 2)).round(2).tolist())
    ]
    others = [
        piece(name, "on_foot", tuple(place), side, base=0.5)
        for (name, side), place in zip(
            [("F", "red"), ("X", "blue"), ("Y", "blue")], dice.uniform(-10, 10, (3, 2)).round(2).tolist(), strict=True
        )
    ]
    mover = piece("A", mobility, (0, 0), heading=int(dice.integers(0, 360)), **MOVERS[mobility])
    return arms_game(mover, *others, terrain=tuple(terrain))


@cache
def standing(seed, mobility):
    """The first made-up table from a seed on where the mover may stand; moves are played on branches of it."""
    for other in range(seed, seed + 100_000, 1000):
        game = made_up(other, mobility)
        if not [fault for fault in game.faults if fault.blocker == "A"]:
            return game
    raise AssertionError("no table has room in the middle")


@cache
def reached(seed, mobility):
    """What the mover on it reaches."""
    return standing(seed, mobility).reach("A")


TABLES = [(seed, mobility) for seed in range(2) for mobility in MOVERS]


@pytest.mark.sampled
@pytest.mark.parametrize(("seed", "mobility"), TABLES)
def test_every_end_is_played_at_its_price(seed, mobility):
    """CA-3: sound."""
    game, reach = standing(seed, mobility), reached(seed, mobility)
    dice = np.random.default_rng(seed + 100)
    far = float(reach.most)
    places = dice.uniform(-far, far, (60, 2)).round(3)
    ends = [tuple(place) for place in places[np.isfinite(reach.costs_at(places))].tolist()][:6]
    poses = [Pose(end, float(dice.integers(0, 360))) for end in ends]
    for pose in [*ends, *(pose for pose in poses if pose in reach)]:
        (order,) = reach.orders_to(pose)
        text = game.write(order)
        assert game.breaches(text) == []
        played = game.branch().do(text)
        unit = played.state.unit("A")
        assert unit.place == pytest.approx(Pose.of(pose).place, abs=1e-6)
        assert float(played.ledger.total("inches")) == pytest.approx(reach.cost_at(pose), abs=1e-4)
        assert unit["spent_translation"] + unit["spent_rotation"] == played.ledger.total("inches")


def random_order(dice, most):
    """Some legs and rotations."""
    modes = ["forward", "forward", "forward", "reverse", "sideways_left", "sideways_right"]
    elements = []
    for _ in range(int(dice.integers(1, 5))):
        if dice.random() < 0.4:
            turn = str(dice.choice(["turn_left", "turn_right"]))
            elements.append(Element(turn, {"angle": round(float(dice.uniform(1, 180)), 1)}))
        else:
            inches = round(float(dice.uniform(0.2, most / 2)), 2)
            elements.append(Element(str(dice.choice(modes)), {"inches": inches}))
    return Order("A", "move", elements)


def end_of(game, order):
    """Where an order ends, with all digits: a leg that leads there is one line."""
    space, moves = moves_for(game.table, game.table.unit("A"), order)
    return judged(space.space, space.space.starts[0], moves).place


@pytest.mark.sampled
@pytest.mark.parametrize(("seed", "mobility"), TABLES)
def test_whatever_is_legal_is_within_reach(seed, mobility):
    """CA-3: nothing dearer than an allowance less a tenth of an inch is missed by more."""
    game, reach = standing(seed, mobility), reached(seed, mobility)
    dice = np.random.default_rng(seed + 200)
    seen = 0
    for _ in range(200):
        order = random_order(dice, float(reach.most))
        if game.breaches(order):
            continue
        seen += 1
        after = game.branch().do(order)
        unit, paid = after.state.unit("A"), float(after.ledger.total("inches"))
        cost = reach.cost_at(end_of(game, order))
        assert unit.place == pytest.approx(end_of(game, order), abs=1e-9)
        if cost is None:
            assert paid > float(reach.most) - 0.1
        else:
            assert cost <= paid + 0.1
        if seen == 8:
            return


@pytest.mark.long
@pytest.mark.parametrize("seed", range(1))
def test_flights_are_played_at_their_price(seed):
    """CA-81, CA-85: ends at several altitudes."""
    game = standing(seed, "jetpack")
    reach = game.reach("A", climbing=True)
    dice = np.random.default_rng(seed)
    played = 0
    for level in reach.known_levels:
        for place in dice.uniform(-12, 12, (6, 2)).round(2).tolist():
            pose = Pose(tuple(place), None, level)
            if pose not in reach:
                continue
            (order,) = reach.orders_to(pose)
            assert game.breaches(game.write(order)) == []
            happened = game.branch().do(order)
            assert float(happened.ledger.total("inches")) == pytest.approx(reach.cost_at(pose), abs=1e-4)
            assert altitude_name(Fraction(happened.state.unit("A")["altitude"])) == level
            played += 1
    assert played > 5


def test_many_are_asked_together():
    """Answers for a whole side are those for each alone."""
    game = arms_game(piece("A", "grav"), piece("B", "tracked", (0, 9)), piece("C", "on_foot", (0, -9)))
    places = np.random.default_rng(1).uniform(-20, 20, (30, 2))
    together = dict(game.reach_many(["A", "B", "C"]))
    assert list(together) == ["A", "B", "C"]
    for name, answer in together.items():
        assert answer.costs_at(places).tolist() == game.reach(name).costs_at(places).tolist()
