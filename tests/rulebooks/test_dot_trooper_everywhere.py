"""Reach against play under every option, a smaller and a larger value of each figure, at any moment of a turn."""

import pytest
from dot_trooper_moments import Chance, Moment
from dot_trooper_positions import Position, all_changes, all_figures, all_option_values
from dt_games import bike, centred, game, trooper

#: Figures that decide what can be reached on foot and in the air, and those of drives; the rest decides neither.
ON_FOOT = ("foot", "flight", "activity", "movement", "trooper_hp_table")
OF_DRIVES = ("mode", "movement", "drive", "turn", "check", "class", "vehicle_hp_table", "trooper_hp_table", "flight")
#: Options that say something about drives.
DRIVING = {"forward_before_turn", "minimum_stop", "partial_segments", "stop_dots", "swing_check", "stop_check_at"}
#: Options that say something about the way into a saddle.
MOUNTING = {"cap_counts", "mount_reach", "pass_through_units", "flight_path", "flight_length", "jetpack_penalty_timing"}
#: What neither walk nor drive looks at by itself, but together: found by the long run, and kept.
TOGETHER = [
    ({"forward_before_turn": "once_per_move"}, {"check.turn.60": 7}),
    ({"forward_before_turn": "once_per_move", "swing_check": "end_only"}, {"turn.120": 0, "check.turn.120": 0}),
    ({"minimum_stop": "allowed_2ap_no_check"}, {"turn.120": 0}),
    ({"minimum_stop": "allowed_2ap_no_check", "stop_check_at": "start_of_stop"}, {"turn.120": 0}),
    ({"minimum_stop": "allowed_2ap_no_check"}, {"mode.minimum.most": 4}),
    ({"minimum_stop": "allowed_2ap_no_check"}, {"turn.60": 1}),
    ({"stop_dots": "m_per_ap"}, {"drive.stop": 3}),
    ({}, {"mode.cruise.least": 3, "mode.max.least": 7}),
]
CRAWLING = {"foot.standing": 3, "foot.prone": 1, "activity.activate_jet_pack": 1, "movement.cap": 4}
#: Where crawling is the cheaper way, one that takes more AP may leave more of the cap for a drive.
SLOW_WALKS = {"foot.standing": 3, "foot.prone": 1, "movement.cap": 6, "trooper_hp_table.ap": [12] * 10 + [0]}
INTO_THE_SADDLE = [
    (4, {"pass_through_units": "friends"}, {"foot.standing": 3, "foot.prone": 1, "movement.cap": 4}),
    (19, {}, SLOW_WALKS | {"foot.posture": 2, "movement.cap": 5}),
    (51, {"pass_through_units": "friends"}, SLOW_WALKS | {"foot.posture": 2, "movement.cap": 5}),
    (63, {"minimum_stop": "allowed_2ap_no_check"}, SLOW_WALKS),
    (81, {"jetpack_penalty_timing": "next_turn"}, SLOW_WALKS),
]


def named(case):
    return " ".join(f"{name}={value}" for name, value in case.items()).replace(" ", "") or "as written"


def of(changes, groups):
    return [change for change in changes if next(iter(change)).split(".")[0] in groups]


@pytest.mark.sampled
@pytest.mark.parametrize("options", [{}, *all_option_values()], ids=named)
def test_drives_under_every_option(options):
    """DT-59 to DT-96; what says something about drives is asked of the reference engine, too."""
    for seed in range(2):
        engines = ("numpy", "networkx") if seed == 1 and set(options) & DRIVING else ("numpy",)
        Position(seed, options).check_drive(3 - seed, engines)


@pytest.mark.parametrize("options", [{}, *all_option_values()], ids=named)
def test_turns_on_foot_under_every_option(options):
    """DT-6 to DT-16, DT-28, DT-64, DT-162 to DT-165."""
    for seed in range(2):
        engines = ("numpy", "networkx") if seed == 0 else ("numpy",)
        Position(seed, options).check_foot(engines=engines)


@pytest.mark.parametrize("figures", of(all_changes(), OF_DRIVES), ids=named)
def test_drives_with_figures_smaller_and_larger(figures):
    """DT-62, DT-64, DT-84, DT-91, DT-161."""
    Position(1, {}, figures).check_drive(2)


@pytest.mark.parametrize("figures", of(all_changes(), ON_FOOT), ids=named)
def test_turns_on_foot_with_figures_smaller_and_larger(figures):
    """DT-6, DT-7, DT-8, DT-13, DT-64, DT-164."""
    Position(2, {}, figures).check_foot()


@pytest.mark.sampled
@pytest.mark.parametrize(("options", "figures"), TOGETHER, ids=named)
def test_drives_under_options_and_figures_that_meet(options, figures):
    """DT-78, DT-81, DT-91: free turns with a check come round, and a stop that takes none can hold one that does."""
    for seed in range(4):
        Position(seed, options, figures).check_drive(2)


def test_crawling_that_is_cheaper_than_walking_pays_before_a_flight_and_after_it():
    """DT-64, DT-164."""
    for seed in range(6):
        Position(seed, {}, {**CRAWLING, "trooper_hp_table.ap": [12] * 10 + [0]}).check_foot()


@pytest.mark.sampled
@pytest.mark.parametrize(("seed", "options", "figures"), INTO_THE_SADDLE)
def test_a_dearer_walk_to_a_vehicle_may_leave_more_for_the_drive(seed, options, figures):
    """DT-58, DT-64: of the ways into the saddle a drive takes the cheapest that leaves enough for it."""
    engines = ("numpy", "networkx") if seed == 4 else ("numpy",)
    assert Position(seed, options, figures).check_saddle(2 + seed % 2, engines)


def test_walks_into_the_saddle_under_options():
    """DT-55, DT-57, DT-58, DT-60, DT-64."""
    mounting = [one for one in all_option_values() if set(one) & MOUNTING]
    assert sum(Position(seed, options).check_saddle(2) for seed in (2, 4, 6) for options in mounting) > 300
    assert Position(0).check_saddle(2)


#: Moments in which somebody has driven, was wiped out, crawled out, fell out of the air or was shot.
MOMENTS = (62, 65, 67, 70, 72, 74, 77, 81)


def test_in_the_middle_of_a_turn():
    """DT-28, DT-55, DT-59, DT-131 to DT-135, DT-162: all questions about everybody, after some orders."""
    assert sum(Moment(seed).check(("numpy", "networkx") if seed == 72 else ("numpy",)) for seed in MOMENTS) > 50


def test_a_question_is_answered_as_if_its_order_had_not_begun():
    """A drive stops at each of its questions; where one could go is asked of the table before it."""
    stopped = 0
    for seed in MOMENTS:
        moment = Moment(seed)
        table = moment.opening()
        before = {unit.id: totals(table, unit.id) for unit in table.state if unit.type == "trooper"}
        drives = [order for order in table.legal("A1") if order.action == "drive"]
        if not drives:
            continue
        table.answers = None
        table.do(moment.dice.choice(drives))
        for _ in range(3):
            if table.question is None:
                break
            stopped += 1
            assert {name: totals(table, name) for name in before} == before
            table.answer(Chance(moment.dice).answer(table.question, None).value)
    assert stopped >= 3


def totals(table, name):
    reach = table.reach(name, "turn")
    return {(end["place"][0], end["place"][1], end["heading"], end["cost"]) for end in reach.end_fields()}


def test_no_figure_is_forgotten():
    """Each figure is a number or a row of numbers; a mode named by a word and a list of weapons are none."""
    groups = {path.split(".")[0] for path in all_figures()}
    assert groups == {*ON_FOOT, *OF_DRIVES, "vehicle_activity", "attack"}


class TestOneOfTwoOnADot:
    """DT-133, DT-165: who has crawled out shares the rear dot with the vehicle, and may act there."""

    def lying(self, **fields):
        units = bike(place=(0, 0), rider=None, posture="prone", motion="stopped")
        return game([*units, trooper("A1", place=(-1, 0), **fields)], centred(9))

    def test_it_lies_down_and_gets_up_where_it_is(self):
        table = self.lying()
        assert table.breaches("A1 foot_move: lie_down") == []
        assert table.reach("A1", "foot_move").cost_at((-1, 0), posture="prone") == 1
        up = self.lying(posture="prone")
        assert up.reach("A1", "foot_move").cost_at((-2, 0), posture="standing") == 2
        assert up.breaches("A1 foot_move: stand_up, step -2,0") == []

    def test_it_takes_off_from_there(self):
        table = self.lying(jet_pack="worn")
        order = "A1 activate_jet_pack: fly -2,0 -3,0 -4,0 -5,0 -6,0 -7,0"
        assert table.breaches(order) == []
        assert (-7, 0) in table.reach("A1", "activate_jet_pack")
        assert table.reach("A1", "turn").cost_at((-7, 0)) == 3

    def test_once_it_has_left_it_does_not_come_back(self):
        table = self.lying()
        assert [one.clause for one in table.breaches("A1 foot_move: step -2,0, step -1,0")] == ["DT-165"]
        reach = table.reach("A1", "foot_move")
        assert reach.orders_to((-3, 0))[0].elements[0]["to"] == (-2, 0)
