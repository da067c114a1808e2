"""The form of every range among the options of a question; see `ranges`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from simulator.engine.values import Fields, Value


class AnswerRange(ABC):
    """Answers that cannot be listed. The ranges are `Within`, `Along` and `SpotIn`."""

    kind: ClassVar[str]

    @abstractmethod
    def plain(self, answer: Any) -> Value:
        """Return an answer in its recorded form; raise ValueError if it is not in the range."""

    @abstractmethod
    def read(self, text: str) -> Value:
        """Return the answer that a text means, inside the range or not; raise ValueError if it means none."""

    @property
    @abstractmethod
    def samples(self) -> tuple[Value, ...]:
        """Answers that represent the range; the first is the one a policy takes by default."""

    @abstractmethod
    def to_fields(self) -> Fields:
        """Return the range as plain data."""

    def place_of(self, answer: Any) -> tuple[Any, ...] | None:
        """Return the place of an answer, if the range knows it."""
        del answer
        return None

    @property
    def first_place(self) -> tuple[Any, ...] | None:
        """The place of its first answer, if the range knows places and orders them."""
        return None

    def fits(self, answer: Any) -> bool:
        """Whether this is one of the answers."""
        try:
            self.plain(answer)
        except (TypeError, ValueError):
            return False
        return True
