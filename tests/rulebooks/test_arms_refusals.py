"""Refusals of combined_arms by clause: what is wanted, what there is, and what is in the way."""

from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.geometry.pieces import LineShape, Piece, rectangle
from simulator.rulesets.combined_arms import RULESET
from simulator.rulesets.combined_arms.judge import why_no_move

ROAD = Piece("road", "road", LineShape([(-48, 0), (48, 0)], 3.0))
DISTANCE = {"speed_band_basis": "distance_moved"}


def against(unit, order, *others, terrain=(), **settings):
    """Clause, what is wanted, what there is, and what is in the way, of all that is wrong with an order."""
    game = arms_game(unit, *others, terrain=terrain, data={"initiative": ("A",)}, **settings)
    return [(one.clause, one.needed, one.available, one.blocker or "") for one in game.breaches(f"A move: {order}")]


def pod(place=(0, 0), **fields):
    return RULESET.make_unit("A", "drop_pod", "red", place, 0, rate_original=36, size_class=4, **fields)


class TestRotations:
    @pytest.mark.parametrize("way", ["turn_left", "turn_right"])
    @pytest.mark.parametrize(("angle", "found"), [(180, []), (181, [("CA-47", 181, 180, "")])])
    def test_half_a_turn_at_once(self, way, angle, found):
        """CA-47."""
        assert against(piece("A", "thruster", rate_original=96), f"{way} {angle}") == found

    def test_only_what_can_be_paid(self):
        """E3 (CA-40)."""
        assert against(piece("A", "grav"), "forward 31, turn_left 45") == [("CA-40", 6, 5, "")]
        assert against(piece("A", "grav"), "forward 30, turn_left 45") == []


class TestLegs:
    def test_the_first_part_that_cannot_be_paid(self):
        """CA-3: 20 inches are left for the bog behind 10 of firm ground, in which an inch costs 2."""
        bog = Piece("bog", "soft_ground", rectangle((20, 0), (20, 20)))
        unit = piece("A", "tracked")
        assert against(unit, "forward 20", terrain=(bog,)) == []
        assert against(unit, "forward 21", terrain=(bog,)) == [("CA-3", 22, 20, "")]


class TestOverruns:
    @pytest.mark.parametrize(
        ("way", "at", "over", "left"), [("forward", 28.5, 3, 2), ("reverse", -14, 6, 3), ("reverse", -11.5, 6, None)]
    )
    def test_the_way_over_the_target_by_its_direction(self, way, at, over, left):
        """CA-105, CA-106: an inch of man for three times the price of the ground, in reverse for twice that."""
        tank, man = piece("A", "tracked", armored=True, size_class=6), piece("B", "on_foot", (at, 0), "blue", base=0.5)
        game = arms_game(tank, man, data={"initiative": ("A",)})
        found = list(game.breaches(f"A move over B: {way} {abs(at) + 0.5}"))
        if left is None:
            assert found == []
        else:
            (breach,) = found
            assert (breach.clause, breach.blocker) == ("CA-106", "B")
            assert (float(breach.needed), float(breach.available)) == pytest.approx((over, left), abs=1e-5)
            assert breach.message == f"overrunning B costs {over} inches, with {left} inches left"


class TestAltitudes:
    """CA-82, CA-83, CA-84."""

    @pytest.mark.parametrize(
        ("mobility", "limit", "clause"),
        [
            ("on_foot", 0, "CA-82"),
            ("powered_armor", 0, "CA-83"),
            ("gravpack", 2, "CA-82"),
            ("jetpack", 12, "CA-82"),
            ("crew_weapon", 0, "CA-83"),
            ("grav", 4, "CA-82"),
            ("hover", 1, "CA-82"),
            ("tracked", 0, "CA-82"),
            ("walker", 0, "CA-82"),
            ("wheeled", 0, "CA-82"),
        ],
    )
    def test_no_higher_than_it_flies(self, mobility, limit, clause):
        unit = piece("A", mobility)
        high = f"climb {limit + 1}, descend {limit + 1}" if limit else "climb 1, descend 1"
        assert (clause, limit + 1, limit, "") in against(unit, high)
        if limit:
            assert against(unit, f"climb {limit}, descend {limit}") == []
        # So a position says it, too.
        aloft = arms_game(piece("A", mobility, altitude=limit + 1))
        assert [(one.clause, one.needed, one.available, one.blocker) for one in aloft.faults][:1] == [
            (clause, limit + 1, limit, "A")
        ]

    @pytest.mark.parametrize("mobility", ["thruster", "helicopter"])
    def test_some_have_no_limit(self, mobility):
        assert against(piece("A", mobility, can_hover=True), "climb 30") == []

    def test_not_below_the_ground(self):
        assert against(piece("A", "grav", altitude=2), "descend 3") == [("CA-84", -1, 0, "")]
        assert against(piece("A", "grav", altitude=2), "descend 2") == []

    def test_who_was_lifted_higher_may_come_down(self):
        """A lander that began above its limit."""
        assert "CA-82" not in [one[0] for one in against(piece("A", "grav", altitude=9), "descend 9")]
        assert "CA-82" in [one[0] for one in against(piece("A", "grav", altitude=9), "climb 1, descend 10")]


class TestShots:
    """CA-8, CA-98, CA-114."""

    @pytest.mark.parametrize(
        ("fields", "order", "found"),
        [
            ({}, "fire", []),
            ({}, "fire, forward 1, fire", [("CA-98", 2, 1, "")]),
            ({"has_fired": True}, "forward 1", []),
            ({"has_fired": True}, "fire", [("CA-98", 2, 1, "")]),
            ({"has_fired": True}, "fire, fire", [("CA-98", 3, 1, "")]),
        ],
    )
    def test_once_a_turn(self, fields, order, found):
        assert against(piece("A", "grav", **fields), order) == found

    @pytest.mark.parametrize(
        ("mobility", "order", "clauses"),
        [
            ("thruster", "climb 4, fire, descend 4", ["CA-114"]),
            ("thruster", "climb 4, fire, forward 2", []),
            ("thruster", "climb 4, fire, descend 0", []),
            ("thruster", "fire, climb 4, descend 4", []),
            ("thruster", "climb 4, descend 4, fire", []),
            ("thruster", "climb 4, fire, descend 1, descend 1", ["CA-114"]),
            ("hover", "climb 1, fire, descend 1", ["CA-114"]),
            ("grav", "climb 4, fire, descend 4", []),
            ("jetpack", "climb 4, fire, descend 4", []),
            ("helicopter", "climb 4, fire, descend 4", []),
        ],
    )
    def test_who_drops_back_after_one(self, mobility, order, clauses):
        """CA-112, CA-114."""
        assert [one[0] for one in against(piece("A", mobility), order)] == clauses

    def test_who_does_is_an_option(self):
        """CA-114: popup_types."""
        options = {"popup_types": ("thruster",)}
        assert against(piece("A", "thruster"), "climb 4, fire, descend 4", options=options) == []
        assert [one[0] for one in against(piece("A", "grav"), "climb 4, fire, descend 4", options=options)] == [
            "CA-114"
        ]


class TestBands:
    """CA-97, CA-98: the band that was declared with a shot holds for the whole turn."""

    @pytest.mark.parametrize(
        ("order", "found"),
        [
            ("fire band slow, forward 12", []),
            ("fire band slow, forward 12.5", [("CA-98", Fraction(25, 2), 12, "")]),
            ("forward 12.5, fire band slow", [("CA-98", Fraction(25, 2), 12, "")]),
            ("fire band moderate, forward 24", []),
            ("fire band moderate, forward 25", [("CA-98", 25, 24, "")]),
            ("fire band fast, forward 36", []),
            ("fire band stationary, turn_left 45", [("CA-98", 6, 0, "")]),
            ("fire band slow, turn_left 90", []),
            ("fire band slow, turn_left 90, forward 1", [("CA-98", 13, 12, "")]),
        ],
    )
    def test_what_is_spent(self, order, found):
        unit = piece("A", "grav")
        assert against(unit, order) == found
        assert against(unit, order, options={"own_fire_band": "so_far"}) == []

    @pytest.mark.parametrize(
        ("order", "found"),
        [
            ("fire band slow, forward 12", []),
            ("fire band slow, forward 13", [("CA-98", 13, 12, "")]),
            ("fire band slow, turn_left 90, forward 12", []),
            ("fire band slow, turn_left 135", [("CA-97", 24, 12, "")]),
            ("fire band moderate, turn_left 135", []),
        ],
    )
    def test_what_is_covered(self, order, found):
        """CA-96, CA-97."""
        assert against(piece("A", "grav"), order, options=DISTANCE) == found

    @pytest.mark.parametrize(("order", "found"), [("forward 12", []), ("forward 13", [("CA-98", 13, 12, "")])])
    def test_declared_before_its_move(self, order, found):
        """CA-98: by interceptive fire."""
        unit = piece("A", "grav", declared_band="slow", has_fired=True)
        assert [one for one in against(unit, order) if one[0] == "CA-98"] == found


class TestDamage:
    """CA-87, CA-89, CA-90, CA-132 where bands measure the distance, and a road takes a piece farther than it spends."""

    @pytest.mark.parametrize(
        ("fields", "most", "clause"),
        [
            ({"damage_level": 1}, 24, "CA-89"),
            ({"damage_level": 2}, 12, "CA-90"),
            ({"damage_level": 1, "busy_until": 1}, 12, "CA-132"),
        ],
    )
    def test_no_faster_than_it_is_left(self, fields, most, clause):
        unit = piece("A", "wheeled", **fields)
        assert against(unit, f"forward {most}", terrain=(ROAD,), options=DISTANCE) == []
        too_far = f"forward {most + 0.5}"
        assert against(unit, too_far, terrain=(ROAD,), options=DISTANCE) == [(clause, most + Fraction(1, 2), most, "")]
        assert against(piece("A", "wheeled"), too_far, terrain=(ROAD,), options=DISTANCE) == []

    @pytest.mark.parametrize("order", ["forward 1", "turn_left 45", "climb 1"])
    def test_an_immobile_one_does_nothing(self, order):
        """E45 (CA-87)."""
        assert against(piece("A", "grav", damage_level=3), order) == [("CA-87", None, 0, "")]

    @pytest.mark.parametrize(
        ("unit", "order", "found"),
        [
            (piece("A", "crew_weapon", crew_present=0), "forward 1", [("CA-16", 1, 0, "")]),
            (piece("A", "crew_weapon", crew_present=0), "turn_left 45", [("CA-16", 1, 0, "")]),
            (piece("A", "crew_weapon", wheeled_chassis=False), "turn_left 45", []),
            (piece("A", "crew_weapon", wheeled_chassis=False), "forward 1", [("CA-16", None, None, "")]),
            (piece("A", "grav", damage_level=3), "fire", []),
            (pod(), "forward 1", [("CA-154", None, 0, "")]),
            (pod(), "fire", []),
        ],
    )
    def test_who_else_has_no_allowance(self, unit, order, found):
        """CA-16, CA-154."""
        assert against(unit, order) == found

    @pytest.mark.parametrize(
        ("unit", "clauses"),
        [
            (piece("A", "grav"), []),
            (piece("A", "grav", has_moved=True), ["CA-7"]),
            (piece("A", "grav", damage_level=3), ["CA-87"]),
            (piece("A", "crew_weapon", wheeled_chassis=False), ["CA-16"]),
            (piece("A", "crew_weapon", crew_present=0, has_moved=True), ["CA-7", "CA-16"]),
            (pod(), ["CA-154"]),
        ],
    )
    def test_why_a_piece_does_not_move_at_all(self, unit, clauses):
        assert [one.clause for one in why_no_move(arms_game(unit).table, unit)] == clauses


class TestOrderOfAMove:
    """CA-118, CA-119, CA-138, CA-148: what stands first and what stands last."""

    @pytest.mark.parametrize(
        ("fields", "order", "clauses"),
        [
            ({}, "unload at 1,1", ["CA-119"]),
            ({}, "forward 1, unload at 1,1", ["CA-119"]),
            ({}, "load apc, forward 1", ["CA-118"]),
            ({}, "leave_board, forward 1", ["CA-138"]),
            ({}, "enter at 0,-48 facing 90", ["CA-148"]),
            ({}, "drop at 0,0 facing 90", ["CA-148"]),
            ({"at": None, "carrier": "apc"}, "forward 1", ["CA-119"]),
            ({"at": None, "carrier": "apc"}, "unload at 8,0, forward 1, unload at 8,0", ["CA-119"]),
            ({"at": None, "enters_on": 1}, "forward 1", ["CA-148"]),
            ({"at": None, "enters_on": 1}, "enter at 0,-48 facing 90, drop at 0,0 facing 90", ["CA-148"]),
            ({"at": None, "enters_on": 1}, "enter at 0,-48 facing 90, forward 1", []),
            ({"at": None, "left_board": True}, "forward 1", ["CA-7", "CA-138"]),
        ],
    )
    def test_elements_in_their_place(self, fields, order, clauses):
        unit = piece("A", "on_foot", **{"at": (0, 0), **fields})
        assert [one[0] for one in against(unit, order, piece("apc", "wheeled", (9, 0)))] == clauses

    def test_vehicles_board_nothing(self):
        """CA-118."""
        found = against(piece("A", "grav"), "load apc", piece("apc", "wheeled", (1, 0)))
        assert [one[0] for one in found] == ["CA-118"]

    def test_one_move_a_turn(self):
        """CA-7."""
        assert against(piece("A", "grav", has_moved=True), "forward 1") == [("CA-7", None, None, "")]


class TestWhereItGoes:
    """CA-19, CA-27, CA-33, CA-80, CA-86, CA-138."""

    @pytest.mark.parametrize(
        ("mobility", "clause"), [("tracked", "CA-33"), ("wheeled", "CA-33"), ("crew_weapon", "CA-19")]
    )
    def test_no_sideways(self, mobility, clause):
        for way in ("sideways_left 1", "sideways_right 1"):
            assert [one[0] for one in against(piece("A", mobility), way)] == [clause]

    @pytest.mark.parametrize(("mobility", "text"), [("grav", "legs go forward"), ("tracked", "nor 30 degrees")])
    def test_no_oblique_way(self, mobility, text):
        """CA-27."""
        (found,) = arms_game(piece("A", mobility)).breaches("A move: oblique_left 1 at 30")
        assert found.clause == "CA-27"
        assert text in found.message

    def test_over_the_edge(self):
        assert [one[0] for one in against(piece("A", "grav", (47, 0)), "forward 2")] == ["CA-138"]
        assert against(piece("A", "grav", (46, 0)), "forward 2") == []

    @pytest.mark.parametrize(("side", "through", "ends"), [("blue", ["CA-80"], ["CA-80"]), ("red", [], ["CA-80"])])
    def test_through_others_and_onto_them(self, side, through, ends):
        """CA-80: friends are passed, enemies are not, and nobody ends on anybody."""
        other = piece("B", "on_foot", (5, 0), side, base=0.5)
        assert [one[0] for one in against(piece("A", "grav"), "forward 9", other)] == through
        assert [one[0] for one in against(piece("A", "grav"), "forward 5", other)][:1] == ends
        assert against(piece("A", "grav", altitude=1), "forward 9, descend 1", other) == []

    @pytest.mark.parametrize(("fields", "clauses"), [({}, []), ({"can_hover": False}, ["CA-86"])])
    def test_ends_aloft(self, fields, clauses):
        assert [one[0] for one in against(piece("A", "grav", **fields), "climb 2")] == clauses


class TestPositions:
    """What is wrong with a table as it is set up."""

    def faults(self, *units, **settings):
        return [(one.clause, one.blocker, one.place) for one in arms_game(*units, **settings).faults]

    def test_who_has_left_is_neither_there_nor_aboard(self):
        """CA-134."""
        assert self.faults(piece("A", "on_foot", left_board=True)) == [("CA-134", "A", None)]
        aboard = piece("A", "on_foot", None, carrier="apc", left_board=True)
        assert self.faults(aboard, piece("apc", "wheeled", (5, 5))) == [("CA-134", "A", None)]
        assert self.faults(piece("A", "on_foot", None, left_board=True)) == []

    def test_passengers(self):
        """CA-118."""
        rider = piece("A", "on_foot", None, carrier="B")
        assert self.faults(rider, piece("B", "wheeled", (5, 5))) == []
        assert self.faults(rider, piece("B", "crew_weapon", (5, 5))) == [("CA-118", "A", None)]
        assert self.faults(rider, piece("B", "wheeled", (5, 5), "blue")) == [("CA-118", "A", None)]
        assert self.faults(rider, piece("B", "wheeled", (5, 5), capacity=1)) == []
        full = arms_game(rider, piece("B", "wheeled", (5, 5), capacity=0))
        assert [(one.clause, one.needed, one.available, one.blocker) for one in full.faults] == [("CA-118", 1, 0, "B")]

    def test_floors_and_altitudes(self):
        """CA-68, CA-84."""
        house = Piece("house", "building", rectangle((0, 0), (9, 9)), attributes={"floors": 2})
        assert self.faults(piece("A", "on_foot", floor=1), terrain=(house,)) == []
        assert self.faults(piece("A", "on_foot", floor=2), terrain=(house,)) == [("CA-68", "A", (0, 0))]
        both = self.faults(piece("A", "jetpack", floor=1, altitude=2))
        assert {("CA-68", "A", (0, 0)), ("CA-84", "A", None)} <= set(both)

    def test_entry_areas(self):
        """CA-148."""
        assert self.faults(piece("A", "grav", None, enters_on=1, entry_area="north")) == [("CA-148", "A", None)]
        assert self.faults(piece("A", "grav", None, enters_on=1)) == []

    def test_in_what_is_impassable_or_on_somebody(self):
        """CA-52, CA-80."""
        river = Piece("river", "river", rectangle((0, 0), (9, 9)))
        assert self.faults(piece("A", "tracked", (1, 1)), terrain=(river,)) == [("CA-52", "A", (1, 1))]
        assert self.faults(piece("A", "tracked", amphibious=True), terrain=(river,)) == []
        both = self.faults(piece("A", "grav"), piece("B", "grav", (0.5, 0), base=1))
        assert [(clause, who) for clause, who, _ in both] == [("CA-80", "A"), ("CA-80", "B")]
