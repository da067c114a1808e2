"""Work that may be done step by step, or all at once.

>>> def counted():
...     yield
...     return 2
>>> result_of(counted())
2
"""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Result = TypeVar("Result")


def result_of(work: Generator[object, None, Result]) -> Result:
    """Do all steps of some work, and return what it leads to."""
    while True:
        try:
            next(work)
        except StopIteration as done:
            result: Result = done.value
            return result
