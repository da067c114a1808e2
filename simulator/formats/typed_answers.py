"""Answers and places as texts: as people and programs type them, and as answers are written back."""

from __future__ import annotations

from typing import Any

from simulator.engine.game import Game
from simulator.engine.places import read_pose
from simulator.engine.questions import LET_PASS, Question
from simulator.engine.values import Value, from_text, to_text
from simulator.errors import NoPlace, NoPose, SimulatorError
from simulator.formats.scenario_values import PASS
from simulator.geometry.poses import known_pose


def read_typed(question: Question, text: str) -> Any:
    """Return the answer that a text means: as people type it, or as `answer_text` writes it."""
    words = text.strip()
    if words.casefold() == PASS and question.kind == "react":
        return LET_PASS
    found = question.meant(words)
    if found != words:
        return found
    try:
        return from_text(words)
    except (ValueError, TypeError, SimulatorError):
        return found


def answer_text(value: Value) -> str:
    """Return the text of an answer."""
    return PASS if value is LET_PASS else to_text(value)


def typed_pose(game: Game[Any], text: str) -> Any:
    """Return the place that a text means, or the pose if it names a heading or a level; raise NoPlace or NoPose."""
    board, ruleset = game.board, game.ruleset
    try:
        pose = read_pose(game.setting.vocabulary, text)
    except ValueError as error:
        raise NoPose(f"place: {error}") from None
    if pose.place not in board:
        raise NoPlace(board.no_such_place(pose.place))
    return known_pose(pose, ruleset.name, headings=ruleset.reach_headings, levels=ruleset.reach_levels).plain
