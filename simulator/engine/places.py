"""Places, headings and poses as text, read the same way in orders, in files and at the command line.

A vocabulary declares how the orders of a ruleset name a place, such as `12,8`. On a map of dots it can also be named by
the numbers along the edges of its pictures: `column:row`. Places are always written in the first form.

>>> from simulator.engine.orders import Vocabulary, place
>>> from simulator.geometry.dots import DotMap
>>> words = on_board(Vocabulary([], goal_place=place("a dot such as 3,4", whole=True)), DotMap.open(9, 5))
>>> read_place(words, "3,4"), read_place(words, "5:4")
((3, 4), (3, 4))
>>> read_place(words, "5;4")
Traceback (most recent call last):
ValueError: expected a dot such as 3,4, or 3:4 for column 3, row 4 (got '5;4')
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, TypeVar

from simulator.byte_cache import kept
from simulator.engine.orders import ANY_PLACE, Form, Kind, Vocabulary, place
from simulator.engine.orders import level as any_level
from simulator.engine.values import freeze
from simulator.geometry.board import Board, Lattice
from simulator.geometry.dots import DotMap
from simulator.geometry.hex_lattice import OffsetLayout
from simulator.geometry.poses import Pose, pose_parts

FormT = TypeVar("FormT", bound=Form)

_COLUMN_AND_ROW = re.compile(r"([+-]?\d{1,18}):([+-]?\d{1,18})(?![\w./])")


def on_board(vocabulary: Vocabulary, board: Board[Any]) -> Vocabulary:
    """Return a vocabulary for a board: on dots, places can also be named by column and row.

    If it does not declare a kind of places, it is that of the kind of board.
    """
    if vocabulary.goal_place is ANY_PLACE and isinstance(board, Lattice):
        vocabulary = by_whole_numbers(vocabulary)
    return by_column_and_row(vocabulary, board.layout) if isinstance(board, DotMap) else vocabulary


@kept(megabytes=4)
def by_whole_numbers(vocabulary: Vocabulary) -> Vocabulary:
    """Return a vocabulary whose goals and answers are cells of a lattice."""
    return replace(vocabulary, goal_place=place("a place of two whole numbers such as 3,4", whole=True))


@kept(megabytes=4)
def by_column_and_row(vocabulary: Vocabulary, layout: OffsetLayout) -> Vocabulary:
    """Return a vocabulary in which every place can also be named by its column and row in a layout."""

    def with_numbers(forms: Sequence[FormT]) -> list[FormT]:
        return [
            replace(form, args=[replace(arg, kind=numbered(arg.kind, layout)) for arg in form.args]) for form in forms
        ]

    return replace(
        vocabulary,
        actions=with_numbers(vocabulary.actions),
        elements=with_numbers(vocabulary.elements),
        goal_place=numbered(vocabulary.goal_place, layout),
    )


def numbered(kind: Kind, layout: OffsetLayout) -> Kind:
    """Return a kind of place that also reads `column:row`; return other kinds unchanged."""
    if not kind.is_place:
        return kind

    def read(text: str) -> Any:
        found = _COLUMN_AND_ROW.fullmatch(text)
        return layout.dot(*map(int, found.groups())) if found else kind.read(text)

    about = f"{kind.about}, or 3:4 for column 3, row 4"
    return replace(
        kind, about=about, pattern=re.compile(f"{kind.pattern.pattern}|{_COLUMN_AND_ROW.pattern}"), read=read
    )


def read_place(vocabulary: Vocabulary, text: str) -> Any:
    """Read a place; raise ValueError with the valid form."""
    return read_as(vocabulary.goal_place, text)


def read_heading(vocabulary: Vocabulary, text: str) -> Any:
    """Read a heading; raise ValueError with the valid form."""
    return read_as(vocabulary.goal_heading, text)


def read_level(vocabulary: Vocabulary, text: str) -> Any:
    """Read a level, any possible one if the rules have none; raise ValueError with the valid form."""
    return read_as(vocabulary.goal_level or any_level(), text)


def read_pose(vocabulary: Vocabulary, text: str) -> Pose:
    """Read a pose, such as 12,8 facing 90 level roof; raise ValueError with the valid form."""
    at, heading, level = pose_parts(text)
    return Pose(
        read_place(vocabulary, at),
        None if heading is None else read_heading(vocabulary, heading),
        None if level is None else read_level(vocabulary, level),
    )


def read_as(kind: Kind, text: str) -> Any:
    """Read a text of one kind; raise ValueError with the valid form."""
    wrong = f"expected {kind.about} (got {text!r})"
    if not kind.pattern.fullmatch(text):
        raise ValueError(wrong)
    try:
        return freeze(kind.read(text))
    except (ValueError, OverflowError, ZeroDivisionError):
        raise ValueError(wrong) from None
