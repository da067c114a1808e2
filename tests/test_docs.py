"""The documentation keeps up: links lead somewhere, pictures and limits are those of the program."""

import re
import runpy
from pathlib import Path

import pytest

from simulator.formats.limits import LIMITS

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / target).exists(), target


def test_pictures_are_what_the_program_draws_now():
    made = runpy.run_path(str(ROOT / "docs/pictures/make.py"))["pictures"]()
    for name, svg in made.items():
        assert (ROOT / "docs/pictures" / name).read_text(encoding="utf-8") == svg, "run `make pictures`"


@pytest.mark.sampled(dear=["mecha-mecha_headings.svg", "posed-posed_levels.svg"])
@pytest.mark.parametrize(
    ("script", "quickest"),
    [("combined_arms", "combined_arms_move.svg"), ("mecha", "mecha_headings.svg"), ("posed", "posed_levels.svg")],
)
def test_searched_pictures_are_there_and_show_the_same(script, quickest):
    drawn = runpy.run_path(str(ROOT / f"docs/pictures/{script}.py"))["FILES"]
    words = {name: _words_of((ROOT / "docs/pictures" / name).read_text(encoding="utf-8")) for name in drawn}
    assert all(len(found) > 5 for found in words.values())
    assert _words_of(drawn[quickest]()) == words[quickest]


def _words_of(svg):
    """What is written on a picture."""
    return re.findall(r"<(?:title|text)[^>]*>([^<]+)<", svg)


def test_the_table_of_limits_is_the_program_s():
    page = (ROOT / "docs/boards.md").read_text(encoding="utf-8")
    written = dict(re.findall(r"^\| `(\w+)` \| ([\d,]+) \|", page, re.M))
    assert {name: int(most.replace(",", "")) for name, most in written.items()} == {
        name: limit.most for name, limit in LIMITS.items()
    }


def test_one_benchmark_leaves_the_results_of_the_others_alone():
    script = runpy.run_path(str(ROOT / "benchmarks/__main__.py"), run_name="benchmarks")
    text = (ROOT / "benchmarks/RESULTS.md").read_text(encoding="utf-8")
    sections = script["kept_sections"](text)
    assert set(sections) <= {title for title, _ in script["SCRIPTS"].values()}
    again = script["results_text"](sections | {"The turn engine": "anew"})
    changed = script["kept_sections"](again)
    assert changed == sections | {"The turn engine": "anew"}
    assert script["kept_sections"]("") == {}
