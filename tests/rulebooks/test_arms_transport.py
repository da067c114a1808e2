"""Transport in combined_arms: clocks in thirds on both sides, doors, hovering, damage, capacity, and who is aboard."""

import math
from fractions import Fraction

import numpy as np
import pytest
import shapely
from arms_games import arms_game, piece

from simulator.engine.errors import OptionError
from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.combined_arms.transport import door_places

THIRD = Fraction(1, 3)


def carrier(name="apc", mobility="wheeled", rate=24, **fields):
    given = {"base": ((2, 1), (2, -1), (-2, -1), (-2, 1)), **fields}
    return piece(name, mobility, given.pop("at", (0, 0)), rate_original=rate, **given)


def trooper(name="bob", mobility="on_foot", at=(-3, 0), **fields):
    return piece(name, mobility, at, heading=fields.pop("heading", 0), **fields)


def aboard(name="bob", mobility="on_foot", by="apc", **fields):
    return piece(name, mobility, None, carrier=by, **fields)


def alone(*units, **settings):
    """A game in which one side plays, in the order given."""
    return arms_game(*units, data={"initiative": tuple(unit.id for unit in units)}, **settings)


def clauses(game, order):
    return [breach.clause for breach in game.breaches(order)]


def most_forward(game, name):
    """How far a piece may still go straight on, to a hundredth of an inch."""
    low, high = 0, 10000
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (low, middle - 1) if clauses(game, f"{name} move: forward {middle / 100}") else (middle, high)
    return low / 100


class TestBoarding:
    """E13, E14, E15, E37: CA-117, CA-118, CA-120, CA-121, CA-122, CA-123, CA-124, CA-125."""

    @pytest.mark.parametrize(
        ("walk", "left"),
        [("", 16), ("forward 1, ", 8), ("forward 2, ", 8), ("forward 2.01, ", 0), ("forward 4, ", 0)],
    )
    def test_what_the_transport_has_left(self, walk, left):
        at = (-3 - sum(float(word) for word in walk.replace(",", "").split()[1:2]), 0)
        game = alone(trooper(at=at), carrier())
        game.do(f"bob move: {walk}load apc")
        bob, apc = game.state.unit("bob"), game.state.unit("apc")
        assert (bob.place, bob.carrier, bob["transferred"]) == (None, "apc", "loaded")
        assert apc["busy_until"] == bob["busy_until"]
        assert most_forward(game, "apc") == left

    def test_who_needs_more_than_two_thirds_cannot_board(self):
        """CA-125."""
        game = alone(trooper(at=(-7.1, 0)), carrier())
        (late,) = game.breaches("bob move: forward 4.1, load apc")
        assert (late.clause, late.needed, late.available) == ("CA-125", 3, 2)

    def test_a_turn_on_the_way_counts(self):
        """E37: facing away a trooper turns for 1 inch and walks 2, so the carrier has nothing left."""
        game = alone(trooper(at=(-5, 0), heading=180), carrier())
        game.do("bob move: turn_left 180, forward 2, load apc")
        assert game.state.unit("apc")["busy_until"] == 3
        assert most_forward(game, "apc") == 0

    def test_the_latest_of_several_counts(self):
        """CA-121: transfers run side by side."""
        game = alone(trooper("bob"), trooper("cem", at=(-5, 0.5)), carrier())
        game.do("bob move: load apc")
        assert game.state.unit("apc")["busy_until"] == 1
        game.do("cem move: forward 2, load apc")
        assert game.state.unit("apc")["busy_until"] == 2
        assert [unit.id for unit in game.state.riders("apc")] == ["bob", "cem"]
        assert most_forward(game, "apc") == 8

    def test_after_the_transport_has_moved(self):
        """CA-121, CA-129: boarding begins when its movement is over, and it does not move again."""
        game = alone(carrier(at=(-10, 0)), trooper(at=(1, 0)), trooper("cem", at=(30, 0)))
        game.do("apc move: forward 8")
        assert game.state.unit("apc")["moved_until"] == 1
        game.do("bob move: load apc")
        assert game.state.unit("bob")["busy_until"] == 2

    def test_clocks_may_run_exactly(self):
        """CA-120."""
        game = alone(trooper(at=(-4, 0)), carrier(), options={"transport_clock": "exact"})
        game.do("bob move: forward 1, load apc")
        assert game.state.unit("apc")["busy_until"] == Fraction(3, 2)
        assert most_forward(game, "apc") == 12

    def test_it_ends_the_move(self):
        game = alone(trooper(), carrier())
        assert clauses(game, "bob move: load apc, forward 1") == ["CA-118"]

    def test_only_friends_that_carry(self):
        """CA-118."""
        game = arms_game(trooper(), trooper("cem", at=(-3, 2)), carrier(side="blue"))
        assert clauses(game, "bob move: load apc") == ["CA-118"]
        assert clauses(game, "bob move: load cem") == ["CA-118"]
        tank = alone(carrier("tank", at=(-9, 0)), carrier())
        assert clauses(tank, "tank move: forward 4, load apc") == ["CA-118"]

    def test_capacity(self):
        """CA-118."""
        game = alone(trooper(), trooper("cem", at=(-3, 0.9)), carrier(capacity=1))
        game.do("bob move: load apc")
        (full,) = game.breaches("cem move: load apc")
        assert (full.clause, full.needed, full.available) == ("CA-118", 2, 1)

    @pytest.mark.parametrize(("at", "near"), [((-3, 0), True), ((-3.01, 0), False), ((2.5, 1.5), True)])
    def test_the_hull_of_a_transport_without_doors(self, at, near):
        """CA-119."""
        assert clauses(alone(trooper(at=at), carrier()), "bob move: load apc") == ([] if near else ["CA-119"])

    @pytest.mark.parametrize(
        ("at", "near"), [((-3, 0), True), ((-2.5, 0.5), True), ((2.5, 0), False), ((-3.1, 0), False)]
    )
    def test_doors(self, at, near):
        """CA-119: a door in the rear, wherever the transport faces."""
        turned = complex(*at) * complex(0, 1)
        for place, heading in ((at, 0), ((turned.real, turned.imag), 90)):
            game = alone(trooper(at=place), carrier(doors=((-2, 0),), heading=heading))
            assert clauses(game, "bob move: load apc") == ([] if near else ["CA-119"])
        assert not clauses(alone(trooper(at=(-4, 0)), carrier(), options={"door_radius": 2}), "bob move: load apc")

    def test_it_boards_only_where_it_may_also_stand(self):
        """CA-119, CA-80: the place counts as the end of its move, at the doors as anywhere else."""
        friend = trooper("cem", at=(-3, 0), base=0.4)
        game = alone(trooper(at=(-5, 0), base=0.4), friend, carrier(), trooper("dov", at=(-3, 2)))
        assert clauses(game, "bob move: forward 2, load apc") == ["CA-80"]  # right on a friend
        assert clauses(game, "bob move: forward 1.1, load apc") == ["CA-119"]  # beside it, too far from the hull
        assert clauses(game, "bob move: forward 1.21, load apc") == ["CA-80", "CA-119"]
        # Who only passes the friend may board beyond it.
        near = alone(trooper(at=(-5, 0), base=0.4), trooper("cem", at=(-3.8, 0), base=0.3), carrier())
        assert clauses(near, "bob move: forward 2, load apc") == []
        reach = near.reach("bob")
        assert reach.cost_at((-3, 0)) == 2
        assert reach.cost_at((-3.8, 0)) is None

    def test_from_edge_to_edge_of_bases(self):
        assert not clauses(alone(trooper(at=(-3.5, 0), base=0.5), carrier()), "bob move: load apc")


class TestGettingOff:
    """E16, E17: CA-119, CA-126, CA-127, CA-128."""

    @pytest.mark.parametrize(
        ("mobility", "moved", "left"),
        [("on_foot", 0, 4), ("on_foot", 8, 2), ("jetpack", 8, 8), ("on_foot", 16, 0), ("jetpack", 15, 0)],
    )
    def test_what_the_troops_have_left(self, mobility, moved, left):
        game = alone(*([carrier()] if moved else []), aboard(mobility=mobility), *([] if moved else [carrier()]))
        if moved:
            game.do(f"apc move: forward {moved}")
        at = f"{moved},2"
        if left:
            assert clauses(game, f"bob move: unload at {at} facing 90, forward {left}.01") == ["CA-121"]
            game.do(f"bob move: unload at {at} facing 90, forward {left}")
        else:
            assert clauses(game, f"bob move: unload at {at} facing 90, forward 0.01") == ["CA-121"]
            game.do(f"bob move: unload at {at} facing 90")
        bob = game.state.unit("bob")
        assert (bob.place, bob.heading, bob.carrier) == ((moved, 2 + left), 90, "")

    def test_not_beyond_two_thirds(self):
        """CA-127."""
        game = alone(carrier(), aboard())
        game.do("apc move: forward 16.01")
        (late,) = game.breaches("bob move: unload at 16,2")
        assert (late.clause, late.needed, late.available) == ("CA-127", 3, 2)

    def test_from_a_transport_that_has_not_moved_both_keep_two_thirds(self):
        """CA-128."""
        game = alone(aboard(), carrier())
        game.do("bob move: unload at -3,0 facing 180, forward 4")
        assert most_forward(game, "apc") == 16

    def test_after_loading_and_driving(self):
        """CA-121: the movement of a transport that first took somebody aboard ends that much later."""
        game = alone(trooper(), carrier(), aboard("cem"))
        game.do("bob move: load apc")
        game.do("apc move: forward 8")
        assert game.state.unit("apc")["moved_until"] == 2
        assert clauses(game, "cem move: unload at 8,2 facing 90, forward 0.1") == ["CA-121"]
        assert clauses(game, "bob move: unload at 8,2") != []
        game.do("cem move: unload at 8,2")

    def test_the_place_has_to_be_legal(self):
        """CA-119: a piece that finds none stays aboard and has spent nothing."""
        river = Piece("river", "river", rectangle((0, 3), (20, 3)))
        game = alone(aboard(), trooper("cem", at=(-2.5, 0), base=0.4), carrier(), terrain=(river,))
        before = game.state.hash
        assert clauses(game, "bob move: unload at 0,1.5") == []  # on the bank
        assert clauses(game, "bob move: unload at 0,1.6 facing 90") == ["CA-52"]
        assert clauses(game, "bob move: unload at 0,0") == ["CA-80"]
        assert clauses(game, "bob move: unload at -2.5,0.2") == ["CA-80"]
        assert clauses(game, "bob move: unload at -2.5,0.2 facing 90, forward 1") == ["CA-80"]
        assert clauses(game, "bob move: unload at 3.1,0") == ["CA-119"]
        assert game.state.hash == before

    def test_first_of_all(self):
        game = alone(aboard(), trooper("cem"), carrier())
        assert clauses(game, "bob move: forward 1") == ["CA-119"]
        assert clauses(game, "bob move: forward 1, unload at -3,0") == ["CA-119"]
        assert clauses(game, "bob move: unload at -3,0, unload at -3,1") == ["CA-119"]
        game.do("bob move: unload at -3,1")
        assert clauses(game, "cem move: unload at -3,0") == ["CA-119"]

    def test_it_faces_as_the_transport_unless_said(self):
        """CA-119."""
        game = alone(aboard(), carrier(heading=30))
        game.do("bob move: unload at -3,0")
        assert game.state.unit("bob").heading == 30


class TestOneTurn:
    """CA-129."""

    def test_not_both_in_one_turn(self):
        game = alone(aboard(by="van"), carrier("van", at=(-6, 0)), carrier())
        order = "bob move: unload at -3,0, load apc"
        assert clauses(game, order) == ["CA-129"]
        both = alone(aboard(by="van"), carrier("van", at=(-6, 0)), carrier(), options={"load_unload_same_turn": True})
        both.do(order)
        bob = both.state.unit("bob")
        assert (bob.carrier, bob["busy_until"]) == ("apc", 2)
        assert [both.state.unit(name)["busy_until"] for name in ("van", "apc")] == [1, 2]

    def test_the_next_turn_begins_afresh(self):
        game = alone(trooper(), carrier())
        game.do("bob move: load apc")
        game.do("apc move: forward 16")
        assert game.state.clock.turn == 2
        bob, apc = game.state.unit("bob"), game.state.unit("apc")
        assert (bob["busy_until"], bob["transferred"], apc["busy_until"], apc["moved_until"]) == (0, "", 0, 0)
        game.do("bob move: unload at 16,2 facing 90, forward 4")

    def test_boarding_does_not_count_for_bands(self):
        """CA-98."""
        game = alone(trooper(), carrier())
        (ended,) = [event for event in game.do("bob move: load apc").events if event.kind == "ends its move"]
        assert (ended.detail["own"], ended.detail["band"]) == (0, "stationary")


class TestHovering:
    """CA-130."""

    def test_only_jetpacks_transfer(self):
        units = [aboard("bob", "jetpack", "copter"), aboard("cem", "gravpack", "copter")]
        copter = carrier("copter", "helicopter", 36, altitude=8)
        game = alone(*units, copter)
        assert clauses(game, "bob move: unload at 0,2 facing 90, forward 16") == []
        assert "CA-130" in clauses(alone(*reversed(units), copter), "cem move: unload at 0,2")
        options = {"hover_transfer_types": ("jetpack", "gravpack")}
        other = alone(*reversed(units), copter.put(altitude=2), options=options)
        assert clauses(other, "cem move: unload at 0,2") == []

    def test_they_start_at_its_altitude(self):
        game = alone(aboard("bob", "jetpack", "copter"), carrier("copter", "helicopter", 36, altitude=8))
        game.do("bob move: unload at 0,2 facing 90, descend 8, forward 8")
        assert (game.state.unit("bob")["altitude"], game.state.unit("bob").place) == (0, (0, 10))

    def test_no_higher_than_the_passengers_fly(self):
        game = alone(aboard("bob", "jetpack", "copter"), carrier("copter", "helicopter", 36, altitude=13))
        assert "CA-130" in clauses(game, "bob move: unload at 0,2")

    def test_boarding_takes_the_same_altitude(self):
        game = alone(trooper("bob", "jetpack"), carrier("copter", "helicopter", 36, altitude=6))
        assert clauses(game, "bob move: load copter") == ["CA-119"]
        game.do("bob move: climb 6, load copter")
        assert game.state.unit("copter")["busy_until"] == 2


class TestDamagedTransports:
    """E38, E39, E40: CA-131, CA-132, CA-133, CA-87."""

    @pytest.mark.parametrize(("walk", "left"), [(0, 8), (2, 5.33), (4, 0)])
    def test_one_level_after_boarding(self, walk, left):
        game = alone(trooper(at=(-3 - walk, 0)), carrier(damage_level=1))
        game.do(f"bob move: {f'forward {walk}, ' if walk else ''}load apc")
        assert most_forward(game, "apc") == left

    @pytest.mark.parametrize(
        ("moved", "forward", "clause"), [(9, 0, "CA-132"), (8, 0, None), (8, 0.1, "CA-121"), (5, 2, None)]
    )
    def test_one_level_before_getting_off(self, moved, forward, clause):
        game = alone(carrier(damage_level=1), aboard())
        game.do(f"apc move: forward {moved}")
        order = f"bob move: unload at {moved},2 facing 90" + (f", forward {forward}" if forward else "")
        found = clauses(game, order)
        assert found == [] if clause is None else clause in found

    def test_two_levels(self):
        game = alone(carrier(damage_level=2), aboard())
        game.do("apc move: forward 1")
        assert "CA-133" in clauses(game, "bob move: unload at 1,2")
        standing = alone(aboard(), carrier(damage_level=2))
        standing.do("bob move: unload at 0,2 facing 90, forward 4")
        assert most_forward(standing, "apc") == 0
        assert clauses(standing, "apc move: turn_left 45") != []

    def test_an_immobile_one_still_opens_its_doors(self):
        """CA-87."""
        game = alone(aboard(), carrier(damage_level=3))
        assert clauses(game, "bob move: unload at 0,2 facing 90, forward 4") == []

    def test_levels_of_a_rate_that_is_set(self):
        """CA-91: 14 of 24 is one level down, 8 two."""
        for rate, left in ((17, Fraction(34, 3)), (14, 8), (8, 0)):
            game = alone(trooper(), carrier(rate_current=rate))
            game.do("bob move: load apc")
            assert most_forward(game, "apc") == pytest.approx(float(left), abs=0.01)


def test_passengers_die_with_their_vehicle():
    """CA-111."""
    tank = carrier("tank", "tracked", 30, size_class=6, armored=True)
    car = carrier("car", at=(10, 0), size_class=2, side="blue")
    game = arms_game(tank, car, aboard("bob", by="car", side="blue"))
    game.do("tank move over car: forward 16")
    assert sorted(game.state.units) == ["tank"]


def test_faults_of_positions():
    """CA-118."""
    crowded = alone(aboard(), aboard("cem"), carrier(capacity=1))
    assert [breach.clause for breach in crowded.faults] == ["CA-118"]
    with pytest.raises(OptionError, match="hover_transfer_types"):
        alone(carrier(), options={"hover_transfer_types": ("walker",)})


def test_who_is_aboard_is_seen():
    """CA-118."""
    game = alone(aboard(), aboard("cem"), carrier())
    (drawn,) = game.ruleset.draw(game.table)
    assert drawn.tokens == ("with bob, cem",)


TERRAIN = (
    Piece("bog", "soft_ground", rectangle((6, 4), (6, 6))),
    Piece("wall", "high_wall", rectangle((-4, 3), (1, 3))),
    Piece("pond", "lake", rectangle((0, -3), (3, 2.5))),
)


@pytest.mark.parametrize(
    ("doors", "mobility", "base"),
    [((), "on_foot", 0.4), (((-2, 0),), "on_foot", None), (((-2, 0.5), (1, -1)), "gravpack", 0.4)],
)
class TestReachOfPassengers:
    """CA-119, CA-126, CA-128: reach of those aboard begins wherever they may be set down."""

    def game(self, doors, mobility, base):
        transport = carrier(doors=doors, heading=20)
        return alone(
            aboard(mobility=mobility, base=base), transport, trooper("cem", at=(-4, 0.3), base=0.4), terrain=TERRAIN
        )

    # Long: every end of a ride is played; the next test plays single ones.
    @pytest.mark.long
    def test_each_end_can_be_played_at_its_cost(self, doors, mobility, base):
        game = self.game(doors, mobility, base)
        reach, dice = game.reach("bob"), np.random.default_rng(3)
        left, bottom, right, top = reach.area.bounds
        places = dice.uniform((left, bottom), (right, top), (25, 2))
        costs = reach.costs_of(places)
        ends = np.flatnonzero(np.isfinite(costs))
        assert len(ends) > 5
        for place, cost in zip(places[ends[:5]].tolist(), costs[ends[:5]].tolist(), strict=True):
            (order,) = reach.orders_to(place)
            assert order.elements[0].name == "unload"
            assert game.breaches(order) == []
            played = game.branch()
            played.do(order)
            bob = played.state.unit("bob")
            assert bob.place == pytest.approx(place, abs=1e-5)
            assert float(bob["spent_translation"] + bob["spent_rotation"]) == pytest.approx(cost, abs=1e-6)

    @pytest.mark.sampled
    def test_what_can_be_played_reach_knows(self, doors, mobility, base):
        game = self.game(doors, mobility, base)
        dice, transport = np.random.default_rng(4), game.state.unit("apc")
        beside = np.array(door_places(transport) or [(2.5, 1), (-2.5, -1)])
        ends, spent = [], []
        for _ in range(120):
            x, y = (beside[dice.choice(len(beside))] + dice.uniform(-1.4, 1.4, 2)).round(3).tolist()
            heading, inches = int(dice.integers(0, 360)), round(float(dice.uniform(0, 4)), 3)
            off = f"bob move: unload at {x},{y} facing {heading}"
            order = f"{off}, forward {inches}"
            if game.breaches(off) or game.breaches(order):
                continue
            turned = math.radians(heading)
            ends.append((x + inches * math.cos(turned), y + inches * math.sin(turned)))
            played = game.branch()
            played.do(order)
            spent.append(float(played.state.unit("bob")["spent_translation"]))
        reach = game.reach("bob")
        assert len(ends) > 5
        assert np.all(reach.costs_of(np.array(ends)) <= np.array(spent) + 1e-3)
        assert np.all(shapely.distance(reach.area, shapely.points(ends)) <= 0.1)


def test_reach_of_who_cannot_get_off():
    """CA-127."""
    game = alone(carrier(), aboard())
    game.do("apc move: forward 17")
    reach = game.reach("bob")
    assert reach.area.is_empty
    assert "CA-127" in [reason.clause for reason in reach.why_not((17, 2)).reasons]
