"""Rides in combined_arms: where a squad can be that walks, boards a transport, rides, gets off and walks on."""

import numpy as np
import pytest
import shapely
from arms_games import arms_game, piece

from simulator import Pose
from simulator.engine.errors import WrongQuestion
from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.combined_arms.transport import distance_to_doors, door_places
from simulator.rulesets.combined_arms.walking_on import TwoWalksReach

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


def replayed(units, orders, unit="bob", **settings):
    """What a piece spends in the last turn of orders, played one after the other, and the state after them."""
    game, paid = arms_game(*units, **settings), [0.0]
    for order in orders:
        turn = game.state.clock.turn
        happened = game.do(order)
        paid += [0.0] * (turn - len(paid))
        paid[-1] += float(happened.ledger.total("inches")) if order.unit == unit else 0.0
    return paid[-1], game.state


def ends_of(answer, seed, far, count):
    """Some ends, made up on the spot."""
    places = np.random.default_rng(seed).uniform(-far, far, (200, 2)).round(3)
    return [tuple(place) for place in places[np.isfinite(answer.costs_at(places))][:count].tolist()]


def beyond(answer, ends, off):
    """Which ends an answer does not tell, and no place around them that is so far off either."""
    angles = np.radians(np.arange(0, 360, 30.0))
    around = off * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    unknown = np.array(ends)[np.isinf(answer.costs_at(ends))]
    return [end.tolist() for end in unknown if np.isinf(answer.costs_at(end + around)).all()]


class TestGettingOff:
    """E16, E17: CA-126, CA-127, CA-128, a transport of 24 inches that drives straight on, and the troops it carries."""

    def test_a_third_each(self):
        """E16, E17: after 8 inches of 24 they walk for a third, 2 inches on foot; after 16 they only get off."""
        answer = arms_game(apc(rate=24, base=None, doors=()), bob()).reach("bob", "ride")
        assert answer.cost_at((16.98, 0)) == 0
        assert answer.cost_at((17.01, 0)) is None
        assert answer.cost_at((0, 8.9)) == 0  # it turns for 8 inches and drives for 8

    def test_whom_it_has_not_moved_for(self):
        """CA-128: two thirds are left."""
        answer = arms_game(apc(damage_level=2), bob()).reach("bob", "ride")
        assert answer.cost_at((-7 + 0.01, 0)) == pytest.approx(3.99, abs=0.02)
        assert answer.cost_at((-7.01, 0)) is None


@pytest.mark.parametrize("doors", [((-2, 0),), ()])
@pytest.mark.parametrize("base", [None, 0.5, ((0.5, 0.25), (0.5, -0.25), (-0.5, -0.25), (-0.5, 0.25))])
def test_the_ground_beside_a_transport_that_leaves_no_time(doors, base):
    """CA-127: it has moved two thirds; they get off where it stands, and the area says so too."""
    units = apc(doors=doors, has_moved=True, moved_until=2, spent_translation=8), bob(base=base)
    answer, alone = arms_game(*units).reach("bob", "ride"), arms_game(*units).reach("bob")
    assert answer.cost_at((-2.9, 0)) == 0
    assert answer.area.area == pytest.approx(alone.area.area, abs=0.01)
    assert answer.area.contains(shapely.Point(-2.9, 0))


@pytest.mark.parametrize(
    ("level", "inside", "outside"),
    [
        # E16, E17: it drives two thirds, 8 inches, and the door is a reach away from where it ends.
        (0, 8.98, 9.02),
        # CA-132: 8 inches are left of 12; with a third of them, 2 2/3, they walk for 2 more.
        (1, 5.6, 5.68),
    ],
)
def test_how_far_it_carries_them(level, inside, outside):
    """CA-127, CA-132: who has nothing left gets off within an inch of where it stops."""
    answer = arms_game(apc(base=None, doors=(), damage_level=level), bob()).reach("bob", "ride")
    assert answer.cost_at((inside, 0)) is not None
    assert answer.cost_at((outside, 0)) is None


WALL = Piece("wall", "high_wall", rectangle((0, 4), (6, 1)))
FOE = piece("foe", "on_foot", (5, -4), side="blue", base=0.5)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("carrier", "rider", "settings", "question"),
    [
        (apc(), bob(base=0.5, mobility="gravpack"), {"terrain": (WALL,)}, {}),
        (apc("grav", altitude=2, rate=6, base=None, doors=()), bob(mobility="jetpack"), {}, {}),
        (apc(damage_level=1, rate=6, base=None), bob(), {"options": {"transport_clock": "exact"}}, {}),
        (apc(rate=6), bob((-4.5, 0)), {}, {"turns": 2}),
        (apc(rate=6, base=None), bob(), {"options": {"infantry_turning": "free"}}, {}),
    ],
    ids=["walls", "aloft", "damaged", "boards", "free turns"],
)
def test_each_end_replays_at_its_price(carrier, rider, settings, question):
    """CA-119, CA-121, CA-129: the orders of both are legal one after the other, and end there."""
    units = carrier, rider, FOE
    answer = arms_game(*units, **settings).reach("bob", "ride", carrier="apc", **question)
    ends = ends_of(answer, 1, 8, 6)
    assert len(ends) >= 5
    for end in ends:
        paid, after = replayed(units, answer.orders_to(end), **settings)
        assert after.unit("bob").place == pytest.approx(end, abs=1e-3)
        assert paid == pytest.approx(float(answer.cost_at(end)), abs=2e-3)


@pytest.mark.sampled
@pytest.mark.parametrize("level", [0, 1, 2])
@pytest.mark.parametrize("doors", [((-1, 0),), ()], ids=["door", "hull"])
def test_each_end_of_two_turns_has_orders(level, doors):
    """CA-132, CA-133: badly damaged, it does not move in the turn in which they get off, and may have turned before."""
    units = apc(base=None, doors=doors, damage_level=level), bob()
    answer = arms_game(*units).reach("bob", "ride", turns=2)
    ends = [(3.0, 0.0), *ends_of(answer, level, 6, 8)]
    assert len(ends) >= 8
    for end in ends:
        assert played(units, answer.orders_to(end)).unit("bob").place == pytest.approx(end, abs=1e-3)


def random_drive(rng, rate, budget):
    """A drive that spends a budget, on legs ahead or astern and up to two turns."""
    said, left = [], budget
    for _ in range(rng.integers(0, 3)):
        leg = round(rng.uniform(0, left / 2), 2)
        angle, share = [(45, 2), (30, 2), (90, 4), (60, 4), (135, 8)][rng.integers(5)]
        price = share * rate / 12
        if leg >= 1 and leg + price <= left:
            said += [f"forward {leg}", f"{rng.choice(['turn_left', 'turn_right'])} {angle}"]
            left -= leg + price
    ahead = rng.random() < 0.7
    leg = left if ahead else left / 2
    return ", ".join([*said, f"{'forward' if ahead else 'reverse'} {np.floor(leg * 1e6) / 1e6:.6f}"])


def random_ends(units, settings, rate, turns, count):
    """Where bob ends who is driven about, gets off in the last turn, and walks on."""
    for seed in range(count):
        rng, game = np.random.default_rng(seed), arms_game(*units, **settings)
        thirds = rng.integers(1, 3)
        for budget in [*[rate] * (turns - 1), thirds * rate / 3]:
            drive = "apc move: " + random_drive(rng, rate, budget)
            if game.breaches(drive):
                break
            game.do(drive)
            if budget == rate:
                game.do("bob done")
        carrier = game.state.unit("apc")
        (x, y), behind = carrier.place, np.radians(float(carrier.heading)) + np.pi
        aside = behind + rng.uniform(-np.pi / 2, np.pi / 2)
        place = [float(x) + 2 * np.cos(behind) + 0.9999 * np.cos(aside)]
        place += [float(y) + 2 * np.sin(behind) + 0.9999 * np.sin(aside)]
        order = f"bob move: unload at {place[0]:.5f},{place[1]:.5f} facing {rng.uniform(0, 360):.3f}"
        order += ", forward 2" if thirds == 1 else ""
        if not game.breaches(order):
            game.do(order)
            x, y = game.state.unit("bob").place
            yield float(x), float(y)


@pytest.mark.long
@pytest.mark.parametrize(("turns", "rate"), [(1, 12), (2, 6)])
def test_random_play_ends_where_it_says(turns, rate):
    """Drives and walks made up on the spot: none ends more than a tenth of an inch outside."""
    # Two turns are many poses: there the transport has no hull that could be in the way.
    units, settings = (
        (apc(rate=rate, base=HULL if turns == 1 else None), bob()),
        {"data": {"initiative": ("apc", "bob")}},
    )
    answer = arms_game(*units, **settings).reach("bob", "ride", turns=turns)
    ends = shapely.points(list(random_ends(units, settings, rate, turns, 40)))
    assert len(ends) >= 30
    assert shapely.distance(answer.area, ends).max() <= 0.1


def a_crate(long):
    return ((long, 0.25), (long, -0.25), (-long, -0.25), (-long, 0.25))


class TestLongBases:
    """CA-119: after a drive a base that is not round is set down as it lies, not as if it were as long each way."""

    @pytest.mark.sampled
    @pytest.mark.parametrize(
        ("long", "end", "heading", "budget"),
        [
            # It backs for 4 inches at half rate: an inch behind its door at -6, and half a length.
            (1.0, (-7.98, 0), 0, 8),
            (2.0, (-8.98, 0), 0, 8),
        ],
    )
    def test_it_is_set_down_as_it_lies(self, long, end, heading, budget):
        units = apc(), bob(base=a_crate(long))
        settings = {"data": {"initiative": ("apc", "bob")}}
        game = arms_game(*units, **settings)
        game.do(f"apc move: reverse {budget / 2}" if budget else "apc done")
        assert not game.breaches(f"bob move: unload at {end[0]},{end[1]} facing {heading}")
        answer = arms_game(*units, **settings).reach("bob", "ride")
        assert answer.cost_at(end) == 0
        after = played(units, answer.orders_to(end), **settings)
        assert after.unit("bob").place == pytest.approx(end, abs=1e-3)

    @pytest.mark.sampled
    @pytest.mark.parametrize("doors", [((-2, 0),), ()])
    def test_random_play(self, doors):
        """Each end has its orders, and ends of orders made up on the spot lie within a tenth of an inch."""
        units = apc(doors=doors), bob(base=a_crate(1.0))
        settings = {"data": {"initiative": ("apc", "bob")}}
        answer = arms_game(*units, **settings).reach("bob", "ride")
        for end in ends_of(answer, 3, 12, 8):
            paid, after = replayed(units, answer.orders_to(end), **settings)
            assert after.unit("bob").place == pytest.approx(end, abs=1e-3)
            assert paid == pytest.approx(float(answer.cost_at(end)), abs=2e-3)
        ends = list(set_down_anywhere(units, settings, 40))
        assert len(ends) >= 15
        assert shapely.distance(answer.area, shapely.points(ends)).max() <= 0.1


def set_down_anywhere(units, settings, count):
    """Where bob ends who is driven about, gets off beside the hull, facing away from it or not, and walks on."""
    for seed in range(count):
        rng, game = np.random.default_rng(seed), arms_game(*units, **settings)
        thirds = int(rng.integers(1, 3))
        drive = "apc move: " + random_drive(rng, SLOW, thirds * SLOW / 3)
        if game.breaches(drive):
            continue
        game.do(drive)
        x, y = map(float, game.state.unit("apc").place)
        for _ in range(60):
            aside = rng.uniform(-4, 4, 2)
            away = np.degrees(np.arctan2(aside[1], aside[0])) if rng.random() < 0.7 else rng.uniform(0, 360)
            order = f"bob move: unload at {x + aside[0]:.5f},{y + aside[1]:.5f} facing {away:.3f}"
            order += ", forward 2" if thirds == 1 else ""
            if not game.breaches(order):
                game.do(order)
                yield tuple(map(float, game.state.unit("bob").place))
                break


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
        # The transport cannot come nearer first: its go is after theirs.
        units, settings = (apc(), bob(at, heading=heading)), {"data": {"initiative": ("bob", "apc")}}
        answer = arms_game(*units, **settings).reach("bob", "ride", carrier="apc", end="aboard")
        assert answer.cost_at((left, 0)) == left
        assert answer.cost_at((left + 0.01, 0)) is None
        after = played(units, answer.orders_to((left, 0)), **settings)
        assert after.unit("bob").carrier == "apc"
        assert after.unit("apc").place == pytest.approx((left, 0), abs=1e-6)

    # Long: every drive is tried in vain; `test_who_stays_too_far_off` is a tenth of an inch too far.
    @pytest.mark.long
    def test_who_is_too_far_off(self):
        """CA-125: where the transport stands, and too far off for it to come nearer."""
        for far in (-7.1, -20):
            answer = arms_game(apc(), bob((far, 0))).reach("bob", "ride", carrier="apc", end="aboard")
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
        settings = {"options": {"transport_clock": "exact"}, "data": {"initiative": ("bob", "apc")}}
        answer = arms_game(apc(), bob((-4, 0)), **settings).reach("bob", "ride", carrier="apc", end="aboard")
        assert answer.cost_at((6, 0)) == 6
        assert answer.cost_at((6.01, 0)) is None


class TestFetching:
    """CA-121, CA-125, CA-129: the transport drives up first, for two thirds of its turn at most, and stays there."""

    @pytest.mark.sampled
    @pytest.mark.parametrize(
        ("at", "end", "beyond"),
        [
            # It backs for 8 inches at half rate; they walk 4, and are within an inch of its door at -6.
            ((-10.95, 0), (-4, 0), (-4.01, 0)),
            # They stand where they can walk 3 to within an inch of a door that has come by: it drives 8 at most.
            ((6, 3.95), (8, 0), (8.01, 0)),
        ],
    )
    def test_it_comes_to_them(self, at, end, beyond):
        units = apc(), bob(at)
        answer = arms_game(*units).reach("bob", "ride", carrier="apc", end="aboard")
        assert answer.cost_at(end) == 8
        assert answer.cost_at(beyond) is None
        after = played(units, answer.orders_to(end))
        assert after.unit("bob").carrier == "apc"
        assert after.unit("apc").place == pytest.approx(end, abs=1e-6)

    def test_who_stays_too_far_off(self):
        """One tenth of an inch more, and nobody boards."""
        answer = arms_game(apc(), bob((-11.1, 0))).reach("bob", "ride", carrier="apc", end="aboard")
        assert answer.cost_at((-4, 0)) is None
        why = answer.why_not((-4, 0))
        assert [reason.clause for reason in why.reasons] == ["CA-125"]

    def test_it_drives_on_in_the_second_turn(self):
        """CA-129: a vehicle that has moved does not move again; in the next turn it has its whole rate."""
        units = apc(), bob((6, 3.95)), piece("foe", "on_foot", (30, 30), side="blue")
        settings = {"data": {"initiative": ("apc", "bob")}}
        answer = arms_game(*units, **settings).reach("bob", "ride", carrier="apc", end="aboard", turns=2)
        assert answer.cost_at((20, 0)) == 12
        assert answer.cost_at((20.01, 0)) is None
        after = played(units, answer.orders_to((20, 0)), **settings)
        assert after.unit("bob").carrier == "apc"
        assert after.unit("apc").place == pytest.approx((20, 0), abs=1e-6)

    @pytest.mark.sampled("24-at1-forward 6.5331, turn_right 75, forward 2.1118-forward 23.98")
    @pytest.mark.parametrize(
        ("rate", "at", "first", "then"),
        [
            # It stops as soon as they can board, and goes the other way.
            (12, (-7.5, 3), "reverse 2.9", "forward 11.99"),
            # It turns where it still has time to go on to where they can board.
            (24, (9, 3), "forward 6.5331, turn_right 75, forward 2.1118", "forward 23.98"),
        ],
    )
    def test_made_up_drives_lie_within(self, rate, at, first, then):
        """CA-119, CA-129: where it is to stop to be boarded, any turn may be the best one, and any place on its way."""
        units = apc(rate=rate), bob(at)
        game = arms_game(*units)
        for order in (f"apc move: {first}", "all done", f"apc move: {then}"):
            game.do(order)
        end = tuple(map(float, game.state.unit("apc").place))
        answer = arms_game(*units).reach("bob", "ride", carrier="apc", end="aboard", turns=2)
        assert beyond(answer, [end], 0.03) == []
        if rate == 12:
            assert shapely.distance(answer.area, shapely.Point(end)) <= 0.03

    # Long: rides over two turns, with walks in both, are many poses; those in one turn are tried beside it.
    @pytest.mark.long
    def test_they_get_off_in_the_second_turn(self):
        """CA-126: after 8 inches, a third of two turns of 12 more, they walk for a third, 2 inches."""
        units = apc(base=None, doors=()), bob((8, 3.95))
        answer = arms_game(*units).reach("bob", "ride", carrier="apc", turns=2)
        assert answer.cost_at((8 + 8 + 0.99, 0)) == 0
        after = played(units, answer.orders_to((16.99, 0)))
        assert after.unit("bob").place == pytest.approx((16.99, 0), abs=1e-6)

    def test_whose_go_comes_first(self):
        """CA-7: who has gone already is fetched by nobody."""
        units, settings = (apc(), bob((-10.95, 0))), {"data": {"initiative": ("bob", "apc")}}
        answer = arms_game(*units, **settings).reach("bob", "ride", carrier="apc", end="aboard")
        assert answer.cost_at((-4, 0)) is None

    # Long: ends are played through rides among walls; `test_it_comes_to_them` plays one on open ground.
    @pytest.mark.long
    @pytest.mark.parametrize(
        ("rider", "settings", "question"),
        [
            (bob((6, 5), base=0.5), {"terrain": (WALL,)}, {"end": "aboard"}),
            (bob((6, 5), base=0.5), {"terrain": (WALL,)}, {"end": "aboard", "turns": 2}),
            (bob((4, 6), heading=300), {"options": {"transport_clock": "exact"}}, {"end": "aboard"}),
        ],
        ids=["walls", "walls, and on", "exact clocks"],
    )
    def test_each_end_replays(self, rider, settings, question):
        units = apc(), rider, FOE
        answer = arms_game(*units, **settings).reach("bob", "ride", carrier="apc", **question)
        ends = shapely.get_coordinates(shapely.segmentize(shapely.buffer(answer.area, -0.1).boundary, 1.0))
        ends = ends[:: max(len(ends) // 4, 1)].round(3).tolist()
        assert len(ends) >= 4
        for end in ends:
            after = played(units, answer.orders_to(tuple(end)), **settings)
            there = after.unit("apc" if question.get("end") else "bob")
            assert there.place == pytest.approx(end, abs=1e-3)
            assert after.unit("bob").carrier == ("apc" if question.get("end") else "")


def among_walls(seed):
    """Somebody among walls and enemies, and a slow transport beside them: units and settings made up on the spot."""
    rng = np.random.default_rng(seed)
    hull, doors = (HULL, None)[rng.integers(2)], (((-2, 0),), (), ((0, 1.2), (0, -1.2)))[rng.integers(3)]
    corners, sizes = rng.uniform(-7, 7, (5, 2)).round(2), rng.uniform(0.3, 4, (5, 2)).round(2)
    walls = [
        Piece(f"wall{number}", "high_wall", rectangle(tuple(corner), tuple(size)))
        for number, (corner, size) in enumerate(zip(corners.tolist(), sizes.tolist(), strict=True))
    ]
    foes = [
        piece(f"foe{number}", "on_foot", tuple(place), side="blue", base=0.5)
        for number, place in enumerate(rng.uniform(-6, 6, (2, 2)).round(2).tolist())
    ]
    place, base = tuple(rng.uniform(-6, 6, 2).round(2).tolist()), (None, 0.5)[rng.integers(2)]
    rider = bob(place, base=base, heading=int(rng.integers(0, 360)))
    clock = ("thirds_rounded_up", "exact")[rng.integers(2)]
    return (apc(rate=6, base=hull, doors=doors), rider, *foes), {
        "terrain": tuple(walls),
        "options": {"transport_clock": clock},
    }


# Long: ends are played through rides among walls; `test_it_comes_to_them` plays one on open ground.
@pytest.mark.long
@pytest.mark.parametrize("seed", [2, 4])
def test_whoever_is_fetched_among_walls_boards(seed):
    """CA-119, CA-125: where a drive to fetch somebody ends, there is a way aboard that no wall cuts off."""
    units, settings = among_walls(seed)
    answer = arms_game(*units, **settings).reach("bob", "ride", carrier="apc", end="aboard")
    ends = ends_of(answer, seed, 6, 3)
    assert len(ends) == 3
    for end in ends:
        after = played(units, answer.orders_to(end), **settings)
        assert after.unit("apc").place == pytest.approx(end, abs=1e-3)
        assert after.unit("bob").carrier == "apc"


class TestTwoTurns:
    def test_it_boards_and_rides_in_both(self):
        """CA-2, CA-117, CA-129: a third is left for the first drive, the whole rate for the second."""
        units = apc(), bob((-4.5, 0)), piece("foe", "on_foot", (30, 30), side="blue")
        answer = arms_game(*units).reach("bob", "ride", carrier="apc", end="aboard", turns=2)
        assert answer.cost_at((16, 0)) == 12  # of the second turn
        assert answer.cost_at((16.01, 0)) is None
        after = played(units, answer.orders_to(Pose((5, 2), 45)))
        assert after.unit("bob").carrier == "apc"
        assert after.unit("apc").place == pytest.approx((5, 2), abs=1e-6)


class TestBoardingInTheSecondTurn:
    """CA-2, CA-121, CA-122, CA-125, CA-129: a walk of one turn, and boarding in the next."""

    # Long: rides over two turns, with walks in both, are many poses; those in one turn are tried beside it.
    @pytest.mark.long
    def test_it_waits_for_them_and_drives_on(self):
        """CA-122: 6 inches in the first turn bring them to the door: 8 of 12 are left for the drive of the second."""
        settings = {"data": {"initiative": ("bob", "apc")}}
        units = apc(), bob((-8.95, 0))
        answer = arms_game(*units, **settings).reach("bob", "ride", carrier="apc", end="aboard", turns=2)
        assert answer.cost_at((7.99, 0)) == pytest.approx(7.97, abs=0.03)
        assert answer.cost_at((8.1, 0)) is None
        after = played(units, answer.orders_to((7.99, 0)), **settings)
        assert after.unit("bob").carrier == "apc"
        assert after.unit("apc").place == pytest.approx((7.99, 0), abs=1e-3)

    # Long: rides over two turns, with walks in both, are many poses; those in one turn are tried beside it.
    @pytest.mark.long
    def test_it_comes_to_them_in_both(self):
        """CA-125: they walk for a turn and two thirds, 10 inches, and it drives for as long, 10 of 6 a turn."""
        settings = {"data": {"initiative": ("apc", "bob")}}
        units = apc(rate=6, base=None, doors=()), bob((20.9, 0), heading=180)
        answer = arms_game(*units, **settings).reach("bob", "ride", carrier="apc", end="aboard", turns=2)
        assert answer.cost_at((9.99, 0)) is not None
        assert answer.cost_at((9.85, 0)) is None
        after = played(units, answer.orders_to((9.99, 0)), **settings)
        assert after.unit("bob").carrier == "apc"
        assert after.unit("apc").place == pytest.approx((9.99, 0), abs=1e-3)

    def test_who_is_too_far_off(self):
        """CA-125: a tenth of an inch more."""
        settings = {"data": {"initiative": ("apc", "bob")}}
        units = apc(rate=6, base=None, doors=()), bob((21.1, 0), heading=180)
        answer = arms_game(*units, **settings).reach("bob", "ride", carrier="apc", end="aboard", turns=2)
        assert answer.cost_at((9.99, 0)) is None

    @pytest.mark.long
    def test_made_up_plays_lie_within(self):
        """Walks and drives of two turns made up on the spot end inside, and the orders of some ends are legal."""
        units = apc(rate=6, base=None), bob((-12, 3))
        answer = arms_game(*units).reach("bob", "ride", carrier="apc", end="aboard", turns=2)
        ends = [end for seed in range(25) if (end := later_play(units, 6, seed)) is not None]
        assert len(ends) >= 8
        assert beyond(answer, ends, 0.1) == []
        some = ends_of(answer, 2, 6, 3)
        assert len(some) == 3
        for end in some:
            after = played(units, answer.orders_to(end))
            assert after.unit("apc").place == pytest.approx(end, abs=1e-3)
            assert after.unit("bob").carrier == "apc"


def later_play(units, rate, seed):
    """Where the transport ends that bob boards in the second turn, after walks and drives made up on the spot."""
    rng, game = np.random.default_rng(seed), arms_game(*units)
    back = (
        f"apc move: {rng.choice(['turn_left', 'turn_right'])} {rng.uniform(1, 25):.2f}, reverse {rate * 5 / 12 - 0.01}"
    )
    toward = f"bob move: {walk_to(game, rng.normal(0, 0.7, 2))} {rng.uniform(3.5, 4.9):.3f}"
    if game.breaches(back) or game.breaches(toward):
        return None
    for order in (back, toward, "all done"):
        game.do(order)
    waits = rng.random() < 0.5
    drive = f"apc move: {'forward' if waits else 'reverse'} {rng.uniform(0, rate / 6):.3f}"
    if not waits:
        game.do(drive)
    far = max(distance_to_doors(game.state.unit("bob"), game.state.unit("apc")) - 0.9999, 0.0)
    board = f"bob move: {walk_to(game)} {far:.5f}, load apc"
    if game.breaches(board):
        return None
    game.do(board)
    if waits and not game.breaches(drive):
        game.do(drive)
    return tuple(map(float, game.state.unit("apc").place))


def walk_to(game, off=(0, 0)):
    """A turn of bob toward the door of the transport, or beside it, and the beginning of a leg."""
    here, (door,) = game.state.unit("bob"), door_places(game.state.unit("apc"))
    x, y = np.array(door) + off - np.array(here.place, float)
    turn = (np.degrees(np.arctan2(y, x)) - float(here.heading) + 180) % 360 - 180
    return f"{'turn_left' if turn > 0 else 'turn_right'} {max(abs(turn), 0.001):.4f}, forward"


class TestWalkingInTheSecondTurn:
    """CA-2, CA-7, CA-119, CA-129: who gets off in the first turn, or never boards, walks in the second as well."""

    # Long: rides over two turns, with walks in both, are many poses; those in one turn are tried beside it.
    @pytest.mark.long
    def test_straight_on_through_both(self):
        """CA-128, CA-133: 4 inches are left of the first turn, and 6 of the second, without a turn between."""
        units = apc(damage_level=2), bob(), piece("foe", "on_foot", (30, 30), side="blue")
        answer = arms_game(*units).reach("bob", "ride", turns=2)
        assert answer.cost_at((-12.98, 0)) == pytest.approx(5.98, abs=0.02)
        assert answer.cost_at((-13.02, 0)) is None
        paid, after = replayed(units, answer.orders_to((-12.98, 0)))
        assert after.unit("bob").place == pytest.approx((-12.98, 0), abs=1e-6)
        assert paid == pytest.approx(float(answer.cost_at((-12.98, 0))), abs=1e-3)

    @pytest.mark.long
    def test_round_a_corner(self):
        """CA-46: where it has to turn between, that is paid for: behind a wall, with 2 inches and 3."""
        wall = Piece("west", "high_wall", rectangle((-4.25, 0), (0.5, 3)))
        units = apc(damage_level=2, at=(0, -0.4)), bob(), piece("foe", "on_foot", (30, 30), side="blue")
        settings = {"terrain": (wall,), "tables": {"infantry_rate.on_foot": 3}}
        answer = arms_game(*units, **settings).reach("bob", "ride", turns=2)
        behind = np.random.default_rng(3).uniform((-6, -1.5), (-4.5, 1.5), (60, 2)).round(3)
        ends = [tuple(place) for place in behind[np.isfinite(answer.costs_at(behind))].tolist()]
        assert len(ends) >= 4
        for end in ends[:4]:
            after = played(units, answer.orders_to(end), **settings)
            assert after.unit("bob").place == pytest.approx(end, abs=1e-3)

    # Long: rides over two turns, with walks in both, are many poses; those in one turn are tried beside it.
    @pytest.mark.long
    def test_on_foot_in_both(self):
        """CA-80: friends are passed, and the transport is one."""
        units = apc(), bob((-4.5, 0)), piece("foe", "on_foot", (30, 30), side="blue")
        answer = arms_game(*units).reach("bob", "ride", carrier="apc", turns=2)
        walks = [one for _, one in answer.answers if isinstance(one, TwoWalksReach)]
        # Where the transport stays, the first turn ends before it or beside it; where it makes way, 6 inches on.
        assert walks[0].cost_at((4, 0)) < 6
        assert walks[0].cost_at((7.5, 0)) is None
        away = next(one for one in walks[1:] if one.cost_at((7.5, 0)) is not None)
        assert away.cost_at((7.5, 0)) == 6
        assert away.cost_at((7.51, 0)) is None
        for one, end in ((walks[0], (4, 0)), (away, (7.5, 0))):
            after = played(units, one.orders_to(end))
            assert after.unit("bob").place == pytest.approx(end, abs=1e-6)


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
