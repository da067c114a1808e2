"""The site of the documentation: what is written for a plain git host reads the same there, and no page is left out.

`make docs` builds it, with every notebook run, and finds dead links.
"""

import json
import re
import runpy
from pathlib import Path

import pytest

import simulator
from simulator.rulesets import OURS

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
FORMS = runpy.run_path(str(ROOT / "docs" / "site" / "markdown_forms.py"))
NAVIGATION = re.findall(r"([\w/]+\.md)$", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"), re.M)


class TestMarkdownForms:
    @pytest.mark.parametrize(
        ("written", "wanted"),
        [
            ("Kinds:\n- one,\n  in two lines\n\nEnd", "Kinds:\n\n- one,\n    in two lines\n\nEnd"),
            ("1. one,\n   and more", "1. one,\n    and more"),
            ("- one\n  - below", "- one\n    - below"),
            ("- a row:\n\n  | a |\n  |---|", "- a row:\n\n    | a |\n    |---|"),
            ("- a row:\n  | a |\n  |---|", "- a row:\n\n    | a |\n    |---|"),
            ("- one\n\n  more\n- two\n- three", "- one\n\n    more\n\n- two\n- three"),
            ("Text.\n\n    simulator run", "Text.\n\n    simulator run"),
            ("```python\nif a:\n  - b\n```", "```python\nif a:\n  - b\n```"),
            ("```yaml a/b.yaml\nx: 1\n```", '```yaml title="a/b.yaml"\nx: 1\n```'),
        ],
    )
    def test_what_a_git_host_reads_the_site_reads(self, written, wanted):
        assert FORMS["for_the_site"](written) == wanted

    @pytest.mark.parametrize(
        ("page", "link", "wanted"),
        [
            ("README.md", "[a](docs/reach.md#bands)", "[a](reach.md#bands)"),
            ("docs/rules/mecha.md", "[a](../reach.md)", "[a](../reach.md)"),
            ("docs/rules/mecha.md", "![a](../pictures/b.svg)", "![a](../pictures/b.svg)"),
            ("docs/boards.md", "[a](https://example.org/a.md)", "[a](https://example.org/a.md)"),
            ("docs/boards.md", "[a](#here)", "[a](#here)"),
        ],
    )
    def test_links_lead_to_the_same_page(self, page, link, wanted):
        def uri_of(file):
            return file.removeprefix("docs/")

        assert FORMS["relinked"](link, page, uri_of(page), uri_of) == wanted

    def test_a_drawing_is_there_in_light_and_dark(self):
        shown = FORMS["in_light_and_dark"]("![A board](pictures/a.svg)\n![B](b.png)", lambda name: f"dark/{name}")
        light, dark = "![A board](pictures/a.svg#only-light)", "![A board](dark/pictures/a.svg#only-dark)"
        assert shown == f"{light}{dark}\n![B](b.png)"


class TestNavigation:
    def test_every_page_of_docs_has_a_place(self):
        pages = {path.relative_to(ROOT / "docs").as_posix() for path in (ROOT / "docs").rglob("*.md")}
        assert sorted(pages - set(NAVIGATION)) == []

    def test_no_page_has_two(self):
        assert len(NAVIGATION) == len(set(NAVIGATION))

    @pytest.mark.parametrize("name", OURS)
    def test_every_rulebook_is_there_as_a_page_and_clause_by_clause(self, name):
        assert {f"rules/{name}.md", f"clauses/{name}.md"} <= set(NAVIGATION)

    def test_every_public_name_has_an_entry(self):
        names = runpy.run_path(str(ROOT / "docs" / "site" / "reference_pages.py"))
        entries = re.findall(r"^::: simulator\.(\w+)$", names["public_names"](), re.M)
        assert sorted(entries) == simulator.__all__

    def test_the_site_asks_nothing_of_other_hosts(self):
        text = (ROOT / "mkdocs.yml").read_text(encoding="utf-8")
        assert "font: false" in text
        assert not re.findall(r"https?://|extra_(?:javascript|css)", text)


class TestNotebooks:
    def test_there_are_some(self):
        assert len(NOTEBOOKS) == 3

    @pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
    def test_they_are_kept_without_what_they_display(self, path):
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = [cell for cell in cells if cell["cell_type"] == "code"]
        assert code
        assert [cell for cell in code if cell["outputs"] or cell["execution_count"]] == []
