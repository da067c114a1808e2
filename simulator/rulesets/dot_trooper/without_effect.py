"""What dot_trooper reads from a map of dots without effect as it stands."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from simulator.byte_cache import kept
from simulator.engine.board_words import Unread
from simulator.engine.clauses import clause
from simulator.engine.table import Setting
from simulator.geometry.dots import DotMap, Edge
from simulator.geometry.ground_words import Word
from simulator.geometry.hex_lattice import DIRECTIONS, Dot
from simulator.geometry.poses import place_text
from simulator.rulesets.dot_trooper.options import DotTrooperOptions
from simulator.rulesets.dot_trooper.surroundings import DotSurroundings, Mask, arrived, joined_levels
from simulator.rulesets.dot_trooper.terrain import CLIMBS, CLOSED, RAMPS

#: The most edges or dots listed in a note.
_LISTED = 6
#: The condition for an effect, by the clause that reads it.
_NEEDS = {
    "DT-5": "a barrier stands on a level that somebody can stand on",
    "DT-12": "an opening lies in a building or beside one",
    "DT-164": "stairs and ladders lead from one level that somebody can stand on to another",
    "DT-166": "a ramp leads from the ground of a dot to the ground of the next, on another level",
}


def notes_on(setting: Setting[DotTrooperOptions]) -> Iterator[Unread]:
    """Report ramps, stairs and openings that lead nowhere, and barriers on levels where nobody can stand."""
    board = setting.board
    assert isinstance(board, DotMap)
    ground = DotSurroundings(board, setting.options)
    for cited, kinds, is_useless in (
        ("DT-5", CLOSED, _stands_on_no_level),
        ("DT-164", CLIMBS, _climbs_to_nothing),
        ("DT-166", RAMPS, _joins_no_grounds),
    ):
        for kind in kinds:
            edges = [edge for edge in board.edges if edge.kind == kind and is_useless(ground, edge)]
            where = [f"{place_text(edge.a)} and {place_text(edge.b)}" for edge in edges]
            yield from _note(Word("kind", kind, ("edges",)), f"the {kind} between", where, cited)
    lost = [place_text(board.place_at(*at)) for at in zip(*np.nonzero(_opens_nothing(ground)), strict=True)]
    yield from _note(Word("opening", "opening", ("opening",)), "the opening at", lost, "DT-12")


def _note(word: Word, called: str, where: list[str], cited: str) -> Iterator[Unread]:
    if where:
        listed = "; ".join(where[:_LISTED]) + ("; …" if len(where) > _LISTED else "")
        message = f"nothing follows from {called} {listed} in dot_trooper: {_NEEDS[cited]} ({cited})"
        yield Unread(word, message, cited, is_fault=False)


@clause("DT-5")
def _stands_on_no_level(ground: DotSurroundings, edge: Edge) -> bool:
    low, high = edge.levels or (ground.levels[0], ground.levels[-1])
    levels = range(max(low, ground.levels[0]), min(high, ground.levels[-1]) + 1)
    # One dot at a time: a map has many edges, and each may be checked.
    ends = [ground.board.index(dot) for dot in (edge.a, edge.b)]
    return not any(ground.surface(level, at) for level in levels for at in ends)


@clause("DT-164")
def _climbs_to_nothing(ground: DotSurroundings, edge: Edge) -> bool:
    low, high = joined_levels(ground.board, edge)
    one, other = (ground.board.index(dot) for dot in (edge.a, edge.b))
    if not (ground.surface(low, one) and ground.surface(high, other)):
        return True
    # On one level they still lead through what closes the edge.
    return low == high and frozenset((edge.a, edge.b)) not in _closed_edges(ground.board)


@kept(megabytes=8)
def _closed_edges(board: DotMap) -> frozenset[frozenset[Dot]]:
    return frozenset(frozenset((edge.a, edge.b)) for edge in board.edges if edge.kind in CLOSED)


@clause("DT-166")
def _joins_no_grounds(ground: DotSurroundings, edge: Edge) -> bool:
    board = ground.board
    low, high = (int(board.level[board.index(dot)]) for dot in (edge.a, edge.b))
    return low == high or joined_levels(board, edge) != (low, high)


@clause("DT-12", role="search")
def _opens_nothing(ground: DotSurroundings) -> Mask:
    board = ground.board
    building = board.present & (board.storeys > 0)
    beside = building.copy()
    for way in range(len(DIRECTIONS)):
        beside |= arrived(building, way)
    return board.openings & ~beside
