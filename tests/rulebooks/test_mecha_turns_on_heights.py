"""mecha: turns with climbs and jumps in them, and the ways between levels within reach."""

import math

import numpy as np
import pytest
import shapely
from mecha_heights import KEEP, block, cited, game, unit, where

from simulator.geometry.poses import Pose
from simulator.pathing.ends import HeadingRange
from simulator.rulesets.mecha.climb_facings import ClimbFacing
from simulator.rulesets.mecha.climbs_after import ClimbsAfter
from simulator.rulesets.mecha.height_links import height_links


def facing(play):
    return float(play.table.unit("A1").heading)


class TestFacings:
    @pytest.mark.parametrize("split", [False, True])
    @pytest.mark.parametrize("free", [0, 45, 90])
    @pytest.mark.parametrize("at_the_foot", [(0, 0), (100, 100), (30, 80), (200, 250), (350, 20), (60, 300)])
    def test_as_tried_one_by_one(self, at_the_foot, free, split):
        first, last = at_the_foot
        one, tolerance, toward = HeadingRange(first, last, 1), 45, 10
        climb = ClimbFacing(toward, tolerance, free, split)
        tried = set()
        for start in range(0, 360, 5):
            for before in range(-free, free + 1, 5) if start in one else ():
                if abs((start + before - toward + 180) % 360 - 180) > tolerance:
                    continue
                left = free - abs(before) if split else 0 if before else free
                tried |= {(start + before + after) % 360 for after in range(-left, left + 1, 5)}
        ends = list(climb.ends([one]))
        reported = {degrees for degrees in range(0, 360, 5) if any(degrees in some for some in ends)}
        assert reported == tried
        for degrees in reported:
            turns = climb.turned([one], degrees)
            assert turns is not None
            assert math.isclose((turns.start + turns.before + turns.after - degrees + 180) % 360, 180, abs_tol=1e-6)
        assert all(climb.turned([one], degrees) is None for degrees in set(range(0, 360, 5)) - tried)


def ends_of(build, orders):
    play = build()
    for order in orders:
        play.do(order)
    return (*where(play), facing(play))


class TestTurns:
    @pytest.mark.sampled(dear=["start3-1-place3-ground"])
    @pytest.mark.parametrize(
        ("start", "price", "place", "level"),
        [
            (unit((15, 23), 20), 3, (20.5, 23), "keep"),
            (unit((19.5, 24), 100), 2, (20.5, 24), "keep"),
            (unit((19.5, 24), 100), 3, (23, 24), "keep"),
            (unit((24, 26), level="keep"), 1, (24, 28.5), "ground"),
        ],
    )
    def test_prices_and_orders(self, start, price, place, level):
        reach = game(start).reach("A1", "turn")
        pose = Pose(place, None, level)
        assert reach.cost_at(pose) == price
        assert ends_of(lambda: game(start), reach.orders_to(pose))[:2] == (place, level)

    def test_over_a_phase(self):
        assert game(unit((19.5, 24), 180)).reach("A1", "phase").cost_at(Pose((20.5, 24), None, "keep")) is None
        assert game(unit((19.5, 24))).reach("A1", "phase").cost_at(Pose((20.5, 24), None, "keep")) == 2
        assert game(unit((24, 24), level="keep")).reach("A1", "phase").cost_at((28.5, 24)) == 1

    def test_up_and_down_on_the_other_side(self):
        """A climb in the first phase, a jump off the other side of a narrow wall in the second."""
        wall = block("wall", (24, 24), (2, 10), 4)
        build = lambda: game(unit((22.5, 24)), pieces=[wall])  # noqa: E731
        reach = build().reach("A1", "turn")
        assert reach.cost_at((25.5, 24)) == 3
        assert ends_of(build, reach.orders_to((25.5, 24)))[:2] == ((25.5, 24), "ground")

    # Long: a whole turn with a climb in between is searched; single prices and orders are tried beside it.
    @pytest.mark.long
    def test_off_one_wall_and_up_another(self):
        for gap, price in [(0, 3), (0.02, None)]:
            pieces = [KEEP, block("east", (30.5 + gap, 24), (3, 8), 4)]
            reach = game(unit((24, 24), level="keep"), pieces=pieces).reach("A1", "turn")
            assert reach.cost_at(Pose((29.5 + gap, 24), None, "east")) == price

    def test_in_contact_no_climb(self):
        """Where an enemy is in contact with the place at the foot, there is no climb in the second phase (ME-8)."""
        reach = game(unit((15, 24)), unit((18.5, 26), name="B1", side="blue")).reach("A1", "turn")
        assert reach.cost_at(Pose((20.5, 24), None, "keep")) == 3
        assert reach.cost_at(Pose((20.5, 26), None, "keep")) is None

    def test_too_few_ap(self):
        reach = game(unit((15, 23), ap=2)).reach("A1", "turn")
        assert reach.cost_at(Pose((20.5, 23), None, "keep")) is None


@pytest.mark.sampled
@pytest.mark.parametrize("seed", range(3))
def test_random_turns_with_a_climb_end_in_reach_and_reach_is_played(seed):
    dice = np.random.default_rng([seed, 51])
    pieces = [block("keep", (24, 24), (6, 5), 4), block("shed", (28.5, 24), (3, 3), 2)]
    start = unit((float(dice.uniform(17, 19)), float(dice.uniform(21, 27))), int(dice.integers(360)))
    options = [{}, {"free_turn_split": True}, {"free_turn_per": "turn"}][seed % 3]
    build = lambda: game(start, unit((20, 29), name="B1", side="blue"), pieces=pieces, **options)  # noqa: E731
    reach = build().reach("A1", "turn")
    found = 0
    for _ in range(12):
        play, (x, y) = build(), start.place
        foot = (20.5, float(dice.uniform(21.7, 26.3)))
        toward = math.degrees(math.atan2(foot[1] - y, foot[0] - x))
        turn = (toward - float(start.heading) + 180) % 360 - 180
        free = min(abs(turn), 90.0) if dice.random() < 0.5 else 0.0
        side = "left" if turn > 0 else "right"
        freely = f" free {free}" if free else ""
        order = f"A1: turn_{side} {abs(turn)}{freely}, forward {math.dist(foot, (x, y))}"
        if play.breaches(order):
            continue
        play.do(order)
        if play.table.clock.phase.name == "movement_1":
            play.do("all done")
        if play.breaches("A1 climb keep"):
            continue
        play.do("A1 climb keep")
        a = play.table.unit("A1")
        assert reach.cost_at(Pose(tuple(map(float, a.place)), None, "keep")) is not None
        assert reach.cost_at(Pose(tuple(map(float, a.place)), float(a.heading), "keep")) is not None
        found += 1
    assert found or seed
    for x, y in zip(dice.uniform(21.5, 26.5, 2), dice.uniform(22, 26, 2), strict=True):
        for pose in (Pose((21.5, float(y)), None, "keep"), Pose((float(x), 22.0), float(dice.uniform(0, 360)), "keep")):
            if reach.cost_at(pose) is not None:
                place, level, heading = ends_of(build, reach.orders_to(pose))
                assert (math.dist(place, pose.place) < 1e-5, level) == (True, "keep")
                assert pose.heading is None or abs((heading - pose.heading + 180) % 360 - 180) < 1e-5


class TestLinks:
    # Long: a whole turn with a climb in between is searched; single prices and orders are tried beside it.
    @pytest.mark.long
    def test_up(self):
        play = game(unit((15, 23), 20))
        (link,) = {one.by: one for one in height_links(play.table, play.table.unit("A1"))}.values()
        assert (link.by, link.level) in [("standard, then climb", "keep")]
        assert link.ends.length > 3
        assert link.cost <= 6

    # Long: a whole turn with a climb in between is searched; single prices and orders are tried beside it.
    @pytest.mark.long
    def test_down_and_falls(self):
        low, high = block("low", (20, 24), (8, 8), 4), block("high", (28, 24), (8, 8), 8)
        walker = unit((28, 24), 180, level="high", kind="vehicle", mobility="walker")
        play = game(walker, pieces=[low, high])
        links = list(height_links(play.table, play.table.unit("A1")))
        told = {(one.by, one.level, str(one.dice) if one.dice else "") for one in links}
        assert ("jump", "low", "") in told
        assert ("falls", "ground", "5D6") in told
        assert not any(one.by == "jump" and one.level == "ground" for one in links)
        for link in links:
            if link.by == "jump":
                assert not play.breaches(link.orders[0])

    def test_none(self):
        play = game(unit((5, 5)))
        assert not list(height_links(play.table, play.table.unit("A1")))
        assert cited(play.reach("A1", "jump").why_not((6, 6)).reasons) == ["ME-64"]


@pytest.mark.parametrize(
    ("action", "start"),
    [
        ("standard", unit((19, 17.5), 80)),
        ("standard", unit((21.5, 26), 0, level="bench")),
        ("jump", unit((20, 21.5), -60, level="bench")),
    ],
)
def test_who_can_climb_is_soon_known_from_any_level(action, start):
    """Places that may be climbed from several levels are tried at each of them, as all headings there say."""
    pieces = block("bench", (20, 24), (8, 8), 2), block("tower", (28, 24), (8, 8), 4)
    # Each touches one of the places at the foot from which it is tried.
    enemies = unit((25.6, 18.5), name="B1", side="blue"), unit((22.5, 25.334), name="B2", side="blue", level="bench")
    reach = game(start, *enemies, pieces=pieces).reach("A1", "turn")
    (plan,) = (plan.answer for plan in reach.plans if plan.name == f"{action}, then climb")
    assert isinstance(plan, ClimbsAfter)
    found = 0
    for level in plan.known_levels:
        begins, ends = plan._sides.on_top(0.0), plan._sides.on_top(1.0)
        shares = np.linspace(0.0, 1.0, 16)[:, None, None]
        places = (begins + shares * (ends - begins)).reshape(-1, 2)
        climbable = plan._climbable(places, level)
        assert np.array_equal(climbable, np.isfinite(plan.costs_in(places, None, level)))
        found += climbable.sum()
    assert found > 3
    whole = plan.within(plan.most)
    known = max(shapely.get_parts(whole), key=shapely.length).interpolate(0.5, normalized=True).buffer(0.5)
    rest = plan.within_besides(plan.most, known)
    assert rest.length < whole.length
    assert shapely.symmetric_difference(rest, whole.difference(known)).length < 0.03


class TestOnTheEdgeAfterAClimb:
    """A climb ends with the base just on the top (ME-56): some legs of a run (ME-50) have no length at all."""

    @pytest.mark.parametrize("granularity", ["half_inch", "proportional"])
    @pytest.mark.parametrize("size", [(7, 6), (20, 20)])
    def test_a_run_is_drawn_where_it_has_a_price(self, size, granularity):
        top = block("keep", (24, 24), size, 4)
        play = game(unit((24, 24 - size[1] / 2 - 0.5), 90), pieces=[top], granularity=granularity)
        play.do("A1 climb keep")
        while play.table.clock.turn == 1:
            play.do("all done")
        reach = play.reach("A1", "run")
        span = 5 * np.linspace(-1, 1, 9)
        places = np.stack(np.meshgrid(24.01 + span, 24.02 + span), axis=-1).reshape(-1, 2)
        ends = np.isfinite(reach.costs_at(places))
        assert not np.any(ends & ~shapely.intersects_xy(reach.area.buffer(0.03), *places.T))
        assert not np.any(~ends & shapely.intersects_xy(reach.area.buffer(-0.03), *places.T))
        assert all(cost > 6 or granularity == "proportional" for cost, _ in reach.bands())
        assert "ME-" in str(reach.why_not((24, 40)))
        assert play.reach("A1", "phase").area.covers(shapely.Point(24, 24))
