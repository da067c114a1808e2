"""Move Actions of mecha that may be declared, condition by condition, and who makes a free turn."""

from fractions import Fraction

import pytest
from mecha_games import mecha_game, unit

from simulator.engine.errors import OptionError
from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.mecha.declaring import (
    MOVE_ACTIONS,
    ap_left,
    ap_of,
    ap_taken,
    movement_phase,
    unable_to_turn,
    undeclarable,
    unskilled,
)

FOE = unit("B", "walker", (20, 0), "blue")
TOUCHING = unit("B", "walker", (1, 0), "blue")
CARRIER = unit("C", "track", (0, 6), slots=2, size_class=4)
#: Those of a unit that stands on its feet and carries nobody off.
USUAL = tuple(action for action in MOVE_ACTIONS if action != "straighten_up")
#: Those of a unit that is aboard nothing.
ON_TABLE = tuple(action for action in USUAL if action != "exit_unit")


def at_phase(game, name):
    """The table in one of its phases."""
    (number,) = (at for at, phase in enumerate(game.table.clock.phases) if phase.name == name)
    clock = game.table.clock.put({"number": number})
    return type(game.table)(game.setting, game.state.put(clock=clock))


def reasons(action, one, *others, phase="movement_1", terrain=(), **settings):
    """Why a unit cannot declare an action in a phase."""
    table = at_phase(mecha_game(one, FOE if not others else others[0], *others[1:], terrain=terrain, **settings), phase)
    return list(undeclarable(table, table.unit("A"), action))


def clauses(*asked, **more):
    """The clauses of these reasons."""
    return [one.clause for one in reasons(*asked, **more)]


class TestWhereAUnitIs:
    @pytest.mark.parametrize("action", USUAL)
    def test_aboard(self, action):
        """ME-86: it can only exit."""
        aboard = unit("A", "infantry", None, carrier="C")
        assert clauses(action, aboard, FOE, CARRIER) == ([] if action == "exit_unit" else ["ME-86"])

    def test_not_on_the_table(self):
        """ME-3: it has no place to move from."""
        assert clauses("standard", unit("A", "walker", None)) == ["ME-3"]


class TestFallen:
    @pytest.mark.parametrize("action", MOVE_ACTIONS)
    def test_nothing_in_the_turn_of_the_fall(self, action):
        """ME-94."""
        assert clauses(action, unit("A", "walker", fallen=True, fell_this_turn=True)) == ["ME-94"]

    @pytest.mark.parametrize("action", MOVE_ACTIONS)
    def test_then_it_straightens_up(self, action):
        """ME-95."""
        up = action == "straighten_up"
        assert clauses(action, unit("A", "walker", fallen=True)) == ([] if up else ["ME-95"])
        assert clauses(action, unit("A", "walker")) == (["ME-95"] if up else [])


class TestPhases:
    @pytest.mark.parametrize("phase", ["attack_1", "attack_2"])
    def test_only_in_movement_phases(self, phase):
        """ME-2."""
        assert clauses("standard", unit("A", "walker"), phase=phase) == ["ME-2"]

    def test_none_before_the_beginning(self):
        """ME-1, ME-2."""
        game = mecha_game(unit("A", "walker"))
        table = type(game.table)(game.setting, game.setting.opening([unit("A", "walker")]))
        assert movement_phase(table) == ""
        assert [one.clause for one in undeclarable(table, table.unit("A"), "standard")] == ["ME-2"]

    @pytest.mark.parametrize(
        ("name", "found"),
        [("movement_1", "movement_1"), ("attack_1", ""), ("movement_2", "movement_2"), ("attack_2", "")],
    )
    def test_which_it_is(self, name, found):
        """ME-1."""
        assert movement_phase(at_phase(mecha_game(unit("A", "walker"), FOE), name)) == found

    @pytest.mark.parametrize(("phase", "field"), [("movement_1", "acted_1"), ("movement_2", "acted_2")])
    def test_one_in_each(self, phase, field):
        """ME-2, ME-80: being unloaded counts as one."""
        (found,) = reasons("standard", unit("A", "walker", **{field: "manoeuvre"}), phase=phase)
        assert (found.clause, found.needed, found.available) == ("ME-2", 2, 1)
        assert "A has made a manoeuvre in" in found.message
        (found,) = reasons("standard", unit("A", "walker", **{field: "unloaded"}), phase=phase)
        assert found.clause == "ME-80"
        assert "A has been unloaded in" in found.message

    @pytest.mark.parametrize("action", USUAL)
    def test_nothing_after_a_run(self, action):
        """ME-48, ME-88, E17."""
        assert clauses(action, unit("A", "walker", acted_1="run"), phase="movement_2") == ["ME-48"]
        assert clauses(action, unit("A", "walker", acted_1="charge"), phase="movement_2") == ["ME-88"]

    @pytest.mark.parametrize("action", USUAL)
    def test_no_run_after_anything(self, action):
        """ME-49, ME-80, ME-88, E17."""
        barred = {"run": "ME-49", "charge": "ME-88"}.get(action)
        assert clauses(action, unit("A", "walker", acted_1="standard"), phase="movement_2") == [barred] * bool(barred)
        put = clauses(action, unit("A", "walker", acted_1="unloaded"), phase="movement_2")
        assert put == ["ME-80"] * bool(barred)
        assert clauses(action, unit("A", "walker"), phase="movement_2") == []

    @pytest.mark.parametrize("action", ["run", "charge"])
    def test_the_reason_tells_what_it_did(self, action):
        """ME-49, ME-80, ME-88."""
        for before, told in (("standard", "A made a standard in"), ("unloaded", "A was unloaded in")):
            (found,) = reasons(action, unit("A", "walker", acted_1=before), phase="movement_2")
            assert found.message.startswith(told)

    @pytest.mark.parametrize("option", ["flag_only", "half_move", "no_more_moves"])
    @pytest.mark.parametrize("pinned", [False, True])
    def test_pinned_for_good_by_option(self, option, pinned):
        """ME-61."""
        found = clauses("standard", unit("A", "walker", pinned=pinned), options={"pinning_effect": option})
        assert found == (["ME-61"] if pinned and option == "no_more_moves" else [])

    @pytest.mark.parametrize("action", USUAL)
    @pytest.mark.parametrize(("lock", "cited"), [("entered", "ME-76"), ("exited", "ME-85")])
    def test_a_carrier_that_was_entered_or_left_only_unloads(self, action, lock, cited):
        """ME-76, ME-85."""
        found = reasons(action, unit("A", "walker", lock=lock))
        assert [one.clause for one in found] == ([] if action == "unload" else [cited])
        told = "entered" if lock == "entered" else "left"
        assert all(one.message == f"A has been {told}: it can only unload" for one in found)


class TestActionPoints:
    @pytest.mark.parametrize(
        ("ap", "spent", "per_turn", "left"),
        [
            (None, 0, 4, 4),
            (None, 3, 4, 1),
            (None, 1, 2, 1),
            (1, 0, 4, 1),
            (5, 2, 4, 3),
            (0, 0, 4, 0),
            (3, 1, None, None),
        ],
    )
    def test_what_is_left(self, ap, spent, per_turn, left):
        """ME-7: its own AP, or those of the option, less what it has spent this turn; or none are tracked."""
        table = mecha_game(unit("A", "walker", ap=ap, ap_spent=spent), FOE, options={"ap_per_turn": per_turn}).table
        assert ap_left(table, table.unit("A")) == left

    @pytest.mark.parametrize("action", ["run", "climb", "charge", "standard", "jump", "exit_unit", "straighten_up"])
    def test_it_has_to_be_affordable(self, action):
        """ME-6, ME-7, E23."""
        needed = 2 if action in ("run", "climb", "charge") else 1
        one = {"fallen": True} if action == "straighten_up" else {}
        place, aboard = (None, {"carrier": "C"}) if action == "exit_unit" else ((0, 0), {})
        for ap in range(3):
            found = reasons(action, unit("A", "walker", place, ap=ap, **one, **aboard), FOE, CARRIER)
            assert [(one.clause, one.needed, one.available) for one in found] == [("ME-7", needed, ap)] * (ap < needed)
            assert not reasons(
                action, unit("A", "walker", place, ap=ap, **one, **aboard), FOE, CARRIER, options={"ap_per_turn": None}
            )

    @pytest.mark.parametrize("action", MOVE_ACTIONS)
    def test_prices_are_whole(self, action):
        """ME-6, ME-7: nobody has a part of an action point."""
        with pytest.raises(OptionError, match=rf"action\.{action}\.ap: expected a whole number"):
            mecha_game(unit("A", "walker"), FOE, tables={f"action.{action}.ap": Fraction(3, 2)})
        game = mecha_game(unit("A", "walker"), FOE, tables={f"action.{action}.ap": 3})
        assert ap_of(game.table, action) == 3

    @pytest.mark.parametrize("per_turn", ["1.5", 2.5, Fraction(1, 2)])
    def test_what_there_is_is_whole_too(self, per_turn):
        """ME-7, option ap_per_turn."""
        with pytest.raises(OptionError, match="ap_per_turn: expected a whole number"):
            mecha_game(unit("A", "walker"), FOE, options={"ap_per_turn": per_turn})

    @pytest.mark.parametrize(("per_turn", "taken"), [(4, 2), (None, 0)])
    def test_what_is_taken(self, per_turn, taken):
        """ME-7: nothing where AP are not tracked, whatever the action costs."""
        table = mecha_game(unit("A", "walker"), FOE, options={"ap_per_turn": per_turn}).table
        assert (ap_of(table, "run"), ap_taken(table, "run")) == (2, taken)


class TestContact:
    @pytest.mark.parametrize("action", ON_TABLE)
    def test_in_contact(self, action):
        """ME-8, ME-57, ME-86, E26: no carrier in contact unloads."""
        found = reasons(action, unit("A", "walker"), TOUCHING)
        cited = {"break_away": [], "manoeuvre": [], "unload": ["ME-86"]}.get(action, ["ME-8"])
        assert [one.clause for one in found] == cited
        assert all((one.blocker, one.place) == ("B", (1, 0)) for one in found)
        assert all(one.message.startswith("A is in base contact with B: ") for one in found)

    def test_getting_up_is_not_barred(self):
        """ME-8, ME-95: otherwise who has fallen in contact could never rise."""
        assert clauses("straighten_up", unit("A", "walker", fallen=True), TOUCHING) == []

    def test_an_exit_is_not_barred(self):
        """ME-86: who is aboard is in contact with nobody, whatever its carrier touches."""
        beside = unit("B", "walker", (0, 7), "blue")
        assert clauses("exit_unit", unit("A", "infantry", None, carrier="C"), beside, CARRIER) == []

    def test_friends_bar_nothing(self):
        """ME-8: opposing units do."""
        assert clauses("standard", unit("A", "walker"), FOE, unit("F", "walker", (1, 0))) == []


#: Ground on which no walker moves, by a changed table, and a keep.
PAD = Piece("pad", "rough", rectangle((0, 0), (4, 4)))
STILL = {"move_table.walker.rough": 0}


class TestUnitsThatNeverMove:
    @pytest.mark.parametrize("action", USUAL)
    def test_static_units(self, action):
        """ME-26: a nil standard or break_away and an unload they may declare."""
        found = clauses(action, unit("A", "static"))
        assert found == ([] if action in ("standard", "break_away", "unload") else ["ME-26"])
        assert clauses("straighten_up", unit("A", "static", fallen=True)) == []

    @pytest.mark.parametrize("action", ON_TABLE)
    def test_where_the_rate_is_nought(self, action):
        """ME-16: it may be set up there, and does not move there, even if something lets it move; ME-51 as well."""
        found = clauses(action, unit("A", "walker"), terrain=(PAD,), tables=STILL)
        assert found == ([] if action in ("standard", "break_away", "unload") else ["ME-16"])
        assert clauses(action, unit("A", "walker", (8, 0)), terrain=(PAD,), tables=STILL) == []

    def test_a_passenger_is_not_on_that_ground(self):
        """ME-16, ME-86."""
        aboard = unit("A", "walker", None, carrier="C", size_class=1)
        assert clauses("exit_unit", aboard, FOE, CARRIER, terrain=(PAD,), tables=STILL) == []

    @pytest.mark.parametrize(("top", "found"), [("flat_ground", []), ("rough", ["ME-16"])])
    def test_on_a_top_its_ground_counts(self, top, found):
        """ME-106: the top is flat ground unless data say otherwise, whatever lies beneath."""
        keep = Piece("keep", "building", rectangle((0, 0), (3, 3)), "elevated", 4, attributes={"top": top})
        one = unit("A", "walker", level="keep")
        assert clauses("run", one, terrain=(PAD, keep), tables=STILL) == found


@pytest.mark.parametrize(("skills", "found"), [([], ["ME-70"]), (["swimming"], ["ME-70"]), (["combat_manoeuvres"], [])])
def test_who_manoeuvres(skills, found):
    """ME-70."""
    assert [one.clause for one in unskilled(unit("A", "walker", skills=skills))] == found


class TestFreeTurns:
    def reasons(self, one, phase="movement_1", *others):
        """Why a unit cannot make its free turn."""
        table = at_phase(mecha_game(one, FOE, *others), phase)
        return [found.clause for found in unable_to_turn(table, table.unit("A"))]

    @pytest.mark.parametrize("phase", ["movement_1", "movement_2"])
    def test_in_either_movement_phase(self, phase):
        """ME-34, ME-35: also after a Move Action, and after a run."""
        assert self.reasons(unit("A", "walker"), phase) == []
        assert self.reasons(unit("A", "walker", acted_1="run", acted_2=""), phase) == []

    @pytest.mark.parametrize("phase", ["attack_1", "attack_2"])
    def test_in_no_other(self, phase):
        """ME-35."""
        assert self.reasons(unit("A", "walker"), phase) == ["ME-35"]

    def test_not_aboard_and_not_off_the_table(self):
        """ME-35: a carried unit may not."""
        assert self.reasons(unit("A", "walker", None, carrier="C"), "movement_1", CARRIER) == ["ME-35"]
        assert self.reasons(unit("A", "walker", None)) == ["ME-35"]

    def test_not_after_a_fall(self):
        """ME-35, ME-94."""
        assert self.reasons(unit("A", "walker", fallen=True)) == ["ME-35"]
        assert self.reasons(unit("A", "walker", fallen=True, fell_this_turn=True)) == ["ME-94"]
        assert self.reasons(unit("A", "walker", fell_this_turn=True)) == ["ME-94"]
