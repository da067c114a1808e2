"""The commands that ask about a scenario: reach, path, explain, exposed, threats, diff."""

import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "formats"))

from scenario_samples import DUEL, ROW  # noqa: E402

PICTURES = ("reach", "path", "exposed", "threats", "diff")


@pytest.fixture
def duel(tmp_path):
    """A scenario in which A1 walks up to B1 in the first turn and back in the second."""
    (tmp_path / "duel.yaml").write_text(DUEL)
    return "duel.yaml"


def asked(command):
    """A question of each command that is answered with yes."""
    return {
        "reach": ("reach", "duel.yaml", "A1"),
        "path": ("path", "duel.yaml", "A1", "2,0"),
        "explain": ("explain", "duel.yaml", "A1 walk: right 2"),
        "exposed": ("exposed", "duel.yaml", "--turn", "2", "A1", "1,0"),
        "threats": ("threats", "duel.yaml", "red"),
        "diff": ("diff", "duel.yaml", "A1", "--option", "impeded_cost=1"),
    }[command]


class TestReach:
    def test_how_much_at_which_cost_how_surely(self, run, duel):
        answer = run("reach", duel, "A1", "--with", "ap=2")
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout.splitlines() == [
            "A1 (red), walk; turn 1, round, red to move",
            "can end on 2 places, by least cost:",
            "            0 AP: 1 place",
            "            1 AP: 1 place",
            "all of it for certain",
        ]

    def test_a_place_in_reach_and_one_that_is_not(self, run, duel):
        there = run("reach", duel, "A1", "--turn", "2", "--to", "1,0")
        assert there.returncode == 0
        assert there.stdout.splitlines()[-2:] == ["1,0 can be reached, for 1 AP", "at 1 AP, 41.7% at best"]
        closed = run("reach", duel, "A1", "--to", "3,0")
        assert closed.returncode == 1
        assert "DU-2   B1 stands there" in closed.stdout

    def test_the_moment_can_be_chosen(self, run, duel):
        places = {
            moment: [end["place"] for end in json.loads(run("reach", duel, "A1", *moment, "--json").stdout)["ends"]]
            for moment in ((), ("--after", "0"), ("--after", "1"), ("--turn", "2"))
        }
        assert places[()] == places["--after", "0"] == [[0, 0], [1, 0], [2, 0]]
        assert places["--after", "1"] == [[1, 0], [2, 0]]
        assert len(places["--turn", "2"]) == 3

    def test_json_holds_every_end_and_every_band(self, run, duel):
        found = json.loads(run("reach", duel, "A1", "--turn", "2", "--to", "0,0", "--json").stdout)
        assert (found["format"], found["unit"], found["action"], found["extent"]) == (1, "A1", "walk", 3)
        assert [band["cost"] for band in found["bands"]] == [0, 1, 2]
        assert [(level["chance"], level["extent"]) for level in found["chances"]] == [(1, 1), ("5/12", 2)]
        assert (found["to"]["reachable"], found["to"]["cost"], found["to"]["chance"]) == (True, 2, "5/12")

    def test_what_can_be_asked_is_listed(self, run, duel):
        answer = run("reach", duel, "A1", "--questions")
        assert answer.returncode == 0
        lines = answer.stdout.splitlines()
        assert "  walk  where it can walk to with its AP" in lines
        assert "  ap=   a number of AP from 0 to 9" in lines

    def test_what_can_be_asked_is_no_answer_to_a_question(self, run, duel):
        listed = json.loads(run("reach", duel, "A1", "--questions", "--json").stdout)
        assert [one["name"] for one in listed["values"]] == ["ap"]
        for words in (("--to", "1,0"), ("--svg", "x.svg"), ("--within", "1"), ("--reverse",), ("--then", "walk")):
            answer = run("reach", duel, "A1", "--questions", *words)
            assert (answer.returncode, answer.stdout) == (2, "")
            assert "--questions lists what can be asked" in answer.stderr

    def test_geojson(self, run, duel, tmp_path):
        assert run("reach", duel, "A1", "--geojson", "reach.json").returncode == 0
        assert json.loads((tmp_path / "reach.json").read_text())["type"] == "FeatureCollection"
        assert (
            json.loads(run("threats", duel, "red", "--geojson", "-", apart=True).stdout)["features"][0]["properties"][
                "units"
            ]
            == 1
        )


#: A1 has the nerve to dodge twice, and a dodge can be lunged after.
STRIKE_AND_LUNGES = [
    "  1  B1: strike (strike or feint) at 2,0 (DU-3), at the start",
    "  1  B1: lunge at 2,0 (DU-6), if B1: strike at 2,0 (DU-3), A1: dodge (DU-5), after 1 nerve",
    (
        "  1  B1: lunge at 2,0 (DU-6), if B1: strike at 2,0 (DU-3), A1: dodge (DU-5), B1: lunge (DU-6), "
        "A1: dodge (DU-5), after 2 nerve"
    ),
]


class TestPath:
    def test_orders_price_and_who_can_interrupt(self, run, duel):
        answer = run("path", duel, "A1", "0,0", "--turn", "2")
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout.splitlines() == [
            "A1 to 0,0: 2 AP; best chance of any path: 41.7%",
            "orders",
            "  A1 walk: left 2",
            "price",
            "  1 AP  a step (DU-2)",
            "  1 AP  a step (DU-2)",
            "  2 AP  in all",
            "can be interrupted 3 times:",
            *STRIKE_AND_LUNGES,
        ]

    def test_no_way_is_1_with_the_reasons(self, run, duel):
        answer = run("path", duel, "A1", "6,0")
        assert answer.returncode == 1
        assert answer.stdout.startswith("6,0 cannot be reached\n  DU-2   the way is closed")

    def test_one_that_is_not_to_move_is_told_as_if_it_were(self, run, duel):
        answer = run("path", duel, "B1", "2,0")
        assert answer.returncode == 0
        assert answer.stderr.startswith("computed as if it were the go of B1: in round it is the go of ")

    def test_the_safest_way_and_what_its_chance_leaves_out(self, run):
        """DT-97: the gunner sees two dots of the canyon; the chances of a drive leave enemy fire out, and say so."""
        drive = ROOT / "scenarios/dot_trooper/through_the_arc.yaml"
        answer = run("path", drive, "cat", "13,-2", "--safest")
        assert answer.stdout.startswith("bike3 to 13,-2: 2 AP; best chance of any path: certain, enemy fire left out\n")
        assert answer.stdout.endswith("nobody can interrupt it\n")
        assert "all of it for certain, enemy fire left out" in run("reach", drive, "cat").stdout

    def test_the_safest_way_of_several_passes(self, run):
        """GR-48: a pass more, and nobody can intercept."""
        asked = ("path", ROOT / "scenarios/grid_runner/market_chase.yaml", "kit", "1,6", "--with", "passes=2")
        cheapest, safest = run(*asked), run(*asked, "--safest")
        assert "can be interrupted" in cheapest.stdout
        assert "kit: nw 2, w 3\nprice" in cheapest.stdout
        assert "nobody can interrupt it" in safest.stdout
        assert "  kit: nw 3, w 2\n  all done\n  kit: s\n" in safest.stdout

    def test_other_ways_are_named_with_what_they_are_better_at(self, run):
        asked = ("path", "market_chase", "kit", "1,6", "--with", "passes=2")
        cheapest, safest, surest = (run(*asked, "--prefer", word) for word in ("cheapest", "safest", "surest"))
        assert run(*asked).stdout == cheapest.stdout
        assert "\nother paths\n  safest: " in cheapest.stdout
        assert "nobody can interrupt it (--prefer safest)" in cheapest.stdout
        assert "\nother paths\n  cheapest: " in safest.stdout
        assert surest.returncode == 0
        document = json.loads(run(*asked, "--json").stdout)
        assert [(way["prefer"], way["interruptions"]) for way in document["other_ways"]] == [("safest", 0)]

    def test_nothing_is_said_of_other_ways_where_nothing_can_go_wrong(self, run):
        assert "other paths" not in run("path", "market_chase", "kit", "11,10").stdout

    def test_a_rulebook_without_safer_ways_says_so(self, run, duel):
        answer = run("path", duel, "A1", "0,0", "--turn", "2", "--safest")
        assert answer.returncode == 2
        assert "cannot find a safer path than the cheapest for walk" in answer.stderr

    def test_to_stay_takes_no_order(self, run, duel):
        assert "it is already there: no order is needed" in run("path", duel, "A1", "0,0").stdout


class TestExplain:
    def test_an_order_is_priced(self, run, duel):
        answer = run("explain", duel, "A1", "walk", "to", "2,0")
        assert answer.returncode == 0
        assert answer.stdout.splitlines()[:3] == ["legal: A1 walk to 2,0", "planned: A1 walk: right 2", "price"]

    def test_every_reason_against_it(self, run, duel):
        answer = run("explain", duel, "B1 strike A1 with 9", "--json")
        assert answer.returncode == 1
        found = json.loads(answer.stdout)
        assert [breach["clause"] for breach in found["reasons"]] == ["DU-1", "DU-1", "DU-3"]
        assert found["legal"] is False

    def test_if_it_is_but_not_its_go_the_price_is_told_too(self, run, duel):
        answer = run("explain", duel, "B1 walk: left 1")
        assert answer.returncode == 1
        assert "not of B1" in answer.stdout
        assert "it would be legal in the go of B1:" in answer.stdout
        assert "1.5 AP  in all" in answer.stdout

    def test_a_text_that_is_no_order_is_wrong_usage_and_marked(self, run, duel):
        answer = run("explain", duel, "A1 wlak: right 2")
        assert (answer.returncode, answer.stdout) == (2, "")
        assert "^~~~" in answer.stderr

    def test_whose_order_it_is_can_be_said_twice(self, run, duel):
        once = run("explain", duel, "A1 walk: right 2")
        for words in (("A1", "A1 walk: right 2"), ("A1", "A1", "walk:", "right", "2")):
            assert run("explain", duel, *words).stdout == once.stdout
        assert run("explain", duel, "A1: right 2").stdout == run("explain", duel, "A1", "A1: right 2").stdout

    def test_two_numbers_are_a_place_and_no_order(self, run, duel):
        answer = run("explain", duel, "A1", "1.5,0")
        assert (answer.returncode, answer.stdout) == (2, "")
        assert "(got '1.5,0')" in answer.stderr

    def test_why_a_place_is_closed_and_what_would_open_it(self, run, duel):
        answer = run("explain", duel, "A1", "3,0", "--try-options")
        assert answer.returncode == 1
        assert answer.stdout.splitlines() == [
            "3,0 cannot be reached",
            "  DU-2   B1 stands there",
            "  nearest legal end: 2,0, for 2.5 AP",
            "options that would open it:",
            "  none",
        ]

    def test_a_place_in_reach_is_told_with_its_price(self, run, duel):
        answer = run("explain", duel, "A1", "1,0")
        assert answer.returncode == 0
        assert answer.stdout.startswith("1,0 can be reached, for 1 AP\nA1 walk: right 1\nprice")


class TestPlaces:
    def test_on_dots_they_are_named_as_in_orders_or_as_in_pictures(self, run):
        alley = ROOT / "scenarios/dot_trooper/alley_turn.yaml"
        as_in_orders = run("reach", alley, "ann", "--to", "-1,4", "--json")
        as_in_pictures = run("reach", alley, "ann", "--to", "1:4", "--json")
        assert as_in_orders.stdout == as_in_pictures.stdout
        assert json.loads(as_in_orders.stdout)["to"]["place"] == [-1, 4]

    def test_who_rides_is_told_with_what_carries_it(self, run):
        found = json.loads(run("reach", ROOT / "scenarios/dot_trooper/alley_turn.yaml", "ann", "--json").stdout)
        assert (found["unit"], found["mover"]) == ("ann", "bike")
        threats = json.loads(run("threats", ROOT / "scenarios/dot_trooper/alley_turn.yaml", "red", "--json").stdout)
        assert list(threats["units"]) == ["bike"]


class TestExposed:
    def test_reactions_of_one_person_at_one_place_have_one_number(self, run):
        way = "bob drive max: move, move, left 60, stop 2, right 120, on 1"
        answer = run("exposed", ROOT / "scenarios/dot_trooper/through_the_arc.yaml", way)
        numbers = [line.split()[0] for line in answer.stdout.splitlines() if "cy: fire" in line]
        assert numbers == ["1", "1"]

    def test_by_an_order_or_by_a_place(self, run, duel):
        by_place = run("exposed", duel, "--turn", "2", "A1", "0,0")
        by_order = run("exposed", duel, "--turn", "2", "A1 walk: left 2")
        assert by_place.stdout == by_order.stdout
        assert by_order.stdout.splitlines() == [
            "A1 walk: left 2",
            "can be interrupted 3 times:",
            *STRIKE_AND_LUNGES,
        ]

    def test_a_tumble_can_be_interrupted_where_it_fails(self, run):
        """GR-64, GR-67: on the test depends who may intercept it; either guard has one free action (GR-49)."""
        answer = run("exposed", ROOT / "scenarios/grid_runner/vault_corridor.yaml", "vix tumble: e 4")
        lines = answer.stdout.splitlines()
        assert "can be interrupted twice at most, at 5 moments:" in lines
        listed = [line for line in lines if "intercept vix" in line]
        assert len(listed) == 5
        assert all("if vix: agility and gymnastics fails (GR-64)" in line for line in listed)

    def test_what_a_failed_check_would_do_is_told(self, run):
        """DT-93, DT-123, DT-126: the skid and its damage, with its chance."""
        answer = run("exposed", ROOT / "scenarios/dot_trooper/alley_turn.yaml", "ann drive cruise: stop")
        assert answer.stdout.splitlines()[1:3] == ["ends, if nobody interrupts it", "   91.7%  as planned"]
        told = answer.stdout.splitlines()[3]
        assert told.startswith("    8.3%  ann: control check: stop fails (DT-93); bike wipes out")
        assert "slides 3 dots from 8,2 to 11,2" in told
        assert "ann is hurt by wipe-out" in told

    def test_nobody(self, run, duel):
        assert run("exposed", duel, "A1 walk: right 1").stdout.endswith("nobody can interrupt it\n")

    def test_a_forbidden_order_is_1_with_all_reasons_on_stderr(self, run, duel):
        answer = run("exposed", duel, "A1 walk: left 1")
        assert (answer.returncode, answer.stdout) == (1, "")
        assert "DU-2   no room" in answer.stderr
        assert run("exposed", duel, "A1", "6,0").returncode == 1


class TestThreats:
    def test_who_and_how_many(self, run, duel):
        answer = run("threats", duel, "red")
        assert answer.returncode == 0
        assert answer.stdout.splitlines() == [
            "The gate; turn 1, round, red to move",
            "red: 1 unit",
            "  A1: 3 places (walk)",
            "where several of them can end:",
            "    1 or more: 3 places",
        ]
        assert json.loads(run("threats", duel, "blue", "--json").stdout)["counts"] == [[0, 1, 1, 1, 1, 1, 1, 1]]


class TestDiff:
    def test_gained_lost_and_the_clause(self, run, duel):
        answer = run("diff", duel, "A1", "--option", "impeded_cost=1", "--turn", "1")
        assert answer.returncode == 0
        assert answer.stdout.splitlines() == [
            "A1, walk",
            "DU-2  impeded_cost: 3/2 -> 1",
            "before: 3 places, after: 3 places",
            "  cheaper  1 place",
            "different cost:",
            "  1 place: 2.5 AP -> 2 AP",
        ]

    def test_both_sides_can_be_said(self, run, duel):
        found = json.loads(
            run("diff", duel, "A1", "--base", "impeded_cost=3", "--option", "impeded_cost=9", "--json").stdout
        )
        assert found["options"] == [{"name": "impeded_cost", "clause": "DU-2", "before": "3", "after": "9"}]
        assert found["lost"]["places"] == [[2, 0]]


class TestPictures:
    @pytest.mark.parametrize("command", PICTURES)
    def test_svg_and_png(self, run, duel, tmp_path, command):
        answer = run(*asked(command), "--svg", "a.svg", "--png", "a.png")
        assert answer.returncode == 0, answer.stderr
        assert (tmp_path / "a.svg").read_text().startswith("<svg ")
        assert (tmp_path / "a.png").read_bytes().startswith(b"\x89PNG")
        assert answer.stderr.splitlines() == ["wrote a.svg", "wrote a.png"]

    @pytest.mark.sampled("exposed")
    @pytest.mark.parametrize("command", PICTURES)
    def test_on_standard_output_there_is_only_the_picture(self, run, duel, tmp_path, command):
        run(*asked(command), "--svg", "a.svg")
        assert run(*asked(command), "--svg", "-", apart=True).stdout == (tmp_path / "a.svg").read_text()

    def test_chances_in_place_of_costs(self, run, duel, tmp_path):
        run("reach", duel, "A1", "--turn", "2", "--svg", "cost.svg")
        run("reach", duel, "A1", "--turn", "2", "--shade", "chance", "--svg", "chance.svg")
        assert "least cost to end there" in (tmp_path / "cost.svg").read_text()
        assert "41.7% or more" in (tmp_path / "chance.svg").read_text()


class TestWrongUsage:
    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (("reach", "duel.yaml", "A11"), "there is no unit 'A11'; did you mean 'A1'?"),
            (("reach", "duel.yaml", "A1", "--action", "wlak"), "no reach for 'wlak'; did you mean 'walk'?"),
            (
                ("reach", "duel.yaml", "A1", "--with", "app=2"),
                "app: a reach of duel takes no such value; did you mean 'ap'?",
            ),
            (("reach", "duel.yaml", "A1", "--with", "ap=x"), "ap: expected a number of AP from 0 to 9, not 'x'"),
            (("reach", "duel.yaml", "A1", "--with", "ap"), "must be NAME=VALUE, not 'ap'"),
            (("reach", "duel.yaml", "A1", "--to", "9,0"), "9,0 is not on the board: no square (9, 0) on this board"),
            (("reach", "duel.yaml", "A1", "--to", "-1,0"), "-1,0 is not on the board"),
            (("reach", "duel.yaml", "A1", "--to", "there"), "place: expected a square (got 'there')"),
            (("reach", "duel.yaml", "A1", "--option", "lunge=no"), "did you mean 'lunges'?"),
            (("reach", "duel.yaml", "A1", "--option", "lunges=perhaps"), "'perhaps' is not one of its values"),
            (("reach", "duel.yaml", "A1", "--turn", "1", "--after", "1"), "use only one of them"),
            (("reach", "duel.yaml", "A1", "--after", "99"), "the scenario has 4 orders"),
            (("reach", "row.yaml", "A1"), "simulator walk row.yaml --from C,R --budget N"),
            (("path", "duel.yaml", "A1", "-1,0"), "-1,0 is not on the board"),
            (("path", "duel.yaml", "B7", "1,0"), "there is no unit 'B7'; known: A1, B1"),
            (("explain", "duel.yaml", "A1", "99,0"), "99,0 is not on the board"),
            (("exposed", "duel.yaml", "A7 walk: right 1"), "A7 walk"),
            (("threats", "duel.yaml", "rde"), "there is no side 'rde'; did you mean 'red'?"),
            (("diff", "duel.yaml", "A1"), "nothing to compare with: name it by --option, --table or --against"),
            (("diff", "duel.yaml", "A1", "--option", "impeded_cots=1"), "did you mean 'impeded_cost'?"),
            (("diff", "duel.yaml", "A1", "--option", "impeded_cost=0"), "expected at least 1, not 0"),
        ],
    )
    def test_is_2_with_what_would_be_right(self, run, duel, tmp_path, words, told):
        (tmp_path / "row.yaml").write_text(ROW.replace("board:\n", "format: 1\n", 1).replace("\n  ", "\n"))
        answer = run(*words)
        assert (answer.returncode, answer.stdout) == (2, ""), answer.stdout + answer.stderr
        assert told in answer.stderr

    @pytest.mark.parametrize("command", ["reach", "path", "explain", "exposed", "threats", "diff"])
    def test_a_file_that_is_not_there_or_faulty_is_3(self, run, duel, tmp_path, command):
        (tmp_path / "duel.yaml").write_text(DUEL.replace("nerve: 2", "nevre: 2"))
        answer = run(*asked(command))
        assert (answer.returncode, answer.stdout) == (3, "")
        assert "did you mean 'nerve'" in answer.stderr
        (tmp_path / "duel.yaml").unlink()
        assert run(*asked(command)).returncode == 3

    def test_a_rulebook_that_declares_no_questions_is_asked_all_the_same(self, run, duel, monkeypatch):
        import duel_ruleset

        monkeypatch.setattr(duel_ruleset.DuelRuleset, "asks", {})
        assert run("reach", duel, "A1", "--with", "ap=1").returncode == 0
        answer = run("reach", duel, "A1", "--with", "app=1")
        assert answer.returncode == 2
        assert "duel does not understand --with app=1" in answer.stderr

    def test_a_rulebook_that_answers_no_reach_says_so(self, run, duel, monkeypatch):
        import duel_ruleset

        monkeypatch.setattr(duel_ruleset.DuelRuleset, "reaches", {})
        answer = run("reach", duel, "A1", "--questions")
        assert answer.stdout == "duel does not declare its reach questions\n"

    def test_a_unit_off_the_table_is_told(self, run, duel, tmp_path):
        (tmp_path / "duel.yaml").write_text(DUEL.replace("side: blue, at: [3, 0]", "side: blue"))
        answer = run("reach", duel, "B1")
        assert answer.returncode == 1
        assert "B1 is not on the table" in answer.stderr


def test_the_answers_are_the_same_every_time(run, duel):
    for command in ("reach", "path", "explain", "exposed", "threats", "diff"):
        assert run(*asked(command), "--json").stdout == run(*asked(command), "--json").stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([""], "expected"),
        (["A1", ""], "A1 needs an order or a place after it"),
        (["A1"], "A1 needs an order or a place after it"),
        (["3,0"], "which unit to 3,0? name it first, as in A1 3,0"),
        (["A1", "nan,0"], "place: expected"),
        (["A1 zz"], "place: expected"),
        (["A1", "wlk"], "did you mean 'walk'?"),
        (["A1", "dome"], "did you mean 'done'?"),
    ],
)
@pytest.mark.parametrize("command", ["explain", "exposed"])
def test_an_order_or_a_place_that_is_not_finished_is_wrong_usage(run, duel, command, words, told):
    answer = run(command, duel, *words)
    assert answer.returncode == 2, answer.stderr
    assert told in answer.stderr


def test_a_unit_and_its_place_may_be_said_in_one_word(run, duel):
    assert run("explain", duel, "A1 1,0").stdout == run("explain", duel, "A1", "1,0").stdout


class TestChancesBeyondTheLimit:
    """What is not searched is said, and all the rest is answered: as text, as data, as a picture, compared."""

    SCENE = ROOT / "scenarios/skirmish/over_the_wall.yaml"
    SAID = "the best chance is not searched"

    @pytest.fixture(autouse=True)
    def few_places(self, monkeypatch):
        monkeypatch.setattr("simulator.rulesets.skirmish.odds.bands.MOST_FOR_BANDS", 1)

    def test_reach(self, run, tmp_path):
        asked = ("reach", self.SCENE, "ana", "--with", "ap=1")
        answer = run(*asked, "--json", "--geojson", "a.json", "--svg", "a.svg")
        assert (answer.returncode, answer.stderr.count("simulator:")) == (0, 0)
        document, map_ = json.loads(answer.stdout), json.loads((tmp_path / "a.json").read_text())
        assert document["chances"] == []
        assert document["bands"]
        assert self.SAID in document["chances_not_searched"]
        assert self.SAID in map_["properties"]["chances_not_searched"]
        assert "certain" in (tmp_path / "a.svg").read_text()
        assert self.SAID in run(*asked).stdout

    def test_a_picture_of_chances_is_refused(self, run):
        answer = run("reach", self.SCENE, "ana", "--svg", "a.svg", "--shade", "chance")
        assert answer.returncode == 4
        assert self.SAID in answer.stderr

    # Long: two whole answers by chance are searched; the parts of one are tried beside it.
    @pytest.mark.long
    def test_two_answers_are_compared_by_what_is_known(self, run):
        told = run("diff", self.SCENE, "ana", "--option", "traverse_ap=0")
        assert told.returncode == 0
        assert self.SAID in told.stdout
        assert "gained" in told.stdout
        document = json.loads(run("diff", self.SCENE, "ana", "--option", "traverse_ap=0", "--json").stdout)
        assert document["odds"] == []
        assert self.SAID in document["odds_not_compared"]


class TestChains:
    """`--then`: a chain of questions, as `Chain` asks it."""

    CHASE = "scenarios/grid_runner/market_chase.yaml"
    WORDS = ("--action", "move to 7,6 or 8,8", "--then", "all done", "--then", "move")

    def asked(self, run, *words):
        return run("reach", Path(__file__).resolve().parents[2] / self.CHASE, "kit", *words)

    def test_it_answers_what_the_chain_answers(self, run):
        from simulator import load_scenario
        from simulator.engine.chain import Chain, ask

        game = load_scenario(Path(__file__).resolve().parents[2] / self.CHASE).start()
        answer = game.reach("kit", Chain([ask("move", to=[(7, 6), (8, 8)]), "all done", ask("move")]))
        told = json.loads(self.asked(run, *self.WORDS, "--to", "9,6", "--json").stdout)
        assert told["extent"] == pytest.approx(sum((tuple(place) in answer) for place in game.board.places()))
        assert told["to"]["cost"] == answer.cost_at((9, 6))
        assert told["action"] == "move, then all done, then move"

    def test_the_link_that_fails_is_named(self, run):
        found = self.asked(run, *self.WORDS, "--to", "0,0")
        assert found.returncode == 1
        assert "link 3 of 3 (move): " in found.stdout

    @pytest.mark.parametrize(
        ("words", "told"),
        [
            (("--then", "all done"), "a chain ends with a question of reach"),
            (("--then", "fly"), "'fly' is neither an order, which begins with its unit, nor a question"),
            (("--then", "move", "--reverse", "--to", "1,1"), "it does not go with --reverse"),
        ],
    )
    def test_wrong_usage(self, run, words, told):
        found = self.asked(run, *words)
        assert (found.returncode, told in found.stderr) == (2, True)
