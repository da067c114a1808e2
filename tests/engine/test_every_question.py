"""Every question of reach that can be asked in the stories, with every value it takes, has an answer or a reason."""

import math
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from simulator.engine.game import Game
from simulator.errors import SimulatorError
from simulator.formats.scenarios import load_scenario
from simulator.geometry.table import InchTable

ROOT = Path(__file__).resolve().parents[2]
STORIES = sorted((ROOT / "scenarios").glob("*/*.yaml"))
#: So many places on rings around a unit are asked about, of so many inches.
RING, RADII = 4, (1.5, 4.0, 9.0)
#: So many units of each kind are asked about.
OF_A_KIND = 1


def halfway(path: Path) -> Game:
    """The game of a story in its middle; at its beginning, if an answer is being waited for."""
    story, game = load_scenario(path), load_scenario(path).start()
    script = [step.order for turn in story.turns for step in turn if step.order]
    for order in script[: len(script) // 2]:
        try:
            game.do(order)
        except SimulatorError:  # an order that is to be refused, or one that waits for an answer
            break
    return game if game.state.pending is None else story.start()


def questions(game):
    """Units that differ in kind, actions, and one value besides."""
    kinds, ruleset = {}, game.ruleset
    for unit in game.state:
        if unit.place is not None:
            kinds.setdefault(tuple(str(unit[name]) for name in ("type", "mobility") if name in unit.fields), []).append(
                unit
            )
    units = [unit for some in kinds.values() for unit in some[:OF_A_KIND]]
    for unit, action in product(units, ruleset.reaches):
        yield unit, action, {}
        for name, ask in ruleset.asks.items():
            if name != "engine" and ask.goes_with(action):
                yield from ((unit, action, {name: word}) for word in ask.kind.words)


def places_around(game, unit):
    """All places of a lattice, some on an inch table."""
    if not isinstance(game.board, InchTable):
        return list(game.board.places())
    turned = 2 * math.pi * np.arange(RING) / RING
    rays = np.stack([np.cos(turned), np.sin(turned)], axis=1)
    places = np.concatenate([np.array(unit.place[:2], float) + far * rays for far in RADII])
    left, bottom, right, top = game.board.bounds
    return [(x, y) for x, y in np.clip(places, (left, bottom), (right, top)).tolist()]


@pytest.mark.sampled
@pytest.mark.parametrize("path", STORIES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_every_question_is_answered_or_refused_with_a_reason(path):
    game, answered = halfway(path), 0
    for unit, action, values in questions(game):
        try:
            answer = game.reach(unit.id, action, **values)
        except SimulatorError as error:
            assert str(error), (unit.id, action, values)
            continue
        places = places_around(game, unit)
        costs = np.asarray(answer.costs_at(places), float)
        assert not np.any(costs < 0.0), (unit.id, action, values)
        answered += 1
        if not values:
            for number in np.flatnonzero(np.isfinite(costs))[-1:].tolist():
                assert answer.orders_to(places[number]) is not None
            for number in np.flatnonzero(~np.isfinite(costs))[:1].tolist():
                assert answer.why_not(places[number]).reasons
    assert answered > 0
