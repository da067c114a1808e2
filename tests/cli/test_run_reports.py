"""What a run leaves behind for people and machines: replay pages, JUnit reports, the list of the demo."""

import contextlib
import io
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from simulator.__main__ import main
from simulator.formats.peek import kind_of_file

ROOT = Path(__file__).resolve().parents[2]
WALK = """\
format: 1
ruleset: skirmish
name: A walk
board: {board: table, name: Depot, size: [16, 12]}
units:
  lux: {type: soldier, side: red, at: [6, 6]}
turns:
  - ["lux: to 7,6"]
expect: {units: {lux: {at: [7, 6]}}}
"""


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Run the program in an empty folder, in this process."""

    def run(*words):
        out, err = io.StringIO(), io.StringIO()
        monkeypatch.setattr(sys, "argv", ["simulator", *map(str, words)])
        with (
            contextlib.chdir(tmp_path),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
            pytest.raises(SystemExit) as left,
        ):
            main()
        return subprocess.CompletedProcess(words, left.value.code, out.getvalue(), err.getvalue())

    return run


@pytest.fixture
def broken(tmp_path):
    """Three scenarios: one that comes out, one that does not, one that is faulty."""
    folder = tmp_path / "three"
    folder.mkdir()
    (folder / "good.yaml").write_text(WALK)
    (folder / "odd.yaml").write_text(WALK.replace("{at: [7, 6]}", "{at: [7, 7]}"))
    (folder / "rotten.yaml").write_text(WALK.replace("format: 1", "format: 1\nno<such>key: 1"))
    return folder


class TestPages:
    def test_a_page_of_one_scenario(self, run, broken, tmp_path):
        answer = run("run", "three/good.yaml", "--html", "pages/walk.html")
        assert answer.returncode == 0
        assert answer.stderr == "wrote pages/walk.html\n"
        page = (tmp_path / "pages" / "walk.html").read_text()
        assert page.startswith("<!doctype html>")
        assert 'id="clause-SK-' in page
        run("run", "three/good.yaml", "--html", "again.html")
        assert (tmp_path / "again.html").read_text() == page
        run("run", "three/good.yaml", "--html", "bare.html", "--no-reach")
        assert '"reach":' not in (tmp_path / "bare.html").read_text()

    def test_a_page_for_each_of_several(self, run, broken, tmp_path):
        answer = run("run", "three/good.yaml", "three/odd.yaml", "--html", "pages", "--no-reach", "--jobs", "1")
        assert answer.returncode == 1
        assert sorted(path.name for path in (tmp_path / "pages").iterdir()) == ["good.html", "odd.html"]

    def test_several_do_not_fit_into_one_file(self, run, broken):
        answer = run("run", "three/good.yaml", "three/odd.yaml", "--html", "both.html")
        assert answer.returncode == 2
        assert "--html: the pages of 2 scenarios go into a folder, and both.html is not one" in answer.stderr

    def test_two_of_one_name_are_refused_before_anything_is_played(self, run, broken, tmp_path):
        (tmp_path / "other").mkdir()
        (tmp_path / "other" / "good.yaml").write_text(WALK)
        answer = run("run", "three/good.yaml", "other/good.yaml", "--html", "pages")
        assert answer.returncode == 2
        assert "--html: two scenarios are called good; draw them one by one" in answer.stderr

    def test_a_place_that_can_not_be_written_is_wrong_usage(self, run, broken, tmp_path):
        (tmp_path / "taken").write_text("a file")
        answer = run("run", "three/good.yaml", "--html", "taken/page.html", "--no-reach")
        assert answer.returncode == 2
        assert "cannot write taken/page.html" in answer.stderr

    def test_a_log_gives_a_page_too(self, run, broken, tmp_path):
        run("run", "three/good.yaml", "--log", "walk.jsonl")
        answer = run("replay", "walk.jsonl", "--html", "walk.html", "--no-reach", "--quiet")
        assert answer.returncode == 0
        assert "<h1>walk</h1>" in (tmp_path / "walk.html").read_text()


class TestJUnit:
    def test_it_tells_what_failed_and_what_is_faulty(self, run, broken, tmp_path):
        answer = run("run", broken, "--junit", "report.xml", "--jobs", "1")
        assert answer.returncode == 3
        root = ElementTree.parse(tmp_path / "report.xml").getroot()
        assert root.attrib == {"tests": "3", "failures": "1", "errors": "1"}
        cases = {case.get("name"): case for case in root.iter("testcase")}
        assert list(cases["good"]) == []
        assert cases["good"].get("classname") == "skirmish"
        failure = cases["odd"].find("failure")
        assert failure.get("message") == "1 expectation not met"
        assert failure.text == "lux at: expected 7,7, got 7,6 (line 9)"
        assert "no<such>key" in cases["rotten"].find("error").text

    def test_one_faulty_file_is_reported_and_still_an_error(self, run, broken, tmp_path):
        answer = run("run", broken / "rotten.yaml", "--junit", "report.xml")
        assert answer.returncode == 3
        assert ElementTree.parse(tmp_path / "report.xml").getroot().get("errors") == "1"
        assert "no<such>key" in answer.stderr

    def test_the_same_run_gives_the_same_report(self, run, broken, tmp_path):
        run("run", broken, "--junit", "one.xml", "--jobs", "1")
        run("run", broken, "--junit", "two.xml", "--jobs", "2")
        assert (tmp_path / "one.xml").read_bytes() == (tmp_path / "two.xml").read_bytes()


def test_whatever_the_demo_lists_is_a_scenario():
    lines = (ROOT / "scenarios" / "demo.txt").read_text().splitlines()
    listed = [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    assert listed
    for name in listed:
        path = ROOT / "scenarios" / name
        assert path.is_file(), name
        assert kind_of_file(path) == "scenario"
