"""The benchmarks can be run: each script is loaded as it is, without its measurements."""

import runpy
from pathlib import Path

import pytest

from benchmarks.__main__ import SCRIPTS

HERE = Path(__file__).resolve().parent.parent / "benchmarks"


def test_every_script_has_a_section():
    assert {script for _, script in SCRIPTS.values()} == {path.name for path in HERE.glob("bench_*.py")}


@pytest.mark.parametrize("script", sorted(path.name for path in HERE.glob("bench_*.py")))
def test_it_loads(script, monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    assert callable(runpy.run_path(str(HERE / script), run_name="loaded")["main"])
