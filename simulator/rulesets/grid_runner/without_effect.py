"""What grid_runner reads from a board of squares without effect as it stands."""

from __future__ import annotations

from collections.abc import Iterator

from simulator.engine.board_words import Unread
from simulator.engine.clauses import clause
from simulator.engine.table import Setting
from simulator.geometry.ground_words import Word
from simulator.geometry.squares import SquareGrid
from simulator.rulesets.grid_runner.options import GridOptions

_METRE = ("metre", "metres", "meter", "meters", "m")


@clause("GR-1", "GR-2")
def notes_on(setting: Setting[GridOptions]) -> Iterator[Unread]:
    """Report squares whose size differs from that of the scale: the scale is what counts."""
    board, scale = setting.board, setting.options.scale
    assert isinstance(board, SquareGrid)
    metres = setting.tables[f"metres.{scale}"]
    if board.unit in _METRE and board.square_size == metres:
        return
    fitting = [name for name in ("m1", "m2", "m5") if board.square_size == setting.tables[f"metres.{name}"]]
    remedy = f"; options: {{scale: {fitting[0]}}} would fit" if board.unit in _METRE and fitting else ""
    message = (
        f"nothing follows from squares of {board.square_size:g} {board.unit} in grid_runner: "
        f"at scale {scale} a square is {metres} metre{'s' * (metres != 1)} wide (GR-1){remedy}"
    )
    yield Unread(Word("square", "size", ("square", "size")), message, "GR-1", is_fault=False)
