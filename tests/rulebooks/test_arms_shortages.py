"""What runs out of allowance in combined_arms: the leg, the rotation, the tree, or the overrun (CA-106)."""

from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.geometry.pieces import Piece, PointShape, rectangle

ATTACKERS = {"tracked": 30, "walker": 24, "wheeled": 36, "grav": 36}
MARSH = Piece("marsh", "soft_ground", rectangle((0, 0), (96, 96)))
ROAD = Piece("road", "road", rectangle((0, 0), (96, 4)), attributes={"paved": True})
#: What an inch costs those on tracks, legs or wheels, and those that float.
GROUNDS = [((), 1, 1), ((MARSH,), 2, 1), ((ROAD,), Fraction(1, 2), 1)]
HIT = 12


def overrunning(mobility, at, terrain=(), *others, west=0, **fields):
    """A vehicle, without a base unless said, so far west of the middle, and a man 1 inch across so far ahead of it."""
    tank = piece("A", mobility, (-west, 0), armored=True, size_class=6, **fields)
    units = (tank, piece("B", "on_foot", (at - west, 0), "blue", base=0.5), *others)
    return arms_game(*units, terrain=terrain, data={"initiative": tuple(unit.id for unit in units)})


@pytest.mark.parametrize("mobility", ATTACKERS)
@pytest.mark.parametrize(("terrain", "walking", "floating"), GROUNDS)
@pytest.mark.parametrize("share", [Fraction(1, 3), Fraction(19, 20), Fraction(11, 10)])
def test_which_part_of_the_way_cannot_be_paid(mobility, terrain, walking, floating, share):
    """CA-106: the overrun where the way to the target can be paid and that over it cannot, else CA-3."""
    rate, inch = ATTACKERS[mobility], floating if mobility == "grav" else walking
    at = Fraction(rate) / inch * share
    game = overrunning(mobility, float(at), terrain, west=46)
    there, over = (Fraction(float(at)) - Fraction(1, 2)) * inch, 3 * inch
    for beyond in (Fraction(1, 2), 1, 3, 12):
        price = there + over + (Fraction(beyond) - Fraction(1, 2)) * inch
        found = [one for one in game.breaches(f"A move over B: forward {float(at + beyond)}") if one.clause != "CA-138"]
        if price <= rate:
            assert found == []
        elif there < rate < there + over:
            (breach,) = found
            assert (breach.clause, breach.blocker) == ("CA-106", "B")
            assert (float(breach.needed), float(breach.available)) == pytest.approx((over, rate - there), abs=1e-6)
        else:
            assert [one.clause for one in found] == ["CA-3"]


@pytest.mark.sampled
@pytest.mark.parametrize("mobility", ATTACKERS)
def test_why_not_behind_the_target(mobility):
    """CA-106: the same reason as the judge's, and with so much more it could end there."""
    rate = ATTACKERS[mobility]
    for before, cited in ((2, "CA-106"), (4, "CA-3")):
        game = overrunning(mobility, rate - before + 0.5)
        reach = game.reach("A", overrunning=True)
        why = reach.why_not((rate - before + 3, 0))
        assert [reason.clause for reason in why.reasons] == [cited]
        if cited == "CA-106":
            assert (float(why.reasons[0].needed), float(why.reasons[0].available)) == pytest.approx((3, before))


@pytest.mark.parametrize(("at", "hit_at", "cited"), [(18, 5, "CA-106"), (10, 5, "CA-92"), (18, 3, "CA-106")])
def test_slowed_before_it(at, hit_at, cited):
    """CA-92, CA-106: with 20 of 30 inches left it stops short of a target at 18, and beyond one at 10."""
    gun = piece("G", "tracked", (0, 30), "blue", weapon_range=60)
    game = overrunning("tracked", at, (), gun, base=1)
    happened = game.do("A move over B: forward 25", [hit_at, "stationary", HIT])
    (stop,) = [event for event in happened.events if event.kind == "stops"]
    assert stop.clause == cited
    assert game.state.unit("A").place[0] == pytest.approx(at - 1.5 if cited == "CA-106" else 18, abs=1e-6)
    assert ("B" in game.state.units) is (cited == "CA-106")


def test_trees_have_a_clause_of_their_own():
    """CA-60: an inch for the tree, of which half is left."""
    tree = Piece("fir", "individual_tree", PointShape(29.5, 0))
    game = arms_game(piece("A", "tracked"), terrain=(tree,))
    (breach,) = game.breaches("A move: forward 29.6")
    assert (breach.clause, breach.blocker, float(breach.needed)) == ("CA-60", "fir", 1)
    assert float(breach.available) == pytest.approx(0.5, abs=2e-3)  # a trunk of no width is met just before it
    (leg,) = game.breaches("A move: forward 31")
    assert (leg.clause, leg.blocker) == ("CA-60", "fir")
    near = arms_game(piece("A", "tracked"), terrain=(Piece("fir", "individual_tree", PointShape(20, 0)),))
    (far,) = near.breaches("A move: forward 29.5")
    assert (far.clause, far.needed, far.available) == ("CA-3", Fraction(61, 2), 30)


def test_rotations_and_what_is_left_after_a_transfer():
    """CA-40; CA-121 where boarding took the rest."""
    game = arms_game(piece("A", "tracked"))
    (breach,) = game.breaches("A move: forward 28, turn_left 45")
    assert (breach.clause, breach.needed, breach.available) == ("CA-40", 5, 2)
    busy = arms_game(piece("A", "tracked", busy_until=2))
    (breach,) = busy.breaches("A move: forward 11")
    assert (breach.clause, breach.needed, breach.available) == ("CA-121", 11, 10)
