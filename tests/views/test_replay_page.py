"""The replay page without a browser: the same bytes, nothing but text in it, and what it holds is what happened."""

import base64
import hashlib
import html
import json
import re
import sys
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

sys.path.insert(0, str(Path(__file__).parent))

from replay_stories import NASTY, REGISTER, RULESET, duel, hostile_story, long_duel

from simulator import load_board, load_scenario
from simulator.engine.events import Event
from simulator.engine.game import Game
from simulator.engine.story import Story
from simulator.geometry.board import Lattice
from simulator.geometry.squares import SquareGrid
from simulator.views.replay import reaches, replay_frame, replay_page
from simulator.views.replay.backdrop import stage_of
from simulator.views.replay.outlines import DIGITS, FINENESS, Cells, outline, packed
from simulator.views.replay.timeline import timeline_of
from simulator.views.svg import Sheet

ROOT = Path(__file__).resolve().parents[2]
BOARDS = sorted((ROOT / "boards").glob("*.yaml"))


@pytest.fixture(scope="module")
def account():
    return duel()


@pytest.fixture(scope="module")
def page(account):
    return replay_page(account.story, register=REGISTER, reach="chance")


def data_of(page):
    return json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL)[1])


class Elements(HTMLParser):
    """All elements and all text of a page."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.text = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text.append(data)


class TestThePageAsAFile:
    def test_the_same_story_gives_the_same_bytes(self, page):
        assert replay_page(duel().story, register=REGISTER, reach="chance") == page

    def test_it_asks_the_network_for_nothing_and_says_so(self, page):
        tags = Elements(page)
        assert not {"link", "img", "iframe", "object", "embed", "base", "form"} & set(tags.tags)
        assert not [name for name, _ in tags.attributes if name in ("src", "href", "xlink:href", "action")]
        assert "url(" not in page
        assert "@import" not in page
        policy = html.unescape(re.search(r'Content-Security-Policy" content="([^"]+)"', page)[1])
        assert policy.startswith("default-src 'none'; ")
        for tag, rule in (("style", "style-src"), ("script", "script-src")):
            text = re.search(rf"<{tag}>(.*?)</{tag}>", page, re.DOTALL)[1]
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            assert f"{rule} 'sha256-{digest}'" in policy

    def test_no_attribute_holds_a_script_or_a_style(self, page):
        attributes = Elements(page).attributes
        assert not [name for name, _ in attributes if name.startswith("on") or name == "style"]

    def test_a_battle_of_a_hundred_orders_is_under_300_kb(self):
        game = long_duel(8)
        page = replay_page(Story.of(game, "A long duel"), register=REGISTER)
        assert len(game.history) > 90
        assert len(page.encode()) < 300_000

    def test_a_frame_holds_the_page_and_nothing_else(self, page):
        frame = replay_frame(page)
        assert html.unescape(re.search(r'srcdoc="([^"]*)"', frame)[1]) == page
        assert Elements(frame).tags == ["iframe"]


class TestHostileNames:
    def test_they_are_text_wherever_they_stand(self):
        page = replay_page(hostile_story(), register=REGISTER)
        found = Elements(page)
        assert "img" not in found.tags
        assert found.tags.count("script") == 2
        assert "\u202e" not in page
        assert "\x1b" not in page
        shown = "".join(found.text)
        told = NASTY.replace("\u202e", "\\u202e").replace("\x1b", "\\x1b")
        assert shown.count(told) > 12
        assert json.dumps(data_of(page)).count("onerror") >= 3


class TestTheAccount:
    def test_every_order_stands_in_it_with_its_price(self, page, account):
        text = " ".join("".join(Elements(page).text).split())
        for chapter in account.story.chapters:
            if chapter.order and not chapter.unsaid:
                assert " ".join(chapter.order.split(" ")[1:]) in text
        assert "2 AP" in text
        assert "17 of 17 expectations met" in text

    def test_a_refusal_is_told_with_its_clause(self, page):
        refused = re.search(r'<section class="order refused".*?</section>', page, re.DOTALL)[0]
        assert '<button class="clause">DU-1</button>' in refused

    def test_the_ledger_of_an_order_has_a_line_for_each_line_of_its_price(self, page, account):
        lines = sum(len(chapter.happened.ledger) for chapter in account.story.chapters if chapter.happened)
        assert lines
        assert len(re.findall(r"<tr data-m=", page)) == lines

    def test_questions_are_told_with_chance_and_answer(self, page, account):
        asked = sum(len(chapter.happened.answered) for chapter in account.story.chapters if chapter.happened)
        assert page.count('<li class="question"') == asked
        assert re.search(r"chance 7/12 \(58%\)", page)

    def test_the_text_of_each_clause_that_is_cited_comes_along_and_no_other(self, page):
        assert re.findall(r'id="clause-([^"]+)"', page) == ["DU-2", "DU-3"]
        assert "<code>1</code> AP, <em>more</em> on &lt;b&gt;impeded&lt;/b&gt; ground." in page
        assert "<td>open</td><td>1</td>" in page

    def test_without_a_register_the_page_works_too(self, account):
        assert 'id="clause-' not in replay_page(account.story)


class TestTheReel:
    def test_it_comes_to_the_table_that_the_game_came_to(self, account):
        timeline = timeline_of(account.story)
        assert timeline.last == account.game.state
        for scene, after in zip(
            timeline.scenes, [*(scene.before for scene in timeline.scenes[1:]), timeline.last], strict=True
        ):
            happened = scene.chapter.happened
            assert after == (scene.before if happened is None else happened.state)

    def test_whatever_is_seen_or_paid_or_asked_has_a_moment_of_its_own(self, account):
        timeline = timeline_of(account.story)
        numbers = []
        for scene in timeline.scenes:
            numbers += [] if scene.first is None else [scene.first]
            for entry in scene.entries:
                if entry.moment is None:
                    assert isinstance(entry.what, Event)
                    assert not entry.what.price
                    assert not entry.what.detail
                else:
                    numbers.append(entry.moment)
        assert numbers == list(range(len(timeline.moments) - 1))

    def test_a_refused_order_and_a_look_change_nothing(self, account):
        timeline = timeline_of(account.story)
        still = [scene for scene in timeline.scenes if scene.chapter.happened is None]
        assert [scene.chapter.order for scene in still] == ["B1 strike A1 with 9", ""]
        assert all(scene.first is not None and not scene.entries for scene in still)

    def test_a_game_that_waits_for_an_answer_is_told_as_far_as_it_has_come(self):
        a1 = RULESET.make_unit("A1", "fighter", "red", (2, 0), ap=3)
        game = Game.new(RULESET, SquareGrid.open(8, 1), [a1, RULESET.make_unit("B1", "fighter", "blue", (4, 0))])
        assert game.do("A1 walk: right 1, left 1").question is not None
        timeline = timeline_of(Story.of(game))
        assert timeline.scenes[-1].chapter.order == "A1 walk: right 1, left 1"
        assert timeline.last.unit("A1").place == (3, 0)
        assert data_of(replay_page(Story.of(game)))["moments"][-1]["o"] == len(timeline.scenes)

    def test_a_game_tells_the_story_of_its_orders(self, account):
        told = Story.of(account.game, "The gate")
        done = [chapter.order for chapter in account.story.chapters if chapter.happened]
        assert [chapter.order for chapter in told.chapters] == done
        assert timeline_of(told).last == account.game.state


class TestTheFigures:
    def test_positions_added_up_are_those_of_the_ruleset(self, page, account):
        data, timeline = data_of(page), timeline_of(account.story)
        stage = stage_of(account.game.board)
        shown = [None] * len(data["units"])
        for told, moment in zip(data["moments"], timeline.moments, strict=True):
            for at, new in told.get("u", {}).items():
                shown[int(at)] = new
            for unit, figure in zip(data["units"], shown, strict=True):
                drawn = moment.seen.get(unit["id"])
                assert (figure in (None, 0)) == (drawn is None)
                if drawn is not None:
                    x, y = stage.sheet.at(*account.game.board.centre(drawn.place))
                    assert np.allclose(figure[:2], (x * FINENESS, y * FINENESS), atol=0.5)
                    assert figure[2] == drawn.heading
                    assert (figure[3] >= 0) == bool(drawn.covers)

    def test_fields_are_told_where_they_change_and_only_there(self, page, account):
        data = data_of(page)
        told = [moment.get("f", {}) for moment in data["moments"]]
        assert {name for fields in told for said in fields.values() for name in said} == {"ap"}
        last = [fields["0"]["ap"] for fields in told if "0" in fields][-1]
        assert last == str(account.game.state.unit("A1")["ap"])

    def test_sides_have_marks_that_differ(self, page):
        assert [unit["mark"] for unit in data_of(page)["units"]] == ["disc", "triangle"]


def decoded(cells, written):
    """The letters of a text of cells, one for each cell of the arrays."""
    letters = "".join((int(count or 1)) * letter for count, letter in re.findall(r"(\d*)([.a-zA-Z])", written))
    return letters.ljust(cells._shape[0] * cells._shape[1], ".")


def unpacked(text):
    """The steps of a ring that was written in digits, rows x, y."""
    numbers, number, unit = [], 0, 1
    for letter in text:
        digit = DIGITS.index(letter)
        number, unit = number + digit % 32 * unit, unit * 32
        if digit < 32:
            numbers.append(-(number + 1) // 2 if number % 2 else number // 2)
            number, unit = 0, 1
    return np.array(numbers).reshape(-1, 2)


class TestReach:
    def test_it_is_asked_at_every_order_and_each_different_answer_kept_once(self, page, account):
        data = data_of(page)
        reach = data["reach"]
        assert len(reach["at"]) == len(account.story.chapters) + 1
        assert len({json.dumps(answer) for answer in reach["answers"]}) == len(reach["answers"])
        assert {reach["words"][answer["a"]] for answer in reach["answers"]} == {
            "walk",
            "walk: chance",
        }  # who prays has no reach
        first = next(here for here in reach["at"] if here)
        assert [reach["words"][name] for name in reach["answers"][first["0"][0]]["b"]] == [
            "0 AP",
            "1 AP",
            "2 AP",
            "3 AP",
            "4 AP",
        ]
        odds = reach["answers"][first["0"][1]]
        assert (odds["p"], [reach["words"][name] for name in odds["b"]]) == (1, ["certain", "33.3%"])

    def test_equal_tables_are_asked_about_once_and_it_can_be_watched(self, account):
        seen = []

        def watch(states, count):
            for state in states:
                seen.append(state.position_hash)
                yield state
            assert len(seen) == count

        replay_page(account.story, watch=watch)
        assert len(seen) == len(set(seen)) > 2

    def test_the_chance_is_asked_only_about_the_unit_whose_order_it_is_and_only_if_wanted(self, page, account):
        reach = data_of(page)["reach"]
        seen = set()
        for chapter, here in zip(account.story.chapters, reach["at"], strict=False):
            odds = {at for at, numbers in here.items() if any("p" in reach["answers"][number] for number in numbers)}
            assert odds <= {{"A1": "0", "B1": "1"}.get(chapter.order[:2])}
            seen |= odds
        assert seen == {"0", "1"}
        plain = data_of(replay_page(account.story))["reach"]
        assert {plain["words"][answer["a"]] for answer in plain["answers"]} == {"walk"}

    def test_it_can_be_left_out(self, account):
        assert "reach" not in data_of(replay_page(account.story, reach="nothing"))

    @pytest.mark.parametrize("path", BOARDS, ids=lambda path: path.stem)
    def test_cells_are_found_again_where_they_are(self, path):
        """What a page draws of a lattice from letters and three vectors covers the region it was made from."""
        board = load_board(path)
        if not isinstance(board, Lattice):
            assert outline(board.outline(board.centre(next(iter(board.places())))), stage_of(board).sheet)
            return
        sheet = stage_of(board).sheet
        cells = Cells(board, sheet)
        places = list(board.places())
        parts = [places[::7], places[3::7]]
        letters = decoded(cells, cells.written([board.region(part) for part in parts]))
        for letter, part in zip("ab", parts, strict=True):
            at = np.flatnonzero(np.array(list(letters)) == letter)
            assert {tuple(divmod(int(one), cells.columns)) for one in at} == {board.index(place) for place in part}
            for one in at[::50].tolist():
                row, column = divmod(one, cells.columns)
                spot = np.array(cells.origin) + column * np.array(cells.along) + row * np.array(cells.down)
                there = np.array(sheet.at(*board.centre(board.place_at(row, column)))) * FINENESS
                assert np.abs(spot - there).max() < 1

    def test_an_outline_lies_close_to_the_true_one(self):
        board = load_board(next(path for path in BOARDS if not isinstance(load_board(path), Lattice)))
        sheet = stage_of(board).sheet
        shape = shapely.Point(20, 15).buffer(9).difference(shapely.Point(21, 15).buffer(3))
        text = outline(shape, sheet)
        rings = []
        for ring in text.removesuffix("z").split("z"):
            start = np.array([int(one) for one in re.match(r"M(-?\d+) (-?\d+)", ring).groups()])
            steps = [
                (int(x), int(y)) if kind == "l" else (int(x), 0) if kind == "h" else (0, int(x))
                for kind, x, y in re.findall(r"([lhv])(-?\d+)(?: (-?\d+))?", ring)
            ]
            rings.append(np.vstack([start, start + np.cumsum(steps, axis=0)]) / FINENESS)
        back = shapely.Polygon(rings[0], [rings[1]])
        there = shapely.Polygon(
            sheet.all(shapely.get_coordinates(shape.exterior)), [sheet.all(shapely.get_coordinates(shape.interiors[0]))]
        )
        assert shapely.hausdorff_distance(back, there) < 1.5
        assert len(text) < 800  # of 260 corners it was made from
        steps = [unpacked(ring) for ring in packed(shape, sheet)]
        assert all(
            np.array_equal(np.cumsum(one, axis=0) / FINENESS, two) for one, two in zip(steps, rings, strict=True)
        )
        assert sum(map(len, packed(shape, sheet))) < 0.6 * len(text)

    def test_the_same_hole_is_written_alike_wherever_it_is_found(self):
        hole = shapely.Point(20, 15).buffer(3)
        turned = shapely.Polygon(np.roll(shapely.get_coordinates(hole)[:-1], 40, axis=0))
        sheet = stage_of(load_board(next(path for path in BOARDS if path.stem == "tidal_flat"))).sheet
        one, other = (
            packed(shapely.Point(20, 15).buffer(wide).difference(cut), sheet) for wide, cut in ((9, hole), (7, turned))
        )
        assert one[0] != other[0]
        assert one[1:] == other[1:]

    @given(st.lists(st.tuples(st.integers(-5000, 5000), st.integers(-5000, 5000)), min_size=3, unique=True))
    def test_steps_are_read_back_as_they_were(self, corners):
        shape = shapely.convex_hull(shapely.MultiPoint(corners))
        if shape.geom_type != "Polygon":
            return
        sheet = Sheet(0, 0, 0, 0, 1 / FINENESS)
        (ring,) = packed(shape, sheet)
        back = np.cumsum(unpacked(ring), axis=0) * (1, -1)
        assert shapely.hausdorff_distance(shapely.Polygon(back), shape) <= 0.6 * FINENESS


class TestInANotebook:
    def test_an_account_shows_its_replay(self, account):
        assert account._repr_html_().startswith("<iframe srcdoc=")


class TestAPageOfManyQuestions:
    def test_the_units_whose_orders_they_are_come_first_and_the_rest_is_said(self, account, monkeypatch):
        monkeypatch.setattr(reaches, "MOST_ASKED", 6)
        told = []
        page = replay_page(account.story, tell=told.append)
        at = data_of(page)["reach"]["at"]
        assert told[0].startswith("The reach of some or all units is left out at ")
        assert told[0] in page
        assert any(at)
        assert not at[-1]
        whole = data_of(replay_page(account.story))["reach"]["at"]
        assert all(here.keys() <= there.keys() for here, there in zip(at, whole, strict=True))

    def test_a_page_of_few_says_nothing(self, account):
        told = []
        replay_page(account.story, tell=told.append)
        assert told == []

    @pytest.mark.sampled("reach.nearby.MOST_CORNERS-cost-False")
    @pytest.mark.parametrize(
        ("limit", "shown", "keeps_costs"),
        [("reach.nearby.MOST_CORNERS", "cost", False), ("odds.bands.MOST_FOR_BANDS", "chance", True)],
    )
    def test_a_question_beyond_a_limit_is_said_and_the_page_is_written(self, monkeypatch, limit, shown, keeps_costs):
        monkeypatch.setattr(f"simulator.rulesets.skirmish.{limit}", 1)
        story = load_scenario(ROOT / "scenarios/skirmish/over_the_wall.yaml").run().story
        told = []
        page = replay_page(story, reach=shown, tell=told.append)
        assert "The reach of ana" in told[0]
        assert "is not shown in full: " in told[0]
        assert told[0] in html.unescape(page)
        assert any(data_of(page)["reach"]["at"]) == keeps_costs


def test_of_a_rider_that_is_not_drawn_is_told_what_carries_it():
    story = load_scenario(ROOT / "scenarios" / "dot_trooper" / "skid_into_the_wall.yaml").run().story
    data = data_of(replay_page(story, register=None, reach="nothing"))
    ann = str([unit["id"] for unit in data["units"]].index("ann"))
    told = [moment["f"][ann]["aboard"] for moment in data["moments"] if "aboard" in moment.get("f", {}).get(ann, {})]
    assert told[0] == "bike"
    assert told[1:3] == ["", "bike"]
