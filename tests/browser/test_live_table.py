"""The live table in a real browser: clicks, drags, keys, two pages, a server that is gone, hostile names."""

import json
import re
from pathlib import Path

import pytest
from live_pages import CHASE, CROSSING, ROOT, YARD, Page, Server

from simulator import load_scenario
from simulator.formats.scenarios import scenario_text


class TestAsking:
    def test_a_unit_shows_where_it_can_end_and_a_place_its_price(self, live):
        page = live()
        page.choose("ash")
        assert page.text("#ask").startswith("ash\nred, soldier, at 6,6")
        assert "3 AP" in page.text("#ask .bands")
        page.point(6, 9)
        assert page.text("#status").startswith("6,9: 1 AP")
        assert "ash: to 6,9" in page.text("#answer")
        assert "in all\t1 AP, 3 inches" in page.text("#answer")
        assert page.page.locator("#ways .over").count() == 1

    def test_a_place_out_of_reach_has_its_clause_and_the_nearest_end(self, live):
        page = live()
        page.choose("ash")
        page.click(30, 14)
        answer = page.text("#answer")
        assert "not within reach" in answer
        assert re.search(r"^SK-\d+ ", answer, re.M)
        assert "Nearest legal end:" in answer
        page.page.click("#answer .go button")
        page.settle()
        assert "AP" in page.text("#status")
        assert "not within reach" not in page.text("#answer")

    def test_other_actions_values_and_chances(self, live):
        page = live()
        page.choose("ash")
        page.page.fill("#ask .values label:has-text('ap') input", "1")
        page.page.press("#ask .values label:has-text('ap') input", "Tab")
        page.settle()
        assert page.text("#ask .bands") == "1 AP"
        page.page.click("#ask .actions button:has-text('by chance')")
        page.settle()
        assert page.text("#ask .bands") == "certain"
        page.page.fill("#ask .values label:has-text('ap') input", "many")
        page.page.press("#ask .values label:has-text('ap') input", "Tab")
        page.settle()
        assert "ap: expected" in page.text("#ask .bad")
        page.page.click("#ask .actions button:has-text('run')")
        page.settle()
        assert page.page.get_attribute("#ask .actions button:has-text('run')", "aria-pressed") == "true"
        assert page.page.locator("#ask .bad").count() == 0


class TestOrdering:
    def test_go_there_take_back_and_branch(self, live):
        page = live()
        page.choose("ash")
        page.click(6, 9)
        page.page.click("#answer .go button:first-child")
        page.settle()
        assert page.orders()[-1].startswith("ash to 6,9")
        page.press("u")
        assert not any("ash" in order for order in page.orders())
        page.page.fill("#order", "bay move: to 9,10")
        page.page.press("#order", "Enter")
        page.settle()
        assert page.orders()[-1].startswith("bay to 9,10")
        page.page.evaluate("document.activeElement.blur()")
        page.press("u")
        # Both lines are kept: the one tried last comes again, the other is offered.
        assert page.text("#lines summary") == "Moves, 2 lines"
        page.page.click("#lines summary")
        page.page.evaluate("document.activeElement.blur()")
        page.press("r")
        assert page.orders()[-1].startswith("bay to")
        assert page.text("#tree [aria-current]").startswith("bay move")
        page.page.click("#tree ol button")
        page.settle()
        assert page.orders()[-1].startswith("ash to 6,9")

    def test_the_timeline_goes_anywhere_and_keeps_what_lies_ahead(self, live):
        page = live(CHASE)
        for _ in range(3):
            page.page.click("#script")
            page.settle()
        assert page.text("#count") == "3 of 3"
        before = page.orders()
        page.page.focus("#timeline")
        page.press("Home")
        assert page.text("#count") == "0 of 3"
        assert len(page.orders()) < len(before)
        page.press("End")
        assert page.text("#count") == "3 of 3"
        assert page.orders() == before
        assert "3 of 3: " in page.page.get_attribute("#timeline", "aria-valuetext")

    def test_what_if_it_stood_elsewhere(self, live):
        page = live()
        page.choose("ash")
        page.click(6, 9)
        page.page.click("button:has-text('What if it stood here')")
        page.settle()
        assert "if it stood at 6,9" in page.text("#ask")
        page.click(6, 12)
        assert page.text("#answer h3").startswith("6,12: 1 AP")
        assert page.page.is_disabled("#answer .go button:first-child")
        page.press("Enter")
        assert not any("ash" in order for order in page.orders())
        page.page.click("button:has-text('Back to where it stands')")
        page.settle()
        assert "if it stood" not in page.text("#ask")

    def test_where_it_could_not_stand_is_said(self, live):
        page = live(CHASE)
        page.choose("kit")
        page.page.evaluate("document.activeElement.blur()")
        page.press("ArrowRight", "ArrowRight")
        page.page.click("button:has-text('What if it stood here')")
        page.settle()
        assert "GR-" in page.text("#ask .bad")

    def test_a_unit_is_dragged_and_its_price_goes_along(self, live):
        page = live()
        page.page.mouse.move(*page.spot(6, 6))
        page.page.mouse.down()
        for y in (6.5, 7, 8):
            page.page.mouse.move(*page.spot(6, y))
            page.settle()
        assert page.text("#status").startswith("6,8: 1 AP")
        page.page.mouse.up()
        page.settle()
        page.press("Enter")
        assert page.orders()[-1].startswith("ash to 6,8")

    def test_a_refused_order_says_why_and_changes_nothing(self, live):
        page = live()
        before = page.page.url
        page.page.fill("#order", "ash move: to 46,30")
        page.page.press("#order", "Enter")
        page.settle()
        assert "Rejected: ash move: to 46,30" in page.text("#refused")
        assert "SK-2" in page.text("#refused")
        assert page.page.url.partition("#")[0] == before.partition("#")[0]
        assert page.page.is_disabled("#undo")
        page.page.fill("#order", "ash jumps")
        page.page.press("#order", "Enter")
        page.settle()
        assert "ash" in page.text("#refused")

    def test_questions_are_rolled_chosen_and_typed(self, live):
        page = live("scenarios/dot_trooper/skid_into_the_wall.yaml")
        page.page.wait_for_selector("#script:not([disabled])")
        for _ in range(8):
            if page.page.is_visible("#question"):
                break
            page.press("n")
        assert "Roll" in page.text("#question .roll")
        page.page.click("#question .roll")
        page.settle()
        rolled = page.orders()
        page.press("u")
        page.page.click("#question button:has-text('Worst case')")
        page.settle()
        worst = page.orders()
        page.press("u")
        choices = page.page.locator("#question .choices button")
        assert choices.count() > 4
        assert worst[-1].split()[0] == rolled[-1].split()[0]
        choices.last.click()
        page.settle()
        assert page.orders()[-1].split()[0] == rolled[-1].split()[0]

    def test_the_script_of_the_scenario_to_its_end(self, live):
        page = live(CHASE)
        page.page.wait_for_selector("#script:not([disabled])")
        for _ in range(60):
            if page.page.is_disabled("#script"):
                break
            page.press("n")
        game = load_scenario(ROOT / CHASE).run().game
        assert page.text("#status") == f"{game.state.clock}" + (", over" if game.state.clock.over else "")
        for unit in game.state:
            if unit.place is not None:
                page.page.click(f".chip:has-text('{unit.id}')")
                page.settle()
                assert f"at {unit.place[0]},{unit.place[1]}" in page.text("#ask")


class TestHeadings:
    # Long: places with headings are searched for; they are typed in the next test.
    @pytest.mark.long
    def test_a_handle_turns_it(self, live):
        page = live("scenarios/mecha/over_the_bank.yaml")
        page.choose("lynx")
        page.press("ArrowRight", "ArrowRight")
        for _ in range(4):
            if page.page.locator("#pointer .handle").count():
                break
            page.press("ArrowRight")
        handle = page.page.locator("#pointer .handle").bounding_box()
        ring = page.page.locator("#pointer circle").first.bounding_box()
        page.page.mouse.move(handle["x"] + handle["width"] / 2, handle["y"] + handle["height"] / 2)
        page.page.mouse.down()
        x, y = ring["x"] + ring["width"] / 2, ring["y"] + ring["height"] / 2
        page.page.mouse.move(x + 10, y - 60)
        page.page.mouse.move(x, y - 60)
        page.page.mouse.up()
        page.settle()
        assert page.text("#answer h3").partition(":")[0].endswith("facing 90")

    def test_headings_are_typed(self, live):
        page = live("scenarios/mecha/over_the_bank.yaml")
        page.choose("lynx")
        page.press("ArrowRight", "ArrowRight", "[")
        assert re.search(r"facing \d+", page.text("#answer h3"))


class TestMoments:
    def test_the_address_holds_the_moment(self, live):
        page = live()
        page.page.fill("#order", "bay move: to 9,10")
        page.page.press("#order", "Enter")
        page.settle()
        address = page.page.url
        page.page.reload()
        page.page.wait_for_selector("#units .unit", state="attached")
        page.settle()
        assert page.orders()[-1].startswith("bay to 9,10")
        other = live(at=address[address.index("#") :])
        assert other.orders() == page.orders()

    def test_a_damaged_address_is_the_beginning(self, live):
        page = live(at="#%5B%22the_y")
        assert page.text("#title") == load_scenario(ROOT / YARD).name
        assert page.page.is_disabled("#undo")

    def test_an_address_with_an_illegal_order_ends_before_it(self, live):
        page = live(at='#["the_yard",{},["bay move: to 9,10","ash fly","all done"]]')
        assert "Rejected: ash fly" in page.text("#refused")
        assert page.orders()[-1].startswith("bay to")

    def test_two_pages_do_not_disturb_each_other(self, live):
        one, other = live(), live()
        one.page.fill("#order", "bay move: to 9,10")
        one.page.press("#order", "Enter")
        one.settle()
        assert not any("bay" in order for order in other.orders())
        other.choose("bay")
        assert "at 9,13" in other.text("#ask")

    def test_an_order_of_the_account_leads_before_it(self, live):
        page = live(at='#["the_yard",{},["bay move: to 9,10","bay done"]]')
        page.page.click(".order .head:has-text('bay')")
        page.settle()
        assert not any("bay" in order for order in page.orders())
        page.press("r", "r")
        assert any("bay to" in order for order in page.orders())


class TestHouseRules:
    def test_an_option_changes_the_answers_and_is_compared(self, live):
        page = live(CHASE)
        page.page.click("#rules summary")
        field = page.page.locator("#options select").first
        name = page.page.locator("#options label span").first.inner_text()
        values = field.locator("option").all_inner_texts()
        field.select_option(index=1)
        page.settle()
        assert "1 changed here" in page.text("#rules summary")
        page.choose("kit")
        page.page.click("#ask button:has-text('Compare')")
        page.settle()
        assert "as before" in page.text("#ask .bands")
        assert name.replace(" ", "_") in page.text("#ask")
        assert len(values) > 1
        page.page.click("#reset")
        page.settle()
        assert page.text("#rules summary") == "House rules"

    def test_a_figure_changes_the_answers(self, live):
        page = live()
        page.choose("ash")
        page.click(6, 12)
        price = page.text("#answer h3")
        page.page.click("#rules summary")
        page.page.fill("#figure", "inches")
        figure = page.page.locator("#figures label:has-text('inches.standing')").first
        assert "SK-" in figure.inner_text()
        figure.locator("input").fill("2")
        page.page.keyboard.press("Tab")
        page.settle()
        assert "1 changed here" in page.text("#rules summary")
        page.choose("ash")
        page.click(6, 12)
        assert page.text("#answer h3") != price
        other = live(at=page.page.url[page.page.url.index("#") :])
        assert "1 changed here" in other.text("#rules summary")

    def test_a_figure_that_cannot_be_is_refused(self, live):
        page = live()
        page.page.click("#rules summary")
        page.page.fill("#figure", "inches")
        field = page.page.locator("#figures label:has-text('inches.standing') input").first
        before = field.input_value()
        field.fill("many")
        page.page.keyboard.press("Tab")
        page.settle()
        assert "SK-" in page.text("#refused") or "number" in page.text("#refused")
        assert field.input_value() == before


class TestFiles:
    @pytest.mark.parametrize(
        ("button", "ending", "begins"), [("#save", "yaml", "format:"), ("#picture", "svg", "<svg")]
    )
    def test_what_is_saved(self, live, button, ending, begins, tmp_path):
        page = live()
        with page.page.expect_download() as download:
            page.page.click("#save" if ending == "yaml" else "#picture")
        download.value.save_as(tmp_path / "saved")
        assert download.value.suggested_filename == f"the_yard.{ending}"
        assert (tmp_path / "saved").read_text(encoding="utf-8").startswith(begins)

    def test_a_picture_is_copied(self, live):
        page = live()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.choose("ash")
        page.page.click("#copy")
        page.page.wait_for_selector("#status:has-text('copied')")
        kinds = page.page.evaluate("navigator.clipboard.read().then((items) => items.map((item) => item.types).flat())")
        assert kinds == ["image/png"]

    def test_a_map_needs_a_unit(self, live):
        page = live()
        page.page.click("#geojson")
        page.settle()
        assert "choose a unit first" in page.text("#refused")


class TestForEverybody:
    def test_by_keys_alone(self, live):
        page = live()
        page.page.focus(".chip:has-text('ash')")
        page.press("Enter")
        page.settle()
        page.press("ArrowUp", "ArrowUp")
        assert page.text("#status").startswith("6,7: 1 AP")
        page.press("Enter")
        assert page.orders()[-1].startswith("ash to 6,7")

    @pytest.mark.sampled("dark")
    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_a_narrow_page_with_touch(self, live, scheme):
        page = live(viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True, color_scheme=scheme)
        assert page.page.evaluate("document.documentElement.dataset.theme") == scheme
        page.page.tap(".chip:has-text('ash')")
        page.settle()
        page.page.touchscreen.tap(*page.spot(6, 9))
        page.settle()
        assert page.text("#status").startswith("6,9") or page.text("#status").startswith("6,8.9")
        assert page.page.evaluate("document.documentElement.scrollWidth") <= 390

    def test_everything_that_can_be_pressed_has_a_name(self, live):
        page = live()
        page.choose("ash")
        page.click(6, 9)
        for control in page.page.query_selector_all("button, select, input, summary"):
            named = control.evaluate("e => e.getAttribute('aria-label') || e.textContent || e.labels[0].textContent")
            assert named, control.evaluate("e => e.outerHTML")


class TestSlowAreas:
    @pytest.fixture
    def slow(self, live):
        """A page, and what lets it compute one part more of an area, or with `all_of_it` all that is left."""
        page, waiting, free = live(CROSSING), [], []
        page.size = (48, 48)

        def ask(route):
            route.continue_(post_data=json.dumps({**json.loads(route.request.post_data), "within": 0}))

        def go_on(all_of_it=False):
            free.extend([all_of_it] * all_of_it)
            while not waiting:
                page.page.wait_for_timeout(50)
            ask(waiting.pop())

        page.page.route("**/ask/known", lambda route: ask(route) if free else waiting.append(route))
        return page, go_on

    # Long: an area is searched to its end; the next test stops such a search.
    @pytest.mark.long
    def test_what_is_known_is_shown_at_once_and_the_rest_is_hatched(self, slow):
        page, go_on = slow
        page.page.click(".chip:has-text('lance')")
        go_on()
        page.page.wait_for_selector("#bands pattern", state="attached")
        assert page.text("#ask .bands").split("\n") == ["can end there", "not known yet"]
        # It is shown when the answer has taken a while, however soon the first part is there.
        page.page.wait_for_selector("#busy:has-text('computing where lance can end')")
        # A place is asked about between two parts.
        page.page.mouse.move(*page.spot(12, 24))
        go_on()
        page.page.wait_for_selector("#answer h3:has-text('mp')")
        go_on(all_of_it=True)
        page.page.wait_for_selector("#ask .bands:has-text('6 mp')")
        assert page.page.query_selector("#bands pattern") is None
        page.settle()

    def test_stopped_it_keeps_what_is_known(self, slow):
        page, go_on = slow
        # Of lance all may be known already: the server remembers what was asked last.
        page.page.click(".chip:has-text('pony')")
        go_on()
        page.page.wait_for_selector("#bands pattern", state="attached")
        page.page.wait_for_selector("#busy:visible")
        page.page.click("#stop")
        page.settle()
        assert "stopped" in page.text("#ask .bad")
        assert page.text("#ask .bands").split("\n") == ["can end there", "not known yet"]
        assert page.page.query_selector("#bands pattern") is not None


class TestTrouble:
    def test_a_slow_question_shows_progress_and_can_be_stopped(self, live):
        page = live()
        page.choose("rex")
        page.page.click("#ask .actions button:has-text('by chance')")
        page.page.wait_for_selector("#busy:visible")
        assert "computing where rex can end" in page.text("#busy")
        page.page.click("#stop")
        page.settle()
        assert "stopped" in page.text("#ask .bad")
        page.choose("ash")
        assert "certain" in page.text("#ask .bands")

    def test_without_the_token_nothing_is_shown(self, browser, servers):
        address = servers(YARD).address.partition("?")[0]
        context = browser.new_context()
        page = context.new_page()
        page.goto(address)
        page.wait_for_selector("#refused:visible")
        assert "token" in page.inner_text("#refused")
        assert page.locator("#units").count() == 0
        context.close()

    def test_the_server_goes_and_comes_back(self, browser, tmp_path):
        server = Server(ROOT / CHASE)
        page = Page(browser, server.address)
        assert server.stop()[0] == 130
        page.page.click(".chip >> nth=0")
        page.settle()
        assert "the server does not answer" in page.text("#ask")
        page.context.close()

    def test_names_from_files_are_only_text(self, live, tmp_path):
        hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>"
        text = scenario_text(load_scenario(ROOT / CHASE).start(), name=hostile, description=hostile)
        (tmp_path / "hostile.yaml").write_text(text, encoding="utf-8")
        page = live(tmp_path / "hostile.yaml")
        assert page.text("#title") == hostile
        assert page.page.locator("img, body script").count() == 0


def test_the_process_ends_with_ctrl_c_and_leaves_nobody_behind():
    server = Server(ROOT / CHASE)
    children = Path(f"/proc/{server.process.pid}/task/{server.process.pid}/children")
    assert server.stop() == (130, "simulator: interrupted\n")
    assert not children.exists() or not children.read_text()
