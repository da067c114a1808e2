"""`simulator reach --within`: what is known after some seconds, and all of it if that was in time."""

import json
import time
from pathlib import Path

import pytest
import shapely

from simulator import load_scenario
from simulator.formats.answers import read_answer
from simulator.views.palette import UNKNOWN

SCENARIOS = Path(__file__).resolve().parents[2] / "scenarios"
CROSSING, MARKET = SCENARIOS / "mecha/at_the_crossing.yaml", SCENARIOS / "grid_runner/market_chase.yaml"
ASH = SCENARIOS / "skirmish/the_yard.yaml"
#: Seconds that are enough on any machine, and such that are not on any.
ENOUGH, AT_ONCE = "600", "0"


@pytest.fixture(scope="module")
def lance():
    """All that the unit can end on."""
    return load_scenario(CROSSING).start().reach("lance").area


def features_of(text):
    return {one["properties"]["what"]: shapely.geometry.shape(one["geometry"]) for one in json.loads(text)["features"]}


class TestInTime:
    @pytest.mark.parametrize("words", [(), ("--json",), ("--to", "9,8"), ("--map",)])
    def test_it_is_the_answer_without_it(self, run, words):
        known, asked = run("reach", MARKET, "kit", "--within", ENOUGH, *words), run("reach", MARKET, "kit", *words)
        assert (known.returncode, known.stdout) == (asked.returncode, asked.stdout)
        assert known.stdout

    @pytest.mark.parametrize("form", ["--geojson", "--svg"])
    def test_files_are_those_without_it(self, run, tmp_path, form):
        words = ("reach", MARKET, "kit", "--to", "9,8", form)
        assert run(*words, "known", "--within", ENOUGH).returncode == run(*words, "asked").returncode == 0
        assert (tmp_path / "known").read_bytes() == (tmp_path / "asked").read_bytes()

    def test_on_a_table_too(self, run):
        words = ("reach", ASH, "ash", "--with", "ap=1", "--to", "40,30", "--json")
        known, asked = run(*words, "--within", f"{ENOUGH}s"), run(*words)
        assert (known.returncode, known.stdout) == (asked.returncode, asked.stdout) == (1, known.stdout)
        read_answer("reach", known.stdout)

    def test_after_a_chain(self, run):
        words = ("reach", MARKET, "kit", "--then", "all done", "--then", "move mode=run")
        assert run(*words, "--within", ENOUGH).stdout == run(*words).stdout


class TestNotInTime:
    def test_text(self, run):
        found = run("reach", CROSSING, "lance", "--within", AT_ONCE)
        assert found.returncode == 4
        lines = found.stdout.splitlines()
        assert lines[0] == "lance (red), standard; turn 1, movement_1"
        assert lines[1].startswith("can end on ")
        assert lines[1].endswith(" square inches at least")
        assert lines[2].startswith("cannot end outside of ")
        assert lines[3].startswith("not known within 0 s: ")
        assert lines[3].endswith(" square inches between them, costs and chances")

    def test_what_is_known_lies_in_the_area_and_the_area_in_that_and_the_gap(self, run, tmp_path, lance):
        assert run("reach", CROSSING, "lance", "--within", AT_ONCE, "--geojson", "areas.json").returncode == 4
        text = (tmp_path / "areas.json").read_text()
        read_answer("geojson", text)
        parts = features_of(text)
        assert parts.keys() == {"inner", "outer", "gap"}
        assert 0 < parts["inner"].area < lance.area
        assert lance.buffer(1e-6).covers(parts["inner"])
        assert shapely.union(parts["inner"], parts["gap"]).buffer(1e-6).covers(lance)
        assert parts["outer"].buffer(1e-6).covers(lance)

    def test_json(self, run, lance):
        found = read_answer("reach_so_far", run("reach", CROSSING, "lance", "--within", AT_ONCE, "--json").stdout)
        assert (found.unit, found.action, found.within, found.is_whole) == ("lance", "standard", 0, False)
        assert found.inner.extent < lance.area < found.outer.extent
        assert found.gap == pytest.approx(found.outer.extent - found.inner.extent)

    @pytest.mark.parametrize(
        ("place", "code", "reachable", "line"),
        [
            ("12,24", 0, True, "12,24 can be reached"),
            ("40,40", 1, False, "40,40 cannot be reached"),
            ("6.6,24", 4, None, "not known yet whether 6.6,24 can be reached"),
            ("12,24 facing 90", 4, None, "not known yet whether 12,24 facing 90 can be reached"),
        ],
    )
    def test_of_a_place_it_may_be_known(self, run, place, code, reachable, line):
        words = ("reach", CROSSING, "lance", "--within", AT_ONCE, "--to", place)
        text, document = run(*words), run(*words, "--json")
        assert (text.returncode, text.stdout.splitlines()[-1]) == (code, line)
        found = read_answer("reach_so_far", document.stdout)
        assert (document.returncode, found.to.reachable) == (code, reachable)

    def test_the_picture_hatches_what_is_not_known(self, run, tmp_path):
        run("reach", CROSSING, "lance", "--within", AT_ONCE, "--svg", "known.svg")
        found = (tmp_path / "known.svg").read_text()
        assert all(f">{words}</text>" in found for words in ("what is known by now", "can end there", "not known yet"))
        assert f'stroke="{UNKNOWN}"' in found
        assert f'fill="{UNKNOWN}"' not in found
        run("reach", MARKET, "kit", "--svg", "asked.svg")
        assert UNKNOWN not in (tmp_path / "asked.svg").read_text()

    def test_the_map_does_too(self, run):
        found = run("reach", CROSSING, "lance", "--within", AT_ONCE, "--map").stdout
        assert any(line.startswith("1  can end there: ") for line in found.splitlines())
        assert any(line.startswith("~  not known yet: ") for line in found.splitlines())
        assert any("~1" in line for line in found.splitlines())

    def test_the_area_alone_was_known_in_time(self, run, monkeypatch):
        """Costs that never come are stopped, and the answer says that they are missing."""

        def bands(self, levels=None):
            while True:
                time.sleep(0.01)

        monkeypatch.setattr("simulator.pathing.reach.Reach.bands", bands)
        found = run("reach", MARKET, "kit", "--within", "0.5")
        assert found.returncode == 4
        assert found.stdout.splitlines()[1:] == [
            "can end on 109 places, and nowhere else",
            "not known within 0.5 s: costs and chances",
        ]
        found = run("reach", MARKET, "kit", "--within", "0.5", "--to", "9,8", "--json")
        known = read_answer("reach_so_far", found.stdout)
        assert (found.returncode, known.is_whole, known.inner.extent, known.gap) == (0, True, 109, 0)
        assert known.to.reachable


class TestNonsense:
    @pytest.mark.parametrize("seconds", ["soon", "5m", "", "s", "0,5", "1e400", "-1", "-0.5s", "nan", "nans", "inf"])
    def test_is_refused(self, run, seconds):
        found = run("reach", MARKET, "kit", f"--within={seconds}")
        assert (found.returncode, found.stdout) == (2, "")
        assert "Invalid value for '--within'" in found.stderr

    @pytest.mark.parametrize("seconds", ["5", "5s", "5 s", " 5.0s ", "5S", "5e0"])
    def test_seconds_are_written_with_or_without_their_unit(self, run, seconds):
        assert run("reach", MARKET, "kit", f"--within={seconds}").returncode == 0

    def test_starts_are_not_found_in_parts(self, run):
        found = run("reach", "--reverse", MARKET, "kit", "--to", "11,10", "--within", "1")
        assert (found.returncode, found.stdout) == (2, "")
        assert "--within does not go with --reverse" in found.stderr
