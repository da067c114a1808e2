"""The scenario is changed on the live table: by hand, by keys and in its text."""

import pytest
from live_pages import CHASE, YARD

from simulator.formats.editing import plain
from simulator.formats.scenarios import parse_scenario

EDITABLE = "scenarios/combined_arms/main_street.yaml"


def begin(page):
    page.page.click("#editor")
    page.page.wait_for_selector("#edit:not([hidden])")
    page.settle()


def text(page):
    return page.page.input_value("#text")


def units(page):
    return plain(text(page))["units"]


def cell(page, column, row):
    """Where a square of the market lies on the screen."""
    page.size = (24, 18)
    return page.spot(column + 0.5, 18 - row - 0.5)


@pytest.fixture
def chase(live):
    page = live(CHASE)
    begin(page)
    return page


class TestUnits:
    def test_one_is_dragged_and_its_comments_stay(self, chase):
        before = text(chase)
        chase.page.mouse.move(*cell(chase, 6, 8))
        chase.page.mouse.down()
        chase.page.mouse.move(*cell(chase, 7, 7), steps=4)
        chase.page.mouse.move(*cell(chase, 8, 6), steps=4)
        chase.page.mouse.up()
        chase.settle()
        assert units(chase)["kit"]["at"] == [8, 6]
        assert [line for line in text(chase).splitlines() if "kit:" not in line] == [
            line for line in before.splitlines() if "kit:" not in line
        ]

    def test_by_keys_alone(self, chase):
        chase.page.focus(".chip:has-text('kit')")
        chase.press("Enter")
        chase.page.evaluate("document.activeElement.blur()")
        chase.press("ArrowUp", "ArrowLeft")
        assert units(chase)["kit"]["at"] == [5, 7]
        chase.press("u")
        assert units(chase)["kit"]["at"] == [6, 7]
        chase.press("r")
        assert units(chase)["kit"]["at"] == [5, 7]
        chase.press("Delete")
        assert "kit" not in units(chase)

    def test_one_is_added_and_has_values(self, chase):
        chase.page.click("button:has-text('Add a unit')")
        chase.page.fill("#tool-name", "zoe")
        chase.page.keyboard.press("Tab")
        chase.page.mouse.click(*cell(chase, 12, 8))
        chase.settle()
        assert units(chase)["zoe"] == {"type": "character", "side": "couriers", "at": [12, 8]}
        chase.page.click(".chip:has-text('zoe')")
        chase.page.select_option("#tool-field", "passes")
        chase.page.fill("#tool-value", "3")
        chase.page.keyboard.press("Tab")
        chase.settle()
        assert units(chase)["zoe"]["passes"] == 3

    def test_where_it_may_not_stand_is_said_and_shown(self, chase):
        chase.page.click("button:has-text('Add a unit')")
        chase.page.mouse.click(*cell(chase, 6, 8))
        chase.settle()
        assert "GR-" in chase.text("#faults")
        assert chase.page.locator("#units .unit").count() == 5
        chase.page.click("#play")
        chase.settle()
        assert "faults are mended" in chase.text("#refused")


class TestGround:
    def test_squares_are_painted_in_one_stroke(self, chase):
        chase.page.click("button.glyph:has-text('~')")
        chase.page.mouse.move(*cell(chase, 2, 12))
        chase.page.mouse.down()
        chase.page.mouse.move(*cell(chase, 6, 12), steps=20)
        chase.page.mouse.up()
        chase.settle()
        assert plain(text(chase))["board"]["rows"].splitlines()[12] == "..~~~~~" + "." * 17
        chase.page.mouse.click(*cell(chase, 0, 10))
        chase.settle()
        assert plain(text(chase))["board"]["rows"].splitlines()[10].startswith("~.")

    @pytest.mark.sampled("polygon-points2-written2")
    @pytest.mark.parametrize(
        ("shape", "points", "written"),
        [
            ("rectangle", [(10, 30), (14, 34)], {"rectangle": {"centre": [12, 32], "size": [4, 4]}}),
            ("circle", [(40, 6), (40, 9)], {"circle": {"centre": [40, 6], "radius": 3}}),
            ("polygon", [(30, 3), (34, 3), (34, 6)], {"polygon": [[30, 3], [34, 3], [34, 6]]}),
        ],
    )
    def test_pieces_are_drawn(self, live, shape, points, written):
        page = live(YARD)
        begin(page)
        many = len(plain(text(page))["board"]["pieces"])
        page.page.click("button:has-text('Draw a piece')")
        page.page.select_option("#piece-kind", "rough_terrain")
        page.page.select_option("#piece-shape", shape)
        page.page.fill("#piece-name", "mine")
        page.page.keyboard.press("Tab")
        for point in points:
            page.click(*point)
        if shape == "polygon":
            page.page.click("button:has-text('Finish the piece')")
            page.settle()
        pieces = plain(text(page))["board"]["pieces"]
        assert len(pieces) == many + 1
        assert pieces[-1]["id"] == "mine"
        for key, value in written.items():
            assert near(pieces[-1][key], value)
        assert page.text("#faults p") == "It can be played."
        page.page.select_option("#piece-there", label="mine (rough terrain)")
        page.page.click("button:has-text('Remove the piece')")
        page.settle()
        assert len(plain(text(page))["board"]["pieces"]) == many


def near(found, wanted):
    if isinstance(wanted, dict):
        return found.keys() == wanted.keys() and all(near(found[key], value) for key, value in wanted.items())
    if isinstance(wanted, list):
        return len(found) == len(wanted) and all(map(near, found, wanted))
    return abs(found - wanted) <= 0.3


class TestText:
    def test_it_is_checked_while_one_types(self, chase):
        chase.page.focus("#text")
        chase.page.evaluate(
            "t => { const e = document.querySelector('#text'); const at = e.value.indexOf('type: character');"
            " e.setSelectionRange(at + 6, at + 15); }"
        )
        chase.page.keyboard.type("dragon")
        chase.settle()
        chase.settle()
        assert "1 fault" in chase.text("#faults")
        assert "dragon" in chase.text("#faults")
        chase.page.click("#faults .line")
        marked = "const e = document.querySelector('#text'); return e.value.slice(e.selectionStart, e.selectionEnd)"
        assert "dragon" in chase.page.evaluate(f"() => {{ {marked} }}")
        chase.page.click("#unedit")
        chase.settle()

    def test_what_is_played_is_what_is_written(self, chase, live):
        chase.page.focus(".chip:has-text('kit')")
        chase.press("Enter")
        chase.page.evaluate("document.activeElement.blur()")
        chase.press("ArrowUp")
        chase.page.click("#play")
        chase.settle()
        assert chase.page.is_hidden("#edit")
        chase.choose("kit")
        assert "at 6,7" in chase.text("#ask")
        # The link holds the draft; another page shows the same, and the draft can be changed further.
        link = chase.page.url[chase.page.url.index("#") :]
        assert link.startswith("#~")
        other = live(CHASE, at=link)
        other.choose("kit")
        assert "at 6,7" in other.text("#ask")
        begin(other)
        assert units(other)["kit"]["at"] == [6, 7]

    def test_a_new_scenario_of_a_rulebook(self, live):
        page = live(YARD)
        page.page.select_option("#fresh", "dot_trooper")
        page.page.wait_for_selector("#edit:not([hidden])")
        page.settle()
        assert page.text("#faults p") == "It can be played."
        page.page.click("#play")
        page.settle()
        assert page.text("#subtitle").startswith("Dot trooper")
        page.page.click("#script")
        page.settle()
        assert page.orders()

    def test_it_is_saved_as_a_scenario(self, chase, tmp_path):
        with chase.page.expect_download() as download:
            chase.page.click("#keep")
        download.value.save_as(tmp_path / "saved.yaml")
        saved = (tmp_path / "saved.yaml").read_text("utf-8")
        assert parse_scenario(saved).name == "Market chase"

    def test_discarded_it_is_as_before(self, chase):
        chase.page.focus(".chip:has-text('kit')")
        chase.press("Enter", "Delete")
        chase.page.click("#discard")
        chase.settle()
        assert chase.page.is_hidden("#edit")
        chase.choose("kit")


@pytest.mark.sampled("dark")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_narrow_page_with_touch(live, scheme):
    page = live(EDITABLE, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme=scheme)
    begin(page)
    first = page.page.locator(".chip").first
    first.tap()
    page.settle()
    assert page.page.is_visible("#tools button:has-text('Remove it')")
    assert page.page.evaluate("document.documentElement.scrollWidth") <= 390
