"""Questions about many units that several processes work on: the answers are those of one, and are known afterwards."""

import sys
from pathlib import Path

import numpy as np
import pytest
import shapely

from simulator import cores, load_scenario, threads
from simulator.engine import bulk_reach
from simulator.pathing.weighted.planners import KNOWN
from simulator.rulesets.skirmish.odds import bands as chance_bands

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="copies are made on Linux alone")

SCENARIOS = Path("scenarios")


@pytest.fixture
def processes(_planners_are_not_known, copies_made, monkeypatch):
    """Set how many processes share work, and remember nothing of what was found; return the copies that are made."""
    monkeypatch.setattr(threads._Limit, "threads", None)
    monkeypatch.setattr(KNOWN, "most_bytes", 64 * 2**20)

    def allow(count):
        KNOWN.clear()
        monkeypatch.setattr(cores._Copies, "allowed", count > 1)
        monkeypatch.setattr(threads, "cores", lambda: count)
        copies_made.clear()
        return copies_made

    yield allow
    KNOWN.clear()


@pytest.mark.parametrize("story", ["combined_arms/east_bank", "skirmish/four_gaps"])
def test_threats(story, processes):
    found = []
    for count in (1, 2):
        made = processes(count)
        threats = load_scenario(SCENARIOS / f"{story}.yaml").start().threats("red").threats
        assert bool(made) == (count > 1)
        found.append({name: shapely.to_wkb(one.area) for name, one in threats.items()})
    assert found[0] == found[1]
    assert len(found[0]) > 2


def test_an_area_that_a_copy_has_drawn_is_known_to_the_next_who_asks(processes, monkeypatch):
    processes(2)
    game = load_scenario(SCENARIOS / "combined_arms/east_bank.yaml").start()
    threats = game.threats("red")
    drawn = []
    monkeypatch.setattr("simulator.pathing.posed.drawn_reach.draw", lambda *_: drawn.append(1) or iter(()))
    monkeypatch.setattr("simulator.pathing.posed.reach.search", lambda *_, **__: drawn.append(2))
    for name, threat in threats.threats.items():
        area = game.reach(name, threat.action).area
        assert shapely.equals(area, threat.area)
    assert not drawn
    assert len(threats.threats) > 1


@pytest.mark.parametrize(
    ("story", "action", "spacing"), [("mecha/two_guards", "standard", 11.0), ("skirmish/mad_dash", "move", 4.0)]
)
def test_from_everywhere(story, action, spacing, processes, monkeypatch):
    monkeypatch.setattr(bulk_reach, "_AT_ONCE", 4)
    found = []
    for count in (1, 2):
        made = processes(count)
        game = load_scenario(SCENARIOS / f"{story}.yaml").start()
        every = game.bulk_reach(next(iter(game.state)).id, action, spacing=spacing, measured=True)
        lots = list(every.from_cells(0, len(every)))
        found.append([(lot.cells.tolist(), lot.costs, lot.areas, lot.labels, lot.unanswered) for lot in lots])
        assert len(lots) > 1
        assert bool(made) == (count > 1)
    for one, other in zip(*found, strict=True):
        assert one[0] == other[0]
        assert np.array_equal(one[1], other[1])
        assert np.array_equal(one[2], other[2])
        assert one[3:] == other[3:]


@pytest.mark.sampled("pony-edge_of_the_copse")
@pytest.mark.parametrize(("unit", "story"), [("pony", "edge_of_the_copse"), ("gnat", "battle_of_the_quarry")])
def test_a_whole_turn(unit, story, processes):
    found = []
    for count in (1, 2):
        made = processes(count)
        answer = load_scenario(SCENARIOS / f"mecha/{story}.yaml").start().reach(unit, "turn")
        found.append((shapely.to_wkb(answer.area), [(cost, shapely.to_wkb(area)) for cost, area in answer.bands()]))
        assert bool(made) == (count > 1)
    assert found[0] == found[1]


def test_chances(processes, monkeypatch):
    monkeypatch.setattr(chance_bands, "_GOALS_AT_ONCE", 40)
    found = []
    for count in (1, 2):
        made = processes(count)
        bands = load_scenario(SCENARIOS / "skirmish/mad_dash.yaml").start().reach("dex").chance_bands()
        found.append([(chance, shapely.to_wkb(area)) for chance, area in bands])
        assert bool(made) == (count > 1)
    assert found[0] == found[1]
    assert len(found[0]) > 1
