"""mecha: jumps (ME-64 to ME-68) and levels (ME-104 to ME-108), with the examples E18, E21 and E29."""

import math
from functools import cache

import numpy as np
import pytest
import shapely
from mecha_heights import KEEP, block, cited, game, told, unit, where

from simulator.geometry.pieces import Piece, PolygonShape, rectangle
from simulator.geometry.poses import Pose
from simulator.rulesets.mecha import RULESET
from simulator.rulesets.mecha.elevated import is_low_for, top_named
from simulator.rulesets.mecha.jumping import jump_limit

OFF = "A1 jump: forward 3.5, jump_off"
LOW, HIGH = block("low", (20, 24), (8, 8), 4), block("high", (28, 24), (8, 8), 8)


def on_keep(place=(24, 24), heading=0, **fields):
    return unit(place, heading, **({"level": "keep"} | fields))


class TestLimits:
    @pytest.mark.sampled("infantry-2")
    @pytest.mark.parametrize(
        ("mobility", "least"),
        [("wheel", 4), ("track", 4), ("hover", 3), ("walker", 2), ("four_legged_walker", 2), ("infantry", 2)],
    )
    def test_e18_off_size_class_2(self, mobility, least):
        for size_class in sorted({1, least - 1, least, 5}):
            play = game(on_keep(mobility=mobility, size_class=size_class))
            jump, falls = play.reach("A1", "jump"), play.reach("A1", "jump", falls=True)
            assert (jump.cost_at((28.5, 24)) == 3.5) == (size_class >= least)
            assert (falls.cost_at((28.5, 24)) == 3.5) == (size_class < least)
            assert not play.breaches(OFF)
            happened = play.do(OFF)
            assert ("falls" in told(happened)) == (size_class < least)

    def test_static_units_never_jump(self):
        play = game(on_keep(kind="emplacement"))
        assert cited(play.breaches(OFF)) == ["ME-26", "ME-65"]
        assert jump_limit(play.table, play.table.unit("A1")) is None

    def test_the_limits_are_data(self):
        play = game(on_keep(mobility="track", size_class=2), tables={"jump.track": 0})
        assert play.reach("A1", "jump").cost_at((28.5, 24)) == 3.5


class TestTheWay:
    def test_a_jump(self):
        play = game(on_keep())
        happened = play.do(f"{OFF}, turn_left 30 free 30")
        assert told(happened) == ["declares", "moves", "jumps off", "turns"]
        assert (*where(play), play.table.unit("A1").heading) == ((28.5, 24), "ground", 30)
        assert (play.table.unit("A1")["ap_spent"], play.table.unit("A1")["acted_1"]) == (1, "jump")
        assert (happened.ledger.total("mp"), happened.ledger.total("ap")) == (3.5, 1)

    @pytest.mark.parametrize(
        ("order", "clauses"),
        [
            ("backward 3, jump_off", ["ME-67"]),
            ("forward 3, jump_off", ["ME-67"]),
            ("forward 2", ["ME-67"]),
            ("forward 3.5, turn_left 90, jump_off", ["ME-67"]),
            ("forward 3.5, jump_off, turn_left 30", ["ME-66"]),
            ("forward 3.5, jump_off, forward 1", ["ME-66"]),
            ("turn_left 90 free 90, forward 3.5, jump_off, turn_left 30 free 30", ["ME-35", "ME-66"]),
            ("backward 3.5, jump_off", ["ME-10"]),
            ("forward 4.5, jump_off", ["ME-106", "ME-67"]),
        ],
    )
    def test_refused(self, order, clauses):
        play = game(on_keep())
        assert sorted(set(cited(play.breaches(f"A1 jump: {order}")))) == clauses
        assert play.table.state == game(on_keep()).table.state

    def test_sideways_and_backward(self):
        for order, place in [("sideways_left 2", (24, 28.5)), ("backward 1.5", (19.5, 24))]:
            at = (24, 25.5) if "sideways" in order else (22, 24)
            play = game(on_keep(at))
            play.do(f"A1 jump: {order}, jump_off")
            assert where(play) == (place, "ground")

    def test_slanting_over_the_edge(self):
        """A base that crosses an edge aslant lands where it just clears it: farther along the wall."""
        play = game(on_keep((27.5, 24), 60))
        play.do("A1 jump: forward 0, jump_off")
        assert where(play) == ((28.5, round(24 + math.tan(math.radians(60)), 5)), "ground")

    def test_from_the_edge_alone_by_option(self):
        play = game(on_keep(), jump_move="edge_only")
        assert "ME-10" in cited(play.breaches(OFF))
        assert play.reach("A1", "jump").area.is_empty
        edge = game(on_keep((27.5, 24)), jump_move="edge_only")
        reach = edge.reach("A1", "jump")
        assert reach.cost_at((28.5, 24)) == 0
        assert reach.cost_at((19.5, 24)) is None
        edge.do("A1 jump: forward 0, jump_off")
        assert where(edge) == ((28.5, 24), "ground")

    @pytest.mark.parametrize("place", [(27.5, 25), (27.5, 27.5), (24.3, 27.5)])
    @pytest.mark.parametrize("heading", [0, 30, 45, 20, 77])
    @pytest.mark.parametrize("mobility", ["wheel", "walker"])
    def test_from_the_edge_alone_there_may_be_one_landing_place(self, mobility, heading, place):
        """Who may not turn freely jumps straight ahead, back or nowhere: a point each, as the game keeps it (ME-67)."""
        kind = "vehicle" if mobility == "wheel" else "mecha"
        jumper = on_keep(place, heading, kind=kind, mobility=mobility, size_class=4)
        build = lambda: game(jumper, jump_move="edge_only")  # noqa: E731
        reach, landed = build().reach("A1", "jump"), 0
        for leg in ("forward 0", "backward 0"):
            play, order = build(), f"A1 jump: {leg}, jump_off"
            if play.breaches(order):
                continue
            assert play.do(order).ledger.total("mp") == 0
            pose, landed = Pose(play.table.unit("A1").place, float(heading), "ground"), landed + 1
            assert reach.cost_at(pose) == reach.cost_at(pose.place) == 0
            # Lines are drawn round corners, too, with an error.
            assert reach.area.distance(shapely.Point(pose.place)) < (1e-5 if mobility == "wheel" else 0.05)
            again = build()
            again.do(reach.orders_to(pose)[0])
            assert where(again) == where(play)
            assert build().reach("A1", "turn").cost_at(pose) == 1
        if mobility == "wheel":
            assert shapely.get_num_geometries(reach.area) * (not reach.area.is_empty) == landed

    def test_not_from_the_ground(self):
        play = game(unit((10, 10)))
        assert cited(play.breaches(OFF)) == ["ME-64"]
        assert cited(play.reach("A1", "jump").why_not((12, 10)).reasons) == ["ME-64"]

    def test_in_contact_no_jump(self):
        (breach,) = game(on_keep(), unit((25, 24), name="B1", side="blue", level="keep")).breaches(
            OFF.replace("forward", "backward")
        )[:1]
        assert (breach.clause, breach.blocker) == ("ME-8", "B1")

    def test_who_is_in_the_way_after_it_stands_below(self):
        """ME-41, ME-43, ME-66: no leg follows a jump; who bars it is named of the level where it landed."""
        roof = [unit((24, y), name=name, level="keep", size_class=2) for name, y in (("F", 25.5), ("G", 22))]
        play = game(on_keep(), unit((30.5, 24), name="B1", side="blue"), *roof)
        found = play.breaches(f"{OFF}, forward 1.5")
        assert [(one.clause, one.blocker) for one in found] == [("ME-43", "B1"), ("ME-66", "")]

    @pytest.mark.parametrize("stops", [False, True])
    def test_coming_into_contact_on_the_way(self, stops):
        """ME-8, option contact_stops_move: it brushes past B1 and jumps, or ends there."""
        beside = unit((24, 25.005), name="B1", side="blue", level="keep")
        play = game(on_keep((21, 24), move=7), beside, contact_stops_move=stops)
        found = play.breaches("A1 jump: forward 6.5, jump_off")
        assert [(one.clause, one.blocker) for one in found] == [("ME-8", "B1")] * stops


class TestLanding:
    # Long: landings on and beside things are searched; what the judge says of them is tried beside it.
    @pytest.mark.long
    def test_somebody_at_the_foot(self):
        play = game(on_keep(), unit((29, 24), name="B1", side="blue"))
        (breach,) = play.breaches(OFF)
        assert (breach.clause, breach.blocker) == ("ME-43", "B1")
        reach = play.reach("A1", "jump")
        assert reach.cost_at((28.5, 24)) is None
        assert [(one.clause, one.blocker) for one in reach.why_not((28.5, 24)).reasons] == [("ME-43", "B1")]
        assert reach.cost_at((28.5, 25)) is not None

    def test_a_passable_friend_at_the_foot_is_not_landed_on_either(self):
        (breach,) = game(on_keep(), unit((28.5, 24), name="A2", size_class=5)).breaches(OFF)
        assert (breach.clause, breach.blocker) == ("ME-43", "A2")

    def test_a_passable_friend_at_the_edge_is_jumped_through(self):
        assert not game(on_keep(), unit((27.5, 24), name="A2", size_class=5, level="keep")).breaches(OFF)
        (breach,) = game(on_keep(), unit((27.5, 24), name="A2", level="keep")).breaches(OFF)
        assert (breach.clause, breach.blocker) == ("ME-41", "A2")

    def test_closed_ground_at_the_foot(self):
        lake = Piece("lake", "deep_water", rectangle((30, 24), (4, 4)), "ground")
        (breach,) = game(on_keep(size_class=4, mobility="track"), pieces=[KEEP, lake]).breaches(OFF)
        assert (breach.clause, breach.blocker) == ("ME-19", "lake")
        assert not game(on_keep(mobility="walker"), pieces=[KEEP, lake]).breaches(OFF)

    def test_the_table_edge(self):
        keep = block("keep", (43.5, 24), (8, 8), 4)
        (breach,) = game(on_keep((43.5, 24)), pieces=[keep]).breaches(OFF)
        assert "table" in breach.message
        assert game(on_keep((43.5, 24)), pieces=[keep]).reach("A1", "jump").cost_at((43.5, 28.5)) == 3.5

    def test_higher_terrain_in_the_way(self):
        tower = block("tower", (28.2, 24), (0.4, 4), 9)
        (breach, *_) = game(on_keep(), pieces=[KEEP, tower]).breaches(OFF)
        assert (breach.clause, breach.blocker) == ("ME-106", "tower")

    # Long: landings on and beside things are searched; what the judge says of them is tried beside it.
    @pytest.mark.long
    def test_e29_roofs_side_by_side(self):
        play = game(unit((28, 24), 180, level="high"), pieces=[LOW, HIGH])
        reach = play.reach("A1", "jump")
        assert reach.cost_at(Pose((23.5, 24), None, "low")) == 3.5
        assert reach.cost_at((32.5, 24)) is None
        falls = play.reach("A1", "jump", falls=True)
        assert falls.cost_at((32.5, 24)) is not None
        assert (str(falls.dice_at((32.5, 24))), falls.flags) == ("5D6", ("falls",))
        assert falls.cost_at((23.5, 24)) is None
        play.do(OFF)
        assert where(play) == ((23.5, 24), "low")
        # From there to the ground in the next phase.
        play.do("A1 done")
        assert play.table.clock.phase.name == "movement_2"
        assert play.reach("A1", "jump").cost_at((15.5, 24)) is None  # 7 inches
        play.do("A1 jump: turn_left 90 free 90, forward 3.5, jump_off")
        assert where(play) == ((23.5, 19.5), "ground")

    def test_no_room_on_the_lower_roof(self):
        ledge = block("ledge", (28.3, 24), (0.6, 4), 2)
        play = game(on_keep(), pieces=[KEEP, ledge])
        (breach, *_) = play.breaches(OFF)
        assert (breach.clause, breach.message, breach.blocker) == (
            "ME-67",
            "it has no room on ledge, where it would land",
            "ledge",
        )
        assert play.reach("A1", "jump").cost_at((28.5, 24)) is None

    def test_the_drop_is_that_to_the_highest_roof_under_the_base_though_there_is_no_room(self):
        """By the drop to the ledge it jumps, and has no room; by that to the ground it would fall."""
        high, ledge = block("keep", (24, 24), (8, 8), 5), block("ledge", (28.3, 24), (0.6, 4), 2)
        assert "ME-67" in cited(game(on_keep(), pieces=[high, ledge]).breaches(OFF))
        play = game(on_keep(), pieces=[high])
        assert not play.breaches(OFF)
        assert "falls" in told(play.do(OFF))

    def test_no_jump_between_roofs_of_equal_height(self):
        twin = block("twin", (32, 24), (8, 8), 4)
        play = game(on_keep(), pieces=[KEEP, twin])
        assert play.breaches(OFF)
        assert play.reach("A1", "jump").cost_at((28.5, 24)) is None
        assert "twin" in {breach.blocker for breach in play.breaches("A1 standard: forward 4")} or play.breaches(
            "A1 standard: forward 4"
        )

    def test_lower_roofs_may_be_overflown(self):
        """Where the base comes down beside a lower roof that it passed, that does not matter."""
        nook = block("nook", (28.2, 24), (0.4, 0.4), 2)
        play = game(on_keep((27.5, 23.5), 60), pieces=[KEEP, nook])
        play.do("A1 jump: forward 0, jump_off")
        assert where(play) == ((28.5, round(23.5 + math.tan(math.radians(60)), 5)), "ground")

    def test_stacked_terrain_to_the_top_below(self):
        tower = block("tower", (24, 24), (4, 4), 4, on="keep")
        play = game(unit((24, 24), level="tower"), pieces=[KEEP, tower])
        play.do("A1 jump: forward 1.5, jump_off")
        assert where(play) == ((26.5, 24), "keep")

    def test_a_ring_has_an_inner_foot(self):
        ring = Piece(
            "ring",
            "building",
            PolygonShape([(16, 16), (32, 16), (32, 32), (16, 32)], [[(21, 21), (27, 21), (27, 27), (21, 27)]]),
            "elevated",
            height=4,
        )
        play = game(unit((19, 24), level="ring"), pieces=[ring])
        play.do("A1 jump: forward 1.5, jump_off")
        assert where(play) == ((21.5, 24), "ground")


class TestVeryLowTerrain:
    @pytest.mark.parametrize(
        ("unit_class", "height", "low"), [(5, 2, True), (4, 2, False), (1, 1, True), (0, 1, False)]
    )
    def test_e21(self, unit_class, height, low):
        slab = block("slab", (24, 24), (8, 8), height)
        play = game(unit((15, 24), size_class=unit_class), pieces=[slab])
        a = play.table.unit("A1")
        assert is_low_for(play.table.tables, a, top_named(play.table.setting, "slab")) == low
        # Four movement points an inch, for a walker.
        assert [cited(play.breaches("A1 standard: forward 4.5")), cited(play.breaches("A1 standard: forward 5"))] == (
            [[], ["ME-10"]] if low else [[], ["ME-106"]]
        )

    def test_landing_on_it_or_beside_it(self):
        """On a low top it lands that fits wholly; else it stands on the ground, and meets those on that top."""
        wide, narrow = block("slab", (30, 24), (4, 4), 1), block("slab", (28.3, 24), (0.6, 4), 1)
        for slab, level in [(wide, "slab"), (narrow, "ground")]:
            play = game(on_keep(), pieces=[KEEP, slab])
            reach = play.reach("A1", "jump")
            assert reach.cost_at(Pose((28.5, 24), None, level)) == 3.5
            assert reach.cost_at(Pose((28.5, 24), None, {"slab": "ground", "ground": "slab"}[level])) is None
            play.do(OFF)
            assert where(play) == ((28.5, 24), level)
        on_slab = unit((29.3, 24), name="B1", side="blue", level="slab")
        assert "B1" in {breach.blocker for breach in game(on_keep(), on_slab, pieces=[KEEP, wide]).breaches(OFF)}


def boards(seed):
    """A board of roofs of several heights beside and on each other, and units on and around them."""
    dice = np.random.default_rng([seed, 64])
    heights = [float(height) for height in dice.choice([1, 2, 4, 5, 8], 4)]
    roofs = [
        block("keep", (24, 24), (7, 6), heights[0] + 2),
        block("east", (29.5, 24 + float(dice.uniform(-3, 3))), (4, 4), heights[1]),
        block("north", (24 + float(dice.uniform(-3, 3)), 29), (5, 4), heights[2]),
        block("slab", (19 + float(dice.uniform(-1, 1)), 22), (2, 3), heights[3]),
    ]
    lake = Piece("lake", "deep_water", rectangle((24, 19), (3, 2)), "ground")
    place = (24 + float(dice.uniform(-2, 2)), 24 + float(dice.uniform(-2, 2)))
    mobility = str(dice.choice(["walker", "track", "hover", "four_legged_walker", "infantry"]))
    units = [
        unit(
            place, int(dice.integers(360)), level="keep", size_class=int(dice.integers(0, 6)), mobility=mobility, move=6
        ),
        unit((28.4, 20.5), name="B1", side="blue"),
        unit((26.5, 20.4), name="A2", size_class=int(dice.integers(0, 9)), mobility="walker"),
    ]
    return [*roofs, lake], units


@cache
def jumps(seed, **options):
    """A game on the board of a seed, and its jumps by whether they are falls."""
    pieces, units = boards(seed)
    play = game(*units, pieces=pieces, **options)
    return play, {falls: play.reach("A1", "jump", falls=falls) for falls in (False, True)}


@pytest.mark.sampled("5")
@pytest.mark.parametrize("seed", range(6))
def test_judge_play_and_reach_agree(seed):
    """Each reported end has an order that the judge accepts at that cost, and that play executes; others do not."""
    pieces, units = boards(seed)
    options = {"jump_move": "edge_only"} if seed % 5 == 4 else {}
    play, reaches = jumps(seed, **options)
    dice = np.random.default_rng([seed, 65])
    ended = 0
    for falls, reach in reaches.items():
        for place in _along_the_foot(pieces[0], dice, 10):
            cost = reach.cost_at(place)
            if cost is None:
                assert reach.against_pose(Pose(place))[0]
                continue
            (order,) = reach.orders_to(place)
            assert not play.breaches(order)
            other = game(*units, pieces=pieces, **options)
            happened = other.do(order)
            assert (happened.question is not None or "falls" in told(happened)) == falls or reach.dice_at(place) is None
            assert math.dist(where(other)[0], place) < 2e-5
            if falls:
                assert other.table.unit("A1")["fallen"]
            ended += 1
    assert ended or options


@pytest.mark.sampled("2")
@pytest.mark.parametrize("seed", [0, 1, 2, 3, 5])
def test_random_jumps_end_in_reach(seed):
    """Jumps at random that the judge accepts end where reach says, at no lower cost."""
    pieces, units = boards(seed)
    play, reaches = jumps(seed)
    dice = np.random.default_rng([seed, 66])
    found = 0
    for _ in range(25):
        turn, free = float(dice.uniform(-170, 170)), 0.0
        mobility = units[0]["mobility"]
        most = {"walker": 90, "four_legged_walker": 45}.get(mobility, 0)
        free = min(abs(turn), most)
        turned = f"turn_{'left' if turn > 0 else 'right'} {abs(turn)}" + (f" free {free}" if free else "")
        course = math.radians(float(units[0].heading) + turn)
        inches = _to_the_edge(units[0].place, course)
        order = f"A1 jump: {turned}, forward {inches}, jump_off"
        if play.breaches(order):
            continue
        other = game(*units, pieces=pieces)
        happened = other.do(order)
        while happened.question and happened.question.clause == "ME-97":
            happened = other.answer(str(dice.choice(happened.question.options)))
        falls = "falls" in told(happened)
        place, level = where(other)
        spent = sum(float(line.price) for event in happened.events for line in event.price if line.currency == "mp")
        cost = reaches[falls].cost_at(Pose(_exact(other), None, level))
        assert cost is not None, (order, place)
        assert cost <= spent + 1e-3
        found += 1
    assert found or units[0]["size_class"] < 2


def _exact(play):
    return play.table.unit("A1").place


def _to_the_edge(place, course):
    """Inches from a place on the keep until a base of half an inch touches its edge."""
    x, y = place
    found = []
    for at, ahead, least, most in ((x, math.cos(course), 21, 27), (y, math.sin(course), 21.5, 26.5)):
        if abs(ahead) > 1e-9:
            found.append(((most if ahead > 0 else least) - at) / ahead)
    return min(found)


def _along_the_foot(piece, dice, count):
    """Places at which a base touches a block from outside."""
    ring = piece.shape.polygon.buffer(0.5, quad_segs=64).exterior
    import shapely

    spots = [ring.interpolate(float(at)) for at in dice.uniform(0, ring.length, count)]
    nearest = [shapely.shortest_line(piece.shape.polygon, spot).coords for spot in spots]
    places = []
    for (x, y), (far_x, far_y) in nearest:
        away = math.dist((x, y), (far_x, far_y))
        places.append((x + (far_x - x) / away * 0.5, y + (far_y - y) / away * 0.5))
    return places


def test_the_ruleset_reads_jumps():
    assert RULESET.vocabulary.action("jump").elements[-1] == "jump_off"
