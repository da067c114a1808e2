"""What a rulebook reads of a board, as it declares it; `unread` finds what it does not read.

A rulebook declares under `Ruleset.reads`, for each kind of board, the words that its rules look at:

    reads = {"table": [Reads("kind", clause="SK-8", about="rough terrain", figure="rough_ground.kinds"), ...]}

Words that it declares `idle` are known and change nothing by its clauses: they are noted. Every other word of a board
is a fault of the setting, unless it is listed as scenery by the board or by whoever sets up the game. Of a rulebook
that declares nothing it is noted that nobody knows what it reads.
"""

from __future__ import annotations

from dataclasses import dataclass

from simulator.engine.tables import Tables
from simulator.geometry.words import Word


@dataclass(frozen=True, slots=True)
class Reads:
    """Words of a board that a rulebook knows: the key they stand under, the clause that reads them, what they mean."""

    key: str
    clause: str = ""
    about: str = ""
    #: The words under the key. Where there are none and no figure, all of them.
    names: tuple[str, ...] = ()
    #: The figure of the rulebook's tables that lists the words, so that a scenario can choose others.
    figure: str = ""
    #: For what a piece says of itself: the figure that lists the kinds of pieces of which it is read; "" for all.
    of: str = ""
    #: Whether the rulebook knows the word and by its clause nothing follows from it.
    idle: bool = False

    def words(self, tables: Tables) -> tuple[str, ...]:
        """Return the words under the key, none where all are meant."""
        return tuple(tables[self.figure]) if self.figure else self.names

    def covers(self, word: Word, tables: Tables) -> bool:
        """Whether a word of a board is one of these."""
        if word.key != self.key or (self.of and word.of not in tables[self.of]):
            return False
        words = self.words(tables)
        return not words or word.name in words


@dataclass(frozen=True, slots=True)
class Unread:
    """A word of a board that the rulebook does not read; `is_fault` unless a clause says that nothing follows."""

    word: Word
    message: str
    clause: str = ""
    is_fault: bool = True
