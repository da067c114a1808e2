"""The words of a board that a rulebook reads, as it declares them; `unread` finds all others.

A rulebook declares in `Ruleset.reads`, for each kind of board, the words that its rules read:

    reads = {"table": [Reads("kind", clause="SK-8", about="rough terrain", figure="rough_ground.kinds"), ...]}

Words declared `idle` are known, and by its clauses they change nothing: they are noted. Every other word of a board is
a fault of the setting, unless the board or the setup of the game lists it as scenery. If a rulebook declares nothing,
a note says that the words it reads are unknown.
"""

from __future__ import annotations

from dataclasses import dataclass

from simulator.engine.tables import Tables
from simulator.geometry.ground_words import Word


@dataclass(frozen=True, slots=True)
class Reads:
    """Words of a board that a rulebook knows: their key, the clause that reads them, what they mean."""

    key: str
    clause: str = ""
    about: str = ""
    #: The words under the key; all of them if there are none and no figure.
    names: tuple[str, ...] = ()
    #: The figure of the rulebook's tables that lists the words, so that a scenario can choose others.
    figure: str = ""
    #: For words of pieces: the figure that lists the kinds of pieces for which they are read; "" for all.
    of: str = ""
    #: Whether the rulebook knows the word, and its clause attaches no rule to it.
    idle: bool = False

    def words(self, tables: Tables) -> tuple[str, ...]:
        """Return the words under the key; none if all are meant."""
        return tuple(tables[self.figure]) if self.figure else self.names

    def covers(self, word: Word, tables: Tables) -> bool:
        """Whether a word of a board is one of these."""
        if word.key != self.key or (self.of and word.of not in tables[self.of]):
            return False
        words = self.words(tables)
        return not words or word.name in words


@dataclass(frozen=True, slots=True)
class Unread:
    """A word of a board that the rulebook does not read; `is_fault` unless a clause says that it has no effect."""

    word: Word
    message: str
    clause: str = ""
    is_fault: bool = True
