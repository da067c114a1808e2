"""Charges and runs in mecha: what they spend, where a charge ends, whom one can charge, and the attack after it."""

import math
from fractions import Fraction
from functools import cache

import numpy as np
import pytest
import shapely
from mecha_duels import clauses, enemy, game, played, unit

from simulator.engine.errors import IllegalOrder, UnreadableOrder, WrongQuestion
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose
from simulator.rulesets.mecha.charging import modifiers_of, no_target, targets


def field(*more, **options):
    """A unit with an enemy 9 inches ahead of its base, and room all round."""
    return game(unit("A"), enemy("B1", at=(34, 24)), *more, **options)


class TestLeastSpent:
    @pytest.mark.parametrize(
        ("order", "found"),
        [
            ("A run: forward 6", ["ME-50"]),
            ("A run: forward 6.5", []),
            ("A run: backward 6", []),
            ("A run: backward 6.5", ["ME-10"]),
            ("A run: turn_left 180 free 90, forward 5", []),
            ("A run: turn_left 90 free 90, forward 6", ["ME-50"]),
            ("A run: turn_left 180 free 90, forward 4", ["ME-50"]),
        ],
    )
    def test_a_run_spends_more_than_the_move(self, order, found):
        """ME-46, ME-47, ME-50, E16: 6 illegal, 6.5 and 12 legal, 12.5 illegal; paid turns count, free ones do not."""
        here = game(unit("A"))
        assert clauses(here.breaches(order)) == found
        if found == ["ME-50"]:
            (one,) = here.breaches(order)
            assert one.needed == 6
            assert one.available <= 6

    def test_a_run_that_is_too_short_is_told_what_it_costs(self):
        (one,) = game(unit("A")).breaches("A run: forward 4")
        assert (one.needed, one.available) == (6, 4)
        assert one.message == "the move costs 4 mp, it has to cost more than 6 mp"

    @pytest.mark.parametrize(
        ("option", "near", "far"), [("spent", ["ME-50"], []), ("displacement", ["ME-50"], []), ("none", [], [])]
    )
    def test_run_minimum(self, option, near, far):
        here = game(unit("A"), run_minimum=option)
        assert clauses(here.breaches("A run: forward 5")) == near
        assert clauses(here.breaches("A run: forward 7")) == far

    def test_displacement_is_the_straight_line(self):
        """There and back again spends enough, and gets nowhere."""
        order = "A run: forward 3, turn_left 180 free 90, forward 5"
        for option, found in (("spent", []), ("displacement", ["ME-50"]), ("none", [])):
            here = game(unit("A"), run_minimum=option)
            assert clauses(here.breaches(order)) == found
            reach = here.reach("A", "run")
            assert (reach.cost_at((22, 24)) is None) == bool(found)
            assert reach.area.distance(shapely.Point(24.5, 24)) > 5 if found else reach.cost_at((24.5, 24))
        (one,) = game(unit("A"), run_minimum="displacement").breaches(order)
        assert (one.needed, one.available) == (6, 2)

    @pytest.mark.parametrize(("option", "found"), [("as_run", ["ME-88"]), ("none", [])])
    def test_charge_minimum(self, option, found):
        """ME-88: by default a charge spends more than the Move, too."""
        here = game(unit("A"), enemy("B1", at=(29, 24)), charge_minimum=option)
        assert clauses(here.breaches("A charge B1: forward 4")) == found
        cost = here.reach("A", "charge", target="B1").cost_at((28, 24))
        assert cost == (4 if option == "none" else 6.5)

    def test_charge_minimum_is_that_of_a_run(self):
        here = game(unit("A"), enemy("B1", at=(29, 24)), run_minimum="displacement")
        assert clauses(here.breaches("A charge B1: backward 1, forward 5")) == ["ME-88"]
        assert list(field(run_minimum="displacement").breaches("A charge B1: forward 9")) == []


class TestWhereItEnds:
    def test_in_contact_with_its_target(self):
        """ME-87."""
        here = field()
        assert list(here.breaches("A charge B1: forward 9")) == []
        (found,) = here.breaches("A charge B1: forward 8.5")
        assert (found.clause, found.blocker) == ("ME-87", "B1")

    def test_a_target_is_an_opposing_unit_on_the_table(self):
        """ME-88."""
        here = field(unit("A2", at=(24, 33)))
        (found,) = here.breaches("A charge A2: forward 8")
        assert (found.clause, found.blocker) == ("ME-88", "A2")
        with pytest.raises(UnreadableOrder):
            here.do("A charge B9: forward 8")

    # Long: places all round a target are searched; what the judge says of charges is tried beside it.
    @pytest.mark.long
    def test_the_places_round_the_target_are_told_and_can_be_ordered(self):
        """All of the line lies within the tolerance, and every place of it can be ordered as it is told."""
        here = field(enemy("B2", at=(34, 25.5)))
        reach = here.reach("A", "charge", target="B1")
        assert reach.area.area == 0
        dice = np.random.default_rng(3)
        lines = list(shapely.get_parts(reach.area))
        spots = [line.interpolate(dice.uniform(0, line.length)).coords[0] for line in lines for _ in range(12)]
        spots += [coordinate for line in lines for coordinate in (line.coords[0], line.coords[-1])]
        for spot in spots:
            place = tuple(round(one, 4) for one in spot)
            assert abs(math.dist(place, (34, 24)) - 1) <= 0.01
            if reach.cost_at(place) is None:
                # Rounding leads just off the end of a line.
                assert min(math.dist(place, end) for line in lines for end in (line.coords[0], line.coords[-1])) < 1e-3
                continue
            (order,) = reach.orders_to(place)
            assert list(here.breaches(order)) == []
            there = here.branch()
            happened = played(there, order)
            assert there.state.unit("A").place == pytest.approx(place, abs=1e-4)
            assert float(happened.ledger.total("mp")) == pytest.approx(reach.cost_at(place), abs=1e-4)
            assert there.state.unit("A")["charge_target"] == "B1"

    def test_a_goal_that_is_refused_is_told_with_the_target(self):
        with pytest.raises(IllegalOrder, match="the rules forbid: A charge B1 to 20,20\n"):
            field().do("A charge B1 to 20,20")

    def test_and_the_headings(self):
        reach = field().reach("A", "charge", target="B1")
        for one in reach.headings_at((33, 24)):
            (order,) = reach.orders_to(Pose((33, 24), one.middle))
            assert list(field().breaches(order)) == []

    # Long: places all round a target are searched; what the judge says of charges is tried beside it.
    @pytest.mark.long
    def test_why_not(self):
        here = field(enemy("B2", at=(34, 40)))
        why = here.reach("A", "charge", target="B1").why_not((30, 24))
        assert [(one.clause, one.blocker) for one in why.reasons] == [("ME-87", "B1")]
        far = here.reach("A", "charge", target="B2").why_not((34, 39))
        assert far.reasons[0].clause == "ME-10"
        assert far.reasons[0].available == 12


def crowd():
    """A game with enemies near and far, for a unit that charges 8 inches at most."""
    enemies = {"B1": (31, 24), "B2": (24, 29), "B3": (3, 3), "B4": (24, 30.4)}
    return game(unit("A", move=4), unit("A2", at=(21, 21)), *(enemy(name, at=at) for name, at in enemies.items()))


@cache
def charges_in_the_crowd(target=None):
    """What A can charge there, or how one enemy."""
    return crowd().reach("A", "charge", **({"target": target} if target else {}))


class TestWhoCanBeCharged:
    @pytest.mark.long
    def test_all_from_here_with_the_places(self):
        reach = charges_in_the_crowd()
        assert sorted(reach.targets) == ["B1", "B2", "B4"]
        for name, places in reach.targets.items():
            alone = charges_in_the_crowd(name)
            assert places.equals(alone.area)
            assert places.length > 0.5
        assert reach.area.length == pytest.approx(sum(one.length for one in reach.targets.values()), abs=0.05)

    @pytest.mark.long
    def test_costs_orders_and_headings_are_those_of_the_cheapest(self):
        here, reach = crowd(), charges_in_the_crowd()
        for place, target in (((30, 24), "B1"), ((24, 28), "B2")):
            assert reach.target_at(place) == target
            assert reach.cost_at(place) == charges_in_the_crowd(target).cost_at(place)
            (order,) = reach.orders_to(place)
            assert order["target"] == target
            assert list(here.breaches(order)) == []
            assert reach.headings_at(place) == charges_in_the_crowd(target).headings_at(place)
        assert reach.bands()
        assert reach.cost_at((30, 30)) is None

    # Long: places all round a target are searched; what the judge says of charges is tried beside it.
    @pytest.mark.long
    def test_why_not_tells_of_the_nearest(self):
        here = game(unit("A", move=2), enemy("B1", at=(27.5, 24)), enemy("B2", at=(24, 27.5)))
        reach = here.reach("A", "charge")
        assert [one.blocker for one in reach.why_not((25.5, 24)).reasons] == ["B1"]
        assert [one.blocker for one in reach.why_not((24, 25.5)).reasons] == ["B2"]

    def test_nobody_where_it_cannot_charge_at_all(self):
        here = crowd()
        here.do("A standard: forward 1")
        here.do("all done")
        reach = here.reach("A", "charge")
        assert reach.targets == {}
        assert clauses(reach.why_not((33, 24)).reasons) == ["ME-88"]
        alone = game(unit("A"))
        assert clauses(alone.reach("A", "charge").why_not((30, 24)).reasons) == ["ME-88"]

    def test_a_target_has_to_be_a_unit(self):
        with pytest.raises(WrongQuestion):
            crowd().reach("A", "charge", target="B9")


class TestTheAttackAfterIt:
    """ME-89, ME-90, E25."""

    def charged(self, **options):
        here = field(enemy("B2", at=(10, 10)), **options)
        played(here, "A charge B1: forward 9")
        return here

    def attack(self, here, text):
        (event,) = [one for one in here.do(text).events if one.kind == "attacks"]
        return {name: event.detail[name] for name in ("melee", "ranged") if name in event.detail}, event.clause

    @pytest.mark.parametrize(
        ("text", "found", "cited"),
        [
            ("A attack B1 with melee", {"melee": 2}, "ME-89"),
            ("A attack B1 with ram", {"melee": 2}, "ME-89"),
            ("A attack B1 with shooting", {"melee": -2, "ranged": -2}, "ME-90"),
            ("A attack B2 with melee", {"melee": -2, "ranged": -2}, "ME-90"),
            ("A attack with shooting", {"melee": -2, "ranged": -2}, "ME-90"),
        ],
    )
    def test_the_next_attack_and_no_other_is_modified(self, text, found, cited):
        here = self.charged()
        assert self.attack(here, text) == (found, cited)
        assert self.attack(here, "A attack B1 with melee")[0] == {}

    @pytest.mark.parametrize(("option", "found"), [("next_attack", {"melee": 2}), ("end_of_turn", {})])
    def test_in_a_later_turn(self, option, found):
        """Option charge_expiry."""
        here = self.charged(charge_expiry=option)
        here.do("all done")
        assert here.state.unit("A")["charge_target"] == "B1"
        here.do("all done")
        assert here.state.clock.turn == 2
        assert self.attack(here, "A attack B1 with melee")[0] == found

    @pytest.mark.parametrize(
        "phases", [["movement_1", "attack_1", "movement_2", "attack_2"], ["movement_1", "movement_2"]]
    )
    @pytest.mark.parametrize("phase", ["movement_1", "movement_2"])
    @pytest.mark.parametrize("option", ["next_attack", "end_of_turn"])
    def test_until_when_it_counts_whichever_phase_it_was_made_in(self, option, phase, phases):
        """ME-90, option charge_expiry: under end_of_turn until that turn is over, and no longer."""
        here = field(enemy("B2", at=(10, 10)), charge_expiry=option, phase_list=phases)
        while here.state.clock.phase.name != phase:
            here.do("all done")
        played(here, "A charge B1: forward 9")
        there = here.branch()
        while here.state.clock.turn == 1:
            assert here.state.unit("A")["charge_target"] == "B1"
            here.do("all done")
        assert here.state.unit("A")["charge_target"] == ("B1" if option == "next_attack" else "")
        assert self.attack(here, "A attack B2 with melee")[0] == (
            {"melee": -2, "ranged": -2} if option == "next_attack" else {}
        )
        # Within the turn it counts for the very next attack alone, under both (ME-89, E25).
        assert self.attack(there, "A attack B1 with melee")[0] == {"melee": 2}
        assert self.attack(there, "A attack B1 with shooting")[0] == {}

    def test_weapons_are_used_but_by_a_ram(self):
        """ME-53: whoever has used one does not climb in that turn."""
        for way, used in (("melee", True), ("shooting", True), ("ram", False)):
            here = self.charged()
            self.attack(here, f"A attack B1 with {way}")
            assert here.state.unit("A")["used_weapons"] == used
            here.do("all done")
            here.do("all done")
            assert not here.state.unit("A")["used_weapons"]

    def test_ap_of_an_attack_are_told(self):
        """ME-7."""
        here = self.charged()
        here.do("A attack B1 with melee ap 1")
        assert here.state.unit("A")["ap_spent"] == 3
        (found,) = here.breaches("A attack B1 with melee ap 2")
        assert (found.clause, found.needed, found.available) == ("ME-7", 2, 1)

    @pytest.mark.parametrize(
        ("state", "order", "found"),
        [
            ({"fell_this_turn": True, "fallen": True}, "A attack B1 with melee", ["ME-94"]),
            ({"fallen": True}, "A attack B1 with ram", ["ME-95"]),
            ({"no_weapons_this_turn": True}, "A attack B1 with shooting", ["ME-53"]),
            ({"no_weapons_this_turn": True}, "A attack B1 with ram", []),
            ({}, "A attack A2 with ram", ["ME-89"]),
        ],
    )
    def test_who_cannot_attack(self, state, order, found):
        here = game(unit("A", **state), enemy("B1", at=(34, 24)), unit("A2", at=(20, 20)))
        assert clauses(here.breaches(order)) == found
        if found:
            before = here.state
            with pytest.raises(IllegalOrder):
                here.do(order)
            assert here.state == before

    def test_a_static_unit_has_no_defence_bonus_of_its_pilot(self):
        """ME-25: whoever rolls is told so."""
        for mobility, found in (("static", "no bonus of its pilot"), ("walker", None)):
            here = game(unit("A"), enemy("B1", mobility, at=(34, 24)))
            (event,) = [one for one in here.do("A attack B1 with shooting").events if one.kind == "attacks"]
            assert event.detail.get("defence") == found

    def test_it_needs_no_turn_of_its_own(self):
        """An attack neither begins nor ends a go."""
        here = field()
        here.do("A standard: forward 1")
        here.do("B1 attack A with shooting")
        assert here.state.clock.unit in ("A", "")
        assert list(here.breaches("A free_turn: turn_left 30")) == []

    def test_fractions_of_the_budget_are_kept(self):
        """ME-9."""
        here = game(unit("A", move=Fraction(5, 2)), enemy("B1", at=(30, 24)))
        assert list(here.breaches("A charge B1: forward 5")) == []


class TestTargets:
    """ME-88: an opposing unit that it can come into contact with."""

    KEEP = Piece("keep", "building", rectangle((40, 24), (6, 6)), "elevated", height=4)

    def here(self, *more, **fields):
        """A friend, a foe, one on a roof, one aboard that, and one off the table."""
        others = (
            unit("F", at=(24, 30)),
            enemy("B1", at=(34, 24)),
            enemy("K", at=(40, 24), level="keep"),
            enemy("T", "track", at=(34, 34), slots=2, size_class=4),
            enemy("R", "track", at=None, carrier="T", size_class=1),
            enemy("O", at=None),
        )
        return game(unit("A", **fields), *others, *more, pieces=[self.KEEP]).table

    @pytest.mark.parametrize(
        ("name", "told"),
        [
            ("B1", None),
            ("T", None),
            ("F", "F is not an opposing unit"),
            ("K", "K is on another level: no charge ends in contact with it"),
            ("R", "R is not on the table: it cannot be charged"),
            ("O", "O is not on the table: it cannot be charged"),
            ("X", "X is not on the table: it cannot be charged"),
        ],
    )
    def test_why_not(self, name, told):
        table = self.here()
        found = [(one.clause, one.blocker, one.message) for one in no_target(table, table.unit("A"), name)]
        assert found == ([] if told is None else [("ME-88", name, told)])

    def test_who_can_be_named(self):
        """ME-86, ME-105: also a foe on a top that is low for it; who is aboard something is told nothing of levels."""
        table = self.here()
        assert targets(table, table.unit("A")) == ["B1", "T"]
        giant = self.here(size_class=9)
        assert targets(giant, giant.unit("A")) == ["B1", "K", "T"]
        aboard = self.here(unit("C", "track", at=(10, 10), slots=2, size_class=4), at=None, carrier="C")
        assert targets(aboard, aboard.unit("A")) == ["B1", "K", "T"]

    @pytest.mark.parametrize(
        ("target", "way", "found"),
        [
            ("B1", "melee", {"melee": 2}),
            ("B1", "ram", {"melee": 2}),
            ("B1", "shooting", {"melee": -2, "ranged": -2}),
            ("T", "melee", {"melee": -2, "ranged": -2}),
            ("", "melee", {"melee": -2, "ranged": -2}),
        ],
    )
    def test_the_next_attack(self, target, way, found):
        """ME-89, ME-90, E25: nothing once it is used up."""
        table = self.here(charge_target="B1")
        assert modifiers_of(table, table.unit("A"), target, way) == found
        table = self.here()
        assert modifiers_of(table, table.unit("A"), target, way) == {}
