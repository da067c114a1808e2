"""An answer in all the forms that a command may write it in, computed when it is written, or before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from simulator.cli.asking import Output
from simulator.cli.maps import map_is_wanted, print_map

if TYPE_CHECKING:
    from simulator.geometry.board import Board
    from simulator.views.overlays import Overlays


@dataclass(frozen=True)
class AnswerForms:
    """An answer about a board: what computes each of its forms."""

    board: Board[Any]
    drawn: Callable[[], str]
    areas: Callable[[], Mapping[str, Any]]
    lines: Callable[[], Iterable[str]]
    document: Callable[[], Mapping[str, Any]]
    overlays: Callable[[], Overlays]

    def write(self, output: Output, with_map: bool | None) -> None:
        """Write the forms that were requested, computing only those."""
        output.draw(self.drawn)
        output.map(self.areas)
        output.report(self.lines, self.document)
        if output.is_text:
            print_map(self.board, self.overlays, with_map)

    def computed(self, output: Output, with_map: bool | None) -> AnswerForms:
        """Return the same with all that is going to be written computed."""
        found: dict[str, Any] = {}
        if output.is_drawn:
            found["drawn"] = self.drawn()
        if output.geojson_file:
            found["areas"] = self.areas()
        if output.as_json:
            found["document"] = self.document()
        else:
            found["lines"] = list(self.lines())
        if output.is_text and map_is_wanted(with_map):
            found["overlays"] = self.overlays()
        return AnswerForms(self.board, **{name: _always(found.get(name)) for name in _FORMS})


_FORMS = ("drawn", "areas", "lines", "document", "overlays")


def _always(value: Any) -> Callable[[], Any]:
    return lambda: value
