"""The replay page as its reader meets it: by mouse, keyboard and finger, light and dark, wide and narrow."""

import re

import pytest
from replay_stories import NASTY, REGISTER, duel, hostile_story, table_story

from simulator.views.replay import replay_frame, replay_page

PHONE = {"viewport": {"width": 360, "height": 740}, "device_scale_factor": 2, "is_mobile": True, "has_touch": True}


@pytest.fixture(scope="session")
def text():
    return replay_page(duel().story, register=REGISTER, reach="chance")


@pytest.fixture(scope="session")
def last(text):
    return int(re.search(r'id="slider" min="0" max="(\d+)"', text)[1])


def wait_until(seen, true):
    """Wait for something to become true; the page's own policy lets nobody wait inside it."""
    for _ in range(200):
        if true():
            return
        seen.page.wait_for_timeout(50)
    raise AssertionError("it never came true")


class TestGoingThroughTheGame:
    def test_by_buttons(self, visit, text, last):
        seen = visit(text)
        assert seen.now() == 0
        assert seen.page.is_disabled("#first")
        seen.page.click("#on")
        assert seen.now() == 1
        seen.page.click("#end")
        assert seen.now() == last
        assert seen.page.is_disabled("#on")
        seen.page.click("#back")
        assert seen.now() == last - 1
        seen.page.click("#first")
        assert seen.now() == 0

    def test_by_keyboard(self, visit, text, last):
        seen = visit(text)
        press = seen.page.keyboard.press
        for key, moment in (("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1), ("End", last), ("Home", 0)):
            press(key)
            assert seen.now() == moment
        order = seen.page.evaluate("document.querySelector('.order.current').dataset.order")
        press("Shift+ArrowRight")
        assert seen.page.evaluate("document.querySelector('.order.current').dataset.order") != order
        assert seen.page.locator(".head.now").count() == 1
        press("Shift+ArrowLeft")
        assert seen.now() == 0

    def test_by_the_slider(self, visit, text, last):
        seen = visit(text)
        seen.page.fill("#slider", str(last // 2))
        assert seen.now() == last // 2
        assert seen.caption().startswith(f"{last // 2 + 1} of {last + 1}")
        seen.page.focus("#slider")
        seen.page.keyboard.press("ArrowRight")
        assert seen.now() == last // 2 + 1  # one step, not one by the slider and one by the page

    def test_by_a_click_on_the_account(self, visit, text):
        seen = visit(text)
        seen.page.click(".head:has-text('strike A1 with 2')")
        assert "strike A1 with 2" in seen.caption()
        line = seen.page.locator(".current .lines li[data-m]").last
        line.click(position={"x": 5, "y": 5})
        assert "now" in line.get_attribute("class")
        assert seen.now() == int(line.get_attribute("data-m"))

    def test_a_question_is_told_with_its_answer(self, visit, text, last):
        seen = visit(text)
        told = []
        for moment in range(last + 1):
            seen.page.fill("#slider", str(moment))
            told.append(seen.caption())
        assert any(
            line.endswith("B1 blow (DU-4): 2D6 [1 2]: 3, needs 6 or more: failed, chance 13/18 (72%), by dice")
            for line in told
        )
        # What it might have been is left to the account.
        assert any(line.endswith("B1 strike at 2,0 (DU-3): strike, by policy") for line in told)

    def test_it_plays_and_pauses_and_stops_at_the_end(self, visit, text, last):
        seen = visit(text)
        seen.page.select_option("#speed", "150")
        seen.page.keyboard.press("Escape")
        seen.page.focus("#account")
        seen.page.keyboard.press("Space")
        wait_until(seen, lambda: seen.now() > 1)
        assert seen.page.get_attribute("#play", "aria-label") == "Pause"
        seen.page.click("#play")
        here = seen.now()
        seen.page.wait_for_timeout(400)
        assert seen.now() == here
        seen.page.click("#play")
        wait_until(seen, lambda: seen.now() == last)
        assert seen.page.get_attribute("#play", "aria-label") == "Play"

    def test_a_link_can_name_a_moment(self, visit, text):
        assert visit(text, at="#4").now() == 3


class TestWhatIsShown:
    def test_the_address_follows_the_moment(self, visit, text, last):
        seen = visit(text)
        assert "#" not in seen.page.url
        seen.page.click("#on")
        seen.page.click("#on")
        assert seen.page.url.endswith("#3")
        seen.page.reload()
        assert seen.now() == 2
        seen.page.click("#end")
        assert seen.page.url.endswith(f"#{last + 1}")
        seen.page.evaluate("location.hash = '#2'")
        seen.page.wait_for_timeout(100)
        assert seen.now() == 1
        seen.page.click("#first")
        assert "#" not in seen.page.url

    def test_units_stand_where_the_game_has_them(self, visit, text):
        seen = visit(text)
        at = "document.querySelector('.unit[data-unit=\"0\"]').getBoundingClientRect().x"
        before = seen.page.evaluate(at)
        seen.page.click("#end")
        assert seen.page.evaluate(at) > before
        assert seen.page.get_attribute(".unit[data-unit='0']", "aria-label") == "A1, red fighter, at 1,0"
        assert seen.page.locator(".unit[data-unit='0'] .facing").count() == 1
        assert seen.page.locator(".unit[data-unit='1'] .facing").count() == 0
        assert seen.page.locator("#labels text:visible").all_text_contents() == ["A1", "B1"]

    def test_an_order_opens_with_its_price_and_its_questions(self, visit, text):
        seen = visit(text)
        seen.page.click(".head:has-text('walk to 1,0')")
        current = seen.page.locator(".order.current")
        assert current.locator(".question:visible").count() >= 1
        assert current.locator(".ledger[open] tfoot").inner_text().split() == ["in", "all", "1", "AP"]
        assert seen.page.locator(".order:not(.current) .lines:visible").count() == 0

    def test_a_refusal_shows_its_reason(self, visit, text):
        seen = visit(text)
        seen.page.click(".head:has-text('strike A1 with 9')")
        assert "DU-1" in seen.page.locator(".order.current .breaches:visible").inner_text()

    def test_the_way_gone_is_drawn(self, visit, text):
        seen = visit(text)
        assert seen.page.locator("#trails path").count() == 0
        seen.page.click(".head:has-text('walk: right 2')")
        for _ in range(2):
            seen.page.keyboard.press("ArrowRight")
        assert seen.page.locator("#trails path.over").count() == 1


class TestReach:
    def test_pointing_at_a_unit_shows_it_and_leaving_hides_it(self, visit, text):
        seen = visit(text)
        seen.page.hover(".unit[data-unit='0']")
        assert seen.page.locator("#bands path").count() == 5
        assert "4 AP" in seen.page.inner_text("#card")
        assert "walk" in seen.page.inner_text("#card .actions")
        seen.page.hover("h1")
        assert seen.page.locator("#bands path").count() == 0
        assert seen.page.is_hidden("#card")

    def test_the_bands_lie_where_the_reach_is(self, visit, text):
        seen = visit(text)
        seen.page.hover(".unit[data-unit='1']")
        boxes = seen.page.evaluate(
            "[...document.querySelectorAll('#bands path')].map(path => { const b = path.getBoundingClientRect();"
            " return [b.left, b.right] })"
        )
        unit = seen.page.evaluate(
            "(() => { const b = document.querySelector('.unit[data-unit=\"1\"] .base').getBoundingClientRect();"
            " return [b.left, b.right] })()"
        )
        middle = sum(unit) / 2
        # Rings of squares around the unit; of the last one only the half to the right is on the board.
        assert all(left < middle < right for left, right in boxes[:4])
        assert all((left + right) / 2 == pytest.approx(middle, abs=2) for left, right in boxes[:4])
        assert boxes[4][0] > middle

    def test_a_unit_can_be_chosen_by_click_and_let_go_by_escape(self, visit, text):
        seen = visit(text)
        seen.page.click(".unit[data-unit='1']")
        seen.page.hover("h1")
        assert seen.page.get_attribute(".chip[data-unit='1']", "aria-pressed") == "true"
        assert seen.page.locator("#bands path").count() == 5
        seen.page.click("#end")
        assert seen.page.locator("#bands path").count() >= 1
        seen.page.keyboard.press("Escape")
        assert seen.page.locator("#bands path").count() == 0

    def test_the_chance_of_getting_there_can_be_asked_for(self, visit, text):
        seen = visit(text)
        seen.page.click(".chip[data-unit='0']")
        seen.page.click("#card .actions button:has-text('walk: chance')")
        assert seen.page.locator("#bands path").count() == 2
        assert re.search(r"a chance of at least\s+certain\s+33\.3%", seen.page.inner_text("#card"))
        assert seen.page.evaluate("document.activeElement.textContent") == "walk: chance"
        seen.page.click(".chip[data-unit='1']")  # whose order it is not
        assert "a cost of up to" in seen.page.inner_text("#card")
        seen.page.click(".chip[data-unit='0']")
        assert "a chance of at least" in seen.page.inner_text("#card")

    def test_of_a_place_pointed_at_the_card_tells_the_band(self, visit, text):
        seen = visit(text)
        seen.page.click(".chip[data-unit='1']")
        said = set()
        frame = seen.page.locator("#board").bounding_box()
        bands = seen.page.locator("#card .key").all_inner_texts()
        for across in range(5, 100, 5):
            for down in range(5, 100, 10):
                spot = frame["x"] + frame["width"] * across / 100, frame["y"] + frame["height"] * down / 100
                seen.page.mouse.move(*spot)
                said.add(seen.page.inner_text("#card .here"))
        assert said == {"There: not within reach.", *(f"There: {band}." for band in bands)}

    def test_the_card_stands_off_the_board(self, visit, text):
        seen = visit(text)
        seen.page.click(".chip[data-unit='0']")
        card, frame = (seen.page.locator(part).bounding_box() for part in ("#card", ".frame"))
        assert card["x"] >= frame["x"] + frame["width"]

    def test_the_focus_of_the_keyboard_shows_it_too(self, visit, text):
        seen = visit(text)
        seen.page.focus("#speed")
        seen.page.keyboard.press("Tab")
        assert seen.page.evaluate("document.activeElement.dataset.unit") == "0"
        assert seen.page.locator("#bands path").count() == 5
        seen.page.keyboard.press("Tab")
        assert seen.page.inner_text("#card h4") == "B1"

    def test_on_a_table_the_nearer_bands_lie_on_the_farther_ones(self, visit):
        seen = visit(replay_page(table_story(), register=REGISTER))
        box = "(e) => { const b = e.getBoundingClientRect(); return [b.left + b.width / 2, b.width] }"
        middle, base = seen.page.eval_on_selector(".unit[data-unit='0'] .base", box)
        inch = base / 3
        seen.page.hover(".unit[data-unit='0']")
        shown = seen.page.eval_on_selector_all(
            "#bands path",
            "(all) => all.map((e) => [...[e.getBoundingClientRect()].flatMap((b) => [b.left + b.width / 2, b.width]),"
            " e.getAttribute('fill')])",
        )
        assert [width / inch for _, width, _ in shown] == pytest.approx([12, 6], abs=0.2)
        assert [centre for centre, _, _ in shown] == pytest.approx([middle, middle], abs=1)
        assert [colour for _, _, colour in shown] == ["#2f5f8c", "#f3e3a8"]
        assert re.search(r"1 AP\s+2 AP", seen.page.inner_text("#card"))

    def test_a_page_without_reach_says_nothing_of_it(self, visit):
        seen = visit(replay_page(duel().story, register=REGISTER, reach="nothing"))
        seen.page.hover(".unit[data-unit='0']")
        assert "reach" not in seen.page.inner_text("#card")


class TestClauses:
    def test_pointing_at_one_shows_its_text(self, visit, text):
        seen = visit(text)
        seen.page.click(".head:has-text('walk: right 2')")
        clause = seen.page.locator(".current .clause:text-is('DU-2')").first
        clause.hover()
        assert "more on <b>impeded</b> ground." in seen.page.inner_text("#note")
        seen.page.hover("h1")
        assert seen.page.is_hidden("#note")

    def test_a_click_holds_it_and_escape_lets_go(self, visit, text):
        seen = visit(text)
        seen.page.click(".head:has-text('walk: right 2')")
        here = seen.now()
        seen.page.locator(".current .clause:text-is('DU-2')").first.click()
        seen.page.hover("h1")
        assert seen.page.is_visible("#note")
        assert seen.now() == here
        seen.page.keyboard.press("Escape")
        assert seen.page.is_hidden("#note")

    def test_one_that_is_not_at_hand_says_so(self, visit, text):
        seen = visit(text)
        seen.page.click(".head:has-text('strike A1 with 2')")
        seen.page.keyboard.press("ArrowRight")
        seen.page.locator(".current .clause:text-is('DU-4')").first.hover()
        assert seen.page.inner_text("#note") == "The text of DU-4 is not at hand."


class TestPanAndZoom:
    SCALE = "+/scale\\(([0-9.]+)\\)/.exec(document.getElementById('world').getAttribute('transform') || 'scale(1)')[1]"

    def test_by_buttons_keys_and_wheel(self, visit, text):
        seen = visit(text)
        scale = lambda: seen.page.evaluate(self.SCALE)  # noqa: E731
        seen.page.click("#nearer")
        assert scale() == pytest.approx(1.4)
        seen.page.keyboard.press("+")
        assert scale() == pytest.approx(1.96)
        seen.page.click("#farther")
        seen.page.keyboard.press("-")
        assert scale() == 1
        seen.page.hover("#board")
        seen.page.mouse.wheel(0, -240)
        wait_until(seen, lambda: seen.page.evaluate(self.SCALE) > 1.2)
        seen.page.keyboard.press("0")
        assert scale() == 1

    @pytest.mark.parametrize("size", [(1280, 820), (1000, 480), (820, 1100), (360, 740), (320, 560)])
    def test_its_buttons_hide_nothing(self, visit, text, size):
        seen = visit(text, viewport={"width": size[0], "height": size[1]})
        seen.page.keyboard.press("End")
        seen.page.evaluate("document.querySelector('#caption span:last-child').append(' and so on'.repeat(30))")
        buttons, others = seen.page.evaluate("""() => {
          const edges = (b) => [b.left, b.top, b.right, b.bottom];
          const boxes = (wanted) => [...document.querySelectorAll(wanted)].map((e) => edges(e.getBoundingClientRect()));
          const words = [...document.querySelectorAll('#caption span')].flatMap((e) => {
            const range = document.createRange();
            range.selectNode(e.firstChild);
            return [...range.getClientRects()].map(edges);
          });
          return [boxes('.zoom button'), [...words, ...boxes('#board,.timeline,.chips,#account')]];
        }""")
        assert len(buttons) == 3
        assert len(others) >= 6
        for left, top, right, bottom in buttons:
            assert 0 <= left < right <= size[0]
            hidden = [box for box in others if box[0] < right and left < box[2] and box[1] < bottom and top < box[3]]
            assert hidden == []

    def test_the_wheel_keeps_what_is_under_the_pointer(self, visit, text):
        seen = visit(text)
        centre = (
            "(() => { const b = document.querySelector('.unit[data-unit=\"1\"] .base').getBoundingClientRect();"
            " return [b.left + b.width / 2, b.top + b.height / 2] })()"
        )
        x, y = seen.page.evaluate(centre)
        seen.page.mouse.move(x, y)
        seen.page.mouse.wheel(0, -240)
        wait_until(seen, lambda: seen.page.evaluate(self.SCALE) > 1.2)
        assert seen.page.evaluate(centre) == pytest.approx([x, y], abs=2)

    def test_dragging_moves_the_board_and_chooses_nothing(self, visit, text):
        seen = visit(text)
        seen.page.click("#nearer")
        where = "document.querySelector('.unit[data-unit=\"0\"]').getBoundingClientRect().x"
        before = seen.page.evaluate(where)
        box = seen.page.locator("#board").bounding_box()
        seen.page.mouse.move(box["x"] + 300, box["y"] + 300)
        seen.page.mouse.down()
        seen.page.mouse.move(box["x"] + 240, box["y"] + 300, steps=4)
        seen.page.mouse.up()
        assert seen.page.evaluate(where) == pytest.approx(before - 60, abs=6)
        assert seen.page.locator(".chip[aria-pressed='true']").count() == 0

    def test_two_fingers_zoom(self, visit, text):
        seen = visit(text, **PHONE)
        box = seen.page.locator("#board").bounding_box()
        fingers = seen.context.new_cdp_session(seen.page)
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2

        def touch(kind, apart):
            spots = [] if kind == "touchEnd" else [x - apart, x + apart]
            points = [{"x": spot, "y": y, "id": number} for number, spot in enumerate(spots)]
            fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

        touch("touchStart", 20)
        for apart in (30, 40, 50, 60):
            touch("touchMove", apart)
        touch("touchEnd", 0)
        assert seen.page.evaluate(self.SCALE) > 1.5

    def test_a_tap_chooses_a_unit(self, visit, text):
        seen = visit(text, **PHONE)
        seen.page.tap(".unit[data-unit='0'] .base")
        assert seen.page.get_attribute(".chip[data-unit='0']", "aria-pressed") == "true"


def luminance(colour):
    channels = [int(part) / 255 for part in re.findall(r"\d+", colour)[:3]]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


class TestLightAndDark:
    PAPER = "getComputedStyle(document.body).backgroundColor"

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_it_follows_the_system_and_can_be_turned(self, visit, text, scheme):
        seen = visit(text, color_scheme=scheme)
        light = luminance(seen.page.evaluate(self.PAPER)) > 0.5
        assert light == (scheme == "light")
        seen.page.click("#theme")
        assert (luminance(seen.page.evaluate(self.PAPER)) > 0.5) != light
        seen.page.keyboard.press("t")
        assert (luminance(seen.page.evaluate(self.PAPER)) > 0.5) == light

    @pytest.mark.parametrize("scheme", ["light", "dark"])
    def test_every_text_of_the_account_has_enough_contrast(self, visit, text, scheme):
        """WCAG AA: 4.5 to 1 between a text and what lies behind it."""
        seen = visit(text, color_scheme=scheme)
        pairs = seen.page.evaluate("""() => {
          const pairs = [];
          const behind = (e) => {
            for (; e; e = e.parentElement) {
              const colour = getComputedStyle(e).backgroundColor;
              if (!colour.endsWith(', 0)')) return colour;
            }
          };
          for (let m = 0; m <= +document.getElementById('slider').max; m += 3) {
            const slider = document.getElementById('slider');
            slider.value = m;
            slider.dispatchEvent(new Event('input'));
            for (const e of document.querySelectorAll('body *:not(script):not(svg *)')) {
              const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim());
              if (own && e.checkVisibility() && !e.closest('[disabled]')) {
                pairs.push([getComputedStyle(e).color, behind(e), e.className + ': ' + e.textContent.slice(0, 30)]);
              }
            }
          }
          return pairs;
        }""")
        assert len(pairs) > 100
        weak = {what for colour, paper, what in pairs if contrast(colour, paper) < 4.5}
        assert weak == set()


class TestForEverybody:
    def test_every_control_has_a_name(self, visit, text):
        seen = visit(text)
        nameless = seen.page.evaluate("""() => [...document.querySelectorAll('button,input,select,summary')]
          .filter((e) => e.checkVisibility() && !(e.getAttribute('aria-label') || e.textContent.trim()))
          .map((e) => e.outerHTML)""")
        assert nameless == []

    def test_the_focus_goes_from_top_to_bottom(self, visit, text):
        seen = visit(text)
        found = []
        for _ in range(14):
            seen.page.keyboard.press("Tab")
            found.append(
                seen.page.evaluate(
                    "document.activeElement.id || document.activeElement.dataset.unit || document.activeElement.tagName"
                )
            )
        assert found[:4] == ["theme", "nearer", "farther", "whole"]
        assert found[4:11] == ["play", "on", "end", "slider", "speed", "0", "1"]
        assert found[11:13] == ["SUMMARY", "account"]

    def test_what_happens_is_said_to_those_who_listen(self, visit, text):
        seen = visit(text)
        assert seen.page.get_attribute("#caption", "aria-live") == "polite"
        seen.page.click(".head:has-text('walk: right 2')")
        assert "A1 walk: right 2 — 2.5 AP" in seen.caption()
        assert "A1 walk: right 2" in seen.page.get_attribute("#slider", "aria-valuetext")

    def test_who_wants_no_motion_gets_none(self, visit, text):
        seen = visit(text, reduced_motion="reduce")
        seen.page.click("#on")
        assert "moving" not in (seen.page.get_attribute("#board", "class") or "")

    @pytest.mark.parametrize("width", [320, 360, 600, 820])
    def test_a_narrow_page_does_not_scroll_sideways(self, visit, text, width):
        seen = visit(text, **{**PHONE, "viewport": {"width": width, "height": 700}})
        for page in ("1", "end"):
            if page == "end":
                seen.page.tap("#end")
            assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
        small = seen.page.evaluate("""() => [...document.querySelectorAll('.controls button,.chip')]
          .map((e) => e.getBoundingClientRect()).filter((b) => b.height < 32 || b.width < 32).length""")
        assert small == 0

    def test_on_a_narrow_page_the_legend_is_in_sight(self, visit, text):
        assert visit(text, viewport={"width": 390, "height": 844}).page.is_visible(".entries")
        assert not visit(text).page.is_visible(".entries")

    def test_the_account_can_be_read_without_scripts(self, visit, text):
        seen = visit(text, java_script_enabled=False)
        assert seen.page.locator(".lines li:visible").count() > 5
        assert seen.page.is_visible(".noscript")


class TestHostileNames:
    def test_they_do_nothing(self, visit):
        seen = visit(replay_page(hostile_story(), register=REGISTER))
        seen.page.click(".chip")
        for _ in range(6):
            seen.page.keyboard.press("ArrowRight")
        seen.page.keyboard.press("Home")
        seen.page.locator(".clause:visible").first.hover()
        assert seen.page.evaluate("window.hacked") is None
        assert seen.page.locator("img").count() == 0
        assert seen.page.inner_text("h1").startswith(NASTY[:20])
        assert NASTY[:20] in seen.page.inner_text("#card")

    def test_a_frame_in_a_notebook_works(self, visit, text, tmp_path):
        inner = f"<!doctype html><title>a notebook</title>{replay_frame(text)}"
        file = tmp_path / "notebook.html"
        file.write_text(inner)
        seen = visit(text)
        seen.page.goto(file.as_uri())
        seen.url = file.as_uri()
        frame = seen.page.frame_locator("iframe")
        frame.locator("#on").click()
        assert frame.locator("#slider").input_value() == "1"
        seen.asked[:] = [url for url in seen.asked if url != "about:srcdoc" and "page0" not in url]
