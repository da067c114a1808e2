"""Turns of combined_arms: who may act, in which order, and what is forgotten when a turn ends."""

import pytest
from arms_games import arms_game, piece

from simulator.engine.events import applied
from simulator.rulesets.combined_arms import RULESET
from simulator.rulesets.combined_arms.clock import MoveClock

DISTANCE = {"speed_band_basis": "distance_moved"}
CLOCK = MoveClock()
#: What a piece has done in a turn, and how it begins the next.
DONE = {
    "has_moved": (True, False),
    "spent_translation": (8, 0),
    "spent_rotation": (6, 0),
    "declared_band": ("slow", ""),
    "has_fired": (True, False),
    "busy_until": (1, 0),
}


def ends(*units, **settings):
    """What happens at the end of a turn, and the units after it."""
    table = arms_game(*units, **settings).table
    happened = []
    for event in CLOCK.turn_ends(table):
        happened.append(event)
        table.state = applied(table.state, event)
    return happened, table.state


class TestOrder:
    """CA-7: by sides, or as the table was given it."""

    def test_who_is_named_comes_first_and_the_rest_after(self):
        units = [piece(name, "on_foot", (0, 5 * at)) for at, name in enumerate("ABCD")]
        table = arms_game(*units, data={"initiative": ("C", "A")}).table
        (phase,) = CLOCK.turn_phases(table)
        assert (phase.name, phase.order) == ("turn", "listed")
        assert CLOCK.line(table, phase) == ("C", "A", "B", "D")

    def test_else_the_sides_take_turns(self):
        (phase,) = CLOCK.turn_phases(arms_game(piece("A", "on_foot")).table)
        assert (phase.name, phase.order) == ("turn", "alternate")


class TestWhoCanAct:
    def can(self, unit, *others, turn=1):
        table = arms_game(unit, *others).table
        state = table.state.put(clock=table.clock.put({"turn": turn}))
        return CLOCK.can_act(type(table)(table.setting, state), unit)

    def test_who_stands_on_the_table(self):
        assert self.can(piece("A", "on_foot")) is True
        assert self.can(piece("A", "on_foot", None, left_board=True)) is False

    def test_who_is_aboard_while_its_transport_stands_there(self):
        """CA-118, CA-129."""
        man = piece("A", "on_foot", None, carrier="apc")
        assert self.can(man, piece("apc", "wheeled", (5, 5))) is True
        assert self.can(man, piece("apc", "wheeled", None, enters_on=2)) is False

    @pytest.mark.parametrize(("turn", "can"), [(1, False), (2, True), (3, True)])
    def test_who_is_due(self, turn, can):
        """CA-141, CA-142, CA-148."""
        assert self.can(piece("A", "on_foot", None, enters_on=2), turn=turn) is can


class TestEndOfATurn:
    def test_all_that_was_done_is_forgotten(self):
        """CA-2, CA-102: allowance that is left is lost."""
        unit = piece("A", "on_foot", transferred="loaded", **{name: done for name, (done, _) in DONE.items()})
        (event,), state = ends(unit, piece("B", "on_foot", (5, 5)))
        assert (event.kind, event.unit, event.clause) == ("turn over", "A", "CA-2")
        after = state.unit("A")
        assert {name: after[name] for name in DONE} == {name: fresh for name, (_, fresh) in DONE.items()}
        assert after["transferred"] == ""

    def test_a_transport_has_not_moved_then(self):
        """CA-121."""
        _, state = ends(piece("A", "wheeled", moved_until=2))
        assert state.unit("A")["moved_until"] == 0

    @pytest.mark.parametrize(("options", "covered"), [({}, 5), (DISTANCE, 0)])
    def test_inches_covered_where_bands_measure_them(self, options, covered):
        """CA-96."""
        _, state = ends(piece("A", "grav", has_moved=True, inches_covered=5, dearest_rotation=5), options=options)
        after = state.unit("A")
        assert (after["inches_covered"], after["dearest_rotation"], after["has_moved"]) == (covered, covered, False)

    @pytest.mark.parametrize(
        ("fields", "level", "rate"),
        [
            ({"damage_to_come": 1}, 1, None),
            ({"damage_to_come": 2, "damage_level": 1}, 3, None),
            ({"damage_to_come": 1, "rate_current": 30}, 0, 18),
        ],
    )
    def test_damage_that_waited_is_felt(self, fields, level, rate):
        """CA-92: mid_move_damage."""
        (event,), state = ends(piece("A", "grav", **fields))
        after = state.unit("A")
        assert (after["damage_level"], after["rate_current"], after["damage_to_come"]) == (level, rate, 0)
        assert (event.kind, event.clause) == ("turn over", "CA-2")

    def test_who_it_leaves_immobile_falls(self):
        """CA-87, CA-92."""
        happened, state = ends(piece("A", "grav", (3, 4), altitude=4, damage_level=2, damage_to_come=1))
        assert [event.kind for event in happened] == ["turn over", "falls"]
        assert (state.unit("A")["altitude"], state.unit("A").place) == (0, (3, 4))

    def test_of_those_who_did_nothing_nothing_is_told(self):
        assert ends(piece("A", "on_foot"), piece("B", "grav", (5, 5), altitude=4))[0] == []

    def test_the_clock_of_the_rulebook_is_this(self):
        assert isinstance(RULESET.clock, MoveClock)
