"""What happens to a vehicle whose movement is over: arcs for its weapons, and damage that comes later."""

import pytest
from dt_games import bike, centred, game, rear, shots_offered, trooper

LATER = {"mode_check_after_movement": True}


def driven(vehicle, options, foes=(), tables=None):
    """A game in which the vehicle of red has driven in `max`, at HP 7: one point more makes that mode impossible."""
    units = [*vehicle, *foes]
    table = game(units, centred(30), options=options, tables=tables)
    table.do("A1 drive max: move, move, move, move, move")
    table.do("A1 done")
    return table


def finished(table, order, rolls=12):
    """Give an order, every roll the same, nobody firing."""
    happened = table.do(order, answers=None)
    while table.question is not None:
        happened = table.answer(rolls if table.question.kind == "roll" else None)
    return happened.events


def fast(**fields):
    """A scout that has 15 dots before it, its last HP of `max` left and no armor."""
    return bike(place=(-15, 0), crossed=(8,), armor=0, **fields)


def rammed(options):
    foes = bike("foe", "blue", (-3, 1), rider="B1", motion="stopped")
    table = driven(fast(), options, foes)
    finished(table, "B1 drive minimum: start 3, ram bike", rolls=7)
    return table


def struck(options):
    foes = bike("foe", "blue", (-3, 1), rider="B1", motion="stopped", rider_fields={"weapon": "knife"})
    table = driven(fast(), options, foes)
    finished(table, "B1 drive minimum: start 3, strike bike", rolls=7)
    return table


def blown_up(options):
    flyer = trooper("B1", "blue", (-3, 3), jet_pack="worn", weapon="grenade")
    table = driven(fast(), options, [flyer])
    finished(table, "B1 activate_jet_pack: fly -2,2 -1,1 0,1, drop, fly 0,2 0,3 0,4")
    finished(table, "B1 done", rolls=7)
    return table


def shot(options):
    table = driven(fast(), options, [trooper("B1", "blue", (0, 3), weapon="pistol")])
    finished(table, "B1 done")
    finished(table, "A1 done")
    table.do("B1 standard_fire bike", [12, 7])
    while table.question is not None:
        table.answer(7)
    return table


@pytest.mark.parametrize("harm", [rammed, struck, blown_up, shot])
def test_damage_of_every_kind_after_the_movement_counts_by_option(harm):
    """DT-108: a ram, a blow, a blast, a shot; by default none of them wipes out what has moved."""
    after = harm({}).state.unit("bike")
    assert (after["posture"], after["motion"], after.place) == ("upright", "moving", (0, 0))
    assert min(after["crossed"]) < 8
    fallen = harm(LATER).state.unit("bike")
    assert (fallen["posture"], fallen["motion"], fallen.place) == ("prone", "stopped", (6, 0))


def test_it_counts_until_the_next_mode_is_chosen():
    """DT-108, DT-66: in the next turn before its own movement too; the mode is that of the turn before."""
    for options, posture in (({}, "upright"), (LATER, "prone")):
        ram = bike("foe", "blue", (-3, 1), rider="B1", motion="stopped")
        waiting = bike(place=(0, 0), crossed=(8,), armor=0, last_mode="max")
        table = game([*ram, *waiting], centred(30), options=options)
        assert table.table.clock.phase.name == "movement of blue"
        finished(table, "B1 drive minimum: start 3, ram bike", rolls=7)
        assert table.state.unit("bike")["posture"] == posture
    # Once a lower mode is chosen the same damage leaves it alone.
    table = game([*waiting, *ram], centred(30), options=LATER)
    table.do("A1 drive minimum: move")
    table.do("A1 done")
    assert table.state.unit("bike")["mode"] == "minimum"
    finished(table, "B1 drive cruise: start 3, move 3, ram bike", rolls=7)
    assert min(table.state.unit("bike")["crossed"]) < 8
    assert table.state.unit("bike")["posture"] == "upright"


def test_only_damage_that_makes_the_mode_impossible_counts():
    """DT-108: armor that goes, a card that was too low before, a vehicle at rest: none of them wipes out."""
    for fields in (
        {"armor": 4, "crossed": (8,), "last_mode": "max"},
        {"armor": 1, "crossed": (7,), "last_mode": "max"},
        {"armor": 0, "crossed": (8,), "last_mode": "max", "motion": "stopped"},
        {"armor": 0, "crossed": (8,), "last_mode": "cruise"},
    ):
        foes = bike("foe", "blue", (-3, 1), rider="B1", motion="stopped")
        table = game([*foes, *bike(place=(0, 0), **fields)], centred(30), options=LATER)
        finished(table, "B1 drive minimum: start 3, ram bike", rolls=7)
        assert table.state.unit("bike")["posture"] == "upright", fields


class TestArcsAfterTheLastAp:
    """DT-158: giving arcs takes no AP, so none have to be left."""

    def truck(self, **rider):
        units = bike(place=(-16, 0), rider_fields=rider, **{"class": "assault"})
        return game([*units, trooper("A2", "red", (0, 9)), trooper("B1", "blue", (9, 9))], centred(30))

    LAST = "A1 drive max: move, move, move, move, move, move, move, move"

    def test_the_go_lasts_until_they_are_given(self):
        table = self.truck()
        table.do(self.LAST)
        assert table.state.unit("A1")["ap_spent"] == 8
        assert table.table.clock.unit == "A1"
        assert "A1 give_arcs" in [table.write(order) for order in table.legal("A1")]
        happened = table.do("A1 give_arcs")
        assert happened.ledger.total("AP") == 0
        assert len(table.state.unit("bike")["arcs"]) == 2
        assert table.table.clock.unit == ""
        assert [one.clause for one in table.breaches("A1 give_arcs")] == ["DT-168"]

    def test_nobody_has_to_give_them(self):
        table = self.truck()
        table.do(self.LAST)
        table.do("A2 foot_move: step 1,9")
        assert table.state.unit("bike")["arcs"] == ()
        assert [one.clause for one in table.breaches("A1 give_arcs")] == ["DT-168"]

    def test_the_arcs_given_then_are_fired_in(self):
        table = self.truck()
        table.do(self.LAST)
        table.do("A1 give_arcs")
        table.do("A2 done")
        table.do("B1 foot_move: step 9,8", answers=None)
        assert shots_offered(table)[:1] == [("A1", "DT-97", (9, 8))]

    def test_weapons_that_are_dead_keep_no_go_open(self):
        """DT-35: at HP 0 there is nothing to give; nor is there under a vehicle that lies."""
        table = self.truck()
        table.do("A1 drive cruise: move, stop", [2])
        assert table.state.unit("bike")["posture"] == "prone"
        assert [one.clause for one in table.breaches("A1 give_arcs")] == ["DT-158"]

    def test_a_passenger_gives_them_too(self):
        units = bike(place=(-16, 0), **{"class": "assault"})
        guest = trooper("A2", "red", rear((-16, 0), 0), aboard="bike", seat="passenger", ap_bonus=-8)
        table = game([*units, guest, trooper("B1", "blue", (9, 9))], centred(30))
        table.do(self.LAST)
        table.do("A1 done")
        assert table.breaches("A2 give_arcs") == []


def test_an_attack_whose_target_has_gone_elsewhere_is_left_out():
    """DT-138, DT-173: what a ram sends skidding can be out of range or reach of the attacks planned for it."""
    foes = bike("foe", "blue", (4, 1), rider="B1", crossed=(8,), armor=0, last_mode="max")
    units = bike(place=(0, 0), rider_fields={"weapon": "pistol"})
    rules = {"options": {"ram_limit": "unlimited", **LATER}, "tables": {"weapon.pistol.range": [1, 2, 3]}}
    table = game([*units, *foes], centred(40), **rules)
    order = "A1 drive minimum: move, ram foe, ram foe, fire foe"
    assert table.breaches(order) == []
    events = [event.kind for event in finished(table, order, rolls=7)]
    assert (events.count("rams"), events.count("fires"), events.count("ends")) == (1, 0, 1)
    assert table.state.unit("foe").place == (10, 1)
    assert table.state.unit("A1")["ap_spent"] == 1
