"""Carriers of mecha: whom they can take in, what room they have, and what keeps others from entering or leaving."""

from fractions import Fraction

import pytest
from mecha_games import mecha_game, unit

from simulator.engine.table import Setting, Table
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.table import InchTable
from simulator.rulesets.mecha import RULESET
from simulator.rulesets.mecha.capacity import (
    acted,
    cannot_enter,
    cannot_leave,
    misloaded,
    room_taken_by,
    slots_left,
)

FOE = unit("B", "walker", (20, 0), "blue")


def carrier(**fields):
    """A carrier at 0,6."""
    return unit(
        "C", "track", fields.pop("at", (0, 6)), fields.pop("side", "red"), **{"slots": 2, "size_class": 4, **fields}
    )


def aboard(name, kind="vehicle", **fields):
    """A unit aboard C."""
    mobility = "infantry" if kind == "infantry" else "track"
    return unit(name, mobility, None, kind=kind, carrier="C", size_class=1, **fields)


def entering(one, *others, name="C", terrain=(), **options):
    """Why A cannot enter a unit."""
    table = mecha_game(one, FOE, *others, terrain=terrain, options=options).table
    return list(cannot_enter(table, table.unit("A"), name))


def position(*units):
    """A table as a scenario may have it, faults and all."""
    board = InchTable("Test", 96, 96, (-48, -48), ground="flat_ground")
    setting = Setting.of(RULESET, board)
    return Table(setting, setting.opening(list(units)))


class TestRoom:
    def test_infantry_takes_half_a_slot(self):
        """ME-74."""
        kinds = [("infantry", "infantry"), ("track", "vehicle"), ("walker", "mecha"), ("static", "emplacement")]
        found = [room_taken_by(RULESET.tables, unit("A", mobility, kind=kind)) for mobility, kind in kinds]
        assert found == [Fraction(1, 2), 1, 1, 1]

    def test_what_is_left(self):
        """ME-74: only those aboard this carrier count."""
        table = mecha_game(carrier(slots=3), aboard("V"), aboard("I", "infantry"), FOE).table
        assert slots_left(table, table.unit("C")) == Fraction(3, 2)
        assert slots_left(table, table.unit("B")) == 0

    @pytest.mark.parametrize(
        ("slots", "kind", "needed", "left"),
        [(1, "vehicle", 1, 0), (Fraction(3, 2), "vehicle", 1, Fraction(1, 2)), (1, "infantry", Fraction(1, 2), 0)],
    )
    def test_too_little(self, slots, kind, needed, left):
        """ME-74: one vehicle is aboard."""
        mobility = "infantry" if kind == "infantry" else "track"
        (found,) = entering(unit("A", mobility, kind=kind, size_class=1), carrier(slots=slots), aboard("V"))
        assert (found.clause, found.blocker, found.needed, found.available) == ("ME-74", "C", needed, left)
        counts = [f"{float(one):g} slot{'' if one == 1 else 's'}" for one in (needed, left)]
        assert found.message == f"A takes {counts[0]}, C has {counts[1]} left"

    def test_just_enough(self):
        """ME-74."""
        assert entering(unit("A", "track"), carrier(), aboard("V")) == []
        assert entering(unit("A", "infantry"), carrier(slots=Fraction(3, 2)), aboard("V")) == []


class TestEntering:
    def test_a_friend_that_carries_such_units(self):
        """ME-74."""
        assert entering(unit("A", "walker"), carrier()) == []
        for refused in ({"slots": 0}, {"side": "blue"}, {"accepts": ("infantry", "vehicle")}):
            (found,) = entering(unit("A", "walker"), carrier(**refused))
            assert (found.clause, found.blocker) == ("ME-74", "C")

    def test_the_reasons_in_words(self):
        """ME-74."""
        told = [
            entering(unit("A", "walker"), carrier(**refused))[0].message
            for refused in ({"slots": 0}, {"side": "blue"}, {"accepts": ("infantry", "vehicle")}, {"accepts": ()})
        ]
        assert told == [
            "C is not a carrier",
            "C is an opposing unit",
            "C carries infantry, vehicle, no mecha",
            "C carries nobody, no mecha",
        ]

    def test_not_with_somebody_aboard(self):
        """ME-74, assumed: a carrier with somebody aboard cannot itself be carried."""
        rider = unit("V", "infantry", None, carrier="A", size_class=0)
        (found,) = entering(unit("A", "track", slots=1), carrier(), rider)
        assert (found.clause, found.message) == ("ME-74", "A carries somebody: it cannot itself be carried")

    def test_not_itself_and_not_who_is_not_there(self):
        """ME-74."""
        assert [one.clause for one in entering(unit("A", "track", slots=2), name="A")] == ["ME-74"]
        assert [one.blocker for one in entering(unit("A", "track"), name="X")] == ["X"]
        assert [one.blocker for one in entering(unit("A", "track"), carrier(), aboard("V", slots=2), name="V")] == ["V"]

    def test_on_its_level(self):
        """ME-73: it has to be in contact after the move."""
        keep = Piece("keep", "building", rectangle((0, 6), (6, 6)), "elevated", 4)
        (found,) = entering(unit("A", "walker"), carrier(level="keep"), terrain=(keep,))
        assert (found.clause, found.blocker, found.place) == ("ME-73", "C", (0, 6))
        assert entering(unit("A", "walker", (1.5, 6), level="keep"), carrier(level="keep"), terrain=(keep,)) == []

    def test_not_after_a_move_action_of_the_carrier(self):
        """ME-75: an unloading counts."""
        for done in ("standard", "unload"):
            (found,) = entering(unit("A", "walker"), carrier(acted_1=done))
            assert (found.clause, found.blocker) == ("ME-75", "C")
            assert f", {done}:" in found.message


class TestWhatTheCarrierDid:
    def done(self, phase, scope="phase", **fields):
        """Its Move Action that counts in a phase."""
        game = mecha_game(carrier(**fields), FOE, options={"carrier_lock_scope": scope})
        (number,) = (at for at, one in enumerate(game.table.clock.phases) if one.name == phase)
        table = type(game.table)(game.setting, game.state.put(clock=game.table.clock.put({"number": number})))
        return acted(table, table.unit("C"))

    def test_in_this_phase(self):
        """ME-75, ME-76, ME-84."""
        assert self.done("movement_1", acted_1="run") == "run"
        assert self.done("movement_2", acted_2="unload") == "unload"
        assert self.done("movement_2", acted_1="standard") == ""
        assert self.done("movement_1") == ""
        assert self.done("attack_1", acted_1="run", acted_2="run") == ""

    def test_or_in_this_turn(self):
        """ME-76, option carrier_lock_scope: the first of them is named."""
        assert self.done("movement_2", "turn", acted_1="standard") == "standard"
        assert self.done("movement_2", "turn", acted_1="standard", acted_2="unload") == "standard"
        assert self.done("attack_1", "turn", acted_1="run") == "run"
        assert self.done("movement_2", "turn", acted_2="unload") == "unload"
        assert self.done("movement_1", "turn") == ""


class TestLeaving:
    def reasons(self, *units):
        """Why A cannot leave."""
        table = position(*units, FOE)
        clock = table.clock.put({"phases": [("movement_1", "any", "ME-1")], "number": 0})
        table = Table(table.setting, table.state.put(clock=clock))
        return list(cannot_leave(table, table.unit("A")))

    def test_who_is_aboard_may(self):
        """ME-82."""
        assert self.reasons(aboard("A"), carrier()) == []

    def test_who_is_not(self):
        """ME-82."""
        (found,) = self.reasons(unit("A", "track"), carrier())
        assert (found.clause, found.message) == ("ME-82", "A is not aboard a carrier")

    def test_of_a_carrier_that_is_not_there(self):
        """ME-82."""
        (found,) = self.reasons(aboard("A"), carrier(at=None))
        assert (found.clause, found.blocker) == ("ME-82", "C")

    def test_not_after_a_move_action_of_the_carrier(self):
        """ME-84: an unloading counts."""
        (found,) = self.reasons(aboard("A"), carrier(acted_1="unload"))
        assert (found.clause, found.blocker, found.place) == ("ME-84", "C", (0, 6))
        assert ", unload:" in found.message


class TestPositions:
    def faults(self, *units):
        """What is wrong with those aboard C."""
        table = position(*units)
        return list(misloaded(table, table.unit("C")))

    def test_none(self):
        """ME-74."""
        assert self.faults(carrier()) == []
        assert self.faults(carrier(), aboard("V"), aboard("W")) == []
        assert self.faults(carrier(slots=0)) == []

    @pytest.mark.parametrize("refused", [{"accepts": ("infantry",)}, {"side": "blue"}])
    def test_whom_it_does_not_carry(self, refused):
        """ME-74: each of them is named."""
        found = self.faults(carrier(**refused), aboard("V"), aboard("W"))
        assert [(one.clause, one.blocker) for one in found] == [("ME-74", "V"), ("ME-74", "W")]
        assert found[0].message == "V is aboard C, which does not carry it"

    def test_no_carrier(self):
        """ME-74: and so it has no room for them."""
        found = self.faults(carrier(slots=0), aboard("V"))
        assert [(one.clause, one.blocker) for one in found] == [("ME-74", "V"), ("ME-74", "C")]

    def test_carriers_in_carriers(self):
        """ME-74: one with somebody aboard cannot be carried."""
        inner = aboard("V", slots=1)
        found = self.faults(carrier(), inner, unit("I", "infantry", None, carrier="V", size_class=0))
        assert [(one.clause, one.blocker) for one in found] == [("ME-74", "V")]
        assert found[0].message == "V is aboard C with others aboard itself"

    def test_with_a_place_of_their_own(self):
        """ME-86: they move along with the carrier."""
        found = self.faults(carrier(), unit("V", "track", (3, 3), carrier="C", size_class=1))
        assert [(one.clause, one.blocker) for one in found] == [("ME-86", "V")]

    def test_too_many(self):
        """ME-74: one vehicle more than there are slots."""
        (found,) = self.faults(carrier(), aboard("V"), aboard("W"), aboard("X", "infantry"))
        assert (found.clause, found.needed, found.available, found.blocker) == ("ME-74", Fraction(5, 2), 2, "C")
        assert found.message == "C has 2 slots, those aboard take 2.5"
