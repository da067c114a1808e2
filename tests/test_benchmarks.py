"""The benchmarks can be run: each script is loaded as it is, without its measurements."""

import runpy
from pathlib import Path

import pytest

from benchmarks.__main__ import ONLY_WHEN_NAMED, SCRIPTS

HERE = Path(__file__).resolve().parent.parent / "benchmarks"


def test_every_script_has_a_section():
    known = {script for name, (_, script) in SCRIPTS.items() if name not in ONLY_WHEN_NAMED}
    assert known == {path.name for path in HERE.glob("bench_*.py")}
    assert all((HERE / SCRIPTS[name][1]).exists() for name in ONLY_WHEN_NAMED)


@pytest.mark.parametrize("script", sorted(path.name for path in HERE.glob("bench_*.py")))
def test_it_loads(script, monkeypatch):
    monkeypatch.syspath_prepend(str(HERE))
    assert callable(runpy.run_path(str(HERE / script), run_name="loaded")["main"])


def test_the_engine_is_measured(monkeypatch, capsys):
    """It has a rulebook of its own, which has to keep to the contract for rules."""
    monkeypatch.syspath_prepend(str(HERE))
    main = runpy.run_path(str(HERE / "bench_engine.py"), run_name="loaded")["main"]
    main.__globals__.update(CROWDS={"few": 3}, ORDERS=4)
    assert not main()
    assert "few" in capsys.readouterr().out
