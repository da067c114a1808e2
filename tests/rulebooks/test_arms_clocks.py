"""Transport in combined_arms asked for directly: thirds of a turn, what they leave, and who may board or get off."""

from fractions import Fraction

import pytest
from arms_games import arms_game, piece

from simulator.engine.orders import Element, Order
from simulator.rulesets.combined_arms import RULESET
from simulator.rulesets.combined_arms.transport import (
    allowance,
    boarding,
    clock_of,
    distance_to_doors,
    door_places,
    most_before,
    most_inches,
    put_beside,
    set_down,
    transfer_breaches,
    transfer_of,
)

EXACT = {"transport_clock": "exact"}
DISTANCE = {"speed_band_basis": "distance_moved"}


def apc(mobility="wheeled", **fields):
    """A transport of R0 24 with a hull of 4 by 2 inches."""
    given = {"base": ((2, 1), (2, -1), (-2, -1), (-2, 1)), "rate_original": 24, **fields}
    return piece("apc", mobility, given.pop("at", (0, 0)), **given)


def bob(mobility="on_foot", at=(-3, 0), **fields):
    return piece("bob", mobility, at, **fields)


def table_of(*units, **settings):
    return arms_game(*units, **settings).table


class TestClocks:
    """CA-120."""

    @pytest.mark.parametrize(
        ("spent", "thirds"),
        [(0, 0), (Fraction(1, 10), 1), (8, 1), (Fraction(81, 10), 2), (16, 2), (Fraction(161, 10), 3), (24, 3)],
    )
    def test_part_of_a_third_is_a_whole_one(self, spent, thirds):
        unit = apc()
        assert clock_of(table_of(unit), unit, Fraction(spent)) == thirds
        assert clock_of(table_of(unit, options=EXACT), unit, Fraction(spent)) == Fraction(spent) / 8

    def test_but_not_by_a_hair_of_rounding(self):
        unit = apc()
        assert clock_of(table_of(unit), unit, 8 + Fraction(1, 10**6)) == 1
        assert clock_of(table_of(unit), unit, 8 + Fraction(1, 10**4)) == 2

    def test_of_the_current_rate(self):
        """CA-131, E39: 8 of 16 are a third and a half."""
        unit = apc(damage_level=1)
        assert clock_of(table_of(unit), unit, Fraction(8)) == 2
        assert clock_of(table_of(unit), unit, Fraction(5)) == 1

    @pytest.mark.parametrize(("spent", "thirds"), [(0, 0), (1, 3)])
    def test_who_cannot_move_any_more_has_used_all_of_the_turn(self, spent, thirds):
        """CA-87, CA-120: if it has moved at all."""
        unit = apc(damage_level=3)
        assert clock_of(table_of(unit), unit, Fraction(spent)) == thirds

    @pytest.mark.parametrize(("spent", "thirds"), [(36, 3), (1, 3), (0, 0)])
    def test_a_descent_takes_the_turn(self, spent, thirds):
        """CA-154, CA-155: whatever a pod spent, once it is down."""
        pod = RULESET.make_unit("A", "drop_pod", "red", (0, 0), 0, rate_original=36, size_class=4)
        assert clock_of(table_of(pod), pod, Fraction(spent)) == thirds

    @pytest.mark.parametrize(
        ("spent", "busy", "moved_until", "start"),
        [
            (0, 0, 0, 0),
            (2, 0, 0, 1),
            (Fraction(21, 10), 0, 0, 2),
            (0, 0, 2, 2),
            (2, 1, 0, 2),
            (4, 0, 1, 2),
            (0, 0, 1, 1),
        ],
    )
    def test_a_transfer_begins_when_both_are_ready(self, spent, busy, moved_until, start):
        """CA-117, CA-121: one third later it is over."""
        unit, carrier = bob(busy_until=busy), apc(moved_until=moved_until, busy_until=3)
        table = table_of(unit, carrier)
        assert transfer_of(table, unit, carrier, Fraction(spent)) == (start, start + 1)

    def test_how_long_it_takes_can_be_set(self):
        unit, carrier = bob(), apc()
        table = table_of(unit, carrier, tables={"transport.thirds": 2})
        assert transfer_of(table, unit, carrier, Fraction(0)) == (0, 2)


class TestWhatIsLeft:
    @pytest.mark.parametrize(
        ("mobility", "fields", "left"),
        [
            ("on_foot", {}, 6),
            ("on_foot", {"busy_until": 1}, 4),  # CA-126, CA-128
            ("on_foot", {"busy_until": 2}, 2),
            ("on_foot", {"busy_until": 3}, 0),
            ("on_foot", {"busy_until": Fraction(3, 2)}, 3),
            ("jetpack", {"busy_until": 2}, 8),  # E16
            ("wheeled", {}, 24),
            ("wheeled", {"busy_until": 1}, 16),  # CA-122
            ("wheeled", {"busy_until": 2}, 8),  # CA-123
            ("wheeled", {"busy_until": 3}, 0),  # CA-124
            ("wheeled", {"damage_level": 1}, 16),
            ("wheeled", {"damage_level": 1, "busy_until": 1}, 8),  # E38 (CA-132): no more than slow
            ("wheeled", {"damage_level": 1, "busy_until": 2}, Fraction(16, 3)),
            ("wheeled", {"damage_level": 2}, 8),
            ("wheeled", {"damage_level": 2, "busy_until": 1}, 0),  # CA-133
            ("wheeled", {"damage_level": 3, "busy_until": 1}, 0),
        ],
    )
    def test_to_spend(self, mobility, fields, left):
        """CA-121."""
        unit = apc(**fields) if mobility == "wheeled" else bob(mobility, **fields)
        assert allowance(table_of(unit), unit) == left

    def test_to_spend_where_bands_measure_the_distance(self):
        """CA-96, CA-132: then not what it spends is bound, but how far it goes."""
        unit = apc(damage_level=1, busy_until=1)
        assert allowance(table_of(unit, options=DISTANCE), unit) == Fraction(32, 3)

    @pytest.mark.parametrize(
        ("fields", "options", "most"),
        [
            ({}, {}, None),
            ({"damage_level": 1, "busy_until": 1}, {}, None),
            ({}, DISTANCE, None),
            ({"busy_until": 1}, DISTANCE, None),
            ({"damage_level": 1}, DISTANCE, 16),
            ({"damage_level": 1, "busy_until": 1}, DISTANCE, 8),
            ({"damage_level": 2, "busy_until": 1}, DISTANCE, 8),
            ({"damage_level": 3}, DISTANCE, 0),
        ],
    )
    def test_to_cover(self, fields, options, most):
        """CA-89, CA-90, CA-132."""
        unit = apc(**fields)
        assert most_inches(table_of(unit, options=options), unit) == most

    def test_to_cover_by_those_who_carry_nobody(self):
        unit = bob("on_foot", busy_until=1)
        assert most_inches(table_of(unit, options=DISTANCE), unit) is None

    @pytest.mark.parametrize(
        ("fields", "start", "most"),
        [
            ({}, 0, 0),
            ({}, 1, 8),  # CA-126
            ({}, 2, 16),  # CA-127
            ({"busy_until": 1}, 2, 8),
            ({"busy_until": 2}, 1, -8),
            ({"damage_level": 1}, 1, Fraction(16, 3)),
            ({"damage_level": 1}, 2, 8),  # CA-132: slow at most
            ({"damage_level": 2}, 1, 0),  # CA-133
            ({"damage_level": 2, "busy_until": 1}, 0, Fraction(-8, 3)),
        ],
    )
    def test_to_the_transport_before_a_transfer(self, fields, start, most):
        unit = apc(**fields)
        assert most_before(table_of(unit), unit, Fraction(start)) == most


def against(unit, carrier, spent=0, boards=True, others=(), **settings):
    table = table_of(unit, carrier, *others, **settings)
    found = transfer_breaches(table, unit, carrier, Fraction(spent), boards=boards)
    return [(one.clause, one.needed, one.available, one.blocker) for one in found]


class TestWhoMay:
    def test_board_and_get_off(self):
        for boards in (True, False):
            assert against(bob(), apc(), boards=boards) == []

    def test_only_a_transport_of_friends(self):
        """CA-118."""
        assert against(bob(), apc(side="blue")) == [("CA-118", None, None, "apc")]
        weapon = piece("apc", "crew_weapon", (0, 0))
        assert against(bob(), weapon) == [("CA-118", None, None, "apc")]

    @pytest.mark.parametrize(
        ("unit", "carrier", "boards", "message"),
        [
            (bob(), apc(side="blue"), True, "apc is an enemy"),
            (bob(), piece("apc", "crew_weapon", (0, 0)), True, "apc is not a transport"),
            (bob(transferred="unloaded"), apc(), True, "bob has got off a transport this turn"),
            (bob(transferred="loaded"), apc(), False, "bob has boarded a transport this turn"),
        ],
    )
    def test_what_is_told(self, unit, carrier, boards, message):
        found = transfer_breaches(table_of(unit, carrier), unit, carrier, Fraction(0), boards=boards)
        assert [one.message for one in found] == [message]

    def test_only_on_the_table(self):
        """CA-118."""
        assert against(bob(), apc(at=None, left_board=True)) == [("CA-118", None, None, "apc")]

    @pytest.mark.parametrize(
        ("transferred", "boards", "clauses"),
        [
            ("", True, []),
            ("", False, []),
            ("loaded", True, []),
            ("unloaded", False, []),
            ("unloaded", True, ["CA-129"]),
            ("loaded", False, ["CA-129"]),
        ],
    )
    def test_not_both_in_one_turn(self, transferred, boards, clauses):
        """CA-129: load_unload_same_turn."""
        unit = bob(transferred=transferred)
        assert against(unit, apc(), boards=boards) == [(one, None, None, "") for one in clauses]
        assert against(unit, apc(), boards=boards, options={"load_unload_same_turn": True}) == []

    @pytest.mark.parametrize(
        ("capacity", "aboard", "full"),
        [(None, 2, False), (3, 2, False), (2, 2, True), (1, 1, True), (1, 0, False), (0, 0, True)],
    )
    def test_while_there_is_room(self, capacity, aboard, full):
        """CA-118: getting off takes none."""
        others = [piece(name, "on_foot", None, carrier="apc") for name in ("cem", "dov")[:aboard]]
        carrier = apc(capacity=capacity)
        assert against(bob(), carrier, others=others) == ([("CA-118", aboard + 1, capacity, "apc")] if full else [])
        assert against(bob(), carrier, boards=False, others=others) == []

    @pytest.mark.parametrize(
        ("spent", "moved_until", "found"),
        [
            (4, 0, []),
            (0, 2, []),
            (4, 2, []),
            (Fraction(41, 10), 0, [("CA-125", 3, 2, "apc")]),
            (Fraction(41, 10), 2, [("CA-125", 3, 2, "apc")]),
            (0, 3, [("CA-127", 3, 2, "apc")]),
            (Fraction(41, 10), 3, [("CA-127", 3, 2, "apc")]),
        ],
    )
    def test_while_a_third_is_left(self, spent, moved_until, found):
        """CA-121, CA-125, CA-127: of the turn of both."""
        for boards in (True, False):
            assert against(bob(), apc(moved_until=moved_until), spent, boards) == found

    @pytest.mark.parametrize(("boards", "what"), [(True, "to board"), (False, "to get off")])
    @pytest.mark.parametrize(("spent", "moved_until", "who"), [(5, 0, "bob"), (0, 3, "apc")])
    def test_who_is_late_is_told(self, boards, what, spent, moved_until, who):
        unit, carrier = bob(), apc(moved_until=moved_until)
        (late,) = transfer_breaches(table_of(unit, carrier), unit, carrier, Fraction(spent), boards=boards)
        assert late.message == f"{who} has used 3 thirds of the turn: {what} takes one that is not left"

    def test_how_late_can_be_set(self):
        assert against(bob(), apc(moved_until=2), tables={"transport.latest": 1}) == [("CA-127", 2, 1, "apc")]

    @pytest.mark.parametrize(
        ("fields", "options", "found"),
        [
            ({"damage_level": 1, "spent_translation": 8}, {}, []),
            ({"damage_level": 1, "spent_translation": 5, "spent_rotation": 4}, {}, [("CA-132", 9, 8, "apc")]),
            ({"spent_translation": 24}, {}, []),
            ({"damage_level": 1, "spent_translation": 9, "inches_covered": 8}, DISTANCE, []),
            ({"damage_level": 1, "inches_covered": 9}, DISTANCE, [("CA-132", 9, 8, "apc")]),
            ({"damage_level": 2}, {}, []),
            ({"damage_level": 2, "spent_translation": 1}, {}, [("CA-133", 1, 0, "apc")]),
            ({"damage_level": 2, "spent_rotation": 1}, {}, [("CA-133", 1, 0, "apc")]),
            ({"damage_level": 3, "spent_rotation": 1}, {}, [("CA-133", 1, 0, "apc")]),
        ],
    )
    def test_with_a_damaged_transport_that_was_slow(self, fields, options, found):
        """CA-131, CA-132, CA-133."""
        assert against(bob(), apc(**fields), options=options) == found

    @pytest.mark.parametrize(
        ("mobility", "altitude", "options", "found"),
        [
            ("jetpack", 12, {}, []),
            ("jetpack", 13, {}, [("CA-130", 13, 12, "apc")]),
            ("gravpack", 1, {}, [("CA-130", None, None, "apc")]),
            ("gravpack", 2, {"hover_transfer_types": ("gravpack",)}, []),
            ("gravpack", 3, {"hover_transfer_types": ("gravpack",)}, [("CA-130", 3, 2, "apc")]),
            ("on_foot", 0, {}, []),
        ],
    )
    def test_from_the_air(self, mobility, altitude, options, found):
        """CA-130."""
        unit = bob(mobility, altitude=altitude)
        assert against(unit, apc("helicopter", altitude=altitude), options=options) == found


class TestDoors:
    """CA-119."""

    @pytest.mark.parametrize(
        ("at", "fields", "doors", "far"),
        [
            ((-3, 0), {}, (), 1),
            ((-3.5, 0), {"base": 0.5}, (), 1),
            ((0, 3), {}, (), 2),
            ((-3, 0), {}, ((-2, 0), (2, 0)), 1),
            ((3, 0), {}, ((-2, 0), (2, 0)), 1),
            ((0, 1), {}, ((-2, 1), (2, 1)), 2),
            ((0, 2), {}, ((0, -1),), 3),
        ],
    )
    def test_how_far_off(self, at, fields, doors, far):
        assert distance_to_doors(bob(at=at, **fields), apc(doors=doors)) == pytest.approx(far)

    def test_where_they_are(self):
        """Ahead and to the left, as the transport faces."""
        for heading, places in ((0, [(7, 6), (3, 4)]), (90, [(4, 7), (6, 3)]), (180, [(3, 4), (7, 6)])):
            carrier = apc(at=(5, 5), doors=((2, 1), (-2, -1)), heading=heading)
            assert door_places(carrier) == [pytest.approx(place) for place in places]
        assert door_places(apc()) == []

    @pytest.mark.parametrize(
        ("at", "options", "needed"), [((-3, 0), {}, None), ((-3.1, 0), {}, 1.1), ((-3.1, 0), {"door_radius": 2}, None)]
    )
    def test_how_near(self, at, options, needed):
        found = against(bob(at=at), apc(), options=options)
        radius = options.get("door_radius", 1)
        assert found == ([] if needed is None else [("CA-119", pytest.approx(needed), radius, "apc")])

    def test_not_from_a_floor(self):
        assert against(bob(floor=1), apc()) == [("CA-119", 1, 0, "apc")]

    @pytest.mark.parametrize(("altitude", "found"), [(1, []), (Fraction(5, 4), [("CA-119", Fraction(5, 4), 1, "apc")])])
    def test_nor_from_far_above_or_below(self, altitude, found):
        assert against(bob("jetpack", altitude=altitude), apc()) == found
        hovering = apc("helicopter", altitude=altitude)
        assert against(bob("jetpack"), hovering) == found

    def test_what_is_told(self):
        """The place of the piece, at which something is missing."""
        unit, carrier = bob("jetpack", (-4, 0), altitude=2, floor=1), apc()
        found = list(transfer_breaches(table_of(unit, carrier), unit, carrier, Fraction(0), boards=True))
        assert [(one.message, one.place) for one in found] == [
            ("bob is 2 inches from the hull of apc", (-4, 0)),
            ("bob is on floor 1", (-4, 0)),
            ("bob is 2 inches above or below apc", (-4, 0)),
        ]
        door = list(
            transfer_breaches(
                table_of(unit, apc(doors=((-1, 0),))), unit, apc(doors=((-1, 0),)), Fraction(0), boards=True
            )
        )
        assert door[0].message == "bob is 3 inches from a door of apc"


class TestAboard:
    @pytest.mark.parametrize(("busy", "kept"), [(0, 2), (1, 2), (3, 3)])
    def test_boarding(self, busy, kept):
        """CA-117, CA-118, CA-121: side by side with others, the latest end counts."""
        unit, carrier = bob("jetpack", altitude=1), apc(busy_until=busy)
        aboard, taking = boarding(table_of(unit, carrier), unit, carrier, Fraction(8))
        assert aboard == {"place": None, "carrier": "apc", "altitude": 0, "transferred": "loaded", "busy_until": 2}
        assert taking == {"busy_until": kept}
        assert type(aboard["busy_until"]) is int

    def test_getting_off(self):
        """CA-119, CA-130: at the altitude of the transport, with what the clock leaves."""
        unit = piece("bob", "jetpack", None, carrier="apc")
        carrier = apc("helicopter", altitude=4, moved_until=1, heading=30)
        table = table_of(unit, carrier)
        down = put_beside(table, unit, (3, 0), 45).unit("bob")
        assert (down.place, down.heading, down["altitude"], down.carrier) == ((3, 0), 45, 4, "")
        assert (down["transferred"], down["busy_until"]) == ("unloaded", 2)
        for said, heading in (({"heading": 60}, 60), ({}, 30)):
            order = Order("bob", "move", [Element("unload", {"at": (3, 0), **said}), Element("forward", {"inches": 1})])
            there = set_down(table, order).unit("bob")
            assert (there.place, there.heading, there["busy_until"]) == ((3, 0), heading, 2)
