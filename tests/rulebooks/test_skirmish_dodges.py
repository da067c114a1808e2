"""skirmish: dodges as reactions, to the last of their dice, and where they end on a crowded table."""

import math
from fractions import Fraction

import pytest
from skirmish_tables import block, chosen, clauses_broken, game_with, place_of, rough, wall

from simulator.engine.errors import WrongAnswer

SHOT = "B1 attack A1 made normal"


def dodger(*pieces, at=(3, 0), source=(0, 0), others=(), dice=(1,), **more):
    return game_with(*pieces, at=at, others=(("B1", "blue", source), *others), dice=dice, **more)


def shifted(game, *answers, order=SHOT):
    game.do(order, chosen(*answers))
    return place_of(game)


def asked_directions(game, order=SHOT):
    twin = game.branch()
    twin.do(order, chosen("normal"))
    return twin.state.pending.question.samples


#: Which results make a dodge at a level, with attributes of 6 (SK-58), and how many levels that takes off (SK-44).
LEVELS = {"normal": (6, 1), "good": (4, 2), "excellent": (2, 3)}


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("made", ["normal", "good", "excellent"])
@pytest.mark.parametrize("base", ["poor", "normal"])
def test_every_roll_at_every_level(base, made, level):
    """SK-42 to SK-46: what is opted for, what is rolled, what is left of the attack, where the soldier is."""
    ranks = {"poor": 1, "normal": 2, "good": 3, "excellent": 4}
    most, off = LEVELS[level]
    for die in range(1, 11):
        game = dodger(dice=(die,))
        happened = game.do(f"B1 attack A1 base {base} made {made}", chosen(level))
        left = ranks[made] - (off if die <= most else 0)
        last = happened.events[-1]
        assert last.kind == ("is hit" if left >= ranks[base] else "is missed")
        assert ranks.get(last.detail.get("level"), 0) == (left if left >= ranks[base] else 0)
        assert place_of(game) == ((4, 0) if die <= most else (3, 0))
        assert game.state.unit("A1")["ap_owed"] == 1


class TestWhoPays:
    """SK-39, SK-40, SK-47: an AP before the activation, Threshold after; one dodge for each attack."""

    def test_three_attacks_cost_three_ap_and_the_fourth_none_can_pay(self):
        game = dodger(dice=(10,) * 9)
        for owed in (1, 2, 3):
            game.do(SHOT, chosen("normal"))
            assert game.state.unit("A1")["ap_owed"] == owed
        assert game.do(SHOT).answered == ()
        assert game.state.unit("A1")["threshold_left"] == 3

    def test_the_ap_are_missing_in_the_coming_activation_only(self):
        game = dodger(dice=(10,) * 9)
        game.do(SHOT, chosen("normal"))
        game.do("A1: to 3,1")
        assert game.state.unit("A1")["ap"] == 1
        game.do("A1 done")
        game.do("B1 done")
        game.do("A1: to 3,2")
        assert game.state.unit("A1")["ap"] == 2

    def test_whoever_is_activating_pays_threshold(self):
        game = dodger(dice=(10,) * 9)
        game.do("A1: to 3,1")
        happened = game.do(SHOT, chosen("normal"))
        assert happened.answered[0].question.detail["price"] == "Threshold"
        assert (game.state.unit("A1")["ap"], game.state.unit("A1")["threshold_left"]) == (2, 2)

    def test_nobody_has_to_dodge(self):
        game = dodger()
        happened = game.do(SHOT, chosen(None))
        assert happened.events[-1].kind == "is hit"
        assert (place_of(game), game.state.unit("A1")["ap_owed"]) == ((3, 0), 0)

    def test_poor_is_not_declared(self):  # SK-42: Normal is the base level, one opts up from there
        with pytest.raises(WrongAnswer, match="normal, good, excellent"):
            dodger().do(SHOT, chosen("poor"))

    @pytest.mark.parametrize(
        ("timing", "first"), [("after_attack_roll", "attack roll"), ("before_attack_roll", "dodge")]
    )
    def test_when_it_is_declared(self, timing, first):
        game = dodger(dice=(9, 9), options={"dodge_timing": timing})
        happened = game.do("B1 attack A1", chosen(*(["normal"] if first == "dodge" else [])))
        assert happened.answered[0].question.what == first
        # After the roll nobody dodges what has missed already; before it, the dodge is spent in vain.
        assert game.state.unit("A1")["ap_owed"] == (1 if first == "dodge" else 0)


class TestWhereTo:
    """SK-41: 1 inch directly away, cut short at the last legal point; the attack is weakened all the same."""

    @pytest.mark.parametrize("stance", ["standing", "crouching", "prone"])
    def test_an_inch_in_any_stance(self, stance):
        assert shifted(dodger(me={"stance": stance}), "normal") == (4, 0)

    def test_from_a_source_that_is_not_the_attacker(self):
        assert shifted(dodger(), "normal", order=f"{SHOT} from 3,-4") == (3, 1)

    @pytest.mark.parametrize(
        ("others", "end"),
        [
            ((("A2", "red", (4.6, 0)),), (3.6, 0)),  # up to a friend
            ((("A2", "red", (4, 0)),), (3, 0)),  # who touches already
            ((("A2", "red", (3.9999995, 0)),), (3, 0)),  # or by less than can be told
            ((("A2", "red", (3.5, 0.9)),), (4, 0)),  # who is passed
            ((("B2", "blue", (4.5, 0)),), (3.5, 0)),  # up to an enemy
            ((("A2", "red", (4.2, 0.8)),), (3.6, 0)),  # and who is not, as there would be no end
        ],
    )
    def test_cut_short_by_bases(self, others, end):
        game = dodger(others=others)
        assert shifted(game, "normal") == end
        assert game.state.unit("A1")["ap_owed"] == 1

    def test_cut_short_by_the_edge_of_the_table(self):
        game = game_with(at=(1, 5), others=(("B1", "blue", (5, 5)),), dice=(1,), corner=(0, 0))
        assert shifted(game, "normal") == (0.5, 5)

    def test_a_narrow_gap_is_not_passed(self):
        sides = wall((3.6, 0.4), (3.6, 5), name="upper"), wall((3.6, -5), (3.6, -0.4), name="lower")
        assert shifted(dodger(*sides), "normal") == (3.3, 0)

    def test_up_to_the_base_of_an_enemy_where_only_lines_are_barred(self):
        game = dodger(others=(("B2", "blue", (4.2, 0.8)),), options={"enemy_block": "line_only"})
        assert shifted(game, "normal") == (3.6, 0)

    def test_no_terrain_roll_as_a_rule(self):
        game = dodger(rough(-9, -9, 9, 9))
        assert [entry.question.what for entry in game.do(SHOT, chosen("normal")).answered] == ["dodge", "dodge roll"]


class TestTerrainRollOfADodge:
    """SK-41, SK-12, option dodge_terrain_roll: rough ground takes the inch, unless Threshold is suffered."""

    OPTION = {"dodge_terrain_roll": True}  # noqa: RUF012 - nobody changes it

    @pytest.mark.parametrize(
        ("die", "choice", "end"), [(6, (), 4), (7, ("lose_inch",), 3), (7, ("suffer_threshold",), 4)]
    )
    def test_the_roll(self, die, choice, end):
        game = dodger(rough(3, -3, 9, 3), dice=(1, die), options=self.OPTION)
        assert shifted(game, "normal", *choice) == (end, 0)
        assert game.state.unit("A1")["threshold_left"] == (2 if choice == ("suffer_threshold",) else 3)

    def test_rough_ground_behind_what_stops_the_dodge_is_not_crossed(self):
        game = dodger(wall((4, -9), (4, 9)), rough(3.6, -3, 9, 3), dice=(1,), options=self.OPTION)
        assert shifted(game, "normal") == (3.5, 0)

    def test_no_way_no_roll(self):
        swept = self.OPTION | {"rough_test": "swept_base"}
        game = dodger(wall((3.5, -9), (3.5, 9)), rough(-9, -9, 9, 9), dice=(1,), options=swept)
        assert shifted(game, "normal") == (3, 0)


class TestAnyAway:
    """SK-41, option dodge_direction any_away: every direction that leads away, the exact ones that matter included."""

    OPTION = {"dodge_direction": "any_away"}  # noqa: RUF012

    def test_straight_away_is_the_first_and_the_usual_choice(self):
        game = dodger(at=(3, 4), options=self.OPTION)
        options = asked_directions(game)
        assert options[0] == "away"
        assert options[1] == 53
        assert shifted(game, "normal", "away") == (3.6, 4.8)

    def test_no_direction_leads_nearer(self):
        options = asked_directions(dodger(options=self.OPTION))
        assert {*range(1, 90), *range(271, 360), 0} == set(options[1:])

    def beside(self, x, y):
        """A wall along x, y that touches the base at (3, 0): whole degrees lead off it, or into it."""
        return wall(*((3 + inches * x - 0.5 * y, inches * y + 0.5 * x) for inches in (-8, 8)))

    @pytest.mark.parametrize(("x", "y", "degrees"), [(0.8, 0.6, 36.869898), (0.8, -0.6, 323.130102)])
    def test_along_a_wall_that_stands_aslant(self, x, y, degrees):
        game = dodger(self.beside(x, y), options=self.OPTION)
        assert [turn for turn in asked_directions(game) if turn not in ("away", *range(360))] == [degrees]
        assert shifted(game, "normal", degrees) == pytest.approx((3 + x, y), abs=2e-6)

    @pytest.mark.parametrize(("x", "y", "both"), [(0.8, 0.6, {36.869898, 216.869898}), (0, 1, set()), (-1, 0, set())])
    def test_both_ways_along_a_wall(self, x, y, both):
        options = asked_directions(dodger(self.beside(x, y)), order=f"{SHOT} from 3,0")
        assert sorted(options) == sorted({*range(360), *both})

    def test_a_place_may_be_told_in_fractions(self):
        third = Fraction(10, 3), Fraction(1, 3)
        assert asked_directions(dodger(at=third, options=self.OPTION, source=(Fraction(1, 3), Fraction(1, 3)))) == (
            asked_directions(dodger(options=self.OPTION))
        )

    @pytest.mark.parametrize("side", ["red", "blue"])
    def test_the_last_direction_past_somebody(self, side):
        game = dodger(others=(("X", side, (4.5, 0)),), options=self.OPTION)
        free = [turn for turn in asked_directions(game) if turn not in ("away", *range(360))]
        # 1 inch at this angle just touches: 1.5 away, 1 apart, by the law of cosines.
        touching = math.degrees(math.acos((1 + 1.5**2 - 1) / (2 * 1.5)))
        assert sorted(free) == pytest.approx([touching, 360 - touching], abs=1e-4)
        game.do(SHOT, chosen("normal", free[0]))
        assert math.dist(place_of(game), (3, 0)) == pytest.approx(1)
        assert math.dist(place_of(game), (4.5, 0)) == pytest.approx(1, abs=2e-6)

    def test_a_blocked_direction_may_be_chosen_and_is_cut_short(self):
        game = dodger(block(4, -1, 5, 1), options=self.OPTION)
        assert shifted(game, "normal", 0) == (3.5, 0)

    def test_directions_that_do_not_lead_away_are_refused(self):
        with pytest.raises(WrongAnswer):
            dodger(options=self.OPTION).do(SHOT, chosen("normal", 90))

    @pytest.mark.parametrize("degrees", [30.5, Fraction(61, 2), 359.75, -45, 44.999])
    def test_any_number_of_degrees_that_leads_away_may_be_chosen(self, degrees):
        game = dodger(options=self.OPTION)
        turn = math.radians(degrees)
        assert shifted(game, "normal", degrees) == pytest.approx((3 + math.cos(turn), math.sin(turn)), abs=1e-6)

    def test_the_log_holds_a_range_and_no_list(self):
        game = dodger(options=self.OPTION)
        question = game.do(SHOT, chosen("normal", 30.5)).answered[-1].question
        away, degrees = question.to_fields()["options"]
        assert (away, degrees["range"], degrees["wraps"], degrees["every"]) == ("away", "within", 360, 1)
        assert (question.default, len(str(question.to_fields())) < 1000) == ("away", True)

    def test_what_does_not_lead_away_is_told_what_does(self):
        told = "180 is not a valid answer; possible: away, a number of degrees above 270, through 0, and below 90"
        with pytest.raises(WrongAnswer, match=told):
            dodger(options=self.OPTION).do(SHOT, chosen("normal", 180))

    def test_a_source_underneath_leaves_all_open(self):
        options = asked_directions(dodger(), order=f"{SHOT} from 3,0")
        assert set(options) == set(range(360))


@pytest.mark.parametrize("running", [False, True])
@pytest.mark.parametrize("level", ["poor", "normal", "good", "excellent"])
def test_every_attack_roll(level, running):
    """SK-32, SK-58, SK-59: one level harder against somebody Running, at each level, for each result."""
    most = {"poor": 8, "normal": 6, "good": 4, "excellent": 2}[level] - (2 if running else 0)
    for die in range(1, 11):
        game = dodger(me={"running": running, "threshold_left": 0}, dice=(die,))
        happened = game.do(f"B1 attack A1 base poor at {level}", chosen(*([None] if die <= most else [])))
        assert happened.events[-1].kind == ("is hit" if die <= most else "is missed")


@pytest.mark.parametrize("die", range(1, 11))
@pytest.mark.parametrize("choice", ["lose_inch", "suffer_threshold"])
def test_every_terrain_roll_and_choice(die, choice):
    """SK-10 to SK-12: ten results, two choices, for each stance."""
    for stance, inches in (("standing", 3), ("crouching", 2), ("prone", 1)):
        game = game_with(rough(-9, -9, 9, 9), me={"stance": stance}, dice=(die,))
        game.do(f"A1: to {inches},0", chosen(choice) if die > 6 else None)
        is_short = die > 6 and choice == "lose_inch"
        assert place_of(game) == (inches - is_short, 0)
        assert game.state.unit("A1")["threshold_left"] == (2 if die > 6 and choice == "suffer_threshold" else 3)


@pytest.mark.parametrize("die", range(1, 11))
@pytest.mark.parametrize("saved", [None, "lose_inch", "suffer_threshold"])
def test_every_terrain_roll_of_a_run(die, saved):
    """SK-34 to SK-36, option run_threshold: 9 inches and the token, or 8 and none."""
    options = {"run_threshold": saved is not None}
    game = game_with(rough(2, -9, 3, 9), dice=(die,), options=options)
    game.do("A1 run: to 9,0", chosen(saved) if die > 6 and saved else None)
    is_whole = die <= 6 or saved == "suffer_threshold"
    assert place_of(game) == (9 if is_whole else 8, 0)
    assert game.state.unit("A1")["running"] is is_whole
    assert clauses_broken(game, "A1: to 9,1") != []
