"""What grid_runner answers when asked for reach: the form that all rulebooks share, and that play bears it out."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from exhaustive_grid_runner import NoDamage
from grid_runner_boards import RULES, game, generated
from shapely.geometry import shape

from simulator.engine.errors import OptionError, TableError
from simulator.engine.reach import ReachAnswer
from simulator.engine.state import Unit
from simulator.errors import SimulatorError
from simulator.pathing.traces import NoRoute
from simulator.rulesets.grid_runner.reach.questions import REACHES

SCALES = ("m1", "m2", "m5")
#: Every way of asking, with what the character has to be like for it.
QUESTIONS = {
    "move": {},
    "withdrawal": {},
    "one_square_move": {},
    "tumble": {},
    "move, to run": {"mode": "run"},
    "tumble, to run": {"mode": "run"},
    "move, to walk": {"mode": "walk"},
    "move, a roll": {"sprint": True},
    "move, two hits": {"sprint": 2},
    "withdrawal, to run and a roll": {"mode": "run", "sprint": True},
    "move, two passes": {"passes": 2},
    "withdrawal, two passes": {"passes": 2},
    "one_square_move, three passes": {"passes": 3},
    "move, to run in two passes": {"passes": 2, "mode": "run"},
    "charge_attack": {},
    "charge_attack, to run": {"mode": "run"},
    "charge_attack, a roll": {"sprint": True},
}


def asked(played, question):
    """The answers to a question: several where there are several to charge; none where the turn is too short."""
    action, about = question.partition(",")[0], QUESTIONS[question]
    if about.get("passes", 1) > len(played.state.clock.phases):
        return []
    if action != "charge_attack":
        return [played.reach("A", action, **about)]
    return [played.reach("A", action, target=enemy.id, **about) for enemy in played.table.units(other_than="red")]


def options_for(question):
    """A charge with a sprint needs one that takes no action; else the usual."""
    return {"sprint_action": "none"} if question == "charge_attack, a roll" else {}


def boards(question, scale, seeds=(21, 22, 23, 24)):
    for seed in seeds:
        yield generated(seed, scale, options_for(question), budget=5 if scale == "m1" else 4)


class TestTheForm:
    """Every answer is a ReachAnswer."""

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_has_all_that_is_wanted(self, question):
        for played in boards(question, "m2", seeds=(21, 24)):
            for answer in asked(played, question):
                assert isinstance(answer, ReachAnswer)
                assert isinstance(answer.mover, Unit)
                assert (answer.mover.id, answer.action) == ("A", question.partition(",")[0])
                assert answer.unit == ("pass" if "passes" in question else "square")

    def test_the_actions_that_can_be_asked_about_are_named(self):
        assert dict(RULES.reaches) == REACHES
        assert next(iter(RULES.reaches)) == RULES.vocabulary.default == "move"
        assert set(REACHES) <= {form.name for form in RULES.vocabulary.actions}
        assert game("@ .").reach("A").action == "move"


class TestPlayBearsItOut:
    """The orders of an answer, played with every roll made and nobody reacting, end where they say at that cost."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("question", QUESTIONS)
    @pytest.mark.parametrize("scale", SCALES)
    def test_orders_end_there_at_that_cost(self, question, scale):
        for played in boards(question, scale):
            for answer in asked(played, question):
                for place in answer:
                    twin, begun = played.branch(NoDamage()), played.state.clock.number
                    spent = 0
                    for order in answer.orders_to(place):
                        assert twin.breaches(order) == [], (place, order)
                        spent += twin.do(order).ledger.total("squares")
                    assert twin.state.unit("A").place == place
                    passes = twin.state.clock.number - begun + 1
                    assert answer.cost_at(place) == (passes if answer.unit == "pass" else spent)
                    assert isinstance(answer.chance_at(place), Fraction)

    @pytest.mark.parametrize("question", ["move", "move, two passes", "charge_attack"])
    def test_there_are_none_to_what_is_out_of_reach(self, question):
        played = game("@ . . . . . . . b #", {"scale": "m2"}, {"A": {"passes": 2}})
        (answer,) = asked(played, question)
        assert answer.cost_at((9, 0)) is None
        assert answer.chance_at((9, 0)) == 0
        with pytest.raises(NoRoute):
            answer.orders_to((9, 0))

    def test_a_charge_is_a_movement_and_the_attack(self):
        played = game("@ . . . . b", answers=NoDamage())
        orders = played.reach("A", "charge_attack", target="B1", mode="run").orders_to((4, 0))
        assert [played.write(order) for order in orders] == ["A start_run", "A: e 4", "A charge_attack B1"]

    def test_passes_end_in_between(self):
        played = game("@ . . . . . . . . . . . .", fields={"A": {"passes": 3}})
        orders = played.reach("A", "move", passes=3, mode="run").orders_to((12, 0))
        assert [played.write(order) for order in orders] == ["A start_run", "A: e 8", "all done", "A: e 4"]

    def test_a_pass_that_is_over_by_itself_is_not_ended_again(self):
        """GR-21: after a Withdrawal nothing is left to do, and it is alone."""
        played = game("@ . . . . . . .", fields={"A": {"passes": 2, "metatype": "dwarf"}})
        orders = played.reach("A", "withdrawal", passes=2).orders_to((6, 0))
        assert [played.write(order) for order in orders] == ["A withdrawal: e 4", "A: e 2"]


class TestWhyNot:
    """Whatever is not an end has a reason with a clause, and where something would help, it does."""

    @pytest.mark.sampled
    @pytest.mark.parametrize("question", QUESTIONS)
    @pytest.mark.parametrize("scale", SCALES)
    def test_a_place_has_reasons_or_is_an_end(self, question, scale):
        for played in boards(question, scale):
            for answer in asked(played, question):
                for row, column in np.ndindex(played.board.shape):
                    why = answer.why_not((column, row))
                    assert bool(why) is ((column, row) not in answer), (column, row)
                    assert all(reason.clause.startswith("GR-") for reason in why.reasons)
                    assert why.unit == answer.unit
                    if why.nearest is not None:
                        assert answer.cost_at(why.nearest) == why.nearest_cost

    @pytest.mark.sampled
    @pytest.mark.parametrize("action", ["move", "withdrawal", "tumble"])
    @pytest.mark.parametrize("scale", SCALES)
    def test_the_remedy_helps(self, action, scale):
        """Those it names are taken away, the squares it names are added: then the place is an end."""
        helped = 0
        for seed in range(6):
            played = generated(seed, scale, budget=2)
            answer = played.reach("A", action)
            for row, column in np.ndindex(played.board.shape):
                why = answer.why_not((column, row))
                if not why.remedy:
                    walled = any(reason.blocker == "wall" for reason in why.reasons)
                    assert not why or walled or answer.refused, str(why)
                    continue
                assert (column, row) in with_remedy(played, why.remedy, scale).reach("A", action), str(why)
                helped += 1
        assert helped > 50

    @pytest.mark.parametrize(
        ("drawing", "place", "remedy"),
        [
            ("@ b .", (2, 0), "without B1"),
            ("@ b .", (1, 0), "without B1"),
            ("@ b C .", (3, 0), "without B1 and C"),
            ("@ b C d .", (4, 0), "without B1, C and D1"),
            ("@" + " ." * 15, (14, 0), "2 squares more, or to run"),
            ("@" + " ." * 30, (25, 0), "13 squares more"),
            ("@ b" + " ." * 15, (13, 0), "without B1, and 1 square more, or to run"),
            ("@ # .", (2, 0), ""),
        ],
    )
    def test_as_people_say_it(self, drawing, place, remedy):
        assert game(drawing).reach("A", "move").why_not(place).remedy == remedy

    def test_fewest_in_the_way(self):
        """Round by the door of one instead of straight through two."""
        played = game("# # # # #\n@ b c . #\n. # # . #\n. . D . #")
        assert played.reach("A", "move").why_not((3, 1)).remedy == "without D"

    @pytest.mark.parametrize("scale", SCALES)
    @pytest.mark.parametrize("action", ["move", "tumble"])
    def test_who_closes_a_corridor(self, scale, action):
        """GR-35, GR-36, GR-38, GR-41, GR-70: the first who does, with the clause; all of them have to be gone."""
        enemy = {"m1": "GR-36", "m2": "GR-38", "m5": ""}[scale] if action == "move" else ""
        friend = {"m1": "GR-35", "m2": "", "m5": ""}[scale]
        for drawn in product("bB.", "cC.", "dD."):
            clauses = [enemy if glyph.islower() else friend if glyph.isupper() else "" for glyph in drawn]
            played = game(f"@ {' '.join(drawn)} .", {"scale": scale})
            there = {unit.place[0]: unit.id for unit in played.state}
            closing = [(clause, there[at], (at, 0)) for at, clause in enumerate(clauses, 1) if clause]
            why = played.reach("A", action).why_not((4, 0))
            reasons = [(one.clause, one.blocker, one.place) for one in why.reasons]
            if scale == "m5":  # nobody closes a square of five metres, and four of them are far
                assert reasons == [("GR-27", "", (4, 0))], drawn
                continue
            assert reasons == closing[:1], drawn
            *most, last = [name for _, name, _ in closing] or [""]
            assert why.remedy == (f"without {', '.join(most)} and {last}" if most else f"without {last}" * bool(last))

    def test_as_it_is_printed(self):
        assert str(game("@ b .").reach("A", "move").why_not((2, 0))).splitlines() == [
            "2,0 cannot be reached",
            "  GR-36  B1 on 1,0 closes the way to 2,0, and there is no other",
            "  it would take: without B1",
            "  nearest legal end: 0,0, for 0 squares",
        ]

    @pytest.mark.parametrize(
        ("drawing", "place", "clause", "told"),
        [
            ("@ . . . . b .\n. . . . . . .", (3, 0), "GR-75", "3,0 is not beside it: a charge ends where B1 can"),
            ("@ . , . . b .\n. . . . . . .", (4, 1), None, ""),
            ("@ . , . . b .\n# # . . . . .", (4, 0), "GR-74", "no way to 4,0 takes only empty, unimpeded squares"),
            ("@ . . . . b .\n. . . . . . .", (6, 0), "GR-74", "no way to 6,0 takes only empty, unimpeded squares"),
            ("@ . . . . b .\n. . . . . . .", (0, 1), "GR-75", "0,1 is not beside it"),
        ],
    )
    def test_why_it_is_no_charge(self, drawing, place, clause, told):
        """GR-74, GR-75."""
        why = game(drawing).reach("A", "charge_attack", target="B1").why_not(place)
        assert [reason.clause for reason in why.reasons] == [clause] * bool(clause)
        assert all(told in reason.message for reason in why.reasons)

    def test_a_charge_that_is_too_far_or_takes_too_few_squares(self):
        far = game("@" + " ." * 15 + " b").reach("A", "charge_attack", target="B1").why_not((15, 0))
        assert (far.reasons[0].clause, far.remedy) == ("GR-27", "3 squares more, or to run")
        few = game(", b .\n@ . .", {"charge_path": "any"}, tables={"charge_distance.m1": 90})
        why = few.reach("A", "charge_attack", target="B1").why_not((0, 0))
        assert (why.reasons[0].clause, why.reasons[0].message) == (
            "GR-27",
            "the movement costs 91 squares, A has 12 left: 79 short",
        )

    def test_over_passes(self):
        """GR-20, GR-24: another pass may be what is missing."""
        played = game("@ . . . . . . . . . . . . . . . b .", fields={"A": {"passes": 3}})
        answer = played.reach("A", "move", passes=2)
        why = answer.why_not((10, 0))
        assert [str(reason) for reason in why.reasons] == ["GR-20  10,0 takes 3 passes, the question allows 2 passes"]
        assert (why.remedy, why.nearest, why.nearest_cost) == ("1 pass more", (8, 0), 2)
        assert answer.why_not((14, 0)).reasons[0].clause == "GR-27"
        # Without B1 it would still be farther than all passes of the turn lead.
        assert (answer.why_not((17, 0)).reasons[0].clause, answer.why_not((17, 0)).remedy) == ("GR-36", "")
        near = game("@ . . . . b . . . . . .", fields={"A": {"passes": 3}}).reach("A", "move", passes=2)
        assert near.why_not((7, 0)).remedy == "without B1"
        assert near.why_not((10, 0)).remedy == "without B1, and 1 pass more"


def with_remedy(played, remedy, scale):
    """The game as the remedy wants it."""
    state = played.state
    who, _, more = remedy.removesuffix(", or to run").rpartition(", and ")
    who, more = (more, "") if more.startswith("without") else (who, more)
    for name in filter(None, who.removeprefix("without ").replace(" and ", ", ").split(", ")):
        state = state.without_unit(name)
    unit, high = state.unit("A"), len(state.clock.phases)
    path = f"allotment_table.{scale}.{unit['mode']}.{unit['metatype']}.h{high}"
    budget = played.setting.tables[path][0] + (int(more.split()[0]) if more else 0)
    setting = type(played.setting).of(RULES, played.board, played.setting.options, {path: [budget] * high})
    return type(played)(setting, state)


class TestAreas:
    """Bands by cost and chance are disjoint and hold the whole area; GeoJSON tells all of it."""

    @pytest.mark.parametrize("question", QUESTIONS)
    def test_bands_are_disjoint_and_whole(self, question):
        for played in boards(question, "m1", seeds=(21, 23)):
            for answer in asked(played, question):
                for bands in (answer.bands(), answer.chance_bands()):
                    assert sum(region.area for _, region in bands) == answer.area.area == len(answer)
                levels = [level for level, _ in answer.chance_bands()]
                assert levels == sorted(levels, reverse=True)
                half = answer.chance_bands([Fraction(1, 2)])[0][1]
                assert half.area == sum(answer.chance_at(place) >= Fraction(1, 2) for place in answer)

    @pytest.mark.parametrize("question", ["move", "tumble", "move, a roll", "move, two passes", "charge_attack"])
    def test_geojson_tells_ends_chances_and_bands(self, question):
        for played in boards(question, "m2", seeds=(21, 24)):
            for answer in asked(played, question):
                features = answer.to_geojson()["features"]
                kinds = {}
                for feature in features:
                    kinds.setdefault(feature["properties"]["what"], []).append(feature)
                for feature in kinds.get("end", ()):
                    told = feature["properties"]
                    assert Fraction(told["chance"]) == answer.chance_at(tuple(told["place"]))
                assert shape(kinds["area"][0]["geometry"]).area == len(answer)
                for what, bands in (("band", answer.bands()), ("chance band", answer.chance_bands())):
                    areas = [shape(feature["geometry"]).area for feature in kinds.get(what, ())]
                    assert areas == [region.area for _, region in bands]

    def test_where_the_odds_are_refused_geojson_says_so(self, monkeypatch):
        monkeypatch.setattr("simulator.rulesets.grid_runner.odds.walking.MOST_SEARCHES", 2)
        found = game("# b # c # d #\n@ . . . . . .\n# # # # # # #").reach("A", "move").to_geojson()
        area, *rest = found["features"]
        assert "more than 2 searches" in area["properties"]["odds"]
        assert not any("chance" in feature["properties"] for feature in rest)


def test_numbers_of_numpy_will_do_and_chances_as_words():
    played = game("@ . b", fields={"A": {"passes": 2}})
    assert played.reach("A", "move", sprint=np.int64(2)).budget == played.reach("A", "move", sprint=2).budget
    said = played.reach("A", "move", chances="B1 1/4")
    assert said.chance_bands() == played.reach("A", "move", chances={"B1": Fraction(1, 4)}).chance_bands()


class TestQuestionsThatMakeNoSense:
    """What cannot be asked is told, and never left out in silence."""

    @pytest.mark.parametrize(
        ("action", "about", "told"),
        [
            ("mov", {}, "no reach for 'mov'; did you mean 'move'"),
            ("ranged_attack", {}, "no reach for 'ranged_attack'"),
            ("move", {"mode": "fly"}, "mode: expected walk or run, not 'fly'"),
            ("move", {"target": "B1"}, "target=B1 goes with charge_attack, not with move"),
            ("charge_attack", {}, "target: a charge needs one: B1"),
            ("charge_attack", {"target": "B9"}, "B9"),
            (
                "charge_attack",
                {"target": "B1", "passes": 2},
                "one_square_move, not with charge_attack",
            ),
            ("move", {"sprint": True, "passes": 2}, "passes and a sprint cannot be combined"),
            ("tumble", {"passes": 2}, "one_square_move, not with tumble"),
            ("move", {"passes": 3}, "2 passes are left in this turn, not 3"),
            ("move", {"chances": "B1 often"}, "chances.B1: often is not a chance"),
            ("move", {"chances": 3}, "chances: expected the chance of damage of enemies' attacks, such as guard 1/2"),
            ("move", {"passes": 0}, "passes: expected a number of passes of this turn, 1 or more, not 0"),
            ("move", {"passes": 2.5}, "passes: expected a number of passes of this turn, 1 or more, not 2.5"),
            ("move", {"chances": {"B9": 1}}, "chances: there is no 'B9'; known: A, B1"),
            ("move", {"chances": {"B1": 3}}, "chances.B1: 3 is not a chance: a number from 0 to 1 is required"),
            ("move", {"chances": {"B1": "often"}}, "chances.B1: often is not a chance"),
            ("move", {"chances": {"B1": "1/0"}}, "chances.B1: 1/0 is not a chance"),
            ("tumble", {"pool": -1}, "pool: expected a number of dice, 0 or more, not -1"),
            ("move", {"sprint": -2}, "sprint: expected true, or a number of hits, not -2"),
        ],
    )
    def test_is_told(self, action, about, told):
        played = game("@ . b", fields={"A": {"passes": 2}})
        with pytest.raises(SimulatorError) as error:
            played.reach("A", action, **about)
        assert told in str(error.value)
        assert isinstance(error.value, (TableError, OptionError))
