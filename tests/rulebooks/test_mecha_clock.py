"""The turn of mecha: who has a go in which phase, whose go continues, and what is forgotten when."""

import pytest
from mecha_games import mecha_game, unit

from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.mecha import RULESET

FOE = unit("B", "walker", (20, 0), "blue")
#: What a turn leaves behind, on a unit.
USED = {
    "acted_1": "standard",
    "acted_2": "standard",
    "ap_spent": 2,
    "free_turned": 40,
    "pinned": True,
    "fell_this_turn": True,
    "no_weapons_this_turn": True,
    "used_weapons": True,
    "lock": "entered",
}


def at_phase(game, name):
    """The table in one of its phases."""
    (number,) = (at for at, phase in enumerate(game.table.clock.phases) if phase.name == name)
    return type(game.table)(game.setting, game.state.put(clock=game.table.clock.put({"number": number})))


def after(one, passes, **options):
    """A unit once all have passed so often: at the end of movement_1, and then at that of the turn."""
    game = mecha_game(one, FOE, options=options)
    for _ in range(passes):
        game.do("all done")
    assert (game.table.clock.turn, game.table.clock.phase.name) == [(1, "movement_2"), (2, "movement_1")][passes - 1]
    return game.table.unit("A")


class TestGoes:
    def more(self, phase="movement_1", mobility="walker", place=(0, 0), **fields):
        """Whether the go of a unit continues."""
        carrier = unit("C", "track", (0, 6), slots=2, size_class=4)
        game = mecha_game(unit("A", mobility, place, **fields), FOE, carrier)
        table = at_phase(game, phase)
        return RULESET.clock.has_more(table, table.unit("A"))

    @pytest.mark.parametrize(("phase", "field"), [("movement_1", "acted_1"), ("movement_2", "acted_2")])
    def test_its_move_action_or_its_free_turn_is_to_come(self, phase, field):
        """ME-2, ME-34, ME-35: in each movement phase."""
        assert self.more(phase)
        assert self.more(phase, "track")
        assert self.more(phase, **{field: "standard"})
        assert self.more(phase, free_turned=90)
        assert not self.more(phase, "track", **{field: "standard"})
        assert not self.more(phase, free_turned=90, **{field: "standard"})

    def test_what_it_did_in_the_first_phase_is_nothing_of_the_second(self):
        """ME-2."""
        assert self.more("movement_2", "track", acted_1="standard")
        assert self.more("movement_1", "track", acted_2="standard")

    @pytest.mark.parametrize("phase", ["attack_1", "attack_2"])
    def test_in_no_other_phase(self, phase):
        """ME-1."""
        assert not self.more(phase)

    def test_who_fell_is_done(self):
        """ME-94: it can make no action for the rest of that turn, and no free turn."""
        assert not self.more(fallen=True, fell_this_turn=True)
        assert self.more(fallen=True)

    def test_who_is_aboard_may_exit_and_turns_not(self):
        """ME-35, ME-82."""
        aboard = {"place": None, "carrier": "C", "size_class": 1}
        assert self.more(**aboard)
        assert not self.more(**aboard, acted_1="exit_unit")

    def test_who_has_a_go(self):
        """ME-82: whoever stands on the table or is aboard a carrier."""
        aboard = unit("A", "infantry", None, carrier="C", size_class=0)
        game = mecha_game(aboard, unit("O", "walker", None), unit("C", "track", (0, 6), slots=2, size_class=4), FOE)
        found = [RULESET.clock.can_act(game.table, game.table.unit(name)) for name in ("A", "O", "C")]
        assert found == [True, False, True]

    def test_phases_in_which_units_go(self):
        """ME-1: those of the option, the movement phases for anybody, the others for nobody."""
        table = mecha_game(FOE, options={"phase_list": ("movement_1", "shooting", "movement_2")}).table
        found = RULESET.clock.turn_phases(table)
        assert [(one.name, one.order, one.clause) for one in found] == [
            ("movement_1", "any", "ME-1"),
            ("shooting", "nobody", "ME-1"),
            ("movement_2", "any", "ME-1"),
        ]


class TestWhatIsForgotten:
    @pytest.mark.parametrize(("per", "left"), [("phase", 0), ("turn", 40)])
    def test_free_turns_come_back_with_the_phase(self, per, left):
        """ME-34, option free_turn_per."""
        assert after(unit("A", "walker", free_turned=40), 1, free_turn_per=per)["free_turned"] == left
        assert after(unit("A", "walker", free_turned=40), 2, free_turn_per=per)["free_turned"] == 0

    @pytest.mark.parametrize(("scope", "left"), [("phase", ""), ("turn", "exited")])
    def test_carriers_act_again_in_the_next_phase(self, scope, left):
        """ME-76, ME-85, option carrier_lock_scope."""
        assert after(unit("A", "track", lock="exited"), 1, carrier_lock_scope=scope)["lock"] == left
        assert after(unit("A", "track", lock="exited"), 2, carrier_lock_scope=scope)["lock"] == ""

    def test_with_no_phase_between_the_two(self):
        """ME-1, ME-34, ME-76: it is the end of the movement phase that counts."""
        one = unit("A", "walker", free_turned=40, lock="exited")
        found = after(one, 1, phase_list=("movement_1", "movement_2"))
        assert (found["free_turned"], found["lock"]) == (0, "")

    @pytest.mark.parametrize("name", sorted(set(USED) - {"free_turned", "lock"}))
    def test_what_lasts_to_the_end_of_the_turn(self, name):
        """ME-2, ME-7, ME-48, ME-53, ME-61, ME-94: the next phase forgets none of it."""
        one = unit("A", "walker", **{name: USED[name]})
        assert after(one, 1)[name] == USED[name]
        assert after(one, 2)[name] == unit("A", "walker")[name]

    @pytest.mark.parametrize("expiry", ["next_attack", "end_of_turn"])
    def test_a_charge_counts_until_the_next_attack(self, expiry):
        """ME-90, option charge_expiry: it may come in a later turn."""
        one = unit("A", "walker", charge_target="B")
        assert after(one, 1, charge_expiry=expiry)["charge_target"] == "B"
        assert after(one, 2, charge_expiry=expiry)["charge_target"] == ("B" if expiry == "next_attack" else "")

    def test_who_has_fallen_stays_so(self):
        """ME-95: until it straightens up."""
        assert after(unit("A", "walker", fallen=True), 2)["fallen"]

    def test_why_it_is_forgotten(self):
        """ME-1, ME-34, ME-76: each event names its clause."""
        game = mecha_game(unit("A", "walker", free_turned=40), unit("C", "track", (0, 6), lock="entered"), FOE)
        events = [
            (event.kind, event.unit, event.clause)
            for event in game.do("all done").events
            if event.kind in ("phase over", "turn over") and event.unit in ("A", "C")
        ]
        assert events == [("phase over", "A", "ME-34"), ("phase over", "C", "ME-76")]


class TestPlayedAttackPhases:
    """ME-1, option attack_phases: the other phases wait, so that what happens in them belongs to their turn."""

    KEEP = Piece("keep", "building", rectangle((0, 0), (8, 8)), "elevated", 4)

    def played(self, *units, **options):
        return mecha_game(*units, terrain=(self.KEEP,), options={"attack_phases": "played", **options})

    def at(self, game):
        """The moment of a game."""
        return game.table.clock.turn, game.table.clock.phase.name

    @pytest.mark.parametrize(
        "names", [("movement_1", "attack_1", "movement_2", "attack_2"), ("a", "movement_1", "b", "c", "movement_2")]
    )
    def test_each_phase_waits_until_all_are_done(self, names):
        game = self.played(unit("A", "track", (20, 9)), FOE, phase_list=names)
        for turn in (1, 2):
            for name in names:
                assert self.at(game) == (turn, name)
                game.do("all done")

    def test_nobody_moves_in_them(self):
        """ME-2, ME-35."""
        game = self.played(unit("A", "walker", (20, 9)), FOE)
        game.do("all done")
        assert self.at(game) == (1, "attack_1")
        for order, cited in (("A standard: forward 1", "ME-2"), ("A free_turn: turn_left 10", "ME-35")):
            assert cited in [one.clause for one in game.breaches(order)]
        assert game.reach("A", "standard").area.is_empty

    @pytest.mark.parametrize("expiry", ["next_attack", "end_of_turn"])
    def test_the_last_charge_of_a_turn(self, expiry):
        """ME-89, ME-90, option charge_expiry: the attack may follow in the attack phase of the turn."""
        game = self.played(
            unit("A", "track", (20, 10), heading=90), unit("B", "track", (20, 20), "blue"), charge_expiry=expiry
        )
        for _ in range(2):
            game.do("all done")
        game.do("B done")
        game.do("A charge B: forward 9")
        assert self.at(game) == (1, "attack_2")
        (found,) = game.branch().do("A attack B with melee").events
        assert (found.clause, found.detail["melee"]) == ("ME-89", 2)
        game.do("all done")
        assert game.table.unit("A")["charge_target"] == ("B" if expiry == "next_attack" else "")

    def test_the_last_climb_of_a_turn(self):
        """ME-53: no weapon is used that turn, in its last attack phase either."""
        game = self.played(unit("A", "walker", (-4.5, 0)), FOE)
        for _ in range(2):
            game.do("all done")
        for order in ("B done", "A free_turn: turn_left 10", "A climb keep"):
            game.do(order)
        assert self.at(game) == (1, "attack_2")
        assert [one.clause for one in game.breaches("A attack B with shooting")] == ["ME-53"]
        game.do("all done")
        assert not list(game.breaches("A attack B with shooting"))

    def test_pushed_off_in_an_attack_phase(self):
        """ME-94, ME-95: it does nothing more that turn, and straightens up in the next one."""
        game = self.played(unit("A", "walker", (-3, 0), level="keep"), FOE)
        for _ in range(3):
            game.do("all done")
        assert self.at(game) == (1, "attack_2")
        happened = game.do("A pushed toward 180 by 2")
        while happened.question is not None:
            happened = game.answer(5)
        assert [one.clause for one in game.breaches("A attack B with ram")] == ["ME-94"]
        game.do("all done")
        assert self.at(game) == (2, "movement_1")
        assert "ME-95" in [one.clause for one in game.breaches("A standard: forward 1")]
        assert not list(game.breaches("A straighten_up"))

    @pytest.mark.parametrize("phases", [["movement_1", "movement_2"], ["movement_1", "a", "b", "movement_2", "c"]])
    @pytest.mark.parametrize("mobility", ["walker", "track"])
    def test_orders_of_both_movement_phases_let_the_others_pass(self, mobility, phases):
        """ME-1: those by which reach over a turn leads somewhere."""
        game = self.played(unit("A", mobility, (-10, 12), heading=90), FOE, phase_list=phases)
        reach = game.reach("A", "turn")
        for place in ((-10, 23.5), (-2, 14), (-12, 5)):
            there = game.branch()
            for order in reach.orders_to(place):
                there.do(order)
            assert there.table.unit("A").place == pytest.approx(place, abs=1e-4)

    @pytest.mark.parametrize("waiting", ["a", "b", "c", "d", "e"])
    def test_a_turn_asked_about_in_another_phase(self, waiting):
        """ME-1: the movement phases that are still to come belong to it."""
        names = ("a", "b", "movement_1", "c", "d", "movement_2", "e")
        game = self.played(unit("A", "walker", (-10, 12), heading=90), FOE, phase_list=names)
        while self.at(game)[1] != waiting:
            game.do("all done")
        reach, later = game.reach("A", "turn"), game.branch()
        while not self.at(later)[1].startswith("movement"):
            later.do("all done")
        expected = later.reach("A", "turn")
        for place in ((-10, 12), (-10, 17.5), (-10, 23.5), (-2, 14)):
            cost = expected.cost_at(place) if waiting != "e" else 0 if place == (-10, 12) else None
            assert reach.cost_at(place) == cost
            if cost:
                there = game.branch()
                for order in reach.orders_to(place):
                    there.do(order)
                assert there.table.unit("A").place == pytest.approx(place, abs=1e-4)
