"""Numbers on the command line."""

from __future__ import annotations

from typing import Any

import click

_A_DAY = 86_400


class Amount(click.FloatRange):
    """A number in a range. `nan` is refused, though no comparison with an end of the range does so."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse a number in the range, or fail with the reason."""
        number = super().convert(value, param, ctx)
        return number if number == number else self.fail(f"{value} is not a number", param, ctx)


class Seconds(Amount):
    """A number of seconds, written with or without their unit: `0.5` or `0.5s`."""

    name = "seconds"

    def __init__(self) -> None:
        super().__init__(0, _A_DAY)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse the seconds, or fail with the reason."""
        text = value.strip() if isinstance(value, str) else value
        if not isinstance(text, str):
            return super().convert(text, param, ctx)
        number = text[:-1].rstrip() if text[-1:] in ("s", "S") else text
        try:
            float(number)
        except ValueError:
            self.fail(f"{value!r} is not a number of seconds, such as 0.5 or 0.5s", param, ctx)
        return super().convert(number, param, ctx)
