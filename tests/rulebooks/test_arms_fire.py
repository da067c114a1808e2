"""Fire in combined_arms: who may fire at whom, at pieces that move too, and what a hit does in the middle of a move."""

from fractions import Fraction

import numpy as np
import pytest
from arms_games import arms_game, piece

from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import NoPose, Pose


def game(*units, **settings):
    """A game in which the first piece has the initiative."""
    return arms_game(*units, data={"initiative": tuple(unit.id for unit in units)}, **settings)


def gun(name="G", at=(0, 20), side="blue", **fields):
    return piece(name, "tracked", at, side, weapon_range=60, **fields)


def box(name, kind, middle, size, **attributes):
    height = attributes.pop("height", 0.0)
    return Piece(name, kind, rectangle(middle, size), height=height, attributes=attributes)


def kinds(happened):
    """What happened, but for turns and goes that begin and end."""
    of_clock = [event for event in happened.events if any(change.verb == "clock" for change in event.changes)]
    return [event.kind for event in happened.events if event not in of_clock and event.kind != "turn over"]


HIT, MISS = 12, 2


class TestWhoMayFire:
    def test_at_whom_and_from_where(self):
        """CA-97: at enemies that are seen, within range; a piece without a range leaves that to the players."""
        wall = box("hedge", "high_wall", (0, 10), (6, 1))
        shooter, target = piece("A", "grav", weapon_range=19), piece("B", "on_foot", (0, 20), "blue")
        here = game(shooter, target, piece("C", "on_foot", (5, 0)), terrain=(wall,))
        assert [breach.message for breach in here.breaches("A move: fire at B")] == [
            "B is 20 inches off",
            "A does not see B",
        ]
        assert list(here.breaches("A move: forward 15, fire at B")) != []
        assert [breach.message for breach in here.breaches("A move: forward 10, fire at C")] == ["C is not an enemy"]
        unarmed = game(piece("A", "grav"), target, terrain=(wall,))
        assert list(unarmed.breaches("A move: fire at B")) == []

    def test_where_the_shot_is_fired_counts(self):
        wall = box("hedge", "high_wall", (0, 10), (6, 1))
        here = game(piece("A", "grav", weapon_range=30), piece("B", "on_foot", (0, 20), "blue"), terrain=(wall,))
        assert list(here.breaches("A move: forward 8, fire at B")) == []
        assert [one.clause for one in here.breaches("A move: forward 4, fire at B")] == ["CA-97"]
        # Six inches up it looks over the wall.
        flyer = piece("A", "helicopter", weapon_range=30)
        above = game(flyer, piece("B", "on_foot", (0, 14), "blue"), terrain=(wall,))
        assert list(above.breaches("A move: climb 24, fire at B")) == []
        assert [one.clause for one in above.breaches("A move: climb 2, fire at B")] == ["CA-97"]

    def test_once_in_a_turn(self):
        """CA-98: one shot, and its promise."""
        here = game(piece("A", "grav", weapon_range=30), piece("B", "on_foot", (0, 20), "blue"))
        (breach,) = here.breaches("A move: fire at B, forward 2, fire at B")
        assert (breach.clause, breach.needed, breach.available) == ("CA-98", 2, 1)

    @pytest.mark.parametrize(("deep", "is_seen"), [(1.9, True), (2.1, False)])
    def test_vegetation_is_thick_beyond_two_inches(self, deep, is_seen):
        wood = box("wood", "vegetation", (0, 10), (6, deep))
        here = game(piece("A", "grav", weapon_range=30), piece("B", "on_foot", (0, 20), "blue"), terrain=(wood,))
        assert (not list(here.breaches("A move: fire at B"))) is is_seen

    def test_several_hedges_add_up_once(self):
        """Two of 1.5 inches hide a piece, two that lie on each other do not."""
        one, other = box("w1", "vegetation", (0, 8), (6, 1.5)), box("w2", "vegetation", (0, 12), (6, 1.5))
        same = box("w3", "vegetation", (0, 8), (4, 1.5))
        for hedges, count in (((one, other), 1), ((one, same), 0)):
            here = game(piece("A", "grav", weapon_range=30), piece("B", "on_foot", (0, 20), "blue"), terrain=hedges)
            assert len(list(here.breaches("A move: fire at B"))) == count

    def test_from_a_window(self):
        """The house that a piece is in does not hide it, the next one does."""
        house = box("house", "building", (0, 20), (6, 6))
        here = game(piece("A", "grav", weapon_range=30), piece("B", "on_foot", (0, 20), "blue"), terrain=(house,))
        assert list(here.breaches("A move: fire at B")) == []
        other = box("barn", "building", (0, 10), (6, 6))
        hidden = game(
            piece("A", "grav", weapon_range=30), piece("B", "on_foot", (0, 20), "blue"), terrain=(house, other)
        )
        assert len(list(hidden.breaches("A move: fire at B"))) == 1


class TestInterceptiveFire:
    def test_a_shot_along_a_leg(self):
        """CA-102: anywhere on the leg where it is seen; the amount is what is spent up to there."""
        here = game(piece("A", "grav"), gun())
        (found,) = here.foresee("A move: forward 20").interruptions
        assert (found.who, found.clause) == ("G", "CA-102")
        assert [(span.low, span.high) for span in found.spans] == [(0, 20)]
        happened = here.do("A move: forward 20", [10, "fast", MISS])
        (roll,) = [entry.question for entry in happened.answered if entry.question.kind == "roll"]
        assert (roll.needed, dict(roll.modifiers)) == (11, {"it is fast": 3, "A is slow": 1})
        assert kinds(happened) == ["moves", "fires", "is missed", "moves", "ends its move"]
        assert happened.ledger.total("inches") == 20

    def test_odds_change_with_the_amount(self):
        """CA-95, CA-101: stationary, slow, moderate, fast."""
        for at, needed in [(0, 7), (12, 8), (Fraction(25, 2), 9), (24, 9), (30, 10)]:
            happened = game(piece("A", "grav"), gun()).do("A move: forward 36", [at, "fast", MISS])
            (roll,) = [entry.question for entry in happened.answered if entry.question.kind == "roll"]
            assert roll.needed == needed + 3

    def test_only_where_it_is_seen(self):
        wall = box("block", "building", (10, 10), (6, 2))
        here = game(piece("A", "grav"), gun(at=(10, 20)), terrain=(wall,))
        (found,) = here.foresee("A move: forward 30").interruptions
        low, high = found.spans
        # Both outer corners of the block are 9 inches before the gun, and 20 inches lie behind them.
        assert (low.low, high.high) == (0, 30)
        assert float(low.high) == pytest.approx(10 - 3 * 20 / 9, abs=1e-4)
        assert float(high.low) == pytest.approx(10 + 3 * 20 / 9, abs=1e-4)

    def test_out_of_range(self):
        here = game(piece("A", "grav"), piece("G", "tracked", (0, 20), "blue", weapon_range=25))
        (found,) = here.foresee("A move: forward 30").interruptions
        (span,) = found.spans
        assert float(span.high) == pytest.approx(15, abs=1e-5)
        assert (
            game(piece("A", "grav"), piece("G", "tracked", (0, 20), "blue")).foresee("A move: forward 9").interruptions
            == ()
        )

    def test_while_it_turns(self):
        """Before the rotation is paid, or after."""
        here = game(piece("A", "grav"), gun())
        happened = here.do("A move: turn_left 90", ["before", "fast", HIT])
        assert kinds(happened) == ["fires", "is damaged", "turns", "ends its move"]
        assert happened.ledger.total("inches") == 8
        after = game(piece("A", "grav"), gun()).do("A move: turn_left 90", ["after", "fast", HIT])
        assert after.ledger.total("inches") == 12

    def test_popping_up(self):
        """E36, CA-116: 4 inches up, a shot, and down; at the top 4 inches are spent, which is slow."""
        wall = box("block", "building", (0, 2), (40, 2), height=3)
        here = game(piece("A", "grav"), gun(), terrain=(wall,))
        order = "A move: climb 4, fire at G, descend 4"
        up, down = here.foresee(order).interruptions
        # It appears over the wall of 3 inches, of which the gun sees the near edge 17 inches away.
        assert float(up.spans[0].low) == pytest.approx(3 * 20 / 17, abs=1e-3)
        happened = here.do(order, [None, 0, "fast", MISS])
        (roll,) = [entry.question for entry in happened.answered if entry.question.kind == "roll"]
        assert dict(roll.modifiers) == {"it is fast": 3, "A is slow": 1}
        assert down.who == "G"

    def test_once_a_turn_and_its_promise(self):
        """CA-98: who fires before its own move keeps to the band that it names."""
        here = game(piece("A", "grav"), gun(), piece("C", "grav", (0, -5)))
        here.do("A move: forward 5", [5, "slow", MISS])
        assert here.state.unit("G")["has_fired"]
        assert [breach.clause for breach in here.breaches("G move: forward 11")] == ["CA-98"]
        assert [breach.clause for breach in here.breaches("G move: fire at C")] == ["CA-98"]
        here.do("G move: forward 10")
        happened = here.do("C move: forward 5")
        assert happened.answered == ()
        assert not here.state.unit("G")["has_fired"]  # the turn is over

    def test_after_its_own_move_its_band_stands(self):
        here = game(gun(), piece("A", "grav", (0, 0), "red"))
        here.do("G move: forward 15")
        happened = here.do("A move: forward 10", [0, MISS])
        (roll,) = [entry.question for entry in happened.answered if entry.question.kind == "roll"]
        assert dict(roll.modifiers) == {"it is moderate": 2}


class TestDamageInMidMove:
    def test_what_is_left(self):
        """CA-92: 36 less a third leaves 24, of which 10 are spent."""
        for order, stops in (("forward 24", False), ("forward 24.5", True), ("forward 36", True)):
            here = game(piece("A", "grav"), gun())
            happened = here.do(f"A move: {order}", [10, "fast", HIT])
            assert ("stops" in kinds(happened)) is stops
            assert here.state.unit("A").place == (24, 0)
            assert here.state.unit("A")["damage_level"] == 1

    def test_dearer_before_and_cheaper_after(self):
        """CA-92: rotations that are paid stay paid, later ones go by the new rate."""
        here = game(piece("A", "grav"), gun())
        happened = here.do("A move: turn_left 45, forward 4, turn_right 90, forward 14", ["after", "fast", HIT])
        prices = [event.price[0].price for event in happened.events if event.price]
        assert prices == [6, 4, 8, 6]
        assert kinds(happened)[-2:] == ["stops", "ends its move"]

    def test_groups_keep_what_they_have_paid(self):
        """CA-46, CA-92: 90 degrees cost 8 now, of which 6 are paid; the second rotation by itself costs 4."""
        here = game(piece("A", "grav"), gun())
        happened = here.do("A move: turn_left 45, turn_left 45", ["after", "fast", HIT])
        assert [event.price[0].price for event in happened.events if event.price] == [6, 4]
        much = game(piece("A", "grav"), gun())
        happened = much.do("A move: turn_left 90, turn_left 90", ["after", "fast", HIT])
        # 180 degrees at 24 are 20, of which 12 are paid.
        assert [event.price[0].price for event in happened.events if event.price] == [12, 8]

    def test_a_rotation_that_it_cannot_pay_for_ends_its_move(self):
        here = game(piece("A", "grav"), gun())
        happened = here.do("A move: forward 20, turn_left 90, forward 4", [20, "fast", HIT])
        assert kinds(happened) == ["moves", "fires", "is damaged", "stops", "ends its move"]
        assert here.state.unit("A").place == (20, 0)

    def test_spent_already(self):
        """More than the new rate: it goes no farther."""
        here = game(piece("A", "grav"), gun())
        here.do("A move: forward 36", [30, "stationary", HIT])
        assert here.state.unit("A").place == (30, 0)

    def test_option_next_turn(self):
        """CA-92, option mid_move_damage."""
        here = game(piece("A", "grav"), gun(), options={"mid_move_damage": "next_turn"})
        here.do("A move: forward 36", [10, "fast", HIT])
        assert here.state.unit("A").place == (36, 0)
        assert (here.state.unit("A")["damage_level"], here.state.unit("A")["damage_to_come"]) == (0, 1)
        here.do("G move: forward 1")
        assert (here.state.unit("A")["damage_level"], here.state.unit("A")["damage_to_come"]) == (1, 0)
        assert next(iter(here.breaches("A move: forward 25"))).available == 24

    def test_infantry_is_gone(self):
        """CA-93."""
        here = game(piece("A", "on_foot"), gun(), piece("C", "on_foot", (5, 5)))
        happened = here.do("A move: forward 6", [3, "fast", HIT])
        assert kinds(happened) == ["moves", "fires", "is destroyed"]
        assert "A" not in here.state.units
        here.do("G move: forward 1")

    def test_a_weapon_loses_a_man(self):
        """CA-18: 3 inches are left to a short crew, of which 2 are spent."""
        here = game(piece("A", "crew_weapon", crew_required=3), gun())
        happened = here.do("A move: forward 6", [2, "fast", HIT])
        assert kinds(happened)[2:] == ["loses a crew member", "moves", "stops", "ends its move"]
        assert here.state.unit("A").place == (3, 0)
        assert here.state.unit("A")["crew_present"] == 2

    def test_a_rate_that_was_set_directly(self):
        """CA-91: a third of the original rate less."""
        here = game(piece("A", "grav", rate_current=22), gun())
        here.do("A move: forward 22", [4, "fast", HIT])
        assert here.state.unit("A")["rate_current"] == 10
        assert here.state.unit("A").place == (10, 0)

    def test_it_stops_where_it_may_stand(self):
        """A friend in the way is passed, but nobody ends on him."""
        friend = piece("F", "tracked", (24, 0), base=2)
        here = game(piece("A", "grav", base=1), gun(), friend)
        happened = here.do("A move: forward 36", [10, "fast", HIT])
        assert "stops" in kinds(happened)
        assert here.state.unit("A").place == pytest.approx((21, 0), abs=1e-6)
        assert list(here.faults) == []

    def test_those_who_have_to_land_come_down(self):
        """CA-92: beyond the new allowance if need be, and those inches count."""
        here = game(piece("A", "grav", can_hover=False), gun())
        happened = here.do("A move: climb 3, forward 30, descend 3", [None, 21, "fast", HIT])
        assert kinds(happened)[-2:] == ["changes altitude", "ends its move"]
        tank = here.state.unit("A")
        assert (tank.place, tank["altitude"], tank["spent_translation"]) == ((21, 0), 0, 27)

    def test_too_slow_to_board(self):
        """CA-121: what had a third left before the hit has none after it."""
        carrier = piece("T", "tracked", (13, 0), doors=((0, 0),))
        weapon = piece("A", "crew_weapon", (8, 0), crew_required=2)
        here = game(weapon, gun(), carrier)
        assert list(here.breaches("A move: forward 4, load T")) == []
        happened = here.do("A move: forward 4, load T", [1, "fast", HIT])
        assert kinds(happened)[-2:] == ["stops", "ends its move"]
        assert here.state.unit("A").carrier == ""


class TestFallingOutOfTheSky:
    def test_where_it_is(self):
        """E45, CA-87: down on the spot, nothing paid."""
        here = game(piece("A", "grav", altitude=3, damage_level=2), gun())
        happened = here.do("A move: forward 9", [4, "fast", HIT])
        assert kinds(happened)[-3:] == ["falls", "stops", "ends its move"]
        tank = here.state.unit("A")
        assert (tank.place, tank["altitude"], tank["spent_translation"]) == ((4, 0), 0, 4)
        assert [breach.clause for breach in here.breaches("A move: turn_left 45")][-1:] == ["CA-87"]

    def test_to_the_nearest_place_where_it_may_stand(self):
        wood = box("wood", "dense_vegetation", (4, 0), (6, 10), height=3)
        for base, off in ((None, 0.0), (1, 1.0), (((1, 0.5), (-1, 0.5), (-1, -0.5), (1, -0.5)), 1.0)):
            fields = {} if base is None else {"base": base}
            tank = piece("A", "grav", (-8, 0), altitude=3, damage_level=2, **fields)
            flyer = piece("G", "helicopter", (0, 20), "blue", weapon_range=60, altitude=10)
            here = game(tank, flyer, terrain=(wood,))
            here.do("A move: forward 11", [10.5, "fast", HIT])
            assert here.state.unit("A").place[0] == pytest.approx(1 - off, abs=0.02)
            assert list(here.faults) == []

    def test_from_the_next_turn_on(self):
        """By option damage counts next turn: it falls then."""
        tank = piece("A", "grav", altitude=3, damage_level=2)
        here = game(tank, gun(), options={"mid_move_damage": "next_turn"})
        here.do("A move: forward 9", [4, "fast", HIT])
        assert here.state.unit("A")["altitude"] == 3
        here.do("G move: forward 1")
        assert here.state.unit("A")["altitude"] == 0


class TestOwnFire:
    def test_what_a_shot_does(self):
        """CA-97, CA-99: the firer's band is that of the whole turn."""
        here = game(piece("A", "grav", weapon_range=40), piece("B", "on_foot", (10, 10), "blue", cover=2))
        happened = here.do("A move: forward 5, fire at B, forward 10", [HIT])
        (roll,) = [entry.question for entry in happened.answered]
        assert (roll.needed, dict(roll.modifiers)) == (11, {"it is moderate": 2, "cover": 2})
        assert kinds(happened) == ["moves", "fires", "is destroyed", "moves", "ends its move"]

    def test_who_stands_still_is_damaged_at_once(self):
        here = game(
            piece("A", "grav", weapon_range=40),
            piece("B", "grav", (10, 10), "blue"),
            options={"mid_move_damage": "next_turn"},
        )
        here.do("A move: fire at B", [HIT])
        assert here.state.unit("B")["damage_level"] == 1

    def test_a_shot_clears_the_way_of_an_overrun(self):
        """Who was shot is not run over any more, and costs nothing."""
        tank = piece("A", "tracked", armored=True, size_class=6, weapon_range=40)
        here = game(tank, piece("B", "on_foot", (10, 0), "blue"))
        order = "A move over B: forward 5, fire at B, forward 10"
        assert here.do(order, [MISS]).ledger.total("inches") == 17
        here = game(tank, piece("B", "on_foot", (10, 0), "blue"))
        happened = here.do(order, [HIT])
        assert happened.ledger.total("inches") == 15
        assert "overruns" not in kinds(happened)


class TestCertainReach:
    def test_as_far_as_a_damaged_piece_pays_at_the_prices_from_before(self):
        """CA-92: the hit may come at the very end."""
        reach = game(piece("A", "grav"), gun(at=(0, 30))).reach("A", hits=1)
        assert reach.cost_at((24, 0)) == 24
        assert reach.cost_at((24.1, 0)) is None
        assert reach.cost_at((0, 12)) == 24  # a turn for 12 of 36
        assert reach.cost_at((0, 12.1)) is None
        twice = game(piece("A", "grav"), gun(at=(0, 30))).reach("A", hits=2)
        assert (twice.cost_at((12, 0)), twice.cost_at((12.1, 0))) == (12, None)
        thrice = game(piece("A", "grav"), gun(at=(0, 30))).reach("A", hits=3)
        assert (thrice.cost_at((0, 0)), thrice.cost_at((0.1, 0))) == (0, None)

    def test_infantry_and_crews(self):
        """CA-93, CA-18."""
        trooper = game(piece("A", "on_foot"), gun()).reach("A", hits=1)
        assert (trooper.cost_at((0, 0)), trooper.cost_at((0.5, 0))) == (0, None)
        weapon = game(piece("A", "crew_weapon", crew_required=3), gun()).reach("A", hits=1)
        assert (weapon.cost_at((3, 0)), weapon.cost_at((3.1, 0))) == (3, None)

    def test_where_nobody_can_fire_all_of_it_is_certain(self):
        for others in ((), (piece("B", "tracked", (0, 20), "blue"),), (gun(has_fired=True),)):
            assert game(piece("A", "grav"), *others).reach("A", hits=1).cost_at((36, 0)) == 36

    def test_by_place_alone(self):
        reach = game(piece("A", "grav"), gun()).reach("A", hits=1)
        assert not reach.knows_headings
        with pytest.raises(NoPose):
            reach.cost_at(Pose((5, 0), 45))

    @pytest.mark.sampled
    @pytest.mark.parametrize("place", [(24, 0), (0, 12), (10, 8), (-6, 3), (4, -9)])
    @pytest.mark.parametrize("mobility", ["grav", "tracked"])
    def test_it_gets_there_whenever_it_is_hit(self, place, mobility):
        """Every moment of the way, at rotations before and after them."""
        terrain = (box("marsh", "soft_ground", (6, -6), (8, 8)), box("road", "road", (12, 0), (24, 2), paved=True))
        start = game(piece("A", mobility), gun(at=(0, 30)), terrain=terrain)
        reach = start.reach("A", hits=1)
        if reach.cost_at(place) is None:
            return
        (order,) = reach.orders_to(place)
        for number, element in enumerate(order.elements):
            inches = element.get("inches")
            moments = ["before", "after"] if inches is None else [0, inches / 2, inches]
            for moment in moments:
                here = game(piece("A", mobility), gun(at=(0, 30)), terrain=terrain)
                answers = [None] * number + [moment, "stationary", HIT]
                here.do(order, answers)
                assert here.state.unit("A").place == pytest.approx(place, abs=1e-5), (number, moment)


#: Movers by what a hit in mid-move does to them.
_SLOWED = {
    "grav": {"rate_original": 12},
    "tracked": {"damage_level": 1},
    "hover": {"rate_current": 20},
    "helicopter": {"rate_original": 18},
    "crew_weapon": {"crew_required": 3},
}


@pytest.mark.sampled
@pytest.mark.parametrize("mobility", _SLOWED)
@pytest.mark.parametrize("when", ["deduct_spent", "next_turn"])
def test_certain_reach_is_what_play_makes_of_a_hit(when, mobility):
    """CA-92, both values of the option: whoever is hit ends where reach with `hits` says, wherever it is hit."""
    dice = np.random.default_rng(sum(map(ord, mobility)))
    terrain = [
        box(f"t{number}", kind, dice.uniform(-8, 8, 2).round(1).tolist(), dice.uniform(1, 6, 2).round(1).tolist())
        for number, kind in enumerate(("soft_ground", "road", "vegetation"))
    ]

    def start():
        mover = piece("A", mobility, **_SLOWED[mobility])
        return game(mover, gun(at=(0, 45)), terrain=terrain, options={"mid_move_damage": when})

    whole, certain = start().reach("A"), start().reach("A", hits=1)
    lasts = when == "next_turn" and mobility != "crew_weapon"
    seen = 0
    for place in dice.uniform(-14, 14, (12, 2)).round(1).tolist():
        cost = certain.cost_at(tuple(place))
        if lasts:
            assert cost == whole.cost_at(tuple(place))
        if cost is None or seen >= 2:
            continue
        seen += 1
        (order,) = certain.orders_to(tuple(place))
        for number, element in enumerate(order.elements):
            inches = element.get("inches")
            for moment in ["before", "after"] if inches is None else [0, inches / 2, inches]:
                here = start()
                here.do(order, [None] * number + [moment, "stationary", HIT])
                assert here.state.unit("A").place == pytest.approx(place, abs=1e-5), (number, moment)


def test_all_is_sure_where_a_hit_slows_later():
    """CA-92, option mid_move_damage: the areas by chance are one."""
    reach = game(piece("A", "grav", rate_original=12), gun(), options={"mid_move_damage": "next_turn"})
    assert [chance for chance, _ in reach.reach("A", chances=True).chance_bands()] == [1]


def test_an_account_says_when_the_damage_counts():
    """CA-92, option mid_move_damage: a hit in mid-move slows the piece later."""
    here = game(piece("A", "grav"), gun(), options={"mid_move_damage": "next_turn"})
    happened = here.do("A move: forward 36", [10, "fast", HIT])
    assert [str(event) for event in happened.events if "is hit" in str(event)] == [
        "A is hit by G: it is slower from the next turn on at 10,0 (CA-92)"
    ]
