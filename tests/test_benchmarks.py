"""The benchmarks can be run: each script is loaded as it is, without its measurements, and some measure a little."""

import os
import re
import runpy
import subprocess
import sys
import tracemalloc
from itertools import groupby
from pathlib import Path

import numpy as np
import pytest

from benchmarks.__main__ import ONLY_WHEN_NAMED, SCRIPTS
from benchmarks.answers import KINDS, Taken, lines_of
from benchmarks.peaks import peak_of, peak_text, process_peak, resident
from simulator.geometry.dots import DotMap
from simulator.geometry.footprints import Round
from simulator.geometry.squares import SquareGrid

HERE = Path(__file__).resolve().parent.parent / "benchmarks"
CHASE = HERE.parent / "scenarios" / "grid_runner" / "market_chase.yaml"
#: Scripts that are quick when these are changed, what they are called with, and the columns of memory in their tables.
SMALL = {
    "bench_grid_runner.py": ({"BOARDS": {"small": (12, 4, 1)}}, "--rounds 1", ["peak, MB"]),
    "bench_judge.py": (
        {"BASES": {"round": Round(0.5)}, "SAMPLED": 20},
        "--rounds 1 --ways 40",
        ["peaks, MB: judge / lengths / plain"],
    ),
    "bench_live.py": ({"SCENARIOS": {"chase": CHASE}, "PLACES": 4}, "", ["peak, MB"]),
    "bench_plies.py": ({"SCENARIOS": {"squares": ["grid_runner/market_chase"]}, "GAMES": 1}, "", ["peak, MB"]),
    "bench_skirmish.py": (
        {"TABLES": {"small": (4, 4, True)}, "WAYS": 100},
        "--rounds 1",
        ["peaks, MB: 1 AP / 3 AP / places / tangents / plain", "peaks, MB: judge / shapely"],
    ),
    "bench_start.py": ({"COMMANDS": {"python": ("-c", "pass")}, "ROUNDS": 1}, "", ["process, MB"]),
    "bench_views.py": (
        {"dots_10000": lambda: DotMap.open(10, 10), "squares_10000": lambda: SquareGrid.open(10, 10)},
        "",
        ["peak, MB"],
    ),
}


def test_every_script_has_a_section():
    known = {script for name, (_, script) in SCRIPTS.items() if name not in ONLY_WHEN_NAMED}
    assert known == {path.name for path in HERE.glob("bench_*.py")}
    assert all((HERE / SCRIPTS[name][1]).exists() for name in ONLY_WHEN_NAMED)


@pytest.mark.parametrize("script", sorted(path.name for path in HERE.glob("bench_*.py")))
def test_it_loads(script, monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    assert callable(runpy.run_path(str(HERE / script), run_name="loaded")["main"])


def main_of(script, monkeypatch, changed):
    monkeypatch.syspath_prepend(str(HERE))
    main = runpy.run_path(str(HERE / script), run_name="loaded")["main"]
    main.__globals__.update(changed)
    return main


def test_the_engine_is_measured(monkeypatch, capsys):
    """It has a rulebook of its own, which has to keep to the contract for rules."""
    assert not main_of("bench_engine.py", monkeypatch, {"CROWDS": {"few": 3}, "ORDERS": 4})()
    printed = capsys.readouterr().out
    assert "few" in printed
    assert "peaks, MB: game / replay" in printed


def tables_in(text):
    """The tables of a text in Markdown, each as its rows of cells."""
    for is_table, lines in groupby(text.splitlines(), lambda line: line.startswith("|")):
        if is_table:
            yield [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]


@pytest.mark.parametrize("script", SMALL)
def test_the_memory_of_every_row_stands_beside_its_time(script, monkeypatch, capsys):
    changed, words, columns = SMALL[script]
    main = main_of(script, monkeypatch, changed)
    monkeypatch.setattr(sys, "argv", [script, *words.split()])
    assert not main()
    tables = list(tables_in(capsys.readouterr().out))
    assert len(tables) == len(columns)
    for (heads, line, *rows), column in zip(tables, columns, strict=True):
        assert rows
        assert {len(row) for row in rows} == {len(heads)} == {len(line)}
        figures = [row[heads.index(column)] for row in rows]
        assert all(re.fullmatch(r"(<?[\d.]+|-)( / (<?[\d.]+|-))*", figure) for figure in figures), figures


def test_answers_show_the_median_and_the_most_that_processes_held():
    taken = [Taken(KINDS[0], "who", cold, cold / 2, held) for cold, held in ((3.0, 90.0), (4.0, 95.0), (5.0, 180.0))]
    ((heads, _, row),) = tables_in("\n".join(lines_of("skirmish", taken, 1)))
    assert dict(zip(heads, row, strict=True))["most held, MB"] == "95 / 180"


class TestPeaks:
    def test_an_array_of_eight_megabytes(self):
        assert 8 <= peak_of(lambda: np.ones(1_000_000)) < 9

    def test_what_is_gone_before_the_end_counts(self):
        assert 8 <= peak_of(lambda: float(np.ones(1_000_000).sum())) < 9

    def test_what_was_held_before_does_not_count(self):
        before = np.ones(4_000_000)
        assert 8 <= peak_of(lambda: before[:1_000_000].copy()) < 9

    def test_one_call_is_not_counted_with_the_next(self):
        assert peak_of(lambda: np.ones(1_000_000)) > peak_of(lambda: np.ones(1_000)) < 1

    def test_nothing_is_recorded_afterwards(self):
        peak_of(list)
        assert not tracemalloc.is_tracing()

    def test_nor_after_an_exception(self):
        with pytest.raises(ZeroDivisionError):
            peak_of(lambda: 1 / 0)
        assert not tracemalloc.is_tracing()

    def test_a_process_has_held_what_it_holds(self):
        before, held = process_peak(), np.ones(10_000_000)
        assert held.nbytes / 1e6 < process_peak() >= before

    def test_of_a_process_that_has_ended(self):
        child = subprocess.Popen([sys.executable, "-c", "b'x' * 300_000_000"])
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        assert child.returncode == 0
        assert resident(usage) > 300

    @pytest.mark.parametrize(
        ("peaks", "text"),
        [
            ((1234.5,), "1234"),
            ((99.5, 9.994, 0.9994), "99.5 / 9.99 / 0.999"),
            ((0.001, 0.0009, 0.0), "0.001 / <0.001 / <0.001"),
            ((1.0, None), "1.00 / -"),
        ],
    )
    def test_three_digits_are_enough(self, peaks, text):
        assert peak_text(*peaks) == text
