"""Rides in combined_arms: where a squad can be that walks, boards a transport, rides, gets off and walks on."""

from fractions import Fraction

import numpy as np
import pytest
from arms_games import arms_game, piece

from simulator import Pose
from simulator.engine.errors import WrongQuestion
from simulator.geometry.pieces import Piece, rectangle

HULL = ((2, 1), (2, -1), (-2, -1), (-2, 1))
#: Turns to the sides are dear and ways are short: what a test has to find is soon searched.
SLOW = 12


def apc(mobility="wheeled", rate=SLOW, **fields):
    given = {"at": (0, 0), "base": HULL, "doors": ((-2, 0),), **fields}
    return piece("apc", mobility, given.pop("at"), rate_original=rate, **given)


def bob(at=None, mobility="on_foot", **fields):
    return piece("bob", mobility, at, **({} if at else {"carrier": "apc"}), **fields)


def played(units, orders, **settings):
    game = arms_game(*units, **settings)
    for order in orders:
        game.do(order)
    return game.state


def spent(unit):
    return float(unit["spent_translation"] + unit["spent_rotation"])


def ends_of(answer, places):
    return [tuple(place) for place in np.round(places, 3).tolist() if answer.cost_at(tuple(place)) is not None]


class TestGettingOff:
    """E16, E17: CA-126, CA-127, CA-128, a transport of 24 inches that drives straight on, and the troops it carries."""

    def test_a_third_each(self):
        """E16, E17: after 8 inches of 24 they walk for a third, 2 inches on foot; after 16 they only get off."""
        answer = arms_game(apc(rate=24, base=None, doors=()), bob()).reach("bob", "ride")
        assert answer.cost_at((16.98, 0)) == 0
        assert answer.cost_at((17.01, 0)) is None
        assert answer.cost_at((0, 4.98)) == pytest.approx(3.98, abs=0.02)

    def test_whom_it_has_not_moved_for(self):
        """CA-128: two thirds are left."""
        answer = arms_game(apc(damage_level=2), bob()).reach("bob", "ride")
        assert answer.cost_at((-7 + 0.01, 0)) == pytest.approx(3.99, abs=0.02)
        assert answer.cost_at((-7.01, 0)) is None


@pytest.mark.parametrize(
    ("level", "inside", "outside"),
    [
        # E16, E17: it drives two thirds, 8 inches, and the door is a reach away from where it ends.
        (0, 8.98, 9.02),
        # CA-132, E39: 8 inches are left of 12, and it may spend 4 of them: half of its turn. Two thirds are used up.
        (1, 4.98, 5.02),
    ],
)
def test_how_far_it_carries_them(level, inside, outside):
    """CA-127, CA-132: those who have nothing left get off within an inch of where it stops."""
    answer = arms_game(apc(base=None, doors=(), damage_level=level), bob()).reach("bob", "ride")
    assert answer.cost_at((inside, 0)) is not None
    assert answer.cost_at((outside, 0)) is None


@pytest.mark.parametrize(("seed", "fields"), [(0, {}), (1, {"base": 0.5, "mobility": "gravpack"})])
def test_each_end_replays_at_its_price(seed, fields):
    """CA-119, CA-121: the orders are legal one after the other, and end there."""
    wall = Piece("wall", "high_wall", rectangle((0, 4), (6, 1)))
    foe = piece("foe", "on_foot", (5, -4), side="blue", base=0.5)
    units = apc(), bob(**fields), foe
    answer = arms_game(*units, terrain=(wall,)).reach("bob", "ride")
    places = np.random.default_rng(seed).uniform(-9, 9, (60, 2))
    places = places[np.isfinite(answer.costs_at(places))]
    ends = ends_of(answer, places[:10])
    assert len(ends) >= 5
    for end in ends:
        after = played(units, answer.orders_to(end), terrain=(wall,)).unit("bob")
        assert after.place == pytest.approx(end, abs=1e-3)
        assert spent(after) == pytest.approx(float(answer.cost_at(end)), abs=2e-3)


@pytest.mark.parametrize("seed", [3])
def test_random_play_ends_where_it_says(seed):
    """Drives and walks made up on the spot: none ends more than a tenth of an inch outside, or cheaper by more."""
    units, rng = (apc(), bob()), np.random.default_rng(seed)
    settings = {"data": {"initiative": ("apc", "bob")}}
    answer = arms_game(*units, **settings).reach("bob", "ride")
    ends = []
    for _ in range(60):
        game = arms_game(*units, **settings)
        turn = f"{rng.choice(['turn_left', 'turn_right'])} {rng.choice([45, 90, round(rng.uniform(1, 90), 2)])}"
        leg = f"{rng.choice(['forward', 'reverse'])} {rng.choice([2, 4, round(rng.uniform(0, 8), 2)])}"
        drive = "apc move: " + ", ".join(rng.permutation([turn, leg])[: rng.integers(1, 3)])
        if list(game.breaches(drive)):
            continue
        game.do(drive)
        carrier = game.state.unit("apc")
        (x, y), behind = carrier.place, np.radians(float(carrier.heading)) + np.pi
        door = float(x) + 2 * np.cos(behind), float(y) + 2 * np.sin(behind)
        aside = behind + rng.uniform(-np.pi / 2, np.pi / 2)
        place = door[0] + 0.999 * np.cos(aside), door[1] + 0.999 * np.sin(aside)
        order = f"bob move: unload at {place[0]:.5f},{place[1]:.5f} facing {rng.uniform(0, 360):.3f}"
        order += rng.choice(["", ", forward 2", ", forward 1.5"])
        if not list(game.breaches(order)):
            game.do(order)
            there = game.state.unit("bob")
            ends.append((*map(float, there.place), spent(there)))
    found = np.array(ends)
    assert len(found) >= 15
    around = [0.1 * np.array([np.cos(way), np.sin(way)]) for way in np.arange(0.0, 2 * np.pi, np.pi / 8)]
    costs = np.min([answer.costs_at(found[:, :2] + off) for off in [np.zeros(2), *around]], axis=0)
    assert (costs <= found[:, 2] + 0.2).all()


class TestBoarding:
    """E13, E14, E15, E37: CA-122, CA-123, CA-124, CA-125: how far the transport goes with those who board it."""

    @pytest.mark.parametrize(
        ("at", "heading", "left"),
        [
            ((-3, 0), 0, 8),  # E13: at the door
            ((-5, 0), 0, 4),  # E14: a third of their move away
            ((-5.01, 0), 0, 0),  # E15: more
            ((-7, 0), 0, 0),  # E15: two thirds
            ((-5, 0), 180, 0),  # E37: facing away, it turns for an inch
        ],
    )
    def test_what_is_left_for_the_ride(self, at, heading, left):
        units = apc(), bob(at, heading=heading)
        answer = arms_game(*units).reach("bob", "ride", carrier="apc", end="aboard")
        assert answer.cost_at((left, 0)) is not None
        assert answer.cost_at((left + 0.01, 0)) is None
        after = played(units, answer.orders_to((left, 0)))
        assert after.unit("bob").carrier == "apc"
        assert after.unit("apc").place == pytest.approx((left, 0), abs=1e-6)

    def test_who_is_too_far_off(self):
        """CA-125."""
        answer = arms_game(apc(), bob((-7.1, 0))).reach("bob", "ride", carrier="apc", end="aboard")
        assert answer.cost_at((0, 0)) is None
        assert answer.why_not((0, 0)).reasons[0].clause == "CA-125"

    def test_capacity(self):
        """CA-118: others aboard take up room."""
        others = [piece(name, "on_foot", None, carrier="apc") for name in ("cem", "dov")]
        full = arms_game(apc(capacity=2), bob((-3, 0)), *others).reach("bob", "ride", carrier="apc", end="aboard")
        assert full.why_not((0, 0)).reasons[0].clause == "CA-118"
        room = arms_game(apc(capacity=3), bob((-3, 0)), *others).reach("bob", "ride", carrier="apc", end="aboard")
        assert room.cost_at((8, 0)) == 8

    @pytest.mark.parametrize(("level", "left"), [(1, 4), (2, 0)])
    def test_damaged_transports(self, level, left):
        """E38: CA-132, CA-133."""
        answer = arms_game(apc(damage_level=level), bob((-3, 0))).reach("bob", "ride", carrier="apc", end="aboard")
        assert answer.cost_at((left, 0)) == left
        assert answer.cost_at((left + 0.01, 0)) is None

    def test_clocks_may_run_exactly(self):
        """CA-120: an inch of six on foot is half a third."""
        settings = {"options": {"transport_clock": "exact"}}
        answer = arms_game(apc(), bob((-4, 0)), **settings).reach("bob", "ride", carrier="apc", end="aboard")
        assert answer.cost_at((6, 0)) == 7
        assert answer.cost_at((6.01, 0)) is None


class TestTwoTurns:
    def test_it_boards_and_rides_in_both(self):
        """CA-2, CA-117, CA-129: a third is left for the first drive, the whole rate for the second."""
        units = apc(), bob((-4.5, 0)), piece("foe", "on_foot", (30, 30), side="blue")
        answer = arms_game(*units).reach("bob", "ride", carrier="apc", end="aboard", turns=2)
        assert answer.cost_at((16, 0)) == Fraction(27, 2)
        assert answer.cost_at((16.01, 0)) is None
        after = played(units, answer.orders_to(Pose((5, 2), 45)))
        assert after.unit("bob").carrier == "apc"
        assert after.unit("apc").place == pytest.approx((5, 2), abs=1e-6)


class TestOnItsOwn:
    def test_the_transport_makes_way(self):
        """CA-80: nobody ends on it, but where it stood when it has gone."""
        units = apc(), bob((-3, 0))
        answer = arms_game(*units).reach("bob", "ride", carrier="apc")
        assert arms_game(*units).reach("bob").cost_at((0, 0)) is None
        assert answer.cost_at((0, 0)) == 3
        assert played(units, answer.orders_to((0, 0))).unit("bob").place == (0, 0)


def test_what_may_be_asked():
    game = arms_game(apc(), bob((-3, 0)), piece("foe", "wheeled", (20, 20), side="blue"))
    for wrong in ({"carrier": "foe"}, {}, {"carrier": "bob"}):
        with pytest.raises(Exception, match=r"transport|aboard"):
            game.reach("bob", "ride", **wrong)
    with pytest.raises(WrongQuestion):
        game.reach("bob", "ride", carrier="apc", turns=3)


def test_a_rotation_at_the_very_end_of_an_allowance_is_made():
    """CA-40: what is legal by a hair is played as well."""
    after = played([apc()], ["apc move: forward 9.9999999, turn_left 45.0"]).unit("apc")
    assert after.heading == 45
    over = played([apc()], ["apc move: forward 10.00000001, turn_left 45"]).unit("apc")
    assert over.heading == 45
