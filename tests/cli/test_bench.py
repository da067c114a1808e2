"""What `simulator bench` prints."""

import numpy as np
import pytest

from simulator.cli import bench_lattice
from simulator.cli.bench_limits import MOST_BYTES, Measured, measure_case, table
from simulator.cli.contenders import ratio_lines
from simulator.cli.limit_cases import LimitCase, limit_cases
from simulator.formats.limits import LIMITS
from simulator.geometry.squares import SquareGrid


@pytest.mark.parametrize("seed", range(20))
def test_every_ratio_follows_from_the_columns_beside_it(seed):
    dice = np.random.default_rng(seed)
    taken = {name: dice.lognormal(-3, 1.5, 7).tolist() for name in ("ours", "theirs", "another")}
    _, *rows, _ = ratio_lines(taken, queries=16)
    first = float(rows[0].split()[1])
    for row in rows:
        _, all_ms, each_us, ratio = row.split()
        assert float(each_us) == pytest.approx(float(all_ms) * 1000 / 16, abs=0.4)
        assert float(ratio) == pytest.approx(float(all_ms) / first, rel=0.02, abs=0.006 + 0.01 / first)


def test_a_board_whose_graph_would_take_gigabytes_is_measured_alone_and_that_is_said(monkeypatch):
    monkeypatch.setattr(bench_lattice, "MOST_STEPS", 100)
    lines = list(bench_lattice.on_lattice(SquareGrid.open(9, 9), 8, 4, (), 1))
    assert not any(line.startswith(("scipy csgraph", "networkx,")) for line in lines)
    assert "left out: they need the whole board as a graph, up to 1,296 steps" in lines[-1]


def test_every_documented_limit_has_a_case():
    reached = {name for case in limit_cases() for name in case.limits}
    # What these two allow is a word and a number: no work hangs on them.
    assert set(LIMITS) - reached == {"text", "coordinate", "settings"}


def test_a_case_is_measured_in_a_process_of_its_own():
    def small(folder):
        path = folder / "small.yaml"
        path.write_text('format: 1\nboard: squares\nlegend:\n  ".": {}\nrows: |\n  ....\n', encoding="utf-8")
        return path

    found = measure_case(LimitCase(("cells",), "four squares", small, ("check", "FILE")))
    assert found.code == 0
    assert found.passes
    assert 0 < found.seconds < 20
    assert 10_000_000 < found.peak < MOST_BYTES
    *_, row = table([found, Measured(found.case, 21.0, 10**7, 0)])
    assert row == "| `cells` | four squares | `check` | 21.0 | 10 | 0 | **no** |"
