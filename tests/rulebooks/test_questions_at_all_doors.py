"""An action that reach is not asked about is refused alike, with what there is, whichever door it comes in by."""

from pathlib import Path

import pytest

from simulator import load_scenario
from simulator.engine.chain import Chain, ask
from simulator.engine.errors import WrongQuestion

ROOT = Path(__file__).resolve().parents[2]
FILES = {
    "grid_runner/market_chase": ("kit", "couriers", (6, 8)),
    "dot_trooper/alley_turn": ("ann", "red", (5, 2)),
    "skirmish/the_yard": ("ash", "red", (3.0, 3.0)),
}


def doors(game, unit, side, place, action):
    """Every way to ask a game about reach by an action."""
    yield lambda: game.reach(unit, action)
    yield lambda: game.reach_many([unit], action)
    yield lambda: game.reach_many(None, action)
    yield lambda: game.reach_to(unit, place, action)
    yield lambda: game.threats(side, action)
    yield lambda: game.compare(unit, {}, action)
    yield lambda: game.reach(unit, Chain([ask(action)]))


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("wrong", ["levitate", "drve", "done"])
def test_all_doors_refuse_it_alike(file, wrong):
    game = load_scenario(ROOT / f"scenarios/{file}.yaml").start()
    unit, side, place = FILES[file]
    side = game.state.unit(unit).side or side
    messages = []
    for door in doors(game, unit, side, place, wrong):
        with pytest.raises(WrongQuestion) as refused:
            door()
        messages.append(str(refused.value))
    assert len(set(messages)) == 1
    assert messages[0].startswith(f"{game.ruleset.name} has no reach for {wrong!r}; ")
    assert any(known in messages[0] for known in game.ruleset.reaches)


def test_what_is_asked_of_many_is_checked_before_the_first_answer():
    game = load_scenario(ROOT / "scenarios/grid_runner/market_chase.yaml").start()
    with pytest.raises(WrongQuestion, match="pace: a reach of grid_runner takes no such value"):
        game.reach_many(None, "move", pace=3)
