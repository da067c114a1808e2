"""The form of every range that can stand among the options of a question; see `ranges`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, ClassVar

from simulator.engine.values import Fields, Value


class AnswerRange(ABC):
    """Answers that cannot be listed; `Within`, `Along` and `SpotIn` are the ranges there are."""

    kind: ClassVar[str]

    @abstractmethod
    def plain(self, answer: Any) -> Value:
        """Return an answer in the one form in which it is recorded; raises ValueError where it is none of these."""

    @abstractmethod
    def read(self, text: str) -> Value:
        """Return what a text means, whether or not it lies within; raises ValueError where it means nothing here."""

    @property
    @abstractmethod
    def samples(self) -> tuple[Value, ...]:
        """The answers that stand for all, the first of them that which a policy takes by itself."""

    @abstractmethod
    def to_fields(self) -> Fields:
        """Return the range as plain data."""

    def place_of(self, answer: Any) -> tuple[Any, ...] | None:
        """Return the place that an answer is about, where the range knows it."""
        del answer
        return None

    @property
    def first_place(self) -> tuple[Any, ...] | None:
        """The place of its first answer, where the range knows places and they come in an order."""
        return None

    def fits(self, answer: Any) -> bool:
        """Whether this is one of the answers."""
        try:
            self.plain(answer)
        except (TypeError, ValueError):
            return False
        return True
