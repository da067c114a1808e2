"""mecha: moves and jumps of the second phase after a jump in the first (ME-48, ME-64)."""

import math
from functools import cache

import numpy as np
import pytest
import shapely
from mecha_heights import block, game, unit, where
from test_mecha_jumps_in_turns import plan_of, played, require_played

from simulator.engine.errors import IllegalOrder
from simulator.geometry.poses import Pose

WIDE = block("keep", (24, 24), (20, 8), 4)
#: A tower beside a lower roof.
STEPS = (block("tower", (20, 24), (4, 4), 8), block("shed", (25.5, 24), (7, 8), 4))


def on_top(**options):
    return game(unit((24, 26), 90, level="keep"), pieces=[WIDE], **options)


@cache
def known():
    """A game with who stands on top, and what it can do after a jump: the same for several tests."""
    play = on_top()
    return play, plan_of(play, "jump, then standard")


# Long: the move begins in many landings; random plays of the same are tried beside it.
@pytest.mark.long
def test_it_walks_on_from_where_it_has_landed():
    play, plan = known()
    there = Pose((24.0, 34.0), 90.0, "ground")
    assert plan.price == 2
    assert plan.answer.cost_at(there) == pytest.approx(5.5)
    require_played(play, plan, there)
    assert plan.answer.cost_at(Pose((24.0, 34.6), 90.0, "ground")) is None
    assert play.reach("A1", "turn").cost_at(there) == 2


def test_it_ends_on_no_roof():
    _, plan = known()
    assert plan.answer.known_levels == ["ground"]
    assert plan.answer.cost_at(Pose((24.0, 26.0), None, "keep")) is None


# Long: the move begins in many landings; random plays of the same are tried beside it.
@pytest.mark.long
def test_its_area_is_that_of_moves_from_the_line_of_landings():
    play, plan = known()
    answer = plan.answer
    area = shapely.union_all([one for one in shapely.get_parts(answer.area_of(level="ground")) if one.area])
    assert area.area > 20.0 + plan_of(play, "jump").answer.area_of(level="ground").area
    dice = np.random.default_rng(3)
    places = dice.uniform((12, 28), (36, 36), (60, 2))
    inside = np.isfinite(answer.costs_at(places))
    assert 5 < inside.sum() < 55
    from_edge = np.array([not area.boundary.dwithin(shapely.Point(place), 0.15) for place in places])
    drawn = np.array([area.covers(shapely.Point(place)) for place in places])
    np.testing.assert_array_equal(drawn[from_edge], inside[from_edge])


# Long: the move begins in many landings; random plays of the same are tried beside it.
@pytest.mark.long
def test_who_lands_in_contact_breaks_away():
    enemy = unit((24, 29.5), name="B1", side="blue")
    play = game(unit((24, 26), 90, level="keep"), enemy, pieces=[WIDE])
    plan = plan_of(play, "jump, then break_away")
    there = Pose((22.0, 31.0), None, "ground")
    orders = plan.answer.orders_to(there)
    assert [order.action for order in orders if order.unit == "A1"] == ["jump", "break_away"]
    half_way = played(play, orders[:1])[0].table.unit("A1")
    assert math.dist(half_way.place, enemy.place) < 1.01


def test_it_jumps_off_one_roof_and_then_off_the_next():
    play = game(unit((20, 24), 0, level="tower", size_class=4, base=0.5), pieces=STEPS)
    plan = plan_of(play, "jump, then jump")
    assert plan.answer.known_levels == ["ground"]
    there = Pose((29.5, 24.0), 0.0, "ground")
    assert plan.answer.cost_at(there) is not None
    require_played(play, plan, there)
    walks = [one for one in play.reach("A1", "turn").plans if one.name == "jump, then standard"]
    assert {level for one in walks for level in one.answer.known_levels} == {"shed"}


# Long: ends of many plans are played; random plays are tried beside it.
@pytest.mark.long
@pytest.mark.parametrize("options", [{}, {"free_turn_split": True}, {"free_turn_per": "turn"}])
def test_random_ends_are_played(options):
    dice = np.random.default_rng([7, len(str(options))])
    enemy = unit((27, 30.5), name="B1", side="blue")
    play = game(unit((24, 25.5), int(dice.integers(45, 135)), level="keep"), enemy, pieces=[WIDE], **options)
    found = 0
    for plan in play.reach("A1", "turn").plans:
        if plan.name != "jump, then standard":
            continue
        places = dice.uniform((16, 28.5), (32, 35), (6, 2))
        for place in places[np.isfinite(plan.answer.costs_at(places))].tolist():
            require_played(play, plan, Pose(tuple(place), None, "ground"))
            turned = Pose(tuple(place), float(dice.uniform(0, 360)), "ground")
            if plan.answer.cost_at(turned) is not None:
                require_played(play, plan, turned)
                found += 1
    assert found >= 2


def test_random_plays_end_in_reach():
    """Jumps, and moves after them, of random turns and inches end in poses that the plan knows."""
    dice = np.random.default_rng(11)
    play, plan = known()
    answer, found = plan.answer, []
    for _ in range(20):
        first, second = (round(float(dice.uniform(-most, most)), 1) for most in (60, 110))
        ahead = round(float(dice.uniform(0.5, 5.0)), 1)
        jump = f"A1 jump: {_turn(first)}, forward {_to_edge(first):.9f}, jump_off"
        try:
            after, _ = played(play, [jump, "all done", f"A1 standard: {_turn(second)}, forward {ahead}"])
        except IllegalOrder:
            continue
        place, level = where(after)
        found.append(Pose(place, float(after.table.unit("A1").heading), level))
    assert len(found) >= 8
    assert np.isfinite(answer.costs_at([Pose(pose.place, None, pose.level) for pose in found])).all()
    # Landings are known a quarter of an inch apart, facing one way each: a few headings may be missing.
    assert np.isfinite(answer.costs_at(found)).mean() >= 0.9


def _turn(angle):
    return f"turn_{'left' if angle >= 0 else 'right'} {abs(angle)}"


def _to_edge(turn):
    """The inches to the northern edge, for who stands at (24, 26) facing north and turns so far."""
    return (28.0 - 0.5 - 26.0) / math.cos(math.radians(turn))


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("fields", "foe", "top"),
    [
        ({}, {"place": (25, 24), "level": "keep"}, 4),
        ({"kind": "vehicle", "size_class": 4}, {"place": (25, 24), "level": "keep"}, 4),
        ({}, {"place": (24, 28.6)}, 4),
        ({"size_class": 6}, {"place": (24, 28.6)}, 1),
        ({}, {"place": (24, 31)}, 4),
    ],
)
def test_where_contact_stops_moves_it_goes_on_as_well(fields, foe, top):
    """ME-8, ME-64, option contact_stops_move: from the landings in contact with nobody, and from those in contact."""
    me, pieces = unit((24, 26), 90, level="keep", **fields), [block("keep", (24, 24), (8, 8), top)]
    play = game(me, unit(name="B1", side="blue", **foe), pieces=pieces, contact_stops_move=True)
    reach = play.reach("A1", "turn")
    known = [plan for plan in reach.plans if plan.name.startswith("jump, then ")]
    assert known
    there = Pose((26.5, 30), None, "ground")
    assert reach.cost_at(there) == 2
    require_played(play, next(plan for plan in known if plan.answer.cost_at(there) is not None), there)
