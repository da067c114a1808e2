"""What pieces of combined_arms may still do after something: fire after an overrun or a rotation, board when hit."""

import pytest
from arms_games import RULESET, arms_game, piece

from simulator.geometry.pieces import Piece, rectangle
from simulator.geometry.poses import Pose

HIT, MISS = 12, 2
SO_FAR = {"own_fire_band": "so_far"}


def game(*units, **settings):
    return arms_game(*units, data={"initiative": tuple(unit.id for unit in units)}, **settings)


def gun(at=(0, 20)):
    return piece("G", "tracked", at, "blue", weapon_range=90)


def tank(mobility="grav", at=(0, 0), **fields):
    return piece("A", mobility, at, **{"armored": True, "base": 0.5, "size_class": 6, **fields})


def clauses(table, order):
    return [breach.clause for breach in table.breaches(order)]


def told(happened):
    return [str(entry) for entry in happened.events]


class TestOverruns:
    def man(self, **fields):
        return piece("B", "on_foot", (5, 0), "blue", base=0.5, weapon_range=30, **fields)

    def test_a_target_fires_until_it_is_overrun(self):
        """CA-102, CA-110: half an inch behind its middle."""
        here = game(tank(weapon_range=50), self.man(), piece("E", "on_foot", (40, 40), "blue"))
        happened = here.do("A move over B: forward 8", [5.4, "stationary", MISS])
        assert str(happened.answered[0]) == "B: interceptive fire at 0,0 (CA-102): 5.4, at 5.4,0"
        assert "B" not in here.state.units
        here.undo()
        with pytest.raises(Exception, match=r"6 is not a valid answer; possible: from 0 to below 5\.5 inches"):
            here.do("A move over B: forward 8", [6])

    def test_a_target_that_is_overrun_cannot_be_fired_at(self):
        """CA-97, CA-110."""
        here = game(tank(weapon_range=50), self.man(), piece("E", "on_foot", (40, 40), "blue"))
        (breach,) = here.breaches("A move over B: forward 8, fire at B")
        assert (breach.clause, breach.message) == ("CA-97", "B is overrun by then")
        assert clauses(here, "A move over B: fire at B, forward 8") == []

    @pytest.mark.parametrize(
        ("before", "may"), [("descend 2", True), ("climb 1, descend 3", True), ("forward 1", False)]
    )
    def test_who_comes_down_may_overrun(self, before, may):
        """CA-111: it is at altitude 0 when it gets there."""
        here = game(tank(altitude=2), self.man())
        assert clauses(here, f"A move over B: {before}, forward 8") == ([] if may else ["CA-111"])

    def test_reach_overruns_after_a_descent(self):
        """CA-111."""
        here = game(tank(altitude=2), self.man())
        reach = here.reach("A", climbing=True, overrunning=True)
        assert reach.over == ("B",)
        (order,) = reach.orders_to(Pose((5.6, 0), None, 0))
        assert clauses(here, here.write(order)) == []

    def test_what_was_spent_over_a_foxhole_is_kept_when_a_shot_is_fired(self):
        """CA-108: two thirds of 30 in all, whoever fires meanwhile."""
        dug_in = piece("B", "on_foot", (10.5, 0), "blue", base=0.5, in_foxhole="hole")
        for order, answers in [
            ("A move over B: forward 11", [None]),
            ("A move over B: forward 11", [10.5, "stationary", MISS]),
            ("A move over B: forward 10.5, fire at G, forward 0.5", [None, MISS, None]),
        ]:
            here = game(tank("tracked", weapon_range=60), dug_in, gun((10.5, 20)))
            happened = here.do(order, answers)
            assert happened.ledger.total("inches") == 30
            assert "B" not in here.state.units


class TestShortages:
    @pytest.mark.parametrize("parts", [(35,), (4, 31), (4, 1, 30), (4.5, 0.5, 30)])
    def test_legs_one_after_the_other_run_short_as_one(self, parts):
        """CA-3, CA-106: 35 inches and 2 more over the man."""
        here = game(tank("wheeled"), piece("B", "on_foot", (5, 0), "blue", base=0.5))
        (breach,) = here.breaches(f"A move over B: {', '.join(f'forward {part}' for part in parts)}")
        assert (breach.clause, breach.needed, breach.available) == ("CA-3", 37, 36)

    @pytest.mark.parametrize("parts", [(35.5,), (3, 32.5), (3, 1, 31.5)])
    def test_so_do_they_over_a_tree(self, parts):
        """CA-3, CA-60."""
        tree = Piece("oak", "individual_tree", rectangle((5, 0), (0.2, 0.2)))
        here = game(tank("wheeled"), piece("B", "on_foot", (40, 40), "blue"), terrain=(tree,))
        (breach,) = here.breaches(f"A move: {', '.join(f'forward {part}' for part in parts)}")
        assert (breach.clause, breach.needed, breach.available) == ("CA-3", 36.5, 36)


class TestBands:
    def weapon(self, **fields):
        return piece("W", "crew_weapon", wheeled_chassis=False, weapon_range=60, **fields)

    def man(self):
        return piece("B", "on_foot", (10, 0), "blue")

    @pytest.mark.parametrize(
        ("order", "needs"),
        [
            ("turn_left 180, fire at B", 10),
            ("fire at B, turn_left 180", 10),
            ("turn_left 90, turn_left 90, fire at B", 10),
            ("turn_left 90, fire at B, turn_right 90", 8),
            ("fire at B, turn_left 135", 9),
            ("fire at B", 7),
        ],
    )
    def test_a_weapon_without_allowance_goes_by_its_widest_rotation(self, order, needs):
        """CA-97, CA-98: of the whole turn, those in one sense together."""
        here = game(self.weapon(), self.man())
        happened = here.do(f"W move: {order}", [MISS])
        assert f"needs {needs} or more" in str(happened.answered[0])

    def test_or_by_what_it_has_turned_so_far(self):
        """CA-98: own_fire_band."""
        here = game(self.weapon(), self.man(), options=SO_FAR)
        assert "needs 7 or more" in str(here.do("W move: fire at B, turn_left 180", [MISS]).answered[0])

    def test_its_rotation_counts_for_the_rest_of_the_turn(self):
        """CA-97, CA-102: until the turn ends."""
        here = game(self.weapon(), self.man(), piece("E", "on_foot", (40, 40), "blue"))
        here.do("W move: turn_left 180")
        happened = here.do("B move: forward 4", [1, MISS])
        assert "needs 11 or more" in str(happened.answered[-1])  # B is moderate by then
        here.do("E move: forward 1")
        assert here.state.unit("W")["widest_rotation"] == 0

    def test_it_keeps_to_the_band_that_it_declared(self):
        """CA-98: it fired before its move."""
        here = game(self.man(), self.weapon())
        here.do("B move: forward 1", [1, "slow", MISS])
        assert clauses(here, "W move: turn_left 90") == []
        assert clauses(here, "W move: turn_left 135") == ["CA-98"]
        assert clauses(here, "W move: turn_left 90, turn_left 45") == ["CA-98"]
        assert clauses(here, "W move: turn_left 90, turn_right 90") == []

    def test_there_is_no_band_to_name_where_what_is_spent_so_far_counts(self):
        """CA-98: own_fire_band."""
        for band in ("", " band stationary", " band fast"):
            here = game(tank(weapon_range=60), piece("E", "on_foot", (0, 30), "blue"), options=SO_FAR)
            happened = here.do(f"A move: forward 20, fire at E{band}, forward 10", [MISS])
            assert "A fires at E, moderate at 20,0 (CA-98)" in told(happened)


class TestWhoIsHit:
    def test_a_lander_comes_down_as_far_as_it_has_to(self):
        """CA-92, CA-153: 4 inches, of which it has paid for 12 less than it needs."""
        here = game(piece("A", "grav", None, enters_on=1, assault_lander=True), gun())
        here.do("A move: drop at 0,0 facing 0, descend 36", [20, "stationary", HIT])
        assert (here.state.unit("A")["altitude"], here.state.unit("A")["spent_translation"]) == (4, 32)
        assert not here.faults

    @pytest.mark.parametrize("inches", [5, 8])
    def test_who_has_to_land_does_so_where_it_may_stand(self, inches):
        """CA-80, CA-92."""
        friend = piece("F", "wheeled", (10, 0), base=2)
        here = game(piece("A", "grav", can_hover=False, base=1, damage_level=1), friend, gun((10, 30)))
        here.do("A move: climb 3, forward 17, descend 3", [None, inches, "stationary", HIT])
        assert here.state.unit("A")["altitude"] == 0
        assert not here.faults

    def test_who_comes_down_inside_the_board_does_not_leave_it(self):
        """CA-87, CA-138."""
        units = piece("A", "grav", (46, 0), altitude=3, damage_level=2, base=1), piece("F", "wheeled", (48, 0), base=2)
        here = game(*units, gun())
        here.do("A move: forward 2, leave_board", [2, "stationary", HIT])
        assert not here.state.unit("A")["left_board"]

    @pytest.mark.parametrize(
        ("unit", "cited"),
        [
            (piece("A", "wheeled", (48, 0), damage_level=3), "CA-87"),
            (piece("A", "crew_weapon", (48, 0), crew_present=0), "CA-16"),
            (piece("A", "crew_weapon", (48, 0), wheeled_chassis=False), "CA-16"),
        ],
    )
    def test_who_cannot_move_does_not_leave_either(self, unit, cited):
        assert clauses(game(unit, gun()), "A move: leave_board") == [cited]

    @pytest.mark.parametrize(("crew", "boards"), [(1, False), (2, False), (3, True)])
    def test_a_weapon_without_a_crew_does_not_board(self, crew, boards):
        """CA-16, CA-120, CA-121: with one man fewer 2.5 of 3 are all of the turn; of three, two still do it."""
        weapon = piece(
            "W", "crew_weapon", (4, 0), heading=180, crew_present=crew, crew_required=2 if crew == 3 else crew
        )
        truck = piece("T", "wheeled", (0, 0), base=1, rate_original=24)
        here = game(weapon, truck, gun())
        here.do("W move: forward 2.5, load T", [2.5, "stationary", HIT])
        assert here.state.unit("W").carrier == ("T" if boards else "")


class TestTransport:
    def test_who_boards_leaves_its_foxhole(self):
        """CA-108, CA-118."""
        men = [piece(name, "on_foot", (2, at), in_foxhole="hole") for name, at in (("C", 0), ("D", 1))]
        here = game(*men, piece("T", "wheeled", base=2), piece("E", "on_foot", (40, 40), "blue"))
        here.do("C move: load T")
        assert (here.state.unit("C")["in_foxhole"], here.state.unit("D")["in_foxhole"]) == ("", "hole")

    @pytest.mark.parametrize(("level", "most", "cited"), [(0, 16, "CA-121"), (1, 8, "CA-132"), (2, 0, "CA-133")])
    def test_what_leaves_a_transport_so_little(self, level, most, cited):
        """CA-121, CA-132, CA-133: a third of 24; slow; nothing."""
        man, truck = piece("C", "on_foot", (-2, 0)), piece("T", "wheeled", base=1, rate_original=24, damage_level=level)
        here = game(man, truck)
        here.do("C move: load T")
        assert clauses(here, f"T move: forward {most + 0.1}") == [cited]
        assert not most or clauses(here, f"T move: forward {most}") == []


class TestLanding:
    def pod(self):
        return RULESET.make_unit("P", "drop_pod", "red", None, 0, rate_original=24, size_class=3, enters_on=1)

    def test_reach_of_a_pod(self):
        """CA-149, CA-154: straight down, from as high as its rate, and nowhere else."""
        here = game(self.pod(), piece("E", "on_foot", (40, 40), "blue"))
        reach = here.reach("P", landing=True)
        assert reach.cost_at((0, 0)) == 24
        (order,) = reach.orders_to(Pose((0, 0), 77))
        assert here.write(order) == "P: drop at 0,0 facing 77, descend 24"
        assert clauses(here, here.write(order)) == []
        over_the_edge = here.reach("P")
        assert over_the_edge.cost_at((0, -48)) is None
        assert over_the_edge.why_not((0, -48)).reasons[0].clause == "CA-154"

    @pytest.mark.parametrize("hits", [1, 2, 3])
    @pytest.mark.parametrize(("fields", "certain"), [({"can_hover": False}, True), ({}, False), (None, True)])
    def test_who_has_to_land_does_so_however_often_it_is_hit(self, fields, certain, hits):
        """CA-92, CA-153: reach under fire says so, and play; one that can hover stops on its way down."""
        unit = self.pod() if fields is None else piece("P", "grav", None, enters_on=1, assault_lander=True, **fields)
        guns = [
            piece(name, "tracked", (0, at), "blue", weapon_range=90) for name, at in (("G", 20), ("H", 30), ("I", 40))
        ]
        here = game(unit, *guns)
        assert (here.reach("P", landing=True, hits=hits).cost_at((0, 0)) is not None) == certain
        down = "descend 24" if fields is None else "descend 36"
        shots = [3] * hits + [None] * (3 - hits) + ["stationary", HIT] * hits
        here.do(f"P move: drop at 0,0 facing 0, {down}", shots)
        unit = here.state.unit("P")
        assert unit.place == (0, 0)
        assert (unit["altitude"] == 0) == (certain or hits == 3)
        assert not here.faults

    @pytest.mark.parametrize("spent", [0, 2, 10])
    def test_who_went_round_has_less_left_to_descend(self, spent):
        """CA-146, CA-149: reach and orders agree."""
        options = {"delayed_entry": True}
        here = game(piece("A", "grav", None, enters_on=1, assault_lander=True), gun((46, 46)), options=options)
        if spent:
            here.do(f"A delay_entry {spent} toward north")
        reach = here.reach("A", landing=True, climbing=True)
        for altitude in (0, 2, 4):
            order = f"A move: drop at 0,0 facing 0, descend {36 - altitude}"
            known = (
                reach.cost_at(Pose((0, 0), None, altitude)) if f"{altitude}" in map(str, reach.level_names) else None
            )
            if clauses(here, order):
                assert known is None
            elif altitude == 0:
                assert known == 36 + spent

    def test_a_lander_that_has_halted_moves_on_as_ever(self):
        """CA-151: within its limit."""
        here = game(piece("A", "grav", None, enters_on=1, assault_lander=True), gun())
        down = "A move: drop at 0,0 facing 0, descend 34"
        assert clauses(here, f"{down}, forward 1, climb 1") == []
        assert clauses(here, f"{down}, climb 1") == ["CA-149"]
        assert clauses(here, f"{down}, forward 0.1, climb 3") == ["CA-3", "CA-153"]
