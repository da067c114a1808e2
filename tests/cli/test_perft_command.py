"""`simulator perft` as it is used."""

import json
from pathlib import Path

CORNER = Path(__file__).resolve().parents[2] / "corpus" / "grid_runner" / "corner.yaml"
KEPT = json.loads(CORNER.with_suffix(".json").read_text(encoding="utf-8"))["perft"]


def test_the_counts_as_text_and_as_json(run):
    answer = run("perft", CORNER, 1)
    assert answer.returncode == 0
    heads, figures = (line.split() for line in answer.stdout.splitlines())
    assert dict(zip(heads, map(int, figures), strict=True)) == KEPT[0]
    assert json.loads(run("perft", CORNER, 1, "--json").stdout) == {"format": 1, "depths": KEPT[:1]}


def test_divide_lists_the_first_orders(run):
    *orders, total = run("perft", CORNER, 1, "--divide").stdout.splitlines()
    assert "a move to 2,0: 1" in orders
    assert total == f"{len(orders)} orders, {KEPT[0]['lines']} lines"
    listed = json.loads(run("perft", CORNER, 1, "--divide", "--json").stdout)["orders"]
    assert [f"{one['order']}: {one['lines']}" for one in listed] == orders


def test_no_depth(run):
    answer = run("perft", CORNER, 0)
    assert (answer.returncode, "0 is not in the range 1<=x<=20" in answer.stderr) == (2, True)
