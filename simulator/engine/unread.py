"""The words of a board that its rulebook does not read (see `board_words`), each with a hint."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from simulator.engine.board_words import Reads, Unread
from simulator.engine.table import Setting
from simulator.geometry.ground_words import OPEN, Word
from simulator.wording import did_you_mean

#: The keys under which the author of a board chooses a word.
_VALUES = ("kind", "terrain", "ground", "unit", "layer")
#: The most words listed in a note.
_LISTED = 12


def unread_words(setting: Setting[Any]) -> Iterator[Unread]:
    """Yield every word of the board that the rulebook does not read and that is not listed as scenery.

    Names in a list of scenery that are nowhere on the board are reported too, and those in the list of the setup that
    are read. A board belongs to no rulebook: what it lists is drawn only where the rulebook does not read it.
    """
    scenery = (*setting.board.scenery, *setting.scenery)
    declared = setting.ruleset.reads.get(setting.board.kind)
    if declared is None:
        if setting.board.words():
            message = f"{setting.ruleset.name} does not declare what it reads of a board of {setting.board.kind}"
            yield Unread(Word("board", setting.board.kind, ("board",)), message, is_fault=False)
        return
    spared, read = set[str](), dict[str, Reads]()
    pieces_of_scenery, idle = set[str](), dict[Reads, list[Word]]()
    for word in setting.board.words():
        found = next((one for one in declared if one.covers(word, setting.tables)), None)
        called = [name for name in dict.fromkeys((word.name, word.key)) if name in scenery]
        if found is not None and not found.idle:
            read |= dict.fromkeys(called, found)
        elif called:
            spared |= set(called)
            pieces_of_scenery |= {word.piece} if word.key == "kind" and word.piece else set()
        elif word.piece and word.key == "kind" and found is None:
            pieces_of_scenery.add(word.piece)  # its attributes follow from its kind, which is reported
            yield Unread(word, _unknown(setting, word))
        elif word.piece not in pieces_of_scenery and found is None:
            yield Unread(word, _unknown(setting, word))
        elif word.piece not in pieces_of_scenery and found is not None:
            idle.setdefault(found, []).append(word)
    yield from (_idle(setting, words, found) for found, words in idle.items())
    for where, listed in ((("board", "scenery"), setting.board.scenery), (("scenery",), setting.scenery)):
        for number, name in enumerate(listed):
            if name not in spared and not (name in read and listed is setting.board.scenery):
                yield Unread(Word("scenery", name, (*where, number)), _no_scenery(setting, name, read))
    yield from setting.ruleset.without_effect(setting)


def _unknown(setting: Setting[Any], word: Word) -> str:
    name, known = setting.ruleset.name, known_words(setting, word.key, word.of)
    if word.is_value:
        called = f"{word.key} {word.name!r}"
    else:
        called = f"{word.name!r}" + (f" of {word.of} {word.piece!r}" if word.piece else "")
    listed = f"; {hint}" if (hint := did_you_mean(word.name, known)) else ""
    return f"no rule of {name} reads {called}{listed}; words that are only drawn belong under scenery"


def _idle(setting: Setting[Any], words: list[Word], found: Reads) -> Unread:
    """Return one note for all words of one sort, rather than the same sentence for each of ten kinds of terrain."""
    names = list(dict.fromkeys(word.name if word.is_value else word.piece for word in words))
    shown = ", ".join(filter(None, names[:_LISTED])) + (", …" if len(names) > _LISTED else "")
    of = f"{found.key}{' of' if words[0].piece and not words[0].is_value else ''} {shown}".rstrip()
    clause = f" ({found.clause})" if found.clause else ""
    message = f"nothing follows from {of} in {setting.ruleset.name}: {found.about}{clause}"
    return Unread(words[0], message, found.clause, is_fault=False)


def _no_scenery(setting: Setting[Any], name: str, read: dict[str, Reads]) -> str:
    if (found := read.get(name)) is not None:
        clause = f" ({found.clause})" if found.clause else ""
        return f"{name!r} is not scenery: {setting.ruleset.name} reads it as {found.about}{clause}"
    there = sorted({part for word in setting.board.words() for part in (word.name, word.key)} - {"kind"})
    return f"nothing on this board is called {name!r}; {did_you_mean(name, there)}"


def known_words(setting: Setting[Any], key: str, of: str = "") -> list[str]:
    """Return the words that the rulebook reads at the position of a word: under a key, or as a key of such a piece."""
    declared = [one for one in setting.ruleset.reads.get(setting.board.kind, ()) if not one.idle]
    under = list(dict.fromkeys(name for one in declared if one.key == key for name in one.words(setting.tables)))
    if under or key in _VALUES:
        return under or [OPEN] * (key in ("terrain", "ground"))
    keys = [one for one in declared if not one.words(setting.tables)]
    return [one.key for one in keys if not one.of or not of or of in setting.tables[one.of]]
