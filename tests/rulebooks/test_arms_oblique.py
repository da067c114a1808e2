"""CA-27, `direction_model`: oblique travel at the sideways rate, by those who move sideways."""

import math
from fractions import Fraction

import numpy as np
import pytest
from arms_games import arms_game, piece

from simulator.engine.errors import UnreadableOrder
from simulator.engine.game import Game
from simulator.geometry.pieces import LineShape, Piece, PointShape, rectangle
from simulator.geometry.poses import Pose
from simulator.geometry.table import InchTable
from simulator.pathing.posed import judged
from simulator.rulesets.combined_arms import RULESET
from simulator.rulesets.combined_arms.judge import moves_for

OBLIQUE = {"direction_model": "oblique_half"}
FULL_CREW = {"wheeled_chassis": True, "crew_required": 2, "crew_present": 2}
#: Movers with their data and options, and how many times the price of going forward sideways travel costs them; None:
#: there is none.
KINDS = [
    ("on_foot", {}, {}, 2),
    ("powered_armor", {}, {}, 2),
    ("gravpack", {}, {}, 2),
    ("jetpack", {}, {}, 2),
    ("on_foot", {"jointed_sideways": True}, {}, 1),
    ("gravpack", {"jointed_sideways": True}, {}, 2),
    ("gravpack", {"jointed_sideways": True}, {"jointed_infantry_sideways": "all_infantry"}, 1),
    ("crew_weapon", FULL_CREW, {}, None),
    ("crew_weapon", FULL_CREW, {"crew_weapon_sideways": "half"}, 2),
    ("grav", {}, {}, 2),
    ("hover", {}, {}, 2),
    ("thruster", {}, {}, 2),
    ("walker", {}, {}, 2),
    ("walker", {"jointed_sideways": True}, {}, 1),
    ("tracked", {}, {}, None),
    ("tracked", {"dual_driver": True}, {}, None),
    ("wheeled", {}, {}, None),
    ("helicopter", {}, {}, 2),
    ("hoverjet", {}, {}, 2),
    ("hoverprop", {}, {}, 2),
]


def alone(mobility, fields, **options):
    """A game with one mover on open ground."""
    return arms_game(piece("A", mobility, **fields), options=options)


@pytest.mark.parametrize(("mobility", "fields", "options", "factor"), KINDS)
class TestOrders:
    def test_an_oblique_leg_costs_what_sideways_travel_does(self, mobility, fields, options, factor):
        """CA-15, CA-19, CA-31 .. CA-34: whoever does not move sideways does not travel obliquely either."""
        order = "A move: oblique_left 1.5 at 30"
        game = alone(mobility, fields, **options, **OBLIQUE)
        if factor is None:
            (breach,) = game.breaches(order)
            assert breach.clause == "CA-27"
            assert breach.message == f"{mobility} pieces do not move sideways, nor 30 degrees to the left"
            return
        played = game.do(order)
        unit = played.state.unit("A")
        assert played.ledger.total("inches") == Fraction(3, 2) * factor
        assert unit.heading == 0
        assert unit.place == pytest.approx((1.5 * math.cos(math.pi / 6), 0.75))

    def test_with_four_ways_there_are_none(self, mobility, fields, options, factor):
        game = alone(mobility, fields, **options)
        (breach,) = game.breaches("A move: oblique_right 1.5 at 120")
        assert breach.clause == "CA-27"
        sideways = "legs go forward, in reverse or sideways, not 120 degrees to the right: it has to rotate first"
        aside = f"{mobility} pieces do not move sideways, nor 120 degrees to the right"
        assert breach.message == (aside if factor is None else sideways)
        assert game.breaches("A move: turn_left 30, forward 1.5") == []

    def test_straight_ahead_back_and_aside_are_what_they_are(self, mobility, fields, options, factor):
        """Only another direction is oblique: CA-13, CA-29 and CA-30 hold in reverse."""
        for model in (OBLIQUE, {}):
            game = alone(mobility, fields, **options, **model)
            for aside, mode in ((0, "forward"), (180, "reverse"), (90, "sideways_left")):
                if mode == "sideways_left" and factor is None:
                    assert game.breaches(f"A move: oblique_left 1 at {aside}")
                    continue
                spent = [
                    alone(mobility, fields, **options, **model).do(order).ledger.total("inches")
                    for order in (f"A move: oblique_left 1 at {aside}", f"A move: {mode} 1")
                ]
                assert spent[0] == spent[1] >= 1

    @pytest.mark.sampled
    def test_reach_knows_it(self, mobility, fields, options, factor):
        place = (0.9, 0.6)
        four, oblique = (
            alone(mobility, fields, **options, **model).reach("A").cost_at(Pose(place, 0)) for model in ({}, OBLIQUE)
        )
        if factor is None:
            assert oblique == four
        elif factor == 1:
            assert oblique == pytest.approx(math.hypot(*place), abs=1e-4)
            assert oblique < four
        else:
            assert oblique == pytest.approx(0.9 + 0.6 * math.sqrt(3), abs=1e-4)
            assert oblique < four


class TestWriting:
    def test_orders_are_read_as_they_are_written(self):
        game = alone("grav", {}, **OBLIQUE)
        (order,) = game.reach("A").orders_to((3, -2))
        text = game.write(order)
        assert game.write(game.read(text)) == text
        assert [element.name for element in order.elements] in (
            ["forward", "oblique_right"],
            ["oblique_right", "forward"],
        )
        assert game.read("A move: oblique_right 2.5 at 30 degrees") == game.read("A move: oblique_right 2.5 at 30")

    @pytest.mark.parametrize(
        "order", ["A move: oblique_left 2", "A move: oblique_left 2 at 181", "A move: oblique 2 at 3"]
    )
    def test_what_says_too_little_or_too_much_is_refused(self, order):
        with pytest.raises(UnreadableOrder, match="oblique"):
            alone("grav", {}, **OBLIQUE).read(order)

    def test_the_ledger_names_the_direction(self):
        swamp = Piece("swamp", "vegetation", rectangle((0, 0), (40, 40)))
        game = arms_game(piece("A", "grav"), terrain=(swamp,), options=OBLIQUE)
        (line,) = game.do("A move: oblique_left 2 at 22.5").ledger.lines
        assert (line.what, line.amount, line.rate, line.price) == ("oblique left 22.5° over vegetation", 2, 4, 8)


#: Movers with bases of several forms, on made-up tables.
PLAYED = {
    "grav": {"base": 1, "speed_grade": "slow"},
    "walker": {"base": [[-1.5, -1], [1.5, -1], [1.5, 1], [-1.5, 1]], "jointed_sideways": True, "speed_grade": "slow"},
    "on_foot": {"base": 0.5},
    "jetpack": {"jointed_sideways": True},
    "tracked": {"base": 1, "speed_grade": "slow"},
}


def made_up(seed, mobility):
    """A mover in the middle of a table of walls, woods, a road, trees, and others."""
    dice = np.random.default_rng(seed)
    terrain = [
        Piece(f"area{number}", kind, rectangle(tuple(dice.uniform(-14, 14, 2)), tuple(dice.uniform(2, 7, 2)), 30.0))
        for number, kind in enumerate(("vegetation", "soft_ground", "lake", "rubble", "vegetation"))
    ]
    for number in range(2):
        start, end = (tuple(place) for place in dice.uniform(-10, 10, (2, 2)).round(2).tolist())
        terrain.append(Piece(f"wall{number}", "high_wall", LineShape([start, end])))
    terrain.append(Piece("road", "road", LineShape([(-40, 3), (0, 2), (40, -6)], 2.0)))
    terrain.append(Piece("tree", "individual_tree", PointShape(5, 4)))
    mover = piece("A", mobility, (0, 0), heading=int(dice.integers(0, 360)), **PLAYED[mobility])
    others = [piece("F", "on_foot", (6, -5), base=0.5), piece("X", "on_foot", (-7, 3), "blue", base=0.5)]
    return arms_game(mover, *others, terrain=tuple(terrain), options=OBLIQUE)


@pytest.mark.sampled
@pytest.mark.parametrize("mobility", PLAYED)
@pytest.mark.parametrize("seed", range(2))
def test_every_end_is_played_at_its_price(seed, mobility):
    game = made_up(seed, mobility)
    if [fault for fault in game.faults if fault.blocker == "A"]:
        game = made_up(seed := seed + 7, mobility)
    reach, dice = game.reach("A"), np.random.default_rng(seed + 50)
    places = dice.uniform(-0.6, 0.6, (60, 2)).round(3) * float(reach.most)
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
    assert ends


def random_order(dice, most):
    """Some legs and rotations, most of the legs oblique ones."""
    elements = []
    for _ in range(int(dice.integers(1, 4))):
        side, kind = dice.choice(["left", "right"]), dice.random()
        inches = round(float(dice.uniform(0.2, most / 3)), 2)
        if kind < 0.5:
            elements.append(f"oblique_{side} {inches} at {round(float(dice.uniform(1, 179)), 1)}")
        elif kind < 0.7:
            elements.append(f"turn_{side} {round(float(dice.uniform(1, 120)), 1)}")
        else:
            elements.append(f"forward {inches}")
    return f"A move: {', '.join(elements)}"


def verdict_of(game, order):
    """What the judge says of an order, with all digits."""
    space, moves = moves_for(game.table, game.table.unit("A"), game.read(order))
    return judged(space.space, space.space.starts[0], moves)


@pytest.mark.sampled
@pytest.mark.parametrize("mobility", ["grav", "walker", "jetpack"])
def test_whatever_is_legal_is_within_reach_for_no_more(mobility):
    game, dice = made_up(3, mobility), np.random.default_rng(9)
    reach = game.reach("A")
    orders = [random_order(dice, float(reach.most)) for _ in range(120)]
    ends = [verdict_of(game, order) for order in orders if not game.breaches(order)]
    assert len(ends) > 15
    paid = np.array([float(end.total) for end in ends])
    assert np.all(reach.costs_at(np.array([end.place for end in ends])) <= paid + 0.1)


class TestWithTheRest:
    def test_climbing(self):
        wall = Piece("wall", "high_wall", LineShape([(3, -20), (3, 20)]), "obstacle", height=2)

        def game():
            return arms_game(piece("A", "grav"), terrain=(wall,), options=OBLIQUE)

        reach = game().reach("A", climbing=True)
        pose = Pose((6, 2), 0, 0)
        (order,) = reach.orders_to(pose)
        played = game().do(order)
        assert reach.cost_at(pose) == pytest.approx(6 + 2 * math.sqrt(3) + 4, abs=1e-3)
        assert float(played.ledger.total("inches")) == pytest.approx(reach.cost_at(pose), abs=1e-4)

    def test_a_slanting_climb(self):
        """CA-85: the inches of an oblique leg count as those of any other."""

        def game():
            return arms_game(piece("A", "grav"), options={**OBLIQUE, "vertical_geometry": "euclid"})

        played = game().do("A move: oblique_left 4 at 30, climb 3")
        assert played.ledger.total("inches") == 8 + (5 - 4)

    # Long: entries all along an edge are searched; who stands on the board is tried beside it.
    @pytest.mark.long
    def test_who_comes_onto_the_board(self):
        """CA-148: placed facing inward, and on as it faces."""
        board = InchTable("Test", 96, 96, (-48, -48))

        def game():
            unit = piece("A", "grav", None, enters_on=1, heading=90)
            return Game.new(RULESET, board, [unit, piece("B", "on_foot", (40, 40), "blue")], options=OBLIQUE)

        reach = game().reach("A")
        for pose in (Pose((10, -40), 0), Pose((0, -44), 45), (5, -43)):
            (order,) = reach.orders_to(pose)
            assert game().breaches(order) == []
            played = game().do(order)
            assert float(played.ledger.total("inches")) == pytest.approx(float(reach.cost_at(pose)), abs=1e-4)
        assert float(reach.cost_at(Pose((10, -40), 0))) == pytest.approx(16, abs=1e-3)  # sideways all the way

    def test_who_gets_off(self):
        def game():
            carrier = piece("apc", "wheeled", (0, 0), base=1, doors=[[-1, 0]], capacity=4)
            return arms_game(carrier, piece("A", "on_foot", None, carrier="apc", base=0.5), options=OBLIQUE)

        reach = game().reach("A")
        pose = Pose((-3.5, 1), 90)
        (order,) = reach.orders_to(pose)
        played = game().do(order)
        assert played.state.unit("A").place == pytest.approx((-3.5, 1), abs=1e-6)

    def test_fire_on_the_way(self):
        """CA-92, CA-102: an oblique leg is made part by part, and goes on after a hit as far as it is paid for."""

        def game():
            gun = piece("B", "tracked", (20, 0), "blue", heading=180, weapon_range=40)
            return arms_game(piece("A", "grav"), gun, options=OBLIQUE)

        found = game()
        played = found.do("A move: oblique_left 15 at 60", answers=[6, "slow", 12])
        unit = played.state.unit("A")
        assert unit["damage_level"] == 1
        assert unit["spent_translation"] == 24  # R 24: half of it is left of 36
        assert math.hypot(*unit.place) == pytest.approx(12, abs=1e-6)
        assert math.degrees(math.atan2(unit.place[1], unit.place[0])) == pytest.approx(60, abs=1e-6)

    def test_free_rotations_make_no_use_of_it(self):
        free = {"infantry_turning": "free"}
        places = np.random.default_rng(2).uniform(-5, 5, (30, 2))
        four, oblique = (alone("on_foot", {}, **free, **model).reach("A") for model in ({}, OBLIQUE))
        assert np.array_equal(four.costs_at(places), oblique.costs_at(places))
