"""What the page is told is what the library says."""

import json

import pytest

from simulator import load_scenario
from simulator.engine.story import Story
from simulator.errors import SimulatorError
from simulator.geometry.board import Lattice
from simulator.live.moments import Moments, Setup, script_of
from simulator.live.questions import AskKnown
from simulator.views.palette import UNKNOWN
from simulator.views.replay import backdrop
from simulator.views.replay.figures import figures_of
from simulator.views.replay.timeline import timeline_of
from simulator.wording import measure
from tests.live.conftest import SCENARIOS

#: One scenario of each rulebook, and a unit that can move in it at once.
SOME = {"market_chase": "kit", "alley_turn": "ann", "the_yard": "ash", "main_street": "alpha", "over_the_bank": "lynx"}


@pytest.mark.parametrize("name", SOME)
def test_a_scenario_opens_with_all_that_the_page_needs(ask, name):
    opened = ask("open", name)
    setting = load_scenario(SCENARIOS[name]).setting
    assert opened["actions"] == dict(setting.ruleset.reaches)
    assert [option["name"] for option in opened["options"]] == list(setting.options.declared)
    assert ("cells" in opened) == isinstance(setting.board, Lattice)
    assert 'id="units"' in opened["board"]
    json.dumps(opened, allow_nan=False)


@pytest.mark.sampled(dear=["over_the_bank"])
@pytest.mark.parametrize("name", SOME)
def test_each_moment_of_the_script_can_be_shown(ask, name):
    steps = script_of(load_scenario(SCENARIOS[name]))
    for count in {0, 1, len(steps) // 2, len(steps)}:
        moment = ask("moment", name, steps=steps[:count])
        assert (moment["done"], moment["error"]) == (count, None)
        assert len(moment["begins"]) == moment["account"].count("data-order=") or moment["question"]
        assert moment["begins"][-1] <= count
        json.dumps(moment, allow_nan=False)


@pytest.mark.parametrize("name", ["market_chase", "alley_turn"])
def test_of_the_past_only_the_last_order_is_drawn(ask, name):
    """What it shows is what the whole game's replay page shows at its end."""
    scenario = load_scenario(SCENARIOS[name])
    steps = script_of(scenario)
    told = ask("moment", name, steps=steps)
    assert len({moment["o"] for moment in told["moments"]}) == 2
    game = Moments().reached(Setup(SCENARIOS[name]), steps).game
    timeline = timeline_of(Story.of(game))
    whole = figures_of(timeline, backdrop.stage_of(game.board).sheet).data()
    assert unfolded(told)[-1] == unfolded(whole)[-1]
    assert told["units"] == whole["units"]


def unfolded(data):
    """The units at each moment, as the page puts them together."""
    units, found = {}, []
    for moment in data["moments"]:
        units = {**units, **moment.get("u", {})}
        outlines = {at: shown and [*shown[:3], outline_of(data, shown[3]), *shown[4:]] for at, shown in units.items()}
        found.append({at: shown for at, shown in outlines.items() if shown is not None})
    return found


def outline_of(data, base):
    return base if base < 0 else data["bases"][base]


@pytest.mark.sampled(dear=["main_street-alpha", "over_the_bank-lynx"])
@pytest.mark.parametrize(("name", "unit"), SOME.items())
def test_reach_and_places_are_those_of_the_game(ask, name, unit):
    game = load_scenario(SCENARIOS[name]).start()
    answer = game.reach(unit)
    told = ask("reach", name, unit=unit)
    assert told["action"] == answer.action
    assert len(told["bands"]) >= 1
    if isinstance(game.board, Lattice):
        places = list(game.board.places())[::7]
        fields = [{"cell": game.board.index(place)} for place in places]
    else:
        x, y = game.state.unit(unit).place[:2]
        places = [(x + dx, y + dy) for dx, dy in ((1, 0), (0, 2), (-1, 3), (40, 0), (2.5, -2.5))]
        places = [place for place in places if place in game.board]
        fields = [{"place": f"{x},{y}"} for x, y in places]
    assert len(places) >= 3
    for place, field in zip(places, fields, strict=True):
        told, cost = ask("place", name, unit=unit, **field), answer.cost_at(place)
        assert told["reachable"] == (cost is not None)
        assert told.get("cost") == (None if cost is None else measure(cost, answer.unit))


def test_headings_are_those_of_the_game(ask):
    game = load_scenario(SCENARIOS["alley_turn"]).start()
    answer = game.reach("ann", "drive")
    place = next(place for place in game.board.places() if answer.cost_at(place) is not None)
    told = ask("headings", "alley_turn", unit="ann", action="drive", cell=game.board.index(place))["headings"]
    assert [cost for _, _, cost in told] == [measure(one.cost, answer.unit) for one in answer.headings_at(place)]
    assert ask("headings", "market_chase", unit="kit", cell=[8, 9])["headings"] == []


@pytest.mark.parametrize(("name", "unit"), [("market_chase", "kit"), ("the_yard", "ash")])
def test_what_is_known_at_once_is_one_band(ask, name, unit):
    told = ask("known", name, unit=unit, within=10)
    assert told["is_whole"]
    assert [(band["label"], band["known"]) for band in told["bands"]] == [("can end there", True)]
    assert told["action"] == ask("reach", name, unit=unit)["action"]
    assert all(band["known"] for band in ask("reach", name, unit=unit)["bands"])


def test_what_is_known_grows_from_question_to_question(ask, answers):
    asked = {"unit": "lance", "within": 0}
    first = ask("known", "at_the_crossing", **asked)
    assert [(band["label"], band["known"]) for band in first["bands"]] == [
        ("can end there", True),
        ("not known yet", False),
    ]
    assert first["bands"][1]["colour"] == UNKNOWN
    steps = [first]
    while not steps[-1]["is_whole"]:
        assert len(steps) < 500
        # Other questions about the same unit are answered meanwhile.
        assert ask("place", "at_the_crossing", unit="lance", place="12,24")["reachable"]
        steps.append(ask("known", "at_the_crossing", **asked))
    assert len(steps) > 2
    *_, (_, so_far) = answers._known.values()
    assert so_far.inner.equals(load_scenario(SCENARIOS["at_the_crossing"]).start().reach("lance").area)
    assert [band["label"] for band in steps[-1]["bands"]] == ["can end there"]


@pytest.mark.parametrize("within", [-1, 11, "soon", None])
def test_what_is_known_after_other_seconds_is_not_asked(within):
    with pytest.raises(ValueError, match="within"):
        AskKnown.model_validate({"scenario": "the_yard", "unit": "ash", "within": within})


@pytest.mark.sampled(dear=["main_street-alpha", "over_the_bank-lynx"])
@pytest.mark.parametrize(("name", "unit"), SOME.items())
def test_the_orders_of_a_way_lead_there(ask, name, unit):
    game = load_scenario(SCENARIOS[name]).start()
    ends = ask("reach", name, unit=unit)["bands"]
    assert ends
    answer = game.reach(unit)
    inside = answer.area.representative_point()
    if isinstance(game.board, Lattice):
        place = next(place for place in game.board.places() if place in answer)
    else:
        place = (round(inside.x, 1), round(inside.y, 1))
    way = ask("way", name, unit=unit, place=f"{place[0]},{place[1]}")
    twin = game.branch()
    twin.answers = load_scenario(SCENARIOS[name]).answerer()
    assert way["orders"]
    assert way["words"]["cost"]
    assert [game.write(order) for order in answer.orders_to(place)] == way["orders"]


# Long: the nearest end is searched for on a large table; tests of rulebooks ask the same of small ones.
@pytest.mark.long
def test_a_place_out_of_reach_has_its_reasons(ask):
    told = ask("why_not", "the_yard", unit="ash", place="20,20")
    why = load_scenario(SCENARIOS["the_yard"]).start().reach("ash").why_not((20, 20))
    assert [reason["clause"] for reason in told["reasons"]] == [reason.clause for reason in why.reasons]
    assert all(reason["text"] for reason in told["reasons"])
    assert told["remedy"] == why.remedy
    assert told["nearest"] == list(why.nearest)
    assert told["words"]["nearest"].startswith(f"{why.nearest[0]:g},")


def test_an_open_question_lists_its_answers_and_what_the_dice_show(ask):
    steps = script_of(load_scenario(SCENARIOS["skid_into_the_wall"]))
    first = next(number for number, step in enumerate(steps) if step.startswith("? "))
    question = ask("moment", "skid_into_the_wall", steps=steps[:first])["question"]
    assert question["ask"] == "roll"
    assert question["rolled"] == steps[first]
    assert question["rolled"] in {choice["step"] for choice in question["choices"]}
    for choice in question["choices"]:
        after = ask("moment", "skid_into_the_wall", steps=[*steps[:first], choice["step"]])
        assert after["error"] is None


def test_whoever_may_react_can_let_it_pass(ask):
    steps = script_of(load_scenario(SCENARIOS["two_guards"]))
    found = [ask("moment", "two_guards", steps=steps[:count])["question"] for count in range(len(steps))]
    reactions = [question for question in found if question and question["ask"] == "react"]
    assert reactions
    assert all(question["choices"][0] == {"text": "lets it pass", "step": "? pass"} for question in reactions)


def test_an_order_that_is_refused_says_why(ask):
    moment = ask("moment", "the_yard", steps=["ash move: to 6,9", "bay move: to 9,12"])
    assert moment["done"] == 1
    assert [reason["clause"] for reason in moment["error"]["reasons"]] == ["SK-65"]


def test_options_change_the_answers_and_are_compared(ask):
    options = {option["name"]: option for option in ask("open", "market_chase")["options"]}
    name, option = next((name, one) for name, one in options.items() if len(one["values"]) > 1)
    other = next(value for value in option["values"] if value != option["value"])
    told = ask("compare", "market_chase", unit="kit", other_options={name: other})
    assert told["changes"] == [{"name": name, "clause": option["clause"], "before": option["value"], "after": other}]
    assert told["bands"][0]["label"] == "as before"
    reopened = {one["name"]: one["value"] for one in ask("open", "market_chase", options={name: other})["options"]}
    assert reopened[name] == other


def test_a_game_is_saved_as_a_scenario_that_plays_it_again(ask, tmp_path):
    steps = script_of(load_scenario(SCENARIOS["market_chase"]))
    path = tmp_path / "saved.yaml"
    path.write_text(ask("save", "market_chase", steps=steps, name="again")["text"], encoding="utf-8")
    account = load_scenario(path).run()
    assert account.ok
    assert account.game.state.hash == load_scenario(SCENARIOS["market_chase"]).run().game.state.hash


def test_pictures_and_maps(ask):
    assert ask("picture", "the_yard", unit="")["text"].startswith("<svg")
    assert "ash" in ask("picture", "the_yard", unit="ash")["text"]
    assert ask("geojson", "the_yard", unit="ash")["type"] == "FeatureCollection"


@pytest.mark.parametrize(
    ("question", "fields", "message"),
    [
        ("reach", {"unit": "nobody"}, "nobody"),
        ("reach", {"unit": "ash", "action": "fly"}, "no reach for 'fly'"),
        ("reach", {"unit": "ash", "values": {"ap": "many"}}, "ap"),
        ("place", {"unit": "ash", "place": "up there"}, "place: expected"),
        ("place", {"unit": "ash", "place": "400,400"}, "no place"),
        ("place", {"unit": "ash", "place": "6,7", "state": "facing 90"}, "heading"),
        ("open", {"options": {"no_such": "1"}}, "no such option"),
    ],
)
def test_nonsense_is_refused_with_what_is_wrong(ask, question, fields, message):
    with pytest.raises(SimulatorError, match=message):
        ask(question, "the_yard", **fields)


def test_a_scenario_that_is_not_served_is_not_read(ask):
    with pytest.raises(SimulatorError, match="no scenario"):
        ask("open", "../../etc/passwd")
