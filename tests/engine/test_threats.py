"""Maps of threats against the answers they are made of, on generated boards of squares and dots."""

import random

import duel_ruleset
import numpy as np
import pytest
from duel_ruleset import fighter

from simulator.engine.areas import extent
from simulator.engine.game import Game
from simulator.formats.boards import parse_board
from simulator.geometry.squares import SquareGrid
from simulator.rulesets import shelf


def duel(seed):
    """Fighters of both sides on a row of squares."""
    dice = random.Random(seed)
    names = ("A1", "A2", "A3", "B1", "B2")
    units = [
        fighter(name, "red" if name < "B" else "blue", at)
        for name, at in zip(names, dice.sample(range(12), len(names)), strict=True)
    ]
    return Game.new(duel_ruleset.RULESET, SquareGrid.open(12, 1), units)


def walkers(seed):
    """Characters of grid_runner among walls; one stands walled in."""
    dice = random.Random(seed)
    rows = [["#" if dice.random() < 0.2 else "." for _ in range(9)] for _ in range(7)]
    spots = dice.sample([(x, y) for x in range(3, 9) for y in range(7)], 4)
    for x, y in spots:
        rows[y][x] = "."
    for y in range(2):
        rows[y][:2] = ".#" if not y else "##"
    drawn = "\n".join("  " + "".join(row) for row in rows)
    board = parse_board(f"format: 1\nboard: squares\nlegend: {{'.': {{}}, '#': {{wall: true}}}}\nrows: |\n{drawn}\n")
    rules = shelf()["grid_runner"]
    units = [
        rules.make_unit(f"A{n}", "character", "red" if n < 4 else "blue", spot)
        for n, spot in enumerate([(0, 0), *spots])
    ]
    return Game.new(rules, board, units)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("set_up", [duel, walkers])
def test_a_map_is_all_answers_together(set_up, seed):
    game = set_up(seed)
    board = game.board
    found = game.threats("red")
    answers = {unit.id: game.reach(unit.id) for unit in game.state if unit.side == "red"}
    assert list(found.threats) == list(answers)
    counts = np.zeros(board.shape, np.int64)
    for name, answer in answers.items():
        threat = found.threats[name]
        assert threat.cells.tolist() == answer.mask.tolist()
        assert (threat.action, threat.extent) == (answer.action, np.count_nonzero(answer.mask))
        assert threat.area.equals(board.region_of(answer.mask))
        counts += answer.mask
    assert found.counts.tolist() == counts.tolist()
    for row, column in np.ndindex(*board.shape):
        place = board.place_at(row, column)
        there = tuple(name for name, answer in answers.items() if answer.mask[row, column])
        assert found.units_at(place) == there
    assert (99, 99) not in found.threats[next(iter(answers))]
    fields = found.to_fields()
    assert (fields["side"], fields["silent"], fields["counts"]) == ("red", {}, counts.tolist())
    assert fields["first"] == list(board.first)
    assert fields["units"] == {
        name: {"action": answer.action, "extent": np.count_nonzero(answer.mask)} for name, answer in answers.items()
    }
    assert fields["at_least"] == [np.count_nonzero(counts >= least) for least in range(1, counts.max() + 1)]
    features = found.to_geojson()
    assert features["type"] == "FeatureCollection"
    assert [one["properties"]["units"] for one in features["features"]] == list(range(1, counts.max() + 1))
    assert [extent(board, area) for _, area in found.exactly] == [
        np.count_nonzero(counts == exact) for exact in range(1, counts.max() + 1)
    ]


def test_the_action_and_the_question_are_those_that_were_asked():
    game = walkers(1)
    for action, question in (("one_square_move", {}), ("tumble", {}), ("charge_attack", {"target": "A4"})):
        for name, threat in game.threats("red", action, **question).threats.items():
            answer = game.reach(name, action, **question)
            assert (threat.action, threat.cells.tolist()) == (action, answer.mask.tolist())


def test_one_who_ends_nowhere_and_one_who_ends_in_a_single_cell():
    game = walkers(2)
    charges = game.threats("red", "charge_attack", target="A4")
    assert not charges.threats["A0"].cells.any()
    assert charges.threats["A0"].extent == 0
    assert not game.threats("red", "move").threats["A0"].cells.ravel()[1:].any()
