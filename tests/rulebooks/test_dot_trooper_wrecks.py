"""Hits that cross out the last cell of a vehicle: on the move it wipes out, as at HP 0, and lies there as a wreck."""

import pytest
from dt_games import bike, centred, game, trooper

from simulator.engine.questions import Roll

#: The cell from which three points leave HP 0, and the one from which they leave none.
LAST, NONE = 3, 2
AHEAD = {"minimum": "move", "cruise": "move, move", "max": "move, move, move, move, move"}


def hit(place, mode, cell, options=None, tables=None, foes=1, first="move", **fields):
    """Drive straight ahead from 0,0 past rifles that cover one dot; one is fired, and hits."""
    units = bike(place=(0, 0), armor=0, **fields)
    units += [trooper(f"E{number}", "blue", (5 + number, 4), arc=[place]) for number in range(foes)]
    table = game(units, centred(30), options=options, tables=tables)
    return played(table, f"A1 drive {mode}: {AHEAD[mode].replace('move', first, 1)}", ["bike", 12, cell])


def rammed(mode, cell, options=None):
    """Ram a trooper with a vehicle that has no armor left, so that it takes the damage of the ram itself."""
    units = [*bike(place=(0, 0), armor=0), trooper("B1", "blue", (4, -1))]
    table = game(units, centred(30), options=options, tables={f"mode.{mode}.ramming_damage": 3})
    first, _, rest = AHEAD[mode].partition(", ")
    return played(table, f"A1 drive {mode}: {first}, ram B1{rest and f', {rest}'}", [cell])


def played(table, order, answers):
    """Give an order and its first answers; every later roll shows a 7, nobody fires again."""
    table.do(order, answers=None)
    answers = list(answers)
    while table.question is not None:
        table.answer(answers.pop(0) if answers else 7 if isinstance(table.question, Roll) else None)
    return table


def wiped_out(table):
    """Where and how a vehicle wiped out, and what the driver took."""
    (event,) = [one for one in table.events if one.kind == "wipes out"]
    return dict(event.detail), event.place, table.state.unit("A1")["crossed"]


MOVES = [((3 * number, 0), mode) for mode in AHEAD for number in range(3) if (number, mode) != (2, "minimum")]


class TestOnTheMove:
    """DT-35, DT-108, DT-118: no mode is left to a wreck, so it skids like a vehicle of HP 0."""

    @pytest.mark.parametrize("removed", [False, True])
    @pytest.mark.parametrize(("place", "mode"), MOVES)
    def test_a_shot_makes_it_skid_as_far_as_at_hp_0(self, place, mode, removed):
        options = {"wreck_removed": removed}
        left, wreck = (hit(place, mode, cell, options) for cell in (LAST, NONE))
        assert wiped_out(wreck) == wiped_out(left)
        assert wiped_out(wreck)[0]["cause"] == "mode_invalid"
        assert wiped_out(wreck)[0]["dots"] == {"minimum": 0, "cruise": 3, "max": 6}[mode]
        rider = wreck.state.unit("A1")
        assert (rider["posture"], rider.carrier) == (("prone", "") if removed else ("under_vehicle", "bike"))
        assert ("bike" in wreck.state.units) != removed
        if not removed:
            bike_ = wreck.state.unit("bike")
            assert (bike_["posture"], bike_["motion"], bike_.place) == ("wrecked", "stopped", wiped_out(wreck)[1])

    @pytest.mark.parametrize("removed", [False, True])
    @pytest.mark.parametrize("mode", AHEAD)
    def test_its_own_ram_does_too(self, mode, removed):
        """DT-142, DT-143: with no armor it takes the damage of the ram; no check follows the wipe-out."""
        left, wreck = (rammed(mode, cell, {"wreck_removed": removed}) for cell in (LAST, NONE))
        assert wiped_out(wreck) == wiped_out(left)
        assert not any("control check" in str(one) for one in wreck.happened.answered)
        assert [one.kind for one in wreck.events if one.kind in ("wipes out", "wrecked")] == ["wipes out", "wrecked"]

    def test_before_the_first_dot_it_stays_where_it_stood(self):
        """DT-119: a vehicle shot at a full stop neither slides nor does any damage."""
        wreck = hit((0, 0), "minimum", NONE, first="start", motion="stopped")
        assert wiped_out(wreck) == wiped_out(hit((0, 0), "minimum", LAST, first="start", motion="stopped"))
        assert (wreck.state.unit("bike")["posture"], wreck.state.unit("A1")["crossed"]) == ("wrecked", ())

    def test_an_explosion_that_kills_the_driver_too(self):
        """DT-110, DT-118: tips over or not without its driver, nothing is left of the vehicle."""
        tables = {"weapon.rifle.kind": "explosive"}
        dying = {"crossed": (4,)}
        for options in ({}, {"stopped_driver_death": "stay_upright"}):
            how = {"first": "start", "motion": "stopped", "rider_fields": dying}
            wreck = hit((0, 0), "minimum", NONE, options, tables, **how)
            assert wreck.state.unit("A1")["posture"] == "dead"
            assert wreck.state.unit("bike")["posture"] == "wrecked"

    @pytest.mark.parametrize("cell", [LAST, NONE])
    def test_nobody_else_fires_at_what_wipes_out(self, cell):
        """DT-106, DT-108: the shot that takes its mode is the last, even where each unit has one of its own."""
        fallen = hit((3, 0), "cruise", cell, {"attack_cap": "per_firing_unit"}, foes=2)
        asked = [one for one in fallen.happened.answered if "fire at" in str(one)]
        assert len(asked) == 1
        assert fallen.state.unit("bike").place == (6, 0)

    def test_the_account_says_that_no_cell_is_left(self):
        told = [str(one) for one in hit((0, 0), "cruise", NONE).events if one.kind == "damaged"]
        assert told == ["bike is damaged by E0 at 0,0: 3 points, no HP cell left (DT-116)"]


def rammed_later(cell, options):
    """Be rammed after one's own movement, in max."""
    foes = bike("foe", "blue", (-3, 1), rider="B1", motion="stopped")
    table = game([*bike(place=(-15, 0), armor=0), *foes], centred(40), options=options)
    table.do("A1 drive max: move, move, move, move, move")
    table.do("A1 done")
    return played(table, "B1 drive max: start 3, ram bike, move, move, move, move", [cell])


@pytest.mark.parametrize("removed", [False, True])
def test_by_option_it_skids_after_its_movement_too(removed):
    """DT-108: damage of every kind counts then; by default a wreck stops where it is, with nobody hurt."""
    options = {"mode_check_after_movement": True, "wreck_removed": removed}
    wreck = rammed_later(NONE, options)
    assert wiped_out(wreck) == wiped_out(rammed_later(LAST + 2, options))
    assert wiped_out(wreck)[1:] == ((6, 0), (10, 9))
    assert ("bike" in wreck.state.units) != removed
    stopped = rammed_later(NONE, {}).state
    assert (stopped.unit("bike").place, stopped.unit("bike")["posture"]) == ((0, 0), "wrecked")
    assert stopped.unit("A1")["crossed"] == ()


class TestWhoLiftsIt:
    """DT-134, DT-157: by option only who rode a vehicle when it went down, passengers included, or jumped off it."""

    OPTIONS = {"lift_by": "former_rider", "dismount_moving": True}  # noqa: RUF012

    def lifters(self, fall, *aboard, **fields):
        """Who may lift a vehicle that fell with some aboard, each alone beside it in a new turn."""
        units = bike(place=(0, 0), **fields, **{"class": "assault"})
        if "P" in aboard:
            units.append(trooper("P", "red", (-1, 0), aboard="bike", seat="passenger"))
        units.append(trooper("A2", "red", (8, 1)))
        state = played(game(units, centred(30), options=self.OPTIONS), fall, [2, 2, 2]).state
        vehicle = state.unit("bike")
        assert vehicle["posture"] == "prone"
        beside = {"posture": "standing", "aboard": "", "seat": "", "place": (vehicle.place[0], vehicle.place[1] + 1)}
        able = []
        for name in (unit.id for unit in state if unit.type == "trooper"):
            alone = game([vehicle, state.unit(name).put(**beside)], centred(30), options=self.OPTIONS)
            able += [name] if not alone.breaches(f"{name} lift_vehicle bike") else []
        return able

    STOP = "A1 drive cruise: move, stop"

    def test_all_who_were_aboard(self):
        assert self.lifters(self.STOP) == ["A1"]
        assert self.lifters(self.STOP, "P") == ["A1", "P"]

    def test_a_driver_who_jumped_off(self):
        for last_mode in ("minimum", "cruise"):
            assert self.lifters("A1 dismount -2,0", last_mode=last_mode) == ["A1"]
            assert self.lifters("A1 dismount -2,0", "P", last_mode=last_mode) == ["A1", "P"]

    def test_those_who_rode_it_before_do_not_count(self):
        """A vehicle that has been lifted is nobody's until it is ridden again."""
        units = bike(place=(0, 0), rider=None, motion="stopped", posture="prone", former_riders=("A1",))
        table = game([*units, trooper("A1", place=(-1, 1))], centred(9), options=self.OPTIONS)
        table.do("A1 lift_vehicle bike")
        assert table.state.unit("bike")["former_riders"] == ()
