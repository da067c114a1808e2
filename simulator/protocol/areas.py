"""Areas that were asked for with a deadline, kept so that whoever asks the same again goes on where it stopped."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.engine.area_so_far import AreaSoFar
from simulator.engine.game import Game

#: So many areas are kept, those that were asked for last.
MOST_AREAS = 8

#: A question: the id of the game, the unit, the action, and the values with their types (true is not 1).
_Question = tuple[str, str, str, frozenset[tuple[str, type, Any]]]


@dataclass
class Areas:
    """The areas that were asked for last, each with the table that it was asked at."""

    _kept: OrderedDict[_Question, tuple[Any, AreaSoFar]] = field(default_factory=OrderedDict)

    def begun(self, name: str, game: Game[Any], unit: str, action: str, values: Mapping[str, Any]) -> AreaSoFar:
        """Return the area of a question about a game, as far as it is known, or begin with it."""
        found = self.known(name, game, unit, action, values)
        if found is None:
            found = AreaSoFar(game.reach(unit, action, **values))
            self._kept[_question(name, unit, action, values)] = _moment(game), found
            while len(self._kept) > MOST_AREAS:
                self._kept.popitem(last=False)
        return found

    def known(self, name: str, game: Game[Any], unit: str, action: str, values: Mapping[str, Any]) -> AreaSoFar | None:
        """Return the same if it was asked for at this table; otherwise None."""
        question = _question(name, unit, action, values)
        moment, found = self._kept.get(question, (None, None))
        if found is None or moment != _moment(game):
            self._kept.pop(question, None)
            return None
        self._kept.move_to_end(question)
        return found

    def forget(self, name: str) -> None:
        """Forget all that was asked about a game."""
        for question in [one for one in self._kept if one[0] == name]:
            del self._kept[question]


def _question(name: str, unit: str, action: str, values: Mapping[str, Any]) -> _Question:
    return name, unit, action, frozenset((key, type(value), value) for key, value in values.items())


def _moment(game: Game[Any]) -> Any:
    """What an answer depends on besides its question: the table, and whether a question is open, which has none."""
    return game.state.hash, game.question is None
