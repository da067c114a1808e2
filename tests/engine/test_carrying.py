"""Carriers and riders: who carries whom, who moves along, who stands on the table, and what cannot be."""

import random

import pytest
from ferry_ruleset import RULESET

from simulator.engine.carrying import carried, change_with_riders
from simulator.engine.errors import FaultyRule
from simulator.engine.events import Event, applied, change_unit, remove_unit
from simulator.engine.game import Game
from simulator.engine.state import State, Unit
from simulator.engine.table import Setting
from simulator.errors import FileError
from simulator.formats.scenarios import parse_scenario, scenario_text
from simulator.geometry.squares import SquareGrid


def units(**carriers):
    """A ferry, two lorries and two folk at 0,0; whoever is named is carried, and stands nowhere."""
    kinds = {"ferry": "ferry", "red1": "lorry", "red2": "lorry", "ann": "folk", "bob": "folk"}
    return [
        RULESET.make_unit(id, kind, "red", None if id in carriers else (0, 0), **_fields(carriers.get(id)))
        for id, kind in kinds.items()
    ]


def _fields(carrier):
    return {"carrier": carrier} if carrier else {}


def started(**carriers):
    return Game.new(RULESET, SquareGrid.open(9, 3), units(**carriers))


def names(found):
    return [unit.id for unit in found]


class TestWhoCarriesWhom:
    def test_riders_and_all_aboard_carriers_and_who_stands_on_the_table(self):
        state = started(red1="ferry", ann="red1", bob="red1").state
        assert names(state.riders("red1")) == ["ann", "bob"]
        assert names(state.riders("ferry")) == ["red1"]
        assert names(state.everybody_aboard("ferry")) == ["red1", "ann", "bob"]
        assert names(state.carriers_of("ann")) == ["red1", "ferry"]
        assert names(state.standing) == ["ferry", "red2"]
        assert state.carrier_of(state.unit("ann")).id == "red1"
        assert state.carrier_of(state.unit("ferry")) is None
        assert state.carriers_of("ferry") == state.riders("ann") == ()

    def test_random_carriers_agree_with_a_recount(self):
        dice = random.Random(16)
        for _ in range(200):
            count = dice.randrange(2, 9)
            above = {n: dice.choice([None, *range(n)]) for n in range(count)}
            state = State.of(
                Unit(f"u{n}", "box", place=(n, 0) if above[n] is None else None, fields={"carrier": _name(above[n])})
                for n in dice.sample(range(count), count)
            )
            chains = {n: [] for n in range(count)}
            for n in range(count):
                carrier = above[n]
                while carrier is not None:
                    chains[n].append(carrier)
                    carrier = above[carrier]
            for n in range(count):
                assert names(state.carriers_of(f"u{n}")) == [_name(m) for m in chains[n]]
                assert {*names(state.everybody_aboard(f"u{n}"))} == {_name(m) for m in chains if n in chains[m]}
                assert {*names(state.riders(f"u{n}"))} == {_name(m) for m in chains if above[m] == n}
            assert {*names(state.standing)} == {_name(n) for n in chains if above[n] is None}
            assert state.against_carriers() == {}

    def test_a_circle_ends_and_is_told(self):
        boxes = [Unit(id, "box", fields={"carrier": above}) for id, above in zip("abcd", "bcaa", strict=True)]
        state = State.of(boxes)
        assert names(state.everybody_aboard("a")) == ["c", "b", "d"]
        assert names(state.carriers_of("d")) == ["a", "b", "c"]
        told = state.against_carriers()
        assert list(told) == ["a", "b", "c"]
        assert told["a"] == "a would carry itself: it is carried by b, that by c, that by a"

    def test_units_without_a_carrier_are_written_as_ever(self):
        assert '"carrier"' not in Unit("ferry", "ferry").text
        state = started(ann="ferry").state
        assert State.from_text(state.text) == state
        assert State.from_text(state.text).unit("ann").carrier == "ferry"
        there = state.put_unit("ann", carrier="")
        assert there == started(ann="ferry").state.put_unit("ann", carrier="")
        assert there.position_hash != state.position_hash

    def test_another_word_for_it(self):
        ann = Unit("ann", "rider", fields={"aboard": ""})
        assert ann.put(carrier="bike") == ann.put(aboard="bike") == Unit("ann", "rider", fields={"aboard": "bike"})
        assert ann.put(carrier="bike").carrier == "bike"
        with pytest.raises(ValueError, match="'abroad' is not a field for a carrier; did you mean 'aboard'"):
            carried(word="abroad")

    def test_who_can_not_be_carried(self):
        with pytest.raises(ValueError, match="ferry cannot be carried: a ferry has no field"):
            Unit("ferry", "ferry").put(carrier="red1")


def _name(number):
    return "" if number is None else f"u{number}"


class TestWhoMovesAlong:
    def test_a_carrier_takes_along_everybody_aboard(self):
        game = started()
        for order in ("ann board red1", "red1 board ferry", "ferry: to 1,0, to 2,0"):
            game.do(order)
        assert [unit.place for unit in game.state] == [(2, 0), None, (0, 0), None, (0, 0)]
        assert names(game.table.absent(game.read("ann leave"))) == []
        assert "FE-1" in {breach.clause for breach in game.breaches("ann: to 1,0")}
        game.do("ann leave")
        assert (game.state.unit("ann").place, game.state.unit("ann").carrier) == ((2, 0), "")

    def test_riders_with_a_place_go_there_too(self):
        state = State.of(
            [Unit("bike", "bike", place=(0, 0)), Unit("ann", "rider", place=(0, 0), fields={"aboard": "bike"})]
        )
        moved = applied(state, Event("step", "bike", change_with_riders(state, "bike", place=(1, 0))))
        assert moved.unit("ann").place == (1, 0)
        behind = change_with_riders(state, "bike", place=(1, 0), aboard={"place": (0, 0), "tired": True})
        assert applied(state, Event("step", "bike", behind)).unit("ann")["tired"]
        assert applied(state, Event("step", "bike", behind)).unit("ann").place == (0, 0)
        turned = change_with_riders(state, "bike", heading=90)
        assert turned == [change_unit("bike", heading=90)]

    def test_pictures_show_carriers_with_whom_they_carry(self):
        game = started(red1="ferry", ann="red1")
        drawn = {one.unit: one.tokens for one in RULESET.draw(game.table)}
        assert drawn == {"ferry": ("with red1, ann",), "red2": (), "bob": ()}


class TestWhatBecomesOfThem:
    def test_the_rulebook_says(self):
        game = started(ann="red1", bob="red1")
        game.do("red1 sink")
        assert names(game.state.standing) == ["ferry", "red2", "ann", "bob"]

    def test_a_rule_that_forgets_them_is_at_fault_and_changes_nothing(self):
        game = started(ann="red1")
        before = game.state
        with pytest.raises(FaultyRule, match=r"vanishes.*there is no unit 'red1' to carry it"):
            game.do("red1 vanish")
        assert game.state is before

    @pytest.mark.parametrize(
        ("carrier", "told"),
        [
            ("red1", "red1 cannot carry itself"),
            ("ann", "red1 would carry itself: it is carried by ann, that by red1"),
            ("lorry", "red1: there is no unit 'lorry' to carry it"),
        ],
    )
    def test_events_close_no_circle(self, carrier, told):
        state = started(ann="red1").state
        with pytest.raises(FaultyRule, match=told):
            applied(state, Event("boards", "red1", [change_unit("red1", carrier=carrier)]))

    def test_two_changes_of_one_event_may_pass_through_what_can_not_stay(self):
        state = started(ann="red1").state
        event = Event("swap", "red1", [remove_unit("red1"), change_unit("ann", carrier="ferry")])
        assert applied(state, event).unit("ann").carrier == "ferry"


SCENARIO = """
format: 1
ruleset: ferry
board: {board: squares, legend: {".": {}}, rows: ". . . ."}
units:
  ferry: {type: ferry, side: red, at: [0, 0]}
  red1:
    type: lorry
    side: red
    carrier: ferry
  ann: {type: folk, side: red, carrier: red1}
turns:
  - - "ferry: to 1,0, to 2,0"
    - "ann leave"
    - expect: {units: {ann: {at: [2, 0], carrier: ""}, red1: {at: off, carrier: ferry}}}
"""


def scenario(text=SCENARIO):
    return parse_scenario(text, "river.yaml", {"ferry": RULESET})


class TestScenarioFiles:
    def test_say_what_carries_a_unit_and_expect_it(self):
        account = scenario().run()
        assert account.ok, account
        assert not scenario(SCENARIO.replace("carrier: ferry}", "carrier: ann}")).run().ok
        assert scenario(scenario_text(account.game)).run().ok

    @pytest.mark.parametrize(
        ("change", "line", "told"),
        [
            (
                ("carrier: ferry\n", "carrier: fery\n"),
                10,
                "units.red1.carrier: red1: there is no unit 'fery' to carry it; did",
            ),
            (("carrier: ferry\n", "carrier: red1\n"), 10, "units.red1.carrier: red1 cannot carry itself"),
            (
                ("carrier: ferry\n", "carrier: ann\n"),
                10,
                "units.red1.carrier: red1 would carry itself: it is carried by ann",
            ),
            (("ferry, side", "ferry, carrier: ann, side"), 6, "units.ferry.carrier: no such field of a ferry"),
            (("carrier: ferry\n", "carrier: 5\n"), 10, "units.red1.carrier: expected a word, not 5 (FE-2)"),
            (('{at: [2, 0], carrier: ""}', "{carrier: [1]}"), 15, "ann.carrier: expected a unit (got [1])"),
        ],
    )
    def test_faults_stand_where_they_are(self, change, line, told):
        assert change[0] in SCENARIO
        with pytest.raises(FileError) as caught:
            scenario(SCENARIO.replace(*change))
        faults = [f"{fault.line} {fault.path}: {fault.message}" for fault in caught.value.faults]
        assert any(fault.startswith(f"{line} ") and told in fault for fault in faults), faults

    def test_a_position_set_up_in_python_is_looked_at_too(self):
        assert [str(fault.message) for fault in started(ann="red9").faults] == [
            "ann: there is no unit 'red9' to carry it; did you mean 'red2'? (known: ferry, red1, red2, ann, bob)"
        ]
        assert started(ann="red1").faults == ()

    def test_dot_troopers_ride_by_their_own_word_and_by_the_general_one(self):
        text = """
format: 1
ruleset: dot_trooper
board: {board: dots, legend: {".": {}}, rows: ". . . . ."}
units:
  bike: {type: vehicle, side: red, at: [2, 0], heading: 0}
  ann: {type: trooper, side: red, aboard: bike}
expect: {units: {ann: {at: [1, 0], aboard: bike, carrier: bike}}}
"""
        own, general = parse_scenario(text), parse_scenario(text.replace("aboard: bike}\n", "carrier: bike}\n", 1))
        assert own.opening() == general.opening()
        assert own.run().ok
        with pytest.raises(FileError, match="the carrier of ann is set twice: as aboard, and here"):
            parse_scenario(text.replace("aboard: bike}\n", "aboard: bike, carrier: bike}\n", 1))


def test_a_setting_leaves_the_carried_where_they_are():
    opening = Setting.of(RULESET, SquareGrid.open(3, 1)).opening(units(ann="red1"))
    assert opening.unit("ann").place is None
