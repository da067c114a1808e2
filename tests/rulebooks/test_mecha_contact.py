"""Contact in mecha: who touches whom, who may pass whom, what contact allows, and moves that end in contact."""

import math
from fractions import Fraction

import numpy as np
import pytest
import shapely
from mecha_duels import clauses, enemy, game, played, unit

from simulator.engine.errors import IllegalOrder
from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose

SKILLED = {"skills": ["combat_manoeuvres"]}
#: Every Move Action that contact with an opposing unit bars, as an order of A.
BARRED = (
    "A standard: backward 0.5",
    "A run: backward 3.5",
    "A charge B2: turn_left 90 free 90, forward 8.99",
)


class TestContact:
    @pytest.mark.parametrize(
        ("off", "tolerance", "touches"),
        [
            (0, "0.01", True),
            (0.01, "0.01", True),
            (-0.01, "0.01", True),
            (0.011, "0.01", False),
            (0.05, "0.01", False),
            (0.05, "0.05", True),
            (-0.05, "0.05", True),
        ],
    )
    def test_a_gap_within_the_tolerance_is_contact(self, off, tolerance, touches):
        """ME-44, option contact_tolerance."""
        here = game(unit("A"), enemy("B1", at=(25 + off, 24)), contact_tolerance=Fraction(tolerance))
        assert clauses(here.breaches("A standard: backward 0.5")) == (["ME-8"] if touches else [])

    def test_bases_of_any_width(self):
        here = game(unit("A", base=1), enemy("B1", at=(26.5, 24), base=Fraction(3, 2)))
        assert clauses(here.breaches("A standard: backward 0.5")) == ["ME-8"]

    def test_friends_and_units_on_other_levels_are_in_contact_with_nobody(self):
        keep = Piece("keep", "building", rectangle((26.5, 24), (3, 4)), "elevated", height=2)
        here = game(unit("A"), unit("A2", at=(24, 25)), enemy("B1", at=(25.5, 24), level="keep"), pieces=[keep])
        assert clauses(here.breaches("A standard: backward 0.5")) == []


class TestWhatContactAllows:
    """ME-8, E26."""

    def duel(self, **more):
        return game(unit("A", move=5, **SKILLED), enemy("B1"), enemy("B2", at=(24, 34)), **more)

    @pytest.mark.parametrize("order", BARRED)
    def test_other_actions_are_barred_and_change_nothing(self, order):
        here = self.duel()
        found = [one for one in here.breaches(order) if one.clause == "ME-8"]
        assert [(one.blocker, one.place) for one in found] == [("B1", (25, 24))]
        before = here.state
        with pytest.raises(IllegalOrder):
            here.do(order)
        assert here.state == before

    def test_jumps_and_climbs_are(self):
        keep = Piece("keep", "building", rectangle((23, 24), (4, 4)), "elevated", height=2)
        up = game(unit("A", at=(24.4, 24), level="keep"), enemy("B1", at=(23.4, 24), level="keep"), pieces=[keep])
        assert "ME-8" in clauses(up.breaches("A jump: forward 1, jump_off"))
        foot = game(unit("A", at=(25.5, 24), heading=180), enemy("B1", at=(26.5, 24)), pieces=[keep])
        assert "ME-8" in clauses(foot.breaches("A climb keep"))

    def test_breaking_away_and_manoeuvres_are_not(self):
        here = self.duel()
        assert list(here.breaches("A break_away: backward 2.5")) == []
        assert list(here.breaches("A manoeuvre: turn_left 90 free 90, forward 1.25, turn_left 0, backward 0.5")) != []
        assert list(here.breaches("A manoeuvre: backward 0.5, forward 0.5")) == []

    def test_a_manoeuvre_has_half_the_move_the_fraction_kept(self):
        """ME-9, E26: 2.5 mp of a Move of 5."""
        here = self.duel()
        assert list(here.breaches("A manoeuvre: backward 0.5, forward 1")) != []
        (found,) = [one for one in here.breaches("A manoeuvre: backward 1, forward 1") if one.clause == "ME-10"]
        assert (found.needed, found.available) == (3, Fraction(5, 2))

    def test_a_free_turn_is_legal_and_keeps_the_contact(self):
        """ME-36, ME-37, E26."""
        here = self.duel()
        here.do("A free_turn: turn_left 90")
        assert float(here.state.unit("A").heading) == 90
        assert clauses(here.breaches("A standard: forward 1")) == ["ME-8"]
        assert here.state.unit("A")["acted_1"] == ""

    def test_a_paid_turn_needs_one_of_the_two(self):
        """ME-40."""
        here = self.duel()
        assert clauses(here.breaches("A standard: turn_left 45")) == ["ME-8"]
        assert list(here.breaches("A break_away: turn_left 45")) == []
        assert list(here.breaches("A manoeuvre: turn_left 45")) == []

    def test_contact_is_tested_when_the_action_is_declared(self):
        """A move that comes into contact goes on (contact_stops_move = false)."""
        here = game(unit("A"), enemy("B1", at=(27, 25)))
        assert list(here.breaches("A standard: forward 6")) == []


class TestStaticUnits:
    def test_they_make_no_turn(self):
        """ME-39."""
        here = game(unit("A", "static"), enemy("B1", at=(30, 24)))
        assert "ME-39" in clauses(here.breaches("A standard: turn_left 45"))
        assert "ME-39" in clauses(here.breaches("A free_turn: turn_left 45"))


class TestPassing:
    """ME-41, ME-42, ME-43, E15."""

    @pytest.mark.parametrize(
        ("mover", "other", "found"),
        [
            ((1, "walker"), (4, "walker", "red"), []),
            ((1, "walker"), (3, "walker", "red"), ["ME-41"]),
            ((1, "walker"), (4, "track", "red"), ["ME-41"]),
            ((1, "walker"), (4, "walker", "blue"), ["ME-41"]),
            ((5, "track"), (2, "hover", "red"), []),
            ((1, "walker"), (4, "four_legged_walker", "red"), []),
            ((1, "walker"), (4, "infantry", "red"), ["ME-41"]),
        ],
    )
    def test_three_classes_the_type_and_a_friend(self, mover, other, found):
        """E15."""
        size, mobility = mover
        there, kind, side = other
        here = game(unit("A", mobility, size_class=size), unit("X", kind, at=(27, 24), side=side, size_class=there))
        assert clauses(here.breaches("A standard: forward 6")) == found
        # Nobody is ended on.
        ends = clauses(here.breaches("A standard: forward 3"))
        assert ends == (found or ["ME-43"])

    @pytest.mark.parametrize(
        ("option", "passes"),
        [
            ("obstacle", {("track", "walker")}),
            ("mover", {("walker", "track")}),
            ("both", set()),
        ],
    )
    def test_whose_type_it_is_that_counts(self, option, passes):
        """Option pass_type_of."""
        for mover, other in (("track", "walker"), ("walker", "track"), ("walker", "walker"), ("track", "track")):
            here = game(
                unit("A", mover, size_class=1), unit("X", other, at=(27, 24), size_class=4), pass_type_of=option
            )
            may = (mover, other) in passes or (mover, other) == ("walker", "walker")
            assert clauses(here.breaches("A standard: forward 6")) == ([] if may else ["ME-41"])
            assert (here.reach("A", "standard").cost_at((30, 24)) == 6) == may

    def test_overlaps_within_the_tolerance_are_none(self):
        for tolerance, found in (("0.01", ["ME-41"]), ("0.05", [])):
            here = game(unit("A"), enemy("B1", at=(29.96, 24)), contact_tolerance=Fraction(tolerance))
            assert clauses(here.breaches("A standard: forward 5")) == found

    def test_turning_above_a_friend_is_allowed(self):
        here = game(unit("A", size_class=1), unit("X", at=(27, 24), size_class=4))
        assert list(here.breaches("A standard: forward 3, turn_left 90 free 90, forward 3")) == []
        assert here.reach("A", "standard").cost_at((27, 25.2)) is not None
        assert here.reach("A", "standard").cost_at((27, 24.5)) is None

    def test_a_refusal_names_the_unit_and_the_place(self):
        here = game(unit("A"), enemy("B1", at=(27, 24)))
        (found,) = here.breaches("A standard: forward 6")
        assert (found.clause, found.blocker) == ("ME-41", "B1")
        assert found.place == pytest.approx((26, 24), abs=0.02)


class TestManoeuvres:
    """ME-69, ME-70, ME-71, ME-72."""

    def test_only_with_the_skill(self):
        """ME-70."""
        here = game(unit("A"), enemy("B1"))
        assert clauses(here.breaches("A manoeuvre")) == ["ME-70"]
        assert clauses(here.reach("A", "manoeuvre").why_not((24, 24)).reasons) == ["ME-70"]

    def test_no_attack_is_provoked(self):
        """ME-72."""
        here = game(unit("A", **SKILLED), enemy("B1"))
        assert here.do("A manoeuvre: backward 0.5, forward 0.5").question is None

    def test_without_contact_it_is_free(self):
        here = game(unit("A", **SKILLED), enemy("B1", at=(30, 24)))
        assert list(here.breaches("A manoeuvre: forward 3")) == []
        assert here.reach("A", "manoeuvre").area.area > 10

    def test_contact_may_be_lost_between_and_others_added(self):
        """ME-71."""
        here = game(unit("A", **SKILLED), enemy("B1"), enemy("B2", at=(25, 25.98), base=Fraction(1, 2)))
        assert clauses(here.breaches("A manoeuvre: backward 0.5")) == ["ME-71"]
        (found,) = here.breaches("A manoeuvre: backward 0.5")
        assert found.blocker == "B1"
        reach = here.reach("A", "manoeuvre")
        # Round B1 to where it touches B2 as well: nothing keeps it from that.
        both = _both((25, 24), (25, 25.98), 1.0)
        assert any(reach.cost_at(place) is not None for place in both)

    def test_of_two_earlier_contacts_none_may_be_lost(self):
        """Along two bases at once it cannot slide: the ends are points."""
        here = game(unit("A", **SKILLED), enemy("B1"), enemy("B2", at=(24, 25)))
        area = here.reach("A", "manoeuvre").area
        assert area.area == 0
        assert area.length < 0.2
        assert shapely.Point(24, 24).distance(area) < 0.02
        assert clauses(here.breaches("A manoeuvre: turn_left 30 free 30, sideways_right 0.5")) != []

    def test_the_ends_are_the_line_along_the_base(self):
        here = game(unit("A", **SKILLED), enemy("B1"))
        reach = here.reach("A", "manoeuvre")
        line = shapely.get_coordinates(shapely.segmentize(reach.area, 0.2))
        gaps = np.hypot(*(line - (25, 24)).T) - 1
        assert np.abs(gaps).max() <= 0.01
        for place in line[::3].tolist():
            for order in reach.orders_to(place):
                assert list(here.breaches(order)) == []
                there = here.branch()
                played(there, order)
                assert there.state.unit("A").place == pytest.approx(tuple(place), abs=1e-4)

    def test_it_ends_facing_any_way_that_it_can_pay_for(self):
        """ME-71 asks for contact, not for a heading: reach, goals, play and reasons name the one of the end."""
        here = game(unit("A", "track", move=2, **SKILLED), enemy("B1"), enemy("B2", at=(24, 25)))
        reach = here.reach("A", "manoeuvre")
        for heading, cost in ((0, 0), (20, 0.5), (45, 1), (340, 0.5), (315, 1)):
            assert reach.cost_at(Pose((24, 24), heading)) == cost
            there = here.branch()
            if heading:
                happened = played(there, f"A manoeuvre to 24,24 facing {heading}")
                assert happened.ledger.total("mp") == cost
            assert float(there.state.unit("A").heading) == heading
        (found,) = reach.why_not(Pose((24, 24), 50)).reasons
        assert (found.clause, found.needed, found.available) == ("ME-10", 1.5, 1)
        with pytest.raises(IllegalOrder, match="ME-10"):
            here.do("A manoeuvre to 24,24 facing 50")

    def test_no_heading_is_recommended_where_contact_is_what_is_missing(self):
        """ME-71."""
        reach = game(unit("A", **SKILLED), enemy("B1"), enemy("B2", at=(24, 25))).reach("A", "manoeuvre")
        for heading in (None, 50):
            why = reach.why_not(Pose((23, 23), heading))
            assert [(one.clause, one.blocker) for one in why.reasons] == [("ME-71", "B1"), ("ME-71", "B2")]
            assert why.remedy == ""


def _both(one, other, far):
    """The two places at a distance from two others."""
    middle, half = np.add(one, other) / 2, np.subtract(other, one) / 2
    up = math.sqrt(far**2 - half @ half) * np.array([-half[1], half[0]]) / np.hypot(*half)
    return (middle + up).tolist(), (middle - up).tolist()


class TestContactStopsMoves:
    """ME-8, option contact_stops_move."""

    FOE = (28, 24)

    def walk(self, stops, *more, **fields):
        return game(unit("A", **fields), enemy("B1", at=self.FOE), *more, contact_stops_move=stops)

    @pytest.mark.parametrize(
        "order",
        [
            "A standard: forward 2.995, turn_left 90 free 90, forward 1",
            "A standard: forward 2.995, turn_left 45",
            "A standard: forward 2.995, backward 0.5",
            "A standard: turn_left 14.4775 free 14.4775, forward 6",
        ],
    )
    def test_a_move_goes_on_or_ends(self, order):
        assert list(self.walk(False).breaches(order)) == []
        (found,) = self.walk(True).breaches(order)
        assert (found.clause, found.blocker) == ("ME-8", "B1")
        assert math.dist(found.place, self.FOE) == pytest.approx(1.01, abs=1e-4)

    def test_it_may_end_there_and_turn_freely(self):
        here = self.walk(True)
        played(here, "A standard: forward 2.995, turn_left 90 free 90")
        assert here.state.unit("A").place == (26.995, 24)
        there = self.walk(True)
        there.do("A standard: forward 2.995")
        assert list(there.breaches("A free_turn: turn_left 90")) == []

    def test_friends_stop_nobody(self):
        here = game(unit("A"), unit("A2", at=(26, 25)), contact_stops_move=True)
        assert list(here.breaches("A standard: forward 6")) == []

    def test_reach_keeps_off_and_ends_in_contact(self):
        free, stopped = (self.walk(stops).reach("A", "standard") for stops in (False, True))
        assert stopped.cost_at((26.995, 24)) == free.cost_at((26.995, 24)) == 3
        # Facing away: a turn of 180 degrees of which 90 are free, or none that is paid.
        assert free.cost_at(Pose((26.995, 24), 180)) == 5
        assert stopped.cost_at(Pose((26.995, 24), 180)) is not None
        assert stopped.cost_at(Pose((26.995, 24), 180)) > 5
        assert stopped.area.area < free.area.area

    def test_a_charge_ends_at_its_target_and_at_nobody_before(self):
        beside = enemy("B2", at=(26, 25.005))
        free, stopped = (self.walk(stops, beside) for stops in (False, True))
        order = "A charge B1: backward 1, forward 1, backward 1, forward 3.995"
        assert list(free.breaches(order)) == []
        (found,) = stopped.breaches(order)
        assert (found.clause, found.blocker) == ("ME-8", "B2")
        reach = stopped.reach("A", "charge", target="B1")
        # It goes by another way, or wastes elsewhere what it has to spend.
        (order,) = reach.orders_to((26.995, 24))
        assert list(stopped.breaches(order)) == []

    def test_who_breaks_away_may_leave_and_come_back_once(self):
        here = game(unit("A"), enemy("B1"), contact_stops_move=True)
        assert list(here.breaches("A break_away: backward 1, forward 1")) == []
        assert clauses(here.breaches("A break_away: backward 1, forward 1, turn_left 45")) == ["ME-8"]

    def test_on_a_roof_in_contact_nobody_jumps(self):
        keep = Piece("keep", "building", rectangle((24, 24), (6, 6)), "elevated", height=2)
        on_top = {"level": "keep"}
        here = game(unit("A", **on_top), enemy("B1", **on_top), pieces=[keep], contact_stops_move=True)
        reach = here.reach("A", "jump")
        assert reach.area.is_empty
        assert clauses(reach.why_not((19, 24)).reasons) == ["ME-8"]

    @pytest.mark.long
    def test_why_not_names_who_stops_it(self):
        walls = [enemy("B2", at=(26, 25.005)), enemy("B3", at=(26, 22.995))]
        fence = [Piece(f"wall {y}", "rock", rectangle((26, y), (1, 18)), "elevated", height=9) for y in (34.6, 13.4)]
        here = game(unit("A"), *walls, pieces=fence, contact_stops_move=True)
        why = here.reach("A", "standard").why_not((28, 24))
        assert [(one.clause, one.blocker in ("B2", "B3")) for one in why.reasons] == [("ME-8", True)]
        free = game(unit("A"), *walls, pieces=fence)
        assert free.reach("A", "standard").cost_at((28, 24)) == 4

    @pytest.mark.sampled("manoeuvre")
    @pytest.mark.parametrize("action", ["standard", "run", "break_away", "manoeuvre", "turn"])
    def test_judge_play_and_reach_agree(self, action):
        rng = np.random.default_rng(len(action))
        foes = [enemy("B1", at=(26.5, 25.2)), enemy("B2", at=(22.5, 26), base=1), enemy("B3", at=(24.3, 20.8))]
        if action in ("break_away", "manoeuvre"):
            foes.append(enemy("B4"))
        move, foes = (2, foes[:1]) if action == "turn" else (4, foes)
        here = game(unit("A", move=move, **SKILLED), *foes, size=40, contact_stops_move=True)
        reach = here.reach("A", action)
        lines = [part for part in shapely.get_parts(reach.area) if not part.area and part.length > 0.05]
        spots = [line.interpolate(rng.uniform(0, line.length)).coords[0] for line in lines for _ in range(3)]
        x, y, far_x, far_y = reach.area.bounds
        spots += rng.uniform((x, y), (far_x, far_y), (12, 2)).tolist()
        tried = 0
        for place in spots:
            if reach.cost_at(place) is None:
                continue
            there = here.branch()
            spent = 0
            for order in reach.orders_to(place):
                assert list(there.breaches(order)) == []
                happened = there.do(order)
                while happened.question is not None:
                    happened = there.answer(None)
                spent += happened.ledger.total("ap" if action == "turn" else "mp")
            assert there.state.unit("A").place == pytest.approx(tuple(place), abs=2e-4)
            if reach.orders_to(place):
                assert float(spent) == pytest.approx(float(reach.cost_at(place)), abs=1e-3)
            tried += 1
        assert tried >= len(lines)
        assert tried >= 3
