"""Counts of distinct end states, kept as data, and counted a second time by exhaustive play."""

import functools
from pathlib import Path

import pytest
import yaml
from dt_games import bike
from exhaustive_dot_trooper import Drives, World, flights, walks
from perft_dot_trooper import CLASSES, MOTIONS, POSITIONS, counts, tally

KEPT = yaml.safe_load((Path(__file__).parents[1] / "cases" / "dot_trooper" / "perft.yml").read_text())
#: The ranges of AP of minimum, cruise and max (DT-62): one drive is in one of them.
RANGES = ((1, 1), (2, 4), (5, 8))

positions = pytest.mark.parametrize("name", POSITIONS)


class Remembered(World):
    """The world of exhaustive play, each of its questions answered once."""

    def __init__(self, position):
        super().__init__(position.board, [(dot, False) for dot in position.enemies])
        self.dot_ok = functools.cache(self.dot_ok)
        self.edge_ok = functools.cache(self.edge_ok)


def test_counts_are_those_that_were_kept():
    """DT-59, DT-68, DT-164: how many ends take how many AP, by action and motion, on seven boards."""
    assert counts() == KEPT


def test_no_board_is_idle():
    """Where nothing can be done, nothing would be counted."""
    for name in POSITIONS:
        assert sum(KEPT[f"{name}: drive scout moving, ends moving"].values()) > 100
        assert sum(KEPT[f"{name}: activate_jet_pack"].values()) > 20


@pytest.mark.sampled
@positions
@pytest.mark.parametrize(("kind", "m"), CLASSES)
@pytest.mark.parametrize("motion", MOTIONS)
def test_drives_are_counted_by_exhaustive_play_too(name, kind, m, motion):
    """DT-72, DT-75, DT-83, DT-84: every sequence of dots and turns in every mode, one after another."""
    position, found = POSITIONS[name], {end: [] for end in MOTIONS}
    world = Remembered(position)
    for least, most in RANGES:
        drives = Drives(world, m, least, most, {}, lambda *_: None)
        for (_, _, end), by_ap in drives.play(position.start, 0, motion == "stopped").items():
            found[end] += by_ap
    for end in MOTIONS:
        assert tally(found[end]) == KEPT[f"{name}: drive {kind} {motion}, ends {end}"]


def feet(position, start, level, budget):
    """Where a trooper can walk to with so many AP, the enemies in the way."""
    board = position.board
    others = [(dot, int(board.level[board.index(dot)]), False) for dot in position.enemies]
    return walks(board, start, level, budget, others)


@positions
def test_walks_are_counted_by_exhaustive_play_too(name):
    """DT-164, DT-165."""
    position = POSITIONS[name]
    found = feet(position, position.start, position.level, 8)
    assert tally(found.values()) == KEPT[f"{name}: foot_move"]


def landed(position, dot, level):
    """Where one flight from a dot and level can land, as dots and levels."""
    board = position.board
    tops = {place: int(board.level[board.index(place)] + board.storeys[board.index(place)]) for place in board.places()}
    taken = [place for place in position.enemies if int(board.storeys[board.index(place)]) == 0]
    return {(place, tops[place]) for place in flights(board, dot, level, taken=taken)}


@positions
def test_flights_are_counted_by_exhaustive_play_too(name):
    """DT-8, DT-13, DT-16: every walk of 6 to 16 dots in the air."""
    position = POSITIONS[name]
    found = landed(position, position.start, position.level)
    assert tally([3] * len(found)) == KEPT[f"{name}: activate_jet_pack"]


@pytest.mark.sampled
@positions
def test_whole_turns_on_foot_are_counted_by_exhaustive_play_too(name):
    """DT-10, DT-28: with 4 AP a walk, or a flight with one dot before or after it."""
    position = POSITIONS[name]
    best = feet(position, position.start, position.level, 4)
    before = feet(position, position.start, position.level, 1)
    for (dot, level), ap in before.items():
        for down, on in landed(position, dot, level):
            best[down, on] = min(best.get((down, on), 9), ap + 3)
            if not ap:
                for end, more in feet(position, down, on, 1).items():
                    best[end] = min(best.get(end, 9), 3 + more)
    assert tally(best.values()) == KEPT[f"{name}: turn"]


@positions
@pytest.mark.parametrize(("kind", "m"), CLASSES)
def test_walks_to_a_vehicle_and_drives_are_counted_by_exhaustive_play_too(name, kind, m):
    """DT-58, DT-60, DT-64: the cheapest walk to the rear, 2 AP to mount, 1 to switch on, the rest for the drive."""
    position = POSITIONS[name]
    world, rear = Remembered(position), (position.start[0] - 1, position.start[1])
    parked = [(dot, position.level, False) for dot in (position.start, rear)]
    enemies = [(dot, int(position.board.level[position.board.index(dot)]), False) for dot in position.enemies]
    near = walks(position.board, position.walker, position.level, 8, [*parked, *enemies])
    found = []
    walked = [ap for (dot, on), ap in near.items() if on == position.level and _is_beside(world, dot, rear)]
    if walked:
        left = 8 - min(walked) - 3
        for least, most in RANGES:
            drives = Drives(world, m, least, min(most, left), {}, lambda *_: None)
            if least <= left:
                ends = drives.play(position.start, 0, True).values()
                found += [min(walked) + 3 + ap for by_ap in ends for ap in by_ap]
    assert tally(found) == KEPT[f"{name}: mount_and_drive {kind}"]


def _is_beside(world, dot, rear):
    """Whether a dot is next to the rear, and no wall or window between them."""
    away = (rear[0] - dot[0], rear[1] - dot[1])
    if max(abs(away[0]), abs(away[1]), abs(sum(away))) != 1:
        return False
    return not any(edge.kind in ("wall", "window") for edge in world.edges.get(frozenset((dot, rear)), ()))


@positions
def test_every_position_is_sound(name):
    position = POSITIONS[name]
    table = position.game(bike(place=position.start, level=position.level))
    assert list(table.ruleset.faults(table.table)) == []
