"""What can come of one plan, reckoned beforehand and played with all dice: the register's section on dice."""

from fractions import Fraction

import pytest
from dt_games import bike, blocked, centred, game, random_map, rear, trooper
from exhaustive_dot_trooper import World

from simulator.engine.errors import TableError
from simulator.geometry.dots import Edge
from simulator.rulesets.dot_trooper.outcomes import exits, played_out, rest_distribution
from simulator.rulesets.dot_trooper.units import vehicle_hp


def test_a_turn_of_120_ends_where_it_leads_or_in_its_skid():
    """DT-86, DT-87, DT-123: 26 of 36 pass; the others slide three dots in cruise, rear as after 60 degrees."""
    table = game(bike(place=(20, 20)))
    rests = rest_distribution(table, "A1 drive cruise: move, left 120, move")
    assert rests == {
        ((23, 17), 120, "upright", "moving"): Fraction(26, 36),
        ((26, 20), 60, "prone", "stopped"): Fraction(10, 36),
    }


def test_two_checks_give_three_rests_and_add_up_to_one():
    """DT-91, DT-96, DT-160: what fails first ends the movement."""
    table = game(bike(place=(20, 20)))
    rests = rest_distribution(table, "A1 drive max: move, left 120, move, move, stop", "bike")
    assert sum(rests.values()) == 1
    assert len(rests) == 3
    assert rests[(20 + 3, 20 - 9), 120, "upright", "stopped"] == Fraction(26, 36) * Fraction(33, 36)


def foreseen(table, order):
    """What is reckoned beforehand: rests with what was hit, armor and HP, each with its chance."""
    found = {}
    for one in exits(table.ready_table("A1"), table.read(order) if isinstance(order, str) else order):
        assert (one.failed == "") == (one.posture == "upright")
        for hp, share in one.hp:
            posture = "wrecked" if hp < 0 else one.posture
            points = one.damage if one.rider_kind == "lethal" else 0
            key = one.front, one.heading, posture, one.motion, one.hit, one.dots, one.armor, hp, points
            found[key] = found.get(key, Fraction(0)) + one.chance * share
    return {key: chance for key, chance in found.items() if chance}


def happened(table, order):
    """What comes of playing the order with every result of every roll."""
    found = {}
    hurt_before = 10 - len(table.state.unit("A1")["crossed"])
    for end, chance in played_out(table, order):
        unit, rider = end.state.unit("bike"), end.state.units["A1"]
        skids = [event.detail for event in end.happened.events if event.kind == "wipes out"]
        hit, dots = (skids[0]["hit"], skids[0]["dots"]) if skids else ("", 0)
        armor = 4 if unit["armor"] is None else unit["armor"]
        lost = hurt_before - (10 - len(rider["crossed"]))
        key = unit.place, unit.heading, unit["posture"], unit["motion"], hit, dots, armor, vehicle_hp(unit), lost
        found[key] = found.get(key, Fraction(0)) + chance
    return found


OPTIONS = [
    {},
    {"stop_check_at": "start_of_stop"},
    {"skid_units": "all_block"},
    {"skid_units": "none_block"},
    {"wipeout_damage_kind": "bludgeoning_to_trooper"},
    {"swing_check": "end_only"},
    {"stop_dots": "m_per_ap"},
    {"minimum_stop": "allowed_2ap_no_check"},
]


class TestExits:
    """DT-118 to DT-128: where a skid would lead, what it would hit and what it would break, before the move."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("options", OPTIONS, ids=str)
    @pytest.mark.parametrize("mode", ["cruise", "max"])
    def test_they_are_what_all_dice_give(self, mode, options):
        """On generated maps with another vehicle and troopers in the way, for the surest and the cheapest plans."""
        seen = set()
        for seed in range(4):
            board = random_map(seed + 60, 6, share=0.06)
            world, dots = World(board), sorted(board.places())
            front = next(
                dot
                for dot in dots[len(dots) // 3 :]
                if world.dot_ok(dot) and world.dot_ok(rear(dot, 0)) and world.edge_ok(dot, rear(dot, 0))
            )
            units = bike(place=front, armor=seed % 2 * 2)
            free = [dot for dot in dots if world.dot_ok(dot) and dot not in (front, rear(front, 0))]
            units += [trooper("B1", "blue", free[len(free) // 2]), trooper("A2", "red", free[-len(free) // 3])]
            table = game(units, board, options=options)
            reach = table.reach("A1", "drive", mode=mode)
            for pose in sorted(reach.poses, key=str)[:: 37 if mode == "cruise" else 223]:
                (order,) = reach.orders_to(pose, motion=pose.motion)
                assert foreseen(table, order) == happened(table, order)
                told = reach.exits_to(pose, motion=pose.motion)
                assert sum(one.chance for one in told) == 1
                assert told[-1].chance == reach.chance_at(pose, motion=pose.motion)
                seen |= {one.hit for one in told if one.failed}
        assert "" in seen

    def test_what_is_hit_is_named_and_hurts_more(self):
        """DT-128, DT-140: an obstacle, another vehicle and a wall stop the skid; all take the damage of a ram."""
        wall = Edge("wall", (5, 0), (6, 0))
        for special, edges, others, hit, dots in (
            (blocked((5, 0)), (), [], "an obstacle", 1),
            ((), (wall,), [], "wall", 2),
            ((), (), bike("foe", "blue", (6, 0), 0, rider=None, motion="stopped"), "foe", 1),
        ):
            table = game([*bike(place=(0, 0)), *others], centred(12, special=special, edges=edges))
            failed, passed = exits(table.ready_table("A1"), table.read("A1 drive cruise: stop"))
            assert (failed.hit, failed.dots, failed.damage, failed.at) == (hit, dots, 3, (3, 0))
            assert (failed.failed, failed.clause, failed.chance) == ("stop", "DT-93", Fraction(3, 36))
            assert f"stopped by {hit}" in str(failed)
            assert passed.failed == ""
            assert "upright" in str(passed)

    def test_a_check_rolled_before_the_stop_fails_before_its_turn(self):
        """DT-96, DT-122: by option the check comes first; no turn was made yet, so the rear stays."""
        table = game(bike(place=(0, 0)), centred(14), options={"stop_check_at": "start_of_stop"})
        order = "A1 drive cruise: stop, left 120"
        failed, passed = exits(table.ready_table("A1"), table.read(order))
        assert (failed.front, failed.heading, failed.failed) == ((3, 0), 0, "stop 120")
        assert (passed.front, passed.heading) == ((3, 0), 120)
        assert foreseen(table, order) == happened(table, order)

    def test_attacks_on_the_way_are_played_instead(self):
        """DT-143: what a ram breaks is for dice."""
        table = game([*bike(place=(0, 0)), trooper("B1", "blue", (4, 0))], centred(14))
        with pytest.raises(TableError, match="rest_distribution"):
            exits(table.ready_table("A1"), table.read("A1 drive minimum: move, ram B1"))
        rests = rest_distribution(table, "A1 drive minimum: move, ram B1")
        assert rests[(3, 0), 0, "upright", "moving"] == Fraction(26, 36)
        assert sum(rests.values()) == 1
