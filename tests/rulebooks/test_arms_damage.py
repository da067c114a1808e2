"""What a hit does in combined_arms, asked for directly: to vehicles, crews and infantry, on the ground and aloft."""

from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.engine.events import applied
from simulator.geometry.pieces import Piece, rectangle
from simulator.rulesets.combined_arms.damage import fallen, hit, lowered

NEXT_TURN = {"mid_move_damage": "next_turn"}


def table_with(unit, **settings):
    return arms_game(unit, **settings).table


def after(unit, levels=1):
    return lowered(table_with(unit), unit, levels)


class TestLowered:
    @pytest.mark.parametrize(
        ("rate", "levels", "left"), [(36, 1, 24), (36, 2, 12), (22, 1, 10), (22, 2, 0), (12, 1, 0)]
    )
    def test_a_rate_that_is_set_loses_thirds_of_the_undamaged_one(self, rate, levels, left):
        """CA-87, CA-91: a third of 36 is 12."""
        found = after(piece("A", "grav", rate_current=rate), levels)
        assert (found["rate_current"], found["damage_level"]) == (left, 0)
        assert type(found["rate_current"]) is int

    def test_else_its_level_rises(self):
        """CA-87."""
        found = after(piece("A", "grav", damage_level=1), 2)
        assert (found["rate_current"], found["damage_level"]) == (None, 3)

    @pytest.mark.parametrize(("crew", "levels", "left"), [(3, 1, 2), (3, 2, 1), (3, 3, 0), (1, 2, 0), (0, 1, 0)])
    def test_a_crew_loses_men(self, crew, levels, left):
        """CA-18, CA-93."""
        assert after(piece("A", "crew_weapon", crew_required=3, crew_present=crew), levels)["crew_present"] == left

    def test_infantry_is_gone(self):
        """CA-93: by one hit; by none it stands."""
        unit = piece("A", "on_foot")
        assert after(unit) is None
        assert after(unit, 0) is unit


class TestHits:
    """What is told of a hit, and what it changes."""

    @pytest.mark.parametrize(
        ("mobility", "kind", "clause", "fields"),
        [
            ("on_foot", "is destroyed", "CA-93", None),
            ("crew_weapon", "loses a crew member", "CA-18", {"crew_present": 2}),
            ("grav", "is damaged", "CA-87", {"damage_level": 1}),
        ],
    )
    @pytest.mark.parametrize(("options", "in_mid_move"), [({}, False), ({}, True), (NEXT_TURN, False)])
    def test_it_holds_at_once(self, mobility, kind, clause, fields, options, in_mid_move):
        """CA-18, CA-87, CA-93; by the option mid_move_damage only what happens in a move waits."""
        unit = piece("A", mobility, (3, 4), **({"crew_required": 3} if mobility == "crew_weapon" else {}))
        (event,) = hit(table_with(unit, options=options), "A", "G", in_mid_move=in_mid_move)
        assert (event.kind, event.unit, event.clause, event.place) == (kind, "A", clause, (3, 4))
        assert dict(event.detail) == {"by": "G"}
        state = applied(table_with(unit).state, event)
        if fields is None:
            assert "A" not in state.units
        else:
            assert {name: state.unit("A")[name] for name in fields} == fields

    def test_by_option_a_vehicle_is_slower_only_next_turn(self):
        """CA-92: mid_move_damage."""
        unit = piece("A", "grav", (3, 4), damage_to_come=1)
        table = table_with(unit, options=NEXT_TURN)
        (event,) = hit(table, "A", "G", in_mid_move=True)
        assert (event.kind, event.unit, event.clause, event.place) == ("is damaged for later", "A", "CA-92", (3, 4))
        assert dict(event.detail) == {"by": "G"}
        found = applied(table.state, event).unit("A")
        assert (found["damage_level"], found["damage_to_come"]) == (0, 2)


class TestFalls:
    """CA-87: who is immobile aloft comes down."""

    def falls(self, unit, **settings):
        return list(fallen(table_with(unit, **settings), "A"))

    def test_where_it_is(self):
        place = (Fraction(13, 4), Fraction(17, 4))
        (event,) = self.falls(piece("A", "grav", place, altitude=3, damage_level=3))
        assert (event.kind, event.unit, event.clause, event.place) == ("falls", "A", "CA-87", (3.25, 4.25))
        unit = piece("A", "grav", place, altitude=3, damage_level=3)
        down = applied(table_with(unit).state, event).unit("A")
        assert (down.place, down["altitude"]) == ((3.25, 4.25), 0)

    @pytest.mark.parametrize("fields", [{"altitude": 3}, {"altitude": 3, "damage_level": 2}, {"damage_level": 3}])
    def test_not_while_it_flies_nor_from_the_ground(self, fields):
        assert self.falls(piece("A", "grav", **fields)) == []

    @pytest.mark.parametrize("height", [1.0, 3.0])
    def test_beside_what_it_may_not_stand_in(self, height):
        """The nearest edge of a dense wood that it flew above, low as that may be."""
        wood = Piece("wood", "dense_vegetation", rectangle((0, 0), (8, 30)), height=height)
        (event,) = self.falls(piece("A", "grav", (3, 1), altitude=3, damage_level=3), terrain=(wood,))
        assert event.place == pytest.approx((4, 1))
