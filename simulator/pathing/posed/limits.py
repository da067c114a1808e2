"""The limits besides the budget, those that may end a move which the budget pays for: the others make no difference."""

from __future__ import annotations

from typing import NamedTuple


class Binding(NamedTuple):
    """The limits of a space that bind; None where one never does."""

    legs: float | None = None  #: the most that legs may cost
    inches: float | None = None  #: the most inches that legs and links may cover
    per_inch: float = 0.0  #: where inches are limited, what each of them costs at least


#: The budget alone ends moves.
NONE_BINDS = Binding()
