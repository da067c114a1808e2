"""Units of mecha: their data with the defaults, what values they take, and what follows from them."""

from fractions import Fraction

import pytest
from mecha_games import mecha_game, unit

from simulator.engine.errors import OptionError
from simulator.rulesets.mecha import RULESET
from simulator.rulesets.mecha.units import (
    KINDS,
    UNIT_TYPES,
    base_of,
    budget_of,
    is_enemy,
    mobility_of,
    others,
    placed,
)

#: The fields that go neither by the kind nor have to be said: default and clause.
FIELDS = {
    "base": (Fraction(1, 2), "ME-44"),
    "skills": ((), "ME-70"),
    "ap": (None, "ME-7"),
    "melee_ap_cost": (1, "ME-59"),
    "slots": (0, "ME-74"),
    "accepts": (KINDS, "ME-74"),
    "exits_anywhere": (False, "ME-83"),
    "carrier": ("", "ME-74"),
    "level": ("ground", "ME-106"),
    "acted_1": ("", "ME-2"),
    "acted_2": ("", "ME-2"),
    "ap_spent": (0, "ME-7"),
    "free_turned": (0, "ME-34"),
    "pinned": (False, "ME-61"),
    "fallen": (False, "ME-94"),
    "fell_this_turn": (False, "ME-94"),
    "charge_target": ("", "ME-89"),
    "no_weapons_this_turn": (False, "ME-53"),
    "used_weapons": (False, "ME-53"),
    "lock": ("", "ME-76"),
}


class TestData:
    @pytest.mark.parametrize(
        ("kind", "mobility", "free_hands"),
        [("mecha", "walker", 2), ("vehicle", "track", 0), ("infantry", "infantry", 2), ("emplacement", "static", 0)],
    )
    def test_defaults(self, kind, mobility, free_hands):
        """ME-11, ME-52: how it moves, and its hands, go by its kind; the rest is alike for all."""
        made = RULESET.make_unit("A", kind, "red", (0, 0), 0, size_class=2, move=6)
        assert (made["mobility"], made["free_hands"]) == (mobility, free_hands)
        fields = UNIT_TYPES[kind].fields
        assert fields.keys() == {"mobility", "size_class", "move", "free_hands", *FIELDS}
        for name, (default, clause) in FIELDS.items():
            assert (made[name], fields[name].clause) == (default, clause), name
        assert [fields[name].clause for name in ("mobility", "size_class", "move", "free_hands")] == [
            *("ME-11", "ME-42", "ME-6", "ME-52")
        ]
        assert UNIT_TYPES[kind].faces

    @pytest.mark.parametrize("missing", ["size_class", "move"])
    def test_what_has_to_be_said(self, missing):
        """ME-6, ME-42."""
        said = {"size_class": 2, "move": 6}
        del said[missing]
        with pytest.raises(OptionError, match=missing):
            RULESET.make_unit("A", "mecha", "red", (0, 0), 0, **said)

    @pytest.mark.parametrize(
        ("field", "known", "refused"),
        [
            ("mobility", ["hover", "four_legged_walker", "hexapod"], [3]),
            ("size_class", [0, 99], [-1, 100, 1.5]),
            ("move", [0, 2.5, 1000], [-1, 1001, "far"]),
            ("base", [0.25, 50], [0, -1, 51]),
            ("free_hands", [0, 99], [-1, 100, 1.5]),
            ("skills", [[], ["combat_manoeuvres"]], ["combat_manoeuvres", [1]]),
            ("ap", [None, 0, 1000], [-1, 1001, 1.5]),
            ("melee_ap_cost", [0, 1000], [-1, 1001, 1.5]),
            ("slots", [0, 1.5, 1000], [-1, 1001]),
            ("exits_anywhere", [True], ["yes"]),
            ("free_turned", [0, 22.5, 180], [-1, 181]),
            ("pinned", [True], [1]),
            ("lock", ["entered", "exited"], ["left"]),
            ("level", ["keep"], [3]),
        ],
    )
    def test_values(self, field, known, refused):
        """ME-7, ME-9, ME-11, ME-34, ME-42, ME-44, ME-52, ME-59, ME-70, ME-74, ME-83, ME-106."""
        said = {"size_class": 2, "move": 6}
        for value in known:
            made = RULESET.make_unit("A", "mecha", "red", (0, 0), 0, **{**said, field: value})
            assert made[field] == (tuple(value) if isinstance(value, list) else value)
        for value in refused:
            with pytest.raises(OptionError, match=field):
                RULESET.make_unit("A", "mecha", "red", (0, 0), 0, **{**said, field: value})


@pytest.mark.parametrize(
    ("action", "budget"),
    [
        *(("standard", 5), ("break_away", 5), ("jump", 5), ("run", 10), ("charge", 10), ("climb", 0)),
        *((half, Fraction(5, 2)) for half in ("manoeuvre", "enter_unit", "unload", "exit_unit")),
        ("straighten_up", 0),
    ],
)
def test_budgets(action, budget):
    """ME-6, ME-9: with a Move of 5; halves are kept."""
    table = mecha_game(unit("A", "walker", move=5)).table
    assert budget_of(table, table.unit("A"), action) == budget


def test_bases_and_others():
    """ME-44: discs; those who are aboard or off the table are in nobody's way."""
    truck, rider = unit("C", "track", (9, 9), base=2, slots=2, size_class=4), unit("V", "infantry", None, carrier="C")
    foe = unit("B", "walker", (3, 4), "blue", heading=90)
    table = mecha_game(unit("A", "walker"), foe, truck, rider).table
    assert [one.id for one in others(table, table.unit("A"))] == ["B", "C"]
    assert base_of(truck).radius == 2
    x, y, far_x, far_y = placed(foe).polygon.bounds
    assert ((x + far_x) / 2, (y + far_y) / 2) == pytest.approx((3, 4))
    assert (is_enemy(table.unit("A"), foe), is_enemy(table.unit("A"), truck)) == (True, False)
    assert mobility_of(truck) == "track"
