"""Numbers as they are typed at the command line."""

from __future__ import annotations

from typing import Any

import click


class Amount(click.FloatRange):
    """A number in a range, which `nan` never is, though no comparison of it with an end says so."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Read a number of the range, or say why the text is none."""
        number = super().convert(value, param, ctx)
        return number if number == number else self.fail(f"{value} is no number", param, ctx)
