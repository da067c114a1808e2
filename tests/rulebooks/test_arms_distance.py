"""Bands by the distance covered (CA-96, `speed_band_basis`), beside those by the allowance that is spent."""

from fractions import Fraction

import numpy as np
import pytest
from arms_games import arms_game, piece
from test_arms_laws import standing

from simulator.engine.game import Game
from simulator.geometry.pieces import LineShape, Piece, PointShape, rectangle
from simulator.geometry.poses import Pose
from simulator.pathing.posed import PoseReach
from simulator.rulesets.combined_arms import RULESET
from simulator.rulesets.combined_arms.figures import BANDS

DISTANCE = {"speed_band_basis": "distance_moved"}
ROAD = Piece("road", "road", LineShape([(-40, 0), (40, 0)], 3.0))
#: The options, with what an inch of road counts for walkers and wheels.
BASES = [({}, Fraction(1, 2)), (DISTANCE, 1)]


def road_game(*units, options, **settings):
    """A game on a road, in which the units have the initiative in their order, and somebody far off after them."""
    units = (*units, piece("Z", "on_foot", (40, 40), "blue"))
    order = {"initiative": tuple(unit.id for unit in units)}
    return arms_game(*units, terrain=(ROAD, *settings.pop("terrain", ())), options=options, data=order, **settings)


def clauses(game, order):
    return [breach.clause for breach in game.breaches(order)]


def bands(happened, kind):
    """The bands in the events of a kind."""
    return [event.detail["band"] for event in happened.events if event.kind == kind]


def last_amounts(happened):
    """The last amounts that were told."""
    detail = [event.detail for event in happened.events if "own" in event.detail][-1]
    return detail["own"], detail["as_target"]


class TestAmounts:
    @pytest.mark.parametrize(("options", "an_inch"), BASES)
    def test_an_inch_of_road(self, options, an_inch):
        """CA-95, CA-96: 20 inches of road cost 10; 36 is R0."""
        game = road_game(piece("A", "wheeled"), options=options)
        happened = game.do("A move: forward 20, fire")
        assert last_amounts(happened) == (20 * an_inch, 20 * an_inch)
        assert bands(happened, "fires") == bands(happened, "ends its move") == ["slow" if an_inch < 1 else "moderate"]
        assert game.state.unit("A")["spent_translation"] == 10
        assert game.state.unit("A")["inches_covered"] == (20 if options else 0)

    def test_dear_ground_reverse_and_there_and_back_count_by_their_inches(self):
        """CA-29, CA-50, CA-96."""
        mud = Piece("mud", "soft_ground", rectangle((0, 20), (90, 10)))
        game = road_game(piece("A", "tracked", (0, 20)), terrain=(mud,), options=DISTANCE)
        happened = game.do("A move: forward 4, reverse 2, forward 1")
        assert last_amounts(happened) == (7, 7)
        assert happened.ledger.total("inches") == 8 + 8 + 2

    def test_altitude_is_distance(self):
        """E36: rises 4 and drops 4; at the top a target has moved 4."""
        happened = road_game(piece("A", "grav"), options=DISTANCE).do("A move: climb 4, fire, descend 4")
        told = [event.detail["as_target"] for event in happened.events if event.kind == "changes altitude"]
        assert told == [4, 8]
        assert bands(happened, "fires") == ["slow"]

    def test_trees_and_overruns_cover_what_lies_under_them(self):
        """CA-60, CA-105: 10 inches, whatever they cost."""
        tank = piece("A", "tracked", (0, 20), armored=True, size_class=6)
        tree = Piece("tree", "individual_tree", PointShape(2, 20))
        game = road_game(tank, piece("B", "on_foot", (6, 20), "blue"), terrain=(tree,), options=DISTANCE)
        happened = game.do("A move over B: forward 10")
        assert happened.ledger.total("inches") == 10 + 1 + 2
        assert last_amounts(happened) == (10, 10)

    def test_grinding_covers_nothing(self):
        """CA-108: 20 of 30 inches are spent over the foxhole, an inch across."""
        tank = piece("A", "tracked", (0, 20), armored=True, size_class=6)
        man = piece("B", "on_foot", (6, 20), "blue", in_foxhole="pit")
        happened = road_game(tank, man, options=DISTANCE).do("A move over B: forward 8")
        assert happened.ledger.total("inches") == 7 + 20
        assert last_amounts(happened) == (8, 8)

    def test_stairs_ladders_and_doors_cover_their_length(self):
        """CA-69, CA-71: the run of stairs, the height of a ladder."""
        keep = Piece(
            *("keep", "building", rectangle((0, 20), (12, 10)), "elevated"), height=9, attributes={"floors": 3}
        )
        stairs = Piece(
            *("stairs", "stairs", LineShape([(0, 22), (4, 22)])), on="keep", attributes={"joins": (0, 1), "run": 2}
        )
        ladder = Piece(*("ladder", "ladder", PointShape(4, 22)), on="keep", height=2, attributes={"joins": (1, 2)})
        game = road_game(piece("A", "gravpack", (0, 22)), terrain=(keep, stairs, ladder), options=DISTANCE)
        assert last_amounts(game.do("A move: take stairs, take ladder")) == (4, 4)
        walker = road_game(piece("A", "on_foot", (0, 22)), terrain=(keep, stairs, ladder), options=DISTANCE)
        happened = walker.do("A move: take stairs")
        assert (last_amounts(happened), happened.ledger.total("inches")) == ((2, 2), 4)

    def test_a_turn_later_all_is_forgotten(self):
        """CA-2, CA-102."""
        game = road_game(piece("A", "grav"), options=DISTANCE)
        game.do("A move: turn_left 90, forward 8")
        moved = game.state.unit("A")
        game.do("Z move: forward 1")
        unit = game.state.unit("A")
        assert (moved["inches_covered"], moved["dearest_rotation"]) == (8, 12)
        assert (unit["inches_covered"], unit["dearest_rotation"]) == (0, 0)


class TestRotations:
    """CA-97: no distance; for its own fire each counts as the band of what it costs, the dearest one for all."""

    @pytest.mark.parametrize(
        ("orders", "own", "as_target"),
        [
            ("turn_left 90", "slow", "stationary"),  # E6, E7
            ("turn_left 135", "moderate", "stationary"),
            ("turn_left 180", "fast", "stationary"),
            ("turn_left 90, turn_left 90", "fast", "stationary"),  # E24: one of 180 degrees
            ("turn_left 90, turn_right 90", "slow", "stationary"),
            ("turn_left 90, forward 1, turn_left 90", "slow", "slow"),
            ("turn_left 45, forward 12", "slow", "slow"),  # E4
            ("turn_left 135, forward 3", "moderate", "slow"),
            ("turn_left 45, forward 25", "fast", "fast"),
        ],
    )
    def test_own_fire_and_fire_at_it(self, orders, own, as_target):
        happened = road_game(piece("A", "grav"), options=DISTANCE).do(f"A move: {orders}, fire")
        assert bands(happened, "fires") == [own]
        assert bands(happened, "ends its move") == [as_target]

    def test_a_damaged_piece_goes_by_the_price_paid(self):
        """CA-97, E23: 180 degrees at R0 36 and R 24 cost 20, which is moderate."""
        tank = piece("A", "grav", damage_level=1)
        assert bands(road_game(tank, options=DISTANCE).do("A move: turn_left 180, fire"), "fires") == ["moderate"]
        happened = road_game(tank, options=DISTANCE).do("A move: turn_left 120, forward 8, fire")
        assert (bands(happened, "fires"), bands(happened, "ends its move")) == (["moderate"], ["slow"])

    def test_infantry_pays_a_sixth(self):
        game = road_game(piece("A", "on_foot"), options=DISTANCE)
        assert bands(game.do("A move: turn_left 180, fire"), "fires") == ["slow"]

    @pytest.mark.parametrize(
        ("orders", "band"), [("turn_left 180", "stationary"), ("turn_left 180, forward 1", "fast")]
    )
    def test_they_may_count_for_fire_at_one_that_moved(self, orders, band):
        """CA-100: target_rotation_counts."""
        options = {**DISTANCE, "target_rotation_counts": "if_moved"}
        happened = road_game(piece("A", "grav"), options=options).do(f"A move: {orders}")
        assert bands(happened, "ends its move") == [band]


class TestPromise:
    @pytest.mark.parametrize(("options", "an_inch"), BASES)
    def test_legs_after_a_shot(self, options, an_inch):
        """CA-98: 12 of R0 36 are slow, so 24 inches of road by allowance."""
        game = road_game(piece("A", "wheeled"), options=options)
        most = 12 / an_inch
        assert clauses(game, f"A move: forward 6, fire band slow, forward {most - 6}") == []
        (breach,) = game.breaches(f"A move: forward 6, fire band slow, forward {most - 5}")
        assert (breach.clause, breach.needed, breach.available) == ("CA-98", 12 + an_inch, 12)

    def test_rotations_after_a_shot(self):
        """CA-97, CA-98."""
        game = road_game(piece("A", "grav"), options=DISTANCE)
        assert clauses(game, "A move: fire band slow, turn_left 90, forward 2, turn_left 90, forward 2") == []
        (breach,) = game.breaches("A move: fire band slow, turn_left 100")
        assert (breach.clause, breach.needed, breach.available) == ("CA-97", 24, 12)
        assert clauses(game, "A move: fire band moderate, turn_left 100") == []
        assert "CA-98" in clauses(road_game(piece("A", "grav"), options={}), "A move: fire band slow, turn_left 100")

    def test_fired_before_its_move(self):
        game = road_game(piece("A", "wheeled", declared_band="slow"), options=DISTANCE)
        assert clauses(game, "A move: forward 12") == []
        assert clauses(game, "A move: forward 12.1") == ["CA-98"]
        reach = game.reach("A")
        assert [reach.cost_at(place) for place in ((12, 0), (12.1, 0), (0, 0))] == [6, None, 0]
        assert reach.cost_at(Pose((0, 0), 180)) == game.reach("A", firer="slow").cost_at(Pose((0, 0), 180))
        assert clauses(game, "A move: turn_left 135") == ["CA-97"]

    def test_only_what_came_before(self):
        """CA-98: own_fire_band."""
        options = {**DISTANCE, "own_fire_band": "so_far"}
        happened = road_game(piece("A", "wheeled"), options=options).do("A move: forward 12, fire, forward 20")
        assert (bands(happened, "fires"), bands(happened, "ends its move")) == (["slow"], ["fast"])


class TestDamagedVehicles:
    """CA-89, CA-90: on a road the allowance that is left covers more than the band that is left."""

    @pytest.mark.sampled
    @pytest.mark.parametrize(
        ("fields", "most", "clause"),
        [
            ({"damage_level": 1}, 16, "CA-89"),
            ({"damage_level": 2}, 8, "CA-90"),
            ({"rate_current": 14}, 16, "CA-89"),  # CA-91
            ({"rate_current": 8}, 8, "CA-90"),
        ],
    )
    def test_the_limit(self, fields, most, clause):
        tank = piece("A", "tracked", speed_grade="average", **fields)
        game, usual = (road_game(tank, options=options) for options in (DISTANCE, {}))
        assert clauses(game, f"A move: forward {most}") == []
        (breach,) = game.breaches(f"A move: forward {most + 0.5}")
        assert (breach.clause, breach.needed, breach.available) == (clause, Fraction(2 * most + 1, 2), most)
        assert clauses(usual, f"A move: forward {most + 0.5}") == []
        reach = game.reach("A")
        assert [reach.cost_at((x, 0)) for x in (most, most + 0.1)] == [most / 2, None]
        assert usual.reach("A").cost_at((most + 0.1, 0)) is not None
        why = reach.why_not((most + 2, 0))
        assert [(one.clause, one.needed, one.available) for one in why.reasons] == [("CA-96", most + 2, most)]
        assert why.remedy == "2 more inches"

    def test_the_undamaged_and_infantry_have_none(self):
        """CA-93."""
        game = road_game(piece("A", "tracked"), piece("B", "on_foot", (0, 0)), options=DISTANCE)
        assert game.reach("A").cost_at((35, 0)) == 17.5
        assert game.reach("B").cost_at((12, 0)) == 6

    def test_off_the_road_nothing_changes(self):
        """No inch costs less than one there: the allowance ends each move first."""
        tank = piece("A", "grav", damage_level=1, base=0.5)
        places = np.random.default_rng(2).uniform(-24, 24, (40, 2))
        one, other = (road_game(tank, options=options).reach("A") for options in (DISTANCE, {}))
        assert one.costs_at(places).tolist() == other.costs_at(places).tolist()
        assert isinstance(one.planner, PoseReach)
        assert not one.planner.space.inches_bind

    def test_a_shorter_way_that_is_dearer(self):
        """24 inches along the road cost 12; 16 across country cost as much, and are no more than moderate."""
        bend = Piece("bend", "road", LineShape([(0, 10), (0, 16), (12, 16), (12, 10)], 2.0))
        tank = piece("A", "tracked", (0, 10), heading=0, rate_original=24, damage_level=1)
        game, usual = (arms_game(tank, terrain=(bend,), options=options) for options in (DISTANCE, {}))
        for here in (game, usual):
            cost = here.reach("A").cost_at((12, 11))
            assert cost <= 16
            (order,) = here.reach("A").orders_to((12, 11))
            assert here.breaches(here.write(order)) == []


class TestUnderFire:
    def gun(self):
        return piece("G", "tracked", (0, 20), "blue", weapon_range=80)

    @pytest.mark.parametrize(("options", "factor"), [({}, 1), (DISTANCE, 2)])
    def test_the_band_of_a_target_on_a_road(self, options, factor):
        """CA-102: after 20 inches of road, 10 of allowance."""
        game = road_game(piece("A", "wheeled"), self.gun(), options=options)
        happened = game.do("A move: forward 30", [20, "fast", 2])
        (roll,) = [entry.question for entry in happened.answered if entry.question.kind == "roll"]
        assert dict(roll.modifiers)[f"A is {BANDS[factor]}"] == factor

    @pytest.mark.parametrize(("options", "marks"), [({}, {24}), (DISTANCE, {12, 24})])
    def test_where_the_odds_change(self, options, marks):
        game = road_game(piece("A", "wheeled"), self.gun(), options=options)
        (found,) = game.foresee("A move: forward 36").interruptions
        (way,) = found.options
        assert marks == {round(float(mark), 6) for mark in way.marks} & {12, 24}

    def test_a_hit_ends_a_leg_where_its_band_does(self):
        """CA-89, CA-92: R0 36, level 1: 24 inches, of which it has covered 10; the allowance would last for 28 more."""
        game = road_game(piece("A", "wheeled"), self.gun(), options=DISTANCE)
        happened = game.do("A move: forward 40", [10, "fast", 12])
        assert game.state.unit("A").place == pytest.approx((24, 0))
        assert [event.clause for event in happened.events if event.kind == "stops"] == ["CA-92"]
        usual = road_game(piece("A", "wheeled"), self.gun(), options={})
        usual.do("A move: forward 40", [10, "fast", 12])
        assert usual.state.unit("A").place == pytest.approx((40, 0))

    def test_beyond_its_band_already_it_may_still_turn(self):
        game = road_game(piece("A", "wheeled"), self.gun(), options=DISTANCE)
        game.do("A move: forward 30, turn_left 45, forward 2", [30, "stationary", 12])
        unit = game.state.unit("A")
        assert unit.place == pytest.approx((30, 0))
        assert (unit.heading, unit["inches_covered"], unit["damage_level"]) == (45, 30, 1)

    def test_what_is_certain(self):
        """CA-92: whenever it is hit, 24 inches."""
        game, usual = (road_game(piece("A", "wheeled"), self.gun(), options=options) for options in (DISTANCE, {}))
        assert [game.reach("A", hits=1).cost_at((x, 0)) for x in (24, 24.1)] == [12, None]
        assert usual.reach("A", hits=1).cost_at((36, 0)) == 18


class TestAsked:
    """What reach is asked: the band as a target, and for its own fire."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("ask", ["target", "firer"])
    @pytest.mark.parametrize(("band", "most"), [("slow", 12), ("moderate", 24), ("stationary", 0)])
    def test_as_far_as_the_band(self, ask, band, most):
        game = road_game(piece("A", "wheeled"), options=DISTANCE)
        reach = game.reach("A", **{ask: band})
        assert reach.cost_at((most, 0)) == most / 2
        assert reach.cost_at((most + 0.1, 0)) is None

    def test_own_fire_and_rotations(self):
        game = road_game(piece("A", "grav"), options=DISTANCE)
        target, firer = game.reach("A", target="slow"), game.reach("A", firer="slow")
        assert target.cost_at(Pose((0, 0), 180)) == 27  # two of 90 degrees an inch apart, and back
        assert game.reach("A", target="stationary").cost_at(Pose((0, 0), 180)) == 30
        assert firer.cost_at(Pose((0, 0), 90)) == 12
        assert game.reach("A", firer="stationary").cost_at(Pose((0, 0), 45)) is None
        # Legs and rotations are not added up.
        assert firer.cost_at(Pose((12, 0), 90)) == 24
        assert road_game(piece("A", "grav"), options={}).reach("A", firer="slow").cost_at(Pose((12, 0), 90)) is None

    def test_both_are_limits(self):
        reach = road_game(piece("A", "wheeled"), options=DISTANCE).reach("A", firer="moderate", target="slow")
        assert [reach.cost_at((x, 0)) for x in (12, 12.1)] == [6, None]

    def test_who_has_been_faster_already(self):
        game = road_game(piece("A", "grav", dearest_rotation=24, spent_rotation=24), options=DISTANCE)
        assert game.reach("A", firer="slow").cost_at((0, 0)) is None
        assert game.reach("A", firer="moderate").cost_at((0, 0)) is not None

    @pytest.mark.sampled
    @pytest.mark.parametrize("basis", ["allowance_spent", "distance_moved"])
    def test_rotations_of_a_target_that_moved(self, basis):
        """CA-100: with target_rotation_counts both are paid from the band, or each is within it."""
        options = {"speed_band_basis": basis, "target_rotation_counts": "if_moved"}
        game = road_game(piece("A", "grav", base=0.5), options=options)
        reach, dice = game.reach("A", target="slow"), np.random.default_rng(5)
        played = 0
        for place in dice.uniform(-6, 6, (12, 2)).round(2).tolist():
            pose = Pose(tuple(place), float(dice.integers(0, 360)))
            end = pose if pose in reach else pose.place
            if end not in reach:
                continue
            (order,) = reach.orders_to(end)
            happened = road_game(piece("A", "grav", base=0.5), options=options).do(order)
            assert bands(happened, "ends its move")[0] in ("stationary", "slow")
            played += 1
        assert played >= 3

    def test_infantry_that_turns_for_nothing(self):
        """A shorter way may be dearer, so directions that cost nothing are no reason to ask for the cheapest alone."""
        options = {**DISTANCE, "infantry_turning": "free"}
        game = road_game(piece("A", "on_foot"), options=options)
        reach = game.reach("A", target="slow")
        assert [reach.cost_at(place) for place in ((2, 0), (2.1, 0), (0, -1))] == [1, None, 0.5]
        assert isinstance(reach.planner, PoseReach)


class TestTransportAndEntry:
    def carrier(self, **fields):
        return piece("apc", "wheeled", rate_original=24, base=1, **fields)

    @pytest.mark.parametrize(("options", "may"), [({}, True), (DISTANCE, False)])
    def test_a_damaged_transport_that_was_faster_than_slow(self, options, may):
        """CA-132: 10 inches of road cost 5 of 24."""
        bob = piece("bob", "on_foot", None, carrier="apc")
        game = road_game(self.carrier(damage_level=1), bob, options=options)
        game.do("apc move: forward 10")
        found = clauses(game, "bob move: unload at 10,2 facing 90")
        assert found == ([] if may else ["CA-132"])

    @pytest.mark.parametrize(("options", "most"), [({}, 16), (DISTANCE, 8)])
    def test_one_that_was_boarded(self, options, most):
        """CA-132: slow after that: 8 inches, or what 8 inches pay for."""
        game = road_game(piece("bob", "on_foot", (-2, 0)), self.carrier(damage_level=1), options=options)
        game.do("bob move: load apc")
        assert clauses(game, f"apc move: forward {most}") == []
        assert clauses(game, f"apc move: forward {most + 0.1}") == ["CA-132"]
        assert [game.reach("apc").cost_at((x, 0)) for x in (most, most + 0.1)] == [most / 2, None]

    def test_the_way_off_the_board_counts(self):
        """CA-146."""
        options = {**DISTANCE, "delayed_entry": True}
        late = piece("A", "grav", None, enters_on=1, detour=10)
        game = road_game(late, options=options)
        happened = game.do("A move: enter at -48,0 facing 0, forward 3")
        assert last_amounts(happened) == (13, 13)
        assert bands(happened, "ends its move") == ["moderate"]
        assert game.state.unit("A")["inches_covered"] == 13
        late = road_game(piece("A", "grav", None, enters_on=1, detour=10), options=options).reach("A", target="slow")
        assert late.cost_at((-46, 0)) == 12
        assert late.cost_at((-45.9, 0)) is None

    def test_a_descent_counts(self):
        """CA-149."""
        lander = piece("A", "thruster", None, enters_on=1, assault_lander=True)
        happened = road_game(lander, options=DISTANCE).do("A move: drop at 0,0 facing 0, descend 48")
        assert last_amounts(happened) == (48, 48)


# --- laws ---


def with_distance(game, **fields):
    """A made-up game with bands by distance, and other data for its mover."""
    units = [unit.put(**fields) if unit.id == "A" else unit for unit in game.state]
    return Game.new(RULESET, game.table.board, units, options=DISTANCE)


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("mobility", "fields", "asked"),
    [
        ("tracked", {"damage_level": 1}, {}),
        ("walker", {"damage_level": 2}, {}),
        ("tracked", {}, {"firer": "slow"}),
        ("walker", {}, {"target": "slow"}),
        ("on_foot", {}, {"firer": "moderate", "target": "slow"}),
    ],
)
def test_what_reach_says_is_played_within_the_band(mobility, fields, asked):
    """CA-3, CA-89, CA-90, CA-98, CA-100: at its price, and no faster."""
    game = with_distance(standing(0, mobility), **fields)
    reach, dice = game.reach("A", **asked), np.random.default_rng(7)
    most = "moderate" if fields.get("damage_level") == 1 else "slow"
    far, played = float(reach.most) * 2, 0
    for place in dice.uniform(-far, far, (60, 2)).round(3).tolist():
        pose = Pose(tuple(place), float(dice.integers(0, 360)))
        for end in (pose.place, pose):
            if played >= 6 or end not in reach:
                continue
            (order,) = reach.orders_to(end)
            text = game.write(order)
            assert game.breaches(text) == []
            happened = game.branch().do(f"{text}, fire")
            assert float(happened.ledger.total("inches")) == pytest.approx(reach.cost_at(end), abs=1e-4)
            assert BANDS.index(bands(happened, "ends its move")[0]) <= BANDS.index(asked.get("target", most))
            if "firer" in asked:
                assert BANDS.index(bands(happened, "fires")[0]) <= BANDS.index(asked["firer"])
            played += 1
    assert played >= 3
