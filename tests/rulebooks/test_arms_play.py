"""A move of combined_arms as it is played: both amounts, bands, shots, altitude, overruns, turns, refusals."""

from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.errors import FileError
from simulator.geometry.pieces import LineShape, Piece, PointShape, rectangle
from simulator.geometry.poses import Pose

WALL = Piece("wall", "high_wall", LineShape([(8, -20), (8, 20)]), height=3)
WOOD = Piece("wood", "vegetation", rectangle((10, 0), (8, 20)))


def clauses(game, order):
    return [breach.clause for breach in game.breaches(order)]


def with_target(unit, **settings):
    return arms_game(unit, piece("B", "on_foot", (40, 40), "blue"), **settings)


class TestAllowance:
    def test_the_first_part_that_cannot_be_paid_is_named(self):
        """CA-2, CA-3, CA-40."""
        game = arms_game(piece("A", "grav"))
        (leg,) = game.breaches("A move: forward 30, turn_left 45, forward 1")
        assert (leg.clause, leg.needed, leg.available) == ("CA-3", 1, 0)
        (turn,) = game.breaches("A move: forward 31, turn_left 45")
        assert (turn.clause, turn.needed, turn.available) == ("CA-40", 6, 5)

    def test_the_ledger_adds_up_line_by_line(self):
        """CA-5, CA-35."""
        game = arms_game(piece("A", "walker"), terrain=(Piece("bog", "soft_ground", rectangle((5, 0), (4, 9))),))
        ledger = game.do("A move: forward 8, turn_left 45").ledger
        assert [(line.what, line.price, line.clause) for line in ledger] == [
            ("forward", 3, "CA-4"),
            ("forward over soft ground", 8, "CA-4"),
            ("forward", 1, "CA-4"),
            ("turn left 45°", 4, "CA-37"),
        ]
        assert ledger.total("inches") == 16

    def test_thirds_stay_exact(self):
        """CA-5."""
        unit = piece("A", "grav", rate_original=6, damage_level=1)
        assert arms_game(unit).do("A move: forward 10/3").ledger.total("inches") == Fraction(10, 3)

    def test_a_piece_moves_once_a_turn_and_sides_alternate(self):
        """CA-7."""
        game = arms_game(piece("A", "grav"), piece("B", "grav", (0, 9)), piece("C", "grav", (0, 20), "blue"))
        game.do("A move: forward 3")
        assert clauses(game, "B move: forward 3") == ["CA-7"]
        game.do("C move: forward 3")
        assert "CA-7" in clauses(game, "A move: forward 3")
        game.do("B move: forward 3")
        assert (game.state.clock.turn, game.state.unit("A")["has_moved"]) == (2, False)
        assert game.do("A move: forward 36").ledger.total("inches") == 36  # what was left over is lost

    def test_any_order_of_initiative_can_be_given(self):
        """CA-7."""
        units = [piece("A", "grav"), piece("B", "grav", (0, 9)), piece("C", "grav", (0, 20), "blue")]
        game = arms_game(*units, data={"initiative": ("C", "B", "A")})
        assert clauses(game, "A move: forward 3") == ["CA-7"]
        for name in ("C", "B", "A"):
            game.do(f"{name} move: forward 3")
        assert game.state.clock.turn == 2

    def test_it_leaves_the_table_in_no_move_yet(self):
        """CA-138."""
        game = arms_game(piece("A", "grav", (40, 0)))
        assert clauses(game, "A move: forward 9") == ["CA-138"]
        assert clauses(game, "A move: forward 8") == []  # its base may stand out over the edge

    def test_a_piece_may_stop_anywhere_along_a_leg(self):
        """CA-6."""
        reach = arms_game(piece("A", "grav")).reach("A")
        assert [reach.cost_at((x, 0)) for x in (0, 0.37, 11.2345, 36)] == [0, 0.37, 11.2345, 36]

    def test_a_long_base_needs_room_to_turn(self):
        """CA-48: everything that it sweeps has to be free."""
        wall = Piece("wall", "high_wall", rectangle((0, 2.3), (9, 1)))
        long = [[-2, -1], [2, -1], [2, 1], [-2, 1]]
        game = arms_game(piece("A", "tracked", base=long), terrain=(wall,))
        assert clauses(game, "A move: turn_left 45") == ["CA-64"]
        assert clauses(game, "A move: reverse 8, turn_left 45") == []
        assert clauses(arms_game(piece("A", "tracked", base=1.2), terrain=(wall,)), "A move: turn_left 45") == []


class TestAmounts:
    """CA-94 to CA-102: own fire counts rotations, fire at it does not."""

    @pytest.mark.parametrize(
        ("orders", "own", "as_target", "band"),
        [
            ("turn_left 90", 12, 0, "slow"),  # E7: turning on the spot is standing still to a firer
            ("turn_left 90, forward 1", 13, 1, "moderate"),
            ("forward 12", 12, 12, "slow"),
            ("forward 12.1", Fraction(121, 10), Fraction(121, 10), "moderate"),
            ("forward 24", 24, 24, "moderate"),
            ("turn_left 180, climb 4", 34, 4, "fast"),
        ],
    )
    def test_both(self, orders, own, as_target, band):
        game = with_target(piece("A", "grav"))
        events = game.do(f"A move: {orders}, fire").events
        amounts = next(event.detail for event in reversed(events) if "own" in event.detail)
        assert (amounts["own"], amounts["as_target"]) == (own, as_target)
        assert next(event.detail["band"] for event in events if event.kind == "fires") == band
        unit = game.state.unit("A")
        assert (unit["spent_translation"], unit["spent_rotation"]) == (as_target, own - as_target)

    def test_rotations_of_one_that_moved_may_count(self):
        """CA-100: target_rotation_counts."""
        options = {"target_rotation_counts": "if_moved"}
        seen = [
            [
                event.detail["as_target"]
                for event in with_target(piece("A", "grav"), options=options).do(order).events
                if event.detail
            ]
            for order in ("A move: turn_left 90", "A move: turn_left 90, forward 1")
        ]
        assert [amounts[-1] for amounts in seen] == [0, 13]

    def test_a_shot_in_mid_move_is_a_promise(self):
        """CA-98."""
        game = with_target(piece("A", "grav"))
        (breach,) = game.breaches("A move: forward 10, fire at B band slow, forward 2.5")
        assert (breach.clause, breach.needed, breach.available) == ("CA-98", Fraction(25, 2), 12)
        assert clauses(game, "A move: forward 10, fire at B band slow, forward 2") == []
        assert clauses(game, "A move: forward 10, fire at B band moderate, forward 14") == []

    def test_or_it_counts_only_what_came_before(self):
        """CA-98: own_fire_band."""
        game = with_target(piece("A", "grav"), options={"own_fire_band": "so_far"})
        events = game.do("A move: forward 10, fire at B band slow, forward 20").events
        assert [event.detail["band"] for event in events if event.kind == "fires"] == ["slow"]

    def test_one_that_fired_before_keeps_to_its_band(self):
        """CA-98, CA-99: also reach does."""
        game = with_target(piece("A", "grav", declared_band="slow"))
        assert clauses(game, "A move: forward 12.5") == ["CA-98"]
        assert game.reach("A").cost_at((12, 0)) == 12
        assert game.reach("A").cost_at((12.1, 0)) is None

    def test_reach_is_asked_for_both(self):
        """CA-98, CA-100: a slow target may turn as it likes, a slow firer may not."""
        game = with_target(piece("A", "grav"))
        target, firer = game.reach("A", target="slow"), game.reach("A", firer="slow")
        assert target.cost_at((0, 12)) == 24
        assert target.cost_at((0, 12.1)) is None
        assert firer.cost_at((0, 12)) is None
        assert firer.cost_at((12, 0)) == 12
        assert firer.cost_at(Pose((6, 0), 45)) == 12
        assert firer.cost_at(Pose((6.1, 0), 45)) is None
        assert game.reach("A", target="stationary").cost_at(Pose((0, 0), 180)) == 30

    @pytest.mark.parametrize(
        ("orders", "band", "factor"),
        [
            ("turn_left 90", "stationary", 0),
            ("forward 8", "slow", -1),
            ("forward 13", "moderate", -2),
            ("climb 4, forward 21", "fast", -3),
        ],
    )
    def test_as_a_target_it_stands_as_it_moved(self, orders, band, factor):
        """E7 (CA-100, CA-101, CA-102)."""
        (end,) = [
            one for one in with_target(piece("A", "grav")).do(f"A move: {orders}").events if one.kind == "ends its move"
        ]
        assert (end.detail["band"], end.detail["factor"]) == (band, factor)

    def test_the_bands_count_what_is_spent_not_the_ground_covered(self):
        """CA-96: a tank at rate 16 covers 32 inches of road and is moderate."""
        road = Piece("road", "road", LineShape([(-40, 0), (40, 0)], 3.0))
        tank = piece("A", "tracked", speed_grade="average", damage_level=1)
        events = with_target(tank, terrain=(road,)).do("A move: forward 32, fire").events
        assert [event.detail["band"] for event in events if event.kind == "fires"] == ["moderate"]

    def test_damage_does_not_change_the_bands(self):
        """CA-88, CA-89, CA-90."""
        shots = [
            next(
                e.detail["band"]
                for e in with_target(piece("A", "grav", damage_level=level)).do(order).events
                if e.kind == "fires"
            )
            for level, order in [(1, "A move: forward 24, fire"), (2, "A move: forward 12, fire")]
        ]
        assert shots == ["moderate", "slow"]


class TestAltitude:
    @pytest.mark.parametrize(
        ("mobility", "limit", "clause"),
        [
            ("on_foot", 0, "CA-82"),
            ("gravpack", 2, "CA-82"),
            ("jetpack", 12, "CA-82"),
            ("grav", 4, "CA-82"),
            ("hover", 1, "CA-82"),
            ("tracked", 0, "CA-82"),
            ("walker", 0, "CA-82"),
            ("wheeled", 0, "CA-82"),
            ("powered_armor", 0, "CA-83"),
            ("crew_weapon", 0, "CA-83"),
        ],
    )
    def test_limits(self, mobility, limit, clause):
        game = arms_game(piece("A", mobility))
        assert clauses(game, f"A move: climb {limit}") == []
        assert clauses(game, f"A move: climb {limit + 0.5}")[0] == clause

    @pytest.mark.parametrize("mobility", ["thruster", "helicopter"])
    def test_some_have_none(self, mobility):
        assert clauses(arms_game(piece("A", mobility)), "A move: climb 30") == []

    def test_nobody_goes_below_the_ground(self):
        """CA-84."""
        assert clauses(arms_game(piece("A", "grav", altitude=2)), "A move: descend 3") == ["CA-84"]

    @pytest.mark.parametrize(("fields", "aloft"), [({}, True), ({"can_hover": False}, False)])
    def test_who_may_end_aloft(self, fields, aloft):
        """CA-86."""
        game = arms_game(piece("A", "grav", **fields))
        assert clauses(game, "A move: climb 2, forward 3") == ([] if aloft else ["CA-86"])
        assert clauses(game, "A move: climb 2, forward 3, descend 2") == []
        reach = game.reach("A", climbing=True)
        assert (reach.cost_at(Pose((3, 0), level=0)), reach.cost_at((3, 0))) == (3, 3)

    def test_which_types_end_aloft_is_an_option(self):
        """CA-86: end_aloft."""
        game = arms_game(piece("A", "grav"), options={"end_aloft": ["jetpack"]})
        assert clauses(game, "A move: climb 2") == ["CA-86"]
        assert (
            clauses(arms_game(piece("A", "grav", can_hover=True), options={"end_aloft": []}), "A move: climb 2") == []
        )

    def test_a_piece_as_high_as_a_feature_ignores_it(self):
        """CA-81."""
        game = arms_game(piece("A", "jetpack"), terrain=(WOOD,))
        assert game.do("A move: climb 3, forward 16").ledger.total("inches") == 19
        low = arms_game(piece("A", "jetpack"), terrain=(WOOD,))
        assert low.do("A move: climb 2, forward 10").ledger.total("inches") == 2 + 6 + 8

    def test_hover_vehicles_never_ignore_anything(self):
        """CA-81."""
        fence = Piece("fence", "low_obstacle", rectangle((5, 0), (2, 9)), height=0.5)
        assert arms_game(piece("A", "hover"), terrain=(fence,)).do("A move: climb 1, forward 10").ledger.total() == 0
        game = arms_game(piece("A", "hover"), terrain=(fence,))
        assert game.do("A move: climb 1, forward 10").ledger.total("inches") == 1 + 12

    def test_one_place_at_several_altitudes_is_several_ends(self):
        """CA-81, CA-85."""
        reach = arms_game(piece("A", "grav"), terrain=(WALL,)).reach("A", climbing=True)
        assert reach.known_levels == [0, 3]
        assert reach.cost_at(Pose((12, 0), level=0)) == 18
        assert reach.cost_at(Pose((12, 0), level=3)) == 15
        assert reach.cost_at(Pose((8, 0), level=3)) == 11
        assert reach.cost_at(Pose((8, 0), level=0)) is None

    def test_why_not_says_how_high_would_do(self):
        """CA-64, CA-81."""
        why = arms_game(piece("A", "grav", altitude=1), terrain=(WALL,)).reach("A").why_not((8, 0))
        assert [reason.clause for reason in why.reasons] == ["CA-64"]
        assert why.remedy == "2 inches higher would clear wall"

    def test_orders_by_goal_climb_to_a_named_altitude(self):
        game = arms_game(piece("A", "grav"), terrain=(WALL,))
        happened = game.do("A move to 12,0 level 3")
        assert (happened.ledger.total("inches"), game.state.unit("A")["altitude"]) == (15, 3)
        over = arms_game(piece("A", "grav"), terrain=(WALL,))
        assert over.do("A move to 12,0 level 0").ledger.total("inches") == 18

    def test_pieces_pass_over_each_other(self):
        """CA-80, CA-81: an inch apart."""
        other = piece("B", "on_foot", (6, 0), "blue", base=0.5)
        game = arms_game(piece("A", "grav", base=1), other)
        assert clauses(game, "A move: forward 12") == ["CA-80"]
        assert clauses(game, "A move: climb 0.9, forward 12") == ["CA-80"]
        assert clauses(game, "A move: climb 1, forward 6") == []
        assert game.reach("A", climbing=True).cost_at(Pose((6, 0), level=1)) == 7

    @pytest.mark.parametrize(
        ("mobility", "drops"), [("grav", True), ("jetpack", True), ("thruster", False), ("hover", False)]
    )
    def test_pop_ups(self, mobility, drops):
        """CA-112, CA-114, CA-115, CA-116."""
        game = with_target(piece("A", mobility))
        assert clauses(game, "A move: climb 1, fire at B, descend 1") == ([] if drops else ["CA-114"])
        assert clauses(game, "A move: climb 1, fire at B, forward 3") == []
        allowed = with_target(piece("A", mobility), options={"popup_types": [mobility]})
        assert clauses(allowed, "A move: climb 1, fire at B, descend 1") == []

    def test_popping_up_sideways(self):
        """CA-113: an ordinary move with a shot in it, open to all."""
        game = with_target(piece("A", "walker"))
        assert game.do("A move: sideways_left 2, fire at B, sideways_right 2").ledger.total("inches") == 8


class TestOverruns:
    """CA-103 to CA-111."""

    def game(self, attacker=None, target=None, terrain=(), **settings):
        tank = {"size_class": 6, "armored": True, **(attacker or {})}
        man = {"base": 0.5, **(target or {})}
        mobility, kind = tank.pop("mobility", "tracked"), man.pop("mobility", "on_foot")
        units = piece("A", mobility, **tank), piece("B", kind, man.pop("at", (6, 0)), man.pop("side", "blue"), **man)
        return arms_game(*units, terrain=terrain, **settings)

    @pytest.mark.parametrize(
        ("attacker", "target", "clause"),
        [
            ({}, {}, None),
            ({}, {"mobility": "grav", "size_class": 3}, None),  # E12
            ({}, {"mobility": "grav", "size_class": 4}, "CA-104"),
            ({"armored": False}, {}, "CA-103"),
            ({"mobility": "grav"}, {}, None),
            ({"mobility": "grav", "altitude": 0.5}, {}, "CA-111"),
            ({}, {"mobility": "jetpack", "altitude": 0.5}, "CA-111"),
            ({}, {"side": "red"}, "CA-103"),
        ],
    )
    def test_who_may_overrun_whom(self, attacker, target, clause):
        found = clauses(self.game(attacker, target), "A move over B: forward 10")
        assert (clause in found) if clause else found == []

    def test_a_target_counts_once(self):
        """CA-105."""
        assert self.game().do("A move over B B: forward 10").ledger.total("inches") == 12
        assert "CA-103" in clauses(self.game(), "A move over A: forward 2")

    def test_only_listed_targets_is_an_option(self):
        """CA-103: overrun_targets."""
        truck = {"mobility": "wheeled", "size_class": 2}
        assert clauses(self.game(target=truck), "A move over B: forward 10") == []
        game = self.game(target=truck, options={"overrun_targets": "listed_only"})
        assert clauses(game, "A move over B: forward 10") == ["CA-103"]

    def test_sizes_of_vehicles_alone_is_an_option(self):
        """CA-104: overrun_size_scope."""
        small = {"size_class": 3}
        assert clauses(self.game(small), "A move over B: forward 10") == ["CA-104"]
        assert (
            clauses(self.game(small, options={"overrun_size_scope": "vehicles_only"}), "A move over B: forward 10")
            == []
        )

    def test_a_target_without_a_base_is_an_inch_across(self):
        """CA-105: overrun_default_stretch."""
        usual = self.game(target={"base": None})
        assert usual.do("A move over B: forward 10").ledger.total("inches") == 12
        wide = self.game(target={"base": None}, options={"overrun_default_stretch": 2})
        assert wide.do("A move over B: forward 10").ledger.total("inches") == 14

    def test_who_is_overrun_is_gone_and_the_attacker_goes_on(self):
        """CA-110."""
        game = self.game()
        game.do("A move over B: forward 10, turn_left 45")
        assert list(game.state.units) == ["A"]

    def test_it_has_to_get_over_the_target(self):
        """CA-106: with too little left it stops short."""
        game = self.game(target={"at": (28, 0)})
        assert "CA-106" in clauses(game, "A move over B: forward 28")
        assert "CA-106" in clauses(game, "A move over B: forward 29.5")
        assert clauses(game, "A move over B: forward 27.4") == []

    def test_hulls_that_only_graze_are_blocked(self):
        """CA-105."""
        game = self.game({"base": 1}, {"at": (6, 1.2)})
        assert clauses(game, "A move over B: forward 10") == ["CA-106"]

    def test_reach_overruns_if_it_is_asked_to(self):
        """CA-103, CA-105: and the order names whom."""
        lane = (
            Piece("north", "river", rectangle((10, 11), (60, 20))),
            Piece("south", "river", rectangle((10, -11), (60, 20))),
        )
        game = self.game({"base": 0.9}, terrain=lane)
        assert game.reach("A").cost_at((10, 0)) is None
        reach = game.reach("A", overrunning=True)
        assert reach.cost_at((10, 0)) == 12
        assert reach.cost_at((6, 0)) == 9.5  # over it and half an inch back
        (order,) = reach.orders_to((10, 0))
        assert game.write(order) == "A move over B: forward 10"
        assert game.do(order).ledger.total("inches") == 12


class TestFaults:
    """Positions that are illegal from the start."""

    @pytest.mark.parametrize(
        ("unit", "clause"),
        [
            (piece("A", "tracked", (10, 0)), "CA-52"),
            (piece("A", "grav", (10, 0)), None),
            (piece("A", "grav", (0, 0), altitude=5), "CA-82"),
            (piece("A", "grav", (0, 0), altitude=3, can_hover=False), "CA-86"),
            (piece("A", "on_foot", (40, 40)), "CA-80"),
        ],
    )
    def test_where_nobody_may_stand(self, unit, clause):
        river = Piece("river", "river", rectangle((10, 0), (6, 20)))
        game = arms_game(unit, piece("B", "on_foot", (40, 40), "blue", base=1), terrain=(river,))
        assert [fault.clause for fault in game.faults if fault.blocker == "A"] == ([clause] if clause else [])


def test_trees_that_are_gone_may_be_set_up():
    """CA-60."""
    oak = Piece("oak", "individual_tree", PointShape(5, 0))
    game = arms_game(piece("A", "grav", base=1), terrain=(oak,), data={"felled": ("oak",)})
    assert game.do("A move: forward 10").ledger.total("inches") == 10


@pytest.mark.parametrize("data", ["felled: [oak]", "initiative: [Z]", "felled: 3"])
def test_data_of_what_is_not_there_is_a_fault(data):
    from simulator.formats.scenarios import parse_scenario
    from simulator.rulesets.combined_arms import RULESET

    text = f"format: 1\nruleset: combined_arms\nboard: {{board: table, size: [9, 9]}}\ndata: {{{data}}}\n"
    with pytest.raises(FileError, match=data.partition(":")[0]):
        parse_scenario(text, rulesets={"combined_arms": RULESET})
