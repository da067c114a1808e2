"""Openings that somebody else wrote down: each fault is reported where it stands, and nothing else is."""

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from simulator.engine.clock import Clock
from simulator.engine.errors import OptionError
from simulator.engine.openings import opening_faults
from simulator.engine.values import Fields
from simulator.formats.scenarios import load_scenario

SCENARIOS = Path(__file__).parents[2] / "scenarios"
PLAYED = ("dot_trooper/skid_into_the_wall", "grid_runner/vault_corridor", "skirmish/over_the_wall")


def scenario(name):
    return load_scenario(SCENARIOS / f"{name}.yaml")


def faults_of(setting, state):
    return list(opening_faults(setting, state))


@pytest.mark.parametrize("name", PLAYED)
def test_every_table_of_a_game_can_be_an_opening(name):
    loaded = scenario(name)
    tables = [loaded.opening()]
    loaded.run(watch=lambda played: tables.append(played.happened.state) if played.happened else None)
    assert len(tables) > 2
    assert any(table.clock.unit or table.clock.resting for table in tables)
    for table in tables:
        assert faults_of(loaded.setting, table) == []


#: What may stand where something else belongs.
ODD = (
    None,
    True,
    0,
    -1,
    50,
    60,
    60.0,
    90,
    12.5,
    360,
    Fraction(1, 2),
    "",
    "x",
    (),
    (1,),
    (0, 0),
    ("x", "y"),
    Fields({"x": 1}),
)


@pytest.mark.parametrize("name", PLAYED)
def test_what_setting_up_refuses_is_refused_of_an_opening(name):
    game = scenario(name).start()
    tried = 0
    for unit in game.state:
        for entry in ("heading", *unit.fields):
            for odd in ODD:
                damaged = unit.put({entry: odd})
                try:
                    made = game.ruleset.make_unit(
                        unit.id, unit.type, unit.side, unit.place, damaged.heading, **damaged.fields
                    )
                except OptionError:
                    made = None
                if made is None or type(made.heading) is not type(damaged.heading):
                    tried += 1
                    assert faults_of(game.setting, game.state.with_unit(damaged)), (unit.id, entry, odd)
    assert tried > 30


@pytest.fixture
def bend():
    """A vehicle, which has a heading, and troopers; the rulebook keeps explosives among its data."""
    return scenario("dot_trooper/skid_into_the_wall").start()


@pytest.mark.parametrize(
    ("changes", "where", "what"),
    [
        (
            {"type": "vehicl"},
            ".type",
            "no such type of unit 'vehicl'; did you mean 'vehicle'? (known: trooper, vehicle)",
        ),
        ({"place": (99, 99)}, ".place", "99,99 is not a place on the board"),
        ({"place": (1, 2, 3, 4)}, ".place", "1,2,3,4 is not a place on the board"),
        ({"place": ("1", 4)}, ".place", "1,4 is not a place on the board"),
        ({"place": True}, ".place", "yes is not a place on the board"),
        ({"heading": 400}, ".heading", "400 is not a heading: expected a heading: 0, 60, 120, 180, 240 or 300"),
        ({"heading": 50}, ".heading", "expected a heading of 0, 60, 120, 180, 240 or 300, not 50"),
        ({"heading": None}, ".heading", "expected a heading of 0, 60, 120, 180, 240 or 300, not None"),
        ({"heading": 60.0}, ".heading", "expected 60, not 60.0"),
        ({"heading": "0"}, ".heading", "0 is not a heading: expected a heading: 0, 60, 120, 180, 240 or 300"),
    ],
)
def test_what_is_wrong_with_a_unit(bend, changes, where, what):
    number = list(bend.state.units).index("bike")
    found = faults_of(bend.setting, bend.state.put_unit("bike", changes))
    assert found == [(f"units[{number}]{where}", f"bike: {what}")]


def test_a_unit_may_have_neither_place_nor_heading(bend):
    assert faults_of(bend.setting, bend.state.put_unit("bo", place=None, heading=None)) == []


def test_what_is_wrong_with_the_fields_of_a_unit(bend):
    bo = bend.state.unit("bo")
    number = list(bend.state.units).index("bo")
    left = {name: value for name, value in bo.fields.items() if name != "level"}
    found = faults_of(bend.setting, bend.state.with_unit(replace(bo, fields=left)))
    assert found == [(f"units[{number}].fields", "bo: has no level")]
    ((where, what),) = faults_of(bend.setting, bend.state.put_unit("bo", levle=1))
    assert where == f"units[{number}].fields"
    assert "level" in what
    assert "\n" not in what


def test_what_is_wrong_with_the_data(bend):
    state = bend.state
    strange = state.put(data=state.data.put(explosivs=()))
    hint = "no such entry; did you mean 'explosives'? (known: explosives)"
    assert faults_of(bend.setting, strange) == [("data.explosivs", hint)]
    assert faults_of(bend.setting, state.put(data={"explosivs": ()})) == [
        ("data.explosivs", hint),
        ("data.explosives", "is missing"),
    ]
    wanted = "explosives: expected a list of by, side, at, weapon and tn"
    assert faults_of(bend.setting, state.put(data=state.data.put(explosives=3))) == [("data", wanted)]


@pytest.mark.parametrize("name", ["unit", "resting", "line"])
def test_a_clock_shows_units_that_there_are(bend, name):
    for shown, is_fault in (("bo", False), ("bob", True), ("b", True)):
        value = shown if name == "unit" else ("bike", shown)
        found = faults_of(bend.setting, bend.state.put(clock=replace(bend.state.clock, **{name: value})))
        assert [where for where, _ in found] == [f"clock.{name}"] * is_fault
        assert all(what.startswith(f"there is no unit {shown!r}") for _, what in found)


def test_a_clock_shows_a_phase_of_its_turn(bend):
    clock = bend.state.clock
    count = len(clock.phases)
    for number in range(count):
        assert faults_of(bend.setting, bend.state.put(clock=replace(clock, number=number))) == []
    for number in (count, count + 5):
        what = f"shows phase {number}, but the turn has {count} phases"
        found = faults_of(bend.setting, bend.state.put(clock=replace(clock, number=number)))
        assert found == [("clock.number", what)]


def test_before_the_beginning_nothing_has_happened(bend):
    opening = bend.state.put(clock=Clock(), rolls=0, choices=0)
    assert faults_of(bend.setting, opening) == []
    for begun in ({"rolls": 1}, {"choices": 1}, {"clock": Clock(side="red")}):
        found = faults_of(bend.setting, opening.put(**begun))
        assert found == [("clock", "shows turn 0, before the beginning, but something has happened")]
