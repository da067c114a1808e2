"""Numbers on the command line."""

from __future__ import annotations

from typing import Any

import click


class Amount(click.FloatRange):
    """A number in a range. `nan` is refused, though no comparison with an end of the range does so."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse a number in the range, or fail with the reason."""
        number = super().convert(value, param, ctx)
        return number if number == number else self.fail(f"{value} is not a number", param, ctx)
